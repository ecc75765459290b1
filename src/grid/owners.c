/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* owners.c -- bands by owners: each band that fits a process goes there, all rows of its columns, and
 * comes back orthogonal; so does the factor beside it.
 *
 * However many bands there are, that is an all-to-all of each matrix each way for as many of them as the
 * memory for eigenvectors holds.  The owner runs the text that a grid runs, on a grid of itself alone; or
 * for a wide band libgsvd does, on a GPU.  Which of both it is, and why, no other process asks.
 */
#include <string.h>

#include "grid/backend.h"
#include "grid/mpi_types.h"
#include "jacobi/steps.h"

enum {
    NARROW = 96, /* columns, of a band that is not worth a message for each  */
    NOBODY = -1
};

typedef struct owners {
    int count;
    band_t *band;
    int *owner;             /* of each band                                  */
    int64_t *cols, *widest; /* of each process: its columns, a band's        */
    int *here, *here_at;    /* for each process: entries of the parts here,  */
    int *whole, *whole_at;  /* and of the whole columns                      */
} owners_t;

static void take_lists(arena_t *a, int count, int size, owners_t *o)
{
    o->owner = gsvd_arena_take(a, count, sizeof(int));
    o->cols = gsvd_arena_take(a, size, sizeof(int64_t));
    o->widest = gsvd_arena_take(a, size, sizeof(int64_t));
    o->here = gsvd_arena_take(a, size, sizeof(int));
    o->here_at = gsvd_arena_take(a, size, sizeof(int));
    o->whole = gsvd_arena_take(a, size, sizeof(int));
    o->whole_at = gsvd_arena_take(a, size, sizeof(int));
}

/* -- at the owner ----------------------------------------------------------------- */

/* What it has, and what it takes for one of the bands */
typedef struct home {
    scalar_t *L, *F;
    buffer_t work;
} home_t;

/* F goes through the work in pieces, of no more than L's rows. */
static task_t task_of(mat_t L)
{
    const task_t t = {.A = L, .how = AIM_LENGTHS};
    return t;
}

static void take_home(const exec_t *ex, arena_t *a, int64_t rows,
                      int64_t rows_of_f, int64_t cols, int64_t widest,
                      home_t *h)
{
    const task_t t = task_of(mat_of_size(rows, widest));
    h->L = gsvd_arena_take(a, rows * cols, sizeof(scalar_t));
    h->F = gsvd_arena_take(a, rows_of_f * cols, sizeof(scalar_t));
    h->work = gsvd_arena_buffer(a, X(steps_bytes)(ex, &t, 0));
}

static int64_t least_on_gpu(const exec_t *ex, const grid_t *g)
{
    return g->gpu && g->gpu->least > 0 ? g->gpu->least : ex->tune->band_on_gpu;
}

/* g->handle := that of the process's GPU.  Is there one? */
static int has_gpu(grid_t *g)
{
    if (g->device != GSVD_HOST && !g->handle &&
        g->gpu->create(&g->handle, g->device, g->turn) != GSVD_SUCCESS) {
        g->handle = NULL;
        g->device = GSVD_HOST; /* It is not asked for again.                 */
    }
    return g->device != GSVD_HOST;
}

/* to := from, rows x cols; either may be NULL without rows. */
static void copy_columns(const scalar_t *from, int64_t ld_from, int64_t rows,
                         int64_t cols, scalar_t *to, int64_t ld_to)
{
    for (int64_t j = 0; j < cols && rows > 0; ++j)
        memcpy(&to[j * ld_to], &from[j * ld_from], (size_t)rows * sizeof *to);
}

/* Is the band solved?  L and F are all here.  The GPU gets copies, since they are lost if it fails.  What has
 * failed for another reason than memory is not asked again. */
