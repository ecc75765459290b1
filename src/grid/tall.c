/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tall.c -- the GSVD of a pair on a grid, of which A, B or both have many more rows than columns.
 *
 *     1  A D = Q_A R_A, B D' = Q_B R_B      tree.h
 *     2  U_, V_, X of R_A D^-1, R_B D'^-1   pair.c, on process 0 alone
 *     3  U = Q_A (U_; 0), V = Q_B (V_; 0)   tree.h
 *
 * One that is not tall goes to process 0 as it is.  So messages are of order log P, whatever n is, where
 * the other road sends some for each column.
 *
 * QR changes a column by rounding of its own length, so a row that is small beside others may be lost.
 * Where rows of A D differ, or one is 0, this road is left unless R_A says that A D is well-conditioned.
 * It is left, too, where pair.c fails: the other road tells why.
 *
 * U is tested: A D x - U (U_^H R_A x) is rounding, with Gaussian x.  So U and V are computed whether they
 * are asked for or not. */
#include "core/blas.h"
#include "grid/call.h"
#include "grid/mpi_types.h"
#include "grid/tree.h"
#include "pivot/gaussian.h"

enum {
    PROBES = 4,      /* Gaussian vectors                                     */
    OPERATIONS = 60, /* of pair.c on one process, over n^3                    */
    SAVED = 10,      /* of the other road's, of these rows, over n^2 / P      */
    COLLECTIVES = 7, /* of the other road, over n                            */
    ALIKE = 16,      /* rows differ no more                                  */
    CONDITION = 10   /* of a well-conditioned A D, over n                    */
};

/* A column that is shorter, or longer than 1 over this, is the other road's. */
#define LEAST (GSVD_SAFMIN / GSVD_EPS)

/* A and U, or B and V.  The arrays of process 0 are empty on others. */
typedef struct half {
    int matrix, factor;  /* of the call's arrays                             */
    int64_t rows, small; /* of the matrix; of what process 0 has             */
    int64_t cols;        /* of the factor that are computed                  */
    int is_tall;
    branch_t *branch;
    scalar_t *M, *F; /* of process 0: what stands for the matrix, its factor */
    scalar_t *y, *z; /* A D x here; U_^H R x                                 */
} half_t;

typedef struct memory {
    half_t half[2];
    branch_t branch[2]; /* those of the tall ones                            */
    int branches;
    scalar_t *x, *Rx; /* n x PROBES                                          */
    scalar_t *X_, *inverse; /* n x n, of process 0                           */
    real_t *c, *s, *lengths;
    buffer_t tree, kernels;
} memory_t;

/* -- whether -------------------------------------------------------------------- */

static int is_tall(const grid_call_t *c, int64_t rows)
{
    return rows > 2 * c->n && rows >= c->n * gsvd_grid->size;
}

/* Is this the road, by shapes and jobs?  Then one of both is tall, and what process 0 does alone takes no
 * longer than what the others save. */
static int fits(const exec_t *ex, const grid_call_t *c)
{
    const double n = (double)c->n, size = gsvd_grid->size;
    const int64_t rows[] = {c->m, c->p};
    double tall = 0;

    for (int k = 0; k < 2; ++k) {
        const int whole = c->job[k] == "UV"[k];
        if (is_tall(c, rows[k]) && !(whole && rows[k] > c->n))
            tall += (double)rows[k];
        else if (rows[k] > 2 * c->n)
            return 0;
    }
    const double alone = OPERATIONS * n * n * n * (1 - 1 / size);
    const double saved = SAVED * n * n * tall / size;
    const double told =
        COLLECTIVES * n * 2 * log2(size) * ex->tune->link_seconds;
    return c->n > 0 && tall > 0 && alone <= saved + told * ex->tune->rate;
}

/* -- memory --------------------------------------------------------------------- */

