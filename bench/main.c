/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c [1] -- the command line of bench_gsvd; see bench/README.md. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/handle.h"

enum { MOST_SHAPES = 64, START = 512, NO_DEVICE = 77, USAGE = 2 };

static const char usage[] =
    "usage: bench_gsvd [options]\n"
    "  --backend cpu|cuda      where to compute (cpu)\n"
    "  --letter LETTERS        of s, d, c, z (d)\n"
    "  --step LIST             of qr, qr_r, geqp, svd, preprocess, solve, "
    "gsvd\n"
    "                          (these), hsvd, and the primitives\n"
    "  --primitives            those of large steps, qr and geqp, no other "
    "step\n"
    "  --sizes LIST            cases with m = n = p (100,200)\n"
    "  --shape M,N,P           one more case; may be repeated\n"
    "  --kind KIND             random, thesis, columns, rows, geometric,\n"
    "                          phillips, shaw, baart or heat (random)\n"
    "  --method auto|jacobi    of the SVD and the GSVD: large steps where "
    "columns\n"
    "                          are many, or sweeps (auto)\n"
    "  --form r|x              of gsvd: R and Q, or X (r)\n"
    "  --values                svd and gsvd: the values alone\n"
    "  --solver NAME           of solve and gsvd: auto, tangent, csd or tgsja "
    "(auto)\n"
    "  --economy               factors in economy size (preprocess, gsvd;\n"
    "                          qr: its thin Q, formed)\n"
    "  --tolerance X           of the ranks of A and B, absolute (LAPACK's)\n"
    "  --reps N                timed runs, at most (5)\n"
    "  --limit SECONDS         no further run of a measurement after it (20)\n"
    "  --cpu-time              the processor's time, not the clock's: of one\n"
    "                          thread on a machine that others use (cpu)\n"
    "  --peer                  time LAPACK and cuSOLVER too\n"
    "  --peers LIST            these alone, on the host too: of svd gesdd, "
    "gesvj,\n"
    "                          gejsv, gesvdq; gesvdp, qr_gesvdp, gesvdj, "
    "gesvd;\n"
    "                          of gsvd xggsvd3, qr_csd; composed\n"
    "  --peer-max-n N          the largest n for peers on the host (512)\n"
    "  --start                 what a first pair costs, of host arrays (d)\n"
    "  --json FILE             append a line for each case\n"
    "  --source HASH           of the sources, for these lines\n";

