/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ratios.c -- LAPACK's six numbers and the other measures of a GSVD. */
#include "harness/harness.h"
#include "lapacke.h"

/* A times the power of two that brings its largest entry next to 1: so that
 * no product here over- or underflows */
static real_t largest(mat_t A)
{
    real_t x = 0;
    EACH_ENTRY (A, i, j)
        x = fmax_r(x, abs_max(AT(A, i, j)));
    return x;
}

static int exponent(mat_t A)
{
    const real_t x = largest(A);
    return x > 0 && isfinite(x) ? -exponent_r(x) : 0;
}

static scalar_t shifted(scalar_t a, int e)
{
    return make(ldexp_r(re(a), e), ldexp_r(im(a), e));
}

static mat_t shift(mat_t A, int e)
{
    mat_t B = copy_mat(A);
    EACH_ENTRY (B, i, j)
        AT(B, i, j) = shifted(AT(B, i, j), e);
    return B;
}

mat_t get_R(const result_t *r)
{
    const int64_t m = r->A.rows, n = r->A.cols, o = r->k + r->l;
    mat_t R = zero_mat(o, n);
    for (int64_t i = 0; i < o; ++i)
        for (int64_t j = n - o + i; j < n; ++j)
            AT(R, i, j) = i < m ? AT(r->A, i, j) : AT(r->B, i - r->k, j);
    return R;
}

/* 2^e D1 R with as many rows as U^H has, 2^e D2 R with as many as V^H */
static mat_t D1_R(const result_t *r, mat_t R, int64_t rows, int e)
{
    mat_t T = zero_mat(rows, R.cols);
    for (int64_t i = 0; i < min_i(rows, R.rows); ++i)
        for (int64_t j = 0; j < R.cols; ++j)
            AT(T, i, j) = shifted(scale(r->alpha[i], AT(R, i, j)), e);
    return T;
}

static mat_t D2_R(const result_t *r, mat_t R, int64_t rows, int e)
{
    mat_t T = zero_mat(rows, R.cols);
    for (int64_t i = 0; i < min_i(rows, r->l); ++i)
        for (int64_t j = 0; j < R.cols; ++j)
            AT(T, i, j) =
                shifted(scale(r->beta[r->k + i], AT(R, r->k + i, j)), e);
    return T;
}

/* norm1(S) / (max(1,rows,cols) max(norm1(A), safmin) ulp); A and S were
 * multiplied by 2^e, a denormal A counts as one of norm safmin */
static double relative(mat_t S, mat_t A, int e)
{
    const double floor = ldexp(GSVD_SAFMIN, e);
    const double norm = fmax((double)norm1(A), floor);
    return (double)norm1(S) / (double)max_i(1, max_i(A.rows, A.cols)) / norm /
           GSVD_ULP;
}

/* W^H A Q - T */
static double transformed(mat_t W, mat_t A, mat_t Q, mat_t T, int e)
{
    gemm('C', 'N', 1, W, product('N', 'N', A, Q), -1, T);
    return relative(T, A, e);
}

ratios_t six_ratios(mat_t A, mat_t B, const result_t *r)
{
    const int64_t m = A.rows;
    const int ea = exponent(A), eb = exponent(B);
    const mat_t R = get_R(r);
    ratios_t x;

    x.r[0] = transformed(r->U, shift(A, ea), r->Q, D1_R(r, R, m, ea), ea);
    x.r[1] = transformed(r->V, shift(B, eb), r->Q, D2_R(r, R, B.rows, eb), eb);
    x.r[2] = defect(r->U);
    x.r[3] = defect(r->V);
    x.r[4] = defect(r->Q);
    x.r[5] = 0;
    for (int64_t i = r->k; i + 1 < min_i(m, r->k + r->l); ++i)
        if (!(r->alpha[i] >= r->alpha[i + 1]))
            x.r[5] = 1 / GSVD_ULP;
    return x;
}

/* W T Y^H - A */
static double composed(mat_t W, mat_t T, mat_t Y, mat_t A, int e)
{
    mat_t S = copy_mat(A);
    if (T.rows > 0 && T.cols > 0)
        gemm('N', 'C', 1, product('N', 'N', mat_cols(W, 0, T.rows), T), Y, -1,
             S);
    return relative(S, A, e);
}

/* the last k + l columns of Q and of (0 R), or X^H and I */
static void right_side(const result_t *r, gsvd_form_t form, mat_t *R, mat_t *Y)
{
    const int64_t o = r->k + r->l;
    if (form == GSVD_FORM_X) {
        *R = identity_mat(o, o);
        *Y = mat_cols(r->Q, 0, o);
    } else {
        *R = mat_cols(get_R(r), r->A.cols - o, o);
        *Y = mat_cols(r->Q, r->Q.cols - o, o);
    }
}

double residual_A(mat_t A, const result_t *r, gsvd_form_t form)
{
    const int e = exponent(A);
    mat_t R, Y;
    right_side(r, form, &R, &Y);
    return composed(r->U, D1_R(r, R, min_i(A.rows, R.rows), e), Y, shift(A, e),
                    e);
}

double residual_B(mat_t B, const result_t *r, gsvd_form_t form)
{
    const int e = exponent(B);
    mat_t R, Y;
    right_side(r, form, &R, &Y);
    return composed(r->V, D2_R(r, R, r->l, e), Y, shift(B, e), e);
}

