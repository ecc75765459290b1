/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* large_steps.c -- one-sided Jacobi by steps of full size.
 *
 *     G = E L D^H, or E L^H D^H once the sides have changed places; L := G, C := C D
 *
 *     1  columns of L sorted by length and cut into bands of like length; for each
 *        band S: eigenvectors X of S^H S, L := L X, D := D X
 *     2  until the largest cosine of two columns is small:
 *        L = Q R, E := E Q, L := R^H, the sides change places; 1, cut half a band later
 *     3  until the columns are orthogonal, a simultaneous step:
 *        T = the angles of the rotations of all pairs, P = exp(T) unitary, L := L P,
 *        D := D P
 *     4  G := E L, C := C D; where the sides are exchanged, L = W Sigma: G := E Sigma,
 *        C := C D W
 *
 * All of it acts on columns: QR of sorted columns is stable column by column, a Gram
 * matrix is formed of columns of like length or of normalized ones, and the angles are
 * graded as the columns are.  So lengths keep their relative accuracy, however small
 * they are against others.  Step 3 converges quadratically, but not from everywhere: where
 * it makes no progress, block Jacobi or sweeps go on from the columns that it leaves.
 */
#include <limits.h>

#include "core/rotate.h"
#include "jacobi/jacobi.h"
#include "qr/qr.h"

enum {
    BAND = 13,   /* Lengths in a band differ by less than 2^13, ...          */
    ONE = 18,    /* ... or all lengths by less than 2^18.                    */
    PASSES = 6,  /* of 1 and 2; hard matrices need 4                         */
    STEPS = 16,  /* of 3; all that converge need fewer                       */
    POLISH = 10, /* steps of Newton and Schulz                               */
    GROUP = 8,   /* So many neighbours of like length count as a cluster.    */
    POWERS = 6   /* steps of the power method                                */
};

/* Cosines below this leave step 3 one step or two. */
#define SMALL_COSINE ((real_t)(GSVD_SINGLE ? 1e-2 : 1e-5))

typedef struct work {
    mat_t E;        /* m x n                                                 */
    mat_t spare;    /* of the larger of L's and C's rows, n columns          */
    mat_t K, P;     /* n x n                                                 */
    buffer_t eigen; /* spare, K and all behind: the work of eigenvectors     */
    scalar_t *tau;
    real_t *d, *x, *zero;
    int *perm;
} work_t;

typedef struct state {
    mat_t L, D; /* D.data == NULL: not wanted                                */
    mat_t E;    /* E.data == NULL: I, or not wanted                          */
    aim_t aim;
    int identity; /* D = I, still                                            */
    int exchanged;
    int count;     /* of passes and steps                                    */
    real_t cosine; /* the largest of two columns; the cosines are in K       */
    real_t tol;    /* of cosines                                             */
    real_t *d;     /* the lengths of L's columns, descending, on the host    */
} state_t;

/* rows_of_c: -1 for lengths alone.  spare and K come last: eigenvectors have them and all
 * that lies behind them. */
static void carve(arena_t *a, int64_t m, int64_t n, int64_t rows_of_c,
                  work_t *w)
{
    w->E = X(take_matrix)(a, rows_of_c < 0 ? 0 : m, n);
    w->P = X(take_matrix)(a, n, n);
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
    w->x = gsvd_arena_take(a, n, sizeof(real_t));
    w->zero = gsvd_arena_take(a, n, sizeof(real_t));
    w->perm = gsvd_arena_take(a, n, sizeof(int));
    const size_t before = a->used;
    w->spare = X(take_matrix)(a, max_i(m, rows_of_c), n);
    w->K = X(take_matrix)(a, n, n);
    w->eigen.data = w->spare.data;
    w->eigen.bytes = a->used - before;
}

/* xSYEVD counts its 2 n^2 + 6 n + 1 numbers of work by 32 bits. */
int X(are_many)(const exec_t *ex, int64_t n)
{
    return n >= ex->tune->large_steps && n <= 32765;
}

