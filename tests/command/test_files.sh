#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_files.sh GSVD STUB LETTERS FACTORS -- the files that the command writes:
# the factors are those of the pair, and nothing half written is left when
# something fails.  FACTORS is test_factors.c; all programs are absolute paths.
gsvd=$1
stub=$2
letters=$3
factors=$4
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

# whole A B OPTION...: written as $format in $form, the factors are those of A, B
whole() {
    a=$1
    b=$2
    shift 2
    rm -rf dir
    run 0 "$gsvd" --device host --json -o dir --format "$format" \
        --form "$form" --precision "$precision" "$@" "$a" "$b"
    cmp -s out dir/gsvd.json || fail 'gsvd.json is not what is printed'
    if [ "$form" != lapack ]; then
        third=X
        [ "$form" = x ] || third=Y
        holds dir alpha."$format" beta."$format" U."$format" V."$format" \
            "$third"."$format" gsvd.json
    else
        holds dir alpha."$format" beta."$format" U."$format" V."$format" \
            Q."$format" R."$format" gsvd.json
    fi
    k=$(sed 's/.*"k": \([0-9]*\).*/\1/' out)
    "$factors" "$a" "$b" dir "$format" "$form" "$k" "$precision" ||
        fail "the factors are wrong"
}

random 1 30 20 real >tall.mtx
random 2 12 20 real >short.mtx
random 3 5 20 real >wide.mtx
random 4 12 20 complex >complex.mtx
printf '%%%%MatrixMarket matrix array real general\n0 20\n' >none.mtx

# the factors
for precision in double single; do
    has d || [ $precision = single ] || continue
    has s || [ $precision = double ] || continue
    for format in npy mtx; do
        for form in lapack x xinv; do
            # GSVD_TEST_QUICK: under sanitizers each run takes a second
            [ -z "${GSVD_TEST_QUICK:-}" ] || [ $format = npy ] || [ $form = lapack ] || continue
            for economy in '' --economy; do
                whole tall.mtx short.mtx $economy
                whole short.mtx tall.mtx $economy
                whole wide.mtx short.mtx $economy
                whole wide.mtx wide.mtx $economy
                whole none.mtx wide.mtx $economy
                whole wide.mtx none.mtx $economy
            done
            if { [ $precision = double ] && has z; } ||
                { [ $precision = single ] && has c; }; then
                whole complex.mtx tall.mtx
                whole wide.mtx complex.mtx --economy
            fi
        done
    done
done

# csv, and all in one file
precision=double form=lapack format=csv
whole tall.mtx short.mtx --economy
form=x
whole short.mtx tall.mtx
for end in npz mat; do
    for form in lapack x; do
        for pair in 'tall.mtx short.mtx' 'none.mtx wide.mtx'; do
            # shellcheck disable=SC2086  # two files
            run 0 "$gsvd" --device host --json --form "$form" -o "all.$end" $pair
            [ "$form" = x ] || cp "all.$end" "lapack.$end"
            json '"files" not in d'
            k=$(sed 's/.*"k": \([0-9]*\).*/\1/' out)
            # shellcheck disable=SC2086
            "$factors" $pair "all.$end" ".$end" "$form" "$k" double || fail "wrong factors in all.$end"
        done
    done
    if has z; then
        run 0 "$gsvd" --device host --json -o "complex.$end" complex.mtx tall.mtx
        k=$(sed 's/.*"k": \([0-9]*\).*/\1/' out)
        "$factors" complex.mtx tall.mtx "complex.$end" ".$end" lapack "$k" double ||
            fail "wrong factors in complex.$end"
    fi
    if has s; then
        run 0 "$gsvd" --device host --json --precision single -o "single.$end" tall.mtx short.mtx
        k=$(sed 's/.*"k": \([0-9]*\).*/\1/' out)
        "$factors" tall.mtx short.mtx "single.$end" ".$end" lapack "$k" single ||
            fail "wrong factors in single.$end"
    fi
    run 0 "$gsvd" --device host --values --format "$end" -o named tall.mtx short.mtx
    run 0 "$gsvd" svd --device host --economy -o "svd.$end" tall.mtx
    run 0 "$gsvd" svd --device host "svd.$end:U"
    run 1 "$gsvd" svd --device host "svd.$end"
    grep -q '^gsvd: svd.'"$end"': 3 .*; say which, as in FILE.'"$end"':NAME: sigma, U, V$' err ||
        fail "which of 3: $(cat err)"
    run 1 "$gsvd" svd --device host "svd.$end:X"
    grep -q 'no .* X, but sigma, U, V$' err || fail "none of 3: $(cat err)"
    head -c 3000 "svd.$end" >half.tmp && mv half.tmp "half.$end"
    run 1 "$gsvd" svd --device host "half.$end:V"
    grep -q "^gsvd: half.$end:V: the file ends within" err || fail "half a file: $(cat err)"
    run 1 "$gsvd" svd --device host - <"svd.$end"
