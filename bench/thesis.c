/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* thesis.c -- Flegar 2016, chapter 3, for one pair of section 3.1:
 *
 *     the pair, in the handle's memory and on the host
 *     ours:  time;  to the host:  digits of A and B;  xTGSJA:  its values
 *     LAPACK's xGGSVD3:  the values to compare with
 *     each peer:  xGGSVP3 on the host:  the same
 *
 * Values are compared with no factors formed: they are the same numbers.
 */
#include "thesis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "routines.h"

static gsvd_status_t answered(const char *name, integer_t info)
{
    if (info != 0)
        fprintf(stderr, "%s: info = %d\n", name, (int)info);
    return info == 0  ? GSVD_SUCCESS
           : info > 0 ? GSVD_NOT_CONVERGED
                      : GSVD_INTERNAL_ERROR;
}

/* the dimensions as LAPACK takes them */
typedef struct sizes {
    integer_t m, n, p, ldu, ldv, ldq, k, l;
} sizes_t;

static sizes_t sizes_of(const problem_t *P)
{
    return (sizes_t){.m = (integer_t)P->m,
                     .n = (integer_t)P->n,
                     .p = (integer_t)P->p,
                     .ldu = (integer_t)max_i(P->now.U.ld, 1),
                     .ldv = (integer_t)max_i(P->now.V.ld, 1),
                     .ldq = (integer_t)max_i(P->now.Q.ld, 1),
                     .k = (integer_t)P->k,
                     .l = (integer_t)P->l};
}

static integer_t run_ggsvp3(problem_t *P, scalar_t *work, integer_t lwork)
{
    const routines_t *r = P->peer;
    const factors_t *F = &P->now;
    sizes_t s = sizes_of(P);
    integer_t info;
    r->ggsvp3("U", "V", "Q", &s.m, &s.p, &s.n, F->A.data, &s.m, F->B.data, &s.p,
              &P->tola, &P->tolb, &s.k, &s.l, F->U.data, &s.ldu, F->V.data,
              &s.ldv, F->Q.data, &s.ldq, r->iwork, RWORK(r->rwork) P->tau, work,
              &lwork, &info, 1, 1, 1);
    if (lwork >= 0) {
        P->k = s.k;
        P->l = s.l;
    }
    return info;
}

/* values only */
static integer_t run_ggsvd3(problem_t *P, scalar_t *work, integer_t lwork)
{
    const routines_t *r = P->peer;
    const factors_t *F = &P->now;
    sizes_t s = sizes_of(P);
    const integer_t one = 1;
    integer_t info;
    r->ggsvd3("N", "N", "N", &s.m, &s.n, &s.p, &s.k, &s.l, F->A.data, &s.m,
              F->B.data, &s.p, P->alpha, P->beta, NULL, &one, NULL, &one, NULL,
              &one, work, &lwork, RWORK(r->rwork) r->iwork, &info, 1, 1, 1);
    if (lwork >= 0) {
        P->k = s.k;
        P->l = s.l;
    }
    return info;
}

static gsvd_status_t work_ggsvp3(void *data)
{
    problem_t *P = data;
    const routines_t *r = P->peer;
    return answered("xGGSVP3", run_ggsvp3(P, r->work, r->lwork));
}

/* The values of the triangular pair in P->now, which is destroyed. */
static gsvd_status_t run_tgsja(problem_t *P)
{
    const routines_t *r = P->peer;
    const factors_t *F = &P->now;
    sizes_t s = sizes_of(P);
    const integer_t one = 1;
    integer_t info, cycles;
    r->tgsja("N", "N", "N", &s.m, &s.p, &s.n, &s.k, &s.l, F->A.data, &s.m,
             F->B.data, &s.p, &P->tola, &P->tolb, P->alpha, P->beta, NULL, &one,
             NULL, &one, NULL, &one, r->work, &cycles, &info, 1, 1, 1);
    return answered("xTGSJA", info);
}

/* ---- problems ----------------------------------------------------------- */

static gsvd_status_t open_problem(problem_t *P, bench_t *b, gsvd_handle_t h,
                                  shape_t s, int economy)
{
    GSVD_TRY(X(bench_open)(P, b, h, s, economy));
    GSVD_TRY(X(bench_mat)(P, s.m, s.n, &P->now.A));
    GSVD_TRY(X(bench_mat)(P, s.p, s.n, &P->now.B));
    GSVD_TRY(X(bench_mat)(P, s.m, economy ? min_i(s.m, s.n) : s.m, &P->now.U));
    GSVD_TRY(X(bench_mat)(P, s.p, economy ? min_i(s.p, s.n) : s.p, &P->now.V));
    return X(bench_mat)(P, s.n, s.n, &P->now.Q);
}

