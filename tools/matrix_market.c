/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix_market.c -- reads and writes a Matrix Market file.
 *
 *     %%MatrixMarket matrix <layout> <field> <symmetry>
 *     rows columns             array: entries by columns, one a line
 *     rows columns entries     coordinate: row, column (from 1), entry
 *
 * A symmetric or hermitian file holds the lower triangle, a skew-symmetric one
 * what lies below the diagonal.
 */
#include "matrix_market.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELDS = 6 }; /* one more than the longest line that is in order */

enum layout { ARRAY, COORDINATE };
enum field { REAL, INTEGER, COMPLEX, PATTERN };
enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN };

static const char *const layout_names[] = {"array", "coordinate", NULL};
static const char *const field_names[] = {"real", "integer", "complex",
                                          "pattern", NULL};
static const char *const symmetry_names[] = {
    "general", "symmetric", "skew-symmetric", "hermitian", NULL};

typedef struct reader {
    source_t *source;
    char *field[FIELDS]; /* of the present line */
    int fields;
    int layout, kind, symmetry;
} reader_t;

#define fault(r, ...) source_fault((r)->source, __VA_ARGS__)

static void split(reader_t *r)
{
    static const char *const blank = " \t\r\n\v\f";
    char *s = r->source->text + strspn(r->source->text, blank);

    for (r->fields = 0; *s && r->fields < FIELDS; ++r->fields) {
        r->field[r->fields] = s;
        s += strcspn(s, blank);
        if (*s)
            *s++ = '\0';
        s += strspn(s, blank);
    }
}

/* The next line that is neither blank nor a comment, cut into fields. */
static enum line next_line(reader_t *r)
{
    enum line got;

    while ((got = source_line(r->source)) == LINE) {
        split(r);
        if (r->fields > 0 && r->field[0][0] != '%')
            return LINE;
    }
    return got;
}

/* The place of word in names, case aside; -1 if it is not there. */
static int find(const char *word, const char *const *names)
{
    for (int i = 0; names[i]; ++i)
        if (strcasecmp(word, names[i]) == 0)
            return i;
    return -1;
}

static bool read_header(reader_t *r)
{
    const enum line got = source_line(r->source);

    if (got == FAULT)
        return false;
    if (got == END)
        return fault(r, "not a Matrix Market file: it is empty");
    split(r);
    if (r->fields == 0 || strcasecmp(r->field[0], "%%MatrixMarket") != 0)
        return fault(r, "not a Matrix Market file: "
                        "it does not begin with %%%%MatrixMarket");
    if (r->fields != 5)
        return fault(r, "expected %%%%MatrixMarket matrix, layout, field and "
                        "symmetry");
    if (strcasecmp(r->field[1], "matrix") != 0)
        return fault(r, "'%.32s' is not read, only 'matrix'", r->field[1]);
    r->layout = find(r->field[2], layout_names);
    if (r->layout < 0)
        return fault(r, "'%.32s' is neither array nor coordinate", r->field[2]);
    r->kind = find(r->field[3], field_names);
    if (r->kind < 0)
        return fault(r, "'%.32s' is none of real, integer, complex, pattern",
                     r->field[3]);
    r->symmetry = find(r->field[4], symmetry_names);
    if (r->symmetry < 0)
        return fault(r,
                     "'%.32s' is none of general, symmetric, "
                     "skew-symmetric, hermitian",
                     r->field[4]);
    if (r->kind == PATTERN && r->layout == ARRAY)
        return fault(r, "an array has entries, it cannot be a pattern");
    if (r->kind == PATTERN && r->symmetry >= SKEW)
        return fault(r, "a pattern cannot be %s", symmetry_names[r->symmetry]);
    if (r->kind != COMPLEX && r->symmetry == HERMITIAN)
        return fault(r, "only a complex matrix can be hermitian");
    return r->kind != COMPLEX || source_takes_complex(r->source);
}

/* A whole number that fits int64_t. */
static bool parse_whole(reader_t *r, const char *word, int64_t *value)
{
    char *end;

    errno = 0;
    const long long v = strtoll(word, &end, 10);
    if (end == word || *end)
        return fault(r, "'%.32s' is not a whole number", word);
    if (errno == ERANGE)
        return fault(r, "'%.32s' is too large", word);
    *value = v;
    return true;
}

static bool parse_size(reader_t *r, const char *word, int64_t *value)
{
    if (!parse_whole(r, word, value))
        return false;
    if (*value < 0)
        return fault(r, "the size %" PRId64 " is negative", *value);
    return true;
}

static bool parse_index(reader_t *r, const char *word, const char *name,
                        int64_t size, int64_t *value)
{
    if (!parse_whole(r, word, value))
        return false;
    if (*value < 1 || *value > size)
        return fault(r, "%s %" PRId64 " is not in 1..%" PRId64, name, *value,
                     size);
    --*value;
    return true;
}

static bool parse_number(reader_t *r, const char *word, double *value)
{
    if (!source_number(r->source, word, value))
        return false;
    if (r->kind == INTEGER && *value != floor(*value))
        return fault(r, "'%.32s' is not an integer", word);
    return true;
}

