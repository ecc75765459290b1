/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pivot_columns.cu -- norm pivoting, column by column; CUDA twin of pivot_columns.c.
 *
 * For j = first, first + 1, ...: the longest remaining column comes to j; a Householder reflector
 * H = I - tau v v^H makes it a multiple of e_j; H^H updates the columns behind it.  A column takes
 * two launches.  The pass that updates the remaining columns also computes their norms anew, so
 * that nothing cancels.  Each step reads and writes the trailing matrix once.
 *
 * If no column is longer than tol, a kernel leaves *done unchanged, and the kernels behind it
 * return at once.  The host reads *done after each BATCH columns.
 */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "qr/qr.h"
#include "qr/reflect.h"

enum { THREADS = 256, PIVOT_THREADS = 1024, BATCH = 32 };

/* -- device functions -------------------------------------------------------- */

/* The index of the largest of norm[first:n), the first of equals; in all threads */
static __device__ int64_t block_longest(const real_t *norm, int64_t first,
                                        int64_t n)
{
    __shared__ real_t most[PIVOT_THREADS];
    __shared__ int64_t where[PIVOT_THREADS];
    const int t = threadIdx.x;
    most[t] = -1;
    where[t] = first;
    for (int64_t j = first + t; j < n; j += PIVOT_THREADS)
        if (norm[j] > most[t]) {
            most[t] = norm[j];
            where[t] = j;
        }
    __syncthreads();
    for (int step = PIVOT_THREADS / 2; step > 0; step /= 2) {
        if (t < step &&
            (most[t + step] > most[t] ||
             (most[t + step] == most[t] && where[t + step] < where[t]))) {
            most[t] = most[t + step];
            where[t] = where[t + step];
        }
        __syncthreads();
    }
    return where[0];
}

/* x := (beta, v(1:n)) with v(0) = 1 and H^H x = beta e_0; returns tau. */
static __device__ scalar_t block_reflector(int64_t n, scalar_t *x)
{
    sumsq_t s = {0, 0, 0};
    for (int64_t i = threadIdx.x + 1; i < n; i += blockDim.x)
        sumsq_add(&s, x[i]);
    const real_t below = block_norm(s);
    const scalar_t alpha = x[0];
    __syncthreads();
    if (!(below > 0) && im(alpha) == 0)
        return make(0, 0);

    const real_t beta =
        -copysign_r(hypot_r(hypot_r(re(alpha), im(alpha)), below), re(alpha));
    if (fabs_r(beta) < GSVD_SAFMIN) { /* nothing but denormals               */
        for (int64_t i = threadIdx.x + 1; i < n; i += blockDim.x)
            x[i] = make(0, 0);
        return make(0, 0);
    }
    /* v = x / (alpha - beta), a division by a complex number */
    const scalar_t d = make(re(alpha) - beta, im(alpha));
    const real_t length = abs_of(d);
    const scalar_t unit = make(re(d) / length, -im(d) / length);
    scalar_t over;
    const int at_once = invert(d, &over);
    for (int64_t i = threadIdx.x + 1; i < n; i += blockDim.x) {
        const scalar_t y = mul(x[i], at_once ? over : unit);
        x[i] = at_once ? y : make(re(y) / length, im(y) / length);
    }
    if (threadIdx.x == 0)
        x[0] = make(beta, 0);
    return make((beta - re(alpha)) / beta, -im(alpha) / beta);
}

/* -- kernels ------------------------------------------------------------------ */

/* grid: one block; block: 1024 threads choose column j, exchange, reflect; *done
 * counts the columns that are finished */
static __global__ void pivot_kernel(mat_t A, int64_t j, real_t tol, int *perm,
                                    real_t *norm, scalar_t *tau, int64_t *done)
{
    if (*done < j)
        return;
    const int64_t best = perm ? block_longest(norm, j, A.cols) : j;
    if (perm && norm[best] <= tol)
        return;
    if (best != j)
        for (int64_t i = threadIdx.x; i < A.rows; i += PIVOT_THREADS) {
            const scalar_t a = AT(A, i, j);
            AT(A, i, j) = AT(A, i, best);
            AT(A, i, best) = a;
        }
    __syncthreads();
    if (best != j && threadIdx.x == 0) {
        const int p = perm[j];
        perm[j] = perm[best];
        perm[best] = p;
        norm[best] = norm[j];
    }
    const scalar_t t = block_reflector(A.rows - j, &AT(A, j, j));
    if (threadIdx.x == 0) {
        tau[j] = t;
        *done = j + 1;
    }
}

/* grid: one block a remaining column; block: 256 threads stride down the rows.  a := H^H a =
 * a - conj(tau) v (v^H a); also the norm of the part below row j */
static __global__ void update_kernel(mat_t A, int64_t j, const scalar_t *tau,
                                     real_t *norm, const int64_t *done)
{
    if (*done <= j)
        return;
    const int64_t c = j + 1 + blockIdx.x, n = A.rows - j;
    const scalar_t *const v = &AT(A, j, j);
    scalar_t *const a = &AT(A, j, c);
    const scalar_t t = conj_of(tau[j]);

    scalar_t dot = make(0, 0);
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        dot = i == 0 ? a[0] : mul_add(conj_of(v[i]), a[i], dot);
    real_t x[2] = {re(dot), im(dot)};
    block_sum(x);
    const scalar_t w = mul(t, make(-x[0], -x[1]));

    sumsq_t s = {0, 0, 0};
    for (int64_t i = threadIdx.x; i < n; i += THREADS) {
        const scalar_t y = i == 0 ? add(a[0], w) : mul_add(v[i], w, a[i]);
        a[i] = y;
        if (i > 0)
            sumsq_add(&s, y);
    }
    const real_t length = block_norm(s);
    if (threadIdx.x == 0)
        norm[c] = length;
}

