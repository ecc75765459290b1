/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batches.c -- see batches.h. */
#include "harness/batches.h"

#include <math.h>

#include "harness/signed.h"

const char *const kind_name[KINDS] = {"svd", "hsvd", "gsvd"};
const char *const form_name[FORMS] = {"strided", "stacked", "pointers",
                                      "sizes"};

enum { GAP = 3, ALIGN = 64, FILLED = 0xff };

/* ---- problems --------------------------------------------------------------- */

static int64_t size_of(const many_t *b, int which, int64_t i)
{
    return b->each[which][i];
}

/* Rows and columns of array x where sizes are m, n, p */
static void shape_of(const many_t *b, many_array_t x, const int64_t size[3],
                     int64_t *rows, int64_t *cols)
{
    const int64_t m = size[0], n = size[1], p = size[2], r = min_i(m, n);
    const int pair = b->kind == MANY_GSVD;
    const int64_t economy[] = {r, pair ? min_i(p, n) : r, min_i(n, m + p)};
    const int64_t order[] = {m, pair ? p : n, n};

    *cols = x == MANY_ALPHA || x == MANY_BETA ? 1 : n;
    switch (x) {
    case MANY_A: *rows = m; break;
    case MANY_B: *rows = pair ? p : 0; break;
    case MANY_ALPHA: *rows = pair ? n : r; break;
    case MANY_BETA: *rows = pair ? n : 0; break;
    default: {
        const int f = (int)x - MANY_U;
        const char job = f == 2 && !pair ? 'N' : b->job[f];
        *rows = job == 'N' ? 0 : order[f];
        *cols = job == 'S' ? economy[f] : order[f];
    }
    }
}

static char *aligned(size_t bytes)
{
    char *const p = grab(bytes + ALIGN);
    return p + (ALIGN - (uintptr_t)p % ALIGN) % ALIGN;
}

/* Where problem i lies among the others: in another order where there are addresses */
static int64_t rank_of(const many_t *b, int64_t i)
{
    return b->form == STRIDED || b->form == STACKED ? i : b->count - 1 - i;
}

static void lay_out(many_t *b, many_array_t x)
{
    const int64_t largest[3] = {b->m, b->n, b->p};
    spread_t *const a = &b->place[x];
    const int vector = x == MANY_ALPHA || x == MANY_BETA;

    shape_of(b, x, largest, &a->rows, &a->cols);
    a->element = vector ? sizeof(real_t) : sizeof(scalar_t);
    a->ld = a->rows + (vector ? 0 : 2);
    a->stride = a->ld * a->cols + GAP;
    if (b->form == STACKED && !vector) {
        a->stride = a->rows + 1;
        a->ld = a->stride * b->count + 1;
    }
    a->at = grab((size_t)(b->count + 1) * sizeof *a->at);
    for (int64_t i = 0; i < b->count; ++i)
        a->at[i] = rank_of(b, i) * a->stride;
    a->bytes = (size_t)(b->form == STACKED && !vector ? a->ld * a->cols
                                                      : a->stride * b->count) *
               a->element;
    a->host = aligned(a->bytes);
}

mat_t matrix_of(const many_t *b, many_array_t x, int64_t i)
{
    const spread_t *const a = &b->place[x];
    const int64_t size[3] = {size_of(b, 0, i), size_of(b, 1, i),
                             size_of(b, 2, i)};
    int64_t rows, cols;
    shape_of(b, x, size, &rows, &cols);
    if (a->rows == 0)
        return mat_view(NULL, 0, 0, 1);
    return mat_view((scalar_t *)(void *)a->host + a->at[i], rows, cols, a->ld);
}

real_t *values_of(const many_t *b, many_array_t x, int64_t i)
{
    return (real_t *)(void *)b->place[x].host + b->place[x].at[i];
}

