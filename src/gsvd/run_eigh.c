/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_eigh.c -- eigenvalues and eigenvectors of a Hermitian matrix, A = Q W Q^H.
 *
 *     1  H := 2^-e times the matrix of A's triangle
 *     2  H V = V diag(w), by the first solver of the list that is wanted and tests well
 *     3  w := 2^e w, ascending; those of the range, and their vectors
 *
 * The signed SVD (signed_svd.c): small values are as accurate as run_svd.c's.
 *
 *     1  H = U S V^H; V, w := eigenvectors and values out of them
 *     2  U := V in the order of w; where columns lean, by QR, those of the largest values first
 *     3  U := unitary to rounding (make_unitary.c)
 *     4  test: |H U - U W| is rounding of |H|, and U unitary
 *     5  values that H determines better than its SVD: Rayleigh quotients (refine_values.c)
 *
 * L D L^H and hyperbolic Jacobi (Slapnicar 1998; paper 003 from the matrix itself): small values are
 * accurate where the factorization does not cancel.
 *
 *     1  H = G J G^H                      pivot/ldl.c
 *     2  G = V S Y^H, Y^H J Y = J         run_hsvd.c; H = V (S J S) V^H, and 0 on what G leaves out
 *     3  U := V in the order of w, unitary to rounding, and tested; w refined, as above
 *
 * Tridiagonal form: values are accurate to rounding of |H|.
 *
 *     1  values alone, or a range: H = Q T Q^H, the values of T, the vectors that are wanted one by
 *        one, times Q.  Values of T that agree may have vectors that are not independent
 *     2  all, and where 1 fails its test: eigen.c, by the solver of the machine's choice, then by
 *        the library, then by QR of the library's vectors, those of the largest values first, then
 *        by QR of the machine's choice's
 */
#include <math.h>

#include "core/notes.h"
#include "gsvd/eigh.h"

/* L D L^H rounds more than an SVD: residuals of 38 to 96 ulp of |H| where n = 40. */
enum { FACTOR_TIMES = 5 };
enum { ALL = 'A', BY_VALUE = 'V' }; /* job[2]; or 'I'                        */

static int takes_svd(const exec_t *ex)
{
    return ex->policy.eigh == GSVD_EIGH_AUTO;
}

static int takes_factor(const exec_t *ex)
{
    return ex->policy.eigh == GSVD_EIGH_FACTOR;
}

/* Values alone by tridiagonal form need no vectors. */
static int needs_vectors(const exec_t *ex, const args_t *a)
{
    return ex->policy.eigh != GSVD_EIGH_FAST || wants(a, 0);
}

static int is_range(const args_t *a) { return a->job[2] != ALL; }

static void take(arena_t *a, const exec_t *ex, const args_t *args,
                 eigh_work_t *w)
{
    const int64_t n = args->n, cols = needs_vectors(ex, args) ? n : 0;
    w->H = X(take_matrix)(a, n, n);
    w->V = X(take_matrix)(a, n, cols);
    w->T = operand_of(args, OPERAND_A, n, n);
    w->U = wants(args, 0) && !is_range(args) ? operand_of(args, OPERAND_Q, n, n)
                                             : X(take_matrix)(a, n, cols);
    w->block = X(take_matrix)(a, X(find_signs_rows)(n), takes_svd(ex) ? n : 0);
    w->column = X(take_matrix)(a, n, 2);
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->sigma = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    w->w = gsvd_arena_take(a, 2 * n + 1, sizeof(real_t));
    w->sorted = gsvd_arena_take(a, 2 * n + EIGH_PROBES, sizeof(real_t));
    w->zero = gsvd_arena_take(a, n, sizeof(real_t));
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
    w->e = gsvd_arena_take(a, n, sizeof(real_t));
    w->order = gsvd_arena_take(a, n, sizeof(int));
    if (takes_factor(ex)) {
        X(ldl_take)(a, n, &w->F);
        w->F.L = w->T;
    }
}

static args_t svd_of(const eigh_work_t *w)
{
    const int64_t n = w->H.cols;
    return (args_t){.job = {'S', 'S'},
                    .m = n,
                    .n = n,
                    .array = {[OPERAND_A] = w->T.data,
                              [OPERAND_U] = w->U.data,
                              [OPERAND_V] = w->V.data,
                              [OPERAND_ALPHA] = w->sigma},
                    .ld = {[OPERAND_A] = w->T.ld,
                           [OPERAND_U] = w->U.ld,
                           [OPERAND_V] = w->V.ld}};
}

