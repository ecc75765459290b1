/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_eig.c -- libgsvd_lapack_eig against LAPACK itself.
 *
 *     test_lapack_eig_<letter> OURS THEIRS host|device
 *
 * Two shared libraries with the same symbols.  The program is linked to neither, has its own XERBLA, and
 * a gsvd_run between OURS and libgsvd, which counts and can fail (libgsvd_lapack_eig64 takes libgsvd's
 * own).  Exit status 77 where THEIRS is not installed.  With "device" the matrices are large enough for one;
 * 77 where there is none.
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/random.h"
#include "lapack/calls.h"
#include "lapack/eig_abi.h"

typedef struct solvers {
    __typeof__(&LAPACK(SYEVD)) syevd;
    __typeof__(&LAPACK(SYEVR)) syevr;
    __typeof__(&LAPACK(gesdd)) gesdd;
    __typeof__(&LAPACK(gesvd)) gesvd;
} solvers_t;

static solvers_t ours, theirs;
static __typeof__(&gsvd_lapack_eig_set) set;
static __typeof__(&gsvd_run) real_run;
static int all_runs; /* of gsvd_run                                          */
static int runs;     /* ... since the last check                             */
static int fails;    /* 1: it computes, and then says that it failed         */

GSVD_API gsvd_status_t gsvd_run(gsvd_handle_t h, const gsvd_problem_t *p)
{
    const gsvd_status_t status = real_run(h, p);
    ++runs, ++all_runs;
    return fails ? GSVD_NOT_CONVERGED : status;
}

/* In libgsvd_lapack_eig64 gsvd_run is not this program's. */
static int counts(void) { return sizeof(integer_t) == 4; }

enum { MOST = 40, PAD = 3, LIMIT = 30 };

typedef enum routine_eig { SYEVD_, SYEVR_, GESDD_, GESVD_, KINDS } kind_of_t;
static const char *const names[] = {
#if GSVD_COMPLEX
    LAPACK_NAME("HEEVD"), LAPACK_NAME("HEEVR"),
#else
    LAPACK_NAME("SYEVD"), LAPACK_NAME("SYEVR"),
#endif
    LAPACK_NAME("GESDD"), LAPACK_NAME("GESVD")};

/* All arguments of any of them; U: or Z. */
typedef struct args {
    kind_of_t kind;
    char job[3]; /* jobz, uplo, range; jobu, jobvt                            */
    integer_t m, n, lda, ldu, ldvt, il, iu, found, lwork, lrwork, liwork, info;
    real_t vl, vu;
    scalar_t *A, *U, *VT, *work;
    real_t *values, *rwork;
    integer_t *isuppz, *iwork;
    size_t bytes; /* of all arrays, which begin with A                        */
} a_t;

static void call(const solvers_t *r, a_t *a)
{
    static const real_t abstol = 0;
#if GSVD_COMPLEX
#define R a->rwork,
#define SIZED_R a->rwork, &a->lrwork,
#else
#define R
#define SIZED_R
#endif
    switch (a->kind) {
    case SYEVD_:
        r->syevd(&a->job[0], &a->job[1], &a->n, a->A, &a->lda, a->values,
                 a->work, &a->lwork, SIZED_R a->iwork, &a->liwork, &a->info, 1,
                 1);
        break;
    case SYEVR_:
        r->syevr(&a->job[0], &a->job[2], &a->job[1], &a->n, a->A, &a->lda,
                 &a->vl, &a->vu, &a->il, &a->iu, &abstol, &a->found, a->values,
                 a->U, &a->ldu, a->isuppz, a->work, &a->lwork, SIZED_R a->iwork,
                 &a->liwork, &a->info, 1, 1, 1);
        break;
    case GESDD_:
        r->gesdd(&a->job[0], &a->m, &a->n, a->A, &a->lda, a->values, a->U,
                 &a->ldu, a->VT, &a->ldvt, a->work, &a->lwork, R a->iwork,
                 &a->info, 1);
        break;
    default:
        r->gesvd(&a->job[0], &a->job[1], &a->m, &a->n, a->A, &a->lda, a->values,
                 a->U, &a->ldu, a->VT, &a->ldvt, a->work, &a->lwork,
                 R & a->info, 1, 1);
    }
}

/* ---- one call's arrays, NaN but for A ---------------------------------------- */