static int64_t *numbers(int64_t count, int64_t value)
{
    int64_t *const x = grab((size_t)(count + 1) * sizeof *x);
    for (int64_t i = 0; i <= count; ++i)
        x[i] = value;
    return x;
}

/* Of a hyperbolic SVD m >= n is asked for: its sizes do not differ. */
static void choose_sizes(many_t *b, uint64_t *seed)
{
    b->each[0] = numbers(b->count, b->m);
    b->each[1] = numbers(b->count, b->n);
    b->each[2] = numbers(b->count, b->p);
    for (int64_t i = 0; i < b->count && b->form == SIZED; ++i) {
        b->each[0][i] = (int64_t)random_below(seed, b->m + 1);
        b->each[1][i] = (int64_t)random_below(seed, b->n + 1);
        b->each[2][i] = (int64_t)random_below(seed, b->p + 1);
    }
}

many_t new_many(many_kind_t what, form_t form, const char *jobs, int64_t count,
                int64_t m, int64_t n, int64_t p, uint64_t seed)
{
    many_t b = {.kind = what,
                .form = form,
                .job = {jobs[0], jobs[1], what == MANY_GSVD ? jobs[2] : 'N'},
                .count = count,
                .m = m,
                .n = n,
                .p = what == MANY_GSVD ? p : 0,
                .plus = n / 2};

    choose_sizes(&b, &seed);
    for (int x = 0; x < MANY_ARRAYS; ++x)
        lay_out(&b, (many_array_t)x);
    for (int64_t i = 0; i < count; ++i)
        for (int x = MANY_A; x <= MANY_B; ++x) {
            const mat_t A = matrix_of(&b, (many_array_t)x, i);
            for (int64_t c = 0; c < A.cols && A.data; ++c)
                for (int64_t r = 0; r < A.rows; ++r)
                    AT(A, r, c) = random_normal_scalar(&seed);
        }
    b.k = numbers(count, -7);
    b.l = numbers(count, -7);
    b.info = grab((size_t)(count + 1) * sizeof *b.info);
    return b;
}

/* ---- memory of a door ------------------------------------------------------------ */

static void *send(door_t door, void *host, size_t bytes)
{
    if (door == HOST || !host)
        return host;
    void *const p = grab_backend(bytes);
    put(p, host, bytes);
    return p;
}

static int64_t signs_of(const many_t *b)
{
    return b->J_for_each ? b->count * b->n : b->n;
}

sent_t send_many(door_t door, const many_t *b)
{
    const size_t longs = (size_t)b->count * sizeof(int64_t);
    const size_t pointers = (size_t)b->count * sizeof(void *);
    sent_t s = {.k = send(door, b->k, longs),
                .l = send(door, b->l, longs),
                .info = send(door, b->info, (size_t)b->count * sizeof(int)),
                .J = send(door, b->J, (size_t)signs_of(b) * sizeof(int64_t))};

    for (int i = 0; i < 3; ++i)
        s.size[i] = send(door, b->each[i], longs);
    for (int x = 0; x < MANY_ARRAYS; ++x) {
        const spread_t *const a = &b->place[x];
        void **const each = grab(pointers);
        s.at[x] = send(door, a->host, a->bytes);
        for (int64_t i = 0; i < b->count; ++i)
            each[i] = s.at[x] + (size_t)a->at[i] * a->element;
        s.each[x] = send(door, each, pointers);
        s.ld[x] = send(door, numbers(b->count, a->ld), longs);
    }
    return s;
}

void receive_many(door_t door, const sent_t *s, many_t *b)
{
    const size_t longs = (size_t)b->count * sizeof(int64_t);
    if (door == HOST)
        return;
    for (int x = 0; x < MANY_ARRAYS; ++x)
        get(b->place[x].host, s->at[x], b->place[x].bytes);
    get(b->info, s->info, (size_t)b->count * sizeof(int));
    get(b->k, s->k, longs);
    get(b->l, s->l, longs);
}

