/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.c [1] -- a public call from its checks to its results.
 *
 *     1  check      the arguments, by the routine's description
 *     2  measure    the memory of its program, and of copies of the arrays
 *     3  allot      the caller's memory, or the handle's own, grown
 *     4  copy in    arrays on the host, if the handle computes on a device
 *     5  run        the program
 *     6  copy out   the results, once all of the work is known to be good
 */
#include <errno.h>
#include <string.h>

#include "door/door.h"

extern const letter_t sgsvd_letter, dgsvd_letter, cgsvd_letter, zgsvd_letter;

/* Calls of so few rows and columns on the host have no time of their own. */
enum { UNTIMED = 4 };

/* What a call works in */
typedef struct memory {
    void *copy[OPERANDS]; /* of the caller's arrays; NULL: they are used     */
    buffer_t program[3];  /* letter_t's                                      */
} memory_t;

/* The last is of no type. */
static const letter_t *const letters[5] = {
    DOOR_IF_S([0] = &sgsvd_letter, ) DOOR_IF_D([1] = &dgsvd_letter, )
        DOOR_IF_C([2] = &cgsvd_letter, ) DOOR_IF_Z([3] = &zgsvd_letter)};

/* The place of a type in lists of all four; behind them: no type */
static int index_of(gsvd_type_t type)
{
    switch (type) {
    case GSVD_S: return 0;
    case GSVD_D: return 1;
    case GSVD_C: return 2;
    case GSVD_Z: return 3;
    default: return 4;
    }
}

static gsvd_status_t no_type(gsvd_handle_t h, gsvd_type_t type)
{
    const int printable = (int)type > 31 && (int)type < 127;
    (void)gsvd_fail(h, GSVD_NOT_SUPPORTED,
                    "type: '%c' is not one that the library was built with",
                    printable ? (int)type : '?');
    return GSVD_NOT_SUPPORTED;
}

void gsvd_upper_case(args_t *a)
{
    for (int i = 0; i < JOBS; ++i)
        if (a->job[i] >= 'a' && a->job[i] <= 'z')
            a->job[i] = (char)(a->job[i] - 'a' + 'A');
}

gsvd_status_t gsvd_open_call(gsvd_handle_t h, gsvd_type_t type,
                             const routine_t *r, door_t door, args_t *a,
                             call_t *c)
{
    const int index = index_of(type);

    gsvd_upper_case(a);
    h->unanswered = GSVD_SUCCESS;
    *c = (call_t){.h = h,
                  .r = r,
                  .program = r->program[index],
                  .letter = letters[index],
                  .door = door};
    if (!c->letter)
        return no_type(h, type);
    if (door == DOOR_GPU && !h->space->on_device)
        return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                         "a _gpu call through a host handle");
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_check_capture(gsvd_handle_t h, capture_t capture,
                                 const char *what)
{
    switch (capture) {
    case CAPTURE_NONE: return GSVD_SUCCESS;
    case CAPTURE_ACTIVE:
        return gsvd_fail(h, GSVD_NOT_SUPPORTED, "the stream is captured: %s",
                         what);
    case CAPTURE_INVALID:
        return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                         "the stream is captured, and the capture has failed "
                         "already: cudaStreamEndCapture has to end it");
    default:
        return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                         "a stream is captured that waits for the default "
                         "stream, which is the handle's");
    }
}

/* -- 2, 3: workspace ------------------------------------------------------------ */

/* The arrays of a call out of an arena, which may only count; and of another on the
 * host, if the first is on a device. */
static void carve(const call_t *c, const args_t *a, const need_t *need,
                  arena_t *arena, arena_t *host, memory_t *w)
{
    for (int i = 0; i < ARRAYS && c->r->array[i].name && is_copied(c); ++i) {
        const array_t *const x = &c->r->array[i];
        w->copy[x->operand] =
            x->optional && !a->array[x->operand] && arena->base
                ? NULL
                : gsvd_arena_take(arena, x->rows(a) * x->cols(a),
                                  c->letter->bytes[x->element]);
    }
    w->program[1] = gsvd_arena_buffer(arena, need->products);
    w->program[2] =
        gsvd_arena_buffer(c->h->space->on_device ? host : arena, need->staging);
    w->program[0] = gsvd_arena_buffer(arena, need->work);
}