static a_t prepare(kind_of_t kind, const char *job, int m, int n,
                   const scalar_t *A0)
{
    const size_t a = (size_t)(m > n ? m : n), ld = a + PAD,
                 square = ld * (a + 1);
    const size_t w = 30 * a + 6 * a * a + 100;
    const size_t bytes = (3 * square + w) * sizeof(scalar_t) +
                         (a + 1 + w) * sizeof(real_t) +
                         (2 * (a + 1) + w) * sizeof(integer_t);
    scalar_t *const A = malloc(bytes);
    ck_assert_ptr_nonnull(A);
    memset(A, 0xff, bytes);
    memcpy(A, A0, (size_t)(m + PAD) * (size_t)n * sizeof *A);
    a_t x = {.kind = kind,
             .m = m,
             .n = n,
             .lda = m + PAD,
             .ldu = m + PAD,
             .ldvt = n + PAD,
             .il = 1,
             .iu = n,
             .found = -7,
             .info = 77,
             .lwork = (integer_t)w,
             .lrwork = (integer_t)w,
             .liwork = (integer_t)w,
             .A = A,
             .U = A + square,
             .VT = A + 2 * square,
             .work = A + 3 * square,
             .bytes = bytes};
    memcpy(x.job, job, strlen(job));
    x.values = (real_t *)(x.work + w);
    x.rwork = x.values + a + 1;
    x.isuppz = (integer_t *)(x.rwork + w);
    x.iwork = x.isuppz + 2 * (a + 1);
    return x;
}

static void release(a_t *a, a_t *b)
{
    free(a->A);
    if (b)
        free(b->A);
}

typedef enum family {
    NORMAL,
    INTEGER,
    LOW_RANK,
    ZERO,
    GRADED,
    FAMILIES
} family_t;

/* A0, with ld m + PAD; Hermitian or not, then the caller releases it */
static scalar_t *make_matrix(family_t family, int hermitian, int m, int n,
                             uint64_t *seed)
{
    const int64_t ld = m + PAD;
    scalar_t *const A0 = malloc((size_t)(ld * (n + 1)) * sizeof *A0);
    ck_assert_ptr_nonnull(A0);
    memset(A0, 0xff, (size_t)(ld * (n + 1)) * sizeof *A0);
    const mat_t A = mat_view(A0, m, n, ld);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            scalar_t x = random_normal_scalar(seed);
            if (family == INTEGER)
                x = make((real_t)random_below(seed, 5) - 2, 0);
            else if (family == ZERO)
                x = make(0, 0);
            else if (family == LOW_RANK)
                x = make((real_t)((i % 3 + 1) * (j % 3 + 1)), 0);
            else if (family == GRADED)
                x = scale((real_t)pow(0.5, (double)(i + j)), x);
            AT(A, i, j) = x;
        }
    for (int64_t j = 0; hermitian && j < n; ++j)
        for (int64_t i = 0; i <= j; ++i)
            AT(A, j, i) = conj_of(
                AT(A, i, j) = i == j ? make(re(AT(A, i, j)), 0) : AT(A, i, j));
    return A0;
}

/* A copy for the caller to release, of which the triangle that is not read is NaN */
static scalar_t *triangle_of(const scalar_t *full, char uplo, int n)
{
    const size_t bytes = (size_t)((n + PAD) * (n + 1)) * sizeof *full;
    scalar_t *const A0 = malloc(bytes);
    ck_assert_ptr_nonnull(A0);
    memcpy(A0, full, bytes);
    const mat_t A = mat_view(A0, n, n, n + PAD);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            if (uplo == 'U' || uplo == 'u' ? i > j : i < j)
                memset(&AT(A, i, j), 0xff, sizeof(scalar_t));
    return A0;
}

/* ---- measures ------------------------------------------------------------------ */

static double norm_of(mat_t X_)
{
    double sum = 0;
    for (int64_t j = 0; j < X_.cols; ++j)
        for (int64_t i = 0; i < X_.rows; ++i)
            sum += abs2(AT(X_, i, j));
    return sqrt(sum);
}

/* Of many columns some are looked at. */
static int64_t step(int64_t cols) { return cols > 2 * MOST ? cols / 16 : 1; }

/* of X or of X^H */
static scalar_t entry(mat_t X_, int64_t i, int64_t j, int adjoint)
{
    return adjoint ? conj_of(AT(X_, j, i)) : AT(X_, i, j);
}

