/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_host_arrays.c [1] -- what host arrays cost through a handle of a device, in double.
 *
 *     bench_host_arrays [n] [runs]       OMP_NUM_THREADS: threads that copy
 *
 * A row for each way of the arrays: pageable ones through the handle's ring, pageable ones
 * as the driver copies them (hwork is set, so that no ring is taken), pinned ones, and, as
 * what is left without copies, arrays on the device.  Medians, with the time of copies
 * alone: gsvd without what the arrays on the device take. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/handle.h"

enum { RUNS = 15, PINNED = 1, NO_RING = 2, DEVICE = 4 };

typedef struct arrays {
    double *A0, *A, *B, *U, *V, *Q, *alpha, *beta; /* A0 and B0: pageable     */
    double *B0;
} arrays_t;

static void *memory(size_t bytes, int how)
{
    void *p = NULL;
    const cudaError_t error = how & DEVICE   ? cudaMalloc(&p, bytes)
                              : how & PINNED ? cudaMallocHost(&p, bytes)
                                             : cudaSuccess;
    if (!(how & (DEVICE | PINNED)))
        p = malloc(bytes);
    if (error != cudaSuccess || !p) {
        fprintf(stderr, "%zu bytes: no memory\n", bytes);
        exit(1);
    }
    if (!(how & DEVICE))
        memset(p, 0, bytes);
    return p;
}

static arrays_t new_arrays(size_t n, int how)
{
    const size_t bytes = n * n * sizeof(double);
    unsigned state = 7;
    arrays_t a;
    double **const each[] = {&a.A, &a.B, &a.U, &a.V, &a.Q, &a.alpha, &a.beta};

    a.A0 = memory(bytes, 0);
    a.B0 = memory(bytes, 0);
    for (size_t i = 0; i < 2 * n * n; ++i) {
        state = state * 1103515245U + 12345U;
        (i < n * n ? a.A0 : a.B0)[i % (n * n)] =
            (double)(state >> 16) / 65536 - 0.5;
    }
    for (int i = 0; i < 7; ++i)
        *each[i] = memory(i < 5 ? bytes : n * sizeof(double), how);
    return a;
}

/* The handle's work, so that its host part is the caller's */
static gsvd_status_t lend_host(gsvd_handle_t h, int64_t n)
{
    const gsvd_problem_t pair = {.size = sizeof pair,
                                 .routine = GSVD_ROUTINE_GSVD,
                                 .type = GSVD_D,
                                 .job = {'U', 'V', 'Q'},
                                 .m = n,
                                 .n = n,
                                 .p = n};
    gsvd_plan_t plan;
    size_t bytes;

    GSVD_TRY(gsvd_plan_create(h, &pair, &plan));
    const gsvd_status_t status = gsvd_plan_bytes(plan, NULL, &bytes);
    (void)gsvd_plan_destroy(plan);
    GSVD_TRY(status);
    bytes += 256;
    return gsvd_set_workspace(h, NULL, 0, memory(bytes, 0), bytes);
}

/* |A - U C R Q^H|, in short: |U^H U - I| of its first columns, so that a copy that is wrong
 * is seen */
static double departure(const double *U, int64_t n)
{
    double worst = 0;
    for (int64_t j = 0; j < 8; ++j)
        for (int64_t k = n - 8; k < n; ++k) {
            double sum = j == k ? -1 : 0;
            for (int64_t i = 0; i < n; ++i)
                sum += U[i + j * n] * U[i + k * n];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The median of `runs` calls */
static double time_of(int64_t n, int how, int runs, double *worst)
{
    const arrays_t a = new_arrays((size_t)n, how);
    const size_t bytes = (size_t)(n * n) * sizeof(double);
    double seconds[RUNS];
    gsvd_handle_t h = NULL;
    gsvd_status_t status = gsvd_create(&h, 0);
    int64_t k, l;
    int info;

    if (status == GSVD_SUCCESS && how & NO_RING)
        status = lend_host(h, n);
    for (int run = -1; run < runs && status == GSVD_SUCCESS; ++run) {
        (void)cudaMemcpy(a.A, a.A0, bytes, cudaMemcpyDefault);
        (void)cudaMemcpy(a.B, a.B0, bytes, cudaMemcpyDefault);
        (void)cudaDeviceSynchronize();
        const double start = gsvd_now();
        status = (how & DEVICE ? dgsvd_gpu : dgsvd)(
            h, 'U', 'V', 'Q', n, n, n, &k, &l, a.A, n, a.B, n, a.alpha, a.beta,
            a.U, n, a.V, n, a.Q, n, &info);
        (void)cudaDeviceSynchronize();
        if (run >= 0)
            seconds[run] = gsvd_now() - start;
    }
    if (status != GSVD_SUCCESS) {
        fprintf(stderr, "%s\n", gsvd_last_error(h));
        exit(1);
    }
    (void)cudaMemcpy(a.B0, a.U, bytes, cudaMemcpyDefault);
    *worst = departure(a.B0, n);
    (void)gsvd_destroy(h);
    qsort(seconds, (size_t)runs, sizeof *seconds, ascending);
    return seconds[runs / 2];
}

int main(int count, char **word)
{
    static const struct {
        const char *name;
        int how;
    } way[] = {{"on the device", DEVICE},
               {"pinned", PINNED},
               {"pageable, ring", 0},
               {"pageable, driver", NO_RING}};
    const int64_t n = count > 1 ? atoi(word[1]) : 4096;
    const int asked = count > 2 ? atoi(word[2]) : 5;
    const int runs = asked < 1 ? 1 : asked > RUNS ? RUNS : asked;
    const double gigabytes =
        6 * 8e-9 * (double)(n * n); /* two, and four back */
    double alone = 0;

    for (size_t i = 0; i < sizeof way / sizeof *way; ++i) {
        double worst;
        const double seconds = time_of(n, way[i].how, runs, &worst);
        alone = i == 0 ? seconds : alone;
        printf("gsvd of %lld, %-16s %8.2f ms, copies %8.2f ms, %5.1f GB/s, "
               "|U^H U - I| %.1e\n",
               (long long)n, way[i].name, 1e3 * seconds,
               1e3 * (seconds - alone),
               i == 0 ? 0 : gigabytes / (seconds - alone), worst);
    }
    return 0;
}
