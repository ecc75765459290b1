/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_hard.c -- ranks of pairs that are hard to decide: the preprocessing's and
 * LAPACK's against those of singular values, with the same tolerances.
 *
 *     l* = number of singular values of B above tolb,  N = the other right ones
 *     k* = number of singular values of A N above tola
 *
 * A hard matrix H stands in B as H, over zero rows (tall), or as the product
 * with a unitary matrix; and in A where B selects the other columns, so that the
 * preprocessing's second pivoted QR meets it.
 */
#include <stdio.h>

#include "harness/hard.h"
#include "lapacke.h"

typedef struct ranks {
    int64_t k, l;
} ranks_t;

typedef struct where {
    const char *name;
    int in_a, tall, turned;
} where_t;

static const where_t where[] = {
    {"B", 0, 0, 0}, {"B, tall", 0, 1, 0},         {"B, tall, turned", 0, 1, 1},
    {"A", 1, 0, 0}, {"A, tall, turned", 1, 1, 1},
};
enum { WHERE = sizeof where / sizeof *where };

/* rows x cols, H in its first rows; turned: times a unitary matrix */
static mat_t stand(mat_t H, int64_t rows, int turned, uint64_t *seed)
{
    mat_t A = zero_mat(rows, H.cols);
    EACH_ENTRY (H, i, j)
        AT(A, i, j) = AT(H, i, j);
    return turned ? product('N', 'N', random_unitary(rows, seed), A) : A;
}

/* (L R) */
static mat_t beside(mat_t L, mat_t R)
{
    mat_t A = new_mat(L.rows, L.cols + R.cols);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = j < L.cols ? AT(L, i, j) : AT(R, i, j - L.cols);
    return A;
}

/* singular values above tol; N := the other right singular vectors */
static int64_t svd_rank(mat_t A, real_t tol, mat_t *N)
{
    const int64_t q = min_i(A.rows, A.cols);
    const mat_t C = copy_for_lapack(A), none = new_mat(1, 1);
    const mat_t W = new_mat(A.cols, A.cols);
    real_t *sigma = grab((size_t)(2 * max_i(q, 1)) * sizeof *sigma);
    int64_t rank = 0;

    if (q > 0)
        ck_assert_int_eq(
            0, LAPACK(gesvd)(LAPACK_COL_MAJOR, 'N', N ? 'A' : 'N',
                             (lapack_int)A.rows, (lapack_int)A.cols, C.data,
                             (lapack_int)C.ld, sigma, none.data, 1, W.data,
                             (lapack_int)W.ld, sigma + max_i(q, 1)));
    while (rank < q && sigma[rank] > tol)
        ++rank;
    if (N) {
        *N = new_mat(A.cols, A.cols - rank);
        for (int64_t j = 0; j < N->cols; ++j)
            for (int64_t i = 0; i < N->rows; ++i)
                AT(*N, i, j) = conj_of(AT(W, rank + j, i));
    }
    return rank;
}

static ranks_t svd_ranks(mat_t A, mat_t B, real_t tola, real_t tolb)
{
    mat_t N;
    ranks_t r;
    r.l = svd_rank(B, tolb, &N);
    r.k = svd_rank(product('N', 'N', A, N), tola, NULL);
    return r;
}

static real_t tolerance(mat_t A, double relative)
{
    return relative < 0 ? (real_t)max_i(A.rows, A.cols) * norm1(A) * GSVD_ULP
                        : (real_t)relative;
}

static int64_t distance_of(int64_t x, int64_t y)
{
    return x < y ? y - x : x - y;
}

/* At least as right as LAPACK; where values lie on the tolerance without a gap,
 * a pivot may fall on either side of it: one off is right.  What k is to be
 * depends on l: it is compared where ours or LAPACK's is as right in l. */
static void judge(hard_t which, const char *what, ranks_t ours, ranks_t lapack,
                  ranks_t svd)
{
    const int64_t free = which == NO_GAP || which == GRADED ? 1 : 0;
    const int64_t off = distance_of(lapack.l, svd.l);
    ck_assert_msg(distance_of(ours.l, svd.l) <= max_i(free, off),
                  "%s: l %ld, LAPACK's %ld, SVD's %ld", what, (long)ours.l,
                  (long)lapack.l, (long)svd.l);
    if (ours.l == lapack.l || ours.l == svd.l)
        ck_assert_msg(distance_of(ours.k, svd.k) <=
                          max_i(free, distance_of(lapack.k, svd.k)),
                      "%s: k %ld, LAPACK's %ld, SVD's %ld", what, (long)ours.k,
                      (long)lapack.k, (long)svd.k);
}

