/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_workspace.c -- what a plan tells is small beside the matrices, whatever their
 * shape; a call uses these bytes and no other memory, whatever is in them. */
#if defined _OPENMP
#include <omp.h>
#endif

#include "harness/harness.h"
#include "jacobi/jacobi.h"

enum { MIB = 1 << 20 };

/* ---- calls ------------------------------------------------------------------ */

/* A call of this program's precision, of arrays on the host or on the device */
static gsvd_problem_t problem(gsvd_routine_t routine, int device,
                              const char *jobs, int64_t m, int64_t n, int64_t p)
{
    return new_problem(routine, device ? GPU : HOST, jobs, m, n, p);
}

/* ---- bounds ----------------------------------------------------------------- */

/* Whose bytes are asked for: those of the handle under test, or, in a build with CUDA
 * that runs on no device, of one with as many multiprocessors as an H200. */
static gsvd_handle_t asked;

/* where the handle computes; of a device without copies of the arrays */
static double bytes_of(gsvd_problem_t p)
{
    size_t d, w;
    p.place = asked->space->on_device ? GSVD_PLACE_DEVICE : GSVD_PLACE_HOST;
    ck_assert_ok(workspace_of(asked, p, &d, &w));
    return (double)(asked->space->on_device ? d : w);
}

static double matrix(double rows, double cols)
{
    return rows * cols * (double)sizeof(scalar_t);
}

static void ck_assert_bytes(const char *what, double bytes, double most,
                            int64_t m, int64_t n, int64_t p)
{
    ck_assert_msg(bytes <= most,
                  "%s on %s, %ld x %ld, %ld: %.1f MiB are more than %.1f", what,
                  asked->space->name, (long)m, (long)n, (long)p, bytes / MIB,
                  most / MIB);
}

typedef struct size {
    int64_t m, n;
} shape2_t;

static const shape2_t one[] = {
    {1, 1},         {33, 31},       {31, 33},        {100, 100},
    {1000, 1000},   {2048, 2048},   {4096, 4096},    {10000, 10000},
    {16384, 16384}, {16384, 2048},  {2048, 16384},   {100000, 1},
    {1000000, 1},   {270000000, 1}, {300000000, 3},  {1, 1000000},
    {1000000, 32},  {1000000, 33},  {1000000, 64},   {1000000, 100},
    {1000000, 129}, {1000000, 150}, {1000000, 200},  {1000000, 256},
    {1000000, 300}, {200000, 64},   {17000, 32},     {80000, 400},
    {20000, 1000},  {87000, 770},   {32, 1000000},   {33, 1000000},
    {64, 1000000},  {300, 1000000}, {1000, 1000000}, {5000, 100000}};

/* As large as the matrix and 32 MiB; half as large if it is square */
static double most_of_qr(int64_t m, int64_t n)
{
    return matrix((double)m, (double)n) / (m == n ? 2 : 1) + 32 * MIB;
}

static void check_qr(int64_t m, int64_t n)
{
    const int64_t k = min_i(m, n);
    const gsvd_problem_t qr = problem(GSVD_ROUTINE_QR, 0, "", m, n, 0);
    ck_assert_bytes("qr", bytes_of(qr), most_of_qr(m, n), m, n, 0);
    for (int64_t j = k; j > 0; j /= 3) {
        gsvd_problem_t left = problem(GSVD_ROUTINE_QR_APPLY, 0, "L", m, n, 0);
        gsvd_problem_t right = problem(GSVD_ROUTINE_QR_APPLY, 0, "R", n, m, 0);
        gsvd_problem_t form = problem(GSVD_ROUTINE_QR_FORM, 0, "", m, n, 0);
        left.k = right.k = form.k = j;
        const double A = matrix((double)m, (double)j);
        const double C = most_of_qr(m, n);
        const double most = fmax(C, A + 32 * MIB);
        ck_assert_bytes("qr_apply L", bytes_of(left), most, m, n, j);
        ck_assert_bytes("qr_apply R", bytes_of(right), most, m, n, j);
        if (m < n)
            continue;
        ck_assert_bytes("qr_form", bytes_of(form), most_of_qr(m, n), m, n, j);
    }
}

