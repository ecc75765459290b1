/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_band.c -- a band of a grid, for the process that owns it: L := L X, F := F X, X unitary, where the
 * columns of L, which are of like length, become orthogonal (jacobi/large_steps.c).
 *
 * L is m x n, F is p x n.  p = 0: There is no F. */
#include "gsvd/pipeline.h"
#include "jacobi/steps.h"

static gsvd_status_t measure_band(const exec_t *ex, const args_t *a,
                                  need_t *need)
{
    const task_t t = {.A = mat_of_size(a->m, a->n), .how = AIM_LENGTHS};
    need->work = X(steps_bytes)(ex, &t, 0);
    return X(large_steps_staging)(ex, a->n, &need->staging);
}

static gsvd_status_t run_band(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const mat_t L = operand_of(a, OPERAND_A, a->m, a->n);
    const mat_t F = operand_of(a, OPERAND_B, a->p, a->p > 0 ? a->n : 0);

    (void)out;
    return L.data ? X(large_steps_band)(ex, L, F) : GSVD_SUCCESS;
}

const program_t X(band_program) = {measure_band, run_band, NULL};