static int solve_on_gpu(const exec_t *ex, grid_t *g, mat_t L, mat_t F,
                        buffer_t room)
{
    const int64_t n = L.cols, rows_of_f = F.data ? F.rows : 0;
    arena_t a = gsvd_arena_over(room.data, room.bytes);
    scalar_t *const l = gsvd_arena_take(&a, L.rows * n, sizeof *l);
    scalar_t *const f = gsvd_arena_take(&a, rows_of_f * n, sizeof *f);

    if (n < least_on_gpu(ex, g) || a.full || !has_gpu(g))
        return 0;
    copy_columns(L.data, L.ld, L.rows, n, l, L.rows);
    copy_columns(F.data, F.ld, rows_of_f, n, f, rows_of_f);
    const gsvd_status_t status =
        g->gpu->solve(g->handle, GRID_TYPE, L.rows, n, rows_of_f, l, f);
    if (status == GSVD_SUCCESS) {
        copy_columns(l, L.rows, L.rows, n, L.data, L.ld);
        copy_columns(f, rows_of_f, rows_of_f, n, F.data, F.ld);
        ++g->door.on_gpu;
    } else if (status != GSVD_OUT_OF_MEMORY) {
        gsvd_grid_leave_gpu(g);
        g->device = GSVD_HOST;
    }
    return status == GSVD_SUCCESS;
}

static gsvd_status_t solve(const exec_t *ex, const steps_t *s, mat_t F,
                           const owners_t *o, grid_t *whole, const home_t *h)
{
    const mat_t none = {.data = NULL};
    const int me = whole->rank;
    int64_t at = 0;

    for (int k = 0; k < o->count; ++k) {
        const int64_t cols = o->band[k].end - o->band[k].begin;
        if (o->owner[k] != me)
            continue;
        const mat_t L =
            mat_view(h->L + at * s->L.rows, s->L.rows, cols, s->L.rows);
        const task_t t = task_of(L);
        steps_t own = {.L = L,
                       .diagonalize = s->diagonalize,
                       .D = none,
                       .aim = s->aim,
                       .tol = s->tol,
                       .d = s->d + o->band[k].begin};
        exec_t in = *ex;
        steps_work_t w;

        if (F.data)
            own.D = mat_view(h->F + at * F.rows, F.rows, cols, F.rows);
        at += cols;
        if (solve_on_gpu(ex, whole, L, own.D, h->work))
            continue;
        in.work = gsvd_arena_over(h->work.data, h->work.bytes);
        X(steps_carve)(&in.work, none, &t, 0, &w);
        GSVD_TRY(X(work_suffices)(&in));
        GSVD_TRY(s->diagonalize(&in, &own, 0, cols, &w));
    }
    return GSVD_SUCCESS;
}

/* -- who has which ------------------------------------------------------------------ */

static int fits(const exec_t *ex, const steps_t *s, mat_t F, int64_t cols,
                int64_t widest, size_t room)
{
    arena_t count = {0};
    home_t h;
    take_home(ex, &count, s->L.rows, F.rows, cols, widest, &h);
    return !count.full && gsvd_arena_bytes(&count) <= room &&
           max_i(s->L.rows, F.rows) * cols <= MOVED_AT_ONCE;
}

/* The widest band that is neither done nor given away, and that a process may have; or -1 */
static int next_band(const owners_t *o, int64_t most)
{
    int next = -1;
    int64_t widest = 1;

    for (int k = 0; k < o->count; ++k) {
        const int64_t cols = o->band[k].end - o->band[k].begin;
        if (o->owner[k] == NOBODY && cols > widest && cols <= most) {
            next = k;
            widest = cols;
        }
    }
    return next;
}

/* Widest first, each to the process with the fewest columns, until that one has no room; all agree.
 * Called on the grid of one process. */
static int give_away(const exec_t *ex, const steps_t *s, mat_t F, int64_t most,
                     size_t room, int size, owners_t *o)
{
    int given = 0;

    for (int k = 0; k < o->count; ++k)
        o->owner[k] = NOBODY;
    for (int i = 0; i < size; ++i)
        o->cols[i] = o->widest[i] = 0;
    for (int k; (k = next_band(o, most)) >= 0;) {
        const int64_t cols = o->band[k].end - o->band[k].begin;
        int to = 0;
        for (int i = 1; i < size; ++i)
            to = o->cols[i] < o->cols[to] ? i : to;
        const int64_t widest = max_i(o->widest[to], cols);
        if (fits(ex, s, F, o->cols[to] + cols, widest, room)) {
            ++given;
            o->owner[k] = to;
            o->cols[to] += cols;
            o->widest[to] = widest;
        } else if (o->cols[to] > 0)
            break;
        else
            most = cols - 1; /* It is too wide.                              */
    }
    return given;
}

/* -- messages ------------------------------------------------------------------------ */

/* Does process c of a row of the grid have column j of M?  *local: where */
static int has_column(mat_t M, int64_t j, int c, int64_t *local)
{
    const int64_t b = gsvd_grid->block, at = M.j + j, turn = at / b;
    *local = turn / gsvd_grid->q * b + at % b;
    return turn % gsvd_grid->q == c;
}

