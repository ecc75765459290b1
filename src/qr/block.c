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
                 int64_t across, qr_work_t *w)
{
    const int64_t k = min_i(m, n), b = min_i(be->block, k);
    const int64_t c = min_i(be->wide, k);
    w->V = take_matrix(a, m, c);
    w->T = take_matrix(a, c, c);
    w->S = take_matrix(a, b, k);
    w->Ts = take_matrix(a, b, k);
    w->W = gsvd_arena_take(a, c * across, sizeof(scalar_t));
    w->Y = gsvd_arena_take(a, c * across, sizeof(scalar_t));
}

size_t X(qr_desk_bytes)(const backend_t *be, int64_t m, int64_t n,
                        int64_t across)
{
    arena_t count = {0};
    qr_work_t w;
    X(qr_carve)(&count, be, m, n, across, &w);
    const size_t blocks = gsvd_arena_bytes(&count);
    const size_t once = X(form_bytes)(m, min_i(m, across), be->block, n);
    return blocks > once ? blocks : once;
}

gsvd_status_t X(blocks_form)(gsvd_handle_t h, const backend_t *be, mat_t A,
                             const scalar_t *tau, qr_work_t *w)
{
    const int64_t k = A.cols, block = min_i(be->block, k);

    for (int64_t j = 0; j < k; j += block) {
        const int64_t b = min_i(block, k - j), m = A.rows - j;
        const mat_t V = mat_view(w->V.data, m, b, m);
        GSVD_TRY(be->unit_lower(h, mat_sub(A, j, j, m, b), V));
        GSVD_TRY(be->gemm(h, 'C', 'N', V, V, mat_sub(w->S, 0, j, b, b)));
    }
    return be->triangle(h, mat_sub(w->S, 0, 0, block, k), tau,
                        mat_sub(w->Ts, 0, 0, block, k));
}

/* T = (T1 T12; 0 T2) of two neighbours, T12 = -T1 (V1^H V2) T2 */
static gsvd_status_t join(gsvd_handle_t h, const backend_t *be, mat_t T1,
                          mat_t T2, qr_work_t *w)
{
    const int64_t b = T1.cols, c = T2.cols, rest = w->V.rows - b;
    const mat_t V1 = mat_sub(w->V, b, 0, rest, b); /* V2 begins in row b      */
    const mat_t V2 = mat_sub(w->V, b, b, rest, c);
    const mat_t S = mat_sub(w->S, 0, 0, b, c), Y = mat_sub(w->S, 0, b, b, c);

    GSVD_TRY(be->set(h, w->T, 0, 0));
    GSVD_TRY(be->copy(h, T1, mat_sub(w->T, 0, 0, b, b)));
    GSVD_TRY(be->copy(h, T2, mat_sub(w->T, b, b, c, c)));
    GSVD_TRY(be->gemm(h, 'C', 'N', V1, V2, S));
    GSVD_TRY(be->gemm(h, 'N', 'N', T1, S, Y));
    return be->gemm_sub(h, 'N', 'N', Y, T2, mat_sub(w->T, 0, b, b, c));
}

gsvd_status_t X(block_take)(gsvd_handle_t h, const backend_t *be, mat_t A,
                            int64_t j, int64_t c, qr_work_t *w)
{
    const int64_t m = A.rows - j, b = min_i(be->block, c);
    const mat_t T1 = mat_sub(w->Ts, 0, j, b, b);

    w->V = mat_view(w->V.data, m, c, m);
    GSVD_TRY(be->unit_lower(h, mat_sub(A, j, j, m, c), w->V));
    w->T = mat_view(w->T.data, c, c, c);
    if (c == b)
        return be->copy(h, T1, w->T);
    return join(h, be, T1, mat_sub(w->Ts, 0, j + b, c - b, c - b), w);
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
