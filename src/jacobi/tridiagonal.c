/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tridiagonal.c -- a Hermitian matrix := a real tridiagonal one, by LAPACK's xSYTRD or
 * xHETRD, the eigenvectors of that, and its values by xSTERF and counts; CPU twin of tridiagonal.cu. */
#include "jacobi/tridiagonal.h"

#include "core/clones.h"
#include "core/lapack.h"
#include "jacobi/jacobi.h"

enum {
    WIDTH = 32, /* of xSYTRD's panels, by its work                          */
    FAR = 1 /* xSTERF's values are within FAR n eps of the norm, as a rule */
};

size_t X(tridiagonalize_bytes_cpu)(int64_t n)
{
    return (size_t)max_i(n, 1) * WIDTH * sizeof(scalar_t);
}

gsvd_status_t X(tridiagonalize_cpu)(const exec_t *ex, mat_t A, real_t *d,
                                    real_t *e, scalar_t *tau, int *fits)
{
    void *work;
    *fits = 1;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, X(tridiagonalize_bytes_cpu)(A.cols), &work));
    const int size = (int)A.cols, lda = (int)A.ld, lwork = size * WIDTH;
    int info;
    BLAS_(SYTRD)
    ("L", &size, A.data, &lda, d, e, tau, work, &lwork, &info, 1);
    if (info != 0)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "tridiagonalize: LAPACK refuses an argument");
    return GSVD_SUCCESS;
}

gsvd_status_t X(tridiagonalize_each_cpu)(const exec_t *ex, int count,
                                         const tridiagonal_t *t, int *fits)
{
    *fits = 1;
    for (int k = 0; k < count; ++k)
        GSVD_TRY(
            X(tridiagonalize_cpu)(ex, t[k].A, t[k].d, t[k].e, t[k].tau, fits));
    return GSVD_SUCCESS;
}

/* As many numbers as values are looked for at once, and integers of their size */
enum { POINTS = 64 / (int)sizeof(real_t) };
#define points_t X(points_t)
#define counts_t X(counts_t)
typedef real_t points_t __attribute__((vector_size(64)));
#if GSVD_SINGLE
typedef int32_t counts_t __attribute__((vector_size(64)));
enum { EXPONENT = 0x7f800000, POWERS = 0x7f000000 };
#else
typedef int64_t counts_t __attribute__((vector_size(64)));
static const int64_t EXPONENT = 0x7ff0000000000000, POWERS = 0x7fe0000000000000;
#endif

/* *below := how many of n values lie below each x, those of t: values_below of tridiagonal.cu.  The
 * bits of x's exponent, taken from POWERS, are those of the power of two that brings x to [1, 2). */
CLONES
static void count_values(int64_t n, const minor_row_t *t, const points_t *x,
                         counts_t *below)
{
    points_t minor = {0}, before = {0};

    minor += 1;
    *below = (counts_t){0};
    for (int64_t i = 0; i < n; i += MINOR_ROWS) {
        for (int64_t k = i; k < i + MINOR_ROWS; ++k) {
            const points_t next = (t[k].d - *x) * minor - t[k].square * before;
            *below -= (next < 0) ^ (minor < 0);
            before = minor;
            minor = next;
        }
        const counts_t a = (counts_t)minor & EXPONENT;
        const counts_t b = (counts_t)before & EXPONENT;
        const counts_t power = POWERS - ((a & (a > b)) | (b & (a <= b)));
        minor *= (points_t)power;
        before *= (points_t)power;
    }
}

/* Intervals of 2^-exponent T that hold one value each, those number first, first + 1, ..., counted
 * from the largest */
typedef struct brackets {
    int64_t n, first;
    const minor_row_t *t;
    points_t from, to;
} brackets_t;

/* Interval j is worth a cut at x: each is cut as if it were alone. */
static int is_cut(const brackets_t *b, int j, real_t x)
{
    return b->to[j] - b->from[j] > GSVD_EPS / 64 && b->from[j] < x &&
           x < b->to[j];
}

static void cut(brackets_t *b, const points_t *x)
{
    counts_t below;

    count_values(b->n, b->t, x, &below);
    for (int j = 0; j < POINTS; ++j) {
        if (!is_cut(b, j, (*x)[j]))
            continue;
        if (below[j] < b->n - b->first - j)
            b->from[j] = (*x)[j];
        else
            b->to[j] = (*x)[j];
    }
}

