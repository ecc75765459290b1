/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* product.cu -- products of matrices by cuBLAS; CUDA twin of product.c.
 *
 * In single precision, where it pays, by three products on the tensor cores
 * (core/tf32.cuh), which are one of three times the inner dimension,
 *
 *     op(A) op(B) = (A_lo A_hi A_hi) (B_hi; B_lo; B_hi)
 *
 * up to 2^-21 |op(A)| |op(B)| and the truncation of the tensor cores' sums.
 * Small terms come first: nothing is lost to truncation while the sum is small.
 * What is longer than 512 inside is cut, and the pieces are added up in C.
 */
#include "core/gpublas.h"
#include "core/tf32.cuh"
#include "qr/qr.h"

#if GSVD_SINGLE && PARTS == 1 /* CGEMM has 54 Tflop/s, three products no more */

enum { ROWS = 64, COLUMNS = 4, TIMES = 4 }; /* of a block's tile             */

/* Of the inner dimension, WHOLE divides a part's, and a piece has LEAST to MOST;
 * ALIGNED divides leading dimensions: cuBLAS loads 16 bytes at once.  ROOM: bytes
 * for the parts of a piece. */
enum { WHOLE = 8, LEAST = 64, MOST = 512, ALIGNED = 4, ROOM = 64 << 20 };

/* A matrix and its three parts, the latter step apart: as large, or with zeros at
 * the end of the inner dimension */
typedef struct split {
    mat_t A, first;
    int64_t step;
    int small; /* which of 0, 1, 2 is lo; the others are hi                   */
} split_t;

static inline int64_t to_multiple(int64_t n, int64_t of)
{
    return (n + of - 1) / of * of;
}

/* -- the parts ---------------------------------------------------------------- */

static __device__ void split_entry(const split_t &s, int64_t i, int64_t j,
                                   real_t a)
{
    real_t hi, lo, *const to = &AT(s.first, i, j);
    tf32_split(a, hi, lo);
#pragma unroll
    for (int t = 0; t < 3; ++t)
        to[t * s.step] = t == s.small ? lo : hi;
}

/* grid: one block a tile of 64 rows and 16 columns, those of s come first, then
 * those of r; block: 64 x 4 threads, 4 entries of a row each */
static __global__ void split_kernel(split_t s, split_t r, unsigned tiles)
{
    unsigned tile = blockIdx.x;
    if (tile >= tiles) {
        tile -= tiles;
        s = r;
    }
    const unsigned across = (unsigned)((s.first.rows + ROWS - 1) / ROWS);
    const int64_t i = (int64_t)(tile % across) * ROWS + threadIdx.x;
    const int64_t j =
        (int64_t)(tile / across) * (COLUMNS * TIMES) + threadIdx.y;
    real_t a[TIMES];

#pragma unroll
    for (int t = 0; t < TIMES; ++t)
        a[t] = i < s.A.rows && j + t * COLUMNS < s.A.cols
                   ? AT(s.A, i, j + t * COLUMNS)
                   : 0;
    if (i < s.first.rows)
#pragma unroll
        for (int t = 0; t < TIMES; ++t)
            if (j + t * COLUMNS < s.first.cols)
                split_entry(s, i, j + t * COLUMNS, a[t]);
}

static int64_t tiles_of(const split_t &s)
{
    return (s.first.rows + ROWS - 1) / ROWS *
           ((s.first.cols + COLUMNS * TIMES - 1) / (COLUMNS * TIMES));
}

static gsvd_status_t split(gsvd_handle_t h, const split_t &s, const split_t &r)
{
    const int64_t tiles = tiles_of(s), all = tiles + tiles_of(r);
    split_kernel<<<(unsigned)all, dim3(ROWS, COLUMNS), 0, cuda_of(h)->stream>>>(
        s, r, (unsigned)tiles);
    return gsvd_launched(h, "split");
}

/* Where the parts of A lie: one below the other, or side by side. */
static split_t lay_out(mat_t A, int below, int64_t inner, int small,
                       real_t *room)
{
    split_t s;
    const int64_t ld = below ? 3 * inner : to_multiple(A.rows, ALIGNED);
    s.A = A;
    s.first = below ? mat_view(room, inner, A.cols, ld)
                    : mat_view(room, A.rows, inner, ld);
    s.step = below ? inner : inner * ld;
    s.small = small;
    return s;
}

/* -- the product -------------------------------------------------------------- */

/* Columns of op(A) in a piece, all pieces but the last as large; 0: too few */
static int64_t piece_of(int64_t m, int64_t n, int64_t k)
{
    const int64_t each = 3 * (int64_t)sizeof(real_t) * (m + n + 2 * ALIGNED);
    const int64_t most = min_i(MOST, ROOM / each / WHOLE * WHOLE);
    if (k < LEAST || most < LEAST)
        return 0;
    const int64_t pieces = (k + most - 1) / most;
    return to_multiple((k + pieces - 1) / pieces, WHOLE);
}

