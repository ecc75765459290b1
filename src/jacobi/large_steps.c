/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* large_steps.c -- one-sided Jacobi by steps of full size.
 *
 *     G = E L D^H, or E L^H D^H once the sides have changed places; L := G, C := C D
 *
 *     0  unless the columns of L are of like length, all or nearly all: 2
 *     1  columns of L sorted by length and cut into bands of like length; for each
 *        band S: eigenvectors X of S^H S, L := L X, D := D X
 *     2  until the largest cosine of two columns is small:
 *        L = Q R, E := E Q, L := R^H, the sides change places; 1, cut elsewhere
 *     3  until the columns are orthogonal, a simultaneous step:
 *        T = the angles of the rotations of all pairs, P = exp(T) unitary, L := L P,
 *        D := D P
 *     4  G := E L, C := C D; where the sides are exchanged, L = W Sigma: G := E Sigma,
 *        C := C D W
 *
 * All of it acts on columns: QR of sorted columns is stable column by column, a Gram
 * matrix is formed of columns of like length or of normalized ones, and the angles are
 * graded as the columns are.  So lengths keep their relative accuracy, however small
 * they are against others.
 *
 * Step 2 multiplies the cosines of columns by the ratio of their lengths.  Columns of like
 * length need a band in common, and where one band ends lengths are alike on both sides.  So
 * a pass by bands comes after one by windows, which reach half a band to each side of these
 * ends.  Bands are cut from the short end on: the values of an ill-posed problem end in many
 * that are noise and alike, which then have one band, that begins where columns are few, and
 * so its window has few.
 *
 * Step 3 converges quadratically, but not from everywhere: where it makes no progress, block
 * Jacobi or sweeps go on from the columns that it leaves.  steps.c has step 3.  Single
 * precision may do all of it in double (in_double.c).
 */
#include "jacobi/steps.h"
#include "qr/qr.h"

enum {
    /* Lengths in a band differ by less than 2^BAND, about: eigenvectors of S^H S leave
     * cosines of 2^(2 BAND) eps between the shortest.  With one in FEW columns, still shorter,
     * the last band may be as wide as WIDEST, where S^H S knows nothing of these. */
    BAND = GSVD_SINGLE ? 6 : 15,
    WIDEST = GSVD_SINGLE ? 11 : 26,
    FEW = 16,
    MOST_BANDS = 4096 / BAND, /* more than exponents ask for                 */
    /* All columns at once: lengths differ by less than 2^ONE, all but one in FEW by 2^MOST. */
    ONE = GSVD_SINGLE ? 11 : 30,
    MOST = GSVD_SINGLE ? 9 : 18,
    /* Eigenvectors of all columns leave cosines of eps / (d_i d_j) where the longest is 1:
     * of 2^-10 (2^-7) where that is 2^LOST eps. */
    LOST = GSVD_SINGLE ? 17 : 43,
    /* bands whose tridiagonal forms are found at once, at most */
    TOGETHER = 16,
    PASSES = 6, /* of 1 and 2; hard matrices need 4                         */
    RANDOM = 4,
    APART = GSVD_SINGLE ? 7 : 15 /* take_apart                              */
};

/* xSYEVD counts its 2 n^2 + 6 n + 1 numbers of work by 32 bits. */
int X(are_many)(const exec_t *ex, int64_t n)
{
    return n >= ex->tune->large_steps && n <= 32765;
}

size_t X(large_steps_bytes)(const exec_t *ex, const task_t *t)
{
    return X(are_many)(ex, t->A.cols) ? X(steps_bytes)(ex, t, 0) : 0;
}

gsvd_status_t X(large_steps_staging)(const exec_t *ex, int64_t n, size_t *bytes)
{
    GSVD_TRY(ex->op->eigenvectors_staging(ex, n, bytes));
    *bytes += (size_t)n * sizeof(real_t);
    return GSVD_SUCCESS;
}

/* -- 1, 2: bands -------------------------------------------------------------- */

