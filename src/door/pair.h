/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.h [1] -- what the descriptions of gsvd, preprocess and solve share. */
#ifndef GSVD_DOOR_PAIR_H
#define GSVD_DOOR_PAIR_H

#include "door/shapes.h"

static inline int64_t u_rows(const args_t *a) { return wants(a, 0) ? a->m : 0; }
static inline int64_t v_rows(const args_t *a) { return wants(a, 1) ? a->p : 0; }
static inline int64_t q_rows(const args_t *a) { return wants(a, 2) ? a->n : 0; }
/* With all jobs 'N', and of some pairs, A and B are lost, and R is not among the results. */
static inline flow_t flow_r(const args_t *a)
{
    return is_values_only(a) || a->keep != 0 ? FLOW_IN : FLOW_BOTH;
}

/* The first rows of A that R may have a part in, whatever the ranks; of B, where it has only
 * what A has no rows for */
static inline int64_t r_in_a(const args_t *a)
{
    return a->m < a->n ? a->m : a->n;
}
static inline int64_t r_in_b(const args_t *a)
{
    return a->m >= a->n ? 0 : a->p < a->n ? a->p : a->n;
}

/* LAPACK's numbers i of an array and i + 1 of its leading dimension; rows_: rows_out */
#define PAIR_A(i, flow_, rows_)                                                \
    {                                                                          \
        .name = "A", .operand = OPERAND_A, .number = (i),                      \
        .ld_number = (i) + 1, .rows = rows_m, .cols = rows_n,                  \
        .rows_out = (rows_), .flow = (flow_)                                   \
    }
#define PAIR_B(i, flow_, rows_)                                                \
    {                                                                          \
        .name = "B", .operand = OPERAND_B, .number = (i),                      \
        .ld_number = (i) + 1, .rows = rows_p, .cols = rows_n,                  \
        .rows_out = (rows_), .flow = (flow_)                                   \
    }
#define PAIR_U(i, flow_)                                                       \
    {                                                                          \
        .name = "U", .operand = OPERAND_U, .number = (i),                      \
        .ld_number = (i) + 1, .rows = u_rows, .cols = pair_u_cols,             \
        .flow = (flow_)                                                        \
    }
#define PAIR_V(i, flow_)                                                       \
    {                                                                          \
        .name = "V", .operand = OPERAND_V, .number = (i),                      \
        .ld_number = (i) + 1, .rows = v_rows, .cols = pair_v_cols,             \
        .flow = (flow_)                                                        \
    }
#define PAIR_Q(i, flow_)                                                       \
    {                                                                          \
        .name = "Q", .operand = OPERAND_Q, .number = (i),                      \
        .ld_number = (i) + 1, .rows = q_rows, .cols = pair_q_cols,             \
        .flow = (flow_)                                                        \
    }
#define PAIR_ALPHA(i)                                                          \
    {                                                                          \
        .name = "alpha", .operand = OPERAND_ALPHA, .number = (i),              \
        .element = ELEMENT_REAL, .rows = rows_n, .cols = one, .flow = flow_out \
    }
#define PAIR_BETA(i)                                                           \
    {                                                                          \
        .name = "beta", .operand = OPERAND_BETA, .number = (i),                \
        .element = ELEMENT_REAL, .rows = rows_n, .cols = one, .flow = flow_out \
    }

#define PAIR_JOBS(other, letters_u, letters_v, letters_q)                      \
    {                                                                          \
        {"jobu", letters_u, "none of the factor's letter, " other ", 'N'"},    \
            {"jobv", letters_v,                                                \
             "none of the factor's letter, " other ", 'N'"},                   \
        {                                                                      \
            "jobq", letters_q, "none of the factor's letter, " other ", 'N'"   \
        }                                                                      \
    }

/* The arguments of those names, for args_t */
#define PAIR_ARRAYS                                                            \
    [OPERAND_A] = A, [OPERAND_B] = B, [OPERAND_U] = U, [OPERAND_V] = V,        \
    [OPERAND_Q] = Q
#define PAIR_LDS                                                               \
    [OPERAND_A] = lda, [OPERAND_B] = ldb, [OPERAND_U] = ldu,                   \
    [OPERAND_V] = ldv, [OPERAND_Q] = ldq

#endif /* GSVD_DOOR_PAIR_H */
