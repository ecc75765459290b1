/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ways.h [1] -- the ways of this folder's kernels: see core/ways.h. */
#ifndef GSVD_QR_WAYS_H
#define GSVD_QR_WAYS_H

#include "core/ways.h"

enum {
    /* a strip of a panel, panel/panel.cu */
    WAY_STRIP_ONCE,  /* Cholesky QR, one pass                               */
    WAY_STRIP_TWICE, /* two passes                                          */
    WAY_STRIP_TSQR,  /* rotations over a tree                               */
    /* a panel without strips, panel/cholesky_wide.cu */
    WAY_WIDE,    /* Cholesky QR at once                                     */
    WAY_COLUMNS, /* Householder's reflectors, in one launch                 */
    /* a strip that is to be accurate row by row and takes no single pass of Cholesky QR,
     * panel/panel.cu */
    WAY_REFLECTORS,
    /* R alone, panel/r_only.cu */
    WAY_R_ONCE,
    WAY_R_TWICE,
    WAY_R_TSQR,
    /* a product as three TF32 products in place of cuBLAS's, gemm.cu */
    WAY_SPLIT,
    QR_WAYS
};

#endif /* GSVD_QR_WAYS_H */
