/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed_steps.c -- one-sided Jacobi with a signature J, by steps of full size.
 *
 *     G = E L K^-1, K^H J K = J';  L := G, D := C J, and then D turns with L's columns,
 *     since C K^-H = C J K J'
 *
 *     1  columns of L sorted by length; L = Q R, E := E Q, L := R, unless all are of like
 *        length
 *     2  P := the J-orthonormal columns of L^H: L^H = P S, P^H J P = J', S block upper
 *        triangular, by bands of like length (below);  L := L J P J' = S^H, and D
 *     3  1 and 2 until the largest cosine of two columns of L is small
 *     4  simultaneous steps until the columns are orthogonal (steps.c)
 *     5  columns partitioned by sign, G := E L, C := D J'
 *
 * Step 2 is what QR of L^H is without signs, where Jacobi goes on on the other side: L^H has
 * columns that differ in length as L's do, and S^H has cosines of two columns of the
 * square of the ratio of their lengths at most, where L had any.  S is not
 * triangular but has diagonal blocks, for LDL^H needs pivots, and these come from
 * eigenvectors: for each band B of columns of L^H, the longest first,
 *
 *     H = B^H J B = W Lambda W^H,  P(:,band) = B Y for Y = W |Lambda|^(-1/2),
 *     J'(band) = the signs of Lambda, and the columns behind the band lose what they have
 *     of P(:,band)
 *
 * For a single band that is all: L := S^H has orthogonal columns.  Else columns that two
 * bands part are left, which the next pass takes together: its bands begin half a band
 * earlier.
 *
 * P errs relative to the lengths of the columns that it connects, and where the columns of
 * G are far from dependent after scaling it is about as long as J: then lengths keep
 * their relative accuracy.  Where P is long, or has other signs than J, or steps make no
 * progress, sweeps go on (sweep.c).
 */
#include "jacobi/steps.h"
#include "qr/qr.h"

/* Lengths in a band differ by less than 2^WIDEST, or all of them by less than
 * 2^(WIDEST + ONE).  Eigenvalues of H differ by the square of that, and the least of them
 * has to have its sign: where that fails bands are made half as wide. */
enum {
    WIDEST = GSVD_SINGLE ? 6 : 14,
    NARROWEST = 2,
    ONE = GSVD_SINGLE ? 2 : 4,
    PASSES = 8 /* of 1 and 2                                                  */
};

/* By way of P the matrices G and C fit together up to eps |P|^2, where sweeps err by
 * eps |P|: columns of the product of all P may be so long. */
#define LONGEST ((real_t)40)
/* ... where there are no sweeps, and such P have failed */
#define LONGEST_ON_GRID (1 / sqrt_r(GSVD_EPS))

size_t X(signed_steps_bytes)(const exec_t *ex, const task_t *t)
{
    return X(are_many)(ex, t->A.cols) ? X(steps_bytes)(ex, t, 1) : 0;
}

static int of_like_length(const real_t *d, int64_t n, int width)
{
    return d[n - 1] > 0 && bits_between(d, 0, n - 1) < width + ONE;
}

/* How lengths are cut into bands */
typedef struct cut {
    int pass, width;
} cut_t;

/* The column behind the band of column a */
static int64_t behind(const real_t *d, int64_t n, int64_t a, cut_t cut)
{
    return of_like_length(d, n, cut.width)
               ? n
               : band_end(d, n, a, cut.pass, cut.width);
}

/* -- 2: J-orthonormal columns -------------------------------------------------- */

/* Columns [a, b) of P := P Y, next[a:b) := their signs; the columns behind := what they have
 * beside these, and w->H := P^H J P of those.  *sure: eigen's */
