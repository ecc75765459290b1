/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pipeline.h -- the routines' programs, and the steps of a pair's pipeline.
 *
 * The steps work in the exec's queue; one that waits says so. */
#ifndef GSVD_GSVD_PIPELINE_H
#define GSVD_GSVD_PIPELINE_H

#include "gsvd/batched.h"
#include "jacobi/jacobi.h"
#include "pivot/ldl.h"
#include "pivot/pivot.h"
#include "qr/qr.h"
#include "urv/urv.h"

/* -- a routine's program ------------------------------------------------------- */

/* A routine without its door: its arguments are legal, its arrays are where the handle
 * computes, and its workspace is there. */
typedef struct program {
    /* *need := the memory of a call; only sizes and jobs of its arguments are known. */
    gsvd_status_t (*measure)(const exec_t *ex, const args_t *a, need_t *need);
    gsvd_status_t (*run)(const exec_t *ex, const args_t *a, outcome_t *out);
    const solvers_t *batch; /* NULL: the routine has no batches              */
} program_t;

/* at_once.c: at once, whose work is for `count` problems, and one by one */
extern const solvers_t X(svd_batches), X(gsvd_batches), X(eigh_batches);

/* One per routine, in its run file: X(qr_program) ... */
extern const program_t X(qr_program), X(geqp_program), X(svd_program),
    X(hsvd_program), X(eigh_program);

/* run.c: of a triangular pair with its factors; jacobi/solve.c has those of the pair alone. */
extern const solvers_t X(whole_pair_solvers);

/* The array of an operand, rows x cols; data is NULL if there are no columns. */
GSVD_FN mat_t operand_of(const args_t *a, operand_t i, int64_t rows,
                         int64_t cols)
{
    return mat_view(cols > 0 ? (scalar_t *)a->array[i] : NULL, rows, cols,
                    max_i(a->ld[i], 1));
}

/* -- scale.c: powers of two -------------------------------------------------- */

/* A := 2^-ea A, B := 2^-eb B with largest entries next to 2^top; a NaN or an infinity is an
 * illegal argument, and A and B stay as they were.  If w is not NULL, it gets the sizes
 * of rows, and P says whether to sort them; else alpha and beta are overwritten, and n integers
 * of the work.  out tells of entries that the range has no room for.  Waits. */
gsvd_status_t X(scale_pair)(const exec_t *ex, pair_t *P, preprocess_work_t *w,
                            outcome_t *out);
/* Scales the larger of A and B, a triangular pair with its k and l, so that A23 and B13 are
 * nearly of one norm: a matrix full of numbers has a larger one than a derivative's of equal
 * entries, and errors of the solver and of assembly are those of the larger.  Waits. */
gsvd_status_t X(balance_pair)(const exec_t *ex, pair_t *P, solve_work_t *s);
/* A := 2^ea A, B := 2^eb B for a triangular pair; out tells of an overflow. */
gsvd_status_t X(unscale_pair)(const exec_t *ex, pair_t *P, outcome_t *out);
/* X_ comes by unitary transformations from 2^e times an m x n matrix whose entries
 * are at most 1.  Where an entry may be too large for the type, waits to know whether
 * one is, and tells it to out. */
gsvd_status_t X(test_overflow)(const exec_t *ex, mat_t X_, int64_t m, int64_t n,
                               int e, outcome_t *out);
/* test_overflow of a singular value of such a matrix: the columns whose length it is may fit */
gsvd_status_t X(test_overflow_of_value)(const exec_t *ex, const real_t *value,
                                        int64_t m, int64_t n, int e,
                                        outcome_t *out);
/* test_overflow of R and X */
gsvd_status_t X(test_overflow_of_pair)(const exec_t *ex, const pair_t *P,
                                       outcome_t *out);

/* -- run_ldl.c ---------------------------------------------------------------- */

/* hetrf (pivot/ldl.h), and F's order, rank and plus.  Takes hetrf_sorted_bytes, and n real_t's of
 * staging memory. */
gsvd_status_t X(hetrf_sorted)(const exec_t *ex, mat_t A, real_t tol,
                              int by_sign, ldl_t *F);
