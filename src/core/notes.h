/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* notes.h [1] -- what measuring a call says of the steps that it is made of: a tree of lines,
 * for gsvd_plan_describe.
 *
 * A handle that a plan is being made for has notes, and others have none: then these do nothing. */
#ifndef GSVD_CORE_NOTES_H
#define GSVD_CORE_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "gsvd.h"

#if defined __cplusplus
extern "C" {
#endif

enum { NOTES = 64, NOTE_TEXT = 96, NOTE_DEPTH = 8 };

typedef struct notes {
    struct {
        char text[NOTE_TEXT];
        size_t bytes;
        double seconds;
        int depth;
    } line[NOTES];
    int count; /* More than there is room for are counted, and not kept.     */
    int depth; /* steps that have begun and not ended; of the innermost ones beyond NOTE_DEPTH
                  nothing is kept                                            */
    int open[NOTE_DEPTH]; /* their lines, as line_of reads them (notes.c) */
    double
        seconds[NOTE_DEPTH]; /* of the parts of each so far; [0]: of the call */
} notes_t;

/* A step begins: those until it ends are parts of it.  What was said in the same words of the same
 * step is not said again: its bytes are the larger ones, its seconds the sum. */
void gsvd_note_begin(gsvd_handle_t h, const char *format, ...);
/* The step that began last ends.  It takes so many bytes, its parts included; so many seconds, and
 * those of its parts, `times` times.  Returns the bytes. */
size_t gsvd_note_end(gsvd_handle_t h, size_t bytes, double seconds,
                     double times);
/* A step without parts */
void gsvd_note(gsvd_handle_t h, size_t bytes, const char *format, ...);

/* A step of a call whose steps take the same memory in turn: *most := max(*most, bytes).  What is
 * noted while the bytes are counted are its parts.  rows x cols: the shape that is told */
#define GSVD_STEP(ex, most, what, rows, cols, bytes, seconds)                  \
    do {                                                                       \
        gsvd_note_begin((ex)->h, "%s, %lld x %lld", what, (long long)(rows),   \
                        (long long)(cols));                                    \
        const size_t bytes_ = (bytes);                                         \
        (void)gsvd_note_end((ex)->h, bytes_, seconds, 1);                      \
        *(most) = bytes_ > *(most) ? bytes_ : *(most);                         \
    } while (0)

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_NOTES_H */
