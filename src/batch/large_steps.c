/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* large_steps.c -- the SVD of each matrix of a batch by large steps: jacobi/large_steps.c for many
 * matrices of one shape at a time, without a host's wait.
 *
 *     1  X = 2^e A, scaled by its largest entry; lengths of its columns
 *     2  V = eigenvectors of -X^H X, so that the longest comes first, or of X itself where it is
 *        Hermitian, for eigenproblems;  X := X V
 *     3  as often as the tuning says: T = the angles of the rotations of all pairs of columns,
 *        P = I + T - S / 2 - T S / 8, S = T^H T;  X := X P,  V := V P.
 *        The first P makes V unitary, too, by a step of Newton and Schulz: P + (I - V^H V) / 2
 *     4  block Jacobi from X and V where the last step may have left too large a cosine; U, Sigma, V
 *
 * What one matrix needs the host does not know: all take the same steps, and a matrix that must
 * not take them, or need not, has I for V in 2 and P in 3.  Left to block Jacobi from the
 * start are matrices with columns so different in length that A V would lose the short ones,
 * those whose rows differ in length, of which it takes R^H (graded.h), those whose eigenvectors were
 * not found, and in the end those that the steps leave with a
 * cosine above the bound: clusters, since T has no large angles, and many small values, 1e-6 of
 * the largest and below (some 1e-3 in single precision): a few of them, however small, have small
 * angles with all others.
 *
 * P^H P = I + S^3 / 64: T is scaled where its rows' sums are so large that this is no rounding.
 * Most matrices are done before the last step, which is for those that are not; it has P = I + T,
 * P^H P = I + S.
 *
 * Products come from a library that chooses by the number of matrices: other bits in
 * another batch, but not from call to call. */
#include "batch/large_steps.h"

#include <string.h>

#include "batch/solvers.h"
#include "core/rotate.h"

/* of the matrices in one call of the library */
enum { MOST_ENTRIES = INT32_MAX };

/* V, C, P and E are n x n, X and W of X's size.  Eigenvectors have W, C, P and E for their work,
 * and all behind. */
typedef struct arrays {
    mats_t X, W, V, C, P, E;
    steps_batch_t s;
} arrays_t;

/* A batch's: the shape of its tall matrices */
static int64_t rows_of(const svd_batch_t *b) { return max_i(b->m, b->n); }
static int64_t cols_of(const svd_batch_t *b) { return min_i(b->m, b->n); }

static mats_t take_mats(arena_t *a, int64_t count, int64_t rows, int64_t cols)
{
    const mats_t A = {gsvd_arena_take(a, count * rows * cols, sizeof(scalar_t)),
                      count, rows, cols, rows * cols};
    return A;
}

/* Takes the arrays of `count` matrices.  *behind: bytes of those that eigenvectors do not have */
static void carve(arena_t *a, const svd_batch_t *b, int64_t count, arrays_t *w,
                  size_t *behind)
{
    const int64_t rows = rows_of(b), n = cols_of(b);
    w->X = take_mats(a, count, rows, n);
    w->V = take_mats(a, count, n, n);
    w->s.column = gsvd_arena_take(a, count * n, sizeof(real_t));
    w->s.length = gsvd_arena_take(a, count * n, sizeof(real_t));
    w->s.cosine = gsvd_arena_take(a, count, sizeof(real_t));
    w->s.bound = gsvd_arena_take(a, count, sizeof(real_t));
    w->s.exponent = gsvd_arena_take(a, count, sizeof(int));
    w->s.left = gsvd_arena_take(a, count, sizeof(int));
    w->s.row = gsvd_arena_take(a, 2 * count * n, sizeof(int));
    *behind = a->used;
    w->W = take_mats(a, count, rows, n);
    w->C = take_mats(a, count, n, n);
    w->P = take_mats(a, count, n, n);
    w->E = take_mats(a, count, n, n);
}

