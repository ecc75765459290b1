/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* backend.h -- the contract of a backend: its primitives.
 *
 * One typed table of primitives per backend and precision; the algorithm is
 * written over it, once.  A primitive queues its work in the queue of its exec
 * and returns at once, except those marked "waits": they give the host a
 * number.  It takes its own memory from what is left of the exec's work, up to
 * kernel_bytes, and has it until its work in the queue is done.  Empty views are
 * allowed everywhere and mean no work.  Views that a primitive writes do not
 * overlap those that it reads unless that is said.
 *
 * Each contract is stated once, as the type NAME_op of a primitive NAME; the
 * list of names makes the table and declares X(NAME_cpu) and X(NAME_cuda).
 */
#ifndef GSVD_CORE_BACKEND_H
#define GSVD_CORE_BACKEND_H

#include "core/exec.h"
#include "tuning.h"

#define norms_t X(norms_t)
typedef struct norms_t {
    real_t largest; /* of |re|, |im| over all entries                        */
    real_t norm1;   /* largest column sum of absolute values                 */
    int finite;     /* no entry is NaN or infinite                           */
    real_t least_row; /* of the rows' largest, those that are 0 left out; none:
                         GSVD_REAL_MAX; norms_by_row alone sets it           */
} norms_t;

/* The primitives whose work is large, to be joined by |. */
typedef enum kernels {
    KERNELS_SMALL = 0,  /* none of them                                      */
    KERNELS_PANELS = 1, /* panel, r_only                                     */
    KERNELS_PIVOTS = 2, /* pivot_columns, pivots_to_front, update_sketch ... */
    KERNELS_ALL = 3,
    KERNELS_EIGENVECTORS = 4, /* eigenvectors, singular_values, of order n   */
    KERNELS_TRIDIAGONAL =
        8,              /* tridiagonalize, tridiagonal_vectors, of order n */
    KERNELS_BLOCKS = 16 /* sweep_blocks, of n columns                  */
} kernels_t;

/* -- order of work -------------------------------------------------------- */

/* *fork := ex, its work too, in another queue, without memory for products.  Work of that queue
 * waits for all work that is queued in ex's queue until now; until join it may overlap
 * work that is queued in ex's queue later. */
typedef gsvd_status_t fork_op(const exec_t *ex, queue_t queue, exec_t *fork);
/* Work that is queued in ex's queue from now on waits for all work of that queue. */
typedef gsvd_status_t join_op(const exec_t *ex, queue_t queue);

/* -- core: elementwise ------------------------------------------------------ */

/* B := A */
typedef gsvd_status_t copy_op(const exec_t *ex, mat_t A, mat_t B);
/* B := A, which is of single precision and has lda entries from column to column */
typedef gsvd_status_t from_single_op(const exec_t *ex, const single_t *A,
                                     int64_t lda, mat_t B);
/* B := A, rounded to single precision; ldb likewise */
typedef gsvd_status_t to_single_op(const exec_t *ex, mat_t A, single_t *B,
                                   int64_t ldb);
/* A := off, and diag on the diagonal */
typedef gsvd_status_t set_op(const exec_t *ex, mat_t A, real_t off,
                             real_t diag);
/* A := 0 strictly below the diagonal */
typedef gsvd_status_t zero_lower_op(const exec_t *ex, mat_t A);
/* B := A^H */
typedef gsvd_status_t ctrans_op(const exec_t *ex, mat_t A, mat_t B);
/* B := A^H with rows and columns reversed: upper triangles stay upper */
typedef gsvd_status_t conj_antitranspose_op(const exec_t *ex, mat_t A, mat_t B);
/* A := 2^e A.  As in scale_pow2_upper and scale_rows, an entry that would overflow by
 * rounding alone (elementwise.h) becomes the largest number. */
typedef gsvd_status_t scale_pow2_op(const exec_t *ex, mat_t A, int e);
/* A := 2^e A on and above the diagonal: R of a QR, and not its reflectors */
typedef gsvd_status_t scale_pow2_upper_op(const exec_t *ex, mat_t A, int e);
/* to[j] := from[j] + 1 for j in [0, n): a permutation in LAPACK's count */
typedef gsvd_status_t count_from_one_op(const exec_t *ex, int64_t n,
                                        const int *from, int64_t *to);