/* ... by Jacobi, as small values are to be accurate */
static exec_t for_svd(const exec_t *ex)
{
    exec_t in = *ex;
    if (in.policy.svd == GSVD_SVD_BIDIAGONAL)
        in.policy.svd = GSVD_SVD_AUTO;
    return in;
}

/* of G, whose columns have J = diag(I, -I) */
static args_t hsvd_of(const eigh_work_t *w, int64_t rank, int64_t plus)
{
    return (args_t){.job = {'U', 'V'},
                    .m = w->H.cols,
                    .n = rank,
                    .k = plus,
                    .array = {[OPERAND_A] = w->T.data,
                              [OPERAND_U] = w->V.data,
                              [OPERAND_V] = w->U.data,
                              [OPERAND_ALPHA] = w->sigma},
                    .ld = {[OPERAND_A] = w->T.ld,
                           [OPERAND_U] = w->V.ld,
                           [OPERAND_V] = w->U.ld}};
}

/* -- what all solvers share ----------------------------------------------------------- */

/* V := unitary to rounding; *done = 0 where V leans too far. */
static gsvd_status_t polish(const exec_t *ex, mat_t V, int *done)
{
    const factor_t F = {V, V.cols, 0};
    outcome_t out = {0};
    exec_t in = *ex;
    unitary_work_t w;

    X(unitary_carve)(&in.work, V.cols, &F, 1, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(make_unitary)(&in, &F, 1, &w, &out));
    *done = !out.unfinished;
    return GSVD_SUCCESS;
}

static size_t polish_bytes(int64_t n)
{
    const factor_t F = {mat_view(NULL, n, n, max_i(n, 1)), n, 0};
    arena_t count = {0};
    unitary_work_t of;
    X(unitary_carve)(&count, n, &F, 1, &of);
    return gsvd_arena_bytes(&count);
}

/* *most := the largest |x[i]|, infinite if one is a NaN */
static real_t largest(int64_t n, const real_t *x)
{
    real_t most = 0;
    for (int64_t i = 0; i < n; ++i)
        most = !(fabs_r(x[i]) <= GSVD_REAL_MAX) ? (real_t)INFINITY
                                                : fmax_r(most, fabs_r(x[i]));
    return most;
}

/* Is |H V - V W| rounding of |H|, so many times the usual, and a V of so few columns that polish has not looked at them
 * unitary?  V may be some of the columns.  Random vectors see an error of any column.  Waits. */
static gsvd_status_t test(const exec_t *ex, const eigh_work_t *w, mat_t V,
                          int times, int *good)
{
    const int64_t n = V.rows, m = V.cols;
    real_t *const host = ex->staging.data;

    *good = 1;
    if (m == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(few_are_unitary)(ex, V, w->T, good));
    if (!*good)
        return GSVD_SUCCESS;
    const int64_t probes = min_i(n, EIGH_PROBES);
    exec_t in = *ex;
    const mat_t x = X(take_matrix)(&in.work, m, probes);
    const mat_t y = X(take_matrix)(&in.work, n, probes);
    const mat_t E = X(take_matrix)(&in.work, n, probes);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->gaussian(&in, x, 1));
    GSVD_TRY(in.op->gemm(&in, 'N', 'N', V, x, y));
    GSVD_TRY(in.op->gemm(&in, 'N', 'N', w->H, y, E));
    GSVD_TRY(in.op->combine(&in, w->zero, mat_rows(x, 0, 0), w->sorted, x, x));
    GSVD_TRY(in.op->gemm_sub(&in, 'N', 'N', V, x, E));
    GSVD_TRY(in.op->column_norms(&in, E, w->sorted + m));
    GSVD_TRY(in.op->values_read(&in, m + probes, w->sorted, host));
    *good =
        largest(probes, host + m) <=
        (real_t)times * RESIDUAL_MOST(n) * sqrt_r((real_t)m) * largest(m, host);
    return GSVD_SUCCESS;
}

static size_t test_bytes(int64_t n)
{
    arena_t count = {0};
    for (int i = 0; i < 3; ++i)
        (void)X(take_matrix)(&count, n, EIGH_PROBES);
    return gsvd_arena_bytes(&count);
}

