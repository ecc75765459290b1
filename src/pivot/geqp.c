/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqp.c -- blocked QR with column pivoting that reveals the rank.
 *
 * For j = 0, b, 2b, ... with A22 = A(j:m, j:n):
 *
 *     1  S := Omega A22                 a sketch of b + 8 rows
 *     2  winners := b columns of S      by a tournament
 *     3  A := A P                       winners first
 *     4  A(j:,j:j+b) = (I - V T V^H) (R11; 0)
 *     5  min |R11(i,i)| <= MARGIN tol, or <= max |R11(i,i)| / DROP where rows have very
 *        different sizes?  then T := 0, the columns are restored, and b steps of 7 are
 *        done, which may be the last
 *     6  A22 := (I - V T^H V^H) A22     in one pass with 1 of the next panel; then 2
 *                                       of it, while the host waits for the answer to 5
 *     7  the last columns: the longest first, one by one, while it is longer
 *        than tol
 *
 * All columns are last columns where m or n <= pivot_last, and on the CPU where rows have
 * very different sizes (rowwise_stable): small rows are below a sketch's rounding, so that
 * there the panels which fall by too much are done again, one column by one.
 * They give the rank r, and then, unless LAPACK's order is asked for,
 *
 *     8  p, d: with column p of R11 = R(0:r,0:r) the last, |R(r-1,r-1)| <= d
 *     9  d <= tol, and d is clearly below the diagonal?  then
 *    10     A := Q R, columns p and r-1 exchanged
 *    11     7 for the first r-1 columns, 7 for the rest, and 8 again
 *
 * The sketch keeps the lengths and angles of the columns up to a modest factor
 * (Martinsson et al. 2015; Duersch and Gu 2017) and only says which columns come
 * next; the tournament on it is that of Demmel, Grigori, Gu and Xiang 2015, and
 * of Flegar 2016, section 2.3, whose entrants are the columns themselves.  The
 * rank is decided on R alone: a panel counts when all of its diagonal is clearly
 * above tol, and near tol the order is that of exact norms, as in xGEQP3.
 *
 * S is computed anew from A22, not updated, so that nothing cancels.  Omega is
 * drawn once; since A22 loses its first rows from panel to panel, each row meets
 * other columns of Omega every time.  Omega is scaled by 2^-12, so that S cannot
 * overflow unless A nearly does.
 *
 * Norm pivoting alone is misled by Kahan's matrix: a singular value of R11 is far
 * below tol, its diagonal is above.  8 to 11 are Chan's remedy (1987) for it.  The
 * rank falls, or better columns have come in: |det R11| / tol^r grows each time, so
 * there is an end.  "Clearly" is a factor of 1.4, so that a diagonal at the tolerance
 * stays as xGEQP3 has it; where a value hides, the factor is at least sqrt 2 (Golub,
 * Klema and Stewart's triangle), and as a rule a power of ten.
 */
#include "core/cost.h"
#include "core/solver.h"
#include "pivot/inverse_iteration.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

enum {
    MARGIN = 4,
    ACROSS = 1 << 16, /* columns that a panel is projected on at a time      */
    SMALL_SKETCH = 1 << 20 /* entries beyond twice the matrix: always welcome */
};

/* Below this part of a panel's longest column a sketch has lost half of its digits. */
#define DROP ((real_t)(GSVD_SINGLE ? 1.0 / 256 : 1.0 / (1 << 20)))

#define SEED 0x6c69626773766421u
#define OMEGA_EXPONENT (-12)

#define geqp_work_t X(geqp_work_t)
typedef struct geqp_work_t {
    mat_t Omega, S; /* SKETCH_ROWS x m, SKETCH_ROWS x n                      */
    mat_t kept;     /* m x b: a panel before its QR                          */
    int *winners;
    qr_work_t qr; /* the panel's block reflector                             */
    int accepted; /* the answer to 5                                         */
} geqp_work_t;

/* -- workspace ---------------------------------------------------------------- */

static void carve(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                  geqp_work_t *w)
{
    const int64_t b = ex->tune->pivot_width, rows = min_i(b + 8, SKETCH_ROWS);
    const size_t each = sizeof(scalar_t);
    w->Omega = mat_view(gsvd_arena_take(a, rows * m, each), rows, m, rows);
    w->S = mat_view(gsvd_arena_take(a, rows * n, each), rows, n, rows);
    w->kept = mat_view(gsvd_arena_take(a, m * b, each), m, b, max_i(m, 1));
    w->winners = gsvd_arena_take(a, n, sizeof(int));
    w->qr.V = mat_view(gsvd_arena_take(a, m * b, each), m, b, max_i(m, 1));
    w->qr.T = mat_view(gsvd_arena_take(a, b * b, each), b, b, b);
    w->qr.W = gsvd_arena_take(a, b * min_i(n, ACROSS), each);
    w->qr.Y = gsvd_arena_take(a, b * n, each);
}

static gsvd_status_t take_sketch(exec_t *in, int64_t m, int64_t n,
                                 geqp_work_t *w)
{
    carve(&in->work, in, m, n, w);
    GSVD_TRY(X(work_suffices)(in));
    GSVD_TRY(in->op->gaussian(in, w->Omega, SEED));
    return in->op->scale_pow2(in, w->Omega, OMEGA_EXPONENT);
}

/* -- one panel ---------------------------------------------------------------- */

/* 1: w->S := Omega A22, A22 = A(j:,j:) */
static gsvd_status_t sketch(const exec_t *ex, mat_t A, int64_t j,
                            const geqp_work_t *w)
{
    const mat_t A22 = mat_sub(A, j, j, A.rows - j, A.cols - j);
    return ex->op->gemm(ex, 'N', 'N', mat_cols(w->Omega, 0, A22.rows), A22,
                        mat_cols(w->S, 0, A22.cols));
}

/* 2: w->winners, b of the last `rest` columns, whose sketch w->S begins with */
static gsvd_status_t choose(const exec_t *ex, int64_t rest,
                            const geqp_work_t *w)
{
    return ex->op->tournament(ex, mat_cols(w->S, 0, rest),
                              ex->tune->pivot_width, w->winners);
}

static int is_tested(const exec_t *ex, real_t tol)
{
    return tol >= 0 || ex->policy.rowwise_stable;
}

/* 3 to 6 for b columns from j on, and 1 of another panel.  The question of 5 is queued;
 * if its answer is no, 6 changes nothing. */
static gsvd_status_t take_panel(const exec_t *ex, mat_t A, int64_t j,
                                int another, real_t tol, int *perm,
                                scalar_t *tau, geqp_work_t *w)
{
    const int64_t b = ex->tune->pivot_width, m = A.rows - j, n = A.cols - j;
    const mat_t A22 = mat_sub(A, j, j, m, n), panel = mat_cols(A22, 0, b);
    const mat_t rest = mat_cols(A22, b, n - b);
    const mat_t W = mat_view(w->qr.W, b, ACROSS, b);
    const mat_t Y = mat_view(w->qr.Y, b, n - b, b);

    GSVD_TRY(ex->op->pivots_to_front(ex, mat_cols(A, j, n), b, w->winners,
                                     perm + j)); /* 3 */
    if (is_tested(ex, tol))
        GSVD_TRY(ex->op->copy(ex, panel, mat_rows(w->kept, 0, m)));
    w->qr.V = mat_view(w->qr.V.data, m, b, m);
    w->qr.T = mat_view(w->qr.T.data, b, b, b);
    GSVD_TRY(ex->op->panel(ex, panel, tau + j, w->qr.V, w->qr.T)); /* 4 */
    w->accepted = 1;
    if (is_tested(ex, tol))
        GSVD_TRY(ex->op->test_panel(ex, panel, MARGIN * tol,
                                    ex->policy.rowwise_stable ? DROP : 0,
                                    w->qr.T, &w->accepted)); /* 5 */
    for (int64_t i = 0; i < rest.cols; i += ACROSS) {        /* 6 */
        const int64_t c = min_i(ACROSS, rest.cols - i);
        GSVD_TRY(ex->op->project(ex, w->qr.V, w->qr.T, mat_cols(rest, i, c),
                                 mat_cols(W, 0, c), mat_cols(Y, i, c)));
    }
    if (!another)
        return ex->op->gemm_sub(ex, 'N', 'N', w->qr.V, Y, rest);
    return ex->op->update_sketch(ex, w->qr.V, Y, rest, b,
                                 mat_cols(w->Omega, 0, m - b),
                                 mat_cols(w->S, 0, n - b));
}

/* Waits for the answer to 5; if it is no, restores the columns. */
static gsvd_status_t settle_panel(const exec_t *ex, mat_t A, int64_t j,
                                  real_t tol, geqp_work_t *w)
{
    const int64_t b = ex->tune->pivot_width, m = A.rows - j;

    if (is_tested(ex, tol))
        GSVD_TRY(ex->op->await_panel(ex, &w->accepted));
    return w->accepted ? GSVD_SUCCESS
                       : ex->op->copy(ex, mat_rows(w->kept, 0, m),
                                      mat_sub(A, j, j, m, b));
}

/* -- hidden ranks --------------------------------------------------------------- */

/* 8 and 9; *p := -1 if no value is hidden. */
static gsvd_status_t find_hidden(const exec_t *ex, mat_t R11, real_t tol,
                                 int64_t *p)
{
    real_t least = 0, d;

    GSVD_TRY(ex->op->inverse_iteration(ex, R11, tol, p, &d));
    if (d <= tol)
        GSVD_TRY(ex->op->min_abs_diagonal(ex, R11, &least));
    if (!hides_value(d, tol, least))
        *p = -1;
    return GSVD_SUCCESS;
}

/* 10; to exchange columns p and r-1 > p, r-1 is brought to the front of those from p
 * on. */
static gsvd_status_t put_last(const exec_t *ex, mat_t A, int64_t p, int64_t r,
                              int *perm, const scalar_t *tau)
{
    const int64_t distance = r - 1 - p;
    exec_t in = *ex;

    GSVD_TRY(X(geqr_undo)(ex, A, r, tau));
    int *const index = gsvd_arena_take(&in.work, r, sizeof(int));
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->identity(&in, r, index));
    return in.op->pivots_to_front(&in, mat_cols(A, p, r - p), 1,
                                  index + distance, perm + p);
}

