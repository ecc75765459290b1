#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_tikhonov.sh GSVD STUB LETTERS -- gsvd tikhonov: solutions, choices, files, pictures, what
# it refuses.  STUB is the command over stub_library.c, LETTERS are the precisions of the library.
gsvd=$1
stub=$2
# shellcheck disable=SC2034 # for has
letters=$3
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

# A and L are diagonal: x_i = a_i b_i / (a_i^2 + lambda^2 l_i^2), of L's null vector b_3 / a_3
printf '2,0,0\n0,1,0\n0,0,4\n0,0,0\n' >A.csv
printf '1,0,0\n0,3,0\n' >L.csv
printf '10\n10\n8\n0.5\n' >b.csv
printf '10,10,8,0.5\n' >row.csv
printf '10,1\n10,1\n8,1\n0.5,1\n' >two.csv
printf '1,0,0\n0,1,0\n' >narrow.csv
printf '1,2\n3,4\n' >wrong.csv
printf '1,0,0\n0,1,0\n0,0,0\n0,0,0\n' >deficient.csv

# x = (20 / 5, 10 / 10, 2), A x - b = (-2, -9, 0, -0.5), L x = (4, 3)
run 0 "$gsvd" tikhonov --device host --lambda 1 A.csv L.csv b.csv
prints 'A  4 by 3: A.csv'
prints 'L  2 by 3: L.csv'
prints 'k = 1, l = 2'
prints 'lambda: given'
run 0 "$gsvd" tikhonov --device host --lambda 1 --json A.csv L.csv b.csv
json 'close(d["lambda"], [1]) and close(d["seminorm"], [5])'
json 'close([d["residual"][0] / math.sqrt(85.25)], [1])'
json 'd["k"] == 1 and d["l"] == 2 and d["choice"] == "given"'
run 0 "$gsvd" tikhonov --device host --lambda 1 -o given --format mtx A.csv L.csv row.csv
holds given curve.mtx lambda.mtx picard.mtx tikhonov.json x.mtx
awk 'NR > 2 && NF { split("4 1 2", x); d = $1 - x[++i]; if (d * d > 1e-26) bad = 1 }
     END { exit bad || i != 3 }' given/x.mtx || fail "x is $(cat given/x.mtx)"

# lambda = 0: least squares; inf: L x = 0
run 0 "$gsvd" tikhonov --device host --lambda 0 --json A.csv L.csv b.csv
json 'close(d["residual"], [0.5])'
run 0 "$gsvd" tikhonov --device host --lambda inf --json A.csv L.csv b.csv
json 'close(d["seminorm"], [0]) and d["lambda"] == [None]'

# ||A x - b|| <= sqrt(85.25) where lambda <= 1
run 0 "$gsvd" tikhonov --device host --lambda discrepancy=9.2330926563097 --json A.csv L.csv \
    b.csv
json 'abs(d["lambda"][0] - 1) < 1e-12 and d["choice"] == "discrepancy"'
run 0 "$gsvd" tikhonov --device host --lambda gcv --json A.csv L.csv two.csv
json "len(d['lambda']) == 2 and d['choice'] == 'gcv'"
json 'all(1/3 - 1e-12 <= x <= 2 + 1e-12 for x in d["lambda"])'
refuses 1 'gsvd: tikhonov: the L-curve has no corner' \
    "$gsvd" tikhonov --device host --lambda lcurve A.csv L.csv two.csv
refuses 1 'gsvd: tikhonov: the function of quasi-optimality has no minimum' \
    "$gsvd" tikhonov --device host --lambda quasi A.csv L.csv two.csv
# kernel WHAT: a blurring matrix, the identity, or ones blurred, with noise
kernel() {
    awk -v what="$1" 'BEGIN {
        for (i = 0; i < 20; ++i) {
            sum = .004 * ((i * i * 7919 % 101) / 101 - .5)
            for (j = 0; j < 20; ++j) {
                a = exp(-(i - j) * (i - j) / 9)
                sum += a
                if (what != "b")
                    printf "%s%.17g", j ? "," : "", what == "A" ? a : i == j
            }
            printf what == "b" ? sum "\n" : "\n"
        } }'
}
kernel A >blur.csv
kernel I >identity.csv
kernel b >blurred.csv
for how in lcurve quasi; do
    run 0 "$gsvd" tikhonov --device host --lambda $how --json blur.csv identity.csv blurred.csv
    json '1e-4 < d["lambda"][0] < 1e-1 and d["residual"][0] < 0.01 and d["seminorm"][0] < 6'
    json "d['choice'] == '$how'"
