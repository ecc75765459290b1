/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* args.h [1] -- the arguments of a call, whatever the routine and the type. */
#ifndef GSVD_GSVD_ARGS_H
#define GSVD_GSVD_ARGS_H

#include "core/policy.h"

/* The arrays of all routines. */
typedef enum operand {
    OPERAND_A,
    OPERAND_B,
    OPERAND_U,
    OPERAND_V,
    OPERAND_Q,
    OPERAND_C, /* what qr_apply multiplies                                   */
    OPERAND_TAU,
    OPERAND_ALPHA,
    OPERAND_BETA,
    OPERAND_JPVT,
    OPERAND_J, /* the signs of columns                                       */
    OPERANDS
} operand_t;

/* The caller's arguments; where the handle computes elsewhere, copies take the place of
 * the caller's arrays. */
typedef struct args {
    char job[8]; /* jobu, jobv, jobq, or side and op; upper case; then 0     */
    int64_t m, n, p, k,
        l; /* in hsvd k is n_plus; in eigh k values are left out before the first
                              one, and l are wanted                          */
    int64_t keep; /* in gsvd: the factors of so many first pairs; < 0: of the
                              last; 0: of all                                */
    void *array[OPERANDS]; /* NULL: absent                                   */
    int64_t ld[OPERANDS];
    double tol[2]; /* tola and tolb, or tol; negative: the default           */
    double range[2]; /* vl and vu of eigh                                    */
    int64_t *k_out, *l_out; /* k the rank of one matrix                      */
    int *info;
    int is_problem; /* of a gsvd_problem_t: errors name its members          */
} args_t;

static inline int wants(const args_t *a, int job) { return a->job[job] != 'N'; }

/* Columns of a factor of this order that a job asks for: none, all, or economy. */
static inline int64_t columns_of(const args_t *a, int job, int64_t order,
                                 int64_t economy)
{
    return a->job[job] == 'N' ? 0 : a->job[job] == 'S' ? economy : order;
}

/* Columns of the factors of a pair that are asked for */
static inline int64_t pair_columns_of(const args_t *a, int job, int64_t order,
                                      int64_t economy)
{
    const int64_t some = a->keep < 0 ? -a->keep : a->keep;
    return wants(a, job) && some > 0 ? some
                                     : columns_of(a, job, order, economy);
}
static inline int64_t pair_u_cols(const args_t *a)
{
    return pair_columns_of(a, 0, a->m, a->m < a->n ? a->m : a->n);
}
static inline int64_t pair_v_cols(const args_t *a)
{
    return pair_columns_of(a, 1, a->p, a->p < a->n ? a->p : a->n);
}
static inline int64_t pair_q_cols(const args_t *a)
{
    return pair_columns_of(a, 2, a->n, a->n < a->m + a->p ? a->n : a->m + a->p);
}
/* Are alpha and beta all that is asked for of a pair? */
static inline int is_values_only(const args_t *a)
{
    return !wants(a, 0) && !wants(a, 1) && !wants(a, 2);
}

/* Columns of the factors of one matrix that are asked for */
static inline int64_t matrix_u_cols(const args_t *a)
{
    return columns_of(a, 0, a->m, a->m < a->n ? a->m : a->n);
}
static inline int64_t matrix_v_cols(const args_t *a)
{
    return columns_of(a, 1, a->n, a->m < a->n ? a->m : a->n);
}
/* The order of the Q that qr_apply applies: the rows of A */
static inline int64_t order_of_q(const args_t *a)
{
    return a->job[0] == 'L' ? a->m : a->n;
}

static inline gsvd_status_t
gsvd_illegal_operand(outcome_t *out, operand_t operand, const char *reason)
{
    out->illegal = 1 + (int)operand;
    out->reason = reason;
    return GSVD_INVALID_ARGUMENT;
}

static inline gsvd_status_t gsvd_not_finite(outcome_t *out, operand_t operand)
{
    return gsvd_illegal_operand(out, operand, "has a NaN or an infinity");
}

#endif /* GSVD_GSVD_ARGS_H */
