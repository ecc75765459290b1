/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.h -- generalized singular value decomposition of a matrix pair (A, B).
 *
 *     A = U D1 (0 R) Q^H,    B = V D2 (0 R) Q^H,    D1^H D1 + D2^H D2 = I
 *
 * A is m-by-n and B is p-by-n, real or complex.  U, V and Q are unitary.  R is upper
 * triangular and nonsingular of order k + l, where l is the numerical rank of B and k + l
 * that of (A; B).  D1 and D2 hold the generalized singular value pairs (alpha, beta).
 *
 * This program runs with and without a GPU:
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
 * The sections lead from simple to expert use:
 *
 *     1 types and status    2 handle    3 options    4 rules for all routines
 *     5 one pair: gsvd      6 its two stages: preprocess, solve
 *     7 one matrix: qr, qr_apply, qr_form, geqp, svd, hsvd, urv, eigh, ldl
 *     8 a call as a struct, and its plan    9 many problems: gsvd, svd, ...
 *
 * This header declares each routine once, for double precision and arrays in host memory.
 * gsvd_typed.h, included at the end, declares the other forms with the same arguments: of dgsvd
 * sgsvd, cgsvd and zgsvd, and for arrays in the memory of a GPU sgsvd_gpu, dgsvd_gpu, ...
 * Pages that are named here (options.md, ...) are in docs/users of the sources.
 *
 * No function prints or exits.  All state is in the handle, with two exceptions: the text
 * of gsvd_last_error(NULL), and the library libgsvd-cuda, which stays open. */
#ifndef GSVD_H
#define GSVD_H

#include <stddef.h>
#include <stdint.h>

#include "gsvd_version.h" /* GSVD_VERSION_*, GSVD_HAVE_*, GSVD_API */

/* Layout-compatible with float/double _Complex, std::complex and cuComplex.  Define both names
 * before including this header to use another spelling. */
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
    GSVD_C = 'c', /* complex float                                           */
    GSVD_Z = 'z'  /* complex double                                          */
} gsvd_type_t;

typedef enum gsvd_status {
    GSVD_SUCCESS = 0,
    GSVD_NOT_CONVERGED = 1,       /* *info = 1; the factors are finite       */
    GSVD_INVALID_HANDLE = 2,      /* NULL, or of another CUDA context        */
    GSVD_INVALID_ARGUMENT = 3,    /* *info = -i: argument i is illegal; in hsvd also
                                   * *info = 2 + j: column j of A is dependent */
    GSVD_WORKSPACE_TOO_SMALL = 4, /* see gsvd_set_workspace                  */
    GSVD_OUT_OF_MEMORY = 5,       /* on the host or on the device            */
    GSVD_NOT_SUPPORTED = 6,       /* e.g. a _gpu call on a host handle       */
    GSVD_DEVICE_FAILED = 7,       /* a CUDA library failed; see gsvd_last_error */
    GSVD_INTERNAL_ERROR = 8,      /* a fault of this library; please report it */
    GSVD_OVERFLOW = 9             /* *info = 2: R or another result exceeds the largest
                                   * number of its type; all else is finite  */
} gsvd_status_t;

/* Returns the name of a status, e.g. "GSVD_OUT_OF_MEMORY".  Never NULL. */
GSVD_API const char *gsvd_status_name(gsvd_status_t status);

/* Describes the error of the handle's last call that failed; empty if none failed, never NULL.
 * The text is valid until the handle's next call.  With h == NULL it is the error of the calling
 * thread's last gsvd_create, or why GSVD_ANY rejected the last GPU that it tried. */
GSVD_API const char *gsvd_last_error(gsvd_handle_t h);

/* Returns the version of the running library, 10000 major + 100 minor + patch. */
GSVD_API int gsvd_version(void);

/* ---- 2. handle ---------------------------------------------------------- */

#define GSVD_HOST (-1) /* compute on the CPU                                 */
#define GSVD_ANY (-2)  /* the first CUDA device on which a handle can be created, else the CPU */

/* Creates a handle that computes on a CUDA device (device is its ordinal), on GSVD_HOST or on
 * GSVD_ANY.  One thread at a time may use a handle.  Handles are independent.
 *
 * All calls on a device's handle must run in one CUDA context: the thread's current one if it
 * belongs to the device, else the primary one.  In another a call returns GSVD_INVALID_HANDLE.
 * c-program.md has more on contexts and on fork.
 *
 * *h is NULL after an error, such as GSVD_OUT_OF_MEMORY, and gsvd_last_error(NULL) says more:
 *
 *     GSVD_INVALID_ARGUMENT   device is less than GSVD_ANY
 *     GSVD_NOT_SUPPORTED      no code for this GPU; libgsvd-cuda is missing, is of another
 *                             build, or lacks a library that it needs
 *     GSVD_DEVICE_FAILED      there is no such device, or CUDA does not work */
GSVD_API gsvd_status_t gsvd_create(gsvd_handle_t *h, int device);

/* Waits for the handle's stream, which must still exist, then releases the handle and its memory.
 * h may be NULL.  While the stream is captured, returns GSVD_NOT_SUPPORTED and does nothing. */
GSVD_API gsvd_status_t gsvd_destroy(gsvd_handle_t h);

/* *device := where the handle computes, a CUDA ordinal or GSVD_HOST. */
GSVD_API gsvd_status_t gsvd_get_device(gsvd_handle_t h, int *device);

/* Queues all further work of the handle on this CUDA stream (NULL: the default stream).  The
 * handle keeps its memory.  Therefore work queued on the old stream must have ended, or the new
 * stream must wait for it.  Returns GSVD_NOT_SUPPORTED for a host handle. */
GSVD_API gsvd_status_t gsvd_set_stream(gsvd_handle_t h, gsvd_stream_t stream);

/* Sets the workspace of all further calls on the handle.  By default the handle allocates what
 * its calls need and keeps it.
 *
 * dwork in   memory of the handle's device, dwork_bytes long.  Host handles ignore it.
 * hwork in   host memory, hwork_bytes long.
 *
 * NULL selects the handle's own memory, and the number of bytes is then ignored.  Workspace may
 * start at any address.  gsvd_plan_bytes suffice for a call of the plan's shape and options, which
 * uses no other memory and may need less; batched.md has the rule for batches on the host.  A call
 * that needs more than it is given returns GSVD_WORKSPACE_TOO_SMALL.
 *
 * The memory is in use until the call returns and, after a _gpu call, until the stream has finished
 * the work of that call.  Handles that work at the same time need separate workspaces. */
