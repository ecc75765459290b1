/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* operands.c -- the matrices that the command line names. */
#include "operands.h"

#include <inttypes.h>

#include "input.h"

/* gsvd: NAME: or gsvd: NAME:LINE: */
static void put_place(const char *name, int64_t line)
{
    fprintf(stderr, "gsvd: %s:", name);
    if (line > 0)
        fprintf(stderr, "%" PRId64 ":", line);
}

static bool read_one(const options_t *o, int i, demand_t demand, matrix_t *A,
                     int64_t *size_line, progress_t *progress)
{
    const char *const name = input_name(o->file[i]);
    read_error_t error;

    progress_stage(progress, "reading", name);
    if (input_read(o->file[i], demand, A, size_line, &error))
        return true;
    progress_end(progress);
    put_place(name, error.line);
    fprintf(stderr, " %s\n", error.reason);
    return false;
}

/* -- a pair ------------------------------------------------------------------- */

static bool same_columns(const options_t *o, const matrix_t *A,
                         const matrix_t *B, int64_t size_line)
{
    if (A->cols == B->cols)
        return true;
    put_place(input_name(o->file[1]), size_line);
    fprintf(stderr, " %" PRId64 " columns, but %s has %" PRId64 "\n", B->cols,
            input_name(o->file[0]), A->cols);
    return false;
}

/* -- a Hermitian matrix --------------------------------------------------------- */

static bool is_hermitian(const options_t *o, const matrix_t *A,
                         int64_t size_line)
{
    const char *const name = input_name(o->file[0]);
    const int64_t n = A->rows, w = A->width;

    if (A->rows != A->cols) {
        put_place(name, size_line);
        fprintf(stderr,
                " %" PRId64 " by %" PRId64 " numbers, but eigh wants a square "
                "matrix\n",
                A->rows, A->cols);
        return false;
    }
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i <= j; ++i) {
            const double *const x = A->at + (i + j * n) * w;
            const double *const y = A->at + (j + i * n) * w;
            if (x[0] == y[0] && (w == 1 || x[1] == -y[1]))
                continue;
            fprintf(stderr,
                    "gsvd: %s: not %s: entry (%" PRId64 ", %" PRId64 ")\n",
                    name, w == 1 ? "symmetric" : "hermitian", j + 1, i + 1);
            return false;
        }
    return true;
}

/* -- G and J ------------------------------------------------------------------ */

static bool rows_suffice(const options_t *o, const matrix_t *G,
                         int64_t size_line)
{
    if (G->cols <= G->rows)
        return true;
    put_place(input_name(o->file[0]), size_line);
    fprintf(stderr,
            " %" PRId64 " columns, but %" PRId64
            " row%s; hsvd wants at least as many rows\n",
            G->cols, G->rows, G->rows == 1 ? "" : "s");
    return false;
}

bool operands_signs(matrix_t *J, int64_t n, const char *name, sign_fault_t *why)
{
    const int64_t count = J->rows * J->cols;

    *why = (sign_fault_t){.of_size = true};
    if (J->width != 1) {
        why->of_size = false;
        snprintf(why->text, sizeof why->text,
                 "complex, but signs are 1 and -1");
        return false;
    }
    if (count > 0 && J->rows > 1 && J->cols > 1) {
        snprintf(why->text, sizeof why->text,
                 "%" PRId64 " by %" PRId64 " numbers, but J is a row or a "
                 "column of signs",
                 J->rows, J->cols);
        return false;
    }
    if (count != n) {
        snprintf(why->text, sizeof why->text,
                 "%" PRId64 " sign%s, but %.80s has %" PRId64 " column%s",
                 count, count == 1 ? "" : "s", name, n, n == 1 ? "" : "s");
        return false;
    }
    for (int64_t i = 0; i < count; ++i)
        if (J->at[i] != 1 && J->at[i] != -1) {
            why->of_size = false;
            snprintf(why->text, sizeof why->text,
                     "number %" PRId64 " is %g, neither 1 nor -1", i + 1,
                     J->at[i]);
            return false;
        }
    J->rows = count;
    J->cols = 1;
    return true;
}

/* What is told of the layout of a file is told of G's. */
static bool read_signs(const options_t *o, const matrix_t *G, matrix_t *J,
                       progress_t *progress)
{
    sign_fault_t why;
    int64_t size_line;

    if (!read_one(o, 1, (demand_t){0}, J, &size_line, progress))
        return false;
    progress_end(progress);
    if (operands_signs(J, G->cols, input_name(o->file[0]), &why))
        return true;
    put_place(input_name(o->file[1]), why.of_size ? size_line : 0);
    fprintf(stderr, " %s\n", why.text);
    return false;
}

/* -- all ---------------------------------------------------------------------- */

bool operands_read(const options_t *o, matrix_t *A, matrix_t *B,
                   progress_t *progress)
{
    const problem_t problem = o->task.problem;
    int64_t size_line;
    bool done = read_one(o, 0, o->demand, A, &size_line, progress);

    if (done && problem == PAIR)
        done = read_one(o, 1, o->demand, B, &size_line, progress);
    progress_end(progress);
    if (done && problem == PAIR)
        return same_columns(o, A, B, size_line);
    if (done && problem == EIGH)
        return is_hermitian(o, A, size_line);
    if (done && problem == HSVD)
        return rows_suffice(o, A, size_line) && read_signs(o, A, B, progress);
    return done;
}
