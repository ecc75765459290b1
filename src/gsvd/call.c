/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.c -- a public call from its checks to its results: check, carve, run. */
#include "gsvd/pipeline.h"

/* -- workspace --------------------------------------------------------------- */

static int64_t most(int64_t a, int64_t b, int64_t c)
{
    return max_i(max_i(a, b), max_i(c, 1));
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

void X(take_bytes)(arena_t *a, size_t bytes, buffer_t *b)
{
    b->bytes = bytes;
    b->data = gsvd_arena_take(a, (int64_t)bytes, 1);
}

size_t X(most_room)(int64_t rows, int64_t cols)
{
    return (size_t)(rows * cols) * sizeof(scalar_t) / 2 + (4 << 20);
}

/* Of U and V, what is formed in QUEUE_FACTOR */
static void carve_side(gsvd_handle_t h, const backend_t *be, const call_t *c,
                       int64_t u, int64_t v, arena_t *a, work_t *w)
{
    const int64_t m = c->m, n = c->n, p = c->p;
    const size_t for_u = X(form_beside_bytes)(be, m, u, min_i(m, n), 1);
    const size_t for_v = X(form_beside_bytes)(be, p, v, min_i(p, n), 1);

    X(take_bytes)(a, larger(for_u, for_v), &w->side_desk);
    X(take_bytes)
    (a,
     w->side_desk.bytes > 0 ? be->room_bytes(h, max_i(m, p), max_i(u, v), n,
                                             X(most_room)(m + p, n))
                            : 0,
     &w->side_room);
}

/* The list of all arrays of a call: carved to be measured and to be used.  The
 * arrays of preprocessing share their memory with those of the other steps. */
static gsvd_status_t carve(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, arena_t *a, work_t *w)
{
    const int64_t m = c->m, n = c->n, p = c->p;
    const int64_t l = c->routine == ROUTINE_SOLVE ? c->l_in : min_i(p, n);
    const int64_t tall = most(m + l, n, p), wide = most(m, n, p);
    const int64_t u = gsvd_columns(c->jobu, m, min_i(m, n));
    const int64_t v = gsvd_columns(c->jobv, p, min_i(p, n));

    if (h->space->on_device && !c->device_arrays) {
        w->A = X(take_matrix)(a, m, n);
        w->B = X(take_matrix)(a, p, n);
        w->U = X(take_matrix)(a, m, u);
        w->V = X(take_matrix)(a, p, v);
        w->Q = X(take_matrix)(a, n, gsvd_columns(c->jobq, n, min_i(n, m + p)));
        w->alpha = gsvd_arena_take(a, n, sizeof(real_t));
        w->beta = gsvd_arena_take(a, n, sizeof(real_t));
    }
    size_t panels, pivots, desk = 0;
    GSVD_TRY(be->scratch_bytes(h, SCRATCH_PANELS, tall, n, n, &panels));
    GSVD_TRY(be->scratch_bytes(h, SCRATCH_PIVOTS, max_i(m, p), n, n, &pivots));
    if (c->routine != ROUTINE_SOLVE)
        desk = X(preprocess_desk_bytes)(be, m, n, p, u, v);
    if (c->routine != ROUTINE_PREPROCESS)
        desk = larger(desk, X(solve_desk_bytes)(be, m, n, l));
    X(take_bytes)(a, larger(panels, pivots), &w->scratch);
    X(take_bytes)(a, desk, &w->desk);
    X(take_bytes)
    (a, be->room_bytes(h, wide, n, n, X(most_room)(m + p, n)), &w->room);

    arena_t other = *a;
    w->side_desk = w->side_room = (buffer_t){0};
    if (c->routine != ROUTINE_SOLVE) {
        X(preprocess_carve)(&other, m, n, p, &w->pre);
        carve_side(h, be, c, u, v, &other, w);
    }
    if (c->routine != ROUTINE_PREPROCESS) {
        X(solve_carve)(a, m, l, &w->solve);
        X(assemble_carve)(a, m, n, p, l, &w->out);
    }
    a->used = other.used > a->used ? other.used : a->used;
    a->full |= other.full;
    return GSVD_SUCCESS;
}

/* Host memory of a primitive: with the rest where that is the host's. */
static gsvd_status_t carve_staging(gsvd_handle_t h, const backend_t *be,
                                   const call_t *c, arena_t *a,
                                   buffer_t *staging)
{
    *staging = (buffer_t){0};
    if (c->routine != ROUTINE_PREPROCESS && !gsvd_of_one_matrix(c))
        GSVD_TRY(be->staging_bytes(h, min_i(c->p, c->n), &staging->bytes));
    staging->data = gsvd_arena_take(a, (int64_t)staging->bytes, 1);
    return GSVD_SUCCESS;
}

/* Both lists: out of two arenas, or of one on the host. */
static gsvd_status_t carve_all(gsvd_handle_t h, const backend_t *be,
                               const call_t *c, arena_t *a, arena_t *stage,
                               work_t *w)
{
    GSVD_TRY((gsvd_of_one_matrix(c) ? X(one_carve) : carve)(h, be, c, a, w));
    return carve_staging(h, be, c, h->space->on_device ? stage : a,
                         &w->staging);
}

/* Bytes where the handle computes, and on the host for a device's handle. */
static gsvd_status_t measure_call(gsvd_handle_t h, const backend_t *be,
                                  const call_t *c, size_t *compute,
                                  size_t *staging)
{
    arena_t count = {0}, stage = {0};
    work_t w;
    GSVD_TRY(carve_all(h, be, c, &count, &stage, &w));
    *compute = gsvd_arena_bytes(&count);
    *staging = gsvd_arena_bytes(&stage);
    if (count.full || stage.full)
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY,
                         "the workspace is larger than the address space");
    return GSVD_SUCCESS;
}

