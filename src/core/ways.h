/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ways.h [1] -- the ways that kernels choose.
 *
 * Drivers and primitives choose a solver from a list (solver.h).  On a device a kernel chooses, too,
 * by numbers that the host never sees, and a right result does not tell which way it came.  So each
 * choice of a kernel is counted where it is made, by one thread: cuda_state.h has the counts, tests
 * read them (gsvd_count_ways), and nothing else does. */
#ifndef GSVD_CORE_WAYS_H
#define GSVD_CORE_WAYS_H

/* The ways that are counted */
typedef enum kernel_way {
    /* a strip of a panel, qr/panel/panel.cu */
    WAY_STRIP_ONCE,  /* Cholesky QR, one pass                               */
    WAY_STRIP_TWICE, /* two passes                                          */
    WAY_STRIP_TSQR,  /* rotations over a tree                               */
    /* a panel without strips, qr/panel/cholesky_wide.cu */
    WAY_WIDE,    /* Cholesky QR at once                                     */
    WAY_COLUMNS, /* Householder's reflectors, in one launch                 */
    /* a strip that is to be accurate row by row and takes no single pass of Cholesky QR,
     * qr/panel/panel.cu */
    WAY_REFLECTORS,
    /* R alone, qr/panel/r_only.cu */
    WAY_R_ONCE,
    WAY_R_TWICE,
    WAY_R_TSQR,
    /* in place of cuBLAS's products */
    WAY_SPLIT, /* a product as three TF32 products, qr/gemm.cu              */
    WAY_PASS,  /* project or update_sketch in one pass, update_sketch.cu    */
    /* a pair of a batch, batch/gsvd_columns.cuh */
    WAY_PAIR_COLUMNS, /* solved in registers                                */
    WAY_PAIR_LEFT,    /* left to a team                                     */
    WAYS
} kernel_way_t;

#endif /* GSVD_CORE_WAYS_H */
