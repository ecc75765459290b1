/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* npy.c -- reads and writes a NumPy .npy file.
 *
 *     \x93NUMPY  major minor  length  header  entries
 *
 * length has 2 bytes in version 1 and 4 in versions 2 and 3, the lowest first.
 * The header is a Python literal:
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }
 */
#include "npy.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 6, HEADER_MOST = 1 << 20, CHUNK = 4096 };

static const unsigned char magic[MAGIC] = {NPY_FIRST, 'N', 'U', 'M', 'P', 'Y'};

typedef struct layout {
    char kind;    /* b bool, i signed, u unsigned, f real, c complex         */
    int bytes;    /* of an entry                                             */
    bool swapped; /* the other byte order than ours                          */
    bool by_columns;
    int64_t rows, cols;
} layout_t;

static bool big_endian(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 0;
}

/* -- the header --------------------------------------------------------------- */

/* The text of the header, to be freed; NULL, told. */
static char *get_header(source_t *s)
{
    unsigned char start[MAGIC + 2], length[4] = {0};

    if (!source_bytes(s, start, sizeof start, "its first bytes"))
        return NULL;
    if (memcmp(start, magic, MAGIC) != 0) {
        source_fault(s, "not a NumPy file: it does not begin with \\x93NUMPY");
        return NULL;
    }
    if (start[MAGIC] < 1 || start[MAGIC] > 3) {
        source_fault(s, "NumPy format %d.%d is not read, only 1.0, 2.0, 3.0",
                     start[MAGIC], start[MAGIC + 1]);
        return NULL;
    }
    if (!source_bytes(s, length, start[MAGIC] == 1 ? 2 : 4, "its header"))
        return NULL;
    const uint32_t count = length[0] | (uint32_t)length[1] << 8 |
                           (uint32_t)length[2] << 16 |
                           (uint32_t)length[3] << 24;
    if (count > HEADER_MOST) {
        source_fault(s, "a header of %" PRIu32 " bytes: too long", count);
        return NULL;
    }
    char *const text = malloc((size_t)count + 1);
    if (!text) {
        source_fault(s, "no memory for the header");
        return NULL;
    }
    text[count] = '\0';
    if (source_bytes(s, text, count, "its header"))
        return text;
    free(text);
    return NULL;
}

/* Past c and the blanks before it; NULL if something else stands there. */
static const char *past(const char *at, char c)
{
    if (!at)
        return NULL;
    at += strspn(at, " \t\n");
    return *at == c ? at + 1 : NULL;
}

/* Past a string in either kind of quotes, whose inside goes to word; NULL. */
static const char *past_string(const char *at, char *word, size_t size)
{
    at += strspn(at, " \t\n");
    if (*at != '\'' && *at != '"')
        return NULL;
    const char *const end = strchr(at + 1, *at);
    if (!end || (size_t)(end - at) > size)
        return NULL;
    memcpy(word, at + 1, (size_t)(end - at - 1));
    word[end - at - 1] = '\0';
    return end + 1;
}

/* Past the type of the entries; NULL, told. */
static const char *past_type(source_t *s, const char *at, layout_t *f)
{
    static const char *const known[] = {"b1", "i1", "i2", "i4", "i8",
                                        "u1", "u2", "u4", "u8", "f4",
                                        "f8", "c8", "c16"};
    char word[16] = "";
    const char *const end = past_string(at, word, sizeof word);

    for (size_t i = 0; end && i < sizeof known / sizeof *known; ++i) {
        if (!strchr("<>=|", word[0]) || strcmp(word + 1, known[i]) != 0)
            continue;
        f->kind = word[1];
        f->bytes = atoi(word + 2);
        f->swapped = word[0] == (big_endian() ? '<' : '>');
        return end;
    }
    const int length = (int)strcspn(at += strspn(at, " \t\n"), ",}");
    source_fault(s,
                 "entries of type %.*s are not read, only bool, "
                 "integers, f4, f8, c8 and c16",
                 length < 40 ? length : 40, at);
    return NULL;
}

static const char *past_flag(source_t *s, const char *at, layout_t *f)
{
    at += strspn(at, " \t\n");
    f->by_columns = strncmp(at, "True", 4) == 0;
    if (f->by_columns || strncmp(at, "False", 5) == 0)
        return at + (f->by_columns ? 4 : 5);
    source_fault(s, "fortran_order is neither True nor False");
    return NULL;
}

/* (), (3,), (3, 2), ... */
static const char *past_shape(source_t *s, const char *at, layout_t *f)
{
    int64_t size[2] = {0, 1};
    int count = 0;

    at = past(at, '(');
    for (; at && !past(at, ')'); ++count) {
        char *end;
        at += strspn(at, " \t\n");
        if (!isdigit((unsigned char)*at)) {
            at = NULL;
            break;
        }
        errno = 0;
        const long long value = strtoll(at, &end, 10);
        if (errno == ERANGE) {
            source_fault(s, "a size in its shape is too large");
            return NULL;
        }
        if (count < 2)
            size[count] = value;
        end += *end == 'L'; /* Python 2 */
        at = past(end, ',') ? past(end, ',') : past(end, ')') ? end : NULL;
    }
    if (!at) {
        source_fault(s, "its shape is no tuple of sizes");
        return NULL;
    }
    if (count != 1 && count != 2) {
        source_fault(s, "an array of %d dimensions: neither matrix nor vector",
                     count);
        return NULL;
    }
    f->rows = size[0];
    f->cols = size[1];
    return past(at, ')');
}

