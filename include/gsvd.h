/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.h -- generalized singular value decomposition of a matrix pair (A, B).
 *
 *     A = U D1 (0 R) Q^H,    B = V D2 (0 R) Q^H,    D1^H D1 + D2^H D2 = I
 *
 * A is m-by-n, B is p-by-n, real or complex; U, V, Q are unitary; R is upper
 * triangular and nonsingular of order k + l, where l is the numerical rank of B
 * and k + l that of (A; B).  D1 and D2 hold the generalized singular value pairs
 * (alpha, beta).
 *
 * Most programs need four calls:
 *
 *     gsvd_create         makes a handle: on a GPU, or on the CPU
 *     dgsvd               decomposes; sgsvd, cgsvd, zgsvd likewise
 *     gsvd_last_error     says what went wrong, in words
 *     gsvd_destroy        releases the handle
 *
 * This one runs with a GPU and without:
 *
 *     #include <gsvd.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         // A is 3-by-3, B is 2-by-3, both by columns
 *         double A[] = {1, 4, 7,  2, 5, 8,  3, 6, 10};
 *         double B[] = {1, 0,  2, 1,  1, 2};
 *         double alpha[3], beta[3], U[3 * 3], V[2 * 2], Q[3 * 3];
 *         int64_t k, l;
 *         gsvd_handle_t h;
 *
 *         if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS) {
 *             fprintf(stderr, "%s\n", gsvd_last_error(NULL));
 *             return 1;
 *         }
 *         gsvd_status_t status =
 *             dgsvd(h, 'U', 'V', 'Q', 3, 3, 2, &k, &l, A, 3, B, 2,
 *                   alpha, beta, U, 3, V, 2, Q, 3, NULL); // R is in A
 *         if (status == GSVD_SUCCESS)
 *             for (int64_t i = 0; i < k + l; ++i)
 *                 printf("alpha %.4f  beta %.4f\n", alpha[i], beta[i]);
 *         else
 *             fprintf(stderr, "%s: %s\n", gsvd_status_name(status),
 *                     gsvd_last_error(h));
 *         gsvd_destroy(h);
 *         return status != GSVD_SUCCESS;
 *     }
 *
 * Compiled by cc program.c $(pkg-config --cflags --libs gsvd) it prints
 *
 *     alpha 1.0000  beta 0.0000
 *     alpha 0.6295  beta 0.7770
 *     alpha 0.2115  beta 0.9774
 *
 * What follows, from simple to expert:
 *
 *     1 types and status    2 handle    3 options    4 what all routines share
 *     5 one pair: gsvd      6 its two stages: preprocess, solve
 *     7 one matrix: qr, qr_apply, qr_form, geqp, svd, hsvd, urv
 *     8 a call as a struct, and its plan    9 many problems: gsvd, svd, hsvd
 *
 * Each routine is there for s, d, c and z, as in LAPACK; for arrays in host memory, and
 * as ..._gpu for arrays in the memory of a GPU.  Here it stands in d; gsvd_typed.h,
 * included at the end, spells out s, c and z.  gsvd_run has all of them, by a struct.
 *
 * No function prints, exits, or keeps state outside its handle (but for one text,
 * that of gsvd_last_error(NULL), and libgsvd-cuda, once it is open). */
#ifndef GSVD_H
#define GSVD_H

#include <stddef.h>
#include <stdint.h>

#include "gsvd_version.h" /* GSVD_VERSION_*, GSVD_HAVE_*, GSVD_API */

/* Layout-compatible with float/double _Complex, std::complex and cuComplex.
 * Define both names before including this header to use another spelling. */
#ifndef GSVD_COMPLEX_FLOAT
#ifdef __cplusplus
#include <complex>
#define GSVD_COMPLEX_FLOAT std::complex<float>
#define GSVD_COMPLEX_DOUBLE std::complex<double>
#else
#define GSVD_COMPLEX_FLOAT float _Complex
#define GSVD_COMPLEX_DOUBLE double _Complex
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. types and status ------------------------------------------------ */

typedef GSVD_COMPLEX_FLOAT gsvd_complex_float;
typedef GSVD_COMPLEX_DOUBLE gsvd_complex_double;

typedef struct gsvd_context *gsvd_handle_t; /* opaque                        */
typedef struct CUstream_st *gsvd_stream_t;  /* a cudaStream_t                */

typedef enum gsvd_type {
    GSVD_S = 's', /* float                                                   */
    GSVD_D = 'd', /* double                                                  */
    GSVD_C = 'c', /* complex of float                                        */
    GSVD_Z = 'z'  /* complex of double                                       */
} gsvd_type_t;

typedef enum gsvd_status {
    GSVD_SUCCESS = 0,
    GSVD_NOT_CONVERGED = 1,       /* sweep limit reached; the factors are finite */
    GSVD_INVALID_HANDLE = 2,      /* NULL, or of another CUDA context        */
    GSVD_INVALID_ARGUMENT = 3,    /* *info = -i: argument i is at fault; of hsvd
                                   * also 2 + j: column j of A is            */
    GSVD_WORKSPACE_TOO_SMALL = 4, /* see gsvd_set_workspace                  */
    GSVD_OUT_OF_MEMORY = 5,       /* on the host or on the device            */
    GSVD_NOT_SUPPORTED = 6,       /* e.g. a _gpu call through a host handle  */
    GSVD_DEVICE_FAILED = 7,       /* a CUDA library failed; see gsvd_last_error */
    GSVD_INTERNAL_ERROR = 8,      /* a fault of this library; please report  */
    GSVD_OVERFLOW = 9             /* *info = 2: R is too large for the type; the
                                   * factors and all else are finite         */
} gsvd_status_t;

/* The name of a status, e.g. "GSVD_OUT_OF_MEMORY".  Never NULL. */
GSVD_API const char *gsvd_status_name(gsvd_status_t status);

/* What went wrong in the handle's last call that failed, in words; valid until
 * its next call.  Empty if none failed.  Never NULL.
 *
 * Of NULL: why this thread's last gsvd_create could not have a handle in the place
 * that it asked for, or in the last of those that GSVD_ANY tried in vain; valid
 * until the thread's next gsvd_create.  Empty if nothing failed. */
GSVD_API const char *gsvd_last_error(gsvd_handle_t h);

/* The version of the library that is running: 10000 major + 100 minor + patch;
 * compare with the GSVD_VERSION_* of the header. */
GSVD_API int gsvd_version(void);

/* ---- 2. handle ---------------------------------------------------------- */

#define GSVD_HOST (-1) /* compute on the CPU                                 */
#define GSVD_ANY (-2)  /* the first CUDA device that works, else the CPU     */

