/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solve.c [1] -- the GSVD of a triangular pair, described as xTGSJA. */
#include "door/pair.h"

DOOR_DECLARE(solve);

static int64_t most_k(const args_t *a) { return least_of(a->m, a->n); }
static int64_t most_l(const args_t *a) { return least_of(a->p, a->n - a->k); }

/* job 'I' starts from the identity */
static flow_t flow_u(const args_t *a)
{
    return a->job[0] == 'I' ? FLOW_OUT : FLOW_BOTH;
}
static flow_t flow_v(const args_t *a)
{
    return a->job[1] == 'I' ? FLOW_OUT : FLOW_BOTH;
}
static flow_t flow_q(const args_t *a)
{
    return a->job[2] == 'I' ? FLOW_OUT : FLOW_BOTH;
}

static const routine_t routine = {
    .job = PAIR_JOBS("'I'", "UIN", "VIN", "QIN"),
    .size = {DOOR_SIZE(m, 4), DOOR_SIZE(p, 5), DOOR_SIZE(n, 6),
             DOOR_BOUNDED(k, 7, most_k, "not in [0, min(m,n)]"),
             DOOR_BOUNDED(l, 8, most_l, "not in [0, min(p,n-k)]")},
    .array = {PAIR_A(9, flow_r, r_in_a), PAIR_B(11, flow_r, r_in_b),
              PAIR_ALPHA(15), PAIR_BETA(16), PAIR_U(17, flow_u),
              PAIR_V(19, flow_v), PAIR_Q(21, flow_q)},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(solve),
};

const routine_t *const gsvd_solve_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,          \
        int64_t k, int64_t l, T *A, int64_t lda, T *B, int64_t ldb, r tola,    \
        r tolb, R *alpha, R *beta, T *U, int64_t ldu, T *V, int64_t ldv, T *Q, \
        int64_t ldq, int *info
#define ARGS                                                                   \
    ((args_t){                                                                 \
        .job = {jobu, jobv, jobq},                                             \
        .m = m,                                                                \
        .n = n,                                                                \
        .p = p,                                                                \
        .k = k,                                                                \
        .l = l,                                                                \
        .tol = {tola, tolb},                                                   \
        .array =                                                               \
            {PAIR_ARRAYS, [OPERAND_ALPHA] = alpha, [OPERAND_BETA] = beta},     \
        .ld = {PAIR_LDS},                                                      \
        .info = info})

DOOR_PUBLIC(_solve, PARAMETERS, ARGS)
