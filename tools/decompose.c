/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* decompose.c -- one pair through the library, the wanted factors kept. */
#include "decompose.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/sysinfo.h>

#include "probe.h"

static int64_t leading(const matrix_t *A) { return A->rows > 1 ? A->rows : 1; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Always false. */
#if defined __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static bool
fault(decomposition_t *d, const char *format, ...)
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

static bool room(decomposition_t *d, matrix_t *A, const char *name,
                 int64_t rows, int64_t cols, int width)
{
    const double wanted =
        bytes_of(&d->U) + bytes_of(&d->V) + bytes_of(&d->Q) +
        bytes_of(&(matrix_t){.rows = rows, .cols = cols, .width = width});

    if (wanted <= installed_bytes() && matrix_create(A, rows, cols, width))
        return true;
    return fault(d, "no memory for %s, %" PRId64 " by %" PRId64 " numbers%s",
                 name, rows, cols, task_saving(d->task));
}

static bool allocate(decomposition_t *d, int width)
{
    const task_t *t = d->task;
    const int64_t m = d->m, n = d->n, p = d->p;
    const bool values = t->values, economy = t->economy;
    const int64_t u = values ? 0 : economy ? least(m, n) : m;
    const int64_t v = values ? 0 : economy ? least(p, n) : p;
    const int64_t q = values ? 0 : economy ? least(n, m + p) : n;

    return room(d, &d->alpha, "alpha", n, 1, 1) &&
           room(d, &d->beta, "beta", n, 1, 1) &&
           room(d, &d->U, "U", values ? 0 : m, u, width) &&
           room(d, &d->V, "V", values ? 0 : p, v, width) &&
           room(d, &d->Q, t->form == GSVD_FORM_X ? "X" : "Q", values ? 0 : n, q,
                width);
}

/* The library's arrays are floats in single precision. */
static void each(void (*convert)(matrix_t *), decomposition_t *d, matrix_t *A,
                 matrix_t *B)
{
    matrix_t *const all[] = {A, B, &d->alpha, &d->beta, &d->U, &d->V, &d->Q};

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
    return device >= 0 ? fault(d, "device %d cannot be used: %s", device, why)
                       : fault(d, "%s", why);
}

static bool failed(decomposition_t *d, gsvd_handle_t h, gsvd_status_t status)
{
    const char *why = gsvd_last_error(h);

    return fault(d, "the decomposition failed: %s%s%s%s",
                 gsvd_status_name(status), *why ? ": " : "", why,
                 status == GSVD_OUT_OF_MEMORY ? task_saving(d->task) : "");
}

static gsvd_status_t set_options(gsvd_handle_t h, const task_t *t)
{
    gsvd_status_t status = gsvd_set_option(h, GSVD_SOLVER, (int)t->solver);

    if (status == GSVD_SUCCESS)
        status = gsvd_set_option(h, GSVD_FORM, (int)t->form);
    if (status == GSVD_SUCCESS)
        status = gsvd_set_tolerance(h, GSVD_TOL_A, t->tol_a);
    if (status == GSVD_SUCCESS)
        status = gsvd_set_tolerance(h, GSVD_TOL_B, t->tol_b);
    if (status == GSVD_SUCCESS)
        status = gsvd_set_progress(h, t->progress, t->user);
    return status;
}

static char job(const task_t *t, char full)
{
    return t->values ? 'N' : t->economy ? 'S' : full;
}

/* The call that follows must come back. */
static void probe(gsvd_handle_t h, const decomposition_t *d)
{
    const task_t *t = d->task;
    size_t device_bytes, bytes;
    int device;

    if (gsvd_get_device(h, &device) == GSVD_SUCCESS && device == GSVD_HOST &&
        gsvd_buffer_size(h, d->type, job(t, 'U'), job(t, 'V'), job(t, 'Q'),
                         d->m, d->n, d->p, &device_bytes,
                         &bytes) == GSVD_SUCCESS)
        probe_blas(d->type, bytes);
}

/* A and B become R. */
static bool compute(gsvd_handle_t h, matrix_t *A, matrix_t *B,
                    decomposition_t *d)
{
    const task_t *t = d->task;
    int info;
    gsvd_status_t status = set_options(h, t);

    each(matrix_narrow, d, A, B);
    if (status == GSVD_SUCCESS)
        probe(h, d);
    if (status == GSVD_SUCCESS)
        status =
            gsvd(h, d->type, job(t, 'U'), job(t, 'V'), job(t, 'Q'), d->m, d->n,
                 d->p, &d->k, &d->l, A->at, leading(A), B->at, leading(B),
                 d->alpha.at, d->beta.at, d->U.at, leading(&d->U), d->V.at,
                 leading(&d->V), d->Q.at, leading(&d->Q), &info);
    if (status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED)
        status = gsvd_get_stats(h, &d->stats);
    each(matrix_widen, d, A, B);
    return status == GSVD_SUCCESS || failed(d, h, status);
}

/* R out of A and B; alpha, beta and X without what lies beyond k + l. */
static bool gather(const matrix_t *A, const matrix_t *B, decomposition_t *d)
{
    const int64_t r = d->k + d->l, first = d->n - r;

    d->alpha.rows = d->beta.rows = r;
    if (d->task->values)
        return true;
    if (d->task->form == GSVD_FORM_X) {
        d->Q.cols = r;
        return true;
    }
    if (!room(d, &d->R, "R", r, r, A->width))
        return false;
    for (int64_t j = 0; j < r; ++j) {
        for (int64_t i = 0; i <= j; ++i) {
            const matrix_t *const from = i < d->m ? A : B;
            const int64_t row = i < d->m ? i : i - d->k;
            for (int c = 0; c < A->width; ++c)
                d->R.at[(i + j * r) * A->width + c] =
                    from->at[(row + (first + j) * from->rows) * A->width + c];
        }
    }
    return true;
}

/* -- all of it ---------------------------------------------------------------- */

static bool built(decomposition_t *d)
{
    const gsvd_type_t type = d->type;
    const bool have = type == GSVD_S   ? GSVD_HAVE_S
                      : type == GSVD_D ? GSVD_HAVE_D
                      : type == GSVD_C ? GSVD_HAVE_C
                                       : GSVD_HAVE_Z;

    return have ||
           fault(d, "built without %s %s precision",
                 type == GSVD_C || type == GSVD_Z ? "complex" : "real",
                 type == GSVD_S || type == GSVD_C ? "single" : "double");
}

bool decompose(const matrix_t *A, const matrix_t *B, const task_t *task,
               decomposition_t *d)
{
    const int width = A->width == 2 || B->width == 2 ? 2 : 1;
    matrix_t A_ = {0}, B_ = {0};
    gsvd_handle_t h;

    *d = (decomposition_t){.task = task,
                           .type = width == 2 ? task->single ? GSVD_C : GSVD_Z
                                   : task->single ? GSVD_S
                                                  : GSVD_D,
                           .m = A->rows,
                           .n = A->cols,
                           .p = B->rows};
    if (!built(d) || !allocate(d, width))
        return false;
    bool done = matrix_copy(&A_, A, width) && matrix_copy(&B_, B, width);
    if (!done) {
        fault(d, "no memory for a copy of A and B%s", task_saving(task));
    } else if ((done = created(d, &h))) {
        done = compute(h, &A_, &B_, d);
        gsvd_destroy(h);
        done = done && gather(&A_, &B_, d);
    }
    matrix_free(&A_);
    matrix_free(&B_);
    return done;
}

void decomposition_free(decomposition_t *d)
{
    matrix_t *const all[] = {&d->alpha, &d->beta, &d->U, &d->V, &d->Q, &d->R};

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        matrix_free(all[i]);
}
