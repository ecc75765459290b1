#!/bin/sh
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# test_letters.sh CC INCLUDE BUILT -- gsvd.h, gsvd_filter.h and gsvd_grid.h of builds with some of the precisions: each
# routine is declared in each letter, and a program that uses one of a letter that is not
# built does not compile, where one of the others does.  INCLUDE holds gsvd.h, BUILT the
# gsvd_version.h of a build.
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

# The typed functions of a header, without their letter
typed() {
    tr '\n' ' ' <"$include/$1" | grep -oE 'GSVD_API gsvd_status_t +dgsvd[a-z_]*\(' |
        sed 's/.* d//; s/($//'
}

# gsvd.h declares each in d, and gsvd_typed.h the same with _gpu; the others have their own.
routines=$({ typed gsvd.h | sed 'p; s/$/_gpu/' && typed gsvd_filter.h && typed gsvd_grid.h; } | sort -u)
[ "$(echo "$routines" | wc -w)" -ge 20 ] || fail "the routines are $routines"

both='#include <gsvd_filter.h>
#include <gsvd_grid.h>'
use() { printf '%s\nint main(void) { %s }\n' "$both" "$1" >"$dir/use.c"; }

# refused LETTERS NAME: neither called nor taken the address of
refused() {
    for how in "return (int)$2();" "return $2 == 0;"; do
        use "$how"
        ! compiles "$dir/use.c" || fail "$1: a program with '$how' compiles"
    done
}


for routine in $routines; do
    printf '%s\n' "s$routine" "d$routine" "c$routine" "z$routine"
done | sort >"$dir/wanted"

for letters in s d c z dz sdcz; do
    sed 's/^#define GSVD_HAVE_\([SDCZ]\) [01]/#define GSVD_HAVE_\1 0/' \
        "$built/gsvd_version.h" >"$dir/none.h"
    for letter in s d c z; do
        upper=$(echo $letter | tr sdcz SDCZ)
        case $letters in
        *"$letter"*)
            sed "s/^#define GSVD_HAVE_$upper 0/#define GSVD_HAVE_$upper 1/" \
                "$dir/none.h" >"$dir/some.h" && mv "$dir/some.h" "$dir/none.h"
            ;;
        esac
    done
    mv "$dir/none.h" "$dir/gsvd_version.h"

    echo "$both" >"$dir/all.c"
    compiles "$dir/all.c" || fail "$letters: $(cat "$dir/err")"
    "$cc" -E -P -I"$include" -I"$dir" "$dir/all.c" | grep -v '^ *#' |
        grep -oE '\b[sdcz]gsvd[a-z_]* *\(' | tr -d ' (' | sort >"$dir/got"
    cmp -s "$dir/wanted" "$dir/got" ||
        fail "$letters: declared are" "$(cat "$dir/got")"
    built_too=
    for letter in s d c z; do
        for routine in $routines; do
            case $letters in
            *"$letter"*) built_too="$built_too (void)$letter$routine;" ;;
            *) refused $letters "$letter$routine" ;;
            esac
        done
    done
    use "$built_too"
    compiles "$dir/use.c" || fail "$letters: $(cat "$dir/err")"
done

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
