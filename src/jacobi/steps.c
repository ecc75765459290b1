/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.c -- simultaneous steps, and the products and orders beside them.
 *
 *     T = the angles of the rotations of all pairs of columns of L,
 *     P = exp(T) to the second order, P^H J P = J;  L := L P,  D := D P
 *
 * with J the signs of the columns, I where all are equal.  L's columns are sorted by
 * length; T is graded as they are.
 */
#include "jacobi/steps.h"

#include "qr/qr.h"

/* A product goes through so many entries at a time, or a quarter of a factor; on a grid all at
 * once, since rows of a piece would change their processes. */
enum { PIECE = 1 << 20 };

enum {
    STEPS = 16,  /* all that converge need fewer                             */
    POLISH = 10, /* steps of Newton and Schulz                               */
    GROUP = 8,   /* So many neighbours of like length count as a cluster.    */
    POWERS = 6,  /* steps of the power method                                */
    PROBES = 4,  /* random vectors                                           */
    GRADED = GSVD_SINGLE ? 64 : 128 /* bits: drop_small                      */
};

/* Rows of C; -1: lengths alone are asked for.  While work is measured no matrix has data. */
static int64_t rows_turned(const task_t *t, int with_signs)
{
    if (!with_signs && t->how == AIM_LENGTHS)
        return -1;
    return t->C.data || !t->A.data ? t->C.rows : 0;
}

void X(steps_carve)(arena_t *a, mat_t lent, const task_t *t, int with_signs,
                    steps_work_t *w)
{
    const int64_t m = t->A.rows, n = t->A.cols;
    const int64_t rows_of_c = rows_turned(t, with_signs);
    const int64_t of_signs = with_signs ? n : 0;
    const int64_t all = max_i(m, rows_of_c) * n;
    const int64_t piece = GSVD_ON_GRID ? all : max_i(all / 4, PIECE);
    const int64_t some = with_signs ? all : min_i(all, piece);

    w->P = mat_rows(lent.rows >= max_i(m, n) && lent.cols >= n
                        ? mat_cols(lent, 0, n)
                        : X(take_matrix)(a, max_i(m, n), n),
                    0, n);
    w->H = X(take_matrix)(a, of_signs, of_signs);
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
    w->x = gsvd_arena_take(a, n, sizeof(real_t));
    w->zero = gsvd_arena_take(a, n, sizeof(real_t));
    w->diagonal = gsvd_arena_take(a, n, sizeof(real_t));
    w->subdiagonal = gsvd_arena_take(a, n, sizeof(real_t));
    w->sign = gsvd_arena_take(a, of_signs, sizeof(real_t));
    w->next = gsvd_arena_take(a, of_signs, sizeof(real_t));
    w->perm = gsvd_arena_take(a, n, sizeof(int));
    const size_t at_e = a->used;
    w->E = X(take_matrix)(a, rows_of_c < 0 ? 0 : m, n);
    const size_t at_k = a->used;
    w->K = mat_rows(X(take_matrix)(a, max_i(m, n), n), 0, n);
    w->spare = X(take_room)(a, some, max_i(m, rows_of_c), n);
    const size_t end = a->base ? a->size : a->used;
    w->eigen = (buffer_t){w->K.data, end - at_k};
    w->eigen_with_e = (buffer_t){w->E.data, end - at_e};
}

/* What eigenvectors take beyond so many bytes */
static size_t beyond(size_t bytes, buffer_t room)
{
    return bytes > room.bytes ? bytes - room.bytes : 0;
}

size_t X(steps_bytes)(const exec_t *ex, const task_t *t, int with_signs)
{
    const int64_t m = t->A.rows, n = t->A.cols;
    const int64_t rows_of_c = rows_turned(t, with_signs);
    arena_t count = {0};
    steps_work_t w;
    const int64_t across = rows_of_c < 0 ? 0 : max_i(m, rows_of_c);
    const size_t drivers[] = {X(geqrf_work_bytes)(ex, m, n),
                              X(ungqr_work_bytes)(ex, m, n, n),
                              X(unmqr_work_bytes)(ex, n, n, across)};
    X(steps_carve)(&count, ex->lent, t, with_signs, &w);
    const int with_room = with_signs || n * n <= PIECE;
    const size_t least =
        with_room ? X(eigen_work_bytes)(ex, n) : X(eigen_least_bytes)(ex, n);
    const size_t first = with_room ? least : X(eigen_chosen_bytes)(ex, n);
    const size_t behind[] = {
        LARGEST(drivers) +
            ex->op->kernel_bytes(ex, KERNELS_PANELS, m, n, max_i(n, across)),
        beyond(least, w.eigen), beyond(first, w.eigen_with_e)};
    return gsvd_arena_bytes(&count) + LARGEST(behind);
}

