#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_svd.sh GSVD STUB LETTERS FACTORS -- gsvd svd, hsvd and eigh: what they print and
# write, each option, and what they refuse.  STUB is the command over stub_library.c,
# FACTORS is test_factors.c, LETTERS are the precisions of the library; all programs are
# absolute paths.
gsvd=$1
stub=$2
letters=$3
factors=$4
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

mm='%%MatrixMarket matrix'
printf '%s array real general\n3 2\n3\n0\n0\n0\n4\n0\n' "$mm" >diagonal.mtx
printf '3;0\n0;4\n0;0\n' >diagonal.csv
printf '%s array complex hermitian\n2 2\n2 0\n0 1\n2 0\n' "$mm" >hermitian.mtx
printf '1,1\n0,1\n' >shear.csv
printf '1\n-1\n' >signs.csv
printf '1,-1\n' >row.csv
printf '%s array integer general\n2 1\n1\n-1\n' "$mm" >signs.mtx
printf '%s array real general\n0 2\n' "$mm" >no_rows.mtx
printf '%s array real general\n2 0\n' "$mm" >no_columns.mtx
printf '%s array real general\n0 1\n' "$mm" >no_signs.mtx
random 1 30 20 real >tall.mtx
random 2 12 20 real >wide.mtx
random 3 20 20 real >square.mtx
random 4 30 20 complex >complex.mtx
random 5 12 20 complex >wide_complex.mtx
random 6 60 60 real >many.mtx
# alternating [NUMBER]: signs
alternating() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; ++i) print i % 2 ? -1 : 1 }'
}
alternating 20 >twenty.csv
alternating 60 >sixty.csv

# -- text -----------------------------------------------------------------------

run 0 "$gsvd" svd --device host diagonal.mtx
prints 'A  3 by 2, real: diagonal.mtx'
prints '     1  4'
prints '     2  3'
prints '||A - U Sigma V^H|| / ||A||'
prints '||U^H U - I||'
prints '||V^H V - I||'
prints "LAPACK's ratios, the worst"
prints 'jacobi on host, double precision'
[ ! -s err ] || fail "stderr is not empty"
if grep -qE 'beta|^B|k =|\|\|V\|\|' out; then fail 'a pair shows in svd'; fi
run 0 "$gsvd" svd --device host many.mtx
prints '44 more; --json prints all'
[ "$(grep -c '^ *[0-9]' out)" -eq 16 ] || fail "not 16 values"

# G J G^T = (0 -1; -1 -1): eigenvalues (-1 + sqrt 5) / 2 and (-1 - sqrt 5) / 2
run 0 "$gsvd" hsvd --device host shear.csv signs.csv
prints 'G  2 by 2, real: shear.csv'
prints 'J  1 times 1, 1 times -1: signs.csv'
prints 'sign  eigenvalue of G J G^H'
grep -qE '^ +1  0\.7861513777574.* \+1  \+0\.618033988749' out ||
    fail 'no eigenvalue 0.618'
grep -qE '^ +2  1\.272019649514.* -1  -1\.61803398874' out ||
    fail 'no eigenvalue -1.618'
prints '||G - U Sigma V^H|| / ||G||'
prints "||V^H J V - J'||"
prints '||V||'
prints "ratios like LAPACK's, worst"
[ ! -s err ] || fail "stderr is not empty"

# -- JSON, values, all shapes ------------------------------------------------------

keys='sorted(d) == sorted("m n sigma residual orth_u orth_v ratio_max sweeps "
    "converged device solver seconds".split())'
signed_keys='sorted(d) == sorted("m n sigma signs residual orth_u orth_v norm_v "
    "ratio_max sweeps converged device solver seconds".split())'
# 2 max(8,m,n) ulp
bound='2 * max(8, d["m"], d["n"]) * 2 ** -52'
exact='max(d["residual"], d["orth_u"], d["orth_v"]) < '"$bound"' and
       0 <= d["ratio_max"] < 20 and d["converged"] is True'
signed_exact='max(d["residual"] / max(1, d["norm_v"]), d["orth_u"],
       d["orth_v"] / max(1, d["norm_v"] ** 2)) < '"$bound"' and
       0 <= d["ratio_max"] < 20 and d["converged"] is True'

