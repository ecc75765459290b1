/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.c -- small pairs behind LAPACK's symbols: time and ratio of one order.
 *
 *     PAIRS pairs; the two libraries take turns, a turn is every pair once;
 *     only the calls are under the clock, inputs are restored before each turn
 *
 * The clock is read twice a turn: between calls that take as long as reading it a ratio of
 * times would look closer to 1 than it is.
 */
#include "small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "routines.h"

enum {
    PAIRS = 16,
    FEWEST = 5,
    MOST = 1 << 14 /* turns                        */
};

typedef enum { OURS, THEIRS } who_t;

#define small_t X(small_t)
typedef struct small_t {
    problem_t P;
    routines_t of[2];
    mat_t A, B, U, V, Q; /* n x n, PAIRS of them side by side                */
    factors_t work;      /* likewise, what calls of a turn work on           */
    factors_t each[PAIRS]; /* views of them                                  */
    real_t *alpha;   /* of a pair, n                                     */
    double *turn[2]; /* milliseconds a call                              */
    int turns;
} small_t;

/* ---- calls ---------------------------------------------------------------- */

static integer_t ggsvd3(const routines_t *r, problem_t *P, const factors_t *F,
                        const char *jobs)
{
    const integer_t n = (integer_t)P->n;
    integer_t k, l, info;
    r->ggsvd3(jobs, jobs + 1, jobs + 2, &n, &n, &n, &k, &l, F->A.data, &n,
              F->B.data, &n, P->alpha, P->beta, F->U.data, &n, F->V.data, &n,
              F->Q.data, &n, r->work, &r->lwork, RWORK(r->rwork) r->iwork,
              &info, 1, 1, 1);
    P->k = k;
    P->l = l;
    return info;
}

static integer_t ggsvd3_all(const routines_t *r, problem_t *P,
                            const factors_t *F)
{
    return ggsvd3(r, P, F, "UVQ");
}

static integer_t ggsvd3_none(const routines_t *r, problem_t *P,
                             const factors_t *F)
{
    return ggsvd3(r, P, F, "NNN");
}

static integer_t ggsvp3(const routines_t *r, problem_t *P, const factors_t *F)
{
    const integer_t n = (integer_t)P->n;
    integer_t k, l, info;
    r->ggsvp3("U", "V", "Q", &n, &n, &n, F->A.data, &n, F->B.data, &n, &P->tola,
              &P->tolb, &k, &l, F->U.data, &n, F->V.data, &n, F->Q.data, &n,
              r->iwork, RWORK(r->rwork) P->tau, r->work, &r->lwork, &info, 1, 1,
              1);
    P->k = k;
    P->l = l;
    return info;
}

static integer_t tgsja(const routines_t *r, problem_t *P, const factors_t *F)
{
    const integer_t n = (integer_t)P->n, k = (integer_t)P->k;
    const integer_t l = (integer_t)P->l;
    integer_t cycles, info;
    r->tgsja("U", "V", "Q", &n, &n, &n, &k, &l, F->A.data, &n, F->B.data, &n,
             &P->tola, &P->tolb, P->alpha, P->beta, F->U.data, &n, F->V.data,
             &n, F->Q.data, &n, r->work, &cycles, &info, 1, 1, 1);
    return info;
}

/* ---- ratios --------------------------------------------------------------- */

/* LAPACK's six have no meaning without factors: the change of alpha against a
 * call with all of them */
static gsvd_status_t ratio_of_values(problem_t *P, real_t *worst)
{
    const small_t *s = P->peer;
    const int64_t n = P->n;
    real_t most = 0;

    memcpy(s->alpha, P->alpha, (size_t)n * sizeof *s->alpha);
    GSVD_TRY(P->ex.op->copy(&P->ex, P->A, P->now.A));
    GSVD_TRY(P->ex.op->copy(&P->ex, P->B, P->now.B));
    if (ggsvd3_all(&s->of[OURS], P, &P->now) != 0)
        return GSVD_INTERNAL_ERROR;
    for (int64_t i = 0; i < n; ++i)
        most = fmax_r(most, fabs_r(P->alpha[i] - s->alpha[i]));
    *worst = most / (real_t)n / GSVD_ULP;
    return GSVD_SUCCESS;
}

/* ---- steps ---------------------------------------------------------------- */

typedef struct step {
    const char *name, *peer;
    int triangles; /* starts from what xGGSVP3 left                          */
    integer_t (*call)(const routines_t *r, problem_t *P, const factors_t *F);
    gsvd_status_t (*ratio)(problem_t *P, real_t *worst);
} step_t;

static const step_t steps[] = {
    {"ggsvd3", "LAPACK xGGSVD3", 0, ggsvd3_all, X(bench_ratio_gsvd)},
    {"ggsvd3_n", "LAPACK xGGSVD3", 0, ggsvd3_none, ratio_of_values},
    {"ggsvp3", "LAPACK xGGSVP3", 0, ggsvp3, X(bench_ratio_preprocess)},
    {"tgsja", "LAPACK xTGSJA", 1, tgsja, X(bench_ratio_gsvd)},
};
enum { STEPS = sizeof steps / sizeof *steps };