/* || Y^H Y - I || / (rows of Y eps), Frobenius, Y = X or X^H */
static double defect(mat_t X_, int adjoint)
{
    const int64_t rows = adjoint ? X_.cols : X_.rows,
                  cols = adjoint ? X_.rows : X_.cols;
    double sum = 0;
    for (int64_t j = 0; j < cols; j += step(cols))
        for (int64_t i = 0; i < cols; ++i) {
            scalar_t s = make(i == j ? -1 : 0, 0);
            for (int64_t k = 0; k < rows; ++k)
                s = mul_add(conj_of(entry(X_, k, i, adjoint)),
                            entry(X_, k, j, adjoint), s);
            sum += abs2(s);
        }
    return sqrt(sum) / ((double)max_i(rows, 1) * GSVD_ULP);
}

/* || A V - U diag(w) || / (n |A| eps), Frobenius; adjoint: V is V^H */
static double residual(mat_t A, mat_t U, const real_t *w, mat_t V, int adjoint,
                       int64_t count)
{
    double sum = 0;
    for (int64_t j = 0; j < count; j += step(count))
        for (int64_t i = 0; i < A.rows; ++i) {
            scalar_t s = scale(-w[j], AT(U, i, j));
            for (int64_t k = 0; k < A.cols; ++k)
                s = mul_add(AT(A, i, k), entry(V, k, j, adjoint), s);
            sum += abs2(s);
        }
    const double norm = norm_of(A);
    return sum == 0
               ? 0
               : sqrt(sum) / ((double)max_i(A.rows, A.cols) * norm * GSVD_ULP);
}

static void check_ratio(const a_t *a, const char *what, double ratio)
{
    ck_assert_msg(ratio < LIMIT, "%s %.3s, %d x %d: %s %g", names[a->kind],
                  a->job, (int)a->m, (int)a->n, what, ratio);
}

/* eigenvectors of A */
static void check_vectors(const a_t *a, mat_t A, mat_t Q)
{
    check_ratio(a, "defect", defect(Q, 0));
    check_ratio(a, "residual", residual(A, Q, a->values, Q, 0, Q.cols));
}

/* as theirs, beside the norm of the matrix */
static void check_values(const a_t *a, const a_t *b, int64_t count, mat_t A)
{
    const double limit =
        LIMIT * (double)max_i(a->m, a->n) * GSVD_ULP * norm_of(A);
    for (int64_t i = 0; i < count; ++i)
        ck_assert_msg(fabs((double)a->values[i] - (double)b->values[i]) <=
                          limit,
                      "%s %.3s, %d x %d: value %d is %g, LAPACK's %g",
                      names[a->kind], a->job, (int)a->m, (int)a->n, (int)i,
                      (double)a->values[i], (double)b->values[i]);
}

static int is_untouched(const void *x, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        if (((const unsigned char *)x)[i] != 0xff)
            return 0;
    return 1;
}

/* what lies below the rows of a matrix, and behind its columns */
static void check_padding(const scalar_t *x, int64_t rows, int64_t cols,
                          int64_t ld, int64_t all)
{
    for (int64_t j = 0; j < all; ++j) {
        const int64_t first = j < cols ? rows : 0;
        ck_assert(
            is_untouched(x + first + j * ld, (size_t)(ld - first) * sizeof *x));
    }
}

/* what LAPACK says of workspaces: same numbers, though ours was not used */
static void check_workspaces(const a_t *a, const a_t *b)
{
    ck_assert(re(a->work[0]) == re(b->work[0]));
    if (a->kind == SYEVD_ || a->kind == SYEVR_) {
        ck_assert_int_eq(a->iwork[0], b->iwork[0]);
        ck_assert(!GSVD_COMPLEX || a->rwork[0] == b->rwork[0]);
    }
}

/* ---- tests ----------------------------------------------------------------------- */

static const gsvd_eigh_option_t methods[] = {GSVD_EIGH_FAST, GSVD_EIGH_AUTO,
                                             GSVD_EIGH_FACTOR};
static int on_device, shapes = 200;

/* everything of order 2 and more is libgsvd's, on the host */
static void everywhere(gsvd_eigh_option_t method)
{
    runs = fails = 0;
    ck_assert_int_eq(set(method, -1, 0), GSVD_SUCCESS);
}

static void check_runs(int64_t order)
{
    if (counts() && !on_device)
        ck_assert_int_eq(runs, order >= 2);
    runs = 0;
}

