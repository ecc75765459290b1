/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr_apply.c [1] -- Q of a QR factorization, applied, described as xORMQR. */
#include "door/matrix.h"

DOOR_DECLARE(qr_apply);

static const routine_t routine = {
    .job = {{"side", "LR", "neither 'L' nor 'R'", .left_out = 'L'},
            {"op", "NC", "not 'N', 'C', or 'T' of a real type"}},
    .size = {DOOR_SIZE(m, 3), DOOR_SIZE(n, 4),
             DOOR_BOUNDED(k, 5, order_of_q,
                          "not in [0, order of Q or its columns]")},
    .array = {{.name = "A",
               .operand = OPERAND_A,
               .number = 6,
               .ld_number = 7,
               .rows = order_of_q,
               .cols = rows_k,
               .flow = flow_in},
              {MATRIX_TAU(8, rows_k, flow_in)},
              {.name = "C",
               .operand = OPERAND_C,
               .number = 9,
               .ld_number = 10,
               .rows = rows_m,
               .cols = rows_n,
               .flow = flow_both}},
    .program = DOOR_PROGRAMS(qr_apply),
};

const routine_t *const gsvd_qr_apply_routine = &routine;

/* what a real type calls 'T' is 'C' */
static char op_of(gsvd_type_t type, char op)
{
    const int real = type == GSVD_S || type == GSVD_D;
    return real && (op == 'T' || op == 't') ? 'C' : op;
}

#define PARAMETERS(T, R, r)                                                    \
    char side, char op, int64_t m, int64_t n, int64_t k, const T *A,           \
        int64_t lda, const T *tau, T *C, int64_t ldc, int *info
#define ARGS /* A and tau are only read */                                     \
    ((args_t){.job = {side, op_of(type, op)},                                  \
              .m = m,                                                          \
              .n = n,                                                          \
              .k = k,                                                          \
              .array = {[OPERAND_A] = (void *)A,                               \
                        [OPERAND_TAU] = (void *)tau,                           \
                        [OPERAND_C] = C},                                      \
              .ld = {[OPERAND_A] = lda, [OPERAND_C] = ldc},                    \
              .info = info})

DOOR_PUBLIC(_qr_apply, PARAMETERS, ARGS)
