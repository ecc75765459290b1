/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the SVD and the hyperbolic SVD of batches of small matrices on the CPU: LANES
 * matrices of one shape at a time, by the steps of pack.h. */
#include "batch/batch.h"
#include "batch/graded.h"
#include "batch/large_steps.h"
#include "batch/pack.h"
#include "batch/probe.h"
#include "batch/problem.h"
#include "batch/solvers.h"
#include "core/rotate.h"

/* The matrices of so many that follow one another are sorted into packs of one shape. */
enum { AHEAD = 64 };

/* Where rows are more, a matrix alone takes no longer. */
enum { MOST_ROWS = 512 };

static int packs_apply(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    (void)ex;
    return min_i(b->m, b->n) <= PACK_COLS && max_i(b->m, b->n) <= MOST_ROWS;
}

static size_t packs_bytes(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    note_qr_first(ex, b, LANES);
    return X(pack_bytes)(max_i(b->m, b->n), min_i(b->m, b->n));
}

/* The matrices of a pack, all m x n */
typedef struct pack_of {
    int64_t m, n, matrix[LANES];
    int count;
} pack_of_t;

static int64_t rows_of(const svd_batch_t *b, int64_t i)
{
    return b->each_m ? b->each_m[i] : b->m;
}
static int64_t cols_of(const svd_batch_t *b, int64_t i)
{
    return b->each_n ? b->each_n[i] : b->n;
}

static real_t *values_of(const svd_batch_t *b, int64_t i)
{
    return b->sigma.each ? b->sigma.each[i]
                         : b->sigma.data + i * b->sigma.stride;
}

/* The first one that is left of the matrices from `first` on, and those that have its shape;
 * *left loses them. */
static pack_of_t choose(const svd_batch_t *b, int64_t first, uint64_t *left)
{
    pack_of_t p = {.count = 0};
    for (int k = 0; k < AHEAD && p.count < LANES; ++k) {
        const int64_t i = first + k;
        if (!(*left >> k & 1))
            continue;
        const int64_t m = rows_of(b, i), n = cols_of(b, i);
        if (p.count > 0 && (m != p.m || n != p.n))
            continue;
        p.m = m;
        p.n = n;
        p.matrix[p.count++] = i;
        *left &= ~((uint64_t)1 << k);
    }
    return p;
}

/* w->sign of lane l := the signs of matrix i; w->info where they are not legal */
static void load_signs(const svd_batch_t *b, int64_t i, pack_t *w, int l)
{
    const int64_t *const J = b->J ? b->J + i * b->J_stride : NULL;
    int64_t plus = 0;
    int legal = 1;

    for (int64_t j = 0; j < w->N; ++j) {
        const int64_t sign = J ? J[j] : j < b->n_plus ? 1 : -1;
        legal &= sign == 1 || sign == -1;
        plus += sign == 1;
        w->sign[j][l] = sign == 1 ? 1 : -1;
    }
    if (!legal || plus != b->n_plus)
        w->info[l] = ILLEGAL_J;
}

/* A column of R of which less than 2^-DEPENDENT is outside the span of those before it: then rows may
 * say more about the values than columns do. */
enum { DEPENDENT = 1 };

/* R in place of matrix l, whose rows differ in length */
static void factor_rows(const svd_batch_t *b, const pack_of_t *p, pack_t *w,
                        int l)
{
    const crew_t alone = {0, 1, 0, 1, 0};
    const shape_t s = shape_of(b, p->matrix[l]);
    real_t length[PACK_COLS], largest = 0;

    for (int64_t j = 0; j < s.A.cols; ++j)
        for (int64_t i = 0; i < s.A.rows; ++i)
            largest = fmax_r(largest, abs_max(AT(s.A, i, j)));
    w->exponent[l] = scale_exponent(largest, s.rows, s.cols);
    w->lost[l] = graded_factor(alone, s, w->exponent[l], length, w->row[l],
                               w->column[l]) == SOME_DO_NOT;
}

/* ... of those that are not yet `graded` and are now, each R to its lane */
static void factor_graded(const svd_batch_t *b, const pack_of_t *p, pack_t *w,
                          const int *now)
{
    for (int l = 0; l < p->count; ++l) {
        if (now[l] && !w->graded[l])
            factor_rows(b, p, w, l);
        w->graded[l] |= now[l];
        if (w->graded[l]) {
            const shape_t s = shape_of(b, p->matrix[l]);
            X(pack_load_triangle)(w, l, s.A, s.transposed);
        }
    }
}

