/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eig.c [1] -- which calls libgsvd computes, and where; the next LAPACK. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "lapack/eig.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gsvd_lapack_eig_set; orders below 0: never */
static _Atomic int method = GSVD_EIGH_FAST;
static _Atomic int64_t device_order = 512; /* bench/notes.md                  */
static _Atomic int64_t host_order = -1;

/* Does this thread compute a call of ours?  What libgsvd then asks LAPACK for is LAPACK's. */
static _Thread_local int within;

gsvd_status_t gsvd_lapack_eig_set(gsvd_eigh_option_t wanted, int64_t on_device,
                                  int64_t on_host)
{
    if (wanted != GSVD_EIGH_FAST && wanted != GSVD_EIGH_AUTO &&
        wanted != GSVD_EIGH_FACTOR)
        return GSVD_INVALID_ARGUMENT;
    method = (int)wanted;
    device_order = on_device;
    host_order = on_host;
    return GSVD_SUCCESS;
}

static int is_ours(generic_t *function)
{
    Dl_info of_function, of_us;
    const void *address = NULL;
    *(generic_t **)&address = function;
    return dladdr(address, &of_function) && dladdr(&method, &of_us) &&
           of_function.dli_fbase == of_us.dli_fbase;
}

/* Behind this library, for the loader; where it was opened by itself, anywhere in the program. */
static generic_t *find_next(const char *symbol)
{
    generic_t *found = NULL;
    *(void **)&found = dlsym(RTLD_NEXT, symbol);
    if (found)
        return found;
    *(void **)&found = dlsym(RTLD_DEFAULT, symbol);
    return found && !is_ours(found) ? found : NULL;
}

generic_t *gsvd_lapack_eig_next(next_t *next, const char *symbol)
{
    generic_t *found = atomic_load(next);
    if (found)
        return found;
    found = find_next(symbol);
    if (!found) {
        fprintf(stderr,
                "libgsvd_lapack_eig: no LAPACK behind this library has %s\n",
                symbol);
        abort();
    }
    atomic_store(next, found);
    return found;
}

static int reaches(int64_t order, int64_t least)
{
    return least >= 0 && order >= least;
}

/* NULL: not on a device */
static gsvd_handle_t device_for(int64_t order, const library_t *library,
                                thread_t *t)
{
    return reaches(order, device_order) ? gsvd_lapack_device(library, t) : NULL;
}

static int is_wanted(int64_t order)
{
    const library_t *const library = gsvd_lapack_library();
    thread_t *const t = library ? gsvd_lapack_thread() : NULL;
    return t && (reaches(order, host_order) || device_for(order, library, t));
}

/* An order of 1 has no neighbours to decide between: LAPACK's is as good. */
int gsvd_lapack_eig_wanted(int64_t order)
{
    const int kept = errno;
    if (within || order < 2 ||
        !(reaches(order, device_order) || reaches(order, host_order)))
        return 0;
    within = 1;
    const int wanted = is_wanted(order);
    within = 0;
    errno = kept;
    return wanted;
}

static size_t bytes_of(gsvd_type_t type)
{
    return type == GSVD_S ? sizeof(float)
           : type == GSVD_Z
               ? 2 * sizeof(double)
               : sizeof(double); /* d, and two of single precision            */
}

static eig_outcome_t run_with(const library_t *library, gsvd_handle_t h,
                              gsvd_problem_t p, gsvd_status_t *status)
{
    int info = 0;

    p.info = &info;
    *status = library->set_option(h, GSVD_EIGH, method);
    if (*status == GSVD_SUCCESS)
        *status = library->run(h, &p);
    if (*status == GSVD_SUCCESS)
        return DONE;
    /* what else is illegal has -1000 and less                                 */
    return *status == GSVD_INVALID_ARGUMENT && info < 0 && info > -1000
               ? NOT_FINITE
               : FOR_LAPACK;
}

/* on a copy of A, which is lost */
static eig_outcome_t run_on_host(const library_t *library, thread_t *t,
                                 gsvd_problem_t p)
{
    const int64_t rows = p.m > 0 ? p.m : p.n;
    const size_t bytes = bytes_of(p.type);
    const gsvd_handle_t h = gsvd_lapack_host(library, t);
    void *const copy = h ? gsvd_lapack_eig_spare(rows, p.n, bytes) : NULL;
    gsvd_status_t status;

    if (!copy)
        return FOR_LAPACK;
    gsvd_lapack_eig_copy(rows, p.n, bytes, p.A.data, p.A.ld, copy, rows);
    p.A.data = copy;
    p.A.ld = rows;
    const eig_outcome_t outcome = run_with(library, h, p, &status);
    free(copy);
    return outcome;
}

static eig_outcome_t run(const gsvd_problem_t *p, int64_t order)
{
    const library_t *const library = gsvd_lapack_library();
    thread_t *const t = library ? gsvd_lapack_thread() : NULL;
    eig_outcome_t outcome = FOR_LAPACK;
    gsvd_status_t status;

    if (!t)
        return FOR_LAPACK;
    const gsvd_handle_t h = device_for(order, library, t);
    if (h) { /* computes on copies of all arrays                              */
        outcome = run_with(library, h, *p, &status);
        t->no_device = status == GSVD_DEVICE_FAILED;
    }
    return outcome == FOR_LAPACK && reaches(order, host_order)
               ? run_on_host(library, t, *p)
               : outcome;
}

eig_outcome_t gsvd_lapack_eig_run(const gsvd_problem_t *p, int64_t order)
{
    const int kept = errno;
    within = 1;
    const eig_outcome_t outcome = run(p, order);
    within = 0;
    errno = kept;
    return outcome;
}

void *gsvd_lapack_eig_spare(int64_t rows, int64_t cols, size_t bytes)
{
    const size_t each = (size_t)rows * bytes;
    return (size_t)cols > SIZE_MAX / each ? NULL : malloc(each * (size_t)cols);
}

void gsvd_lapack_eig_copy(int64_t rows, int64_t cols, size_t bytes,
                          const void *X_, int64_t ldx, void *Y, int64_t ldy)
{
    for (int64_t j = 0; j < cols; ++j)
        memcpy((char *)Y + (size_t)(j * ldy) * bytes,
               (const char *)X_ + (size_t)(j * ldx) * bytes,
               (size_t)rows * bytes);
}