/* Pivoted QR keeps a sketch and a panel twice: of a narrow matrix twice itself, or
 * a little more. */
static void check_pivots(int64_t m, int64_t n)
{
    const double A = matrix((double)m, (double)n);
    const gsvd_problem_t geqp = problem(GSVD_ROUTINE_GEQP, 0, "", m, n, 0);
    ck_assert_bytes("geqp", bytes_of(geqp),
                    (min_i(m, n) < 150 ? 2.25 : 1) * A + 32 * MIB, m, n, 0);
    for (int job = 0; job < 2; ++job) {
        const gsvd_problem_t urv =
            problem(GSVD_ROUTINE_URV, 0, job ? "SS" : "UV", m, n, 0);
        const double V = matrix((double)n, (double)min_i(m, n));
        ck_assert_bytes("urv", bytes_of(urv),
                        (min_i(m, n) < 150 ? 3 : 2) * A + V + 80 * MIB, m, n,
                        job);
    }
}

static void check_one(void)
{
    for (size_t i = 0; i < sizeof one / sizeof *one; ++i) {
        check_qr(one[i].m, one[i].n);
        check_pivots(one[i].m, one[i].n);
    }
    const gsvd_problem_t qr = problem(GSVD_ROUTINE_QR, 0, "", 4096, 4096, 0);
    gsvd_problem_t form = problem(GSVD_ROUTINE_QR_FORM, 0, "", 4096, 4096, 0);
    form.k = 4096;
    ck_assert(bytes_of(qr) <= matrix(4096, 4096) / 2);
    if (!GSVD_SINGLE) /* room for products is of single precision            */
        ck_assert(bytes_of(form) <= matrix(4096, 4096) / 2);
}

static const struct {
    int64_t m, n, p;
} pair[] = {{1, 1, 1},          {33, 31, 20},         {31, 33, 64},
            {1000, 1000, 1000}, {4096, 4096, 4096},   {8192, 4096, 4096},
            {4096, 4096, 1000}, {16384, 2048, 2048},  {16384, 2048, 16384},
            {100000, 300, 300}, {1000000, 32, 32},    {1000000, 33, 40},
            {1000000, 64, 1},   {1000000, 100, 1000}, {100000, 1000, 50},
            {32, 1000000, 32},  {1, 1000000, 1},      {50, 32, 1000000},
            {1000, 3000, 1000}, {50, 1000, 100000},   {500000, 45, 45}};

/* Does the handle take large steps of single precision in double? */
static int in_double(void)
{
    const exec_t ex = X(exec_of)(asked);
    return ex.policy.svd == GSVD_SVD_AUTO && X(in_double_wanted)(&ex);
}

/* Is cuSOLVER's room needed, where eigenvectors of so many columns are not ours? */
static int with_solver(int64_t n)
{
    const exec_t ex = X(exec_of)(asked);
    return asked->space->on_device && ex.policy.svd == GSVD_SVD_AUTO &&
           (ex.tune->inverse_iteration != EIGEN_ALWAYS ||
            n > ex.tune->inverse_iteration_most);
}

/* The bytes that a large square pair takes, over those of A and B: gsvd.h has them, too. */
static double times_both(int64_t n, int values)
{
    const double solver = with_solver(n) ? 1.25 : 0;
    if (values)
        return in_double() ? 4.75 + 2 * solver
                           : (asked->space->on_device ? 1.5 : 1.53) + solver;
    return in_double() ? 7.25 + 2 * solver : 3 + solver;
}

/* 2.5 times A and B to preprocess them.  To decompose them: two stacks of B above A's
 * first rows, and an l x l matrix, of triangular pairs: large steps work in what is
 * free of these, and in pieces.  In double all of that but a stack is twice as large, and
 * copies of two l x l matrices come to it. */
