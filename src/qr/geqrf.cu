/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqrf.cu -- QR factorization by cuSOLVER, matrix product by cuBLAS; CUDA twin
 * of geqrf.c. */
#include "core/gpublas.h"
#include "qr/qr.h"

enum { THREADS = 256 };

static scalar_t *elements(void *p) { return (scalar_t *)p; }

gsvd_status_t X(scratch_bytes_cuda)(gsvd_handle_t h, int64_t m, int64_t n,
                                    int64_t cols, size_t *bytes)
{
    const cuda_state_t *const cuda = cuda_of(h);
    const int rows = (int)max_i(m, 1), k = (int)max_i(min_i(m, n), 1);
    const int wide = (int)max_i(cols, 1);
    int most = 0, lwork = 0;

    *bytes = 3 * (size_t)wide * sizeof(real_t);
    GSVD_CUSOLVER(h, CUSOLVER_(geqrf_bufferSize)(cuda->solver, rows, k, NULL,
                                                 rows, &most));
    GSVD_CUSOLVER(h, CUSOLVER_ORMQR_SIZE(cuda->solver, CUBLAS_SIDE_LEFT,
                                         GPUBLAS_CTRANS, rows, wide, k, NULL,
                                         rows, NULL, NULL, rows, &lwork));
    most = lwork > most ? lwork : most;
    GSVD_CUSOLVER(h, CUSOLVER_ORMQR_SIZE(cuda->solver, CUBLAS_SIDE_RIGHT,
                                         GPUBLAS_CTRANS, wide, rows, k, NULL,
                                         rows, NULL, NULL, wide, &lwork));
    most = lwork > most ? lwork : most;
    GSVD_CUSOLVER(h, CUSOLVER_ORGQR_SIZE(cuda->solver, rows, rows, k, NULL,
                                         rows, NULL, &lwork));
    most = lwork > most ? lwork : most;
    if ((size_t)most * sizeof(scalar_t) > *bytes)
        *bytes = (size_t)most * sizeof(scalar_t);
    return GSVD_SUCCESS;
}

gsvd_status_t X(geqrf_cuda)(gsvd_handle_t h, mat_t A, scalar_t *tau)
{
    const cuda_state_t *const cuda = cuda_of(h);
    const int m = (int)A.rows, n = (int)A.cols, lda = (int)A.ld;
    void *work;
    int lwork;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_CUSOLVER(h, CUSOLVER_(geqrf_bufferSize)(cuda->solver, m, n, A.data,
                                                 lda, &lwork));
    GSVD_TRY(gsvd_scratch(h, (size_t)lwork * sizeof(scalar_t), &work));
    GSVD_CUSOLVER(h,
                  CUSOLVER_(geqrf)(cuda->solver, m, n, A.data, lda, tau,
                                   elements(work), lwork, &cuda->slot->info));
    return GSVD_SUCCESS;
}

gsvd_status_t X(unmqr_cuda)(gsvd_handle_t h, char side, char op, mat_t A,
                            int64_t k, const scalar_t *tau, mat_t C)
{
    const cuda_state_t *const cuda = cuda_of(h);
    const cublasSideMode_t where =
        side == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const cublasOperation_t trans = gpublas_op(op);
    const int m = (int)C.rows, n = (int)C.cols;
    const int lda = (int)A.ld, ldc = (int)C.ld;
    void *work;
    int lwork;

    if (k == 0 || mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_CUSOLVER(h,
                  CUSOLVER_ORMQR_SIZE(cuda->solver, where, trans, m, n, (int)k,
                                      A.data, lda, tau, C.data, ldc, &lwork));
    GSVD_TRY(gsvd_scratch(h, (size_t)lwork * sizeof(scalar_t), &work));
    GSVD_CUSOLVER(h, CUSOLVER_ORMQR(cuda->solver, where, trans, m, n, (int)k,
                                    A.data, lda, tau, C.data, ldc,
                                    elements(work), lwork, &cuda->slot->info));
    return GSVD_SUCCESS;
}

gsvd_status_t X(ungqr_cuda)(gsvd_handle_t h, mat_t A, int64_t k,
                            const scalar_t *tau)
{
    const cuda_state_t *const cuda = cuda_of(h);
    const int m = (int)A.rows, n = (int)A.cols, lda = (int)A.ld;
    void *work;
    int lwork;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_CUSOLVER(h, CUSOLVER_ORGQR_SIZE(cuda->solver, m, n, (int)k, A.data,
                                         lda, tau, &lwork));
    GSVD_TRY(gsvd_scratch(h, (size_t)lwork * sizeof(scalar_t), &work));
    GSVD_CUSOLVER(h,
                  CUSOLVER_ORGQR(cuda->solver, m, n, (int)k, A.data, lda, tau,
                                 elements(work), lwork, &cuda->slot->info));
    return GSVD_SUCCESS;
}

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void fix_phase_kernel(mat_t R, mat_t Q)
{
    const int64_t j = blockIdx.x;
    const scalar_t r = AT(R, j, j);
    const real_t length = abs_of(r);
    if (!(length > 0))
        return;
    const scalar_t phase = make(re(r) / length, im(r) / length);
    for (int64_t i = threadIdx.x; i < Q.rows; i += THREADS)
        AT(Q, i, j) = mul(AT(Q, i, j), phase);
}

gsvd_status_t X(fix_phase_cuda)(gsvd_handle_t h, mat_t R, mat_t Q)
{
    const int64_t n = min_i(Q.cols, min_i(R.rows, R.cols));
    if (n <= 0)
        return GSVD_SUCCESS;
    fix_phase_kernel<<<(unsigned)n, THREADS, 0, cuda_of(h)->stream>>>(R, Q);
    return gsvd_launched(h, "fix_phase");
}

gsvd_status_t X(gemm_cuda)(gsvd_handle_t h, char opa, char opb, mat_t A,
                           mat_t B, mat_t C)
{
    const scalar_t one = make(1, 0), zero = make(0, 0);
    const int k = (int)(opa == 'N' ? A.cols : A.rows);

    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_CUBLAS(h, CUBLAS_(gemm)(cuda_of(h)->blas, gpublas_op(opa),
                                 gpublas_op(opb), (int)C.rows, (int)C.cols, k,
                                 &one, A.data, (int)A.ld, B.data, (int)B.ld,
                                 &zero, C.data, (int)C.ld));
    return GSVD_SUCCESS;
}
