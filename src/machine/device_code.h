/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device_code.h [1] -- has the library code for the current device? */
#ifndef GSVD_MACHINE_DEVICE_CODE_H
#define GSVD_MACHINE_DEVICE_CODE_H

#include <cuda_runtime_api.h>

#if defined __cplusplus
extern "C" {
#endif

/* The error with which a launch would end; cudaSuccess: there is code. */
cudaError_t gsvd_find_device_code(void);

#if defined __cplusplus
}
#endif

#endif /* GSVD_MACHINE_DEVICE_CODE_H */