static void check_pairs(void)
{
    for (size_t i = 0; i < sizeof pair / sizeof *pair; ++i)
        for (int job = 0; job < 3; ++job) {
            const int64_t m = pair[i].m, n = pair[i].n, p = pair[i].p;
            const double both = matrix((double)(m + p), (double)n);
            const double l = (double)min_i(p, n), m1 = fmin((double)m, l);
            /* cuSOLVER's eigenvectors take four times the matrix and more. */
            const double solver =
                asked->space->on_device
                    ? matrix(l, REALS_PER_SCALAR == 2 ? 0.75 * l : 0.5 * l)
                    : 0;
            const double stacks = matrix(2 * (l + m1) + 2 * l, l) + solver;
            static const char *const jobs[] = {"UVQ", "SSS", "NNN"};
            gsvd_problem_t c =
                problem(GSVD_ROUTINE_PREPROCESS, 0, jobs[job], m, n, p);
            ck_assert_bytes("preprocess", bytes_of(c), 2.5 * both + 32 * MIB, m,
                            n, p);
            c.routine = GSVD_ROUTINE_GSVD;
            const double apart = fmax((double)n * (double)n,
                                      fmax((double)m * m1, (double)p * l));
            const double solve =
                stacks + matrix(apart, 0.25) + 96 * MIB + both / 2;
            ck_assert_bytes(
                "gsvd", bytes_of(c),
                fmax(in_double() ? 2 * solve + matrix(3 * l - m1, l) : solve,
                     2.5 * both + 32 * MIB),
                m, n, p);
            if (m == n && n == p && n >= 4096 && (!GSVD_SINGLE || in_double()))
                ck_assert_bytes("gsvd", bytes_of(c),
                                times_both(n, job == 2) * both, m, n, p);
        }
}

START_TEST(bounds)
{
    for (int panel = 0; panel < 2; ++panel)
        for (int paper = 0; paper < 2; ++paper) {
            asked = paper ? paper_device(132) : handle;
            if (!asked)
                continue;
            ck_assert_ok(gsvd_set_option(
                asked, GSVD_PANEL, panel ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO));
            if (paper) /* no cuSOLVER answers there                          */
                ck_assert_ok(gsvd_set_option(asked, GSVD_SVD, GSVD_SVD_JACOBI));
            if (_i)
                check_pairs();
            else
                check_one();
            if (paper)
                tear(asked);
        }
}
END_TEST

/* ---- use -------------------------------------------------------------------- */

/* Memory for a call of exactly these bytes, at an odd place, between guards: of ones,
 * as NaN are, and they stay so. */
enum { GUARD_BYTES = 4096, OFF = 8 };

typedef struct guarded {
    char *memory;
    size_t bytes;
    int device;
} guarded_t;

static guarded_t guard(size_t bytes, int device)
{
    const size_t all = bytes + 2 * GUARD_BYTES;
    void *const ones = grab(all);
    guarded_t g = {device ? grab_backend(all) : ones, bytes, device};
    if (device)
        put(g.memory, ones, all);
    return g;
}

static void *inside(guarded_t g)
{
    return g.bytes > 0 ? g.memory + GUARD_BYTES + OFF : NULL;
}

static void ck_assert_guards(guarded_t g, const char *what)
{
    const size_t all = g.bytes + 2 * GUARD_BYTES;
    unsigned char *now = (unsigned char *)g.memory;
    if (g.device) {
        now = grab(all);
        get(now, g.memory, all);
    }
    for (size_t i = 0; i < GUARD_BYTES - OFF; ++i)
        ck_assert_msg(now[i] == 0xff && now[all - 1 - i] == 0xff,
                      "%s writes beside its workspace", what);
    for (size_t i = GUARD_BYTES - OFF; i < GUARD_BYTES + OFF; ++i)
        ck_assert_msg(now[i] == 0xff, "%s writes before its workspace", what);
}

/* the handle's space, with an allocate that always fails */
static space_t poor;