/* The matrices to their lanes, for the first time or again */
static void load_lanes(const svd_batch_t *b, const pack_of_t *p, pack_t *w)
{
    for (int l = 0; l < LANES; ++l) {
        const int64_t i = p->matrix[l < p->count ? l : 0];
        const mat_t none = {0};
        w->info[l] = 0;
        X(pack_load)
        (w, l, l < p->count ? matrix_of(&b->A, i, p->m, p->n) : none);
        for (int64_t j = 0; j < w->N; ++j)
            w->place[j][l] = j;
    }
}

static void load(const svd_batch_t *b, const pack_of_t *p, pack_t *w)
{
    int apart[LANES];

    w->M = max_i(p->m, p->n);
    w->N = min_i(p->m, p->n);
    w->next = w->M * ENTRY;
    w->sweeps = 0;
    w->with_signs = b->with_signs;
    /* the left factor of A^H is V */
    w->with_z = b->with_signs || p->m < p->n ? b->v_cols > 0 : b->u_cols > 0;
    load_lanes(b, p, w);
    for (int l = 0; l < LANES; ++l) {
        const int64_t i = p->matrix[l < p->count ? l : 0];
        w->todo[l] = 1;
        w->unfinished[l] = 0;
        w->graded[l] = w->uneven[l] = w->lost[l] = 0;
        if (b->with_signs)
            load_signs(b, i, w, l);
        for (int64_t j = 0; j < w->N; ++j)
            w->sign[j][l] = b->with_signs ? w->sign[j][l] : 1;
    }
    if (b->with_signs || w->N == 1)
        return;
    X(pack_rows_apart)(w, apart, w->uneven);
    factor_graded(b, p, w, apart);
}

/* w->sign := of the columns place[0], ... */
static void sort_signs(pack_t *w)
{
    for (int l = 0; l < LANES; ++l) {
        int plus = 0;
        for (int64_t j = 0; j < w->N; ++j)
            plus += w->sign[j][l] > 0;
        for (int64_t j = 0; j < w->N; ++j)
            w->sign[j][l] = j < plus ? 1 : -1;
    }
}

/* Columns of graded lanes are in their order, of 2^exponent times the matrix. */
static void keep_pivots(pack_t *w)
{
    for (int l = 0; l < LANES; ++l)
        for (int64_t j = 0; j < w->N && w->graded[l]; ++j) {
            w->e[j][l] -= w->exponent[l];
            w->place[j][l] = j;
        }
}

/* ... which are these of the caller's, behind step 2 */
static void tell_pivots(pack_t *w)
{
    for (int l = 0; l < LANES; ++l)
        for (int64_t j = 0; j < w->N && w->graded[l]; ++j)
            w->place[j][l] = w->column[l][j];
}

/* Steps 1 and 2 */
static void triangles(pack_t *w)
{
    const real_t tol = (real_t)max_i(w->M, 16) * GSVD_EPS;
    column_reals_t key;

    X(pack_scale)(w, ILLEGAL_A, key);
    if (!w->with_signs)
        X(pack_order)(w->N, w->sign, key, w->place);
    keep_pivots(w);
    X(pack_permute)(w);
    tell_pivots(w);
    X(pack_qr)(w);
    if (w->with_signs) {
        X(pack_refuse_dependent)(w, ldexp_r(1, exponent_r(tol) + 1));
        X(pack_order)(w->N, w->sign, key, w->place);
        sort_signs(w);
    }
}

/* The lanes of *again := those with rows that differ as columns do, where columns depend on others.  Are
 * there any? */
static int rows_count(const pack_of_t *p, const pack_t *w, int *again)
{
    int uneven = 0, some = 0;

    for (int l = 0; l < p->count; ++l)
        uneven |= w->uneven[l] && !w->graded[l];
    if (!uneven || !X(pack_depends)(w, DEPENDENT, again))
        return 0;
    for (int l = 0; l < LANES; ++l) {
        again[l] &= l < p->count && w->uneven[l] && !w->graded[l];
        some |= again[l];
    }
    return some;
}

/* Steps 1 to 3.  Where rows count after all, they are sorted: all lanes are loaded again. */
static void prepare(const svd_batch_t *b, const pack_of_t *p, pack_t *w)
{
    int again[LANES];

    triangles(w);
    if (rows_count(p, w, again)) {
        load_lanes(b, p, w);
        factor_graded(b, p, w, again);
        triangles(w);
    }
    X(pack_start)(w);
    if (w->with_signs && w->N > 1)
        X(pack_probe)(w);
}

/* Sweeps until no lane turns a pair; w->unfinished: they have not ended. */
static void sweep_columns(const policy_t *policy, pack_t *w)
{
    const real_t tol = jacobi_tolerance(policy->tol_jacobi, w->N);
    const int most = w->sweeps + policy->max_sweeps;
    int left = 1;

    while (w->sweeps < most && left) {
        X(pack_refresh)(w);
        left = X(pack_sweep)(w, tol);
    }
    X(pack_refresh)(w);
    for (int l = 0; l < LANES; ++l) {
        w->unfinished[l] |= w->todo[l];
        w->todo[l] = 0;
    }
}