static mat_t pair_of(mat_t X_, int i)
{
    return mat_cols(X_, i * X_.rows, X_.rows);
}

/* F := what a call on pair i starts from; nothing in factors that are output may look
 * like a result. */
static gsvd_status_t restore(const small_t *s, const step_t *step, int i,
                             const factors_t *F)
{
    const problem_t *P = &s->P;
    const mat_t from[] = {s->A, s->B, s->U, s->V, s->Q};
    const mat_t to[] = {F->A, F->B, F->U, F->V, F->Q};

    for (int x = 0; x < (step->triangles ? 5 : 2); ++x)
        GSVD_TRY(P->ex.op->copy(&P->ex, pair_of(from[x], i), to[x]));
    for (int x = 2; x < 5 && !step->triangles; ++x)
        GSVD_TRY(P->ex.op->set(&P->ex, to[x], 7, 7));
    return GSVD_SUCCESS;
}

/* every pair once: *ms of a call */
static gsvd_status_t turn(small_t *s, const step_t *step, who_t who, double *ms)
{
    integer_t info = 0;
    for (int i = 0; i < PAIRS; ++i)
        GSVD_TRY(restore(s, step, i, &s->each[i]));
    const double start = bench_seconds();
    for (int i = 0; i < PAIRS; ++i)
        info |= step->call(&s->of[who], &s->P, &s->each[i]);
    *ms = 1e3 * (bench_seconds() - start) / PAIRS;
    return info == 0 ? GSVD_SUCCESS : GSVD_NOT_CONVERGED;
}

static gsvd_status_t take_turns(small_t *s, const step_t *step, double limit)
{
    const double start = bench_seconds();
    double warm;

    GSVD_TRY(turn(s, step, OURS, &warm));
    GSVD_TRY(turn(s, step, THEIRS, &warm));
    s->turns = 0;
    while (s->turns < MOST &&
           (s->turns < FEWEST || bench_seconds() - start < limit)) {
        GSVD_TRY(turn(s, step, OURS, &s->turn[OURS][s->turns]));
        GSVD_TRY(turn(s, step, THEIRS, &s->turn[THEIRS][s->turns]));
        ++s->turns;
    }
    return GSVD_SUCCESS;
}

/* the worst ratio of ours over all pairs */
static gsvd_status_t judge(small_t *s, const step_t *step, real_t *worst)
{
    problem_t *P = &s->P;
    const mat_t A = P->A, B = P->B;
    *worst = 0;
    for (int i = 0; i < PAIRS; ++i) {
        const int holds = P->bench->holds;
        real_t ratio = 0;
        P->A = pair_of(A, i);
        P->B = pair_of(B, i);
        GSVD_TRY(restore(s, step, i, &P->now));
        if (step->call(&s->of[OURS], P, &P->now) != 0)
            return GSVD_NOT_CONVERGED;
        GSVD_TRY(step->ratio(P, &ratio));
        if (!(ratio <= *worst)) /* NaN is the worst                          */
            *worst = ratio;
        bench_drop_to(P->bench, holds);
    }
    P->A = A;
    P->B = B;
    return GSVD_SUCCESS;
}

/* ---- the pairs ------------------------------------------------------------ */

static gsvd_status_t open_small(small_t *s, bench_t *b, const contest_t *c,
                                int64_t n)
{
    problem_t *P = &s->P;
    mat_t *const all[] = {&P->A, &P->B, &s->U, &s->V, &s->Q};
    routines_t *r = s->of;
    norms_t a, bb;

    memset(s, 0, sizeof *s);
    *P = (problem_t){.bench = b, .h = b->h, .m = n, .n = n, .p = n, .peer = s};
    GSVD_TRY(X(bench_exec)(P));
    for (int x = 0; x < MATRICES; ++x) {
        GSVD_TRY(X(bench_mat)(P, n, n * PAIRS, all[x]));
        GSVD_TRY(X(bench_mat)(P, n, n * PAIRS, factor_of(&s->work, x)));
        GSVD_TRY(X(bench_mat)(P, n, n, factor_of(&P->now, x)));
        for (int i = 0; i < PAIRS; ++i)
            *factor_of(&s->each[i], x) = pair_of(*factor_of(&s->work, x), i);
    }
    GSVD_TRY(bench_array(b, P->h, n, sizeof(real_t), &P->alpha));
    GSVD_TRY(bench_array(b, P->h, n, sizeof(real_t), &P->beta));
    GSVD_TRY(bench_array(b, P->h, n, sizeof(real_t), &s->alpha));
    GSVD_TRY(bench_array(b, P->h, n, sizeof(scalar_t), &P->tau));
    GSVD_TRY(bench_array(b, P->h, MOST, sizeof(double), &s->turn[OURS]));
    GSVD_TRY(bench_array(b, P->h, MOST, sizeof(double), &s->turn[THEIRS]));
    r->lwork = (integer_t)(40 * (n + 1));
    GSVD_TRY(bench_array(b, P->h, r->lwork, sizeof(scalar_t), &r->work));
    GSVD_TRY(bench_array(b, P->h, 2 * n, sizeof(real_t), &r->rwork));
    GSVD_TRY(bench_array(b, P->h, n, sizeof(integer_t), &r->iwork));
    s->of[THEIRS] = *r;
    GSVD_TRY(open_routines(&s->of[OURS], &c->ours));
    GSVD_TRY(open_routines(&s->of[THEIRS], &c->theirs));

    GSVD_TRY(X(bench_pair)(P));
    s->A = P->A;
    s->B = P->B;
    /* one tolerance for all pairs: they have full rank at any of them       */
    GSVD_TRY(P->ex.op->norms(&P->ex, P->A, &a));
    GSVD_TRY(P->ex.op->norms(&P->ex, P->B, &bb));
    P->tola = (real_t)n * a.norm1 * GSVD_ULP;
    P->tolb = (real_t)n * bb.norm1 * GSVD_ULP;
    return GSVD_SUCCESS;
}