# decomposed A CONDITION, hyperbolic G J CONDITION: on d, exact to rounding
decomposed() {
    run 0 "$gsvd" svd --device host --json "$1"
    [ ! -s err ] || fail "stderr is not empty"
    json "$keys and $exact and $2"
}
hyperbolic() {
    run 0 "$gsvd" hsvd --device host --json "$1" "$2"
    [ ! -s err ] || fail "stderr is not empty"
    json "$signed_keys and $signed_exact and $3"
}

decomposed diagonal.mtx '[d["m"], d["n"]] == [3, 2] and
    close(d["sigma"], [4, 3]) and d["device"] == "host" and
    d["solver"] == "jacobi" and d["seconds"] >= 0 and d["sweeps"] >= 0'
[ "$(wc -l <out)" -eq 1 ] || fail "not one line"
descends='all(x >= y > 0 for x, y in zip(d["sigma"], d["sigma"][1:]))'
decomposed tall.mtx "len(d['sigma']) == 20 and $descends"
decomposed wide.mtx "len(d['sigma']) == 12 and $descends"
decomposed many.mtx "len(d['sigma']) == 60 and $descends"
decomposed no_rows.mtx 'd["sigma"] == [] and [d["m"], d["n"]] == [0, 2]'
decomposed no_columns.mtx 'd["sigma"] == [] and [d["m"], d["n"]] == [2, 0]'
run 0 "$gsvd" svd --device host no_columns.mtx

by_sign='len(d["sigma"]) == len(d["signs"]) == 20 and
    d["signs"] == [1] * 10 + [-1] * 10 and d["norm_v"] >= 20 ** .5 - 1e-9 and
    all(d["sigma"][i] >= d["sigma"][i + 1] > 0 for i in range(19) if i != 9)'
hyperbolic shear.csv signs.csv 'd["signs"] == [1, -1] and
    close(d["sigma"], [((5 ** .5 - 1) / 2) ** .5, ((5 ** .5 + 1) / 2) ** .5])'
hyperbolic tall.mtx twenty.csv "$by_sign"
hyperbolic square.mtx twenty.csv "$by_sign"
hyperbolic no_columns.mtx no_signs.mtx 'd["sigma"] == d["signs"] == []'
run 0 "$gsvd" hsvd --device host no_columns.mtx no_signs.mtx
# of equal signs they are the singular values
alternating 20 | tr -d - >plus.csv
alternating 20 | sed 's/^1/-1/' >minus.csv
run 0 "$gsvd" svd --device host --json tall.mtx
mv out named
hyperbolic tall.mtx plus.csv 'd["signs"] == [1] * 20 and
    close(d["sigma"], json.load(open("named"))["sigma"])'
hyperbolic tall.mtx minus.csv 'd["signs"] == [-1] * 20 and
    close(d["sigma"], json.load(open("named"))["sigma"])'

if has z; then
    decomposed hermitian.mtx 'close(d["sigma"], [3, 1])'
    decomposed complex.mtx "len(d['sigma']) == 20 and $descends"
    decomposed wide_complex.mtx "len(d['sigma']) == 12 and $descends"
    hyperbolic complex.mtx twenty.csv "$by_sign"
    run 0 "$gsvd" svd --device host hermitian.mtx
    prints 'A  2 by 2, complex: hermitian.mtx'
else
    refuses 1 'gsvd: built without complex double precision' \
        "$gsvd" svd --device host hermitian.mtx
fi

# -- eigenvalues -------------------------------------------------------------------

printf '%s array real symmetric\n2 2\n0\n1\n-1\n' "$mm" >symmetric.mtx
printf '0 1\n2 0\n' >unsymmetric.csv
printf '%s array real general\n0 0\n' "$mm" >empty.mtx
eigh_keys='sorted(d) == sorted("m n w residual orth_q ratio_max sweeps "
    "converged device solver seconds".split())'
eigh_exact='max(d["residual"], d["orth_q"]) < '"$bound"' and
       0 <= d["ratio_max"] < 20 and d["converged"] is True'
