#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# typed-header.sh: include/gsvd_typed.h on standard output, from include/gsvd.h, which
# spells each routine in d.  lint.sh compares it with the file in the tree; after a
# change of gsvd.h:
#
#     scripts/typed-header.sh >include/gsvd_typed.h
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

routines() { sed -n '/^GSVD_API gsvd_status_t dgsvd/,/;$/p' include/gsvd.h; }

# spelled LETTER REAL SCALAR: matrices have one capital letter, and tau is of their
# type; every other double is a real number in all types.
spelled() {
    printf '\n/* %s */\n' "$3"
    routines | sed -E "s/\<dgsvd/$1gsvd/
        s/\<double( \*?| \*const \*)([A-Z]|tau)\>/$3\1\2/g
        s/\<double\>/$2/g"
}

# the names of a letter, for a build without it
poisoned() {
    printf '#if !GSVD_HAVE_%s\n' "${1^}"
    routines | grep -oE '\<dgsvd\w*' | sed "s/^d/#pragma GCC poison $1/"
    printf '#endif\n'
}

cat <<'HEAD'
/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_typed.h -- the routines of gsvd.h in s, c and z.  Written from it by
 * scripts/typed-header.sh; read that, not this. */
#ifndef GSVD_TYPED_H
#define GSVD_TYPED_H

#include "gsvd.h"

#ifdef __cplusplus
extern "C" {
#endif
HEAD
spelled s float float
spelled c float gsvd_complex_float
spelled z double gsvd_complex_double
cat <<'MIDDLE'

#ifdef __cplusplus
}
#endif

/* The names that this build lacks.  Only the linker would refuse a program that calls
 * one of them. */
#if defined __GNUC__ && !defined GSVD_BUILDING
MIDDLE
for letter in s d c z; do
    poisoned "$letter"
done
cat <<'TAIL'
#endif

#endif /* GSVD_TYPED_H */
TAIL
