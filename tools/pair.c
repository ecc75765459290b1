/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.c -- the routine gsvd: a pair A, B. */
#include "routine.h"

/* No more than n, as the library has it */
static int64_t kept_columns(const decomposition_t *d)
{
    const int64_t keep = d->task->values ? 0 : d->task->keep;
    return least(keep < 0 ? -keep : keep, d->n);
}

static bool allocate(decomposition_t *d, int width)
{
    const task_t *t = d->task;
    const int64_t m = d->m, n = d->n, p = d->p;
    const bool values = t->values, economy = t->economy;
    const bool no_q = values && !t->bounds;
    const int64_t some = kept_columns(d);
    const int64_t u = values ? 0 : some ? some : economy ? least(m, n) : m;
    const int64_t v = values ? 0 : some ? some : economy ? least(p, n) : p;
    const int64_t q = no_q                ? 0
                      : some              ? some
                      : economy || values ? least(n, m + p)
                                          : n;

    return decompose_room(d, &d->alpha, "alpha", n, 1, 1) &&
           decompose_room(d, &d->beta, "beta", n, 1, 1) &&
           decompose_room(d, &d->bounds, "bounds", t->bounds ? n : 0, 1, 1) &&
           decompose_room(d, &d->cond, "cond", 1, 1, 1) &&
           decompose_room(d, &d->U, "U", values ? 0 : m, u, width) &&
           decompose_room(d, &d->V, "V", values ? 0 : p, v, width) &&
           decompose_room(d, &d->Q,
                          t->form == GSVD_FORM_X      ? "X"
                          : t->form == GSVD_FORM_XINV ? "Y"
                                                      : "Q",
                          no_q ? 0 : n, q, width);
}

/* A and B become R. */
static gsvd_status_t call(decomposition_t *d, const matrix_t *A,
                          const matrix_t *B, gsvd_problem_t *p)
{
    p->routine = GSVD_ROUTINE_GSVD;
    p->job[0] = job_of(d->task, 'U');
    p->job[1] = job_of(d->task, 'V');
    p->job[2] = d->task->values && d->task->bounds ? 'S' : job_of(d->task, 'Q');
    p->A.data = A->at;
    p->B.data = B->at;
    p->alpha.data = d->alpha.at;
    p->beta.data = d->beta.at;
    p->U.data = d->U.at;
    p->V.data = d->V.at;
    p->Q.data = d->Q.at;
    p->keep = d->task->keep < 0 ? -kept_columns(d) : kept_columns(d);
    return GSVD_SUCCESS;
}

/* R out of A and B; alpha, beta and X or Y without what lies beyond k + l. */
static bool gather(decomposition_t *d, const matrix_t *A, const matrix_t *B)
{
    const int64_t r = d->k + d->l, first = d->n - r;

    d->alpha.rows = d->beta.rows = r;
    d->bounds.rows = d->task->bounds ? r : 0;
    if (d->task->values)
        return true;
    if (d->task->form != GSVD_FORM_LAPACK) {
        const int64_t some = kept_columns(d);
        d->Q.cols = some ? least(some, r) : r;
        if (some)
            d->U.cols = d->V.cols = d->Q.cols;
        d->first = some && d->task->keep < 0 ? r - d->Q.cols : 0;
        return true;
    }
    if (!decompose_room(d, &d->R, "R", r, r, A->width))
        return false;
    for (int64_t j = 0; j < r; ++j) {
        for (int64_t i = 0; i <= j; ++i) {
            const matrix_t *const from = i < d->m ? A : B;
            const int64_t row = i < d->m ? i : i - d->k;
            for (int c = 0; c < A->width; ++c)
                d->R.at[(i + j * r) * A->width + c] =
                    from->at[(row + (first + j) * from->rows) * A->width + c];
        }
    }
    return true;
}

const routine_t routine_pair = {allocate, call, gather};