void ck_assert_values(const result_t *r, int64_t m, int64_t n, int64_t p)
{
    const int64_t k = r->k, l = r->l;

    ck_assert_msg(k >= 0 && l >= 0 && k <= m && l <= p && k + l <= n,
                  "k = %ld, l = %ld", (long)k, (long)l);
    for (int64_t i = 0; i < n; ++i) {
        const real_t a = r->alpha[i], b = r->beta[i];
        const char *at = "alpha, beta";
        if (i < k)
            ck_assert_msg(a == 1 && b == 0, "%s(%ld) = %g, %g", at, (long)i, a,
                          b);
        else if (i >= k + l)
            ck_assert_msg(a == 0 && b == 0, "%s(%ld) = %g, %g", at, (long)i, a,
                          b);
        else if (i >= m)
            ck_assert_msg(a == 0 && b == 1, "%s(%ld) = %g, %g", at, (long)i, a,
                          b);
        else
            ck_assert_msg(a >= 0 && b >= 0 &&
                              fabs((double)a * a + (double)b * b - 1) <
                                  8 * GSVD_ULP,
                          "%s(%ld) = %g, %g", at, (long)i, a, b);
    }
}

void ck_assert_ratios(mat_t A, mat_t B, const result_t *r, const char *what)
{
    ck_assert_values(r, A.rows, A.cols, B.rows);
    const ratios_t x = six_ratios(A, B, r);
    for (int i = 0; i < 6; ++i)
        ck_assert_msg(x.r[i] < LIMIT,
                      "%s: ratios %.3g %.3g %.3g %.3g %.3g %.3g, k %ld l %ld",
                      what, x.r[0], x.r[1], x.r[2], x.r[3], x.r[4], x.r[5],
                      (long)r->k, (long)r->l);

    const mat_t R = get_R(r);
    for (int64_t i = 0; i < R.rows; ++i)
        ck_assert_msg(abs_max(AT(R, i, R.cols - R.rows + i)) > 0,
                      "%s: R(%ld,%ld) = 0", what, (long)i, (long)i);
}

double chordal(int64_t n, const real_t *alpha, const real_t *beta, double fa,
               double fb, const real_t *c, const real_t *s)
{
    double worst = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double a = alpha[i] / fa, b = beta[i] / fb;
        const double d = fabs(a * s[i] - b * c[i]) / hypot(a, b) /
                         hypot((double)c[i], (double)s[i]);
        if (!(d <= worst))
            worst = d;
    }
    return worst;
}

double stacked_condition(mat_t A, mat_t B, int64_t r)
{
    const int64_t n = A.cols, q = min_i(A.rows + B.rows, n);
    mat_t C = new_mat(A.rows + B.rows, n), none = new_mat(1, 1);
    real_t *sigma = grab((size_t)q * sizeof *sigma);

    if (r == 0)
        return 1;
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < A.rows; ++i)
            AT(C, i, j) = AT(A, i, j);
        for (int64_t i = 0; i < B.rows; ++i)
            AT(C, A.rows + i, j) = AT(B, i, j);
    }
    ck_assert_int_le(r, q);
    ck_assert_int_eq(0, LAPACK(gesdd)(LAPACK_COL_MAJOR, 'N', (lapack_int)C.rows,
                                      (lapack_int)n, C.data, (lapack_int)C.ld,
                                      sigma, none.data, 1, none.data, 1));
    return (double)sigma[0] / (double)sigma[r - 1];
}

double rounding_of_values(const recipe_t *c, int64_t rank, uint64_t seed)
{
    recipe_t unscaled = *c;
    unscaled.ea = unscaled.eb = 0;
    const sample_t S = make_pair(&unscaled, seed);
    return (double)max_i(1, max_i(c->m, max_i(c->n, c->p))) * GSVD_ULP *
           stacked_condition(S.A, S.B, rank);
}

real_t default_tolerance(mat_t A)
{
    return (real_t)max_i(A.rows, A.cols) * fmax_r(norm1(A), GSVD_SAFMIN) *
           GSVD_ULP;
}

void lapack_ranks(mat_t A0, mat_t B0, real_t tola, real_t tolb, int64_t *k,
                  int64_t *l)
{
    const lapack_int m = (lapack_int)A0.rows, n = (lapack_int)A0.cols,
                     p = (lapack_int)B0.rows;
    const mat_t A = copy_mat(A0), B = copy_mat(B0), none = new_mat(1, 1);
    lapack_int ranks[2];
    ck_assert_int_eq(0, LAPACK(ggsvp3)(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, p, n,
                                       A.data, (lapack_int)A.ld, B.data,
                                       (lapack_int)B.ld, tola, tolb, &ranks[0],
                                       &ranks[1], none.data, 1, none.data, 1,
                                       none.data, 1));
    *k = ranks[0];
    *l = ranks[1];
}

real_t *lapack_singular_values(mat_t A)
{
    const mat_t C = copy_for_lapack(A), none = new_mat(1, 1);
    const size_t r = (size_t)min_i(A.rows, A.cols);
    real_t *const sigma = grab((r + 1) * sizeof *sigma);
    real_t *const room = grab((r + 1) * sizeof *room);
    ck_assert_int_eq(0, LAPACK(gesvd)(LAPACK_COL_MAJOR, 'N', 'N',
                                      (lapack_int)A.rows, (lapack_int)A.cols,
                                      C.data, (lapack_int)C.ld, sigma,
                                      none.data, 1, none.data, 1, room));
    return sigma;
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void sort_descending(double *x, int64_t n)
{
    qsort(x, (size_t)n, sizeof *x, descending);
}