gsvd_status_t X(call_buffer_size)(gsvd_handle_t h, const call_t *c,
                                  size_t *dwork_bytes, size_t *hwork_bytes)
{
    const backend_t *const be = X(backend)(h);
    size_t compute, staging;

    *dwork_bytes = *hwork_bytes = 0;
    if (c->device_arrays && !h->space->on_device)
        return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                         "a _gpu call through a host handle");
    GSVD_TRY(gsvd_check_sizes(h, c));
    GSVD_TRY(h->space->enter(h));
    const gsvd_status_t status = measure_call(h, be, c, &compute, &staging);
    h->space->leave(h);
    GSVD_TRY(status);
    *dwork_bytes = h->space->on_device ? compute : 0;
    *hwork_bytes = h->space->on_device ? staging : compute;
    return GSVD_SUCCESS;
}

/* The caller's memory, or the handle's own. */
static gsvd_status_t acquire(gsvd_handle_t h, const space_t *space,
                             buffer_t *own, void *given, size_t bytes,
                             size_t need, const char *name, void **memory)
{
    if (!given) {
        GSVD_TRY(gsvd_buffer_grow(h, space, own, need));
        given = own->data;
    } else if (bytes < need) {
        return gsvd_fail(h, GSVD_WORKSPACE_TOO_SMALL,
                         "%s: %zu bytes given, %zu needed", name, bytes, need);
    }
    *memory = given;
    return GSVD_SUCCESS;
}

/* A call's workspace, and what it follows from beside the handle's options and
 * memory, on the host. */
#define layout_t X(layout_t)
typedef struct layout_t {
    routine_t routine;
    int64_t m, n, p, l_in;
    work_t work;
} layout_t;

_Static_assert(sizeof(layout_t) <= sizeof((gsvd_handle_t)0)->layout,
               "a handle has no room for the layout of a workspace");

static int alike(const layout_t *last, const call_t *c)
{
    return last->routine == c->routine && last->m == c->m && last->n == c->n &&
           last->p == c->p && last->l_in == c->l_in;
}

/* The memory of earlier calls, if it suffices: a small pair has no time to be
 * measured first, nor to be laid out again if the last call was like it. */