/* -- products and orders ---------------------------------------------------- */

gsvd_status_t X(steps_times)(const exec_t *ex, mat_t M, mat_t Y,
                             const steps_work_t *w)
{
    return X(steps_times_op)(ex, M, 'N', Y, w);
}

gsvd_status_t X(steps_times_op)(const exec_t *ex, mat_t M, char op, mat_t Y,
                                const steps_work_t *w)
{
    for (int64_t i = 0; M.data && i < M.rows;) {
        const piece_t p = piece_at(w, M, i);
        GSVD_TRY(ex->op->gemm(ex, 'N', op, p.rows, Y, p.spare));
        GSVD_TRY(ex->op->copy(ex, p.spare, p.rows));
        i += p.rows.rows;
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(steps_permute)(const exec_t *ex, mat_t M, const steps_work_t *w)
{
    for (int64_t i = 0; M.data && i < M.rows;) {
        const piece_t p = piece_at(w, M, i);
        GSVD_TRY(ex->op->permute_columns(ex, p.rows, w->perm, p.spare));
        GSVD_TRY(ex->op->copy(ex, p.spare, p.rows));
        i += p.rows.rows;
    }
    return GSVD_SUCCESS;
}

/* Division by 1 or -1 is exact. */
gsvd_status_t X(steps_flip)(const exec_t *ex, mat_t A, const real_t *sign)
{
    return A.data ? ex->op->normalize_columns(ex, A, sign, A) : GSVD_SUCCESS;
}

/* The factor that turns with the columns of L */
static mat_t beside(const steps_t *s) { return s->exchanged ? s->E : s->D; }

static int descend(const real_t *d, int64_t n)
{
    int64_t j = 1;
    while (j < n && d[j] <= d[j - 1])
        ++j;
    return j >= n;
}

/* w->d and s->d := the lengths of L's columns */
static gsvd_status_t lengths(const exec_t *ex, const steps_t *s,
                             const steps_work_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, s->L, w->d));
    return ex->op->values_read(ex, s->L.cols, w->d, s->d);
}

/* The signs := those of the columns in the order w->perm */
static gsvd_status_t permute_signs(const exec_t *ex, steps_t *s,
                                   const steps_work_t *w)
{
    real_t *const before = s->sign;
    if (!before)
        return GSVD_SUCCESS;
    s->sign = s->next;
    s->next = before;
    return ex->op->values_permute(ex, s->L.cols, before, w->perm, s->sign);
}

/* Do columns differ so much in length that zeros pay? */
static int are_graded(const exec_t *ex, const steps_t *s)
{
    int64_t n = s->L.cols;
    if (!ex->op->drop || s->sign)
        return 0;
    while (n > 0 && s->d[n - 1] == 0)
        --n;
    return n > 0 && bits_between(s->d, 0, n - 1) >= GRADED;
}

/* Errors of L are small against its columns, from which the values come, and against its rows, whose
 * lengths are those of G's columns or rows.  Those of D are small against 1 where it is unitary; rows of E
 * may differ in length. */
static gsvd_status_t drop_small(const exec_t *ex, const steps_t *s,
                                const steps_work_t *w)
{
    if (!are_graded(ex, s))
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->drop(ex, s->L, w->d));
    return s->aim == AIM_FROM_IDENTITY && !s->exchanged
               ? ex->op->drop(ex, s->D, NULL)
               : GSVD_SUCCESS;
}

