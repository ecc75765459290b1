/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_neighbours.c -- small pairs on which LAPACK does not converge, and their neighbours by one
 * unit in the last place: A of rank 1 but for rounding. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/harness.h"
#include "lapacke.h"

enum { ORDER = 3, PAIRS = 4, TRIES = 20000 };

/* A = x y^H, rounded, of which the last row of R is rounding, and of any scale */
static sample_t rank_one(int64_t m, int64_t n, int64_t p, uint64_t *seed)
{
    const mat_t x = normal_mat(m, 1, seed), y = normal_mat(n, 1, seed);
    const double far = GSVD_SINGLE ? 3 : 8;
    const real_t d = (real_t)pow(10, far * (2 * random_unit(seed) - 1));
    scale_column(x, 0, d);
    return (sample_t){.A = product('N', 'C', x, y),
                      .B = normal_mat(p, n, seed)};
}

/* xGGSVD3's INFO */
static int info_of_lapack(const sample_t *P)
{
    const lapack_int m = (lapack_int)P->A.rows, n = (lapack_int)P->A.cols;
    const lapack_int p = (lapack_int)P->B.rows;
    const mat_t A = copy_for_lapack(P->A), B = copy_for_lapack(P->B);
    const mat_t none = new_mat(1, 1);
    real_t alpha[ORDER], beta[ORDER];
    lapack_int k, l, iwork[ORDER];
    return LAPACK(ggsvd3)(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, n, p, &k, &l,
                          A.data, (lapack_int)A.ld, B.data, (lapack_int)B.ld,
                          alpha, beta, none.data, 1, none.data, 1, none.data, 1,
                          iwork);
}

/* x or the number next to it */
static real_t next_to(real_t x, int64_t step)
{
    const real_t to = step < 1 ? -GSVD_REAL_MAX : GSVD_REAL_MAX;
    return step == 1 ? x
           : sizeof x == sizeof(float)
               ? (real_t)nextafterf((float)x, (float)to)
               : (real_t)nextafter((double)x, (double)to);
}

static void move(mat_t A, uint64_t *seed)
{
    EACH_ENTRY (A, i, j) {
        const scalar_t a = AT(A, i, j);
        const real_t x = next_to(re(a), random_below(seed, 3));
        AT(A, i, j) = make(x, REALS_PER_SCALAR == 2
                                  ? next_to(im(a), random_below(seed, 3))
                                  : 0);
    }
}

/* by every solver: converged, and LAPACK's ratios */
static void check(const sample_t *P)
{
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t r =
                decompose((door_t)door, 'U', 'V', 'Q', P->A, P->B);
            ck_assert_ok(r.status);
            const gsvd_stats_t stats = stats_of_call();
            ck_assert_int_eq(stats.converged, 1);
            ck_assert_ratios(P->A, P->B, &r, solver_name(solver));
        }
}

/* A pair outlives the pool. */
typedef struct kept {
    int64_t m, n, p;
    scalar_t a[ORDER * ORDER], b[ORDER * ORDER];
} kept_t;

static kept_t keep(const sample_t *P)
{
    kept_t k = {.m = P->A.rows, .n = P->A.cols, .p = P->B.rows};
    for (int64_t j = 0; j < k.n; ++j) {
        for (int64_t i = 0; i < k.m; ++i)
            k.a[i + j * ORDER] = AT(P->A, i, j);
        for (int64_t i = 0; i < k.p; ++i)
            k.b[i + j * ORDER] = AT(P->B, i, j);
    }
    return k;
}

static sample_t neighbour(kept_t *k, uint64_t *seed)
{
    const sample_t N = {.A = copy_mat(mat_view(k->a, k->m, k->n, ORDER)),
                        .B = copy_mat(mat_view(k->b, k->p, k->n, ORDER))};
    move(N.A, seed);
    move(N.B, seed);
    return N;
}

/* Where this LAPACK converges on all tries, the pair is the last one that was tried. */
START_TEST(neighbours)
{
    const int64_t m = 2 + _i % 2, n = 2 + _i / 2 % 2, p = 2 + _i / 4;
    const int tries = quick > 1 ? 20 : TRIES;
    const int moves = quick > 1 ? 2 : 100;
    int found = 0, pairs = 0, failed = 0;
    uint64_t seed = 1 + (uint64_t)_i;
    for (int i = 0; i < tries && found < PAIRS; ++i) {
        release_pool();
        const sample_t P = rank_one(m, n, p, &seed);
        const int fails = info_of_lapack(&P) != 0;
        if (!fails && (found > 0 || i < tries - 1))
            continue;
        found += fails;
        ++pairs;
        kept_t k = keep(&P);
        check(&P);
        for (int which = 0; which < moves; ++which) {
            release_pool();
            const sample_t N = neighbour(&k, &seed);
            failed += info_of_lapack(&N) != 0;
            check(&N);
        }
    }
    printf("%ld x %ld, %ld: LAPACK fails on %d pairs, and on %d of %d "
           "neighbours\n",
           (long)m, (long)n, (long)p, found, failed, pairs * moves);
    fflush(stdout);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("neighbours");
    TCase *t = add_tcase(s, "neighbours");
    tcase_add_loop_test(t, neighbours, 0, 8);
    return s;
}
