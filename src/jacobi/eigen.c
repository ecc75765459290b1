/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigen.c -- eigenvectors of a Hermitian matrix, A X = X diag(w): by which road.
 *
 *     1  A = Q T Q^H          T real and tridiagonal
 *     2  T Z = Z diag(w)      each vector by itself
 *     3  X = Q Z
 *
 * On an H200 that takes 56 to 73 % of the time of cuSOLVER's Xsyevd.  The vectors of
 * values that agree to many digits may be far from orthogonal: that is for the caller
 * to see, who then asks for the sure road, the library's.  That one takes as much work as
 * two matrices (xSYEVD) or four and more (Xsyevd); 1 to 3 take the room for Z and what is
 * there, so that they also stand in for the library where its work is not to be had.
 */
#include "jacobi/jacobi.h"
#include "qr/qr.h"
#include "qr/roads.h"

typedef struct eigen_work {
    real_t *d, *e;
    scalar_t *tau;
    mat_t Z;
} eigen_work_t;

static void take(arena_t *a, int64_t n, eigen_work_t *w)
{
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
    w->e = gsvd_arena_take(a, n, sizeof(real_t));
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->Z = X(take_matrix)(a, n, n);
}

static int inverse_iteration_wanted(const exec_t *ex)
{
    return ex->tune->inverse_iteration == EIGEN_ALWAYS;
}

static int fits_inverse_iteration(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)C, (void)k;
    return A.cols > 1 && A.cols <= ex->tune->inverse_iteration_most;
}

/* Does it stand in for the library, for so many columns? */
static int stands_in(const exec_t *ex, int64_t n)
{
    return ex->tune->inverse_iteration != EIGEN_NEVER &&
           n <= ex->tune->inverse_iteration_most;
}

static size_t inverse_iteration_bytes(const exec_t *ex, int64_t m, int64_t n,
                                      int64_t k)
{
    const size_t rest[] = {
        X(unmqr_work_bytes)(ex, n, n, n) +
            ex->op->kernel_bytes(ex, KERNELS_PANELS, n, n, n),
        ex->op->kernel_bytes(ex, KERNELS_TRIDIAGONAL, n, n, n)};
    arena_t count = {0};
    eigen_work_t w;
    (void)m, (void)k;
    take(&count, n, &w);
    return gsvd_arena_bytes(&count) + LARGEST(rest);
}

static gsvd_status_t by_inverse_iteration(const exec_t *ex, mat_t A, real_t *w,
                                          int *found)
{
    const int64_t n = A.cols;
    exec_t in = *ex;
    eigen_work_t work;

    take(&in.work, n, &work);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->tridiagonalize(&in, A, work.d, work.e, work.tau, found));
    if (!*found)
        return GSVD_SUCCESS;
    GSVD_TRY(in.op->tridiagonal_vectors(&in, n, work.d, work.e, w, work.Z));
    GSVD_TRY(X(unmqr)(&in, 'L', 'N', mat_sub(A, 1, 0, n - 1, n - 1), n - 1,
                      work.tau, mat_rows(work.Z, 1, n - 1)));
    return in.op->copy(&in, work.Z, A);
}

static size_t library_bytes(const exec_t *ex, int64_t m, int64_t n, int64_t k)
{
    (void)m, (void)k;
    return ex->op->kernel_bytes(ex, KERNELS_EIGENVECTORS, n, n, 0);
}

static int fits_library(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)C, (void)k;
    return !stands_in(ex, A.cols) || X(eigen_library_fits)(ex, A.cols);
}

static gsvd_status_t by_library(const exec_t *ex, mat_t A, real_t *w,
                                int *found)
{
    *found = 1;
    return ex->op->eigenvectors(ex, A, w);
}

typedef struct eigen_road {
    road_t is;
    gsvd_status_t (*run)(const exec_t *ex, mat_t A, real_t *w, int *found);
} eigen_road_t;

static const eigen_road_t eigen_road[] = {
    {{"inverse_iteration", inverse_iteration_wanted, fits_inverse_iteration,
      inverse_iteration_bytes},
     by_inverse_iteration},
    {{"library", NULL, fits_library, library_bytes}, by_library},
    {{"inverse_iteration, for want of room", NULL, NULL,
      inverse_iteration_bytes},
     by_inverse_iteration},
};
const roads_t X(eigen_roads) = GSVD_ROADS("eigen", CHOICE_EIGEN, eigen_road);

size_t X(eigen_work_bytes)(const exec_t *ex, int64_t n)
{
    return road_bytes(&X(eigen_roads), ex, n, n, n);
}

size_t X(eigen_least_bytes)(const exec_t *ex, int64_t n)
{
    const int forced = ex->policy.forced[CHOICE_EIGEN] > 0;
    return stands_in(ex, n) && !forced ? inverse_iteration_bytes(ex, n, n, n)
                                       : X(eigen_work_bytes)(ex, n);
}

size_t X(eigen_chosen_bytes)(const exec_t *ex, int64_t n)
{
    const int chosen = ex->tune->inverse_iteration == EIGEN_ALWAYS;
    return chosen ? X(eigen_least_bytes)(ex, n) : X(eigen_work_bytes)(ex, n);
}

int X(eigen_library_fits)(const exec_t *ex, int64_t n)
{
    return !ex->work.full &&
           library_bytes(ex, n, n, n) <= ex->work.size - ex->work.used;
}

gsvd_status_t X(eigen)(const exec_t *ex, mat_t A, real_t *w, int *sure)
{
    const eigen_road_t *const taken =
        choose_road(&X(eigen_roads), ex, A, A, A.cols);
    const int library = fits_library(ex, A, A, A.cols);
    int found = 0;

    if (!*sure || !library)
        GSVD_TRY(taken->run(ex, A, w, &found));
    *sure = (!found && library) || taken->run == by_library;
    return found || !library ? GSVD_SUCCESS : by_library(ex, A, w, &found);
}
