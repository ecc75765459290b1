/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_ldl.c -- P A P^T = L D L^H and A = G J G^H: residuals, the bound of L, ranks, the eigenvalues
 * that hsvd makes of G, and the primitives of a panel. */
#include "harness/primitive.h"
#include "harness/quad.h"
#include "harness/wide.h"
#include "pivot/ldl.h"

/* ---- a factorization -------------------------------------------------------- */

typedef struct factors {
    gsvd_status_t status;
    int info;
    int64_t rank, plus;
    mat_t G, D;
    int64_t *J, *jpvt;
} factors_t;

static int64_t *integers(door_t door, int64_t n)
{
    const size_t bytes = (size_t)max_i(n, 1) * sizeof(int64_t);
    return door == GPU ? grab_backend(bytes) : grab(bytes);
}

static int64_t *integers_back(door_t door, int64_t *x, int64_t n)
{
    const size_t bytes = (size_t)n * sizeof(int64_t);
    if (door == HOST)
        return x;
    int64_t *const y = grab(bytes + sizeof *y);
    get(y, x, bytes);
    return y;
}

static factors_t factor(door_t door, char job, char uplo, mat_t A, real_t tol)
{
    const int64_t n = A.cols;
    factors_t f = {.info = 99, .rank = -1, .plus = -1};
    const mat_t C = place(door, copy_mat(A)), G = place(door, new_mat(n, n));
    const mat_t D = place(door, new_mat(2, n));
    int64_t *const J = integers(door, n), *const jpvt = integers(door, n);

    f.status = (door == GPU ? X(ldl_gpu) : X(ldl))(
        handle, job, uplo, n, C.data, C.ld, tol, &f.rank, &f.plus, G.data, G.ld,
        D.data, D.ld, J, jpvt, &f.info);
    (void)take_back(door, C);
    f.G = take_back(door, G);
    f.D = take_back(door, D);
    f.J = integers_back(door, J, n);
    f.jpvt = integers_back(door, jpvt, n);
    return f;
}

/* ---- what it has to be ------------------------------------------------------ */

static void check_order(const factors_t *f, int64_t n)
{
    char *const seen = grab((size_t)n + 1);
    memset(seen, 0, (size_t)n + 1);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(f->jpvt[i] >= 1 && f->jpvt[i] <= n);
        ck_assert(!seen[f->jpvt[i]]);
        seen[f->jpvt[i]] = 1;
    }
}

/* A - G J G^H */
static void check_root(mat_t A, const factors_t *f)
{
    const int64_t n = A.cols;
    mat_t GJ = copy_mat(f->G), E = copy_mat(A);

    ck_assert_int_eq(f->status, GSVD_SUCCESS);
    ck_assert_int_eq(f->info, 0);
    ck_assert(0 <= f->plus && f->plus <= f->rank && f->rank <= n);
    check_order(f, n);
    for (int64_t j = 0; j < n; ++j) {
        const int64_t sign = j < f->plus ? 1 : j < f->rank ? -1 : 0;
        real_t most = 0;
        ck_assert_int_eq(f->J[j], sign);
        for (int64_t i = 0; i < n; ++i) {
            most = fmax_r(most, abs_max(AT(f->G, i, j)));
            AT(GJ, i, j) = scale((real_t)sign, AT(GJ, i, j));
        }
        ck_assert((most > 0) == (sign != 0));
    }
    gemm('N', 'C', 1, GJ, f->G, -1, E);
    ck_assert_ratio(as_ratio(E, A));
}

/* P A P^T - L D L^H, L, D; returns the largest entry of L */
static double check_factors(mat_t A, const factors_t *f)
{
    const int64_t n = A.cols;
    const mat_t L = f->G, E = new_mat(n, n), LD = new_mat(n, n);
    double most = 0;
    int64_t plus = 0;

    ck_assert_int_eq(f->status, GSVD_SUCCESS);
    ck_assert_int_eq(f->info, 0);
    check_order(f, n);
    EACH_ENTRY (L, i, j) {
        const double size = (double)abs_of(AT(L, i, j));
        if (i <= j || j >= f->rank)
            ck_assert(size == (i == j && j < f->rank));
        else
            most = fmax(most, size);
        AT(E, i, j) = AT(A, f->jpvt[i] - 1, f->jpvt[j] - 1);
    }
    for (int64_t j = 0; j < n; ++j) {
        const scalar_t d = AT(f->D, 0, j), e = AT(f->D, 1, j);
        const scalar_t none = make(0, 0),
                       before = j > 0 ? AT(f->D, 1, j - 1) : none;
        ck_assert(im(d) == 0);
        if (j >= f->rank)
            ck_assert(re(d) == 0 && abs_max(e) == 0);
        if (abs_max(e) > 0) { /* a pivot of order 2 has a value of each sign  */
            ck_assert(j + 1 < f->rank && abs_max(before) == 0);
            ck_assert(abs_max(AT(L, j + 1, j)) == 0);
            ++plus;
        } else if (abs_max(before) == 0)
            plus += re(d) > 0;
        for (int64_t i = 0; i < n; ++i) {
            scalar_t x = scale(re(d), AT(L, i, j));
            if (abs_max(e) > 0)
                x = mul_add(AT(L, i, j + 1), e, x);
            if (j > 0)
                x = mul_add(AT(L, i, j - 1), conj_of(before), x);
            AT(LD, i, j) = x;
        }
    }
    ck_assert_int_eq(plus, f->plus);
    gemm('N', 'C', 1, LD, L, -1, E);
    ck_assert_ratio(as_ratio(E, A));
    ck_assert_msg(most <= 2.781, "|L| = %g", most);
    return most;
}

/* ---- matrices ---------------------------------------------------------------- */

