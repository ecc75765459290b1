/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_module.h [1] -- what of libgsvd computes on CUDA devices, seen from the rest.
 *
 * It is all that calls CUDA's libraries: the CUDA space, and the tables of primitives
 * that this has.  A shared libgsvd opens it when a device is first asked for, as a
 * library of its own (opened.c); a static one has it inside (linked.c); a build without
 * CUDA lacks it (none.c): three files with the one function gsvd_space_cuda (space.h).
 */
#ifndef GSVD_MACHINE_CUDA_MODULE_H
#define GSVD_MACHINE_CUDA_MODULE_H

#include "core/space.h"

/* The members keep their places: `build` is read before it is known that both sides
 * have the same ones. */
typedef struct cuda_module {
    const char *build; /* GSVD_BUILD (gsvd_build.h), the same on both sides   */
    const space_t *space;
} cuda_module_t;

/* The one symbol that the module exports */
GSVD_API extern const cuda_module_t gsvd_cuda_module;

#endif /* GSVD_MACHINE_CUDA_MODULE_H */
