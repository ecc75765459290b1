#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_testing_eig.sh LIBRARY EVERYWHERE DIRECTORY LETTER -- LAPACK's own tests of eigenvalues and singular
# values (Debian: liblapack-test), alone and with LIBRARY preloaded, which by EVERYWHERE computes on the
# host: as many tests, and no failure that LAPACK alone has not.
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

# verdicts FILE: what failed, of what
verdicts() {
    grep -iE 'fail|\*\*\*' "$1"
}

# compare INPUT METHOD: as much is tested as without the library, and no more fails
compare() {
    "$program" <"$programs/$1" >"$dir/alone" || fail "$program: status $?"
    GSVD_TEST_METHOD=$2 LD_PRELOAD="$library $everywhere" \
        "$program" <"$programs/$1" >"$dir/out" 2>"$dir/err" || fail "$1, $2: status $?"
    verdicts "$dir/alone" >"$dir/alone.fails"
    verdicts "$dir/out" >"$dir/out.fails"
    echo "$1, $2: $(grep -h '^libgsvd:' "$dir/err")"
    grep passed "$dir/out"
    cat "$dir/out.fails"
    ! grep -vxF -e "" -f "$dir/alone.fails" "$dir/out.fails" || fail "$1, $2: LAPACK alone does not"
    [ "$(tests "$dir/out")" -gt 0 ] && [ "$(tests "$dir/out")" = "$(tests "$dir/alone")" ] ||
        fail "$1, $2: $(tests "$dir/out") tests, LAPACK alone has $(tests "$dir/alone")"
}

# tests FILE: how many were run
tests() {
    sed -n 's/.*( *\([0-9]*\) tests [rd].*/\1/p; s/.*out of *\([0-9]*\) tests.*/\1/p' "$1" |
        awk '{n += $1} END {print n + 0}'
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
    done
done
compare svd.in fast
computed 1000
compare "${letter}ed.in" fast # the error exits of both SVDs
