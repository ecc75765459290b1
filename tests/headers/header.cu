/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* header.cu -- gsvd_filter.h, and gsvd.h in it, as CUDA, beside CUDA's own headers. */
#include "gsvd_filter.h"
#include <cuda_runtime.h>

gsvd_status_t header_check(gsvd_handle_t h, cudaStream_t stream);

gsvd_status_t header_check(gsvd_handle_t h, cudaStream_t stream)
{
    return gsvd_set_stream(h, stream);
}
