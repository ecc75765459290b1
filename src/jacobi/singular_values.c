/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* singular_values.c -- the singular values of a square matrix, without vectors and with them: A = Q B P^H
 * with B bidiagonal, by LAPACK's xGEBRD; B's values by its xBDSQR, or B = U1 diag(x) V1^H by xBDSDC and
 * U = Q U1, V = P V1 by xORMBR or xUNMBR.
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
    real_t *U, *VT; /* of B, n x n                                           */
    int *integers;
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
    BLAS_(bdsqr)
    ("U", &n, &zero, &zero, &zero, x, w.e, &none, &one, &none, &one, &none,
     &one, w.rest, &info, 1);
    *converged = info == 0;
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
