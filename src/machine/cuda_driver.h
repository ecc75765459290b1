/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_driver.h [1] -- CUDA's driver, whose functions are looked up, not linked: the
 * library loads where there is none. */
#ifndef GSVD_MACHINE_CUDA_DRIVER_H
#define GSVD_MACHINE_CUDA_DRIVER_H

#include "core/cuda_state.h"

/* Finds the driver and the driver's name of the handle's device; creates no context. */
gsvd_status_t gsvd_driver_open(gsvd_handle_t h);
void gsvd_driver_close(gsvd_handle_t h);

gsvd_status_t gsvd_driver_failed(gsvd_handle_t h, CUresult error,
                                 const char *call);

#endif /* GSVD_MACHINE_CUDA_DRIVER_H */
