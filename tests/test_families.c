/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_families.c -- svd, hsvd, gsvd and their batches walk one table of families
 * (harness/families.h): values against extended precision within what gsvd.h promises, residuals,
 * orthogonality, order.
 *
 *     tests_<letter> families cpu|cuda [COUNT]     so many problems a routine
 *
 * The environment:
 *
 *     GSVD_TEST_SEED     which problems of the table: a number, or "today" for another sample each
 *                        day; 1 where it is not set
 *     GSVD_TEST_CASE     one problem alone, by its name, e.g. dense:4711003
 *     GSVD_TEST_ROUTINE  one routine alone: svd, hsvd, gsvd, svd_batched, hsvd_batched,
 *                        gsvd_batched, solve
 *     GSVD_TEST_LIST     1: each problem is printed, with its errors over their bounds
 *     GSVD_TEST_OPEN     1: defects that are known (open_defects) fail, too
 *
 * The bounds.  Of values, q = 3 max(rows, columns, 10) eps, c the condition:
 *
 *     svd   q (10 + c) relative to each, c that of A with columns or with rows of length 1, and
 *           q relative to the largest one; of values alone of an unscaled square A the latter; where
 *           such columns, or rows, are dependent, besides max(r, 10) times what changes of entries
 *           by eps of the largest one of their column, or row, do to the r values
 *     hsvd  q (10 + c) relative to each, c that of A with columns of length 1
 *     gsvd  50 max(n, 10) eps times c / 20 relative to each, as in pairs_accuracy, c the sum of
 *           those of A and of B, each with columns or rows of length 1, where both are below 1000;
 *           and, by CSD alone, 50 max(n, 10) eps c in the chordal metric, once the largest entries
 *           of A and B are made alike, c that of (A; B) then, with columns of length 1; where rows
 *           differ besides max(n, 10) times what changes of entries by eps of the largest one of
 *           their row do
 *     solve as gsvd, with the conditions of the triangles of preprocess, which are its pair
 *
 * LAPACK's ratios below LAPACK's threshold. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "harness/batches.h"
#include "harness/families.h"
#include "harness/quad.h"

typedef enum routine {
    SVD,
    HSVD,
    GSVD,
    SVD_BATCHED,
    HSVD_BATCHED,
    GSVD_BATCHED,
    SOLVE,
    ROUTINES
} routine_t;

static const char *const routine_name[ROUTINES] = {
    "svd",          "hsvd",         "gsvd", "svd_batched",
    "hsvd_batched", "gsvd_batched", "solve"};

typedef enum fault {
    STATUS,        /* not success, or a result that is not finite            */
    VALUES,        /* beyond the bound                                       */
    ORDER,         /* sigma, alpha do not descend                            */
    ORTHOGONALITY, /* of U, V, Q                                             */
    SIGNATURE,     /* V^H J V - J'                                           */
    RESIDUAL,
    FAULTS
} fault_t;

static const char *const fault_name[FAULTS] = {
    "status", "values", "order", "orthogonality", "signature", "residual"};

/* ---- what is known to be wrong ------------------------------------------------- */

#define BIT(x) (1u << (x))
#define ALL 0u

/* Faults of such problems do not fail, unless GSVD_TEST_OPEN asks for it: the item of issue 27
 * that mends them, or 0.  A set that is 0 has all. */
typedef struct open_defect {
    int item;
    unsigned routines, faults, structures, spectra, scalings;
    const char *ways; /* names, or NULL                                       */
    int least, most;  /* orders; 0: all                                       */
} open_defect_t;

static const open_defect_t open_defects[] = {
    /* smooth kernels, whose rows differ as well; values of 0 that are rounding of such columns */
    {3, BIT(GSVD) | BIT(GSVD_BATCHED) | BIT(SOLVE), BIT(STATUS),
     BIT(EQUATIONS) | BIT(HILBERT) | BIT(TRIANGLE), ALL,
     BIT(SPAN) | BIT(FAR_COLUMNS), NULL, 0, 0},
    /* gsvd.h's limit of batches, 1e270: info 1 */
    {0, BIT(SVD_BATCHED), BIT(STATUS), ALL, ALL, BIT(SPAN), NULL, 0, 0},
    /* A's and B's rows apart by 2^+-40 where they are triangles: F = A R^-1 with growth in columns,
     * one in 20 off by 1e-9 and more (triangles) */
    {9, BIT(GSVD) | BIT(GSVD_BATCHED) | BIT(SOLVE), BIT(VALUES), BIT(TRIANGLE),
     ALL, BIT(ROWS) | BIT(BOTH), NULL, 0, 0},
    /* smooth kernels with such rows, tall: up to 50 of the bound */
    {9, BIT(SVD) | BIT(SVD_BATCHED), BIT(VALUES),
     BIT(EQUATIONS) | BIT(HILBERT) | BIT(KAHAN_S), ALL, BIT(ROWS) | BIT(BOTH),
     NULL, 0, 0},
};
enum { DEFECTS = sizeof open_defects / sizeof *open_defects };
static int met[DEFECTS];

