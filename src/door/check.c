/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* check.c [1] -- is a call legal?  LAPACK's order, LAPACK's numbers. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "door/door.h"

static int64_t size_at(const args_t *a, size_t at)
{
    int64_t size;
    memcpy(&size, (const char *)a + at, sizeof size);
    return size;
}

gsvd_status_t gsvd_illegal_argument(gsvd_handle_t h, const args_t *a,
                                    int number, const char *name,
                                    const char *reason)
{
    if (a->is_problem)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "problem.%s: %s", name,
                         reason);
    if (a->info)
        *a->info = -number;
    return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "argument %d, %s: %s", number,
                     name, reason);
}

static gsvd_status_t check_jobs(gsvd_handle_t h, const routine_t *r,
                                const args_t *a)
{
    static const char *const member[JOBS] = {"job[0]", "job[1]", "job[2]"};
    for (int i = 0; i < JOBS && r->job[i].name; ++i)
        if (a->job[i] == '\0' || !strchr(r->job[i].letters, a->job[i]))
            return gsvd_illegal_argument(
                h, a, 1 + i, a->is_problem ? member[i] : r->job[i].name,
                r->job[i].reason);
    return GSVD_SUCCESS;
}

static gsvd_status_t check_size(gsvd_handle_t h, const size_desc_t *s,
                                const args_t *a)
{
    const int64_t size = size_at(a, s->at);
    if (s->most && (size < 0 || size > s->most(a)))
        return gsvd_illegal_argument(h, a, s->number, s->name, s->reason);
    if (size < 0)
        return gsvd_illegal_argument(h, a, s->number, s->name, "negative");
    if (size > INT_MAX)
        return gsvd_illegal_argument(h, a, s->number, s->name,
                                     "more than 2147483647");
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_check_sizes(gsvd_handle_t h, const routine_t *r,
                               const args_t *a)
{
    GSVD_TRY(check_jobs(h, r, a));
    for (int i = 0; i < SIZES && r->size[i].name; ++i)
        GSVD_TRY(check_size(h, &r->size[i], a));
    return GSVD_SUCCESS;
}

const char *gsvd_array_name(const array_t *x, const args_t *a)
{
    static const char *const member[OPERANDS] = {
        "A", "B", "U", "V", "Q", "C", "tau", "alpha", "beta", "jpvt", "signs"};
    return a->is_problem ? member[x->operand] : x->name;
}

void gsvd_ld_name(const array_t *x, const args_t *a, char name[LD_NAME])
{
    if (a->is_problem)
        snprintf(name, LD_NAME, "%s.ld", gsvd_array_name(x, a));
    else
        snprintf(name, LD_NAME, "ld%c", x->name[0] - 'A' + 'a');
}

const char *gsvd_illegal_ld(int64_t ld, int64_t rows)
{
    if (ld < 1 || ld < rows)
        return "less than max(1, rows)";
    return ld > INT_MAX ? "more than 2147483647" : NULL;
}

/* The name is written for a failure alone: for small matrices that takes longer than all checks. */
static gsvd_status_t check_ld(gsvd_handle_t h, const array_t *x,
                              const args_t *a)
{
    const char *const reason =
        x->ld_number > 0 ? gsvd_illegal_ld(a->ld[x->operand], x->rows(a))
                         : NULL;
    char name[LD_NAME];

    if (!reason)
        return GSVD_SUCCESS;
    gsvd_ld_name(x, a, name);
    return gsvd_illegal_argument(h, a, x->ld_number, name, reason);
}

gsvd_status_t gsvd_check_lds(gsvd_handle_t h, const routine_t *r,
                             const args_t *a)
{
    for (int i = 0; i < ARRAYS && r->array[i].name; ++i)
        GSVD_TRY(check_ld(h, &r->array[i], a));
    return GSVD_SUCCESS;
}

static gsvd_status_t check_address(gsvd_handle_t h, const args_t *a, int number,
                                   const char *name, const void *array,
                                   size_t alignment)
{
    if (!array)
        return gsvd_illegal_argument(h, a, number, name, "NULL");
    if ((uintptr_t)array % alignment != 0)
        return gsvd_illegal_argument(h, a, number, name,
                                     "not aligned to its elements");
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_check_array(gsvd_handle_t h, const array_t *x,
                               const args_t *a, const size_t alignment[3])
{
    const void *const array = a->array[x->operand];
    if (x->rows(a) <= 0 || x->cols(a) <= 0 || (x->optional && !array))
        return GSVD_SUCCESS;
    return check_address(h, a, x->number, gsvd_array_name(x, a), array,
                         alignment[x->element]);
}

gsvd_status_t gsvd_check_arrays(gsvd_handle_t h, const routine_t *r,
                                const args_t *a, const size_t alignment[3])
{
    for (int i = 0; i < RESULTS && r->result[i].name; ++i) {
        const result_t *const x = &r->result[i];
        const char *const member =
            x->at == offsetof(args_t, k_out) ? "k_out" : "l_out";
        int64_t *address;
        memcpy(&address, (const char *)a + x->at, sizeof address);
        if (!address && x->optional)
            continue;
        GSVD_TRY(check_address(h, a, x->number,
                               a->is_problem ? member : x->name, address,
                               alignment[ELEMENT_INTEGER]));
    }
    for (int i = 0; i < ARRAYS && r->array[i].name; ++i)
        GSVD_TRY(gsvd_check_array(h, &r->array[i], a, alignment));
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_check_args(gsvd_handle_t h, const routine_t *r,
                              const args_t *a, const size_t alignment[3])
{
    GSVD_TRY(gsvd_check_sizes(h, r, a));
    GSVD_TRY(gsvd_check_lds(h, r, a));
    GSVD_TRY(gsvd_check_arrays(h, r, a, alignment));
    if (r->tol_number > 0 && a->tol[0] != a->tol[0])
        return gsvd_illegal_argument(h, a, r->tol_number, "tol", "a NaN");
    if (r->range_job > 0 && a->job[r->range_job] == 'V' &&
        !(a->range[0] < a->range[1]))
        return gsvd_illegal_argument(h, a, 0, "vl", "not less than vu");
    return GSVD_SUCCESS;
}