/* 8 to 11 */
static gsvd_status_t reveal(const exec_t *ex, mat_t A, real_t tol, int *perm,
                            scalar_t *tau, int64_t *rank)
{
    int64_t r = *rank, p = -1;

    GSVD_TRY(find_hidden(ex, mat_sub(A, 0, 0, r, r), tol, &p));
    while (p >= 0) {
        const mat_t first = mat_cols(A, 0, r - 1);
        const mat_t rest = mat_cols(A, r - 1, A.cols - r + 1);

        GSVD_TRY(put_last(ex, A, p, r, perm, tau)); /* 10 */
        GSVD_TRY(
            ex->op->pivot_columns(ex, first, 0, r - 1, tol, perm, tau, &r));
        GSVD_TRY(X(unmqr)(ex, 'L', 'C', first, r, tau, rest));
        GSVD_TRY(ex->op->pivot_columns(ex, A, r, min_i(A.rows, A.cols), tol,
                                       perm, tau, &r)); /* 11 */
        GSVD_TRY(find_hidden(ex, mat_sub(A, 0, 0, r, r), tol, &p));
    }
    *rank = r;
    return GSVD_SUCCESS;
}

/* -- the solvers --------------------------------------------------------------- */

static gsvd_status_t one_by_one(const exec_t *ex, const task_t *t)
{
    return ex->op->pivot_columns(ex, t->A, 0, min_i(t->A.rows, t->A.cols),
                                 t->tol, t->perm, t->tau, t->count); /* 7 */
}