/* Step 4; w->unfinished of the lanes that have no result yet.  The product of lengths of columns that
 * need not be orthogonal says nothing. */
static void make_orthogonal(const policy_t *policy, pack_t *w)
{
    const int loose = is_loose_tolerance(policy->tol_jacobi, w->N);
    const int tested = w->with_signs && w->N > 1 && (w->with_z || !loose);
    int left = 1;

    for (int mends = 0; left; ++mends) {
        sweep_columns(policy, w);
        left = tested && X(pack_test)(w) && mends < MENDS && X(pack_mend)(w);
    }
    for (int l = 0; l < LANES && tested; ++l)
        w->unfinished[l] |= (w->wrong[l] & PACK_WRONG) != 0;
}

void X(fill_nan)(mat_t C)
{
    for (int64_t j = 0; j < C.cols && C.data; ++j)
        for (int64_t i = 0; i < C.rows; ++i)
            AT(C, i, j) = make((real_t)NAN, (real_t)NAN);
}

/* Lane l's results to those of matrix i */
static void store(const svd_batch_t *b, const pack_of_t *p, pack_t *w, int l)
{
    const int64_t i = p->matrix[l];
    const int exchanged = p->m < p->n; /* U is the right factor of A^H       */
    const int signed_ = w->with_signs;
    const mat_t U = matrix_of(&b->U, i, p->m, b->u_cols > 0 ? w->N : 0);
    const mat_t V = matrix_of(&b->V, i, p->n, b->v_cols > 0 ? w->N : 0);
    const mat_t left = exchanged ? V : U, right = exchanged ? U : V;
    real_t *const sigma = values_of(b, i);
    int overflow = 0;

    for (int64_t j = 0; j < w->N; ++j) {
        const real_t s = w->sigma[w->order[j][l]][l];
        overflow |= !(s <= GSVD_REAL_MAX);
        sigma[j] = w->info[l] != 0 ? (real_t)NAN : s;
    }
    if (w->info[l] != 0) {
        X(fill_nan)(U);
        X(fill_nan)(V);
        b->info[i] = info_of_svd(b, (int)w->info[l]);
        return;
    }
    X(pack_store)(w, l, signed_ ? w->X : w->Z, NULL, left);
    X(pack_store)(w, l, signed_ ? w->Z : w->X, w->place, right);
    if (w->graded[l] && left.cols > 0)
        graded_apply((crew_t){0, 1, 0, 1, 0}, shape_of(b, i), w->row[l], left);
    b->info[i] = overflow ? 2 : w->unfinished[l] != 0 || w->lost[l];
}

/* Steps 5 and 6 */
static void finish(const svd_batch_t *b, const pack_of_t *p, pack_t *w)
{
    const int right = p->m < p->n ? b->u_cols > 0 : b->v_cols > 0;

    X(pack_normalize)(w);
    X(pack_order)(w->N, w->sign, w->sigma, w->order);
    for (int l = 0; l < p->count && right && !w->with_signs; ++l)
        X(pack_complete)(w, l);
    if (w->with_signs && b->u_cols > 0)
        X(pack_apply_q)(w, w->X);
    if (!w->with_signs && w->with_z)
        X(pack_apply_q)(w, w->Z);
    for (int l = 0; l < p->count; ++l)
        store(b, p, w, l);
}

static gsvd_status_t by_packs(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    const int64_t M = max_i(b->m, b->n), N = min_i(b->m, b->n);
    void *memory;

    GSVD_TRY(X(kernel_work)(ex, packs_bytes(ex, t), &memory));
    pack_t *const w = X(pack_over)(memory, M, N);
    for (int64_t first = 0; first < b->count; first += AHEAD) {
        const int64_t count = min_i(AHEAD, b->count - first);
        uint64_t left = ~(uint64_t)0 >> (AHEAD - count);
        while (left) {
            const pack_of_t p = choose(b, first, &left);
            load(b, &p, w);
            prepare(b, &p, w);
            make_orthogonal(&ex->policy, w);
            finish(b, &p, w);
        }
    }
    return GSVD_SUCCESS;
}

/* -- the solvers ---------------------------------------------------------------- */

static const solver_t solver[] = {
    {"large steps", X(svd_large_steps_wanted), X(svd_large_steps_apply),
     X(svd_large_steps_bytes), X(svd_by_large_steps)},
    {"packs", NULL, packs_apply, packs_bytes, by_packs}};
const solvers_t X(svd_solvers_cpu) = SOLVERS("SVD of each", solver);
