/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stage.h -- files that appear whole, all of them or none.
 *
 * Each is written under a temporary name beside its own; stage_commit gives all
 * of them their names, and stage_discard removes them.  In between SIGHUP,
 * SIGINT and SIGTERM make the next stage_close or the commit fail, and a file
 * size limit is an error like any other.
 */
#ifndef GSVD_TOOLS_STAGE_H
#define GSVD_TOOLS_STAGE_H

#include <stdbool.h>
#include <stdio.h>

enum { STAGE_FILES = 10 };

typedef struct stage {
    struct {
        char *name, *temporary;
    } file[STAGE_FILES];
    int count;
    char *directory; /* that was made and goes again; or NULL                */
    FILE *out;       /* the last of the files, while it is written           */
} stage_t;

/* From now on signals wait. */
void stage_begin(stage_t *s);

/* Makes the directory, where there is none yet.  All functions: false (NULL),
 * with a line on stderr, if it cannot be done. */
bool stage_directory(stage_t *s, const char *path);

/* A stream for the file DIRECTORY/NAME, or NAME if directory is NULL. */
FILE *stage_open(stage_t *s, const char *directory, const char *name);

/* The file is whole, if so far it is. */
bool stage_close(stage_t *s, bool whole);

/* Ends what stage_begin began. */
bool stage_commit(stage_t *s);
void stage_discard(stage_t *s);

#endif /* GSVD_TOOLS_STAGE_H */