/* the same pair on the host, LAPACK's tolerances, the largest workspace */
static gsvd_status_t open_host(problem_t *H, routines_t *r, const problem_t *P,
                               const lapacks_t *peers)
{
    const shape_t shape = {P->m, P->n, P->p};
    memset(r, 0, sizeof *r);
    GSVD_TRY(open_problem(H, P->bench, P->bench->host, shape, 0));
    H->peer = r;
    GSVD_TRY(X(bench_fetch)(P->h, P->A, H->A));
    GSVD_TRY(X(bench_fetch)(P->h, P->B, H->B));
    GSVD_TRY(X(bench_tolerances)(H));
    GSVD_TRY(bench_array(P->bench, H->h, P->m + P->n + P->p, sizeof *r->iwork,
                         &r->iwork));
    GSVD_TRY(
        bench_array(P->bench, H->h, 2 * P->n, sizeof *r->rwork, &r->rwork));
    r->lwork = (integer_t)(2 * P->n);
    for (int i = 0; i < peers->count; ++i) {
        scalar_t size = make(0, 0);
        if (open_routines(r, &peers->of[i]) != GSVD_SUCCESS)
            continue;
        GSVD_TRY(answered("xGGSVP3", run_ggsvp3(H, &size, -1)));
        r->lwork = (integer_t)max_i(r->lwork, (int64_t)re(size));
        GSVD_TRY(answered("xGGSVD3", run_ggsvd3(H, &size, -1)));
        r->lwork = (integer_t)max_i(r->lwork, (int64_t)re(size));
    }
    return bench_array(P->bench, H->h, r->lwork, sizeof *r->work, &r->work);
}

/* The pair again; nothing in the factors may look like a result. */
static gsvd_status_t restore(void *data)
{
    problem_t *P = data;
    GSVD_TRY(P->ex.op->copy(&P->ex, P->A, P->now.A));
    GSVD_TRY(P->ex.op->copy(&P->ex, P->B, P->now.B));
    GSVD_TRY(P->ex.op->set(&P->ex, P->now.U, 7, 7));
    GSVD_TRY(P->ex.op->set(&P->ex, P->now.V, 7, 7));
    return P->ex.op->set(&P->ex, P->now.Q, 7, 7);
}

#define ARRAY(A) (A).data, (A).ld

static gsvd_status_t work_ours(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    const char u = P->economy ? 'S' : 'U', v = P->economy ? 'S' : 'V';
    int info;
    return (P->h->space->on_device ? X(preprocess_gpu) : X(preprocess))(
        P->h, u, v, 'Q', P->m, P->p, P->n, ARRAY(F->A), ARRAY(F->B), -1, -1,
        &P->k, &P->l, ARRAY(F->U), ARRAY(F->V), ARRAY(F->Q), &info);
}

/* ---- accuracy ----------------------------------------------------------- */

/* Figure 3.3, from what a preprocessing left in H->now */
static gsvd_status_t digits(problem_t *H, measured_t *x)
{
    const factors_t *F = &H->now;
    const int64_t r = H->k + H->l, skip = H->n - r, top = min_i(H->m, r);
    const mat_t Q = mat_cols(F->Q, skip, r);
    const int held = H->bench->holds;
    GSVD_TRY(X(bench_digits)(H, H->A, mat_cols(F->U, 0, top),
                             mat_sub(F->A, 0, skip, top, r), Q, &x->digits_a));
    bench_drop_to(H->bench, held);
    GSVD_TRY(X(bench_digits)(H, H->B, mat_cols(F->V, 0, H->l),
                             mat_sub(F->B, 0, skip, H->l, r), Q, &x->digits_b));
    bench_drop_to(H->bench, held);
    return GSVD_SUCCESS;
}

/* alpha / beta of the l pairs, in descending order */
static void ratios_of(const problem_t *H, double *sigma)
{
    for (int64_t i = 0; i < H->l; ++i)
        sigma[i] = (double)H->alpha[H->k + i] / (double)H->beta[H->k + i];
    qsort(sigma, (size_t)H->l, sizeof *sigma, bench_descending);
}

/* Section 3.5; where ranks differ, the smaller one counts.  The largest are
 * left out then: they are close to infinity. */
static double change(const double *x, int64_t lx, const double *y, int64_t ly)
{
    const int64_t l = min_i(lx, ly);
    double sum = 0;
    x += lx - l;
    y += ly - l;
    for (int64_t i = 0; i < l; ++i)
        if (x[i] != y[i])
            sum += fabs(x[i] - y[i]) / fmax(x[i], y[i]);
    return -log10(sum / (double)l);
}

