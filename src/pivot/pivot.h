/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pivot.h -- column norms, pivoted QR, rank, permutations; see backend.h. */
#ifndef GSVD_PIVOT_PIVOT_H
#define GSVD_PIVOT_PIVOT_H

#include "core/backend.h"

enum {
    PIVOT_WIDTH = 32, /* the most columns that a tournament chooses          */
    SKETCH_ROWS = 40  /* the most rows of a sketch: 8 more than it chooses   */
};

/* What order_rows does not tell apart: one class an exponent, denormals' too,
 * from the largest down; the last are zeros. */
enum {
    ROW_EXPONENTS = GSVD_SINGLE ? FLT_MAX_EXP - FLT_MIN_EXP + FLT_MANT_DIG
                                : DBL_MAX_EXP - DBL_MIN_EXP + DBL_MANT_DIG,
    ROW_CLASSES = ROW_EXPONENTS + 1
};

GSVD_FN int row_class(real_t size)
{
    const int most = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
    return size > 0 ? most - exponent_r(size) : ROW_EXPONENTS;
}

#if defined __cplusplus
extern "C" {
#endif

/* -- primitives, see backend.h -------------------------------------------- */

#define GSVD_PIVOT_PRIMITIVES(who)                                             \
    gsvd_status_t X(column_norms_##who)(gsvd_handle_t h, mat_t A,              \
                                        real_t * norm);                        \
    gsvd_status_t X(gaussian_##who)(gsvd_handle_t h, mat_t W, uint64_t seed);  \
    gsvd_status_t X(tournament_##who)(gsvd_handle_t h, mat_t S, int64_t b,     \
                                      int *winners);                           \
    gsvd_status_t X(project_##who)(gsvd_handle_t h, mat_t V, mat_t T, mat_t C, \
                                   mat_t W, mat_t Y);                          \
    gsvd_status_t X(update_sketch_##who)(gsvd_handle_t h, mat_t V, mat_t Y,    \
                                         mat_t C, int64_t first, mat_t Omega,  \
                                         mat_t S);                             \
    gsvd_status_t X(bring_forward_##who)(gsvd_handle_t h, mat_t A, int64_t b,  \
                                         const int *winners, int *perm);       \
    gsvd_status_t X(pivot_columns_##who)(                                      \
        gsvd_handle_t h, mat_t A, int64_t first, int64_t last, real_t tol,     \
        int *perm, scalar_t *tau, int64_t *done);                              \
    gsvd_status_t X(smallest_##who)(gsvd_handle_t h, mat_t R, real_t * least); \
    gsvd_status_t X(judge_##who)(gsvd_handle_t h, mat_t R, real_t tol,         \
                                 mat_t T);                                     \
    gsvd_status_t X(judged_##who)(gsvd_handle_t h, int *yes);                  \
    gsvd_status_t X(weakest_##who)(gsvd_handle_t h, mat_t R, real_t tol,       \
                                   int64_t * column, real_t * bound);          \
    gsvd_status_t X(identity_##who)(gsvd_handle_t h, int64_t n, int *perm);    \
    gsvd_status_t X(permute_columns_##who)(gsvd_handle_t h, mat_t A,           \
                                           const int *perm, mat_t B);          \
    gsvd_status_t X(permute_rows_##who)(gsvd_handle_t h, mat_t A,              \
                                        const int *perm, mat_t B);             \
    gsvd_status_t X(order_rows_##who)(gsvd_handle_t h, int64_t rows,           \
                                      const real_t *size, int *place,          \
                                      int *from)

GSVD_PIVOT_PRIMITIVES(cpu);
GSVD_PIVOT_PRIMITIVES(cuda);

/* scratch of the CPU's primitives of these names, for an m x n matrix */
size_t X(pivot_columns_bytes)(int64_t m, int64_t n);
size_t X(bring_forward_bytes)(int64_t m);
size_t X(tournament_bytes)(int64_t n);

/* pass.cu: scratch for up to n columns */
size_t X(pass_bytes)(int64_t n);

/* -- the driver, geqp.c ---------------------------------------------------- */

/* A P = Q R, column j of A P is column perm[j] of A; Q as reflectors below R,
 * LAPACK's form; tau has min(m,n) entries.
 *
 * *rank columns are factored, each with |R(j,j)| > tol, and tau is 0 behind
 * them; what is left below row *rank of the other columns has no column longer
 * than tol.  tol = 0 stops where nothing is left.  tol < 0 goes on to
 * *rank = min(m,n) and never waits; else the host waits once a panel. */
gsvd_status_t X(geqpf)(gsvd_handle_t h, const backend_t *be, mat_t A,
                       gsvd_pivot_t how, real_t tol, int *perm, scalar_t *tau,
                       int64_t *rank);

/* bytes of the handle's desk that geqp wants for matrices of at most this
 * size */
size_t X(geqp_desk_bytes)(const backend_t *be, int64_t m, int64_t n);

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_PIVOT_H */
