/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* input.h -- reads a matrix from a file of any known format.
 *
 * A file that begins as a Matrix Market or NumPy file does is one, whatever its
 * name.  So is a file called .mtx, .mm or .npy, which is then refused if it
 * does not begin so.  All others are CSV.
 */
#ifndef GSVD_TOOLS_INPUT_H
#define GSVD_TOOLS_INPUT_H

#include "source.h"

/* Standard input is the path "-". */
bool input_is_standard(const char *path);

/* How a message calls the file. */
const char *input_name(const char *path);

/* Reads A, of width 2 if the file is complex; *size_line is where its sizes
 * show, 0 if in no line.  False, with A empty and *error set, if the file is not
 * in order or not what is asked.  A part is read of Matrix Market and NumPy files. */
bool input_read(const char *path, demand_t demand, matrix_t *A,
                int64_t *size_line, read_error_t *error);

#endif /* GSVD_TOOLS_INPUT_H */
