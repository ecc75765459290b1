/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_module.c [1] -- see cuda_module.h. */
#include "machine/cuda_module.h"

#include "core/cuda_state.h"
#include "gsvd_build.h"

const cuda_module_t gsvd_cuda_module = {
    .build = GSVD_BUILD,
    .space = &gsvd_cuda_space,
};
