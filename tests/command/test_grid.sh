#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_grid.sh GSVD RUN LETTERS FACTORS PARTS -- gsvd --grid of 1, 2 and 4 processes: what one process prints
# and writes, up to rounding; an error of one process is told once; what is refused.  RUN is run_grid.sh,
# FACTORS is test_factors.c, PARTS are functions of this file; 77: there is no mpirun.
gsvd=$1
runner=$2
letters=$3
factors=$4
parts=$5
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
command -v mpirun >/dev/null || exit 77

# on RANKS COMMAND...: without what mpirun says of a status
on() {
    ranks=$1
    shift
    bash "$runner" "$ranks" 60 --quiet "$@"
}

# told STATUS MESSAGE COMMAND...: one line of ours on stderr, with this in it
told() {
    code=$1
    message=$2
    shift 2
    run "$code" "$@"
    [ ! -s out ] || fail "stdout is not empty"
    [ "$(grep -c '^gsvd:' err)" -eq 1 ] || fail "not one line: $(cat err)"
    grep -qF -e "$message" err || fail "no '$message' in $(cat err)"
}

# alike NAME: the numbers of the lists NAME in one.json and out
alike() {
    json "close(d['$1'], json.load(open('one.json'))['$1']) and d['ratio_max'] < 20"
}

random 1 60 35 real >A.mtx
random 2 50 35 real >B.mtx
random 3 20 35 complex >Z.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n35 35 3\n1 1 2\n7 3 1\n35 2 4\n' >S.mtx
"$gsvd" svd --device host -o of_A A.mtx >svd.txt || fail 'svd of A'
"$gsvd" --form x --device host --economy -o of_B B.mtx A.mtx >x.txt || fail 'B and A'
# signs of 35 columns, a row of a CSV file and a column
awk 'BEGIN { for (j = 0; j < 35; ++j) printf "%d%s", j % 3 ? 1 : -1, j < 34 ? "," : "\n" }' >J.csv
awk 'BEGIN { print "%%MatrixMarket matrix array real general\n35 1"
             for (j = 0; j < 35; ++j) print j % 3 ? 1 : -1 }' >J.mtx

# hermitian COMPLEX KIND: of order 37
hermitian() {
    awk -v complex="$1" -v kind="$2" 'BEGIN {
        srand(5)
        print "%%MatrixMarket matrix array", kind
        print 37, 37
        for (j = 0; j < 37; ++j)
            for (i = j; i < 37; ++i)
                print rand() - .5, complex ? (i > j) * (rand() - .5) : "" }'
}
hermitian 0 'real symmetric' >H.mtx
hermitian 1 'complex hermitian' >C.mtx

# second.sh: gsvd; the second process reads the files of another directory
cat >second.sh <<END
case \$OMPI_COMM_WORLD_RANK in
1) cd other ;;
esac
exec "$gsvd" "\$@"
END
mkdir other
cp A.mtx other

