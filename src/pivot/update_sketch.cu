/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update_sketch.cu -- a block reflector applied to the columns that remain, and their
 * sketch; CUDA twin of update_sketch.c.
 *
 *     project         Y := T^H V^H C
 *     update_sketch   C := C - V Y,   S := Omega C'    C' the rows of C from `first` on
 *
 * There are two solvers: cuBLAS's products, and in single precision, where tuning_t.fused_sketch says
 * so, one pass over C for each on the tensor cores (update_sketch_tf32.cuh).  To both lists V is V
 * and C is C.  project: T is T, W is W, B is Y.  update_sketch: B is Y, A is Omega, W is S, and k is
 * `first`.
 */
#include "core/gpublas.h"
#include "core/solver.h"
#include "pivot/demand.h"
#include "pivot/pivot.h"
#include "pivot/ways.h"
#include "qr/qr.h"

/* Does this precision have the solver of one pass? */
#define HAS_ONE_PASS (REALS_PER_SCALAR == 1 && GSVD_SINGLE)

#if HAS_ONE_PASS

#include "pivot/update_sketch_tf32.cuh"

/* -- kernels ------------------------------------------------------------------ */

/* Each group's part of V^T C, 32 x n one after the other.  grid: x 128 columns of C
 * each, y groups of rows; block: 16 warps, 4 for the columns and 4 for the rows,
 * one block an SM */
template <bool ALIGNED>
static __global__ void __launch_bounds__(THREADS, 1)
    project_kernel(mat_t V, mat_t C, int64_t rows, bool aligned, float *part)
{
    extern __shared__ __align__(16) float memory[];
    float *const stages = memory + P_SUMS;
    float4 *const all = (float4 *)memory;
    const int slab = WARP_ID % P_SLABS, stream = WARP_ID / P_SLABS;
    float4 *const sums = all + WARP_ID * (2 * P_TILES * 32);
    const int64_t begin = blockIdx.y * rows;
    const int64_t end = min_i(begin + rows, C.rows);
    const int chunks = (int)((end - begin + CHUNK - 1) / CHUNK);
    const int64_t j0 = (int64_t)blockIdx.x * COLUMNS;
    /* the lane's rows, of the last chunk                                     */
    int64_t row =
        begin + (int64_t)(chunks - 1) * CHUNK + stream * STEP + 4 * (LANE % 4);
    const float *column[P_TILES];
    float c[P_TILES][4], acc[2][P_TILES][4];

#pragma unroll
    for (int j = 0; j < P_TILES; ++j) {
        const int64_t col = j0 + (slab * P_TILES + j) * 8 + LANE / 4;
        column[j] = C.data + min_i(col, C.cols - 1) * C.ld;
        take_four<ALIGNED>(column[j], row, end, c[j]);
    }
    for (int x = 0; x < P_STAGES - 1; ++x) {
        const int64_t i = begin + (int64_t)(chunks - 1 - x) * CHUNK;
        if (x < chunks)
            fetch_V<P_LDV>(V, i, aligned, stages + x * P_STAGE);
        __pipeline_commit();
    }
#pragma unroll
    for (int x = 0; x < 8 * P_TILES; ++x)
        acc[x / 4 % 2][x / 8][x % 4] = 0;

    for (int x = 0; x < chunks; ++x, row -= CHUNK) {
        const int next = x + P_STAGES - 1;
        const int64_t i = begin + (int64_t)(chunks - 1 - next) * CHUNK;
        float *const to = stages + next % P_STAGES * P_STAGE;

        __pipeline_wait_prior(P_STAGES - 2);
        __syncthreads();
        if (next < chunks)
            fetch_V<P_LDV>(V, i, aligned, to);
        __pipeline_commit();
        project_step<ALIGNED>(stages + x % P_STAGES * P_STAGE + stream * STEP,
                              column, row - CHUNK,
                              x + 1 < chunks ? end : row - CHUNK, c, acc);
        if (x % P_CHAIN == P_CHAIN - 1 || x == chunks - 1)
            add_to_sums(sums, x >= P_CHAIN, acc);
    }
    __syncthreads();
    put_projection(all, j0, C.cols, part);
}

