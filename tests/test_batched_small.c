/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_small.c -- the solvers of batches: many small SVDs and hyperbolic SVDs at
 * once, on a GPU of up to 512 columns.  Each matrix of a batch has the results that it has
 * alone. */
#include "batch/pack.h"
#include "batch/probe.h"
#include "batch/solvers.h"
#include "emulated/svd.h"
#include "harness/graded.h"
#include "harness/signed.h"
#include "harness/wide.h"

/* ---- a batch ------------------------------------------------------------------ */

typedef struct problem {
    mat_t A;
    const int64_t *J; /* its signs; NULL: the batch is without signs        */
    mat_t U, V;       /* economy; without data where not wanted              */
    real_t *sigma;
    int info;
} problem_t;

typedef struct wanted {
    int u, v;
} wanted_t;
static const wanted_t both = {1, 1};

static int64_t values_in(const problem_t *p)
{
    return min_i(p->A.rows, p->A.cols);
}

static mat_t absent(void) { return mat_view(NULL, 0, 0, 1); }

static batch_mat_t pointers_to(const mat_t *M, int count)
{
    const size_t n = (size_t)count;
    scalar_t **const host = grab(n * sizeof *host);
    int64_t *const ld = grab(n * sizeof *ld);
    scalar_t **const each = grab_backend(n * sizeof *each);
    int64_t *const each_ld = grab_backend(n * sizeof *each_ld);
    for (int i = 0; i < count; ++i) {
        host[i] = M[i].data;
        ld[i] = M[i].ld;
    }
    put((void *)each, (const void *)host, n * sizeof *each);
    put(each_ld, ld, n * sizeof *ld);
    return (batch_mat_t){.each = each, .each_ld = each_ld};
}

/* The sizes of the batch, in each_m and each_n if they differ */
static void set_sizes(svd_batch_t *b, const problem_t *p)
{
    const int count = (int)b->count;
    int64_t *const size = grab((size_t)(2 * count) * sizeof *size);
    int64_t *const there = grab_backend((size_t)(2 * count) * sizeof *there);
    int differ = 0;
    for (int i = 0; i < count; ++i) {
        size[i] = p[i].A.rows;
        size[count + i] = p[i].A.cols;
        b->m = max_i(b->m, size[i]);
        b->n = max_i(b->n, size[count + i]);
        differ |= size[i] != size[0] || size[count + i] != size[count];
    }
    put(there, size, (size_t)(2 * count) * sizeof *size);
    b->each_m = differ ? there : NULL;
    b->each_n = differ ? there + count : NULL;
}

static void set_signs(svd_batch_t *b, const problem_t *p, int64_t plus)
{
    const size_t bytes = (size_t)b->n * sizeof(int64_t);
    int64_t *const J = grab_backend((size_t)b->count * bytes);
    for (int i = 0; i < b->count; ++i)
        put(J + i * b->n, p[i].J, bytes);
    b->with_signs = 1;
    b->J = J;
    b->J_stride = b->n;
    b->n_plus = plus;
    b->illegal_A = -6;
    b->illegal_J = -8;
}

/* The tuning's, where it is not 0: of a GPU, whether one warp has A and V */
static int one_warp;
static double loose; /* the bound of cosines, where it is not 0              */
static int sweeps;   /* at most, where it is not 0                          */
static const char *taken; /* the solver that is forced, or NULL              */
static int emulated; /* A GPU's kernels run on the host (emulated/svd.h).    */

/* They take long there: a quarter of what repeats the same on many sizes, an eighth in complex letters */
static int is_slow(int i)
{
    return emulated && !is_shared_case(i, 4 * REALS_PER_SCALAR);
}

static gsvd_status_t solve_by(const exec_t *ex, const svd_batch_t *b)
{
    const task_t t = task_of_svd_batch(b);
    return emulated ? X(svd_on_host)(ex, b)
                    : run_solver(table()->svd_solvers, ex, &t);
}

/* Solves copies of the matrices as one batch; 0 if no solver takes it, or another one than is
 * forced. */
static int solve_batch(problem_t *p, int count, wanted_t wanted, int64_t plus)
{
    exec_t with = *on(handle);
    tuning_t tune = *with.tune;
    const exec_t *const ex = &with;
    const size_t n = (size_t)count;
    mat_t *const A = grab(3 * n * sizeof *A), *const U = A + n,
                 *const V = U + n;
    real_t **const sigma = grab(n * sizeof *sigma);
    real_t **const each = grab_backend(n * sizeof *each);
    int *const info = grab_backend(n * sizeof *info);
    svd_batch_t b = {.count = count, .info = info, .illegal_A = -5};

    tune.one_warp = one_warp ? one_warp : tune.one_warp;
    tune.batch_large_steps = 0; /* They have tests of their own.             */
    with.policy.tol_jacobi = loose > 0 ? loose : with.policy.tol_jacobi;
    with.policy.max_sweeps = sweeps > 0 ? sweeps : with.policy.max_sweeps;
    with.tune = &tune;
    if (taken)
        with.policy.force[0] = (forced_t){table()->svd_solvers->name, taken};
    for (int i = 0; i < count; ++i) {
        const int64_t rows = p[i].A.rows, cols = p[i].A.cols;
        A[i] = to_backend(copy_mat(p[i].A));
        U[i] =
            wanted.u ? to_backend(new_mat(rows, values_in(&p[i]))) : absent();
        V[i] =
            wanted.v ? to_backend(new_mat(cols, values_in(&p[i]))) : absent();
        sigma[i] =
            grab_backend((size_t)(values_in(&p[i]) + 1) * sizeof(real_t));
    }
    set_sizes(&b, p);
    if (p[0].J)
        set_signs(&b, p, plus);
    put((void *)each, (const void *)sigma, n * sizeof *each);
    b.sigma.each = each;
    b.A = pointers_to(A, count);
    b.U = wanted.u ? pointers_to(U, count) : b.U;
    b.V = wanted.v ? pointers_to(V, count) : b.V;
    b.u_cols = wanted.u ? min_i(b.m, b.n) : 0;
    b.v_cols = wanted.v ? min_i(b.m, b.n) : 0;
    const task_t t = task_of_svd_batch(&b);
    const solver_t *const s = choose_solver(table()->svd_solvers, ex, &t);
    if (emulated ? !X(svd_on_host_fits)(&b)
                 : !s || (taken && strcmp(s->name, taken) != 0))
        return 0;
    ck_assert(emulated || !s->bytes || s->bytes(ex, &t) <= ex->work.size);
    ck_assert_ok(solve_by(ex, &b));
    const int *const told = from_backend_int(info, count);
    for (int i = 0; i < count; ++i) {
        p[i].info = told[i];
        p[i].sigma = from_backend_real(sigma[i], values_in(&p[i]));
        p[i].U = wanted.u ? from_backend(U[i]) : absent();
        p[i].V = wanted.v ? from_backend(V[i]) : absent();
    }
    return 1;
}

/* ---- what it has to be ---------------------------------------------------------- */

/* Each value within 30 n eps of the reference, relative to itself, or to the largest one */
static void check_values(const problem_t *p, int relative, const char *what)
{
    const int64_t N = values_in(p);
    const wide_t *const right = wide_values_by_jacobi(p->A);
    for (int64_t j = 0; j < N; ++j) {
        const wide_t size = relative ? right[j] : right[0];
        const wide_t off = fabsl(p->sigma[j] - right[j]);
        ck_assert_msg(off <= 30 * (wide_t)N * GSVD_EPS * size,
                      "%s, %ld x %ld, value %ld: %Lg, not %Lg", what,
                      (long)p->A.rows, (long)p->A.cols, (long)j,
                      (wide_t)p->sigma[j], right[j]);
        ck_assert_msg(j == 0 || p->sigma[j] <= p->sigma[j - 1],
                      "%s, %ld x %ld, value %ld: %g behind %g", what,
                      (long)p->A.rows, (long)p->A.cols, (long)j,
                      (double)p->sigma[j], (double)p->sigma[j > 0 ? j - 1 : 0]);
    }
}

