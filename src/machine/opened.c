/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* opened.c [1] -- the CUDA space of a shared libgsvd, which opens its module.
 *
 * The module is opened once (core/beside.h) and stays, for threads and for handles that nobody
 * destroys.  It needs libgsvd, which then stays, too.  The first question for devices is part of the
 * opening, since CUDA's runtime opens the driver for it.
 */
#define _GNU_SOURCE /* dladdr */
#include "core/beside.h"
#include "core/opening.h"
#include "gsvd_build.h"
#include "machine/cuda_module.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const space_t *space;
static char reason[256]; /* why there is no space                            */

static void open_module(void)
{
    void *const library = open_beside(&once, GSVD_CUDA_MODULE);
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