static gsvd_status_t allocate_nothing(gsvd_handle_t h, void **p, size_t bytes)
{
    *p = NULL;
    return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "%zu bytes beyond the workspace",
                     bytes);
}

static gsvd_handle_t open_poor(void)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(gsvd_create(&h, on_device ? 0 : GSVD_HOST));
    ck_assert_ok(gsvd_set_option(h, GSVD_PANEL, handle->option[GSVD_PANEL]));
    ck_assert_ok(gsvd_set_option(h, GSVD_SOLVER, handle->option[GSVD_SOLVER]));
    poor = *handle->space;
    poor.allocate = allocate_nothing;
    h->space = &poor;
    return h;
}

static gsvd_form_t form_within = GSVD_FORM_LAPACK;

/* The call with that and no other memory */
static void run_within(gsvd_problem_t c, const char *what)
{
    gsvd_handle_t h = open_poor();
    size_t d, w;

    ck_assert_ok(gsvd_set_option(h, GSVD_FORM, (int)form_within));
    ck_assert_ok(workspace_of(h, c, &d, &w));
    const guarded_t device = guard(d, on_device), host = guard(w, 0);
    ck_assert_ok(gsvd_set_workspace(h, inside(device), d, inside(host), w));
    const gsvd_status_t status = gsvd_run(h, &c);
    ck_assert_msg(status == GSVD_SUCCESS, "%s %ld x %ld, %ld: %s", what,
                  (long)c.m, (long)c.n, (long)c.p, gsvd_last_error(h));
    ck_assert_ok(h->space->wait(h));
    ck_assert_guards(device, what);
    ck_assert_guards(host, what);
    gsvd_destroy(h);
}

/* all: its values, too */
static void run_one_matrix(int64_t m, int64_t n, int device, int all)
{
    const int64_t k = min_i(m, n);
    uint64_t seed = (uint64_t)(m + n);
    int64_t rank, *const jpvt = device ? grab_backend((size_t)n * sizeof *jpvt)
                                       : grab((size_t)n * sizeof *jpvt);
    const mat_t A0 = normal_mat(m, n, &seed);
    const mat_t A = place((door_t)device, A0),
                B = place((door_t)device, copy_mat(A0));
    const mat_t R = place((door_t)device, copy_mat(A0));
    const mat_t U = place((door_t)device, new_mat(m, k));
    const mat_t V = place((door_t)device, new_mat(n, k));
    const mat_t C = place((door_t)device, normal_mat(m, 7, &seed));
    const mat_t D = place((door_t)device, normal_mat(9, m, &seed));
    const mat_t tau = place((door_t)device, new_mat(k, 1));
    gsvd_problem_t c = problem(GSVD_ROUTINE_QR, device, "", m, n, 0);

    c.A = as_array(R);
    run_within(c, "qr, R alone");
    c.A = as_array(A);
    c.tau.data = tau.data;
    run_within(c, "qr");
    c.routine = GSVD_ROUTINE_QR_APPLY;
    c.k = k;
    c.job[0] = 'L';
    c.job[1] = 'C';
    c.n = 7;
    c.C = as_array(C);
    run_within(c, "qr_apply L");
    c.job[0] = 'R';
    c.m = 9;
    c.n = m;
    c.C = as_array(D);
    run_within(c, "qr_apply R");
    c.m = m;
    c.n = k;
    c.routine = GSVD_ROUTINE_QR_FORM;
    run_within(c, "qr_form");
    ck_assert(all_finite(mat_cols(take_back((door_t)device, A), 0, k)));
    ck_assert(all_finite(take_back((door_t)device, C)));
    ck_assert(all_finite(take_back((door_t)device, D)));
    c.routine = GSVD_ROUTINE_GEQP;
    c.n = n;
    c.A = as_array(B);
    c.jpvt.data = jpvt;
    c.k_out = &rank;
    run_within(c, "geqp");
    ck_assert_int_eq(rank, k);
    ck_assert(all_finite(take_back((door_t)device, B)));
    c.routine = GSVD_ROUTINE_URV;
    c.job[0] = c.job[1] = 'S';
    c.U = as_array(U);
    c.V = as_array(V);
    run_within(c, "urv");
    ck_assert_ratio(defect(take_back((door_t)device, U)));
    ck_assert_ratio(defect(take_back((door_t)device, V)));
    if (!all)
        return;
    c.routine = GSVD_ROUTINE_SVD;
    c.A = as_array(R); /* R alone above a copy of A0                         */
    c.alpha.data = tau.data;
    run_within(c, "svd");
    ck_assert_ratio(defect(take_back((door_t)device, U)));
    ck_assert_ratio(defect(take_back((door_t)device, V)));
    if (m < n)
        return;
    const mat_t H = place((door_t)device, normal_mat(m, n, &seed));
    c.routine = GSVD_ROUTINE_HSVD;
    c.job[1] = 'V';
    c.n_plus = n / 2;
    c.A = as_array(H);
    run_within(c, "hsvd");
    ck_assert_ratio(defect(take_back((door_t)device, U)));
    ck_assert(all_finite(take_back((door_t)device, V)));
    c.routine = GSVD_ROUTINE_EIGH;
    c.job[0] = 'V';
    c.job[1] = 'L';
    c.Q = as_array(V);
    c.A = as_array(place((door_t)device, normal_mat(n, n, &seed)));
    run_within(c, "eigh");
    ck_assert_ratio(defect(take_back((door_t)device, V)));
    c.routine = GSVD_ROUTINE_LDL;
    c.job[0] = 'L';
    c.U = as_array(V);
    c.V = as_array(place((door_t)device, new_mat(2, n)));
    c.jpvt.data = jpvt;
    c.k_out = c.l_out = &rank;
    c.A = as_array(place((door_t)device, normal_mat(n, n, &seed)));
    run_within(c, "ldl");
    ck_assert(all_finite(take_back((door_t)device, V)));
    c.routine = GSVD_ROUTINE_EIGH;
    c.job[0] = 'V';
    const mat_t E = new_mat(n, n); /* whose values pair off                   */
    EACH_ENTRY (E, i, j)
        AT(E, i, j) = make(i + j == n - 1, 0);
    c.A = as_array(place((door_t)device, E));
    run_within(c, "eigh by tridiagonal form");
    ck_assert_ratio(defect(take_back((door_t)device, V)));
}

