/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack_lengths.c -- the lengths of the columns of a pack, before each sweep of Jacobi and behind
 * the last one. */
#include "batch/lanes.h"

/* A column is scaled again when the square of its length is out of these bounds. */
#define SQUARE_LEAST (GSVD_SINGLE ? (real_t)0x1p-24 : (real_t)0x1p-80)
#define SQUARE_MOST (1 / SQUARE_LEAST)

/* A column that rotations have shortened by BITS_LOST powers of two is rounding error.  It becomes
 * 0: otherwise each sweep would leave a part of it that is shorter by as much again. */
enum { BITS_LOST = GSVD_SINGLE ? 28 : 60 };

/* Column j of X in lane l, the square of its length out of bounds, over a power of two next to
 * its largest entry; or 0 */
static void rescale(pack_t *w, int64_t j, int l)
{
    const int64_t entries = w->N * REALS_PER_SCALAR;
    real_t *const x = w->X + j * w->next + l;
    real_t largest = 0, sum = 0;

    for (int64_t i = 0; i < entries; ++i)
        largest = fmax_r(largest, fabs_r(x[i * LANES]));
    const int e = largest > 0 ? exponent_r(largest) + 1 : 0;
    w->e[j][l] += e;
    const int lost = w->sweeps > 0 && !w->with_signs &&
                     w->e[j][l] < w->e_start[j][l] - BITS_LOST;
    for (int64_t i = 0; i < entries; ++i) {
        x[i * LANES] = lost ? 0 : ldexp_r(x[i * LANES], -e);
        sum += x[i * LANES] * x[i * LANES];
    }
    w->square[j][l] = sum;
}

/* x := f x, and its square */
PART void scale_and_square(int64_t rows, const real_t *f, real_t *x,
                           real_t *square)
{
    real_t sum[LANES];
    for (int l = 0; l < LANES; ++l)
        sum[l] = 0;
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l) {
            x[i * LANES + l] *= f[l];
            sum[l] += x[i * LANES + l] * x[i * LANES + l];
        }
    for (int l = 0; l < LANES; ++l)
        square[l] = sum[l];
}

CLONES
void X(pack_refresh)(pack_t *w)
{
    for (int64_t j = 0; j < w->N; ++j) {
        real_t factor[LANES];
        int outside = 0;
        lane_int_t changed = 0;
#pragma omp simd reduction(| : changed)
        for (int l = 0; l < LANES; ++l) {
            changed |= w->factor2[j][l] != 1;
            factor[l] = sqrt_r(w->factor2[j][l]);
            w->factor2[j][l] = w->over_factor2[j][l] = 1;
        }
        scale_and_square(w->N, factor, w->X + j * w->next, w->square[j]);
        if (w->with_z && changed)
            lanes_scale(w->N, factor, w->Z + j * w->next);
        for (int l = 0; l < LANES; ++l)
            outside |= !(w->square[j][l] >= SQUARE_LEAST &&
                         w->square[j][l] <= SQUARE_MOST)
                       << l;
        for (int l = 0; outside >> l; ++l)
            if (outside >> l & 1)
                rescale(w, j, l);
        for (int l = 0; l < LANES && w->sweeps == 0; ++l)
            w->e_start[j][l] = w->e[j][l];
    }
}

/* length := |x|, over := its inverse; 0: 0 */
PART void lengths_of(const real_t *square, real_t *length, real_t *over)
{
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        length[l] = sqrt_r(square[l]);
        over[l] = square[l] > 0 ? 1 / (square[l] > 0 ? length[l] : 1) : 0;
    }
}

CLONES
void X(pack_normalize)(pack_t *w)
{
    const real_t slack = 8 * sqrt_r((real_t)w->M) * GSVD_ULP;
    _Alignas(64) real_t square[LANES], length[LANES], over[LANES], of_z[LANES];

    for (int64_t j = 0; j < w->N; ++j) {
        for (int l = 0; l < LANES; ++l)
            of_z[l] = 1;
        if (w->with_z && !w->with_signs) {
            lanes_square(w->N, w->Z + j * w->next, square);
            lengths_of(square, length, of_z);
            lanes_scale(w->N, of_z, w->Z + j * w->next);
        }
        lengths_of(w->square[j], length, over);
        lanes_scale(w->N, over, w->X + j * w->next);
        for (int l = 0; l < LANES; ++l)
            w->sigma[j][l] =
                ldexp_near(length[l] * of_z[l], (int)w->e[j][l], slack);
    }
}
