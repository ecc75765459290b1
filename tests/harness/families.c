/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* families.c -- see families.h. */
#include "harness/families.h"

#include <stdio.h>

#include "../../bench/integral.h"
#include "harness/graded.h"
#include "harness/wide.h"
#include "lapacke.h"

const char *const structure_name[STRUCTURES] = {
    "dense",    "triangle", "kahan", "hilbert", "parallel",
    "opposite", "rank-one", "zeros", "sparse",  "equations"};
const char *const spectrum_name[SPECTRA] = {"random",    "tenth",   "geometric",
                                            "clusters",  "equal",   "levels",
                                            "deficient", "integers"};
const char *const scaling_name[SCALINGS] = {
    "unscaled",    "columns",      "rows", "rows and columns",
    "far columns", "same columns", "span", "huge",
    "tiny"};

/* Of a GPU, on which 64 columns begin large steps, other orders than of the host take them. */
const way_t way[] = {
    {.name = "auto"},
    {.name = "auto"},
    {.name = "sweeps", .svd = GSVD_SVD_JACOBI},
    {.name = "steps", .large_steps = 16},
    {.name = "blocks", .svd = GSVD_SVD_JACOBI, .block_jacobi = 64},
    {.name = "norm", .pivot = GSVD_PIVOT_NORM},
    {.name = "tsqr", .panel = GSVD_PANEL_TSQR},
    {.name = "csd", .solver = GSVD_SOLVER_CSD},
};
const int ways = sizeof way / sizeof *way;

static const int order[] = {
    2,   3,   4,   5,   6,   7,   8,   9,   11,  13,  15,  16,  17,
    19,  21,  23,  24,  25,  27,  29,  31,  32,  33,  35,  39,  40,
    41,  47,  48,  49,  55,  57,  63,  64,  65, /* then the large ones       */
    100, 127, 128, 129, 200, 255, 256, 257, 300, 320, 400, 512, 600};
enum { ORDERS = sizeof order / sizeof *order, SMALL_ORDERS = 35 };

/* m, n and p in parts of the order */
static const struct shape_of {
    double m, p;
    int more_m, more_p;
} form[] = {{1, 1, 0, 0}, {1, 1, 0, 0},   {2, 1, 3, 0},
            {1, 2, 0, 3}, {0.5, 1, 1, 0}, {1, 0.5, 1, 1}};
enum { SHAPES = sizeof form / sizeof *form, SEEDS = 1000 };

/* ---- names ---------------------------------------------------------------- */

problem_t problem_of(structure_t structure, int64_t number)
{
    problem_t c = {.structure = structure, .number = number};
    int64_t rest = number / SEEDS;
    c.scaling = (scaling_t)(rest % SCALINGS);
    rest /= SCALINGS;
    c.spectrum = (spectrum_t)(rest % SPECTRA);
    rest /= SPECTRA;
    const struct shape_of *const s = &form[rest % SHAPES];
    rest /= SHAPES;
    c.way = (int)(rest % ways);
    rest /= ways;
    c.order = order[rest % ORDERS];
    c.n = c.order;
    c.m = (int64_t)(s->m * (double)c.n) + s->more_m;
    c.p = (int64_t)(s->p * (double)c.n) + s->more_p;
    return c;
}

int named_problem(const char *name, problem_t *c)
{
    const char *const colon = strchr(name, ':');
    for (int i = 0; i < STRUCTURES && colon; ++i)
        if (strncmp(name, structure_name[i], (size_t)(colon - name)) == 0 &&
            strlen(structure_name[i]) == (size_t)(colon - name)) {
            *c = problem_of((structure_t)i, strtoll(colon + 1, NULL, 10));
            return 1;
        }
    return 0;
}

problem_t drawn_problem(uint64_t seed, int64_t count, int large, int64_t most)
{
    uint64_t s = seed * 0x2545f4914f6cdd1du + (uint64_t)count;
    const int64_t low = (int64_t)random_below(&s, SEEDS);
    const int64_t scaling = random_below(&s, SCALINGS);
    const int64_t spectrum = random_below(&s, SPECTRA);
    const int64_t formed = random_below(&s, SHAPES), w = random_below(&s, ways);
    int64_t o = random_below(&s, SMALL_ORDERS);
    if (large)
        do
            o = SMALL_ORDERS + random_below(&s, ORDERS - SMALL_ORDERS);
        while (order[o] > most);
    /* half of them dense */
    const structure_t structure =
        count % 2 ? DENSE : (structure_t)(count / 2 % STRUCTURES);
    return problem_of(
        structure,
        low + SEEDS *
                  (scaling +
                   SCALINGS * (spectrum +
                               SPECTRA * (formed + SHAPES * (w + ways * o)))));
}

const char *problem_name(const problem_t *c)
{
    static char text[60];
    snprintf(text, sizeof text, "%s:%lld", structure_name[c->structure],
             (long long)c->number);
    return text;
}

