/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gpus.h [1] -- which GPUs have numbers of their own. */
#ifndef GSVD_MACHINE_GPUS_H
#define GSVD_MACHINE_GPUS_H

#include "core/handle.h"

/* The machine of a GPU with that first number of the compute capability, whose rate of single
 * precision is `ratio` times that of double */
const machine_t *gsvd_gpu_of(int major, int ratio);

#endif /* GSVD_MACHINE_GPUS_H */
