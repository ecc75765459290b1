/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_context.h [1] -- the CUDA context in which a call runs.
 *
 * If the context current to the calling thread belongs to the handle's device, the call runs in
 * it.  It may be a green context; then NULL means the default stream of that context.  Otherwise
 * the call runs in the device's primary context, the one that CUDA's runtime uses: it pushes that
 * context when it begins and pops it when it ends.  Afterwards the thread has the context that it
 * had, or none, and no other device was touched.  (cudaSetDevice on the way back would create a
 * context on that device.)
 *
 * The context of the first call, gsvd_create, becomes the handle's.  A call in another context of
 * the same device is refused.
 */
#ifndef GSVD_MACHINE_CUDA_CONTEXT_H
#define GSVD_MACHINE_CUDA_CONTEXT_H

#include "core/cuda_state.h"

/* These two enclose all of a call's work on the device.  Both clear the last error of CUDA's
 * runtime: an error that the caller left there is not taken for ours, and ours is not taken for
 * the caller's. */
gsvd_status_t gsvd_context_enter(gsvd_handle_t h);
void gsvd_context_leave(gsvd_handle_t h);

/* The handle is done with the primary context. */
void gsvd_context_release(gsvd_handle_t h);

#endif /* GSVD_MACHINE_CUDA_CONTEXT_H */
