/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* data.c -- Tikhonov regularization of data of your own.
 *
 *     tikhonov_data A.txt L.txt b.txt >x.txt
 *
 * min ||A x - b||^2 + lambda^2 ||L x||^2, lambda by generalized cross-validation.  The files
 * hold a row of numbers on each line, as numpy.savetxt and Octave's save -ascii write them.
 * `gsvd tikhonov` reads more formats, has other rules, and draws. */
#include <gsvd_filter.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct matrix {
    int64_t rows, cols;
    double *data; /* by columns, ld = rows                                    */
} matrix_t;

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "tikhonov_data: %s: %s\n", what, why);
    exit(1);
}

static double *room(int64_t rows, int64_t cols)
{
    const size_t count = (size_t)rows * (size_t)cols;
    double *const x = calloc(count > 0 ? count : 1, sizeof *x);
    if (!x)
        stop("memory", "not enough");
    return x;
}

/* A row is done. */
static void end_row(const char *file, int64_t *numbers, int64_t *rows,
                    int64_t *cols)
{
    if (*numbers == 0)
        return;
    if (*rows > 0 && *numbers != *cols)
        stop(file, "rows have different lengths");
    *cols = *numbers;
    *numbers = 0;
    ++*rows;
}

/* The numbers of a file, row by row */
static double *numbers_of(const char *file, int64_t *rows, int64_t *cols)
{
    FILE *const f = fopen(file, "r");
    size_t count = 0, room_for = 0;
    double *x = NULL, next;
    int64_t numbers = 0; /* of this row                                       */
    int c;

    if (!f)
        stop(file, "cannot be read");
    *rows = *cols = 0;
    while ((c = fgetc(f)) != EOF) {
        if (c == '\n') {
            end_row(file, &numbers, rows, cols);
        } else if (c != ' ' && c != '\t' && c != ',' && c != '\r') {
            ungetc(c, f);
            if (fscanf(f, "%lf", &next) != 1)
                stop(file, "has something that is not a number");
            if (count == room_for) {
                room_for = 2 * room_for + 1024;
                x = realloc(x, room_for * sizeof *x);
                if (!x)
                    stop(file, "there is not enough memory");
            }
            x[count++] = next;
            ++numbers;
        }
    }
    end_row(file, &numbers, rows, cols);
    fclose(f);
    if (*rows == 0)
        stop(file, "has no numbers");
    return x;
}

static matrix_t read_matrix(const char *file)
{
    matrix_t A;
    double *const x = numbers_of(file, &A.rows, &A.cols);

    A.data = room(A.rows, A.cols);
    for (int64_t i = 0; i < A.rows; ++i)
        for (int64_t j = 0; j < A.cols; ++j)
            A.data[i + j * A.rows] = x[i * A.cols + j];
    free(x);
    return A;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: tikhonov_data A.txt L.txt b.txt >x.txt\n");
        return 2;
    }
    const matrix_t A = read_matrix(argv[1]), L = read_matrix(argv[2]),
                   b = read_matrix(argv[3]);
    const int64_t m = A.rows, n = A.cols, p = L.rows, s = m < n ? m : n;
    if (L.cols != n || b.rows * b.cols != m)
        stop(argv[L.cols != n ? 2 : 3], "its size is not that of A");

    /* A Y = U D1, L Y = V D2 */
    double *const alpha = room(n, 1), *const beta = room(n, 1);
    double *const U = room(m, s), *const Y = room(n, n);
    double *const c = room(n, 1), *const x = room(n, 1);
    double rest, lambda, residual, seminorm;
    int64_t k, l;
    gsvd_handle_t h;
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        stop("libgsvd", gsvd_last_error(NULL));
    gsvd_status_t status = gsvd_set_option(h, GSVD_FORM, GSVD_FORM_XINV);
    if (status == GSVD_SUCCESS)
        status = dgsvd(h, 'S', 'N', 'S', m, n, p, &k, &l, A.data, m, L.data, p,
                       alpha, beta, U, m, NULL, p, Y, n, NULL);
    /* U^H b and what no x meets, lambda, and x */
    if (status == GSVD_SUCCESS)
        status = dgsvd_picard(h, m, k + l, 1, U, m, b.data, m, c, n, &rest);
    if (status == GSVD_SUCCESS)
        status = dgsvd_choose(h, GSVD_CHOICE_GCV, GSVD_FILTER_TIKHONOV, m,
                              k + l, alpha, beta, c, rest, 0, &lambda);
    if (status == GSVD_SUCCESS)
        status = dgsvd_filter(h, GSVD_FILTER_TIKHONOV, n, k + l, 1, 1, alpha,
                              beta, c, n, &rest, &lambda, &residual, &seminorm,
                              Y, n, x, n);
    if (status != GSVD_SUCCESS)
        stop(gsvd_status_name(status), gsvd_last_error(h));

    for (int64_t i = 0; i < n; ++i)
        printf("%.17g\n", x[i]);
    fprintf(stderr,
            "A %lld x %lld, L %lld x %lld, lambda %.3e, ||A x - b|| %.3e, "
            "||L x|| %.3e\n",
            (long long)m, (long long)n, (long long)p, (long long)n, lambda,
            residual, seminorm);
    gsvd_destroy(h);
    double *const all[] = {A.data, L.data, b.data, alpha, beta, U, Y, c, x};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
    return 0;
}
