/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tree.h -- QR of matrices of many rows, A D = Q R, by a tree of processes (Demmel, Grigori, Hoemmen,
 * Langou 2012).
 *
 * Each process gets some rows of A, whole, by an all-to-all in its row of the grid, and takes the QR
 * of them.  Process k + 2^i sends its triangle to k, which takes the QR of its own and that one below
 * it, for i = 0, 1, ...: process 0 has R.  On the way back it has C, and Q (C; 0) comes of it.  Either
 * way that is one message for each of log2 P steps, of the triangles, or of C, of all matrices
 * together.  No process waits for another one's column. */
#ifndef GSVD_GRID_TREE_H
#define GSVD_GRID_TREE_H

#include "grid/layout.h"

/* One of the matrices */
typedef struct branch {
    mat_t blocks;        /* A, then Q (C; 0)                                  */
    int64_t n, here, ld; /* columns; rows here, and at least n of them        */
    scalar_t *Q, *tau;   /* ld x n: the rows here, then their reflectors      */
    scalar_t *R;         /* n x n                                             */
    scalar_t *C;         /* n x n                                             */
    scalar_t *F;         /* ld x n: the rows here of Q (C; 0)                 */
    scalar_t *V, *T; /* of merges: reflectors n x n, their factors           */
    int merges;
    real_t *scale; /* D, powers of two                                  */
    /* the least and the largest row of A D, by their largest entries: here; of all at process 0 */
    real_t least, most;
} branch_t;

/* The memory of a branch, but for its blocks */
void X(branch_take)(arena_t *a, int64_t m, int64_t n, branch_t *b);
size_t X(tree_work_bytes)(int64_t n);

/* The rows of blocks, times D, become Q; or F becomes blocks. */
gsvd_status_t X(branch_rows)(branch_t *b, MPI_Comm row);
gsvd_status_t X(branch_blocks)(branch_t *b, MPI_Comm row);

/* R and its Q; and back, of at most two branches of as many columns.  work: tree_work_bytes */
gsvd_status_t X(tree_up)(branch_t *b, int count, void *work);
gsvd_status_t X(tree_down)(branch_t *b, int count, void *work);

#endif /* GSVD_GRID_TREE_H */
