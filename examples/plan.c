/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* plan.c -- many small pairs on a GPU, again and again: one plan, one CUDA graph.
 *
 * The plan says how 1000 pairs are decomposed and how much workspace that takes.  The call is
 * captured into a graph once.  Each launch of the graph decomposes what then stands in A and B.
 * Leaves with 77 where there is no GPU. */
#include <cuda_runtime_api.h>
#include <gsvd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 8, N = 6, P = 6, PAIRS = 1000, LAUNCHES = 5 };

static void stop_at(const char *what, const char *why)
{
    fprintf(stderr, "plan: %s: %s\n", what, why);
    exit(1);
}

static void check_cuda(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        stop_at(what, cudaGetErrorString(error));
}

static void check(gsvd_handle_t h, gsvd_status_t status, const char *what)
{
    if (status != GSVD_SUCCESS)
        stop_at(what, gsvd_last_error(h));
}

/* -- arrays --------------------------------------------------------------------------- */

/* All pairs, one behind another, in host memory or on the device.  After a call R is in A. */
typedef struct arrays {
    double A[PAIRS][N][M], B[PAIRS][N][P]; /* by columns                     */
    double U[PAIRS][N][M], V[PAIRS][N][P], Q[PAIRS][N][N]; /* economy        */
    double alpha[PAIRS][N], beta[PAIRS][N];
    int64_t k[PAIRS], l[PAIRS];
    int info[PAIRS];
} arrays_t;

/* In (-1, 1) */
static double uniform(void)
{
    static unsigned long long state = 88172645463325252ULL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static void fill(arrays_t *x)
{
    for (size_t i = 0; i < sizeof x->A / sizeof(double); ++i)
        (&x->A[0][0][0])[i] = uniform();
    for (size_t i = 0; i < sizeof x->B / sizeof(double); ++i)
        (&x->B[0][0][0])[i] = uniform();
}

/* The call; strides and leading dimensions that are left out mean that nothing lies between. */
static gsvd_problem_t problem_of(arrays_t *device)
{
    return (gsvd_problem_t){.size = sizeof(gsvd_problem_t),
                            .routine = GSVD_ROUTINE_GSVD,
                            .type = GSVD_D,
                            .place = GSVD_PLACE_DEVICE,
                            .job = {'S', 'S', 'S'},
                            .m = M,
                            .n = N,
                            .p = P,
                            .batch = PAIRS,
                            .A = {.data = device->A},
                            .B = {.data = device->B},
                            .U = {.data = device->U},
                            .V = {.data = device->V},
                            .Q = {.data = device->Q},
                            .alpha = {.data = device->alpha},
                            .beta = {.data = device->beta},
                            .k_out = device->k,
                            .l_out = device->l,
                            .info = device->info};
}

/* -- the result ------------------------------------------------------------------------- */

/* |A - U D1 (0 R) Q^T| / |A| of pair i, in Frobenius norms; A as it was is in `before` */
static double residual(const arrays_t *x, const arrays_t *before, int i)
{
    const int r = (int)(x->k[i] + x->l[i]), first = N - r;
    double error = 0, all = 0;

    for (int column = 0; column < N; ++column) {
        double t[N] = {0}; /* D1 R Q^T, this column                          */
        for (int row = 0; row < r; ++row) {
            for (int j = row; j < r; ++j)
                t[row] += x->A[i][first + j][row] * x->Q[i][first + j][column];
            t[row] *= x->alpha[i][row];
        }
        for (int row = 0; row < M; ++row) {
            const double a = before->A[i][column][row];
            double rest = a;
            for (int j = 0; j < r; ++j)
                rest -= x->U[i][j][row] * t[j];
            error += rest * rest;
            all += a * a;
        }
    }
    return sqrt(error / all);
}

static double largest_residual(const arrays_t *x, const arrays_t *before)
{
    double largest = 0;

    for (int i = 0; i < PAIRS; ++i) {
        const double e = x->info[i] == 0 ? residual(x, before, i) : INFINITY;
        largest = e <= largest ? largest : e; /* a NaN is the largest        */
    }
    return largest;
}

/* -- plan and graph ------------------------------------------------------------------------ */

static void describe(gsvd_handle_t h, gsvd_plan_t plan)
{
    size_t bytes;
    check(h, gsvd_plan_describe(plan, NULL, 0, &bytes), "describe");
    char *const text = malloc(bytes);
    if (!text)
        stop_at("describe", "no memory");
    check(h, gsvd_plan_describe(plan, text, bytes, NULL), "describe");
    fputs(text, stdout);
    free(text);
}

/* A captured call neither waits nor allocates: its workspace is the caller's and stays as long as
 * the graph. */
static void *lend_workspace(gsvd_handle_t h, gsvd_plan_t plan)
{
    size_t bytes;
    void *work = NULL;
    check(h, gsvd_plan_bytes(plan, &bytes, NULL), "bytes");
    if (bytes > 0) {
        check_cuda(cudaMalloc(&work, bytes), "workspace");
        check(h, gsvd_set_workspace(h, work, bytes, NULL, 0), "workspace");
    }
    return work;
}

static cudaGraphExec_t capture(gsvd_handle_t h, gsvd_plan_t plan,
                               const gsvd_problem_t *problem,
                               cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
               "capture");
    const gsvd_status_t status = gsvd_execute(plan, problem);
    check_cuda(cudaStreamEndCapture(stream, &graph), "capture");
    check(h, status, "execute");
    check_cuda(cudaGraphInstantiateWithFlags(&exec, graph, 0), "graph");
    check_cuda(cudaGraphDestroy(graph), "graph");
    return exec;
}

/* Other pairs, decomposed by the graph */
static void launch(cudaGraphExec_t exec, cudaStream_t stream, arrays_t *device,
                   arrays_t *before, arrays_t *after)
{
    fill(before);
    check_cuda(cudaMemcpyAsync(device, before, sizeof *before,
                               cudaMemcpyHostToDevice, stream),
               "copy");
    check_cuda(cudaGraphLaunch(exec, stream), "launch");
    check_cuda(cudaMemcpyAsync(after, device, sizeof *after,
                               cudaMemcpyDeviceToHost, stream),
               "copy");
    check_cuda(cudaStreamSynchronize(stream), "launch");
}

int main(void)
{
    static arrays_t before, after;
    arrays_t *device;
    cudaStream_t stream;
    gsvd_handle_t h;
    gsvd_plan_t plan;

    if (gsvd_create(&h, 0) != GSVD_SUCCESS || /* CUDA device 0 */
        cudaMalloc((void **)&device, sizeof *device) != cudaSuccess)
        return 77;
    check_cuda(cudaStreamCreate(&stream), "stream");
    check(h, gsvd_set_stream(h, stream), "stream");
    const gsvd_problem_t problem = problem_of(device);
    check(h, gsvd_plan_create(h, &problem, &plan), "plan");
    describe(h, plan);
    void *const work = lend_workspace(h, plan);
    const cudaGraphExec_t exec = capture(h, plan, &problem, stream);
    for (int i = 0; i < LAUNCHES; ++i)
        launch(exec, stream, device, &before, &after);
    const double largest = largest_residual(&after, &before);
    printf("launch %d of %d pairs: largest residual %.1e\n", LAUNCHES, PAIRS,
           largest);
    cudaGraphExecDestroy(exec);
    gsvd_plan_destroy(plan);
    gsvd_destroy(h);
    cudaFree(work);
    cudaFree(device);
    cudaStreamDestroy(stream);
    return !(largest < 1e-13);
}
