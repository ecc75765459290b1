/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bounds.c -- how far generalized values may be off, for errors of A's and B's columns.
 *
 * Let A Y = U C, B Y = V S, and let A + E, B + F be the pair that errors leave.  y_j's images err by
 *
 *     |E y_j| <= p_j = sum_i |E e_i| |y_ij|,    |F y_j| <= q_j = sum_i |F e_i| |y_ij|
 *
 * By the minimax theorem value k of the new pair is no less than the least one on the span of
 * y_1, ..., y_k.  Let z be a vector of unit length there, phi the angle of (|C z|, |S z|), theta_k that
 * of (alpha_k, beta_k), e_j = beta_k p_j + alpha_k q_j.  Then
 *
 *     beta_k |(A + E) Y z| - alpha_k |(B + F) Y z| >= sin(theta_k - phi) - sum_j e_j |z_j|
 *     sin(theta_k - phi) sin(theta_k + phi) =
 *         sum_j sin(theta_k - theta_j) sin(theta_k + theta_j) |z_j|^2
 *
 * and so sin(theta_k - phi) >= sum_j d_j |z_j|^2, where d_j is the product of sines over the most that
 * sin(theta_k + phi) can be.  Divided by the length of the images, this is minus what value k rises
 * by, as a chordal distance.  That length is no less than 1 - sum_j h_j |z_j| with h_j =
 * hypot(p_j, q_j).  So value k rises by no more than t if, for all z,
 *
 *     sum_j ((e_j + t h_j) |z_j| - d_j |z_j|^2)  <=  t
 *
 * The left side is at most mu + sum_j (e_j + t h_j)^2 / (4 (d_j + mu)) for every mu > 0.  A value that
 * is far from those of larger e_j has about e_k; equal values have the length of their e_j.  The
 * span of y_k, ..., y_r does the same downwards. */
#include <errno.h>

#include "core/sumsq.h"
#include "filter/terms.h"

enum { TRIALS = 8 };

/* What gsvd's rounding does to a column, over its length, is at most so many ulp (as
 * tests/test_families.c finds). */
static double rounding_of(int64_t n)
{
    return (double)(n > 10 ? n : 10) * GSVD_ULP;
}

#define bounds_t X(bounds_t)
typedef struct bounds {
    const real_t *alpha, *beta, *p, *q;
    double error;
} bounds_t;

/* The left side for a value k and the values first, ..., last - 1, k among them; up: these are the
 * larger ones */
static double left_side(const bounds_t *b, int64_t k, int64_t first,
                        int64_t last, int up, double change)
{
    const double c = (double)b->alpha[k], s = (double)b->beta[k];
    const double x = up ? c : s, y = up ? s : c;
    const double most = x >= y ? 2 * x * y : 1;
    double mu = 0, best = INFINITY;

    /* The first mu is half the length of e, where all d_j are 0. */
    for (int trial = 0; trial <= TRIALS; ++trial) {
        double sum = 0, slope = 0;
        for (int64_t j = first; j < last; ++j) {
            const double p = b->error * (double)b->p[j],
                         q = b->error * (double)b->q[j];
            const double e = s * p + c * q + change * hypot(p, q);
            const double f = s * (double)b->alpha[j],
                         g = c * (double)b->beta[j];
            const double apart = up ? f - g : g - f;
            const double d =
                apart > 0 && trial > 0 ? apart * ((f + g) / most) : 0;
            const double t = trial > 0 ? e / (d + mu) / 2 : e / 2;
            sum += trial > 0 ? t * e / 2 : 0;
            slope += t * t;
        }
        if (trial == 0 && slope == 0)
            return 0;
        if (trial > 0)
            best = fmin(best, mu + sum);
        mu = trial > 0 ? mu * sqrt(slope) : sqrt(slope);
    }
    return best;
}

/* What value k may change towards them: a t that is twice or less what it need be meets the condition,
 * and then the left side does. */
