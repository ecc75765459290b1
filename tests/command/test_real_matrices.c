/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_real_matrices.c -- gsvd svd and gsvd hsvd on a real matrix against LAPACK.
 *
 *     test_real_matrices GSVD A cpu|cuda
 *
 * The values against those of dgesdd; sigma^2 J', with alternating signs J, against the
 * eigenvalues of A J A^T by dsyev.  The latter is formed, and so the bound is against the
 * norms of A and of A J A^T: 20 sqrt(m) ulp, as in tests/test_hsvd.c.
 */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "real.h"

static const double limit = 20;

static char *run(const char *gsvd_command, const char *words,
                 const char *device, const char *files)
{
    char command[8192];

    snprintf(command, sizeof command, "'%s' %s --json --device %s %s",
             gsvd_command, words, device, files);
    return output_of(command);
}

/* The largest difference, over the largest of y */
static double difference(int64_t n, const double *x, const double *y)
{
    double worst = 0, most = 0;

    for (int64_t i = 0; i < n; ++i) {
        worst = fmax(worst, fabs(x[i] - y[i]));
        most = fmax(most, fabs(y[i]));
    }
    return worst / most;
}

static void check(const char *what, const char *json, const matrix_t *A,
                  double worst)
{
    const double bound = limit * sqrt((double)A->rows) * DBL_EPSILON;
    const double ratio = number(json, "ratio_max");

    printf("  %-14s %.1e, ratio_max %.2g, residual %.1e, orth %.1e %.1e, "
           "sweeps %.0f, %.2f s\n",
           what, worst, ratio, number(json, "residual"), number(json, "orth_u"),
           number(json, "orth_v"), number(json, "sweeps"),
           number(json, "seconds"));
    if (!(worst <= bound))
        failed("%s: values differ by %.3e > %.3e", what, worst, bound);
    if (!(ratio < limit))
        failed("%s: ratio_max %.3e >= %.3e", what, ratio, limit);
}

/* -- svd ---------------------------------------------------------------------- */

static double *sigma_by_lapack(const matrix_t *A)
{
    const lapack_int m = (lapack_int)A->rows, n = (lapack_int)A->cols;
    double *const sigma = allocate(n, sizeof *sigma);
    matrix_t a;

    if (!matrix_copy(&a, A, 1) ||
        LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, a.at, m, sigma, NULL, 1,
                       NULL, 1) != 0)
        failed("dgesdd");
    matrix_free(&a);
    return sigma;
}

static void test_svd(const char *gsvd_command, const char *device,
                     const char *file, const matrix_t *A)
{
    static const char *const words[] = {"svd", "svd --economy", "svd --sweeps"};
    double *const lapack = sigma_by_lapack(A);
    char quoted[2048];

    snprintf(quoted, sizeof quoted, "'%s'", file);
    for (int i = 0; i < 3; ++i) {
        char *const json = run(gsvd_command, words[i], device, quoted);
        if (!json)
            continue;
        double *const sigma = numbers(json, "sigma", A->cols);
        check(words[i], json, A, difference(A->cols, sigma, lapack));
        free(sigma);
        free(json);
    }
    free(lapack);
}

/* -- hsvd --------------------------------------------------------------------- */

static double sign_of(int64_t j) { return j % 2 ? -1 : 1; }

/* The m eigenvalues of A J A^T, which ascend */
static double *eigenvalues_by_lapack(const matrix_t *A)
{
    const int64_t m = A->rows, n = A->cols;
    double *const H = allocate(m * m, sizeof *H);
    double *const x = allocate(m, sizeof *x);

    for (int64_t s = 0; s < n; ++s)
        for (int64_t j = 0; j < m; ++j) {
            const double a = sign_of(s) * A->at[j + s * m];
            for (int64_t i = 0; a != 0 && i <= j; ++i)
                H[i + j * m] += A->at[i + s * m] * a;
        }
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', (lapack_int)m, H,
                      (lapack_int)m, x) != 0)
        failed("dsyev");
    free(H);
    return x;
}

/* sigma^2 J', and zeros, ascending */
static double *squares(const char *json, int64_t m, int64_t n)
{
    double *const sigma = numbers(json, "sigma", n);
    double *const signs = numbers(json, "signs", n);
    double *const x = allocate(m, sizeof *x);
    int64_t plus = 0;

    for (int64_t j = 0; j < n; ++j)
        plus += signs[j] > 0;
    for (int64_t j = 0; j < n; ++j)
        x[j < plus ? m - 1 - j : j - plus] = signs[j] * sigma[j] * sigma[j];
    free(signs);
    free(sigma);
    return x;
}

static void test_hsvd(const char *gsvd_command, const char *device,
                      const char *file, const matrix_t *A)
{
    double *const lapack = eigenvalues_by_lapack(A);
    char files[4096], name[] = "signs-XXXXXX";
    const int fd = mkstemp(name);
    FILE *const out = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (!out)
        exit(EXIT_FAILURE);
    for (int64_t j = 0; j < A->cols; ++j)
        fprintf(out, "%g\n", sign_of(j));
    fclose(out);
    snprintf(files, sizeof files, "'%s' %s", file, name);
    char *const json = run(gsvd_command, "hsvd", device, files);
    remove(name);
    if (json) {
        double *const x = squares(json, A->rows, A->cols);
        check("hsvd", json, A, difference(A->rows, x, lapack));
        free(x);
    }
    free(json);
    free(lapack);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: test_real_matrices GSVD A cpu|cuda\n");
        return EXIT_FAILURE;
    }
    const char *const device = device_of(argv[3]);
    if (!device)
        return SKIP;
    matrix_t A = matrix_of(argv[2]);
    printf("%s\n", argv[2]);
    test_svd(argv[1], device, argv[2], &A);
    test_hsvd(argv[1], device, argv[2], &A);
    matrix_free(&A);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
