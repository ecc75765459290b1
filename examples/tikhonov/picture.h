/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* picture.h -- the error against lambda and the solutions, as an SVG. */
#ifndef PICTURE_H
#define PICTURE_H

#include "equation.h"

typedef struct point {
    double lambda;
    double residual; /* ||A x - b||                                           */
    double error;    /* ||x - exact|| / ||exact||                             */
} point_t;

typedef struct outcome {
    int points; /* of the curve                                               */
    const point_t *curve;
    int best, morozov, rough; /* which of them                            */
    const double *x_best, *x_rough; /* their solutions                        */
} outcome_t;

/* 0 if the file could not be written. */
int picture_write(const char *file, const problem_t *problem,
                  const outcome_t *outcome);

#endif /* PICTURE_H */
