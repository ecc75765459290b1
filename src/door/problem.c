/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* problem.c [1] -- a call as a gsvd_problem_t, and its plan.
 *
 *     1  read       the caller's struct, of any size that is known, into ours
 *     2  arguments  what it says in the words of the routine's description: batch_args_t
 *     3  compute    as a call of one problem (call.c), or of many (batched.c)
 *
 * A plan is what measuring a call of its shape told, and the options that it was told with.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/notes.h"
#include "door/door.h"

static const struct {
    const routine_t *const *r;
    const char *name; /* behind the letter                                   */
    int many;         /* It has batches.                                     */
} routines[] = {
    [GSVD_ROUTINE_GSVD] = {&gsvd_gsvd_routine, "gsvd", 1},
    [GSVD_ROUTINE_PREPROCESS] = {&gsvd_preprocess_routine, "gsvd_preprocess"},
    [GSVD_ROUTINE_SOLVE] = {&gsvd_solve_routine, "gsvd_solve"},
    [GSVD_ROUTINE_QR] = {&gsvd_qr_routine, "gsvd_qr"},
    [GSVD_ROUTINE_QR_APPLY] = {&gsvd_qr_apply_routine, "gsvd_qr_apply"},
    [GSVD_ROUTINE_QR_FORM] = {&gsvd_qr_form_routine, "gsvd_qr_form"},
    [GSVD_ROUTINE_GEQP] = {&gsvd_geqp_routine, "gsvd_geqp"},
    [GSVD_ROUTINE_SVD] = {&gsvd_svd_routine, "gsvd_svd", 1},
    [GSVD_ROUTINE_HSVD] = {&gsvd_hsvd_routine, "gsvd_hsvd", 1},
    [GSVD_ROUTINE_URV] = {&gsvd_urv_routine, "gsvd_urv"},
    [GSVD_ROUTINE_EIGH] = {&gsvd_eigh_routine, "gsvd_eigh", 1},
    [GSVD_ROUTINE_LDL] = {&gsvd_ldl_routine, "gsvd_ldl"}};
enum { ROUTINES = sizeof routines / sizeof *routines };

/* The problem, in the words of its routine */
typedef struct reading {
    gsvd_problem_t p; /* the caller's                                        */
    const routine_t *r;
    door_t door;
    batch_args_t b; /* of one problem b.one alone                            */
} reading_t;

/* -- 1: read ------------------------------------------------------------------------ */

static gsvd_status_t illegal(gsvd_handle_t h, const char *name,
                             const char *reason)
{
    return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "problem.%s: %s", name, reason);
}

/* A program that was compiled with an older header has fewer members; with a newer one, more, which
 * say nothing where they are 0. */
static gsvd_status_t read_struct(gsvd_handle_t h, const gsvd_problem_t *given,
                                 gsvd_problem_t *p)
{
    const size_t least = offsetof(gsvd_problem_t, info) + sizeof given->info;
    const unsigned char *const bytes = (const unsigned char *)given;

    memset(p, 0, sizeof *p);
    if (!given)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "problem: NULL");
    if (given->size < least)
        return illegal(h, "size", "not sizeof(gsvd_problem_t)");
    for (size_t i = sizeof *p; i < given->size; ++i)
        if (bytes[i] != 0)
            return illegal(h, "size",
                           "of a newer header, with members that this library "
                           "does not know");
    memcpy(p, given, given->size < sizeof *p ? given->size : sizeof *p);
    return GSVD_SUCCESS;
}

/* -- 2: arguments --------------------------------------------------------------------- */

static const gsvd_array_t *array_at(const gsvd_problem_t *p, int operand)
{
    const gsvd_array_t *const all[OPERANDS] = {
        [OPERAND_A] = &p->A,       [OPERAND_B] = &p->B,
        [OPERAND_U] = &p->U,       [OPERAND_V] = &p->V,
        [OPERAND_Q] = &p->Q,       [OPERAND_C] = &p->C,
        [OPERAND_TAU] = &p->tau,   [OPERAND_ALPHA] = &p->alpha,
        [OPERAND_BETA] = &p->beta, [OPERAND_JPVT] = &p->jpvt,
        [OPERAND_J] = &p->signs};
    return all[operand];
}

static void read_jobs(const reading_t *x, args_t *a)
{
    const int applies = x->p.routine == GSVD_ROUTINE_QR_APPLY;
    const int real = x->p.type == GSVD_S || x->p.type == GSVD_D;

    for (int i = 0; i < JOBS && x->r->job[i].name; ++i) {
        const char left_out = x->r->job[i].left_out;
        a->job[i] = x->p.job[i] ? x->p.job[i] : left_out ? left_out : 'N';
    }
    if (applies && real && (a->job[1] == 'T' || a->job[1] == 't'))
        a->job[1] = 'C';
}

