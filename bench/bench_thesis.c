/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_thesis.c [1] -- Flegar 2016, chapter 3, beside LAPACK, OpenBLAS and MKL
 * in one run; see bench/README.md.
 *
 *     m : n = p : n = 1, 2, 4, 8;  ten n;  rank(B) = n/2, rank((A; B)) = 4n/5
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "thesis.h"

/* Digits that ours may have less than LAPACK's in A and in B; small sums of
 * roundings differ by luck. */
static double allowed(int64_t n) { return n < 40 ? 0.4 : 0.2; }

typedef struct plan {
    const char *letters, *lapack, *mkl;
    bench_list_t ratio, n;
    int check;
} plan_t;

/* ---- one pair ----------------------------------------------------------- */

static void print_head(void)
{
    printf("%c %5s %6s %5s  %-8s %10s %8s %5s %5s %7s %7s %7s %8s\n", 't',
           "ratio", "m", "n", "by", "seconds", "mn2/s", "k", "l", "A", "B",
           "values", "speedup");
}

static void print_line(const thesis_case_t *c, const measured_t *x)
{
    const double m = (double)c->shape.m, n = (double)c->shape.n;
    printf("%c %3.0f:1 %6.0f %5.0f  %-8s %10.5f %8.3g %5lld %5lld %7.2f %7.2f",
           c->letter, m / n, m, n, x->name, 1e-3 * x->time.ms,
           1e3 * m * n * n / x->time.ms, (long long)x->k, (long long)x->l,
           x->digits_a, x->digits_b);
    if (isnan(x->digits_values))
        printf(" %7s", "-");
    else
        printf(" %7.2f", x->digits_values);
    if (x != &c->ours)
        printf(" %8.2f", x->time.ms_min / c->ours.time.ms_min);
    printf("\n");
}

static void write_line(const bench_t *b, const thesis_case_t *c,
                       const measured_t *peer)
{
    const measured_t *ours = &c->ours;
    const accuracy_t accuracy = {.peer_k = peer->k,
                                 .peer_l = peer->l,
                                 .digits_a = ours->digits_a,
                                 .digits_b = ours->digits_b,
                                 .peer_digits_a = peer->digits_a,
                                 .peer_digits_b = peer->digits_b,
                                 .digits_values = ours->digits_values,
                                 .peer_digits_values = peer->digits_values};
    const row_t row = {.step = "preprocess",
                       .letter = c->letter,
                       .m = c->shape.m,
                       .n = c->shape.n,
                       .p = c->shape.p,
                       .k = ours->k,
                       .l = ours->l,
                       .batch = 1,
                       .time = ours->time,
                       .peer = peer->name,
                       .peer_ms = peer->time.ms,
                       .peer_ms_min = peer->time.ms_min,
                       .ratio = c->ratio,
                       .sweeps = -1,
                       .accuracy = &accuracy};
    bench_json(b, &row);
}

static void complain(bench_t *b, const thesis_case_t *c, const char *what,
                     double ours, double bound)
{
    printf("WRONG: %c, m = p = %lld, n = %lld: %s: %g, %g\n", c->letter,
           (long long)c->shape.m, (long long)c->shape.n, what, ours, bound);
    ++b->failures;
}

/* The ranks are the prescribed ones and every peer's; errors are LAPACK's. */
static void check(bench_t *b, const thesis_case_t *c)
{
    const measured_t *x = &c->ours;
    const int64_t n = c->shape.n, l = n / 2, k = 4 * n / 5 - l;
    if (x->k != k || x->l != l)
        complain(b, c, "k + l prescribed", (double)(x->k + x->l),
                 (double)(k + l));
    for (int i = 0; i < LAPACKS; ++i)
        if (c->peer[i].name && (c->peer[i].k != x->k || c->peer[i].l != x->l))
            complain(b, c, c->peer[i].name, (double)(x->k + x->l),
                     (double)(c->peer[i].k + c->peer[i].l));
    if (!c->peer[0].name)
        return;
    if (!(x->digits_a >= c->peer[0].digits_a - allowed(n)))
        complain(b, c, "digits of A", x->digits_a, c->peer[0].digits_a);
    if (!(x->digits_b >= c->peer[0].digits_b - allowed(n)))
        complain(b, c, "digits of B", x->digits_b, c->peer[0].digits_b);
}

