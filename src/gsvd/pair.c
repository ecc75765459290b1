/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.c -- see pair.h. */
#include "gsvd/pair.h"
#include "core/notes.h"

pair_t X(pair_of)(const args_t *a)
{
    const int64_t m = a->m, n = a->n, p = a->p;
    return (pair_t){.m = m,
                    .n = n,
                    .p = p,
                    .A = operand_of(a, OPERAND_A, m, n),
                    .B = operand_of(a, OPERAND_B, p, n),
                    .U = operand_of(a, OPERAND_U, m, pair_u_cols(a)),
                    .V = operand_of(a, OPERAND_V, p, pair_v_cols(a)),
                    .Q = operand_of(a, OPERAND_Q, n, pair_q_cols(a)),
                    .alpha = a->array[OPERAND_ALPHA],
                    .beta = a->array[OPERAND_BETA],
                    .tola = (real_t)a->tol[0],
                    .tolb = (real_t)a->tol[1]};
}

void X(set_form)(const exec_t *ex, pair_t *P)
{
    P->x_form = ex->policy.form == GSVD_FORM_X;
    P->x_inverse = ex->policy.form == GSVD_FORM_XINV;
}

void X(equilibrate_carve)(arena_t *a, const exec_t *ex, pair_t *P)
{
    const int64_t n = P->n;
    if (ex->policy.equilibrate == GSVD_EQUILIBRATE_OFF)
        return;
    P->d = gsvd_arena_take(a, n, sizeof(real_t));
    if (!P->values_only && P->kept.keep == 0 &&
        (P->Q.cols == 0 || P->x_inverse))
        P->spare = X(take_matrix)(a, n, min_i(n, P->m + P->p));
}

void X(later_carve)(arena_t *a, const exec_t *ex, pair_t *P)
{
    const int64_t p = P->p, cols = P->V.cols;

    if (P->x_form && P->Q.cols > 0)
        P->order = gsvd_arena_take(a, P->n, sizeof(int));
    P->v_waits = cols > 0 && p <= P->n && p >= ex->tune->large_steps &&
                 X(form_work_bytes)(ex, p, cols, p, QUEUE_FACTOR) == 0;
    if (P->v_waits)
        P->tau_v = gsvd_arena_take(a, p, sizeof(scalar_t));
}

/* -- workspace ---------------------------------------------------------------- */

/* The work of run.c's preprocess; solve takes the same memory after it. */
static size_t measure_preprocess(const exec_t *ex, const pair_t *P, int *full)
{
    gsvd_note_begin(ex->h, "preprocess: ranks, triangles");
    arena_t count = {0};
    preprocess_work_t w;
    X(preprocess_carve)
    (&count, ex, P->m, P->n, P->p, P->U.cols, P->V.cols, &w);
    *full |= count.full;
    const size_t bytes =
        gsvd_arena_bytes(&count) +
        X(preprocess_work_bytes)(ex, P->m, P->n, P->p, P->U.cols, P->V.cols);
    return gsvd_note_end(ex->h, bytes, 0, 1);
}

static size_t measure_solve(const exec_t *ex, const pair_t *P, int *full)
{
    char names[NOTE_TEXT];
    solver_names(&X(pair_solvers), ex, &(task_t){.problem = P}, names,
                 sizeof names);
    gsvd_note_begin(ex->h, "triangular pair, l up to %lld: %s", (long long)P->l,
                    names);
    arena_t count = {0};
    solve_work_t s;
    assemble_work_t w;
    unitary_work_t of;
    const int values = X(solves_values_only)(ex, P);
    X(assemble_carve)(&count, P, values, &w);
    arena_t polish = count;
    const size_t some = gsvd_arena_bytes(&count) + X(keep_bytes)(ex, P);
    X(polish_carve)(&polish, P, &of);
    X(solve_carve)(&count, P->m, P->l, values, &s);
    *full |= count.full | polish.full;
    const size_t bytes =
        max_size(max_size(gsvd_arena_bytes(&polish), some),
                 gsvd_arena_bytes(&count) +
                     X(solve_work_bytes)(ex, P->m, P->n, P->l, values));
    return gsvd_note_end(ex->h, bytes, 0, 1);
}

