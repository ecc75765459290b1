#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_example.sh LIBRARY LINKED UNLINKED -- an example that calls LAPACK, built
# twice: LINKED to LIBRARY before LAPACK, UNLINKED to LAPACK alone.  LINKED, and
# UNLINKED with LIBRARY preloaded, call LIBRARY; UNLINKED by itself does not; all
# three print the same generalized values, LAPACK in an order of its own.
set -eu

library=$1 linked=$2 unlinked=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$dir"/*.out
    exit 1
}

# calls_library NAME: did that run call dggsvd3 of LIBRARY?
calls_library() {
    cat "$dir/$1".bindings.* | grep -q "to .*/libgsvd_lapack\.so.*dggsvd3_"
}

# run NAME COMMAND...
run() {
    name=$1
    shift
    env LD_DEBUG=bindings LD_DEBUG_OUTPUT="$dir/$name.bindings" "$@" |
        sort -r >"$dir/$name.out"
}

run linked "$linked"
run preloaded LD_PRELOAD="$library" "$unlinked"
run lapack "$unlinked"

calls_library linked || fail "$linked does not call the library"
calls_library preloaded || fail 'the library was preloaded and is not called'
! calls_library lapack || fail "$unlinked calls the library by itself"
[ "$(wc -l <"$dir/lapack.out")" -eq 3 ] || fail 'there should be three values'
cmp -s "$dir/linked.out" "$dir/lapack.out" || fail 'linked, other values'
cmp -s "$dir/preloaded.out" "$dir/lapack.out" || fail 'preloaded, other values'
cat "$dir/linked.out"
