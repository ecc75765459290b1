/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* banded.c -- products and QR of matrices whose zeros lie away from a diagonal.
 *
 * Where the columns of a matrix differ much in length, R^H has entries below rounding of their columns,
 * which steps.c drops, and cosines of columns far apart are 0.  Here columns are taken in blocks, each with
 * the rows that hold its entries, as the engine would compute the others from zeros.
 */
#include "grid/banded.h"

#include "core/angle.h"

enum {
    BLOCKS = 256, /* at most                                                 */
    WIDTH = 128,  /* columns, at least                                       */
    LEAST = 512   /* columns of a matrix that is looked at                   */
};

/* Block k: columns [k width, k width + width); its entries other than 0 are in rows
 * [first[k], end[k]), which are none where end[k] is 0. */
typedef struct extent {
    int64_t width, rows, cols;
    int count, first[BLOCKS], end[BLOCKS];
} extent_t;

static int64_t begin_of(const extent_t *x, int k) { return k * x->width; }
static int64_t end_of(const extent_t *x, int k)
{
    return min_i(x->cols, (k + 1) * x->width);
}

/* The view's row or column of a local index */
static int64_t row_at(const part_t *P, int64_t local)
{
    return walk_from(local, 0, P->i, gsvd_grid->r, gsvd_grid->p).at;
}

/* first and end of a column's entries here, below row `above` */
static void look_at_column(const part_t *P, int64_t local, int64_t above,
                           int *first, int *end)
{
    const scalar_t *const x = &P->data[local * P->ld];
    int64_t from = P->r0, to = P->r1;

    while (from < to && row_at(P, from) <= above)
        ++from;
    while (from < to && abs_max(x[from]) == 0)
        ++from;
    while (to > from && abs_max(x[to - 1]) == 0)
        --to;
    if (from == to)
        return;
    *first = (int)min_i(*first, row_at(P, from));
    *end = (int)max_i(*end, row_at(P, to - 1) + 1);
}

/* Of M, or of what is below its diagonal */
static void look_at(mat_t M, int below, extent_t *x)
{
    const part_t P = X(part_of)(M);
    const int64_t turns = (M.cols + BLOCKS * WIDTH - 1) / (BLOCKS * WIDTH);

    x->width = turns * WIDTH;
    x->rows = M.rows;
    x->cols = M.cols;
    x->count = (int)((M.cols + x->width - 1) / x->width);
    for (int k = 0; k < x->count; ++k) {
        x->first[k] = (int)M.rows;
        x->end[k] = 0;
    }
    EACH_COLUMN(P, j)
    look_at_column(&P, j.local, below ? j.at : -1, &x->first[j.at / x->width],
                   &x->end[j.at / x->width]);
    MPI_Allreduce(MPI_IN_PLACE, x->first, x->count, MPI_INT, MPI_MIN,
                  gsvd_grid->comm);
    MPI_Allreduce(MPI_IN_PLACE, x->end, x->count, MPI_INT, MPI_MAX,
                  gsvd_grid->comm);
}

/* [*first, *end) := the rows of the blocks that have columns [a, b), from a block of the engine on */
static void rows_of_columns(const extent_t *x, int64_t a, int64_t b,
                            int64_t *first, int64_t *end)
{
    *first = x->rows;
    *end = 0;
    for (int64_t k = a / x->width; k < x->count && k * x->width < b; ++k) {
        *first = min_i(*first, x->first[k]);
        *end = max_i(*end, x->end[k]);
    }
    *first = min_i(*first, *end) / gsvd_grid->block * gsvd_grid->block;
}

/* -- products ----------------------------------------------------------------------- */

/* Columns [a, b) of a product of A and B: columns [f, e) of A, and rows [r0, r1) of it */
typedef struct piece {
    int64_t a, b, f, e, r0, r1;
} piece_t;

static piece_t piece_of(const extent_t *of_a, const extent_t *of_b, int k)
{
    piece_t s = {.a = begin_of(of_b, k), .b = end_of(of_b, k)};
    rows_of_columns(of_b, s.a, s.b, &s.f, &s.e);
    rows_of_columns(of_a, s.f, s.e, &s.r0, &s.r1);
    return s;
}

