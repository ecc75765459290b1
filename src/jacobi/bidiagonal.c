/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bidiagonal.c -- the SVD of a square matrix by bidiagonal form: by which solver.
 *
 * On the host by LAPACK (singular_values.c).  Elsewhere the two stages of two_stages.c:
 *
 *     1  A = Q1 B P1^H     B upper triangular with BAND superdiagonals
 *     2  M = (0 B^H; B 0)  of order 2 n, with BAND rows of B^H before as many of B in turn: a band of BAND
 *                          subdiagonals
 *     3  M = Q2 T Q2^H     T real and tridiagonal: band.cu
 *     4  T Z = Z diag(x)   for the n larger values, which are those of B; the others are their negatives
 *     5  Q2 Z              has vectors of P1^H V and of Q1^H U in turn, of length 1 / sqrt(2)
 *
 * 1 for the columns k to k + BAND - 1, and then the rows; A1 is what is right of the columns, A2 what is
 * below the rows, too:
 *
 *     a  P = (I - V T V^H) (R; 0),  X := A1^H V T
 *     b  P2 := (A1 - V X^H)^H of these rows, P2 = (I - W S W^H) (R2; 0)
 *     c  Y := (A2 - V X^H) W S
 *     d  A2 := A2 - V X^H - Y W^H
 *
 * R and, right of it, R2^H are blocks of B.  So A1 is read three times and written once for BAND columns.
 */
#include "core/solver.h"
#include "jacobi/band.h"
#include "jacobi/jacobi.h"
#include "qr/qr.h"

/* Entries that a column of the band has room for: a block whose last column is the band's first */
enum { ROOM = 2 * BAND + 1 };

/* xBDSDC numbers 2 n^2 entries and some of its work by 32 bits. */
enum { LIBRARY_MOST = 32765 };

typedef struct stages {
    mat_t VY, XW; /* n x 2 BAND: V and Y, X and W                            */
    mat_t P2, G;  /* n x BAND                                                */
    mat_t T, S;   /* BAND x BAND                                             */
    mat_t band;   /* ROOM x 2 n                                              */
    mat_t taus;   /* of Q2                                                   */
    mat_t Q2;     /* its reflectors, or one column that they overwrite       */
    mat_t Z;      /* 2 n x n, or no column                                   */
    real_t *d, *e, *w;
    scalar_t *tau_q, *tau_p; /* of Q1 and P1                                 */
} stages_t;

static void take(arena_t *a, int64_t n, int how, stages_t *s)
{
    const int64_t rows = max_i(n, BAND);
    const int64_t with = how == WITH_VECTORS;
    s->VY = X(take_matrix)(a, rows, 2 * BAND);
    s->XW = X(take_matrix)(a, rows, 2 * BAND);
    s->P2 = X(take_matrix)(a, rows, BAND);
    s->G = X(take_matrix)(a, rows, BAND);
    s->T = X(take_matrix)(a, BAND, BAND);
    s->S = X(take_matrix)(a, BAND, BAND);
    s->band = X(take_matrix)(a, ROOM, 2 * n);
    s->taus = X(take_matrix)(a, max_i(band_hops(2 * n), 1), 2 * n);
    s->Q2 = X(take_matrix)(a, 2 * n, with ? 2 * n : 1);
    s->Z = X(take_matrix)(a, 2 * n, with * n);
    s->d = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    s->e = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    s->w = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    s->tau_q = gsvd_arena_take(a, n, sizeof(scalar_t));
    s->tau_p = gsvd_arena_take(a, n + BAND, sizeof(scalar_t));
    if (!with) /* Columns at a distance of 0 from each other: nobody reads them. */
        s->Q2 = mat_view(s->Q2.data, 2 * n, 2 * n, 0);
}

/* The matrix of 2, of whose lower triangle the band alone is there: entry (i, j) is the band's
 * (i - j, j). */
static mat_t whole(const stages_t *s)
{
    return mat_view(s->band.data, s->band.cols, s->band.cols, ROOM - 1);
}

/* b: P2 and W have the rows of A1^H, or BAND with zeros below them.  A1's rows := P2^H,
 * if there will be vectors */
