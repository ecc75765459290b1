/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batched.c [1] -- a public call of many problems from its checks to its results.
 *
 *     1  check      the problem's members, by the one description of the routine
 *     2  measure    a share of work for each thread; on a device room for copies
 *     3  allot      the caller's memory, or the handle's own, grown
 *     4  copy in    arrays on the host, if the handle computes on a device, each problem's
 *                   to its slot; lists of addresses and sizes to where they are read
 *     5  run        all problems
 *     6  copy out   the results, and what is told of each problem
 */
#include <errno.h>
#include <string.h>

#include "core/threads.h"
#include "door/door.h"

enum {
    STAGE = 16 << 20 /* bytes on the host that copies go through          */
};

/* Lists of the caller's where they are read, if they are elsewhere */
typedef struct lists {
    int64_t *size[3], *k, *l;
    int *info;
    void **each[OPERANDS];
    int64_t *ld[OPERANDS];
} lists_t;

/* What a call works in */
typedef struct memory {
    void *slots
        [OPERANDS]; /* on the device: one of the largest size for each problem */
    buffer_t stage; /* on the host, where there are slots             */
    lists_t list;
    buffer_t share[2]; /* letter_t's                                         */
} memory_t;

/* -- 2, 3: workspace ---------------------------------------------------------------- */

/* The primitive reads lists where it computes, the programs do on the host. */
static int are_lists_moved(const call_t *c, const batch_need_t *need)
{
    return c->h->space->on_device && need->at_once == (c->door == DOOR_HOST);
}

static void take_lists(const call_t *c, int64_t count, arena_t *a, lists_t *w)
{
    for (int i = 0; i < 3; ++i)
        w->size[i] = gsvd_arena_take(a, count, sizeof(int64_t));
    w->k = gsvd_arena_take(a, count, sizeof(int64_t));
    w->l = gsvd_arena_take(a, count, sizeof(int64_t));
    w->info = gsvd_arena_take(a, count, sizeof(int));
    for (int i = 0; i < ARRAYS && c->r->array[i].name && !is_copied(c); ++i) {
        const operand_t x = c->r->array[i].operand;
        w->each[x] = gsvd_arena_take(a, count, sizeof(void *));
        w->ld[x] = gsvd_arena_take(a, count, sizeof(int64_t));
    }
}

/* Bytes of a slot, which overflow only where memory for it is not had */
static size_t slot_of(const call_t *c, const array_t *x, const batch_args_t *b)
{
    return (size_t)x->rows(&b->one) * (size_t)x->cols(&b->one) *
           c->letter->bytes[x->element];
}

/* count times so many elements; arenas know of one product alone. */
static void *take_many(arena_t *a, int64_t count, int64_t elements,
                       size_t bytes)
{
    const int64_t most = INT64_MAX / 8 / (int64_t)bytes;
    if (count > 0 && elements > most / count) {
        a->full = 1;
        return NULL;
    }
    return gsvd_arena_take(a, count * elements * (int64_t)bytes, 1);
}

static void take_slots(const call_t *c, const batch_args_t *b, arena_t *a,
                       arena_t *host, memory_t *w)
{
    size_t most = 0;
    for (int i = 0; i < ARRAYS && c->r->array[i].name; ++i) {
        const array_t *const x = &c->r->array[i];
        const size_t slot = slot_of(c, x, b);
        w->slots[x->operand] =
            take_many(a, b->count, x->rows(&b->one) * x->cols(&b->one),
                      c->letter->bytes[x->element]);
        most = max_size(most, slot);
    }
    w->stage = gsvd_arena_buffer(host, max_size(most, STAGE));
}

static void carve(const call_t *c, const batch_need_t *need,
                  const batch_args_t *b, arena_t *a, arena_t *host, memory_t *w)
{
    if (is_copied(c))
        take_slots(c, b, a, host, w);
    if (are_lists_moved(c, need))
        take_lists(c, b->count, is_copied(c) ? a : host, &w->list);
}

static gsvd_status_t measure(const call_t *c, const batch_args_t *b,
                             call_memory_t *x)
{
    batch_need_t *const need = &x->need;
    arena_t count = {0}, host = {0};
    memory_t unused;

    GSVD_TRY(gsvd_answered(
        c->h, c->letter->measure_batched(c->h, c->program, b, need)));
    carve(c, need, b, &count, &host, &unused);
    x->compute = gsvd_arena_bytes(&count);
    x->host = gsvd_arena_bytes(&host);
    (void)take_many(&count, need->shares, (int64_t)need->compute, 1);
    (void)take_many(&host, 1, (int64_t)need->host, 1);
    if (need->share.full || count.full || host.full)
        return gsvd_fail(c->h, GSVD_OUT_OF_MEMORY,
                         "the workspace is larger than the address space");
    return GSVD_SUCCESS;
}

