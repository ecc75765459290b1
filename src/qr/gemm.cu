/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gemm.cu -- products of matrices by cuBLAS; CUDA twin of gemm.c.
 *
 * In single precision, where it pays, by three products on the tensor cores
 * (core/tf32.cuh), which are one of three times the inner dimension,
 *
 *     op(A) op(B) = (A_lo A_hi A_hi) (B_hi; B_lo; B_hi)
 *
 * up to 2^-21 |op(A)| |op(B)| and the truncation of the tensor cores' sums.
 * Small terms come first: nothing is lost to truncation while the sum is small.
 * What is longer than 512 inside is cut, and the pieces are added up in C.
 *
 * A complex product is a real one.  A complex matrix is, as it lies, a real one of
 * twice the rows, and with C and op(B) taken so
 *
 *     C = op(A) op(B)  <=>  C = E op(B),  E of 2 x 2 blocks (re a, -im a; im a, re a)
 *
 * with as many operations as the complex product.  E of A' is the transpose of E of
 * A; op(B) is the first columns of such blocks, (re b; im b), and where it is B' the
 * parts are of its transpose, each entry of B a row (re b, -im b).
 *
 * The parts stand in the memory that the exec has for products:
 * the fewer bytes, the more pieces.  Where there is none, as for a panel, whose
 * products are too small, it is xGEMM.
 */
#include "core/gpublas.h"
#include "core/solver.h"
#include "core/tf32.cuh"
#include "qr/qr.h"
#include "qr/ways.h"

#if GSVD_SINGLE

enum { ROWS = 64, COLUMNS = 4, TIMES = 4 }; /* of a block's tile             */

/* In real numbers: MULTIPLE divides the inner dimension of a part, and a piece has LEAST
 * to MOST of it; ALIGNED divides leading dimensions, as cuBLAS loads 16 bytes at once.
 * The parts of a piece have no more than MOST_BYTES. */
enum {
    MULTIPLE = 8,
    LEAST = 64,
    MOST = 512,
    ALIGNED = 4,
    MOST_BYTES = 64 << 20
};

/* A matrix and its three parts, real matrices step apart.  rows and cols are the
 * matrix's, with zeros at the end of the inner dimension; an entry becomes high x
 * wide real numbers, the upper left ones of its block. */
typedef struct split {
    mat_t A;
    real_t *first;
    int64_t rows, cols, ld, step;
    int high, wide;
    int small; /* Part number `small` is lo, the other two are hi.           */
} split_t;

static inline int64_t to_multiple(int64_t n, int64_t of)
{
    return (n + of - 1) / of * of;
}

/* -- the parts ------------------------------------------------------------- */

static __device__ void put(const split_t &s, real_t *to, scalar_t a)
{
    if (REALS_PER_SCALAR == 1 || s.high > 1) {
        *(scalar_t *)to = a;
        if (REALS_PER_SCALAR == 2 && s.wide > 1)
            *(scalar_t *)(to + s.ld) = make(-im(a), re(a));
    } else {
        to[0] = re(a);
        to[s.ld] = -im(a);
    }
}

static __device__ void split_entry(const split_t &s, int64_t i, int64_t j,
                                   scalar_t a)
{
    real_t *const to = s.first + s.high * i + s.wide * j * s.ld;
    real_t x[2], y[2]; /* hi, lo                                              */
    tf32_split(re(a), x[0], x[1]);
    tf32_split(im(a), y[0], y[1]);
#pragma unroll
    for (int t = 0; t < 3; ++t) {
        const int lo = t == s.small;
        put(s, to + t * s.step, lo ? make(x[1], y[1]) : make(x[0], y[0]));
    }
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
    const unsigned across = (unsigned)((s.rows + ROWS - 1) / ROWS);
    const int64_t i = (int64_t)(tile % across) * ROWS + threadIdx.x;
    const int64_t j =
        (int64_t)(tile / across) * (COLUMNS * TIMES) + threadIdx.y;
    scalar_t a[TIMES];

#pragma unroll
    for (int t = 0; t < TIMES; ++t)
        a[t] = i < s.A.rows && j + t * COLUMNS < s.A.cols
                   ? AT(s.A, i, j + t * COLUMNS)
                   : make(0, 0);
    if (i < s.rows)
#pragma unroll
        for (int t = 0; t < TIMES; ++t)
            if (j + t * COLUMNS < s.cols)
                split_entry(s, i, j + t * COLUMNS, a[t]);
}

static int64_t tiles_of(const split_t &s)
{
    return (s.rows + ROWS - 1) / ROWS *
           ((s.cols + COLUMNS * TIMES - 1) / (COLUMNS * TIMES));
}

