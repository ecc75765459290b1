/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_pairs.c -- pairs of a batch by its solvers: LAPACK's ratios and the single
 * routine's ranks and values, over all shapes up to 6 x 6 x 6 and some larger ones, all families,
 * every choice of factors.
 *
 * With the argument `columns` by a GPU's kernel for small pairs, on a host, too. */
#include <stdio.h>

#include "batch/solvers.h"
#include "emulated/columns.h"
#include "harness/graded.h"
#include "harness/pair_batch.h"

enum { MOST = 6, SIDES = MOST + 1, SMALL_SHAPES = SIDES * SIDES * SIDES };

/* larger ones: next to powers of 2, rows more and fewer than columns */
static const shape_t larger_shape[] = {
    {8, 8, 8},    {7, 8, 9},    {9, 8, 7},    {16, 16, 16}, {15, 16, 17},
    {32, 32, 32}, {31, 32, 31}, {32, 7, 20},  {3, 32, 32},  {32, 32, 3},
    {20, 32, 5},  {5, 32, 20},  {12, 32, 12}, {32, 1, 32},  {1, 32, 1},
    {24, 17, 11}, {11, 17, 24}, {30, 20, 10}, {6, 20, 10}};
enum {
    LARGER = sizeof larger_shape / sizeof *larger_shape,
    ALL_SHAPES = SMALL_SHAPES + LARGER
};

static shape_t shape_of(int i)
{
    return i < SMALL_SHAPES
               ? (shape_t){i % SIDES, i / SIDES % SIDES, i / SIDES / SIDES}
               : larger_shape[i - SMALL_SHAPES];
}

static const int decade[][2] = {{0, 0},   {150, 150}, {-150, -150}, {0, -150},
                                {150, 0}, {-150, 0},  {-150, 150}};
enum { DECADES = sizeof decade / sizeof *decade };

static recipe_t recipe_of(int i, int family)
{
    const shape_t s = shape_of(i);
    const int *const e = decade[(i + family) % DECADES];
    recipe_t c = {s.m, s.n, s.p, (family_t)family, -1, -1, e[0], e[1]};
    if (family == RANKS || family == REPEATED || family == EXTREME ||
        family == THESIS) { /* B's in full, or one less                      */
        c.l = s.p < s.n ? s.p : s.n;
        c.l -= family != EXTREME && c.l > 1 && i % 3 == 1;
        c.k = s.m < s.n - c.l ? s.m : s.n - c.l;
    }
    return c;
}

/* ---- what is to hold --------------------------------------------------------- */

/* The single routine, on the host wherever the batch is: there it takes no time. */
static result_t decompose_alone(char jobu, char jobv, char jobq, mat_t A,
                                mat_t B)
{
    const gsvd_handle_t real = handle;
    gsvd_handle_t host;
    ck_assert_ok(gsvd_create(&host, GSVD_HOST));
    memcpy(host->option, real->option, sizeof host->option);
    handle = host;
    const result_t r = decompose(HOST, jobu, jobv, jobq, A, B);
    handle = real;
    ck_assert_int_eq(gsvd_destroy(host), GSVD_SUCCESS);
    return r;
}

static double lapack_tolerance(mat_t A)
{
    return (double)max_i(A.rows, A.cols) * (double)norm1(A) * GSVD_ULP;
}

/* Are these the single routine's ranks for tolerances that differ by a quarter, or by what
 * rounding is, 1.5 ulp of the norm?  Of few columns the tolerance is little more. */
static int is_next_to_tolerance(const sample_t *P, const result_t *x)
{
    const double size = (double)max_i(P->A.cols, 1);
    const double some = fmax(0.25, 1.5 / size);
    const double part[] = {1 - some, 1, 1 + some};
    int found = 0;
    for (int i = 0; i < 9 && !found; ++i) {
        ck_assert_ok(gsvd_set_option(
            handle, GSVD_TOL_A, fmax(part[i / 3], 0) * lapack_tolerance(P->A)));
        ck_assert_ok(gsvd_set_option(
            handle, GSVD_TOL_B, fmax(part[i % 3], 0) * lapack_tolerance(P->B)));
        const result_t y = decompose_alone('N', 'N', 'N', P->A, P->B);
        found = y.k == x->k && y.l == x->l;
    }
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, -1));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, -1));
    return found;
}

