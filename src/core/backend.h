/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* backend.h -- the contract of a backend: its primitives.
 *
 * Each backend has one typed table of primitives per precision.  The algorithm is written once,
 * over that table.  Four rules hold for every primitive unless its contract says otherwise:
 *
 *     order      It queues its work in the queue of its exec and returns at once.  A primitive
 *                marked "Waits" gives the host a number and returns when that has arrived.
 *     memory     It takes its memory from the rest of the exec's work, at most kernel_bytes,
 *                and owns it until its work in the queue is done.
 *     empty      A view may be empty and then means no work.
 *     overlap    A view that it writes does not overlap a view that it reads.
 *
 * A contract is stated once, as the type NAME_op of the primitive NAME.  The list
 * GSVD_PRIMITIVES makes the table and declares X(NAME_cpu) and X(NAME_cuda).
 */
#ifndef GSVD_CORE_BACKEND_H
#define GSVD_CORE_BACKEND_H

#include "core/exec.h"

#define norms_t X(norms_t)
typedef struct norms_t {
    real_t largest; /* largest |re| or |im| of all entries                   */
    real_t norm1;   /* largest column sum of absolute values                 */
    int finite;     /* no entry is NaN or infinite                           */
    real_t least_row; /* the least size of a nonzero row, GSVD_REAL_MAX if all
                         rows are 0; only norms_by_row sets it               */
} norms_t;

/* Groups of primitives that need much work; a caller joins them by |. */
typedef enum kernels {
    KERNELS_SMALL = 0,  /* no group                                          */
    KERNELS_PANELS = 1, /* panel, r_only                                     */
    KERNELS_PIVOTS = 2, /* pivot_columns, pivots_to_front, update_sketch ... */
    KERNELS_ALL = 3,
    KERNELS_EIGENVECTORS = 4, /* eigenvectors, singular_values, of order n   */
    KERNELS_TRIDIAGONAL =
        8,              /* tridiagonalize, tridiagonal_vectors, of order n */
    KERNELS_BLOCKS = 16 /* sweep_blocks, of n columns                  */
} kernels_t;

/* -- order of work -------------------------------------------------------- */

/* *fork := a copy of ex in another queue, with the same work and without memory for products.
 * Work of `queue` waits for all work that ex's queue holds now.  It may overlap work that ex's
 * queue gets later, until join. */
typedef gsvd_status_t fork_op(const exec_t *ex, queue_t queue, exec_t *fork);
/* Work that ex's queue gets from now on waits for all work that `queue` holds now. */
typedef gsvd_status_t join_op(const exec_t *ex, queue_t queue);

/* -- core: elementwise ------------------------------------------------------ */

/* B := A */
typedef gsvd_status_t copy_op(const exec_t *ex, mat_t A, mat_t B);
/* B := A, where A is in single precision with leading dimension lda */
typedef gsvd_status_t from_single_op(const exec_t *ex, const single_t *A,
                                     int64_t lda, mat_t B);
/* B := A, rounded to single precision, with leading dimension ldb */
typedef gsvd_status_t to_single_op(const exec_t *ex, mat_t A, single_t *B,
                                   int64_t ldb);
/* A(i,j) := off for i != j, A(i,i) := diag */
typedef gsvd_status_t set_op(const exec_t *ex, mat_t A, real_t off,
                             real_t diag);
/* A := 0 strictly below the diagonal */
typedef gsvd_status_t zero_lower_op(const exec_t *ex, mat_t A);
/* B := A^H */
typedef gsvd_status_t ctrans_op(const exec_t *ex, mat_t A, mat_t B);
/* A := the Hermitian matrix whose triangle A has, the upper ('U') or the lower one ('L').  The other
 * triangle and the imaginary parts of the diagonal are not read. */
typedef gsvd_status_t hermitian_op(const exec_t *ex, char uplo, mat_t A);
/* B := A^H with rows and columns reversed; the B of an upper triangle is upper triangular. */
typedef gsvd_status_t conj_antitranspose_op(const exec_t *ex, mat_t A, mat_t B);
/* A := 2^e A.  An entry that would overflow by rounding alone (elementwise.h) becomes the
 * largest number; so it does in scale_pow2_upper and scale_rows. */
typedef gsvd_status_t scale_pow2_op(const exec_t *ex, mat_t A, int e);
/* A := 2^e A on and above the diagonal: scales R of a QR and keeps its reflectors */
typedef gsvd_status_t scale_pow2_upper_op(const exec_t *ex, mat_t A, int e);
/* to[j] := from[j] + 1 for j in [0, n): a permutation counted from 1, as in LAPACK */
typedef gsvd_status_t count_from_one_op(const exec_t *ex, int64_t n,
                                        const int *from, int64_t *to);
/* A(i,:) := 2^e[i] (g[i] A(i,:)) */
typedef gsvd_status_t scale_rows_op(const exec_t *ex, mat_t A, const real_t *g,
                                    const int *e);
