/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* none.c -- a build without a C++ compiler. */
#include "emulated/columns.h"
#include "primitives.h"

columns_run_t X(columns_run);

gsvd_status_t X(columns_on_host)(const exec_t *ex, const task_t *t)
{
    return run_solver(ex->op->gsvd_solvers, ex, t);
}
