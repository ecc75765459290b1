/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* npz.c -- see npz.h.
 *
 *     for each member:  local header, its name, 64-bit sizes, the .npy file
 *     for each member:  central header, the same once more, and where the local one is
 *     the end, with 64-bit numbers, where that is, and the end of old
 *
 * Numbers of a zip archive have the lowest byte first.
 */
#include "npz.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

enum { STORED = 0, VERSION = 45, ENCRYPTED = 1, STREAMED = 8 };
enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50 };
enum { LOCAL_BYTES = 30, ZIP64 = 1, NAME_MOST = 512, CHUNK = 1 << 16 };

/* -- CRC-32 ------------------------------------------------------------------- */

static uint32_t crc_of(uint32_t crc, const unsigned char *bytes, size_t count)
{
    static uint32_t table[256];

    for (uint32_t i = 0; table[255] == 0 && i < 256; ++i) {
        uint32_t x = i;
        for (int bit = 0; bit < 8; ++bit)
            x = x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1;
        table[i] = x;
    }
    crc = ~crc;
    for (size_t i = 0; i < count; ++i)
        crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
    return ~crc;
}

/* -- writing ------------------------------------------------------------------ */

static unsigned char *number(unsigned char *at, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        at[i] = (unsigned char)(x >> 8 * i & 255);
    return at + bytes;
}

static bool put(npz_t *z, const void *bytes, size_t count)
{
    z->at += count;
    return fwrite(bytes, 1, count, z->out) == count;
}

typedef struct sum {
    uint32_t crc;
    uint64_t size;
} sum_t;

static bool add_up(void *to, const void *bytes, size_t count)
{
    sum_t *const sum = to;
    sum->crc = crc_of(sum->crc, bytes, count);
    sum->size += count;
    return true;
}

static bool put_member(void *to, const void *bytes, size_t count)
{
    return put(to, bytes, count);
}

/* What the local and the central header have in common, up to the length of the extra field */
static unsigned char *common(unsigned char *at, uint32_t crc, size_t name,
                             size_t extra)
{
    at = number(at, VERSION, 2);
    at = number(at, 0, 2);
    at = number(at, STORED, 2);
    at = number(at, 0, 2);          /* 0:00 of ...                            */
    at = number(at, 1 << 5 | 1, 2); /* 1980-01-01                             */
    at = number(at, crc, 4);
    at = number(at, UINT32_MAX, 4); /* Sizes are in the extra field.          */
    at = number(at, UINT32_MAX, 4);
    at = number(at, name, 2);
    return number(at, extra, 2);
}

bool npz_write(npz_t *z, const char *name, const matrix_t *A, bool single,
               bool vector)
{
    unsigned char head[LOCAL_BYTES], extra[20], *at = head;
    sum_t sum = {0, 0};

    if (z->count == NPZ_MOST)
        return false;
    npy_emit(add_up, &sum, A, single, vector);
    const int i = z->count++;
    snprintf(z->member[i].name, sizeof z->member[i].name, "%.11s.npy", name);
    z->member[i].crc = sum.crc;
    z->member[i].size = sum.size;
    z->member[i].at = z->at;
    at = number(at, LOCAL, 4);
    common(at, sum.crc, strlen(z->member[i].name), sizeof extra);
    at = number(extra, ZIP64, 2);
    at = number(at, 16, 2);
    at = number(at, sum.size, 8);
    number(at, sum.size, 8);
    return put(z, head, sizeof head) &&
           put(z, z->member[i].name, strlen(z->member[i].name)) &&
           put(z, extra, sizeof extra) &&
           npy_emit(put_member, z, A, single, vector);
}

static bool put_central(npz_t *z, int i)
{
    unsigned char head[46], extra[28], *at = head;
    const size_t name = strlen(z->member[i].name);

    at = number(at, CENTRAL, 4);
    at = number(at, VERSION, 2);
    at = common(at, z->member[i].crc, name, sizeof extra);
    at = number(at, 0, 8); /* comment, disk, attributes                       */
    at = number(at, 0, 2);
    number(at, UINT32_MAX, 4);
    at = number(extra, ZIP64, 2);
    at = number(at, 24, 2);
    at = number(at, z->member[i].size, 8);
    at = number(at, z->member[i].size, 8);
    number(at, z->member[i].at, 8);
    return put(z, head, sizeof head) && put(z, z->member[i].name, name) &&
           put(z, extra, sizeof extra);
}

bool npz_end(npz_t *z)
{
    const uint64_t first = z->at;
    unsigned char end[56 + 20 + 22], *at = end;

    for (int i = 0; i < z->count; ++i)
        if (!put_central(z, i))
            return false;
    const uint64_t last = z->at;
    at = number(at, 0x06064b50, 4);
    at = number(at, 44, 8); /* bytes that follow of this record               */
    at = number(at, VERSION, 2);
    at = number(at, VERSION, 2);
    at = number(at, 0, 8);
    at = number(at, (uint64_t)z->count, 8);
    at = number(at, (uint64_t)z->count, 8);
    at = number(at, last - first, 8);
    at = number(at, first, 8);
    at = number(at, 0x07064b50, 4);
    at = number(at, 0, 4);
    at = number(at, last, 8);
    at = number(at, 1, 4);
    at = number(at, 0x06054b50, 4);
    at = number(at, 0, 4);
    at = number(at, (uint64_t)z->count, 2);
    at = number(at, (uint64_t)z->count, 2);
    at = number(at, UINT32_MAX, 4);
    at = number(at, UINT32_MAX, 4);
    number(at, 0, 2);
    return put(z, end, sizeof end);
}

