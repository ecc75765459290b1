/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.c -- the eigenvalues of the symmetric indefinite matrix of a problem with constraints,
 *
 *     A = (H B^T; B 0) = D K D
 *
 * whose variables have units of their own: D, diagonal, reaches from 1 to 2^-40.  The eigenvalues reach
 * from 2 to 1e-24, and the entries of A determine each of them to full precision.  LAPACK's DSYEVD
 * finds the large ones: its errors are rounding of the largest.
 *
 * The number of eigenvalues below 0 is the number of constraints, whatever D is (Sylvester). */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>

enum { n = 8, CONSTRAINTS = 3 };

static const int exponent[n] = {30, 10, 20, 0, 40, 15, 5, 25};

/* to 80 digits and rounded */
static const double exact[n] = {
    -6.0088947309516405e-05, -1.3251787069548611e-11, -5.691405557401632e-16,
    1.4459377621229928e-24,  1.718966572051418e-16,   1.5980224977537096e-11,
    6.199629457808794e-05,   2.000000000000455};

/* LAPACK */
void dsyevd_(const char *jobz, const char *uplo, const int *order, double *A,
             const int *lda, double *w, double *work, const int *lwork,
             int *iwork, const int *liwork, int *info, size_t, size_t);

/* The lower triangle; entries of K are small integers, and D has powers of 2: nothing is rounded. */
static void make(double *A)
{
    const int free = n - CONSTRAINTS;

    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            double k = 0;
            if (i < free)
                k = i == j ? 2 : i == j + 1 ? -1 : 0; /* H                   */
            else if (j < free)
                k = j == i - free ? 2 : j == i - free + 1 ? 1 : 0; /* B      */
            A[i + n * j] = ldexp(k, -exponent[i] - exponent[j]);
        }
}

/* |A q - w q| over |A|, by the lower triangle */
static double residual(const double *A, double w, const double *q)
{
    double length = 0;

    for (int i = 0; i < n; ++i) {
        double sum = -w * q[i];
        for (int j = 0; j < n; ++j)
            sum += A[i > j ? i + n * j : j + n * i] * q[j];
        length = hypot(length, sum);
    }
    return length / 2;
}

int main(void)
{
    static const int order = n, lwork = 1 + 6 * n + 2 * n * n,
                     liwork = 3 + 5 * n;
    double A[n * n], A0[n * n], w[n], Q[n * n], theirs[n];
    double work[1 + 6 * n + 2 * n * n], worst = 0;
    int iwork[3 + 5 * n], info, negative = 0, their_negative = 0;
    gsvd_handle_t h;

    make(A0);
    make(A); /* is lost */
    dsyevd_("N", "L", &order, A, &order, theirs, work, &lwork, iwork, &liwork,
            &info, 1, 1);
    make(A);
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 1;
    const gsvd_status_t status =
        dgsvd_eigh(h, 'V', 'L', n, A, n, w, Q, n, NULL);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "eigh: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    if (status != GSVD_SUCCESS)
        return 1;

    for (int j = 0; j < n; ++j) {
        const double error = fabs(w[j] / exact[j] - 1);
        printf("%23.15e  relative error %.1e, of DSYEVD %.1e\n", w[j], error,
               fabs(theirs[j] / exact[j] - 1));
        worst = fmax(worst, error);
        negative += w[j] < 0;
        their_negative += theirs[j] < 0;
        worst = fmax(worst, residual(A0, w[j], Q + n * j));
    }
    printf("below 0: %d, DSYEVD %d, constraints %d\n", negative, their_negative,
           CONSTRAINTS);
    printf("all errors, and |A q - w q| / |A|, are below %.1e\n", worst);
    return !(negative == CONSTRAINTS && worst < 1e-14);
}