/* *x := the middle of each.  Is there one to be cut? */
static int halve(const brackets_t *b, points_t *x)
{
    int cuts = 0;

    *x = b->from + (b->to - b->from) / 2;
    for (int j = 0; j < POINTS; ++j)
        cuts |= is_cut(b, j, (*x)[j]);
    return cuts;
}

/* w[0:count) := values behind so many; near: what they are up to FAR, or NULL */
static void find_values(int64_t n, const minor_row_t *t, const spectrum_t *s,
                        int64_t before, int64_t count, const real_t *near,
                        real_t *w)
{
    const real_t far = FAR * (real_t)n * GSVD_EPS;

    for (int64_t k = 0; k < count; k += POINTS) {
        brackets_t b = {.n = n, .first = before + k, .t = t};
        points_t x;
        for (int j = 0; j < POINTS; ++j) {
            b.from[j] = ldexp_r(s->from, -s->exponent);
            b.to[j] = ldexp_r(s->to, -s->exponent);
        }
        for (int side = -1; near && side <= 1; side += 2) {
            for (int j = 0; j < POINTS; ++j)
                x[j] = ldexp_r(near[min_i(k + j, count - 1)], -s->exponent) +
                       (real_t)side * far;
            cut(&b, &x);
        }
        while (halve(&b, &x))
            cut(&b, &x);
        for (int j = 0; j < POINTS && k + j < count; ++j)
            w[k + j] = ldexp_r(x[j], s->exponent);
    }
}

/* less than tridiagonalize's */
static size_t values_bytes(int64_t n)
{
    return 2 * (size_t)n * sizeof(real_t) +
           (size_t)minor_rows(n) * sizeof(minor_row_t);
}

static void set_rows(int64_t n, const real_t *d, const real_t *e, int exponent,
                     minor_row_t *t)
{
    for (int64_t i = 0; i < minor_rows(n); ++i)
        t[i] = minor_row(n, d, e, exponent, i);
}

gsvd_status_t X(tridiagonal_vectors_cpu)(const exec_t *ex, int64_t n,
                                         const real_t *d, const real_t *e,
                                         int64_t before, real_t *w, mat_t V)
{
    const spectrum_t s = widened(gershgorin(n, d, e, 0, 1));
    void *work;

    GSVD_TRY(X(kernel_work)(ex, values_bytes(n), &work));
    real_t *const z = work, *const u = z + n;
    minor_row_t *const t = (minor_row_t *)(u + n);
    set_rows(n, d, e, s.exponent, t);
    find_values(n, t, &s, before, V.cols, NULL, w);
    for (int64_t k = 0; k < V.cols; ++k) {
        real_t length2;
        w[k] += twisted_vector(n, d, e, w[k], s.least, 1, z, u, &length2);
        const real_t factor = rsqrt_r(length2);
        for (int64_t i = 0; i < n; ++i)
            AT(V, i, k) = make(factor * z[i], 0);
    }
    return GSVD_SUCCESS;
}

/* xSTERF's errors grow as n: in single 35 to 39 ulp of the norm where n = 128, 244 where n = 1024.
 * Counting corrects them in half of its time. */
gsvd_status_t X(tridiagonal_values_cpu)(const exec_t *ex, int64_t n,
                                        const real_t *d, const real_t *e,
                                        int64_t count, real_t *w)
{
    const spectrum_t s = widened(gershgorin(n, d, e, 0, 1));
    void *work;

    if (count == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, values_bytes(n), &work));
    real_t *const near = work, *const beside = near + n;
    minor_row_t *const t = (minor_row_t *)(beside + n);
    set_rows(n, d, e, s.exponent, t);
    for (int64_t i = 0; i < n; ++i) {
        near[i] = d[i];
        beside[i] = i < n - 1 ? e[i] : 0;
    }
    const int size = (int)n;
    int info;
    STERF(&size, near, beside, &info);
    for (int64_t i = 0; i < n / 2; ++i) {
        const real_t kept = near[i];
        near[i] = near[n - 1 - i];
        near[n - 1 - i] = kept;
    }
    find_values(n, t, &s, 0, count, info == 0 ? near : NULL, w);
    return GSVD_SUCCESS;
}
