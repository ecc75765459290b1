/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.h -- generalized singular value decomposition of a matrix pair (A, B).
 *
 *     A = U D1 (0 R) Q^H,    B = V D2 (0 R) Q^H,    D1^H D1 + D2^H D2 = I
 *
 * A is m-by-n, B is p-by-n, real or complex; U, V, Q are unitary; R is upper
 * triangular and nonsingular of order r = k + l, where l is the numerical rank
 * of B and k + l that of (A; B).  Shapes, ranks and storage are those of
 * LAPACK's xGGSVD3, the order of the arguments too, with the handle in front
 * and the workspace in bytes.
 *
 *     1 types   2 handle   3 options   4 one pair   5 its two halves
 *     6 any type, one name   7 one matrix: QR, pivoted QR, URV
 *
 * A library that was built without a precision (GSVD_HAVE_S and so on are 0) lacks
 * its functions: they are not declared, and their names do not compile.
 *
 * All matrices are stored by columns.  All sizes are int64_t.  No function
 * prints, exits, or keeps state outside its handle (but for one text, that of
 * gsvd_last_error(NULL), and libgsvd-cuda, once it is open).
 *
 * An array begins at an address aligned for its elements: in host memory for float,
 * double or int64_t, of which complex numbers consist; in the memory of a device a
 * multiple of the size of the elements, complex ones in one piece.  So each element
 * of an array may be the first one of another, with any leading dimension.  An
 * array that begins between two elements is an illegal argument.  Workspace may
 * begin anywhere.
 *
 * Threads: a call on the host uses the threads of the BLAS and, while Jacobi's
 * sweeps run and the BLAS does not, threads of its own, as many as a parallel
 * region of OpenMP would have (OMP_NUM_THREADS), or one if it is called inside of
 * such a region.  They end with the sweep.
 *
 * fork: a child may use a handle on the host, its parent's or its own.  Calls
 * through the parent's handle on a device are GSVD_DEVICE_FAILED there; and where
 * the parent has used CUDA, GSVD_ANY is the host.
 *
 * Bits: a call repeated has the same results, bit for bit, on the same machine
 * or device, with the same options, leading dimensions and alignment of the
 * arrays, the same BLAS and number of its threads; whatever the number of our
 * own.  A change of any of these may change the rounding.
 */
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

/* ---- 1. types ----------------------------------------------------------- */

typedef GSVD_COMPLEX_FLOAT gsvd_complex_float;
typedef GSVD_COMPLEX_DOUBLE gsvd_complex_double;

typedef struct gsvd_context *gsvd_handle_t; /* opaque                        */
typedef struct CUstream_st *gsvd_stream_t;  /* a cudaStream_t                */

typedef enum gsvd_status {
    GSVD_SUCCESS = 0,
    GSVD_NOT_CONVERGED,       /* sweep limit reached; the factors are finite */
    GSVD_INVALID_HANDLE,      /* NULL                                        */
    GSVD_INVALID_ARGUMENT,    /* *info = -i: argument i is at fault          */
    GSVD_WORKSPACE_TOO_SMALL, /* fewer bytes than ..._buffer_size asks for   */
    GSVD_OUT_OF_MEMORY,       /* on the host or on the device                */
    GSVD_NOT_SUPPORTED,       /* e.g. a _gpu call through a host handle      */
    GSVD_DEVICE_FAILED,       /* a CUDA library failed; see gsvd_last_error  */
    GSVD_INTERNAL_ERROR,      /* a fault of this library; please report      */
    GSVD_OVERFLOW             /* *info = 2: R is too large for the type; the
                               * factors and all else are finite             */
} gsvd_status_t; /* *info: 0, 1, 2, then -1000 - status, e.g. -1005 without
                  * memory, but -i as above                                  */

typedef enum gsvd_type {
    GSVD_S = 's', /* float                                                   */
    GSVD_D = 'd', /* double                                                  */
    GSVD_C = 'c', /* complex of float                                        */
    GSVD_Z = 'z'  /* complex of double                                       */
} gsvd_type_t;

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
 * of CUDA's runtime.  Afterwards the thread's context is what it was; no context
 * comes to be on another device.  A call clears the runtime's last error
 * (cudaGetLastError), whoever left it.
 *
 * Fails with GSVD_NOT_SUPPORTED if the library was built without CUDA or without
 * code for this GPU, or if libgsvd-cuda, which it opens for the first device, is not
 * there or needs what is not there; GSVD_DEVICE_FAILED if there is no such device or
 * CUDA does not work, GSVD_OUT_OF_MEMORY; gsvd_last_error(NULL) says more. */
GSVD_API gsvd_status_t gsvd_create(gsvd_handle_t *h, int device);

/* Releases the handle and all memory that it owns.  Waits for the handle's
 * stream.  NULL is allowed. */
GSVD_API gsvd_status_t gsvd_destroy(gsvd_handle_t h);

/* All further work of the handle goes to this CUDA stream (NULL: the default
 * stream).  Its memory stays the same: what it has queued before must be done, or
 * the new stream wait for it.  GSVD_NOT_SUPPORTED on a host handle. */
