/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c -- the command gsvd: read two files, decompose, check, report.
 *
 *     1  A, B out of their files
 *     2  the decomposition
 *     3  how exact it is
 *     4  the files asked for, under temporary names
 *     5  the report on stdout
 *     6  the files get their names
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "input.h"
#include "options.h"
#include "plot.h"
#include "progress.h"

/* A full disk shows here at the latest. */
static int flushed(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "gsvd: standard output: %s\n",
            errno ? strerror(errno) : "a write failed");
    return FAILED;
}

static bool read_pair(const options_t *o, matrix_t *A, matrix_t *B)
{
    matrix_t *const matrix[] = {A, B};
    int64_t size_line;
    read_error_t error;

    for (int i = 0; i < 2; ++i) {
        if (input_read(o->file[i], o->demand, matrix[i], &size_line, &error))
            continue;
        if (error.line > 0)
            fprintf(stderr, "gsvd: %s:%" PRId64 ": %s\n", o->file[i],
                    error.line, error.reason);
        else
            fprintf(stderr, "gsvd: %s: %s\n", o->file[i], error.reason);
        return false;
    }
    if (A->cols == B->cols)
        return true;
    fprintf(stderr, "gsvd: %s:", o->file[1]);
    if (size_line > 0)
        fprintf(stderr, "%" PRId64 ":", size_line);
    fprintf(stderr, " %" PRId64 " columns, but %s has %" PRId64 "\n", B->cols,
            o->file[0], A->cols);
    return false;
}

static bool decomposed(options_t *o, const matrix_t *A, const matrix_t *B,
                       decomposition_t *d)
{
    progress_t progress = progress_begin();

    if (o->progress) {
        o->task.progress = progress_show;
        o->task.user = &progress;
    }
    const bool done = decompose(A, B, &o->task, d);
    progress_end(&progress);
    return done;
}

static bool write_files(stage_t *s, const options_t *o, const report_t *r)
{
    if (o->directory && !output_write(s, o->directory, o->format, r))
        return false;
    if (!o->plot)
        return true;
    FILE *const out = stage_open(s, NULL, o->plot);
    if (!out)
        return false;
    plot_write(out, r);
    return stage_close(s, true);
}

static int print(const options_t *o, const report_t *r)
{
    const gsvd_stats_t *const stats = &r->d->stats;

    (o->json ? report_json : report_text)(stdout, r);
    if (!stats->converged)
        fprintf(stderr, "gsvd: warning: %s did not converge in %d sweeps\n",
                stats->solver == GSVD_SOLVER_TGSJA ? "tgsja" : "jacobi",
                stats->sweeps);
    return flushed(stats->converged ? DONE : NOT_CONVERGED);
}

static int deliver(const options_t *o, const report_t *r)
{
    stage_t stage;
    int code = FAILED;

    if (!o->directory && !o->plot)
        return print(o, r);
    stage_begin(&stage);
    if (write_files(&stage, o, r))
        code = print(o, r);
    if (code == FAILED) {
        stage_discard(&stage);
        return FAILED;
    }
    return stage_commit(&stage) ? code : FAILED;
}

static int run(options_t *o, matrix_t *A, matrix_t *B, decomposition_t *d)
{
    quality_t quality;
    const report_t report = {.name_a = o->file[0],
                             .name_b = o->file[1],
                             .complex_a = A->width == 2,
                             .complex_b = B->width == 2,
                             .d = d,
                             .quality = &quality};

    if (!decomposed(o, A, B, d))
        return FAILED;
    const bool complex = A->width == 2 || B->width == 2;
    if (!(complex ? zgsvd_quality : dgsvd_quality)(A, B, d, &quality)) {
        fprintf(stderr, "gsvd: no memory to check the decomposition\n");
        return FAILED;
    }
    return deliver(o, &report);
}

int main(int argc, char **argv)
{
    options_t o;
    matrix_t A = {0}, B = {0};
    decomposition_t d = {0};
    int code = FAILED;

    if (!options_parse(argc, argv, &o))
        return USAGE;
    if (o.help || o.version) {
        if (o.help)
            options_help(stdout);
        else
            printf("gsvd %s\n", GSVD_VERSION_STRING);
        return flushed(DONE);
    }
    if (read_pair(&o, &A, &B))
        code = run(&o, &A, &B, &d);
    decomposition_free(&d);
    matrix_free(&A);
    matrix_free(&B);
    return code;
}