/* 10^u, u uniform in (-x, x); half of the exponents in single precision */
static double decade(double x, uint64_t *seed)
{
    return pow(10, (GSVD_SINGLE ? 0.5 : 1) * x * (2 * random_unit(seed) - 1));
}

/* D H D, D from 10^-x to 10^x */
static mat_t graded(mat_t H, double x, uint64_t *seed)
{
    real_t *const d = grab((size_t)(H.cols + 1) * sizeof *d);
    for (int64_t i = 0; i < H.cols; ++i)
        d[i] = (real_t)decade(x, seed);
    EACH_ENTRY (H, i, j)
        AT(H, i, j) = scale(d[i] * d[j], AT(H, i, j));
    return hermitian_part(
        H); /* d[i] d[j] is rounded alike on both sides          */
}

static double any_sign(uint64_t *seed)
{
    return random_unit(seed) < 0.5 ? -1 : 1;
}

/* of condition 10, with both signs */
static mat_t well_conditioned(int64_t n, uint64_t *seed)
{
    double *const w = grab((size_t)(n + 1) * sizeof *w);
    for (int64_t i = 0; i < n; ++i)
        w[i] = pow(10, -random_unit(seed)) * any_sign(seed);
    return of_eigenvalues(n, w, seed);
}

static mat_t normal(int64_t n, uint64_t *seed)
{
    return hermitian_part(normal_mat(n, n, seed));
}

/* D (E + N) D, E = diag(+-1), row sums of |N| below 1/2 */
static mat_t dominant(int64_t n, double x, uint64_t *seed)
{
    const mat_t H = normal(n, seed);
    EACH_ENTRY (H, i, j)
        AT(H, i, j) = scale((real_t)(0.1 / (double)n), AT(H, i, j));
    for (int64_t i = 0; i < n; ++i)
        AT(H, i, i) = make((real_t)any_sign(seed), 0);
    return graded(H, x, seed);
}

/* rows and columns in another order */
static mat_t shuffled(mat_t A, uint64_t *seed)
{
    const int64_t n = A.cols;
    const int64_t *const p = random_order(n, seed);
    const mat_t B = copy_mat(A);
    EACH_ENTRY (B, i, j)
        AT(B, i, j) = AT(A, p[i], p[j]);
    return B;
}

/* (0 B; B^H 0), B graded on both sides */
static mat_t bipartite(int64_t n, uint64_t *seed)
{
    const mat_t A = graded(well_conditioned(n, seed), 2, seed);
    EACH_ENTRY (A, i, j)
        if ((i < n / 2) == (j < n / 2))
            AT(A, i, j) = make(i == j && n % 2 && i == n - 1, 0);
    return shuffled(A, seed);
}

/* (H B^H; B c I), H = diag(10^-x .. 10^x), or a definite H if x = 0 */
static mat_t saddle(int64_t n, double x, double c, uint64_t *seed)
{
    const int64_t k = n - n / 3;
    const mat_t N = normal_mat(n, n, seed), S = product('N', 'C', N, N);
    const mat_t A = hermitian_part(N);
    EACH_ENTRY (A, i, j)
        if (i < k && j < k && x > 0)
            AT(A, i, j) = make(i == j ? (real_t)decade(x, seed) : 0, 0);
        else if (i < k && j < k)
            AT(A, i, j) = add(scale((real_t)(1.0 / (double)n), AT(S, i, j)),
                              make(i == j, 0));
        else if (i >= k && j >= k)
            AT(A, i, j) = make(i == j ? (real_t)c : 0, 0);
    return hermitian_part(A);
}

static mat_t arrow(int64_t n, double x, uint64_t *seed)
{
    const mat_t A = zero_mat(n, n);
    for (int64_t i = 0; i < n; ++i) {
        AT(A, i, i) = make((real_t)(decade(x, seed) * any_sign(seed)), 0);
        const scalar_t z =
            scale((real_t)decade(x, seed), random_normal_scalar(seed));
        AT(A, i, 0) = i > 0 ? z : make(1, 0);
        AT(A, 0, i) = conj_of(AT(A, i, 0));
    }
    return shuffled(A, seed);
}

static mat_t three_blocks(int64_t n, uint64_t *seed)
{
    const mat_t A = normal(n, seed);
    const double least = GSVD_SINGLE ? 1e-2 : 1e-5;
    EACH_ENTRY (A, i, j)
        AT(A, i, j) =
            scale((real_t)pow(least, (double)(max_i(i, j) * 3 / max_i(n, 1))),
                  AT(A, i, j));
    return A;
}

/* reflections, pairs of +-w, of which a third may be 0 */
static mat_t alike(int64_t n, int what, uint64_t *seed)
{
    double *const w = grab((size_t)(n + 1) * sizeof *w);
    for (int64_t i = 0; i < n; ++i)
        w[i] = what == 0 ? any_sign(seed)
                         : (i % 2 ? -1 : 1) * (1 + (double)(i / 2));
    return of_eigenvalues(n, w, seed);
}

/* H with entries 0 on the diagonal, 1 or -1 beside it, or 0 */
static mat_t signs_only(int64_t n, uint64_t *seed)
{
    const mat_t A = new_mat(n, n);
    EACH_ENTRY (A, i, j)
        if (i >= j) {
            const double x = i == j ? 0 : any_sign(seed);
            AT(A, i, j) = AT(A, j, i) = make((real_t)x, 0);
        }
    return A;
}

/* (0 I; I 0) */
static mat_t exchange(int64_t n)
{
    const mat_t A = new_mat(n, n);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = make(i == (j + n / 2) % max_i(n, 1) && n % 2 == 0, 0);
    return A;
}

/* Once a pivot of the larger block is taken, what is left of that is small and what is beside it is
 * not: all other columns of the panel are rejected. */
