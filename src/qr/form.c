/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* form.c -- many columns of Q at once: all k reflectors are one block,
 *
 *     Q = H_1 ... H_k (I; 0) = (I; 0) - V W,   W = T V1^H
 *
 * where V1 is V in the rows of I.  For m x c this takes 2 m c k operations, and blocks one after
 * another take 4 m c k.  The inner dimension of the products is k, not a block's number of
 * columns.  T and W cost (m + c) k^2 more.  So this is for k well below m and c (form_pays), or
 * for a single block, where V needs no copy.
 *
 * T by block columns: T(0:j,j:j+b) = -T(0:j,0:j) S T(j:j+b,j:j+b) with S = V(:,0:j)^H V(:,j:j+b).
 * V is stored in Q's own first k columns.  These are written last, some rows at a time through a
 * copy.  Their W is the product of two triangles and takes the place of T.
 */
#include "qr/qr.h"

/* So many rows of V are copied at a time, or W has so many columns: STRIP at least,
 * and as many as make SOME entries. */
enum { STRIP = 1024, SOME = 1 << 21 };

/* The driver's work: T of k reflectors, and one piece of memory that the other
 * matrices have one after the other. */
#define form_t X(form_t)
typedef struct form_t {
    mat_t T;     /* k x k                                                    */
    mat_t S, Y;  /* k x b                                                    */
    mat_t D, Ts; /* b x k: V^H V and T of each block by itself               */
    mat_t W;     /* k rows, of columns behind the first k                    */
    mat_t some;  /* 2 b x k: rows of W of the first k columns                */
    mat_t strip; /* rows of V                                                */
} form_t;

/* of that one piece */
static int64_t shared_entries(int64_t m, int64_t b, int64_t k)
{
    return max_i(4 * b * k, min_i(max_i(STRIP * k, SOME), m * k));
}

/* memory + entries; NULL where an arena counts */
static scalar_t *behind(scalar_t *memory, int64_t entries)
{
    return memory ? memory + entries : NULL;
}

/* k > 0 */
static void carve(arena_t *a, int64_t m, int64_t c, int64_t b, int64_t k,
                  form_t *f)
{
    const int64_t entries = shared_entries(m, b, k), each = entries / k;
    f->T = X(take_matrix)(a, k, k);
    scalar_t *const shared = gsvd_arena_take(a, entries, sizeof(scalar_t));
    f->S = mat_view(shared, k, b, k);
    f->Y = mat_view(behind(shared, b * k), k, b, k);
    f->D = mat_view(behind(shared, 2 * b * k), b, k, b);
    f->Ts = mat_view(behind(shared, 3 * b * k), b, k, b);
    f->W = mat_view(shared, k, min_i(c - k, each), k);
    f->some = mat_view(shared, min_i(2 * b, k), k, min_i(2 * b, k));
    f->strip = mat_view(shared, min_i(m, each), k, min_i(m, each));
}

int X(form_pays)(int64_t m, int64_t c, int64_t b, int64_t k)
{
    return k > b && c <= m && m * c >= (m + c) * k;
}

size_t X(form_bytes)(int64_t m, int64_t c, int64_t b, int64_t most)
{
    const int64_t many = min_i(most, c > 0 ? m * c / (m + c) : 0);
    const int64_t k = X(form_pays)(m, c, b, many) ? many : min_i(most, b);
    arena_t count = {0};
    form_t f;
    if (k <= 0)
        return 0;
    carve(&count, m, c, b, k, &f);
    return gsvd_arena_bytes(&count);
}