gsvd_status_t X(banded_product)(const exec_t *ex, real_t alpha, mat_t A,
                                mat_t B, real_t beta, mat_t C, int *done)
{
    extent_t of_a, of_b;
    double work = 0;

    *done = 0;
    if (min_i(B.rows, B.cols) < LEAST)
        return GSVD_SUCCESS;
    look_at(B, 0, &of_b);
    for (int k = 0; k < of_b.count; ++k)
        work += (double)(of_b.end[k] - min_i(of_b.first[k], of_b.end[k]));
    if (work > 0.75 * (double)B.rows * of_b.count)
        return GSVD_SUCCESS;
    look_at(A, 0, &of_a);
    for (int k = 0; k < of_b.count; ++k) {
        const piece_t s = piece_of(&of_a, &of_b, k);
        const int64_t n = s.b - s.a;
        if (beta == 0) {
            GSVD_TRY(X(set_grid)(ex, mat_sub(C, 0, s.a, s.r0, n), 0, 0));
            GSVD_TRY(
                X(set_grid)(ex, mat_sub(C, s.r1, s.a, C.rows - s.r1, n), 0, 0));
        }
        if (s.r1 > s.r0 && s.e > s.f)
            GSVD_TRY(X(dense_product)(
                'N', 'N', alpha, mat_sub(A, s.r0, s.f, s.r1 - s.r0, s.e - s.f),
                mat_sub(B, s.f, s.a, s.e - s.f, n), beta,
                mat_sub(C, s.r0, s.a, s.r1 - s.r0, n)));
    }
    *done = 1;
    return GSVD_SUCCESS;
}

/* The column behind the last block that shares rows with block k, from k on */
static int64_t last_beside(const extent_t *x, int k)
{
    int last = k;
    for (int i = k + 1; i < x->count; ++i)
        if (x->first[i] < x->end[k] && x->end[i] > x->first[k])
            last = i;
    return end_of(x, last);
}

gsvd_status_t X(banded_gram)(const exec_t *ex, mat_t A, mat_t C, int *done)
{
    const int64_t n = A.cols;
    extent_t x;
    double work = 0;

    *done = 0;
    if (min_i(A.rows, n) < LEAST)
        return GSVD_SUCCESS;
    look_at(A, 0, &x);
    for (int k = 0; k < x.count; ++k)
        work += (double)(last_beside(&x, k) - begin_of(&x, k)) *
                (double)(x.end[k] - min_i(x.first[k], x.end[k]));
    if (work * (double)x.width > 0.33 * (double)(n * n) * (double)A.rows)
        return GSVD_SUCCESS;
    for (int k = 0; k < x.count; ++k) {
        const int64_t a = begin_of(&x, k), b = end_of(&x, k),
                      last = last_beside(&x, k);
        int64_t f, e;
        rows_of_columns(&x, a, b, &f, &e);
        const mat_t S = mat_sub(A, f, a, e - f, b - a);
        GSVD_TRY(X(set_grid)(ex, mat_sub(C, a, a, n - a, b - a), 0, 0));
        if (e == f)
            continue;
        GSVD_TRY(X(dense_gram)(S, mat_sub(C, a, a, b - a, b - a)));
        if (last > b)
            GSVD_TRY(X(dense_product)('C', 'N', 1,
                                      mat_sub(A, f, b, e - f, last - b), S, 0,
                                      mat_sub(C, b, a, last - b, b - a)));
    }
    *done = 1;
    return GSVD_SUCCESS;
}

/* -- QR ------------------------------------------------------------------------------ */

/* near[k] := the row behind the last entry of block k, or of those before, that is above rounding of the
 * block's columns, whose largest entries are `largest`; NULL: of 1 */
static void look_near(mat_t M, const real_t *largest, const extent_t *x,
                      int *near)
{
    const part_t P = X(part_of)(M);

    for (int k = 0; k < x->count; ++k)
        near[k] = (int)end_of(x, k);
    EACH_COLUMN(P, j)
    {
        const real_t least = DROPPED * (largest ? largest[j.at] : 1);
        int *const last = &near[j.at / x->width];
        int64_t i = P.r1;
        while (i > P.r0 && row_at(&P, i - 1) >= *last &&
               !(larger_part(P.data[i - 1 + j.local * P.ld]) > least))
            --i;
        if (i > P.r0)
            *last = (int)max_i(*last, row_at(&P, i - 1) + 1);
    }
    MPI_Allreduce(MPI_IN_PLACE, near, x->count, MPI_INT, MPI_MAX,
                  gsvd_grid->comm);
    for (int k = 1; k < x->count; ++k)
        near[k] = (int)max_i(near[k], near[k - 1]);
}

