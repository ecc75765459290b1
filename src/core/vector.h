/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* vector.h -- the inner loops of the CPU. */
#ifndef GSVD_CORE_VECTOR_H
#define GSVD_CORE_VECTOR_H

#include "core/matrix.h"

/* xx = x^H x, yy = y^H y, xy = x^H y */
void X(vector_gram)(int64_t n, const scalar_t *x, const scalar_t *y, real_t *xx,
                    real_t *yy, scalar_t *xy);

/* (x, y) := (x, y) (c, s; -s w, c w), the columns exchanged if swap */
void X(vector_rotate)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                      scalar_t w, int swap);

/* x^H x, and x^H y */
real_t X(vector_square)(int64_t n, const scalar_t *x);
scalar_t X(vector_dot)(int64_t n, const scalar_t *x, const scalar_t *y);

/* y := y + a x, and x := a x */
void X(vector_add)(int64_t n, scalar_t a, const scalar_t *x, scalar_t *y);
void X(vector_scale)(int64_t n, scalar_t a, scalar_t *x);

/* a := a - q f (q^H a) for count columns a of n entries, ld apart, and
 * square[j] := the sum of |a(i)|^2 for i in [from, n) */
void X(vector_project)(int64_t n, int64_t from, const scalar_t *q, scalar_t f,
                       int64_t count, scalar_t *a, int64_t ld, real_t *square);

#endif /* GSVD_CORE_VECTOR_H */