/* A(i,:) := 2^e[i] (g[i] A(i,:)) */
typedef gsvd_status_t scale_rows_op(const exec_t *ex, mat_t A, const real_t *g,
                                    const int *e);
/* Zeros on R's diagonal := the least positive number */
typedef gsvd_status_t nonzero_op(const exec_t *ex, mat_t R);
/* Waits.  *result tells of all entries of A, but not least_row. */
typedef gsvd_status_t norms_op(const exec_t *ex, mat_t A, norms_t *result);
/* Waits.  *result tells of all entries of A; size[i] := the largest of |re|, |im| in
 * row i. */
typedef gsvd_status_t norms_by_row_op(const exec_t *ex, mat_t A, real_t *size,
                                      norms_t *result);

/* -- pivot ------------------------------------------------------------------ */

/* norm[j] := ||A(:,j)||_2, without over- or underflow */
typedef gsvd_status_t column_norms_op(const exec_t *ex, mat_t A, real_t *norm);
/* W := normal random numbers; W(i,j) depends on seed, i and j alone */
typedef gsvd_status_t gaussian_op(const exec_t *ex, mat_t W, uint64_t seed);
/* winners[0:b) := b columns of S that span all of them well, the best first, by
 * rounds of pivoted QR of small groups; S.rows <= SKETCH_ROWS,
 * b <= min(PIVOT_WIDTH, S.cols) */
typedef gsvd_status_t tournament_op(const exec_t *ex, mat_t S, int64_t b,
                                    int *winners);
/* Y := T^H V^H C, T upper triangular with zeros below; W, of Y's size, is
 * overwritten; V.cols <= PIVOT_WIDTH */
typedef gsvd_status_t project_op(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                                 mat_t W, mat_t Y);
/* C := C - V Y, then S := Omega C(first:,:), where Omega may be rounded to a lower
 * precision first; V.cols <= PIVOT_WIDTH, S.rows <= SKETCH_ROWS */
typedef gsvd_status_t update_sketch_op(const exec_t *ex, mat_t V, mat_t Y,
                                       mat_t C, int64_t first, mat_t Omega,
                                       mat_t S);
/* Moves columns winners[0:b) of A to the front, and the columns that stood there
 * where winners left; perm along with them; b <= PIVOT_WIDTH. */
typedef gsvd_status_t pivots_to_front_op(const exec_t *ex, mat_t A, int64_t b,
                                         const int *winners, int *perm);
/* Pivoted QR by norms of columns first, first + 1, ... of A, whose rows above
 * first are R's already.  Stops before column *done, which is last, or less where no
 * remaining column is longer than tol.  Waits unless tol < 0.  With perm == NULL
 * and tol < 0 columns keep their order: plain Householder QR. */
typedef gsvd_status_t pivot_columns_op(const exec_t *ex, mat_t A, int64_t first,
                                       int64_t last, real_t tol, int *perm,
                                       scalar_t *tau, int64_t *done);
/* Waits.  *least := the least absolute value on R's diagonal */
typedef gsvd_status_t min_abs_diagonal_op(const exec_t *ex, mat_t R,
                                          real_t *least);
/* Does all of R's diagonal exceed tol, and drop times its largest entry, in absolute
 * value?  If not, T := 0, so that the block reflector is I.  *yes is the answer after await_panel(ex, yes), which waits
 * for the answer and not for work that was queued behind test_panel. */
typedef gsvd_status_t test_panel_op(const exec_t *ex, mat_t R, real_t tol,
                                    real_t drop, mat_t T, int *yes);
typedef gsvd_status_t await_panel_op(const exec_t *ex, int *yes);
/* Waits.  Solves R z = y, |y| = 1, for a z nearly as long as can be; R is upper
 * triangular and nonsingular, and its first column the longest.  *column := the
 * index of z's largest entry, *bound := 1 over its absolute value: with this column
 * of R the last, the last entry of the diagonal would be no larger.  Where R
 * proves to have no singular value below tol, *bound > tol, and *column may be 0. */
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
/* Sorts rows by decreasing size up to a factor of 2, that is by its binary exponent:
 * zeros come last, and rows of one exponent keep their order.  Row i goes to perm[i],
 * row inverse[k] comes k-th. */
typedef gsvd_status_t sort_rows_op(const exec_t *ex, int64_t rows,
                                   const real_t *size, int *perm, int *inverse);
