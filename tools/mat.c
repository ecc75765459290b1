/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* mat.c -- see mat.h.
 *
 *     text, version, order of bytes                          128 bytes
 *     for each variable:  miMATRIX, its bytes, and in it
 *         class and flags; sizes; name; real parts; imaginary parts
 *
 * Each element is its type and its bytes, two numbers of 32 bits, and then these, up to a multiple
 * of 8.  One of at most 4 bytes may have both numbers in one word, and itself in the next.
 */
#include "mat.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

enum {
    INT8 = 1,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
    SINGLE,
    DOUBLE = 9,
    INT64 = 12,
    UINT64,
    MATRIX,
    COMPRESSED,
    TYPES
};
enum { DOUBLES = 6, SINGLES = 7, UINTS_64 = 15, COMPLEX = 1 << 11 }; /* class */
enum { HEAD = 128, VERSION_AT = 124, NAME_MOST = 64, CHUNK = 4096 };

/* -- writing ------------------------------------------------------------------ */

static bool put(FILE *out, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, out) == count;
}

static size_t padded(size_t count) { return (count + 7) / 8 * 8; }

static bool put_tag(FILE *out, uint32_t type, size_t bytes)
{
    const uint32_t tag[2] = {type, (uint32_t)bytes};
    return put(out, tag, sizeof tag);
}

static bool put_padding(FILE *out, size_t count)
{
    return put(out, (const char[8]){0}, padded(count) - count);
}

bool mat_begin(FILE *out)
{
    char head[HEAD];
    const uint16_t end[2] = {0x0100, 'M' << 8 | 'I'};

    memset(head, ' ', VERSION_AT - 8);
    memset(head + VERSION_AT - 8, 0, 8);
    memcpy(head, MAT_FIRST ", gsvd", sizeof MAT_FIRST ", gsvd" - 1);
    memcpy(head + VERSION_AT, end, sizeof end);
    return put(out, head, HEAD);
}

/* The real parts, part 0, or the imaginary ones */
static bool put_part(FILE *out, const matrix_t *A, int part, bool single)
{
    const size_t count = (size_t)(A->rows * A->cols);
    const size_t bytes = count * (single ? sizeof(float) : sizeof(double));

    if (!put_tag(out, single ? SINGLE : DOUBLE, bytes))
        return false;
    for (size_t i = 0; i < count; ++i) {
        const double x = A->at[i * (size_t)A->width + (size_t)part];
        const float y = (float)x;
        if (!(single ? put(out, &y, sizeof y) : put(out, &x, sizeof x)))
            return false;
    }
    return put_padding(out, bytes);
}

bool mat_write(FILE *out, const char *name, const matrix_t *A, bool single)
{
    const size_t length = strlen(name);
    const size_t each = single ? sizeof(float) : sizeof(double);
    const size_t part = padded((size_t)(A->rows * A->cols) * each) + 8;
    const size_t all = 16 + 16 + 8 + padded(length) + part * (size_t)A->width;
    const uint32_t flags[2] = {
        (single ? SINGLES : DOUBLES) | (A->width == 2 ? COMPLEX : 0), 0};
    const int32_t sizes[2] = {(int32_t)A->rows, (int32_t)A->cols};

    if (all > UINT32_MAX) {
        errno = EFBIG;
        return false;
    }
    return put_tag(out, MATRIX, all) && put_tag(out, UINT32, sizeof flags) &&
           put(out, flags, sizeof flags) && put_tag(out, INT32, sizeof sizes) &&
           put(out, sizes, sizeof sizes) && put_tag(out, INT8, length) &&
           put(out, name, length) && put_padding(out, length) &&
           put_part(out, A, 0, single) &&
           (A->width == 1 || put_part(out, A, 1, single));
}

/* -- reading ------------------------------------------------------------------ */

/* What is read of a variable */
typedef struct variable {
    char name[NAME_MOST + 1];
    bool is_matrix, is_complex; /* a full matrix of numbers                  */
    int64_t rows, cols;
} variable_t;

static bool get(source_t *s, void *bytes, size_t count)
{
    return source_bytes(s, bytes, count, "a variable");
}

static bool seek(source_t *s, off_t at, int whence)
{
    return fseeko(s->in, at, whence) == 0 ||
           source_fault(s,
                        "a .mat file is searched, which this is not fit "
                        "for: %s",
                        strerror(errno));
}

/* The next element; its bytes are next in the file, and *padding bytes follow them */
static bool get_tag(source_t *s, uint32_t *type, uint32_t *bytes,
                    uint32_t *padding)
{
    uint32_t tag[2];

    if (!get(s, tag, sizeof *tag))
        return false;
    if (tag[0] >> 16) { /* both in one word                                   */
        *type = tag[0] & 0xffff;
        *bytes = tag[0] >> 16;
        *padding = *bytes <= 4 ? 4 - *bytes : 0;
        return *bytes <= 4 ||
               source_fault(s, "a small element of %" PRIu32 " bytes", *bytes);
    }
    if (!get(s, tag + 1, sizeof *tag))
        return false;
    *type = tag[0];
    *bytes = tag[1];
    *padding = (uint32_t)(padded(*bytes) - *bytes);
    return true;
}

