/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench.h [1] -- what all benchmarks share: memory, clock, table, JSON. */
#ifndef GSVD_BENCH_BENCH_H
#define GSVD_BENCH_BENCH_H

#include <stdio.h>

#include "gsvd.h"

/* pair.c says what each kind is. */
typedef enum kind {
    KIND_RANDOM,
    KIND_THESIS,
    KIND_COLUMNS,
    KIND_ROWS,
    KIND_GEOMETRIC,
    KIND_PHILLIPS, /* and on from here: integral_equation (integral.h)        */
    KIND_SHAW,
    KIND_BAART,
    KIND_HEAT,
    KINDS
} kind_t;

/* The name of a kind on the command line */
extern const char *const bench_kind_name[KINDS];

enum { BENCH_SOLVERS = GSVD_SOLVER_CSD + 1 };
extern const char
    *const bench_solver_name[BENCH_SOLVERS]; /* by gsvd_solver_t */
/* by gsvd_svd_option_t */
extern const char *const bench_method_name[GSVD_SVD_BIDIAGONAL + 1];

typedef struct shape {
    int64_t m, n, p;
} shape_t;

enum { BENCH_HELD = 128, INNERS = 8 };

typedef struct bench {
    gsvd_handle_t h;    /* computes what is measured                         */
    gsvd_handle_t host; /* computes beside LAPACK                            */
    int cuda;           /* h is a device handle                              */
    kind_t kind;
    char matrices[40]; /* what they are, for the JSON lines; "": kind        */
    gsvd_solver_t solver;
    gsvd_svd_option_t method; /* of the SVD and the GSVD: GSVD_SVD           */
    gsvd_form_t form;
    int values;        /* svd and gsvd: no vectors                          */
    int economy;       /* factors in economy size                           */
    double tolerance;  /* of the ranks of A and B; 0: LAPACK's              */
    int reps;          /* at most                                           */
    double limit;      /* seconds after which no repetition is started      */
    int cpu_time;      /* on the host: the processor's time, not a clock's  */
    int peer;          /* measure the peers too                             */
    const char *peers; /* the peers to measure, by their words; NULL: all   */
    int64_t inner[INNERS]; /* block Jacobi with at most so many sweeps within a
                              pair of blocks                                 */
    int inners;            /* 0: by the machine's number                     */
    int start;          /* tell what the first pair costs                    */
    double start_ms;    /* what h took to make                               */
    int64_t peer_max_n; /* the largest n for peers that run on the host      */
    uint64_t seed;
    FILE *json;         /* or NULL                                           */
    const char *source; /* hash of the sources, or NULL                      */
    char device[256], versions[768];
    int rows, failures;
    struct {
        gsvd_handle_t h;
        void *data;
    } held[BENCH_HELD]; /* memory of the case that runs                      */
    int holds;
} bench_t;

typedef struct timing {
    double ms, ms_min; /* median and minimum                                 */
    int reps;
} timing_t;

/* What bench_thesis measures of a pair beside the time; NaN: was not. */
typedef struct accuracy {
    int64_t peer_k, peer_l; /* -1: no peer                                   */
    double digits_a, digits_b;           /* -log10 of the backward errors    */
    double peer_digits_a, peer_digits_b; /* of the peer's                    */
    double digits_values;      /* change of the generalized values, with     */
    double peer_digits_values; /* our preprocessing and with the peer's      */
} accuracy_t;

/* What the ratio of a result is made of; NaN: was not measured. */
typedef struct errors {
    double residual;   /* the largest of |A - U Sigma V^H| / |A| and its like */
    double departure;  /* the largest of a factor from unitarity             */
    double difference; /* the largest of a singular value from the reference,
                          relative to that: libgsvd's with vectors, or given */
} errors_t;

typedef struct row {
    const char *step;
    char letter;
    int64_t m, n, p, k, l; /* -1: has no meaning for the step                */
    int64_t batch;
    timing_t time;
    const char *peer; /* NULL: none was measured                             */
    double peer_ms, peer_ms_min; /* 0: no minimum was kept                   */
    double ratio;
    int sweeps;          /* -1: has no meaning for the step                  */
    double flops, bytes; /* counted, see flops.h                             */
    double bound_ms;     /* 0: what flops and bytes say                      */
    const char *bound_by;
    const char *by; /* the peer whose line this is; NULL: libgsvd's          */
    int judged;     /* errors is set.                                        */
    errors_t errors;
    const accuracy_t *accuracy; /* or NULL                                   */
} row_t;

