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

enum { SMALL = 160, LARGE = 512, DEADLINE = 100 /* seconds */ };

static routines_t ours;
static scalar_t A0[LARGE * LARGE], B0[LARGE * LARGE];

typedef struct result {
    scalar_t A[LARGE * LARGE], B[LARGE * LARGE];
    real_t alpha[LARGE], beta[LARGE];
} result_t;

static result_t first, again;

/* R, alpha and beta of the leading parts; 0: done */
static int decompose(integer_t n, result_t *r)
{
    static scalar_t work[8 * LARGE];
    static real_t rwork[2 * LARGE];
    static integer_t iwork[LARGE];
    scalar_t unused[1];
    call_t c = {.jobu = 'N',
                .jobv = 'N',
                .jobq = 'N',
                .m = n,
                .n = n,
                .p = n,
                .A = r->A,
                .lda = n,
                .B = r->B,
                .ldb = n,
                .U = unused,
                .ldu = 1,
                .V = unused,
                .ldv = 1,
                .Q = unused,
                .ldq = 1,
                .alpha = r->alpha,
                .beta = r->beta,
                .work = work,
                .lwork = 8 * LARGE,
                .rwork = rwork,
                .iwork = iwork};
    memset(r, 0, sizeof *r);
    memcpy(r->A, A0, (size_t)n * (size_t)n * sizeof *A0);
    memcpy(r->B, B0, (size_t)n * (size_t)n * sizeof *B0);
    call_routine(&ours, GGSVD3, &c);
    return c.info != 0 || c.k != 0 || c.l != n;
}

/* A device's result has other bits than the host's. */
static int close_to_first(integer_t n)
{
    for (integer_t i = 0; i < n; ++i)
        if (!(fabs((double)(again.alpha[i] - first.alpha[i])) <=
              (double)n * GSVD_ULP))
            return 0;
    return 1;
}

/* In the child, whose status it is. */
static int go_on(integer_t n, int generations)
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

static int fork_after(integer_t n)
{
    int status = 0;
    if (decompose(n, &first)) {
        fprintf(stderr, "order %d: the parent's call failed\n", (int)n);
        return 1;
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(go_on(n, 1));
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "order %d: wait status %#x of the child\n", (int)n,
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
    const char *const quick = getenv("GSVD_TEST_QUICK");
    if (fork_after(SMALL))
        return 1;
    return quick && *quick && strcmp(quick, "0") != 0 ? 0 : fork_after(LARGE);
}
