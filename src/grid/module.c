/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* module.c [1] -- what the module offers: grids come and go; the arguments of a call are the same on
 * all processes, and legal on each, before anything is computed. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "grid/grid.h"
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

static gsvd_status_t fail(char *error, gsvd_status_t status, const char *text)
{
    snprintf(error, GRID_ERROR, "%s", text);
    return status;
}

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
             "MPI_Init has not been called, or MPI_Finalize has, in the MPI of "
             "libgsvd-openmpi: %.100s",
             version);
    return GSVD_NOT_SUPPORTED;
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
        return fail(error, GSVD_OUT_OF_MEMORY, "no memory for a grid");
    }
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
    *g = &made->door;
    return GSVD_SUCCESS;
}

static gsvd_status_t check_shape(int64_t p, int64_t q, char order, int size,
                                 char *error)
{
    if (order != 'R' && order != 'C')
        return fail(error, GSVD_INVALID_ARGUMENT,
                    "argument 5, order: none of 'R', 'C'");
    if (p >= 1 && q >= 1 && p <= size && q <= size && p * q == size)
        return GSVD_SUCCESS;
    snprintf(error, GRID_ERROR,
             "arguments 3 and 4, p and q: %lld x %lld is not the number of "
             "processes, %d",
             (long long)p, (long long)q, size);
    return GSVD_INVALID_ARGUMENT;
}

