/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_gsvd.c -- the decomposition end to end, by LAPACK's six ratios. */
#include <stdio.h>

#include "harness/graded.h"

static const char *describe(const recipe_t *c, uint64_t seed, door_t door)
{
    static char text[200];
    snprintf(text, sizeof text,
             "m %d n %d p %d %s k %d l %d 1e%d 1e%d seed %lu door %d", c->m,
             c->n, c->p, family_name[c->family], c->k, c->l, decimal(c->ea),
             decimal(c->eb), (unsigned long)seed, (int)door);
    return text;
}

/* all doors; ratios, ranks */
static void check_case(const recipe_t *c, uint64_t seed)
{
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(c, seed);
        const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        const char *what = describe(c, seed, (door_t)door);

        ck_assert_msg(r.status == GSVD_SUCCESS && r.info == 0, "%s: %s, %s",
                      what, gsvd_status_name(r.status),
                      gsvd_last_error(handle));
        ck_assert_ratios(P.A, P.B, &r, what);
        if (P.k >= 0)
            ck_assert_msg(r.k == P.k && r.l == P.l, "%s: k %ld, l %ld", what,
                          (long)r.k, (long)r.l);
        const gsvd_stats_t stats = stats_of_call();
        ck_assert(stats.k == r.k && stats.l == r.l && stats.converged == 1);
        ck_assert_int_eq(stats.device, on_device ? 0 : GSVD_HOST);
        release_pool();
    }
}

static void use(gsvd_solver_t solver)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, (int)solver));
}

/* AUTO, and CSD, which AUTO takes where TANGENT gives up */
START_TEST(pair_of_shape)
{
    const recipe_t c = recipe_of_shape(_i, _i % 2 ? UNIFORM : NORMAL);
    if (!too_large(c.m, c.n, c.p))
        for (int csd = 0; csd < 2; ++csd) {
            use(csd ? GSVD_SOLVER_CSD : GSVD_SOLVER_AUTO);
            check_case(&c, 1 + (uint64_t)_i);
        }
}
END_TEST

START_TEST(shape_by_tgsja)
{
    const recipe_t c = recipe_of_shape(_i, _i % 2 ? NORMAL : UNIFORM);
    use(GSVD_SOLVER_TGSJA);
    if (!too_large(c.m, c.n, c.p) && !left_out(_i, 4) && !left_out_there(_i, 4))
        check_case(&c, 1001 + (uint64_t)_i);
}
END_TEST

START_TEST(kind_of_pair)
{
    if (!too_large(kind[_i].m, kind[_i].n, kind[_i].p) && !left_out(_i, 2))
        for (int seed = 0; seed < 4 && !left_out(seed, 2); ++seed) {
            use(seed % 2 ? GSVD_SOLVER_CSD : GSVD_SOLVER_AUTO);
            check_case(&kind[_i], 1 + (uint64_t)(seed / 2));
        }
}
END_TEST

START_TEST(kind_by_tgsja)
{
    use(GSVD_SOLVER_TGSJA);
    if (!too_large(kind[_i].m, kind[_i].n, kind[_i].p) && !left_out(_i, 4))
        check_case(&kind[_i], 3);
}
END_TEST

/* sizes up to 500: few, they take the time; which solver */
static const struct {
    recipe_t c;
    gsvd_solver_t solver;
} large[] = {
    {{500, 300, 400, NORMAL, -1, -1, 0, 0}, GSVD_SOLVER_AUTO},
    {{300, 500, 350, RANKS, 120, 150, 75, -75}, GSVD_SOLVER_AUTO},
    {{250, 200, 500, ILL_BOTH, -1, -1, -150, 150}, GSVD_SOLVER_AUTO},
    {{500, 500, 500, NORMAL, -1, -1, 0, 0}, GSVD_SOLVER_AUTO},
    {{100, 500, 300, THESIS, 80, 120, -150, 150}, GSVD_SOLVER_AUTO},
    {{434, 98, 232, ILL_B, -1, -1, 41, 0}, GSVD_SOLVER_AUTO},
    {{129, 128, 129, ILL_B, -1, -1, 0, 0}, GSVD_SOLVER_AUTO},
    {{500, 300, 400, NORMAL, -1, -1, 0, 0}, GSVD_SOLVER_CSD},
    {{250, 200, 500, ILL_BOTH, -1, -1, -150, 150}, GSVD_SOLVER_CSD},
    {{129, 128, 129, ILL_B, -1, -1, 0, 0}, GSVD_SOLVER_CSD},
    {{300, 200, 500, RANKS, 60, 100, 0, 0}, GSVD_SOLVER_TGSJA},
    {{400, 250, 300, NORMAL, -1, -1, 0, 0}, GSVD_SOLVER_TGSJA},
    {{150, 500, 200, NORMAL, -1, -1, 0, 0}, GSVD_SOLVER_TGSJA},
};
enum { LARGE = sizeof large / sizeof *large };

