/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c [1] -- the singular value decomposition of one matrix, described. */
#include "door/shapes.h"

DOOR_DECLARE(svd);

static int64_t u_rows(const args_t *a) { return wants(a, 0) ? a->m : 0; }
static int64_t v_rows(const args_t *a) { return wants(a, 1) ? a->n : 0; }
static int64_t u_cols(const args_t *a)
{
    return columns_of(a, 0, a->m, min_mn(a));
}
static int64_t v_cols(const args_t *a)
{
    return columns_of(a, 1, a->n, min_mn(a));
}

static const routine_t routine = {
    .job = {{"jobu", "USN", "none of 'U', 'S', 'N'"},
            {"jobv", "VSN", "none of 'V', 'S', 'N'"}},
    .size = {DOOR_SIZE(m, 3), DOOR_SIZE(n, 4)},
    .array = {{.name = "A",
               .operand = OPERAND_A,
               .number = 5,
               .ld_number = 6,
               .rows = rows_m,
               .cols = rows_n,
               .flow = flow_in},
              {.name = "sigma",
               .operand = OPERAND_ALPHA,
               .number = 7,
               .element = ELEMENT_REAL,
               .rows = min_mn,
               .cols = one,
               .flow = flow_out},
              {.name = "U",
               .operand = OPERAND_U,
               .number = 8,
               .ld_number = 9,
               .rows = u_rows,
               .cols = u_cols,
               .flow = flow_out},
              {.name = "V",
               .operand = OPERAND_V,
               .number = 10,
               .ld_number = 11,
               .rows = v_rows,
               .cols = v_cols,
               .flow = flow_out}},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(svd),
};

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, int64_t m, int64_t n, T *A, int64_t lda, R *sigma,   \
        T *U, int64_t ldu, T *V, int64_t ldv, int *info
#define NAMES (jobu, jobv, m, n, A, lda, sigma, U, ldu, V, ldv, info)
#define ARGS                                                                   \
    ((args_t){.job = {jobu, jobv},                                             \
              .m = m,                                                          \
              .n = n,                                                          \
              .array = {[OPERAND_A] = A,                                       \
                        [OPERAND_ALPHA] = sigma,                               \
                        [OPERAND_U] = U,                                       \
                        [OPERAND_V] = V},                                      \
              .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldu, [OPERAND_V] = ldv}, \
              .info = info})

DOOR_PUBLIC(_svd, PARAMETERS, NAMES, ARGS)

#define SIZES() char jobu, char jobv, int64_t m, int64_t n
#define SIZE_ARGS ((args_t){.job = {jobu, jobv}, .m = m, .n = n})

DOOR_SIZES(_svd, SIZES, SIZE_ARGS)
