/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* command.h [1] -- the command line that benchmarks share: options as rows of a table, the
 * functions of a letter, handles from their opening to the exit status. */
#ifndef GSVD_BENCH_COMMAND_H
#define GSVD_BENCH_COMMAND_H

#include "bench.h"

enum { BENCH_NO_DEVICE = 77, BENCH_USAGE = 2, BENCH_LIST = 64 };

typedef struct bench_list {
    int64_t x[BENCH_LIST];
    int count;
} bench_list_t;

/* --name, or --name takes; read gets the text behind it and `to`, and returns whether that is
 * right.  A line of help continues behind '\n'. */
typedef struct bench_option {
    const char *name, *takes, *help;
    int (*read)(const char *text, void *to);
    void *to;
} bench_option_t;

int bench_read_flag(const char *text, void *to);    /* int *                 */
int bench_read_text(const char *text, void *to);    /* const char **         */
int bench_read_real(const char *text, void *to);    /* double *              */
int bench_read_count(const char *text, void *to);   /* int *, positive       */
int bench_read_number(const char *text, void *to);  /* int64_t *             */
int bench_read_list(const char *text, void *to);    /* bench_list_t *        */
int bench_read_sizes(const char *text, void *to);   /* the same, positive    */
int bench_read_backend(const char *text, void *to); /* int *cuda             */
int bench_read_json(const char *text, void *to);    /* FILE **               */
int bench_read_peers(const char *text, void *to);   /* bench_t *             */

/* Rows of a bench_t *; reps and limit: the texts of its own */
#define BENCH_BACKEND(b)                                                       \
    {                                                                          \
        "backend", "cpu|cuda", "where to compute (cpu)", bench_read_backend,   \
            &(b)->cuda                                                         \
    }
#define BENCH_RUNS(b, reps_, limit_)                                           \
    {"reps", "N", "timed runs, at most (" reps_ ")", bench_read_count,         \
     &(b)->reps},                                                              \
    {                                                                          \
        "limit", "SECONDS",                                                    \
            "no further run of a measurement after it (" limit_ ")",           \
            bench_read_real, &(b)->limit                                       \
    }
#define BENCH_OUTPUT(b)                                                        \
    {"json", "FILE", "append a line for each case", bench_read_json,           \
     &(b)->json},                                                              \
        {"source", "HASH", "of the sources, for these lines", bench_read_text, \
         &(b)->source},                                                        \
    {                                                                          \
        0                                                                      \
    }

/* Reads the options; `arguments` words are left behind them, from *first on if that is not
 * NULL.  Else prints how `program` is used, and returns 0. */
int bench_options(int argc, char **argv, const bench_option_t *option,
                  const char *program, int arguments, int *first);

/* The functions of one name for s, d, c, z, NULL where a letter is not built, and for none */
#if GSVD_HAVE_S
#define BENCH_S(name) sgsvd_##name
#else
#define BENCH_S(name) NULL
#endif
#if GSVD_HAVE_D
#define BENCH_D(name) dgsvd_##name
#else
#define BENCH_D(name) NULL
#endif
#if GSVD_HAVE_C
#define BENCH_C(name) cgsvd_##name
#else
#define BENCH_C(name) NULL
#endif
#if GSVD_HAVE_Z
#define BENCH_Z(name) zgsvd_##name
#else
#define BENCH_Z(name) NULL
#endif
#define BENCH_LETTERS(name)                                                    \
    {                                                                          \
        BENCH_S(name), BENCH_D(name), BENCH_C(name), BENCH_Z(name), NULL       \
    }
/* Where a letter stands in these */
int bench_index(char letter);
/* Counts a letter that is not built as a failure, and says so. */
void bench_not_built(bench_t *b, char letter);
/* Calls a letter's function of that name. */
#define BENCH_CALL(b, letter, name, ...)                                       \
    do {                                                                       \
        __typeof__(&dgsvd_##name) const of_[] = BENCH_LETTERS(name);           \
        if (of_[bench_index(letter)])                                          \
            of_[bench_index(letter)](__VA_ARGS__);                             \
        else                                                                   \
            bench_not_built(b, letter);                                        \
    } while (0)

/* The handles alone; with the device's side */
gsvd_status_t bench_open_handles(bench_t *b);
gsvd_status_t bench_open(bench_t *b);
/* Prints what is measured and on what. */
void bench_title(bench_t *b);
/* Ends the handles and the file; the exit status of a program whose handles were opened with
 * `status`. */
int bench_close(bench_t *b, gsvd_status_t status, const char *program);

#endif /* GSVD_BENCH_COMMAND_H */
