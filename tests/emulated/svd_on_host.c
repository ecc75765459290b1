/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd_on_host.c -- the SVDs of a batch by a GPU's kernels on the host. */
#include "emulated/svd.h"
#include "harness/harness.h"

int emulated_backward;

#if defined GSVD_HAVE_EMULATION

enum { LANES = 32, MOST_IN_WARP = 512, MOST_BY_BLOCKS = 80 };

static int warps_of(const exec_t *ex, int order)
{
    const int both = 2 * order * (int)sizeof(scalar_t);
    return both <= MOST_IN_WARP && both <= ex->tune->one_warp ? 1 : 2;
}

static void by_triangles(const exec_t *ex, const svd_batch_t *b)
{
    const int64_t rows = max_i(b->m, b->n);
    triangles_t t = {.order = team_order(min_i(b->m, b->n)),
                     .chunks = (rows + CHUNK - 1) / CHUNK,
                     .sweeps = ex->policy.max_sweeps,
                     .tol = team_tolerance(&ex->policy)};
    const size_t square = (size_t)(t.order * t.order) * sizeof(scalar_t);
    const size_t count = (size_t)b->count;
    t.R = grab(count * square);
    t.W = grab(count * square);
    t.T = grab(count * (size_t)t.chunks * square);
    t.exponent = grab(count * sizeof *t.exponent);
    t.graded = grab(count * sizeof *t.graded);
    X(tall_qr_on_host)(b, &t, b->count);
    X(registers_on_host)(b, &t, b->count, warps_of(ex, t.order));
    if (b->u_cols > 0 || b->v_cols > 0)
        X(tall_form_on_host)(b, &t, b->count);
}

int X(svd_on_host_fits)(const svd_batch_t *b)
{
    const int64_t n = min_i(b->m, b->n);
    return max_i(b->m, b->n) <= REGISTER_COLUMNS || n <= TALL_COLUMNS ||
           (n <= MOST_BY_BLOCKS && !b->with_signs);
}

gsvd_status_t X(svd_on_host)(const exec_t *ex, const svd_batch_t *b)
{
    const int64_t most = max_i(b->m, b->n);
    if (most <= REGISTER_COLUMNS) {
        const triangles_t none = {.order = team_order(most),
                                  .sweeps = ex->policy.max_sweeps,
                                  .tol = team_tolerance(&ex->policy)};
        X(registers_on_host)(b, &none, b->count, warps_of(ex, none.order));
    } else if (min_i(b->m, b->n) <= TALL_COLUMNS) {
        by_triangles(ex, b);
    } else {
        X(blocks_on_host)(b, ex->policy.max_sweeps, 2);
    }
    return GSVD_SUCCESS;
}

#else

int X(svd_on_host_fits)(const svd_batch_t *b) { return (void)b, 0; }

int X(drift_on_host)(mat_t V, unsigned rows, int64_t plus)
{
    (void)V, (void)rows, (void)plus;
    return -1;
}

gsvd_status_t X(svd_on_host)(const exec_t *ex, const svd_batch_t *b)
{
    (void)ex, (void)b;
    return GSVD_NOT_SUPPORTED;
}

#endif
