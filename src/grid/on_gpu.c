/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* on_gpu.c [1] -- what libgsvd gives the module of grids, for bands of columns that a process solves on a GPU
 * (owners.c).  The module links neither libgsvd nor CUDA. */
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

static gsvd_status_t solve(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                           int64_t n, int64_t p, void *L, void *F)
{
    args_t args = {
        .m = m,
        .n = n,
        .p = p,
        .array = {[OPERAND_A] = L, [OPERAND_B] = F},
        .ld = {[OPERAND_A] = m > 1 ? m : 1, [OPERAND_B] = p > 1 ? p : 1}};
    return gsvd_call(h, type, &routine, DOOR_HOST, &args, NULL);
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

const grid_gpu_t gsvd_grid_gpu = {create, solve, gsvd_destroy, 0};
