/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_svd.c -- the SVD of one matrix, A = U Sigma V^H: by bidiagonal form, if that is asked for
 * (bidiagonal_svd.c), or by one-sided Jacobi:
 *
 *     1  T = A, or A^H if m < n          M x N, M >= N
 *     2  T := 2^-e S T                   if entries are far from 1: the largest next to
 *                                        2^TOP; S sorts rows that differ in size
 *     3  T P = Q (R; 0)                  pivoted QR, R r x N, r = rank; or P sorts columns,
 *                                        or Q = P = I
 *     4  F := R^H, (F, J) := (F, I) K    Jacobi: columns of F orthogonal
 *     5  sigma = 2^e |f_j|, descending     F, J in the same order
 *     6  F = W |F|, J unitary            by QR, zero columns completed
 *     7  S^H T = S^H Q diag(J, I) Sigma (P W)^H
 *     8  factors unitary to rounding     make_unitary.c
 *
 * The pivoted QR preconditions (Drmac and Veselic 2008): Jacobi runs on the lower
 * trapezoid R^H, whose columns come sorted.  Large steps take as few passes on the R of
 * columns that are merely sorted by length, and as exact ones where rows are alike; where
 * columns are alike, too, and values not spread far, T^H itself does.  K is a product of
 * rotations whose lengths drift with their number, so that 6 takes the long columns first;
 * where K is unitary up to rounding, and no column is to be completed, lengths become 1, and
 * that is all.
 */
#include "core/notes.h"
#include "core/range.h"
#include "core/rotate.h"
#include "core/solver.h"
#include "gsvd/svd.h"

/* As hsvd's (run_hsvd.c): squares of lengths, and their sums, do not overflow, and what is short
 * has room below. */
enum { TOP = GSVD_SINGLE ? 40 : 450 };

/* Bits between the least number and ROTATE_TINY, and some more */
enum { ROOM = GSVD_SINGLE ? 32 : 64 };

enum { ROWS_APART = GSVD_SINGLE ? 120 : 1000 }; /* bits: look_at_rows         */

/* Bits that rows_count lets unsorted rows cost */
enum { DEPENDENT_BITS = 8 };

enum {
    COLUMNS_ALIKE = 8, /* in length: as rows in single_matrix.c              */
    PROBES = 8,        /* random vectors                                     */
    FLAT = 8           /* is_flat                                            */
};

typedef struct svd_work {
    mat_t T; /* M x N                                                        */
    mat_t F, J, F2, J2; /* N x N, room for what 4 to 6 need                  */
    scalar_t *tau, *tau2;
    real_t *x, *zero;
    const real_t *length; /* of F2's columns, or NULL                        */
    int *perm, *order;
    row_order_t rows; /* of T                                                */
    int64_t *rotations;
    real_t
        least; /* Values not above this may have been lost, if there are fewer others than
                     `nonzero` columns of T; 0: none.                         */
    int64_t nonzero;
    int only_rows; /* Digits are lost of T's rows alone, not of its columns.   */
    int scaled;  /* The largest entry of T is next to 2^TOP.                 */
    int up;      /* F is multiplied by 2^up, from 4 on.                      */
    int unitary; /* orthogonalize's answer                                   */
    int square;  /* R is T itself.                                           */
} svd_work_t;

/* The columns that are asked for of the left factor of T and of the right one */
typedef struct wanted {
    int64_t left, right;
} wanted_t;

static wanted_t wanted_of(const args_t *a)
{
    const int64_t u = matrix_u_cols(a), v = matrix_v_cols(a);
    const wanted_t w = {a->m < a->n ? v : u, a->m < a->n ? u : v};
    return w;
}

