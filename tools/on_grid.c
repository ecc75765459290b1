/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* on_grid.c -- the command as one of the processes that mpirun started.
 *
 * Each reads its part of A and B, and writes its part of U, V and X, or Q, into files that process 0 makes;
 * values and signs are on all of them.  Process 0 alone prints.  What may fail on one is agreed on by all before
 * they go on (grid/grid.h), and that one's text is told once.  The command does not link MPI: it opens
 * the module of grids as libgsvd does. */
#define _GNU_SOURCE /* dladdr */
#include "on_grid.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "deliver.h"
#include "grid/open_module.h"
#include "input.h"
#include "npy.h"
#include "operands.h"
#include "progress.h"
#include "routine.h"

typedef struct session {
    options_t *o;
    const grid_module_t *module;
    struct gsvd_grid *grid;
    int rank;
    progress_t progress;
    char text[GRID_ERROR]; /* of an error here                               */
    matrix_t A, B;
    bool complex_a, complex_b;
    decomposition_t d;
    quality_t quality;
} session_t;

/* -- errors ------------------------------------------------------------------- */

/* Keeps the text; always false. */
static bool fault(session_t *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fault(session_t *s, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(s->text, sizeof s->text, format, list);
    va_end(list);
    return false;
}

/* Has no process an error?  The text of the first one is told; one without a text has told it. */
static bool agreed(session_t *s, bool mine)
{
    const gsvd_status_t status = s->module->agree(
        s->grid, mine ? GSVD_SUCCESS : GSVD_INTERNAL_ERROR, s->text);

    if (status == GSVD_SUCCESS)
        return true;
    progress_end(&s->progress);
    if (s->rank == 0 && *s->text)
        fprintf(stderr, "gsvd: %s\n", s->text);
    return false;
}

/* -- the grid ----------------------------------------------------------------- */

/* Before MPI tells: by the variables of Open MPI's and of MPICH's mpirun */
static bool is_first(void)
{
    const char *const ompi = getenv("OMPI_COMM_WORLD_RANK");
    const char *const rank = ompi ? ompi : getenv("PMI_RANK");

    return !rank || strcmp(rank, "0") == 0;
}

static bool begin(session_t *s)
{
    place_t *const at = &s->o->grid;
    const int wanted = at->p * at->q;
    int size = 0;

    s->module = open_grid_module(dlsym(RTLD_DEFAULT, "gsvd_version"), s->text);
    if (!s->module) {
        if (is_first())
            fprintf(stderr, "gsvd: --grid: %s\n", s->text);
        return false;
    }
    if (s->module->from_world(&s->grid, at->p, at->q, &s->rank, &size,
                              s->text) == GSVD_SUCCESS) {
        at->row = s->rank / at->q;
        at->column = s->rank % at->q;
        return gsvd_grid_set_device(s->grid, s->o->task.device) == GSVD_SUCCESS;
    }
    if (s->rank == 0 && size != wanted)
        fprintf(stderr,
                "gsvd: --grid %dx%d: %d processes, and mpirun started %d: "
                "mpirun -n %d gsvd --grid %dx%d ...\n",
                at->p, at->q, wanted, size, wanted, at->p, at->q);
    else if (s->rank == 0)
        fprintf(stderr, "gsvd: --grid: %s\n", s->text);
    return false;
}

/* -- reading ------------------------------------------------------------------ */

static bool read_part(session_t *s, int i, const place_t *place, matrix_t *A,
                      int64_t *size_line)
{
    const char *const name = s->o->file[i];
    demand_t demand = s->o->demand;
    read_error_t error;

    if (!place) /* signs, of which nothing else is asked                     */
        demand = (demand_t){0};
    demand.place = place;
    progress_stage(&s->progress, "reading", name);
    const bool done = input_read(name, demand, A, size_line, &error);
    if (!done && error.line > 0)
        fault(s, "%.120s:%" PRId64 ": %.100s", name, error.line, error.reason);
    else if (!done)
        fault(s, "%.120s: %.120s", name, error.reason);
    return agreed(s, done);
}

/* Its part of A beside that of the process in whose place it would be in the transposed grid */
static bool is_hermitian(session_t *s, const matrix_t *B)
{
    const matrix_t *const A = &s->A;
    const int w = A->width;

    if (A->width != B->width || A->rows != B->cols || A->cols != B->rows)
        return fault(s, "%.120s: it changes while it is read", s->o->file[0]);
    for (int64_t j = 0; j < A->cols; ++j)
        for (int64_t i = 0; i < A->rows; ++i) {
            const double *const x = A->at + (i + j * A->rows) * w;
            const double *const y = B->at + (j + i * B->rows) * w;
            if (x[0] != y[0] || (w == 2 && x[1] != -y[1]))
                return fault(s,
                             "%.120s: not %s: entry (%" PRId64 ", %" PRId64 ")",
                             s->o->file[0], w == 1 ? "symmetric" : "hermitian",
                             A->in.i + i + 1, A->in.j + j + 1);
        }
    return true;
}

static bool read_hermitian(session_t *s)
{
    const place_t at = s->o->grid, turned = {at.q, at.p, at.column, at.row};
    matrix_t B = {0};
    int64_t size_line;

    if (!agreed(s, s->A.in.rows == s->A.in.cols ||
                       fault(s,
                             "%.120s: %" PRId64 " by %" PRId64
                             " numbers, but eigh wants a square matrix",
                             s->o->file[0], s->A.in.rows, s->A.in.cols)))
        return false;
    bool done = read_part(s, 0, &turned, &B, &size_line);
    done = done && agreed(s, is_hermitian(s, &B));
    matrix_free(&B);
    return done;
}

/* J, which each process has whole */
static bool read_signs(session_t *s)
{
    const part_t *const G = &s->A.in;
    int64_t size_line;
    sign_fault_t why;

    if (!agreed(s, G->cols <= G->rows ||
                       fault(s,
                             "%.120s: %" PRId64 " columns, but %" PRId64
                             " row%s; hsvd wants at least as many rows",
                             s->o->file[0], G->cols, G->rows,
                             G->rows == 1 ? "" : "s")))
        return false;
    return read_part(s, 1, NULL, &s->B, &size_line) &&
           agreed(s, operands_signs(&s->B, G->cols, s->o->file[0], &why) ||
                         fault(s, "%.60s: %.180s", s->o->file[1], why.text));
}

static bool read_parts(session_t *s)
{
    int64_t size_line;
    bool done = read_part(s, 0, &s->o->grid, &s->A, &size_line);

    if (done && s->o->task.problem == PAIR)
        done = read_part(s, 1, &s->o->grid, &s->B, &size_line);
    if (done && s->o->task.problem == EIGH)
        done = read_hermitian(s);
    if (done && s->o->task.problem == HSVD)
        done = read_signs(s);
    progress_end(&s->progress);
    if (!done || s->o->task.problem != PAIR)
        return done;
    return agreed(s, s->A.in.cols == s->B.in.cols ||
                         fault(s,
                               "%.100s: %" PRId64 " columns, but %.100s has "
                               "%" PRId64,
                               s->o->file[1], s->B.in.cols, s->o->file[0],
                               s->A.in.cols));
}

/* -- the decomposition -------------------------------------------------------- */

static bool room(session_t *s, matrix_t *A, const char *name, int64_t rows,
                 int64_t cols, int width)
{
    return matrix_create_part(A, &s->o->grid, rows, cols, width) ||
           fault(s,
                 "no memory for a part of %s, %" PRId64 " by %" PRId64
                 " numbers%s",
                 name, rows, cols, task_saving(&s->o->task));
}

/* A becomes complex where the other matrix is. */
static bool widened(session_t *s, matrix_t *A, int width)
{
    matrix_t copy;

    if (!A->at || A->width == width)
        return true;
    if (!matrix_copy(&copy, A, width))
        return fault(s, "no memory for a copy of a matrix");
    copy.in = A->in;
    matrix_free(A);
    *A = copy;
    return true;
}

/* The list of signs, and J' = diag(I, -I) */
static bool take_signs(session_t *s)
{
    decomposition_t *const d = &s->d;

    d->J = malloc((size_t)(d->n + 1) * sizeof *d->J);
    if (!d->J || !matrix_create(&d->signs, d->n, 1, 1))
        return fault(s, "no memory for the signs");
    for (int64_t j = 0; j < d->n; ++j) {
        d->J[j] = s->B.at[j] > 0 ? 1 : -1;
        d->plus += d->J[j] > 0;
    }
    for (int64_t j = 0; j < d->n; ++j)
        d->signs.at[j] = j < d->plus ? 1 : -1;
    return true;
}

static bool allocate(session_t *s, int width)
{
    decomposition_t *const d = &s->d;
    const task_t *const t = d->task;
    const bool pair = t->problem == PAIR;
    const int64_t m = d->m, n = d->n, p = pair ? d->p : n;
    const int64_t u = least(m, n), v = pair ? least(p, n) : u;

    if (!(pair ? matrix_create(&d->alpha, n, 1, 1) &&
                     matrix_create(&d->beta, n, 1, 1)
               : matrix_create(&d->sigma, least(m, n), 1, 1)))
        return fault(s, "no memory for the values");
    if (t->problem == HSVD && !take_signs(s))
        return false;
    if (!widened(s, &s->A, width) || !widened(s, &s->B, width) || t->values)
        return !*s->text;
    if (t->problem == EIGH)
        return room(s, &d->Q, "Q", n, n, width);
    return room(s, &d->U, "U", m, t->economy ? u : m, width) &&
           room(s, &d->V, "V", p, t->economy ? v : p, width) &&
           (!pair || room(s, &d->Q, "X", n, n, width));
}

static gsvd_grid_desc_t desc_of(const matrix_t *A, const place_t *grid)
{
    return (gsvd_grid_desc_t){.m = A->in.rows,
                              .n = A->in.cols,
                              .mb = matrix_block(A->in.rows, grid->p),
                              .nb = matrix_block(A->in.cols, grid->q),
                              .lld = A->rows > 1 ? A->rows : 1};
}

/* Of this type; quality: NULL, or what is to be measured, of Q W Q^H as of an SVD */
static gsvd_status_t call(session_t *s, gsvd_type_t type,
                          grid_quality_t *quality)
{
    decomposition_t *const d = &s->d;
    const bool pair = d->task->problem == PAIR, eigh = d->task->problem == EIGH;
    matrix_t *const of[GRID_ARRAYS] = {&s->A, &s->B, eigh ? &d->Q : &d->U,
                                       eigh ? &d->Q : &d->V, &d->Q};
    gsvd_grid_desc_t desc[GRID_ARRAYS];
    int info;
    const bool hsvd = d->task->problem == HSVD;
    grid_call_t c = {.routine = pair               ? GRID_PAIR
                                : hsvd             ? GRID_HSVD
                                : eigh && !quality ? GRID_EIGH
                                                   : GRID_SVD,
                     .type = type,
                     .job = {job_of(d->task, 'U'), job_of(d->task, 'V'),
                             pair && !d->task->values ? 'X' : 'N'},
                     .m = d->m,
                     .n = d->n,
                     .p = d->p,
                     .n_plus = d->plus,
                     .J = d->J,
                     .alpha = pair ? d->alpha.at : d->sigma.at,
                     .beta = d->beta.at,
                     .k = &d->k,
                     .l = &d->l,
                     .info = &info,
                     .quality = quality};

    if (hsvd)
        c.job[1] = d->task->values ? 'N' : 'V';
    if (c.routine == GRID_EIGH) {
        c.job[0] = d->task->values ? 'N' : 'V';
        c.job[1] = 'L';
    }
    for (int i = 0; i < GRID_ARRAYS; ++i) {
        desc[i] = desc_of(of[i], &s->o->grid);
        c.array[i] = (grid_array_t){of[i]->at, &desc[i]};
    }
    return s->module->run(s->grid, &c);
}

/* The arrays of a call are floats in single precision. */
static void each(session_t *s, void (*convert)(matrix_t *))
{
    decomposition_t *const d = &s->d;
    matrix_t *const all[] = {&s->A,     &s->B, &d->alpha, &d->beta,
                             &d->sigma, &d->U, &d->V,     &d->Q};

    for (size_t i = 0; d->task->single && i < sizeof all / sizeof *all; ++i)
        convert(all[i]);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool decomposed(session_t *s)
{
    decomposition_t *const d = &s->d;
    const bool pair = s->o->task.problem == PAIR;
    const int width = s->complex_a || s->complex_b ? 2 : 1;

    *d = (decomposition_t){.task = &s->o->task,
                           .place = &s->o->grid,
                           .type = type_of(width, s->o->task.single),
                           .m = s->A.in.rows,
                           .n = s->A.in.cols,
                           .p = pair ? s->B.in.rows : 0};
    if (!agreed(s, (decompose_has(d) || fault(s, "%.200s", d->why)) &&
                       allocate(s, width)))
        return false;
    progress_stage(&s->progress, "computing", "");
    each(s, matrix_narrow);
    const double start = now();
    const gsvd_status_t status = call(s, d->type, NULL);
    d->stats =
        (gsvd_stats_t){.solver = pair ? GSVD_SOLVER_TANGENT : GSVD_SOLVER_AUTO,
                       .sweeps = s->grid->sweeps,
                       .converged = 1,
                       .seconds_total = now() - start};
    each(s, matrix_widen);
    return agreed(s, status == GSVD_SUCCESS ||
                         fault(s, "the decomposition failed: %s: %.200s",
                               gsvd_status_name(status), s->grid->error));
}

/* X, alpha and beta without what lies beyond k + l */
static void trim(decomposition_t *d)
{
    const int64_t r = d->k + d->l, here = r - d->Q.in.j;

    d->alpha.rows = d->beta.rows = r;
    d->Q.in.cols = least(d->Q.in.cols, r);
    d->Q.cols = here > 0 ? least(d->Q.cols, here) : 0;
}

/* Are the values in order?  Those of eigh ascend; of hsvd those of each sign descend. */
static bool are_sorted(const decomposition_t *d)
{
    const bool pair = d->task->problem == PAIR;
    const double sign = d->task->problem == EIGH ? -1 : 1;
    const double *const x = pair ? d->alpha.at : d->sigma.at;
    const int64_t end = pair ? least(d->m, d->k + d->l) : d->sigma.rows;

    for (int64_t i = d->k + 1; i < end; ++i)
        if (!(sign * x[i] <= sign * x[i - 1]) &&
            (d->task->problem != HSVD || i != d->plus))
            return false;
    return true;
}

/* In double precision, whatever the result was computed in */
static bool checked(session_t *s)
{
    decomposition_t *const d = &s->d;
    decomposition_t in_double = *d;
    grid_quality_t q;

    s->quality = (quality_t){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (d->task->values)
        return true;
    in_double.type = type_of(s->A.width, false);
    if (!agreed(
            s, decompose_has(&in_double) ||
                   fault(s, "results are not measured: %.200s", in_double.why)))
        return false;
    progress_stage(&s->progress, "checking", "");
    const gsvd_status_t status = call(s, in_double.type, &q);
    if (!agreed(s, status == GSVD_SUCCESS ||
                       fault(s, "the result cannot be checked: %s: %.200s%s",
                             gsvd_status_name(status), s->grid->error,
                             status == GSVD_OUT_OF_MEMORY ? task_saving(d->task)
                                                          : "")))
        return false;
    const double ulp = d->task->single ? (double)FLT_EPSILON : DBL_EPSILON;
    const double worst = are_sorted(d) ? q.ratio : fmax(q.ratio, 1);
    s->quality = (quality_t){.residual_a = q.residual_a,
                             .residual_b = q.residual_b,
                             .orth_u = q.orth_u,
                             .orth_v = q.orth_v,
                             .orth_q = NAN,
                             .norm_v = NAN,
                             .ratio_max = worst / ulp};
    if (d->task->problem == HSVD)
        s->quality.norm_v = q.norm_v;
    if (d->task->problem == EIGH) {
        s->quality.orth_q = q.orth_u;
        s->quality.orth_u = s->quality.orth_v = NAN;
    }
    return true;
}

/* -- writing ------------------------------------------------------------------ */

/* From process 0: a file of U, V, X or Q, into which each process writes its part; or the end, as the name
 * is empty, and the exit status */
typedef struct message {
    char name[4096], letter;
    int code;
} message_t;

/* Process 0: for each factor's file */
static bool write_rest(const stage_t *stage, void *with)
{
    session_t *const s = with;

    for (int i = 0; i < stage->count; ++i) {
        const char *const slash = strrchr(stage->file[i].name, '/');
        const char *const base = slash ? slash + 1 : stage->file[i].name;
        message_t m = {.letter = *base};
        if (!stage->file[i].temporary || !strchr("UVXQ", *base) ||
            strcmp(base + 1, ".npy") != 0)
            continue;
        if ((size_t)snprintf(m.name, sizeof m.name, "%s",
                             stage->file[i].temporary) >= sizeof m.name) {
            fprintf(stderr, "gsvd: %s: too long a name\n", base);
            return false;
        }
        s->module->share(s->grid, &m, sizeof m);
        if (!agreed(s, true))
            return false;
    }
    return true;
}

static bool write_part(session_t *s, const message_t *m)
{
    const decomposition_t *const d = &s->d;
    const matrix_t *const A = m->letter == 'U'   ? &d->U
                              : m->letter == 'V' ? &d->V
                                                 : &d->Q;
    errno = 0;
    FILE *const out = fopen(m->name, "r+b");
    bool done = out && npy_write(out, A, d->task->single, false) &&
                fflush(out) == 0 &&
                (fsync(fileno(out)) == 0 || errno == EINVAL);
    const int error = errno;

    if (out && fclose(out) != 0)
        done = false;
    return done || fault(s, "%.150s: cannot be written: %.60s", m->name,
                         strerror(error ? error : errno));
}

/* The other processes; the exit status */
static int write_parts(session_t *s)
{
    message_t m;

    for (;;) {
        s->module->share(s->grid, &m, sizeof m);
        if (!*m.name)
            return m.code;
        (void)agreed(s, write_part(s, &m));
    }
}

static int delivered(session_t *s, const file_list_t *files)
{
    const options_t *const o = s->o;
    const report_t report = {.name_a = o->file[0],
                             .name_b = o->file[1],
                             .complex_a = s->complex_a,
                             .complex_b = s->complex_b,
                             .files = o->directory ? files : NULL,
                             .d = &s->d,
                             .quality = &s->quality};
    message_t end = {.code = FAILED};

    if (s->rank > 0)
        return write_parts(s);
    end.code = deliver(o, &report, o->directory ? write_rest : NULL, s);
    s->module->share(s->grid, &end, sizeof end);
    return end.code;
}

/* -- all of it ---------------------------------------------------------------- */

static int run(session_t *s)
{
    options_t *const o = s->o;
    const file_list_t files = output_files(&o->task, o->format);

    if (!read_parts(s))
        return FAILED;
    s->complex_a = s->A.width == 2;
    s->complex_b = s->B.width == 2;
    if (!agreed(s, s->rank > 0 || !o->directory ||
                       output_in_order(o->directory, o->format, &files)) ||
        !decomposed(s) || !checked(s))
        return FAILED;
    progress_end(&s->progress);
    if (o->task.problem == PAIR)
        trim(&s->d);
    return delivered(s, &files);
}

int on_grid(options_t *o)
{
    session_t s = {.o = o};

    if (!begin(&s))
        return FAILED;
    s.progress = progress_begin(o->progress && s.rank == 0, 1, 0);
    const int code = run(&s);
    decomposition_free(&s.d);
    matrix_free(&s.A);
    matrix_free(&s.B);
    s.module->destroy(s.grid);
    return code;
}
