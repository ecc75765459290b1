/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* elementwise.h -- copies, transposes, scalings, norms; see backend.h. */
#ifndef GSVD_CORE_ELEMENTWISE_H
#define GSVD_CORE_ELEMENTWISE_H

#include "core/backend.h"

enum { MEASURED = 65536 }; /* columns that a GPU measures at a time           */

/* The part of its length by which an entry of an A that was computed may be off:
 * a product of many rounds to some sqrt(n) ulp. */
GSVD_FN real_t rounding_of(mat_t A)
{
    const real_t size = (real_t)max_i(max_i(A.rows, A.cols), 1);
    return 8 * sqrt_r(size) * GSVD_ULP;
}

#if defined __cplusplus
extern "C" {
#endif

#define GSVD_ELEMENTWISE(who)                                                  \
    gsvd_status_t X(copy_##who)(gsvd_handle_t h, mat_t A, mat_t B);            \
    gsvd_status_t X(set_##who)(gsvd_handle_t h, mat_t A, real_t off,           \
                               real_t diag);                                   \
    gsvd_status_t X(zero_lower_##who)(gsvd_handle_t h, mat_t A);               \
    gsvd_status_t X(ctrans_##who)(gsvd_handle_t h, mat_t A, mat_t B);          \
    gsvd_status_t X(flip_ctrans_##who)(gsvd_handle_t h, mat_t A, mat_t B);     \
    gsvd_status_t X(shift_##who)(gsvd_handle_t h, mat_t A, int e);             \
    gsvd_status_t X(shift_upper_##who)(gsvd_handle_t h, mat_t A, int e);       \
    gsvd_status_t X(count_from_one_##who)(gsvd_handle_t h, int64_t n,          \
                                          const int *from, int64_t *to);       \
    gsvd_status_t X(scale_rows_##who)(gsvd_handle_t h, mat_t A,                \
                                      const real_t *g, const int *e);          \
    gsvd_status_t X(nonzero_##who)(gsvd_handle_t h, mat_t R);                  \
    gsvd_status_t X(measure_##who)(gsvd_handle_t h, mat_t A, measure_t * r);   \
    gsvd_status_t X(measure_rows_##who)(gsvd_handle_t h, mat_t A,              \
                                        real_t * size, measure_t * r)

GSVD_ELEMENTWISE(cpu);
GSVD_ELEMENTWISE(cuda);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_ELEMENTWISE_H */