static void check_factors(const problem_t *p, const char *what)
{
    const double ratio[] = {svd_residual(p->A, p->U, p->sigma, p->V),
                            defect(p->U), defect(p->V)};
    for (int k = 0; k < 3; ++k)
        ck_assert_msg(ratio[k] < LIMIT, "%s, %ld x %ld, ratio %d: %g", what,
                      (long)p->A.rows, (long)p->A.cols, k, ratio[k]);
}

/* Bit for bit, NaN too */
static void ck_assert_same_results(const problem_t *p, const problem_t *q)
{
    ck_assert_int_eq(p->info, q->info);
    ck_assert(memcmp(p->sigma, q->sigma,
                     (size_t)values_in(p) * sizeof *p->sigma) == 0);
    ck_assert_same(p->U, q->U);
    ck_assert_same(p->V, q->V);
}

/* ---- matrices --------------------------------------------------------------------- */

enum {
    OF_NORMAL_NUMBERS,
    GRADED, /* columns 1e-150 to 1e150, single 1e-15 to 1e15; wide: rows     */
    DUPLICATES,
    OF_ZEROS,
    ZERO_COLUMNS,
    RANK_ONE,
    WITH_UNITARY_COLUMNS,
    DIAGONAL,
    TINY,
    HUGE,
    NEARLY_PARALLEL,
    FAMILIES_HERE
};
static const char *const name_of[FAMILIES_HERE] = {
    "normal",  "graded",   "duplicates", "zeros", "zero columns",   "rank one",
    "unitary", "diagonal", "tiny",       "huge",  "nearly parallel"};

/* M x N, M >= N */
static mat_t make_tall(int what, int64_t M, int64_t N, uint64_t *seed)
{
    const int far = GSVD_SINGLE ? 50 : 498, edge = GSVD_SINGLE ? 120 : 1010;
    mat_t A = normal_mat(M, N, seed);
    if (what == GRADED || what == WITH_UNITARY_COLUMNS)
        A = with_values(M, N, to_tenth, seed);
    if (what == GRADED)
        scale_columns(A, far, seed);
    if (what == WITH_UNITARY_COLUMNS)
        A = copy_mat(mat_cols(random_unitary(M, seed), 0, N));
    if (what == TINY || what == HUGE)
        A = ldexp_mat(A, what == TINY ? -edge : edge);
    EACH_ENTRY (A, i, j) {
        const scalar_t y = AT(A, i, j), near = AT(A, i, 0);
        const int zero = what == OF_ZEROS ||
                         (what == ZERO_COLUMNS && j % 3 == 1) ||
                         (what == DIAGONAL && i != j);
        AT(A, i, j) = zero ? make(0, 0) : y;
        if (what == DUPLICATES && j > 0)
            AT(A, i, j) = AT(A, i, j % 2);
        if (what == RANK_ONE && j > 0)
            AT(A, i, j) = scale(ldexp_r(1, (int)j % 32), near);
        if (what == NEARLY_PARALLEL && j > 0)
            AT(A, i, j) = add(near, scale(8 * GSVD_ULP, y));
    }
    return A;
}

static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    const mat_t T = make_tall(what, max_i(m, n), min_i(m, n), seed);
    return m >= n ? T : adjoint(T);
}

static const int size[][2] = {{1, 1},   {1, 5},   {5, 1},  {2, 2},   {3, 2},
                              {2, 3},   {4, 4},   {7, 5},  {8, 8},   {15, 15},
                              {16, 16}, {17, 16}, {9, 16}, {31, 31}, {32, 32},
                              {33, 32}, {64, 8},  {8, 64}, {100, 3}, {512, 17}};
enum { SIZES = sizeof size / sizeof *size };

/* More than two packs of the CPU, the last one not full */
enum { COUNT = GSVD_SINGLE ? 37 : 21 };

static problem_t *problems(int first, int64_t m, int64_t n, uint64_t *seed)
{
    problem_t *const p = grab(COUNT * sizeof *p);
    for (int i = 0; i < COUNT; ++i)
        p[i] = (problem_t){
            .A = make_matrix((first + i) % FAMILIES_HERE, m, n, seed)};
    return p;
}

/* ---- the SVD ------------------------------------------------------------------------ */

/* All families, side by side, of size[at]; 0 if they are not taken */
static int check_families(int at)
{
    const int64_t m = size[at][0], n = size[at][1];
    uint64_t seed = (uint64_t)(31 * at + 5);
    problem_t *const p = problems(0, m, n, &seed);
    if (!solve_batch(p, COUNT, both, 0))
        return 0;
    for (int i = 0; i < COUNT; ++i) {
        const int what = i % FAMILIES_HERE;
        ck_assert_msg(p[i].info == 0, "%s, %ld x %ld, info %d", name_of[what],
                      (long)m, (long)n, p[i].info);
        check_factors(&p[i], name_of[what]);
        check_values(&p[i], what == GRADED || what == DIAGONAL, name_of[what]);
    }
    return 1;
}

/* The CPU takes all sizes. */
START_TEST(factors_and_values) { ck_assert(check_families(_i) || on_device); }
END_TEST

/* Each solver of the list, forced, of all sizes that it takes */
START_TEST(every_solver)
{
    const solvers_t *const list = table()->svd_solvers;
    for (int k = 0; k < list->count && !emulated; ++k) {
        int runs = 0;
        taken = list->first[k].name;
        for (int at = 0; at < SIZES; ++at) {
            runs += check_families(at);
            release_pool();
        }
        ck_assert_msg(runs > 0, "no matrix for %s", taken);
    }
    taken = NULL;
}
END_TEST

/* A warp each for A and for V, and one that has both */
START_TEST(warps)
{
    if (is_slow(_i))
        return;
    static const int bytes[] = {1, 1024};
    for (int k = 0; k < 2 && (on_device || emulated); ++k) {
        one_warp = bytes[k];
        ck_assert(check_families(_i) || on_device);
        release_pool();
    }
}
END_TEST

/* Alone, and in another order */
START_TEST(neighbours_do_not_count)
{
    if (is_slow(_i))
        return;
    const int64_t m = size[_i][0], n = size[_i][1];
    uint64_t seed = (uint64_t)(77 * _i + 6);
    problem_t *const p = problems(3, m, n, &seed);
    problem_t *const q = grab(COUNT * sizeof *q);
    if (!solve_batch(p, COUNT, both, 0))
        return;
    for (int i = 0; i < COUNT; ++i)
        q[(5 * i + 2) % COUNT] = (problem_t){.A = p[i].A};
    ck_assert(solve_batch(q, COUNT, both, 0));
    for (int i = 0; i < COUNT; ++i)
        ck_assert_same_results(&p[i], &q[(5 * i + 2) % COUNT]);
    for (int i = 0; i < COUNT; ++i) {
        problem_t one = {.A = p[i].A};
        ck_assert(solve_batch(&one, 1, both, 0));
        ck_assert_same_results(&p[i], &one);
    }
}
END_TEST