/* X_ := A, a new matrix of the same size */
static void give(mat_t A, int device, mat_t X_)
{
    const size_t bytes = (size_t)A.ld * (size_t)A.cols * sizeof(scalar_t);
    if (device)
        put(X_.data, A.data, bytes);
    else
        memcpy(X_.data, A.data, bytes);
}

/* X_ := A0 with columns of different size */
static void grade(mat_t A0, int device, mat_t X_)
{
    const mat_t A = copy_mat(A0);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale(ldexp_r(1, (int)(j % 4) * 5), AT(A, i, j));
    give(A, device, X_);
}

static void run_pair(int64_t m, int64_t n, int64_t p, int device)
{
    uint64_t seed = (uint64_t)(m + n + p);
    int64_t k, l;
    const mat_t A0 = normal_mat(m, n, &seed), B0 = normal_mat(p, n, &seed);
    const mat_t A = place((door_t)device, copy_mat(A0));
    const mat_t B = place((door_t)device, copy_mat(B0));
    const mat_t U = place((door_t)device, new_mat(m, m));
    const mat_t V = place((door_t)device, new_mat(p, p));
    const mat_t Q = place((door_t)device, new_mat(n, n));
    const mat_t values = place((door_t)device, new_mat(2 * n, 1));
    gsvd_problem_t c = problem(GSVD_ROUTINE_PREPROCESS, device, "UVQ", m, n, p);
    c.A = as_array(A);
    c.B = as_array(B);
    c.U = as_array(U);
    c.V = as_array(V);
    c.Q = as_array(Q);
    c.alpha.data = values.data;
    c.beta.data = (real_t *)values.data + n;
    c.k_out = &k;
    c.l_out = &l;
    run_within(c, "preprocess");
    c.routine = GSVD_ROUTINE_SOLVE;
    c.k = k;
    c.l = l;
    run_within(c, "solve");
    c.routine =
        GSVD_ROUTINE_GSVD; /* of the triangular pair                       */
    run_within(c, "gsvd");
    grade(A0, device, A);
    grade(B0, device, B);
    run_within(c, "gsvd, of columns of different size");
    ck_assert_ratio(defect(take_back((door_t)device, U)));
    ck_assert_ratio(defect(take_back((door_t)device, V)));
    ck_assert_ratio(defect(take_back((door_t)device, Q)));
    form_within = GSVD_FORM_XINV;
    grade(A0, device, A);
    grade(B0, device, B);
    run_within(c, "gsvd, X^-H of columns of different size");
    give(copy_mat(A0), device, A);
    give(copy_mat(B0), device, B);
    run_within(c, "gsvd, X^-H");
    ck_assert_ratio(defect(take_back((door_t)device, U)));
    ck_assert(all_finite(take_back((door_t)device, Q)));
    for (int first = 0; first < 2; ++first) {
        const int64_t most = min_i(n, min_i(m, p));
        c.keep = first ? most : -1 - most / 4;
        form_within = first ? GSVD_FORM_XINV : GSVD_FORM_X;
        (first ? grade : give)(copy_mat(A0), device, A);
        (first ? grade : give)(copy_mat(B0), device, B);
        run_within(c, "gsvd, of some pairs");
    }
    form_within = GSVD_FORM_LAPACK;
}

