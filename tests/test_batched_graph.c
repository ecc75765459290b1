/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_graph.c -- batches in CUDA graphs: what a graph makes of other contents of the
 * same arrays has the bits of a call, and what cannot be captured is refused; so are calls of one
 * problem. */
#include <stdio.h>

#include "core/cuda_state.h"
#include "harness/batches.h"
#include "harness/routines.h"

#define ck_assert_cuda(call)                                                   \
    do {                                                                       \
        const cudaError_t error_ = (call);                                     \
        ck_assert_msg(error_ == cudaSuccess, "%s: %s", #call,                  \
                      cudaGetErrorString(error_));                             \
    } while (0)

enum { COUNT = 40 };

static const enum cudaStreamCaptureMode any_mode[] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed};

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

static gsvd_status_t ask_bytes(gsvd_handle_t h, const many_t *b, size_t *d)
{
    size_t w;
    return workspace_of(h, shape_of_many(GPU, b), d, &w);
}

static void lend_work(gsvd_handle_t h, const many_t *b)
{
    size_t bytes;
    ck_assert_ok(ask_bytes(h, b, &bytes));
    if (bytes > 0)
        ck_assert_ok(
            gsvd_set_workspace(h, grab_backend(bytes), bytes, NULL, 0));
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
static cudaGraphExec_t capture(gsvd_handle_t h, const many_t *b,
                               const sent_t *s, enum cudaStreamCaptureMode mode)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    ck_assert_cuda(cudaStreamBeginCapture(stream(), mode));
    const gsvd_status_t status = call_sent(GPU, h, b, s);
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
    const many_t first = problems(at, form, 1);
    lend_work(handle, &first);
    const sent_t s = send_many(GPU, &first);
    const cudaGraphExec_t exec = capture(handle, &first, &s, any_mode[at % 3]);
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

/* ---- calls of one problem, and handles ------------------------------------------------ */

/* The order of a matrix that goes through the ring of pinned memory */
enum { LARGE = 1100 };

static gsvd_handle_t new_handle(cudaStream_t in)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(gsvd_create(&h, 0));
    if (in)
        ck_assert_ok(gsvd_set_stream(h, in));
    return h;
}

/* R of a random matrix, from the host */
static gsvd_status_t find_R(gsvd_handle_t h, scalar_t *A, int *info)
{
    static scalar_t tau[LARGE];
    uint64_t seed = 5;
    for (int64_t i = 0; i < (int64_t)LARGE * LARGE; ++i)
        A[i] = random_uniform_scalar(&seed);
    return X(qr)(h, LARGE, LARGE, A, LARGE, tau, info);
}

/* What becomes of calls in a capture */
typedef struct told {
    gsvd_status_t one[TASKS][2], large, bytes, many, destroyed, other[2];
    int info[TASKS][2];
} told_t;

/* All routines, from the host and on the device, copies through the ring, the size of a batch
 * for which there is no cuSOLVER yet, gsvd_destroy; `other` is on the default stream. */
static void try_all(gsvd_handle_t h, gsvd_handle_t other,
                    task_t (*task)[TASKS][2], const many_t *b, const sent_t *s,
                    const many_t *wide, scalar_t *A, told_t *told)
{
    size_t bytes;
    int info = 0;
    for (int routine = 0; routine < TASKS; ++routine)
        for (int door = 0; door < 2; ++door) {
            task_t *const t = &(*task)[routine][door];
            told->one[routine][door] = run_task(h, t);
            told->info[routine][door] = t->info;
        }
    told->large = find_R(h, A, &info);
    told->bytes = ask_bytes(h, wide, &bytes);
    told->destroyed = gsvd_destroy(h);
    if (other) {
        told->other[0] = find_R(other, A, &info);
        told->other[1] = gsvd_destroy(other);
    }
    told->many = call_sent(GPU, h, b, s);
}

/* All of that is refused, in each mode, on a stream that waits for the default one and on one that
 * does not, and the capture goes on; afterwards the handle does. */