static gsvd_status_t from_mpi(struct gsvd_grid **g, int comm_f, int64_t p,
                              int64_t q, char order, char *error)
{
    MPI_Comm given, comm;
    int size, rank;

    GSVD_TRY(is_running(error));
    given = MPI_Comm_f2c(comm_f);
    if (!given || given == MPI_COMM_NULL) /* NULL: never a communicator     */
        return fail(error, GSVD_INVALID_ARGUMENT,
                    "argument 2, comm: no communicator");
    MPI_Comm_size(given, &size);
    MPI_Comm_rank(given, &rank);
    gsvd_status_t status = check_shape(p, q, (char)toupper(order), size, error);
    /* All have the same p, q and order, and all are legal. */
    int64_t least[] = {p, q, toupper(order), -(int64_t)status};
    int64_t most[] = {p, q, toupper(order), (int64_t)status};
    MPI_Allreduce(MPI_IN_PLACE, least, 4, MPI_INT64_T, MPI_MIN, given);
    MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_INT64_T, MPI_MAX, given);
    if (status == GSVD_SUCCESS &&
        (memcmp(least, most, 3 * sizeof *least) != 0 || most[3] != 0))
        status = fail(error, GSVD_INVALID_ARGUMENT,
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
        return fail(error, GSVD_INVALID_ARGUMENT,
                    "argument 2, context: this process is in no such grid of "
                    "the BLACS that libgsvd-openmpi uses");
    MPI_Group all, some;
    MPI_Comm comm = MPI_COMM_NULL;
    int *const ranks = malloc((size_t)p * (size_t)q * sizeof *ranks);
    int there = ranks != NULL;
    Cigamn2d(context, "All", " ", 1, 1, &there, 1, NULL, NULL, -1, -1, -1);
    if (!there || !ranks) {
        free(ranks);
        return fail(error, GSVD_OUT_OF_MEMORY, "no memory for a grid");
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

static void destroy(struct gsvd_grid *of)
{
    grid_t *const g = (grid_t *)of;
    int over = 0;
    MPI_Finalized(&over);
    if (!over) {
        Cblacs_gridexit(g->context);
        MPI_Comm_free(&g->comm);
    }
    free(g);
}

/* -- arguments ------------------------------------------------------------------------- */

/* What is the same on all processes, with its number and name */
enum { NUMBERS = 5 + 3 * 8 };
typedef struct shared {
    int64_t value[NUMBERS];
    int number[NUMBERS];
    const char *name[NUMBERS];
    int count;
} shared_t;

static void share(shared_t *s, int number, const char *name, int64_t value)
{
    s->number[s->count] = number;
    s->name[s->count] = name;
    s->value[s->count++] = value;
}

static void share_desc(shared_t *s, int number, const char *name,
                       const gsvd_grid_desc_t *d)
{
    static const gsvd_grid_desc_t none;
    const gsvd_grid_desc_t *const x = d ? d : &none;
    const int64_t of[] = {x->m,    x->n,    x->mb, x->nb,
                          x->rsrc, x->csrc, x->i,  x->j};
    for (int k = 0; k < 8; ++k)
        share(s, number, name, of[k]);
}

static gsvd_status_t illegal(int number, const char *name, const char *reason,
                             int *info)
{
    *info = -number;
    return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument %d, %s: %s", number,
                          name, reason);
}

static gsvd_status_t check_shared(const grid_call_t *c, int wants_u,
                                  int wants_v, int *info)
{
    shared_t s = {.count = 0};
    int64_t least[NUMBERS], most[NUMBERS];

    share(&s, 0, "the type of the call", (int64_t)c->type);
    share(&s, 1, "jobu", c->jobu);
    share(&s, 2, "jobv", c->jobv);
    share(&s, 3, "m", c->m);
    share(&s, 4, "n", c->n);
    share_desc(&s, 6, "descA", c->descA);
    share_desc(&s, 9, "descU", wants_u ? c->descU : NULL);
    share_desc(&s, 11, "descV", wants_v ? c->descV : NULL);
    MPI_Allreduce(s.value, least, s.count, MPI_INT64_T, MPI_MIN,
                  gsvd_grid->comm);
    MPI_Allreduce(s.value, most, s.count, MPI_INT64_T, MPI_MAX,
                  gsvd_grid->comm);
    for (int k = 0; k < s.count; ++k)
        if (least[k] != most[k])
            return illegal(s.number[k], s.name[k],
                           "not the same on all processes", info);
    return GSVD_SUCCESS;
}

/* An array and its descriptor, whose number is the next one; NULL: they are legal. */
static const char *array_fault(const void *data, const gsvd_grid_desc_t *d,
                               int64_t rows, int64_t cols, int *of_desc)
{
    const grid_t *const g = gsvd_grid;
    *of_desc = 1;
    if (!d)
        return "NULL";
    if (d->mb < 1 || d->nb < 1)
        return "mb or nb: less than 1";
    if (d->rsrc < 0 || d->rsrc >= g->p || d->csrc < 0 || d->csrc >= g->q)
        return "rsrc or csrc: not in the grid";
    if (d->m < 0 || d->n < 0 || d->i < 0 || d->j < 0 || d->i > d->m - rows ||
        d->j > d->n - cols)
        return "the array does not hold the matrix";
    const int r = (g->r + g->p - (int)d->rsrc) % g->p;
    const int c = (g->c + g->q - (int)d->csrc) % g->q;
    const int64_t here = share_of(d->m, d->mb, r, g->p);
    if (d->lld < (here > 1 ? here : 1))
        return "lld: less than max(1, rows on this process)";
    *of_desc = 0;
    return !data && rows > 0 && cols > 0 && here > 0 &&
                   share_of(d->n, d->nb, c, g->q) > 0
               ? "NULL"
               : NULL;
}

static gsvd_status_t check_array(int number, const char *name, const void *data,
                                 const gsvd_grid_desc_t *d, int64_t rows,
                                 int64_t cols, int *info)
{
    char desc[8];
    int of_desc;
    const char *const fault = array_fault(data, d, rows, cols, &of_desc);

    snprintf(desc, sizeof desc, "desc%s", name);
    return !fault    ? GSVD_SUCCESS
           : of_desc ? illegal(number + 1, desc, fault, info)
                     : illegal(number, name, fault, info);
}

static int is_one_of(const char *letters, char job)
{
    return job && strchr(letters, job);
}

static gsvd_status_t check(const grid_call_t *c, int *info)
{
    const int64_t m = c->m, n = c->n, least = m < n ? m : n;
    const int64_t of_u = c->jobu == 'U' ? m : c->jobu == 'S' ? least : 0;
    const int64_t of_v = c->jobv == 'V' ? n : c->jobv == 'S' ? least : 0;

    if (!is_one_of("USN", c->jobu))
        return illegal(1, "jobu", "none of 'U', 'S', 'N'", info);
    if (!is_one_of("VSN", c->jobv))
        return illegal(2, "jobv", "none of 'V', 'S', 'N'", info);
    if (m < 0)
        return illegal(3, "m", "negative", info);
    if (n < 0)
        return illegal(4, "n", "negative", info);
    GSVD_TRY(check_array(5, "A", c->A, c->descA, m, n, info));
    if (!c->sigma && least > 0)
        return illegal(7, "sigma", "NULL", info);
    if (c->jobu != 'N')
        GSVD_TRY(check_array(8, "U", c->U, c->descU, m, of_u, info));
    if (c->jobv != 'N')
        GSVD_TRY(check_array(10, "V", c->V, c->descV, n, of_v, info));
    return GSVD_SUCCESS;
}

/* *info is the same on all processes: that of the first one with an error, as the text is. */
static gsvd_status_t check_all(const grid_call_t *c, int *info)
{
    GSVD_TRY(check_shared(c, c->jobu != 'N', c->jobv != 'N', info));
    const gsvd_status_t status = gsvd_grid_agree(check(c, info));
    int first[2] = {*info < 0 ? gsvd_grid->rank : gsvd_grid->size, *info};
    MPI_Allreduce(MPI_IN_PLACE, first, 1, MPI_2INT, MPI_MINLOC,
                  gsvd_grid->comm);
    *info = first[1];
    return status;
}

/* -- the call -------------------------------------------------------------------------- */

typedef gsvd_status_t svd_op(const grid_call_t *call);
svd_op sgsvd_grid_run_svd, dgsvd_grid_run_svd, cgsvd_grid_run_svd,
    zgsvd_grid_run_svd;

static svd_op *of_type(gsvd_type_t type)
{
    switch (type) {
#if GSVD_HAVE_S
    case GSVD_S: return sgsvd_grid_run_svd;
#endif
#if GSVD_HAVE_D
    case GSVD_D: return dgsvd_grid_run_svd;
#endif
#if GSVD_HAVE_C
    case GSVD_C: return cgsvd_grid_run_svd;
#endif
#if GSVD_HAVE_Z
    case GSVD_Z: return zgsvd_grid_run_svd;
#endif
    default: return NULL;
    }
}

static void give_back(grid_t *g)
{
    for (int k = 0; k < ROOMS; ++k) {
        free(g->room[k].data);
        g->room[k] = (buffer_t){0};
    }
}

static gsvd_status_t svd(struct gsvd_grid *of, const grid_call_t *given)
{
    grid_t *const g = (grid_t *)of;
    grid_call_t call = *given;
    int info = 0;
    gsvd_status_t status;

    call.jobu = (char)toupper(call.jobu);
    call.jobv = (char)toupper(call.jobv);
    gsvd_grid = g;
    of->error[0] = 0;
    status = is_running(of->error);
    if (status == GSVD_SUCCESS)
        status = check_all(&call, &info);
    if (status != GSVD_SUCCESS) {
        if (call.info)
            *call.info = info;
        status = gsvd_report(status, call.info);
    } else {
        status = of_type(call.type)(&call);
        give_back(g);
    }
    gsvd_grid = NULL;
    return status;
}

const grid_module_t gsvd_grid_module = {
    .build = GSVD_BUILD,
    .from_mpi = from_mpi,
    .from_blacs = from_blacs,
    .destroy = destroy,
    .svd = svd,
};