static void take(arena_t *a, int64_t m, int64_t n, wanted_t wanted,
                 svd_work_t *w)
{
    const int64_t N = min_i(m, n);
    const int64_t of_j = wanted.left > 0 ? N : 0;

    w->T = X(take_matrix)(a, m < n ? n : 0, N);
    w->F = X(take_matrix)(a, N, N);
    w->J = X(take_matrix)(a, of_j, of_j);
    w->tau = gsvd_arena_take(a, N, sizeof(scalar_t));
    w->tau2 = gsvd_arena_take(a, N, sizeof(scalar_t));
    w->x = gsvd_arena_take(a, N, sizeof(real_t));
    w->zero = gsvd_arena_take(a, N, sizeof(real_t));
    w->perm = gsvd_arena_take(a, N, sizeof(int));
    w->order = gsvd_arena_take(a, N, sizeof(int));
    w->rotations = gsvd_arena_take(a, 1, sizeof(int64_t));
    X(row_order_take)(a, max_i(m, n), max_i(N, wanted.left), &w->rows);
}

/* F2 and J2, in the memory that 4 works in: it begins when F has what F2 had, and 5 fills both anew. */
static void take_sorted(arena_t *a, int64_t N, wanted_t wanted, svd_work_t *w)
{
    const int64_t of_j = wanted.left > 0 ? N : 0;

    w->F2 = X(take_matrix)(a, N, N);
    w->J2 = X(take_matrix)(a, of_j, of_j);
}

/* For 4, in its room; on a grid the left factor is an array of ours, and nobody needs it until 7. */
static exec_t exec_of_jacobi(const exec_t *ex, arena_t room, mat_t left)
{
    exec_t in = *ex;
    in.work = room;
    if (GSVD_ON_GRID)
        in.lent = left;
    return in;
}

/* orthogonalize's: the rows that turn along, N, or none; -1 for the values alone */
static int64_t rows_turned(wanted_t wanted, int64_t N)
{
    return wanted.left > 0 ? N : wanted.right > 0 ? 0 : -1;
}

/* 8's memory, in the place of svd_work_t's */
static void carve_polish(arena_t *a, int64_t M, int64_t N, wanted_t wanted,
                         unitary_work_t *w)
{
    const factor_t F[] = {
        {mat_view(NULL, M, wanted.left, 1), min_i(wanted.left, N), 0},
        {mat_view(NULL, N, wanted.right, 1), wanted.right, 0}};
    X(unitary_carve)(a, N, F, 2, w);
}

static int bidiagonal_wanted(const exec_t *ex, const task_t *t)
{
    return !GSVD_ON_GRID && ex->policy.svd == GSVD_SVD_BIDIAGONAL &&
           X(bidiagonal_svd_applies)(ex, t->problem);
}

static gsvd_status_t measure_jacobi(const exec_t *ex, const args_t *a,
                                    need_t *need)
{
    const int64_t M = max_i(a->m, a->n), N = min_i(a->m, a->n);
    const wanted_t wanted = wanted_of(a);
    const int64_t k = wanted.left + wanted.right > 0 ? N : 0;
    const exec_t in = exec_of_jacobi(ex, ex->work, mat_of_size(M, wanted.left));
    size_t drivers = 0, orthogonal = 0, kernels = 0;
    arena_t count = {0}, last = {0};
    svd_work_t w;
    unitary_work_t of;

    GSVD_STEP(
        ex, &drivers, "QR, pivoted if columns differ", M, N, /* 3 */
        max_size(X(geqp_work_bytes)(ex, M, N), X(geqrf_work_bytes)(ex, M, N)),
        X(geqrf_seconds)(ex, M, N));
    GSVD_STEP(ex, &orthogonal, "one-sided Jacobi of R^H", N, N, /* 4 */
              X(orthogonalize_work_bytes)(&in, N, N, rows_turned(wanted, N)),
              X(orthogonalize_seconds)(ex, N));
    GSVD_STEP(ex, &drivers, "its factors by QR, unless unitary", k, k, /* 6 */
              max_size(X(geqrf_work_bytes)(ex, N, N),
                       X(ungqr_work_bytes)(ex, N, N, N)),
              0);
    GSVD_STEP(ex, &drivers, "Q applied", M, wanted.left, /* 7 */
              X(unmqr_work_bytes)(ex, M, N, wanted.left),
              X(unmqr_seconds)(ex, M, N, wanted.left));
    GSVD_STEP(
        ex, &kernels, "their primitives", M, N,
        ex->op->kernel_bytes(ex, KERNELS_ALL, M, N, max_i(N, wanted.left)), 0);
    take(&count, a->m, a->n, wanted, &w);
    orthogonal += gsvd_arena_bytes(&count);
    take_sorted(&count, N, wanted, &w);
    carve_polish(&last, M, N, wanted, &of);
    need->full = count.full | last.full;
    need->work = max_size(max_size(orthogonal, gsvd_arena_bytes(&last)),
                          gsvd_arena_bytes(&count) + drivers) +
                 kernels;
    GSVD_TRY(X(orthogonalize_staging)(ex, N, &need->staging));
    need->products = ex->op->products_bytes(ex, M, N, ex->tune->wide,
                                            most_for_products(M, N));
    return GSVD_SUCCESS;
}

