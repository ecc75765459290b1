/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.c [1] -- preprocessing of a pair, described as xGGSVP3. */
#include "door/pair.h"

DOOR_DECLARE(preprocess);

static const routine_t routine = {
    .job = PAIR_JOBS("'S'", "USN", "VSN", "QSN"),
    .size = {DOOR_SIZE(m, 4), DOOR_SIZE(p, 5), DOOR_SIZE(n, 6)},
    .result = {{"k", 13, offsetof(args_t, k_out)},
               {"l", 14, offsetof(args_t, l_out)}},
    .array = {PAIR_A(7, flow_both, NULL), PAIR_B(9, flow_both, NULL),
              PAIR_U(15, flow_out), PAIR_V(17, flow_out), PAIR_Q(19, flow_out)},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(preprocess),
};

const routine_t *const gsvd_preprocess_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n, T *A,    \
        int64_t lda, T *B, int64_t ldb, r tola, r tolb, int64_t *k,            \
        int64_t *l, T *U, int64_t ldu, T *V, int64_t ldv, T *Q, int64_t ldq,   \
        int *info
#define ARGS                                                                   \
    ((args_t){.job = {jobu, jobv, jobq},                                       \
              .m = m,                                                          \
              .n = n,                                                          \
              .p = p,                                                          \
              .k_out = k,                                                      \
              .l_out = l,                                                      \
              .tol = {tola, tolb},                                             \
              .array = {PAIR_ARRAYS},                                          \
              .ld = {PAIR_LDS},                                                \
              .info = info})

DOOR_PUBLIC(_preprocess, PARAMETERS, ARGS)
