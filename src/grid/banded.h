/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* banded.h -- the engine's products and QR (products.c), and those by blocks, of matrices with zeros away
 * from a diagonal (banded.c).  *done: the matrix is one for blocks, and that was it. */
#ifndef GSVD_GRID_BANDED_H
#define GSVD_GRID_BANDED_H

#include "grid/backend.h"
#include "grid/layout.h"

/* C := beta C + alpha op(A) op(B) */
gsvd_status_t X(dense_product)(char opa, char opb, real_t alpha, mat_t A,
                               mat_t B, real_t beta, mat_t C);
/* the same, of A and B as they are */
gsvd_status_t X(banded_product)(const exec_t *ex, real_t alpha, mat_t A,
                                mat_t B, real_t beta, mat_t C, int *done);
/* C's lower triangle := that of A^H A */
gsvd_status_t X(dense_gram)(mat_t A, mat_t C);
gsvd_status_t X(banded_gram)(const exec_t *ex, mat_t A, mat_t C, int *done);

/* geqrf, ungqr, unmqr (qr/qr.h).  banded_ungqr: as many columns as reflectors; banded_times_q:
 * C := C Q, with as many reflectors as V has columns; banded_q_times: C := Q C, of k */
gsvd_status_t X(dense_geqrf)(mat_t A, scalar_t *tau);
gsvd_status_t X(banded_geqrf)(mat_t A, scalar_t *tau, int *done);
gsvd_status_t X(dense_ungqr)(mat_t A, int64_t k, const scalar_t *tau);
gsvd_status_t X(banded_ungqr)(const exec_t *ex, mat_t A, const scalar_t *tau,
                              int *done);
gsvd_status_t X(dense_unmqr)(char side, char op, mat_t A, int64_t k,
                             const scalar_t *tau, mat_t C);
gsvd_status_t X(banded_times_q)(mat_t V, const scalar_t *tau, mat_t C,
                                int *done);
gsvd_status_t X(banded_q_times)(mat_t V, int64_t k, const scalar_t *tau,
                                mat_t C, int *done);

#endif /* GSVD_GRID_BANDED_H */
