/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_grid_nccl.c -- SVDs and GSVDs on a grid of GPUs, one process of mpirun for each: seconds and residuals.
 *
 *     mpirun -n 2 bench_grid_nccl_d [--engines] [--managed] [--repeat 2] 2 1 svd:8192 pair:16384 qr:4096:1000
 *
 * ROUTINE:M[:N[:P]], N and P being M unless they are there.  svd, pair, qr, geqp, hsvd, eigh on the grid, with all
 * factors; svd_columns and pair_columns of columns times powers of two up to 2^+-300; own_svd and own_pair:
 * libgsvd's own of process 0 on its GPU.  --engines: no band is solved by libgsvd (gsvd_grid_set_device).
 * --managed: arrays whose pages CUDA may move to the host, so that a GPU has more room for what a call takes.
 *
 * A JSON object a line.  residual: |A x - U S V^H x| over |A| |x|, of a pair the larger one of both; orth: of U^H
 * U x - x and V^H V x - x, over |x|; x are random vectors, and products are cuBLAS's.  seconds: of the clock, the
 * slowest process's. */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <math.h>
#include <mpi.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scalar.h"
#include "gsvd_grid.h"
#include "random_bits.h"

enum { BLOCK = 256, VECTORS = 2 };

#define NAME(name) GSVD_PASTE(GSVD_ENTRY, name)

static gsvd_grid_t grid;
static int me, ranks, p, q, row, column, managed;
static cublasHandle_t blas;

static void must(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "process %d: %s: %s\n", me, what,
            gsvd_grid_last_error(grid));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* -- matrices ------------------------------------------------------------------------ */

typedef struct spread {
    int64_t m, n, rows, cols; /* all of it; here                             */
    gsvd_grid_desc_t d;
    scalar_t *data;
} spread_t;

static int64_t part(int64_t n, int r, int count)
{
    const int64_t whole = n / BLOCK, turns = whole / count,
                  more = whole % count;
    return turns * BLOCK + (r < more ? BLOCK : r == more ? n % BLOCK : 0);
}

static int64_t whole_index(int64_t local, int r, int count)
{
    return (local / BLOCK * count + r) * BLOCK + local % BLOCK;
}

static spread_t make_spread(int64_t m, int64_t n)
{
    spread_t A = {
        .m = m, .n = n, .rows = part(m, row, p), .cols = part(n, column, q)};
    const int64_t ld = A.rows > 0 ? A.rows : 1;
    const size_t bytes =
        (size_t)(ld * (A.cols > 0 ? A.cols : 1)) * sizeof(scalar_t);
    A.d =
        (gsvd_grid_desc_t){.m = m, .n = n, .mb = BLOCK, .nb = BLOCK, .lld = ld};
    must((managed
              ? cudaMallocManaged((void **)&A.data, bytes, cudaMemAttachGlobal)
              : cudaMalloc((void **)&A.data, bytes)) == cudaSuccess,
         "memory of a matrix");
    must(cudaMemset(A.data, 0xff, bytes) == cudaSuccess, "memory of a matrix");
    return A;
}

static double number(uint64_t i, uint64_t j, uint64_t seed)
{
    return random_bits(i, j, seed) * 0x1p-53 - 0.5;
}

/* far: columns times 2^-far ... 2^far; hermitian: of the indices in order */
static void fill(spread_t *A, uint64_t seed, int far, int hermitian)
{
    const size_t bytes = (size_t)(A->d.lld * A->cols) * sizeof(scalar_t);
    scalar_t *const host = malloc(bytes + 16);
#pragma omp parallel for schedule(static)
    for (int64_t lj = 0; lj < A->cols; ++lj) {
        const uint64_t j = (uint64_t)whole_index(lj, column, q);
        const double by =
            ldexp(1, far ? (int)(number(j, 77, seed) * 2 * far) : 0);
        for (int64_t li = 0; li < A->rows; ++li) {
            const uint64_t i = (uint64_t)whole_index(li, row, p);
            const int turn = hermitian && i > j;
            const uint64_t r = turn ? j : i, c = turn ? i : j;
            const double x = number(r, c, seed);
            double y = 0;
            if (REALS_PER_SCALAR == 2 && !(hermitian && i == j))
                y = (turn ? -1 : 1) * number(r, c, seed + 1);
            host[li + lj * A->d.lld] = make((real_t)(x * by), (real_t)(y * by));
        }
    }
    must(cudaMemcpy(A->data, host, bytes, cudaMemcpyHostToDevice) ==
             cudaSuccess,
         "copy of a matrix");
    free(host);
}

