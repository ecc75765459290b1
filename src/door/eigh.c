/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.c [1] -- eigenvalues and eigenvectors of a Hermitian matrix, described. */
#include "door/shapes.h"

DOOR_DECLARE(eigh);

/* The order of Q, or 0: it is not wanted */
static int64_t vectors(const args_t *a) { return wants(a, 0) ? a->n : 0; }

static const routine_t routine = {
    .job = {{"jobz", "NV", "none of 'N', 'V'"},
            {"uplo", "UL", "none of 'U', 'L'", .left_out = 'L'}},
    .size = {DOOR_SIZE(n, 3)},
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
               .rows = rows_n,
               .cols = one,
               .flow = flow_out},
              {.name = "Q",
               .operand = OPERAND_Q,
               .number = 7,
               .ld_number = 8,
               .rows = vectors,
               .cols = vectors,
               .flow = flow_out}},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(eigh),
};

const routine_t *const gsvd_eigh_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobz, char uplo, int64_t n, T *A, int64_t lda, R *w, T *Q,            \
        int64_t ldq, int *info
#define ARGS                                                                   \
    ((args_t){                                                                 \
        .job = {jobz, uplo},                                                   \
        .n = n,                                                                \
        .array = {[OPERAND_A] = A, [OPERAND_ALPHA] = w, [OPERAND_Q] = Q},      \
        .ld = {[OPERAND_A] = lda, [OPERAND_Q] = ldq},                          \
        .info = info})

DOOR_PUBLIC(_eigh, PARAMETERS, ARGS)
