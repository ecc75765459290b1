/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c -- the command gsvd: read two files, decompose, check, report. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_market.h"
#include "report.h"

enum { DONE = 0, FAILED = 1, USAGE = 2, NOT_CONVERGED = 3 };

typedef struct options {
    gsvd_solver_t solver;
    int device;
    bool json;
    const char *file[2];
} options_t;

static const char *const help =
    "Usage: gsvd [OPTION]... A B\n"
    "\n"
    "Generalized singular value decomposition of the matrices in the files A\n"
    "and B, which have the same number of columns:\n"
    "\n"
    "    A = U D1 (0 R) Q^H,  B = V D2 (0 R) Q^H,  D1^H D1 + D2^H D2 = I\n"
    "\n"
    "Prints the generalized singular values (alpha, beta) and how exact the\n"
    "decomposition is.  The files are Matrix Market files.\n"
    "\n"
    "  --solver NAME   jacobi (default) or tgsja, which is LAPACK's\n"
    "  --device WHERE  host: the CPU; N: CUDA device N; any (default): the\n"
    "                  first CUDA device, the CPU where there is none\n"
    "  --json          print one JSON object, with all values\n"
    "  --help          print this\n"
    "  --version       print the version\n"
    "\n"
    "Exit status: 0 done, 1 no result, 2 wrong usage, 3 printed, but the\n"
    "solver did not converge.\n";

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

static bool parse_solver(const char *word, gsvd_solver_t *solver)
{
    if (strcmp(word, "jacobi") == 0)
        *solver = GSVD_SOLVER_JACOBI;
    else if (strcmp(word, "tgsja") == 0)
        *solver = GSVD_SOLVER_TGSJA;
    else
        return false;
    return true;
}

static bool parse_device(const char *word, int *device)
{
    if (strcmp(word, "host") == 0) {
        *device = GSVD_HOST;
    } else if (strcmp(word, "any") == 0) {
        *device = GSVD_ANY;
    } else {
        char *end;
        errno = 0;
        const long number = strtol(word, &end, 10);
        if (end == word || *end || errno || number < 0 || number > INT_MAX)
            return false;
        *device = (int)number;
    }
    return true;
}

/* getopt_long said key; word is what it stopped at, if that is a long option,
 * and optopt is the letter of a short one. */
static void report_unknown(int key, const char *word)
{
    if (key == ':')
        fprintf(stderr, "gsvd: %s: a value is missing; see gsvd --help\n",
                word);
    else if (isgraph(optopt))
        fprintf(stderr, "gsvd: -%c: not an option; see gsvd --help\n", optopt);
    else
        fprintf(stderr, "gsvd: %s: not an option; see gsvd --help\n", word);
}

/* True: go on with *o.  False: the command ends here, with *code. */
static bool parse_options(int argc, char **argv, options_t *o, int *code)
{
    enum { SOLVER = 1, DEVICE, JSON, HELP, VERSION };
    static const struct option known[] = {
        {"solver", required_argument, NULL, SOLVER},
        {"device", required_argument, NULL, DEVICE},
        {"json", no_argument, NULL, JSON},
        {"help", no_argument, NULL, HELP},
        {"version", no_argument, NULL, VERSION},
        {NULL, 0, NULL, 0},
    };
    int key;

    *o = (options_t){GSVD_SOLVER_JACOBI, GSVD_ANY, false, {NULL, NULL}};
    *code = USAGE;
    opterr = 0;
    while ((key = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        switch (key) {
        case SOLVER:
            if (parse_solver(optarg, &o->solver))
                break;
            fprintf(stderr, "gsvd: --solver %s: neither jacobi nor tgsja\n",
                    optarg);
            return false;
        case DEVICE:
            if (parse_device(optarg, &o->device))
                break;
            fprintf(stderr, "gsvd: --device %s: none of host, any, a number\n",
                    optarg);
            return false;
        case JSON: o->json = true; break;
        case HELP:
            fputs(help, stdout);
            *code = flushed(DONE);
            return false;
        case VERSION:
            printf("gsvd %s\n", GSVD_VERSION_STRING);
            *code = flushed(DONE);
            return false;
        default: report_unknown(key, argv[optind - 1]); return false;
        }
    }
    if (argc - optind != 2) {
        fprintf(stderr, "gsvd: expected 2 files, A and B; see gsvd --help\n");
        return false;
    }
    o->file[0] = argv[optind];
    o->file[1] = argv[optind + 1];
    return true;
}

static bool read_pair(const options_t *o, matrix_t *A, matrix_t *B)
{
    matrix_t *const matrix[] = {A, B};
    int64_t size_line;
    read_error_t error;

    for (int i = 0; i < 2; ++i) {
        if (matrix_market_read(o->file[i], matrix[i], &size_line, &error))
            continue;
        if (error.line > 0)
            fprintf(stderr, "gsvd: %s:%" PRId64 ": %s\n", o->file[i],
                    error.line, error.reason);
        else
            fprintf(stderr, "gsvd: %s: %s\n", o->file[i], error.reason);
        return false;
    }
    if (A->cols != B->cols) {
        fprintf(stderr,
                "gsvd: %s:%" PRId64 ": %" PRId64 " columns, but %s has %" PRId64
                "\n",
                o->file[1], size_line, B->cols, o->file[0], A->cols);
        return false;
    }
    return true;
}

static int print(const options_t *o, const matrix_t *A, const matrix_t *B,
                 const decomposition_t *d)
{
    quality_t quality;
    const report_t report = {.name_a = o->file[0],
                             .name_b = o->file[1],
                             .complex_a = A->width == 2,
                             .complex_b = B->width == 2,
                             .d = d,
                             .quality = &quality};

    if (!(d->type == GSVD_Z ? zgsvd_quality : dgsvd_quality)(A, B, d,
                                                             &quality)) {
        fprintf(stderr, "gsvd: no memory\n");
        return FAILED;
    }
    (o->json ? report_json : report_text)(stdout, &report);
    if (!d->stats.converged)
        fprintf(stderr, "gsvd: warning: %s did not converge in %d sweeps\n",
                d->stats.solver == GSVD_SOLVER_TGSJA ? "tgsja" : "jacobi",
                d->stats.sweeps);
    return flushed(d->stats.converged ? DONE : NOT_CONVERGED);
}

int main(int argc, char **argv)
{
    options_t o;
    matrix_t A = {0}, B = {0};
    decomposition_t d = {0};
    int code;

    if (!parse_options(argc, argv, &o, &code))
        return code;
    code = FAILED;
    if (read_pair(&o, &A, &B) && decompose(&A, &B, o.solver, o.device, &d))
        code = print(&o, &A, &B, &d);
    decomposition_free(&d);
    matrix_free(&A);
    matrix_free(&B);
    return code;
}
