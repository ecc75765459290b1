/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_batched.c [1] -- the command line of the batches; see bench/README.md. */
#include <string.h>

#include "command.h"

enum { MOST_CASES = 64 };

typedef struct cases {
    const char *letters, *steps;
    struct {
        int64_t batch;
        shape_t shape;
    } of[MOST_CASES];
    int count;
} cases_t;

static int add_case(const char *text, void *to)
{
    cases_t *const c = to;
    int64_t x[4];
    const int numbers = bench_numbers(text, x, 4);
    if (c->count == MOST_CASES || numbers < 3)
        return 0;
    c->of[c->count].batch = x[0];
    c->of[c->count++].shape = (shape_t){x[1], x[2], numbers == 4 ? x[3] : x[2]};
    return 1;
}

static void run_cases(bench_t *b, const cases_t *c)
{
    strcpy(b->matrices, "normal, batches");
    bench_title(b);
    printf("%-5s %c %-4s %8s %5s %5s %5s %10s %10s %4s %8s %9s %9s %10s %6s\n",
           "step", 't', "on", "batch", "m", "n", "p", "ms", "min", "reps",
           "ratio", "residual", "unitary", "peer, ms", "times");
    for (const char *letter = c->letters; *letter; ++letter)
        for (int i = 0; i < c->count; ++i)
            BENCH_CALL(b, *letter, bench_batched, b, c->of[i].batch,
                       c->of[i].shape, c->steps);
}

int main(int argc, char **argv)
{
    static bench_t b = {.reps = 5, .limit = 20};
    static cases_t c = {.letters = "d", .steps = "svd,hsvd,gsvd,eigh"};
    const bench_option_t options[] = {
        BENCH_BACKEND(&b),
        {"letter", "LETTERS", "of s, d, c, z (d)", bench_read_text, &c.letters},
        {"step", "LIST", "of svd, hsvd, gsvd, eigh (these)", bench_read_text,
         &c.steps},
        {"case", "BATCH,M,N[,P]",
         "may be repeated; P: N where it is not said\n"
         "(10000,8,8  10000,16,16)",
         add_case, &c},
        BENCH_RUNS(&b, "5", "20"),
        {"peer", NULL, "time LAPACK or cuSOLVER too", bench_read_flag, &b.peer},
        BENCH_OUTPUT(&b)};

    if (!bench_options(argc, argv, options, "bench_batched [options]", 0, NULL))
        return BENCH_USAGE;
    if (c.count == 0) {
        add_case("10000,8,8", &c);
        add_case("10000,16,16", &c);
    }
    const gsvd_status_t status = bench_open(&b);
    if (status == GSVD_SUCCESS)
        run_cases(&b, &c);
    return bench_close(&b, status, "bench_batched");
}