static gsvd_status_t one_by_one_revealed(const exec_t *ex, const task_t *t)
{
    GSVD_TRY(one_by_one(ex, t));
    return t->tol > 0 && *t->count > 0
               ? reveal(ex, t->A, t->tol, t->perm, t->tau, t->count)
               : GSVD_SUCCESS;
}

/* Panels of winners, and the last columns one by one.  While the host waits for the
 * answer to 5, the device does 6, and 1 and 2 of the next panel. */
static gsvd_status_t panels(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const int64_t b = ex->tune->pivot_width, few = ex->tune->pivot_last;
    int64_t j = 0, last = 0;
    int chosen = 0; /* The winners from j on are known.                      */
    geqp_work_t w = {0};
    exec_t in = *ex;

    GSVD_TRY(take_sketch(&in, m, n, &w));
    while (j < r && j == last) {
        last = r;
        w.accepted = 0;
        if (r - j > few) {
            last = j + b;
            if (!chosen) {
                GSVD_TRY(sketch(&in, A, j, &w));
                GSVD_TRY(choose(&in, n - j, &w));
            }
            chosen = r - last > few;
            GSVD_TRY(
                take_panel(&in, A, j, chosen, t->tol, t->perm, t->tau, &w));
            if (chosen)
                GSVD_TRY(choose(&in, n - last, &w));
            GSVD_TRY(settle_panel(&in, A, j, t->tol, &w));
        }
        chosen = chosen && w.accepted;
        if (w.accepted)
            j = last;
        else
            GSVD_TRY(in.op->pivot_columns(&in, A, j, last, t->tol, t->perm,
                                          t->tau, &j)); /* 7 */
    }
    *t->count = j;
    return GSVD_SUCCESS;
}