static bool parse_header(source_t *s, const char *text, layout_t *f)
{
    static const struct {
        const char *name;
        const char *(*past)(source_t *, const char *, layout_t *);
    } key[] = {{"descr", past_type},
               {"fortran_order", past_flag},
               {"shape", past_shape}};
    enum { KEYS = sizeof key / sizeof *key };
    bool met[KEYS] = {false};
    const char *at = past(text, '{');

    while (at && !past(at, '}')) {
        char word[32];
        size_t i = 0;
        at = past_string(at, word, sizeof word);
        at = past(at, ':');
        while (at && i < KEYS && strcmp(word, key[i].name) != 0)
            ++i;
        if (!at || i == KEYS || met[i])
            break;
        met[i] = true;
        at = key[i].past(s, at, f);
        if (!at)
            return false;
        at = past(at, ',') ? past(at, ',') : past(at, '}') ? at : NULL;
    }
    if (!at || !past(at, '}') || !met[0] || !met[1] || !met[2])
        return source_fault(s, "its header is not one of NumPy's");
    return true;
}

/* -- the entries -------------------------------------------------------------- */

static void reverse(unsigned char *bytes, int count)
{
    for (int i = 0, j = count - 1; i < j; ++i, --j) {
        const unsigned char byte = bytes[i];
        bytes[i] = bytes[j];
        bytes[j] = byte;
    }
}

double npy_number(char kind, int bytes, const unsigned char *at)
{
    union {
        int8_t i1;
        int16_t i2;
        int32_t i4;
        int64_t i8;
        uint8_t u1;
        uint16_t u2;
        uint32_t u4;
        uint64_t u8;
        float f4;
        double f8;
    } x;

    memcpy(&x, at, (size_t)bytes);
    switch (kind) {
    case 'b': return x.u1 != 0;
    case 'i':
        return bytes == 1   ? (double)x.i1
               : bytes == 2 ? (double)x.i2
               : bytes == 4 ? (double)x.i4
                            : (double)x.i8;
    case 'u':
        return bytes == 1   ? (double)x.u1
               : bytes == 2 ? (double)x.u2
               : bytes == 4 ? (double)x.u4
                            : (double)x.u8;
    default: return bytes == 4 ? (double)x.f4 : x.f8;
    }
}

/* The entry that stands at place index in the file goes to its own in A. */
static bool put(source_t *s, const layout_t *f, matrix_t *A, int64_t index,
                unsigned char *entry)
{
    const int64_t inner = f->by_columns ? f->rows : f->cols;
    const int64_t i = f->by_columns ? index % inner : index / inner;
    const int64_t j = f->by_columns ? index / inner : index % inner;
    const int bytes = f->bytes / A->width;
    double *const a = matrix_entry(A, i, j);

    for (int c = 0; c < A->width; ++c) {
        unsigned char *const part = entry + c * bytes;
        if (f->swapped)
            reverse(part, bytes);
        a[c] = npy_number(f->kind, bytes, part);
        if (!isfinite(a[c]))
            return source_fault(
                s, "entry (%" PRId64 ", %" PRId64 ") is not finite", i + 1,
                j + 1);
        if (!source_in_range(s, a[c]))
            return source_fault(s,
                                "entry (%" PRId64 ", %" PRId64 "), %g, is too "
                                "large for single precision",
                                i + 1, j + 1, a[c]);
    }
    return true;
}

/* The next `count` of all entries, from place `first` on */
static bool get_run(source_t *s, const layout_t *f, matrix_t *A, int64_t first,
                    int64_t count)
{
    unsigned char chunk[CHUNK * 16];
    const int64_t end = first + count;

    for (int64_t done = first; done < end;) {
        const int64_t left = end - done;
        const size_t some = (size_t)(left < CHUNK ? left : CHUNK);
        errno = 0;
        const size_t got = fread(chunk, (size_t)f->bytes, some, s->in);
        if (got < some && ferror(s->in))
            return source_fault(s, "cannot be read: %s", strerror(errno));
        if (got < some)
            return source_fault(
                s, "the file ends after %" PRId64 " of %" PRId64 " entries",
                done + (int64_t)got, f->rows * f->cols);
        for (size_t i = 0; i < some; ++i)
            if (!put(s, f, A, done + (int64_t)i, chunk + i * (size_t)f->bytes))
                return false;
        done += (int64_t)some;
    }
    return true;
}

