/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* output.c -- writes a decomposition into a directory, or into one file. */
#include "output.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "mat.h"
#include "matrix_market.h"
#include "npy.h"
#include "npz.h"

/* what a task has factors of */
enum {
    LAPACK_FORM = 1, /* of a pair                                            */
    X_FORM = 2,
    OF_SVD = 4,
    OF_HSVD = 8,
    OF_EIGH = 16,
    Y_FORM = 32,
    BOUNDED = 64,
    PAIRS = LAPACK_FORM | X_FORM | Y_FORM | BOUNDED,
    FACTORED = PAIRS | OF_SVD | OF_HSVD
};

#define AT(member) offsetof(decomposition_t, member)

static const struct {
    const char *name;
    size_t at;
    bool is_values; /* a vector, there in any case                           */
    unsigned of;
} factor[] = {
    {"alpha", AT(alpha), true, PAIRS},
    {"beta", AT(beta), true, PAIRS},
    {"bounds", AT(bounds), true, BOUNDED},
    {"sigma", AT(sigma), true, OF_SVD | OF_HSVD},
    {"signs", AT(signs), true, OF_HSVD},
    {"w", AT(sigma), true, OF_EIGH},
    {"U", AT(U), false, FACTORED},
    {"V", AT(V), false, FACTORED},
    {"Q", AT(Q), false, LAPACK_FORM | OF_EIGH},
    {"X", AT(Q), false, X_FORM},
    {"Y", AT(Q), false, Y_FORM},
    {"R", AT(R), false, LAPACK_FORM},
};
enum { FACTORS = sizeof factor / sizeof *factor, FORMATS = FORMAT_CSV + 1 };
enum { REPORT_MOST = 1 << 20 };

static const char *const extension[FORMATS] = {
    [FORMAT_NPY] = "npy", [FORMAT_MTX] = "mtx", [FORMAT_CSV] = "csv"};

static const char *const report = "gsvd.json";

/* -- which files -------------------------------------------------------------- */

static bool belongs(int i, problem_t problem)
{
    static const unsigned of[PROBLEMS] = {PAIRS, OF_SVD, OF_HSVD, OF_EIGH};
    return factor[i].of & of[problem];
}

static bool wanted(const task_t *t, int i)
{
    static const unsigned form[] = {LAPACK_FORM, X_FORM, Y_FORM};
    const unsigned has = form[t->form] | (t->bounds ? BOUNDED : 0);

    return belongs(i, t->problem) &&
           (t->problem != PAIR || factor[i].of & has) &&
           (factor[i].is_values || !t->values);
}

file_list_t output_files(const task_t *task, enum format format)
{
    file_list_t files = {.problem = task->problem};

    for (int i = 0; i < FACTORS && !format_is_file(format); ++i)
        if (wanted(task, i))
            snprintf(files.name[files.count++], sizeof *files.name, "%s.%s",
                     factor[i].name, extension[format]);
    return files;
}

static bool lists(const file_list_t *files, const char *name)
{
    for (int i = 0; i < files->count; ++i)
        if (strcmp(files->name[i], name) == 0)
            return true;
    return false;
}

/* -- what an earlier run left ------------------------------------------------- */

/* The text from "files" on in the report of an earlier run, to be freed; NULL if there
 * is none.  It stands at the end, behind all values. */
static char *earlier_files(const char *directory)
{
    FILE *const in = stage_look(directory, report);
    char *const text = in ? calloc(1, REPORT_MOST + 1) : NULL;

    if (text) {
        if (fseek(in, -REPORT_MOST, SEEK_END) != 0)
            rewind(in);
        text[fread(text, 1, REPORT_MOST, in)] = '\0';
        char *const at = strstr(text, "\"files\": [");
        memmove(text, at ? at : "", at ? strlen(at) + 1 : 1);
    }
    if (in)
        fclose(in);
    return text;
}

/* The files of a factor's name that are not written now: what an earlier run wrote is to
 * go, what else there is of such a problem is in the way.  Without a stage this is only
 * looked at. */
static bool clear(stage_t *s, const char *directory, const file_list_t *files)
{
    char *const earlier = earlier_files(directory);
    bool done = true;

    for (int i = 0; done && i < FACTORS * FORMATS; ++i) {
        char name[12], quoted[14];
        snprintf(name, sizeof name, "%s.%s", factor[i / FORMATS].name,
                 extension[i % FORMATS]);
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (lists(files, name) || !stage_has(directory, name))
            continue;
        const bool ours = earlier && strstr(earlier, quoted);
        done = ours || !belongs(i / FORMATS, files->problem);
        if (!done)
            fprintf(stderr,
                    "gsvd: %s/%s: in the way, since no earlier run wrote it; "
                    "name another directory\n",
                    directory, name);
        else if (s && ours)
            done = stage_remove(s, directory, name);
    }
    free(earlier);
    return done;
}

bool output_in_order(const char *directory, enum format format,
                     const file_list_t *files)
{
    return format_is_file(format) || clear(NULL, directory, files);
}

/* -- writing ------------------------------------------------------------------ */

/* Which factor has this file? */
static int factor_of(const task_t *t, const char *name)
{
    int i = 0;

    while (!wanted(t, i) ||
           strncmp(name, factor[i].name, strcspn(name, ".")) != 0)
        ++i;
    return i;
}

static const matrix_t *matrix_of(const decomposition_t *d, int i)
{
    return (const matrix_t *)((const char *)d + factor[i].at);
}

static bool write_matrix(stage_t *s, const char *directory, const char *name,
                         enum format format, const decomposition_t *d)
{
    const int i = factor_of(d->task, name);
    const matrix_t *const A = matrix_of(d, i);
    const bool single = d->task->single;
    FILE *const out = stage_open(s, directory, name);

    return out &&
           stage_close(s, format == FORMAT_NPY
                              ? npy_write(out, A, single, factor[i].is_values)
                          : format == FORMAT_MTX
                              ? matrix_market_write(out, A, single)
                              : csv_write(out, A, single));
}

static bool write_file(FILE *out, enum format format, const decomposition_t *d)
{
    const bool single = d->task->single, npz = format == FORMAT_NPZ;
    npz_t z = {.out = out};

    if (!npz && !mat_begin(out))
        return false;
    for (int i = 0; i < FACTORS; ++i)
        if (wanted(d->task, i) &&
            !(npz ? npz_write(&z, factor[i].name, matrix_of(d, i), single,
                              factor[i].is_values)
                  : mat_write(out, factor[i].name, matrix_of(d, i), single)))
            return false;
    return !npz || npz_end(&z);
}

bool output_write(stage_t *s, const char *directory, enum format format,
                  const report_t *r)
{
    FILE *out;

    if (format_is_file(format)) {
        out = stage_open(s, NULL, directory);
        return out && stage_close(s, write_file(out, format, r->d));
    }
    if (!stage_directory(s, directory) || !clear(s, directory, r->files))
        return false;
    for (int i = 0; i < r->files->count; ++i)
        if (!write_matrix(s, directory, r->files->name[i], format, r->d))
            return false;
    out = stage_open(s, directory, report);
    if (!out)
        return false;
    report_json(out, r);
    return stage_close(s, true);
}

int output_flushed(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    const int error = errno;
    if (!stage_is_stopped()) /* else the signal says so                      */
        fprintf(stderr, "gsvd: standard output: %s\n",
                error ? strerror(error) : "a write failed");
    return FAILED;
}
