/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_graph.c -- batches in CUDA graphs: what a graph makes of other contents of the
 * same arrays has the bits of a call, and what cannot be captured is refused. */
#include <stdio.h>

#include "core/cuda_state.h"
#include "harness/batches.h"

#define ck_assert_cuda(call)                                                   \
    do {                                                                       \
        const cudaError_t error_ = (call);                                     \
        ck_assert_msg(error_ == cudaSuccess, "%s: %s", #call,                  \
                      cudaGetErrorString(error_));                             \
    } while (0)

enum { COUNT = 40 };

static cudaStream_t stream(void)
{
    return cuda_of(handle)->queue[QUEUE_OWN].stream;
}

/* ---- cases ------------------------------------------------------------------------- */

/* a warp or a part of it, a tall one by triangles, blocks of columns; teams of pairs */
static const struct {
    many_kind_t kind;
    const char *jobs;
    int64_t m, n, p;
} shape_of[] = {{MANY_SVD, "SS", 6, 5, 0},    {MANY_SVD, "SS", 16, 16, 0},
                {MANY_SVD, "NN", 20, 32, 0},  {MANY_SVD, "SS", 300, 12, 0},
                {MANY_SVD, "SS", 64, 64, 0},  {MANY_SVD, "SS", 40, 70, 0},
                {MANY_HSVD, "SV", 8, 8, 0},   {MANY_HSVD, "SV", 100, 14, 0},
                {MANY_GSVD, "UVQ", 7, 8, 6},  {MANY_GSVD, "UVQ", 16, 12, 16},
                {MANY_GSVD, "NNN", 9, 20, 18}};
enum { CASES = sizeof shape_of / sizeof *shape_of };

static many_t problems(int i, form_t form, uint64_t seed)
{
    return new_many(shape_of[i].kind, form, shape_of[i].jobs, COUNT,
                    shape_of[i].m, shape_of[i].n, shape_of[i].p, seed);
}

static size_t bytes_of(const many_t *b)
{
    const gsvd_type_t t = letter();
    const char u = b->job[0], v = b->job[1], q = b->job[2];
    size_t d, w;
    if (b->kind == MANY_SVD)
        ck_assert_ok(gsvd_svd_gpu_batched_buffer_size(handle, t, u, v, b->m,
                                                      b->n, b->count, &d, &w));
    else if (b->kind == MANY_HSVD)
        ck_assert_ok(gsvd_hsvd_gpu_batched_buffer_size(handle, t, u, v, b->m,
                                                       b->n, b->count, &d, &w));
    else
        ck_assert_ok(gsvd_gpu_batched_buffer_size(
            handle, t, u, v, q, b->m, b->n, b->p, b->count, &d, &w));
    return d;
}

static void lend_work(const many_t *b)
{
    const size_t bytes = bytes_of(b);
    if (bytes > 0)
        ck_assert_ok(
            gsvd_set_workspace(handle, grab_backend(bytes), bytes, NULL, 0));
}

/* Other contents for the arrays that were sent, results among them: nothing of the last run
 * is left. */
static void send_again(const sent_t *s, const many_t *b)
{
    for (int x = 0; x < MANY_ARRAYS; ++x)
        put(s->at[x], b->place[x].host, b->place[x].bytes);
    put(s->info, b->info, (size_t)b->count * sizeof *b->info);
    put(s->k, b->k, (size_t)b->count * sizeof *b->k);
    put(s->l, b->l, (size_t)b->count * sizeof *b->l);
}

/* ---- graphs ---------------------------------------------------------------------------- */

/* A call, captured before it was ever made: its kernels may not be loaded yet. */
static cudaGraphExec_t capture(const many_t *b, const sent_t *s,
                               enum cudaStreamCaptureMode mode)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    ck_assert_cuda(cudaStreamBeginCapture(stream(), mode));
    const gsvd_status_t status = call_sent(GPU, handle, b, s);
    ck_assert_cuda(cudaStreamEndCapture(stream(), &graph));
    ck_assert_ok(status);
    ck_assert_cuda(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    ck_assert_cuda(cudaGraphDestroy(graph));
    return exec;
}

