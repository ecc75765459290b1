/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* source.c -- lines, numbers and faults of a file that is being read. */
#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The first line has fewer bytes than 2^28; with a zero behind it they fill that. */
enum { LONGEST = (1 << 28) - 1 };

bool source_fault(source_t *s, const char *format, ...)
{
    read_error_t *e = s->error;
    va_list list;

    va_start(list, format);
    vsnprintf(e->reason, sizeof e->reason, format, list);
    va_end(list);
    /* the file is quoted: let it move no cursor and break no line */
    for (char *c = e->reason; *c; ++c)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    e->line = s->line;
    return false;
}

bool source_bytes(source_t *s, void *bytes, size_t count, const char *what)
{
    errno = 0;
    if (fread(bytes, 1, count, s->in) == count)
        return true;
    return ferror(s->in)
               ? source_fault(s, "cannot be read: %s", strerror(errno))
               : source_fault(s, "the file ends within %s", what);
}

/* Room for one more byte behind these. */
static bool grow(source_t *s, size_t length)
{
    if (length < s->capacity)
        return true;
    const size_t capacity = s->capacity > 0 ? 2 * s->capacity : 256;
    char *const text = realloc(s->text, capacity);
    if (!text)
        return false;
    s->text = text;
    s->capacity = capacity;
    return true;
}

/* getline for the first line, which may be of any file at all: LONGEST bytes of it, and
 * nothing behind a zero byte. */
static ssize_t first_line(source_t *s)
{
    size_t length = 0;
    int c = 0;

    if (!grow(s, 0))
        return -1;
    while (length < LONGEST && c != '\n' && (c = getc(s->in)) != EOF) {
        s->text[length++] = (char)c;
        if (!grow(s, length))
            return -1;
        if (c == '\0')
            break;
    }
    s->text[length] = '\0';
    return length > 0 && !ferror(s->in) ? (ssize_t)length : -1;
}

enum line source_line(source_t *s)
{
    if (s->again) {
        s->again = false;
        return LINE;
    }
    errno = 0;
    const ssize_t length =
        s->line == 0 ? first_line(s) : getline(&s->text, &s->capacity, s->in);

    if (length < 0) {
        if (feof(s->in))
            return END;
        s->line = 0;
        source_fault(s, "cannot be read: %s", strerror(errno));
        return FAULT;
    }
    ++s->line;
    if (s->line == 1 && length == LONGEST && s->text[LONGEST - 1] != '\n') {
        source_fault(s, "it does not end: not a text file");
        return FAULT;
    }
    if (strlen(s->text) != (size_t)length) {
        source_fault(s, "a zero byte: not a text file");
        return FAULT;
    }
    return LINE;
}

bool source_in_range(const source_t *s, double value)
{
    return fabs(value) <= (s->demand.single ? FLT_MAX : DBL_MAX);
}

bool source_number(source_t *s, const char *word, double *value)
{
    char *end;

    *value = strtod(word, &end);
    if (end == word || *end)
        return source_fault(s, "'%.32s' is not a number", word);
    if (!isfinite(*value))
        return source_fault(s, "'%.32s' is not finite", word);
    if (!source_in_range(s, *value))
        return source_fault(s, "'%.32s' is too large for single precision",
                            word);
    return true;
}

bool source_create(source_t *s, matrix_t *A, int64_t rows, int64_t cols,
                   int width)
{
    if (rows > INT32_MAX || cols > INT32_MAX || /* the library's limit       */
        !matrix_fits(rows, cols, width))
        return source_fault(s, "%" PRId64 " by %" PRId64 " entries: too large",
                            rows, cols);
    s->rows = rows;
    s->cols = cols;
    if (!(s->demand.place
              ? matrix_create_part(A, s->demand.place, rows, cols, width)
              : matrix_create(A, rows, cols, width)))
        return source_fault(
            s, "no memory for %" PRId64 " by %" PRId64 " entries", rows, cols);
    return true;
}

bool source_takes_complex(source_t *s)
{
    return !s->demand.real ||
           source_fault(s, "complex, but --real asks for real matrices");
}