/* A default of LAPACK's is asked for by a negative number. */
static double tolerance(double given) { return given == 0 ? -1 : given; }

/* What is left out: the rows, and arrays one behind another */
static void read_array(const reading_t *x, const array_t *d, batch_args_t *b)
{
    const gsvd_array_t *const from = array_at(&x->p, (int)d->operand);
    const int64_t rows = d->rows(&b->one), cols = d->cols(&b->one);
    const int64_t ld = d->ld_number == 0 ? rows
                       : from->ld != 0   ? from->ld
                       : rows > 0        ? rows
                                         : 1;

    b->one.array[d->operand] = from->data;
    b->one.ld[d->operand] = ld;
    b->each[d->operand] = from->each;
    b->ld[d->operand] = from->each_ld;
    b->stride[d->operand] = from->stride;
    if (from->stride == 0 && d->operand != OPERAND_J && ld >= 0 && cols > 0 &&
        ld <= INT64_MAX / cols)
        b->stride[d->operand] = ld * cols;
}

static gsvd_status_t check_alone(gsvd_handle_t h, const gsvd_problem_t *p)
{
    if (p->each_m || p->each_n || p->each_p)
        return illegal(h, "batch", "0, with sizes of each problem");
    for (int i = 0; i < OPERANDS; ++i) {
        const gsvd_array_t *const x = array_at(p, i);
        if (x->each || x->each_ld || x->stride != 0)
            return illegal(h, "batch",
                           "0, with an array's list or stride: one problem has "
                           "none");
    }
    return GSVD_SUCCESS;
}

/* The address of a rank, if the routine has it */
static int64_t *result_of(const routine_t *r, size_t at, int64_t *address)
{
    for (int i = 0; i < RESULTS && r->result[i].name; ++i)
        if (r->result[i].at == at)
            return address;
    return NULL;
}

/* For how many pairs are there factors?  Where there are none, it says nothing. */
static gsvd_status_t read_keep(gsvd_handle_t h, const gsvd_problem_t *p,
                               args_t *a)
{
    if (p->keep == 0 || p->routine != GSVD_ROUTINE_GSVD || is_values_only(a))
        return GSVD_SUCCESS;
    if (p->batch > 0)
        return illegal(h, "keep", "not 0, in a batch");
    if (p->keep > p->n || p->keep < -p->n)
        return illegal(h, "keep", "not from -n to n");
    a->keep = p->keep;
    return GSVD_SUCCESS;
}

/* il and iu, in 'I', as values before the range and values in it; what is illegal becomes negative. */
static void read_range(const gsvd_problem_t *p, args_t *a)
{
    const int by_index = a->job[2] == 'I';
    a->k = !by_index ? 0 : p->il >= 1 ? p->il - 1 : -1;
    a->l = !by_index ? 0 : p->iu >= 0 && a->k >= 0 ? p->iu - a->k : -1;
    a->range[0] = p->vl;
    a->range[1] = p->vu;
}

static gsvd_status_t read_arguments(gsvd_handle_t h, reading_t *x)
{
    const gsvd_problem_t *const p = &x->p;
    batch_args_t *const b = &x->b;

    x->door = p->place == GSVD_PLACE_HOST ? DOOR_HOST : DOOR_GPU;
    *b = (batch_args_t){
        .one = {.m = p->m,
                .n = p->n,
                .p = p->p,
                .k = p->routine == GSVD_ROUTINE_HSVD ? p->n_plus : p->k,
                .l = p->l,
                .k_out = result_of(x->r, offsetof(args_t, k_out), p->k_out),
                .l_out = result_of(x->r, offsetof(args_t, l_out), p->l_out),
                .tol = {tolerance(p->tol[0]), tolerance(p->tol[1])},
                .info = p->batch > 0 ? NULL : p->info,
                .is_problem = 1},
        .count = p->batch,
        .size = {p->each_m, p->each_n, p->each_p},
        .info = p->info};
    if (p->batch > 0 && p->routine == GSVD_ROUTINE_EIGH)
        b->one.k_out = NULL; /* All n values are found.                      */
    b->k = b->one.k_out;
    b->l = b->one.l_out;
    read_jobs(x, &b->one);
    gsvd_upper_case(&b->one);
    if (p->routine == GSVD_ROUTINE_EIGH)
        read_range(p, &b->one);
    if (p->batch > 0 && p->routine == GSVD_ROUTINE_EIGH && b->one.job[2] != 'A')
        return illegal(h, "job[2]", "not 'A', in a batch");
    GSVD_TRY(gsvd_check_sizes(h, x->r, &b->one));
    GSVD_TRY(read_keep(h, p, &b->one));
    for (int i = 0; i < ARRAYS && x->r->array[i].name; ++i)
        read_array(x, &x->r->array[i], b);
    return GSVD_SUCCESS;
}

