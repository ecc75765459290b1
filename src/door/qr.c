/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.c [1] -- QR of one matrix, described as xGEQRF. */
#include "door/matrix.h"

DOOR_DECLARE(qr);

/* Without tau R alone is a result. */
static int64_t rows_of_r(const args_t *a)
{
    return a->array[OPERAND_TAU] ? a->m : min_mn(a);
}

static const routine_t routine = {
    .size = {DOOR_SIZE(m, 1), DOOR_SIZE(n, 2)},
    .array = {{MATRIX_A(3, flow_both), .rows_out = rows_of_r},
              {MATRIX_TAU(5, min_mn, flow_out), .optional = 1}},
    .program = DOOR_PROGRAMS(qr),
};

const routine_t *const gsvd_qr_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    int64_t m, int64_t n, T *A, int64_t lda, T *tau, int *info
#define ARGS                                                                   \
    ((args_t){.m = m,                                                          \
              .n = n,                                                          \
              .array = {[OPERAND_A] = A, [OPERAND_TAU] = tau},                 \
              .ld = {[OPERAND_A] = lda},                                       \
              .info = info})

DOOR_PUBLIC(_qr, PARAMETERS, ARGS)