GSVD_API gsvd_status_t gsvd_set_stream(gsvd_handle_t h, gsvd_stream_t stream);

/* Where the handle computes: a CUDA ordinal or GSVD_HOST. */
GSVD_API gsvd_status_t gsvd_get_device(gsvd_handle_t h, int *device);

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

/* ---- 3. options --------------------------------------------------------- */

/* Integers. */
typedef enum gsvd_option {
    GSVD_SOLVER,     /* one of gsvd_solver_t; default GSVD_SOLVER_JACOBI     */
    GSVD_FORM,       /* one of gsvd_form_t; default GSVD_FORM_LAPACK         */
    GSVD_MAX_SWEEPS, /* sweeps of the Jacobi solver, >= 1; default 30       */
    GSVD_PIVOT,      /* one of gsvd_pivot_t; default GSVD_PIVOT_TOURNAMENT   */
    GSVD_PANEL       /* one of gsvd_panel_t; default GSVD_PANEL_AUTO         */
} gsvd_option_t;

typedef enum gsvd_solver {
    GSVD_SOLVER_JACOBI, /* one-sided Jacobi on the orthonormalized pair      */
    GSVD_SOLVER_TGSJA   /* LAPACK's xTGSJA, on the host (its 40-cycle limit;
                         * where it fails to converge, Jacobi takes over)    */
} gsvd_solver_t;

typedef enum gsvd_form {
    GSVD_FORM_LAPACK, /* A = U D1 (0 R) Q^H, B = V D2 (0 R) Q^H              */
    GSVD_FORM_X       /* A = U D1 X^H, B = V D2 X^H, X = Q (0 R)^H           */
} gsvd_form_t;

/* How preprocess, geqp and urv order the columns; the ranks are decided on the
 * triangular factor, whichever it is. */
typedef enum gsvd_pivot {
    GSVD_PIVOT_TOURNAMENT, /* blocks of columns, the winners of a tournament
                            * of their random sketch                         */
    GSVD_PIVOT_SKETCH,     /* blocks, by norm pivoting of the sketch         */
    GSVD_PIVOT_NORM        /* LAPACK's order: one by one, the longest first;
                            * its ranks too, where Kahan's matrix misleads it
                            * (the others look once more)                    */
} gsvd_pivot_t;

/* How the panels of a QR factorization are factored.  All roads end in the same
 * Householder form, backward stable.  A pair whose rows differ much in size takes
 * Householder's reflectors whatever this says. */
typedef enum gsvd_panel {
    GSVD_PANEL_AUTO, /* on a GPU Cholesky QR, once or twice as the condition of
                      * 32 columns asks for, or of more in single precision,
                      * where it proves safe while it runs, else TSQR or
                      * Householder; on the CPU Householder                  */
    GSVD_PANEL_TSQR  /* Givens rotations over a tree of 32-row leaves        */
} gsvd_panel_t;

/* Reals; negative: LAPACK's default. */
typedef enum gsvd_tolerance {
    GSVD_TOL_A,     /* rank of A: max(m,n) max(||A||_1, safmin) ulp         */
    GSVD_TOL_B,     /* rank of B: max(p,n) max(||B||_1, safmin) ulp         */
    GSVD_TOL_JACOBI /* cosine between columns that count as orthogonal;
                      * default sqrt(max(rows,16)) eps                       */
} gsvd_tolerance_t;

/* Of the last decomposition by the handle. */
typedef struct gsvd_stats {
    int64_t k, l;
    int device;           /* where it ran: a CUDA ordinal or GSVD_HOST       */
    gsvd_solver_t solver; /* the solver whose result was used                */
    int sweeps;           /* of Jacobi, or cycles of xTGSJA                  */
    int converged;        /* 0 or 1                                          */
    double seconds_preprocess, seconds_solve; /* wall time, up to the host   */
    double seconds_total; /* waits; work that is still queued is not in it   */
} gsvd_stats_t; /* n <= 4 on the host: the stages are not timed, and 0       */

/* Called by the Jacobi solver after each sweep with the number of rotations and
 * exchanges in it; it converges when that is 0.  A non-zero return stops the
 * solver: the call then ends with GSVD_NOT_CONVERGED.  No call through the
 * handle may be made from it. */
typedef int (*gsvd_progress_t)(void *user, int sweep, int64_t rotations);

/* Sets an option for all further calls through the handle.
 * GSVD_INVALID_ARGUMENT for an unknown key or a value out of range. */
GSVD_API gsvd_status_t gsvd_set_option(gsvd_handle_t h, gsvd_option_t key,
                                       int value);

/* Sets a tolerance for all further calls through the handle; negative: the
 * default.  The ranks' ones are absolute, in the units of A and of B.
 * GSVD_INVALID_ARGUMENT for an unknown key, a NaN or an infinity. */
GSVD_API gsvd_status_t gsvd_set_tolerance(gsvd_handle_t h, gsvd_tolerance_t key,
                                          double value);

