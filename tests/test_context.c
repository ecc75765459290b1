/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_context.c -- a handle leaves the CUDA context of its thread as it was, other
 * devices untouched, and most of its own device's memory free.
 *
 *     test_context_<letter>      exit status 0, 1, or 77 where there is no device
 *
 * A program of its own: that of the other tests has a handle on device 0 already.
 * The handle under test is on the last device; what needs a second one is left out,
 * and said, where there is one.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/cuda_state.h"
#include "primitives.h"

enum { PASSED = 0, FAILED = 1, SKIPPED = 77 };

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: %s does not hold; %s\n", __FILE__,         \
                    __LINE__, #condition, gsvd_last_error(NULL));              \
            exit(FAILED);                                                      \
        }                                                                      \
    } while (0)

static CUresult (*current_of)(CUcontext *);
static CUresult (*state_of)(CUdevice, unsigned *, int *);
static CUresult (*create_context)(CUcontext *, unsigned, CUdevice);
static CUresult (*destroy_context)(CUcontext);
static CUresult (*set_current)(CUcontext);
static CUresult (*wait_value)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
static CUresult (*write_value)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
static int devices, device;

static int find(void *driver, const char *name, void *function)
{
    void *const symbol = dlsym(driver, name);
    *(void **)function = symbol;
    return symbol != NULL;
}

static CUcontext current(void)
{
    CUcontext context = NULL;
    CHECK(current_of(&context) == CUDA_SUCCESS);
    return context;
}

static int active(int ordinal)
{
    unsigned flags;
    int is;
    CHECK(state_of(ordinal, &flags, &is) == CUDA_SUCCESS);
    return is;
}

/* -- all routines, arrays on the host ------------------------------------------- */

static scalar_t *random_array(int64_t elements)
{
    scalar_t *const x = malloc((size_t)elements * sizeof *x);
    unsigned state = 1;
    CHECK(x);
    for (int64_t i = 0; i < elements; ++i) {
        state = state * 1103515245U + 12345U;
        x[i] = make((real_t)(state >> 16) / 65536 - (real_t)0.5, 0);
    }
    return x;
}

/* The arrays of all calls, m x n and m x n; m >= n. */
typedef struct arrays {
    int64_t m, n, k, l, *jpvt;
    scalar_t *A0, *A, *B, *U, *V, *Q, *tau;
    real_t *alpha, *beta;
    int info;
} arrays_t;

static arrays_t new_arrays(int64_t m, int64_t n)
{
    arrays_t a = {.m = m, .n = n};
    a.A0 = random_array(m * n);
    a.A = random_array(m * n);
    a.B = random_array(m * n);
    a.U = random_array(m * m);
    a.V = random_array(m * m);
    a.Q = random_array(n * n);
    a.tau = random_array(n);
    a.alpha = malloc((size_t)n * sizeof *a.alpha);
    a.beta = malloc((size_t)n * sizeof *a.beta);
    a.jpvt = malloc((size_t)n * sizeof *a.jpvt);
    CHECK(a.alpha && a.beta && a.jpvt);
    return a;
}

static void free_arrays(arrays_t *a)
{
    void *const all[] = {a->A0, a->A,   a->B,     a->U,    a->V,
                         a->Q,  a->tau, a->alpha, a->beta, a->jpvt};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
}

#define PAIR a->A, a->m, a->B, a->m
#define FACTORS a->U, a->m, a->V, a->m, a->Q, a->n

/* The calls, one after the other: each works on what the one before left, but for
 * the pair, which is (A, A) and then a triangular one; the last ones fail. */
enum {
    QR,
    APPLY,
    FORM,
    GEQP,
    URV,
    PAIR_AT_ONCE,
    FIRST_HALF,
    SECOND_HALF,
    STREAM,
    NOTHING,
    BEYOND_MEMORY,
    NOT_FINITE,
    CALLS
};

static gsvd_status_t expected(int call)
{
    switch (call) {
    case NOTHING:
    case NOT_FINITE: return GSVD_INVALID_ARGUMENT;
    case BEYOND_MEMORY: return GSVD_OUT_OF_MEMORY;
    default: return GSVD_SUCCESS;
    }
}

