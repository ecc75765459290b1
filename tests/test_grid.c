/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_grid.c -- the SVD on grids of all shapes of the processes that there are.
 *
 * Every process makes the whole matrix and takes its part; the factors are put together again.  Then
 * all processes test the same numbers.  A test that would wait for ever is ended by run_grid.sh.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#include "gsvd_grid.h"
#include "harness/graded.h"
#include "harness/wide.h"

static int ranks, me;

/* ---- distributed arrays ------------------------------------------------------ */

typedef struct layout {
    int64_t mb, nb;
    int rsrc, csrc;
    int64_t i, j; /* rows above the matrix and columns before it             */
} layout_t;

static const layout_t simple = {8, 8, 0, 0, 0, 0};

typedef struct grid_of {
    gsvd_grid_t g;
    int p, q, r, c;
} grid_of_t;

/* Grid number k of those with p q = ranks, in one of both orders; 0: there is none. */
static int open_grid(int k, char order, grid_of_t *to)
{
    for (int p = 1; p <= ranks; ++p)
        if (ranks % p == 0 && k-- == 0) {
            const int q = ranks / p;
            *to = (grid_of_t){NULL, p, q, order == 'R' ? me / q : me % p,
                              order == 'R' ? me % q : me / p};
            const gsvd_status_t status = gsvd_grid_from_mpi(
                &to->g, MPI_Comm_c2f(MPI_COMM_WORLD), p, q, order);
            ck_assert_msg(status == GSVD_SUCCESS, "%s",
                          gsvd_grid_last_error(NULL));
            return 1;
        }
    return 0;
}

typedef struct spread {
    gsvd_grid_desc_t d;
    scalar_t *data;
    int64_t rows, cols; /* of the part here                                  */
} spread_t;

static int64_t part(int64_t n, int64_t block, int rank, int source, int count)
{
    int64_t here = 0;
    for (int64_t i = 0; i < n; ++i)
        here += (i / block + source) % count == rank;
    return here;
}

/* An array that holds an m x n matrix, with NaN in it, and its last columns of padding */
static spread_t new_spread(const grid_of_t *g, int64_t m, int64_t n,
                           const layout_t *l)
{
    spread_t x = {.d = {.m = m + l->i,
                        .n = n + l->j,
                        .mb = l->mb,
                        .nb = l->nb,
                        .rsrc = l->rsrc % g->p,
                        .csrc = l->csrc % g->q,
                        .i = l->i,
                        .j = l->j}};
    x.rows = part(x.d.m, l->mb, g->r, (int)x.d.rsrc, g->p);
    x.cols = part(x.d.n, l->nb, g->c, (int)x.d.csrc, g->q);
    x.d.lld = x.rows + 1 + me % 2;
    x.data = grab((size_t)(x.d.lld * (x.cols + 1)) * sizeof(scalar_t));
    return x;
}

/* The entry (i, j) of the matrix in the part here, or NULL */
static scalar_t *entry(const grid_of_t *g, const spread_t *x, int64_t i,
                       int64_t j)
{
    const int64_t row = i + x->d.i, col = j + x->d.j, bi = row / x->d.mb,
                  bj = col / x->d.nb;
    if ((bi + x->d.rsrc) % g->p != g->r || (bj + x->d.csrc) % g->q != g->c)
        return NULL;
    return &x->data[bi / g->p * x->d.mb + row % x->d.mb +
                    (bj / g->q * x->d.nb + col % x->d.nb) * x->d.lld];
}

static spread_t spread(const grid_of_t *g, mat_t A, const layout_t *l)
{
    const spread_t x = new_spread(g, A.rows, A.cols, l);
    EACH_ENTRY (A, i, j) {
        scalar_t *const a = entry(g, &x, i, j);
        if (a)
            *a = AT(A, i, j);
    }
    return x;
}

static mat_t gathered(const grid_of_t *g, const spread_t *x, int64_t m,
                      int64_t n)
{
    const mat_t A = new_mat(m, n);
    scalar_t *const sum = grab((size_t)(m * n + 1) * sizeof *sum);
    EACH_ENTRY (A, i, j) {
        const scalar_t *const a = entry(g, x, i, j);
        sum[i + j * m] = a ? *a : make(0, 0);
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, (int)(m * n) * REALS_PER_SCALAR,
                  GSVD_SINGLE ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = sum[i + j * m];
    return A;
}

/* ---- a call ------------------------------------------------------------------- */

typedef struct svd_on_grid {
    gsvd_status_t status;
    int info;
    real_t *sigma;
    mat_t U, V; /* no columns: not wanted                                    */
} svd_on_grid_t;

static svd_on_grid_t call(const grid_of_t *g, char jobu, char jobv, mat_t A,
                          const layout_t l[3])
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const int64_t u = jobu == 'U' ? m : jobu == 'S' ? r : 0;
    const int64_t v = jobv == 'V' ? n : jobv == 'S' ? r : 0;
    const spread_t dA = spread(g, A, &l[0]);
    const spread_t dU = new_spread(g, m, u, &l[1]),
                   dV = new_spread(g, n, v, &l[2]);
    svd_on_grid_t s = {.info = 99,
                       .sigma = grab((size_t)(r + 1) * sizeof(real_t))};
    s.status = X(grid_svd)(g->g, jobu, jobv, m, n, dA.data, &dA.d, s.sigma,
                           dU.data, u > 0 ? &dU.d : NULL, dV.data,
                           v > 0 ? &dV.d : NULL, &s.info);
    s.U = gathered(g, &dU, m, u);
    s.V = gathered(g, &dV, n, v);
    const mat_t same = gathered(g, &dA, m, n);
    if (all_finite(A))
        ck_assert_same(same, A);
    return s;
}

