/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair_batch.c -- pairs through the solvers of batches. */
#include "harness/pair_batch.h"

solver_run_op *solve_pairs_by;
const char *pair_solver;
int pairs_in_registers = -1;

/* Where matrices are, on the host and where the primitive computes */
typedef struct places {
    mat_t *on_backend;
    batch_mat_t batch;
    int64_t cols; /* 0: not wanted                                           */
} places_t;

static const void *placed(const void *x, size_t bytes)
{
    void *const to = grab_backend(bytes);
    put(to, x, bytes);
    return to;
}

/* count matrices, by an array of their addresses and one of their leading dimensions */
static places_t places_of(int count, const mat_t *A, int wanted)
{
    places_t s = {.on_backend = grab((size_t)count * sizeof(mat_t))};
    scalar_t **const each = grab((size_t)count * sizeof *each);
    int64_t *const ld = grab((size_t)count * sizeof *ld);
    for (int i = 0; i < count && wanted; ++i) {
        s.on_backend[i] = to_backend(A[i]);
        each[i] = s.on_backend[i].data;
        ld[i] = A[i].ld;
        s.cols = max_i(s.cols, A[i].cols);
    }
    s.batch = (batch_mat_t){0};
    if (wanted) {
        s.batch.each = placed(each, (size_t)count * sizeof *each);
        s.batch.each_ld = placed(ld, (size_t)count * sizeof *ld);
    }
    return s;
}

static void fetch_all(int count, const places_t *s, mat_t *A, int wanted)
{
    for (int i = 0; i < count && wanted; ++i)
        A[i] = from_backend(s->on_backend[i]);
}

/* new matrices of one kind of the results */
typedef enum kind_of_matrix {
    OF_A,
    OF_B,
    OF_U,
    OF_V,
    OF_Q,
    KINDS
} kind_of_matrix_t;

static mat_t *matrices(int count, const sample_t *P, int of, char job)
{
    mat_t *const A = grab((size_t)count * sizeof *A);
    for (int i = 0; i < count; ++i) {
        const int64_t m = P[i].A.rows, n = P[i].A.cols, p = P[i].B.rows;
        const int64_t rows[] = {m, p, m, p, n};
        const int64_t economy[] = {0, 0, min_i(m, n), min_i(p, n),
                                   min_i(n, m + p)};
        if (of <= OF_B)
            A[i] = copy_mat(of == OF_A ? P[i].A : P[i].B);
        else
            A[i] = job == 'N'
                       ? mat_view(NULL, rows[of], 0, 1)
                       : new_mat(rows[of], job == 'S' ? economy[of] : rows[of]);
    }
    return A;
}

static int64_t *sizes_on_backend(int count, const sample_t *P, int which,
                                 int64_t *most)
{
    int64_t *const x = grab((size_t)count * sizeof *x);
    *most = 0;
    for (int i = 0; i < count; ++i) {
        const int64_t size[] = {P[i].A.rows, P[i].A.cols, P[i].B.rows};
        x[i] = size[which];
        *most = max_i(*most, x[i]);
    }
    return (int64_t *)placed(x, (size_t)count * sizeof *x);
}

/* Numbers of all pairs, side by side, and back */
static void numbers(int count, const gsvd_batch_t *b, result_t *r)
{
    const size_t each = (size_t)b->n * sizeof(real_t);
    int64_t *const rank = grab((size_t)count * sizeof *rank);
    int *const info = grab((size_t)count * sizeof *info);
    for (int i = 0; i < count; ++i) {
        r[i].alpha = grab(each);
        r[i].beta = grab(each);
        get(r[i].alpha, b->alpha.data + i * b->alpha.stride, each);
        get(r[i].beta, b->beta.data + i * b->beta.stride, each);
    }
    get(rank, b->k, (size_t)count * sizeof *rank);
    for (int i = 0; i < count; ++i)
        r[i].k = rank[i];
    get(rank, b->l, (size_t)count * sizeof *rank);
    get(info, b->info, (size_t)count * sizeof *info);
    for (int i = 0; i < count; ++i) {
        r[i].l = rank[i];
        r[i].info = info[i];
        r[i].status = GSVD_SUCCESS;
    }
}

result_t *decompose_batch(int count, char jobu, char jobv, char jobq,
                          int differ, const sample_t *P)
{
    const char job[KINDS] = {'A', 'B', jobu, jobv, jobq};
    exec_t with = *on(handle);
    tuning_t tune = *with.tune;
    const exec_t *const ex = &with;
    mat_t *A[KINDS];
    places_t s[KINDS];
    gsvd_batch_t b = {.count = count, .illegal_A = -9, .illegal_B = -11};
    result_t *const r = grab((size_t)count * sizeof *r);
    const int64_t *const each_m = sizes_on_backend(count, P, 0, &b.m);
    const int64_t *const each_n = sizes_on_backend(count, P, 1, &b.n);
    const int64_t *const each_p = sizes_on_backend(count, P, 2, &b.p);

    with.tune = &tune;
    if (pairs_in_registers >= 0)
        tune.pairs_in_registers = pairs_in_registers;
    if (pair_solver)
        with.policy.force[0] =
            (forced_t){table()->gsvd_solvers->name, pair_solver};
    for (int of = 0; of < KINDS; ++of) {
        A[of] = matrices(count, P, of, job[of]);
        s[of] = places_of(count, A[of], job[of] != 'N');
    }
    if (differ) {
        b.each_m = each_m;
        b.each_n = each_n;
        b.each_p = each_p;
    }
    b.A = s[OF_A].batch;
    b.B = s[OF_B].batch;
    b.U = s[OF_U].batch;
    b.V = s[OF_V].batch;
    b.Q = s[OF_Q].batch;
    b.u_cols = s[OF_U].cols;
    b.v_cols = s[OF_V].cols;
    b.q_cols = s[OF_Q].cols;
    b.alpha.stride = b.beta.stride = b.n + 3;
    b.alpha.data = grab_results((size_t)(count * (b.n + 3)) * sizeof(real_t));
    b.beta.data = grab_results((size_t)(count * (b.n + 3)) * sizeof(real_t));
    b.k = grab_backend((size_t)count * sizeof(int64_t));
    b.l = grab_backend((size_t)count * sizeof(int64_t));
    b.info = grab_backend((size_t)count * sizeof(int));
    const task_t t = task_of_gsvd_batch(&b);
    const solver_t *const by = choose_solver(table()->gsvd_solvers, ex, &t);
    ck_assert(by);
    ck_assert_ok(solve_pairs_by ? solve_pairs_by(ex, &t) : by->run(ex, &t));
    numbers(count, &b, r);
    for (int of = 0; of < KINDS; ++of)
        fetch_all(count, &s[of], A[of], job[of] != 'N');
    for (int i = 0; i < count; ++i) {
        r[i].A = A[OF_A][i];
        r[i].B = A[OF_B][i];
        r[i].U = A[OF_U][i];
        r[i].V = A[OF_V][i];
        r[i].Q = A[OF_Q][i];
    }
    return r;
}