/* *x := the memory of a call: where the handle computes, and on the host for a
 * device's handle. */
static gsvd_status_t measure(const call_t *c, const args_t *a, call_memory_t *x)
{
    arena_t count = {0}, stage = {0};
    need_t need = {0};
    memory_t unused;

    GSVD_TRY(
        gsvd_answered(c->h, c->letter->measure(c->h, c->program, a, &need)));
    carve(c, a, &need, &count, &stage, &unused);
    x->need.share = need;
    x->compute = gsvd_arena_bytes(&count);
    x->host = gsvd_arena_bytes(&stage);
    if (need.full || count.full || stage.full)
        return gsvd_fail(c->h, GSVD_OUT_OF_MEMORY,
                         "the workspace is larger than the address space");
    return GSVD_SUCCESS;
}

_Static_assert(offsetof(args_t, array) ==
                   sizeof((gsvd_handle_t)0)->shape[0].shape,
               "jobs and sizes are the first members of args_t");

static int is_of(const call_memory_t *x, const call_t *c, const args_t *a,
                 batch_shape_t b)
{
    return x->routine == c->r && x->letter == c->letter &&
           x->door == (int)c->door && x->batch.count == b.count &&
           x->batch.sizes_differ == b.sizes_differ &&
           x->batch.threads == b.threads &&
           memcmp(x->shape, a, sizeof x->shape) == 0;
}

const call_memory_t *gsvd_kept_memory(const call_t *c, const args_t *a,
                                      batch_shape_t batch)
{
    const gsvd_handle_t h = c->h;
    int i = h->last_shape;

    if (is_of(&h->shape[i], c, a, batch))
        return &h->shape[i];
    for (i = 0; i < KEPT_SHAPES && !is_of(&h->shape[i], c, a, batch);)
        ++i;
    if (i == KEPT_SHAPES)
        return NULL;
    h->last_shape = i;
    return &h->shape[i];
}

const call_memory_t *gsvd_keep_memory(const call_t *c, const args_t *a,
                                      batch_shape_t batch,
                                      const call_memory_t *made)
{
    const gsvd_handle_t h = c->h;
    call_memory_t *const x = &h->shape[h->next_shape];

    *x = *made;
    x->routine = c->r;
    x->letter = c->letter;
    x->door = (int)c->door;
    x->batch = batch;
    memcpy(x->shape, a, sizeof x->shape);
    h->last_shape = h->next_shape;
    h->next_shape = (h->next_shape + 1) % KEPT_SHAPES;
    return x;
}

