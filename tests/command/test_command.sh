#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_command.sh GSVD STUB LETTERS -- the command on small files: what it
# prints, where and with which exit status.  STUB is the command over
# stub_library.c; LETTERS are the precisions of the library.  Both programs are
# absolute paths.
gsvd=$1
stub=$2
letters=$3
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

# solved A B CONDITION: on d from the host and $solver, exact to rounding
solved() {
    run 0 "$gsvd" --device host --solver "$solver" --json "$1" "$2"
    [ ! -s err ] || fail "stderr is not empty"
    json "$exact and $3"
}
keys='sorted(d) == sorted("m n p k l alpha beta residual_a residual_b "
    "orth_u orth_v orth_q ratio_max sweeps converged device solver "
    "seconds".split())'
exact='max(d["residual_a"], d["residual_b"], d["orth_u"], d["orth_v"],
           d["orth_q"]) < 1e-14 and
       0 <= d["ratio_max"] < 20 and d["converged"] is True'

mm='%%MatrixMarket matrix'
printf '%s array real general\n3 2\n3\n0\n0\n0\n4\n0\n' "$mm" >diagonal.mtx
printf '%s coordinate pattern general\n2 2 2\n1 1\n2 2\n' "$mm" >identity.mtx
printf '%s array complex hermitian\n2 2\n2 0\n0 1\n2 0\n' "$mm" >complex.mtx
printf '%s array real general\n0 2\n' "$mm" >no_rows.mtx
printf '%s array real general\n2 0\n' "$mm" >no_columns.mtx
printf '%s array real general\n1 2\n1\n2\n' "$mm" >row.mtx
printf '%s array real general\n2 3\n1\n2\n3\n4\n5\n7\n' "$mm" >wide.mtx
printf '%s array real general\n1 2\n1\nnan\n' "$mm" >nan.mtx
printf '%s array real general\n2 1\n1\n' "$mm" >short.mtx
printf 'not a matrix\n' >text.txt
printf '3;0\n0;4\n0;0\n' >diagonal.csv
printf '3,x\n' >malformed_line.csv
printf '1,2,3\n' >three.csv
awk -v mm="$mm" 'BEGIN {
    print mm, "coordinate real general"; print 40, 40, 40
    for (i = 1; i <= 40; ++i) print i, i, i }' >long.mtx
awk -v mm="$mm" 'BEGIN {
    print mm, "coordinate pattern symmetric"; print 40, 40, 40
    for (i = 1; i <= 40; ++i) print i, i }' >long_identity.mtx
awk -v mm="$mm" 'BEGIN {
    srand(7); print mm, "array real general"; print 30, 20
    for (i = 0; i < 600; ++i) print rand() - .5 }' >random_a.mtx
awk -v mm="$mm" 'BEGIN {
    srand(8); print mm, "array real general"; print 12, 20
    for (i = 0; i < 240; ++i) print rand() - .5 }' >random_b.mtx
awk -v mm="$mm" 'BEGIN {
    srand(9); print mm, "array complex general"; print 12, 20
    for (i = 0; i < 240; ++i) print rand() - .5, rand() - .5 }' >random_c.mtx

# text
run 0 "$gsvd" --device host diagonal.mtx identity.mtx
prints 'A  3 by 2, real: diagonal.mtx'
prints 'B  2 by 2, real: identity.mtx'
prints 'k = 0, l = 2'
prints '||A - U D1 (0 R) Q^H|| / ||A||'
prints '||Q^H Q - I||'
prints 'tangent on host, double precision'
[ ! -s err ] || fail "stderr is not empty"
run 0 "$gsvd" --device host long.mtx long_identity.mtx
prints '24 more; --json prints all'
prints 'good: below 20'
[ "$(grep -c '^ *[0-9]' out)" -eq 16 ] || fail "not 16 values"
prints '     1  0.99'
prints '    40  0.707106781'
if has z; then
    run 0 "$gsvd" --device host complex.mtx identity.mtx
    prints 'A  2 by 2, complex: complex.mtx'