/* Replaces each zero on R's diagonal by the least positive number. */
typedef gsvd_status_t nonzero_op(const exec_t *ex, mat_t R);
/* Waits.  *result := the norms of A, without least_row */
typedef gsvd_status_t norms_op(const exec_t *ex, mat_t A, norms_t *result);
/* Waits.  *result := the norms of A; size[i] := the largest |re| or |im| in row i */
typedef gsvd_status_t norms_by_row_op(const exec_t *ex, mat_t A, real_t *size,
                                      norms_t *result);

/* -- pivot ------------------------------------------------------------------ */

/* norm[j] := ||A(:,j)||_2, without over- or underflow */
typedef gsvd_status_t column_norms_op(const exec_t *ex, mat_t A, real_t *norm);
/* W := normal random numbers; W(i,j) depends only on seed, i and j. */
typedef gsvd_status_t gaussian_op(const exec_t *ex, mat_t W, uint64_t seed);
/* winners[0:b) := the indices of b columns that span the columns of S well, the best first.
 * Pivoted QR of small groups of columns selects them, in rounds.  S.rows <= SKETCH_ROWS,
 * b <= min(PIVOT_WIDTH, S.cols) */
typedef gsvd_status_t tournament_op(const exec_t *ex, mat_t S, int64_t b,
                                    int *winners);
/* Y := T^H V^H C.  T is upper triangular, with zeros below its diagonal.  W has Y's size and is
 * overwritten.  V.cols <= PIVOT_WIDTH */
typedef gsvd_status_t project_op(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                                 mat_t W, mat_t Y);
/* C := C - V Y, then S := Omega C(first:,:).  Omega may first be rounded to a lower precision.
 * V.cols <= PIVOT_WIDTH, S.rows <= SKETCH_ROWS */
typedef gsvd_status_t update_sketch_op(const exec_t *ex, mat_t V, mat_t Y,
                                       mat_t C, int64_t first, mat_t Omega,
                                       mat_t S);
/* Moves columns winners[0:b) of A to the front.  The columns that stood there go to the places
 * that the winners left.  The entries of perm move with their columns.  b <= PIVOT_WIDTH */
typedef gsvd_status_t pivots_to_front_op(const exec_t *ex, mat_t A, int64_t b,
                                         const int *winners, int *perm);
/* QR of columns first, first + 1, ... of A, pivoted by column norms.  The rows above `first`
 * hold R already.  Stops at column `last`, or earlier where no remaining column is longer than
 * tol; *done := the first column that is not factored.  Waits unless tol < 0.  With
 * perm == NULL and tol < 0 the columns keep their order: plain Householder QR. */
typedef gsvd_status_t pivot_columns_op(const exec_t *ex, mat_t A, int64_t first,
                                       int64_t last, real_t tol, int *perm,
                                       scalar_t *tau, int64_t *done);
/* Waits.  *least := the least |R(i,i)| */
typedef gsvd_status_t min_abs_diagonal_op(const exec_t *ex, mat_t R,
                                          real_t *least);
/* Tests whether every |R(i,i)| exceeds both tol and drop times the largest |R(j,j)|.  If not,
 * T := 0, so that the block reflector is I.  *yes holds the answer after await_panel(ex, yes).
 * await_panel waits for the answer, and not for work that was queued after test_panel. */
typedef gsvd_status_t test_panel_op(const exec_t *ex, mat_t R, real_t tol,
                                    real_t drop, mat_t T, int *yes);
typedef gsvd_status_t await_panel_op(const exec_t *ex, int *yes);
/* Waits.  Solves R z = y, |y| = 1, for a z that is nearly as long as possible.  R is upper
 * triangular and nonsingular, and its first column is the longest.  *column := the index p of
 * the largest |z(p)|, *bound := 1 / |z(p)|.  If column p were moved to the end, the QR of the
 * result would have |R(n,n)| <= *bound.  If R is found to have no singular value below tol,
 * *bound > tol and *column may be 0. */
typedef gsvd_status_t inverse_iteration_op(const exec_t *ex, mat_t R,
                                           real_t tol, int64_t *column,
                                           real_t *bound);
/* perm[j] := j for j in [0, n) */
typedef gsvd_status_t identity_op(const exec_t *ex, int64_t n, int *perm);
/* B(:,j) := A(:,perm[j]); perm == NULL reverses the columns. */
typedef gsvd_status_t permute_columns_op(const exec_t *ex, mat_t A,
                                         const int *perm, mat_t B);
/* B(perm[i],:) := A(i,:); perm == NULL reverses the rows. */
typedef gsvd_status_t permute_rows_op(const exec_t *ex, mat_t A,
                                      const int *perm, mat_t B);
/* Sorts rows by the binary exponent of size[i], the largest first.  Rows of one exponent keep
 * their order, and zeros come last.  Row i goes to place perm[i]; place k gets row inverse[k]. */
