/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_gsvd.c -- one pair, end to end and each step alone.
 *
 *     make the pair
 *     for each step:  what it starts from -> time it -> its ratio -> its peers
 *
 * A step is an entry of the table below (svd.c has those of the SVD); every step
 * starts from copies.
 */
#include <math.h>
#include <string.h>

#include "flops.h"
#include "gsvd/pipeline.h"
#include "pivot/pivot.h"
#include "problem.h"

gsvd_status_t X(bench_mat)(const problem_t *P, int64_t rows, int64_t cols,
                           mat_t *A)
{
    void *data;
    const int64_t ld = max_i(rows, 1);
    GSVD_TRY(bench_take(P->bench, P->h,
                        (size_t)(ld * max_i(cols, 1)) * sizeof(scalar_t),
                        &data));
    *A = mat_view(data, rows, cols, ld);
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_exec)(problem_t *P)
{
    const gsvd_problem_t pair = {.size = sizeof pair,
                                 .routine = GSVD_ROUTINE_GSVD,
                                 .type = (gsvd_type_t)STRING(GSVD_LETTER)[0],
                                 .job = {'S', 'S', 'S'},
                                 .m = P->m,
                                 .n = P->n,
                                 .p = P->p};
    size_t device, host;
    void *work;

    GSVD_TRY(bench_plan_bytes(P->h, &pair, &device, &host));
    const size_t bytes = P->h->space->on_device ? device : host;
    GSVD_TRY(bench_take(P->bench, P->h, bytes, &work));
    P->ex = X(exec_of)(P->h);
    P->ex.work = gsvd_arena_over(work, bytes);
    return GSVD_SUCCESS;
}

/* ---- problems ----------------------------------------------------------- */

gsvd_status_t X(bench_open)(problem_t *P, bench_t *b, gsvd_handle_t h,
                            shape_t s, int economy)
{
    memset(P, 0, sizeof *P);
    P->bench = b;
    P->h = h;
    P->economy = economy;
    P->plus = s.n / 2;
    P->m = s.m;
    P->n = s.n;
    P->p = s.p;
    GSVD_TRY(X(bench_exec)(P));
    GSVD_TRY(bench_array(b, h, s.n, sizeof(real_t), &P->alpha));
    GSVD_TRY(bench_array(b, h, s.n, sizeof(real_t), &P->beta));
    GSVD_TRY(bench_array(b, h, max_i(max_i(s.m, s.n), s.p), sizeof(scalar_t),
                         &P->tau));
    GSVD_TRY(bench_array(b, h, s.n, sizeof(int), &P->perm));
    GSVD_TRY(X(bench_mat)(P, s.m, s.n, &P->A));
    return X(bench_mat)(P, s.p, s.n, &P->B);
}

/* What the two ways of handing over a pair have in common: LAPACK's default
 * tolerances, which its halves do not know themselves, unless one is given. */
