/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update_sketch.c -- a block reflector applied to the columns that remain, and their
 * sketch; CPU twin of update_sketch.cu.
 *
 *     Y := T^H V^H C,    C := C - V Y,    S := Omega C'
 */
#include "pivot/pivot.h"
#include "qr/qr.h"

gsvd_status_t X(project_cpu)(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                             mat_t W, mat_t Y)
{
    GSVD_TRY(X(gemm_cpu)(ex, 'C', 'N', V, C, W));
    return X(gemm_cpu)(ex, 'C', 'N', T, W, Y);
}

gsvd_status_t X(update_sketch_cpu)(const exec_t *ex, mat_t V, mat_t Y, mat_t C,
                                   int64_t first, mat_t Omega, mat_t S)
{
    GSVD_TRY(X(gemm_sub_cpu)(ex, 'N', 'N', V, Y, C));
    return X(gemm_cpu)(ex, 'N', 'N', Omega, mat_rows(C, first, C.rows - first),
                       S);
}
