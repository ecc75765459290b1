/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tree.c -- see tree.h. */
#include "grid/tree.h"

#include "grid/mpi_types.h"

#include <string.h>

#include "core/lapack.h"

enum {
    BLOCK = 32, /* columns of a block of reflectors                           */
    TAG = 7
};

static real_t smaller(real_t x, real_t y) { return x < y ? x : y; }

static int64_t block_of(int64_t n) { return max_i(min_i(n, BLOCK), 1); }

/* How many triangles does this process merge with its own? */
static int merges_here(void)
{
    const grid_t *const g = gsvd_grid;
    int count = 0;

    for (int step = 1; step < g->size && !(g->rank & step); step *= 2)
        count += g->rank + step < g->size;
    return count;
}

/* The rows of this process's row of the grid that come before those of its process c */
static int64_t rows_before(int64_t rows, int c)
{
    return rows * c / gsvd_grid->q;
}

void X(branch_take)(arena_t *a, int64_t m, int64_t n, branch_t *b)
{
    const grid_t *const g = gsvd_grid;
    const int64_t all = share_of(m, g->block, g->r, g->p);

    b->n = n;
    b->here = rows_before(all, g->c + 1) - rows_before(all, g->c);
    b->ld = max_i(b->here, n);
    b->merges = merges_here();
    b->Q = gsvd_arena_take(a, b->ld * n, sizeof(scalar_t));
    b->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    b->R = gsvd_arena_take(a, n * n, sizeof(scalar_t));
    b->C = gsvd_arena_take(a, n * n, sizeof(scalar_t));
    b->F = gsvd_arena_take(a, b->ld * n, sizeof(scalar_t));
    b->V = gsvd_arena_take(a, b->merges * n * n, sizeof(scalar_t));
    b->T = gsvd_arena_take(a, b->merges * block_of(n) * n, sizeof(scalar_t));
    b->scale = gsvd_arena_take(a, n, sizeof(real_t));
}

/* What LAPACK takes, and a message of two branches */
size_t X(tree_work_bytes)(int64_t n)
{
    return (size_t)(64 * n + 65 * 64 + 2 * n * n + 4) * sizeof(scalar_t);
}

/* -- rows ------------------------------------------------------------------------- */

/* mine := the blocks here, by chunks of rows; or the other way round */
static void turn_blocks(mat_t blocks, scalar_t *mine, int back)
{
    const part_t P = X(part_of)(blocks);
    const int64_t rows = P.r1 - P.r0, cols = P.c1 - P.c0;

    for (int c = 0; c < gsvd_grid->q; ++c)
        for (int64_t j = 0; j < cols; ++j)
            for (int64_t i = rows_before(rows, c); i < rows_before(rows, c + 1);
                 ++i, ++mine) {
                scalar_t *const x = &P.data[P.r0 + i + (P.c0 + j) * P.ld];
                *(back ? x : mine) = *(back ? mine : x);
            }
}

/* at := what the chunks of all processes of the row make up; or the other way round */
static void turn_rows(const branch_t *b, scalar_t *at, int64_t n,
                      scalar_t *whole, int back)
{
    const grid_t *const g = gsvd_grid;

    for (int c = 0; c < g->q; ++c)
        for (int64_t l = 0; l < share_of(n, g->block, c, g->q); ++l) {
            const int64_t j =
                (l / g->block * g->q + c) * g->block + l % g->block;
            for (int64_t i = 0; i < b->here; ++i, ++whole) {
                scalar_t *const x = &at[i + j * b->ld];
                *(back ? whole : x) = *(back ? x : whole);
            }
        }
}