static const layout_t all_simple[3] = {
    {8, 8, 0, 0, 0, 0}, {8, 8, 0, 0, 0, 0}, {8, 8, 0, 0, 0, 0}};

#define ck_assert_done(g, s)                                                   \
    ck_assert_msg((s).status == GSVD_SUCCESS && (s).info == 0, "%s (%d): %s",  \
                  gsvd_status_name((s).status), (s).info,                      \
                  gsvd_grid_last_error((g).g))

/* ---- accuracy ------------------------------------------------------------------ */

enum { LIKE, COLUMNS, ROWS, BOTH, CLUSTERS, EQUAL, KINDS };

static double clusters(double x) { return x < 0.5 ? 1 : 0.125; }

static mat_t turned(mat_t A)
{
    const mat_t B = new_mat(A.cols, A.rows);
    EACH_ENTRY (A, i, j)
        AT(B, j, i) = conj_of(AT(A, i, j));
    return B;
}

static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    enum { FAR = GSVD_SINGLE ? 25 : 332 }; /* 10^100 in double               */
    if (m < n)
        return turned(make_matrix(what, n, m, seed));
    if (what == LIKE)
        return normal_mat(m, n, seed);
    if (what == CLUSTERS)
        return with_values(m, n, clusters, seed);
    if (what == EQUAL)
        return of_equal_numbers(1, m, n, seed);
    const mat_t A = with_values(m, n, to_tenth, seed);
    if (what == COLUMNS)
        scale_columns(A, FAR, seed);
    if (what != COLUMNS)
        scale_rows(A,
                   what == ROWS  ? GSVD_SINGLE ? 12 : 50
                   : GSVD_SINGLE ? 6
                                 : 26,
                   seed);
    if (what == BOTH)
        scale_columns(A, GSVD_SINGLE ? 6 : 26, seed);
    return A;
}

static const int size[][2] = {{1, 1},    {2, 1},    {2, 2},    {3, 40},
                              {7, 5},    {33, 33},  {40, 32},  {64, 64},
                              {97, 150}, {131, 97}, {140, 140}};
enum { SIZES = sizeof size / sizeof *size };

/* 5e-14 in double */
#define RELATIVE (450 * (double)GSVD_EPS)

static void check_svd(const grid_of_t *g, const char *what, mat_t A,
                      const svd_on_grid_t *s)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    wide_t *const right = grab((size_t)r * sizeof *right);
    const mat_t none = {NULL, 0, 0, 1};
    double worst = 0;

    wide_singular_values(A, right);
    for (int64_t j = 0; j < r; ++j)
        worst =
            fmax(worst, fabs((double)((s->sigma[j] - right[j]) / right[j])));
    ck_assert_ratio(defect(s->U));
    ck_assert_ratio(defect(s->V));
    /* columns of A where there are few, and of A^H */
    const double residual =
        m >= n ? column_error(A, mat_cols(s->U, 0, r), s->sigma, 0, r, none,
                              mat_cols(s->V, 0, r), NULL)
               : column_error(turned(A), mat_cols(s->V, 0, r), s->sigma, 0, r,
                              none, mat_cols(s->U, 0, r), NULL);
    if (getenv("GSVD_TEST_PRINT") && me == 0)
        printf("%-9s %3d x %3d on %d x %d: values %.1e residual %.1e\n", what,
               (int)m, (int)n, g->p, g->q, worst, residual);
    ck_assert_msg(worst <= RELATIVE, "%s, %d x %d on %d x %d: %.1e", what,
                  (int)m, (int)n, g->p, g->q, worst);
    ck_assert_msg(residual <= RELATIVE, "%s, %d x %d on %d x %d: residual %.1e",
                  what, (int)m, (int)n, g->p, g->q, residual);
}

/* Values relative to themselves, columns relative to theirs, unitary factors; on each grid */
START_TEST(accurate)
{
    static const char *const name[KINDS] = {"like", "columns",  "rows",
                                            "both", "clusters", "equal"};
    const int what = _i / SIZES;
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    uint64_t seed = (uint64_t)(700 + _i);
    const mat_t A = make_matrix(what, m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_grid(k, _i % 2 ? 'R' : 'C', &g); ++k) {
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, s);
        check_svd(&g, name[what], A, &s);
        ck_assert_int_eq(gsvd_grid_destroy(g.g), GSVD_SUCCESS);
    }
}
END_TEST

Suite *make_suite(void)
{
    MPI_Init(NULL, NULL);
    atexit((void (*)(void))MPI_Finalize);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    (void)simple;
    Suite *s = suite_create("grid");
    TCase *t = add_tcase(s, "grid");
    tcase_add_loop_test(t, accurate, 0, KINDS * SIZES);
    return s;
}
