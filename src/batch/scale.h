/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scale.h -- the scale of a matrix of a batch, for C and CUDA. */
#ifndef GSVD_BATCH_SCALE_H
#define GSVD_BATCH_SCALE_H

#include "core/rotate.h"

/* A column with a shorter square of its length is 0: the square has lost digits. */
#define COLUMN_TINY (GSVD_SAFMIN * 1024)

enum {
    LATE = 10 /* Sweeps that are enough but for noise                     */
};

/* A pair turns if its cosine exceeds tol.  But if no cosine in a sweep exceeded LARGE_COSINE tol,
 * it was the matrix's last sweep: rounding of an inner product may exceed tol again and again. */
#define LARGE_COSINE ((real_t)4)

/* Column k of A V consists of rounding errors if it is shorter than this part of the longest of its
 * terms a_j v(j,k).  It depends on the rows.  A bound of cosines from the caller may be larger than
 * the default; then the default counts, since a loose bound does not make a value an error. */
GSVD_FN real_t part_of_errors(real_t tol, int64_t rows)
{
    const real_t least = jacobi_tolerance(-1, rows);
    return 4 * (tol < least ? tol : least);
}

/* A's entries are scaled to 2^top: the sum of the squares of m n such numbers is below the
 * largest number by a factor of 16 at least. */
GSVD_FN int top_exponent(int64_t m, int64_t n)
{
    const int most = GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP;
    return (most - 6) / 2 - (bits_of(m * n) + 1) / 2;
}

/* 2^e in two factors, for |e| up to twice the range of exponents */
typedef struct power {
    real_t first, second;
} power_t;

GSVD_FN power_t power_of(int e)
{
    power_t p;
    p.first = ldexp_r(1, e / 2);
    p.second = ldexp_r(1, e - e / 2);
    return p;
}

GSVD_FN scalar_t times_power(power_t p, scalar_t a)
{
    return scale(p.second, scale(p.first, a));
}

/* What scales a matrix whose largest part of an entry is this, as 2^e */
GSVD_FN int scale_exponent(real_t largest, int64_t rows, int64_t cols)
{
    return largest > 0 ? top_exponent(rows, cols) - exponent_r(largest) : 0;
}

GSVD_FN int finite_entry(scalar_t a)
{
    return abs_max(a) <= GSVD_REAL_MAX && re(a) == re(a) && im(a) == im(a);
}

#endif /* GSVD_BATCH_SCALE_H */
