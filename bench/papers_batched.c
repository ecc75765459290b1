/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* papers_batched.c -- paper 002's accuracy of a batch of SVDs, a family of matrices a line: the
 * largest of each of its four errors over the batch, beside its threshold (families.h). */
#include "families.h"

#include <string.h>

#include "core/blas.h"
#include "lapacke.h"
#include "problem.h"

#define LAPACK(name) GSVD_PASTE(LAPACKE_, GSVD_PASTE(GSVD_LETTER, name))

enum { ERRORS = 4 };

/* Matrices of order n side by side, each without gaps */
typedef struct batch {
    bench_t *bench;
    exec_t ex; /* where they are decomposed                                  */
    int64_t n, count;
    mat_t host;          /* as they were                                     */
    mat_t A0, A, U, V;   /* there: as they were, and of a call               */
    mat_t E, W;          /* of one matrix                                    */
    real_t *sigma;       /* there                                            */
    real_t *found, *ref; /* on the host: of all; of one, by LAPACK           */
    real_t *super;
    int *info, *told;
} batch_t;

static gsvd_status_t take_mat(batch_t *b, gsvd_handle_t h, int64_t cols,
                              mat_t *A)
{
    void *p;
    GSVD_TRY(
        bench_take(b->bench, h, (size_t)(b->n * cols) * sizeof(scalar_t), &p));
    *A = mat_view(p, b->n, cols, b->n);
    return GSVD_SUCCESS;
}

static gsvd_status_t take_batch(batch_t *b)
{
    const gsvd_handle_t h = b->bench->h, host = b->bench->host;
    const int64_t n = b->n, all = n * b->count;

    GSVD_TRY(take_mat(b, host, all, &b->host));
    GSVD_TRY(take_mat(b, h, all, &b->A0));
    GSVD_TRY(take_mat(b, h, all, &b->A));
    GSVD_TRY(take_mat(b, h, all, &b->U));
    GSVD_TRY(take_mat(b, h, all, &b->V));
    GSVD_TRY(take_mat(b, h, n, &b->E));
    GSVD_TRY(take_mat(b, h, n, &b->W));
    GSVD_TRY(bench_array(b->bench, h, all, sizeof(real_t), &b->sigma));
    GSVD_TRY(bench_array(b->bench, host, all, sizeof(real_t), &b->found));
    GSVD_TRY(bench_array(b->bench, host, n, sizeof(real_t), &b->ref));
    GSVD_TRY(bench_array(b->bench, host, n, sizeof(real_t), &b->super));
    GSVD_TRY(bench_array(b->bench, h, b->count, sizeof(int), &b->info));
    return bench_array(b->bench, host, b->count, sizeof(int), &b->told);
}

static double next_uniform(void *bench) { return bench_uniform(bench); }

static gsvd_status_t send(batch_t *b, paper_family_t family)
{
    const uniform_t u = {next_uniform, b->bench};
    const size_t bytes = (size_t)(b->n * b->n * b->count) * sizeof(scalar_t);
    const space_t *const space = b->bench->h->space;
    mat_t room;

    GSVD_TRY(take_mat(b, b->bench->host, 2, &room));
    memset(b->host.data, 0, bytes);
    for (int64_t i = 0; i < b->count; ++i)
        paper_matrix(family, mat_cols(b->host, i * b->n, b->n), &u, room.data,
                     NULL);
    GSVD_TRY(space->upload(b->bench->h, b->A0.data, bytes, b->host.data, bytes,
                           bytes, 1));
    return space->wait(b->bench->h);
}

static gsvd_status_t restore(void *data)
{
    const batch_t *const b = data;
    return b->ex.op->copy(&b->ex, b->A0, b->A);
}

static gsvd_status_t decompose(void *data)
{
    const batch_t *const b = data;
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_SVD,
                              .type = (gsvd_type_t)STRING(GSVD_LETTER)[0],
                              .place = b->bench->cuda ? GSVD_PLACE_DEVICE
                                                      : GSVD_PLACE_HOST,
                              .job = {'S', 'S'},
                              .m = b->n,
                              .n = b->n,
                              .batch = b->count,
                              .A = {.data = b->A.data},
                              .alpha = {.data = b->sigma},
                              .U = {.data = b->U.data},
                              .V = {.data = b->V.data},
                              .info = b->info};
    return gsvd_run(b->bench->h, &p);
}

/* ---- errors -------------------------------------------------------------------- */

static gsvd_status_t norm_of(const batch_t *b, mat_t A, double *norm)
{
    norms_t r;
    GSVD_TRY(b->ex.op->norms(&b->ex, A, &r));
    *norm = r.finite ? (double)r.norm1 : (double)NAN;
    return GSVD_SUCCESS;
}

static gsvd_status_t departure(const batch_t *b, mat_t Q, double *norm)
{
    GSVD_TRY(b->ex.op->set(&b->ex, b->E, 0, 1));
    GSVD_TRY(b->ex.op->gemm_sub(&b->ex, 'C', 'N', Q, Q, b->E));
    return norm_of(b, b->E, norm);
}

