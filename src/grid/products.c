/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* products.c -- products by PBLAS, and QR by ScaLAPACK. */
#include <string.h>

#include "core/blas.h"
#include "core/scalapack.h"
#include "grid/banded.h"
#include "grid/call.h"
#include "grid/mpi_types.h"

enum { NARROW = 8 }; /* columns: random vectors                              */

static char engine_op(char op) { return op == 'N' ? 'N' : PCTRANS; }

gsvd_status_t X(dense_product)(char opa, char opb, real_t alpha, mat_t A,
                               mat_t B, real_t beta, mat_t C)
{
    const char a = engine_op(opa), b = engine_op(opb);
    const int m = (int)C.rows, n = (int)C.cols;
    const int k = (int)(opa == 'N' ? A.cols : A.rows);
    const scalar_t by = make(alpha, 0), keep = make(beta, 0);

    if (mat_empty(C))
        return GSVD_SUCCESS;
    DESCRIBED(A);
    DESCRIBED(B);
    DESCRIBED(C);
    SCALAPACK_(gemm)
    (&a, &b, &m, &n, &k, &by, P_(A), P_(B), &keep, P_(C));
    return GSVD_SUCCESS;
}

/* A matrix of few columns on all processes: by columns, and as its rows come; how many numbers come from each,
 * and where they begin */
typedef struct gathered {
    scalar_t *all, *message;
    int *count, *at;
} gathered_t;

static void take_gathered(arena_t *a, int64_t entries, gathered_t *x)
{
    x->all = gsvd_arena_take(a, entries, sizeof(scalar_t));
    x->message = gsvd_arena_take(a, entries, sizeof(scalar_t));
    x->count = gsvd_arena_take(a, gsvd_grid->size, sizeof(int));
    x->at = gsvd_arena_take(a, gsvd_grid->size, sizeof(int));
}

/* x->all := B, of which each process has some rows; in one message */
static gsvd_status_t gather_rows(mat_t B, gathered_t *x)
{
    const grid_t *const g = gsvd_grid;
    const part_t P = X(part_of)(B);
    const int64_t k = B.rows, n = B.cols;
    arena_t lists = {0};
    void *room;

    take_gathered(&lists, k * n, x);
    const size_t bytes = gsvd_arena_bytes(&lists);
    GSVD_TRY(gsvd_grid_room(ROOM_LISTS, bytes, &room));
    lists = gsvd_arena_over(room, bytes);
    take_gathered(&lists, k * n, x);
    for (int r = 0, from = 0; r < g->size; from += x->count[r++]) {
        x->count[r] = (int)((end_row(B, r) - first_row(B, r)) * n);
        x->at[r] = from;
    }
    scalar_t *mine = x->message + x->at[g->rank];
    EACH_ENTRY (P, i, j)
        *mine++ = HERE(P, i, j);
    MPI_Allgatherv(MPI_IN_PLACE, 0, GRID_SCALAR, x->message, x->count, x->at,
                   GRID_SCALAR, g->comm);
    const scalar_t *next = x->message;
    for (int r = 0; r < g->size; ++r)
        for (int64_t j = 0; j < n; ++j) {
            walk_t i = walk_from(first_row(B, r), end_row(B, r), B.i, r, g->p);
            for (; i.local < i.end; walk_on(&i))
                x->all[i.at + j * k] = *next++;
        }
    return GSVD_SUCCESS;
}

/* C := beta C + alpha A B for few columns, where each process has all columns of its rows of A: it gets all of
 * B, for which the engine may send a message for each block of rows. */