/* Creates a handle that computes on CUDA device number device, or on
 * GSVD_HOST, or on GSVD_ANY.  One handle serves one thread at a time; handles
 * are independent of each other.
 *
 * GSVD_ANY tries the devices in turn and takes the first for which a handle can
 * be had; the CPU where there is none: there is no GPU, no driver or too old a
 * one, no libgsvd-cuda, the library has no code for the GPU, its memory is full, the
 * process was forked.
 *
 * A call through a device's handle runs in the CUDA context that is current to its
 * thread if that is one of this device, else in the device's primary context, that
 * of CUDA's runtime.  It has to be the same one, of whatever thread, for all calls
 * from gsvd_create to gsvd_destroy: in another one a call is GSVD_INVALID_HANDLE, and
 * the handle is as it was.  Afterwards the thread's context is what it was; no context
 * is created on another device.  A call clears the runtime's last error
 * (cudaGetLastError), whoever left it.
 *
 * fork: a child may use a handle on the host, its parent's or its own.  Calls
 * through the parent's handle on a device are GSVD_DEVICE_FAILED there; and where
 * the parent has used CUDA, GSVD_ANY is the host.
 *
 * Fails with GSVD_NOT_SUPPORTED if the library was built without CUDA or without
 * code for this GPU, or if libgsvd-cuda, which it opens for the first device, is not
 * there or needs what is not there; GSVD_DEVICE_FAILED if there is no such device or
 * CUDA does not work, GSVD_OUT_OF_MEMORY; gsvd_last_error(NULL) says more. */
GSVD_API gsvd_status_t gsvd_create(gsvd_handle_t *h, int device);

/* Releases the handle and all memory that it owns.  Waits for the handle's
 * stream: while that is captured into a graph it is GSVD_NOT_SUPPORTED, and the
 * handle is as it was.  NULL is allowed. */
GSVD_API gsvd_status_t gsvd_destroy(gsvd_handle_t h);

/* Where the handle computes: a CUDA ordinal or GSVD_HOST. */
GSVD_API gsvd_status_t gsvd_get_device(gsvd_handle_t h, int *device);

/* All further work of the handle goes to this CUDA stream (NULL: the default
 * stream).  The handle's memory stays the same: work that it has queued on the old
 * stream must be done, or the new stream must wait for it.  GSVD_NOT_SUPPORTED on a
 * host handle. */
GSVD_API gsvd_status_t gsvd_set_stream(gsvd_handle_t h, gsvd_stream_t stream);

/* The workspace of all further calls through the handle, until another is set.  By
 * default the handle allocates what its calls need, and keeps it.
 *
 * dwork in   memory of the handle's device, dwork_bytes of it.  A handle on the
 *            host does not look at it.
 * hwork in   memory of the host, hwork_bytes of it.
 *
 * Either may be NULL: the handle's own then, and the bytes are not looked at.
 * Workspace may begin at any address.  A call needs no more bytes than gsvd_plan_bytes
 * tells of a plan for its shape with the handle's options, whatever
 * the number of threads, and takes no other memory; with fewer than it needs, which may
 * be less than it was told, it ends with GSVD_WORKSPACE_TOO_SMALL.  Batches on the host
 * are as told below.
 *
 * The memory remains the caller's, who releases it.  No call needs what an earlier
 * one left there, so that it may serve other purposes between calls, and other
 * workspace may be set between any two.  It is in use until the call returns and,
 * after a _gpu call, until the stream has done the work of that.  Handles that work
 * at the same time need workspaces of their own. */
GSVD_API gsvd_status_t gsvd_set_workspace(
    gsvd_handle_t h, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes);

/* ---- 3. options --------------------------------------------------------- */

/* What a handle goes by. */
typedef enum gsvd_option {
    GSVD_SOLVER = 0,     /* one of gsvd_solver_t; default GSVD_SOLVER_AUTO   */
    GSVD_FORM = 1,       /* one of gsvd_form_t; default GSVD_FORM_LAPACK     */
    GSVD_MAX_SWEEPS = 2, /* sweeps or large steps of Jacobi, >= 1; default 30 */
    GSVD_PIVOT = 3,      /* one of gsvd_pivot_t; default GSVD_PIVOT_TOURNAMENT */
    GSVD_PANEL = 4,      /* one of gsvd_panel_t; default GSVD_PANEL_AUTO     */
    GSVD_SVD = 5,        /* one of gsvd_svd_option_t; default GSVD_SVD_AUTO  */
    GSVD_EQUILIBRATE = 6, /* one of gsvd_equilibrate_t; default
                           * GSVD_EQUILIBRATE_AUTO                           */
    GSVD_RANK = 7,        /* one of gsvd_rank_t; default GSVD_RANK_NORM      */
    /* tolerances; negative: the default                                     */
    GSVD_TOL_A = 8,       /* rank of A: max(m,n) max(||A||_1, safmin) ulp, of the pair that
                           * GSVD_EQUILIBRATE and GSVD_RANK leave; by _AUTO no larger than
                           * of the pair itself                              */
    GSVD_TOL_B = 9,       /* rank of B: max(p,n) max(||B||_1, safmin) ulp    */
    GSVD_TOL_JACOBI = 10  /* cosine between columns that count as orthogonal;
                           * default sqrt(max(rows,16)) eps                  */
} gsvd_option_t;

typedef enum gsvd_form {
    GSVD_FORM_LAPACK = 0, /* A = U D1 (0 R) Q^H, B = V D2 (0 R) Q^H          */
    GSVD_FORM_X = 1       /* A = U D1 X^H, B = V D2 X^H, X = Q (0 R)^H.  Where B has full
                           * column rank and TANGENT's result was used, each column of
                           * A and of B comes out to its own rounding, a few ulp of
                           * its length, whatever these lengths are           */
} gsvd_form_t;

/* How the triangular pair is solved.  gsvd_stats_t tells whose result was used. */
typedef enum gsvd_solver {
    GSVD_SOLVER_AUTO = 0,    /* TANGENT                                      */
    GSVD_SOLVER_TGSJA = 1,   /* LAPACK's xTGSJA, on the host; where its 40 cycles
                              * do not suffice, or its rows are not parallel,
                              * AUTO's takes over                            */
    GSVD_SOLVER_TANGENT = 2, /* the singular values of A B^-1, by one-sided Jacobi:
                              * small values are relatively accurate wherever the
                              * pair determines them up to scalings of its rows and
                              * columns.  Where its check finds that B is
                              * conditioned too badly for that, or where a column of
                              * A is longer or shorter than that of B by more than
                              * 1e138 (single 1e16), CSD takes over          */
    GSVD_SOLVER_CSD = 3      /* the CS decomposition of the orthonormalized pair,
                              * by one-sided Jacobi: accurate to rounding against 1,
                              * whatever the pair, once A and B are scaled to largest
                              * entries of one size                          */
} gsvd_solver_t;

/* How one-sided Jacobi makes columns orthogonal, in the SVD, the GSVD and the hyperbolic
 * SVD.  Both roads go on until all pairs of columns are orthogonal relative to their
 * lengths.
 *
 * In single precision large steps compute in double where that is faster: from 64
 * columns on on GPUs whose double precision has half the rate of single, from 1600 on on
 * the host.  The workspace is more than twice as large then; GSVD_SVD_JACOBI does without
 * that. */