else
    refuses 1 'gsvd: built without complex double precision' \
        "$gsvd" --device host complex.mtx identity.mtx
fi

# JSON; the values of diagonal.mtx, identity.mtx are 4 and 3
for solver in tangent csd tgsja; do
    solved diagonal.mtx identity.mtx "$keys and
        d['solver'] == '$solver' and d['device'] == 'host' and
        d['seconds'] >= 0 and d['sweeps'] >= 0 and
        [d[x] for x in 'mnpkl'] == [3, 2, 2, 0, 2] and
        close(d['alpha'], [4 / math.sqrt(17), 3 / math.sqrt(10)]) and
        close(d['beta'], [1 / math.sqrt(17), 1 / math.sqrt(10)])"
    [ "$(wc -l <out)" -eq 1 ] || fail "not one line"
    solved identity.mtx diagonal.mtx \
        'close(d["alpha"], [1 / math.sqrt(10), 1 / math.sqrt(17)])'

    # ranks: k > 0; m < k + l
    solved identity.mtx row.mtx \
        '[d["k"], d["l"], d["alpha"][0], d["beta"][0]] == [1, 1, 1, 0]'
    solved row.mtx identity.mtx \
        '[d["k"], d["l"], d["alpha"][1], d["beta"][1]] == [0, 2, 0, 1]'
    solved random_a.mtx random_b.mtx \
        '[d["k"], d["l"]] == [8, 12]'
    solved random_b.mtx random_a.mtx \
        '[d["k"], d["l"]] == [0, 20]'
    solved wide.mtx wide.mtx \
        '[d["k"], d["l"]] == [0, 2]'

    # empty matrices
    solved no_rows.mtx identity.mtx \
        '[d[x] for x in "mnpkl"] == [0, 2, 2, 0, 2] and d["alpha"] == [0, 0]'
    solved identity.mtx no_rows.mtx \
        '[d[x] for x in "mnpkl"] == [2, 2, 0, 2, 0] and d["alpha"] == [1, 1]'
    solved no_rows.mtx no_rows.mtx \
        '[d[x] for x in "mnpkl"] == [0, 2, 0, 0, 0] and d["alpha"] == []'
    solved no_columns.mtx no_columns.mtx \
        '[d[x] for x in "mnpkl"] == [2, 0, 2, 0, 0] and d["beta"] == []'

    has z || continue
    # the eigenvalues of complex.mtx are 3 and 1
    solved complex.mtx identity.mtx \
        'close(d["alpha"], [3 / math.sqrt(10), math.sqrt(.5)])'
    solved identity.mtx complex.mtx \
        'close(d["alpha"], [math.sqrt(.5), 1 / math.sqrt(10)])'
    solved random_a.mtx random_c.mtx \
        '[d["k"], d["l"]] == [8, 12]'
    solved random_c.mtx random_a.mtx \
        '[d["k"], d["l"]] == [0, 20]'
done
run 0 "$gsvd" --device host no_columns.mtx no_columns.mtx
prints 'k = 0, l = 0'
run 0 "$gsvd" --json --device any diagonal.mtx identity.mtx
json "$exact"

# what is computed
run 0 "$gsvd" --device host --values --json random_a.mtx random_b.mtx
json "$keys and [d['k'], d['l']] == [8, 12] and
    {d[x] for x in ['residual_a', 'residual_b', 'orth_u', 'orth_v', 'orth_q',
                    'ratio_max']} == {None}"
mv out values
run 0 "$gsvd" --device host --values random_a.mtx random_b.mtx
prints 'k = 8, l = 12'
if grep -q '||' out; then fail 'residuals of --values'; fi
run 0 "$gsvd" --device host --json random_a.mtx random_b.mtx
json 'close(d["alpha"], json.load(open("values"))["alpha"])'
for options in --economy '--form x' '--economy --form x'; do
    # shellcheck disable=SC2086
    run 0 "$gsvd" --device host $options --json random_a.mtx random_b.mtx
    json "$keys and close(d['alpha'], json.load(open('values'))['alpha']) and
        max(d['residual_a'], d['residual_b'], d['orth_u'], d['orth_v']) < 1e-14
        and d['ratio_max'] < 20"
