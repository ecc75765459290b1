/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_grid.h -- singular values, generalized ones, QR and eigenvalues on a grid of processes, of MPI or of NCCL.
 *
 * A matrix lies on a p-by-q grid as ScaLAPACK has it: in blocks of mb-by-nb entries, dealt out in
 * turn, block row by block row to the rows of the grid and block column by block column to its
 * columns.  Each process has its blocks in one array by columns.
 *
 *     MPI_Init(&argc, &argv);
 *     gsvd_grid_t g;
 *     if (gsvd_grid_from_mpi(&g, MPI_Comm_c2f(MPI_COMM_WORLD), 2, 2, 'R') != GSVD_SUCCESS)
 *         fprintf(stderr, "%s\n", gsvd_grid_last_error(NULL));
 *     const gsvd_grid_desc_t dA = gsvd_grid_desc(desc); // ScaLAPACK's nine integers
 *     status = dgsvd_grid_svd(g, 'S', 'S', m, n, A, &dA, sigma, U, &dU, V, &dV, NULL);
 *     gsvd_grid_destroy(g);
 *
 * libgsvd opens the library libgsvd-openmpi or libgsvd-mpich for this, which needs Open MPI or MPICH
 * and ScaLAPACK; or for a grid of GPUs, gsvd_grid_from_nccl, libgsvd-nccl.  libgsvd itself needs none of
 * them, and this header includes neither mpi.h nor nccl.h.
 *
 * Rules.  All processes of the grid make the same call, with the same arguments except for
 * addresses and lld; this is tested.  All get the same status.  An error on one process does not
 * leave the others waiting.  One thread at a time may use a grid.  No handle is needed.
 *
 * This header declares the routines in double precision, and gsvd_grid_typed.h, which it includes, the
 * others: a matrix (a capital letter) and tau have the routine's type, all else is real. */
#ifndef GSVD_GRID_H
#define GSVD_GRID_H

#include "gsvd.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gsvd_grid *gsvd_grid_t; /* opaque                             */

/* Makes a p-by-q grid of the p q processes of a communicator, given as MPI_Comm_c2f(comm).  All of
 * them call.  The communicator is copied.
 *
 * order in   'R': process k has row k / q and column k % q;  'C': row k % p and column k / p.
 *
 * *g is NULL after an error, and gsvd_grid_last_error(NULL) says more:
 *
 *     GSVD_INVALID_ARGUMENT   p q is not the number of processes, ...
 *     GSVD_NOT_SUPPORTED      libgsvd-openmpi, or -mpich, is missing, is of another build, or lacks a
 *                             library that it needs; MPI_Init was not called, or MPI is another one */
GSVD_API gsvd_status_t gsvd_grid_from_mpi(gsvd_grid_t *g, int comm, int64_t p, int64_t q,
                                          char order);

/* Makes a grid of the processes of a BLACS context, in the same places.  The program has to use
 * the ScaLAPACK that the module uses. */
GSVD_API gsvd_status_t gsvd_grid_from_blacs(gsvd_grid_t *g, int context);

/* Makes a p-by-q grid of the processes of an NCCL communicator, one for each GPU.  All of them call.
 *
 * comm  in   an ncclComm_t.  The grid makes its own of it, by ncclCommSplit.
 * p q order
 *       in   as in gsvd_grid_from_mpi; the ranks are NCCL's.
 *
 * In the calls of such a grid
 *
 *     arrays    A matrix is an array on the communicator's GPU.  Lists are the host's: sigma, alpha, beta,
 *               w, tau, jpvt, J.  The caller's work on the arrays must be complete; a call returns when its
 *               own is, in a stream of the grid's.
 *     devices   The current device is that of before when a call returns.
 *     memory    A call takes the memory that is named below, and what the engines ask for, on the GPU.
 *     pivots    They are those of dgsvd_geqp on process 0, which gets a copy of the whole matrix.  So B,
 *               and of a pair with dependent columns A, must fit one GPU beside its part of the rest.
 *     tall      pairs have no road of their own.
 *
 * A grid whose GPU, NCCL or process has failed returns GSVD_DEVICE_FAILED from then on; where NCCL does not
 * notice that another process has gone, those that need it wait.
 *
 * *g is NULL after an error, and gsvd_grid_last_error(NULL) says more:
 *
 *     GSVD_INVALID_ARGUMENT   comm is no communicator, p q is not the number of processes, ...
 *     GSVD_NOT_SUPPORTED      libgsvd-nccl is missing, is of another build, or lacks a library that it needs:
 *                             NCCL >= 2.29.2, cuBLASMp 0.10, cuSOLVERMp 0.9.1, CUDA 13
 *     GSVD_DEVICE_FAILED      NCCL or an engine does not start
 *     GSVD_OUT_OF_MEMORY */
