/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* finish.c -- the end of a batch's large steps: sweeps for what they leave, and the results;
 * CPU twin of blocks.cu.
 *
 *     X = U Sigma,   A = U Sigma V^H */
#include <math.h>

#include "batch/graded.h"
#include "batch/large_steps.h"
#include "core/vector.h"

static void find_lengths(mat_t X, real_t *length)
{
    for (int64_t j = 0; j < X.cols; ++j) {
        const real_t square = square_of(X.rows, &AT(X, 0, j));
        length[j] = square > COLUMN_TINY ? sqrt_r(square) : 0;
    }
}

/* Is a column of A not 0 that is too short for squares, where its length is `first`? */
static int loses_columns(const shape_t *p, const real_t *first)
{
    int lost = 0;
    for (int64_t j = 0; j < p->cols && p->A.data; ++j)
        for (int64_t i = 0; i < p->rows && first[j] == 0; ++i)
            lost |= abs_max(entry_of(p, i, j)) > 0;
    return lost;
}

/* Do columns of these lengths err by so little that values which turn out too short for squares may
 * be more than rounding?  A column errs by eps of what it was. */
static int may_lose_values(int64_t n, const real_t *first)
{
    int little = 0;
    for (int64_t j = 0; j < n; ++j) {
        const real_t error = GSVD_EPS * first[j];
        little |= first[j] > 0 && error * error < COLUMN_TINY;
    }
    return little;
}

/* Are there columns of X that are not 0, and too short for squares?  length: those that are not. */
static int loses_values(mat_t X, real_t *length)
{
    int lost = 0;
    find_lengths(X, length);
    for (int64_t j = 0; j < X.cols; ++j)
        for (int64_t i = 0; i < X.rows && length[j] == 0; ++i)
            lost |= abs_max(AT(X, i, j)) > 0;
    return lost;
}

/* Columns of rounding errors := 0, as in columns.cuh */
static void drop_errors(mat_t X, mat_t V, const real_t *first, real_t tol)
{
    const real_t least = part_of_errors(tol, X.rows);
    for (int64_t j = 0; j < X.cols; ++j) {
        const real_t length = sqrt_r(square_of(X.rows, &AT(X, 0, j)));
        real_t most = 0;
        for (int64_t i = 0; i < V.rows; ++i)
            most = fmax_r(most, abs_max(AT(V, i, j)) * first[i]);
        for (int64_t i = 0; length <= least * most && i < X.rows; ++i)
            AT(X, i, j) = make(0, 0);
    }
}

/* Sweeps from X and V on; 1 if the last one still turned columns */
static gsvd_status_t sweeps(const exec_t *ex, mat_t X, mat_t V,
                            const real_t *first, real_t tol, int *on)
{
    int64_t rotations = 0;

    *on = 1;
    for (int sweep = 0; sweep < ex->policy.max_sweeps && *on; ++sweep) {
        int64_t count;
        if (sweep >= LATE)
            drop_errors(X, V, first, tol);
        GSVD_TRY(ex->op->sweep(ex, X, V, X.cols, tol, &rotations));
        GSVD_TRY(ex->op->read_rotations(ex, &rotations, &count));
        *on = count > 0;
    }
    return GSVD_SUCCESS;
}

/* The row of U in which its first k columns have least: e_row is far from their span. */
static int64_t least_row(mat_t U, int64_t k)
{
    real_t least = GSVD_REAL_MAX;
    int64_t row = 0;

    for (int64_t i = 0; i < U.rows; ++i) {
        real_t sum = 0;
        for (int64_t j = 0; j < k; ++j)
            sum += abs2(AT(U, i, j));
        if (sum < least) {
            least = sum;
            row = i;
        }
    }
    return row;
}

/* Columns first, first + 1, ... of U := such that all are orthonormal.  Gram and Schmidt, three
 * times, since e_row may be next to the span of the others. */
static void complete(mat_t U, int64_t first)
{
    for (int64_t k = first; k < U.cols; ++k) {
        const int64_t row = least_row(U, k);
        scalar_t *const u = &AT(U, 0, k);
        for (int64_t i = 0; i < U.rows; ++i)
            u[i] = make(i == row, 0);
        for (int pass = 0; pass < 3; ++pass) {
            for (int64_t j = 0; j < k; ++j) {
                const scalar_t dot = dot_of(U.rows, &AT(U, 0, j), u);
                add_to(U.rows, scale(-1, dot), &AT(U, 0, j), u);
            }
            const real_t length = sqrt_r(square_of(U.rows, u));
            scale_by(U.rows, make(1 / length, 0), u);
        }
    }
}

/* The place of column j by descending length */
static int64_t place_of(int64_t n, const real_t *length, int64_t j)
{
    int64_t place = 0;
    for (int64_t i = 0; i < n; ++i)
        place += length[i] > length[j] || (length[i] == length[j] && i < j);
    return place;
}

/* of_V := the lengths of V's columns; value := those of X's over them, since rounding leaves both
 * too long, or too short, by the same factors */
static void find_values(mat_t X, mat_t V, real_t *value, real_t *of_V)
{
    find_lengths(X, value);
    find_lengths(V, of_V);
    for (int64_t j = 0; j < X.cols; ++j)
        value[j] /= of_V[j];
}

/* The values, 2^-e length; is one infinite?  *some: those that are not 0 */
static int store_values(const shape_t *p, const real_t *length, int e,
                        int64_t *some)
{
    int infinite = 0;

    *some = 0;
    for (int64_t j = 0; j < p->cols; ++j) {
        const real_t value = ldexp_near(length[j], -e, 64 * GSVD_EPS);
        *some += length[j] > 0;
        infinite |= !(value <= GSVD_REAL_MAX);
        p->sigma[place_of(p->cols, length, j)] = value;
    }
    return infinite;
}

