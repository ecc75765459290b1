/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* two_sided.h -- H^H C H for a block reflector H and a Hermitian C, by products:
 *
 *     W' = W - V ((V T)^H W) / 2,    C := C - V W'^H - W' V^H = C - (V W') (W' V)^H
 */
#ifndef GSVD_JACOBI_TWO_SIDED_H
#define GSVD_JACOBI_TWO_SIDED_H

#include "core/exec.h"
#include "primitives.h"

/* The primitive two_sided by others */
static inline gsvd_status_t two_sided_by_products(const exec_t *ex, mat_t VWV,
                                                  mat_t VT, mat_t G, mat_t C)
{
    const int64_t b = VT.cols;
    const mat_t V = mat_cols(VWV, 0, b), W = mat_cols(VWV, b, b);

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', VT, W, G));
    GSVD_TRY(ex->op->scale_pow2(ex, G, -1));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', V, G, W));
    GSVD_TRY(ex->op->copy(ex, V, mat_cols(VWV, 2 * b, b)));
    return ex->op->gemm_sub(ex, 'N', 'C', mat_cols(VWV, 0, 2 * b),
                            mat_cols(VWV, b, 2 * b), C);
}

#if defined __cplusplus
extern "C" {
#endif

/* C := C - V W^H - W V^H on a GPU, for a Hermitian C, both of whose triangles are there before and
 * afterwards.  VWV = (V W V), n x 3 b */
gsvd_status_t X(hermitian_update)(const exec_t *ex, mat_t VWV, mat_t C);

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_TWO_SIDED_H */
