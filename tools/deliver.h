/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* deliver.h -- the files and the report of a decomposition. */
#ifndef GSVD_TOOLS_DELIVER_H
#define GSVD_TOOLS_DELIVER_H

#include "options.h"

/* What others write into the files, once these are there.  False, told. */
typedef bool write_rest_op(const stage_t *s, void *with);

/* Writes the files asked for, prints the report, and then gives the files their names.  The exit
 * status; rest may be NULL. */
int deliver(const options_t *o, const report_t *r, write_rest_op *rest,
            void *with);

#endif /* GSVD_TOOLS_DELIVER_H */
