/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* x_form.c -- MATLAB's form of a pair in host memory: A = U C X', B = V S X'.
 *
 * X is n-by-r, r = k + l.  Here m >= r, so that C = diag(alpha) on top of zeros;
 * S has beta(k+1:r) in its first l rows, in columns k+1 to r: the first k
 * columns, where beta = 0, are those of infinite generalized values. */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>

enum { m = 4, n = 3, p = 2 };

/* The largest entry of M - L diag(d) X', where column j of L belongs to column
 * first + j of X. */
static double residual(int rows, const double *M, const double *L,
                       const double *d, const double *X, int first, int r)
{
    double worst = 0;

    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < rows; ++i) {
            double sum = M[i + rows * j];
            for (int c = first; c < r; ++c)
                sum -= L[i + rows * (c - first)] * d[c] * X[j + n * c];
            worst = fmax(worst, fabs(sum));
        }
    }
    return worst;
}

int main(void)
{
    const double A0[m * n] = {1, 5, 9, 2, 2, 6, 1, 3, 4, 7, 3, 8};
    const double B0[p * n] = {1, 0, -2, 1, 1, -2};
    double A[m * n], B[p * n], alpha[n], beta[n], U[m * m], V[p * p], X[n * n];
    int64_t k, l;
    int info;
    gsvd_handle_t h;

    for (int i = 0; i < m * n; ++i)
        A[i] = A0[i];
    for (int i = 0; i < p * n; ++i)
        B[i] = B0[i];

    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 1;
    gsvd_status_t status = gsvd_set_option(h, GSVD_FORM, GSVD_FORM_X);
    if (status == GSVD_SUCCESS)
        status = dgsvd(h, 'U', 'V', 'Q', m, n, p, &k, &l, A, m, B, p, alpha,
                       beta, U, m, V, p, X, n, &info);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "gsvd: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    if (status != GSVD_SUCCESS)
        return 1;

    const int r = (int)(k + l);
    for (int j = 0; j < r; ++j)
        printf("c %.6f  s %.6f  c/s %.6g\n", alpha[j], beta[j],
               alpha[j] / beta[j]);
    const double of_A = residual(m, A0, U, alpha, X, 0, r);
    const double of_B = residual(p, B0, V, beta, X, (int)k, r);
    printf("largest entry of A - U C X': %.1e, of B - V S X': %.1e\n", of_A,
           of_B);
    return !(of_A < 1e-13 && of_B < 1e-13);
}
