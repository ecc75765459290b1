/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* host.c -- the generalized singular values of a pair in host memory. */
#include <gsvd.h>
#include <stdio.h>

int main(void)
{
    double A[] = {1, 4, 7, 2, 5, 8, 3, 6, 10}; /* 3-by-3, by columns */
    double B[] = {1, 0, 2, 1, 1, 2};           /* 2-by-3 */
    double alpha[3], beta[3], U[3 * 3], V[2 * 2], Q[3 * 3];
    int64_t k, l;
    gsvd_handle_t h;

    gsvd_status_t status = gsvd_create(&h, GSVD_ANY); /* a GPU or the CPU */
    if (status == GSVD_SUCCESS)
        status = dgsvd(h, 'U', 'V', 'Q', 3, 3, 2, &k, &l, A, 3, B, 2, alpha,
                       beta, U, 3, V, 2, Q, 3, NULL); /* R is in A */
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "gsvd: %s\n", gsvd_last_error(h));
    for (int i = 0; status == GSVD_SUCCESS && i < k + l; ++i)
        printf("alpha %.6f  beta %.6f\n", alpha[i], beta[i]);
    gsvd_destroy(h);
    return status != GSVD_SUCCESS;
}