/* w->sorted, and U := V in its order */
static gsvd_status_t sort(const exec_t *ex, const eigh_work_t *w, int64_t count,
                          int with_vectors)
{
    GSVD_TRY(ex->op->values_set(ex, 0, count, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, count, w->zero, w->w, w->order));
    GSVD_TRY(ex->op->values_permute(ex, count, w->w, w->order, w->sorted));
    return with_vectors
               ? ex->op->permute_columns(ex, mat_cols(w->V, 0, count), w->order,
                                         mat_cols(w->U, 0, count))
               : GSVD_SUCCESS;
}

/* U := V, orthonormal, by QR of the columns in the order of descending |w|, sorted: columns of values
 * that are far from orthogonal, as zeros' may be, spoil none of larger values.  Waits. */
static gsvd_status_t by_qr(const exec_t *ex, const eigh_work_t *w)
{
    const int64_t n = w->H.cols;
    real_t *const host = ex->staging.data;

    GSVD_TRY(ex->op->values_read(ex, n, w->w, host));
    for (int64_t i = 0; i < n; ++i)
        host[i] = fabs_r(host[i]);
    GSVD_TRY(ex->op->values_write(ex, n, host, w->sigma));
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, n, w->sigma, w->zero, w->order));
    GSVD_TRY(ex->op->values_permute(ex, n, w->w, w->order, w->sorted));
    GSVD_TRY(ex->op->values_read(ex, n, w->sorted, host));
    GSVD_TRY(ex->op->values_write(ex, n, host, w->w));
    GSVD_TRY(ex->op->permute_columns(ex, w->V, w->order, w->U));
    GSVD_TRY(X(orthonormalize)(ex, w->U, w->V, w->tau));
    return sort(ex, w, n, 1);
}

static gsvd_status_t polish_and_test(const exec_t *ex, const eigh_work_t *w,
                                     int64_t count, int times, int *good)
{
    const mat_t U = mat_cols(w->U, 0, count);
    GSVD_TRY(polish(ex, U, good));
    return *good ? test(ex, w, U, times, good) : GSVD_SUCCESS;
}

/* All of the vectors: where they lean, or fail the test, QR makes them orthonormal. */
static gsvd_status_t mend_and_test(const exec_t *ex, const eigh_work_t *w,
                                   int leans, int times, int *good)
{
    const int64_t n = w->H.cols;
    *good = 0;
    if (!leans)
        GSVD_TRY(polish_and_test(ex, w, n, times, good));
    if (*good)
        return GSVD_SUCCESS;
    GSVD_TRY(by_qr(ex, w));
    return polish_and_test(ex, w, n, times, good);
}

/* *first, *count := of n values in any order, 2^-e times the caller's, those below the range and those
 * in it, which are in the staging memory then.  Waits if it is one of values. */
static gsvd_status_t choose(const exec_t *ex, const args_t *a,
                            const real_t *values, int e, int64_t *first,
                            int64_t *count)
{
    real_t *const host = ex->staging.data;

    *first = a->job[2] == ALL ? 0 : a->k;
    *count = a->job[2] == ALL ? a->n : a->l;
    if (a->job[2] != BY_VALUE)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->values_read(ex, a->n, values, ex->staging.data));
    *first = *count = 0;
    for (int64_t i = 0; i < a->n; ++i) {
        const double x = ldexp((double)host[i], e);
        *first += x <= a->range[0];
        if (x > a->range[0] && x <= a->range[1])
            host[(*count)++] = host[i];
    }
    return GSVD_SUCCESS;
}

/* -- the solvers: the problem is the args_t, the work an eigh_work_t ------------------- */

static int svd_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return takes_svd(ex);
}

static gsvd_status_t by_svd(const exec_t *ex, const task_t *t)
{
    const eigh_work_t *const w = t->work;
    const args_t svd = svd_of(w);
    const exec_t in = for_svd(ex);
    const int64_t n = w->H.cols;
    int loose;

    t->out->eigh = GSVD_EIGH_AUTO;
    GSVD_TRY(ex->op->copy(ex, w->H, w->T));
    GSVD_TRY(X(svd_program).run(&in, &svd, t->out)); /* 1 */
    *t->yes = t->out->stopped;
    if (t->out->unfinished)
        return GSVD_SUCCESS;
    GSVD_TRY(X(find_signs)(ex, w, &loose, t->yes));
    if (!*t->yes)
        return GSVD_SUCCESS;
    GSVD_TRY(sort(ex, w, n, 1));                      /* 2 */
    GSVD_TRY(mend_and_test(ex, w, loose, 1, t->yes)); /* 3, 4 */
    /* 5; values of lesser conditions were off by 0.8 n ulp at most          */
    return *t->yes ? X(refine_values)(ex, w, (real_t)n) : GSVD_SUCCESS;
}

