/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix_market.h -- reads and writes a Matrix Market file.
 *
 * Every matrix of the format is read: array and coordinate; real, integer,
 * complex and pattern (ones); general, symmetric, skew-symmetric and hermitian.
 * Entries that a coordinate file gives more than once are summed.  Comments and
 * blank lines may stand anywhere below the first line.
 * Source: Boisvert, Pozo, Remington, The Matrix Market exchange formats, 1996.
 */
#ifndef GSVD_TOOLS_MATRIX_MARKET_H
#define GSVD_TOOLS_MATRIX_MARKET_H

#include "source.h"

/* Reads A, of width 2 if the file is complex.  False, told and with A empty, if
 * the file is not in order. */
bool matrix_market_parse(source_t *s, matrix_t *A);

/* Writes A as a general array, with the digits that tell doubles, or floats if
 * single, apart.  False if a write failed. */
bool matrix_market_write(FILE *out, const matrix_t *A, bool single);

#endif /* GSVD_TOOLS_MATRIX_MARKET_H */
