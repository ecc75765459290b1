/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* families.h -- the matrices by which paper 002 (Abdelfattah and Fasi) judges batches of SVDs,
 * its table 1, and the threshold of its errors, sections 5.5 and 10.1.
 *
 *     random    entries uniform in [0, 1]
 *     arith     sigma_i = 1 - (i - 1) / (n - 1) (1 - 1 / kappa)
 *     cluster0  sigma_1 = 1, the others 1 / kappa
 *     cluster1  sigma_n = 1 / kappa, the others 1
 *     logrand   log sigma_i uniform in [log 1 / kappa, 0]
 *     geo       sigma_i = kappa^((1 - i) / (n - 1))
 *
 * with kappa = 1e10, in single precision 1e5.  The matrix is H diag(sigma) K, H and K products of
 * REFLECTIONS random reflectors each.  The errors are
 *
 *     e1 = |A - U Sigma V^H|_1 / (n |A|_1)     e2 = |I - U^H U|_1 / m
 *     e3 = |I - V^H V|_1 / n                   e4 = |Sigma - Sigma_ref|_F / min(m, n)
 *
 * and the paper wants each below k u, k = 30, u the unit roundoff, half an ulp of 1.  Its
 * figure 11 has no numbers.  Its text: all of them are, but for e3 of logrand and geo in double
 * precision, real and complex, which slightly exceeds it.
 */
#ifndef GSVD_BENCH_FAMILIES_H
#define GSVD_BENCH_FAMILIES_H

#include <math.h>

#include "core/matrix.h"
#include "core/scalar.h"

typedef enum paper_family {
    PAPER_RANDOM,
    PAPER_ARITH,
    PAPER_CLUSTER0,
    PAPER_CLUSTER1,
    PAPER_LOGRAND,
    PAPER_GEO,
    PAPER_FAMILIES
} paper_family_t;

static const char *const paper_family_name[PAPER_FAMILIES] = {
    "random", "arith", "cluster0", "cluster1", "logrand", "geo"};

enum { REFLECTIONS = 8 };

#define PAPER_THRESHOLD (30 * 0.5 * GSVD_ULP)
#define PAPER_KAPPA (GSVD_SINGLE ? 1e5 : 1e10)

/* Is e3 of these above the threshold in the paper? */
static inline int paper_exceeds(paper_family_t family)
{
    return !GSVD_SINGLE && (family == PAPER_LOGRAND || family == PAPER_GEO);
}

/* Numbers uniform in (0, 1) */
typedef struct uniform {
    double (*next)(void *source);
    void *source;
} uniform_t;

static inline double uniform_next(const uniform_t *u)
{
    return u->next(u->source);
}

/* real and imaginary part normal, by Box and Muller */
static inline scalar_t uniform_to_normal(const uniform_t *u)
{
    const double r = sqrt(-2 * log(uniform_next(u)));
    const double angle = 6.283185307179586 * uniform_next(u);
    return make((real_t)(r * cos(angle)), (real_t)(r * sin(angle)));
}

/* Value i of n, from 0 */
static inline double paper_value(paper_family_t family, int64_t i, int64_t n,
                                 const uniform_t *u)
{
    const double x = n > 1 ? (double)i / (double)(n - 1) : 0;
    switch (family) {
    case PAPER_ARITH: return 1 - x * (1 - 1 / PAPER_KAPPA);
    case PAPER_CLUSTER0: return i == 0 ? 1 : 1 / PAPER_KAPPA;
    case PAPER_CLUSTER1: return i < n - 1 ? 1 : 1 / PAPER_KAPPA;
    case PAPER_LOGRAND: return pow(PAPER_KAPPA, -uniform_next(u));
    default: return pow(PAPER_KAPPA, -x);
    }
}

/* x := normal numbers, of length 1 */
static inline void random_direction(int64_t n, const uniform_t *u, scalar_t *x)
{
    real_t square = 0;
    for (int64_t i = 0; i < n; ++i) {
        x[i] = uniform_to_normal(u);
        square += abs2(x[i]);
    }
    for (int64_t i = 0; i < n; ++i)
        x[i] = scale(1 / sqrt_r(square), x[i]);
}

/* A := (I - 2 x x^H) A */
static inline void reflect_rows(mat_t A, const scalar_t *x)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        scalar_t h = make(0, 0);
        for (int64_t i = 0; i < A.rows; ++i)
            h = add(h, mul(conj_of(x[i]), AT(A, i, j)));
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = sub(AT(A, i, j), mul(scale(2, h), x[i]));
    }
}

/* A := A (I - 2 x x^H); y: room for a number of each row */
static inline void reflect_columns(mat_t A, const scalar_t *x, scalar_t *y)
{
    for (int64_t i = 0; i < A.rows; ++i)
        y[i] = make(0, 0);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            y[i] = add(y[i], mul(x[j], AT(A, i, j)));
    for (int64_t j = 0; j < A.cols; ++j) {
        const scalar_t h = scale(2, conj_of(x[j]));
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = sub(AT(A, i, j), mul(h, y[i]));
    }
}

/* A := a matrix of the family; room: for as many numbers as A has rows and columns.  sigma, or
 * NULL: the min(m, n) values that it was made of, unsorted; of random ones it is not set. */
static inline void paper_matrix(paper_family_t family, mat_t A,
                                const uniform_t *u, scalar_t *room,
                                double *sigma)
{
    const int64_t n = min_i(A.rows, A.cols);

    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i) {
            const double x = family == PAPER_RANDOM ? uniform_next(u) : 0;
            const double y = family == PAPER_RANDOM ? uniform_next(u) : 0;
            AT(A, i, j) = make((real_t)x, (real_t)y);
        }
    if (family == PAPER_RANDOM)
        return;
    for (int64_t i = 0; i < n; ++i) {
        const double value = paper_value(family, i, n, u);
        AT(A, i, i) = make((real_t)value, 0);
        if (sigma)
            sigma[i] = value;
    }
    for (int k = 0; k < REFLECTIONS; ++k) {
        random_direction(A.rows, u, room);
        reflect_rows(A, room);
        random_direction(A.cols, u, room);
        reflect_columns(A, room, room + A.cols);
    }
}

#endif /* GSVD_BENCH_FAMILIES_H */
