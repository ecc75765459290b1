/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_module.h [1] -- the part of libgsvd that computes on CUDA devices, seen from the rest.
 *
 * The module has everything that calls CUDA's libraries: the CUDA space and its tables of
 * primitives.  Three files have the one function gsvd_space_cuda (space.h):
 *
 *     opened.c     shared libgsvd: the module is a library of its own, which is opened when a
 *                  device is first asked for
 *     linked.c     static libgsvd: the module is inside
 *     none.c       a build without CUDA: there is no module
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
