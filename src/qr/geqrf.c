/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqrf.c -- QR factorization by LAPACK, matrix product by BLAS; CPU twin of
 * geqrf.cu. */
#include "core/blas.h"
#include "qr/qr.h"

enum { BLOCK = 64, TSIZE = 65 * 64 }; /* the most that LAPACK's blocking uses */

gsvd_status_t X(scratch_bytes_cpu)(gsvd_handle_t h, int64_t m, int64_t n,
                                   int64_t cols, size_t *bytes)
{
    (void)h;
    const int64_t widest = max_i(max_i(m, n), max_i(cols, 1));
    *bytes = (size_t)(widest * (BLOCK + 4) + 2 * TSIZE) * sizeof(scalar_t);
    return GSVD_SUCCESS;
}

static gsvd_status_t done(gsvd_handle_t h, const char *name, lapack_int info)
{
    if (info != 0)
        return gsvd_fail(h, GSVD_INTERNAL_ERROR, "%s: info %d", name,
                         (int)info);
    return GSVD_SUCCESS;
}

gsvd_status_t X(geqrf_cpu)(gsvd_handle_t h, mat_t A, scalar_t *tau)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    void *work;
    const int64_t lwork = A.cols * BLOCK;
    GSVD_TRY(gsvd_scratch(h, (size_t)lwork * sizeof(scalar_t), &work));
    return done(h, "xGEQRF",
                LAPACKE_(geqrf)(LAPACK_COL_MAJOR, (lapack_int)A.rows,
                                (lapack_int)A.cols, A.data, (lapack_int)A.ld,
                                tau, work, (lapack_int)lwork));
}

gsvd_status_t X(unmqr_cpu)(gsvd_handle_t h, char side, char op, mat_t A,
                           int64_t k, const scalar_t *tau, mat_t C)
{
    if (k == 0 || mat_empty(C))
        return GSVD_SUCCESS;
    void *work;
    const int64_t lwork = (side == 'L' ? C.cols : C.rows) * BLOCK + TSIZE;
    GSVD_TRY(gsvd_scratch(h, (size_t)lwork * sizeof(scalar_t), &work));
    return done(h, "xUNMQR",
                LAPACKE_ORMQR(
                    LAPACK_COL_MAJOR, side, blas_op(op), (lapack_int)C.rows,
                    (lapack_int)C.cols, (lapack_int)k, A.data, (lapack_int)A.ld,
                    tau, C.data, (lapack_int)C.ld, work, (lapack_int)lwork));
}

gsvd_status_t X(ungqr_cpu)(gsvd_handle_t h, mat_t A, int64_t k,
                           const scalar_t *tau)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    void *work;
    const int64_t lwork = A.cols * BLOCK;
    GSVD_TRY(gsvd_scratch(h, (size_t)lwork * sizeof(scalar_t), &work));
    return done(h, "xUNGQR",
                LAPACKE_ORGQR(LAPACK_COL_MAJOR, (lapack_int)A.rows,
                              (lapack_int)A.cols, (lapack_int)k, A.data,
                              (lapack_int)A.ld, tau, work, (lapack_int)lwork));
}

gsvd_status_t X(fix_phase_cpu)(gsvd_handle_t h, mat_t R, mat_t Q)
{
    (void)h;
    for (int64_t j = 0; j < min_i(Q.cols, min_i(R.rows, R.cols)); ++j) {
        const real_t length = abs_of(AT(R, j, j));
        if (!(length > 0))
            continue;
        const scalar_t r = AT(R, j, j);
        const scalar_t phase = make(re(r) / length, im(r) / length);
        for (int64_t i = 0; i < Q.rows; ++i)
            AT(Q, i, j) = mul(AT(Q, i, j), phase);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(gemm_cpu)(gsvd_handle_t h, char opa, char opb, mat_t A, mat_t B,
                          mat_t C)
{
    (void)h;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    const char ta = blas_op(opa), tb = blas_op(opb);
    const int m = (int)C.rows, n = (int)C.cols;
    const int k = (int)(opa == 'N' ? A.cols : A.rows);
    const int lda = (int)A.ld, ldb = (int)B.ld, ldc = (int)C.ld;
    const scalar_t one = make(1, 0), zero = make(0, 0);
    BLAS_(gemm)
    (&ta, &tb, &m, &n, &k, &one, A.data, &lda, B.data, &ldb, &zero, C.data,
     &ldc, 1, 1);
    return GSVD_SUCCESS;
}
