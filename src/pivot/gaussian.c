/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gaussian.c -- a matrix of normal random numbers; CPU twin of gaussian.cu. */
#include "pivot/gaussian.h"
#include "pivot/pivot.h"

gsvd_status_t X(gaussian_cpu)(const exec_t *ex, mat_t W, uint64_t seed)
{
    (void)ex;
    for (int64_t j = 0; j < W.cols; ++j)
        for (int64_t k = 0; k < gaussian_draws(W.rows); ++k)
            gaussian_fill(W, seed, k, j);
    return GSVD_SUCCESS;
}