/* *x := the memory of a call like this one, measured if none of the handle's last ones was. */
static gsvd_status_t measure_once(const call_t *c, const args_t *a,
                                  const call_memory_t **x)
{
    const batch_shape_t one = {0};

    *x = gsvd_kept_memory(c, a, one);
    if (*x)
        return GSVD_SUCCESS;
    call_memory_t made = {0};
    GSVD_TRY(measure(c, a, &made));
    *x = gsvd_keep_memory(c, a, one, &made);
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_acquire(gsvd_handle_t h, const space_t *space, buffer_t *own,
                           buffer_t given, size_t need, const char *name,
                           buffer_t *memory)
{
    if (!given.data) {
        GSVD_TRY(gsvd_buffer_grow(h, space, own, need));
        *memory = *own;
        return GSVD_SUCCESS;
    }
    if (given.bytes < need)
        return gsvd_fail(h, GSVD_WORKSPACE_TOO_SMALL,
                         "%s: %zu bytes given, %zu needed", name, given.bytes,
                         need);
    *memory = given;
    return GSVD_SUCCESS;
}

static gsvd_status_t allot(const call_t *c, const args_t *a,
                           const call_memory_t *x, memory_t *w)
{
    const gsvd_handle_t h = c->h;
    const buffer_t dwork = {h->dwork, h->dwork_bytes};
    const buffer_t hwork = {h->hwork, h->hwork_bytes};
    buffer_t memory = {0}, stage = {0};

    if (h->space->on_device) {
        GSVD_TRY(gsvd_acquire(h, h->space, &h->compute, dwork, x->compute,
                              "dwork", &memory));
        GSVD_TRY(gsvd_acquire(h, &gsvd_space_host, &h->host, hwork, x->host,
                              "hwork", &stage));
    } else {
        GSVD_TRY(gsvd_acquire(h, h->space, &h->compute, hwork, x->compute,
                              "hwork", &memory));
    }
    arena_t arena = gsvd_arena_over(memory.data, x->compute);
    arena_t on_host = gsvd_arena_over(stage.data, x->host);
    carve(c, a, &x->need.share, &arena, &on_host, w);
    return GSVD_SUCCESS;
}

/* -- 4, 6: the caller's arrays ---------------------------------------------------- */

static gsvd_status_t copy_array(const call_t *c, const array_t *x,
                                const args_t *given, const args_t *a, int in)
{
    const space_t *const space = c->h->space;
    const int64_t all = x->rows(given), cols = x->cols(given);
    const int64_t rows = !in && x->rows_out ? x->rows_out(given) : all;
    const size_t each = c->letter->bytes[x->element];
    const size_t theirs =
        each * (size_t)(x->ld_number > 0 ? given->ld[x->operand] : all);
    const size_t ours = each * (size_t)(all > 0 ? all : 1);
    void *const their = given->array[x->operand];
    void *const our = a->array[x->operand];

    return in ? space->upload(c->h, our, ours, their, theirs,
                              each * (size_t)rows, cols)
              : space->download(c->h, their, theirs, our, ours,
                                each * (size_t)rows, cols);
}

/* *a := the arguments with copies in place of arrays. */
static gsvd_status_t copy_in(const call_t *c, const args_t *given,
                             const memory_t *w, args_t *a)
{
    *a = *given;
    for (int i = 0; i < ARRAYS && c->r->array[i].name; ++i) {
        const array_t *const x = &c->r->array[i];
        const int64_t rows = x->rows(given);
        a->array[x->operand] = w->copy[x->operand];
        a->ld[x->operand] = rows > 0 ? rows : 1;
        if (x->flow(given) & FLOW_IN)
            GSVD_TRY(copy_array(c, x, given, a, 1));
    }
    return GSVD_SUCCESS;
}

/* A copy to pinned memory does not wait, and a fault must not leave half of it. */
static gsvd_status_t copy_out(const call_t *c, const args_t *given,
                              const args_t *a)
{
    GSVD_TRY(c->h->space->wait(c->h));
    for (int i = 0; i < ARRAYS && c->r->array[i].name; ++i) {
        const array_t *const x = &c->r->array[i];
        if (a->array[x->operand] && x->flow(given) & FLOW_OUT)
            GSVD_TRY(copy_array(c, x, given, a, 0));
    }
    return c->h->space->wait(c->h);
}

/* -- the call ---------------------------------------------------------------------- */

static const array_t *description_of(const routine_t *r, int operand)
{
    const array_t *x = r->array;
    while ((int)x->operand != operand)
        ++x;
    return x;
}

/* *info = 1 and 2 have meanings of their own. */
static gsvd_status_t dependent_column(gsvd_handle_t h, int *info,
                                      int64_t column)
{
    if (info)
        *info = 2 + (int)column;
    return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                     "A: column %lld depends on the columns before it",
                     (long long)column);
}

static gsvd_status_t compute(const call_t *c, const args_t *given,
                             const call_memory_t *made, outcome_t *out)
{
    const int copied = is_copied(c);
    memory_t w;
    args_t copies;

    GSVD_TRY(gsvd_check_capture(c->h, c->h->space->relax_capture(c->h),
                                "calls of one problem wait"));
    if (!made)
        GSVD_TRY(measure_once(c, given, &made));
    GSVD_TRY(allot(c, given, made, &w));
    if (copied)
        GSVD_TRY(copy_in(c, given, &w, &copies));
    const gsvd_status_t status =
        gsvd_answered(c->h, c->letter->run(c->h, c->program, w.program,
                                           copied ? &copies : given, out));
    if (out->illegal) {
        const array_t *const x = description_of(c->r, out->illegal - 1);
        if (given->is_problem && given->info)
            *given->info = -x->number;
        return gsvd_illegal_argument(c->h, given, x->number,
                                     gsvd_array_name(x, given), out->reason);
    }
    if (out->dependent)
        return dependent_column(c->h, given->info, out->dependent);
    GSVD_TRY(status);
    if (given->k_out)
        *given->k_out = out->k;
    if (given->l_out)
        *given->l_out = out->l;
    return copied ? copy_out(c, given, &copies) : GSVD_SUCCESS;
}

