/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bidiagonal.c -- the SVD of a square matrix by bidiagonal form: by which solver.
 *
 * On the host by LAPACK (singular_values.c).  Elsewhere the two stages of two_stages.c:
 *
 *     1  A = Q1 S P1^H     S upper triangular with BAND superdiagonals
 *     2  S = Q2 B P2^H     B real and bidiagonal: band.c, bidiagonal_band.cu
 *     3  T Z = Z diag(x)   T = (0 B^T; B 0), of order 2 n, with rows of B^T and of B in turn: tridiagonal,
 *                          with B's entries in turn beside a diagonal of zeros; for the n larger values,
 *                          which are B's, since the others are their negatives (Golub and Kahan 1965)
 *     4  U = Q1 Q2 Z_U, V = P1 P2 Z_V: rows of Z in turn are of Z_V and Z_U, whose columns have the length
 *                          1 / sqrt(2)
 *
 * 1 for the columns k to k + BAND - 1, and then the rows; A1 is what is right of the columns, A2 what is
 * below the rows, too:
 *
 *     a  P = (I - V T V^H) (R; 0),  X := A1^H V T
 *     b  P2 := (A1 - V X^H)^H of these rows, P2 = (I - W S W^H) (R2; 0)
 *     c  Y := (A2 - V X^H) W S
 *     d  A2 := A2 - V X^H - Y W^H
 *
 * R and, right of it, R2^H are blocks of S.  So A1 is read three times and written once for BAND columns.
 */
#include "core/solver.h"
#include "jacobi/band.h"
#include "jacobi/jacobi.h"
#include "qr/qr.h"

/* xBDSDC numbers 2 n^2 entries and some of its work by 32 bits. */
enum { LIBRARY_MOST = 32765 };

/* Reflectors of one side of 2 */
typedef struct side {
    mat_t V, tau;
} side_t;

typedef struct stages {
    mat_t VY, XW; /* n x 2 BAND: V and Y, X and W                            */
    mat_t P2, G;  /* n x BAND                                                */
    mat_t T, S;   /* BAND x BAND                                             */
    side_t left, right; /* of Q2 and P2, or no data                          */
    mat_t Z, Z2;        /* 2 n x n, or no column                             */
    real_t *d, *e, *w;  /* T's diagonal and what is beside it, values         */
    int *order, *inverse; /* of Z2's rows in Z                               */
    scalar_t *tau_q, *tau_p; /* of Q1 and P1                                 */
} stages_t;

static side_t take_side(arena_t *a, int64_t n, int64_t with)
{
    const side_t s = {X(take_matrix)(a, n, with * n),
                      X(take_matrix)(a, max_i(band_hops(n), 1), with * n)};
    return s;
}

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
    s->left = take_side(a, n, with);
    s->right = take_side(a, n, with);
    s->Z = X(take_matrix)(a, 2 * n, with * n);
    s->Z2 = X(take_matrix)(a, 2 * n, with * n);
    s->order = gsvd_arena_take(a, 2 * with * n, sizeof(int));
    s->inverse = gsvd_arena_take(a, 2 * with * n, sizeof(int));
    s->d = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    s->e = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    s->w = gsvd_arena_take(a, 2 * n, sizeof(real_t));
    s->tau_q = gsvd_arena_take(a, n, sizeof(scalar_t));
    s->tau_p = gsvd_arena_take(a, n + BAND, sizeof(scalar_t));
    if (!with)
        s->left.V.data = s->right.V.data = NULL;
}

/* b: P2 and W have the rows of A1^H, or BAND with zeros below them.  A1's rows := P2^H, or of values alone
 * R2^H, which is all that the band has of them. */
static gsvd_status_t right_block(const exec_t *ex, mat_t A1, mat_t V,
                                 const stages_t *s, mat_t X_, mat_t P2, mat_t W,
                                 scalar_t *tau)
{
    const mat_t of_rows = mat_rows(P2, 0, A1.cols);
    const mat_t G = mat_rows(s->G, 0, A1.cols), top = mat_rows(A1, 0, V.cols);
    const int64_t kept = s->Z.cols > 0 ? A1.cols : min_i(A1.cols, BAND);

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', A1, V, G));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', G, s->T, X_));
    if (P2.rows > A1.cols)
        GSVD_TRY(ex->op->set(ex, P2, 0, 0));
    GSVD_TRY(ex->op->ctrans(ex, top, of_rows));
    GSVD_TRY(
        ex->op->gemm_sub(ex, 'N', 'C', X_, mat_rows(V, 0, V.cols), of_rows));
    GSVD_TRY(ex->op->panel(ex, P2, tau, W, s->S));
    return ex->op->ctrans(ex, mat_rows(P2, 0, kept), mat_cols(top, 0, kept));
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

