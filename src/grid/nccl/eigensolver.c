/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigensolver.c -- cuSOLVERMp's Syevd for grid/eigenvectors.c. */
#include "grid/nccl/engine.h"

gsvd_status_t X(eigen_by_engine)(const exec_t *ex, mat_t A, mat_t Z, real_t *w)
{
    const nccl_t *const d = nccl_here();
    const int64_t n = A.cols;
    const size_t bytes = (size_t)n * sizeof *w;
    char job[] = "V";
    int info = 0;
    engaged_t x[] = {{.view = A, .use = USE_READ},
                     {.view = Z, .use = USE_WRITTEN}};
    gsvd_status_t status;

    status = X(engage)(ex, x, 2);
    real_t *const values = gsvd_nccl_list(0, NULL, bytes);
    NCCL_CUDA(cudaMemsetAsync(d->info, 0, sizeof info, d->stream));
    ENGINE_RUN(
        status, "eigensolver",
        cusolverMpSyevd_bufferSize(d->solver, job, CUBLAS_FILL_MODE_LOWER, n,
                                   x[0].data, 1, 1, x[0].solver, values,
                                   x[1].data, 1, 1, x[1].solver, ENGINE_TYPE,
                                   &db, &hb),
        cusolverMpSyevd(d->solver, job, CUBLAS_FILL_MODE_LOWER, n, x[0].data, 1,
                        1, x[0].solver, values, x[1].data, 1, 1, x[1].solver,
                        ENGINE_TYPE, dw, db, hw, hb, d->info));
    GSVD_TRY(X(release)(ex, x, 2, status));
    gsvd_nccl_read(w, values, bytes);
    gsvd_nccl_read(&info, d->info, sizeof info);
    if (info != 0)
        gsvd_nccl_failed(GSVD_INTERNAL_ERROR,
                         "cuSOLVERMp's eigensolver returns %d", info);
    return ex->op->copy(ex, Z, A);
}
