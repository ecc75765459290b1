/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the singular values of a matrix whose columns have units that differ by far.
 *
 * A = (H / 4) B: H is Hadamard's matrix, of ones and minus ones, so that H / 4 has
 * orthonormal columns; B is made of blocks 2^-30k (1 1; 0 1), k = 2, 0, 3, 1.  The
 * singular values of a block are 2^-30k times the golden ratio and its inverse.  All
 * entries of A are exact, and the least value is 3e-28 times the largest.  The columns of
 * A with their lengths made equal are well conditioned: that is what dgsvd_svd needs for
 * all digits of all values. */
#include <gsvd.h>
#include <math.h>
#include <stdio.h>

enum { m = 16, n = 8, STEP = 30 };

static const int power[n / 2] = {2, 0, 3, 1};

/* 1 or -1 */
static double hadamard(int i, int j)
{
    int odd = 0;

    for (int both = i & j; both; both >>= 1)
        odd ^= both & 1;
    return odd ? -1 : 1;
}

static void make(double *A)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double x = hadamard(i, j);
            if (j % 2) /* the second column of a block */
                x += hadamard(i, j - 1);
            A[i + m * j] = ldexp(x / 4, -STEP * power[j / 2]);
        }
}

/* Of A - U Sigma V^T the largest column, each over the length of that column of A */
static double residual(const double *A, const double *U, const double *sigma,
                       const double *V)
{
    double worst = 0;

    for (int j = 0; j < n; ++j) {
        double length = 0, left = 0;
        for (int i = 0; i < m; ++i) {
            double rest = A[i + m * j];
            for (int k = 0; k < n; ++k)
                rest -= U[i + m * k] * sigma[k] * V[j + n * k];
            length = hypot(length, A[i + m * j]);
            left = hypot(left, rest);
        }
        worst = fmax(worst, left / length);
    }
    return worst;
}

/* |W^T W - I| of n columns of so many rows, the largest entry */
static double orthogonality(const double *W, int rows)
{
    double worst = 0;

    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? -1 : 0;
            for (int k = 0; k < rows; ++k)
                sum += W[k + rows * i] * W[k + rows * j];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

int main(void)
{
    const double golden = (1 + sqrt(5)) / 2;
    double A0[m * n], A[m * n], sigma[n], U[m * n], V[n * n], worst = 0;
    gsvd_handle_t h;

    make(A0);
    make(A); /* is lost */
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 1;
    const gsvd_status_t status =
        dgsvd_svd(h, 'S', 'S', m, n, A, m, sigma, U, m, V, n, NULL);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "svd: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    if (status != GSVD_SUCCESS)
        return 1;

    for (int j = 0; j < n; ++j) { /* two values of each k, which ascends */
        const double exact =
            ldexp(j % 2 ? 1 / golden : golden, -STEP * (j / 2));
        const double error = fabs(sigma[j] - exact) / exact;
        printf("sigma %.15e  relative error %.1e\n", sigma[j], error);
        worst = fmax(worst, error);
    }
    printf("residual of a column %.1e, |U^T U - I| %.1e, |V^T V - I| %.1e\n",
           residual(A0, U, sigma, V), orthogonality(U, m), orthogonality(V, n));
    worst = fmax(worst, residual(A0, U, sigma, V));
    worst = fmax(worst, fmax(orthogonality(U, m), orthogonality(V, n)));
    printf("all %s 1e-14\n", worst < 1e-14 ? "<" : ">=");
    return !(worst < 1e-14);
}