/* U := X over `length` and of_V, columns in the order of the values, row i as row to_row[i], unless
 * that is NULL; columns without a length := orthonormal ones */
static void store_left(mat_t U, mat_t X, const real_t *length,
                       const real_t *of_V, const int *to_row, int64_t some)
{
    for (int64_t j = 0; j < X.cols && U.data; ++j) {
        const int64_t to = place_of(X.cols, length, j);
        const real_t over = length[j] > 0 ? 1 / of_V[j] / length[j] : 0;
        for (int64_t i = 0; i < X.rows; ++i)
            AT(U, to_row ? to_row[i] : i, to) = scale(over, AT(X, i, j));
    }
    if (U.data)
        complete(U, some);
}

/* The right factor := V over of_V, likewise */
static void store_right(mat_t right, mat_t V, const real_t *length,
                        const real_t *of_V)
{
    for (int64_t j = 0; j < V.cols && right.data; ++j) {
        const int64_t to = place_of(V.cols, length, j);
        for (int64_t i = 0; i < V.rows; ++i)
            AT(right, i, to) = scale(1 / of_V[j], AT(V, i, j));
    }
}

/* Is a value infinite? */
static int store(const shape_t *p, mat_t X, mat_t V, real_t *length,
                 real_t *of_V, int e)
{
    int64_t some;

    find_values(X, V, length, of_V);
    const int infinite = store_values(p, length, e, &some);
    store_left(mat_view(p->U.data, p->rows, p->cols, p->U.ld), X, length, of_V,
               NULL, some);
    store_right(p->V, V, length, of_V);
    return infinite;
}

/* Sweeps of a matrix whose rows are alike.  *lost: values are that the range does not hold beside the
 * largest one.  length: room for the columns. */
static gsvd_status_t finish_alike(const exec_t *ex, const shape_t *p, mat_t X,
                                  mat_t V, real_t *length, const real_t *first,
                                  real_t tol, int *on, int *lost)
{
    *lost = loses_columns(p, first);
    GSVD_TRY(sweeps(ex, X, V, first, tol, on));
    *lost |= may_lose_values(X.cols, first) && loses_values(X, length);
    return GSVD_SUCCESS;
}

/* Of a matrix T whose rows differ in length, V = I: likewise, by R^H */
static gsvd_status_t finish_graded(const exec_t *ex, const shape_t *p, mat_t T,
                                   mat_t V, real_t tol, const steps_batch_t *s,
                                   int64_t k, int *infinite, int *on, int *lost)
{
    const crew_t alone = {0, 1, 0, 1, 0};
    const int64_t n = T.cols;
    real_t *const length = s->length + k * n, *const of_V = s->column + k * n;
    int *const row = s->row + 2 * k * n, *const pivot = row + n;
    const shape_t tall = {T, p->U, p->V, p->sigma, p->rows, p->cols, 0};
    const mat_t G = graded_place(T, p->U);
    int64_t some;

    *lost = loses_columns(p, of_V);
    const int fit = graded_factor(alone, tall, 0, length, row, pivot);
    graded_start(alone, T, G);
    find_lengths(G, of_V);
    const int look = fit != ALL_FIT && may_lose_values(n, of_V);
    GSVD_TRY(sweeps(ex, G, V, of_V, tol, on));
    *lost |= fit == SOME_DO_NOT || (look && loses_values(G, length));
    find_values(G, V, length, of_V);
    *infinite = store_values(p, length, s->exponent[k], &some);
    store_left(p->V, G, length, of_V, pivot, some);
    if (p->U.data) {
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = n; i < p->rows; ++i)
                AT(p->U, i, j) = make(0, 0);
        store_right(G, V, length, of_V);
        graded_apply(alone, tall, row, p->U);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_finish_cpu)(const exec_t *ex, const svd_batch_t *b,
                                  mats_t X, mats_t V, real_t tol,
                                  const steps_batch_t *s)
{
    for (int64_t i = 0; i < X.count; ++i) {
        const shape_t p = shape_of(b, s->first + i);
        real_t *const length = s->length + i * X.cols;
        real_t *const column = s->column + i * X.cols;
        int *const info = &b->info[s->first + i], on = 0, lost = 0, infinite;
        if (s->left[i] == LEFT_NOT_FINITE) {
            *info = b->illegal_A;
            X(fill_nan)(mat_view(p.U.data, p.rows, p.cols, p.U.ld));
            X(fill_nan)(mat_view(p.V.data, p.cols, p.cols, p.V.ld));
            for (int64_t j = 0; j < p.cols; ++j)
                p.sigma[j] = (real_t)NAN;
            continue;
        }
        if (s->left[i] == LEFT_GRADED) {
            GSVD_TRY(finish_graded(ex, &p, mats_at(X, i), mats_at(V, i), tol, s,
                                   i, &infinite, &on, &lost));
        } else {
            if (s->left[i] != LEFT_NOT || !(s->cosine[i] <= tol))
                GSVD_TRY(finish_alike(ex, &p, mats_at(X, i), mats_at(V, i),
                                      length, column, tol, &on, &lost));
            infinite = store(&p, mats_at(X, i), mats_at(V, i), length, column,
                             s->exponent[i]);
        }
        *info = infinite ? OVERFLOWN : on || lost;
    }
    return GSVD_SUCCESS;
}