golden='close(d["w"], [-(5 ** .5 + 1) / 2, (5 ** .5 - 1) / 2])'

run 0 "$gsvd" eigh --device host symmetric.mtx
prints 'A  2 by 2, real: symmetric.mtx'
prints 'eigenvalue'
prints '     1  -1.61803398'
prints '||A - Q W Q^H|| / ||A||'
prints '||Q^H Q - I||'
prints 'jacobi on host, double precision'
run 0 "$gsvd" eigh --device host --json symmetric.mtx
json "$eigh_keys and $eigh_exact and $golden and d['solver'] == 'jacobi'"
run 0 "$gsvd" eigh --device host --json --fast symmetric.mtx
json "$eigh_keys and $eigh_exact and $golden and d['solver'] == 'tridiagonal'"
run 0 "$gsvd" eigh --device host --json --factor symmetric.mtx
json "$eigh_keys and $eigh_exact and $golden and d['solver'] == 'factor'"
run 0 "$gsvd" eigh --device host --json --values --plot w.svg symmetric.mtx
json "$eigh_keys and $golden and d['residual'] is None"
grep -q 'below 0' w.svg || fail 'no legend of negative values'
run 0 "$gsvd" eigh --device host --json empty.mtx
json "$eigh_keys and d['w'] == []"
run 0 "$gsvd" eigh --device host -o eigen symmetric.mtx
for file in w.npy Q.npy gsvd.json; do
    [ -s "eigen/$file" ] || fail "no eigen/$file"
done
[ "$(find eigen -type f | wc -l)" -eq 3 ] || fail "more than W and Q"
if has z; then
    run 0 "$gsvd" eigh --device host --json hermitian.mtx
    json "$eigh_keys and $eigh_exact and close(d['w'], [1, 3])"
fi
refuses 1 'gsvd: unsymmetric.csv: not symmetric: entry (2, 1)' \
    "$gsvd" eigh --device host unsymmetric.csv
refuses 1 'gsvd: diagonal.csv:1: 3 by 2 numbers, but eigh wants a square matrix' \
    "$gsvd" eigh --device host diagonal.csv
refuses 2 'gsvd: eigh: expected 1 file, A; see gsvd --help' \
    "$gsvd" eigh a.mtx b.mtx
refuses 2 'gsvd: --economy: not an option of eigh; see gsvd --help' \
    "$gsvd" eigh --economy symmetric.mtx
refuses 2 'gsvd: --fast: not an option of svd; see gsvd --help' "$gsvd" svd --fast a.mtx
refuses 2 'gsvd: --fast: not an option of a pair; see gsvd --help' "$gsvd" --fast a.mtx b.mtx

# -- the factors, in files -----------------------------------------------------------

