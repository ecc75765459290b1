/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* make_unitary.c -- a factor that is a product of unitary matrices, made unitary where it is not.
 *
 * Rounding errors of such products are those of sums in no order, but where many numbers are equal
 * (Kahan's matrix, many equal values, ones): sums of equal numbers err all one way, and
 * E = X^H X - I becomes several times as large.  For Gaussian x the mean of |(E x)_i|^2 is the square
 * of the length of E's row i, which takes two products with a few columns to see. */
#include "gsvd/pipeline.h"

/* Where a FEW vectors see too much, MORE have to confirm it, as many as have room: of many rows the
 * longest may seem twice as long to the few.  Short sums do not err by much. */
enum { FEW = 4, MORE = 16, LEAST = 32 };

/* Steps converge where the norm of the defect is below 1.  Each squares it, so that one is enough below
 * sqrt(eps): ones have more in single precision. */
#define LARGE ((real_t)0.25)
enum { STEPS = 4 };

/* The rows of X that are next, as many as have room */
static mat_t rows_from(mat_t X_, int64_t i, mat_t room)
{
    return mat_sub(X_, i, 0, min_i(room.rows, X_.rows - i), X_.cols);
}

/* *yes: rows of X^H X - I are no longer than (2 sqrt(n) + 20) eps, n the rows of X, as so many vectors
 * see them.  E is overwritten.  Waits. */
static gsvd_status_t is_unitary(const exec_t *ex, mat_t X_, int64_t probes,
                                mat_t E, mat_t room, real_t *length,
                                real_t *limit, int *yes)
{
    const int64_t r = X_.cols;
    const mat_t x = mat_sub(room, 0, 0, r, probes);
    const mat_t turned = mat_sub(E, 0, 0, probes, r);
    const real_t most =
        sqrt_r((real_t)probes) * GSVD_EPS * (2 * sqrt_r((real_t)X_.rows) + 20);
    const mat_t first = mat_sub(room, 0, 2 * probes, r, probes);
    int64_t below;

    GSVD_TRY(ex->op->gaussian(ex, x, (uint64_t)probes));
    GSVD_TRY(ex->op->copy(ex, x, first));
    for (int64_t i = 0; i < X_.rows; i += room.rows) {
        const mat_t part = rows_from(X_, i, room);
        const mat_t y = mat_sub(room, 0, probes, part.rows, probes);
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', part, first, y));
        GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', part, y, x));
    }
    GSVD_TRY(ex->op->ctrans(ex, x, turned));
    GSVD_TRY(ex->op->column_norms(ex, turned, length));
    GSVD_TRY(ex->op->values_set(ex, 0, r, most, limit));
    GSVD_TRY(ex->op->values_lead(ex, r, limit, length, &below));
    *yes = below == r;
    return GSVD_SUCCESS;
}

/* Of so many numbers, and then of the sums, are sums of `rows` numbers: sqrt(rows), and 32 at least */
static int64_t piece_of(int64_t rows)
{
    int64_t piece = 32;
    while (piece * piece < rows)
        piece *= 2;
    return piece;
}

/* E := I - X^H X, and *defect := |E|_1, which is no less than |E|_2.  Pieces of rows are summed, and
 * then these sums, or E would err as X does.  Waits. */
static gsvd_status_t measure_defect(const exec_t *ex, mat_t X_, mat_t E,
                                    real_t *defect)
{
    const int64_t piece = piece_of(X_.rows);
    norms_t r;

    GSVD_TRY(ex->op->set(ex, E, 0, 1));
    for (int64_t i = 0; i < X_.rows; i += piece) {
        const int64_t rows = min_i(piece, X_.rows - i);
        const mat_t part = mat_sub(X_, i, 0, rows, X_.cols);
        GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', part, part, E));
    }
    GSVD_TRY(ex->op->norms(ex, E, &r));
    *defect = r.finite ? r.norm1 : (real_t)INFINITY;
    return GSVD_SUCCESS;
}

/* X := X + X E / 2, which is X (3 I - X^H X) / 2, with one and minus for numbers */
static gsvd_status_t take_step(const exec_t *ex, mat_t X_, mat_t E, mat_t room,
                               real_t *one, real_t *minus)
{
    GSVD_TRY(ex->op->values_set(ex, 0, room.rows, 1, one));
    GSVD_TRY(ex->op->values_set(ex, 0, room.rows, -1, minus));
    GSVD_TRY(ex->op->scale_pow2(ex, E, -1));
    for (int64_t i = 0; i < X_.rows; i += room.rows) {
        const mat_t part = rows_from(X_, i, room);
        const mat_t product = mat_sub(room, 0, 0, part.rows, part.cols);
        GSVD_TRY(ex->op->set(ex, product, 0, 0));
        GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', part, E, product));
        GSVD_TRY(ex->op->combine(ex, minus, product, one, part, part));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(make_unitary)(const exec_t *ex, mat_t X_, mat_t E, mat_t room,
                              real_t *length, real_t *limit)
{
    const mat_t square = mat_rows(room, 0, X_.cols);
    const int64_t more = min_i(MORE, X_.cols / 3);
    real_t defect = 1;
    int yes;

    if (X_.cols < LEAST)
        return GSVD_SUCCESS;
    GSVD_TRY(is_unitary(ex, X_, FEW, E, room, length, limit, &yes));
    if (!yes)
        GSVD_TRY(is_unitary(ex, X_, more, E, room, length, limit, &yes));
    if (yes)
        return GSVD_SUCCESS;
    for (int step = 0; step < STEPS && defect > sqrt_r(GSVD_EPS); ++step) {
        GSVD_TRY(measure_defect(ex, X_, E, &defect));
        if (!(defect < LARGE))
            return GSVD_SUCCESS;
        GSVD_TRY(take_step(ex, X_, E, square, length, limit));
    }
    GSVD_TRY(ex->op->column_norms(ex, X_, length));
    return ex->op->normalize_columns(ex, X_, length, X_);
}
