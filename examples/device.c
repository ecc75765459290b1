/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device.c -- the generalized singular values of a pair in the memory of a GPU.
 * Leaves with 77 where there is none. */
#include <cuda_runtime_api.h>
#include <gsvd.h>
#include <stdio.h>

int main(void)
{
    enum { m = 3, n = 3, p = 2 }; /* A is m-by-n, B is p-by-n, by columns */
    double a[] = {1, 4, 7, 2, 5, 8, 3, 6, 10}, b[] = {1, 0, 2, 1, 1, 2};
    double values[2 * n], *A; /* A and all others in one block on the device */
    int64_t k, l;
    gsvd_handle_t h;

    if (gsvd_create(&h, 0) != GSVD_SUCCESS || /* CUDA device 0 */
        cudaMalloc((void **)&A, 64 * sizeof *A) != cudaSuccess)
        return 77;
    double *B = A + m * n, *alpha = B + p * n, *beta = alpha + n;
    double *U = beta + n, *V = U + m * m, *Q = V + p * p;
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b, sizeof b, cudaMemcpyHostToDevice);
    gsvd_status_t status = dgsvd_gpu(h, 'U', 'V', 'Q', m, n, p, &k, &l, A, m, B,
                                     p, alpha, beta, U, m, V, p, Q, n, NULL);
    cudaMemcpy(values, alpha, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; status == GSVD_SUCCESS && i < k + l; ++i)
        printf("alpha %.6f  beta %.6f\n", values[i], values[n + i]);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "gsvd: %s\n", gsvd_last_error(h));
    cudaFree(A);
    gsvd_destroy(h);
    return status != GSVD_SUCCESS;
}