static gsvd_status_t orthonormalize_band(const exec_t *ex, mat_t P, int64_t a,
                                         int64_t b, real_t *next,
                                         const steps_work_t *w, int *sure)
{
    const int64_t k = b - a, rest = P.cols - b;
    const mat_t Y = mat_sub(w->H, a, a, k, k), Q = mat_cols(P, a, k);
    const mat_t Z = mat_view(w->spare.data, rest, k, max_i(rest, 1));
    const mat_t ZJ = mat_view(w->K.data, rest, k, max_i(rest, 1));
    exec_t in = *ex;

    in.work = gsvd_arena_over(w->eigen.data, w->eigen.bytes);
    if (GSVD_ON_GRID) /* where one triangle is read, and both are tested      */
        GSVD_TRY(ex->op->hermitian(ex, 'L', Y));
    GSVD_TRY(X(eigen)(&in, Y, w->x + a, sure));
    GSVD_TRY(ex->op->signed_roots(ex, k, w->x + a, w->d + a, next + a));
    GSVD_TRY(ex->op->normalize_columns(ex, Y, w->d + a, Y));
    GSVD_TRY(X(steps_times)(ex, Q, Y, w));
    if (rest == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', mat_sub(w->H, b, a, rest, k), Y, Z));
    GSVD_TRY(ex->op->normalize_columns(ex, Z, next + a, ZJ));
    GSVD_TRY(
        ex->op->gemm_sub(ex, 'N', 'C', ZJ, Z, mat_sub(w->H, b, b, rest, rest)));
    return ex->op->gemm_sub(ex, 'N', 'C', Q, ZJ, mat_cols(P, b, rest));
}

/* Are as many of n signs 1 after as before, and the others -1?  host: n numbers */
static gsvd_status_t same_inertia(const exec_t *ex, int64_t n,
                                  const real_t *before, const real_t *after,
                                  real_t *host, int *same)
{
    int64_t sum = 0, zeros = 0;

    GSVD_TRY(ex->op->values_read(ex, n, before, host));
    for (int64_t j = 0; j < n; ++j)
        sum += host[j] > 0 ? 1 : -1;
    GSVD_TRY(ex->op->values_read(ex, n, after, host));
    for (int64_t j = 0; j < n; ++j) {
        sum -= host[j] > 0 ? 1 : -1;
        zeros += host[j] == 0;
    }
    *same = sum == 0 && zeros == 0;
    return GSVD_SUCCESS;
}

/* s->length := its product with the longest column of P.  *done := 0 where that is too long,
 * or NaN, and s->length is as before.  host: as many numbers as P has columns */
static gsvd_status_t lengthen(const exec_t *ex, steps_t *s, mat_t P,
                              real_t *host, const steps_work_t *w, int *done)
{
    real_t longest = 0;

    GSVD_TRY(ex->op->column_norms(ex, P, w->x));
    GSVD_TRY(ex->op->values_read(ex, P.cols, w->x, host));
    *done = 1;
    for (int64_t j = 0; j < P.cols; ++j) {
        *done &= host[j] <= s->most;
        longest = fmax_r(longest, host[j]);
    }
    *done &= s->length * longest <= s->most;
    if (*done)
        s->length *= longest;
    return GSVD_SUCCESS;
}

/* P, whose columns are nearly J-orthonormal with the signs `after`, becomes so.  *done := 0
 * where that fails, or P is too long.  host: as many numbers as P has columns */
static gsvd_status_t finish_p(const exec_t *ex, steps_t *s, mat_t P,
                              const real_t *before, const real_t *after,
                              real_t *host, const steps_work_t *w, int *done)
{
    GSVD_TRY(same_inertia(ex, P.cols, before, after, host, done));
    if (*done)
        GSVD_TRY(lengthen(ex, s, P, host, w, done));
    return *done ? X(steps_polish)(ex, P, before, after, w, done)
                 : GSVD_SUCCESS;
}

/* -- 1, 2: a pass ---------------------------------------------------------------- */

/* 1: L = Q R, L := R, E := E Q */
static gsvd_status_t reduce(const exec_t *ex, steps_t *s, const steps_work_t *w)
{
    const mat_t Q = s->L, R = w->K;
    const int64_t n = Q.cols;

    GSVD_TRY(X(geqrf)(ex, Q, w->tau));
    GSVD_TRY(ex->op->copy(ex, mat_rows(Q, 0, n), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(X(ungqr)(ex, Q, n, w->tau));
    if (s->E.data) {
        GSVD_TRY(X(steps_times)(ex, s->E, Q, w));
    } else {
        s->E = w->E;
        GSVD_TRY(ex->op->copy(ex, Q, s->E));
    }
    s->L = mat_rows(Q, 0, n);
    return ex->op->copy(ex, R, s->L);
}

/* w->P := the columns of L^H sorted by length, s->d, each over the length of the first of
 * its band */
static gsvd_status_t columns_of_other_side(const exec_t *ex, steps_t *s,
                                           cut_t cut, const steps_work_t *w)
{
    const int64_t n = s->L.cols;
    steps_t other = {.L = w->P, .d = s->d};

    GSVD_TRY(ex->op->ctrans(ex, s->L, w->P));
    GSVD_TRY(X(steps_sort)(ex, &other, w));
    for (int64_t a = 0, b; a < n; a = b) {
        b = behind(s->d, n, a, cut);
        GSVD_TRY(ex->op->values_set(ex, a, b, s->d[a], w->x));
    }
    return ex->op->normalize_columns(ex, w->P, w->x, w->P);
}

/* L and D := their columns times these signs */
static gsvd_status_t flip_both(const exec_t *ex, const steps_t *s,
                               const real_t *sign)
{
    GSVD_TRY(X(steps_flip)(ex, s->L, sign));
    return X(steps_flip)(ex, s->D, sign);
}

/* 1 and 2.  *done := 0 where L stays, but for 1. */
static gsvd_status_t pass_once(const exec_t *ex, steps_t *s, cut_t cut,
                               const steps_work_t *w, int *done)
{
    const int64_t n = s->L.cols;
    const mat_t P = w->P;
    real_t *const sign = s->sign, *const next = s->next;
    int all_sure = 1;

    *done = s->d[n - 1] > 0;
    if (!*done)
        return GSVD_SUCCESS;
    if (cut.pass > 0 || s->L.rows > n || !of_like_length(s->d, n, cut.width))
        GSVD_TRY(reduce(ex, s, w)); /* 1 */
    GSVD_TRY(columns_of_other_side(ex, s, cut, w));
    GSVD_TRY(X(steps_gram)(ex, P, sign, mat_sub(w->H, 0, 0, n, n), w));
    for (int64_t a = 0, b; a < n; a = b) {
        int sure = s->sure;
        b = behind(s->d, n, a, cut);
        GSVD_TRY(orthonormalize_band(ex, P, a, b, next, w, &sure));
        all_sure &= sure;
    }
    s->sure = all_sure; /* what a repetition would have to be                */
    GSVD_TRY(finish_p(ex, s, P, sign, next, s->d, w, done));
    if (!*done)
        return GSVD_SUCCESS;
    GSVD_TRY(flip_both(ex, s, sign));
    GSVD_TRY(X(steps_turn)(ex, s, 0, P, w));
    GSVD_TRY(flip_both(ex, s, next));
    s->sign = next;
    s->next = sign;
    return GSVD_SUCCESS;
}

/* 1 to 3.  *done := 0 where a pass failed with bands of every width. */
static gsvd_status_t passes(const exec_t *ex, steps_t *s, const steps_work_t *w,
                            outcome_t *out, int *done)
{
    cut_t cut = {0, WIDEST};
    GSVD_TRY(X(steps_sort)(ex, s, w));
    for (; cut.pass < PASSES; ++cut.pass) {
        GSVD_TRY(pass_once(ex, s, cut, w, done));
        X(steps_count)(ex, s, out);
        if (*done)
            GSVD_TRY(X(steps_measure)(ex, s, w));
        else if (s->sure)
            cut.width /= 2;
        s->sure = !*done;
        if (!X(steps_may_go_on)(ex, s, out) || cut.width < NARROWEST ||
            (*done && !(s->cosine > SMALL_COSINE)))
            return GSVD_SUCCESS;
        if (!*done)
            GSVD_TRY(X(steps_sort)(ex, s, w));
    }
    return GSVD_SUCCESS;
}

/* -- clusters ----------------------------------------------------------------- */

/* S = L(:, a:b) has nearly orthogonal columns of like length: with M = S^H S, scaled to be
 * nearly I, and B = (3 I - M) / 2, nearly M^(-1/2), S B has orthogonal columns, and so has
 * S B Y for the eigenvectors Y of B J B, as in 2. */
static gsvd_status_t diagonalize(const exec_t *ex, steps_t *s, int64_t a,
                                 int64_t b, const steps_work_t *w)
{
    const int64_t n = b - a;
    const mat_t S = mat_cols(s->L, a, n), unit = spare_for(w, S);
    const mat_t P = mat_sub(w->P, 0, 0, n, n);
    real_t *const sign = s->sign + a, *const next = s->next + a, defect;
    int done, sure = 1;

    GSVD_TRY(ex->op->values_set(ex, 0, n, s->d[a], w->x));
    GSVD_TRY(ex->op->normalize_columns(ex, S, w->x, unit));
    GSVD_TRY(ex->op->gram(ex, unit, P));
    GSVD_TRY(ex->op->newton_schulz(ex, P, NULL, &defect));
    GSVD_TRY(X(steps_gram)(ex, P, sign, mat_sub(w->H, 0, 0, n, n), w));
    GSVD_TRY(orthonormalize_band(ex, P, 0, n, next, w, &sure));
    GSVD_TRY(finish_p(ex, s, P, sign, next, s->d + a, w, &done));
    if (!done)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->identity(ex, n, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, n, next, w->perm, sign));
    return X(steps_turn)(ex, s, a, P, w);
}

/* -- the driver ------------------------------------------------------------------ */

/* 5 */
static gsvd_status_t deliver(const exec_t *ex, steps_t *s, mat_t G,
                             const steps_work_t *w)
{
    const mat_t product = spare_for(w, G);
    const int64_t n = G.cols;

    GSVD_TRY(X(steps_flip)(ex, s->D, s->sign));
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, n, s->sign, w->zero, w->perm));
    GSVD_TRY(X(steps_permute)(ex, s->D, w));
    GSVD_TRY(X(steps_permute)(ex, s->L, w));
    if (!s->E.data) /* L stands in G.                                        */
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', s->E, s->L, product));
    return ex->op->copy(ex, product, G);
}