/* the single routine's ranks, and values that differ by no more than rounding makes them */
static void ck_assert_alike(const recipe_t *c, uint64_t seed, const sample_t *P,
                            const result_t *x, const result_t *y,
                            const char *what)
{
    real_t a[32], b[32];

    ck_assert_msg(x->info == 0, "%s: info %d", text_of(c, what), x->info);
    if (c->family == SAME_COLUMNS && x->k != y->k)
        return; /* what is left of A is rounding, next to its tolerance      */
    if (x->k + x->l != y->k + y->l || x->l != y->l)
        if (is_next_to_tolerance(P, x))
            return;
    ck_assert_msg(x->k == y->k && x->l == y->l, "%s: k %ld %ld l %ld %ld",
                  text_of(c, what), (long)x->k, (long)y->k, (long)x->l,
                  (long)y->l);
    for (int64_t i = 0; i < y->l; ++i) {
        a[i] = (real_t)(y->alpha[y->k + i] / P->fa);
        b[i] = (real_t)(y->beta[y->k + i] / P->fb);
        const real_t most = fmax_r(a[i], b[i]);
        a[i] /= most;
        b[i] /= most;
    }
    const double d =
        chordal(x->l, x->alpha + x->k, x->beta + x->k, P->fa, P->fb, a, b);
    const double bound = LIMIT * rounding_of_values(c, y->k + y->l, seed);
    ck_assert_msg(d <= bound, "%s: %g apart, %g allowed", text_of(c, what), d,
                  bound);
}

static void ck_assert_economy(const sample_t *P, const result_t *e,
                              const recipe_t *c)
{
    const double x[] = {residual_A(P->A, e, GSVD_FORM_LAPACK),
                        residual_B(P->B, e, GSVD_FORM_LAPACK), defect(e->U),
                        defect(e->V), defect(e->Q)};
    for (int i = 0; i < 5; ++i)
        ck_assert_msg(x[i] < LIMIT, "%s: ratio %d is %g", text_of(c, "economy"),
                      i, x[i]);
}

/* The families of shape i: six ratios of all factors, the single routine's ranks and values;
 * economy; values alone; some of the factors, with the same bits */
static void check_shape(int i)
{
    enum { COUNT = FAMILIES };
    sample_t P[COUNT];
    recipe_t c[COUNT];

    for (int f = 0; f < COUNT; ++f) {
        c[f] = recipe_of(i, f);
        P[f] = make_pair(&c[f], 11);
    }
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    const result_t *const e = decompose_batch(COUNT, 'S', 'S', 'S', 0, P);
    const result_t *const v = decompose_batch(COUNT, 'N', 'N', 'N', 0, P);
    const result_t *const some =
        decompose_batch(COUNT, i % 3 == 0 ? 'U' : 'N', i % 3 == 1 ? 'S' : 'N',
                        i % 3 == 2 ? 'U' : 'N', 0, P);
    for (int f = 0; f < COUNT; ++f) {
        const result_t y = decompose_alone('U', 'V', 'Q', P[f].A, P[f].B);
        ck_assert_int_eq(y.status, GSVD_SUCCESS);
        ck_assert_alike(&c[f], 11, &P[f], &x[f], &y, "factors");
        ck_assert_ratios(P[f].A, P[f].B, &x[f], text_of(&c[f], "factors"));
        ck_assert_alike(&c[f], 11, &P[f], &e[f], &y, "economy");
        ck_assert_economy(&P[f], &e[f], &c[f]);
        ck_assert_alike(&c[f], 11, &P[f], &v[f], &y, "values");
        ck_assert_values(&v[f], c[f].m, c[f].n, c[f].p);
        if (i % 3 == 0   ? c[f].m == 0
            : i % 3 == 1 ? e[f].V.cols == 0
                         : c[f].n == 0)
            continue; /* nothing but values is asked for                     */
        ck_assert_same(some[f].A, x[f].A);
        ck_assert_same(some[f].B, x[f].B);
        const mat_t U = x[f].U, V = mat_cols(x[f].V, 0, e[f].V.cols);
        ck_assert_same(i % 3 == 0 ? some[f].U : U, U);
        ck_assert_same(i % 3 == 1 ? some[f].V : V, V);
        ck_assert_same(i % 3 == 2 ? some[f].Q : x[f].Q, x[f].Q);
    }
}