typedef gsvd_status_t sort_rows_op(const exec_t *ex, int64_t rows,
                                   const real_t *size, int *perm, int *inverse);
/* down[i] := the exponent with 2^-down[i] size[i] in [1/2, 1), or 0 if size[i] is 0;
 * up[i] := -down[i] */
typedef gsvd_status_t row_exponents_op(const exec_t *ex, int64_t rows,
                                       const real_t *size, int *up, int *down);

/* -- qr --------------------------------------------------------------------- */

/* A = (I - V T V^H) (R; 0) for an m x b panel, b <= min(m, block), in LAPACK's form: A := R on
 * and above the diagonal and V below it, tau := the diagonal of T.  If T.data is not NULL, T and
 * V, with its ones and zeros, are written too.  Otherwise an m x b V is overwritten, if V.data is
 * not NULL. */
typedef gsvd_status_t panel_op(const exec_t *ex, mat_t A, scalar_t *tau,
                               mat_t V, mat_t T);
/* R := the triangle of A = Q R without Q, for a tall A of b <= 32 columns.  R is b x b, with a
 * nonnegative diagonal and zeros below it.  A is not changed. */
typedef gsvd_status_t r_only_op(const exec_t *ex, mat_t A, mat_t R);
/* C := op(Q) C (side 'L') or C op(Q) (side 'R') for a small C; op is 'N' or 'C'.  Q is the
 * product of the reflectors in the first k columns of A, which are applied one by one. */
typedef gsvd_status_t reflect_op(const exec_t *ex, char side, char op, mat_t A,
                                 int64_t k, const scalar_t *tau, mat_t C);
/* A := the leading columns of Q, for a small A whose first k columns hold the reflectors.  A
 * table may have NULL here; then the drivers form Q by blocks. */
typedef gsvd_status_t form_q_op(const exec_t *ex, mat_t A, int64_t k,
                                const scalar_t *tau);
/* V := the unit lower trapezoid of A, with zeros above it; V may be A */
typedef gsvd_status_t unit_lower_op(const exec_t *ex, mat_t A, mat_t V);
/* T := the upper triangle with I - V T V^H = H_1 ... H_b, from S = V^H V.  S and T have one size
 * and hold several such blocks.  The block that begins at column j = 0, b, 2 b, ... has its first
 * row at j mod S.rows; it has b <= block columns, the last one perhaps fewer. */
typedef gsvd_status_t triangle_op(const exec_t *ex, mat_t S,
                                  const scalar_t *tau, int64_t b, mat_t T);
/* Q(:,j) := Q(:,j) R(j,j)/|R(j,j)|: the Q that belongs to an R with a nonnegative diagonal */
typedef gsvd_status_t fix_phase_op(const exec_t *ex, mat_t R, mat_t Q);
/* C := op(A) op(B), op is 'N' or 'C' */
typedef gsvd_status_t gemm_op(const exec_t *ex, char opa, char opb, mat_t A,
                              mat_t B, mat_t C);
/* C := C - op(A) op(B) */
typedef gsvd_status_t gemm_sub_op(const exec_t *ex, char opa, char opb, mat_t A,
                                  mat_t B, mat_t C);

/* A := X = A R^-1 by substitution.  R is upper triangular with a nonzero diagonal; its entries
 * below the diagonal are not read.  Up to a modest factor,
 * |(A - X R)(i,j)| <= n eps (|X| |R|)(i,j). */
typedef gsvd_status_t trsm_op(const exec_t *ex, mat_t R, mat_t A);

/* -- jacobi ----------------------------------------------------------------- */

/* One pass over all pairs of columns of G.  Rotates each pair whose cosine exceeds tol, and
 * exchanges the columns of a pair whose second column is clearly longer.  The columns of C follow,
 * unless C.data == NULL.  Adds to *rotations, in the backend's memory, the number of pairs that
 * were rotated or exchanged.  (An exchange counts because a column that changed its place may not
 * have met every other column in this pass.)
 *
 * The first `plus` columns have sign 1 in J, the others sign -1: G := G K and C := C K^-H with
 * K^H J K = J.  A pair of unequal signs turns by a hyperbolic rotation and is not exchanged.  If
 * plus = G.cols, K is unitary. */
typedef gsvd_status_t sweep_op(const exec_t *ex, mat_t G, mat_t C, int64_t plus,
                               real_t tol, int64_t *rotations);
/* sweep by pairs of blocks of columns, where a matrix product turns the two blocks.  It differs
 * from sweep in this: d holds the lengths of G's columns on entry and on exit, exact to rounding
 * or to a factor of a few.  rotations[0] grows by the number of pairs of columns that were not
 * orthogonal, or not in order, when their blocks met.  rotations[1] grows by the number of pairs
 * of blocks that would take large hyperbolic rotations; they stay unchanged and are left to
 * sweep. */
