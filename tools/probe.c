/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* probe.c -- is there memory for the BLAS?
 *
 * OpenBLAS takes its buffers at the first calls, one for each thread, and keeps
 * them; where there is no memory it tries again, for ever, and says nothing.  So a
 * small pair is decomposed first.  That takes a fraction of a second of the
 * processors' time, however busy the machine is; a timer of that time ends it.
 */
#include "probe.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    ORDER = 160, /* a product of this order has as many threads as any       */
    SECONDS = 1
};

static bool limited(int what)
{
    struct rlimit limit;
    return getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static void give_up(int number)
{
    static const char text[] =
        "gsvd: no memory for the BLAS within the limits (ulimit -v, -d); "
        "OPENBLAS_NUM_THREADS=1 needs less\n";
    const ssize_t told = write(STDERR_FILENO, text, sizeof text - 1);
    (void)number;
    (void)told;
    _exit(EXIT_FAILURE);
}

/* A pair of ORDER x ORDER numbers, whichever: real ones of the type, or parts of
 * complex ones. */
static void fill(void *pair, bool single)
{
    uint32_t x = 1;

    for (int i = 0; i < 4 * ORDER * ORDER; ++i) {
        x = 1664525 * x + 1013904223;
        if (single)
            ((float *)pair)[i] = (float)(x >> 8) - 0x1p23F;
        else
            ((double *)pair)[i] = (double)(x >> 8) - 0x1p23;
    }
}

/* False without memory; whatever else is wrong shows again. */
static bool decompose_small(gsvd_type_t type, void *pair)
{
    static double alpha[ORDER], beta[ORDER];
    const bool single = type == GSVD_S || type == GSVD_C;
    const size_t each = single ? sizeof(float) : sizeof(double);
    char *const B = (char *)pair + 2 * ORDER * ORDER * each;
    gsvd_handle_t h;
    int64_t k, l;
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_GSVD,
                              .type = type,
                              .m = ORDER,
                              .n = ORDER,
                              .p = ORDER,
                              .A = {.data = pair},
                              .B = {.data = B},
                              .alpha = {.data = alpha},
                              .beta = {.data = beta},
                              .k_out = &k,
                              .l_out = &l};

    fill(pair, single);
    gsvd_status_t status = gsvd_create(&h, GSVD_HOST);
    if (status != GSVD_SUCCESS)
        return status != GSVD_OUT_OF_MEMORY;
    status = gsvd_run(h, &p);
    gsvd_destroy(h);
    return status != GSVD_OUT_OF_MEMORY;
}

void probe_blas(gsvd_type_t type, size_t workspace)
{
    const struct itimerval time = {.it_value.tv_sec = SECONDS}, never = {0};
    struct sigaction end = {.sa_handler = give_up}, before;

    if (!limited(RLIMIT_AS) && !limited(RLIMIT_DATA))
        return;
    void *const room = malloc(workspace ? workspace : 1);
    if (!room)
        return; /* the call itself says so                                   */
    void *const pair = malloc(4 * ORDER * ORDER * sizeof(double));
    sigemptyset(&end.sa_mask);
    sigaction(SIGPROF, &end, &before);
    setitimer(ITIMER_PROF, &time, NULL);
    if (!pair || !decompose_small(type, pair))
        give_up(0);
    setitimer(ITIMER_PROF, &never, NULL);
    sigaction(SIGPROF, &before, NULL);
    free(pair);
    free(room);
}