gsvd_status_t X(bench_tolerances)(problem_t *P)
{
    norms_t a, b;
    if (P->bench->tolerance > 0) {
        P->tola = P->tolb = (real_t)P->bench->tolerance;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(P->ex.op->norms(&P->ex, P->A, &a));
    GSVD_TRY(P->ex.op->norms(&P->ex, P->B, &b));
    P->tola =
        (real_t)max_i(P->m, P->n) * fmax_r(a.norm1, GSVD_SAFMIN) * GSVD_ULP;
    P->tolb =
        (real_t)max_i(P->p, P->n) * fmax_r(b.norm1, GSVD_SAFMIN) * GSVD_ULP;
    return GSVD_SUCCESS;
}

/* Space for a copy of each of from's matrices that there are. */
static gsvd_status_t take_alike(const problem_t *P, factors_t *from,
                                factors_t *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < MATRICES; ++i) {
        const mat_t A = *factor_of(from, i);
        if (A.data)
            GSVD_TRY(X(bench_mat)(P, A.rows, A.cols, factor_of(to, i)));
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t restore(void *data)
{
    problem_t *P = data;
    for (int i = 0; i < MATRICES; ++i) {
        const mat_t A = *factor_of(&P->start, i);
        if (A.data)
            GSVD_TRY(P->ex.op->copy(&P->ex, A, *factor_of(&P->now, i)));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_fetch)(gsvd_handle_t h, mat_t A, mat_t to)
{
    const size_t each = sizeof(scalar_t);
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(h->space->download(h, to.data, (size_t)to.ld * each, A.data,
                                (size_t)A.ld * each, (size_t)A.rows * each,
                                A.cols));
    return h->space->wait(h);
}

gsvd_status_t X(bench_fetch_values)(const problem_t *P, int64_t count,
                                    real_t **x)
{
    const size_t bytes = (size_t)count * sizeof(real_t);
    GSVD_TRY(bench_array(P->bench, P->bench->host, count, sizeof **x, x));
    if (count == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(P->h->space->download(P->h, *x, bytes, P->alpha, bytes, bytes, 1));
    return P->h->space->wait(P->h);
}

/* ---- where a step starts ------------------------------------------------ */

static gsvd_status_t start_matrix(problem_t *P)
{
    P->start.A = P->A;
    return GSVD_SUCCESS;
}

static gsvd_status_t start_pivot(problem_t *P)
{
    GSVD_TRY(X(bench_tolerances)(P));
    if (P->bench->kind == KIND_RANDOM) /* of full rank: nothing is to be left */
        P->tola = 0;
    return start_matrix(P);
}

/* The factors are output; what stands in them must not look like a result. */
gsvd_status_t X(bench_poisoned)(const problem_t *P, int64_t rows, int64_t cols,
                                mat_t *A)
{
    GSVD_TRY(X(bench_mat)(P, rows, cols, A));
    return P->ex.op->set(&P->ex, *A, 7, 7);
}

static gsvd_status_t start_pair(problem_t *P)
{
    const int64_t m = P->m, n = P->n, p = P->p;
    P->start.A = P->A;
    P->start.B = P->B;
    GSVD_TRY(
        X(bench_poisoned)(P, m, P->economy ? min_i(m, n) : m, &P->start.U));
    GSVD_TRY(
        X(bench_poisoned)(P, p, P->economy ? min_i(p, n) : p, &P->start.V));
    return X(bench_poisoned)(P, n, P->economy ? min_i(n, m + p) : n,
                             &P->start.Q);
}

/* Room for the parts of factors, as a call of gsvd_qr_form has it */
static gsvd_status_t take_room(problem_t *P)
{
    const int64_t m = P->m, n = P->n;
    const size_t bytes =
        P->ex.op->products_bytes(&P->ex, max_i(m, n), min_i(m, n),
                                 P->ex.tune->wide, most_for_products(m, n));
    P->ex.products.bytes = bytes;
    return bench_take(P->bench, P->h, bytes, &P->ex.products.data);
}

/* ... and of the QR with its thin Q */
static gsvd_status_t start_qr(problem_t *P)
{
    GSVD_TRY(start_matrix(P));
    GSVD_TRY(take_room(P));
    return P->economy
               ? X(bench_poisoned)(P, P->m, min_i(P->m, P->n), &P->start.Q)
               : GSVD_SUCCESS;
}

/* ---- the work ----------------------------------------------------------- */

#define ARRAY(A) (A).data, (A).ld

static gsvd_status_t work_qr(void *data)
{
    problem_t *P = data;
    const mat_t Q = P->now.Q;
    GSVD_TRY(X(geqrf)(&P->ex, P->now.A, P->tau));
    if (!Q.data)
        return GSVD_SUCCESS;
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_cols(P->now.A, 0, Q.cols), Q));
    return X(ungqr)(&P->ex, Q, Q.cols, P->tau);
}

static gsvd_status_t work_qr_r(void *data)
{
    problem_t *P = data;
    return X(geqr)(&P->ex, P->now.A, P->tau);
}

static gsvd_status_t work_geqp(void *data)
{
    problem_t *P = data;
    int64_t rank;
    return X(geqpf)(&P->ex, P->now.A, P->ex.policy.pivot, P->tola, P->perm,
                    P->tau, &rank);
}

/* The tolerances of the ranks, for our own routines; negative: LAPACK's */
static real_t given(const problem_t *P)
{
    return P->bench->tolerance > 0 ? (real_t)P->bench->tolerance : -1;
}

static gsvd_status_t work_preprocess(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    const char u = P->economy ? 'S' : 'U', v = P->economy ? 'S' : 'V',
               q = P->economy ? 'S' : 'Q';
    int info;
    return PICK(P, X(preprocess), X(preprocess_gpu))(
        P->h, u, v, q, P->m, P->p, P->n, ARRAY(F->A), ARRAY(F->B), given(P),
        given(P), &P->k, &P->l, ARRAY(F->U), ARRAY(F->V), ARRAY(F->Q), &info);
}

static gsvd_status_t work_solve(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    int info;
    return PICK(P, X(solve), X(solve_gpu))(
        P->h, 'U', 'V', 'Q', P->m, P->p, P->n, P->k, P->l, ARRAY(F->A),
        ARRAY(F->B), given(P), given(P), P->alpha, P->beta, ARRAY(F->U),
        ARRAY(F->V), ARRAY(F->Q), &info);
}

static gsvd_status_t work_gsvd(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    const char *const job = P->bench->values ? "NNN"
                            : P->economy     ? "SSS"
                                             : "UVQ";
    int info;
    return PICK(P, GSVD_ENTRY,
                X(gpu))(P->h, job[0], job[1], job[2], P->m, P->n, P->p, &P->k,
                        &P->l, ARRAY(F->A), ARRAY(F->B), P->alpha, P->beta,
                        ARRAY(F->U), ARRAY(F->V), ARRAY(F->Q), &info);
}

/* The triangular pair, with the factors that made it, full: what dgsvd hands
 * from its first half to its second. */
static gsvd_status_t start_triangles(problem_t *P)
{
    P->economy = 0;
    GSVD_TRY(start_pair(P));
    GSVD_TRY(take_alike(P, &P->start, &P->now));
    GSVD_TRY(restore(P));
    GSVD_TRY(work_preprocess(P));
    P->start = P->now;
    return GSVD_SUCCESS;
}

/* ---- the steps ---------------------------------------------------------- */

static double count_qr(const problem_t *P, int sweeps)
{
    const double m = (double)P->m, n = (double)P->n;
    const double r = m < n ? m : n;
    (void)sweeps;
    return flops_qr(m, n, r) + (P->start.Q.data ? flops_form(m, r, r) : 0);
}

static double count_preprocess(const problem_t *P, int sweeps)
{
    (void)sweeps;
    return flops_preprocess((double)P->m, (double)P->n, (double)P->p,
                            (double)P->k, (double)P->l);
}

static double count_solve(const problem_t *P, int sweeps)
{
    return flops_jacobi((double)P->l, sweeps);
}

static double count_gsvd(const problem_t *P, int sweeps)
{
    return count_preprocess(P, sweeps) + count_solve(P, sweeps);
}

static double words_matrix(const problem_t *P)
{
    return 2 * (double)P->m * (double)P->n;
}

static double words_read(const problem_t *P)
{
    return (double)P->m * (double)P->n;
}

static double words_of_pair(const problem_t *P)
{
    return words_pair((double)P->m, (double)P->n, (double)P->p);
}

static const peer_t peers_of_qr[] = {
    {"geqrf", "cuSOLVER geqrf", 1, X(bench_cusolver_qr), NULL, NULL},
    {"xgeqrf", "LAPACK xGEQRF", 0, X(bench_lapack_qr), NULL, NULL},
    {0}};
static const peer_t peers_of_geqp[] = {
    {"xgeqp3", "LAPACK xGEQP3", 0, X(bench_lapack_geqp), NULL, NULL}, {0}};
static const peer_t peers_of_preprocess[] = {
    {"xggsvp3", "LAPACK xGGSVP3", 0, X(bench_lapack_preprocess), NULL, NULL},
    {0}};
static const peer_t peers_of_solve[] = {
    {"xtgsja", "LAPACK xTGSJA", 0, X(bench_lapack_solve), NULL, NULL}, {0}};
static const peer_t peers_of_gsvd[] = {
    {"composed", "cusolver-composed", 1, X(bench_cusolver_gsvd), NULL, NULL},
    {"xggsvd3", "LAPACK xGGSVD3", 0, X(bench_lapack_gsvd), NULL, NULL},
    {"qr_csd", "LAPACK xGEQRF + xORCSD2BY1", 0, X(bench_lapack_qr_csd),
     X(bench_fits_qr_csd), NULL},
    {0}};

static const timed_step_t of_pairs_and_qr[] = {
    {.name = "qr",
     .start = start_qr,
     .work = work_qr,
     .ratio = X(bench_ratio_qr),
     .flops = count_qr,
     .words = words_matrix,
     .peers = peers_of_qr},
    {.name = "qr_r",
     .start = start_matrix,
     .work = work_qr_r,
     .ratio = X(bench_ratio_qr_r),
     .flops = count_qr,
     .words = words_read,
     .peers = peers_of_qr},
    {.name = "geqp",
     .start = start_pivot,
     .work = work_geqp,
     .ratio = X(bench_ratio_geqp),
     .flops = count_qr,
     .words = words_matrix,
     .peers = peers_of_geqp},
    {.name = "preprocess",
     .pair = 1,
     .ranks = 1,
     .start = start_pair,
     .work = work_preprocess,
     .ratio = X(bench_ratio_preprocess),
     .flops = count_preprocess,
     .words = words_of_pair,
     .peers = peers_of_preprocess},
    {.name = "solve",
     .pair = 1,
     .ranks = 1,
     .sweeps = 1,
     .start = start_triangles,
     .work = work_solve,
     .ratio = X(bench_ratio_gsvd),
     .flops = count_solve,
     .words = words_of_pair,
     .peers = peers_of_solve},
    {.name = "gsvd",
     .pair = 1,
     .ranks = 1,
     .sweeps = 1,
     .start = start_pair,
     .work = work_gsvd,
     .ratio = X(bench_ratio_gsvd),
     .flops = count_gsvd,
     .words = words_of_pair,
     .peers = peers_of_gsvd},
};
static const timed_step_t *const steps[] = {
    &of_pairs_and_qr[0],      &of_pairs_and_qr[1], &of_pairs_and_qr[2],
    &X(bench_svd_step),       &X(bench_hsvd_step), &X(bench_eigh_step),
    &X(bench_eigh_fast_step), &of_pairs_and_qr[3], &of_pairs_and_qr[4],
    &of_pairs_and_qr[5],      &X(bench_ldl_step),  &X(bench_ldl_hsvd_step)};
enum { STEPS = sizeof steps / sizeof *steps };

/* ---- peers -------------------------------------------------------------- */

/* LAPACK starts from the same numbers, in host memory; U, V, Q in full. */
static gsvd_status_t open_host(problem_t *P, const timed_step_t *s,
                               problem_t *L)
{
    const shape_t shape = {P->m, P->n, P->p};
    GSVD_TRY(X(bench_open)(L, P->bench, P->bench->host, shape, 0));
    GSVD_TRY(X(bench_fetch)(P->h, P->A, L->A));
    GSVD_TRY(X(bench_fetch)(P->h, P->B, L->B));
    GSVD_TRY(X(bench_tolerances)(L));
    L->k = P->k;
    L->l = P->l;
    L->reference = P->reference;
    if (s->start == start_triangles) {
        GSVD_TRY(take_alike(L, &P->start, &L->start));
        for (int i = 0; i < MATRICES; ++i)
            GSVD_TRY(X(bench_fetch)(P->h, *factor_of(&P->start, i),
                                    *factor_of(&L->start, i)));
    } else
        GSVD_TRY(s->start(L));
    return take_alike(L, &L->start, &L->now);
}

/* Without --peers: those where the handle computes; on the host small ones. */
static int is_wanted(const problem_t *P, const timed_step_t *s,
                     const peer_t *peer)
{
    const bench_t *b = P->bench;
    if (!b->peer || (peer->on_device && !b->cuda) ||
        (peer->fits && !peer->fits(P)))
        return 0;
    if (b->peers)
        return bench_listed(b->peers, peer->word);
    if (s->lines && peer->on_device != b->cuda)
        return 0;
    return peer->on_device || P->n <= b->peer_max_n;
}

/* *H: the problem that holds the result, one in host memory for peers there */
static gsvd_status_t time_peer(problem_t *P, const timed_step_t *s,
                               const peer_t *peer, problem_t *H, timing_t *t)
{
    if (!peer->on_device)
        GSVD_TRY(open_host(P, s, H));
    else
        *H = *P;
    H->peer = NULL;
    return bench_time(P->bench, peer->on_device, restore, peer->work, H, t);
}

/* The time, and how wrong the result is, on a line of their own */
static gsvd_status_t time_line(problem_t *P, const timed_step_t *s,
                               const peer_t *peer, row_t *row)
{
    problem_t H;
    real_t ratio;
    GSVD_TRY(time_peer(P, s, peer, &H, &row->time));
    if (peer->finish)
        GSVD_TRY(peer->finish(&H));
    H.errors = (errors_t){0, 0, NAN};
    GSVD_TRY(s->ratio(&H, &ratio));
    row->ratio = ratio;
    row->by = peer->name;
    row->errors = H.errors;
    row->sweeps = -1;
    row->bound_ms = 0;
    bench_row(P->bench, row);
    return GSVD_SUCCESS;
}

/* A peer that cannot do the case is left out. */
static void left_out(const row_t *row, const peer_t *peer, gsvd_status_t status)
{
    fprintf(stderr, "%s %c: no time of %s: %s\n", row->step, row->letter,
            peer->name, gsvd_status_name(status));
}

/* The first peer that fits, for the step's line */
static void add_peer(problem_t *P, const timed_step_t *s, row_t *row)
{
    for (const peer_t *peer = s->peers; peer && peer->name; ++peer) {
        problem_t H;
        timing_t t;
        if (!is_wanted(P, s, peer))
            continue;
        const gsvd_status_t status = time_peer(P, s, peer, &H, &t);
        if (status != GSVD_SUCCESS) {
            left_out(row, peer, status);
            return;
        }
        row->peer = peer->name;
        row->peer_ms = t.ms;
        return;
    }
}

/* A line for each peer that is wanted */
static void add_lines(problem_t *P, const timed_step_t *s, const row_t *row)
{
    const int holds = P->bench->holds;
    for (const peer_t *peer = s->peers; peer && peer->name; ++peer) {
        row_t line = *row;
        if (!is_wanted(P, s, peer))
            continue;
        const gsvd_status_t status = time_line(P, s, peer, &line);
        if (status != GSVD_SUCCESS)
            left_out(row, peer, status);
        bench_drop_to(P->bench, holds);
    }
}

/* ---- a case ------------------------------------------------------------- */

gsvd_status_t X(bench_run)(problem_t *P, const timed_step_t *s, row_t *row)
{
    bench_t *const b = P->bench;
    const int reals = sizeof(scalar_t) / sizeof(real_t);
    real_t ratio;
    gsvd_stats_t stats = {.size = sizeof stats};
    GSVD_TRY(s->start(P));
    GSVD_TRY(take_alike(P, &P->start, &P->now));
    GSVD_TRY(bench_time(b, b->cuda, restore, s->work, P, &row->time));
    GSVD_TRY(gsvd_get_stats(b->h, &stats));
    P->errors = (errors_t){0, 0, NAN};
    GSVD_TRY(s->ratio(P, &ratio));

    row->k = s->ranks ? P->k : -1;
    row->l = s->ranks ? P->l : -1;
    row->sweeps = s->sweeps ? stats.sweeps : -1;
    row->ratio = ratio;
    row->flops = s->flops(P, stats.sweeps) * reals * reals;
    row->bytes = s->words(P) * (double)sizeof(scalar_t);
    if (s->bound)
        row->bound_ms = s->bound(P, stats.sweeps, &row->bound_by);
    row->judged = 1;
    row->errors = P->errors;
    if (!s->lines)
        add_peer(P, s, row);
    bench_row(b, row);
    if (s->lines)
        add_lines(P, s, row);
    return GSVD_SUCCESS;
}

static gsvd_status_t run_step(bench_t *b, shape_t shape, const timed_step_t *s,
                              row_t *row)
{
    problem_t P;
    b->seed = 1;
    shape.p = s->pair ? shape.p : 0;
    GSVD_TRY(X(bench_open)(&P, b, b->h, shape, b->economy));
    GSVD_TRY(X(bench_pair)(&P));
    return X(bench_run)(&P, s, row);
}

void X(bench)(bench_t *b, shape_t shape, const char *list)
{
    for (int i = 0; i < STEPS; ++i) {
        const timed_step_t *s = steps[i];
        row_t row = {.step = s->name,
                     .letter = STRING(GSVD_LETTER)[0],
                     .m = shape.m,
                     .n = shape.n,
                     .p = s->pair ? shape.p : -1,
                     .batch = 1};
        if (!bench_listed(list, s->name) || (s->tall && shape.m < shape.n) ||
            (s->square && shape.m != shape.n))
            continue;
        const gsvd_status_t status = run_step(b, shape, s, &row);
        if (status != GSVD_SUCCESS) {
            ++b->failures;
            fprintf(stderr, "%s %c %lld x %lld, %lld: %s: %s\n", s->name,
                    row.letter, (long long)shape.m, (long long)shape.n,
                    (long long)shape.p, gsvd_status_name(status),
                    gsvd_last_error(b->h));
        }
        bench_drop(b);
    }
    X(bench_primitives)(b, shape, list);
}
