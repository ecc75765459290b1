/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* at_once.c -- the solvers of batches, and some of a call's problems as their batch. */
#include "batch/problem.h"
#include "batch/solvers.h"
#include "core/cost.h"
#include "gsvd/run_batched.h"

static int alike(const batch_args_t *b) { return !b->size[0]; }

static const int64_t *from(const int64_t *list, int64_t first)
{
    return list ? list + first : NULL;
}

/* Matrices of no columns are absent, whatever their address is. */
static batch_mat_t mat_of(const batch_args_t *b, operand_t i, int64_t first,
                          int64_t cols)
{
    batch_mat_t A = {.stride = b->stride[i],
                     .ld = b->one.ld[i],
                     .each_ld = from(b->ld[i], first)};
    if (cols > 0 && b->each[i])
        A.each = (scalar_t *const *)(b->each[i] + first);
    else if (cols > 0)
        A.data = array_of(b, i, first, sizeof(scalar_t));
    return A;
}

static batch_real_t real_of(const batch_args_t *b, operand_t i, int64_t first)
{
    batch_real_t x = {.stride = b->stride[i]};
    if (b->each[i])
        x.each = (real_t *const *)(b->each[i] + first);
    else
        x.data = array_of(b, i, first, sizeof(real_t));
    return x;
}

/* The solvers know no factor in full where sizes differ. */
static int is_economy(const batch_args_t *b)
{
    int full = 0;
    for (int i = 0; b->one.job[i]; ++i)
        full |= b->one.job[i] != 'S' && b->one.job[i] != 'N';
    return alike(b) || !full;
}

/* About how long these problems take of a call's time by one thread.  Operations of a problem were
 * fitted to batches of order 8 to 256 and of 1000 x 16, and 100 links of a call */
static double seconds_of_some(const exec_t *ex, const task_t *t)
{
    const some_t *const p = t->problem;
    const batch_args_t *const b = p->b;
    const int pair = p->program == &X(gsvd_program);
    const double m = (double)(max_i(b->one.m, b->one.n) + b->one.p),
                 n = (double)min_i(b->one.m + b->one.p, b->one.n);
    const double all = (pair ? 40 : 30) * n * n * n + 10 * m * n * n;
    const double more = p->program == &X(hsvd_program) ? 1.2 : 1;
    const double part = (double)p->count / (double)max_i(b->count, 1);
    return part * seconds_of(ex, 100,
                             more * all * (double)b->count * ex->tune->rate /
                                 ex->tune->batch_rate);
}

/* -- svd, hsvd ------------------------------------------------------------------ */

static svd_batch_t svd_batch_of(const some_t *p)
{
    const batch_args_t *const b = p->b;
    const args_t *const a = &b->one;
    const int64_t first = p->first;
    const int with_signs = p->program == &X(hsvd_program);
    const int64_t u_cols = matrix_u_cols(a), v_cols = matrix_v_cols(a);
    return (svd_batch_t){
        .count = p->count,
        .m = a->m,
        .n = a->n,
        .each_m = from(b->size[0], first),
        .each_n = from(b->size[1], first),
        .A = mat_of(b, OPERAND_A, first, a->n),
        .U = mat_of(b, OPERAND_U, first, u_cols),
        .V = mat_of(b, OPERAND_V, first, v_cols),
        .u_cols = u_cols,
        .v_cols = v_cols,
        .sigma = real_of(b, OPERAND_ALPHA, first),
        .with_signs = with_signs,
        .n_plus = with_signs ? a->k : 0,
        .J_stride = b->stride[OPERAND_J],
        .J = with_signs ? array_of(b, OPERAND_J, first, sizeof(int64_t)) : NULL,
        .info = b->info ? b->info + first : NULL,
        .illegal_A = b->illegal[OPERAND_A],
        .illegal_J = b->illegal[OPERAND_J]};
}

static int svd_applies(const exec_t *ex, const task_t *t)
{
    const some_t *const p = t->problem;
    const svd_batch_t s = svd_batch_of(p);
    const task_t each = task_of_svd_batch(&s);
    const int64_t k = min_i(s.m, s.n);
    return (s.with_signs || is_economy(p->b)) && s.u_cols <= k &&
           s.v_cols <= k && choose_solver(ex->op->svd_solvers, ex, &each);
}

static size_t svd_bytes(const exec_t *ex, const task_t *t)
{
    const svd_batch_t s = svd_batch_of(t->problem);
    const task_t each = task_of_svd_batch(&s);
    return chosen_bytes(ex->op->svd_solvers, ex, &each, seconds_of_some(ex, t));
}

static gsvd_status_t svd_run(const exec_t *ex, const task_t *t)
{
    const svd_batch_t s = svd_batch_of(t->problem);
    const task_t each = task_of_svd_batch(&s);
    return run_solver(ex->op->svd_solvers, ex, &each);
}