static int in(unsigned set, int x) { return set == 0 || (set >> x & 1); }

static int item_of(routine_t r, const problem_t *c, fault_t f)
{
    for (int i = 0; i < DEFECTS; ++i) {
        const open_defect_t *const d = &open_defects[i];
        if (in(d->routines, (int)r) && in(d->faults, (int)f) &&
            in(d->structures, (int)c->structure) &&
            in(d->spectra, (int)c->spectrum) &&
            in(d->scalings, (int)c->scaling) && c->n >= d->least &&
            (d->most == 0 || c->n <= d->most) &&
            (!d->ways || strstr(d->ways, way[c->way].name))) {
            ++met[i];
            return d->item;
        }
    }
    return -1;
}

/* ---- a report of one problem ------------------------------------------------------ */

static uint64_t table_seed = 1;
static int count_of_each = 0, listed, open_ones;
static int only_routine = -1, only_case;
static problem_t only;

typedef struct report {
    routine_t routine;
    const problem_t *c;
    double worst[FAULTS]; /* over the bound                                   */
    char text[600];
} report_t;

static void note(report_t *t, fault_t f, double part, const char *format, ...)
{
    const int failed = !(part <= 1);
    t->worst[f] = !(part <= t->worst[f]) ? part : t->worst[f];
    if (!failed)
        return;
    const int item = item_of(t->routine, t->c, f);
    const size_t used = strlen(t->text);
    if (item >= 0 && !open_ones)
        return;
    snprintf(t->text + used, sizeof t->text - used, "; %s: ", fault_name[f]);
    va_list rest;
    va_start(rest, format);
    const size_t now = strlen(t->text);
    vsnprintf(t->text + now, sizeof t->text - now, format, rest);
    va_end(rest);
}

static void note_ratio(report_t *t, fault_t f, double ratio, const char *what)
{
    note(t, f, ratio / LIMIT, "%s %.3g", what, ratio);
}

static void finish(const report_t *t)
{
    if (listed) {
        printf("%s %s (%s):", routine_name[t->routine], problem_name(t->c),
               problem_text(t->c));
        for (int f = 0; f < FAULTS; ++f)
            printf(" %.2g", t->worst[f]);
        printf("%s\n", t->text);
        fflush(stdout);
    }
    ck_assert_msg(t->text[0] == 0, "%s %s (%s)%s", routine_name[t->routine],
                  problem_name(t->c), problem_text(t->c), t->text);
}

/* ---- values ----------------------------------------------------------------------- */

/* Values from place `first` on descend. */
static void check_order(report_t *t, const real_t *x, int64_t first,
                        int64_t end)
{
    for (int64_t j = first; j < end; ++j)
        note(t, ORDER,
             x[j] >= 0 && isfinite(x[j]) && (j == first || x[j] <= x[j - 1])
                 ? 0
                 : INFINITY,
             "value %ld", (long)j);
}

/* |x - right|, less what `change` has, over the least of so much of each and so much of the largest */
static void check_values(report_t *t, const real_t *x, const wide_t *right,
                         const wide_t *change, int64_t n, double of_each,
                         double of_largest, const char *what)
{
    wide_t largest = 0;
    double worst = 0;
    int64_t at = 0;
    for (int64_t j = 0; j < n; ++j)
        largest = fmaxl(largest, right[j]);
    for (int64_t j = 0; j < n; ++j) {
        const wide_t most = fminl(of_each * right[j], of_largest * largest) +
                            (wide_t)GSVD_SAFMIN * GSVD_ULP;
        const wide_t apart = fabsl((wide_t)x[j] - right[j]);
        const wide_t off = change && apart <= change[j] ? 0
                           : change                     ? apart - change[j]
                                                        : apart;
        const double part = (double)(off / most);
        if (!(part <= worst)) {
            worst = part;
            at = j;
        }
    }
    note(t, VALUES, worst, "%s: value %ld is %Lg, not %Lg, %.2g of the bound",
         what, (long)at, n > 0 ? (wide_t)x[at] : 0, n > 0 ? right[at] : 0,
         worst);
}

static double unit_of(const problem_t *c, int64_t m)
{
    return 3 * (double)max_i(max_i(m, c->n), 10) * GSVD_EPS;
}