/* From now on fn(user, ...) is called once a sweep; NULL: no more. */
GSVD_API gsvd_status_t gsvd_set_progress(gsvd_handle_t h, gsvd_progress_t fn,
                                         void *user);

/* Copies the statistics of the handle's last decomposition to *stats. */
GSVD_API gsvd_status_t gsvd_get_stats(gsvd_handle_t h, gsvd_stats_t *stats);

/* ---- 4. one pair -------------------------------------------------------- */

/* GSVD of one pair of matrices in host memory, computed where the handle says.
 *
 * jobu  in   'U': U in full, m-by-m;  'S': economy, its leading min(m,n)
 *            columns;  'N': U is not referenced.
 * jobv  in   'V': V in full, p-by-p;  'S': its leading min(p,n) columns;  'N'.
 * jobq  in   'Q': Q in full, n-by-n;  'S': its trailing min(n,m+p) columns;
 *            'N'.  With GSVD_FORM_X, 'Q' or 'S' ask for X.
 *            With all three jobs 'N' only k, l, alpha and beta are computed.
 * m n p in   rows of A, columns of A and B, rows of B; each >= 0.
 * k l   out  as above.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit, unless all jobs are 'N': R, or
 *            its first m rows, in A(1:min(m,k+l), n-k-l+1:n).
 * B     i/o  p-by-n, ldb >= max(1,p).  On exit, unless all jobs are 'N', and
 *            if m < k+l: the other rows of R, in B(m-k+1:l, n+m-k-l+1:n).
 * alpha out  n values each.  alpha(1:k) = 1, beta(1:k) = 0; alpha(k+1:k+l) and
 * beta       beta(k+1:k+l) are the nontrivial pairs with alpha descending (and
 *            alpha = 0, beta = 1 for those beyond m); the rest are 0.
 * U     out  ldu >= max(1,m) if wanted, else >= 1.
 * V     out  ldv >= max(1,p) if wanted, else >= 1.
 * Q     out  ldq >= max(1,n) if wanted, else >= 1.  With GSVD_FORM_X: X, n-by-
 *            (k+l), in the leading columns; the others are set to 0.
 * dwork in   workspace on the device and on the host, of at least the bytes
 * hwork      that gsvd_buffer_size tells; NULL lets the handle own and grow it.
 * info  out  0 done; -i argument i is illegal, the handle not counted, so that
 *            the numbers are xGGSVD3's; 1 the sweep limit was reached, or the
 *            callback stopped; -1000 - status: any other failure.
 *            2 R, or X, has entries beyond the largest number: they are
 *            infinite, what else there is stands as it should, and the status
 *            is GSVD_OVERFLOW; gsvd_last_error tells a power of two times which
 *            A and B have an R that fits.  All routines below do the same.
 *            A NaN or an infinity in A or B is an illegal argument 9 or 11;
 *            A and B stay as they were.
 *
 * D1 is m-by-r and D2 is p-by-r, as in xGGSVD3:  D1 = (I 0; 0 C; 0 0) and
 * D2 = (0 S; 0 0) with C = diag(alpha(k+1:k+l)), S = diag(beta(k+1:k+l)) if
 * m >= k+l; else their first m-k diagonal entries, and D2 goes on with ones.
 *
 * Returns when all results are there.
 * Source: preprocessing, Flegar 2016, theorem 1.3 and section 2.4; solver,
 * one-sided Jacobi, Novakovic 2015, (13)-(18), on the orthonormalized pair. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd(gsvd_handle_t h, char jobu, char jobv, char jobq,
                             int64_t m, int64_t n, int64_t p, int64_t *k,
                             int64_t *l, float *A, int64_t lda, float *B,
                             int64_t ldb, float *alpha, float *beta, float *U,
                             int64_t ldu, float *V, int64_t ldv, float *Q,
                             int64_t ldq, void *dwork, size_t dwork_bytes,
                             void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd(gsvd_handle_t h, char jobu, char jobv, char jobq,
                             int64_t m, int64_t n, int64_t p, int64_t *k,
                             int64_t *l, double *A, int64_t lda, double *B,
                             int64_t ldb, double *alpha, double *beta,
                             double *U, int64_t ldu, double *V, int64_t ldv,
                             double *Q, int64_t ldq, void *dwork,
                             size_t dwork_bytes, void *hwork,
                             size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd(gsvd_handle_t h, char jobu, char jobv, char jobq,
                             int64_t m, int64_t n, int64_t p, int64_t *k,
                             int64_t *l, gsvd_complex_float *A, int64_t lda,
                             gsvd_complex_float *B, int64_t ldb, float *alpha,
                             float *beta, gsvd_complex_float *U, int64_t ldu,
                             gsvd_complex_float *V, int64_t ldv,
                             gsvd_complex_float *Q, int64_t ldq, void *dwork,
                             size_t dwork_bytes, void *hwork,
                             size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd(gsvd_handle_t h, char jobu, char jobv, char jobq,
                             int64_t m, int64_t n, int64_t p, int64_t *k,
                             int64_t *l, gsvd_complex_double *A, int64_t lda,
                             gsvd_complex_double *B, int64_t ldb, double *alpha,
                             double *beta, gsvd_complex_double *U, int64_t ldu,
                             gsvd_complex_double *V, int64_t ldv,
                             gsvd_complex_double *Q, int64_t ldq, void *dwork,
                             size_t dwork_bytes, void *hwork,
                             size_t hwork_bytes, int *info);
#endif

/* The same for matrices in the memory of the handle's CUDA device.
 *
 * A, B, alpha, beta, U, V, Q and dwork are device memory; k, l, info and hwork
 * are host memory.  The work is queued on the handle's stream; the call waits
 * for it where it must know a number (is the input finite, k, l, has it
 * converged) and returns, with k, l and info valid, while the last steps may
 * still be queued; dwork is in use until the stream has done them.
 * GSVD_NOT_SUPPORTED on a host handle. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_gpu(gsvd_handle_t h, char jobu, char jobv,
                                 char jobq, int64_t m, int64_t n, int64_t p,
                                 int64_t *k, int64_t *l, float *A, int64_t lda,
                                 float *B, int64_t ldb, float *alpha,
                                 float *beta, float *U, int64_t ldu, float *V,
                                 int64_t ldv, float *Q, int64_t ldq,
                                 void *dwork, size_t dwork_bytes, void *hwork,
                                 size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_gpu(gsvd_handle_t h, char jobu, char jobv,
                                 char jobq, int64_t m, int64_t n, int64_t p,
                                 int64_t *k, int64_t *l, double *A, int64_t lda,
                                 double *B, int64_t ldb, double *alpha,
                                 double *beta, double *U, int64_t ldu,
                                 double *V, int64_t ldv, double *Q, int64_t ldq,
                                 void *dwork, size_t dwork_bytes, void *hwork,
                                 size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n,
    int64_t p, int64_t *k, int64_t *l, gsvd_complex_float *A, int64_t lda,
    gsvd_complex_float *B, int64_t ldb, float *alpha, float *beta,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n,
    int64_t p, int64_t *k, int64_t *l, gsvd_complex_double *A, int64_t lda,
    gsvd_complex_double *B, int64_t ldb, double *alpha, double *beta,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif

/* Bytes of workspace that [sdcz]gsvd and [sdcz]gsvd_gpu need for these shapes
 * with the handle's present options.
 *
 * It is all the memory that a call takes: at most 2.5 times A and B and 32 MiB to
 * preprocess a pair, for a square one about three times A and B in all; for qr,
 * qr_apply and qr_form at most the matrix and 32 MiB, half of it and 32 MiB if it is
 * square.  Arrays on the host with a handle of a device are copied there, and these
 * copies come on top. */
