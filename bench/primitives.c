/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* primitives.c -- the primitives of large steps (src/jacobi/large_steps.c), one by one,
 * and a pass and a step that are made of them.
 *
 * They start from G, m x n normal numbers with columns of length 1, C = G^H G, and
 * lengths d that descend from 1 to 1/2.  Each has an identity that its result satisfies
 * up to rounding; the ratio is the departure from that, in the 1-norm, over its size,
 * its order and ulp.
 */
#include <math.h>
#include <string.h>

#include "flops.h"
#include "jacobi/band.h"
#include "jacobi/jacobi.h"
#include "problem.h"

#define set_t X(bench_set_t)
typedef struct set_t {
    problem_t P;
    mat_t A, G;      /* m x n: normal, and with columns of length 1          */
    mat_t C;         /* n x n: G^H G                                         */
    mat_t T, S;      /* n x n: the angles of C and d; T^H T                  */
    mat_t out, more; /* n x n                                                */
    mat_t tall;      /* m x n                                                */
    mat_t taus, left_taus; /* of C's band; of its left side                  */
    real_t *d, *x, *one, *minus, *half; /* n each                            */
    real_t *e; /* 2 n                                                        */
    real_t number;
    int fits;
} set_t;

/* ---- identities --------------------------------------------------------- */

static gsvd_status_t judge(set_t *s, mat_t A, mat_t B, real_t size,
                           double *ratio)
{
    real_t norm;
    GSVD_TRY(X(bench_distance)(&s->P, A, B, &norm));
    *ratio = (double)(norm / fmax_r(size, GSVD_SAFMIN)) /
             (double)max_i(max_i(A.rows, A.cols), 1) / GSVD_ULP;
    return GSVD_SUCCESS;
}

static gsvd_status_t norm_of(set_t *s, mat_t A, real_t *norm)
{
    norms_t r;
    GSVD_TRY(s->P.ex.op->norms(&s->P.ex, A, &r));
    *norm = r.norm1;
    return GSVD_SUCCESS;
}

/* G D = A */
static gsvd_status_t check_normalize(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(norm_of(s, s->A, &norm));
    GSVD_TRY(ex->op->scale_columns(ex, s->tall, s->x, s->tall));
    return judge(s, s->tall, s->A, norm, ratio);
}

/* C = G^H G by the other product */
static gsvd_status_t check_gram(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', s->G, s->G, s->more));
    GSVD_TRY(norm_of(s, s->more, &norm));
    return judge(s, s->out, s->more, norm, ratio);
}

/* C X = X W: vectors of two stages need not be orthogonal. */
static gsvd_status_t check_values(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(norm_of(s, s->C, &norm));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', s->C, s->out, s->more));
    GSVD_TRY(ex->op->scale_columns(ex, s->out, s->x, s->S));
    return judge(s, s->more, s->S, norm, ratio);
}

/* C X = X W, X^H X = I */
static gsvd_status_t check_eigenvectors(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    double unitary;
    GSVD_TRY(check_values(s, ratio));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', s->out, s->out, s->more));
    GSVD_TRY(ex->op->set(ex, s->S, 0, 1));
    GSVD_TRY(judge(s, s->more, s->S, 1, &unitary));
    *ratio = fmax(*ratio, unitary);
    return GSVD_SUCCESS;
}

/* X^H X = I */
static gsvd_status_t check_unitary(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', s->out, s->out, s->S));
    GSVD_TRY(ex->op->set(ex, s->tall, 0, 1));
    return judge(s, s->S, mat_rows(s->tall, 0, s->S.rows), 1, ratio);
}

/* The reflectors' product is unitary. */
static gsvd_status_t check_chase(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    GSVD_TRY(ex->op->set(ex, s->out, 0, 1));
    GSVD_TRY(ex->op->band_vectors(ex, s->more, s->taus, s->out));
    return check_unitary(s, ratio);
}

/* Both products of the reflectors are unitary. */
static gsvd_status_t check_chase_to_bidiagonal(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    double right;
    GSVD_TRY(check_chase(s, &right));
    GSVD_TRY(ex->op->set(ex, s->out, 0, 1));
    GSVD_TRY(ex->op->band_vectors(ex, s->T, s->left_taus, s->out));
    GSVD_TRY(check_unitary(s, ratio));
    *ratio = fmax(*ratio, right);
    return GSVD_SUCCESS;
}

/* 2 E + C = 3 I */
static gsvd_status_t check_newton_schulz(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(norm_of(s, s->C, &norm));
    GSVD_TRY(ex->op->combine(ex, s->half, s->C, s->one, s->out, s->more));
    GSVD_TRY(ex->op->set(ex, s->out, 0, (real_t)1.5));
    return judge(s, s->more, s->out, norm, ratio);
}