static int factor_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return takes_factor(ex);
}

/* w := J sigma^2, and zeros behind them.  Waits. */
static gsvd_status_t squares(const exec_t *ex, const eigh_work_t *w)
{
    const int64_t n = w->H.cols;
    real_t *const host = ex->staging.data;

    GSVD_TRY(ex->op->values_read(ex, w->F.rank, w->sigma, host));
    for (int64_t i = 0; i < n; ++i)
        host[i] = i >= w->F.rank  ? 0
                  : i < w->F.plus ? host[i] * host[i]
                                  : -(host[i] * host[i]);
    return ex->op->values_write(ex, n, host, w->w);
}

static gsvd_status_t by_factor(const exec_t *ex, const task_t *t)
{
    eigh_work_t *const w = t->work;
    const int64_t n = w->H.cols;

    t->out->eigh = GSVD_EIGH_FACTOR;
    GSVD_TRY(ex->op->copy(ex, w->H, w->V));
    GSVD_TRY(X(hetrf_sorted)(ex, w->V, -1, 1, &w->F)); /* 1 */
    GSVD_TRY(X(ldl_root)(ex, &w->F, w->V, w->T));
    GSVD_TRY(ex->op->set(ex, w->V, 0, 1));
    if (w->F.rank > 0) { /* 2 */
        const args_t hsvd = hsvd_of(w, w->F.rank, w->F.plus);
        const gsvd_status_t status = X(hsvd_program).run(ex, &hsvd, t->out);
        *t->yes = t->out->stopped;
        if (t->out->dependent) /* up to rounding; hsvd refuses it             */
            return GSVD_SUCCESS;
        GSVD_TRY(status);
        if (t->out->unfinished)
            return GSVD_SUCCESS;
    }
    GSVD_TRY(squares(ex, w));
    GSVD_TRY(sort(ex, w, n, 1)); /* 3 */
    GSVD_TRY(mend_and_test(ex, w, 0, FACTOR_TIMES, t->yes));
    /* All: the conditions do not show what L D L^H loses.                   */
    return *t->yes ? X(refine_values)(ex, w, 0) : GSVD_SUCCESS;
}

/* Are the squares of all values the matrix's?  Waits. */
static gsvd_status_t test_values(const exec_t *ex, const eigh_work_t *w,
                                 int *good)
{
    const int64_t n = w->H.cols;
    real_t *const host = ex->staging.data;
    double values = 0, entries = 0;

    GSVD_TRY(ex->op->column_norms(ex, w->H, w->w + n));
    GSVD_TRY(ex->op->values_read(ex, 2 * n, w->w, host));
    for (int64_t i = 0; i < n; ++i) {
        values += (double)host[i] * host[i];
        entries += (double)host[n + i] * host[n + i];
    }
    *good = fabs(values - entries) <= SQUARES_MOST(n) * entries;
    return GSVD_SUCCESS;
}

/* V := vectors of T's values x, number `first` to first + count - 1, times Q */
static gsvd_status_t some_vectors(const exec_t *ex, const eigh_work_t *w,
                                  int64_t first, int64_t count, real_t *x)
{
    const int64_t n = w->H.cols;
    const mat_t V = mat_cols(w->V, 0, count);

    GSVD_TRY(ex->op->tridiagonal_vectors(ex, n, w->d, w->e, n - first - count,
                                         x, V));
    return X(unmqr)(ex, 'L', 'N', mat_sub(w->T, 1, 0, n - 1, n - 1), n - 1,
                    w->tau, mat_rows(V, 1, n - 1));
}

/* Values alone, or a range with its vectors, which U then has from its first column on */
static gsvd_status_t by_parts(const exec_t *ex, const task_t *t)
{
    eigh_work_t *const w = t->work;
    const args_t *const a = t->problem;
    const int64_t n = a->n;
    const int alone = !wants(a, 0), counted = a->job[2] == BY_VALUE;
    int64_t first;

    if (n < 2)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, w->H, w->T));
    GSVD_TRY(ex->op->tridiagonalize(ex, w->T, w->d, w->e, w->tau, t->yes));
    if (*t->yes && (alone || counted)) {
        GSVD_TRY(ex->op->tridiagonal_values(ex, n, w->d, w->e, n, w->w));
        GSVD_TRY(test_values(ex, w, t->yes));
    }
    if (!*t->yes || alone)
        return sort(ex, w, n, 0);
    GSVD_TRY(choose(ex, a, w->w, w->exponent, &first, &w->count));
    if (counted) /* They are in the range; the vectors' may be next to it.   */
        GSVD_TRY(ex->op->values_write(ex, w->count, ex->staging.data, w->w));
    GSVD_TRY(some_vectors(ex, w, first, w->count, counted ? w->w + n : w->w));
    GSVD_TRY(sort(ex, w, w->count, 1));
    GSVD_TRY(polish_and_test(ex, w, w->count, 1, t->yes));
    w->chosen = *t->yes;
    return GSVD_SUCCESS;
}

