/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_extent.c -- batches of one and of very many problems, and such as lie more than
 * 2^31 elements apart: each result of each problem is checked, up to the last.
 *
 *     test_batched_extent_<letter> cpu|cuda [slow]    slow: a million problems
 */
#define _DEFAULT_SOURCE /* MAP_NORESERVE */
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>

#include "harness/harness.h"

/* ---- problems of order 2 ---------------------------------------------------------- */

enum { ORDER = 2, FENCE = 16 };
enum { OF_A, OF_B, OF_U, OF_V, OF_Q, OF_ALPHA, OF_BETA, ARRAYS };
enum { SVDS, HSVDS, PAIRS, KINDS };
static const char *const kind_of[KINDS] = {"svd", "hsvd", "gsvd"};

/* Where the matrices, or the values, of a batch lie; on the device in the same manner */
typedef struct array {
    char *host, *device;
    size_t element, bytes;
    int64_t ld, stride;
    int is_far; /* memory of addresses alone, where nothing is written       */
} array_t;

typedef struct tiny {
    int kind, pointers;
    int64_t count;
    array_t array[ARRAYS];
    int64_t *k, *l;
    int *info;
    gsvd_status_t status;
} tiny_t;

/* How matrices lie: behind one another, apart by far more, or one above another in a matrix of
 * INT_MAX rows; on a device A alone, as its memory is not of addresses alone. */
typedef enum spread { NEAR, APART, ABOVE } spread_t;