/* 1: in A, the reflectors of Q1 below S and those of P1, as rows, right of it */
static gsvd_status_t to_band(const exec_t *ex, mat_t A, const stages_t *s)
{
    const int64_t n = A.cols;

    for (int64_t k = 0; k < n; k += BAND) {
        const int64_t b = min_i(BAND, n - k), m = n - k, right = m - b;
        const int64_t rows = max_i(right, BAND);
        const mat_t VY = mat_view(s->VY.data, m, 2 * BAND, m);
        const mat_t XW = mat_view(s->XW.data, rows, 2 * BAND, rows);
        const mat_t V = mat_cols(VY, 0, b), P2 = mat_rows(s->P2, 0, rows);
        const mat_t A1 = mat_sub(A, k, k + b, m, right);

        GSVD_TRY(ex->op->panel(ex, mat_sub(A, k, k, m, b), s->tau_q + k, V,
                               mat_sub(s->T, 0, 0, b, b)));
        if (right == 0)
            break;
        GSVD_TRY(right_block(ex, A1, V, s, mat_sub(XW, 0, 0, right, b), P2,
                             mat_cols(XW, BAND, BAND), s->tau_p + k));
        GSVD_TRY(update(ex, mat_rows(A1, b, right), s, mat_rows(VY, b, right),
                        mat_rows(XW, 0, right)));
    }
    return GSVD_SUCCESS;
}

/* Z's rows in turn become V and U.  Their order is that of numbers, 2 and 1 in turn. */
static gsvd_status_t part_rows(const exec_t *ex, const stages_t *s, mat_t U,
                               mat_t V)
{
    const int64_t n = U.cols;
    const mat_t number = mat_view(s->Z2.data, 2, n, 2);
    const mat_t row = mat_view(s->Z2.data, 1, 2 * n, 1);

    GSVD_TRY(ex->op->set(ex, mat_rows(number, 0, 1), 2, 2));
    GSVD_TRY(ex->op->set(ex, mat_rows(number, 1, 1), 1, 1));
    GSVD_TRY(ex->op->column_norms(ex, row, s->d));
    GSVD_TRY(ex->op->sort_rows(ex, 2 * n, s->d, s->order, s->inverse));
    GSVD_TRY(ex->op->permute_rows(ex, s->Z, s->order, s->Z2));
    GSVD_TRY(ex->op->copy(ex, mat_rows(s->Z2, 0, n), V));
    return ex->op->copy(ex, mat_rows(s->Z2, n, n), U);
}

/* 4; x is overwritten. */
static gsvd_status_t vectors(const exec_t *ex, mat_t A, const stages_t *s,
                             mat_t U, mat_t V, real_t *x)
{
    const int64_t n = A.cols, right = max_i(n - BAND, 0);
    const mat_t rows = s->right.V; /* A^H                                    */

    GSVD_TRY(part_rows(ex, s, U, V));
    GSVD_TRY(ex->op->band_vectors(ex, s->left.V, s->left.tau, U));
    GSVD_TRY(ex->op->band_vectors(ex, s->right.V, s->right.tau, V));
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
    GSVD_TRY(in.op->band_fits(&in, n, t->yes));
    if (!*t->yes)
        return GSVD_SUCCESS;
    take(&in.work, n, t->how, &s);
    GSVD_TRY(X(work_suffices)(&in));
    in.products.bytes = 0;
    GSVD_TRY(to_band(&in, t->A, &s));
    GSVD_TRY(in.op->band_to_bidiagonal(&in, t->A, s.e, s.left.V, s.left.tau,
                                       s.right.V, s.right.tau));
    GSVD_TRY(in.op->values_set(&in, 0, 2 * n, 0, s.d));
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
