/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* host.c -- the generalized singular values of a pair in host memory. */
#include <gsvd.h>
#include <stdio.h>

int main(void)
{
    enum { m = 3, n = 3, p = 2 }; /* A is m-by-n, B is p-by-n, by columns */
    double A[] = {1, 4, 7, 2, 5, 8, 3, 6, 10}, B[] = {1, 0, 2, 1, 1, 2};
    double alpha[n], beta[n], U[m * m], V[p * p], Q[n * n];
    int64_t k, l;
    gsvd_handle_t h;

    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS) /* a GPU or the CPU */
        return 1;
    gsvd_status_t status = dgsvd(h, 'U', 'V', 'Q', m, n, p, &k, &l, A, m, B, p,
                                 alpha, beta, U, m, V, p, Q, n, /* R is in A */
                                 NULL);
    for (int i = 0; status == GSVD_SUCCESS && i < k + l; ++i)
        printf("alpha %.6f  beta %.6f\n", alpha[i], beta[i]);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "gsvd: %s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    return status != GSVD_SUCCESS;
}