/* Above this many columns references take too long, unless COUNT asks for many problems. */
static int64_t most_columns(void) { return count_of_each > 0 ? 300 : 130; }

/* ---- svd -------------------------------------------------------------------------- */

typedef struct promise {
    wide_t *right;  /* NULL: not computed                                   */
    wide_t *change; /* by so much besides; NULL: 0                          */
    double of_each, of_largest, alone;
} promise_t;

/* of D A or A D for the better D */
static double least_condition(mat_t A)
{
    return fmin(condition_by_columns(A), condition_by_rows(A));
}

/* What errors of eps of each row, or of each column, do to A's values: if the rows of D B, or the
 * columns of B D, are dependent, cond(B) does not say how far values are determined. */
static wide_t *change_of_values(mat_t A, const wide_t *right, int columns)
{
    enum { TIMES = 8 };
    const int64_t r = min_i(A.rows, A.cols);
    const mat_t C = columns ? adjoint(A) : A;
    wide_t *const change = grab((size_t)r * sizeof *change);
    wide_t *const x = grab((size_t)r * sizeof *x);
    uint64_t seed = 1;
    for (int64_t j = 0; j < r; ++j)
        change[j] = 0;
    for (int i = 0; i < TIMES; ++i) {
        wide_singular_values(disturbed(C, GSVD_EPS, &seed), x);
        for (int64_t j = 0; j < r; ++j)
            change[j] =
                fmaxl(change[j], (wide_t)max_i(r, 10) * fabsl(x[j] - right[j]));
    }
    return change;
}

/* `alone`: of_each where no vectors are asked for */
static promise_t promise_of_svd(const problem_t *c, mat_t A)
{
    const int64_t r = min_i(A.rows, A.cols);
    promise_t p = {.of_largest = unit_of(c, A.rows)};
    if (r > most_columns())
        return p;
    p.right = grab((size_t)r * sizeof *p.right);
    wide_singular_values(A, p.right);
    p.of_each = p.of_largest * (10 + least_condition(A));
    const int columns = condition_by_columns(A) < condition_by_rows(A);
    if (columns ? A.rows < A.cols : A.rows > A.cols)
        p.change = change_of_values(A, p.right, columns);
    const int square = A.rows == A.cols;
    const int even = c->scaling == UNSCALED || c->scaling >= LARGE;
    p.alone = square && even ? INFINITY : p.of_each;
    return p;
}

/* |A - U Sigma V^H| as LAPACK's ratio, over `longer` besides */
static void check_residual(report_t *t, mat_t A, const real_t *sigma, mat_t U,
                           mat_t V, double longer)
{
    note_ratio(t, RESIDUAL, svd_residual(A, U, sigma, V) / longer,
               "A - U Sigma V^H");
}

static void check_svd(report_t *t, mat_t A, const promise_t *p,
                      const real_t *sigma, mat_t U, mat_t V)
{
    const int64_t r = min_i(A.rows, A.cols);
    check_order(t, sigma, 0, r);
    if (p->right)
        check_values(t, sigma, p->right, p->change, r,
                     U.data ? p->of_each : p->alone, p->of_largest,
                     U.data ? "with vectors" : "alone");
    if (!U.data)
        return;
    note_ratio(t, ORTHOGONALITY, defect(U), "U");
    note_ratio(t, ORTHOGONALITY, defect(V), "V");
    check_residual(t, A, sigma, U, V, 1);
}

static void one_svd(report_t *t)
{
    const problem_t *const c = t->c;
    const int64_t m = c->m, n = c->n, r = min_i(m, n);
    const mat_t A = problem_matrix(c, m, 0);
    const promise_t p = promise_of_svd(c, A);
    for (int vectors = 0; vectors < 2; ++vectors) {
        const char job = vectors ? 'S' : 'N';
        const mat_t C = copy_mat(A), none = mat_view(NULL, 0, 0, 1);
        const mat_t U = vectors ? new_mat(m, r) : none;
        const mat_t V = vectors ? new_mat(n, r) : none;
        real_t *const sigma = grab((size_t)r * sizeof *sigma);
        int info;
        const gsvd_status_t status =
            X(svd)(handle, job, job, m, n, C.data, C.ld, sigma, U.data,
                   max_i(U.ld, m), V.data, max_i(V.ld, n), &info);
        note(t, STATUS, status == GSVD_SUCCESS ? 0 : INFINITY, "%s",
             gsvd_status_name(status));
        if (status == GSVD_SUCCESS)
            check_svd(t, A, &p, sigma, U, V);
    }
}

