#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_command.sh GSVD STUB COMPLEX -- the command on small files: what it
# prints, where and with which exit status.  STUB is the command over
# stub_library.c; COMPLEX is 1 if the library has zgsvd.  Both programs are
# absolute paths.
set -u

gsvd=$1
stub=$2
complex=$3
failures=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run STATUS COMMAND...: into out and err
run() {
    expected=$1
    shift
    echo "$*"
    "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || {
        fail "exit status $status, expected $expected"
        sed 's/^/    /' err
    }
}

prints() {
    grep -qF -e "$1" out || fail "no '$1' on stdout"
}

# refuses STATUS MESSAGE COMMAND...: just that line, and nothing on stdout
refuses() {
    code=$1
    message=$2
    shift 2
    run "$code" "$@"
    [ ! -s out ] || fail "stdout is not empty"
    printf '%s\n' "$message" >wanted
    cmp -s wanted err || fail "stderr is '$(cat err)', not '$message'"
}

# json CONDITION: on the object d in out, in Python; nothing without Python
json() {
    command -v python3 >/dev/null 2>&1 || return 0
    python3 -c '
import json, math, sys
def constant(name): raise ValueError(name)
d = json.load(open("out"), parse_constant=constant)
def close(x, y):
    return len(x) == len(y) and all(abs(a - b) < 1e-14 for a, b in zip(x, y))
sys.exit(0 if eval("(" + sys.argv[1] + ")") else 1)
' "$1" || fail "not so: $1 in $(cat out)"
}

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
prints 'jacobi on cpu'
[ ! -s err ] || fail "stderr is not empty"
run 0 "$gsvd" --device host long.mtx long_identity.mtx
prints '24 more'
[ "$(grep -c '^ *[0-9]' out)" -eq 16 ] || fail "not 16 values"
prints '     1  0.99'
prints '    40  0.707106781'
if [ "$complex" -eq 1 ]; then
    run 0 "$gsvd" --device host complex.mtx identity.mtx
    prints 'A  2 by 2, complex: complex.mtx'
else
    refuses 1 'gsvd: built without complex double precision' \
        "$gsvd" --device host complex.mtx identity.mtx
fi

# JSON; the values of diagonal.mtx, identity.mtx are 4 and 3
for solver in jacobi tgsja; do
    solved diagonal.mtx identity.mtx "$keys and
        d['solver'] == '$solver' and d['device'] == 'cpu' and
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

    [ "$complex" -eq 1 ] || continue
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

# help and version
run 0 "$gsvd" --help
prints 'Usage: gsvd [OPTION]... A B'
prints '--solver'
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
refuses 2 'gsvd: --solver svd: neither jacobi nor tgsja' \
    "$gsvd" --solver svd a b
for device in gpu '' 1x -1 99999999999; do
    refuses 2 "gsvd: --device $device: none of host, any, a number" \
        "$gsvd" --device "$device" a b
done

# no result
refuses 1 'gsvd: missing.mtx: cannot be opened: No such file or directory' \
    "$gsvd" missing.mtx identity.mtx
refuses 1 'gsvd: missing.mtx: cannot be opened: No such file or directory' \
    "$gsvd" --json identity.mtx missing.mtx
reason='not a Matrix Market file: it does not begin with %%MatrixMarket'
refuses 1 "gsvd: text.txt:1: $reason" "$gsvd" text.txt identity.mtx
refuses 1 "gsvd: nan.mtx:4: 'nan' is not finite" \
    "$gsvd" --json identity.mtx nan.mtx
refuses 1 'gsvd: short.mtx:3: the file ends after 1 of 2 entries' \
    "$gsvd" short.mtx identity.mtx
refuses 1 'gsvd: wide.mtx:2: 3 columns, but identity.mtx has 2' \
    "$gsvd" identity.mtx wide.mtx
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
GSVD_STUB='no-memory'
refuses 1 'gsvd: the decomposition failed: GSVD_OUT_OF_MEMORY' \
    "$stub" diagonal.mtx identity.mtx
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

if [ "$failures" -gt 0 ]; then
    echo "$failures failures"
    exit 1
fi