static void take_half(arena_t *a, const grid_call_t *c, int k, memory_t *w)
{
    half_t *const h = &w->half[k];
    const int64_t first = gsvd_grid->rank == 0, n = c->n;

    h->matrix = k == 0 ? GRID_A : GRID_B;
    h->factor = k == 0 ? GRID_U : GRID_V;
    h->rows = k == 0 ? c->m : c->p;
    h->is_tall = is_tall(c, h->rows);
    h->small = h->is_tall ? n : h->rows;
    h->cols = h->is_tall ? n : grid_columns(c, h->factor);
    h->M = gsvd_arena_take(a, first * h->small * n, sizeof(scalar_t));
    h->F = gsvd_arena_take(a, first * h->small * h->cols, sizeof(scalar_t));
    if (!h->is_tall)
        return;
    h->branch = &w->branch[w->branches++];
    h->branch->blocks = X(take_matrix)(a, h->rows, n);
    X(branch_take)(a, h->rows, n, h->branch);
    h->y = gsvd_arena_take(a, h->branch->here * PROBES, sizeof(scalar_t));
    h->z = gsvd_arena_take(a, n * PROBES, sizeof(scalar_t));
}

static void take(const exec_t *ex, arena_t *a, const grid_call_t *c,
                 memory_t *w)
{
    const int64_t n = c->n, first = gsvd_grid->rank == 0;

    w->branches = 0;
    for (int k = 0; k < 2; ++k)
        take_half(a, c, k, w);
    w->x = gsvd_arena_take(a, n * PROBES, sizeof(scalar_t));
    w->Rx = gsvd_arena_take(a, n * PROBES, sizeof(scalar_t));
    w->X_ = gsvd_arena_take(a, first * n * n, sizeof(scalar_t));
    w->inverse = gsvd_arena_take(a, first * n * n, sizeof(scalar_t));
    w->c = gsvd_arena_take(a, n, sizeof(real_t));
    w->s = gsvd_arena_take(a, n, sizeof(real_t));
    w->lengths = gsvd_arena_take(a, n, sizeof(real_t));
    w->tree = gsvd_arena_buffer(a, X(tree_work_bytes)(n));
    w->kernels = gsvd_arena_buffer(
        a, ex->op->kernel_bytes(ex, KERNELS_ALL, max_i(c->m, c->p), n, n));
}

/* -- 1 ---------------------------------------------------------------------------- */

/* y := op(A) x, or y - A x */
static void multiply(char op, int64_t rows, int64_t inner, real_t sign,
                     const scalar_t *A, int64_t lda, const scalar_t *x,
                     scalar_t *y)
{
    const char of_a = blas_op(op);
    const int m = (int)rows, n = PROBES, k = (int)inner, lda_ = (int)lda;
    const scalar_t by = make(sign, 0), keep = make(sign < 0, 0);

    if (rows > 0)
        BLAS_(gemm)
    (&of_a, "N", &m, &n, &k, &by, A, &lda_, x, &k, &keep, y, &m, 1, 1);
}

/* D: columns of A D are next to 1.  *taken: there are no NaNs, and none is too short or too long. */
static gsvd_status_t find_scales(const exec_t *ex, branch_t *b, real_t *lengths,
                                 int *taken)
{
    norms_t r;

    GSVD_TRY(ex->op->norms(ex, b->blocks, &r));
    GSVD_TRY(ex->op->column_norms(ex, b->blocks, lengths));
    *taken = *taken && r.finite;
    for (int64_t j = 0; j < b->n && *taken; ++j) {
        *taken =
            lengths[j] == 0 || (lengths[j] >= LEAST && lengths[j] <= 1 / LEAST);
        b->scale[j] = lengths[j] > 0 ? ldexp_r(1, -exponent_r(lengths[j])) : 1;
    }
    return GSVD_SUCCESS;
}

