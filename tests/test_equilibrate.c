/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_equilibrate.c -- pairs whose columns have a common scale: ranks, values and factors are
 * those of the pair without it; columns that are rounding errors stay what they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/graded.h"
#include "harness/harness.h"
#include "harness/pair_batch.h"
#include "harness/wide.h"
#include "lapacke.h"

static void equilibrate(gsvd_equilibrate_t how)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_EQUILIBRATE, (int)how));
}

/* ---- pairs -------------------------------------------------------------------- */

/* 10^u, u in [-most, most]; a third of that in single precision */
static real_t power(double most, uint64_t *seed)
{
    return (real_t)pow(10, (GSVD_SINGLE ? most / 3 : most) *
                               (2 * random_unit(seed) - 1));
}

/* of ranks k and l, then columns of both times 10^u, u in [-most, most] */
static const recipe_t recipe[] = {
    {12, 10, 12, RANKS, 0, 10, 0, 0},  {12, 10, 12, RANKS, 4, 6, 0, 0},
    {12, 10, 12, RANKS, 2, 6, 0, 0},   {12, 10, 12, RANKS, 10, 0, 0, 0},
    {12, 10, 5, RANKS, 5, 5, 0, 0},    {12, 10, 9, RANKS, 1, 9, 0, 0},
    {3, 10, 12, RANKS, 0, 10, 0, 0},   {0, 10, 12, RANKS, 0, 10, 0, 0},
    {3, 10, 9, RANKS, 1, 9, 0, 0},     {3, 10, 9, RANKS, 0, 6, 0, 0},
    {5, 10, 4, RANKS, 5, 4, 0, 0},     {2, 3, 2, RANKS, 1, 2, 0, 0},
    {3, 3, 3, RANKS, 1, 1, 0, 0},      {4, 4, 4, RANKS, 2, 2, 0, 0},
    {1, 2, 1, RANKS, 1, 1, 0, 0},      {30, 24, 40, RANKS, 0, 24, 0, 0},
    {30, 24, 40, RANKS, 10, 14, 0, 0}, {30, 24, 23, RANKS, 1, 23, 0, 0},
    {40, 36, 20, RANKS, 16, 20, 0, 0}, {40, 36, 40, REPEATED, 6, 20, 0, 0},
    {20, 36, 12, RANKS, 20, 12, 0, 0}, {70, 66, 65, RANKS, 1, 65, 0, 0},
    {90, 80, 70, EXTREME, 5, 60, 0, 0}};
enum { RECIPES = sizeof recipe / sizeof *recipe, SMALL_RECIPES = 15 };

typedef struct scaled {
    sample_t plain, P; /* without the scales, and with them                  */
} scaled_t;

static scaled_t scaled_pair(const recipe_t *c, double most, uint64_t seed)
{
    scaled_t s = {.plain = make_pair(c, seed)};
    s.P = s.plain;
    s.P.A = copy_mat(s.plain.A);
    s.P.B = copy_mat(s.plain.B);
    for (int64_t j = 0; j < c->n; ++j) {
        const real_t d = power(most, &seed);
        scale_column(s.P.A, j, d);
        scale_column(s.P.B, j, d);
    }
    return s;
}

static int has_ranks(const result_t *r, const sample_t *P)
{
    return r->k == P->k && r->l == P->l;
}

/* The same rounding errors move both columns j: theirs is the longer one's length, in the
 * units of A and of B. */
typedef struct lengths {
    wide_t *a, *b, most_a, most_b;
} lengths_t;

static lengths_t lengths_of(const sample_t *P)
{
    const int64_t n = P->A.cols;
    lengths_t d = {grab((size_t)n * sizeof *d.a), grab((size_t)n * sizeof *d.a),
                   0, 0};
    for (int64_t j = 0; j < n; ++j) {
        d.most_a = fmaxl(d.most_a, d.a[j] = length_of_column(P->A, j));
        d.most_b = fmaxl(d.most_b, d.b[j] = length_of_column(P->B, j));
    }
    for (int64_t j = 0; j < n; ++j) {
        const wide_t a = d.most_a > 0 ? d.a[j] / d.most_a : 0;
        const wide_t b = d.most_b > 0 ? d.b[j] / d.most_b : 0;
        d.a[j] = fmaxl(a, b) * d.most_a;
        d.b[j] = fmaxl(a, b) * d.most_b;
    }
    return d;
}