static gsvd_status_t run(gsvd_handle_t h, int call, arrays_t *a)
{
    const int64_t m = a->m, n = a->n, huge = 400000;
    switch (call) {
    case QR: return X(qr)(h, m, n, a->A, m, a->tau, &a->info);
    case APPLY:
        return X(qr_apply)(h, 'L', 'C', m, n, n, a->A, m, a->tau, a->B, m,
                           &a->info);
    case FORM: return X(qr_form)(h, m, n, n, a->A, m, a->tau, &a->info);
    case GEQP:
        return X(geqp)(h, m, n, a->A, m, a->jpvt, a->tau, -1, &a->k, &a->info);
    case URV:
        return X(urv)(h, 'U', 'V', m, n, a->B, m, -1, &a->k, a->U, m, a->Q, n,
                      &a->info);
    case PAIR_AT_ONCE:
    case FIRST_HALF:
        memcpy(a->A, a->A0, (size_t)(m * n) * sizeof *a->A);
        memcpy(a->B, a->A0, (size_t)(m * n) * sizeof *a->B);
        if (call == PAIR_AT_ONCE)
            return GSVD_ENTRY(h, 'U', 'V', 'Q', m, n, m, &a->k, &a->l, PAIR,
                              a->alpha, a->beta, FACTORS, &a->info);
        return X(preprocess)(h, 'U', 'V', 'Q', m, m, n, PAIR, -1, -1, &a->k,
                             &a->l, FACTORS, &a->info);
    case SECOND_HALF:
        return X(solve)(h, 'U', 'V', 'Q', m, m, n, a->k, a->l, PAIR, -1, -1,
                        a->alpha, a->beta, FACTORS, &a->info);
    case STREAM: return gsvd_set_stream(h, NULL);
    case NOTHING: return X(qr)(h, m, n, NULL, m, a->tau, &a->info);
    case BEYOND_MEMORY:
        return X(qr)(h, huge, huge, a->A, huge, a->tau, &a->info);
    default:
        a->A[0] = make((real_t)NAN, 0);
        return X(qr)(h, m, n, a->A, m, a->tau, &a->info);
    }
}

static void run_all(gsvd_handle_t h, int64_t m, int64_t n)
{
    const CUcontext here = current();
    arrays_t a = new_arrays(m, n);
    for (int call = 0; call < CALLS; ++call) {
        const gsvd_status_t status = run(h, call, &a);
        if (status != expected(call)) {
            fprintf(stderr, "call %d: %s, %s\n", call, gsvd_status_name(status),
                    gsvd_last_error(h));
            exit(FAILED);
        }
        CHECK(current() == here);
    }
    free_arrays(&a);
}

/* A handle's life.  The larger sizes take the further queues. */
static void live(void)
{
    const CUcontext before = current();
    gsvd_handle_t h = NULL;

    CHECK(gsvd_create(&h, 99) == GSVD_DEVICE_FAILED);
    CHECK(current() == before);
    CHECK(gsvd_create(&h, device) == GSVD_SUCCESS);
    CHECK(current() == before);
    run_all(h, 40, 30);
    run_all(h, 1500, 1400);
    CHECK(gsvd_destroy(h) == GSVD_SUCCESS);
    CHECK(current() == before);
}

/* -- the states of a thread ----------------------------------------------------- */

static void *no_context(void *unused)
{
    CHECK(current() == NULL);
    live();
    CHECK(current() == NULL);
    if (devices > 1)
        CHECK(!active(0));
    live(); /* as well after the first has gone                              */
    return unused;
}

/* the caller's stream, after the handle has made queues of its own; run_all goes
 * back to the default one */
