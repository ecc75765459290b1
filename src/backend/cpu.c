/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c -- the CPU's table of primitives. */
#include "core/backend.h"
#include "core/elementwise.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

/* One queue is all there is: work is done when it is queued. */
static gsvd_status_t one_queue(gsvd_handle_t h, queue_t queue)
{
    (void)h;
    (void)queue;
    return GSVD_SUCCESS;
}

const backend_t X(backend_cpu) = {
    .block = 64,
    .wide = 64,
    .few = 128 * 128 * 128,
    .ahead = INT64_MAX,

    .aside = one_queue,
    .meet = one_queue,

    .copy = X(copy_cpu),
    .set = X(set_cpu),
    .zero_lower = X(zero_lower_cpu),
    .ctrans = X(ctrans_cpu),
    .flip_ctrans = X(flip_ctrans_cpu),
    .shift = X(shift_cpu),
    .shift_upper = X(shift_upper_cpu),
    .count_from_one = X(count_from_one_cpu),
    .scale_rows = X(scale_rows_cpu),
    .nonzero = X(nonzero_cpu),
    .measure = X(measure_cpu),
    .measure_rows = X(measure_rows_cpu),

    .column_norms = X(column_norms_cpu),
    .pivot_width = PIVOT_WIDTH,
    .pivot_last = 1000,
    .gaussian = X(gaussian_cpu),
    .tournament = X(tournament_cpu),
    .project = X(project_cpu),
    .update_sketch = X(update_sketch_cpu),
    .bring_forward = X(bring_forward_cpu),
    .pivot_columns = X(pivot_columns_cpu),
    .smallest = X(smallest_cpu),
    .judge = X(judge_cpu),
    .judged = X(judged_cpu),
    .weakest = X(weakest_cpu),
    .identity = X(identity_cpu),
    .permute_columns = X(permute_columns_cpu),
    .permute_rows = X(permute_rows_cpu),
    .order_rows = X(order_rows_cpu),

    .panel = X(panel_cpu),
    .tall_r = X(tall_r_cpu),
    .reflect = X(reflect_cpu),
    .form = X(form_cpu),
    .unit_lower = X(unit_lower_cpu),
    .triangle = X(triangle_cpu),
    .fix_phase = X(fix_phase_cpu),
    .gemm = X(gemm_cpu),
    .gemm_sub = X(gemm_sub_cpu),

    .sweep = X(sweep_cpu),
    .take_count = X(take_count_cpu),
    .tgsja = X(tgsja_cpu),

    .values_unit = X(values_unit_cpu),
    .values_order = X(values_order_cpu),
    .values_permute = X(values_permute_cpu),
    .values_set = X(values_set_cpu),
    .values_complete = X(values_complete_cpu),
    .values_lead = X(values_lead_cpu),
    .values_weigh = X(values_weigh_cpu),
    .combine = X(combine_cpu),

    .scratch_bytes = X(scratch_bytes_cpu),
    .room_bytes = X(room_bytes_cpu),
    .staging_bytes = X(staging_bytes_cpu),
};