typedef gsvd_status_t sweep_blocks_op(const exec_t *ex, mat_t G, mat_t C,
                                      int64_t plus, real_t tol, real_t *d,
                                      int64_t *rotations);
/* Waits.  *count := *rotations, then *rotations := 0.  With count == NULL it only sets
 * *rotations := 0, and does not wait. */
typedef gsvd_status_t read_rotations_op(const exec_t *ex, int64_t *rotations,
                                        int64_t *count);
/* B(:,j) := A(:,j) / d[j], or 0 where d[j] is 0; B may be A. */
typedef gsvd_status_t normalize_columns_op(const exec_t *ex, mat_t A,
                                           const real_t *d, mat_t B);
/* B(:,j) := A(:,j) d[j]; B may be A. */
typedef gsvd_status_t scale_columns_op(const exec_t *ex, mat_t A,
                                       const real_t *d, mat_t B);
/* d[j] := the power of two that brings a[j] next to 1, limited such that b[j] d[j] stays within
 * 2^-SPREAD and 2^SPREAD (column_scale.h).  If a[j] is 0, b[j] d[j] is next to 2^SPREAD; if both
 * are 0, d[j] := 1. */
typedef gsvd_status_t column_scales_op(const exec_t *ex, int64_t n,
                                       const real_t *a, const real_t *b,
                                       real_t *d);
/* Waits.  d[j] := the largest power of two, 1 or more, with which a[j] d[j] is at most next to
 * max(a) and b[j] d[j] at most next to max(b).  d[j] := 1 if a[j] <= least_a and
 * b[j] <= least_b.  *most := the largest d[j], or 1 */
typedef gsvd_status_t joint_scales_op(const exec_t *ex, int64_t n,
                                      const real_t *a, const real_t *b,
                                      real_t least_a, real_t least_b, real_t *d,
                                      real_t *most);
/* C := A^H A with a real diagonal.  Both triangles are written; they are equal up to rounding. */
typedef gsvd_status_t gram_op(const exec_t *ex, mat_t A, mat_t C);
/* Waits.  *cosine := the largest |C(i,j)|, i != j; NaN if one of these entries is NaN */
typedef gsvd_status_t largest_cosine_op(const exec_t *ex, mat_t C,
                                        real_t *cosine);
/* Waits.  On entry C holds the cosines of columns whose lengths are d, in descending order.
 * C := T, the angles of the rotations that make each pair orthogonal (rotate.h); J T is
 * skew-Hermitian.  A pair whose cosine is at most `least` is turned only if its angle is small
 * (angle.h).  sign holds the signs of the columns, 1 or -1; NULL: all are equal.
 * *bound := the largest sum of |T(i,j)| in a row */
typedef gsvd_status_t rotation_angles_op(const exec_t *ex, mat_t C,
                                         const real_t *d, const real_t *sign,
                                         real_t least, real_t *bound);
/* P := I + s T - (s^2 / 2) S with S = -T^2: exp(s T) to second order; P may be S. */
typedef gsvd_status_t second_order_exp_op(const exec_t *ex, mat_t T, mat_t S,
                                          real_t s, mat_t P);
/* Waits.  E := (3 I - J E) / 2 for E = P^H J' P: one step of Newton and Schulz, after which
 * (P E)^H J' (P E) = J to second order.  *defect := the largest |J E - I| on entry.  J is
 * diag(sign) with entries 1 and -1, or I if sign is NULL. */
typedef gsvd_status_t newton_schulz_op(const exec_t *ex, mat_t E,
                                       const real_t *sign, real_t *defect);
/* defect[j] := the largest |re| or |im| in column j of I - X^H X; NaN if one of them is NaN.  Each
 * sum over the rows adds rows / 32 partial sums, and each of these at most 32 products. */
typedef gsvd_status_t column_defects_op(const exec_t *ex, mat_t X_,
                                        real_t *defect);
/* Waits.  E := J (E - J) / 2 for E = V^H J' V, where the columns of V have the lengths d.  An entry
 * with |(E - J)(i,j)| <= least d[i] d[j] becomes 0.  *most := the largest |E(i,j)| after that, NaN
 * if one is NaN.  J = diag(sign) */
typedef gsvd_status_t signed_drift_op(const exec_t *ex, mat_t E,
                                      const real_t *sign, const real_t *d,
                                      real_t least, real_t *most);
/* root[i] := sqrt |x[i]|; sign[i] := the sign of x[i], 1 or -1, or 0 if x[i] is 0 or NaN */
typedef gsvd_status_t signed_roots_op(const exec_t *ex, int64_t n,
                                      const real_t *x, real_t *root,
                                      real_t *sign);
/* May wait.  A := the eigenvectors of the Hermitian A, w := its eigenvalues, ascending.  If they
 * are not found, A is not unitary.  Uses the last eigenvectors_staging bytes of the exec's staging
 * memory. */