static void try_syevd(int n, const char *job, family_t family, uint64_t *seed)
{
    scalar_t *const full = make_matrix(family, 1, n, n, seed);
    scalar_t *const A0 = triangle_of(full, job[1], n);
    const mat_t A = mat_view(full, n, n, n + PAD);
    a_t a = prepare(SYEVD_, job, n, n, A0), b = prepare(SYEVD_, job, n, n, A0);
    call(&theirs, &b);
    call(&ours, &a);
    check_runs(n);
    ck_assert_int_eq(a.info, 0);
    check_values(&a, &b, n, A);
    check_workspaces(&a, &b);
    if (job[0] == 'V')
        check_vectors(&a, A, mat_view(a.A, n, n, n + PAD));
    check_padding(a.A, n, n, n + PAD, n + 1);
    release(&a, &b), free(full), free(A0);
}

START_TEST(syevd_like_lapack)
{
    static const char *const jobs[] = {"VU", "VL", "NU", "nl", "vL"};
    for (int i = 0; i < shapes; ++i) {
        uint64_t seed = (uint64_t)i;
        everywhere(methods[i % 3]);
        try_syevd(i < 15 ? i / 5 : (int)random_below(&seed, MOST), jobs[i % 5],
                  (family_t)random_below(&seed, FAMILIES), &seed);
    }
}
END_TEST

/* the range of b: by index or by value, between two values of all */
static void set_range(a_t *a, const real_t *all, uint64_t *seed)
{
    const int n = (int)a->n, first = n ? (int)random_below(seed, n) : 0;
    const int last = n ? first + (int)random_below(seed, n - first) : 0;
    a->il = n ? first + 1 : 1;
    a->iu = n ? last + 1 : 0;
    if (n == 0) {
        a->vu = 1;
        return;
    }
    a->vl = first ? (all[first - 1] + all[first]) / 2 : all[0] - 1;
    a->vu = last < n - 1 ? (all[last] + all[last + 1]) / 2 : all[n - 1] + 1;
    if (!(a->vl < a->vu)) /* of one value that has company                    */
        a->vu = all[n - 1] + 1;
}

static void try_syevr(int n, const char *job, family_t family, uint64_t *seed)
{
    scalar_t *const full = make_matrix(family, 1, n, n, seed);
    scalar_t *const A0 = triangle_of(full, job[1], n);
    const mat_t A = mat_view(full, n, n, n + PAD);
    a_t all = prepare(SYEVD_, "NU", n, n, full);
    call(&theirs, &all);
    a_t a = prepare(SYEVR_, job, n, n, A0), b = prepare(SYEVR_, job, n, n, A0);
    set_range(&a, all.values, seed);
    b.il = a.il, b.iu = a.iu, b.vl = a.vl, b.vu = a.vu;
    call(&theirs, &b);
    call(&ours, &a);
    check_runs(n);
    ck_assert_int_eq(a.info, 0);
    ck_assert_int_eq(a.found, b.found);
    check_values(&a, &b, a.found, A);
    check_workspaces(&a, &b);
    const int with_vectors = job[0] == 'V';
    if (with_vectors) {
        check_vectors(&a, A, mat_view(a.U, n, a.found, n + PAD));
        for (int i = 0; job[2] == 'A' && i < a.found; ++i)
            ck_assert(a.isuppz[2 * i] >= 1 &&
                      a.isuppz[2 * i] <= a.isuppz[2 * i + 1] &&
                      a.isuppz[2 * i + 1] <= n);
    }
    check_padding(a.U, n, with_vectors ? a.found : 0, n + PAD, n + 1);
    release(&a, &b), release(&all, NULL), free(full), free(A0);
}

START_TEST(syevr_like_lapack)
{
    static const char *const jobs[] = {"VUA", "VLI", "VUV", "NUV",
                                       "NLI", "NLA", "VLV"};
    for (int i = 0; i < shapes; ++i) {
        uint64_t seed = (uint64_t)i;
        everywhere(methods[i % 3]);
        /* values by rounding apart would fall on either side of a range's ends */
        const family_t family = (family_t)random_below(&seed, FAMILIES);
        try_syevr(i < 21 ? i / 7 : (int)random_below(&seed, MOST), jobs[i % 7],
                  jobs[i % 7][2] == 'V' ? NORMAL : family, &seed);
    }
}
END_TEST

