/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call_one.c -- the routines of one matrix: their arrays, and what they do.
 *
 * A matrix whose largest entry is far from 1 is brought next to it by a power of
 * two before the factorization, and R back after it: reflectors know no scale.
 */
#include <stdlib.h>

#include "core/range.h"
#include "gsvd/pipeline.h"

/* Largest entries with exponents beyond these are brought next to 1: squares and
 * long sums of what is within are far from over- and underflow. */
enum { FAR = GSVD_SINGLE ? 16 : 128 };

/* -- workspace ---------------------------------------------------------------- */

/* The sizes of a call's arrays; 0: it has none of them. */
typedef struct shape {
    int64_t rows, cols; /* of A                                              */
    int64_t taus, jpvt;
    int64_t c_rows, c_cols, u, v; /* of C; columns of U and V                */
} shape_t;

static shape_t shape_of(const call_t *c)
{
    const int64_t m = c->m, n = c->n, least = min_i(m, n);
    switch (c->routine) {
    case ROUTINE_QR_APPLY:
        return (shape_t){.rows = gsvd_order_of_q(c),
                         .cols = c->k_in,
                         .taus = c->k_in,
                         .c_rows = m,
                         .c_cols = n};
    case ROUTINE_QR_FORM:
        return (shape_t){.rows = m, .cols = n, .taus = c->k_in};
    case ROUTINE_GEQP:
        return (shape_t){.rows = m, .cols = n, .taus = least, .jpvt = n};
    case ROUTINE_URV:
        return (shape_t){.rows = m,
                         .cols = n,
                         .u = gsvd_columns(c->jobu, m, least),
                         .v = gsvd_columns(c->jobv, n, least)};
    default: return (shape_t){.rows = m, .cols = n, .taus = least};
    }
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static int r_alone(const call_t *c)
{
    return c->routine == ROUTINE_QR && !c->tau;
}

static void carve_copies(arena_t *a, const call_t *c, const shape_t *s,
                         work_t *w)
{
    w->A = X(take_matrix)(a, s->rows, s->cols);
    w->C = X(take_matrix)(a, s->c_rows, s->c_cols);
    w->U = X(take_matrix)(a, c->m, s->u);
    w->V = X(take_matrix)(a, c->n, s->v);
    w->tau = gsvd_arena_take(a, s->taus, sizeof(scalar_t));
    w->jpvt = gsvd_arena_take(a, s->jpvt, sizeof *w->jpvt);
}

static gsvd_status_t measure_scratch(gsvd_handle_t h, const backend_t *be,
                                     const call_t *c, const shape_t *s,
                                     size_t *bytes)
{
    static const scratch_t what[] = {[ROUTINE_QR] = SCRATCH_PANELS,
                                     [ROUTINE_QR_APPLY] = SCRATCH_LITTLE,
                                     [ROUTINE_QR_FORM] = SCRATCH_LITTLE,
                                     [ROUTINE_GEQP] = SCRATCH_ALL,
                                     [ROUTINE_URV] = SCRATCH_ALL};
    const int64_t r = min_i(c->m, c->n);
    size_t of_rows = 0;

    GSVD_TRY(be->scratch_bytes(h, what[c->routine], max_i(s->rows, s->c_rows),
                               s->cols, s->c_cols, bytes));
    if (c->routine == ROUTINE_URV) /* RQ                                     */
        GSVD_TRY(be->scratch_bytes(h, SCRATCH_PANELS, c->n, r, r, &of_rows));
    *bytes = larger(*bytes, of_rows);
    return GSVD_SUCCESS;
}

static size_t desk_bytes(const backend_t *be, const call_t *c, const shape_t *s)
{
    const int64_t m = c->m, n = c->n, r = min_i(m, n);
    size_t desk;

    switch (c->routine) {
    case ROUTINE_QR_APPLY:
        return X(unmqr_desk_bytes)(be, s->rows, s->cols,
                                   gsvd_upper(c->side) == 'L' ? n : m);
    case ROUTINE_QR_FORM: return X(ungqr_desk_bytes)(be, m, n, s->taus);
    case ROUTINE_GEQP: return X(geqp_desk_bytes)(be, m, n);
    case ROUTINE_URV:
        desk =
            larger(X(geqp_desk_bytes)(be, m, n), X(geqrf_desk_bytes)(be, n, r));
        desk = larger(desk, X(unmqr_desk_bytes)(be, n, r, s->v));
        return larger(desk, X(form_beside_bytes)(be, m, s->u, r, 0));
    default: return X(geqrf_desk_bytes)(be, m, n);
    }
}

/* Room for products with C, Q, A; E of an RQ has A's size at most.  Those of pivoted
 * QR are too small. */
static size_t room_bytes(gsvd_handle_t h, const backend_t *be, const call_t *c,
                         const shape_t *s)
{
    const int64_t m = c->m, n = c->n;
    int64_t inner = be->wide; /* reflectors at a time                        */

    if (c->routine == ROUTINE_GEQP)
        return 0;
    if (c->routine == ROUTINE_QR)
        inner = be->block;
    if (c->routine == ROUTINE_QR_FORM &&
        X(form_pays)(m, n, be->block, s->taus)) /* all in one block          */
        inner = max_i(s->taus, be->wide);
    return be->room_bytes(h, max_i(m, n), min_i(m, n), inner,
                          X(most_room)(m, n));
}

/* The list of all arrays, as in call.c. */
gsvd_status_t X(one_carve)(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, arena_t *a, work_t *w)
{
    const shape_t s = shape_of(c);
    size_t scratch, room;

    if (h->space->on_device && !c->device_arrays)
        carve_copies(a, c, &s, w);
    else if (c->routine == ROUTINE_QR) /* sizes do not depend on r_alone     */
        w->tau = gsvd_arena_take(a, s.taus, sizeof(scalar_t));
    w->perm = gsvd_arena_take(a, s.jpvt, sizeof *w->perm);
    if (c->routine == ROUTINE_URV)
        X(urv_carve)(a, c->m, c->n, s.v, &w->urv);

    GSVD_TRY(measure_scratch(h, be, c, &s, &scratch));
    X(take_bytes)(a, scratch, &w->scratch);
    X(take_bytes)(a, desk_bytes(be, c, &s), &w->desk);
    X(take_bytes)
    (a, X(form_beside_bytes)(be, c->m, s.u, min_i(c->m, c->n), 1),
     &w->side_desk);
    room = room_bytes(h, be, c, &s);
    X(take_bytes)(a, room, &w->room);
    X(take_bytes)(a, w->side_desk.bytes > 0 ? room : 0, &w->side_room);
    return GSVD_SUCCESS;
}

/* -- the caller's arrays ------------------------------------------------------ */

#define one_t X(one_t)
typedef struct one_t {
    mat_t A, C, U, V;
    scalar_t *tau;
    int64_t taus;
    int64_t *jpvt;
    int64_t rank;
} one_t;

static gsvd_status_t bind(gsvd_handle_t h, const call_t *c, const work_t *w,
                          one_t *P)
{
    const shape_t s = shape_of(c);
    const int copies = h->space->on_device && !c->device_arrays;

    P->taus = s.taus;
    P->tau = copies || r_alone(c) ? w->tau : c->tau;
    P->jpvt = copies ? w->jpvt : c->jpvt;
    P->A = copies ? w->A : mat_view(c->A, s.rows, s.cols, c->lda);
    P->C = copies ? w->C : mat_view(c->C, s.c_rows, s.c_cols, c->ldc);
    P->U = copies ? w->U : mat_view(c->U, c->m, s.u, c->ldu);
    P->V = copies ? w->V : mat_view(c->V, c->n, s.v, c->ldv);
    if (s.u == 0)
        P->U.data = NULL;
    if (s.v == 0)
        P->V.data = NULL;
    if (!copies)
        return GSVD_SUCCESS;
    GSVD_TRY(X(move_in)(h, c->A, c->lda, P->A));
    if (c->routine != ROUTINE_QR_APPLY && c->routine != ROUTINE_QR_FORM)
        return GSVD_SUCCESS;
    const int64_t ld = max_i(s.taus, 1);
    GSVD_TRY(X(move_in)(h, c->tau, ld, mat_view(P->tau, s.taus, 1, ld)));
    return X(move_in)(h, c->C, c->ldc, P->C);
}

/* As in call.c, once all of the work is known to be good. */
static gsvd_status_t deliver(gsvd_handle_t h, const call_t *c, const one_t *P)
{
    if (!h->space->on_device || c->device_arrays)
        return GSVD_SUCCESS;
    GSVD_TRY(h->space->wait(h));
    if (r_alone(c))
        GSVD_TRY(X(move_out)(h, mat_rows(P->A, 0, P->taus), c->A, c->lda));
    else if (c->routine != ROUTINE_QR_APPLY)
        GSVD_TRY(X(move_out)(h, P->A, c->A, c->lda));
    if (c->tau && (c->routine == ROUTINE_QR || c->routine == ROUTINE_GEQP))
        GSVD_TRY(X(move_values)(h, P->tau, c->tau, P->taus, sizeof *P->tau));
    if (c->routine == ROUTINE_GEQP)
        GSVD_TRY(X(move_values)(h, P->jpvt, c->jpvt, c->n, sizeof *P->jpvt));
    GSVD_TRY(X(move_out)(h, P->C, c->C, c->ldc));
    GSVD_TRY(X(move_out)(h, P->U, c->U, c->ldu));
    GSVD_TRY(X(move_out)(h, P->V, c->V, c->ldv));
    return h->space->wait(h);
}

/* -- scale -------------------------------------------------------------------- */

/* A NaN or an infinity is argument i; r may be NULL.  Waits. */
static gsvd_status_t look(gsvd_handle_t h, const backend_t *be, const call_t *c,
                          mat_t A, int i, const char *name, measure_t *r)
{
    measure_t unused;
    r = r ? r : &unused;
    GSVD_TRY(be->measure(h, A, r));
    return r->finite
               ? GSVD_SUCCESS
               : gsvd_illegal(h, c->info, i, name, "has a NaN or an infinity");
}

/* 2^-e brings the largest entry next to 1; 0 where it is not far from it */
static int exponent_of(const measure_t *r)
{
    const int e = r->largest > 0 ? exponent_r(r->largest) + 1 : 0;
    return abs(e) > FAR ? e : 0;
}

/* A := 2^-e A; *tol likewise, or LAPACK's if it is NULL or negative */
static gsvd_status_t scale_one(gsvd_handle_t h, const backend_t *be,
                               const call_t *c, mat_t A, int *e, real_t *tol)
{
    measure_t r;

    GSVD_TRY(look(h, be, c, A, gsvd_argument_a(c->routine), "A", &r));
    *e = exponent_of(&r);
    GSVD_TRY(be->shift(h, A, -*e));
    if (!tol)
        return GSVD_SUCCESS;
    *tol = (real_t)c->tola;
    const int given = *tol >= 0;
    if (!given && *e != 0) /* sums of entries next to overflow are infinite   */
        GSVD_TRY(be->measure(h, A, &r));
    *tol = fmax_r(given ? ldexp_r(*tol, -*e)
                        : rank_tolerance(A.rows, A.cols, r.norm1),
                  least_tolerance(A.rows, A.cols, given, *e));
    return GSVD_SUCCESS;
}

/* -- the routines ------------------------------------------------------------- */

static gsvd_status_t run_qr(gsvd_handle_t h, const backend_t *be,
                            const call_t *c, one_t *P, work_t *w)
{
    int e;
    (void)w;
    GSVD_TRY(scale_one(h, be, c, P->A, &e, NULL));
    GSVD_TRY((r_alone(c) ? X(geqr) : X(geqrf))(h, be, P->A, P->tau));
    GSVD_TRY(be->shift_upper(h, P->A, e));
    return X(look_for_overflow)(h, be, mat_rows(P->A, 0, P->taus), P->A.rows,
                                P->A.cols, e);
}

/* the reflectors, of P->taus columns */
static gsvd_status_t look_at_q(gsvd_handle_t h, const backend_t *be,
                               const call_t *c, const one_t *P)
{
    const int64_t k = P->taus;
    GSVD_TRY(look(h, be, c, mat_cols(P->A, 0, k), gsvd_argument_a(c->routine),
                  "A", NULL));
    return look(h, be, c, mat_view(P->tau, k, 1, max_i(k, 1)),
                gsvd_argument_tau(c->routine), "tau", NULL);
}

static gsvd_status_t run_qr_apply(gsvd_handle_t h, const backend_t *be,
                                  const call_t *c, one_t *P, work_t *w)
{
    measure_t r;
    (void)w;
    GSVD_TRY(look_at_q(h, be, c, P));
    GSVD_TRY(look(h, be, c, P->C, gsvd_argument_c(c->routine), "C", &r));
    const int e = exponent_of(&r);
    GSVD_TRY(be->shift(h, P->C, -e));
    GSVD_TRY(X(unmqr)(h, be, gsvd_upper(c->side), gsvd_upper(c->op), P->A,
                      P->taus, P->tau, P->C));
    GSVD_TRY(be->shift(h, P->C, e));
    return X(look_for_overflow)(h, be, P->C, P->C.rows, P->C.cols, e);
}

static gsvd_status_t run_qr_form(gsvd_handle_t h, const backend_t *be,
                                 const call_t *c, one_t *P, work_t *w)
{
    (void)w;
    GSVD_TRY(look_at_q(h, be, c, P));
    return X(ungqr)(h, be, P->A, P->taus, P->tau);
}

static gsvd_status_t run_geqp(gsvd_handle_t h, const backend_t *be,
                              const call_t *c, one_t *P, work_t *w)
{
    const gsvd_pivot_t how = (gsvd_pivot_t)h->option[GSVD_PIVOT];
    const mat_t A = P->A;
    real_t tol;
    int e;

    GSVD_TRY(scale_one(h, be, c, A, &e, &tol));
    GSVD_TRY(X(geqpf)(h, be, A, how, tol, w->perm, P->tau, &P->rank));
    const int64_t r = P->rank;
    GSVD_TRY(be->shift_upper(h, mat_cols(A, 0, r), e));
    GSVD_TRY(be->shift(h, mat_cols(A, r, A.cols - r), e)); /* no reflectors */
    GSVD_TRY(be->nonzero(h, mat_sub(A, 0, 0, r, r)));
    GSVD_TRY(X(look_for_overflow)(h, be, A, A.rows, A.cols, e));
    return be->count_from_one(h, A.cols, w->perm, P->jpvt);
}

static gsvd_status_t run_urv(gsvd_handle_t h, const backend_t *be,
                             const call_t *c, one_t *P, work_t *w)
{
    real_t tol;
    int e;

    GSVD_TRY(scale_one(h, be, c, P->A, &e, &tol));
    GSVD_TRY(X(urv_factor)(h, be, P->A, P->U, P->V, tol, &P->rank, &w->urv));
    const int64_t r = P->rank, n = P->A.cols;
    GSVD_TRY(be->shift(h, P->A, e));
    GSVD_TRY(be->nonzero(h, mat_sub(P->A, 0, n - r, r, r)));
    return X(look_for_overflow)(h, be, P->A, P->A.rows, n, e);
}

gsvd_status_t X(run_one)(gsvd_handle_t h, const backend_t *be, const call_t *c,
                         work_t *w)
{
    static gsvd_status_t (*const run[])(gsvd_handle_t, const backend_t *,
                                        const call_t *, one_t *, work_t *) = {
        [ROUTINE_QR] = run_qr,           [ROUTINE_QR_APPLY] = run_qr_apply,
        [ROUTINE_QR_FORM] = run_qr_form, [ROUTINE_GEQP] = run_geqp,
        [ROUTINE_URV] = run_urv,
    };
    one_t P = {0};

    GSVD_TRY(bind(h, c, w, &P));
    GSVD_TRY(run[c->routine](h, be, c, &P, w));
    if (c->k)
        *c->k = P.rank;
    return deliver(h, c, &P);
}