START_TEST(small_shapes)
{
    for (int i = _i; i < SMALL_SHAPES; i += SIDES) {
        if (left_out(i, 50) || left_out_there(i / SIDES, 5))
            continue;
        check_shape(i);
        release_pool();
    }
}
END_TEST

START_TEST(larger_shapes) { check_shape(SMALL_SHAPES + _i); }
END_TEST

/* Each solver of the table, forced, wherever it applies */
START_TEST(every_solver)
{
    const solvers_t *const list = table()->gsvd_solvers;
    for (int k = 0; k < list->count; ++k) {
        pair_solver = list->first[k].name;
        check_shape(SMALL_SHAPES + _i);
        release_pool();
    }
    pair_solver = NULL;
}
END_TEST

/* The CS decomposition, where it is asked for and where the tangent declines. */
START_TEST(cs_decomposition)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, GSVD_SOLVER_CSD));
    check_shape(_i < 8 ? 43 * _i + 42 : SMALL_SHAPES + _i - 8);
}
END_TEST

/* ---- many pairs in one call -------------------------------------------------- */

/* Pairs of all shapes in one batch, sizes of 0 too: each is as good as alone, with the same
 * bits where tiles are laid out alike. */
START_TEST(sizes_differ)
{
    enum { COUNT = 60 };
    sample_t P[COUNT];
    recipe_t c[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        c[i] = recipe_of((37 * i + _i) % ALL_SHAPES, i % FAMILIES);
        P[i] = make_pair(&c[i], 5);
    }
    const result_t *const x = decompose_batch(COUNT, 'S', 'S', 'S', 1, P);
    for (int i = 0; i < COUNT; ++i) {
        const result_t y = decompose_alone('S', 'S', 'S', P[i].A, P[i].B);
        ck_assert_int_eq(y.status, GSVD_SUCCESS);
        ck_assert_alike(&c[i], 5, &P[i], &x[i], &y, "sizes differ");
        ck_assert_economy(&P[i], &x[i], &c[i]);
    }
}
END_TEST

/* A pair's results do not depend on its neighbours, nor on its place. */
START_TEST(neighbours)
{
    enum { COUNT = 67 };
    const shape_t s = larger_shape[_i];
    sample_t P[COUNT], R[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const recipe_t c = {s.m, s.n, s.p, (family_t)(i % FAMILIES),
                            0,   0,   0,   0};
        recipe_t d = c;
        d.l = s.p < s.n ? s.p : s.n;
        d.k = s.m < s.n - d.l ? s.m : s.n - d.l;
        P[i] = make_pair(&d, 7);
        R[COUNT - 1 - i] = P[i];
    }
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    const result_t *const y = decompose_batch(COUNT, 'U', 'U', 'U', 0, R);
    for (int i = 0; i < COUNT; ++i)
        ck_assert_same_result(&x[i], &y[COUNT - 1 - i]);
    const result_t *const alone = decompose_batch(1, 'U', 'U', 'U', 0, P + 40);
    ck_assert_same_result(&x[40], alone);
}
END_TEST

/* Columns of A and of B in other units, the same of both: the ranks and the values of the pair
 * without them, and LAPACK's ratios. */
