/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run.c [1] -- a legal problem: where it is computed, and what if that fails.
 *
 * A device's failure leaves the caller's arrays unchanged: libgsvd computes on copies there, and
 * waits for the device before it writes the results (step 6 of door/call.c).
 */
#include <errno.h>
#include <string.h>

#include "lapack/lapack.h"

/* On the device from this order of all three of m, n, p: the third call has paid for the
 * device's start (bench/notes.md). */
enum { DEVICE_ORDER = 512 };

enum { NO_MEMORY = -1010 };

static int pays(const problem_t *q)
{
    return q->m >= DEVICE_ORDER && q->n >= DEVICE_ORDER && q->p >= DEVICE_ORDER;
}

/* the program did not ask for more than it gets, and gets what there is */
static int has_result(gsvd_status_t status)
{
    return status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED ||
           status == GSVD_OVERFLOW;
}

/* Without factors libgsvd computes values only, but LAPACK R as well: the
 * smallest of the factors goes to spare memory. */
static int lend_factor(problem_t *q, thread_t *t)
{
    int64_t order = q->p;
    if (q->m < order)
        order = q->m;
    if (q->n < order)
        order = q->n;
    const size_t bytes = (size_t)order * (size_t)order * q->scalar;
    void *const spare = gsvd_lapack_spare(t, bytes);
    const int64_t ld = order > 0 ? order : 1;
    const char start = q->kind->start;

    if (!spare)
        return 0;
    if (order == q->p) {
        q->jobv = start ? start : 'V';
        q->V = spare;
        q->ldv = ld;
    } else if (order == q->m) {
        q->jobu = start ? start : 'U';
        q->U = spare;
        q->ldu = ld;
    } else {
        q->jobq = start ? start : 'Q';
        q->Q = spare;
        q->ldq = ld;
    }
    return 1;
}

static gsvd_status_t compute(problem_t *q, int *info)
{
    const library_t *const library = gsvd_lapack_library();
    thread_t *const t = library ? gsvd_lapack_thread() : NULL;
    gsvd_handle_t h;

    if (!t)
        return GSVD_OUT_OF_MEMORY;
    if (q->kind->values && q->jobu == 'N' && q->jobv == 'N' && q->jobq == 'N' &&
        !lend_factor(q, t))
        return GSVD_OUT_OF_MEMORY;

    h = pays(q) ? gsvd_lapack_device(library, t) : NULL;
    if (h) {
        const gsvd_status_t status = q->kind->run(library, h, q, info);
        if (has_result(status) || status == GSVD_INVALID_ARGUMENT)
            return status;
        t->no_device = status == GSVD_DEVICE_FAILED;
    }
    h = gsvd_lapack_host(library, t);
    return h ? q->kind->run(library, h, q, info) : GSVD_OUT_OF_MEMORY;
}

/* all of a matrix := NaN */
static void spoil(void *X, int64_t ld, int64_t order, size_t scalar)
{
    for (int64_t j = 0; j < order; ++j)
        memset((char *)X + (size_t)(j * ld) * scalar, 0xff,
               (size_t)order * scalar);
}

static void spoil_results(problem_t *q)
{
    if (!q->kind->k)
        q->k = q->l = 0;
    q->sweeps = 0;
    if (q->kind->values && q->n > 0) {
        memset(q->alpha, 0xff, (size_t)q->n * q->real);
        memset(q->beta, 0xff, (size_t)q->n * q->real);
    }
    if (q->jobu != 'N')
        spoil(q->U, q->ldu, q->m, q->scalar);
    if (q->jobv != 'N')
        spoil(q->V, q->ldv, q->p, q->scalar);
    if (q->jobq != 'N')
        spoil(q->Q, q->ldq, q->n, q->scalar);
}

static int run(problem_t *q)
{
    int info = 0;
    if (q->kind->small(q, &info))
        return info;
    const gsvd_status_t status = compute(q, &info);
    if (has_result(status))
        return info;
    spoil_results(q);
    return status == GSVD_INVALID_ARGUMENT ? info : NO_MEMORY;
}

int gsvd_lapack_run(problem_t *q)
{
    const int kept =
        errno; /* The C library's ldexp and ilogb set it.           */
    const int info = run(q);
    errno = kept;
    return info;
}