static size_t bytes_of(const exec_t *ex, const svd_batch_t *b, int64_t count)
{
    const size_t library =
        ex->op->batch_eigenvectors_bytes(ex, cols_of(b), count);
    arena_t a = {0};
    arrays_t w;
    size_t behind;
    carve(&a, b, count, &w, &behind);
    const size_t all = gsvd_arena_bytes(&a);
    const size_t found = all - a.used + behind + library;
    return library == SIZE_MAX || a.full ? SIZE_MAX : max_size(all, found);
}

/* Matrices at a time, and the bytes that they take.  All parts have so many, since the library
 * chooses by their number, and bits do not depend on a matrix's place: the last one begins
 * where some are done already. */
typedef struct plan {
    int64_t part;
    size_t bytes;
} plan_t;

/* of a batch that is not empty */
static plan_t plan_of(const exec_t *ex, const svd_batch_t *b)
{
    const int64_t rows = rows_of(b), n = cols_of(b);
    const size_t matrix = (size_t)(rows * n) * sizeof(scalar_t);
    const size_t most =
        max_size((size_t)ex->tune->batch_bytes, 2 * (size_t)b->count * matrix);
    int64_t part = max_i(min_i(b->count, MOST_ENTRIES / max_i(n * n, 1)), 1);
    while (part > 1 && bytes_of(ex, b, part) > most)
        part -= part / 2;
    const int64_t parts = (b->count + part - 1) / part;
    part = (b->count + parts - 1) / parts;
    const plan_t plan = {part, bytes_of(ex, b, part)};
    return plan;
}

/* -- the steps ------------------------------------------------------------------ */

static void exchange(mats_t *A, mats_t *B)
{
    const mats_t was = *A;
    *A = *B;
    *B = was;
}

/* n x n matrices in place of W's */
static mats_t square_of_W(const arrays_t *w)
{
    mats_t M = w->W;
    M.rows = M.cols;
    return M;
}

/* 1: X, and V := X or -X^H X.  Eigenvectors of a Hermitian X leave cosines of eps times X's condition,
 * those of X^H X of its square. */
static gsvd_status_t load(const exec_t *ex, const svd_batch_t *b, arrays_t *w)
{
    const mats_t none = {0};

    GSVD_TRY(ex->op->batch_load(ex, b, w->X, b->eigh ? w->V : none, &w->s));
    return b->eigh ? GSVD_SUCCESS : ex->op->batch_gram(ex, -1, w->X, w->V);
}

/* 2: V := its eigenvectors, and E = V^H V */
static gsvd_status_t find_eigenvectors(const exec_t *ex, arrays_t *w)
{
    exec_t in = *ex;
    in.work.base = (char *)w->W.data;
    in.work.size = ex->work.size - (size_t)(in.work.base - ex->work.base);
    in.work.used = 0;
    GSVD_TRY(ex->op->batch_eigenvectors(&in, w->V, &w->s));
    GSVD_TRY(ex->op->batch_gemm(ex, 'C', w->V, w->V, w->E));
    return ex->op->batch_unitary(ex, w->E, w->V, &w->s);
}

/* 3; angles that are left out are the same in all steps. */
static gsvd_status_t step(const exec_t *ex, arrays_t *w, real_t tol, int first)
{
    const mats_t none = {0}, R = square_of_W(w), E = first ? w->E : none;

    GSVD_TRY(ex->op->batch_gram(ex, 1, w->X, w->C));
    GSVD_TRY(ex->op->batch_angles(ex, w->C, E, tol / 2, MOST_TURN, 0, &w->s));
    GSVD_TRY(ex->op->batch_gemm(ex, 'C', w->C, w->C, w->P));
    GSVD_TRY(ex->op->batch_gemm(ex, 'N', w->C, w->P, R));
    GSVD_TRY(ex->op->batch_turns(ex, w->C, w->P, R, E, MOST_TURN, &w->s, w->P));
    GSVD_TRY(ex->op->batch_gemm(ex, 'N', w->X, w->P, w->W));
    exchange(&w->X, &w->W);
    GSVD_TRY(ex->op->batch_gemm(ex, 'N', w->V, w->P, w->C));
    exchange(&w->V, &w->C);
    return GSVD_SUCCESS;
}