/* T^H = -T */
static gsvd_status_t check_angles(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(norm_of(s, s->out, &norm));
    GSVD_TRY(ex->op->ctrans(ex, s->out, s->more));
    GSVD_TRY(ex->op->scale_columns(ex, s->more, s->minus, s->more));
    return judge(s, s->more, s->out, norm, ratio);
}

/* P = I + T - S / 2 */
static gsvd_status_t check_exp(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(norm_of(s, s->out, &norm));
    GSVD_TRY(ex->op->set(ex, s->more, 0, 1));
    GSVD_TRY(ex->op->combine(ex, s->one, s->T, s->one, s->more, s->more));
    GSVD_TRY(ex->op->combine(ex, s->half, s->S, s->minus, s->more, s->more));
    GSVD_TRY(ex->op->scale_columns(ex, s->more, s->minus, s->more));
    return judge(s, s->more, s->out, norm, ratio);
}

/* G C - G C = 0 by the product that subtracts */
static gsvd_status_t check_product(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    mat_t zero;
    real_t norm;
    GSVD_TRY(norm_of(s, s->tall, &norm));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', s->G, s->C, s->tall));
    GSVD_TRY(X(bench_mat)(&s->P, s->tall.rows, s->tall.cols, &zero));
    GSVD_TRY(ex->op->set(ex, zero, 0, 0));
    return judge(s, s->tall, zero, norm, ratio);
}

/* (G X)^H (G X) = W */
static gsvd_status_t check_pass(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    real_t norm;
    GSVD_TRY(norm_of(s, s->C, &norm));
    GSVD_TRY(ex->op->gram(ex, s->tall, s->out));
    GSVD_TRY(ex->op->set(ex, s->more, 0, 1));
    GSVD_TRY(ex->op->scale_columns(ex, s->more, s->x, s->more));
    return judge(s, s->out, s->more, norm, ratio);
}

/* G + G T = G (I + T) */
static gsvd_status_t check_step(set_t *s, double *ratio)
{
    const exec_t *ex = &s->P.ex;
    mat_t product;
    real_t norm;
    GSVD_TRY(X(bench_mat)(&s->P, s->G.rows, s->G.cols, &product));
    GSVD_TRY(ex->op->set(ex, s->more, 0, 1));
    GSVD_TRY(ex->op->combine(ex, s->one, s->T, s->one, s->more, s->more));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', s->G, s->more, product));
    GSVD_TRY(norm_of(s, product, &norm));
    return judge(s, s->tall, product, norm, ratio);
}

/* ---- the work ----------------------------------------------------------- */

static gsvd_status_t nothing(void *data)
{
    (void)data;
    return GSVD_SUCCESS;
}

/* One call of a primitive */
#define WORK(name, primitive, ...)                                             \
    static gsvd_status_t name(void *data)                                      \
    {                                                                          \
        set_t *s = data;                                                       \
        return s->P.ex.op->primitive(&s->P.ex, __VA_ARGS__);                   \
    }
WORK(copy_c, copy, s->C, s->out)
WORK(normalize, normalize_columns, s->A, s->x, s->tall)
WORK(gram, gram, s->G, s->out)
WORK(eigenvectors, eigenvectors, s->out, s->x)

static gsvd_status_t eigen_by_two_stages(void *data)
{
    set_t *s = data;
    return X(two_stages)(&s->P.ex, s->out, s->x, &s->fits);
}

WORK(chase, band_to_tridiagonal, s->C, s->x, s->e, s->more, s->taus)
WORK(chase_to_bidiagonal, band_to_bidiagonal, s->C, s->e, s->T, s->left_taus,
     s->more, s->taus)
WORK(set_identity, set, s->out, 0, 1)

/* ... of the reflectors that `more` has from the row before */
WORK(band_vectors, band_vectors, s->more, s->taus, s->out)
WORK(newton_schulz, newton_schulz, s->out, NULL, &s->number)
WORK(angles, rotation_angles, s->out, s->d, NULL, 0, &s->number)
WORK(exponential, second_order_exp, s->T, s->S, 1, s->out)
WORK(product, gemm, 'N', 'N', s->G, s->C, s->tall)