/* unit := its columns times random numbers, 1 - x with x next to 2^(-2 APART): then values of
 * S^H S that agreed are some thousand eps apart, and inverse iteration finds vectors that
 * the polish makes orthogonal.  A step mends the cosines that it leaves between columns of
 * different length; between those of the same it leaves x^2, which is rounding. */
static gsvd_status_t take_apart(const exec_t *ex, mat_t unit,
                                const steps_work_t *w)
{
    const int64_t n = unit.cols;
    const mat_t random = mat_view(w->spare.data, RANDOM, n, RANDOM);

    GSVD_TRY(ex->op->gaussian(ex, random, 1));
    GSVD_TRY(ex->op->scale_pow2(ex, random, -APART));
    GSVD_TRY(ex->op->column_norms(ex, random, w->zero));
    GSVD_TRY(ex->op->values_set(ex, 0, n, 1, w->x));
    GSVD_TRY(ex->op->values_unit(ex, n, w->x, w->zero));
    return ex->op->normalize_columns(ex, unit, w->x, unit);
}

/* With the room for eigenvectors */
static exec_t with_room(const exec_t *ex, const steps_t *s,
                        const steps_work_t *w)
{
    const buffer_t room = s->E.data ? w->eigen : w->eigen_with_e;
    exec_t in = *ex;
    in.work = gsvd_arena_over(room.data, room.bytes);
    return in;
}

/* unit := S over the length of its longest column */
static gsvd_status_t over_longest(const exec_t *ex, mat_t S, real_t length,
                                  mat_t unit, const steps_work_t *w)
{
    GSVD_TRY(ex->op->values_set(ex, 0, S.cols, length, w->x));
    return ex->op->normalize_columns(ex, S, w->x, unit);
}

/* K := the eigenvectors of S^H S, unitary, if *done.  length: of S's longest column; *sure:
 * eigen's */
static gsvd_status_t find_unitary(const exec_t *ex, const steps_t *s, mat_t S,
                                  real_t length, mat_t K, const steps_work_t *w,
                                  int *sure, int *done)
{
    const mat_t unit = in_place_of(w->K, S);
    const exec_t in = with_room(ex, s, w);

    GSVD_TRY(over_longest(ex, S, length, unit, w));
    if (*sure && !X(eigen_library_fits)(&in, S.cols))
        GSVD_TRY(take_apart(ex, unit, w));
    GSVD_TRY(ex->op->gram(ex, unit, K));
    GSVD_TRY(X(eigen)(&in, K, w->x, sure));
    if (*sure) /* The library's are unitary, if they were found.             */
        GSVD_TRY(X(steps_are_unitary)(ex, K, w, done));
    if (*sure && *done)
        return GSVD_SUCCESS;
    return X(steps_polish)(ex, K, NULL, NULL, w, done);
}

/* Columns of like length, K.cols from a on, := orthogonal, by K, the eigenvectors of their Gram matrix: by
 * the sure solver, too, unless `sure` alone, where the fast one's are not orthogonal.  They stay where
 * eigenvectors are not found. */
static gsvd_status_t turn_by_vectors(const exec_t *ex, steps_t *s, int64_t a,
                                     mat_t K, int sure, const steps_work_t *w)
{
    const mat_t S = mat_cols(s->L, a, K.cols);
    int done;

    GSVD_TRY(find_unitary(ex, s, S, s->d[a], K, w, &sure, &done));
    if (!done && !sure) {
        sure = 1;
        GSVD_TRY(find_unitary(ex, s, S, s->d[a], K, w, &sure, &done));
    }
    return done ? X(steps_turn)(ex, s, a, K, w) : GSVD_SUCCESS;
}

static gsvd_status_t diagonalize(const exec_t *ex, steps_t *s, int64_t a,
                                 int64_t b, const steps_work_t *w)
{
    return turn_by_vectors(ex, s, a, mat_sub(w->P, 0, 0, b - a, b - a), 0, w);
}

