/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapack.c -- the same through LAPACK's symbol of the installed library. */
#include <stddef.h>

void dggsvd3_(const char *jobu, const char *jobv, const char *jobq,
              const int *m, const int *n, const int *p, int *k, int *l,
              double *A, const int *lda, double *B, const int *ldb,
              double *alpha, double *beta, double *U, const int *ldu, double *V,
              const int *ldv, double *Q, const int *ldq, double *work,
              const int *lwork, int *iwork, int *info, size_t, size_t, size_t);

int main(void)
{
    const int two = 2, one = 1, lwork = 100;
    double A[] = {3, 0, 0, 4}, B[] = {4, 0, 0, 3}, alpha[2], beta[2];
    double none[1], work[100];
    int k, l, info, iwork[2];

    dggsvd3_("N", "N", "N", &two, &two, &two, &k, &l, A, &two, B, &two, alpha,
             beta, none, &one, none, &one, none, &one, work, &lwork, iwork,
             &info, 1, 1, 1);
    return info != 0 || k != 0 || l != 2 || alpha[0] + alpha[1] < 1.39 ||
           alpha[0] + alpha[1] > 1.41;
}
