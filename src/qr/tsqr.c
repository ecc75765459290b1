/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr.c -- QR of a tall panel by Givens rotations; CPU twin of tsqr.cu. */
#include "qr/tsqr.h"

#include <string.h>

#include "qr/givens.h"

enum { B = TSQR_WIDTH, MOST_BLOCKS = 1024 };

/* a square by rows */
#define square_t X(square_t)
typedef scalar_t square_t[B][B];

/* Where rotations go or come from, by rows of b; c == NULL: nowhere. */
#define rotations_t X(rotations_t)
typedef struct rotations_t {
    real_t *c;
    scalar_t *s;
    int b;
} rotations_t;

static void keep(rotations_t to, int i, int j, givens_t G)
{
    if (to.c) {
        to.c[i * to.b + j] = G.c;
        to.s[i * to.b + j] = G.s;
    }
}

/* -- up ---------------------------------------------------------------------- */

/* S := the leaf of A from row first on, with zeros around it */
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
                givens_undo(from.c[i * b + j], from.s[i * b + j], &S[j][l],
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
            const int at = t.bottom * b + t.column;
            for (int l = 0; l < b; ++l)
                givens_undo(from.c[at], from.s[at], &S[t.top][l],
                            &S[t.bottom][l]);
        }
}

/* -- Householder vectors ----------------------------------------------------- */

/* On entry S is the first leaf of Q.  S := V below the diagonal, U above it, and the inverse of U's
 * diagonal on it; sign := the diagonal that tsqr.h calls S */
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

size_t X(tsqr_r_bytes)(int64_t m, int64_t b)
{
    const size_t blocks = (size_t)min_i(tsqr_leaves(m), MOST_BLOCKS);
    return (size_t)(b * b) * blocks * sizeof(scalar_t);
}

/* A(first:first+32, :) := the rows of S */
static void store_leaf(square_t S, mat_t A, int64_t first)
{
    const int rows = (int)min_i(A.rows - first, B);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int i = 0; i < rows; ++i)
            AT(A, first + i, j) = S[i][j];
}

/* S := triangle number k, zeros around it */
static void load_triangle(tsqr_places_t p, int64_t k, int b, square_t S)
{
    const scalar_t *const from = tsqr_place(p, k, b).triangle;
    memset(S, 0, sizeof(square_t));
    for (int i = 0; i < b; ++i)
        for (int j = 0; j < b; ++j)
            S[i][j] = from[i * b + j];
}

static void store_triangle(square_t S, int b, tsqr_places_t p, int64_t k)
{
    scalar_t *const to = tsqr_place(p, k, b).triangle;
    for (int i = 0; i < b; ++i)
        for (int j = 0; j < b; ++j)
            to[i * b + j] = S[i][j];
}

/* The rotations of place number k are kept, or go nowhere. */
static rotations_t rotations(tsqr_places_t p, int64_t k, int b, int kept)
{
    const tsqr_places_t at = tsqr_place(p, k, b);
    const rotations_t r = {kept ? at.c : NULL, at.s, b};
    return r;
}

/* The tree over the first `count` places: triangle 0 := R of all */
static void tree_up(tsqr_places_t p, int64_t count, int b, int kept)
{
    square_t S, Y;
    for (int64_t half = 1; half < count; half *= 2)
        for (int64_t k = 0; k + half < count; k += 2 * half) {
            load_triangle(p, k, b, S);
            load_triangle(p, k + half, b, Y);
            merge_up(b, S, Y, rotations(p, k + half, b, kept));
            store_triangle(S, b, p, k);
        }
}

/* The tree downwards: triangle k := the rows of Q for it, from the rows for all, which
 * are in triangle 0. */
static void tree_down(tsqr_places_t p, int64_t count, int b)
{
    square_t S, Y;
    int64_t half = 1;
    while (half < count)
        half *= 2;
    for (half /= 2; half > 0; half /= 2)
        for (int64_t k = 0; k + half < count; k += 2 * half) {
            load_triangle(p, k, b, S);
            merge_down(b, S, Y, rotations(p, k + half, b, 1));
            store_triangle(S, b, p, k);
            store_triangle(Y, b, p, k + half);
        }
}

