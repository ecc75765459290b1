/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block.c -- b reflectors as one: H_1 H_2 ... H_b = I - V T V^H.
 *
 *     S = V^H V,   T^-1 + T^-H = S,   diag(T) = tau
 *
 * (Schreiber and Van Loan 1989), applied by three products of matrices.
 */
#include "qr/qr.h"

static mat_t take_matrix(arena_t *a, int64_t rows, int64_t cols)
{
    return mat_view(gsvd_arena_take(a, rows * cols, sizeof(scalar_t)), rows,
                    cols, max_i(rows, 1));
}

void X(qr_carve)(arena_t *a, const backend_t *be, int64_t m, int64_t n,
                 int64_t wide, qr_work_t *w)
{
    const int64_t b = min_i(be->block, min_i(m, n));
    w->V = take_matrix(a, m, b);
    w->T = take_matrix(a, b, b);
    w->S = take_matrix(a, b, b);
    w->W = gsvd_arena_take(a, b * wide, sizeof(scalar_t));
    w->Y = gsvd_arena_take(a, b * wide, sizeof(scalar_t));
}

size_t X(qr_desk_bytes)(const backend_t *be, int64_t m, int64_t n, int64_t wide)
{
    arena_t count = {0};
    qr_work_t w;
    X(qr_carve)(&count, be, m, n, wide, &w);
    const size_t blocks = gsvd_arena_bytes(&count);
    const size_t once = X(form_bytes)(m, min_i(m, wide), be->block, n);
    return blocks > once ? blocks : once;
}

gsvd_status_t X(block_form)(gsvd_handle_t h, const backend_t *be, mat_t A,
                            const scalar_t *tau, qr_work_t *w)
{
    w->V = mat_view(w->V.data, A.rows, A.cols, max_i(A.rows, 1));
    w->T = mat_view(w->T.data, A.cols, A.cols, max_i(A.cols, 1));
    w->S = mat_view(w->S.data, A.cols, A.cols, max_i(A.cols, 1));
    GSVD_TRY(be->unit_lower(h, A, w->V));
    GSVD_TRY(be->gemm(h, 'C', 'N', w->V, w->V, w->S));
    return be->triangle(h, w->S, tau, w->T);
}

gsvd_status_t X(block_apply)(gsvd_handle_t h, const backend_t *be, char side,
                             char op, const qr_work_t *w, mat_t C)
{
    const int64_t b = w->T.cols;

    if (side == 'L') {
        const mat_t W = mat_view(w->W, b, C.cols, b);
        const mat_t Y = mat_view(w->Y, b, C.cols, b);
        GSVD_TRY(be->gemm(h, 'C', 'N', w->V, C, W));
        GSVD_TRY(be->gemm(h, op, 'N', w->T, W, Y));
        return be->gemm_sub(h, 'N', 'N', w->V, Y, C);
    }
    const mat_t W = mat_view(w->W, C.rows, b, max_i(C.rows, 1));
    const mat_t Y = mat_view(w->Y, C.rows, b, max_i(C.rows, 1));
    GSVD_TRY(be->gemm(h, 'N', 'N', C, w->V, W));
    GSVD_TRY(be->gemm(h, 'N', op, W, w->T, Y));
    return be->gemm_sub(h, 'N', 'C', Y, w->V, C);
}
