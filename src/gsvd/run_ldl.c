/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_ldl.c -- P A P^T = L D L^H of a Hermitian indefinite matrix, or A = G J G^H for hsvd.
 *
 *     1  H := 2^-e times the matrix of A's triangle, e even and as a rule 0
 *     2  P H P^T = L D L^H               pivot/ldl.c; the columns with a value first
 *     3  G := 2^(e/2) P^T L |D|^(1/2), or L and D := 2^e D
 */
#include "core/notes.h"
#include "gsvd/pipeline.h"

/* F->order, rank and plus */
static gsvd_status_t sort(const exec_t *ex, ldl_t *F)
{
    const int64_t n = F->L.cols;
    real_t *const host = ex->staging.data;
    exec_t in = *ex;

    real_t *const zero = gsvd_arena_take(&in.work, n, sizeof *zero);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->values_set(&in, 0, n, 0, zero));
    GSVD_TRY(in.op->values_order(&in, n, F->key, zero, F->order));
    GSVD_TRY(in.op->values_read(&in, n, F->lambda, host));
    F->rank = F->plus = 0;
    for (int64_t t = 0; t < n; ++t) {
        F->rank += host[t] != 0;
        F->plus += host[t] > 0;
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(hetrf_sorted)(const exec_t *ex, mat_t A, real_t tol,
                              int by_sign, ldl_t *F)
{
    GSVD_TRY(X(hetrf)(ex, A, tol, by_sign, F));
    return sort(ex, F);
}

size_t X(hetrf_sorted_bytes)(const exec_t *ex, int64_t n)
{
    arena_t count = {0};
    (void)gsvd_arena_take(&count, n, sizeof(real_t));
    const size_t order = gsvd_arena_bytes(&count) +
                         ex->op->kernel_bytes(ex, KERNELS_SMALL, n, n, 0);
    return max_size(X(hetrf_work_bytes)(ex, n), order);
}

/* Is it G that is wanted, not L and D? */
static int wants_root(const args_t *a) { return a->job[0] == 'G'; }

static gsvd_status_t measure_ldl(const exec_t *ex, const args_t *a,
                                 need_t *need)
{
    const int64_t n = a->n;
    arena_t count = {0};
    size_t driver = 0;
    ldl_t F;

    X(ldl_take)(&count, n, &F);
    GSVD_STEP(ex, &driver, "L D L^H by blocks of pivots", n, n,
              X(hetrf_sorted_bytes)(ex, n), X(hetrf_seconds)(ex, n));
    need->work = gsvd_arena_bytes(&count) + driver;
    need->staging = (size_t)n * sizeof(real_t);
    need->full |= count.full;
    return GSVD_SUCCESS;
}

/* e of 1.  Small entries count as large ones do: they are scaled down no more than it takes for
 * growth and sums to stay within the range. */
static int exponent_of(real_t largest)
{
    const int top = GSVD_SINGLE ? FLT_MAX_EXP - 32 : DBL_MAX_EXP - 64;
    const int e = largest > 0 ? exponent_r(largest) + 1 : 0;
    if (e > top)
        return (e - top + 1) / 2 * 2;
    return e < -FAR_EXPONENT ? e / 2 * 2 : 0;
}

/* Rows and columns of L := those of F->order, through H */
static gsvd_status_t arrange(const exec_t *ex, const ldl_t *F, mat_t H)
{
    GSVD_TRY(ex->op->ctrans(ex, F->L, H));
    GSVD_TRY(ex->op->permute_columns(ex, H, F->order, F->L));
    GSVD_TRY(ex->op->ctrans(ex, F->L, H));
    GSVD_TRY(ex->op->permute_columns(ex, H, F->order, F->L));
    const int64_t n = H.cols, rest = n - F->rank;
    return ex->op->set(ex, mat_sub(F->L, 0, F->rank, n, rest), 0, 0);
}

/* D, 2 x n, := 2^e D */
static gsvd_status_t deliver_diagonal(const exec_t *ex, const ldl_t *F, mat_t D,
                                      int e, outcome_t *out)
{
    GSVD_TRY(ex->op->ldl_diagonal(ex, F->order, F->rank, F->d, F->e, D));
    GSVD_TRY(ex->op->scale_pow2(ex, D, e));
    return X(test_overflow)(ex, D, D.cols, D.cols, e, out);
}

static gsvd_status_t run_ldl(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const int64_t n = a->n;
    const mat_t H = operand_of(a, OPERAND_A, n, n);
    real_t tol = (real_t)a->tol[0];
    exec_t in = *ex;
    norms_t norms;
    ldl_t F = {.L = operand_of(a, OPERAND_U, n, n)};

    X(ldl_take)(&in.work, n, &F);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->copy(&in, H, F.L)); /* 1: a NaN leaves A as it was        */
    GSVD_TRY(in.op->hermitian(&in, a->job[1], F.L));
    GSVD_TRY(X(norms_if_finite)(&in, F.L, OPERAND_A, &norms, out));
    const int e = exponent_of(norms.largest);
    GSVD_TRY(in.op->copy(&in, F.L, H));
    GSVD_TRY(in.op->scale_pow2(&in, H, -e));
    tol = tol < 0 ? -1 : ldexp_r(tol, -e);
    GSVD_TRY(X(hetrf_sorted)(&in, H, tol, wants_root(a),
                             &F)); /* 2                   */
    if (wants_root(a)) {           /* 3                   */
        GSVD_TRY(X(ldl_root)(&in, &F, H, F.L));
        GSVD_TRY(in.op->scale_pow2(&in, F.L, e / 2));
    } else {
        if (F.rank < n)
            GSVD_TRY(arrange(&in, &F, H));
        GSVD_TRY(
            deliver_diagonal(&in, &F, operand_of(a, OPERAND_V, 2, n), e, out));
    }
    GSVD_TRY(in.op->ldl_signs(&in, n, F.plus, F.rank, F.perm, F.order,
                              a->array[OPERAND_J], a->array[OPERAND_JPVT]));
    out->k = F.rank;
    out->l = F.plus;
    return GSVD_SUCCESS;
}

const program_t X(ldl_program) = {measure_ldl, run_ldl, NULL};
