/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* equation.h -- integral equations of the first kind, discretized, with noisy data.
 *
 *     int k(s, t) f(t) dt = g(s)
 *
 * phillips  k = phi(s - t), f = phi(t), phi(x) = 1 + cos(pi x / 3) for |x| < 3, else 0;
 *           g(s) = (6 - |s|) (1 + cos(pi s / 3) / 2) + 9/(2 pi) sin(pi |s| / 3),
 *           s and t from -6 to 6
 * shaw      k = (cos s + cos t)^2 (sin u / u)^2, u = pi (sin s + sin t),
 *           f = 2 exp(-6 (t - 0.8)^2) + exp(-2 (t + 0.5)^2), s and t from -pi/2 to pi/2
 * baart     k = exp(s cos t), f = sin t, g(s) = 2 sinh(s) / s, s to pi/2, t to pi
 * heat      k = exp(-1 / (4 (s - t))) / (2 sqrt(pi) (s - t)^(3/2)) for s > t, else 0,
 *           f = 16 t^2 (1 - t)^2 (1 + t), s and t from 0 to 1
 *
 * D. L. Phillips, A technique for the numerical solution of certain integral
 * equations of the first kind, J. ACM 9 (1962) 84-97; C. B. Shaw, Improvement of the
 * resolution of an instrument by numerical solution of an integral equation, J. Math.
 * Anal. Appl. 37 (1972) 83-112; M. L. Baart, The use of auto-correlation for
 * pseudo-rank determination, IMA Journal of Numerical
 * Analysis 2 (1982) 241-247; A. Carasso,
 * Determining surface temperatures from interior observations, SIAM J. Appl. Math. 42
 * (1982) 558-574.  The right-hand side is the integral itself, not A times the solution. */
#ifndef EQUATION_H
#define EQUATION_H

typedef struct problem {
    const char *title; /* "Shaw's integral equation"                         */
    int n, p; /* order; rows of L, p = n - 2                             */
    double lambda_min; /* of regularization, over six decades             */
    double t0, t1; /* the range of t                                          */
    double *A;     /* n-by-n: the midpoint rule in n points                   */
    double *L;     /* p-by-n: second differences over the square of the step  */
    double *t;     /* the points                                              */
    double *exact; /* f in the points                                         */
    double *b;     /* g in the points, and noise                              */
    double noise;  /* ||noise|| / ||g||                                       */
} problem_t;

/* The title of the equation of this name, or NULL: there is none. */
const char *equation_title(const char *name);

/* With normal noise of relative norm noise, the same for the same arguments.
 * 0 without memory. */
int equation_create(problem_t *problem, const char *name, int n, double noise);
void equation_free(problem_t *problem);

#endif /* EQUATION_H */
