/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_qr.c -- the routines of one matrix through every door: QR, its Q applied
 * and formed, pivoted QR, URV. */
#include <stdio.h>

#include "harness/graded.h"
#include "harness/harness.h"
#include "harness/wide.h"

static uint64_t seed;

static const struct {
    int m, n;
} size[] = {
    {0, 0},     {0, 3},     {3, 0},     {1, 1},     {1, 7},   {7, 1},
    {2, 2},     {31, 31},   {32, 32},   {33, 33},   {63, 63}, {64, 64},
    {65, 65},   {33, 64},   {64, 33},   {70, 40},   {40, 70}, {127, 127},
    {128, 128}, {129, 129}, {257, 130}, {130, 257},
};
enum { SIZES = sizeof size / sizeof *size };

static const struct {
    int m, n;
} tall_size[] = {
    {33, 32},   {40, 31},   {1000, 1},  {1025, 7},
    {5000, 17}, {5000, 32}, {5000, 33}, {4097, 32},
};
enum { TALL_SIZES = sizeof tall_size / sizeof *tall_size };

/* Workspace of one call: the handle's, or the caller's own of exact size. */
/* With own, what a plan of such a call takes */
static void lend(int own, door_t door, gsvd_routine_t routine, const char *jobs,
                 int64_t m, int64_t n, int64_t k)
{
    gsvd_problem_t p = new_problem(routine, door, jobs, m, n, 0);
    size_t d = 0, w = 0;

    p.k = k;
    ck_assert_ok(workspace_of(handle, p, &d, &w));
    if (own)
        ck_assert_ok(gsvd_set_workspace(handle,
                                        on_device ? grab_backend(d) : NULL, d,
                                        w ? grab(w) : NULL, w));
}

static void take_workspace_back(void)
{
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
}

/* -- calls ---------------------------------------------------------------------- */

typedef struct factors {
    gsvd_status_t status;
    int info;
    int64_t rank, *jpvt;
    mat_t A, tau, U, V;
} factors_t;

static factors_t qr_into(door_t door, int own, mat_t A, mat_t tau)
{
    const mat_t dA = place(door, copy_mat(A)), dt = place(door, tau);
    factors_t f = {.info = 12345};

    lend(own, door, GSVD_ROUTINE_QR, "", A.rows, A.cols, 0);
    f.status = (door == GPU ? X(qr_gpu) : X(qr))(
        handle, A.rows, A.cols, dA.data, dA.ld, dt.data, &f.info);
    take_workspace_back();
    f.A = take_back(door, dA);
    f.tau = take_back(door, dt);
    return f;
}

static factors_t qr(door_t door, int own, mat_t A)
{
    return qr_into(door, own, A, new_mat(min_i(A.rows, A.cols), 1));
}

static factors_t qr_r(door_t door, int own, mat_t A)
{
    return qr_into(door, own, A, mat_view(NULL, 0, 1, 1));
}

/* C with op(Q), Q from the first k reflectors of f */
static mat_t apply(door_t door, int own, char side, char op, const factors_t *f,
                   int64_t k, mat_t C)
{
    const mat_t dA = place(door, f->A), dt = place(door, f->tau);
    const mat_t dC = place(door, copy_mat(C)), before = copy_mat(f->A);
    int info = 12345;

    lend(own, door, GSVD_ROUTINE_QR_APPLY, (char[]){side, op, 0}, C.rows,
         C.cols, k);
    ck_assert_ok((door == GPU ? X(qr_apply_gpu) : X(qr_apply))(
        handle, side, op, C.rows, C.cols, k, dA.data, dA.ld, dt.data, dC.data,
        dC.ld, &info));
    take_workspace_back();
    ck_assert_int_eq(info, 0);
    ck_assert_same(take_back(door, dA), before);
    return take_back(door, dC);
}

/* the leading n columns of Q */
static mat_t form(door_t door, int own, const factors_t *f, int64_t n,
                  int64_t k)
{
    mat_t Q = new_mat(f->A.rows, n);
    int info = 12345;

    for (int64_t j = 0; j < k; ++j)
        for (int64_t i = 0; i < Q.rows; ++i)
            AT(Q, i, j) = AT(f->A, i, j);
    const mat_t dQ = place(door, Q), dt = place(door, f->tau);
    lend(own, door, GSVD_ROUTINE_QR_FORM, "", Q.rows, n, k);
    ck_assert_ok((door == GPU ? X(qr_form_gpu) : X(qr_form))(
        handle, Q.rows, n, k, dQ.data, dQ.ld, dt.data, &info));
    take_workspace_back();
    ck_assert_int_eq(info, 0);
    return take_back(door, dQ);
}