/* What is there of the caller's matrix: rows of a tall one, all of another on process 0 */
static gsvd_status_t fetch(const exec_t *ex, const grid_call_t *c, half_t *h,
                           MPI_Comm row, memory_t *w, int *taken)
{
    const array_t given = X(grid_array_given)(&c->array[h->matrix]);
    const array_t alone = X(grid_array_alone)(h->M, h->rows, c->n);

    if (!h->is_tall)
        return X(move)(given, NULL, NULL, h->rows, c->n, alone, 0);
    GSVD_TRY(X(grid_copy_in)(&c->array[h->matrix], h->branch->blocks));
    GSVD_TRY(find_scales(ex, h->branch, w->lengths, taken));
    if (!*taken)
        return GSVD_SUCCESS;
    GSVD_TRY(X(branch_rows)(h->branch, row));
    multiply('N', h->branch->here, c->n, 1, h->branch->Q, h->branch->ld, w->x,
             h->y);
    return GSVD_SUCCESS;
}

/* -- 2, process 0 ----------------------------------------------------------------- */

static real_t norm_f(int64_t count, const scalar_t *x)
{
    real_t size = 0;
    for (int64_t i = 0; i < count; ++i)
        size += abs2(x[i]);
    return sqrt_r(size);
}

/* Does the QR of A D keep what the values depend on? */
static int is_kept(const branch_t *b, scalar_t *inverse)
{
    const int n = (int)b->n;
    const scalar_t one = make(1, 0);

    if (b->most <= ALIKE * b->least)
        return 1;
    for (int64_t i = 0; i < b->n * b->n; ++i)
        inverse[i] = make(i % (b->n + 1) == 0, 0);
    for (int64_t j = 0; j < b->n; ++j)
        if (abs_of(b->R[j * (b->n + 1)]) <= 0)
            return 0;
    BLAS_(trsm)
    ("L", "U", "N", "N", &n, &n, &one, b->R, &n, inverse, &n, 1, 1, 1, 1);
    return norm_f(b->n * b->n, b->R) * norm_f(b->n * b->n, inverse) <=
           CONDITION * (real_t)b->n;
}

/* M := R D^-1 */
static void unscale(const half_t *h)
{
    const branch_t *const b = h->branch;

    for (int64_t j = 0; j < b->n; ++j)
        for (int64_t i = 0; i < b->n; ++i)
            h->M[i + j * b->n] = scale(1 / b->scale[j], b->R[i + j * b->n]);
}

/* C := U_, z := U_^H R x */
static void prepare(half_t *h, const memory_t *w)
{
    branch_t *const b = h->branch;
    const int64_t n = b->n;

    memcpy(b->C, h->F, (size_t)(n * n) * sizeof *b->C);
    multiply('N', n, n, 1, b->R, n, w->x, w->Rx);
    multiply('C', n, n, 1, h->F, n, w->Rx, h->z);
}

/* The pair of what is on process 0, without its arrays */
static grid_call_t small_of(const grid_call_t *call, const memory_t *w)
{
    grid_call_t small = *call;

    small.m = w->half[0].small;
    small.p = w->half[1].small;
    small.rows_a = call->m;
    small.rows_b = call->p;
    for (int k = 0; k < 2; ++k)
        if (w->half[k].is_tall)
            small.job[k] = 'S';
    return small;
}

/* *taken: the pair of what is on process 0 is decomposed.  Called there alone. */
static gsvd_status_t decompose(const grid_call_t *call, memory_t *w,
                               int64_t ranks[2], int *taken)
{
    grid_t *const whole = gsvd_grid;
    gsvd_grid_desc_t desc[GRID_ARRAYS];
    grid_call_t small = small_of(call, w);
    int info = 0;
    grid_t alone;

    small.alpha = w->c;
    small.beta = w->s;
    small.k = &ranks[0];
    small.l = &ranks[1];
    small.info = &info;
    small.array[GRID_X].data = w->X_;
    for (int k = 0; k < 2; ++k) {
        const half_t *const h = &w->half[k];
        small.array[h->matrix].data = h->M;
        small.array[h->factor].data = h->F;
    }
    for (int k = 0; k < GRID_ARRAYS; ++k) { /* one block is more than all     */
        const int64_t rows = k == GRID_A || k == GRID_U ? small.m
                             : k == GRID_X              ? call->n
                                                        : small.p;
        desc[k] = (gsvd_grid_desc_t){
            .mb = INT32_MAX, .nb = INT32_MAX, .lld = max_i(rows, 1)};
        small.array[k].desc = &desc[k];
    }
    gsvd_grid_alone(&alone);
    gsvd_grid = &alone;
    const gsvd_status_t status = X(grid_run)(&small);
    gsvd_grid = whole;
    whole->door.sweeps = alone.door.sweeps;
    if (status == GSVD_OUT_OF_MEMORY)
        (void)gsvd_grid_fail(status, "%.200s", alone.door.error);
    gsvd_grid_alone_ends(&alone);
    *taken = status == GSVD_SUCCESS;
    return status == GSVD_OUT_OF_MEMORY ? status : GSVD_SUCCESS;
}

