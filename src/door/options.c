/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* options.c [1] -- options, tolerances, workspace, progress, statistics. */
#include <math.h>

#include "core/handle.h"

gsvd_status_t gsvd_set_option(gsvd_handle_t h, gsvd_option_t key, int value)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    int least = 0, most = 0, step = 1; /* the values: 0 or 1, step by step   */
    switch (key) {
    case GSVD_SOLVER: most = GSVD_SOLVER_CSD; break;
    case GSVD_FORM: most = GSVD_FORM_X; break;
    case GSVD_MAX_SWEEPS: least = 1, most = 1000; break;
    case GSVD_PIVOT: most = step = GSVD_PIVOT_NORM; break;
    case GSVD_PANEL: most = GSVD_PANEL_TSQR; break;
    case GSVD_SVD: most = GSVD_SVD_JACOBI; break;
    case GSVD_EQUILIBRATE: most = GSVD_EQUILIBRATE_OFF; break;
    case GSVD_RANK: most = GSVD_RANK_ROWS; break;
    default:
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "key: no option %d",
                         (int)key);
    }
    if (value < least || value > most || value % step != 0)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "value: option %d takes %d %s %d, not %d", (int)key,
                         least, step > 1 ? "or" : "to", most, value);
    h->option[key] = value;
    h->workspace.routine = NULL;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_set_tolerance(gsvd_handle_t h, gsvd_tolerance_t key,
                                 double value)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    if ((int)key < GSVD_TOL_A || (int)key > GSVD_TOL_JACOBI)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "key: no tolerance %d",
                         (int)key);
    if (!isfinite(value))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "value: a tolerance must be finite");
    h->tolerance[key] = value;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_set_workspace(gsvd_handle_t h, void *dwork,
                                 size_t dwork_bytes, void *hwork,
                                 size_t hwork_bytes)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    h->dwork = dwork;
    h->dwork_bytes = dwork_bytes;
    h->hwork = hwork;
    h->hwork_bytes = hwork_bytes;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_set_progress(gsvd_handle_t h, gsvd_progress_t fn, void *user)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    h->progress = fn;
    h->progress_user = user;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_get_stats(gsvd_handle_t h, gsvd_stats_t *stats)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    if (!stats)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "stats: NULL");
    *stats = h->stats;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_get_device(gsvd_handle_t h, int *device)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    if (!device)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "device: NULL");
    *device = h->device;
    return GSVD_SUCCESS;
}