static gsvd_status_t narrow_product(real_t alpha, mat_t A, mat_t B, real_t beta,
                                    mat_t C, int *done)
{
    const part_t P = X(part_of)(A), R = X(part_of)(C);
    const int m = (int)(P.r1 - P.r0), n = (int)B.cols, k = (int)B.rows;
    const int ld_a = (int)P.ld, ld_c = (int)R.ld;
    const scalar_t by = make(alpha, 0), keep = make(beta, 0);
    const char as_is = 'N';
    gathered_t x;

    *done = gsvd_grid->q == 1 && gsvd_grid->p > 1 && n <= NARROW && n <= k &&
            X(placed_alike)(mat_cols(A, 0, n), C);
    if (!*done || mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(gather_rows(B, &x));
    if (m > 0)
        BLAS_(gemm)
    (&as_is, &as_is, &m, &n, &k, &by, &P.data[P.r0 + P.c0 * P.ld], &ld_a, x.all,
     &k, &keep, &R.data[R.r0 + R.c0 * R.ld], &ld_c, 1, 1);
    return GSVD_SUCCESS;
}

static gsvd_status_t product(const exec_t *ex, char opa, char opb, real_t alpha,
                             mat_t A, mat_t B, real_t beta, mat_t C)
{
    int done = 0;
    if (opa == 'N' && opb == 'N')
        GSVD_TRY(narrow_product(alpha, A, B, beta, C, &done));
    if (opa == 'N' && opb == 'N' && !done)
        GSVD_TRY(X(banded_product)(ex, alpha, A, B, beta, C, &done));
    return done ? GSVD_SUCCESS
                : X(dense_product)(opa, opb, alpha, A, B, beta, C);
}

gsvd_status_t X(gemm_grid)(const exec_t *ex, char opa, char opb, mat_t A,
                           mat_t B, mat_t C)
{
    return product(ex, opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_grid)(const exec_t *ex, char opa, char opb, mat_t A,
                               mat_t B, mat_t C)
{
    return product(ex, opa, opb, -1, A, B, 1, C);
}

gsvd_status_t X(dense_gram)(mat_t A, mat_t C)
{
    const char lower = 'L', turned = PCTRANS;
    const int n = (int)A.cols, k = (int)A.rows;
    const real_t one = 1, zero = 0;

    if (mat_empty(C))
        return GSVD_SUCCESS;
    DESCRIBED(A);
    DESCRIBED(C);
    SCALAPACK_(PHERK)
    (&lower, &turned, &n, &k, &one, P_(A), &zero, P_(C));
    return GSVD_SUCCESS;
}

gsvd_status_t X(gram_grid)(const exec_t *ex, mat_t A, mat_t C)
{
    int done;
    GSVD_TRY(X(banded_gram)(ex, A, C, &done));
    if (!done)
        GSVD_TRY(X(dense_gram)(A, C));
    return X(move)(X(array_of)(C), NULL, NULL, C.rows, C.cols, X(array_of)(C),
                   MOVE_TURNED | MOVE_UPPER);
}

gsvd_status_t X(trsm_grid)(const exec_t *ex, mat_t R, mat_t A)
{
    const char right = 'R', upper = 'U', as_is = 'N', diagonal = 'N';
    const int m = (int)A.rows, n = (int)A.cols;
    const scalar_t one = make(1, 0);

    (void)ex;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    DESCRIBED(R);
    DESCRIBED(A);
    SCALAPACK_(trsm)
    (&right, &upper, &as_is, &diagonal, &m, &n, &one, P_(R), P_(A));
    return GSVD_SUCCESS;
}

/* -- QR ------------------------------------------------------------------------- */

/* Runs `call` with lwork = -1, which asks for the work, and with it. */
#define WITH_WORK(name, call)                                                  \
    do {                                                                       \
        scalar_t query[2] = {make(0, 0), make(0, 0)}, *work = query;           \
        int lwork = -1, info = 0;                                              \
        call;                                                                  \
        GSVD_TRY(room_for(name, query[0], info, &lwork, &work));               \
        call;                                                                  \
        GSVD_TRY(gsvd_grid_agree(refused(name, info)));                        \
    } while (0)

static gsvd_status_t refused(const char *name, int info)
{
    return info == 0 ? GSVD_SUCCESS
                     : gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                                      "ScaLAPACK's %s returns %d", name, info);
}

/* What the engine asked for, on every process */
static gsvd_status_t room_for(const char *name, scalar_t query, int info,
                              int *lwork, scalar_t **work)
{
    void *room;
    /* single precision rounds a large number, perhaps down */
    *lwork = (int)(re(query) * (1 + 2 * (real_t)GSVD_ULP)) + 1;
    GSVD_TRY(gsvd_grid_room_after(refused(name, info), ROOM_ENGINE,
                                  (size_t)*lwork * sizeof(scalar_t), &room));
    *work = room;
    return GSVD_SUCCESS;
}

gsvd_status_t X(dense_geqrf)(mat_t A, scalar_t *tau)
{
    const int m = (int)A.rows, n = (int)A.cols;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    DESCRIBED(A);
    WITH_WORK("QR", SCALAPACK_(geqrf)(&m, &n, P_(A), tau, work, &lwork, &info));
    return GSVD_SUCCESS;
}

gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    int done;
    (void)ex;
    GSVD_TRY(X(banded_geqrf)(A, tau, &done));
    return done ? GSVD_SUCCESS : X(dense_geqrf)(A, tau);
}