gsvd_status_t X(steps_sort)(const exec_t *ex, steps_t *s, const steps_work_t *w)
{
    const int64_t n = s->L.cols;

    GSVD_TRY(lengths(ex, s, w));
    if (descend(s->d, n))
        return drop_small(ex, s, w);
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, n, w->d, w->zero, w->perm));
    GSVD_TRY(X(steps_permute)(ex, s->L, w));
    GSVD_TRY(X(steps_permute)(ex, beside(s), w));
    GSVD_TRY(permute_signs(ex, s, w));
    s->sorted = s->identity && !s->exchanged;
    if (!s->exchanged)
        s->identity = 0;
    GSVD_TRY(lengths(ex, s, w));
    return drop_small(ex, s, w);
}

gsvd_status_t X(steps_measure)(const exec_t *ex, steps_t *s,
                               const steps_work_t *w)
{
    const mat_t unit = in_place_of(w->P, s->L);

    GSVD_TRY(X(steps_sort)(ex, s, w));
    GSVD_TRY(ex->op->normalize_columns(ex, s->L, w->d, unit));
    if (are_graded(ex, s))
        GSVD_TRY(ex->op->drop(ex, unit, NULL));
    GSVD_TRY(ex->op->gram(ex, unit, w->K));
    return ex->op->largest_cosine(ex, w->K, &s->cosine);
}

gsvd_status_t X(steps_gram)(const exec_t *ex, mat_t P, const real_t *sign,
                            mat_t E, const steps_work_t *w)
{
    const mat_t turned = mat_view(w->spare.data, P.cols, P.rows, P.cols);
    if (!sign)
        return ex->op->gram(ex, P, E);
    GSVD_TRY(ex->op->ctrans(ex, P, turned));
    GSVD_TRY(X(steps_flip)(ex, turned, sign));
    return ex->op->gemm(ex, 'N', 'N', turned, P, E);
}

gsvd_status_t X(steps_polish)(const exec_t *ex, mat_t P, const real_t *from,
                              const real_t *to, const steps_work_t *w,
                              int *done)
{
    const mat_t E = mat_sub(w->K, 0, 0, P.cols, P.cols);
    /* With signs P is a result: its small entries are to be accurate, too.  Without, a defect
     * that single precision rounds away needs no product. */
    const real_t rounded =
        ex->policy.to_single && !to ? (real_t)FLT_EPSILON / 2 : 0;
    const real_t least = fmax_r(rounded, sqrt_r((real_t)P.cols) * GSVD_ULP);
    const real_t small = fmax_r(16 * rounded, sqrt_r(GSVD_EPS));

    *done = 0;
    for (int step = 0; step < POLISH && !*done; ++step) {
        real_t defect;
        GSVD_TRY(X(steps_gram)(ex, P, from, E, w));
        GSVD_TRY(ex->op->newton_schulz(ex, E, to, &defect));
        if (!(defect < 3)) /* NaN, too                                       */
            return GSVD_SUCCESS;
        if (to || defect > least)
            GSVD_TRY(X(steps_times)(ex, P, E, w));
        *done = defect <= small; /* and now its square                       */
    }
    return GSVD_SUCCESS;
}

/* For Gaussian x the mean of |E x|^2 is |E|_F^2, of E = P^H P - I. */
gsvd_status_t X(steps_are_unitary)(const exec_t *ex, mat_t P,
                                   const steps_work_t *w, int *yes)
{
    const int64_t n = P.cols;
    const mat_t x = mat_view(w->spare.data, n, PROBES, n);
    const mat_t y = mat_sub(w->K, 0, 0, n, PROBES);
    const real_t rounding = 4 * (real_t)n * GSVD_ULP; /* 4 ulp an entry      */
    real_t length[PROBES];

    *yes = 0;
    if (n < PROBES)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->gaussian(ex, x, 1));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', P, x, y));
    GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', P, y, x));
    GSVD_TRY(ex->op->column_norms(ex, x, w->x));
    GSVD_TRY(ex->op->values_read(ex, PROBES, w->x, length));
    *yes = 1;
    for (int k = 0; k < PROBES; ++k)
        *yes = *yes && length[k] <= rounding;
    return GSVD_SUCCESS;
}

