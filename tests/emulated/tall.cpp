/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tall.cpp -- the kernels of batch/tall.cuh on the host. */
#include "emulated/block.h"

#include "batch/tall.cuh"
#include "emulated/svd.h"

typedef struct task {
    svd_batch_t b;
    triangles_t t;
    int form; /* U, not the factorization                                    */
    int graded; /* of matrices whose rows differ                              */
} task_t;

template <int NC, int ROWS> static void run_thread(void *of_block)
{
    const task_t *const t = (const task_t *)of_block;
    if (t->graded && t->form)
        tall_graded_form_kernel<NC>(t->b, t->t);
    else if (t->graded)
        tall_graded_qr_kernel<NC>(t->b, t->t);
    else if (t->form)
        tall_form_kernel<NC, ROWS>(t->b, t->t);
    else
        tall_qr_kernel<NC, ROWS>(t->b, t->t);
}

template <int NC> static void run_blocks(task_t *t, int64_t count)
{
    constexpr int most = most_rows<NC>::VALUE;
    for (int64_t i = 0; i < count; ++i) {
        block::index_of_block.x = (unsigned)i;
        block::run(CHUNK,
                   rows_of_thread(&t->b) == most ? run_thread<NC, most>
                                                 : run_thread<NC, 1>,
                   t, emulated_backward);
    }
}

static void run_order(task_t t, int64_t count)
{
    if (t.t.order == 8)
        run_blocks<8>(&t, count);
    else if (t.t.order == 16)
        run_blocks<16>(&t, count);
    else
        run_blocks<TALL_COLUMNS>(&t, count);
}

extern "C" void X(tall_qr_on_host)(const svd_batch_t *b, const triangles_t *t,
                                   int64_t count)
{
    run_order({*b, *t, 0, 0}, count);
    if (!b->with_signs)
        run_order({*b, *t, 0, 1}, count);
}

extern "C" void X(tall_form_on_host)(const svd_batch_t *b, const triangles_t *t,
                                     int64_t count)
{
    run_order({*b, *t, 1, 0}, count);
    if (!b->with_signs)
        run_order({*b, *t, 1, 1}, count);
}
