/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batched.c -- many problems of normal numbers: the time of one call, beside a loop over
 * LAPACK by as many threads, or cuSOLVER's batches, and LAPACK's ratios of the results. */
#include "batched.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "lapacke.h"

#define LAPACK(name) GSVD_PASTE(LAPACKE_, GSVD_PASTE(GSVD_LETTER, name))
#define INT(x) ((lapack_int)(x))
#define ARRAY(A) (A).data, INT((A).ld)

enum {
    JUDGED = 100 /* problems, evenly spread                              */
};

/* ---- calls ------------------------------------------------------------------- */

/* All arrays of a batch lie without gaps: nothing is said of leading dimensions and strides. */
static gsvd_problem_t problem_of(const bench_batch_t *b, gsvd_routine_t routine)
{
    return (gsvd_problem_t){.size = sizeof(gsvd_problem_t),
                            .routine = routine,
                            .type = (gsvd_type_t)STRING(GSVD_LETTER)[0],
                            .place = b->ex.h->space->on_device
                                         ? GSVD_PLACE_DEVICE
                                         : GSVD_PLACE_HOST,
                            .m = b->m,
                            .n = b->n,
                            .batch = b->count,
                            .A = {.data = b->A.data},
                            .U = {.data = b->U.data},
                            .V = {.data = b->V.data},
                            .alpha = {.data = b->alpha, .stride = b->values},
                            .info = b->info};
}

static gsvd_status_t svds(void *data)
{
    const bench_batch_t *const b = data;
    gsvd_problem_t p = problem_of(b, GSVD_ROUTINE_SVD);
    p.job[0] = p.job[1] = 'S';
    return gsvd_run(b->ex.h, &p);
}

static gsvd_status_t hsvds(void *data)
{
    const bench_batch_t *const b = data;
    gsvd_problem_t p = problem_of(b, GSVD_ROUTINE_HSVD);
    p.job[0] = 'S';
    p.job[1] = 'V';
    p.n_plus = b->n / 2;
    return gsvd_run(b->ex.h, &p);
}

static gsvd_status_t pairs(void *data)
{
    const bench_batch_t *const b = data;
    gsvd_problem_t p = problem_of(b, GSVD_ROUTINE_GSVD);
    memcpy(p.job, "UVQ", 3);
    p.p = b->p;
    p.B.data = b->B.data;
    p.Q.data = b->Q.data;
    p.beta = (gsvd_array_t){.data = b->beta, .stride = b->values};
    p.k_out = b->k;
    p.l_out = b->l;
    return gsvd_run(b->ex.h, &p);
}

/* Of the lower triangles, whatever is above them */
static gsvd_status_t eighs(void *data)
{
    const bench_batch_t *const b = data;
    gsvd_problem_t p = problem_of(b, GSVD_ROUTINE_EIGH);
    memcpy(p.job, "VL", 2);
    p.U.data = p.V.data = NULL;
    p.Q.data = b->Q.data;
    return gsvd_run(b->ex.h, &p);
}

/* ---- LAPACK, one problem after another in each thread ---------------------------- */

typedef lapack_int one_fn_t(const bench_batch_t *b, int64_t i);

static lapack_int gesdd(const bench_batch_t *b, int64_t i)
{
    const mat_t A = problem_in(b->A, i, b->m), U = problem_in(b->U, i, b->m);
    const mat_t V = problem_in(b->V, i, b->n); /* V^H, min(m, n) rows */
    return LAPACK(gesdd)(LAPACK_COL_MAJOR, 'S', INT(b->m), INT(b->n), ARRAY(A),
                         b->alpha + i * b->values, ARRAY(U), V.data,
                         INT(V.cols));
}

static lapack_int gesvj(const bench_batch_t *b, int64_t i)
{
    const mat_t A = problem_in(b->A, i, b->m), V = problem_in(b->V, i, b->n);
    real_t stat[8] = {0};
    return LAPACK(gesvj)(LAPACK_COL_MAJOR, 'G', 'U', 'V', INT(b->m), INT(b->n),
                         ARRAY(A), b->alpha + i * b->values, 0, ARRAY(V), stat);
}

static lapack_int ggsvd3(const bench_batch_t *b, int64_t i)
{
    const mat_t A = problem_in(b->A, i, b->m), B = problem_in(b->B, i, b->p);
    const mat_t U = problem_in(b->U, i, b->m), V = problem_in(b->V, i, b->p);
    const mat_t Q = problem_in(b->Q, i, b->n);
    lapack_int k, l, order[1024];
    return LAPACK(ggsvd3)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', INT(b->m), INT(b->n),
                          INT(b->p), &k, &l, ARRAY(A), ARRAY(B),
                          b->alpha + i * b->n, b->beta + i * b->n, ARRAY(U),
                          ARRAY(V), ARRAY(Q), order);
}

