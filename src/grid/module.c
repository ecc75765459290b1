/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* module.c [1] -- what the modules of grids share: the arguments of a call are the same on all processes,
 * and legal on each, before anything is computed. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "grid/grid.h"
#include "grid/messages.h"

/* -- grids ---------------------------------------------------------------------------- */

void gsvd_grid_leave_gpu(grid_t *g)
{
    if (g->handle)
        (void)g->gpu->destroy(g->handle);
    g->handle = NULL;
}

void gsvd_grid_use_device(struct gsvd_grid *of, int device,
                          const grid_gpu_t *gpu)
{
    grid_t *const g = (grid_t *)of;
    gsvd_grid_leave_gpu(g);
    g->device = device;
    g->gpu = gpu;
}

gsvd_status_t gsvd_grid_refuse(char *error, gsvd_status_t status,
                               const char *text)
{
    snprintf(error, GRID_ERROR, "%s", text);
    return status;
}

gsvd_status_t gsvd_grid_check_shape(int64_t p, int64_t q, char order, int size,
                                    char *error)
{
    if (order != 'R' && order != 'C')
        return gsvd_grid_refuse(error, GSVD_INVALID_ARGUMENT,
                                "argument 5, order: none of 'R', 'C'");
    if (p >= 1 && q >= 1 && p <= size && q <= size && p * q == size)
        return GSVD_SUCCESS;
    snprintf(error, GRID_ERROR,
             "arguments 3 and 4, p and q: %lld x %lld is not the number of "
             "processes, %d",
             (long long)p, (long long)q, size);
    return GSVD_INVALID_ARGUMENT;
}

gsvd_status_t gsvd_grid_agree_on(struct gsvd_grid *g, gsvd_status_t mine,
                                 char *text)
{
    gsvd_grid = (grid_t *)g;
    (void)gsvd_grid_fail(mine, "%s", text);
    const gsvd_status_t status = gsvd_grid_agree(mine);
    snprintf(text, GRID_ERROR, "%s", g->error);
    gsvd_grid = NULL;
    return status;
}

void gsvd_grid_share(struct gsvd_grid *g, void *bytes, size_t count)
{
    gsvd_grid = (grid_t *)g;
    gsvd_grid_tell(0, bytes, count);
    gsvd_grid = NULL;
}

void gsvd_grid_give_back(grid_t *g)
{
    for (int k = 0; k < ROOMS; ++k) {
        gsvd_grid_release(k, &g->room[k]);
        g->room[k] = (buffer_t){0};
    }
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
    memcpy(least, s.value, sizeof least);
    memcpy(most, s.value, sizeof most);
    gsvd_grid_least(NUMBERS, least);
    gsvd_grid_most(NUMBERS, most);
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
    int64_t first = *info < 0 ? gsvd_grid->rank : gsvd_grid->size;
    gsvd_grid_least(1, &first);
    if (first < gsvd_grid->size)
        gsvd_grid_tell((int)first, info, sizeof *info);
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

gsvd_status_t gsvd_grid_run(struct gsvd_grid *of, const grid_call_t *given)
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
    status = gsvd_grid_enter(&call, of->error);
    if (status == GSVD_SUCCESS)
        status = check_all(&call, &info);
    if (status != GSVD_SUCCESS) {
        if (call.info)
            *call.info = info;
        status = gsvd_report(status, call.info);
    } else {
        status = gsvd_grid_at_end(of_type(call.type)(&call));
        for (int k = 0; k < ROOMS; ++k)
            of->taken += g->room[k].bytes;
        gsvd_grid_give_back(g);
    }
    gsvd_grid_leave();
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

gsvd_status_t gsvd_grid_bytes_of(struct gsvd_grid *of, const grid_call_t *call,
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
