/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* phillips.h -- Phillips' integral equation, discretized, with noisy data.
 *
 *     int_{-6}^{6} phi(s - t) f(t) dt = g(s),   -6 <= s <= 6,
 *     phi(x) = 1 + cos(pi x / 3) for |x| < 3, else 0,
 *     f(t) = phi(t),
 *     g(s) = (6 - |s|) (1 + cos(pi s / 3) / 2) + 9/(2 pi) sin(pi |s| / 3).
 *
 * D. L. Phillips, A technique for the numerical solution of certain integral
 * equations of the first kind, J. ACM 9 (1962) 84-97.  The right-hand side is
 * the integral itself, not A times the solution. */
#ifndef PHILLIPS_H
#define PHILLIPS_H

typedef struct problem {
    int n, p;      /* order; rows of L, p = n - 2                             */
    double *A;     /* n-by-n: the midpoint rule in n points                   */
    double *L;     /* p-by-n: second differences over the square of the step  */
    double *t;     /* the points                                              */
    double *exact; /* f in the points                                         */
    double *b;     /* g in the points, and noise                              */
    double noise;  /* ||noise|| / ||g||                                       */
} problem_t;

/* With normal noise of relative norm noise, the same for the same arguments.
 * 0 without memory. */
int phillips_create(problem_t *problem, int n, double noise);
void phillips_free(problem_t *problem);

#endif /* PHILLIPS_H */