GSVD_API gsvd_status_t gsvd_set_workspace(gsvd_handle_t h, void *dwork, size_t dwork_bytes,
                                          void *hwork, size_t hwork_bytes);

/* ---- 3. options --------------------------------------------------------- */

/* The options of a handle.  options.md explains those that concern ranks at length. */
typedef enum gsvd_option {
    GSVD_SOLVER = 0,      /* a gsvd_solver_t; default GSVD_SOLVER_AUTO       */
    GSVD_FORM = 1,        /* a gsvd_form_t; default GSVD_FORM_LAPACK         */
    GSVD_MAX_SWEEPS = 2,  /* limit of Jacobi's sweeps or large steps, 1 to 1000; default 30 */
    GSVD_PIVOT = 3,       /* a gsvd_pivot_t; default GSVD_PIVOT_TOURNAMENT   */
    GSVD_PANEL = 4,       /* a gsvd_panel_t; default GSVD_PANEL_AUTO         */
    GSVD_SVD = 5,         /* a gsvd_svd_option_t; default GSVD_SVD_AUTO      */
    GSVD_EQUILIBRATE = 6, /* a gsvd_equilibrate_t; default GSVD_EQUILIBRATE_AUTO */
    GSVD_RANK = 7,        /* a gsvd_rank_t; default GSVD_RANK_NORM           */
    /* tolerances; a negative number selects the default */
    GSVD_TOL_A = 8,       /* rank of A; default max(m,n) max(||A||_1, safmin) ulp, of the
                           * scaled A if GSVD_EQUILIBRATE or GSVD_RANK scale it */
    GSVD_TOL_B = 9,       /* rank of B; default max(p,n) max(||B||_1, safmin) ulp, likewise */
    GSVD_TOL_JACOBI = 10, /* columns whose cosine is at most this count as orthogonal; default
                           * sqrt(max(rows,16)) eps                          */
    GSVD_EIGH = 11        /* a gsvd_eigh_option_t; default GSVD_EIGH_AUTO    */
} gsvd_option_t;

typedef enum gsvd_form {
    GSVD_FORM_LAPACK = 0, /* A = U D1 (0 R) Q^H, B = V D2 (0 R) Q^H          */
    GSVD_FORM_X = 1,      /* A = U D1 X^H, B = V D2 X^H with X = Q (0 R)^H.  If B has full
                           * column rank and TANGENT's result is used, the residual of each
                           * column of A and B is a few ulp of its norm, whatever that is, or 0 */
    GSVD_FORM_XINV = 2    /* A Y = U D1, B Y = V D2, X^H Y = I with Y = X^-H: the generalized
                           * eigenvectors, beta^2 A^H A y = alpha^2 B^H B y.  Columns that
                           * overflow have infinities or NaNs.  generalized-eigenvalues.md
                           * has the bound of each y's residual               */
} gsvd_form_t;

/* How the triangular pair is solved.  gsvd_stats_t names the solver whose result was used.
 *
 *     TANGENT   one-sided Jacobi for the singular values of A B^-1.  Small values have small
 *               relative errors wherever the pair determines them up to scalings of its rows
 *               and columns; of triangles whose rows differ by 1e24 a few lose half of the
 *               digits.  CSD takes over if a check finds B too ill-conditioned for that, or
 *               if norms of the same column of A and B differ by a factor 1e138 (single 1e16),
 *               with GSVD_NOT_CONVERGED if A's is the longer one.
 *     CSD       one-sided Jacobi for the CS decomposition of the orthonormalized pair.  Errors
 *               of alpha and beta are O(eps), absolute, for every pair.
 *     TGSJA     LAPACK's xTGSJA, on the host.  TANGENT takes over if 40 cycles do not suffice,
 *               or if they leave rows of A and B that are not parallel. */
typedef enum gsvd_solver {
    GSVD_SOLVER_AUTO = 0,    /* as GSVD_SOLVER_TANGENT                       */
    GSVD_SOLVER_TGSJA = 1,   /* TGSJA, else TANGENT, else CSD                */
    GSVD_SOLVER_TANGENT = 2, /* TANGENT, else CSD                            */
    GSVD_SOLVER_CSD = 3      /* CSD                                          */
} gsvd_solver_t;

/* How one-sided Jacobi makes columns orthogonal in svd, hsvd and the GSVD, each two relative to
 * their norms.  A large step takes eigenvectors of Gram matrices of columns of similar norm, or
 * rotates all pairs of columns at once.  Single precision computes large steps in double where that
 * is faster (from 64 columns on GPUs whose double precision has half the rate of single, from 1600
 * on the host), in more than twice the workspace. */
typedef enum gsvd_svd_option {
    GSVD_SVD_AUTO = 0,      /* large steps from 32 columns on (GPU: 64), and sweeps if
                             * they make no progress; sweeps for fewer columns */
    GSVD_SVD_JACOBI = 1,    /* sweeps over all pairs of columns, from 256 columns on by
                             * blocks of columns                             */
    GSVD_SVD_BIDIAGONAL = 2 /* svd by bidiagonal form: errors O(eps |A|); if a test fails, as
                             * AUTO.  Other routines: as AUTO                */
} gsvd_svd_option_t;

/* How eigh finds eigenvalues.  gsvd_stats_t has the one whose result was used. */
typedef enum gsvd_eigh_option {
    GSVD_EIGH_AUTO = 0, /* the SVD of A, and signs: small values have small relative errors; if a
                         * test fails, as FAST                               */
    GSVD_EIGH_FAST = 1, /* tridiagonal form: errors O(eps |A|).  Values alone and ranges take less
                         * time than all values with vectors                 */
    GSVD_EIGH_FACTOR = 2 /* ldl, and the hyperbolic SVD of its factor: most values are right to the
                         * last bit, in 3 times AUTO's time or more; if a test fails, as FAST */
} gsvd_eigh_option_t;

/* How pivoted QR orders the columns in gsvd, preprocess, geqp, svd and urv. */
typedef enum gsvd_pivot {
    GSVD_PIVOT_TOURNAMENT = 0, /* blocks of columns that win a tournament on a random sketch */
    GSVD_PIVOT_NORM = 2        /* LAPACK's: the longest column next.  Kahan's matrix misleads
                                * LAPACK's ranks and these, not those of TOURNAMENT */
} gsvd_pivot_t;

/* How the panels of a QR factorization are factored, backward stably and into Householder
 * reflectors.  A pair whose rows differ much in size gets methods that keep small rows accurate. */