done
json 'd["orth_q"] is None'
run 0 "$gsvd" --device host --form X random_a.mtx random_b.mtx
prints '||A - U D1 X^H|| / ||A||'
if grep -q 'Q' out; then fail 'Q in X form'; fi
if has s; then
    run 0 "$gsvd" --device host --precision single --json \
        random_a.mtx random_b.mtx
    json "$keys and [d['k'], d['l']] == [8, 12] and d['ratio_max'] < 20 and
        1e-9 < max(d['residual_a'], d['residual_b'], d['orth_q']) < 1e-5"
    run 0 "$gsvd" --device host --precision single diagonal.mtx identity.mtx
    prints 'single precision'
    prints '1  0.97014'
else
    refuses 1 'gsvd: built without real single precision' \
        "$gsvd" --precision single diagonal.mtx identity.mtx
fi
if has c; then
    run 0 "$gsvd" --device host --precision single --json \
        random_a.mtx random_c.mtx
    json "d['ratio_max'] < 20 and 1e-9 < d['residual_b'] < 1e-5"
fi
printf '1;0\n0;1e-3\n' >graded.csv
run 0 "$gsvd" --device host --json --tol-b 1e-2 identity.mtx graded.csv
json '[d["k"], d["l"]] == [1, 1]'
run 0 "$gsvd" --device host --json --tol-b 1e-4 identity.mtx graded.csv
json '[d["k"], d["l"]] == [0, 2]'
printf '1;0\n' >unit.csv
run 0 "$gsvd" --device host --json --tol-a 1e-2 graded.csv unit.csv
json '[d["k"], d["l"]] == [0, 1]'
run 0 "$gsvd" --device host --json --tol-a 1e-4 graded.csv unit.csv
json '[d["k"], d["l"]] == [1, 1]'

# ranks: a small row, by the norm and against its size; a small column, in its unit
printf '1;2\n3e-20;4e-20\n' >small_row.csv
run 0 "$gsvd" --device host --json identity.mtx small_row.csv
json '[d["k"], d["l"]] == [1, 1]'
run 0 "$gsvd" --device host --json --rank norm identity.mtx small_row.csv
json '[d["k"], d["l"]] == [1, 1]'
run 0 "$gsvd" --device host --json --rank rows identity.mtx small_row.csv
json '[d["k"], d["l"]] == [0, 2] and d["ratio_max"] < 20'
run 0 "$gsvd" --device host --rank rows identity.mtx small_row.csv
grep -q ', ranks by rows$' out || fail "not said: ranks by rows"
run 0 "$gsvd" --device host identity.mtx small_row.csv
if grep -q 'ranks by rows' out; then fail "said: ranks by rows"; fi
run 0 "$gsvd" --device host --json --rank rows --tol-b 0.3 \
    identity.mtx small_row.csv
json '[d["k"], d["l"]] == [1, 1]'
printf '1;2e-20\n3;4e-20\n' >small_column.csv
printf '1;1e-20\n' >small_unit.csv
for how in auto off; do
    run 0 "$gsvd" --device host --json --equilibrate $how \
        small_column.csv small_unit.csv
    json '[d["k"], d["l"]] == [0, 1]'
done
run 0 "$gsvd" --device host --json --equilibrate on \
    small_column.csv small_unit.csv
json '[d["k"], d["l"]] == [1, 1] and d["ratio_max"] < 20'

# standard input, as either matrix and in any format
run 0 "$gsvd" --device host --json diagonal.mtx identity.mtx
mv out named
for file in diagonal.mtx diagonal.csv diagonal.npy; do
    [ -f $file ] || continue
    echo "$gsvd - identity.mtx <$file"
    "$gsvd" --device host --json - identity.mtx <$file >out 2>err ||
        fail "standard input: $(cat err)"
    json 'd["alpha"] == json.load(open("named"))["alpha"]'
done
"$gsvd" --device host --json diagonal.mtx - <identity.mtx >out 2>err ||
    fail "standard input: $(cat err)"
