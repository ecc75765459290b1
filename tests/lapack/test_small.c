/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_small.c -- libgsvd_lapack decomposes small pairs by itself (src/lapack/small.c): they are
 * those of libgsvd, bit for bit, on either side of the limit and whatever is left to libgsvd.
 *
 *     test_lapack_small_<letter> LIBGSVD_LAPACK LIBGSVD
 */
#include <check.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "harness/random.h"
#include "lapack/calls.h"

static routines_t ours;

/* libgsvd's own functions */
static struct {
    __typeof__(&gsvd_create) create;
    __typeof__(&gsvd_set_option) set_option;
    __typeof__(&GSVD_ENTRY) pair;
    __typeof__(&X(preprocess)) preprocess;
    __typeof__(&X(solve)) solve;
} libgsvd;

static gsvd_handle_t handle;

enum { MOST = 5, PAD = 2, LD = MOST + PAD, COUNT = LD * MOST };

/* One call's arrays; what is not input is NaN. */
typedef struct memory {
    scalar_t A[COUNT], B[COUNT], U[COUNT], V[COUNT], Q[COUNT];
    real_t alpha[MOST], beta[MOST];
} memory_t;

typedef struct result {
    memory_t x;
    int info;
    int64_t k, l;
} result_t;

static scalar_t work[1000], tau[MOST];
static real_t rwork[2 * MOST];
static integer_t iwork[MOST];

static call_t call_of(result_t *r, const char *jobs, int m, int n, int p)
{
    memory_t *const x = &r->x;
    call_t c = new_call(jobs, m, n, p, 0);
    TAKE_ARRAYS(&c, x);
    c.k = (integer_t)r->k, c.l = (integer_t)r->l;
    c.lda = c.ldb = c.ldu = c.ldv = c.ldq = LD;
    c.work = work, c.tau = tau, c.rwork = rwork, c.iwork = iwork;
    c.lwork = (integer_t)(sizeof work / sizeof *work);
    return c;
}

/* by libgsvd_lapack */
static void call_ours(routine_t routine, const char *jobs, int m, int n, int p,
                      real_t tol, result_t *r)
{
    call_t c = call_of(r, jobs, m, n, p);
    c.tola = c.tolb = tol;
    call_routine(&ours, routine, &c);
    r->info = (int)c.info;
    r->k = c.k;
    r->l = c.l;
}

/* by libgsvd */
static void call_theirs(routine_t routine, const char *jobs, int m, int n,
                        int p, real_t tol, result_t *r)
{
    memory_t *const x = &r->x;
    if (routine == GGSVD3)
        libgsvd.pair(handle, jobs[0], jobs[1], jobs[2], m, n, p, &r->k, &r->l,
                     x->A, LD, x->B, LD, x->alpha, x->beta, x->U, LD, x->V, LD,
                     x->Q, LD, &r->info);
    else if (routine == GGSVP3)
        libgsvd.preprocess(handle, jobs[0], jobs[1], jobs[2], m, p, n, x->A, LD,
                           x->B, LD, tol, tol, &r->k, &r->l, x->U, LD, x->V, LD,
                           x->Q, LD, &r->info);
    else
        libgsvd.solve(handle, jobs[0], jobs[1], jobs[2], m, p, n, r->k, r->l,
                      x->A, LD, x->B, LD, -1, -1, x->alpha, x->beta, x->U, LD,
                      x->V, LD, x->Q, LD, &r->info);
}

/* ---- pairs ------------------------------------------------------------------ */

typedef enum family {
    NORMAL,
    INTEGER, /* many are rank deficient                                      */
    ROWS,    /* differ by 2^+-40: they are sorted                            */
    COLUMNS, /* differ by 2^+-10                                             */
    LARGE,   /* R may overflow                                               */
    NOT_FINITE,
    FAMILIES
} family_t;

static void fill(scalar_t *X_, int rows, int cols, family_t family,
                 uint64_t *seed)
{
    int e_row[MOST], e_col[MOST];
    for (int i = 0; i < MOST; ++i) {
        e_row[i] = family == ROWS ? (int)random_below(seed, 81) - 40 : 0;
        e_col[i] = family == COLUMNS ? (int)random_below(seed, 21) - 10 : 0;
    }
    for (int j = 0; j < cols; ++j)
        for (int i = 0; i < rows; ++i) {
            scalar_t x = random_normal_scalar(seed);
            if (family == INTEGER)
                x = make((real_t)random_below(seed, 3) - 1, 0);
            if (family == LARGE)
                x = scale(GSVD_REAL_MAX / 8, x);
            X_[i + j * LD] = scale(ldexp_r(1, e_row[i] + e_col[j]), x);
        }
    if (family == NOT_FINITE && rows > 0 && cols > 0)
        X_[random_below(seed, rows) + random_below(seed, cols) * LD] =
            make((real_t)NAN, 0);
}

