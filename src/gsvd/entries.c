/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* entries.c -- the public functions of one precision: arguments into a call. */
#include "gsvd/pipeline.h"

/* The arguments that all routines share, under their own names. */
#define SHARED                                                                 \
    .jobu = jobu, .jobv = jobv, .jobq = jobq, .m = m, .n = n, .p = p, .A = A,  \
    .lda = lda, .B = B, .ldb = ldb, .U = U, .ldu = ldu, .V = V, .ldv = ldv,    \
    .Q = Q, .ldq = ldq, .info = info

const entry_points_t X(entry_points) = {X(call), X(call_buffer_size)};

gsvd_status_t GSVD_ENTRY(gsvd_handle_t h, char jobu, char jobv, char jobq,
                         int64_t m, int64_t n, int64_t p, int64_t *k,
                         int64_t *l, scalar_t *A, int64_t lda, scalar_t *B,
                         int64_t ldb, real_t *alpha, real_t *beta, scalar_t *U,
                         int64_t ldu, scalar_t *V, int64_t ldv, scalar_t *Q,
                         int64_t ldq, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_GSVD,
                                .k = k,
                                .l = l,
                                .alpha = alpha,
                                .beta = beta,
                                .device_arrays = 0,
                                SHARED});
}

gsvd_status_t X(gpu)(gsvd_handle_t h, char jobu, char jobv, char jobq,
                     int64_t m, int64_t n, int64_t p, int64_t *k, int64_t *l,
                     scalar_t *A, int64_t lda, scalar_t *B, int64_t ldb,
                     real_t *alpha, real_t *beta, scalar_t *U, int64_t ldu,
                     scalar_t *V, int64_t ldv, scalar_t *Q, int64_t ldq,
                     int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_GSVD,
                                .k = k,
                                .l = l,
                                .alpha = alpha,
                                .beta = beta,
                                .device_arrays = 1,
                                SHARED});
}

gsvd_status_t X(preprocess)(gsvd_handle_t h, char jobu, char jobv, char jobq,
                            int64_t m, int64_t p, int64_t n, scalar_t *A,
                            int64_t lda, scalar_t *B, int64_t ldb, real_t tola,
                            real_t tolb, int64_t *k, int64_t *l, scalar_t *U,
                            int64_t ldu, scalar_t *V, int64_t ldv, scalar_t *Q,
                            int64_t ldq, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_PREPROCESS,
                                .k = k,
                                .l = l,
                                .tola = tola,
                                .tolb = tolb,
                                .device_arrays = 0,
                                SHARED});
}

gsvd_status_t X(preprocess_gpu)(gsvd_handle_t h, char jobu, char jobv,
                                char jobq, int64_t m, int64_t p, int64_t n,
                                scalar_t *A, int64_t lda, scalar_t *B,
                                int64_t ldb, real_t tola, real_t tolb,
                                int64_t *k, int64_t *l, scalar_t *U,
                                int64_t ldu, scalar_t *V, int64_t ldv,
                                scalar_t *Q, int64_t ldq, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_PREPROCESS,
                                .k = k,
                                .l = l,
                                .tola = tola,
                                .tolb = tolb,
                                .device_arrays = 1,
                                SHARED});
}

gsvd_status_t X(solve)(gsvd_handle_t h, char jobu, char jobv, char jobq,
                       int64_t m, int64_t p, int64_t n, int64_t k, int64_t l,
                       scalar_t *A, int64_t lda, scalar_t *B, int64_t ldb,
                       real_t tola, real_t tolb, real_t *alpha, real_t *beta,
                       scalar_t *U, int64_t ldu, scalar_t *V, int64_t ldv,
                       scalar_t *Q, int64_t ldq, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_SOLVE,
                                .k_in = k,
                                .l_in = l,
                                .tola = tola,
                                .tolb = tolb,
                                .alpha = alpha,
                                .beta = beta,
                                .device_arrays = 0,
                                SHARED});
}

gsvd_status_t X(solve_gpu)(gsvd_handle_t h, char jobu, char jobv, char jobq,
                           int64_t m, int64_t p, int64_t n, int64_t k,
                           int64_t l, scalar_t *A, int64_t lda, scalar_t *B,
                           int64_t ldb, real_t tola, real_t tolb, real_t *alpha,
                           real_t *beta, scalar_t *U, int64_t ldu, scalar_t *V,
                           int64_t ldv, scalar_t *Q, int64_t ldq, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_SOLVE,
                                .k_in = k,
                                .l_in = l,
                                .tola = tola,
                                .tolb = tolb,
                                .alpha = alpha,
                                .beta = beta,
                                .device_arrays = 1,
                                SHARED});
}
