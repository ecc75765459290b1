/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* chase.cuh -- sweeps over a band matrix, a block for each hop: what band.cu and bidiagonal_band.cu share. */
#ifndef GSVD_JACOBI_CHASE_CUH
#define GSVD_JACOBI_CHASE_CUH

#include "core/gpublas.h"
#include "core/launch.h"
#include "jacobi/band.h"
#include "jacobi/demand.h"
#include "jacobi/jacobi.h"
#include "jacobi/warp_sums.cuh"
#include "qr/reflect.h"

enum {
    WARPS = 8, /* of a block                                                 */
    THREADS = WARP * WARPS,
    RESIDENT = 4, /* such blocks on a multiprocessor                         */
    MINE = BAND / WARPS, /* columns of a thread                             */
    MESSAGE = BAND + 1   /* numbers: a row or a column, or v, and one more  */
};

/* -- device functions ------------------------------------------------------------ */

/* What blocks say to each other: each half of a real number comes with the number of its sweep, from 1
 * on, so that no number waits for another one.  The hardware writes and reads 16 bytes at an address of
 * their multiple at once; a half and its number must come together. */
typedef struct word {
    uint4 real[REALS_PER_SCALAR];
} word_t;

/* MESSAGE of each block */
typedef struct mail {
    word_t *back, *reflector; /* for the block before, and for the next one  */
} mail_t;

static __device__ __forceinline__ void tell_real(uint4 *to, double x,
                                                 unsigned tag)
{
    asm volatile(
        "st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(to),
        "r"(__double2loint(x)), "r"(tag), "r"(__double2hiint(x))
        : "memory");
}

static __device__ __forceinline__ double await_real(const uint4 *from,
                                                    unsigned tag)
{
    unsigned low, high, one, other;
    do
        asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(low), "=r"(one), "=r"(high), "=r"(other)
                     : "l"(from)
                     : "memory");
    while (one != tag || other != tag);
    return __hiloint2double((int)high, (int)low);
}

static __device__ __forceinline__ void tell(word_t *to, scalar_t x, int tag)
{
    tell_real(&to->real[0], re(x), (unsigned)tag);
    if (REALS_PER_SCALAR == 2)
        tell_real(&to->real[REALS_PER_SCALAR - 1], im(x), (unsigned)tag);
}

static __device__ __forceinline__ scalar_t await(const word_t *from, int tag)
{
    const real_t x = (real_t)await_real(&from->real[0], (unsigned)tag);
    if (REALS_PER_SCALAR == 1)
        return make(x, 0);
    return make(x, (real_t)await_real(&from->real[REALS_PER_SCALAR - 1],
                                      (unsigned)tag));
}

static __device__ __forceinline__ scalar_t of_lane(scalar_t x, int lane)
{
    const real_t r = __shfl_sync(0xffffffff, re(x), lane);
    if (REALS_PER_SCALAR == 1)
        return make(r, 0);
    return make(r, __shfl_sync(0xffffffff, im(x), lane));
}

/* The sum of the warps' parts in row r */
static __device__ __forceinline__ scalar_t sum_of(const scalar_t (*part)[BAND],
                                                  int r)
{
    scalar_t sum = part[0][r];
#pragma unroll
    for (int k = 1; k < WARPS; ++k)
        sum = add(sum, part[k][r]);
    return sum;
}

/* The sum of x over the block's columns, in row r; part is in shared memory. */
static __device__ __forceinline__ scalar_t row_sum(scalar_t (*part)[BAND],
                                                   int r, int warp, scalar_t x)
{
    part[warp][r] = x;
    __syncthreads();
    return sum_of(part, r);
}

/* F[q], of registers */
static __device__ __forceinline__ scalar_t entry_of(const scalar_t (&F)[MINE],
                                                    int q)
{
    scalar_t x = F[0];
#pragma unroll
    for (int k = 1; k < MINE; ++k)
        if (k == q)
            x = F[k];
    return x;
}

/* The reflector of a vector that has the entry x in lane r and begins in lane p; v: the reflector's own
 * entry.  H = I where all squares are next to nothing: of a matrix next to 1 such entries are far below
 * rounding, and a reflector of them would not be unitary. */