/* ---- hsvd ------------------------------------------------------------------------- */

static signature_t signature_for(const problem_t *c)
{
    uint64_t seed = (uint64_t)c->number;
    return make_signs(c->structure == OPPOSITE ? ALTERNATING
                                               : (int)(c->number % SIGNS),
                      c->n, &seed);
}

/* Up to so many columns in quadruple precision */
static int64_t quad_columns(void)
{
    return (count_of_each > 0 ? 65 : 33) / (GSVD_COMPLEX ? 2 : 1);
}

/* of_largest: columns may be dependent up to rounding. */
static promise_t promise_of_hsvd(const problem_t *c, mat_t A,
                                 const signature_t *s)
{
    const double condition = condition_by_columns(A);
    const double unit = unit_of(c, A.rows);
    promise_t p = {.of_each = unit * (10 + condition),
                   .of_largest = condition * unit > 0.01};
    if (p.of_largest != 0 || A.cols > most_columns())
        return p;
    if (A.cols <= quad_columns()) {
        p.right = grab((size_t)A.cols * sizeof *p.right);
        if (!quad_signed_values(A, s, p.right))
            p.right = NULL;
    } else if (condition < 1000) {
        p.right = exact_values(A, s);
    }
    return p;
}

static void check_hsvd(report_t *t, mat_t A, const promise_t *p,
                       const signature_t *s, const real_t *sigma, mat_t U,
                       mat_t V)
{
    const char *const what = U.data ? "with vectors" : "alone";
    const int64_t n = A.cols;
    check_order(t, sigma, 0, s->plus);
    check_order(t, sigma, s->plus, n);
    if (p->right) {
        check_values(t, sigma, p->right, NULL, s->plus, p->of_each, INFINITY,
                     what);
        check_values(t, sigma + s->plus, p->right + s->plus, NULL, n - s->plus,
                     p->of_each, INFINITY, what);
    }
    if (!U.data)
        return;
    const double length = fmax(1, norm1(V));
    const int svd = way[t->c->way].svd;
    note_ratio(t, ORTHOGONALITY, defect(U), "U");
    if (p->of_largest != 0)
        return; /* nearly dependent columns: V is as long as 1 / eps           */
    note_ratio(t, SIGNATURE, signed_defect(V, s), "V^H J V");
    /* steps leave to sweeps what takes columns longer than 40             */
    check_residual(t, A, sigma, U, V,
                   svd == GSVD_SVD_JACOBI
                       ? length
                       : fmax(length, fmin(length * length, 40 * 40)));
}

static void check_refusal(report_t *t, const promise_t *p, gsvd_status_t status,
                          int info)
{
    const int refused =
        p->of_largest != 0 && info > 2 && status == GSVD_INVALID_ARGUMENT;
    note(t, STATUS, status == GSVD_SUCCESS || refused ? 0 : INFINITY,
         "%s, info %d", gsvd_status_name(status), info);
}

static void one_hsvd(report_t *t)
{
    const problem_t *const c = t->c;
    const mat_t A = problem_matrix(c, c->m, 0);
    const signature_t s = signature_for(c);
    const promise_t p = promise_of_hsvd(c, A, &s);
    for (int vectors = 0; vectors < 2; ++vectors) {
        const hsvd_t d = decompose_signed(HOST, vectors ? 'S' : 'N',
                                          vectors ? 'V' : 'N', A, s);
        check_refusal(t, &p, d.status, d.info);
        if (d.status == GSVD_SUCCESS)
            check_hsvd(t, A, &p, &s, d.sigma, d.U, d.V);
    }
}

/* ---- gsvd ------------------------------------------------------------------------- */

typedef struct pair_promise {
    wide_t *right;
    wide_t *change; /* by so much besides; NULL: 0                           */
    double of_each, chordal;
    int shift; /* the chordal metric is that of values times 2^shift        */
} pair_promise_t;

static double joint_condition(const sample_t *P, int shift)
{
    const mat_t C = new_mat(P->A.rows + P->B.rows, P->A.cols);
    EACH_ENTRY (C, i, j)
        AT(C, i, j) = i < P->A.rows ? scale(ldexp_r(1, shift), AT(P->A, i, j))
                                    : AT(P->B, i - P->A.rows, j);
    return condition_by_columns(C);
}

static int top_of(mat_t A)
{
    real_t most = 0;
    EACH_ENTRY (A, i, j)
        most = fmax_r(most, abs_max(AT(A, i, j)));
    return most > 0 ? exponent_r(most) : 0;
}

/* What errors of eps of each row do to the values of P: triangles, whose zeros become something, are
 * determined no better, and no algorithm does more whose errors are small against rows. */
