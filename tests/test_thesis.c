/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_thesis.c -- Flegar 2016, chapter 3, on small pairs: ten sizes of each
 * ratio m : n = p : n, rank(B) = n/2, rank((A; B)) = 4n/5.
 *
 *     ranks              the prescribed ones and LAPACK's
 *     backward errors    |A - U R_A Q^H|_F / |A|_F, and B's, in long double: no
 *                        worse than LAPACK's by more than 0.2 digits; 0.4
 *                        below n = 40: so few roundings differ by luck
 *     values             LAPACK's xTGSJA after our preprocessing against the
 *                        same after LAPACK's (xGGSVD3): section 3.5
 *
 * Bound of the last.  The l values are the singular values of A23 inv(B13), and
 * a perturbation dA of A multiplies A23 by I + dA inv(A23): to first order each
 * changes, relative to itself, by no more than |dA| / s_min(A) + |dB| /
 * s_min(B), s_min the least nonzero singular value.  dA and dB are those of both
 * preprocessings, measured, and of the two runs of xTGSJA on triangles of order
 * l: l ulp relative to |A| and |B|, as its test ratios say.
 */
#include <stdio.h>

#include "harness/harness.h"
#include "lapacke.h"

#define ARRAY(A) (A).data, (lapack_int)(A).ld

typedef struct number {
    long double x, y;
} number_t;

/* acc += a conj(b) */
static void add_product(number_t *acc, number_t a, scalar_t b)
{
    acc->x += a.x * re(b) + a.y * im(b);
    acc->y += a.y * re(b) - a.x * im(b);
}

/* T := R Q^H, R of `rows` rows and the last r columns of n */
static number_t *times_q(mat_t R, mat_t Q)
{
    const int64_t n = Q.rows;
    number_t *T = grab((size_t)(R.rows * n + 1) * sizeof *T);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < R.rows; ++i) {
            number_t sum = {0, 0};
            for (int64_t t = 0; t < R.cols; ++t)
                add_product(&sum, (number_t){re(AT(R, i, t)), im(AT(R, i, t))},
                            AT(Q, j, t));
            T[i + j * R.rows] = sum;
        }
    return T;
}

/* |A - U R Q^H|_F / |A|_F */
static double backward_error(mat_t A, mat_t U, mat_t R, mat_t Q)
{
    const number_t *T = times_q(R, Q);
    long double error = 0, norm = 0;
    EACH_ENTRY (A, i, j) {
        const scalar_t a = AT(A, i, j);
        number_t sum = {0, 0};
        for (int64_t t = 0; t < R.rows; ++t)
            add_product(&sum, T[t + j * R.rows], conj_of(AT(U, i, t)));
        sum.x -= re(a);
        sum.y -= im(a);
        error += sum.x * sum.x + sum.y * sum.y;
        norm += (long double)re(a) * re(a) + (long double)im(a) * im(a);
    }
    return (double)sqrtl(error / norm);
}

typedef struct errors {
    double a, b;
} errors_t;

static errors_t errors_of(const sample_t *P, const result_t *r)
{
    const int64_t n = P->A.cols, rank = r->k + r->l, skip = n - rank;
    const int64_t top = min_i(P->A.rows, rank);
    const mat_t Q = mat_cols(r->Q, skip, rank);
    errors_t e;
    e.a = backward_error(P->A, r->U, mat_sub(r->A, 0, skip, top, rank), Q);
    e.b = backward_error(P->B, r->V, mat_sub(r->B, 0, skip, r->l, rank), Q);
    return e;
}

static result_t by_lapack(const sample_t *P)
{
    const lapack_int m = (lapack_int)P->A.rows, n = (lapack_int)P->A.cols,
                     p = (lapack_int)P->B.rows;
    lapack_int k, l;
    result_t r = {.A = copy_mat(P->A),
                  .B = copy_mat(P->B),
                  .U = new_mat(m, m),
                  .V = new_mat(p, p),
                  .Q = new_mat(n, n)};
    ck_assert_int_eq(0, LAPACK(ggsvp3)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', m, p, n,
                                       ARRAY(r.A), ARRAY(r.B),
                                       default_tolerance(P->A),
                                       default_tolerance(P->B), &k, &l,
                                       ARRAY(r.U), ARRAY(r.V), ARRAY(r.Q)));
    r.k = k;
    r.l = l;
    return r;
}

