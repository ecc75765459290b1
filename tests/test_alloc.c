/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_alloc.c -- every allocation of a call fails once: the call says so, no
 * memory is lost, and the handle goes on working; a device fails, and the
 * caller's arrays are as they were. */
#include "harness/harness.h"

/* the handle's space, with an allocate that fails at a given call */
static const space_t *real_space;
static space_t failing;
static int allocations, fails_at, alive;

static gsvd_status_t allocate(gsvd_handle_t h, void **p, size_t bytes)
{
    if (++allocations == fails_at) {
        *p = NULL;
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "%zu bytes, as the test wants",
                         bytes);
    }
    const gsvd_status_t status = real_space->allocate(h, p, bytes);
    alive += status == GSVD_SUCCESS;
    return status;
}

static void release(gsvd_handle_t h, void *p)
{
    --alive;
    real_space->release(h, p);
}

/* a fresh handle, so that it has no memory yet */
static gsvd_handle_t open_failing(int at)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(gsvd_create(&h, on_device ? 0 : GSVD_HOST));
    real_space = h->space;
    failing = *real_space;
    failing.allocate = allocate;
    failing.release = release;
    h->space = &failing;
    allocations = 0;
    alive = 0;
    fails_at = at;
    return h;
}

typedef struct call {
    mat_t A, B, U, V, Q;
    real_t *alpha, *beta;
    int64_t k, l;
    scalar_t *tau;
    int64_t *jpvt;
    int info;
} call_t;

enum { M = 40, N = 50, P = 30 };

static call_t fresh_call(void)
{
    const recipe_t c = {M, N, P, RANKS, 12, 20, 0, 0};
    const sample_t S = make_pair(&c, 5);
    call_t x = {.A = S.A,
                .B = S.B,
                .U = new_mat(M, M),
                .V = new_mat(P, P),
                .Q = new_mat(N, N)};
    x.alpha = grab(N * sizeof(real_t));
    x.beta = grab(N * sizeof(real_t));
    x.tau = grab(M * sizeof(scalar_t));
    x.jpvt = grab(N * sizeof(int64_t));
    return x;
}

static gsvd_status_t run(gsvd_handle_t h, int routine, call_t *x)
{
    switch (routine) {
    case 0:
        return GSVD_ENTRY(h, 'U', 'V', 'Q', M, N, P, &x->k, &x->l, x->A.data,
                          x->A.ld, x->B.data, x->B.ld, x->alpha, x->beta,
                          x->U.data, x->U.ld, x->V.data, x->V.ld, x->Q.data,
                          x->Q.ld, &x->info);
    case 1:
        return X(preprocess)(h, 'U', 'V', 'Q', M, P, N, x->A.data, x->A.ld,
                             x->B.data, x->B.ld, -1, -1, &x->k, &x->l,
                             x->U.data, x->U.ld, x->V.data, x->V.ld, x->Q.data,
                             x->Q.ld, &x->info);
    default:
        return X(solve)(h, 'I', 'I', 'I', M, P, N, 12, 20, x->A.data, x->A.ld,
                        x->B.data, x->B.ld, -1, -1, x->alpha, x->beta,
                        x->U.data, x->U.ld, x->V.data, x->V.ld, x->Q.data,
                        x->Q.ld, &x->info);
    }
}

/* solve wants a triangular pair */
static call_t call_for(int routine)
{
    call_t x = fresh_call();
    if (routine == 2) {
        ck_assert_ok(run(handle, 1, &x));
        ck_assert(x.k == 12 && x.l == 20);
    }
    return x;
}

/* the routines of one matrix, M x N, R alone and hsvd of P columns; with tau = 0 apply
 * and form have Q = I */
enum {
    ONE = 3,
    QR = ONE,
    R_ALONE,
    APPLY,
    FORM,
    GEQP,
    HSVD,
    LDL,
    URV,
    ROUTINES
};

static gsvd_status_t run_one(gsvd_handle_t h, int routine, call_t *x)
{
    switch (routine) {
    case QR: return X(qr)(h, M, N, x->A.data, x->A.ld, x->tau, &x->info);
    case R_ALONE: return X(qr)(h, M, P, x->A.data, x->A.ld, NULL, &x->info);
    case APPLY:
        memset(x->tau, 0, M * sizeof(scalar_t));
        return X(qr_apply)(h, 'R', 'N', M, N, P, x->Q.data, x->Q.ld, x->tau,
                           x->A.data, x->A.ld, &x->info);
    case FORM:
        memset(x->tau, 0, M * sizeof(scalar_t));
        return X(qr_form)(h, N, P, P, x->Q.data, x->Q.ld, x->tau, &x->info);
    case GEQP:
        return X(geqp)(h, M, N, x->A.data, x->A.ld, x->jpvt, x->tau, -1, &x->k,
                       &x->info);
    case HSVD:
        return X(hsvd)(h, 'U', 'V', M, P, P / 2, x->A.data, x->A.ld, NULL,
                       x->alpha, x->U.data, x->U.ld, x->V.data, x->V.ld,
                       &x->info);
    case LDL:
        return X(ldl)(h, 'G', 'U', P, x->A.data, x->A.ld, -1, &x->k, &x->l,
                      x->U.data, x->U.ld, NULL, 1, x->jpvt, x->jpvt, &x->info);
    default:
        return X(urv)(h, 'U', 'V', M, N, x->A.data, x->A.ld, -1, &x->k,
                      x->U.data, x->U.ld, x->Q.data, x->Q.ld, &x->info);
    }
}

