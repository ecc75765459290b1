/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_batched.c -- many problems of one routine.
 *
 *     at once       by a solver of batches, where one fits and pays
 *     one by one    by the routine's program, whatever the shape
 *
 * These are two solvers (at_once.c).  On a device one call has the whole batch.  On the host
 * threads take parts of it, by either solver, each with an exec, work and a handle of its own: what a problem says is not
 * what the call says.  No problem sees another, so that nothing depends on their number.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/threads.h"
#include "gsvd/run_batched.h"

enum {
    PART = 64,              /* problems of a part that is solved at once      */
    ALONE = 128 * 128 * 128 /* multiplications in a product: shares_of        */
};

/* -- one by one --------------------------------------------------------------------- */

static gsvd_status_t add_need(const exec_t *ex, const program_t *p,
                              const args_t *a, need_t *need)
{
    need_t one = {0};
    GSVD_TRY(p->measure(ex, a, &one));
    need->work = max_size(need->work, one.work);
    need->products = max_size(need->products, one.products);
    need->staging = max_size(need->staging, one.staging);
    need->full |= one.full;
    return GSVD_SUCCESS;
}

/* A smaller problem may take more than the largest one, where it is wide and that is tall, or
 * the other way round. */
static gsvd_status_t measure_one(const exec_t *ex, const program_t *p,
                                 const batch_args_t *b, need_t *need)
{
    const int64_t m = b->one.m, n = b->one.n, square = min_i(m, n);
    const int64_t shape[][2] = {{m, n},
                                {square, square},
                                {max_i(square - 1, 0), square},
                                {square, max_i(square - 1, 0)},
                                {max_i(square - 1, 0), n}};
    const int shapes = b->size[0] ? (int)(sizeof shape / sizeof *shape) : 1;
    args_t a = b->one;

    struct notes *const notes = ex->h->notes;
    gsvd_status_t status = GSVD_SUCCESS;
    for (int i = 0; i < shapes && status == GSVD_SUCCESS; ++i) {
        a.m = shape[i][0];
        a.n = shape[i][1];
        ex->h->notes = i == 0 ? notes : NULL; /* The largest one is told.    */
        status = add_need(ex, p, &a, need);
    }
    ex->h->notes = notes;
    return status;
}

/* The values and the factors of a problem without results := NaN */
static gsvd_status_t no_results(const exec_t *ex, const program_t *p,
                                const args_t *a)
{
    const int pair = a->array[OPERAND_BETA] != NULL;
    const int eigh = p == &X(eigh_program);
    const int64_t values = pair || eigh ? a->n : min_i(a->m, a->n);
    const mat_t factor[] = {
        operand_of(a, OPERAND_U, a->m,
                   pair ? pair_u_cols(a) : matrix_u_cols(a)),
        pair ? operand_of(a, OPERAND_V, a->p, pair_v_cols(a))
             : operand_of(a, OPERAND_V, a->n, matrix_v_cols(a)),
        operand_of(a, OPERAND_Q, a->n,
                   pair   ? pair_q_cols(a)
                   : eigh ? columns_of(a, 0, a->n, a->n)
                          : 0)};

    for (int i = 0; i < 3; ++i)
        if (factor[i].data)
            GSVD_TRY(ex->op->set(ex, factor[i], (real_t)NAN, (real_t)NAN));
    if (pair)
        GSVD_TRY(ex->op->values_set(ex, 0, values, (real_t)NAN,
                                    a->array[OPERAND_BETA]));
    return ex->op->values_set(ex, 0, values, (real_t)NAN,
                              a->array[OPERAND_ALPHA]);
}

static args_t problem_of(const batch_args_t *b, int64_t i)
{
    args_t a = sizes_of(b, i);
    for (int x = 0; x < OPERANDS; ++x) {
        const size_t bytes = x == OPERAND_J ? sizeof(int64_t)
                             : x == OPERAND_ALPHA || x == OPERAND_BETA
                                 ? sizeof(real_t)
                                 : sizeof(scalar_t);
        a.array[x] = array_of(b, x, i, bytes);
        a.ld[x] = ld_of(b, x, i);
    }
    return a;
}