/* Bytes that nobody has to have as long as they are not written; NULL: no such addresses */
static void *reserve(size_t bytes)
{
    void *const p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static int is_absent(int what, int x)
{
    return what != PAIRS && (x == OF_B || x == OF_Q || x == OF_BETA);
}

/* 0: there is no memory for it. */
static int lay_out(const tiny_t *b, int x, spread_t spread, array_t *a)
{
    const int is_vector = x == OF_ALPHA || x == OF_BETA;
    const int far = spread != NEAR && !is_vector && (x == OF_A || !on_device);
    const int64_t count = max_i(b->count, 1);

    *a = (array_t){.element = is_vector ? sizeof(real_t) : sizeof(scalar_t),
                   .ld = ORDER,
                   .stride = is_vector ? ORDER : ORDER * ORDER,
                   .is_far = far};
    if (is_absent(b->kind, x))
        return 1;
    if (far && spread == APART)
        a->stride = ((int64_t)1 << 31) / 8 + 3;
    if (far && spread == ABOVE) {
        a->ld = INT_MAX;
        a->stride = ORDER;
    }
    const int64_t last = (count - 1) * a->stride + a->ld * (ORDER - 1) + ORDER;
    a->bytes = (size_t)last * a->element;
    a->host = far ? reserve(a->bytes) : grab(a->bytes);
    if (!a->host)
        return 0;
    if (!on_device)
        return 1;
    if (!far)
        a->device = grab_backend(a->bytes);
    else if (handle->space->allocate(handle, (void **)&a->device, a->bytes) !=
             GSVD_SUCCESS)
        a->device = NULL;
    return a->device != NULL;
}

static void release_far(tiny_t *b)
{
    for (int x = 0; x < ARRAYS; ++x) {
        array_t *const a = &b->array[x];
        if (!a->is_far || !a->host)
            continue;
        ck_assert_int_eq(munmap(a->host, a->bytes), 0);
        if (a->device)
            handle->space->release(handle, a->device);
    }
}

/* Column j of matrix i of array x */
static scalar_t *column(const tiny_t *b, int x, int64_t i, int64_t j)
{
    const array_t *const a = &b->array[x];
    return (scalar_t *)(void *)a->host + i * a->stride + j * a->ld;
}

static const real_t *values(const tiny_t *b, int x, int64_t i)
{
    return (const real_t *)(const void *)b->array[x].host + i * ORDER;
}

/* Matrix i, by columns: diag(3, 1) and numbers below 1/2 */
static void make_matrix(int64_t i, int second, scalar_t *a)
{
    uint64_t seed = (uint64_t)(2 * i + second) * 7919;
    for (int k = 0; k < ORDER * ORDER; ++k) {
        const scalar_t x = scale((real_t)0.35, random_uniform_scalar(&seed));
        a[k] = add(x, make((real_t)(k == 0 ? 3 : k == 3 ? 1 : 0), 0));
    }
}

static void fill_problems(const tiny_t *b)
{
    scalar_t a[ORDER * ORDER];
    for (int x = OF_A; x <= OF_B; ++x)
        for (int64_t i = 0; i < b->count && b->array[x].host; ++i) {
            make_matrix(i, x == OF_B, a);
            for (int j = 0; j < ORDER; ++j)
                memcpy(column(b, x, i, j), a + j * ORDER,
                       ORDER * sizeof(scalar_t));
        }
}

static void *fenced(int64_t count, size_t element)
{
    return grab((size_t)(count + FENCE) * element);
}

static tiny_t new_tiny(int what, int pointers, int64_t count, spread_t spread,
                       int *enough)
{
    tiny_t b = {.kind = what, .pointers = pointers, .count = count};
    *enough = 1;
    for (int x = 0; x < ARRAYS && *enough; ++x)
        *enough = lay_out(&b, x, spread, &b.array[x]);
    b.k = fenced(count, sizeof *b.k);
    b.l = fenced(count, sizeof *b.l);
    b.info = fenced(count, sizeof *b.info);
    if (*enough)
        fill_problems(&b);
    return b;
}

/* ---- calls -------------------------------------------------------------------------- */

/* Between the host's arrays and the device's: all of it, or, of far ones, the matrices */
static void move(const tiny_t *b, int x, int up)
{
    const array_t *const a = &b->array[x];
    const size_t some = ORDER * a->element;
    if (!a->is_far && up)
        put(a->device, a->host, a->bytes);
    else if (!a->is_far)
        get(a->host, a->device, a->bytes);
    for (int64_t i = 0; i < b->count * ORDER && a->is_far; ++i) {
        char *const host = (char *)column(b, x, i / ORDER, i % ORDER);
        char *const there = a->device + (host - a->host);
        if (up)
            put(there, host, some);
        else
            get(host, there, some);
    }
}

/* The arguments of a call: bases or lists of addresses, and the results of each problem */
typedef struct sent {
    void *at[ARRAYS];
    int64_t *k, *l;
    int *info;
} sent_t;

static void *list_of(const tiny_t *b, int x, door_t door)
{
    const array_t *const a = &b->array[x];
    char *const base = door == GPU ? a->device : a->host;
    const size_t bytes = (size_t)b->count * sizeof(void *);
    void **const list = grab(bytes);
    for (int64_t i = 0; i < b->count; ++i)
        list[i] = base + (size_t)(i * a->stride) * a->element;
    if (door == HOST)
        return list;
    void *const there = grab_backend(bytes);
    put(there, (const void *)list, bytes);
    return there;
}

static sent_t send(const tiny_t *b, door_t door)
{
    const size_t n = (size_t)(b->count + FENCE);
    sent_t s = {.k = b->k, .l = b->l, .info = b->info};

    for (int x = 0; x < ARRAYS; ++x) {
        const array_t *const a = &b->array[x];
        if (a->host && door == GPU)
            move(b, x, 1);
        s.at[x] = b->pointers && a->host ? list_of(b, x, door)
                  : door == GPU          ? a->device
                                         : a->host;
    }
    if (door == HOST)
        return s;
    s.k = grab_backend(n * sizeof *s.k);
    s.l = grab_backend(n * sizeof *s.l);
    s.info = grab_backend(n * sizeof *s.info);
    put(s.k, b->k, n * sizeof *s.k);
    put(s.l, b->l, n * sizeof *s.l);
    put(s.info, b->info, n * sizeof *s.info);
    return s;
}

static void receive(const tiny_t *b, const sent_t *s)
{
    const size_t n = (size_t)(b->count + FENCE);
    for (int x = 0; x < ARRAYS; ++x)
        if (b->array[x].host)
            move(b, x, 0);
    get(b->k, s->k, n * sizeof *s->k);
    get(b->l, s->l, n * sizeof *s->l);
    get(b->info, s->info, n * sizeof *s->info);
}

static gsvd_problem_t problem_of(const tiny_t *b, door_t door, const sent_t *s)
{
    static const gsvd_routine_t routine[KINDS] = {
        GSVD_ROUTINE_SVD, GSVD_ROUTINE_HSVD, GSVD_ROUTINE_GSVD};
    static const char *const jobs[KINDS] = {"SS", "SV", "UVQ"};
    gsvd_problem_t p =
        new_problem(routine[b->kind], door, jobs[b->kind], ORDER, ORDER, ORDER);
    gsvd_array_t *const member[ARRAYS] = {&p.A, &p.B,     &p.U,   &p.V,
                                          &p.Q, &p.alpha, &p.beta};

    p.n_plus = 1;
    p.batch = b->count;
    for (int x = 0; x < ARRAYS; ++x) {
        const array_t *const a = &b->array[x];
        *member[x] =
            b->pointers
                ? (gsvd_array_t){.each = (void *const *)s->at[x], .ld = a->ld}
                : (gsvd_array_t){
                      .data = s->at[x], .ld = a->ld, .stride = a->stride};
    }
    p.k_out = s->k;
    p.l_out = s->l;
    p.info = s->info;
    return p;
}

static void call_tiny(tiny_t *b, door_t door)
{
    const sent_t s = send(b, door);
    const gsvd_problem_t p = problem_of(b, door, &s);
    b->status = gsvd_run(handle, &p);
    if (door == GPU)
        receive(b, &s);
}

/* ---- what the results have to be ------------------------------------------------------ */

/* The largest |entry| of X - U diag(d) Y, all of order 2, by columns */
static double error_of(const scalar_t *x, const scalar_t *u, const double *d,
                       const scalar_t *y)
{
    double most = 0;
    for (int j = 0; j < ORDER; ++j)
        for (int i = 0; i < ORDER; ++i) {
            scalar_t e = x ? x[i + j * ORDER] : make(i == j, 0);
            for (int k = 0; k < ORDER; ++k)
                e = sub(e, scale((real_t)d[k],
                                 mul(u[i + k * ORDER], y[k + j * ORDER])));
            const double size = (double)abs_of(e);
            most = size <= most ? most : size; /* a NaN stays                 */
        }
    return most;
}

static void take(const tiny_t *b, int x, int64_t i, int ctrans, scalar_t *to)
{
    for (int j = 0; j < ORDER; ++j)
        for (int r = 0; r < ORDER; ++r) {
            const scalar_t a = column(b, x, i, j)[r];
            if (ctrans)
                to[j + r * ORDER] = conj_of(a);
            else
                to[r + j * ORDER] = a;
        }
}

/* The departure of a factor from being unitary, or, with signs, of V^H J V from J */
static double departure(const tiny_t *b, int x, int64_t i, int with_signs)
{
    const double d[] = {1, with_signs ? -1 : 1};
    scalar_t U[4], Uh[4],
        J[4] = {make(1, 0), make(0, 0), make(0, 0), make((real_t)d[1], 0)};
    take(b, x, i, 0, U);
    take(b, x, i, 1, Uh);
    return error_of(J, Uh, d, U);
}

/* The largest error of problem i, all of whose numbers are next to 1 */
static double worst_of(const tiny_t *b, int64_t i)
{
    scalar_t A[4], B[4], U[4], V[4], Y[4], R[4], Qh[4];
    double a[ORDER], c[ORDER], e[5] = {0};
    make_matrix(i, 0, A);
    make_matrix(i, 1, B);
    take(b, OF_U, i, 0, U);
    e[1] = departure(b, OF_U, i, 0);
    e[2] = departure(b, OF_V, i, b->kind == HSVDS);
    for (int j = 0; j < ORDER; ++j) {
        a[j] = (double)values(b, OF_ALPHA, i)[j];
        c[j] = b->kind == PAIRS ? (double)values(b, OF_BETA, i)[j] : 0;
    }
    if (b->kind != PAIRS) {
        take(b, OF_V, i, 1, Y);
        e[0] = error_of(A, U, a, Y);
    } else {
        take(b, OF_A, i, 0, R);
        R[1] = make(0, 0);
        take(b, OF_Q, i, 1, Qh);
        for (int k = 0; k < 4; ++k) /* R Q^H                                 */
            Y[k] = add(mul(R[k % 2], Qh[k / 2 * 2]),
                       mul(R[k % 2 + 2], Qh[k / 2 * 2 + 1]));
        take(b, OF_V, i, 0, V);
        e[0] = error_of(A, U, a, Y);
        e[3] = error_of(B, V, c, Y);
        e[4] = departure(b, OF_Q, i, 0);
    }
    for (int k = 1; k < 5; ++k)
        e[0] = e[k] <= e[0] ? e[0] : e[k];
    return e[0];
}

static void ck_assert_fence(const tiny_t *b)
{
    const unsigned char *const end[] = {
        (unsigned char *)(b->info + b->count),
        (unsigned char *)(b->k + (b->kind == PAIRS ? b->count : 0)),
        (unsigned char *)(b->l + (b->kind == PAIRS ? b->count : 0))};
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < FENCE; ++i)
            ck_assert_uint_eq(end[a][i], 0xff);
}