/* f->T := T of all reflectors in V, from those of blocks */
static gsvd_status_t triangle(const exec_t *ex, mat_t V, const scalar_t *tau,
                              int64_t block, const form_t *f)
{
    const mat_t T = f->T;

    for (int64_t j = 0; j < T.cols; j += block) {
        const int64_t b = min_i(block, T.cols - j);
        const mat_t Vj = mat_sub(V, j, j, V.rows - j, b);
        GSVD_TRY(ex->op->gemm(ex, 'C', 'N', Vj, Vj, mat_sub(f->D, 0, j, b, b)));
    }
    GSVD_TRY(ex->op->triangle(ex, f->D, tau, block, f->Ts));
    GSVD_TRY(ex->op->set(ex, T, 0, 0));
    for (int64_t j = 0; j < T.cols; j += block) {
        const int64_t b = min_i(block, T.cols - j), rows = V.rows - j;
        const mat_t S = mat_view(f->S.data, max_i(j, 1), b, max_i(j, 1));
        const mat_t Y = mat_view(f->Y.data, max_i(j, 1), b, max_i(j, 1));
        const mat_t Tj = mat_sub(f->Ts, 0, j, b, b);

        GSVD_TRY(ex->op->copy(ex, Tj, mat_sub(T, j, j, b, b)));
        if (j == 0)
            continue;
        GSVD_TRY(ex->op->gemm(ex, 'C', 'N', mat_sub(V, j, 0, rows, j),
                              mat_sub(V, j, j, rows, b), S));
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', S, Tj, Y));
        GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', mat_sub(T, 0, 0, j, j), Y,
                                  mat_sub(T, 0, j, j, b)));
    }
    return GSVD_SUCCESS;
}

/* W := T V1^H for some rows V1 of V; blocks of T's zeros are left out. */
static gsvd_status_t coefficients(const exec_t *ex, mat_t T, mat_t V1,
                                  int64_t block, mat_t W)
{
    for (int64_t i = 0; i < T.rows; i += block) {
        const int64_t b = min_i(block, T.rows - i), rest = T.cols - i;
        GSVD_TRY(ex->op->gemm(ex, 'N', 'C', mat_sub(T, i, i, b, rest),
                              mat_cols(V1, i, rest), mat_rows(W, i, b)));
    }
    return GSVD_SUCCESS;
}

/* T := T V1^H for the first rows V1 of V: both are triangles, and `some` holds the
 * rows that are computed at a time. */
static gsvd_status_t coefficients_in_place(const exec_t *ex, mat_t T, mat_t V1,
                                           mat_t some)
{
    for (int64_t i = 0; i < T.rows; i += some.rows) {
        const int64_t b = min_i(some.rows, T.rows - i), rest = T.cols - i;
        const mat_t W = mat_rows(some, 0, b);
        GSVD_TRY(ex->op->gemm(ex, 'N', 'C', mat_sub(T, i, i, b, rest),
                              mat_cols(V1, i, rest), W));
        GSVD_TRY(ex->op->copy(ex, W, mat_rows(T, i, b)));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(form_q_single_block)(const exec_t *ex, mat_t A, int64_t k,
                                     const scalar_t *tau)
{
    const int64_t m = A.rows, c = A.cols, b = ex->tune->block, wide = 2 * b;
    const mat_t V = mat_cols(A, 0, k);
    exec_t in = *ex;
    form_t f;

    carve(&in.work, m, c, b, k, &f);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->unit_lower(&in, V, V));
    GSVD_TRY(triangle(&in, V, tau, b, &f));
    for (int64_t j = k; j < c; j += f.W.cols) {
        const int64_t cols = min_i(f.W.cols, c - j);
        const mat_t W = mat_cols(f.W, 0, cols), C = mat_cols(A, j, cols);

        GSVD_TRY(coefficients(&in, f.T, mat_rows(V, j, cols), wide, W));
        GSVD_TRY(in.op->set(&in, mat_rows(C, 0, j), 0, 0));
        GSVD_TRY(in.op->set(&in, mat_rows(C, j, m - j), 0, 1));
        GSVD_TRY(in.op->gemm_sub(&in, 'N', 'N', V, W, C));
    }
    GSVD_TRY(coefficients_in_place(&in, f.T, mat_rows(V, 0, k), f.some));
    const mat_t W = f.T;
    for (int64_t i = 0; i < m; i += f.strip.rows) {
        const int64_t rows = min_i(f.strip.rows, m - i);
        const mat_t strip = mat_rows(f.strip, 0, rows);

        GSVD_TRY(in.op->copy(&in, mat_rows(V, i, rows), strip));
        GSVD_TRY(in.op->set(&in, mat_rows(V, i, rows), 0, 0));
        if (i < k)
            GSVD_TRY(in.op->set(&in, mat_sub(V, i, i, rows, k - i), 0, 1));
        GSVD_TRY(
            in.op->gemm_sub(&in, 'N', 'N', strip, W, mat_rows(V, i, rows)));
    }
    return GSVD_SUCCESS;
}
