/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* singular_values.c -- the singular values of a square matrix without vectors: A = Q B P^H with B
 * bidiagonal, by LAPACK's xGEBRD, and B's values by its xBDSQR.
 *
 * xBDSQR without vectors is dqds, which finds the values of B to relative accuracy.  xGEBRD has
 * errors of rounding of |A|.  So the values are as accurate as Jacobi's only if rows and columns
 * of A are alike.
 */
#include "core/lapack.h"
#include "jacobi/jacobi.h"

enum {
    WIDTH = 32 /* of xGEBRD's panels, by its work                            */
};

typedef struct work {
    scalar_t *tauq, *taup, *panels;
    real_t *e, *rest;
} work_t;

static void carve(arena_t *a, int64_t n, work_t *w)
{
    w->tauq = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->taup = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->panels = gsvd_arena_take(a, 2 * n * WIDTH, sizeof(scalar_t));
    w->e = gsvd_arena_take(a, n, sizeof(real_t));
    w->rest = gsvd_arena_take(a, 4 * n, sizeof(real_t));
}

size_t X(singular_values_bytes)(int64_t n)
{
    arena_t count = {0};
    work_t w;
    carve(&count, n, &w);
    return gsvd_arena_bytes(&count);
}

gsvd_status_t X(singular_values_cpu)(const exec_t *ex, mat_t A, real_t *x,
                                     int *converged)
{
    const size_t bytes = X(singular_values_bytes)(A.cols);
    const int n = (int)A.cols, lda = (int)A.ld, lwork = 2 * n * WIDTH;
    const int zero = 0, one = 1;
    int info;
    void *memory;
    scalar_t none;
    work_t w;

    *converged = 1;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, bytes, &memory));
    arena_t a = gsvd_arena_over(memory, bytes);
    carve(&a, n, &w);
    BLAS_(gebrd)
    (&n, &n, A.data, &lda, x, w.e, w.tauq, w.taup, w.panels, &lwork, &info);
    if (info != 0)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "singular_values: LAPACK refuses an argument");
    BLAS_(bdsqr)
    ("U", &n, &zero, &zero, &zero, x, w.e, &none, &one, &none, &one, &none,
     &one, w.rest, &info, 1);
    *converged = info == 0;
    return GSVD_SUCCESS;
}
