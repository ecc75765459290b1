/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sums.c -- sums and largest numbers of all processes, and the messages of a move, by NCCL. */
#include "grid/move.h"
#include "grid/nccl/device.h"

static const ncclDataType_t type = GSVD_SINGLE ? ncclFloat : ncclDouble;

/* NCCL adds in one order, which depends on the number of processes and of numbers alone. */
static void of_all(int64_t n, real_t *x, ncclRedOp_t op)
{
    const nccl_t *const d = nccl_here();
    const int64_t most = MESSAGE_BYTES / (int64_t)sizeof *x;

    for (int64_t i = 0; i < n && gsvd_grid->size > 1; i += most) {
        const int64_t some = min_i(n - i, most);
        const size_t bytes = (size_t)some * sizeof *x;
        NCCL_ALWAYS(cudaMemcpyAsync(d->message, x + i, bytes,
                                    cudaMemcpyHostToDevice, d->stream));
        NCCL_ALWAYS(ncclAllReduce(d->message, d->message, (size_t)some, type,
                                  op, d->comm, d->stream));
        gsvd_nccl_read(x + i, d->message, bytes);
    }
}

void X(sum_all)(int64_t n, real_t *x) { of_all(n, x, ncclSum); }

void X(largest_all)(int64_t n, real_t *x)
{
    for (int64_t i = 0; i < n; ++i)
        if (x[i] != x[i])
            x[i] = (real_t)INFINITY;
    of_all(n, x, ncclMax);
}

gsvd_status_t X(move_exchange)(message_t *m)
{
    const nccl_t *const d = nccl_here();

    NCCL_ALWAYS(ncclGroupStart());
    for (int k = 0; k < gsvd_grid->size; ++k) {
        const size_t reals = REALS_PER_SCALAR;
        if (m->out[k] > 0)
            NCCL_ALWAYS(ncclSend(m->sent + m->out_at[k],
                                 reals * (size_t)m->out[k], type, k, d->comm,
                                 d->stream));
        if (m->in[k] > 0)
            NCCL_ALWAYS(ncclRecv(m->received + m->in_at[k],
                                 reals * (size_t)m->in[k], type, k, d->comm,
                                 d->stream));
    }
    NCCL_ALWAYS(ncclGroupEnd());
    return GSVD_SUCCESS;
}
