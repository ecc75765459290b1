/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_factors.c -- are the factors that the command wrote those of A, B, of A, or of G, J?
 *
 * DIR and npy, mtx or csv, or a file and .npz or .mat:
 *
 *     test_factors A B DIR npy|mtx lapack|x|xinv K double|single
 *     test_factors A - DIR npy|mtx svd 0 double|single
 *     test_factors G J DIR npy|mtx hsvd 0 double|single
 *     test_factors A - DIR npy|mtx eigh 0 double|single
 *
 * Independent of the command's own measure: plain loops over what the files
 * hold, in complex numbers.  All must be below 30 max(m,n,p) ulp.
 */
#include <complex.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static int failures;

static matrix_t matrix(const char *path)
{
    read_error_t error;
    int64_t line;
    matrix_t A;

    if (!input_read(path, (demand_t){0}, &A, &line, &error)) {
        fprintf(stderr, "%s:%" PRId64 ": %s\n", path, error.line, error.reason);
        exit(EXIT_FAILURE);
    }
    return A;
}

static matrix_t factor(char **argv, const char *letter)
{
    char path[1024];

    const bool is_file =
        argv[4][0] == '.'; /* .npz or .mat                    */
    snprintf(path, sizeof path, is_file ? "%s:%s%.0s" : "%s/%s.%s", argv[3],
             letter, argv[4]);
    return matrix(path);
}

static double complex at(const matrix_t *A, int64_t i, int64_t j)
{
    if (i < 0 || j < 0 || i >= A->rows || j >= A->cols) {
        fprintf(stderr, "no entry (%" PRId64 ", %" PRId64 ")\n", i, j);
        exit(EXIT_FAILURE);
    }
    const double *const a = A->at + (i + j * A->rows) * A->width;
    return A->width == 2 ? a[0] + a[1] * I : a[0];
}

static void small(const char *what, double x, double limit)
{
    if (!(x <= limit)) {
        printf("FAILED: %s is %.3e > %.3e\n", what, x, limit);
        ++failures;
    }
}

/* ||W^H W - I||, the largest entry */
static double orthogonality(const matrix_t *W)
{
    double worst = 0;

    for (int64_t i = 0; i < W->cols; ++i) {
        for (int64_t j = 0; j < W->cols; ++j) {
            double complex sum = i == j ? -1 : 0;
            for (int64_t s = 0; s < W->rows; ++s)
                sum += conj(at(W, s, i)) * at(W, s, j);
            worst = fmax(worst, cabs(sum));
        }
    }
    return worst;
}

/* Row i of (0 R) Q^H or of X^H, entry j. */
static double complex right(const matrix_t *Q, const matrix_t *R, int64_t i,
                            int64_t j)
{
    double complex sum = 0;

    if (!R->at)
        return conj(at(Q, j, i));
    for (int64_t s = i; s < R->cols; ++s)
        sum += at(R, i, s) * conj(at(Q, j, Q->cols - R->cols + s));
    return sum;
}

/* ||G - W D Y||, relative, in the largest entry; value first + i of D stands in
 * row i. */
static double residual(const matrix_t *G, const matrix_t *W,
                       const matrix_t *value, int64_t first, int64_t count,
                       const matrix_t *Q, const matrix_t *R)
{
    double worst = 0, most = 0;

    for (int64_t j = 0; j < G->cols; ++j) {
        double complex *const y = calloc((size_t)count + 1, sizeof *y);
        for (int64_t i = 0; i < count; ++i)
            y[i] = creal(at(value, first + i, 0)) * right(Q, R, first + i, j);
        for (int64_t i = 0; i < G->rows; ++i) {
            double complex sum = at(G, i, j);
            most = fmax(most, cabs(sum));
            for (int64_t s = 0; s < count; ++s)
                sum -= at(W, i, s) * y[s];
            worst = fmax(worst, cabs(sum));
        }
        free(y);
    }
    return worst / (most > 0 ? most : 1);
}

/* ||G Y - W D||, relative, in the largest entry; value first + i of D stands in column first + i. */
static double inverse_residual(const matrix_t *G, const matrix_t *W,
                               const matrix_t *value, int64_t first,
                               int64_t count, const matrix_t *Y)
{
    double worst = 0, of_g = 0, of_y = 0;

    for (int64_t j = 0; j < Y->cols; ++j)
        for (int64_t i = 0; i < G->rows; ++i) {
            double complex sum = 0;
            for (int64_t s = 0; s < G->cols; ++s) {
                sum += at(G, i, s) * at(Y, s, j);
                of_g = fmax(of_g, cabs(at(G, i, s)));
                of_y = fmax(of_y, cabs(at(Y, s, j)));
            }
            if (j >= first && j < first + count)
                sum -= creal(at(value, j, 0)) * at(W, i, j - first);
            worst = fmax(worst, cabs(sum));
        }
    return worst > 0 ? worst / (of_g * of_y) : 0;
}

static double ulp_of(char **argv)
{
    return strcmp(argv[7], "single") == 0 ? FLT_EPSILON : DBL_EPSILON;
}

static void free_all(matrix_t *const *all, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        matrix_free(all[i]);
}

