/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* integral.h [1] -- integral equations of the first kind whose discretizations are ill-posed:
 *
 *     int k(s, t) f(t) dt = g(s)
 *
 * phillips  1 + cos(pi (s - t) / 3) for |s - t| < 3, else 0; s and t from -6 to 6 (Phillips 1962)
 * shaw      (cos s + cos t)^2 (sin u / u)^2, u = pi (sin s + sin t); s and t from -pi/2 to
 *           pi/2: restoration of an image behind a slit (Shaw 1972)
 * baart     exp(s cos t); s from 0 to pi/2, t from 0 to pi (Baart 1982)
 * heat      (s - t)^(-3/2) / (2 sqrt pi) exp(-1 / (4 (s - t))) for s > t, else 0; s and t
 *           from 0 to 1: the inverse heat equation, of Volterra's kind (Carasso 1982)
 */
#ifndef GSVD_BENCH_INTEGRAL_H
#define GSVD_BENCH_INTEGRAL_H

#include <math.h>

#define INTEGRAL_PI 3.14159265358979323846

static inline double integral_phillips(double s, double t)
{
    return fabs(s - t) < 3 ? 1 + cos(INTEGRAL_PI * (s - t) / 3) : 0;
}

static inline double integral_shaw(double s, double t)
{
    const double u = INTEGRAL_PI * (sin(s) + sin(t)), c = cos(s) + cos(t);
    const double q = fabs(u) > 1e-8 ? sin(u) / u : 1;
    return c * c * q * q;
}

static inline double integral_baart(double s, double t)
{
    return exp(s * cos(t));
}

static inline double integral_heat(double s, double t)
{
    const double x = s - t;
    return x > 0 ? exp(-1 / (4 * x)) / (2 * sqrt(INTEGRAL_PI) * x * sqrt(x))
                 : 0;
}

typedef struct integral {
    const char *name;
    double (*kernel)(double s, double t);
    double s0, s1, t0, t1;
} integral_t;

static const integral_t integral_equation[] = {
    {"phillips", integral_phillips, -6, 6, -6, 6},
    {"shaw", integral_shaw, -INTEGRAL_PI / 2, INTEGRAL_PI / 2, -INTEGRAL_PI / 2,
     INTEGRAL_PI / 2},
    {"baart", integral_baart, 0, INTEGRAL_PI / 2, 0, INTEGRAL_PI},
    {"heat", integral_heat, 0, 1, 0, 1},
};
enum {
    INTEGRAL_EQUATIONS = sizeof integral_equation / sizeof *integral_equation
};

/* a(i,j) of an m x n discretization, by the midpoint rule; s half a step later than t
 * where the kernel is Volterra's, so that the diagonal is not 0 */
static inline double integral_entry(const integral_t *e, int i, int j, int m,
                                    int n)
{
    const double hs = (e->s1 - e->s0) / m, ht = (e->t1 - e->t0) / n;
    const double late = e->kernel == integral_heat ? 1 : 0.5;
    return ht * e->kernel(e->s0 + (i + late) * hs, e->t0 + (j + 0.5) * ht);
}

#endif /* GSVD_BENCH_INTEGRAL_H */
