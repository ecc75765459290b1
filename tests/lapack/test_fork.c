/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_fork.c -- xGGSVD3 of libgsvd_lapack in a child of fork(), as LAPACK's own goes
 * on there: of an order at which the parent's call had threads, and of one at
 * which it had a device, if there is one.
 *
 *     test_lapack_fork_<letter> OURS
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/random.h"
#include "lapack/calls.h"

enum { SMALL = 160, LARGE = VALUES_MOST, DEADLINE = 100 /* seconds */ };

static routines_t ours;
static scalar_t A0[LARGE * LARGE], B0[LARGE * LARGE];

typedef struct result {
    scalar_t A[LARGE * LARGE], B[LARGE * LARGE];
    real_t alpha[LARGE], beta[LARGE];
} result_t;

static result_t first, again;

/* R, alpha and beta of the leading parts; 0: done */
static int decompose(int n, result_t *r)
{
    memset(r, 0, sizeof *r);
    memcpy(r->A, A0, (size_t)n * (size_t)n * sizeof *A0);
    memcpy(r->B, B0, (size_t)n * (size_t)n * sizeof *B0);
    const call_t c = call_for_values(&ours, n, r->A, r->B, r->alpha, r->beta);
    return c.info != 0 || c.k != 0 || c.l != n;
}

/* A device's result has other bits than the host's. */
static int close_to_first(int n)
{
    for (int i = 0; i < n; ++i)
        if (!(fabs((double)(again.alpha[i] - first.alpha[i])) <=
              (double)n * GSVD_ULP))
            return 0;
    return 1;
}

/* In the child, whose status it is. */
static int go_on(int n, int generations)
{
    alarm(DEADLINE);
    if (decompose(n, &again))
        return 2;
    if (n == SMALL ? memcmp(&again, &first, sizeof first) != 0
                   : !close_to_first(n))
        return 3;
    if (generations == 0)
        return 0;
    const pid_t child = fork();
    int status = 0;
    if (child == 0)
        _exit(go_on(n, generations - 1));
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 4;
}

static int fork_after(int n)
{
    int status = 0;
    if (decompose(n, &first)) {
        fprintf(stderr, "order %d: the parent's call failed\n", n);
        return 1;
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(go_on(n, 1));
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "order %d: wait status %#x of the child\n", n,
                (unsigned)status);
        return 1;
    }
    return decompose(n, &again) || !close_to_first(n); /* the parent goes on */
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    if (argc != 2 || !open_routines(argv[1], RTLD_LOCAL, &ours)) {
        fprintf(stderr, "usage: %s OURS\n", argv[0]);
        return 1;
    }
    for (int i = 0; i < LARGE * LARGE; ++i) {
        A0[i] = random_normal_scalar(&seed);
        B0[i] = random_normal_scalar(&seed);
    }
    if (fork_after(SMALL))
        return 1;
    return is_quick() ? 0 : fork_after(LARGE);
}