START_TEST(one_refused)
{
    const enum cudaStreamCaptureMode mode = any_mode[_i % 3];
    const size_t bytes = (size_t)LARGE * LARGE * sizeof(scalar_t);
    scalar_t *const A = grab(bytes), *const before = grab(bytes);
    const many_t wide = new_many(MANY_SVD, STRIDED, "SS", 5, 100, 100, 0, 1);
    const sent_t s_wide = send_many(GPU, &wide);
    many_t by_graph = problems(0, STRIDED, 1),
           by_call = problems(0, STRIDED, 1);
    const sent_t s = send_many(GPU, &by_graph);
    static task_t task[TASKS][2];
    static told_t told;
    cudaStream_t in;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    int info = 0;

    ck_assert_cuda(cudaStreamCreateWithFlags(&in, _i < 3 ? cudaStreamNonBlocking
                                                         : cudaStreamDefault));
    const gsvd_handle_t h = new_handle(in);
    const gsvd_handle_t other = new_handle(NULL);
    for (int routine = 0; routine < TASKS; ++routine)
        for (int door = 0; door < 2; ++door)
            task[routine][door] = new_task(routine, door ? GPU : HOST, 0);
    ck_assert_ok(find_R(h, before, &info));
    ck_assert_cuda(cudaStreamBeginCapture(in, mode));
    try_all(h, _i < 3 ? NULL : other, &task, &by_graph, &s, &wide, A, &told);
    ck_assert_cuda(cudaStreamEndCapture(in, &graph));
    for (int routine = 0; routine < TASKS; ++routine)
        for (int door = 0; door < 2; ++door) {
            ck_assert_msg(told.one[routine][door] == GSVD_NOT_SUPPORTED,
                          "%s, door %d: %s", task_name[routine], door,
                          gsvd_status_name(told.one[routine][door]));
            ck_assert_int_eq(told.info[routine][door],
                             -1000 - GSVD_NOT_SUPPORTED);
        }
    ck_assert_int_eq(told.large, GSVD_NOT_SUPPORTED);
    ck_assert_int_eq(told.bytes, CUSOLVER_VERSION >= 11701 ? GSVD_NOT_SUPPORTED
                                                           : GSVD_SUCCESS);
    ck_assert_int_eq(told.destroyed, GSVD_NOT_SUPPORTED);
    for (int k = 0; k < 2 && _i >= 3; ++k)
        ck_assert_int_eq(told.other[k], GSVD_NOT_SUPPORTED);
    ck_assert_int_eq(told.many, GSVD_SUCCESS);
    ck_assert_cuda(cudaGraphGetNodes(graph, NULL, &nodes));
    ck_assert_uint_eq(nodes, 1);

    ck_assert_cuda(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    ck_assert_cuda(cudaGraphLaunch(exec, in));
    ck_assert_cuda(cudaStreamSynchronize(in));
    receive_many(GPU, &s, &by_graph);
    call_many(GPU, handle, &by_call);
    for (int64_t i = 0; i < COUNT; ++i)
        ck_assert_same_results(&by_graph, i, &by_call, i);
    ck_assert_cuda(cudaGraphExecDestroy(exec));
    ck_assert_cuda(cudaGraphDestroy(graph));

    ck_assert_ok(find_R(h, A, &info));
    ck_assert(memcmp(A, before, bytes) == 0);
    for (int routine = 0; routine < TASKS; ++routine)
        for (int door = 0; door < 2; ++door)
            ck_assert_ok(run_task(h, &task[routine][door]));
    ck_assert_ok(find_R(other, A, &info));
    ck_assert_ok(gsvd_destroy(other));

    /* The same size, from a question before the capture and one in it */
    lend_work(h, &wide);
    size_t first, again = 0;
    ck_assert_ok(ask_bytes(h, &wide, &first));
    ck_assert_cuda(cudaStreamBeginCapture(in, mode));
    const gsvd_status_t asked = ask_bytes(h, &wide, &again);
    const gsvd_status_t solved = call_sent(GPU, h, &wide, &s_wide);
    ck_assert_cuda(cudaStreamEndCapture(in, &graph));
    ck_assert_ok(asked);
    ck_assert_ok(solved);
    ck_assert_uint_eq(first, again);
    ck_assert_cuda(cudaGraphDestroy(graph));
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_cuda(cudaStreamDestroy(in));
}
END_TEST

/* A graph that is launched after the end of its handle writes nothing into memory that was the
 * handle's: others have that now.  cuSOLVER's keeps to itself what it needs. */
START_TEST(outlives)
{
    enum { BLOCKS = 256 };
    const int at = _i, most = REALS_PER_SCALAR == 2 ? 32 : 64;
    unsigned *block[BLOCKS], now[WAYS];
    const many_t first = problems(at, STRIDED, 1);
    if ((first.m < first.n ? first.m : first.n) > most &&
        first.kind == MANY_SVD)
        return;
    const gsvd_handle_t h = new_handle(stream());
    lend_work(h, &first);
    const sent_t s = send_many(GPU, &first);
    const cudaGraphExec_t exec = capture(h, &first, &s, any_mode[at % 3]);
    ck_assert_ok(gsvd_destroy(h));
    for (int i = 0; i < BLOCKS; ++i) {
        ck_assert_cuda(cudaMalloc((void **)&block[i], sizeof now));
        ck_assert_cuda(cudaMemset(block[i], 0, sizeof now));
    }
    ck_assert_cuda(cudaDeviceSynchronize());
    many_t by_graph = problems(at, STRIDED, 2),
           by_call = problems(at, STRIDED, 2);
    send_again(&s, &by_graph);
    ck_assert_cuda(cudaGraphLaunch(exec, stream()));
    receive_many(GPU, &s, &by_graph);
    call_many(GPU, handle, &by_call);
    ck_assert_ok(by_call.status);
    for (int64_t i = 0; i < COUNT; ++i)
        ck_assert_same_results(&by_graph, i, &by_call, i);
    ck_assert_cuda(cudaGraphExecDestroy(exec));
    for (int i = 0; i < BLOCKS; ++i) {
        ck_assert_cuda(
            cudaMemcpy(now, block[i], sizeof now, cudaMemcpyDeviceToHost));
        ck_assert_cuda(cudaFree(block[i]));
        for (int k = 0; k < WAYS; ++k)
            ck_assert_uint_eq(now[k], 0);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("batched_graph");
    TCase *const t = add_tcase(s, "graphs");
    tcase_add_loop_test(t, replayed, 0, 2 * CASES);
    tcase_add_test(t, refused);
    tcase_add_test(t, mode_of_the_thread);
    tcase_add_loop_test(t, one_refused, 0, 6);
    tcase_add_loop_test(t, outlives, 0, CASES);
    return s;
}