START_TEST(common_scales)
{
    enum { COUNT = 12 };
    static const shape_t scaled_shape[] = {
        {3, 3, 2}, {6, 6, 4}, {5, 8, 6},   {6, 6, 6},   {9, 6, 4},
        {3, 6, 2}, {4, 6, 9}, {12, 12, 7}, {20, 20, 11}};
    const shape_t s = scaled_shape[_i];
    sample_t P[COUNT], R[COUNT];
    uint64_t seed = 61 + (uint64_t)_i;
    for (int i = 0; i < COUNT; ++i) {
        const recipe_t c = {s.m, s.n, s.p, NORMAL, -1, -1, 0, 0};
        R[i] = P[i] = make_pair(&c, (uint64_t)(100 * _i + i));
        P[i].A = copy_mat(P[i].A);
        P[i].B = copy_mat(P[i].B);
        uint64_t same = seed;
        scale_columns(P[i].A, GSVD_SINGLE ? 7 : 20, &seed);
        scale_columns(P[i].B, GSVD_SINGLE ? 7 : 20, &same);
    }
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    const result_t *const y = decompose_batch(COUNT, 'U', 'U', 'U', 0, R);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(x[i].info, 0);
        ck_assert_int_eq(x[i].k, y[i].k);
        ck_assert_int_eq(x[i].l, y[i].l);
        ck_assert_ratios(P[i].A, P[i].B, &x[i], "common scales");
        const double off = chordal(x[i].k + x[i].l, x[i].alpha, x[i].beta, 1, 1,
                                   y[i].alpha, y[i].beta);
        ck_assert_msg(off <= 1000 * GSVD_EPS, "%d x %d, %d x %d: %g", s.m, s.n,
                      s.p, s.n, off);
    }
}
END_TEST

/* NaN or infinity in some pairs: in their results, and nowhere else */
START_TEST(not_finite)
{
    enum { COUNT = 23 };
    const recipe_t c = {5, 4, 6, NORMAL, -1, -1, 0, 0};
    sample_t P[COUNT], clean[COUNT];
    for (int i = 0; i < COUNT; ++i)
        clean[i] = P[i] = make_pair(&c, 100 + (uint64_t)i);
    for (int i = 0; i < COUNT; i += 3) {
        P[i].A = copy_mat(P[i].A);
        P[i].B = copy_mat(P[i].B);
        AT(i % 2 ? P[i].A : P[i].B, 1, 2) =
            make((real_t)(i % 4 < 2 ? NAN : -INFINITY), 0);
    }
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    const result_t *const y = decompose_batch(COUNT, 'U', 'U', 'U', 0, clean);
    for (int i = 0; i < COUNT; ++i) {
        if (i % 3) {
            ck_assert_same_result(&x[i], &y[i]);
            continue;
        }
        ck_assert_int_eq(x[i].info, i % 2 ? -9 : -11);
        ck_assert(x[i].k == 0 && x[i].l == 0);
        for (int j = 0; j < 4; ++j)
            ck_assert(isnan(x[i].alpha[j]) && isnan(x[i].beta[j]) &&
                      isnan(re(AT(x[i].U, j, 3))) &&
                      isnan(re(AT(x[i].V, 5, j))) &&
                      isnan(re(AT(x[i].Q, j, 0))));
    }
}
END_TEST

/* From the least normal numbers to the largest, and where the values have a representation */
START_TEST(ends_of_the_range)
{
    enum { COUNT = 6, TOP = GSVD_SINGLE ? 120 : 1018, FAR = TOP / 4 };
    static const int e[COUNT][2] = {{-TOP, -TOP},  {TOP, TOP},
                                    {-TOP, -FAR},  {2 * FAR, -FAR},
                                    {0, -3 * FAR}, {3 * FAR, 0}};
    sample_t P[COUNT];
    const recipe_t c = {6, 6, 6, UNIFORM, -1, -1, 0, 0};
    for (int i = 0; i < COUNT; ++i) {
        P[i] = make_pair(&c, 200 + (uint64_t)i);
        for (int j = 0; j < 36; ++j) {
            scalar_t *const a = &AT(P[i].A, j % 6, j / 6);
            scalar_t *const b = &AT(P[i].B, j % 6, j / 6);
            *a = make(ldexp_r(re(*a), e[i][0]), ldexp_r(im(*a), e[i][0]));
            *b = make(ldexp_r(re(*b), e[i][1]), ldexp_r(im(*b), e[i][1]));
        }
    }
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(x[i].info, 0);
        ck_assert_ratios(P[i].A, P[i].B, &x[i], "ends of the range");
    }
}
END_TEST

