/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* none.c -- the CUDA table of a build without CUDA: there is none. */
#include "core/backend.h"

const backend_t *X(backend_cuda)(void) { return NULL; }
