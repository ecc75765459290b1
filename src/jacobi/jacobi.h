/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* jacobi.h -- the drivers that compute the GSVD of a triangular pair.
 *
 * They work in their exec's queue, and take of its work what geqrf, ungqr, unmqr and
 * the primitives of the small kernels take (solve_work_bytes).
 */
#ifndef GSVD_JACOBI_JACOBI_H
#define GSVD_JACOBI_JACOBI_H

#include "core/column_scale.h"
#include "core/pair.h"
#include "core/solver.h"
#include "jacobi/in_double.h"
#include "primitives.h"

#if defined __cplusplus
extern "C" {
#endif

/* The primitive tgsja on arrays of the host, which both backends call; work has
 * tgsja_host_bytes. */
gsvd_status_t X(tgsja_host)(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                            real_t tolb, mat_t U, mat_t V, real_t *c, real_t *s,
                            int *cycles, int *converged, void *work);
size_t X(tgsja_host_bytes)(int64_t l);

/* -- work ------------------------------------------------------------------ */

/* The results of solve_pair and its work:
 *     A23 = U C H,   B13 = V S H,   H not formed
 * A stack is a matrix of B's l rows above A's m1.  GF and W are two stacks of one
 * size, so that they may be exchanged (reorder). */
#define solve_work_t X(solve_work_t)
typedef struct solve_work_t {
    /* For values alone GF and W are l x l, next to each other, and Z is one column, a piece
     * that a matrix goes through; and A23 and B13 are overwritten. */
    mat_t GF;      /* the stack of G and F; the results V l x l and U m1 x m1 */
    mat_t W;       /* a stack; the caller's after solve_pair                 */
    mat_t Z;       /* l x l; the caller's after solve_pair                   */
    real_t *c, *s; /* the results, l each                                    */
    scalar_t *tau; /* l, as the arrays that follow                           */
    scalar_t *tau_b; /* of B's QR in tangent.c                               */
    real_t *x, *y;
    int *perm;          /* of columns                                        */
    int *pivots;        /* P of step 2 in csd.c, of 2 and of 4 in tangent.c  */
    int *row_inverse_b; /* the order of B's rows in tangent.c                */
    int64_t *rotations; /* one counter                                       */
    real_t *size;       /* of a stack's rows, l + m1 as the next two         */
    int *row_perm, *row_inverse; /* sort_rows' orders                        */
    int shift; /* A B^-1 of the caller's is 2^shift times ours               */
    int far; /* Rows of the caller's A, or columns of F, differ by much.     */
} solve_work_t;

/* Takes w out of the arena, for pairs whose A has m rows and whose B has rank l. */
void X(solve_carve)(arena_t *a, int64_t m, int64_t l, int values_only,
                    solve_work_t *w);

/* Bytes of work that one-sided Jacobi takes for the pair beside that: what it finds in W
 * and Z is taken first. */
size_t X(solve_jacobi_bytes)(const exec_t *ex, int64_t m, int64_t l,
                             int values_only);

/* An exec whose work begins with M, one of the last arrays of solve_work_t, which is not
 * needed meanwhile: its memory and all behind it */
static inline exec_t lend(const exec_t *ex, mat_t M)
{
    exec_t in = *ex;
    in.work.base = (char *)M.data;
    in.work.size = ex->work.size - (size_t)(in.work.base - ex->work.base);
    in.work.used = 0;
    return in;
}

/* The parts of a stack: B's and A's rows, the latter of its first columns */
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

/* w->GF := its columns in the order perm.  GF and W are exchanged. */
gsvd_status_t X(reorder)(const exec_t *ex, int64_t m1, int64_t l,
                         const int *perm, solve_work_t *w);

/* -- solve.c: from a triangular pair to U, V, c and s ----------------------- */

/* The problem is a pair_t with l > 0, the work its solve_work_t.  Solvers are tried in turn until one
 * says *yes.  One that gives up has left A23 and B13 as they were.  `values only`: c and s are set, U
 * and V are not. */
extern const solvers_t X(pair_solvers);

/* Are values alone asked for, and do the solvers compute no more?  Then these
 * overwrite A23 and B13. */
int X(solves_values_only)(const exec_t *ex, const pair_t *P);

/* U, V, c, s of the triangular pair that P holds, in no order; out tells which solver
 * they come from.  Works in the exec's queue, with work of solve_work_bytes, and
 * waits for the number of rotations of each sweep. */
gsvd_status_t X(solve_pair)(const exec_t *ex, const pair_t *P, solve_work_t *w,
                            outcome_t *out);

/* -- tangent.c ------------------------------------------------------------------ */

/* U, V, c, s by the singular values of A B^-1, for B upper triangular.  *solved = 0: that
 * would be wrong by more than rounding.  rows_mixed: pair_t's.  Waits, and then as orthogonalize
 * does. */
gsvd_status_t X(tangent)(const exec_t *ex, mat_t A, mat_t B, int rows_mixed,
                         solve_work_t *w, outcome_t *out, int *solved);
/* c and s alone, c descending */
gsvd_status_t X(tangent_values)(const exec_t *ex, mat_t A, mat_t B,
                                int rows_mixed, solve_work_t *w, outcome_t *out,
                                int *solved);

/* -- csd.c ------------------------------------------------------------------ */

/* U, V, c, s by one-sided Jacobi on the orthonormalized pair; B is upper triangular and
 * nonsingular.  Waits as orthogonalize does. */
gsvd_status_t X(csd)(const exec_t *ex, mat_t A, mat_t B, solve_work_t *w,
                     outcome_t *out);

/* The work of the primitives of this folder: kernel_bytes (primitives.h). */
kernel_bytes_op X(jacobi_kernel_bytes_cpu), X(jacobi_kernel_bytes_cuda);

/* What of it tridiagonalize and tridiagonal_vectors take; on the host for both of them */
size_t X(tridiagonalize_bytes_cpu)(int64_t n);

/* ... of singular_values and singular_vectors */
size_t X(singular_values_bytes)(int64_t n);
size_t X(singular_vectors_bytes)(int64_t n);
size_t X(tridiagonalize_bytes_cuda)(const exec_t *ex, int64_t n);
size_t X(tridiagonal_vectors_bytes_cuda)(int64_t n);

/* ... and band_to_tridiagonal and band_vectors */
size_t X(band_bytes_cpu)(int64_t n);
size_t X(band_bytes_cuda)(int64_t n);

/* A GPU reduces a matrix of so many columns to one number by way of one number from
 * each of the blocks that the columns are dealt out to: at most PARTS of them, so that
 * one block reduces what they leave.  Eight blocks of 256 threads on each of some 130
 * multiprocessors are as many. */
enum { PARTS = 1024 };
GSVD_FN int64_t parts_of(int64_t cols) { return min_i(cols, PARTS); }

/* c and s alone, c descending, as csd computes them.  Waits as orthogonalize does. */
gsvd_status_t X(csd_values)(const exec_t *ex, mat_t A, mat_t B, solve_work_t *w,
                            outcome_t *out);

/* -- orthonormalize.c --------------------------------------------------------- */

/* Q := the unitary factor of G = Q R, R with a nonnegative diagonal, and where Q has more
 * columns than G, columns orthogonal to those.  G is destroyed. */
gsvd_status_t X(orthonormalize)(const exec_t *ex, mat_t G, mat_t Q,
                                scalar_t *tau);

/* -- eigen.c ---------------------------------------------------------------- */

/* A := the eigenvectors of the Hermitian A, in the order of its eigenvalues, which w gets.
 * With *sure the library finds them, orthogonal and ascending, if its work is there.  Without,
 * the solver is chosen.  *sure := whether the library was; if not, they descend and need not be
 * orthogonal.  Where they are not found, A is not unitary, or as it was.  Waits as
 * eigenvectors does. */
gsvd_status_t X(eigen)(const exec_t *ex, mat_t A, real_t *w, int *sure);
/* Does it take a matrix of order n, which has room, by inverse iteration?  And the rest of that: t->A := the
 * eigenvectors, in the descending order of w, which need not be orthogonal */
int X(form_is_wanted)(const exec_t *ex, int64_t n);
gsvd_status_t X(eigen_of_form)(const exec_t *ex, const tridiagonal_t *t,
                               real_t *w);
/* Bytes of work with which all solvers may be taken that need not stand in for the library; with
 * which one may; and with which the one is taken that the machine prefers */
size_t X(eigen_work_bytes)(const exec_t *ex, int64_t n);
size_t X(eigen_least_bytes)(const exec_t *ex, int64_t n);
size_t X(eigen_chosen_bytes)(const exec_t *ex, int64_t n);
/* Is the library's work there for a matrix of order n? */
int X(eigen_library_fits)(const exec_t *ex, int64_t n);
/* What reflectors applied and the primitives take on the way to a tridiagonal matrix and back */
size_t X(tridiagonal_form_bytes)(const exec_t *ex, int64_t n);
/* A, values; *yes: they are found. */
extern const solvers_t X(eigen_solvers);

/* -- two_stages.c ----------------------------------------------------------- */

/* A := the eigenvectors of the Hermitian A, in the descending order of w, its eigenvalues; they need not
 * be orthogonal (jacobi/tridiagonal.h).  *fits = 0: the machine has no room for it, and A is
 * unchanged. */
gsvd_status_t X(two_stages)(const exec_t *ex, mat_t A, real_t *w, int *fits);
size_t X(two_stages_bytes)(const exec_t *ex, int64_t n);

/* -- bidiagonal.c ----------------------------------------------------------- */

/* Of the square A: its values, in no order, with errors of rounding of |A|, and WITH_VECTORS
 * A = B diag(values) C^H.  Columns of length 1, B's and C's, need not be orthogonal where values agree to
 * many digits.  A is overwritten.  *yes = 0: they were not found.  No solver may apply. */
extern const solvers_t X(bidiagonal_solvers);
enum { VALUES_ALONE, WITH_VECTORS };

/* -- orthogonalize.c -------------------------------------------------------- */

/* Cosines up to this bound leave columns with so many rows unitary over their lengths, up to
 * rounding. */
real_t X(unitary_tolerance)(const exec_t *ex, int64_t rows);
/* The bound of cosines that the policy gives, or that one */
real_t X(asked_tolerance)(const exec_t *ex, int64_t rows);

/* task_t.sure: what solvers have left is for sweeps, or for sweeps by pairs. */
enum { JACOBI, JACOBI_BY_SWEEPS, JACOBI_BY_PAIRS };

/* Makes the columns of G orthogonal by unitary transformations from the right.  *unitary:
 * these are unitary up to rounding, and so are the columns of G over their lengths; else
 * lengths drift with the number of rotations.  Waits for the numbers that decide; sets
 * out->unfinished at the limit of sweeps, and does nothing if out->stopped. */
gsvd_status_t X(orthogonalize)(const exec_t *ex, mat_t G, mat_t C, aim_t aim,
                               int64_t *rotations, int *unitary,
                               outcome_t *out);
/* Bytes of work that it takes for G m x n at most, and C of at most so many rows; -1: for
 * lengths alone. */
size_t X(orthogonalize_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                   int64_t rows_of_c);

/* About how long it takes for n columns, with a signature, and for A23 and B13 of a pair */
double X(orthogonalize_seconds)(const exec_t *ex, int64_t n);
double X(orthogonalize_signed_seconds)(const exec_t *ex, int64_t n);
double X(orthogonalize_pair_seconds)(const exec_t *ex, int64_t l);

/* What is asked where work is measured, of orthogonalize_signed, too */
task_t X(orthogonalize_task)(int64_t m, int64_t n, int64_t rows_of_c);

/* *bytes := the staging memory that it takes for n columns, and orthogonalize_signed */
gsvd_status_t X(orthogonalize_staging)(const exec_t *ex, int64_t n,
                                       size_t *bytes);

/* Its solvers: in_double.c, large_steps.c, blocks.c and sweep.c.  A is G, k its columns, `how` an aim_t, count the
 * rotations, *yes says whether they are unitary.  Large steps keep n real numbers at the front of
 * the staging memory. */
extern const solvers_t X(orthogonalize_solvers);
solver_run_op X(steps_in_double), X(large_steps), X(block_jacobi), X(sweeps);
solver_bytes_op X(in_double_bytes), X(large_steps_bytes), X(block_jacobi_bytes);
/* Are so many columns enough for large steps?  And does the policy want them, too? */
int X(are_many)(const exec_t *ex, int64_t n);
int X(take_large_steps)(const exec_t *ex, int64_t n);
/* *bytes := the staging memory that they take, and signed_steps */
gsvd_status_t X(large_steps_staging)(const exec_t *ex, int64_t n,
                                     size_t *bytes);
/* Does the machine want that, and is double built?  Does it fit so many columns? */
int X(in_double_wanted)(const exec_t *ex);
int X(in_double_fits)(const exec_t *ex, int64_t n);
gsvd_status_t X(in_double_staging)(const exec_t *ex, int64_t n, size_t *bytes);

/* Is block Jacobi taken for so many columns, where large steps are not? */
int X(are_blocks)(const exec_t *ex, int64_t n);
/* Bytes of work of sweep_blocks */
size_t X(block_sweep_bytes)(int64_t n);
size_t X(block_sweep_bytes_cuda)(int64_t m, int64_t n);

/* orthogonalize for the signature J of k ones, then minus ones: G := G K and C := C K^-H, or
 * no C, with K^H J K = J */
gsvd_status_t X(orthogonalize_signed)(const exec_t *ex, mat_t G, mat_t C,
                                      int64_t plus, int sure,
                                      int64_t *rotations, outcome_t *out);
size_t X(orthogonalize_signed_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                     int64_t rows_of_c);

extern const solvers_t X(orthogonalize_signed_solvers);
solver_run_op X(signed_in_double), X(signed_steps), X(block_sweeps);
solver_bytes_op X(signed_in_double_bytes), X(signed_steps_bytes);

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_JACOBI_H */