/* The same, of a matrix whose columns have any length */
static gsvd_status_t look_near_by_columns(mat_t A, const extent_t *x, int *near)
{
    const part_t P = X(part_of)(A);
    void *room;

    GSVD_TRY(
        gsvd_grid_room(ROOM_LISTS, (size_t)A.cols * sizeof(real_t), &room));
    real_t *const largest = room;
    for (int64_t j = 0; j < A.cols; ++j)
        largest[j] = 0;
    EACH_ENTRY (P, i, j)
        largest[j.at] = larger(largest[j.at], larger_part(HERE(P, i, j)));
    X(largest_all)(A.cols, largest);
    look_near(A, largest, x, near);
    return GSVD_SUCCESS;
}

/* The column behind the last block that has an entry above row near[k], from block k on */
static int64_t reach(const extent_t *x, const int *near, int k)
{
    int last = k;
    for (int i = k + 1; i < x->count; ++i)
        if (x->first[i] < near[k])
            last = i;
    return end_of(x, last);
}

/* The products by blocks, over those by the whole: A is m x n, block k reaches so far. */
static int is_worth(const extent_t *x, const int *near)
{
    double work = 0, all = 0;

    for (int k = 0; k < x->count; ++k) {
        const int64_t a = begin_of(x, k);
        work += (double)(x->end[k] - a) * (double)(reach(x, near, k) - a);
        all += (double)(x->rows - a) * (double)(x->cols - a);
    }
    return work <= 0.6 * all;
}

/* Block k: columns [a, b) from row a on, as far as their entries go */
static mat_t panel(mat_t V, const extent_t *x, int k)
{
    const int64_t a = begin_of(x, k);
    return mat_sub(V, a, a, x->end[k] - a, end_of(x, k) - a);
}

/* Of QR, to which a block may add rows of those before */
static void make_monotone(extent_t *x)
{
    for (int k = 0; k < x->count; ++k)
        x->end[k] = (int)max_i(max_i(x->end[k], end_of(x, k)),
                               k > 0 ? x->end[k - 1] : 0);
}

gsvd_status_t X(banded_geqrf)(mat_t A, scalar_t *tau, int *done)
{
    int near[BLOCKS];
    extent_t x;

    *done = 0;
    if (A.cols < LEAST || A.rows < A.cols)
        return GSVD_SUCCESS;
    look_at(A, 0, &x);
    make_monotone(&x);
    for (int k = 0; k < x.count; ++k)
        near[k] = (int)end_of(&x, k);
    if (!is_worth(&x, near)) /* at best                                       */
        return GSVD_SUCCESS;
    GSVD_TRY(look_near_by_columns(A, &x, near));
    *done = is_worth(&x, near);
    for (int k = 0; *done && k < x.count; ++k) {
        const int64_t a = begin_of(&x, k), b = end_of(&x, k);
        const mat_t V = panel(A, &x, k);
        GSVD_TRY(X(dense_geqrf)(V, tau));
        GSVD_TRY(
            X(dense_unmqr)('L', 'C', V, V.cols, tau,
                           mat_sub(A, a, b, V.rows, reach(&x, near, k) - b)));
    }
    return GSVD_SUCCESS;
}

/* Of reflectors */
static void look_at_reflectors(mat_t V, extent_t *x)
{
    look_at(V, 1, x);
    for (int k = 0; k < x->count; ++k) {
        x->end[k] = (int)max_i(x->end[k], end_of(x, k));
        x->first[k] = (int)begin_of(x, k);
    }
}

