/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stream_cuda.c [1] -- a stream that does not wait for the default one; what a handle
 * on a device does unseen. */
#include "core/cuda_state.h"
#include "harness/plain.h"
#include "machine/gpus.h"

gsvd_stream_t stream_create(void)
{
    cudaStream_t stream = NULL;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) !=
        cudaSuccess)
        return NULL;
    return stream;
}

void stream_destroy(gsvd_stream_t stream) { cudaStreamDestroy(stream); }

int has_split(gsvd_handle_t h)
{
    if (!cuda_of(h))
        return 0;
    const unsigned splits = cuda_of(h)->taken[WAY_SPLIT];
    cuda_of(h)->taken[WAY_SPLIT] = 0;
    return splits > 0;
}

int multiprocessors(gsvd_handle_t h)
{
    return cuda_of(h) ? cuda_of(h)->multiprocessors : 1;
}

void count_ways(gsvd_handle_t h, unsigned (*count)[WAYS])
{
    memset(count, 0, sizeof *count);
    if (cuda_of(h))
        ck_assert_ok(gsvd_count_ways(h, count));
}

static gsvd_status_t enter_nothing(gsvd_handle_t h)
{
    (void)h;
    return GSVD_SUCCESS;
}

static void leave_nothing(gsvd_handle_t h) { (void)h; }

static capture_t capture_nothing(gsvd_handle_t h)
{
    (void)h;
    return CAPTURE_NONE;
}

gsvd_handle_t paper_device(int processors)
{
    static cuda_state_t state;
    static space_t paper;
    gsvd_handle_t h = NULL;
    paper = gsvd_cuda_space;
    paper.enter = enter_nothing;
    paper.leave = leave_nothing;
    paper.relax_capture = capture_nothing;
    state = (cuda_state_t){.multiprocessors = processors};
    ck_assert_int_eq(gsvd_create(&h, GSVD_HOST), GSVD_SUCCESS);
    h->space = &paper;
    h->machine = gsvd_gpu_of(9, 2);
    h->cuda = &state;
    return h;
}

void tear(gsvd_handle_t h)
{
    h->space = &gsvd_space_host;
    h->cuda = NULL;
    gsvd_destroy(h);
}

void pretend_shared(gsvd_handle_t h, int bytes)
{
    static int shared; /* of the device, which is the only one               */
    static const machine_t *machine;
    cuda_state_t *const cuda = cuda_of(h);
    if (!cuda)
        return;
    if (!shared) {
        shared = cuda->shared;
        machine = h->machine;
    }
    cuda->shared = bytes > 0 && bytes < shared ? bytes : shared;
    h->machine = bytes > 0 ? gsvd_gpu_of(0, 2) : machine;
    gsvd_forget_shapes(h);
}