/* A NaN or an infinity is told in info, and ends the matrix that has it alone. */
START_TEST(not_finite)
{
    static const int dims[][2] = {{5, 5}, {3, 7}, {16, 16}, {40, 9}, {1, 1}};
    const int64_t m = dims[_i][0], n = dims[_i][1];
    uint64_t seed = (uint64_t)(8 * _i + 1);
    problem_t *const p = problems(0, m, n, &seed);
    problem_t *const q = grab(COUNT * sizeof *q);
    const int bad[] = {1, 6, COUNT - 1};
    for (int i = 0; i < COUNT; ++i)
        q[i] = (problem_t){.A = copy_mat(p[i].A)};
    for (int k = 0; k < 3; ++k)
        AT(q[bad[k]].A, m - 1, n / 2) =
            make(k == 0 ? (real_t)INFINITY : (real_t)NAN, 0);
    if (!solve_batch(p, COUNT, both, 0))
        return;
    ck_assert(solve_batch(q, COUNT, both, 0));
    for (int i = 0; i < COUNT; ++i) {
        if (i != bad[0] && i != bad[1] && i != bad[2]) {
            ck_assert_same_results(&p[i], &q[i]);
            continue;
        }
        ck_assert_int_eq(q[i].info, -5);
        for (int64_t j = 0; j < values_in(&q[i]); ++j) {
            ck_assert(isnan(q[i].sigma[j]));
            ck_assert(isnan(re(AT(q[i].U, m - 1, j))));
            ck_assert(isnan(re(AT(q[i].V, n - 1, j))));
        }
    }
}
END_TEST

/* Sizes that differ, 0 among them; each has what it has among its like. */
START_TEST(sizes_differ)
{
    enum { MANY = 70 };
    static const int dims[][2] = {{4, 4}, {7, 5}, {0, 3},  {5, 7}, {16, 16},
                                  {1, 1}, {6, 0}, {20, 3}, {4, 4}, {0, 0}};
    uint64_t seed = 12;
    problem_t *const p = grab(MANY * sizeof *p);
    for (int i = 0; i < MANY; ++i) {
        const int *const s = dims[random_below(&seed, 10)];
        p[i] =
            (problem_t){.A = make_matrix(i % FAMILIES_HERE, s[0], s[1], &seed)};
    }
    if (!solve_batch(p, MANY, both, 0))
        return;
    for (int i = 0; i < MANY; ++i) {
        problem_t one = {.A = p[i].A};
        ck_assert_int_eq(p[i].info, 0);
        ck_assert(solve_batch(&one, 1, both, 0));
        if (!on_device && !emulated)
            ck_assert_same_results(&p[i], &one);
        if (values_in(&p[i]) > 0)
            check_factors(&p[i], name_of[i % FAMILIES_HERE]);
    }
}
END_TEST

/* One factor, or the values alone */
START_TEST(fewer_results)
{
    if (is_slow(_i))
        return;
    static const wanted_t some[] = {{1, 0}, {0, 1}, {0, 0}};
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    const wanted_t wanted = some[_i / SIZES];
    uint64_t seed = (uint64_t)(3 * _i + 2);
    problem_t *const p = problems(_i, m, n, &seed);
    problem_t *const q = grab(COUNT * sizeof *q);
    memcpy(q, p, COUNT * sizeof *q);
    if (!solve_batch(p, COUNT, both, 0))
        return;
    ck_assert(solve_batch(q, COUNT, wanted, 0));
    for (int i = 0; i < COUNT; ++i) {
        const int what = (_i + i) % FAMILIES_HERE;
        ck_assert_msg(q[i].info == 0, "%s, %ld x %ld, info %d", name_of[what],
                      (long)m, (long)n, q[i].info);
        check_values(&q[i], what == GRADED || what == DIAGONAL, name_of[what]);
        if (q[i].U.data)
            ck_assert_ratio(defect(q[i].U));
        if (q[i].V.data)
            ck_assert_ratio(defect(q[i].V));
    }
}
END_TEST

/* Matrices a stride apart: the same bits as by pointers */
START_TEST(strides)
{
    enum { M = 9, N = 6, LD = 11, STRIDE = LD * N + 5 };
    const exec_t *ex;
    uint64_t seed = 4;
    problem_t *const p = problems(0, M, N, &seed);
    const size_t bytes = COUNT * STRIDE * sizeof(scalar_t);
    scalar_t *const host = grab(bytes);
    scalar_t *const there[] = {grab_backend(bytes), grab_results(bytes),
                               grab_results(bytes)};
    real_t *const sigma = grab_results(COUNT * LD * sizeof *sigma);
    int *const info = grab_backend(COUNT * sizeof *info);
    if (!solve_batch(p, COUNT, both, 0))
        return;
    for (int i = 0; i < COUNT; ++i)
        for (int j = 0; j < N; ++j)
            memcpy(host + i * STRIDE + j * LD, &AT(p[i].A, 0, j),
                   M * sizeof *host);
    put(there[0], host, bytes);
    const svd_batch_t b = {.count = COUNT,
                           .m = M,
                           .n = N,
                           .A = {.data = there[0], .stride = STRIDE, .ld = LD},
                           .U = {.data = there[1], .stride = STRIDE, .ld = LD},
                           .V = {.data = there[2], .stride = STRIDE, .ld = LD},
                           .u_cols = N,
                           .v_cols = N,
                           .sigma = {.data = sigma, .stride = LD},
                           .info = info,
                           .illegal_A = -5};
    ex = on(handle);
    ck_assert_ok(solve_by(ex, &b));
    const real_t *const s = from_backend_real(sigma, (COUNT - 1) * LD + N);
    const int *const told = from_backend_int(info, COUNT);
    scalar_t *const u = grab(bytes), *const v = grab(bytes);
    get(u, there[1], bytes);
    get(v, there[2], bytes);
    for (int i = 0; i < COUNT; ++i) {
        const problem_t q = {.A = p[i].A,
                             .U = mat_view(u + i * STRIDE, M, N, LD),
                             .V = mat_view(v + i * STRIDE, N, N, LD),
                             .sigma = (real_t *)s + i * LD,
                             .info = told[i]};
        ck_assert_same_results(&p[i], &q);
    }
}
END_TEST

/* With one sweep Jacobi does not end, and says so; what it leaves is finite. */
START_TEST(not_converged)
{
    uint64_t seed = 3;
    problem_t *const p = grab(COUNT * sizeof *p);
    for (int i = 0; i < COUNT; ++i)
        p[i] =
            (problem_t){.A = make_matrix(i % 2 ? DIAGONAL : OF_NORMAL_NUMBERS,
                                         8, 8, &seed)};
    ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
    if (!solve_batch(p, COUNT, both, 0))
        return;
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(p[i].info, i % 2 == 0);
        ck_assert(all_finite(p[i].U) && all_finite(p[i].V));
    }
}
END_TEST

/* The bound of cosines is the caller's, on each way: columns within it are not turned. */
START_TEST(bound_of_cosines)
{
    static const int of[][2] = {{6, 6},  {16, 14}, {32, 32},
                                {90, 8}, {80, 15}, {80, 64}};
    uint64_t seed = (uint64_t)(3 * _i + 1);
    problem_t p = {.A = normal_mat(of[_i][0], of[_i][1], &seed)};
    if (emulated || !solve_batch(&p, 1, both, 0))
        return;
    ck_assert_ratio(fmax(defect(p.U), defect(p.V)));
    loose = 0.99;
    ck_assert(solve_batch(&p, 1, both, 0));
    ck_assert_int_eq(p.info, 0);
    ck_assert(fmax(defect(p.U), defect(p.V)) > 1000 * LIMIT);
}
END_TEST

static double geometric(double x)
{
    return pow(10, GSVD_SINGLE ? -6 * x : -12 * x);
}

/* Values over many orders of magnitude take the most sweeps; of an odd number of columns one idles in
 * each round. */
START_TEST(geometric_values)
{
    if (is_slow(_i))
        return;
    enum { MANY = 60 };
    static const int order[] = {15, 27, 29, 31};
    const int64_t n = order[_i];
    uint64_t seed = (uint64_t)(43 * _i + 7);
    problem_t *const p = grab(MANY * sizeof *p);
    for (int i = 0; i < MANY; ++i)
        p[i] = (problem_t){.A = with_values(n, n, geometric, &seed)};
    if (!solve_batch(p, MANY, both, 0))
        return;
    for (int i = 0; i < MANY; ++i) {
        ck_assert_msg(p[i].info == 0, "order %ld, matrix %d: info %d", (long)n,
                      i, p[i].info);
        check_factors(&p[i], "geometric");
    }
}
END_TEST

