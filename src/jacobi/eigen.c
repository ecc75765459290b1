/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigen.c -- eigenvectors of a Hermitian matrix, A X = X diag(w): by which solver.
 *
 *     1  A = Q T Q^H          T real and tridiagonal
 *     2  T Z = Z diag(w)      each vector by itself
 *     3  X = Q Z
 *
 * On an H200 that takes 56 to 73 % of the time of cuSOLVER's Xsyevd.  The vectors of
 * values that agree to many digits may be far from orthogonal: that is for the caller
 * to see, who then asks for the sure solver, the library.  That one takes as much work as
 * two matrices (xSYEVD) or four and more (Xsyevd); 1 to 3 take the room for Z and what is
 * there, so that they also stand in for the library where its work is not to be had.
 * 1 has a band on its way where that is faster (two_stages.c), for tuning_t.two_stages to two_stages_most
 * columns.
 */
#include "core/solver.h"
#include "jacobi/jacobi.h"
#include "qr/qr.h"

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

static int inverse_iteration_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->tune->inverse_iteration == EIGEN_ALWAYS;
}

static int inverse_iteration_applies(const exec_t *ex, const task_t *t)
{
    return t->A.cols > 1 && t->A.cols <= ex->tune->inverse_iteration_most;
}

/* Does it stand in for the library, for so many columns? */
static int stands_in(const exec_t *ex, int64_t n)
{
    return ex->tune->inverse_iteration != EIGEN_NEVER &&
           n <= ex->tune->inverse_iteration_most;
}

size_t X(tridiagonal_form_bytes)(const exec_t *ex, int64_t n)
{
    const size_t each[] = {
        X(unmqr_work_bytes)(ex, n, n, n) +
            ex->op->kernel_bytes(ex, KERNELS_PANELS, n, n, n),
        ex->op->kernel_bytes(ex, KERNELS_TRIDIAGONAL, n, n, n)};
    return LARGEST(each);
}

static size_t inverse_iteration_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t n = t->A.cols;
    arena_t count = {0};
    eigen_work_t w;
    take(&count, n, &w);
    return gsvd_arena_bytes(&count) + X(tridiagonal_form_bytes)(ex, n);
}

/* Has the work that is there so many bytes left? */
static int has_room(const exec_t *ex, size_t bytes)
{
    return !ex->work.full && bytes <= ex->work.size - ex->work.used;
}

/* 2, 3: t->A := the vectors, by way of Z */
static gsvd_status_t find_vectors(const exec_t *ex, const tridiagonal_t *t,
                                  real_t *w, mat_t Z)
{
    const mat_t A = t->A;
    const int64_t n = A.cols;

    GSVD_TRY(ex->op->tridiagonal_vectors(ex, n, t->d, t->e, 0, w, Z));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', mat_sub(A, 1, 0, n - 1, n - 1), n - 1,
                      t->tau, mat_rows(Z, 1, n - 1)));
    return ex->op->copy(ex, Z, A);
}

static gsvd_status_t by_inverse_iteration(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    const int64_t n = A.cols;
    exec_t in = *ex;
    eigen_work_t work;

    take(&in.work, n, &work);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->tridiagonalize(&in, A, work.d, work.e, work.tau, t->yes));
    const tridiagonal_t form = {A, work.d, work.e, work.tau};
    return *t->yes ? find_vectors(&in, &form, t->values, work.Z) : GSVD_SUCCESS;
}

static int two_stages_wanted(const exec_t *ex, const task_t *t)
{
    const int64_t least = ex->tune->two_stages;
    return least > 0 && t->A.cols >= least &&
           t->A.cols <= ex->tune->two_stages_most;
}

static size_t two_stages_bytes(const exec_t *ex, const task_t *t)
{
    const size_t one_stage =
        inverse_iteration_applies(ex, t) ? inverse_iteration_bytes(ex, t) : 0;
    return max_size(one_stage, X(two_stages_bytes)(ex, t->A.cols));
}

/* ... in the work that is there, once there is work */
static int two_stages_apply(const exec_t *ex, const task_t *t)
{
    return t->A.cols > 1 &&
           (!t->A.data || has_room(ex, two_stages_bytes(ex, t)));
}

