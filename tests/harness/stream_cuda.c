/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stream_cuda.c [1] -- a stream that does not wait for the default one; what a handle
 * on a device does unseen. */
#include "core/cuda_state.h"
#include "harness/plain.h"

gsvd_stream_t stream_create(void)
{
    cudaStream_t stream = NULL;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) !=
        cudaSuccess)
        return NULL;
    return stream;
}

void stream_destroy(gsvd_stream_t stream) { cudaStreamDestroy(stream); }

int split_as_expected(gsvd_handle_t h)
{
    return !cuda_of(h) || !cuda_of(h)->hopper || cuda_of(h)->split;
}

void pretend_shared(gsvd_handle_t h, int bytes)
{
    static int shared, hopper; /* of the device, which is the only one       */
    cuda_state_t *const cuda = cuda_of(h);
    if (!cuda)
        return;
    if (!shared) {
        shared = cuda->shared;
        hopper = cuda->hopper;
    }
    cuda->shared = bytes > 0 && bytes < shared ? bytes : shared;
    cuda->hopper = bytes > 0 ? 0 : hopper;
}
