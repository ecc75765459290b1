/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed.c -- the hyperbolic SVD in tests. */
#include "harness/signed.h"

#include "harness/wide.h"

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

double signed_residual(mat_t A, const hsvd_t *d)
{
    return svd_residual(A, d->U, d->sigma, d->V) / fmax(1, norm1(d->V));
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

/* ---- the values -------------------------------------------------------------- */

long double *exact_values(mat_t A, const signature_t *s)
{
    const int64_t m = A.rows, n = A.cols;
    wide_complex_t *const G = widened(A);
    wide_t *const y = grab((size_t)n * sizeof *y);
    int64_t *const sign = grab((size_t)n * sizeof *sign);
    int64_t place[2] = {0, s->plus};

    for (int64_t j = 0; j < n; ++j)
        sign[j] = sign_of(s, j);
    ck_assert(wide_jacobi(m, n, G, sign));
    for (int64_t j = 0; j < n; ++j)
        y[place[sign[j] < 0]++] = wide_length(m, G + j * m);
    qsort(y, (size_t)s->plus, sizeof *y, wide_descending);
    qsort(y + s->plus, (size_t)(n - s->plus), sizeof *y, wide_descending);
    return y;
}

double worst_error(int64_t n, const long double *exact, const real_t *sigma)
{
    double worst = 0;
    for (int64_t j = 0; j < n; ++j)
        worst = fmax(worst, (double)fabsl(sigma[j] / exact[j] - 1));
    return worst / GSVD_EPS;
}