static const shape2_t small[] = {
    {1, 1},  {1, 40},   {40, 1},  {33, 31},   {31, 33},     {200, 150},
    {7, 70}, {300, 65}, {65, 90}, {1100, 40}, {1030, 1010}, {17000, 3}};
enum { SMALL = sizeof small / sizeof *small };

static int large_steps_in_double;

START_TEST(one_matrix_within_its_bytes)
{
    const shape2_t s = small[_i % SMALL];
    const int panel = _i / SMALL ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO;
    if (too_large(s.m / 4, s.n / 4, 1))
        return;
    /* More than 1000 columns are for pivoted QR: others take on the host what fewer take. */
    const int all =
        on_device || s.n <= 1000 || !(panel || large_steps_in_double);
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
    for (int device = 0; device <= on_device; ++device) {
        run_one_matrix(s.m, s.n, device, all);
        release_pool();
    }
}
END_TEST

/* From 2^21 entries on a device has queues side by side. */
START_TEST(large_matrix_within_its_bytes)
{
    if (!on_device || too_large(1500, 1500, 1))
        return;
    run_one_matrix(2052, 1500, 1, 1);
    run_pair(1600, 1400, 1500, 1);
}
END_TEST

START_TEST(pair_within_its_bytes)
{
    static const int shape_of[][3] = {{1, 1, 1},    {2, 2, 2},     {4, 3, 5},
                                      {40, 50, 30}, {70, 20, 33},  {10, 90, 25},
                                      {5, 200, 3},  {260, 140, 90}};
    for (size_t i = 0; i < sizeof shape_of / sizeof *shape_of; ++i)
        for (int solver = 0; solver < SOLVERS; ++solver)
            for (int device = 0; device <= on_device; ++device) {
                const int *const s = shape_of[i];
                if (too_large(s[0], s[1], s[2]))
                    continue;
                ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
                run_pair(s[0], s[1], s[2], device);
                release_pool();
            }
}
END_TEST

/* ---- in force --------------------------------------------------------------- */

static unsigned char *contents(guarded_t g)
{
    unsigned char *const now = grab(g.bytes);
    if (g.bytes > 0)
        get(now, inside(g), g.bytes);
    return now;
}

static void wipe(guarded_t g)
{
    if (g.bytes > 0)
        put(inside(g), grab(g.bytes), g.bytes);
}

