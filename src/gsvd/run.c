/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run.c -- the GSVD of one pair, whoever computes it.
 *
 *     A = U D1 (0 R) Q^H,   B = V D2 (0 R) Q^H
 *
 *     1  scale        A := 2^-ea A, B := 2^-eb B     largest entries alike
 *     2  preprocess   U^H A Q = (0 A12 A13; 0 0 A23), V^H B Q = (0 0 B13)
 *     3  solve        A23 = U~ C H, B13 = V~ S H     C^2 + S^2 = I, |A23| and |B13| alike
 *     4  sort         alpha, beta of the caller's pair, alpha descending
 *     5  assemble     H = R22 Q~^H; R, U, V, Q
 *     6  polish       U, V, Q unitary to rounding     make_unitary.c
 *
 * A pair of a few columns is solved by src/small, where that dares.  Where the factors of some pairs
 * alone are wanted, 5 makes their columns (keep.c).
 */
#include "gsvd/pair.h"
#include "small/small.h"

/* steps 1 and 2 */
static gsvd_status_t preprocess(const exec_t *ex, pair_t *P, outcome_t *out)
{
    preprocess_work_t w;

    if (P->kept.keep == 0 && X(small_preprocess)(ex, P)) {
        P->order = NULL;
        return GSVD_SUCCESS;
    }
    gsvd_start_clock(out);
    exec_t in = *ex;
    X(preprocess_carve)
    (&in.work, &in, P->m, P->n, P->p, P->U.cols, P->V.cols, &w);
    GSVD_TRY(X(work_suffices)(&in));
    if (P->kept.keep != 0) {
        w.tau_u = P->kept.tau_u;
        w.tau_v = P->kept.tau_v;
        w.row_inverse_a = P->kept.inverse_a;
        w.row_inverse_b = P->kept.inverse_b;
    }
    if (P->order)
        w.perm_b = P->order;
    if (P->tau_v)
        w.tau_v = P->tau_v;
    GSVD_TRY(X(scale_pair)(&in, P, &w, out)); /* 1 */
    in.policy.rowwise_stable = P->sort_a || P->sort_b;
    P->rows_mixed = !in.policy.rowwise_stable;
    GSVD_TRY(X(preprocess_pair)(&in, P, &w)); /* 2 */
    out->lost |= w.lost;
    out->rows_of_a = w.by_rows.a.on;
    out->rows_of_b = w.by_rows.b.on;
    out->seconds_preprocess = gsvd_now() - out->start;
    return GSVD_SUCCESS;
}

/* -- steps 3 to 6: solvers whose work is the pair, which they overwrite --------- */

static int few_apply(const exec_t *ex, const task_t *t)
{
    const pair_t *const P = t->work;
    return !P->equilibrated && P->kept.keep == 0 && X(small_applies)(ex, P);
}

static gsvd_status_t solve_few(const exec_t *ex, const task_t *t)
{
    *t->yes = X(small_solve)(ex, t->work, t->out);
    return *t->yes ? X(test_overflow_of_pair)(ex, t->work, t->out)
                   : GSVD_SUCCESS;
}

static gsvd_status_t solve_in_steps(const exec_t *ex, const task_t *t)
{
    pair_t *const P = t->work;
    outcome_t *const out = t->out;
    solve_work_t s;
    assemble_work_t w;

    *t->yes = 1;
    gsvd_start_clock(out);
    exec_t in = *ex;
    const int values = X(solves_values_only)(ex, P);
    X(assemble_carve)(&in.work, P, values, &w);
    const exec_t stacks = in; /* free again in step 6                        */
    X(solve_carve)(&in.work, P->m, P->l, values, &s);
    GSVD_TRY(X(work_suffices)(&in));
    in.policy.rowwise_stable = P->sort_a || P->sort_b;
    GSVD_TRY(X(balance_pair)(&in, P, &s));
    GSVD_TRY(X(solve_pair)(&in, P, &s, out)); /* 3 */
    out->seconds_solve = gsvd_now() - out->start - out->seconds_preprocess;
    GSVD_TRY(X(sort_values)(&in, P, &s, &w));   /* 4 */
    GSVD_TRY(X(assemble)(&in, P, &s, &w, out)); /* 5 */
    if (P->kept.keep != 0)
        GSVD_TRY(X(keep_finish)(&stacks, P, w.work));
    return X(polish_factors)(&stacks, P, out); /* 6 */
}