/* -- gsvd ------------------------------------------------------------------------- */

static gsvd_batch_t gsvd_batch_of(const some_t *p)
{
    const batch_args_t *const b = p->b;
    const int64_t first = p->first;
    const args_t *const a = &b->one;
    const int64_t u_cols = pair_u_cols(a), v_cols = pair_v_cols(a),
                  q_cols = pair_q_cols(a);
    return (gsvd_batch_t){.count = p->count,
                          .m = a->m,
                          .n = a->n,
                          .p = a->p,
                          .each_m = from(b->size[0], first),
                          .each_n = from(b->size[1], first),
                          .each_p = from(b->size[2], first),
                          .A = mat_of(b, OPERAND_A, first, a->n),
                          .B = mat_of(b, OPERAND_B, first, a->n),
                          .U = mat_of(b, OPERAND_U, first, u_cols),
                          .V = mat_of(b, OPERAND_V, first, v_cols),
                          .Q = mat_of(b, OPERAND_Q, first, q_cols),
                          .u_cols = u_cols,
                          .v_cols = v_cols,
                          .q_cols = q_cols,
                          .alpha = real_of(b, OPERAND_ALPHA, first),
                          .beta = real_of(b, OPERAND_BETA, first),
                          .k = b->k ? b->k + first : NULL,
                          .l = b->l ? b->l + first : NULL,
                          .info = b->info ? b->info + first : NULL,
                          .illegal_A = b->illegal[OPERAND_A],
                          .illegal_B = b->illegal[OPERAND_B]};
}

/* R is asked for by a factor that has no columns where m or p is 0, which the solvers take for
 * a factor that is not wanted: no columns at all, no R. */
static int columns_tell(const args_t *a)
{
    const int wanted = a->job[0] != 'N' || a->job[1] != 'N' || a->job[2] != 'N';
    return !wanted || a->n == 0 ||
           pair_u_cols(a) + pair_v_cols(a) + pair_q_cols(a) > 0;
}

/* The solvers count ranks against norms. */
static int pair_applies(const exec_t *ex, const task_t *t)
{
    const some_t *const p = t->problem;
    const gsvd_batch_t g = gsvd_batch_of(p);
    const task_t each = task_of_gsvd_batch(&g);
    return ex->policy.rank == GSVD_RANK_NORM && is_economy(p->b) &&
           columns_tell(&p->b->one) &&
           choose_solver(ex->op->gsvd_solvers, ex, &each);
}

static size_t pair_bytes(const exec_t *ex, const task_t *t)
{
    const gsvd_batch_t g = gsvd_batch_of(t->problem);
    const task_t each = task_of_gsvd_batch(&g);
    return chosen_bytes(ex->op->gsvd_solvers, ex, &each,
                        seconds_of_some(ex, t));
}

static gsvd_status_t pair_run(const exec_t *ex, const task_t *t)
{
    const gsvd_batch_t g = gsvd_batch_of(t->problem);
    const task_t each = task_of_gsvd_batch(&g);
    return run_solver(ex->op->gsvd_solvers, ex, &each);
}

/* A single call takes large steps where l may be so large. */
static int pair_wanted(const exec_t *ex, const task_t *t)
{
    const some_t *const p = t->problem;
    const int64_t least = ex->tune->pairs_alone;
    return least == 0 || min_i(p->b->one.n, p->b->one.p) < least;
}

/* -- eigh ------------------------------------------------------------------------- */

/* The arrays of a batch, out of an arena; *svd: that of its matrices */
static eigh_batch_t eigh_batch_of(const some_t *p, arena_t *a, svd_batch_t *svd)
{
    const batch_args_t *const b = p->b;
    const int64_t n = b->one.n, count = p->count, first = p->first;
    eigh_batch_t e = {.count = count,
                      .n = n,
                      .uplo = b->one.job[1],
                      .A = mat_of(b, OPERAND_A, first, n),
                      .w = real_of(b, OPERAND_ALPHA, first),
                      .info = b->info ? b->info + first : NULL};

    e.H = gsvd_arena_take(a, count * n * n, sizeof(scalar_t));
    e.U = gsvd_arena_take(a, count * n * n, sizeof(scalar_t));
    e.V = gsvd_arena_take(a, count * n * n, sizeof(scalar_t));
    e.sigma = gsvd_arena_take(a, count * n, sizeof(real_t));
    e.reals = gsvd_arena_take(a, count * EIGH_REALS * n, sizeof(real_t));
    e.scalars = gsvd_arena_take(a, count * eigh_scalars(n), sizeof(scalar_t));
    e.Q = wants(&b->one, 0) ? mat_of(b, OPERAND_Q, first, n) : e.A;
    *svd = (svd_batch_t){.count = count,
                         .m = n,
                         .n = n,
                         .A = e.A,
                         .U = {.data = e.U, .stride = n * n, .ld = max_i(n, 1)},
                         .V = {.data = e.V, .stride = n * n, .ld = max_i(n, 1)},
                         .u_cols = n,
                         .v_cols = n,
                         .sigma = {.data = e.sigma, .stride = n},
                         .info = e.info,
                         .illegal_A = b->illegal[OPERAND_A]};
    return e;
}

