/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* kernel_bytes.cu -- the work of this folder's kernels; CUDA twin of kernel_bytes.c. */
#include "pivot/pivot.h"

size_t X(pivot_kernel_bytes_cuda)(const exec_t *ex, kernels_t what, int64_t m,
                                  int64_t n, int64_t cols)
{
    /* lengths of columns, numbers of winners, a solution of inverse_iteration */
    const size_t columns = 3 * (size_t)n * sizeof(real_t);

    const size_t integers = /* or numbers                                    */
        what & KERNELS_LDL ? 4 * (size_t)n * sizeof(real_t) : 0;

    (void)ex;
    if (!(what & KERNELS_PIVOTS))
        return integers;
    const size_t sketch =
        min_i(m, n) > PIVOT_WIDTH ? X(update_sketch_bytes)(max_i(n, cols)) : 0;
    const size_t most = sketch > columns ? sketch : columns;
    return most > integers ? most : integers;
}