/* -- several bands --------------------------------------------------------------- */

/* The tridiagonal form of S^H S of a band, over the square of its longest column: in P's columns and rows
 * of the band, by units in K's columns */
static gsvd_status_t set_form(const exec_t *ex, const steps_t *s, band_t band,
                              const steps_work_t *w, tridiagonal_t *t)
{
    const int64_t a = band.begin, n = band.end - a;
    const mat_t S = mat_cols(s->L, a, n);
    const mat_t unit = mat_cols(in_place_of(w->K, s->L), a, n);

    *t = (tridiagonal_t){mat_sub(w->P, a, a, n, n), w->diagonal + a,
                         w->subdiagonal + a, w->tau + a};
    GSVD_TRY(over_longest(ex, S, s->d[a], unit, w));
    return ex->op->gram(ex, unit, t->A);
}

/* Columns of the band := orthogonal, by its tridiagonal form */
static gsvd_status_t turn_by_form(const exec_t *ex, steps_t *s, int64_t a,
                                  const tridiagonal_t *t, const steps_work_t *w)
{
    const exec_t in = with_room(ex, s, w);
    int done;

    GSVD_TRY(X(eigen_of_form)(&in, t, w->x));
    GSVD_TRY(X(steps_polish)(ex, t->A, NULL, NULL, w, &done));
    return done ? X(steps_turn)(ex, s, a, t->A, w)
                : turn_by_vectors(ex, s, a, t->A, 1, w);
}

/* diagonalize of each of these, the tridiagonal forms of all at once.  The room for eigenvectors is that of
 * K, where units are, and so these come before it. */
static gsvd_status_t diagonalize_together(const exec_t *ex, steps_t *s,
                                          int count, const band_t *band,
                                          const steps_work_t *w)
{
    const exec_t in = with_room(ex, s, w);
    tridiagonal_t form[TOGETHER];
    int fits;

    for (int k = 0; k < count; ++k)
        GSVD_TRY(set_form(ex, s, band[k], w, &form[k]));
    GSVD_TRY(in.op->tridiagonalize_each(&in, count, form, &fits));
    for (int k = 0; k < count; ++k)
        GSVD_TRY(fits ? turn_by_form(ex, s, band[k].begin, &form[k], w)
                      : diagonalize(ex, s, band[k].begin, band[k].end, w));
    return GSVD_SUCCESS;
}

/* The columns but zeros, which come last.  The exponent of a zero is no length: bands that were cut by
 * it took 10 to 27 passes in place of 5. */
static int64_t nonzero(const steps_t *s)
{
    int64_t n = s->L.cols;
    while (n > 0 && s->d[n - 1] == 0)
        --n;
    return n;
}

/* The first column of the band that ends before column b, of n that are not 0 */
static int64_t band_begin(const real_t *d, int64_t n, int64_t b)
{
    const int64_t few = n - 1 - n / FEW;
    int64_t a = b - 1;

    if (b < n)
        while (a > 0 && bits_between(d, a - 1, b - 1) < BAND)
            --a;
    else
        while (a > 0 && bits_between(d, a - 1, few) < BAND &&
               bits_between(d, a - 1, n - 1) < WIDEST)
            --a;
    return a;
}

/* May all columns be taken at once? */
static int are_alike(const real_t *d, int64_t n)
{
    return n < 2 || (bits_between(d, 0, n - 1) < ONE &&
                     bits_between(d, 0, n - 1 - n / FEW) < MOST);
}

/* [*from, *to): the columns whose lengths are within half a band of column a's; empty where
 * there are none before a */
static void window_about(const real_t *d, int64_t a, int64_t most,
                         int64_t *from, int64_t *to)
{
    int64_t i = a, j = a;
    while (i > 0 && bits_between(d, i - 1, a) <= BAND / 2)
        --i;
    while (j < most && bits_between(d, a, j) <= BAND / 2)
        ++j;
    *from = i;
    *to = i < a ? j : i;
}

