/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.h -- QR factorization, its Q applied or formed, matrix product; see
 * backend.h. */
#ifndef GSVD_QR_QR_H
#define GSVD_QR_QR_H

#include "core/backend.h"

#if defined __cplusplus
extern "C" {
#endif

#define GSVD_QR(who)                                                           \
    gsvd_status_t X(geqrf_##who)(gsvd_handle_t h, mat_t A, scalar_t * tau);    \
    gsvd_status_t X(unmqr_##who)(gsvd_handle_t h, char side, char op, mat_t A, \
                                 int64_t k, const scalar_t *tau, mat_t C);     \
    gsvd_status_t X(ungqr_##who)(gsvd_handle_t h, mat_t A, int64_t k,          \
                                 const scalar_t *tau);                         \
    gsvd_status_t X(fix_phase_##who)(gsvd_handle_t h, mat_t R, mat_t Q);       \
    gsvd_status_t X(gemm_##who)(gsvd_handle_t h, char opa, char opb, mat_t A,  \
                                mat_t B, mat_t C);                             \
    gsvd_status_t X(scratch_bytes_##who)(                                      \
        gsvd_handle_t h, int64_t m, int64_t n, int64_t cols, size_t * bytes)

GSVD_QR(cpu);
GSVD_QR(cuda);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_QR_H */
