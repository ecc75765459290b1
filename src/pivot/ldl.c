/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl.c -- P A P^T = L D L^H of a Hermitian indefinite A, by blocks of pivots that are tried.
 *
 * While something is left, A22 = A(k:,k:):
 *
 *     1  C := the columns of the largest entries, their rows, the next ones    (ldl_candidates)
 *     2  complete pivoting (Bunch and Parlett 1971) in A22(C,C)                (ldl_pivots)
 *     3  A22, L, P := exchanged, pivots first
 *     4  W := A22(:,0:b) L11^-H, L := W D^-1
 *     5  p := the pivots before the first column with an entry of L above 2    (ldl_divide)
 *     6  A22 := A22 - L(:,0:p) W(:,0:p)^H, its lower triangle; the other one is that one's image
 *
 * The largest entry that is left is in A22(C,C), so that the first pivot is the one that complete
 * pivoting of all of A22 would take: its column of L has no entry above 2.78, whatever the others
 * are, and each panel accepts it.  So |L| <= 2.78, up to 2^-20, where A22 is the same on both sides
 * of its diagonal.  57 to 64 pivots of a panel are accepted as a rule.
 *
 * With tol < 0, pivots are taken as long as anything is left, if only rounding.  In the end a pivot
 * counts if it is more than rounding of what was subtracted from its entries (ldl_values).  This
 * test does not depend on the scale of rows and columns, D A D has the rank of A.
 */
#include "pivot/ldl.h"
#include "core/cost.h"
#include "qr/qr.h"

#define panels_t X(ldl_panels_t)
typedef struct panels_t {
    mat_t W; /* n x LDL_PIVOTS                                               */
    ldl_panel_t *panel;
} panels_t;

static void carve(arena_t *a, int64_t n, panels_t *w)
{
    w->W = X(take_matrix)(a, n, min_i(n, LDL_PIVOTS));
    w->panel = gsvd_arena_take(a, 1, sizeof *w->panel);
}

void X(ldl_take)(arena_t *a, int64_t n, ldl_t *F)
{
    F->perm = gsvd_arena_take(a, n, sizeof(int));
    F->d = gsvd_arena_take(a, n, sizeof(real_t));
    F->e = gsvd_arena_take(a, n, sizeof(scalar_t));
    F->lambda = gsvd_arena_take(a, n, sizeof(real_t));
    F->key = gsvd_arena_take(a, n, sizeof(real_t));
    F->order = gsvd_arena_take(a, n, sizeof(int));
}

/* 6: A22 := A22 - L W^H */
static gsvd_status_t update(const exec_t *ex, mat_t L, mat_t W, mat_t A22)
{
    const int64_t strip = ex->tune->hermitian_strip;
    for (int64_t j = 0; j < A22.cols; j += strip) {
        const int64_t b = min_i(strip, A22.cols - j), m = A22.rows - j;
        GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'C', mat_rows(L, j, m),
                                  mat_rows(W, j, b), mat_sub(A22, j, j, m, b)));
    }
    return ex->op->hermitian(ex, 'L', A22);
}

/* 1 to 6; *accepted = 0: nothing is left. */
static gsvd_status_t take_panel(const exec_t *ex, mat_t A, int64_t k,
                                real_t tol, const panels_t *w, ldl_t *F,
                                int64_t *accepted)
{
    const int64_t m = A.cols - k, b = min_i(m, LDL_PIVOTS);
    const mat_t A22 = mat_sub(A, k, k, m, m), L = mat_sub(F->L, k, k, m, b);
    const mat_t W = mat_sub(w->W, 0, 0, m, b);
    const mat_t R = mat_view(w->panel->R, b, b, LDL_PIVOTS);

    GSVD_TRY(ex->op->ldl_candidates(ex, A22, w->panel));
    GSVD_TRY(ex->op->ldl_pivots(ex, A22, tol, w->panel));
    GSVD_TRY(ex->op->ldl_exchange(ex, A22, mat_sub(F->L, k, 0, m, k),
                                  F->perm + k, w->panel));
    GSVD_TRY(ex->op->copy(ex, mat_cols(A22, 0, b), W));
    GSVD_TRY(ex->op->trsm(ex, R, W));
    GSVD_TRY(ex->op->ldl_divide(ex, W, L, w->panel));
    GSVD_TRY(ex->op->ldl_accepted(ex, w->panel, F->d + k, F->e + k, accepted));
    const int64_t p = *accepted, rest = m - p;
    return p == 0 ? GSVD_SUCCESS
                  : update(ex, mat_sub(L, p, 0, rest, p),
                           mat_sub(W, p, 0, rest, p),
                           mat_sub(A22, p, p, rest, rest));
}

gsvd_status_t X(hetrf)(const exec_t *ex, mat_t A, real_t tol, int by_sign,
                       ldl_t *F)
{
    const int64_t n = A.cols;
    const real_t least =
        tol < 0 ? LDL_ROUNDING * sqrt_r((real_t)n) * GSVD_EPS : 0;
    int64_t k = 0, accepted = 1;
    exec_t in = *ex;
    panels_t w;

    carve(&in.work, n, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->set(&in, F->L, 0, 0));
    GSVD_TRY(in.op->identity(&in, n, F->perm));
    GSVD_TRY(in.op->values_set(&in, 0, n, 0, F->d));
    GSVD_TRY(in.op->set(&in, mat_view(F->e, n, 1, max_i(n, 1)), 0, 0));
    for (; k < n && accepted > 0; k += accepted)
        GSVD_TRY(take_panel(&in, A, k, fmax_r(tol, 0), &w, F, &accepted));
    return ex->op->ldl_values(ex, F->L, F->d, F->e, least, by_sign, F->lambda,
                              F->key);
}

gsvd_status_t X(ldl_root)(const exec_t *ex, const ldl_t *F, mat_t work, mat_t G)
{
    GSVD_TRY(ex->op->ldl_roots(ex, F->L, F->d, F->e, F->lambda));
    GSVD_TRY(ex->op->permute_columns(ex, F->L, F->order, work));
    return ex->op->permute_rows(ex, work, F->perm, G);
}

size_t X(hetrf_work_bytes)(const exec_t *ex, int64_t n)
{
    arena_t count = {0};
    panels_t w;
    carve(&count, n, &w);
    return gsvd_arena_bytes(&count) +
           ex->op->kernel_bytes(ex, KERNELS_LDL, n, n, 0);
}

/* Against QR: a panel of 60 columns is 12 steps in turn, and a third of the operations remain. */
double X(hetrf_seconds)(const exec_t *ex, int64_t n)
{
    return seconds_of(ex, 2 * (double)n, (double)n * (double)n * (double)n);
}
