/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd_device.h -- what the kernels for the SVDs of a batch on a GPU have from one another. */
#ifndef GSVD_BATCH_SVD_DEVICE_H
#define GSVD_BATCH_SVD_DEVICE_H

#include "batch/batch.h"
#include "batch/ops.h"

enum {
    REGISTER_COLUMNS =
        32, /* that a warp has in its registers                   */
    TALL_COLUMNS =
        sizeof(scalar_t) == 16 ? 16 : 32, /* of a chunk of rows      */
    CHUNK = 256 /* rows of a tall matrix at a time                           */
};

/* The triangles R of some matrices in place of the matrices, R NULL: none.  Arrays of each
 * matrix are of `order` x `order`, by columns. */
#define triangles_t X(triangles_t)
typedef struct triangles_t {
    scalar_t *R, *W; /* R = W Sigma V^H                                      */
    scalar_t *T;     /* of the reflectors of each chunk                      */
    int *exponent;   /* R's matrix was multiplied by 2^exponent.            */
    /* Not 0: rows of the matrix differ in length.  Then R P^H and the reflectors are those of
     * graded.h, whose integers take the place of T, and the value is 1 + what graded_factor
     * returned. */
    int *graded;
    int64_t chunks; /* of the matrix with the most rows                     */
    int64_t first;  /* the matrix of the first triangle                     */
    int order;
    int sweeps; /* at most                                             */
    real_t tol; /* of cosines; 0: the default                          */
} triangles_t;

/* The columns of a team for matrices of n columns */
GSVD_FN int team_order(int64_t n)
{
    return n <= 8 ? 8 : n <= 16 ? 16 : REGISTER_COLUMNS;
}

/* The caller's bound of cosines for triangles_t, where 0 is none of his */
GSVD_FN real_t team_tolerance(const policy_t *policy)
{
    const real_t least = GSVD_SAFMIN;
    return policy->tol_jacobi < 0       ? 0
           : policy->tol_jacobi < least ? least
                                        : (real_t)policy->tol_jacobi;
}

#if defined __cplusplus
extern "C" {
#endif

/* R, T and the exponents of `count` matrices from w->first on, whose reflectors replace A */
gsvd_status_t X(svd_tall_qr)(const exec_t *ex, const svd_batch_t *b,
                             const triangles_t *w, int64_t count);

/* U := Q W */
gsvd_status_t X(svd_tall_form)(const exec_t *ex, const svd_batch_t *b,
                               const triangles_t *w, int64_t count);

/* Does the device take matrices with so many columns by blocks? */
int X(svd_blocks_fit)(const exec_t *ex, int64_t n);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_SVD_DEVICE_H */
