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
#include "core/vector.h"
#include "qr/qr.h"
#include "qr/reflect.h"
#include "qr/tsqr.h"

enum {
    BLOCK = 64, /* the widest panel of the CPU's table                       */
    LEAF = 4,   /* columns that are reflected one by one                     */
    SMALL = 128 * 128 /* elements of a panel that all are                    */
};

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t X(qr_kernel_bytes_cpu)(const exec_t *ex, kernels_t what, int64_t m,
                              int64_t n, int64_t cols)
{
    const size_t each = sizeof(scalar_t);
    const int64_t widest = max_i(max_i(m, n), max_i(cols, 1));
    const int64_t b = min_i(TSQR_WIDTH, n);
    size_t bytes = 2 * (size_t)min_i(widest, REFLECTED_ROWS) * each;

    if (what & KERNELS_PANELS) {
        const size_t panel = 3 * BLOCK * BLOCK * each;
        const int tsqr = ex->policy.panel == GSVD_PANEL_TSQR;
        bytes = larger(bytes, panel + (tsqr ? tsqr_own_bytes(m, b, 1) : 0));
        bytes = larger(bytes, X(r_only_bytes_cpu)(b));
    }
    return bytes;
}

/* T of the b reflectors in V by inner products */
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

/* R and reflectors alone, of a panel that fits a cache */
static gsvd_status_t one_by_one(const exec_t *ex, mat_t A, scalar_t *tau)
{
    void *scratch;
    GSVD_TRY(X(kernel_work)(ex, (size_t)A.rows * sizeof(scalar_t), &scratch));
    scalar_t *const room = scratch;

    for (int64_t j = 0; j < A.cols; ++j) {
        scalar_t *const v = &AT(A, j, j);
        tau[j] = X(reflector)(A.rows - j, v);
        const scalar_t beta = v[0];
        v[0] = make(1, 0);
        X(reflect_columns)
        (conj_of(tau[j]), v,
         mat_view(v + A.ld, A.rows - j, A.cols - j - 1, A.ld), room);
        v[0] = beta;
    }
    return GSVD_SUCCESS;
}

typedef struct room {
    scalar_t *W, *Y; /* b^2 / 4 elements each                                */
    void *tsqr;      /* NULL: Householder's reflectors                       */
    void *groups;    /* of tsqr.h; NULL: in V, which lies in one piece       */
} room_t;

/* The same by TSQR.  From V's first entry on, its columns and what stands above them
 * are free. */
static void tree(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V, mat_t T,
                 const room_t *room)
{
    (void)X(tsqr_panel_cpu)(ex, A, tau, room->tsqr,
                            room->groups ? room->groups : V.data);
    (void)X(unit_lower_cpu)(ex, A, V);
    leaf_triangle(V, tau, T);
}

static void recurse(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V, mat_t T,
                    const room_t *room)
{
    const int64_t b = A.cols, b1 = b / 2, b2 = b - b1, m = A.rows;
    if (room->tsqr && b <= TSQR_WIDTH) {
        tree(ex, A, tau, V, T, room);
        return;
    }
    if (b <= LEAF) {
        leaf(ex, A, tau, V, T);
        return;
    }
    const mat_t V1 = mat_cols(V, 0, b1), V2 = mat_sub(V, b1, b1, m - b1, b2);
    const mat_t T1 = mat_sub(T, 0, 0, b1, b1), T2 = mat_sub(T, b1, b1, b2, b2);
    const mat_t A2 = mat_cols(A, b1, b2);
    const mat_t W = mat_view(room->W, b1, b2, b1);
    const mat_t Y = mat_view(room->Y, b1, b2, b1);

    recurse(ex, mat_cols(A, 0, b1), tau, V1, T1, room); /* 1 */

    (void)X(gemm_cpu)(ex, 'C', 'N', V1, A2, W); /* 2 */
    (void)X(gemm_cpu)(ex, 'C', 'N', T1, W, Y);
    (void)X(gemm_sub_cpu)(ex, 'N', 'N', V1, Y, A2);

    recurse(ex, mat_rows(A2, b1, m - b1), tau + b1, V2, T2, room); /* 3 */

    (void)X(set_cpu)(ex, mat_sub(V, 0, b1, b1, b2), 0, 0); /* 4 */
    (void)X(set_cpu)(ex, mat_sub(T, b1, 0, b2, b1), 0, 0);
    (void)X(gemm_cpu)(ex, 'C', 'N', mat_rows(V1, b1, m - b1), V2, W);
    (void)X(gemm_cpu)(ex, 'N', 'N', T1, W, Y);
    const mat_t T12 = mat_sub(T, 0, b1, b1, b2);
    (void)X(set_cpu)(ex, T12, 0, 0);
    (void)X(gemm_sub_cpu)(ex, 'N', 'N', Y, T2, T12);
}

gsvd_status_t X(panel_cpu)(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V,
                           mat_t T)
{
    const int64_t m = A.rows, b = A.cols;
    const int tsqr =
        ex->policy.panel == GSVD_PANEL_TSQR && !ex->policy.rowwise_stable;
    void *scratch;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (!tsqr && !T.data && m * b <= SMALL)
        return one_by_one(ex, A, tau);
    if (!tsqr && b <= LEAF) {
        leaf(ex, A, tau, V, T);
        return GSVD_SUCCESS;
    }
    const int64_t wide = min_i(b, TSQR_WIDTH), each = sizeof(scalar_t);
    const int64_t own = tsqr ? (int64_t)tsqr_own_bytes(m, wide, 1) : 0;
    const int64_t groups =
        tsqr && V.data && V.ld > m ? (int64_t)tsqr_room_bytes(m, wide, 1) : 0;
    const int64_t entries = 3 * b * b + (V.data ? 0 : m * b);
    GSVD_TRY(
        X(kernel_work)(ex, (size_t)(entries * each + own + groups), &scratch));
    char *const tree = (char *)scratch + entries * each;
    const room_t room = {scratch, (scalar_t *)scratch + b * b,
                         tsqr ? tree : NULL, groups > 0 ? tree + own : NULL};
    if (!T.data)
        T = mat_view(room.Y + b * b, b, b, b);
    if (!V.data)
        V = mat_view(room.Y + 2 * b * b, m, b, m);
    recurse(ex, A, tau, V, T, &room);
    return GSVD_SUCCESS;
}
