/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ops.h -- the primitives of this floor, rotations, angles, eigenvectors, the values (c, s): see
 * core/ops.h. */
#ifndef GSVD_JACOBI_OPS_H
#define GSVD_JACOBI_OPS_H

#include "pivot/ops.h"

/* kernels_t */
enum {
    /* eigenvectors, singular_values, of order n */
    KERNELS_EIGENVECTORS = 2 * KERNELS_LDL,
    /* tridiagonalize, tridiagonal_vectors, and what a band takes, of order n */
    KERNELS_TRIDIAGONAL = 2 * KERNELS_EIGENVECTORS,
    /* sweep_blocks, of n columns */
    KERNELS_BLOCKS = 2 * KERNELS_TRIDIAGONAL,
    /* singular_vectors, of order n */
    KERNELS_SINGULAR_VECTORS = 2 * KERNELS_BLOCKS
};

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
/* A Hermitian A, none empty, and what tridiagonalize makes of it */
#define tridiagonal_t X(tridiagonal_t)
typedef struct tridiagonal_t {
    mat_t A;
    real_t *d, *e;
    scalar_t *tau;
} tridiagonal_t;
enum { EACH_MOST = 2048 };
/* tridiagonalize of each of these, of orders up to EACH_MOST, to the same bits.  A GPU has several at a
 * time.  The work is that of one matrix with as many columns as all have.  *fits = 0: the machine has no
 * room for one of them, and all are unchanged. */
typedef gsvd_status_t tridiagonalize_each_op(const exec_t *ex, int count,
                                             const tridiagonal_t *t, int *fits);
/* C := H^H C H for the block reflector H = I - V T V^H and a Hermitian C, n x n, both of whose triangles
 * are there before and afterwards.  VWV is n x 3 b, n >= b: V, W = C V T, and b columns more.  W and
 * these are overwritten, and so is work, n x b without gaps. */
typedef gsvd_status_t two_sided_op(const exec_t *ex, mat_t VWV, mat_t VT,
                                   mat_t work, mat_t C);
/* Is there room for each of the next two of order n?  All of its blocks must run at the same time. */
typedef gsvd_status_t band_fits_op(const exec_t *ex, int64_t n, int *fits);
/* The lower band of the Hermitian A, BAND subdiagonals (jacobi/band.h), is S = Q T Q^H; T as
 * tridiagonalize's.  Q = H(0,0) H(0,1) ... H(1,0) ..., H(i,j) = I - tau(j,i) v v^H of sweep i and hop j,
 * whose v stands in row i of V from column band_row(i, j) on, with its 1.  V is written above its
 * diagonal alone, and may be A. */
typedef gsvd_status_t band_to_tridiagonal_op(const exec_t *ex, mat_t A,
                                             real_t *d, real_t *e, mat_t V,
                                             mat_t tau);
/* The upper band of the square A, BAND superdiagonals, is Q B P^H, if A(0,0) is real.  B is real and
 * bidiagonal: x := its diagonal and what stands right of it in turn, 2 n - 1 numbers.  Q is stored in U and
 * tau_u, P in V and tau_v, as above; nothing is stored where U has no data. */
typedef gsvd_status_t band_to_bidiagonal_op(const exec_t *ex, mat_t A,
                                            real_t *x, mat_t U, mat_t tau_u,
                                            mat_t V, mat_t tau_v);
/* Z := Q Z */
typedef gsvd_status_t band_vectors_op(const exec_t *ex, mat_t V, mat_t tau,
                                      mat_t Z);
/* V := V.cols of the real eigenvectors of T, of order n and of length 1; w := their eigenvalues,
 * descending, the first of which has `before` larger ones before it.  Each vector is computed
 * independently, so vectors of neighbouring eigenvalues need not be orthogonal
 * (jacobi/tridiagonal.h). */
typedef gsvd_status_t tridiagonal_vectors_op(const exec_t *ex, int64_t n,
                                             const real_t *d, const real_t *e,
                                             int64_t before, real_t *w,
                                             mat_t V);
/* w := the `count` largest eigenvalues of T, of order n, descending, to a few ulp of |T| */
typedef gsvd_status_t tridiagonal_values_op(const exec_t *ex, int64_t n,
                                            const real_t *d, const real_t *e,
                                            int64_t count, real_t *w);
/* x := the singular values of the square A, descending, with errors of rounding of |A|.  A is
 * overwritten.  *converged = 0: they were not found.  A table may have NULL here; then the drivers
 * take the lengths of orthogonalized columns. */
typedef gsvd_status_t singular_values_op(const exec_t *ex, mat_t A, real_t *x,
                                         int *converged);