static int eigh_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.eigh == GSVD_EIGH_AUTO;
}

static int eigh_applies(const exec_t *ex, const task_t *t)
{
    arena_t count = {0};
    svd_batch_t svd;
    (void)eigh_batch_of(t->problem, &count, &svd);
    const task_t each = task_of_svd_batch(&svd);
    return choose_solver(ex->op->svd_solvers, ex, &each) != NULL;
}

/* What the program takes of one matrix, all of it out of the work: on the host it solves those that
 * fail their test. */
static gsvd_status_t measure_again(const exec_t *ex, const some_t *p,
                                   need_t *need)
{
    struct notes *const notes = ex->h->notes;
    *need = (need_t){0};
    if (ex->h->space->on_device)
        return GSVD_SUCCESS;
    ex->h->notes = NULL; /* As a rule there are none.                        */
    const gsvd_status_t status = p->program->measure(ex, &p->b->one, need);
    ex->h->notes = notes;
    return status;
}

static void take_again(arena_t *a, const need_t *need, exec_t *again)
{
    again->products = gsvd_arena_buffer(a, need->products);
    again->staging = gsvd_arena_buffer(a, need->staging);
    const buffer_t work = gsvd_arena_buffer(a, need->work);
    again->work = gsvd_arena_over(work.data, work.bytes);
}

static size_t eigh_bytes(const exec_t *ex, const task_t *t)
{
    exec_t again = *ex;
    arena_t count = {0};
    svd_batch_t svd;
    need_t need;

    (void)eigh_batch_of(t->problem, &count, &svd);
    arena_t behind = count;
    if (measure_again(ex, t->problem, &need) == GSVD_SUCCESS)
        take_again(&behind, &need, &again);
    const task_t each = task_of_svd_batch(&svd);
    const size_t bytes =
        chosen_bytes(ex->op->svd_solvers, ex, &each, seconds_of_some(ex, t));
    return max_size(gsvd_arena_bytes(&behind),
                    gsvd_arena_bytes(&count) + bytes);
}

/* Those of info 1, whose matrices H has, by the program.  On the host */
static gsvd_status_t solve_again(const exec_t *ex, const some_t *p,
                                 const eigh_batch_t *e)
{
    exec_t again = *ex;
    arena_t a = ex->work;
    need_t need;
    int64_t failed = 0;

    for (int64_t i = 0; i < p->count; ++i)
        failed += e->info[i] == 1;
    if (failed == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(measure_again(ex, p, &need));
    take_again(&a, &need, &again);
    if (a.full)
        return X(work_suffices)(&(exec_t){.h = ex->h, .work = a});
    for (int64_t i = 0; i < p->count; ++i) {
        const some_t one = {p->program, p->b, p->first + i, 1};
        const mat_t H = mat_view(e->H + i * e->n * e->n, e->n, e->n, e->n);
        if (e->info[i] != 1)
            continue;
        GSVD_TRY(ex->op->copy(&again, H, matrix_of(&e->A, i, e->n, e->n)));
        GSVD_TRY(X(one_by_one)(&again, &(task_t){.problem = &one}));
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t eigh_run(const exec_t *ex, const task_t *t)
{
    const some_t *const p = t->problem;
    exec_t in = *ex;
    svd_batch_t svd;
    const eigh_batch_t e = eigh_batch_of(p, &in.work, &svd);
    const task_t each = task_of_svd_batch(&svd);

    svd.eigh = &e;
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->eigh_load(&in, &e));
    GSVD_TRY(run_solver(in.op->svd_solvers, &in, &each));
    GSVD_TRY(in.op->eigh_signs(&in, &e));
    return ex->h->space->on_device ? GSVD_SUCCESS : solve_again(&in, p, &e);
}

#define ONE_BY_ONE                                                             \
    {                                                                          \
        "one by one", NULL, NULL, NULL, X(one_by_one)                          \
    }

static const solver_t svd_solver[] = {
    {"at once", NULL, svd_applies, svd_bytes, svd_run}, ONE_BY_ONE};
static const solver_t eigh_solver[] = {
    {"at once", eigh_wanted, eigh_applies, eigh_bytes, eigh_run}, ONE_BY_ONE};
static const solver_t pair_solver[] = {
    {"at once", pair_wanted, pair_applies, pair_bytes, pair_run}, ONE_BY_ONE};
const solvers_t X(svd_batches) = SOLVERS("batch", svd_solver);
const solvers_t X(gsvd_batches) = SOLVERS("batch", pair_solver);
const solvers_t X(eigh_batches) = SOLVERS("batch", eigh_solver);