static gsvd_status_t by_two_stages(const exec_t *ex, const task_t *t)
{
    GSVD_TRY(X(two_stages)(ex, t->A, t->values, t->yes));
    if (!*t->yes && inverse_iteration_applies(ex, t))
        return by_inverse_iteration(ex, t);
    return GSVD_SUCCESS;
}

static size_t library_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t n = t->A.cols;
    return ex->op->kernel_bytes(ex, KERNELS_EIGENVECTORS, n, n, 0);
}

static int library_has_room(const exec_t *ex, const task_t *t)
{
    return has_room(ex, library_bytes(ex, t));
}

/* While work is measured there is none yet. */
static int library_applies(const exec_t *ex, const task_t *t)
{
    return !stands_in(ex, t->A.cols) || !t->A.data || library_has_room(ex, t);
}

/* Work in which there is no room for the library is measured by eigen_least_bytes. */
static int stand_in_wanted(const exec_t *ex, const task_t *t)
{
    return !library_applies(ex, t);
}

static gsvd_status_t by_library(const exec_t *ex, const task_t *t)
{
    *t->yes = 1;
    return ex->op->eigenvectors(ex, t->A, t->values);
}

static const solver_t solver[] = {
    {"two stages", two_stages_wanted, two_stages_apply, two_stages_bytes,
     by_two_stages},
    {"inverse iteration", inverse_iteration_wanted, inverse_iteration_applies,
     inverse_iteration_bytes, by_inverse_iteration},
    {"xSYEVD", NULL, library_applies, library_bytes, by_library},
    {"inverse iteration for want of room", stand_in_wanted, NULL,
     inverse_iteration_bytes, by_inverse_iteration},
};
const solvers_t X(eigen_solvers) = SOLVERS("eigenvectors", solver);

size_t X(eigen_work_bytes)(const exec_t *ex, int64_t n)
{
    return solvers_bytes(&X(eigen_solvers), ex,
                         &(task_t){.A = mat_of_size(n, n)});
}

size_t X(eigen_least_bytes)(const exec_t *ex, int64_t n)
{
    const task_t t = {.A = mat_of_size(n, n)};
    if (!stands_in(ex, n) || forced_solver(&X(eigen_solvers), ex))
        return X(eigen_work_bytes)(ex, n);
    note_solvers(&X(eigen_solvers), ex, &t, "inverse iteration");
    return gsvd_note_end(ex->h, inverse_iteration_bytes(ex, &t), 0, 1);
}

size_t X(eigen_chosen_bytes)(const exec_t *ex, int64_t n)
{
    const task_t t = {.A = mat_of_size(n, n)};
    const int chosen = ex->tune->inverse_iteration == EIGEN_ALWAYS;
    if (chosen && two_stages_wanted(ex, &t))
        return max_size(two_stages_bytes(ex, &t), X(eigen_least_bytes)(ex, n));
    return chosen ? X(eigen_least_bytes)(ex, n) : X(eigen_work_bytes)(ex, n);
}

int X(eigen_library_fits)(const exec_t *ex, int64_t n)
{
    return library_has_room(ex, &(task_t){.A = mat_of_size(n, n)});
}

int X(form_is_wanted)(const exec_t *ex, int64_t n)
{
    const task_t t = {.A = mat_of_size(n, n)};
    return n > 1 && n <= EACH_MOST &&
           choose_solver(&X(eigen_solvers), ex, &t)->run ==
               by_inverse_iteration;
}

gsvd_status_t X(eigen_of_form)(const exec_t *ex, const tridiagonal_t *t,
                               real_t *w)
{
    exec_t in = *ex;
    const mat_t Z = X(take_matrix)(&in.work, t->A.cols, t->A.cols);

    GSVD_TRY(X(work_suffices)(&in));
    return find_vectors(&in, t, w, Z);
}

gsvd_status_t X(eigen)(const exec_t *ex, mat_t A, real_t *w, int *sure)
{
    int found = 0;
    const task_t t = {.A = A, .values = w, .yes = &found};
    const solver_t *const taken = choose_solver(&X(eigen_solvers), ex, &t);
    const int library = library_applies(ex, &t);

    if (!*sure || !library)
        GSVD_TRY(taken->run(ex, &t));
    *sure = (!found && library) || taken->run == by_library;
    return found || !library ? GSVD_SUCCESS : by_library(ex, &t);
}
