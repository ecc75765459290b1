/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c -- a program in C against the installed library: the generalized
 * values of (diag(3, 4), diag(4, 3)). */
#include <gsvd.h>
#include <stdio.h>

static int differ(double x, double y) { return x - y > 1e-14 || y - x > 1e-14; }

int main(void)
{
    double A[] = {3, 0, 0, 4}, B[] = {4, 0, 0, 3}, alpha[2], beta[2];
    int64_t k, l;
    int info;
    gsvd_handle_t h;

    if (gsvd_version() != 10000 * GSVD_VERSION_MAJOR +
                              100 * GSVD_VERSION_MINOR + GSVD_VERSION_PATCH) {
        fprintf(stderr, "header and library differ\n");
        return 1;
    }
    if (gsvd_create(&h, GSVD_HOST) != GSVD_SUCCESS)
        return 1;
    const gsvd_status_t status =
        dgsvd(h, 'N', 'N', 'N', 2, 2, 2, &k, &l, A, 2, B, 2, alpha, beta, NULL,
              1, NULL, 1, NULL, 1, &info);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "%s\n", gsvd_last_error(h));
    gsvd_destroy(h);
    return status != GSVD_SUCCESS || k != 0 || l != 2 ||
           differ(alpha[0], 0.8) || differ(beta[0], 0.6) ||
           differ(alpha[1], 0.6) || differ(beta[1], 0.8);
}