/* Where bands begin, from the last one on; count = 0: they are to be cut. */
typedef struct bands {
    int count;
    int64_t begin[MOST_BANDS];
} bands_t;

static void cut_bands(const real_t *d, int64_t n, bands_t *bands)
{
    int k = 0;
    for (int64_t b = n; b > 0 && k < MOST_BANDS; ++k)
        b = bands->begin[k] = band_begin(d, n, b);
    bands->count = k;
}

/* Bands without columns in common */
static gsvd_status_t diagonalize_list(const exec_t *ex, steps_t *s, int count,
                                      band_t *band, const steps_work_t *w)
{
    band_t more[TOGETHER];
    int waiting = 0;

    GSVD_TRY(X(diagonalize_by_owners)(ex, s, count, band, w));
    for (int k = 0; k < count; ++k) {
        const int64_t n = band[k].end - band[k].begin;
        if (X(form_is_wanted)(ex, n))
            more[waiting++] = band[k];
        else if (n > 1)
            GSVD_TRY(diagonalize(ex, s, band[k].begin, band[k].end, w));
        if (waiting == TOGETHER || (waiting > 1 && k == count - 1)) {
            GSVD_TRY(diagonalize_together(ex, s, waiting, more, w));
            waiting = 0;
        }
    }
    return waiting == 0 ? GSVD_SUCCESS
                        : diagonalize(ex, s, more[0].begin, more[0].end, w);
}

/* *found: there are windows. */
static gsvd_status_t diagonalize_windows(const exec_t *ex, steps_t *s,
                                         int64_t n, const bands_t *bands,
                                         const steps_work_t *w, int *found)
{
    band_t window[MOST_BANDS];
    int64_t from = n, to;
    int count = 0;

    for (int k = 0; k < bands->count; ++k) {
        window_about(s->d, bands->begin[k], from, &from, &to);
        if (to > from + 1)
            window[count++] = (band_t){from, to};
    }
    *found = count > 0;
    return diagonalize_list(ex, s, count, window, w);
}

static gsvd_status_t diagonalize_bands(const exec_t *ex, steps_t *s, int64_t n,
                                       const bands_t *bands,
                                       const steps_work_t *w)
{
    band_t band[MOST_BANDS];

    for (int64_t k = 0, b = n; k < bands->count; b = bands->begin[k++])
        band[k] = (band_t){bands->begin[k], b};
    return diagonalize_list(ex, s, bands->count, band, w);
}

/* The first of the short columns in [last, n), which may be far from orthogonal to the
 * shortest, if they are no more than the others; else n */
static int64_t tail_of(const real_t *d, int64_t last, int64_t n)
{
    const int most = LOST - bits_between(d, last, n - 1);
    int64_t a = n;
    while (a > last && bits_between(d, last, a - 1) >= most)
        --a;
    return n - a > 1 && n - a <= (n - last) / 2 ? a : n;
}

/* After 1 with a band wider than others: once more with the short ones, which are now nearly
 * orthogonal to the others but not to each other. */
static gsvd_status_t diagonalize_tail(const exec_t *ex, steps_t *s,
                                      int64_t last, const steps_work_t *w)
{
    const int64_t n = nonzero(s);
    const int64_t a = last < n ? tail_of(s->d, last, n) : n;
    if (a == n || !(s->cosine > SMALL_COSINE))
        return GSVD_SUCCESS;
    GSVD_TRY(diagonalize(ex, s, a, n, w));
    return X(steps_measure)(ex, s, w);
}

/* The factor that does not turn with L's columns := its product with Q of w->tau and the
 * reflectors in V */