/* U and V^H of these jobs, where they are; 0 columns: not there */
static void factors_of(const a_t *a, mat_t *U, mat_t *VT)
{
    const int64_t m = a->m, n = a->n, least = min_i(m, n);
    char u = a->job[0], v = a->job[1];
    if (a->kind == GESDD_) {
        v = u;
        if (u == 'O') {
            u = m < n ? 'A' : 'O';
            v = m < n ? 'O' : 'A';
        }
    }
    const int64_t cols = u == 'N' ? 0 : u == 'A' ? m : least;
    const int64_t rows = v == 'N' ? 0 : v == 'A' ? n : least;
    *U = u == 'O' ? mat_view(a->A, m, cols, a->lda)
                  : mat_view(a->U, m, cols, a->ldu);
    *VT = v == 'O' ? mat_view(a->A, rows, n, a->lda)
                   : mat_view(a->VT, rows, n, a->ldvt);
}

static void try_svd(kind_of_t kind, int m, int n, const char *job,
                    family_t family, uint64_t *seed)
{
    scalar_t *const A0 = make_matrix(family, 0, m, n, seed);
    const mat_t A = mat_view(A0, m, n, m + PAD);
    const int64_t least = min_i(m, n);
    a_t a = prepare(kind, job, m, n, A0), b = prepare(kind, job, m, n, A0);
    a_t full = prepare(GESVD_, "SS", m, n, A0);
    mat_t U, VT, U1, V1;
    call(&theirs, &b);
    call(&ours, &a);
    check_runs(least);
    ck_assert_int_eq(a.info, 0);
    check_values(&a, &b, least, A);
    check_workspaces(&a, &b);
    factors_of(&a, &U, &VT);
    if (least == 0) /* LAPACK sets nothing                                   */
        U.cols = VT.rows = 0;
    if (U.cols > 0)
        check_ratio(&a, "U", defect(U, 0));
    if (VT.rows > 0)
        check_ratio(&a, "V", defect(VT, 1));
    if (U.cols > 0 && VT.rows > 0)
        check_ratio(&a, "residual", residual(A, U, a.values, VT, 1, least));
    else if (U.cols > 0 ||
             VT.rows > 0) { /* with the other one by the same library */
        call(&ours, &full);
        runs = 0;
        factors_of(&full, &U1, &V1);
        check_ratio(&a, "residual",
                    residual(A, U.cols > 0 ? U : U1, a.values,
                             VT.rows > 0 ? VT : V1, 1, least));
    }
    if (U.data == a.U)
        check_padding(a.U, m, U.cols, a.ldu, max_i(m, n) + 1);
    if (VT.data == a.VT)
        check_padding(a.VT, VT.rows, VT.rows ? n : 0, a.ldvt, n + 1);
    check_padding(a.A, m, n, a.lda, n + 1);
    release(&a, &b), release(&full, NULL), free(A0);
}

START_TEST(gesvd_like_lapack)
{
    static const char jobs[] = "NSAO";
    for (int i = 0; i < 2 * shapes; ++i) {
        const char job[] = {jobs[i % 4], jobs[i / 4 % 4], '\0'};
        uint64_t seed = (uint64_t)i;
        const int m = i < 144 ? i / 16 / 3 : (int)random_below(&seed, MOST);
        const int n = i < 144 ? i / 16 % 3 : (int)random_below(&seed, MOST);
        if (strcmp(job, "OO") == 0)
            continue;
        everywhere(GSVD_EIGH_FAST);
        try_svd(GESVD_, m, n, job, (family_t)random_below(&seed, FAMILIES),
                &seed);
    }
}
END_TEST

START_TEST(gesdd_like_lapack)
{
    static const char *const jobs[] = {"N", "S", "A", "O"};
    for (int i = 0; i < 2 * shapes; ++i) {
        uint64_t seed = (uint64_t)i;
        const int m = i < 36 ? i / 4 / 3 : (int)random_below(&seed, MOST);
        const int n = i < 36 ? i / 4 % 3 : (int)random_below(&seed, MOST);
        everywhere(GSVD_EIGH_FAST);
        try_svd(GESDD_, m, n, jobs[i % 4],
                (family_t)random_below(&seed, FAMILIES), &seed);
    }
}
END_TEST

/* some call of each routine, of order 6 */
static a_t some_call(kind_of_t kind, const scalar_t *A0)
{
    static const char *const jobs[] = {"VU", "VLA", "S", "SS"};
    return prepare(kind, jobs[kind], 6, 6, A0);
}

static int same_results(const a_t *a, const a_t *b)
{
    return a->info == b->info && a->found == b->found &&
           memcmp(a->A, b->A, a->bytes) == 0;
}