static factors_t geqp(door_t door, int own, mat_t A, real_t tol)
{
    const int64_t n = A.cols, r = min_i(A.rows, n);
    const size_t bytes = (size_t)n * sizeof(int64_t);
    const mat_t dA = place(door, copy_mat(A)), dt = place(door, new_mat(r, 1));
    factors_t f = {.info = 12345, .rank = 12345, .jpvt = grab(bytes)};
    int64_t *const dj = door == GPU ? grab_backend(bytes) : f.jpvt;

    lend(own, door, GSVD_ROUTINE_GEQP, "", A.rows, n, 0);
    f.status = (door == GPU ? X(geqp_gpu) : X(geqp))(
        handle, A.rows, n, dA.data, dA.ld, dj, dt.data, tol, &f.rank, &f.info);
    take_workspace_back();
    if (door == GPU)
        get(f.jpvt, dj, bytes);
    f.A = take_back(door, dA);
    f.tau = take_back(door, dt);
    return f;
}

static mat_t factor(char job, int64_t order, int64_t economy)
{
    if (job == 'N')
        return mat_view(NULL, order, 0, 1);
    return new_mat(order, job == 'S' ? economy : order);
}

static factors_t urv(door_t door, int own, char jobu, char jobv, mat_t A,
                     real_t tol)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const mat_t dA = place(door, copy_mat(A));
    const mat_t dU = place(door, factor(jobu, m, r));
    const mat_t dV = place(door, factor(jobv, n, r));
    factors_t f = {.info = 12345, .rank = 12345};

    lend(own, door, GSVD_ROUTINE_URV, (char[]){jobu, jobv, 0}, m, n, 0);
    f.status = (door == GPU ? X(urv_gpu) : X(urv))(
        handle, jobu, jobv, m, n, dA.data, dA.ld, tol, &f.rank, dU.data, dU.ld,
        dV.data, dV.ld, &f.info);
    take_workspace_back();
    f.A = take_back(door, dA);
    f.U = take_back(door, dU);
    f.V = take_back(door, dV);
    return f;
}

/* -- checks ---------------------------------------------------------------------- */

/* e such that the entries of a matrix of this size are next to 1 */
static mat_t shifted(mat_t A, int e) { return ldexp_mat(A, -e); }

static int exponent(mat_t A)
{
    real_t largest = 0;
    EACH_ENTRY (A, i, j)
        largest = fmax_r(largest, abs_max(AT(A, i, j)));
    return largest > 0 ? exponent_r(largest) + 1 : 0;
}

/* norm1(A - B) / (order norm1(A) ulp) */
static double apart_by(int64_t order, mat_t A, mat_t B)
{
    mat_t D = copy_mat(A);
    EACH_ENTRY (A, i, j)
        AT(D, i, j) = sub(AT(A, i, j), AT(B, i, j));
    const double norm = fmax((double)norm1(A), GSVD_SAFMIN);
    return norm1(D) / norm / (double)max_i(1, order) / GSVD_ULP;
}

static double apart(mat_t A, mat_t B)
{
    return apart_by(max_i(A.rows, A.cols), A, B);
}

/* R, as many rows as given, from what QR left */
static mat_t triangle(mat_t A, int64_t rows)
{
    mat_t R = new_mat(rows, A.cols);
    EACH_ENTRY (R, i, j)
        AT(R, i, j) = i <= j ? AT(A, i, j) : make(0, 0);
    return R;
}

static void check_qr(door_t door, mat_t A, const factors_t *f)
{
    const int64_t r = min_i(A.rows, A.cols);
    const int e = exponent(A);

    ck_assert_int_eq(f->status, GSVD_SUCCESS);
    ck_assert_int_eq(f->info, 0);
    const mat_t Q = form(door, 0, f, r, r), R = triangle(shifted(f->A, e), r);
    ck_assert_ratio(defect(Q));
    ck_assert_ratio(apart(shifted(A, e), product('N', 'N', Q, R)));
}

