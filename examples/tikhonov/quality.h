/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality.h -- how exact a decomposition is; all norms are Frobenius norms. */
#ifndef QUALITY_H
#define QUALITY_H

/* ||M - W diag(d) R Q'|| / ||M||, where M is rows-by-n, R and Q are n-by-n, W is
 * rows-by-rows and stands for the columns first, first + 1, ... of rows-by-n.
 * Negative without memory. */
double residual(int rows, int n, const double *M, const double *W, int first,
                const double *d, const double *R, const double *Q);

/* ||W'W - I||, W n-by-n.  Negative without memory. */
double orthogonality(int n, const double *W);

#endif /* QUALITY_H */
