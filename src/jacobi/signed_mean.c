/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed_mean.c -- eigenvectors from the factors of an SVD; CPU twin of signed_mean.cu. */
#include "core/vector.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(signed_mean_cpu)(const exec_t *ex, mat_t U, mat_t V,
                                 const real_t *sigma, real_t *w, real_t *lean)
{
    (void)ex;
    for (int64_t j = 0; j < V.cols; ++j) {
        const scalar_t *const u = &AT(U, 0, j);
        scalar_t *const v = &AT(V, 0, j);
        const real_t t = re(dot_of(V.rows, u, v)), sign = t < 0 ? -1 : 1;
        for (int64_t i = 0; i < V.rows; ++i)
            v[i] = scale((real_t)0.5, add(v[i], scale(sign, u[i])));
        w[j] = sign * sigma[j];
        lean[j] = 1 - fabs_r(t);
    }
    return GSVD_SUCCESS;
}