/* Bidiagonal form, and Jacobi in the same memory, whose time does not count */
static gsvd_status_t measure_svd(const exec_t *ex, const args_t *a,
                                 need_t *need)
{
    const long long M = max_i(a->m, a->n), N = min_i(a->m, a->n);
    size_t staging;

    if (!bidiagonal_wanted(ex, &(task_t){.problem = a}))
        return measure_jacobi(ex, a, need);
    gsvd_note_begin(ex->h, "bidiagonal form, %lld x %lld", M, N);
    const size_t work = X(bidiagonal_svd_bytes)(ex, a, &staging);
    (void)gsvd_note_end(ex->h, work, X(bidiagonal_svd_seconds)(ex, a), 1);
    gsvd_note_begin(ex->h, "one-sided Jacobi, if a test fails, %lld x %lld", M,
                    N);
    GSVD_TRY(measure_jacobi(ex, a, need));
    need->work = max_size(work, gsvd_note_end(ex->h, need->work, 0, 0));
    need->staging = max_size(need->staging, staging);
    need->full |= work == SIZE_MAX;
    return GSVD_SUCCESS;
}

/* w->nonzero := the columns of T but zeros; *kept: those longer than least.  Waits. */
static gsvd_status_t count_columns(const exec_t *ex, mat_t T, real_t least,
                                   svd_work_t *w, int64_t *kept)
{
    const int64_t N = T.cols;
    real_t *const sorted = w->rows.size;

    GSVD_TRY(ex->op->column_norms(ex, T, w->x));
    GSVD_TRY(ex->op->values_set(ex, 0, N, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, N, w->x, w->zero, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, N, w->x, w->perm, sorted));
    GSVD_TRY(ex->op->values_lead(ex, N, sorted, w->zero, &w->nonzero));
    GSVD_TRY(ex->op->values_set(ex, 0, N, least, w->zero));
    return ex->op->values_lead(ex, N, sorted, w->zero, kept);
}

/* 2, before T is made smaller: does a column or a row of it lose digits that its direction needs?
 * Waits. */
static gsvd_status_t look_at_short(const exec_t *ex, mat_t T, int e,
                                   svd_work_t *w)
{
    const real_t least = ldexp_r(ROTATE_TINY, e);
    norms_t r;
    int64_t kept;

    GSVD_TRY(ex->op->norms_by_row(ex, T, w->rows.size, &r));
    GSVD_TRY(count_columns(ex, T, least, w, &kept));
    w->only_rows = kept == w->nonzero;
    if (!w->only_rows || r.least_row < least)
        w->least = least;
    return GSVD_SUCCESS;
}

/* 2, without S */
static gsvd_status_t scale_to_top(const exec_t *ex, mat_t T, const norms_t *r,
                                  int *e, svd_work_t *w)
{
    *e = X(far_exponent)(r);
    w->least = 0;
    w->only_rows = 1;
    w->scaled = *e != 0;
    if (!w->scaled)
        return GSVD_SUCCESS;
    *e -= TOP;
    if (*e > 0)
        GSVD_TRY(look_at_short(ex, T, *e, w));
    return ex->op->scale_pow2(ex, T, -*e);
}

