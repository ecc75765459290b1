/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sumsq.h -- a sum of squares that neither over- nor underflows.
 *
 * There are three accumulators, for large, medium and small entries.  Large and small entries are
 * scaled by constant powers of two.  Accumulators add like numbers, so that any reduction tree may
 * join them.  The thresholds are J. L. Blue's (ACM TOMS 4, 1978).  The purpose is that of appendix
 * A of Novakovic 2015: the norm of any vector whose norm is representable.
 */
#ifndef GSVD_CORE_SUMSQ_H
#define GSVD_CORE_SUMSQ_H

#include <stdint.h>

#include "core/scalar.h"

#if GSVD_SINGLE
#define SUMSQ_SMALL 0x1p-63f /* below: scale up                             */
#define SUMSQ_LARGE 0x1p52f  /* above: scale down                           */
#define SUMSQ_UP 0x1p75f
#define SUMSQ_DOWN 0x1p-76f
#else
#define SUMSQ_SMALL 0x1p-511
#define SUMSQ_LARGE 0x1p486
#define SUMSQ_UP 0x1p537
#define SUMSQ_DOWN 0x1p-538
#endif

#define sumsq_t X(sumsq_t)
typedef struct sumsq_t {
    real_t large, medium, small;
} sumsq_t;

GSVD_FN void sumsq_add_real(sumsq_t *s, real_t x)
{
    const real_t a = fabs_r(x);
    if (a > SUMSQ_LARGE)
        s->large += (a * SUMSQ_DOWN) * (a * SUMSQ_DOWN);
    else if (a < SUMSQ_SMALL)
        s->small += (a * SUMSQ_UP) * (a * SUMSQ_UP);
    else
        s->medium += a * a;
}

GSVD_FN void sumsq_add(sumsq_t *s, scalar_t x)
{
    sumsq_add_real(s, re(x));
    if (GSVD_COMPLEX)
        sumsq_add_real(s, im(x));
}

/* the square root of the sum */
GSVD_FN real_t sumsq_norm(sumsq_t s)
{
    if (s.large > 0) {
        const real_t medium = sqrt_r(s.medium) * SUMSQ_DOWN;
        return sqrt_r(s.large + medium * medium) / SUMSQ_DOWN;
    }
    if (s.small > 0) {
        const real_t medium = sqrt_r(s.medium),
                     small = sqrt_r(s.small) / SUMSQ_UP;
        const real_t big = fmax_r(medium, small);
        const real_t ratio = (medium < small ? medium : small) / big;
        return big * sqrt_r(1 + ratio * ratio);
    }
    return sqrt_r(s.medium);
}

/* ||x||_2 */
GSVD_FN real_t sumsq_norm_of(int64_t n, const scalar_t *x)
{
    sumsq_t s = {0, 0, 0};
    for (int64_t i = 0; i < n; ++i)
        sumsq_add(&s, x[i]);
    return sumsq_norm(s);
}

#endif /* GSVD_CORE_SUMSQ_H */
