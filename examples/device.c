/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device.c -- the same for a pair in the memory of a GPU; 77: there is none. */
#include <cuda_runtime_api.h>
#include <gsvd.h>
#include <stdio.h>

static double *on_device(size_t count, const double *from)
{
    double *to = NULL;
    if (cudaMalloc((void **)&to, count * sizeof *to) == cudaSuccess && from)
        cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyHostToDevice);
    return to;
}

int main(void)
{
    enum { m = 3, n = 3, p = 2 }; /* A is m-by-n, B is p-by-n, by columns */
    const double a[m * n] = {1, 4, 7, 2, 5, 8, 3, 6, 10};
    const double b[p * n] = {1, 0, 2, 1, 1, 2};
    double host[2 * n];
    int64_t k, l;
    int info;
    gsvd_handle_t h;

    if (gsvd_create(&h, 0) != GSVD_SUCCESS) /* CUDA device 0 */
        return 77;
    double *A = on_device(m * n, a), *B = on_device(p * n, b);
    double *U = on_device(m * m, NULL), *V = on_device(p * p, NULL);
    double *Q = on_device(n * n, NULL), *values = on_device(2 * n, NULL);
    gsvd_status_t status =
        dgsvd_gpu(h, 'U', 'V', 'Q', m, n, p, &k, &l, A, m, B, p, values,
                  values + n, U, m, V, p, Q, n, NULL, 0, NULL, 0, &info);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "gsvd: %s\n", gsvd_last_error(h));
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; status == GSVD_SUCCESS && i < k + l; ++i)
        printf("alpha %.6f  beta %.6f\n", host[i], host[n + i]);
    gsvd_destroy(h); /* the process ends: CUDA frees the arrays */
    return status != GSVD_SUCCESS;
}