/* Y := T^T (the sum of the parts).  grid: 32 columns each; block: 256 threads */
static __global__ void __launch_bounds__(SUM_THREADS)
    project_sum_kernel(mat_t T, const float *part, int groups, mat_t Y)
{
    __shared__ float t[WIDTH][WIDTH + 1], w[32][WIDTH + 1];
    const int x = threadIdx.x % (WIDTH / 4) * 4, y = threadIdx.x / (WIDTH / 4);
    const int64_t j0 = (int64_t)blockIdx.x * 32;

    for (int k = threadIdx.x; k < WIDTH * WIDTH; k += SUM_THREADS)
        t[k % WIDTH][k / WIDTH] = AT(T, k % WIDTH, k / WIDTH);
    if (j0 + y < Y.cols) {
        const float4 sum = sum_of((const float4 *)(part + (j0 + y) * WIDTH + x),
                                  Y.cols * WIDTH / 4, groups);
        w[y][x] = sum.x;
        w[y][x + 1] = sum.y;
        w[y][x + 2] = sum.z;
        w[y][x + 3] = sum.w;
    }
    __syncthreads();
    for (int j = WARP_ID; j < 32 && j0 + j < Y.cols; j += SUM_THREADS / 32) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < WIDTH; ++k)
            sum = fmaf(t[k][LANE], w[j][k], sum);
        AT(Y, LANE, j0 + j) = sum;
    }
}

/* C := C - V Y, and each group's part of S, 40 x n one after the other.  grid: x 128
 * columns of C each, y groups of rows; block: 16 warps, 8 for the columns and 2 for
 * the rows, one block an SM */
template <bool ALIGNED>
static __global__ void __launch_bounds__(THREADS, 1)
    update_kernel(mat_t V, mat_t Y, mat_t C, int64_t first, mat_t Omega,
                  int64_t rows, bool aligned, float *part)
{
    extern __shared__ __align__(16) float memory[];
    const int64_t j0 = first_column();
    const int64_t begin = blockIdx.y * rows;
    const int64_t end = min_i(begin + rows, C.rows);
    const int chunks = (int)((end - begin + CHUNK - 1) / CHUNK);
    const int here = (int)(end - begin);
    update_warp_t w;

    take_first<ALIGNED>(C, begin, j0, here, w);
    for (int x = 0; x < U_STAGES - 1; ++x) {
        if (x < chunks)
            fetch_next(V, Omega, begin + x * CHUNK, first, aligned,
                       memory + x * U_STAGE);
        __pipeline_commit();
    }
    take_y(Y, j0, C.cols, w);
    for (int x = 0; x < chunks; ++x) {
        const int next = x + U_STAGES - 1;
        const float *const stage = memory + x % U_STAGES * U_STAGE;

        __pipeline_wait_prior(U_STAGES - 2);
        __syncthreads();
        if (next < chunks)
            fetch_next(V, Omega, begin + (int64_t)next * CHUNK, first, aligned,
                       memory + next % U_STAGES * U_STAGE);
        __pipeline_commit();
        update_chunk<ALIGNED>(stage, x, here, j0, C.cols, w);
    }
    put_sketch(memory, j0, C.cols, w, part);
}

/* S := the sum of the parts.  grid: 256 threads each, which have four rows of a
 * column each */
static __global__ void __launch_bounds__(SUM_THREADS)
    sketch_sum_kernel(const float *part, int groups, mat_t S)
{
    enum { ACROSS = SKETCH_ROWS / 4 };
    const int64_t x = (int64_t)blockIdx.x * SUM_THREADS + threadIdx.x;
    const int64_t col = x / ACROSS, row = x % ACROSS * 4;
    if (col >= S.cols)
        return;
    const float4 sum =
        sum_of((const float4 *)part + x, S.cols * ACROSS, groups);
    AT(S, row, col) = sum.x;
    AT(S, row + 1, col) = sum.y;
    AT(S, row + 2, col) = sum.z;
    AT(S, row + 3, col) = sum.w;
}

