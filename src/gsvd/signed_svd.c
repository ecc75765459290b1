/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed_svd.c -- the eigenvalues of a Hermitian matrix out of its SVD, H = U S V^H (Dopico, Molera
 * and Moro 2003).
 *
 *     1  t_j := Re u_j^H v_j, J_j := the sign of t_j; j is open where |t_j| < 3/4
 *     2  null, if one of s_j <= n eps s_1 is open: M := V^H U of these columns, and the
 *        columns of M - M^H that are not short.  There s_j is 0 up to rounding
 *     3  blocks: an open j that is not null, with all s within `near` of s_j.  M := V^H U of a block;
 *        (I + M) / 2 is the projector onto the eigenvectors of positive values, M's trace
 *        tells their number, and its pivots are the columns with J = 1
 *     4  the sum of t_j is the trace of V^H U, an integer.  If the sum of J is another one, some
 *        block is too small: near grows, and 3 again
 *     5  V := (V + U J) / 2, but for null columns; w := J s
 *
 * u_j = J_j v_j where s_j is no other eigenvalue's absolute value.  Of a pair s, -s any basis of
 * their space will do for U and V, and v_j + u_j is the part of v_j that belongs to +s: whatever J
 * is, no columns of different s are mixed.  Pivots that span the range of a projector well leave
 * columns that span its null space as well (complementary minors).
 *
 * If H U = V S and H V = U S but for errors E, then columns j and k of (V + U J) / 2 have a cosine of
 * about |E| / |w_j - w_k|.  It is not small where both values are next to rounding of |H|, of
 * unequal sign or not.  To take from one column its part along the other one changes H V - V W by
 * |E|, so that QR may mend all columns together.
 */
#include <math.h>
#include <string.h>

#include "gsvd/eigh.h"

enum {
    SMALL = 64, /* columns of a block whose pivots the host finds             */
    ROUNDS = 5  /* of 3 and 4                                                 */
};

#define OPEN ((real_t)0.75)
#define NEAR (GSVD_SINGLE ? (real_t)1e-3 : (real_t)1e-8)
#define WIDEN 100
#define NOT_SHORT ((real_t)0.1)

/* 1 - |t_j| with which the columns of V are orthogonal to rounding */
#define LITTLE_LEAN(n) (8 * sqrt_r((real_t)(n)) * GSVD_EPS)

/* On the host, n of each */
typedef struct signs {
    int64_t n;
    real_t *s, *t; /* t behind s, as in eigh_work_t                           */
    real_t *w, *mean; /* mean behind w: J, or 0 for a null column             */
    real_t *J;
    int *null;
    int64_t *lo, *hi; /* the blocks: columns lo to hi - 1                     */
    int64_t blocks;
    scalar_t *block; /* as eigh_work_t's                                      */
} signs_t;

int64_t X(find_signs_rows)(int64_t n) { return min_i(n, SMALL); }

static void take(arena_t *a, int64_t n, signs_t *x)
{
    x->n = n;
    x->s = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    x->w = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    x->J = gsvd_arena_take(a, n, sizeof(real_t));
    x->null = gsvd_arena_take(a, n, sizeof(int));
    x->lo = gsvd_arena_take(a, n, sizeof(int64_t));
    x->hi = gsvd_arena_take(a, n, sizeof(int64_t));
    x->block = gsvd_arena_take(a, X(find_signs_rows)(n) * n, sizeof(scalar_t));
}

size_t X(find_signs_staging)(int64_t n)
{
    arena_t count = {0};
    signs_t x;
    take(&count, n, &x);
    return gsvd_arena_bytes(&count);
}

static int is_open(const signs_t *x, int64_t j)
{
    return !(fabs_r(x->t[j]) >= OPEN) && !x->null[j];
}

/* -- 1 and 2 --------------------------------------------------------------------- */

/* Waits. */
static gsvd_status_t read_factors(const exec_t *ex, const eigh_work_t *w,
                                  signs_t *x)
{
    const int64_t n = x->n;

    GSVD_TRY(ex->op->column_dots(ex, w->U, w->V, w->sigma + n));
    GSVD_TRY(ex->op->values_read(ex, 2 * n, w->sigma, x->s));
    x->t = x->s + n;
    x->mean = x->w + n;
    for (int64_t j = 0; j < n; ++j) {
        x->J[j] = x->t[j] < 0 ? -1 : 1;
        x->null[j] = x->s[j] == 0;
    }
    return GSVD_SUCCESS;
}

