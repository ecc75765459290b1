/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* door.c [1] -- the functions of gsvd_grid.h, in libgsvd, which opens their module when a grid is first
 * asked for. */
#define _GNU_SOURCE /* dladdr */
#include <pthread.h>
#include <stdlib.h>

#include "core/status.h"
#include "grid/open_module.h"

/* -- the module ------------------------------------------------------------------ */

static pthread_once_t once = PTHREAD_ONCE_INIT, once_nccl = PTHREAD_ONCE_INIT;
static const grid_module_t *module, *nccl; /* of MPI, of NCCL               */
static char reason[GRID_ERROR], reason_nccl[GRID_ERROR]; /* why there is none */

static void open_module(void) { module = open_grid_module(&once, reason); }
static void open_nccl(void) { nccl = open_nccl_module(&once, reason_nccl); }

/* -- grids ------------------------------------------------------------------------- */

static _Thread_local char create_error[GRID_ERROR];

const char *gsvd_grid_last_error(gsvd_grid_t g)
{
    return g ? g->error : create_error;
}

static gsvd_status_t failed(gsvd_status_t status, const char *text)
{
    snprintf(create_error, sizeof create_error, "%s", text);
    return status;
}

/* *g := NULL */
static gsvd_status_t clear(gsvd_grid_t *g)
{
    (void)failed(GSVD_SUCCESS, "");
    if (!g)
        return failed(GSVD_INVALID_ARGUMENT, "argument 1, g: NULL");
    *g = NULL;
    return GSVD_SUCCESS;
}

/* *g := NULL.  Is there a module of MPI? */
static gsvd_status_t begin(gsvd_grid_t *g)
{
    GSVD_TRY(clear(g));
    return pthread_once(&once, open_module) == 0 && module
               ? GSVD_SUCCESS
               : failed(GSVD_NOT_SUPPORTED, reason);
}

static gsvd_status_t illegal(gsvd_grid_t g, const char *text)
{
    snprintf(g->error, sizeof g->error, "%s", text);
    return GSVD_INVALID_ARGUMENT;
}

gsvd_status_t gsvd_grid_from_mpi(gsvd_grid_t *g, int comm, int64_t p, int64_t q,
                                 char order)
{
    GSVD_TRY(begin(g));
    return module->from_mpi(g, comm, p, q, order, create_error);
}

gsvd_status_t gsvd_grid_from_blacs(gsvd_grid_t *g, int context)
{
    GSVD_TRY(begin(g));
    return module->from_blacs(g, context, create_error);
}

gsvd_status_t gsvd_grid_from_nccl(gsvd_grid_t *g, void *comm, int64_t p,
                                  int64_t q, char order)
{
    GSVD_TRY(clear(g));
    return pthread_once(&once_nccl, open_nccl) == 0 && nccl
               ? nccl->from_nccl(g, comm, p, q, order, &gsvd_grid_gpu,
                                 create_error)
               : failed(GSVD_NOT_SUPPORTED, reason_nccl);
}

