/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* in_double.h [1] -- one-sided Jacobi of single precision, computed in double.
 *
 * A letter does not see the types of another.  So s calls d, and c calls z, by types that all
 * letters have in common.  in_double.c is the caller, and for_single.c has the functions that are
 * called.
 */
#ifndef GSVD_JACOBI_IN_DOUBLE_H
#define GSVD_JACOBI_IN_DOUBLE_H

#include "core/handle.h"

/* What is asked for of columns that are made orthogonal. */
typedef enum aim {
    AIM_LENGTHS, /* The columns of G have the lengths, no more; C is absent. */
    AIM_COLUMNS, /* G; the columns of C, or none, turn along with G's.  */
    AIM_FROM_IDENTITY /* the same, C := I first                              */
} aim_t;

/* An exec without its letter (core/exec.h) */
typedef struct place {
    gsvd_handle_t h;
    queue_t queue;
    arena_t work;
    buffer_t staging;
    policy_t policy;
} place_t;

/* A matrix of single precision; data == NULL: absent */
typedef struct single_matrix {
    void *data;
    int64_t rows, cols, ld;
} single_matrix_t;

/* The functions of double precision that single precision calls, for either table of primitives.
 * A member is the function of that name in jacobi.h, by large steps or signed steps, on copies of
 * G and C.  If these make no progress, the other roads of double precision go on. */
typedef struct in_double {
    size_t (*bytes)(const place_t *at, int64_t m, int64_t n, int64_t k);
    size_t (*signed_bytes)(const place_t *at, int64_t m, int64_t n, int64_t k);
    gsvd_status_t (*staging)(const place_t *at, int64_t n, size_t *bytes);
    gsvd_status_t (*orthogonalize)(const place_t *at, single_matrix_t G,
                                   single_matrix_t C, aim_t aim,
                                   int64_t *rotations, int *unitary,
                                   outcome_t *out);
    gsvd_status_t (*orthogonalize_signed)(const place_t *at, single_matrix_t G,
                                          single_matrix_t C, int64_t plus,
                                          int64_t *rotations, outcome_t *out);
} in_double_t;

#if defined __cplusplus
extern "C" {
#endif

extern const in_double_t dgsvd_in_double, zgsvd_in_double;

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_IN_DOUBLE_H */
