/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batched.h -- many problems by one call, and the same problems by others. */
#ifndef GSVD_BENCH_BATCHED_H
#define GSVD_BENCH_BATCHED_H

#include "problem.h"

/* A batch, problem after problem without gaps, in the memory of the handle that computes;
 * factors are economy ones, of pairs all columns. */
#define bench_batch_t X(bench_batch_t)
typedef struct bench_batch_t {
    bench_t *bench;
    exec_t ex; /* without work                                               */
    int64_t count, m, n, p, values; /* p: 0 of one matrix; values of each    */
    mat_t A0, B0;                   /* as they were; a problem is a column   */
    mat_t A, B, U, V, Q;
    real_t *alpha, *beta;
    int64_t *k, *l;
    int *info;
    int full;   /* factors of pairs in full, as LAPACK's are                */
    void *peer; /* workspace of a peer, once it is known                    */
    size_t peer_bytes[2];
} bench_batch_t;

/* A problem's matrix out of one of these */
GSVD_FN mat_t problem_in(mat_t all, int64_t i, int64_t rows)
{
    return mat_view(&AT(all, 0, i), rows, rows > 0 ? all.rows / rows : 0, rows);
}

/* batched_cusolver.c, batched_none.c: of matrices of at most 32 rows and columns, by Jacobi;
 * and the eigenvectors of Hermitian matrices of order n, a yardstick.  data: the batch */
gsvd_status_t X(bench_gesvdj_batched)(void *data);
gsvd_status_t X(bench_syev_batched)(void *data);

#endif /* GSVD_BENCH_BATCHED_H */
