/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pivot_columns.c -- norm pivoting, column by column; CPU twin of
 * pivot_columns.cu.
 *
 * The update of the remaining columns is put off for a block of reflectors:
 * A is to become A - V F^H (Quintana-Orti, Sun and Bischof 1998; xLAQPS).  For
 * each column j, after k columns of its block,
 *
 *     1  the longest remaining column is found; stop if it is not longer than tol
 *     2  it comes to j
 *     3  A(j:,j) -= V F(j,:)^H
 *     4  H = I - tau v v^H, H^H A(j:,j) = R(j,j) e_1
 *     5  F(:,k) := tau (A^H v - F V^H v)
 *     6  A(j,j+1:) -= V(j,:) F^H
 *     7  the lengths lose the entries of row j
 *
 * and A -= V F^H below row j at the end of the block.  A length that cancels in 7
 * ends the block and is computed anew (Drmac and Bujanovic 2008).  Next to tol all
 * lengths are computed anew, so that exact lengths decide the rank.
 *
 * A trailing matrix that fits a cache is updated at once, column by column.
 */
#include "core/blas.h"
#include "core/elementwise.h"
#include "core/sumsq.h"
#include "core/vector.h"
#include "qr/qr.h"
#include "qr/reflect.h"

enum { BLOCK = 32, SMALL = 128 * 128, NEAR = 2 };

#define block_t X(block_t)
typedef struct block_t {
    mat_t A, F;     /* row j of F belongs to column j of A                   */
    scalar_t *work; /* A.rows                                                */
    scalar_t *row;  /* A.cols                                                */
    real_t *now, *then; /* lengths, and what they were when last computed     */
    scalar_t *tau;
    int *perm;
} block_t;

/* C += alpha op(A) op(B) */
static void accumulate(char opa, char opb, real_t alpha, mat_t A, mat_t B,
                       mat_t C)
{
    const char ta = blas_op(opa), tb = blas_op(opb);
    const int m = (int)C.rows, n = (int)C.cols;
    const int k = (int)(opa == 'N' ? A.cols : A.rows);
    const int lda = (int)A.ld, ldb = (int)B.ld, ldc = (int)C.ld;
    const scalar_t a = make(alpha, 0), one = make(1, 0);
    if (m > 0 && n > 0 && k > 0)
        BLAS_(gemm)
    (&ta, &tb, &m, &n, &k, &a, A.data, &lda, B.data, &ldb, &one, C.data, &ldc,
     1, 1);
}

/* y := alpha op(A) x + beta y */
static void apply(char op, scalar_t alpha, mat_t A, const scalar_t *x,
                  int64_t incx, real_t beta, scalar_t *y)
{
    const char trans = blas_op(op);
    const int m = (int)A.rows, n = (int)A.cols, lda = (int)A.ld;
    const int ix = (int)incx, iy = 1;
    const scalar_t b = make(beta, 0);
    if (m > 0 && n > 0)
        BLAS_(gemv)
    (&trans, &m, &n, &alpha, A.data, &lda, x, &ix, &b, y, &iy, 1);
}

/* |x|, given x^H x as rounded, which may have over- or underflowed */
static real_t length(int64_t n, const scalar_t *x, real_t square)
{
    if (square > GSVD_SAFMIN / GSVD_ULP && square <= GSVD_REAL_MAX)
        return sqrt_r(square);
    sumsq_t s = {0};
    for (int64_t i = 0; i < n; ++i)
        sumsq_add(&s, x[i]);
    return sumsq_norm(s);
}

static void compute_norm(block_t *w, int64_t j, int64_t c)
{
    const int64_t m = w->A.rows - j;
    const scalar_t *const x = &AT(w->A, j, c);
    w->now[c] = w->then[c] = length(m, x, square_of(m, x));
}

/* 2 */
static void exchange(block_t *w, int64_t i, int64_t j, int64_t reflectors)
{
    if (i == j)
        return;
    for (int64_t k = 0; k < w->A.rows; ++k) {
        const scalar_t a = AT(w->A, k, i);
        AT(w->A, k, i) = AT(w->A, k, j);
        AT(w->A, k, j) = a;
    }
    for (int64_t k = 0; k < reflectors; ++k) {
        const scalar_t f = AT(w->F, i, k);
        AT(w->F, i, k) = AT(w->F, j, k);
        AT(w->F, j, k) = f;
    }
    const int p = w->perm[i];
    w->perm[i] = w->perm[j];
    w->perm[j] = p;
    w->now[j] = w->now[i];
    w->then[j] = w->then[i];
}