/* down[i] := the exponent with which 2^-down[i] size[i] is in [1/2, 1), 0 where size[i] is 0;
 * up[i] := -down[i] */
typedef gsvd_status_t row_exponents_op(const exec_t *ex, int64_t rows,
                                       const real_t *size, int *up, int *down);

/* -- qr --------------------------------------------------------------------- */

/* A = (I - V T V^H) (R; 0) for an m x b panel, b <= min(m, block): A := R on and
 * above the diagonal and V below it, tau := the diagonal of T: LAPACK's form.  Where
 * T.data is not NULL, V with its ones and zeros and T are written too; else V, m x b,
 * is overwritten if V.data is not NULL. */
typedef gsvd_status_t panel_op(const exec_t *ex, mat_t A, scalar_t *tau,
                               mat_t V, mat_t T);
/* R := the triangle of A = Q R alone, b x b with a nonnegative diagonal and zeros
 * below, for a tall A of b <= 32 columns, which is not changed */
typedef gsvd_status_t r_only_op(const exec_t *ex, mat_t A, mat_t R);
/* C := op(Q) C (side 'L') or C op(Q) ('R'), op is 'N' or 'C', for a small C; Q is the
 * product of the reflectors in the first k columns of A, applied one by one. */
typedef gsvd_status_t reflect_op(const exec_t *ex, char side, char op, mat_t A,
                                 int64_t k, const scalar_t *tau, mat_t C);
/* A := the leading columns of Q, for a small A, whose first k columns hold the
 * reflectors.  A table may have NULL here: then drivers form Q by blocks. */
typedef gsvd_status_t form_q_op(const exec_t *ex, mat_t A, int64_t k,
                                const scalar_t *tau);
/* V := the unit lower trapezoid of A, zeros above it; V may be A */
typedef gsvd_status_t unit_lower_op(const exec_t *ex, mat_t A, mat_t V);
/* T := the upper triangle with I - V T V^H = H_1 ... H_b, from S = V^H V.  S and T, of
 * one size, hold several such blocks of b <= block columns, or as many as are left:
 * in columns j = 0, b, ... and rows j mod S.rows. */
typedef gsvd_status_t triangle_op(const exec_t *ex, mat_t S,
                                  const scalar_t *tau, int64_t b, mat_t T);
/* Q(:,j) := Q(:,j) R(j,j)/|R(j,j)|, which is Q of an R with a nonnegative diagonal */
typedef gsvd_status_t fix_phase_op(const exec_t *ex, mat_t R, mat_t Q);
/* C := op(A) op(B), op is 'N' or 'C' */
typedef gsvd_status_t gemm_op(const exec_t *ex, char opa, char opb, mat_t A,
                              mat_t B, mat_t C);
/* C := C - op(A) op(B) */
typedef gsvd_status_t gemm_sub_op(const exec_t *ex, char opa, char opb, mat_t A,
                                  mat_t B, mat_t C);

/* A := A R^-1, R upper triangular with a diagonal of no zeros; what stands below that is
 * not read.  By substitution: |(A - X R)(i,j)| <= n eps (|X| |R|)(i,j) up to a modest
 * factor for the X that A becomes. */
typedef gsvd_status_t trsm_op(const exec_t *ex, mat_t R, mat_t A);

/* -- jacobi ----------------------------------------------------------------- */

/* One pass over all pairs of columns of G: rotates pairs whose cosine exceeds tol,
 * exchanges pairs of which the second column is clearly longer, and the columns of C
 * (or none: C.data == NULL) along with them.  *rotations, in the backend's memory,
 * grows by the pairs that were rotated or exchanged: a column that changed its place
 * may have missed another in this pass.  The first `plus` columns have sign 1 and the
 * others sign -1: G := G K and C := C K^-H with K^H J K = J; a pair of unequal signs turns by
 * a hyperbolic rotation, and is not exchanged.  With plus = G.cols K is unitary. */
typedef gsvd_status_t sweep_op(const exec_t *ex, mat_t G, mat_t C, int64_t plus,
                               real_t tol, int64_t *rotations);
/* One pass over all pairs of blocks of columns, which a matrix product turns: the same
 * as sweep, but for these differences.  d: the lengths of G's columns, up to rounding or
 * to a factor of a few, on entry and on exit.  rotations[0] grows by the pairs of columns that
 * were not orthogonal, or not in order, when their blocks met; rotations[1] by the pairs of
 * blocks that were left as they were, since they take large hyperbolic rotations: these are
 * for sweep. */
