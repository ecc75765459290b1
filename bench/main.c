/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c [1] -- the command line of bench_gsvd; see bench/README.md. */
#include <string.h>

#include "command.h"
#include "core/handle.h"

enum { MOST_SHAPES = 64, START = 512 };

typedef struct cases {
    const char *letters, *steps;
    shape_t shape[MOST_SHAPES];
    int shapes;
} cases_t;

static int add_shape(cases_t *c, int64_t m, int64_t n, int64_t p)
{
    if (c->shapes == MOST_SHAPES)
        return 0;
    c->shape[c->shapes++] = (shape_t){m, n, p};
    return 1;
}

static int read_sizes(const char *text, void *to)
{
    bench_list_t n;
    int ok = bench_read_list(text, &n);
    for (int i = 0; ok && i < n.count; ++i)
        ok = add_shape(to, n.x[i], n.x[i], n.x[i]);
    return ok;
}

static int read_shape(const char *text, void *to)
{
    int64_t x[3];
    return bench_numbers(text, x, 3) == 3 && add_shape(to, x[0], x[1], x[2]);
}

static int read_primitives(const char *text, void *to)
{
    (void)text;
    return bench_read_text("primitives,qr,geqp", to);
}

/* The place of a word, or `count` */
static int place_of(const char *text, const char *const *word, int count)
{
    int i = 0;
    while (i < count && strcmp(text, word[i]))
        ++i;
    return i;
}

static int read_kind(const char *text, void *to)
{
    const int kind = place_of(text, bench_kind_name, KINDS);
    *(kind_t *)to = (kind_t)kind;
    return kind < KINDS;
}

static int read_solver(const char *text, void *to)
{
    const int solver = place_of(text, bench_solver_name, BENCH_SOLVERS);
    *(gsvd_solver_t *)to = (gsvd_solver_t)solver;
    return solver < BENCH_SOLVERS;
}

static int read_method(const char *text, void *to)
{
    const int method =
        place_of(text, bench_method_name, GSVD_SVD_BIDIAGONAL + 1);
    *(gsvd_svd_option_t *)to = (gsvd_svd_option_t)method;
    return method <= GSVD_SVD_BIDIAGONAL;
}

static int read_form(const char *text, void *to)
{
    const int is_x = strcmp(text, "x") == 0;
    *(gsvd_form_t *)to = is_x ? GSVD_FORM_X : GSVD_FORM_LAPACK;
    return is_x || strcmp(text, "r") == 0;
}

static int read_tolerance(const char *text, void *to)
{
    return bench_read_real(text, to) && *(double *)to > 0;
}

/* A pair of order START in host memory, computed where b->h says. */
static gsvd_status_t time_pair(bench_t *b, double *x, double *ms)
{
    const int64_t n = START, each = n * n;
    int64_t k, l;
    int info;
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_GSVD,
                              .type = GSVD_D,
                              .job = {'U', 'V', 'Q'},
                              .m = n,
                              .n = n,
                              .p = n,
                              .A = {.data = x},
                              .B = {.data = x + each},
                              .U = {.data = x + 2 * each},
                              .V = {.data = x + 3 * each},
                              .Q = {.data = x + 4 * each},
                              .alpha = {.data = x + 5 * each},
                              .beta = {.data = x + 5 * each + n},
                              .k_out = &k,
                              .l_out = &l,
                              .info = &info};
    bench_normal_double(b, 2 * each, x);
    const double start = bench_seconds();
    GSVD_TRY(gsvd_run(b->h, &p));
    *ms = 1e3 * (bench_seconds() - start);
    return GSVD_SUCCESS;
}

/* What a program pays that sends one pair to a device: nothing of CUDA has run
 * in this process before b->h was made. */
static gsvd_status_t time_start(bench_t *b)
{
    double first, next;
    void *x;
    GSVD_TRY(
        bench_take(b, b->host, sizeof(double) * START * (5 * START + 2), &x));
    GSVD_TRY(time_pair(b, x, &first));
    GSVD_TRY(time_pair(b, x, &next));
    bench_drop(b);
    printf("# start: handle %.0f ms, first gsvd of host arrays, n = %d, %.0f "
           "ms, next %.0f ms\n",
           b->start_ms, START, first, next);
    return GSVD_SUCCESS;
}

