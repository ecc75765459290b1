/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_papers.c [1] -- the command line of the experiments of papers 000, 002 and 003; see
 * bench/README.md. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/status.h"
#include "spectrum.h"

enum { MOST = 16, NO_DEVICE = 77, USAGE = 2 };

static const char usage[] =
    "usage: bench_papers [options]\n"
    "  --backend cpu|cuda      where to compute (cpu)\n"
    "  --letter s|d|c|z        (d); c and z with --paper 002 alone\n"
    "  --paper LIST            000: its four spectra; 003: its numbers of\n"
    "                          positive signs (000,003); 002: the accuracy\n"
    "                          of batches\n"
    "  --batch N               matrices of a batch of paper 002 (100)\n"
    "  --sizes LIST            orders (256)\n"
    "  --spectra LIST          of paper 000 (1,2,3,4)\n"
    "  --signs LIST            of paper 003 (0,1,5,10,50,100,500,1000 up to\n"
    "                          n / 2, and n / 2)\n"
    "  --inner LIST            block Jacobi with at most so many sweeps within "
    "a\n"
    "                          pair of blocks, in place of the other ways: 1 "
    "is\n"
    "                          block-oriented, many are full block\n"
    "  --reps N                timed runs, at most (3)\n"
    "  --limit SECONDS         no further run of a measurement after it (5)\n"
    "  --cpu-time              as bench_gsvd's\n"
    "  --peers LIST            as bench_gsvd's; none without\n"
    "  --json FILE             append a line for each case\n"
    "  --source HASH           of the sources, for these lines\n";

