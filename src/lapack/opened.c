/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* opened.c [1] -- libgsvd apart from the program's own BLAS and LAPACK.
 *
 * libgsvd calls BLAS and LAPACK with 32-bit integers.  A program that uses libgsvd_lapack64 has
 * the same names with 64-bit integers.  RTLD_DEEPBIND makes libgsvd and the libraries that it
 * needs see their own symbols first, and RTLD_LOCAL hides these from the program.
 *
 * libgsvd is opened when this library is, as if it were linked, and not by the first call.  If
 * fork() is called while another thread is within dlopen, the child has the loader's lists half
 * written.  It would not help to make fork() wait: handlers that the BLAS sets meanwhile do not
 * belong to that fork, and the child would wait for the BLAS's threads.
 */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include <dlfcn.h>
#include <pthread.h>

#include "lapack/lapack.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static library_t library;
static int complete;

/* *function := the symbol */
static int find(void *from, const char *name, void *function)
{
    void *const symbol = dlsym(from, name);
    *(void **)function = symbol;
    return symbol != NULL;
}

#define FIND_ENTRIES(letter)                                                   \
    (find(from, #letter "gsvd", &library.letter.pair) &&                       \
     find(from, #letter "gsvd_preprocess", &library.letter.preprocess) &&      \
     find(from, #letter "gsvd_solve", &library.letter.solve))

static void open_library(void)
{
    void *const from =
        dlopen(GSVD_LAPACK_OPENS, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!from)
        return;
    complete = find(from, "gsvd_create", &library.create) &&
               find(from, "gsvd_destroy", &library.destroy) &&
               find(from, "gsvd_get_device", &library.get_device) &&
               find(from, "gsvd_get_stats", &library.get_stats) &&
               find(from, "gsvd_set_option", &library.set_option) &&
               find(from, "gsvd_run", &library.run);
#if GSVD_HAVE_S
    complete = complete && FIND_ENTRIES(s);
#endif
#if GSVD_HAVE_D
    complete = complete && FIND_ENTRIES(d);
#endif
#if GSVD_HAVE_C
    complete = complete && FIND_ENTRIES(c);
#endif
#if GSVD_HAVE_Z
    complete = complete && FIND_ENTRIES(z);
#endif
}

__attribute__((constructor)) static void open_at_once(void)
{
    (void)gsvd_lapack_library();
}

const library_t *gsvd_lapack_library(void)
{
    return pthread_once(&once, open_library) == 0 && complete ? &library : NULL;
}