/* Every problem, and nothing behind the last: calls of Check are too slow for each. */
static void ck_assert_all(const tiny_t *b)
{
    const double allowed = 100 * (double)GSVD_ULP;
    int64_t wrong = 0, first = -1;
    double worst = 0;

    ck_assert_ok(b->status);
    for (int64_t i = 0; i < b->count; ++i) {
        const int told = b->info[i] == 0 &&
                         (b->kind != PAIRS || (b->k[i] == 0 && b->l[i] == 2));
        const double e = told ? worst_of(b, i) : NAN;
        worst = e <= worst ? worst : e;
        if (!(e <= allowed) && wrong++ == 0)
            first = i;
    }
    ck_assert_msg(wrong == 0, "%s: %ld of %ld problems, the first is %ld; %g",
                  kind_of[b->kind], (long)wrong, (long)b->count, (long)first,
                  worst);
    ck_assert_fence(b);
}

/* ---- tests ------------------------------------------------------------------------------ */

static void check_count(int what, int pointers, int64_t count)
{
    for (int door = 0; door < doors(); ++door) {
        int enough;
        tiny_t b = new_tiny(what, pointers, count, NEAR, &enough);
        ck_assert(enough);
        call_tiny(&b, (door_t)door);
        ck_assert_all(&b);
        release_pool();
    }
}