/* 3 to 6 for column j, the k-th of its block */
static void reflect(block_t *w, int64_t j, int64_t k)
{
    const int64_t m = w->A.rows - j, n = w->A.cols;
    const mat_t A = w->A, V = mat_sub(A, j, j - k, m, k);
    const mat_t F = mat_sub(w->F, j + 1, 0, n - j - 1, k);
    scalar_t *const v = &AT(A, j, j), *const f = &AT(w->F, j, k);
    scalar_t dot[BLOCK];

    for (int64_t i = 0; i < k; ++i) /* 3 */
        dot[i] = conj_of(AT(w->F, j, i));
    apply('N', make(-1, 0), V, dot, 1, 1, v);
    w->tau[j] = X(reflector)(m, v); /* 4 */
    const scalar_t beta = v[0], t = w->tau[j], minus = make(-re(t), -im(t));
    v[0] = make(1, 0);
    f[0] = make(0, 0);
    apply('C', t, mat_sub(A, j, j + 1, m, n - j - 1), v, 1, 0, f + 1); /* 5 */
    for (int64_t i = 0; i < k; ++i)
        dot[i] = make(0, 0);
    apply('C', minus, V, v, 1, 0, dot);
    apply('N', make(1, 0), F, dot, 1, 1, f + 1);
    accumulate('N', 'C', -1, mat_sub(A, j, j - k, 1, k + 1),
               mat_sub(w->F, j + 1, 0, n - j - 1, k + 1),
               mat_sub(A, j, j + 1, 1, n - j - 1)); /* 6 */
    v[0] = beta;
}

/* 7; returns how many lengths are to be computed anew, and are negative now */
static int64_t shorten(block_t *w, int64_t j)
{
    const int64_t rest = w->A.cols - j - 1;
    for (int64_t c = 0; c < rest; ++c)
        w->row[c] = AT(w->A, j, j + 1 + c);
    return X(vector_shorten)(rest, w->row, w->now + j + 1, w->then + j + 1);
}

/* If the longest length is next to tol and not exact, makes all lengths negative, which
 * are to be computed anew; returns how many. */
static int64_t near_end(block_t *w, int64_t j, int64_t best, real_t tol)
{
    if (!(w->now[best] <= NEAR * tol && w->now[best] < w->then[best]))
        return 0;
    for (int64_t c = j; c < w->A.cols; ++c)
        w->now[c] = -1;
    return w->A.cols - j;
}

/* Computes the negative lengths anew, below row j. */
static void recompute_lost(block_t *w, int64_t j, int64_t lost)
{
    for (int64_t c = j; lost > 0 && c < w->A.cols; ++c)
        if (w->now[c] < 0)
            compute_norm(w, j, c);
}

static int64_t longest(const block_t *w, int64_t j)
{
    int64_t best = j;
    for (int64_t c = j + 1; w->perm && c < w->A.cols; ++c)
        if (w->now[c] > w->now[best])
            best = c;
    return best;
}

/* Factors one block from column *j on; *j := the first column that is not done,
 * *more := 0 where no column is longer than tol. */
static void do_block(block_t *w, int64_t last, real_t tol, int64_t *j,
                     int *more)
{
    const mat_t A = w->A;
    const int64_t first = *j, m = A.rows, n = A.cols;
    int64_t lost = 0, k = 0;

    for (; k < BLOCK && first + k < last && lost == 0; ++k) {
        const int64_t c = first + k, best = longest(w, c); /* 1 */
        lost = near_end(w, c, best, tol);
        if (lost > 0)
            break;
        if (w->now[best] <= tol) {
            *more = 0;
            break;
        }
        exchange(w, c, best, k);
        reflect(w, c, k);
        lost = shorten(w, c);
    }
    *j = first + k;
    accumulate('N', 'C', -1, mat_sub(A, *j, first, m - *j, k),
               mat_sub(w->F, *j, 0, n - *j, k),
               mat_sub(A, *j, *j, m - *j, n - *j));
    recompute_lost(w, *j, lost);
}