static gsvd_status_t split(const exec_t *ex, const split_t &s, const split_t &r)
{
    const int64_t tiles = tiles_of(s), all = tiles + tiles_of(r);
    split_kernel<<<(unsigned)all, dim3(ROWS, COLUMNS), 0, stream_of(ex)>>>(
        s, r, (unsigned)tiles);
    return gsvd_launched(ex->h, "split");
}

/* Of c rows or columns of A from the j-th on the parts are laid one below the
 * other, or side by side. */
static split_t lay_out(mat_t A, int left, int below, int64_t j, int64_t c,
                       real_t *memory)
{
    const int64_t inner = to_multiple(c, MULTIPLE / REALS_PER_SCALAR);
    split_t s;
    s.A = below ? mat_rows(A, j, c) : mat_cols(A, j, c);
    s.first = memory;
    s.rows = below ? inner : A.rows;
    s.cols = below ? A.cols : inner;
    s.high = left || below ? REALS_PER_SCALAR : 1;
    s.wide = left || !below ? REALS_PER_SCALAR : 1;
    s.ld = below ? 3 * REALS_PER_SCALAR * inner
                 : to_multiple(s.high * A.rows, ALIGNED);
    s.step = REALS_PER_SCALAR * inner * (below ? 1 : s.ld);
    s.small = left ? 0 : 1;
    return s;
}

/* The parts of both factors' pieces, *s and *r */
static gsvd_status_t split_both(const exec_t *ex, char opa, char opb, mat_t A,
                                mat_t B, int64_t j, int64_t c, real_t *memory,
                                split_t *s, split_t *r)
{
    const int64_t m = opa == 'N' ? A.rows : A.cols;
    const int64_t taken = 3 * REALS_PER_SCALAR *
                          to_multiple(c, MULTIPLE / REALS_PER_SCALAR) *
                          to_multiple(REALS_PER_SCALAR * m, ALIGNED);
    *s = lay_out(A, 1, opa != 'N', j, c, memory);
    *r = lay_out(B, 0, opb == 'N', j, c, memory + taken);
    return split(ex, *s, *r);
}

/* -- the product ----------------------------------------------------------- */

/* Bytes of the parts of one real column of op(A) and one row of op(B) */
static int64_t bytes_of_each(int64_t m, int64_t n)
{
    return 3 * (int64_t)sizeof(real_t) *
           (REALS_PER_SCALAR * m + n + 2 * ALIGNED);
}

/* Columns of op(A) in a piece, all pieces but the last as large; 0: too few */
static int64_t piece_of(int64_t m, int64_t n, int64_t k, size_t memory)
{
    const int64_t fit = (int64_t)memory / bytes_of_each(m, n);
    const int64_t most = min_i(MOST, fit / MULTIPLE * MULTIPLE);
    const int64_t inner = REALS_PER_SCALAR * k;
    if (inner < LEAST || most < LEAST)
        return 0;
    const int64_t pieces = (inner + most - 1) / most;
    return to_multiple((inner + pieces - 1) / pieces, MULTIPLE) /
           REALS_PER_SCALAR;
}

/* Is it faster, by the machine's numbers?  To split is to read once and to write three
 * times, of a complex left factor twice its size, and each piece but the first reads
 * and writes C once more.  With 32 inside it takes as long. */
static int gains(const tuning_t *tune, int64_t rows, int64_t cols, int64_t k,
                 int64_t piece)
{
    if (piece == 0)
        return 0;
    const double m = REALS_PER_SCALAR * (double)rows,
                 n = (double)cols; /* reals        */
    const double inner = REALS_PER_SCALAR * (double)k;
    const double pieces = ceil(1. * k / piece);
    const double gained =
        2 * m * n * inner * (1 / tune->gemm_rate - 1 / tune->split_rate);
    const double bytes = ((4. / REALS_PER_SCALAR + 12) * m + 16 * n) * inner;
    return gained > (bytes + 8 * m * n * (pieces - 1)) / tune->memory_rate +
                        tune->piece_seconds * pieces;
}

static int split_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->tune->split_rate > 0;
}

/* Where columns of C do not begin at multiples of 16 bytes it is slower (4095 x 4093,
 * k = 131: 172 and 153 microseconds, SGEMM). */
