/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* make_unitary.c -- makes a factor unitary that is a product of unitary matrices, if it is not.
 *
 * As a rule the rounding errors of such products have random signs.  But if many numbers are equal
 * (Kahan's matrix, many equal values, ones), errors of their sums have one sign, and E = X^H X - I
 * becomes several times as large.  For Gaussian x the mean of |(E x)_i|^2 is the squared length of
 * row i of E, which two products with a few columns estimate.  For small factors E itself is
 * computed. */
#include "gsvd/pipeline.h"

/* All factors are tested at once, since a test waits.  It takes as many random vectors as E has
 * room for, at least FEW and at most MOST.  The fewer there are, the longer the longest of many
 * rows may seem, which is then measured. */
enum { FEW = 4, MOST = 32 };

/* Sums of fewer numbers do not err by much: those over fewer columns, or over fewer rows. */
enum { MANY = 128 };

/* The largest entries of E are on its diagonal.  Columns get length 1 beforehand, which makes
 * these 0.  They do not if X has more than TALL times as many rows as columns, where another pass
 * would cost too much; the defect that is allowed grows with the rows. */
enum { TALL = 32 };

/* Of such an X its products with random vectors count, and few of these see what is allowed:
 * errors of many rows grow by less. */
enum { OF_TALL = 8 };

enum {
    PIECE = 512, /* rows of a factor that are looked at at a time            */
    NARROW = 64  /* columns of a panel, or all of a factor                   */
};

/* Steps converge where the norm of the defect is below 1.  Each squares it, so that one is enough
 * below sqrt(eps): ones have more in single precision. */
#define LARGE ((real_t)0.25)
enum { STEPS = 4 };

/* The rows of X that are next, as many as have room */
static mat_t rows_from(mat_t X_, int64_t i, mat_t room)
{
    return mat_sub(X_, i, 0, min_i(room.rows, X_.rows - i), X_.cols);
}

/* D := D - G X^H X, as many rows of X at a time as the room has columns for */
static gsvd_status_t probe(const exec_t *ex, mat_t X_, mat_t G, mat_t D,
                           mat_t room)
{
    const int64_t most = room.rows * room.cols / G.rows;
    const mat_t tall = mat_view(room.data, most, G.rows, most);

    for (int64_t i = 0; i < X_.rows; i += most) {
        const mat_t part = rows_from(X_, i, tall);
        const mat_t y = mat_sub(tall, 0, 0, part.rows, G.rows);
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

/* As many as there is room for: G, D, and two numbers a column */
static int64_t probes_of(int64_t n, const unitary_work_t *w)
{
    const int64_t fit = w->entries / (2 * n) - 1;
    return max_i(min_i(min_i(fit, w->room.cols), MOST), FEW);
}

/* Of so many numbers, and then of the sums, are sums of `rows` numbers: sqrt(rows), and 32 at
 * least */
static int64_t piece_of(int64_t rows)
{
    int64_t piece = 32;
    while (piece * piece < rows)
        piece *= 2;
    return piece;
}

/* E := diagonal I - Y^H X, and *r := its norms.  Pieces of rows are summed, and then these sums,
 * or E would err as X does.  Waits. */
static gsvd_status_t measure_defect(const exec_t *ex, mat_t Y, mat_t X_,
                                    double diagonal, mat_t E, norms_t *r)
{
    const int64_t piece = piece_of(X_.rows);

    GSVD_TRY(ex->op->set(ex, E, 0, diagonal));
    for (int64_t i = 0; i < X_.rows; i += piece) {
        const int64_t rows = min_i(piece, X_.rows - i);
        GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', mat_sub(Y, i, 0, rows, Y.cols),
                                  mat_sub(X_, i, 0, rows, X_.cols), E));
    }
    return ex->op->norms(ex, E, r);
}

/* X := X + Y E */
static gsvd_status_t add_product(const exec_t *ex, mat_t Y, mat_t E, mat_t X_,
                                 const unitary_work_t *w)
{
    const int64_t rows = min_i(w->room.rows, w->E.cols);
    const mat_t room = mat_sub(w->room, 0, 0, rows, X_.cols);

    GSVD_TRY(ex->op->values_set(ex, 0, room.rows, 1, w->one));
    GSVD_TRY(ex->op->values_set(ex, 0, room.rows, -1, w->minus));
    for (int64_t i = 0; i < X_.rows; i += room.rows) {
        const mat_t part = rows_from(X_, i, room);
        const mat_t product = mat_sub(room, 0, 0, part.rows, part.cols);
        GSVD_TRY(ex->op->set(ex, product, 0, 0));
        GSVD_TRY(ex->op->gemm_sub(
            ex, 'N', 'N', mat_sub(Y, i, 0, part.rows, Y.cols), E, product));
        GSVD_TRY(ex->op->combine(ex, w->minus, product, w->one, part, part));
    }
    return GSVD_SUCCESS;
}

/* X := its columns over their lengths, as many at a time as `length` has numbers */
static gsvd_status_t normalize(const exec_t *ex, mat_t X_, real_t *length,
                               int64_t numbers)
{
    for (int64_t j = 0; j < X_.cols; j += numbers) {
        const mat_t part = mat_cols(X_, j, min_i(numbers, X_.cols - j));
        GSVD_TRY(ex->op->column_norms(ex, part, length));
        GSVD_TRY(ex->op->normalize_columns(ex, part, length, part));
    }
    return GSVD_SUCCESS;
}

/* A defect of norm LARGE or more cannot be mended, and out says so.  |E|_1 is no less than
 * |E|_2. */
static int is_far(const norms_t *r, outcome_t *out)
{
    const int far = !r->finite || !(r->norm1 < LARGE);
    out->unfinished |= far;
    return far;
}

/* An entry up to this is certainly allowed.  Sums of pieces may err by half an eps for each sum,
 * all with one sign if numbers are equal. */
static real_t certain(mat_t X_)
{
    const int64_t piece = piece_of(X_.rows);
    const int64_t sums = piece + X_.rows / piece;
    return defect_allowed(X_.rows) - GSVD_EPS * (real_t)sums / 2;
}

static int is_large(const norms_t *r, mat_t X_)
{
    return r->largest > certain(X_);
}

static int is_entrywise(const exec_t *ex, mat_t X_)
{
    return max_i(X_.rows, X_.cols) <= ex->tune->entrywise;
}

/* length := the lengths of the columns of D = G E, where the rows of G are the random vectors; for
 * a small X instead the largest entry of each column of E.  *most := what is allowed */
static gsvd_status_t look(const exec_t *ex, mat_t X_, mat_t G, mat_t D,
                          mat_t room, real_t *length, real_t *most)
{
    const int64_t probes =
        X_.rows > TALL * X_.cols ? min_i(OF_TALL, G.rows) : G.rows;
    const mat_t Gx = mat_sub(G, 0, 0, probes, X_.cols);
    const mat_t Dx = mat_rows(D, 0, probes);

    *most = certain(X_);
    if (is_entrywise(ex, X_))
        return ex->op->column_defects(ex, X_, length);
    *most = sqrt_r((real_t)probes) * defect_allowed(X_.rows);
    GSVD_TRY(ex->op->copy(ex, Gx, Dx));
    GSVD_TRY(probe(ex, X_, Gx, Dx, room));
    return ex->op->column_norms(ex, Dx, length);
}

/* *lead: so many leading columns of all factors are not further from unitary than may be.  Waits,
 * once. */
static gsvd_status_t count_unitary(const exec_t *ex, const mat_t *X_, int count,
                                   const unitary_work_t *w, int64_t *lead)
{
    const int64_t n = columns_of_all(X_, count), probes = probes_of(n, w);
    const mat_t G = mat_view(w->E.data, probes, n, probes);
    const mat_t D = mat_view(G.data + probes * n, probes, n, probes);
    real_t *const length = (real_t *)(D.data + probes * n);
    real_t *const limit = length + n;
    int64_t at = 0, probed = 0;
    real_t most, last = 0;

    for (int i = 0; i < count; ++i)
        if (!is_entrywise(ex, X_[i]))
            probed = max_i(probed, X_[i].cols);
    GSVD_TRY(ex->op->gaussian(ex, mat_cols(G, 0, probed), (uint64_t)probes));
    for (int i = 0; i < count; at += X_[i++].cols) {
        GSVD_TRY(look(ex, X_[i], G, mat_cols(D, at, X_[i].cols), w->room,
                      length + at, &most));
        if (most != last)
            GSVD_TRY(ex->op->values_set(ex, at, n, most, limit));
        last = most;
    }
    return ex->op->values_lead(ex, n, limit, length, lead);
}

/* X := X (3 I - X^H X) / 2, and again, if an entry of X^H X - I is large */
static gsvd_status_t mend_panel(const exec_t *ex, mat_t X_,
                                const unitary_work_t *w, outcome_t *out)
{
    const mat_t E = mat_sub(w->E, 0, 0, X_.cols, X_.cols);
    norms_t r;

    GSVD_TRY(measure_defect(ex, X_, X_, 1, E, &r));
    if (is_far(&r, out) || !is_large(&r, X_))
        return GSVD_SUCCESS;
    for (int step = 0; step < STEPS; ++step) {
        const int is_last = r.norm1 <= sqrt_r(GSVD_EPS);
        GSVD_TRY(ex->op->scale_pow2(ex, E, -1));
        GSVD_TRY(add_product(ex, X_, E, X_, w));
        if (is_last)
            break;
        GSVD_TRY(measure_defect(ex, X_, X_, 1, E, &r));
    }
    return normalize(ex, X_, w->one, X_.cols);
}

/* X := X - Y Y^H X, if an entry of Y^H X is large */
static gsvd_status_t separate(const exec_t *ex, mat_t Y, mat_t X_,
                              const unitary_work_t *w, outcome_t *out)
{
    const mat_t E = mat_sub(w->E, 0, 0, Y.cols, X_.cols);
    norms_t r;

    GSVD_TRY(measure_defect(ex, Y, X_, 0, E, &r));
    if (is_far(&r, out) || !is_large(&r, X_))
        return GSVD_SUCCESS;
    return add_product(ex, Y, E, X_, w);
}

static int is_short(const factor_t *F)
{
    return F->valued < UNITARY_LEAST && F->all.rows < MANY;
}

/* Panel i: the columns with a value are the first one. */
static mat_t panel(const factor_t *F, int64_t i, const unitary_work_t *w)
{
    const int64_t j = i == 0 ? 0 : F->valued + (i - 1) * w->E.cols;
    const int64_t cols = i == 0 ? F->valued : w->E.cols;
    return mat_cols(F->all, j, max_i(min_i(cols, F->all.cols - j), 0));
}

/* One factor that may not be unitary, panel by panel */
static gsvd_status_t mend(const exec_t *ex, const factor_t *F,
                          const unitary_work_t *w, outcome_t *out)
{
    for (int64_t i = 0; i == 0 || panel(F, i, w).cols > 0; ++i) {
        const mat_t last = panel(F, i, w);
        for (int64_t before = 0; before < i; ++before)
            GSVD_TRY(separate(ex, panel(F, before, w), last, w, out));
        if (i > 0 || !is_short(F))
            GSVD_TRY(mend_panel(ex, last, w, out));
    }
    return GSVD_SUCCESS;
}

/* All columns, but for those with a value where sums are short */
static mat_t looked_at(const factor_t *F)
{
    const int64_t first = is_short(F) ? F->valued : 0;
    return mat_cols(F->all, first, F->all.cols - first);
}

/* Columns := those over their lengths, all but those of a tall factor with a value */
static gsvd_status_t normalize_factor(const exec_t *ex, const factor_t *F,
                                      const unitary_work_t *w)
{
    const mat_t X_ = looked_at(F);
    const int is_tall = X_.cols == F->all.cols && X_.rows > TALL * F->valued;
    const int64_t first = F->normal ? X_.cols : is_tall ? F->valued : 0;
    return normalize(ex, mat_cols(X_, first, X_.cols - first), w->one,
                     w->E.cols);
}

/* Is it worth a look? */
static int is_large_enough(const factor_t *F)
{
    return F->all.cols > 0 &&
           (F->all.cols >= UNITARY_LEAST || F->all.rows >= MANY);
}

void X(unitary_carve)(arena_t *a, int64_t cols, const factor_t *F, int count,
                      unitary_work_t *w)
{
    int64_t all = 0, widest = 0;
    for (int i = 0; i < count; ++i) {
        if (!is_large_enough(&F[i]))
            continue;
        all += F[i].all.cols;
        widest = max_i(widest, F[i].all.cols);
    }
    const int64_t r = all == 0 ? 0 : max_i(cols, min_i(widest, NARROW));
    const int64_t rows = all == 0 ? 0 : min_i(max_i(r, MANY), PIECE);
    w->entries = max_i(r * r, 2 * (FEW + 1) * all);
    w->E = mat_view(gsvd_arena_take(a, w->entries, sizeof(scalar_t)), r, r,
                    max_i(r, 1));
    w->room = X(take_matrix)(a, rows, max_i(r, FEW));
    w->one = gsvd_arena_take(a, r, sizeof(real_t));
    w->minus = gsvd_arena_take(a, r, sizeof(real_t));
}

gsvd_status_t X(make_unitary)(const exec_t *ex, const factor_t *F, int count,
                              const unitary_work_t *w, outcome_t *out)
{
    const factor_t *of[UNITARY_MOST];
    mat_t X_[UNITARY_MOST];
    int64_t lead = 0, before = 0;
    int some = 0;

    for (int i = 0; i < count; ++i)
        if (F[i].all.data && is_large_enough(&F[i]) &&
            looked_at(&F[i]).cols > 0)
            of[some++] = &F[i];
    if (some == 0)
        return GSVD_SUCCESS;
    for (int i = 0; i < some; ++i) {
        GSVD_TRY(normalize_factor(ex, of[i], w));
        X_[i] = looked_at(of[i]);
    }
    GSVD_TRY(count_unitary(ex, X_, some, w, &lead));
    for (int i = 0; i < some; before += X_[i++].cols)
        if (lead < before + X_[i].cols) /* The first one hides the others.   */
            GSVD_TRY(mend(ex, of[i], w, out));
    return GSVD_SUCCESS;
}