static gsvd_status_t on_first(const grid_call_t *call, memory_t *w,
                              int64_t ranks[2], int *taken)
{
    for (int k = 0; k < w->branches; ++k)
        *taken = *taken && is_kept(&w->branch[k], w->inverse);
    if (!*taken)
        return GSVD_SUCCESS;
    for (int k = 0; k < 2; ++k)
        if (w->half[k].is_tall)
            unscale(&w->half[k]);
    GSVD_TRY(decompose(call, w, ranks, taken));
    for (int k = 0; k < 2 && *taken; ++k)
        if (w->half[k].is_tall)
            prepare(&w->half[k], w);
    return GSVD_SUCCESS;
}

/* Values and ranks of process 0, and whether they are the result */
static gsvd_status_t tell(const grid_call_t *call, memory_t *w, int *taken)
{
    const grid_t *const g = gsvd_grid;
    int64_t all[4] = {0, 0, *taken, 0};
    gsvd_status_t status = GSVD_SUCCESS;

    if (g->rank == 0) {
        status = on_first(call, w, all, taken);
        all[2] = *taken;
        all[3] = g->door.sweeps;
    }
    GSVD_TRY(gsvd_grid_agree(status));
    MPI_Bcast(all, 4, MPI_INT64_T, 0, g->comm);
    *taken = (int)all[2];
    if (!*taken)
        return GSVD_SUCCESS;
    gsvd_grid->door.sweeps = (int)all[3];
    MPI_Bcast(w->c, (int)call->n, GRID_REAL, 0, g->comm);
    MPI_Bcast(w->s, (int)call->n, GRID_REAL, 0, g->comm);
    for (int k = 0; k < 2; ++k)
        if (w->half[k].is_tall)
            MPI_Bcast(w->half[k].z, (int)call->n * PROBES, GRID_SCALAR, 0,
                      g->comm);
    if (call->k)
        *call->k = all[0];
    if (call->l)
        *call->l = all[1];
    return GSVD_SUCCESS;
}

/* -- 3 ---------------------------------------------------------------------------- */

/* *good: A D x - U z is rounding.  x has n rows, and columns of A D are at most 1 long. */
static void test(const half_t *h, int *good)
{
    const branch_t *const b = h->branch;
    const real_t bound = RESIDUAL_MOST(h->rows) * sqrt_r((real_t)b->n);
    real_t squares[PROBES] = {0};

    multiply('N', b->here, b->n, -1, b->F, b->ld, h->z, h->y);
    for (int64_t j = 0; j < PROBES; ++j)
        for (int64_t i = 0; i < b->here; ++i)
            squares[j] += abs2(h->y[i + j * b->here]);
    X(sum_all)(PROBES, squares);
    for (int j = 0; j < PROBES; ++j)
        *good = *good && sqrt_r(squares[j]) <= bound;
}

static gsvd_status_t deliver_factor(const grid_call_t *call, const half_t *h,
                                    MPI_Comm row)
{
    const grid_array_t *const to = &call->array[h->factor];

    if (call->job[h->factor - GRID_U] == 'N')
        return GSVD_SUCCESS;
    if (!h->is_tall)
        return X(move)(X(grid_array_alone)(h->F, h->rows, h->cols), NULL, NULL,
                       h->rows, h->cols, X(grid_array_given)(to), 0);
    GSVD_TRY(X(branch_blocks)(h->branch, row));
    return X(grid_copy_out)(h->branch->blocks, to);
}

