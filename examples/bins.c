/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bins.c -- speech out of noise with eight microphones: a GSVD for each frequency bin.
 *
 * In bin f the microphones have y = x + v, speech and noise.  A and B are the triangles of QR
 * factorizations of the frames, one a row, of y while somebody speaks and of v while nobody does:
 * A^H A and B^H B are covariances, which nobody forms.
 * With A = U C R Q^H, B = V S R Q^H the multichannel Wiener filter, which estimates x from y
 * with the least mean square error, is
 *
 *     x^ = (A^H A - B^H B) (A^H A)^-1 y = Q R^H diag(g) R^-H Q^H y,
 *     g = max(0, 1 - (beta / alpha)^2)
 *
 * (Doclo and Moonen, GSVD-based optimal filtering for single and multimicrophone speech
 * enhancement, IEEE Trans. Signal Processing 50(9), 2002).  Nothing is inverted but R, and
 * g = 0 where noise is all that there is.  All bins are one call.
 *
 *     bins [BINS]        2049 unless said otherwise */
#include <complex.h>
#include <gsvd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef double complex z_t;

static const double two_pi = 6.283185307179586;

enum { MICS = 8, FRAMES = 200, SQUARE = MICS * MICS, SOURCES = 3 };

/* -- signals: one speaker, two other sources, noise of the microphones ----------------- */

static unsigned long long state = 88172645463325252ULL;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static z_t normal(void)
{
    const double r = sqrt(-log(1 - uniform()));
    return r * cexp(I * two_pi * uniform());
}

/* Source s reaches microphone j of a line of 8, 4 cm apart, from its own direction. */
static z_t path(int s, int j, double bin)
{
    static const double sine[SOURCES] = {0.17, -0.77, 0.64};
    const double spacing = 0.04, sound = 343, most = 8000;
    return cexp(-I * two_pi * most * bin * j * spacing * sine[s] / sound);
}

typedef struct frame {
    z_t x[MICS], v[MICS];
} frame_t;

/* A frame of a bin, `bin` from 0 to 1: speech is loud at low frequencies and comes and
 * goes. */
static frame_t make_frame(double bin)
{
    const z_t speech = normal() * (uniform() < 0.4 ? 3 : 0.6) / (1 + 4 * bin);
    const z_t other[] = {normal(), 0.7 * normal()};
    frame_t a;

    for (int j = 0; j < MICS; ++j) {
        a.x[j] = speech * path(0, j, bin);
        a.v[j] = other[0] * path(1, j, bin) + other[1] * path(2, j, bin) +
                 0.1 * normal();
    }
    return a;
}

/* -- frames and their triangles ----------------------------------------------------------- */

/* Row i of the frames F */
static void put_frame(z_t *F, int i, const z_t *y)
{
    for (int j = 0; j < MICS; ++j)
        F[i + FRAMES * j] = conj(y[j]) / sqrt(FRAMES);
}

/* R := the triangle of F = Q R.  Below it stand zeros. */
static int factor(gsvd_handle_t h, z_t *F, z_t *R)
{
    if (zgsvd_qr(h, FRAMES, MICS, F, FRAMES, NULL, NULL) != GSVD_SUCCESS) {
        fprintf(stderr, "qr: %s\n", gsvd_last_error(h));
        return 0;
    }
    for (int j = 0; j < MICS; ++j)
        for (int i = 0; i < MICS; ++i)
            R[i + MICS * j] = i <= j ? F[i + FRAMES * j] : 0;
    return 1;
}

/* -- the filter ---------------------------------------------------------------------------- */

typedef struct filters {
    int bins;
    z_t *A, *B, *Q; /* R is in A                                       */
    double *alpha, *beta;
    int64_t *k, *l;
    int *info;
} filters_t;

/* The estimate of x at microphone 0 from y, or from a part of it: the filter is linear. */
static z_t estimate(const filters_t *w, int f, const z_t *y)
{
    const z_t *const R = w->A + (size_t)SQUARE * f;
    const z_t *const Q = w->Q + (size_t)SQUARE * f;
    z_t t[MICS], out = 0;

    for (int i = 0; i < MICS; ++i) { /* t := R^-H Q^H y */
        t[i] = 0;
        for (int j = 0; j < MICS; ++j)
            t[i] += conj(Q[j + MICS * i]) * y[j];
        for (int j = 0; j < i; ++j)
            t[i] -= conj(R[j + MICS * i]) * t[j];
        t[i] /= conj(R[i + MICS * i]);
    }
    for (int i = 0; i < MICS; ++i) { /* t := diag(g) t */
        const double ratio = w->beta[MICS * f + i] / w->alpha[MICS * f + i];
        t[i] *= fmax(0, 1 - ratio * ratio);
    }
    for (int j = 0; j < MICS; ++j) /* the first row of Q R^H */
        for (int i = 0; i <= j; ++i)
            out += Q[MICS * j] * conj(R[i + MICS * j]) * t[i];
    return out;
}