typedef gsvd_status_t sweep_blocks_op(const exec_t *ex, mat_t G, mat_t C,
                                      int64_t plus, real_t tol, real_t *d,
                                      int64_t *rotations);
/* Waits.  *count := *rotations, then *rotations := 0.  With count == NULL it sets
 * *rotations alone, and does not wait. */
typedef gsvd_status_t read_rotations_op(const exec_t *ex, int64_t *rotations,
                                        int64_t *count);
/* B(:,j) := A(:,j) / d[j], or 0 where d[j] is 0; B may be A. */
typedef gsvd_status_t normalize_columns_op(const exec_t *ex, mat_t A,
                                           const real_t *d, mat_t B);
/* B(:,j) := A(:,j) d[j]; B may be A. */
typedef gsvd_status_t scale_columns_op(const exec_t *ex, mat_t A,
                                       const real_t *d, mat_t B);
/* d[j] := the power of two that brings a[j] next to 1, or b[j] where a[j] is 0, but
 * b[j] d[j] to no less than 2^-SPREAD and no more than 2^SPREAD (jacobi.h); 1 where both
 * are 0 */
typedef gsvd_status_t column_scales_op(const exec_t *ex, int64_t n,
                                       const real_t *a, const real_t *b,
                                       real_t *d);
/* Waits.  d[j] := the power of two that brings the longer of a[j] and b[j], each against the
 * largest of its kind, next to that, 1 or more; 1 where a[j] <= least_a and b[j] <= least_b.
 * *most := the largest d[j], or 1 */
typedef gsvd_status_t joint_scales_op(const exec_t *ex, int64_t n,
                                      const real_t *a, const real_t *b,
                                      real_t least_a, real_t least_b, real_t *d,
                                      real_t *most);
/* C := A^H A, both triangles, which are equal up to rounding, and a real diagonal */
typedef gsvd_status_t gram_op(const exec_t *ex, mat_t A, mat_t C);
/* Waits.  *cosine := the largest |C(i,j)|, i != j; NaN if one is. */
typedef gsvd_status_t largest_cosine_op(const exec_t *ex, mat_t C,
                                        real_t *cosine);
/* Waits.  C, the cosines of columns of the lengths d, which descend, := the T of the angles
 * of the rotations that make each pair orthogonal (rotate.h); pairs with cosines up to
 * `least` are turned only by small angles (angle.h).  sign has the signs of the columns, 1 or -1, or is NULL: all are equal.
 * J T is skew-Hermitian.  *bound := the largest sum of |T(i,j)| in a row. */
typedef gsvd_status_t rotation_angles_op(const exec_t *ex, mat_t C,
                                         const real_t *d, const real_t *sign,
                                         real_t least, real_t *bound);
/* P := I + s T - s^2 / 2 S for S = -T^2: exp(s T) to the second order; P may be S. */
typedef gsvd_status_t second_order_exp_op(const exec_t *ex, mat_t T, mat_t S,
                                          real_t s, mat_t P);
/* Waits.  E := (3 I - J E) / 2 for E = P^H J' P, with which P E has (P E)^H J' (P E) = J to
 * the second order (Newton and Schulz); *defect := the largest |J E - I| before.  J is the
 * diagonal of sign, 1 or -1, or I if that is NULL. */
typedef gsvd_status_t newton_schulz_op(const exec_t *ex, mat_t E,
                                       const real_t *sign, real_t *defect);
/* defect[j] := the largest of |re|, |im| in column j of I - X^H X, NaN if one is; each sum over the
 * rows goes by pieces, of at most 32 numbers in a row, and rows / 32 pieces */
typedef gsvd_status_t column_defects_op(const exec_t *ex, mat_t X_,
                                        real_t *defect);
/* Waits.  E := J (E - J) / 2 for E = V^H J' V, V with columns of the lengths d: an entry that is off
 * J by no more than `least` times both lengths becomes 0.  *most := the largest |E(i,j)| that is
 * left, NaN if one is.  J is the diagonal of sign. */
typedef gsvd_status_t signed_drift_op(const exec_t *ex, mat_t E,
                                      const real_t *sign, const real_t *d,
                                      real_t least, real_t *most);
