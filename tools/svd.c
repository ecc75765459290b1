/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the routines svd and hsvd: one matrix A, or G with signs J. */
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

static gsvd_status_t bytes_svd(gsvd_handle_t h, const decomposition_t *d,
                               size_t *device_bytes, size_t *host_bytes)
{
    return gsvd_svd_buffer_size(h, d->type, job_of(d->task, 'U'),
                                job_of(d->task, 'V'), d->m, d->n, device_bytes,
                                host_bytes);
}

static gsvd_status_t run_svd(gsvd_handle_t h, decomposition_t *d,
                             const matrix_t *A, const matrix_t *B, int *info)
{
    (void)B;
    return gsvd_svd(h, d->type, job_of(d->task, 'U'), job_of(d->task, 'V'),
                    d->m, d->n, A->at, leading(A), d->sigma.at, d->U.at,
                    leading(&d->U), d->V.at, leading(&d->V), info);
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

static gsvd_status_t bytes_hsvd(gsvd_handle_t h, const decomposition_t *d,
                                size_t *device_bytes, size_t *host_bytes)
{
    return gsvd_hsvd_buffer_size(h, d->type, job_of(d->task, 'U'),
                                 d->task->values ? 'N' : 'V', d->m, d->n,
                                 device_bytes, host_bytes);
}

static gsvd_status_t run_hsvd(gsvd_handle_t h, decomposition_t *d,
                              const matrix_t *G, const matrix_t *J, int *info)
{
    int64_t *const sign = malloc((size_t)(d->n + 1) * sizeof *sign);

    if (!sign)
        return GSVD_OUT_OF_MEMORY;
    for (int64_t j = 0; j < d->n; ++j) {
        sign[j] = J->at[j] > 0 ? 1 : -1;
        d->plus += sign[j] > 0;
    }
    const gsvd_status_t status =
        gsvd_hsvd(h, d->type, job_of(d->task, 'U'), d->task->values ? 'N' : 'V',
                  d->m, d->n, d->plus, G->at, leading(G), sign, d->sigma.at,
                  d->U.at, leading(&d->U), d->V.at, leading(&d->V), info);
    free(sign);
    return status;
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

const routine_t routine_svd = {allocate_svd, bytes_svd, run_svd, gather_svd};
const routine_t routine_hsvd = {allocate_hsvd, bytes_hsvd, run_hsvd,
                                gather_hsvd};
