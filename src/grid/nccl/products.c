/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* products.c -- products by cuBLASMp, QR by cuSOLVERMp, and pivots by libgsvd on one GPU.
 *
 * tau stands on the device, as cuSOLVERMp has it for a matrix that begins with process (0, 0): a process has
 * that of its columns. */
#include <string.h>

#include "grid/call.h"
#include "grid/nccl/engine.h"

/* -- operands ----------------------------------------------------------------------- */

/* Does the view begin with a block of the first process? */
static int is_in_place(mat_t A)
{
    const grid_t *const g = gsvd_grid;
    return (g->p == 1 || A.i % (g->block * g->p) == 0) &&
           (g->q == 1 || A.j % (g->block * g->q) == 0);
}

static gsvd_status_t describe(engaged_t *x)
{
    const nccl_t *const d = nccl_here();
    const part_t P = X(part_of)(x->place);
    const int64_t b = gsvd_grid->block, m = max_i(x->view.rows, 1),
                  n = max_i(x->view.cols, 1);
    int status;

    x->data = P.data + P.r0 + P.c0 * P.ld;
    status = (int)cublasMpMatrixDescriptorCreate(
        m, n, b, b, 0, 0, P.ld, ENGINE_TYPE, d->blas_grid, &x->blas);
    if (status == 0)
        status = (int)cusolverMpCreateMatrixDesc(
            &x->solver, d->solver_grid, ENGINE_TYPE, m, n, b, b, 0, 0, P.ld);
    return gsvd_engine_status("descriptor", status);
}

gsvd_status_t X(engage)(const exec_t *ex, engaged_t *x, int count)
{
    gsvd_status_t status = GSVD_SUCCESS;
    int64_t entries = 0;
    void *room = NULL;

    for (int k = 0; k < count; ++k) {
        x[k].blas = NULL;
        x[k].solver = NULL;
        if (!is_in_place(x[k].view))
            entries += mat_entries(x[k].view.rows, x[k].view.cols) + 32;
    }
    if (entries > 0)
        GSVD_TRY(gsvd_grid_room(ROOM_COPIES, (size_t)entries * sizeof(scalar_t),
                                &room));
    scalar_t *next = room;
    for (int k = 0; k < count; ++k) {
        const mat_t A = x[k].view;
        x[k].place = A;
        if (!is_in_place(A)) {
            x[k].place = mat_view(next, A.rows, A.cols, max_i(A.rows, 1));
            next += (mat_entries(A.rows, A.cols) + 31) / 32 * 32;
            if (x[k].use & USE_READ)
                GSVD_TRY(ex->op->copy(ex, A, x[k].place));
        }
    }
    for (int k = 0; k < count && status == GSVD_SUCCESS; ++k)
        status = describe(&x[k]);
    return status;
}

gsvd_status_t X(release)(const exec_t *ex, engaged_t *x, int count,
                         gsvd_status_t status)
{
    for (int k = 0; k < count; ++k) {
        if (x[k].blas)
            (void)cublasMpMatrixDescriptorDestroy(x[k].blas);
        if (x[k].solver)
            (void)cusolverMpDestroyMatrixDesc(x[k].solver);
        if (status == GSVD_SUCCESS && x[k].use & USE_WRITTEN &&
            !is_in_place(x[k].view))
            status = ex->op->copy(ex, x[k].place, x[k].view);
    }
    return status;
}

/* -- products ----------------------------------------------------------------------- */

static cublasOperation_t engine_op(char op)
{
    return op == 'N' ? CUBLAS_OP_N : ENGINE_TURNED;
}