static gsvd_status_t exchange(const branch_t *b, MPI_Comm row, scalar_t *at,
                              int back)
{
    const grid_t *const g = gsvd_grid;
    const part_t P = X(part_of)(b->blocks);
    const int64_t rows = P.r1 - P.r0, cols = P.c1 - P.c0;
    const int q = g->q;
    void *room, *lists;

    GSVD_TRY(gsvd_grid_room(ROOM_MESSAGES,
                            (size_t)(rows * cols + b->here * b->blocks.cols) *
                                sizeof(scalar_t),
                            &room));
    GSVD_TRY(gsvd_grid_room(ROOM_LISTS, (size_t)(4 * q) * sizeof(int), &lists));
    scalar_t *const mine = room, *const whole = mine + rows * cols;
    int *const of_mine = lists, *const mine_at = of_mine + q,
               *const of_whole = mine_at + q, *const whole_at = of_whole + q;
    for (int c = 0; c < q; ++c) {
        of_mine[c] =
            (int)((rows_before(rows, c + 1) - rows_before(rows, c)) * cols);
        of_whole[c] = (int)(b->here * share_of(b->blocks.cols, g->block, c, q));
        mine_at[c] = c > 0 ? mine_at[c - 1] + of_mine[c - 1] : 0;
        whole_at[c] = c > 0 ? whole_at[c - 1] + of_whole[c - 1] : 0;
    }
    if (back) {
        turn_rows(b, at, b->blocks.cols, whole, 1);
        MPI_Alltoallv(whole, of_whole, whole_at, GRID_SCALAR, mine, of_mine,
                      mine_at, GRID_SCALAR, row);
        turn_blocks(b->blocks, mine, 1);
    } else {
        turn_blocks(b->blocks, mine, 0);
        MPI_Alltoallv(mine, of_mine, mine_at, GRID_SCALAR, whole, of_whole,
                      whole_at, GRID_SCALAR, row);
        turn_rows(b, at, b->blocks.cols, whole, 0);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(branch_rows)(branch_t *b, MPI_Comm row)
{
    memset(b->Q, 0, (size_t)(b->ld * b->n) * sizeof *b->Q);
    GSVD_TRY(exchange(b, row, b->Q, 0));
    for (int64_t j = 0; j < b->n; ++j)
        for (int64_t i = 0; i < b->here; ++i)
            b->Q[i + j * b->ld] = scale(b->scale[j], b->Q[i + j * b->ld]);
    b->least = GSVD_REAL_MAX;
    b->most = 0;
    for (int64_t i = 0; i < b->here; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < b->n; ++j)
            size = fmax_r(size, abs_max(b->Q[i + j * b->ld]));
        b->least = smaller(b->least, size);
        b->most = fmax_r(b->most, size);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(branch_blocks)(branch_t *b, MPI_Comm row)
{
    return exchange(b, row, b->F, 1);
}

/* -- up --------------------------------------------------------------------------- */

/* LAPACK calls it wrong if its arguments are. */
static gsvd_status_t checked(const char *name, int info)
{
    return info == 0 ? GSVD_SUCCESS
                     : gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                                      "LAPACK's %s returns %d", name, info);
}

static gsvd_status_t factor_rows(branch_t *b, scalar_t *work)
{
    const int rows = (int)b->ld, n = (int)b->n, lwork = 64 * n;
    int info;

    BLAS_(geqrf)(&rows, &n, b->Q, &rows, b->tau, work, &lwork, &info);
    memset(b->R, 0, (size_t)(b->n * b->n) * sizeof *b->R);
    for (int64_t j = 0; j < b->n; ++j)
        memcpy(&b->R[j * b->n], &b->Q[j * b->ld],
               (size_t)(j + 1) * sizeof *b->R);
    return checked("QR", info);
}

/* R := that of (R; V), whose lower triangle is left alone */
static gsvd_status_t merge(branch_t *b, int which, scalar_t *work)
{
    const int n = (int)b->n, nb = (int)block_of(n);
    scalar_t *const V = b->V + which * b->n * b->n, *const T = b->T + which *
                                                                          nb *
                                                                          b->n;
    int info;

    BLAS_(tpqrt)(&n, &n, &n, &nb, b->R, &n, V, &n, T, &nb, work, &info);
    return checked("QR of triangles", info);
}

/* message: R's triangle, and the sizes of rows; the next one's place */
static scalar_t *pack_triangle(const branch_t *b, scalar_t *message)
{
    *message++ = make(b->least, 0);
    *message++ = make(b->most, 0);
    for (int64_t j = 0; j < b->n; ++j, message += j)
        memcpy(message, &b->R[j * b->n], (size_t)(j + 1) * sizeof *message);
    return message;
}

static const scalar_t *unpack_triangle(branch_t *b, int which,
                                       const scalar_t *message)
{
    scalar_t *const V = b->V + which * b->n * b->n;

    b->least = smaller(b->least, re(*message++));
    b->most = fmax_r(b->most, re(*message++));
    memset(V, 0, (size_t)(b->n * b->n) * sizeof *V);
    for (int64_t j = 0; j < b->n; ++j, message += j)
        memcpy(&V[j * b->n], message, (size_t)(j + 1) * sizeof *V);
    return message;
}

/* Numbers of all triangles */
static int triangles(const branch_t *b, int count)
{
    return count * (int)(b->n * (b->n + 1) / 2 + 2);
}

gsvd_status_t X(tree_up)(branch_t *b, int count, void *work)
{
    const grid_t *const g = gsvd_grid;
    const int numbers = triangles(b, count);
    scalar_t *const message = work, *const rest = message + numbers;
    gsvd_status_t status = GSVD_SUCCESS;
    int merged = 0;

    for (int k = 0; k < count && status == GSVD_SUCCESS; ++k)
        status = factor_rows(&b[k], rest);
    for (int step = 1; step < g->size; step *= 2) {
        if (g->rank & step) {
            scalar_t *to = message;
            for (int k = 0; k < count; ++k)
                to = pack_triangle(&b[k], to);
            MPI_Send(message, numbers, GRID_SCALAR, g->rank - step, TAG,
                     g->comm);
            break;
        }
        if (g->rank + step >= g->size)
            continue;
        const scalar_t *from = message;
        MPI_Recv(message, numbers, GRID_SCALAR, g->rank + step, TAG, g->comm,
                 MPI_STATUS_IGNORE);
        for (int k = 0; k < count; ++k) {
            from = unpack_triangle(&b[k], merged, from);
            if (status == GSVD_SUCCESS)
                status = merge(&b[k], merged, rest);
        }
        ++merged;
    }
    return gsvd_grid_agree(status);
}

/* -- down ------------------------------------------------------------------------- */

/* (C; E) := the merge's Q times (C; 0) */
static gsvd_status_t unmerge(branch_t *b, int which, scalar_t *E,
                             scalar_t *work)
{
    const int n = (int)b->n, nb = (int)block_of(n);
    const char left = 'L', as_is = 'N';
    int info;

    memset(E, 0, (size_t)(b->n * b->n) * sizeof *E);
    BLAS_(tpmqrt)
    (&left, &as_is, &n, &n, &n, &n, &nb, b->V + which * b->n * b->n, &n,
     b->T + which * nb * b->n, &nb, b->C, &n, E, &n, work, &info, 1, 1);
    return checked("product with a merge's Q", info);
}

static gsvd_status_t form_rows(branch_t *b, scalar_t *work)
{
    const int rows = (int)b->ld, n = (int)b->n, lwork = 64 * n + 65 * 64;
    const char left = 'L', as_is = 'N';
    int info;

    memset(b->F, 0, (size_t)(b->ld * b->n) * sizeof *b->F);
    for (int64_t j = 0; j < b->n; ++j)
        memcpy(&b->F[j * b->ld], &b->C[j * b->n], (size_t)b->n * sizeof *b->F);
    BLAS_(ORMQR)
    (&left, &as_is, &rows, &n, &n, b->Q, &rows, b->tau, b->F, &rows, work,
     &lwork, &info, 1, 1);
    return checked("product with Q", info);
}

gsvd_status_t X(tree_down)(branch_t *b, int count, void *work)
{
    const grid_t *const g = gsvd_grid;
    const int64_t numbers = count > 0 ? count * b->n * b->n : 0;
    int merged = b->merges, top = 1;
    gsvd_status_t status = GSVD_SUCCESS;

    scalar_t *const message = work, *const rest = message + numbers;
    while (top < g->size && !(g->rank & top))
        top *= 2;
    if (g->rank > 0) {
        const scalar_t *from = message;
        MPI_Recv(message, (int)numbers, GRID_SCALAR, g->rank - top, TAG,
                 g->comm, MPI_STATUS_IGNORE);
        for (int k = 0; k < count; from += b[k].n * b[k].n, ++k)
            memcpy(b[k].C, from, (size_t)(b[k].n * b[k].n) * sizeof *message);
    }
    for (int step = top / 2; step >= 1; step /= 2) {
        if (g->rank + step >= g->size)
            continue;
        scalar_t *to = message;
        --merged;
        for (int k = 0; k < count; to += b[k].n * b[k].n, ++k)
            if (status == GSVD_SUCCESS)
                status = unmerge(&b[k], merged, to, rest);
        MPI_Send(message, (int)numbers, GRID_SCALAR, g->rank + step, TAG,
                 g->comm);
    }
    for (int k = 0; k < count && status == GSVD_SUCCESS; ++k)
        status = form_rows(&b[k], rest);
    return gsvd_grid_agree(status);
}
