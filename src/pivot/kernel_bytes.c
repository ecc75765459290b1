/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* kernel_bytes.c -- the work of this folder's kernels; CPU twin of kernel_bytes.cu. */
#include "pivot/ldl.h"
#include "qr/qr.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t X(pivot_kernel_bytes_cpu)(const exec_t *ex, kernels_t what, int64_t m,
                                 int64_t n, int64_t cols)
{
    size_t bytes = (size_t)n * sizeof(scalar_t); /* inverse_iteration        */

    (void)ex, (void)cols;
    if (what & KERNELS_PIVOTS) {
        bytes = larger(bytes, X(pivot_columns_bytes)(m, n));
        bytes = larger(bytes, X(pivots_to_front_bytes)(m));
        bytes = larger(bytes, X(tournament_bytes)(n));
    }
    if (what & KERNELS_LDL)
        bytes = larger(bytes, X(ldl_bytes)(n));
    return bytes;
}