/* |Sigma - Sigma_ref|_F of matrix i, by xGESVD, whose input is lost */
static double difference(const batch_t *b, int64_t i)
{
    const mat_t A = mat_cols(b->host, i * b->n, b->n);
    const lapack_int n = (lapack_int)b->n;
    const real_t *const found = b->found + i * b->n;
    scalar_t none;
    double square = 0;

    if (LAPACK(gesvd)(LAPACK_COL_MAJOR, 'N', 'N', n, n, A.data, n, b->ref,
                      &none, 1, &none, 1, b->super) != 0)
        return (double)NAN;
    for (int64_t j = 0; j < b->n; ++j) {
        const double off = (double)found[j] - (double)b->ref[j];
        square += off * off;
        if (j > 0 && !(found[j] <= found[j - 1]))
            return (double)NAN;
    }
    return sqrt(square);
}

static gsvd_status_t judge_one(const batch_t *b, int64_t i, double *e)
{
    const exec_t *const ex = &b->ex;
    const int64_t n = b->n, at = i * n;
    const mat_t V = mat_cols(b->V, at, n), U = mat_cols(b->U, at, n);
    double norm;

    GSVD_TRY(norm_of(b, mat_cols(b->A0, at, n), &norm));
    GSVD_TRY(ex->op->copy(ex, mat_cols(b->A0, at, n), b->E));
    GSVD_TRY(ex->op->scale_columns(ex, U, b->sigma + at, b->W));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'C', b->W, V, b->E));
    GSVD_TRY(norm_of(b, b->E, &e[0]));
    e[0] /= norm;
    GSVD_TRY(departure(b, U, &e[1]));
    GSVD_TRY(departure(b, V, &e[2]));
    e[3] = difference(b, i);
    for (int k = 0; k < ERRORS; ++k)
        e[k] /= (double)n;
    return b->told[i] == 0 ? GSVD_SUCCESS : GSVD_NOT_CONVERGED;
}

/* most := the largest errors of all; a NaN is larger than any. */
static gsvd_status_t judge(batch_t *b, double *most)
{
    const gsvd_handle_t h = b->bench->h;
    const size_t values = (size_t)(b->n * b->count) * sizeof(real_t);
    const size_t infos = (size_t)b->count * sizeof(int);

    GSVD_TRY(
        h->space->download(h, b->found, values, b->sigma, values, values, 1));
    GSVD_TRY(h->space->download(h, b->told, infos, b->info, infos, infos, 1));
    GSVD_TRY(h->space->wait(h));
    for (int64_t i = 0; i < b->count; ++i) {
        double e[ERRORS];
        GSVD_TRY(judge_one(b, i, e));
        for (int k = 0; k < ERRORS; ++k)
            most[k] = e[k] <= most[k] ? most[k] : e[k];
    }
    return GSVD_SUCCESS;
}

/* ---- the table -------------------------------------------------------------------- */

static void print(const batch_t *b, paper_family_t family, const timing_t *time,
                  const double *e)
{
    bench_t *const bench = b->bench;
    row_t row = {
        .step = "svd",
        .letter = STRING(GSVD_LETTER)[0],
        .m = b->n,
        .n = b->n,
        .p = -1,
        .k = -1,
        .l = -1,
        .batch = b->count,
        .sweeps = -1,
        .time = *time,
        .judged = 1,
        .errors = {e[0] * (double)b->n, fmax(e[1], e[2]) * (double)b->n, NAN}};
    int above = 0;

    row.ratio = fmax(e[0], fmax(e[1], e[2])) / GSVD_ULP;
    printf("%-9s %c %-4s %5lld %6lld %10.3f", paper_family_name[family],
           row.letter, bench->cuda ? "cuda" : "cpu", (long long)b->n,
           (long long)b->count, time->ms);
    for (int k = 0; k < ERRORS; ++k) {
        printf(" %9.2e %-5s", e[k],
               k == 2 && paper_exceeds(family) ? "above" : "below");
        above |= !(e[k] < PAPER_THRESHOLD);
    }
    printf(" %9.2e%s\n", PAPER_THRESHOLD, above ? "  WE ARE ABOVE" : "");
    fflush(stdout);
    ++bench->rows;
    bench->failures += above;
    snprintf(bench->matrices, sizeof bench->matrices, "paper 002, %s",
             paper_family_name[family]);
    bench_json(bench, &row);
}

static gsvd_status_t run_family(batch_t *b, paper_family_t family)
{
    double most[ERRORS] = {0};
    timing_t time;

    GSVD_TRY(send(b, family));
    GSVD_TRY(
        bench_time(b->bench, b->bench->cuda, restore, decompose, b, &time));
    GSVD_TRY(judge(b, most));
    print(b, family, &time, most);
    return GSVD_SUCCESS;
}

static gsvd_status_t run(batch_t *b)
{
    problem_t P = {
        .bench = b->bench, .h = b->bench->h, .m = b->n, .n = b->n, .p = 0};
    GSVD_TRY(X(bench_exec)(&P)); /* with work for norms and products         */
    b->ex = P.ex;
    GSVD_TRY(take_batch(b));
    for (int i = 0; i < PAPER_FAMILIES; ++i) {
        const int holds = b->bench->holds;
        GSVD_TRY(run_family(b, (paper_family_t)i));
        bench_drop_to(b->bench, holds);
    }
    return GSVD_SUCCESS;
}

void X(bench_paper_batched)(bench_t *bench, int64_t n, int64_t count)
{
    batch_t b = {.bench = bench, .n = n, .count = count};
    const gsvd_status_t status = run(&b);
    if (status != GSVD_SUCCESS) {
        ++bench->failures;
        fprintf(stderr, "paper 002, n = %lld: %s: %s\n", (long long)n,
                gsvd_status_name(status), gsvd_last_error(bench->h));
    }
    bench_drop(bench);
}
