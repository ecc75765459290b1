/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* exec.c -- execs for tests that call drivers and primitives by themselves. */
#include "harness/harness.h"

enum { HANDLES = 4, WORK = 384 << 20, STAGING = 4 << 20 };

typedef struct known {
    gsvd_handle_t h;
    const space_t *space;
    buffer_t work, staging; /* until the process ends                        */
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
    ck_assert_ok(gsvd_space_host.allocate(h, &k->staging.data, STAGING));
    return k;
}

const exec_t *on(gsvd_handle_t h)
{
    known_t *const k = find(h);
    k->ex = X(exec_of)(h);
    k->ex.work = gsvd_arena_over(k->work.data, k->work.bytes);
    k->ex.staging = k->staging;
    memset(k->staging.data, 0xff, STAGING); /* NaN: no driver reads what it did
                                               not write                      */
    if (h == handle)
        k->ex.products = room_for_products;
    return &k->ex;
}