gsvd_status_t gsvd_grid_set_device(gsvd_grid_t g, int device)
{
    if (!g)
        return GSVD_INVALID_HANDLE;
    if (device < GSVD_ANY)
        return illegal(g, "argument 2, device: neither an ordinal nor "
                          "GSVD_HOST nor GSVD_ANY");
    g->module->set_device(g, device, &gsvd_grid_gpu);
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_grid_destroy(gsvd_grid_t g)
{
    if (g)
        g->module->destroy(g);
    return GSVD_SUCCESS;
}

gsvd_grid_desc_t gsvd_grid_desc(const int desc[9])
{
    const gsvd_grid_desc_t d = {.m = desc[2],
                                .n = desc[3],
                                .mb = desc[4],
                                .nb = desc[5],
                                .rsrc = desc[6],
                                .csrc = desc[7],
                                .lld = desc[8]};
    return d;
}

static const struct {
    gsvd_routine_t routine;
    grid_routine_t on_grid;
} routines[] = {{GSVD_ROUTINE_GSVD, GRID_PAIR}, {GSVD_ROUTINE_SVD, GRID_SVD},
                {GSVD_ROUTINE_QR, GRID_QR},     {GSVD_ROUTINE_GEQP, GRID_GEQP},
                {GSVD_ROUTINE_HSVD, GRID_HSVD}, {GSVD_ROUTINE_EIGH, GRID_EIGH}};

static char job_of(const gsvd_problem_t *p, int k)
{
    const int is_uplo = p->routine == GSVD_ROUTINE_EIGH && k == 1;
    return p->job[k] ? p->job[k] : is_uplo ? 'L' : 'N';
}

gsvd_status_t gsvd_grid_bytes(gsvd_grid_t g, const gsvd_problem_t *problem,
                              size_t *bytes)
{
    const size_t known = offsetof(gsvd_problem_t, n_plus) + sizeof(int64_t);
    const gsvd_problem_t *const p = problem;
    size_t k = 0;

    if (!g)
        return GSVD_INVALID_HANDLE;
    if (!p || p->size < known)
        return illegal(g, "argument 2, problem: NULL, or its size is not "
                          "sizeof(gsvd_problem_t)");
    if (!bytes)
        return illegal(g, "argument 3, bytes: NULL");
    while (k < sizeof routines / sizeof *routines &&
           routines[k].routine != p->routine)
        ++k;
    if (k == sizeof routines / sizeof *routines)
        return illegal(g, "problem.routine: not one of a grid");
    const int is_eigh = p->routine == GSVD_ROUTINE_EIGH;
    const grid_call_t call = {.routine = routines[k].on_grid,
                              .type = p->type,
                              .job = {job_of(p, 0), job_of(p, 1), job_of(p, 2)},
                              .m = is_eigh ? p->n : p->m,
                              .n = p->n,
                              .p = p->routine == GSVD_ROUTINE_GSVD ? p->p : 0,
                              .n_plus = p->n_plus};
    *bytes = 0;
    return g->module->bytes(g, &call, bytes);
}

/* -- calls -------------------------------------------------------------------------- */

#define ROUTINES(letter, of_type, real, scalar)                                \
    gsvd_status_t letter##gsvd_grid_svd(                                       \
        gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n,             \
        const scalar *A, const gsvd_grid_desc_t *descA, real *sigma,           \
        scalar *U, const gsvd_grid_desc_t *descU, scalar *V,                   \
        const gsvd_grid_desc_t *descV, int *info)                              \
    {                                                                          \
        const grid_call_t call = {.routine = GRID_SVD,                         \
                                  .type = of_type,                             \
                                  .job = {jobu, jobv, 'N'},                    \
                                  .m = m,                                      \
                                  .n = n,                                      \
                                  .array = {[GRID_A] = {(void *)A, descA},     \
                                            [GRID_U] = {U, descU},             \
                                            [GRID_V] = {V, descV}},            \
                                  .alpha = sigma,                              \
                                  .info = info};                               \
        return g ? g->module->run(g, &call) : GSVD_INVALID_HANDLE;             \
    }                                                                          \
    gsvd_status_t letter##gsvd_grid(                                           \
        gsvd_grid_t g, char jobu, char jobv, char jobx, int64_t m, int64_t n,  \
        int64_t p, int64_t *k, int64_t *l, const scalar *A,                    \
        const gsvd_grid_desc_t *descA, const scalar *B,                        \
        const gsvd_grid_desc_t *descB, real *alpha, real *beta, scalar *U,     \
        const gsvd_grid_desc_t *descU, scalar *V,                              \
        const gsvd_grid_desc_t *descV, scalar *X_,                             \
        const gsvd_grid_desc_t *descX, int *info)                              \
    {                                                                          \
        const grid_call_t call = {.routine = GRID_PAIR,                        \
                                  .type = of_type,                             \
                                  .job = {jobu, jobv, jobx},                   \
                                  .m = m,                                      \
                                  .n = n,                                      \
                                  .p = p,                                      \
                                  .array = {[GRID_A] = {(void *)A, descA},     \
                                            [GRID_B] = {(void *)B, descB},     \
                                            [GRID_U] = {U, descU},             \
                                            [GRID_V] = {V, descV},             \
                                            [GRID_X] = {X_, descX}},           \
                                  .alpha = alpha,                              \
                                  .beta = beta,                                \
                                  .k = k,                                      \
                                  .l = l,                                      \
                                  .info = info};                               \
        return g ? g->module->run(g, &call) : GSVD_INVALID_HANDLE;             \
    }

