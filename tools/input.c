/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* input.c -- reads a matrix from a file of any known format. */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "csv.h"
#include "mat.h"
#include "matrix_market.h"
#include "npy.h"
#include "npz.h"

static bool ends(const char *path, const char *extension)
{
    const size_t length = strlen(path), tail = strlen(extension);

    return length >= tail && strcasecmp(path + length - tail, extension) == 0;
}

static bool begins(const source_t *s, const char *word)
{
    return s->text && strncasecmp(s->text, word, strlen(word)) == 0;
}

/* name: that of the matrix in a file of several, or NULL */
static bool parse(source_t *s, const char *path, const char *name, matrix_t *A)
{
    const int first = getc(s->in);

    if (first == EOF)
        clearerr(s->in); /* the reader will meet it again, and tell */
    else
        ungetc(first, s->in);
    if (first == NPY_FIRST || ends(path, ".npy"))
        return npy_parse(s, A);

    /* the first line decides, and is there for the reader again */
    const bool market = ends(path, ".mtx") || ends(path, ".mm");
    const enum line got = source_line(s);
    s->again = got == LINE;
    if (got != END && (begins(s, "PK\003\004") || begins(s, MAT_FIRST))) {
        s->line = 0;
        if (s->demand.place && !begins(s, "PK"))
            return source_fault(s, "a .mat file; --grid reads parts of Matrix "
                                   "Market and NumPy files");
        return (begins(s, "PK") ? npz_parse : mat_parse)(s, name, A);
    }
    if (begins(s, "MATLAB 7.3 MAT-file")) {
        s->line = 0;
        return source_fault(s, "MATLAB's format 7.3, which is not read; save "
                               "-v6 makes one that is");
    }
    if (got == FAULT)
        return false;
    if (market || (got == LINE && begins(s, "%%MatrixMarket")))
        return matrix_market_parse(s, A);
    if (s->demand.place)
        return source_fault(s, "CSV; --grid reads parts of Matrix Market and "
                               "NumPy files");
    return csv_parse(s, A);
}

/* Of FILE.npz:NAME or FILE.mat:NAME, if there is no file of all that name: NAME, and path ends before
 * it.  Else NULL. */
static const char *split(char *path)
{
    char *const colon = strrchr(path, ':');

    if (!colon || access(path, F_OK) == 0)
        return NULL;
    *colon = '\0';
    if (ends(path, ".npz") || ends(path, ".mat"))
        return colon + 1;
    *colon = ':';
    return NULL;
}

bool input_is_standard(const char *path) { return strcmp(path, "-") == 0; }

const char *input_name(const char *path)
{
    return input_is_standard(path) ? "standard input" : path;
}

bool input_read(const char *path, demand_t demand, matrix_t *A,
                int64_t *size_line, read_error_t *error)
{
    source_t s = {.demand = demand, .error = error};

    *A = (matrix_t){0};
    *size_line = 0;
    char *const file = strdup(path);
    if (!file)
        return source_fault(&s, "no memory");
    const char *const name = split(file);
    s.in = input_is_standard(path) ? stdin : fopen(file, "rb");
    if (!s.in) {
        free(file);
        return source_fault(&s, "cannot be opened: %s", strerror(errno));
    }
    const bool done = parse(&s, file, name, A);
    free(file);
    *size_line = s.size_line;
    free(s.text);
    if (s.in != stdin)
        fclose(s.in);
    if (done && demand.single)
        matrix_round(A);
    return done;
}
