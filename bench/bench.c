/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench.c [1] -- memory, clock, table and JSON lines; see bench.h. */
#include "bench.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/handle.h"

/* ---- memory ------------------------------------------------------------- */

gsvd_status_t bench_take(bench_t *b, gsvd_handle_t h, size_t bytes, void **p)
{
    *p = NULL;
    if (b->holds == BENCH_HELD)
        return GSVD_INTERNAL_ERROR;
    GSVD_TRY(h->space->allocate(h, p, bytes ? bytes : 1));
    b->held[b->holds].h = h;
    b->held[b->holds].data = *p;
    ++b->holds;
    return GSVD_SUCCESS;
}

gsvd_status_t bench_array(bench_t *b, gsvd_handle_t h, int64_t count,
                          size_t each, void *to)
{
    void *p;
    GSVD_TRY(bench_take(b, h, (size_t)count * each, &p));
    memcpy(to, &p, sizeof p);
    return GSVD_SUCCESS;
}

int bench_descending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

void bench_drop(bench_t *b) { bench_drop_to(b, 0); }

void bench_drop_to(bench_t *b, int holds)
{
    (void)b->h->space->wait(b->h);
    while (b->holds > holds) {
        --b->holds;
        gsvd_handle_t h = b->held[b->holds].h;
        h->space->release(h, b->held[b->holds].data);
    }
}

gsvd_status_t bench_plan_bytes(gsvd_handle_t h, const gsvd_problem_t *call,
                               size_t *device, size_t *host)
{
    gsvd_plan_t plan;
    GSVD_TRY(gsvd_plan_create(h, call, &plan));
    const gsvd_status_t status = gsvd_plan_bytes(plan, device, host);
    (void)gsvd_plan_destroy(plan);
    return status;
}

/* ---- random numbers ----------------------------------------------------- */

/* splitmix64: in (0, 1] */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)(((z ^ (z >> 31)) >> 11) + 1) * 0x1p-53;
}

double bench_uniform(bench_t *b) { return uniform(&b->seed); }

/* Box and Muller: two at a time */
static void normal_pair(bench_t *b, double *x, double *y)
{
    const double radius = sqrt(-2 * log(uniform(&b->seed)));
    const double angle = 6.283185307179586 * uniform(&b->seed);
    *x = radius * cos(angle);
    *y = radius * sin(angle);
}

void bench_normal_double(bench_t *b, int64_t count, double *x)
{
    for (int64_t i = 0; i < count; i += 2) {
        double first, second;
        normal_pair(b, &first, &second);
        x[i] = first;
        if (i + 1 < count)
            x[i + 1] = second;
    }
}

void bench_normal_float(bench_t *b, int64_t count, float *x)
{
    for (int64_t i = 0; i < count; i += 2) {
        double first, second;
        normal_pair(b, &first, &second);
        x[i] = (float)first;
        if (i + 1 < count)
            x[i + 1] = (float)second;
    }
}

/* ---- lists on the command line ------------------------------------------ */

int bench_numbers(const char *text, int64_t *x, int most)
{
    int count = 0;
    for (;;) {
        char *end;
        const long long value = strtoll(text, &end, 10);
        if (end == text || value < 0 || value > 1 << 20 || count == most)
            return -1;
        x[count++] = value;
        if (*end == 0)
            return count;
        if (*end != ',')
            return -1;
        text = end + 1;
    }
}

int bench_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    while (*list) {
        const size_t word = strcspn(list, ",");
        if (word == length && strncmp(list, name, length) == 0)
            return 1;
        list += word + (list[word] == ',');
    }
    return 0;
}

/* ---- clock -------------------------------------------------------------- */

double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* what all threads of this process had of the processors */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static gsvd_status_t once(const bench_t *b, int on_device, bench_fn_t work,
                          void *data, double *ms)
{
    double (*const seconds)(void) = b->cpu_time ? cpu_seconds : bench_seconds;
    if (on_device) {
        GSVD_TRY(bench_device_start());
        GSVD_TRY(work(data));
        return bench_device_stop(ms);
    }
    const double start = seconds();
    GSVD_TRY(work(data));
    *ms = 1e3 * (seconds() - start);
    return GSVD_SUCCESS;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

timing_t bench_sum_up(double *ms, int reps)
{
    qsort(ms, (size_t)reps, sizeof *ms, ascending);
    return (timing_t){(ms[(reps - 1) / 2] + ms[reps / 2]) / 2, ms[0], reps};
}

gsvd_status_t bench_time(const bench_t *b, int on_device, bench_fn_t restore,
                         bench_fn_t work, void *data, timing_t *time)
{
    enum { MOST = 100 };
    double sample[MOST], warm;
    const int most = b->reps < MOST ? b->reps : MOST;
    int reps = 0;

    const double start = bench_seconds();
    GSVD_TRY(restore(data));
    GSVD_TRY(once(b, on_device, work, data, &warm));
    if (warm > 1e3 * b->limit)
        sample[reps++] = warm;
    else
        do {
            GSVD_TRY(restore(data));
            GSVD_TRY(b->h->space->wait(b->h));
            GSVD_TRY(once(b, on_device, work, data, &sample[reps]));
            ++reps;
        } while (reps < most && bench_seconds() - start < b->limit);

    *time = bench_sum_up(sample, reps);
    return GSVD_SUCCESS;
}

/* ---- table and JSON lines ----------------------------------------------- */

void bench_head(void)
{
    printf("%-10s %c %-4s %6s %6s %6s %6s %6s %11s %11s %4s %8s %8s %8s %-5s "
           "%5s %8s %8s %8s %8s %6s  %s\n",
           "step", 't', "on", "m", "n", "p", "k", "l", "ms", "min", "reps",
           "GF/s", "GB/s", "bound", "by", "times", "ratio", "residual",
           "unitary", "values", "sweeps", "peer, ms");
}

/* A string with quotes and backslashes escaped; control characters dropped. */
static void json_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; ++s) {
        if (*s == '"' || *s == '\\')
            fputc('\\', f);
        if ((unsigned char)*s >= ' ')
            fputc(*s, f);
    }
    fputc('"', f);
}