# whole A, whole G J: written as $format in $precision with $economy, they are those
whole() {
    problem=svd
    [ $# -eq 1 ] || problem=hsvd
    rm -rf dir
    # shellcheck disable=SC2086
    run 0 "$gsvd" $problem --device host --json -o dir --format "$format" \
        --precision "$precision" $economy "$@"
    cmp -s out dir/gsvd.json || fail 'gsvd.json is not what is printed'
    if [ $problem = svd ]; then
        holds dir sigma."$format" U."$format" V."$format" gsvd.json
    else
        holds dir sigma."$format" signs."$format" U."$format" V."$format" \
            gsvd.json
    fi
    "$factors" "$1" "${2:--}" dir "$format" $problem 0 "$precision" ||
        fail 'the factors are wrong'
}
for precision in double single; do
    has d || [ $precision = single ] || continue
    has s || [ $precision = double ] || continue
    for format in npy mtx; do
        for economy in '' --economy; do
            whole tall.mtx
            whole wide.mtx
            whole many.mtx
            whole no_rows.mtx
            whole no_columns.mtx
            whole tall.mtx twenty.csv
            whole square.mtx twenty.csv
            whole many.mtx sixty.csv
            whole no_columns.mtx no_signs.mtx
        done
        if { [ $precision = double ] && has z; } ||
            { [ $precision = single ] && has c; }; then
            economy=
            whole complex.mtx
            whole wide_complex.mtx
            whole complex.mtx twenty.csv
            economy=--economy
            whole wide_complex.mtx
            whole complex.mtx twenty.csv
        fi
    done
done
format=npy precision=double economy=''
whole tall.mtx
grep -aqF "'shape': (30, 30)" dir/U.npy || fail 'U is not 30 by 30'
grep -aqF "'shape': (20,)" dir/sigma.npy || fail 'sigma is not a vector of 20'
economy=--economy
whole tall.mtx
grep -aqF "'shape': (30, 20)" dir/U.npy || fail 'U is not 30 by 20'
whole wide.mtx
grep -aqF "'shape': (20, 12)" dir/V.npy || fail 'V is not 20 by 12'
whole tall.mtx twenty.csv
grep -aqF "'shape': (20, 20)" dir/V.npy || fail 'V is not 20 by 20'
grep -aqF "'shape': (20,)" dir/signs.npy || fail 'signs is not a vector of 20'
json 'd["files"] == "sigma.npy signs.npy U.npy V.npy".split()'
# what was written is read again
run 0 "$gsvd" hsvd --device host dir/U.npy dir/signs.npy

# an earlier run's files go, whatever its problem; others stay
rm -rf set
run 0 "$gsvd" --device host -o set tall.mtx wide.mtx
echo mine >set/notes
run 0 "$gsvd" svd --device host -o set tall.mtx
holds set sigma.npy U.npy V.npy gsvd.json notes
run 0 "$gsvd" hsvd --device host --format mtx -o set tall.mtx twenty.csv
holds set sigma.mtx signs.mtx U.mtx V.mtx gsvd.json notes
run 0 "$gsvd" svd --device host --values -o set tall.mtx
holds set sigma.npy gsvd.json notes
run 0 "$gsvd" --device host -o set tall.mtx wide.mtx
holds set alpha.npy beta.npy U.npy V.npy Q.npy R.npy gsvd.json notes
# a file that no run wrote is in the way of a problem that has one of this name
rm -rf set
mkdir set
echo mine >set/sigma.mtx
refuses 1 'gsvd: set/sigma.mtx: in the way, since no earlier run wrote it; name another directory' \
    "$gsvd" svd --device host -o set tall.mtx
holds set sigma.mtx
run 0 "$gsvd" --device host -o set tall.mtx wide.mtx
holds set sigma.mtx alpha.npy beta.npy U.npy V.npy Q.npy R.npy gsvd.json

# -- options -------------------------------------------------------------------------

run 0 "$gsvd" svd --device host --values --json tall.mtx
json "$keys and close(d['sigma'], json.load(open('named'))['sigma']) and
    {d[x] for x in ['residual', 'orth_u', 'orth_v', 'ratio_max']} == {None}"
run 0 "$gsvd" svd --device host --values tall.mtx
if grep -q '||' out; then fail 'residuals of --values'; fi
run 0 "$gsvd" hsvd --device host --json tall.mtx twenty.csv
mv out signed
run 0 "$gsvd" hsvd --device host --values --json tall.mtx twenty.csv
json "$signed_keys and close(d['sigma'], json.load(open('signed'))['sigma']) and
    d['norm_v'] is None and d['residual'] is None"
# options before the word, and between
run 0 "$gsvd" --json --device host svd --values tall.mtx
json "close(d['sigma'], json.load(open('named'))['sigma'])"
run 0 "$gsvd" --json svd tall.mtx --device any --economy
json "$exact"
if has s; then
    run 0 "$gsvd" svd --device host --precision single --json tall.mtx
    json "$keys and d['ratio_max'] < 20 and 1e-9 < d['residual'] < 1e-5"
    run 0 "$gsvd" hsvd --device host --precision single --json tall.mtx \
        twenty.csv
    json "$signed_keys and d['ratio_max'] < 20 and 1e-9 < d['residual'] < 1e-4"
    run 0 "$gsvd" svd --device host --precision single diagonal.mtx
    prints 'single precision'
else
    refuses 1 'gsvd: built without real single precision' \
        "$gsvd" svd --precision single diagonal.mtx
fi

# sweeps alone take more of them than large steps, which 60 columns have
run 0 "$gsvd" svd --device host --json many.mtx
mv out large
run 0 "$gsvd" svd --device host --json --sweeps many.mtx
json "$exact and d['sigma'] != json.load(open('large'))['sigma'] and
    max(abs(x - y) for x, y in
        zip(d['sigma'], json.load(open('large'))['sigma'])) <
    $bound * d['sigma'][0] and d['sweeps'] > json.load(open('large'))['sweeps']"
run 0 "$gsvd" svd --device host --json --bidiagonal many.mtx
json "$exact and d['solver'] == 'bidiagonal' and
    max(abs(x - y) for x, y in
        zip(d['sigma'], json.load(open('large'))['sigma'])) <
    $bound * d['sigma'][0]"
refuses 2 'gsvd: --bidiagonal: not an option of hsvd; see gsvd --help' \
    "$gsvd" hsvd --bidiagonal many.mtx sixty.csv
run 0 "$gsvd" hsvd --device host --json --sweeps many.mtx sixty.csv
json "$signed_exact"
run 0 "$gsvd" --device host --json many.mtx many.mtx
mv out large
run 0 "$gsvd" --device host --json --sweeps many.mtx many.mtx
json "d['sweeps'] > json.load(open('large'))['sweeps']"

# standard input
"$gsvd" svd --device host --json - <diagonal.csv >out 2>err ||
    fail "standard input: $(cat err)"
json 'close(d["sigma"], [4, 3])'
"$gsvd" hsvd --device host --json - signs.csv <shear.csv >out 2>err ||
    fail "standard input: $(cat err)"
json 'd["signs"] == [1, -1]'
"$gsvd" hsvd --device host shear.csv - <signs.csv >out 2>err ||
    fail "standard input: $(cat err)"
prints 'J  1 times 1, 1 times -1: standard input'
refuses 2 'gsvd: standard input is read once: G or J, not both' \
    "$gsvd" hsvd - -

# J as a row, in any format, with a header and labels that are seen
for j in row.csv signs.mtx; do
    run 0 "$gsvd" hsvd --device host --json shear.csv $j
    json 'd["signs"] == [1, -1]'
done
printf 'name,sign\nann,1\nbob,-1\n' >labels.csv
run 0 "$gsvd" hsvd --device host --json shear.csv labels.csv
json 'd["signs"] == [1, -1]'
# the layout of G is told, and is not J's
printf '1990,1991,1992\n7,1,1\n8,0,1\n' >years.csv
run 0 "$gsvd" hsvd --device host --json --header --skip-columns 1 years.csv row.csv
json 'close(d["sigma"], [((5 ** .5 - 1) / 2) ** .5, ((5 ** .5 + 1) / 2) ** .5])'
run 0 "$gsvd" svd --device host --json --header --skip-columns 1 years.csv
json '[d["m"], d["n"]] == [2, 2]'

# a file that is called as a word
cp diagonal.mtx svd
cp diagonal.mtx hsvd
run 0 "$gsvd" --device host ./svd ./hsvd
prints 'A  3 by 2, real: ./svd'
run 0 "$gsvd" --device host diagonal.mtx svd
prints 'B  3 by 2, real: svd'
run 0 "$gsvd" svd --device host svd
prints 'A  3 by 2, real: svd'
run 0 "$gsvd" svd --device host hsvd
prints 'A  3 by 2, real: hsvd'

# pictures
run 0 "$gsvd" svd --device host --plot svd.svg tall.mtx
grep -q '20 not zero' svd.svg || fail 'no values in the picture'
grep -q '<title>Singular values' svd.svg || fail 'no title'
printf '1,0\n0,0\n' >singular.csv
run 0 "$gsvd" svd --device host --plot zero.svg singular.csv
grep -q '1 zero' zero.svg || fail 'no zero in the picture'
run 0 "$gsvd" hsvd --device host --plot hsvd.svg tall.mtx twenty.csv
grep -q '10 of sign 1<' hsvd.svg || fail 'no values of sign 1 in the picture'
grep -q '10 of sign &#8722;1<' hsvd.svg || fail 'no values of sign -1'
grep -q 'J = twenty.csv' hsvd.svg || fail 'no J in the picture'
run 0 "$gsvd" svd --device host --plot none.svg no_rows.mtx
grep -q 'There are no values' none.svg || fail 'no word on no values'
for picture in svd.svg zero.svg hsvd.svg none.svg; do
    ! command -v python3 >/dev/null 2>&1 ||
        python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' \
            "$picture" || fail "$picture is not XML"
    if grep -qE 'nan|inf[^i]|alpha|k \+ l' "$picture"; then
        fail "$picture: not finite, or of a pair"
    fi
done

# progress
GSVD_STUB=none run 0 "$stub" svd --progress --json diagonal.mtx
printf 'gsvd: %s\n' 'reading diagonal.mtx' 'preprocessing' \
    'Jacobi, sweep 1: 1000 rotations' 'Jacobi, sweep 2: 250 rotations' \
    'Jacobi, sweep 3: 0 rotations' 'checking' >wanted
cmp -s wanted err || fail "progress: $(cat err)"
run 0 "$gsvd" hsvd --progress --device host many.mtx sixty.csv
{
    sed -n 1,2p err
    tail -n 2 err
} >told
sweeps=$(grep -c '^gsvd: Jacobi, sweep [0-9]*: [0-9]* rotations$' err)
printf 'gsvd: %s\n' 'reading many.mtx' 'reading sixty.csv' \
    "Jacobi, sweep $sweeps: 0 rotations" 'checking' >wanted
cmp -s wanted told || fail "progress: $(cat err)"
if script -qec true /dev/null >/dev/null 2>&1; then
    GSVD_STUB=none script -qec "'$stub' svd --progress --json diagonal.mtx \
        >values" /dev/null >out
    tr '\r' '\n' <out | sed -n 's/.*\[\(#*\)-*\].*/\1/p' |
        awk '{ print length }' >bars
    printf '%s\n' 0 8 20 24 24 26 29 32 >wanted
    cmp -s wanted bars || fail "the bars are $(cat bars)"
fi

# -- wrong usage -----------------------------------------------------------------------

one='gsvd: svd: expected 1 file, A; see gsvd --help'
refuses 2 "$one" "$gsvd" svd
refuses 2 "$one" "$gsvd" svd --json
refuses 2 "$one" "$gsvd" svd diagonal.mtx diagonal.mtx
two='gsvd: hsvd: expected 2 files, G and J; see gsvd --help'
refuses 2 "$two" "$gsvd" hsvd
refuses 2 "$two" "$gsvd" hsvd shear.csv
refuses 2 "$two" "$gsvd" hsvd shear.csv signs.csv signs.csv
for option in --form=x --solver=csd --tol-a=0 --tol-b=0 --rank=rows \
    --equilibrate=on; do
    refuses 2 "gsvd: ${option%=*}: not an option of svd; see gsvd --help" \
        "$gsvd" svd $option diagonal.mtx
    refuses 2 "gsvd: ${option%=*}: not an option of hsvd; see gsvd --help" \
        "$gsvd" $option hsvd shear.csv signs.csv
done
refuses 2 'gsvd: --format: there is no --output' \
    "$gsvd" svd --format mtx diagonal.mtx
refuses 2 'gsvd: --plot x.png: an SVG picture is drawn; its name ends in .svg' \
    "$gsvd" svd --plot x.png diagonal.mtx
run 0 "$gsvd" svd --help
prints 'gsvd svd [OPTION]... A'
prints 'gsvd hsvd [OPTION]... G J'
prints './svd'

# -- no result ---------------------------------------------------------------------------

refuses 1 'gsvd: missing.mtx: cannot be opened: No such file or directory' \
    "$gsvd" svd missing.mtx
refuses 1 'gsvd: missing.csv: cannot be opened: No such file or directory' \
    "$gsvd" hsvd shear.csv missing.csv
refuses 1 'gsvd: hermitian.mtx:1: complex, but --real asks for real matrices' \
    "$gsvd" svd --real hermitian.mtx
refuses 1 'gsvd: wide.mtx:2: 20 columns, but 12 rows; hsvd wants at least as many rows' \
    "$gsvd" hsvd wide.mtx twenty.csv
printf '1,2\n' >one_row.csv
refuses 1 'gsvd: one_row.csv:1: 2 columns, but 1 row; hsvd wants at least as many rows' \
    "$gsvd" hsvd one_row.csv signs.csv

refuses 1 'gsvd: twenty.csv:1: 20 signs, but shear.csv has 2 columns' \
    "$gsvd" hsvd shear.csv twenty.csv
printf '1\n' >one.csv
refuses 1 'gsvd: one.csv:1: 1 sign, but shear.csv has 2 columns' \
    "$gsvd" hsvd shear.csv one.csv
refuses 1 'gsvd: signs.mtx:2: 2 signs, but tall.mtx has 20 columns' \
    "$gsvd" hsvd tall.mtx signs.mtx
refuses 1 'gsvd: shear.csv:1: 2 by 2 numbers, but J is a row or a column of signs' \
    "$gsvd" hsvd shear.csv shear.csv
refuses 1 'gsvd: hermitian.mtx: complex, but signs are 1 and -1' \
    "$gsvd" hsvd shear.csv hermitian.mtx
for entry in 0 2 -1.5 1e-300 0.9999999999999999; do
    printf '1\n%s\n' $entry >wrong.csv
    run 1 "$gsvd" hsvd shear.csv wrong.csv
    grep -qxE 'gsvd: wrong\.csv: number 2 is [-0-9.e]+, neither 1 nor -1' err ||
        fail "J with $entry: $(cat err)"
    [ ! -s out ] || fail 'stdout is not empty'
done
printf '1\nx\n' >words.csv
refuses 1 "gsvd: words.csv:2: 'x' is not a number" "$gsvd" hsvd shear.csv words.csv
printf '1,2\n1,2\n' >dependent.csv
printf '1,0\n1,0\n' >zero.csv
for g in dependent.csv zero.csv; do
    refuses 1 'gsvd: column 2 of G depends on the columns before it' \
        "$gsvd" hsvd --device host $g signs.csv
    refuses 1 'gsvd: column 2 of G depends on the columns before it' \
        "$gsvd" hsvd --device host --values -o none --plot none.svg $g signs.csv
    [ ! -d none ] || fail 'a directory without a result'
done

printf '%s coordinate real general\n30000000 1 0\n' "$mm" >long.mtx
refuses 1 'gsvd: no memory for U, 30000000 by 30000000 numbers; --economy or --values need less' \
    "$gsvd" svd long.mtx
refuses 1 'gsvd: no memory for U, 30000000 by 30000000 numbers; --economy or --values need less' \
    "$gsvd" hsvd long.mtx one.csv
run 1 "$gsvd" svd --device 4096 diagonal.mtx
grep -q '^gsvd: device 4096' err || fail "no device 4096: $(cat err)"

# a library that fails
export GSVD_STUB
for words in 'svd diagonal.mtx' 'hsvd diagonal.mtx signs.csv'; do
    # shellcheck disable=SC2086
    {
        GSVD_STUB=no-memory
        why='gsvd: the decomposition failed: GSVD_OUT_OF_MEMORY'
        refuses 1 "$why; --economy or --values need less" "$stub" $words
        refuses 1 "$why; --values needs less" "$stub" --economy $words
        refuses 1 "$why" "$stub" --values $words
        GSVD_STUB=device-failed
        refuses 1 'gsvd: the decomposition failed: GSVD_DEVICE_FAILED: the cable is out' \
            "$stub" --json $words
        GSVD_STUB=no-device
        refuses 1 'gsvd: device 3 cannot be used: GSVD_DEVICE_FAILED' \
            "$stub" --device 3 $words
        GSVD_STUB=not-converged
        run 3 "$stub" --json $words
        json 'd["converged"] is False'
        grep -qx 'gsvd: warning: jacobi did not converge in 30 sweeps' err ||
            fail 'no warning'
        GSVD_STUB=not-finite
        run 0 "$stub" --json $words
        json 'd["orth_u"] is None and d["ratio_max"] is None'
    }
done

report