static bool read_size(reader_t *r, matrix_t *A, int64_t *entries)
{
    const int expected = r->layout == ARRAY ? 2 : 3;
    const int width = r->kind == COMPLEX ? 2 : 1;
    int64_t size[3] = {0};
    const enum line got = next_line(r);

    if (got == FAULT)
        return false;
    if (got == END)
        return fault(r, "the file ends before its sizes");
    if (r->fields != expected)
        return fault(r, "expected %s",
                     r->layout == ARRAY ? "2 sizes: rows and columns"
                                        : "3 sizes: rows, columns, entries");
    for (int i = 0; i < expected; ++i)
        if (!parse_size(r, r->field[i], &size[i]))
            return false;
    if (r->symmetry != GENERAL && size[0] != size[1])
        return fault(r, "%s, but %" PRId64 " by %" PRId64,
                     symmetry_names[r->symmetry], size[0], size[1]);
    if (!source_create(r->source, A, size[0], size[1], width))
        return false;

    const int64_t m = size[0], n = size[1];
    if (r->layout == COORDINATE)
        *entries = size[2];
    else if (r->symmetry == GENERAL)
        *entries = m * n;
    else /* one of n, n +- 1 is even; n^2 fits, so this does */
        *entries = (r->symmetry == SKEW ? n - 1 : n + 1) * n / 2;
    return true;
}

/* Adds z, with the signs of its parts, to entry (i, j) if it is here. */
static bool add(reader_t *r, matrix_t *A, int64_t i, int64_t j,
                const double sign[2], const double z[2])
{
    double *const a = matrix_entry(A, i, j);

    for (int c = 0; a && c < A->width; ++c) {
        a[c] += sign[c] * z[c];
        if (!source_in_range(r->source, a[c]))
            return fault(r,
                         "the entries at (%" PRId64 ", %" PRId64 ") add up "
                         "to infinity",
                         i + 1, j + 1);
    }
    return true;
}

/* Adds z to entry (i, j) and what the symmetry makes of it to (j, i). */
static bool put(reader_t *r, matrix_t *A, int64_t i, int64_t j,
                const double z[2])
{
    static const double sign[][2] = {[GENERAL] = {1, 1},
                                     [SYMMETRIC] = {1, 1},
                                     [SKEW] = {-1, -1},
                                     [HERMITIAN] = {1, -1}};

    if (r->symmetry != GENERAL && i < j)
        return fault(r,
                     "(%" PRId64 ", %" PRId64 ") is above the diagonal of "
                     "a %s matrix",
                     i + 1, j + 1, symmetry_names[r->symmetry]);
    if (r->symmetry == SKEW && i == j && (z[0] != 0 || z[1] != 0))
        return fault(r, "the diagonal of a skew-symmetric matrix is zero");
    if (r->symmetry == HERMITIAN && i == j && z[1] != 0)
        return fault(r, "the diagonal of a hermitian matrix is real");

    return add(r, A, i, j, sign[GENERAL], z) &&
           (r->symmetry == GENERAL || i == j ||
            add(r, A, j, i, sign[r->symmetry], z));
}

/* One line: for a coordinate file (i, j), and the entry z. */
static bool read_entry(reader_t *r, const matrix_t *A, int64_t done,
                       int64_t entries, int64_t *i, int64_t *j, double z[2])
{
    const int first = r->layout == COORDINATE ? 2 : 0;
    const int numbers = r->kind == PATTERN ? 0 : A->width;
    const enum line got = next_line(r);

    if (got == FAULT)
        return false;
    if (got == END)
        return fault(r,
                     "the file ends after %" PRId64 " of %" PRId64 " entries",
                     done, entries);
    if (r->fields != first + numbers)
        return fault(r, "expected %d number%s on a line", first + numbers,
                     first + numbers == 1 ? "" : "s");
    if (first > 0 &&
        (!parse_index(r, r->field[0], "row", r->source->rows, i) ||
         !parse_index(r, r->field[1], "column", r->source->cols, j)))
        return false;
    for (int c = 0; c < numbers; ++c)
        if (!parse_number(r, r->field[first + c], &z[c]))
            return false;
    return true;
}

static bool read_entries(reader_t *r, matrix_t *A, int64_t entries)
{
    int64_t i = r->symmetry == SKEW ? 1 : 0, j = 0;

    for (int64_t done = 0; done < entries; ++done) {
        double z[2] = {1, 0}; /* a pattern's entry */
        if (!read_entry(r, A, done, entries, &i, &j, z) || !put(r, A, i, j, z))
            return false;
        if (r->layout == ARRAY && ++i == r->source->rows) {
            ++j;
            i = r->symmetry == GENERAL ? 0 : r->symmetry == SKEW ? j + 1 : j;
        }
    }

    const enum line got = next_line(r);
    if (got == LINE)
        return fault(r, "more than the %" PRId64 " entries expected", entries);
    return got == END;
}

bool matrix_market_parse(source_t *s, matrix_t *A)
{
    reader_t r = {.source = s};
    int64_t entries = 0;

    *A = (matrix_t){0};
    bool done = read_header(&r) && read_size(&r, A, &entries);
    s->size_line = s->line;
    done = done && read_entries(&r, A, entries);
    if (!done)
        matrix_free(A);
    return done;
}

bool matrix_market_write(FILE *out, const matrix_t *A, bool single)
{
    const int digits = single ? 9 : 17;

    fprintf(out,
            "%%%%MatrixMarket matrix array %s general\n%" PRId64 " %" PRId64
            "\n",
            A->width == 2 ? "complex" : "real", A->rows, A->cols);
    for (int64_t i = 0; i < A->rows * A->cols; ++i) {
        const double *const a = A->at + i * A->width;
        if (A->width == 2)
            fprintf(out, "%.*g %.*g\n", digits, a[0], digits, a[1]);
        else
            fprintf(out, "%.*g\n", digits, a[0]);
        if (ferror(out))
            return false;
    }
    return !ferror(out);
}
