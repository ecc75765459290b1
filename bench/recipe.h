/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* recipe.h -- generalized values with high relative accuracy, plainly, for a B of
 * full column rank: bench_rows' reference in quadruple precision, and in double
 * what is possible there.  Included once for each REAL; NAME(x) is its name.
 *
 *     rows of B sorted, B P = V R            Householder, columns pivoted
 *     X = A P inv(R)                         a row at a time
 *     rows of X sorted, X P' = W S           likewise
 *     singular values of S^T                 one-sided Jacobi on its columns
 *
 * Rows sorted by decreasing norm and columns pivoted: small rows keep their
 * relative accuracy (Powell and Reid 1969, Cox and Higham 1998).
 */

/* Column-major, as many rows as ld; x[i + j * rows]. */

static REAL NAME(root)(REAL x)
{
    if (!(x > 0))
        return 0;
    REAL r = (REAL)sqrt((double)x);
    r = (r + x / r) / 2;
    return (r + x / r) / 2;
}

static REAL NAME(abs)(REAL x) { return x < 0 ? -x : x; }

static REAL NAME(dot)(int n, const REAL *x, const REAL *y)
{
    REAL sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* rows in descending order of their largest entry, by insertion */
static void NAME(sort_rows)(int rows, int cols, REAL *x)
{
    for (int i = 1; i < rows; ++i)
        for (int k = i; k > 0; --k) {
            REAL upper = 0, lower = 0;
            for (int j = 0; j < cols; ++j) {
                const REAL a = NAME(abs)(x[k - 1 + j * rows]);
                const REAL b = NAME(abs)(x[k + j * rows]);
                upper = a > upper ? a : upper;
                lower = b > lower ? b : lower;
            }
            if (lower <= upper)
                break;
            for (int j = 0; j < cols; ++j) {
                const REAL a = x[k - 1 + j * rows];
                x[k - 1 + j * rows] = x[k + j * rows];
                x[k + j * rows] = a;
            }
        }
}

static void NAME(swap_columns)(int rows, REAL *x, int i, int j)
{
    for (int r = 0; r < rows; ++r) {
        const REAL a = x[r + i * rows];
        x[r + i * rows] = x[r + j * rows];
        x[r + j * rows] = a;
    }
}

/* One reflector: annihilates column k below the diagonal */
static void NAME(reflect)(int rows, int cols, REAL *x, int k)
{
    REAL *v = &x[k + k * rows];
    const int n = rows - k;
    const REAL norm = NAME(root)(NAME(dot)(n, v, v));
    if (norm == 0)
        return;
    const REAL diagonal = v[0] > 0 ? -norm : norm; /* no cancellation        */
    v[0] -= diagonal;
    const REAL square = NAME(dot)(n, v, v);
    for (int j = k + 1; j < cols; ++j) {
        REAL *y = &x[k + j * rows];
        const REAL t = 2 * NAME(dot)(n, v, y) / square;
        for (int i = 0; i < n; ++i)
            y[i] -= t * v[i];
    }
    v[0] = diagonal;
    for (int i = 1; i < n; ++i)
        v[i] = 0;
}

/* x becomes R; the columns of `with`, if any, are permuted alike */
static void NAME(pivoted_qr)(int rows, int cols, REAL *x, int with_rows,
                             REAL *with)
{
    NAME(sort_rows)(rows, cols, x);
    for (int k = 0; k < cols && k < rows; ++k) {
        int pivot = k;
        REAL most = -1;
        for (int j = k; j < cols; ++j) {
            const REAL *y = &x[k + j * rows];
            const REAL norm = NAME(dot)(rows - k, y, y);
            if (norm > most) {
                most = norm;
                pivot = j;
            }
        }
        NAME(swap_columns)(rows, x, k, pivot);
        if (with)
            NAME(swap_columns)(with_rows, with, k, pivot);
        NAME(reflect)(rows, cols, x, k);
    }
}

/* one-sided Jacobi; norms of the columns into sigma */
static void NAME(jacobi)(int n, REAL *x, REAL eps, REAL *sigma)
{
    for (int sweep = 0, rotated = 1; rotated && sweep < 60; ++sweep) {
        rotated = 0;
        for (int i = 0; i < n; ++i)
            for (int j = i + 1; j < n; ++j) {
                REAL *a = &x[i * n], *b = &x[j * n];
                const REAL p = NAME(dot)(n, a, a), q = NAME(dot)(n, b, b);
                const REAL g = NAME(dot)(n, a, b);
                if (NAME(abs)(g) <= eps * NAME(root)(p) * NAME(root)(q))
                    continue;
                rotated = 1;
                const REAL z = (q - p) / (2 * g);
                const REAL t =
                    (z < 0 ? -1 : 1) / (NAME(abs)(z) + NAME(root)(1 + z * z));
                const REAL c = 1 / NAME(root)(1 + t * t), s = c * t;
                for (int r = 0; r < n; ++r) {
                    const REAL u = a[r];
                    a[r] = c * u - s * b[r];
                    b[r] = s * u + c * b[r];
                }
            }
    }
    for (int j = 0; j < n; ++j)
        sigma[j] = NAME(root)(NAME(dot)(n, &x[j * n], &x[j * n]));
}

/* sigma[0..n): the generalized values, in no order; m >= n, p >= n */
static void NAME(values)(int m, int n, int p, const double *A, const double *B,
                         REAL eps, REAL *work, double *sigma)
{
    REAL *X = work, *Y = X + m * n, *T = Y + p * n, *s = T + n * n;
    for (int i = 0; i < m * n; ++i)
        X[i] = A[i];
    for (int i = 0; i < p * n; ++i)
        Y[i] = B[i];
    NAME(pivoted_qr)(p, n, Y, m, X);
    for (int j = 0; j < n; ++j) /* X R = A P                                 */
        for (int i = 0; i < m; ++i) {
            REAL sum = X[i + j * m];
            for (int k = 0; k < j; ++k)
                sum -= X[i + k * m] * Y[k + j * p];
            X[i + j * m] = sum / Y[j + j * p];
        }
    NAME(pivoted_qr)(m, n, X, 0, NULL);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            T[i + j * n] = X[j + i * m];
    NAME(jacobi)(n, T, eps, s);
    for (int j = 0; j < n; ++j)
        sigma[j] = (double)s[j];
}