typedef enum gsvd_svd_option {
    GSVD_SVD_AUTO = 0,  /* large steps where columns are many: eigenvectors of Gram
                         * matrices of columns of like length, QR between these passes,
                         * steps that rotate all pairs at once; where they make no
                         * progress, sweeps                                  */
    GSVD_SVD_JACOBI = 1 /* sweeps over all pairs of columns, in blocks from 256
                         * columns on                                        */
} gsvd_svd_option_t;

/* How preprocess, geqp and urv order the columns; the ranks are decided on the
 * triangular factor, whatever the order. */
typedef enum gsvd_pivot {
    GSVD_PIVOT_TOURNAMENT = 0, /* blocks of columns, the winners of a tournament
                                * of their random sketch                     */
    GSVD_PIVOT_NORM = 2        /* LAPACK's order: one by one, the longest first;
                                * its ranks too, where Kahan's matrix misleads it
                                * (TOURNAMENT looks once more)               */
} gsvd_pivot_t;

/* How the panels of a QR factorization are factored.  All roads end in the same
 * Householder form, backward stable.  A pair whose rows differ much in size takes neither
 * TSQR nor two passes, but Householder's reflectors. */
typedef enum gsvd_panel {
    GSVD_PANEL_AUTO = 0, /* on a GPU Cholesky QR, once or twice as the condition of
                          * 32 columns asks for, or of more in single precision,
                          * where it proves safe while it runs, else TSQR or
                          * Householder; on the CPU Householder              */
    GSVD_PANEL_TSQR = 1  /* Givens rotations over a tree of 32-row leaves    */
} gsvd_panel_t;

/* Whether the GSVD of a pair whose columns differ in size is that of (A D, B D), D diagonal,
 * whose columns are alike: powers of two, so that nothing is rounded.  The generalized values
 * are the same, and R, X and Q are those of A and B.  The ranks are those of the scaled pair:
 * a common scale of A's and B's columns, such as units of measurement, changes none.  A
 * tolerance of LAPACK's takes a column for zero that is below rounding of the longest one; it
 * cannot tell a small unit from the rounding error that is left of a zero. */
typedef enum gsvd_equilibrate {
    GSVD_EQUILIBRATE_AUTO = 0, /* columns that LAPACK's tolerances take for zero, A's and B's
                                * both, are left as they are, and count only where they
                                * would with OFF, as parts of null vectors of B; nothing is
                                * scaled where GSVD_TOL_A or GSVD_TOL_B is given */
    GSVD_EQUILIBRATE_ON = 1,   /* all columns but zeros count, however short; tolerances that
                                * are given refer to the scaled pair, whose columns are as
                                * long as the longest one of A or of B       */
    GSVD_EQUILIBRATE_OFF = 2   /* the ranks of xGGSVD3                       */
} gsvd_equilibrate_t;

/* Against what the ranks k and l of a pair are decided.  A rank does not change when a row is
 * multiplied by a number, but a tolerance that is taken of the norm counts no row that is below
 * rounding of the largest one.
 *
 * GSVD_RANK_ROWS, where the largest entries of A's rows, or of B's, differ by more than 8:
 * l is the rank of D_B B, and k + l that of (D_A A; D_B B), where D_A and D_B are diagonal,
 * of the powers of two that bring the largest entry of each row that is not 0 into [1/2, 1).
 * So a row counts, however small, unless the others make it up to rounding of its own size:
 *
 *     l  the diagonal entries of the pivoted QR of D_B B that are larger than
 *        max(p,n) ||D_B B||_1 ulp;
 *     k  those of D_A A Q1, Q1 the n - l columns of Q that span B's null space, that are
 *        larger than max(m,n) ||D_A A||_1 ulp.
 *
 * Tolerances that are given have no unit then: they are those of D_A A and D_B B, and in the
 * place of a matrix whose rows are alike of that matrix over the power of two above its largest
 * entry.  U, V, Q and R are those of A and B, and what is left out is small against each row.
 * It takes a second QR of each such matrix, and memory for a copy of the larger one.  The
 * matrices of a batch are decomposed one by one. */
typedef enum gsvd_rank {
    GSVD_RANK_NORM = 0, /* the norm of the matrix: LAPACK's tolerances       */
    GSVD_RANK_ROWS = 1  /* the size of each row                              */
} gsvd_rank_t;

/* Sets an option for all further calls through the handle.  The ranks' tolerances are
 * absolute, in the units of A and of B, unless GSVD_RANK_ROWS asks for ranks relative to rows.
 * GSVD_INVALID_ARGUMENT for an unknown key, a value out of range, a NaN or an infinity. */
GSVD_API gsvd_status_t gsvd_set_option(gsvd_handle_t h, gsvd_option_t key,
                                       double value);

/* *value := what was set, or the default. */
GSVD_API gsvd_status_t gsvd_get_option(gsvd_handle_t h, gsvd_option_t key,
                                       double *value);

/* Options and callback := those of a new handle; workspace := the handle's own.  The stream stays,
 * and so does the memory that the handle has. */
GSVD_API gsvd_status_t gsvd_reset(gsvd_handle_t h);

/* Called by the Jacobi solver after each sweep or large step with the number of
 * rotations and exchanges in it, for a large step all pairs of columns; it converges
 * when that is 0, by CSD for A's part and, where it is needed, for B's.  A non-zero
 * return stops the solver: the call then ends with GSVD_NOT_CONVERGED.  No call through
 * the handle may be made from it. */
typedef int (*gsvd_progress_t)(void *user, int sweep, int64_t rotations);

/* From now on fn(user, ...) is called once a sweep; NULL: no more. */
GSVD_API gsvd_status_t gsvd_set_progress(gsvd_handle_t h, gsvd_progress_t fn,
                                         void *user);

/* Of the handle's last call with a pair, or of svd or hsvd; the others leave it. */
typedef struct gsvd_stats {
    size_t size;          /* sizeof(gsvd_stats_t), set by the caller         */
    int64_t k, l;
    int device;           /* where it ran: a CUDA ordinal or GSVD_HOST       */
    gsvd_solver_t solver; /* the solver whose result was used                */
    int sweeps;           /* of Jacobi, or its large steps, or cycles of xTGSJA:
                           * at most GSVD_MAX_SWEEPS each time that columns are
                           * made orthogonal, up to twice for svd (large steps,
                           * then sweeps), up to four times for a pair, and for
                           * hsvd as often as its test asks for; 0 where nothing
                           * was rotated                                     */
    int converged;        /* 0 or 1                                          */
    int rows_of_a;        /* 1: A's rank was decided relative to its rows, by
                           * GSVD_RANK_ROWS; else 0                          */
    int rows_of_b;        /* the same of B                                   */
    double seconds_preprocess, seconds_solve; /* wall time, up to the host   */
    double seconds_total; /* waits; work that is still queued is not in it   */
} gsvd_stats_t; /* n <= 4 on the host: times may be 0, since reading the clock
                 * takes as long                                             */