/* The worst column of A and of B */
static double worst_column(const sample_t *P, const result_t *r,
                           gsvd_form_t form)
{
    const int64_t rank = r->k + r->l;
    const mat_t none = mat_view(NULL, rank, P->A.cols, 1);
    const mat_t T = form == GSVD_FORM_X ? none : get_R(r);
    const lengths_t d = lengths_of(P);
    return fmax(column_error(P->A, r->U, r->alpha, 0, rank, T, r->Q, d.a),
                column_error(P->B, r->V, r->beta, r->k, rank, T, r->Q, d.b));
}

/* ... against what rounding R and Q alone may do to it: no form with a triangle does better. */
static double worst_over_growth(const sample_t *P, const result_t *r)
{
    const int64_t rank = r->k + r->l;
    const mat_t T = get_R(r);
    const lengths_t d = lengths_of(P);
    const double g = fmax(column_growth(r->alpha, 0, rank, T, r->Q, d.a),
                          column_growth(r->beta, r->k, rank, T, r->Q, d.b));
    return worst_column(P, r, GSVD_FORM_LAPACK) / fmax(g, 1);
}

/* Columns that differ by less than 2^10 are left as they are. */
static int may_be_left(const lengths_t *d, int64_t n)
{
    wide_t least = 1;
    for (int64_t j = 0; j < n; ++j)
        if (d->most_a > 0 && d->a[j] > 0)
            least = fminl(least, d->a[j] / d->most_a);
    return least > 1.0L / 4096;
}

/* cond((A; B)) in the units of A and of B, with columns alike or not */
static double condition_of(const sample_t *P, const lengths_t *d, int alike)
{
    const mat_t A = copy_mat(P->A), B = copy_mat(P->B);
    for (int64_t j = 0; j < A.cols; ++j) {
        const wide_t a = alike ? d->a[j] : d->most_a;
        const wide_t b = alike ? d->b[j] : d->most_b;
        scale_column(A, j, a > 0 ? (real_t)(1 / a) : 0);
        scale_column(B, j, b > 0 ? (real_t)(1 / b) : 0);
    }
    return stacked_condition(A, B, P->k + P->l);
}

/* The largest distance of values, in the units of A and of B, over what rounding of the pair
 * with columns alike, or of the pair as it is where it may be left, may do, and what that of
 * the pair without scales, from which the values are known, may have done */
static double values_over_bound(const scaled_t *pair, const result_t *r)
{
    const sample_t *const P = &pair->P;
    const lengths_t d = lengths_of(P);
    real_t *const c = grab((size_t)max_i(P->l, 1) * sizeof *c);
    real_t *const s = grab((size_t)max_i(P->l, 1) * sizeof *s);
    const double fa = d.most_a > 0 ? (double)d.most_a : 1;
    const double fb = d.most_b > 0 ? (double)d.most_b : 1;
    const int64_t most = max_i(P->A.cols, max_i(P->A.rows, P->B.rows));

    for (int64_t i = 0; i < P->l; ++i) {
        const double x = (double)P->alpha[i] / fa, y = (double)P->beta[i] / fb;
        c[i] = (real_t)(x / hypot(x, y));
        s[i] = (real_t)(y / hypot(x, y));
    }
    const double bound =
        condition_of(P, &d, !may_be_left(&d, P->A.cols)) +
        fmax(fa / fb, fb / fa) *
            stacked_condition(pair->plain.A, pair->plain.B, P->k + P->l);
    return chordal(P->l, r->alpha + r->k, r->beta + r->k, fa, fb, c, s) /
           ((double)most * GSVD_ULP * bound);
}

/* ---- what a common scale leaves ------------------------------------------------- */

