/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* module.h [1] -- what libgsvd and the module of a grid know of each other.
 *
 * A module has all that calls others' libraries, so that libgsvd needs none of them: libgsvd-openmpi and
 * libgsvd-mpich MPI and ScaLAPACK, libgsvd-nccl NCCL, cuBLASMp and cuSOLVERMp.  A communicator crosses as
 * MPI_Comm_c2f's integer, or as NCCL's pointer.
 */
#ifndef GSVD_GRID_MODULE_H
#define GSVD_GRID_MODULE_H

#include <stddef.h>

#include "gsvd_grid.h"

enum { GRID_ERROR = 256 }; /* characters of an error's text                  */

typedef enum grid_routine {
    GRID_SVD,
    GRID_PAIR,
    GRID_QR,
    GRID_GEQP,
    GRID_HSVD,
    GRID_EIGH,
    GRID_ROUTINES
} grid_routine_t;

/* The arrays that lie on a grid: of a pair all of them, of other routines A, U and V, or some.  eigh
 * has its Q as U. */
enum { GRID_A, GRID_B, GRID_U, GRID_V, GRID_X, GRID_ARRAYS };

typedef struct grid_array {
    void *data;
    const gsvd_grid_desc_t *desc;
} grid_array_t;

/* What the command tells of a result (tools/quality.h); ratio: the worst one, not yet over ulp */
typedef struct grid_quality {
    double residual_a, residual_b, orth_u, orth_v, norm_v, ratio;
} grid_quality_t;

/* The arguments of a call */
typedef struct grid_call {
    grid_routine_t routine;
    gsvd_type_t type;
    char job[3]; /* of U, of V, of X; eigh: jobz and uplo                    */
    int64_t m, n, p; /* eigh: m = n                                          */
    int64_t n_plus;
    grid_array_t array[GRID_ARRAYS];
    void *alpha, *beta; /* alpha: sigma of an SVD, w of eigh                 */
    void *tau;
    const int64_t *J;
    int64_t *jpvt;
    double tol;
    int64_t *k, *l; /* k: the rank of geqp                                   */
    int *info;
    int64_t rows_a, rows_b;  /* what ranks count as rows; 0: m and p          */
    grid_quality_t *quality; /* NULL; or all factors are in, and measured     */
} grid_call_t;

static inline int64_t grid_least(int64_t m, int64_t n) { return m < n ? m : n; }

/* The columns of U, of V, or of X that are asked for */
static inline int64_t grid_columns(const grid_call_t *c, int array)
{
    const int64_t order = array == GRID_U           ? c->m
                          : array == GRID_X         ? c->n
                          : c->routine == GRID_PAIR ? c->p
                                                    : c->n;
    const char job = c->job[array - GRID_U];
    const int64_t least = c->routine == GRID_PAIR ? grid_least(order, c->n)
                                                  : grid_least(c->m, c->n);
    return job == 'N' ? 0 : job == 'S' ? least : order;
}

/* What a process calls in libgsvd, by a handle */
typedef struct grid_gpu {
    /* *h := a handle on this GPU, or for GSVD_ANY on that whose turn it is of those that there are */
    gsvd_status_t (*create)(gsvd_handle_t *h, int device, int turn);
    /* L := L X, m x n, F := F X, p x n, X unitary: columns of L, which are of like length, the longest first,
     * become orthogonal.  Where it fails L and F may be lost. */
    gsvd_status_t (*solve)(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                           int64_t n, int64_t p, void *L, void *F);
    gsvd_status_t (*destroy)(gsvd_handle_t h);
    /* As solve, of arrays without gaps that are where the handle computes. */
    gsvd_status_t (*solve_there)(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                                 int64_t n, int64_t p, void *L, void *F);
    /* As dgsvd_geqp, of arrays that are where the handle computes; *rank is the host's. */
    gsvd_status_t (*geqp)(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                          int64_t n, void *A, int64_t lda, int64_t *jpvt,
                          void *tau, double tol, int64_t *rank);
    const char *(*last_error)(gsvd_handle_t h);
    int64_t least; /* columns of a band; 0: the tuning's.  Tests set it.     */
} grid_gpu_t;

extern const grid_gpu_t gsvd_grid_gpu; /* in libgsvd: on_gpu.c               */

/* The beginning of a grid, of which libgsvd knows no more */
struct gsvd_grid {
    const struct grid_module *module; /* the grid's                          */
    char error[GRID_ERROR];
    int sweeps; /* of the last call                                          */
    size_t taken; /* bytes that the last call took, which tests compare      */
    int64_t on_gpu; /* bands that a GPU solved for this process, ever        */
};

/* error: the text where there is no grid that has it */
typedef struct grid_module {
    const char
        *build; /* GSVD_BUILD: both are of one build, or neither is used */
    gsvd_status_t (*from_mpi)(struct gsvd_grid **g, int comm, int64_t p,
                              int64_t q, char order, char *error);
    gsvd_status_t (*from_blacs)(struct gsvd_grid **g, int context, char *error);
    /* comm: an ncclComm_t.  gpu: what the processes call in libgsvd.  NULL in modules of MPI, as those above
     * and below are in the other one. */
    gsvd_status_t (*from_nccl)(struct gsvd_grid **g, void *comm, int64_t p,
                               int64_t q, char order, const grid_gpu_t *gpu,
                               char *error);
    /* Of all processes that mpirun started, of which *rank of *size is this one, by rows.  Calls
     * MPI_Init; destroy, or this where it fails, calls MPI_Finalize. */
    gsvd_status_t (*from_world)(struct gsvd_grid **g, int64_t p, int64_t q,
                                int *rank, int *size, char *error);
    void (*destroy)(struct gsvd_grid *g);
    /* This process's bands are solved on this GPU, or for GSVD_ANY on one of its host's in turn, by `gpu`;
     * GSVD_HOST: on none. */
    void (*set_device)(struct gsvd_grid *g, int device, const grid_gpu_t *gpu);
    /* text, of GRID_ERROR bytes, becomes that of the first process with an error. */
    gsvd_status_t (*agree)(struct gsvd_grid *g, gsvd_status_t mine, char *text);
    /* bytes := process 0's */
    void (*share)(struct gsvd_grid *g, void *bytes, size_t count);
    gsvd_status_t (*run)(struct gsvd_grid *g, const grid_call_t *call);
    /* *bytes := what such a call takes on this process; of the call jobs and sizes are there. */
    gsvd_status_t (*bytes)(struct gsvd_grid *g, const grid_call_t *call,
                           size_t *bytes);
} grid_module_t;

/* in each of the modules */
extern GSVD_API const grid_module_t gsvd_grid_module;

#endif /* GSVD_GRID_MODULE_H */
