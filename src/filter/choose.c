/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* choose.c -- lambda by GCV, L-curve, discrepancy, quasi-optimality.
 *
 * Values and coefficients are taken in units in which no sum of squares leaves the range: gamma and
 * lambda in that of the largest finite gamma, |u_i^H b| in that of the largest one.
 *
 * A function of log lambda is looked at in points of a grid over lambda_range, and between the
 * neighbours of the best one by golden section.  Of a truncated solution, which changes at the
 * gamma alone, these are the points. */
#include <errno.h>

#include "filter/terms.h"

enum { A_DECADE = 32, GOLDEN = 60, FAR = 1000 };

#define choice_t X(choice_t)
typedef struct choice {
    gsvd_filter_t filter;
    int64_t m, r;
    const real_t *alpha, *beta;
    const scalar_t *C;
    double rest, unit; /* rest: in units of d                                */
    int up;            /* s is 2^up beta; lambda is 2^-up ours               */
} choice_t;

static double value_c(const choice_t *p, int64_t i)
{
    return (double)p->alpha[i];
}
static double value_s(const choice_t *p, int64_t i)
{
    return ldexp((double)p->beta[i], p->up);
}
static double value_d(const choice_t *p, int64_t i)
{
    return i < p->m ? (double)abs_of(p->C[i]) / p->unit : 0;
}

static int is_filtered(const choice_t *p, int64_t i)
{
    return p->alpha[i] > 0 && p->beta[i] > 0;
}

static double gamma_of(const choice_t *p, int64_t i)
{
    return value_c(p, i) / value_s(p, i);
}

/* ---- what is minimized ---------------------------------------------------------- */

/* ||A x - b||^2 */
static double residual2(const choice_t *p, double lambda)
{
    double sum = p->rest * p->rest;

    for (int64_t i = 0; i < p->r; ++i) {
        const term_t t =
            term_of(p->filter, value_c(p, i), value_s(p, i), lambda);
        const double x = times(t.rest, value_d(p, i), 1);
        sum += x * x;
    }
    return sum;
}

/* log of the function of generalized cross-validation.  m - sum f_i is added up without
 * cancellation. */
static double gcv(const choice_t *p, double lambda)
{
    const int64_t rows = p->m < p->r ? p->m : p->r;
    double free = (double)(p->m - rows);

    for (int64_t i = 0; i < rows; ++i) {
        const term_t t =
            term_of(p->filter, value_c(p, i), value_s(p, i), lambda);
        free += times(t.rest, 1, 1);
    }
    return free > 0 ? log(residual2(p, lambda)) - 2 * log(free) : INFINITY;
}

/* log ||L dx / dt||^2 up to a constant, t = log lambda: df / dt is a multiple of f (1 - f).  It falls
 * without end where lambda goes to 0 and to infinity, whatever the data, so that only a minimum
 * between two larger values says something. */
static double quasi(const choice_t *p, double lambda)
{
    double sum = 0;

    for (int64_t i = 0; i < p->r; ++i) {
        const double s = value_s(p, i);
        const term_t t = term_of(p->filter, value_c(p, i), s, lambda);
        const double x = times(t.rest, times(t.over_c, s, value_d(p, i)), 1);
        sum += x * x;
    }
    return log(sum);
}

/* Minus the curvature of (log ||A x - b||, log ||L x||).  With t = log lambda and f' = -q f (1 - f),
 * f'' = q^2 f (1 - f) (1 - 2 f), q = 2 for Tikhonov and 1 for damped, its derivatives are sums. */
static double minus_curvature(const choice_t *p, double lambda)
{
    const double q = p->filter == GSVD_FILTER_TIKHONOV ? 2 : 1;
    double rho = p->rest * p->rest, rho1 = 0, rho2 = 0;
    double eta = 0, eta1 = 0, eta2 = 0;

    for (int64_t i = 0; i < p->r; ++i) {
        const double s = value_s(p, i), d = value_d(p, i);
        const term_t t = term_of(p->filter, value_c(p, i), s, lambda);
        const double w = times(t.over_c, s, d); /* f s / c d                  */
        const double f = t.f, g = times(t.rest, 1, 1);
        rho += g * d * (g * d);
        rho1 += 2 * q * f * (g * d) * (g * d);
        rho2 += 2 * q * q * f * (g * d) * (g * d) * (f - (1 - 2 * f));
        eta += w * w;
        eta1 -= 2 * q * g * w * w;
        eta2 += 2 * q * q * g * w * w * (g + (1 - 2 * f));
    }
    if (!(rho > 0 && eta > 0))
        return 0;
    const double x1 = rho1 / rho / 2, y1 = eta1 / eta / 2;
    const double x2 = rho2 / rho / 2 - 2 * x1 * x1;
    const double y2 = eta2 / eta / 2 - 2 * y1 * y1;
    const double speed = hypot(x1, y1);
    return speed > 0 ? -(x1 / speed * y2 - y1 / speed * x2) / speed / speed : 0;
}

typedef double function_t(const choice_t *p, double lambda);

/* ---- where it is least ---------------------------------------------------------- */