/* LAPACK's ranks, with its tolerances */
static int lapack_has_ranks(const sample_t *P)
{
    int64_t k, l;
    lapack_ranks(P->A, P->B, default_tolerance(P->A), default_tolerance(P->B),
                 &k, &l);
    return k == P->k && l == P->l;
}

enum { MANY = 24, MOST = 1000 };

/* The worst of all pairs of one scale, each over its bound; R's columns of all of them */
typedef struct worst {
    double values, x, ratio, over, r[MOST];
    int count;
} worst_t;

static double larger_of(double *worst, double x)
{
    *worst = !(x <= *worst) ? x : *worst;
    return x;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ... and lose as much. */
static double bound_of_columns(const sample_t *P)
{
    const lengths_t d = lengths_of(P);
    const int64_t n = P->A.cols, most = max_i(n, max_i(P->A.rows, P->B.rows));
    return (double)most * GSVD_EPS * (may_be_left(&d, n) ? 4096 : 1);
}

/* Both forms of one pair: ranks, values, LAPACK's ratios, columns */
static void check_factors(const recipe_t *c, const scaled_t *s, door_t door,
                          worst_t *w)
{
    const sample_t *const P = &s->P;
    const double bound = bound_of_columns(P);

    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
    const result_t r = decompose(door, 'U', 'V', 'Q', P->A, P->B);
    ck_assert_ok(r.status);
    ck_assert_msg(has_ranks(&r, P), "%d x %d, %d: k %ld l %ld, not %ld %ld",
                  c->m, c->n, c->p, (long)r.k, (long)r.l, (long)P->k,
                  (long)P->l);
    ck_assert_ratios(P->A, P->B, &r, "LAPACK's form");
    const ratios_t ratios = six_ratios(P->A, P->B, &r);
    for (int i = 0; i < 6; ++i)
        larger_of(&w->ratio, ratios.r[i]);
    ck_assert_ratio(larger_of(&w->values, values_over_bound(s, &r)));
    w->r[w->count++] = worst_column(P, &r, GSVD_FORM_LAPACK) / bound;
    ck_assert_ratio(larger_of(&w->over, worst_over_growth(P, &r) / bound));

    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    const result_t x = decompose(door, 'U', 'V', 'Q', P->A, P->B);
    ck_assert_ok(x.status);
    ck_assert(has_ranks(&x, P));
    ck_assert_ratio(larger_of(&w->x, worst_column(P, &x, GSVD_FORM_X) / bound));
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
}

static int finds(gsvd_equilibrate_t how, const sample_t *P)
{
    equilibrate(how);
    const result_t r = decompose(HOST, 'N', 'N', 'N', P->A, P->B);
    ck_assert_ok(r.status);
    return has_ranks(&r, P);
}

static const double most[] = {0, 2, 4, 8, 12, 16};
enum { SCALES = sizeof most / sizeof *most };

/* With GSVD_EQUILIBRATE_ON at every scale, by default where no column is below LAPACK's
 * tolerance; beside it how many ranks others find */
START_TEST(common_scale)
{
    const double e = most[_i];
    worst_t w = {0};
    int count = 0, by_default = 0, off = 0, lapack = 0;
    for (int c = 0; c < RECIPES; ++c)
        for (int which = 0; which < MANY; ++which) {
            const recipe_t *const of = &recipe[c];
            if (too_large(of->m, of->n, of->p) || left_out(which, 12) ||
                left_out_there(which, 4) || (of->n > 20 && which > 5))
                continue;
            const scaled_t s =
                scaled_pair(of, e, 100 * (uint64_t)c + (uint64_t)which);
            equilibrate(GSVD_EQUILIBRATE_ON);
            for (int door = 0; door < doors(); ++door)
                check_factors(of, &s, (door_t)door, &w);
            const int found = finds(GSVD_EQUILIBRATE_AUTO, &s.P);
            ck_assert_msg(found || e > 4, "%d x %d, %d, 10^+-%g by default",
                          of->m, of->n, of->p, e);
            ++count;
            by_default += found;
            off += finds(GSVD_EQUILIBRATE_OFF, &s.P);
            lapack += lapack_has_ranks(&s.P);
            release_pool();
        }
    qsort(w.r, (size_t)w.count, sizeof *w.r, ascending);
    const double median = w.r[w.count / 2];
    printf("10^+-%-4.3g ranks of %d: all with ON, %d by default, %d with OFF, "
           "LAPACK %d; over n eps: columns X %.1f, R %.2f %.1e (median, "
           "worst), over growth %.1f; values %.2f, ratios %.2f\n",
           GSVD_SINGLE ? e / 3 : e, count, by_default, off, lapack, w.x, median,
           w.r[w.count - 1], w.over, w.values, w.ratio);
    fflush(stdout);
    ck_assert_ratio(median);
}
END_TEST

/* By each solver, also those whose errors are small against norms alone */
START_TEST(every_solver)
{
    worst_t w = {0};
    equilibrate(GSVD_EQUILIBRATE_ON);
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, _i));
    for (int c = 0; c < RECIPES; ++c)
        for (int which = 0; which < 4; ++which) {
            const recipe_t *const of = &recipe[c];
            if (too_large(of->m, of->n, of->p) || left_out(which, 4) ||
                left_out_there(which, 4))
                continue;
            const scaled_t s =
                scaled_pair(of, 12, 3000 + 100 * (uint64_t)c + (uint64_t)which);
            for (int door = 0; door < doors(); ++door)
                check_factors(of, &s, (door_t)door, &w);
            release_pool();
        }
    printf("%s: values %.2f, columns of X %.1f, ratios %.2f\n", solver_name(_i),
           w.values, w.x, w.ratio);
}
END_TEST

