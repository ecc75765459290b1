/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block.c -- b reflectors as one: H_1 H_2 ... H_b = I - V T V^H.
 *
 *     S = V^H V,   T^-1 + T^-H = S,   diag(T) = tau
 *
 * (Schreiber and Van Loan 1989), applied by three products of matrices.  Two
 * neighbours are one:  T = (T1 T12; 0 T2),  T12 = -T1 (V1^H V2) T2.
 */
#include "qr/qr.h"

/* Q is applied to so many columns or rows at a time, so that W and Y are small beside
 * a large matrix. */
enum { ACROSS = 8192 };

static void take_products(arena_t *a, int64_t b, int64_t across, qr_work_t *w)
{
    w->across = min_i(across, ACROSS);
    w->W = gsvd_arena_take(a, b * w->across, sizeof(scalar_t));
    w->Y = gsvd_arena_take(a, b * w->across, sizeof(scalar_t));
}

void X(factor_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                     int panels, qr_work_t *w)
{
    const int64_t k = min_i(m, n), b = min_i(ex->tune->block, k);
    w->V = X(take_matrix)(a, m, min_i(panels * b, k));
    w->T = X(take_matrix)(a, b, 2 * b);
    take_products(a, b, n, w);
}

void X(apply_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t k,
                    int64_t across, qr_work_t *w)
{
    const int64_t c = min_i(ex->tune->wide, k);
    w->V = X(take_matrix)(a, m, c);
    w->S = X(take_matrix)(a, c, k);
    w->Ts = X(take_matrix)(a, c, k);
    take_products(a, c, across, w);
}

/* w->V := the c reflectors of A from the j-th on */
static gsvd_status_t take_reflectors(const exec_t *ex, mat_t A, int64_t j,
                                     int64_t c, qr_work_t *w)
{
    const int64_t m = A.rows - j;
    w->V = mat_view(w->V.data, m, c, m);
    return ex->op->unit_lower(ex, mat_sub(A, j, j, m, c), w->V);
}

/* T12 of T = (T1 T12; 0 T2) := -T1 S12 T2; the rows (S11 S12) of S are spoilt. */
static gsvd_status_t join(const exec_t *ex, mat_t S, int64_t b, mat_t T)
{
    const int64_t c = T.cols - b;
    const mat_t T1 = mat_sub(T, 0, 0, b, b), T2 = mat_sub(T, b, b, c, c);
    const mat_t S12 = mat_sub(S, 0, b, b, c), Y = mat_sub(S, 0, 0, b, c);

    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', T1, S12, Y));
    return ex->op->gemm_sub(ex, 'N', 'N', Y, T2, mat_sub(T, 0, b, b, c));
}

gsvd_status_t X(blocks_form)(const exec_t *ex, mat_t A, const scalar_t *tau,
                             qr_work_t *w)
{
    const int64_t k = A.cols, block = min_i(ex->tune->block, k);
    const int64_t wide = min_i(ex->tune->wide, k);

    for (int64_t j = 0; j < k; j += wide) {
        const int64_t c = min_i(wide, k - j);
        GSVD_TRY(take_reflectors(ex, A, j, c, w));
        GSVD_TRY(
            ex->op->gemm(ex, 'C', 'N', w->V, w->V, mat_sub(w->S, 0, j, c, c)));
    }
    const mat_t S = mat_cols(w->S, 0, k), T = mat_cols(w->Ts, 0, k);
    if (wide > block)
        GSVD_TRY(ex->op->set(ex, T, 0, 0));
    GSVD_TRY(ex->op->triangle(ex, S, tau, block, T));
    for (int64_t j = 0; j + block < k && wide > block; j += wide) {
        const int64_t c = min_i(wide, k - j);
        if (c > block)
            GSVD_TRY(join(ex, mat_sub(S, 0, j, c, c), block,
                          mat_sub(T, 0, j, c, c)));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(block_take)(const exec_t *ex, mat_t A, int64_t j, int64_t c,
                            qr_work_t *w)
{
    w->T = mat_sub(w->Ts, 0, j, c, c);
    return take_reflectors(ex, A, j, c, w);
}

/* C := op(Q) C or C op(Q), for a C of no more columns or rows than w->across */
static gsvd_status_t apply_some(const exec_t *ex, char side, char op,
                                const qr_work_t *w, mat_t C)
{
    const int64_t b = w->T.cols;

    if (side == 'L') {
        const mat_t W = mat_view(w->W, b, C.cols, b);
        const mat_t Y = mat_view(w->Y, b, C.cols, b);
        GSVD_TRY(ex->op->gemm(ex, 'C', 'N', w->V, C, W));
        GSVD_TRY(ex->op->gemm(ex, op, 'N', w->T, W, Y));
        return ex->op->gemm_sub(ex, 'N', 'N', w->V, Y, C);
    }
    const mat_t W = mat_view(w->W, C.rows, b, max_i(C.rows, 1));
    const mat_t Y = mat_view(w->Y, C.rows, b, max_i(C.rows, 1));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', C, w->V, W));
    GSVD_TRY(ex->op->gemm(ex, 'N', op, W, w->T, Y));
    return ex->op->gemm_sub(ex, 'N', 'C', Y, w->V, C);
}

gsvd_status_t X(block_apply)(const exec_t *ex, char side, char op,
                             const qr_work_t *w, mat_t C)
{
    const int left = side == 'L';
    const int64_t all = left ? C.cols : C.rows;

    for (int64_t j = 0; j < all; j += w->across) {
        const int64_t some = min_i(w->across, all - j);
        GSVD_TRY(
            apply_some(ex, side, op, w,
                       left ? mat_cols(C, j, some) : mat_rows(C, j, some)));
    }
    return GSVD_SUCCESS;
}