gsvd_status_t X(dense_ungqr)(mat_t A, int64_t k, const scalar_t *tau)
{
    const int m = (int)A.rows, n = (int)A.cols, reflectors = (int)k;
    DESCRIBED(A);
    WITH_WORK("Q", SCALAPACK_(PORGQR)(&m, &n, &reflectors, P_(A), tau, work,
                                      &lwork, &info));
    /* It leaves a topology of its own; what follows is to send what it does at first. */
    pb_topset_(&A_desc[1], "Broadcast", "Rowwise", " ", 9, 7, 1);
    return GSVD_SUCCESS;
}

gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau)
{
    int done = 0;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (k == 0)
        return X(set_grid)(ex, A, 0, 1);
    if (k == A.cols)
        GSVD_TRY(X(banded_ungqr)(ex, A, tau, &done));
    return done ? GSVD_SUCCESS : X(dense_ungqr)(A, k, tau);
}

/* C := op(Q) C, or C op(Q), of the reflectors [i, i + k) in one block of columns */
static void apply_block(char side, char op, mat_t A, int64_t i, int64_t k,
                        const scalar_t *tau, mat_t C, scalar_t *work)
{
    const char forward = 'F', by_columns = 'C', turned = engine_op(op);
    const int64_t b = gsvd_grid->block;
    const mat_t V = mat_sub(A, i, i, A.rows - i, k);
    const mat_t D = side == 'L' ? mat_sub(C, i, 0, C.rows - i, C.cols)
                                : mat_sub(C, 0, i, C.rows, C.cols - i);
    const int m = (int)D.rows, n = (int)D.cols, reflectors = (int)k,
              rows = (int)V.rows;
    scalar_t *const T = work, *const rest = work + b * b;

    DESCRIBED(V);
    DESCRIBED(D);
    SCALAPACK_(larft)
    (&forward, &by_columns, &rows, &reflectors, P_(V), tau, T, rest, 1, 1);
    SCALAPACK_(larfb)
    (&side, &turned, &forward, &by_columns, &m, &n, &reflectors, P_(V), T,
     P_(D), rest, 1, 1, 1, 1);
}