static const solver_t solver[] = {
    {"few columns", NULL, few_apply, NULL, solve_few},
    {"steps", NULL, NULL, NULL, solve_in_steps}};
const solvers_t X(whole_pair_solvers) = SOLVERS("pair", solver);

static gsvd_status_t solve(const exec_t *ex, pair_t *P, outcome_t *out)
{
    int solved;
    return run_in_turn(&X(whole_pair_solvers), ex,
                       &(task_t){.work = P, .out = out, .yes = &solved});
}

static void take_ranks(const pair_t *P, outcome_t *out)
{
    out->k = P->k;
    out->l = P->l;
}

static gsvd_status_t run_gsvd(const exec_t *ex, const args_t *a, outcome_t *out)
{
    pair_t P = X(pair_of)(a);
    P.tola = (real_t)ex->policy.tol_a;
    P.tolb = (real_t)ex->policy.tol_b;
    P.values_only = is_values_only(a);
    X(set_form)(ex, &P);
    P.any_a23 = ex->policy.solver != GSVD_SOLVER_TGSJA;
    exec_t in = *ex;
    X(keep_carve)(&in.work, a->keep, &P);
    X(equilibrate_carve)(&in.work, ex, &P);
    X(later_carve)(&in.work, ex, &P);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(preprocess(&in, &P, out)); /* 1, 2 */
    take_ranks(&P, out);
    GSVD_TRY(solve(&in, &P, out)); /* 3 to 6 */
    out->unfinished |= out->lost;
    return GSVD_SUCCESS;
}

/* xGGSVP3's job: steps 1 and 2 */
static gsvd_status_t run_preprocess(const exec_t *ex, const args_t *a,
                                    outcome_t *out)
{
    pair_t P = X(pair_of)(a);
    GSVD_TRY(preprocess(ex, &P, out));
    take_ranks(&P, out);
    return X(unscale_pair)(ex, &P, out);
}

/* U, V, Q := I where job is 'I' */
static gsvd_status_t start_factors(const exec_t *ex, const args_t *a,
                                   const pair_t *P)
{
    const mat_t factor[] = {P->U, P->V, P->Q};
    for (int i = 0; i < 3; ++i)
        if (a->job[i] == 'I' && factor[i].data)
            GSVD_TRY(ex->op->set(ex, factor[i], 0, 1));
    return GSVD_SUCCESS;
}

/* xTGSJA's job: steps 1 and 3 to 6 of a pair that is triangular */
static gsvd_status_t run_solve(const exec_t *ex, const args_t *a,
                               outcome_t *out)
{
    pair_t P = X(pair_of)(a);
    P.k = a->k;
    P.l = a->l;
    P.values_only = is_values_only(a);
    take_ranks(&P, out);
    GSVD_TRY(start_factors(ex, a, &P));
    if (!X(small_scale_pair)(ex, &P)) {
        GSVD_TRY(X(scale_pair)(ex, &P, NULL, out));
        GSVD_TRY(X(default_tolerances)(ex, &P));
    }
    GSVD_TRY(solve(ex, &P, out));
    out->unfinished |= out->lost;
    return GSVD_SUCCESS;
}

const program_t X(gsvd_program) = {X(measure_gsvd), run_gsvd, &X(gsvd_batches)};
const program_t X(preprocess_program) = {X(measure_preprocess), run_preprocess,
                                         NULL};
const program_t X(solve_program) = {X(measure_solve), run_solve, NULL};