gsvd_status_t X(steps_turn)(const exec_t *ex, steps_t *s, int64_t a, mat_t P,
                            const steps_work_t *w)
{
    const mat_t F = beside(s);
    const int whole = !s->exchanged && P.cols == F.cols;
    const int all = s->identity && whole,
              sorted = s->sorted && whole && P.rows == F.rows;

    GSVD_TRY(X(steps_times)(ex, mat_cols(s->L, a, P.cols), P, w));
    if (!F.data)
        return GSVD_SUCCESS;
    if (!s->exchanged)
        s->identity = s->sorted = 0;
    return all      ? ex->op->copy(ex, P, F)
           : sorted ? ex->op->permute_rows(ex, P, w->perm, F)
                    : X(steps_times)(ex, mat_cols(F, a, P.cols), P, w);
}

/* -- a step ------------------------------------------------------------------- */

/* M := M (I + T) by N = -T, unless M is absent */
static gsvd_status_t add_times(const exec_t *ex, mat_t M, mat_t N,
                               const steps_work_t *w)
{
    for (int64_t i = 0; M.data && i < M.rows;) {
        const piece_t p = piece_at(w, M, i);
        GSVD_TRY(ex->op->copy(ex, p.rows, p.spare));
        GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', p.spare, N, p.rows));
        i += p.rows.rows;
    }
    return GSVD_SUCCESS;
}

/* S := -T^2 */
static gsvd_status_t minus_square(const exec_t *ex, mat_t T, const real_t *sign,
                                  mat_t S)
{
    if (!sign)
        return ex->op->gram(ex, T, S);
    GSVD_TRY(ex->op->set(ex, S, 0, 0));
    return ex->op->gemm_sub(ex, 'N', 'N', T, T, S);
}

/* *defect := a bound of P^H P - I for P = I + T + T^2 / 2: |T^4| / 4.  Waits. */
static gsvd_status_t bound_defect(const exec_t *ex, mat_t S, real_t *defect)
{
    norms_t r;
    GSVD_TRY(ex->op->norms(ex, S, &r));
    *defect = r.norm1 * r.norm1 / 4;
    return GSVD_SUCCESS;
}

/* *norm := |T|_2, nearly, from below; with T and T^H by turns, for T may not be normal */
static gsvd_status_t estimate_norm(const exec_t *ex, mat_t T,
                                   const steps_work_t *w, real_t *norm)
{
    const int64_t n = T.cols;
    const mat_t x = mat_view(w->spare.data, n, 2, n);
    const mat_t y = mat_sub(w->P, 0, 0, n, 2);
    real_t length[2];

    GSVD_TRY(ex->op->gaussian(ex, y, 1));
    for (int step = 0; step <= POWERS; ++step) {
        const char op = step % 2 ? 'C' : 'N';
        GSVD_TRY(ex->op->column_norms(ex, y, w->x));
        GSVD_TRY(ex->op->normalize_columns(ex, y, w->x, x));
        GSVD_TRY(ex->op->gemm(ex, op, 'N', T, x, y));
    }
    GSVD_TRY(ex->op->column_norms(ex, y, w->x));
    GSVD_TRY(ex->op->values_read(ex, 2, w->x, length));
    *norm = fmax_r(length[0], length[1]);
    return GSVD_SUCCESS;
}

/* Clusters of columns, next to each other and so near in length that cosines like these
 * ask for large angles, are diagonalized.  *found: there are some, and w->K is
 * overwritten. */
static gsvd_status_t diagonalize_clusters(const exec_t *ex, steps_t *s,
                                          const steps_work_t *w, int *found)
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
        GSVD_TRY(s->diagonalize(ex, s, a, b, w));
    }
    return GSVD_SUCCESS;
}

/* L and the factor beside it turn by T, whose sums in a row are at most `bound`.  What may
 * be left out of exp(T) is measured by `bound` where P has to be unitary; with signs P is a
 * result, whose small entries are to be accurate, too, and T^2 is below rounding in all
 * entries where the squares of cosines are. */
