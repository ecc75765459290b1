/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* thread.c [1] -- a thread's handles, made when it first needs them and released
 * when it ends; what the environment says. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lapack/lapack.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;
static int device = GSVD_ANY;

static void end_thread(void *data)
{
    thread_t *const t = data;
    const library_t *const library = gsvd_lapack_library();
    library->destroy(t->device);
    library->destroy(t->host);
    free(t->spare);
    free(t);
}

/* host, any, or a CUDA ordinal; whatever else: any */
static int read_device(const char *text)
{
    char *end;
    if (!text || !*text)
        return GSVD_ANY;
    if (strcmp(text, "host") == 0)
        return GSVD_HOST;
    const long ordinal = strtol(text, &end, 10);
    return *end || ordinal < 0 || ordinal > 1 << 16 ? GSVD_ANY : (int)ordinal;
}

static void start(void)
{
    has_key = pthread_key_create(&key, end_thread) == 0;
    device = read_device(getenv("GSVD_DEVICE"));
}

thread_t *gsvd_lapack_thread(void)
{
    if (pthread_once(&once, start) != 0 || !has_key)
        return NULL;
    thread_t *t = pthread_getspecific(key);
    if (t)
        return t;
    t = calloc(1, sizeof *t);
    if (!t || pthread_setspecific(key, t) != 0) {
        free(t);
        return NULL;
    }
    t->no_device = device == GSVD_HOST;
    return t;
}

/* NULL where there can be none.  Ranks are LAPACK's. */
static gsvd_handle_t create(const library_t *library, int where)
{
    gsvd_handle_t h;
    if (library->create(&h, where) != GSVD_SUCCESS)
        return NULL;
    if (library->set_option(h, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_OFF) ==
        GSVD_SUCCESS)
        return h;
    library->destroy(h);
    return NULL;
}

gsvd_handle_t gsvd_lapack_host(const library_t *library, thread_t *t)
{
    if (!t->host)
        t->host = create(library, GSVD_HOST);
    return t->host;
}

gsvd_handle_t gsvd_lapack_device(const library_t *library, thread_t *t)
{
    int where = GSVD_HOST;
    if (t->no_device || t->device)
        return t->no_device ? NULL : t->device;
    t->device = create(library, device);
    if (t->device && library->get_device(t->device, &where) != GSVD_SUCCESS)
        where = GSVD_HOST;
    t->no_device = where == GSVD_HOST;
    return t->no_device ? NULL : t->device;
}

void *gsvd_lapack_spare(thread_t *t, size_t bytes)
{
    if (!t->spare || t->spare_bytes < bytes) {
        free(t->spare);
        t->spare = malloc(bytes ? bytes : 1);
        t->spare_bytes = t->spare ? bytes : 0;
    }
    return t->spare;
}
