/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* columns.h -- batch/gsvd_columns.cu's kernel on the host, by blocks of one warp or two (block.h). */
#ifndef GSVD_TESTS_EMULATED_COLUMNS_H
#define GSVD_TESTS_EMULATED_COLUMNS_H

#include "batch/solvers.h"
#include "batch/ways.h"

typedef struct columns_run {
    int backward; /* The last lane runs first.                               */
    int lanes;    /* of a team, at least: 0, 16 or 32                        */
    unsigned way[WAYS]; /* batch/ways.h                                   */
} columns_run_t;

#if defined __cplusplus
extern "C" {
#endif

extern columns_run_t X(columns_run);

/* Pairs of the kernel's kind by that, what it leaves and all others by the table's solvers */
solver_run_op X(columns_on_host);

#if defined __cplusplus
}
#endif

#endif /* GSVD_TESTS_EMULATED_COLUMNS_H */
