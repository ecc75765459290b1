/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* filter.h -- Tikhonov's solutions for any lambda from one GSVD.
 *
 *     min_x ||A x - b||^2 + lambda^2 ||L x||^2,   A = U C R Q', L = V S R Q'
 *     x = Q R^-1 y,   y_i = f_i / c_i u_i'b,   f_i = c_i^2 / (c_i^2 + (lambda s_i)^2)
 *
 * with C = diag(c), S' S = diag(s^2): A n-by-n and (A; L) of full column rank.
 * P. C. Hansen, Rank-deficient and discrete ill-posed problems, SIAM, 1998. */
#ifndef FILTER_H
#define FILTER_H

typedef struct filter {
    int n;
    const double *Q, *R; /* n-by-n; R upper triangular                        */
    const double *c, *s; /* n values each                                     */
    double *coefficient; /* U'b                                               */
    double *y;           /* room for n values                                 */
} filter_t;

typedef struct point {
    double lambda;
    double residual; /* ||A x - b||                                           */
    double error;    /* ||x - exact|| / ||exact||                             */
} point_t;

/* 0 without memory. */
int filter_create(filter_t *filter, int n, const double *U, const double *Q,
                  const double *R, const double *c, const double *s,
                  const double *b);
void filter_free(filter_t *filter);

/* The solution x for this lambda, and what is known of it. */
point_t filter_solve(const filter_t *filter, double lambda, const double *exact,
                     double *x);

#endif /* FILTER_H */