static void json_text(FILE *f, const char *key, const char *value)
{
    fprintf(f, ", \"%s\": ", key);
    if (value)
        json_string(f, value);
    else
        fputs("null", f);
}

/* JSON knows neither NaN nor infinity */
static void json_real(FILE *f, const char *key, double value, int present)
{
    if (present && isfinite(value))
        fprintf(f, ", \"%s\": %.6g", key, value);
    else
        fprintf(f, ", \"%s\": null", key);
}

static void json_count(FILE *f, const char *key, int64_t value)
{
    if (value >= 0)
        fprintf(f, ", \"%s\": %lld", key, (long long)value);
    else
        fprintf(f, ", \"%s\": null", key);
}

static void json_accuracy(FILE *f, const accuracy_t *a)
{
    json_count(f, "peer_k", a->peer_k);
    json_count(f, "peer_l", a->peer_l);
    json_real(f, "digits_a", a->digits_a, 1);
    json_real(f, "digits_b", a->digits_b, 1);
    json_real(f, "peer_digits_a", a->peer_digits_a, 1);
    json_real(f, "peer_digits_b", a->peer_digits_b, 1);
    json_real(f, "digits_values", a->digits_values, 1);
    json_real(f, "peer_digits_values", a->peer_digits_values, 1);
}

static void json_errors(FILE *f, const row_t *r)
{
    json_real(f, "residual", r->errors.residual, 1);
    json_real(f, "departure", r->errors.departure, 1);
    json_real(f, "difference", r->errors.difference, 1);
    json_text(f, "by", r->by ? r->by : "libgsvd");
}

static void json_row(const bench_t *b, const row_t *r, const char *date)
{
    const char letter[2] = {r->letter, 0};
    FILE *f = b->json;
    fprintf(f, "{\"step\": \"%s\"", r->step);
    json_text(f, "letter", letter);
    json_text(f, "backend", b->cuda ? "cuda" : "cpu");
    json_count(f, "m", r->m);
    json_count(f, "n", r->n);
    json_count(f, "p", r->p);
    json_count(f, "k", r->k);
    json_count(f, "l", r->l);
    json_count(f, "batch", r->batch);
    json_real(f, "ms", r->time.ms, 1);
    json_real(f, "ms_min", r->time.ms_min, 1);
    json_count(f, "reps", r->time.reps);
    json_text(f, "peer", r->peer);
    json_real(f, "peer_ms", r->peer_ms, r->peer != NULL);
    if (r->peer_ms_min > 0)
        json_real(f, "peer_ms_min", r->peer_ms_min, 1);
    json_real(f, "ratio", r->ratio, 1);
    if (r->judged)
        json_errors(f, r);
    if (b->cuda && r->bound_ms > 0)
        json_real(f, "bound_ms", r->bound_ms, 1);
    json_count(f, "sweeps", r->sweeps);
    if (r->accuracy)
        json_accuracy(f, r->accuracy);
    json_text(f, "device", b->device);
    json_text(f, "versions", b->versions);
    json_text(f, "date", date);
    json_text(f, "source", b->source);
    fputs("}\n", f);
    fflush(f);
}

void bench_json(const bench_t *b, const row_t *r)
{
    const time_t now = time(NULL);
    char date[32] = "";
    struct tm utc;
    if (!b->json)
        return;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_row(b, r, date);
}

static void count_or_dash(int64_t value)
{
    if (value >= 0)
        printf(" %6lld", (long long)value);
    else
        printf(" %6s", "-");
}

/* The least time on an H200: its counted operations at cuBLAS's speed for large
 * products, or its bytes at that of a copy, whichever is longer. */
