/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.c -- pairs of at most SMALL rows and columns, in the caller's arrays.  For these a call of
 * libgsvd with a handle takes longer than the decomposition.
 *
 * The text of src/small decomposes them, in the order of gsvd/run.c and with the options of
 * thread.c's handles, so that the results have the same bits.  Pairs that this text leaves to the
 * general steps, and illegal arguments, are left to libgsvd.
 */
#define GSVD_VECTORS_FEW /* SMALL entries, and never SMALL_CSD's stacks          */
#include "core/policy.h"
#include "lapack/abi.h"
#include "small/pair.h"

/* A and B before the first step */
typedef struct before {
    scalar_t A[SMALL * SMALL], B[SMALL * SMALL];
} before_t;

static int is_usable(const void *array)
{
    return array && (uintptr_t)array % _Alignof(real_t) == 0;
}

/* Are all arrays there, and aligned?  libgsvd says which is not. */
static int are_usable(const problem_t *q)
{
    return is_usable(q->A) && is_usable(q->B) &&
           (q->jobu == 'N' || is_usable(q->U)) &&
           (q->jobv == 'N' || is_usable(q->V)) &&
           (q->jobq == 'N' || is_usable(q->Q)) &&
           (!q->kind->values || (is_usable(q->alpha) && is_usable(q->beta)));
}

static mat_t factor_of(char job, void *X_, int64_t order, int64_t ld)
{
    return job == 'N' ? mat_view(NULL, order, 0, 1)
                      : mat_view(X_, order, order, ld);
}

/* *P := the pair; 0: not one for this file */
static int open_pair(const problem_t *q, pair_t *P)
{
    const int64_t m = q->m, n = q->n, p = q->p;

    if (m > SMALL || n > SMALL || p > SMALL || !are_usable(q))
        return 0;
    /* member by member: to clear the others takes as long as all that comes before */
    P->m = m;
    P->n = n;
    P->p = p;
    P->k = q->k;
    P->l = q->l;
    P->A = mat_view(q->A, m, n, q->lda);
    P->B = mat_view(q->B, p, n, q->ldb);
    P->U = factor_of(q->jobu, q->U, m, q->ldu);
    P->V = factor_of(q->jobv, q->V, p, q->ldv);
    P->Q = factor_of(q->jobq, q->Q, n, q->ldq);
    P->alpha = q->alpha;
    P->beta = q->beta;
    P->values_only = P->x_form = P->x_inverse = P->any_a23 = 0;
    return 1;
}

static void keep(const pair_t *P, before_t *kept)
{
    small_copy(P->A, mat_view(kept->A, P->m, P->n, SMALL));
    small_copy(P->B, mat_view(kept->B, P->p, P->n, SMALL));
}

static int give_back(const pair_t *P, before_t *kept)
{
    small_copy(mat_view(kept->A, P->m, P->n, SMALL), P->A);
    small_copy(mat_view(kept->B, P->p, P->n, SMALL), P->B);
    return 0;
}

/* Steps 3 to 5; R may overflow only where libgsvd has to look. */
static int solve(problem_t *q, pair_t *P, int *info)
{
    const int e = P->top + (P->ea > P->eb ? P->ea : P->eb);
    small_t w;

    if (P->l < 1 || overflow_exponent(P->m + P->p, P->n, e) > 0)
        return 0;
    w.sweeps = (sweeps_t){0};
    w.team.tol_jacobi = -1;
    w.team.max_sweeps = DEFAULT_SWEEPS;
    if (!small_solve(P, SMALL_AUTO, &w))
        return 0;
    q->sweeps = w.sweeps.done;
    *info = !w.team.converged;
    return 1;
}

int X(lapack_small_gsvd)(problem_t *q, int *info)
{
    pair_t P;
    before_t kept;

    if (!open_pair(q, &P) || !small_fits(&P))
        return 0;
    P.tola = P.tolb = -1;
    P.any_a23 = 1;
    keep(&P, &kept);
    if (!small_preprocess(&P))
        return 0;
    if (!solve(q, &P, info))
        return give_back(&P, &kept);
    q->k = P.k;
    q->l = P.l;
    return 1;
}

/* A := 2^e A, with a nonsingular triangle in its last n columns */
static void unscale(mat_t A, int e, int64_t n)
{
    if (e != 0)
        small_scale(A, e, A);
    for (int64_t i = 0; i < n; ++i) {
        scalar_t *const d = &AT(A, i, A.cols - n + i);
        if (abs_max(*d) == 0)
            *d = make(GSVD_SAFMIN * GSVD_ULP, 0);
    }
}

int X(lapack_small_preprocess)(problem_t *q, int *info)
{
    pair_t P;
    before_t kept;

    if (!open_pair(q, &P) || !small_fits(&P))
        return 0;
    P.tola = (real_t)q->tola;
    P.tolb = (real_t)q->tolb;
    keep(&P, &kept);
    if (!small_preprocess(&P))
        return 0;
    if (overflow_exponent(P.m, P.n, P.ea + P.top) > 0 ||
        overflow_exponent(P.p, P.n, P.eb + P.top) > 0)
        return give_back(&P, &kept);
    unscale(P.A, P.ea, 0);
    unscale(P.B, P.eb, P.l);
    q->k = P.k;
    q->l = P.l;
    *info = 0;
    return 1;
}

/* X_ := I where its job is 'I' */
static void start_factor(char job, mat_t X_)
{
    for (int64_t j = 0; job == 'I' && j < X_.cols; ++j)
        for (int64_t i = 0; i < X_.rows; ++i)
            AT(X_, i, j) = make(i == j, 0);
}

int X(lapack_small_solve)(problem_t *q, int *info)
{
    pair_t P;
    before_t kept;

    if (!open_pair(q, &P))
        return 0;
    keep(&P, &kept);
    if (!small_scale_pair(&P))
        return 0;
    start_factor(q->jobu, P.U);
    start_factor(q->jobv, P.V);
    start_factor(q->jobq, P.Q);
    return solve(q, &P, info) || give_back(&P, &kept);
}