/* grid: one thread */
static __global__ void start_kernel(int64_t first, int64_t *done)
{
    *done = first;
}

/* The least |R(i,i)|, or NaN if one is NaN, and the largest; in all threads of the block */
static __device__ real_t least_diagonal(mat_t R, real_t *largest)
{
    __shared__ real_t least[THREADS], most[THREADS];
    const int t = threadIdx.x;
    least[t] = GSVD_REAL_MAX;
    most[t] = 0;
    for (int64_t i = t; i < min_i(R.rows, R.cols); i += THREADS) {
        const real_t x = abs_of(AT(R, i, i));
        if (!(x >= least[t])) /* true for a NaN                              */
            least[t] = x;
        most[t] = fmax_r(most[t], x);
    }
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (t < step && !(least[t + step] >= least[t]))
            least[t] = least[t + step];
        if (t < step)
            most[t] = fmax_r(most[t], most[t + step]);
        __syncthreads();
    }
    *largest = most[0];
    return least[0];
}

/* -- kernels: the diagonal of R ----------------------------------------------- */

/* grid: one block */
static __global__ void min_abs_diagonal_kernel(mat_t R, slot_t *slot)
{
    real_t most;
    const real_t least = least_diagonal(R, &most);
    if (threadIdx.x == 0)
        slot->real[0] = least;
}

/* grid: one block; slot: on the host */
static __global__ void test_panel_kernel(mat_t R, real_t tol, real_t drop,
                                         mat_t T, slot_t *slot)
{
    real_t most;
    const real_t least = least_diagonal(R, &most);
    const int yes = least > tol && !(least <= drop * most);
    if (threadIdx.x == 0)
        slot->info = yes;
    for (int64_t x = threadIdx.x; x < T.rows * T.cols && !yes; x += THREADS)
        AT(T, x % T.rows, x / T.rows) = make(0, 0);
}

/* -- launchers ---------------------------------------------------------------- */

static gsvd_status_t queue_column(const exec_t *ex, mat_t A, int64_t j,
                                  real_t tol, int *perm, real_t *norm,
                                  scalar_t *tau)
{
    const cudaStream_t stream = stream_of(ex);
    int64_t *const count = &cuda_of(ex->h)->slot->count;
    const int64_t rest = A.cols - j - 1;

    pivot_kernel<<<1, PIVOT_THREADS, 0, stream>>>(A, j, tol, perm, norm, tau,
                                                  count);
    GSVD_TRY(gsvd_launched(ex->h, "pivot_columns"));
    if (rest <= 0)
        return GSVD_SUCCESS;
    update_kernel<<<(unsigned)rest, THREADS, 0, stream>>>(A, j, tau, norm,
                                                          count);
    return gsvd_launched(ex->h, "pivot_columns, update");
}

gsvd_status_t X(pivot_columns_cuda)(const exec_t *ex, mat_t A, int64_t first,
                                    int64_t last, real_t tol, int *perm,
                                    scalar_t *tau, int64_t *done)
{
    void *work;
    slot_t value;

    *done = first;
    if (first >= last)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, (size_t)A.cols * sizeof(real_t), &work));
    real_t *const norm = (real_t *)work;
    if (perm)
        GSVD_TRY(X(column_norms_cuda)(
            ex, mat_sub(A, first, first, A.rows - first, A.cols - first),
            norm + first));
    start_kernel<<<1, 1, 0, stream_of(ex)>>>(first,
                                             &cuda_of(ex->h)->slot->count);
    GSVD_TRY(gsvd_launched(ex->h, "pivot_columns, start"));
    while (*done < last) {
        const int64_t end = min_i(*done + BATCH, last);
        for (int64_t j = *done; j < end; ++j)
            GSVD_TRY(queue_column(ex, A, j, tol, perm, norm, tau));
        *done = end;
        if (tol >= 0) {
            GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
            *done = value.count;
            if (*done < end)
                return GSVD_SUCCESS;
        }
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(min_abs_diagonal_cuda)(const exec_t *ex, mat_t R, real_t *least)
{
    slot_t value;

    *least = GSVD_REAL_MAX;
    if (mat_empty(R))
        return GSVD_SUCCESS;
    min_abs_diagonal_kernel<<<1, THREADS, 0, stream_of(ex)>>>(
        R, cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "min_abs_diagonal"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    *least = (real_t)value.real[0];
    return GSVD_SUCCESS;
}

gsvd_status_t X(test_panel_cuda)(const exec_t *ex, mat_t R, real_t tol,
                                 real_t drop, mat_t T, int *yes)
{
    (void)yes; /* await_panel tells it. */
    cuda_state_t *const cuda = cuda_of(ex->h);

    test_panel_kernel<<<1, THREADS, 0, stream_of(ex)>>>(R, tol, drop, T,
                                                        cuda->pinned + 1);
    GSVD_TRY(gsvd_launched(ex->h, "test_panel"));
    GSVD_CUDA(ex->h, cudaEventRecord(cuda->judged, stream_of(ex)));
    return GSVD_SUCCESS;
}

gsvd_status_t X(await_panel_cuda)(const exec_t *ex, int *yes)
{
    GSVD_CUDA(ex->h, cudaEventSynchronize(cuda_of(ex->h)->judged));
    *yes = cuda_of(ex->h)->pinned[1].info;
    return GSVD_SUCCESS;
}
