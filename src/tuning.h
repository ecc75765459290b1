/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tuning.h -- what is known of one machine: numbers by which drivers and primitives choose.
 *
 * src/machine has one file of them for each architecture.  An exec has those of its
 * handle's machine, ex->tune.  All floors read them, so this header belongs to none; each
 * section is of one floor, and each comment ends with who reads the member.
 *
 * A limit counts columns, rows or entries of a matrix of the letter in question, unless
 * another unit is said.  A member that a file does not set is 0. */
#ifndef GSVD_TUNING_H
#define GSVD_TUNING_H

#include <stdint.h>

/* tuning_t.inverse_iteration */
enum {
    EIGEN_NEVER,
    EIGEN_FOR_ROOM, /* where the library's work does not fit                 */
    EIGEN_ALWAYS
};

struct tuning {
    /* -- qr ---------------------------------------------------------------- */

    /* columns of a panel: qr, and the work for products in gsvd/run_qr.c */
    int64_t block;
    /* columns of a block of Q's reflectors, block or twice that: qr/geqrf.c, block.c, and
     * the work for products in urv and gsvd */
    int64_t wide;
    /* Reflectors are applied one by one where that takes no more multiplications than
     * this, ...: qr/geqrf.c */
    int64_t unblocked;
    /* ... or than this, where rows differ in size: qr/geqrf.c, panel/panel.cu */
    int64_t unblocked_rowwise;
    /* In a matrix of so many entries or more the next panel is factored while products run,
     * and U or V is formed while the next factorization runs; then wide = 2 block:
     * qr/geqrf.c, urv/urv.c */
    int64_t lookahead;
    /* of a CPU: a panel of so few entries stays in a cache: qr/panel/panel.c */
    int64_t cached;
    /* of a GPU: is a panel wider than a strip factored at once?  qr/panel/panel.cu */
    int cholesky_wide;
    /* of a GPU, for products as three TF32 products, qr/gemm.cu: */
    double gemm_rate;     /* real operations a second of xGEMM, ...          */
    double split_rate;    /* ... and of such a product; 0: there are none    */
    double memory_rate;   /* bytes a second                                  */
    double piece_seconds; /* seconds that another piece of the product costs */

    /* -- pivot ------------------------------------------------------------- */

    /* columns of a panel of pivoted QR, at most PIVOT_WIDTH: pivot/geqp.c */
    int64_t pivot_width;
    /* So few columns are pivoted one by one: pivot/geqp.c */
    int64_t pivot_last;
    /* Are columns pivoted by panels where rows differ?  pivot/geqp.c */
    int pivot_graded;
    /* of a GPU: are project and update_sketch one pass each?  pivot/update_sketch.cu */
    int fused_sketch;

    /* -- jacobi ------------------------------------------------------------ */

    /* So many columns or more are made orthogonal by large steps; 0: all are:
     * jacobi/large_steps.c */
    int64_t large_steps;
    /* So many columns of single precision, or more, are made orthogonal by the large steps
     * of double precision; 0: none are: jacobi/in_double.c */
    int64_t in_double;
    /* Are eigenvectors found by inverse iteration?  EIGEN_...: jacobi/eigen.c */
    int inverse_iteration;
    /* of so many columns, at most: jacobi/eigen.c */
    int64_t inverse_iteration_most;
    /* X^H X - I of at most so many rows and columns is looked at by entries:
     * gsvd/make_unitary.c */
    int64_t entrywise;
    /* So many columns or more, where not by large steps, are made orthogonal by blocks:
     * jacobi/blocks.c */
    int64_t block_jacobi;
    /* sweeps within a pair of blocks, at most: 1 is the block-oriented variant, many are the
     * full block one: jacobi/block_sweep.c, .cu */
    int64_t inner_sweeps;
    /* of a GPU: bytes of a matrix that its second cache is to keep while columns are made
     * tridiagonal: jacobi/tridiagonal_panel.cu */
    int64_t second_cache;

    /* -- batch ------------------------------------------------------------- */

    /* Pairs of a batch whose l may be as large are solved one by one: single calls are
     * faster; 0: none are: gsvd/at_once.c */
    int64_t pairs_alone;
    /* So many columns or more of a batch's matrices are made orthogonal by large steps; 0:
     * none are: batch/large_steps.c */
    int64_t batch_large_steps;
    /* the number of these steps: batch/large_steps.c */
    int64_t batch_steps;
    /* bytes of the matrices that take these steps at a time, or twice those of the batch:
     * batch/large_steps.c */
    int64_t batch_bytes;
    /* of a GPU: one warp has A and V of a small SVD where a lane's rows of both are at most
     * so many bytes: batch/svd.cu */
    int one_warp;
    /* of a GPU: pairs of a batch of at most so many columns, 32, are solved in registers; 0:
     * none are: batch/gsvd_columns.cu */
    int pairs_in_registers;
};

#endif /* GSVD_TUNING_H */
