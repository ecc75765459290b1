/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stub_library.c -- a library that fails as GSVD_STUB says, to see what the
 * command then does:
 *     no-device  no-driver  no-memory  device-failed  not-converged  not-finite
 *     two-parts
 * GSVD_STUB_RENAME = n: the n-th rename of the process fails, = -n: the process is
 * killed in its place.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gsvd_filter.h"
#include "gsvd_grid.h"

static bool stub_is(const char *name)
{
    const char *stub = getenv("GSVD_STUB");

    return stub && strcmp(stub, name) == 0;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

int __wrap_rename(const char *from, const char *to)
{
    static int count;
    const char *const which = getenv("GSVD_STUB_RENAME");
    const int number = which ? atoi(which) : 0;

    ++count;
    if (count == -number)
        raise(SIGKILL);
    if (count == number) {
        errno = EIO;
        return -1;
    }
    return __real_rename(from, to);
}

gsvd_status_t gsvd_create(gsvd_handle_t *h, int device)
{
    *h = NULL;
    return stub_is("no-device") || stub_is("no-driver") ? GSVD_DEVICE_FAILED
                                                        : GSVD_SUCCESS;
}

gsvd_status_t gsvd_destroy(gsvd_handle_t h) { return GSVD_SUCCESS; }

gsvd_status_t gsvd_set_option(gsvd_handle_t h, gsvd_option_t key, double value)
{
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_set_progress(gsvd_handle_t h, gsvd_progress_t fn, void *user)
{
    static const int64_t rotations[] = {1000, 250, 0, 600, 900, 0};

    for (int i = 0; fn && i < (stub_is("two-parts") ? 6 : 3); ++i)
        fn(user, i + 1, rotations[i]);
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_get_stats(gsvd_handle_t h, gsvd_stats_t *stats)
{
    *stats = (gsvd_stats_t){.device = GSVD_HOST,
                            .solver = GSVD_SOLVER_AUTO,
                            .sweeps = 30,
                            .converged = !stub_is("not-converged")};
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_get_device(gsvd_handle_t h, int *device)
{
    *device = GSVD_HOST;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_plan_create(gsvd_handle_t h, const gsvd_problem_t *problem,
                               gsvd_plan_t *plan)
{
    *plan = NULL;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_plan_bytes(gsvd_plan_t plan, size_t *dwork_bytes,
                              size_t *hwork_bytes)
{
    if (dwork_bytes)
        *dwork_bytes = 0;
    if (hwork_bytes)
        *hwork_bytes = 0;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_plan_destroy(gsvd_plan_t plan) { return GSVD_SUCCESS; }

const char *gsvd_status_name(gsvd_status_t status)
{
    return status == GSVD_DEVICE_FAILED ? "GSVD_DEVICE_FAILED"
                                        : "GSVD_OUT_OF_MEMORY";
}

const char *gsvd_last_error(gsvd_handle_t h)
{
    if (!h && stub_is("no-driver"))
        return "the driver is older than the library";
    return stub_is("device-failed") ? "the cable is out" : "";
}

/* What GSVD_STUB says of the result; U has a number.  Nothing is computed: k = l = 0 and
 * all factors stay 0. */
gsvd_status_t gsvd_run(gsvd_handle_t h, const gsvd_problem_t *problem)
{
    if (problem->routine == GSVD_ROUTINE_GSVD)
        *problem->k_out = *problem->l_out = 0;
    *problem->info = stub_is("not-converged");
    if (stub_is("not-finite"))
        *(double *)problem->U.data = NAN;
    if (stub_is("no-memory"))
        return GSVD_OUT_OF_MEMORY;
    if (stub_is("device-failed"))
        return GSVD_DEVICE_FAILED;
    return stub_is("not-converged") ? GSVD_NOT_CONVERGED : GSVD_SUCCESS;
}

/* No bounds and no filter are computed either. */
#define STUBS(letter, T)                                                       \
    gsvd_status_t letter##gsvd_picard(                                         \
        gsvd_handle_t h, int64_t m, int64_t r, int64_t nrhs, const T *U,       \
        int64_t ldu, T *B, int64_t ldb, T *C, int64_t ldc, double *rest)       \
    {                                                                          \
        return GSVD_SUCCESS;                                                   \
    }                                                                          \
    gsvd_status_t letter##gsvd_filter(                                         \
        gsvd_handle_t h, gsvd_filter_t filter, int64_t n, int64_t r,           \
        int64_t nrhs, int64_t count, const double *alpha, const double *beta,  \
        const T *C, int64_t ldc, const double *rest, const double *lambda,     \
        double *residual, double *seminorm, const T *Y, int64_t ldy, T *X,     \
        int64_t ldx)                                                           \
    {                                                                          \
        return GSVD_SUCCESS;                                                   \
    }                                                                          \
    gsvd_status_t letter##gsvd_lambda_range(                                   \
        gsvd_handle_t h, int64_t r, const double *alpha, const double *beta,   \
        double *least, double *most)                                           \
    {                                                                          \
        *least = *most = 0;                                                    \
        return GSVD_SUCCESS;                                                   \
    }                                                                          \
    gsvd_status_t letter##gsvd_choose(                                         \
        gsvd_handle_t h, gsvd_choice_t choice, gsvd_filter_t filter,           \
        int64_t m, int64_t r, const double *alpha, const double *beta,         \
        const T *C, double rest, double delta, double *lambda)                 \
    {                                                                          \
        return GSVD_SUCCESS;                                                   \
    }

#define BOUNDS(letter, T, R)                                                   \
    gsvd_status_t letter##gsvd_error_bounds(                                   \
        gsvd_handle_t h, int64_t n, int64_t r, const R *alpha, const R *beta,  \
        const R *a, const R *b, const T *Y, int64_t ldy, R error, R *bound,    \
        R *cond, R *work)                                                      \
    {                                                                          \
        return GSVD_SUCCESS;                                                   \
    }

STUBS(d, double)
BOUNDS(d, double, double)
#if GSVD_HAVE_S
BOUNDS(s, float, float)
#endif
#if GSVD_HAVE_C
BOUNDS(c, gsvd_complex_float, float)
#endif
#if GSVD_HAVE_Z
STUBS(z, gsvd_complex_double)
BOUNDS(z, gsvd_complex_double, double)
#endif

gsvd_status_t gsvd_grid_set_device(gsvd_grid_t g, int device)
{
    return GSVD_NOT_SUPPORTED;
}
