/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_context.h [1] -- the CUDA context in which a call runs.
 *
 * That is the context current to the calling thread if it is one of the handle's
 * device: a green context, say, whose default stream is then the one that NULL
 * means.  Otherwise it is the device's primary context, the one that CUDA's runtime
 * uses, pushed when the call begins and popped when it ends.  The thread's context
 * is then what it was, none included, and no other device was touched;
 * cudaSetDevice on the way back would create a context on that device.
 *
 * The first call, gsvd_create, makes that context the handle's: calls in another one of the same
 * device are refused.
 */
#ifndef GSVD_MACHINE_CUDA_CONTEXT_H
#define GSVD_MACHINE_CUDA_CONTEXT_H

#include "core/cuda_state.h"

/* Around all of a call's work on the device.  Both clear the last error of CUDA's
 * runtime: what the caller left there is not taken for an error of ours, and ours
 * not for one of the caller's. */
gsvd_status_t gsvd_context_enter(gsvd_handle_t h);
void gsvd_context_leave(gsvd_handle_t h);

/* The handle is done with the primary context. */
void gsvd_context_release(gsvd_handle_t h);

#endif /* GSVD_MACHINE_CUDA_CONTEXT_H */