/* *x := the problem, whose members but arrays are legal */
static gsvd_status_t read_problem(gsvd_handle_t h, const gsvd_problem_t *given,
                                  reading_t *x)
{
    GSVD_TRY(read_struct(h, given, &x->p));
    const int i = (int)x->p.routine;
    if (i < 1 || i >= ROUTINES)
        return illegal(h, "routine", "none of gsvd_routine_t");
    if (x->p.place != GSVD_PLACE_HOST && x->p.place != GSVD_PLACE_DEVICE)
        return illegal(h, "place", "none of gsvd_place_t");
    if (x->p.batch < 0)
        return illegal(h, "batch", "negative");
    x->r = *routines[i].r;
    if (x->p.batch == 0)
        GSVD_TRY(check_alone(h, &x->p));
    else if (!routines[i].many)
        return illegal(h, "batch", "the routine takes one problem");
    else if (x->p.signs.each)
        return illegal(h, "signs", "each: signs have a stride");
    else if ((i == GSVD_ROUTINE_HSVD || i == GSVD_ROUTINE_EIGH) &&
             (x->p.each_m || x->p.each_n))
        return illegal(h, x->p.each_m ? "each_m" : "each_n",
                       "matrices of hsvd and eigh have one size");
    return read_arguments(h, x);
}

/* -- 3: compute ------------------------------------------------------------------------- */

/* The info of one problem that call.c does not see */
static gsvd_status_t refuse(const gsvd_problem_t *given, gsvd_status_t status)
{
    const size_t least = offsetof(gsvd_problem_t, info) + sizeof given->info;
    const int has_info = given && given->size >= least && given->batch == 0;
    int *const info = has_info ? given->info : NULL;
    if (info)
        *info = 0;
    return gsvd_report(status, info);
}

/* made: the memory of such a call, or NULL */
static gsvd_status_t compute(gsvd_handle_t h, reading_t *x,
                             const call_memory_t *made)
{
    return x->p.batch == 0
               ? gsvd_call(h, x->p.type, x->r, x->door, &x->b.one, made)
               : gsvd_call_batched(h, x->p.type, x->r, x->door, &x->b, made);
}

gsvd_status_t gsvd_run(gsvd_handle_t h, const gsvd_problem_t *problem)
{
    reading_t x;

    if (!h)
        return refuse(problem, GSVD_INVALID_HANDLE);
    h->error[0] = '\0';
    const gsvd_status_t status = read_problem(h, problem, &x);
    return status == GSVD_SUCCESS ? compute(h, &x, NULL)
                                  : refuse(problem, status);
}

/* -- the plan ------------------------------------------------------------------------------ */

struct gsvd_plan {
    gsvd_handle_t h;
    gsvd_problem_t p; /* without arrays and lists                            */
    int sizes_differ;
    double option[OPTIONS];
    call_memory_t made;
    size_t dwork, hwork;
    notes_t notes;
};

/* The handle's options := the plan's, and back */
static void exchange_options(gsvd_plan_t plan)
{
    for (int i = 0; i < OPTIONS; ++i) {
        const double kept = plan->h->option[i];
        plan->h->option[i] = plan->option[i];
        plan->option[i] = kept;
    }
}

/* The shape of a problem: what a plan is made for */
static gsvd_problem_t shape_of(const gsvd_problem_t *p)
{
    gsvd_problem_t s;
    memset(&s, 0, sizeof s);
    s.routine = p->routine;
    s.type = p->type;
    s.place = p->place;
    s.m = p->m;
    s.n = p->n;
    s.p = p->p;
    s.k = p->k;
    s.l = p->l;
    s.n_plus = p->n_plus;
    s.il = p->il;
    s.iu = p->iu;
    s.keep = p->keep;
    s.batch = p->batch;
    return s;
}

