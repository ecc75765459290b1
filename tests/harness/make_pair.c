/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* make_pair.c -- pairs with prescribed ranks and generalized values.
 *
 *     A = fa U0 D1 (0 R0) Q0^H,   B = fb V0 D2 (0 R0) Q0^H
 *
 * with random unitary U0, V0, Q0 and a well conditioned triangle R0; and other
 * families, from the thesis and from what breaks programs. */
#include <stdio.h>

#include "harness/harness.h"
#include "lapacke.h"

const char *const family_name[FAMILIES] = {
    "NORMAL",         "UNIFORM",    "RANKS",        "REPEATED", "EXTREME",
    "THESIS",         "INTEGER",    "SAME_COLUMNS", "ZERO_A",   "ZERO_B",
    "ZERO_BOTH",      "IDENTITY_B", "ILL_B",        "ILL_BOTH", "GRADED_ROWS",
    "GRADED_COLUMNS", "SPARSE",     "TRIANGULAR",
};

int decimal(int exponent)
{
    return GSVD_SINGLE ? (exponent * 18 + (exponent < 0 ? -75 : 75)) / 150
                       : exponent;
}

/* A = Q R; Q m x m and the m x n upper trapezoid R. */
static void qr(mat_t A, mat_t *Q, mat_t *R)
{
    const lapack_int m = (lapack_int)A.rows, n = (lapack_int)A.cols;
    const lapack_int k = (lapack_int)min_i(m, n), b = (lapack_int)min_i(32, k);
    mat_t T = zero_mat(max_i(b, 1), max_i(k, 1));

    *Q = identity_mat(m, m);
    *R = copy_mat(A);
    if (k == 0)
        return;
    ck_assert_int_eq(0,
                     LAPACK(geqrt)(LAPACK_COL_MAJOR, m, n, b, A.data,
                                   (lapack_int)A.ld, T.data, (lapack_int)T.ld));
    ck_assert_int_eq(0, LAPACK(gemqrt)(LAPACK_COL_MAJOR, 'L', 'N', m, m, k, b,
                                       A.data, (lapack_int)A.ld, T.data,
                                       (lapack_int)T.ld, Q->data,
                                       (lapack_int)Q->ld));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(*R, i, j) = i <= j ? AT(A, i, j) : make(0, 0);
}

mat_t random_unitary(int64_t n, uint64_t *seed)
{
    mat_t Q, R;
    qr(normal_mat(n, n, seed), &Q, &R);
    return Q;
}

/* r_ij = r_ii times a number below 0.3 (1 - f^2) for j > i, f = r_jj / r_ii of
 * neighbours: at step k a column j > k that remains has the squared length
 * r_jj^2 + sum_{k <= i < j} |r_ij|^2 <= r_kk^2 (f^2 + 0.09 (1 - f^2)). */
mat_t pivoted_mat(int64_t m, int64_t n, int64_t rank, double least, int *order,
                  uint64_t *seed)
{
    const double f = rank > 1 ? pow(least, 1 / (double)(rank - 1)) : 0.5;
    mat_t R = new_mat(rank, n);

    for (int64_t j = 0; j < n; ++j)
        order[j] = (int)j;
    for (int64_t j = n - 1; j > 0; --j) {
        const int64_t k = random_below(seed, j + 1);
        const int t = order[j];
        order[j] = order[k];
        order[k] = t;
    }
    EACH_ENTRY (R, i, j) {
        const real_t d = (real_t)pow(f, (double)i);
        const real_t small = (real_t)(0.2 * (1 - f * f)) * d;
        const scalar_t r = scale(small, random_uniform_scalar(seed));
        AT(R, i, order[j]) = i == j ? make(d, 0) : i < j ? r : make(0, 0);
    }
    return product('N', 'N', mat_cols(random_unitary(m, seed), 0, rank), R);
}

/* r x r, diagonal in [1, 2], the rest small enough to keep the condition low */
static mat_t random_triangle(int64_t r, uint64_t *seed)
{
    mat_t R = zero_mat(r, r);
    const real_t off = (real_t)(0.5 / sqrt((double)max_i(1, r)));
    for (int64_t j = 0; j < r; ++j) {
        for (int64_t i = 0; i < j; ++i)
            AT(R, i, j) = scale(off, random_normal_scalar(seed));
        AT(R, j, j) = make((real_t)(1 + random_unit(seed)), 0);
    }
    return R;
}

