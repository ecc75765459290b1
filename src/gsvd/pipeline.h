/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pipeline.h -- the routines' programs, and the steps of a pair's pipeline. */
#ifndef GSVD_GSVD_PIPELINE_H
#define GSVD_GSVD_PIPELINE_H

#include "gsvd/args.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"
#include "urv/urv.h"

/* -- a routine's program ------------------------------------------------------- */

/* What a routine does, once its arguments are known to be legal, its arrays to be where
 * the handle computes, and its workspace to be there. */
typedef struct program {
    /* *need := the memory of a call, of whose arguments sizes and jobs are known. */
    gsvd_status_t (*measure)(const exec_t *ex, const args_t *a, need_t *need);
    gsvd_status_t (*run)(const exec_t *ex, const args_t *a, outcome_t *out);
} program_t;

extern const program_t X(gsvd_program), X(preprocess_program), X(solve_program);
extern const program_t X(qr_program), X(qr_apply_program), X(qr_form_program);
extern const program_t X(geqp_program), X(urv_program);

/* The array of an operand, rows x cols; no columns: data is NULL. */
GSVD_FN mat_t operand_of(const args_t *a, operand_t i, int64_t rows,
                         int64_t cols)
{
    return mat_view(cols > 0 ? (scalar_t *)a->array[i] : NULL, rows, cols,
                    max_i(a->ld[i], 1));
}

/* -- scale.c: powers of two -------------------------------------------------- */

/* A := 2^-ea A, B := 2^-eb B with entries at most 1; a NaN or an infinity is an
 * illegal argument, and A and B stay as they were.  If w is not NULL: the sizes of
 * rows, and whether to sort them.  Waits. */
gsvd_status_t X(scale_pair)(const exec_t *ex, pair_t *P, preprocess_work_t *w,
                            outcome_t *out);
/* ... and back, of a triangular pair */
gsvd_status_t X(unscale_pair)(const exec_t *ex, pair_t *P, outcome_t *out);
/* X_ comes by unitary transformations from 2^e times an m x n matrix whose entries
 * are at most 1.  Where that may be too large for the type: is it?  Waits then. */
gsvd_status_t X(look_for_overflow)(const exec_t *ex, mat_t X_, int64_t m,
                                   int64_t n, int e, outcome_t *out);
/* ... of R and X */
gsvd_status_t X(look_for_overflow_of_pair)(const exec_t *ex, const pair_t *P,
                                           outcome_t *out);

/* -- single_matrix.c: what the routines of one matrix share --------------------- */

/* *r := the size of A, which may be NULL; a NaN or an infinity is an illegal argument.
 * Waits. */
gsvd_status_t X(look_at)(const exec_t *ex, mat_t A, operand_t operand,
                         norms_t *r, outcome_t *out);
/* 2^-e brings the largest entry next to 1; 0 where it is not far from it. */
int X(far_exponent)(const norms_t *r);
/* A := 2^-e A with e of its largest entry; if tol is not NULL: *tol likewise, or
 * LAPACK's if it is negative */
gsvd_status_t X(scale_matrix)(const exec_t *ex, mat_t A, int *e, real_t *tol,
                              outcome_t *out);

/* -- sort.c, assemble.c -------------------------------------------------------- */

#define assemble_work_t X(assemble_work_t)
typedef struct assemble_work_t {
    mat_t work; /* for the products with U, V and Q                         */
    real_t *c, *s, *g;
    int *e;
} assemble_work_t;

void X(assemble_carve)(arena_t *a, int64_t m, int64_t n, int64_t p, int64_t l,
                       assemble_work_t *w);
/* Bytes of work for it and for solve_pair, beside their arrays */
size_t X(solve_work_bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t l);

/* alpha and beta in their order and of the caller's pair; the columns of the
 * solver's U and V with them */
gsvd_status_t X(sort_values)(const exec_t *ex, pair_t *P, solve_work_t *s,
                             assemble_work_t *w);

/* R, U, V, Q of the caller's pair from the solver's U, V, c, s */
gsvd_status_t X(assemble)(const exec_t *ex, pair_t *P, solve_work_t *s,
                          assemble_work_t *w, outcome_t *out);
/* few.c: its steps 1 to 4 on the host, where l <= FEW */
void X(assemble_few)(pair_t *P, solve_work_t *s, const assemble_work_t *w);

#endif /* GSVD_GSVD_PIPELINE_H */
