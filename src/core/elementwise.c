/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* elementwise.c -- copies, transposes, scalings, norms; CPU twin of
 * elementwise.cu. */
#include "core/elementwise.h"

#include <string.h>

#include "core/range.h"
#include "core/vector.h"

enum {
    ROWS = 64, /* rows that scale_rows scales together                       */
    /* No entry of a scaled matrix grows beyond 2^FAR. */
    FAR = PAIR_TOP + 60
};

/* The square of a number between this and its inverse is a normal number, even times
 * ulp^2. */
#define SAFE_LEAST (GSVD_SINGLE ? (real_t)0x1p-40 : (real_t)0x1p-400)

gsvd_status_t X(copy_cpu)(const exec_t *ex, mat_t A, mat_t B)
{
    (void)ex;
    if (A.rows > 0)
        for (int64_t j = 0; j < A.cols; ++j)
            memcpy(&AT(B, 0, j), &AT(A, 0, j), (size_t)A.rows * sizeof *A.data);
    return GSVD_SUCCESS;
}

gsvd_status_t X(from_single_cpu)(const exec_t *ex, const single_t *A,
                                 int64_t lda, mat_t B)
{
    (void)ex;
    for (int64_t j = 0; j < B.cols; ++j)
        for (int64_t i = 0; i < B.rows; ++i)
            AT(B, i, j) = from_single(A[i + j * lda]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(to_single_cpu)(const exec_t *ex, mat_t A, single_t *B,
                               int64_t ldb)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            B[i + j * ldb] = to_single(AT(A, i, j));
    return GSVD_SUCCESS;
}

gsvd_status_t X(set_cpu)(const exec_t *ex, mat_t A, real_t off, real_t diag)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j) {
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = make(off, 0);
        if (j < A.rows)
            AT(A, j, j) = make(diag, 0);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(zero_lower_cpu)(const exec_t *ex, mat_t A)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = j + 1; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
    return GSVD_SUCCESS;
}

gsvd_status_t X(ctrans_cpu)(const exec_t *ex, mat_t A, mat_t B)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, j, i) = conj_of(AT(A, i, j));
    return GSVD_SUCCESS;
}

/* A(j,i) := conj(A(i,j)) for entries of one triangle in a square from (i0,j0), which stays in a
 * cache; the diagonal becomes real. */
static void mirror(mat_t A, int upper, int64_t i0, int64_t j0, int64_t size)
{
    const int64_t i1 = min_i(i0 + size, A.rows), j1 = min_i(j0 + size, A.cols);
    for (int64_t j = j0; j < j1; ++j) {
        const int64_t from = upper ? i0 : max_i(i0, j + 1);
        const int64_t to = upper ? min_i(i1, j) : i1;
        for (int64_t i = from; i < to; ++i)
            AT(A, j, i) = conj_of(AT(A, i, j));
        if (i0 <= j && j < i1)
            AT(A, j, j) = make(re(AT(A, j, j)), 0);
    }
}

gsvd_status_t X(hermitian_cpu)(const exec_t *ex, char uplo, mat_t A)
{
    enum { SQUARE = 32 };
    const int upper = uplo == 'U';
    (void)ex;
    for (int64_t j = 0; j < A.cols; j += SQUARE)
        for (int64_t i = upper ? 0 : j; i < (upper ? j + SQUARE : A.cols);
             i += SQUARE)
            mirror(A, upper, i, j, SQUARE);
    return GSVD_SUCCESS;
}

gsvd_status_t X(conj_antitranspose_cpu)(const exec_t *ex, mat_t A, mat_t B)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, A.cols - 1 - j, A.rows - 1 - i) = conj_of(AT(A, i, j));
    return GSVD_SUCCESS;
}

/* *f := 2^e.  Returns whether a product by *f may replace ldexp, since it rounds alike.  It does
 * if *f is a normal number and no product with an entry of a scaled matrix overflows. */
static int power_of_two(int e, real_t *f)
{
    *f = ldexp_r(1, e);
    return *f >= GSVD_SAFMIN && e <= REAL_BIAS - FAR;
}

static scalar_t shifted(scalar_t a, int e, real_t slack)
{
    return make(ldexp_near(re(a), e, slack), ldexp_near(im(a), e, slack));
}

gsvd_status_t X(scale_pow2_cpu)(const exec_t *ex, mat_t A, int e)
{
    const real_t slack = rounding_of(A);
    real_t f;
    (void)ex;
    if (e == 0)
        return GSVD_SUCCESS;
    if (power_of_two(e, &f)) {
        for (int64_t j = 0; j < A.cols; ++j)
            for (int64_t i = 0; i < A.rows; ++i)
                AT(A, i, j) = scale(f, AT(A, i, j));
        return GSVD_SUCCESS;
    }
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = shifted(AT(A, i, j), e, slack);
    return GSVD_SUCCESS;
}