static lapack_int syevd(const bench_batch_t *b, int64_t i)
{
    const mat_t A = problem_in(b->A, i, b->n);
    return LAPACK(SYEVD)(LAPACK_COL_MAJOR, 'V', 'L', INT(b->n), ARRAY(A),
                         b->alpha + i * b->values);
}

static gsvd_status_t loop(const bench_batch_t *b, one_fn_t *one)
{
    int failed = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : failed)
    for (int64_t i = 0; i < b->count; ++i)
        failed += one(b, i) != 0;
    return failed ? GSVD_NOT_CONVERGED : GSVD_SUCCESS;
}

static gsvd_status_t loop_gesdd(void *b) { return loop(b, gesdd); }
static gsvd_status_t loop_gesvj(void *b) { return loop(b, gesvj); }
static gsvd_status_t loop_ggsvd3(void *b) { return loop(b, ggsvd3); }
static gsvd_status_t loop_syevd(void *b) { return loop(b, syevd); }

/* ---- steps ------------------------------------------------------------------------- */

static int is_tall(const bench_batch_t *b) { return b->m >= b->n; }
static int is_short(const bench_batch_t *b) { return b->n <= 1024; }
static int is_tiny(const bench_batch_t *b) { return b->m <= 32 && b->n <= 32; }
static int is_square(const bench_batch_t *b) { return b->m == b->n; }

typedef struct other {
    const char *name;
    int on_device;
    bench_fn_t work;
    int (*fits)(const bench_batch_t *b);
    int judged; /* A has its eigenvectors; it has a line of its own          */
} other_t;

enum { OTHERS = 5 };

static gsvd_status_t ratio_of_hsvd(problem_t *P, real_t *worst)
{
    return X(bench_ratio_hsvd)(P, P->n / 2, worst);
}

static gsvd_status_t ratio_of_eigh(problem_t *P, real_t *worst)
{
    problem_t as_svd = *P;
    GSVD_TRY(P->ex.op->hermitian(&P->ex, 'L', P->A));
    as_svd.now.U = as_svd.now.V = P->now.Q;
    GSVD_TRY(X(bench_ratio_svd)(&as_svd, worst));
    P->errors = as_svd.errors;
    return GSVD_SUCCESS;
}

typedef struct batch_step {
    const char *name;
    int pair, tall, square;
    bench_fn_t work;
    gsvd_status_t (*ratio)(problem_t *P, real_t *worst);
    other_t other[OTHERS];
} batch_step_t;

static const batch_step_t steps[] = {
    {"svd",
     0,
     0,
     0,
     svds,
     X(bench_ratio_svd),
     {{"LAPACK xGESVJ, a loop", 0, loop_gesvj, is_tall, 0},
      {"LAPACK xGESDD, a loop", 0, loop_gesdd, is_short, 0},
      {"cuSOLVER gesvdjBatched", 1, X(bench_gesvdj_batched), is_tiny, 0},
      {"cuSOLVER XsyevBatched, eigenvectors", 1, X(bench_syev_batched),
       is_square, 0}}},
    {"hsvd", 0, 1, 0, hsvds, ratio_of_hsvd, {{NULL, 0, NULL, NULL, 0}}},
    {"gsvd",
     1,
     0,
     0,
     pairs,
     X(bench_ratio_gsvd),
     {{"LAPACK xGGSVD3, a loop", 0, loop_ggsvd3, is_short, 0}}},
    {"eigh",
     0,
     0,
     1,
     eighs,
     ratio_of_eigh,
     {{"LAPACK xSYEVD, a loop", 0, loop_syevd, is_short, 1},
      {"cuSOLVER XsyevBatched", 1, X(bench_syev_batched), is_short, 1}}}};
enum { STEPS = sizeof steps / sizeof *steps };

/* ---- a batch --------------------------------------------------------------------------- */

static gsvd_status_t take_mat(const bench_batch_t *b, int64_t rows, mat_t *A)
{
    void *p;
    GSVD_TRY(bench_take(b->bench, b->ex.h,
                        (size_t)(rows * b->count + 1) * sizeof(scalar_t), &p));
    *A = mat_view(p, rows, b->count, max_i(rows, 1));
    return GSVD_SUCCESS;
}

static gsvd_status_t take_normal(const bench_batch_t *b, int64_t rows, mat_t *A)
{
    const int64_t reals = rows * b->count * REALS_PER_SCALAR;
    const size_t bytes = (size_t)reals * sizeof(real_t);
    void *p;

    GSVD_TRY(take_mat(b, rows, A));
    GSVD_TRY(bench_take(b->bench, b->bench->host, bytes + 1, &p));
    if (GSVD_SINGLE)
        bench_normal_float(b->bench, reals, p);
    else
        bench_normal_double(b->bench, reals, p);
    GSVD_TRY(
        b->ex.h->space->upload(b->ex.h, A->data, bytes, p, bytes, bytes, 1));
    return b->ex.h->space->wait(b->ex.h);
}

