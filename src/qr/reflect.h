/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reflect.h -- one elementary reflector on the host. */
#ifndef GSVD_QR_REFLECT_H
#define GSVD_QR_REFLECT_H

#include "core/vector.h"

/* x = (alpha; x'): H^H x = (beta; 0) with H = I - tau v v^H, v(0) = 1, beta real;
 * x := (beta; v(1:n)), returns tau.  Safe against over- and underflow. */
scalar_t X(reflector)(int64_t n, scalar_t *x);

/* c := c - t v (v^H c), v(0) = 1 not stored */
void X(reflect_column)(int64_t n, scalar_t t, const scalar_t *v, scalar_t *c);

/* ... without a call where n is a few */
static inline void reflect_few(int64_t n, scalar_t t, const scalar_t *v,
                               scalar_t *c)
{
    const scalar_t w = mul(t, add(c[0], dot_of(n - 1, v + 1, c + 1)));
    c[0] = sub(c[0], w);
    add_to(n - 1, make(-re(w), -im(w)), v + 1, c + 1);
}

/* The same for all columns of C, v(0) = 1 stored; room for C.rows entries */
void X(reflect_columns)(scalar_t t, const scalar_t *v, mat_t C, scalar_t *room);

#endif /* GSVD_QR_REFLECT_H */