/* All of the vectors, by the solver of the machine's choice, or by the library */
static gsvd_status_t by_eigen(const exec_t *ex, const task_t *t, int *sure)
{
    const eigh_work_t *const w = t->work;
    const mat_t V = w->V.cols > 0 ? w->V : w->T;

    GSVD_TRY(ex->op->copy(ex, w->H, V));
    GSVD_TRY(X(eigen)(ex, V, w->w, sure));
    GSVD_TRY(sort(ex, w, w->H.cols, V.data == w->V.data));
    return V.data == w->V.data ? polish_and_test(ex, w, V.cols, 1, t->yes)
                               : test_values(ex, w, t->yes);
}

/* cuSOLVER 12.0's Xsyevd in single precision has vectors that are off by 2e-2, for a matrix of order
 * 20 whose entries are all equal.  If the largest values' are right, QR mends them.  If not, it mends
 * those of the machine's choice, of which the zeros' may depend on each other: what QR has in the place
 * of such vectors is orthogonal to all of larger values. */
static gsvd_status_t by_tridiagonal_form(const exec_t *ex, const task_t *t)
{
    const eigh_work_t *const w = t->work;
    const args_t *const a = t->problem;
    int sure = 0;

    t->out->eigh = GSVD_EIGH_FAST;
    t->out->unfinished = t->out->lost = 0;
    t->out->dependent = 0;
    *t->yes = 0;
    if (ex->policy.eigh == GSVD_EIGH_FAST && (is_range(a) || !wants(a, 0)))
        GSVD_TRY(by_parts(ex, t));
    if (!*t->yes)
        GSVD_TRY(by_eigen(ex, t, &sure));
    const int has_choice = !sure;
    if (!*t->yes && has_choice) {
        sure = 1;
        GSVD_TRY(by_eigen(ex, t, &sure));
    }
    if (!*t->yes && w->V.cols > 0)
        GSVD_TRY(mend_and_test(ex, w, 1, 1, t->yes));
    if (!*t->yes && w->V.cols > 0 && has_choice) {
        sure = 0;
        GSVD_TRY(by_eigen(ex, t, &sure));
        if (!*t->yes)
            GSVD_TRY(mend_and_test(ex, w, 1, 1, t->yes));
    }
    t->out->unfinished = !*t->yes;
    *t->yes = 1; /* There is no other solver.                                */
    return GSVD_SUCCESS;
}

static const solver_t solver[] = {
    {"signed SVD", svd_wanted, NULL, NULL, by_svd},
    {"L D L^H and hyperbolic SVD", factor_wanted, NULL, NULL, by_factor},
    {"tridiagonal form", NULL, NULL, NULL, by_tridiagonal_form}};
const solvers_t X(eigh_solvers) = SOLVERS("eigenvalues", solver);

/* -- the program --------------------------------------------------------------------------- */

static size_t tridiagonal_bytes(const exec_t *ex, int64_t n)
{
    const size_t some =
        X(unmqr_work_bytes)(ex, n, n, n) +
        ex->op->kernel_bytes(ex, KERNELS_PANELS | KERNELS_TRIDIAGONAL, n, n, n);
    return max_size(
        some, X(eigen_work_bytes)(ex, n) +
                  ex->op->kernel_bytes(ex, KERNELS_EIGENVECTORS, n, n, 0));
}

static size_t qr_bytes(const exec_t *ex, int64_t n)
{
    const size_t each[] = {X(geqrf_work_bytes)(ex, n, n),
                           X(ungqr_work_bytes)(ex, n, n, n),
                           X(geqp_work_bytes)(ex, n, n)};
    return LARGEST(each) + ex->op->kernel_bytes(ex, KERNELS_ALL, n, n, n);
}