START_TEST(large_pair)
{
    const recipe_t *c = &large[_i].c;
    use(large[_i].solver);
    if (!too_large(c->m, c->n, c->p))
        check_case(c, 5);
}
END_TEST

/* Quotients by Kahan's triangle grow.  In double precision a limit of growth a thousand times higher
 * has residuals of 36 and 112 at c = 0.3. */
START_TEST(growth)
{
    uint64_t seed = 5;
    for (int i = 0; i < 8; ++i) {
        char what[32];
        const mat_t B = kahan(40, 40, 0.1 * (1 + i));
        const mat_t A = normal_mat(43, 40, &seed);
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
        const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
        ck_assert_ok(r.status);
        ck_assert_int_eq(r.l, 40);
        snprintf(what, sizeof what, "Kahan, c = 0.%d", 1 + i);
        ck_assert_ratios(A, B, &r, what);
    }
}
END_TEST

/* all shapes around the short way of src/small, a family, two solvers in turn: no
 * two calls of a row are alike */
START_TEST(few_columns)
{
    enum { MOST = 5 };
    for (int i = 0; i < (MOST + 1) * (MOST + 1) * (MOST + 1); ++i) {
        recipe_t c = {.m = i % (MOST + 1),
                      .n = i / (MOST + 1) % (MOST + 1),
                      .p = i / (MOST + 1) / (MOST + 1),
                      .family = (family_t)_i,
                      .k = -1,
                      .l = -1,
                      .ea = i % 3 ? 0 : 150,
                      .eb = i % 5 ? 0 : -150};
        if (left_out(i + _i, 36) || left_out_there(i + _i, 12))
            continue;
        if (_i == RANKS || _i == REPEATED || _i == EXTREME || _i == THESIS) {
            /* full: of so small a pair the rounding of make_pair may count   */
            c.l = c.p < c.n ? c.p : c.n;
            c.k = c.m < c.n - c.l ? c.m : c.n - c.l;
        }
        use(i % 2 ? GSVD_SOLVER_AUTO : GSVD_SOLVER_TGSJA);
        check_case(&c, 71 + (uint64_t)i);
        use(i % 2 ? GSVD_SOLVER_TGSJA : GSVD_SOLVER_AUTO);
        check_case(&c, 371 + (uint64_t)i);
    }
}
END_TEST

/* ---- jobs --------------------------------------------------------------- */

static const recipe_t job_case[] = {
    {40, 20, 30, NORMAL, -1, -1, 0, 0}, /* tall                             */
    {15, 50, 20, NORMAL, -1, -1, 0, 0}, /* m + p < n                        */
    {33, 64, 40, NORMAL, -1, -1, 0, 0}, /* m < n < m + p                    */
    {20, 33, 65, RANKS, 6, 20, 0, 0},   /* m < k + l                        */
    {65, 33, 20, RANKS, 5, 12, 40, -40}, {4, 3, 2, INTEGER, -1, -1, 0, 0},
    {1, 1, 1, NORMAL, -1, -1, 0, 0},     {3, 0, 2, NORMAL, -1, -1, 0, 0},
    {0, 3, 2, NORMAL, -1, -1, 0, 0},     {3, 2, 0, NORMAL, -1, -1, 0, 0},
};
enum { JOB_CASES = sizeof job_case / sizeof *job_case };