/* 2, sorted: may an entry of a reflector be a denormal number, so that rows which are that small
 * beside others keep what these have in common with them?  Waits if so. */
static gsvd_status_t look_at_rows(const exec_t *ex, mat_t T,
                                  const norms_t *norms, svd_work_t *w)
{
    int64_t kept;

    if (w->rows.bits <= ROWS_APART)
        return GSVD_SUCCESS;
    w->least = fmax_r(w->least, ldexp_r(norms->largest, -ROWS_APART));
    return count_columns(ex, T, 0, w, &kept);
}

/* 3, factored: *yes: of each of the r columns more than 2^e is outside the span of those before it.  F2 is
 * overwritten.  Waits. */
static gsvd_status_t columns_lead(const exec_t *ex, mat_t T, int64_t r, int e,
                                  svd_work_t *w, int *yes)
{
    const mat_t R = mat_sub(w->F2, 0, 0, r, r), top = mat_sub(T, 0, 0, r, r);
    int64_t lead;

    GSVD_TRY(ex->op->copy(ex, top, R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(ex->op->scale_pow2(ex, R, e));
    GSVD_TRY(ex->op->column_norms(ex, R, w->zero));
    GSVD_TRY(X(diagonal_sizes)(ex, top, w->x));
    GSVD_TRY(ex->op->values_lead(ex, r, w->x, w->zero, &lead));
    *yes = lead == r;
    return GSVD_SUCCESS;
}

/* If the part of each column outside the span of those before it is more than rounding of the column,
 * columns say what the values are, and nothing is lost with rows.  Waits if rows lose something. */
static gsvd_status_t look_at_columns(const exec_t *ex, mat_t T, int64_t r,
                                     svd_work_t *w)
{
    const real_t tol = (real_t)max_i(T.rows, 16) * GSVD_EPS;
    int yes;

    if (w->least == 0 || !w->only_rows || w->square || r < w->nonzero)
        return GSVD_SUCCESS;
    GSVD_TRY(columns_lead(ex, T, r, exponent_r(tol) + 1, w, &yes));
    if (yes)
        w->least = 0;
    return GSVD_SUCCESS;
}

/* *yes: the rows were not sorted, as they are alike once columns are, and had to be, since columns depend on
 * others and rows may say more about the values.  Waits if rows are so. */
static gsvd_status_t rows_count(const exec_t *ex, mat_t T, int64_t r,
                                svd_work_t *w, int *yes)
{
    int lead = 1;
    if (w->rows.even && r == T.cols)
        GSVD_TRY(columns_lead(ex, T, r, -DEPENDENT_BITS, w, &lead));
    *yes = w->rows.even && (r < T.cols || !lead);
    return GSVD_SUCCESS;
}

/* 5: are there fewer values than T has columns, since those below w->least were lost?  Waits if
 * that may be. */
static gsvd_status_t find_lost(const exec_t *ex, const real_t *sigma,
                               const svd_work_t *w, outcome_t *out)
{
    const int64_t N = w->F.cols;
    int64_t kept;

    if (w->least == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->values_set(ex, 0, N, w->least, w->zero));
    GSVD_TRY(ex->op->values_lead(ex, N, sigma, w->zero, &kept));
    out->lost |= kept < w->nonzero;
    out->unfinished |= out->lost;
    return GSVD_SUCCESS;
}

/* w->rows.size := the lengths of T's columns, sorted; w->perm := their order.  *r := the columns
 * but zeros; *alike: none is much shorter than another.  Waits. */
static gsvd_status_t sort_lengths(const exec_t *ex, mat_t T, svd_work_t *w,
                                  int64_t *r, int *alike)
{
    const int64_t N = T.cols;
    real_t *const sorted =
        w->rows.size; /* Rows are sorted already, or not.      */
    real_t *const length = ex->staging.data;

    GSVD_TRY(ex->op->column_norms(ex, T, w->x));
    GSVD_TRY(ex->op->values_set(ex, 0, N, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, N, w->x, w->zero, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, N, w->x, w->perm, sorted));
    GSVD_TRY(ex->op->values_read(ex, N, sorted, length));
    for (*r = N; *r > 0 && length[*r - 1] == 0; --*r)
        ;
    *alike = *r == N && length[0] / COLUMNS_ALIKE <= length[N - 1];
    return GSVD_SUCCESS;
}

/* *yes: as many of T's singular values are of like size as N / FLAT, but for the largest
 * one, by (sum of their squares)^2 / sum of their fourth powers.  For a random matrix this is
 * N / 2, for values 1 to 10^-q geometrically N / 2.3 q.  The mean of |T x|^2 and
 * |T^H T x|^2 over Gaussian x is these sums.  Waits. */
static gsvd_status_t is_flat(const exec_t *ex, mat_t T, const svd_work_t *w,
                             int *yes)
{
    const int down =
        w->scaled ? -TOP : 0; /* Fourth powers are to be numbers.  */
    const int64_t N = T.cols;
    const mat_t x = mat_sub(w->F, 0, 0, N, PROBES);
    const mat_t y = mat_sub(w->F2, 0, 0, T.rows, PROBES);
    const mat_t z = mat_sub(w->F2, 0, PROBES, N, PROBES);
    const mat_t largest = mat_cols(z, 0, 1),
                c = mat_sub(w->F, 0, PROBES, 1, PROBES);
    real_t length[2 * PROBES];
    double squares = 0, fourth = 0;

    GSVD_TRY(ex->op->gaussian(ex, x, 1));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', T, x, y));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', T, y, z));
    GSVD_TRY(ex->op->column_norms(ex, z, w->x)); /* the largest one's vector */
    GSVD_TRY(ex->op->normalize_columns(ex, z, w->x, z));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', largest, x, c));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', largest, c, x));
    GSVD_TRY(ex->op->scale_pow2(ex, x, down));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', T, x, y));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', T, y, z));
    GSVD_TRY(ex->op->scale_pow2(ex, z, down));
    GSVD_TRY(ex->op->column_norms(ex, y, w->x));
    GSVD_TRY(ex->op->column_norms(ex, z, w->x + PROBES));
    GSVD_TRY(ex->op->values_read(ex, 2 * PROBES, w->x, length));
    for (int k = 0; k < PROBES; ++k) {
        squares += (double)length[k] * length[k] / PROBES;
        fourth += (double)length[PROBES + k] * length[PROBES + k] / PROBES;
    }
    *yes = squares * squares >= fourth * (double)N / FLAT;
    return GSVD_SUCCESS;
}

