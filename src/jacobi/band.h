/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* band.h -- a Hermitian band matrix becomes a tridiagonal one, an upper one bidiagonal: where the reflectors
 * stand.
 *
 * Sweep i = 0, 1, ... cuts column i down to its first entry below the diagonal.  Hop j = 0, 1, ... of
 * a sweep has a reflector for the BAND rows from i + 1 + j BAND on: hop 0 cuts column i, and hop j the
 * column in which hop j - 1 has made entries below the band (Schwarz 1968, Murata and Horikoshi 1975).  Of
 * an upper band matrix hop 0 cuts row i, hop j the row in which hop j - 1 has made entries right of the
 * band, by a reflector for the columns, and each hop the first of these columns by one for the rows (Lang
 * 1996). */
#ifndef GSVD_JACOBI_BAND_H
#define GSVD_JACOBI_BAND_H

#include "core/matrix.h"

/* Subdiagonals, rows of a reflector, and sweeps whose reflectors are applied as one block */
enum { BAND = 32 };

/* The most hops of a sweep for order n */
GSVD_FN int64_t band_hops(int64_t n) { return (n + BAND - 2) / BAND; }

/* The first row of a hop's reflector */
GSVD_FN int64_t band_row(int64_t sweep, int64_t hop)
{
    return sweep + 1 + hop * BAND;
}

#endif /* GSVD_JACOBI_BAND_H */