size_t X(large_steps_bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t k)
{
    arena_t count = {0};
    work_t w;

    if (!X(are_many)(ex, n))
        return 0;
    const size_t drivers[] = {X(geqrf_work_bytes)(ex, m, n),
                              X(ungqr_work_bytes)(ex, m, n, n)};
    const size_t eigen = X(eigen_work_bytes)(ex, n);
    carve(&count, m, n, k, &w);
    const size_t behind[] = {
        LARGEST(drivers) + ex->op->kernel_bytes(ex, KERNELS_PANELS, m, n, n),
        eigen > w.eigen.bytes ? eigen - w.eigen.bytes : 0};
    return gsvd_arena_bytes(&count) + LARGEST(behind);
}

/* -- products and orders ---------------------------------------------------- */

/* The part of the room for products that a matrix of M's size takes */
static mat_t spare_for(const work_t *w, mat_t M)
{
    return mat_view(w->spare.data, M.rows, M.cols, max_i(M.rows, 1));
}

/* M := M Y, unless M is absent */
static gsvd_status_t times(const exec_t *ex, mat_t M, mat_t Y, const work_t *w)
{
    const mat_t product = spare_for(w, M);
    if (!M.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', M, Y, product));
    return ex->op->copy(ex, product, M);
}

static gsvd_status_t permute(const exec_t *ex, mat_t M, const work_t *w)
{
    const mat_t permuted = spare_for(w, M);
    if (!M.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->permute_columns(ex, M, w->perm, permuted));
    return ex->op->copy(ex, permuted, M);
}

/* The factor that turns with the columns of L */
static mat_t beside(const state_t *s) { return s->exchanged ? s->E : s->D; }

static int descend(const real_t *d, int64_t n)
{
    int64_t j = 1;
    while (j < n && d[j] <= d[j - 1])
        ++j;
    return j >= n;
}

/* w->d and s->d := the lengths of L's columns */
static gsvd_status_t lengths(const exec_t *ex, const state_t *s,
                             const work_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, s->L, w->d));
    return ex->op->values_read(ex, s->L.cols, w->d, s->d);
}

/* Sorts the columns of L by descending length, and the factor's with them. */
static gsvd_status_t sort(const exec_t *ex, state_t *s, const work_t *w)
{
    const int64_t n = s->L.cols;

    GSVD_TRY(lengths(ex, s, w));
    if (descend(s->d, n))
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, n, w->d, w->zero, w->perm));
    GSVD_TRY(permute(ex, s->L, w));
    GSVD_TRY(permute(ex, beside(s), w));
    s->identity = 0;
    return lengths(ex, s, w);
}

/* Sorts, and w->K := the cosines of all pairs of columns */
static gsvd_status_t measure(const exec_t *ex, state_t *s, const work_t *w)
{
    const mat_t unit = spare_for(w, s->L);

    GSVD_TRY(sort(ex, s, w));
    GSVD_TRY(ex->op->normalize_columns(ex, s->L, w->d, unit));
    GSVD_TRY(ex->op->gram(ex, unit, w->K));
    return ex->op->largest_cosine(ex, w->K, &s->cosine);
}

/* P := its unitary factor.  *done := 0 where P is too far from unitary, and then P is of
 * no use.  Overwrites w->K. */
static gsvd_status_t make_unitary(const exec_t *ex, mat_t P, const work_t *w,
                                  int *done)
{
    const mat_t E = mat_sub(w->K, 0, 0, P.cols, P.cols);
    const real_t least = sqrt_r((real_t)P.cols) * GSVD_ULP;
    const real_t small = sqrt_r(GSVD_EPS);

    *done = 0;
    for (int step = 0; step < POLISH && !*done; ++step) {
        real_t defect;
        GSVD_TRY(ex->op->gram(ex, P, E));
        GSVD_TRY(ex->op->newton_schulz(ex, E, &defect));
        if (!(defect < 3)) /* NaN, too                                       */
            return GSVD_SUCCESS;
        if (defect > least)
            GSVD_TRY(times(ex, P, E, w));
        *done = defect <= small; /* and now its square                       */
    }
    return GSVD_SUCCESS;
}