static int job_case_too_large(int i)
{
    return too_large(job_case[i].m, job_case[i].n, job_case[i].p);
}

/* 0 .. 26 -> letters of the three jobs */
enum { CODES = 27 };

static char job(int code, char full)
{
    const char letters[3] = {full, 'S', 'N'};
    return letters[code % 3];
}

/* Which codes a quick run takes: nine have any two jobs in all combinations;
 * one for the other solver. */
static int takes(int code, int solver)
{
    const int nine = (code + code / 3 + code / 9) % 3 == 0;
    return quick <= 1 || (solver == GSVD_SOLVER_AUTO ? nine : code == 0);
}

static int same_values(const result_t *a, const result_t *b, int64_t n,
                       double tol)
{
    for (int64_t i = 0; i < n; ++i)
        if (!(fabs((double)a->alpha[i] - b->alpha[i]) <= tol &&
              fabs((double)a->beta[i] - b->beta[i]) <= tol))
            return 0;
    return 1;
}

/* ||S^H S - T^H T|| / (size ||S||^2 ulp) or with S S^H: what is left to check
 * where a factor is missing */
static double gram_ratio(int rows, mat_t S, mat_t T)
{
    const char a = rows ? 'N' : 'C', b = rows ? 'C' : 'N';
    const double norm = fmax((double)norm1(S), GSVD_SAFMIN);
    const double other =
        fmax((double)norm1(product('C', 'N', S, identity_mat(S.rows, S.rows))),
             GSVD_SAFMIN);
    mat_t G = product(a, b, S, S);
    gemm(a, b, -1, T, T, 1, G);
    return norm1(G) / norm / other / GSVD_ULP /
           (double)max_i(1, max_i(S.rows, S.cols));
}

/* D R with as many rows as A has (which 0) or B (1) */
static mat_t D_R(const result_t *r, int which)
{
    const mat_t R = get_R(r);
    mat_t T = zero_mat(which ? r->B.rows : r->A.rows, R.cols);
    for (int64_t j = 0; j < R.cols; ++j) {
        if (which)
            for (int64_t i = 0; i < r->l; ++i)
                AT(T, i, j) = scale(r->beta[r->k + i], AT(R, r->k + i, j));
        else
            for (int64_t i = 0; i < min_i(T.rows, R.rows); ++i)
                AT(T, i, j) = scale(r->alpha[i], AT(R, i, j));
    }
    return T;
}

static void check_jobs(const recipe_t *c, int code, door_t door, sample_t P,
                       const result_t *full)
{
    const char u = job(code, 'U'), v = job(code / 3, 'V'),
               q = job(code / 9, 'Q');
    const result_t r = decompose(door, u, v, q, P.A, P.B);
    const int64_t n = P.A.cols, size = max_i(P.A.rows, max_i(n, P.B.rows));

    ck_assert_int_eq(r.status, GSVD_SUCCESS);
    ck_assert_int_eq(r.info, 0);
    ck_assert_int_eq(r.k, full->k);
    ck_assert_int_eq(r.l, full->l);
    ck_assert_values(&r, P.A.rows, n, P.B.rows);
    ck_assert(same_values(&r, full, n, 8 * GSVD_ULP * (double)max_i(1, size)));
    if (u != 'N')
        ck_assert_ratio(defect(r.U));
    if (v != 'N')
        ck_assert_ratio(defect(r.V));
    if (q != 'N')
        ck_assert_ratio(defect(r.Q));
    if (u == 'N' && v == 'N' && q == 'N')
        return;
    if (u != 'N' && q != 'N')
        ck_assert_ratio(residual_A(P.A, &r, GSVD_FORM_LAPACK));
    if (v != 'N' && q != 'N')
        ck_assert_ratio(residual_B(P.B, &r, GSVD_FORM_LAPACK));
    if (c->ea || c->eb)
        return; /* squares below would leave the range                       */
    if (u != 'N' && q == 'N') /* U^H A A^H U = D1 R R^H D1^H                  */
        ck_assert_ratio(gram_ratio(1, product('C', 'N', r.U, P.A),
                                   mat_rows(D_R(&r, 0), 0, r.U.cols)));
    if (v != 'N' && q == 'N')
        ck_assert_ratio(gram_ratio(1, product('C', 'N', r.V, P.B),
                                   mat_rows(D_R(&r, 1), 0, r.V.cols)));
    if (u == 'N' && q != 'N') /* Q^H A^H A Q = R^H D1^H D1 R                  */
        ck_assert_ratio(
            gram_ratio(0, product('N', 'N', P.A, r.Q),
                       mat_cols(D_R(&r, 0), n - r.Q.cols, r.Q.cols)));
    if (v == 'N' && q != 'N')
        ck_assert_ratio(
            gram_ratio(0, product('N', 'N', P.B, r.Q),
                       mat_cols(D_R(&r, 1), n - r.Q.cols, r.Q.cols)));
}

