/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* measure.c -- how exact is a decomposition on a grid?  As the command measures it
 * (tools/quality.h): of a pair, and with W one of U, V, D of D1, D2 and count nonzero rows of D,
 *
 *     residual = ||S - W D X^H||_F / ||S||_F
 *     ratio    = ||W^H S - D X^H||_1 / (max(rows,n) ||S||_1)
 *     orth     = ||W^H W - I||_F, of which the 1-norm over the rows is another ratio
 *
 * and of one matrix ratio has S - U Sigma V^H, its residual, in place of the difference; of hsvd over
 * max(1, ||V||_1), and orth is ||V^H J V - J'||_F, its ratio has entries over the lengths of their columns of V, over n.
 * Ratios are not yet over ulp.  Matrices are first scaled by a power of two: no square overflows. */
#include "core/angle.h"
#include "grid/call.h"

typedef struct memory {
    mat_t S, W, X; /* copies of the caller's                                 */
    mat_t Y, T;    /* X D, and its conjugate transpose                       */
    mat_t E;       /* cols(W) x n                                            */
    mat_t G;       /* W^H W - I, or X^H X - I                                */
    real_t *lengths;
    buffer_t work;
} memory_t;

/* One of the equations S = W D X^H, where X's columns from `first` on count */
typedef struct equation {
    int matrix, factor, right; /* of the call's arrays                       */
    int64_t first, count;
    const real_t *value;
} equation_t;

static int64_t rows_of_factor(const grid_call_t *c, int factor)
{
    return factor == GRID_U ? c->m : c->routine == GRID_PAIR ? c->p : c->n;
}

static void take(const exec_t *ex, arena_t *a, const grid_call_t *c,
                 const equation_t *of, memory_t *w)
{
    const int64_t rows = rows_of_factor(c, of->factor), n = c->n;
    const int64_t cols = grid_columns(c, of->factor);
    const int64_t most = max_i(cols, grid_columns(c, of->right));

    w->S = X(take_matrix)(a, rows, n);
    w->W = X(take_matrix)(a, rows, cols);
    w->X = X(take_matrix)(a, n, grid_columns(c, of->right));
    w->Y = X(take_matrix)(a, n, of->count);
    w->T = X(take_matrix)(a, of->count, n);
    w->E = X(take_matrix)(a, cols, n);
    w->G = X(take_matrix)(a, most, most);
    w->lengths = gsvd_arena_take(a, max_i(n, most), sizeof(real_t));
    w->work = gsvd_arena_buffer(
        a, ex->op->kernel_bytes(ex, KERNELS_ALL, max_i(rows, most), n, most));
}

static gsvd_status_t norm_f(const exec_t *ex, mat_t A, real_t *lengths,
                            double *norm)
{
    GSVD_TRY(ex->op->column_norms(ex, A, lengths));
    *norm = 0;
    for (int64_t j = 0; j < A.cols; ++j)
        *norm = hypot(*norm, (double)lengths[j]);
    return GSVD_SUCCESS;
}

static gsvd_status_t norm_1(const exec_t *ex, mat_t A, double *norm)
{
    norms_t of;
    GSVD_TRY(ex->op->norms(ex, A, &of));
    *norm = of.finite ? (double)of.norm1 : NAN;
    return GSVD_SUCCESS;
}

/* A NaN, once met, stays. */
static void worst(double *ratio, double x)
{
    *ratio = x > *ratio || isnan(x) ? x : *ratio;
}

static gsvd_status_t orthogonality(const exec_t *ex, const memory_t *w, mat_t W,
                                   double *orth, double *ratio)
{
    const mat_t G = mat_sub(w->G, 0, 0, W.cols, W.cols);
    const part_t P = X(part_of)(G);
    double size;

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', W, W, G));
    EACH_ENTRY (P, i, j)
        if (i.at == j.at)
            HERE(P, i, j) = sub(HERE(P, i, j), make(1, 0));
    GSVD_TRY(norm_f(ex, G, w->lengths, orth));
    GSVD_TRY(norm_1(ex, G, &size));
    worst(ratio, size / (double)max_i(W.rows, 1));
    return GSVD_SUCCESS;
}

/* Of V = w->X, in a hyperbolic SVD */
static gsvd_status_t signed_orthogonality(const exec_t *ex,
                                          const grid_call_t *c,
                                          const memory_t *w, grid_quality_t *q)
{
    const mat_t V = w->X;
    const int64_t n = V.cols;
    const mat_t JV = mat_rows(w->E, 0, n), G = mat_sub(w->G, 0, 0, n, n);
    const part_t of_jv = X(part_of)(JV), P = X(part_of)(G);
    real_t most = 0;

    GSVD_TRY(ex->op->copy(ex, V, JV));
    EACH_ENTRY (of_jv, i, j)
        if (c->J ? c->J[i.at] < 0 : i.at >= c->n_plus)
            HERE(of_jv, i, j) = scale(-1, HERE(of_jv, i, j));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, JV, G));
    EACH_ENTRY (P, i, j)
        if (i.at == j.at)
            HERE(P, i, j) =
                sub(HERE(P, i, j), make(j.at < c->n_plus ? 1 : -1, 0));
    GSVD_TRY(norm_f(ex, G, w->lengths, &q->orth_v));
    GSVD_TRY(norm_f(ex, V, w->lengths, &q->norm_v));
    EACH_ENTRY (P, i, j)
        most = larger(most, abs_of(HERE(P, i, j)) / w->lengths[i.at] /
                                w->lengths[j.at]);
    X(largest_all)(1, &most);
    worst(&q->ratio, (double)most / (double)max_i(n, 1));
    return GSVD_SUCCESS;
}

