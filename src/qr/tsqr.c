/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr.c -- QR of a tall panel by Givens rotations; CPU twin of tsqr.cu. */
#include "qr/tsqr.h"

#include <string.h>

#include "qr/givens.h"

enum { B = TSQR_WIDTH, SQUARE = TSQR_SQUARE, MOST_BLOCKS = 2048 };

/* a square by rows */
#define square_t X(square_t)
typedef scalar_t square_t[B][B];

/* where rotations go, or come from; c == NULL: nowhere */
#define rotations_t X(rotations_t)
typedef struct rotations_t {
    real_t *c;
    scalar_t *s;
} rotations_t;

static void keep(rotations_t to, int i, int j, givens_t G)
{
    if (to.c) {
        to.c[i * B + j] = G.c;
        to.s[i * B + j] = G.s;
    }
}

/* -- up ---------------------------------------------------------------------- */

/* S := the leaf of A from row first on, zeros around it */
static void load_leaf(mat_t A, int64_t first, square_t S)
{
    const int rows = (int)min_i(A.rows - first, B);
    for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j)
            S[i][j] = i < rows && j < A.cols ? AT(A, first + i, j) : make(0, 0);
}

/* (x; y) := G (x; y) with y[j] := 0, from column j on */
static void rotate_rows(givens_t G, int j, int b, scalar_t *x, scalar_t *y)
{
    for (int l = j + 1; l < b; ++l)
        givens_apply(G.c, G.s, &x[l], &y[l]);
    x[j] = G.r;
    y[j] = make(0, 0);
}

/* S := R of S */
static void leaf_up(const tsqr_table_t *table, int b, square_t S,
                    rotations_t to)
{
    for (int step = 0; step < table->steps; ++step)
        for (int group = 0; group < TSQR_GROUPS; ++group) {
            const turn_t t = table->turn[step][group];
            if (t.column == GIVENS_WAIT)
                break;
            const givens_t G =
                givens(S[t.top][t.column], S[t.bottom][t.column]);
            rotate_rows(G, t.column, b, S[t.top], S[t.bottom]);
            keep(to, t.bottom, t.column, G);
        }
}

/* S := R of (S; Y), two triangles; Y := 0 */
static void merge_up(int b, square_t S, square_t Y, rotations_t to)
{
    for (int step = 0; step < b; ++step)
        for (int i = 0; peel_column(step, i) < b; ++i) {
            const int j = peel_column(step, i);
            const givens_t G = givens(S[j][j], Y[i][j]);
            rotate_rows(G, j, b, S[j], Y[i]);
            keep(to, i, j, G);
        }
}

/* S := D^H S with a nonnegative diagonal; phase := the diagonal of D */
static void make_positive(int b, square_t S, scalar_t *phase)
{
    for (int j = 0; j < b; ++j) {
        phase[j] = direction(S[j][j]);
        for (int l = j; l < b; ++l)
            S[j][l] = mul(conj_of(phase[j]), S[j][l]);
        S[j][j] = make(re(S[j][j]), 0);
    }
}

/* -- down -------------------------------------------------------------------- */

/* (S; Y) := the inverse of merge_up applied to (S; 0) */
static void merge_down(int b, square_t S, square_t Y, rotations_t from)
{
    memset(Y, 0, sizeof(square_t));
    for (int step = b - 1; step >= 0; --step)
        for (int i = 0; peel_column(step, i) < b; ++i) {
            const int j = peel_column(step, i);
            for (int l = 0; l < b; ++l)
                givens_undo(from.c[i * B + j], from.s[i * B + j], &S[j][l],
                            &Y[i][l]);
        }
}

/* S := the inverse of leaf_up applied to S */
static void leaf_down(const tsqr_table_t *table, int b, square_t S,
                      rotations_t from)
{
    for (int step = table->steps - 1; step >= 0; --step)
        for (int group = 0; group < TSQR_GROUPS; ++group) {
            const turn_t t = table->turn[step][group];
            if (t.column == GIVENS_WAIT)
                break;
            const int at = t.bottom * B + t.column;
            for (int l = 0; l < b; ++l)
                givens_undo(from.c[at], from.s[at], &S[t.top][l],
                            &S[t.bottom][l]);
        }
}

/* -- Householder vectors ----------------------------------------------------- */

/* S, the first leaf of Q, := V below the diagonal, U above it with the inverse
 * of U's diagonal; sign := the diagonal of S in the formulas of tsqr.h */
static void reconstruct(int b, square_t S, real_t *sign, scalar_t *tau)
{
    for (int j = 0; j < b; ++j) {
        sign[j] = re(S[j][j]) >= 0 ? -1 : 1;
        const scalar_t pivot = sub(S[j][j], make(sign[j], 0));
        const scalar_t inverse = scale(1 / abs2(pivot), conj_of(pivot));
        tau[j] = scale(-sign[j], pivot);
        S[j][j] = inverse;
        for (int i = j + 1; i < B; ++i) {
            const scalar_t v = mul(S[i][j], inverse);
            S[i][j] = v;
            for (int l = j + 1; l < b; ++l)
                S[i][l] = mul_add(make(-re(v), -im(v)), S[j][l], S[i][l]);
        }
    }
}