START_TEST(all_jobs)
{
    const recipe_t *c = &job_case[_i];
    if (job_case_too_large(_i))
        return;
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            use((gsvd_solver_t)solver);
            const sample_t P = make_pair(c, 7);
            const result_t full =
                decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
            ck_assert_int_eq(full.status, GSVD_SUCCESS);
            for (int code = 0; code < CODES; ++code)
                if (takes(code, solver))
                    check_jobs(c, code, (door_t)door, P, &full);
            release_pool();
        }
}
END_TEST

/* small letters mean the same, to the bit */
START_TEST(small_letters)
{
    const sample_t P = make_pair(&job_case[0], 3);
    if (job_case_too_large(0))
        return;
    const result_t a = decompose(HOST, 'U', 'S', 'Q', P.A, P.B);
    const result_t b = decompose(HOST, 'u', 's', 'q', P.A, P.B);
    ck_assert_ok(a.status);
    ck_assert_ok(b.status);
    ck_assert_same(a.U, b.U);
    ck_assert_same(a.V, b.V);
    ck_assert_same(a.Q, b.Q);
}
END_TEST

/* A = U D1 X^H, B = V D2 X^H; the columns of Q that X does not fill are 0 */
START_TEST(x_form)
{
    const recipe_t *c = &job_case[_i];
    if (job_case_too_large(_i))
        return;
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door)
            for (int economy = 0; economy < 2; ++economy) {
                const sample_t P = make_pair(c, 7);
                use((gsvd_solver_t)solver);
                ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
                const result_t r = decompose((door_t)door, economy ? 'S' : 'U',
                                             economy ? 'S' : 'V',
                                             economy ? 'S' : 'Q', P.A, P.B);
                ck_assert_int_eq(r.status, GSVD_SUCCESS);
                ck_assert_values(&r, P.A.rows, P.A.cols, P.B.rows);
                ck_assert_ratio(defect(r.U));
                ck_assert_ratio(defect(r.V));
                ck_assert_ratio(residual_A(P.A, &r, GSVD_FORM_X));
                ck_assert_ratio(residual_B(P.B, &r, GSVD_FORM_X));
                for (int64_t j = r.k + r.l; j < r.Q.cols; ++j)
                    for (int64_t i = 0; i < r.Q.rows; ++i)
                        ck_assert(abs_max(AT(r.Q, i, j)) == 0);
                release_pool();
            }
}
END_TEST

/* ---- same bits, stopping ------------------------------------------------ */

START_TEST(same_input_same_bits)
{
    static const recipe_t c[] = {
        {70, 50, 60, NORMAL, -1, -1, 0, 0},
        {40, 64, 33, RANKS, 10, 20, 0, 0},
        {130, 140, 135, NORMAL, -1, -1, 0, 0},
    };
    if (too_large(c[_i].m, c[_i].n, c[_i].p))
        return;
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(&c[_i], 11);
        const result_t a = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        for (int repeat = 0; repeat < 3; ++repeat) {
            const result_t b = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
            const size_t bytes = (size_t)P.A.cols * sizeof(real_t);
            ck_assert_ok(b.status);
            ck_assert_mem_eq(a.alpha, b.alpha, bytes);
            ck_assert_mem_eq(a.beta, b.beta, bytes);
            ck_assert_same(a.U, b.U);
            ck_assert_same(a.V, b.V);
            ck_assert_same(a.Q, b.Q);
            ck_assert_same(get_R(&a), get_R(&b));
        }
    }
}
END_TEST