/* Is it faster?  On an H200 SGEMM has 50 Tflop/s and the three products 110 (4096 x
 * 4096 x 4096, bench_products).  To split is to read once and to write three times,
 * and each piece but the first reads and writes C once more: 3.5 TB/s and 4
 * microseconds a piece are estimates.  Where columns of C do not begin at multiples
 * of 16 bytes it is slower (4095 x 4093, k = 131: 172 and 153 microseconds); with 32
 * inside it takes as long. */
static int pays(mat_t C, int64_t k, int64_t piece)
{
    if (piece == 0 || (uintptr_t)C.data % 16 != 0 || C.ld % ALIGNED != 0)
        return 0;
    const double mn = (double)C.rows * (double)C.cols;
    const double pieces = ceil(1. * k / piece);
    const double gained = 2. * mn * k * (1 / 50e12 - 1 / 110e12);
    const double bytes = 16. * (double)(C.rows + C.cols) * k;
    return gained > (bytes + 8. * mn * (pieces - 1)) / 3.5e12 + 4e-6 * pieces;
}

/* The queue's room for parts, taken when first wanted; NULL: there is no memory,
 * and SGEMM does without. */
static real_t *take_room(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    if (!cuda->split && !cuda->refused &&
        h->space->allocate(h, &cuda->split, ROOM) != GSVD_SUCCESS) {
        cuda->refused = 1;
        h->error[0] = '\0';
    }
    return (real_t *)cuda->split;
}

static gsvd_status_t three(gsvd_handle_t h, char opa, char opb, real_t alpha,
                           mat_t A, mat_t B, real_t beta, mat_t C,
                           int64_t piece, real_t *room)
{
    const cudaDataType type = CUDA_R_32F;
    const int64_t k = opa == 'N' ? A.cols : A.rows;

    for (int64_t j = 0; j < k; j += piece) {
        const int64_t c = min_i(piece, k - j), inner = to_multiple(c, WHOLE);
        const split_t s =
            lay_out(opa == 'N' ? mat_cols(A, j, c) : mat_rows(A, j, c),
                    opa != 'N', inner, 0, room);
        const split_t r = lay_out(
            opb == 'N' ? mat_rows(B, j, c) : mat_cols(B, j, c), opb == 'N',
            inner, 1, room + 3 * inner * to_multiple(C.rows, ALIGNED));
        const real_t b = j == 0 ? beta : 1;
        GSVD_TRY(split(h, s, r));
        GSVD_CUBLAS(
            h, cublasGemmEx(cuda_of(h)->blas, gpublas_op(opa), gpublas_op(opb),
                            (int)C.rows, (int)C.cols, (int)(3 * inner), &alpha,
                            s.first.data, type, (int)s.first.ld, r.first.data,
                            type, (int)r.first.ld, &b, C.data, type, (int)C.ld,
                            CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT));
    }
    return GSVD_SUCCESS;
}

#endif

static gsvd_status_t one(gsvd_handle_t h, char opa, char opb, real_t alpha,
                         mat_t A, mat_t B, real_t beta, mat_t C)
{
    const scalar_t a = make(alpha, 0), b = make(beta, 0);
    const int k = (int)(opa == 'N' ? A.cols : A.rows);

    GSVD_CUBLAS(h, CUBLAS_(gemm)(cuda_of(h)->blas, gpublas_op(opa),
                                 gpublas_op(opb), (int)C.rows, (int)C.cols, k,
                                 &a, A.data, (int)A.ld, B.data, (int)B.ld, &b,
                                 C.data, (int)C.ld));
    return GSVD_SUCCESS;
}

static gsvd_status_t multiply(gsvd_handle_t h, char opa, char opb, real_t alpha,
                              mat_t A, mat_t B, real_t beta, mat_t C)
{
    if (mat_empty(C))
        return GSVD_SUCCESS;
#if GSVD_SINGLE && PARTS == 1
    const int64_t k = opa == 'N' ? A.cols : A.rows;
    const int64_t piece = piece_of(C.rows, C.cols, k);
    if (cuda_of(h)->three && pays(C, k, piece)) {
        real_t *const room = take_room(h);
        if (room)
            return three(h, opa, opb, alpha, A, B, beta, C, piece, room);
    }
#endif
    return one(h, opa, opb, alpha, A, B, beta, C);
}

gsvd_status_t X(gemm_cuda)(gsvd_handle_t h, char opa, char opb, mat_t A,
                           mat_t B, mat_t C)
{
    return multiply(h, opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_cuda)(gsvd_handle_t h, char opa, char opb, mat_t A,
                               mat_t B, mat_t C)
{
    return multiply(h, opa, opb, -1, A, B, 1, C);
}
