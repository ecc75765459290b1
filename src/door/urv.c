/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* urv.c [1] -- the complete orthogonal decomposition of one matrix, described. */
#include "door/matrix.h"

DOOR_DECLARE(urv);

static const routine_t routine = {
    .job = MATRIX_JOBS,
    .size = {DOOR_SIZE(m, 3), DOOR_SIZE(n, 4)},
    .result = {{"rank", 8, offsetof(args_t, k_out)}},
    .array = {{MATRIX_A(5, flow_both)}, {MATRIX_U(9)}, {MATRIX_V(11)}},
    .tol_number = 7,
    .program = DOOR_PROGRAMS(urv),
};

const routine_t *const gsvd_urv_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, int64_t m, int64_t n, T *A, int64_t lda, r tol,      \
        int64_t *rank, T *U, int64_t ldu, T *V, int64_t ldv, int *info
#define ARGS                                                                   \
    ((args_t){.job = {jobu, jobv},                                             \
              .m = m,                                                          \
              .n = n,                                                          \
              .tol = {tol},                                                    \
              .k_out = rank,                                                   \
              .array = {[OPERAND_A] = A, [OPERAND_U] = U, [OPERAND_V] = V},    \
              .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldu, [OPERAND_V] = ldv}, \
              .info = info})

DOOR_PUBLIC(_urv, PARAMETERS, ARGS)
