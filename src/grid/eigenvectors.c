/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigenvectors.c -- eigenvectors of a Hermitian matrix on a grid.
 *
 * A small matrix goes to process 0, which takes LAPACK.  Others are ScaLAPACK's, with guards:
 *
 *     work     Its own query is short on some processes, which refuse, and the others wait.  All
 *              processes take the largest of what it says and what its parts index.
 *     NaN      It does not end.  All entries are looked at first.
 *     result   A x is kept for two random vectors x, and compared with X W X^H x.  That X is unitary
 *              the caller tests (steps.c).
 */
#include <string.h>

#include "core/angle.h"
#include "core/blas.h"
#include "core/scalapack.h"
#include "grid/backend.h"
#include "grid/mpi_types.h"
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

/* -- one process ------------------------------------------------------------------ */

static gsvd_status_t by_one(const exec_t *ex, mat_t A, real_t *w)
{
    const int64_t n = A.cols;
    const int reals = (int)(REALS_PER_SCALAR * n * n);
    const part_t P = X(part_of)(A);
    int info = 0;
    void *work;

    GSVD_TRY(X(kernel_work)(ex, small_bytes(n), &work));
    scalar_t *const all = work;
    memset(all, 0, (size_t)(n * n) * sizeof *all);
    EACH_ENTRY (P, i, j)
        all[i.at + j.at * n] = HERE(P, i, j);
    X(sum_all)(reals, (real_t *)all);
    if (gsvd_grid->rank == 0)
        info = X(lapack_syevd)(mat_view(all, n, n, n), w, all + n * n);
    MPI_Bcast(&info, 1, MPI_INT, 0, gsvd_grid->comm);
    if (info != 0)
        return failed("LAPACK found none");
    MPI_Bcast(all, reals, GRID_REAL, 0, gsvd_grid->comm);
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = all[i.at + j.at * n];
    return GSVD_SUCCESS;
}

/* -- the engine --------------------------------------------------------------------- */

typedef struct query {
    scalar_t work[2];
    real_t rwork[2];
    int iwork[2];
} query_t;

/* Work that suffices on all processes: scalars, real numbers, integers */
static gsvd_status_t agree_on_work(const query_t *asked, int info, mat_t A,
                                   int work[3])
{
    const part_t P = X(part_of)(A);
    const double nb = (double)gsvd_grid->block, n = (double)A.cols;
    const double np = (double)(P.r1 - P.r0), nq = (double)(P.c1 - P.c0);
    const double more = nb * (np + nq + nb) + np * (nb + nq) + 4 * n;
    const double up = 1 + 2 * (double)GSVD_ULP; /* a query may be rounded    */
    double most[] = {up * (double)re(asked->work[0]) + more,
                     REALS_PER_SCALAR == 2 ? up * (double)asked->rwork[0] + more
                                           : 0,
                     (double)asked->iwork[0], info != 0};

    MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_DOUBLE, MPI_MAX, gsvd_grid->comm);
    if (most[3] > 0)
        return failed("its work has no size");
    for (int k = 0; k < 3; ++k) {
        if (!(most[k] < INT_MAX))
            return gsvd_grid_fail(
                GSVD_NOT_SUPPORTED,
                "eigenvectors of order %lld take %.3g numbers of work on a "
                "process, which ScaLAPACK counts by 32 bits",
                (long long)A.cols, most[k]);
        work[k] = (int)most[k] + 1;
    }
    return GSVD_SUCCESS;
}

