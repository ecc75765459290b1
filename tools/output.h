/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* output.h -- writes a decomposition into a directory, or into one file, which has no gsvd.json.
 *
 *     alpha, beta   the k + l values of a pair, as vectors
 *     bounds        of their errors, if asked for
 *     sigma         the values of a matrix;  signs: those of J', for hsvd
 *     U, V          their columns
 *     Q, R          of a pair, or X in X form, or Y in xinv; R is of order k + l
 *     gsvd.json     what --json prints, with the names of the files above
 *
 * The files in the directory are those of one decomposition: what gsvd.json of an
 * earlier run names goes when the new files get their names.  A file of such a name
 * that no gsvd.json tells of may be anybody's; if it would stay beside the new ones,
 * nothing is written.
 */
#ifndef GSVD_TOOLS_OUTPUT_H
#define GSVD_TOOLS_OUTPUT_H

#include "report.h"
#include "stage.h"

/* exit statuses */
enum { DONE = 0, FAILED = 1, USAGE = 2, NOT_CONVERGED = 3 };

/* code, once standard output is written; FAILED, with a line on stderr, if it cannot be: a full
 * disk shows here at the latest. */
int output_flushed(int code);

enum format { FORMAT_NPY, FORMAT_MTX, FORMAT_CSV, FORMAT_NPZ, FORMAT_MAT };

/* Is all in one file of this format?  Else it is a directory of files. */
static inline bool format_is_file(enum format format)
{
    return format == FORMAT_NPZ || format == FORMAT_MAT;
}

/* The files of a task's results, but for gsvd.json; none of a format that is one file. */
file_list_t output_files(const task_t *task, enum format format);

/* Before the work: false, with a line on stderr, if a file is in the way. */
bool output_in_order(const char *directory, enum format format,
                     const file_list_t *files);

/* Writes r->files and gsvd.json.  False, with a line on stderr, if that cannot be
 * done. */
bool output_write(stage_t *s, const char *directory, enum format format,
                  const report_t *r);

#endif /* GSVD_TOOLS_OUTPUT_H */
