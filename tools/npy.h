/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* npy.h -- reads and writes a NumPy .npy file.
 *
 * Read: versions 1, 2 and 3; both orders and both byte orders; bool, integers
 * of 1 to 8 bytes, float32, float64, complex64, complex128; two dimensions, or
 * one, which becomes a column.
 * Source: numpy.lib.format, "NPY format".
 */
#ifndef GSVD_TOOLS_NPY_H
#define GSVD_TOOLS_NPY_H

#include "source.h"

/* The first byte of each .npy file, and of no text. */
enum { NPY_FIRST = 0x93 };

/* Reads A, of width 2 if the file is complex.  False, told and with A empty, if
 * the file is not in order. */
bool npy_parse(source_t *s, matrix_t *A);

/* One number out of its bytes: of kind b bool, i signed, u unsigned, f real */
double npy_number(char kind, int bytes, const unsigned char *at);

/* Writes A in version 1.0, by columns; as float32 or complex64 if single; a
 * vector, which has one column, with one dimension.  Of a part, what is A's in a
 * file of the whole matrix; the first one writes the header.  False if a write failed. */
bool npy_write(FILE *out, const matrix_t *A, bool single, bool vector);

/* The same by a function that takes the next bytes, and returns false if that failed */
bool npy_emit(bool (*put)(void *to, const void *bytes, size_t count), void *to,
              const matrix_t *A, bool single, bool vector);

#endif /* GSVD_TOOLS_NPY_H */