json 'd["alpha"] == json.load(open("named"))["alpha"]'
"$gsvd" --device host - identity.mtx <diagonal.mtx >out 2>err
prints 'A  3 by 2, real: standard input'
# shellcheck disable=SC2002
cat diagonal.mtx | "$gsvd" --device host - identity.mtx >out 2>err # no seeking
prints 'A  3 by 2, real: standard input'
refuses 2 'gsvd: standard input is read once: A or B, not both' "$gsvd" - -
refuses 1 'gsvd: standard input: holds no numbers' \
    "$gsvd" - identity.mtx </dev/null
refuses 1 "gsvd: standard input:1: 'x' is not a number" \
    "$gsvd" - identity.mtx <malformed_line.csv
refuses 1 'gsvd: standard input:1: 3 columns, but identity.mtx has 2' \
    "$gsvd" identity.mtx - <three.csv

# error bounds; units of columns do not count, unless columns are not scaled
printf '1,2\n3,4\n5,6\n' >tall.csv
printf '1,1\n0,1e-8\n' >bounds.csv
run 0 "$gsvd" --device host --bounds --json tall.csv bounds.csv
json 'len(d["bounds"]) == 2 and all(1e-16 < x < 1e-13 for x in d["bounds"]) and
    1 < d["cond"] < 100 and d["ratio_max"] < 20'
cp out with_factors
run 0 "$gsvd" --device host --bounds --values --json tall.csv bounds.csv
json '[d[x] == json.load(open("with_factors"))[x] for x in ["bounds", "cond"]] == [True] * 2 and
    d["orth_u"] is None'
run 0 "$gsvd" --device host --bounds --form xinv tall.csv bounds.csv
prints 'alpha / beta      error bound'
prints 'cond(R)'
run 0 "$gsvd" --device host --bounds --economy -o written tall.csv bounds.csv
holds written alpha.npy beta.npy bounds.npy U.npy V.npy Y.npy gsvd.json
run 0 "$gsvd" --device host --form xinv -o written tall.csv bounds.csv
holds written alpha.npy beta.npy U.npy V.npy Y.npy gsvd.json
run 0 "$gsvd" --device host --bounds tall.csv bounds.csv
grep -qE '^ +1  .*  [0-9.]+e-1[56]$' out || fail "no bound: $(cat out)"
run 0 "$gsvd" --device host --bounds --json random_b.mtx random_a.mtx
json 'len(d["bounds"]) == 20 and max(d["bounds"]) < 1e-11'
awk -v FS=, -v OFS=, '{ print $1 * 2^30, $2 }' tall.csv >tall_units.csv
awk -v FS=, -v OFS=, '{ print $1 * 2^30, $2 }' bounds.csv >bounds_units.csv
run 0 "$gsvd" --device host --bounds --values --json tall_units.csv bounds_units.csv
json 'max(d["bounds"]) < 1e-13'
for options in '--equilibrate off' '--tol-a 0'; do
    # shellcheck disable=SC2086  # words
    run 0 "$gsvd" --device host $options --bounds --values --json tall_units.csv bounds_units.csv
    json 'max(d["bounds"]) > 1e-10'
done
if has s; then
    run 0 "$gsvd" --device host --precision single --bounds --json tall.csv bounds.csv
    json 'all(1e-8 < x < 1e-4 for x in d["bounds"])'
fi
if has z; then
    run 0 "$gsvd" --device host --bounds --json random_c.mtx random_a.mtx
    json 'len(d["bounds"]) == 20 and max(d["bounds"]) < 1e-11'
fi
refuses 2 'gsvd: --bounds: of --form xinv alone' "$gsvd" --bounds --form x a b
refuses 2 'gsvd: --bounds: not an option of svd; see gsvd --help' "$gsvd" svd --bounds a

# columns FACTOR SKIPPED: some/FACTOR.mtx is all/FACTOR.mtx without so many numbers at its head
columns() {
    tail -n +3 "some/$1.mtx" >got
    tail -n "+$((3 + $2))" "all/$1.mtx" | head -n "$(wc -l <got)" | paste got - |
        awk '{ d = $1 - $2 } !(d * d < 1e-20) || NF < 2 { bad = 1 } END { exit bad || NR == 0 }' ||
        fail "$1 from $2 on"
}