/* LAPACK's tests call a result wrong from here on; so do ours. */
#define BENCH_RATIO_LIMIT 20

typedef gsvd_status_t (*bench_fn_t)(void *data);

/* Memory where h computes, of the case that runs; bench_drop releases all. */
gsvd_status_t bench_take(bench_t *b, gsvd_handle_t h, size_t bytes, void **p);
/* The same of an array; to is the address of a pointer. */
gsvd_status_t bench_array(bench_t *b, gsvd_handle_t h, int64_t count,
                          size_t each, void *to);
void bench_drop(bench_t *b);
/* Releases what was taken since b->holds was this. */
void bench_drop_to(bench_t *b, int holds);
/* The workspace of a call, on the device and on the host */
gsvd_status_t bench_plan_bytes(gsvd_handle_t h, const gsvd_problem_t *call,
                               size_t *device, size_t *host);

/* a number in (0, 1] */
double bench_uniform(bench_t *b);
/* count normal numbers */
void bench_normal_float(bench_t *b, int64_t count, float *x);
void bench_normal_double(bench_t *b, int64_t count, double *x);

/* on a clock that never goes back */
double bench_seconds(void);
/* Of reps > 0 times, which are sorted. */
timing_t bench_sum_up(double *ms, int reps);

/* Runs restore, then work under the clock: once to warm up, then b->reps times
 * or until b->limit.  on_device: the clock is a pair of CUDA events. */
gsvd_status_t bench_time(const bench_t *b, int on_device, bench_fn_t restore,
                         bench_fn_t work, void *data, timing_t *time);

/* Of two doubles, for qsort */
int bench_descending(const void *x, const void *y);

/* Numbers with commas between them: how many, or -1 if anything else. */
int bench_numbers(const char *text, int64_t *x, int most);
/* Is name one of the words of list, which commas separate? */
int bench_listed(const char *list, const char *name);

void bench_head(void);
void bench_row(bench_t *b, const row_t *r);
/* the JSON line alone, if there is a file for it */
void bench_json(const bench_t *b, const row_t *r);

/* Fills b->device and b->versions. */
void bench_describe(bench_t *b);

/* A function of this name for each precision; command.h calls that of a letter. */
#define BENCH_DECLARE(type, name, ...)                                         \
    type sgsvd_##name(__VA_ARGS__);                                            \
    type dgsvd_##name(__VA_ARGS__);                                            \
    type cgsvd_##name(__VA_ARGS__);                                            \
    type zgsvd_##name(__VA_ARGS__)

/* One case: every step and primitive whose name is in the list */
BENCH_DECLARE(void, bench, bench_t *b, shape_t shape, const char *steps);

/* Many problems: the steps whose names are in the list, and their peers */
BENCH_DECLARE(void, bench_batched, bench_t *b, int64_t batch, shape_t shape,
              const char *steps);

/* A matrix of papers 000 and 003 with these eigenvalues (spectrum.h), which are sorted:
 * a line for each way */
BENCH_DECLARE(void, bench_paper, bench_t *b, int64_t n, double *lambda);

/* A random matrix of paper 004's table 1: a line by bidiagonal form, one by AUTO */
void sgsvd_bench_paper_random(bench_t *b, shape_t shape);
void dgsvd_bench_paper_random(bench_t *b, shape_t shape);
void cgsvd_bench_paper_random(bench_t *b, shape_t shape);
void zgsvd_bench_paper_random(bench_t *b, shape_t shape);

/* Paper 002's accuracy (families.h) of a batch of so many matrices of order n: a line for each
 * family */
BENCH_DECLARE(void, bench_paper_batched, bench_t *b, int64_t n, int64_t count);

/* The CUDA side: device_cuda.c, or device_none.c, which has no device. */
gsvd_status_t bench_device_open(bench_t *b);
void bench_device_close(void);
void bench_device_describe(bench_t *b);
gsvd_status_t bench_device_start(void);
gsvd_status_t bench_device_stop(double *ms);

#endif /* GSVD_BENCH_BENCH_H */