/* What *info of the single routine says */
static int info_of(const batch_args_t *b, const outcome_t *out)
{
    if (out->illegal)
        return b->illegal[out->illegal - 1];
    if (out->dependent)
        return 2 + (int)out->dependent;
    return out->overflow ? 2 : out->unfinished ? 1 : 0;
}

static gsvd_status_t solve(const exec_t *ex, const program_t *p,
                           const batch_args_t *b, int64_t i)
{
    const args_t a = problem_of(b, i);
    outcome_t out = {0};

    const gsvd_status_t status = p->run(ex, &a, &out);
    const int refused = out.illegal || out.dependent;
    b->info[i] = info_of(b, &out);
    if (b->k)
        b->k[i] = refused ? 0 : out.k;
    if (b->l)
        b->l[i] = refused ? 0 : out.l;
    return refused ? no_results(ex, p, &a) : status;
}

gsvd_status_t X(one_by_one)(const exec_t *ex, const task_t *t)
{
    const some_t *const p = t->problem;
    for (int64_t i = p->first; i < p->first + p->count; ++i)
        GSVD_TRY(solve(ex, p->program, p->b, i));
    return GSVD_SUCCESS;
}

/* -- the shares ------------------------------------------------------------------------ */

/* Problems of a part */
static int64_t part_of(const exec_t *ex, const batch_args_t *b, int at_once)
{
    if (ex->h->space->on_device)
        return max_i(b->count, 1);
    return at_once ? PART : 1;
}

/* Does the BLAS take threads for a product of the largest matrices?  Their sizes may be 2^31 - 1,
 * and the number of multiplications no integer. */
static int is_large(const batch_args_t *b)
{
    const int64_t n = max_i(b->one.m, b->one.p), k = b->one.n;
    return (double)n * (double)k * (double)min_i(n, k) > ALONE;
}

/* Threads that are of use.  Where the BLAS takes threads, it gets them all. */
static int64_t shares_of(const exec_t *ex, const batch_args_t *b, int at_once)
{
    const int64_t part = part_of(ex, b, at_once);
    const int64_t parts = b->count / part + (b->count % part > 0);

    if (ex->h->space->on_device ||
        (!at_once && is_large(b) && gsvd_blas_threads() > 1))
        return 1;
    return max_i(min_i(gsvd_threads(), parts), 1);
}

/* Takes a share out of arenas, where the handle computes and on the host. */
static void take_share(const need_t *need, arena_t *arena, arena_t *host,
                       exec_t *ex)
{
    const int on_device = ex->h->space->on_device;
    ex->products = gsvd_arena_buffer(arena, need->products);
    ex->staging = gsvd_arena_buffer(on_device ? host : arena, need->staging);
    const buffer_t work = gsvd_arena_buffer(arena, need->work);
    ex->work = gsvd_arena_over(work.data, work.bytes);
}

/* A plan's line; those below it are told of one part. */
static void note_begin(const exec_t *ex, const char *name, const some_t *part,
                       int64_t shares)
{
    if (ex->h->space->on_device)
        gsvd_note_begin(ex->h, "%s", name);
    else
        gsvd_note_begin(ex->h, "%s, %lld a part, %lld thread%s", name,
                        (long long)part->count, (long long)shares,
                        shares == 1 ? "" : "s");
}