/* -- launchers ---------------------------------------------------------------- */

static int64_t slabs_of(int64_t n) { return (n + COLUMNS - 1) / COLUMNS; }

/* rows of a group: what fills the device best; a block costs as much as a chunk
 * beyond its rows */
static int64_t group_rows(const exec_t *ex, int64_t m, int64_t n)
{
    const int64_t at_once = cuda_of(ex->h)->multiprocessors,
                  slabs = slabs_of(n);
    int64_t best = 0, least = 0;
    for (int64_t groups = 1; groups <= MOST_GROUPS; ++groups) {
        const int64_t chunks = (m + groups * CHUNK - 1) / (groups * CHUNK);
        const int64_t waves = (groups * slabs + at_once - 1) / at_once;
        const int64_t cost = waves * (chunks + 1);
        if (groups > 1 && groups * slabs > MOST_BLOCKS)
            break;
        if (groups == 1 || cost < least) {
            best = chunks * CHUNK;
            least = cost;
        }
    }
    return best;
}

/* can 4 (2) elements of each column be moved at once? */
static bool lies_well(mat_t A, int elements)
{
    return (uintptr_t)A.data % (elements * sizeof(scalar_t)) == 0 &&
           A.ld % elements == 0;
}

size_t X(update_sketch_bytes)(int64_t n)
{
    const int64_t slabs = slabs_of(n);
    const int64_t blocks =
        min_i(MOST_GROUPS * slabs, max_i(MOST_BLOCKS, slabs));
    return (size_t)(blocks * COLUMNS * SKETCH_ROWS) * sizeof(float);
}

static demand_t project_demand(const void *kernel)
{
    return demand("project_kernel", 0, kernel, THREADS,
                  (P_SUMS + P_STAGES * P_STAGE) * sizeof(float));
}

static demand_t update_demand(const void *kernel)
{
    return demand("update_kernel", 0, kernel, THREADS,
                  U_STAGES * U_STAGE * sizeof(float));
}

int X(update_sketch_demands)(demand_t *d)
{
    d[0] = project_demand((const void *)project_kernel<true>);
    d[1] = update_demand((const void *)update_kernel<true>);
    return 2;
}

static int one_pass_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->tune->fused_sketch;
}

static int project_applies(const exec_t *ex, const task_t *t)
{
    return one_pass_wanted(ex, t) && !mat_empty(t->C) && t->V.cols == WIDTH;
}

static int update_applies(const exec_t *ex, const task_t *t)
{
    return project_applies(ex, t) && t->A.rows == SKETCH_ROWS;
}

/* The sum of V^H C, which W is for, stays in the parts. */
static gsvd_status_t project_one_pass(const exec_t *ex, const task_t *t)
{
    const mat_t V = t->V, C = t->C;
    const int64_t rows = group_rows(ex, C.rows, C.cols);
    const int groups = (int)((C.rows + rows - 1) / rows);
    const dim3 grid((unsigned)slabs_of(C.cols), (unsigned)groups);
    const bool aligned = lies_well(C, 4);
    const auto kernel = aligned ? project_kernel<true> : project_kernel<false>;
    const demand_t d = project_demand((const void *)kernel);
    void *part;

    ++cuda_of(ex->h)->taken[WAY_PASS];
    GSVD_TRY(X(kernel_work)(ex, X(update_sketch_bytes)(C.cols), &part));
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    kernel<<<grid, THREADS, d.bytes, stream_of(ex)>>>(
        V, C, rows, lies_well(V, 4), (float *)part);
    GSVD_TRY(gsvd_launched(ex->h, "project"));
    project_sum_kernel<<<(unsigned)((C.cols + 31) / 32), SUM_THREADS, 0,
                         stream_of(ex)>>>(t->T, (const float *)part, groups,
                                          t->B);
    return gsvd_launched(ex->h, "project");
}