typedef gsvd_status_t eigenvectors_op(const exec_t *ex, mat_t A, real_t *w);
/* A = Q T Q^H for a Hermitian A.  T is tridiagonal with d on its diagonal and e beside it.
 * Q = H_1 ... H_{n-1} is stored in LAPACK's form: n - 1 reflectors in A, below its first
 * subdiagonal, and n - 1 numbers tau.  *fits = 0: the machine has no room for it, and A is
 * unchanged. */
typedef gsvd_status_t tridiagonalize_op(const exec_t *ex, mat_t A, real_t *d,
                                        real_t *e, scalar_t *tau, int *fits);
/* V := the real eigenvectors of T, of order n and of length 1; w := its eigenvalues, descending.
 * Each vector is computed independently, so vectors of neighbouring eigenvalues need not be
 * orthogonal (jacobi/tridiagonal.h). */
typedef gsvd_status_t tridiagonal_vectors_op(const exec_t *ex, int64_t n,
                                             const real_t *d, const real_t *e,
                                             real_t *w, mat_t V);
/* x := the singular values of the square A, descending, with errors of rounding of |A|.  A is
 * overwritten.  *converged = 0: they were not found.  A table may have NULL here; then the drivers
 * take the lengths of orthogonalized columns. */
typedef gsvd_status_t singular_values_op(const exec_t *ex, mat_t A, real_t *x,
                                         int *converged);
/* *bytes := the staging memory that eigenvectors takes for order n */
typedef gsvd_status_t eigenvectors_staging_op(const exec_t *ex, int64_t n,
                                              size_t *bytes);
/* Waits.  to[i] := x[i], in the host's memory */
typedef gsvd_status_t values_read_op(const exec_t *ex, int64_t n,
                                     const real_t *x, real_t *to);
/* Waits.  LAPACK's xTGSJA on the host, for an upper trapezoidal A and an upper triangular B with
 * B.rows == B.cols.  Works in the exec's staging memory.  A and B are not changed.  Without
 * convergence it sets only cycles and converged. */
typedef gsvd_status_t tgsja_op(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                               real_t tolb, mat_t U, mat_t V, real_t *c,
                               real_t *s, int *cycles, int *converged);

/* -- jacobi: the values (c, s), n of each ----------------------------------- */

/* (c, s) := (c, s) / hypot(c, s) */
typedef gsvd_status_t values_unit_op(const exec_t *ex, int64_t n, real_t *c,
                                     real_t *s);
/* For each column j, t = Re U(:,j)^H V(:,j), J = 1 if t >= 0, else -1: w[j] := J sigma[j],
 * V(:,j) := (V(:,j) + J U(:,j)) / 2 and lean[j] := 1 - |t| */
typedef gsvd_status_t signed_mean_op(const exec_t *ex, mat_t U, mat_t V,
                                     const real_t *sigma, real_t *w,
                                     real_t *lean);
/* perm := the stable order by descending c and, where c is equal, by ascending s */
typedef gsvd_status_t values_order_op(const exec_t *ex, int64_t n,
                                      const real_t *c, const real_t *s,
                                      int *perm);
/* Waits.  perm := first the j with J[j] = 1, then those with J[j] = -1, each ascending.
 * *plus := the number of ones, or -1 if J holds another number than 1 and -1 */
typedef gsvd_status_t partition_signs_op(const exec_t *ex, int64_t n,
                                         const int64_t *J, int *perm,
                                         int64_t *plus);
/* y[i] := x[perm[i]] */
typedef gsvd_status_t values_permute_op(const exec_t *ex, int64_t n,
                                        const real_t *x, const int *perm,
                                        real_t *y);
/* x[i] := value for i in [first, n) */
typedef gsvd_status_t values_set_op(const exec_t *ex, int64_t first, int64_t n,
                                    real_t value, real_t *x);
/* The larger of c[i] and s[i] := sqrt(1 - the other one's square) */
typedef gsvd_status_t values_complete_op(const exec_t *ex, int64_t n, real_t *c,
                                         real_t *s);
/* Waits.  *count := the number of leading i with c[i] > s[i] */
typedef gsvd_status_t values_lead_op(const exec_t *ex, int64_t n,
                                     const real_t *c, const real_t *s,
                                     int64_t *count);
/* Sets alpha, beta, g and e such that (2^ea c, 2^eb s) = g 2^e (alpha, beta) and
 * alpha^2 + beta^2 = 1. */
typedef gsvd_status_t normalize_values_op(const exec_t *ex, int64_t n, int ea,
                                          int eb, const real_t *c,
                                          const real_t *s, real_t *alpha,
                                          real_t *beta, real_t *g, int *e);
/* H(i,:) := c[i] A(i,:) + s[i] B(i,:).  A may have fewer rows than H, and H may be B. */
typedef gsvd_status_t combine_op(const exec_t *ex, const real_t *c, mat_t A,
                                 const real_t *s, mat_t B, mat_t H);