/* 3 without pivots where lengths are enough: P sorts columns by length.  Where T is square and its
 * columns are alike, R is T and Q is I if its values are of like size, since QR would not help
 * large steps then; if not, no length tells pivots from other columns. */
static gsvd_status_t sort_and_factor(const exec_t *ex, mat_t T, svd_work_t *w,
                                     int64_t *r)
{
    int alike;

    GSVD_TRY(sort_lengths(ex, T, w, r, &alike));
    if (alike && T.rows == T.cols)
        GSVD_TRY(is_flat(ex, T, w, &w->square));
    if (w->square)
        return ex->op->identity(ex, T.cols, w->perm);
    if (alike && T.rows == T.cols)
        return X(geqpf)(ex, T, ex->policy.pivot, 0, w->perm, w->tau, r);
    GSVD_TRY(X(rearrange)(ex, 'R', w->perm, T, w->rows.work));
    return X(geqrf)(ex, mat_cols(T, 0, *r), w->tau);
}

/* Are sorted columns not enough? */
static int pivots_wanted(const exec_t *ex, int64_t N, const svd_work_t *w)
{
    return w->rows.sorted || ex->policy.pivot == GSVD_PIVOT_NORM ||
           !X(take_large_steps)(ex, N);
}

/* Are the values alone asked for, of a matrix that they may be had of by a bidiagonal one? */
static int values_alone(const exec_t *ex, aim_t aim, const svd_work_t *w)
{
    return w->square && aim == AIM_LENGTHS && ex->op->singular_values &&
           !forced_solver(&X(orthogonalize_solvers), ex);
}