/* ---- beside the pair without scales --------------------------------------------- */

/* Values over their bound, or -1: it finds other ranks. */
static double found_values(gsvd_equilibrate_t how, const scaled_t *s)
{
    equilibrate(how);
    const result_t r = decompose(HOST, 'N', 'N', 'N', s->P.A, s->P.B);
    ck_assert_ok(r.status);
    return has_ranks(&r, &s->P) ? values_over_bound(s, &r) : -1;
}

/* Columns over 10^+-8 and one that is shorter, so that many are next to LAPACK's tolerances:
 * where GSVD_EQUILIBRATE_OFF finds the ranks so does AUTO, and who finds them has the values of
 * the pair with columns alike. */
START_TEST(never_worse)
{
    const recipe_t *const of = &recipe[_i];
    double worst[3] = {0};
    int found[3] = {0}, count = 0;
    for (int which = 0; which < 4 * MANY; ++which) {
        if (left_out(which, 24))
            continue;
        uint64_t seed = 5000 + 100 * (uint64_t)_i + (uint64_t)which;
        const scaled_t s = scaled_pair(of, 8, seed);
        const int64_t j = (int64_t)random_below(&seed, of->n);
        const real_t d = power(4, &seed);
        scale_column(s.P.A, j, d);
        scale_column(s.P.B, j, d);
        double over[3];
        for (int how = 0; how < 3; ++how) {
            over[how] = found_values((gsvd_equilibrate_t)how, &s);
            found[how] += over[how] >= 0;
            larger_of(&worst[how], over[how]);
        }
        ck_assert(over[GSVD_EQUILIBRATE_AUTO] >= 0 ||
                  over[GSVD_EQUILIBRATE_OFF] < 0);
        ++count;
        release_pool();
    }
    printf("%d x %d, %d: ranks of %d, AUTO %d, ON %d, OFF %d; values %.2f, "
           "%.2f, %.2g\n",
           of->m, of->n, of->p, count, found[0], found[1], found[2], worst[0],
           worst[1], worst[2]);
    fflush(stdout);
    for (int how = 0; how < 3; ++how)
        if (how != GSVD_EQUILIBRATE_OFF || !on_device)
            ck_assert_ratio(worst[how]); /* TSQR's reflectors mix columns    */
}
END_TEST

/* ---- LAPACK's form, beside LAPACK ------------------------------------------------- */