/* The sizes of each problem are no part of it: the largest ones are measured. */
static batch_shape_t shape_of(const call_t *c, const batch_args_t *b)
{
    const int blas = gsvd_blas_threads() > 1;
    const batch_shape_t shape = {
        .count = b->count,
        .sizes_differ = b->size[0] != NULL,
        .threads = c->h->space->on_device ? 0 : 2 * gsvd_threads() + blas};
    return shape;
}

/* *x := the memory of a call like this one, measured into *new if none of the handle's last ones was.
 * One whose capture will be refused is not measured in full, and not kept. */
static gsvd_status_t measure_once(const call_t *c, const batch_args_t *b,
                                  call_memory_t *new, const call_memory_t **x)
{
    const batch_shape_t shape = shape_of(c, b);

    *x = gsvd_kept_memory(c, &b->one, shape);
    if (*x)
        return GSVD_SUCCESS;
    GSVD_TRY(measure(c, b, new));
    *x = b->captured ? new : gsvd_keep_memory(c, &b->one, shape, new);
    return GSVD_SUCCESS;
}

/* Of its own memory the handle has a share for each thread; of the caller's there are as many
 * as fit. */
static gsvd_status_t allot_part(const call_t *c, buffer_t *own, buffer_t given,
                                const space_t *space, const char *name,
                                size_t fixed, size_t shares, size_t least,
                                arena_t *arena, buffer_t *rest)
{
    buffer_t memory;
    GSVD_TRY(gsvd_acquire(c->h, space, own, given,
                          fixed + (given.data ? least : shares), name,
                          &memory));
    *arena = gsvd_arena_over(memory.data, fixed);
    *rest = memory;
    if (fixed > 0)
        *rest = (buffer_t){(char *)memory.data + fixed, memory.bytes - fixed};
    return GSVD_SUCCESS;
}

static gsvd_status_t allot(const call_t *c, const batch_args_t *b,
                           const call_memory_t *x, memory_t *w)
{
    const batch_need_t *const need = &x->need;
    const gsvd_handle_t h = c->h;
    const buffer_t dwork = {h->dwork, h->dwork_bytes};
    const buffer_t hwork = {h->hwork, h->hwork_bytes};
    const size_t all = (size_t)need->shares * need->compute;
    const int on_device = h->space->on_device;
    arena_t arena, host = {0};

    memset(w, 0, sizeof *w);
    GSVD_TRY(allot_part(c, &h->compute, on_device ? dwork : hwork, h->space,
                        on_device ? "dwork" : "hwork", x->compute, all,
                        need->compute, &arena, &w->share[0]));
    if (on_device)
        GSVD_TRY(allot_part(c, &h->host, hwork, &gsvd_space_host, "hwork",
                            x->host, need->host, need->host, &host,
                            &w->share[1]));
    carve(c, need, b, &arena, &host, w);
    return GSVD_SUCCESS;
}

/* -- 4, 6: lists ---------------------------------------------------------------------- */

/* to := from, one of which is on the device; to[...] is a list of the call's memory. */
static gsvd_status_t move(const call_t *c, void *to, const void *from,
                          size_t bytes, int to_device)
{
    const space_t *const space = c->h->space;
    return to_device ? space->upload(c->h, to, bytes, from, bytes, bytes, 1)
                     : space->download(c->h, to, bytes, from, bytes, bytes, 1);
}

/* *to has the lists of b where they are read. */
static gsvd_status_t move_lists(const call_t *c, const lists_t *w,
                                const batch_args_t *b, batch_args_t *to)
{
    const size_t bytes = (size_t)b->count * sizeof(int64_t);
    const int to_device = is_copied(c);

    for (int i = 0; i < 3; ++i)
        if (b->size[i]) {
            GSVD_TRY(move(c, w->size[i], b->size[i], bytes, to_device));
            to->size[i] = w->size[i];
        }
    for (int x = 0; x < OPERANDS && !to_device; ++x) {
        if (b->each[x]) {
            GSVD_TRY(move(c, w->each[x], b->each[x],
                          (size_t)b->count * sizeof(void *), 0));
            to->each[x] = w->each[x];
        }
        if (b->ld[x]) {
            GSVD_TRY(move(c, w->ld[x], b->ld[x], bytes, 0));
            to->ld[x] = w->ld[x];
        }
    }
    to->k = b->k ? w->k : NULL;
    to->l = b->l ? w->l : NULL;
    to->info = w->info;
    return c->h->space->wait(c->h);
}

