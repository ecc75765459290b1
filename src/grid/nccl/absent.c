/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* absent.c -- what a grid of devices does not do: the road of tall pairs, and the command's measures. */
#include "grid/call.h"

gsvd_status_t X(tall_on_grid)(const exec_t *ex, const grid_call_t *call,
                              int *info, int *taken)
{
    (void)ex, (void)call, (void)info;
    *taken = 0;
    return GSVD_SUCCESS;
}

gsvd_status_t X(measure_on_grid)(const exec_t *ex, const grid_call_t *call,
                                 int *info)
{
    (void)ex, (void)call, (void)info;
    return gsvd_grid_fail(GSVD_NOT_SUPPORTED,
                          "measures of a result: not on a grid of devices");
}
