#!/usr/bin/env bash
# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
# typed-header.sh [NAME]: include/NAME_typed.h on standard output, from include/NAME.h, which
# declares each routine once, in d and for arrays on the host.  NAME is gsvd, or gsvd_filter or
# gsvd_grid, whose routines have no others.  lint.sh compares it with the file in the tree; after a change:
#
#     scripts/typed-header.sh >include/gsvd_typed.h
#     scripts/typed-header.sh gsvd_filter >include/gsvd_filter_typed.h
#     scripts/typed-header.sh gsvd_grid >include/gsvd_grid_typed.h
set -euo pipefail
export LC_ALL=C
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

name=${1:-gsvd}
if [[ $name = gsvd ]]; then
    what=', and in all four letters for
 * arrays in the memory of a GPU (_gpu)'
else
    what=
fi

# the declarations of the header
declared() { sed -n '/^GSVD_API gsvd_status_t dgsvd/,/;$/p' "include/$name.h"; }

# the same for arrays in the memory of a GPU, where there are some
declared_gpu() {
    [[ $name = gsvd ]] || return 0
    declared | sed -E 's/\<dgsvd\w*/&_gpu/'
}

# spelled LETTER REAL SCALAR, of declarations in d: matrices have one capital letter,
# and tau is of their type; every other double is a real number in all types.
spelled() {
    sed -E "s/\<dgsvd/$1gsvd/
        s/\<double( \*?| \*const \*)([A-Z]|tau)\>/$3\1\2/g
        s/\<double\>/$2/g"
}

# the names of a letter, for a build without it
poisoned() {
    printf '#if !GSVD_HAVE_%s\n' "${1^}"
    { declared && declared_gpu; } | grep -oE '\<dgsvd\w*' |
        sed "s/^d/#pragma GCC poison $1/"
    printf '#endif\n'
}

# section TITLE, over the declarations of standard input
section() {
    printf '\n/* %s */\n' "$1"
    cat
}

cat <<HEAD
/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ${name}_typed.h -- the routines of $name.h in s, c and z$what.
 * scripts/typed-header.sh writes this file from $name.h, which documents the routines. */
#ifndef ${name^^}_TYPED_H
#define ${name^^}_TYPED_H

#include "$name.h"

#ifdef __cplusplus
extern "C" {
#endif
HEAD
declared | spelled s float float | section 'float'
declared | spelled c float gsvd_complex_float | section 'complex float'
declared | spelled z double gsvd_complex_double | section 'complex double'

if [[ $name = gsvd ]]; then
    declared_gpu | spelled s float float | section 'float, on a GPU'
    declared_gpu | section 'double, on a GPU'
    declared_gpu | spelled c float gsvd_complex_float | section 'complex float, on a GPU'
    declared_gpu | spelled z double gsvd_complex_double | section 'complex double, on a GPU'
fi
cat <<'MIDDLE'

#ifdef __cplusplus
}
#endif

/* The names that this build lacks.  Without these lines only the linker would refuse a
 * program that uses one of them. */
#if defined __GNUC__ && !defined GSVD_BUILDING
MIDDLE
for letter in s d c z; do
    poisoned "$letter"
done
cat <<TAIL
#endif

#endif /* ${name^^}_TYPED_H */
TAIL
