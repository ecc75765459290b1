/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* slow.c [1] -- a module whose constructor takes its time: who finds it before the end has
 * no string for a build. */
#define _GNU_SOURCE /* usleep */
#include <unistd.h>

#include "gsvd.h"

typedef struct slow_module {
    const char *build;
    const void *space;
} slow_module_t;

GSVD_API extern slow_module_t gsvd_cuda_module;
slow_module_t gsvd_cuda_module;

__attribute__((constructor)) static void start(void)
{
    usleep(100000);
    gsvd_cuda_module.build = "0.0.7 (slow)";
}