/* A short element: its first `most` bytes at the most; *bytes: as many as it has */
static bool get_short(source_t *s, void *to, size_t most, uint32_t *bytes)
{
    uint32_t type, padding;

    if (!get_tag(s, &type, bytes, &padding))
        return false;
    const size_t some = *bytes < most ? *bytes : most;
    return get(s, to, some) &&
           seek(s, (off_t)(*bytes - some + padding), SEEK_CUR);
}

static bool get_head(source_t *s, variable_t *v)
{
    uint32_t flags[2] = {0}, bytes;
    int32_t sizes[2] = {0};

    *v = (variable_t){0};
    if (!get_short(s, flags, sizeof flags, &bytes))
        return false;
    const int class = (int)(flags[0] & 255);
    v->is_complex = flags[0] & COMPLEX;
    if (!get_short(s, sizes, sizeof sizes, &bytes))
        return false;
    v->is_matrix = class >= DOUBLES && class <= UINTS_64 &&
                   bytes == sizeof sizes && sizes[0] >= 0 && sizes[1] >= 0;
    v->rows = sizes[0];
    v->cols = sizes[1];
    return get_short(s, v->name, NAME_MOST, &bytes);
}

/* Real or imaginary parts of A, which may be stored as smaller integers */
static bool get_part(source_t *s, matrix_t *A, int part)
{
    static const struct {
        char kind;
        int bytes;
    } of[TYPES] = {
        [INT8] = {'i', 1},   [UINT8] = {'u', 1},  [INT16] = {'i', 2},
        [UINT16] = {'u', 2}, [INT32] = {'i', 4},  [UINT32] = {'u', 4},
        [SINGLE] = {'f', 4}, [DOUBLE] = {'f', 8}, [INT64] = {'i', 8},
        [UINT64] = {'u', 8}};
    const int64_t count = A->rows * A->cols;
    unsigned char some[CHUNK * 8];
    uint32_t type, bytes, padding;

    if (!get_tag(s, &type, &bytes, &padding))
        return false;
    if (type >= TYPES || of[type].bytes == 0 ||
        bytes != (uint64_t)count * (uint64_t)of[type].bytes)
        return source_fault(s, "a variable that is not in order");
    for (int64_t i = 0; i < count;) {
        const size_t n = count - i < CHUNK ? (size_t)(count - i) : CHUNK;
        if (!get(s, some, n * (size_t)of[type].bytes))
            return false;
        for (size_t j = 0; j < n; ++j, ++i) {
            const double x = npy_number(of[type].kind, of[type].bytes,
                                        some + j * (size_t)of[type].bytes);
            if (!isfinite(x) || !source_in_range(s, x))
                return source_fault(s, "entry (%" PRId64 ", %" PRId64 ") is %s",
                                    i % A->rows + 1, i / A->rows + 1,
                                    isfinite(x)
                                        ? "too large for single precision"
                                        : "not finite");
            A->at[i * A->width + part] = x;
        }
    }
    return seek(s, (off_t)padding, SEEK_CUR);
}

static bool check_head(source_t *s)
{
    char head[HEAD];
    uint16_t order;

    if (!seek(s, 0, SEEK_SET) || !get(s, head, HEAD))
        return false;
    memcpy(&order, head + HEAD - 2, 2);
    return order == ('M' << 8 | 'I') ||
           source_fault(s, "a .mat file in the order of bytes of another "
                           "machine");
}

/* *found := the variable, and the file is behind its name */
static bool find(source_t *s, const char *name, variable_t *found)
{
    char names[128] = "";
    int count = 0, wanted = 0, c;
    off_t at = 0, end = HEAD;

    while ((c = getc(s->in)) != EOF) {
        uint32_t type, bytes, padding;
        variable_t v;
        ungetc(c, s->in);
        if (!get_tag(s, &type, &bytes, &padding))
            return false;
        const off_t next = ftello(s->in) + (off_t)bytes;
        if (type == COMPRESSED)
            return source_fault(s, "compressed, which is not read; save -v6 in "
                                   "MATLAB, -6 in Octave, does not");
        if (type == MATRIX) {
            if (!get_head(s, &v))
                return false;
            if (v.is_matrix && (!name || strcmp(v.name, name) == 0)) {
                *found = v;
                at = ftello(s->in);
                ++wanted;
            }
            const size_t used = strlen(names);
            if (v.is_matrix)
                snprintf(names + used, sizeof names - used, "%s%s",
                         count++ ? ", " : "", v.name);
        }
        if (!seek(s, next, SEEK_SET))
            return false;
        end = next;
    }
    if (!seek(s, 0, SEEK_END))
        return false;
    if (ftello(s->in) < end)
        return source_fault(s, "the file ends within a variable");
    if (wanted == 1)
        return seek(s, at, SEEK_SET);
    if (count == 0)
        return source_fault(s, "a .mat file without full matrices of numbers");
    return wanted > 1
               ? source_fault(s,
                              "%d matrices; say which, as in FILE.mat:NAME: %s",
                              wanted, names)
               : source_fault(s, "no matrix %.40s, but %s", name, names);
}

bool mat_parse(source_t *s, const char *name, matrix_t *A)
{
    variable_t v = {0};

    *A = (matrix_t){0};
    if (!check_head(s) || !find(s, name, &v) ||
        (v.is_complex && !source_takes_complex(s)) ||
        !source_create(s, A, v.rows, v.cols, v.is_complex ? 2 : 1))
        return false;
    if (get_part(s, A, 0) && (!v.is_complex || get_part(s, A, 1)))
        return true;
    matrix_free(A);
    return false;
}