GSVD_API gsvd_status_t gsvd_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                        char jobu, char jobv, char jobq,
                                        int64_t m, int64_t n, int64_t p,
                                        size_t *dwork_bytes,
                                        size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                            char jobu, char jobv, char jobq,
                                            int64_t m, int64_t n, int64_t p,
                                            size_t *dwork_bytes,
                                            size_t *hwork_bytes);

/* ---- 5. its two halves -------------------------------------------------- */

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
 * A, B        i/o  on exit the triangular pair, zeros included.
 * tola, tolb  in   a diagonal entry of a pivoted QR counts if it is larger;
 *                  negative: LAPACK's defaults, see gsvd_tolerance_t.
 * k l U V Q   out  as in gsvd.
 * info        out  0 or -i; numbers are xGGSVP3's (A is 7, B is 9).
 *
 * Rows that differ in size by more than 2^10 are sorted meanwhile, so that a small
 * one keeps its own relative accuracy; small rows of B count only where tolb is
 * below them.
 * Source: Flegar 2016, theorem 1.3; Bai and Zha 1993; Cox and Higham 1998. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, float *A, int64_t lda, float *B, int64_t ldb, float tola,
    float tolb, int64_t *k, int64_t *l, float *U, int64_t ldu, float *V,
    int64_t ldv, float *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, double *A, int64_t lda, double *B, int64_t ldb, double tola,
    double tolb, int64_t *k, int64_t *l, double *U, int64_t ldu, double *V,
    int64_t ldv, double *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B,
    int64_t ldb, float tola, float tolb, int64_t *k, int64_t *l,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B,
    int64_t ldb, double tola, double tolb, int64_t *k, int64_t *l,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif

/* The same in device memory; memory and waiting as in gsvd_gpu. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, float *A, int64_t lda, float *B, int64_t ldb, float tola,
    float tolb, int64_t *k, int64_t *l, float *U, int64_t ldu, float *V,
    int64_t ldv, float *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, double *A, int64_t lda, double *B, int64_t ldb, double tola,
    double tolb, int64_t *k, int64_t *l, double *U, int64_t ldu, double *V,
    int64_t ldv, double *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B,
    int64_t ldb, float tola, float tolb, int64_t *k, int64_t *l,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B,
    int64_t ldb, double tola, double tolb, int64_t *k, int64_t *l,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif

/* Bytes of workspace for these. */
GSVD_API gsvd_status_t gsvd_preprocess_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
    int64_t m, int64_t p, int64_t n, size_t *dwork_bytes, size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_preprocess_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
    int64_t m, int64_t p, int64_t n, size_t *dwork_bytes, size_t *hwork_bytes);