typedef enum gsvd_panel {
    GSVD_PANEL_AUTO = 0, /* CPU: Householder.  GPU: Cholesky QR, once or twice, where a test
                          * in the kernel proves it safe, else TSQR or Householder */
    GSVD_PANEL_TSQR = 1  /* TSQR: Givens rotations over a tree of 32-row leaves */
} gsvd_panel_t;

/* Whether columns of different norms are scaled in the GSVD of a pair, by powers of two.  The ranks
 * are those of the scaled pair: units of measurement of the columns do not change them.  R, X and Q
 * are those of (A, B). */
typedef enum gsvd_equilibrate {
    GSVD_EQUILIBRATE_AUTO = 0, /* scales, except columns that LAPACK's tolerances take for zero in
                                * both A and B, which count as with OFF; not if GSVD_TOL_A or
                                * GSVD_TOL_B is set.  Tolerances do not exceed those of (A, B) */
    GSVD_EQUILIBRATE_ON = 1,   /* scales all nonzero columns to the norm of the longest in A or B,
                                * by at most 2^1000 (2^120); tolerances refer to the scaled pair */
    GSVD_EQUILIBRATE_OFF = 2   /* does not scale: the ranks are those of xGGSVD3 */
} gsvd_equilibrate_t;

/* What the ranks k and l of a pair are relative to.  A tolerance that is relative to the norm
 * ignores every row below rounding of the largest row.  By GSVD_RANK_ROWS a row raises the rank,
 * however small, unless it is a combination of the other rows up to eps times its own largest
 * entry.  Tolerances that are set have no unit then.  options.md defines the ranks. */
typedef enum gsvd_rank {
    GSVD_RANK_NORM = 0, /* the norm of the matrix, as in LAPACK              */
    GSVD_RANK_ROWS = 1  /* each row's own size, if the largest entries of the rows of
                         * A, or of B, differ by more than a factor 8        */
} gsvd_rank_t;

/* Sets an option for all further calls on the handle.  GSVD_TOL_A and GSVD_TOL_B are absolute,
 * in the units of A and B, unless GSVD_RANK_ROWS is set.  Returns GSVD_INVALID_ARGUMENT for an
 * unknown key, a value out of range, a NaN or an infinity. */
GSVD_API gsvd_status_t gsvd_set_option(gsvd_handle_t h, gsvd_option_t key, double value);

/* *value := the option; negative: a tolerance that was not set. */
GSVD_API gsvd_status_t gsvd_get_option(gsvd_handle_t h, gsvd_option_t key, double *value);

/* Sets options, callback and workspace to those of a new handle; its stream and memory stay. */
GSVD_API gsvd_status_t gsvd_reset(gsvd_handle_t h);

typedef int (*gsvd_progress_t)(void *user, int sweep, int64_t rotations);

/* Sets the callback, which Jacobi's solvers call after each sweep or large step; NULL removes it.
 * rotations is the number of rotations and exchanges of the sweep, or of all pairs of columns in a
 * large step.  An iteration ends when it is 0, and another one may follow.  A nonzero return value
 * stops the solver, and the call returns GSVD_NOT_CONVERGED.  fn may not use the handle. */
GSVD_API gsvd_status_t gsvd_set_progress(gsvd_handle_t h, gsvd_progress_t fn, void *user);

/* Statistics of the handle's last gsvd, preprocess, solve, svd, hsvd or eigh of one problem.  Times
 * are the clock's and end with the host's last wait; on the host they may be 0 if l <= 4. */
typedef struct gsvd_stats {
    size_t size;          /* sizeof(gsvd_stats_t), set by the caller         */
    int64_t k, l;
    int device;           /* where the call ran: a CUDA ordinal or GSVD_HOST */
    gsvd_solver_t solver; /* the solver whose result was used                */
    int sweeps;           /* Jacobi's sweeps and large steps, or cycles of xTGSJA, in all; 0 if
                           * nothing was rotated.  GSVD_MAX_SWEEPS limits each iteration */
    int converged;        /* 0 or 1                                          */
    int rows_of_a;        /* 1: GSVD_RANK_ROWS decided A's rank relative to its rows */
    int rows_of_b;        /* likewise for B                                  */
    double seconds_preprocess, seconds_solve; /* of the two stages           */
    double seconds_total; /* of the call                                     */
    gsvd_eigh_option_t eigh; /* the method whose result eigh has             */
    gsvd_svd_option_t svd;   /* likewise of svd                              */
} gsvd_stats_t;

/* Fills the first stats->size bytes of *stats; members that the library does not know are 0. */
GSVD_API gsvd_status_t gsvd_get_stats(gsvd_handle_t h, gsvd_stats_t *stats);

/* ---- 4. rules for all routines ------------------------------------------ */

/* Names.  dgsvd_qr takes arrays in host memory, wherever the handle computes, and returns when
 * all results are there.  dgsvd_qr_gpu takes the same list with arrays in the memory of the
 * handle's CUDA device; k, l, rank and info remain in host memory.  The letters are s, d, c and
 * z, as in LAPACK: matrices and tau have that type, alpha, beta, sigma and tolerances its real
 * type.  A program that uses a letter that the library was built without (GSVD_HAVE_S, ... is 0)
 * does not compile or does not link; with gsvd_run the call returns GSVD_NOT_SUPPORTED.
 *
 * Waiting.  A _gpu call queues its work on the handle's stream.  It waits for the stream only
 * where the host needs a number: whether the input is finite, the ranks, whether the solver has
 * converged.  When it returns, k, l, rank and info are valid, while its last steps may still be
 * queued.  On a host handle it returns GSVD_NOT_SUPPORTED.
 *
 * Arguments.  Order and meaning are LAPACK's, with the handle in front and without workspace.
 * Sizes are int64_t, from 0 to 2^31 - 1.  Jobs are letters of either case.  Matrices are stored
 * by columns, and lda is the distance of A's columns in elements.  An array that has no
 * elements, or that no job asks for, is not referenced and may be NULL.  Arrays of one call must
 * not overlap: A and B are both overwritten.  This is not checked.
 *
 * Alignment.  A host array is aligned for float, double or int64_t, the parts of its elements, a
 * device array to the size of its elements.  Misalignment is an illegal argument.
 *
 * Errors.  gsvd_last_error describes an error.  *info is LAPACK's number; info may be NULL.
 *
 *     *info            status
 *     0                GSVD_SUCCESS
 *     -i               GSVD_INVALID_ARGUMENT: argument i is illegal, or is an input array with a
 *                      NaN or an infinity.  i counts as in LAPACK's routine of the same list,
 *                      without the handle.  Input arrays are unchanged.
 *     1                GSVD_NOT_CONVERGED: the sweep limit was reached, the callback stopped the
 *                      solver, or values are too small for the type beside the largest ones.
 *                      All results are set and finite.
 *     2                GSVD_OVERFLOW: entries of R, X or another result exceed the largest number
 *                      and are infinite.  All else is right.  gsvd_last_error gives the power
 *                      of two by which to scale the input.
 *     2 + j            GSVD_INVALID_ARGUMENT, hsvd only: column j depends on those before it
 *     -1000 - status   any other error, e.g. -1005 without memory
 *
 * Scale.  Only results without a representation overflow, e.g. the norm of a huge column.
 *
 * Reproducibility.  A repeated call returns the same bits on the same machine or device, with
 * the same options, leading dimensions, alignment of the arrays, BLAS and number of the BLAS's
 * threads.  Others may change the rounding.  The number of our threads does not.
 *
 * Process and threads.  No call changes errno or the thread's floating-point environment.  A
 * call on the host uses the threads of the BLAS, and in Jacobi's sweeps as many of its own as a
 * parallel region of OpenMP would have (OMP_NUM_THREADS), or one inside such a region.
 *
 * Memory.  A call takes no more than the bytes that gsvd_plan_bytes returns: for a large square
 * pair in double 3 times A and B, or 1.53 times for values alone.  plans.md lists the bounds,
 * and pinned memory that a device's handle keeps to copy large host arrays. */

