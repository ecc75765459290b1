/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device_code.cu [1] -- has the library code for the current device?
 *
 * All kernels are compiled for the same architectures, so that one tells of all.
 */
#include "machine/device_code.h"

static __global__ void probe_kernel() {}

cudaError_t gsvd_find_device_code(void)
{
    cudaFuncAttributes unused;
    return cudaFuncGetAttributes(&unused, probe_kernel);
}