/* ---- rows that differ in length ----------------------------------------------------- */

/* D B, D 10^-12 to 10^12, single 10^-5 to 10^5, or, wide, B D; B's condition is 10. */
static mat_t graded_rows(int64_t m, int64_t n, uint64_t *seed)
{
    const int far = GSVD_SINGLE ? 16 : 40;
    const mat_t T = with_values(max_i(m, n), min_i(m, n), to_tenth, seed);
    const mat_t A = m < n ? adjoint(T) : T;
    if (m >= n)
        scale_rows(A, far, seed);
    else
        scale_columns(A, far, seed);
    return A;
}

/* The values of the single routine */
static void check_by_single(const problem_t *p, const char *what)
{
    const mat_t A = copy_mat(p->A);
    const int64_t n = values_in(p);
    real_t *const right = grab((size_t)n * sizeof *right);
    int info;
    ck_assert_ok(X(svd)(handle, 'N', 'N', A.rows, A.cols, A.data, A.ld, right,
                        NULL, 1, NULL, 1, &info));
    for (int64_t j = 0; j < n; ++j)
        ck_assert_msg(fabs_r(p->sigma[j] - right[j]) <=
                          60 * (real_t)n * GSVD_EPS * right[j],
                      "%s, %ld x %ld, value %ld: %g, not %g", what,
                      (long)A.rows, (long)A.cols, (long)j, (double)p->sigma[j],
                      (double)right[j]);
}

/* The values of a square D B are those of (D B)^H, whose columns are graded. */
static void check_graded(const problem_t *p, int apart, const char *what)
{
    problem_t h = *p;
    if (p->A.rows == p->A.cols)
        h.A = adjoint(p->A);
    else if (apart)
        check_by_single(p, what);
    ck_assert_msg(p->info == 0, "%s, %ld x %ld, info %d", what, (long)p->A.rows,
                  (long)p->A.cols, p->info);
    check_factors(p, what);
    if (p->A.rows == p->A.cols)
        check_values(&h, apart, what);
}

static const int graded_size[][2] = {
    {2, 2},   {3, 3},   {4, 4},   {5, 5},   {7, 7},   {8, 8},    {9, 9},
    {15, 15}, {16, 16}, {17, 17}, {24, 24}, {31, 31}, {32, 32},  {9, 5},
    {5, 9},   {30, 16}, {16, 30}, {40, 8},  {8, 40},  {100, 30}, {33, 33},
    {48, 36}, {36, 48}, {600, 7}, {20, 300}};
enum { GRADED_SIZES = sizeof graded_size / sizeof *graded_size };

/* Every second one, beside others */
START_TEST(rows_apart)
{
    if (is_slow(_i))
        return;
    const int64_t m = graded_size[_i][0], n = graded_size[_i][1];
    uint64_t seed = (uint64_t)(47 * _i + 3);
    problem_t *const p = grab(COUNT * sizeof *p);
    for (int i = 0; i < COUNT; ++i)
        p[i] = (problem_t){.A = i % 2 ? normal_mat(m, n, &seed)
                                      : graded_rows(m, n, &seed)};
    if (!solve_batch(p, COUNT, both, 0))
        return;
    for (int i = 0; i < COUNT; ++i) {
        problem_t one = {.A = p[i].A};
        check_graded(&p[i], i % 2 == 0, i % 2 ? "normal" : "rows apart");
        ck_assert(solve_batch(&one, 1, both, 0));
        ck_assert_same_results(&p[i], &one);
    }
}
END_TEST

/* ... with zeros among them, of lower rank, and with one factor or none */
START_TEST(rows_apart_and_zeros)
{
    static const wanted_t some[] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}};
    const int64_t m = graded_size[_i / 4][0], n = graded_size[_i / 4][1];
    const wanted_t wanted = some[_i % 4];
    uint64_t seed = (uint64_t)(53 * _i + 9);
    problem_t *const p = grab(COUNT * sizeof *p);
    if (is_slow(_i))
        return;
    for (int i = 0; i < COUNT; ++i) {
        p[i] = (problem_t){.A = graded_rows(m, n, &seed)};
        for (int64_t j = 0; j < n; ++j)
            AT(p[i].A, m - 1, j) = i % 4 ? make(0, 0) : AT(p[i].A, 0, j);
        for (int64_t k = 0; k < m && i % 3 == 1; ++k)
            AT(p[i].A, k, n - 1) = make(0, 0);
    }
    if (!solve_batch(p, COUNT, wanted, 0))
        return;
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(p[i].info, 0);
        if (p[i].U.data && p[i].V.data)
            check_factors(&p[i], "rows apart and zeros");
        else if (p[i].U.data || p[i].V.data)
            ck_assert_ratio(defect(p[i].U.data ? p[i].U : p[i].V));
        for (int64_t j = 1; j < values_in(&p[i]); ++j)
            ck_assert(p[i].sigma[j] <= p[i].sigma[j - 1]);
    }
}
END_TEST

/* ---- equal numbers -------------------------------------------------------------------- */

/* Sums of equal numbers err all one way: the factors are unitary all the same, by entries. */
START_TEST(unitary_where_numbers_are_equal)
{
    if (is_slow(_i))
        return;
    static const double sine[] = {0.99, 0.6, 0.3, 0, 1, -1};
    enum { SINES = sizeof sine / sizeof *sine };
    static const int shape_of[][2] = {{500, 30}, {30, 500}, {512, 20},
                                      {300, 32}, {500, 8},  {32, 32}};
    const int64_t m = shape_of[_i][0], n = shape_of[_i][1];
    const double bound = may_drift(max_i(m, n));
    uint64_t seed = 962;
    problem_t p[SINES];
    for (int i = 0; i < SINES; ++i)
        p[i] = (problem_t){.A = of_equal_numbers(sine[i], m, n, &seed)};
    if (!solve_batch(p, SINES, both, 0))
        return;
    for (int i = 0; i < SINES; ++i) {
        const double of_u = largest_defect(p[i].U),
                     of_v = largest_defect(p[i].V);
        ck_assert_msg(fmax(of_u, of_v) <= bound,
                      "%ld x %ld, %g: U %.0f, V %.0f eps, %.0f allowed",
                      (long)m, (long)n, sine[i], of_u, of_v, bound);
    }
}
END_TEST

/* ---- more columns than a warp has in its registers ------------------------------- */

/* by blocks of columns on a GPU: one pair of blocks, several, a last block that is not full;
 * on the CPU, whose primitive does not take them, in a loop */
static const int block_size[][2] = {
    {33, 33}, {40, 33},   {33, 70},   {63, 63},   {64, 64},   {65, 65},
    {90, 65}, {100, 100}, {130, 130}, {131, 257}, {257, 257}, {512, 512}};
enum { BLOCK_SIZES = sizeof block_size / sizeof *block_size };

/* By the primitive, or by the public call of the same matrices; all have one shape. */
static void solve_blocks(problem_t *p, int count, wanted_t wanted)
{
    const size_t n = (size_t)count;
    void **const list[4] = {grab(n * sizeof(void *)), grab(n * sizeof(void *)),
                            grab(n * sizeof(void *)), grab(n * sizeof(void *))};
    const int64_t rows = p->A.rows, cols = p->A.cols, r = values_in(p);
    const mat_t C = copy_mat(p->A), U = new_mat(rows, r), V = new_mat(cols, r);
    int *const info = grab(n * sizeof *info);

    if (solve_batch(p, count, wanted, 0))
        return;
    ck_assert(!on_device);
    for (int i = 0; i < count; ++i) {
        list[0][i] = copy_mat(p[i].A).data;
        list[1][i] = p[i].sigma = grab((size_t)r * sizeof(real_t));
        p[i].U = wanted.u ? new_mat(rows, r) : absent();
        p[i].V = wanted.v ? new_mat(cols, r) : absent();
        list[2][i] = p[i].U.data;
        list[3][i] = p[i].V.data;
    }
    gsvd_problem_t all = new_problem(GSVD_ROUTINE_SVD, HOST, "", rows, cols, 0);
    all.job[0] = wanted.u ? 'S' : 'N';
    all.job[1] = wanted.v ? 'S' : 'N';
    all.batch = count;
    all.A = (gsvd_array_t){.each = list[0], .ld = C.ld};
    all.alpha.each = list[1];
    all.U = (gsvd_array_t){.each = list[2], .ld = U.ld};
    all.V = (gsvd_array_t){.each = list[3], .ld = V.ld};
    all.info = info;
    ck_assert_ok(gsvd_run(handle, &all));
    for (int i = 0; i < count; ++i) {
        p[i].info = info[i];
        if (wanted.u)
            ck_assert_padding(p[i].U);
        if (wanted.v)
            ck_assert_padding(p[i].V);
    }
}

