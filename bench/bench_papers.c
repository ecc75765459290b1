/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_papers.c [1] -- the command line of the experiments of papers 000, 002, 003 and 004; see
 * bench/README.md. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "core/status.h"
#include "spectrum.h"

typedef struct plan {
    char letter;
    const char *papers;
    bench_list_t n, spectrum, signs; /* no signs: paper 003's                */
    int batch;                       /* of paper 002                         */
} plan_t;

static int read_letter(const char *text, void *to)
{
    static void (*const built[])(bench_t *, int64_t, int64_t) =
        BENCH_LETTERS(bench_paper_batched);
    *(char *)to = *text;
    return strlen(text) == 1 && built[bench_index(*text)];
}

static int read_inner(const char *text, void *to)
{
    bench_t *const b = to;
    b->inners = bench_numbers(text, b->inner, INNERS);
    return b->inners > 0;
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

static int is_plan(const plan_t *plan)
{
    int ok = is_paper_of(plan);
    for (int i = 0; i < plan->spectrum.count; ++i)
        ok = ok && plan->spectrum.x[i] >= 1 && plan->spectrum.x[i] <= SPECTRA;
    return ok;
}

/* b->matrices, of these eigenvalues */
static void run(bench_t *b, const plan_t *plan, int64_t n, double *lambda)
{
    printf("# %s, n = %lld\n", b->matrices, (long long)n);
    BENCH_CALL(b, plan->letter, bench_paper, b, n, lambda);
}

static void run_spectra(bench_t *b, const plan_t *plan, int64_t n,
                        double *lambda)
{
    for (int i = 0; i < plan->spectrum.count; ++i) {
        const int which = (int)plan->spectrum.x[i];
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
    const int given = plan->signs.count > 0;
    const int64_t *const signs = given ? plan->signs.x : table_3;
    const int count = given ? plan->signs.count : 9;
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
    for (int i = 0; i < plan->n.count; ++i) {
        b->seed = 1;
        BENCH_CALL(b, plan->letter, bench_paper_batched, b, plan->n.x[i],
                   plan->batch);
    }
}

/* Paper 004, table 1, of up to so many rows as the largest size */
static void run_table(bench_t *b, const plan_t *plan)
{
    static void (*const of[])(bench_t *, shape_t) =
        BENCH_LETTERS(bench_paper_random);
    static const struct {
        int m, n;
        double matlab, mkl, gtx_280; /* seconds, single precision            */
    } table[] = {
        {64, 64, 0.01, 0.003, 0.054},     {128, 128, 0.03, 0.014, 0.077},
        {256, 256, 0.210, 0.082, 0.265},  {512, 512, 3.19, 0.584, 0.958},
        {1024, 1024, 72, 11.255, 3.725},  {2048, 2048, 758.6, 114.625, 19.6},
        {3072, 3072, 2940, 402.7, 52.8},  {4096, 4096, 6780, 898.23, 114.32},
        {1024, 512, 5.070, 2.27, 1.523},  {2048, 512, 10.74, 12.8, 3.118},
        {4096, 512, 34.33, 54.7, 8.311},  {8192, 32, 24.310, 17.112, 3.506},
        {8192, 64, 47.87, 33.7, 5.016},   {8192, 256, 107.57, 103.8, 13.96},
        {8192, 512, 137.98, 215, 26.33},  {8192, 1024, 254.26, 417, 50.364},
        {8192, 2048, 1371.9, 808, 111.3},
    };
    int64_t most = 0;

    for (int i = 0; i < plan->n.count; ++i)
        most = plan->n.x[i] > most ? plan->n.x[i] : most;
    bench_head();
    snprintf(b->matrices, sizeof b->matrices, "paper 004, table 1");
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (table[i].m <= most) {
            const shape_t shape = {table[i].m, table[i].n, 0};
            printf("# paper 004, table 1, %d x %d, s: MATLAB %g, MKL %g, GTX "
                   "280 %g\n",
                   table[i].m, table[i].n, table[i].matlab, table[i].mkl,
                   table[i].gtx_280);
            of[bench_index(plan->letter)](b, shape);
        }
}

/* Papers 000 and 003 of each size */
static void run_matrices(bench_t *b, const plan_t *plan)
{
    bench_head();
    for (int i = 0; i < plan->n.count; ++i) {
        const int64_t n = plan->n.x[i];
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
    bench_title(b);
    if (wants_matrices(plan))
        run_matrices(b, plan);
    if (bench_listed(plan->papers, "002"))
        run_batches(b, plan);
    if (bench_listed(plan->papers, "004"))
        run_table(b, plan);
}

int main(int argc, char **argv)
{
    static bench_t b = {.reps = 3, .limit = 5, .peer_max_n = INT64_MAX};
    static plan_t plan = {.letter = 'd',
                          .papers = "000,003",
                          .n = {{256}, 1},
                          .spectrum = {{1, 2, 3, 4}, SPECTRA},
                          .batch = 100};
    const bench_option_t options[] = {
        BENCH_BACKEND(&b),
        {"letter", "s|d|c|z", "(d); c and z with --paper 002 and 004",
         read_letter, &plan.letter},
        {"paper", "LIST",
         "000: its four spectra; 003: its numbers of\n"
         "positive signs (000,003); 002: the accuracy\n"
         "of batches; 004: its table 1, of as many rows as\n"
         "the largest size",
         bench_read_text, &plan.papers},
        {"batch", "N", "matrices of a batch of paper 002 (100)",
         bench_read_count, &plan.batch},
        {"sizes", "LIST", "orders (256)", bench_read_sizes, &plan.n},
        {"spectra", "LIST", "of paper 000 (1,2,3,4)", bench_read_list,
         &plan.spectrum},
        {"signs", "LIST",
         "of paper 003 (0,1,5,10,50,100,500,1000 up to\nn / 2, and n / 2)",
         bench_read_list, &plan.signs},
        {"inner", "LIST",
         "block Jacobi with at most so many sweeps within a\n"
         "pair of blocks, in place of the other ways: 1 is\n"
         "block-oriented, many are full block",
         read_inner, &b},
        BENCH_RUNS(&b, "3", "5"),
        {"cpu-time", NULL, "as bench_gsvd's", bench_read_flag, &b.cpu_time},
        {"peers", "LIST", "as bench_gsvd's; none without", bench_read_peers,
         &b},
        BENCH_OUTPUT(&b)};

    if (!bench_options(argc, argv, options, "bench_papers [options]", 0,
                       NULL) ||
        !is_plan(&plan))
        return BENCH_USAGE;
    const gsvd_status_t status = bench_open(&b);
    if (status == GSVD_SUCCESS)
        run_all(&b, &plan);
    return bench_close(&b, status, "bench_papers");
}
