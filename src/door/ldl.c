/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl.c [1] -- L D L^H of a Hermitian indefinite matrix, described. */
#include "door/shapes.h"

DOOR_DECLARE(ldl);

static int64_t rows_of_d(const args_t *a) { return a->job[0] == 'L' ? 2 : 0; }
static int64_t cols_of_d(const args_t *a)
{
    return a->job[0] == 'L' ? a->n : 0;
}
static int64_t signs(const args_t *a) { return a->job[0] == 'G' ? a->n : 0; }

static const routine_t routine = {
    .job = {{"job", "GL", "none of 'G', 'L'", .left_out = 'G'},
            {"uplo", "UL", "none of 'U', 'L'", .left_out = 'L'}},
    .size = {DOOR_SIZE(n, 3)},
    .result = {{"rank", 7, offsetof(args_t, k_out)},
               {"n_plus", 8, offsetof(args_t, l_out)}},
    .array = {{.name = "A",
               .operand = OPERAND_A,
               .number = 4,
               .ld_number = 5,
               .rows = rows_n,
               .cols = rows_n,
               .flow = flow_in},
              {.name = "G",
               .operand = OPERAND_U,
               .number = 9,
               .ld_number = 10,
               .rows = rows_n,
               .cols = rows_n,
               .flow = flow_out},
              {.name = "D",
               .operand = OPERAND_V,
               .number = 11,
               .ld_number = 12,
               .rows = rows_of_d,
               .cols = cols_of_d,
               .flow = flow_out},
              {.name = "J",
               .operand = OPERAND_J,
               .number = 13,
               .element = ELEMENT_INTEGER,
               .rows = signs,
               .cols = one,
               .flow = flow_out},
              {.name = "jpvt",
               .operand = OPERAND_JPVT,
               .number = 14,
               .element = ELEMENT_INTEGER,
               .rows = rows_n,
               .cols = one,
               .flow = flow_out}},
    .tol_number = 6,
    .program = DOOR_PROGRAMS(ldl),
};

const routine_t *const gsvd_ldl_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char job, char uplo, int64_t n, T *A, int64_t lda, r tol, int64_t *rank,   \
        int64_t *n_plus, T *G, int64_t ldg, T *D, int64_t ldd, int64_t *J,     \
        int64_t *jpvt, int *info
#define ARGS                                                                   \
    ((args_t){.job = {job, uplo},                                              \
              .n = n,                                                          \
              .tol = {tol},                                                    \
              .k_out = rank,                                                   \
              .l_out = n_plus,                                                 \
              .array = {[OPERAND_A] = A,                                       \
                        [OPERAND_U] = G,                                       \
                        [OPERAND_V] = D,                                       \
                        [OPERAND_J] = J,                                       \
                        [OPERAND_JPVT] = jpvt},                                \
              .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldg, [OPERAND_V] = ldd}, \
              .info = info})

DOOR_PUBLIC(_ldl, PARAMETERS, ARGS)