/* Z := eigenvectors of A; both begin where their arrays begin. */
static gsvd_status_t by_engine(mat_t A, mat_t Z, real_t *w)
{
    const char job = 'V', lower = 'L';
    const int n = (int)A.cols;
    query_t query = {{make(0, 0), make(0, 0)}, {0, 0}, {0, 0}};
    const int ask = -1;
    int count[3] = {0, 0, 0}, info = 0;
    void *room;

    DESCRIBED(A);
    DESCRIBED(Z);
    SCALAPACK_(PSYEVD)
    (&job, &lower, &n, P_(A), w, P_(Z), query.work, &ask,
     PRWORK_OF(query.rwork, &ask) query.iwork, &ask, &info, 1, 1);
    GSVD_TRY(agree_on_work(&query, info, A, count));
    const size_t bytes = (size_t)count[0] * sizeof(scalar_t) +
                         (size_t)count[1] * sizeof(real_t) +
                         (size_t)count[2] * sizeof(int);
    GSVD_TRY(gsvd_grid_room(ROOM_ENGINE, bytes, &room));
    scalar_t *const work = room;
    real_t *const rwork = (real_t *)(work + count[0]);
    int *const iwork = (int *)(rwork + count[1]);
    const int *const lwork = &count[0], *const liwork = &count[2];
    SCALAPACK_(PSYEVD)
    (&job, &lower, &n, P_(A), w, P_(Z), work, lwork,
     PRWORK_OF(rwork, &count[1]) iwork, liwork, &info, 1, 1);
    if (info != 0)
        (void)gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                             "ScaLAPACK's eigensolver returns %d", info);
    return gsvd_grid_agree(info == 0 ? GSVD_SUCCESS : GSVD_INTERNAL_ERROR);
}

/* A := its eigenvectors, by way of Z */
static gsvd_status_t by_all(const exec_t *ex, mat_t A, mat_t Z, real_t *w)
{
    mat_t first = A;
    void *room;

    if (A.i != 0 || A.j != 0) {
        const size_t entries = (size_t)mat_entries(A.rows, A.cols);
        GSVD_TRY(gsvd_grid_room(ROOM_REST, entries * sizeof(scalar_t), &room));
        first = mat_view(room, A.rows, A.cols, A.rows);
        GSVD_TRY(ex->op->copy(ex, A, first));
    }
    GSVD_TRY(by_engine(first, Z, w));
    return ex->op->copy(ex, Z, A);
}

/* -- both ------------------------------------------------------------------------- */

/* y := A x - X W X^H x */
static gsvd_status_t compare(const exec_t *ex, mat_t V, const real_t *w,
                             const eigen_work_t *work)
{
    const part_t P = X(part_of)(work->t);
    const int64_t n = V.cols;
    const real_t rounding = ROUNDING * (real_t)n * GSVD_ULP;
    real_t length[PROBES], most = 0;

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, work->x, work->t));
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = scale(w[i.at], HERE(P, i, j));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', V, work->t, work->y));
    GSVD_TRY(ex->op->column_norms(ex, work->y, length));
    for (int64_t i = 0; i < n; ++i)
        most = fmax_r(most, fabs_r(w[i]));
    for (int k = 0; k < PROBES; ++k)
        if (!(length[k] <= rounding * most))
            return failed("A x and X W X^H x differ");
    return GSVD_SUCCESS;
}

static int is_finite(mat_t A)
{
    const part_t P = X(part_of)(A);
    real_t beyond = 0;

    EACH_ENTRY (P, i, j)
        if (!(larger_part(HERE(P, i, j)) <= GSVD_REAL_MAX))
            beyond = 1;
    X(largest_all)(1, &beyond);
    return beyond == 0;
}

gsvd_status_t X(eigenvectors_grid)(const exec_t *ex, mat_t A, real_t *w)
{
    const int64_t n = A.cols;
    exec_t in = *ex;
    eigen_work_t work;

    if (n == 0)
        return GSVD_SUCCESS;
    take(&in.work, n, &work);
    GSVD_TRY(X(work_suffices)(&in));
    if (!is_finite(A))
        return gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                              "a Gram matrix has a NaN or an infinity");
    GSVD_TRY(in.op->gaussian(&in, work.x, 1));
    GSVD_TRY(in.op->gemm(&in, 'N', 'N', A, work.x, work.y));
    GSVD_TRY(n <= SMALL ? by_one(&in, A, w) : by_all(&in, A, work.Z, w));
    MPI_Bcast(w, (int)n, GRID_REAL, 0, gsvd_grid->comm);
    return compare(&in, A, w, &work);
}