static __device__ __forceinline__ householder_t reflector_in(scalar_t x, int r,
                                                             int p, scalar_t *v)
{
    const scalar_t alpha = of_lane(x, p);
    const real_t rest = re(warp_sum(make(r == p ? 0 : abs2(x), 0)));
    const int nothing = rest + abs2(alpha) <= GSVD_SAFMIN / GSVD_ULP;
    const householder_t h = householder_of(nothing ? make(re(alpha), 0) : alpha,
                                           nothing ? 0 : rest);
    *v = r == p ? make(1, 0) : mul(h.over, x);
    return h;
}

/* F := (I - tau v v^H)^H F, tau and v's entry r, but for the column `but` */
static __device__ __forceinline__ void
apply_left(scalar_t tau, scalar_t v, int c0, int but, scalar_t (&F)[MINE])
{
    scalar_t y[GROUP];
#pragma unroll
    for (int q = 0; q < MINE; ++q)
        y[q] = mul(conj_of(v), F[q]);
    const scalar_t sum = mul(conj_of(tau), warp_sums(y));
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        const scalar_t all = of_lane(sum, WARP / GROUP * q);
        if (c0 + q != but)
            F[q] = sub(F[q], mul(v, all));
    }
}

/* F := F (I - tau v v^H); y: the sum of F v in row r; v: the entries of the thread's columns */
static __device__ __forceinline__ void
apply_right(scalar_t tau, scalar_t y, const scalar_t *v, scalar_t (&F)[MINE])
{
    y = mul(tau, y);
#pragma unroll
    for (int q = 0; q < MINE; ++q)
        F[q] = sub(F[q], mul(y, conj_of(v[q])));
}

/* of bidiagonal_band.cu: do all of its blocks run at the same time? */
gsvd_status_t X(bidiagonal_band_fits)(const exec_t *ex, int64_t n, int *fits);

/* -- launchers ----------------------------------------------------------------------- */

static inline size_t mail_bytes(int64_t n)
{
    const size_t hops = (size_t)max_i(band_hops(n), 1);
    return 2 * hops * MESSAGE * sizeof(word_t);
}

/* *blocks := how many hops of these run at the same time */
static inline gsvd_status_t find_blocks(const exec_t *ex, const demand_t *want,
                                        int64_t hops, int64_t *blocks)
{
    GSVD_TRY(gsvd_allow_shared(ex->h, want));
    return gsvd_at_once(ex->h, stream_of(ex), want, hops, blocks);
}

static inline gsvd_status_t chase_fits(const exec_t *ex, const demand_t *want,
                                       int64_t n, int *fits)
{
    const int64_t hops = max_i(band_hops(n), 1);
    int64_t blocks;

    GSVD_TRY(find_blocks(ex, want, hops, &blocks));
    *fits = blocks >= hops && n <= INT32_MAX / 2;
    return GSVD_SUCCESS;
}

/* arguments: the kernel's, the last of which is the mail; all sweeps of order n */
static inline gsvd_status_t launch_chase(const exec_t *ex, const demand_t *want,
                                         int64_t n, mail_t *mail,
                                         void **arguments)
{
    const int64_t hops = max_i(band_hops(n), 1);
    int64_t blocks;
    void *work;

    if (n == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, mail_bytes(n), &work));
    mail->back = (word_t *)work;
    mail->reflector = mail->back + hops * MESSAGE;
    GSVD_CUDA(ex->h, cudaMemsetAsync(work, 0, mail_bytes(n), stream_of(ex)));
    GSVD_TRY(find_blocks(ex, want, hops, &blocks));
    if (blocks < hops)
        return gsvd_fail(ex->h, GSVD_DEVICE_FAILED,
                         "kernel %s: fewer blocks fit than before", want->name);
    return gsvd_launch_grid(ex->h, stream_of(ex), want, dim3((unsigned)hops),
                            arguments);
}

#endif /* GSVD_JACOBI_CHASE_CUH */