/* xGGSVP3 with tolerances 0 and xTGSJA: R in the place of A */
static result_t decompose_by_lapack(const sample_t *P)
{
    const lapack_int n = (lapack_int)P->A.cols;
    result_t r = {.A = copy_for_lapack(P->A),
                  .B = copy_for_lapack(P->B),
                  .U = copy_for_lapack(P->A),
                  .V = copy_for_lapack(P->A),
                  .Q = copy_for_lapack(P->A),
                  .alpha = grab((size_t)n * sizeof *r.alpha),
                  .beta = grab((size_t)n * sizeof *r.beta)};
    const lapack_int lda = (lapack_int)r.A.ld;
    const real_t tola = (real_t)n * norm1(P->A) * GSVD_ULP;
    const real_t tolb = (real_t)n * norm1(P->B) * GSVD_ULP;
    lapack_int k, l, cycles;

    ck_assert_int_eq(0, LAPACK(ggsvp3)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', n, n, n,
                                       r.A.data, lda, r.B.data, lda, 0, 0, &k,
                                       &l, r.U.data, lda, r.V.data, lda,
                                       r.Q.data, lda));
    r.info =
        LAPACK(tgsja)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', n, n, n, k, l, r.A.data,
                      lda, r.B.data, lda, tola, tolb, r.alpha, r.beta, r.U.data,
                      lda, r.V.data, lda, r.Q.data, lda, &cycles);
    r.k = k;
    r.l = l;
    return r;
}

enum { SOME_PAIRS = 200 };

/* How many at each scale: the program's second argument */
static int64_t pairs_beside_lapack(void)
{
    const int64_t asked = arguments > 2 ? strtoll(argument[2], NULL, 10) : 0;
    return asked > 0 ? asked : SOME_PAIRS;
}

/* The worst columns of pairs, in eps */
typedef struct columns {
    double *ours, *theirs, x, over; /* x: of X; over: ours over n eps growth */
    int64_t count, above;           /* ours above 100 eps                    */
} columns_t;

static void compare_columns(uint64_t i, double e, columns_t *w)
{
    recipe_t of = {.family = NORMAL};
    of.m = of.n = of.p = 3 + (int)(i % 18);
    const scaled_t s = scaled_pair(&of, e, 7000 + i);
    const double bound = bound_of_columns(&s.P);

    const result_t r = decompose(HOST, 'U', 'V', 'Q', s.P.A, s.P.B);
    ck_assert_ok(r.status);
    ck_assert(r.k == 0 && r.l == of.n);
    ck_assert_ratio(larger_of(&w->over, worst_over_growth(&s.P, &r) / bound));
    const double ours = worst_column(&s.P, &r, GSVD_FORM_LAPACK) / GSVD_EPS;
    w->above += ours > 100;

    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    const result_t x = decompose(HOST, 'U', 'V', 'Q', s.P.A, s.P.B);
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
    ck_assert_ok(x.status);
    larger_of(&w->x, worst_column(&s.P, &x, GSVD_FORM_X) / GSVD_EPS);

    const result_t t = decompose_by_lapack(&s.P);
    if (t.info == 0 && t.k == 0 && t.l == of.n) {
        w->ours[w->count] = ours;
        w->theirs[w->count++] =
            worst_column(&s.P, &t, GSVD_FORM_LAPACK) / GSVD_EPS;
    }
    release_pool();
}

/* Square pairs of order 3 to 20, normal numbers, where LAPACK has the ranks and ends: R's
 * columns are within a few roundings of R and Q, and no worse than LAPACK's, in the median and,
 * where columns differ by more than 10^+-2, at worst. */