/* x->first of blocks [k + 1, last): row a, if there is more than rounding in rows [a, a + rows) */
static gsvd_status_t look_above(const exec_t *ex, mat_t A, int64_t rows, int k,
                                int last, extent_t *x)
{
    const int64_t a = begin_of(x, k);
    real_t most[BLOCKS];

    for (int i = k + 1; i < last; ++i) {
        const int64_t b = begin_of(x, i);
        const part_t P = X(part_of)(mat_sub(A, a, b, rows, end_of(x, i) - b));
        most[i] = 0;
        EACH_ENTRY (P, r, c)
            most[i] = larger(most[i], larger_part(HERE(P, r, c)));
    }
    if (last > k + 1)
        X(largest_all)(last - k - 1, &most[k + 1]);
    for (int i = k + 1; i < last; ++i) {
        const int64_t b = begin_of(x, i);
        if (most[i] > DROPPED)
            x->first[i] = (int)a;
        else
            GSVD_TRY(X(set_grid)(ex, mat_sub(A, a, b, rows, end_of(x, i) - b),
                                 0, 0));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(banded_ungqr)(const exec_t *ex, mat_t A, const scalar_t *tau,
                              int *done)
{
    int near[BLOCKS];
    extent_t x;

    *done = 0;
    if (A.cols < LEAST || A.rows < A.cols)
        return GSVD_SUCCESS;
    look_at_reflectors(A, &x);
    look_near(A, NULL, &x, near);
    *done = is_worth(&x, near);
    for (int k = x.count - 1; *done && k >= 0; --k) {
        const int64_t a = begin_of(&x, k), b = end_of(&x, k),
                      c = reach(&x, near, k);
        const mat_t V = panel(A, &x, k);
        GSVD_TRY(X(dense_unmqr)('L', 'N', V, V.cols, tau,
                                mat_sub(A, a, b, V.rows, c - b)));
        GSVD_TRY(X(dense_ungqr)(V, V.cols, tau));
        GSVD_TRY(X(set_grid)(ex, mat_sub(A, 0, a, a, b - a), 0, 0));
        GSVD_TRY(look_above(ex, A, b - a, k, (int)((c + x.width - 1) / x.width),
                            &x));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(banded_times_q)(mat_t V, const scalar_t *tau, mat_t C,
                                int *done)
{
    extent_t x, of_c;
    double work = 0;

    *done = 0;
    if (V.cols < LEAST || V.rows < V.cols)
        return GSVD_SUCCESS;
    look_at_reflectors(V, &x);
    for (int k = 0; k < x.count; ++k)
        work += (double)(x.end[k] - begin_of(&x, k));
    *done = work * (double)x.width <=
            0.4 * (double)V.cols * ((double)V.rows - (double)V.cols / 2);
    if (!*done)
        return GSVD_SUCCESS;
    look_at(C, 0, &of_c);
    for (int k = 0; k < x.count; ++k) {
        const mat_t Q = panel(V, &x, k);
        const int64_t a = begin_of(&x, k);
        int64_t first, end;
        rows_of_columns(&of_c, 0, a + Q.rows, &first, &end);
        GSVD_TRY(X(dense_unmqr)('R', 'N', Q, Q.cols, tau,
                                mat_sub(C, first, a, end - first, Q.rows)));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(banded_q_times)(mat_t V, int64_t k, const scalar_t *tau,
                                mat_t C, int *done)
{
    extent_t x;
    double work = 0;

    *done = 0;
    if (min_i(k, C.cols) < LEAST)
        return GSVD_SUCCESS;
    look_at(C, 0, &x);
    for (int i = 1; i < x.count; ++i)
        x.end[i] = (int)max_i(x.end[i], x.end[i - 1]);
    for (int i = 0; i < x.count; ++i)
        work += (double)min_i(x.end[i], k);
    *done = work <= 0.75 * (double)k * x.count;
    for (int64_t b = k, a; *done && b > 0; b = a) {
        int from = 0;
        a = (b - 1) / x.width * x.width;
        while (from < x.count && x.end[from] <= a)
            ++from;
        const int64_t c = min_i(begin_of(&x, from), C.cols);
        GSVD_TRY(X(dense_unmqr)('L', 'N', mat_sub(V, a, a, V.rows - a, b - a),
                                b - a, tau,
                                mat_sub(C, a, c, C.rows - a, C.cols - c)));
    }
    return GSVD_SUCCESS;
}