/* What is told of each problem, to where the caller wants it.  Waits. */
static gsvd_status_t deliver(const call_t *c, const batch_args_t *b,
                             const batch_args_t *from)
{
    const size_t bytes = (size_t)b->count * sizeof(int64_t);
    const int to_device = !is_copied(c);

    GSVD_TRY(move(c, b->info, from->info, (size_t)b->count * sizeof(int),
                  to_device));
    if (b->k)
        GSVD_TRY(move(c, b->k, from->k, bytes, to_device));
    if (b->l)
        GSVD_TRY(move(c, b->l, from->l, bytes, to_device));
    return c->h->space->wait(c->h);
}

/* -- 4, 6: the caller's arrays, and slots ------------------------------------------------ */

/* An array of a problem goes to its slot on the stage, or from there. */
static void pack(const call_t *c, const array_t *x, const batch_args_t *b,
                 int64_t i, char *slot, int in)
{
    const size_t each = c->letter->bytes[x->element];
    const args_t a = sizes_of(b, i);
    const int64_t rows = x->rows(&a), cols = x->cols(&a);
    const int64_t ld = x->ld_number > 0 ? ld_of(b, (int)x->operand, i) : rows;
    char *const array = array_of(b, (int)x->operand, i, each);
    const size_t pitch = (size_t)x->rows(&b->one) * each;

    for (int64_t j = 0; j < cols && rows > 0; ++j) {
        char *const their = array + (size_t)(j * ld) * each;
        char *const our = slot + (size_t)j * pitch;
        memcpy(in ? our : their, in ? their : our, (size_t)rows * each);
    }
}

/* Does array x have all problems one behind another, as slots have them? */
static int is_packed(const array_t *x, const batch_args_t *b)
{
    const int64_t rows = x->rows(&b->one), cols = x->cols(&b->one);
    return !b->each[x->operand] && !b->size[0] &&
           (x->ld_number == 0 || b->one.ld[x->operand] == rows) &&
           b->stride[x->operand] == rows * cols;
}

/* Signs that all problems share take one slot. */
static int64_t slots_of(const array_t *x, const batch_args_t *b)
{
    return x->operand == OPERAND_J && b->stride[x->operand] == 0 ? 1 : b->count;
}

/* Some slots at a time go over the stage. */
static gsvd_status_t copy_array(const call_t *c, const array_t *x,
                                const batch_args_t *b, buffer_t stage,
                                char *slots, int in)
{
    const size_t slot = slot_of(c, x, b);
    const int64_t count = slots_of(x, b), most = (int64_t)(stage.bytes / slot);

    if (is_packed(x, b))
        return in ? move(c, slots, b->one.array[x->operand],
                         (size_t)count * slot, 1)
                  : move(c, b->one.array[x->operand], slots,
                         (size_t)count * slot, 0);
    if (b->size[0]) /* Slots of smaller problems have no other contents.     */
        memset(stage.data, 0, stage.bytes);
    for (int64_t first = 0; first < count; first += most) {
        const int64_t some = count - first < most ? count - first : most;
        char *const at = slots + (size_t)first * slot;
        if (!in)
            GSVD_TRY(move(c, stage.data, at, (size_t)some * slot, 0));
        GSVD_TRY(c->h->space->wait(c->h));
        for (int64_t i = 0; i < some; ++i)
            pack(c, x, b, first + i, (char *)stage.data + (size_t)i * slot, in);
        if (in)
            GSVD_TRY(move(c, at, stage.data, (size_t)some * slot, 1));
    }
    return c->h->space->wait(c->h);
}

/* flow: FLOW_IN or FLOW_OUT */
static gsvd_status_t copy_arrays(const call_t *c, const batch_args_t *b,
                                 const memory_t *w, flow_t flow)
{
    for (int i = 0; i < ARRAYS && c->r->array[i].name; ++i) {
        const array_t *const x = &c->r->array[i];
        const int absent = !b->one.array[x->operand] && !b->each[x->operand];
        if (slot_of(c, x, b) > 0 && !absent && x->flow(&b->one) & flow)
            GSVD_TRY(copy_array(c, x, b, w->stage, w->slots[x->operand],
                                flow == FLOW_IN));
    }
    return c->h->space->wait(c->h);
}

/* *to has slots in place of arrays. */
static void use_slots(const call_t *c, const batch_args_t *b, const memory_t *w,
                      batch_args_t *to)
{
    for (int i = 0; i < ARRAYS && c->r->array[i].name; ++i) {
        const array_t *const x = &c->r->array[i];
        const operand_t o = x->operand;
        const int64_t rows = x->rows(&b->one);
        const int absent = !b->one.array[o] && !b->each[o];
        to->one.array[o] = absent ? NULL : w->slots[o];
        to->one.ld[o] = rows > 0 ? rows : 1;
        to->stride[o] = slots_of(x, b) > 1 ? rows * x->cols(&b->one) : 0;
        to->each[o] = NULL;
        to->ld[o] = NULL;
    }
}