/* alpha / beta of the l values, descending; destroys r->A, r->B */
static double *values_of(const sample_t *P, result_t *r)
{
    const lapack_int m = (lapack_int)P->A.rows, n = (lapack_int)P->A.cols,
                     p = (lapack_int)P->B.rows;
    real_t *alpha = grab((size_t)n * sizeof *alpha);
    real_t *beta = grab((size_t)n * sizeof *beta);
    double *sigma = grab((size_t)(r->l + 1) * sizeof *sigma);
    const mat_t none = new_mat(1, 1);
    lapack_int cycles;
    ck_assert_int_eq(
        0, LAPACK(tgsja)(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, p, n,
                         (lapack_int)r->k, (lapack_int)r->l, ARRAY(r->A),
                         ARRAY(r->B), default_tolerance(P->A),
                         default_tolerance(P->B), alpha, beta, none.data, 1,
                         none.data, 1, none.data, 1, &cycles));
    for (int64_t i = 0; i < r->l; ++i)
        sigma[i] = (double)alpha[r->k + i] / (double)beta[r->k + i];
    sort_descending(sigma, r->l);
    return sigma;
}

static double change(const double *x, const double *y, int64_t l)
{
    double sum = 0;
    for (int64_t i = 0; i < l; ++i)
        sum += fabs(x[i] - y[i]) / fmax(x[i], y[i]);
    return sum / (double)l;
}

/* |A|_F over the r-th singular value, at most */
static double condition(mat_t A, int64_t r)
{
    return sqrt((double)r) * stacked_condition(A, new_mat(0, A.cols), r);
}

static void check(int64_t m, int64_t n)
{
    const int l = (int)n / 2, k = (int)(4 * n / 5) - l;
    const recipe_t c = {(int)m, (int)n, (int)m, THESIS, k, l, 0, 0};
    const sample_t P = make_pair(&c, 700 + (uint64_t)n);
    result_t lapack = by_lapack(&P);
    const errors_t theirs = errors_of(&P, &lapack);
    const double at_most = pow(10, n < 40 ? 0.4 : 0.2), ours_and_theirs = 2;

    ck_assert_int_eq(lapack.k, k);
    ck_assert_int_eq(lapack.l, l);
    const double *reference = values_of(&P, &lapack);
    for (int door = 0; door < doors(); ++door) {
        result_t r = preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        ck_assert_int_eq(r.k, k);
        ck_assert_int_eq(r.l, l);

        const errors_t e = errors_of(&P, &r);
        const double moved = change(values_of(&P, &r), reference, l);
        const double own = ours_and_theirs * l * GSVD_ULP;
        const double bound = (e.a + theirs.a + own) * condition(P.A, k + l) +
                             (e.b + theirs.b + own) * condition(P.B, l);
        printf("%c %4ld %4ld  A %.2f %.2f  B %.2f %.2f  values %.2f, bound "
               "%.2f\n",
               (char)letter(), (long)m, (long)n, -log10(e.a), -log10(theirs.a),
               -log10(e.b), -log10(theirs.b), -log10(moved), -log10(bound));
        ck_assert_msg(e.a <= at_most * theirs.a, "A: %g, LAPACK's %g", e.a,
                      theirs.a);
        ck_assert_msg(e.b <= at_most * theirs.b, "B: %g, LAPACK's %g", e.b,
                      theirs.b);
        ck_assert_msg(moved <= bound, "values: %g, bound %g", moved, bound);
    }
}

/* all ten sizes in double precision, three in the others */
START_TEST(pairs_of_the_thesis)
{
    const int64_t ratio = INT64_C(1) << _i;
    for (int64_t n = 10; n <= 100; n += letter() == GSVD_D ? 10 : 40)
        if (!too_large(ratio * n, n, ratio * n)) {
            check(ratio * n, n);
            release_pool();
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("thesis");
    TCase *t = add_tcase(s, "digits: ours, LAPACK's");
    tcase_add_loop_test(t, pairs_of_the_thesis, 0, 4);
    return s;
}
