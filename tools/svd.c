/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the routines svd, hsvd and eigh: one matrix A, or G with signs J. */
#include <stdlib.h>

#include "routine.h"

/* In full, in economy size, or none of it */
static int64_t columns(const task_t *t, int64_t full, int64_t economy)
{
    return t->values ? 0 : t->economy ? economy : full;
}

static bool allocate(decomposition_t *d, int width, int64_t u, int64_t v)
{
    const bool values = d->task->values;

    return decompose_room(d, &d->sigma, "sigma", least(d->m, d->n), 1, 1) &&
           decompose_room(d, &d->U, "U", values ? 0 : d->m, u, width) &&
           decompose_room(d, &d->V, "V", values ? 0 : d->n, v, width);
}

/* -- svd ---------------------------------------------------------------------- */

static bool allocate_svd(decomposition_t *d, int width)
{
    const int64_t most = least(d->m, d->n);

    return allocate(d, width, columns(d->task, d->m, most),
                    columns(d->task, d->n, most));
}

static void set_call(const decomposition_t *d, const matrix_t *A,
                     gsvd_problem_t *p)
{
    p->A.data = A->at;
    p->alpha.data = d->sigma.at;
    p->U.data = d->U.at;
    p->V.data = d->V.at;
}

static gsvd_status_t call_svd(decomposition_t *d, const matrix_t *A,
                              const matrix_t *B, gsvd_problem_t *p)
{
    (void)B;
    p->routine = GSVD_ROUTINE_SVD;
    p->job[0] = job_of(d->task, 'U');
    p->job[1] = job_of(d->task, 'V');
    set_call(d, A, p);
    return GSVD_SUCCESS;
}

static bool gather_svd(decomposition_t *d, const matrix_t *A, const matrix_t *B)
{
    (void)d, (void)A, (void)B;
    return true;
}

/* -- hsvd --------------------------------------------------------------------- */

static bool allocate_hsvd(decomposition_t *d, int width)
{
    return decompose_room(d, &d->signs, "the signs", d->n, 1, 1) &&
           allocate(d, width, columns(d->task, d->m, d->n),
                    columns(d->task, d->n, d->n));
}

static gsvd_status_t call_hsvd(decomposition_t *d, const matrix_t *G,
                               const matrix_t *J, gsvd_problem_t *p)
{
    d->J = malloc((size_t)(d->n + 1) * sizeof *d->J);
    if (!d->J)
        return GSVD_OUT_OF_MEMORY;
    for (int64_t j = 0; j < d->n; ++j) {
        d->J[j] = J->at[j] > 0 ? 1 : -1;
        d->plus += d->J[j] > 0;
    }
    p->routine = GSVD_ROUTINE_HSVD;
    p->job[0] = job_of(d->task, 'U');
    p->job[1] = d->task->values ? 'N' : 'V';
    p->n_plus = d->plus;
    p->signs.data = d->J;
    set_call(d, G, p);
    return GSVD_SUCCESS;
}

/* J' = diag(I, -I) */
static bool gather_hsvd(decomposition_t *d, const matrix_t *A,
                        const matrix_t *B)
{
    (void)A, (void)B;
    for (int64_t j = 0; j < d->n; ++j)
        d->signs.at[j] = j < d->plus ? 1 : -1;
    return true;
}

/* -- eigh --------------------------------------------------------------------- */

static bool allocate_eigh(decomposition_t *d, int width)
{
    const int64_t n = d->task->values ? 0 : d->n;

    return decompose_room(d, &d->sigma, "W", d->n, 1, 1) &&
           decompose_room(d, &d->Q, "Q", n, n, width);
}

static gsvd_status_t call_eigh(decomposition_t *d, const matrix_t *A,
                               const matrix_t *B, gsvd_problem_t *p)
{
    (void)B;
    p->routine = GSVD_ROUTINE_EIGH;
    p->job[0] = d->task->values ? 'N' : 'V';
    p->A.data = A->at;
    p->alpha.data = d->sigma.at;
    p->Q.data = d->Q.at;
    return GSVD_SUCCESS;
}

const routine_t routine_eigh = {allocate_eigh, call_eigh, gather_svd};
const routine_t routine_svd = {allocate_svd, call_svd, gather_svd};
const routine_t routine_hsvd = {allocate_hsvd, call_hsvd, gather_hsvd};
