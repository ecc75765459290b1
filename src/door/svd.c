/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c [1] -- the singular value decomposition of one matrix, described. */
#include "door/matrix.h"

DOOR_DECLARE(svd);

static const routine_t routine = {
    .job = MATRIX_JOBS,
    .size = {DOOR_SIZE(m, 3), DOOR_SIZE(n, 4)},
    .array = {{MATRIX_A(5, flow_in)},
              {.name = "sigma",
               .operand = OPERAND_ALPHA,
               .number = 7,
               .element = ELEMENT_REAL,
               .rows = min_mn,
               .cols = one,
               .flow = flow_out},
              {MATRIX_U(8)},
              {MATRIX_V(10)}},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(svd),
};

const routine_t *const gsvd_svd_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, int64_t m, int64_t n, T *A, int64_t lda, R *sigma,   \
        T *U, int64_t ldu, T *V, int64_t ldv, int *info
#define ARGS                                                                   \
    ((args_t){.job = {jobu, jobv},                                             \
              .m = m,                                                          \
              .n = n,                                                          \
              .array = {[OPERAND_A] = A,                                       \
                        [OPERAND_ALPHA] = sigma,                               \
                        [OPERAND_U] = U,                                       \
                        [OPERAND_V] = V},                                      \
              .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldu, [OPERAND_V] = ldv}, \
              .info = info})

DOOR_PUBLIC(_svd, PARAMETERS, ARGS)