done
if has z; then
    why='the factors are complex, which CSV has no numbers for'
    refuses 1 "gsvd: --format csv: $why" \
        "$gsvd" --device host --format csv -o none complex.mtx tall.mtx
fi
# a byte of U's entries is another one
{ head -c 2000 svd.npz && printf x && tail -c +2002 svd.npz; } >damaged.npz
run 1 "$gsvd" svd --device host damaged.npz:U
grep -q 'U.npy is damaged: its checksum is not right' err || fail "damaged: $(cat err)"
# what others read and write
if python3 -c 'import numpy' 2>/dev/null; then
    python3 -c '
import numpy as np
d = np.load("lapack.npz"); x = np.load("single.npz") if '"$(has s && echo 1 || echo 0)"' else None
assert sorted(d) == sorted("alpha beta U V Q R".split()) and d["alpha"].ndim == 1
assert x is None or x["U"].dtype == np.float32
A = np.arange(12.0).reshape(4, 3)
np.savez("numpy.npz", A=A, B=np.eye(3)); np.savez_compressed("packed.npz", A=A)' ||
        fail 'NumPy does not read all.npz'
    run 0 "$gsvd" --device host numpy.npz:A numpy.npz:B
    run 1 "$gsvd" svd --device host packed.npz
    grep -q 'A.npy is compressed or encrypted, which is not read' err || fail "$(cat err)"
fi
if command -v octave >/dev/null 2>&1; then
    octave -qf --eval 'd = load("lapack.mat"); assert(size(d.U), [0 0]); d = load("svd.mat");
        A = d.U * diag(d.sigma) * d.V'"'"'; assert(norm(d.U'"'"' * d.U - eye(20)) < 1e-13);
        save -6 octave.mat A; B = int8(eye(20)); save -append -6 octave.mat B; save -7 packed.mat A' ||
        fail 'Octave does not read svd.mat'
    run 0 "$gsvd" --device host octave.mat:A octave.mat:B
    prints 'B  20 by 20, real: octave.mat:B'
    run 1 "$gsvd" svd --device host packed.mat
    grep -q 'compressed, which is not read; save -v6' err || fail "$(cat err)"
fi

# economy is smaller
format=npy form=lapack precision=double
whole tall.mtx short.mtx
grep -aqF "'shape': (30, 30)" dir/U.npy || fail 'U is not 30 by 30'
whole tall.mtx short.mtx --economy
grep -aqF "'shape': (30, 20)" dir/U.npy || fail 'U is not 30 by 20'
grep -aqF "'shape': (20,)" dir/alpha.npy || fail 'alpha is not a vector of 20'
[ "$(wc -c <dir/U.npy)" -eq $((128 + 8 * 600)) ] || fail 'the size of U.npy'
whole wide.mtx wide.mtx --economy
grep -aqF "'shape': (20, 10)" dir/Q.npy || fail 'Q is not 20 by 10'
if has s; then
    precision=single whole tall.mtx short.mtx
    grep -aqF "'descr': '<f4'" dir/U.npy || grep -aqF "'>f4'" dir/U.npy ||
        fail 'U is not float32'
fi

# what was written is read again; all formats at once
precision=double whole tall.mtx short.mtx
run 0 "$gsvd" --device host --json dir/U.npy dir/U.npy
printf 'a,b\n1,0\n0,1\n' >identity.csv
run 0 "$gsvd" --device host identity.csv identity.csv
prints 'A  2 by 2, real: identity.csv'

# values alone; a directory that is there, with files in it
mkdir old
echo keep >old/other
echo replace >old/alpha.npy
run 0 "$gsvd" --device host --values -o old tall.mtx short.mtx
holds old alpha.npy beta.npy gsvd.json other
if grep -q replace old/alpha.npy; then fail 'alpha.npy is the old one'; fi
# an earlier run's files go, whatever its form and format; others stay
second() { # second OPTIONS: after a run in X form, in mtx
    rm -rf set
    run 0 "$gsvd" --device host --form x --format mtx -o set wide.mtx short.mtx
    echo mine >set/notes
    # shellcheck disable=SC2086
    run 0 "$gsvd" --device host -o set $1 tall.mtx short.mtx
}
second ''
holds set alpha.npy beta.npy U.npy V.npy Q.npy R.npy gsvd.json notes
second '--format mtx'
holds set alpha.mtx beta.mtx U.mtx V.mtx Q.mtx R.mtx gsvd.json notes
second '--form x'
holds set alpha.npy beta.npy U.npy V.npy X.npy gsvd.json notes
second --values
holds set alpha.npy beta.npy gsvd.json notes
run 0 "$gsvd" --device host --json -o set tall.mtx short.mtx
json 'd["files"] == "alpha.npy beta.npy U.npy V.npy Q.npy R.npy".split()'