/* PxORMQR, which is asked for its work alone: it takes the first block by single reflectors. */
gsvd_status_t X(dense_unmqr)(char side, char op, mat_t A, int64_t k,
                             const scalar_t *tau, mat_t C)
{
    const char turned = engine_op(op);
    const int m = (int)C.rows, n = (int)C.cols, reflectors = (int)k;
    const int64_t block = gsvd_grid->block, first = A.j / block,
                  last = (A.j + k - 1) / block;
    const int ascends = (side == 'L') != (op == 'N');
    scalar_t query[2] = {make(0, 0), make(0, 0)}, *work = query;
    int lwork = -1, info = 0;
    if (mat_empty(C) || k == 0)
        return GSVD_SUCCESS;
    DESCRIBED(A);
    DESCRIBED(C);
    SCALAPACK_(PORMQR)
    (&side, &turned, &m, &n, &reflectors, P_(A), tau, P_(C), work, &lwork,
     &info, 1, 1);
    GSVD_TRY(room_for("product with Q", query[0], info, &lwork, &work));
    for (int64_t t = 0; t <= last - first; ++t) {
        const int64_t at = ascends ? first + t : last - t;
        const int64_t i = max_i(at * block - A.j, 0),
                      end = min_i((at + 1) * block - A.j, k);
        apply_block(side, op, A, i, end - i, tau, C, work);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C)
{
    int done = 0;
    (void)ex;
    if (side == 'R' && op == 'N' && k == A.cols && !mat_empty(C))
        GSVD_TRY(X(banded_times_q)(A, tau, C, &done));
    else if (side == 'L' && op == 'N')
        GSVD_TRY(X(banded_q_times)(A, k, tau, C, &done));
    return done ? GSVD_SUCCESS : X(dense_unmqr)(side, op, A, k, tau, C);
}

/* perm := the engine's, counted in the array from 1 on, of the processes that have A's first row: of a
 * single row the others know no norms. */
static void collect_pivots(mat_t A, const int *pivots, int *perm)
{
    const part_t P = X(part_of)(mat_rows(A, 0, 1));
    for (int64_t j = 0; j < A.cols; ++j)
        perm[j] = 0;
    EACH_ENTRY (P, i, j)
        perm[j.at] = pivots[j.local] - 1 - (int)A.j;
    MPI_Allreduce(MPI_IN_PLACE, perm, (int)A.cols, MPI_INT, MPI_MAX,
                  gsvd_grid->comm);
}

/* A P = Q R in LAPACK's order of columns, by their norms */
static gsvd_status_t factor_by_norms(mat_t A, int *perm, scalar_t *tau)
{
    const int m = (int)A.rows, n = (int)A.cols;
    const int64_t columns =
        A.j + A.cols; /* of the array, and no fewer than a process has    */
    void *room;

    GSVD_TRY(gsvd_grid_room(
        ROOM_LISTS,
        (size_t)columns * (sizeof(int) + 2 * sizeof(real_t)) + sizeof(real_t),
        &room));
    real_t *const reals = room;
    int *const pivots = (int *)(reals + 2 * columns);
    const int real_count = (int)(2 * columns);
    (void)real_count;
    for (int64_t j = 0; j < columns; ++j)
        pivots[j] = 0;
    DESCRIBED(A);
    WITH_WORK("pivoted QR",
              SCALAPACK_(geqpf)(&m, &n, P_(A), pivots, tau, work, &lwork,
                                PRWORK_OF(reals, &real_count) & info));
    collect_pivots(A, pivots, perm);
    return GSVD_SUCCESS;
}

/* The columns from the k-th on, below row k: factored, the columns above and perm along with them */
static gsvd_status_t factor_rest(const exec_t *ex, mat_t A, int64_t k,
                                 int *perm, scalar_t *tau)
{
    const mat_t rest = mat_sub(A, k, k, A.rows - k, A.cols - k);
    const mat_t none = mat_view(NULL, 0, 1, 1);
    void *room;

    if (k == 0)
        return factor_by_norms(A, perm, tau);
    GSVD_TRY(X(kernel_work)(ex, (size_t)(2 * rest.cols) * sizeof(int), &room));
    int *const next = room, *const before = next + rest.cols;
    GSVD_TRY(factor_by_norms(rest, next, tau));
    GSVD_TRY(X(rearrange)(ex, 'R', next, mat_sub(A, 0, k, k, rest.cols), none));
    memcpy(before, perm + k, (size_t)rest.cols * sizeof *before);
    for (int64_t j = 0; j < rest.cols; ++j)
        perm[k + j] = before[next[j]];
    return GSVD_SUCCESS;
}

/* What the steps behind the k-th did to A is undone: below row k it is full. */
static gsvd_status_t undo_rest(const exec_t *ex, mat_t A, int64_t k,
                               const scalar_t *tau)
{
    const int64_t m = A.rows - k, n = A.cols - k;
    const mat_t R = mat_sub(A, k, k, m, n);
    void *room;

    /* The engine wants rows that begin where R's do. */
    GSVD_TRY(gsvd_grid_room(
        ROOM_REST, (size_t)mat_entries(A.i + A.rows, n) * sizeof(scalar_t),
        &room));
    const mat_t C =
        mat_rows(mat_view(room, A.i + A.rows, n, A.i + A.rows), A.i + k, m);
    GSVD_TRY(X(copy_grid)(ex, R, C));
    GSVD_TRY(X(zero_lower_grid)(ex, C));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', R, min_i(m, n), tau, C));
    return X(copy_grid)(ex, C, R);
}

/* *longest := the longest column of A below row k */
static gsvd_status_t longest_of_rest(const exec_t *ex, mat_t A, int64_t k,
                                     real_t *longest)
{
    const mat_t R = mat_sub(A, k, k, min_i(A.rows, A.cols) - k, A.cols - k);
    void *room;

    GSVD_TRY(
        gsvd_grid_room(ROOM_REST,
                       (size_t)mat_entries(R.rows, R.cols) * sizeof(scalar_t) +
                           (size_t)R.cols * sizeof(real_t),
                       &room));
    const mat_t C =
        mat_view((scalar_t *)((real_t *)room + R.cols), R.rows, R.cols, R.rows);
    GSVD_TRY(X(copy_grid)(ex, R, C));
    GSVD_TRY(X(zero_lower_grid)(ex, C));
    return X(grid_longest)(ex, C, room, longest);
}

/* The engine updates norms, and may lose the longest column: where one is left that is longer than
 * tol, the rest is factored again, from its norms on. */
gsvd_status_t X(geqpf)(const exec_t *ex, mat_t A, gsvd_pivot_t how, real_t tol,
                       int *perm, scalar_t *tau, int64_t *rank)
{
    const int64_t all = min_i(A.rows, A.cols);
    const real_t rounded = tol * (1 + 16 * (real_t)A.rows * GSVD_EPS);
    const part_t P = X(part_of)(A);
    real_t longest = 0;
    int64_t k;

    (void)how;
    *rank = 0;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    do {
        scalar_t *d;
        k = *rank;
        GSVD_TRY(factor_rest(ex, A, k, perm, tau));
        GSVD_TRY(X(diagonal_grid)(ex, mat_sub(A, k, k, all - k, all - k), &d));
        while (*rank < all && abs_of(d[*rank - k]) > tol)
            ++*rank;
        if (*rank == all)
            return GSVD_SUCCESS;
        GSVD_TRY(longest_of_rest(ex, A, *rank, &longest));
        if (longest > 0)
            GSVD_TRY(undo_rest(ex, A, *rank, tau));
    } while (*rank > k && longest > rounded && longest <= GSVD_REAL_MAX);
    EACH_COLUMN(P, j)
    if (j.at >= *rank && j.at < all)
        tau[j.local] = make(0, 0);
    return longest > rounded && longest > GSVD_SAFMIN / GSVD_EPS &&
                   longest <= GSVD_REAL_MAX
               ? gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                                "ScaLAPACK's pivoted QR takes short columns "
                                "before long ones")
               : GSVD_SUCCESS;
}