/* L and the factor beside it := their products with P, in columns from a on */
static gsvd_status_t turn(const exec_t *ex, state_t *s, int64_t a, mat_t P,
                          const work_t *w)
{
    const mat_t F = beside(s);
    const int all = s->identity && !s->exchanged && P.cols == F.cols;

    GSVD_TRY(times(ex, mat_cols(s->L, a, P.cols), P, w));
    if (!F.data)
        return GSVD_SUCCESS;
    if (!s->exchanged)
        s->identity = 0;
    return all ? ex->op->copy(ex, P, F)
               : times(ex, mat_cols(F, a, P.cols), P, w);
}

/* M := M (I + T), T skew-Hermitian, unless M is absent */
static gsvd_status_t add_times(const exec_t *ex, mat_t M, mat_t T,
                               const work_t *w)
{
    const mat_t before = spare_for(w, M);
    if (!M.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, M, before));
    return ex->op->gemm_sub(ex, 'N', 'C', before, T, M);
}

/* -- 1, 2: bands -------------------------------------------------------------- */

/* Columns [a, b) of like length := orthogonal, by eigenvectors of their Gram matrix, by
 * the sure road where the fast one's are not orthogonal; they stay where eigenvectors are
 * not found. */
static gsvd_status_t diagonalize(const exec_t *ex, state_t *s, int64_t a,
                                 int64_t b, const work_t *w)
{
    const int64_t n = b - a;
    const mat_t S = mat_cols(s->L, a, n), unit = spare_for(w, S);
    const mat_t K = mat_sub(w->P, 0, 0, n, n);
    exec_t in = *ex;
    int sure = 0, done = 0;

    in.work = gsvd_arena_over(w->eigen.data, w->eigen.bytes);
    for (int last = 0; !last && !done; last = sure, sure = 1) {
        GSVD_TRY(ex->op->values_set(ex, 0, n, s->d[a], w->x));
        GSVD_TRY(ex->op->normalize_columns(ex, S, w->x, unit));
        GSVD_TRY(ex->op->gram(ex, unit, K));
        GSVD_TRY(X(eigen)(&in, K, w->x, &sure));
        GSVD_TRY(make_unitary(ex, K, w, &done));
    }
    return done ? turn(ex, s, a, K, w) : GSVD_SUCCESS;
}

static int bits_between(const real_t *d, int64_t i, int64_t j)
{
    return exponent_r(d[i]) - exponent_r(d[j]);
}

/* The band of a length, counted from the longest; bands of odd passes begin half a band
 * earlier.  Columns of zeros are one. */
static int band_of(const real_t *d, int64_t j, int pass)
{
    const int from = pass % 2 ? BAND / 2 : 0;
    return d[j] == 0 ? INT_MAX : (bits_between(d, 0, j) + from) / BAND;
}

static gsvd_status_t diagonalize_bands(const exec_t *ex, state_t *s, int pass,
                                       const work_t *w)
{
    const real_t *const d = s->d;
    const int64_t n = s->L.cols;

    if (d[n - 1] > 0 && bits_between(d, 0, n - 1) < ONE)
        return diagonalize(ex, s, 0, n, w);
    for (int64_t a = 0, b; a < n; a = b) {
        for (b = a + 1; b < n && band_of(d, b, pass) == band_of(d, a, pass);)
            ++b;
        if (b > a + 1)
            GSVD_TRY(diagonalize(ex, s, a, b, w));
    }
    return GSVD_SUCCESS;
}

