/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csp.c -- common spatial patterns of two classes of signals, from the data, not from covariances.
 *
 * X1 and X2 are samples by channels, of class 1 and class 2.  A filter w of the channels is common
 * to both if
 *
 *     X1^T X1 w = lambda X2^T X2 w
 *
 * A program that forms the covariances X1^T X1 and X2^T X2 and calls xSYGV loses twice the digits
 * that the channels' condition costs.  With GSVD_FORM_XINV the columns of the GSVD's Y are the
 * filters, and nothing is squared:
 *
 *     X1 Y = U D1, X2 Y = V D2, lambda = (alpha / beta)^2
 *
 * alpha^2 is class 1's part of the variance behind a filter, the number that CSP sorts by.
 *
 * Here eight sources, with powers that are known, reach eight channels by Pascal's matrix, whose
 * condition is 2e7.  All entries of X1 and X2 are exact, and so is the table's first column.
 * (Koles, Lazar and Zhou, Brain Topography 2(4), 1990; Blankertz et al., IEEE Signal Processing
 * Magazine 25(1), 2008) */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { m = 16, n = 8 }; /* samples, channels                                  */

/* LAPACK: A x = lambda B x, lambda ascending in w, x in A */
void dsygv_(const int *itype, const char *jobz, const char *uplo,
            const int *order, double *A, const int *lda, double *B,
            const int *ldb, double *w, double *work, const int *lwork,
            int *info);

/* Amplitudes of source j in class 1 and 2 */
static double amplitude(int j, int of)
{
    static const double first[n] = {8, 4, 4, 2, 1, 1, 0.5, 0.25};
    static const double second[n] = {0.25, 0.5, 1, 1, 2, 4, 8, 8};

    return of == 1 ? first[j] : second[j];
}

/* Sources are columns of Hadamard's matrix over 4, orthonormal; channel i has them with the weights
 * of row i of Pascal's matrix. */
static void record(int of, double *X)
{
    double pascal[n][n];

    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            pascal[i][j] =
                i == 0 || j == 0 ? 1 : pascal[i - 1][j] + pascal[i][j - 1];
    for (int i = 0; i < n; ++i)
        for (int t = 0; t < m; ++t) {
            X[t + m * i] = 0;
            for (int j = 0; j < n; ++j) {
                int odd = 0;
                for (int both = t & (of == 1 ? j : m - 1 - j); both; both >>= 1)
                    odd ^= both & 1;
                X[t + m * i] +=
                    (odd ? -1 : 1) * amplitude(j, of) * pascal[i][j] / 4;
            }
        }
}

/* X^T X */
static void covariance(const double *X, double *C)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            C[i + n * j] = 0;
            for (int t = 0; t < m; ++t)
                C[i + n * j] += X[t + m * i] * X[t + m * j];
        }
}

/* ||X1 y - alpha u|| over |X1| |y|, and of class 2, the worst column */
static double residual(const double *X, const double *W, const double *d,
                       const double *Y)
{
    double worst = 0;

    for (int j = 0; j < n; ++j) {
        double left = 0, size = 0;
        for (int t = 0; t < m; ++t) {
            double sum = -d[j] * W[t + m * j], absolute = 0;
            for (int i = 0; i < n; ++i) {
                sum += X[t + m * i] * Y[i + n * j];
                absolute += fabs(X[t + m * i] * Y[i + n * j]);
            }
            left = hypot(left, sum);
            size = hypot(size, absolute);
        }
        worst = fmax(worst, left / size);
    }
    return worst;
}

static int decompose(const double *X1, const double *X2, double *alpha,
                     double *beta, double *Y, double *worst)
{
    double A[m * n], B[m * n], U[m * n], V[m * n];
    int64_t k, l;
    gsvd_handle_t h;

    memcpy(A, X1, sizeof A);
    memcpy(B, X2, sizeof B);
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS) {
        fprintf(stderr, "%s\n", gsvd_last_error(NULL));
        return 0;
    }
    gsvd_status_t status = gsvd_set_option(h, GSVD_FORM, GSVD_FORM_XINV);
    if (status == GSVD_SUCCESS)
        status = dgsvd(h, 'S', 'S', 'Q', m, n, m, &k, &l, A, m, B, m, alpha,
                       beta, U, m, V, m, Y, n, NULL);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "gsvd: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    if (status != GSVD_SUCCESS || k != 0 || l != n)
        return 0;
    *worst = fmax(residual(X1, U, alpha, Y), residual(X2, V, beta, Y));
    return 1;
}

int main(void)
{
    const int itype = 1, order = n, lwork = 64 * n;
    double X1[m * n], X2[m * n], C1[n * n], C2[n * n], w[n], work[64 * n];
    double alpha[n], beta[n], Y[n * n], worst, ours = 0, theirs = 0;
    int info;

    record(1, X1);
    record(2, X2);
    if (!decompose(X1, X2, alpha, beta, Y, &worst))
        return 1;
    covariance(X1, C1);
    covariance(X2, C2);
    dsygv_(&itype, "V", "U", &order, C1, &order, C2, &order, w, work, &lwork,
           &info);

    printf("class 1's part of the variance behind each filter\n");
    printf("%14s %14s %14s\n", "exact", "GSVD's error", "DSYGV's error");
    for (int j = 0; j < n; ++j) {
        const double a = amplitude(j, 1), b = amplitude(j, 2);
        const double exact = a * a / (a * a + b * b);
        const double lambda = w[n - 1 - j];
        const double e = fabs(alpha[j] * alpha[j] - exact) / exact;
        const double f = fabs(lambda / (1 + lambda) - exact) / exact;
        printf("%14.10f %14.1e ", exact, e);
        if (info == 0)
            printf("%14.1e\n", f);
        else
            printf("%14s\n", "no result");
        ours = fmax(ours, e);
        theirs = fmax(theirs, info == 0 ? f : HUGE_VAL);
    }
    printf("largest residual of X1 y - alpha u, X2 y - beta v: %.1e\n", worst);
    return !(worst < 1e-13 && ours < 1e-8 && ours < theirs);
}