/* -- the program ------------------------------------------------------------------------------ */

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *numbers(size_t count, size_t each)
{
    void *const p = calloc(count, each);
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return p;
}

static filters_t new_filters(int bins)
{
    const size_t n = (size_t)bins;
    return (filters_t){.bins = bins,
                       .A = numbers(n * SQUARE, sizeof(z_t)),
                       .B = numbers(n * SQUARE, sizeof(z_t)),
                       .Q = numbers(n * SQUARE, sizeof(z_t)),
                       .alpha = numbers(n * MICS, sizeof(double)),
                       .beta = numbers(n * MICS, sizeof(double)),
                       .k = numbers(n, sizeof(int64_t)),
                       .l = numbers(n, sizeof(int64_t)),
                       .info = numbers(n, sizeof(int))};
}

static void free_filters(filters_t *w)
{
    void *const all[] = {w->A,    w->B, w->Q, w->alpha,
                         w->beta, w->k, w->l, w->info};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
}

/* A and B of all bins: the triangles of what the microphones heard */
static int listen(gsvd_handle_t h, filters_t *w)
{
    static z_t speech[FRAMES * MICS], noise[FRAMES * MICS];

    for (int f = 0; f < w->bins; ++f) {
        for (int i = 0; i < FRAMES; ++i) {
            const double bin = (f + 0.5) / w->bins;
            frame_t a = make_frame(bin);
            for (int j = 0; j < MICS; ++j)
                a.x[j] += a.v[j];
            put_frame(speech, i, a.x);
            a = make_frame(bin);
            put_frame(noise, i, a.v);
        }
        if (!factor(h, speech, w->A + (size_t)SQUARE * f) ||
            !factor(h, noise, w->B + (size_t)SQUARE * f))
            return 0;
    }
    return 1;
}

/* All GSVDs; how many bins have none */
static int decompose(gsvd_handle_t h, filters_t *w)
{
    const double start = now();
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_GSVD,
                              .type = GSVD_Z,
                              .job = {'N', 'N', 'Q'},
                              .m = MICS,
                              .n = MICS,
                              .p = MICS,
                              .batch = w->bins, /* one behind another        */
                              .A = {.data = w->A},
                              .B = {.data = w->B},
                              .Q = {.data = w->Q},
                              .alpha = {.data = w->alpha},
                              .beta = {.data = w->beta},
                              .k_out = w->k,
                              .l_out = w->l,
                              .info = w->info};
    const gsvd_status_t status = gsvd_run(h, &p);
    int failed = 0;

    if (status != GSVD_SUCCESS) {
        fprintf(stderr, "%s: %s\n", gsvd_status_name(status),
                gsvd_last_error(h));
        return w->bins;
    }
    for (int f = 0; f < w->bins; ++f)
        failed += w->info[f] != 0 || w->k[f] + w->l[f] != MICS;
    printf("%d pairs of 8 x 8 in %.1f ms, %d without a filter\n", w->bins,
           1e3 * (now() - start), failed);
    return failed;
}

/* Other frames through the filters: the ratio of speech to noise before and behind them, in
 * dB, and what is missing of the speech */
static double measure(const filters_t *w)
{
    double x = 0, v = 0, fx = 0, fv = 0, lost = 0;

    for (int f = 0; f < w->bins; ++f)
        for (int i = 0; i < FRAMES / 4; ++i) {
            const frame_t a = make_frame((f + 0.5) / w->bins);
            const z_t xf = estimate(w, f, a.x), vf = estimate(w, f, a.v);
            x += creal(a.x[0] * conj(a.x[0]));
            v += creal(a.v[0] * conj(a.v[0]));
            fx += creal(xf * conj(xf));
            fv += creal(vf * conj(vf));
            lost += creal((a.x[0] - xf) * conj(a.x[0] - xf));
        }
    const double before = 10 * log10(x / v), behind = 10 * log10(fx / fv);
    printf("speech over noise: %.1f dB at a microphone, %.1f dB behind the "
           "filters\n",
           before, behind);
    printf("distortion of the speech: %.1f dB\n", 10 * log10(lost / x));
    return behind - before;
}

int main(int argc, char **argv)
{
    const int bins = argc > 1 ? atoi(argv[1]) : 2049;
    gsvd_handle_t h;

    if (bins < 1 || gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS) {
        fprintf(stderr, "%s\n", bins < 1 ? "no bins" : gsvd_last_error(NULL));
        return 1;
    }
    filters_t w = new_filters(bins);
    const int failed = !listen(h, &w) || decompose(h, &w);
    const double gain = failed ? 0 : measure(&w);
    gsvd_destroy(h);
    free_filters(&w);
    return gain < 10; /* dB */
}