done
for filter in tikhonov truncated damped; do
    run 0 "$gsvd" tikhonov --device host --filter $filter --json A.csv L.csv b.csv
    json "d['filter'] == '$filter' and d['choice'] == 'gcv'"
done

# files and pictures
run 0 "$gsvd" tikhonov --device host -o dir --plot A.csv L.csv two.csv
holds dir curve.npy lambda.npy lcurve.svg picard.npy picard.svg tikhonov.json x.npy
for picture in picard lcurve; do
    if command -v python3 >/dev/null 2>&1; then
        python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' dir/$picture.svg ||
            fail "$picture.svg is no XML"
    fi
    if grep -qE 'nan|inf"' dir/$picture.svg; then fail "$picture.svg has no number"; fi
done
grep -q '(gcv)' dir/lcurve.svg || fail 'the choice is not in the picture'

if has z; then
    printf '%%%%MatrixMarket matrix array complex general\n2 1\n0 3\n4 0\n' >complex.mtx
    printf '1,0\n0,1\n' >one.csv
    run 0 "$gsvd" tikhonov --device host --lambda 1 --json one.csv one.csv complex.mtx
    json 'close(d["residual"], [2.5]) and close(d["seminorm"], [2.5])'
fi

# no right-hand side, and one equation
printf '%%%%MatrixMarket matrix array real general\n4 0\n' >none.mtx
run 0 "$gsvd" tikhonov --device host -o none --plot --json A.csv L.csv none.mtx
json 'd["lambda"] == []'
printf '2\n' >number.csv
run 0 "$gsvd" tikhonov --device host --lambda 2 --json -o number --plot number.csv number.csv \
    number.csv
json 'close(d["seminorm"], [0.4 * 2 / 2])'

# what is refused
refuses 2 'gsvd: tikhonov: expected 3 files, A, L and B: see gsvd tikhonov --help' \
    "$gsvd" tikhonov A.csv L.csv
refuses 2 'gsvd: tikhonov: --lambda best: not one of its values; see gsvd tikhonov --help' \
    "$gsvd" tikhonov --lambda best A.csv L.csv b.csv
refuses 2 'gsvd: tikhonov: --lambda -1: not one of its values; see gsvd tikhonov --help' \
    "$gsvd" tikhonov --lambda -1 A.csv L.csv b.csv
for device in -5x 5x -1 4294967296; do
    refuses 2 "gsvd: tikhonov: --device $device: not one of its values; see gsvd tikhonov --help" \
        "$gsvd" tikhonov --device "$device" A.csv L.csv b.csv
done
refuses 2 'gsvd: --tol: not an option; see gsvd tikhonov --help' \
    "$gsvd" tikhonov --tol 1 A.csv L.csv b.csv
refuses 2 'gsvd: --plot: there is no --output' "$gsvd" tikhonov --plot A.csv L.csv b.csv
refuses 2 'gsvd: standard input is read once' "$gsvd" tikhonov A.csv - -
refuses 1 'gsvd: wrong.csv: 2 columns, but A.csv has 3' "$gsvd" tikhonov A.csv wrong.csv b.csv
refuses 1 'gsvd: wrong.csv: 2 rows, but A.csv has 4' "$gsvd" tikhonov A.csv L.csv wrong.csv
refuses 1 'gsvd: tikhonov: delta: less than the residual of every lambda, 0.5' \
    "$gsvd" tikhonov --device host --lambda discrepancy=0.1 A.csv L.csv b.csv
refuses 1 'gsvd: tikhonov: A and L have 1 null vectors in common: no solution is the only one' \
    "$gsvd" tikhonov --device host deficient.csv narrow.csv b.csv
refuses 1 'gsvd: tikhonov: the L-curve of truncated solutions is points, without a curvature' \
    "$gsvd" tikhonov --device host --filter truncated --lambda lcurve A.csv L.csv b.csv
GSVD_STUB=device-failed refuses 1 'gsvd: tikhonov: the cable is out' "$stub" tikhonov A.csv \
    L.csv b.csv
[ ! -e nothing ] || fail 'there is a directory'
run 1 "$gsvd" tikhonov --device host --lambda discrepancy=0.1 -o nothing A.csv L.csv b.csv
[ ! -e nothing ] || fail 'a directory is left of what was refused'
if [ -c /dev/full ]; then
    echo full
    if "$gsvd" tikhonov --device host -o full A.csv L.csv b.csv >/dev/full 2>err; then
        fail 'a full disk is not seen'
    fi
    [ ! -e full ] || fail 'files are left of what was not printed'
fi
run 0 "$gsvd" tikhonov --help
prints 'discrepancy=D'

report