static wide_t *change_by_rows(const sample_t *P, const wide_t *right)
{
    enum { TIMES = 8 };
    const int64_t n = P->A.cols;
    wide_t *const change = grab((size_t)n * sizeof *change);
    wide_t *const x = grab((size_t)n * sizeof *x);
    uint64_t seed = 1;
    for (int64_t j = 0; j < n; ++j)
        change[j] = 0;
    for (int i = 0; i < TIMES; ++i) {
        wide_values(new_mat(P->A.rows, 0), disturbed(P->A, GSVD_EPS, &seed),
                    disturbed(P->B, GSVD_EPS, &seed), x);
        for (int64_t j = 0; j < n; ++j)
            change[j] = fmaxl(change[j], fabsl(x[j] - right[j]));
    }
    for (int64_t j = 0; j < n; ++j)
        change[j] *= (wide_t)max_i(n, 10);
    return change;
}

static pair_promise_t promise_of_pair(const problem_t *c, const sample_t *P,
                                      int clean)
{
    const double unit = 50 * (double)max_i(c->n, 10) * GSVD_EPS;
    pair_promise_t p = {.of_each = INFINITY};
    if (!clean || c->n > most_columns())
        return p;
    const double a = least_condition(P->A), b = least_condition(P->B);
    p.right = grab((size_t)c->n * sizeof *p.right);
    wide_values(new_mat(P->A.rows, 0), P->A, P->B, p.right);
    if (way[c->way].solver != GSVD_SOLVER_CSD && fmax(a, b) < 1000)
        p.of_each = unit * fmax(1, (a + b) / 20);
    if (way[c->way].solver == GSVD_SOLVER_CSD)
        p.shift = top_of(P->B) - top_of(P->A);
    p.chordal = unit * joint_condition(P, p.shift);
    if (c->scaling == ROWS || c->scaling == BOTH)
        p.change = change_by_rows(P, p.right);
    return p;
}

/* The worst of the values over the least of both bounds */
static void check_pair_values(report_t *t, const pair_promise_t *p,
                              const result_t *r, const char *what)
{
    const int64_t n = t->c->n;
    wide_t *const x = grab((size_t)n * sizeof *x);
    double worst = 0;
    int64_t at = 0;
    for (int64_t j = 0; j < n; ++j)
        x[j] = r->beta[j] > 0 ? (wide_t)r->alpha[j] / (wide_t)r->beta[j]
                              : (wide_t)INFINITY;
    qsort(x, (size_t)n, sizeof *x, wide_descending);
    for (int64_t j = 0; j < n; ++j) {
        const wide_t y = p->right[j], change = p->change ? p->change[j] : 0;
        const wide_t apart =
            fabsl(x[j] - y); /* may be NaN, then off is          */
        const wide_t off = isinf(x[j])       ? (wide_t)INFINITY
                           : apart <= change ? 0
                                             : apart - change;
        const wide_t f = ldexpl(1, p->shift), to = hypotl(1, f * y);
        const wide_t chord =
            isinf(x[j]) ? 1 / to : f * off / hypotl(1, f * x[j]) / to;
        double part = (double)(chord / (wide_t)p->chordal);
        if (isfinite(p->of_each))
            part = fmax(part,
                        off == 0 ? 0 : (double)(off / y / (wide_t)p->of_each));
        if (!(part <= worst)) {
            worst = part;
            at = j;
        }
    }
    note(t, VALUES, worst, "%s: value %ld is %Lg, not %Lg, %.2g of the bound",
         what, (long)at, x[at], p->right[at], worst);
}

/* Ranks and values as gsvd.h promises; 0: they are not such */
static int sound(report_t *t, const result_t *r, const pair_promise_t *p)
{
    const int64_t m = t->c->m, n = t->c->n, k = r->k, l = r->l;
    const int ranks = k >= 0 && l >= 0 && k <= m && l <= t->c->p &&
                      k + l <= n && (!p->right || (k == 0 && l == n));
    note(t, STATUS, ranks ? 0 : INFINITY, "ranks %ld, %ld", (long)k, (long)l);
    if (!ranks)
        return 0;
    for (int64_t i = 0; i < n; ++i) {
        const double a = r->alpha[i], b = r->beta[i];
        const double one = i < k + l ? 1 : 0;
        const int right = (i >= k || (a == 1 && b == 0)) &&
                          (i < min_i(m, k + l) || a == 0) && a >= 0 && b >= 0;
        note(t, ORDER,
             right && (i <= k || i >= min_i(m, k + l) ||
                       r->alpha[i] <= r->alpha[i - 1])
                 ? 0
                 : INFINITY,
             "alpha, beta %ld", (long)i);
        note(t, STATUS, fabs(a * a + b * b - one) / (8 * (double)GSVD_ULP),
             "alpha, beta %ld: %g, %g", (long)i, a, b);
    }
    return 1;
}