static gsvd_stats_t stats_of(gsvd_handle_t h, const outcome_t *out,
                             double seconds)
{
    const gsvd_stats_t stats = {.size = sizeof stats,
                                .k = out->k,
                                .l = out->l,
                                .device = h->device,
                                .solver = out->solver,
                                .sweeps = out->sweeps,
                                .converged = !out->unfinished,
                                .rows_of_a = out->rows_of_a,
                                .rows_of_b = out->rows_of_b,
                                .eigh = out->eigh,
                                .svd = out->svd,
                                .seconds_preprocess = out->seconds_preprocess,
                                .seconds_solve = out->seconds_solve,
                                .seconds_total = seconds};
    return stats;
}

/* The result is there; is it what was asked for? */
static gsvd_status_t status_of(gsvd_handle_t h, const outcome_t *out, int *info)
{
    if (out->overflow) {
        if (info)
            *info = 2;
        return gsvd_fail(h, GSVD_OVERFLOW,
                         "the result has entries beyond the largest number: "
                         "scale by 2^%d first",
                         -out->overflow);
    }
    if (!out->unfinished)
        return GSVD_SUCCESS;
    if (out->lost)
        return gsvd_fail(h, GSVD_NOT_CONVERGED,
                         "values are too small beside the largest one: the "
                         "type's range does not hold both");
    return gsvd_fail(h, GSVD_NOT_CONVERGED, "%s after %d sweeps",
                     out->stopped ? "stopped" : "no convergence", out->sweeps);
}

/* What is small takes on the host little longer than reading the clock twice. */
static double start_of(gsvd_handle_t h, const routine_t *r, const args_t *a)
{
    const int large = a->m > UNTIMED || a->n > UNTIMED || a->p > UNTIMED;
    return r->decomposition && (h->space->on_device || large) ? gsvd_now() : 0;
}

static gsvd_status_t call(gsvd_handle_t h, gsvd_type_t type, const routine_t *r,
                          door_t door, args_t *a, const call_memory_t *made)
{
    outcome_t out = {.start = start_of(h, r, a)};
    call_t c;

    h->error[0] = '\0';
    GSVD_TRY(gsvd_open_call(h, type, r, door, a, &c));
    GSVD_TRY(gsvd_check_args(
        h, r, a, door == DOOR_GPU ? c.letter->bytes : c.letter->alignment));
    GSVD_TRY(h->space->enter(h));
    const gsvd_status_t status = compute(&c, a, made, &out);
    h->space->leave(h);
    if (r->decomposition)
        h->stats = stats_of(h, &out, gsvd_elapsed(&out));
    GSVD_TRY(status);
    return status_of(h, &out, a->info);
}

gsvd_status_t gsvd_call(gsvd_handle_t h, gsvd_type_t type, const routine_t *r,
                        door_t door, args_t *a, const call_memory_t *made)
{
    const int kept =
        errno; /* The C library's ldexp and ilogb set it.           */

    if (a->info)
        *a->info = 0;
    const gsvd_status_t status = gsvd_report(
        h ? call(h, type, r, door, a, made) : GSVD_INVALID_HANDLE, a->info);
    errno = kept;
    return status;
}

gsvd_status_t gsvd_measure_call(gsvd_handle_t h, gsvd_type_t type,
                                const routine_t *r, door_t door, args_t *a,
                                call_memory_t *x)
{
    call_t c;

    GSVD_TRY(gsvd_open_call(h, type, r, door, a, &c));
    GSVD_TRY(gsvd_check_sizes(h, r, a));
    GSVD_TRY(h->space->enter(h));
    (void)h->space->relax_capture(h); /* Nothing is queued.                  */
    const gsvd_status_t status = measure(&c, a, x);
    h->space->leave(h);
    return status;
}