gsvd_status_t X(measure_batched)(const exec_t *ex, const program_t *program,
                                 const batch_args_t *b, batch_need_t *need)
{
    some_t some = {program, b, 0, b->count};
    const task_t t = {.problem = &some};
    const solver_t *const s = choose_solver(program->batch, ex, &t);
    arena_t count = {0}, host = {0};
    exec_t share = *ex;
    gsvd_status_t status = GSVD_SUCCESS;

    *need = (batch_need_t){.at_once = s == program->batch->first};
    if (b->captured && !need->at_once) /* It will be refused.               */
        return GSVD_SUCCESS;
    need->shares = shares_of(ex, b, need->at_once);
    const int before = gsvd_set_alone(need->shares > 1);
    some.count = min_i(part_of(ex, b, need->at_once), max_i(b->count, 1));
    note_begin(ex, s->name, &some, need->shares);
    if (need->at_once)
        need->share.work = s->bytes(ex, &t);
    else
        status = measure_one(ex, program, b, &need->share);
    (void)gsvd_note_end(ex->h, need->share.work, 0,
                        (double)b->count / (double)some.count /
                            (double)need->shares);
    (void)gsvd_set_alone(before);
    take_share(&need->share, &count, &host, &share);
    need->share.full |= count.full | host.full;
    need->compute = gsvd_arena_bytes(&count);
    need->host = gsvd_arena_bytes(&host);
    return status;
}

/* -- threads --------------------------------------------------------------------------- */

/* Those who share a call */
typedef struct crew {
    const exec_t *ex;
    const program_t *program;
    const batch_need_t *need;
    const batch_args_t *b;
    const solver_t *solver;
    buffer_t memory, host;
    int64_t part;
    _Atomic int64_t next; /* problem that nobody has taken                   */
    pthread_mutex_t lock; /* for the status, and the handle's text           */
    gsvd_status_t status;
} crew_t;

/* The first failure is the call's; nobody takes more. */
static void fail(crew_t *c, gsvd_status_t status, const char *text)
{
    pthread_mutex_lock(&c->lock);
    if (c->status == GSVD_SUCCESS) {
        c->status = status;
        memcpy(c->ex->h->error, text, sizeof c->ex->h->error);
    }
    c->next = c->b->count;
    pthread_mutex_unlock(&c->lock);
}

/* An exec for thread i, with a handle of its own; no callback of the caller's is called from
 * a thread. */
static exec_t exec_for(const crew_t *c, int i, struct gsvd_context *own)
{
    const size_t bytes = c->need->compute;
    arena_t arena =
        gsvd_arena_over((char *)c->memory.data + (size_t)i * bytes, bytes);
    arena_t host = gsvd_arena_over(c->host.data, c->host.bytes);
    exec_t ex = *c->ex;

    *own = *ex.h;
    take_share(&c->need->share, &arena, &host, &ex);
    ex.h = own;
    ex.policy.progress = NULL;
    return ex;
}

static void work(void *data, int i)
{
    crew_t *const c = data;
    struct gsvd_context own;
    const exec_t ex = exec_for(c, i, &own);
    int64_t first;

    while ((first = atomic_fetch_add(&c->next, c->part)) < c->b->count) {
        const int64_t count = min_i(c->part, c->b->count - first);
        const some_t some = {c->program, c->b, first, count};
        const gsvd_status_t status = gsvd_answered(
            &own, c->solver->run(&ex, &(task_t){.problem = &some}));
        if (status != GSVD_SUCCESS) {
            fail(c, status, own.error);
            return;
        }
    }
}

gsvd_status_t X(run_batched)(const exec_t *ex, const program_t *program,
                             const batch_need_t *need, buffer_t memory,
                             buffer_t host, const batch_args_t *b)
{
    const int64_t fit = (int64_t)(memory.bytes / max_size(need->compute, 1));
    crew_t c = {.ex = ex,
                .program = program,
                .need = need,
                .b = b,
                .solver = program->batch->first + !need->at_once,
                .memory = memory,
                .host = host,
                .part = part_of(ex, b, need->at_once),
                .lock = PTHREAD_MUTEX_INITIALIZER};

    gsvd_share((int)min_i(need->shares, fit), work, &c);
    return c.status;
}
