/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* header.c -- gsvd_filter.h, and gsvd.h in it, as C11, with nothing before it; and those without letters. */
#include "gsvd_filter.h"
#include "gsvd_grid.h"
#include "gsvd_lapack_eig.h"

/* each public name can be used as the header says */
typedef gsvd_status_t header_check_t(gsvd_handle_t h, int device);
header_check_t header_check;

gsvd_status_t header_check(gsvd_handle_t h, int device)
{
    gsvd_stats_t stats;
    stats.size = sizeof stats;
    (void)device;
    return gsvd_get_stats(h, &stats);
}

_Static_assert(sizeof(gsvd_complex_float) == 2 * sizeof(float), "layout");
_Static_assert(sizeof(gsvd_complex_double) == 2 * sizeof(double), "layout");
_Static_assert(GSVD_SUCCESS == 0, "success is zero");
_Static_assert(GSVD_HOST < 0 && GSVD_ANY < 0 && GSVD_HOST != GSVD_ANY,
               "no ordinal of a device");
