/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pool.c [1] -- memory of one test, and the fixture around each test. */
#include "harness/plain.h"

enum { MOST = 4096 };

/* Of a device, to allocate which takes longer than most calls, small arrays are parts of one
 * chunk; not under compute-sanitizer, which is to know where each ends. */
enum { CHUNK = 64 << 20, SMALL = CHUNK / 16, ALIGNMENT = 256 };

static void *host[MOST], *device[MOST];
static int hosts, devices;
static char *chunk;
static size_t used;
buffer_t room_for_products;

void *grab(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    ck_assert_ptr_nonnull(p);
    ck_assert_int_lt(hosts, MOST);
    memset(p, 0xff, bytes ? bytes : 1);
    return host[hosts++] = p;
}

static void *part_of_chunk(size_t bytes)
{
    const size_t all = (bytes / ALIGNMENT + 1) * ALIGNMENT;
    void *p = NULL;
    if (!chunk) {
        ck_assert_ok(handle->space->allocate(handle, &p, CHUNK));
        chunk = p;
    }
    if (all > CHUNK - used)
        return NULL;
    used += all;
    return chunk + used - all;
}

void *grab_backend(size_t bytes)
{
    void *p = NULL;
    if (on_device && quick <= 1 && bytes <= SMALL)
        p = part_of_chunk(bytes);
    if (p)
        return p;
    ck_assert_int_lt(devices, MOST);
    ck_assert_ok(handle->space->allocate(handle, &p, bytes ? bytes : 1));
    return device[devices++] = p;
}

void put(void *backend_memory, const void *from, size_t bytes)
{
    if (bytes)
        ck_assert_ok(handle->space->upload(handle, backend_memory, bytes, from,
                                           bytes, bytes, 1));
    ck_assert_ok(handle->space->wait(handle));
}

void *grab_results(size_t bytes)
{
    void *const p = grab_backend(bytes);
    put(p, grab(bytes), bytes);
    return p;
}

void get(void *to, const void *backend_memory, size_t bytes)
{
    if (bytes)
        ck_assert_ok(handle->space->download(handle, to, bytes, backend_memory,
                                             bytes, bytes, 1));
    ck_assert_ok(handle->space->wait(handle));
}

void give_room(size_t bytes)
{
    room_for_products = (buffer_t){grab_backend(bytes), bytes};
}

void release_pool(void)
{
    handle->space->wait(handle);
    room_for_products = (buffer_t){0};
    while (hosts > 0)
        free(host[--hosts]);
    while (devices > 0)
        handle->space->release(handle, device[--devices]);
    used = 0;
}

void reset_options(void)
{
    gsvd_set_option(handle, GSVD_SOLVER, GSVD_SOLVER_AUTO);
    gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK);
    gsvd_set_option(handle, GSVD_MAX_SWEEPS, 30);
    gsvd_set_option(handle, GSVD_PIVOT, GSVD_PIVOT_TOURNAMENT);
    gsvd_set_option(handle, GSVD_PANEL, GSVD_PANEL_AUTO);
    gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_AUTO);
    gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_AUTO);
    gsvd_set_option(handle, GSVD_RANK, GSVD_RANK_NORM);
    gsvd_set_option(handle, GSVD_EIGH, GSVD_EIGH_AUTO);
    gsvd_set_option(handle, GSVD_TOL_A, -1);
    gsvd_set_option(handle, GSVD_TOL_B, -1);
    gsvd_set_option(handle, GSVD_TOL_JACOBI, -1);
    gsvd_set_progress(handle, NULL, NULL);
    gsvd_set_workspace(handle, NULL, 0, NULL, 0);
    pretend_shared(handle, 0);
}

static void setup(void) { reset_options(); }

static void teardown(void)
{
    release_pool();
    reset_options();
}

TCase *add_tcase(Suite *s, const char *name)
{
    TCase *t = tcase_create(name);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 0);
    tcase_set_tags(t, name); /* PART of tests/CMakeLists.txt                 */
    suite_add_tcase(s, t);
    return t;
}
