/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ops.h -- the primitives of this floor: copies, transposes, scalings, norms.
 *
 * A contract is stated once, as the type NAME_op of the primitive NAME; the list declares
 * X(NAME_cpu) and X(NAME_cuda).  Other floors have such a header, too; primitives.h makes one table
 * of all, and says what holds for every primitive. */
#ifndef GSVD_CORE_OPS_H
#define GSVD_CORE_OPS_H

#include "core/exec.h"

#define norms_t X(norms_t)
typedef struct norms_t {
    real_t largest; /* largest |re| or |im| of all entries                   */
    real_t norm1;   /* largest column sum of absolute values                 */
    int finite;     /* no entry is NaN or infinite                           */
    real_t least_row; /* the least size of a nonzero row, GSVD_REAL_MAX if all
                         rows are 0; only norms_by_row sets it, and ...      */
    int64_t rows;     /* ... how many rows are not 0                         */
} norms_t;

/* The twins of a primitive, the CPU's and CUDA's */
#define GSVD_TWINS(name) name##_op X(name##_cpu), X(name##_cuda);
/* ... and the one of a primitive that CUDA's table has not */
#define GSVD_HOST_TWIN(name) name##_op X(name##_cpu);

/* Groups of primitives that need much work, bits that a caller joins by |.  A floor has its groups in
 * its ops.h; their bits are above those of the floor below. */
typedef int kernels_t;
enum { KERNELS_SMALL = 0 }; /* no group                                    */

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
/* A(i,:) := 2^-e[i] (A(i,:) / g[i]) */
typedef gsvd_status_t unscale_rows_op(const exec_t *ex, mat_t A,
                                      const real_t *g, const int *e);
/* Replaces each zero on R's diagonal by the least positive number. */
typedef gsvd_status_t nonzero_op(const exec_t *ex, mat_t R);
/* Waits.  *result := the norms of A, without those of rows */
typedef gsvd_status_t norms_op(const exec_t *ex, mat_t A, norms_t *result);
/* Waits.  *result := the norms of A; size[i] := the largest |re| or |im| in row i */
typedef gsvd_status_t norms_by_row_op(const exec_t *ex, mat_t A, real_t *size,
                                      norms_t *result);
/* norm[j] := ||A(:,j)||_2, without over- or underflow */
typedef gsvd_status_t column_norms_op(const exec_t *ex, mat_t A, real_t *norm);
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
/* y[i] := x[perm[i]] */
typedef gsvd_status_t values_permute_op(const exec_t *ex, int64_t n,
                                        const real_t *x, const int *perm,
                                        real_t *y);
/* x[i] := value for i in [first, n) */
typedef gsvd_status_t values_set_op(const exec_t *ex, int64_t first, int64_t n,
                                    real_t value, real_t *x);
/* *result := largest and least_row of A with columns over their largest entries */
typedef gsvd_status_t norms_of_even_op(const exec_t *ex, mat_t A,
                                       norms_t *result);
/* A(i,j) := 0 where it is far below rounding both of d[j] and of the largest entry of row i; NULL: of 1.
 * Zeros cost no products. */
typedef gsvd_status_t drop_op(const exec_t *ex, mat_t A, const real_t *d);

/* clang-format off */
#define CORE_PRIMITIVES(M)                                                    \
    M(copy) M(from_single) M(to_single) M(set) M(zero_lower) M(ctrans)        \
    M(conj_antitranspose) M(hermitian) M(scale_pow2) M(scale_pow2_upper)      \
    M(count_from_one) M(scale_rows) M(unscale_rows) M(nonzero) M(norms)       \
    M(norms_by_row) M(column_norms) M(normalize_columns) M(scale_columns)     \
    M(column_scales) M(joint_scales) M(values_permute) M(values_set)
/* of a grid's table alone; others have NULL */
#define CORE_GRID_PRIMITIVES(M) M(norms_of_even) M(drop)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

CORE_PRIMITIVES(GSVD_TWINS)

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_OPS_H */
