/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* output.h -- writes a decomposition into a directory.
 *
 *     alpha, beta   the k + l values, as vectors
 *     U, V          their columns
 *     Q, R          or X in X form; R is of order k + l
 *     gsvd.json     what --json prints
 */
#ifndef GSVD_TOOLS_OUTPUT_H
#define GSVD_TOOLS_OUTPUT_H

#include "report.h"
#include "stage.h"

enum format { FORMAT_NPY, FORMAT_MTX };

/* False, with a line on stderr, if a file cannot be written. */
bool output_write(stage_t *s, const char *directory, enum format format,
                  const report_t *r);

#endif /* GSVD_TOOLS_OUTPUT_H */