/* xTGSJA starts from what LAPACK's xGGSVP3 makes of each pair */
static gsvd_status_t start_triangles(small_t *s)
{
    const problem_t *P = &s->P;
    mat_t *const to[] = {&s->A, &s->B, &s->U, &s->V, &s->Q};
    const mat_t from[] = {P->now.A, P->now.B, P->now.U, P->now.V, P->now.Q};

    GSVD_TRY(X(bench_mat)(P, P->n, P->n * PAIRS, &s->A));
    GSVD_TRY(X(bench_mat)(P, P->n, P->n * PAIRS, &s->B));
    for (int i = 0; i < PAIRS; ++i) {
        GSVD_TRY(P->ex.op->copy(&P->ex, pair_of(P->A, i), P->now.A));
        GSVD_TRY(P->ex.op->copy(&P->ex, pair_of(P->B, i), P->now.B));
        if (ggsvp3(&s->of[THEIRS], &s->P, &P->now) != 0)
            return GSVD_INTERNAL_ERROR;
        for (int x = 0; x < 5; ++x)
            GSVD_TRY(P->ex.op->copy(&P->ex, from[x], pair_of(*to[x], i)));
    }
    return GSVD_SUCCESS;
}

/* ---- the table ------------------------------------------------------------ */

static void print(bench_t *b, contest_t *c, const row_t *row)
{
    const double times = row->peer_ms_min / row->time.ms_min;
    const int slower = row->time.ms_min > SMALL_NOISE * row->peer_ms_min;
    const int wrong = !(row->ratio < BENCH_RATIO_LIMIT);

    printf("%-8s %c %4lld %12.3f %12.3f %8.2f %8d %8.3g%s%s\n", row->step,
           row->letter, (long long)row->n, 1e3 * row->time.ms_min,
           1e3 * row->peer_ms_min, times, row->time.reps, row->ratio,
           slower ? "  slower" : "", wrong ? "  WRONG" : "");
    fflush(stdout);
    c->slower += slower;
    b->failures += wrong;
    ++b->rows;
    bench_json(b, row);
}

static gsvd_status_t run_step(bench_t *b, contest_t *c, int64_t n,
                              const step_t *step, row_t *row)
{
    small_t s;
    real_t ratio;

    b->seed = 1;
    GSVD_TRY(open_small(&s, b, c, n));
    if (step->triangles)
        GSVD_TRY(start_triangles(&s));
    GSVD_TRY(take_turns(&s, step, c->limit));
    GSVD_TRY(judge(&s, step, &ratio));
    row->ratio = ratio;
    row->k = s.P.k;
    row->l = s.P.l;
    row->time = bench_sum_up(s.turn[OURS], s.turns);
    const timing_t theirs = bench_sum_up(s.turn[THEIRS], s.turns);
    row->peer_ms = theirs.ms;
    row->peer_ms_min = theirs.ms_min;
    return GSVD_SUCCESS;
}

void X(small)(bench_t *b, contest_t *c, int64_t n)
{
    for (int i = 0; i < STEPS; ++i) {
        const step_t *step = &steps[i];
        row_t row = {.step = step->name,
                     .letter = STRING(GSVD_LETTER)[0],
                     .m = n,
                     .n = n,
                     .p = n,
                     .batch = 1,
                     .peer = step->peer,
                     .sweeps = -1};
        if (!bench_listed(c->steps, step->name))
            continue;
        const gsvd_status_t status = run_step(b, c, n, step, &row);
        if (status == GSVD_SUCCESS)
            print(b, c, &row);
        else {
            ++b->failures;
            fprintf(stderr, "%s %c %lld: %s\n", step->name, row.letter,
                    (long long)n, gsvd_status_name(status));
        }
        bench_drop(b);
    }
}