START_TEST(columns_beside_lapack)
{
    const double e = most[_i];
    const int64_t pairs = pairs_beside_lapack();
    columns_t w = {.ours = malloc((size_t)pairs * sizeof *w.ours),
                   .theirs = malloc((size_t)pairs * sizeof *w.theirs)};
    ck_assert(w.ours && w.theirs);
    equilibrate(GSVD_EQUILIBRATE_ON);
    for (int64_t i = 0; i < pairs; ++i)
        if (!left_out((int)i, 12))
            compare_columns((uint64_t)i, e, &w);
    ck_assert(w.count > 0);
    const int64_t n = w.count;
    qsort(w.ours, (size_t)n, sizeof *w.ours, ascending);
    qsort(w.theirs, (size_t)n, sizeof *w.theirs, ascending);
    const double median = w.ours[n / 2], worst = w.ours[n - 1];
    const double median_of = w.theirs[n / 2], worst_of = w.theirs[n - 1];
    printf("10^+-%-4.3g columns of %ld pairs over eps: X %.0f (worst); R %.0f "
           "%.1e (median, worst), %ld above 100, over n g %.2f; LAPACK's R "
           "%.0f %.1e\n",
           GSVD_SINGLE ? e / 3 : e, (long)n, w.x, median, worst, (long)w.above,
           w.over, median_of, worst_of);
    fflush(stdout);
    free(w.ours);
    free(w.theirs);
    ck_assert(median <= median_of);
    ck_assert(e <= 2 || worst <= worst_of);
}
END_TEST

/* ---- what is asked for ------------------------------------------------------------- */

static void ck_assert_same_reals(const real_t *x, const real_t *y, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        ck_assert_msg(x[i] == y[i], "value %ld: %.17g and %.17g", (long)i,
                      (double)x[i], (double)y[i]);
}

/* A factor does not depend on what else is asked for, nor does R, which takes Q. */
START_TEST(jobs)
{
    static const char *const set[] = {"UVQ", "UNN", "NVN", "NNQ", "SSS", "NVS"};
    static const int which[] = {2, 4, 5, 6, 7, 8, 12, 14, 15};
    equilibrate(GSVD_EQUILIBRATE_ON);
    for (size_t c = 0; c < sizeof which / sizeof *which; ++c)
        for (int form = 0; form < 3; ++form)
            for (int door = 0; door < doors(); ++door) {
                const recipe_t *const of = &recipe[which[c]];
                const scaled_t s = scaled_pair(of, 8, 5 + (uint64_t)c);
                ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, form));
                const result_t all =
                    decompose((door_t)door, 'U', 'V', 'Q', s.P.A, s.P.B);
                const char *const job = set[_i];
                const result_t r = decompose((door_t)door, job[0], job[1],
                                             job[2], s.P.A, s.P.B);
                ck_assert_ok(r.status);
                ck_assert(has_ranks(&r, &s.P) && has_ranks(&all, &s.P));
                ck_assert_same_reals(r.alpha, all.alpha, of->n);
                ck_assert_same_reals(r.beta, all.beta, of->n);
                ck_assert_same(get_R(&r), get_R(&all));
                if (r.U.data)
                    ck_assert_same(r.U, mat_cols(all.U, 0, r.U.cols));
                if (r.V.data)
                    ck_assert_same(r.V, mat_cols(all.V, 0, r.V.cols));
                if (r.Q.data && form == GSVD_FORM_X)
                    ck_assert_same(r.Q, mat_cols(all.Q, 0, r.Q.cols));
                else if (r.Q.data && form == GSVD_FORM_XINV)
                    ck_assert_same(mat_cols(r.Q, 0, r.k + r.l),
                                   mat_cols(all.Q, 0, r.k + r.l));
                else if (r.Q.data)
                    ck_assert_same(r.Q,
                                   mat_cols(all.Q, of->n - r.Q.cols, r.Q.cols));
                release_pool();
            }
}
END_TEST

/* ---- columns that are no unit of measurement ----------------------------------------- */

/* Measurements less their mean: of a constant column only rounding is left, in both. */
static mat_t centred(int64_t m, int64_t n, int64_t constant, uint64_t *seed)
{
    const mat_t A = normal_mat(m, n, seed);
    for (int64_t j = 0; j < n; ++j) {
        scalar_t mean = make(0, 0);
        for (int64_t i = 0; i < m; ++i) {
            if (j == constant)
                AT(A, i, j) = make((real_t)0.1, 0);
            mean = add(mean, scale(1 / (real_t)m, AT(A, i, j)));
        }
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = sub(AT(A, i, j), mean);
        if (j == constant) /* the mean may be exact                          */
            AT(A, 0, j) = add(AT(A, 0, j), make(GSVD_EPS / 16, 0));
    }
    return A;
}

