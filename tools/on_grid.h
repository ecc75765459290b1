/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* on_grid.h -- the command as one of the processes that mpirun started. */
#ifndef GSVD_TOOLS_ON_GRID_H
#define GSVD_TOOLS_ON_GRID_H

#include "options.h"

/* The exit status, the same of all processes. */
int on_grid(options_t *o);

#endif /* GSVD_TOOLS_ON_GRID_H */
