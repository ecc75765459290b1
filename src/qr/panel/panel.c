/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* panel.c -- QR factorization of a tall panel; CPU twin of panel.cu.
 *
 *     A = (A1 A2)                             halves
 *     1  A1 = (I - V1 T1 V1^H) (R11; 0)       by the same method
 *     2  A2 := (I - V1 T1^H V1^H) A2 = (R12; A')
 *     3  A' = (I - V2 T2 V2^H) (R22; 0)       by the same method
 *     4  T12 = -T1 (V1^H V2) T2
 *
 * (Elmroth and Gustavson 2000), so that all but the last few columns' work is
 * products of matrices.
 */
#include "core/elementwise.h"
#include "core/solver.h"
#include "core/vector.h"
#include "qr/qr.h"
#include "qr/reflect.h"
#include "qr/tsqr.h"

enum { LEAF = 4 }; /* So many columns are reflected one by one.              */

/* -- a few columns, or a small panel --------------------------------------- */

/* T := the triangle of the reflectors in V, by inner products. */
static void leaf_triangle(mat_t V, const scalar_t *tau, mat_t T)
{
    for (int64_t j = 0; j < V.cols; ++j) {
        scalar_t *const t = &AT(T, 0, j);
        for (int64_t i = 0; i < T.rows; ++i)
            t[i] = make(0, 0);
        for (int64_t k = 0; k < j; ++k) {
            const scalar_t s =
                X(vector_dot)(V.rows - j, &AT(V, j, k), &AT(V, j, j));
            const scalar_t w = mul(make(-re(tau[j]), -im(tau[j])), s);
            for (int64_t i = 0; i <= k; ++i)
                t[i] = add(t[i], mul(w, AT(T, i, k)));
        }
        t[j] = tau[j];
    }
}

/* A = Q R, its reflectors one after the other; V and T if T is asked for. */
static void leaf(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V, mat_t T)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        tau[j] = X(reflector)(A.rows - j, &AT(A, j, j));
        for (int64_t c = j + 1; c < A.cols; ++c)
            X(reflect_column)
        (A.rows - j, conj_of(tau[j]), &AT(A, j, j), &AT(A, j, c));
    }
    if (!T.data)
        return;
    (void)X(unit_lower_cpu)(ex, A, V);
    leaf_triangle(V, tau, T);
}

/* R and reflectors alone, of a panel that stays in a cache */
static gsvd_status_t unblocked(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    void *work;
    GSVD_TRY(X(kernel_work)(ex, (size_t)A.rows * sizeof(scalar_t), &work));

    for (int64_t j = 0; j < A.cols; ++j) {
        scalar_t *const v = &AT(A, j, j);
        t->tau[j] = X(reflector)(A.rows - j, v);
        const scalar_t beta = v[0];
        v[0] = make(1, 0);
        X(reflect_columns)
        (conj_of(t->tau[j]), v,
         mat_view(v + A.ld, A.rows - j, A.cols - j - 1, A.ld), work);
        v[0] = beta;
    }
    return GSVD_SUCCESS;
}

/* -- a panel by halves ----------------------------------------------------- */

/* The kernel's work of a panel. */
typedef struct panel_work {
    scalar_t *W, *Y; /* b^2 / 4 elements each                                */
    void *tsqr;      /* NULL: Householder's reflectors                       */
    void *groups;    /* of tsqr.h; NULL: V is free for them, in one piece    */
} panel_work_t;

/* At most 32 columns by TSQR.  What V's first column begins is free, up to the panel's
 * size: V's own columns and the parts of V above and beside them. */
static void tree(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V, mat_t T,
                 const panel_work_t *w)
{
    (void)X(tsqr_panel_cpu)(ex, A, tau, w->tsqr,
                            w->groups ? w->groups : V.data);
    (void)X(unit_lower_cpu)(ex, A, V);
    leaf_triangle(V, tau, T);
}

static void recurse(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V, mat_t T,
                    const panel_work_t *w)
{
    const int64_t b = A.cols, b1 = b / 2, b2 = b - b1, m = A.rows;
    if (w->tsqr && b <= TSQR_WIDTH) {
        tree(ex, A, tau, V, T, w);
        return;
    }
    if (b <= LEAF) {
        leaf(ex, A, tau, V, T);
        return;
    }
    const mat_t V1 = mat_cols(V, 0, b1), V2 = mat_sub(V, b1, b1, m - b1, b2);
    const mat_t T1 = mat_sub(T, 0, 0, b1, b1), T2 = mat_sub(T, b1, b1, b2, b2);
    const mat_t A2 = mat_cols(A, b1, b2);
    const mat_t W = mat_view(w->W, b1, b2, b1);
    const mat_t Y = mat_view(w->Y, b1, b2, b1);

    recurse(ex, mat_cols(A, 0, b1), tau, V1, T1, w); /* 1 */

    (void)X(gemm_cpu)(ex, 'C', 'N', V1, A2, W); /* 2 */
    (void)X(gemm_cpu)(ex, 'C', 'N', T1, W, Y);
    (void)X(gemm_sub_cpu)(ex, 'N', 'N', V1, Y, A2);

    recurse(ex, mat_rows(A2, b1, m - b1), tau + b1, V2, T2, w); /* 3 */

    (void)X(set_cpu)(ex, mat_sub(V, 0, b1, b1, b2), 0, 0); /* 4 */
    (void)X(set_cpu)(ex, mat_sub(T, b1, 0, b2, b1), 0, 0);
    (void)X(gemm_cpu)(ex, 'C', 'N', mat_rows(V1, b1, m - b1), V2, W);
    (void)X(gemm_cpu)(ex, 'N', 'N', T1, W, Y);
    const mat_t T12 = mat_sub(T, 0, b1, b1, b2);
    (void)X(set_cpu)(ex, T12, 0, 0);
    (void)X(gemm_sub_cpu)(ex, 'N', 'N', Y, T2, T12);
}

