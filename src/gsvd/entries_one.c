/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* entries_one.c -- the public functions of one matrix: arguments into a call. */
#include "gsvd/pipeline.h"

/* The arguments that all routines share, under their own names. */
#define SHARED .m = m, .n = n, .lda = lda, .info = info

static gsvd_status_t qr(gsvd_handle_t h, int device_arrays, int64_t m,
                        int64_t n, scalar_t *A, int64_t lda, scalar_t *tau,
                        int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_QR,
                                .device_arrays = device_arrays,
                                .A = A,
                                .tau = tau,
                                SHARED});
}

static gsvd_status_t qr_apply(gsvd_handle_t h, int device_arrays, char side,
                              char op, int64_t m, int64_t n, int64_t k,
                              const scalar_t *A, int64_t lda,
                              const scalar_t *tau, scalar_t *C, int64_t ldc,
                              int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_QR_APPLY,
                                .device_arrays = device_arrays,
                                .side = side,
                                .op = op_of(op),
                                .k_in = k,
                                .A = (scalar_t *)A, /* which is only read */
                                .tau = (scalar_t *)tau,
                                .C = C,
                                .ldc = ldc,
                                SHARED});
}

static gsvd_status_t qr_form(gsvd_handle_t h, int device_arrays, int64_t m,
                             int64_t n, int64_t k, scalar_t *A, int64_t lda,
                             const scalar_t *tau, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_QR_FORM,
                                .device_arrays = device_arrays,
                                .k_in = k,
                                .A = A,
                                .tau = (scalar_t *)tau, /* which is only read */
                                SHARED});
}

static gsvd_status_t geqp(gsvd_handle_t h, int device_arrays, int64_t m,
                          int64_t n, scalar_t *A, int64_t lda, int64_t *jpvt,
                          scalar_t *tau, real_t tol, int64_t *rank, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_GEQP,
                                .device_arrays = device_arrays,
                                .A = A,
                                .jpvt = jpvt,
                                .tau = tau,
                                .tola = tol,
                                .k = rank,
                                SHARED});
}

static gsvd_status_t urv(gsvd_handle_t h, int device_arrays, char jobu,
                         char jobv, int64_t m, int64_t n, scalar_t *A,
                         int64_t lda, real_t tol, int64_t *rank, scalar_t *U,
                         int64_t ldu, scalar_t *V, int64_t ldv, int *info)
{
    return X(call)(h, &(call_t){.routine = ROUTINE_URV,
                                .device_arrays = device_arrays,
                                .jobu = jobu,
                                .jobv = jobv,
                                .A = A,
                                .tola = tol,
                                .k = rank,
                                .U = U,
                                .ldu = ldu,
                                .V = V,
                                .ldv = ldv,
                                SHARED});
}

/* -- host memory, and a device's ------------------------------------------------ */

gsvd_status_t X(qr)(gsvd_handle_t h, int64_t m, int64_t n, scalar_t *A,
                    int64_t lda, scalar_t *tau, int *info)
{
    return qr(h, 0, m, n, A, lda, tau, info);
}

gsvd_status_t X(qr_gpu)(gsvd_handle_t h, int64_t m, int64_t n, scalar_t *A,
                        int64_t lda, scalar_t *tau, int *info)
{
    return qr(h, 1, m, n, A, lda, tau, info);
}

gsvd_status_t X(qr_apply)(gsvd_handle_t h, char side, char op, int64_t m,
                          int64_t n, int64_t k, const scalar_t *A, int64_t lda,
                          const scalar_t *tau, scalar_t *C, int64_t ldc,
                          int *info)
{
    return qr_apply(h, 0, side, op, m, n, k, A, lda, tau, C, ldc, info);
}

gsvd_status_t X(qr_apply_gpu)(gsvd_handle_t h, char side, char op, int64_t m,
                              int64_t n, int64_t k, const scalar_t *A,
                              int64_t lda, const scalar_t *tau, scalar_t *C,
                              int64_t ldc, int *info)
{
    return qr_apply(h, 1, side, op, m, n, k, A, lda, tau, C, ldc, info);
}

gsvd_status_t X(qr_form)(gsvd_handle_t h, int64_t m, int64_t n, int64_t k,
                         scalar_t *A, int64_t lda, const scalar_t *tau,
                         int *info)
{
    return qr_form(h, 0, m, n, k, A, lda, tau, info);
}

gsvd_status_t X(qr_form_gpu)(gsvd_handle_t h, int64_t m, int64_t n, int64_t k,
                             scalar_t *A, int64_t lda, const scalar_t *tau,
                             int *info)
{
    return qr_form(h, 1, m, n, k, A, lda, tau, info);
}

gsvd_status_t X(geqp)(gsvd_handle_t h, int64_t m, int64_t n, scalar_t *A,
                      int64_t lda, int64_t *jpvt, scalar_t *tau, real_t tol,
                      int64_t *rank, int *info)
{
    return geqp(h, 0, m, n, A, lda, jpvt, tau, tol, rank, info);
}

gsvd_status_t X(geqp_gpu)(gsvd_handle_t h, int64_t m, int64_t n, scalar_t *A,
                          int64_t lda, int64_t *jpvt, scalar_t *tau, real_t tol,
                          int64_t *rank, int *info)
{
    return geqp(h, 1, m, n, A, lda, jpvt, tau, tol, rank, info);
}

gsvd_status_t X(urv)(gsvd_handle_t h, char jobu, char jobv, int64_t m,
                     int64_t n, scalar_t *A, int64_t lda, real_t tol,
                     int64_t *rank, scalar_t *U, int64_t ldu, scalar_t *V,
                     int64_t ldv, int *info)
{
    return urv(h, 0, jobu, jobv, m, n, A, lda, tol, rank, U, ldu, V, ldv, info);
}

gsvd_status_t X(urv_gpu)(gsvd_handle_t h, char jobu, char jobv, int64_t m,
                         int64_t n, scalar_t *A, int64_t lda, real_t tol,
                         int64_t *rank, scalar_t *U, int64_t ldu, scalar_t *V,
                         int64_t ldv, int *info)
{
    return urv(h, 1, jobu, jobv, m, n, A, lda, tol, rank, U, ldu, V, ldv, info);
}
