/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* opened.c [1] -- the CUDA space of a shared libgsvd, which opens its module.
 *
 * The module is the file of that name beside the libgsvd that is running.  If there is none, it is
 * what the loader finds, as it finds any library.  No variable of ours and no folder of the process
 * is used.  A libgsvd that was itself found by a relative path does not look beside it, since the
 * process may have changed its folder since.
 *
 * The module is opened once and stays, for threads and for handles that nobody destroys.  It needs
 * libgsvd, which then stays, too.  The first question for devices is part of the opening, since
 * CUDA's runtime opens the driver for it.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/opening.h"
#include "gsvd_build.h"
#include "machine/cuda_module.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const space_t *space;
static char reason[256]; /* why there is no space                            */

/* path := the module's file beside this library.  Is there one? */
static int is_beside(char *path, size_t bytes)
{
    Dl_info here;
    if (!dladdr(&once, &here) || here.dli_fname[0] != '/')
        return 0;
    const int folder = (int)(strrchr(here.dli_fname, '/') - here.dli_fname);
    const int length =
        snprintf(path, bytes, "%.*s/" GSVD_CUDA_MODULE, folder, here.dli_fname);
    return (size_t)length < bytes && access(path, F_OK) == 0;
}

static void open_module(void)
{
    char path[4096];
    void *const library =
        dlopen(is_beside(path, sizeof path) ? path : GSVD_CUDA_MODULE,
               RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        snprintf(reason, sizeof reason, "no CUDA: %s", dlerror());
        return;
    }
    const cuda_module_t *const module = dlsym(library, "gsvd_cuda_module");
    if (!module)
        snprintf(reason, sizeof reason, "no CUDA: %s", dlerror());
    else if (strcmp(module->build, GSVD_BUILD) != 0)
        snprintf(reason, sizeof reason,
                 "no CUDA: " GSVD_CUDA_MODULE
                 " is of libgsvd %s, this is libgsvd " GSVD_BUILD,
                 module->build);
    else {
        space = module->space;
        (void)space->count();
    }
}

static void open_once(void)
{
    opening_begins();
    open_module();
    opening_ends();
}

const space_t *gsvd_space_cuda(const char **why)
{
    *why = opening_is_lost();
    if (*why)
        return NULL;
    *why = pthread_once(&once, open_once) == 0 ? reason : "pthread_once";
    return space;
}
