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

/* What is wrong with signs; of_size: with how many there are */
typedef struct sign_fault {
    char text[192];
    bool of_size;
} sign_fault_t;

/* J := a column, if it has the signs of n columns of the matrix of this name.  False, told in *why, if it has
 * not. */
bool operands_signs(matrix_t *J, int64_t n, const char *name,
                    sign_fault_t *why);

#endif /* GSVD_TOOLS_OPERANDS_H */
