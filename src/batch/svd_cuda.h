/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd_cuda.h -- the ways of svd_batched on a GPU, by the shape of the (largest) matrix. */
#ifndef GSVD_BATCH_SVD_CUDA_H
#define GSVD_BATCH_SVD_CUDA_H

#include "batch/batch.h"
#include "core/backend.h"
#include "core/cuda_state.h"

/* Columns of which a warp has all in its registers, and of V as many */
enum { REGISTER_COLUMNS = sizeof(scalar_t) == 16 ? 16 : 32 };

#endif /* GSVD_BATCH_SVD_CUDA_H */