/* S R, S diagonal and unitary, with a nonnegative diagonal */
static mat_t made_positive(mat_t R)
{
    mat_t S = copy_mat(R);
    for (int64_t i = 0; i < R.rows; ++i) {
        const scalar_t d = AT(R, i, i);
        const real_t length = abs_of(d);
        if (!(length > 0))
            continue;
        const scalar_t turn = make(re(d) / length, -im(d) / length);
        for (int64_t j = i; j < R.cols; ++j)
            AT(S, i, j) = mul(turn, AT(R, i, j));
    }
    return S;
}

/* R alone, as Cholesky's factor of A^H A */
static void check_r(mat_t A, const factors_t *f)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const int e = exponent(A);

    ck_assert_int_eq(f->status, GSVD_SUCCESS);
    ck_assert_int_eq(f->info, 0);
    const mat_t As = shifted(A, e), R = triangle(shifted(f->A, e), r);
    ck_assert_ratio(apart_by(max_i(m, n), product('C', 'N', As, As),
                             product('C', 'N', R, R)));
    for (int64_t i = 0; i < r && m >= n && n <= 32; ++i)
        ck_assert(re(AT(R, i, i)) >= 0 && im(AT(R, i, i)) == 0);
}

/* A P; jpvt is a permutation counted from 1 */
static mat_t permuted(mat_t A, const int64_t *jpvt)
{
    mat_t AP = new_mat(A.rows, A.cols);
    int *const seen = grab((size_t)A.cols * sizeof *seen);

    memset(seen, 0, (size_t)A.cols * sizeof *seen);
    for (int64_t j = 0; j < A.cols; ++j) {
        const int64_t from = jpvt[j] - 1;
        ck_assert(from >= 0 && from < A.cols && !seen[from]);
        seen[from] = 1;
        for (int64_t i = 0; i < A.rows; ++i)
            AT(AP, i, j) = AT(A, i, from);
    }
    return AP;
}

static double length(mat_t A, int64_t first, int64_t j)
{
    double x = 0;
    for (int64_t i = first; i < A.rows; ++i)
        x = hypot(x, (double)abs_of(AT(A, i, j)));
    return x;
}

/* tol in the units of A, negative: not looked at */
static void check_geqp(door_t door, mat_t A, const factors_t *f, double tol)
{
    const int64_t r = f->rank;
    const int e = exponent(A);

    ck_assert_int_eq(f->status, GSVD_SUCCESS);
    ck_assert_int_eq(f->info, 0);
    ck_assert(r >= 0 && r <= min_i(A.rows, A.cols));
    mat_t T = shifted(f->A, e); /* (R11 R12; 0 R22)                          */
    for (int64_t j = 0; j < r; ++j)
        for (int64_t i = j + 1; i < A.rows; ++i)
            AT(T, i, j) = make(0, 0);
    ck_assert_ratio(apart(shifted(permuted(A, f->jpvt), e),
                          apply(door, 0, 'L', 'N', f, r, T)));
    ck_assert_ratio(defect(form(door, 0, f, r, r)));
    for (int64_t i = r; i < f->tau.rows; ++i)
        ck_assert(abs_max(f->tau.data[i]) == 0);
    if (tol < 0)
        return;
    tol = ldexp(tol, -e);
    for (int64_t j = 0; j < r; ++j)
        ck_assert(abs_of(AT(T, j, j)) > tol);
    for (int64_t j = r; j < A.cols; ++j)
        ck_assert(length(T, r, j) <= tol * (1 + 100 * GSVD_ULP));
}

/* U(:,1:r) R V(:,n-r+1:n)^H from what columns there are */
static void check_urv(mat_t A, const factors_t *f)
{
    const int64_t m = A.rows, n = A.cols, r = f->rank;
    const int e = exponent(A);

    ck_assert_int_eq(f->status, GSVD_SUCCESS);
    ck_assert_int_eq(f->info, 0);
    ck_assert(r >= 0 && r <= min_i(m, n));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            ck_assert((i < r && j >= n - r + i) ||
                      abs_max(AT(f->A, i, j)) == 0);
    for (int64_t i = 0; i < r; ++i)
        ck_assert(abs_max(AT(f->A, i, n - r + i)) > 0);
    if (f->U.data)
        ck_assert_ratio(defect(f->U));
    if (f->V.data)
        ck_assert_ratio(defect(f->V));
    if (!f->U.data || !f->V.data)
        return;
    const mat_t R = mat_sub(shifted(f->A, e), 0, n - r, r, r);
    const mat_t UR = product('N', 'N', mat_cols(f->U, 0, r), R);
    const mat_t V = mat_cols(f->V, f->V.cols - r, r);
    ck_assert_ratio(apart(shifted(A, e), product('N', 'C', UR, V)));
}