static mat_t rejecting(int64_t n, uint64_t *seed)
{
    const mat_t A = normal(n, seed);
    const int64_t k = n / 2;
    EACH_ENTRY (A, i, j) {
        if (i < k && j < k)
            AT(A, i, j) = add(make(4, 0), scale((real_t)1e-3, AT(A, i, j)));
        else
            AT(A, i, j) = scale((real_t)0.5, AT(A, i, j));
    }
    return A;
}

/* error: of the eigenvalues by G and hsvd, in n ulp; 0: not tested */
static const struct {
    const char *name;
    double error;
} family[] = {{"normal", 10},
              {"D H D, 10^+-4", 5},
              {"D H D, 10^+-8", 100},
              {"D G D, 10^+-4", 20},
              {"scaled diagonally dominant", 5},
              {"graded to 1e-14", 20},
              {"(0 B; B^H 0)", 5},
              {"KKT", 5},
              {"KKT, 10^+-4", 5},
              {"interior point", 5},
              {"three blocks", 50},
              {"arrow, 10^+-8", 0},
              {"reflection", 10},
              {"pairs", 10},
              {"ones on all places but the diagonal", 0},
              {"(0 I; I 0)", 1},
              {"zero", 1},
              {"identity", 1},
              {"all entries 1", 0},
              {"rejected pivots", 0}};
enum { FAMILIES_OF_LDL = sizeof family / sizeof *family };

static mat_t member(int what, int64_t n, uint64_t *seed)
{
    mat_t A = new_mat(n, n);
    switch (what) {
    case 0: return normal(n, seed);
    case 1: return graded(well_conditioned(n, seed), 4, seed);
    case 2: return graded(well_conditioned(n, seed), 8, seed);
    case 3: return graded(normal(n, seed), 4, seed);
    case 4: return dominant(n, 4, seed);
    case 5:
        A = normal(n, seed);
        EACH_ENTRY (A, i, j)
            AT(A, i, j) = scale(
                (real_t)pow(10, (GSVD_SINGLE ? -3.0 : -7.0) *
                                    ((double)(i + j) / (double)max_i(n, 1))),
                AT(A, i, j));
        return A;
    case 6: return bipartite(n, seed);
    case 7: return saddle(n, 0, 0, seed);
    case 8: return graded(saddle(n, 0, 0, seed), 4, seed);
    case 9: return saddle(n, 8, GSVD_SINGLE ? -1e-3 : -1e-8, seed);
    case 10: return three_blocks(n, seed);
    case 11: return arrow(n, 8, seed);
    case 12: return alike(n, 0, seed);
    case 13: return alike(n, 1, seed);
    case 14: return signs_only(n, seed);
    case 15: return exchange(n);
    case 16: fill(A, make(0, 0)); return A;
    case 17: return identity_mat(n, n);
    case 18: fill(A, make(1, 0)); return A;
    default: return rejecting(n, seed);
    }
}

/* ---- tests -------------------------------------------------------------------- */

static const int order[] = {0,  1,  2,   3,   5,   20,  31,
                            64, 65, 127, 129, 130, 200, 300};
enum { ORDERS = sizeof order / sizeof *order };

/* Every family, of both triangles; what is not read is NaN, and so are imaginary parts of the
 * diagonal. */
START_TEST(any_matrix)
{
    const int64_t n = order[_i];
    uint64_t seed = 50 + (uint64_t)_i;
    if (too_large(n, n, n))
        return;
    for (int what = 0; what < FAMILIES_OF_LDL; ++what)
        for (int door = 0; door < doors(); ++door) {
            const char uplo = (what + door) % 2 ? 'U' : 'L';
            const mat_t H = member(what, n, &seed), A = copy_mat(H);
            EACH_ENTRY (A, i, j)
                if (uplo == 'U' ? i > j : i < j)
                    AT(A, i, j) = make((real_t)NAN, (real_t)NAN);
                else if (i == j)
                    AT(A, i, i) = make(re(AT(A, i, i)), (real_t)NAN);
            const factors_t g = factor((door_t)door, 'G', uplo, A, -1);
            const factors_t f = factor((door_t)door, 'L', uplo, A, -1);
            check_root(H, &g);
            check_factors(H, &f);
            ck_assert_int_eq(f.rank, g.rank);
            ck_assert_int_eq(f.plus, g.plus);
            const factors_t again = factor((door_t)door, 'G', uplo, A, -1);
            ck_assert_same(again.G, g.G);
            if (what >= 15 && what < 18)
                ck_assert_int_eq(g.rank, what == 16            ? 0
                                         : what == 15 && n % 2 ? 0
                                                               : n);
            if (what == 18 && n > 0)
                ck_assert_int_eq(g.rank, 1);
            release_pool();
        }
}
END_TEST

/* The eigenvalues of A out of G, descending */
static void values_of(const factors_t *g, int64_t n, wide_t *w)
{
    const signature_t s = {.plus = g->plus};
    const hsvd_t d =
        decompose_signed(HOST, 'S', 'N', mat_cols(g->G, 0, g->rank), s);
    ck_assert_int_eq(d.status, GSVD_SUCCESS);
    for (int64_t j = 0; j < n; ++j) {
        const wide_t x = j < g->rank ? d.sigma[j] : 0;
        w[j] = j < g->plus ? x * x : -x * x;
    }
    qsort(w, (size_t)n, sizeof *w, wide_descending);
}

START_TEST(eigenvalues)
{
    enum { N = 40 };
    uint64_t seed = 900 + (uint64_t)_i;
    if (family[_i].error == 0)
        return;
    const mat_t A = member(_i, N, &seed);
    wide_t exact[N], w[N];
    ck_assert(quad_graded_eigenvalues(A, exact));
    for (int door = 0; door < doors(); ++door) {
        const factors_t g = factor((door_t)door, 'G', 'L', A, -1);
        double worst = 0;
        check_root(A, &g);
        values_of(&g, N, w);
        for (int i = 0; i < N; ++i) {
            ck_assert((w[i] > 0) == (exact[i] > 0));
            if (exact[i] != 0)
                worst =
                    fmax(worst, (double)fabsl((w[i] - exact[i]) / exact[i]));
        }
        ck_assert_msg(worst <= family[_i].error * N * GSVD_ULP,
                      "%s: %g n ulp, allowed %g", family[_i].name,
                      worst / (N * GSVD_ULP), family[_i].error);
    }
}
END_TEST

