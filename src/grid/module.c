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
    made->device = GSVD_HOST;
    made->turn = rank_on_host(comm);
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
        return fail(error, GSVD_INVALID_ARGUMENT,
                    "argument 2, comm: no communicator");
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
                    "the BLACS that " GSVD_GRID_LIBRARY " uses");
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

void gsvd_grid_leave_gpu(grid_t *g)
{
    if (g->handle)
        (void)g->gpu->destroy(g->handle);
    g->handle = NULL;
}

static void set_device(struct gsvd_grid *of, int device, const grid_gpu_t *gpu)
{
    grid_t *const g = (grid_t *)of;
    gsvd_grid_leave_gpu(g);
    g->device = device;
    g->gpu = gpu;
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

static gsvd_status_t agree(struct gsvd_grid *g, gsvd_status_t mine, char *text)
{
    gsvd_grid = (grid_t *)g;
    (void)gsvd_grid_fail(mine, "%s", text);
    const gsvd_status_t status = gsvd_grid_agree(mine);
    snprintf(text, GRID_ERROR, "%s", g->error);
    gsvd_grid = NULL;
    return status;
}

static void share_bytes(struct gsvd_grid *g, void *bytes, size_t count)
{
    MPI_Bcast(bytes, (int)count, MPI_CHAR, 0, ((grid_t *)g)->comm);
}

static void give_back(grid_t *g)
{
    for (int k = 0; k < ROOMS; ++k) {
        free(g->room[k].data);
        g->room[k] = (buffer_t){0};
    }
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
    give_back(alone);
}

/* -- arguments ------------------------------------------------------------------------- */

/* What is the same on all processes, with its number and name */
enum { NUMBERS = 11 + GRID_ARRAYS * 8 };
typedef struct shared {
    int64_t value[NUMBERS];
    int number[NUMBERS];
    const char *name[NUMBERS];
    int count;
} shared_t;

/* A routine's arguments, as their numbers and names have it.  number: 0 where there is none; a
 * descriptor follows its array, jobs are 1, 2, ... and sizes follow them */
typedef struct routine {
    const char *letters[3]; /* of jobs                                       */
    const char *job_name[3], *name_of_alpha;
    int jobs, sizes;
    int number[GRID_ARRAYS];
    int alpha, beta, tau, jpvt, tol, rank, J;
} routine_t;

static const routine_t routine[GRID_ROUTINES] = {
    [GRID_SVD] = {.letters = {"USN", "VSN"},
                  .job_name = {"jobu", "jobv"},
                  .jobs = 2,
                  .sizes = 2,
                  .number = {[GRID_A] = 5, [GRID_U] = 8, [GRID_V] = 10},
                  .alpha = 7,
                  .name_of_alpha = "sigma"},
    [GRID_PAIR] = {.letters = {"USN", "VSN", "XN"},
                   .job_name = {"jobu", "jobv", "jobx"},
                   .jobs = 3,
                   .sizes = 3,
                   .number = {[GRID_A] = 9,
                              [GRID_B] = 11,
                              [GRID_U] = 15,
                              [GRID_V] = 17,
                              [GRID_X] = 19},
                   .alpha = 13,
                   .beta = 14,
                   .name_of_alpha = "alpha"},
    [GRID_QR] = {.sizes = 2, .number = {[GRID_A] = 3}},
    [GRID_GEQP] = {.sizes = 2,
                   .number = {[GRID_A] = 3},
                   .jpvt = 5,
                   .tau = 6,
                   .tol = 7,
                   .rank = 8},
    [GRID_HSVD] = {.letters = {"USN", "VN"},
                   .job_name = {"jobu", "jobv"},
                   .jobs = 2,
                   .sizes = 3,
                   .number = {[GRID_A] = 6, [GRID_U] = 10, [GRID_V] = 12},
                   .J = 8,
                   .alpha = 9,
                   .name_of_alpha = "sigma"},
    [GRID_EIGH] = {.letters = {"VN", "UL"},
                   .job_name = {"jobz", "uplo"},
                   .jobs = 2,
                   .sizes = 1,
                   .number = {[GRID_A] = 4, [GRID_U] = 7},
                   .alpha = 6,
                   .name_of_alpha = "w"},
};
static const char *const array_name[] = {"A", "B", "U", "V", "X", "Q"};
static const char *const desc_name[] = {"descA", "descB", "descU",
                                        "descV", "descX", "descQ"};

/* Where its names stand */
static int name_of(const grid_call_t *c, int array)
{
    return c->routine == GRID_EIGH && array == GRID_U ? GRID_ARRAYS : array;
}

static const char *size_name(const grid_call_t *c, int k)
{
    static const char *const name[] = {"m", "n", "p"};
    return c->routine == GRID_EIGH             ? "n"
           : c->routine == GRID_HSVD && k == 2 ? "n_plus"
                                               : name[k];
}

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

/* Is this array one of the call's, and asked for? */
static int is_wanted(const grid_call_t *c, int array)
{
    if (array >= GRID_U && c->job[array - GRID_U] == 'N')
        return 0;
    return routine[c->routine].number[array] > 0;
}

/* m, n and p; n_plus in p's place */
static int64_t size_of(const grid_call_t *c, int k)
{
    const int64_t size[] = {c->m, c->n,
                            c->routine == GRID_HSVD ? c->n_plus : c->p};
    return size[k];
}

static gsvd_status_t check_shared(const grid_call_t *c, int *info)
{
    const routine_t *const of = &routine[c->routine];
    shared_t s = {.count = 0};
    int64_t least[NUMBERS], most[NUMBERS], tol;

    memcpy(&tol, &c->tol, sizeof tol);
    share(&s, 0, "the routine of the call", (int64_t)c->routine);
    share(&s, 0, "the type of the call", (int64_t)c->type);
    for (int k = 0; k < of->jobs; ++k)
        share(&s, k + 1, of->job_name[k], c->job[k]);
    for (int k = 0; k < of->sizes && k < 3; ++k)
        share(&s, of->jobs + 1 + k, size_name(c, k), size_of(c, k));
    share(&s, of->J, "J", c->J != NULL);
    share(&s, of->tol, "tol", tol);
    for (int k = 0; k < GRID_ARRAYS; ++k)
        share_desc(&s, of->number[k] + 1, desc_name[name_of(c, k)],
                   is_wanted(c, k) ? c->array[k].desc : NULL);
    while (s.count < NUMBERS) /* The routines of other processes have more.  */
        share(&s, 0, "the routine of the call", 0);
    MPI_Allreduce(s.value, least, NUMBERS, MPI_INT64_T, MPI_MIN,
                  gsvd_grid->comm);
    MPI_Allreduce(s.value, most, NUMBERS, MPI_INT64_T, MPI_MAX,
                  gsvd_grid->comm);
    for (int k = 0; k < NUMBERS; ++k)
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

static gsvd_status_t check_array(const grid_call_t *c, int array, int *info)
{
    const int number = routine[c->routine].number[array];
    const int64_t rows[] = {c->m, c->p, c->m,
                            c->routine == GRID_PAIR ? c->p : c->n, c->n};
    int of_desc;

    if (!is_wanted(c, array))
        return GSVD_SUCCESS;
    const char *const fault =
        array_fault(c->array[array].data, c->array[array].desc, rows[array],
                    array < GRID_U ? c->n : grid_columns(c, array), &of_desc);
    return !fault ? GSVD_SUCCESS
           : of_desc
               ? illegal(number + 1, desc_name[name_of(c, array)], fault, info)
               : illegal(number, array_name[name_of(c, array)], fault, info);
}

static gsvd_status_t check_job(const grid_call_t *c, int k, int *info)
{
    const char *const letters = routine[c->routine].letters[k];
    char reason[] = "none of ' ', ' ', ' '";

    if (c->job[k] && strchr(letters, c->job[k]))
        return GSVD_SUCCESS;
    for (int i = 0; letters[i]; ++i)
        reason[9 + 5 * i] = letters[i];
    reason[6 + 5 * strlen(letters)] = 0;
    return illegal(k + 1, routine[c->routine].job_name[k], reason, info);
}

static gsvd_status_t check_sizes(const grid_call_t *c, int *info)
{
    const routine_t *const of = &routine[c->routine];
    const int first = of->jobs + 1;

    for (int k = 0; k < of->sizes && k < 3; ++k)
        if (size_of(c, k) < 0)
            return illegal(first + k, size_name(c, k), "negative", info);
    if (c->routine == GRID_HSVD && c->n > c->m)
        return illegal(first + 1, "n", "not in [0, m]", info);
    if (c->routine == GRID_HSVD && c->n_plus > c->n)
        return illegal(first + 2, "n_plus", "not in [0, n]", info);
    return GSVD_SUCCESS;
}

/* What stands on each process */
static gsvd_status_t check_lists(const grid_call_t *c, int *info)
{
    const routine_t *const of = &routine[c->routine];
    const int64_t r = grid_least(c->m, c->n);
    const int64_t values = c->routine == GRID_PAIR ? c->n : r;

    if (of->alpha > 0 && !c->alpha && values > 0)
        return illegal(of->alpha, of->name_of_alpha, "NULL", info);
    if (of->beta > 0 && !c->beta && values > 0)
        return illegal(of->beta, "beta", "NULL", info);
    if (of->jpvt > 0 && !c->jpvt && c->n > 0)
        return illegal(of->jpvt, "jpvt", "NULL", info);
    if (of->tau > 0 && !c->tau && r > 0)
        return illegal(of->tau, "tau", "NULL", info);
    if (c->tol != c->tol)
        return illegal(of->tol, "tol", "a NaN", info);
    if (of->rank > 0 && !c->k)
        return illegal(of->rank, "rank", "NULL", info);
    return GSVD_SUCCESS;
}

static gsvd_status_t check(const grid_call_t *c, int *info)
{
    for (int k = 0; k < routine[c->routine].jobs; ++k)
        GSVD_TRY(check_job(c, k, info));
    GSVD_TRY(check_sizes(c, info));
    for (int k = 0; k < GRID_U; ++k)
        GSVD_TRY(check_array(c, k, info));
    GSVD_TRY(check_lists(c, info));
    for (int k = GRID_U; k < GRID_ARRAYS; ++k)
        GSVD_TRY(check_array(c, k, info));
    return GSVD_SUCCESS;
}

/* *info is the same on all processes: that of the first one with an error, as the text is. */
static gsvd_status_t check_all(const grid_call_t *c, int *info)
{
    GSVD_TRY(check_shared(c, info));
    const gsvd_status_t status = gsvd_grid_agree(check(c, info));
    int first[2] = {*info < 0 ? gsvd_grid->rank : gsvd_grid->size, *info};
    MPI_Allreduce(MPI_IN_PLACE, first, 1, MPI_2INT, MPI_MINLOC,
                  gsvd_grid->comm);
    *info = first[1];
    return status;
}

/* -- the call -------------------------------------------------------------------------- */

typedef gsvd_status_t run_op(const grid_call_t *call);
run_op sgsvd_grid_run, dgsvd_grid_run, cgsvd_grid_run, zgsvd_grid_run;

static run_op *of_type(gsvd_type_t type)
{
    switch (type) {
#if GSVD_HAVE_S
    case GSVD_S: return sgsvd_grid_run;
#endif
#if GSVD_HAVE_D
    case GSVD_D: return dgsvd_grid_run;
#endif
#if GSVD_HAVE_C
    case GSVD_C: return cgsvd_grid_run;
#endif
#if GSVD_HAVE_Z
    case GSVD_Z: return zgsvd_grid_run;
#endif
    default: return NULL;
    }
}

static gsvd_status_t run(struct gsvd_grid *of, const grid_call_t *given)
{
    grid_t *const g = (grid_t *)of;
    grid_call_t call = *given;
    int info = 0;
    gsvd_status_t status;

    for (int k = 0; k < 3; ++k)
        call.job[k] = (char)toupper(call.job[k]);
    gsvd_grid = g;
    of->error[0] = 0;
    of->taken = 0;
    status = is_running(of->error);
    if (status == GSVD_SUCCESS)
        status = check_all(&call, &info);
    if (status != GSVD_SUCCESS) {
        if (call.info)
            *call.info = info;
        status = gsvd_report(status, call.info);
    } else {
        status = of_type(call.type)(&call);
        for (int k = 0; k < ROOMS; ++k)
            of->taken += g->room[k].bytes;
        give_back(g);
    }
    gsvd_grid = NULL;
    return status;
}

static gsvd_status_t plan(const grid_call_t *given)
{
    grid_call_t call = *given;
    int unused = 0;

    for (int k = 0; k < 3; ++k)
        call.job[k] = (char)toupper(call.job[k]);
    for (int k = 0; k < routine[call.routine].jobs; ++k)
        GSVD_TRY(check_job(&call, k, &unused));
    GSVD_TRY(check_sizes(&call, &unused));
    return of_type(call.type) ? of_type(call.type)(&call)
                              : gsvd_grid_fail(GSVD_INVALID_ARGUMENT,
                                               "type: not in this build");
}

static gsvd_status_t bytes_of(struct gsvd_grid *of, const grid_call_t *call,
                              size_t *bytes)
{
    gsvd_grid = (grid_t *)of;
    gsvd_grid->planned = bytes;
    of->error[0] = 0;
    const gsvd_status_t status = plan(call);
    gsvd_grid->planned = NULL;
    gsvd_grid = NULL;
    return status;
}

const grid_module_t gsvd_grid_module = {
    .build = GSVD_BUILD,
    .from_mpi = from_mpi,
    .from_blacs = from_blacs,
    .from_world = from_world,
    .destroy = destroy,
    .set_device = set_device,
    .agree = agree,
    .share = share_bytes,
    .run = run,
    .bytes = bytes_of,
};
