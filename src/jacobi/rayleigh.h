/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* rayleigh.h -- what rayleigh.c and rayleigh.cu share. */
#ifndef GSVD_JACOBI_RAYLEIGH_H
#define GSVD_JACOBI_RAYLEIGH_H

#include "core/twice.h"

/* |e|^2 / d of an entry e = r - shift q; infinite where d is 0 and e is not */
GSVD_FN real_t second_part(scalar_t q, scalar_t r, real_t shift, real_t d)
{
    const real_t e = hypot_r(re(r) - shift * re(q), im(r) - shift * im(q));
    const real_t x = e == 0 ? 0 : e / sqrt_r(d);
    return x * x;
}

#endif /* GSVD_JACOBI_RAYLEIGH_H */
