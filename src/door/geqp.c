/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqp.c [1] -- QR with column pivoting, described as xGEQP3 with a rank. */
#include "door/matrix.h"

DOOR_DECLARE(geqp);

static const routine_t routine = {
    .size = {DOOR_SIZE(m, 1), DOOR_SIZE(n, 2)},
    .result = {{"rank", 8, offsetof(args_t, k_out)}},
    .array = {{MATRIX_A(3, flow_both)},
              {.name = "jpvt",
               .operand = OPERAND_JPVT,
               .number = 5,
               .element = ELEMENT_INTEGER,
               .rows = rows_n,
               .cols = one,
               .flow = flow_out},
              {MATRIX_TAU(6, min_mn, flow_out)}},
    .tol_number = 7,
    .program = DOOR_PROGRAMS(geqp),
};

const routine_t *const gsvd_geqp_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    int64_t m, int64_t n, T *A, int64_t lda, int64_t *jpvt, T *tau, r tol,     \
        int64_t *rank, int *info
#define ARGS                                                                   \
    ((args_t){                                                                 \
        .m = m,                                                                \
        .n = n,                                                                \
        .tol = {tol},                                                          \
        .k_out = rank,                                                         \
        .array =                                                               \
            {[OPERAND_A] = A, [OPERAND_JPVT] = jpvt, [OPERAND_TAU] = tau},     \
        .ld = {[OPERAND_A] = lda},                                             \
        .info = info})

DOOR_PUBLIC(_geqp, PARAMETERS, ARGS)