static int is_written(guarded_t g)
{
    const unsigned char *const now = contents(g);
    size_t i = 0;
    while (i < g.bytes && now[i] == 0xff)
        ++i;
    return i < g.bytes;
}

static void ck_assert_as_before(const result_t *a, const result_t *b)
{
    ck_assert_ok(b->status);
    ck_assert_int_eq(b->info, 0);
    ck_assert_same_result(a, b);
}

/* The workspace that was set serves all calls until the next is set, and no call after
 * that; a handle on the host does not look at dwork.  The handle keeps the layout of
 * its own memory from call to call: that must not outlive a change. */
START_TEST(in_force_until_set_again)
{
    static const recipe_t recipe[] = {{12, 9, 7, NORMAL, -1, -1, 0, 0},
                                      {40, 30, 35, NORMAL, -1, -1, 0, 0}};
    const recipe_t *const c = &recipe[_i];
    const sample_t P = make_pair(c, 3);
    char one_byte = 'x';
    size_t d, w;
    const result_t first = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);

    ck_assert_ok(first.status);
    ck_assert_ok(workspace_of(
        handle, problem(GSVD_ROUTINE_GSVD, 0, "UVQ", c->m, c->n, c->p), &d,
        &w));
    const guarded_t device = guard(d, on_device), host = guard(w, 0);
    for (int round = 0; round < 4; ++round) {
        const int lent = round % 2 == 0;
        void *const dwork = on_device ? inside(device) : &one_byte;
        if (lent)
            ck_assert_ok(gsvd_set_workspace(handle, dwork, on_device ? d : 1,
                                            inside(host), w));
        else
            ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
        for (int again = 0; again < 2; ++again) {
            wipe(device);
            memset(host.memory, 0xff, host.bytes + 2 * GUARD_BYTES);
            const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
            ck_assert_as_before(&first, &r);
            ck_assert_int_eq(is_written(on_device ? device : host), lent);
            ck_assert_int_eq(one_byte, 'x');
        }
    }
}
END_TEST

#if defined _OPENMP
/* What is told by one thread suffices for a call that has more, and the other way round: for
 * sweeps of blocks, each of whose threads has memory of its own. */
START_TEST(whatever_the_threads)
{
    enum { N = 400 };
    const int before = omp_get_max_threads();
    uint64_t seed = 1;
    size_t d, w[2];
    if (on_device || too_large(N, N, 1))
        return;
    const mat_t A0 = normal_mat(N, N, &seed), A = new_mat(N, N);
    gsvd_problem_t c = problem(GSVD_ROUTINE_SVD, 0, "NN", N, N, 0);
    c.A = as_array(A);
    c.alpha.data = grab(N * sizeof(real_t));
    for (int many = 0; many < 2; ++many) {
        gsvd_handle_t h = open_poor();
        ck_assert_ok(gsvd_set_option(h, GSVD_SVD, GSVD_SVD_JACOBI));
        omp_set_num_threads(many ? 7 : 1);
        ck_assert_ok(workspace_of(h, c, &d, &w[many]));
        const guarded_t host = guard(w[many], 0);
        gsvd_destroy(h);

        h = open_poor(); /* one that was not asked                           */
        ck_assert_ok(gsvd_set_option(h, GSVD_SVD, GSVD_SVD_JACOBI));
        ck_assert_ok(gsvd_set_workspace(h, NULL, 0, inside(host), w[many]));
        omp_set_num_threads(many ? 1 : 7);
        memcpy(A.data, A0.data, (size_t)(A.ld * N) * sizeof(scalar_t));
        ck_assert_int_eq(gsvd_run(h, &c), GSVD_SUCCESS);
        ck_assert_guards(host, "svd");
        gsvd_destroy(h);
    }
    ck_assert_uint_eq(w[0], w[1]);
    omp_set_num_threads(before);
}
END_TEST
#endif