/* *stats := these statistics, in the first stats->size bytes.  A library older than the
 * program's header sets the members that it does not know to 0. */
GSVD_API gsvd_status_t gsvd_get_stats(gsvd_handle_t h, gsvd_stats_t *stats);

/* ---- 4. what all routines share ----------------------------------------- */

/* Names.  dgsvd_qr takes arrays in host memory, wherever the handle computes, and
 * returns when all results are there.  dgsvd_qr_gpu takes arrays in the memory of
 * the handle's CUDA device; k, l, rank and info are in host memory, as ever.
 * gsvd_run has the routine, the type and the place as members of a struct, for bindings
 * and templates: matrices and tau are of this type, alpha and beta of its real type,
 * tolerances are double.  A type that the library was built without (GSVD_HAVE_S
 * and so on are 0) is GSVD_NOT_SUPPORTED, and a program that uses a name with its
 * letter does not compile, or does not link.
 *
 * Waiting.  A _gpu call queues its work on the handle's stream.  It waits for the
 * stream only where it needs a number on the host: whether the input is finite,
 * the ranks, whether the solver has converged.  It returns with k, l, rank and
 * info valid, while its last steps may still be queued.  Through a host handle it
 * is GSVD_NOT_SUPPORTED.
 *
 * Arguments.  Their order and their meaning are LAPACK's, with the handle in front
 * and no workspace.  Sizes are int64_t, and none is negative or above 2^31 - 1.
 * Jobs are letters of either case.  A matrix is stored by columns, those of A at
 * a distance of lda elements.  An array that has no elements, or that no job asks
 * for, is not referenced and may be NULL.
 *
 * An array begins at an address aligned for its elements: in host memory for
 * float, double or int64_t, of which complex numbers consist; in the memory of a
 * device a multiple of the size of the elements, complex ones in one piece.  So
 * each element of an array may be the first one of another, with any leading
 * dimension.  An array that begins between two elements is an illegal argument.
 *
 * Errors.  The status says what happened, gsvd_last_error says it in words, and
 * *info (info may be NULL) is LAPACK's number:
 *
 *      0  done: GSVD_SUCCESS.
 *     -i  argument i is illegal, counted as in LAPACK's routine of the same list,
 *         that is, without the handle and the type: GSVD_INVALID_ARGUMENT.  A NaN
 *         or an infinity in an array that is read makes it illegal.
 *      1  GSVD_NOT_CONVERGED: the sweep limit was reached, the callback stopped,
 *         or values are too small for the type beside the largest ones.  All
 *         results are set, and finite.
 *      2  GSVD_OVERFLOW: R, or X, or another result, has entries beyond the largest
 *         number: they are infinite, all else stands as it should, and
 *         gsvd_last_error tells the power of two times which the input has a
 *         result that fits.
 *      2 + j  hsvd alone: column j of A depends on the columns before it.
 *     -1000 - status  any other failure, e.g. -1005 without memory.
 *
 * With -i the arrays that the routine reads are as they were.
 *
 * Scale.  A matrix next to overflow or underflow is scaled by a power of two during
 * the call; only a result without a representation, such as the length of a column
 * of huge entries, overflows.
 *
 * Bits.  A call repeated has the same results, bit for bit, on the same machine
 * or device, with the same options, leading dimensions and alignment of the
 * arrays, the same BLAS and number of its threads; whatever the number of our
 * own.  A change of any of these may change the rounding.
 *
 * The process.  No call prints, ends the program, or changes errno or how the thread
 * computes (rounding, traps).
 *
 * Threads.  A call on the host uses the threads of the BLAS and, while Jacobi's
 * sweeps run and the BLAS does not, threads of its own, as many as a parallel
 * region of OpenMP would have (OMP_NUM_THREADS), or one if it is called inside of
 * such a region.  They end with the sweep.
 *
 * Workspace.  gsvd_plan_bytes tells the bytes that a call needs on the device and on the
 * host, for its shape and the handle's options; a program that sets the workspace
 * (gsvd_set_workspace) makes a plan and asks for them.
 * These are all the memory that a call takes: at most 2.5 times A and B and 32 MiB
 * to preprocess a pair (with GSVD_RANK_ROWS the larger of both, and its square part,
 * more), for a large square one 3 times both in all, 1.53 times where only values are
 * asked for (of single precision, where GSVD_SVD_AUTO computes in double, 7.25 and 4.75
 * times both; on devices of other than compute capability 9, and of more than 8192
 * columns, complex 4096, cuSOLVER takes 1.25 times both more, in double 2.5);
 * for qr, qr_apply and qr_form at most the matrix and 32 MiB, half of it and 32 MiB if
 * it is square.  A handle of a device copies arrays from the host there, and these
 * copies come on top; from the first array of 4 MiB on it keeps 12 MiB of pinned memory
 * that such arrays go through, by as many threads as above, unless they are pinned
 * themselves or hwork is set. */

/* ---- 5. one pair -------------------------------------------------------- */

/* GSVD of one pair of matrices, xGGSVD3's job.
 *
 * jobu  in   'U': U in full, m-by-m;  'S': economy, its leading min(m,n)
 *            columns;  'N': U is not referenced.
 * jobv  in   'V': V in full, p-by-p;  'S': its leading min(p,n) columns;  'N'.
 * jobq  in   'Q': Q in full, n-by-n;  'S': its trailing min(n,m+p) columns;
 *            'N'.  With GSVD_FORM_X, 'Q' or 'S' ask for X.
 *            With all three jobs 'N' only k, l, alpha and beta are computed.
 * m n p in   rows of A, columns of A and B, rows of B.
 * k l   out  the ranks, as above.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit, unless all jobs are 'N': R, or
 *            its first m rows, in A(1:min(m,k+l), n-k-l+1:n).
 * B     i/o  p-by-n, ldb >= max(1,p).  On exit, unless all jobs are 'N', and
 *            if m < k+l: the other rows of R, in B(m-k+1:l, n+m-k-l+1:n).
 *            All other contents of A and B are lost.
 * alpha out  n values each.  alpha(1:k) = 1, beta(1:k) = 0; alpha(k+1:k+l) and
 * beta       beta(k+1:k+l) are the nontrivial pairs with alpha descending (and
 *            alpha = 0, beta = 1 for those beyond m); the rest are 0.
 * U     out  ldu >= max(1,m) if wanted, else >= 1.
 * V     out  ldv >= max(1,p) if wanted, else >= 1.
 * Q     out  ldq >= max(1,n) if wanted, else >= 1.  With GSVD_FORM_X: X, n-by-
 *            (k+l), in the leading columns; the others are set to 0.
 * info  out  0, -i with xGGSVD3's numbers (A is 9, B is 11), 1, 2.
 *
 * D1 is m-by-(k+l) and D2 is p-by-(k+l), as in xGGSVD3:  D1 = (I 0; 0 C; 0 0) and
 * D2 = (0 S; 0 0) with C = diag(alpha(k+1:k+l)), S = diag(beta(k+1:k+l)) if
 * m >= k+l; else their first m-k diagonal entries, and D2 goes on with ones.
 *
 * Range.  Lengths of A's columns, and of B's, may differ by 1e420 (single 1e40), and so may the
 * quotients alpha / beta; rows of A by 1e280 (1e28).  A call with columns, rows or quotients
 * that the range does not hold beside larger ones ends with GSVD_NOT_CONVERGED.
 *
 * All options and tolerances apply.  Source: preprocessing, Flegar 2016, theorem
 * 1.3 and section 2.4; solver, Drmac 1998 (the tangent) or Van Loan 1985 (the CS
 * decomposition), by one-sided Jacobi, Novakovic 2015, (13)-(18). */