/* of full rank: not near another one */
static mat_t of_rank(int64_t m, int64_t n, int64_t r)
{
    if (r == min_i(m, n)) {
        mat_t A = normal_mat(m, n, &seed);
        const real_t far = 3 * sqrt_r((real_t)r);
        for (int64_t j = 0; j < r; ++j)
            AT(A, j, j) = add(AT(A, j, j), make(far, 0));
        return A;
    }
    return product('N', 'N', normal_mat(m, r, &seed), normal_mat(r, n, &seed));
}

/* -- any shape -------------------------------------------------------------------- */

START_TEST(qr_of_any_shape)
{
    const int m = size[_i].m, n = size[_i].n;
    if (too_large(m, n, 0))
        return;
    for (int panel = GSVD_PANEL_AUTO; panel <= GSVD_PANEL_TSQR; ++panel)
        for (int door = 0; door < doors(); ++door) {
            const mat_t A = normal_mat(m, n, &seed);
            ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
            const factors_t f = qr((door_t)door, 0, A);
            check_qr((door_t)door, A, &f);
        }
}
END_TEST

/* R alone: of full rank also against the R of reflectors */
START_TEST(r_of_any_shape)
{
    const int tall = _i - SIZES;
    const int m = tall < 0 ? size[_i].m : tall_size[tall].m;
    const int n = tall < 0 ? size[_i].n : tall_size[tall].n, r = m < n ? m : n;
    if (too_large(m, n, 0))
        return;
    for (int panel = GSVD_PANEL_AUTO; panel <= GSVD_PANEL_TSQR; ++panel)
        for (int door = 0; door < doors(); ++door)
            for (int rank = r; rank >= 0;
                 rank = rank == r && r > 2 ? r / 3 : -1) {
                const door_t d = (door_t)door;
                const mat_t A = of_rank(m, n, rank);
                ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
                const factors_t f = qr_r(d, 0, A), g = qr(d, 0, A);
                const mat_t R = triangle(f.A, r), W = triangle(g.A, r);
                check_r(A, &f);
                if (m < n || n > 32)
                    ck_assert_same(R, W);
                else if (rank == r)
                    ck_assert_ratio(
                        apart_by(m, made_positive(W), made_positive(R)));
            }
}
END_TEST

/* op(Q) C and C op(Q) against Q in full, all and some reflectors */
START_TEST(apply_is_form)
{
    static const char side[] = "LLRRlr", op[] = "NCNCcn";
    const int m = size[_i].m, n = size[_i].n, r = m < n ? m : n;
    if (too_large(m, n, 0))
        return;
    for (int door = 0; door < doors(); ++door)
        for (int k = r; k >= 0; k = k == r && r > 1 ? r / 2 : -1) {
            const mat_t A = normal_mat(m, n, &seed);
            const factors_t f = qr((door_t)door, 0, A);
            const mat_t Q = form((door_t)door, 0, &f, m, k);
            ck_assert_ratio(defect(Q));
            for (int i = 0; side[i]; ++i) {
                const int left = side[i] == 'L' || side[i] == 'l';
                const char o = op[i] == 'c' ? 'C' : op[i] == 'n' ? 'N' : op[i];
                const mat_t C =
                    left ? normal_mat(m, 5, &seed) : normal_mat(6, m, &seed);
                ck_assert_ratio(
                    apart(left ? product(o, 'N', Q, C) : product('N', o, C, Q),
                          apply((door_t)door, 0, side[i], op[i], &f, k, C)));
            }
        }
}
END_TEST

