/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* none.c [1] -- the CUDA space of a build without CUDA: there is none. */
#include "core/space.h"

const space_t *gsvd_space_cuda(const char **why)
{
    *why = "the library was built without CUDA";
    return NULL;
}
