/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* output.c -- writes a decomposition into a directory. */
#include "output.h"

#include <stdlib.h>
#include <string.h>

#include "matrix_market.h"
#include "npy.h"

enum { FACTORS = 7, FORMATS = 2, REPORT_MOST = 1 << 20 };

static const char *const factor[FACTORS] = {"alpha", "beta", "U", "V",
                                            "Q",     "X",    "R"};
static const char *const extension[FORMATS] = {
    [FORMAT_NPY] = "npy", [FORMAT_MTX] = "mtx"};

static const char *const report = "gsvd.json";

/* -- which files -------------------------------------------------------------- */

static bool wanted(const task_t *t, const char *name)
{
    const bool x_form = t->form == GSVD_FORM_X;

    switch (*name) {
    case 'U':
    case 'V': return !t->values;
    case 'X': return !t->values && x_form;
    case 'Q':
    case 'R': return !t->values && !x_form;
    default: return true;
    }
}

static const matrix_t *matrix_of(const decomposition_t *d, const char *name)
{
    switch (*name) {
    case 'a': return &d->alpha;
    case 'b': return &d->beta;
    case 'U': return &d->U;
    case 'V': return &d->V;
    case 'R': return &d->R;
    default: return &d->Q; /* or X */
    }
}

file_list_t output_files(const task_t *task, enum format format)
{
    file_list_t files = {.count = 0};

    for (int i = 0; i < FACTORS; ++i)
        if (wanted(task, factor[i]))
            snprintf(files.name[files.count++], sizeof *files.name, "%s.%s",
                     factor[i], extension[format]);
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
 * go, what else there is is in the way.  Without a stage this is only looked at. */
static bool clear(stage_t *s, const char *directory, const file_list_t *files)
{
    char *const earlier = earlier_files(directory);
    bool done = true;

    for (int i = 0; done && i < FACTORS * FORMATS; ++i) {
        char name[12], quoted[14];
        snprintf(name, sizeof name, "%s.%s", factor[i / FORMATS],
                 extension[i % FORMATS]);
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (lists(files, name) || !stage_has(directory, name))
            continue;
        done = earlier && strstr(earlier, quoted);
        if (!done)
            fprintf(stderr,
                    "gsvd: %s/%s: in the way, since no earlier run wrote it; "
                    "name another directory\n",
                    directory, name);
        else if (s)
            done = stage_remove(s, directory, name);
    }
    free(earlier);
    return done;
}

bool output_in_order(const char *directory, const file_list_t *files)
{
    return clear(NULL, directory, files);
}

/* -- writing ------------------------------------------------------------------ */

static bool write_matrix(stage_t *s, const char *directory, const char *name,
                         const decomposition_t *d)
{
    const matrix_t *const A = matrix_of(d, name);
    const bool single = d->task->single;
    const bool vector = *name == 'a' || *name == 'b';
    const bool npy = strstr(name, extension[FORMAT_NPY]) != NULL;
    FILE *const out = stage_open(s, directory, name);

    return out && stage_close(s, npy ? npy_write(out, A, single, vector)
                                     : matrix_market_write(out, A, single));
}

bool output_write(stage_t *s, const char *directory, const report_t *r)
{
    if (!stage_directory(s, directory) || !clear(s, directory, r->files))
        return false;
    for (int i = 0; i < r->files->count; ++i)
        if (!write_matrix(s, directory, r->files->name[i], r->d))
            return false;
    FILE *const out = stage_open(s, directory, report);
    if (!out)
        return false;
    report_json(out, r);
    return stage_close(s, true);
}