static void own_stream(void)
{
    gsvd_handle_t h = NULL;
    cudaStream_t stream;
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(gsvd_create(&h, device) == GSVD_SUCCESS);
    run_all(h, 40, 30);
    CHECK(gsvd_set_stream(h, stream) == GSVD_SUCCESS);
    run_all(h, 1500, 1400);
    CHECK(gsvd_destroy(h) == GSVD_SUCCESS);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

/* a context that the caller made */
static void own_context(void)
{
    CUcontext own, outer = current();
    CHECK(create_context(&own, 0, device) == CUDA_SUCCESS);
    CHECK(current() == own);
    live();
    CHECK(current() == own);
    CHECK(destroy_context(own) == CUDA_SUCCESS);
    CHECK(current() == outer);
}

/* A handle that was made in one context, after work in it, called in another: refused in words,
 * and it goes on in its own. */
static void refused_elsewhere(CUcontext made, CUcontext used)
{
    const gsvd_type_t type = REALS_PER_SCALAR == 2
                                 ? GSVD_SINGLE ? GSVD_C : GSVD_Z
                             : GSVD_SINGLE ? GSVD_S
                                           : GSVD_D;
    const gsvd_problem_t pair = {.size = sizeof pair,
                                 .routine = GSVD_ROUTINE_GSVD,
                                 .type = type,
                                 .job = {'U', 'V', 'Q'},
                                 .m = 300,
                                 .n = 300,
                                 .p = 300};
    gsvd_plan_t plan;
    gsvd_handle_t h = NULL;

    CHECK(set_current(made) == CUDA_SUCCESS);
    CHECK(gsvd_create(&h, device) == GSVD_SUCCESS);
    run_all(h, 1500, 1400);
    CHECK(set_current(used) == CUDA_SUCCESS);
    arrays_t a = new_arrays(300, 300);
    const gsvd_status_t status[] = {
        run(h, QR, &a), run(h, PAIR_AT_ONCE, &a), run(h, STREAM, &a),
        gsvd_plan_create(h, &pair, &plan), gsvd_destroy(h)};
    for (size_t i = 0; i < sizeof status / sizeof *status; ++i)
        CHECK(status[i] == GSVD_INVALID_HANDLE);
    CHECK(strstr(gsvd_last_error(h), "another CUDA context") != NULL);
    CHECK(current() == used);
    CHECK(cudaGetLastError() == cudaSuccess);
    free_arrays(&a);
    CHECK(set_current(made) == CUDA_SUCCESS);
    run_all(h, 1500, 1400);
    CHECK(gsvd_destroy(h) == GSVD_SUCCESS);
}

static void other_context(void)
{
    CUcontext own, primary;
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaFree(NULL) == cudaSuccess);
    primary = current();
    CHECK(create_context(&own, 0, device) == CUDA_SUCCESS);
    refused_elsewhere(primary, own);
    refused_elsewhere(own, primary);
    CHECK(set_current(primary) == CUDA_SUCCESS);
    CHECK(destroy_context(own) == CUDA_SUCCESS);
}

/* -- two handles on two streams ---------------------------------------------------- */

enum { ORDER = 300, VALUES = ORDER * sizeof(real_t) };

/* A handle on a stream of its own, its arrays on the device, and the result on the host, in pinned
 * memory: a copy from other memory would wait for the stream in the driver */
typedef struct side {
    gsvd_handle_t h;
    cudaStream_t stream;
    scalar_t *A, *U, *V, *host; /* host: A as it is before each call         */
    real_t *sigma, *values;
    gsvd_status_t status;
} side_t;

static side_t open_side(void)
{
    const size_t bytes = (size_t)ORDER * ORDER * sizeof(scalar_t);
    scalar_t *const random = random_array((int64_t)ORDER * ORDER);
    void *all = NULL, *pinned = NULL;
    side_t s = {0};

    CHECK(cudaMallocHost(&pinned, bytes + VALUES) == cudaSuccess);
    s.host = pinned;
    s.values = (real_t *)(s.host + ORDER * ORDER);
    memcpy(s.host, random, bytes);
    free(random);
    CHECK(cudaStreamCreate(&s.stream) == cudaSuccess); /* waits for stream 0 */
    CHECK(cudaMalloc(&all, 3 * bytes + ORDER * sizeof(real_t)) == cudaSuccess);
    s.A = all;
    s.U = s.A + ORDER * ORDER;
    s.V = s.U + ORDER * ORDER;
    s.sigma = (real_t *)(s.V + ORDER * ORDER);
    CHECK(gsvd_create(&s.h, device) == GSVD_SUCCESS);
    CHECK(gsvd_set_stream(s.h, s.stream) == GSVD_SUCCESS);
    return s;
}

static void close_side(side_t *s)
{
    CHECK(gsvd_destroy(s->h) == GSVD_SUCCESS);
    CHECK(cudaStreamDestroy(s->stream) == cudaSuccess);
    CHECK(cudaFree(s->A) == cudaSuccess);
    CHECK(cudaFreeHost(s->host) == cudaSuccess);
}

/* An SVD of the host's matrix, which waits for numbers on its way, and at the end */
static void *decompose(void *data)
{
    side_t *const s = data;
    const size_t bytes = (size_t)ORDER * ORDER * sizeof(scalar_t);
    int info;

    if (cudaSetDevice(device) != cudaSuccess ||
        cudaMemcpyAsync(s->A, s->host, bytes, cudaMemcpyHostToDevice,
                        s->stream) != cudaSuccess)
        s->status = GSVD_DEVICE_FAILED;
    else
        s->status = X(svd_gpu)(s->h, 'S', 'S', ORDER, ORDER, s->A, ORDER,
                               s->sigma, s->U, ORDER, s->V, ORDER, &info);
    if (cudaMemcpyAsync(s->values, s->sigma, VALUES, cudaMemcpyDeviceToHost,
                        s->stream) != cudaSuccess ||
        cudaStreamSynchronize(s->stream) != cudaSuccess)
        s->status = GSVD_DEVICE_FAILED;
    return NULL;
}

