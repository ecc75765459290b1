/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* copies_cuda.h [1] -- copies between the host and a device, in the handle's stream. */
#ifndef GSVD_MACHINE_COPIES_CUDA_H
#define GSVD_MACHINE_COPIES_CUDA_H

#include "core/cuda_state.h"

/* space_t's upload and download.  Arrays of COPY_SLOT bytes and more go through the handle's
 * ring, unless they are pinned, or the ring cannot be had. */
gsvd_status_t gsvd_upload(gsvd_handle_t h, void *dst, size_t dpitch,
                          const void *src, size_t spitch, size_t bytes,
                          int64_t columns);
gsvd_status_t gsvd_download(gsvd_handle_t h, void *dst, size_t dpitch,
                            const void *src, size_t spitch, size_t bytes,
                            int64_t columns);

/* Releases the ring, in which no copy is under way. */
void gsvd_ring_close(gsvd_handle_t h);

#endif /* GSVD_MACHINE_COPIES_CUDA_H */
