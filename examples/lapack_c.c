/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapack_c.c -- a C program that calls LAPACK's dggsvd3 and knows nothing of
 * libgsvd: linked to -lgsvd_lapack before LAPACK, or started with
 * LD_PRELOAD=libgsvd_lapack.so.0, it runs on libgsvd. */
#include <stdio.h>
#include <stdlib.h>

/* as a Fortran compiler sees it: by address, lengths of the letters at the end */
void dggsvd3_(const char *jobu, const char *jobv, const char *jobq,
              const int *m, const int *n, const int *p, int *k, int *l,
              double *A, const int *lda, double *B, const int *ldb,
              double *alpha, double *beta, double *U, const int *ldu, double *V,
              const int *ldv, double *Q, const int *ldq, double *work,
              const int *lwork, int *iwork, int *info, size_t, size_t, size_t);

int main(void)
{
    const int m = 3, n = 3, p = 2, query = -1; /* stored by columns */
    double A[] = {1, 4, 7, 2, 5, 8, 3, 6, 10}, B[] = {1, 0, 2, 1, 1, 2};
    double alpha[3], beta[3], U[9], V[4], Q[9], best;
    int iwork[3], k, l, info;

    dggsvd3_("U", "V", "Q", &m, &n, &p, &k, &l, A, &m, B, &p, alpha, beta, U,
             &m, V, &p, Q, &n, &best, &query, iwork, &info, 1, 1, 1);
    const int lwork = (int)best;
    double *work = malloc((size_t)lwork * sizeof *work);
    if (info != 0 || !work)
        return 1;
    dggsvd3_("U", "V", "Q", &m, &n, &p, &k, &l, A, &m, B, &p, alpha, beta, U,
             &m, V, &p, Q, &n, work, &lwork, iwork, &info, 1, 1, 1);
    free(work);
    for (int i = 0; info == 0 && i < k + l; ++i)
        printf("alpha %.6f  beta %.6f\n", alpha[i], beta[i]);
    return info != 0;
}
