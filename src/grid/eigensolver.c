/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigensolver.c -- ScaLAPACK's PxSYEVD for eigenvectors.c.  Its own query is short on some processes, which
 * refuse, and the others wait: all processes take the largest of what it says and what its parts index. */
#include <limits.h>

#include "core/scalapack.h"
#include "grid/backend.h"
#include "grid/mpi_types.h"

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
        return gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                              "the engine's eigenvectors are wrong: its work "
                              "has no size");
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
static gsvd_status_t solve(mat_t A, mat_t Z, real_t *w)
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

gsvd_status_t X(eigen_by_engine)(const exec_t *ex, mat_t A, mat_t Z, real_t *w)
{
    mat_t first = A;
    void *room;

    if (A.i != 0 || A.j != 0) {
        const size_t entries = (size_t)mat_entries(A.rows, A.cols);
        GSVD_TRY(gsvd_grid_room(ROOM_REST, entries * sizeof(scalar_t), &room));
        first = mat_view(room, A.rows, A.cols, A.rows);
        GSVD_TRY(ex->op->copy(ex, A, first));
    }
    GSVD_TRY(solve(first, Z, w));
    return ex->op->copy(ex, Z, A);
}