/* 'T' is 'C' for real types and nothing for complex ones */
START_TEST(transpose)
{
    const mat_t A = normal_mat(9, 4, &seed), C = normal_mat(9, 3, &seed);
    const factors_t f = qr(HOST, 0, A);
    mat_t D = copy_mat(C);
    int info = 12345;
    const gsvd_status_t status =
        X(qr_apply)(handle, 'L', 'T', 9, 3, 4, f.A.data, f.A.ld, f.tau.data,
                    D.data, D.ld, &info);
    if (sizeof(scalar_t) != sizeof(real_t)) {
        ck_assert_int_eq(status, GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(info, -2);
        ck_assert_same(C, D);
        return;
    }
    ck_assert_int_eq(status, GSVD_SUCCESS);
    ck_assert_same(apply(HOST, 0, 'L', 'C', &f, 4, C), D);
}
END_TEST

START_TEST(geqp_of_any_shape)
{
    const int m = size[_i].m, n = size[_i].n, r = m < n ? m : n;
    if (too_large(m, n, 0))
        return;
    for (int norm = 0; norm < 2; ++norm)
        for (int door = 0; door < doors(); ++door)
            for (int rank = r; rank >= 0;
                 rank = rank == r && r > 2 ? r / 3 : -1) {
                const mat_t A = of_rank(m, n, rank);
                ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT,
                                             norm ? GSVD_PIVOT_NORM
                                                  : GSVD_PIVOT_TOURNAMENT));
                const factors_t f = geqp((door_t)door, 0, A, -1);
                check_geqp((door_t)door, A, &f, default_tolerance(A));
                ck_assert_int_eq(f.rank, rank);
                if (norm)
                    for (int j = 1; j < rank; ++j)
                        ck_assert(abs_of(AT(f.A, j, j)) <=
                                  abs_of(AT(f.A, j - 1, j - 1)) *
                                      (1 + 1000 * GSVD_ULP));
            }
}
END_TEST

/* Columns apart by up to 1e298, single 1e35, keep their own accuracy. */
START_TEST(far_columns)
{
    const int64_t m = 40, n = 4 + 9 * (_i / 2);
    const mat_t A = normal_mat(m, n, &seed), none = mat_view(NULL, 0, 0, 1);
    real_t *const one = grab((size_t)n * sizeof *one);
    scale_columns(A, GSVD_SINGLE ? 58 : 495, &seed);
    for (int door = 0; door < doors(); ++door) {
        const factors_t f =
            _i % 2 ? geqp((door_t)door, 0, A, 0) : qr((door_t)door, 0, A);
        const mat_t Q = copy_mat(f.A), R = zero_mat(n, n), AP = copy_mat(A);
        ck_assert_ok(f.status);
        for (int64_t j = 0; j < n; ++j) {
            one[j] = 1;
            for (int64_t i = 0; i <= j; ++i)
                AT(R, i, j) = AT(f.A, i, j);
            for (int64_t i = 0; i < m && _i % 2; ++i)
                AT(AP, i, j) = AT(A, i, f.jpvt[j] - 1);
        }
        ck_assert_ok(
            X(qr_form)(handle, m, n, n, Q.data, Q.ld, f.tau.data, NULL));
        ck_assert_ratio(column_error(AP, Q, one, 0, n, none, adjoint(R), NULL) /
                        ((double)m * GSVD_ULP));
    }
}
END_TEST

/* more columns than are pivoted one by one on the CPU */
START_TEST(geqp_by_panels)
{
    const mat_t A = too_large(1100, 1060, 0) ? of_rank(60, 50, 40)
                                             : of_rank(1100, 1060, 700);
    ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT,
                                 _i ? GSVD_PIVOT_NORM : GSVD_PIVOT_TOURNAMENT));
    const factors_t f = geqp(HOST, 1, A, -1);
    check_geqp(HOST, A, &f, default_tolerance(A));
    ck_assert_int_eq(f.rank, A.cols == 50 ? 40 : 700);
}
END_TEST

/* the caller's tolerance; 0 goes on to the end; more than all is rank 0 */
START_TEST(geqp_tolerances)
{
    for (int door = 0; door < doors(); ++door) {
        mat_t A = normal_mat(40, 30, &seed);
        for (int j = 0; j < 30; ++j)
            scale_column(A, j, j < 20 ? 1 : (real_t)1e-3);
        static const struct {
            double tol;
            int rank;
        } sample[] = {{0.1, 20}, {0, 30}, {1e3, 0}, {-1, 30}};
        for (int i = 0; i < 4; ++i) {
            const real_t tol = (real_t)sample[i].tol;
            const factors_t f = geqp((door_t)door, 0, A, tol);
            check_geqp((door_t)door, A, &f, tol);
            ck_assert_int_eq(f.rank, sample[i].rank);
            const factors_t g = urv((door_t)door, 0, 'N', 'N', A, tol);
            ck_assert_int_eq(g.status, GSVD_SUCCESS);
            ck_assert_int_eq(g.rank, sample[i].rank);
        }
        const factors_t f = geqp((door_t)door, 0, A, (real_t)INFINITY);
        check_geqp((door_t)door, A, &f, -1);
        ck_assert_int_eq(f.rank, 0);
    }
}
END_TEST