/* Waits if one of the last columns is open. */
static gsvd_status_t find_null(const exec_t *ex, const eigh_work_t *w,
                               signs_t *x)
{
    const int64_t n = x->n;
    int64_t first = n;
    int open = 0;

    while (first > 0 && x->s[first - 1] <= 4 * (real_t)n * GSVD_EPS * x->s[0])
        open |= is_open(x, --first);
    if (!open)
        return GSVD_SUCCESS;
    const int64_t b = n - first;
    const mat_t U = mat_cols(w->U, first, b), V = mat_cols(w->V, first, b);
    const mat_t N = mat_sub(w->T, 0, 0, b, b);
    real_t *const length = (real_t *)x->block;
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, U, N));
    GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', U, V, N));
    GSVD_TRY(ex->op->column_norms(ex, N, w->zero));
    GSVD_TRY(ex->op->values_read(ex, b, w->zero, length));
    for (int64_t j = 0; j < b; ++j)
        x->null[first + j] |= !(length[j] <= NOT_SHORT);
    return GSVD_SUCCESS;
}

/* -- 3 and 4 ---------------------------------------------------------------------- */

static void find_blocks(signs_t *x, real_t near)
{
    const real_t *const s = x->s;

    x->blocks = 0;
    for (int64_t j = 0; j < x->n; ++j) {
        int64_t lo = j, hi = j + 1;
        if (!is_open(x, j))
            continue;
        while (lo > 0 && s[lo - 1] * (1 - near) <= s[j])
            --lo;
        while (hi < x->n && s[hi] >= s[j] * (1 - near))
            ++hi;
        if (x->blocks > 0 && lo < x->hi[x->blocks - 1]) {
            x->hi[x->blocks - 1] = hi;
            continue;
        }
        x->lo[x->blocks] = lo;
        x->hi[x->blocks++] = hi;
    }
}

/* The columns of block k that have J = 1 */
static int64_t plus_of(const signs_t *x, int64_t k)
{
    const int64_t b = x->hi[k] - x->lo[k];
    double trace = 0;
    for (int64_t j = x->lo[k]; j < x->hi[k]; ++j)
        trace += (double)x->t[j];
    const double plus = rint(((double)b + trace) / 2);
    return plus > 0 ? min_i((int64_t)plus, b) : 0;
}

/* J := 1 for so many pivots of the Cholesky factorization of (I + M) / 2, which takes the place of M in P,
 * -1 for the others */
static void pivots(mat_t P, int64_t plus, real_t *J)
{
    const int64_t b = P.cols;

    for (int64_t j = 0; j < b; ++j) {
        J[j] = -1;
        for (int64_t i = 0; i <= j; ++i) {
            const scalar_t sum = add(AT(P, i, j), conj_of(AT(P, j, i)));
            AT(P, i, j) = add(make(i == j ? (real_t)0.5 : 0, 0),
                              scale((real_t)0.25, sum));
            AT(P, j, i) = conj_of(AT(P, i, j));
        }
    }
    for (int64_t step = 0; step < plus; ++step) {
        int64_t k = -1;
        for (int64_t j = 0; j < b; ++j)
            if (J[j] < 0 && (k < 0 || re(AT(P, j, j)) > re(AT(P, k, k))))
                k = j;
        const real_t d = re(AT(P, k, k));
        J[k] = 1;
        for (int64_t j = 0; j < b && d > 0; ++j) {
            const scalar_t c = scale(1 / d, conj_of(AT(P, j, k)));
            for (int64_t i = 0; i < b && J[j] < 0; ++i)
                AT(P, i, j) = sub(AT(P, i, j), mul(AT(P, i, k), c));
        }
    }
}

