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
    bool header;    /* the first line is one                                 */
    bool corner;    /* and its first field is empty                          */
    bool labels;    /* the first field of each row is one                    */
    int64_t first_fields; /* of the first line                               */
    int64_t fields;       /* of each row                                     */
    int64_t lead;         /* of these are left out at the left               */
    int64_t rows, cols;
    double *at; /* the entries, by rows                                      */
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

static bool is_number(const char *word)
{
    char *end;

    strtod(word, &end);
    return end != word && !*end;
}

/* A number, or what begins like one: a decimal comma, a complex number. */
static bool like_number(const char *word)
{
    if (is_number(word))
        return true;
    word += *word == '(';
    word += *word == '+' || *word == '-';
    word += *word == '.';
    return isdigit((unsigned char)*word);
}

/* A label may begin with digits, as a date does; what may be meant for a number with a
 * decimal comma, for a complex number, or for a quoted field, is none. */
static bool like_label(const char *word)
{
    const size_t length = strlen(word);

    if (length == 0 || word[0] == '"' || is_number(word))
        return false;
    return !like_number(word) ||
           !(strchr(word, ',') || strchr("ij)", word[length - 1]));
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

/* -- what the table looks like ------------------------------------------------ */

typedef struct outline {
    int64_t fields;
    bool label;   /* the first field may be one                              */
    bool corner;  /* the first field is empty                                */
    bool numbers; /* a field, but for the leading ones, is like a number     */
    bool empty;   /* a field, but for the leading ones and the first, is     */
} outline_t;

/* How the present line looks when lead leading fields do not count; a copy of it is
 * cut. */
static bool outline(reader_t *r, int64_t lead, outline_t *o)
{
    char *const line = r->rest, *const copy = strdup(line);
    char *field;

    if (!copy)
        return fault(r, "no memory");
    *o = (outline_t){0};
    for (r->rest = copy; (field = next_field(r)); ++o->fields) {
        if (o->fields == 0) {
            o->label = like_label(field);
            o->corner = !*field;
        }
        if (o->fields >= lead) {
            o->numbers = o->numbers || like_number(field);
            o->empty = o->empty || (o->fields > 0 && !*field);
        }
    }
    free(copy);
    r->rest = line;
    return true;
}

/* The first line tells the separator, and may be a header. */
static bool see_first(reader_t *r)
{
    const demand_t *const demand = &r->source->demand;
    outline_t line;

    r->separator = separator_of(r->rest);
    r->source->size_line = r->source->line;
    if (!outline(r, demand->skip_columns, &line))
        return false;
    const int64_t unnamed = demand->skip_given ? demand->skip_columns
                            : line.corner      ? 1
                                               : 0;
    r->header = demand->header ||
                (!line.numbers && !line.empty && line.fields > unnamed);
    r->corner = line.corner;
    r->first_fields = line.fields;
    return true;
}

/* The first row tells how many fields each has, and whether labels lead them: words
 * with numbers behind them. */
static bool see_row(reader_t *r)
{
    source_t *const s = r->source;
    outline_t row;

    if (!outline(r, 1, &row))
        return false;
    r->labels = !s->demand.skip_given && row.label && row.numbers;
    if (r->labels && !r->header) /* a label, or years in a header? */
        return fault(r, "field 1 is not a number; if it is a label, say "
                        "--skip-columns 1, if the line is a header, --header");
    r->fields = row.fields;
    r->lead = r->labels ? 1 : s->demand.skip_columns;
    r->cols = r->fields - r->lead;
    if (r->cols <= 0)
        return fault(
            r, "%" PRId64 " field%s, and --skip-columns leaves out %" PRId64,
            r->fields, r->fields == 1 ? "" : "s", r->lead);
    if (!r->header)
        return true;
    if (r->labels && r->first_fields == r->cols) { /* no name over the labels */
        s->size_line = s->line;
        return true;
    }
    if (r->first_fields != r->fields)
        return fault(r,
                     "%" PRId64 " field%s, but line %" PRId64 " has %" PRId64,
                     r->fields, r->fields == 1 ? "" : "s", s->size_line,
                     r->first_fields);
    if (r->corner && !r->labels && !s->demand.skip_given) {
        s->line = s->size_line;
        return fault(r, "field 1 is empty; if the column below holds labels, "
                        "--skip-columns 1 leaves it out");
    }
    return true;
}

/* -- rows --------------------------------------------------------------------- */

/* A field that is left out. */
static bool pass(reader_t *r, const char *field)
{
    if (!r->labels || !is_number(field))
        return true;
    return fault(r,
                 "'%.32s' is a number, but the first row has a label there; "
                 "see --skip-columns",
                 field);
}

/* 1,5 where fields are parted by something else */
static bool has_decimal_comma(const char *field)
{
    char copy[64], *comma;

    snprintf(copy, sizeof copy, "%s", field);
    comma = strchr(copy, ',');
    if (comma)
        *comma = '.';
    return comma && is_number(copy);
}

static bool take(reader_t *r, const char *field, int64_t j)
{
    double value;

    if (has_decimal_comma(field))
        return fault(r,
                     "'%.32s' has a decimal comma; numbers are read with a "
                     "decimal point",
                     field);

    if (!*field)
        return fault(r, "field %" PRId64 " is empty", j + 1);
    return source_number(r->source, field, &value) && put(r, value);
}

static bool read_row(reader_t *r)
{
    int64_t j = 0;
    char *field;

    for (; (field = next_field(r)); ++j)
        if (j < r->fields &&
            !(j < r->lead ? pass(r, field) : take(r, field, j)))
            return false;
    if (j != r->fields)
        return fault(r,
                     "%" PRId64 " field%s, but line %" PRId64 " has %" PRId64,
                     j, j == 1 ? "" : "s", r->source->size_line, r->fields);
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
    if (got != LINE || !see_first(r))
        return false;
    if (r->header)
        got = next_line(r);
    if (got == LINE && !see_row(r))
        return false;
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

bool csv_write(FILE *out, const matrix_t *A, bool single)
{
    for (int64_t i = 0; i < A->rows; ++i)
        for (int64_t j = 0; j < A->cols; ++j)
            if (fprintf(out, "%.*g%c", single ? 9 : 17, A->at[i + j * A->rows],
                        j + 1 < A->cols ? ',' : '\n') < 0)
                return false;
    return true;
}
