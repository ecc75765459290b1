/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stream_none.c [1] -- no stream in a build without CUDA. */
#include "harness/plain.h"

gsvd_stream_t stream_create(void) { return NULL; }

void stream_destroy(gsvd_stream_t stream) { (void)stream; }
