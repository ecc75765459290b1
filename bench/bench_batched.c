/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_batched.c [1] -- the command line of the batches; see bench/README.md. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/handle.h"

enum { MOST_CASES = 64, NO_DEVICE = 77, USAGE = 2 };

static const char usage[] =
    "usage: bench_batched [options]\n"
    "  --backend cpu|cuda      where to compute (cpu)\n"
    "  --letter LETTERS        of s, d, c, z (d)\n"
    "  --step LIST             of svd, hsvd, gsvd (these)\n"
    "  --case BATCH,M,N[,P]    may be repeated; P: N where it is not said\n"
    "                          (10000,8,8  10000,16,16)\n"
    "  --reps N                timed runs, at most (5)\n"
    "  --limit SECONDS         no further run of a measurement after it (20)\n"
    "  --peer                  time LAPACK or cuSOLVER too\n"
    "  --json FILE             append a line for each case and peer\n"
    "  --source HASH           of the sources, for these lines\n";

static const struct option options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"letter", required_argument, NULL, 'l'},
    {"step", required_argument, NULL, 's'},
    {"case", required_argument, NULL, 'x'},
    {"reps", required_argument, NULL, 'r'},
    {"limit", required_argument, NULL, 't'},
    {"peer", no_argument, NULL, 'p'},
    {"json", required_argument, NULL, 'j'},
    {"source", required_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

typedef struct cases {
    const char *letters, *steps;
    struct {
        int64_t batch;
        shape_t shape;
    } of[MOST_CASES];
    int count;
} cases_t;

static int add_case(cases_t *c, const char *text)
{
    int64_t x[4];
    const int numbers = bench_numbers(text, x, 4);
    if (c->count == MOST_CASES || numbers < 3)
        return 0;
    c->of[c->count].batch = x[0];
    c->of[c->count++].shape = (shape_t){x[1], x[2], numbers == 4 ? x[3] : x[2]};
    return 1;
}

static int read_options(int argc, char **argv, bench_t *b, cases_t *c)
{
    int option, ok = 1;
    while (ok && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'b':
            b->cuda = strcmp(optarg, "cuda") == 0;
            ok = b->cuda || strcmp(optarg, "cpu") == 0;
            break;
        case 'l': c->letters = optarg; break;
        case 's': c->steps = optarg; break;
        case 'x': ok = add_case(c, optarg); break;
        case 'r': b->reps = atoi(optarg); break;
        case 't': b->limit = atof(optarg); break;
        case 'p': b->peer = 1; break;
        case 'j':
            b->json = fopen(optarg, "a");
            ok = b->json != NULL;
            break;
        case 'h': b->source = optarg; break;
        default: ok = 0;
        }
    if (ok && c->count == 0)
        ok = add_case(c, "10000,8,8") && add_case(c, "10000,16,16");
    return ok && optind == argc && b->reps > 0;
}

static gsvd_status_t open_handles(bench_t *b)
{
    gsvd_status_t status = gsvd_create(&b->host, GSVD_HOST);
    if (status == GSVD_SUCCESS)
        status = gsvd_create(&b->h, b->cuda ? 0 : GSVD_HOST);
    if (status == GSVD_SUCCESS && b->cuda)
        status = bench_device_open(b);
    return status;
}

static void run(bench_t *b, char letter, int64_t batch, shape_t shape,
                const char *steps)
{
    switch (letter) {
#if GSVD_HAVE_S
    case 's': sgsvd_bench_batched(b, batch, shape, steps); return;
#endif
#if GSVD_HAVE_D
    case 'd': dgsvd_bench_batched(b, batch, shape, steps); return;
#endif
#if GSVD_HAVE_C
    case 'c': cgsvd_bench_batched(b, batch, shape, steps); return;
#endif
#if GSVD_HAVE_Z
    case 'z': zgsvd_bench_batched(b, batch, shape, steps); return;
#endif
    default: break;
    }
    fprintf(stderr, "letter %c is not built\n", letter);
    ++b->failures;
}

static void run_cases(bench_t *b, const cases_t *c)
{
    strcpy(b->matrices, "normal, batches");
    bench_describe(b);
    printf("# %s\n# %s\n", b->device, b->versions);
    printf("%-5s %c %-4s %8s %5s %5s %5s %10s %10s %4s %8s %9s %9s %10s %6s\n",
           "step", 't', "on", "batch", "m", "n", "p", "ms", "min", "reps",
           "ratio", "residual", "unitary", "peer, ms", "times");
    for (const char *letter = c->letters; *letter; ++letter)
        for (int i = 0; i < c->count; ++i)
            run(b, *letter, c->of[i].batch, c->of[i].shape, c->steps);
}

int main(int argc, char **argv)
{
    static bench_t b = {.reps = 5, .limit = 20};
    static cases_t c = {.letters = "d", .steps = "svd,hsvd,gsvd"};
    int code = USAGE;

    if (!read_options(argc, argv, &b, &c)) {
        fputs(usage, stderr);
    } else if (open_handles(&b) == GSVD_SUCCESS) {
        run_cases(&b, &c);
        code = b.failures > 0 || b.rows == 0;
    } else {
        fprintf(stderr, "bench_batched: no such backend\n");
        code = NO_DEVICE;
    }
    if (b.json)
        fclose(b.json);
    gsvd_destroy(b.h); /* uses the stream, hence before it closes            */
    bench_device_close();
    gsvd_destroy(b.host);
    return code;
}
