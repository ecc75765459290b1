/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c -- the command gsvd: read a file or two, decompose, check, report.
 *
 *     1  A, B, or A, or G, J out of their files
 *     2  the decomposition
 *     3  how exact it is
 *     4  the files asked for, under temporary names
 *     5  the report on stdout
 *     6  the files get their names, those of an earlier run go
 *
 * tikhonov has a way of its own (tikhonov.c), and so have the processes of a grid (on_grid.c).
 */
#include <string.h>

#include "deliver.h"
#include "input.h"
#include "on_grid.h"
#include "operands.h"
#include "tikhonov.h"

static bool decomposed(options_t *o, const matrix_t *A, const matrix_t *B,
                       decomposition_t *d, progress_t *progress)
{
    if (o->progress) {
        o->task.progress = progress_show;
        o->task.step = progress_checked;
        o->task.user = progress;
    }
    progress_preprocess(progress,
                        o->task.solver == GSVD_SOLVER_TGSJA ? "and tgsja" : "");
    const bool done = decompose(A, B, &o->task, d);
    progress_end(progress);
    if (!done)
        fprintf(stderr, "gsvd: %s\n", d->why);
    return done;
}

/* How many residuals and measures of orthogonality quality.c takes */
static int checks_of(const task_t *t)
{
    return t->values                     ? 0
           : t->problem == EIGH          ? 2
           : t->problem != PAIR          ? 3
           : t->form == GSVD_FORM_LAPACK ? 5
                                         : 4;
}

static bool checked(const matrix_t *A, const matrix_t *B,
                    const decomposition_t *d, quality_t *quality,
                    progress_t *progress)
{
    const bool complex = A->width == 2 || B->width == 2;

    if (!d->task->values)
        progress_check(progress);
    const bool done =
        (complex ? zgsvd_quality : dgsvd_quality)(A, B, d, quality);
    progress_end(progress);
    if (!done)
        fprintf(stderr, "gsvd: no memory to check the decomposition%s\n",
                task_saving(d->task));
    return done;
}

static int run(options_t *o, matrix_t *A, matrix_t *B, decomposition_t *d,
               progress_t *progress)
{
    quality_t quality;
    file_list_t files;
    const report_t report = {
        .name_a = input_name(o->file[0]),
        .name_b = o->file[1] ? input_name(o->file[1]) : NULL,
        .complex_a = A->width == 2,
        .complex_b = B->width == 2,
        .files = o->directory && !format_is_file(o->format) ? &files : NULL,
        .d = d,
        .quality = &quality};

    files = output_files(&o->task, o->format);
    if (o->directory && !output_in_order(o->directory, o->format, &files))
        return FAILED;
    if (o->directory && o->format == FORMAT_CSV && !o->task.values &&
        (A->width == 2 || (B->width == 2 && o->task.problem == PAIR))) {
        fprintf(stderr, "gsvd: --format csv: the factors are complex, which "
                        "CSV has no numbers for\n");
        return FAILED;
    }
    if (!decomposed(o, A, B, d, progress) ||
        !checked(A, B, d, &quality, progress))
        return FAILED;
    return deliver(o, &report, NULL, NULL);
}

int main(int argc, char **argv)
{
    options_t o;
    matrix_t A = {0}, B = {0};
    decomposition_t d = {0};
    int code = FAILED;

    if (argc > 1 && strcmp(argv[1], "help") == 0) { /* ... of a command       */
        static char option[] = "--help";
        argv[1] = argc > 2 ? argv[2] : option;
        argv[argc > 2 ? 2 : 1] = option;
    }
    if (argc > 1 && strcmp(argv[1], "tikhonov") == 0)
        return tikhonov(argc - 1, argv + 1);
    if (!options_parse(argc, argv, &o))
        return USAGE;
    if (o.help || o.version) {
        if (o.help)
            options_help(stdout);
        else
            printf("gsvd %s\n", GSVD_VERSION_STRING);
        return output_flushed(DONE);
    }
    if (o.grid.p > 0)
        return on_grid(&o);
    const bool of_both =
        o.task.problem == PAIR && o.task.solver == GSVD_SOLVER_CSD;
    progress_t progress =
        progress_begin(o.progress, of_both ? 2 : 1, checks_of(&o.task));
    if (operands_read(&o, &A, &B, &progress))
        code = run(&o, &A, &B, &d, &progress);
    decomposition_free(&d);
    matrix_free(&A);
    matrix_free(&B);
    return code;
}