/* W (0 T) Q^H, T of t rows and columns in the last columns */
static mat_t compose(mat_t W, mat_t T, mat_t Q)
{
    const int64_t n = Q.rows, r = T.cols;
    return product('N', 'C', product('N', 'N', W, T), mat_cols(Q, n - r, r));
}

/* the i-th of l values, alpha descending in i */
static void prescribe(family_t family, int64_t i, int64_t l, real_t *c,
                      real_t *s)
{
    static const double repeated[] = {0.8, 0.6, 0.28};
    static const double extreme[] = {0.99875, 0.6, 1e-3, GSVD_ULP, 0};
    const double at = ((double)i + 0.5) / (double)l;
    double alpha = cos(0.1 + 1.3 * at);

    if (family == REPEATED)
        alpha = repeated[(int)(3 * at)];
    if (family == EXTREME)
        alpha = extreme[(int)(5 * at)];
    *c = (real_t)alpha;
    *s = (real_t)sqrt((1 - alpha) * (1 + alpha));
}

static void with_values(sample_t *P, const recipe_t *c, uint64_t *seed)
{
    const int64_t m = c->m, n = c->n, p = c->p, k = c->k, l = c->l, r = k + l;
    const mat_t U = random_unitary(m, seed), V = random_unitary(p, seed);
    const mat_t Q = random_unitary(n, seed), R = random_triangle(r, seed);
    mat_t T1 = zero_mat(m, r), T2 = zero_mat(p, r);

    ck_assert(k >= 0 && l >= 0 && k <= m && l <= p && r <= n);
    P->k = k;
    P->l = l;
    P->alpha = grab((size_t)l * sizeof(real_t));
    P->beta = grab((size_t)l * sizeof(real_t));
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = i; j < r; ++j)
            AT(T1, i, j) = AT(R, i, j);
    for (int64_t i = 0; i < l; ++i) {
        prescribe(c->family, i, l, &P->alpha[i], &P->beta[i]);
        if (k + i >= m) {
            P->alpha[i] = 0;
            P->beta[i] = 1;
        }
        for (int64_t j = k + i; j < r; ++j) {
            if (k + i < m)
                AT(T1, k + i, j) = scale(P->alpha[i], AT(R, k + i, j));
            AT(T2, i, j) = scale(P->beta[i], AT(R, k + i, j));
        }
    }
    P->A = compose(U, T1, Q);
    P->B = compose(V, T2, Q);
}

/* A = U (0 R_A) Q^H, B = V (0 0 R_B) Q^H from the QR factorizations of
 * T1 m x (k+l) and T2 p x l and the Q of T3 n x n, all normal random */
static void thesis(sample_t *P, const recipe_t *c, uint64_t *seed)
{
    const int64_t r = c->k + c->l;
    mat_t U, V, RA, RB;

    ck_assert(c->k <= c->m && c->l <= c->p && r <= c->n);
    qr(normal_mat(c->m, r, seed), &U, &RA);
    qr(normal_mat(c->p, c->l, seed), &V, &RB);
    const mat_t Q = random_unitary(c->n, seed);
    P->A = compose(U, RA, Q);
    P->B = compose(V, RB, Q);
    P->k = c->k;
    P->l = c->l;
}

/* rows x cols with singular values from 1 down to least, geometrically */
static mat_t geometric(int64_t rows, int64_t cols, double least, uint64_t *seed)
{
    const int64_t r = min_i(rows, cols);
    mat_t U = random_unitary(rows, seed), Q = random_unitary(cols, seed);
    for (int64_t j = 0; j < r; ++j) {
        const double at = r > 1 ? (double)j / (double)(r - 1) : 0;
        scale_column(U, j, pow(least, at));
    }
    return product('N', 'C', mat_cols(U, 0, r), mat_cols(Q, 0, r));
}