/* ---- 5. one pair -------------------------------------------------------- */

/* GSVD of one pair of matrices, as by xGGSVD3.
 *
 * jobu  in   'U': all of U, m-by-m;  'S': economy, its leading min(m,n) columns;
 *            'N': U is not referenced.
 * jobv  in   'V': all of V, p-by-p;  'S': its leading min(p,n) columns;  'N'.
 * jobq  in   'Q': all of Q, n-by-n;  'S': its trailing min(n,m+p) columns;  'N'.  With
 *            GSVD_FORM_X, 'Q' and 'S' ask for X, with GSVD_FORM_XINV for X^-H.
 *            With all three jobs 'N', only k, l, alpha and beta are computed.
 * m n p in   rows of A, columns of A and B, rows of B.
 * k l   out  the ranks, as above.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit, unless all jobs are 'N': R, or its first
 *            m rows, in A(1:min(m,k+l), n-k-l+1:n).
 * B     i/o  p-by-n, ldb >= max(1,p).  On exit, unless all jobs are 'N', if m < k+l: the
 *            other rows of R, in B(m-k+1:l, n+m-k-l+1:n).
 *            All other contents of A and B are lost.
 * alpha out  n values each.  alpha(1:k) = 1, beta(1:k) = 0.  Those of k+1 to k+l are the
 * beta       nontrivial pairs, alpha descending; beyond m (0, 1).  The rest are 0.
 * U V   out  ldu >= max(1,m), ldv >= max(1,p) if wanted, else >= 1.
 * Q     out  ldq >= max(1,n) if wanted, else >= 1.  With GSVD_FORM_X: X, n-by-(k+l), in
 *            the leading columns; the other columns are set to 0.  With GSVD_FORM_XINV:
 *            X^-H, n-by-(k+l), in the leading columns; the other columns are independent
 *            vectors z with A z = 0 and B z = 0.  Those of 'Q' are a basis of these.
 * info  out  0, -i with xGGSVD3's numbers (A is 9, B is 11), 1, 2.
 *
 * D1 is m-by-(k+l) and D2 is p-by-(k+l), as in xGGSVD3.  Let C = diag(alpha(k+1:k+l)) and
 * S = diag(beta(k+1:k+l)).  If m >= k+l, D1 = (I 0; 0 C; 0 0) and D2 = (0 S; 0 0).  Otherwise C
 * and S have the first m-k of these entries, and the diagonal of D2 continues with ones.
 *
 * Range.  The norms of A's columns, and those of B's, may differ by a factor 1e420 (single 1e40;
 * EQUILIBRATE_ON: 1e300, 1e36), and so may the quotients alpha / beta.  Rows of A may differ by
 * 1e280 (1e28).  The call returns GSVD_NOT_CONVERGED if columns, rows or quotients are lost beyond that.
 *
 * All options apply.  Source: preprocessing, Flegar 2016, theorem 1.3, section 2.4; solver,
 * Drmac 1998 (TANGENT), Van Loan 1985 (CSD); one-sided Jacobi, Novakovic 2015, (13)-(18). */
GSVD_API gsvd_status_t dgsvd(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, double *A, int64_t lda, double *B, int64_t ldb,
    double *alpha, double *beta, double *U, int64_t ldu, double *V, int64_t ldv,
    double *Q, int64_t ldq, int *info);

/* ---- 6. its two stages -------------------------------------------------- */

/* Preprocessing, as by xGGSVP3: unitary U, V and Q that make the pair triangular,
 *
 *               n-k-l  k    l                       n-k-l  k    l
 *     U^H A Q = (  0  A12  A13 ) k        V^H B Q = (  0   0   B13 ) l
 *               (  0   0   A23 ) min(l,m-k)         (  0   0    0  ) p-l
 *               (  0   0    0  )
 *
 * with A12 and B13 nonsingular upper triangular, A23 upper trapezoidal.
 *
 * jobu, jobv, jobq  in   as in gsvd.
 * m p n       in   rows of A, rows of B, columns, in xGGSVP3's order.
 * A, B        i/o  m-by-n and p-by-n, lda >= max(1,m), ldb >= max(1,p).  On exit the
 *                  triangular pair, zeros included.
 * tola, tolb  in   A diagonal entry of a pivoted QR counts for the rank if it is larger.
 *                  Negative: LAPACK's defaults, see GSVD_TOL_A.
 * k l U V Q   out  as in gsvd.
 * info        out  0, -i with xGGSVP3's numbers (A is 7, B is 9), 1, 2.
 *
 * Each row keeps its own relative accuracy.  A small row of B counts only if it exceeds tolb;
 * GSVD_RANK_ROWS makes tola and tolb relative to rows.  GSVD_EQUILIBRATE does not apply.  Columns
 * that are lost beside others longer by 1e420 (single 1e40) give GSVD_NOT_CONVERGED.
 *
 * Options: GSVD_PIVOT, GSVD_PANEL, GSVD_RANK.  Source: Flegar 2016, theorem 1.3; Bai and Zha
 * 1993; Cox and Higham 1998. */
