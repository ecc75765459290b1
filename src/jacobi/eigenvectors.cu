/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigenvectors.cu -- eigenvectors of a Hermitian matrix by cuSOLVER's Xsyevd, and the
 * work of this folder's kernels; CUDA twin of eigenvectors.c.
 *
 * Two calls on one machine have the same bits: cuSOLVER's mode is
 * CUSOLVER_DETERMINISTIC_RESULTS unless a handle is told otherwise, and none is.
 *
 * What cuSOLVER calls info is read on the device alone.
 */
#include "core/gpublas.h"
#include "jacobi/jacobi.h"

enum {
    THREADS = 256,
    COLUMNS = 256, /* blocks that clear a matrix                             */
    ALIGN = 256    /* bytes: of parts of the work, and of the host's         */
};

/* A := 0 if info says that not all eigenvectors were found.  grid: one block a column
 * (striding); block: 256 threads stride down the rows */
static __global__ void clear_unless_found_kernel(mat_t A, const int *info)
{
    if (*info == 0)
        return;
    for (int64_t j = blockIdx.x; j < A.cols; j += gridDim.x)
        for (int64_t i = threadIdx.x; i < A.rows; i += THREADS)
            AT(A, i, j) = make(0, 0);
}

/* -- cuSOLVER -------------------------------------------------------------- */

/* cuSOLVER's, and the memory that it takes for one matrix */
typedef struct solver {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    size_t device, host; /* bytes                                            */
} xsyevd_t;

static gsvd_status_t find_solver(const exec_t *ex, mat_t A, const real_t *w,
                                 xsyevd_t *s)
{
    GSVD_TRY(gsvd_cusolver(ex->h, ex->queue, &s->handle, &s->params));
    GSVD_CUSOLVER(ex->h, cusolverDnXsyevd_bufferSize(
                             s->handle, s->params, CUSOLVER_EIG_MODE_VECTOR,
                             CUBLAS_FILL_MODE_LOWER, A.cols, GPUBLAS_SCALAR,
                             A.data, A.ld, GPUBLAS_REAL, w, GPUBLAS_SCALAR,
                             &s->device, &s->host));
    return GSVD_SUCCESS;
}

/* ... of order n, wherever the matrix will be: any address on the device will do */
static gsvd_status_t find_solver_of_order(const exec_t *ex, int64_t n,
                                          xsyevd_t *s)
{
    const int64_t order = max_i(n, 1);
    void *const any = cuda_of(ex->h)->slot;
    return find_solver(ex, mat_view((scalar_t *)any, order, order, order),
                       (const real_t *)any, s);
}

/* Before the solver's memory on the device stands its info. */
static size_t device_bytes(const xsyevd_t *s) { return ALIGN + s->device; }

static size_t host_bytes(const xsyevd_t *s)
{
    return s->host == 0 ? 0 : s->host + ALIGN;
}

/* *p := the solver's memory on the host: the end of the staging memory */
static gsvd_status_t take_host(const exec_t *ex, const xsyevd_t *s, void **p)
{
    const buffer_t *const staging = &ex->staging;
    *p = NULL;
    if (s->host == 0)
        return GSVD_SUCCESS;
    if (!staging->data || host_bytes(s) > staging->bytes)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "eigenvectors: no staging memory");
    char *const end = (char *)staging->data + staging->bytes;
    char *const first = end - s->host;
    *p = first - (uintptr_t)first % ALIGN;
    return GSVD_SUCCESS;
}

/* -- primitives ------------------------------------------------------------ */

gsvd_status_t X(eigenvectors_cuda)(const exec_t *ex, mat_t A, real_t *w)
{
    xsyevd_t s;
    void *work, *host;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(find_solver(ex, A, w, &s));
    GSVD_TRY(X(kernel_work)(ex, device_bytes(&s), &work));
    GSVD_TRY(take_host(ex, &s, &host));
    int *const info = (int *)work;
    GSVD_CUSOLVER(ex->h,
                  cusolverDnXsyevd(s.handle, s.params, CUSOLVER_EIG_MODE_VECTOR,
                                   CUBLAS_FILL_MODE_LOWER, A.cols,
                                   GPUBLAS_SCALAR, A.data, A.ld, GPUBLAS_REAL,
                                   w, GPUBLAS_SCALAR, (char *)work + ALIGN,
                                   s.device, host, s.host, info));
    clear_unless_found_kernel<<<(unsigned)min_i(A.cols, COLUMNS), THREADS, 0,
                                stream_of(ex)>>>(A, info);
    GSVD_TRY(gsvd_launched(ex->h, "clear_unless_found"));
    if (host) /* The next call may write there at once.                      */
        GSVD_CUDA(ex->h, cudaStreamSynchronize(stream_of(ex)));
    return GSVD_SUCCESS;
}

gsvd_status_t X(eigenvectors_staging_cuda)(const exec_t *ex, int64_t n,
                                           size_t *bytes)
{
    xsyevd_t s;
    *bytes = 0;
    GSVD_TRY(find_solver_of_order(ex, n, &s));
    *bytes = host_bytes(&s);
    return GSVD_SUCCESS;
}

/* The solver's memory for order n.  Where cuSOLVER does not answer, more than there is; and the
 * call fails. */
static size_t solver_bytes(const exec_t *ex, int64_t n)
{
    xsyevd_t s;
    const gsvd_status_t status = find_solver_of_order(ex, n, &s);
    if (status == GSVD_SUCCESS)
        return device_bytes(&s);
    ex->h->unanswered = status;
    return SIZE_MAX / 4;
}

size_t X(jacobi_kernel_bytes_cuda)(const exec_t *ex, kernels_t what, int64_t m,
                                   int64_t n, int64_t cols)
{
    const size_t parts = (size_t)parts_of(max_i(n, cols)) * sizeof(real_t);
    size_t reduction = 0, vectors = 0, band = 0, solver = 0, blocks = 0;

    if (what & KERNELS_TRIDIAGONAL) {
        reduction = X(tridiagonalize_bytes_cuda)(ex, n);
        vectors = X(tridiagonal_vectors_bytes_cuda)(n);
        band = X(band_bytes_cuda)(n);
    }
    if (what & KERNELS_EIGENVECTORS)
        solver = solver_bytes(ex, n);
    if (what & KERNELS_BLOCKS)
        blocks = X(block_sweep_bytes_cuda)(m, n);
    const size_t each[] = {parts, reduction, vectors, band, solver, blocks};
    return LARGEST(each);
}