static void check_pair(report_t *t, const sample_t *P, const pair_promise_t *p,
                       const result_t *r)
{
    static const char *const what[] = {"A", "B", "U", "V", "Q"};
    if (!sound(t, r, p))
        return;
    if (p->right)
        check_pair_values(t, p, r, r->U.data ? "with vectors" : "alone");
    if (!r->U.data || r->U.cols < P->A.rows || r->V.cols < P->B.rows)
        return;
    const ratios_t x = six_ratios(P->A, P->B, r);
    for (int i = 0; i < 5; ++i)
        note_ratio(t, i < 2 ? RESIDUAL : ORTHOGONALITY, x.r[i], what[i]);
}

/* With tolerances nothing is equilibrated unless it is asked for, as it is for CSD here. */
static void take_tolerances(const problem_t *c, int clean)
{
    const double tolerance = clean ? 0 : -1;
    const int csd = way[c->way].solver == GSVD_SOLVER_CSD;
    ck_assert_ok(gsvd_set_option(handle, GSVD_EQUILIBRATE,
                                 clean && csd ? GSVD_EQUILIBRATE_ON
                                              : GSVD_EQUILIBRATE_AUTO));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, tolerance));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, tolerance));
}

static void one_pair(report_t *t)
{
    int clean;
    const problem_t *const c = t->c;
    const sample_t P = problem_pair(c, 0, &clean);
    const pair_promise_t p = promise_of_pair(c, &P, clean);
    take_tolerances(c, clean);
    for (int vectors = 0; vectors < 2; ++vectors) {
        const result_t r = vectors ? decompose(HOST, 'U', 'V', 'Q', P.A, P.B)
                                   : decompose(HOST, 'N', 'N', 'N', P.A, P.B);
        note(t, STATUS, r.status == GSVD_SUCCESS ? 0 : INFINITY, "%s",
             gsvd_status_name(r.status));
        if (r.status == GSVD_SUCCESS)
            check_pair(t, &P, &p, &r);
    }
}

/* Is the condition that counts that of rows?  Then changes of a row count besides. */
static int by_rows(mat_t A)
{
    return condition_by_rows(A) < condition_by_columns(A);
}

/* Where rows of the pair differ, those of its triangles may be of a condition far above the pair's. */
static void one_solve(report_t *t)
{
    int clean;
    const problem_t *const c = t->c;
    const sample_t P = problem_pair(c, 0, &clean);
    const real_t tolerance = (real_t)(clean ? 0 : -1);
    const result_t T =
        preprocess(HOST, 'U', 'V', 'Q', P.A, P.B, tolerance, tolerance);
    const sample_t of = {.A = mat_rows(T.A, 0, min_i(c->m, c->n)),
                         .B = mat_rows(T.B, 0, min_i(c->p, c->n))};
    note(t, STATUS, T.status == GSVD_SUCCESS ? 0 : INFINITY, "%s",
         gsvd_status_name(T.status));
    if (T.status != GSVD_SUCCESS)
        return;
    pair_promise_t p = promise_of_pair(c, &of, clean);
    if (p.right && !p.change && by_rows(of.A) + by_rows(of.B) > 0)
        p.change = change_by_rows(&of, p.right);
    for (int vectors = 0; vectors < 2; ++vectors) {
        const result_t r = vectors ? solve(HOST, 'U', 'V', 'Q', &T)
                                   : solve(HOST, 'N', 'N', 'N', &T);
        note(t, STATUS, r.status == GSVD_SUCCESS ? 0 : INFINITY, "%s",
             gsvd_status_name(r.status));
        if (r.status == GSVD_SUCCESS)
            check_pair(t, &P, &p, &r);
    }
}

/* ---- batches ---------------------------------------------------------------------- */

/* Of a batch of like problems the first and the last are looked at. */
static int64_t problems_of(const problem_t *c) { return c->n <= 33 ? 9 : 3; }

static void put_matrix(mat_t A, mat_t to)
{
    EACH_ENTRY (A, i, j)
        AT(to, i, j) = AT(A, i, j);
}

static int call_batch(report_t *t, many_t *b)
{
    call_many(HOST, handle, b);
    const int right =
        b->status == GSVD_SUCCESS || b->status == GSVD_INVALID_ARGUMENT;
    note(t, STATUS, right ? 0 : INFINITY, "%s", gsvd_status_name(b->status));
    return right || b->status == GSVD_NOT_CONVERGED;
}