/* root[i] := the square root of |x[i]|; sign[i] := 1 or -1, the sign of x[i], or 0 where
 * x[i] is 0 or NaN */
typedef gsvd_status_t signed_roots_op(const exec_t *ex, int64_t n,
                                      const real_t *x, real_t *root,
                                      real_t *sign);
/* May wait.  A := the eigenvectors of the Hermitian A, by ascending eigenvalues, which
 * w gets; where they are not found, A is not unitary.  Works in the end of the exec's
 * staging memory, in so much of it as eigenvectors_staging says. */
typedef gsvd_status_t eigenvectors_op(const exec_t *ex, mat_t A, real_t *w);
/* A = Q T Q^H for a Hermitian A, T with d on its diagonal and e beside it, Q = H_1 ...
 * H_{n-1} in LAPACK's form: A := reflectors below its first subdiagonal, tau, n - 1
 * of each.  *fits = 0: the machine has no room for it, and A is as it was. */
typedef gsvd_status_t tridiagonalize_op(const exec_t *ex, mat_t A, real_t *d,
                                        real_t *e, scalar_t *tau, int *fits);
/* V := eigenvectors of T of order n, real, of length 1, by descending eigenvalues, which w
 * gets.  Each is found by itself: those of values next to each other need not be orthogonal
 * (jacobi/tridiagonal.h). */
typedef gsvd_status_t tridiagonal_vectors_op(const exec_t *ex, int64_t n,
                                             const real_t *d, const real_t *e,
                                             real_t *w, mat_t V);
/* x := the singular values of the square A, descending, up to rounding of |A|, which is
 * overwritten; *converged = 0: they were not found.  A table may have NULL here: then they
 * come from orthogonal columns. */
typedef gsvd_status_t singular_values_op(const exec_t *ex, mat_t A, real_t *x,
                                         int *converged);
/* *bytes := the staging memory that eigenvectors takes for order n */
typedef gsvd_status_t eigenvectors_staging_op(const exec_t *ex, int64_t n,
                                              size_t *bytes);
/* Waits.  to[i] := x[i], in the host's memory */
typedef gsvd_status_t values_read_op(const exec_t *ex, int64_t n,
                                     const real_t *x, real_t *to);
/* Waits.  LAPACK's xTGSJA, on the host, on the pair (A, B), upper trapezoidal and
 * triangular with B.rows == B.cols; works in the exec's staging memory.  A and B are
 * not changed.  Without convergence only cycles and converged are set. */
typedef gsvd_status_t tgsja_op(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                               real_t tolb, mat_t U, mat_t V, real_t *c,
                               real_t *s, int *cycles, int *converged);

/* -- jacobi: the values (c, s), n of each ----------------------------------- */

/* (c, s) := (c, s) / hypot(c, s) */
typedef gsvd_status_t values_unit_op(const exec_t *ex, int64_t n, real_t *c,
                                     real_t *s);
/* perm := the order of c descending, and of s ascending where c is equal; equal pairs
 * keep their order. */
typedef gsvd_status_t values_order_op(const exec_t *ex, int64_t n,
                                      const real_t *c, const real_t *s,
                                      int *perm);
/* Waits.  perm := the j with J[j] = 1, then those with J[j] = -1, each ascending;
 * *plus := the number of ones.  *plus := -1 if another number is in J. */
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
/* The larger of c[i] and s[i] := what the smaller leaves of c^2 + s^2 = 1 */
typedef gsvd_status_t values_complete_op(const exec_t *ex, int64_t n, real_t *c,
                                         real_t *s);
/* Waits.  *count := how many leading i have c[i] > s[i] */
typedef gsvd_status_t values_lead_op(const exec_t *ex, int64_t n,
                                     const real_t *c, const real_t *s,
                                     int64_t *count);
/* alpha, beta, g and e with (2^ea c, 2^eb s) = g 2^e (alpha, beta) and
 * alpha^2 + beta^2 = 1 */
typedef gsvd_status_t normalize_values_op(const exec_t *ex, int64_t n, int ea,
                                          int eb, const real_t *c,
                                          const real_t *s, real_t *alpha,
                                          real_t *beta, real_t *g, int *e);
/* H(i,:) := c[i] A(i,:) + s[i] B(i,:); A may have fewer rows than H, and
 * H may be B */