START_TEST(replayed)
{
    const int at = _i / 2;
    const form_t form = _i % 2 ? POINTERS : STRIDED;
    const enum cudaStreamCaptureMode mode[] = {cudaStreamCaptureModeGlobal,
                                               cudaStreamCaptureModeThreadLocal,
                                               cudaStreamCaptureModeRelaxed};
    const many_t first = problems(at, form, 1);
    lend_work(&first);
    const sent_t s = send_many(GPU, &first);
    const cudaGraphExec_t exec = capture(&first, &s, mode[at % 3]);
    for (uint64_t seed = 1; seed < 4; ++seed) {
        many_t by_graph = problems(at, form, seed);
        many_t by_call = problems(at, form, seed);
        send_again(&s, &by_graph);
        ck_assert_cuda(cudaGraphLaunch(exec, stream()));
        receive_many(GPU, &s, &by_graph);
        call_many(GPU, handle, &by_call);
        ck_assert_ok(by_call.status);
        for (int64_t i = 0; i < COUNT; ++i) {
            ck_assert_int_eq(by_graph.info[i], 0);
            ck_assert_same_results(&by_graph, i, &by_call, i);
        }
    }
    ck_assert_cuda(cudaGraphExecDestroy(exec));
}
END_TEST

/* Refused without harm: the capture goes on, and what is legal is captured. */
START_TEST(refused)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    size_t nodes = 0;
    const many_t blocks = problems(4, STRIDED, 1),
                 small = problems(0, STRIDED, 1);
    const many_t wide = new_many(MANY_SVD, STRIDED, "UV", 2, 30, 20, 0, 1);
    many_t by_graph = problems(0, STRIDED, 2),
           by_call = problems(0, STRIDED, 2);
    const sent_t s_blocks = send_many(GPU, &blocks);
    const sent_t s_wide = send_many(GPU, &wide);
    const sent_t s_small = send_many(GPU, &small);
    const sent_t on_host = send_many(HOST, &small);
    gsvd_status_t status[4];

    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
    ck_assert_cuda(
        cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal));
    status[0] = call_sent(GPU, handle, &blocks, &s_blocks);
    status[1] = call_sent(GPU, handle, &wide, &s_wide);
    status[2] = call_sent(HOST, handle, &small, &on_host);
    status[3] = call_sent(GPU, handle, &small, &s_small);
    ck_assert_cuda(cudaStreamEndCapture(stream(), &graph));
    ck_assert_int_eq(status[0], GSVD_WORKSPACE_TOO_SMALL);
    ck_assert_int_eq(status[1], GSVD_NOT_SUPPORTED);
    ck_assert_int_eq(status[2], GSVD_NOT_SUPPORTED);
    ck_assert_int_eq(status[3], GSVD_SUCCESS);
    ck_assert_cuda(cudaGraphGetNodes(graph, NULL, &nodes));
    ck_assert_uint_eq(nodes, 1);
    ck_assert_cuda(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    send_again(&s_small, &by_graph);
    ck_assert_cuda(cudaGraphLaunch(exec, stream()));
    receive_many(GPU, &s_small, &by_graph);
    call_many(GPU, handle, &by_call);
    for (int64_t i = 0; i < COUNT; ++i)
        ck_assert_same_results(&by_graph, i, &by_call, i);
    ck_assert_cuda(cudaGraphExecDestroy(exec));
    ck_assert_cuda(cudaGraphDestroy(graph));
}
END_TEST

/* The thread's mode is what it was before. */
START_TEST(mode_of_the_thread)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    cudaGraph_t graph = NULL;
    const many_t b = problems(0, STRIDED, 1);
    const sent_t s = send_many(GPU, &b);
    ck_assert_cuda(cudaThreadExchangeStreamCaptureMode(&mode));
    ck_assert_cuda(
        cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    const gsvd_status_t status = call_sent(GPU, handle, &b, &s);
    ck_assert_cuda(cudaStreamEndCapture(stream(), &graph));
    ck_assert_cuda(cudaThreadExchangeStreamCaptureMode(&mode));
    ck_assert_ok(status);
    ck_assert_int_eq(mode, cudaStreamCaptureModeThreadLocal);
    ck_assert_cuda(cudaGraphDestroy(graph));
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("batched_graph");
    TCase *const t = add_tcase(s, "graphs");
    tcase_add_loop_test(t, replayed, 0, 2 * CASES);
    tcase_add_test(t, refused);
    tcase_add_test(t, mode_of_the_thread);
    return s;
}
