/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.c -- two least-squares problems min |A x - b| of one matrix.
 *
 * Full rank:       A = Q R,                x = R^-1 (Q^T b)(1:n)
 * Rank deficient:  A = U (0 R; 0 0) V^T,   x = V(:,n-r+1:n) R^-1 (U^T b)(1:r),
 *                  of all minimizers the shortest one. */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>

enum { m = 5, n = 3 };

/* y := R^-1 y */
static void solve(int r, const double *R, int ld, double *y)
{
    for (int i = r - 1; i >= 0; --i) {
        for (int j = i + 1; j < r; ++j)
            y[i] -= R[i + ld * j] * y[j];
        y[i] /= R[i + ld * i];
    }
}

/* The largest entry of A^T (A x - b): 0 at a minimizer. */
static double gradient(const double *A, const double *x, const double *b)
{
    double rest[m], worst = 0;

    for (int i = 0; i < m; ++i) {
        rest[i] = -b[i];
        for (int j = 0; j < n; ++j)
            rest[i] += A[i + m * j] * x[j];
    }
    for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int i = 0; i < m; ++i)
            sum += A[i + m * j] * rest[i];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static gsvd_status_t full_rank(gsvd_handle_t h, const double *A0,
                               const double *b, double *x)
{
    double A[m * n], tau[n], y[m];

    for (int i = 0; i < m * n; ++i)
        A[i] = A0[i];
    for (int i = 0; i < m; ++i)
        y[i] = b[i];
    gsvd_status_t status = dgsvd_qr(h, m, n, A, m, tau, NULL);
    if (status == GSVD_SUCCESS)
        status = dgsvd_qr_apply(h, 'L', 'T', m, 1, n, A, m, tau, y, m, NULL);
    solve(n, A, m, y);
    for (int j = 0; j < n; ++j)
        x[j] = y[j];
    return status;
}

static gsvd_status_t shortest(gsvd_handle_t h, const double *A0,
                              const double *b, double *x, int64_t *rank)
{
    double A[m * n], U[m * n], V[n * n], y[n] = {0};

    for (int i = 0; i < m * n; ++i)
        A[i] = A0[i];
    const gsvd_status_t status =
        dgsvd_urv(h, 'S', 'S', m, n, A, m, -1, rank, U, m, V, n, NULL);
    if (status != GSVD_SUCCESS)
        return status;
    const int r = (int)*rank;
    for (int j = 0; j < r; ++j)
        for (int i = 0; i < m; ++i)
            y[j] += U[i + m * j] * b[i];
    solve(r, &A[m * (n - r)], m, y);
    for (int i = 0; i < n; ++i) {
        x[i] = 0;
        for (int j = 0; j < r; ++j)
            x[i] += V[i + n * (n - r + j)] * y[j];
    }
    return status;
}

int main(void)
{
    const double A[m * n] = {1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 4, 9, 16, 25};
    const double B[m * n] = {1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6};
    const double b[m] = {1, 2, 2, 4, 3};
    double x[n] = {0}, z[n] = {0};
    int64_t rank = -1;
    gsvd_handle_t h;

    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 1;
    gsvd_status_t status = full_rank(h, A, b, x);
    if (status == GSVD_SUCCESS)
        status = shortest(h, B, b, z, &rank);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "qr: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    printf("full rank         x = %9.6f %9.6f %9.6f\n", x[0], x[1], x[2]);
    printf("rank %d, shortest  x = %9.6f %9.6f %9.6f\n", (int)rank, z[0], z[1],
           z[2]);
    /* B's null space is (1, 1, -1): the shortest minimizer is normal to it */
    return status != GSVD_SUCCESS || rank != 2 || gradient(A, x, b) > 1e-11 ||
           gradient(B, z, b) > 1e-11 || fabs(z[0] + z[1] - z[2]) > 1e-12;
}
