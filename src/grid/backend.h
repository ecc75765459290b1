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

#define GRID_DECLARED(name) name##_op X(name##_grid);
GRID_PRIMITIVES(GRID_DECLARED)

/* times the length of a column: a sum of such numbers is below rounding, still */
#define DROPPED (GSVD_EPS / 4096)

/* *d := R's diagonal, min(rows, columns) numbers on all processes, in kernel's work */
gsvd_status_t X(diagonal_grid)(const exec_t *ex, mat_t R, scalar_t **d);

extern const backend_t X(backend_grid);
extern const tuning_t X(tuning_grid);

#endif /* GSVD_GRID_BACKEND_H */