static void print_bound(const bench_t *b, const row_t *r)
{
    const int single = r->letter == 's' || r->letter == 'c';
    const double flops = r->flops / (single ? 50e12 : 60e12);
    const double bytes = r->bytes / 4.3e12;
    const int counted = !b->economy || r->p < 0; /* of pairs full factors    */
    double bound = 1e3 * (flops > bytes ? flops : bytes);
    const char *by = flops > bytes ? "flops" : "bytes";
    if (r->bound_ms > 0) {
        bound = r->bound_ms;
        by = r->bound_by;
    }
    if (b->cuda && counted && bound > 0)
        printf(" %8.4f %-5s %5.1f", bound, by, r->time.ms / bound);
    else
        printf(" %8s %-5s %5s", "-", "-", "-");
}

static void error_or_dash(double x)
{
    if (isnan(x))
        printf(" %8s", "-");
    else
        printf(" %8.1e", x);
}

void bench_row(bench_t *b, const row_t *r)
{
    static const errors_t none = {NAN, NAN, NAN};
    const errors_t *e = r->judged ? &r->errors : &none;
    printf("%-10s %c %-4s", r->step, r->letter, b->cuda ? "cuda" : "cpu");
    count_or_dash(r->m);
    count_or_dash(r->n);
    count_or_dash(r->p);
    count_or_dash(r->k);
    count_or_dash(r->l);
    printf(" %11.4f %11.4f %4d %8.1f %8.1f", r->time.ms, r->time.ms_min,
           r->time.reps, r->flops / r->time.ms * 1e-6,
           r->bytes / r->time.ms * 1e-6);
    print_bound(b, r);
    printf(" %8.3g", r->ratio);
    error_or_dash(e->residual);
    error_or_dash(e->departure);
    error_or_dash(e->difference);
    count_or_dash(r->sweeps);
    if (r->peer)
        printf("  %s %.4f", r->peer, r->peer_ms);
    if (r->by)
        printf("  by %s", r->by);
    if (!(r->ratio < BENCH_RATIO_LIMIT)) {
        printf("  WRONG");
        b->failures += r->by == NULL; /* A peer's errors are not ours.       */
    }
    printf("\n");
    fflush(stdout);
    ++b->rows;
    bench_json(b, r);
}

/* ---- where and with what ------------------------------------------------ */

static void append(char *text, size_t size, const char *format, ...)
#if defined __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

const char *const bench_solver_name[BENCH_SOLVERS] = {"auto", "tgsja",
                                                      "tangent", "csd"};

const char *const bench_method_name[GSVD_SVD_BIDIAGONAL + 1] = {
    "auto", "jacobi", "bidiagonal"};

const char *const bench_kind_name[KINDS] = {"random", "thesis",    "columns",
                                            "rows",   "geometric", "phillips",
                                            "shaw",   "baart",     "heat"};

static void describe_processor(char *text, size_t size)
{
    char line[256];
    snprintf(text, size, "unknown processor");
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(text, size, "%s", colon + 2);
        break;
    }
    fclose(f);
}

/* LAPACK and BLAS as they are loaded, which need not be what was linked: a
 * function that only one vendor has tells which it is. */
static void describe_lapack(char *text, size_t size)
{
    void *program = dlopen(NULL, RTLD_LAZY);
    if (!program)
        return;
    void (*ilaver)(int *, int *, int *);
    const char *(*openblas)(void);
    int (*threads)(void);
    void (*mkl)(char *, int);
    *(void **)&ilaver = dlsym(program, "ilaver_");
    *(void **)&openblas = dlsym(program, "openblas_get_config");
    *(void **)&threads = dlsym(program, "openblas_get_num_threads");
    *(void **)&mkl = dlsym(program, "mkl_get_version_string");
    if (ilaver) {
        int major, minor, patch;
        ilaver(&major, &minor, &patch);
        append(text, size, ", LAPACK %d.%d.%d", major, minor, patch);
    }
    if (openblas)
        append(text, size, ", %s", openblas());
    else if (mkl) {
        char version[200] = "";
        mkl(version, (int)sizeof version - 1);
        append(text, size, ", %s", version);
    } else
        append(text, size, ", BLAS of no known vendor");
    if (threads)
        append(text, size, ", %d BLAS threads", threads());
    dlclose(program);
}

void bench_describe(bench_t *b)
{
    const int version = gsvd_version();
    snprintf(b->versions, sizeof b->versions, "libgsvd %d.%d.%d",
             version / 10000, version / 100 % 100, version % 100);
    describe_lapack(b->versions, sizeof b->versions);
    append(b->versions, sizeof b->versions, ", %ld cores",
           sysconf(_SC_NPROCESSORS_ONLN));
    describe_processor(b->device, sizeof b->device);
    if (b->cuda)
        bench_device_describe(b);
    append(b->versions, sizeof b->versions,
           "; %s pair, %s factors, solver %s, svd %s%s%s",
           *b->matrices ? b->matrices : bench_kind_name[b->kind],
           b->economy ? "economy" : "full", bench_solver_name[b->solver],
           bench_method_name[b->method], b->values ? ", values alone" : "",
           b->cpu_time ? ", processor time" : "");
}