/* What lies between the arrays is as it was. */
static void ck_assert_gaps(const many_t *b)
{
    for (int x = 0; x < MANY_ARRAYS; ++x) {
        const spread_t *const a = &b->place[x];
        const int vector = x == MANY_ALPHA || x == MANY_BETA;
        char *const copy = grab(a->bytes);
        memcpy(copy, a->host, a->bytes);
        for (int64_t i = 0; i < b->count && a->rows > 0; ++i) {
            const mat_t A = matrix_of(b, (many_array_t)x, i);
            for (int64_t j = 0; j < A.cols; ++j)
                memset(copy + (size_t)(a->at[i] + (vector ? 0 : j * a->ld)) *
                                  a->element,
                       FILLED, (size_t)A.rows * a->element);
        }
        size_t same = 0; /* a call of Check for each byte takes long        */
        while (same < a->bytes && (unsigned char)copy[same] == FILLED)
            ++same;
        ck_assert_msg(same == a->bytes, "array %d, byte %zu of %s: written to",
                      x, same, kind_name[b->kind]);
    }
}

/* ---- one call ----------------------------------------------------------------------- */

gsvd_problem_t shape_of_many(door_t door, const many_t *b)
{
    static const gsvd_routine_t routine[KINDS] = {
        GSVD_ROUTINE_SVD, GSVD_ROUTINE_HSVD, GSVD_ROUTINE_GSVD};
    gsvd_problem_t p =
        new_problem(routine[b->kind], door, "", b->m, b->n, b->p);

    memcpy(p.job, b->job, sizeof b->job);
    p.n_plus = b->plus;
    p.batch = b->count;
    if (b->form == SIZED) {
        p.each_m = b->each[0];
        p.each_n = b->each[1];
        p.each_p = b->each[2];
    }
    return p;
}

gsvd_array_t *member_of(gsvd_problem_t *p, int x)
{
    gsvd_array_t *const all[MANY_ARRAYS] = {&p->A, &p->B,     &p->U,   &p->V,
                                            &p->Q, &p->alpha, &p->beta};
    return all[x];
}

gsvd_problem_t problem_of_many(door_t door, const many_t *b, const sent_t *s)
{
    gsvd_problem_t p = shape_of_many(door, b);

    for (int x = 0; x < MANY_ARRAYS; ++x) {
        const spread_t *const a = &b->place[x];
        gsvd_array_t *const to = member_of(&p, x);
        if (b->form == SIZED || b->form == POINTERS)
            to->each = (void *const *)s->each[x];
        else
            *to = (gsvd_array_t){.data = s->at[x], .stride = a->stride};
        if (b->form == SIZED)
            to->each_ld = s->ld[x];
        else
            to->ld = a->ld;
    }
    if (b->form == SIZED) {
        p.each_m = s->size[0];
        p.each_n = s->size[1];
        p.each_p = s->size[2];
    }
    p.signs = (gsvd_array_t){.data = s->J, .stride = b->J_for_each ? b->n : 0};
    p.k_out = s->k;
    p.l_out = s->l;
    p.info = s->info;
    return p;
}

gsvd_status_t call_sent(door_t door, gsvd_handle_t h, const many_t *b,
                        const sent_t *s)
{
    const gsvd_problem_t p = problem_of_many(door, b, s);
    return gsvd_run(h, &p);
}

void call_many(door_t door, gsvd_handle_t h, many_t *b)
{
    const sent_t s = send_many(door, b);
    b->status = call_sent(door, h, b, &s);
    receive_many(door, &s, b);
    ck_assert_gaps(b);
}

/* ---- single calls ------------------------------------------------------------------------ */