gsvd_status_t X(scale_pow2_upper_cpu)(const exec_t *ex, mat_t A, int e)
{
    const real_t slack = rounding_of(A);
    real_t f;
    (void)ex;
    if (e == 0)
        return GSVD_SUCCESS;
    const int normal = power_of_two(e, &f);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < min_i(j + 1, A.rows); ++i)
            AT(A, i, j) =
                normal ? scale(f, AT(A, i, j)) : shifted(AT(A, i, j), e, slack);
    return GSVD_SUCCESS;
}

gsvd_status_t X(count_from_one_cpu)(const exec_t *ex, int64_t n,
                                    const int *from, int64_t *to)
{
    (void)ex;
    for (int64_t j = 0; j < n; ++j)
        to[j] = (int64_t)from[j] + 1;
    return GSVD_SUCCESS;
}

/* scale_rows for at most ROWS rows */
static void scale_some(mat_t A, const real_t *g, const int *e, real_t slack)
{
    real_t f[ROWS];
    int normal = 1;
    for (int64_t i = 0; i < A.rows; ++i)
        normal &= power_of_two(e[i], &f[i]);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i) {
            const scalar_t a = scale(g[i], AT(A, i, j));
            AT(A, i, j) = normal ? scale(f[i], a) : shifted(a, e[i], slack);
        }
}

gsvd_status_t X(scale_rows_cpu)(const exec_t *ex, mat_t A, const real_t *g,
                                const int *e)
{
    (void)ex;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    for (int64_t i = 0; i < A.rows; i += ROWS)
        scale_some(
            mat_view(&AT(A, i, 0), min_i(ROWS, A.rows - i), A.cols, A.ld),
            g + i, e + i, rounding_of(A));
    return GSVD_SUCCESS;
}

gsvd_status_t X(unscale_rows_cpu)(const exec_t *ex, mat_t A, const real_t *g,
                                  const int *e)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = unscaled(AT(A, i, j), g[i], e[i]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(nonzero_cpu)(const exec_t *ex, mat_t R)
{
    (void)ex;
    for (int64_t i = 0; i < min_i(R.rows, R.cols); ++i)
        if (abs_max(AT(R, i, i)) == 0)
            AT(R, i, i) = make(GSVD_SAFMIN * GSVD_ULP, 0);
    return GSVD_SUCCESS;
}

/* fmax without its call; NaN is found in another way. */
static real_t larger(real_t x, real_t y) { return x > y ? x : y; }

/* The sum of |a(i)|; largest is the largest of |re|, |im| of all a(i). */
static real_t column_sum(int64_t n, const scalar_t *a, real_t largest)
{
    real_t sum = 0;
    if (REALS_PER_SCALAR == 1 ||
        (largest > SAFE_LEAST && largest < 1 / SAFE_LEAST))
        return X(vector_sum)(n, a);
    for (int64_t i = 0; i < n; ++i)
        sum += abs_of(a[i]);
    return sum;
}

/* The sum of |a(i)|; *largest, *zero and size, which may be NULL, as vector_extremes
 * and vector_largest set them */
static real_t norms_of_short(int64_t n, const scalar_t *a, real_t *largest,
                             real_t *zero, real_t *size)
{
    real_t sum = 0;
    *largest = *zero = 0;
    for (int64_t i = 0; i < n; ++i) {
        const real_t x = larger(fabs_r(re(a[i])), fabs_r(im(a[i])));
        *zero += 0 * re(a[i]) + 0 * im(a[i]);
        *largest = larger(*largest, x);
        sum += abs_of(a[i]);
        if (size)
            size[i] = larger(size[i], x);
    }
    return sum;
}

/* The norms of A; size, if it is not NULL, grows to the largest entry of each row. */
static norms_t norms_of(mat_t A, real_t *size)
{
    norms_t r = {.finite = 1, .least_row = GSVD_REAL_MAX};
    for (int64_t j = 0; j < A.cols; ++j) {
        const scalar_t *const a = &AT(A, 0, j);
        real_t largest, zero, sum;
        if (A.rows <= VECTOR_FEW) {
            sum = norms_of_short(A.rows, a, &largest, &zero, size);
        } else {
            X(vector_extremes)(A.rows, a, &largest, &zero);
            sum = column_sum(A.rows, a, largest);
            if (size)
                X(vector_largest)(A.rows, a, size);
        }
        r.largest = larger(r.largest, largest);
        r.norm1 = larger(r.norm1, sum);
        r.finite &= zero == 0;
    }
    return r;
}

gsvd_status_t X(norms_cpu)(const exec_t *ex, mat_t A, norms_t *r)
{
    (void)ex;
    *r = norms_of(A, NULL);
    return GSVD_SUCCESS;
}

gsvd_status_t X(norms_by_row_cpu)(const exec_t *ex, mat_t A, real_t *size,
                                  norms_t *r)
{
    (void)ex;
    for (int64_t i = 0; i < A.rows; ++i)
        size[i] = 0;
    *r = norms_of(A, size);
    for (int64_t i = 0; i < A.rows; ++i) {
        r->rows += size[i] > 0;
        if (size[i] > 0 && size[i] < r->least_row)
            r->least_row = size[i];
    }
    return GSVD_SUCCESS;
}