# the factors of some pairs: those columns of all, here of 12 in U and 20 in V and X
for form in x xinv; do
    run 0 "$gsvd" --device host --form $form --economy --format mtx -o all random_b.mtx \
        random_a.mtx
    X=$([ $form = x ] && echo X || echo Y)
    for keep in 3 -4; do
        run 0 "$gsvd" --device host --form $form --keep $keep --json --format mtx -o some \
            random_b.mtx random_a.mtx
        json 'd["kept"] == ([1, 3] if '$keep' == 3 else [17, 20]) and len(d["alpha"]) == 20 and
            max(d["residual_a"], d["residual_b"], d["orth_u"], d["orth_v"]) < 1e-13 and
            d["ratio_max"] < 20'
        skipped=$([ "$keep" = 3 ] && echo 0 || echo 16)
        columns V $((30 * skipped))
        columns "$X" $((20 * skipped))
        [ "$keep" != 3 ] || columns U 0
    done
    run 0 "$gsvd" --device host --form $form --keep 9 random_a.mtx random_b.mtx
    prints 'good: below 20'
done
run 0 "$gsvd" --device host --keep 99 diagonal.mtx identity.mtx
prints '||V^H B - D2 X^H|| / ||B||'
run 0 "$gsvd" --device host --keep 1 --values --json diagonal.mtx identity.mtx
json "$keys"
for keep in 0 x '' 1.5 99999999999; do
    refuses 2 "gsvd: --keep $keep: not a number of pairs, or its negative" \
        "$gsvd" "--keep=$keep" a b
done
refuses 2 'gsvd: --keep: of --form x or xinv alone' "$gsvd" --keep 1 --form lapack a b
refuses 2 'gsvd: --keep: not with --bounds, for which all of Y is needed' \
    "$gsvd" --keep 1 --bounds a b

# CSV with a header and labels, told and seen
printf ',x,y\nann,3,0\nbob,0,4\n"c, d",0,0\n' >labels.csv
printf '7,3,0\n8,0,4\n9,0,0\n' >index.csv
printf '1990,1991\n3,0\n0,4\n0,0\n' >years.csv
for options in 'labels.csv' '--skip-columns 1 labels.csv' \
    '--skip-columns 1 index.csv' '--header years.csv'; do
    # shellcheck disable=SC2086
    run 0 "$gsvd" --device host --json $options identity.mtx
    json 'd["m"] == 3 and d["alpha"] == json.load(open("named"))["alpha"]'
done

# progress, on something else than a terminal: each stage by its name
GSVD_STUB=none run 0 "$stub" --solver csd --progress --json diagonal.mtx identity.mtx
printf 'gsvd: %s\n' 'reading diagonal.mtx' 'reading identity.mtx' \
    'preprocessing' 'Jacobi on A, sweep 1: 1000 rotations' \
    'Jacobi on A, sweep 2: 250 rotations' 'Jacobi on A, sweep 3: 0 rotations' \
    'checking' >wanted
cmp -s wanted err || fail "progress: $(cat err)"
GSVD_STUB=two-parts run 0 "$stub" --solver csd --progress --values diagonal.mtx \
    identity.mtx
printf 'gsvd: %s\n' 'Jacobi on A, sweep 3: 0 rotations' \
    'Jacobi on B, sweep 4: 600 rotations' 'Jacobi on B, sweep 5: 900 rotations' \
    'Jacobi on B, sweep 6: 0 rotations' >wanted
tail -n 4 err | cmp -s wanted - || fail "progress: $(cat err)"
run 0 "$gsvd" --progress --device host random_a.mtx random_a.mtx
grep -q '^gsvd: Jacobi, sweep 1: [0-9]* rotations$' err ||
    fail "progress: $(cat err)"

