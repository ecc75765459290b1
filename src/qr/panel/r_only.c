/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* r_only.c -- R alone of a tall matrix of at most 32 columns; CPU twin of r_only.cu.
 *
 *     A = (A_0; A_1; ...)    as many rows each as stay in a cache
 *     R := R of A_0,  R := R of (R; A_k),  k = 1, 2, ...
 *
 * by the solvers of panel.c, or by the rotations of tsqr.c where the option says so.
 */
#include "core/elementwise.h"
#include "core/solver.h"
#include "qr/qr.h"
#include "qr/tsqr.h"

enum { ROWS = 512 }; /* of (R; A_k) */

/* S := R of S = (R; A_k), with zeros below; S has the panel's form. */
static gsvd_status_t fold(const exec_t *ex, mat_t S, scalar_t *tau)
{
    const mat_t none = mat_view(NULL, 0, 0, 1);
    GSVD_TRY(X(panel_cpu)(ex, S, tau, none, none));
    return X(zero_lower_cpu)(ex, mat_rows(S, 0, S.cols));
}

/* R := S with a nonnegative diagonal; the diagonal of S is real. */
static void store(mat_t S, mat_t R)
{
    for (int64_t j = 0; j < R.cols; ++j)
        for (int64_t i = 0; i < R.rows; ++i) {
            const scalar_t s = AT(S, i, j);
            AT(R, i, j) = re(AT(S, i, i)) < 0 ? make(-re(s), -im(s)) : s;
        }
}

static int tsqr_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.panel == GSVD_PANEL_TSQR;
}

static int panels_wanted(const exec_t *ex, const task_t *t)
{
    return !tsqr_wanted(ex, t);
}

/* S and tau */
static mat_t take(arena_t *a, int64_t rows, int64_t b, scalar_t **tau)
{
    *tau = gsvd_arena_take(a, b, sizeof(scalar_t));
    return X(take_matrix)(a, rows, b);
}

static size_t panels_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t b = t->A.cols;
    const int64_t panel = 3 * b * b + ROWS * b; /* It is given no V.         */
    arena_t count = {0};
    scalar_t *tau;
    (void)ex;
    (void)take(&count, ROWS, b, &tau);
    return gsvd_arena_bytes(&count) + (size_t)panel * sizeof(scalar_t);
}

static gsvd_status_t panels(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    const int64_t b = A.cols, rows = min_i(A.rows, ROWS);
    exec_t in = *ex;
    scalar_t *tau;

    in.policy.panel = GSVD_PANEL_AUTO; /* Rotations are the other solver.     */
    in.policy.force[0].list = NULL;
    const mat_t S = take(&in.work, rows, b, &tau);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(copy_cpu)(&in, mat_rows(A, 0, rows), S));
    GSVD_TRY(fold(&in, S, tau));
    for (int64_t i = rows, next; i < A.rows; i += next) {
        next = min_i(A.rows - i, rows - b);
        GSVD_TRY(X(copy_cpu)(&in, mat_rows(A, i, next), mat_rows(S, b, next)));
        GSVD_TRY(fold(&in, mat_rows(S, 0, b + next), tau));
    }
    store(S, t->C);
    return GSVD_SUCCESS;
}

static gsvd_status_t tsqr(const exec_t *ex, const task_t *t)
{
    return X(tsqr_r_cpu)(ex, t->A, t->C, NULL);
}

static const solver_t solver[] = {
    {"panels", panels_wanted, NULL, panels_bytes, panels},
    {"TSQR", tsqr_wanted, NULL, NULL, tsqr},
};
const solvers_t X(r_only_solvers_cpu) = SOLVERS("R alone", solver);

gsvd_status_t X(r_only_cpu)(const exec_t *ex, mat_t A, mat_t R)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    return run_solver(&X(r_only_solvers_cpu), ex, &(task_t){.A = A, .C = R});
}