GSVD_API gsvd_status_t dgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    double *A, int64_t lda, double *B, int64_t ldb, double tola, double tolb,
    int64_t *k, int64_t *l, double *U, int64_t ldu, double *V, int64_t ldv,
    double *Q, int64_t ldq, int *info);

/* GSVD of a triangular pair, as by xTGSJA.  The pair is one that preprocess returns.
 *
 * jobu        in   'U': U holds a unitary U1 on entry and U1 U on exit;  'I': U is set;
 *                  'N': U is not referenced.  U is m-by-m.
 * jobv, jobq  in   'V' and 'Q', 'I', 'N' likewise; p-by-p and n-by-n.
 *                  With all three jobs 'N', only alpha and beta are computed.
 * m p n       in   rows of A, rows of B, columns.
 * k l         in   of the triangular pair; k <= min(m,n), l <= min(p,n-k).
 * A, B        i/o  m-by-n and p-by-n, lda >= max(1,m), ldb >= max(1,p).  On exit R, as in
 *                  gsvd; all other contents are lost.
 * tola, tolb  in   xTGSJA's criteria, for GSVD_SOLVER_TGSJA alone; negative: LAPACK's defaults.
 * alpha, beta out  as in gsvd.
 * U, V, Q     i/o  ldu >= max(1,m), ldv >= max(1,p), ldq >= max(1,n) of those that are
 *                  wanted, else >= 1.
 * info        out  0, -i with xTGSJA's numbers (A is 9, B is 11), 1, 2.
 *
 * Range.  As in gsvd, except that values that are lost because rows of A differ by more than that
 * have errors O(eps), absolute, and the status is GSVD_SUCCESS: a triangle may have such rows.
 * Errors grow with the triangles' condition, above the pair's where rows differ, unlike gsvd's.
 *
 * Options: those of gsvd, except GSVD_FORM.  Source: see gsvd. */
GSVD_API gsvd_status_t dgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, double *A, int64_t lda, double *B, int64_t ldb,
    double tola, double tolb, double *alpha, double *beta,
    double *U, int64_t ldu, double *V, int64_t ldv, double *Q, int64_t ldq, int *info);

/* ---- 7. one matrix ------------------------------------------------------- */

/* QR factorization, as by xGEQRF:  A = Q R,  Q = H_1 H_2 ... H_min(m,n), H_j = I - tau(j) v_j
 * v_j^H.
 *
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit R on and above the diagonal, v_j(j+1:m) below it;
 *            v_j(1:j-1) = 0 and v_j(j) = 1 are not stored.
 * tau   out  min(m,n) values, or NULL for R alone.  With NULL, the entries of A below the
 *            diagonal are undefined on exit.  If also m >= n and n <= 32, no reflectors
 *            are computed, and R's diagonal is nonnegative; otherwise R is the same as
 *            with tau, and its diagonal may have either sign.
 * info  out  0, -i with xGEQRF's numbers (A is 3), 2.
 *
 * Accuracy.  Columns of A - Q R, and of geqp's, are O(eps) of A's.  Those of A that are shorter
 * than the longest by more than 1e300 (1e36) lose digits.  Option: GSVD_PANEL.  Source: panels,
 * Flegar 2016, section 2.2 (TSQR: Demmel et al. 2012); their reflectors, Ballard et al. 2014. */
GSVD_API gsvd_status_t dgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda, double *tau, int *info);

/* C := op(Q) C or C op(Q), as by xORMQR, with the Q of qr or of geqp.
 *
 * side  in   'L': op(Q) C;  'R': C op(Q).
 * op    in   'N': Q;  'C': Q^H;  'T': the same for real types.
 * m n   in   rows and columns of C.
 * k     in   Q = H_1 ... H_k, 0 <= k <= q, where q is m for side 'L', else n.
 * A tau in   q-by-k, lda >= max(1,q), the first k columns of qr's result; and k values.
 *            R is not used, but must be finite.
 * C     i/o  m-by-n, ldc >= max(1,m).
 * info  out  0, -i with xORMQR's numbers (A is 6, tau is 8, C is 9), 2.
 *
 * No options apply.  Source: Schreiber and Van Loan 1989. */
GSVD_API gsvd_status_t dgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const double *A, int64_t lda, const double *tau, double *C, int64_t ldc, int *info);

/* A := the leading n columns of Q = H_1 ... H_k, as by xORGQR.
 *
 * m n k in   m >= n >= k >= 0.
 * A     i/o  m-by-n, lda >= max(1,m).  On entry the first k columns are those of qr's
 *            result.  R is not used, but must be finite.
 * tau   in   k values.
 * info  out  0 or -i with xORGQR's numbers (A is 4, tau is 6).
 *
 * No options apply.  Source: Schreiber and Van Loan 1989. */
GSVD_API gsvd_status_t dgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, double *A, int64_t lda,
    const double *tau, int *info);

/* Rank-revealing QR factorization with column pivoting, as by xGEQP3:
 *
 *                      rank  n-rank
 *     A P = Q R,  R = ( R11   R12 ) rank      R11 upper triangular, every
 *                     (  0    R22 ) m-rank    |R11(j,j)| > tol
 *
 * where no column of R22 has a norm above tol.  All columns are free: jpvt is not read.
 *
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit R, with R22 in full, and below R11 the
 *            reflectors of Q = H_1 ... H_rank, as in qr.
 * jpvt  out  n values: column j of A P is column jpvt(j) of A, counted from 1.
 * tau   out  min(m,n) values; those beyond rank are 0.
 * tol   in   in the units of A.  0: continue until R22 is 0.  Negative: LAPACK's tolerance
 *            in xGGSVD3, max(m,n) max(||A||_1, safmin) ulp.  A NaN is illegal.
 * rank  out  of A, as above.
 * info  out  0, 2, -i with xGEQP3's numbers up to tau (A is 3, jpvt is 5), tol is 7, rank is 8.
 *
 * Options: GSVD_PIVOT (_NORM: xGEQP3's order up to rounding), GSVD_PANEL.  Source: Flegar 2016,
 * section 2.3; Demmel, Grigori, Gu and Xiang 2015; Martinsson et al. 2015. */
GSVD_API gsvd_status_t dgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda,
    int64_t *jpvt, double *tau, double tol, int64_t *rank, int *info);

