/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h [1] -- what the descriptions of the routines of one matrix share. */
#ifndef GSVD_DOOR_MATRIX_H
#define GSVD_DOOR_MATRIX_H

#include "door/shapes.h"

static inline int64_t matrix_u_rows(const args_t *a)
{
    return wants(a, 0) ? a->m : 0;
}
static inline int64_t matrix_v_rows(const args_t *a)
{
    return wants(a, 1) ? a->n : 0;
}

/* LAPACK's numbers i of an array and i + 1 of its leading dimension */
#define MATRIX_A(i, flow_)                                                     \
    .name = "A", .operand = OPERAND_A, .number = (i), .ld_number = (i) + 1,    \
    .rows = rows_m, .cols = rows_n, .flow = (flow_)
#define MATRIX_TAU(i, rows_, flow_)                                            \
    .name = "tau", .operand = OPERAND_TAU, .number = (i), .rows = (rows_),     \
    .cols = one, .flow = (flow_)
#define MATRIX_U(i)                                                            \
    .name = "U", .operand = OPERAND_U, .number = (i), .ld_number = (i) + 1,    \
    .rows = matrix_u_rows, .cols = matrix_u_cols, .flow = flow_out
#define MATRIX_V(i)                                                            \
    .name = "V", .operand = OPERAND_V, .number = (i), .ld_number = (i) + 1,    \
    .rows = matrix_v_rows, .cols = matrix_v_cols, .flow = flow_out
#define MATRIX_JOBS                                                            \
    {                                                                          \
        {"jobu", "USN", "none of 'U', 'S', 'N'"},                              \
        {                                                                      \
            "jobv", "VSN", "none of 'V', 'S', 'N'"                             \
        }                                                                      \
    }

#endif /* GSVD_DOOR_MATRIX_H */
