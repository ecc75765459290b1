/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqp.c -- QR with column pivoting; CPU twin of geqp.cu.
 *
 * LAPACK's xGEQP3, whose trailing norms are safe against over- and underflow.
 */
#include "core/blas.h"
#include "pivot/pivot.h"

gsvd_status_t X(geqp_cpu)(gsvd_handle_t h, mat_t A, int *perm, scalar_t *tau)
{
    for (int64_t j = 0; j < A.cols; ++j)
        perm[j] = 0; /* free to move                                         */
    if (mat_empty(A)) {
        for (int64_t j = 0; j < A.cols; ++j)
            perm[j] = (int)j;
        return GSVD_SUCCESS;
    }
    void *work;
    const size_t rwork_bytes = 2 * (size_t)A.cols * sizeof(real_t);
    const int64_t lwork = 2 * A.cols + (A.cols + 1) * 64;
    GSVD_TRY(
        gsvd_scratch(h, rwork_bytes + (size_t)lwork * sizeof(scalar_t), &work));
    scalar_t *const swork = work;
    const lapack_int info = X(lapack_geqp3)(
        A, perm, tau, swork, (lapack_int)lwork, (real_t *)(swork + lwork));
    if (info != 0)
        return gsvd_fail(h, GSVD_INTERNAL_ERROR, "xGEQP3: info %d", (int)info);
    for (int64_t j = 0; j < A.cols; ++j)
        --perm[j]; /* from Fortran's count                                   */
    return GSVD_SUCCESS;
}

gsvd_status_t X(rank_cpu)(gsvd_handle_t h, mat_t R, real_t tol, int64_t *rank)
{
    (void)h;
    *rank = 0;
    for (int64_t i = 0; i < min_i(R.rows, R.cols); ++i)
        if (abs_of(AT(R, i, i)) > tol)
            ++*rank;
    return GSVD_SUCCESS;
}
