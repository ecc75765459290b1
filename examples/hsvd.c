/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* hsvd.c -- the eigenvalues of a symmetric indefinite matrix H = G J G^T that is given
 * by its factor.
 *
 * The hyperbolic SVD G = U Sigma V^T, V^T J V = J', is H = U (Sigma^2 J') U^T.  H is
 * not formed: the columns of G differ by 1e9, and the eigenvalues next to 1e-18 would
 * drown in the rounding of those next to 1. */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>

enum { m = 5, n = 4, n_plus = 2 };

/* The largest entry of G - U Sigma V^T, each over the length of its column of G */
static double residual(const double *G, const double *U, const double *sigma,
                       const double *V)
{
    double worst = 0;

    for (int j = 0; j < n; ++j) {
        double length = 0, most = 0;
        for (int i = 0; i < m; ++i) {
            double rest = G[i + m * j];
            for (int k = 0; k < n; ++k)
                rest -= U[i + m * k] * sigma[k] * V[j + n * k];
            length = hypot(length, G[i + m * j]);
            most = fmax(most, fabs(rest));
        }
        worst = fmax(worst, most / length);
    }
    return worst;
}

int main(void)
{
    const double G0[m * n] = {2, 1, 0, 0, 1, 1e-9, 3e-9, 1e-9, 0,     2e-9,
                              1, 0, 2, 1, 0, 2e-9, 0,    1e-9, -3e-9, 1e-9};
    const int64_t J[n] = {1, 1, -1, -1};
    double G[m * n], sigma[n] = {0}, U[m * n], V[n * n], rest = 1;
    gsvd_handle_t h;

    for (int i = 0; i < m * n; ++i)
        G[i] = G0[i];
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 1;
    const gsvd_status_t status =
        dgsvd_hsvd(h, 'S', 'V', m, n, n_plus, G, m, J, sigma, U, m, V, n, NULL);
    if (status == GSVD_SUCCESS)
        rest = residual(G0, U, sigma, V);
    else
        fprintf(stderr, "hsvd: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    for (int j = 0; j < n; ++j)
        printf("eigenvalue %22.14e\n",
               (j < n_plus ? 1 : -1) * sigma[j] * sigma[j]);
    printf("residual of each column %s 1e-14\n", rest < 1e-14 ? "<" : ">=");
    return status != GSVD_SUCCESS || !(rest < 1e-14);
}
