/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csv.h -- reads a table of real numbers, a row on each line.
 *
 *   - The fields of the file are parted by the first of ';' ',' and tab that
 *     stands in its first line, and by blanks if none does.  Blanks around a
 *     field do not count; a field may stand in double quotes.
 *   - The first line is a header, and is left out, if demand.header says so, or if
 *     none of its fields is a number or begins like one; only the first may be empty,
 *     over labels.
 *   - Under a header, the first field of each row is a label, and is left out, if it is
 *     not a number and a number stands behind it; then all rows have one, and the
 *     header may have one field less.  Where demand.skip_columns is given, that many
 *     fields are left out instead, whatever they hold.
 *   - Blank lines, and lines that begin with '#' or '%', are left out.
 */
#ifndef GSVD_TOOLS_CSV_H
#define GSVD_TOOLS_CSV_H

#include "source.h"

/* Reads A, which is real.  False, told and with A empty, if the file is not in
 * order. */
bool csv_parse(source_t *s, matrix_t *A);

/* Writes A, which is real, parted by commas.  False if a write failed. */
bool csv_write(FILE *out, const matrix_t *A, bool single);

#endif /* GSVD_TOOLS_CSV_H */