static gsvd_status_t product(const exec_t *ex, char opa, char opb, real_t alpha,
                             mat_t A, mat_t B, real_t beta, mat_t C)
{
    const cublasOperation_t a = engine_op(opa), b = engine_op(opb);
    const int64_t m = C.rows, n = C.cols, k = opa == 'N' ? A.cols : A.rows;
    const scalar_t by = make(alpha, 0), keep = make(beta, 0);
    const cublasMpHandle_t blas = nccl_here()->blas;
    engaged_t x[] = {{.view = A, .use = USE_READ},
                     {.view = B, .use = USE_READ},
                     {.view = C, .use = beta == 0 ? USE_WRITTEN : USE_BOTH}};
    gsvd_status_t status;

    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (k == 0)
        return beta == 0 ? ex->op->set(ex, C, 0, 0) : GSVD_SUCCESS;
    status = X(engage)(ex, x, 3);
    ENGINE_RUN(status, "product",
               cublasMpGemm_bufferSize(blas, a, b, m, n, k, &by, x[0].data, 1,
                                       1, x[0].blas, x[1].data, 1, 1, x[1].blas,
                                       &keep, x[2].data, 1, 1, x[2].blas,
                                       ENGINE_COMPUTE, &db, &hb),
               cublasMpGemm(blas, a, b, m, n, k, &by, x[0].data, 1, 1,
                            x[0].blas, x[1].data, 1, 1, x[1].blas, &keep,
                            x[2].data, 1, 1, x[2].blas, ENGINE_COMPUTE, dw, db,
                            hw, hb));
    return X(release)(ex, x, 3, status);
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

/* The engine's product of a matrix by itself takes ten times as long as one of two (bench/notes.md): all of
 * it is computed, and one triangle taken. */
gsvd_status_t X(gram_grid)(const exec_t *ex, mat_t A, mat_t C)
{
    GSVD_TRY(product(ex, 'C', 'N', 1, A, A, 0, C));
    return X(move)(X(array_of)(C), NULL, NULL, C.rows, C.cols, X(array_of)(C),
                   MOVE_TURNED | MOVE_UPPER);
}

/* A := A R^-1 */
static gsvd_status_t solve(const exec_t *ex, mat_t R, mat_t A)
{
    const int64_t m = A.rows, n = A.cols;
    const scalar_t one = make(1, 0);
    const cublasMpHandle_t blas = nccl_here()->blas;
    engaged_t x[] = {{.view = R, .use = USE_READ},
                     {.view = A, .use = USE_BOTH}};
    gsvd_status_t status;

    status = X(engage)(ex, x, 2);
    ENGINE_RUN(status, "triangular solver",
               cublasMpTrsm_bufferSize(
                   blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                   CUBLAS_DIAG_NON_UNIT, m, n, &one, x[0].data, 1, 1, x[0].blas,
                   x[1].data, 1, 1, x[1].blas, ENGINE_COMPUTE, &db, &hb),
               cublasMpTrsm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER,
                            CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, m, n, &one,
                            x[0].data, 1, 1, x[0].blas, x[1].data, 1, 1,
                            x[1].blas, ENGINE_COMPUTE, dw, db, hw, hb));
    return X(release)(ex, x, 2, status);
}

/* By halves, which begin with a block of the first process, down to a few blocks: the engine's solver takes
 * ten times as long as its products. */
gsvd_status_t X(trsm_grid)(const exec_t *ex, mat_t R, mat_t A)
{
    const grid_t *const g = gsvd_grid;
    const int64_t n = A.cols, turn = g->block * g->p * g->q;
    const int64_t half = (n / 2 + turn - 1) / turn * turn, rest = n - half;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (n <= 2 * turn || rest <= 0)
        return solve(ex, R, A);
    GSVD_TRY(
        X(trsm_grid)(ex, mat_sub(R, 0, 0, half, half), mat_cols(A, 0, half)));
    GSVD_TRY(product(ex, 'N', 'N', -1, mat_cols(A, 0, half),
                     mat_sub(R, 0, half, half, rest), 1,
                     mat_cols(A, half, rest)));
    return X(trsm_grid)(ex, mat_sub(R, half, half, rest, rest),
                        mat_cols(A, half, rest));
}

/* -- QR ------------------------------------------------------------------------- */

static scalar_t *there(const scalar_t *tau)
{
    return gsvd_grid_there((scalar_t *)tau);
}

gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    const int64_t m = A.rows, n = A.cols;
    const nccl_t *const d = nccl_here();
    engaged_t x = {.view = A, .use = USE_BOTH};
    gsvd_status_t status;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    status = X(engage)(ex, &x, 1);
    ENGINE_RUN(status, "QR",
               cusolverMpGeqrf_bufferSize(d->solver, m, n, x.data, 1, 1,
                                          x.solver, ENGINE_TYPE, &db, &hb),
               cusolverMpGeqrf(d->solver, m, n, x.data, 1, 1, x.solver,
                               there(tau), ENGINE_TYPE, dw, db, hw, hb,
                               d->info));
    return X(release)(ex, &x, 1, status);
}

gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau)
{
    const int64_t m = A.rows, n = A.cols;
    const nccl_t *const d = nccl_here();
    engaged_t x = {.view = A, .use = USE_BOTH};
    gsvd_status_t status;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (k == 0)
        return ex->op->set(ex, A, 0, 1);
    status = X(engage)(ex, &x, 1);
    ENGINE_RUN(
        status, "Q",
        cusolverMpOrgqr_bufferSize(d->solver, m, n, k, x.data, 1, 1, x.solver,
                                   there(tau), ENGINE_TYPE, &db, &hb),
        cusolverMpOrgqr(d->solver, m, n, k, x.data, 1, 1, x.solver, there(tau),
                        ENGINE_TYPE, dw, db, hw, hb, d->info));
    return X(release)(ex, &x, 1, status);
}