/* All families; of many columns those that are rank deficient, as the reference and the
 * checks take long */
static int families_of(int64_t columns, int *family)
{
    static const int deficient[] = {DUPLICATES, OF_ZEROS, ZERO_COLUMNS,
                                    RANK_ONE};
    int count = columns > 300 ? 1 : columns > 130 ? 4 : FAMILIES_HERE;
    for (int i = 0; i < count; ++i)
        family[i] = count == FAMILIES_HERE ? i : deficient[(i + 2) % 4];
    return count;
}

static problem_t *block_problems(int at, int *count, int *family,
                                 uint64_t *seed)
{
    const int64_t m = block_size[at][0], n = block_size[at][1];
    *count = families_of(max_i(m, n), family);
    problem_t *const p = grab((size_t)*count * sizeof *p);
    for (int i = 0; i < *count; ++i)
        p[i] = (problem_t){.A = make_matrix(family[i], m, n, seed)};
    return p;
}

static int block_size_left_out(int at)
{
    return too_large(block_size[at][0], block_size[at][1], 0) ||
           (!on_device && block_size[at][1] > 130) ||
           (emulated && min_i(block_size[at][0], block_size[at][1]) > 50);
}

START_TEST(blocks_of_columns)
{
    int family[FAMILIES_HERE], count;
    uint64_t seed = (uint64_t)(19 * _i + 8);
    if (block_size_left_out(_i))
        return;
    problem_t *const p = block_problems(_i, &count, family, &seed);
    solve_blocks(p, count, both);
    for (int i = 0; i < count; ++i) {
        const char *const name = name_of[family[i]];
        ck_assert_msg(p[i].info == 0, "%s, %ld x %ld, info %d", name,
                      (long)p[i].A.rows, (long)p[i].A.cols, p[i].info);
        check_factors(&p[i], name);
        if (values_in(&p[i]) <= 65 && i % 3 == _i % 3)
            check_values(&p[i], family[i] == GRADED || family[i] == DIAGONAL,
                         name);
    }
}
END_TEST

/* Alone, in another order, and beside a NaN: the same bits. */
START_TEST(blocks_and_neighbours)
{
    int family[FAMILIES_HERE], count;
    uint64_t seed = (uint64_t)(23 * _i + 9);
    if (block_size_left_out(_i) || block_size[_i][0] > 130 || emulated)
        return;
    problem_t *const p = block_problems(_i, &count, family, &seed);
    problem_t *const q = grab((size_t)count * sizeof *q);
    solve_blocks(p, count, both);
    for (int i = 0; i < count; ++i)
        q[count - 1 - i] = (problem_t){.A = copy_mat(p[i].A)};
    const mat_t bad = q[1].A;
    AT(bad, bad.rows - 1, bad.cols / 2) = make((real_t)NAN, 0);
    solve_blocks(q, count, both);
    for (int i = 0; i < count; ++i)
        if (i != count - 2)
            ck_assert_same_results(&p[i], &q[count - 1 - i]);
    ck_assert_int_eq(q[1].info, -5);
    for (int64_t j = 0; j < values_in(&q[1]); ++j)
        ck_assert(isnan(q[1].sigma[j]) &&
                  isnan(re(AT(q[1].U, q[1].A.rows - 1, j))) &&
                  isnan(re(AT(q[1].V, q[1].A.cols - 1, j))));
    problem_t one = {.A = p[0].A};
    solve_blocks(&one, 1, both);
    ck_assert_same_results(&p[0], &one);
}
END_TEST

/* Columns apart by 1e40, or by 1e400: products of the short ones are below the least normal
 * number.  Values are right, or, by kernels, whose limit in gsvd.h is nearer, info tells. */
START_TEST(blocks_far_apart)
{
    static const int64_t of[][2] = {{40, 33}, {64, 64}, {100, 70}};
    const int64_t m = of[_i][0], n = of[_i][1];
    const int is_kernel = on_device || emulated;
    uint64_t seed = (uint64_t)(37 * _i + 11);
    problem_t p[2];
    for (int i = 0; i < 2; ++i) {
        p[i] = (problem_t){.A = with_values(m, n, to_tenth, &seed)};
        scale_columns(p[i].A, GSVD_SINGLE ? 66 : 664, &seed);
    }
    solve_blocks(p, 2, both);
    for (int i = 0; i < 2; ++i) {
        ck_assert_msg(p[i].info == 0 || (is_kernel && p[i].info == 1),
                      "%ld x %ld, info %d", (long)m, (long)n, p[i].info);
        check_factors(&p[i], "far apart");
        if (p[i].info == 0)
            check_values(&p[i], 1, "far apart");
    }
}
END_TEST

/* One factor, or the values alone */
START_TEST(blocks_of_fewer_results)
{
    static const wanted_t some[] = {{1, 0}, {0, 1}, {0, 0}};
    static const int at[] = {2, 4, 5};
    const wanted_t wanted = some[_i % 3];
    int family[FAMILIES_HERE], count;
    uint64_t seed = (uint64_t)(29 * _i + 10);
    if (block_size_left_out(at[_i / 3]))
        return;
    problem_t *const p = block_problems(at[_i / 3], &count, family, &seed);
    solve_blocks(p, count, wanted);
    for (int i = 0; i < count; ++i) {
        const char *const name = name_of[family[i]];
        ck_assert_int_eq(p[i].info, 0);
        if (i % 3 == _i % 3) /* the reference takes long                     */
            check_values(&p[i], family[i] == GRADED || family[i] == DIAGONAL,
                         name);
        if (p[i].U.data)
            ck_assert_ratio(defect(p[i].U));
        if (p[i].V.data)
            ck_assert_ratio(defect(p[i].V));
    }
}
END_TEST

/* ---- the hyperbolic SVD ----------------------------------------------------------- */

static const int signed_size[][2] = {{1, 1},   {5, 1},   {2, 2},   {3, 2},
                                     {4, 4},   {7, 5},   {8, 8},   {16, 16},
                                     {17, 16}, {40, 31}, {32, 32}, {100, 8}};
enum { SIGNED_SIZES = sizeof signed_size / sizeof *signed_size };

/* The length of a column beyond the largest number is told in info, and is an infinite value; the
 * largest number itself is none too large.  U and V stand as they should. */