static gsvd_status_t update_one_pass(const exec_t *ex, const task_t *t)
{
    const mat_t V = t->V, C = t->C, Omega = t->A;
    const int64_t rows = group_rows(ex, C.rows, C.cols);
    const int groups = (int)((C.rows + rows - 1) / rows);
    const dim3 grid((unsigned)slabs_of(C.cols), (unsigned)groups);
    const bool aligned = lies_well(C, 4);
    const auto kernel = aligned ? update_kernel<true> : update_kernel<false>;
    const demand_t d = update_demand((const void *)kernel);
    const int64_t fours = C.cols * (SKETCH_ROWS / 4);
    void *part;

    ++cuda_of(ex->h)->taken[WAY_PASS];
    GSVD_TRY(X(kernel_work)(ex, X(update_sketch_bytes)(C.cols), &part));
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    kernel<<<grid, THREADS, d.bytes, stream_of(ex)>>>(
        V, t->B, C, t->k, Omega, rows, lies_well(V, 4) && lies_well(Omega, 2),
        (float *)part);
    GSVD_TRY(gsvd_launched(ex->h, "update_sketch"));
    sketch_sum_kernel<<<(unsigned)((fours + SUM_THREADS - 1) / SUM_THREADS),
                        SUM_THREADS, 0, stream_of(ex)>>>((const float *)part,
                                                         groups, t->W);
    return gsvd_launched(ex->h, "update_sketch");
}

#else

size_t X(update_sketch_bytes)(int64_t n)
{
    (void)n;
    return 0;
}

int X(update_sketch_demands)(demand_t *d)
{
    (void)d;
    return 0;
}

#endif

/* -- cuBLAS's products ---------------------------------------------------------- */

static gsvd_status_t project_products(const exec_t *ex, const task_t *t)
{
    GSVD_TRY(X(gemm_cuda)(ex, 'C', 'N', t->V, t->C, t->W));
    return X(gemm_cuda)(ex, 'C', 'N', t->T, t->W, t->B);
}

static gsvd_status_t update_products(const exec_t *ex, const task_t *t)
{
    const mat_t C = t->C;
    GSVD_TRY(X(gemm_sub_cuda)(ex, 'N', 'N', t->V, t->B, C));
    return X(gemm_cuda)(ex, 'N', 'N', t->A, mat_rows(C, t->k, C.rows - t->k),
                        t->W);
}

/* -- the solvers ---------------------------------------------------------------- */

static const solver_t project_solver[] = {
#if HAS_ONE_PASS
    {"one pass", one_pass_wanted, project_applies, NULL, project_one_pass},
#endif
    {"products", NULL, NULL, NULL, project_products},
};
const solvers_t X(project_solvers_cuda) = SOLVERS("projection", project_solver);

static const solver_t update_solver[] = {
#if HAS_ONE_PASS
    {"one pass", one_pass_wanted, update_applies, NULL, update_one_pass},
#endif
    {"products", NULL, NULL, NULL, update_products},
};
const solvers_t X(update_solvers_cuda) = SOLVERS("sketch", update_solver);

gsvd_status_t X(project_cuda)(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                              mat_t W, mat_t Y)
{
    task_t t = {};
    t.V = V;
    t.T = T;
    t.C = C;
    t.W = W;
    t.B = Y;
    return run_solver(&X(project_solvers_cuda), ex, &t);
}

gsvd_status_t X(update_sketch_cuda)(const exec_t *ex, mat_t V, mat_t Y, mat_t C,
                                    int64_t first, mat_t Omega, mat_t S)
{
    task_t t = {};
    t.V = V;
    t.B = Y;
    t.C = C;
    t.k = first;
    t.A = Omega;
    t.W = S;
    return run_solver(&X(update_solvers_cuda), ex, &t);
}
