/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* elementwise.cu -- copies, transposes, scalings, norms; CUDA twin of
 * elementwise.c. */
#include "core/elementwise.h"

#include "core/each.cuh"
#include "core/gpublas.h"
#include "core/reduce.cuh"

enum { TILE = 32, TILE_ROWS = 8 };

/* grid: grid_of; block: 256 threads, one row each */
static __global__ void copy_kernel(mat_t A, mat_t B)
{
    EACH_ELEMENT(A, i, j)
    AT(B, i, j) = AT(A, i, j);
}

static __global__ void from_single_kernel(const single_t *A, int64_t lda,
                                          mat_t B)
{
    EACH_ELEMENT(B, i, j)
    AT(B, i, j) = from_single(A[i + j * lda]);
}

static __global__ void to_single_kernel(mat_t A, single_t *B, int64_t ldb)
{
    EACH_ELEMENT(A, i, j)
    B[i + j * ldb] = to_single(AT(A, i, j));
}

static __global__ void set_kernel(mat_t A, real_t off, real_t diag)
{
    EACH_ELEMENT(A, i, j)
    AT(A, i, j) = make(i == j ? diag : off, 0);
}

static __global__ void zero_lower_kernel(mat_t A)
{
    EACH_ELEMENT(A, i, j)
    if (i > j)
        AT(A, i, j) = make(0, 0);
}

static __device__ scalar_t shifted(scalar_t a, int e, real_t slack)
{
    return make(ldexp_near(re(a), e, slack), ldexp_near(im(a), e, slack));
}

static __global__ void shift_kernel(mat_t A, int e, real_t slack)
{
    EACH_ELEMENT(A, i, j)
    AT(A, i, j) = shifted(AT(A, i, j), e, slack);
}

static __global__ void shift_upper_kernel(mat_t A, int e, real_t slack)
{
    EACH_ELEMENT(A, i, j)
    if (i <= j)
        AT(A, i, j) = shifted(AT(A, i, j), e, slack);
}

/* grid: blocks of 256 threads, one entry each */
static __global__ void count_from_one_kernel(int64_t n, const int *from,
                                             int64_t *to)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j < n)
        to[j] = (int64_t)from[j] + 1;
}

/* grid: grid_of; block: 256 threads, one row each */
static __global__ void scale_rows_kernel(mat_t A, const real_t *g, const int *e,
                                         real_t slack)
{
    EACH_ELEMENT(A, i, j)
    AT(A, i, j) = shifted(scale(g[i], AT(A, i, j)), e[i], slack);
}

/* grid: grid_of; block: 256 threads, one row each */
static __global__ void unscale_rows_kernel(mat_t A, const real_t *g,
                                           const int *e)
{
    EACH_ELEMENT(A, i, j)
    AT(A, i, j) = unscaled(AT(A, i, j), g[i], e[i]);
}

/* grid: blocks of 256 threads, one entry of the diagonal each */
static __global__ void nonzero_kernel(mat_t R)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < min_i(R.rows, R.cols) && abs_max(AT(R, i, i)) == 0)
        AT(R, i, i) = make(GSVD_SAFMIN * GSVD_ULP, 0);
}

/* grid: x tiles of 32 rows of A, y of 32 columns (striding); block: 32 x 8
 * threads carry one tile through shared memory, so that both sides coalesce.
 * FLIP reverses the rows and columns of the result. */
template <int FLIP> static __global__ void ctrans_kernel(mat_t A, mat_t B)
{
    __shared__ scalar_t tile[TILE][TILE + 1];
    const int64_t i0 = (int64_t)blockIdx.x * TILE;

    for (int64_t j0 = (int64_t)blockIdx.y * TILE; j0 < A.cols;
         j0 += (int64_t)gridDim.y * TILE) {
        for (int y = threadIdx.y; y < TILE; y += TILE_ROWS)
            if (i0 + threadIdx.x < A.rows && j0 + y < A.cols)
                tile[y][threadIdx.x] = AT(A, i0 + threadIdx.x, j0 + y);
        __syncthreads();
        for (int y = threadIdx.y; y < TILE; y += TILE_ROWS) {
            const int64_t j = j0 + threadIdx.x, i = i0 + y;
            if (i < A.rows && j < A.cols) {
                const int64_t r = FLIP ? A.cols - 1 - j : j;
                const int64_t c = FLIP ? A.rows - 1 - i : i;
                AT(B, r, c) = conj_of(tile[threadIdx.x][y]);
            }
        }
        __syncthreads();
    }
}