/* Arrows have determined values, too.  Where no pivot cancels, G has them: in most draws. */
START_TEST(arrows)
{
    enum { N = 40, DRAWS = 8 };
    uint64_t seed = 77;
    int good = 0;
    for (int k = 0; k < DRAWS; ++k) {
        const mat_t A = arrow(N, 8, &seed);
        const factors_t g = factor(HOST, 'G', 'U', A, -1);
        wide_t exact[N], w[N];
        double worst = 0;
        ck_assert(quad_graded_eigenvalues(A, exact));
        check_root(A, &g);
        values_of(&g, N, w);
        for (int i = 0; i < N; ++i)
            worst = fmax(worst, (double)fabsl((w[i] - exact[i]) / exact[i]));
        good += worst <= N * GSVD_ULP;
    }
    ck_assert_msg(2 * good > DRAWS, "%d of %d", good, DRAWS);
}
END_TEST

/* ---- ranks ---------------------------------------------------------------------- */

/* the rank of a matrix of integers, up to chance: by a prime below 2^31 */
static int64_t rank_by_prime(int64_t n, const int64_t *A)
{
    const int64_t p = 2147483647;
    int64_t *const M = grab((size_t)(n * n + 1) * sizeof *M), rank = 0;
    for (int64_t i = 0; i < n * n; ++i)
        M[i] = ((A[i] % p) + p) % p;
    for (int64_t c = 0; c < n; ++c) {
        int64_t r = rank;
        while (r < n && M[r + n * c] == 0)
            ++r;
        if (r == n)
            continue;
        int64_t inverse = 1;
        for (int64_t e = p - 2, x = M[r + n * c]; e > 0; e /= 2) {
            inverse = e % 2 ? inverse * x % p : inverse;
            x = x * x % p;
        }
        for (int64_t j = 0; j < n; ++j) {
            const int64_t x = M[r + n * j];
            M[r + n * j] = M[rank + n * j];
            M[rank + n * j] = x * inverse % p;
        }
        for (int64_t i = rank + 1; i < n; ++i) {
            const int64_t x = p - M[i + n * c];
            for (int64_t j = c; j < n; ++j)
                M[i + n * j] = (M[i + n * j] + x * M[rank + n * j]) % p;
        }
        ++rank;
    }
    return rank;
}

/* Entries -1, 0, 1: full, few, (0 B; B^H 0), with rows that come twice, and B diag(+-1) B^H */
static void set_integers(int what, int64_t n, int64_t *A, uint64_t *seed)
{
    int64_t *const B = grab((size_t)(n * n + 1) * sizeof *B);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            B[i + n * j] = random_below(seed, 3) - 1;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j; i < n; ++i) {
            int64_t x = B[i + n * j];
            if (what == 1)
                x *= random_unit(seed) < 0.3;
            if (what == 2 && (i < n / 2) == (j < n / 2))
                x = 0;
            if (what == 3)
                x = B[max_i(i % ((n + 2) / 2), j % ((n + 2) / 2)) +
                      n * min_i(i % ((n + 2) / 2), j % ((n + 2) / 2))];
            if (what == 4) {
                x = 0;
                for (int64_t k = 0; k < (n + 1) / 2; ++k)
                    x += (k % 2 ? -1 : 1) * B[i + n * k] * B[j + n * k];
            }
            A[i + n * j] = A[j + n * i] = x;
        }
}

/* Is A a matrix of that rank, up to what ldl takes for rounding? */
static int is_near_rank(mat_t A, int64_t rank)
{
    wide_t *const sigma = grab((size_t)A.cols * sizeof *sigma);
    wide_singular_values(A, sigma);
    return sigma[rank] <=
           LDL_ROUNDING * sqrtl((wide_t)A.cols) * (wide_t)GSVD_EPS * sigma[0];
}

/* Complex ones have phases 1, i, -1, -i on both sides.  In single a matrix may be within rounding
 * of a lower rank: one of 4000 was on an H200. */
START_TEST(integer_ranks)
{
    uint64_t seed = 1 + (uint64_t)_i;
    int near = 0;
    for (int k = 0; k < 400; ++k) {
        if (left_out(k, 40) || left_out_there(k, 8))
            continue;
        const int64_t n = 1 + random_below(&seed, 32);
        int64_t *const Z = grab((size_t)(n * n) * sizeof *Z);
        const mat_t A = new_mat(n, n);
        set_integers(k % 5, n, Z, &seed);
        EACH_ENTRY (A, i, j) {
            const real_t x = (real_t)Z[i + n * j];
            const int64_t turn = GSVD_COMPLEX ? (4 + i % 4 - j % 4) % 4 : 0;
            AT(A, i, j) = turn == 0   ? make(x, 0)
                          : turn == 1 ? make(0, x)
                          : turn == 2 ? make(-x, 0)
                                      : make(0, -x);
        }
        const factors_t g = factor(HOST, 'G', k % 2 ? 'U' : 'L', A, -1);
        check_root(A, &g);
        const int64_t exact = rank_by_prime(n, Z);
        const int lower = g.rank < exact && is_near_rank(A, g.rank);
        near += lower;
        ck_assert_msg(g.rank == exact || lower, "%d, n %d: %d", k, (int)n,
                      (int)g.rank);
        release_pool();
    }
    ck_assert_int_le(near, GSVD_SINGLE ? 2 : 0);
}
END_TEST

