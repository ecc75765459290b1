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
#define NAMES                                                                  \
    (jobu, jobv, jobq, m, n, p, k, l, A, lda, B, ldb, alpha, beta, U, ldu, V,  \
     ldv, Q, ldq, info)
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

DOOR_PUBLIC(, PARAMETERS, NAMES, ARGS)

#define SIZES() char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p

DOOR_SIZES(, SIZES, PAIR_SIZES)

/* -- many pairs ---------------------------------------------------------------------- */

#define EACH_PARAMETERS(T, R, r)                                               \
    char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,          \
        int64_t *k, int64_t *l, T *const *A, int64_t lda, T *const *B,         \
        int64_t ldb, R *const *alpha, R *const *beta, T *const *U,             \
        int64_t ldu, T *const *V, int64_t ldv, T *const *Q, int64_t ldq,       \
        int *info, int64_t batch
#define EACH_NAMES                                                             \
    (jobu, jobv, jobq, m, n, p, k, l, EACH(A), lda, EACH(B), ldb, EACH(alpha), \
     EACH(beta), EACH(U), ldu, EACH(V), ldv, EACH(Q), ldq, info, batch)
#define EACH_ARRAYS                                                            \
    [OPERAND_A] = (void *)A, [OPERAND_B] = (void *)B,                          \
    [OPERAND_ALPHA] = (void *)alpha, [OPERAND_BETA] = (void *)beta,            \
    [OPERAND_U] = (void *)U, [OPERAND_V] = (void *)V, [OPERAND_Q] = (void *)Q
#define EACH_ARGS                                                              \
    ((batch_args_t){.one = {.job = {jobu, jobv, jobq},                         \
                            .m = m,                                            \
                            .n = n,                                            \
                            .p = p,                                            \
                            .k_out = k,                                        \
                            .l_out = l,                                        \
                            .array = {EACH_ARRAYS},                            \
                            .ld = {PAIR_LDS}},                                 \
                    .count = batch,                                            \
                    .k = k,                                                    \
                    .l = l,                                                    \
                    .info = info})

DOOR_MANY(, _batched, BATCH_POINTERS, EACH_PARAMETERS, EACH_NAMES, EACH_ARGS)
DOOR_MANY_SIZES(, _batched, BATCH_POINTERS, SIZES, PAIR_SIZES)

#define STRIDED_PARAMETERS(T, R, r)                                            \
    char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,          \
        int64_t *k, int64_t *l, T *A, int64_t lda, int64_t strideA, T *B,      \
        int64_t ldb, int64_t strideB, R *alpha, int64_t stride_alpha, R *beta, \
        int64_t stride_beta, T *U, int64_t ldu, int64_t strideU, T *V,         \
        int64_t ldv, int64_t strideV, T *Q, int64_t ldq, int64_t strideQ,      \
        int *info, int64_t batch
#define STRIDED_NAMES                                                          \
    (jobu, jobv, jobq, m, n, p, k, l, A, lda, strideA, B, ldb, strideB, alpha, \
     stride_alpha, beta, stride_beta, U, ldu, strideU, V, ldv, strideV, Q,     \
     ldq, strideQ, info, batch)
#define STRIDED_ARGS                                                           \
    ((batch_args_t){.one = ARGS,                                               \
                    .count = batch,                                            \
                    .stride = {[OPERAND_A] = strideA,                          \
                               [OPERAND_B] = strideB,                          \
                               [OPERAND_ALPHA] = stride_alpha,                 \
                               [OPERAND_BETA] = stride_beta,                   \
                               [OPERAND_U] = strideU,                          \
                               [OPERAND_V] = strideV,                          \
                               [OPERAND_Q] = strideQ},                         \
                    .k = k,                                                    \
                    .l = l,                                                    \
                    .info = info})

DOOR_MANY(, _strided_batched, BATCH_STRIDED, STRIDED_PARAMETERS, STRIDED_NAMES,
          STRIDED_ARGS)
DOOR_MANY_SIZES(, _strided_batched, BATCH_STRIDED, SIZES, PAIR_SIZES)

#define SIZED_PARAMETERS(T, R, r)                                              \
    char jobu, char jobv, char jobq, int64_t max_m, int64_t max_n,             \
        int64_t max_p, const int64_t *m, const int64_t *n, const int64_t *p,   \
        int64_t *k, int64_t *l, T *const *A, const int64_t *lda, T *const *B,  \
        const int64_t *ldb, R *const *alpha, R *const *beta, T *const *U,      \
        const int64_t *ldu, T *const *V, const int64_t *ldv, T *const *Q,      \
        const int64_t *ldq, int *info, int64_t batch
#define SIZED_NAMES                                                            \
    (jobu, jobv, jobq, max_m, max_n, max_p, m, n, p, k, l, EACH(A), lda,       \
     EACH(B), ldb, EACH(alpha), EACH(beta), EACH(U), ldu, EACH(V), ldv,        \
     EACH(Q), ldq, info, batch)
#define SIZED_ARGS                                                             \
    ((batch_args_t){.one = {.job = {jobu, jobv, jobq},                         \
                            .m = max_m,                                        \
                            .n = max_n,                                        \
                            .p = max_p,                                        \
                            .k_out = k,                                        \
                            .l_out = l,                                        \
                            .array = {EACH_ARRAYS}},                           \
                    .count = batch,                                            \
                    .size = {m, n, p},                                         \
                    .ld = {PAIR_LDS},                                          \
                    .k = k,                                                    \
                    .l = l,                                                    \
                    .info = info})

DOOR_MANY(, _vbatched, BATCH_SIZES, SIZED_PARAMETERS, SIZED_NAMES, SIZED_ARGS)

#define MAX_SIZES()                                                            \
    char jobu, char jobv, char jobq, int64_t max_m, int64_t max_n, int64_t max_p
#define MAX_SIZE_ARGS                                                          \
    ((args_t){.job = {jobu, jobv, jobq}, .m = max_m, .n = max_n, .p = max_p})

DOOR_MANY_SIZES(, _vbatched, BATCH_SIZES, MAX_SIZES, MAX_SIZE_ARGS)