static gsvd_status_t deliver(const grid_call_t *call, memory_t *w, MPI_Comm row,
                             int *good)
{
    const size_t bytes = (size_t)call->n * sizeof(real_t);

    GSVD_TRY(X(tree_down)(w->branch, w->branches, w->tree.data));
    for (int k = 0; k < 2; ++k) {
        if (w->half[k].is_tall)
            test(&w->half[k], good);
        GSVD_TRY(deliver_factor(call, &w->half[k], row));
    }
    if (call->job[2] != 'N')
        GSVD_TRY(X(move)(X(grid_array_alone)(w->X_, call->n, call->n), NULL,
                         NULL, call->n, call->n,
                         X(grid_array_given)(&call->array[GRID_X]), 0));
    memcpy(call->alpha, w->c, bytes);
    memcpy(call->beta, w->s, bytes);
    return GSVD_SUCCESS;
}

/* -- all -------------------------------------------------------------------------- */

static gsvd_status_t run(const exec_t *ex, const grid_call_t *call, memory_t *w,
                         MPI_Comm row, int *info, int *taken)
{
    int good = 1;

    for (int64_t i = 0; i < call->n * PROBES; ++i) {
        double x, y;
        gaussian_pair(1, (uint64_t)i, &x, &y);
        w->x[i] = make((real_t)x, (real_t)y);
    }
    MPI_Bcast(w->x, (int)call->n * PROBES, GRID_SCALAR, 0, gsvd_grid->comm);
    *taken = 1;
    for (int k = 0; k < 2; ++k)
        if (*taken)
            GSVD_TRY(fetch(ex, call, &w->half[k], row, w, taken));
    if (!*taken)
        return GSVD_SUCCESS;
    GSVD_TRY(X(tree_up)(w->branch, w->branches, w->tree.data));
    GSVD_TRY(tell(call, w, taken));
    if (!*taken)
        return GSVD_SUCCESS;
    GSVD_TRY(deliver(call, w, row, &good));
    if (good)
        return GSVD_SUCCESS;
    *info = 1;
    return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                          "the result is not a decomposition of A and B");
}

/* gsvd_grid_memory of a call that is planned, with what process 0 takes for the small pair */
static void plan(const grid_call_t *call, const memory_t *w, size_t bytes)
{
    const grid_call_t small = small_of(call, w);
    grid_t *const whole = gsvd_grid;
    size_t of_small = 0;
    grid_t alone = {.size = 1, .p = 1, .q = 1, .planned = &of_small};

    if (whole->rank == 0) {
        gsvd_grid = &alone;
        if (X(grid_run)(&small) != GSVD_SUCCESS)
            of_small = 0; /* and it would not take this road                 */
        gsvd_grid = whole;
    }
    *whole->planned = max_size(*whole->planned, bytes + of_small);
}

gsvd_status_t X(tall_on_grid)(const exec_t *ex, const grid_call_t *call,
                              int *info, int *taken)
{
    arena_t count = {0}, all;
    exec_t in = *ex;
    memory_t w = {.branches = 0};
    MPI_Comm row;

    *taken = 0;
    if (!fits(ex, call))
        return GSVD_SUCCESS;
    take(ex, &count, call, &w);
    if (gsvd_grid->planned && !count.full) { /* The other road is open, too. */
        plan(call, &w, gsvd_arena_bytes(&count));
        return GSVD_SUCCESS;
    }
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(ex, &all, call, &w);
    in.work = gsvd_arena_over(w.kernels.data, w.kernels.bytes);
    MPI_Comm_split(gsvd_grid->comm, gsvd_grid->r, gsvd_grid->c, &row);
    const gsvd_status_t status = run(&in, call, &w, row, info, taken);
    MPI_Comm_free(&row);
    return status;
}
