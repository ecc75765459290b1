/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* problem.h -- one matrix of a batch: where it lies; for C and CUDA. */
#ifndef GSVD_BATCH_PROBLEM_H
#define GSVD_BATCH_PROBLEM_H

#include "batch/batch.h"
#include "batch/scale.h"

/* info: a value is above the largest number. */
enum { OVERFLOWN = 2 };

GSVD_FN mat_t matrix_of(const batch_mat_t *b, int64_t i, int64_t rows,
                        int64_t cols)
{
    scalar_t *const data = b->each   ? b->each[i]
                           : b->data ? b->data + i * b->stride
                                     : NULL;
    return mat_view(data, rows, cols, b->each_ld ? b->each_ld[i] : b->ld);
}

/* Problem i with its matrix as a tall one: where m < n that is A^H = V Sigma U^H. */
typedef struct shape {
    mat_t A;    /* as the caller has it                                      */
    mat_t U, V; /* of the tall matrix; data == NULL: not wanted              */
    real_t *sigma;
    int64_t rows, cols;
    int transposed;
} shape_t;

GSVD_FN shape_t shape_of(const svd_batch_t *b, int64_t i)
{
    const int64_t m = b->each_m ? b->each_m[i] : b->m;
    const int64_t n = b->each_n ? b->each_n[i] : b->n, k = min_i(m, n);
    const mat_t U = matrix_of(&b->U, i, m, k), V = matrix_of(&b->V, i, n, k);
    shape_t s;
    s.transposed = m < n;
    s.A = matrix_of(&b->A, i, m, n);
    s.U = s.transposed ? V : U;
    s.V = s.transposed ? U : V;
    s.sigma =
        b->sigma.each ? b->sigma.each[i] : b->sigma.data + i * b->sigma.stride;
    s.rows = max_i(m, n);
    s.cols = k;
    return s;
}

/* An entry of the tall matrix */
GSVD_FN scalar_t entry_of(const shape_t *s, int64_t i, int64_t j)
{
    return s->transposed ? conj_of(AT(s->A, j, i)) : AT(s->A, i, j);
}

GSVD_FN void put_entry(const shape_t *s, int64_t i, int64_t j, scalar_t a)
{
    if (s->transposed)
        AT(s->A, j, i) = conj_of(a);
    else
        AT(s->A, i, j) = a;
}

#endif /* GSVD_BATCH_PROBLEM_H */