/* ... where it assembles a pair whose columns were scaled, in the place of its stacks */
static size_t measure_scaled(const exec_t *ex, const pair_t *P, int *full)
{
    const int64_t l = P->l, m1 = min_i(P->m, l);
    const int none = P->values_only || P->kept.keep != 0;
    arena_t count = {0}, stacks = {0};
    solve_work_t s;
    assemble_work_t w;

    if (ex->policy.equilibrate == GSVD_EQUILIBRATE_OFF || none)
        return 0;
    gsvd_note_begin(ex->h, "R and X, if columns were scaled");
    X(assemble_carve)(&count, P, 0, &w);
    X(solve_carve)(&count, P->m, l, 0, &s);
    (void)X(take_matrix)(&stacks, l + m1, l);
    (void)X(take_matrix)(&stacks, l, l);
    (void)X(take_matrix)(&stacks, l + m1, l);
    *full |= count.full;
    const size_t bytes = gsvd_arena_bytes(&count) - stacks.used +
                         X(equilibrated_bytes)(ex, P->m, P->n, P->p);
    return gsvd_note_end(ex->h, bytes, 0, 0);
}

/* Adds the work of primitives, one at a time, and sets the memory for products. */
static void measure_primitives(const exec_t *ex, const pair_t *P, need_t *need)
{
    const int64_t m = P->m, n = P->n, p = P->p;
    const int64_t wide = max_i(max_i(m, n), max_i(p, 1));
    const int64_t tall = max_i(m + P->l, wide);
    const size_t most = most_for_products(m + p, n);
    size_t kernels = 0;

    GSVD_STEP(ex, &kernels, "their primitives", tall, n,
              ex->op->kernel_bytes(ex, KERNELS_PANELS, tall, n, n), 0);
    GSVD_STEP(ex, &kernels, "those of pivoting", max_i(m, p), n,
              ex->op->kernel_bytes(ex, KERNELS_PIVOTS, max_i(m, p), n, n), 0);
    need->work += kernels;
    need->products = ex->op->products_bytes(ex, wide, n, n, most);
}

gsvd_status_t X(measure_preprocess)(const exec_t *ex, const args_t *a,
                                    need_t *need)
{
    pair_t P = X(pair_of)(a);
    P.l = min_i(P.p, P.n);
    need->work = measure_preprocess(ex, &P, &need->full);
    measure_primitives(ex, &P, need);
    return GSVD_SUCCESS;
}

static gsvd_status_t measure_staging(const exec_t *ex, int64_t l, size_t *bytes)
{
    size_t large_steps;
    GSVD_TRY(X(orthogonalize_staging)(ex, l, &large_steps));
    GSVD_TRY(ex->op->staging_bytes(ex, l, bytes));
    *bytes = *bytes > large_steps ? *bytes : large_steps;
    return GSVD_SUCCESS;
}

gsvd_status_t X(measure_solve)(const exec_t *ex, const args_t *a, need_t *need)
{
    pair_t P = X(pair_of)(a);
    P.l = a->l;
    P.values_only = is_values_only(a);
    arena_t order = {0}; /* scale_pair's                                     */
    (void)gsvd_arena_take(&order, P.n, sizeof(int));
    need->work =
        max_size(measure_solve(ex, &P, &need->full), gsvd_arena_bytes(&order));
    need->full |= order.full;
    measure_primitives(ex, &P, need);
    return measure_staging(ex, P.l, &need->staging);
}

gsvd_status_t X(measure_gsvd)(const exec_t *ex, const args_t *a, need_t *need)
{
    pair_t P = X(pair_of)(a);
    arena_t kept = {0};
    P.l = min_i(P.p, P.n);
    P.values_only = is_values_only(a);
    X(set_form)(ex, &P);
    if (a->keep != 0 && ex->policy.form == GSVD_FORM_LAPACK)
        return gsvd_fail(ex->h, GSVD_INVALID_ARGUMENT,
                         "problem.keep: only with GSVD_FORM_X or "
                         "GSVD_FORM_XINV, since R has no part for some pairs");
    X(keep_carve)(&kept, a->keep, &P);
    X(equilibrate_carve)(&kept, ex, &P);
    X(later_carve)(&kept, ex, &P);
    const size_t first = measure_preprocess(ex, &P, &need->full);
    const size_t second = measure_solve(ex, &P, &need->full);
    const size_t scaled = measure_scaled(ex, &P, &need->full);
    need->work = kept.used + max_size(first, max_size(second, scaled));
    need->full |= kept.full;
    measure_primitives(ex, &P, need);
    return measure_staging(ex, P.l, &need->staging);
}
