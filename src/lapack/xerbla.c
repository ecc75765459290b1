/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* xerbla.c [1] -- LAPACK's error handler, as the running program has it. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "lapack/lapack.h"

typedef void xerbla_t(const char *name, const integer_t *argument,
                      size_t length);

/* That it is asked for here makes a link editor export the program's own.  dlsym looks
 * again, at what was loaded since. */
__attribute__((weak)) xerbla_t xerbla_;

void gsvd_lapack_xerbla(const char *name, int argument)
{
    const integer_t i = argument;
    xerbla_t *xerbla = NULL;
    *(void **)&xerbla = dlsym(RTLD_DEFAULT, "xerbla_");
    if (!xerbla)
        xerbla = xerbla_;
    if (xerbla)
        xerbla(name, &i, strlen(name));
    else
        fprintf(stderr,
                " ** On entry to %s parameter number %d had an illegal value\n",
                name, argument);
}
