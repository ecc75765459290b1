/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* linked.c [1] -- the CUDA space of a static libgsvd, which the linker found. */
#include "backend/cuda_module.h"

const space_t *gsvd_space_cuda(const char **why)
{
    *why = "";
    return gsvd_cuda_module.space;
}