START_TEST(largest_values)
{
    static const int dims[][2] = {{5, 5}, {3, 7}, {16, 16}, {40, 9}, {2, 2}};
    const int64_t m = dims[_i][0], n = dims[_i][1];
    uint64_t seed = (uint64_t)(8 * _i + 2);
    problem_t *const p = problems(0, m, n, &seed);
    for (int i = 1; i < COUNT; i += 2) {
        p[i] = (problem_t){.A = new_mat(m, n)};
        fill(p[i].A, make(0, 0));
        for (int64_t j = 0; j < min_i(m, n); ++j)
            AT(p[i].A, j, j) = make((real_t)(j + 1), 0);
        AT(p[i].A, 0, 0) = make(GSVD_REAL_MAX, 0);
        if (i % 4 == 1)
            AT(p[i].A, m - 1, 0) = make(-GSVD_REAL_MAX, 0);
    }
    if (!solve_batch(p, COUNT, both, 0))
        return;
    for (int i = 0; i < COUNT; ++i) {
        if (i % 4 != 3 || p[i].info != 1) /* gsvd.h: Range                    */
            ck_assert_int_eq(p[i].info, i % 4 == 1 ? 2 : 0);
        ck_assert_ratio(defect(p[i].U));
        ck_assert_ratio(defect(p[i].V));
        if (i % 4 == 1)
            ck_assert(isinf(p[i].sigma[0]) && p[i].sigma[1] <= GSVD_REAL_MAX);
        else if (i % 4 == 3)
            ck_assert(p[i].sigma[0] == GSVD_REAL_MAX);
    }
}
END_TEST

/* Matrices with signs of their own, `plus` of them 1 */
static problem_t *signed_problems(int64_t m, int64_t n, int64_t plus, int far,
                                  uint64_t *seed)
{
    problem_t *const p = grab(COUNT * sizeof *p);
    for (int i = 0; i < COUNT; ++i) {
        int64_t *const J = grab((size_t)n * sizeof *J);
        p[i] = (problem_t){.A = normal_mat(m, n, seed), .J = J};
        scale_columns(p[i].A, far, seed);
        for (int64_t j = 0; j < n; ++j)
            J[j] = j < plus ? 1 : -1;
        for (int64_t j = n - 1; j > 0; --j) {
            const int64_t k = random_below(seed, j + 1), sign = J[j];
            J[j] = J[k];
            J[k] = sign;
        }
    }
    return p;
}

static void check_signed(const problem_t *p, int64_t plus)
{
    const signature_t s = {.plus = plus, .J = (int64_t *)p->J};
    const int64_t n = p->A.cols;
    const hsvd_t d = {.U = p->U, .V = p->V, .sigma = p->sigma};
    ck_assert_int_eq(p->info, 0);
    ck_assert_ratio(defect(p->U));
    ck_assert_ratio(signed_defect(p->V, &s));
    ck_assert_ratio(signed_residual(p->A, &d));
    for (int64_t j = 1; j < n; ++j)
        ck_assert(j == plus || p->sigma[j] <= p->sigma[j - 1]);
}

START_TEST(signed_factors)
{
    if (is_slow(_i))
        return;
    const int *const dims = signed_size[_i / 3];
    const int64_t m = dims[0], n = dims[1];
    const int64_t plus = _i % 3 == 0 ? n / 2 : _i % 3 == 1 ? n : 0;
    uint64_t seed = (uint64_t)(9 * _i + 4);
    problem_t *const p = signed_problems(m, n, plus, 4, &seed);
    if (!solve_batch(p, COUNT, both, plus))
        return;
    for (int i = 0; i < COUNT; ++i) {
        problem_t one = {.A = p[i].A, .J = p[i].J};
        check_signed(&p[i], plus);
        ck_assert(solve_batch(&one, 1, both, plus));
        ck_assert_same_results(&p[i], &one);
    }
}
END_TEST

START_TEST(signed_warps)
{
    if (is_slow(_i))
        return;
    static const int bytes[] = {1, 1024};
    const int64_t m = signed_size[_i][0], n = signed_size[_i][1], plus = n / 2;
    uint64_t seed = (uint64_t)(41 * _i + 3);
    problem_t *const p = signed_problems(m, n, plus, 4, &seed);
    for (int k = 0; k < 2 && (on_device || emulated); ++k) {
        one_warp = bytes[k];
        if (!solve_batch(p, COUNT, both, plus))
            return;
        for (int i = 0; i < COUNT; ++i)
            check_signed(&p[i], plus);
    }
}
END_TEST

/* A = B D with D from 10^-100 to 10^100 or from 10^-150 to 10^150, single a tenth of that: each
 * value by itself.  B is well conditioned, for it has more rows than columns. */
START_TEST(signed_values)
{
    if (is_slow(_i))
        return;
    static const int orders[] = {2, 3, 5, 8, 16, 31};
    const int far = (_i % 2 ? 498 : 332) / (GSVD_SINGLE ? 10 : 1);
    const int64_t n = orders[_i / 2], m = n + n / 2, plus = (n + 1) / 2;
    uint64_t seed = (uint64_t)(7 * _i + 3);
    problem_t *const p = signed_problems(m, n, plus, far, &seed);
    if (!solve_batch(p, COUNT, both, plus))
        return;
    for (int i = 0; i < COUNT; ++i) {
        const signature_t s = {.plus = plus, .J = (int64_t *)p[i].J};
        ck_assert_int_eq(p[i].info, 0);
        ck_assert_ratio(defect(p[i].U));
        ck_assert_ratio(signed_defect(p[i].V, &s));
        const double worst =
            worst_error(n, exact_values(p[i].A, &s), p[i].sigma);
        ck_assert_msg(worst <= 30 * (double)n, "%g eps, n %ld", worst, (long)n);
    }
}
END_TEST

/* Signs that are not legal, a NaN, both, of which the signs are told as by a single call, and a
 * column that depends on others: each is told in the info of its matrix, and the others are as
 * they were. */
START_TEST(signed_and_illegal)
{
    enum { M = 9, N = 6, PLUS = 3 };
    uint64_t seed = 2;
    problem_t *const p = signed_problems(M, N, PLUS, 4, &seed);
    problem_t *const q = grab(COUNT * sizeof *q);
    int64_t twos[N] = {1, 1, 1, -1, -1, 2}, four[N] = {1, 1, 1, 1, -1, -1};
    const int expected[] = {-6, -8, -8, 2 + 5, 2 + 1, -8};
    enum { ILLEGAL = sizeof expected / sizeof *expected };

    memcpy(q, p, COUNT * sizeof *q);
    for (int i = 0; i < ILLEGAL; ++i)
        q[i].A = copy_mat(p[i].A);
    AT(q[0].A, 3, 3) = AT(q[5].A, 0, 1) = make((real_t)NAN, 0);
    q[1].J = q[5].J = twos;
    q[2].J = four;
    for (int i = 0; i < M; ++i) {
        AT(q[3].A, i, 4) = add(AT(q[3].A, i, 0), AT(q[3].A, i, 1));
        AT(q[4].A, i, 0) = make(0, 0);
    }
    if (!solve_batch(p, COUNT, both, PLUS))
        return;
    ck_assert(solve_batch(q, COUNT, both, PLUS));
    for (int i = 0; i < COUNT; ++i) {
        if (i >= ILLEGAL) {
            ck_assert_same_results(&p[i], &q[i]);
            continue;
        }
        ck_assert_int_eq(q[i].info, expected[i]);
        ck_assert(isnan(q[i].sigma[0]) && isnan(re(AT(q[i].U, 0, 0))) &&
                  isnan(re(AT(q[i].V, N - 1, N - 1))));
    }
}
END_TEST

/* In every second matrix a column, another one in each, depends on those before it, or is 0 if
 * it is the first one; the others are as they were. */
static void check_dependent(int which)
{
    const int64_t m = signed_size[which][0], n = signed_size[which][1],
                  plus = n / 2;
    uint64_t seed = (uint64_t)(13 * which + 5);
    problem_t *const p = signed_problems(m, n, plus, 4, &seed);
    problem_t *const q = grab(COUNT * sizeof *q);

    memcpy(q, p, COUNT * sizeof *q);
    for (int i = 1; i < COUNT; i += 2) {
        const int64_t j = 3 * (i / 2) % n;
        q[i].A = copy_mat(p[i].A);
        for (int64_t k = 0; k < m; ++k)
            AT(q[i].A, k, j) = j > 0
                                   ? add(AT(q[i].A, k, 0), AT(q[i].A, k, j - 1))
                                   : make(0, 0);
    }
    if (!solve_batch(p, COUNT, both, plus))
        return;
    ck_assert(solve_batch(q, COUNT, both, plus));
    for (int i = 0; i < COUNT; ++i)
        if (i % 2 == 0)
            ck_assert_same_results(&p[i], &q[i]);
        else
            ck_assert_int_eq(q[i].info, 2 + 1 + 3 * (i / 2) % n);
}