size_t X(hetrf_sorted_bytes)(const exec_t *ex, int64_t n);

/* -- single_matrix.c: what the routines of one matrix share --------------------- */

/* *r := the norms of A, unless r is NULL; a NaN or an infinity is an illegal argument.
 * Waits. */
gsvd_status_t X(norms_if_finite)(const exec_t *ex, mat_t A, operand_t operand,
                                 norms_t *r, outcome_t *out);
/* A matrix is scaled if its largest entry has an exponent beyond these: within, squares
 * and long sums are far from over- and underflow. */
enum { FAR_EXPONENT = GSVD_SINGLE ? 16 : 128 };

/* The e for which 2^-e times the largest entry is next to 1; 0 if it is not far off */
int X(far_exponent)(const norms_t *r);
/* *e := far_exponent of A, A := 2^-e A; unless tol is NULL, *tol := 2^-e *tol, or
 * LAPACK's tolerance if *tol is negative.  A NaN or an infinity is an illegal
 * argument.  Waits. */
gsvd_status_t X(scale_matrix)(const exec_t *ex, mat_t A, int *e, real_t *tol,
                              outcome_t *out);

/* Rows of a matrix of m rows in the order of their size: unsorted, small rows lose as many
 * digits as they are smaller. */
#define row_order_t X(row_order_t)
typedef struct row_order_t {
    real_t *size; /* of the rows, m of each                                  */
    int *perm, *inverse;
    mat_t work;
    int sorted; /* The rows differ in size, and are sorted.                  */
    int bits;   /* by which they differ, but for zeros                       */
    int even; /* They differ, and are not sorted, since they are alike once columns
                 * are.  Values are wrong then where columns depend on others. */
} row_order_t;

/* cols: of the widest matrix that is rearranged */
void X(row_order_take)(arena_t *a, int64_t m, int64_t cols, row_order_t *order);
/* Sorts the rows of A by size, the largest first, if they differ by a factor of 8; where a grid's call
 * asks for it (grid/svd.c), if they do so with columns made alike, too.  *apart: they differ so much
 * that panels are to be accurate row by row.  Waits. */
gsvd_status_t X(row_order_sort)(const exec_t *ex, mat_t A, row_order_t *order,
                                int *apart);
/* U := its rows as they stood before, if rows were sorted */
gsvd_status_t X(row_order_undo)(const exec_t *ex, mat_t U,
                                const row_order_t *order);
/* *good := 0 if so few columns that make_unitary does not look at them are not unitary.  Waits. */
gsvd_status_t X(few_are_unitary)(const exec_t *ex, mat_t X_, mat_t room,
                                 int *good);

/* -- entries.c ------------------------------------------------------------------ */

/* d[j] := |A(j,j)|, of no more columns than rows */
gsvd_status_t X(diagonal_sizes)(const exec_t *ex, mat_t A, real_t *d);
/* to := A, in the host's memory, of a matrix without gaps.  Waits. */
gsvd_status_t X(read_matrix)(const exec_t *ex, mat_t A, scalar_t *to);
/* x[0:n) := 2^e x[0:n); behind x there is room for another number. */
gsvd_status_t X(scale_values)(const exec_t *ex, int64_t n, real_t *x, int e);

#define factor_t X(factor_t)
typedef struct factor_t {
    mat_t all;      /* data == NULL: There is no such factor.                */
    int64_t valued; /* leading columns that have a value                     */
    int normal;     /* All columns have been divided by their lengths.       */
} factor_t;

#define unitary_work_t X(unitary_work_t)
typedef struct unitary_work_t {
    mat_t E;             /* r x r                                            */
    int64_t entries;     /* of its memory                                    */
    mat_t room;          /* r columns, and as many as random vectors         */
    real_t *one, *minus; /* r numbers each                                   */
} unitary_work_t;

/* For factors of these sizes, with so many columns that have a value, or fewer */
void X(unitary_carve)(arena_t *a, int64_t cols, const factor_t *F, int count,
                      unitary_work_t *w);
