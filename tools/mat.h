/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* mat.h -- reads and writes MATLAB's .mat files of level 5 without compression, as `save -v6` makes
 * them in MATLAB, and in Octave `save -6`: full matrices of numbers.
 *
 * Source: The MathWorks, MAT-File Format, 2010 on, chapter 1.
 */
#ifndef GSVD_TOOLS_MAT_H
#define GSVD_TOOLS_MAT_H

#include "source.h"

/* The first bytes of such a file */
#define MAT_FIRST "MATLAB 5.0 MAT-file"

/* Reads the matrix of that name or, if it is NULL, the only one.  False, told and with A empty, if
 * that cannot be done. */
bool mat_parse(source_t *s, const char *name, matrix_t *A);

/* The beginning of a file, and each of its matrices, of less than 2^32 bytes.  False if a write failed,
 * or, with errno EFBIG, if A is too large. */
bool mat_begin(FILE *out);
bool mat_write(FILE *out, const char *name, const matrix_t *A, bool single);

#endif /* GSVD_TOOLS_MAT_H */