/* tsqr: by rotations, else by reflectors */
static gsvd_status_t by_halves(const exec_t *ex, int tsqr, const task_t *t)
{
    const mat_t A = t->A;
    mat_t V = t->V, T = t->T;
    const int64_t m = A.rows, b = A.cols;
    const int64_t wide = min_i(b, TSQR_WIDTH), each = sizeof(scalar_t);
    const int64_t own = tsqr ? (int64_t)tsqr_own_bytes(m, wide, 1) : 0;
    const int64_t groups =
        tsqr && V.data && V.ld > m ? (int64_t)tsqr_groups_bytes(m, wide, 1) : 0;
    const int64_t entries = 3 * b * b + (V.data ? 0 : m * b);
    void *work;

    GSVD_TRY(
        X(kernel_work)(ex, (size_t)(entries * each + own + groups), &work));
    char *const tree_work = (char *)work + entries * each;
    const panel_work_t w = {work, (scalar_t *)work + b * b,
                            tsqr ? tree_work : NULL,
                            groups > 0 ? tree_work + own : NULL};
    if (!T.data)
        T = mat_view(w.Y + b * b, b, b, b);
    if (!V.data)
        V = mat_view(w.Y + 2 * b * b, m, b, m);
    recurse(ex, A, t->tau, V, T, &w);
    return GSVD_SUCCESS;
}

static gsvd_status_t householder(const exec_t *ex, const task_t *t)
{
    if (t->A.cols > LEAF)
        return by_halves(ex, 0, t);
    leaf(ex, t->A, t->tau, t->V, t->T);
    return GSVD_SUCCESS;
}

static gsvd_status_t tsqr(const exec_t *ex, const task_t *t)
{
    return by_halves(ex, 1, t);
}

/* -- the solvers ----------------------------------------------------------- */

/* Rotations are asked for, and rows may lose accuracy. */
static int tsqr_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.panel == GSVD_PANEL_TSQR && !ex->policy.rowwise_stable;
}

static int reflectors_wanted(const exec_t *ex, const task_t *t)
{
    return !tsqr_wanted(ex, t);
}

static int is_cached(const exec_t *ex, const task_t *t)
{
    return !t->T.data && t->A.rows * t->A.cols <= ex->tune->cached;
}

static size_t unblocked_bytes(const exec_t *ex, const task_t *t)
{
    return (size_t)min_i(t->A.rows, ex->tune->cached) * sizeof(scalar_t);
}

static size_t householder_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t b = ex->tune->block;
    (void)t;
    return (size_t)(3 * b * b) * sizeof(scalar_t);
}

static size_t tsqr_bytes(const exec_t *ex, const task_t *t)
{
    return householder_bytes(ex, t) +
           tsqr_own_bytes(t->A.rows, min_i(t->A.cols, TSQR_WIDTH), 1);
}

static const solver_t solver[] = {
    {"Householder in cache", reflectors_wanted, is_cached, unblocked_bytes,
     unblocked},
    {"Householder by halves", reflectors_wanted, NULL, householder_bytes,
     householder},
    {"TSQR", tsqr_wanted, NULL, tsqr_bytes, tsqr},
};
const solvers_t X(panel_solvers_cpu) = SOLVERS("panel", solver);

gsvd_status_t X(panel_cpu)(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V,
                           mat_t T)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    return run_solver(&X(panel_solvers_cpu), ex,
                      &(task_t){.A = A, .tau = tau, .V = V, .T = T});
}

size_t X(qr_kernel_bytes_cpu)(const exec_t *ex, kernels_t what, int64_t m,
                              int64_t n, int64_t cols)
{
    const int64_t widest = max_i(max_i(m, n), max_i(cols, 1));
    const int64_t rows = min_i(widest, REFLECTED_ROWS);
    const size_t reflect = 2 * (size_t)rows * sizeof(scalar_t);
    const task_t panel = {.A = mat_of_size(m, n)};
    const task_t r_only = {.A = mat_of_size(m, min_i(n, TSQR_WIDTH))};
    exec_t stable = *ex; /* Whether rows are sorted is found out later.      */

    stable.policy.rowwise_stable = 1;
    if (!(what & KERNELS_PANELS))
        return reflect;
    const size_t each[] = {
        reflect, solvers_bytes(&X(panel_solvers_cpu), ex, &panel),
        solvers_bytes(&X(panel_solvers_cpu), &stable, &panel),
        solvers_bytes(&X(r_only_solvers_cpu), ex, &r_only)};
    return LARGEST(each);
}