/* Of so many least numbers (4 3; 3 2) has the diagonal 5, 1/5: the latter is 0, and the rank 1, by a
 * tolerance of 0 or LAPACK's, which is n least numbers; 2^8 times as large it is 2. */
START_TEST(ranks_of_denormals)
{
    static const int entry[] = {4, 3, 3, 2};
    const real_t least = GSVD_SAFMIN * GSVD_ULP;
    const int up = _i % 2 * 8, given = _i / 2 % 2, n = _i / 4 ? 6 : 2;
    const int expected = up ? 2 : given || n < 5;
    const mat_t Z = zero_mat(n, n), D = zero_mat(n, n);
    for (int i = 0; i < 4; ++i)
        AT(D, i % 2, i / 2) = make(ldexp_r((real_t)entry[i] * least, up), 0);
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, given - 1));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, given - 1));
    const sample_t P[2] = {{.A = Z, .B = D}, {.A = D, .B = Z}};
    const result_t *const x = decompose_batch(2, 'U', 'U', 'U', 0, P);
    ck_assert(x[0].info == 0 && x[1].info == 0);
    ck_assert_int_eq(x[0].l, expected);
    ck_assert_int_eq(x[1].k, expected);
}
END_TEST

/* R beyond the largest number, in A's rows or in B's: info is the single routine's, and all else
 * stands as it should; the values alone have a representation. */
START_TEST(r_overflows)
{
    enum { COUNT = 8, N = 3 };
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const mat_t large = zero_mat(N, N), small = zero_mat(i % 2 ? 1 : N, N);
        const real_t most = i / 4 ? GSVD_REAL_MAX / 2 : GSVD_REAL_MAX;
        AT(large, 0, 0) = AT(small, 0, 0) = make(1, 0);
        for (int j = 1; j < N; ++j) {
            AT(large, 1, j) = make(most, 0);
            AT(large, 2, j) = make(j == 1 ? most : -most, 0);
        }
        P[i] = (sample_t){.A = i % 4 < 2 ? large : small,
                          .B = i % 4 < 2 ? small : large};
    }
    for (int i = 0; i < COUNT; i += 2) {
        const result_t *const x = decompose_batch(1, 'U', 'U', 'U', 0, P + i);
        const result_t *const v = decompose_batch(1, 'N', 'N', 'N', 0, P + i);
        const result_t *const z =
            decompose_batch(1, 'U', 'U', 'U', 0, P + i + 1);
        ck_assert_int_eq(v->info, 0);
        for (int other = 0; other < 2; ++other) {
            const result_t *const r = other ? z : x;
            const sample_t *const S = &P[i + other];
            const result_t y = decompose_alone('U', 'V', 'Q', S->A, S->B);
            ck_assert_int_eq(y.info, i / 4 ? 0 : 2);
            ck_assert_int_eq(r->info, y.info);
            ck_assert_int_eq(all_finite(get_R(r)), r->info == 0);
            ck_assert_values(r, S->A.rows, N, S->B.rows);
            ck_assert_ratio(
                fmax(defect(r->U), fmax(defect(r->V), defect(r->Q))));
        }
    }
}
END_TEST

/* Kahan's matrix hides its rank from norm pivoting: the single routine's ranks, and
 * xGEQP3's where its order is asked for. */