static gsvd_status_t turn_by(const exec_t *ex, steps_t *s, real_t bound,
                             const steps_work_t *w)
{
    const mat_t T = w->K, P = w->P, S = P;
    const real_t small = s->sign ? fmax_r(bound, s->cosine) : bound;
    const real_t square = small * small;
    /* Without signs steps_polish would leave as much. */
    const real_t least =
        s->sign ? GSVD_EPS
                : fmax_r(GSVD_EPS, sqrt_r((real_t)T.cols) * GSVD_ULP);
    real_t norm = 0, defect = square * square;
    int done = 1;

    if (square < GSVD_EPS) { /* I + T is unitary.                            */
        GSVD_TRY(ex->op->values_set(ex, 0, T.cols, -1, w->x));
        GSVD_TRY(ex->op->scale_columns(ex, T, w->x, T));
        GSVD_TRY(add_times(ex, s->L, T, w));
        return add_times(ex, beside(s), T, w);
    }
    if (bound > 1)
        GSVD_TRY(estimate_norm(ex, T, w, &norm));
    GSVD_TRY(minus_square(ex, T, s->sign, S));
    if (!s->sign && defect >= least && bound <= 1)
        GSVD_TRY(bound_defect(ex, S, &defect));
    GSVD_TRY(ex->op->second_order_exp(ex, T, S,
                                      1 / fmax_r(1, (real_t)1.2 * norm), P));
    if (!(defect < least))
        GSVD_TRY(X(steps_polish)(ex, P, s->sign, s->sign, w, &done));
    return done ? X(steps_turn)(ex, s, 0, P, w) : GSVD_SUCCESS;
}

/* What a step leaves of the cosines but for pairs that it does not turn, at most.  For unit
 * columns I + C = L^H L it leaves, with M = D T D^-1 and M + M^H = -C to the second order,
 * sums of n products of entries of M and C, three of them; these entries are at most the
 * cosines, where lengths differ, or else T's.  Or, with T^2: |M(i,j)| is at most |T(i,j)| or
 * |M(j,i)| + |C(i,j)|, so that no row or column of M sums to more than `bound` and n cosines.
 * Lengths change by no more, relative to themselves. */
static real_t second_order(const steps_t *s, real_t bound)
{
    const real_t n = (real_t)s->L.cols, c = s->cosine, m = fmax_r(bound, c);
    const real_t by_entries = 3 * n * m * m;
    const real_t by_sums = (4 * c + 2 * bound) * (bound + n * c);
    return by_sums < by_entries ? by_sums : by_entries;
}

/* Would the step change nothing that is asked for? */
static int lengths_are_final(const steps_t *s, real_t bound)
{
    return !s->sign && s->aim == AIM_LENGTHS &&
           second_order(s, bound) <= GSVD_EPS;
}

/* One step, with the cosines in w->K.  *bound: of the sums in a row of T, which is scaled
 * where that is above 1; or clusters are diagonalized in place of it. */
static gsvd_status_t step(const exec_t *ex, steps_t *s, int *clusters,
                          const steps_work_t *w, real_t *bound)
{
    GSVD_TRY(
        ex->op->rotation_angles(ex, w->K, w->d, s->sign, s->tol / 2, bound));
    if (lengths_are_final(s, *bound))
        return GSVD_SUCCESS;
    if (*bound > 1 && *clusters) {
        GSVD_TRY(diagonalize_clusters(ex, s, w, clusters));
        if (*clusters) {
            *clusters = 0; /* not twice in turn                              */
            return GSVD_SUCCESS;
        }
    }
    *clusters = 1;
    return turn_by(ex, s, *bound, w);
}

/* -- all of them -------------------------------------------------------------- */

int X(steps_may_go_on)(const exec_t *ex, const steps_t *s, const outcome_t *out)
{
    return !out->stopped && s->count < ex->policy.max_sweeps;
}

void X(steps_count)(const exec_t *ex, steps_t *s, outcome_t *out)
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

gsvd_status_t X(steps_run)(const exec_t *ex, steps_t *s, const steps_work_t *w,
                           outcome_t *out)
{
    int clusters = 1;
    for (int k = 0;
         k < STEPS && s->cosine > s->tol && X(steps_may_go_on)(ex, s, out);
         ++k) {
        const real_t before = s->cosine;
        real_t bound;
        GSVD_TRY(step(ex, s, &clusters, w, &bound));
        const real_t left = s->tol / 2 + second_order(s, bound);
        if (left <= s->tol) { /* known without products                      */
            GSVD_TRY(X(steps_sort)(ex, s, w));
            s->cosine = left;
        } else {
            GSVD_TRY(X(steps_measure)(ex, s, w));
        }
        X(steps_count)(ex, s, out);
        if (bound <= 1 && !(s->cosine < before / 2))
            break;
    }
    return GSVD_SUCCESS;
}