/* Singular value decomposition  A = U Sigma V^H  by pivoted QR and one-sided Jacobi.  U is
 * m-by-m and V is n-by-n, both unitary.  Sigma is m-by-n with the values
 * sigma(1) >= ... >= sigma(min(m,n)) >= 0 on its diagonal.
 *
 * jobu  in   'U': all of U;  'S': its leading min(m,n) columns;  'N': U is not referenced.
 * jobv  in   'V': all of V;  'S': its leading min(m,n) columns;  'N'.
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  Its contents are lost.
 * sigma out  min(m,n) values, descending.
 * U V   out  ldu >= max(1,m), ldv >= max(1,n) if wanted, else >= 1.  V, not V^H.
 * info  out  0, 1, 2, -i, where i is 1 for jobu (A is 5, sigma is 7, U is 8, V is 10).
 *
 * Accuracy.  If A = D B with D diagonal and independent rows of B, or A = B D with independent
 * columns, each value has relative error O(eps cond(B)), as long as the norms of the columns of B D
 * differ by less than a factor 1e420 (single 1e40), and those of the rows of D B by less than 1e300
 * (1e36).  Where they differ by more, and small values may be lost, GSVD_NOT_CONVERGED is returned.
 *
 * On the host the values alone of a square matrix whose rows and columns are of similar size come
 * from its bidiagonal form: errors O(eps |A|), no sweep, no callback.  With GSVD_SVD_BIDIAGONAL all
 * results have such errors, of any A.  The call tests its residual, or of values alone the sum of
 * their squares, with errors O(sqrt(eps) |A|) of small ones unseen.
 *
 * gsvd_get_stats: k is the rank that the pivoted QR reveals or, without it, the number of nonzero
 * columns (of rows, if m < n); by bidiagonal form it is min(m,n).  l is 0.
 *
 * Options: GSVD_PIVOT, GSVD_PANEL, GSVD_SVD, GSVD_MAX_SWEEPS, and the callback.  Source: Drmac
 * and Veselic 2008; Novakovic 2015, (13)-(18); Lahabar and Narayanan 2009. */
GSVD_API gsvd_status_t dgsvd_svd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, double *A, int64_t lda,
    double *sigma, double *U, int64_t ldu, double *V, int64_t ldv, int *info);

/* Hyperbolic singular value decomposition with the signature J = diag(+1 or -1), by QR and
 * one-sided Jacobi with trigonometric and hyperbolic rotations:
 *
 *     A = U Sigma V^H,    V^H J V = J' = diag(I, -I),    A J A^H = U Sigma^2 J' U^H
 *
 * U is m-by-m and unitary, V is n-by-n.  Sigma is m-by-n with the values sigma(j) > 0 on its
 * diagonal.  The columns of A must be independent, hence m >= n.  The third equation is the
 * eigenvalue decomposition of the indefinite A J A^H.
 *
 * jobu  in   'U': all of U;  'S': its leading n columns;  'N': U is not referenced.
 * jobv  in   'V': V;  'N': V is not referenced.
 * m n   in   rows and columns of A, m >= n.
 * n_plus in  number of entries 1 in J, 0 to n: the order of I in J'.
 * A     i/o  m-by-n, lda >= max(1,m).  Its contents are lost.
 * J     in   n values, 1 or -1, n_plus of them 1: the signs of the columns of A.
 *            NULL: the first n_plus columns have sign 1, the others -1.
 * sigma out  n values: those of sign 1, descending, then those of sign -1, descending.
 * U V   out  ldu >= max(1,m), ldv >= max(1,n) if wanted, else >= 1.  V, not V^H.
 * info  out  0, 1, 2, -i, where i is 1 for jobu (A is 6, J is 8, sigma is 9, U is 10, V is 12).
 *            2 + j with GSVD_INVALID_ARGUMENT: the part of column j, counted from 1, outside
 *            the span of the columns before it has at most max(m,16) eps times the column's
 *            norm, up to a factor 2.  There are no results, and A's contents are lost.
 *
 * Accuracy.  If A = B D with D diagonal, each value has relative error O(eps cond(B)), as long
 * as the norms of A's columns differ by less than a factor 1e420 (single 1e38).  The call
 * returns GSVD_NOT_CONVERGED if columns are lost beside longer ones.  |V| has no bound: it grows
 * as columns of unequal sign become parallel.  A - U Sigma V^H is O(eps |A| |V|) by sweeps and
 * O(eps |A| |V|^2) by large steps, which are taken while transformations are short.  Entry (i,j) of
 * V^H J V - J' is a small multiple of n eps |v_i| |v_j|.  Each call tests V and the residual with a
 * few random vectors, without V the product of the values.  If a test fails, a more robust method
 * follows; GSVD_NOT_CONVERGED means that none is left.
 *
 * Options: GSVD_SVD, GSVD_MAX_SWEEPS, and the callback.  gsvd_get_stats: k is n, l is 0.
 * Source: Novakovic 2015, (13)-(18); Veselic 1993; Onn, Steinhardt and Bojanczyk 1991. */
GSVD_API gsvd_status_t dgsvd_hsvd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    double *A, int64_t lda, const int64_t *J, double *sigma,
    double *U, int64_t ldu, double *V, int64_t ldv, int *info);

/* Complete orthogonal decomposition, with unitary U (m-by-m) and V (n-by-n) and a nonsingular
 * upper triangular R of order r, the rank of A:
 *
 *              n-r   r
 *     A = U  (  0    R  ) r    V^H
 *            (  0    0  ) m-r
 *
 * jobu  in   'U': all of U;  'S': its leading min(m,n) columns;  'N': U is not referenced.
 * jobv  in   'V': all of V;  'S': its trailing min(m,n) columns;  'N'.
 * m n   in   rows and columns of A.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit (0 R; 0 0), zeros included.
 * tol   in   as in geqp; the R22 that geqp leaves is dropped.
 * rank  out  r.
 * U V   out  ldu >= max(1,m), ldv >= max(1,n) if wanted, else >= 1.
 * info  out  0, 2, -i, where i is 1 for jobu (A is 5, tol is 7, rank is 8, U is 9, V is 11).
 *
 * Options: GSVD_PIVOT, GSVD_PANEL.  Source: Flegar 2016, proposition 1.4. */
GSVD_API gsvd_status_t dgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, double *A, int64_t lda,
    double tol, int64_t *rank, double *U, int64_t ldu, double *V, int64_t ldv, int *info);