/* 4 for them: F, a single row, := T's singular values */
static gsvd_status_t row_of_values(const exec_t *ex, mat_t T, mat_t F,
                                   svd_work_t *w, outcome_t *out)
{
    const mat_t one = mat_sub(w->F2, 0, 0, 1, F.cols);
    int converged;

    GSVD_TRY(ex->op->singular_values(ex, T, w->x, &converged));
    out->unfinished |= !converged;
    GSVD_TRY(ex->op->set(ex, one, 1, 1));
    return ex->op->scale_columns(ex, one, w->x, F);
}

/* The power of two, as an exponent, by which F, a factor of T^H, is multiplied, so that
 * short columns are far from the least numbers.  Sweeps square lengths: the largest square is next
 * to the largest number then.  T's entries are at most 2^TOP where it was scaled.  Where it was not,
 * its least numbers need be no more than what sweeps turn: the more room there is below, the more
 * sweeps are spent on what is only rounding of a matrix of low rank. */
static int sweeps_exponent(const exec_t *ex, mat_t T, int64_t cols,
                           const svd_work_t *w)
{
    const int most = GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP;
    const int entries = exponent_r((real_t)T.rows * (real_t)T.cols);
    const int steps = X(take_large_steps)(ex, cols) || X(are_blocks)(ex, cols);
    if (cols < 2)
        return 0;
    if (steps)
        return w->scaled ? 0 : TOP - FAR_EXPONENT;
    return w->scaled ? (int)max_i((most - 6 - entries) / 2 - 1 - TOP, 0) : ROOM;
}

