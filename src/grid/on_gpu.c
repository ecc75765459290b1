/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* on_gpu.c [1] -- what libgsvd gives the module of grids, for bands of columns that a process solves on a GPU,
 * and for pivots.  The module links neither libgsvd nor CUDA. */
#include "door/shapes.h"
#include "grid/module.h"

DOOR_DECLARE(band);

static const routine_t routine = {
    .size = {DOOR_SIZE(m, 1), DOOR_SIZE(n, 2), DOOR_SIZE(p, 3)},
    .array = {{.name = "L",
               .operand = OPERAND_A,
               .number = 4,
               .ld_number = 5,
               .rows = rows_m,
               .cols = rows_n,
               .flow = flow_both},
              {.name = "F",
               .operand = OPERAND_B,
               .number = 6,
               .ld_number = 7,
               .rows = rows_p,
               .cols = rows_n,
               .flow = flow_both}},
    .program = DOOR_PROGRAMS(band),
};

static gsvd_status_t solve_by(gsvd_handle_t h, gsvd_type_t type, door_t door,
                              int64_t m, int64_t n, int64_t p, void *L, void *F)
{
    args_t args = {
        .m = m,
        .n = n,
        .p = p,
        .array = {[OPERAND_A] = L, [OPERAND_B] = F},
        .ld = {[OPERAND_A] = m > 1 ? m : 1, [OPERAND_B] = p > 1 ? p : 1}};
    return gsvd_call(h, type, &routine, door, &args, NULL);
}

static gsvd_status_t solve(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                           int64_t n, int64_t p, void *L, void *F)
{
    return solve_by(h, type, DOOR_HOST, m, n, p, L, F);
}

/* The door of arrays that are where the handle computes */
static door_t door_of(gsvd_handle_t h)
{
    return h->space->on_device ? DOOR_GPU : DOOR_HOST;
}

static gsvd_status_t solve_there(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                                 int64_t n, int64_t p, void *L, void *F)
{
    return solve_by(h, type, door_of(h), m, n, p, L, F);
}

static gsvd_status_t geqp(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                          int64_t n, void *A, int64_t lda, int64_t *jpvt,
                          void *tau, double tol, int64_t *rank)
{
    args_t args = {
        .m = m,
        .n = n,
        .tol = {tol},
        .k_out = rank,
        .array = {[OPERAND_A] = A, [OPERAND_JPVT] = jpvt, [OPERAND_TAU] = tau},
        .ld = {[OPERAND_A] = lda}};
    return gsvd_call(h, type, gsvd_geqp_routine, door_of(h), &args, NULL);
}

/* Not by gsvd_create(GSVD_ANY), which takes the first GPU for all processes, or the host */
static gsvd_status_t create(gsvd_handle_t *h, int device, int turn)
{
    const char *why;
    const space_t *const cuda = gsvd_space_cuda(&why);
    const int count = cuda ? cuda->count() : 0;

    *h = NULL;
    if (device == GSVD_ANY && count == 0)
        return GSVD_NOT_SUPPORTED;
    return gsvd_create(h, device == GSVD_ANY ? turn % count : device);
}

const grid_gpu_t gsvd_grid_gpu = {
    create, solve, gsvd_destroy, solve_there, geqp, gsvd_last_error, 0};
