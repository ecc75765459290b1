/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* decompose.c -- a pair or a matrix through the library, the wanted factors kept. */
#include "routine.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysinfo.h>

#include "probe.h"

static const routine_t *const routine[PROBLEMS] = {[PAIR] = &routine_pair,
                                                   [SVD] = &routine_svd,
                                                   [HSVD] = &routine_hsvd,
                                                   [EIGH] = &routine_eigh};

bool decompose_fault(decomposition_t *d, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(d->why, sizeof d->why, format, list);
    va_end(list);
    return false;
}

/* -- memory ------------------------------------------------------------------- */

const char *task_saving(const task_t *task)
{
    return task->values    ? ""
           : task->economy ? "; --values needs less"
                           : "; --economy or --values need less";
}

/* Memory and swap; a system may promise more than it has, and end the process that
 * takes it at its word. */
static double installed_bytes(void)
{
    struct sysinfo machine;

    if (sysinfo(&machine) != 0)
        return HUGE_VAL;
    return ((double)machine.totalram + (double)machine.totalswap) *
           machine.mem_unit;
}

static double bytes_of(const matrix_t *A)
{
    return (double)sizeof(double) * (double)A->rows * (double)A->cols *
           A->width;
}

bool decompose_room(decomposition_t *d, matrix_t *A, const char *name,
                    int64_t rows, int64_t cols, int width)
{
    const double wanted =
        bytes_of(&d->U) + bytes_of(&d->V) + bytes_of(&d->Q) +
        bytes_of(&(matrix_t){.rows = rows, .cols = cols, .width = width});

    if (wanted <= installed_bytes() && matrix_create(A, rows, cols, width))
        return true;
    return decompose_fault(
        d, "no memory for %s, %" PRId64 " by %" PRId64 " numbers%s", name, rows,
        cols, task_saving(d->task));
}

/* The library's arrays are floats in single precision. */
static void each(void (*convert)(matrix_t *), decomposition_t *d, matrix_t *A,
                 matrix_t *B)
{
    matrix_t *const all[] = {A,         B,     &d->alpha, &d->beta,   &d->cond,
                             &d->sigma, &d->U, &d->V,     &d->bounds, &d->Q};

    for (size_t i = 0; d->task->single && i < sizeof all / sizeof *all; ++i)
        convert(all[i]);
}

/* -- the library -------------------------------------------------------------- */

static bool created(decomposition_t *d, gsvd_handle_t *h)
{
    const int device = d->task->device;
    const gsvd_status_t status = gsvd_create(h, device);
    const char *why = gsvd_last_error(NULL); /* of this thread's gsvd_create */

    if (status == GSVD_SUCCESS)
        return true;
    if (!*why)
        why = status == GSVD_OUT_OF_MEMORY   ? "no memory"
              : status == GSVD_NOT_SUPPORTED ? "the library was built without "
                                               "CUDA"
                                             : gsvd_status_name(status);
    return device >= 0
               ? decompose_fault(d, "device %d cannot be used: %s", device, why)
               : decompose_fault(d, "%s", why);
}

static bool failed(decomposition_t *d, gsvd_handle_t h, gsvd_status_t status)
{
    const char *why = gsvd_last_error(h);

    return decompose_fault(d, "the decomposition failed: %s%s%s%s",
                           gsvd_status_name(status), *why ? ": " : "", why,
                           status == GSVD_OUT_OF_MEMORY ? task_saving(d->task)
                                                        : "");
}

static gsvd_status_t set_options(gsvd_handle_t h, const task_t *t)
{
    const struct {
        gsvd_option_t key;
        int value;
    } option[] = {
        {GSVD_SOLVER, (int)t->solver}, {GSVD_FORM, (int)t->form},
        {GSVD_RANK, (int)t->rank},     {GSVD_EQUILIBRATE, (int)t->equilibrate},
        {GSVD_SVD, (int)t->svd},       {GSVD_EIGH, (int)t->eigh},
    };
    gsvd_status_t status = GSVD_SUCCESS;

    for (size_t i = 0;
         status == GSVD_SUCCESS && i < sizeof option / sizeof *option; ++i)
        status = gsvd_set_option(h, option[i].key, option[i].value);
    if (status == GSVD_SUCCESS)
        status = gsvd_set_option(h, GSVD_TOL_A, t->tol_a);
    if (status == GSVD_SUCCESS)
        status = gsvd_set_option(h, GSVD_TOL_B, t->tol_b);
    if (status == GSVD_SUCCESS)
        status = gsvd_set_progress(h, t->progress, t->user);
    return status;
}

static bool host_bytes(gsvd_handle_t h, const gsvd_problem_t *call,
                       size_t *bytes)
{
    gsvd_plan_t plan;

    if (gsvd_plan_create(h, call, &plan) != GSVD_SUCCESS)
        return false;
    const gsvd_status_t status = gsvd_plan_bytes(plan, NULL, bytes);
    gsvd_plan_destroy(plan);
    return status == GSVD_SUCCESS;
}