static double change_of(const bounds_t *b, int64_t k, int64_t first,
                        int64_t last, int up)
{
    double left = left_side(b, k, first, last, up, 0);

    for (double t = 1.01 * left; left > 0 && t < 1; t *= 2) {
        left = left_side(b, k, first, last, up, t);
        if (left <= t)
            return left;
    }
    return left > 0;
}

/* p and q of y_j, over the error; both: of columns as long as the longer one of A's and of B's, once
 * the longest of A and of B are made alike */
static void images_of(int64_t n, const scalar_t *y, const real_t *a,
                      const real_t *b, double most_a, double most_b, int both,
                      real_t *p, real_t *q)
{
    double of_a = 0, of_b = 0;

    for (int64_t i = 0; i < n; ++i) {
        const double size = (double)abs_of(y[i]);
        const double x = (double)a[i], z = (double)b[i];
        if (size == 0)
            continue;
        of_a +=
            size * (both ? fmax(x, most_b > 0 ? z / most_b * most_a : 0) : x);
        of_b +=
            size * (both ? fmax(z, most_a > 0 ? x / most_a * most_b : 0) : z);
    }
    *p = (real_t)of_a;
    *q = (real_t)of_b;
}

static gsvd_status_t check(gsvd_handle_t h, int64_t n, int64_t r,
                           const real_t *alpha, const real_t *beta,
                           const real_t *a, const real_t *b, const scalar_t *Y,
                           int64_t ldy, real_t error, const real_t *bound,
                           const real_t *work)
{
    const char *const fault =
        n < 0 || n > INT32_MAX  ? "n: not from 0 to 2147483647"
        : r < 0 || r > n        ? "r: not from 0 to n"
        : ldy < (n > 1 ? n : 1) ? "ldy: less than max(1, n)"
        : n > 0 && (!a || !are_values(n, a))
            ? "a: NULL, or not finite numbers from 0 up"
        : n > 0 && (!b || !are_values(n, b))
            ? "b: NULL, or not finite numbers from 0 up"
        : r > 0 && !Y ? "Y: NULL"
        : !(error >= 0 && error <= GSVD_REAL_MAX)
            ? "error: not a finite number from 0 up"
        : r > 0 && !bound ? "bound: NULL"
        : r > 0 && !work  ? "work: NULL"
                          : NULL;
    if (fault)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "%s", fault);
    return check_values(h, r, alpha, beta);
}

gsvd_status_t X(error_bounds)(gsvd_handle_t h, int64_t n, int64_t r,
                              const real_t *alpha, const real_t *beta,
                              const real_t *a, const real_t *b,
                              const scalar_t *Y, int64_t ldy, real_t error,
                              real_t *bound, real_t *cond, real_t *work)
{
    real_t *const p = work, *const q = work + r;
    double most_a = 0, most_b = 0, size = 0, inverse = 0;

    if (!h)
        return GSVD_INVALID_HANDLE;
    GSVD_TRY(check(h, n, r, alpha, beta, a, b, Y, ldy, error, bound, work));
    const int kept_errno = errno; /* hypot sets it.                          */
    for (int64_t i = 0; i < n; ++i) {
        most_a = fmax(most_a, (double)a[i]);
        most_b = fmax(most_b, (double)b[i]);
        size = hypot(size, hypot((double)a[i], (double)b[i]));
    }
    for (int64_t j = 0; j < r; ++j) {
        const scalar_t *const y = Y + j * ldy;
        images_of(n, y, a, b, most_a, most_b, error == 0, &p[j], &q[j]);
        inverse = hypot(inverse, (double)sumsq_norm_of(n, y));
    }
    const bounds_t x = {alpha, beta, p, q,
                        error > 0 ? (double)error : rounding_of(n)};
    for (int64_t k = 0; k < r; ++k) {
        const double most =
            fmax(change_of(&x, k, 0, k + 1, 1), change_of(&x, k, k, r, 0)) +
            2 * GSVD_ULP; /* alpha and beta are rounded      */
        bound[k] = most < 1 ? (real_t)most : 1;
    }
    if (cond)
        *cond = (real_t)(size * inverse);
    errno = kept_errno;
    return GSVD_SUCCESS;
}