const char *problem_text(const problem_t *c)
{
    static char text[160];
    snprintf(text, sizeof text, "%s, %s, order %lld (%lld, %lld), %s",
             spectrum_name[c->spectrum], scaling_name[c->scaling],
             (long long)c->n, (long long)c->m, (long long)c->p,
             way[c->way].name);
    return text;
}

/* ---- matrices --------------------------------------------------------------- */

static void put_real(mat_t A, int64_t i, int64_t j, double x)
{
    AT(A, i, j) = make((real_t)x, 0);
}

static double value_of(spectrum_t which, int64_t j, int64_t n)
{
    const double x = (double)j / (double)max_i(n - 1, 1);
    switch (which) {
    case TENTH: return 1 - 0.9 * x;
    case GEOMETRIC: return pow(GSVD_SINGLE ? 1e-5 : 1e-12, x);
    case CLUSTERS: return x < 0.5 ? 1 : 0.125;
    case MANY_EQUAL: return x < 0.9 ? 1 : 2 - x;
    case TWO_LEVELS: return x < 0.5 ? 1 : sqrt((double)GSVD_EPS);
    default: return x < 0.67 ? 1 - 0.5 * x : 0;
    }
}

/* m >= n */
static mat_t dense(spectrum_t which, int64_t m, int64_t n, uint64_t *seed)
{
    if (which == RANDOM_S)
        return normal_mat(m, n, seed);
    if (which == INTEGERS) {
        const mat_t A = new_mat(m, n);
        EACH_ENTRY (A, i, j) {
            const real_t x = (real_t)(random_below(seed, 7) - 3);
            AT(A, i, j) = make(x, (real_t)(random_below(seed, 7) - 3));
        }
        return A;
    }
    const mat_t Q = copy_mat(mat_cols(random_unitary(m, seed), 0, n));
    for (int64_t j = 0; j < n; ++j)
        scale_column(Q, j, value_of(which, j, n));
    return product('N', 'N', Q, random_unitary(n, seed));
}

static mat_t triangle(spectrum_t which, int64_t m, int64_t n, uint64_t *seed)
{
    const mat_t A = copy_for_lapack(dense(which, m, n, seed));
    scalar_t *const tau = grab((size_t)n * sizeof *tau);
    ck_assert_int_eq(0, GSVD_PASTE(LAPACKE_, GSVD_PASTE(GSVD_LETTER, geqrf))(
                            LAPACK_COL_MAJOR, (lapack_int)m, (lapack_int)n,
                            A.data, (lapack_int)A.ld, tau));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j + 1; i < m; ++i)
            put_real(A, i, j, 0);
    return A;
}

/* 10^-1 to 10^-6, single to 10^-3 */
static double apart(spectrum_t which)
{
    return pow(10, -(GSVD_SINGLE ? 0.5 : 1) * (1 + (int)which % 6));
}

/* A := A + t N below each first column of `group` */
static mat_t apart_from(int64_t group, double t, int64_t m, int64_t n,
                        uint64_t *seed)
{
    const mat_t A = normal_mat(m, n, seed);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m && j % group; ++i)
            AT(A, i, j) =
                add(AT(A, i, j - j % group), scale((real_t)t, AT(A, i, j)));
    return A;
}

static mat_t core(const problem_t *c, int64_t m, int64_t n, uint64_t *seed)
{
    const double t = apart(c->spectrum);
    mat_t A;
    switch (c->structure) {
    case TRIANGLE: return triangle(c->spectrum, m, n, seed);
    case KAHAN_S: return kahan(m, n, sqrt(1 - 0.9 * 0.9));
    case PARALLEL: return apart_from(n, t, m, n, seed);
    case OPPOSITE: return apart_from(2, t, m, n, seed);
    case HILBERT:
        A = new_mat(m, n);
        EACH_ENTRY (A, i, j)
            put_real(A, i, j, 1 / (double)(i + j + 1));
        return A;
    case EQUATIONS:
        A = new_mat(m, n);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i)
                put_real(
                    A, i, j,
                    integral_entry(
                        &integral_equation[c->spectrum % INTEGRAL_EQUATIONS],
                        (int)i, (int)j, (int)m, (int)n));
        return A;
    case RANK_ONE: {
        const mat_t v = normal_mat(m, 1, seed);
        A = normal_mat(m, n, seed);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i)
                AT(A, i, j) = add(AT(v, i, 0), scale((real_t)t, AT(A, i, j)));
        return A;
    }
    default:
        A = dense(c->spectrum, m, n, seed);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i)
                if ((c->structure == ZEROS && (j % 5 == 3 || i % 7 == 2)) ||
                    (c->structure == SPARSE_S && i != j &&
                     random_below(seed, 3)))
                    put_real(A, i, j, 0);
        return A;
    }
}