/* Tests of a result of order n: the most of its residual times a Gaussian x, over |x| and the largest
 * value; and twice the most of | |A|_F^2 - sum of the values' squares |, over |A|_F^2 */
#define RESIDUAL_MOST(n) (10 * sqrt_r((real_t)((n) + 16)) * GSVD_EPS)
#define SQUARES_MOST(n) (20 * (double)((n) + 16) * (double)GSVD_EPS)
/* The largest entry of X^H X - I that is allowed, for an X of so many rows */
GSVD_FN real_t defect_allowed(int64_t rows)
{
    return GSVD_EPS * (2 * sqrt_r((real_t)rows) + 20);
}
/* make_unitary.c: each X := X (3 I - X^H X) / 2, unless its columns are unitary to rounding, to
 * (2 sqrt(n) + 20) eps an entry for n rows, or nearly so, as random vectors see it.  Where none
 * is mended, columns with a value are the same whether there are others or not.  out->unfinished: one
 * factor is too far from unitary.  Waits, once if all are unitary. */
enum { UNITARY_MOST = 3, UNITARY_LEAST = 32 }; /* factors; columns of each    */
gsvd_status_t X(make_unitary)(const exec_t *ex, const factor_t *F, int count,
                              const unitary_work_t *w, outcome_t *out);

/* -- sort.c, assemble.c -------------------------------------------------------- */

#define assemble_work_t X(assemble_work_t)
typedef struct assemble_work_t {
    mat_t work; /* one column of entries, for products with U, V and Q       */
    real_t *c, *s, *g;
    int *e;
} assemble_work_t;

void X(assemble_carve)(arena_t *a, const pair_t *P, int values_only,
                       assemble_work_t *w);
/* polish_factors' memory, whatever the ranks */
void X(polish_carve)(arena_t *a, const pair_t *P, unitary_work_t *w);
/* U, V, Q := unitary to rounding (make_unitary.c), in the memory behind assemble_work_t.  Waits. */
gsvd_status_t X(polish_factors)(const exec_t *ex, const pair_t *P,
                                outcome_t *out);
/* Bytes of work that assemble takes of a pair whose columns were scaled, from the first
 * stack of solve_work_t on */
size_t X(equilibrated_bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t p);
/* Bytes of work that assemble and solve_pair take beside assemble_work_t and
 * solve_work_t */
size_t X(solve_work_bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t l,
                           int values_only);

/* alpha and beta := those of the caller's pair, sorted; the columns of the solver's U
 * and V are sorted with them. */
gsvd_status_t X(sort_values)(const exec_t *ex, pair_t *P, solve_work_t *s,
                             assemble_work_t *w);

/* R, U, V, Q := those of the caller's pair, from the solver's U, V, c, s.  Waits where
 * R may overflow. */
gsvd_status_t X(assemble)(const exec_t *ex, pair_t *P, solve_work_t *s,
                          assemble_work_t *w, outcome_t *out);

/* -- keep.c: the factors of some pairs alone --------------------------------------- */

/* The pairs first, ..., first + count - 1, of which `ones` have beta = 0, for certain */
typedef struct range {
    int64_t first, count, ones;
} range_t;
range_t X(keep_range)(const pair_t *P);

/* P->kept := what keep asks for, with memory from preprocessing to the end, and P without U and V;
 * nothing if keep is 0.  P has the caller's U, V and Q. */
void X(keep_carve)(arena_t *a, int64_t keep, pair_t *P);
/* U := diag(I, U~, 0) and V := diag(V~, 0), their wanted columns, out of the solver's */
gsvd_status_t X(keep_start)(const exec_t *ex, const pair_t *P,
                            const solve_work_t *s);
/* U, V := those of the caller's pair.  A and B are lost.  work is rearrange's; the driver's is
 * keep_bytes. */
gsvd_status_t X(keep_finish)(const exec_t *ex, const pair_t *P, mat_t work);
size_t X(keep_bytes)(const exec_t *ex, const pair_t *P);
/* F := the columns of U and V that are unitary, for make_unitary; all: those that may be */
void X(keep_factors)(const pair_t *P, int all, factor_t *F);

#endif /* GSVD_GSVD_PIPELINE_H */