/* While the stream of one handle stands still, and a call in another thread waits for it,
 * the other handle's call runs to its end: nothing is asked of all of the device or of
 * stream 0.  Then the first goes on, with the bits that it has alone. */
static void side_by_side(void)
{
    cuuint32_t *gate;
    pthread_t thread;

    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaMalloc((void **)&gate, sizeof *gate) == cudaSuccess);
    CHECK(cudaMemset(gate, 0, sizeof *gate) == cudaSuccess);
    side_t held = open_side(), other = open_side();
    decompose(&held); /* memory, and code that is loaded when first wanted   */
    decompose(&other);
    CHECK(held.status == GSVD_SUCCESS && other.status == GSVD_SUCCESS);
    real_t alone[ORDER];
    memcpy(alone, held.values, VALUES);
    memset(held.values, 0, VALUES);
    CHECK(wait_value(held.stream, (CUdeviceptr)gate, 1,
                     CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
    CHECK(pthread_create(&thread, NULL, decompose, &held) == 0);
    (void)alarm(60); /* ends the program where one waits for the other       */
    for (int call = 0; call < 3; ++call) {
        memset(other.values, 0, VALUES);
        decompose(&other);
        CHECK(other.status == GSVD_SUCCESS);
        CHECK(memcmp(other.values, alone, VALUES) == 0);
    }
    CHECK(cudaStreamQuery(held.stream) == cudaErrorNotReady);
    CHECK(write_value(other.stream, (CUdeviceptr)gate, 1, 0) == CUDA_SUCCESS);
    CHECK(pthread_join(thread, NULL) == 0);
    (void)alarm(0);
    CHECK(held.status == GSVD_SUCCESS);
    CHECK(memcmp(held.values, alone, VALUES) == 0);
    CHECK(cudaFree(gate) == cudaSuccess);
    close_side(&held);
    close_side(&other);
}

/* before its first call a handle has at most 64 MiB of the device */
static void little_memory(void)
{
    size_t before, after, all;
    gsvd_handle_t h = NULL;
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaFree(NULL) == cudaSuccess);
    CHECK(cudaMemGetInfo(&before, &all) == cudaSuccess);
    CHECK(gsvd_create(&h, device) == GSVD_SUCCESS);
    CHECK(cudaMemGetInfo(&after, &all) == cudaSuccess);
    CHECK(gsvd_destroy(h) == GSVD_SUCCESS);
    printf("a new handle has %.1f MiB\n",
           ((double)before - (double)after) / (1 << 20));
    CHECK(before <= after + ((size_t)64 << 20));
}

/* a forked child cannot use CUDA; GSVD_ANY computes on the host there */
static void child(void)
{
    const pid_t id = fork();
    int end = 0, where = 0;
    CHECK(id >= 0);
    if (id == 0) {
        gsvd_handle_t h = NULL;
        const int failed = gsvd_create(&h, 0) == GSVD_SUCCESS ||
                           gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS ||
                           gsvd_get_device(h, &where) != GSVD_SUCCESS ||
                           where != GSVD_HOST;
        _exit(failed);
    }
    CHECK(waitpid(id, &end, 0) == id);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
}

/* a caller whose device is another one keeps it */
static void other_device(void)
{
    int still = -1;
    CHECK(cudaSetDevice(0) == cudaSuccess);
    live();
    CHECK(cudaGetDevice(&still) == cudaSuccess && still == 0);
}

int main(void)
{
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const char *const require = getenv("GSVD_TEST_REQUIRE_GPU");
    pthread_t thread;

    devices = gsvd_cuda_space.count();
    device = devices - 1;
    if (!driver || devices == 0) {
        fprintf(stderr, "no CUDA device\n");
        return require && strcmp(require, "0") != 0 ? FAILED : SKIPPED;
    }
    CHECK(find(driver, "cuCtxGetCurrent", &current_of));
    CHECK(find(driver, "cuDevicePrimaryCtxGetState", &state_of));
    CHECK(find(driver, "cuCtxCreate_v2", &create_context));
    CHECK(find(driver, "cuCtxDestroy_v2", &destroy_context));
    CHECK(find(driver, "cuCtxSetCurrent", &set_current));
    CHECK(find(driver, "cuStreamWaitValue32_v2", &wait_value));
    CHECK(find(driver, "cuStreamWriteValue32_v2", &write_value));

    if (devices < 2)
        printf("one device: what needs another is left out\n");
    CHECK(!active(device));
    CHECK(pthread_create(&thread, NULL, no_context, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    no_context(NULL);
    own_stream();
    side_by_side();
    little_memory();
    own_context();
    other_context();
    if (devices > 1) {
        CHECK(!active(0));
        other_device();
    }
    child();
    return PASSED;
}
