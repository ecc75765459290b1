/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* vector.h -- the inner loops of the CPU's Jacobi sweep. */
#ifndef GSVD_CORE_VECTOR_H
#define GSVD_CORE_VECTOR_H

#include "core/matrix.h"

/* xx = x^H x, yy = y^H y, xy = x^H y */
void X(vector_gram)(int64_t n, const scalar_t *x, const scalar_t *y, real_t *xx,
                    real_t *yy, scalar_t *xy);

/* (x, y) := (x, y) (c, s; -s w, c w), the columns exchanged if swap */
void X(vector_rotate)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                      scalar_t w, int swap);

#endif /* GSVD_CORE_VECTOR_H */