GSVD_API gsvd_status_t dgsvd(
    gsvd_handle_t h, char jobu, char jobv, char jobq,
    int64_t m, int64_t n, int64_t p, int64_t *k, int64_t *l,
    double *A, int64_t lda, double *B, int64_t ldb,
    double *alpha, double *beta,
    double *U, int64_t ldu, double *V, int64_t ldv, double *Q, int64_t ldq,
    int *info);

/* ---- 6. its two stages -------------------------------------------------- */

/* Preprocessing, xGGSVP3's job: unitary U, V, Q that make the pair triangular,
 *
 *               n-k-l  k    l                       n-k-l  k    l
 *     U^H A Q = (  0  A12  A13 ) k        V^H B Q = (  0   0   B13 ) l
 *               (  0   0   A23 ) min(l,m-k)         (  0   0    0  ) p-l
 *               (  0   0    0  )
 *
 * with A12 and B13 nonsingular upper triangular, A23 upper trapezoidal.
 *
 * jobu, jobv, jobq  in   as in gsvd.
 * m p n       in   rows of A, rows of B, columns; in xGGSVP3's order.
 * A, B        i/o  m-by-n and p-by-n, lda >= max(1,m), ldb >= max(1,p).  On exit
 *                  the triangular pair, zeros included.
 * tola, tolb  in   a diagonal entry of a pivoted QR counts if it is larger;
 *                  negative: LAPACK's defaults, see GSVD_TOL_A.
 * k l U V Q   out  as in gsvd.
 * info        out  0, -i with xGGSVP3's numbers (A is 7, B is 9), 1, 2.
 *
 * Rows apart by more than 8 are sorted meanwhile, so that a small one keeps its own relative
 * accuracy; small rows of B count only where tolb is below them, or with GSVD_RANK_ROWS, by
 * which tola and tolb go, too.  Columns are not scaled (GSVD_EQUILIBRATE): the triangles are
 * those of A and B.  Columns that are lost beside ones longer by 1e420 (single 1e40) are
 * GSVD_NOT_CONVERGED.
 *
 * Options GSVD_PIVOT, GSVD_PANEL and GSVD_RANK apply.  Source: Flegar 2016, theorem 1.3; Bai
 * and Zha 1993; Cox and Higham 1998. */
GSVD_API gsvd_status_t dgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq,
    int64_t m, int64_t p, int64_t n,
    double *A, int64_t lda, double *B, int64_t ldb, double tola, double tolb,
    int64_t *k, int64_t *l,
    double *U, int64_t ldu, double *V, int64_t ldv, double *Q, int64_t ldq,
    int *info);

/* The GSVD of a triangular pair, xTGSJA's job; the pair is what preprocess
 * leaves.
 *
 * jobu        in   'U': U holds a unitary U1 on entry and U1 U on exit;
 *                  'I': U is set;  'N': not referenced.  U is m-by-m.
 * jobv, jobq  in   'V' and 'Q', 'I', 'N' likewise; p-by-p and n-by-n.
 *                  With all three 'N' only alpha and beta are computed.
 * m p n       in   rows of A, rows of B, columns.
 * k l         in   of the triangular pair; k <= min(m,n), l <= min(p,n-k).
 * A, B        i/o  m-by-n and p-by-n, lda >= max(1,m), ldb >= max(1,p).  On exit R,
 *                  as in gsvd; all other contents are lost.
 * tola, tolb  in   xTGSJA's convergence criteria, used by GSVD_SOLVER_TGSJA
 *                  alone; negative: LAPACK's defaults, as for the ranks.
 * alpha, beta out  as in gsvd.
 * U, V, Q     i/o  ldu >= max(1,m), ldv >= max(1,p), ldq >= max(1,n) of those that
 *                  are wanted, else >= 1.
 * info        out  0, -i with xTGSJA's numbers (A is 9, B is 11), 1, 2.
 *
 * Range.  As in gsvd, but rows of a triangle may be short by rounding alone: values that the
 * range does not hold beside larger ones, since rows of A are far apart, are right to rounding
 * against 1, and the status does not tell.
 *
 * The options of gsvd apply but for GSVD_FORM.  Source: see gsvd. */
GSVD_API gsvd_status_t dgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq,
    int64_t m, int64_t p, int64_t n, int64_t k, int64_t l,
    double *A, int64_t lda, double *B, int64_t ldb, double tola, double tolb,
    double *alpha, double *beta,
    double *U, int64_t ldu, double *V, int64_t ldv, double *Q, int64_t ldq,
    int *info);

/* ---- 7. one matrix ------------------------------------------------------- */

/* QR factorization, xGEQRF's job: A = Q R with Q = H_1 H_2 ... H_min(m,n) and
 * H_j = I - tau(j) v_j v_j^H.
 *
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit R, upper triangular or
 *            trapezoidal, on and above the diagonal; below it v_j(j+1:m), whose
 *            v_j(j) = 1 and leading zeros are not stored.
 * tau   out  min(m,n) values; or NULL: R alone, and what A holds below the
 *            diagonal on exit is undefined.  If m >= n and n <= 32, that saves
 *            the reflectors, and R's diagonal is nonnegative; otherwise R is
 *            the same as with tau, its diagonal of either sign.
 * info  out  0, -i with xGEQRF's numbers (A is 3), 2.
 *
 * Option GSVD_PANEL applies.  Source: panels, Flegar 2016, section 2.2 (TSQR:
 * Demmel, Grigori, Hoemmen and Langou 2012); their reflectors, Ballard et al.
 * 2014. */
GSVD_API gsvd_status_t dgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n,
    double *A, int64_t lda, double *tau, int *info);

/* C := op(Q) C or C op(Q), xORMQR's job, with the Q of qr or of geqp.
 *
 * side  in   'L': op(Q) C;  'R': C op(Q).
 * op    in   'N': Q;  'C': Q^H;  'T': the same for real types.
 * m n   in   rows and columns of C.
 * k     in   Q = H_1 ... H_k, 0 <= k <= q, where q is m for side 'L', else n.
 * A tau in   q-by-k, lda >= max(1,q), as qr left its first k columns, and k
 *            values; neither is changed.  R is not used, but must be finite.
 * C     i/o  m-by-n, ldc >= max(1,m).
 * info  out  0, -i with xORMQR's numbers (A is 6, tau is 8, C is 9), 2.
 *
 * No options apply.  Source: Schreiber and Van Loan 1989. */