static gsvd_status_t right_block(const exec_t *ex, mat_t A1, mat_t V,
                                 const stages_t *s, mat_t X_, mat_t P2, mat_t W,
                                 scalar_t *tau)
{
    const mat_t of_rows = mat_rows(P2, 0, A1.cols);
    const mat_t G = mat_rows(s->G, 0, A1.cols), top = mat_rows(A1, 0, V.cols);

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', A1, V, G));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', G, s->T, X_));
    if (P2.rows > A1.cols)
        GSVD_TRY(ex->op->set(ex, P2, 0, 0));
    GSVD_TRY(ex->op->ctrans(ex, top, of_rows));
    GSVD_TRY(
        ex->op->gemm_sub(ex, 'N', 'C', X_, mat_rows(V, 0, V.cols), of_rows));
    GSVD_TRY(ex->op->panel(ex, P2, tau, W, s->S));
    return s->Z.cols > 0 ? ex->op->ctrans(ex, of_rows, top) : GSVD_SUCCESS;
}

/* c and d: VY = (V Y) in A2's rows, XW = (X W) */
static gsvd_status_t update(const exec_t *ex, mat_t A2, const stages_t *s,
                            mat_t VY, mat_t XW)
{
    const int64_t b = BAND;
    const mat_t X_ = mat_cols(XW, 0, b), W = mat_cols(XW, b, b);
    const mat_t G = mat_rows(s->G, 0, A2.rows), XTW = s->T;

    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', A2, W, G));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', X_, W, XTW));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', mat_cols(VY, 0, b), XTW, G));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', G, s->S, mat_cols(VY, b, b)));
    return ex->op->gemm_sub(ex, 'N', 'C', VY, XW, A2);
}

/* 1 and 2: in A, the reflectors of Q1 below B and those of P1, as rows, right of it */
static gsvd_status_t to_band(const exec_t *ex, mat_t A, const stages_t *s)
{
    const int64_t n = A.cols;
    const mat_t M = whole(s);

    GSVD_TRY(ex->op->set(ex, s->band, 0, 0));
    for (int64_t k = 0; k < n; k += BAND) {
        const int64_t b = min_i(BAND, n - k), m = n - k, right = m - b;
        const int64_t rows = max_i(right, BAND), c = min_i(right, BAND);
        const mat_t VY = mat_view(s->VY.data, m, 2 * BAND, m);
        const mat_t XW = mat_view(s->XW.data, rows, 2 * BAND, rows);
        const mat_t V = mat_cols(VY, 0, b), P2 = mat_rows(s->P2, 0, rows);
        const mat_t A1 = mat_sub(A, k, k + b, m, right);
        const mat_t R = mat_sub(M, 2 * k + b, 2 * k, b, b);

        GSVD_TRY(ex->op->panel(ex, mat_sub(A, k, k, m, b), s->tau_q + k, V,
                               mat_sub(s->T, 0, 0, b, b)));
        GSVD_TRY(ex->op->copy(ex, mat_sub(A, k, k, b, b), R));
        if (b < BAND) /* The reflectors below R are in the band, too.        */
            GSVD_TRY(ex->op->zero_lower(ex, R));
        if (right == 0)
            break;
        GSVD_TRY(right_block(ex, A1, V, s, mat_sub(XW, 0, 0, right, b), P2,
                             mat_cols(XW, BAND, BAND), s->tau_p + k));
        GSVD_TRY(
            ex->op->copy(ex, mat_rows(P2, 0, c),
                         mat_sub(M, 2 * (k + BAND), 2 * k + BAND, c, BAND)));
        GSVD_TRY(update(ex, mat_rows(A1, b, right), s, mat_rows(VY, b, right),
                        mat_rows(XW, 0, right)));
    }
    return GSVD_SUCCESS;
}