gsvd_status_t X(signed_steps)(const exec_t *ex, const task_t *t)
{
    const mat_t G = t->A, C = t->C;
    const real_t tight = X(unitary_tolerance)(ex, G.rows);
    const real_t asked = X(asked_tolerance)(ex, G.rows);
    exec_t in = *ex;
    steps_work_t w;
    task_t left = *t;
    int done = 0;

    X(steps_carve)(&in.work, ex->lent, t, 1, &w);
    in.lent.cols = 0;
    GSVD_TRY(X(work_suffices)(&in));
    in.products = (buffer_t){0}; /* Split products round more.               */
    if (ex->staging.bytes < (size_t)G.cols * sizeof(real_t))
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "signed steps: no staging memory");
    steps_t s = {.L = G,
                 .D = C,
                 .aim = AIM_COLUMNS,
                 .tol = asked < tight ? asked : tight,
                 .d = ex->staging.data,
                 .sign = w.sign,
                 .next = w.next,
                 .length = 1,
                 .most = GSVD_ON_GRID && t->sure > JACOBI ? LONGEST_ON_GRID
                                                          : LONGEST,
                 .diagonalize = diagonalize};
    GSVD_TRY(in.op->values_set(&in, 0, t->k, 1, s.sign));
    GSVD_TRY(in.op->values_set(&in, t->k, G.cols, -1, s.sign));
    GSVD_TRY(X(steps_flip)(&in, C, s.sign));
    GSVD_TRY(passes(&in, &s, &w, t->out, &done));
    if (done)
        GSVD_TRY(X(steps_run)(&in, &s, &w, t->out));
    GSVD_TRY(deliver(&in, &s, G, &w)); /* 5 */
    if (done && s.cosine <= s.tol)
        return GSVD_SUCCESS;
    left.sure = t->sure + 1;
    if (X(steps_may_go_on)(ex, &s, t->out))
        return run_solver(&X(orthogonalize_signed_solvers), ex, &left);
    t->out->unfinished = 1;
    return GSVD_SUCCESS;
}