/* of a pair: columns of A and of B alike where `same` has the seed of both */
static void scale_as(const problem_t *c, mat_t A, uint64_t *seed, uint64_t same)
{
    const int s = GSVD_SINGLE;
    switch (c->scaling) {
    case COLUMNS: scale_columns(A, s ? 4 : 12, seed); break;
    case ROWS: scale_rows(A, s ? 12 : 40, seed); break;
    case BOTH:
        scale_rows(A, s ? 3 : 8, seed);
        scale_columns(A, s ? 3 : 8, seed);
        break;
    case FAR_COLUMNS: scale_columns(A, s ? 24 : 220, seed); break;
    case COMMON: scale_columns(A, s ? 16 : 50, &same); break;
    case SPAN:
        if (c->signature)
            scale_columns(A, s ? 38 : 480, &same);
        else
            scale_columns(A, s ? 62 : 664, &same);
        break;
    case LARGE:
    case SMALL: {
        const int e = (c->scaling == LARGE ? 1 : -1) * (s ? 115 : 1000);
        EACH_ENTRY (A, i, j)
            AT(A, i, j) = scale(ldexp_r(1, e), AT(A, i, j));
        break;
    }
    default: break;
    }
}

static mat_t tall_or_wide(const problem_t *c, int64_t rows, uint64_t *seed)
{
    const int64_t n = c->n;
    return rows >= n ? core(c, rows, n, seed) : adjoint(core(c, n, rows, seed));
}

static uint64_t seed_of(const problem_t *c, uint64_t i)
{
    return (uint64_t)c->number * STRUCTURES + (uint64_t)c->structure +
           i * 0x2545f4914f6cdd1du;
}

mat_t problem_matrix(const problem_t *c, int64_t rows, uint64_t i)
{
    uint64_t seed = seed_of(c, i);
    const mat_t A = tall_or_wide(c, rows, &seed);
    scale_as(c, A, &seed, seed);
    return A;
}

/* B with the structure where that leaves it full rank; a derivative beside an equation; else
 * values from 1 to 1/10 */
sample_t problem_pair(const problem_t *c, uint64_t i, int *clean)
{
    uint64_t seed = seed_of(c, i);
    problem_t of_b = *c;
    sample_t P = {.A = tall_or_wide(c, c->m, &seed)};
    const int plain = c->structure == DENSE || c->structure == TRIANGLE;
    *clean = (!plain || c->spectrum == TENTH || c->spectrum == CLUSTERS ||
              c->spectrum == MANY_EQUAL) &&
             c->p >= c->n;
    if (!plain) {
        of_b.structure = c->structure == ZEROS || c->structure == SPARSE_S
                             ? c->structure
                             : DENSE;
        of_b.spectrum = TENTH;
        *clean &= of_b.structure == DENSE;
    }
    P.B = tall_or_wide(&of_b, c->p, &seed);
    if (c->structure == EQUATIONS) {
        fill(P.B, make(0, 0));
        for (int64_t j = 0; j < c->n; ++j) {
            if (j < c->p)
                put_real(P.B, j, j, 1);
            if (j > 0 && j - 1 < c->p)
                put_real(P.B, j - 1, j, -1);
        }
        *clean = 0;
    }
    const uint64_t same = seed;
    scale_as(c, P.A, &seed, same);
    scale_as(c, P.B, &seed, same);
    return P;
}

/* ---- conditions --------------------------------------------------------------- */

/* by xGESVD in double; of a complex M that of (Re -Im; Im Re) */
static double condition(int64_t m, int64_t n, const wide_complex_t *M)
{
    const int64_t x = REALS_PER_SCALAR, r = min_i(m, n);
    double *const C = grab((size_t)(x * m * x * n) * sizeof *C), none;
    double *const all = grab((size_t)(2 * x * r) * sizeof *all);
    for (int64_t j = 0; j < x * n; ++j)
        for (int64_t i = 0; i < x * m; ++i) {
            const wide_complex_t a = M[i % m + j % n * m];
            C[j * x * m + i] = (double)(i / m == j / n  ? creall(a)
                                        : i / m > j / n ? cimagl(a)
                                                        : -cimagl(a));
        }
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', (lapack_int)(x * m),
                       (lapack_int)(x * n), C, (lapack_int)(x * m), all, &none,
                       1, &none, 1, all + x * r) != 0 ||
        !(all[x * r - 1] > 1e-13 * all[0]))
        return INFINITY; /* or rounding says what it is                       */
    return all[0] / all[x * r - 1];
}

double condition_by_columns(mat_t A)
{
    wide_complex_t *const M = widened(A);
    for (int64_t j = 0; j < A.cols; ++j) {
        const wide_t d = wide_length(A.rows, M + j * A.rows);
        for (int64_t i = 0; i < A.rows && d > 0; ++i)
            M[i + j * A.rows] /= d;
    }
    return condition(A.rows, A.cols, M);
}

double condition_by_rows(mat_t A) { return condition_by_columns(adjoint(A)); }

/* ---- ways ------------------------------------------------------------------------ */

void take_way(const way_t *w)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, w->svd));
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, w->solver));
    ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT, w->pivot));
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, w->panel));
    if (!w->large_steps && !w->block_jacobi)
        return;
    tuning_t *const tuning = take_tuning();
    if (w->large_steps)
        tuning->large_steps = w->large_steps;
    if (w->block_jacobi)
        tuning->block_jacobi = w->block_jacobi;
}

void leave_way(void) { give_table_back(); }
