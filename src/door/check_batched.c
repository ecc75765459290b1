/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* check_batched.c [1] -- is a call of many problems legal? */
#include <stdio.h>

#include "door/door.h"

static int arrays_of(const routine_t *r)
{
    int count = 0;
    while (count < ARRAYS && r->array[count].name)
        ++count;
    return count;
}

/* How many sizes each problem may have its own of: m, n, p */
enum { LISTS = 3 };
static int lists_in(const routine_t *r)
{
    int count = 0;
    while (count < LISTS && r->size[count].name &&
           r->size[count].at <= offsetof(args_t, p))
        ++count;
    return count;
}

/* -- what many problems alone have ----------------------------------------------------- */

/* Do count arrays lie one behind another, or one above another? */
static int apart(int64_t rows, int64_t cols, int64_t ld, int64_t stride,
                 int64_t count)
{
    if (count < 2 || stride >= (cols - 1) * ld + rows)
        return 1;
    return stride >= rows && (ld - rows) / stride >= count - 1;
}

static gsvd_status_t check_stride(const call_t *c, const array_t *x,
                                  const batch_args_t *b)
{
    const int64_t rows = x->rows(&b->one), cols = x->cols(&b->one);
    const int64_t stride = b->stride[x->operand];
    const int64_t ld = x->ld_number > 0 ? b->one.ld[x->operand] : rows;
    const char *reason = NULL;
    char name[16];

    if (rows <= 0 || cols <= 0 || (x->optional && !b->one.array[x->operand]))
        return GSVD_SUCCESS;
    /* Only A is lost among those that are read; signs are the same where it is 0. */
    if (stride < 0)
        reason = "negative";
    else if (x->operand != OPERAND_J &&
             !apart(rows, cols, ld, stride, b->count))
        reason = "arrays of different problems overlap";
    if (!reason)
        return GSVD_SUCCESS;
    snprintf(name, sizeof name, "%s.stride", gsvd_array_name(x, &b->one));
    return gsvd_illegal_argument(c->h, &b->one, 0, name, reason);
}

/* Lists of a problem's sizes: all, or none */
static gsvd_status_t check_size_lists(const call_t *c, const batch_args_t *b)
{
    static const char *const name[LISTS] = {"each_m", "each_n", "each_p"};
    const int sizes = lists_in(c->r);

    for (int i = 0; i < sizes && b->size[0]; ++i)
        if (!b->size[i])
            return gsvd_illegal_argument(c->h, &b->one, 0, name[i], "NULL");
    for (int i = 1; i < sizes && !b->size[0]; ++i)
        if (b->size[i])
            return gsvd_illegal_argument(c->h, &b->one, 0, name[0], "NULL");
    return GSVD_SUCCESS;
}

/* Ranks are told where there is an address. */
static gsvd_status_t check_ranks(const call_t *c, const batch_args_t *b)
{
    const size_t alignment = _Alignof(int64_t);

    if ((uintptr_t)b->k % alignment == 0 && (uintptr_t)b->l % alignment == 0)
        return GSVD_SUCCESS;
    return gsvd_illegal_argument(
        c->h, &b->one, 0, (uintptr_t)b->k % alignment != 0 ? "k_out" : "l_out",
        "not aligned");
}

static gsvd_status_t check_problem_array(const call_t *c, const array_t *x,
                                         const batch_args_t *b)
{
    const size_t *const alignment =
        c->door == DOOR_GPU ? c->letter->bytes : c->letter->alignment;
    void *const *const each = b->each[x->operand];

    if (x->rows(&b->one) <= 0 || x->cols(&b->one) <= 0)
        return GSVD_SUCCESS;
    if (b->ld[x->operand] &&
        !each) /* A stride may be too short for one of them. */
        return gsvd_illegal_argument(c->h, &b->one, 0,
                                     gsvd_array_name(x, &b->one),
                                     "each_ld without each");
    if (each && (uintptr_t)each % _Alignof(void *) != 0)
        return gsvd_illegal_argument(c->h, &b->one, 0,
                                     gsvd_array_name(x, &b->one),
                                     "each is not aligned");
    if (each)
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_check_array(c->h, x, &b->one, alignment));
    return check_stride(c, x, b);
}

gsvd_status_t gsvd_check_batched(const call_t *c, const batch_args_t *b)
{
    const routine_t *const r = c->r;

    GSVD_TRY(gsvd_check_sizes(c->h, r, &b->one));
    GSVD_TRY(check_size_lists(c, b));
    GSVD_TRY(gsvd_check_lds(c->h, r, &b->one));
    for (int i = 0; i < arrays_of(r); ++i)
        GSVD_TRY(check_problem_array(c, &r->array[i], b));
    GSVD_TRY(check_ranks(c, b));
    if (!b->info || (uintptr_t)b->info % _Alignof(int) != 0)
        return gsvd_illegal_argument(c->h, &b->one, 0, "info",
                                     b->info ? "not aligned" : "NULL");
    return GSVD_SUCCESS;
}

/* -- each problem ----------------------------------------------------------------------- */

static gsvd_status_t illegal_at(const call_t *c, const char *name, int64_t i,
                                const char *reason)
{
    return gsvd_fail(c->h, GSVD_INVALID_ARGUMENT,
                     "problem.%s: %s, in problem %lld", name, reason,
                     (long long)i);
}

static gsvd_status_t check_sizes_of(const call_t *c, const batch_args_t *b,
                                    int64_t i)
{
    const args_t a = sizes_of(b, i);
    const int64_t size[LISTS] = {a.m, a.n, a.p};
    const int64_t most[LISTS] = {b->one.m, b->one.n, b->one.p};
    const int sizes = lists_in(c->r);

    for (int s = 0; s < sizes; ++s)
        if (size[s] < 0 || size[s] > most[s])
            return illegal_at(c, c->r->size[s].name, i,
                              "not in [0, the largest]");
    return GSVD_SUCCESS;
}

static gsvd_status_t check_array_of(const call_t *c, const array_t *x,
                                    const args_t *a, const batch_args_t *b,
                                    int64_t i)
{
    const size_t *const alignment =
        c->door == DOOR_GPU ? c->letter->bytes : c->letter->alignment;
    const int64_t rows = x->rows(a);
    const int64_t *const lds = b->ld[x->operand];
    const char *const reason = lds ? gsvd_illegal_ld(lds[i], rows) : NULL;
    char name[LD_NAME];

    if (rows <= 0 || x->cols(a) <= 0)
        return GSVD_SUCCESS;
    if (reason) {
        gsvd_ld_name(x, a, name);
        return illegal_at(c, name, i, reason);
    }
    if (!b->each[x->operand])
        return GSVD_SUCCESS;
    if (!b->each[x->operand][i])
        return illegal_at(c, gsvd_array_name(x, a), i, "NULL");
    if ((uintptr_t)b->each[x->operand][i] % alignment[x->element] != 0)
        return illegal_at(c, gsvd_array_name(x, a), i,
                          "not aligned to its elements");
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_check_each(const call_t *c, const batch_args_t *b)
{
    for (int64_t i = 0; i < b->count; ++i) {
        if (b->size[0])
            GSVD_TRY(check_sizes_of(c, b, i));
        const args_t a = sizes_of(b, i);
        for (int x = 0; x < arrays_of(c->r); ++x)
            GSVD_TRY(check_array_of(c, &c->r->array[x], &a, b, i));
    }
    return GSVD_SUCCESS;
}