static void pair_factors(char **argv)
{
    const bool inverse = strcmp(argv[5], "xinv") == 0;
    const bool x_form = inverse || strcmp(argv[5], "x") == 0;
    matrix_t A = matrix(argv[1]), B = matrix(argv[2]);
    matrix_t alpha = factor(argv, "alpha"), beta = factor(argv, "beta");
    matrix_t U = factor(argv, "U"), V = factor(argv, "V");
    matrix_t Q = factor(argv, inverse ? "Y" : x_form ? "X" : "Q"), R = {0};
    const int64_t r = alpha.rows, k = strtoll(argv[6], NULL, 10), l = r - k;
    const int64_t size = A.rows + B.rows + A.cols;
    const double ulp = ulp_of(argv);
    const double limit = 30 * (double)size * ulp;

    if (x_form && (Q.rows != A.cols || Q.cols != r))
        small("the shape of X or Y", 1, 0);
    if (!x_form)
        R = factor(argv, "R");
    const int64_t rows = A.rows < r ? A.rows : r;
    small("residual of A",
          inverse ? inverse_residual(&A, &U, &alpha, 0, rows, &Q)
                  : residual(&A, &U, &alpha, 0, rows, &Q, &R),
          limit);
    small("residual of B",
          inverse ? inverse_residual(&B, &V, &beta, k, l, &Q)
                  : residual(&B, &V, &beta, k, l, &Q, &R),
          limit);
    small("orthogonality of U", orthogonality(&U), limit);
    small("orthogonality of V", orthogonality(&V), limit);
    if (!x_form)
        small("orthogonality of Q", orthogonality(&Q), limit);
    for (int64_t i = 0; i < r; ++i)
        small("alpha^2 + beta^2 - 1",
              fabs(pow(alpha.at[i], 2) + pow(beta.at[i], 2) - 1), 10 * ulp);

    matrix_t *const all[] = {&A, &B, &alpha, &beta, &U, &V, &Q, &R};
    free_all(all, sizeof all / sizeof *all);
}

/* The largest sum of a row, at least 1 */
static double norm(const matrix_t *V)
{
    double most = 1;

    for (int64_t i = 0; i < V->rows; ++i) {
        double sum = 0;
        for (int64_t j = 0; j < V->cols; ++j)
            sum += cabs(at(V, i, j));
        most = fmax(most, sum);
    }
    return most;
}

/* The largest entry of V^H J V - J', each over the lengths of its columns */
static double signed_orthogonality(const matrix_t *V, const matrix_t *J,
                                   const matrix_t *signs)
{
    double worst = 0;

    for (int64_t i = 0; i < V->cols; ++i)
        for (int64_t j = 0; j < V->cols; ++j) {
            double complex sum = i == j ? -at(signs, i, 0) : 0;
            double x = 0, y = 0;
            for (int64_t s = 0; s < V->rows; ++s) {
                sum += J->at[s] * conj(at(V, s, i)) * at(V, s, j);
                x = hypot(x, cabs(at(V, s, i)));
                y = hypot(y, cabs(at(V, s, j)));
            }
            worst = fmax(worst, cabs(sum) / x / y);
        }
    return worst;
}

/* J' = diag(I, -I) with the ones of J; sigma descends for each sign. */
static void in_order(const matrix_t *sigma, const matrix_t *signs,
                     const matrix_t *J)
{
    double sum = 0;

    small("the number of signs", fabs((double)(signs->rows - sigma->rows)), 0);
    for (int64_t i = 0; i < sigma->rows; ++i) {
        const double s = creal(at(signs, i, 0));
        sum += s - (J->at ? J->at[i] : 1);
        small("a sign", fabs(fabs(s) - 1), 0);
        if (i > 0 && s == creal(at(signs, i - 1, 0)))
            small("an ascent", sigma->at[i] - sigma->at[i - 1], 0);
        else if (i > 0)
            small("an ascent of signs", s, -1);
    }
    small("the sum of the signs", fabs(sum), 0);
}

static matrix_t ones(int64_t rows)
{
    matrix_t A;

    if (!matrix_create(&A, rows, 1, 1))
        exit(EXIT_FAILURE);
    for (int64_t i = 0; i < rows; ++i)
        A.at[i] = 1;
    return A;
}

static void matrix_factors(char **argv)
{
    const bool is_signed = strcmp(argv[5], "hsvd") == 0;
    const bool is_eigh = strcmp(argv[5], "eigh") == 0;
    matrix_t A = matrix(argv[1]), J = {0};
    matrix_t sigma = factor(argv, is_eigh ? "w" : "sigma");
    matrix_t U = factor(argv, is_eigh ? "Q" : "U"),
             V = factor(argv, is_eigh ? "Q" : "V");
    matrix_t signs = is_signed ? factor(argv, "signs") : ones(sigma.rows),
             none = {0};
    const double ulp = ulp_of(argv);
    const double limit = 30 * (double)(A.rows + A.cols) * ulp;

    if (is_signed)
        J = matrix(argv[2]);
    if (!is_eigh)
        in_order(&sigma, &signs, &J);
    for (int64_t i = 1; is_eigh && i < sigma.rows; ++i)
        small("a descent", sigma.at[i - 1] - sigma.at[i], 0);
    small("residual", residual(&A, &U, &sigma, 0, sigma.rows, &V, &none),
          limit * norm(&V));
    small("orthogonality of U", orthogonality(&U), limit);
    small("orthogonality of V",
          is_signed ? signed_orthogonality(&V, &J, &signs) : orthogonality(&V),
          limit);

    matrix_t *const all[] = {&A, &J, &sigma, &signs, &U, &V};
    free_all(all, sizeof all / sizeof *all);
}

int main(int argc, char **argv)
{
    if (argc != 8) {
        fprintf(stderr, "usage: test_factors A B DIR npy|mtx "
                        "lapack|x|xinv|svd|hsvd|eigh K double|single\n");
        return EXIT_FAILURE;
    }
    (strstr(argv[5], "svd") || strcmp(argv[5], "eigh") == 0
         ? matrix_factors
         : pair_factors)(argv);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
