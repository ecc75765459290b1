#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_testing.sh LIBRARY DIRECTORY LETTER -- LAPACK's own GSVD tests (Debian:
# liblapack-test) with LIBRARY preloaded.  Fails as well if the library is not
# used.
set -u

library=$1
program=$2/xeigtst$3
input=$2/gsv.in

if [ ! -x "$program" ] || [ ! -r "$input" ]; then
    echo "$program is not installed (Debian: liblapack-test)"
    exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

LD_DEBUG=bindings LD_DEBUG_OUTPUT=$dir/bindings LD_PRELOAD=$library \
    "$program" <"$input" >"$dir/out" || exit 1
cat "$dir/out"
grep -h "$program .* to $library .*$3ggsvd3_" "$dir"/bindings.* || {
    echo "FAILED: the program does not call $library"
    exit 1
}
! grep -iE 'fail|\*\*\*' "$dir/out" &&
    grep -q 'All tests for GSV routines passed' "$dir/out" &&
    grep -q 'GSV routines passed the tests of the error exits' "$dir/out"