/* C := op(Q) C */
static gsvd_status_t apply_left(const exec_t *ex, char op, mat_t A, int64_t k,
                                const scalar_t *tau, mat_t C)
{
    const cublasSideMode_t left = CUBLAS_SIDE_LEFT;
    const cublasOperation_t trans = engine_op(op);
    const int64_t m = C.rows, n = C.cols;
    const nccl_t *const d = nccl_here();
    engaged_t x[] = {{.view = mat_cols(A, 0, k), .use = USE_READ},
                     {.view = C, .use = USE_BOTH}};
    gsvd_status_t status;

    status = X(engage)(ex, x, 2);
    ENGINE_RUN(
        status, "product with Q",
        cusolverMpOrmqr_bufferSize(d->solver, left, trans, m, n, k, x[0].data,
                                   1, 1, x[0].solver, there(tau), x[1].data, 1,
                                   1, x[1].solver, ENGINE_TYPE, &db, &hb),
        cusolverMpOrmqr(d->solver, left, trans, m, n, k, x[0].data, 1, 1,
                        x[0].solver, there(tau), x[1].data, 1, 1, x[1].solver,
                        ENGINE_TYPE, dw, db, hw, hb, d->info));
    return X(release)(ex, x, 2, status);
}

/* cuSOLVERMp 0.9.1 has no product from the right: C op(Q) = (op(Q)^H C^H)^H.  On a 1 x 2 grid it refuses C with
 * fewer columns than Q has reflectors: then there are columns of zeros beside them. */
gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C)
{
    const grid_t *const g = gsvd_grid;
    const int left = side == 'L';
    const int64_t rows = left ? C.rows : C.cols, cols = left ? C.cols : C.rows,
                  all = g->q > 1 ? max_i(cols, k) : cols;
    void *room;

    if (mat_empty(C) || k == 0)
        return GSVD_SUCCESS;
    if (left && all == cols)
        return apply_left(ex, op, A, k, tau, C);
    GSVD_TRY(gsvd_grid_room(
        ROOM_TURNED, (size_t)mat_entries(rows, all) * sizeof(scalar_t), &room));
    const mat_t W = mat_view(room, rows, all, rows), T = mat_cols(W, 0, cols);
    GSVD_TRY(ex->op->set(ex, mat_cols(W, cols, all - cols), 0, 0));
    GSVD_TRY(left ? ex->op->copy(ex, C, T) : ex->op->ctrans(ex, C, T));
    GSVD_TRY(apply_left(ex, left == (op == 'N') ? 'N' : 'C', A, k, tau, W));
    return left ? ex->op->copy(ex, T, C) : ex->op->ctrans(ex, T, C);
}

/* -- pivots --------------------------------------------------------------------- */

typedef struct pivots {
    int64_t *jpvt;        /* on the host, as the others                      */
    scalar_t *tau, *some; /* of all columns, and of some                     */
} pivots_t;

static void take(arena_t *a, int64_t n, pivots_t *x)
{
    x->jpvt = gsvd_arena_take(a, n, sizeof(int64_t));
    x->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    x->some = gsvd_arena_take(a, n, sizeof(scalar_t));
}

/* M, m x n without gaps on process 0's GPU, := its QR, by the handle of that GPU; perm, *rank and x->tau */
static gsvd_status_t choose(scalar_t *M, int64_t m, int64_t n, real_t tol,
                            pivots_t *x, int *perm, int64_t *rank)
{
    const size_t bytes = (size_t)n * sizeof *x->jpvt,
                 of_tau = (size_t)min_i(m, n) * sizeof *x->tau;
    const grid_t *const g = gsvd_grid;

    GSVD_TRY(gsvd_nccl_handle());
    int64_t *const jpvt = gsvd_nccl_list(0, NULL, bytes);
    scalar_t *const tau = gsvd_nccl_list(1, NULL, of_tau);
    gsvd_nccl_wait();
    GSVD_TRY(gsvd_nccl_status());
    const gsvd_status_t status = g->gpu->geqp(g->handle, GRID_TYPE, m, n, M, m,
                                              jpvt, tau, (double)tol, rank);
    if (status != GSVD_SUCCESS)
        return gsvd_grid_fail(status, "pivoted QR on a GPU: %.200s",
                              g->gpu->last_error(g->handle));
    NCCL_CUDA(cudaDeviceSynchronize());
    gsvd_nccl_read(x->jpvt, jpvt, bytes);
    gsvd_nccl_read(x->tau, tau, of_tau);
    for (int64_t j = 0; j < n; ++j)
        perm[j] = (int)x->jpvt[j] - 1;
    return gsvd_nccl_status();
}