/* Both results are alike to the last bit. */
static void ck_assert_same(const result_t *a, const result_t *b,
                           const char *what, int m, int n, int p, int family)
{
    const int same = a->info == b->info && a->k == b->k && a->l == b->l &&
                     memcmp(&a->x, &b->x, sizeof a->x) == 0;
    ck_assert_msg(same, "%s: %d x %d, %d, family %d: info %d %d", what, m, n, p,
                  family, a->info, b->info);
}

/* ... or both refused: libgsvd_lapack says so in all results, too */
static void ck_assert_alike(const result_t *a, const result_t *b,
                            const char *what, int m, int n, int p, int family)
{
    ck_assert_int_eq(a->info, b->info);
    if (b->info >= 0)
        ck_assert_same(a, b, what, m, n, p, family);
}

/* LAPACK's symbols have R without factors, too: it is that of a call with them. */
static void check_r_alone(const result_t *start, const result_t *all, int m,
                          int n, int p, int family)
{
    result_t r = *start;
    call_ours(GGSVD3, "NNN", m, n, p, 0, &r);
    memcpy(r.x.U, all->x.U, sizeof r.x.U);
    memcpy(r.x.V, all->x.V, sizeof r.x.V);
    memcpy(r.x.Q, all->x.Q, sizeof r.x.Q);
    ck_assert_same(&r, all, "R alone", m, n, p, family);
}

static void check_pair(int m, int n, int p, int family)
{
    static const char *const jobs[] = {"UVQ", "NVN", "UNQ"};
    static const char *const starts[] = {"UVQ", "IIN", "NVI"};
    uint64_t seed = (uint64_t)(m + 10 * n + 100 * p + 1000 * family);
    result_t start, a, b;

    memset(&start, 0xff, sizeof start);
    start.info = 0;
    start.k = start.l = 0;
    fill(start.x.A, m, n, (family_t)family, &seed);
    fill(start.x.B, p, n, (family_t)family, &seed);
    for (int i = 0; i < 3; ++i) {
        a = b = start;
        call_ours(GGSVP3, jobs[i], m, n, p, (real_t)1e-5, &a);
        call_theirs(GGSVP3, jobs[i], m, n, p, (real_t)1e-5, &b);
        ck_assert_alike(&a, &b, "xGGSVP3", m, n, p, family);
        a = b = start;
        call_ours(GGSVD3, jobs[i], m, n, p, 0, &a);
        call_theirs(GGSVD3, jobs[i], m, n, p, 0, &b);
        ck_assert_alike(&a, &b, "xGGSVD3", m, n, p, family);
        if (b.info == 0 && i == 0 && m <= 4 && n <= p && p <= 4 &&
            family == NORMAL)
            check_r_alone(&start, &a, m, n, p, family);
    }
    if (family == NOT_FINITE)
        return;
    call_theirs(GGSVP3, "UVQ", m, n, p, (real_t)1e-5, &start);
    ck_assert_int_ge(start.info, 0);
    for (int i = 0; i < 3; ++i) {
        a = b = start;
        call_ours(TGSJA, starts[i], m, n, p, 0, &a);
        call_theirs(TGSJA, starts[i], m, n, p, 0, &b);
        ck_assert_same(&a, &b, "xTGSJA", m, n, p, family);
    }
}

START_TEST(same_bits)
{
    for (int family = 0; family < FAMILIES; ++family)
        for (int m = 0; m <= MOST; ++m)
            for (int n = 0; n <= MOST; ++n)
                for (int p = 0; p <= MOST; ++p)
                    check_pair(m, n, p, family);
}
END_TEST

#define FIND(member, name)                                                     \
    *(void **)&libgsvd.member = dlsym(library, name);                          \
    if (!libgsvd.member)                                                       \
    return 0

#define TEXT_(letter, name) #letter name
#define TEXT(letter, name) TEXT_(letter, name)

static int open_libgsvd(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 0;
    FIND(create, "gsvd_create");
    FIND(set_option, "gsvd_set_option");
    FIND(pair, TEXT(GSVD_LETTER, "gsvd"));
    FIND(preprocess, TEXT(GSVD_LETTER, "gsvd_preprocess"));
    FIND(solve, TEXT(GSVD_LETTER, "gsvd_solve"));
    return libgsvd.create(&handle, GSVD_HOST) == GSVD_SUCCESS &&
           libgsvd.set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_OFF) ==
               GSVD_SUCCESS;
}

int main(int argc, char **argv)
{
    const TTest *const tests[] = {same_bits};
    if (argc != 3 || !open_routines(argv[1], RTLD_LOCAL, &ours) ||
        !open_libgsvd(argv[2]))
        return EXIT_FAILURE;
    return RUN_TESTS("small", tests);
}
