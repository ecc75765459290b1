/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stage.h -- files that appear whole, all of them or none.
 *
 * Each is written under a temporary name beside its own; stage_commit gives all
 * of them their names, and stage_discard removes them.  In between SIGHUP,
 * SIGINT, SIGTERM and SIGPIPE make the next stage_close or the commit fail, and a file
 * size limit is an error like any other.
 *
 * The commit sets the files of before aside, all of them, before the first new one
 * gets its name: whenever it is stopped, no old file stands beside a new one.  If it
 * fails, they get their names back.
 */
#ifndef GSVD_TOOLS_STAGE_H
#define GSVD_TOOLS_STAGE_H

#include <stdbool.h>
#include <stdio.h>

enum { STAGE_FILES = 24 };

typedef struct stage {
    struct {
        char *name;
        char *temporary; /* or NULL: no file is to have the name any more    */
        char *aside;     /* of the file of before, while there is one        */
    } file[STAGE_FILES];
    int count;
    char *directory; /* that was made and goes again; or NULL                */
    FILE *out;       /* the last of the files, while it is written           */
} stage_t;

/* From now on signals wait. */
void stage_begin(stage_t *s);

/* Has a signal come since? */
bool stage_is_stopped(void);

/* Makes the directory, where there is none yet.  All functions: false (NULL),
 * with a line on stderr, if it cannot be done. */
bool stage_directory(stage_t *s, const char *path);

/* A stream for the file DIRECTORY/NAME, or NAME if directory is NULL. */
FILE *stage_open(stage_t *s, const char *directory, const char *name);

/* The file is whole, if so far it is. */
bool stage_close(stage_t *s, bool whole);

/* The file is to go. */
bool stage_remove(stage_t *s, const char *directory, const char *name);

/* Is there such a file?  And a stream to read it, NULL if not. */
bool stage_has(const char *directory, const char *name);
FILE *stage_look(const char *directory, const char *name);

/* Ends what stage_begin began. */
bool stage_commit(stage_t *s);
void stage_discard(stage_t *s);

#endif /* GSVD_TOOLS_STAGE_H */