/* The GSVD of a triangular pair, xTGSJA's job; the pair is what preprocess
 * leaves.
 *
 * jobu        in   'U': U holds a unitary U1 on entry and U1 U on exit;
 *                  'I': U is set;  'N': not referenced.  U is m-by-m.
 * jobv, jobq  in   'V' and 'Q', 'I', 'N' likewise; p-by-p and n-by-n.
 *                  With all three 'N' only alpha and beta are computed.
 * k l         in   of the triangular pair.
 * A, B        i/o  on exit R, as in gsvd.
 * tola, tolb  in   xTGSJA's convergence criteria, used by GSVD_SOLVER_TGSJA
 *                  alone; negative: LAPACK's defaults, as for the ranks.
 * alpha, beta out  as in gsvd.
 * info        out  0, -i or 1; numbers are xTGSJA's (A is 9, B is 11).
 * X form does not apply.  Source: see gsvd. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, int64_t k, int64_t l, float *A, int64_t lda, float *B,
    int64_t ldb, float tola, float tolb, float *alpha, float *beta, float *U,
    int64_t ldu, float *V, int64_t ldv, float *Q, int64_t ldq, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_solve(gsvd_handle_t h, char jobu, char jobv,
                                   char jobq, int64_t m, int64_t p, int64_t n,
                                   int64_t k, int64_t l, double *A, int64_t lda,
                                   double *B, int64_t ldb, double tola,
                                   double tolb, double *alpha, double *beta,
                                   double *U, int64_t ldu, double *V,
                                   int64_t ldv, double *Q, int64_t ldq,
                                   void *dwork, size_t dwork_bytes, void *hwork,
                                   size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, int64_t k, int64_t l, gsvd_complex_float *A, int64_t lda,
    gsvd_complex_float *B, int64_t ldb, float tola, float tolb, float *alpha,
    float *beta, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V,
    int64_t ldv, gsvd_complex_float *Q, int64_t ldq, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t
zgsvd_solve(gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m,
            int64_t p, int64_t n, int64_t k, int64_t l, gsvd_complex_double *A,
            int64_t lda, gsvd_complex_double *B, int64_t ldb, double tola,
            double tolb, double *alpha, double *beta, gsvd_complex_double *U,
            int64_t ldu, gsvd_complex_double *V, int64_t ldv,
            gsvd_complex_double *Q, int64_t ldq, void *dwork,
            size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif

/* The same in device memory; memory and waiting as in gsvd_gpu. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, int64_t k, int64_t l, float *A, int64_t lda, float *B,
    int64_t ldb, float tola, float tolb, float *alpha, float *beta, float *U,
    int64_t ldu, float *V, int64_t ldv, float *Q, int64_t ldq, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t
dgsvd_solve_gpu(gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m,
                int64_t p, int64_t n, int64_t k, int64_t l, double *A,
                int64_t lda, double *B, int64_t ldb, double tola, double tolb,
                double *alpha, double *beta, double *U, int64_t ldu, double *V,
                int64_t ldv, double *Q, int64_t ldq, void *dwork,
                size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, int64_t k, int64_t l, gsvd_complex_float *A, int64_t lda,
    gsvd_complex_float *B, int64_t ldb, float tola, float tolb, float *alpha,
    float *beta, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V,
    int64_t ldv, gsvd_complex_float *Q, int64_t ldq, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p,
    int64_t n, int64_t k, int64_t l, gsvd_complex_double *A, int64_t lda,
    gsvd_complex_double *B, int64_t ldb, double tola, double tolb,
    double *alpha, double *beta, gsvd_complex_double *U, int64_t ldu,
    gsvd_complex_double *V, int64_t ldv, gsvd_complex_double *Q, int64_t ldq,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif

/* Bytes of workspace for these. */
GSVD_API gsvd_status_t gsvd_solve_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                              char jobu, char jobv, char jobq,
                                              int64_t m, int64_t p, int64_t n,
                                              int64_t k, int64_t l,
                                              size_t *dwork_bytes,
                                              size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_solve_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
    int64_t m, int64_t p, int64_t n, int64_t k, int64_t l, size_t *dwork_bytes,
    size_t *hwork_bytes);

/* ---- 6. any type, one name ---------------------------------------------- */

/* [sdcz]gsvd and [sdcz]gsvd_gpu with the type as a value: for bindings and
 * templates.  A, B, U, V, Q point to type, alpha and beta to its real type.
 * GSVD_NOT_SUPPORTED for a type that the library was built without. */