/* G X, the eigenvectors X of G^H G polished once */
static gsvd_status_t pass(void *data)
{
    set_t *s = data;
    const exec_t *ex = &s->P.ex;
    GSVD_TRY(ex->op->gram(ex, s->G, s->out));
    GSVD_TRY(ex->op->eigenvectors(ex, s->out, s->x));
    GSVD_TRY(ex->op->gram(ex, s->out, s->more));
    GSVD_TRY(ex->op->newton_schulz(ex, s->more, NULL, &s->number));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', s->out, s->more, s->S));
    return ex->op->gemm(ex, 'N', 'N', s->G, s->S, s->tall);
}

/* G + G T, T the angles of A's columns with the lengths d */
static gsvd_status_t step(void *data)
{
    set_t *s = data;
    const exec_t *ex = &s->P.ex;
    GSVD_TRY(ex->op->column_norms(ex, s->A, s->x));
    GSVD_TRY(ex->op->normalize_columns(ex, s->A, s->x, s->tall));
    GSVD_TRY(ex->op->gram(ex, s->tall, s->out));
    GSVD_TRY(ex->op->largest_cosine(ex, s->out, &s->number));
    GSVD_TRY(ex->op->rotation_angles(ex, s->out, s->d, NULL, 0, &s->number));
    GSVD_TRY(ex->op->copy(ex, s->G, s->tall));
    return ex->op->gemm_sub(ex, 'N', 'C', s->G, s->out, s->tall);
}

/* ---- the table ---------------------------------------------------------- */

/* flops and words as coefficients: of m n^2 and n^3, of m n and n^2 */
static const struct primitive {
    const char *name;
    bench_fn_t restore, work;
    gsvd_status_t (*check)(set_t *s, double *ratio);
    double mnn, nnn, mn, nn;
    int eigen; /* Xsyevd's own time is in the bound.                         */
} primitive[] = {
    {"normalize", nothing, normalize, check_normalize, 0, 0, 2, 0, 0},
    {"gram", nothing, gram, check_gram, 1, 0, 1, 1, 0},
    {"eigen", copy_c, eigenvectors, check_eigenvectors, 0, 14. / 3, 0, 2, 1},
    {"two_stages", copy_c, eigen_by_two_stages, check_values, 0, 22. / 3, 0, 2,
     0},
    {"chase", nothing, chase, check_chase, 0, 0, 0, 1, 0},
    {"chase_to_bidiagonal", nothing, chase_to_bidiagonal,
     check_chase_to_bidiagonal, 0, 0, 0, 1, 0},
    {"band_vectors", set_identity, band_vectors, check_unitary, 0, 4, 0, 2, 0},
    {"newton", copy_c, newton_schulz, check_newton_schulz, 0, 0, 0, 2, 0},
    {"angles", copy_c, angles, check_angles, 0, 0, 0, 2, 0},
    {"exp", nothing, exponential, check_exp, 0, 0, 0, 3, 0},
    {"product", nothing, product, check_product, 2, 0, 2, 1, 0},
    {"pass", nothing, pass, check_pass, 3, 23. / 3, 5, 10, 1},
    {"step", nothing, step, check_step, 3, 0, 8, 5, 0},
};
enum { PRIMITIVES = sizeof primitive / sizeof *primitive };

/* A real array of n numbers: from, and to from the middle on */
static gsvd_status_t take_numbers(set_t *s, real_t from, real_t to, real_t **x)
{
    const exec_t *ex = &s->P.ex;
    const int64_t n = s->P.n;
    GSVD_TRY(bench_array(s->P.bench, s->P.h, n, sizeof **x, x));
    GSVD_TRY(ex->op->values_set(ex, 0, n, from, *x));
    return ex->op->values_set(ex, n / 2, n, to, *x);
}

/* Memory for the primitives, that of eigenvectors too */
static gsvd_status_t take_work(set_t *s)
{
    exec_t *ex = &s->P.ex;
    const int64_t m = s->P.m, n = s->P.n;
    const size_t all = ex->op->kernel_bytes(ex, KERNELS_ALL, m, n, n);
    const size_t eigen =
        ex->op->kernel_bytes(ex, KERNELS_EIGENVECTORS, n, n, 0);
    arena_t count = {0};
    void *work;
    const size_t stages = X(two_stages_bytes)(ex, n);
    (void)gsvd_arena_buffer(&count, all > eigen ? all : eigen);
    (void)gsvd_arena_buffer(&count, stages);
    const size_t bytes = gsvd_arena_bytes(&count);
    GSVD_TRY(bench_take(s->P.bench, s->P.h, bytes, &work));
    ex->work = gsvd_arena_over(work, bytes);
    GSVD_TRY(ex->op->eigenvectors_staging(ex, n, &ex->staging.bytes));
    return bench_take(s->P.bench, s->P.bench->host, ex->staging.bytes,
                      &ex->staging.data);
}