/* The least of f between exp(a) and exp(b) */
static double golden_section(const choice_t *p, function_t *f, double a,
                             double b)
{
    const double ratio = 0.61803398874989484820;
    double x = b - ratio * (b - a), y = a + ratio * (b - a);
    double fx = f(p, exp(x)), fy = f(p, exp(y));

    for (int i = 0; i < GOLDEN; ++i)
        if (fx <= fy) {
            b = y;
            y = x;
            fy = fx;
            x = b - ratio * (b - a);
            fx = f(p, exp(x));
        } else {
            a = x;
            x = y;
            fx = fy;
            y = a + ratio * (b - a);
            fy = f(p, exp(y));
        }
    return fx <= fy ? exp(x) : exp(y);
}

/* Where f is least between the bounds; `inside`: where the least of its minima between larger values
 * is, or 0 if there is none, as of bounds less than a step apart. */
static double least_of(const choice_t *p, function_t *f, int inside,
                       double least, double most)
{
    const double a = log(least), length = log(most) - a;
    const int points = 2 + (int)(A_DECADE * length / log(10));
    double before = INFINITY, here = f(p, least), lambda = least;
    double best = most, of_best = INFINITY;
    int at = -1;

    for (int i = 0; i <= points; ++i) {
        const double next =
            i + 1 < points ? exp(a + length * (i + 1) / points) : most;
        const double after = i < points ? f(p, next) : INFINITY;
        const int counts =
            !inside || (i > 0 && i < points && here <= before && here <= after);
        if (counts && here <= of_best) {
            best = lambda;
            of_best = here;
            at = i;
        }
        before = here;
        here = after;
        lambda = next;
    }
    if (at < 0 || (inside && points == 2))
        return inside ? 0 : most;
    const double refined =
        golden_section(p, f, a + length * (at > 0 ? at - 1 : 0) / points,
                       a + length * (at < points ? at + 1 : points) / points);
    return f(p, refined) < of_best ? fmin(fmax(refined, least), most) : best;
}

/* Of a truncated solution: the last term that is kept, of those from `least` on */
static double least_term(const choice_t *p, gsvd_choice_t choice, double least)
{
    double best = 0, of_best = INFINITY;

    for (int64_t i = 0; i < p->r; ++i) {
        if (!is_filtered(p, i) || gamma_of(p, i) < least)
            continue;
        const double lambda = gamma_of(p, i);
        const double x = choice == GSVD_CHOICE_GCV
                             ? gcv(p, lambda)
                             : log(value_d(p, i) / lambda);
        if (!(best > 0) || x < of_best || (x == of_best && lambda > best)) {
            best = lambda;
            of_best = x;
        }
    }
    return best;
}

/* The largest number with a residual of at most delta; there is one.  The bounds close in on
 * neighbours. */
static double by_discrepancy(const choice_t *p, double delta)
{
    double low = 0, high = INFINITY; /* allowed, and not                     */

    for (;;) {
        const double middle = low == 0 && isinf(high) ? 1
                              : low == 0 ? fmin(high * high, high / 2)
                              : isinf(high)
                                  ? fmin(fmax(low * low, 2 * low), DBL_MAX)
                              : high / low > 4 ? sqrt(low) * sqrt(high)
                                               : low + (high - low) / 2;
        if (!(middle > low && middle < high))
            return low;
        if (sqrt(residual2(p, middle)) <= delta)
            low = middle;
        else
            high = middle;
    }
}

/* ---- the calls -------------------------------------------------------------------- */

static gsvd_status_t check(gsvd_handle_t h, const choice_t *p)
{
    if (p->r < 0)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "r: negative");
    return check_values(h, p->r, p->alpha, p->beta);
}

/* The least and the largest gamma, but for 0 and infinity, as fractions and powers of two */
typedef struct range {
    int any, least_e, most_e;
    double least, most;
} range_t;

static range_t range_of(const choice_t *p)
{
    range_t x = {0};

    for (int64_t i = 0; i < p->r; ++i) {
        int c_e, s_e, e;
        if (!is_filtered(p, i))
            continue;
        const double c = frexp((double)p->alpha[i], &c_e);
        const double s = frexp((double)p->beta[i], &s_e);
        const double g = frexp(c / s, &e);
        e += c_e - s_e;
        if (!x.any || e > x.most_e || (e == x.most_e && g > x.most)) {
            x.most = g;
            x.most_e = e;
        }
        if (!x.any || e < x.least_e || (e == x.least_e && g < x.least)) {
            x.least = g;
            x.least_e = e;
        }
        x.any = 1;
    }
    return x;
}

/* The bounds times 2^-e */
static void bounds_of(const range_t *x, int e, double *least, double *most)
{
    *most = ldexp(x->most, x->most_e - e);
    *least = fmax(ldexp(x->least, x->least_e - e), 16 * GSVD_ULP * *most);
}

static real_t as_real(double x)
{
    return (real_t)fmin(x, (double)GSVD_REAL_MAX);
}