typedef gsvd_status_t combine_op(const exec_t *ex, const real_t *c, mat_t A,
                                 const real_t *s, mat_t B, mat_t H);
/* H(i,j) := h with c[i] h = A(i,j), s[i] h = B(i,j), each to rounding of a[j] and b[j], the
 * lengths of the columns that these belong to, where there is one, else as combine does
 * (value_pair.h); A may have fewer rows than H, and H may be B */
typedef gsvd_status_t combine_columns_op(const exec_t *ex, const real_t *c,
                                         mat_t A, const real_t *s, mat_t B,
                                         const real_t *a, const real_t *b,
                                         mat_t H);

/* -- workspace -------------------------------------------------------------- */

/* Bytes of kernel's work: the primitives of `what`, and all that need little, take no
 * more of it for an m x n matrix that is applied to at most cols columns or rows;
 * panels are given a V.  Each folder answers for its own primitives
 * (X(qr_kernel_bytes_cpu) and so on); src/machine takes the largest answer. */
typedef size_t kernel_bytes_op(const exec_t *ex, kernels_t what, int64_t m,
                               int64_t n, int64_t cols);
/* The bytes of the exec's memory for products, at most `most`, with which products up to
 * m x n of inner dimension k are faster; 0: none are. */
typedef size_t products_bytes_op(const exec_t *ex, int64_t m, int64_t n,
                                 int64_t k, size_t most);
/* *bytes := the staging memory that tgsja takes for l columns */
typedef gsvd_status_t staging_bytes_op(const exec_t *ex, int64_t l,
                                       size_t *bytes);

/* -- batches: batch/batch.h ------------------------------------------------- */

#define svd_batch_t X(svd_batch_t)
#define gsvd_batch_t X(gsvd_batch_t)
typedef struct svd_batch_t svd_batch_t;
typedef struct gsvd_batch_t gsvd_batch_t;

/* Does svd_batched take such a batch, and is it the faster way?  By count, sizes, with_signs,
 * u_cols and v_cols, and by whether each_m is NULL: no other address is there yet. */
typedef int svd_batched_fits_op(const exec_t *ex, const svd_batch_t *b);
/* The kernel's work that svd_batched takes, by the same */
typedef size_t svd_batched_bytes_op(const exec_t *ex, const svd_batch_t *b);
/* The SVD or the hyperbolic SVD of each matrix of a batch that fits.  Does not wait, also where
 * sizes differ.  On the host threads call it at the same time, each with its part of the
 * caller's batch, an exec and a handle of its own: it starts no threads. */
typedef gsvd_status_t svd_batched_op(const exec_t *ex, const svd_batch_t *b);
/* The same of pairs */
typedef int gsvd_batched_fits_op(const exec_t *ex, const gsvd_batch_t *b);
typedef size_t gsvd_batched_bytes_op(const exec_t *ex, const gsvd_batch_t *b);
typedef gsvd_status_t gsvd_batched_op(const exec_t *ex, const gsvd_batch_t *b);

/* -- batches: large steps (batch/large_steps.h, which has steps_batch_t) --------- */

#define steps_batch_t X(steps_batch_t)
typedef struct steps_batch_t steps_batch_t;

/* X_i := 2^exponent times the matrix of problem first + i of b as a tall one, entries next to
 * the size whose squares have room; column := the lengths of its columns.  left: not finite,
 * and then X_i := 0; or rows differ in size, or lengths of columns too much for large steps. */
typedef gsvd_status_t batch_load_op(const exec_t *ex, const svd_batch_t *b,
                                    mats_t X, const steps_batch_t *s);
/* C_i := op(A_i) B_i, op 'N' or 'C' */
typedef gsvd_status_t batch_gemm_op(const exec_t *ex, char op, mats_t A,
                                    mats_t B, mats_t C);
/* C_i := alpha A_i^H A_i on and below the diagonal; above it is anything. */
typedef gsvd_status_t batch_gram_op(const exec_t *ex, real_t alpha, mats_t A,
                                    mats_t C);
/* C_i := X_i^H X_i on and below the diagonal of matrices that are open: not left, and with
 * s->cosine above `enough` */
typedef gsvd_status_t batch_gram_open_op(const exec_t *ex, mats_t X,
                                         const steps_batch_t *s, real_t enough,
                                         mats_t C);
