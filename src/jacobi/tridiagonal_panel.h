/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tridiagonal_panel.h -- the first columns of a large matrix, for tridiagonal.cu. */
#ifndef GSVD_JACOBI_TRIDIAGONAL_PANEL_H
#define GSVD_JACOBI_TRIDIAGONAL_PANEL_H

#include "core/exec.h"

enum {
    TRIDIAGONAL_PANEL = 64 /* columns                                     */
};

/* What blocks leave for each other, in memory: tridiagonal_panel_bytes */
#define tridiagonal_panel_t X(tridiagonal_panel_t)
typedef struct tridiagonal_panel_t {
    scalar_t *product; /* blocks x m: each block's share of A x              */
    real_t *square;    /* blocks: of x^H A x                                 */
    scalar_t *dot;     /* V^H x, then W^H x                                  */
    scalar_t *column;  /* m                                                  */
} tridiagonal_panel_t;

#if defined __cplusplus
extern "C" {
#endif

/* Reduces the first V.cols = TRIDIAGONAL_PANEL columns of the Hermitian A to tridiagonal form.  A
 * is not changed.  d, e := the diagonal and the subdiagonal there; tau and V := the reflectors, V
 * unit lower trapezoidal below one row of zeros.  The rest of the matrix is A22 - V2 W2^H - W2
 * V2^H.  *fits = 0: A has too many rows for the device or for the part of it that runs at once;
 * then nothing is done.  memory: tridiagonal_panel_bytes */
gsvd_status_t X(tridiagonal_panel_cuda)(const exec_t *ex, mat_t A, mat_t V,
                                        mat_t W, real_t *d, real_t *e,
                                        scalar_t *tau, void *memory, int *fits);
size_t X(tridiagonal_panel_bytes)(const exec_t *ex, int64_t m);

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_TRIDIAGONAL_PANEL_H */