GSVD_API gsvd_status_t gsvd_grid_from_nccl(gsvd_grid_t *g, void *comm,
                                           int64_t p, int64_t q, char order);

/* Where this process solves bands of columns that it owns, if they are wide enough for a GPU to be faster:
 *
 *     GSVD_HOST    as for a new grid: not on a GPU
 *     GSVD_ANY     on the GPUs of a computer in turn, by the rank of the process on it
 *     0, 1, ...    on the GPU of this number
 *
 * Where there is no GPU, or it fails or has no memory, the process solves them itself.  A handle is
 * created with the first band, and lasts, with its memory, until the grid is released or this is called.
 * Each process calls for itself.
 *
 * On a grid of one GPU, of gsvd_grid_from_nccl, all bands are the process's, and it solves them there unless
 * this is GSVD_HOST: then cuSOLVERMp does.  With more GPUs cuSOLVERMp solves all. */
GSVD_API gsvd_status_t gsvd_grid_set_device(gsvd_grid_t g, int device);

/* Releases the grid, before MPI_Finalize.  All processes call.  g may be NULL. */
GSVD_API gsvd_status_t gsvd_grid_destroy(gsvd_grid_t g);

/* Describes the error of the grid's last call that failed; empty if none failed, never NULL.  With
 * g == NULL it is the error of the calling thread's last gsvd_grid_from_... */
GSVD_API const char *gsvd_grid_last_error(gsvd_grid_t g);

/* Where a matrix is in a distributed array */
typedef struct gsvd_grid_desc {
    int64_t m, n;   /* rows and columns of the whole array                   */
    int64_t mb, nb; /* of a block                                            */
    int64_t rsrc, csrc; /* the row and the column of the grid that have its first block */
    int64_t lld;    /* leading dimension of this process's part              */
    int64_t i, j;   /* where the matrix begins in the array, counted from 0  */
} gsvd_grid_desc_t;

/* The same as ScaLAPACK's nine integers; the matrix begins where the array begins. */
GSVD_API gsvd_grid_desc_t gsvd_grid_desc(const int desc[9]);

/* *bytes := what a call of a routine below takes on this process, beside its arrays.  Of the
 * problem routine, type, jobs and sizes are read; job[2] of a pair is jobx.  It computes nothing,
 * and a process may call it alone.  A little less is taken; more, for messages, on a process that
 * has most of the caller's arrays.  Errors are those of the call for jobs and sizes. */
GSVD_API gsvd_status_t gsvd_grid_bytes(gsvd_grid_t g, const gsvd_problem_t *problem,
                                       size_t *bytes);

/* Singular value decomposition A = U Sigma V^H, by one-sided Jacobi, as dgsvd_svd.
 *
 * jobu  in   'U': all of U;  'S': its leading min(m,n) columns;  'N': U is not referenced.
 * jobv  in   'V': all of V;  'S': its leading min(m,n) columns;  'N': V is not referenced.
 * m n   in   rows and columns of A, any.
 * A     in   m-by-n.  It is not changed.
 * sigma out  min(m,n) values, descending, on every process.
 * U V   out  m rows and n rows, if wanted.  V, not V^H.
 * descA descU descV
 *       in   where they are.  Blocks, sources and offsets of the three may differ.  NULL for a
 *            factor that is not wanted.
 * info  out  0, 1, 2, -i, where i is 1 for jobu (A is 5, sigma is 7, U is 8, V is 10); may be
 *            NULL.  As in dgsvd_svd; -5 if A has a NaN or an infinity on some process.
 *
 * The result depends on the grid, and on no block size: on one grid the same matrix has the same
 * bits.  A process may own nothing.  The call allocates its memory, on each process about
 * (A's, U's and V's entries and 5 min(m,n)^2) / (p q) numbers, and gives it back.
 *
 * Accuracy is that of dgsvd_svd.  If the columns of A, or its rows, differ only by scale factors
 * from those of a well-conditioned matrix, every value has a small relative error.
 *
 * GSVD_NOT_SUPPORTED: a process's part is beyond what ScaLAPACK counts by 32 bits; the text says
 * how much.  GSVD_INTERNAL_ERROR: ScaLAPACK returned eigenvectors that are none.
 * GSVD_NOT_CONVERGED: the steps made no progress, and there are no sweeps on a grid; or the result
 * failed a last test against A: A V x - U S x with random x, or the squares of the values where a
 * factor is not wanted. */