/* Those of a part, each of its columns, or rows, at its offset; then to the end of all */
static bool get_part(source_t *s, const layout_t *f, matrix_t *A)
{
    const bool turned = !f->by_columns;
    const int64_t inner = turned ? f->cols : f->rows;
    const int64_t from = turned ? A->in.j : A->in.i;
    const int64_t some = turned ? A->cols : A->rows;
    const int64_t outer = turned ? A->in.i : A->in.j;
    const int64_t end = outer + (turned ? A->rows : A->cols);
    const off_t start = ftello(s->in);

    for (int64_t at = outer; at < end; ++at) {
        const int64_t first = at * inner + from;
        if (fseeko(s->in, start + first * f->bytes, SEEK_SET) != 0)
            return source_fault(s, "cannot be read: %s", strerror(errno));
        if (!get_run(s, f, A, first, some))
            return false;
    }
    const int64_t all = f->rows * f->cols;
    if (fseeko(s->in, 0, SEEK_END) != 0)
        return source_fault(s, "cannot be read: %s", strerror(errno));
    const int64_t there = (ftello(s->in) - start) / f->bytes;
    if (there < all)
        return source_fault(
            s, "the file ends after %" PRId64 " of %" PRId64 " entries", there,
            all);
    return fseeko(s->in, start + all * f->bytes, SEEK_SET) == 0;
}

static bool get_entries(source_t *s, const layout_t *f, matrix_t *A)
{
    const int64_t entries = f->rows * f->cols;

    if (!(s->demand.place ? get_part(s, f, A) : get_run(s, f, A, 0, entries)))
        return false;
    return s->is_part || getc(s->in) == EOF ||
           source_fault(s, "more than the %" PRId64 " entries of its shape",
                        entries);
}

bool npy_parse(source_t *s, matrix_t *A)
{
    layout_t f = {0};
    char *const text = get_header(s);

    *A = (matrix_t){0};
    bool done = text && parse_header(s, text, &f) &&
                (f.kind != 'c' || source_takes_complex(s)) &&
                source_create(s, A, f.rows, f.cols, f.kind == 'c' ? 2 : 1);
    free(text);
    done = done && get_entries(s, &f, A);
    if (!done)
        matrix_free(A);
    return done;
}

/* -- writing ------------------------------------------------------------------ */

/* magic, version and length take 10 bytes; all of it a multiple of 64 */
enum { TOTAL = 128, ROOM = TOTAL - 10 };

typedef bool give_op(void *to, const void *bytes, size_t count);

static bool put_header(give_op *give, void *to, int64_t rows, int64_t cols,
                       int width, bool single, bool vector)
{
    char shape[48], text[ROOM + 1];
    const unsigned char start[] = {1, 0, ROOM & 255, ROOM >> 8};

    if (vector)
        snprintf(shape, sizeof shape, "%" PRId64 ",", rows);
    else
        snprintf(shape, sizeof shape, "%" PRId64 ", %" PRId64, rows, cols);
    const int used =
        snprintf(text, sizeof text,
                 "{'descr': '%c%c%d', 'fortran_order': True, 'shape': (%s), }",
                 big_endian() ? '>' : '<', width == 2 ? 'c' : 'f',
                 (single ? 4 : 8) * width, shape);
    memset(text + used, ' ', (size_t)(ROOM - used));
    text[ROOM - 1] = '\n';
    return give(to, magic, MAGIC) && give(to, start, sizeof start) &&
           give(to, text, ROOM);
}

static bool put_numbers(give_op *give, void *to, const double *x, size_t count,
                        bool single)
{
    float some[CHUNK];

    if (!single)
        return give(to, x, count * sizeof *x);
    for (size_t i = 0, n; i < count; i += n) {
        n = count - i < CHUNK ? count - i : CHUNK;
        for (size_t j = 0; j < n; ++j)
            some[j] = (float)x[i + j];
        if (!give(to, some, n * sizeof *some))
            return false;
    }
    return true;
}

bool npy_emit(give_op *give, void *to, const matrix_t *A, bool single,
              bool vector)
{
    return put_header(give, to, A->rows, A->cols, A->width, single, vector) &&
           put_numbers(give, to, A->at, (size_t)(A->rows * A->cols * A->width),
                       single);
}

static bool put_to_file(void *to, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, to) == count;
}

/* Each column at its offset in the file */
static bool put_part(FILE *out, const matrix_t *A, bool single)
{
    const part_t *const in = &A->in;
    const int64_t bytes = (single ? 4 : 8) * A->width;
    const int64_t column = A->rows * A->width;

    if (in->i == 0 && in->j == 0 &&
        !(fseeko(out, 0, SEEK_SET) == 0 &&
          put_header(put_to_file, out, in->rows, in->cols, A->width, single,
                     false)))
        return false;
    for (int64_t j = 0; column > 0 && j < A->cols; ++j) {
        const off_t at = TOTAL + (in->i + (in->j + j) * in->rows) * bytes;
        if (fseeko(out, at, SEEK_SET) != 0 ||
            !put_numbers(put_to_file, out, A->at + j * column, (size_t)column,
                         single))
            return false;
    }
    return true;
}

bool npy_write(FILE *out, const matrix_t *A, bool single, bool vector)
{
    return A->in.rows > 0 || A->in.cols > 0
               ? put_part(out, A, single)
               : npy_emit(put_to_file, out, A, single, vector);
}
