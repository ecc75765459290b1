/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* hsvd.c [1] -- the hyperbolic singular value decomposition of one matrix, described. */
#include "door/matrix.h"

DOOR_DECLARE(hsvd);

static flow_t flow_in_if_given(const args_t *a)
{
    return a->array[OPERAND_J] ? FLOW_IN : (flow_t)0;
}

static const routine_t routine = {
    .job = {{"jobu", "USN", "none of 'U', 'S', 'N'"},
            {"jobv", "VN", "none of 'V', 'N'"}},
    .size = {DOOR_SIZE(m, 3),
             DOOR_BOUNDED(n, 4, rows_m, "not in [0, m]"),
             {.name = "n_plus",
              .number = 5,
              .at = offsetof(args_t, k),
              .most = rows_n,
              .reason = "not in [0, n]"}},
    .array = {{MATRIX_A(6, flow_in)},
              {.name = "J",
               .operand = OPERAND_J,
               .number = 8,
               .element = ELEMENT_INTEGER,
               .optional = 1,
               .rows = rows_n,
               .cols = one,
               .flow = flow_in_if_given},
              {.name = "sigma",
               .operand = OPERAND_ALPHA,
               .number = 9,
               .element = ELEMENT_REAL,
               .rows = rows_n,
               .cols = one,
               .flow = flow_out},
              {MATRIX_U(10)},
              {MATRIX_V(12)}},
    .decomposition = 1,
    .program = DOOR_PROGRAMS(hsvd),
};

const routine_t *const gsvd_hsvd_routine = &routine;

#define PARAMETERS(T, R, r)                                                    \
    char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus, T *A,          \
        int64_t lda, const int64_t *J, R *sigma, T *U, int64_t ldu, T *V,      \
        int64_t ldv, int *info
#define ARGS /* J is only read */                                              \
    ((args_t){.job = {jobu, jobv},                                             \
              .m = m,                                                          \
              .n = n,                                                          \
              .k = n_plus,                                                     \
              .array = {[OPERAND_A] = A,                                       \
                        [OPERAND_J] = (void *)J,                               \
                        [OPERAND_ALPHA] = sigma,                               \
                        [OPERAND_U] = U,                                       \
                        [OPERAND_V] = V},                                      \
              .ld = {[OPERAND_A] = lda, [OPERAND_U] = ldu, [OPERAND_V] = ldv}, \
              .info = info})

DOOR_PUBLIC(_hsvd, PARAMETERS, ARGS)