START_TEST(signed_dependent)
{
    if (!is_slow(_i))
        check_dependent(_i);
}
END_TEST

/* Columns that need not be orthogonal say nothing of it. */
START_TEST(signed_dependent_loose)
{
    if (is_slow(_i))
        return;
    loose = 0.99;
    check_dependent(_i);
}
END_TEST

/* Two warps on a device */
START_TEST(signed_dependent_warps)
{
    if (is_slow(_i))
        return;
    one_warp = 1;
    check_dependent(_i);
}
END_TEST

/* Columns of unequal signs whose cosine rounds to 1 ask for no rotation that there is; what comes
 * of it is finite, and U is unitary. */
START_TEST(signed_parallel)
{
    if (is_slow(_i))
        return;
    const int64_t m = signed_size[_i][0], n = signed_size[_i][1], plus = n / 2;
    uint64_t seed = (uint64_t)(17 * _i + 3);
    problem_t *const p = signed_problems(m, n, plus, 0, &seed);
    if (plus == 0)
        return;
    for (int i = 0; i < COUNT; ++i) {
        int64_t j = 0, k = 0;
        while (p[i].J[j] < 0)
            ++j;
        while (p[i].J[k] > 0)
            ++k;
        for (int64_t r = 0; r < m; ++r) {
            const scalar_t little =
                scale(ldexp_r(1, GSVD_SINGLE ? -13 : -28), AT(p[i].A, r, k));
            AT(p[i].A, r, k) = add(AT(p[i].A, r, j), little);
        }
    }
    if (!solve_batch(p, COUNT, both, plus))
        return;
    for (int i = 0; i < COUNT; ++i) {
        ck_assert(p[i].info == 0 || p[i].info == 1);
        ck_assert(all_finite(p[i].U) && all_finite(p[i].V));
        ck_assert_ratio(defect(p[i].U));
    }
}
END_TEST

enum {
    RANK_ONE_AND_NOISE, /* all columns are nearly parallel                   */
    UNLIKE_PAIRS,       /* of unequal sign, nearly parallel                  */
    LOW_RANK,           /* of rank 2 n / 3 but for rounding                  */
    HARD_SIGNS
};

/* part: of the noise, and how far the columns of a pair are apart */
static problem_t hard_problem(int what, int64_t m, int64_t n, double part,
                              uint64_t *seed)
{
    int64_t *const J = grab((size_t)n * sizeof *J);
    const mat_t N = normal_mat(m, n, seed), A = copy_mat(N);
    const int64_t rank = 2 * n / 3;
    const mat_t X_ = normal_mat(m, rank, seed), Y = normal_mat(rank, n, seed);

    for (int64_t j = 0; j < n; ++j) {
        J[j] = j % 2 == 0 ? 1 : -1;
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) =
                what == RANK_ONE_AND_NOISE
                    ? add(AT(X_, i, 0), scale((real_t)part, AT(N, i, j)))
                : j % 2 == 1
                    ? add(AT(N, i, j - 1), scale((real_t)part, AT(N, i, j)))
                    : AT(N, i, j);
    }
    if (what == LOW_RANK)
        gemm('N', 'N', 1, X_, Y, (real_t)part, A);
    return (problem_t){.A = A, .J = J};
}

/* Problems of a series in which lengths by formulas go wrong: in single precision a rotation makes a
 * squared length negative, and all columns lose their digits in the second sweep.  They drifted or did
 * not converge. */
START_TEST(lengths_by_formulas)
{
    enum { N = 31, PLUS = (N + 1) / 2 };
    static const int of_real[] = {1, 39, 47, 292}, of_complex[] = {146, 156};
    const int *next = REALS_PER_SCALAR == 1 ? of_real : of_complex;
    const int *const end = next + (REALS_PER_SCALAR == 1 ? 4 : 2);
    uint64_t seed = 98;

    if (!GSVD_SINGLE)
        return;
    sweeps = 18;
    for (int i = 0; next < end; ++i) {
        problem_t one = hard_problem(RANK_ONE_AND_NOISE, N + 2, N, 1e-3, &seed);
        if (i != *next)
            continue;
        ck_assert(solve_batch(&one, 1, both, PLUS));
        check_signed(&one, PLUS);
        ++next;
    }
}
END_TEST

/* V^H J V = J' and so few sweeps as single calls take, where V is long, or may become so on the
 * way */
START_TEST(signed_and_hard)
{
    if (is_slow(_i))
        return;
    static const int orders[] = {4, 8, 16, 24, 31, 32};
    static const double parts[] = {1e-1, 1e-3, 1e-5, 1e-7, 1e-9};
    const int what = _i % HARD_SIGNS, which = _i / HARD_SIGNS;
    const int64_t n = orders[which],
                  m = what != LOW_RANK && which % 2 ? n : n + 2,
                  plus = (n + 1) / 2;
    uint64_t seed = (uint64_t)(23 * _i + 1);
    const int count = emulated ? 5 : COUNT;
    problem_t *const p = grab(COUNT * sizeof *p);

    sweeps = what == LOW_RANK ? 24 : 18;
    for (int i = 0; i < count; ++i) {
        const double part = what == LOW_RANK ? 4096 * (double)n * GSVD_EPS
                            : GSVD_SINGLE
                                ? parts[i % 2]
                                : parts[i % (what == UNLIKE_PAIRS ? 4 : 5)];
        p[i] = hard_problem(what, m, n, part, &seed);
    }
    if (!solve_batch(p, count, both, plus))
        return;
    for (int i = 0; i < count; ++i)
        check_signed(&p[i], plus);
    for (int i = 0; i < count; i += 3) {
        problem_t one = {.A = p[i].A, .J = p[i].J};
        ck_assert(solve_batch(&one, 1, both, plus));
        ck_assert_same_results(&p[i], &one);
    }
}
END_TEST

/* A pair of unequal sign waits in the first sweep: with a loose tolerance that is not the last one. */
START_TEST(signed_and_loose)
{
    const double cosine = 0.5;
    const int64_t m = 2 + _i, n = 2;
    int64_t J[] = {1, -1};
    uint64_t seed = (uint64_t)(31 * _i + 7);
    problem_t p = {.A = normal_mat(m, n, &seed), .J = J};
    for (int64_t i = 0; i < m; ++i)
        AT(p.A, i, 1) = add(AT(p.A, i, 0), scale((real_t)0.05, AT(p.A, i, 1)));

    loose = cosine;
    const int some = solve_batch(&p, 1, both, 1);
    loose = 0;
    if (!some)
        return;
    ck_assert_int_eq(p.info, 0);
    const double found = (double)abs_of(
        AT(product('C', 'N', mat_cols(p.U, 0, 1), mat_cols(p.U, 1, 1)), 0, 0));
    ck_assert_msg(found <= 1.01 * cosine, "a cosine of %.2f", found);
}
END_TEST

/* A pack of triangles with signs before the first sweep, of columns of different size; without Z
 * they are orthogonal. */