/* 4: F = R^H with orthogonal columns, J with the rotations */
static gsvd_status_t orthogonal_columns(const exec_t *ex, const exec_t *jacobi,
                                        mat_t T, mat_t F, mat_t J, aim_t aim,
                                        svd_work_t *w, outcome_t *out)
{
    const mat_t R = mat_sub(w->F2, 0, 0, F.cols, F.rows);

    if (values_alone(ex, aim, w))
        return row_of_values(ex, T, F, w, out);
    if (w->square) {
        GSVD_TRY(ex->op->ctrans(ex, T, F));
        return X(orthogonalize)(jacobi, F, J, aim, w->rotations, &w->unitary,
                                out);
    }
    GSVD_TRY(ex->op->copy(ex, mat_rows(T, 0, F.cols), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(ex->op->ctrans(ex, R, F));
    w->up = sweeps_exponent(ex, T, F.cols, w);
    if (w->up > 0)
        GSVD_TRY(ex->op->scale_pow2(ex, F, w->up));
    return X(orthogonalize)(jacobi, F, J, aim, w->rotations, &w->unitary, out);
}

/* 5: sigma, of which the last are 0; F2 and J2 are F and J in its order, F2 not scaled back.  T has
 * so many rows. */
static gsvd_status_t sort(const exec_t *ex, mat_t F, mat_t J, int64_t rows,
                          int e, real_t *sigma, svd_work_t *w, outcome_t *out)
{
    const int64_t r = F.cols;
    const mat_t F2 = mat_sub(w->F2, 0, 0, F.rows, r);
    const int shift = e - w->up;

    if (shift != 0) {
        GSVD_TRY(ex->op->copy(ex, F, F2)); /* Short ones may be denormal now. */
        GSVD_TRY(ex->op->scale_pow2(ex, F, shift));
    }
    GSVD_TRY(ex->op->column_norms(ex, F, w->x));
    GSVD_TRY(ex->op->values_set(ex, 0, r, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, r, w->x, w->zero, w->order));
    GSVD_TRY(ex->op->values_permute(ex, r, w->x, w->order, sigma));
    GSVD_TRY(ex->op->values_set(ex, r, w->F.cols, 0, sigma));
    if (r > 0)
        GSVD_TRY(X(test_overflow_of_value)(ex, sigma, rows, w->F.cols,
                                           w->scaled ? e + TOP : 0, out));
    GSVD_TRY(find_lost(ex, sigma, w, out));
    if (shift != 0)
        GSVD_TRY(ex->op->copy(ex, F2, F));
    w->length = shift == 0 ? sigma : NULL;
    GSVD_TRY(ex->op->permute_columns(ex, F, w->order, F2));
    return ex->op->permute_columns(ex, J, w->order,
                                   mat_sub(w->J2, 0, 0, J.rows, J.cols));
}

/* 6: are the columns of F2, or of J2, over their lengths all of a factor? */
static int are_columns(mat_t F2, mat_t X_, const svd_work_t *w)
{
    return w->unitary && F2.cols == X_.cols;
}

/* 7, the right factor: X_ := P W */
static gsvd_status_t right_factor(const exec_t *ex, mat_t F2, mat_t X_,
                                  const svd_work_t *w)
{
    const mat_t W =
        w->square ? X_ : mat_sub(w->F, 0, 0, X_.rows, X_.cols); /* P = I     */
    if (!X_.data)
        return GSVD_SUCCESS;
    if (are_columns(F2, X_, w)) {
        if (!w->length)
            GSVD_TRY(ex->op->column_norms(ex, F2, w->x));
        GSVD_TRY(
            ex->op->normalize_columns(ex, F2, w->length ? w->length : w->x, W));
    } else {
        GSVD_TRY(X(orthonormalize)(ex, F2, W, w->tau2));
    }
    return w->square ? GSVD_SUCCESS : ex->op->permute_rows(ex, W, w->perm, X_);
}

/* 7, the left factor: X_ := S^H Q diag(J, I); T is overwritten. */
static gsvd_status_t left_factor(const exec_t *ex, mat_t T, mat_t J2, mat_t X_,
                                 const svd_work_t *w)
{
    const int64_t r = J2.cols;
    if (!X_.data)
        return GSVD_SUCCESS;
    if (r < max_i(X_.rows, X_.cols))
        GSVD_TRY(ex->op->set(ex, X_, 0, 1));
    const mat_t X1 = mat_sub(X_, 0, 0, r, r);
    if (w->unitary) {
        GSVD_TRY(ex->op->column_norms(ex, J2, w->x));
        GSVD_TRY(ex->op->normalize_columns(ex, J2, w->x, X1));
    } else {
        GSVD_TRY(X(orthonormalize)(ex, J2, X1, w->tau2));
    }
    if (!w->square)
        GSVD_TRY(X(unmqr)(ex, 'L', 'N', T, r, w->tau, X_));
    return X(row_order_undo)(ex, X_, &w->rows);
}

/* 8: ex is the program's own. */
static gsvd_status_t polish(const exec_t *ex, int64_t M, int64_t N, mat_t left,
                            mat_t right, const int normal[2], outcome_t *out)
{
    const factor_t F[] = {{left, min_i(left.cols, N), normal[0]},
                          {right, right.cols, normal[1]}};
    const wanted_t wanted = {left.cols, right.cols};
    unitary_work_t w;
    exec_t in = *ex;

    carve_polish(&in.work, M, N, wanted, &w);
    GSVD_TRY(X(work_suffices)(&in));
    return X(make_unitary)(&in, F, 2, &w, out);
}

/* -- the solvers: the problem is the args_t ------------------------------------------- */

static gsvd_status_t by_bidiagonal_form(const exec_t *ex, const task_t *t)
{
    t->out->svd = GSVD_SVD_BIDIAGONAL;
    return X(bidiagonal_svd)(ex, t->problem, t->out, t->yes);
}

static gsvd_status_t by_jacobi(const exec_t *ex, const task_t *t)
{
    const args_t *const a = t->problem;
    outcome_t *const out = t->out;
    const int64_t m = a->m, n = a->n, N = min_i(m, n);
    const wanted_t wanted = wanted_of(a);
    const mat_t A = operand_of(a, OPERAND_A, m, n);
    const mat_t U =
        operand_of(a, OPERAND_U, m, m < n ? wanted.right : wanted.left);
    const mat_t V =
        operand_of(a, OPERAND_V, n, m < n ? wanted.left : wanted.right);
    exec_t in = *ex;
    svd_work_t w;
    norms_t norms;
    int64_t r;
    int e, again;

    *t->yes = 1; /* There is no other solver.                                */
    out->svd =
        ex->policy.svd == GSVD_SVD_JACOBI ? GSVD_SVD_JACOBI : GSVD_SVD_AUTO;
    take(&in.work, m, n, wanted, &w);
    const arena_t room_of_jacobi = in.work;
    take_sorted(&in.work, N, wanted, &w);
    w.square = w.up = 0;
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(norms_if_finite)(&in, A, OPERAND_A, &norms, out));
    const mat_t T = m < n ? w.T : A; /* 1 */
    if (m < n)
        GSVD_TRY(in.op->ctrans(&in, A, T));
    GSVD_TRY(scale_to_top(&in, T, &norms, &e, &w)); /* 2 */
    GSVD_TRY(X(row_order_sort)(&in, T, &w.rows, &in.policy.rowwise_stable));
    GSVD_TRY(look_at_rows(&in, T, &norms, &w));
    if (pivots_wanted(&in, N, &w)) /* 3 */
        GSVD_TRY(X(geqpf)(&in, T, in.policy.pivot, 0, w.perm, w.tau, &r));
    else
        GSVD_TRY(sort_and_factor(&in, T, &w, &r));
    GSVD_TRY(look_at_columns(&in, T, r, &w));
    GSVD_TRY(rows_count(&in, T, r, &w, &again));
    if (again) { /* grid/svd.c                                              */
        out->dependent = 1;
        return GSVD_SUCCESS;
    }
    out->k = r;
    out->seconds_preprocess = gsvd_elapsed(out);

    const int64_t rj = wanted.left > 0 ? r : 0; /* J is for the left factor. */
    const aim_t aim = rj > 0             ? AIM_FROM_IDENTITY
                      : wanted.right > 0 ? AIM_COLUMNS
                                         : AIM_LENGTHS;
    const mat_t F = mat_sub(w.F, 0, 0, values_alone(&in, aim, &w) ? 1 : N, r),
                J = mat_view(rj > 0 ? w.J.data : NULL, rj, rj,
                             max_i(w.J.ld, 1));
    const mat_t F2 = mat_sub(w.F2, 0, 0, N, r);
    const mat_t J2 = mat_sub(w.J2, 0, 0, rj, rj);
    const exec_t jacobi = exec_of_jacobi(&in, room_of_jacobi, m < n ? V : U);
    GSVD_TRY(orthogonal_columns(&in, &jacobi, T, F, J, aim, &w, out)); /* 4 */
    out->seconds_solve = gsvd_elapsed(out) - out->seconds_preprocess;
    GSVD_TRY(sort(&in, F, J, T.rows, e, a->array[OPERAND_ALPHA], /* 5 */
                  &w, out));
    const mat_t left = m < n ? V : U, right = m < n ? U : V;
    GSVD_TRY(left_factor(&in, T, J2, left, &w)); /* 6, 7 */
    GSVD_TRY(right_factor(&in, F2, right, &w));
    const int normal[] = {w.square && are_columns(J2, left, &w),
                          are_columns(F2, right, &w)};
    return polish(ex, max_i(m, n), N, left, right, normal, out); /* 8 */
}

static const solver_t solver[] = {
    {"bidiagonal form", bidiagonal_wanted, NULL, NULL, by_bidiagonal_form},
    {"one-sided Jacobi", NULL, NULL, NULL, by_jacobi}};
static const solvers_t svd_solvers = SOLVERS("SVD", solver);

static gsvd_status_t run_svd(const exec_t *ex, const args_t *a, outcome_t *out)
{
    int done;
    return run_in_turn(&svd_solvers, ex,
                       &(task_t){.problem = a, .out = out, .yes = &done});
}

const program_t X(svd_program) = {measure_svd, run_svd, &X(svd_batches)};