# a file that no run wrote is not removed, nor is it left beside ours
for there in X.npy U.mtx; do
    rm -rf set
    mkdir set
    echo mine >set/$there
    why='in the way, since no earlier run wrote it; name another directory'
    refuses 1 "gsvd: set/$there: $why" \
        "$gsvd" --device host -o set tall.mtx short.mtx
    holds set $there
    run 0 "$gsvd" --device host -o set/inner tall.mtx short.mtx
    echo mine >set/inner/$there
    refuses 1 "gsvd: set/inner/$there: $why" \
        "$gsvd" --device host -o set/inner tall.mtx short.mtx
    holds set/inner alpha.npy beta.npy U.npy V.npy Q.npy R.npy gsvd.json $there
done

# stopped at any rename: what has a name is of the one run or of the other
run 0 "$gsvd" --device host --form x -o before tall.mtx short.mtx
files='alpha.npy beta.npy U.npy V.npy X.npy Q.npy R.npy gsvd.json'
mixed() { # files of set that are in before, and those that are not
    old=0 new=0
    for file in $files; do
        [ -f "set/$file" ] || continue
        if cmp -s "set/$file" "before/$file"; then
            old=$((old + 1))
        else
            new=$((new + 1))
        fi
    done
    [ $old -gt 0 ] && [ $new -gt 0 ]
}
number=0 renames=99
while [ $number -lt $renames ]; do
    number=$((number + 1))
    rm -rf set
    cp -R before set
    GSVD_STUB_RENAME=-$number "$stub" -o set tall.mtx short.mtx >out 2>err
    killed=$?
    if mixed; then fail "killed at rename $number: $old old, $new new files"; fi
    rm -rf set
    cp -R before set
    GSVD_STUB_RENAME=$number "$stub" -o set tall.mtx short.mtx >out 2>err
    failed=$?
    if [ $killed -eq 0 ]; then # there is no such rename
        renames=$number
        [ $failed -eq 0 ] || fail "rename $number fails: $(cat err)"
        break
    fi
    [ $failed -eq 1 ] || fail "rename $number fails: exit status $failed"
    diff -r before set >out 2>&1 || fail "rename $number fails: $(cat out)"
done
[ $renames -gt 12 ] || fail "$renames renames are too few"
holds set alpha.npy beta.npy U.npy V.npy Q.npy R.npy gsvd.json

(umask 027 && "$gsvd" --device host --values -o mode tall.mtx short.mtx >out)
[ -n "$(find mode/alpha.npy -perm 640)" ] || fail 'the mode of a file'

# pictures
run 0 "$gsvd" --device host --plot plot.svg tall.mtx short.mtx
grep -q '8 infinite' plot.svg || fail 'no infinite values in the picture'
grep -q '12 finite' plot.svg || fail 'no finite values in the picture'
run 0 "$gsvd" --device host --plot zero.svg none.mtx wide.mtx
grep -q '5 zero' zero.svg || fail 'no zeros in the picture'
run 0 "$gsvd" --device host --plot none.svg none.mtx none.mtx
grep -q 'There are no values' none.svg || fail 'no word on no values'
name=$(printf '<a>&"b"\001\377.mtx')
cp tall.mtx "$name"
run 0 "$gsvd" --device host --plot odd.svg "$name" short.mtx
for exponent in -300 300; do
    printf '1 0 0\n0 1e%s 0\n0 0 3' $exponent >graded.csv
    printf '1 0 0\n0 1 0\n0 0 1' >one.csv
    run 0 "$gsvd" --device host --values --plot graded$exponent.svg \
        graded.csv one.csv
done
for picture in *.svg; do
    ! command -v python3 >/dev/null 2>&1 ||
        python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' \
            "$picture" || fail "$picture is not XML"
    if grep -qE 'nan|inf[^i]' "$picture"; then fail "$picture: not finite"; fi
done

# -- failures: nothing is left -------------------------------------------------

# leaves_nothing MESSAGE COMMAND...: and old/ is as it was
leaves_nothing() {
    message=$1
    shift
    rm -rf old work
    mkdir old work
    echo old >old/U.npy
    mkdir old/V.npy
    refuses 1 "$message" "$@"
    holds old U.npy V.npy
    [ "$(cat old/U.npy)" = old ] || fail 'U.npy was replaced'
    rmdir work || fail "work holds $(ls work)"
}

