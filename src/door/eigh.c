/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.c [1] -- eigenvalues and eigenvectors of a Hermitian matrix, described. */
#include "door/shapes.h"

DOOR_DECLARE(eigh);

/* The most values that may be found */
static int64_t values(const args_t *a)
{
    return a->job[2] == 'I' ? a->l : a->n;
}
static int64_t vectors(const args_t *a) { return wants(a, 0) ? values(a) : 0; }
/* ... whose rows are 0 where they are not wanted */
static int64_t rows_q(const args_t *a) { return wants(a, 0) ? a->n : 0; }
static int64_t most_before(const args_t *a) { return a->n; }
static int64_t most_values(const args_t *a) { return a->n - a->k; }

static const routine_t routine = {
    .job = {{"jobz", "NV", "none of 'N', 'V'"},
            {"uplo", "UL", "none of 'U', 'L'", .left_out = 'L'},
            {"range", "AVI", "none of 'A', 'V', 'I'", .left_out = 'A'}},
    .size = {DOOR_SIZE(n, 3),
             {.name = "il",
              .at = offsetof(args_t, k),
              .most = most_before,
              .reason = "not from 1 to n + 1"},
             {.name = "iu",
              .at = offsetof(args_t, l),
              .most = most_values,
              .reason = "not from il - 1 to n"}},
    .result = {{.name = "m", .at = offsetof(args_t, k_out), .optional = 1}},
    .array = {{.name = "A",
               .operand = OPERAND_A,
               .number = 4,
               .ld_number = 5,
               .rows = rows_n,
               .cols = rows_n,
               .flow = flow_in},
              {.name = "w",
               .operand = OPERAND_ALPHA,
               .number = 6,
               .element = ELEMENT_REAL,
               .rows = values,
               .cols = one,
               .flow = flow_out},
              {.name = "Q",
               .operand = OPERAND_Q,
               .number = 7,
               .ld_number = 8,
               .rows = rows_q,
               .cols = vectors,
               .flow = flow_out}},
    .range_job = 2,
    .decomposition = 1,
    .program = DOOR_PROGRAMS(eigh),
};

const routine_t *const gsvd_eigh_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobz, char uplo, int64_t n, T *A, int64_t lda, R *w, T *Q,            \
        int64_t ldq, int *info
#define ARGS                                                                   \
    ((args_t){                                                                 \
        .job = {jobz, uplo, 'A'},                                              \
        .n = n,                                                                \
        .array = {[OPERAND_A] = A, [OPERAND_ALPHA] = w, [OPERAND_Q] = Q},      \
        .ld = {[OPERAND_A] = lda, [OPERAND_Q] = ldq},                          \
        .info = info})

DOOR_PUBLIC(_eigh, PARAMETERS, ARGS)
