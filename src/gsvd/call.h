/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.h [1] -- the arguments of a public call, whatever the type. */
#ifndef GSVD_GSVD_CALL_H
#define GSVD_GSVD_CALL_H

#include "core/handle.h"

typedef enum routine {
    ROUTINE_GSVD,
    ROUTINE_PREPROCESS,
    ROUTINE_SOLVE,
    ROUTINE_QR, /* from here on: of one matrix, call_one.c                   */
    ROUTINE_QR_APPLY,
    ROUTINE_QR_FORM,
    ROUTINE_GEQP,
    ROUTINE_URV
} routine_t;

typedef struct call {
    routine_t routine;
    int device_arrays; /* the caller's arrays are on the handle's device     */
    char jobu, jobv, jobq;
    int64_t m, n, p;
    int64_t *k, *l;     /* out, of gsvd and preprocess; k: the rank of one   */
    int64_t k_in, l_in; /* in, of solve; k_in: reflectors                    */
    void *A, *B, *U, *V, *Q, *alpha, *beta;
    int64_t lda, ldb, ldu, ldv, ldq;
    double tola, tolb;
    char side, op; /* of qr_apply                                            */
    void *C, *tau;
    int64_t ldc;
    int64_t *jpvt;
    int *info;
} call_t;

/* What a precision offers to the functions that take the type as a value. */
typedef struct entry_points {
    gsvd_status_t (*call)(gsvd_handle_t h, const call_t *c);
    gsvd_status_t (*buffer_size)(gsvd_handle_t h, const call_t *c,
                                 size_t *dwork_bytes, size_t *hwork_bytes);
} entry_points_t;

/* Columns of a factor of order n that job asks for: 0, n or economy. */
int64_t gsvd_columns(char job, int64_t order, int64_t economy);
char gsvd_upper(char job);

static inline int gsvd_of_one_matrix(const call_t *c)
{
    return c->routine >= ROUTINE_QR;
}

/* Order of the Q of qr_apply: rows of A. */
static inline int64_t gsvd_order_of_q(const call_t *c)
{
    return gsvd_upper(c->side) == 'L' ? c->m : c->n;
}

/* Is the call legal?  Jobs and sizes, or all arguments, where arrays of the type
 * and arrays of its real numbers begin at multiples of so many bytes.  Sets *info. */
gsvd_status_t gsvd_check_sizes(gsvd_handle_t h, const call_t *c);
gsvd_status_t gsvd_check_args(gsvd_handle_t h, const call_t *c, size_t scalar,
                              size_t real);

/* The numbers of A, B, tau and C in the routine's argument list. */
int gsvd_argument_a(routine_t routine);
int gsvd_argument_b(routine_t routine);
int gsvd_argument_tau(routine_t routine);
int gsvd_argument_c(routine_t routine);

#endif /* GSVD_GSVD_CALL_H */