/* Where R's diagonal is, tau is set. */
gsvd_status_t X(grid_gather_tau)(mat_t A, const scalar_t *tau, int64_t r,
                                 scalar_t *to)
{
    const part_t P = X(part_of)(A);
    for (int64_t j = 0; j < r; ++j)
        to[j] = make(0, 0);
    EACH_ENTRY (P, i, j)
        if (i.at == j.at)
            to[j.at] = tau[j.local];
    X(sum_all)(REALS_PER_SCALAR * r, (real_t *)to);
    return GSVD_SUCCESS;
}

/* -- what ScaLAPACK counts ---------------------------------------------------------- */

/* An eigenproblem takes two matrices, and a few rows and columns of blocks. */
gsvd_status_t X(grid_is_countable)(const shape_t *shape, int count, int64_t r)
{
    const double b = 4 * (double)gsvd_grid->block;
    double most = 2 * X(grid_most_here)(r, r) +
                  b * (X(grid_most_here)(r, 1) + X(grid_most_here)(1, r) + b) +
                  8 * (double)r;

    for (int k = 0; k < count; ++k) {
        const int64_t m = shape[k].rows, n = shape[k].cols;
        const double here = X(grid_most_here)(m, n);
        const double indices = (double)max_i(m, n) * 4;
        most = here > most ? here : most;
        most = indices > most ? indices : most;
    }
    if (most < INT32_MAX)
        return GSVD_SUCCESS;
    return gsvd_grid_fail(
        GSVD_NOT_SUPPORTED,
        "%lld x %lld on a %d x %d grid: %.3g numbers on a process, and "
        "ScaLAPACK counts by 32 bits: take more processes",
        (long long)shape[0].rows, (long long)shape[0].cols, gsvd_grid->p,
        gsvd_grid->q, most);
}

int64_t X(grid_widest_block)(void) { return 64; }
