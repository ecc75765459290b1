/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_products.c -- what single precision could gain: cuBLAS's products of the
 * shapes that a blocked QR multiplies, in double, in single, and in single by
 * three products of numbers of 11 bits (TF32),
 *
 *     A = Ah + Al,  B = Bh + Bl,  A B = (Ah Al Ah) (Bh; Bh; Bl) - Al Bl
 *
 * (Markidis et al. 2018): one product with 3 k inside in place of k.  Its time is
 * without that of the splitting, which reads an operand and writes it three
 * times.  Then the errors, against double.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/handle.h"
#include "device_cuda.h"

typedef struct product {
    cublasOperation_t op; /* of A                                            */
    int m, n, k;
    cudaDataType type;
    cublasComputeType_t how;
    const void *A, *B;
    void *C;
} product_t;

static const product_t shape[] = {
    /* A22 - V W */
    {.op = CUBLAS_OP_N, .m = 4096, .n = 4096, .k = 32},
    {.op = CUBLAS_OP_N, .m = 4096, .n = 4096, .k = 128},
    {.op = CUBLAS_OP_N, .m = 4096, .n = 4096, .k = 256},
    {.op = CUBLAS_OP_N, .m = 2048, .n = 2048, .k = 128},
    /* V^H A22 */
    {.op = CUBLAS_OP_T, .m = 32, .n = 4096, .k = 4096},
    {.op = CUBLAS_OP_T, .m = 128, .n = 4096, .k = 4096},
    {.op = CUBLAS_OP_T, .m = 256, .n = 4096, .k = 4096},
    {.op = CUBLAS_OP_T, .m = 128, .n = 2048, .k = 2048},
    /* A Q */
    {.op = CUBLAS_OP_N, .m = 4096, .n = 4096, .k = 4096},
};
enum { SHAPES = sizeof shape / sizeof *shape, CALLS = 10, ORDER = 512 };

static gsvd_status_t nothing(void *data)
{
    (void)data;
    return GSVD_SUCCESS;
}

/* C := C - op(A) B */
static gsvd_status_t multiply(void *data)
{
    const product_t *p = data;
    const float one_s = 1, less_s = -1;
    const double one_d = 1, less_d = -1;
    const int wide = p->type == CUDA_R_64F;
    DEVICE_TRY(cublasGemmEx(bench_device.blas, p->op, CUBLAS_OP_N, p->m, p->n,
                            p->k, wide ? (const void *)&less_d : &less_s, p->A,
                            p->type, p->op == CUBLAS_OP_N ? p->m : p->k, p->B,
                            p->type, p->k, wide ? (const void *)&one_d : &one_s,
                            p->C, p->type, p->m, p->how, CUBLAS_GEMM_DEFAULT));
    return GSVD_SUCCESS;
}

static gsvd_status_t repeat(void *data)
{
    for (int i = 0; i < CALLS; ++i)
        GSVD_TRY(multiply(data));
    return GSVD_SUCCESS;
}

/* microseconds of a product of this type, `times` as much inside */
static gsvd_status_t time_product(bench_t *b, product_t p, int times,
                                  cudaDataType type, cublasComputeType_t how,
                                  double *us)
{
    timing_t t;
    p.k *= times;
    p.type = type;
    p.how = how;
    GSVD_TRY(bench_time(b, 1, nothing, repeat, &p, &t));
    *us = 1e3 * t.ms / CALLS;
    return GSVD_SUCCESS;
}

static gsvd_status_t time_single(bench_t *b, product_t p, double d)
{
    double s, tf32, three;
    const double flops = 2.0 * p.m * p.n * p.k;
    GSVD_TRY(time_product(b, p, 1, CUDA_R_32F, CUBLAS_COMPUTE_32F, &s));
    GSVD_TRY(
        time_product(b, p, 1, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, &tf32));
    GSVD_TRY(time_product(b, p, 3, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32,
                          &three));
    printf("%c %5d %5d %5d %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n",
           p.op == CUBLAS_OP_N ? 'N' : 'T', p.m, p.n, p.k, d, s, tf32, three,
           1e-6 * flops / d, 1e-6 * flops / s, 1e-6 * flops / three);
    return GSVD_SUCCESS;
}

/* ---- errors ----------------------------------------------------------------- */

/* x to 11 bits, to nearest */
static float high(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000u) & 0xffffe000u;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static gsvd_status_t fetch(const void *from, size_t bytes, void *to)
{
    DEVICE_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                               bench_device.stream));
    DEVICE_TRY(cudaStreamSynchronize(bench_device.stream));
    return GSVD_SUCCESS;
}

/* |C - D|_F / |D|_F, and the mean of the errors away from 0, likewise */
static gsvd_status_t compare(product_t p, cublasComputeType_t how,
                             const double *D, const char *name)
{
    static float C[ORDER * ORDER];
    double error = 0, norm = 0, away = 0;
    p.how = how;
    DEVICE_TRY(cudaMemsetAsync(p.C, 0, sizeof C, bench_device.stream));
    GSVD_TRY(multiply(&p));
    GSVD_TRY(fetch(p.C, sizeof C, C));
    for (int i = 0; i < ORDER * ORDER; ++i) {
        const double e = C[i] - D[i];
        error += e * e;
        norm += D[i] * D[i];
        away += D[i] > 0 ? e : -e;
    }
    printf("%-8s %5d %9.1e %9.1e\n", name, p.k, sqrt(error / norm),
           away / (ORDER * sqrt(norm)));
    return GSVD_SUCCESS;
}