static gsvd_status_t open_batch(bench_batch_t *b, const batch_step_t *s)
{
    const int64_t m = b->m, n = b->n, p = s->pair ? b->p : 0;
    const int64_t r = s->pair ? max_i(max_i(m, n), p) : max_i(m, n);
    const size_t count = (size_t)b->count;
    void *x[5];

    b->p = p;
    b->values = s->pair ? n : min_i(m, n);
    GSVD_TRY(take_normal(b, m * n, &b->A0));
    GSVD_TRY(take_normal(b, p * n, &b->B0));
    GSVD_TRY(take_mat(b, m * n, &b->A));
    GSVD_TRY(take_mat(b, p * n, &b->B));
    GSVD_TRY(take_mat(b, r * r, &b->U)); /* more than economy ones, for peers */
    GSVD_TRY(take_mat(b, r * r, &b->V));
    GSVD_TRY(take_mat(b, n * n, &b->Q));
    b->U.rows = m * (s->pair ? m : b->values);
    b->V.rows = s->pair ? p * p : n * b->values;
    b->U.ld = max_i(b->U.rows, 1);
    b->V.ld = max_i(b->V.rows, 1);
    for (int i = 0; i < 5; ++i)
        GSVD_TRY(bench_take(
            b->bench, b->ex.h,
            count * (i < 2 ? (size_t)n * sizeof(real_t) : sizeof(int64_t)) + 1,
            &x[i]));
    b->alpha = x[0];
    b->beta = x[1];
    b->k = x[2];
    b->l = x[3];
    b->info = x[4];
    return GSVD_SUCCESS;
}

static gsvd_status_t restore(void *data)
{
    const bench_batch_t *const b = data;
    GSVD_TRY(b->ex.op->copy(&b->ex, b->A0, b->A));
    return b->ex.op->copy(&b->ex, b->B0, b->B);
}

/* ---- ratios ------------------------------------------------------------------------------ */

/* Bytes of the batch to the host's memory */
static gsvd_status_t fetch(const bench_batch_t *b, const void *from,
                           size_t bytes, void *to)
{
    void *p;
    GSVD_TRY(bench_take(b->bench, b->bench->host, bytes + 1, &p));
    GSVD_TRY(
        b->ex.h->space->download(b->ex.h, p, bytes, from, bytes, bytes, 1));
    memcpy(to, &p, sizeof p);
    return b->ex.h->space->wait(b->ex.h);
}

static gsvd_status_t fetch_mat(const bench_batch_t *b, int64_t i, mat_t all,
                               int64_t rows, mat_t *A)
{
    const size_t bytes = (size_t)all.rows * sizeof(scalar_t);
    *A = problem_in(all, i, rows);
    return fetch(b, A->data, bytes, &A->data);
}

/* Problem i, in the host's memory */
static gsvd_status_t fetch_problem(const bench_batch_t *b, int64_t i,
                                   problem_t *P)
{
    const size_t bytes = (size_t)b->values * sizeof(real_t);
    int64_t *k, *l;
    int *info;

    GSVD_TRY(fetch_mat(b, i, b->A0, b->m, &P->A));
    GSVD_TRY(fetch_mat(b, i, b->B0, b->p, &P->B));
    GSVD_TRY(fetch_mat(b, i, b->A, b->m, &P->now.A));
    GSVD_TRY(fetch_mat(b, i, b->B, b->p, &P->now.B));
    GSVD_TRY(fetch_mat(b, i, b->U, b->m, &P->now.U));
    GSVD_TRY(fetch_mat(b, i, b->V, b->p > 0 ? b->p : b->n, &P->now.V));
    GSVD_TRY(fetch_mat(b, i, b->Q, b->n, &P->now.Q));
    GSVD_TRY(fetch(b, b->alpha + i * b->values, bytes, &P->alpha));
    GSVD_TRY(fetch(b, b->beta + i * b->values, bytes, &P->beta));
    GSVD_TRY(fetch(b, b->info + i, sizeof *info, &info));
    if (b->p > 0) {
        GSVD_TRY(fetch(b, b->k + i, sizeof *k, &k));
        GSVD_TRY(fetch(b, b->l + i, sizeof *l, &l));
        P->k = *k;
        P->l = *l;
    }
    return *info == 0 ? GSVD_SUCCESS : GSVD_NOT_CONVERGED;
}

