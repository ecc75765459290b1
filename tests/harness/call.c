/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.c -- the decomposition and its halves, through host or device memory. */
#include "harness/harness.h"

/* the memory of one call: what stands for r's arrays where the door wants it */
typedef struct arrays {
    mat_t A, B, U, V, Q;
    real_t *alpha, *beta;
} arrays_t;

mat_t place(door_t door, mat_t A)
{
    return A.data && door == GPU ? to_backend(A) : A;
}

static arrays_t send(door_t door, const result_t *r)
{
    const int64_t n = r->A.cols;
    arrays_t a = {
        .A = place(door, r->A),
        .B = place(door, r->B),
        .U = place(door, r->U),
        .V = place(door, r->V),
        .Q = place(door, r->Q),
        .alpha = r->alpha,
        .beta = r->beta,
    };
    if (door == GPU) {
        a.alpha = to_backend_real(r->alpha, n);
        a.beta = to_backend_real(r->beta, n);
    }
    return a;
}

mat_t take_back(door_t door, mat_t A)
{
    if (!A.data)
        return A;
    if (door == GPU)
        return from_backend(A);
    ck_assert_padding(A);
    return A;
}

void ck_assert_same_result(const result_t *x, const result_t *y)
{
    const size_t bytes = (size_t)x->A.cols * sizeof(real_t);
    ck_assert_int_eq(x->info, y->info);
    ck_assert(x->k == y->k && x->l == y->l);
    ck_assert_int_eq(0, memcmp(x->alpha, y->alpha, bytes));
    ck_assert_int_eq(0, memcmp(x->beta, y->beta, bytes));
    ck_assert_same(x->A, y->A);
    ck_assert_same(x->B, y->B);
    ck_assert_same(x->U, y->U);
    ck_assert_same(x->V, y->V);
    ck_assert_same(x->Q, y->Q);
}

static void receive(door_t door, const arrays_t *a, result_t *r)
{
    const size_t bytes = (size_t)r->A.cols * sizeof(real_t);
    if (door == GPU) {
        get(r->alpha, a->alpha, bytes);
        get(r->beta, a->beta, bytes);
    }
    r->A = take_back(door, a->A);
    r->B = take_back(door, a->B);
    r->U = take_back(door, a->U);
    r->V = take_back(door, a->V);
    r->Q = take_back(door, a->Q);
}

/* a factor of the given order: all columns, economy, or none */
static mat_t factor(char job, int64_t order, int64_t economy)
{
    if (job == 'N' || job == 'n')
        return mat_view(NULL, order, 0, 1);
    return new_mat(order, job == 'S' || job == 's' ? economy : order);
}

static result_t prepare(char jobu, char jobv, char jobq, mat_t A, mat_t B)
{
    const int64_t m = A.rows, n = A.cols, p = B.rows;
    result_t r = {.info = 12345, .k = -12345, .l = -12345};

    r.A = copy_mat(A);
    r.B = copy_mat(B);
    r.U = factor(jobu, m, min_i(m, n));
    r.V = factor(jobv, p, min_i(p, n));
    r.Q = factor(jobq, n, min_i(n, m + p));
    r.alpha = grab((size_t)n * sizeof(real_t));
    r.beta = grab((size_t)n * sizeof(real_t));
    return r;
}

result_t decompose(door_t door, char jobu, char jobv, char jobq, mat_t A,
                   mat_t B)
{
    result_t r = prepare(jobu, jobv, jobq, A, B);
    const arrays_t a = send(door, &r);

    r.status = (door == GPU ? X(gpu) : GSVD_ENTRY)(
        handle, jobu, jobv, jobq, A.rows, A.cols, B.rows, &r.k, &r.l, a.A.data,
        a.A.ld, a.B.data, a.B.ld, a.alpha, a.beta, a.U.data, a.U.ld, a.V.data,
        a.V.ld, a.Q.data, a.Q.ld, &r.info);
    receive(door, &a, &r);
    return r;
}

result_t preprocess(door_t door, char jobu, char jobv, char jobq, mat_t A,
                    mat_t B, real_t tola, real_t tolb)
{
    result_t r = prepare(jobu, jobv, jobq, A, B);
    const arrays_t a = send(door, &r);

    r.status = (door == GPU ? X(preprocess_gpu) : X(preprocess))(
        handle, jobu, jobv, jobq, A.rows, B.rows, A.cols, a.A.data, a.A.ld,
        a.B.data, a.B.ld, tola, tolb, &r.k, &r.l, a.U.data, a.U.ld, a.V.data,
        a.V.ld, a.Q.data, a.Q.ld, &r.info);
    receive(door, &a, &r);
    return r;
}

result_t solve(door_t door, char jobu, char jobv, char jobq, const result_t *t)
{
    result_t r = prepare(jobu, jobv, jobq, t->A, t->B);
    if (jobu == 'U')
        r.U = copy_mat(t->U);
    if (jobv == 'V')
        r.V = copy_mat(t->V);
    if (jobq == 'Q')
        r.Q = copy_mat(t->Q);
    r.k = t->k;
    r.l = t->l;
    const arrays_t a = send(door, &r);

    r.status = (door == GPU ? X(solve_gpu) : X(solve))(
        handle, jobu, jobv, jobq, t->A.rows, t->B.rows, t->A.cols, t->k, t->l,
        a.A.data, a.A.ld, a.B.data, a.B.ld, -1, -1, a.alpha, a.beta, a.U.data,
        a.U.ld, a.V.data, a.V.ld, a.Q.data, a.Q.ld, &r.info);
    receive(door, &a, &r);
    return r;
}
