/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* processes_mpi.c [1] -- grids of MPI processes come and go; what they tell each other (messages.h) and their
 * memory. */
#define _DEFAULT_SOURCE /* madvise */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/large_memory.h"
#include "core/status.h"
#include "grid/grid.h"
#include "grid/messages.h"
#include "gsvd_build.h"

/* BLACS, by its C names */
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int *context, const char *order, int p, int q);
void Cblacs_gridinfo(int context, int *p, int *q, int *r, int *c);
void Cblacs_gridexit(int context);
void Cblacs_set(int context, int what, const int *value);
/* its numbers of settings: sums have the same bits each time, and on all processes */
enum { TOPS_REPEAT = 15, TOPS_COHERENT = 16 };
void Cigsum2d(int context, const char *scope, const char *top, int m, int n,
              int *a, int lda, int r, int c);
void Cigamn2d(int context, const char *scope, const char *top, int m, int n,
              int *a, int lda, int *ra, int *ca, int ldia, int r, int c);

/* -- grids ---------------------------------------------------------------------------- */

static gsvd_status_t is_running(char *error)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int on = 0, over = 0, length;

    MPI_Initialized(&on);
    MPI_Finalized(&over);
    if (on && !over)
        return GSVD_SUCCESS;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = 0;
    snprintf(error, GRID_ERROR,
             "MPI_Init has not been called, or MPI_Finalize has, in the MPI "
             "of " GSVD_GRID_LIBRARY ": %.100s",
             version);
    return GSVD_NOT_SUPPORTED;
}

/* Which one is this process, of those of its computer? */
static int rank_on_host(MPI_Comm comm)
{
    MPI_Comm host;
    int rank;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_free(&host);
    return rank;
}

/* Takes comm, whose process r q + c has row r and column c. */
static gsvd_status_t make(struct gsvd_grid **g, MPI_Comm comm, int p, int q,
                          char *error)
{
    grid_t *const made = calloc(1, sizeof *made);
    int all = made != NULL;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
    if (!all || !made) {
        free(made);
        MPI_Comm_free(&comm);
        return gsvd_grid_refuse(error, GSVD_OUT_OF_MEMORY,
                                "no memory for a grid");
    }
    made->door.module = &gsvd_grid_module;
    made->comm = comm;
    made->p = p;
    made->q = q;
    MPI_Comm_size(comm, &made->size);
    MPI_Comm_rank(comm, &made->rank);
    const int handle = Csys2blacs_handle(comm);
    made->context = handle;
    Cblacs_gridinit(&made->context, "Row", p, q);
    Cfree_blacs_system_handle(handle);
    Cblacs_gridinfo(made->context, &made->p, &made->q, &made->r, &made->c);
    Cblacs_set(made->context, TOPS_REPEAT, &(int){1});
    Cblacs_set(made->context, TOPS_COHERENT, &(int){1});
    made->device = GSVD_HOST;
    made->turn = rank_on_host(comm);
    *g = &made->door;
    return GSVD_SUCCESS;
}

/* *size := its processes.  MPI_Comm_size of what is none ends the program, unless that is forbidden. */
static int is_communicator(MPI_Comm comm, int *size)
{
    MPI_Errhandler before;

    if (!comm || comm == MPI_COMM_NULL) /* NULL: of Open MPI                  */
        return 0;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int is_one = MPI_Comm_size(comm, size) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&before);
    return is_one;
}

static gsvd_status_t from_mpi(struct gsvd_grid **g, int comm_f, int64_t p,
                              int64_t q, char order, char *error)
{
    MPI_Comm given, comm;
    int size, rank;

    GSVD_TRY(is_running(error));
    given = MPI_Comm_f2c(comm_f);
    if (!is_communicator(given, &size))
        return gsvd_grid_refuse(error, GSVD_INVALID_ARGUMENT,
                                "argument 2, comm: no communicator");
    MPI_Comm_rank(given, &rank);
    gsvd_status_t status =
        gsvd_grid_check_shape(p, q, (char)toupper(order), size, error);
    /* All have the same p, q and order, and all are legal. */
    int64_t least[] = {p, q, toupper(order), -(int64_t)status};
    int64_t most[] = {p, q, toupper(order), (int64_t)status};
    MPI_Allreduce(MPI_IN_PLACE, least, 4, MPI_INT64_T, MPI_MIN, given);
    MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_INT64_T, MPI_MAX, given);
    if (status == GSVD_SUCCESS &&
        (memcmp(least, most, 3 * sizeof *least) != 0 || most[3] != 0))
        status = gsvd_grid_refuse(
            error, GSVD_INVALID_ARGUMENT,
            "arguments 3 to 5, p, q and order: they differ between "
            "processes");
    if (status != GSVD_SUCCESS)
        return status;
    const int key =
        order == 'R' || order == 'r' ? rank : (int)(rank % p * q + rank / p);
    MPI_Comm_split(given, 0, key, &comm);
    return make(g, comm, (int)p, (int)q, error);
}