GSVD_API gsvd_status_t dgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const double *A, int64_t lda, const double *tau,
    double *C, int64_t ldc, int *info);

/* A := the leading n columns of Q = H_1 ... H_k, xORGQR's job.
 *
 * m n k in   m >= n >= k >= 0.
 * A     i/o  m-by-n, lda >= max(1,m).  On entry its first k columns are as qr
 *            left them; R is not used, but must be finite.
 * tau   in   k values.
 * info  out  0 or -i with xORGQR's numbers (A is 4, tau is 6).
 *
 * No options apply.  Source: Schreiber and Van Loan 1989. */
GSVD_API gsvd_status_t dgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k,
    double *A, int64_t lda, const double *tau, int *info);

/* QR factorization with column pivoting that reveals the rank, xGEQP3's job:
 *
 *                      rank  n-rank
 *     A P = Q R,  R = ( R11   R12 ) rank      R11 upper triangular, every
 *                     (  0    R22 ) m-rank    |R11(j,j)| > tol
 *
 * where no column of R22 is longer than tol.  All columns are free: jpvt is not
 * read.
 *
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit R, R22 in full, and below R11
 *            the reflectors of Q = H_1 ... H_rank, as in qr.
 * jpvt  out  n values: column j of A P was column jpvt(j) of A, counted from 1.
 * tau   out  min(m,n) values; those behind rank are 0.
 * tol   in   in the units of A; 0: go on as long as anything is left;
 *            negative: max(m,n) max(||A||_1, safmin) ulp, LAPACK's tolerance
 *            in xGGSVD3.  A NaN is an illegal argument.
 * rank  out  of A, as above.
 * info  out  0, -i with xGEQP3's numbers up to tau (A is 3, jpvt is 5), tol is 7,
 *            rank is 8; 2.
 *
 * Options GSVD_PIVOT and GSVD_PANEL apply; with GSVD_PIVOT_NORM the order is
 * xGEQP3's up to rounding.  Source: Flegar 2016, section 2.3; Demmel, Grigori,
 * Gu and Xiang 2015; Martinsson et al. 2015. */
GSVD_API gsvd_status_t dgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda,
    int64_t *jpvt, double *tau, double tol, int64_t *rank, int *info);

/* Singular value decomposition  A = U Sigma V^H,  U m-by-m and V n-by-n unitary,
 * Sigma m-by-n with the values sigma(1) >= ... >= sigma(min(m,n)) >= 0 on its
 * diagonal, by pivoted QR and one-sided Jacobi.  The values of D B or B D, D diagonal,
 * are as accurate relative to each as B is well conditioned: of B D while lengths of
 * columns differ by less than 1e420, single 1e40, of D B while rows differ by less than
 * 1e300, single 1e36.  Where they differ by more, so that values may be lost below the
 * largest one, the call ends with GSVD_NOT_CONVERGED.  By large steps a square
 * matrix whose rows and columns are of like size takes no QR, and on the host its values
 * alone come from its bidiagonal form, up to rounding of |A|.
 *
 * jobu  in   'U': U in full;  'S': its leading min(m,n) columns;  'N': U is not
 *            referenced.
 * jobv  in   'V': V in full;  'S': its leading min(m,n) columns;  'N'.
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  Its contents are lost.
 * sigma out  min(m,n) values, descending.
 * U     out  ldu >= max(1,m) if wanted, else >= 1.
 * V     out  ldv >= max(1,n) if wanted, else >= 1: V, not V^H.
 * info  out  0, 1, 2 or -i: jobu is 1, jobv 2, m 3, n 4, A 5, lda 6, sigma 7, U 8,
 *            ldu 9, V 10, ldv 11.
 *
 * Options GSVD_PIVOT, GSVD_PANEL, GSVD_SVD and GSVD_MAX_SWEEPS and the callback apply.
 * gsvd_get_stats: k is the rank that the pivoted QR reveals or, where large steps take
 * columns in the order of their lengths, the number of columns (of rows, m < n) that are
 * not 0; l is 0; sweeps is 0 for values of the bidiagonal form, of which the callback is
 * not told.  Source: Drmac and Veselic 2008; Novakovic 2015, (13)-(18). */
GSVD_API gsvd_status_t dgsvd_svd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n,
    double *A, int64_t lda, double *sigma,
    double *U, int64_t ldu, double *V, int64_t ldv, int *info);

/* Hyperbolic singular value decomposition with the signature J = diag(+1 or -1):
 *
 *     A = U Sigma V^H,    V^H J V = J' = diag(I, -I),    A J A^H = U Sigma^2 J' U^H
 *
 * U m-by-m unitary, V n-by-n, Sigma m-by-n with the values sigma(j) > 0 on its
 * diagonal, by QR and one-sided Jacobi with trigonometric and hyperbolic rotations.
 * The columns of A must be independent, m >= n; the third equation is the
 * decomposition of the symmetric indefinite A J A^H into eigenvalues and -vectors.
 *
 * jobu  in   'U': U in full;  'S': its leading n columns;  'N': U is not referenced.
 * jobv  in   'V': V;  'N': V is not referenced.
 * m n   in   rows and columns of A, m >= n.
 * n_plus in  how many entries of J are 1: the order of I in J', 0 to n.
 * A     i/o  m-by-n, lda >= max(1,m).  Its contents are lost.
 * J     in   n values, 1 or -1, n_plus of them 1: the signs of the columns of A;
 *            or NULL: the first n_plus columns have sign 1, the others -1.
 * sigma out  n values: those of sign 1, descending, then those of sign -1,
 *            descending.
 * U     out  ldu >= max(1,m) if wanted, else >= 1.
 * V     out  ldv >= max(1,n) if wanted, else >= 1: V, not V^H.
 * info  out  0, 1, 2 or -i: jobu is 1, jobv 2, m 3, n 4, n_plus 5, A 6, lda 7, J 8,
 *            sigma 9, U 10, ldu 11, V 12, ldv 13.  2 + j with GSVD_INVALID_ARGUMENT:
 *            of column j, counted from 1, at most max(m,16) eps of its length, up
 *            to a factor of 2, is outside the span of the columns before it.  Then
 *            A's contents are lost, and there are no results.
 *
 * The values of A = B D, D diagonal, are as accurate relative to each as B is well
 * conditioned, while the lengths of columns differ by less than 1e420, single 1e38; a
 * call with columns that are lost beside longer ones ends with GSVD_NOT_CONVERGED.
 * V is as long as the problem is hard: next to columns of unequal sign that are
 * nearly parallel its norm has no bound.  A is U Sigma V^H up to eps |A| |V|, and up
 * to eps |A| |V|^2 by large steps, which leave to sweeps what takes transformations
 * with columns longer than 40.  V^H J V is J' up to a small multiple of n eps, entry by
 * entry relative to the lengths of two columns of V.  Each call tests that, and A, with
 * a few random vectors; what fails is mended or begun anew by a surer road, and
 * GSVD_NOT_CONVERGED if none is left.  Without V all that is tested is the product of
 * the values.
 *
 * GSVD_SVD, GSVD_MAX_SWEEPS and the callback apply.  gsvd_get_stats: k is n, l is 0.  Source:
 * Novakovic 2015, (13)-(18); Veselic 1993; Onn, Steinhardt and Bojanczyk 1991. */
