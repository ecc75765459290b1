/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* notes.h [1] -- what measuring a call says of the steps that it is made of: a tree of lines,
 * for gsvd_plan_describe.
 *
 * A handle that a plan is being made for has notes, and others have none: then these do nothing. */
#ifndef GSVD_CORE_NOTES_H
#define GSVD_CORE_NOTES_H

#include <stddef.h>

#include "gsvd.h"

#if defined __cplusplus
extern "C" {
#endif

enum { NOTES = 64, NOTE_TEXT = 96 };

typedef struct notes {
    struct {
        char text[NOTE_TEXT];
        size_t bytes;
        int depth;
    } line[NOTES];
    int count; /* More than there is room for are counted, and not kept.     */
    int depth;
} notes_t;

/* A step begins: those until it ends are parts of it.  Returns its line.  What was said in the same
 * words of the same step is not said again: its bytes are the larger ones. */
int gsvd_note_begin(gsvd_handle_t h, const char *format, ...);
/* The step of that line ends; it takes so many bytes, its parts included. */
void gsvd_note_end(gsvd_handle_t h, int line, size_t bytes);
/* A step without parts */
void gsvd_note(gsvd_handle_t h, size_t bytes, const char *format, ...);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_NOTES_H */