static pack_t *signed_pack(int64_t n, int with_z, uint64_t *seed)
{
    char *const memory = grab(X(pack_bytes)(n, n) + 64);
    pack_t *const w =
        X(pack_over)(memory + (64 - (uintptr_t)memory % 64) % 64, n, n);
    w->M = w->N = n;
    w->next = n * ENTRY;
    w->with_signs = 1;
    w->with_z = with_z;
    w->sweeps = 0;
    for (int l = 0; l < LANES; ++l) {
        w->info[l] = w->wrong[l] = w->unfinished[l] = w->todo[l] = 0;
        for (int64_t j = 0; j < n; ++j) {
            w->place[j][l] = j;
            w->e[j][l] = -j;
            w->sign[j][l] = 2 * j < n ? 1 : -1;
            for (int64_t i = 0; i < n; ++i)
                for (int part = 0; part < REALS_PER_SCALAR; ++part) {
                    const real_t r = re(random_normal_scalar(seed)) / 4;
                    w->T[j * w->next + i * ENTRY + part * LANES + l] =
                        i == j            ? part == 0
                        : i < j && with_z ? r
                                          : 0;
                }
        }
    }
    X(pack_start)(w);
    X(pack_refresh)(w);
    X(pack_probe)(w);
    w->sweeps = 1;
    return w;
}

enum { OF_V, OF_V_AND_X, OF_X, OF_VALUES, NAN_OF_V, NAN_OF_X, SPOILS };

/* What of one lane is wrong is found there, and nowhere else; what has drifted is mended. */
START_TEST(spoiled_packs)
{
    const int spoil = _i % SPOILS, lane = 3 % LANES;
    const int64_t n = 5 + _i / SPOILS, j = 2;
    const double unit = (double)n * GSVD_EPS;
    uint64_t seed = (uint64_t)(3 + _i);
    pack_t *const w = signed_pack(n, spoil != OF_VALUES, &seed);
    real_t *const x = w->X + j * w->next + lane, *const z =
                                                     w->Z + j * w->next + lane;

    ck_assert(!X(pack_test)(w));
    for (int l = 0; l < LANES; ++l)
        ck_assert(w->wrong[l] == 0);
    for (int64_t i = 0; i < n; ++i) {
        const real_t f = (real_t)(1 + (spoil == OF_VALUES ? 0.2 : 600 * unit));
        x[i * ENTRY] /= spoil == OF_V_AND_X ? f : 1;
        x[i * ENTRY] *= spoil == OF_X || spoil == OF_VALUES ? f : 1;
        z[i * ENTRY] *= spoil == OF_V || spoil == OF_V_AND_X ? f : 1;
        if (LAST) {
            x[i * ENTRY + IMAG] /= spoil == OF_V_AND_X ? f : 1;
            x[i * ENTRY + IMAG] *= spoil == OF_X || spoil == OF_VALUES ? f : 1;
        }
    }
    if (spoil == NAN_OF_V)
        z[0] = (real_t)NAN;
    if (spoil == NAN_OF_X)
        x[0] = (real_t)NAN;
    X(pack_refresh)(w);
    ck_assert(X(pack_test)(w));
    for (int l = 0; l < LANES; ++l)
        ck_assert((w->wrong[l] & PACK_WRONG) == (l == lane ? PACK_WRONG : 0));
    const int mended = X(pack_mend)(w);
    ck_assert_int_eq(mended, spoil == OF_V_AND_X);
    if (!mended)
        return;
    ck_assert(w->todo[lane] == 1);
    X(pack_refresh)(w);
    ck_assert(!X(pack_test)(w));
}
END_TEST

/* ... and by a GPU's kernel, which has V alone */
START_TEST(spoiled_on_a_device)
{
    const int64_t n = REGISTER_COLUMNS, plus = 5 + 3 * _i;
    const mat_t V = identity_mat(n, n);
    const double unit = (double)n * GSVD_EPS;
    unsigned rows = 0;
    if (!emulated)
        return;
    /* hyperbolic rotations, cosh phi = 1.25 */
    for (int64_t j = 0; j < plus; ++j) {
        const int64_t k = n - 1 - j;
        rows |= 1u << j;
        AT(V, j, j) = AT(V, k, k) = make((real_t)1.25, 0);
        AT(V, j, k) = AT(V, k, j) = make((real_t)0.75, 0);
    }
    ck_assert_int_eq(X(drift_on_host)(V, rows, plus), 0);
    ck_assert_int_eq(X(drift_on_host)(V, rows, plus + 1), 1);
    ck_assert_int_eq(X(drift_on_host)(V, rows << 1, plus), 1);
    AT(V, 1, 1) = make((real_t)(1.25 + 1200 * unit), 0);
    ck_assert_int_eq(X(drift_on_host)(V, rows, plus), 1);
    AT(V, 1, 1) = make((real_t)NAN, 0);
    ck_assert_int_eq(X(drift_on_host)(V, rows, plus), 1);
}
END_TEST

static void as_tuned(void)
{
    one_warp = 0;
    loose = 0;
    sweeps = 0;
}

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_small");
    emulated = arguments > 2 && strcmp(argument[2], "emulated") == 0;
    /* Threads in turns take long. */
    const int one_in = emulated ? 2 : 1;
    TCase *t = add_tcase(s, "svd");
    tcase_add_checked_fixture(t, NULL, as_tuned);
    add_shared_loop_test(t, factors_and_values, 0, SIZES, one_in);
    tcase_add_test(t, every_solver);
    add_shared_loop_test(t, warps, 0, SIZES, one_in);
    add_shared_loop_test(t, neighbours_do_not_count, 0, SIZES, one_in);
    tcase_add_loop_test(t, not_finite, 0, 5);
    tcase_add_test(t, sizes_differ);
    tcase_add_test(t, not_converged);
    tcase_add_loop_test(t, bound_of_cosines, 0, 6);
    tcase_add_loop_test(t, geometric_values, 0, 4);
    t = add_tcase(s, "results");
    tcase_add_checked_fixture(t, NULL, as_tuned);
    add_shared_loop_test(t, fewer_results, 0, 3 * SIZES, one_in);
    tcase_add_loop_test(t, largest_values, 0, 5);
    tcase_add_test(t, strides);
    t = add_tcase(s, "equal numbers");
    tcase_add_loop_test(t, unitary_where_numbers_are_equal, 0, 6);
    t = add_tcase(s, "graded");
    tcase_add_checked_fixture(t, NULL, as_tuned);
    add_shared_loop_test(t, rows_apart, 0, GRADED_SIZES, one_in);
    add_shared_loop_test(t, rows_apart_and_zeros, 0, 4 * GRADED_SIZES,
                         2 * one_in);
    t = add_tcase(s, "blocks");
    add_shared_loop_test(t, blocks_of_columns, 0, BLOCK_SIZES, one_in);
    add_shared_loop_test(t, blocks_and_neighbours, 0, BLOCK_SIZES, one_in);
    tcase_add_loop_test(t, blocks_of_fewer_results, 0, 9);
    tcase_add_loop_test(t, blocks_far_apart, 0, 3);
    t = add_tcase(s, "hsvd");
    tcase_add_checked_fixture(t, NULL, as_tuned);
    add_shared_loop_test(t, signed_factors, 0, 3 * SIGNED_SIZES, one_in);
    add_shared_loop_test(t, signed_warps, 0, SIGNED_SIZES, one_in);
    tcase_add_loop_test(t, signed_values, 0, 2 * 6);
    tcase_add_test(t, signed_and_illegal);
    add_shared_loop_test(t, signed_dependent, 0, SIGNED_SIZES, one_in);
    add_shared_loop_test(t, signed_dependent_loose, 0, SIGNED_SIZES, one_in);
    add_shared_loop_test(t, signed_dependent_warps, 0, SIGNED_SIZES, one_in);
    add_shared_loop_test(t, signed_parallel, 0, SIGNED_SIZES, one_in);
    tcase_add_loop_test(t, signed_and_loose, 0, 12);
    tcase_add_test(t, lengths_by_formulas);
    tcase_add_loop_test(t, signed_and_hard, 0, HARD_SIGNS * 6);
    tcase_add_loop_test(t, spoiled_packs, 0, 4 * SPOILS);
    tcase_add_loop_test(t, spoiled_on_a_device, 0, 3);
    return s;
}
