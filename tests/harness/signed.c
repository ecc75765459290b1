/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed.c -- the hyperbolic SVD in tests. */
#include "harness/signed.h"

int64_t sign_of(const signature_t *s, int64_t j)
{
    return s->J ? s->J[j] : j < s->plus ? 1 : -1;
}

signature_t make_signs(int what, int64_t n, uint64_t *seed)
{
    signature_t s = {.plus = n / 2};
    if (what == LEADING_HALF)
        return s;
    s.plus = 0;
    s.J = grab((size_t)max_i(n, 1) * sizeof *s.J);
    for (int64_t j = 0; j < n; ++j) {
        const int plus = what == ALL_PLUS ||
                         (what == ALTERNATING && j % 2 == 1) ||
                         (what == ONE_MINUS && j != n / 2) ||
                         (what == AT_RANDOM && random_below(seed, 2));
        s.J[j] = plus ? 1 : -1;
        s.plus += plus;
    }
    return s;
}

/* ---- a decomposition ----------------------------------------------------------- */

static hsvd_t on_the_gpu(hsvd_t d, char jobu, char jobv, const signature_t *s)
{
    const int64_t m = d.A.rows, n = d.A.cols;
    const mat_t dA = to_backend(d.A);
    const mat_t dU = d.U.data ? to_backend(d.U) : d.U;
    const mat_t dV = d.V.data ? to_backend(d.V) : d.V;
    real_t *const dsigma = to_backend_real(d.sigma, n);
    int64_t *const dJ =
        s->J ? grab_backend((size_t)max_i(n, 1) * sizeof *dJ) : NULL;

    if (dJ)
        put(dJ, s->J, (size_t)n * sizeof *dJ);
    d.status = X(hsvd_gpu)(handle, jobu, jobv, m, n, s->plus, dA.data, dA.ld,
                           dJ, dsigma, dU.data, dU.ld, dV.data, dV.ld, &d.info);
    get(d.sigma, dsigma, (size_t)n * sizeof *d.sigma);
    d.A = from_backend(dA);
    d.U = d.U.data ? from_backend(dU) : d.U;
    d.V = d.V.data ? from_backend(dV) : d.V;
    return d;
}

hsvd_t decompose_signed(door_t door, char jobu, char jobv, mat_t A,
                        signature_t s)
{
    const int64_t m = A.rows, n = A.cols;
    hsvd_t d = {.info = 99,
                .A = copy_mat(A),
                .U = mat_view(NULL, m, 0, max_i(m, 1)),
                .V = mat_view(NULL, n, 0, max_i(n, 1)),
                .sigma = grab((size_t)n * sizeof(real_t))};

    if (jobu != 'N')
        d.U = new_mat(m, jobu == 'S' ? n : m);
    if (jobv != 'N')
        d.V = new_mat(n, n);
    if (door == GPU)
        return on_the_gpu(d, jobu, jobv, &s);
    d.status = X(hsvd)(handle, jobu, jobv, m, n, s.plus, d.A.data, d.A.ld, s.J,
                       d.sigma, d.U.data, d.U.ld, d.V.data, d.V.ld, &d.info);
    ck_assert_padding(d.A);
    if (d.U.data)
        ck_assert_padding(d.U);
    if (d.V.data)
        ck_assert_padding(d.V);
    return d;
}

mat_t times_diagonal(mat_t X_, const real_t *x, const signature_t *s)
{
    mat_t Y = copy_mat(X_);
    for (int64_t j = 0; j < Y.cols; ++j)
        for (int64_t i = 0; i < Y.rows; ++i)
            AT(Y, i, j) = scale(x ? x[j] : (real_t)sign_of(s, j), AT(Y, i, j));
    return Y;
}

double signed_residual(mat_t A, const hsvd_t *d)
{
    const int64_t n = A.cols;
    mat_t E = copy_mat(A);

    gemm('N', 'C', -1, times_diagonal(mat_cols(d->U, 0, n), d->sigma, NULL),
         d->V, 1, E);
    const double left = norm1(E);
    return left == 0 ? 0
                     : left / ((double)A.rows * norm1(A) *
                               fmax(1, norm1(d->V)) * GSVD_ULP);
}

double signed_defect(mat_t V, const signature_t *s)
{
    const int64_t n = V.cols;
    const signature_t sorted = {.plus = s->plus};
    mat_t JV = copy_mat(V);
    double worst = 0;

    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            AT(JV, i, j) = scale((real_t)sign_of(s, i), AT(V, i, j));
    const mat_t H = product('C', 'N', V, JV), N = product('C', 'N', V, V);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const real_t is = (real_t)(i == j ? sign_of(&sorted, j) : 0);
            const double off = abs_of(sub(AT(H, i, j), make(is, 0)));
            const double lengths =
                sqrt((double)re(AT(N, i, i))) * sqrt((double)re(AT(N, j, j)));
            worst = fmax(worst, off / (lengths * (double)n * GSVD_ULP));
        }
    return worst;
}