static const struct option options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"letter", required_argument, NULL, 'l'},
    {"step", required_argument, NULL, 's'},
    {"sizes", required_argument, NULL, 'n'},
    {"shape", required_argument, NULL, 'x'},
    {"primitives", no_argument, NULL, 'i'},
    {"kind", required_argument, NULL, 'k'},
    {"method", required_argument, NULL, 'm'},
    {"form", required_argument, NULL, 'f'},
    {"values", no_argument, NULL, 'u'},
    {"solver", required_argument, NULL, 'v'},
    {"economy", no_argument, NULL, 'e'},
    {"tolerance", required_argument, NULL, 'o'},
    {"reps", required_argument, NULL, 'r'},
    {"limit", required_argument, NULL, 't'},
    {"cpu-time", no_argument, NULL, 'c'},
    {"peer", no_argument, NULL, 'p'},
    {"peers", required_argument, NULL, 'w'},
    {"peer-max-n", required_argument, NULL, 'q'},
    {"start", no_argument, NULL, 'a'},
    {"json", required_argument, NULL, 'j'},
    {"source", required_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

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

/* 1 if text is yes, 0 if it is no; else *ok is cleared */
static int choice(const char *text, const char *no, const char *yes, int *ok)
{
    if (strcmp(text, no) && strcmp(text, yes))
        *ok = 0;
    return strcmp(text, yes) == 0;
}

static kind_t kind_of(const char *text, int *ok)
{
    for (int kind = 0; kind < KINDS; ++kind)
        if (strcmp(text, bench_kind_name[kind]) == 0)
            return (kind_t)kind;
    *ok = 0;
    return KIND_RANDOM;
}

static gsvd_solver_t solver_of(const char *text, int *ok)
{
    for (int solver = 0; solver < BENCH_SOLVERS; ++solver)
        if (strcmp(text, bench_solver_name[solver]) == 0)
            return (gsvd_solver_t)solver;
    *ok = 0;
    return GSVD_SOLVER_AUTO;
}

static void open_json(const char *path, bench_t *b, int *ok)
{
    b->json = fopen(path, "a");
    if (b->json)
        return;
    perror(path);
    *ok = 0;
}

/* Those that say how to measure; 0: unknown. */
static int read_measure(int option, bench_t *b)
{
    int64_t x[1] = {0};
    int ok = 1;
    switch (option) {
    case 'r':
        ok = bench_numbers(optarg, x, 1) == 1 && x[0] > 0;
        b->reps = (int)x[0];
        break;
    case 't': b->limit = atof(optarg); break;
    case 'c': b->cpu_time = 1; break;
    case 'w': b->peers = optarg; /* fallthrough */
    case 'p': b->peer = 1; break;
    case 'q':
        ok = bench_numbers(optarg, x, 1) == 1;
        b->peer_max_n = x[0];
        break;
    case 'a': b->start = 1; break;
    case 'j': open_json(optarg, b, &ok); break;
    case 'h': b->source = optarg; break;
    default: ok = 0;
    }
    return ok;
}

static int read_options(int argc, char **argv, bench_t *b, cases_t *c)
{
    int64_t x[MOST_SHAPES] = {0};
    int option, count, ok = 1;
    while (ok && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'b': b->cuda = choice(optarg, "cpu", "cuda", &ok); break;
        case 'l': c->letters = optarg; break;
        case 's': c->steps = optarg; break;
        case 'n':
            count = bench_numbers(optarg, x, MOST_SHAPES);
            ok = count > 0;
            for (int i = 0; ok && i < count; ++i)
                ok = add_shape(c, x[i], x[i], x[i]);
            break;
        case 'x':
            ok = bench_numbers(optarg, x, 3) == 3 &&
                 add_shape(c, x[0], x[1], x[2]);
            break;
        case 'i': c->steps = "primitives,qr,geqp"; break;
        case 'k': b->kind = kind_of(optarg, &ok); break;
        case 'm':
            b->method = choice(optarg, "auto", "jacobi", &ok) ? GSVD_SVD_JACOBI
                                                              : GSVD_SVD_AUTO;
            break;
        case 'f':
            b->form =
                choice(optarg, "r", "x", &ok) ? GSVD_FORM_X : GSVD_FORM_LAPACK;
            break;
        case 'u': b->values = 1; break;
        case 'v': b->solver = solver_of(optarg, &ok); break;
        case 'e': b->economy = 1; break;
        case 'o':
            b->tolerance = atof(optarg);
            ok = b->tolerance > 0;
            break;
        default: ok = read_measure(option, b);
        }
    if (c->shapes == 0) {
        add_shape(c, 100, 100, 100);
        add_shape(c, 200, 200, 200);
    }
    return ok && optind == argc;
}

static void run(bench_t *b, char letter, shape_t shape, const char *steps)
{
    switch (letter) {
#if GSVD_HAVE_S
    case 's': sgsvd_bench(b, shape, steps); return;
#endif
#if GSVD_HAVE_D
    case 'd': dgsvd_bench(b, shape, steps); return;
#endif
#if GSVD_HAVE_C
    case 'c': cgsvd_bench(b, shape, steps); return;
#endif
#if GSVD_HAVE_Z
    case 'z': zgsvd_bench(b, shape, steps); return;
#endif
    default: break;
    }
    fprintf(stderr, "letter %c is not built\n", letter);
    ++b->failures;
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
    GSVD_TRY(gsvd_create(&b->host, GSVD_HOST));
    const double start = bench_seconds();
    GSVD_TRY(gsvd_create(&b->h, b->cuda ? 0 : GSVD_HOST));
    b->start_ms = 1e3 * (bench_seconds() - start);
    if (b->start)
        GSVD_TRY(time_start(b));
    if (b->cuda)
        GSVD_TRY(bench_device_open(b));
    if (b->tolerance > 0) {
        GSVD_TRY(gsvd_set_tolerance(b->h, GSVD_TOL_A, b->tolerance));
        GSVD_TRY(gsvd_set_tolerance(b->h, GSVD_TOL_B, b->tolerance));
    }
    GSVD_TRY(gsvd_set_option(b->h, GSVD_SVD, b->method));
    GSVD_TRY(gsvd_set_option(b->h, GSVD_FORM, b->form));
    return gsvd_set_option(b->h, GSVD_SOLVER, b->solver);
}

static void run_cases(bench_t *b, const cases_t *c)
{
    bench_describe(b);
    printf("# %s\n# %s\n", b->device, b->versions);
    bench_head();
    for (const char *letter = c->letters; *letter; ++letter)
        for (int i = 0; i < c->shapes; ++i)
            run(b, *letter, c->shape[i], c->steps);
}

int main(int argc, char **argv)
{
    static bench_t b = {.reps = 5, .limit = 20, .peer_max_n = 512};
    static cases_t c = {.letters = "d",
                        .steps = "qr,qr_r,geqp,svd,preprocess,solve,gsvd"};
    int code = USAGE;

    if (!read_options(argc, argv, &b, &c)) {
        fputs(usage, stderr);
    } else {
        const gsvd_status_t status = open_handles(&b);
        if (status == GSVD_SUCCESS) {
            run_cases(&b, &c);
            code = b.failures > 0 || b.rows == 0; /* a step of no such name  */
        } else {
            fprintf(stderr, "bench_gsvd: %s\n", gsvd_status_name(status));
            code = NO_DEVICE;
        }
    }
    if (b.json)
        fclose(b.json);
    gsvd_destroy(b.h); /* uses the stream, hence before it closes            */
    bench_device_close();
    gsvd_destroy(b.host);
    return code;
}