/* Nothing that is left is larger than the tolerance, and what is taken first is. */
START_TEST(tolerance)
{
    uint64_t seed = 4;
    const mat_t A = graded(well_conditioned(50, &seed), 2, &seed);
    const real_t tol = (real_t)0.3;
    const factors_t f = factor(HOST, 'L', 'U', A, tol),
                    g = factor(HOST, 'G', 'U', A, tol),
                    none = factor(HOST, 'G', 'U', A, (real_t)1e30),
                    all = factor(HOST, 'L', 'U', A, 0);
    ck_assert(f.rank > 0 && f.rank < 50 && g.rank == f.rank);
    ck_assert_int_eq(none.rank, 0);
    ck_assert_int_eq(all.rank, 50);
    check_factors(A, &all);
    mat_t GJ = copy_mat(g.G), E = copy_mat(A);
    EACH_ENTRY (GJ, i, j)
        AT(GJ, i, j) = scale((real_t)g.J[j], AT(GJ, i, j));
    gemm('N', 'C', 1, GJ, g.G, -1, E);
    EACH_ENTRY (E, i, j)
        ck_assert(abs_of(AT(E, i, j)) <= (real_t)0.301);
    for (int64_t j = 0; j < f.rank; ++j)
        ck_assert(abs_max(AT(f.D, 0, j)) > (real_t)0.1 ||
                  abs_max(AT(f.D, 1, j)) > (real_t)0.1 ||
                  abs_max(AT(f.D, 1, j - 1)) > (real_t)0.1);
}
END_TEST