/* -- reading ------------------------------------------------------------------ */

typedef struct member {
    char name[NAME_MOST + 1]; /* without .npy                                */
    bool is_array;
    int method, flags;
    uint32_t crc;
    uint64_t size, packed;
} member_t;

static uint64_t take(const unsigned char *at, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes - 1; i >= 0; --i)
        x = x << 8 | at[i];
    return x;
}

static bool get(source_t *s, void *bytes, size_t count)
{
    return source_bytes(s, bytes, count, "the archive");
}

static bool skip(source_t *s, uint64_t count)
{
    return (count <= INT64_MAX && fseeko(s->in, (off_t)count, SEEK_CUR) == 0) ||
           source_fault(s,
                        "an .npz file is searched, which this is not fit "
                        "for: %s",
                        strerror(errno));
}

/* The sizes of 64 bits, in a local header */
static void widen(member_t *m, const unsigned char *extra, size_t bytes)
{
    for (size_t i = 0; i + 4 <= bytes;) {
        const size_t length = (size_t)take(extra + i + 2, 2);
        if (take(extra + i, 2) == ZIP64 && length >= 16 && i + 20 <= bytes) {
            m->size = take(extra + i + 4, 8);
            m->packed = take(extra + i + 12, 8);
        }
        i += 4 + length;
    }
}

/* The next member, whose bytes are next in the file; *end: there is none */
static bool next_member(source_t *s, member_t *m, bool *end)
{
    unsigned char head[LOCAL_BYTES], extra[UINT16_MAX];

    *end = false;
    if (!get(s, head, 4))
        return false;
    if (take(head, 4) != LOCAL) {
        *end = true;
        return true;
    }
    if (!get(s, head + 4, LOCAL_BYTES - 4))
        return false;
    const size_t name = (size_t)take(head + 26, 2);
    const size_t more = (size_t)take(head + 28, 2);
    m->flags = (int)take(head + 6, 2);
    m->method = (int)take(head + 8, 2);
    m->crc = (uint32_t)take(head + 14, 4);
    m->packed = take(head + 18, 4);
    m->size = take(head + 22, 4);
    if (name > NAME_MOST)
        return source_fault(s, "a name of %zu characters in the archive", name);
    if (!get(s, m->name, name) || !get(s, extra, more))
        return false;
    m->name[name] = '\0';
    if (m->size == UINT32_MAX || m->packed == UINT32_MAX)
        widen(m, extra, more);
    m->is_array = name > 4 && strcmp(m->name + name - 4, ".npy") == 0;
    if (m->is_array)
        m->name[name - 4] = '\0';
    if (m->flags & STREAMED && m->packed == 0)
        return source_fault(s, "written to a stream: sizes are missing");
    return true;
}

static bool is_wanted(const member_t *m, const char *name)
{
    return m->is_array && (!name || strcmp(m->name, name) == 0);
}

/* *found := the member, and the file is at its bytes */
static bool find(source_t *s, const char *name, member_t *found)
{
    char names[128] = "";
    int count = 0, wanted = 0;
    off_t at = 0;

    for (;;) {
        member_t m;
        bool end;
        if (!next_member(s, &m, &end))
            return false;
        if (end)
            break;
        if (is_wanted(&m, name)) {
            *found = m;
            at = ftello(s->in);
            ++wanted;
        }
        const size_t used = strlen(names);
        if (m.is_array)
            snprintf(names + used, sizeof names - used, "%s%.99s",
                     count++ ? ", " : "", m.name);
        if (!skip(s, m.packed))
            return false;
    }
    if (wanted == 1)
        return fseeko(s->in, at, SEEK_SET) == 0 ||
               source_fault(s, "cannot be read: %s", strerror(errno));
    if (count == 0)
        return source_fault(s, "a zip archive without .npy files");
    return wanted > 1
               ? source_fault(s,
                              "%d arrays; say which, as in FILE.npz:NAME: %s",
                              wanted, names)
               : source_fault(s, "no array %.40s, but %s", name, names);
}

/* The bytes are those that were written; the file is at the first one again. */
static bool verify(source_t *s, const member_t *m)
{
    unsigned char bytes[CHUNK];
    const off_t at = ftello(s->in);
    uint32_t crc = 0;

    for (uint64_t left = m->size; left > 0;) {
        const size_t some = left < CHUNK ? (size_t)left : CHUNK;
        if (!get(s, bytes, some))
            return false;
        crc = crc_of(crc, bytes, some);
        left -= some;
    }
    return (crc == m->crc && fseeko(s->in, at, SEEK_SET) == 0) ||
           source_fault(s, "%.40s.npy is damaged: its checksum is not right",
                        m->name);
}

bool npz_parse(source_t *s, const char *name, matrix_t *A)
{
    member_t m;

    *A = (matrix_t){0};
    if (fseeko(s->in, 0, SEEK_SET) != 0)
        return source_fault(s,
                            "an .npz file is searched, which this is not "
                            "fit for: %s",
                            strerror(errno));
    if (!find(s, name, &m))
        return false;
    if (m.method != STORED || m.flags & ENCRYPTED || m.size != m.packed)
        return source_fault(s,
                            "%.40s.npy is compressed or encrypted, which is "
                            "not read; numpy.savez does neither",
                            m.name);
    if (!verify(s, &m))
        return false;
    const off_t at = ftello(s->in);
    s->is_part = true;
    if (!npy_parse(s, A))
        return false;
    if ((uint64_t)(ftello(s->in) - at) == m.size)
        return true;
    matrix_free(A);
    return source_fault(s, "%.40s.npy has not the size of its shape", m.name);
}