/* 5, and U := Q1 U, V := P1 V; x is overwritten. */
static gsvd_status_t vectors(const exec_t *ex, mat_t A, const stages_t *s,
                             mat_t U, mat_t V, real_t *x)
{
    const int64_t n = A.cols, right = max_i(n - BAND, 0);
    const mat_t rows = mat_view(s->Q2.data, n, n, n); /* A^H                 */

    GSVD_TRY(ex->op->band_vectors(ex, s->Q2, s->taus, s->Z));
    for (int64_t k = 0; k < n; k += BAND) {
        const int64_t b = min_i(BAND, n - k);
        GSVD_TRY(ex->op->copy(ex, mat_rows(s->Z, 2 * k, b), mat_rows(V, k, b)));
        GSVD_TRY(
            ex->op->copy(ex, mat_rows(s->Z, 2 * k + b, b), mat_rows(U, k, b)));
    }
    GSVD_TRY(ex->op->column_norms(ex, U, x));
    GSVD_TRY(ex->op->normalize_columns(ex, U, x, U));
    GSVD_TRY(ex->op->column_norms(ex, V, x));
    GSVD_TRY(ex->op->normalize_columns(ex, V, x, V));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', A, n, s->tau_q, U));
    if (right == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->ctrans(ex, A, rows));
    return X(unmqr)(ex, 'L', 'N', mat_sub(rows, BAND, 0, right, right), right,
                    s->tau_p, mat_rows(V, BAND, right));
}

static gsvd_status_t by_two_stages(const exec_t *ex, const task_t *t)
{
    const int64_t n = t->A.cols;
    exec_t in = *ex;
    stages_t s;

    *t->yes = 1;
    if (n == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(in.op->band_fits(&in, 2 * n, t->yes));
    if (!*t->yes)
        return GSVD_SUCCESS;
    take(&in.work, n, t->how, &s);
    GSVD_TRY(X(work_suffices)(&in));
    in.products.bytes = 0;
    GSVD_TRY(to_band(&in, t->A, &s));
    GSVD_TRY(
        in.op->band_to_tridiagonal(&in, whole(&s), s.d, s.e, s.Q2, s.taus));
    if (t->how == WITH_VECTORS) {
        GSVD_TRY(in.op->tridiagonal_vectors(&in, 2 * n, s.d, s.e, 0, s.w, s.Z));
        GSVD_TRY(vectors(&in, t->A, &s, t->B, t->C, t->values));
    } else {
        GSVD_TRY(in.op->tridiagonal_values(&in, 2 * n, s.d, s.e, n, s.w));
    }
    const mat_t row = mat_view(s.P2.data, 1, n, 1); /* values := |w|         */
    GSVD_TRY(in.op->set(&in, row, 1, 1));
    GSVD_TRY(in.op->scale_columns(&in, row, s.w, row));
    return in.op->column_norms(&in, row, t->values);
}

static int two_stages_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return !ex->op->singular_values;
}

/* Few vectors are not looked at by those who test that they are unitary. */
static int two_stages_apply(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return t->how != WITH_VECTORS || t->A.cols > BAND;
}

static size_t two_stages_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t n = t->A.cols;
    const int with = t->how == WITH_VECTORS;
    arena_t count = {0};
    stages_t s;

    take(&count, n, t->how, &s);
    const size_t each[] = {
        ex->op->kernel_bytes(ex, KERNELS_PANELS, n, n, n) +
            (with ? X(unmqr_work_bytes)(ex, n, n, n) : 0),
        ex->op->kernel_bytes(ex, KERNELS_TRIDIAGONAL, 2 * n, 2 * n, 0)};
    return gsvd_arena_bytes(&count) + LARGEST(each);
}

static int library_applies(const exec_t *ex, const task_t *t)
{
    return ex->op->singular_values &&
           (t->how != WITH_VECTORS || t->A.cols <= LIBRARY_MOST);
}

static size_t library_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t n = t->A.cols;
    return ex->op->kernel_bytes(ex,
                                t->how == WITH_VECTORS
                                    ? KERNELS_SINGULAR_VECTORS
                                    : KERNELS_EIGENVECTORS,
                                n, n, 0);
}

static gsvd_status_t by_library(const exec_t *ex, const task_t *t)
{
    return t->how == WITH_VECTORS
               ? ex->op->singular_vectors(ex, t->A, t->values, t->B, t->C,
                                          t->yes)
               : ex->op->singular_values(ex, t->A, t->values, t->yes);
}

static const solver_t solver[] = {
    {"two stages", two_stages_wanted, two_stages_apply, two_stages_bytes,
     by_two_stages},
    {"xGEBRD", NULL, library_applies, library_bytes, by_library}};
const solvers_t X(bidiagonal_solvers) = SOLVERS("bidiagonal form", solver);