START_TEST(urv_of_any_shape)
{
    static const char jobs[][3] = {"UV", "SS", "UN", "NV", "NN", "SV", "US"};
    const int m = size[_i].m, n = size[_i].n, r = m < n ? m : n;
    if (too_large(m, n, 0))
        return;
    for (int door = 0; door < doors(); ++door)
        for (int rank = r; rank >= 0; rank = rank == r && r > 2 ? r / 3
                                             : rank > 0         ? 0
                                                                : -1)
            for (int j = 0; j < 7; ++j) {
                const mat_t A = of_rank(m, n, rank);
                const factors_t f =
                    urv((door_t)door, 0, jobs[j][0], jobs[j][1], A, -1);
                check_urv(A, &f);
                ck_assert_int_eq(f.rank, rank);
            }
}
END_TEST

/* -- scales ---------------------------------------------------------------------- */

/* entries times 10^e; and next to over- and underflow */
START_TEST(any_scale)
{
    const int m = 45, n = 38, rank = 20;
    const int near = GSVD_SINGLE ? 120 : 1014;
    const int e = _i < 2 ? 0 : _i == 2 ? near : -near;
    const double by = _i < 2 ? pow(10, decimal(_i ? -150 : 150)) : 1;
    for (int door = 0; door < doors(); ++door) {
        mat_t A = of_rank(m, n, rank);
        const int unit = exponent(A);
        A = shifted(A, unit - e);
        for (int64_t j = 0; j < n; ++j)
            scale_column(A, j, by);
        const factors_t f = qr((door_t)door, 0, A);
        check_qr((door_t)door, A, &f);
        const factors_t r = qr_r((door_t)door, 0, A);
        check_r(A, &r);
        const mat_t A1 = mat_cols(A, 0, rank + 5);
        const factors_t r1 = qr_r((door_t)door, 0, A1);
        check_r(A1, &r1);
        const factors_t p = geqp((door_t)door, 0, A, -1);
        check_geqp((door_t)door, A, &p, -1);
        ck_assert_int_eq(p.rank, rank);
        const factors_t t =
            geqp((door_t)door, 0, A, (real_t)ldexp(by * 1e-3, e));
        ck_assert_int_eq(t.rank, rank);
        const factors_t u = urv((door_t)door, 0, 'U', 'V', A, -1);
        check_urv(A, &u);
        ck_assert_int_eq(u.rank, rank);

        const factors_t one = qr((door_t)door, 0, normal_mat(m, m, &seed));
        const mat_t Q = form((door_t)door, 0, &one, m, m);
        const mat_t QA = apply((door_t)door, 0, 'L', 'N', &one, m, A);
        const int back = exponent(A);
        ck_assert_ratio(
            apart(product('N', 'N', Q, shifted(A, back)), shifted(QA, back)));
    }
}
END_TEST

/* -- workspace ------------------------------------------------------------------- */

/* the caller's memory gives the same bits as the handle's */
START_TEST(own_workspace)
{
    const int m = _i == 0 ? 60 : 50, n = _i == 0 ? 50 : 60, r = 50;
    const mat_t A = of_rank(m, n, 35), C = normal_mat(m, 7, &seed);
    for (int panel = GSVD_PANEL_AUTO; panel <= GSVD_PANEL_TSQR; ++panel)
        for (int door = 0; door < doors(); ++door) {
            const door_t d = (door_t)door;
            ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
            const factors_t f = qr(d, 0, A), g = qr(d, 1, A);
            ck_assert_same(f.A, g.A);
            ck_assert_same(f.tau, g.tau);
            for (int64_t c = 20; c <= n; c += n - 20) {
                const mat_t A1 = mat_cols(A, 0, c);
                const factors_t s = qr_r(d, 0, A1), t = qr_r(d, 1, A1);
                const int64_t rows = min_i(m, c);
                ck_assert_same(triangle(s.A, rows), triangle(t.A, rows));
            }
            ck_assert_same(apply(d, 0, 'L', 'C', &f, r, C),
                           apply(d, 1, 'L', 'C', &f, r, C));
            ck_assert_same(form(d, 0, &f, m, r), form(d, 1, &f, m, r));
            const factors_t p = geqp(d, 0, A, -1), q = geqp(d, 1, A, -1);
            ck_assert_same(p.A, q.A);
            ck_assert_same(p.tau, q.tau);
            ck_assert_mem_eq(p.jpvt, q.jpvt, (size_t)n * sizeof *p.jpvt);
            const factors_t u = urv(d, 0, 'U', 'V', A, -1);
            const factors_t v = urv(d, 1, 'U', 'V', A, -1);
            ck_assert_same(u.A, v.A);
            ck_assert_same(u.U, v.U);
            ck_assert_same(u.V, v.V);
        }
}
END_TEST

