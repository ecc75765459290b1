/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality.h -- how exact a decomposition is; all norms are Frobenius norms. */
#ifndef QUALITY_H
#define QUALITY_H

/* ||M Y - W diag(d)|| / (||M|| ||Y||), where M is rows-by-n, Y is n-by-n, W is rows-by-rows and
 * stands for the columns first, first + 1, ... of rows-by-n, the others being 0.
 * Negative without memory. */
double residual(int rows, int n, const double *M, const double *W, int first,
                const double *d, const double *Y);

/* ||W'W - I||, W n-by-n.  Negative without memory. */
double orthogonality(int n, const double *W);

#endif /* QUALITY_H */