# and on one: a line that goes again, with a bar that is full once, at the end, and
# never goes back
if script -qec true /dev/null >/dev/null 2>&1; then
    echo 'progress on a terminal'
    GSVD_STUB=two-parts script -qec "'$stub' --solver csd --progress --json diagonal.mtx \
        identity.mtx >values" /dev/null >out
    tr '\r' '\n' <out |
        grep -qx 'gsvd: Jacobi on A, sweep 1: \[########-*\] 1000 rotations' ||
        fail "no bar: $(cat -v out)"
    tr '\r' '\n' <out | sed -n 's/.*\[\(#*\)-*\].*/\1/p' |
        awk '{ print length }' >bars
    # preprocessing, A, B, checking
    printf '%s\n' 0 8 14 16 16 16 24 24 25 27 28 30 32 >wanted
    cmp -s wanted bars || fail "the bars are $(cat bars)"
    GSVD_STUB=none script -qec "'$stub' --progress --values diagonal.mtx \
        identity.mtx >values" /dev/null >out
    tr '\r' '\n' <out | sed -n 's/.*\[\(#*\)-*\].*/\1/p' |
        awk '{ print length }' >bars
    printf '%s\n' 0 8 26 32 >wanted
    cmp -s wanted bars || fail "the bars of values are $(cat bars)"
    GSVD_STUB=device-failed script -qec "'$stub' --progress diagonal.mtx \
        identity.mtx" /dev/null >out
    tr '\r' '\n' <out | grep -q '^gsvd: the decomposition failed' ||
        fail "a message stands behind the progress: $(cat -v out)"
fi

# help and version
run 0 "$gsvd" -h
prints 'Usage: gsvd [OPTION]... A B'
run 0 "$gsvd" --help
if awk 'length > 79' out | grep -q .; then fail 'help is too wide'; fi
prints 'Usage: gsvd [OPTION]... A B'
prints '--solver'
prints 'Examples:'
cp out told
for words in help 'help svd'; do
    # shellcheck disable=SC2086  # words
    run 0 "$gsvd" $words
    cmp -s out told || fail "gsvd $words is not gsvd --help"
done
run 0 "$gsvd" help tikhonov
prints 'Usage: gsvd tikhonov'
run 0 "$gsvd" --version
grep -qE '^gsvd [0-9]+\.[0-9]+\.[0-9]+$' out || fail "version: $(cat out)"

# wrong usage
two='gsvd: expected 2 files, A and B; see gsvd --help'
refuses 2 "$two" "$gsvd"
refuses 2 "$two" "$gsvd" diagonal.mtx
refuses 2 "$two" "$gsvd" --json
refuses 2 "$two" "$gsvd" diagonal.mtx identity.mtx identity.mtx
refuses 2 'gsvd: --color: not an option; see gsvd --help' "$gsvd" --color a b
refuses 2 'gsvd: -x: not an option; see gsvd --help' "$gsvd" -x a b
refuses 2 'gsvd: --json=1: not an option; see gsvd --help' "$gsvd" --json=1 a b
refuses 2 'gsvd: --solver: a value is missing; see gsvd --help' \
    "$gsvd" a b --solver
refuses 2 'gsvd: --solver svd: not auto, tangent, csd or tgsja' \
    "$gsvd" --solver svd a b
refuses 2 'gsvd: --rank row: neither norm nor rows' "$gsvd" --rank row a b
refuses 2 'gsvd: --equilibrate yes: not auto, on or off' \
    "$gsvd" --equilibrate yes a b
for device in gpu '' 1x -1 99999999999; do
    refuses 2 "gsvd: --device $device: none of host, any, a number" \
        "$gsvd" --device "$device" a b
done

for x in -1 nan inf x ''; do
    refuses 2 "gsvd: --tol-a $x: not a number from 0 up" \
        "$gsvd" "--tol-a=$x" a b
done
refuses 2 'gsvd: --tol-b 1e: not a number from 0 up' "$gsvd" --tol-b 1e a b
refuses 2 'gsvd: --form y: not lapack, x or xinv' "$gsvd" --form y a b
refuses 2 'gsvd: --precision half: neither double nor single' \
    "$gsvd" --precision half a b
