/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tuning.h -- the numbers of one machine by which drivers and primitives choose.
 *
 * src/machine has a file of them for each architecture; ex->tune are those of the handle's
 * machine.  All floors read them, so this header belongs to no floor.  Each section is one
 * floor's, and each comment ends with the files that read the member.
 *
 * "Least" and "most" say at which side of the number the choice is made.  They count columns,
 * rows or entries of a matrix of the letter that is compiled, unless a unit is given.  A member
 * that a file does not set is 0. */
#ifndef GSVD_TUNING_H
#define GSVD_TUNING_H

#include <stdint.h>

/* tuning_t.inverse_iteration */
enum {
    EIGEN_NEVER,
    EIGEN_FOR_ROOM, /* only where the library's work does not fit            */
    EIGEN_ALWAYS
};

struct tuning {
    /* -- core: for predicted times, core/cost.h, which decide nothing -------- */

    double link_seconds; /* seconds of a link                               */
    double rate;         /* operations a second of blocked algorithms, on the
                            host by each core                               */

    /* -- qr ---------------------------------------------------------------- */

    /* columns of a panel: qr; gsvd/run_qr.c */
    int64_t block;
    /* columns of a block of Q's reflectors, block or 2 block: qr/geqrf.c, block.c; urv/urv.c
     * and gsvd/run_*.c, for the work of products */
    int64_t wide;
    /* most multiplications for which reflectors are applied one by one, ...: qr/geqrf.c */
    int64_t unblocked;
    /* ... and the same where rows differ in size: qr/geqrf.c, panel/panel.cu */
    int64_t unblocked_rowwise;
    /* least entries of a matrix with lookahead: the next panel is factored while products
     * run, and U or V is formed while the next factorization runs.  A machine with lookahead
     * has wide = 2 block: qr/geqrf.c, urv/urv.c */
    int64_t lookahead;
    /* CPU only: most entries of a panel that stays in a cache: qr/panel/panel.c */
    int64_t cached;
    /* GPU only, in single precision: a panel wider than a strip is factored at once:
     * qr/panel/panel.cu */
    int cholesky_wide;
    /* GPU only, in single precision, for a product as three TF32 products: qr/gemm.cu */
    double gemm_rate;     /* real operations a second of xGEMM, ...          */
    double split_rate;    /* ... and of such a product; 0: there is none     */
    double memory_rate;   /* bytes a second                                  */
    double piece_seconds; /* seconds that one more piece of a product costs  */

    /* -- pivot ------------------------------------------------------------- */

    /* columns of a panel of pivoted QR, <= PIVOT_WIDTH: pivot/geqp.c */
    int64_t pivot_width;
    /* most columns that are pivoted one by one: pivot/geqp.c */
    int64_t pivot_last;
    /* Panels are pivoted also where rows differ in size: pivot/geqp.c */
    int pivot_graded;
    /* columns of a Hermitian matrix, of whose lower triangle alone a product is subtracted,
     * that one call has: pivot/ldl.c */
    int64_t hermitian_strip;
    /* GPU only, in single precision: project and update_sketch are one pass each:
     * pivot/update_sketch.cu */
    int fused_sketch;

    /* -- jacobi ------------------------------------------------------------ */

    /* least columns for large steps: jacobi/large_steps.c */
    int64_t large_steps;
    /* least columns for large steps of double precision in place of those of single; 0:
     * never: jacobi/in_double.c */
    int64_t in_double;
    /* when inverse iteration finds eigenvectors, EIGEN_...: jacobi/eigen.c */
    int inverse_iteration;
    /* the most columns for which it does: jacobi/eigen.c */
    int64_t inverse_iteration_most;
    /* least columns for eigenvectors by two stages, 0: never; and the most: jacobi/eigen.c */
    int64_t two_stages, two_stages_most;
    /* most rows and columns of an X whose X^H X - I is computed, not estimated:
     * gsvd/make_unitary.c */
    int64_t entrywise;
    /* least columns for sweeps by blocks: jacobi/blocks.c */
    int64_t block_jacobi;
    /* most sweeps over a pair of blocks: 1 is the block-oriented variant, many are the full
     * block one: jacobi/block_sweep.c, block_sweep.cu */
    int64_t inner_sweeps;
    /* GPU only: bytes of a matrix that the second cache is to keep while its columns become
     * those of a tridiagonal one: jacobi/tridiagonal_panel.cu */
    int64_t second_cache;

    /* -- batch ------------------------------------------------------------- */

    /* The least min(n, p) of a batch's pairs for which single calls are faster, so that the
     * pairs are solved one by one; 0: never: gsvd/at_once.c */
    int64_t pairs_alone;
    /* least columns of a batch's matrices for large steps; 0: never: batch/large_steps.c */
    int64_t batch_large_steps;
    /* the number of these steps: batch/large_steps.c */
    int64_t batch_steps;
    /* operations a second of batches, for predicted times: gsvd/at_once.c */
    double batch_rate;
    /* most bytes of the matrices that take these steps at a time.  Twice the batch's bytes
     * are allowed where that is more: batch/large_steps.c */
    int64_t batch_bytes;
    /* GPU only: one warp holds A and V of a small SVD if a lane's rows of both take at most
     * so many bytes: batch/svd.cu */
    int one_warp;
    /* GPU only: most columns, 32 at most, of a batch's pairs that are solved in registers; 0:
     * none are: batch/gsvd_columns.cu */
    int pairs_in_registers;

    /* -- grid -------------------------------------------------------------- */

    /* least columns of a band that its owner solves on a GPU: grid/owners.c */
    int64_t band_on_gpu;
};

#endif /* GSVD_TUNING_H */