static int calls, last_sweep, order_is_right;
static int64_t first_rotations, last_rotations;

static int count_sweeps(void *user, int sweep, int64_t rotations)
{
    order_is_right &= sweep == last_sweep + 1 && rotations >= 0;
    last_sweep = sweep;
    last_rotations = rotations;
    first_rotations = calls == 0 ? rotations : first_rotations;
    return ++calls == *(const int *)user;
}

static void check_stopped(const sample_t *P, const result_t *r)
{
    ck_assert_int_eq(r->status, GSVD_NOT_CONVERGED);
    ck_assert_int_eq(r->info, 1);
    ck_assert_str_ne(gsvd_last_error(handle), "");
    const gsvd_stats_t stats = stats_of_call();
    ck_assert_int_eq(stats.converged, 0);
    ck_assert_values(r, P->A.rows, P->A.cols, P->B.rows);
    ck_assert(all_finite(get_R(r)));
    ck_assert_ratio(defect(r->U));
    ck_assert_ratio(defect(r->V));
    ck_assert_ratio(defect(r->Q));
}

static recipe_t many_sweeps(void)
{
    const recipe_t c = {60, 50, 40, NORMAL, -1, -1, 0, 0};
    const recipe_t small = {8, 7, 6, NORMAL, -1, -1, 0, 0};
    return too_large(60, 50, 40) ? small : c;
}

START_TEST(one_sweep_is_not_enough)
{
    const recipe_t c = many_sweeps();
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(&c, 2);
        ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
        const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        if (in_double_asked()) /* Where one large step is: it has ended well. */
            ck_assert_ratios(P.A, P.B, &r, "one step in double");
        else
            check_stopped(&P, &r);
        /* the handle goes on working */
        reset_options();
        const result_t s = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(s.status);
        ck_assert_ratios(P.A, P.B, &s, "after a stop");
    }
}
END_TEST

START_TEST(progress_stops)
{
    const recipe_t c = many_sweeps();
    for (int door = 0; door < doors(); ++door) {
        int stop_at = 2;
        const sample_t P = make_pair(&c, 2);
        calls = last_sweep = 0;
        order_is_right = 1;
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_JACOBI));
        ck_assert_ok(gsvd_set_progress(handle, count_sweeps, &stop_at));
        const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_int_eq(calls, 2);
        ck_assert(order_is_right);
        check_stopped(&P, &r);
    }
}
END_TEST

START_TEST(progress_watches)
{
    const recipe_t c = many_sweeps();
    int never = -1;
    const sample_t P = make_pair(&c, 2);
    calls = last_sweep = 0;
    order_is_right = 1;
    ck_assert_ok(gsvd_set_progress(handle, count_sweeps, &never));
    const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    ck_assert_ok(r.status);
    ck_assert(order_is_right);
    const gsvd_stats_t stats = stats_of_call();
    ck_assert_int_gt(calls, 0);
    ck_assert_int_eq(calls, stats.sweeps); /* "after each sweep"             */
    if (!in_double_asked()) /* There one large step is enough.               */
        ck_assert_int_gt(first_rotations, 0);
    ck_assert_int_eq(last_rotations, 0);
    ck_assert(stats.seconds_total > 0);
}
END_TEST

/* ---- workspace ---------------------------------------------------------- */

typedef struct workspace {
    void *d, *h;
    size_t d_bytes, h_bytes;
} workspace_t;