GSVD_API gsvd_status_t dgsvd_hsvd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    double *A, int64_t lda, const int64_t *J, double *sigma,
    double *U, int64_t ldu, double *V, int64_t ldv, int *info);

/* Complete orthogonal decomposition: unitary U and V, m-by-m and n-by-n, and a
 * nonsingular upper triangular R of order r, the rank of A:
 *
 *              n-r   r
 *     A = U  (  0    R  ) r    V^H
 *            (  0    0  ) m-r
 *
 * jobu  in   'U': U in full;  'S': its leading min(m,n) columns;  'N': U is not
 *            referenced.
 * jobv  in   'V': V in full;  'S': its trailing min(m,n) columns;  'N'.
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit (0 R; 0 0), zeros included.
 * tol   in   as in geqp; what geqp leaves below it is dropped.
 * rank  out  r.
 * U     out  ldu >= max(1,m) if wanted, else >= 1.
 * V     out  ldv >= max(1,n) if wanted, else >= 1.
 * info  out  0, 2 or -i: jobu is 1, jobv 2, m 3, n 4, A 5, lda 6, tol 7, rank 8,
 *            U 9, ldu 10, V 11, ldv 12.
 *
 * Options GSVD_PIVOT and GSVD_PANEL apply.  Source: Flegar 2016, proposition
 * 1.4. */
GSVD_API gsvd_status_t dgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n,
    double *A, int64_t lda, double tol, int64_t *rank,
    double *U, int64_t ldu, double *V, int64_t ldv, int *info);

/* ---- 8. a call as a struct, and its plan ---------------------------------- */

/* Every routine, of any type, of one problem or of many, with arrays on the host or on the
 * device, is one call:
 *
 *     gsvd_problem_t p = {.size = sizeof p, .routine = GSVD_ROUTINE_SVD, .type = GSVD_D,
 *                         .job = {'S', 'S'}, .m = 300, .n = 200,
 *                         .A = {.data = A}, .U = {.data = U}, .V = {.data = V},
 *                         .alpha = {.data = sigma}};
 *     status = gsvd_run(h, &p);
 *
 * What is left 0 has a meaning, which is told at each member. */

typedef enum gsvd_routine {
    GSVD_ROUTINE_GSVD = 1,
    GSVD_ROUTINE_PREPROCESS = 2,
    GSVD_ROUTINE_SOLVE = 3,
    GSVD_ROUTINE_QR = 4,
    GSVD_ROUTINE_QR_APPLY = 5,
    GSVD_ROUTINE_QR_FORM = 6,
    GSVD_ROUTINE_GEQP = 7,
    GSVD_ROUTINE_SVD = 8,
    GSVD_ROUTINE_HSVD = 9,
    GSVD_ROUTINE_URV = 10
} gsvd_routine_t;

typedef enum gsvd_place {
    GSVD_PLACE_HOST = 0,  /* host memory, wherever the handle computes       */
    GSVD_PLACE_DEVICE = 1 /* the memory of the handle's device, as of ..._gpu */
} gsvd_place_t;

/* An array of one problem, or that array of many */
typedef struct gsvd_array {
    void *data;             /* of the first problem; NULL: there is none, or each
                             * has them                                      */
    void *const *each;      /* one address for each problem; NULL: they are stride
                             * apart                                         */
    int64_t ld;             /* leading dimension; 0: the rows                */
    int64_t stride;         /* elements from one problem's to the next one's; 0: one
                             * behind another, ld columns apart; of signs: all
                             * problems have the same                        */
    const int64_t *each_ld; /* with each alone: a leading dimension for each problem;
                             * NULL: ld                                      */
} gsvd_array_t;

/* The members have the names of the routine's arguments above, where their shapes and meanings
 * are told; what a routine does not have is not looked at.
 *
 * With a batch above 0 there are so many problems, of gsvd, svd or hsvd, each of which is
 * decomposed by itself (section 9).  m, n and p are their sizes, or, with each_m, each_n and
 * each_p, the largest ones.  Lists (each, each_ld, each_m ..., k_out, l_out, info) have an
 * element for each problem and are where the arrays are.  signs have no each.
 *
 * With batch 0 there is one problem; lists and strides are illegal then, and k_out, l_out and
 * info are in host memory. */
typedef struct gsvd_problem {
    size_t size; /* sizeof(gsvd_problem_t), of the header that the program was compiled
                  * with: members that a later one adds are 0 then           */
    gsvd_routine_t routine;
    gsvd_type_t type;
    gsvd_place_t place;
    char job[4];        /* jobu, jobv, jobq, 0: 'N'; of qr_apply side, 0: 'L', and op,
                         * 0: 'N'                                            */
    int64_t m, n, p;    /* sizes                                             */
    int64_t k, l;       /* sizes too, of solve, qr_apply and qr_form         */
    int64_t n_plus;     /* of hsvd                                           */
    int64_t batch;      /* the number of problems; 0: one, which is no batch */
    const int64_t *each_m, *each_n, *each_p; /* sizes of each problem; NULL: m, n, p */
    double tol[2];      /* tola and tolb, or tol; 0 or negative: the default */
    gsvd_array_t A, B;
    gsvd_array_t U, V, Q;
    gsvd_array_t C;     /* what qr_apply multiplies                          */
    gsvd_array_t tau;
    gsvd_array_t alpha; /* or sigma                                          */
    gsvd_array_t beta;
    gsvd_array_t jpvt;  /* of int64_t, as signs                              */
    gsvd_array_t signs; /* J of hsvd                                         */
    int64_t *k_out;     /* k, or the rank of one matrix; NULL is allowed in a batch */
    int64_t *l_out;     /* l                                                 */
    int *info;          /* NULL is allowed for one problem                   */
} gsvd_problem_t;

/* Computes.  All that section 4 says holds, but that errors name members: "problem.A.ld: less
 * than max(1, rows)".  info is -i where entries of an array are not legal, with the number that the
 * array has in the typed routine of one problem (A is 5 of svd); and -1003 where a member is
 * not legal. */
GSVD_API gsvd_status_t gsvd_run(gsvd_handle_t h, const gsvd_problem_t *problem);

typedef struct gsvd_plan *gsvd_plan_t; /* opaque                             */

