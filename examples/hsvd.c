/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* hsvd.c -- the eigenvalues and -vectors of a symmetric indefinite matrix H = G J G^T
 * that is given by its factor.
 *
 * The hyperbolic SVD G = U Sigma V^T, V^T J V = J', is H = U (Sigma^2 J') U^T.  H is
 * not formed: the columns of G differ by 2^30, and the eigenvalues next to 1e-18 would
 * drown in the rounding of those next to 1.
 *
 * G = Q B, where Q of entries 1/2 and -1/2 is orthogonal, and B is made of the blocks
 * (1 1; 0 1) and 2^-30 (1 1; 0 1), each with the signs 1 and -1.  The eigenvalues of
 * the first are 1 over the golden ratio and minus the golden ratio. */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>

enum { n = 4, n_plus = 2, STEP = 30 };

static const double Q[n * n] = {.5, .5, .5,  .5,  .5, -.5, .5,  -.5,
                                .5, .5, -.5, -.5, .5, -.5, -.5, .5};
static const int64_t J[n] = {1, -1, 1, -1};

static void make(double *G)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double x = Q[i + n * j];
            if (j % 2) /* the second column of a block */
                x += Q[i + n * (j - 1)];
            G[i + n * j] = ldexp(x, -STEP * (j / 2));
        }
}

/* |H u - lambda u| */
static double eigen_residual(const double *G, const double *u, double lambda)
{
    double rest[n], length = 0;

    for (int i = 0; i < n; ++i)
        rest[i] = -lambda * u[i];
    for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sum += G[i + n * j] * u[i];
        for (int i = 0; i < n; ++i)
            rest[i] += G[i + n * j] * (double)J[j] * sum;
    }
    for (int i = 0; i < n; ++i)
        length = hypot(length, rest[i]);
    return length;
}

/* Of G - U Sigma V^T the largest column, each over the length of that column of G */
static double residual(const double *G, const double *U, const double *sigma,
                       const double *V)
{
    double worst = 0;

    for (int j = 0; j < n; ++j) {
        double length = 0, left = 0;
        for (int i = 0; i < n; ++i) {
            double rest = G[i + n * j];
            for (int k = 0; k < n; ++k)
                rest -= U[i + n * k] * sigma[k] * V[j + n * k];
            length = hypot(length, G[i + n * j]);
            left = hypot(left, rest);
        }
        worst = fmax(worst, left / length);
    }
    return worst;
}

int main(void)
{
    const double golden = (1 + sqrt(5)) / 2;
    double G0[n * n], G[n * n], sigma[n], U[n * n], V[n * n], worst;
    gsvd_handle_t h;

    make(G0);
    make(G); /* is lost */
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 1;
    const gsvd_status_t status =
        dgsvd_hsvd(h, 'U', 'V', n, n, n_plus, G, n, J, sigma, U, n, V, n, NULL);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "hsvd: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    if (status != GSVD_SUCCESS)
        return 1;

    worst = residual(G0, U, sigma, V);
    for (int j = 0; j < n; ++j) { /* those of sign 1, those of sign -1 */
        const double sign = j < n_plus ? 1 : -1;
        const double lambda = sign * sigma[j] * sigma[j];
        const double exact =
            ldexp(sign > 0 ? 1 / golden : -golden, -2 * STEP * (j % 2));
        const double error = fabs(lambda / exact - 1);
        const double rest = eigen_residual(G0, U + n * j, lambda) / golden;
        printf("eigenvalue %22.15e  relative error %.1e  "
               "|H u - lambda u| / |H| %.1e\n",
               lambda, error, rest);
        worst = fmax(worst, fmax(error, rest));
    }
    printf("residual of a column of G %.1e\n", residual(G0, U, sigma, V));
    printf("all %s 1e-14\n", worst < 1e-14 ? "<" : ">=");
    return !(worst < 1e-14);
}