/* One byte less on either side: each call says so until more is set. */
START_TEST(too_small_until_set_again)
{
    const recipe_t c = {12, 9, 7, NORMAL, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 3);
    size_t d, w;

    ck_assert_ok(decompose(HOST, 'U', 'V', 'Q', P.A, P.B).status);
    ck_assert_ok(workspace_of(
        handle, problem(GSVD_ROUTINE_GSVD, 0, "UVQ", 12, 9, 7), &d, &w));
    const guarded_t device = guard(d, on_device), host = guard(w, 0);
    for (int less = 0; less < 2; ++less) {
        if ((less ? w : d) == 0)
            continue;
        ck_assert_ok(gsvd_set_workspace(handle, inside(device), d - !less,
                                        inside(host), w - (size_t)less));
        for (int again = 0; again < 2; ++again) {
            const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
            ck_assert_int_eq(r.status, GSVD_WORKSPACE_TOO_SMALL);
            ck_assert_int_eq(r.info, -1000 - GSVD_WORKSPACE_TOO_SMALL);
            ck_assert(strstr(gsvd_last_error(handle),
                             less ? "hwork" : "dwork") != NULL);
            ck_assert_same(r.A, P.A);
        }
    }
    ck_assert_ok(gsvd_set_workspace(handle, NULL, d, NULL, w));
    ck_assert_ok(decompose(HOST, 'U', 'V', 'Q', P.A, P.B).status);
}
END_TEST

/* What is kept of a call's measures is for calls like it: one of another type takes more, and one
 * that was too large for the address space leaves nothing behind. */
START_TEST(calls_in_turn)
{
    static const gsvd_type_t type[] = {GSVD_S, GSVD_D, GSVD_C, GSVD_Z, GSVD_S};
    enum { N = 40, BYTES = 16 * N * N };
    char *const A = grab(3 * BYTES), *const U = A + BYTES, *const V = U + BYTES;
    char *const sigma = grab(16 * N);
    const recipe_t c = {9, 8, 7, NORMAL, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 3);
    int built = 0;

    for (int i = 0; i < 5; ++i) {
        memset(A, 0, 3 * BYTES);
        gsvd_problem_t p = problem_of_type(type[i], GSVD_ROUTINE_SVD,
                                           GSVD_PLACE_HOST, "UV", N, N, 0);
        p.A.data = A;
        p.alpha.data = sigma;
        p.U.data = U;
        p.V.data = V;
        const gsvd_status_t status = gsvd_run(handle, &p);
        ck_assert(status == GSVD_SUCCESS || status == GSVD_NOT_SUPPORTED);
        built += status == GSVD_SUCCESS;
    }
    ck_assert_int_ge(built, 1);

    ck_assert_ok(decompose(HOST, 'U', 'V', 'Q', P.A, P.B).status);
    const int64_t most = INT32_MAX;
    int64_t k, l;
    gsvd_problem_t p = problem(GSVD_ROUTINE_GSVD, 0, "UVQ", most, most, most);
    p.A.data = p.B.data = p.Q.data = A;
    p.U.data = U;
    p.V.data = V;
    p.alpha.data = p.beta.data = sigma;
    p.k_out = &k;
    p.l_out = &l;
    ck_assert_int_eq(gsvd_run(handle, &p), GSVD_OUT_OF_MEMORY);
    ck_assert_ok(decompose(HOST, 'U', 'V', 'Q', P.A, P.B).status);
}
END_TEST

Suite *make_suite(void)
{
    large_steps_in_double = in_double_asked();
    Suite *s = suite_create("workspace");
    TCase *t = add_tcase(s, "bytes");
    tcase_add_loop_test(t, bounds, 0, 2);
    tcase_add_loop_test(t, one_matrix_within_its_bytes, 0, 2 * SMALL);
    tcase_add_test(t, large_matrix_within_its_bytes);
    tcase_add_test(t, pair_within_its_bytes);
    t = add_tcase(s, "in force");
    tcase_add_loop_test(t, in_force_until_set_again, 0, 2);
#if defined _OPENMP
    tcase_add_test(t, whatever_the_threads);
#endif
    tcase_add_test(t, too_small_until_set_again);
    tcase_add_test(t, calls_in_turn);
    return s;
}
