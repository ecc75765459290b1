/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* entries.h -- see entries.cu. */
#ifndef GSVD_GRID_NCCL_ENTRIES_H
#define GSVD_GRID_NCCL_ENTRIES_H

#include "core/exec.h"

#if defined __cplusplus
extern "C" {
#endif

/* A := a matrix of A.rows rows that every process has */
void X(grid_write_matrix)(mat_t A, const scalar_t *from);

#if defined __cplusplus
}
#endif

#endif /* GSVD_GRID_NCCL_ENTRIES_H */
