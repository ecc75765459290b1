/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batched.h [1] -- the arguments of a call of many problems, whatever the routine and the
 * type. */
#ifndef GSVD_GSVD_BATCHED_H
#define GSVD_GSVD_BATCHED_H

#include "gsvd/args.h"

/* Array x of problem i is each[x][i], or, where each[x] is NULL, i stride[x] elements behind
 * one.array[x]. */
typedef struct batch_args {
    args_t one; /* jobs, the largest sizes, arrays and leading dimensions    */
    int64_t count;
    int64_t stride[OPERANDS];
    void *const *each[OPERANDS];
    const int64_t *ld[OPERANDS]; /* of each; NULL: one.ld                    */
    const int64_t *size[3];      /* m, n, p of each; NULL: all alike         */
    int64_t *k, *l;              /* of each; NULL: no results                */
    int *info;                   /* of each                                  */
    int captured; /* The stream is, into a graph: all at once, or not at all. */
    /* info where the entries of an array are not legal; the door knows it. */
    int illegal[OPERANDS];
} batch_args_t;

/* The sizes of problem i */
static inline args_t sizes_of(const batch_args_t *b, int64_t i)
{
    args_t a = b->one;
    a.m = b->size[0] ? b->size[0][i] : a.m;
    a.n = b->size[1] ? b->size[1][i] : a.n;
    a.p = b->size[2] ? b->size[2][i] : a.p;
    return a;
}

static inline int64_t ld_of(const batch_args_t *b, int operand, int64_t i)
{
    return b->ld[operand] ? b->ld[operand][i] : b->one.ld[operand];
}

/* Array x of problem i, of elements of so many bytes */
static inline void *array_of(const batch_args_t *b, int operand, int64_t i,
                             size_t bytes)
{
    char *const first = b->one.array[operand];
    if (b->each[operand])
        return b->each[operand][i];
    return first ? first + i * b->stride[operand] * (int64_t)bytes : NULL;
}

#endif /* GSVD_GSVD_BATCHED_H */
