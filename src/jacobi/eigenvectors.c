/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigenvectors.c -- eigenvectors of a Hermitian matrix by LAPACK's xSYEVD or xHEEVD,
 * and the work of this folder's primitives; CPU twin of eigenvectors.cu. */
#include "core/blas.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(eigenvectors_cpu)(const exec_t *ex, mat_t A, real_t *w)
{
    void *work;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, X(lapack_syevd_bytes)(A.cols), &work));
    if (X(lapack_syevd)(A, w, work) != 0)
        return X(set_cpu)(ex, A, 0, 0);
    return GSVD_SUCCESS;
}

gsvd_status_t X(eigenvectors_staging_cpu)(const exec_t *ex, int64_t n,
                                          size_t *bytes)
{
    (void)ex, (void)n;
    *bytes = 0;
    return GSVD_SUCCESS;
}

size_t X(jacobi_kernel_bytes_cpu)(const exec_t *ex, kernels_t what, int64_t m,
                                  int64_t n, int64_t cols)
{
    const size_t each[] = {
        (size_t)max_i(n, 1) * sizeof(int), /* values_order                   */
        what & KERNELS_EIGENVECTORS ? X(lapack_syevd_bytes)(n) : 0,
        what & KERNELS_EIGENVECTORS ? X(singular_values_bytes)(n) : 0,
        what & KERNELS_TRIDIAGONAL ? X(tridiagonalize_bytes_cpu)(n) : 0,
        what & KERNELS_TRIDIAGONAL ? X(band_bytes_cpu)(n) : 0,
        what & KERNELS_SINGULAR_VECTORS ? X(singular_vectors_bytes)(n) : 0,
        what & KERNELS_BLOCKS ? X(block_sweep_bytes)(n) : 0};
    (void)ex, (void)m, (void)cols;
    return LARGEST(each);
}
