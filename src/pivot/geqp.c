/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqp.c -- blocked QR with column pivoting that reveals the rank.
 *
 * For j = 0, b, 2b, ... with A22 = A(j:m, j:n):
 *
 *     1  S := Omega A22                 a sketch of b + 8 rows
 *     2  winners := b columns of S      by a tournament, or by norm pivoting
 *     3  A := A P                       winners first
 *     4  A(j:,j:j+b) = (I - V T V^H) (R11; 0)
 *     5  min |R11(i,i)| <= MARGIN tol?  T := 0, the columns as they were, and b
 *                                       steps of 7; these may find the end
 *     6  A22 := (I - V T^H V^H) A22     in one pass with 1 of the next; that, and 2
 *                                       while the host waits for the answer to 5
 *     7  the last columns: the longest first, one by one, while it is longer
 *        than tol
 *
 * A matrix may be all last columns: m or n <= pivot_last, or rows of very different
 * size (by_rows), which want exact norms, since to a sketch the small ones are
 * rounding.  It has r of them then, and where the order is ours to choose
 *
 *     8  p, d: with column p of R11 = R(0:r,0:r) the last, |R(r-1,r-1)| <= d
 *     9  d <= tol, and clearly below the diagonal?
 *    10     A := Q R, columns p and r-1 exchanged
 *    11     7 for the first r-1 columns, for the rest, and 8 again
 *
 * The sketch keeps the lengths and angles of the columns up to a modest factor
 * (Martinsson et al. 2015; Duersch and Gu 2017) and only says which columns come
 * next; the tournament on it is that of Demmel, Grigori, Gu and Xiang 2015, and
 * of Flegar 2016, section 2.3, whose entrants are the columns themselves.  The
 * rank is decided on R alone: a panel counts when all of its diagonal is clearly
 * above tol, and near tol the order is that of exact norms, as in xGEQP3.
 *
 * S is computed anew from A22: no updating formula, so nothing cancels.  Omega is
 * drawn once; since A22 loses its first rows from panel to panel, each row meets
 * other columns of Omega every time.  Omega is scaled by 2^-12, so that S cannot
 * overflow where A is not next to it.
 *
 * Norm pivoting alone is misled by Kahan's matrix: a singular value of R11 is far
 * below tol, its diagonal is above.  8 to 11 are Chan's remedy (1987) for it.  The
 * rank falls, or better columns have come in: |det R11| / tol^r grows each time,
 * so there is an end.  CLEARLY leaves a diagonal next to a value at the tolerance
 * as xGEQP3 has it; where a value hides, the factor is at least sqrt 2 (Golub,
 * Klema and Stewart's triangle), as a rule powers of ten.
 */
#include "pivot/pivot.h"

#include "qr/qr.h"

enum {
    MARGIN = 4,
    ACROSS = 1 << 16, /* columns that a panel is projected on at a time      */
    SPARE = 1 << 20   /* entries that a desk may have beyond twice the matrix */
};

#define SEED 0x6c69626773766421u
#define SCALE (-12)
#define CLEARLY ((real_t)1.4)

#define geqp_work_t X(geqp_work_t)
typedef struct geqp_work_t {
    mat_t Omega, S; /* SKETCH_ROWS x m, SKETCH_ROWS x n                      */
    mat_t kept;     /* m x b: a panel before its QR                          */
    int *winners;
    scalar_t *tau; /* of the norm pivoting of S                              */
    qr_work_t qr;  /* the panel's block reflector                            */
} geqp_work_t;

/* -- workspace ---------------------------------------------------------------- */

static void carve(arena_t *a, const backend_t *be, int64_t m, int64_t n,
                  geqp_work_t *w)
{
    const int64_t b = be->pivot_width, rows = min_i(b + 8, SKETCH_ROWS);
    const size_t each = sizeof(scalar_t);
    w->Omega = mat_view(gsvd_arena_take(a, rows * m, each), rows, m, rows);
    w->S = mat_view(gsvd_arena_take(a, rows * n, each), rows, n, rows);
    w->kept = mat_view(gsvd_arena_take(a, m * b, each), m, b, max_i(m, 1));
    w->winners = gsvd_arena_take(a, n, sizeof(int));
    w->tau = gsvd_arena_take(a, rows, each);
    w->qr.V = mat_view(gsvd_arena_take(a, m * b, each), m, b, max_i(m, 1));
    w->qr.T = mat_view(gsvd_arena_take(a, b * b, each), b, b, b);
    w->qr.W = gsvd_arena_take(a, b * min_i(n, ACROSS), each);
    w->qr.Y = gsvd_arena_take(a, b * n, each);
}

/* All columns are the last ones, of a matrix of any size.  A long and narrow one is
 * too, whose sketch and copies would be larger than itself. */
static int is_whole(const backend_t *be, int64_t m, int64_t n)
{
    const int64_t b = be->pivot_width, rows = min_i(b + 8, SKETCH_ROWS);
    return min_i(m, n) <= be->pivot_last ||
           (rows + 2 * b) * max_i(m, n) > 2 * m * n + SPARE;
}

/* of 10 and 11 */
static size_t again_bytes(const backend_t *be, int64_t m, int64_t n)
{
    const size_t index = (size_t)n * sizeof(int);
    const size_t qr = X(unmqr_desk_bytes)(be, m, min_i(m, n), n);
    return qr > index ? qr : index;
}

size_t X(geqp_desk_bytes)(const backend_t *be, int64_t m, int64_t n)
{
    arena_t count = {0};
    geqp_work_t w;
    if (is_whole(be, m, n))
        return again_bytes(be, m, n);
    carve(&count, be, m, n, &w);
    return gsvd_arena_bytes(&count);
}

static gsvd_status_t open_desk(gsvd_handle_t h, const backend_t *be, int64_t m,
                               int64_t n, geqp_work_t *w)
{
    const size_t bytes = X(geqp_desk_bytes)(be, m, n);
    void *memory;
    GSVD_TRY(gsvd_desk(h, bytes, &memory));
    arena_t arena = gsvd_arena_over(memory, bytes);
    carve(&arena, be, m, n, w);
    GSVD_TRY(be->gaussian(h, w->Omega, SEED));
    return be->shift(h, w->Omega, SCALE);
}

/* -- one panel ---------------------------------------------------------------- */

/* 1, of A22 = A(j:,j:) */
static gsvd_status_t sketch(gsvd_handle_t h, const backend_t *be, mat_t A,
                            int64_t j, const geqp_work_t *w)
{
    const mat_t A22 = mat_sub(A, j, j, A.rows - j, A.cols - j);
    return be->gemm(h, 'N', 'N', mat_cols(w->Omega, 0, A22.rows), A22,
                    mat_cols(w->S, 0, A22.cols));
}

/* 2: w->winners, of n columns */
static gsvd_status_t choose(gsvd_handle_t h, const backend_t *be, int64_t n,
                            gsvd_pivot_t how, const geqp_work_t *w)
{
    const int64_t b = be->pivot_width;
    const mat_t S = mat_cols(w->S, 0, n);
    int64_t done;

    if (how == GSVD_PIVOT_TOURNAMENT)
        return be->tournament(h, S, b, w->winners);
    GSVD_TRY(be->identity(h, S.cols, w->winners));
    return be->pivot_columns(h, S, 0, b, -1, w->winners, w->tau, &done);
}

/* 3 to 6 for b columns from j on, and 1 of the next panel if there is one; of 5
 * the question: its no makes 6 nothing */
static gsvd_status_t take_panel(gsvd_handle_t h, const backend_t *be, mat_t A,
                                int64_t j, int another, real_t tol, int *perm,
                                scalar_t *tau, geqp_work_t *w)
{
    const int64_t b = be->pivot_width, m = A.rows - j, n = A.cols - j;
    const mat_t A22 = mat_sub(A, j, j, m, n), panel = mat_cols(A22, 0, b);
    const mat_t rest = mat_cols(A22, b, n - b);
    const mat_t W = mat_view(w->qr.W, b, ACROSS, b);
    const mat_t Y = mat_view(w->qr.Y, b, n - b, b);

    GSVD_TRY(be->bring_forward(h, mat_cols(A, j, n), b, w->winners,
                               perm + j)); /* 3 */
    if (tol >= 0)
        GSVD_TRY(be->copy(h, panel, mat_rows(w->kept, 0, m)));
    w->qr.V = mat_view(w->qr.V.data, m, b, m);
    w->qr.T = mat_view(w->qr.T.data, b, b, b);
    GSVD_TRY(be->panel(h, panel, tau + j, w->qr.V, w->qr.T)); /* 4 */
    if (tol >= 0)
        GSVD_TRY(be->judge(h, panel, MARGIN * tol, w->qr.T)); /* 5 */
    for (int64_t i = 0; i < rest.cols; i += ACROSS) {         /* 6 */
        const int64_t c = min_i(ACROSS, rest.cols - i);
        GSVD_TRY(be->project(h, w->qr.V, w->qr.T, mat_cols(rest, i, c),
                             mat_cols(W, 0, c), mat_cols(Y, i, c)));
    }
    if (!another)
        return be->gemm_sub(h, 'N', 'N', w->qr.V, Y, rest);
    return be->update_sketch(h, w->qr.V, Y, rest, b,
                             mat_cols(w->Omega, 0, m - b),
                             mat_cols(w->S, 0, n - b));
}

/* The answer to 5; a no leaves the columns as they were. */
static gsvd_status_t hear(gsvd_handle_t h, const backend_t *be, mat_t A,
                          int64_t j, real_t tol, const geqp_work_t *w,
                          int *taken)
{
    const int64_t b = be->pivot_width, m = A.rows - j;

    *taken = 1;
    if (tol >= 0)
        GSVD_TRY(be->judged(h, taken));
    return *taken
               ? GSVD_SUCCESS
               : be->copy(h, mat_rows(w->kept, 0, m), mat_sub(A, j, j, m, b));
}

/* -- hidden ranks --------------------------------------------------------------- */

/* 8, 9; *p = -1: nothing is hidden */
static gsvd_status_t look(gsvd_handle_t h, const backend_t *be, mat_t R11,
                          real_t tol, int64_t *p)
{
    real_t least = 0, d;

    GSVD_TRY(be->weakest(h, R11, tol, p, &d));
    if (d <= tol)
        GSVD_TRY(be->smallest(h, R11, &least));
    if (!(d <= tol && CLEARLY * d <= least))
        *p = -1;
    return GSVD_SUCCESS;
}

/* 10; columns p and q > p are exchanged by bringing q forward to p */
static gsvd_status_t put_last(gsvd_handle_t h, const backend_t *be, mat_t A,
                              int64_t p, int64_t r, int *perm,
                              const scalar_t *tau)
{
    const int64_t ahead = r - 1 - p;
    void *desk;

    GSVD_TRY(X(geqr_undo)(h, be, A, r, tau));
    GSVD_TRY(gsvd_desk(h, (size_t)r * sizeof(int), &desk));
    int *const index = desk;
    GSVD_TRY(be->identity(h, r, index));
    return be->bring_forward(h, mat_cols(A, p, r - p), 1, index + ahead,
                             perm + p);
}

/* 8 to 11 */
static gsvd_status_t reveal(gsvd_handle_t h, const backend_t *be, mat_t A,
                            real_t tol, int *perm, scalar_t *tau, int64_t *rank)
{
    int64_t r = *rank, p = -1;

    GSVD_TRY(look(h, be, mat_sub(A, 0, 0, r, r), tol, &p));
    while (p >= 0) {
        const mat_t first = mat_cols(A, 0, r - 1);
        const mat_t rest = mat_cols(A, r - 1, A.cols - r + 1);

        GSVD_TRY(put_last(h, be, A, p, r, perm, tau)); /* 10 */
        GSVD_TRY(be->pivot_columns(h, first, 0, r - 1, tol, perm, tau, &r));
        GSVD_TRY(X(unmqr)(h, be, 'L', 'C', first, r, tau, rest));
        GSVD_TRY(be->pivot_columns(h, A, r, min_i(A.rows, A.cols), tol, perm,
                                   tau, &r)); /* 11 */
        GSVD_TRY(look(h, be, mat_sub(A, 0, 0, r, r), tol, &p));
    }
    *rank = r;
    return GSVD_SUCCESS;
}

/* -- the driver --------------------------------------------------------------- */

gsvd_status_t X(geqpf)(gsvd_handle_t h, const backend_t *be, mat_t A,
                       gsvd_pivot_t how, real_t tol, int *perm, scalar_t *tau,
                       int64_t *rank)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n), b = be->pivot_width;
    const int ours = how != GSVD_PIVOT_NORM;
    const int whole = is_whole(be, m, n) || h->by_rows;
    int64_t j = 0, last = 0;
    int chosen = 0; /* winners from j on                                     */
    geqp_work_t w = {0};

    *rank = 0;
    GSVD_TRY(be->identity(h, n, perm));
    if (ours && !whole)
        GSVD_TRY(open_desk(h, be, m, n, &w));
    while (j < r && j == last) {
        int taken = 0;
        last = r;
        if (ours && !whole && r - j > be->pivot_last) {
            last = j + b;
            if (!chosen) {
                GSVD_TRY(sketch(h, be, A, j, &w));
                GSVD_TRY(choose(h, be, n - j, how, &w));
            }
            chosen = r - last > be->pivot_last;
            GSVD_TRY(take_panel(h, be, A, j, chosen, tol, perm, tau, &w));
            if (chosen) /* while the host waits                              */
                GSVD_TRY(choose(h, be, n - last, how, &w));
            GSVD_TRY(hear(h, be, A, j, tol, &w, &taken));
        }
        chosen = chosen && taken;
        if (taken)
            j = last;
        else
            GSVD_TRY(
                be->pivot_columns(h, A, j, last, tol, perm, tau, &j)); /* 7 */
    }
    if (ours && whole && tol > 0 && j > 0)
        GSVD_TRY(reveal(h, be, A, tol, perm, tau, &j));
    *rank = j;
    return be->set(h, mat_view(tau + j, r - j, 1, max_i(r - j, 1)), 0, 0);
}