/* tau here := that of this process's columns, of all k on the host, as the engine has it */
static void deal_out_tau(int64_t k, const scalar_t *all, scalar_t *room,
                         scalar_t *tau)
{
    const grid_t *const g = gsvd_grid;
    const int64_t b = g->block, here = share_of(k, b, g->c, g->q);

    for (int64_t l = 0; l < here; ++l)
        room[l] = all[(l / b * g->q + g->c) * b + l % b];
    gsvd_nccl_write(there(tau), room, (size_t)here * sizeof *tau);
}

/* By process 0, which gets a copy of all of A, and gives back its QR.  The module's own QR of columns in that
 * order would differ by rounding, and so might its rank. */
gsvd_status_t X(geqpf)(const exec_t *ex, mat_t A, gsvd_pivot_t how, real_t tol,
                       int *perm, scalar_t *tau, int64_t *rank)
{
    const int first = gsvd_grid->rank == 0;
    const int64_t k = min_i(A.rows, A.cols);
    arena_t count = {0}, lists;
    pivots_t x;
    void *room;

    (void)ex, (void)how;
    *rank = 0;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    take(&count, A.cols, &x);
    const size_t bytes = (gsvd_arena_bytes(&count) + 255) / 256 * 256,
                 entries = first ? (size_t)(A.rows * A.cols) : 1;
    GSVD_TRY(
        gsvd_grid_room(ROOM_REST, bytes + entries * sizeof(scalar_t), &room));
    lists = gsvd_arena_over(room, bytes);
    take(&lists, A.cols, &x);
    const array_t copy = X(grid_array_alone)(
        gsvd_grid_there((char *)room + bytes), A.rows, A.cols);
    GSVD_TRY(X(move)(X(array_of)(A), NULL, NULL, A.rows, A.cols, copy, 0));
    gsvd_status_t status = GSVD_SUCCESS;
    if (first)
        status = choose(copy.data, A.rows, A.cols, tol, &x, perm, rank);
    GSVD_TRY(gsvd_grid_agree(status));
    gsvd_grid_tell(0, perm, (size_t)A.cols * sizeof *perm);
    gsvd_grid_tell(0, rank, sizeof *rank);
    gsvd_grid_tell(0, x.tau, (size_t)k * sizeof *x.tau);
    deal_out_tau(k, x.tau, x.some, tau);
    /* The handle's memory is worth more than the start of another one. */
    if (gsvd_grid->size > 1)
        gsvd_grid_leave_gpu(gsvd_grid);
    GSVD_TRY(X(move)(copy, NULL, NULL, A.rows, A.cols, X(array_of)(A), 0));
    gsvd_grid_release(ROOM_REST, &gsvd_grid->room[ROOM_REST]);
    gsvd_grid->room[ROOM_REST] = (buffer_t){0};
    return GSVD_SUCCESS;
}

gsvd_status_t X(grid_gather_tau)(mat_t A, const scalar_t *tau, int64_t r,
                                 scalar_t *to)
{
    const part_t P = X(part_of)(mat_cols(A, 0, r));
    const int64_t here = P.c1 - P.c0;
    void *room;

    for (int64_t j = 0; j < r; ++j)
        to[j] = make(0, 0);
    GSVD_TRY(
        gsvd_grid_room(ROOM_LISTS, (size_t)max_i(r, 1) * sizeof *to, &room));
    scalar_t *const mine = room;
    gsvd_nccl_read(mine, there(tau), (size_t)here * sizeof *to);
    EACH_ENTRY (P, i, j)
        if (i.at == j.at)
            to[j.at] = mine[j.local - P.c0];
    X(sum_all)(REALS_PER_SCALAR * r, (real_t *)to);
    return gsvd_nccl_status();
}

/* cuBLASMp's triangular solver is slow with small blocks. */
int64_t X(grid_widest_block)(void) { return 256; }

/* The engines count by 64 bits, and a permutation by 32. */
gsvd_status_t X(grid_is_countable)(const shape_t *shape, int count, int64_t r)
{
    (void)r;
    for (int k = 0; k < count; ++k)
        if (max_i(shape[k].rows, shape[k].cols) > INT32_MAX)
            return gsvd_grid_fail(GSVD_NOT_SUPPORTED,
                                  "%lld x %lld: permutations are counted by 32 "
                                  "bits",
                                  (long long)shape[k].rows,
                                  (long long)shape[k].cols);
    return GSVD_SUCCESS;
}