static gsvd_status_t open_set(bench_t *b, shape_t shape, set_t *s)
{
    const int64_t n = shape.n;
    mat_t *const square[] = {&s->C, &s->T, &s->S, &s->out, &s->more};
    shape.p = 0;
    b->seed = 1;
    GSVD_TRY(X(bench_open)(&s->P, b, b->h, shape, 0));
    GSVD_TRY(take_work(s));
    const exec_t *const ex = &s->P.ex;
    GSVD_TRY(X(bench_pair)(&s->P));
    s->A = s->P.A;
    GSVD_TRY(X(bench_mat)(&s->P, shape.m, n, &s->G));
    GSVD_TRY(X(bench_mat)(&s->P, shape.m, n, &s->tall));
    for (size_t i = 0; i < sizeof square / sizeof *square; ++i)
        GSVD_TRY(X(bench_mat)(&s->P, n, n, square[i]));
    GSVD_TRY(take_numbers(s, 1, (real_t)0.5, &s->d));
    GSVD_TRY(take_numbers(s, 1, 1, &s->one));
    GSVD_TRY(take_numbers(s, -1, -1, &s->minus));
    GSVD_TRY(take_numbers(s, (real_t)0.5, (real_t)0.5, &s->half));
    GSVD_TRY(take_numbers(s, 0, 0, &s->x));
    GSVD_TRY(bench_array(s->P.bench, s->P.h, 2 * n, sizeof *s->e, &s->e));
    GSVD_TRY(X(bench_mat)(&s->P, band_hops(n) + 1, n, &s->taus));
    GSVD_TRY(X(bench_mat)(&s->P, band_hops(n) + 1, n, &s->left_taus));
    GSVD_TRY(ex->op->column_norms(ex, s->A, s->x));
    GSVD_TRY(ex->op->normalize_columns(ex, s->A, s->x, s->G));
    GSVD_TRY(ex->op->gram(ex, s->G, s->C));
    GSVD_TRY(ex->op->copy(ex, s->C, s->T));
    GSVD_TRY(ex->op->rotation_angles(ex, s->T, s->d, NULL, 0, &s->number));
    GSVD_TRY(ex->op->gram(ex, s->T, s->S));
    return chase(s);
}

static gsvd_status_t time_one(set_t *s, const struct primitive *p, row_t *row)
{
    bench_t *const b = s->P.bench;
    const double m = (double)row->m, n = (double)row->n;
    const int reals = sizeof(scalar_t) / sizeof(real_t);
    GSVD_TRY(s->P.ex.op->column_norms(&s->P.ex, s->A, s->x));
    GSVD_TRY(bench_time(b, b->cuda, p->restore, p->work, s, &row->time));
    GSVD_TRY(p->check(s, &row->ratio));
    row->flops = (p->mnn * m * n * n + p->nnn * n * n * n) * reals * reals;
    row->bytes = (p->mn * m * n + p->nn * n * n) * (double)sizeof(scalar_t);
    if (p->eigen) { /* of the operations 14/3 n^3 are Xsyevd's               */
        const double rest = row->flops - 14. / 3 * n * n * n * reals * reals;
        row->bound_ms = xsyevd_ms(row->letter, n) +
                        rest * 1e3 / (GSVD_SINGLE ? 50e12 : 57e12);
        row->bound_by = "eigen";
    }
    bench_row(b, row);
    return GSVD_SUCCESS;
}

void X(bench_primitives)(bench_t *b, shape_t shape, const char *list)
{
    const int all = bench_listed(list, "primitives");
    for (int i = 0; i < PRIMITIVES; ++i) {
        set_t s = {.number = 0};
        row_t row = {.step = primitive[i].name,
                     .letter = STRING(GSVD_LETTER)[0],
                     .m = shape.m,
                     .n = shape.n,
                     .p = -1,
                     .k = -1,
                     .l = -1,
                     .batch = 1,
                     .sweeps = -1};
        if ((!all && !bench_listed(list, primitive[i].name)) ||
            min_i(shape.m, shape.n) < 1)
            continue;
        gsvd_status_t status = open_set(b, shape, &s);
        if (status == GSVD_SUCCESS)
            status = time_one(&s, &primitive[i], &row);
        if (status != GSVD_SUCCESS) {
            ++b->failures;
            fprintf(stderr, "%s %c: %s: %s\n", row.step, row.letter,
                    gsvd_status_name(status), gsvd_last_error(b->h));
        }
        bench_drop(b);
    }
}
