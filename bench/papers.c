/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* papers.c -- one matrix of papers 000 and 003, by each way; one of paper 004.
 *
 *     A of given eigenvalues, and G and J with G J G^T = P A P^T (spectrum.h)
 *     for each way: time it -> its ratio, and the relative error of its values
 *
 * A way is an entry of the table below, or, where the command line names some, block Jacobi with
 * a number of sweeps within a pair of blocks.
 */
#include <math.h>
#include <stdlib.h>

#include "problem.h"
#include "spectrum.h"

typedef struct way {
    const char *name;
    const timed_step_t *step;
    gsvd_svd_option_t method;
    int definite; /* J has to be I.                                          */
    int peers;    /* Their lines follow this way's.                          */
    int whole;    /* It starts from A itself, not from G.                    */
} way_t;

static const way_t ways[] = {
    {"svd", &X(bench_svd_step), GSVD_SVD_AUTO, 1, 1, 0},
    {"svd_jacobi", &X(bench_svd_step), GSVD_SVD_JACOBI, 1, 0, 0},
    {"hsvd", &X(bench_hsvd_step), GSVD_SVD_AUTO, 0, 0, 0},
    {"ldl_hsvd", &X(bench_ldl_hsvd_step), GSVD_SVD_AUTO, 0, 0, 1},
    {"eigh", &X(bench_eigh_of_matrix), GSVD_SVD_AUTO, 0, 0, 1},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* reference := the square roots of the positive eigenvalues, then of the negative ones,
 * each descending; lambda is sorted. */
static void set_reference(int64_t n, int64_t plus, double *lambda,
                          real_t *reference)
{
    qsort(lambda, (size_t)n, sizeof *lambda, bench_descending);
    for (int64_t i = 0; i < n; ++i)
        reference[i] =
            (real_t)sqrt(i < plus ? lambda[i] : -lambda[plus + n - 1 - i]);
}

/* P->A := G, or A */
static gsvd_status_t send(problem_t *P, const double *G)
{
    const int64_t n = P->n;
    const size_t column = (size_t)n * sizeof(scalar_t);
    const int holds = P->bench->holds;
    void *p;
    GSVD_TRY(bench_take(P->bench, P->bench->host, column * (size_t)n, &p));
    scalar_t *const x = p;
    for (int64_t i = 0; i < n * n; ++i)
        x[i] = make((real_t)G[i], 0);
    GSVD_TRY(
        P->h->space->upload(P->h, P->A.data, column, x, column, column, n));
    GSVD_TRY(P->h->space->wait(P->h));
    bench_drop_to(P->bench, holds);
    return GSVD_SUCCESS;
}

static gsvd_status_t run_way(bench_t *b, const way_t *way,
                             const problem_t *from)
{
    problem_t P = *from;
    row_t row = {.step = way->name,
                 .letter = STRING(GSVD_LETTER)[0],
                 .m = P.n,
                 .n = P.n,
                 .p = -1,
                 .batch = 1};
    const int peer = b->peer, holds = b->holds;
    b->method = way->method;
    b->peer = peer && way->peers;
    bench_describe(b);
    GSVD_TRY(gsvd_set_option(b->h, GSVD_SVD, way->method));
    const gsvd_status_t status = X(bench_run)(&P, way->step, &row);
    if (!(P.errors.difference < sqrt(GSVD_ULP))) {
        ++b->failures;
        fprintf(stderr, "%s: %s: other values than those given\n", b->matrices,
                way->name);
    }
    b->peer = peer;
    bench_drop_to(b, holds);
    return status;
}

/* ---- block Jacobi ------------------------------------------------------------- */

/* In blocks whatever the order; b->h has other numbers of its machine meanwhile. */
static gsvd_status_t run_blocks(bench_t *b, int64_t inner, const problem_t *P)
{
    const machine_t *const real = b->h->machine;
    tuning_t tuning = *real->tuning.GSVD_LETTER;
    machine_t machine = *real;
    char name[24];
    const way_t way = {.name = name,
                       .step = P->plus == P->n ? &X(bench_svd_step)
                                               : &X(bench_hsvd_step),
                       .method = GSVD_SVD_JACOBI};

    tuning.inner_sweeps = inner;
    tuning.block_jacobi = 2;
    machine.tuning.GSVD_LETTER = &tuning;
    snprintf(name, sizeof name, "blocks/%lld", (long long)inner);
    b->h->machine = &machine;
    const gsvd_status_t status = run_way(b, &way, P);
    b->h->machine = real;
    return status;
}

/* ---- all -------------------------------------------------------------------------- */

static gsvd_status_t run(bench_t *b, int64_t n, double *lambda)
{
    const shape_t shape = {n, n, 0};
    problem_t P;
    double *A, *G;
    real_t *reference;

    GSVD_TRY(X(bench_open)(&P, b, b->h, shape, 0));
    GSVD_TRY(bench_array(b, b->host, n * n, sizeof *A, &A));
    GSVD_TRY(bench_array(b, b->host, n * n, sizeof *G, &G));
    GSVD_TRY(bench_array(b, b->host, n, sizeof *reference, &reference));
    GSVD_TRY(bench_spectrum_factor(b, n, lambda, A, G, &P.plus));
    set_reference(n, P.plus, lambda, reference);
    P.reference = reference;
    GSVD_TRY(send(&P, G));
    for (int i = 0; i < b->inners; ++i)
        GSVD_TRY(run_blocks(b, b->inner[i], &P));
    for (int i = 0; i < WAYS && b->inners == 0; ++i)
        if (P.plus == n || !ways[i].definite) {
            GSVD_TRY(send(&P, ways[i].whole ? A : G));
            GSVD_TRY(run_way(b, &ways[i], &P));
        }
    return GSVD_SUCCESS;
}

void X(bench_paper)(bench_t *b, int64_t n, double *lambda)
{
    const gsvd_status_t status = run(b, n, lambda);
    if (status != GSVD_SUCCESS) {
        ++b->failures;
        fprintf(stderr, "%s, n = %lld: %s: %s\n", b->matrices, (long long)n,
                gsvd_status_name(status), gsvd_last_error(b->h));
    }
    bench_drop(b);
}

/* ---- paper 004 --------------------------------------------------------------------- */

static gsvd_status_t run_random(bench_t *b, const way_t *way, shape_t shape)
{
    row_t row = {.step = way->name,
                 .letter = STRING(GSVD_LETTER)[0],
                 .m = shape.m,
                 .n = shape.n,
                 .p = -1,
                 .batch = 1};
    const int peer = b->peer;
    problem_t P;

    b->seed = 1;
    b->method = way->method;
    b->peer = peer && way->peers;
    bench_describe(b);
    GSVD_TRY(gsvd_set_option(b->h, GSVD_SVD, way->method));
    GSVD_TRY(X(bench_open)(&P, b, b->h, shape, 0));
    GSVD_TRY(X(bench_pair)(&P));
    const gsvd_status_t status = X(bench_run)(&P, way->step, &row);
    b->peer = peer;
    bench_drop(b);
    return status;
}

void X(bench_paper_random)(bench_t *b, shape_t shape)
{
    static const way_t by[] = {
        {"bidiagonal", &X(bench_svd_step), GSVD_SVD_BIDIAGONAL, 0, 1, 0},
        {"svd", &X(bench_svd_step), GSVD_SVD_AUTO, 0, 0, 0}};

    for (int i = 0; i < 2; ++i) {
        const gsvd_status_t status = run_random(b, &by[i], shape);
        if (status == GSVD_SUCCESS)
            continue;
        ++b->failures;
        fprintf(stderr, "%s, %lld x %lld: %s: %s\n", b->matrices,
                (long long)shape.m, (long long)shape.n,
                gsvd_status_name(status), gsvd_last_error(b->h));
        bench_drop(b);
    }
}