START_TEST(hidden_ranks)
{
    enum { N = 30 };
    sample_t P = {.A = new_mat(N, N), .B = new_mat(N, N), .fa = 1, .fb = 1};
    uint64_t seed = 9;
    const double c = 0.3, s = sqrt(1 - c * c);
    fill(P.B, make(0, 0));
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j)
            AT(P.B, i, j) = make(
                (real_t)(pow(s, i) * (i == j ? 1 : -c) * (1 - 1e-4 * j)), 0);
    P.A = normal_mat(N, N, &seed);
    for (int norm = 0; norm < 2; ++norm) {
        ck_assert_ok(
            gsvd_set_option(handle, GSVD_PIVOT,
                            norm ? GSVD_PIVOT_NORM : GSVD_PIVOT_TOURNAMENT));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, _i ? 1e-3 : 1e-5));
        const result_t y = decompose_alone('U', 'V', 'Q', P.A, P.B);
        const result_t *const x = decompose_batch(1, 'U', 'U', 'U', 0, &P);
        ck_assert_int_eq(x->info, 0);
        ck_assert_int_eq(x->l, N - (_i && !norm));
        ck_assert(x->l == y.l && x->k == y.k);
        ck_assert_ratio(fmax(defect(x->U), fmax(defect(x->V), defect(x->Q))));
        if (_i == 0) /* Nothing is dropped: F grows without a pivoted QR.    */
            ck_assert_ratios(P.A, P.B, x, "Kahan");
        for (int k = 0; k < 12; ++k) { /* next to the value that is hidden   */
            ck_assert_ok(
                gsvd_set_option(handle, GSVD_TOL_B, 1e-5 * pow(1.6, k)));
            const result_t z = decompose_alone('N', 'N', 'N', P.A, P.B);
            const result_t *const v = decompose_batch(1, 'N', 'N', 'N', 0, &P);
            ck_assert_int_eq(v->l, z.l);
        }
    }
}
END_TEST

/* With one sweep Jacobi does not end, and says so; what it leaves is finite.  Diagonal pairs take
 * none, whatever their order: columns that are only exchanged are no sweep. */
START_TEST(not_converged)
{
    enum { COUNT = 9, N = 9 };
    const recipe_t c = {N, N, N, NORMAL, -1, -1, 0, 0};
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        P[i] = make_pair(&c, 300 + (uint64_t)i);
        for (int j = 0; j < N * N && i % 2; ++j) {
            const int r = j % N, at = (r * (i + 1) + i) % N;
            const scalar_t x = make((real_t)(1 + 3 * at), 0);
            AT(P[i].A, r, j / N) = r == j / N ? x : make(0, 0);
            AT(P[i].B, r, j / N) = make(r == j / N, 0);
        }
    }
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER,
                                 _i ? GSVD_SOLVER_CSD : GSVD_SOLVER_TANGENT));
    ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(x[i].info, i % 2 == 0);
        ck_assert(all_finite(x[i].U) && all_finite(x[i].V) &&
                  all_finite(x[i].Q));
        if (i % 2)
            ck_assert_ratios(P[i].A, P[i].B, &x[i], "diagonal");
    }
}
END_TEST

/* Cosines that are asked for, and a limit of sweeps: U, V and Q are unitary all the same. */
START_TEST(loose_cosines)
{
    enum { COUNT = 12 };
    static const double tol[] = {0.5, 1e-2, 1e-4, 1e-6, -1};
    const int n = (const int[]){2, 4, 9, 16}[_i / 10];
    const recipe_t c = {n - _i % 3 / 2, n, n, NORMAL, -1, -1, 0, 0};
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i)
        P[i] = make_pair(&c, 340 + (uint64_t)i);
    ck_assert_ok(gsvd_set_option(
        handle, GSVD_SOLVER, _i % 2 ? GSVD_SOLVER_CSD : GSVD_SOLVER_TANGENT));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_JACOBI, tol[_i / 2 % 5]));
    if (tol[_i / 2 % 5] < 0)
        ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert(x[i].info == 0 || (x[i].info == 1 && tol[_i / 2 % 5] < 0));
        ck_assert_ratio(
            fmax(defect(x[i].U), fmax(defect(x[i].V), defect(x[i].Q))));
    }
}
END_TEST