/* -- the call ------------------------------------------------------------------------------ */

/* What info says where entries of an array are not legal */
static void set_illegal(const routine_t *r, batch_args_t *b)
{
    for (int i = 0; i < ARRAYS && r->array[i].name; ++i)
        b->illegal[r->array[i].operand] = -r->array[i].number;
}

/* May the call be captured, whatever its shape? */
static gsvd_status_t check_place(const call_t *c, capture_t capture)
{
    return capture == CAPTURE_ACTIVE && !is_copied(c)
               ? GSVD_SUCCESS
               : gsvd_check_capture(c->h, capture,
                                    "arrays on the host cannot be copied "
                                    "meanwhile");
}

/* A stream that is captured cannot be waited for, and a graph keeps the addresses of its
 * workspace: the handle's own would move when another call needs more. */
static gsvd_status_t check_shape(const call_t *c, capture_t capture,
                                 const call_memory_t *x)
{
    const gsvd_handle_t h = c->h;

    if (capture == CAPTURE_NONE)
        return GSVD_SUCCESS;
    if (!x->need.at_once)
        return gsvd_check_capture(h, capture,
                                  "problems of this shape or these options are "
                                  "solved one by one, which waits");
    if (!h->dwork && x->compute + x->need.compute > 0)
        return gsvd_fail(h, GSVD_WORKSPACE_TOO_SMALL,
                         "the stream is captured: dwork has to be set by "
                         "gsvd_set_workspace, %zu bytes",
                         x->compute + x->need.compute);
    return GSVD_SUCCESS;
}

static gsvd_status_t compute(const call_t *c, const batch_args_t *b,
                             const call_memory_t *made)
{
    batch_args_t to = *b;
    call_memory_t new;
    memory_t w;

    const capture_t capture = c->h->space->relax_capture(c->h);
    GSVD_TRY(check_place(c, capture));
    to.captured = capture != CAPTURE_NONE;
    if (!made)
        GSVD_TRY(measure_once(c, &to, &new, &made)); /* 2 */
    GSVD_TRY(check_shape(c, capture, made));
    const int moved = are_lists_moved(c, &made->need);
    GSVD_TRY(allot(c, b, made, &w)); /* 3 */
    if (is_copied(c)) {              /* 4 */
        use_slots(c, b, &w, &to);
        GSVD_TRY(copy_arrays(c, b, &w, FLOW_IN));
    }
    if (moved)
        GSVD_TRY(move_lists(c, &w.list, b, &to));
    if (moved && c->door == DOOR_GPU)
        GSVD_TRY(gsvd_check_each(c, &to));
    GSVD_TRY(
        c->letter->run_batched(c->h, c->program, &made->need, w.share, &to));
    if (is_copied(c)) /* 6 */
        GSVD_TRY(copy_arrays(c, b, &w, FLOW_OUT));
    return moved ? deliver(c, b, &to) : GSVD_SUCCESS;
}

gsvd_status_t gsvd_call_batched(gsvd_handle_t h, gsvd_type_t type,
                                const routine_t *r, door_t door,
                                batch_args_t *b, const call_memory_t *made)
{
    call_t c;

    GSVD_TRY(gsvd_open_call(h, type, r, door, &b->one, &c));
    GSVD_TRY(gsvd_check_batched(&c, b)); /* 1 */
    set_illegal(r, b);
    if (door == DOOR_HOST)
        GSVD_TRY(gsvd_check_each(&c, b));
    const int kept = errno; /* as in call.c                                  */
    GSVD_TRY(h->space->enter(h));
    const gsvd_status_t status = compute(&c, b, made);
    h->space->leave(h);
    errno = kept;
    return status;
}

gsvd_status_t gsvd_measure_batched(gsvd_handle_t h, gsvd_type_t type,
                                   const routine_t *r, door_t door,
                                   batch_args_t *b, call_memory_t *x)
{
    call_t c;

    GSVD_TRY(gsvd_open_call(h, type, r, door, &b->one, &c));
    GSVD_TRY(gsvd_check_sizes(h, r, &b->one));
    GSVD_TRY(h->space->enter(h));
    (void)h->space->relax_capture(h); /* Nothing is queued.                  */
    const gsvd_status_t status = measure(&c, b, x);
    h->space->leave(h);
    return status;
}
