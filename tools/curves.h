/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* curves.h -- draws points and curves over logarithmic axes as an SVG picture. */
#ifndef GSVD_TOOLS_CURVES_H
#define GSVD_TOOLS_CURVES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Points (x, y) of one color; those whose logarithm does not exist are left out. */
typedef struct series {
    const char *name; /* in the legend, as XML                               */
    const char *color;
    bool line; /* joined by a line, else dots                                */
    int64_t count;
    const double *x, *y; /* x == NULL: 1, 2, ...                             */
} series_t;

typedef struct curves {
    const char *title, *subtitle, *x, *y; /* as XML                          */
    bool log_x; /* y is always logarithmic                                   */
    int count;
    const series_t *series;
    const char *mark; /* a circle around a point, with these words, or NULL  */
    double mark_x, mark_y;
} curves_t;

void curves_write(FILE *out, const curves_t *c);

#endif /* GSVD_TOOLS_CURVES_H */