/* The small blocks.  Waits if there are some. */
static gsvd_status_t small_blocks(const exec_t *ex, const eigh_work_t *w,
                                  signs_t *x)
{
    const int64_t ld = w->block.rows;
    int64_t from = x->n, to = 0;

    for (int64_t k = 0; k < x->blocks; ++k) {
        const int64_t lo = x->lo[k], b = x->hi[k] - lo;
        if (b > SMALL)
            continue;
        GSVD_TRY(ex->op->gemm(ex, 'C', 'N', mat_cols(w->V, lo, b),
                              mat_cols(w->U, lo, b),
                              mat_sub(w->block, 0, lo, b, b)));
        from = min_i(from, lo);
        to = x->hi[k];
    }
    if (to == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(read_matrix)(ex, mat_cols(w->block, from, to - from),
                            x->block + from * ld));
    for (int64_t k = 0; k < x->blocks; ++k) {
        const int64_t lo = x->lo[k], b = x->hi[k] - lo;
        if (b <= SMALL)
            pivots(mat_view(x->block + lo * ld, b, b, ld), plus_of(x, k),
                   x->J + lo);
    }
    return GSVD_SUCCESS;
}

/* Block k, of many columns: those of J = -1 are the pivots of I - M.  Waits. */
static gsvd_status_t large_block(const exec_t *ex, const eigh_work_t *w,
                                 signs_t *x, int64_t k)
{
    const int64_t lo = x->lo[k], b = x->hi[k] - lo;
    const int64_t minus = b - plus_of(x, k);
    const mat_t M = mat_sub(w->T, 0, 0, b, b);
    const mat_t ones = mat_sub(w->column, 0, 0, b, 1);
    const mat_t J = mat_sub(w->column, 0, 1, b, 1);
    int64_t rank;

    GSVD_TRY(ex->op->set(ex, M, 0, 1));
    GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', mat_cols(w->V, lo, b),
                              mat_cols(w->U, lo, b), M));
    GSVD_TRY(X(geqpf)(ex, M, ex->policy.pivot, sqrt_r(GSVD_EPS), w->order,
                      w->tau, &rank));
    GSVD_TRY(ex->op->set(ex, ones, 1, 1));
    GSVD_TRY(ex->op->set(ex, mat_rows(ones, 0, minus), -1, -1));
    GSVD_TRY(ex->op->permute_rows(ex, ones, w->order, J));
    GSVD_TRY(X(read_matrix)(ex, J, x->block));
    for (int64_t j = 0; j < b; ++j)
        x->J[lo + j] = re(x->block[j]);
    return GSVD_SUCCESS;
}

/* 4: how far the sum of J is from that of t */
static double missing(const signs_t *x)
{
    double sum = 0;
    for (int64_t j = 0; j < x->n; ++j)
        if (!x->null[j])
            sum += (double)x->J[j] - (double)x->t[j];
    return fabs(sum);
}

static gsvd_status_t sign_blocks(const exec_t *ex, const eigh_work_t *w,
                                 signs_t *x)
{
    real_t near = NEAR;

    for (int round = 0; round < ROUNDS; ++round) {
        find_blocks(x, near);
        GSVD_TRY(small_blocks(ex, w, x));
        for (int64_t k = 0; k < x->blocks; ++k)
            if (x->hi[k] - x->lo[k] > SMALL)
                GSVD_TRY(large_block(ex, w, x, k));
        if (x->blocks == 0 || missing(x) < 1)
            break;
        near *= WIDEN;
    }
    return GSVD_SUCCESS;
}

/* -- all ----------------------------------------------------------------------------- */

gsvd_status_t X(find_signs)(const exec_t *ex, const eigh_work_t *w, int *loose,
                            int *good)
{
    arena_t host = gsvd_arena_over(ex->staging.data, ex->staging.bytes);
    signs_t x;

    take(&host, w->H.cols, &x);
    *loose = 0;
    GSVD_TRY(read_factors(ex, w, &x)); /* 1 */
    GSVD_TRY(find_null(ex, w, &x));    /* 2 */
    GSVD_TRY(sign_blocks(ex, w, &x));  /* 3, 4 */
    *good = missing(&x) < 1;
    for (int64_t j = 0; j < x.n; ++j) {
        const real_t J = x.null[j] ? 1 : x.J[j];
        x.w[j] = J * x.s[j];
        x.mean[j] = x.null[j] ? 0 : J;
        *loose |=
            x.null[j] || is_open(&x, j) ||
            (x.n < UNITARY_LEAST && !(1 - fabs_r(x.t[j]) <= LITTLE_LEAN(x.n)));
    }
    GSVD_TRY(ex->op->values_write(ex, 2 * x.n, x.w, w->w));
    return ex->op->signed_mean(ex, w->U, w->V, w->w + x.n); /* 5 */
}