refuses 2 'gsvd: --format xls: not npy, mtx, csv, npz or mat' \
    "$gsvd" -o d --format xls a b
refuses 2 'gsvd: --format: there is no --output' "$gsvd" --format mtx a b
refuses 2 'gsvd: --output : not the name of a directory' "$gsvd" -o '' a b
for picture in '' x.png x.pdf x svg .svg; do
    refuses 2 "gsvd: --plot $picture: an SVG picture is drawn; its name ends in .svg" \
        "$gsvd" "--plot=$picture" diagonal.mtx identity.mtx
done
for x in -1 x '' 1.5 99999999999; do
    refuses 2 "gsvd: --skip-columns $x: not a number of columns" \
        "$gsvd" "--skip-columns=$x" a b
done
refuses 2 'gsvd: -o: a value is missing; see gsvd --help' "$gsvd" a b -o
refuses 2 'gsvd: --fo: not an option; see gsvd --help' "$gsvd" --fo x a b
refuses 2 'gsvd: --help=1: not an option; see gsvd --help' "$gsvd" --help=1

# no result
refuses 1 'gsvd: missing.mtx: cannot be opened: No such file or directory' \
    "$gsvd" missing.mtx identity.mtx
refuses 1 'gsvd: missing.mtx: cannot be opened: No such file or directory' \
    "$gsvd" --json identity.mtx missing.mtx
reason='no numbers: none of Matrix Market, NumPy and CSV'
refuses 1 "gsvd: text.txt:1: $reason" "$gsvd" text.txt identity.mtx
reason='not a Matrix Market file: it does not begin with %%MatrixMarket'
cp text.txt text.mtx
refuses 1 "gsvd: text.mtx:1: $reason" "$gsvd" text.mtx identity.mtx
reason='not a NumPy file: it does not begin with \x93NUMPY'
cp text.txt text.npy
refuses 1 "gsvd: text.npy: $reason" "$gsvd" text.npy identity.mtx
printf '1,2\n3\n' >ragged.csv
refuses 1 'gsvd: ragged.csv:2: 1 field, but line 1 has 2' \
    "$gsvd" identity.mtx ragged.csv
printf '# by hand\n1,2\n3,x\n' >malformed.csv
refuses 1 "gsvd: malformed.csv:3: 'x' is not a number" \
    "$gsvd" malformed.csv identity.mtx
refuses 1 'gsvd: .: cannot be read: Is a directory' "$gsvd" . identity.mtx
refuses 1 'gsvd: complex.mtx:1: complex, but --real asks for real matrices' \
    "$gsvd" --real complex.mtx identity.mtx
printf '1,0\n0,1e39\n' >large.csv
refuses 1 "gsvd: large.csv:2: '1e39' is too large for single precision" \
    "$gsvd" --precision single identity.mtx large.csv
refuses 1 "gsvd: nan.mtx:4: 'nan' is not finite" \
    "$gsvd" --json identity.mtx nan.mtx
refuses 1 'gsvd: short.mtx:3: the file ends after 1 of 2 entries' \
    "$gsvd" short.mtx identity.mtx
refuses 1 'gsvd: wide.mtx:2: 3 columns, but identity.mtx has 2' \
    "$gsvd" identity.mtx wide.mtx
refuses 1 'gsvd: three.csv:1: 3 columns, but identity.mtx has 2' \
    "$gsvd" identity.mtx three.csv

# sizes that overflow, no memory
printf '%s coordinate real general\n4294967296 4294967296 0\n' "$mm" >huge.mtx
refuses 1 'gsvd: huge.mtx:2: 4294967296 by 4294967296 entries: too large' \
    "$gsvd" huge.mtx identity.mtx
# what the library does not take is not asked of the memory
for sizes in '2147483648 1' '1 2147483648' '0 2147483648'; do
    printf '%s coordinate real general\n%s 0\n' "$mm" "$sizes" >huge.mtx
    refuses 1 "gsvd: huge.mtx:2: ${sizes% *} by ${sizes#* } entries: too large" \
        "$gsvd" huge.mtx identity.mtx