START_TEST(counts)
{
    static const int64_t count[] = {1, 65535, 65536, 65537};
    for (int i = 0; i < 4; ++i)
        check_count(_i / 2, _i % 2, quick ? min_i(count[i], 67) : count[i]);
}
END_TEST

START_TEST(a_million) { check_count(_i / 2, _i % 2, 1000000); }
END_TEST

/* Offsets beyond 2^31 elements */
START_TEST(far_apart)
{
    const int what = _i / 4, pointers = _i / 2 % 2;
    const spread_t spread = _i % 2 ? ABOVE : APART;
    for (int door = 0; door < doors(); ++door) {
        int enough;
        tiny_t b = new_tiny(what, pointers, 9, spread, &enough);
        if (enough) {
            call_tiny(&b, (door_t)door);
            ck_assert_all(&b);
        } else {
            fprintf(stderr, "batched_extent: no %zu bytes for an array\n",
                    b.array[OF_A].bytes);
        }
        release_far(&b);
        release_pool();
    }
}
END_TEST

/* The number of operations of the largest sizes is no 64-bit integer: the answer is a status. */
START_TEST(largest_sizes)
{
    const int64_t n = INT_MAX;
    gsvd_problem_t svds = new_problem(GSVD_ROUTINE_SVD, HOST, "SS", n, n, 0);
    gsvd_problem_t pairs = new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ", n, n, n);
    size_t d, w;
    svds.batch = pairs.batch = _i ? INT64_MAX : 1;
    const gsvd_status_t one = workspace_of(handle, svds, &d, &w);
    ck_assert(one == GSVD_SUCCESS || one == GSVD_OUT_OF_MEMORY);
    const gsvd_status_t two = workspace_of(handle, pairs, &d, &w);
    ck_assert(two == GSVD_SUCCESS || two == GSVD_OUT_OF_MEMORY);
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("batched_extent");
    TCase *const t = add_tcase(s, "extent");
    if (arguments > 2 && strcmp(argument[2], "slow") == 0) {
        tcase_add_loop_test(t, a_million, 0, KINDS * 2);
        return s;
    }
    tcase_add_loop_test(t, counts, 0, KINDS * 2);
    tcase_add_loop_test(t, far_apart, 0, KINDS * 4);
    tcase_add_loop_test(t, largest_sizes, 0, 2);
    return s;
}
