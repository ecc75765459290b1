/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eig_everywhere.c -- preloaded behind libgsvd_lapack_eig, lets libgsvd compute on the host what is of order 2
 * and more, by the method GSVD_TEST_METHOD (fast or auto), and says at the end how many calls succeeded. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gsvd_lapack_eig.h"

static int calls, successes;

gsvd_status_t gsvd_run(gsvd_handle_t h, const gsvd_problem_t *p)
{
    static __typeof__(&gsvd_run) real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "gsvd_run");
    const gsvd_status_t status = real(h, p);
    ++calls;
    successes += status == GSVD_SUCCESS;
    return status;
}

__attribute__((constructor)) static void begin(void)
{
    const char *const method = getenv("GSVD_TEST_METHOD");
    gsvd_lapack_eig_set(method && strcmp(method, "auto") == 0 ? GSVD_EIGH_AUTO
                                                              : GSVD_EIGH_FAST,
                        -1, 0);
}

__attribute__((destructor)) static void end(void)
{
    fprintf(stderr, "libgsvd: %d of %d\n", successes, calls);
}