static void grade_rows(mat_t A, uint64_t *seed)
{
    for (int64_t i = 0; i < A.rows; ++i)
        scale_row(A, i, pow(10, -(GSVD_SINGLE ? 4 : 8) * random_unit(seed)));
}

static void grade_columns(mat_t A, mat_t B, uint64_t *seed)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        const double u = 2 * random_unit(seed) - 1;
        const double factor = pow(10, (GSVD_SINGLE ? 3 : 6) * u);
        scale_column(A, j, factor);
        scale_column(B, j, factor);
    }
}

/* -2 .. 2, more than half of them 0 */
static void make_integer(mat_t A, uint64_t *seed)
{
    EACH_ENTRY (A, i, j) {
        const int64_t x = random_below(seed, 12), y = random_below(seed, 12);
        AT(A, i, j) =
            make(x < 5 ? (real_t)(x - 2) : 0, y < 5 ? (real_t)(y - 2) : 0);
    }
}

/* one entry in six stays; every fourth column and every fifth row is zero */
static void make_sparse(mat_t A, uint64_t *seed)
{
    EACH_ENTRY (A, i, j)
        if (random_below(seed, 6) || j % 4 == 1 || i % 5 == 2)
            AT(A, i, j) = make(0, 0);
}

static void make_upper(mat_t A)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = j + 1; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
}

static void repeat_first_column(mat_t A)
{
    for (int64_t j = 1; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = AT(A, i, 0);
}

static void multiply(mat_t A, double factor)
{
    if (factor != 1)
        for (int64_t j = 0; j < A.cols; ++j)
            scale_column(A, j, factor);
}

sample_t make_pair(const recipe_t *c, uint64_t seed)
{
    sample_t P = {.k = -1, .l = -1, .fa = 1, .fb = 1};
    uint64_t s = seed * 0x2545f4914f6cdd1du + 1;
    const double least = GSVD_ULP;

    P.A = c->family == UNIFORM ? random_mat(c->m, c->n, &s)
                               : normal_mat(c->m, c->n, &s);
    P.B = c->family == UNIFORM ? random_mat(c->p, c->n, &s)
                               : normal_mat(c->p, c->n, &s);
    switch (c->family) {
    case RANKS:
    case REPEATED:
    case EXTREME: with_values(&P, c, &s); break;
    case THESIS: thesis(&P, c, &s); break;
    case INTEGER:
        make_integer(P.A, &s);
        make_integer(P.B, &s);
        break;
    case SAME_COLUMNS:
        repeat_first_column(P.A);
        repeat_first_column(P.B);
        break;
    case ZERO_A: fill(P.A, make(0, 0)); break;
    case ZERO_B: fill(P.B, make(0, 0)); break;
    case ZERO_BOTH:
        fill(P.A, make(0, 0));
        fill(P.B, make(0, 0));
        break;
    case IDENTITY_B: P.B = identity_mat(c->p, c->n); break;
    case ILL_BOTH:
        P.A = geometric(c->m, c->n, sqrt(least), &s); /* and B */
    /* fall through */
    case ILL_B: P.B = geometric(c->p, c->n, least, &s); break;
    case GRADED_ROWS:
        grade_rows(P.A, &s);
        grade_rows(P.B, &s);
        break;
    case GRADED_COLUMNS: grade_columns(P.A, P.B, &s); break;
    case SPARSE:
        make_sparse(P.A, &s);
        make_sparse(P.B, &s);
        break;
    case TRIANGULAR:
        make_upper(P.A);
        make_upper(P.B);
        break;
    default: break;
    }
    if (P.k < 0 && c->k >= 0) {
        P.k = c->k;
        P.l = c->l;
    }
    P.fa = pow(10, decimal(c->ea));
    P.fb = pow(10, decimal(c->eb));
    multiply(P.A, P.fa);
    multiply(P.B, P.fb);
    return P;
}

const char *text_of(const recipe_t *c, const char *what)
{
    static char text[200];
    snprintf(text, sizeof text, "%s: m %d n %d p %d %s 1e%d 1e%d", what, c->m,
             c->n, c->p, family_name[c->family], decimal(c->ea),
             decimal(c->eb));
    return text;
}