/* The columns of M that process c of a row has of what belongs to this owner */
static int64_t columns_of(const owners_t *o, mat_t M, int owner, int c)
{
    int64_t count = 0, local;
    for (int k = 0; k < o->count; ++k)
        for (int64_t j = o->band[k].begin;
             o->owner[k] == owner && j < o->band[k].end; ++j)
            count += has_column(M, j, c, &local);
    return count;
}

static void count_entries(mat_t M, owners_t *o)
{
    const grid_t *const g = gsvd_grid;
    const int64_t rows = end_row(M, g->r) - first_row(M, g->r);

    for (int k = 0; k < g->size; ++k) {
        const int r = k / g->q, c = k % g->q;
        o->here[k] = (int)(rows * columns_of(o, M, k, g->c));
        o->whole[k] = (int)((end_row(M, r) - first_row(M, r)) *
                            columns_of(o, M, g->rank, c));
        o->here_at[k] = k > 0 ? o->here_at[k - 1] + o->here[k - 1] : 0;
        o->whole_at[k] = k > 0 ? o->whole_at[k - 1] + o->whole[k - 1] : 0;
    }
}

/* message := the parts here, by owners; or the other way round */
static void turn_parts(const owners_t *o, mat_t M, scalar_t *message, int back)
{
    const part_t P = X(part_of)(M);
    const int64_t rows = P.r1 - P.r0;
    int64_t local;

    for (int owner = 0; owner < gsvd_grid->size; ++owner)
        for (int k = 0; k < o->count; ++k)
            for (int64_t j = o->band[k].begin;
                 o->owner[k] == owner && j < o->band[k].end; ++j) {
                if (!has_column(M, j, gsvd_grid->c, &local))
                    continue;
                scalar_t *const x = &P.data[P.r0 + local * P.ld];
                memcpy(back ? x : message, back ? message : x,
                       (size_t)rows * sizeof *x);
                message += rows;
            }
}

/* whole := the columns that this process owns, of the messages of all; or the other way round */
static void turn_whole(const owners_t *o, mat_t M, scalar_t *whole,
                       scalar_t *message, int back)
{
    const grid_t *const g = gsvd_grid;
    int64_t local;

    for (int from = 0; from < g->size; ++from) {
        const int r = from / g->q, c = from % g->q;
        scalar_t *column = whole;
        for (int k = 0; k < o->count; ++k)
            for (int64_t j = o->band[k].begin;
                 o->owner[k] == g->rank && j < o->band[k].end;
                 ++j, column += M.rows) {
                walk_t i =
                    walk_from(first_row(M, r), end_row(M, r), M.i, r, g->p);
                for (; has_column(M, j, c, &local) && i.local < i.end;
                     walk_on(&i), ++message)
                    *(back ? message : &column[i.at]) =
                        *(back ? &column[i.at] : message);
            }
    }
}

/* M's columns go to their owners, or come back. */
static gsvd_status_t exchange(owners_t *o, mat_t M, scalar_t *whole, int back)
{
    const int last = gsvd_grid->size - 1;
    void *room;

    if (!M.data)
        return GSVD_SUCCESS;
    count_entries(M, o);
    const int64_t parts = o->here_at[last] + o->here[last],
                  all = o->whole_at[last] + o->whole[last];
    GSVD_TRY(gsvd_grid_room(ROOM_MESSAGES,
                            (size_t)(parts + all) * sizeof(scalar_t), &room));
    scalar_t *const of_parts = room, *const of_whole = of_parts + parts;
    if (back) {
        turn_whole(o, M, whole, of_whole, 1);
        MPI_Alltoallv(of_whole, o->whole, o->whole_at, GRID_SCALAR, of_parts,
                      o->here, o->here_at, GRID_SCALAR, gsvd_grid->comm);
        turn_parts(o, M, of_parts, 1);
    } else {
        turn_parts(o, M, of_parts, 0);
        MPI_Alltoallv(of_parts, o->here, o->here_at, GRID_SCALAR, of_whole,
                      o->whole, o->whole_at, GRID_SCALAR, gsvd_grid->comm);
        turn_whole(o, M, whole, of_whole, 0);
    }
    return GSVD_SUCCESS;
}

/* -- all of it ------------------------------------------------------------------------- */