static gsvd_status_t measure_eigh(const exec_t *ex, const args_t *a,
                                  need_t *need)
{
    const int64_t n = a->n;
    size_t most = 0, staging = 0;
    arena_t count = {0};
    eigh_work_t w;

    take(&count, ex, a, &w);
    if (takes_svd(ex)) {
        const args_t svd = svd_of(&w);
        const exec_t in = for_svd(ex);
        gsvd_note_begin(ex->h, "SVD, %lld x %lld", (long long)n, (long long)n);
        GSVD_TRY(X(svd_program).measure(&in, &svd, need));
        most = gsvd_note_end(ex->h, need->work, 0, 1);
        need->staging = max_size(need->staging, X(find_signs_staging)(n));
    }
    if (takes_factor(ex)) {
        const args_t hsvd = hsvd_of(&w, n, n);
        GSVD_STEP(ex, &most, "L D L^H by blocks of pivots", n, n,
                  X(hetrf_sorted_bytes)(ex, n), X(hetrf_seconds)(ex, n));
        gsvd_note_begin(ex->h, "hyperbolic SVD, %lld x %lld", (long long)n,
                        (long long)n);
        GSVD_TRY(X(hsvd_program).measure(ex, &hsvd, need));
        most = max_size(most, gsvd_note_end(ex->h, need->work, 0, 1));
    }
    if (needs_vectors(ex, a)) {
        GSVD_STEP(ex, &most, "Q by QR, if columns lean", n, n, qr_bytes(ex, n),
                  0);
        GSVD_STEP(ex, &most, "Q unitary to rounding", n, n, polish_bytes(n), 0);
        GSVD_STEP(ex, &most, "test", n, n,
                  test_bytes(n) +
                      ex->op->kernel_bytes(ex, KERNELS_SMALL, n, n, n),
                  0);
    }
    GSVD_STEP(ex, &most,
              ex->policy.eigh == GSVD_EIGH_FAST
                  ? "by tridiagonal form"
                  : "by tridiagonal form, if a test fails",
              n, n, tridiagonal_bytes(ex, n), 0);
    GSVD_TRY(ex->op->eigenvectors_staging(ex, n, &staging));
    const size_t values = (size_t)(2 * n + EIGH_PROBES) * sizeof(real_t);
    need->staging = max_size(need->staging, max_size(staging, values));
    if (ex->policy.eigh != GSVD_EIGH_FAST)
        need->staging = max_size(need->staging, X(refine_values_staging)(n));
    need->work = gsvd_arena_bytes(&count) + most;
    need->full |= count.full;
    return GSVD_SUCCESS;
}

/* 3: the results, out of w->w, w->order and U */
static gsvd_status_t deliver(const exec_t *ex, const args_t *a, eigh_work_t *w,
                             outcome_t *out)
{
    const int64_t n = a->n;
    real_t *const values = a->array[OPERAND_ALPHA];
    int64_t first = 0, m = w->count;
    mat_t Q;

    if (!w->chosen)
        GSVD_TRY(choose(ex, a, w->w, w->exponent, &first, &m));
    out->k = m;
    GSVD_TRY(X(scale_values)(ex, n, w->w, w->exponent));
    GSVD_TRY(ex->op->values_permute(ex, m, w->w, w->order + first, values));
    if (wants(a, 0) && is_range(a)) {
        Q = operand_of(a, OPERAND_Q, n, m);
        GSVD_TRY(ex->op->copy(ex, mat_cols(w->U, first, m), Q));
    }
    if (m == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(test_overflow_of_value)(ex, &values[0], n, n, w->exponent, out));
    return X(test_overflow_of_value)(ex, &values[m - 1], n, n, w->exponent,
                                     out);
}

static gsvd_status_t run_eigh(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const int64_t n = a->n;
    exec_t in = *ex;
    eigh_work_t w = {0};
    int done = 0;
    const task_t t = {.problem = a, .work = &w, .out = out, .yes = &done};

    take(&in.work, ex, a, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->copy(&in, operand_of(a, OPERAND_A, n, n), w.H)); /* 1 */
    GSVD_TRY(in.op->hermitian(&in, a->job[1], w.H));
    GSVD_TRY(X(scale_matrix)(&in, w.H, &w.exponent, NULL, out));
    GSVD_TRY(run_in_turn(&X(eigh_solvers), &in, &t)); /* 2 */
    return deliver(&in, a, &w, out);
}

const program_t X(eigh_program) = {measure_eigh, run_eigh, &X(eigh_batches)};
