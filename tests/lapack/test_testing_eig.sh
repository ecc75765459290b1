#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_testing_eig.sh LIBRARY EVERYWHERE DIRECTORY LETTER -- LAPACK's own tests of eigenvalues and singular
# values (Debian: liblapack-test), alone and with LIBRARY preloaded, which by EVERYWHERE computes on the
# host: as many tests, and the same failures, of which SEP and SVD have none.
set -u

library=$1 everywhere=$2 programs=$3 letter=$4
program=$programs/xeigtst$letter

if [ ! -x "$program" ] || [ ! -r "$programs/sep.in" ]; then
    echo "$program is not installed (Debian: liblapack-test)"
    exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

# what was tested, and what failed
verdicts() {
    grep -iE 'passed|fail|\*\*\*' "$1"
}

# compare INPUT METHOD: as without the library
compare() {
    "$program" <"$programs/$1" >"$dir/alone" || fail "$program: status $?"
    GSVD_TEST_METHOD=$2 LD_PRELOAD="$library $everywhere" \
        "$program" <"$programs/$1" >"$dir/out" 2>"$dir/err" || fail "$1, $2: status $?"
    verdicts "$dir/alone" >"$dir/alone.verdicts"
    verdicts "$dir/out" >"$dir/out.verdicts"
    [ -s "$dir/alone.verdicts" ] || fail "$1: nothing was tested"
    diff "$dir/alone.verdicts" "$dir/out.verdicts" || fail "$1, $2: other verdicts"
    echo "$1, $2: $(grep '^libgsvd:' "$dir/err")"
    cat "$dir/out.verdicts"
}

# computed LEAST: libgsvd computed so many problems
computed() {
    [ "$(sed -n 's/^libgsvd: \([0-9]*\) of .*/\1/p' "$dir/err")" -ge "$1" ] ||
        fail "libgsvd computed less than $1"
}

for method in fast auto; do
    for input in sep.in se2.in; do
        compare "$input" "$method"
        computed 1000
        ! grep -iE 'fail|\*\*\*' "$dir/out.verdicts" || fail "$input"
    done
done
compare svd.in fast
computed 1000
! grep -iE 'fail|\*\*\*' "$dir/out.verdicts" || fail svd.in
compare "${letter}ed.in" fast # the error exits of both SVDs