done
# files that do not end
refuses 1 'gsvd: /dev/zero:1: a zero byte: not a text file' \
    "$gsvd" /dev/zero identity.mtx
mkfifo endless.csv
tr '\0' 1 </dev/zero >endless.csv 2>/dev/null &
refuses 1 'gsvd: endless.csv:1: it does not end: not a text file' \
    "$gsvd" endless.csv identity.mtx
wait
printf '%s coordinate real general\n16777216 16777216 0\n' "$mm" >large.mtx
refuses 1 'gsvd: large.mtx:2: no memory for 16777216 by 16777216 entries' \
    "$gsvd" large.mtx identity.mtx
printf '%s coordinate real general\n30000000 1 0\n' "$mm" >tall.mtx
printf '1\n' >one.csv
less='; --economy or --values need less'
refuses 1 "gsvd: no memory for U, 30000000 by 30000000 numbers$less" \
    "$gsvd" tall.mtx one.csv
# U and V of 0.6 times the memory each, which a system may promise and not have
if [ -r /proc/meminfo ]; then
    rows=$(awk '/^(MemTotal|SwapTotal):/ { kb += $2 }
        END { printf "%d", sqrt(.6 * kb * 1024 / 8) }' /proc/meminfo)
    printf '%s coordinate real general\n%s 1 0\n' "$mm" "$rows" >half.mtx
    run 1 "$gsvd" half.mtx half.mtx
    grep -q "^gsvd: no memory for [UV], $rows by $rows numbers$less$" err ||
        fail "U and V that do not fit: $(cat err)"
fi
run 1 "$gsvd" --device 4096 diagonal.mtx identity.mtx
[ ! -s out ] || fail "stdout is not empty"
grep -q '^gsvd: device 4096' err || fail "no device 4096: $(cat err)"

# a full disk, a closed stdout
if [ -w /dev/full ]; then
    for option in --json --device=host --help --version; do
        echo "$option >/dev/full"
        "$gsvd" "$option" diagonal.mtx identity.mtx >/dev/full 2>err
        [ $? -eq 1 ] || fail "exit status is not 1"
        grep -q '^gsvd: standard output: ' err || fail "stderr: $(cat err)"
    done
fi
echo 'closed stdout'
"$gsvd" diagonal.mtx identity.mtx >&- 2>err
[ $? -eq 1 ] || fail "exit status is not 1"

# a library that fails
GSVD_STUB='no-device'
export GSVD_STUB
refuses 1 'gsvd: device 3 cannot be used: GSVD_DEVICE_FAILED' \
    "$stub" --device 3 diagonal.mtx identity.mtx
GSVD_STUB='no-driver'
reason='the driver is older than the library'
refuses 1 "gsvd: device 0 cannot be used: $reason" \
    "$stub" --device 0 diagonal.mtx identity.mtx
refuses 1 "gsvd: $reason" "$stub" diagonal.mtx identity.mtx
GSVD_STUB='no-memory'
reason='the decomposition failed: GSVD_OUT_OF_MEMORY'
refuses 1 "gsvd: $reason; --economy or --values need less" \
    "$stub" diagonal.mtx identity.mtx
refuses 1 "gsvd: $reason; --values needs less" \
    "$stub" --economy diagonal.mtx identity.mtx
refuses 1 "gsvd: $reason" "$stub" --values diagonal.mtx identity.mtx
GSVD_STUB='device-failed'
reason='GSVD_DEVICE_FAILED: the cable is out'
refuses 1 "gsvd: the decomposition failed: $reason" \
    "$stub" --json diagonal.mtx identity.mtx
GSVD_STUB='not-converged'
run 3 "$stub" --json diagonal.mtx identity.mtx
json 'd["converged"] is False and d["sweeps"] == 30'
grep -qx 'gsvd: warning: jacobi did not converge in 30 sweeps' err ||
    fail "no warning"
run 3 "$stub" diagonal.mtx identity.mtx
prints 'not converged'
GSVD_STUB='not-finite'
run 0 "$stub" --json diagonal.mtx identity.mtx
json 'd["orth_u"] is None and d["ratio_max"] is None'

report