static int split_applies(const exec_t *ex, const task_t *t)
{
    const mat_t C = t->C;
    return split_wanted(ex, t) && (uintptr_t)C.data % 16 == 0 &&
           REALS_PER_SCALAR * C.ld % ALIGNED == 0 &&
           REALS_PER_SCALAR * C.rows % ALIGNED == 0 &&
           gains(ex->tune, C.rows, C.cols, t->k,
                 piece_of(C.rows, C.cols, t->k, ex->products.bytes));
}

static size_t split_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t inner = min_i(REALS_PER_SCALAR * t->k, MOST);
    const int64_t each = bytes_of_each(t->C.rows, t->C.cols);
    (void)ex;
    return (size_t)min_i((int64_t)MOST_BYTES, each * inner);
}

static gsvd_status_t in_parts(const exec_t *ex, const task_t *t)
{
    const mat_t C = t->C;
    const cudaDataType type = CUDA_R_32F;
    real_t *const memory = (real_t *)ex->products.data;
    const cublasOperation_t a = t->op == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    const cublasOperation_t b = t->opb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    const int64_t piece = piece_of(C.rows, C.cols, t->k, ex->products.bytes);
    cublasHandle_t blas;

    ++cuda_of(ex->h)->taken[WAY_SPLIT];
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    for (int64_t j = 0; j < t->k; j += piece) {
        const int64_t c = min_i(piece, t->k - j);
        const int64_t inner =
            3 * REALS_PER_SCALAR * to_multiple(c, MULTIPLE / REALS_PER_SCALAR);
        const real_t times = j == 0 ? t->beta : 1;
        split_t s, r;
        GSVD_TRY(
            split_both(ex, t->op, t->opb, t->A, t->B, j, c, memory, &s, &r));
        GSVD_CUBLAS(
            ex->h,
            cublasGemmEx(blas, a, b, (int)(REALS_PER_SCALAR * C.rows),
                         (int)C.cols, (int)inner, &t->alpha, s.first, type,
                         (int)s.ld, r.first, type, (int)r.ld, &times, C.data,
                         type, (int)(REALS_PER_SCALAR * C.ld),
                         CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT));
    }
    return GSVD_SUCCESS;
}

#endif

static gsvd_status_t by_cublas(const exec_t *ex, const task_t *t)
{
    const scalar_t a = make(t->alpha, 0), b = make(t->beta, 0);
    cublasHandle_t blas;

    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    GSVD_CUBLAS(ex->h,
                CUBLAS_(gemm)(blas, gpublas_op(t->op), gpublas_op(t->opb),
                              (int)t->C.rows, (int)t->C.cols, (int)t->k, &a,
                              t->A.data, (int)t->A.ld, t->B.data, (int)t->B.ld,
                              &b, t->C.data, (int)t->C.ld));
    return GSVD_SUCCESS;
}

/* -- the solvers ----------------------------------------------------------- */

static const solver_t solver[] = {
#if GSVD_SINGLE
    {"three TF32 products", split_wanted, split_applies, split_bytes, in_parts},
#endif
    {"cuBLAS", NULL, NULL, NULL, by_cublas},
};
const solvers_t X(gemm_solvers_cuda) = SOLVERS("product", solver);

/* C := beta C + alpha op(A) op(B) */
static gsvd_status_t multiply(const exec_t *ex, char opa, char opb,
                              real_t alpha, mat_t A, mat_t B, real_t beta,
                              mat_t C)
{
    task_t t = {};
    if (mat_empty(C))
        return GSVD_SUCCESS;
    t.op = opa;
    t.opb = opb;
    t.alpha = alpha;
    t.A = A;
    t.B = B;
    t.beta = beta;
    t.C = C;
    t.k = opa == 'N' ? A.cols : A.rows;
    return run_solver(&X(gemm_solvers_cuda), ex, &t);
}

gsvd_status_t X(gemm_cuda)(const exec_t *ex, char opa, char opb, mat_t A,
                           mat_t B, mat_t C)
{
    return multiply(ex, opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_cuda)(const exec_t *ex, char opa, char opb, mat_t A,
                               mat_t B, mat_t C)
{
    return multiply(ex, opa, opb, -1, A, B, 1, C);
}

size_t X(products_bytes_cuda)(const exec_t *ex, int64_t m, int64_t n, int64_t k,
                              size_t most)
{
    task_t t = {};
    t.C = mat_of_size(m, n);
    t.k = k;
    const size_t all = solvers_bytes(&X(gemm_solvers_cuda), ex, &t);
    const size_t bytes = all < most ? all : most;
#if GSVD_SINGLE
    if (split_wanted(ex, &t) &&
        gains(ex->tune, m, n, k, piece_of(m, n, k, bytes)))
        return bytes;
#endif
    (void)bytes;
    return 0;
}