static gsvd_status_t call_through(door_t door, const sample_t *P, result_t *r)
{
    const int64_t m = P->A.rows, n = P->A.cols, p = P->B.rows;
    r->info = 0;
    if (door == HOST) {
        r->A = copy_mat(P->A);
        r->B = copy_mat(P->B);
        r->U = new_mat(m, m);
        r->V = new_mat(p, p);
        r->Q = new_mat(n, n);
        r->alpha = grab((size_t)n * sizeof(real_t));
        r->beta = grab((size_t)n * sizeof(real_t));
        return GSVD_ENTRY(handle, 'U', 'V', 'Q', m, n, p, &r->k, &r->l,
                          r->A.data, r->A.ld, r->B.data, r->B.ld, r->alpha,
                          r->beta, r->U.data, r->U.ld, r->V.data, r->V.ld,
                          r->Q.data, r->Q.ld, &r->info);
    }
    const mat_t A = to_backend(P->A), B = to_backend(P->B);
    const mat_t U = to_backend(new_mat(m, m)), V = to_backend(new_mat(p, p));
    const mat_t Q = to_backend(new_mat(n, n));
    real_t *alpha = grab_backend((size_t)n * sizeof *alpha);
    real_t *beta = grab_backend((size_t)n * sizeof *beta);
    const gsvd_status_t status = X(gpu)(
        handle, 'U', 'V', 'Q', m, n, p, &r->k, &r->l, A.data, A.ld, B.data,
        B.ld, alpha, beta, U.data, U.ld, V.data, V.ld, Q.data, Q.ld, &r->info);
    r->A = from_backend(A);
    r->B = from_backend(B);
    r->U = from_backend(U);
    r->V = from_backend(V);
    r->Q = from_backend(Q);
    r->alpha = grab((size_t)n * sizeof(real_t));
    r->beta = grab((size_t)n * sizeof(real_t));
    get(r->alpha, alpha, (size_t)n * sizeof *alpha);
    get(r->beta, beta, (size_t)n * sizeof *beta);
    return status;
}

static gsvd_status_t call_with(door_t door, const sample_t *P, result_t *r,
                               const workspace_t *w)
{
    ck_assert_ok(
        gsvd_set_workspace(handle, w->d, w->d_bytes, w->h, w->h_bytes));
    const gsvd_status_t status = call_through(door, P, r);
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
    return status;
}

static workspace_t asked_for(door_t door, const sample_t *P)
{
    workspace_t w = {0};
    const gsvd_problem_t p = new_problem(GSVD_ROUTINE_GSVD, door, "UVQ",
                                         P->A.rows, P->A.cols, P->B.rows);
    ck_assert_ok(workspace_of(handle, p, &w.d_bytes, &w.h_bytes));
    return w;
}

/* exactly as many bytes as asked for, at an odd address, then one less */
START_TEST(workspace_of_the_caller)
{
    const recipe_t *c = &job_case[_i];
    if (job_case_too_large(_i))
        return;
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            const sample_t P = make_pair(c, 4);
            result_t r;
            use((gsvd_solver_t)solver);
            workspace_t w = asked_for((door_t)door, &P);
            ck_assert_int_eq(w.d_bytes > 0, on_device && w.d_bytes > 0);
            w.d = w.d_bytes ? (char *)grab_backend(w.d_bytes + 9) + 9 : NULL;
            w.h = w.h_bytes ? (char *)grab(w.h_bytes + 9) + 9 : NULL;
            for (size_t i = 0; w.h && i < 9; ++i)
                ((char *)w.h)[-1 - (int)i] = 'x';
            ck_assert_ok(call_with((door_t)door, &P, &r, &w));
            ck_assert_ratios(P.A, P.B, &r, "caller's workspace");
            for (size_t i = 0; w.h && i < 9; ++i)
                ck_assert_int_eq(((char *)w.h)[-1 - (int)i], 'x');
            if (w.d_bytes) {
                workspace_t less = w;
                --less.d_bytes;
                ck_assert_status(call_with((door_t)door, &P, &r, &less),
                                 GSVD_WORKSPACE_TOO_SMALL);
                ck_assert(strstr(gsvd_last_error(handle), "dwork") != NULL);
            }
            if (w.h_bytes) {
                workspace_t less = w;
                --less.h_bytes;
                ck_assert_status(call_with((door_t)door, &P, &r, &less),
                                 GSVD_WORKSPACE_TOO_SMALL);
                ck_assert(strstr(gsvd_last_error(handle), "hwork") != NULL);
            }
            release_pool();
        }
}
END_TEST