/* of a product of order ORDER with k inside; x: room on the host */
static gsvd_status_t errors_of(bench_t *b, product_t p, float *x)
{
    static double D[ORDER * ORDER];
    const size_t k = (size_t)p.k, part = ORDER * k;
    float *const A = x, *const B = A + part, *const Ah = B + part;
    float *const Bh = Ah + 3 * part;
    double *const wide = (double *)(Bh + 3 * part);

    bench_normal_float(b, (int64_t)(2 * part), x);
    for (size_t i = 0; i < part; ++i) {
        const float a = high(A[i]), c = high(B[i]);
        float *const column = Bh + i / k * 3 * k + i % k;
        Ah[i] = Ah[i + 2 * part] = a;
        Ah[i + part] = high(A[i] - a);
        column[0] = column[k] = c;
        column[2 * k] = high(B[i] - c);
        wide[i] = A[i];
        wide[i + part] = B[i];
    }
    GSVD_TRY(fetch(wide, 8 * part, (void *)p.A));
    GSVD_TRY(fetch(wide + part, 8 * part, (void *)p.B));
    p.type = CUDA_R_64F;
    p.how = CUBLAS_COMPUTE_64F;
    DEVICE_TRY(cudaMemsetAsync(p.C, 0, sizeof D, bench_device.stream));
    GSVD_TRY(multiply(&p));
    GSVD_TRY(fetch(p.C, sizeof D, D));

    p.type = CUDA_R_32F;
    GSVD_TRY(fetch(A, 4 * part, (void *)p.A));
    GSVD_TRY(fetch(B, 4 * part, (void *)p.B));
    GSVD_TRY(compare(p, CUBLAS_COMPUTE_32F, D, "single"));
    GSVD_TRY(fetch(Ah, 12 * part, (void *)p.A));
    GSVD_TRY(fetch(Bh, 12 * part, (void *)p.B));
    p.k *= 3;
    return compare(p, CUBLAS_COMPUTE_32F_FAST_TF32, D, "3 TF32");
}

static gsvd_status_t run(bench_t *b)
{
    enum { MOST = 4096 };
    const size_t bytes = (size_t)3 * MOST * MOST * sizeof(float);
    void *A, *B, *C, *x;

    GSVD_TRY(gsvd_create(&b->h, 0));
    GSVD_TRY(gsvd_create(&b->host, GSVD_HOST));
    GSVD_TRY(bench_device_open(b));
    bench_describe(b);
    GSVD_TRY(bench_take(b, b->h, bytes, &A));
    GSVD_TRY(bench_take(b, b->h, bytes, &B));
    GSVD_TRY(bench_take(b, b->h, bytes, &C));
    GSVD_TRY(bench_take(b, b->host, bytes, &x));
    product_t p[SHAPES];
    double d[SHAPES];
    for (int i = 0; i < SHAPES; ++i) {
        p[i] = shape[i];
        p[i].A = A;
        p[i].B = B;
        p[i].C = C;
    }
    bench_normal_double(b, (int64_t)(bytes / sizeof(double)), x);
    GSVD_TRY(fetch(x, bytes, A));
    GSVD_TRY(fetch(x, bytes, B));
    for (int i = 0; i < SHAPES; ++i)
        GSVD_TRY(
            time_product(b, p[i], 1, CUDA_R_64F, CUBLAS_COMPUTE_64F, &d[i]));
    bench_normal_float(b, (int64_t)(bytes / sizeof(float)), x);
    GSVD_TRY(fetch(x, bytes, A));
    GSVD_TRY(fetch(x, bytes, B));
    GSVD_TRY(fetch(x, bytes, C));
    printf("# %s\n# %s\n", b->device, b->versions);
    printf("t     m     n     k    d, us    s, us TF32, us  of 3 k  d, Tf/s  "
           "s, Tf/s   3 TF32\n");
    for (int i = 0; i < SHAPES; ++i)
        GSVD_TRY(time_single(b, p[i], d[i]));
    printf("product      k     error  from 0\n");
    for (int k = 128; k <= 2048; k *= 4) {
        product_t q = p[0];
        q.m = q.n = ORDER;
        q.k = k;
        GSVD_TRY(errors_of(b, q, x));
    }
    return GSVD_SUCCESS;
}

int main(void)
{
    static bench_t b = {.cuda = 1, .reps = 7, .limit = 5, .seed = 1};
    const gsvd_status_t status = run(&b);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "bench_products: %s\n", gsvd_status_name(status));
    if (b.h)
        bench_drop(&b);
    gsvd_destroy(b.h);
    bench_device_close();
    gsvd_destroy(b.host);
    return status != GSVD_SUCCESS;
}