/* The call that follows must come back. */
static void probe(gsvd_handle_t h, const gsvd_problem_t *call)
{
    size_t bytes;
    int device;

    if (gsvd_get_device(h, &device) == GSVD_SUCCESS && device == GSVD_HOST &&
        host_bytes(h, call, &bytes))
        probe_blas(call->type, bytes);
}

/* Of A0 and B0; A and B are copies of them, of HSVD's A alone, and are overwritten. */
static bool compute(gsvd_handle_t h, decomposition_t *d, const matrix_t *A0,
                    const matrix_t *B0, matrix_t *A, matrix_t *B)
{
    const problem_t problem = d->task->problem;
    int info = 0;
    gsvd_status_t status = set_options(h, d->task);
    gsvd_problem_t call = {.size = sizeof call,
                           .type = d->type,
                           .m = d->m,
                           .n = d->n,
                           .p = d->p,
                           .k_out = &d->k,
                           .l_out = &d->l,
                           .info = &info};

    each(matrix_narrow, d, A, B);
    if (status == GSVD_SUCCESS)
        status = routine[problem]->call(d, A, problem == HSVD ? B0 : B, &call);
    if (status == GSVD_SUCCESS) {
        probe(h, &call);
        status = gsvd_run(h, &call);
    }
    d->stats.size = sizeof d->stats;
    if (status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED)
        status = gsvd_get_stats(h, &d->stats);
    if (status == GSVD_SUCCESS && d->task->bounds)
        status = decompose_bounds(h, d, A0, B0);
    each(matrix_widen, d, A, B);
    if (status == GSVD_INVALID_ARGUMENT && info > 2)
        return decompose_fault(
            d, "column %d of G depends on the columns before it", info - 2);
    return status == GSVD_SUCCESS || failed(d, h, status);
}

/* -- all of it ---------------------------------------------------------------- */

bool decompose_has(decomposition_t *d)
{
    const gsvd_type_t type = d->type;
    const bool have = type == GSVD_S   ? GSVD_HAVE_S
                      : type == GSVD_D ? GSVD_HAVE_D
                      : type == GSVD_C ? GSVD_HAVE_C
                                       : GSVD_HAVE_Z;

    return have || decompose_fault(
                       d, "built without %s %s precision",
                       type == GSVD_C || type == GSVD_Z ? "complex" : "real",
                       type == GSVD_S || type == GSVD_C ? "single" : "double");
}

gsvd_type_t type_of(int width, bool single)
{
    return width == 2 ? single ? GSVD_C : GSVD_Z : single ? GSVD_S : GSVD_D;
}

bool decompose(const matrix_t *A, const matrix_t *B, const task_t *task,
               decomposition_t *d)
{
    const bool pair = task->problem == PAIR;
    const int width = A->width == 2 || (pair && B->width == 2) ? 2 : 1;
    matrix_t A_ = {0}, B_ = {0};
    gsvd_handle_t h;

    *d = (decomposition_t){.task = task,
                           .type = type_of(width, task->single),
                           .m = A->rows,
                           .n = A->cols,
                           .p = pair ? B->rows : 0};
    if (!decompose_has(d) || !routine[task->problem]->allocate(d, width))
        return false;
    bool done =
        matrix_copy(&A_, A, width) && (!pair || matrix_copy(&B_, B, width));
    if (!done) {
        decompose_fault(d, "no memory for a copy of %s%s",
                        pair                    ? "A and B"
                        : task->problem == HSVD ? "G"
                                                : "A",
                        task_saving(task));
    } else if ((done = created(d, &h))) {
        done = compute(h, d, A, B, &A_, &B_);
        gsvd_destroy(h);
        done = done && routine[task->problem]->gather(d, &A_, &B_);
    }
    matrix_free(&A_);
    matrix_free(&B_);
    return done;
}

int64_t value_count(const decomposition_t *d)
{
    return d->task->problem == PAIR ? d->k + d->l : d->sigma.rows;
}

void decomposition_free(decomposition_t *d)
{
    matrix_t *const all[] = {&d->alpha, &d->beta,  &d->bounds, &d->cond,
                             &d->sigma, &d->signs, &d->U,      &d->V,
                             &d->Q,     &d->R};

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        matrix_free(all[i]);
    free(d->J);
}

const char *solver_name(const gsvd_stats_t *stats)
{
    switch (stats->solver) {
    case GSVD_SOLVER_TGSJA: return "tgsja";
    case GSVD_SOLVER_TANGENT: return "tangent";
    case GSVD_SOLVER_CSD: return "csd";
    default:
        return stats->svd == GSVD_SVD_BIDIAGONAL ? "bidiagonal"
               : stats->eigh == GSVD_EIGH_FAST   ? "tridiagonal"
               : stats->eigh == GSVD_EIGH_FACTOR ? "factor"
                                                 : "jacobi";
    }
}