/* H(i,j) := an h with c[i] h = A(i,j) up to rounding of a[j] and s[i] h = B(i,j) up to rounding of
 * b[j] (value_pair.h); a and b are the lengths of the columns.  If there is no such h, computes
 * H(i,j) as combine does.  A may have fewer rows than H, and H may be B. */
typedef gsvd_status_t combine_columns_op(const exec_t *ex, const real_t *c,
                                         mat_t A, const real_t *s, mat_t B,
                                         const real_t *a, const real_t *b,
                                         mat_t H);

/* -- workspace -------------------------------------------------------------- */

/* The bytes of kernel's work that suffice for the primitives of `what`, and for all that need
 * little, for an m x n matrix that is applied to at most cols columns or rows.  Panels are given
 * a V.  Each folder answers for its own primitives (X(qr_kernel_bytes_cpu) and so on);
 * src/backend takes the largest answer. */
typedef size_t kernel_bytes_op(const exec_t *ex, kernels_t what, int64_t m,
                               int64_t n, int64_t cols);
/* The bytes of the exec's memory for products, at most `most`, that make products up to m x n of
 * inner dimension k faster; 0: none are. */
typedef size_t products_bytes_op(const exec_t *ex, int64_t m, int64_t n,
                                 int64_t k, size_t most);
/* *bytes := the size of the staging memory that tgsja takes for l columns */
typedef gsvd_status_t staging_bytes_op(const exec_t *ex, int64_t l,
                                       size_t *bytes);

/* -- batches: batch/batch.h ------------------------------------------------- */

#define svd_batch_t X(svd_batch_t)
#define gsvd_batch_t X(gsvd_batch_t)
typedef struct svd_batch_t svd_batch_t;
typedef struct gsvd_batch_t gsvd_batch_t;

/* Returns whether svd_batched takes such a batch and is the faster way.  Reads count, the sizes,
 * with_signs, u_cols, v_cols, and whether each_m is NULL; the other addresses are not set yet. */
typedef int svd_batched_fits_op(const exec_t *ex, const svd_batch_t *b);
/* The bytes of kernel's work that svd_batched takes; reads the same members */
typedef size_t svd_batched_bytes_op(const exec_t *ex, const svd_batch_t *b);
/* The SVD or the hyperbolic SVD of each matrix of a batch that fits.  Does not wait, even if sizes
 * differ.  On the host several threads call it at the same time, each with its part of the
 * caller's batch and with an exec and a handle of its own; it starts no threads. */
typedef gsvd_status_t svd_batched_op(const exec_t *ex, const svd_batch_t *b);
/* The same three for pairs */
typedef int gsvd_batched_fits_op(const exec_t *ex, const gsvd_batch_t *b);
typedef size_t gsvd_batched_bytes_op(const exec_t *ex, const gsvd_batch_t *b);
typedef gsvd_status_t gsvd_batched_op(const exec_t *ex, const gsvd_batch_t *b);

/* -- batches: large steps (batch/large_steps.h, which has steps_batch_t) --------- */

#define steps_batch_t X(steps_batch_t)
typedef struct steps_batch_t steps_batch_t;

/* X_i := 2^exponent times the matrix of problem first + i of b, as a tall matrix.  The exponent
 * keeps the squares of entries in range.  column := the lengths of the columns of X_i.  A matrix is
 * left if it is not finite (then X_i := 0), if its rows differ in size, or if the lengths of its
 * columns differ too much for large steps. */
typedef gsvd_status_t batch_load_op(const exec_t *ex, const svd_batch_t *b,
                                    mats_t X, const steps_batch_t *s);
/* C_i := op(A_i) B_i, op 'N' or 'C' */
typedef gsvd_status_t batch_gemm_op(const exec_t *ex, char op, mats_t A,
                                    mats_t B, mats_t C);
/* C_i := alpha A_i^H A_i on and below the diagonal; what is above it is undefined. */
typedef gsvd_status_t batch_gram_op(const exec_t *ex, real_t alpha, mats_t A,
                                    mats_t C);
/* C_i := X_i^H X_i on and below the diagonal, for open matrices only: those that are not left and
 * have s->cosine above `enough` */
typedef gsvd_status_t batch_gram_open_op(const exec_t *ex, mats_t X,
                                         const steps_batch_t *s, real_t enough,
                                         mats_t C);
/* A_i := the eigenvectors of the Hermitian A_i, by ascending eigenvalues.  A_i is given on and
 * below its diagonal.  If they are not found, A_i is undefined.  s->length is overwritten. */
typedef gsvd_status_t batch_eigenvectors_op(const exec_t *ex, mats_t A,
                                            const steps_batch_t *s);
/* On entry E_i = V_i^H V_i.  A matrix whose V_i is far from unitary becomes left.  For each matrix
 * that is left, E_i := V_i := I. */