typedef struct values {
    double *lapack, *other; /* n each                                        */
    int64_t l;
} values_t;

/* LAPACK's xGGSVD3 */
static gsvd_status_t lapack_values(problem_t *H, values_t *v)
{
    const routines_t *r = H->peer;
    GSVD_TRY(restore(H));
    GSVD_TRY(answered("xGGSVD3", run_ggsvd3(H, r->work, r->lwork)));
    ratios_of(H, v->lapack);
    v->l = H->l;
    return GSVD_SUCCESS;
}

/* LAPACK's xTGSJA on the triangles in H->now, against these */
static gsvd_status_t compare_values(problem_t *H, values_t *v, measured_t *x)
{
    GSVD_TRY(run_tgsja(H));
    ratios_of(H, v->other);
    x->digits_values = change(v->other, H->l, v->lapack, v->l);
    return GSVD_SUCCESS;
}

static void nothing_measured(measured_t *x)
{
    memset(x, 0, sizeof *x);
    x->k = x->l = -1;
    x->digits_a = x->digits_b = x->digits_values = NAN;
}

/* ---- one pair ----------------------------------------------------------- */

static gsvd_status_t run_ours(problem_t *P, thesis_case_t *c)
{
    real_t ratio;
    const int held = P->bench->holds;
    GSVD_TRY(bench_time(P->bench, P->bench->cuda, restore, work_ours, P,
                        &c->ours.time));
    GSVD_TRY(X(bench_ratio_preprocess)(P, &ratio));
    bench_drop_to(P->bench, held);
    c->ours.name = "libgsvd";
    c->ours.k = P->k;
    c->ours.l = P->l;
    c->ratio = (double)ratio;
    return GSVD_SUCCESS;
}

static gsvd_status_t ours_on_host(const problem_t *P, problem_t *H)
{
    GSVD_TRY(X(bench_fetch)(P->h, P->now.A, H->now.A));
    GSVD_TRY(X(bench_fetch)(P->h, P->now.B, H->now.B));
    GSVD_TRY(
        X(bench_fetch)(P->h, P->now.U, mat_cols(H->now.U, 0, P->now.U.cols)));
    GSVD_TRY(
        X(bench_fetch)(P->h, P->now.V, mat_cols(H->now.V, 0, P->now.V.cols)));
    GSVD_TRY(X(bench_fetch)(P->h, P->now.Q, H->now.Q));
    H->k = P->k;
    H->l = P->l;
    return GSVD_SUCCESS;
}

/* After ours: LAPACK is the first peer, and its xTGSJA serves all. */
static gsvd_status_t run_peers(const problem_t *P, const lapacks_t *peers,
                               thesis_case_t *c)
{
    bench_t *b = P->bench;
    problem_t H;
    routines_t r;
    values_t v;
    const int compare = peers->count > 0 && P->n <= b->peer_max_n;

    GSVD_TRY(open_host(&H, &r, P, peers));
    GSVD_TRY(bench_array(b, H.h, P->n, sizeof *v.lapack, &v.lapack));
    GSVD_TRY(bench_array(b, H.h, P->n, sizeof *v.other, &v.other));
    if (compare) {
        GSVD_TRY(open_routines(&r, &peers->of[0]));
        GSVD_TRY(lapack_values(&H, &v));
    }
    GSVD_TRY(ours_on_host(P, &H));
    GSVD_TRY(digits(&H, &c->ours));
    if (!compare)
        return GSVD_SUCCESS;
    GSVD_TRY(compare_values(&H, &v, &c->ours));

    for (int i = 0; i < peers->count; ++i) {
        measured_t *x = &c->peer[i];
        if (open_routines(&r, &peers->of[i]) != GSVD_SUCCESS)
            continue;
        GSVD_TRY(bench_time(b, 0, restore, work_ggsvp3, &H, &x->time));
        x->name = peers->of[i].name;
        x->k = H.k;
        x->l = H.l;
        GSVD_TRY(digits(&H, x));
        if (i > 0) {
            GSVD_TRY(open_routines(&r, &peers->of[0]));
            GSVD_TRY(compare_values(&H, &v, x));
        }
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(thesis)(bench_t *b, const lapacks_t *peers, thesis_case_t *c)
{
    problem_t P;
    nothing_measured(&c->ours);
    for (int i = 0; i < LAPACKS; ++i)
        nothing_measured(&c->peer[i]);
    b->seed = 1;
    GSVD_TRY(open_problem(&P, b, b->h, c->shape, b->economy));
    GSVD_TRY(X(bench_pair)(&P));
    GSVD_TRY(run_ours(&P, c));
    return run_peers(&P, peers, c);
}
