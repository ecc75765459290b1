/* stub until the merge */
#ifndef GSVD_QR_TSQR_H
#define GSVD_QR_TSQR_H
#include "core/backend.h"
static size_t X(tsqr_panel_bytes)(int64_t m) { (void)m; return 256; }
static __global__ void stub_kernel(mat_t A, scalar_t *tau, mat_t T, const int *verdict)
{
    if (*verdict == 0) return;
    __shared__ scalar_t w[32];
    const int n = (int)A.cols;
    for (int j = 0; j < n; ++j) {
        __syncthreads();
        if (threadIdx.x == 0) {
            real_t big = 0;
            for (int64_t i = j; i < A.rows; ++i) big = fmax_r(big, abs_max(AT(A, i, j)));
            real_t ss = 0;
            for (int64_t i = j + 1; i < A.rows; ++i) { scalar_t x = AT(A,i,j); if (big > 0) { x = make(re(x)/big, im(x)/big); ss += abs2(x);} }
            real_t below = big * sqrt_r(ss);
            scalar_t alpha = AT(A, j, j);
            if (!(below > 0) && im(alpha) == 0) tau[j] = make(0, 0);
            else {
                real_t beta = -copysign_r(hypot_r(hypot_r(re(alpha), im(alpha)), below), re(alpha));
                tau[j] = make((beta - re(alpha)) / beta, -im(alpha) / beta);
                scalar_t d = make(re(alpha) - beta, im(alpha));
                real_t len = abs_of(d);
                scalar_t u = make(re(d) / len, -im(d) / len);
                for (int64_t i = j + 1; i < A.rows; ++i) { scalar_t y = mul(AT(A,i,j), u); AT(A,i,j) = make(re(y)/len, im(y)/len); }
                AT(A, j, j) = make(beta, 0);
            }
        }
        __syncthreads();
        const int c = threadIdx.x;
        if (c > j && c < n) {
            scalar_t dot = AT(A, j, c);
            for (int64_t i = j + 1; i < A.rows; ++i) dot = add(dot, mul(conj_of(AT(A,i,j)), AT(A,i,c)));
            dot = mul(conj_of(tau[j]), dot);
            AT(A, j, c) = sub(AT(A, j, c), dot);
            for (int64_t i = j + 1; i < A.rows; ++i) AT(A,i,c) = sub(AT(A,i,c), mul(AT(A,i,j), dot));
        }
    }
    __syncthreads();
    for (int j = 0; j < n; ++j) {
        const int k = threadIdx.x;
        if (k < j) {
            scalar_t s = conj_of(AT(A, j, k));
            for (int64_t i = j + 1; i < A.rows; ++i) s = add(s, mul(conj_of(AT(A,i,k)), AT(A,i,j)));
            w[k] = s;
        }
        __syncthreads();
        if (k < n) {
            scalar_t t = make(0, 0);
            if (k < j) { for (int i = k; i < j; ++i) t = add(t, mul(AT(T, k, i), w[i])); t = mul(make(-re(tau[j]), -im(tau[j])), t); }
            if (k == j) t = tau[j];
            AT(T, k, j) = t;
        }
        __syncthreads();
    }
}
static gsvd_status_t X(tsqr_panel_cuda)(gsvd_handle_t h, mat_t A, scalar_t *tau, mat_t T, void *work, const int *verdict)
{
    (void)work;
    stub_kernel<<<1, 32, 0, cuda_of(h)->stream>>>(A, tau, T, verdict);
    return gsvd_launched(h, "stub");
}
#endif