GSVD_API gsvd_status_t dgsvd_grid_svd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n,
    const double *A, const gsvd_grid_desc_t *descA, double *sigma,
    double *U, const gsvd_grid_desc_t *descU,
    double *V, const gsvd_grid_desc_t *descV, int *info);

/* GSVD of a pair, in the form of X:
 *
 *     A = U D1 X^H,   B = V D2 X^H
 *
 * as dgsvd with GSVD_FORM_X, D1 and D2 as there.
 *
 * jobu  in   'U': all of U;  'S': its leading min(m,n) columns;  'N': U is not referenced.
 * jobv  in   'V': all of V;  'S': its leading min(p,n) columns;  'N': V is not referenced.
 * jobx  in   'X': X;  'N': X is not referenced.
 * m n p in   rows of A, columns of A and B, rows of B.
 * k l   out  the ranks, as there, on every process; may be NULL.
 * A B   in   m-by-n and p-by-n.  They are not changed.
 * alpha beta
 *       out  n values each, on every process: k pairs 1, 0, and l others, alpha descending,
 *            of which those beyond m are 0, 1; the rest are 0.
 * U V X out  m, p and n rows, if wanted.  X is n-by-n; its columns beyond k + l are 0.
 * descA descB descU descV descX
 *       in   where they are, as in dgsvd_grid_svd.
 * info  out  0, 1, 2, -i, where i is 1 for jobu (A is 9, B is 11, alpha is 13, U is 15, V is 17,
 *            X is 19); may be NULL.  -9 or -11 if A or B has a NaN or an infinity on some process.
 *
 * Ranks.  A column counts as dependent on others if all but max(rows,16) eps of its own length is
 * in their span.  So columns may differ in size, and LAPACK's ranks, by the norm of the matrix,
 * may be smaller.
 *
 * Bits, processes that own nothing, and errors are as in dgsvd_grid_svd; GSVD_NOT_CONVERGED also
 * if columns or rows are so short beside others that the type's range does not hold both.
 *
 * Of a tall pair (docs/users/clusters.md) triangles are made by a tree of QR first, which takes
 * log P messages of n^2 numbers each way.
 *
 * On each process of P the call takes about (2 m n + p n + 7 n^2) / P numbers, or, where that is
 * more, (2 m n + p n + max(m,p) n + U's and V's entries + 3 n^2) / P.  It computes all factors,
 * whether they are asked for or not, and tests the values by them. */
GSVD_API gsvd_status_t dgsvd_grid(
    gsvd_grid_t g, char jobu, char jobv, char jobx, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, const double *A, const gsvd_grid_desc_t *descA,
    const double *B, const gsvd_grid_desc_t *descB, double *alpha, double *beta,
    double *U, const gsvd_grid_desc_t *descU,
    double *V, const gsvd_grid_desc_t *descV,
    double *X, const gsvd_grid_desc_t *descX, int *info);

/* QR factorization, A = Q R, as dgsvd_qr.
 *
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n.  On exit R on and above the diagonal, and below it the reflectors of
 *            Q = H_1 ... H_min(m,n) in LAPACK's form.
 * tau   out  min(m,n) values, on every process; may be NULL.  ScaLAPACK's PDORMQR and others take
 *            those of the columns that a process has.
 * info  out  0, 2, -i, where i is 3 for A; may be NULL.  -3 if A has a NaN or an infinity.
 *
 * Errors are as in dgsvd_grid_svd; GSVD_INTERNAL_ERROR: ScaLAPACK's result failed a test, of A x
 * and Q R x with random x.  After an error A is as it was.  On each process of P the call takes
 * about 2 m n / P numbers. */
GSVD_API gsvd_status_t dgsvd_grid_qr(
    gsvd_grid_t g, int64_t m, int64_t n,
    double *A, const gsvd_grid_desc_t *descA, double *tau, int *info);