gsvd_status_t X(lambda_range)(gsvd_handle_t h, int64_t r, const real_t *alpha,
                              const real_t *beta, real_t *least, real_t *most)
{
    const choice_t p = {.r = r, .alpha = alpha, .beta = beta};
    double a = 0, b = 0;

    if (!h)
        return GSVD_INVALID_HANDLE;
    GSVD_TRY(check(h, &p));
    if (!least || !most)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "%s: NULL",
                         least ? "most" : "least");
    const int kept_errno = errno; /* ldexp sets it.                          */
    const range_t x = range_of(&p);
    if (x.any)
        bounds_of(&x, 0, &a, &b);
    errno = kept_errno;
    *least = as_real(a);
    *most = as_real(b);
    return GSVD_SUCCESS;
}

static gsvd_status_t check_coefficients(gsvd_handle_t h, const choice_t *p,
                                        real_t rest)
{
    if (p->m < 0)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "m: negative");
    if (p->r > 0 && !p->C)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "C: NULL");
    for (int64_t i = 0; i < p->r; ++i)
        if (!(abs_max(p->C[i]) <= GSVD_REAL_MAX / 2))
            return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                             "C: has a NaN, an infinity, or a number next to "
                             "it");
    return rest >= 0 && rest <= GSVD_REAL_MAX
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                           "rest: not a finite number from 0 up");
}

/* d and rest in the unit of the largest d */
static void take_units(choice_t *p, const range_t *x, real_t rest)
{
    p->unit = (double)rest;
    for (int64_t i = 0; i < p->r && i < p->m; ++i)
        p->unit = fmax(p->unit, (double)abs_of(p->C[i]));
    if (!(p->unit > 0))
        p->unit = 1;
    p->rest = (double)rest / p->unit;
    p->up = !x->any            ? 0
            : x->most_e < -FAR ? -FAR
            : x->most_e > FAR  ? FAR
                               : x->most_e;
}

static gsvd_status_t choose(gsvd_handle_t h, gsvd_choice_t choice,
                            const choice_t *p, const range_t *x, double delta,
                            double *lambda)
{
    double least, most;

    if (choice == GSVD_CHOICE_DISCREPANCY) {
        const double none = sqrt(residual2(p, 0));
        if (!(delta >= none))
            return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                             "delta: less than the residual of every lambda, "
                             "%.3g",
                             none * p->unit);
        *lambda = sqrt(residual2(p, INFINITY)) <= delta
                      ? INFINITY
                      : by_discrepancy(p, delta);
        return GSVD_SUCCESS;
    }
    if (!x->any) {
        *lambda = 0;
        return GSVD_SUCCESS;
    }
    bounds_of(x, p->up, &least, &most);
    if (p->filter == GSVD_FILTER_TRUNCATED) {
        *lambda = least_term(p, choice, least);
        return GSVD_SUCCESS;
    }
    if (choice == GSVD_CHOICE_QUASI) {
        *lambda = least_of(p, quasi, 1, least, most);
        if (*lambda > 0)
            return GSVD_SUCCESS;
        *lambda = least_of(p, quasi, 0, least, most);
        return gsvd_fail(h, GSVD_NOT_CONVERGED,
                         "the function of quasi-optimality has no minimum");
    }
    *lambda = least_of(p, choice == GSVD_CHOICE_GCV ? gcv : minus_curvature, 0,
                       least, most);
    return choice != GSVD_CHOICE_LCURVE || minus_curvature(p, *lambda) < 0
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_NOT_CONVERGED, "the L-curve has no corner");
}

gsvd_status_t X(choose)(gsvd_handle_t h, gsvd_choice_t choice,
                        gsvd_filter_t filter, int64_t m, int64_t r,
                        const real_t *alpha, const real_t *beta,
                        const scalar_t *C, real_t rest, real_t delta,
                        real_t *lambda)
{
    choice_t p = {filter, m, r, alpha, beta, C, 0, 1, 0};
    double x = 0;

    if (!h)
        return GSVD_INVALID_HANDLE;
    if ((int)choice < 0 || choice > GSVD_CHOICE_QUASI)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "choice: not a gsvd_choice_t");
    if ((int)filter < 0 || filter > GSVD_FILTER_DAMPED)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "filter: not a gsvd_filter_t");
    GSVD_TRY(check(h, &p));
    GSVD_TRY(check_coefficients(h, &p, rest));
    if (choice == GSVD_CHOICE_DISCREPANCY && !(delta >= 0))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "delta: not a number from 0 up");
    if (!lambda)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "lambda: NULL");
    if (choice == GSVD_CHOICE_LCURVE && filter == GSVD_FILTER_TRUNCATED)
        return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                         "the L-curve of truncated solutions is points, "
                         "without a curvature");
    const int kept_errno = errno; /* exp, log and others set it.             */
    const range_t range = range_of(&p);
    take_units(&p, &range, rest);
    const gsvd_status_t status =
        choose(h, choice, &p, &range, (double)delta / p.unit, &x);
    if (status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED)
        *lambda = isinf(x) ? (real_t)INFINITY : as_real(ldexp(x, p.up));
    errno = kept_errno;
    return status;
}
