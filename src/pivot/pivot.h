/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pivot.h -- column norms, pivoted QR, rank, permutations; see backend.h. */
#ifndef GSVD_PIVOT_PIVOT_H
#define GSVD_PIVOT_PIVOT_H

#include "core/backend.h"

#if defined __cplusplus
extern "C" {
#endif

#define GSVD_PIVOT(who)                                                        \
    gsvd_status_t X(column_norms_##who)(gsvd_handle_t h, mat_t A,              \
                                        real_t * norm);                        \
    gsvd_status_t X(geqp_##who)(gsvd_handle_t h, mat_t A, int *perm,           \
                                scalar_t *tau);                                \
    gsvd_status_t X(rank_##who)(gsvd_handle_t h, mat_t R, real_t tol,          \
                                int64_t * rank);                               \
    gsvd_status_t X(permute_columns_##who)(gsvd_handle_t h, mat_t A,           \
                                           const int *perm, mat_t B);          \
    gsvd_status_t X(permute_rows_##who)(gsvd_handle_t h, mat_t A,              \
                                        const int *perm, mat_t B)

GSVD_PIVOT(cpu);
GSVD_PIVOT(cuda);

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_PIVOT_H */
