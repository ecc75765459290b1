/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* open_module.h [1] -- opens the module of grids, for libgsvd and for the command, both of which define
 * _GNU_SOURCE first and GSVD_GRID_MODULE, its file's name. */
#ifndef GSVD_GRID_OPEN_MODULE_H
#define GSVD_GRID_OPEN_MODULE_H

#include "core/beside.h"
#include "grid/module.h"
#include "gsvd_build.h"

/* here: an address in libgsvd; NULL: reason says why, in GRID_ERROR bytes. */
static inline const grid_module_t *open_grid_module(const void *here,
                                                    char *reason)
{
    void *const library = open_beside(here, GSVD_GRID_MODULE);
    const grid_module_t *const found =
        library ? dlsym(library, "gsvd_grid_module") : NULL;

    if (!found)
        snprintf(reason, GRID_ERROR, "no grid: %.200s", dlerror());
    else if (strcmp(found->build, GSVD_BUILD) != 0)
        snprintf(reason, GRID_ERROR,
                 "no grid: " GSVD_GRID_MODULE
                 " is of libgsvd %.60s, this is libgsvd " GSVD_BUILD,
                 found->build);
    else
        return found;
    return NULL;
}

#endif /* GSVD_GRID_OPEN_MODULE_H */