/* 2: what L's right side was becomes its left one. */
static gsvd_status_t exchange_sides(const exec_t *ex, state_t *s,
                                    const work_t *w)
{
    const mat_t Q = s->L, R = w->K;
    const int64_t n = Q.cols;
    const mat_t F = s->exchanged ? s->D : s->E;

    GSVD_TRY(X(geqrf)(ex, Q, w->tau));
    GSVD_TRY(ex->op->copy(ex, mat_rows(Q, 0, n), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    if (s->aim != AIM_LENGTHS)
        GSVD_TRY(X(ungqr)(ex, Q, n, w->tau));
    if (s->aim != AIM_LENGTHS && !s->exchanged && !s->E.data) {
        s->E = w->E;
        GSVD_TRY(ex->op->copy(ex, Q, s->E));
    } else {
        GSVD_TRY(times(ex, F, Q, w));
    }
    s->L = mat_rows(Q, 0, n);
    s->exchanged = !s->exchanged;
    return ex->op->ctrans(ex, R, s->L);
}

/* -- 3: simultaneous steps ------------------------------------------------------ */

/* *norm := |T|_2, nearly, from below */
static gsvd_status_t estimate_norm(const exec_t *ex, mat_t T, const work_t *w,
                                   real_t *norm)
{
    const int64_t n = T.cols;
    const mat_t x = mat_sub(w->spare, 0, 0, n, 2);
    const mat_t y = mat_sub(w->P, 0, 0, n, 2);
    real_t length[2];

    GSVD_TRY(ex->op->gaussian(ex, y, 1));
    for (int step = 0; step <= POWERS; ++step) {
        GSVD_TRY(ex->op->column_norms(ex, y, w->x));
        GSVD_TRY(ex->op->normalize_columns(ex, y, w->x, x));
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', T, x, y));
    }
    GSVD_TRY(ex->op->column_norms(ex, y, w->x));
    GSVD_TRY(ex->op->values_read(ex, 2, w->x, length));
    *norm = fmax_r(length[0], length[1]);
    return GSVD_SUCCESS;
}

/* Clusters of columns, next to each other and so near in length that cosines like these
 * ask for large angles, are diagonalized.  *found: there are some. */
static gsvd_status_t diagonalize_clusters(const exec_t *ex, state_t *s,
                                          const work_t *w, int *found)
{
    const int64_t n = s->L.cols;
    const real_t near = 1 - 4 * s->cosine;

    *found = 0;
    for (int64_t a = 0, b; a < n; a = b) {
        for (b = a + 1; b < n && s->d[b] >= near * s->d[b - 1]; ++b)
            ;
        if (b - a < GROUP)
            continue;
        *found = 1;
        GSVD_TRY(diagonalize(ex, s, a, b, w));
    }
    return GSVD_SUCCESS;
}

/* One step, with the cosines in w->K.  *uncut := 0 where T may have been scaled, or
 * clusters were diagonalized in its place. */
static gsvd_status_t step(const exec_t *ex, state_t *s, real_t tol,
                          int *clusters, const work_t *w, int *uncut)
{
    const mat_t T = w->K, P = w->P, S = spare_for(w, T);
    real_t bound, norm = 0;
    int done = 1;

    GSVD_TRY(ex->op->rotation_angles(ex, T, w->d, tol / 2, &bound));
    *uncut = bound <= 1;
    if (bound > 1 && *clusters) {
        GSVD_TRY(diagonalize_clusters(ex, s, w, clusters));
        if (*clusters) {
            *clusters = 0; /* not twice in turn                              */
            return GSVD_SUCCESS;
        }
    }
    *clusters = 1;
    if (bound * bound < GSVD_EPS) { /* I + T is unitary.                     */
        GSVD_TRY(add_times(ex, s->L, T, w));
        return add_times(ex, beside(s), T, w);
    }
    if (bound > 1)
        GSVD_TRY(estimate_norm(ex, T, w, &norm));
    GSVD_TRY(ex->op->gram(ex, T, S));
    GSVD_TRY(ex->op->second_order_exp(ex, T, S,
                                      1 / fmax_r(1, (real_t)1.2 * norm), P));
    if (bound * bound * bound * bound >= GSVD_EPS)
        GSVD_TRY(make_unitary(ex, P, w, &done));
    return done ? turn(ex, s, 0, P, w) : GSVD_SUCCESS;
}

/* -- the driver ------------------------------------------------------------------ */

/* 4 */
static gsvd_status_t deliver(const exec_t *ex, const state_t *s, int orthogonal,
                             mat_t G, const work_t *w)
{
    const mat_t product = spare_for(w, G);

    if (s->exchanged && s->aim == AIM_LENGTHS)
        return ex->op->set(
            ex, mat_sub(G, s->L.rows, 0, G.rows - s->L.rows, G.cols), 0, 0);
    if (!s->E.data) /* L stands in G.                                        */
        return GSVD_SUCCESS;
    if (s->exchanged && orthogonal) {
        if (s->D.data) {
            GSVD_TRY(ex->op->normalize_columns(ex, s->L, w->d, w->P));
            GSVD_TRY(times(ex, s->D, w->P, w));
        }
        return ex->op->scale_columns(ex, s->E, w->d, G);
    }
    GSVD_TRY(
        ex->op->gemm(ex, 'N', s->exchanged ? 'C' : 'N', s->E, s->L, product));
    return ex->op->copy(ex, product, G);
}

/* May another pass or step follow? */
static int may_go_on(const exec_t *ex, const state_t *s, const outcome_t *out)
{
    return !out->stopped && s->count < ex->policy.max_sweeps;
}

/* Counts a pass or step, and tells of it; one that is not the last has turned all pairs. */
static void count(const exec_t *ex, state_t *s, outcome_t *out)
{
    const policy_t *const policy = &ex->policy;
    const int64_t n = s->L.cols;
    const int64_t turned = s->cosine <= s->tol ? 0 : n * (n - 1) / 2;
    ++s->count;
    ++out->sweeps;
    if (policy->progress)
        out->stopped =
            policy->progress(policy->progress_user, out->sweeps, turned);
}

/* 1 and 2 */
static gsvd_status_t passes(const exec_t *ex, state_t *s, const work_t *w,
                            outcome_t *out)
{
    GSVD_TRY(sort(ex, s, w));
    for (int pass = 0;; ++pass) {
        GSVD_TRY(diagonalize_bands(ex, s, pass, w)); /* 1 */
        GSVD_TRY(measure(ex, s, w));
        count(ex, s, out);
        if (!may_go_on(ex, s, out) || !(s->cosine > SMALL_COSINE) ||
            pass == PASSES - 1)
            return GSVD_SUCCESS;
        GSVD_TRY(exchange_sides(ex, s, w)); /* 2 */
        GSVD_TRY(sort(ex, s, w));
    }
}

/* 3 */
static gsvd_status_t steps(const exec_t *ex, state_t *s, real_t tol,
                           const work_t *w, outcome_t *out)
{
    int clusters = 1, uncut = 1;
    for (int k = 0; k < STEPS && s->cosine > tol && may_go_on(ex, s, out);
         ++k) {
        const real_t before = s->cosine;
        GSVD_TRY(step(ex, s, tol, &clusters, w, &uncut));
        GSVD_TRY(measure(ex, s, w));
        count(ex, s, out);
        if (uncut && !(s->cosine < before / 4))
            break;
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(large_steps)(const exec_t *ex, mat_t G, mat_t C, aim_t aim,
                             int64_t *rotations, int *unitary, outcome_t *out)
{
    const real_t tight = jacobi_tolerance(-1, G.rows);
    const real_t given = jacobi_tolerance(ex->policy.tol_jacobi, G.rows);
    const real_t tol = given < tight ? given : tight; /* L becomes a factor. */
    state_t s = {.L = G,
                 .D = C,
                 .aim = aim,
                 .identity = aim == AIM_FROM_IDENTITY,
                 .tol = tol,
                 .d = ex->staging.data};
    exec_t in = *ex;
    work_t w;

    carve(&in.work, G.rows, G.cols,
          aim == AIM_LENGTHS ? -1
          : C.data           ? C.rows
                             : 0,
          &w);
    GSVD_TRY(X(work_suffices)(&in));
    w.eigen.bytes += in.work.size - in.work.used;
    in.products = (buffer_t){0}; /* Split products round more.               */
    if (ex->staging.bytes < (size_t)G.cols * sizeof(real_t))
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "large steps: no staging memory");
    if (s.identity)
        GSVD_TRY(in.op->set(&in, C, 0, 1));
    GSVD_TRY(passes(&in, &s, &w, out));
    GSVD_TRY(steps(&in, &s, tol, &w, out));
    *unitary = s.cosine <= tol && s.d[G.cols - 1] > 0;
    GSVD_TRY(deliver(&in, &s, *unitary, G, &w)); /* 4 */
    if (*unitary)
        return GSVD_SUCCESS;
    if (may_go_on(ex, &s, out))
        return X(orthogonalize_surely)(
            ex, G, C, aim == AIM_FROM_IDENTITY ? AIM_COLUMNS : aim, rotations,
            unitary, out);
    out->unfinished = 1;
    return GSVD_SUCCESS;
}
