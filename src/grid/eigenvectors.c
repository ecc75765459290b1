/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigenvectors.c -- eigenvectors of a Hermitian matrix on a grid.
 *
 * A small matrix goes to process 0, which takes LAPACK.  Others are the engine's (eigensolver.c), with guards:
 *
 *     NaN      ScaLAPACK does not end.  All entries are looked at first.
 *     result   cuSOLVERMp has returned vectors that were none, and no error.  A x is kept for two random
 *              vectors x, and compared with X W X^H x.  That X is unitary the caller tests (steps.c).
 */
#include "core/blas.h"
#include "grid/backend.h"
#include "grid/messages.h"
#include "gsvd/pipeline.h"
#include "pivot/pivot.h"

enum {
    SMALL = 96,   /* columns                                                  */
    PROBES = 2,   /* random vectors                                           */
    ROUNDING = 16 /* ulp, times the order, of a backward error               */
};

typedef struct eigen_work {
    mat_t Z;       /* the engine's result                                    */
    mat_t x, y, t; /* n x PROBES: x, A x, X^H x                              */
} eigen_work_t;

static void take(arena_t *a, int64_t n, eigen_work_t *w)
{
    w->x = X(take_matrix)(a, n, PROBES);
    w->y = X(take_matrix)(a, n, PROBES);
    w->t = X(take_matrix)(a, n, PROBES);
    w->Z = X(take_matrix)(a, n > SMALL ? n : 0, n);
}

/* The whole matrix on each process, and LAPACK's work */
static size_t small_bytes(int64_t n)
{
    return (size_t)(n * n) * sizeof(scalar_t) + X(lapack_syevd_bytes)(n);
}

static size_t eigen_bytes(int64_t n)
{
    arena_t count = {0};
    eigen_work_t w;
    take(&count, n, &w);
    return gsvd_arena_bytes(&count) + small_bytes(min_i(n, SMALL));
}

/* Kernel's work: lists of numbers and orders of both sides, or eigenvectors' */
size_t X(kernel_bytes_grid)(const exec_t *ex, kernels_t what, int64_t m,
                            int64_t n, int64_t cols)
{
    const size_t lists =
        (size_t)(2 * max_i(max_i(m, n), max_i(cols, 1))) * sizeof(scalar_t);
    (void)ex;
    return lists + ((int)what & KERNELS_EIGENVECTORS ? eigen_bytes(n) : 0);
}

gsvd_status_t X(eigenvectors_staging_grid)(const exec_t *ex, int64_t n,
                                           size_t *bytes)
{
    (void)ex, (void)n;
    *bytes = 0;
    return GSVD_SUCCESS;
}

static gsvd_status_t failed(const char *how)
{
    return gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                          "the engine's eigenvectors are wrong: %s", how);
}

static gsvd_status_t by_one(const exec_t *ex, mat_t A, real_t *w)
{
    const int64_t n = A.cols;
    int info = 0;
    void *work;

    GSVD_TRY(X(kernel_work)(ex, small_bytes(n), &work));
    scalar_t *const all = work;
    GSVD_TRY(X(read_matrix)(ex, A, all));
    if (gsvd_grid->rank == 0)
        info = X(lapack_syevd)(mat_view(all, n, n, n), w, all + n * n);
    gsvd_grid_tell(0, &info, sizeof info);
    if (info != 0)
        return failed("LAPACK found none");
    gsvd_grid_tell(0, all, (size_t)(n * n) * sizeof *all);
    X(grid_write_matrix)(A, all);
    return GSVD_SUCCESS;
}

/* y := A x - X W X^H x */
static gsvd_status_t compare(const exec_t *ex, mat_t V, const real_t *w,
                             const eigen_work_t *work)
{
    const int64_t n = V.cols;
    const real_t rounding = ROUNDING * (real_t)n * GSVD_ULP;
    real_t length[PROBES], most = 0;

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, work->x, work->t));
    X(grid_scale_rows)(work->t, w, 0);
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', V, work->t, work->y));
    GSVD_TRY(ex->op->column_norms(ex, work->y, length));
    for (int64_t i = 0; i < n; ++i)
        most = fmax_r(most, fabs_r(w[i]));
    for (int k = 0; k < PROBES; ++k)
        if (!(length[k] <= rounding * most))
            return failed("A x and X W X^H x differ");
    return GSVD_SUCCESS;
}

gsvd_status_t X(eigenvectors_grid)(const exec_t *ex, mat_t A, real_t *w)
{
    const int64_t n = A.cols;
    exec_t in = *ex;
    eigen_work_t work;
    norms_t norms;

    if (n == 0)
        return GSVD_SUCCESS;
    take(&in.work, n, &work);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->norms(&in, A, &norms));
    if (!norms.finite)
        return gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                              "a Gram matrix has a NaN or an infinity");
    GSVD_TRY(in.op->gaussian(&in, work.x, 1));
    GSVD_TRY(in.op->gemm(&in, 'N', 'N', A, work.x, work.y));
    GSVD_TRY(n <= SMALL ? by_one(&in, A, w)
                        : X(eigen_by_engine)(&in, A, work.Z, w));
    gsvd_grid_tell(0, w, (size_t)n * sizeof *w);
    return compare(&in, A, w, &work);
}
