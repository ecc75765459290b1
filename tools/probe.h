/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* probe.h -- is there memory for the BLAS? */
#ifndef GSVD_TOOLS_PROBE_H
#define GSVD_TOOLS_PROBE_H

#include <stddef.h>

#include "gsvd.h"

/* Where the process has a limit of memory (ulimit -v, -d): lets the BLAS take its
 * buffers, beside a workspace of so many bytes.  OpenBLAS tries for ever where
 * there is no room for them: then the process ends, with exit status 1 and a line
 * on stderr. */
void probe_blas(gsvd_type_t type, size_t workspace);

#endif /* GSVD_TOOLS_PROBE_H */
