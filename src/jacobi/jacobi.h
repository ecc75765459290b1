/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* jacobi.h -- the GSVD of a triangular pair: primitives and drivers. */
#ifndef GSVD_JACOBI_JACOBI_H
#define GSVD_JACOBI_JACOBI_H

#include "core/backend.h"
#include "core/pair.h"

#if defined __cplusplus
extern "C" {
#endif

/* tgsja on host arrays, for both backends, with work of tgsja_host_bytes */
gsvd_status_t X(tgsja_host)(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                            real_t tolb, mat_t U, mat_t V, real_t *c, real_t *s,
                            int *cycles, int *converged, void *work);
size_t X(tgsja_host_bytes)(int64_t l);

/* -- drivers --------------------------------------------------------------- */

/* What solve_pair finds, and its workspace, for pairs of at most these sizes:
 *     A23 = U C H,   B13 = V S H,   H not formed
 * A stack is a matrix of B's l rows above A's m1.  The two are alike, so that one
 * may take the other's place: see reorder. */
#define solve_work_t X(solve_work_t)
typedef struct solve_work_t {
    mat_t GF;      /* stack: of G and F, at last V l x l and U m1 x m1       */
    mat_t W;       /* stack, free at last                                    */
    mat_t Z;       /* l x l, free at last                                    */
    real_t *c, *s; /* l each                                                 */
    scalar_t *tau;
    real_t *x, *y;
    int *perm, *rows;
    int64_t *rotations;
    real_t *size; /* of a stack's rows, to sort them                         */
    int *place, *from;
} solve_work_t;

void X(solve_carve)(arena_t *a, int64_t m, int64_t l, solve_work_t *w);

/* The parts of a stack. */
GSVD_FN mat_t of_b(mat_t stack, int64_t l)
{
    return mat_sub(stack, 0, 0, l, l);
}
GSVD_FN mat_t of_a(mat_t stack, int64_t l, int64_t m1, int64_t cols)
{
    return mat_sub(stack, l, 0, m1, cols);
}

GSVD_FN void exchange_stacks(solve_work_t *w)
{
    const mat_t W = w->W;
    w->W = w->GF;
    w->GF = W;
}

/* The columns of w->GF in the order perm; they move into w->W, and the two change
 * places. */
gsvd_status_t X(reorder)(const exec_t *ex, int64_t m1, int64_t l,
                         const int *perm, solve_work_t *w);

/* U, V, c, s of the triangular pair that P holds, in no order. */
gsvd_status_t X(solve_pair)(const exec_t *ex, const pair_t *P, solve_work_t *w,
                            outcome_t *out);

/* The same by one-sided Jacobi on the orthonormalized pair; A upper
 * trapezoidal, B upper triangular and nonsingular. */
gsvd_status_t X(csd)(const exec_t *ex, mat_t A, mat_t B, solve_work_t *w,
                     outcome_t *out);

/* What the primitives of this folder take of kernel_bytes (core/backend.h). */
kernel_bytes_op X(jacobi_kernel_bytes_cpu);

/* two.c: the same on the host, of order 2; 0 where it is not, or where products
 * of its entries may underflow: then nothing was done */
int X(csd_two_cpu)(mat_t A, mat_t B, solve_work_t *w);

/* few.c: of at most FEW columns */
gsvd_status_t X(csd_few_cpu)(const exec_t *ex, mat_t A, mat_t B,
                             solve_work_t *w, outcome_t *out);

/* c and s alone, c descending. */
gsvd_status_t X(csd_values)(const exec_t *ex, mat_t A, mat_t B, solve_work_t *w,
                            outcome_t *out);

/* Q := the unitary factor of G = Q R, R with a nonnegative diagonal; G is
 * destroyed. */
gsvd_status_t X(orthonormalize)(const exec_t *ex, mat_t G, mat_t Q,
                                scalar_t *tau);

/* Sweeps until the columns of G are orthogonal; C gets the rotations too.
 * out->unfinished if the limit is reached; nothing if out->stopped. */
gsvd_status_t X(orthogonalize)(const exec_t *ex, mat_t G, mat_t C,
                               int64_t *rotations, outcome_t *out);

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_JACOBI_H */
