#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_letters.sh CC INCLUDE BUILT -- gsvd.h of builds with some of the precisions: it
# declares the functions of these alone, and a program that uses another function
# does not compile.  INCLUDE holds gsvd.h, BUILT the gsvd_version.h of a build.
set -u
cc=$1
include=$2
built=$3
failures=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

compiles() { "$cc" -std=c11 -fsyntax-only -I"$include" -I"$dir" "$1" 2>"$dir/err"; }

# The typed functions, without their letter, as gsvd.h spells those of double.
routines=$(tr '\n' ' ' <"$include/gsvd.h" |
    grep -oE 'GSVD_API gsvd_status_t +dgsvd[a-z_]*\(' |
    sed 's/.* d//; s/($//' | sort -u)
[ "$(echo "$routines" | wc -w)" -ge 16 ] || fail "the routines are $routines"

# refused LETTERS NAME: neither called nor taken the address of
refused() {
    for use in "return (int)$2();" "return $2 == 0;"; do
        printf '#include <gsvd.h>\nint main(void) { %s }\n' "$use" >"$dir/use.c"
        ! compiles "$dir/use.c" || fail "$1: a program with '$use' compiles"
    done
}

for letters in s d c z dz sdcz; do
    sed 's/^#define GSVD_HAVE_\([SDCZ]\) [01]/#define GSVD_HAVE_\1 0/' \
        "$built/gsvd_version.h" >"$dir/none.h"
    : >"$dir/wanted"
    for letter in s d c z; do
        upper=$(echo $letter | tr sdcz SDCZ)
        case $letters in
        *"$letter"*)
            sed "s/^#define GSVD_HAVE_$upper 0/#define GSVD_HAVE_$upper 1/" \
                "$dir/none.h" >"$dir/some.h" && mv "$dir/some.h" "$dir/none.h"
            for routine in $routines; do
                echo "$letter$routine" >>"$dir/wanted"
            done
            ;;
        esac
    done
    mv "$dir/none.h" "$dir/gsvd_version.h"

    echo '#include <gsvd.h>' >"$dir/all.c"
    compiles "$dir/all.c" || fail "$letters: $(cat "$dir/err")"
    "$cc" -E -P -I"$include" -I"$dir" "$dir/all.c" | grep -v '^ *#' |
        grep -oE '\b[sdcz]gsvd[a-z_]* *\(' | tr -d ' (' | sort >"$dir/got"
    sort "$dir/wanted" | cmp -s - "$dir/got" ||
        fail "$letters: declared are" "$(cat "$dir/got")"
    for letter in s d c z; do
        case $letters in *"$letter"*) continue ;; esac
        for routine in $routines; do
            refused $letters "$letter$routine"
        done
    done
done

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
