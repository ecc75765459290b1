/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* linked.c [1] -- the CUDA space of a static libgsvd, which the linker found.  CUDA's
 * runtime opens the driver when it is first asked for devices. */
#include "core/opening.h"
#include "machine/cuda_module.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void ask_once(void)
{
    opening_begins();
    (void)gsvd_cuda_module.space->count();
    opening_ends();
}

const space_t *gsvd_space_cuda(const char **why)
{
    *why = opening_is_lost();
    if (*why)
        return NULL;
    *why = pthread_once(&once, ask_once) == 0 ? "" : "pthread_once";
    return gsvd_cuda_module.space;
}