typedef gsvd_status_t batch_unitary_op(const exec_t *ex, mats_t E, mats_t V,
                                       const steps_batch_t *s);
/* On entry C_i = X_i^H X_i on and below the diagonal.  C_i := T_i, the angles of the rotations that
 * make each pair of columns of X_i orthogonal.  An angle above `most` becomes 0, and T_i = 0 if the
 * matrix is left.  A pair whose cosine is at most `least` is turned only if its angle is small
 * (core/angle.h).  Sets for each matrix:
 *
 *     length     the lengths of the columns of X_i
 *     bound      the largest sum of |T_i(i,j)| in a row
 *     cosine     a bound on the cosines of the columns of X_i after the turn by T_i (cosine_after)
 *
 * With E, T_i belongs to X_i (I + H_i), H_i = (I - E_i) / 2, to first order; E_i is given on and
 * below its diagonal and becomes Hermitian.  With enough > 0, a matrix that is not open gets
 * bound := 0 and is not changed otherwise. */
typedef gsvd_status_t batch_angles_op(const exec_t *ex, mats_t C, mats_t E,
                                      real_t least, real_t most, real_t enough,
                                      const steps_batch_t *s);
/* P_i := I + t T_i - (t^2 / 2) S_i - (t^3 / 8) R_i + H_i with t = min(1, most / bound),
 * S_i = T_i^H T_i, R_i = T_i S_i and H_i = (I - E_i) / 2.  The term of an absent S, R or E is left
 * out.  P may be S. */
typedef gsvd_status_t batch_turns_op(const exec_t *ex, mats_t T, mats_t S,
                                     mats_t R, mats_t E, real_t most,
                                     const steps_batch_t *s, mats_t P);
/* X_i := X_i (I + t T_i), t = min(1, most / bound), unless bound is 0; W has X's shape. */
typedef gsvd_status_t batch_turn_open_op(const exec_t *ex, mats_t T,
                                         real_t most, const steps_batch_t *s,
                                         mats_t X, mats_t W);
/* Writes the results of the problems of batch_load, from X_i = 2^exponent A_i V_i.  First a matrix
 * that is left, or has a cosine above tol, goes through block Jacobi or sweeps.  V_i is unitary
 * except for the lengths of its columns, which divide those of X_i; if the matrix is left, V_i = I.
 * X_i, V_i, s->length, s->column and s->row are overwritten. */
typedef gsvd_status_t batch_finish_op(const exec_t *ex, const svd_batch_t *b,
                                      mats_t X, mats_t V, real_t tol,
                                      const steps_batch_t *s);
/* The bytes of kernel's work that batch_eigenvectors takes for `count` matrices of order n;
 * SIZE_MAX: the machine cannot do them. */
typedef size_t batch_eigenvectors_bytes_op(const exec_t *ex, int64_t n,
                                           int64_t count);

/* M(name) for each primitive of a table */
/* clang-format off */
#define GSVD_PRIMITIVES(M)                                                    \
    M(fork) M(join)                                                           \
    M(copy) M(from_single) M(to_single) M(set) M(zero_lower) M(ctrans)        \
    M(conj_antitranspose) M(hermitian)                                        \
    M(scale_pow2) M(scale_pow2_upper) M(count_from_one) M(scale_rows)         \
    M(nonzero) M(norms) M(norms_by_row)                                       \
    M(column_norms) M(gaussian) M(tournament) M(project) M(update_sketch)     \
    M(pivots_to_front) M(pivot_columns) M(min_abs_diagonal) M(test_panel)     \
    M(await_panel) M(inverse_iteration) M(identity) M(permute_columns)        \
    M(permute_rows) M(sort_rows) M(row_exponents)                             \
    M(panel) M(r_only) M(reflect) M(unit_lower) M(triangle) M(fix_phase)      \
    M(gemm) M(gemm_sub) M(trsm)                                               \
    M(sweep) M(sweep_blocks) M(read_rotations)                                \
    M(normalize_columns) M(scale_columns) M(column_scales) M(joint_scales)    \
    M(gram) M(largest_cosine)                                                 \
    M(rotation_angles) M(second_order_exp) M(newton_schulz) M(column_defects) \
    M(signed_drift) M(signed_roots)                                           \
    M(eigenvectors) M(eigenvectors_staging) M(tridiagonalize)                 \
    M(tridiagonal_vectors) M(values_read) M(tgsja)                            \
    M(signed_mean) M(values_unit) M(values_order) M(partition_signs) M(values_permute)       \
    M(values_set)                                                             \
    M(values_complete) M(values_lead) M(normalize_values) M(combine)          \
    M(combine_columns)                                                        \
    M(svd_batched_fits) M(svd_batched_bytes) M(svd_batched)                   \
    M(gsvd_batched_fits) M(gsvd_batched_bytes) M(gsvd_batched)                \
    M(batch_load) M(batch_gemm) M(batch_gram) M(batch_eigenvectors)           \
    M(batch_unitary) M(batch_angles) M(batch_turns) M(batch_gram_open)        \
    M(batch_turn_open) M(batch_finish) M(batch_eigenvectors_bytes)            \
    M(kernel_bytes) M(products_bytes) M(staging_bytes)
