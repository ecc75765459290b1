/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lanes.h -- vectors of interleaved entries, for the loops that are compiled for several
 * instruction sets.
 *
 * The innermost index is the lane.  A vector of `rows` entries is contiguous.
 */
#ifndef GSVD_BATCH_LANES_H
#define GSVD_BATCH_LANES_H

#include "batch/pack.h"
#include "core/clones.h"

/* An entry as vectors, which stay in registers where arrays of numbers would not */
#define lanes_t X(lanes_t)
#define entry_t X(entry_t)
typedef real_t lanes_t __attribute__((vector_size(64)));
typedef struct entry_t {
    lanes_t part[REALS_PER_SCALAR];
} entry_t;

PART const entry_t *entries(const real_t *x) { return (const entry_t *)x; }
PART entry_t *entries_of(real_t *x) { return (entry_t *)x; }

/* y := y + a x */
PART void entry_add(const entry_t *a, const entry_t *x, entry_t *y)
{
    y->part[0] += a->part[0] * x->part[0];
    if (LAST) {
        y->part[LAST] += a->part[0] * x->part[LAST];
        y->part[0] -= a->part[LAST] * x->part[LAST];
        y->part[LAST] += a->part[LAST] * x->part[0];
    }
}

/* sum := sum + conj(x) y */
PART void entry_dot(const entry_t *x, const entry_t *y, entry_t *sum)
{
    sum->part[0] += x->part[0] * y->part[0];
    if (LAST) {
        sum->part[LAST] += x->part[0] * y->part[LAST];
        sum->part[0] += x->part[LAST] * y->part[LAST];
        sum->part[LAST] -= x->part[LAST] * y->part[0];
    }
}

/* sum := sum + |x|^2 */
PART void entry_square(const entry_t *x, lanes_t *sum)
{
    for (int part = 0; part < REALS_PER_SCALAR; ++part)
        *sum += x->part[part] * x->part[part];
}

/* h := x^H y */
PART void lanes_dot(int64_t rows, const real_t *x, const real_t *y, real_t *h)
{
    entry_t sum = {0};
    for (int64_t i = 0; i < rows; ++i)
        entry_dot(entries(x) + i, entries(y) + i, &sum);
    *entries_of(h) = sum;
}

/* Long sums go piece by piece, of so many entries: the errors of a sum of equal numbers grow with
 * their number. */
enum { PIECE = 16 };

/* square := |x|^2 */
PART void lanes_square(int64_t rows, const real_t *x, real_t *square)
{
    lanes_t sum = {0};
    for (int64_t from = 0; from < rows; from += PIECE) {
        const int64_t to = from + PIECE < rows ? from + PIECE : rows;
        lanes_t some = {0};
        for (int64_t i = from; i < to; ++i)
            entry_square(entries(x) + i, &some);
        sum += some;
    }
    *(lanes_t *)square = sum;
}

/* x := f x, f real */
PART void lanes_scale(int64_t rows, const real_t *f, real_t *x)
{
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l)
            x[i * LANES + l] *= f[l];
}

/* To a rotation, lengths that differ by 2^LANES_FAR are as good as infinitely different.  Its
 * square times the squares of lengths is finite. */
enum { LANES_FAR = GSVD_SINGLE ? 40 : 450 };

/* 2^e for e in [-LANES_FAR, LANES_FAR], or 2 to the nearer end */
PART real_t lanes_power(lane_int_t e)
{
    const lane_int_t low = e < -LANES_FAR ? -LANES_FAR : e;
    const lane_int_t k = low > LANES_FAR ? LANES_FAR : low;
    const real_bits_t power = {.bits = (bits_t)(k + REAL_BIAS) << REAL_DIGITS};
    return power.x;
}

#endif /* GSVD_BATCH_LANES_H */