/* Bands that have an owner */
static gsvd_status_t by_owners(const exec_t *ex, const steps_t *s, mat_t F,
                               owners_t *o, buffer_t room, grid_t *alone)
{
    grid_t *const whole = gsvd_grid;
    arena_t memory = gsvd_arena_over(room.data, room.bytes);
    home_t h;

    gsvd_grid = alone;
    take_home(ex, &memory, s->L.rows, F.rows, o->cols[whole->rank],
              o->widest[whole->rank], &h);
    gsvd_grid = whole;
    GSVD_TRY(exchange(o, s->L, h.L, 0));
    GSVD_TRY(exchange(o, F, h.F, 0));
    gsvd_grid = alone;
    const gsvd_status_t status = solve(ex, s, F, o, whole, &h);
    gsvd_grid = whole;
    if (status != GSVD_SUCCESS)
        (void)gsvd_grid_fail(status, "%.200s", alone->door.error);
    GSVD_TRY(gsvd_grid_agree(status));
    GSVD_TRY(exchange(o, s->L, h.L, 1));
    return exchange(o, F, h.F, 1);
}

/* As long as a process is given a band */
static gsvd_status_t in_turns(const exec_t *ex, steps_t *s, mat_t F,
                              int64_t most, owners_t *o, buffer_t room,
                              grid_t *alone)
{
    grid_t *const whole = gsvd_grid;
    int64_t least = (int64_t)room.bytes;

    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT64_T, MPI_MIN, whole->comm);
    for (;;) {
        gsvd_grid = alone;
        const int given =
            give_away(ex, s, F, most, (size_t)least, whole->size, o);
        gsvd_grid = whole;
        if (!given)
            return GSVD_SUCCESS;
        GSVD_TRY(by_owners(ex, s, F, o, room, alone));
        s->identity = s->identity && s->exchanged;
        s->sorted = s->sorted && s->exchanged;
        for (int k = 0; k < o->count; ++k)
            if (o->owner[k] != NOBODY)
                o->band[k].end = o->band[k].begin;
    }
}

/* Columns of a matrix that is all here */
static mat_t all_here(mat_t M, int64_t begin, int64_t end)
{
    const mat_t columns = mat_cols(M, begin, end - begin);
    const part_t P = X(part_of)(columns);
    return mat_view(&P.data[P.r0 + P.c0 * P.ld], M.rows, end - begin, P.ld);
}

/* The bands of a process that is alone, for its GPU */
static void where_they_are(const exec_t *ex, steps_t *s, mat_t F, int count,
                           band_t *band, buffer_t room)
{
    for (band_t *b = band; b < band + count; ++b) {
        const mat_t L = all_here(s->L, b->begin, b->end);
        const mat_t beside = F.data ? all_here(F, b->begin, b->end) : F;
        if (solve_on_gpu(ex, gsvd_grid, L, beside, room)) {
            s->identity = s->identity && s->exchanged;
            s->sorted = s->sorted && s->exchanged;
            b->end = b->begin;
        }
    }
}

gsvd_status_t X(diagonalize_by_owners)(const exec_t *ex, steps_t *s, int count,
                                       band_t *band, const steps_work_t *w)
{
    const mat_t none = {.data = NULL}, beside = s->exchanged ? s->E : s->D,
                F = beside.data && beside.rows > 0 ? beside : none;
    const int size = gsvd_grid->size;
    const int64_t most = max_i(s->L.cols / size, NARROW);
    const buffer_t memory = s->E.data ? w->eigen : w->eigen_with_e;
    owners_t o = {.count = count, .band = band};
    arena_t lists = {0};
    grid_t alone;
    void *room;

    if (count == 0)
        return GSVD_SUCCESS;
    if (size == 1) {
        where_they_are(ex, s, F, count, band, memory);
        return GSVD_SUCCESS;
    }
    take_lists(&lists, count, size, &o);
    const size_t bytes = gsvd_arena_bytes(&lists);
    GSVD_TRY(gsvd_grid_room(ROOM_LISTS, bytes, &room));
    lists = gsvd_arena_over(room, bytes);
    take_lists(&lists, count, size, &o);
    gsvd_grid_alone(&alone);
    alone.block = gsvd_grid->block;
    const gsvd_status_t status = in_turns(ex, s, F, most, &o, memory, &alone);
    gsvd_grid_alone_ends(&alone);
    return status;
}