static gsvd_status_t measure(bench_t *b, const lapacks_t *peers,
                             thesis_case_t *c)
{
    static gsvd_status_t (*const of[])(bench_t *, const lapacks_t *,
                                       thesis_case_t *) = BENCH_LETTERS(thesis);
    return of[bench_index(c->letter)] ? of[bench_index(c->letter)](b, peers, c)
                                      : GSVD_NOT_SUPPORTED;
}

static void run(bench_t *b, const lapacks_t *peers, const plan_t *plan,
                thesis_case_t *c)
{
    const gsvd_status_t status = measure(b, peers, c);
    bench_drop(b);
    if (status != GSVD_SUCCESS) {
        fprintf(stderr, "%c, m = p = %lld, n = %lld: %s: %s\n", c->letter,
                (long long)c->shape.m, (long long)c->shape.n,
                gsvd_status_name(status), gsvd_last_error(b->h));
        ++b->failures;
        return;
    }
    int lines = 0;
    print_line(c, &c->ours);
    for (int i = 0; i < LAPACKS; ++i)
        if (c->peer[i].name) {
            print_line(c, &c->peer[i]);
            write_line(b, c, &c->peer[i]);
            ++lines;
        }
    if (lines == 0)
        write_line(b, c, &c->peer[0]);
    if (!(c->ratio < BENCH_RATIO_LIMIT))
        complain(b, c, "ratio", c->ratio, BENCH_RATIO_LIMIT);
    if (plan->check)
        check(b, c);
    ++b->rows;
    fflush(stdout);
}

/* ---- all of them -------------------------------------------------------- */

static void run_all(bench_t *b, const lapacks_t *peers, const plan_t *plan)
{
    bench_describe(b);
    for (int i = 0; i < peers->count; ++i) {
        const size_t used = strlen(b->versions);
        snprintf(b->versions + used, sizeof b->versions - used, "; %s",
                 peers->of[i].version);
    }
    printf("# %s\n# %s\n", b->device, b->versions);
    print_head();
    for (const char *letter = plan->letters; *letter; ++letter)
        for (int i = 0; i < plan->ratio.count; ++i)
            for (int j = 0; j < plan->n.count; ++j) {
                const int64_t n = plan->n.x[j], m = n * plan->ratio.x[i];
                thesis_case_t c = {.letter = *letter, .shape = {m, n, m}};
                run(b, peers, plan, &c);
            }
}

int main(int argc, char **argv)
{
    static bench_t b = {.kind = KIND_THESIS,
                        .solver = GSVD_SOLVER_TGSJA,
                        .reps = 5,
                        .limit = 2,
                        .peer_max_n = INT64_MAX};
    static plan_t plan = {
        .letters = "d",
        .ratio = {{1, 2, 4, 8}, 4},
        .n = {{100, 150, 200, 250, 300, 400, 500, 600, 700, 800}, 10}};
    static lapacks_t peers;
    const bench_option_t options[] = {
        BENCH_BACKEND(&b),
        {"letter", "LETTERS", "of s, d, c, z (d)", bench_read_text,
         &plan.letters},
        {"ratios", "LIST", "m : n = p : n (1,2,4,8)", bench_read_sizes,
         &plan.ratio},
        {"sizes", "LIST", "n (100,150,200,250,300,400,500,600,700,800)",
         bench_read_sizes, &plan.n},
        {"economy", NULL, "our U and V in economy size", bench_read_flag,
         &b.economy},
        BENCH_RUNS(&b, "5", "2"),
        {"peer-max-n", "N", "the largest n for peers (no limit)",
         bench_read_number, &b.peer_max_n},
        {"lapack", "FILE", "the reference LAPACK (Debian's)", bench_read_text,
         &plan.lapack},
        {"mkl", "FILE", "libmkl_rt (environment GSVD_MKL; none)",
         bench_read_text, &plan.mkl},
        {"check", NULL, "fail unless ranks and errors are as LAPACK's",
         bench_read_flag, &plan.check},
        BENCH_OUTPUT(&b)};

    plan.mkl = getenv("GSVD_MKL");
    if (plan.mkl && !*plan.mkl)
        plan.mkl = NULL;
    if (!bench_options(argc, argv, options, "bench_thesis [options]", 0,
                       NULL) ||
        !bench_lapacks_open(&peers, plan.lapack, plan.mkl))
        return BENCH_USAGE;
    const gsvd_status_t status = bench_open(&b);
    if (status == GSVD_SUCCESS)
        run_all(&b, &peers, &plan);
    return bench_close(&b, status, "bench_thesis");
}
