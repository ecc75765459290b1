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
 * at least (from LEAST columns on).  Where a few see too much, MORE have to confirm it: of many rows the
 * longest may seem twice as long to the few.  Short sums do not err by much. */
enum { FEW = 4, MORE = 16, LEAST = 32 };

/* Entries of E on the diagonal are the largest ones.  Columns of length 1 have none: they are made so
 * beforehand, unless X has so many times more rows than columns that another pass would count; what is
 * allowed grows with the rows. */
enum { TALL = 32 };

/* A row of E may be so many times as long as an entry may be large: off the diagonal rows were 1.2 to 5
 * times as long as their largest entries, and 2.3 times as long as is allowed or more where these were
 * too large (Kahan's matrix, ones, triangles of ones; 46 to 500 rows); of random pairs at most 0.7. */
#define ROW ((real_t)1.5)

/* Steps converge where the norm of the defect is below 1.  Each squares it, so that one is enough below
 * sqrt(eps): ones have more in single precision. */
#define LARGE ((real_t)0.25)
enum { STEPS = 4 };

/* The rows of X that are next, as many as have room */
static mat_t rows_from(mat_t X_, int64_t i, mat_t room)
{
    return mat_sub(X_, i, 0, min_i(room.rows, X_.rows - i), X_.cols);
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

/* *lead: of so many leading columns of all factors those of E = X^H X - I are no longer than ROW times
 * (2 sqrt(n) + 20) eps, n the rows of X, as so many vectors see them:  of D = G E.  E's memory is
 * overwritten.  Waits, once. */
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
        const real_t entry = GSVD_EPS * (2 * sqrt_r((real_t)X_[i].rows) + 20);
        const real_t most = sqrt_r((real_t)probes) * ROW * entry;
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

/* X := its columns over their lengths */
static gsvd_status_t normalize(const exec_t *ex, mat_t X_, real_t *length)
{
    GSVD_TRY(ex->op->column_norms(ex, X_, length));
    return ex->op->normalize_columns(ex, X_, length, X_);
}

/* One factor that is not unitary, as so many vectors see it; 0: none has */
static gsvd_status_t mend(const exec_t *ex, mat_t X_, int64_t probes, mat_t E,
                          mat_t room, real_t *one, real_t *minus)
{
    const int64_t r = X_.cols, more = min_i(MORE, r / 3);
    const mat_t square = mat_sub(room, 0, 0, r, r);
    real_t defect = 1;
    int64_t lead = 0;

    if (probes < more)
        GSVD_TRY(count_unitary(ex, &X_, 1, more, E, room, &lead));
    if (lead == r)
        return GSVD_SUCCESS;
    for (int step = 0; step < STEPS && defect > sqrt_r(GSVD_EPS); ++step) {
        GSVD_TRY(measure_defect(ex, X_, E, &defect));
        if (!(defect < LARGE))
            return GSVD_SUCCESS;
        GSVD_TRY(take_step(ex, X_, E, square, one, minus));
    }
    return normalize(ex, X_, one);
}

gsvd_status_t X(make_unitary)(const exec_t *ex, const mat_t *X_, int count,
                              mat_t E, mat_t room, real_t *one, real_t *minus)
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
    const int64_t probes = fit < MORE ? max_i(fit, FEW) : MORE;
    GSVD_TRY(count_unitary(ex, of, some, probes, E, room, &lead));
    for (int i = 0; i < some; before += of[i++].cols) {
        const int64_t r = of[i].cols;
        const int seen = lead >= before; /* The first one hides the others.  */
        if (lead < before + r)
            GSVD_TRY(mend(ex, of[i], seen ? probes : 0, mat_sub(E, 0, 0, r, r),
                          room, one, minus));
    }
    return GSVD_SUCCESS;
}