static gsvd_status_t judge(const bench_batch_t *b, const batch_step_t *s,
                           row_t *row)
{
    problem_t P = {.bench = b->bench,
                   .h = b->bench->host,
                   .m = b->m,
                   .n = b->n,
                   .p = b->p};
    const int64_t apart = max_i(b->count / JUDGED, 1);
    errors_t *const e = &row->errors;

    GSVD_TRY(X(bench_exec)(&P));
    *e = (errors_t){.difference = NAN};
    for (int64_t i = 0; i < b->count; i += apart) {
        const int holds = b->bench->holds;
        real_t ratio;
        P.errors = (errors_t){0};
        GSVD_TRY(fetch_problem(b, i, &P));
        GSVD_TRY(s->ratio(&P, &ratio));
        if (!(ratio <= row->ratio)) /* NaN is the worst                      */
            row->ratio = ratio;
        e->residual = fmax(e->residual, P.errors.residual);
        e->departure = fmax(e->departure, P.errors.departure);
        bench_drop_to(b->bench, holds);
    }
    row->judged = 1;
    return GSVD_SUCCESS;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void print(bench_t *bench, const row_t *r)
{
    const int wrong = !(r->ratio < BENCH_RATIO_LIMIT);
    printf("%-5s %c %-4s %8lld %5lld %5lld %5lld %10.3f %10.3f %4d %8.3g "
           "%9.2e %9.2e",
           r->step, r->letter, bench->cuda ? "cuda" : "cpu",
           (long long)r->batch, (long long)r->m, (long long)r->n,
           (long long)r->p, r->time.ms, r->time.ms_min, r->time.reps, r->ratio,
           r->errors.residual, r->errors.departure);
    if (r->peer)
        printf(" %10.3f %6.2f  %s", r->peer_ms, r->peer_ms / r->time.ms,
               r->peer);
    if (r->by)
        printf("  by %s", r->by);
    printf("%s\n", wrong ? "  WRONG" : "");
    fflush(stdout);
    ++bench->rows;
    bench_json(bench, r);
}

static gsvd_status_t run_others(bench_batch_t *b, const batch_step_t *s,
                                row_t *row)
{
    for (int i = 0; i < OTHERS && s->other[i].name; ++i) {
        const other_t *const o = &s->other[i];
        timing_t time;
        if (!b->bench->peer || o->on_device != b->bench->cuda || !o->fits(b))
            continue;
        b->peer = NULL;
        GSVD_TRY(
            bench_time(b->bench, b->bench->cuda, restore, o->work, b, &time));
        row->peer = o->name;
        row->peer_ms = time.ms;
        row->peer_ms_min = time.ms_min;
        print(b->bench, row);
        if (!o->judged)
            continue;
        row_t theirs = *row;
        theirs.time = time;
        theirs.by = o->name;
        theirs.peer = NULL;
        theirs.ratio = 0;
        GSVD_TRY(b->ex.op->copy(&b->ex, b->A, b->Q));
        GSVD_TRY(judge(b, s, &theirs));
        print(b->bench, &theirs);
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t run_step(bench_batch_t *b, const batch_step_t *s)
{
    row_t row = {.step = s->name,
                 .letter = STRING(GSVD_LETTER)[0],
                 .m = b->m,
                 .n = b->n,
                 .p = s->pair ? b->p : -1,
                 .k = -1,
                 .l = -1,
                 .batch = b->count,
                 .sweeps = -1};

    GSVD_TRY(open_batch(b, s));
    GSVD_TRY(
        bench_time(b->bench, b->bench->cuda, restore, s->work, b, &row.time));
    GSVD_TRY(judge(b, s, &row));
    if (!(row.ratio < BENCH_RATIO_LIMIT))
        ++b->bench->failures;
    const int rows = b->bench->rows;
    GSVD_TRY(run_others(b, s, &row));
    if (b->bench->rows == rows)
        print(b->bench, &row);
    return GSVD_SUCCESS;
}

void X(bench_batched)(bench_t *bench, int64_t count, shape_t shape,
                      const char *list)
{
    for (int i = 0; i < STEPS; ++i) {
        bench_batch_t b = {.bench = bench,
                           .ex = X(exec_of)(bench->h),
                           .count = count,
                           .m = shape.m,
                           .n = shape.n,
                           .p = shape.p};
        if (!bench_listed(list, steps[i].name) ||
            (steps[i].tall && b.m < b.n) || (steps[i].square && b.m != b.n) ||
            b.count < 1)
            continue;
        const gsvd_status_t status = run_step(&b, &steps[i]);
        if (status != GSVD_SUCCESS) {
            fprintf(stderr, "%s %c: %s: %s\n", steps[i].name,
                    STRING(GSVD_LETTER)[0], gsvd_status_name(status),
                    gsvd_last_error(bench->h));
            ++bench->failures;
        }
        bench_drop(bench);
    }
}