/* The ranks are LAPACK's, by default; with ON they count that column. */
START_TEST(rounding_is_no_column)
{
    for (uint64_t seed = 1; seed < 20; ++seed) {
        uint64_t s = seed;
        const int64_t n = 6;
        const int64_t constant = (int64_t)random_below(&s, n);
        sample_t P = {.A = centred(9, n, constant, &s),
                      .B = centred(12, n, constant, &s),
                      .k = 0,
                      .l = n - 1};
        ck_assert(lapack_has_ranks(&P));
        ck_assert(finds(GSVD_EQUILIBRATE_AUTO, &P));
        ck_assert(finds(GSVD_EQUILIBRATE_OFF, &P));
        ++P.l;
        ck_assert(finds(GSVD_EQUILIBRATE_ON, &P));
        release_pool();
    }
}
END_TEST

/* ... while the other columns of the pair have scales: they count, and it does not. */
START_TEST(rounding_beside_scales)
{
    for (uint64_t seed = 1; seed < 20; ++seed) {
        uint64_t s = seed;
        const recipe_t c = {12, 9, 7, RANKS, 1, 7, 0, 0};
        scaled_t pair = scaled_pair(&c, 3, seed);
        const int64_t j = (int64_t)random_below(&s, 9);
        const real_t largest_a = norm1(pair.P.A), largest_b = norm1(pair.P.B);
        for (int64_t i = 0; i < c.m; ++i)
            AT(pair.P.A, i, j) =
                scale(largest_a * GSVD_EPS / 16, random_uniform_scalar(&s));
        for (int64_t i = 0; i < c.p; ++i)
            AT(pair.P.B, i, j) =
                scale(largest_b * GSVD_EPS / 16, random_uniform_scalar(&s));
        pair.P.k = c.n - 1 - c.l; /* of the other n - 1 columns              */
        ck_assert(finds(GSVD_EQUILIBRATE_AUTO, &pair.P));
        pair.P.k = 1 + c.n - 1 - c.l;
        ck_assert(finds(GSVD_EQUILIBRATE_ON, &pair.P));
        release_pool();
    }
}
END_TEST

/* A tolerance of the caller's is one of his units, unless he asks for scales. */
START_TEST(given_tolerances)
{
    const recipe_t c = {6, 5, 3, RANKS, 2, 3, 0, 0};
    for (uint64_t seed = 1; seed < 20; ++seed) {
        const scaled_t s = scaled_pair(&c, 4, seed);
        for (int of_b = 0; of_b < 2; ++of_b) {
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, -1));
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, -1));
            ck_assert_ok(
                gsvd_set_option(handle, of_b ? GSVD_TOL_B : GSVD_TOL_A,
                                (of_b ? norm1(s.P.B) : norm1(s.P.A)) / 1000));
            equilibrate(GSVD_EQUILIBRATE_AUTO);
            const result_t r = decompose(HOST, 'U', 'V', 'Q', s.P.A, s.P.B);
            equilibrate(GSVD_EQUILIBRATE_OFF);
            const result_t o = decompose(HOST, 'U', 'V', 'Q', s.P.A, s.P.B);
            ck_assert(r.k == o.k && r.l == o.l);
            ck_assert_same(r.A, o.A);
            ck_assert_same(r.U, o.U);
            ck_assert_same(r.V, o.V);
            ck_assert_same(r.Q, o.Q);
        }
        release_pool();
    }
}
END_TEST