/* Our defaults, an order below the least, and no success: LAPACK's own bits, all of them. */
START_TEST(all_else_is_lapacks)
{
    uint64_t seed = 5;
    scalar_t *const A0 = make_matrix(NORMAL, 1, 6, 6, &seed);
    for (int i = 0; i < 3 * KINDS; ++i) {
        const kind_of_t kind = (kind_of_t)(i % KINDS);
        everywhere(GSVD_EIGH_FAST);
        if (i / KINDS == 0)
            set(GSVD_EIGH_FAST, 512, -1);
        else if (i / KINDS == 1)
            set(GSVD_EIGH_FAST, 512, 7);
        else if (counts())
            fails = 1;
        else
            break;
        a_t a = some_call(kind, A0), b = some_call(kind, A0);
        call(&theirs, &b);
        call(&ours, &a);
        ck_assert_int_eq(runs, fails);
        if (!fails)
            ck_assert_msg(same_results(&a, &b), "%s: %d", names[kind], i);
        else { /* what LAPACK leaves as it finds it differs                   */
            ck_assert_int_eq(a.info, 0);
            ck_assert(memcmp(a.A, b.A, (size_t)(9 * 6) * sizeof *a.A) == 0);
            ck_assert(memcmp(a.values, b.values, 6 * sizeof *a.values) == 0);
            ck_assert(memcmp(a.U, b.U, (size_t)(9 * 6) * sizeof *a.U) == 0);
            ck_assert(memcmp(a.VT, b.VT, (size_t)(9 * 6) * sizeof *a.U) == 0);
        }
        release(&a, &b);
    }
    fails = 0;
    free(A0);
}
END_TEST

/* A stays as it is. */
START_TEST(nan_and_infinity)
{
    static const int number[] = {4, 6, 4, 5};
    uint64_t seed = 7;
    for (int i = 0; i < 2 * KINDS; ++i) {
        const kind_of_t kind = (kind_of_t)(i % KINDS);
        scalar_t *const A0 = make_matrix(NORMAL, 1, 6, 6, &seed);
        A0[0] = make(i < KINDS ? NAN : INFINITY, 0);
        a_t a = some_call(kind, A0);
        everywhere(methods[i % 3]);
        forget();
        call(&ours, &a);
        ck_assert_int_eq(a.info, -number[kind]);
        ck_assert_int_eq(xerbla_number, 0);
        ck_assert(memcmp(a.A, A0, (size_t)(6 * (6 + PAD)) * sizeof *A0) == 0);
        release(&a, NULL), free(A0);
    }
}
END_TEST

/* Values beyond the type's range are as LAPACK has them. */
START_TEST(values_too_large)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        uint64_t seed = 7;
        scalar_t *const A0 = make_matrix(NORMAL, 1, 6, 6, &seed);
        for (int j = 0; j < 6 * (6 + PAD); ++j)
            if (j % (6 + PAD) < 6)
                A0[j] = make(GSVD_REAL_MAX, 0);
        a_t a = some_call((kind_of_t)kind, A0);
        a_t b = some_call((kind_of_t)kind, A0);
        everywhere(GSVD_EIGH_AUTO);
        call(&theirs, &b);
        call(&ours, &a);
        ck_assert_int_eq(a.info, b.info);
        ck_assert(memcmp(a.values, b.values, 6 * sizeof *a.values) == 0);
        release(&a, &b), free(A0);
    }
}
END_TEST

START_TEST(workspace_queries)
{
    static const char *const jobs[] = {"VU", "VLA", "S", "SA",
                                       "NU", "NUI", "O", "NO"};
    const scalar_t A0[(MOST + PAD) * MOST] = {make(0, 0)};
    for (int i = 0; i < shapes; ++i) {
        const kind_of_t kind = (kind_of_t)(i % KINDS);
        uint64_t seed = (uint64_t)i;
        const int n = (int)random_below(&seed, MOST);
        const int m = kind < GESDD_ ? n : (int)random_below(&seed, MOST);
        a_t a = prepare(kind, jobs[i % 8], m, n, A0);
        a_t b = prepare(kind, jobs[i % 8], m, n, A0);
        a.lwork = b.lwork = a.lrwork = b.lrwork = a.liwork = b.liwork = -1;
        everywhere(GSVD_EIGH_FAST);
        call(&theirs, &b);
        call(&ours, &a);
        ck_assert_int_eq(runs, 0);
        ck_assert(same_results(&a, &b));
        release(&a, &b);
    }
}
END_TEST