static gsvd_status_t open_handles(bench_t *b)
{
    GSVD_TRY(bench_open_handles(b));
    if (b->start)
        GSVD_TRY(time_start(b));
    if (b->cuda)
        GSVD_TRY(bench_device_open(b));
    if (b->tolerance > 0) {
        GSVD_TRY(gsvd_set_option(b->h, GSVD_TOL_A, b->tolerance));
        GSVD_TRY(gsvd_set_option(b->h, GSVD_TOL_B, b->tolerance));
    }
    GSVD_TRY(gsvd_set_option(b->h, GSVD_SVD, b->method));
    GSVD_TRY(gsvd_set_option(b->h, GSVD_FORM, b->form));
    return gsvd_set_option(b->h, GSVD_SOLVER, b->solver);
}

static void run_cases(bench_t *b, const cases_t *c)
{
    bench_title(b);
    bench_head();
    for (const char *letter = c->letters; *letter; ++letter)
        for (int i = 0; i < c->shapes; ++i)
            BENCH_CALL(b, *letter, bench, b, c->shape[i], c->steps);
}

int main(int argc, char **argv)
{
    static bench_t b = {.reps = 5, .limit = 20, .peer_max_n = 512};
    static cases_t c = {.letters = "d",
                        .steps = "qr,qr_r,geqp,svd,preprocess,solve,gsvd"};
    const bench_option_t options[] = {
        BENCH_BACKEND(&b),
        {"letter", "LETTERS", "of s, d, c, z (d)", bench_read_text, &c.letters},
        {"step", "LIST",
         "of qr, qr_r, geqp, svd, preprocess, solve, gsvd\n"
         "(these), hsvd, ldl, ldl_hsvd, and the primitives",
         bench_read_text, &c.steps},
        {"primitives", NULL, "those of large steps, qr and geqp, no other step",
         read_primitives, &c.steps},
        {"sizes", "LIST", "cases with m = n = p (100,200)", read_sizes, &c},
        {"shape", "M,N,P", "one more case; may be repeated", read_shape, &c},
        {"kind", "KIND",
         "random, thesis, columns, rows, geometric,\n"
         "phillips, shaw, baart or heat (random)",
         read_kind, &b.kind},
        {"method", "auto|jacobi|bidiagonal",
         "of the SVD and the GSVD: large steps where columns\n"
         "are many, or sweeps; of the SVD bidiagonal form (auto)",
         read_method, &b.method},
        {"form", "r|x", "of gsvd: R and Q, or X (r)", read_form, &b.form},
        {"values", NULL, "svd and gsvd: the values alone", bench_read_flag,
         &b.values},
        {"solver", "NAME",
         "of solve and gsvd: auto, tangent, csd or tgsja (auto)", read_solver,
         &b.solver},
        {"economy", NULL,
         "factors in economy size (preprocess, gsvd;\n"
         "qr: its thin Q, formed)",
         bench_read_flag, &b.economy},
        {"tolerance", "X", "of the ranks of A and B, absolute (LAPACK's)",
         read_tolerance, &b.tolerance},
        BENCH_RUNS(&b, "5", "20"),
        {"cpu-time", NULL,
         "the processor's time, not the clock's: of one\n"
         "thread on a machine that others use (cpu)",
         bench_read_flag, &b.cpu_time},
        {"peer", NULL, "time LAPACK and cuSOLVER too", bench_read_flag,
         &b.peer},
        {"peers", "LIST",
         "these alone, on the host too: of svd gesdd, gesvj,\n"
         "gejsv, gesvdq; gesvdp, qr_gesvdp, gesvdj, gesvd;\n"
         "of gsvd xggsvd3, qr_csd; composed",
         bench_read_peers, &b},
        {"peer-max-n", "N", "the largest n for peers on the host (512)",
         bench_read_number, &b.peer_max_n},
        {"start", NULL, "what a first pair costs, of host arrays (d)",
         bench_read_flag, &b.start},
        BENCH_OUTPUT(&b)};

    if (!bench_options(argc, argv, options, "bench_gsvd [options]", 0, NULL))
        return BENCH_USAGE;
    if (c.shapes == 0) {
        add_shape(&c, 100, 100, 100);
        add_shape(&c, 200, 200, 200);
    }
    const gsvd_status_t status = open_handles(&b);
    if (status == GSVD_SUCCESS)
        run_cases(&b, &c);
    return bench_close(&b, status, "bench_gsvd");
}