/* clang-format on */

/* The numbers of one machine by which drivers and primitives choose.  src/backend has such a table
 * for each architecture. */
struct tuning {
    int64_t block;     /* columns of a panel                                 */
    int64_t wide;      /* columns of a block of Q's reflectors: block, or 2
                          block                                              */
    int64_t unblocked; /* most multiplications for which reflectors are applied
                          one by one, ...                                    */
    int64_t unblocked_rowwise; /* ... and the same where rows differ in size */
    int64_t lookahead;   /* least entries of a matrix with lookahead: the next
                          panel is factored while products run, and U or V is
                          formed while the next factorization runs.  A machine
                          with lookahead has wide = 2 block.                 */
    int64_t cached;      /* most entries of a panel that stays in a cache    */
    int64_t pivot_width; /* columns of a panel of pivoted QR, <= PIVOT_WIDTH */
    int64_t pivot_last;  /* most columns that are pivoted one by one         */
    int pivot_graded; /* Panels are pivoted also where rows differ in size.  */
    /* The least number of columns for large steps, and for large steps of double
     * precision in place of those of single; in_double = 0: never. */
    int64_t large_steps, in_double;
    int inverse_iteration; /* when it finds eigenvectors: EIGEN_...          */
    int64_t inverse_iteration_most; /* the most columns for which it does    */
    int64_t entrywise;    /* most rows and columns of an X whose X^H X - I is
                             computed, not estimated                         */
    int64_t block_jacobi; /* least columns for sweeps by blocks              */
    int64_t inner_sweeps; /* most sweeps over a pair of blocks: 1 is the block-
                             oriented variant, many are the full block one   */
    /* The least min(n, p) of a batch's pairs for which single calls are faster, so that the
     * pairs are solved one by one; 0: never. */
    int64_t pairs_alone;
    /* For batches: the least number of columns for large steps (0: never), the number of
     * these steps, and the most bytes of the matrices that take them at a time.  Twice the
     * batch's bytes are allowed where that is more. */
    int64_t batch_large_steps, batch_steps, batch_bytes;
    /* GPU only: one warp holds A and V of a small SVD if a lane's rows of both take at most
     * so many bytes. */
    int one_warp;
    /* GPU only: the most columns, 32 at most, of a batch's pairs that are solved in registers;
     * 0: none are. */
    int pairs_in_registers;
    /* GPU only, in single precision */
    int cholesky_wide; /* A panel wider than a strip is factored at once.    */
    int fused_sketch;  /* project and update_sketch are one pass each.       */
    double gemm_rate;  /* real operations a second of xGEMM, ...             */
    double split_rate; /* ... of a product as three TF32 products; 0: none is */
    double memory_rate;   /* bytes a second                                  */
    double piece_seconds; /* the cost of one more piece of a split product   */
    /* For core/cost.h: seconds of a link; operations a second of blocked algorithms, on the host by
     * each core; and those of batches. */
    double link_seconds, rate, batch_rate;
};

/* tuning_t.inverse_iteration */
enum {
    EIGEN_NEVER,
    EIGEN_FOR_ROOM, /* only where the library's work does not fit            */
    EIGEN_ALWAYS
};

/* the table of roads of one choice: qr/roads.h */
#define roads_t X(roads_t)
typedef struct roads_t roads_t;

#define GSVD_MEMBER(name) name##_op *name;
struct backend_t {
    const tuning_t *(*tuning_of)(gsvd_handle_t h); /* of the handle's machine */
    const roads_t *const *roads; /* the primitives' tables of roads, then NULL,
                                    for tests                                */
    form_q_op *form_q;           /* NULL: Q is formed by blocks              */
    singular_values_op *singular_values; /* NULL: by orthogonalize           */
    GSVD_PRIMITIVES(GSVD_MEMBER)
};

#if defined __cplusplus
extern "C" {
#endif

#define GSVD_TWINS(name) name##_op X(name##_cpu), X(name##_cuda);
GSVD_PRIMITIVES(GSVD_TWINS)
form_q_op X(form_q_cpu);
singular_values_op X(singular_values_cpu);

/* backend_cuda is in the CUDA module: backend/cuda_module.h. */
extern const backend_t X(backend_cpu), X(backend_cuda);
#if defined __cplusplus
}
#endif

/* the table of h's space */
static inline const backend_t *X(backend)(gsvd_handle_t h)
{
    return h->space->table.GSVD_LETTER;
}

#endif /* GSVD_CORE_BACKEND_H */