/* large tolerances make the ranks smaller, and the call still succeeds */
START_TEST(tolerances_of_the_caller)
{
    const recipe_t c = {20, 15, 12, RANKS, 3, 12, 0, 0};
    const sample_t P = make_pair(&c, 9);
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 1e6));
    const result_t a = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    ck_assert_ok(a.status);
    ck_assert_int_eq(a.l, 0);
    ck_assert_int_eq(a.k, 15);
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 1e6));
    const result_t b = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    ck_assert_ok(b.status);
    ck_assert(b.k == 0 && b.l == 0);
    ck_assert_ratio(defect(b.U));
    ck_assert_ratio(defect(b.Q));
}
END_TEST

/* B (and A) with values below rounding that count all the same: the solver
 * must not rely on the ranks that the default tolerances would have found */
START_TEST(tolerance_zero)
{
    static const recipe_t c[] = {
        {20, 15, 18, RANKS, 3, 6, 0, 0},
        {64, 64, 64, ILL_B, -1, -1, 0, 0},
        {64, 64, 64, ILL_BOTH, -1, -1, 0, 0},
        {40, 80, 60, ILL_B, -1, -1, 60, 0},
        {64, 64, 64, TRIANGULAR, -1, -1, 0, 0},
        {100, 100, 100, TRIANGULAR, -1, -1, 0, 0},
        {40, 30, 35, EXTREME, 4, 21, 0, 0},
        {12, 9, 10, SAME_COLUMNS, -1, -1, 0, 0},
        {40, 50, 45, RANKS, 3, 17, 0, 0},
    };
    if (too_large(c[_i].m, c[_i].n, c[_i].p))
        return;
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            const sample_t P = make_pair(&c[_i], 17);
            use((gsvd_solver_t)solver);
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
            const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
            ck_assert_msg(r.status == GSVD_SUCCESS, "solver %d: %s", solver,
                          gsvd_last_error(handle));
            /* no more than the ratios: a rank that counts noise may leave a
             * zero on the diagonal of R */
            const ratios_t x = six_ratios(P.A, P.B, &r);
            for (int i = 0; i < 6; ++i)
                ck_assert_msg(x.r[i] < LIMIT, "%s: ratio %d is %g",
                              describe(&c[_i], 17, (door_t)door), i + 1,
                              x.r[i]);
            release_pool();
        }
}
END_TEST

/* ---- what is not finite, what is tiny ------------------------------------ */

START_TEST(not_finite)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const recipe_t c = {33, 20, 40, NORMAL, -1, -1, 1, -1};
    for (int door = 0; door < doors(); ++door)
        for (int k = 0; k < 3 && !left_out(k, 3); ++k)
            for (int corner = 0; corner < 4; ++corner) {
                const sample_t P = make_pair(&c, 1);
                mat_t W = _i ? P.B : P.A;
                const int64_t i = corner & 1 ? W.rows - 1 : 0;
                const int64_t j = corner & 2 ? W.cols - 1 : 0;
                AT(W, i, j) = GSVD_COMPLEX && corner == 3
                                  ? make(1, (real_t)bad[k])
                                  : make((real_t)bad[k], 0);
                const result_t r =
                    decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
                ck_assert_int_eq(r.status, GSVD_INVALID_ARGUMENT);
                ck_assert_int_eq(r.info, _i ? -11 : -9);
                ck_assert(strstr(gsvd_last_error(handle), _i ? "B" : "A"));
                ck_assert(strstr(gsvd_last_error(handle), _i ? "11" : "9"));
                ck_assert_same(r.A, P.A); /* neither was scaled              */
                ck_assert_same(r.B, P.B);
                release_pool();
            }
}
END_TEST

/* denormal entries, and such that R next to the largest number (test_range.c: R
 * beyond it).  Where A and B are so far apart that alpha or beta is denormal, the
 * residual of the larger one counts. */
