/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* options.c [1] -- options, workspace, progress, statistics. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/handle.h"

/* The values of an option, step by step; step 0: all numbers */
static const struct {
    const char *name;
    int least, most, step;
} options[OPTIONS] = {
    [GSVD_SOLVER] = {"GSVD_SOLVER", 0, GSVD_SOLVER_CSD, 1},
    [GSVD_FORM] = {"GSVD_FORM", 0, GSVD_FORM_XINV, 1},
    [GSVD_MAX_SWEEPS] = {"GSVD_MAX_SWEEPS", 1, 1000, 1},
    [GSVD_PIVOT] = {"GSVD_PIVOT", 0, GSVD_PIVOT_NORM, GSVD_PIVOT_NORM},
    [GSVD_PANEL] = {"GSVD_PANEL", 0, GSVD_PANEL_TSQR, 1},
    [GSVD_SVD] = {"GSVD_SVD", 0, GSVD_SVD_BIDIAGONAL, 1},
    [GSVD_EQUILIBRATE] = {"GSVD_EQUILIBRATE", 0, GSVD_EQUILIBRATE_OFF, 1},
    [GSVD_RANK] = {"GSVD_RANK", 0, GSVD_RANK_ROWS, 1},
    [GSVD_TOL_A] = {"GSVD_TOL_A"},
    [GSVD_TOL_B] = {"GSVD_TOL_B"},
    [GSVD_TOL_JACOBI] = {"GSVD_TOL_JACOBI"},
    [GSVD_EIGH] = {"GSVD_EIGH", 0, GSVD_EIGH_FACTOR, 1},
};

static gsvd_status_t check_key(gsvd_handle_t h, gsvd_option_t key)
{
    return (int)key >= 0 && (int)key < OPTIONS
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_INVALID_ARGUMENT, "key: no option %d",
                           (int)key);
}

gsvd_status_t gsvd_set_option(gsvd_handle_t h, gsvd_option_t key, double value)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    GSVD_TRY(check_key(h, key));
    const int least = options[key].least, most = options[key].most;
    const int step = options[key].step;
    if (!isfinite(value))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "value: %s must be finite",
                         options[key].name);
    if (step > 0 && (value < least || value > most || fmod(value, step) != 0))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "value: %s takes %d %s %d, not %g", options[key].name,
                         least, step > 1 ? "or" : "to", most, value);
    h->option[key] = value;
    gsvd_forget_shapes(h);
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_get_option(gsvd_handle_t h, gsvd_option_t key, double *value)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    GSVD_TRY(check_key(h, key));
    if (!value)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "value: NULL");
    *value = h->option[key];
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_reset(gsvd_handle_t h)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    gsvd_set_defaults(h);
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
    if (!fn != !h->progress) /* Solvers that cannot report do not apply.     */
        gsvd_forget_shapes(h);
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
    const size_t bytes = stats->size;
    if (bytes < offsetof(gsvd_stats_t, k))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "stats.size: not sizeof(gsvd_stats_t)");
    memset(stats, 0, bytes);
    memcpy(stats, &h->stats, bytes < sizeof *stats ? bytes : sizeof *stats);
    stats->size = bytes;
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
