/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* shapes.h [1] -- rows, columns and flow of arrays, for the descriptions. */
#ifndef GSVD_DOOR_SHAPES_H
#define GSVD_DOOR_SHAPES_H

#include "door/door.h"

static inline int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t rows_m(const args_t *a) { return a->m; }
static inline int64_t rows_n(const args_t *a) { return a->n; }
static inline int64_t rows_p(const args_t *a) { return a->p; }
static inline int64_t rows_k(const args_t *a) { return a->k; }
static inline int64_t min_mn(const args_t *a) { return least_of(a->m, a->n); }
static inline int64_t one(const args_t *a)
{
    (void)a;
    return 1;
}

static inline flow_t flow_in(const args_t *a)
{
    (void)a;
    return FLOW_IN;
}
static inline flow_t flow_out(const args_t *a)
{
    (void)a;
    return FLOW_OUT;
}
static inline flow_t flow_both(const args_t *a)
{
    (void)a;
    return FLOW_BOTH;
}

#endif /* GSVD_DOOR_SHAPES_H */