static form_t form_of(const problem_t *c) { return (form_t)(c->number % 3); }

static void many_svds(report_t *t)
{
    const problem_t *const c = t->c;
    const int64_t count = problems_of(c);
    for (int vectors = 0; vectors < 2; ++vectors) {
        many_t b = new_many(MANY_SVD, form_of(c), vectors ? "SSN" : "NNN",
                            count, c->m, c->n, 0, 1);
        for (int64_t i = 0; i < count; ++i)
            put_matrix(problem_matrix(c, c->m, (uint64_t)i),
                       matrix_of(&b, MANY_A, i));
        if (!call_batch(t, &b))
            return;
        for (int64_t i = 0; i < count; i += count - 1) {
            const mat_t A = problem_matrix(c, c->m, (uint64_t)i);
            const promise_t p = promise_of_svd(c, A);
            note(t, STATUS, b.info[i] == 0 ? 0 : INFINITY, "info %d",
                 b.info[i]);
            if (b.info[i] == 0)
                check_svd(t, A, &p, values_of(&b, MANY_ALPHA, i),
                          matrix_of(&b, MANY_U, i), matrix_of(&b, MANY_V, i));
        }
    }
}

static void many_hsvds(report_t *t)
{
    const problem_t *const c = t->c;
    const int64_t count = problems_of(c);
    const signature_t s = signature_for(c);
    for (int vectors = 0; vectors < 2; ++vectors) {
        many_t b =
            new_many(MANY_HSVD, form_of(c) == STACKED ? STRIDED : form_of(c),
                     vectors ? "SVN" : "NNN", count, c->m, c->n, 0, 1);
        b.plus = s.plus;
        b.J = s.J;
        for (int64_t i = 0; i < count; ++i)
            put_matrix(problem_matrix(c, c->m, (uint64_t)i),
                       matrix_of(&b, MANY_A, i));
        if (!call_batch(t, &b))
            return;
        for (int64_t i = 0; i < count; i += count - 1) {
            const mat_t A = problem_matrix(c, c->m, (uint64_t)i);
            const promise_t p = promise_of_hsvd(c, A, &s);
            check_refusal(t, &p,
                          b.info[i] == 0  ? GSVD_SUCCESS
                          : b.info[i] > 2 ? GSVD_INVALID_ARGUMENT
                                          : GSVD_NOT_CONVERGED,
                          b.info[i]);
            if (b.info[i] == 0)
                check_hsvd(t, A, &p, &s, values_of(&b, MANY_ALPHA, i),
                           matrix_of(&b, MANY_U, i), matrix_of(&b, MANY_V, i));
        }
    }
}

static void many_pairs(report_t *t)
{
    const problem_t *const c = t->c;
    const int64_t count = problems_of(c);
    int clean;
    for (int vectors = 0; vectors < 2; ++vectors) {
        many_t b = new_many(MANY_GSVD, form_of(c), vectors ? "UVQ" : "NNN",
                            count, c->m, c->n, c->p, 1);
        for (int64_t i = 0; i < count; ++i) {
            const sample_t P = problem_pair(c, (uint64_t)i, &clean);
            put_matrix(P.A, matrix_of(&b, MANY_A, i));
            put_matrix(P.B, matrix_of(&b, MANY_B, i));
        }
        take_tolerances(c, clean);
        if (!call_batch(t, &b))
            return;
        for (int64_t i = 0; i < count; i += count - 1) {
            const sample_t P = problem_pair(c, (uint64_t)i, &clean);
            const pair_promise_t p = promise_of_pair(c, &P, clean);
            const result_t r = {.k = b.k[i],
                                .l = b.l[i],
                                .A = matrix_of(&b, MANY_A, i),
                                .B = matrix_of(&b, MANY_B, i),
                                .U = matrix_of(&b, MANY_U, i),
                                .V = matrix_of(&b, MANY_V, i),
                                .Q = matrix_of(&b, MANY_Q, i),
                                .alpha = values_of(&b, MANY_ALPHA, i),
                                .beta = values_of(&b, MANY_BETA, i)};
            note(t, STATUS, b.info[i] == 0 ? 0 : INFINITY, "info %d",
                 b.info[i]);
            if (b.info[i] == 0)
                check_pair(t, &P, &p, &r);
        }
    }
}

/* ---- the walk --------------------------------------------------------------------- */

static void (*const solve_as[ROUTINES])(report_t *) = {
    one_svd, one_hsvd, one_pair, many_svds, many_hsvds, many_pairs, one_solve};