static void single(door_t door, gsvd_handle_t h, many_t *b, const sent_t *s,
                   int64_t i)
{
    gsvd_problem_t p = shape_of_many(door, b);

    p.m = size_of(b, 0, i);
    p.n = size_of(b, 1, i);
    p.p = size_of(b, 2, i);
    p.batch = 0;
    p.each_m = p.each_n = p.each_p = NULL;
    for (int x = 0; x < MANY_ARRAYS; ++x) {
        const spread_t *const a = &b->place[x];
        *member_of(&p, x) = (gsvd_array_t){
            .data = s->at[x] + (size_t)a->at[i] * a->element, .ld = a->ld};
    }
    if (b->J)
        p.signs.data = s->J + (b->J_for_each ? i * b->n : 0);
    b->k[i] = b->l[i] = -7;
    p.k_out = &b->k[i];
    p.l_out = &b->l[i];
    p.info = &b->info[i];
    (void)gsvd_run(h, &p);
}

void call_each(door_t door, gsvd_handle_t h, many_t *b)
{
    const sent_t s = send_many(door, b);
    for (int64_t i = 0; i < b->count; ++i)
        single(door, h, b, &s, i);
    for (int x = 0; x < MANY_ARRAYS && door == GPU; ++x)
        get(b->place[x].host, s.at[x], b->place[x].bytes);
    for (int64_t i = 0; i < b->count; ++i)
        if (b->info[i] < 0 || b->info[i] > 2) {
            for (int x = MANY_U; x < MANY_ARRAYS; ++x) {
                const mat_t A = matrix_of(b, (many_array_t)x, i);
                const int vector = x >= MANY_ALPHA;
                for (int64_t j = 0; j < A.cols && A.data && !vector; ++j)
                    memset(&AT(A, 0, j), FILLED,
                           (size_t)A.rows * sizeof(scalar_t));
                if (vector && A.data)
                    memset(values_of(b, (many_array_t)x, i), FILLED,
                           (size_t)A.rows * sizeof(real_t));
            }
            if (b->kind == MANY_GSVD)
                b->k[i] = b->l[i] = 0;
        }
    b->status = GSVD_SUCCESS;
    ck_assert_gaps(b);
}

/* ---- comparison ---------------------------------------------------------------------------- */

/* Bit for bit, but any NaN is like any other. */
static void ck_assert_like(const real_t *x, const real_t *y, int64_t count,
                           const char *what, int64_t i)
{
    for (int64_t r = 0; r < count; ++r)
        if ((x[r] == x[r] || y[r] == y[r]) &&
            memcmp(&x[r], &y[r], sizeof *x) != 0)
            ck_abort_msg("%s of problem %ld: %.17g and %.17g", what, (long)i,
                         (double)x[r], (double)y[r]);
}

static int is_result(const many_t *b, many_array_t x)
{
    const int values_only =
        b->job[0] == 'N' && b->job[1] == 'N' && b->job[2] == 'N';
    return x >= MANY_U || (b->kind == MANY_GSVD && !values_only);
}

/* Row r of A has row r of R, row r of B row r + k. */
void keep_R(many_t *b, int64_t i)
{
    const int64_t k = b->k[i], l = b->l[i];
    const mat_t A = matrix_of(b, MANY_A, i), B = matrix_of(b, MANY_B, i);
    for (int64_t j = 0; j < A.cols; ++j) {
        const int64_t c = j - (A.cols - k - l); /* column of R               */
        for (int64_t r = 0; r < A.rows; ++r)
            if (r > c || r >= k + l)
                AT(A, r, j) = make(0, 0);
        for (int64_t r = 0; r < B.rows; ++r)
            if (r + k > c || r + k < A.rows || r >= l)
                AT(B, r, j) = make(0, 0);
    }
}