static call_t call_for_one(int routine)
{
    call_t x = fresh_call();
    if (routine == APPLY || routine == FORM)
        fill(x.Q, make(0, 0));
    return x;
}

START_TEST(each_allocation_of_one_matrix_fails_once)
{
    int total = 0;
    for (int at = 1; at <= total + 1; ++at) {
        gsvd_handle_t h = open_failing(at);
        call_t x = call_for_one(_i);
        const mat_t before = copy_mat(x.A);
        const gsvd_status_t status = run_one(h, _i, &x);

        if (allocations >= at) {
            ck_assert_int_eq(status, GSVD_OUT_OF_MEMORY);
            ck_assert_int_eq(x.info, -1000 - GSVD_OUT_OF_MEMORY);
            ck_assert_str_ne(gsvd_last_error(h), "");
            ck_assert_same(x.A, before);
            total = at;
        } else {
            ck_assert_int_eq(status, GSVD_SUCCESS);
        }
        fails_at = -1; /* now there is memory, and the handle works          */
        x = call_for_one(_i);
        ck_assert_int_eq(run_one(h, _i, &x), GSVD_SUCCESS);
        ck_assert_str_eq(gsvd_last_error(h), "");
        const int first = allocations; /* and keeps it                       */
        x = call_for_one(_i);
        ck_assert_int_eq(run_one(h, _i, &x), GSVD_SUCCESS);
        ck_assert_int_eq(allocations, first);
        gsvd_destroy(h);
        ck_assert_int_eq(alive, 0);
        release_pool();
    }
    ck_assert_int_ge(total, 1);
}
END_TEST

START_TEST(each_allocation_fails_once)
{
    const int routine = _i / 2, solver = _i % 2;
    int total = 0;
    for (int at = 1; at <= total + 1; ++at) {
        gsvd_handle_t h = open_failing(at);
        ck_assert_ok(gsvd_set_option(h, GSVD_SOLVER, solver));
        call_t x = call_for(routine);
        const gsvd_status_t status = run(h, routine, &x);
        const int reached = allocations >= at;

        if (reached) {
            ck_assert_msg(status == GSVD_OUT_OF_MEMORY, "allocation %d: %s", at,
                          gsvd_status_name(status));
            ck_assert_int_eq(x.info, -1000 - GSVD_OUT_OF_MEMORY);
            ck_assert_str_ne(gsvd_last_error(h), "");
            total = at;
        } else {
            ck_assert_int_eq(status, GSVD_SUCCESS);
        }
        /* now there is memory, and the handle works */
        fails_at = -1;
        x = call_for(routine);
        ck_assert_int_eq(run(h, routine, &x), GSVD_SUCCESS);
        ck_assert_str_eq(gsvd_last_error(h), "");
        ck_assert_ratio(defect(x.U));
        ck_assert_ratio(defect(x.V));
        ck_assert_ratio(defect(x.Q));
        gsvd_destroy(h);
        ck_assert_int_eq(alive, 0);
        release_pool();
    }
    ck_assert_int_ge(total, 1); /* something was allocated at all            */
}
END_TEST

/* a handle keeps its memory: the second call of a size allocates nothing */
START_TEST(memory_is_kept)
{
    gsvd_handle_t h = open_failing(-1);
    call_t x = fresh_call();
    ck_assert_int_eq(run(h, 0, &x), GSVD_SUCCESS);
    const int first = allocations;
    x = fresh_call();
    ck_assert_int_eq(run(h, 0, &x), GSVD_SUCCESS);
    ck_assert_int_eq(allocations, first);
    gsvd_destroy(h);
    ck_assert_int_eq(alive, 0);
}
END_TEST