static void drop(spread_t *A)
{
    cudaFree(A->data);
    A->data = NULL;
}

/* y := A x or A^H x, on all processes; A's leading columns */
static void times(const spread_t *A, int64_t n, char op, const scalar_t *x,
                  scalar_t *y)
{
    const int turned = op == 'C';
    const int64_t to = turned ? n : A->m, from = turned ? A->m : n;
    const int64_t cols = part(n, column, q), inner = turned ? A->rows : cols,
                  outer = turned ? cols : A->rows;
    scalar_t *const hx = calloc((size_t)(inner + 1) * VECTORS, sizeof *hx),
                    *const hy =
                        calloc((size_t)(outer + 1) * VECTORS, sizeof *hy);
    scalar_t *dx, *dy;
    const scalar_t one = make(1, 0), zero = make(0, 0);
    for (int k = 0; k < VECTORS; ++k)
        for (int64_t i = 0; i < inner; ++i)
            hx[i + k * inner] = x[(turned ? whole_index(i, row, p)
                                          : whole_index(i, column, q)) +
                                  k * from];
    memset(y, 0, (size_t)(to * VECTORS) * sizeof *y);
    if (inner > 0 && outer > 0) {
        cudaMalloc((void **)&dx, (size_t)(inner * VECTORS) * sizeof *dx);
        cudaMalloc((void **)&dy, (size_t)(outer * VECTORS) * sizeof *dy);
        cudaMemcpy(dx, hx, (size_t)(inner * VECTORS) * sizeof *dx,
                   cudaMemcpyHostToDevice);
        const cublasOperation_t as_is = CUBLAS_OP_N;
        const int failed =
            REALS_PER_SCALAR == 2
                ? cublasZgemm(blas, turned ? CUBLAS_OP_C : as_is, as_is,
                              (int)outer, VECTORS, (int)inner,
                              (const void *)&one, (const void *)A->data,
                              (int)A->d.lld, (const void *)dx, (int)inner,
                              (const void *)&zero, (void *)dy, (int)outer)
                : cublasDgemm(blas, turned ? CUBLAS_OP_T : as_is, as_is,
                              (int)outer, VECTORS, (int)inner,
                              (const void *)&one, (const void *)A->data,
                              (int)A->d.lld, (const void *)dx, (int)inner,
                              (const void *)&zero, (void *)dy, (int)outer);
        must(failed == 0, "cuBLAS");
        cudaMemcpy(hy, dy, (size_t)(outer * VECTORS) * sizeof *dy,
                   cudaMemcpyDeviceToHost);
        cudaFree(dx);
        cudaFree(dy);
    }
    for (int k = 0; k < VECTORS; ++k)
        for (int64_t i = 0; i < outer; ++i)
            y[(turned ? whole_index(i, column, q) : whole_index(i, row, p)) +
              k * to] = hy[i + k * outer];
    MPI_Allreduce(MPI_IN_PLACE, y, (int)(to * VECTORS * REALS_PER_SCALAR),
                  MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(hx);
    free(hy);
}

static scalar_t *vectors(int64_t n, uint64_t seed)
{
    scalar_t *const x = malloc((size_t)(n * VECTORS + 1) * sizeof *x);
    for (int64_t i = 0; i < n * VECTORS; ++i)
        x[i] = make((real_t)number((uint64_t)i, 3, seed),
                    REALS_PER_SCALAR == 2 ? (real_t)number((uint64_t)i, 4, seed)
                                          : 0);
    return x;
}

static double size_of(int64_t n, const scalar_t *x)
{
    double sum = 0;
    for (int64_t i = 0; i < n * VECTORS; ++i)
        sum = hypot(sum, (double)abs_of(x[i]));
    return sum;
}

/* The defect of F's leading n columns */
static double orth(const spread_t *F, int64_t n)
{
    scalar_t *const x = vectors(n, 5), *const y = vectors(F->m, 0),
                    *const z = vectors(n, 0);
    times(F, n, 'N', x, y);
    times(F, n, 'C', y, z);
    for (int64_t i = 0; i < n * VECTORS; ++i)
        z[i] = sub(z[i], x[i]);
    const double d = size_of(n, z) / size_of(n, x);
    free(x), free(y), free(z);
    return d;
}

/* |M w - F diag(value) R^H w| over |M w|, R^H w from row `first` on, of R's `inner` columns */
static double residual(const spread_t *M, const spread_t *F, int64_t count,
                       const real_t *value, const spread_t *R, int64_t inner,
                       int64_t first, const real_t *weight)
{
    scalar_t *const w = vectors(M->n, 9), *const y = vectors(M->m, 0),
                    *const r = vectors(inner, 0), *const s = vectors(count, 0),
                    *const z = vectors(M->m, 0);
    for (int k = 0; k < VECTORS && weight; ++k)
        for (int64_t i = 0; i < M->n; ++i)
            w[i + k * M->n] = scale(weight[i], w[i + k * M->n]);
    times(M, M->n, 'N', w, y);
    times(R, inner, 'C', w, r);
    for (int k = 0; k < VECTORS; ++k)
        for (int64_t i = 0; i < count; ++i)
            s[i + k * count] =
                scale(value[first + i], r[first + i + k * inner]);
    times(F, count, 'N', s, z);
    for (int64_t i = 0; i < M->m * VECTORS; ++i)
        z[i] = sub(z[i], y[i]);
    const double d = size_of(M->m, z) / size_of(M->m, y);
    free(w), free(y), free(r), free(s), free(z);
    return d;
}

/* -- cases --------------------------------------------------------------------------- */

typedef struct result {
    gsvd_status_t status;
    double seconds, residual, orth;
} result_t;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static double start(void)
{
    cudaDeviceSynchronize();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static double since(double t)
{
    cudaDeviceSynchronize();
    t = MPI_Wtime() - t;
    MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return t;
}

static result_t svd(int64_t m, int64_t n, int far, int own)
{
    const int64_t r = least(m, n);
    spread_t A = make_spread(m, n), U = make_spread(m, r),
             V = make_spread(n, r);
    real_t *const sigma = calloc((size_t)r + 1, sizeof *sigma),
                  *const weight = calloc((size_t)n + 1, sizeof *weight);
    gsvd_handle_t h = NULL;
    result_t x = {.status = GSVD_SUCCESS};
    int info = 0;

    fill(&A, 1, far, 0);
    for (int64_t j = 0; j < n; ++j)
        weight[j] = (real_t)ldexp(
            1, far ? -(int)(number((uint64_t)j, 77, 1) * 2 * far) : 0);
    if (own) {
        real_t *d;
        cudaMalloc((void **)&d, (size_t)(r + 1) * sizeof *d);
        must(gsvd_create(&h, 0) == GSVD_SUCCESS, "handle");
        const double t = start();
        x.status = NAME(_svd_gpu)(h, 'S', 'S', m, n, A.data, A.d.lld, d, U.data,
                                  U.d.lld, V.data, V.d.lld, &info);
        x.seconds = since(t);
        cudaMemcpy(sigma, d, (size_t)r * sizeof *d, cudaMemcpyDeviceToHost);
        cudaFree(d);
        gsvd_destroy(h);
        fill(&A, 1, far, 0);
    } else {
        const double t = start();
        x.status = NAME(_grid_svd)(grid, 'S', 'S', m, n, A.data, &A.d, sigma,
                                   U.data, &U.d, V.data, &V.d, &info);
        x.seconds = since(t);
    }
    x.residual = residual(&A, &U, r, sigma, &V, r, 0, m >= n ? weight : NULL);
    x.orth = fmax(orth(&U, r), orth(&V, r));
    drop(&A), drop(&U), drop(&V);
    free(sigma), free(weight);
    return x;
}

static result_t pair(int64_t m, int64_t n, int64_t rows, int far, int own)
{
    const int64_t u = least(m, n), v = least(rows, n);
    spread_t A = make_spread(m, n), B = make_spread(rows, n),
             U = make_spread(m, u), V = make_spread(rows, v),
             X_ = make_spread(n, n);
    real_t *const alpha = calloc((size_t)n + 1, sizeof *alpha),
                  *const beta = calloc((size_t)n + 1, sizeof *beta),
                  *const weight = calloc((size_t)n + 1, sizeof *weight);
    result_t x = {.status = GSVD_SUCCESS};
    int64_t k = 0, l = 0;
    int info = 0;

    fill(&A, 1, far, 0);
    fill(&B, 2, 0, 0);
    for (int64_t j = 0; j < n; ++j)
        weight[j] = (real_t)ldexp(
            1, far ? -(int)(number((uint64_t)j, 77, 1) * 2 * far) : 0);
    if (own) {
        gsvd_handle_t h = NULL;
        real_t *d;
        cudaMalloc((void **)&d, (size_t)(2 * n + 2) * sizeof *d);
        must(gsvd_create(&h, 0) == GSVD_SUCCESS, "handle");
        gsvd_set_option(h, GSVD_FORM, GSVD_FORM_X);
        const double t = start();
        x.status =
            NAME(_gpu)(h, 'S', 'S', 'Q', m, n, rows, &k, &l, A.data, A.d.lld,
                       B.data, B.d.lld, d, d + n, U.data, U.d.lld, V.data,
                       V.d.lld, X_.data, X_.d.lld, &info);
        x.seconds = since(t);
        cudaMemcpy(alpha, d, (size_t)n * sizeof *d, cudaMemcpyDeviceToHost);
        cudaMemcpy(beta, d + n, (size_t)n * sizeof *d, cudaMemcpyDeviceToHost);
        cudaFree(d);
        gsvd_destroy(h);
        fill(&A, 1, far, 0);
        fill(&B, 2, 0, 0);
    } else {
        const double t = start();
        x.status = NAME(_grid)(grid, 'S', 'S', 'X', m, n, rows, &k, &l, A.data,
                               &A.d, B.data, &B.d, alpha, beta, U.data, &U.d,
                               V.data, &V.d, X_.data, &X_.d, &info);
        x.seconds = since(t);
    }
    if (x.status == GSVD_SUCCESS) {
        x.residual = fmax(
            residual(&A, &U, least(m, k + l), alpha, &X_, k + l, 0, weight),
            residual(&B, &V, l, beta, &X_, k + l, k, NULL));
        x.orth = fmax(orth(&U, u), orth(&V, v));
    }
    drop(&A), drop(&B), drop(&U), drop(&V), drop(&X_);
    free(alpha), free(beta), free(weight);
    return x;
}

static result_t qr(int64_t m, int64_t n, int pivots)
{
    spread_t A = make_spread(m, n);
    const int64_t r = least(m, n);
    scalar_t *const tau = calloc((size_t)r + 1, sizeof *tau);
    int64_t *const jpvt = calloc((size_t)n + 1, sizeof *jpvt), rank = r;
    result_t x = {.status = GSVD_SUCCESS};
    int info = 0;

    fill(&A, 1, 0, 0);
    const double t = start();
    x.status = pivots ? NAME(_grid_geqp)(grid, m, n, A.data, &A.d, jpvt, tau,
                                         -1, &rank, &info)
                      : NAME(_grid_qr)(grid, m, n, A.data, &A.d, tau, &info);
    x.seconds = since(t);
    x.orth = (double)(r - rank); /* The module tests the result itself.       */
    drop(&A);
    free(tau), free(jpvt);
    return x;
}

static result_t hsvd(int64_t m, int64_t n)
{
    spread_t A = make_spread(m, n), U = make_spread(m, n),
             V = make_spread(n, n);
    real_t *const sigma = calloc((size_t)n + 1, sizeof *sigma);
    result_t x = {.status = GSVD_SUCCESS};
    int info = 0;

    fill(&A, 1, 0, 0);
    const double t = start();
    x.status = NAME(_grid_hsvd)(grid, 'S', 'V', m, n, n / 2, A.data, &A.d, NULL,
                                sigma, U.data, &U.d, V.data, &V.d, &info);
    x.seconds = since(t);
    x.residual = residual(&A, &U, n, sigma, &V, n, 0, NULL);
    x.orth = orth(&U, n);
    drop(&A), drop(&U), drop(&V);
    free(sigma);
    return x;
}

static result_t eigh(int64_t n)
{
    spread_t A = make_spread(n, n), Q = make_spread(n, n);
    real_t *const w = calloc((size_t)n + 1, sizeof *w);
    result_t x = {.status = GSVD_SUCCESS};
    int info = 0;

    fill(&A, 1, 0, 1);
    const double t = start();
    x.status = NAME(_grid_eigh)(grid, 'V', 'L', n, A.data, &A.d, w, Q.data,
                                &Q.d, &info);
    x.seconds = since(t);
    x.residual = residual(&A, &Q, n, w, &Q, n, 0, NULL);
    x.orth = orth(&Q, n);
    drop(&A), drop(&Q);
    free(w);
    return x;
}

static void run(const char *what)
{
    char name[32] = "";
    long long m = 0, n = 0, rows = 0;
    const int given =
        sscanf(what, "%31[a-z_]:%lld:%lld:%lld", name, &m, &n, &rows);
    result_t x = {.status = GSVD_INVALID_ARGUMENT};

    must(given >= 2, "ROUTINE:M[:N[:P]]");
    n = given > 2 ? n : m;
    rows = given > 3 ? rows : m;
    if (!strcmp(name, "svd"))
        x = svd(m, n, 0, 0);
    if (!strcmp(name, "svd_columns"))
        x = svd(m, n, 300, 0);
    if (!strcmp(name, "own_svd"))
        x = svd(m, n, 0, 1);
    if (!strcmp(name, "pair"))
        x = pair(m, n, rows, 0, 0);
    if (!strcmp(name, "pair_columns"))
        x = pair(m, n, rows, 100, 0);
    if (!strcmp(name, "own_pair"))
        x = pair(m, n, rows, 0, 1);
    if (!strcmp(name, "qr"))
        x = qr(m, n, 0);
    if (!strcmp(name, "geqp"))
        x = qr(m, n, 1);
    if (!strcmp(name, "hsvd"))
        x = hsvd(m, n);
    if (!strcmp(name, "eigh"))
        x = eigh(m);
    if (me == 0)
        printf("{\"case\": \"%s\", \"p\": %d, \"q\": %d, \"seconds\": %.4f, "
               "\"residual\": %.2e, \"orth\": %.2e, \"status\": %d, \"text\": "
               "\"%s\"}\n",
               what, p, q, x.seconds, x.residual, x.orth, (int)x.status,
               x.status ? gsvd_grid_last_error(grid) : "");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    ncclUniqueId id;
    ncclComm_t comm;
    MPI_Comm host;
    int here = 0, engines = 0, repeat = 1, devices = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &host);
    MPI_Comm_rank(host, &here);
    for (; argc > 1 && argv[1][0] == '-'; --argc, ++argv) {
        if (!strcmp(argv[1], "--engines"))
            engines = 1;
        if (!strcmp(argv[1], "--managed"))
            managed = 1;
        if (!strcmp(argv[1], "--repeat") && argc > 2) {
            repeat = atoi(argv[2]);
            --argc, ++argv;
        }
    }
    must(argc > 3, "bench_grid_nccl [--engines] [--managed] [--repeat N] P Q "
                   "ROUTINE:M[:N[:P]] ...");
    p = atoi(argv[1]);
    q = atoi(argv[2]);
    must(p * q == ranks, "P Q is not the number of processes");
    row = me / q;
    column = me % q;
    cudaGetDeviceCount(&devices);
    must(cudaSetDevice(here % devices) == cudaSuccess, "no GPU");
    if (me == 0)
        must(ncclGetUniqueId(&id) == ncclSuccess, "NCCL");
    MPI_Bcast(&id, sizeof id, MPI_CHAR, 0, MPI_COMM_WORLD);
    must(ncclCommInitRank(&comm, ranks, id, me) == ncclSuccess, "NCCL");
    must(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS, "cuBLAS");
    must(gsvd_grid_from_nccl(&grid, comm, p, q, 'R') == GSVD_SUCCESS,
         gsvd_grid_last_error(NULL));
    if (engines)
        gsvd_grid_set_device(grid, GSVD_HOST);
    for (int k = 3; k < argc; ++k)
        for (int i = 0; i < repeat; ++i)
            run(argv[k]);
    gsvd_grid_destroy(grid);
    ncclCommDestroy(comm);
    MPI_Finalize();
    return 0;
}