static gsvd_status_t measure(gsvd_plan_t plan, reading_t *x)
{
    const gsvd_handle_t h = plan->h;
    call_memory_t *const made = &plan->made;

    if (x->p.batch > 0)
        GSVD_TRY(
            gsvd_measure_batched(h, x->p.type, x->r, x->door, &x->b, made));
    else
        GSVD_TRY(
            gsvd_measure_call(h, x->p.type, x->r, x->door, &x->b.one, made));
    const size_t shares = (size_t)made->need.shares * made->need.compute;
    const size_t compute = made->compute + shares;
    plan->dwork = h->space->on_device ? compute : 0;
    plan->hwork = h->space->on_device ? made->host + made->need.host : compute;
    return GSVD_SUCCESS;
}

/* Are the steps told?  Which way they would go is asked of numbers of operations, and those of sizes
 * next to 2^31, which no memory holds, are no integers. */
static int are_told(const gsvd_problem_t *p)
{
    const double all = (double)p->m + (double)p->n + (double)p->p;
    return all * all * (double)p->n < 0x1p60;
}

gsvd_status_t gsvd_plan_create(gsvd_handle_t h, const gsvd_problem_t *problem,
                               gsvd_plan_t *plan)
{
    reading_t x;

    if (plan)
        *plan = NULL;
    if (!h)
        return GSVD_INVALID_HANDLE;
    h->error[0] = '\0';
    if (!plan)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "plan: NULL");
    GSVD_TRY(read_problem(h, problem, &x));
    const gsvd_plan_t made = calloc(1, sizeof *made);
    if (!made)
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "no memory for a plan");
    made->h = h;
    made->p = shape_of(&x.p);
    memcpy(made->p.job, x.b.one.job, sizeof made->p.job);
    made->sizes_differ = x.p.each_m != NULL;
    memcpy(made->option, h->option, sizeof made->option);
    h->notes = are_told(&made->p) ? &made->notes : NULL;
    const gsvd_status_t status = measure(made, &x);
    h->notes = NULL;
    if (status != GSVD_SUCCESS) {
        free(made);
        return status;
    }
    *plan = made;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_plan_bytes(gsvd_plan_t plan, size_t *dwork_bytes,
                              size_t *hwork_bytes)
{
    if (!plan)
        return GSVD_INVALID_HANDLE;
    if (dwork_bytes)
        *dwork_bytes = plan->dwork;
    if (hwork_bytes)
        *hwork_bytes = plan->hwork;
    return GSVD_SUCCESS;
}