/* Does all columns from *j on as do_block does, but updates at once. */
static void do_small(block_t *w, int64_t last, real_t tol, int64_t *j,
                     int *more)
{
    const mat_t A = w->A;

    for (; *j < last; ++*j) {
        const int64_t c = *j, m = A.rows - c, rest = A.cols - c - 1;
        int64_t best = longest(w, c);
        const int64_t lost = near_end(w, c, best, tol);
        if (lost > 0) {
            recompute_lost(w, c, lost);
            best = longest(w, c);
        }
        if (w->now[best] <= tol) {
            *more = 0;
            break;
        }
        exchange(w, c, best, 0);
        scalar_t *const v = &AT(A, c, c);
        w->tau[c] = X(reflector)(m, v);
        const scalar_t beta = v[0];
        v[0] = make(1, 0);
        X(reflect_columns)
        (conj_of(w->tau[c]), v, mat_view(v + A.ld, m, rest, A.ld), w->work);
        v[0] = beta;
        if (m > VECTOR_FEW && w->perm)
            recompute_lost(w, c + 1, shorten(w, c));
        for (int64_t k = c + 1; m <= VECTOR_FEW && k < A.cols; ++k)
            compute_norm(w, c + 1, k);
    }
}

/* The columns of F: no more than there are reflectors, and none for a single one */
static int64_t columns_of_block(int64_t m, int64_t n)
{
    return min_i(m, n) > 1 ? min_i(BLOCK, min_i(m, n)) : 0;
}

size_t X(pivot_columns_bytes)(int64_t m, int64_t n)
{
    return (size_t)(n * columns_of_block(m, n) + m + n) * sizeof(scalar_t) +
           (size_t)(2 * n) * sizeof(real_t);
}

gsvd_status_t X(pivot_columns_cpu)(const exec_t *ex, mat_t A, int64_t first,
                                   int64_t last, real_t tol, int *perm,
                                   scalar_t *tau, int64_t *done)
{
    const int64_t n = A.cols, b = columns_of_block(A.rows, n);
    int more = 1;
    void *work;

    *done = first;
    if (first >= last)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, X(pivot_columns_bytes)(A.rows, n), &work));
    scalar_t *const f = work;
    real_t *const norm = (real_t *)(f + n * b + A.rows + n);
    block_t w = {.A = A,
                 .F = mat_view(f, n, b, n),
                 .work = f + n * b,
                 .row = f + n * b + A.rows,
                 .now = norm,
                 .then = norm + n,
                 .tau = tau,
                 .perm = perm};
    for (int64_t c = first; c < n; ++c)
        compute_norm(&w, first, c);
    while (more && *done < last)
        (b == 0 || (A.rows - *done) * (n - *done) <= SMALL
             ? do_small
             : do_block)(&w, last, tol, done, &more);
    return GSVD_SUCCESS;
}

gsvd_status_t X(min_abs_diagonal_cpu)(const exec_t *ex, mat_t R, real_t *least)
{
    (void)ex;
    *least = GSVD_REAL_MAX;
    for (int64_t i = 0; i < min_i(R.rows, R.cols); ++i)
        if (!(abs_of(AT(R, i, i)) >= *least))
            *least = abs_of(AT(R, i, i));
    return GSVD_SUCCESS;
}

gsvd_status_t X(test_panel_cpu)(const exec_t *ex, mat_t R, real_t tol,
                                real_t drop, mat_t T, int *yes)
{
    real_t least, most = 0;
    GSVD_TRY(X(min_abs_diagonal_cpu)(ex, R, &least));
    for (int64_t i = 0; i < min_i(R.rows, R.cols); ++i)
        most = fmax_r(most, abs_of(AT(R, i, i)));
    *yes = least > tol && !(least <= drop * most);
    return *yes ? GSVD_SUCCESS : X(set_cpu)(ex, T, 0, 0);
}

gsvd_status_t X(await_panel_cpu)(const exec_t *ex, int *yes)
{
    (void)ex, (void)yes; /* test_panel has answered already. */
    return GSVD_SUCCESS;
}