/* all := the larger of all and (largest, sum of |a|, 1 if not finite) of column j,
 * number by number */
static __device__ void add_column(mat_t A, int64_t j, real_t (&all)[3])
{
    __shared__ real_t most[THREADS];
    real_t largest = 0, x[2] = {0, 0}; /* sum of |a|, count of bad entries   */
    for (int64_t i = threadIdx.x; i < A.rows; i += THREADS) {
        const scalar_t a = AT(A, i, j);
        largest = fmax_r(largest, abs_max(a));
        x[0] += abs_of(a);
        x[1] += !isfinite(re(a)) || !isfinite(im(a));
    }
    block_sum(x);
    most[threadIdx.x] = largest;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            most[threadIdx.x] =
                fmax_r(most[threadIdx.x], most[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        all[0] = fmax_r(all[0], most[0]);
        all[1] = fmax_r(all[1], x[0]);
        all[2] = fmax_r(all[2], x[1]);
    }
    __syncthreads();
}

/* grid: one block a column (striding); part: three numbers a block */
static __global__ void column_extremes_kernel(mat_t A, real_t *part)
{
    real_t all[3] = {0, 0, 0};
    for (int64_t j = blockIdx.x; j < A.cols; j += gridDim.x)
        add_column(A, j, all);
    if (threadIdx.x == 0)
        for (int i = 0; i < 3; ++i)
            part[3 * blockIdx.x + i] = all[i];
}

/* *slot := the largest of the parts of `cols` blocks.  grid: one block */
static __global__ void norms_kernel(int64_t cols, const real_t *part,
                                    slot_t *slot)
{
    __shared__ real_t most[3][THREADS];
    real_t x[3] = {0, 0, 0};
    for (int64_t j = threadIdx.x; j < cols; j += THREADS)
        for (int i = 0; i < 3; ++i)
            x[i] = fmax_r(x[i], part[3 * j + i]);
    for (int i = 0; i < 3; ++i)
        most[i][threadIdx.x] = x[i];
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            for (int i = 0; i < 3; ++i)
                most[i][threadIdx.x] =
                    fmax_r(most[i][threadIdx.x], most[i][threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        for (int i = 0; i < 3; ++i)
            slot->real[i] = most[i][0];
        slot->real[3] = GSVD_REAL_MAX;
        slot->real[4] = 0;
    }
}

/* Extrema on the bits, which order numbers >= 0 as their values do: the result does not
 * depend on the order of the threads. */
static __device__ void atomic_largest(real_t *x, real_t y)
{
#if GSVD_SINGLE
    atomicMax((unsigned *)x, __float_as_uint(y));
#else
    atomicMax((unsigned long long *)x,
              (unsigned long long)__double_as_longlong(y));
#endif
}

static __device__ void atomic_least(double *x, double y)
{
    atomicMin((unsigned long long *)x,
              (unsigned long long)__double_as_longlong(y));
}

/* size[i], 0 before, := the largest of row i.  grid: x tiles of 256 rows, y of
 * 32 columns, striding; block: 256 threads, one row each */
static __global__ void row_sizes_kernel(mat_t A, real_t *size)
{
    real_t largest = 0;
    EACH_ELEMENT(A, i, j)
    largest = fmax_r(largest, abs_max(AT(A, i, j)));
    if (i < A.rows)
        atomic_largest(&size[i], largest);
}

/* slot->real[3] := the least nonzero size, if that is less; slot->real[4] grows by how many there
 * are.  grid: blocks of 256 threads, one row each */
static __global__ void least_row_kernel(int64_t rows, const real_t *size,
                                        slot_t *slot)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const double mine = i < rows ? size[i] : 0;
    const unsigned nonzero = __ballot_sync(0xffffffff, mine > 0);
    double least = mine > 0 ? mine : GSVD_REAL_MAX;
    for (int step = WARP / 2; step > 0; step /= 2)
        least = fmin(least, __shfl_down_sync(0xffffffff, least, step));
    if (threadIdx.x % WARP == 0) {
        atomic_least(&slot->real[3], least);
        atomicAdd(&slot->real[4], (double)__popc(nonzero));
    }
}

/* -- launchers ------------------------------------------------------------- */

gsvd_status_t X(copy_cuda)(const exec_t *ex, mat_t A, mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    copy_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, B);
    return gsvd_launched(ex->h, "copy");
}