/* The same, and A = U diag(x) V^H with U and V unitary; in the tables that have singular_values */
typedef gsvd_status_t singular_vectors_op(const exec_t *ex, mat_t A, real_t *x,
                                          mat_t U, mat_t V, int *converged);
/* *bytes := the staging memory that eigenvectors takes for order n */
typedef gsvd_status_t eigenvectors_staging_op(const exec_t *ex, int64_t n,
                                              size_t *bytes);
/* Waits.  to[i] := x[i], in the host's memory */
typedef gsvd_status_t values_read_op(const exec_t *ex, int64_t n,
                                     const real_t *x, real_t *to);
/* x[i] := from[i], which is in the host's memory and must not change until the queue's work is done */
typedef gsvd_status_t values_write_op(const exec_t *ex, int64_t n,
                                      const real_t *from, real_t *x);
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
/* t[j] := Re U(:,j)^H V(:,j) */
typedef gsvd_status_t column_dots_op(const exec_t *ex, mat_t U, mat_t V,
                                     real_t *t);
/* V(:,j) := (V(:,j) + sign[j] U(:,j)) / 2 where sign[j] is 1 or -1; where it is 0, V(:,j) stays. */
typedef gsvd_status_t signed_mean_op(const exec_t *ex, mat_t U, mat_t V,
                                     const real_t *sign);
/* With H = Q diag(w) Q^H: diagonal[i] := the sum of |w[j]| |Q(i,j)|^2 over j, the diagonal of
 * (H^2)^(1/2); condition[j] := the sum of diagonal[i] |Q(i,j)|^2 over i, over |w[j]|; 0 where w[j] is 0 */
typedef gsvd_status_t scaled_conditions_op(const exec_t *ex, mat_t Q,
                                           const real_t *w, real_t *diagonal,
                                           real_t *condition);
/* R := H Q - Q diag(w), of sums in twice the precision, rounded once */
typedef gsvd_status_t exact_residual_op(const exec_t *ex, mat_t H, mat_t Q,
                                        const real_t *w, mat_t R);
/* shift[j] := Re q^H r / q^H q of columns q and r;
 * second[j] := the sum of |r_i - shift[j] q_i|^2 / diagonal[i] over i */
typedef gsvd_status_t residual_shifts_op(const exec_t *ex, mat_t Q, mat_t R,
                                         const real_t *diagonal, real_t *shift,
                                         real_t *second);
/* perm := the stable order by descending c and, where c is equal, by ascending s */
typedef gsvd_status_t values_order_op(const exec_t *ex, int64_t n,
                                      const real_t *c, const real_t *s,
                                      int *perm);
/* Waits.  perm := first the j with J[j] = 1, then those with J[j] = -1, each ascending.
 * *plus := the number of ones, or -1 if J holds another number than 1 and -1 */
typedef gsvd_status_t partition_signs_op(const exec_t *ex, int64_t n,
                                         const int64_t *J, int *perm,
                                         int64_t *plus);
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

/* *bytes := the size of the staging memory that tgsja takes for l columns */
typedef gsvd_status_t staging_bytes_op(const exec_t *ex, int64_t l,
                                       size_t *bytes);

/* clang-format off */
#define JACOBI_PRIMITIVES(M)                                                  \
    M(sweep) M(sweep_blocks) M(read_rotations) M(gram) M(largest_cosine)      \
    M(rotation_angles) M(second_order_exp) M(newton_schulz)                   \
    M(column_defects) M(signed_drift) M(signed_roots) M(eigenvectors)         \
    M(eigenvectors_staging) M(tridiagonalize) M(tridiagonal_vectors)          \
    M(tridiagonalize_each) M(two_sided) M(band_fits) M(band_to_tridiagonal) M(band_to_bidiagonal)    \
    M(band_vectors)                                                           \
    M(tridiagonal_values) M(values_read) M(values_write) M(tgsja)             \
    M(column_dots) M(signed_mean) M(scaled_conditions) M(exact_residual)      \
    M(residual_shifts) M(values_unit) M(values_order)                         \
    M(partition_signs) M(values_complete) M(values_lead)                      \
    M(normalize_values) M(combine) M(combine_columns) M(staging_bytes)
/* of the CPU's table alone; others have NULL */
#define JACOBI_HOST_PRIMITIVES(M) M(singular_values) M(singular_vectors)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

JACOBI_PRIMITIVES(GSVD_TWINS)
JACOBI_HOST_PRIMITIVES(GSVD_HOST_TWIN)

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_OPS_H */