/* A NaN in the triangle is refused, and A is as it was. */
START_TEST(not_finite)
{
    uint64_t seed = 3;
    const mat_t A = normal(6, &seed), G = new_mat(6, 6), C = copy_mat(A);
    int64_t rank, plus, J[6], jpvt[6];
    int info = 0;
    AT(C, 4, 2) = make((real_t)INFINITY, 0);
    const mat_t before = copy_mat(C);
    ck_assert_status(X(ldl)(handle, 'G', 'L', 6, C.data, C.ld, -1, &rank, &plus,
                            G.data, G.ld, NULL, 1, J, jpvt, &info),
                     GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(info, -4);
    ck_assert_same(C, before);
    ck_assert_status(X(ldl)(handle, 'g', 'u', 6, C.data, C.ld, -1, &rank, &plus,
                            G.data, G.ld, NULL, 1, J, jpvt, &info),
                     GSVD_SUCCESS);
}
END_TEST

START_TEST(illegal_arguments)
{
    const mat_t A = new_mat(4, 4), G = new_mat(4, 4), D = new_mat(2, 4);
    int64_t k, l, J[4], p[4];
    int info;
    const struct {
        char job, uplo;
        int64_t n, lda;
        real_t tol;
        int64_t *rank, *plus;
        scalar_t *G;
        int64_t ldg;
        scalar_t *D;
        int64_t ldd, *J, *jpvt;
        int number;
    } call[] = {{'X', 'L', 4, 4, 0, &k, &l, G.data, 4, D.data, 2, J, p, 1},
                {'G', 'X', 4, 4, 0, &k, &l, G.data, 4, D.data, 2, J, p, 2},
                {'G', 'L', -1, 4, 0, &k, &l, G.data, 4, D.data, 2, J, p, 3},
                {'G', 'L', 4, 3, 0, &k, &l, G.data, 4, D.data, 2, J, p, 5},
                {'G', 'L', 4, 4, NAN, &k, &l, G.data, 4, D.data, 2, J, p, 6},
                {'G', 'L', 4, 4, 0, NULL, &l, G.data, 4, D.data, 2, J, p, 7},
                {'G', 'L', 4, 4, 0, &k, NULL, G.data, 4, D.data, 2, J, p, 8},
                {'G', 'L', 4, 4, 0, &k, &l, NULL, 4, D.data, 2, J, p, 9},
                {'G', 'L', 4, 4, 0, &k, &l, G.data, 3, D.data, 2, J, p, 10},
                {'L', 'L', 4, 4, 0, &k, &l, G.data, 4, NULL, 2, J, p, 11},
                {'L', 'L', 4, 4, 0, &k, &l, G.data, 4, D.data, 1, J, p, 12},
                {'G', 'L', 4, 4, 0, &k, &l, G.data, 4, D.data, 0, J, p, 12},
                {'G', 'L', 4, 4, 0, &k, &l, G.data, 4, D.data, 2, NULL, p, 13},
                {'G', 'L', 4, 4, 0, &k, &l, G.data, 4, D.data, 2, J, NULL, 14}};
    for (size_t i = 0; i < sizeof call / sizeof *call; ++i) {
        ck_assert_status(X(ldl)(handle, call[i].job, call[i].uplo, call[i].n,
                                A.data, call[i].lda, call[i].tol, call[i].rank,
                                call[i].plus, call[i].G, call[i].ldg, call[i].D,
                                call[i].ldd, call[i].J, call[i].jpvt, &info),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(info, -call[i].number);
    }
}
END_TEST

/* As a struct: G is the member U, and an error names that. */
START_TEST(as_a_problem)
{
    enum { N = 9 };
    uint64_t seed = 2;
    const mat_t A = normal(N, &seed), C = copy_mat(A), G = new_mat(N, N);
    const factors_t g = factor(HOST, 'G', 'L', A, -1);
    int64_t rank, plus, J[N], jpvt[N];
    gsvd_problem_t p = new_problem(GSVD_ROUTINE_LDL, HOST, "", 0, N, 0);
    p.A = as_array(C);
    p.U = as_array(G);
    p.signs.data = J;
    p.jpvt.data = jpvt;
    p.k_out = &rank;
    p.l_out = &plus;
    ck_assert_ok(gsvd_run(handle, &p));
    ck_assert_int_eq(rank, g.rank);
    ck_assert_int_eq(plus, g.plus);
    ck_assert_same(G, g.G);
    ck_assert_mem_eq(J, g.J, sizeof J);
    p.U.ld = N - 1;
    ck_assert_status(gsvd_run(handle, &p), GSVD_INVALID_ARGUMENT);
    ck_assert(strstr(gsvd_last_error(handle), "problem.U.ld"));
}
END_TEST

/* Powers of two next to the ends of the range: L is the same, D and G^2 as many times larger. */
START_TEST(any_scale)
{
    static const int scale_of[] = {-1000, -500, 500, 1012};
    const int e = GSVD_SINGLE ? scale_of[_i] / 9 : scale_of[_i];
    uint64_t seed = 11;
    const mat_t A = hermitian_part(random_mat(70, 70, &seed));
    const mat_t B = ldexp_mat(A, e);
    const factors_t f = factor(HOST, 'L', 'L', A, -1),
                    s = factor(HOST, 'L', 'L', B, -1),
                    g = factor(HOST, 'G', 'L', A, -1),
                    t = factor(HOST, 'G', 'L', B, -1);
    check_factors(A, &f);
    ck_assert_int_eq(s.status, GSVD_SUCCESS);
    ck_assert_int_eq(s.rank, 70);
    ck_assert_same(s.G, f.G);
    EACH_ENTRY (s.D, i, j) {
        ck_assert(re(AT(s.D, i, j)) == ldexp_r(re(AT(f.D, i, j)), e));
        ck_assert(im(AT(s.D, i, j)) == ldexp_r(im(AT(f.D, i, j)), e));
    }
    if (e % 2 == 0) {
        EACH_ENTRY (t.G, i, j)
            ck_assert(re(AT(t.G, i, j)) == ldexp_r(re(AT(g.G, i, j)), e / 2));
    }
    fill(B, make(GSVD_REAL_MAX, 0)); /* has an L and a D                     */
    const factors_t most = factor(HOST, 'L', 'L', B, -1);
    ck_assert_int_eq(most.status, GSVD_SUCCESS);
    ck_assert_int_eq(most.rank, 1);
    ck_assert(re(AT(most.D, 0, 0)) == GSVD_REAL_MAX);
}
END_TEST

/* Small entries beside large ones, next to the upper end */
START_TEST(wide_range)
{
    const mat_t A = zero_mat(3, 3);
    AT(A, 0, 0) = make(GSVD_REAL_MAX / 4, 0);
    AT(A, 1, 1) = make(-8 * GSVD_SAFMIN / GSVD_EPS, 0);
    AT(A, 2, 2) = make(1, 0);
    const factors_t f = factor(HOST, 'L', 'L', A, -1);
    check_factors(A, &f);
    ck_assert_int_eq(f.rank, 3);
    ck_assert_int_eq(f.plus, 2);
    ck_assert(re(AT(f.D, 0, 2)) == re(AT(A, 1, 1)));
}
END_TEST

/* ---- the primitives ----------------------------------------------------------- */

enum { C = LDL_CANDIDATES, B = LDL_PIVOTS };

/* p, from where the backend has it */
static ldl_panel_t *panel_back(const ldl_panel_t *p)
{
    ldl_panel_t *const q = grab(sizeof *q);
    get(q, p, sizeof *q);
    return q;
}

static unsigned size_of_column(mat_t A, int64_t j, int64_t *row)
{
    unsigned most = 0;
    *row = 0;
    for (int64_t i = 0; i < A.rows; ++i)
        if (size_bits(AT(A, i, j)) > most) {
            most = size_bits(AT(A, i, j));
            *row = i;
        }
    return most;
}

/* Those of the largest entries are there, and the largest entry of all is between two of them. */
static void check_candidates(mat_t A, const ldl_panel_t *p)
{
    const int64_t n = A.cols, first = min_i(n, B);
    char *const there = grab((size_t)n + 1);
    unsigned least = UINT32_MAX;
    int64_t row;

    memset(there, 0, (size_t)n + 1);
    ck_assert_int_eq(p->candidates, min_i(n, C));
    for (int k = 0; k < p->candidates; ++k) {
        ck_assert(p->candidate[k] >= 0 && p->candidate[k] < n);
        ck_assert(!there[p->candidate[k]]++);
    }
    unsigned all = 0, inside = 0;
    for (int64_t k = 0; k < first; ++k) {
        const unsigned size = size_of_column(A, p->candidate[k], &row);
        least = size < least ? size : least;
        inside = there[row] && size > inside ? size : inside;
    }
    for (int64_t j = 0; j < n; ++j) {
        const unsigned size = size_of_column(A, j, &row);
        ck_assert(there[j] || size <= least);
        all = size > all ? size : all;
    }
    ck_assert_uint_eq(inside, all);
}

/* A(i,i') - sum of what the pivots have of it, over |A| */
static double left_of_pivots(mat_t A, const ldl_panel_t *p)
{
    const int n = p->pivots;
    const mat_t L = new_mat(n, n), LD = new_mat(n, n), E = new_mat(n, n);
    EACH_ENTRY (L, i, j) {
        AT(L, i, j) = i == j ? make(1, 0) : p->factor[p->place[i] + C * j];
        if (i < j)
            AT(L, i, j) = make(0, 0);
        AT(E, i, j) =
            AT(A, p->candidate[p->place[i]], p->candidate[p->place[j]]);
        ck_assert(abs_of(AT(L, i, j)) <= LDL_MOST * (real_t)1.001);
    }
    EACH_ENTRY (LD, i, j) {
        scalar_t x = scale(p->d[j], AT(L, i, j));
        if (p->kind[j] == LDL_FIRST)
            x = mul_add(AT(L, i, j + 1), p->e[j], x);
        if (p->kind[j] == LDL_SECOND)
            x = mul_add(AT(L, i, j - 1), conj_of(p->e[j - 1]), x);
        AT(LD, i, j) = x;
    }
    gemm('N', 'C', 1, LD, L, -1, E);
    return as_ratio(E, A);
}

/* R is the unit triangle of the pivots' L^H, and 0 behind them. */
static void check_transposed(const ldl_panel_t *f)
{
    for (int64_t i = 0; i < B; ++i)
        for (int64_t j = 0; j < B; ++j) {
            const scalar_t x = f->R[j + B * i];
            if (i == j)
                ck_assert(re(x) == 1 && im(x) == 0);
            else if (j > i || i >= f->pivots)
                ck_assert(abs_max(x) == 0);
            else
                ck_assert(abs_max(sub(conj_of(x),
                                      f->factor[f->place[i] + C * j])) == 0);
        }
}

/* L D = W in the rows behind the pivots; above its diagonal and behind the pivots L is 0, and
 * `largest` has the bits of its largest entries. */
static void check_divided(const ldl_panel_t *f, mat_t L, mat_t W)
{
    for (int t = 0; t < L.cols; ++t) {
        unsigned most = 0;
        for (int64_t i = 0; i < L.rows; ++i) {
            const scalar_t x = AT(L, i, t);
            const int two = t < f->pivots && f->kind[t] == LDL_FIRST;
            if (t >= f->pivots || i < t) {
                ck_assert(abs_max(x) == 0);
                continue;
            }
            if (i > t && size_bits(x) > most)
                most = size_bits(x);
            if (i < f->pivots || f->kind[t] == LDL_SECOND)
                continue;
            scalar_t w = scale(f->d[t], x);
            if (two)
                w = mul_add(AT(L, i, t + 1), f->e[t], w);
            ck_assert(abs_of(sub(w, AT(W, i, t))) <=
                      40 * GSVD_ULP * (1 + abs_of(AT(W, i, t))) *
                          (two ? abs_of(AT(W, i, t + 1)) + 1 : 1));
        }
        if (t < f->pivots) /* up to the rounding of |x|                       */
            ck_assert_int_le(abs((int)most - (int)f->largest[t]), GSVD_COMPLEX);
    }
}

/* One panel, step by step, beside the twin */
START_TEST(panel)
{
    const int64_t n = order[_i], b = min_i(n, B), k = 7;
    uint64_t seed = 70 + (uint64_t)_i;
    if (n == 0 || too_large(n, n, n))
        return;
    for (int what = 0; what < FAMILIES_OF_LDL; ++what) {
        const mat_t A = member(what, n, &seed), dA = to_backend(A);
        const mat_t left = normal_mat(n, k, &seed), dleft = to_backend(left);
        const mat_t W = normal_mat(n, b, &seed), dW = to_backend(W);
        const mat_t L = new_mat(n, b), dL = to_backend(L), T = copy_mat(A);
        int *const perm = grab((size_t)n * sizeof *perm);
        for (int64_t i = 0; i < n; ++i)
            perm[i] = (int)(3 * i);
        int *const dperm = to_backend_int(perm, n);
        ldl_panel_t *const p = grab_backend(sizeof *p);
        ldl_panel_t *const q = grab(sizeof *q);
        int64_t accepted = -1, twins = -1;
        real_t *const d = random_reals(B, &seed);
        real_t *const dd = to_backend_real(d, B);
        scalar_t *const e = grab(B * sizeof *e);
        scalar_t *const de = grab_backend(B * sizeof *e);

        CALL(ldl_candidates, dA, p);
        CALL_TWIN(ldl_candidates, T, q);
        check_candidates(A, panel_back(p));
        ck_assert_mem_eq(panel_back(p)->candidate, q->candidate,
                         (size_t)q->candidates * sizeof(int));
        CALL(ldl_pivots, dA, 0, p);
        CALL_TWIN(ldl_pivots, T, 0, q);
        const ldl_panel_t *f = panel_back(p);
        ck_assert_same(from_backend(dA), A);
        ck_assert_ratio(left_of_pivots(A, f));
        ck_assert(f->pivots <= B && (f->pivots > 0) == (norm1(A) > 0));
        check_transposed(f);
        if (what == 0) { /* nothing is as large as anything else              */
            ck_assert_int_eq(f->pivots, q->pivots);
            ck_assert_mem_eq(f->place, q->place,
                             (size_t)q->pivots * sizeof(int));
            ck_assert_mem_eq(f->kind, q->kind, (size_t)q->pivots * sizeof(int));
        }

        CALL(ldl_exchange, dA, dleft, dperm, p);
        const mat_t now = from_backend(dA), now_left = from_backend(dleft);
        const int *const to = from_backend_int(dperm, n);
        EACH_ENTRY (now, i, j)
            ck_assert(
                abs_max(sub(AT(now, i, j), AT(A, to[i] / 3, to[j] / 3))) == 0);
        EACH_ENTRY (now_left, i, j)
            ck_assert(
                abs_max(sub(AT(now_left, i, j), AT(left, to[i] / 3, j))) == 0);
        for (int t = 0; t < f->pivots; ++t)
            ck_assert_int_eq(to[t], 3 * f->candidate[f->place[t]]);

        CALL(ldl_divide, dW, dL, p);
        CALL(ldl_accepted, p, dd, de, &accepted);
        const real_t *const now_d = from_backend_real(dd, B);
        f = panel_back(p);
        memcpy(q, f, sizeof *q);
        CALL_TWIN(ldl_accepted, q, d, e, &twins);
        ck_assert_int_eq(accepted, twins);
        ck_assert((accepted > 0) == (f->pivots > 0));
        for (int t = 0; t < accepted; ++t)
            ck_assert(now_d[t] == f->d[t]);
        check_divided(f, from_backend(dL), W);
        release_pool();
    }
}
END_TEST

/* D of pivots of both orders, one of which is what rounding has left */
START_TEST(values_and_roots)
{
    enum { N = 9 };
    uint64_t seed = 5;
    const mat_t L = normal_mat(N, N, &seed), D = new_mat(2, N);
    const real_t d[N] = {3, (real_t)0.25, (real_t)-0.5, -2, 1, 0, 1,
                         5, GSVD_EPS};
    const mat_t of_e = new_mat(N, 1);
    scalar_t *const e = of_e.data;
    int place_of[N], perm[N];
    fill(of_e, make(0, 0));
    e[1] = make((real_t)1.5, GSVD_COMPLEX ? -1 : 0);
    e[4] = make(-2, 0);
    EACH_ENTRY (L, i, j)
        if (i <= j || (j == 1 && i == 2) || (j == 4 && i == 5))
            AT(L, i, j) = make(i == j, 0);
    const mat_t de = to_backend(of_e), dL = to_backend(L);
    real_t *const dd = to_backend_real(d, N), *const lambda =
                                                  random_reals(N, &seed);
    real_t *const dlambda = to_backend_real(lambda, N), *const dkey =
                                                            to_backend_real(
                                                                lambda, N);
    const real_t least = 100 * GSVD_EPS;

    CALL(ldl_values, dL, dd, de.data, least, 1, dlambda, dkey);
    const real_t *const w = from_backend_real(dlambda, N),
                        *const key = from_backend_real(dkey, N);
    static const int sign[N] = {1, 0, 0, -1, 0, 0, 1, 1, 0};
    for (int t = 0; t < N; ++t) {
        if (t < 8)
            ck_assert(key[t] == (w[t] > 0 ? 2 : 1) && w[t] != 0);
        if (sign[t])
            ck_assert(w[t] == d[t]);
    }
    ck_assert(w[8] == 0 && key[8] == 0);
    for (int t = 1; t < 5; t += 3) { /* trace and determinant                 */
        const double product =
            (double)d[t] * d[t + 1] - pow((double)abs_of(e[t]), 2);
        ck_assert(fabs((double)(w[t] + w[t + 1] - d[t] - d[t + 1])) <=
                  20 * GSVD_ULP);
        ck_assert(fabs((double)w[t] * w[t + 1] - product) <= 50 * GSVD_ULP);
    }
    CALL(ldl_values, dL, dd, de.data, 0, 0, dlambda, dkey);
    ck_assert(from_backend_real(dlambda, N)[8] == GSVD_EPS);
    ck_assert(from_backend_real(dkey, N)[8] == 1);

    CALL(ldl_roots, dL, dd, de.data, dlambda);
    const mat_t G = from_backend(dL), GJ = copy_mat(G), E = new_mat(N, N);
    EACH_ENTRY (E, i, j) {
        scalar_t sum = make(0, 0);
        for (int t = 0; t < N; ++t) {
            scalar_t x = scale(d[t], AT(L, i, t)); /* (L D)(i,t)             */
            if (abs_max(e[t]) > 0)
                x = mul_add(AT(L, i, t + 1), e[t], x);
            if (t > 0 && abs_max(e[t - 1]) > 0)
                x = mul_add(AT(L, i, t - 1), conj_of(e[t - 1]), x);
            sum = mul_add(x, conj_of(AT(L, j, t)), sum);
        }
        AT(E, i, j) = sum;
    }
    const mat_t A = copy_mat(E);
    EACH_ENTRY (GJ, i, j)
        AT(GJ, i, j) = scale(w[j] < 0 ? -1 : 1, AT(GJ, i, j));
    gemm('N', 'C', 1, GJ, G, -1, E);
    ck_assert_ratio(as_ratio(E, A));

    for (int t = 0; t < N; ++t) {
        place_of[t] = (t + 4) % N;
        perm[t] = 10 * t;
    }
    const mat_t dD = to_backend(D);
    int64_t *const J = integers(on_device ? GPU : HOST, N),
                   *const row = integers(on_device ? GPU : HOST, N);
    CALL(ldl_diagonal, to_backend_int(place_of, N), 6, dd, de.data, dD);
    CALL(ldl_signs, N, 2, 6, to_backend_int(perm, N),
         to_backend_int(place_of, N), J, row);
    const mat_t made = from_backend(dD);
    const int64_t *const signs = integers_back(on_device ? GPU : HOST, J, N),
                         *const rows =
                             integers_back(on_device ? GPU : HOST, row, N);
    for (int t = 0; t < N; ++t) {
        const scalar_t none = make(0, 0);
        ck_assert(re(AT(made, 0, t)) == (t < 6 ? d[place_of[t]] : 0));
        ck_assert(abs_max(sub(AT(made, 1, t), t < 6 ? e[place_of[t]] : none)) ==
                  0);
        ck_assert_int_eq(signs[t], t < 2 ? 1 : t < 6 ? -1 : 0);
        ck_assert_int_eq(rows[t], 10 * place_of[t] + 1);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("ldl");
    TCase *t = add_tcase(s, "ldl");
    tcase_add_loop_test(t, any_matrix, 0, ORDERS);
    tcase_add_loop_test(t, eigenvalues, 0, FAMILIES_OF_LDL);
    tcase_add_test(t, arrows);
    tcase_add_loop_test(t, integer_ranks, 0, 10);
    tcase_add_test(t, tolerance);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, illegal_arguments);
    tcase_add_test(t, as_a_problem);
    tcase_add_loop_test(t, any_scale, 0, 4);
    tcase_add_test(t, wide_range);
    tcase_add_loop_test(t, panel, 0, ORDERS);
    tcase_add_test(t, values_and_roots);
    return s;
}
