/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* plot.h -- draws the values as an SVG picture.
 *
 * alpha / beta, or sigma, over the number of the value, on a logarithmic axis; infinite
 * values (beta = 0) stand in a row of their own above it, zeros (alpha = 0) below it.
 * Those of hsvd have a color for each sign.
 */
#ifndef GSVD_TOOLS_PLOT_H
#define GSVD_TOOLS_PLOT_H

#include "report.h"

void plot_write(FILE *out, const report_t *r);

#endif /* GSVD_TOOLS_PLOT_H */