/* A_i := the eigenvectors of the Hermitian A_i, which is given on and below its diagonal, by
 * ascending eigenvalues; anything where they are not found.  s->length is overwritten. */
typedef gsvd_status_t batch_eigenvectors_op(const exec_t *ex, mats_t A,
                                            const steps_batch_t *s);
/* E_i = V_i^H V_i and V_i of a matrix that is left := I, and where V_i is far from unitary: then it
 * is left, too. */
typedef gsvd_status_t batch_unitary_op(const exec_t *ex, mats_t E, mats_t V,
                                       const steps_batch_t *s);
/* C_i = X_i^H X_i, on and below the diagonal, := the T of the angles of the rotations that make
 * each pair of columns of X_i orthogonal, but for angles above `most`, which are 0, as are all of a
 * matrix that is left; pairs of cosines up to `least` are turned only by small angles
 * (core/angle.h).  length := the lengths of the columns, bound := the largest sum of |T(i,j)| in a
 * row, cosine := a bound on the cosines of the columns of X_i (I + T_i), turned by the last
 * batch_turns.  With E: T to first order of X_i (I + H_i), H_i = (I - E_i) / 2, where E_i := the
 * Hermitian matrix that it is on and below its diagonal.  enough > 0: matrices that are not open
 * have bound := 0, and all else of them stays. */
typedef gsvd_status_t batch_angles_op(const exec_t *ex, mats_t C, mats_t E,
                                      real_t least, real_t most, real_t enough,
                                      const steps_batch_t *s);
/* P_i := I + t T_i, t = min(1, most / bound); with S_i = T_i^H T_i and R_i = T_i S_i, unless
 * they are absent, less (t^2 S_i) / 2 + (t^3 R_i) / 8; with E_i, unless it is absent, and H_i.
 * P may be S. */
typedef gsvd_status_t batch_turns_op(const exec_t *ex, mats_t T, mats_t S,
                                     mats_t R, mats_t E, real_t most,
                                     const steps_batch_t *s, mats_t P);
/* X_i := X_i (I + t T_i), t = min(1, most / bound), but where bound is 0; W has X's shape. */
typedef gsvd_status_t batch_turn_open_op(const exec_t *ex, mats_t T,
                                         real_t most, const steps_batch_t *s,
                                         mats_t X, mats_t W);
/* The results of the problems of batch_load, from X_i = 2^exponent A_i V_i: block Jacobi, or
 * sweeps, where a matrix is left, or its cosine is above tol.  V_i is unitary but for the lengths
 * of its columns, by which those of X_i are divided; I where a matrix is left.  X_i, V_i, s->length,
 * s->column and s->row are overwritten. */
typedef gsvd_status_t batch_finish_op(const exec_t *ex, const svd_batch_t *b,
                                      mats_t X, mats_t V, real_t tol,
                                      const steps_batch_t *s);
/* The kernel's work of batch_eigenvectors, for so many of order n; SIZE_MAX: the machine does
 * not take them. */
typedef size_t batch_eigenvectors_bytes_op(const exec_t *ex, int64_t n,
                                           int64_t count);

/* The primitives that each table has, M(name) for each. */
/* clang-format off */
#define GSVD_PRIMITIVES(M)                                                    \
    M(fork) M(join)                                                           \
    M(copy) M(from_single) M(to_single) M(set) M(zero_lower) M(ctrans)        \
    M(conj_antitranspose)                                                     \
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
    M(values_unit) M(values_order) M(partition_signs) M(values_permute)       \
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

/* The roads of a choice: qr/roads.h. */
#define roads_t X(roads_t)
typedef struct roads_t roads_t;

#define GSVD_MEMBER(name) name##_op *name;
struct backend_t {
    const roads_t *const *roads; /* the choices of these primitives, then NULL:
                                    for tests                                */
    form_q_op *form_q;           /* NULL: by blocks alone                    */
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

/* The second one stands where CUDA is: machine/cuda_module.h. */
extern const backend_t X(backend_cpu), X(backend_cuda);
#if defined __cplusplus
}
#endif

/* The table of h's space. */
static inline const backend_t *X(backend)(gsvd_handle_t h)
{
    return h->space->table.GSVD_LETTER;
}

#endif /* GSVD_CORE_BACKEND_H */
