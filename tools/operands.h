/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* operands.h -- the matrices that the command line names. */
#ifndef GSVD_TOOLS_OPERANDS_H
#define GSVD_TOOLS_OPERANDS_H

#include "options.h"
#include "progress.h"

/* Reads A and, unless the problem is SVD, B, which fit each other then; HSVD's B is a
 * column of signs.  False, with a line on stderr, if a file is not in order. */
bool operands_read(const options_t *o, matrix_t *A, matrix_t *B,
                   progress_t *progress);

#endif /* GSVD_TOOLS_OPERANDS_H */
