/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* singular_values.c -- the singular values of a square matrix, without vectors and with them: A = Q B P^H
 * with B bidiagonal, by LAPACK's xGEBRD; B's values by its xBDSQR, or B = U1 diag(x) V1^H by xBDSDC and
 * U = Q U1, V = P V1 by xORMBR or xUNMBR.
 *
 * xBDSQR without vectors is dqds, which finds the values of B to relative accuracy.  xGEBRD has
 * errors of rounding of |A|.  So the values are as accurate as Jacobi's only if rows and columns
 * of A are alike.
 *
 * Small values alone are no part of any sum that would show whether they are right.  Therefore B's
 * values below a few numbers are counted, too: n operations each, with errors of a few ulp of B's
 * entries.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/lapack.h"
#include "jacobi/jacobi.h"

enum {
    WIDTH = 32 /* of xGEBRD's panels, by its work                            */
};

/* Counts tell values that differ by less than this part of themselves from none. */
#define BLUR (1 / 128.0)

typedef struct work {
    scalar_t *tauq, *taup, *panels;
    real_t *e, *rest;
    real_t *U, *VT; /* of B, n x n                                           */
    int *integers;
    real_t *d_kept, *e_kept; /* B, of values alone                           */
} work_t;

static void carve(arena_t *a, int64_t n, int with_vectors, work_t *w)
{
    const int64_t k = with_vectors ? n : 0;
    w->tauq = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->taup = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->panels = gsvd_arena_take(a, 2 * n * WIDTH, sizeof(scalar_t));
    w->e = gsvd_arena_take(a, n, sizeof(real_t));
    w->rest = gsvd_arena_take(a, 4 * n + 3 * k * k, sizeof(real_t));
    w->U = gsvd_arena_take(a, k * k, sizeof(real_t));
    w->VT = gsvd_arena_take(a, k * k, sizeof(real_t));
    w->integers = gsvd_arena_take(a, 8 * k, sizeof(int));
    w->d_kept = gsvd_arena_take(a, n - k, sizeof(real_t));
    w->e_kept = gsvd_arena_take(a, n - k, sizeof(real_t));
}

static size_t bytes_of(int64_t n, int with_vectors)
{
    arena_t count = {0};
    work_t w;
    carve(&count, n, with_vectors, &w);
    return gsvd_arena_bytes(&count);
}

size_t X(singular_values_bytes)(int64_t n) { return bytes_of(n, 0); }

size_t X(singular_vectors_bytes)(int64_t n) { return bytes_of(n, 1); }

/* A, x and w->e := Q, P and B */
static gsvd_status_t to_bidiagonal(const exec_t *ex, int with_vectors, mat_t A,
                                   real_t *x, work_t *w)
{
    const size_t bytes = bytes_of(A.cols, with_vectors);
    const int n = (int)A.cols, lda = (int)A.ld, lwork = 2 * n * WIDTH;
    int info;
    void *memory;

    GSVD_TRY(X(kernel_work)(ex, bytes, &memory));
    arena_t a = gsvd_arena_over(memory, bytes);
    carve(&a, n, with_vectors, w);
    BLAS_(gebrd)
    (&n, &n, A.data, &lda, x, w->e, w->tauq, w->taup, w->panels, &lwork, &info);
    return info == 0 ? GSVD_SUCCESS
                     : gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                                 "xGEBRD: LAPACK refuses an argument");
}

/* How many of B's values are below s > 0: so many pivots of B^H B / s^2 - I are negative. */
static int64_t count_below(int64_t n, const work_t *w, double s)
{
    const double least = DBL_EPSILON * DBL_EPSILON;
    int64_t count = 0;
    double t = -1; /* the pivot without the square of B's diagonal entry     */

    for (int64_t i = 0; i < n; ++i) {
        const double d = w->d_kept[i] / s;
        const double e = i < n - 1 ? w->e_kept[i] / s : 0;
        double pivot = d * d + t;
        if (!(fabs(pivot) > least * fabs(t)))
            pivot = -least * fmax(fabs(t), least);
        count += pivot < 0;
        t = t / pivot * (e * e) - 1;
    }
    return count;
}

/* Are as many of B's values below s as of x? */
static int count_agrees(int64_t n, const work_t *w, const real_t *x, double s)
{
    const int64_t count = count_below(n, w, s);
    int64_t least = 0, most = 0;

    for (int64_t i = 0; i < n; ++i) {
        least += x[i] < s * (1 - BLUR);
        most += x[i] <= s * (1 + BLUR);
    }
    return least <= count && count <= most;
}

/* ... on both sides of the least one, and at a few numbers up to sqrt(eps) of the largest.  What is
 * rounding of that may be anything. */
static int small_values_agree(int64_t n, const work_t *w, const real_t *x)
{
    const double largest = x[0], last = x[n - 1];
    const double rounding = GSVD_EPS * largest;
    const double small = sqrt(GSVD_EPS), step = 1 / sqrt(sqrt(small));
    int agree =
        last <= rounding || count_agrees(n, w, x, last * (1 - 2 * BLUR));
    double s = fmax(last * (1 + 2 * BLUR), rounding);

    if (!(largest > 0))
        return largest == 0; /* no if it is a NaN                            */
    do {
        agree = agree && count_agrees(n, w, x, s);
        s *= step;
    } while (agree && s < small * largest);
    return agree;
}

gsvd_status_t X(singular_values_cpu)(const exec_t *ex, mat_t A, real_t *x,
                                     int *converged)
{
    const int n = (int)A.cols, zero = 0, one = 1;
    int info;
    scalar_t none;
    work_t w;

    *converged = 1;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(to_bidiagonal(ex, 0, A, x, &w));
    memcpy(w.d_kept, x, (size_t)n * sizeof *x);
    memcpy(w.e_kept, w.e, (size_t)(n - 1) * sizeof *x);
    BLAS_(bdsqr)
    ("U", &n, &zero, &zero, &zero, x, w.e, &none, &one, &none, &one, &none,
     &one, w.rest, &info, 1);
    *converged = info == 0 && small_values_agree(n, &w, x);
    return GSVD_SUCCESS;
}

gsvd_status_t X(singular_vectors_cpu)(const exec_t *ex, mat_t A, real_t *x,
                                      mat_t U, mat_t V, int *converged)
{
    const int n = (int)A.cols, lda = (int)A.ld, ldu = (int)U.ld,
              ldv = (int)V.ld, lwork = 2 * n * WIDTH;
    int info[3];
    work_t w;

    *converged = 1;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(to_bidiagonal(ex, 1, A, x, &w));
    BDSDC("U", "I", &n, x, w.e, w.U, &n, w.VT, &n, NULL, NULL, w.rest,
          w.integers, &info[0], 1, 1);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            AT(U, i, j) = make(w.U[i + j * n], 0);
            AT(V, i, j) = make(w.VT[j + i * n], 0);
        }
    BLAS_(ORMBR)
    ("Q", "L", "N", &n, &n, &n, A.data, &lda, w.tauq, U.data, &ldu, w.panels,
     &lwork, &info[1], 1, 1, 1);
    BLAS_(ORMBR)
    ("P", "L", "N", &n, &n, &n, A.data, &lda, w.taup, V.data, &ldv, w.panels,
     &lwork, &info[2], 1, 1, 1);
    if (info[1] != 0 || info[2] != 0)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "xORMBR: LAPACK refuses an argument");
    *converged = info[0] == 0;
    return GSVD_SUCCESS;
}
