/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* products.c -- products by PBLAS, and QR by ScaLAPACK. */
#include "core/scalapack.h"
#include "grid/backend.h"
#include "grid/layout.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

static char engine_op(char op) { return op == 'N' ? 'N' : PCTRANS; }

/* C := beta C + alpha op(A) op(B) */
static gsvd_status_t product(char opa, char opb, real_t alpha, mat_t A, mat_t B,
                             real_t beta, mat_t C)
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

gsvd_status_t X(gemm_grid)(const exec_t *ex, char opa, char opb, mat_t A,
                           mat_t B, mat_t C)
{
    (void)ex;
    return product(opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_grid)(const exec_t *ex, char opa, char opb, mat_t A,
                               mat_t B, mat_t C)
{
    (void)ex;
    return product(opa, opb, -1, A, B, 1, C);
}

size_t X(products_bytes_grid)(const exec_t *ex, int64_t m, int64_t n, int64_t k,
                              size_t most)
{
    (void)ex, (void)m, (void)n, (void)k, (void)most;
    return 0;
}

gsvd_status_t X(gram_grid)(const exec_t *ex, mat_t A, mat_t C)
{
    const char lower = 'L', turned = PCTRANS;
    const int n = (int)A.cols, k = (int)A.rows;
    const real_t one = 1, zero = 0;

    (void)ex;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    DESCRIBED(A);
    DESCRIBED(C);
    SCALAPACK_(PHERK)
    (&lower, &turned, &n, &k, &one, P_(A), &zero, P_(C));
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
    GSVD_TRY(gsvd_grid_agree(refused(name, info)));
    /* single precision rounds a large number, perhaps down */
    *lwork = (int)(re(query) * (1 + 2 * (real_t)GSVD_ULP)) + 1;
    GSVD_TRY(
        gsvd_grid_room(ROOM_ENGINE, (size_t)*lwork * sizeof(scalar_t), &room));
    *work = room;
    return GSVD_SUCCESS;
}

gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    const int m = (int)A.rows, n = (int)A.cols;
    (void)ex;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    DESCRIBED(A);
    WITH_WORK("QR", SCALAPACK_(geqrf)(&m, &n, P_(A), tau, work, &lwork, &info));
    return GSVD_SUCCESS;
}

gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau)
{
    const int m = (int)A.rows, n = (int)A.cols, reflectors = (int)k;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (k == 0)
        return X(set_grid)(ex, A, 0, 1);
    DESCRIBED(A);
    WITH_WORK("Q", SCALAPACK_(PORGQR)(&m, &n, &reflectors, P_(A), tau, work,
                                      &lwork, &info));
    return GSVD_SUCCESS;
}

gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C)
{
    const char turned = engine_op(op);
    const int m = (int)C.rows, n = (int)C.cols, reflectors = (int)k;
    (void)ex;
    if (mat_empty(C) || k == 0)
        return GSVD_SUCCESS;
    DESCRIBED(A);
    DESCRIBED(C);
    WITH_WORK("product with Q",
              SCALAPACK_(PORMQR)(&side, &turned, &m, &n, &reflectors, P_(A),
                                 tau, P_(C), work, &lwork, &info, 1, 1));
    return GSVD_SUCCESS;
}

/* Q := the unitary factor of G = Q R, R with a nonnegative diagonal */
gsvd_status_t X(orthonormalize)(const exec_t *ex, mat_t G, mat_t Q,
                                scalar_t *tau)
{
    const int64_t r = G.cols;
    GSVD_TRY(X(geqrf)(ex, G, tau));
    GSVD_TRY(ex->op->copy(ex, G, mat_cols(Q, 0, r)));
    GSVD_TRY(X(ungqr)(ex, Q, r, tau));
    return ex->op->fix_phase(ex, G, mat_cols(Q, 0, r));
}

/* perm := the engine's, where each process has those of its columns, from 1 on */
static void collect_pivots(mat_t A, const int *pivots, int *perm)
{
    const part_t P = X(part_of)(A);
    for (int64_t j = 0; j < A.cols; ++j)
        perm[j] = 0;
    EACH_COLUMN(P, j)
    perm[j.at] = pivots[j.local] - 1;
    MPI_Allreduce(MPI_IN_PLACE, perm, (int)A.cols, MPI_INT, MPI_MAX,
                  gsvd_grid->comm);
}

/* The columns in LAPACK's order, by column norms.  It stops nowhere: *rank is where nothing is
 * left behind it. */
gsvd_status_t X(geqpf)(const exec_t *ex, mat_t A, gsvd_pivot_t how, real_t tol,
                       int *perm, scalar_t *tau, int64_t *rank)
{
    const int m = (int)A.rows, n = (int)A.cols;
    const int64_t all = min_i(A.rows, A.cols);
    const int64_t columns =
        A.j + A.cols; /* of the array, and no fewer than a process has    */
    scalar_t *d;
    void *room;

    (void)how;
    *rank = 0;
    if (mat_empty(A))
        return GSVD_SUCCESS;
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
    GSVD_TRY(X(diagonal_grid)(ex, A, &d));
    while (*rank < all && abs_of(d[*rank]) > tol)
        ++*rank;
    return GSVD_SUCCESS;
}

/* -- their work is ROOM_ENGINE's ---------------------------------------------------- */

size_t X(geqrf_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}
size_t X(ungqr_work_bytes)(const exec_t *ex, int64_t m, int64_t c, int64_t k)
{
    (void)ex, (void)m, (void)c, (void)k;
    return 0;
}
size_t X(unmqr_work_bytes)(const exec_t *ex, int64_t m, int64_t k,
                           int64_t across)
{
    (void)ex, (void)m, (void)k, (void)across;
    return 0;
}
size_t X(geqp_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}

/* No time is predicted. */
double X(geqrf_seconds)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}
double X(unmqr_seconds)(const exec_t *ex, int64_t m, int64_t k, int64_t across)
{
    (void)ex, (void)m, (void)k, (void)across;
    return 0;
}
