/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix_market.h -- reads a Matrix Market file.
 *
 * Every matrix of the format is read: array and coordinate; real, integer,
 * complex and pattern (ones); general, symmetric, skew-symmetric and hermitian.
 * Entries that a coordinate file gives more than once are summed.  Comments and
 * blank lines may stand anywhere below the first line.
 * Source: Boisvert, Pozo, Remington, The Matrix Market exchange formats, 1996.
 */
#ifndef GSVD_TOOLS_MATRIX_MARKET_H
#define GSVD_TOOLS_MATRIX_MARKET_H

#include <stdio.h>

#include "matrix.h"

typedef struct read_error {
    int64_t line;     /* from 1; 0 if no line is at fault                    */
    char reason[160]; /* one line of text                                    */
} read_error_t;

/* Reads A, of width 2 if the file is complex; *size_line is where its sizes
 * stand.  False, with A empty and *error set, if the file is not in order. */
bool matrix_market_read(const char *path, matrix_t *A, int64_t *size_line,
                        read_error_t *error);

/* The same from an open stream. */
bool matrix_market_parse(FILE *in, matrix_t *A, int64_t *size_line,
                         read_error_t *error);

#endif /* GSVD_TOOLS_MATRIX_MARKET_H */