/* Eigenvalues and eigenvectors of a Hermitian matrix, A = Q W Q^H, as by xSYEVD and xSYEVR.
 *
 * jobz  in   'V': Q, unitary;  'N': values alone.
 * uplo  in   'U', 'L': the triangle of A that is read.
 * A     in   n-by-n, lda >= max(1,n).  Its contents are lost.
 * w     out  n values, ascending.
 * Q     out  n-by-n, ldq >= max(1,n) if wanted, else >= 1.
 * info  out  0, 1, 2, -i, where i is 1 for jobz (A is 4, w is 6, Q is 7).
 *
 * A range, as by xSYEVR, is asked for by gsvd_run.  job[2] is 'A', all values; 'V', those in
 * (vl, vu], vl < vu, which may be infinite; 'I', the il-th to the iu-th value, counted from 1,
 * 1 <= il <= iu + 1 <= n + 1.  *k_out, unless NULL, and k of gsvd_get_stats become their number.
 * So many values of alpha and columns of Q are set; there is room for n, with 'I' iu - il + 1.
 *
 * Accuracy.  GSVD_EIGH_AUTO takes the SVD A = U S V^H, in its time whatever jobz and the range are,
 * and the signs of u_i^H v_i.  FACTOR takes the squares of hsvd's values of ldl's G; what ldl takes
 * for 0 is 0.  In a call of one problem AUTO computes again the values for which A, scaled by rows and
 * columns, is ill-conditioned, and FACTOR all, as Rayleigh quotients in twice the precision.  So small
 * values mostly have small relative errors; symmetric-eigenvalues.md has errors and exceptions.  The
 * number of values of each sign is right where values are above rounding of |A|.  FAST has errors
 * O(eps |A|).  Each call tests Q and A Q - Q W, values alone by FAST the sum of their squares.
 *
 * Options: GSVD_EIGH; AUTO's as svd, FACTOR's as hsvd.  Source: Dopico, Molera and Moro 2003. */
GSVD_API gsvd_status_t dgsvd_eigh(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, double *A, int64_t lda, double *w,
    double *Q, int64_t ldq, int *info);

/* Factorization of a Hermitian indefinite matrix with pivots of order 1 and 2,
 *
 *     P A P^T = L D L^H,    or    A = G J G^H,    J = diag(I, -I, 0)
 *
 * L is n-by-rank and unit lower trapezoidal, with |L(i,j)| <= 2.79 whatever A is.  G has rank
 * columns other than 0, which hsvd(m = n, n = rank, n_plus, A = G, J = NULL) takes: its values,
 * squared and with their signs, are the eigenvalues of A other than 0, and its U their vectors.
 *
 * job   in   'G': G and J;  'L': L and D.
 * uplo  in   'U', 'L': the triangle of A that is read, without the imaginary parts of the diagonal.
 * n     in   order of A.
 * A     in   n-by-n, lda >= max(1,n).  Its contents are lost.
 * tol   in   >= 0: stops where no entry that is left is larger.  Negative: pivots that are rounding
 *            of what was subtracted from their entries are left out; this does not depend on the
 *            scale of rows and columns.
 * rank  out  order of D.
 * n_plus out number of A's positive eigenvalues; of the negative ones there are rank - n_plus.
 * G     out  n-by-n, ldg >= max(1,n).  G, or L with its ones and zeros; columns behind rank are 0.
 * D     out  2-by-n, ldd >= 2 for job 'L', else ldd >= 1 and not referenced.  D in LAPACK's form of
 *            a band: D(1,j) on the diagonal, D(2,j) below it, 0 where no pivot of order 2 begins.
 * J     out  n values: 1, then -1, then 0 behind rank; for job 'L' not referenced.
 * jpvt  out  n values.  Row j of P A is row jpvt(j) of A, counted from 1; in G the rows have A's
 *            order, and jpvt(j) is the row from whose pivot column j comes.
 * info  out  0, 2, -i, where i is 1 for job (A is 4, tol is 6, rank is 7, n_plus is 8, G is 9,
 *            D is 11, J is 13, jpvt is 14).
 *
 * Options: none.  Source: Bunch and Parlett 1971, in blocks of columns that are tried and then
 * accepted as far as |L| is bounded. */
