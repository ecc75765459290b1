/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* make_unitary.c -- a factor that is a product of unitary matrices, made unitary where it is not.
 *
 * Rounding errors of such products are those of sums in no order, but where many numbers are equal
 * (Kahan's matrix, many equal values, ones): sums of equal numbers err all one way, and
 * E = X^H X - I becomes several times as large.  For Gaussian x the mean of |(E x)_i|^2 is the square
 * of the length of E's row i, which takes two products with a few columns to see. */
#include "gsvd/pipeline.h"

/* All factors are looked at at once, since each look waits, by as many vectors as E has room for, a FEW
 * at least (from LEAST columns on): the fewer there are, the longer the longest of many rows may seem,
 * and that is measured then.  Short sums do not err by much. */
enum { FEW = 4, MOST = 32, LEAST = 32 };

/* Entries of E on the diagonal are the largest ones.  Columns of length 1 have none: they are made so
 * beforehand, unless X has so many times more rows than columns that another pass would count; what is
 * allowed grows with the rows. */
enum { TALL = 32 };

/* Steps converge where the norm of the defect is below 1.  Each squares it, so that one is enough below
 * sqrt(eps): ones have more in single precision. */
#define LARGE ((real_t)0.25)
enum { STEPS = 4 };

/* The rows of X that are next, as many as have room */
static mat_t rows_from(mat_t X_, int64_t i, mat_t room)
{
    return mat_sub(X_, i, 0, min_i(room.rows, X_.rows - i), X_.cols);
}

/* The largest entry of X^H X - I that is allowed, of X with n rows */
static real_t largest_allowed(mat_t X_)
{
    return GSVD_EPS * (2 * sqrt_r((real_t)X_.rows) + 20);
}

/* D := D - G X^H X */
static gsvd_status_t probe(const exec_t *ex, mat_t X_, mat_t G, mat_t D,
                           mat_t room)
{
    for (int64_t i = 0; i < X_.rows; i += room.rows) {
        const mat_t part = rows_from(X_, i, room);
        const mat_t y = mat_sub(room, 0, 0, part.rows, G.rows);
        GSVD_TRY(ex->op->gemm(ex, 'N', 'C', part, G, y));
        GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', y, part, D));
    }
    return GSVD_SUCCESS;
}

static int64_t columns_of_all(const mat_t *X_, int count)
{
    int64_t n = 0;
    for (int i = 0; i < count; ++i)
        n += X_[i].cols;
    return n;
}

/* *lead: of so many leading columns of all factors those of E = X^H X - I are no longer than an entry may
 * be large, as so many vectors see them:  of D = G E.  E's memory is overwritten.  Waits, once. */
static gsvd_status_t count_unitary(const exec_t *ex, const mat_t *X_, int count,
                                   int64_t probes, mat_t E, mat_t room,
                                   int64_t *lead)
{
    const int64_t n = columns_of_all(X_, count);
    const mat_t G = mat_view(E.data, probes, n, probes);
    const mat_t D = mat_view(G.data + probes * n, probes, n, probes);
    real_t *const length = (real_t *)(D.data + probes * n);
    real_t *const limit = length + n;
    int64_t at = 0;

    GSVD_TRY(ex->op->gaussian(ex, G, (uint64_t)probes));
    GSVD_TRY(ex->op->copy(ex, G, D));
    for (int i = 0; i < count; at += X_[i++].cols) {
        const int64_t r = X_[i].cols;
        const real_t most = sqrt_r((real_t)probes) * largest_allowed(X_[i]);
        GSVD_TRY(
            probe(ex, X_[i], mat_cols(G, at, r), mat_cols(D, at, r), room));
        GSVD_TRY(ex->op->values_set(ex, at, at + r, most, limit));
    }
    GSVD_TRY(ex->op->column_norms(ex, D, length));
    return ex->op->values_lead(ex, n, limit, length, lead);
}

/* Of so many numbers, and then of the sums, are sums of `rows` numbers: sqrt(rows), and 32 at least */
static int64_t piece_of(int64_t rows)
{
    int64_t piece = 32;
    while (piece * piece < rows)
        piece *= 2;
    return piece;
}

/* E := I - X^H X, and *r := its norms.  Pieces of rows are summed, and then these sums, or E would err as
 * X does.  Waits. */
static gsvd_status_t measure_defect(const exec_t *ex, mat_t X_, mat_t E,
                                    norms_t *r)
{
    const int64_t piece = piece_of(X_.rows);

    GSVD_TRY(ex->op->set(ex, E, 0, 1));
    for (int64_t i = 0; i < X_.rows; i += piece) {
        const int64_t rows = min_i(piece, X_.rows - i);
        const mat_t part = mat_sub(X_, i, 0, rows, X_.cols);
        GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', part, part, E));
    }
    return ex->op->norms(ex, E, r);
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

/* X := its columns over their lengths */
static gsvd_status_t normalize(const exec_t *ex, mat_t X_, real_t *length)
{
    GSVD_TRY(ex->op->column_norms(ex, X_, length));
    return ex->op->normalize_columns(ex, X_, length, X_);
}

/* One factor that may not be unitary.  |E|_1 is no less than |E|_2; where that is LARGE X is as it was,
 * and out says so. */
static gsvd_status_t mend(const exec_t *ex, mat_t X_, mat_t E, mat_t room,
                          real_t *one, real_t *minus, outcome_t *out)
{
    const mat_t square = mat_sub(room, 0, 0, X_.cols, X_.cols);
    norms_t r;

    GSVD_TRY(measure_defect(ex, X_, E, &r));
    const int is_far = !r.finite || !(r.norm1 < LARGE);
    out->unfinished |= is_far;
    if (is_far || r.largest <= largest_allowed(X_))
        return GSVD_SUCCESS;
    for (int step = 0; step < STEPS; ++step) {
        const int is_last = r.norm1 <= sqrt_r(GSVD_EPS);
        GSVD_TRY(take_step(ex, X_, E, square, one, minus));
        if (is_last)
            break;
        GSVD_TRY(measure_defect(ex, X_, E, &r));
    }
    return normalize(ex, X_, one);
}

gsvd_status_t X(make_unitary)(const exec_t *ex, const mat_t *X_, int count,
                              mat_t E, mat_t room, real_t *one, real_t *minus,
                              outcome_t *out)
{
    mat_t of[UNITARY_MOST];
    int64_t lead = 0, before = 0;
    int some = 0;

    for (int i = 0; i < count; ++i)
        if (X_[i].data && X_[i].cols >= LEAST)
            of[some++] = X_[i];
    if (some == 0)
        return GSVD_SUCCESS;
    for (int i = 0; i < some; ++i)
        if (of[i].rows <= TALL * of[i].cols)
            GSVD_TRY(normalize(ex, of[i], one));
    /* G, D, and two numbers a column                                        */
    const int64_t fit = E.cols * E.cols / (2 * columns_of_all(of, some)) - 1;
    const int64_t probes = fit < MOST ? max_i(fit, FEW) : MOST;
    GSVD_TRY(count_unitary(ex, of, some, probes, E, room, &lead));
    for (int i = 0; i < some; before += of[i++].cols) {
        const int64_t r = of[i].cols;
        if (lead < before + r) /* The first one hides the others.            */
            GSVD_TRY(
                mend(ex, of[i], mat_sub(E, 0, 0, r, r), room, one, minus, out));
    }
    return GSVD_SUCCESS;
}