/* a caller that brings all the workspace makes the handle allocate nothing */
START_TEST(nothing_beyond_the_workspace)
{
    gsvd_handle_t h = open_failing(1);
    const int solver = _i;
    size_t d, w;
    ck_assert_ok(gsvd_set_option(h, GSVD_SOLVER, solver));
    ck_assert_ok(workspace_of(
        h, new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ", M, N, P), &d, &w));
    call_t x = fresh_call();
    ck_assert_ok(gsvd_set_workspace(h, d ? grab_backend(d) : NULL, d,
                                    w ? grab(w) : NULL, w));
    ck_assert_int_eq(GSVD_ENTRY(h, 'U', 'V', 'Q', M, N, P, &x.k, &x.l, x.A.data,
                                x.A.ld, x.B.data, x.B.ld, x.alpha, x.beta,
                                x.U.data, x.U.ld, x.V.data, x.V.ld, x.Q.data,
                                x.Q.ld, &x.info),
                     GSVD_SUCCESS);
    ck_assert_int_eq(allocations, 0);
    gsvd_destroy(h);
}
END_TEST

/* room makes products faster: without it they are right too, and ask for no memory */
START_TEST(products_without_room)
{
    enum { LONG = 2052, INNER = 130 }; /* as in test_primitives.c            */
    uint64_t seed = 1;
    if (too_large(LONG, LONG, INNER))
        return;
    const mat_t dA = to_backend(random_mat(LONG, INNER, &seed));
    const mat_t dB = to_backend(random_mat(INNER, LONG, &seed));
    const mat_t C0 = random_mat(LONG + 1, LONG, &seed);
    const mat_t with = to_backend(C0), without = to_backend(C0);
    const mat_t C1 = mat_rows(with, 0, LONG), C2 = mat_rows(without, 0, LONG);
    gsvd_handle_t h = open_failing(1);
    exec_t ex = X(exec_of)(h);
    ck_assert_ok(table()->gemm(&ex, 'N', 'N', dA, dB, C2));
    ck_assert_int_eq(allocations, 0);
    ck_assert_ok(real_space->wait(h));
    gsvd_destroy(h);
    ck_assert_int_eq(alive, 0);

    h = open_failing(1);
    ex = X(exec_of)(h);
    ex.products.bytes = (size_t)64 << 20;
    ex.products.data = grab_backend(ex.products.bytes);
    ck_assert_ok(table()->gemm(&ex, 'N', 'N', dA, dB, C1));
    ck_assert_split(h);
    ck_assert_int_eq(allocations, 0);
    ck_assert_ok(real_space->wait(h));
    gsvd_destroy(h);
    const double apart = distance(from_backend(with), from_backend(without));
    ck_assert_msg(apart <= REALS_PER_SCALAR * INNER * INNER * GSVD_ULP, "%g",
                  apart);
}
END_TEST

static gsvd_status_t failed_wait(gsvd_handle_t h)
{
    (void)real_space->wait(h);
    return gsvd_fail(h, GSVD_DEVICE_FAILED, "a fault, as the test wants");
}

/* what went wrong on the device shows before the caller's arrays are written */
START_TEST(device_fails)
{
    const int routine = _i;
    if (!on_device)
        return;
    gsvd_handle_t h = open_failing(-1);
    failing.wait = failed_wait;
    const call_t x = call_for(routine);
    call_t y = x;
    y.A = copy_mat(x.A);
    y.B = copy_mat(x.B);
    y.U = copy_mat(x.U);
    y.V = copy_mat(x.V);
    y.Q = copy_mat(x.Q);
    ck_assert_int_eq(run(h, routine, &y), GSVD_DEVICE_FAILED);
    ck_assert_int_eq(y.info, -1000 - GSVD_DEVICE_FAILED);
    failing.wait = real_space->wait;
    ck_assert_ok(
        real_space->wait(h)); /* copies that were queued arrive       */
    ck_assert_same(y.A, x.A);
    ck_assert_same(y.B, x.B);
    ck_assert_same(y.U, x.U);
    ck_assert_same(y.V, x.V);
    ck_assert_same(y.Q, x.Q);
    ck_assert(isnan(y.alpha[0]) && isnan(y.beta[N - 1]));
    gsvd_destroy(h);
}
END_TEST

START_TEST(device_fails_at_one_matrix)
{
    if (!on_device)
        return;
    gsvd_handle_t h = open_failing(-1);
    failing.wait = failed_wait;
    const call_t x = call_for_one(_i);
    call_t y = x;
    y.A = copy_mat(x.A);
    y.U = copy_mat(x.U);
    y.Q = copy_mat(x.Q);
    ck_assert_int_eq(run_one(h, _i, &y), GSVD_DEVICE_FAILED);
    ck_assert_int_eq(y.info, -1000 - GSVD_DEVICE_FAILED);
    failing.wait = real_space->wait;
    ck_assert_ok(real_space->wait(h));
    ck_assert_same(y.A, x.A);
    ck_assert_same(y.U, x.U);
    ck_assert_same(y.Q, x.Q);
    gsvd_destroy(h);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("alloc");
    TCase *t = add_tcase(s, "allocations");
    tcase_add_loop_test(t, each_allocation_fails_once, 0, 6);
    tcase_add_loop_test(t, each_allocation_of_one_matrix_fails_once, ONE,
                        ROUTINES);
    tcase_add_test(t, memory_is_kept);
    tcase_add_loop_test(t, nothing_beyond_the_workspace, 0, 2);
    tcase_add_test(t, products_without_room);
    tcase_add_loop_test(t, device_fails, 0, 3);
    tcase_add_loop_test(t, device_fails_at_one_matrix, ONE, ROUTINES);
    return s;
}
