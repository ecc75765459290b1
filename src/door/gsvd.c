/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.c [1] -- the GSVD of a pair, described as xGGSVD3. */
#include "door/pair.h"

DOOR_DECLARE(gsvd);

static const routine_t routine = {
    .job = PAIR_JOBS("'S'", "USN", "VSN", "QSN"),
    .size = {DOOR_SIZE(m, 4), DOOR_SIZE(n, 5), DOOR_SIZE(p, 6)},
    .result = {{"k", 7, offsetof(args_t, k_out)},
               {"l", 8, offsetof(args_t, l_out)}},
    .array = {PAIR_A(9, flow_r, r_in_a), PAIR_B(11, flow_r, r_in_b),
              PAIR_ALPHA(13), PAIR_BETA(14), PAIR_U(15, flow_out),
              PAIR_V(17, flow_out), PAIR_Q(19, flow_out)},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(gsvd),
};

const routine_t *const gsvd_gsvd_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,          \
        int64_t *k, int64_t *l, T *A, int64_t lda, T *B, int64_t ldb,          \
        R *alpha, R *beta, T *U, int64_t ldu, T *V, int64_t ldv, T *Q,         \
        int64_t ldq, int *info
#define ARGS                                                                   \
    ((args_t){                                                                 \
        .job = {jobu, jobv, jobq},                                             \
        .m = m,                                                                \
        .n = n,                                                                \
        .p = p,                                                                \
        .k_out = k,                                                            \
        .l_out = l,                                                            \
        .array =                                                               \
            {PAIR_ARRAYS, [OPERAND_ALPHA] = alpha, [OPERAND_BETA] = beta},     \
        .ld = {PAIR_LDS},                                                      \
        .info = info})

DOOR_PUBLIC(, PARAMETERS, ARGS)
