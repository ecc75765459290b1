/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* backend.h -- the primitives that a grid has, of the contracts that the floors state.  Lists of numbers,
 * (values_...) and orders, are the same on all processes: the host's primitives serve. */
#ifndef GSVD_GRID_BACKEND_H
#define GSVD_GRID_BACKEND_H

#include "grid/module.h"
#include "primitives.h"

/* clang-format off */
#define GRID_PRIMITIVES(M)                                                    \
    M(copy) M(set) M(zero_lower) M(ctrans) M(scale_pow2) M(norms)             \
    M(scale_pow2_upper) M(nonzero) M(count_from_one)                          \
    M(norms_by_row) M(column_norms) M(normalize_columns) M(scale_columns)     \
    M(fix_phase) M(gemm) M(gemm_sub) M(products_bytes) M(gaussian)            \
    M(permute_columns) M(permute_rows) M(gram) M(largest_cosine)              \
    M(rotation_angles) M(second_order_exp) M(newton_schulz) M(eigenvectors)   \
    M(eigenvectors_staging) M(kernel_bytes) M(trsm) M(combine_columns)        \
    M(combine) M(hermitian) M(column_dots) M(signed_mean) M(signed_drift)     \
    M(signed_roots) M(norms_of_even) M(drop)
#define GRID_HOST_PRIMITIVES(M)                                               \
    M(values_permute) M(values_set) M(values_read) M(values_unit)             \
    M(values_order) M(values_lead) M(identity) M(sort_rows)                   \
    M(column_scales) M(partition_signs) M(values_write)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

#define GRID_DECLARED(name) name##_op X(name##_grid);
GRID_PRIMITIVES(GRID_DECLARED)

/* times the length of a column: a sum of such numbers is below rounding, still */
#define DROPPED (GSVD_EPS / 4096)

/* *d := R's diagonal, min(rows, columns) numbers on all processes, in kernel's work */
gsvd_status_t X(diagonal_grid)(const exec_t *ex, mat_t R, scalar_t **d);
/* to[0:n) := R's diagonal, 0 behind its end, on all processes */
void X(read_diagonal)(mat_t R, int64_t n, real_t *to);

/* B := A, which are placed alike */
gsvd_status_t X(copy_parts)(mat_t A, mat_t B);
/* The imaginary parts of A's diagonal become 0. */
gsvd_status_t X(real_diagonal)(mat_t A);
/* A := a matrix of A.rows rows that every process has */
void X(grid_write_matrix)(mat_t A, const scalar_t *from);
/* The engine's: A := its eigenvectors, by way of Z, which begins where its array does, and w */
gsvd_status_t X(eigen_by_engine)(const exec_t *ex, mat_t A, mat_t Z, real_t *w);
/* *from := A, or B := A and *from := B, so that *from and B are placed alike.  A and B are of one size. */
gsvd_status_t X(beside)(const exec_t *ex, mat_t A, mat_t B, mat_t *from);
/* x := diag(sigma) 2^e x */
void X(grid_scale_rows)(mat_t x, const real_t *sigma, int e);

extern const backend_t X(backend_grid);
extern const tuning_t X(tuning_grid);

#if defined __cplusplus
}
#endif

#endif /* GSVD_GRID_BACKEND_H */