static gsvd_status_t check_plan(gsvd_plan_t plan, const reading_t *x)
{
    const gsvd_problem_t *const a = &plan->p, *const b = &x->p;
    const struct {
        const char *name;
        int64_t plans, given;
    } member[] = {{"routine", a->routine, b->routine},
                  {"type", a->type, b->type},
                  {"place", a->place, b->place},
                  {"m", a->m, b->m},
                  {"n", a->n, b->n},
                  {"p", a->p, b->p},
                  {"k", a->k, b->k},
                  {"l", a->l, b->l},
                  {"n_plus", a->n_plus, b->n_plus},
                  {"il", a->il, b->il},
                  {"iu", a->iu, b->iu},
                  {"keep", a->keep, b->keep},
                  {"batch", a->batch, b->batch},
                  {"each_m", plan->sizes_differ, b->each_m != NULL}};

    for (size_t i = 0; i < sizeof member / sizeof *member; ++i)
        if (member[i].plans != member[i].given)
            return illegal(plan->h, member[i].name, "not the plan's");
    if (memcmp(a->job, x->b.one.job, sizeof a->job) != 0)
        return illegal(plan->h, "job", "not the plan's");
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_execute(gsvd_plan_t plan, const gsvd_problem_t *problem)
{
    reading_t x;

    if (!plan)
        return refuse(problem, GSVD_INVALID_HANDLE);
    const gsvd_handle_t h = plan->h;
    h->error[0] = '\0';
    gsvd_status_t status = read_problem(h, problem, &x);
    if (status == GSVD_SUCCESS)
        status = check_plan(plan, &x);
    if (status != GSVD_SUCCESS)
        return refuse(problem, status);
    exchange_options(plan);
    status = compute(h, &x, &plan->made);
    exchange_options(plan);
    return status;
}

gsvd_status_t gsvd_plan_destroy(gsvd_plan_t plan)
{
    free(plan);
    return GSVD_SUCCESS;
}

/* -- in words ------------------------------------------------------------------------------- */

/* Where the next characters of a text go, of which not all need have room */
typedef struct text {
    char *at;
    size_t bytes, used;
} text_t;

static void print(text_t *t, const char *format, ...)
{
    const size_t left = t->used < t->bytes ? t->bytes - t->used : 0;
    va_list args;
    va_start(args, format);
    const int more =
        vsnprintf(left > 0 ? t->at + t->used : NULL, left, format, args);
    va_end(args);
    t->used += more > 0 ? (size_t)more : 0;
}

static void print_bytes(text_t *t, size_t bytes)
{
    if (bytes < 10240)
        print(t, "%zu bytes", bytes);
    else if (bytes < (size_t)10 << 20)
        print(t, "%.1f KiB", (double)bytes / 1024);
    else
        print(t, "%.1f MiB", (double)bytes / (1 << 20));
}

static void print_seconds(text_t *t, double seconds)
{
    const int in_ms = seconds < 1;
    const double x = in_ms ? 1e3 * seconds : seconds;
    const double step = pow(10, floor(log10(x)) - 1); /* two digits         */
    print(t, "about %.*f %s",
          x < 1    ? 3
          : x < 10 ? 1
                   : 0,
          step * round(x / step), in_ms ? "ms" : "s");
}

/* Is m a size of the routine?  It is not where matrices are square. */
static int has_rows(const routine_t *r)
{
    int has = 0;
    for (int i = 0; i < SIZES && r->size[i].name; ++i)
        has |= r->size[i].at == offsetof(args_t, m);
    return has;
}

static void print_call(text_t *t, const struct gsvd_plan *plan)
{
    const gsvd_problem_t *const p = &plan->p;
    const int pair = p->routine <= GSVD_ROUTINE_SOLVE;

    print(t, "%c%s", (int)p->type, routines[p->routine].name);
    for (int i = 0; i < JOBS && p->job[i]; ++i)
        print(t, "%s%c", i == 0 ? " " : "", p->job[i]);
    print(t, ", %s%lld x %lld", plan->sizes_differ ? "up to " : "",
          (long long)(has_rows(*routines[p->routine].r) ? p->m : p->n),
          (long long)p->n);
    if (pair)
        print(t, " and %lld x %lld", (long long)p->p, (long long)p->n);
    if (p->keep != 0)
        print(t, ", factors of the %s %lld pairs",
              p->keep > 0 ? "first" : "last",
              (long long)(p->keep > 0 ? p->keep : -p->keep));
    if (p->batch > 0)
        print(t, ", %lld problems", (long long)p->batch);
    if (plan->h->space->on_device)
        print(t, ", on device %d", plan->h->device);
    else
        print(t, ", on the host");
    if (plan->notes.seconds[0] > 0) {
        print(t, ": ");
        print_seconds(t, plan->notes.seconds[0]);
    }
    print(t, "\n");
}

static void print_memory(text_t *t, const struct gsvd_plan *plan)
{
    print(t, "memory: ");
    if (plan->h->space->on_device) {
        print_bytes(t, plan->dwork);
        print(t, " on the device, ");
    }
    print_bytes(t, plan->hwork);
    print(t, " on the host\n");
}

static void print_manners(text_t *t, const struct gsvd_plan *plan)
{
    const int on_device = plan->h->space->on_device;
    const int copies = on_device && plan->p.place == GSVD_PLACE_HOST;
    const int queues =
        on_device && !copies && plan->p.batch > 0 && plan->made.need.at_once;

    if (queues)
        print(t, "does not wait for the stream; a CUDA graph can have it\n");
    else if (copies)
        print(t, "copies arrays to the device and back, and waits\n");
    else
        print(t, on_device ? "waits for the stream\n"
                           : "returns when all is done\n");
}

static void print_note(text_t *t, const notes_t *n, int i)
{
    const size_t bytes = n->line[i].bytes;
    const double seconds = n->line[i].seconds;

    print(t, "%*s%s", 2 + 2 * n->line[i].depth, "", n->line[i].text);
    if (bytes > 0 || seconds > 0)
        print(t, ": ");
    if (bytes > 0)
        print_bytes(t, bytes);
    if (seconds > 0) {
        print(t, bytes > 0 ? ", " : "");
        print_seconds(t, seconds);
    }
    print(t, "\n");
}

gsvd_status_t gsvd_plan_describe(gsvd_plan_t plan, char *text, size_t bytes,
                                 size_t *needed)
{
    text_t t = {text, text ? bytes : 0, 0};

    if (!plan)
        return GSVD_INVALID_HANDLE;
    print_call(&t, plan);
    print_memory(&t, plan);
    print_manners(&t, plan);
    for (int i = 0; i < plan->notes.count && i < NOTES; ++i)
        print_note(&t, &plan->notes, i);
    if (plan->notes.count > NOTES)
        print(&t, "  and %d more\n", plan->notes.count - NOTES);
    if (needed)
        *needed = t.used + 1;
    return GSVD_SUCCESS;
}
