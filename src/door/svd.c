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
#define NAMES (jobu, jobv, m, n, A, lda, sigma, U, ldu, V, ldv, info)
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

DOOR_PUBLIC(_svd, PARAMETERS, NAMES, ARGS)

#define SIZES() char jobu, char jobv, int64_t m, int64_t n
#define SIZE_ARGS ((args_t){.job = {jobu, jobv}, .m = m, .n = n})

DOOR_SIZES(_svd, SIZES, SIZE_ARGS)

/* -- many matrices ------------------------------------------------------------------ */

#define EACH_PARAMETERS(T, R, r)                                               \
    char jobu, char jobv, int64_t m, int64_t n, T *const *A, int64_t lda,      \
        R *const *sigma, T *const *U, int64_t ldu, T *const *V, int64_t ldv,   \
        int *info, int64_t batch
#define EACH_NAMES                                                             \
    (jobu, jobv, m, n, EACH(A), lda, EACH(sigma), EACH(U), ldu, EACH(V), ldv,  \
     info, batch)
#define EACH_ARGS                                                              \
    ((batch_args_t){                                                           \
        .one =                                                                 \
            {.job = {jobu, jobv},                                              \
             .m = m,                                                           \
             .n = n,                                                           \
             .array = {EACH_ARRAYS},                                           \
             .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldu, [OPERAND_V] = ldv}}, \
        .count = batch,                                                        \
        .info = info})
#define EACH_ARRAYS                                                            \
    [OPERAND_A] = (void *)A, [OPERAND_ALPHA] = (void *)sigma,                  \
    [OPERAND_U] = (void *)U, [OPERAND_V] = (void *)V

DOOR_MANY(_svd, _batched, BATCH_POINTERS, EACH_PARAMETERS, EACH_NAMES,
          EACH_ARGS)
DOOR_MANY_SIZES(_svd, _batched, BATCH_POINTERS, SIZES, SIZE_ARGS)

#define STRIDED_PARAMETERS(T, R, r)                                            \
    char jobu, char jobv, int64_t m, int64_t n, T *A, int64_t lda,             \
        int64_t strideA, R *sigma, int64_t stride_sigma, T *U, int64_t ldu,    \
        int64_t strideU, T *V, int64_t ldv, int64_t strideV, int *info,        \
        int64_t batch
#define STRIDED_NAMES                                                          \
    (jobu, jobv, m, n, A, lda, strideA, sigma, stride_sigma, U, ldu, strideU,  \
     V, ldv, strideV, info, batch)
#define STRIDED_ARGS                                                           \
    ((batch_args_t){.one = ARGS,                                               \
                    .count = batch,                                            \
                    .stride = {[OPERAND_A] = strideA,                          \
                               [OPERAND_ALPHA] = stride_sigma,                 \
                               [OPERAND_U] = strideU,                          \
                               [OPERAND_V] = strideV},                         \
                    .info = info})

DOOR_MANY(_svd, _strided_batched, BATCH_STRIDED, STRIDED_PARAMETERS,
          STRIDED_NAMES, STRIDED_ARGS)
DOOR_MANY_SIZES(_svd, _strided_batched, BATCH_STRIDED, SIZES, SIZE_ARGS)

#define SIZED_PARAMETERS(T, R, r)                                              \
    char jobu, char jobv, int64_t max_m, int64_t max_n, const int64_t *m,      \
        const int64_t *n, T *const *A, const int64_t *lda, R *const *sigma,    \
        T *const *U, const int64_t *ldu, T *const *V, const int64_t *ldv,      \
        int *info, int64_t batch
#define SIZED_NAMES                                                            \
    (jobu, jobv, max_m, max_n, m, n, EACH(A), lda, EACH(sigma), EACH(U), ldu,  \
     EACH(V), ldv, info, batch)
#define SIZED_ARGS                                                             \
    ((batch_args_t){                                                           \
        .one = {.job = {jobu, jobv},                                           \
                .m = max_m,                                                    \
                .n = max_n,                                                    \
                .array = {EACH_ARRAYS}},                                       \
        .count = batch,                                                        \
        .size = {m, n},                                                        \
        .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldu, [OPERAND_V] = ldv},       \
        .info = info})

DOOR_MANY(_svd, _vbatched, BATCH_SIZES, SIZED_PARAMETERS, SIZED_NAMES,
          SIZED_ARGS)

#define MAX_SIZES() char jobu, char jobv, int64_t max_m, int64_t max_n
#define MAX_SIZE_ARGS ((args_t){.job = {jobu, jobv}, .m = max_m, .n = max_n})

DOOR_MANY_SIZES(_svd, _vbatched, BATCH_SIZES, MAX_SIZES, MAX_SIZE_ARGS)