gsvd_status_t X(from_single_cuda)(const exec_t *ex, const single_t *A,
                                  int64_t lda, mat_t B)
{
    if (mat_empty(B))
        return GSVD_SUCCESS;
    from_single_kernel<<<grid_of(B), THREADS, 0, stream_of(ex)>>>(A, lda, B);
    return gsvd_launched(ex->h, "from_single");
}

gsvd_status_t X(to_single_cuda)(const exec_t *ex, mat_t A, single_t *B,
                                int64_t ldb)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    to_single_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, B, ldb);
    return gsvd_launched(ex->h, "to_single");
}

gsvd_status_t X(set_cuda)(const exec_t *ex, mat_t A, real_t off, real_t diag)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    set_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, off, diag);
    return gsvd_launched(ex->h, "set");
}

gsvd_status_t X(zero_lower_cuda)(const exec_t *ex, mat_t A)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    zero_lower_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A);
    return gsvd_launched(ex->h, "zero_lower");
}

/* grid: x tiles of 32 rows, y of 32 columns (striding), of which those of the triangle work; block:
 * 32 x 8 threads carry a tile through shared memory to its place in the other triangle. */
template <int UPPER> static __global__ void hermitian_kernel(mat_t A)
{
    __shared__ scalar_t tile[TILE][TILE + 1];
    const int64_t i0 = (int64_t)blockIdx.x * TILE;

    for (int64_t j0 = (int64_t)blockIdx.y * TILE; j0 < A.cols;
         j0 += (int64_t)gridDim.y * TILE) {
        if (UPPER ? i0 > j0 : i0 < j0)
            continue;
        for (int y = threadIdx.y; y < TILE; y += TILE_ROWS)
            if (i0 + threadIdx.x < A.rows && j0 + y < A.cols)
                tile[y][threadIdx.x] = AT(A, i0 + threadIdx.x, j0 + y);
        __syncthreads();
        for (int y = threadIdx.y; y < TILE; y += TILE_ROWS) {
            const int64_t r = j0 + threadIdx.x,
                          c = i0 + y; /* A(c,r) is given */
            if (r >= A.cols || c >= A.rows)
                continue;
            const scalar_t a = tile[threadIdx.x][y];
            if (r == c)
                AT(A, r, r) = make(re(a), 0);
            else if (UPPER ? c < r : c > r)
                AT(A, r, c) = conj_of(a);
        }
        __syncthreads();
    }
}

gsvd_status_t X(hermitian_cuda)(const exec_t *ex, char uplo, mat_t A)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    const unsigned tiles = (unsigned)((A.rows + TILE - 1) / TILE);
    const dim3 grid(tiles, (unsigned)min_i(tiles, 65535));
    const dim3 block(TILE, TILE_ROWS);
    if (uplo == 'U')
        hermitian_kernel<1><<<grid, block, 0, stream_of(ex)>>>(A);
    else
        hermitian_kernel<0><<<grid, block, 0, stream_of(ex)>>>(A);
    return gsvd_launched(ex->h, "hermitian");
}

template <int FLIP>
static gsvd_status_t ctrans(const exec_t *ex, mat_t A, mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    const dim3 grid((unsigned)((A.rows + TILE - 1) / TILE),
                    (unsigned)min_i((A.cols + TILE - 1) / TILE, 65535));
    ctrans_kernel<FLIP>
        <<<grid, dim3(TILE, TILE_ROWS), 0, stream_of(ex)>>>(A, B);
    return gsvd_launched(ex->h, "ctrans");
}

gsvd_status_t X(ctrans_cuda)(const exec_t *ex, mat_t A, mat_t B)
{
    return ctrans<0>(ex, A, B);
}

gsvd_status_t X(conj_antitranspose_cuda)(const exec_t *ex, mat_t A, mat_t B)
{
    return ctrans<1>(ex, A, B);
}

gsvd_status_t X(scale_pow2_cuda)(const exec_t *ex, mat_t A, int e)
{
    if (mat_empty(A) || e == 0)
        return GSVD_SUCCESS;
    shift_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, e,
                                                            rounding_of(A));
    return gsvd_launched(ex->h, "shift");
}

