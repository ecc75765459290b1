/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* inverse_iteration.c -- the column on which the least singular value of a triangle rests;
 * CPU twin of inverse_iteration.cu.
 *
 *     0  |det R| large enough?  Then nothing else is done
 *     1  R^H y = x    |x(i)| equal, signs such that y grows (LINPACK's)
 *     2  |x|/|y| large?  Then nothing else is done; y := y / |y|
 *     3  R z = y
 *     4  p: the largest |z(p)|
 *
 * which is a step of inverse iteration.  With column p last, R P = Q R', the last
 * row of R' (P^H z) = Q^H y says |R'(n,n)| |z(p)| <= 1 (Chan 1987).
 *
 * In 0, |det R| is at most sigma (|R|_F^2 / (n-1))^((n-1)/2) for each singular
 * value sigma, and |R|_F^2 <= n |R(0,0)|^2, so
 *
 *     sigma >= e^(-1/2) |R(0,0)| prod |R(i,i)/R(0,0)|
 */
#include "pivot/inverse_iteration.h"
#include "core/sumsq.h"
#include "core/vector.h"
#include "pivot/pivot.h"

/* x := x / top and *one := *one / top, if top is large; *one is the scale of x, and top
 * the |x(i)| of some i. */
static void damp(int64_t n, scalar_t *x, real_t top, real_t *one)
{
    if (top > LARGE_ENTRY) {
        X(vector_scale)(n, make(1 / top, 0), x);
        *one /= top;
    }
}

gsvd_status_t X(inverse_iteration_cpu)(const exec_t *ex, mat_t R, real_t tol,
                                       int64_t *column, real_t *bound)
{
    const int64_t n = R.cols;
    real_t one = 1;
    sumsq_t s = {0};
    void *work;

    *column = 0;
    *bound = inverse_iteration_from_below(R); /* 0 */
    if (*bound > tol)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, (size_t)n * sizeof(scalar_t), &work));
    scalar_t *const x = work;
    for (int64_t i = 0; i < n; ++i) { /* 1 */
        x[i] = inverse_iteration_next(one, dot_of(i, &AT(R, 0, i), x),
                                      conj_of(AT(R, i, i)));
        damp(i + 1, x, abs_of(x[i]), &one);
    }
    for (int64_t i = 0; i < n; ++i)
        sumsq_add(&s, x[i]);
    const real_t length = sumsq_norm(s);
    *bound = one * sqrt_r((real_t)n) / length;
    if (*bound > (real_t)n * tol) /* 2 */
        return GSVD_SUCCESS;
    X(vector_scale)(n, make(1 / length, 0), x);
    one = 1;
    for (int64_t j = n - 1; j >= 0; --j) { /* 3 */
        x[j] = quotient(x[j], AT(R, j, j));
        damp(n, x, abs_of(x[j]), &one);
        add_to(j, make(-re(x[j]), -im(x[j])), &AT(R, 0, j), x);
    }
    for (int64_t i = 1; i < n; ++i) /* 4 */
        if (abs_of(x[i]) > abs_of(x[*column]))
            *column = i;
    *bound = one / abs_of(x[*column]);
    return GSVD_SUCCESS;
}
