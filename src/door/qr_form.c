/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr_form.c [1] -- Q of a QR factorization, formed, described as xORGQR. */
#include "door/matrix.h"

DOOR_DECLARE(qr_form);

static const routine_t routine = {
    .size = {DOOR_SIZE(m, 1), DOOR_BOUNDED(n, 2, rows_m, "not in [0, m]"),
             DOOR_BOUNDED(k, 3, rows_n,
                          "not in [0, order of Q or its columns]")},
    .array = {{MATRIX_A(4, flow_both)}, {MATRIX_TAU(6, rows_k, flow_in)}},
    .program = DOOR_PROGRAMS(qr_form),
};

const routine_t *const gsvd_qr_form_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    int64_t m, int64_t n, int64_t k, T *A, int64_t lda, const T *tau, int *info
#define ARGS /* tau is only read */                                            \
    ((args_t){.m = m,                                                          \
              .n = n,                                                          \
              .k = k,                                                          \
              .array = {[OPERAND_A] = A, [OPERAND_TAU] = (void *)tau},         \
              .ld = {[OPERAND_A] = lda},                                       \
              .info = info})

DOOR_PUBLIC(_qr_form, PARAMETERS, ARGS)