static gsvd_status_t times_q(const exec_t *ex, steps_t *s, mat_t V,
                             const steps_work_t *w)
{
    const int64_t n = V.cols;
    mat_t F = s->exchanged ? s->D : s->E;

    if (!s->exchanged && !s->E.data)
        F = s->E = w->E;
    else if (!F.data)
        return GSVD_SUCCESS;
    else if (!s->exchanged || !s->identity)
        return X(unmqr)(ex, 'R', 'N', V, n, w->tau, F);
    else
        s->identity = 0;
    GSVD_TRY(ex->op->copy(ex, V, F));
    return X(ungqr)(ex, F, n, w->tau);
}

/* 2: what L's right side was becomes its left one. */
static gsvd_status_t exchange_sides(const exec_t *ex, steps_t *s,
                                    const steps_work_t *w)
{
    const mat_t QR = s->L, R = w->K;
    const int64_t n = QR.cols;

    s->sorted = 0;
    GSVD_TRY(X(geqrf)(ex, QR, w->tau));
    GSVD_TRY(ex->op->copy(ex, mat_rows(QR, 0, n), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    if (s->aim != AIM_LENGTHS)
        GSVD_TRY(times_q(ex, s, QR, w));
    s->L = mat_rows(QR, 0, n);
    s->exchanged = !s->exchanged;
    GSVD_TRY(ex->op->ctrans(ex, R, s->L));
    return X(steps_sort)(ex, s, w);
}

/* -- the driver ------------------------------------------------------------------ */

/* Do L's columns, orthogonal, become orthonormal when divided by their lengths?  One of
 * denormal numbers has lost the digits that make it orthogonal. */
static int are_divisible(const steps_t *s)
{
    const int64_t n = s->L.cols;
    return n == 0 || s->d[n - 1] >= GSVD_SAFMIN;
}

/* 4: D := D W for L = W Sigma; columns of W where L's are 0, or nearly, complete it. */
static gsvd_status_t times_w(const exec_t *ex, const steps_t *s,
                             const steps_work_t *w)
{
    const mat_t W = s->identity ? s->D : w->P;

    if (!s->D.data)
        return GSVD_SUCCESS;
    if (are_divisible(s))
        GSVD_TRY(ex->op->normalize_columns(ex, s->L, w->d, W));
    else
        GSVD_TRY(X(orthonormalize)(ex, s->L, W, w->tau));
    return s->identity ? GSVD_SUCCESS : X(steps_times)(ex, s->D, W, w);
}

/* 4 */
static gsvd_status_t deliver(const exec_t *ex, const steps_t *s, int orthogonal,
                             mat_t G, const steps_work_t *w)
{
    if (s->aim == AIM_LENGTHS) /* What QR left is below L, if sides changed. */
        return ex->op->set(
            ex, mat_sub(G, s->L.rows, 0, G.rows - s->L.rows, G.cols), 0, 0);
    if (!s->E.data) /* L stands in G.                                        */
        return GSVD_SUCCESS;
    if (s->exchanged && orthogonal) {
        GSVD_TRY(times_w(ex, s, w));
        return ex->op->scale_columns(ex, s->E, w->d, G);
    }
    GSVD_TRY(X(steps_times_op)(ex, s->E, s->exchanged ? 'C' : 'N', s->L, w));
    return ex->op->copy(ex, s->E, G);
}

/* 1, by windows and by bands in turn, unless all columns are alike or no window has
 * columns; *tested: s->cosine is known. */
static gsvd_status_t diagonalize_all(const exec_t *ex, steps_t *s, int pass,
                                     bands_t *bands, const steps_work_t *w,
                                     int *tested)
{
    const int64_t n = nonzero(s);
    int windows = 0;

    if (are_alike(s->d, n)) {
        *bands = (bands_t){.count = 1};
    } else if (bands->count == 0) {
        cut_bands(s->d, n, bands);
        GSVD_TRY(diagonalize_windows(ex, s, n, bands, w, &windows));
    }
    *tested = !windows || pass > 0;
    if (windows)
        return *tested ? X(steps_measure)(ex, s, w) : X(steps_sort)(ex, s, w);
    GSVD_TRY(diagonalize_bands(ex, s, n, bands, w));
    bands->count = 0;
    GSVD_TRY(X(steps_measure)(ex, s, w));
    return diagonalize_tail(ex, s, bands->begin[0], w);
}

/* 0 to 2 */
static gsvd_status_t passes(const exec_t *ex, steps_t *s, const steps_work_t *w,
                            outcome_t *out)
{
    bands_t bands = {.count = 0};
    int tested;

    s->cosine = 1;
    GSVD_TRY(X(steps_sort)(ex, s, w));
    if (!are_alike(s->d, nonzero(s))) /* 0 */
        GSVD_TRY(exchange_sides(ex, s, w));
    for (int pass = 0;; ++pass) {
        GSVD_TRY(diagonalize_all(ex, s, pass, &bands, w, &tested)); /* 1 */
        s->sorted = 0;
        X(steps_count)(ex, s, out);
        if (!X(steps_may_go_on)(ex, s, out) || pass == PASSES - 1 ||
            (tested && !(s->cosine > SMALL_COSINE)))
            return GSVD_SUCCESS;
        GSVD_TRY(exchange_sides(ex, s, w)); /* 2 */
    }
}

#if !GSVD_ON_GRID
gsvd_status_t X(large_steps_band)(const exec_t *ex, mat_t L, mat_t F)
{
    const mat_t none = {.data = NULL};
    const task_t t = {.A = L, .how = AIM_LENGTHS};
    steps_t s = {.L = L, .D = F, .d = ex->staging.data};
    exec_t in = *ex;
    steps_work_t w;

    X(steps_carve)(&in.work, none, &t, 0, &w);
    GSVD_TRY(X(work_suffices)(&in));
    if (ex->staging.bytes < (size_t)L.cols * sizeof(real_t))
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "large steps: no staging memory");
    GSVD_TRY(in.op->column_norms(&in, L, w.d));
    GSVD_TRY(in.op->values_read(&in, L.cols, w.d, s.d));
    return L.cols < 2 ? GSVD_SUCCESS : diagonalize(&in, &s, 0, L.cols, &w);
}
#endif

gsvd_status_t X(large_steps)(const exec_t *ex, const task_t *t)
{
    const mat_t G = t->A;
    const real_t tight = X(unitary_tolerance)(ex, G.rows);
    const real_t asked = X(asked_tolerance)(ex, G.rows);
    steps_t s = {.L = G,
                 .D = t->C,
                 .aim = (aim_t)t->how,
                 .identity = t->how == AIM_FROM_IDENTITY,
                 .tol = asked < tight ? asked : tight, /* L becomes a factor. */
                 .d = ex->staging.data,
                 .diagonalize = diagonalize};
    exec_t in = *ex;
    steps_work_t w;
    task_t left = *t;

    X(steps_carve)(&in.work, ex->lent, t, 0, &w);
    in.lent.cols = 0;
    GSVD_TRY(X(work_suffices)(&in));
    in.products = (buffer_t){0}; /* Split products round more.               */
    if (ex->staging.bytes < (size_t)G.cols * sizeof(real_t))
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "large steps: no staging memory");
    if (s.identity)
        GSVD_TRY(in.op->set(&in, t->C, 0, 1));
    GSVD_TRY(passes(&in, &s, &w, t->out));
    GSVD_TRY(X(steps_run)(&in, &s, &w, t->out));
    const int orthogonal = s.cosine <= s.tol;
    *t->yes = orthogonal && are_divisible(&s);
    GSVD_TRY(deliver(&in, &s, orthogonal, G, &w)); /* 4 */
    if (orthogonal)
        return GSVD_SUCCESS;
    left.sure = JACOBI_BY_SWEEPS;
    left.how = t->how == AIM_FROM_IDENTITY ? AIM_COLUMNS : t->how;
    if (X(steps_may_go_on)(ex, &s, t->out))
        return run_solver(&X(orthogonalize_solvers), ex, &left);
    t->out->unfinished = 1;
    return GSVD_SUCCESS;
}
