/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* notes.c [1] -- see notes.h. */
#include "core/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/handle.h"

/* The line of that text in the step that goes on, or -1 */
static int find(const notes_t *n, const char *text)
{
    for (int i = n->count < NOTES ? n->count - 1 : NOTES - 1;
         i >= 0 && n->line[i].depth >= n->depth; --i)
        if (n->line[i].depth == n->depth && strcmp(n->line[i].text, text) == 0)
            return i;
    return -1;
}

/* The line of a step that has begun.  Below 0: of one that was told before, whose parts are not told
 * again. */
static int line_of(int open) { return open < 0 ? -1 - open : open; }

static int is_told_again(const notes_t *n)
{
    return n->depth > 0 && n->depth < NOTE_DEPTH && n->open[n->depth] < 0;
}

/* A line with that text; one that says the same is found again, *again.  NOTES: it is not kept. */
static int add(notes_t *n, int *again, const char *format, va_list args)
{
    char text[NOTE_TEXT];
    *again = 1;
    if (is_told_again(n))
        return NOTES;
    vsnprintf(text, sizeof text, format, args);
    const int old = find(n, text), line = old >= 0 ? old : n->count++;
    *again = old >= 0;
    if (old < 0 && line < NOTES) {
        memset(&n->line[line], 0, sizeof n->line[line]);
        memcpy(n->line[line].text, text, sizeof text);
        n->line[line].depth = n->depth;
    }
    return line;
}

static void set_bytes(notes_t *n, int line, size_t bytes)
{
    if (line < NOTES && bytes > n->line[line].bytes)
        n->line[line].bytes = bytes;
}

void gsvd_note_begin(gsvd_handle_t h, const char *format, ...)
{
    notes_t *const n = h->notes;
    int again;
    va_list args;
    if (!n)
        return;
    va_start(args, format);
    const int line = add(n, &again, format, args);
    va_end(args);
    if (++n->depth >= NOTE_DEPTH)
        return;
    n->open[n->depth] = again ? -1 - line : line;
    n->seconds[n->depth] = 0;
}

size_t gsvd_note_end(gsvd_handle_t h, size_t bytes, double seconds,
                     double times)
{
    notes_t *const n = h->notes;
    if (!n || n->depth-- >= NOTE_DEPTH)
        return bytes;
    const int line = line_of(n->open[n->depth + 1]);
    const double all = seconds + times * n->seconds[n->depth + 1];
    n->seconds[n->depth] += all;
    set_bytes(n, line, bytes);
    if (line < NOTES)
        n->line[line].seconds += all;
    return bytes;
}

void gsvd_note(gsvd_handle_t h, size_t bytes, const char *format, ...)
{
    int again;
    va_list args;
    if (!h->notes)
        return;
    va_start(args, format);
    const int line = add(h->notes, &again, format, args);
    va_end(args);
    set_bytes(h->notes, line, bytes);
}