/* Triangle 0 of p := R of the leaves first, first + 1, ... of A, as many as count */
static void group_up(const tsqr_table_t *table, mat_t A, int64_t first,
                     int64_t count, tsqr_places_t p, int kept)
{
    const int b = (int)A.cols;
    square_t S;
    for (int64_t k = 0; k < count; ++k) {
        load_leaf(A, (first + k) * B, S);
        leaf_up(table, b, S, rotations(p, k, b, kept));
        store_triangle(S, b, p, k);
    }
    tree_up(p, count, b, kept);
}

/* A's rows of these leaves := rows of Q, from the rows for all, which are triangle 0 of
 * p; S := the rows of the first leaf. */
static void group_down(const tsqr_table_t *table, mat_t A, int64_t first,
                       int64_t count, tsqr_places_t p, square_t S)
{
    const int b = (int)A.cols;
    tree_down(p, count, b);
    for (int64_t k = count - 1; k >= 0; --k) {
        load_triangle(p, k, b, S);
        leaf_down(table, b, S, rotations(p, k, b, 1));
        store_leaf(S, A, (first + k) * B);
    }
}

/* 1: root := R of A with a nonnegative diagonal, phase of D */
static void up(const tsqr_table_t *table, mat_t A, const tsqr_work_t *w,
               square_t root, scalar_t *phase)
{
    const int b = w->b, all = w->group == 1;
    const int64_t groups = (w->leaves + w->group - 1) / w->group;
    square_t S;

    for (int64_t g = 0; g < groups; ++g) {
        const int64_t first = g * w->group;
        const int64_t count = min_i(w->group, w->leaves - first);
        const tsqr_places_t p = all ? tsqr_place(w->kept, g, b) : w->again;
        group_up(table, A, first, count, p, all);
        load_triangle(p, 0, b, S);
        store_triangle(S, b, w->kept, g);
    }
    tree_up(w->kept, groups, b, 1);
    load_triangle(w->kept, 0, b, root);
    make_positive(b, root, phase);
}

/* 2: A := Q, S its first leaf */
static void down(const tsqr_table_t *table, mat_t A, const tsqr_work_t *w,
                 const scalar_t *phase, square_t S)
{
    const int b = w->b, all = w->group == 1;
    const int64_t groups = (w->leaves + w->group - 1) / w->group;

    memset(S, 0, sizeof(square_t));
    for (int j = 0; j < b; ++j)
        S[j][j] = phase[j];
    store_triangle(S, b, w->kept, 0);
    tree_down(w->kept, groups, b);
    for (int64_t g = groups - 1; g >= 0; --g) {
        const int64_t first = g * w->group;
        const int64_t count = min_i(w->group, w->leaves - first);
        const tsqr_places_t p = all ? tsqr_place(w->kept, g, b) : w->again;
        if (!all) {
            group_up(table, A, first, count, p, 1);
            load_triangle(w->kept, g, b, S);
            store_triangle(S, b, p, 0);
        }
        group_down(table, A, first, count, p, S);
    }
}

gsvd_status_t X(tsqr_panel_cpu)(const exec_t *ex, mat_t A, scalar_t *tau,
                                void *own, void *groups)
{
    (void)ex;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    const tsqr_work_t w = tsqr_carve(A.rows, A.cols, 1, own, groups);
    const int b = w.b;
    square_t root, S, Y;
    scalar_t phase[B];
    real_t sign[B];
    tsqr_table_t table;

    table.steps = gsvd_modi_clarke(B, b, table.turn[0]);
    up(&table, A, &w, root, phase);
    down(&table, A, &w, phase, S);

    /* 3. Q - (S; 0) = V U */
    reconstruct(b, S, sign, tau);
    for (int64_t k = 1; k < w.leaves; ++k) {
        load_leaf(A, k * B, Y);
        solve_rows(b, Y, S);
        store_leaf(Y, A, k * B);
    }
    for (int i = 0; i < b; ++i)
        for (int j = i; j < b; ++j)
            S[i][j] = scale(sign[i], root[i][j]);
    store_leaf(S, A, 0);
    return GSVD_SUCCESS;
}

gsvd_status_t X(tsqr_r_cpu)(const exec_t *ex, mat_t A, mat_t R, void *work)
{
    (void)ex;
    (void)work;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    const int b = (int)A.cols;
    const rotations_t nowhere = {NULL, NULL, 0};
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