/* Whatever the limit of sweeps, a pair that is said to be done has its factors. */
START_TEST(limited_sweeps)
{
    enum { COUNT = 12, N = 9 };
    const recipe_t c = {N, N, N, NORMAL, -1, -1, 0, 0};
    sample_t P[COUNT];
    int done = 0;
    for (int i = 0; i < COUNT; ++i)
        P[i] = make_pair(&c, 320 + (uint64_t)i);
    ck_assert_ok(gsvd_set_option(
        handle, GSVD_SOLVER, _i % 2 ? GSVD_SOLVER_CSD : GSVD_SOLVER_TANGENT));
    ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1 + _i / 2));
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert(x[i].info == 0 || x[i].info == 1);
        done += x[i].info == 0;
        if (x[i].info == 0)
            ck_assert_ratios(P[i].A, P[i].B, &x[i], "limited sweeps");
    }
    ck_assert(_i / 2 < 7 || done == COUNT);
    ck_assert(_i / 2 > 0 || done == 0);
}
END_TEST

/* Of an A with fewer rows that are not 0 than columns as many values are 0, and not what rounding of A
 * is to a B of 2^-54 |A|, single 2^-24. */
START_TEST(zeros_among_rows)
{
    enum { COUNT = 8 };
    const int64_t n = 2 + 3 * (_i / 2), m = _i % 2 ? n + 2 : n;
    uint64_t seed = 90 + (uint64_t)_i;
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        P[i] = (sample_t){
            .A = normal_mat(m, n, &seed),
            .B = ldexp_mat(normal_mat(n, n, &seed), GSVD_SINGLE ? -24 : -54)};
        leave_rows(P[i].A, n - 1 - i % 2 * (n / 2), &seed);
    }
    const result_t *const x = decompose_batch(COUNT, 'S', 'S', 'S', 0, P);
    for (int i = 0; i < COUNT; ++i) {
        const int64_t left = n - 1 - i % 2 * (n / 2);
        ck_assert_int_eq(x[i].info, 0);
        ck_assert(x[i].k == 0 && x[i].l == n);
        for (int64_t j = left; j < n; ++j)
            ck_assert_msg(x[i].alpha[j] <= 0, "%ld: %g", (long)j,
                          (double)x[i].alpha[j]);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_pairs");
    TCase *t = add_tcase(s, "shapes");
    if (arguments > 2 && strcmp(argument[2], "columns") == 0) {
        solve_pairs_by = on_device ? NULL : X(columns_on_host);
        pairs_in_registers = 32;
    }
    tcase_add_loop_test(t, small_shapes, 0, SIDES);
    tcase_add_loop_test(t, larger_shapes, 0, LARGER);
    if (!solve_pairs_by)
        tcase_add_loop_test(t, every_solver, 0, LARGER);
    tcase_add_loop_test(t, cs_decomposition, 0, 8 + LARGER);
    t = add_tcase(s, "batches");
    tcase_add_loop_test(t, sizes_differ, 0, 7);
    tcase_add_loop_test(t, neighbours, 0, LARGER);
    tcase_add_loop_test(t, common_scales, 0, 9);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, ends_of_the_range);
    tcase_add_test(t, r_overflows);
    tcase_add_loop_test(t, ranks_of_denormals, 0, 8);
    tcase_add_loop_test(t, loose_cosines, 0, 40);
    tcase_add_loop_test(t, limited_sweeps, 0, 16);
    tcase_add_loop_test(t, hidden_ranks, 0, 2);
    tcase_add_loop_test(t, not_converged, 0, 2);
    tcase_add_loop_test(t, zeros_among_rows, 0, 8);
    return s;
}
