/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* open_module.h [1] -- opens the module of grids, for libgsvd and for the command, both of which define
 * _GNU_SOURCE first and GSVD_MODULE_SUFFIX, how its file's name ends.
 *
 * The module is that of the MPI that is in the process, or, if there is none, of the mpirun that started
 * it. */
#ifndef GSVD_GRID_OPEN_MODULE_H
#define GSVD_GRID_OPEN_MODULE_H

#include <stdlib.h>

#include "core/beside.h"
#include "grid/module.h"
#include "gsvd_build.h"

static inline int is_loaded(const char *library)
{
    void *const found = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return found && dlclose(found) == 0;
}

static inline int is_of_mpich(void)
{
    if (is_loaded("libmpich.so.12") || is_loaded("libmpi.so.12"))
        return 1;
    return !is_loaded("libmpi.so.40") && getenv("PMI_RANK") &&
           !getenv("OMPI_COMM_WORLD_RANK");
}

/* The module of this name.  here: an address in libgsvd; NULL: reason says why, in GRID_ERROR bytes. */
static inline const grid_module_t *
open_module_named(const void *here, const char *name, char *reason)
{
    void *const library = open_beside(here, name);
    const grid_module_t *const found =
        library ? dlsym(library, "gsvd_grid_module") : NULL;

    if (!found)
        snprintf(reason, GRID_ERROR, "no grid: %.200s", dlerror());
    else if (strcmp(found->build, GSVD_BUILD) != 0)
        snprintf(reason, GRID_ERROR,
                 "no grid: %s is of libgsvd %.60s, this is libgsvd " GSVD_BUILD,
                 name, found->build);
    else
        return found;
    return NULL;
}

/* That of MPI */
static inline const grid_module_t *open_grid_module(const void *here,
                                                    char *reason)
{
    return open_module_named(here,
                             is_of_mpich()
                                 ? "libgsvd-mpich" GSVD_MODULE_SUFFIX
                                 : "libgsvd-openmpi" GSVD_MODULE_SUFFIX,
                             reason);
}

/* That of NCCL */
static inline const grid_module_t *open_nccl_module(const void *here,
                                                    char *reason)
{
    return open_module_named(here, "libgsvd-nccl" GSVD_MODULE_SUFFIX, reason);
}

#endif /* GSVD_GRID_OPEN_MODULE_H */