static void check(hard_t which, const where_t *w, int64_t n)
{
    const double tol = hard_tolerance(which);
    uint64_t seed = 300 + (uint64_t)n;
    const int64_t rows = w->tall ? 2 * n + 3 : n;
    const mat_t H = hard_mat(which, n, &seed);
    mat_t A, B;
    char what[100];

    if (w->in_a) { /* A = (H, normal), B = (0, unitary)                       */
        mat_t zero = zero_mat(n, n);
        A = beside(stand(H, rows, w->turned, &seed),
                   normal_mat(rows, n, &seed));
        B = beside(zero, random_unitary(n, &seed));
    } else {
        A = normal_mat(n + 1, n, &seed);
        B = stand(H, rows, w->turned, &seed);
    }
    const real_t tola = tolerance(A, w->in_a ? tol : -1);
    const real_t tolb = tolerance(B, w->in_a ? -1 : tol);
    const ranks_t svd = svd_ranks(A, B, tola, tolb);
    ranks_t lapack;
    lapack_ranks(A, B, tola, tolb, &lapack.k, &lapack.l);
    snprintf(what, sizeof what, "%s in %s, n = %ld", hard_name[which], w->name,
             (long)n);
    for (int door = 0; door < doors(); ++door) {
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', A, B, tola, tolb);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        printf("%-40s l %3ld %3ld %3ld  k %3ld %3ld %3ld\n", what, (long)r.l,
               (long)lapack.l, (long)svd.l, (long)r.k, (long)lapack.k,
               (long)svd.k);
        judge(which, what, (ranks_t){r.k, r.l}, lapack, svd);
        ck_assert_ratio(defect(r.Q));
    }
}

START_TEST(ranks_of_hard_pairs)
{
    static const int64_t order[] = {12, 30, 48, 66, 90};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
        for (int w = 0; w < WHERE; ++w) {
            if (!too_large(order[i], 2 * order[i] + 3, order[i]))
                check((hard_t)_i, &where[w], order[i]);
            release_pool();
        }
}
END_TEST

/* ---- hidden ranks, exactly -------------------------------------------------- */

/* the rank by one order, of H alone and of it as B, which are to agree */
static int64_t rank_by(gsvd_pivot_t how, mat_t H, real_t tol)
{
    const int64_t n = H.cols;
    const mat_t A = copy_mat(H), tau = new_mat(n, 1), I_ = identity_mat(n, n);
    int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank = -1;

    ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT, (int)how));
    ck_assert_ok(
        X(geqp)(handle, n, n, A.data, A.ld, jpvt, tau.data, tol, &rank, NULL));
    for (int door = 0; door < doors(); ++door) {
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', I_, H, 0, tol);
        ck_assert_ok(r.status);
        ck_assert_int_eq(r.l, rank);
        ck_assert_int_eq(r.k, n - rank);
        ck_assert_ratio(defect(r.V));
        ck_assert_ratio(defect(r.Q));
    }
    return rank;
}

/* the least singular value of H */
static real_t least_value(mat_t H)
{
    return lapack_singular_values(H)[H.cols - 1];
}

/* Kahan's triangle with c = sqrt(1 - s^2); columns get slightly shorter */
static mat_t kahan_of(int64_t n, double s)
{
    const mat_t H = zero_mat(n, n);
    const double c = sqrt(1 - s * s);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i <= j; ++i)
            AT(H, i, j) = make((real_t)((1 - 25 * (double)j * GSVD_ULP) *
                                        pow(s, (double)i) * (i == j ? 1 : -c)),
                               0);
    return H;
}

/* A matrix; s of Kahan's, 0 for Golub, Klema and Stewart's; the multiples of the
 * least singular value at which norm pivoting is known not to see it. */
static const struct {
    int n;
    double s;
    int from, to;
} hidden[] = {
    {4, 0.3, 2, 2},    {4, 0.6, 2, 2},    {5, 0.6, 2, 5},   {12, 0.9, 2, 10},
    {30, 0.9, 2, 100}, {60, 0.9, 2, 100}, {20, 0.8, 2, 30}, {5, 0, 0, 0},
    {12, 0, 0, 0},     {16, 0, 0, 0},
};
enum { HIDDENS = sizeof hidden / sizeof *hidden };

/* Tolerances at these multiples of the least singular value: what is below one of
 * them does not count, wherever norm pivoting leaves it. */
START_TEST(hidden_ranks)
{
    static const double times[] = {0.01, 0.1, 0.5, 2, 5, 10, 30, 100};
    const int64_t n = hidden[_i].n;
    uint64_t seed = 1;
    if (too_large(n, n, n))
        return;
    const mat_t H =
        hidden[_i].s > 0 ? kahan_of(n, hidden[_i].s) : hard_mat(GKS, n, &seed);
    const real_t least = least_value(H);
    if (least < 1000 * (real_t)n * GSVD_ULP)
        return; /* in single precision: rounding                             */
    for (int t = 0; t < 8; ++t) {
        const real_t tol = (real_t)times[t] * least;
        const int64_t svd = svd_rank(H, tol, NULL);
        const int64_t norm = rank_by(GSVD_PIVOT_NORM, H, tol);
        if (times[t] >= hidden[_i].from && times[t] <= hidden[_i].to)
            ck_assert_msg(norm > svd, "n %ld, %g times: norm pivoting sees it",
                          (long)n, times[t]);
        if (svd + 1 < n)
            continue; /* of several, one may be on the tolerance             */
        ck_assert_msg(rank_by(GSVD_PIVOT_TOURNAMENT, H, tol) == svd,
                      "n %ld, s %g, %g times: not %ld", (long)n, hidden[_i].s,
                      times[t], (long)svd);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("hard");
    TCase *t = add_tcase(s, "ranks");
    printf("%-40s l, k: ours, LAPACK's, of the singular values\n", "");
    tcase_add_loop_test(t, ranks_of_hard_pairs, 0, HARD);
    tcase_add_loop_test(t, hidden_ranks, 0, HIDDENS);
    return s;
}