static const struct option options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"letter", required_argument, NULL, 'l'},
    {"paper", required_argument, NULL, 'p'},
    {"batch", required_argument, NULL, 'm'},
    {"sizes", required_argument, NULL, 'n'},
    {"spectra", required_argument, NULL, 'a'},
    {"signs", required_argument, NULL, 'g'},
    {"inner", required_argument, NULL, 'i'},
    {"reps", required_argument, NULL, 'r'},
    {"limit", required_argument, NULL, 't'},
    {"cpu-time", no_argument, NULL, 'c'},
    {"peers", required_argument, NULL, 'w'},
    {"json", required_argument, NULL, 'j'},
    {"source", required_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

typedef struct plan {
    char letter;
    const char *papers;
    int64_t n[MOST], spectrum[MOST], signs[MOST];
    int sizes, spectra, counts; /* counts == 0: paper 003's                  */
    int64_t batch;              /* of paper 002                              */
} plan_t;

static int numbers(int64_t *x, int *count)
{
    *count = bench_numbers(optarg, x, MOST);
    return *count > 0;
}

static int is_letter(const char *text)
{
    return (strcmp(text, "d") == 0 && GSVD_HAVE_D) ||
           (strcmp(text, "s") == 0 && GSVD_HAVE_S) ||
           (strcmp(text, "c") == 0 && GSVD_HAVE_C) ||
           (strcmp(text, "z") == 0 && GSVD_HAVE_Z);
}

static int wants_matrices(const plan_t *plan)
{
    return bench_listed(plan->papers, "000") ||
           bench_listed(plan->papers, "003");
}

/* Are the papers there for the letter? */
static int is_paper_of(const plan_t *plan)
{
    const int is_complex = plan->letter == 'c' || plan->letter == 'z';
    return !is_complex || !wants_matrices(plan);
}

static int read_options(int argc, char **argv, bench_t *b, plan_t *plan)
{
    int64_t x[MOST] = {0};
    int option, count, ok = 1;
    while (ok && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'b':
            b->cuda = strcmp(optarg, "cuda") == 0;
            ok = b->cuda || strcmp(optarg, "cpu") == 0;
            break;
        case 'l':
            plan->letter = *optarg;
            ok = is_letter(optarg);
            break;
        case 'p': plan->papers = optarg; break;
        case 'm':
            ok = numbers(x, &count) && x[0] > 0;
            plan->batch = x[0];
            break;
        case 'n': ok = numbers(plan->n, &plan->sizes); break;
        case 'a': ok = numbers(plan->spectrum, &plan->spectra); break;
        case 'g': ok = numbers(plan->signs, &plan->counts); break;
        case 'i':
            ok = numbers(x, &b->inners) && b->inners <= INNERS;
            memcpy(b->inner, x, sizeof b->inner);
            break;
        case 'r':
            ok = numbers(x, &count) && x[0] > 0;
            b->reps = (int)x[0];
            break;
        case 't': b->limit = atof(optarg); break;
        case 'c': b->cpu_time = 1; break;
        case 'w':
            b->peer = 1;
            b->peers = optarg;
            break;
        case 'j':
            b->json = fopen(optarg, "a");
            ok = b->json != NULL;
            if (!ok)
                perror(optarg);
            break;
        case 'h': b->source = optarg; break;
        default: ok = 0;
        }
    for (int i = 0; i < plan->spectra; ++i)
        ok = ok && plan->spectrum[i] >= 1 && plan->spectrum[i] <= SPECTRA;
    for (int i = 0; i < plan->sizes; ++i)
        ok = ok && plan->n[i] > 0;
    return ok && optind == argc && is_paper_of(plan);
}

/* b->matrices, of these eigenvalues */
static void run(bench_t *b, const plan_t *plan, int64_t n, double *lambda)
{
    printf("# %s, n = %lld\n", b->matrices, (long long)n);
#if GSVD_HAVE_S
    if (plan->letter == 's')
        sgsvd_bench_paper(b, n, lambda);
#endif
#if GSVD_HAVE_D
    if (plan->letter == 'd')
        dgsvd_bench_paper(b, n, lambda);
#endif
}

static void run_spectra(bench_t *b, const plan_t *plan, int64_t n,
                        double *lambda)
{
    for (int i = 0; i < plan->spectra; ++i) {
        const int which = (int)plan->spectrum[i];
        b->seed = 1;
        bench_spectrum(b, which, n, lambda);
        snprintf(b->matrices, sizeof b->matrices, "paper 000, spectrum %d",
                 which);
        run(b, plan, n, lambda);
    }
}

static void run_signs(bench_t *b, const plan_t *plan, int64_t n, double *lambda)
{
    static const int64_t table_3[] = {0, 1, 5, 10, 50, 100, 500, 1000};
    const int given = plan->counts > 0;
    const int64_t *const signs = given ? plan->signs : table_3;
    const int count = given ? plan->counts : 9;
    for (int i = 0; i < count; ++i) {
        const int64_t plus = !given && i == 8 ? n / 2 : signs[i];
        if (given ? plus > n : i < 8 && plus >= n / 2)
            continue;
        b->seed = 1;
        bench_spectrum_signs(b, plus, n, lambda);
        snprintf(b->matrices, sizeof b->matrices, "paper 003, %lld signs 1",
                 (long long)plus);
        run(b, plan, n, lambda);
    }
}

/* Paper 002 of each size */
static void run_batches(bench_t *b, const plan_t *plan)
{
    printf("# paper 002, table 1 and figure 11: the largest errors over a "
           "batch; beside each, where the paper's are: below the threshold, "
           "or above\n");
    printf(
        "%-9s %c %-4s %5s %6s %10s %9s %-5s %9s %-5s %9s %-5s %9s %-5s %9s\n",
        "family", ' ', "", "n", "batch", "ms", "e1", "paper", "e2", "paper",
        "e3", "paper", "e4", "paper", "threshold");
    for (int i = 0; i < plan->sizes; ++i) {
        b->seed = 1;
        switch (plan->letter) {
#if GSVD_HAVE_S
        case 's': sgsvd_bench_paper_batched(b, plan->n[i], plan->batch); break;
#endif
#if GSVD_HAVE_D
        case 'd': dgsvd_bench_paper_batched(b, plan->n[i], plan->batch); break;
#endif
#if GSVD_HAVE_C
        case 'c': cgsvd_bench_paper_batched(b, plan->n[i], plan->batch); break;
#endif
#if GSVD_HAVE_Z
        case 'z': zgsvd_bench_paper_batched(b, plan->n[i], plan->batch); break;
#endif
        default: break;
        }
    }
}

static gsvd_status_t open_handles(bench_t *b)
{
    GSVD_TRY(gsvd_create(&b->host, GSVD_HOST));
    GSVD_TRY(gsvd_create(&b->h, b->cuda ? 0 : GSVD_HOST));
    return b->cuda ? bench_device_open(b) : GSVD_SUCCESS;
}

/* Papers 000 and 003 of each size */
static void run_matrices(bench_t *b, const plan_t *plan)
{
    bench_head();
    for (int i = 0; i < plan->sizes; ++i) {
        const int64_t n = plan->n[i];
        double *lambda = malloc(sizeof *lambda * (size_t)n);
        if (!lambda) {
            ++b->failures;
            return;
        }
        if (bench_listed(plan->papers, "000"))
            run_spectra(b, plan, n, lambda);
        if (bench_listed(plan->papers, "003"))
            run_signs(b, plan, n, lambda);
        free(lambda);
    }
}

static void run_all(bench_t *b, const plan_t *plan)
{
    bench_describe(b);
    printf("# %s\n# %s\n", b->device, b->versions);
    if (wants_matrices(plan))
        run_matrices(b, plan);
    if (bench_listed(plan->papers, "002"))
        run_batches(b, plan);
}

int main(int argc, char **argv)
{
    static bench_t b = {.reps = 3, .limit = 5, .peer_max_n = INT64_MAX};
    static plan_t plan = {.letter = 'd',
                          .papers = "000,003",
                          .n = {256},
                          .sizes = 1,
                          .spectrum = {1, 2, 3, 4},
                          .spectra = SPECTRA,
                          .batch = 100};
    int code = USAGE;

    if (!read_options(argc, argv, &b, &plan)) {
        fputs(usage, stderr);
    } else {
        const gsvd_status_t status = open_handles(&b);
        if (status == GSVD_SUCCESS) {
            run_all(&b, &plan);
            code = b.failures > 0 || b.rows == 0;
        } else {
            fprintf(stderr, "bench_papers: %s\n", gsvd_status_name(status));
            code = NO_DEVICE;
        }
    }
    if (b.json)
        fclose(b.json);
    gsvd_destroy(b.h);
    bench_device_close();
    gsvd_destroy(b.host);
    return code;
}
