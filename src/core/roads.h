/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* roads.h [1] -- the roads that lead to one result.
 *
 * Where drivers and primitives choose, a table of roads stands beside the choice
 * (qr/roads.h).  On a device a kernel chooses too, by numbers that the host never sees,
 * and a result that is right does not tell which road it came by.  So each choice of a
 * kernel is counted where it is made, by one thread: cuda_state.h has the counts, tests
 * read them (gsvd_count_roads), and nothing else does. */
#ifndef GSVD_CORE_ROADS_H
#define GSVD_CORE_ROADS_H

/* The choices that have tables. */
typedef enum choice {
    CHOICE_PANEL,  /* QR of a panel                                          */
    CHOICE_R_ONLY, /* R alone of a tall matrix                               */
    CHOICE_GEMM,   /* a product of matrices                                  */
    CHOICE_FACTOR, /* QR, panel by panel                                     */
    CHOICE_APPLY,  /* Q applied                                              */
    CHOICE_FORM,   /* Q formed                                               */
    CHOICE_ORTHOGONALIZE, /* one-sided Jacobi, ...                           */
    CHOICE_ORTHOGONALIZE_SIGNED, /* ... with a signature                     */
    CHOICE_EIGEN, /* eigenvectors of a Hermitian matrix                      */
    CHOICE_BATCH, /* many problems: gsvd/run_batched.c                       */
    CHOICE_SVD_BATCH, /* ... that are SVDs, at once: batch/svd_roads.h       */
    CHOICES
} choice_t;

/* The roads that are counted. */
typedef enum road_count {
    /* a strip of a panel, qr/panel/panel.cu */
    ROAD_STRIP_ONCE,  /* Cholesky QR, one pass                               */
    ROAD_STRIP_TWICE, /* two passes                                          */
    ROAD_STRIP_TSQR,  /* rotations over a tree                               */
    /* a panel without strips, qr/panel/cholesky_wide.cu */
    ROAD_WIDE,    /* Cholesky QR at once                                     */
    ROAD_COLUMNS, /* Householder's reflectors, in one launch                 */
    /* a strip that is to be accurate row by row and takes no single pass of Cholesky QR,
     * qr/panel/panel.cu */
    ROAD_REFLECTORS,
    /* R alone, qr/panel/r_only.cu */
    ROAD_R_ONCE,
    ROAD_R_TWICE,
    ROAD_R_TSQR,
    /* in place of cuBLAS's products */
    ROAD_SPLIT, /* a product as three TF32 products, qr/gemm.cu              */
    ROAD_PASS,  /* project or update_sketch in one pass, update_sketch.cu    */
    /* a pair of a batch, batch/gsvd_columns.cuh */
    ROAD_PAIR_COLUMNS, /* solved in registers                                */
    ROAD_PAIR_LEFT,    /* left to a team                                     */
    ROADS
} road_count_t;

#endif /* GSVD_CORE_ROADS_H */