/* the least workspaces of LAPACK's documents suffice, and one less is an error as with LAPACK */
START_TEST(least_workspaces)
{
    static const int real_least[] = {1 + 6 * 6 + 2 * 36, 26 * 6, 4 * 36 + 7 * 6,
                                     5 * 6};
    static const int complex_least[] = {2 * 6 + 36, 2 * 6, 36 + 3 * 6,
                                        2 * 6 + 6};
    uint64_t seed = 9;
    scalar_t *const A0 = make_matrix(NORMAL, 1, 6, 6, &seed);
    for (int i = 0; i < 2 * KINDS; ++i) {
        const kind_of_t kind = (kind_of_t)(i % KINDS);
        const int least = (GSVD_COMPLEX ? complex_least : real_least)[kind];
        a_t a = some_call(kind, A0), b = some_call(kind, A0);
        a.lwork = b.lwork = least - i / KINDS;
        if (kind == SYEVD_)
            a.liwork = 3 + 5 * 6, a.lrwork = 1 + 6 * 6 + 2 * 36;
        if (kind == SYEVR_)
            a.liwork = 10 * 6, a.lrwork = 24 * 6;
        everywhere(GSVD_EIGH_FAST);
        forget();
        call(&theirs, &b);
        const int number = xerbla_number;
        forget();
        call(&ours, &a);
        ck_assert_int_eq(a.info, b.info);
        ck_assert_int_eq(xerbla_number, number);
        if (counts())
            ck_assert_int_eq(runs, i < KINDS);
        release(&a, &b);
    }
    free(A0);
}
END_TEST