/* The processes of the context, row by row, as a communicator of their own */
static gsvd_status_t from_blacs(struct gsvd_grid **g, int context, char *error)
{
    int p, q, r, c;

    GSVD_TRY(is_running(error));
    Cblacs_gridinfo(context, &p, &q, &r, &c);
    if (p < 1 || q < 1 || r < 0 || c < 0)
        return gsvd_grid_refuse(
            error, GSVD_INVALID_ARGUMENT,
            "argument 2, context: this process is in no such grid of "
            "the BLACS that " GSVD_GRID_LIBRARY " uses");
    MPI_Group all, some;
    MPI_Comm comm = MPI_COMM_NULL;
    int *const ranks = malloc((size_t)p * (size_t)q * sizeof *ranks);
    int there = ranks != NULL;
    Cigamn2d(context, "All", " ", 1, 1, &there, 1, NULL, NULL, -1, -1, -1);
    if (!there || !ranks) {
        free(ranks);
        return gsvd_grid_refuse(error, GSVD_OUT_OF_MEMORY,
                                "no memory for a grid");
    }
    /* Each process tells the others its own number. */
    for (int k = 0; k < p * q; ++k)
        ranks[k] = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks[r * q + c]);
    Cigsum2d(context, "All", " ", p * q, 1, ranks, p * q, -1, -1);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, p * q, ranks, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 0, &comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    free(ranks);
    return make(g, comm, p, q, error);
}

static gsvd_status_t from_world(struct gsvd_grid **g, int64_t p, int64_t q,
                                int *rank, int *size, char *error)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    const gsvd_status_t status =
        from_mpi(g, MPI_Comm_c2f(MPI_COMM_WORLD), p, q, 'R', error);
    if (status == GSVD_SUCCESS)
        ((grid_t *)*g)->finalizes = 1;
    else
        MPI_Finalize();
    return status;
}

static void destroy(struct gsvd_grid *of)
{
    grid_t *const g = (grid_t *)of;
    int over = 0;
    gsvd_grid_leave_gpu(g);
    MPI_Finalized(&over);
    if (!over) {
        Cblacs_gridexit(g->context);
        MPI_Comm_free(&g->comm);
        if (g->finalizes)
            MPI_Finalize();
    }
    free(g);
}

void gsvd_grid_alone(grid_t *alone)
{
    const int handle = Csys2blacs_handle(MPI_COMM_SELF);

    *alone = (grid_t){.comm = MPI_COMM_SELF,
                      .context = handle,
                      .size = 1,
                      .p = 1,
                      .q = 1,
                      .device = GSVD_HOST};
    Cblacs_gridinit(&alone->context, "Row", 1, 1);
    Cfree_blacs_system_handle(handle);
}

void gsvd_grid_alone_ends(grid_t *alone)
{
    Cblacs_gridexit(alone->context);
    gsvd_grid_give_back(alone);
}

/* -- messages ----------------------------------------------------------------------------- */

void gsvd_grid_least(int n, int64_t *x)
{
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT64_T, MPI_MIN, gsvd_grid->comm);
}

void gsvd_grid_most(int n, int64_t *x)
{
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT64_T, MPI_MAX, gsvd_grid->comm);
}

void gsvd_grid_tell(int from, void *bytes, size_t count)
{
    MPI_Bcast(bytes, (int)count, MPI_CHAR, from, gsvd_grid->comm);
}

gsvd_status_t gsvd_grid_enter(const grid_call_t *call, char *text)
{
    (void)call;
    return is_running(text);
}

void gsvd_grid_leave(void) {}
gsvd_status_t gsvd_grid_at_end(gsvd_status_t status) { return status; }

/* MPI ends the program where a message fails. */
gsvd_status_t gsvd_grid_after_messages(gsvd_status_t status) { return status; }

/* -- memory ------------------------------------------------------------------------------- */

gsvd_status_t gsvd_grid_allocate(int which, size_t bytes, buffer_t *room)
{
    (void)which;
    *room = (buffer_t){large_memory(bytes), bytes};
    return room->data
               ? GSVD_SUCCESS
               : gsvd_grid_fail(GSVD_OUT_OF_MEMORY,
                                "no room for %zu bytes of host memory", bytes);
}

void gsvd_grid_release(int which, buffer_t *room)
{
    (void)which;
    free(room->data);
}

void *gsvd_grid_there(void *p) { return p; }

/* -- the module --------------------------------------------------------------------------- */

const grid_module_t gsvd_grid_module = {
    .build = GSVD_BUILD,
    .from_mpi = from_mpi,
    .from_blacs = from_blacs,
    .from_world = from_world,
    .destroy = destroy,
    .set_device = gsvd_grid_use_device,
    .agree = gsvd_grid_agree_on,
    .share = gsvd_grid_share,
    .run = gsvd_grid_run,
    .bytes = gsvd_grid_bytes_of,
};