START_TEST(ends_of_the_range)
{
    const recipe_t c = {12, 9, 10, UNIFORM, -1, -1, 0, 0};
    const int top = GSVD_SINGLE ? 124 : 1020;
    const int bottom = GSVD_SINGLE ? -140 : -1060;
    const int e[][2] = {{top, top},    {bottom, bottom}, {top, bottom},
                        {bottom, top}, {0, bottom},      {bottom, 0},
                        {top, 0},      {0, top}};
    sample_t P = make_pair(&c, 21);
    const mat_t both[2] = {P.A, P.B};
    for (int w = 0; w < 2; ++w)
        for (int64_t j = 0; j < 9; ++j)
            for (int64_t i = 0; i < both[w].rows; ++i) {
                const scalar_t a = AT(both[w], i, j);
                AT(both[w], i, j) =
                    make(ldexp_r(re(a), e[_i][w]), ldexp_r(im(a), e[_i][w]));
            }
    for (int door = 0; door < doors(); ++door) {
        const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        const int apart = e[_i][0] - e[_i][1];
        ck_assert_ok(r.status);
        ck_assert_int_eq(r.k, 0);
        ck_assert_int_eq(r.l, 9);
        ck_assert_values(&r, 12, 9, 10);
        ck_assert_ratio(defect(r.U));
        ck_assert_ratio(defect(r.V));
        ck_assert_ratio(defect(r.Q));
        ck_assert(all_finite(get_R(&r)));
        if (apart >= 0)
            ck_assert_ratio(residual_A(P.A, &r, GSVD_FORM_LAPACK));
        if (apart <= 0)
            ck_assert_ratio(residual_B(P.B, &r, GSVD_FORM_LAPACK));
        ck_assert_msg(all_finite(P.A) && all_finite(P.B), "the test is wrong");
    }
}
END_TEST

/* a call does not depend on those before it */
START_TEST(handle_has_no_memory)
{
    const recipe_t c = {20, 30, 25, NORMAL, -1, -1, 0, 0};
    const recipe_t large_one = {64, 20, 70, ILL_B, -1, -1, 100, 0};
    const recipe_t small = {4, 7, 8, ILL_B, -1, -1, 100, 0};
    const recipe_t other = too_large(64, 20, 70) ? small : large_one;
    const sample_t P = make_pair(&c, 31), P2 = make_pair(&other, 32);
    const result_t a = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    decompose(HOST, 'N', 'N', 'N', P2.A, P2.B);
    decompose(HOST, 'U', 'N', 'S', P2.A, P2.B);
    for (int alike = 0; alike < 3; ++alike) {
        const result_t b = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_same(a.U, b.U);
        ck_assert_same(a.V, b.V);
        ck_assert_same(a.Q, b.Q);
        use(alike ? GSVD_SOLVER_AUTO : GSVD_SOLVER_TGSJA);
        decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        use(GSVD_SOLVER_AUTO);
    }
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("gsvd");
    TCase *t = add_tcase(s, "shapes");
    tcase_add_loop_test(t, pair_of_shape, 0, shapes);
    tcase_add_loop_test(t, shape_by_tgsja, 0, shapes);
    t = add_tcase(s, "kinds");
    tcase_add_loop_test(t, kind_of_pair, 0, kinds);
    tcase_add_loop_test(t, kind_by_tgsja, 0, kinds);
    tcase_add_loop_test(t, few_columns, 0, FAMILIES);
    t = add_tcase(s, "large");
    tcase_add_loop_test(t, large_pair, 0, LARGE);
    tcase_add_test(t, growth);
    t = add_tcase(s, "jobs");
    tcase_add_loop_test(t, all_jobs, 0, JOB_CASES);
    tcase_add_test(t, small_letters);
    tcase_add_loop_test(t, x_form, 0, JOB_CASES);
    t = add_tcase(s, "call");
    tcase_add_loop_test(t, same_input_same_bits, 0, 3);
    tcase_add_test(t, one_sweep_is_not_enough);
    tcase_add_test(t, progress_stops);
    tcase_add_test(t, progress_watches);
    tcase_add_loop_test(t, workspace_of_the_caller, 0, JOB_CASES);
    tcase_add_test(t, tolerances_of_the_caller);
    tcase_add_loop_test(t, tolerance_zero, 0, 9);
    tcase_add_test(t, handle_has_no_memory);
    t = add_tcase(s, "range");
    tcase_add_loop_test(t, not_finite, 0, 2);
    tcase_add_loop_test(t, ends_of_the_range, 0, 8);
    return s;
}