void ck_assert_same_results(const many_t *a, int64_t i, const many_t *b,
                            int64_t j)
{
    static const char *const name[MANY_ARRAYS] = {"A", "B",     "U",   "V",
                                                  "Q", "alpha", "beta"};
    ck_assert_msg(a->info[i] == b->info[j], "info of %s, problem %ld: %d, %d",
                  kind_name[a->kind], (long)i, a->info[i], b->info[j]);
    if (a->kind == MANY_GSVD) {
        ck_assert_int_eq(a->k[i], b->k[j]);
        ck_assert_int_eq(a->l[i], b->l[j]);
    }
    for (int x = 0; x < MANY_ARRAYS; ++x) {
        const mat_t A = matrix_of(a, (many_array_t)x, i),
                    B = matrix_of(b, (many_array_t)x, j);
        if (!A.data || !is_result(a, (many_array_t)x))
            continue;
        ck_assert_int_eq(A.rows, B.rows);
        if (x >= MANY_ALPHA)
            ck_assert_like(values_of(a, (many_array_t)x, i),
                           values_of(b, (many_array_t)x, j), A.rows, name[x],
                           i);
        else
            for (int64_t c = 0; c < A.cols; ++c)
                ck_assert_like((const real_t *)&AT(A, 0, c),
                               (const real_t *)&AT(B, 0, c),
                               A.rows * REALS_PER_SCALAR, name[x], i);
    }
}

static void ck_assert_svd(const many_t *b, int64_t i, mat_t A)
{
    const mat_t U = matrix_of(b, MANY_U, i), V = matrix_of(b, MANY_V, i);
    const real_t *const sigma = values_of(b, MANY_ALPHA, i);

    for (int64_t j = 0; j < min_i(A.rows, A.cols); ++j)
        ck_assert(sigma[j] >= 0 && (j == 0 || sigma[j] <= sigma[j - 1]));
    if (U.data)
        ck_assert_ratio(defect(U));
    if (V.data)
        ck_assert_ratio(defect(V));
    if (U.data && V.data)
        ck_assert_ratio(svd_residual(A, U, sigma, V));
}

static void ck_assert_hsvd(const many_t *b, int64_t i, mat_t A)
{
    const signature_t s = {.plus = b->plus,
                           .J = b->J ? b->J + (b->J_for_each ? i * b->n : 0)
                                     : NULL};
    const hsvd_t d = {.status = GSVD_SUCCESS,
                      .info = b->info[i],
                      .A = A,
                      .U = matrix_of(b, MANY_U, i),
                      .V = matrix_of(b, MANY_V, i),
                      .sigma = values_of(b, MANY_ALPHA, i)};
    if (d.U.data)
        ck_assert_ratio(defect(d.U));
    if (d.V.data)
        ck_assert_ratio(signed_defect(d.V, &s));
    if (d.U.data && d.V.data)
        ck_assert_ratio(signed_residual(A, &d));
}

static void ck_assert_pair(const many_t *b, int64_t i, mat_t A, mat_t B)
{
    const result_t r = {.status = GSVD_SUCCESS,
                        .info = b->info[i],
                        .k = b->k[i],
                        .l = b->l[i],
                        .A = matrix_of(b, MANY_A, i),
                        .B = matrix_of(b, MANY_B, i),
                        .U = matrix_of(b, MANY_U, i),
                        .V = matrix_of(b, MANY_V, i),
                        .Q = matrix_of(b, MANY_Q, i),
                        .alpha = values_of(b, MANY_ALPHA, i),
                        .beta = values_of(b, MANY_BETA, i)};

    ck_assert_values(&r, A.rows, A.cols, B.rows);
    if (b->job[0] == 'U' && b->job[1] == 'V' && b->job[2] == 'Q')
        ck_assert_ratios(A, B, &r, "a pair of a batch");
}

void ck_assert_problem(const many_t *b, int64_t i, mat_t A, mat_t B)
{
    ck_assert_int_eq(b->info[i], 0);
    if (b->kind == MANY_SVD)
        ck_assert_svd(b, i, A);
    else if (b->kind == MANY_HSVD)
        ck_assert_hsvd(b, i, A);
    else
        ck_assert_pair(b, i, A, B);
}
