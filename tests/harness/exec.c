/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* exec.c -- execs for tests that call drivers and primitives by themselves. */
#include "harness/harness.h"

enum { HANDLES = 4, WORK = 384 << 20, STAGING = 4 << 20 };

typedef struct known {
    gsvd_handle_t h;
    const space_t *space;
    buffer_t work, staging; /* until the process ends                        */
    int fresh;              /* staging has been filled                    */
    exec_t ex;
} known_t;

static known_t known[HANDLES];
static int next;

static known_t *find(gsvd_handle_t h)
{
    for (int i = 0; i < HANDLES; ++i)
        if (known[i].h == h && known[i].space == h->space)
            return &known[i];
    known_t *const k = &known[next++ % HANDLES];
    k->h = h;
    k->space = h->space;
    k->work.bytes = WORK;
    ck_assert_ok(h->space->allocate(h, &k->work.data, WORK));
    k->staging.bytes = STAGING;
    k->fresh = 0;
    ck_assert_ok(gsvd_space_host.allocate(h, &k->staging.data, STAGING));
    return k;
}

/* NaN where the last call has written: no driver reads what it did not write.  It writes from the
 * beginning on; one word in STEP bytes tells how far. */
static void refresh(known_t *k)
{
    enum { STEP = 512, SPARE = 1 << 16 };
    char *const staging = k->staging.data;
    size_t used = STAGING;
    uint64_t word = ~(uint64_t)0;
    while (k->fresh && used > 0 && word == ~(uint64_t)0) {
        used -= STEP;
        memcpy(&word, staging + used, sizeof word);
    }
    memset(staging, 0xff, used + SPARE < STAGING ? used + SPARE : STAGING);
    k->fresh = 1;
}

const exec_t *on(gsvd_handle_t h)
{
    known_t *const k = find(h);
    k->ex = X(exec_of)(h);
    k->ex.work = gsvd_arena_over(k->work.data, k->work.bytes);
    k->ex.staging = k->staging;
    refresh(k);
    if (h == handle)
        k->ex.products = room_for_products;
    return &k->ex;
}

/* ---- the handle's table ------------------------------------------------------------ */

static const space_t *real_space;
static space_t space;
static backend_t own;
static const machine_t *real_machine;
static machine_t machine;
static tuning_t tuning;

backend_t *take_table(void)
{
    gsvd_forget_shapes(handle);
    if (handle->space == &space)
        return &own;
    real_space = handle->space;
    own = *table();
    space = *real_space;
    space.table.GSVD_LETTER = &own;
    handle->space = &space;
    return &own;
}

tuning_t *take_tuning(void)
{
    gsvd_forget_shapes(handle);
    if (handle->machine == &machine)
        return &tuning;
    real_machine = handle->machine;
    tuning = *numbers_of(handle);
    machine = *real_machine;
    machine.tuning.GSVD_LETTER = &tuning;
    handle->machine = &machine;
    return &tuning;
}

void give_table_back(void)
{
    gsvd_forget_shapes(handle);
    if (handle->space == &space)
        handle->space = real_space;
    if (handle->machine == &machine)
        handle->machine = real_machine;
}