/* Zero columns, of one matrix or of both, and scales at the ends of the range */
START_TEST(zeros_and_extremes)
{
    static const int far[] = {0, 60, 290};
    const recipe_t c = {12, 9, 7, RANKS, 2, 7, 0, 0};
    equilibrate(GSVD_EQUILIBRATE_ON);
    for (int zero = 0; zero < 4; ++zero) { /* of none, A, B, both             */
        const scaled_t s = scaled_pair(&c, 0, 3);
        const double one = GSVD_SINGLE ? far[_i] / 10.0 : far[_i];
        scale_column(s.P.A, 2, (real_t)(zero & 1 ? 0 : pow(10, -one)));
        scale_column(s.P.B, 2, (real_t)(zero & 2 ? 0 : pow(10, -one)));
        for (int door = 0; door < doors(); ++door) {
            const result_t r =
                decompose((door_t)door, 'U', 'V', 'Q', s.P.A, s.P.B);
            ck_assert_ok(r.status);
            ck_assert_int_eq(r.k + r.l, zero == 3 ? 8 : 9);
            ck_assert_ratios(s.P.A, s.P.B, &r, "zeros");
        }
        release_pool();
    }
}
END_TEST

/* ON scales by 2^1000 at most (single 2^120): a column that is shorter by more is told by the status,
 * unless no tolerance could take it for zero.  AUTO has it for zero. */
START_TEST(beyond_the_scales)
{
    enum { TOP = GSVD_SINGLE ? 60 : 500 };
    static const int half[] = {GSVD_SINGLE ? 57 : 495, GSVD_SINGLE ? 62 : 505};
    static const char *const text =
        "values are too small beside the largest one: the type's range does "
        "not hold both";
    static const int of[][3] = {{2, 2, 2}, {6, 5, 5}, {30, 24, 32}};
    const int m = of[_i][0], n = of[_i][1], p = of[_i][2];
    uint64_t seed = 29;
    for (int beyond = 0; beyond < 2; ++beyond)
        for (int job = 0; job < 2; ++job) {
            const char u = "UN"[job], v = "VN"[job], q = "QN"[job];
            sample_t P = {.A = ldexp_mat(random_mat(m, n, &seed), TOP),
                          .B = ldexp_mat(random_mat(p, n, &seed), TOP)};
            for (int i = 0; i < 2; ++i) {
                scale_column(P.A, 1, ldexp(1, -half[beyond]));
                scale_column(P.B, 1, ldexp(1, -half[beyond]));
            }

            equilibrate(GSVD_EQUILIBRATE_ON);
            for (int door = 0; door < doors(); ++door) {
                const result_t r = decompose((door_t)door, u, v, q, P.A, P.B);
                ck_assert_status(r.status,
                                 beyond ? GSVD_NOT_CONVERGED : GSVD_SUCCESS);
                ck_assert_int_eq(r.info, beyond);
                if (beyond)
                    ck_assert_str_eq(gsvd_last_error(handle), text);
                else
                    ck_assert(r.k == 0 && r.l == n);
            }
            ck_assert_int_eq(decompose_batch(1, u, u, u, 0, &P)->info, beyond);

            equilibrate(GSVD_EQUILIBRATE_AUTO);
            const result_t zero = decompose(HOST, u, v, q, P.A, P.B);
            ck_assert_ok(zero.status);
            ck_assert(zero.k == 0 && zero.l == n - 1);

            equilibrate(GSVD_EQUILIBRATE_ON);
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
            const result_t all = decompose(HOST, u, v, q, P.A, P.B);
            ck_assert_ok(all.status);
            ck_assert(all.k == 0 && all.l == n);
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, -1));
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, -1));
            release_pool();
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("equilibrate");
    TCase *t = add_tcase(s, "common scale");
    tcase_add_loop_test(t, never_worse, 0, SMALL_RECIPES);
    tcase_add_loop_test(t, common_scale, 0, SCALES);
    tcase_add_loop_test(t, every_solver, 0, SOLVERS);
    tcase_add_loop_test(t, columns_beside_lapack, 0, SCALES);
    tcase_add_loop_test(t, jobs, 0, 6);
    t = add_tcase(s, "ranks");
    tcase_add_test(t, rounding_is_no_column);
    tcase_add_test(t, rounding_beside_scales);
    tcase_add_test(t, given_tolerances);
    tcase_add_loop_test(t, zeros_and_extremes, 0, 3);
    tcase_add_loop_test(t, beyond_the_scales, 0, 3);
    return s;
}