START_TEST(workspace_too_small)
{
    const mat_t A = normal_mat(30, 20, &seed), before = copy_mat(A);
    scalar_t tau[20];
    int64_t jpvt[20], rank;
    char byte[1];
    const gsvd_status_t small = GSVD_WORKSPACE_TOO_SMALL;
    ck_assert_ok(gsvd_set_workspace(handle, on_device ? grab_backend(1) : NULL,
                                    1, byte, 1));
    ck_assert_status(X(qr)(handle, 30, 20, A.data, A.ld, tau, NULL), small);
    ck_assert_status(X(qr)(handle, 30, 20, A.data, A.ld, NULL, NULL), small);
    ck_assert_status(
        X(geqp)(handle, 30, 20, A.data, A.ld, jpvt, tau, -1, &rank, NULL),
        small);
    ck_assert_status(X(urv)(handle, 'N', 'N', 30, 20, A.data, A.ld, -1, &rank,
                            NULL, 1, NULL, 1, NULL),
                     small);
    take_workspace_back();
    ck_assert_same(A, before);
}
END_TEST

/* economy never costs a square: workspace of a tall matrix stays narrow */
START_TEST(workspace_is_narrow)
{
    const int64_t m = 100000, n = 20;
    const size_t square = (size_t)m * (size_t)m * sizeof(scalar_t);
    const gsvd_problem_t p[] = {
        new_problem(GSVD_ROUTINE_QR, HOST, "", m, n, 0),
        new_problem(GSVD_ROUTINE_URV, HOST, "SS", m, n, 0),
        new_problem(GSVD_ROUTINE_URV, HOST, "SS", n, m, 0),
        new_problem(GSVD_ROUTINE_GEQP, HOST, "", n, m, 0)};
    for (int i = 0; i < 4; ++i) {
        size_t d = 0, w = 0;
        ck_assert_ok(workspace_of(handle, p[i], &d, &w));
        ck_assert(d + w < square / 100);
    }
}
END_TEST

/* a call of one matrix leaves the statistics of the last pair alone */
START_TEST(statistics_stay)
{
    gsvd_stats_t before = {.size = sizeof before}, after = before;
    const mat_t A = normal_mat(8, 5, &seed), B = normal_mat(6, 5, &seed);
    decompose(HOST, 'U', 'V', 'Q', A, B);
    ck_assert_ok(gsvd_get_stats(handle, &before));
    urv(HOST, 0, 'U', 'V', A, -1);
    ck_assert_ok(gsvd_get_stats(handle, &after));
    ck_assert(before.k == after.k && before.l == after.l &&
              before.sweeps == after.sweeps &&
              before.seconds_total == after.seconds_total &&
              before.seconds_preprocess == after.seconds_preprocess);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("qr");
    TCase *t = add_tcase(s, "shapes");
    tcase_add_loop_test(t, qr_of_any_shape, 0, SIZES);
    tcase_add_loop_test(t, r_of_any_shape, 0, SIZES + TALL_SIZES);
    tcase_add_loop_test(t, apply_is_form, 0, SIZES);
    tcase_add_test(t, transpose);
    tcase_add_loop_test(t, far_columns, 0, 8);
    tcase_add_loop_test(t, geqp_of_any_shape, 0, SIZES);
    tcase_add_loop_test(t, geqp_by_panels, 0, 2);
    tcase_add_test(t, geqp_tolerances);
    tcase_add_loop_test(t, urv_of_any_shape, 0, SIZES);
    t = add_tcase(s, "scales");
    tcase_add_loop_test(t, any_scale, 0, 4);
    t = add_tcase(s, "workspace");
    tcase_add_loop_test(t, own_workspace, 0, 2);
    tcase_add_test(t, workspace_too_small);
    tcase_add_test(t, workspace_is_narrow);
    tcase_add_test(t, statistics_stay);
    return s;
}
