/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda.c -- the CUDA table of primitives. */
#include "core/backend.h"
#include "core/cuda_state.h"
#include "core/elementwise.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

const backend_t X(backend_cuda) = {
    .block = 128 / PARTS,
    .wide = 256 / PARTS,
    .few = 0,
    .ahead = (int64_t)1 << 21,

    .aside = gsvd_cuda_aside,
    .meet = gsvd_cuda_meet,

    .copy = X(copy_cuda),
    .set = X(set_cuda),
    .zero_lower = X(zero_lower_cuda),
    .ctrans = X(ctrans_cuda),
    .flip_ctrans = X(flip_ctrans_cuda),
    .shift = X(shift_cuda),
    .shift_upper = X(shift_upper_cuda),
    .count_from_one = X(count_from_one_cuda),
    .scale_rows = X(scale_rows_cuda),
    .nonzero = X(nonzero_cuda),
    .measure = X(measure_cuda),
    .measure_rows = X(measure_rows_cuda),

    .column_norms = X(column_norms_cuda),
    .pivot_width = PIVOT_WIDTH,
    .pivot_last = PIVOT_WIDTH,
    .gaussian = X(gaussian_cuda),
    .tournament = X(tournament_cuda),
    .project = X(project_cuda),
    .update_sketch = X(update_sketch_cuda),
    .bring_forward = X(bring_forward_cuda),
    .pivot_columns = X(pivot_columns_cuda),
    .smallest = X(smallest_cuda),
    .judge = X(judge_cuda),
    .judged = X(judged_cuda),
    .weakest = X(weakest_cuda),
    .identity = X(identity_cuda),
    .permute_columns = X(permute_columns_cuda),
    .permute_rows = X(permute_rows_cuda),
    .order_rows = X(order_rows_cuda),

    .panel = X(panel_cuda),
    .tall_r = X(tall_r_cuda),
    .reflect = X(reflect_cuda),
    .unit_lower = X(unit_lower_cuda),
    .triangle = X(triangle_cuda),
    .fix_phase = X(fix_phase_cuda),
    .gemm = X(gemm_cuda),
    .gemm_sub = X(gemm_sub_cuda),

    .sweep = X(sweep_cuda),
    .take_count = X(take_count_cuda),
    .tgsja = X(tgsja_cuda),

    .values_unit = X(values_unit_cuda),
    .values_order = X(values_order_cuda),
    .values_permute = X(values_permute_cuda),
    .values_set = X(values_set_cuda),
    .values_complete = X(values_complete_cuda),
    .values_lead = X(values_lead_cuda),
    .values_weigh = X(values_weigh_cuda),
    .combine = X(combine_cuda),

    .scratch_bytes = X(scratch_bytes_cuda),
    .room_bytes = X(room_bytes_cuda),
    .staging_bytes = X(staging_bytes_cuda),
};
