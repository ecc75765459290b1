/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* module.h [1] -- what libgsvd and the module of a grid know of each other.
 *
 * The module, libgsvd-openmpi, has all that calls MPI and ScaLAPACK, so that libgsvd needs neither.
 * A communicator crosses as MPI_Comm_c2f's integer.
 */
#ifndef GSVD_GRID_MODULE_H
#define GSVD_GRID_MODULE_H

#include <stddef.h>

#include "gsvd_grid.h"

enum { GRID_ERROR = 256 }; /* characters of an error's text                  */

/* The arguments of gsvd_grid_svd */
typedef struct grid_call {
    gsvd_type_t type;
    char jobu, jobv;
    int64_t m, n;
    void *A, *sigma, *U, *V;
    const gsvd_grid_desc_t *descA, *descU, *descV;
    int *info;
} grid_call_t;

/* The beginning of a grid, of which libgsvd knows no more: the text of its last error */
struct gsvd_grid {
    char error[GRID_ERROR];
};

/* error: the text where there is no grid that has it */
typedef struct grid_module {
    const char
        *build; /* GSVD_BUILD: both are of one build, or neither is used */
    gsvd_status_t (*from_mpi)(struct gsvd_grid **g, int comm, int64_t p,
                              int64_t q, char order, char *error);
    gsvd_status_t (*from_blacs)(struct gsvd_grid **g, int context, char *error);
    void (*destroy)(struct gsvd_grid *g);
    gsvd_status_t (*svd)(struct gsvd_grid *g, const grid_call_t *call);
} grid_module_t;

/* in libgsvd-openmpi */
extern GSVD_API const grid_module_t gsvd_grid_module;

#endif /* GSVD_GRID_MODULE_H */