/* Of the quick form's problems one in ten is large, and the last one has blocks. */
enum { QUICK = 70, LARGE_ONES = 14 };

static problem_t problem_for(routine_t r, int i)
{
    const uint64_t seed = table_seed * SOLVE + (uint64_t)r;
    const int quick_form = count_of_each == 0;
    const int64_t most = !quick_form               ? on_device ? 600 : 300
                         : i == QUICK - 1 && r < 3 ? 300
                                                   : 130;
    return only_case ? only
                     : drawn_problem(seed, i, i % LARGE_ONES == LARGE_ONES - 1,
                                     quick ? 130 : most);
}

START_TEST(families)
{
    const int each = only_case ? 1 : count_of_each ? count_of_each : QUICK;
    const routine_t r = (routine_t)(_i / each);
    problem_t c = problem_for(r, _i % each);
    if (only_routine >= 0 && only_routine != (int)r)
        return;
    if (count_of_each == 0 && !only_case && !is_shared_case(_i, 2))
        return;
    if (r == HSVD || r == HSVD_BATCHED) {
        c.m = max_i(c.m, c.n);
        c.signature = 1;
    }
    if (too_large(c.m, c.n, c.p))
        return;
    report_t t = {.routine = r, .c = &c};
    leave_way();
    take_way(&way[c.way]);
    solve_as[r](&t);
    leave_way();
    finish(&t);
}
END_TEST

/* Triangles whose rows differ have zeros where the largest rows are: five in six of them are within
 * the bound; one in three was when rows were ordered by size alone (jacobi/tangent.c,
 * small/tangent.h). */
START_TEST(triangles)
{
    enum { FIRST = 4, LAST = 12, SEEDS_OF_EACH = 12, FORMS_OF_PAIR = 4 };
    const routine_t routine = _i ? GSVD_BATCHED : GSVD;
    int count = 0, beyond = 0;
    if (only_case || (only_routine >= 0 && only_routine != (int)routine))
        return;
    leave_way();
    take_way(&way[0]);
    for (int64_t o = FIRST; o <= LAST; ++o)
        for (int64_t low = 0; low < SEEDS_OF_EACH; ++low) {
            const int64_t formed = low % FORMS_OF_PAIR;
            const problem_t c = problem_of(
                TRIANGLE,
                low + 1000 * (ROWS + SCALINGS * (CLUSTERS +
                                                 SPECTRA * (formed +
                                                            6 * (ways * o)))));
            report_t t = {.routine = routine, .c = &c};
            if (left_out((int)low, 4))
                continue;
            solve_as[routine](&t);
            finish(&t);
            ++count;
            beyond += !(t.worst[VALUES] <= 1);
            release_pool();
        }
    leave_way();
    printf("triangles whose rows differ%s: %d of %d beyond the bound\n",
           _i ? ", in batches" : "", beyond, count);
    if (quick <= 1) /* else there is one of the four forms alone, the worst  */
        ck_assert_msg(6 * beyond <= count, "%d of %d", beyond, count);
}
END_TEST

START_TEST(summary)
{
    for (int i = 0; i < DEFECTS && listed; ++i)
        printf("open defect %d, item %d: met %d times\n", i,
               open_defects[i].item, met[i]);
}
END_TEST

static uint64_t seed_of_environment(const char *text)
{
    if (!text)
        return 1;
    return strcmp(text, "today") == 0 ? (uint64_t)time(NULL) / 86400
                                      : strtoull(text, NULL, 10);
}

Suite *make_suite(void)
{
    const char *const name = getenv("GSVD_TEST_CASE");
    const char *const routine = getenv("GSVD_TEST_ROUTINE");
    table_seed = seed_of_environment(getenv("GSVD_TEST_SEED"));
    listed = getenv("GSVD_TEST_LIST") != NULL;
    open_ones = getenv("GSVD_TEST_OPEN") != NULL;
    count_of_each = arguments > 2 ? atoi(argument[2]) : 0;
    only_case = name && named_problem(name, &only);
    for (int r = 0; r < ROUTINES && routine; ++r)
        if (strcmp(routine, routine_name[r]) == 0)
            only_routine = r;
    printf("families: GSVD_TEST_SEED=%llu\n", (unsigned long long)table_seed);

    Suite *s = suite_create("families");
    TCase *t = add_tcase(s, "families");
    tcase_add_loop_test(t, families, 0,
                        ROUTINES * (only_case       ? 1
                                    : count_of_each ? count_of_each
                                                    : QUICK));
    tcase_add_loop_test(t, triangles, 0, 2);
    tcase_add_test(t, summary);
    return s;
}