static gsvd_status_t allot_again(gsvd_handle_t h, const backend_t *be,
                                 const call_t *c, layout_t *last, int *done)
{
    *done = h->laid_out == be && alike(last, c);
    if (*done)
        return GSVD_SUCCESS;
    h->laid_out = NULL;
    last->work = (work_t){0};
    if (h->space->on_device || h->hwork || !h->compute.data)
        return GSVD_SUCCESS;
    arena_t arena = gsvd_arena_over(h->compute.data, h->compute.bytes);
    GSVD_TRY(carve_all(h, be, c, &arena, NULL, &last->work));
    *done = !arena.full;
    if (*done && !gsvd_of_one_matrix(c)) {
        h->laid_out = be;
        last->routine = c->routine;
        last->m = c->m;
        last->n = c->n;
        last->p = c->p;
        last->l_in = c->l_in;
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t allot_anew(gsvd_handle_t h, const backend_t *be,
                                const call_t *c, work_t *w)
{
    size_t compute, staging;
    void *memory = NULL, *stage = NULL;

    GSVD_TRY(measure_call(h, be, c, &compute, &staging));
    if (h->space->on_device) {
        GSVD_TRY(acquire(h, h->space, &h->compute, h->dwork, h->dwork_bytes,
                         compute, "dwork", &memory));
        GSVD_TRY(acquire(h, &gsvd_space_host, &h->host, h->hwork,
                         h->hwork_bytes, staging, "hwork", &stage));
    } else {
        GSVD_TRY(acquire(h, h->space, &h->compute, h->hwork, h->hwork_bytes,
                         compute, "hwork", &memory));
    }
    arena_t arena = gsvd_arena_over(memory, compute);
    arena_t on_host = gsvd_arena_over(stage, staging);
    return carve_all(h, be, c, &arena, &on_host, w);
}

static gsvd_status_t allot(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, work_t **w)
{
    layout_t *const last = (layout_t *)h->layout;
    int done;

    *w = &last->work;
    GSVD_TRY(allot_again(h, be, c, last, &done));
    if (!done)
        GSVD_TRY(allot_anew(h, be, c, *w));
    h->scratch = (*w)->scratch;
    h->desk = (*w)->desk;
    h->side_desk = (*w)->side_desk;
    h->room = (*w)->room;
    h->side_room = (*w)->side_room;
    h->staging = (*w)->staging;
    return GSVD_SUCCESS;
}

/* -- the caller's arrays ------------------------------------------------------ */

/* P views the caller's arrays, or copies of them where the backend computes. */
static gsvd_status_t bind(gsvd_handle_t h, const call_t *c, const work_t *w,
                          pair_t *P)
{
    const int64_t m = c->m, n = c->n, p = c->p;
    const int64_t u = gsvd_columns(c->jobu, m, min_i(m, n));
    const int64_t v = gsvd_columns(c->jobv, p, min_i(p, n));
    const int64_t q = gsvd_columns(c->jobq, n, min_i(n, m + p));

    P->m = m;
    P->n = n;
    P->p = p;
    P->k = c->k_in;
    P->l = c->l_in;
    const int options = c->routine == ROUTINE_GSVD;
    P->tola = (real_t)(options ? h->tolerance[GSVD_TOL_A] : c->tola);
    P->tolb = (real_t)(options ? h->tolerance[GSVD_TOL_B] : c->tolb);
    P->values_only = c->routine != ROUTINE_PREPROCESS &&
                     gsvd_upper(c->jobu) == 'N' && gsvd_upper(c->jobv) == 'N' &&
                     gsvd_upper(c->jobq) == 'N';
    P->x_form =
        c->routine == ROUTINE_GSVD && h->option[GSVD_FORM] == GSVD_FORM_X;
    if (!h->space->on_device || c->device_arrays) {
        P->A = mat_view(c->A, m, n, c->lda);
        P->B = mat_view(c->B, p, n, c->ldb);
        P->U = mat_view(u ? c->U : NULL, m, u, c->ldu);
        P->V = mat_view(v ? c->V : NULL, p, v, c->ldv);
        P->Q = mat_view(q ? c->Q : NULL, n, q, c->ldq);
        P->alpha = c->alpha;
        P->beta = c->beta;
        return GSVD_SUCCESS;
    }
    P->A = w->A;
    P->B = w->B;
    P->U = mat_view(u ? w->U.data : NULL, m, u, w->U.ld);
    P->V = mat_view(v ? w->V.data : NULL, p, v, w->V.ld);
    P->Q = mat_view(q ? w->Q.data : NULL, n, q, w->Q.ld);
    P->alpha = w->alpha;
    P->beta = w->beta;
    GSVD_TRY(X(move_in)(h, c->A, c->lda, P->A));
    GSVD_TRY(X(move_in)(h, c->B, c->ldb, P->B));
    if (c->routine != ROUTINE_SOLVE)
        return GSVD_SUCCESS;
    if (gsvd_upper(c->jobu) == 'U')
        GSVD_TRY(X(move_in)(h, c->U, c->ldu, P->U));
    if (gsvd_upper(c->jobv) == 'V')
        GSVD_TRY(X(move_in)(h, c->V, c->ldv, P->V));
    if (gsvd_upper(c->jobq) == 'Q')
        GSVD_TRY(X(move_in)(h, c->Q, c->ldq, P->Q));
    return GSVD_SUCCESS;
}

/* Results into the caller's arrays, once all of the work is known to be good: a
 * copy to pinned memory does not wait, and a fault must not leave half of it. */
static gsvd_status_t deliver(gsvd_handle_t h, const call_t *c, const pair_t *P)
{
    const size_t each = sizeof(real_t);
    if (!h->space->on_device || c->device_arrays)
        return GSVD_SUCCESS;
    GSVD_TRY(h->space->wait(h));
    if (!P->values_only) {
        GSVD_TRY(X(move_out)(h, P->A, c->A, c->lda));
        GSVD_TRY(X(move_out)(h, P->B, c->B, c->ldb));
    }
    if (P->U.data)
        GSVD_TRY(X(move_out)(h, P->U, c->U, c->ldu));
    if (P->V.data)
        GSVD_TRY(X(move_out)(h, P->V, c->V, c->ldv));
    if (P->Q.data)
        GSVD_TRY(X(move_out)(h, P->Q, c->Q, c->ldq));
    if (c->routine != ROUTINE_PREPROCESS) {
        GSVD_TRY(X(move_values)(h, P->alpha, c->alpha, P->n, each));
        GSVD_TRY(X(move_values)(h, P->beta, c->beta, P->n, each));
    }
    return h->space->wait(h);
}

/* solve's job 'I' */
static gsvd_status_t start_factors(gsvd_handle_t h, const backend_t *be,
                                   const call_t *c, const pair_t *P)
{
    if (c->routine != ROUTINE_SOLVE)
        return GSVD_SUCCESS;
    if (gsvd_upper(c->jobu) == 'I' && P->U.data)
        GSVD_TRY(be->set(h, P->U, 0, 1));
    if (gsvd_upper(c->jobv) == 'I' && P->V.data)
        GSVD_TRY(be->set(h, P->V, 0, 1));
    if (gsvd_upper(c->jobq) == 'I' && P->Q.data)
        GSVD_TRY(be->set(h, P->Q, 0, 1));
    return GSVD_SUCCESS;
}

/* -- the call ----------------------------------------------------------------- */

static gsvd_status_t run_pair(gsvd_handle_t h, const backend_t *be,
                              const call_t *c, work_t *w)
{
    static gsvd_status_t (*const run[])(gsvd_handle_t, const backend_t *,
                                        const call_t *, pair_t *, work_t *) = {
        [ROUTINE_GSVD] = X(run_gsvd),
        [ROUTINE_PREPROCESS] = X(run_preprocess),
        [ROUTINE_SOLVE] = X(run_solve),
    };
    pair_t P = {0};

    GSVD_TRY(bind(h, c, w, &P));
    GSVD_TRY(start_factors(h, be, c, &P));
    GSVD_TRY(run[c->routine](h, be, c, &P, w));
    if (c->k)
        *c->k = P.k;
    if (c->l)
        *c->l = P.l;
    h->stats.k = P.k;
    h->stats.l = P.l;
    return deliver(h, c, &P);
}

static gsvd_status_t compute(gsvd_handle_t h, const call_t *c)
{
    const backend_t *const be = X(backend)(h);
    work_t *w;

    GSVD_TRY(allot(h, be, c, &w));
    return gsvd_of_one_matrix(c) ? X(run_one)(h, be, c, w)
                                 : run_pair(h, be, c, w);
}

/* The same, with statistics and the solver's verdict. */
static gsvd_status_t compute_pair(gsvd_handle_t h, const call_t *c)
{
    const double start = h->lap;

    h->stats = (gsvd_stats_t){.device = h->device, .converged = 1};
    const gsvd_status_t status = compute(h, c);
    h->stats.seconds_total = gsvd_now() - start;
    if (status != GSVD_SUCCESS || h->stats.converged)
        return status;
    return gsvd_fail(h, GSVD_NOT_CONVERGED, "%s after %d sweeps",
                     h->stopped ? "stopped" : "no convergence",
                     h->stats.sweeps);
}

static int has_result(gsvd_status_t status)
{
    return status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED;
}

static gsvd_status_t too_large(gsvd_handle_t h, const call_t *c)
{
    if (c->info)
        *c->info = 2;
    return gsvd_fail(h, GSVD_OVERFLOW,
                     "the result has entries beyond the largest number: scale "
                     "by 2^-%d first",
                     h->overflow);
}

/* On a device the kernels load and store elements whole, on the host code for CPUs
 * goes by real numbers, as LAPACK's does. */
static gsvd_status_t check_args(gsvd_handle_t h, const call_t *c)
{
    return gsvd_check_args(
        h, c, c->device_arrays ? sizeof(scalar_t) : _Alignof(real_t),
        _Alignof(real_t));
}

static gsvd_status_t call(gsvd_handle_t h, const call_t *c)
{
    h->error[0] = '\0';
    h->stopped = 0;
    h->overflow = 0;
    h->by_rows = 0;
    h->lap = gsvd_now();
    if (c->device_arrays && !h->space->on_device)
        return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                         "a _gpu call through a host handle");
    GSVD_TRY(check_args(h, c));

    GSVD_TRY(h->space->enter(h));
    const gsvd_status_t status =
        (gsvd_of_one_matrix(c) ? compute : compute_pair)(h, c);
    h->room = h->side_room = (buffer_t){0};
    h->space->leave(h);
    return has_result(status) && h->overflow > 0 ? too_large(h, c) : status;
}

gsvd_status_t X(call)(gsvd_handle_t h, const call_t *c)
{
    if (c->info)
        *c->info = 0;
    return gsvd_report(h ? call(h, c) : GSVD_INVALID_HANDLE, c->info);
}