# two matrices
pair() {
    "$gsvd" --form x --device host --json A.mtx of_B/U.npy >one.json
    for grid in '1 1x1' '2 2x1' '4 2x2'; do
        ranks=${grid% *}
        shape=${grid#* }
        run 0 on "$ranks" "$gsvd" --grid "$shape" --json -o "f$shape" A.mtx of_B/U.npy
        alike alpha
        alike beta
        json "d['device'] == 'grid:$shape' and d['solver'] == 'tangent' and
              max(d['residual_a'], d['residual_b'], d['orth_u'], d['orth_v']) < 1e-13"
        "$factors" A.mtx of_B/U.npy "f$shape" npy x 0 double || fail "factors of $shape"
        holds "f$shape" alpha.npy beta.npy U.npy V.npy X.npy gsvd.json
    done
    # a rank below the columns, complex beside real, an earlier run's files
    if has z; then
        run 0 on 4 "$gsvd" --grid 4x1 --economy -o f4 --plot v.svg Z.mtx S.mtx
        prints 'k = 20, l = 3'
        prints 'tangent on grid:4x1, double precision'
        prints 'good: below 20'
        "$factors" Z.mtx S.mtx f4 npy x 20 double || fail 'factors of rank 23'
        grep -q '<svg' v.svg || fail 'no picture'
        run 0 on 2 "$gsvd" --grid 1x2 --values -o f4 Z.mtx S.mtx
        holds f4 alpha.npy beta.npy gsvd.json
    fi
    if has s; then
        run 0 on 2 "$gsvd" --grid 1x2 --precision single -o single A.mtx B.mtx
        "$factors" A.mtx B.mtx single npy x 0 single || fail 'single factors'
    fi
}

# one matrix
svd() {
    "$gsvd" svd --device host --json A.mtx >one.json
    run 0 on 4 "$gsvd" svd --grid 2x2 --json -o svd A.mtx
    alike sigma
    "$factors" A.mtx - svd npy svd 0 double || fail 'factors of svd'
    run 0 on 2 "$gsvd" svd --grid 2x1 --device host --values --json of_A/V.npy
    json "close(d['sigma'], [1] * 35)"
}

# one matrix and signs
hsvd() {
    "$gsvd" hsvd --device host --json A.mtx J.csv >one.json
    for grid in '1 1x1' '2 2x1' '4 2x2' '3 1x3'; do
        shape=${grid#* }
        run 0 on "${grid% *}" "$gsvd" hsvd --grid "$shape" --json -o "hsvd$shape" A.mtx J.csv
        alike sigma
        json "d['device'] == 'grid:$shape' and d['signs'] == [1] * 23 + [-1] * 12 and
              close([d['norm_v']], [json.load(open('one.json'))['norm_v']]) and
              max(d['residual'], d['orth_u'], d['orth_v']) < 1e-12"
        "$factors" A.mtx J.mtx "hsvd$shape" npy hsvd 0 double || fail "factors of $shape"
        holds "hsvd$shape" sigma.npy signs.npy U.npy V.npy gsvd.json
    done
    run 0 on 2 "$gsvd" hsvd --grid 2x1 --economy -o hsvd A.mtx J.mtx
    prints 'good: below 20'
    prints '||V||'
    "$factors" A.mtx J.mtx hsvd npy hsvd 0 double || fail 'factors of economy'
    run 0 on 2 "$gsvd" hsvd --grid 1x2 --values --json A.mtx J.mtx
    json "close(d['sigma'], json.load(open('one.json'))['sigma']) and d['norm_v'] is None"
    if has s; then
        run 0 on 2 "$gsvd" hsvd --grid 1x2 --precision single --json -o single A.mtx J.mtx
        "$factors" A.mtx J.mtx single npy hsvd 0 single || fail 'single factors of hsvd'
    fi
    if has z; then
        random 4 50 35 complex >Y.mtx
        run 0 on 4 "$gsvd" hsvd --grid 4x1 -o complex Y.mtx J.csv
        prints 'good: below 20'
        "$factors" Y.mtx J.mtx complex npy hsvd 0 double || fail 'complex factors of hsvd'
    fi
}

# a Hermitian one
eigh() {
    for name in H C; do
        [ $name = H ] || has z || continue
        "$gsvd" eigh --device host --json $name.mtx >one.json
        for grid in '1 1x1' '2 2x1' '4 2x2' '3 1x3'; do
            shape=${grid#* }
            run 0 on "${grid% *}" "$gsvd" eigh --grid "$shape" --json -o "eigh$shape" $name.mtx
            alike w
            json "d['device'] == 'grid:$shape' and max(d['residual'], d['orth_q']) < 1e-13"
            "$factors" $name.mtx - "eigh$shape" npy eigh 0 double || fail "factors of $shape"
            holds "eigh$shape" w.npy Q.npy gsvd.json
        done
    done
    run 0 on 2 "$gsvd" eigh --grid 1x2 --values --json H.mtx
    run 0 on 2 "$gsvd" eigh --grid 1x2 H.mtx
    prints 'good: below 20'
}

# what is refused
errors() {
    told 1 '--grid 2x2: 4 processes, and mpirun started 1: mpirun -n 4' "$gsvd" --grid 2x2 A.mtx B.mtx
    told 1 'no_such.mtx: cannot be opened' on 2 "$gsvd" --grid 2x1 A.mtx no_such.mtx
    told 1 'S.mtx: 35 columns, but of_A/U.npy has 60' on 2 "$gsvd" --grid 2x1 of_A/U.npy S.mtx
    # of the second process alone: its file is another one, its part is not finite
    told 1 'process 1 of the grid: B.mtx: cannot be opened' on 2 sh second.sh --grid 1x2 A.mtx B.mtx
    sed '$s/.*/nan/' B.mtx >other/B.mtx
    told 1 "process 1 of the grid: B.mtx:1752: 'nan' is not finite" \
        on 2 sh second.sh --grid 1x2 A.mtx B.mtx
    cp A.mtx other/B.mtx
    told 1 'not the same on all processes' on 2 sh second.sh --grid 1x2 A.mtx B.mtx
    cp B.mtx other/B.mtx
    told 1 'process 1 of the grid: written/U.npy' \
        on 2 sh second.sh --grid 1x2 -o written A.mtx B.mtx
    [ ! -e written ] || fail 'files of a run that failed'
    for option in '--tol-a 1' '--solver csd' '--form xinv' '--skip-columns 1'; do
        # shellcheck disable=SC2086 # an option and its value
        told 2 "${option% *}" "$gsvd" --grid 1x1 $option A.mtx B.mtx
    done
    refuses 2 'gsvd: --format mtx: not beside --grid; see gsvd --help' \
        "$gsvd" --grid 1x1 -o f --format mtx A.mtx B.mtx
    refuses 2 'gsvd: standard input is not read beside --grid' "$gsvd" svd --grid 1x1 -
    for grid in 2 x2 0x2 2x2x2 2x-1; do
        refuses 2 "gsvd: --grid $grid: not rows x columns of processes, as 2x2" \
            "$gsvd" --grid "$grid" A.mtx B.mtx
    done
}

# ... of signs and of Hermitian matrices
errors_of_one() {
    told 1 'B.mtx: 50 by 35 numbers, but J is a row or a column of signs' on 2 "$gsvd" hsvd --grid 1x2 A.mtx B.mtx
    told 1 'S.mtx: 35 by 35 numbers' on 2 "$gsvd" hsvd --grid 1x2 A.mtx S.mtx
    told 1 'Z.mtx: 35 columns, but 20 rows; hsvd wants' on 2 "$gsvd" hsvd --grid 1x2 --values Z.mtx J.csv
    told 1 'J.csv: 35 signs, but H.mtx has 37 columns' on 2 "$gsvd" hsvd --grid 1x2 H.mtx J.csv
    sed '5s/.*/2/' J.mtx >other/J.mtx
    told 1 'process 1 of the grid: J.mtx: number 3 is 2, neither 1 nor -1' \
        on 2 sh second.sh hsvd --grid 1x2 A.mtx J.mtx
    sed '3s/.*/1/; 4s/.*/-1/' J.mtx >other/J.mtx
    told 1 'J: not the same on all processes' on 2 sh second.sh hsvd --grid 1x2 A.mtx J.mtx
    told 1 'A.mtx: 60 by 35 numbers, but eigh wants a square matrix' on 2 "$gsvd" eigh --grid 1x2 A.mtx
    told 1 'S.mtx: not symmetric: entry (35, 2)' on 2 "$gsvd" eigh --grid 1x2 S.mtx
}

for part in $parts; do
    "$part"
done
report