pair='--device host tall.mtx short.mtx'
# shellcheck disable=SC2086
{
    leaves_nothing 'gsvd: work/a/b: cannot be created: No such file or directory' \
        "$gsvd" -o work/a/b $pair
    leaves_nothing 'gsvd: tall.mtx: not a directory' "$gsvd" -o tall.mtx $pair
    leaves_nothing 'gsvd: old/V.npy: exists and is not a file' \
        "$gsvd" -o old $pair
    mkdir folder.svg
    leaves_nothing 'gsvd: folder.svg: exists and is not a file' \
        "$gsvd" -o work/new --plot folder.svg $pair
    ln -s /dev/null null.svg
    leaves_nothing 'gsvd: null.svg: exists and is not a file' \
        "$gsvd" -o work/new --plot null.svg $pair
    leaves_nothing \
        'gsvd: work/a/b.svg: cannot be created: No such file or directory' \
        "$gsvd" --plot work/a/b.svg -o work/new $pair
    leaves_nothing 'gsvd: missing.mtx: cannot be opened: No such file or directory' \
        "$gsvd" -o work/new --plot work/plot.svg missing.mtx short.mtx
}

# a full standard output: the files are not given their names
if [ -w /dev/full ]; then
    mkdir work
    "$gsvd" --device host -o work/new --plot work/plot.svg \
        tall.mtx short.mtx >/dev/full 2>err
    [ $? -eq 1 ] || fail 'exit status is not 1'
    grep -q '^gsvd: standard output: ' err || fail "stderr: $(cat err)"
    rmdir work || fail "work holds $(ls work)"
fi

# nobody reads the report any more: the signal ends it, and nothing is left
mkdir work
echo 'SIGPIPE'
{
    sleep 0.5 # until true has ended
    "$gsvd" --device host -o work/new --plot work/plot.svg tall.mtx short.mtx 2>err
    echo $? >code
} | true
while ! [ -s code ]; do sleep 0.1; done
if env sh -c 'kill -s PIPE $$' 2>/dev/null; then
    [ "$(cat code)" -eq 1 ] || fail "exit status $(cat code)" # it is ignored
else
    [ "$(kill -l "$(cat code)")" = PIPE ] || fail "exit status $(cat code)"
    [ ! -s err ] || fail "stderr: $(cat err)"
fi
rmdir work || fail "work holds $(ls work work/new)"

# no file may be longer than a block of 512 bytes, or of 1024: U.npy is too long,
# and alpha.npy is not
random 5 200 2 real >long.mtx
mkdir work
echo "ulimit -f 1; $gsvd -o work/new long.mtx long.mtx"
(
    ulimit -f 1
    exec "$gsvd" --device host -o work/new --plot work/plot.svg \
        long.mtx long.mtx >out 2>err
)
[ $? -eq 1 ] || fail 'exit status is not 1'
[ "$(cat err)" = 'gsvd: work/new/U.npy: cannot be written: File too large' ] ||
    fail "stderr: $(cat err)"
[ ! -s out ] || fail 'stdout is not empty'
rmdir work || fail "work holds $(ls work)"

# a full disk, where one can be mounted
mkdir disk
if mount -t tmpfs -o size=64k gsvd_test disk 2>/dev/null; then
    for format in npy mtx; do
        run 1 "$gsvd" --device host -o disk/new --format $format long.mtx \
            long.mtx
        message="disk/new/U.$format: cannot be written: No space left on device"
        [ "$(cat err)" = "gsvd: $message" ] || fail "stderr: $(cat err)"
        [ ! -s out ] || fail 'stdout is not empty'
        [ -z "$(ls disk)" ] || fail "the disk holds $(ls disk)"
    done
    umount disk
else
    echo 'left out: no disk can be mounted'
fi

# stopped while it writes; the stub's factors, all zeros, take a second or so
printf '%%%%MatrixMarket matrix coordinate real general\n3000 1 0\n' >zeros.mtx
for signal in TERM HUP; do
    mkdir work
    echo "SIG$signal"
    "$stub" -o work/new --format mtx zeros.mtx zeros.mtx >out 2>err &
    process=$!
    while kill -0 $process 2>/dev/null && ! ls work/new/U.mtx.* >out 2>&1; do
        sleep 0.05
    done
    kill -s $signal $process || fail 'it was done too soon'
    wait $process
    [ "$(kill -l $?)" = $signal ] || fail "the exit status of SIG$signal"
    rmdir work || fail "work holds $(ls work work/new)"
done

report
