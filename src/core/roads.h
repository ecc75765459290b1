/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* roads.h [1] -- the roads that a step may take on a device.
 *
 * A kernel chooses most of them, by numbers that the host never sees, and a right
 * result does not tell by which road it came.  So each choice is counted where it
 * is made, by one thread.  cuda_state.h has the counts; only tests read them
 * (gsvd_count_roads). */
#ifndef GSVD_CORE_ROADS_H
#define GSVD_CORE_ROADS_H

typedef enum road {
    /* a strip of a panel, qr/panel/panel.cu */
    ROAD_STRIP_ONCE,  /* Cholesky QR, one pass                               */
    ROAD_STRIP_TWICE, /* two passes                                          */
    ROAD_STRIP_TSQR,  /* rotations over a tree                               */
    /* a panel without strips, qr/panel/cholesky_wide.cu */
    ROAD_WIDE,    /* Cholesky QR at once                                     */
    ROAD_COLUMNS, /* reflectors, in one launch                               */
    /* a panel that is to be accurate row by row */
    ROAD_REFLECTORS, /* one launch or two a column                           */
    /* R alone, qr/panel/r_only.cu */
    ROAD_R_ONCE,
    ROAD_R_TWICE,
    ROAD_R_TSQR,
    /* in place of cuBLAS's products */
    ROAD_SPLIT, /* a product as three TF32 products, qr/gemm.cu              */
    ROAD_PASS,  /* project or update_sketch in one pass, update_sketch.cu    */
    ROADS
} road_t;

#endif /* GSVD_CORE_ROADS_H */