/* Y := 2^e X D, T := Y^H */
static gsvd_status_t form_right(const exec_t *ex, const equation_t *of, int e,
                                const memory_t *w)
{
    GSVD_TRY(ex->op->copy(ex, mat_cols(w->X, of->first, of->count), w->Y));
    const part_t P = X(part_of)(w->Y);
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = scale(of->value[of->first + j.at], HERE(P, i, j));
    GSVD_TRY(ex->op->scale_pow2(ex, w->Y, e));
    return ex->op->ctrans(ex, w->Y, w->T);
}

/* A := A - B, of one shape and both from process (0, 0) on */
static void subtract(mat_t A, mat_t B)
{
    const part_t P = X(part_of)(A), of_b = X(part_of)(B);
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = sub(HERE(P, i, j), THERE(of_b, P, i, j));
}

static gsvd_status_t residual(const exec_t *ex, const grid_call_t *c,
                              const equation_t *of, const memory_t *w,
                              double *relative, double *ratio)
{
    const int pair = c->routine == GRID_PAIR;
    const double most = (double)max_i(max_i(w->S.rows, w->S.cols), 1);
    double size_f, size_1, rest, of_v = 1;
    norms_t norms;

    GSVD_TRY(ex->op->norms(ex, w->S, &norms));
    const int e = norms.largest > 0 ? -exponent_r(norms.largest) : 0;
    GSVD_TRY(ex->op->scale_pow2(ex, w->S, e));
    GSVD_TRY(form_right(ex, of, e, w));
    GSVD_TRY(norm_f(ex, w->S, w->lengths, &size_f));
    GSVD_TRY(norm_1(ex, w->S, &size_1));
    if (pair)
        GSVD_TRY(ex->op->gemm(ex, 'C', 'N', w->W, w->S, w->E));
    if (of->count > 0) {
        GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', mat_cols(w->W, 0, of->count),
                                  w->T, w->S));
        if (pair)
            subtract(mat_rows(w->E, 0, of->count), w->T);
    }
    GSVD_TRY(norm_f(ex, w->S, w->lengths, relative));
    *relative /= size_f > 0 ? size_f : 1;
    GSVD_TRY(norm_1(ex, pair ? w->E : w->S, &rest));
    if (c->routine == GRID_HSVD)
        GSVD_TRY(norm_1(ex, w->X, &of_v));
    worst(ratio, rest / most / (size_1 > 0 ? size_1 : (double)GSVD_SAFMIN) /
                     fmax(1, of_v));
    return GSVD_SUCCESS;
}

static gsvd_status_t measure(const exec_t *ex, const grid_call_t *c,
                             const equation_t *of, double *relative,
                             double *orth)
{
    grid_quality_t *const q = c->quality;
    const int pair = c->routine == GRID_PAIR;
    arena_t count = {0}, all;
    exec_t in = *ex;
    memory_t w;

    take(ex, &count, c, of, &w);
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(ex, &all, c, of, &w);
    in.work = gsvd_arena_over(w.work.data, w.work.bytes);
    GSVD_TRY(X(grid_copy_in)(&c->array[of->matrix], w.S));
    GSVD_TRY(X(grid_copy_in)(&c->array[of->factor], w.W));
    GSVD_TRY(X(grid_copy_in)(&c->array[of->right], w.X));
    GSVD_TRY(residual(&in, c, of, &w, relative, &q->ratio));
    GSVD_TRY(orthogonality(&in, &w, w.W, orth, &q->ratio));
    return pair ? GSVD_SUCCESS
           : c->routine == GRID_HSVD
               ? signed_orthogonality(&in, c, &w, q)
               : orthogonality(&in, &w, w.X, &q->orth_v, &q->ratio);
}

gsvd_status_t X(measure_on_grid)(const exec_t *ex, const grid_call_t *c,
                                 int *info)
{
    grid_quality_t *const q = c->quality;
    const int pair = c->routine == GRID_PAIR;
    const int64_t k = pair ? *c->k : 0, l = pair ? *c->l : c->n;
    const equation_t of_a = {.matrix = GRID_A,
                             .factor = GRID_U,
                             .right = pair ? GRID_X : GRID_V,
                             .count = min_i(c->m, k + l),
                             .value = c->alpha};
    const equation_t of_b = {.matrix = GRID_B,
                             .factor = GRID_V,
                             .right = GRID_X,
                             .first = k,
                             .count = l,
                             .value = c->beta};

    *info = 0;
    *q = (grid_quality_t){0};
    GSVD_TRY(measure(ex, c, &of_a, &q->residual_a, &q->orth_u));
    return pair ? measure(ex, c, &of_b, &q->residual_b, &q->orth_v)
                : GSVD_SUCCESS;
}
