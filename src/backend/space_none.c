/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* space_none.c [1] -- the CUDA space of a build without CUDA: there is none. */
#include "core/space.h"

const space_t *gsvd_space_cuda(void) { return NULL; }

int gsvd_cuda_device_count(void) { return 0; }