gsvd_status_t X(scale_pow2_upper_cuda)(const exec_t *ex, mat_t A, int e)
{
    if (mat_empty(A) || e == 0)
        return GSVD_SUCCESS;
    const mat_t top = mat_rows(A, 0, min_i(A.rows, A.cols));
    shift_upper_kernel<<<grid_of(top), THREADS, 0, stream_of(ex)>>>(
        top, e, rounding_of(A));
    return gsvd_launched(ex->h, "shift_upper");
}

gsvd_status_t X(count_from_one_cuda)(const exec_t *ex, int64_t n,
                                     const int *from, int64_t *to)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    count_from_one_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
                            stream_of(ex)>>>(n, from, to);
    return gsvd_launched(ex->h, "count_from_one");
}

gsvd_status_t X(scale_rows_cuda)(const exec_t *ex, mat_t A, const real_t *g,
                                 const int *e)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    scale_rows_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(
        A, g, e, rounding_of(A));
    return gsvd_launched(ex->h, "scale_rows");
}

gsvd_status_t X(unscale_rows_cuda)(const exec_t *ex, mat_t A, const real_t *g,
                                   const int *e)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    unscale_rows_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, g, e);
    return gsvd_launched(ex->h, "unscale_rows");
}

gsvd_status_t X(nonzero_cuda)(const exec_t *ex, mat_t R)
{
    const int64_t n = min_i(R.rows, R.cols);
    if (n <= 0)
        return GSVD_SUCCESS;
    nonzero_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
                     stream_of(ex)>>>(R);
    return gsvd_launched(ex->h, "nonzero");
}

/* Queues the norms of A, but for the rows', into the slot. */
static gsvd_status_t queue_norms(const exec_t *ex, mat_t A)
{
    cuda_state_t *const cuda = cuda_of(ex->h);
    const int64_t blocks = min_i(A.cols, NORM_COLUMNS);
    void *part;

    GSVD_TRY(X(kernel_work)(ex, norms_bytes(A.cols), &part));
    column_extremes_kernel<<<(unsigned)blocks, THREADS, 0, stream_of(ex)>>>(
        A, (real_t *)part);
    GSVD_TRY(gsvd_launched(ex->h, "norms, columns"));
    norms_kernel<<<1, THREADS, 0, stream_of(ex)>>>(blocks, (const real_t *)part,
                                                   cuda->slot);
    return gsvd_launched(ex->h, "norms");
}

static gsvd_status_t read_norms(const exec_t *ex, norms_t *r)
{
    slot_t value;
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    r->largest = (real_t)value.real[0];
    r->norm1 = (real_t)value.real[1];
    r->finite = value.real[2] == 0;
    r->least_row = (real_t)value.real[3];
    r->rows = (int64_t)value.real[4];
    return GSVD_SUCCESS;
}

static void norms_of_nothing(norms_t *r)
{
    r->largest = r->norm1 = 0;
    r->finite = 1;
    r->least_row = GSVD_REAL_MAX;
    r->rows = 0;
}

gsvd_status_t X(norms_cuda)(const exec_t *ex, mat_t A, norms_t *r)
{
    norms_of_nothing(r);
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(queue_norms(ex, A));
    return read_norms(ex, r);
}

gsvd_status_t X(norms_by_row_cuda)(const exec_t *ex, mat_t A, real_t *size,
                                   norms_t *r)
{
    cuda_state_t *const cuda = cuda_of(ex->h);
    const unsigned tiles = (unsigned)((A.rows + THREADS - 1) / THREADS);
    const dim3 grid(tiles, (unsigned)min_i((A.cols + TILE - 1) / TILE, 65535));

    norms_of_nothing(r);
    if (A.rows > 0)
        GSVD_CUDA(ex->h, cudaMemsetAsync(size, 0, (size_t)A.rows * sizeof *size,
                                         stream_of(ex)));
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(queue_norms(ex, A));
    row_sizes_kernel<<<grid, THREADS, 0, stream_of(ex)>>>(A, size);
    GSVD_TRY(gsvd_launched(ex->h, "row_sizes"));
    least_row_kernel<<<tiles, THREADS, 0, stream_of(ex)>>>(A.rows, size,
                                                           cuda->slot);
    GSVD_TRY(gsvd_launched(ex->h, "least_row"));
    return read_norms(ex, r);
}