/* QR factorization with column pivoting, A P = Q R, which reveals the rank, as dgsvd_geqp.
 *
 * A     i/o  m-by-n.  On exit R, of which the rows from rank on are full, and below its first rank
 *            columns the reflectors of Q = H_1 ... H_rank.
 * jpvt  out  n values, on every process: column j of A P is column jpvt(j) of A, counted from 1.
 * tau   out  min(m,n) values, on every process; those beyond rank are 0.
 * tol   in   in the units of A.  0: continue until the rest is 0.  Negative: LAPACK's tolerance
 *            in xGGSVD3.
 * rank  out  |R(j,j)| > tol for j <= rank, and no column of R(rank+1:m, rank+1:n) has a norm above
 *            tol.
 * info  out  0, 2, -i, where i is 3 for A, 5 for jpvt, 6 for tau, 7 for tol, 8 for rank.
 *
 * Columns come in the order of xGEQP3, one by one, with a few messages each.  Errors and memory are
 * as in dgsvd_grid_qr; a rank below min(m,n) takes m n / P numbers more. */
GSVD_API gsvd_status_t dgsvd_grid_geqp(
    gsvd_grid_t g, int64_t m, int64_t n,
    double *A, const gsvd_grid_desc_t *descA, int64_t *jpvt, double *tau,
    double tol, int64_t *rank, int *info);

/* Hyperbolic singular value decomposition with a signature J, as dgsvd_hsvd:
 *
 *     A = U Sigma V^H,    V^H J V = J' = diag(I, -I)
 *
 * jobu  in   'U': all of U;  'S': its leading n columns;  'N': U is not referenced.
 * jobv  in   'V': V;  'N': V is not referenced.
 * m n   in   rows and columns of A, m >= n.
 * n_plus in  number of entries 1 in J.
 * A     in   m-by-n.  It is not changed.
 * J     in   n values, 1 or -1, the same on every process.  NULL: the first n_plus columns have
 *            sign 1, the others -1.
 * sigma out  n values, on every process: those of sign 1, descending, then those of sign -1.
 * U V   out  m rows and n rows, if wanted.
 * info  out  0, 1, 2, -i, where i is 1 for jobu (A is 6, J is 8, sigma is 9, U is 10, V is 12);
 *            2 + j with GSVD_INVALID_ARGUMENT: column j depends on those before it, as there.
 *
 * There are no sweeps on a grid: A - U Sigma V^H is O(eps |A| |V|^2).  GSVD_NOT_CONVERGED: V has
 * columns so long that large steps lose it, or the result failed a test with random vectors x, of
 * A x - U S V^H x, V^H J V x - J' x and U^H U x - x.  Other errors and bits are as in
 * dgsvd_grid_svd.
 *
 * On each process of P the call takes about (m n + m cols(U) + 8 n^2) / P numbers.  It computes
 * U and V, whether they are asked for or not. */
GSVD_API gsvd_status_t dgsvd_grid_hsvd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    const double *A, const gsvd_grid_desc_t *descA, const int64_t *J, double *sigma,
    double *U, const gsvd_grid_desc_t *descU,
    double *V, const gsvd_grid_desc_t *descV, int *info);

/* Eigenvalues and eigenvectors of a Hermitian matrix, A = Q W Q^H, as dgsvd_eigh by its signed SVD.
 *
 * jobz  in   'V': Q, unitary;  'N': Q is not referenced.
 * uplo  in   'U', 'L': the triangle of A that is read.
 * A     in   n-by-n.  It is not changed.
 * w     out  n values, ascending, on every process.
 * Q     out  n-by-n, if wanted.
 * info  out  0, 1, 2, -i, where i is 1 for jobz (A is 4, w is 6, Q is 7).
 *
 * If the signed SVD fails its test, A Q x - Q W x with random x, the result is that of ScaLAPACK's
 * eigensolver, with errors O(eps |A|); if that fails, too, the call returns GSVD_NOT_CONVERGED.
 * Other errors and bits are as in dgsvd_grid_svd.  On each process of P the call takes about
 * 9 n^2 / P numbers. */
GSVD_API gsvd_status_t dgsvd_grid_eigh(
    gsvd_grid_t g, char jobz, char uplo, int64_t n,
    const double *A, const gsvd_grid_desc_t *descA, double *w,
    double *Q, const gsvd_grid_desc_t *descQ, int *info);

#ifdef __cplusplus
}
#endif

#include "gsvd_grid_typed.h" /* s, c and z */

#endif /* GSVD_GRID_H */