/* 3, the last of several, for the matrices that may have a cosine above tol */
static gsvd_status_t last_step(const exec_t *ex, arrays_t *w, real_t tol)
{
    const mats_t none = {0}, T = w->C;

    GSVD_TRY(ex->op->batch_gram_open(ex, w->X, &w->s, tol, T));
    GSVD_TRY(ex->op->batch_angles(ex, T, none, tol / 2, MOST_TURN, tol, &w->s));
    GSVD_TRY(ex->op->batch_turn_open(ex, T, LAST_TURN, &w->s, w->X, w->W));
    return ex->op->batch_turn_open(ex, T, LAST_TURN, &w->s, w->V, w->P);
}

static gsvd_status_t solve(const exec_t *ex, const svd_batch_t *b, arrays_t *w)
{
    const real_t tol = jacobi_tolerance(ex->policy.tol_jacobi, w->X.rows);
    const int64_t steps = ex->tune->batch_steps;

    GSVD_TRY(load(ex, b, w));           /* 1 */
    GSVD_TRY(find_eigenvectors(ex, w)); /* 2 */
    GSVD_TRY(ex->op->batch_gemm(ex, 'N', w->X, w->V, w->W));
    exchange(&w->X, &w->W);
    GSVD_TRY(step(ex, w, tol, 1)); /* 3 */
    for (int64_t k = 2; k < steps; ++k)
        GSVD_TRY(step(ex, w, tol, 0));
    if (steps > 1)
        GSVD_TRY(last_step(ex, w, tol));
    return ex->op->batch_finish(ex, b, w->X, w->V, tol, &w->s); /* 4 */
}

/* -- the solver ------------------------------------------------------------------ */

int X(svd_large_steps_wanted)(const exec_t *ex, const task_t *t)
{
    const int64_t from = ex->tune->batch_large_steps;
    return from > 0 && cols_of(svd_batch_in(t)) >= from;
}

int X(svd_large_steps_apply)(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    const int64_t n = cols_of(b);
    return !b->with_signs && !b->each_m && n > 0 && n * n <= MOST_ENTRIES &&
           ex->op->batch_eigenvectors_bytes(ex, n, 1) < SIZE_MAX;
}

/* The steps in a plan's text */
static void note_steps(const exec_t *ex, const svd_batch_t *b, int64_t part)
{
    const long long m = rows_of(b), n = cols_of(b);
    gsvd_note(ex->h, 0, "scaled, %lld at a time, %lld x %lld", (long long)part,
              m, n);
    gsvd_note(ex->h, ex->op->batch_eigenvectors_bytes(ex, n, part),
              "eigenvectors of Gram matrices, %lld x %lld", n, n);
    gsvd_note(ex->h, 0, "turns of all pairs, %lld steps",
              (long long)ex->tune->batch_steps);
    gsvd_note(ex->h, 0, "sweeps where cosines are left; values and factors");
}

size_t X(svd_large_steps_bytes)(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    if (b->count == 0)
        return 0;
    const plan_t plan = plan_of(ex, b);
    if (ex->h->notes)
        note_steps(ex, b, plan.part);
    return plan.bytes;
}

gsvd_status_t X(svd_by_large_steps)(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    exec_t in = *ex;
    arrays_t w;
    size_t behind;
    void *memory;

    if (b->count == 0)
        return GSVD_SUCCESS;
    const plan_t plan = plan_of(ex, b);
    GSVD_TRY(X(kernel_work)(ex, plan.bytes, &memory));
    for (int64_t first = 0; first < b->count; first += plan.part) {
        in.work = gsvd_arena_over(memory, plan.bytes);
        carve(&in.work, b, plan.part, &w, &behind);
        GSVD_TRY(X(work_suffices)(&in));
        w.s.first = min_i(first, b->count - plan.part);
        GSVD_TRY(solve(&in, b, &w));
    }
    return GSVD_SUCCESS;
}