/* Makes a plan: how a problem of this shape will be solved through this handle, and in
 * which memory.  Arrays and their contents are not looked at; of their members only what tells
 * one problem from many, and each_m, that sizes differ.  The plan has the handle's options and
 * tolerances as they are now.  Nothing is computed, and the stream is not waited for.
 *
 * A plan belongs to its handle: it is used by one thread at a time, and destroyed before the
 * handle.
 *
 * The callback (gsvd_set_progress) is not a part of it: the handle's is called.
 *
 * Errors: as of gsvd_run, for sizes and jobs; GSVD_OUT_OF_MEMORY; *plan is NULL then. */
GSVD_API gsvd_status_t gsvd_plan_create(gsvd_handle_t h,
                                        const gsvd_problem_t *problem,
                                        gsvd_plan_t *plan);

/* The bytes of workspace of a plan, for gsvd_set_workspace: what gsvd_execute takes on the
 * device and on the host.  Either address may be NULL. */
GSVD_API gsvd_status_t gsvd_plan_bytes(gsvd_plan_t plan, size_t *dwork_bytes,
                                       size_t *hwork_bytes);

/* The plan in words, of at most bytes characters with the 0 at the end: a line for the call and
 * its memory, one for what it waits for and whether it can be captured, and the tree of the steps
 * that it is made of, with the bytes that were measured for each.  *needed, unless it is NULL:
 * the characters of all of it, with the 0.  The words are for people, and change from version
 * to version. */
GSVD_API gsvd_status_t gsvd_plan_describe(gsvd_plan_t plan, char *text,
                                          size_t bytes, size_t *needed);

/* gsvd_run of a problem of the plan's shape, by the plan: arrays, strides, leading dimensions,
 * lists, tolerances and signs may be others.  GSVD_INVALID_ARGUMENT where routine, type, place, jobs
 * or sizes are not the plan's. */
GSVD_API gsvd_status_t gsvd_execute(gsvd_plan_t plan,
                                    const gsvd_problem_t *problem);

/* Releases the plan.  NULL is allowed. */
GSVD_API gsvd_status_t gsvd_plan_destroy(gsvd_plan_t plan);

/* ---- 9. many problems ---------------------------------------------------- */

/* A batch: many problems of gsvd, svd or hsvd by one gsvd_run, each of them what the routine of
 * one problem computes.  No problem sees another: its results are, bit for bit, the same in any
 * batch, at any place, whatever the number of threads (on a device, of more than 32 columns: in
 * any batch of as many); a NaN in one leaves the others right.
 *
 * Arrays of different problems do not overlap: they lie one behind another, stride >=
 * ld (cols - 1) + rows, or one above another in one matrix, stride >= rows and
 * (batch - 1) stride + rows <= ld.  Work and memory go by m, n and p, the largest sizes.
 *
 * info[i] is *info of the routine with problem i: 0; 1, 2, 2 + j; -5 (svd), -6 (hsvd), -9 or
 * -11 (gsvd): A, or B, has a NaN or an infinity; -8 (hsvd): signs are not what they should be.
 * Where it is negative or 2 + j, the values and the factors of that problem are NaN, k_out[i]
 * and l_out[i] are 0.
 *
 * GSVD_SUCCESS says that every problem was attempted, and info what came of each.  Any other
 * status is the whole call's: GSVD_INVALID_ARGUMENT, of which gsvd_last_error tells the
 * member and, where it is one problem's, the problem; or memory, or the device.  Then info
 * is not set.
 *
 * Jobs.  Factors are economy or in full; where sizes differ, those in full are solved one by
 * one.  hsvd: all matrices have one size and one n_plus.  signs: n for each matrix, or n for all
 * with stride 0; NULL: as in dgsvd_hsvd.  V^H J V of each matrix is tested by a vector; where
 * it is off J' by more than 128 n eps relative to V's columns, and a batch on a GPU does not
 * mend that, info is 1.
 *
 * Range.  Batched kernels square lengths: matrices and pairs whose values, columns or rows
 * differ by more than 1e270 (single 1e26) may have info[i] = 1 where the routine of one problem
 * computes them.
 *
 * Places.  On the device are the matrices, lists of addresses, sizes and leading dimensions,
 * k_out, l_out and info; only the struct is the host's.  Arrays on the host of a device's
 * handle are copied, with the leading dimensions of the largest sizes: where sizes differ, bits
 * may change with these, as with any other ones.
 *
 * Waiting.  A call with arrays on the device, of a shape that the batched kernels take, queues
 * its work and returns: it never waits and reads nothing back.  Sizes, leading dimensions and
 * addresses in device memory are not checked then.  Solved one by one, by the routines of one
 * problem, are other shapes, 'U' or 'V' or 'Q' of sizes that differ, and pairs with
 * GSVD_FORM_X, GSVD_RANK_ROWS, GSVD_SOLVER_TGSJA, GSVD_PANEL_TSQR or a callback: such a call
 * checks all of it and waits, and is slow for small problems.  gsvd_plan_describe tells.
 *
 * Options.  The batched kernels go by GSVD_SOLVER, GSVD_MAX_SWEEPS, the tolerances, and for
 * the ranks by GSVD_PIVOT_NORM.  They have one way for each shape, whatever GSVD_SVD,
 * GSVD_PIVOT and, of one matrix, GSVD_PANEL say, and scale columns as GSVD_EQUILIBRATE asks.
 *
 * CUDA graphs.  While the handle's stream is captured, in any mode, a batch on the device
 * becomes a part of the graph, if it neither waits nor allocates: dwork must have been set, of
 * as many bytes as gsvd_plan_bytes says, unless they are 0, and stay where it is as long as the
 * graph, like all arrays.  What the graph computes depends on the contents of the arrays, on
 * the device's lists too, not on options that are set later.  GSVD_WORKSPACE_TOO_SMALL says
 * that there is no dwork; GSVD_NOT_SUPPORTED, that the problems are solved one by one, that
 * arrays on the host would be copied, or that the handle has not made yet what it takes of
 * CUDA's libraries for SVDs of more than 32 rows and columns: gsvd_plan_create makes it before
 * the capture, and is GSVD_NOT_SUPPORTED in one.  Either way nothing was captured, and the
 * capture goes on.  Calls of one problem and gsvd_destroy wait: GSVD_NOT_SUPPORTED, too, and
 * the handle is as it was.  A graph may be launched after gsvd_destroy, unless it has such
 * SVDs: what these keep of the handle is up to CUDA's libraries.
 *
 * Threads.  On the host the problems of a batch are shared among as many threads as a
 * parallel region of OpenMP would have, unless they are so large that the BLAS takes
 * threads.  With workspace of the caller's there are as many threads as it has room for:
 * gsvd_plan_bytes tells what all of them need.
 *
 * The callback (gsvd_set_progress) is not called, and gsvd_get_stats goes on to tell of the last
 * single problem. */

#ifdef __cplusplus
}
#endif

#include "gsvd_typed.h" /* each routine in s, c and z */

#endif /* GSVD_H */
