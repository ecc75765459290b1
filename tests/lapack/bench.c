/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench.c -- xGGSVD3 of libgsvd_lapack against another library's, small n.
 *
 *     bench_lapack_<letter> OURS THEIRS [JOBS [N...]]
 *
 * OURS and THEIRS are shared libraries, JOBS is UVQ (the default) or NNN; all
 * matrices are n x n with normal random entries.  Microseconds a call, the
 * least of a hundred milliseconds or more, and of 20 calls or more; the two
 * libraries take turns.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/random.h"
#include "lapack/abi.h"

typedef __typeof__(&LAPACK(ggsvd3)) ggsvd3_t;

enum { MOST = 512 };

static scalar_t *A, *B, *U, *V, *Q, *work, *copy_A, *copy_B;
static real_t *alpha, *beta;
static integer_t iwork[MOST];

#define SYMBOL_(letter) #letter "ggsvd3_"
#define SYMBOL(letter) SYMBOL_(letter)

static ggsvd3_t open_routine(const char *path)
{
    ggsvd3_t routine = NULL;
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)&routine = dlsym(library, SYMBOL(GSVD_LETTER));
    if (!routine) {
        fprintf(stderr, "%s: %s\n", path, dlerror());
        exit(1);
    }
    return routine;
}

/* The complex routines have RWORK, of 2 n. */
static real_t rwork[2 * MOST] UNUSED;
#define RWORK_ARGUMENT_s
#define RWORK_ARGUMENT_d
#define RWORK_ARGUMENT_c rwork,
#define RWORK_ARGUMENT_z rwork,
#define RWORK_ARGUMENT GSVD_PASTE(RWORK_ARGUMENT_, GSVD_LETTER)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds of one call */
static double call(ggsvd3_t routine, const char *jobs, int n)
{
    const integer_t size = n, lwork = 40 * MOST;
    integer_t k, l, info;
    const size_t bytes = (size_t)n * (size_t)n * sizeof *A;
    memcpy(A, copy_A, bytes);
    memcpy(B, copy_B, bytes);
    const double start = now();
    routine(&jobs[0], &jobs[1], &jobs[2], &size, &size, &size, &k, &l, A, &size,
            B, &size, alpha, beta, U, &size, V, &size, Q, &size, work, &lwork,
            RWORK_ARGUMENT iwork, &info, 1, 1, 1);
    const double seconds = now() - start;
    if (info != 0)
        fprintf(stderr, "n = %d: INFO = %d\n", n, (int)info);
    return seconds;
}

static void time_order(ggsvd3_t ours, ggsvd3_t theirs, const char *jobs, int n)
{
    double least[2] = {1e9, 1e9}, spent = 0;
    uint64_t seed = 1;
    for (int i = 0; i < 20 || spent < 0.2; ++i) {
        for (int64_t j = 0; j < (int64_t)n * n; ++j) {
            copy_A[j] = random_normal_scalar(&seed);
            copy_B[j] = random_normal_scalar(&seed);
        }
        const double a = call(ours, jobs, n), b = call(theirs, jobs, n);
        least[0] = a < least[0] ? a : least[0];
        least[1] = b < least[1] ? b : least[1];
        spent += a + b;
    }
    printf("%4d %12.2f %12.2f %8.2f\n", n, 1e6 * least[0], 1e6 * least[1],
           least[1] / least[0]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const int orders[] = {2,  3,  4,  6,  8,  12, 16,
                                 24, 32, 48, 64, 80, 100};
    const size_t bytes = (size_t)MOST * MOST * sizeof *A;
    if (argc < 3) {
        fprintf(stderr, "usage: %s OURS THEIRS [JOBS [N...]]\n", argv[0]);
        return 1;
    }
    /* theirs first: what was loaded before ours does not call it */
    const ggsvd3_t theirs = open_routine(argv[2]), ours = open_routine(argv[1]);
    const char *const jobs = argc > 3 ? argv[3] : "UVQ";

    scalar_t **const matrix[] = {&A, &B, &U, &V, &Q, &work, &copy_A, &copy_B};
    for (int i = 0; i < (int)(sizeof matrix / sizeof *matrix); ++i)
        if (!(*matrix[i] = malloc(bytes)))
            return 1;
    alpha = malloc(MOST * sizeof *alpha);
    beta = malloc(MOST * sizeof *beta);
    if (!alpha || !beta)
        return 1;

    printf("%s, jobs %.3s, microseconds\n", SYMBOL(GSVD_LETTER), jobs);
    printf("%4s %12s %12s %8s\n", "n", "ours", "theirs", "speedup");
    for (int i = 4; i < argc; ++i)
        if (atoi(argv[i]) > 0 && atoi(argv[i]) <= MOST)
            time_order(ours, theirs, jobs, atoi(argv[i]));
    for (int i = 0; argc < 5 && i < (int)(sizeof orders / sizeof *orders); ++i)
        time_order(ours, theirs, jobs, orders[i]);
    return 0;
}