GSVD_API gsvd_status_t gsvd(gsvd_handle_t h, gsvd_type_t type, char jobu,
                            char jobv, char jobq, int64_t m, int64_t n,
                            int64_t p, int64_t *k, int64_t *l, void *A,
                            int64_t lda, void *B, int64_t ldb, void *alpha,
                            void *beta, void *U, int64_t ldu, void *V,
                            int64_t ldv, void *Q, int64_t ldq, void *dwork,
                            size_t dwork_bytes, void *hwork, size_t hwork_bytes,
                            int *info);
GSVD_API gsvd_status_t gsvd_gpu(gsvd_handle_t h, gsvd_type_t type, char jobu,
                                char jobv, char jobq, int64_t m, int64_t n,
                                int64_t p, int64_t *k, int64_t *l, void *A,
                                int64_t lda, void *B, int64_t ldb, void *alpha,
                                void *beta, void *U, int64_t ldu, void *V,
                                int64_t ldv, void *Q, int64_t ldq, void *dwork,
                                size_t dwork_bytes, void *hwork,
                                size_t hwork_bytes, int *info);

/* ---- 7. one matrix ------------------------------------------------------- */

/* For all of this section: without _gpu the arrays are in host memory, wherever
 * the handle computes, and the call returns when all results are there.  With
 * _gpu they are in the memory of the handle's CUDA device, the work is queued
 * on its stream, and the call waits for it only where it must know a number (is
 * the input finite, the rank); dwork is in use until the stream has done the
 * rest.  A _gpu call through a host handle is GSVD_NOT_SUPPORTED.
 *
 * dwork, hwork and info are as in gsvd; the handle is not counted in info's
 * numbers.  A NaN or an infinity in an array that is read is an illegal
 * argument, and the arrays stay as they were.  A matrix next to over- or
 * underflow is scaled by a power of two meanwhile; only what has no
 * representation itself, such as the length of a column of huge entries,
 * overflows.  The handle's statistics are those of pairs and stay. */

/* QR factorization, xGEQRF's job: A = Q R with Q = H_1 H_2 ... H_min(m,n) and
 * H_j = I - tau(j) v_j v_j^H.
 *
 * m n   in   rows and columns of A; each >= 0.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit R, upper triangular or
 *            trapezoidal, on and above the diagonal; below it v_j(j+1:m), whose
 *            v_j(j) = 1 and leading zeros are not stored.
 * tau   out  min(m,n) values; or NULL: R alone, and what A holds below the
 *            diagonal on exit is undefined.  If m >= n and n <= 32, that saves
 *            the reflectors, and R's diagonal is nonnegative; otherwise R is
 *            the same as with tau, its diagonal of either sign.
 * info  out  0 or -i; numbers are xGEQRF's (A is 3).
 *
 * Option GSVD_PANEL applies.  Source: panels, Flegar 2016, section 2.2 (TSQR:
 * Demmel, Grigori, Hoemmen and Langou 2012); their reflectors, Ballard et al.
 * 2014. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_qr(gsvd_handle_t h, int64_t m, int64_t n, float *A,
                                int64_t lda, float *tau, void *dwork,
                                size_t dwork_bytes, void *hwork,
                                size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_qr(gsvd_handle_t h, int64_t m, int64_t n,
                                double *A, int64_t lda, double *tau,
                                void *dwork, size_t dwork_bytes, void *hwork,
                                size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    gsvd_complex_float *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    gsvd_complex_double *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif

/* The same in device memory: A, tau and dwork; info and hwork are host
 * memory. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_qr_gpu(gsvd_handle_t h, int64_t m, int64_t n,
                                    float *A, int64_t lda, float *tau,
                                    void *dwork, size_t dwork_bytes,
                                    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_qr_gpu(gsvd_handle_t h, int64_t m, int64_t n,
                                    double *A, int64_t lda, double *tau,
                                    void *dwork, size_t dwork_bytes,
                                    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_qr_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    gsvd_complex_float *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_qr_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    gsvd_complex_double *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif

/* Bytes of workspace for these, with tau or without. */
GSVD_API gsvd_status_t gsvd_qr_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n,
    size_t *dwork_bytes, size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_qr_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n,
    size_t *dwork_bytes, size_t *hwork_bytes);

/* C := op(Q) C or C op(Q), xORMQR's job, with the Q of qr or of geqp.
 *
 * side  in   'L': op(Q) C;  'R': C op(Q).
 * op    in   'N': Q;  'C': Q^H;  'T': the same for real types.
 * m n   in   rows and columns of C; each >= 0.
 * k     in   Q = H_1 ... H_k, 0 <= k <= q, where q is m for side 'L', else n.
 * A tau in   q-by-k, lda >= max(1,q), as qr left its first k columns, and k
 *            values; neither is changed.  R is not used, but must be finite.
 * C     i/o  m-by-n, ldc >= max(1,m).
 * info  out  0 or -i; numbers are xORMQR's (A is 6, tau is 8, C is 9). */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const float *A, int64_t lda, const float *tau, float *C, int64_t ldc,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const double *A, int64_t lda, const double *tau, double *C, int64_t ldc,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_float *A, int64_t lda, const gsvd_complex_float *tau,
    gsvd_complex_float *C, int64_t ldc, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_double *A, int64_t lda, const gsvd_complex_double *tau,
    gsvd_complex_double *C, int64_t ldc, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif

/* The same in device memory: A, tau, C and dwork; info and hwork are host
 * memory. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const float *A, int64_t lda, const float *tau, float *C, int64_t ldc,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const double *A, int64_t lda, const double *tau, double *C, int64_t ldc,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_float *A, int64_t lda, const gsvd_complex_float *tau,
    gsvd_complex_float *C, int64_t ldc, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_double *A, int64_t lda, const gsvd_complex_double *tau,
    gsvd_complex_double *C, int64_t ldc, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif

/* Bytes of workspace for these. */
GSVD_API gsvd_status_t gsvd_qr_apply_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char side, int64_t m, int64_t n,
    int64_t k, size_t *dwork_bytes, size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_qr_apply_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char side, int64_t m, int64_t n,
    int64_t k, size_t *dwork_bytes, size_t *hwork_bytes);

/* A := the leading n columns of Q = H_1 ... H_k, xORGQR's job.
 *
 * m n k in   m >= n >= k >= 0.
 * A     i/o  m-by-n, lda >= max(1,m).  On entry its first k columns are as qr
 *            left them; R is not used, but must be finite.
 * tau   in   k values.
 * info  out  0 or -i; numbers are xORGQR's (A is 4, tau is 6). */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, float *A, int64_t lda,
    const float *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, double *A, int64_t lda,
    const double *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_float *A,
    int64_t lda, const gsvd_complex_float *tau, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_double *A,
    int64_t lda, const gsvd_complex_double *tau, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif

/* The same in device memory: A, tau and dwork; info and hwork are host
 * memory. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, float *A, int64_t lda,
    const float *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, double *A, int64_t lda,
    const double *tau, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_float *A,
    int64_t lda, const gsvd_complex_float *tau, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_double *A,
    int64_t lda, const gsvd_complex_double *tau, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif

/* Bytes of workspace for these. */
GSVD_API gsvd_status_t gsvd_qr_form_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n, int64_t k,
    size_t *dwork_bytes, size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_qr_form_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n, int64_t k,
    size_t *dwork_bytes, size_t *hwork_bytes);

/* QR factorization with column pivoting that reveals the rank, xGEQP3's job:
 *
 *                      rank  n-rank
 *     A P = Q R,  R = ( R11   R12 ) rank      R11 upper triangular, every
 *                     (  0    R22 ) m-rank    |R11(j,j)| > tol
 *
 * where no column of R22 is longer than tol.  All columns are free: jpvt is not
 * read.
 *
 * m n   in   rows and columns of A; each >= 0.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit R, R22 in full, and below R11
 *            the reflectors of Q = H_1 ... H_rank, as in qr.
 * jpvt  out  n values: column j of A P was column jpvt(j) of A, counted from 1.
 * tau   out  min(m,n) values; those behind rank are 0.
 * tol   in   in the units of A; 0: go on as long as anything is left;
 *            negative: max(m,n) max(||A||_1, safmin) ulp, LAPACK's tolerance
 *            in xGGSVD3.  A NaN is an illegal argument.
 * rank  out  of A, as above.
 * info  out  0 or -i; numbers up to tau are xGEQP3's (A is 3, jpvt is 5), tol
 *            is 7, rank is 8.
 *
 * Options GSVD_PIVOT and GSVD_PANEL apply; with GSVD_PIVOT_NORM the order is
 * xGEQP3's up to rounding.  Source: Flegar 2016, section 2.3; Demmel, Grigori,
 * Gu and Xiang 2015; Martinsson et al. 2015. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, float *A, int64_t lda, int64_t *jpvt,
    float *tau, float tol, int64_t *rank, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda,
    int64_t *jpvt, double *tau, double tol, int64_t *rank, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_float *tau, float tol, int64_t *rank,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_double *tau, double tol, int64_t *rank,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif

/* The same in device memory: A, jpvt, tau and dwork; rank, info and hwork are
 * host memory. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, float *A, int64_t lda, int64_t *jpvt,
    float *tau, float tol, int64_t *rank, void *dwork, size_t dwork_bytes,
    void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda,
    int64_t *jpvt, double *tau, double tol, int64_t *rank, void *dwork,
    size_t dwork_bytes, void *hwork, size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_float *tau, float tol, int64_t *rank,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_double *tau, double tol, int64_t *rank,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif

/* Bytes of workspace for these. */
GSVD_API gsvd_status_t gsvd_geqp_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n,
    size_t *dwork_bytes, size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_geqp_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n,
    size_t *dwork_bytes, size_t *hwork_bytes);

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
 * m n   in   rows and columns of A; each >= 0.
 * A     i/o  m-by-n, lda >= max(1,m).  On exit (0 R; 0 0), zeros included.
 * tol   in   as in geqp; what geqp leaves below it is dropped.
 * rank  out  r.
 * U     out  ldu >= max(1,m) if wanted, else >= 1.
 * V     out  ldv >= max(1,n) if wanted, else >= 1.
 * info  out  0 or -i: jobu is 1, jobv 2, m 3, n 4, A 5, lda 6, tol 7, rank 8,
 *            U 9, ldu 10, V 11, ldv 12.
 *
 * Options GSVD_PIVOT and GSVD_PANEL apply.  Source: Flegar 2016, proposition
 * 1.4. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, float *A,
    int64_t lda, float tol, int64_t *rank, float *U, int64_t ldu, float *V,
    int64_t ldv, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, double *A,
    int64_t lda, double tol, int64_t *rank, double *U, int64_t ldu, double *V,
    int64_t ldv, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n,
    gsvd_complex_float *A, int64_t lda, float tol, int64_t *rank,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n,
    gsvd_complex_double *A, int64_t lda, double tol, int64_t *rank,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif

/* The same in device memory: A, U, V and dwork; rank, info and hwork are host
 * memory. */
#if GSVD_HAVE_S
GSVD_API gsvd_status_t sgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, float *A,
    int64_t lda, float tol, int64_t *rank, float *U, int64_t ldu, float *V,
    int64_t ldv, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_D
GSVD_API gsvd_status_t dgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, double *A,
    int64_t lda, double tol, int64_t *rank, double *U, int64_t ldu, double *V,
    int64_t ldv, void *dwork, size_t dwork_bytes, void *hwork,
    size_t hwork_bytes, int *info);
#endif
#if GSVD_HAVE_C
GSVD_API gsvd_status_t cgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n,
    gsvd_complex_float *A, int64_t lda, float tol, int64_t *rank,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif
#if GSVD_HAVE_Z
GSVD_API gsvd_status_t zgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n,
    gsvd_complex_double *A, int64_t lda, double tol, int64_t *rank,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    void *dwork, size_t dwork_bytes, void *hwork, size_t hwork_bytes,
    int *info);
#endif

/* Bytes of workspace for these. */
GSVD_API gsvd_status_t gsvd_urv_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, int64_t m,
    int64_t n, size_t *dwork_bytes, size_t *hwork_bytes);
GSVD_API gsvd_status_t gsvd_urv_gpu_buffer_size(
    gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, int64_t m,
    int64_t n, size_t *dwork_bytes, size_t *hwork_bytes);

/* The names that this build lacks.  A C compiler may let an undeclared function pass
 * with a warning, and only the linker would refuse the program. */
#if defined __GNUC__
#if !GSVD_HAVE_S
#pragma GCC poison sgsvd sgsvd_gpu sgsvd_preprocess sgsvd_preprocess_gpu
#pragma GCC poison sgsvd_solve sgsvd_solve_gpu sgsvd_qr sgsvd_qr_gpu
#pragma GCC poison sgsvd_qr_apply sgsvd_qr_apply_gpu sgsvd_qr_form
#pragma GCC poison sgsvd_qr_form_gpu sgsvd_geqp sgsvd_geqp_gpu sgsvd_urv
#pragma GCC poison sgsvd_urv_gpu
#endif
#if !GSVD_HAVE_D
#pragma GCC poison dgsvd dgsvd_gpu dgsvd_preprocess dgsvd_preprocess_gpu
#pragma GCC poison dgsvd_solve dgsvd_solve_gpu dgsvd_qr dgsvd_qr_gpu
#pragma GCC poison dgsvd_qr_apply dgsvd_qr_apply_gpu dgsvd_qr_form
#pragma GCC poison dgsvd_qr_form_gpu dgsvd_geqp dgsvd_geqp_gpu dgsvd_urv
#pragma GCC poison dgsvd_urv_gpu
#endif
#if !GSVD_HAVE_C
#pragma GCC poison cgsvd cgsvd_gpu cgsvd_preprocess cgsvd_preprocess_gpu
#pragma GCC poison cgsvd_solve cgsvd_solve_gpu cgsvd_qr cgsvd_qr_gpu
#pragma GCC poison cgsvd_qr_apply cgsvd_qr_apply_gpu cgsvd_qr_form
#pragma GCC poison cgsvd_qr_form_gpu cgsvd_geqp cgsvd_geqp_gpu cgsvd_urv
#pragma GCC poison cgsvd_urv_gpu
#endif
#if !GSVD_HAVE_Z
#pragma GCC poison zgsvd zgsvd_gpu zgsvd_preprocess zgsvd_preprocess_gpu
#pragma GCC poison zgsvd_solve zgsvd_solve_gpu zgsvd_qr zgsvd_qr_gpu
#pragma GCC poison zgsvd_qr_apply zgsvd_qr_apply_gpu zgsvd_qr_form
#pragma GCC poison zgsvd_qr_form_gpu zgsvd_geqp zgsvd_geqp_gpu zgsvd_urv
#pragma GCC poison zgsvd_urv_gpu
#endif
#endif

#ifdef __cplusplus
}
#endif
#endif /* GSVD_H */
