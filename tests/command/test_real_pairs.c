/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_real_pairs.c -- the command on a pair of real matrices against LAPACK.
 *
 *     test_real_pairs GSVD A B cpu|cuda
 *
 * Both ways round, with both solvers: k and l as LAPACK's dggsvd3 has them,
 * LAPACK's ratios below 20, alpha descending, and the generalized values at
 * a chordal distance |alpha beta' - alpha' beta| of at most 1e-12.
 *
 * Why 1e-12: a backward error (E; F) moves a value by at most
 * sqrt(2) ||(E; F)|| / sigma_min((A; B)) (Sun 1983).  Each program makes one of
 * some 2e-14, and sigma_min is 0.095 (1033) and 0.068 (1850).  Seen: 2e-14.
 */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "real.h"

static const double chordal_limit = 1e-12, ratio_limit = 20;

typedef struct value {
    double alpha, beta;
} value_t;

typedef struct values {
    int64_t k, l;
    value_t *at; /* k + l of them, by angle, infinite ones first */
} values_t;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* alpha alone cannot tell apart what lies within ulp of 1 */
static int by_angle(const void *x, const void *y)
{
    const value_t *a = x, *b = y;
    const double d = a->alpha * b->beta - b->alpha * a->beta;

    return (d < 0) - (d > 0);
}

static void gather(values_t *v, const double *alpha, const double *beta)
{
    v->at = allocate(v->k + v->l, sizeof *v->at);
    for (int64_t i = 0; i < v->k + v->l; ++i)
        v->at[i] = (value_t){alpha[i], beta[i]};
    qsort(v->at, (size_t)(v->k + v->l), sizeof *v->at, by_angle);
}

static values_t by_lapack(const matrix_t *A, const matrix_t *B)
{
    const lapack_int m = (lapack_int)A->rows, n = (lapack_int)A->cols;
    const lapack_int p = (lapack_int)B->rows;
    matrix_t a, b;
    double *alpha = allocate(n, sizeof *alpha);
    double *beta = allocate(n, sizeof *beta);
    lapack_int *iwork = allocate(n, sizeof *iwork);
    lapack_int k, l;
    double size, none;

    if (!matrix_copy(&a, A, 1) || !matrix_copy(&b, B, 1))
        exit(EXIT_FAILURE);
    const double start = now();
    LAPACKE_dggsvd3_work(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, n, p, &k, &l, a.at,
                         m, b.at, p, alpha, beta, &none, 1, &none, 1, &none, 1,
                         &size, -1, iwork);
    double *work = allocate((int64_t)size, sizeof *work);
    const lapack_int info =
        LAPACKE_dggsvd3_work(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, n, p, &k, &l,
                             a.at, m, b.at, p, alpha, beta, &none, 1, &none, 1,
                             &none, 1, work, (lapack_int)size, iwork);
    printf("  dggsvd3: info %d, k %d, l %d, %.1f s\n", (int)info, (int)k,
           (int)l, now() - start);
    if (info != 0)
        failed("dggsvd3: info %d", (int)info);

    values_t v = {k, l, NULL};
    gather(&v, alpha, beta);
    free(work);
    free(iwork);
    free(beta);
    free(alpha);
    matrix_free(&a);
    matrix_free(&b);
    return v;
}

static void compare(const char *json, const values_t *lapack)
{
    values_t v = {(int64_t)number(json, "k"), (int64_t)number(json, "l"), NULL};
    const int64_t r = v.k + v.l;
    double worst = 0;

    if (v.k != lapack->k || v.l != lapack->l) {
        failed("k %" PRId64 ", l %" PRId64 ", LAPACK's are %" PRId64
               " and %" PRId64,
               v.k, v.l, lapack->k, lapack->l);
        return;
    }
    double *alpha = numbers(json, "alpha", r);
    double *beta = numbers(json, "beta", r);
    for (int64_t i = v.k; i + 1 < r; ++i)
        if (!(alpha[i] >= alpha[i + 1]))
            failed("alpha %" PRId64 " is less than the next", i);
    gather(&v, alpha, beta);
    for (int64_t i = 0; i < r; ++i) {
        const value_t *x = &v.at[i], *y = &lapack->at[i];
        const double d = fabs(x->alpha * y->beta - x->beta * y->alpha);
        if (!(d <= worst))
            worst = d;
    }
    const double ratio = number(json, "ratio_max");
    printf("chordal %.1e, ratio_max %.2g, residuals %.1e %.1e, "
           "orth %.1e %.1e %.1e, sweeps %.0f, %.1f s\n",
           worst, ratio, number(json, "residual_a"), number(json, "residual_b"),
           number(json, "orth_u"), number(json, "orth_v"),
           number(json, "orth_q"), number(json, "sweeps"),
           number(json, "seconds"));
    if (!(worst <= chordal_limit))
        failed("chordal distance %.3e > %.3e", worst, chordal_limit);
    if (!(ratio < ratio_limit))
        failed("ratio_max %.3e >= %.3e", ratio, ratio_limit);
    free(alpha);
    free(beta);
    free(v.at);
}

static void test_pair(const char *gsvd_command, const char *device,
                      const char *file_a, const char *file_b)
{
    static const char *const solver[] = {"tangent", "csd", "tgsja"};
    const char *const file[] = {file_a, file_b};
    matrix_t M[2];

    for (int i = 0; i < 2; ++i)
        M[i] = matrix_of(file[i]);
    printf("%s %s\n", file_a, file_b);
    values_t lapack = by_lapack(&M[0], &M[1]);
    for (int i = 0; i < 3; ++i) {
        char command[4096];
        snprintf(command, sizeof command,
                 "'%s' --json --device %s --solver %s '%s' '%s'", gsvd_command,
                 device, solver[i], file_a, file_b);
        char *json = output_of(command);
        if (!json)
            continue;
        printf("  %-7s ", solver[i]);
        compare(json, &lapack);
        if (strncmp(member(json, "solver") + 1, solver[i], strlen(solver[i])) !=
            0)
            failed("another solver than %s was used", solver[i]);
        free(json);
    }
    free(lapack.at);
    matrix_free(&M[0]);
    matrix_free(&M[1]);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: test_real_pairs GSVD A B cpu|cuda\n");
        return EXIT_FAILURE;
    }
    const char *const device = device_of(argv[4]);
    if (!device)
        return SKIP;
    test_pair(argv[1], device, argv[2], argv[3]);
    test_pair(argv[1], device, argv[3], argv[2]);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