#define FACTORIZATIONS(letter, of_type, real, scalar)                          \
    gsvd_status_t letter##gsvd_grid_qr(                                        \
        gsvd_grid_t g, int64_t m, int64_t n, scalar *A,                        \
        const gsvd_grid_desc_t *descA, scalar *tau, int *info)                 \
    {                                                                          \
        const grid_call_t call = {.routine = GRID_QR,                          \
                                  .type = of_type,                             \
                                  .m = m,                                      \
                                  .n = n,                                      \
                                  .array = {[GRID_A] = {A, descA}},            \
                                  .tau = tau,                                  \
                                  .info = info};                               \
        return g ? g->module->run(g, &call) : GSVD_INVALID_HANDLE;             \
    }                                                                          \
    gsvd_status_t letter##gsvd_grid_geqp(                                      \
        gsvd_grid_t g, int64_t m, int64_t n, scalar *A,                        \
        const gsvd_grid_desc_t *descA, int64_t *jpvt, scalar *tau, real tol,   \
        int64_t *rank, int *info)                                              \
    {                                                                          \
        const grid_call_t call = {.routine = GRID_GEQP,                        \
                                  .type = of_type,                             \
                                  .m = m,                                      \
                                  .n = n,                                      \
                                  .array = {[GRID_A] = {A, descA}},            \
                                  .jpvt = jpvt,                                \
                                  .tau = tau,                                  \
                                  .tol = (double)tol,                          \
                                  .k = rank,                                   \
                                  .info = info};                               \
        return g ? g->module->run(g, &call) : GSVD_INVALID_HANDLE;             \
    }                                                                          \
    gsvd_status_t letter##gsvd_grid_hsvd(                                      \
        gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n,             \
        int64_t n_plus, const scalar *A, const gsvd_grid_desc_t *descA,        \
        const int64_t *J, real *sigma, scalar *U,                              \
        const gsvd_grid_desc_t *descU, scalar *V,                              \
        const gsvd_grid_desc_t *descV, int *info)                              \
    {                                                                          \
        const grid_call_t call = {.routine = GRID_HSVD,                        \
                                  .type = of_type,                             \
                                  .job = {jobu, jobv},                         \
                                  .m = m,                                      \
                                  .n = n,                                      \
                                  .n_plus = n_plus,                            \
                                  .array = {[GRID_A] = {(void *)A, descA},     \
                                            [GRID_U] = {U, descU},             \
                                            [GRID_V] = {V, descV}},            \
                                  .J = J,                                      \
                                  .alpha = sigma,                              \
                                  .info = info};                               \
        return g ? g->module->run(g, &call) : GSVD_INVALID_HANDLE;             \
    }                                                                          \
    gsvd_status_t letter##gsvd_grid_eigh(                                      \
        gsvd_grid_t g, char jobz, char uplo, int64_t n, const scalar *A,       \
        const gsvd_grid_desc_t *descA, real *w, scalar *Q,                     \
        const gsvd_grid_desc_t *descQ, int *info)                              \
    {                                                                          \
        const grid_call_t call = {                                             \
            .routine = GRID_EIGH,                                              \
            .type = of_type,                                                   \
            .job = {jobz, uplo},                                               \
            .m = n,                                                            \
            .n = n,                                                            \
            .array = {[GRID_A] = {(void *)A, descA}, [GRID_U] = {Q, descQ}},   \
            .alpha = w,                                                        \
            .info = info};                                                     \
        return g ? g->module->run(g, &call) : GSVD_INVALID_HANDLE;             \
    }

#if GSVD_HAVE_S
ROUTINES(s, GSVD_S, float, float)
FACTORIZATIONS(s, GSVD_S, float, float)
#endif
#if GSVD_HAVE_D
ROUTINES(d, GSVD_D, double, double)
FACTORIZATIONS(d, GSVD_D, double, double)
#endif
#if GSVD_HAVE_C
ROUTINES(c, GSVD_C, float, gsvd_complex_float)
FACTORIZATIONS(c, GSVD_C, float, gsvd_complex_float)
#endif
#if GSVD_HAVE_Z
ROUTINES(z, GSVD_Z, double, gsvd_complex_double)
FACTORIZATIONS(z, GSVD_Z, double, gsvd_complex_double)
#endif