/* V := Q U^-1, the rows of one leaf */
static void solve_rows(int b, square_t S, square_t U)
{
    for (int i = 0; i < B; ++i)
        for (int j = 0; j < b; ++j) {
            const scalar_t v = mul(S[i][j], U[j][j]);
            S[i][j] = v;
            for (int l = j + 1; l < b; ++l)
                S[i][l] = mul_add(make(-re(v), -im(v)), U[j][l], S[i][l]);
        }
}

/* -- the tree ---------------------------------------------------------------- */

size_t X(tsqr_panel_bytes)(int64_t m)
{
    const size_t leaves = (size_t)tsqr_leaves(m);
    return SQUARE *
           ((2 * leaves + 2) * sizeof(scalar_t) + leaves * sizeof(real_t));
}

size_t X(tsqr_r_bytes)(int64_t m)
{
    const size_t blocks = (size_t)min_i(tsqr_leaves(m), MOST_BLOCKS);
    return SQUARE * blocks * sizeof(scalar_t);
}

static square_t *square(scalar_t *first, int64_t k)
{
    return (square_t *)(first + k * SQUARE);
}

static rotations_t rotations(const tsqr_work_t *w, int64_t k)
{
    const rotations_t r = {w->c + k * SQUARE, w->s + k * SQUARE};
    return r;
}

/* A(first:first+32, :) := the rows of S */
static void store_leaf(square_t S, mat_t A, int64_t first)
{
    const int rows = (int)min_i(A.rows - first, B);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int i = 0; i < rows; ++i)
            AT(A, first + i, j) = S[i][j];
}

gsvd_status_t X(tsqr_panel_cpu)(gsvd_handle_t h, mat_t A, scalar_t *tau,
                                void *work)
{
    (void)h;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    const tsqr_work_t w = tsqr_carve(A.rows, work);
    const int b = (int)A.cols;
    scalar_t phase[B];
    real_t sign[B];
    tsqr_table_t table;
    int64_t half = 1;

    /* 1. up: R */
    table.steps = gsvd_modi_clarke(B, b, table.turn[0]);
    for (int64_t k = 0; k < w.leaves; ++k) {
        load_leaf(A, k * B, *square(w.triangle, k));
        leaf_up(&table, b, *square(w.triangle, k), rotations(&w, k));
    }
    for (; half < w.leaves; half *= 2)
        for (int64_t k = 0; k + half < w.leaves; k += 2 * half)
            merge_up(b, *square(w.triangle, k), *square(w.triangle, k + half),
                     rotations(&w, k + half));
    make_positive(b, *square(w.triangle, 0), phase);
    memcpy(w.root, w.triangle, sizeof(square_t));

    /* 2. down: Q */
    memset(w.triangle, 0, sizeof(square_t));
    for (int j = 0; j < b; ++j)
        w.triangle[j * B + j] = phase[j];
    for (half /= 2; half > 0; half /= 2)
        for (int64_t k = 0; k + half < w.leaves; k += 2 * half)
            merge_down(b, *square(w.triangle, k), *square(w.triangle, k + half),
                       rotations(&w, k + half));
    for (int64_t k = 0; k < w.leaves; ++k)
        leaf_down(&table, b, *square(w.triangle, k), rotations(&w, k));

    /* 3. Q - (S; 0) = V U */
    reconstruct(b, *square(w.triangle, 0), sign, tau);
    for (int64_t k = 1; k < w.leaves; ++k) {
        solve_rows(b, *square(w.triangle, k), *square(w.triangle, 0));
        store_leaf(*square(w.triangle, k), A, k * B);
    }
    for (int i = 0; i < b; ++i)
        for (int j = i; j < b; ++j)
            w.triangle[i * B + j] = scale(sign[i], w.root[i * B + j]);
    store_leaf(*square(w.triangle, 0), A, 0);
    return GSVD_SUCCESS;
}

gsvd_status_t X(tsqr_r_cpu)(gsvd_handle_t h, mat_t A, mat_t R, void *work)
{
    (void)h;
    (void)work;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    const int b = (int)A.cols;
    const rotations_t nowhere = {NULL, NULL};
    square_t S, Y;
    scalar_t phase[B];
    tsqr_table_t table;

    table.steps = gsvd_modi_clarke(B, b, table.turn[0]);
    memset(S, 0, sizeof S);
    for (int64_t k = 0; k < tsqr_leaves(A.rows); ++k) {
        load_leaf(A, k * B, Y);
        leaf_up(&table, b, Y, nowhere);
        merge_up(b, S, Y, nowhere);
    }
    make_positive(b, S, phase);
    store_leaf(S, R, 0);
    return GSVD_SUCCESS;
}