/* ---- one-sided Jacobi in long double ------------------------------------------- */

typedef struct exact {
    int64_t m, n;
    long double *re, *im; /* by columns                                      */
    const signature_t *s;
} exact_t;

static exact_t exact_of(mat_t A, const signature_t *s)
{
    const size_t bytes = (size_t)(A.rows * A.cols) * sizeof(long double);
    exact_t x = {A.rows, A.cols, grab(bytes), grab(bytes), s};
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i) {
            x.re[i + j * x.m] = re(AT(A, i, j));
            x.im[i + j * x.m] = im(AT(A, i, j));
        }
    return x;
}

/* |x_p|^2, |x_q|^2, re and im of x_p^H x_q */
static void exact_gram(const exact_t *x, int64_t p, int64_t q, long double g[4])
{
    g[0] = g[1] = g[2] = g[3] = 0;
    for (int64_t i = 0; i < x->m; ++i) {
        const long double a = x->re[i + p * x->m], b = x->im[i + p * x->m];
        const long double c = x->re[i + q * x->m], d = x->im[i + q * x->m];
        g[0] += a * a + b * b;
        g[1] += c * c + d * d;
        g[2] += a * c + b * d;
        g[3] += a * d - b * c;
    }
}

/* (x_p, x_q) := (x_p, x_q) (c, s; t s w, c w), where t is -1 for a trigonometric and 1
 * for a hyperbolic rotation; 1 if they were not orthogonal. */
static int exact_pair(exact_t *x, int64_t p, int64_t q)
{
    const int t = sign_of(x->s, p) == sign_of(x->s, q) ? -1 : 1;
    long double g[4], c, s;

    exact_gram(x, p, q, g);
    const long double h = hypotl(g[2], g[3]);
    if (h <= 1e-18L * sqrtl(g[0]) * sqrtl(g[1]))
        return 0;
    const long double wr = g[2] / h, wi = -g[3] / h;
    if (t < 0) {
        const long double z = (g[1] - g[0]) / (2 * h);
        const long double tan = copysignl(1 / (fabsl(z) + hypotl(1, z)), z);
        c = 1 / hypotl(1, tan);
        s = c * tan;
    } else {
        const long double y = 2 * h / (g[0] + g[1]);
        const long double tanh = -y / (1 + sqrtl((1 - y) * (1 + y)));
        c = 1 / sqrtl((1 - tanh) * (1 + tanh));
        s = c * tanh;
    }
    for (int64_t i = 0; i < x->m; ++i) {
        long double *const a = &x->re[i + p * x->m];
        long double *const b = &x->im[i + p * x->m];
        long double *const d = &x->re[i + q * x->m];
        long double *const e = &x->im[i + q * x->m];
        const long double f = wr * *d - wi * *e, k = wr * *e + wi * *d;
        const long double ar = *a, ai = *b;
        *a = c * ar + t * s * f;
        *b = c * ai + t * s * k;
        *d = s * ar + c * f;
        *e = s * ai + c * k;
    }
    return 1;
}

static int descending(const void *a, const void *b)
{
    const long double x = *(const long double *)a, y = *(const long double *)b;
    return (x < y) - (x > y);
}

long double *exact_values(mat_t A, const signature_t *s)
{
    exact_t x = exact_of(A, s);
    long double *const y = grab((size_t)x.n * sizeof *y), g[4];
    int64_t place[2] = {0, s->plus};
    int count = 1;

    for (int sweep = 0; sweep < 60 && count > 0; ++sweep) {
        count = 0;
        for (int64_t p = 0; p < x.n; ++p)
            for (int64_t q = p + 1; q < x.n; ++q)
                count += exact_pair(&x, p, q);
    }
    ck_assert_int_eq(count, 0);
    for (int64_t j = 0; j < x.n; ++j) {
        exact_gram(&x, j, j, g);
        y[place[sign_of(s, j) < 0]++] = sqrtl(g[0]);
    }
    qsort(y, (size_t)s->plus, sizeof *y, descending);
    qsort(y + s->plus, (size_t)(x.n - s->plus), sizeof *y, descending);
    return y;
}

double worst_error(mat_t A, const signature_t *s, const real_t *sigma)
{
    const long double *const y = exact_values(A, s);
    double worst = 0;
    for (int64_t j = 0; j < A.cols; ++j)
        worst = fmax(worst, (double)fabsl(sigma[j] / y[j] - 1));
    return worst / GSVD_EPS;
}
