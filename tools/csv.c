/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csv.c -- reads a table of real numbers, a row on each line. */
#include "csv.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const blank = " \t\r\n\v\f";

typedef struct reader {
    source_t *source;
    char separator; /* ' ': any blanks                                       */
    char *rest;     /* of the present line; NULL: no field is left           */
    int64_t rows, cols;
    bool header; /* there is one                                          */
    double *at;  /* the entries, by rows                                  */
    int64_t count, capacity;
} reader_t;

#define fault(r, ...) source_fault((r)->source, __VA_ARGS__)

/* The next line with something in it. */
static enum line next_line(reader_t *r)
{
    source_t *const s = r->source;
    enum line got;

    while ((got = source_line(s)) == LINE) {
        r->rest = s->text;
        if (s->line == 1 && strncmp(r->rest, "\xEF\xBB\xBF", 3) == 0)
            r->rest += 3; /* the mark of UTF-8 */
        const char *const first = r->rest + strspn(r->rest, blank);
        if (*first && *first != '#' && *first != '%')
            break;
    }
    return got;
}

static char separator_of(const char *line)
{
    static const char known[] = {';', ',', '\t'};

    for (size_t i = 0; i < sizeof known; ++i) {
        const char *const at = strchr(line, known[i]);
        /* a tab at an end of the line parts nothing */
        if (at && (known[i] != '\t' ||
                   (at > line + strspn(line, blank) && at[strspn(at, blank)])))
            return known[i];
    }
    return ' ';
}

/* Cuts the next field off the line; NULL if there is none. */
static char *next_field(reader_t *r)
{
    static const char *const ends[] = {" \t\r\n\v\f", ";", ",", "\t"};
    const char *const end = r->separator == ';'    ? ends[1]
                            : r->separator == ','  ? ends[2]
                            : r->separator == '\t' ? ends[3]
                                                   : ends[0];
    char *field = r->rest;

    if (!field)
        return NULL;
    field += strspn(field, r->separator == '\t' ? " \r\n\v\f" : blank);
    if (!*field && r->separator == ' ')
        return NULL;
    char *const close = *field == '"' ? strchr(field + 1, '"') : NULL;
    char *stop = close ? close + 1 : field;
    stop += strcspn(stop, end);
    r->rest = *stop ? stop + 1 : NULL;
    *stop = '\0';
    while (stop > field && strchr(blank, stop[-1]))
        *--stop = '\0';
    if (close && stop == close + 1) {
        *close = '\0';
        ++field;
    }
    return field;
}

/* A number, or what begins like one: a decimal comma, a complex number. */
static bool like_number(const char *word)
{
    char *end;

    strtod(word, &end);
    if (end != word && !*end)
        return true;
    word += *word == '(';
    word += *word == '+' || *word == '-';
    word += *word == '.';
    return isdigit((unsigned char)*word);
}

static bool put(reader_t *r, double value)
{
    if (r->count == r->capacity) {
        const int64_t capacity = r->capacity > 0 ? 2 * r->capacity : 256;
        double *const at = matrix_fits(capacity, 1, 1)
                               ? realloc(r->at, (size_t)capacity * sizeof *at)
                               : NULL;
        if (!at)
            return fault(r, "no memory for more than %" PRId64 " entries",
                         r->count);
        r->at = at;
        r->capacity = capacity;
    }
    r->at[r->count++] = value;
    return true;
}

/* The first line tells separator and columns, and may be a header.  A copy of
 * it is cut: if it is none, it is a row. */
static bool read_first(reader_t *r)
{
    char *const line = r->rest, *const copy = strdup(line);
    bool numbers = false, empty = false;
    char *field;

    if (!copy)
        return fault(r, "no memory");
    r->separator = separator_of(line);
    for (r->rest = copy; (field = next_field(r)); ++r->cols) {
        numbers = numbers || like_number(field);
        empty = empty || !*field;
    }
    free(copy);
    r->rest = line;
    r->header = !numbers && !empty;
    return true;
}

static bool read_row(reader_t *r)
{
    int64_t j = 0;
    char *field;

    for (; (field = next_field(r)); ++j) {
        double value;
        if (j >= r->cols)
            continue;
        if (!*field)
            return fault(r, "field %" PRId64 " is empty", j + 1);
        if (!source_number(r->source, field, &value) || !put(r, value))
            return false;
    }
    if (j != r->cols)
        return fault(r,
                     "%" PRId64 " field%s, but line %" PRId64 " has %" PRId64,
                     j, j == 1 ? "" : "s", r->source->size_line, r->cols);
    ++r->rows;
    return true;
}

static bool read_rows(reader_t *r)
{
    enum line got = next_line(r);

    if (got == END) {
        r->source->line = 0;
        return fault(r, "holds no numbers");
    }
    if (got != LINE || !read_first(r))
        return false;
    r->source->size_line = r->source->line;
    if (r->header)
        got = next_line(r);
    for (; got == LINE; got = next_line(r))
        if (!read_row(r))
            return false;
    if (got == END && r->rows == 0)
        return fault(r, "no numbers: none of Matrix Market, NumPy and CSV");
    return got == END;
}

static bool by_columns(const reader_t *r, matrix_t *A)
{
    if (!source_create(r->source, A, r->rows, r->cols, 1))
        return false;
    for (int64_t i = 0; i < r->rows; ++i)
        for (int64_t j = 0; j < r->cols; ++j)
            A->at[i + j * r->rows] = r->at[i * r->cols + j];
    return true;
}

bool csv_parse(source_t *s, matrix_t *A)
{
    reader_t r = {.source = s};

    *A = (matrix_t){0};
    const bool done = read_rows(&r) && by_columns(&r, A);
    free(r.at);
    return done;
}
