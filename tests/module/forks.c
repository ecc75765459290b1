/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* forks.c [1] -- fork() while another thread opens libgsvd-cuda.
 *
 *     forks [cuda]
 *
 * Each child gets a handle, on the host where it comes too late for a device, and
 * decomposes.  With `cuda` the first process is to have device 0: exit status 77 without
 * it, or 1 where GSVD_TEST_REQUIRE_GPU=1. */
#include <gsvd.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fork_while.h"

enum { TRIALS = 20, N = 2 };

static int open_module(void)
{
    gsvd_handle_t h;
    return gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS ||
           gsvd_destroy(h) != GSVD_SUCCESS;
}

/* A = B = I: alpha = beta = sqrt(1/2) */
static int child(void)
{
    double A[] = {1, 0, 0, 1}, B[] = {1, 0, 0, 1}, alpha[N], beta[N];
    double U[N * N], V[N * N], Q[N * N];
    int64_t k, l;
    gsvd_handle_t h;
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return 2;
    if (dgsvd(h, 'U', 'V', 'Q', N, N, N, &k, &l, A, N, B, N, alpha, beta, U, N,
              V, N, Q, N, NULL) != GSVD_SUCCESS)
        return 3;
    for (int i = 0; i < N; ++i)
        if (!(fabs(alpha[i] - sqrt(0.5)) < 1e-15) ||
            !(fabs(beta[i] - sqrt(0.5)) < 1e-15))
            return 4;
    return gsvd_destroy(h) != GSVD_SUCCESS;
}

static int has_device(void)
{
    gsvd_handle_t h;
    return gsvd_create(&h, 0) != GSVD_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "cuda") == 0) {
        fflush(NULL);
        const pid_t process = fork(); /* this one is to open nothing         */
        if (process == 0)
            _exit(has_device());
        if (fork_wait(process) != 0) {
            const char *const required = getenv("GSVD_TEST_REQUIRE_GPU");
            return required && strcmp(required, "0") != 0 ? 1 : 77;
        }
    }
    const int failed = fork_while(open_module, child, TRIALS);
    printf("%d of %d failed\n", failed, TRIALS + 1);
    return failed != 0;
}
