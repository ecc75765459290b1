/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tall.cu -- launches tall.cuh. */
#include "batch/tall.cuh"
#include "core/cuda_state.h"

/* -- launches ------------------------------------------------------------------------ */

template <int NC>
static gsvd_status_t tall_qr(const exec_t *ex, const svd_batch_t *b,
                             const triangles_t *w, unsigned blocks)
{
    constexpr int most = most_rows<NC>::VALUE;
    if (rows_of_thread(b) == most)
        tall_qr_kernel<NC, most><<<blocks, CHUNK, 0, stream_of(ex)>>>(*b, *w);
    else
        tall_qr_kernel<NC, 1><<<blocks, CHUNK, 0, stream_of(ex)>>>(*b, *w);
    GSVD_TRY(gsvd_launched(ex->h, "svd_batched"));
    if (b->with_signs)
        return GSVD_SUCCESS;
    tall_graded_qr_kernel<NC><<<blocks, CHUNK, 0, stream_of(ex)>>>(*b, *w);
    return gsvd_launched(ex->h, "svd_batched");
}

template <int NC>
static gsvd_status_t tall_form(const exec_t *ex, const svd_batch_t *b,
                               const triangles_t *w, unsigned blocks)
{
    constexpr int most = most_rows<NC>::VALUE;
    if (rows_of_thread(b) == most)
        tall_form_kernel<NC, most><<<blocks, CHUNK, 0, stream_of(ex)>>>(*b, *w);
    else
        tall_form_kernel<NC, 1><<<blocks, CHUNK, 0, stream_of(ex)>>>(*b, *w);
    GSVD_TRY(gsvd_launched(ex->h, "svd_batched"));
    if (b->with_signs)
        return GSVD_SUCCESS;
    tall_graded_form_kernel<NC><<<blocks, CHUNK, 0, stream_of(ex)>>>(*b, *w);
    return gsvd_launched(ex->h, "svd_batched");
}

gsvd_status_t X(svd_tall_qr)(const exec_t *ex, const svd_batch_t *b,
                             const triangles_t *w, int64_t count)
{
    const unsigned blocks = (unsigned)count;
    return w->order == 8    ? tall_qr<8>(ex, b, w, blocks)
           : w->order == 16 ? tall_qr<16>(ex, b, w, blocks)
                            : tall_qr<TALL_COLUMNS>(ex, b, w, blocks);
}

gsvd_status_t X(svd_tall_form)(const exec_t *ex, const svd_batch_t *b,
                               const triangles_t *w, int64_t count)
{
    const unsigned blocks = (unsigned)count;
    return w->order == 8    ? tall_form<8>(ex, b, w, blocks)
           : w->order == 16 ? tall_form<16>(ex, b, w, blocks)
                            : tall_form<TALL_COLUMNS>(ex, b, w, blocks);
}