GSVD_API gsvd_status_t dgsvd_ldl(
    gsvd_handle_t h, char job, char uplo, int64_t n, double *A, int64_t lda, double tol,
    int64_t *rank, int64_t *n_plus, double *G, int64_t ldg, double *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* ---- 8. a call as a struct, and its plan ---------------------------------- */

/* gsvd_run calls every routine: of any type, for one problem or many, with arrays on the host or
 * on the device.  A member that is 0 has the meaning that its comment states:
 *
 *     gsvd_problem_t p = {.size = sizeof p, .routine = GSVD_ROUTINE_SVD, .type = GSVD_D,
 *                         .job = {'S', 'S'}, .m = 300, .n = 200,
 *                         .A = {.data = A}, .U = {.data = U}, .V = {.data = V},
 *                         .alpha = {.data = sigma}};
 *     status = gsvd_run(h, &p); */

typedef enum gsvd_routine {
    GSVD_ROUTINE_GSVD = 1, GSVD_ROUTINE_PREPROCESS = 2, GSVD_ROUTINE_SOLVE = 3,
    GSVD_ROUTINE_QR = 4, GSVD_ROUTINE_QR_APPLY = 5, GSVD_ROUTINE_QR_FORM = 6,
    GSVD_ROUTINE_GEQP = 7, GSVD_ROUTINE_SVD = 8, GSVD_ROUTINE_HSVD = 9,
    GSVD_ROUTINE_URV = 10, GSVD_ROUTINE_EIGH = 11, GSVD_ROUTINE_LDL = 12
} gsvd_routine_t;

typedef enum gsvd_place {
    GSVD_PLACE_HOST = 0,  /* host memory, wherever the handle computes       */
    GSVD_PLACE_DEVICE = 1 /* memory of the handle's device, as in ..._gpu    */
} gsvd_place_t;

/* An array of one problem, or the same array of many problems */
typedef struct gsvd_array {
    void *data;             /* the first problem's; NULL: no array, or see each */
    void *const *each;      /* an address for each problem; NULL: data and stride */
    int64_t ld;             /* leading dimension; 0: the number of rows      */
    int64_t stride;         /* distance of two problems' arrays in elements; 0: one array
                             * behind another, ld times columns; in signs: all problems
                             * share one array                               */
    const int64_t *each_ld; /* a leading dimension for each problem, only with each;
                             * NULL: ld                                      */
} gsvd_array_t;

/* The members are named after the arguments of the typed routines, which define shape and
 * meaning.  A routine ignores members that it does not have.
 *
 * batch > 0: that number of problems of gsvd, svd, hsvd or eigh (section 9).  m, n, p are the sizes
 * of all problems or, with each_m, each_n and each_p, the largest ones.  Lists (each, each_ld,
 * each_m, each_n, each_p, k_out, l_out, info) have one element for each problem and are at
 * place, like the arrays.  signs has no each.
 *
 * keep, of one problem of gsvd with GSVD_FORM_X or GSVD_FORM_XINV, from -n to n.  Column i of each
 * factor that a job asks for, 'S' or not, is that of pair i, or of pair k + l - c + i with
 * c = min(-keep, k + l).  It is 0 where the pair has no such vector (of U behind A's m rows, of V
 * before k) and behind the pairs.  All values are computed.  A and B are lost.
 *
 * batch == 0: one problem.  Lists and strides are illegal.  k_out, l_out and info are in host
 * memory. */
typedef struct gsvd_problem {
    size_t size;        /* sizeof(gsvd_problem_t) in the program: a library that is newer
                         * takes the members that the program lacks for 0    */
    gsvd_routine_t routine;
    gsvd_type_t type;
    gsvd_place_t place;
    char job[4];        /* jobu, jobv, jobq, where 0 is 'N'; in qr_apply side, where 0 is
                         * 'L', and op, where 0 is 'N'; in eigh jobz, where 0 is 'N', and the
                         * range, job[2], where 0 is 'A'; in ldl job, where 0 is 'G'; in both
                         * uplo, job[1], where 0 is 'L'                      */
    int64_t m, n, p;    /* sizes                                             */
    int64_t k, l;       /* sizes in solve, qr_apply and qr_form              */
    int64_t n_plus;     /* in hsvd                                           */
    int64_t batch;      /* number of problems; 0: one problem, not a batch   */
    const int64_t *each_m, *each_n, *each_p; /* sizes of each problem; NULL: m, n, p */
    double tol[2];      /* tola and tolb, or tol; 0 or negative: the default */
    gsvd_array_t A, B;
    gsvd_array_t U, V, Q; /* U: or G of ldl, V: or its D                      */
    gsvd_array_t C;     /* the matrix that qr_apply multiplies               */
    gsvd_array_t tau;
    gsvd_array_t alpha; /* or sigma, or w                                    */
    gsvd_array_t beta;
    gsvd_array_t jpvt;  /* of int64_t, like signs                            */
    gsvd_array_t signs; /* J of hsvd and ldl                                 */
    int64_t *k_out;     /* k, the rank of one matrix, or m of eigh; may be NULL in a batch and in
                         * eigh, and is not written by batches of eigh       */
    int64_t *l_out;     /* l, or n_plus of ldl                               */
    int *info;          /* may be NULL for one problem                       */
    double vl, vu;      /* in eigh, with job[2] = 'V'                        */
    int64_t il, iu;     /* in eigh, with job[2] = 'I'                        */
    int64_t keep;       /* in gsvd: U, V and Q have as many columns, for the first pairs; < 0: for
                         * the last -keep; 0: for all                        */
} gsvd_problem_t;

/* Solves one problem, or a batch.  The rules of section 4 apply, but error texts name members,
 * as in "problem.A.ld: less than max(1, rows)".  *info is -1003 for an illegal member, and -i
 * for illegal entries of an array, where i is the array's number in the typed routine. */
GSVD_API gsvd_status_t gsvd_run(gsvd_handle_t h, const gsvd_problem_t *problem);

typedef struct gsvd_plan *gsvd_plan_t; /* opaque                             */

/* Makes a plan: how this handle, with its present options and tolerances, will solve problems of
 * this shape, and in how much memory.  It computes nothing and does not wait for the stream.  It
 * reads no array or list.  The handle's callback is not part of the plan.
 *
 * One thread at a time may use a plan and its handle.  The plan is destroyed first.  Errors: those
 * of gsvd_run for sizes and jobs; GSVD_OUT_OF_MEMORY.  *plan is then NULL. */
GSVD_API gsvd_status_t gsvd_plan_create(gsvd_handle_t h, const gsvd_problem_t *problem,
                                        gsvd_plan_t *plan);

/* Returns the bytes that gsvd_execute takes of gsvd_set_workspace.  Either address may be NULL. */
GSVD_API gsvd_status_t gsvd_plan_bytes(gsvd_plan_t plan, size_t *dwork_bytes,
                                       size_t *hwork_bytes);

/* Writes the plan in words to text, at most bytes characters with the final 0: its memory, whether
 * it waits or can be captured into a CUDA graph, and its steps with a predicted time.  *needed,
 * unless NULL, becomes the number of characters of the whole text.  The text may change. */
GSVD_API gsvd_status_t gsvd_plan_describe(gsvd_plan_t plan, char *text, size_t bytes,
                                          size_t *needed);

/* Does the work of gsvd_run by the plan.  Arrays, strides, leading dimensions, lists, tolerances
 * and signs may differ from call to call.  Returns GSVD_INVALID_ARGUMENT if routine, type,
 * place, jobs or sizes differ from the plan's. */
GSVD_API gsvd_status_t gsvd_execute(gsvd_plan_t plan, const gsvd_problem_t *problem);

/* Releases the plan, which may be NULL. */
GSVD_API gsvd_status_t gsvd_plan_destroy(gsvd_plan_t plan);

/* ---- 9. many problems ---------------------------------------------------- */

/* One gsvd_run solves many problems of gsvd, svd, hsvd or eigh.  Each gets what the routine of one
 * problem computes, eigh's values without quotients.  Its bits do not depend on the other problems,
 * on its index or on the number of threads; on a device with more than 32 columns they depend on the
 * number of problems.  batched.md has the rules: layout, waits, captures, options, range, threads.
 *
 * GSVD_SUCCESS means that every problem was attempted.  Any other status concerns the whole call;
 * k_out, l_out and info are then undefined, and gsvd_last_error names the illegal member and, if it
 * is one problem's, the problem.  info[i] is *info of problem i:
 *
 *     0, 1, 2, 2 + j    as in the typed routine; 1 also if V of hsvd fails its test or, on a
 *                       device, a matrix of eigh for which AUTO does not suffice
 *     -4                A of eigh has a NaN or an infinity
 *     -5, -6            A of svd, A of hsvd has a NaN or an infinity
 *     -9, -11           A of gsvd, B of gsvd has a NaN or an infinity
 *     -8                signs of hsvd are illegal
 *
 * If info[i] is negative or 2 + j, the values and factors of problem i are NaN, its ranks 0. */

#ifdef __cplusplus
}
#endif

#include "gsvd_typed.h" /* s, c and z, and _gpu */

#endif /* GSVD_H */
