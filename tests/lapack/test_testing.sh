#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_testing.sh LIBRARY DIRECTORY LETTER -- LAPACK's own GSVD tests (Debian:
# liblapack-test) with LIBRARY preloaded: the sizes of its gsv.in, and larger ones up to
# the 132 for which the program has room, with the thresholds of gsv.in.  The program has
# an ILAENV of its own.  Fails as well if the library is not used.
set -u

library=$1
letter=$3
program=$2/xeigtst$letter
input=$2/gsv.in

if [ ! -x "$program" ] || [ ! -r "$input" ]; then
    echo "$program is not installed (Debian: liblapack-test)"
    exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# one INPUT: all of its tests pass
passes() {
    rm -f "$dir"/bindings.*
    LD_DEBUG=bindings LD_DEBUG_OUTPUT=$dir/bindings LD_PRELOAD=$library \
        "$program" <"$1" >"$dir/out"
    status=$?
    cat "$dir/out"
    if [ "$status" != 0 ]; then
        echo "FAILED: $program: status $status"
        return 1
    fi
    grep -h "$program .* to $library .*${letter}ggsvd3_" "$dir"/bindings.* || {
        echo "FAILED: the program does not call $library"
        return 1
    }
    ! grep -iE 'fail|\*\*\*' "$dir/out" &&
        grep -q 'All tests for GSV routines passed' "$dir/out" &&
        grep -q 'GSV routines passed the tests of the error exits' "$dir/out"
}

# larger M P N: gsv.in with ten sizes of its own
larger() {
    {
        sed -n 1p "$input"
        printf '10\n%s\n%s\n%s\n' "$1" "$2" "$3"
        sed '1,5d' "$input"
    } >"$dir/in"
    passes "$dir/in"
}

tests=0
# count: what the last run says, "passed the threshold ( 384 tests run)"
count() {
    tests=$((tests + $(sed -n 's/.*threshold ( *\([0-9]*\) tests run).*/\1/p' "$dir/out")))
}

passes "$input" || exit 1
# square ones, around the orders at which a routine takes another way
larger "31 32 33 47 48 63 64 65 96 132" \
    "31 32 33 47 48 63 64 65 96 132" \
    "31 32 33 47 48 63 64 65 96 132" || exit 1
count
# A tall, then wide, then B
larger "132 132 131 128 120 100 99 90 80 66" \
    "40 66 65 64 60 50 33 45 70 66" \
    "33 64 63 32 30 50 45 34 60 65" || exit 1
count
larger "40 66 65 64 60 50 33 45 70 66" \
    "132 132 131 128 120 100 99 90 80 66" \
    "33 64 63 32 30 50 45 34 60 65" || exit 1
count
larger "66 65 64 50 70 33 20 100 132 40" \
    "66 67 64 60 50 32 40 50 20 132" \
    "132 131 128 110 100 65 50 120 130 132" || exit 1
count
# few rows of one of them
larger "132 1 0 132 5 12 132 130 3 100" \
    "1 132 132 0 132 100 12 3 130 100" \
    "132 132 64 65 100 132 132 70 70 1" || exit 1
count
echo "larger sizes: $tests tests"
# ten sizes, eight kinds of pairs and six ratios a run; those of complex pairs in single
# precision count one more
expected=2400
[ "$letter" = c ] && expected=2405
if [ "$tests" != "$expected" ]; then
    echo "FAILED: $tests tests in place of $expected"
    exit 1
fi
