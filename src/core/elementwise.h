/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* elementwise.h -- copies, transposes, scalings, norms; see ops.h. */
#ifndef GSVD_CORE_ELEMENTWISE_H
#define GSVD_CORE_ELEMENTWISE_H

#include "core/ops.h"

enum { NORM_COLUMNS = 65536 }; /* A GPU takes norms of so many at a time.   */

/* Kernel's work of norms and norms_by_row on a GPU, for so many columns. */
GSVD_FN size_t norms_bytes(int64_t cols)
{
    return 3 * (size_t)min_i(cols, NORM_COLUMNS) * sizeof(real_t);
}

/* The relative error that an entry of a computed A may have: a product of many factors
 * rounds to some sqrt(n) ulp. */
GSVD_FN real_t rounding_of(mat_t A)
{
    const real_t size = (real_t)max_i(max_i(A.rows, A.cols), 1);
    return 8 * sqrt_r(size) * GSVD_ULP;
}

/* 2^-e (a / g) */
GSVD_FN scalar_t unscaled(scalar_t a, real_t g, int e)
{
    return make(ldexp_r(re(a) / g, -e), ldexp_r(im(a) / g, -e));
}

#endif /* GSVD_CORE_ELEMENTWISE_H */