typedef struct mistake {
    char argument; /* 0 1 2: a job; capitals: leading dimensions              */
    int value;
} mistake_t;
static const mistake_t mistakes[] = {
    {'0', '/'}, {'1', '/'}, {'2', '/'}, {'m', -1}, {'n', -1}, {'A', 3},
    {'A', 0},   {'U', 0},   {'U', 3},   {'T', 0},  {'T', 3},  {'w', 0},
    {'w', -2},  {'i', 0},   {'r', 0},   {'v', 0},  {'l', 0},  {'l', 7},
    {'u', 0},   {'u', 7},   {'o', 'O'},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static void make_mistake(a_t *a, const mistake_t *e)
{
    const integer_t value = e->value;
    switch (e->argument) {
    case '0':
    case '1':
    case '2': a->job[e->argument - '0'] = (char)value; break;
    case 'm': a->m = value; break;
    case 'n': a->n = value; break;
    case 'A': a->lda = value; break;
    case 'U': a->ldu = value; break;
    case 'T': a->ldvt = value; break;
    case 'w': a->lwork = value; break;
    case 'i': a->liwork = value; break;
    case 'r': a->lrwork = value; break;
    case 'v': a->job[2] = 'V', a->vl = a->vu = value; break;
    case 'l': a->job[2] = 'I', a->il = value; break;
    case 'u': a->job[2] = 'I', a->iu = value; break;
    default: a->job[0] = a->job[1] = (char)value;
    }
}

/* alone and in pairs: name, number and INFO are theirs */
START_TEST(illegal_arguments)
{
    uint64_t seed = 3;
    int illegal = 0;
    scalar_t *const A0 = make_matrix(NORMAL, 1, 6, 6, &seed);
    for (int i = 0; i < KINDS * MISTAKES * MISTAKES; ++i) {
        const kind_of_t kind = (kind_of_t)(i % KINDS);
        a_t a = some_call(kind, A0), b = some_call(kind, A0);
        char name[sizeof xerbla_name];
        for (int side = 0; side < 2; ++side) {
            a_t *const x = side ? &b : &a;
            make_mistake(x, &mistakes[i / KINDS / MISTAKES]);
            make_mistake(x, &mistakes[i / KINDS % MISTAKES]);
        }
        everywhere(GSVD_EIGH_FAST);
        forget();
        call(&theirs, &b);
        strcpy(name, xerbla_name);
        const int number = xerbla_number;
        forget();
        call(&ours, &a);
        ck_assert_int_eq(a.info, b.info);
        ck_assert_int_eq(xerbla_number, number);
        ck_assert_str_eq(xerbla_name, name);
        if (b.info < 0) {
            ++illegal;
            ck_assert_str_eq(name, names[kind]);
            ck_assert(same_results(&a, &b));
            ck_assert_int_eq(runs, 0);
        }
        release(&a, &b);
    }
    ck_assert_int_gt(illegal, KINDS * MISTAKES * MISTAKES / 2);
    free(A0);
}
END_TEST

START_TEST(settings)
{
    ck_assert_int_eq(set((gsvd_eigh_option_t)7, 1, 1), GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(set(GSVD_EIGH_AUTO, 0, -1), GSVD_SUCCESS);
    uint64_t seed = 3;
    scalar_t *const A0 = make_matrix(NORMAL, 1, 6, 6, &seed);
    for (int kind = 0; kind < KINDS; ++kind) {
        a_t a = some_call((kind_of_t)kind, A0);
        everywhere(GSVD_EIGH_AUTO);
        errno = ENOTTY;
        call(&ours, &a);
        ck_assert_int_eq(errno, ENOTTY);
        release(&a, NULL);
    }
    free(A0);
}
END_TEST

/* The library's defaults, and matrices that it gives to a device if there is one. */
START_TEST(on_devices)
{
    enum { N = 520 };
    for (int i = 0; i < 2; ++i) {
        uint64_t seed = 1;
        runs = all_runs = 0;
        ck_assert_int_eq(set(methods[i], 512, -1), GSVD_SUCCESS);
        try_syevd(N, "VL", NORMAL, &seed);
        try_syevd(N, "NU", NORMAL, &seed);
        try_syevr(N, "VUI", NORMAL, &seed);
        try_syevr(N, "VUV", NORMAL, &seed);
        try_svd(GESDD_, N, N + 9, "S", NORMAL, &seed);
        try_svd(GESVD_, N + 9, N, "OA", NORMAL, &seed);
        ck_assert_int_ge(all_runs, 6);
        all_runs = 0;
    }
}
END_TEST

static int has_device(void *library)
{
    __typeof__(&gsvd_create) create;
    __typeof__(&gsvd_get_device) get_device;
    __typeof__(&gsvd_destroy) destroy;
    gsvd_handle_t h;
    int where = GSVD_HOST;
    *(void **)&create = dlsym(library, "gsvd_create");
    *(void **)&get_device = dlsym(library, "gsvd_get_device");
    *(void **)&destroy = dlsym(library, "gsvd_destroy");
    if (create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 0;
    const gsvd_status_t status = get_device(h, &where);
    destroy(h);
    return status == GSVD_SUCCESS && where != GSVD_HOST;
}

static int open_solvers(void *library, solvers_t *r)
{
    *(void **)&r->syevd = dlsym(library, NAME_OF(GSVD_LETTER, SYEVD));
    *(void **)&r->syevr = dlsym(library, NAME_OF(GSVD_LETTER, SYEVR));
    *(void **)&r->gesdd = dlsym(library, NAME_OF(GSVD_LETTER, gesdd));
    *(void **)&r->gesvd = dlsym(library, NAME_OF(GSVD_LETTER, gesvd));
    return r->syevd && r->syevr && r->gesdd && r->gesvd;
}

int main(int argc, char **argv)
{
    const TTest *const large[] = {on_devices};
    const TTest *const on_host[] = {syevd_like_lapack,
                                    syevr_like_lapack,
                                    gesvd_like_lapack,
                                    gesdd_like_lapack,
                                    all_else_is_lapacks,
                                    nan_and_infinity,
                                    values_too_large,
                                    workspace_queries,
                                    least_workspaces,
                                    illegal_arguments,
                                    settings};
    if (argc != 4) {
        fprintf(stderr, "usage: %s OURS THEIRS host|device\n", argv[0]);
        return 1;
    }
    /* theirs first, for all to see: as in a program that is linked to LAPACK */
    void *const lapack = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
    if (!lapack || !open_solvers(lapack, &theirs)) {
        fprintf(stderr, "%s: not there\n", argv[2]);
        return 77;
    }
    void *const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library || !open_solvers(library, &ours)) {
        fprintf(stderr, "%s: %s\n", argv[1], dlerror());
        return 1;
    }
    *(void **)&set = dlsym(library, "gsvd_lapack_eig_set");
    *(void **)&real_run = dlsym(library, "gsvd_run");
    if (!set || (counts() && !real_run))
        return 1;
    on_device = strcmp(argv[3], "device") == 0;
    if (on_device && !has_device(library))
        return 77;
    if (is_quick())
        shapes = 60;
    return on_device ? RUN_TESTS("lapack_eig", large)
                     : RUN_TESTS("lapack_eig", on_host);
}