/* -- where they are wanted, and their work ------------------------------------- */

static int is_asked_for(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return t->how == GSVD_PIVOT_NORM;
}

/* A sketch does not pay: there are few columns or rows, or so many of one of them that
 * a sketch and copies would be larger than the matrix; or it would lose small rows. */
static int is_unfit_for_sketch(const exec_t *ex, const task_t *t)
{
    const int64_t m = t->A.rows, n = t->A.cols;
    const int64_t b = ex->tune->pivot_width, rows = min_i(b + 8, SKETCH_ROWS);
    return (ex->policy.rowwise_stable && !ex->tune->pivot_graded) ||
           min_i(m, n) <= ex->tune->pivot_last ||
           (rows + 2 * b) * max_i(m, n) > 2 * m * n + SMALL_SKETCH;
}

/* of 10 and 11 */
static size_t reveal_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t m = t->A.rows, n = t->A.cols;
    const size_t index = (size_t)n * sizeof(int);
    const size_t qr = X(unmqr_work_bytes)(ex, m, min_i(m, n), n);
    return qr > index ? qr : index;
}

static size_t panels_bytes(const exec_t *ex, const task_t *t)
{
    arena_t count = {0};
    geqp_work_t w;
    carve(&count, ex, t->A.rows, t->A.cols, &w);
    return gsvd_arena_bytes(&count);
}

/* -- the choice ---------------------------------------------------------------- */

static const solver_t solver[] = {
    {"LAPACK's order", is_asked_for, NULL, NULL, one_by_one},
    {"columns one by one", is_unfit_for_sketch, NULL, reveal_bytes,
     one_by_one_revealed},
    {"panels by a tournament", NULL, NULL, panels_bytes, panels},
};
const solvers_t X(pivot_solvers) = SOLVERS("pivoted QR", solver);

size_t X(geqp_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    /* LAPACK's order takes no work. */
    return chosen_bytes(
        &X(pivot_solvers), ex,
        &(task_t){.A = mat_of_size(m, n), .how = GSVD_PIVOT_TOURNAMENT}, 0);
}

/* By tournaments, against QR without pivoting: 2.3 times the links, 3.6 times the operations */
double X(geqp_seconds)(const exec_t *ex, int64_t m, int64_t n)
{
    const double most = (double)max_i(m, n), least = (double)min_i(m, n);
    return seconds_of(ex, 2.3 * least,
                      7.2 * least * least * (most - least / 3));
}

gsvd_status_t X(geqpf)(const exec_t *ex, mat_t A, gsvd_pivot_t how, real_t tol,
                       int *perm, scalar_t *tau, int64_t *rank)
{
    const int64_t r = min_i(A.rows, A.cols);
    const task_t t = {.A = A,
                      .how = how,
                      .tol = tol,
                      .perm = perm,
                      .tau = tau,
                      .count = rank};

    *rank = 0;
    GSVD_TRY(ex->op->identity(ex, A.cols, perm));
    GSVD_TRY(run_solver(&X(pivot_solvers), ex, &t));
    const int64_t rest = r - *rank;
    return ex->op->set(ex, mat_view(tau + *rank, rest, 1, max_i(rest, 1)), 0,
                       0);
}
