/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stage.c -- files that appear whole, all of them or none. */
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIGNALS = 5, TRIES = 1000 };

/* SIGPIPE comes of the report, whose reader may have gone. */
static const int signals[SIGNALS] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};
static struct sigaction before[SIGNALS];

/* The signal that came, 0 if none did.  A signal reaches the process, whichever
 * of its threads runs, so this is one variable for all. */
static volatile sig_atomic_t arrived;

static void note(int number) { arrived = number; }

bool stage_is_stopped(void) { return arrived; }

/* -- signals ------------------------------------------------------------------ */

void stage_begin(stage_t *s)
{
    *s = (stage_t){0};
    arrived = 0;
    for (int i = 0; i < SIGNALS; ++i) {
        struct sigaction now = {.sa_flags = 0}; /* a blocked write ends */
        now.sa_handler = signals[i] == SIGXFSZ ? SIG_IGN : note;
        sigemptyset(&now.sa_mask);
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &now, NULL);
    }
}

/* What waited comes now. */
static void end(stage_t *s)
{
    for (int i = 0; i < s->count; ++i) {
        free(s->file[i].name);
        free(s->file[i].temporary);
        free(s->file[i].aside);
    }
    free(s->directory);
    *s = (stage_t){0};
    for (int i = 0; i < SIGNALS; ++i)
        sigaction(signals[i], &before[i], NULL);
    if (arrived)
        raise(arrived);
}

/* -- names -------------------------------------------------------------------- */

static bool fault(const char *name, const char *what, int error)
{
    fprintf(stderr, "gsvd: %s: %s%s%s\n", name, what, error ? ": " : "",
            error ? strerror(error) : "");
    return false;
}

static char *joined(const char *directory, const char *name)
{
    const size_t size =
        (directory ? strlen(directory) + 1 : 0) + strlen(name) + 1;
    char *const path = malloc(size);

    if (path)
        snprintf(path, size, "%s%s%s", directory ? directory : "",
                 directory ? "/" : "", name);
    return path;
}

bool stage_directory(stage_t *s, const char *path)
{
    struct stat is;

    if (mkdir(path, 0777) == 0) {
        s->directory = strdup(path);
        if (s->directory)
            return true;
        rmdir(path);
        return fault(path, "no memory", 0);
    }
    if (errno != EEXIST)
        return fault(path, "cannot be created", errno);
    if (stat(path, &is) != 0 || !S_ISDIR(is.st_mode))
        return fault(path, "not a directory", 0);
    return true;
}

/* -- files -------------------------------------------------------------------- */

/* Opens a file of a new name, name.PID.NUMBER; NULL, with errno set. */
static FILE *open_new(const char *name, char **temporary)
{
    const size_t size = strlen(name) + 40;
    int error = EEXIST;

    *temporary = malloc(size);
    for (int i = 0; *temporary && i < TRIES && error == EEXIST; ++i) {
        snprintf(*temporary, size, "%s.%ld.%d", name, (long)getpid(), i);
        const int fd = open(*temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        FILE *const out = fd >= 0 ? fdopen(fd, "wb") : NULL;
        if (out)
            return out;
        error = errno;
        if (fd >= 0) {
            close(fd);
            unlink(*temporary);
        }
    }
    error = *temporary ? error : ENOMEM;
    free(*temporary);
    errno = error;
    return NULL;
}

/* The path, to be freed; NULL, told, if there is no room for one more. */
static char *new_path(const stage_t *s, const char *directory, const char *name)
{
    char *const path = joined(directory, name);

    if (path && s->count < STAGE_FILES)
        return path;
    fault(name, path ? "one file too many" : "no memory", 0);
    free(path);
    return NULL;
}

FILE *stage_open(stage_t *s, const char *directory, const char *name)
{
    char *const path = new_path(s, directory, name);
    char *temporary;
    struct stat is;

    if (!path)
        return NULL;
    if (stat(path, &is) == 0 && !S_ISREG(is.st_mode)) {
        fault(path, "exists and is not a file", 0);
        free(path);
        return NULL;
    }
    s->out = open_new(path, &temporary);
    if (!s->out) {
        fault(path, "cannot be created", errno);
        free(path);
        return NULL;
    }
    s->file[s->count].name = path;
    s->file[s->count++].temporary = temporary;
    errno = 0; /* from here on it is of a write that failed */
    return s->out;
}

bool stage_close(stage_t *s, bool whole)
{
    const char *const name = s->file[s->count - 1].name;
    int error = whole ? 0 : errno;

    /* what the disk refuses it may refuse as late as at fsync or close */
    if (whole && (fflush(s->out) != 0 || ferror(s->out) ||
                  (fsync(fileno(s->out)) != 0 && errno != EINVAL))) {
        error = errno;
        whole = false;
    }
    if (fclose(s->out) != 0 && whole) {
        error = errno;
        whole = false;
    }
    s->out = NULL;
    if (!whole)
        return fault(name, "cannot be written", error);
    return !arrived;
}

bool stage_remove(stage_t *s, const char *directory, const char *name)
{
    char *const path = new_path(s, directory, name);

    if (path)
        s->file[s->count++].name = path;
    return path;
}

bool stage_has(const char *directory, const char *name)
{
    char *const path = joined(directory, name);
    struct stat is;
    const bool there = path && stat(path, &is) == 0 && S_ISREG(is.st_mode);

    free(path);
    return there;
}

FILE *stage_look(const char *directory, const char *name)
{
    char *const path = joined(directory, name);
    FILE *const in =
        path && stage_has(directory, name) ? fopen(path, "rb") : NULL;

    free(path);
    return in;
}

/* -- all or none ----------------------------------------------------------------- */

/* The file of before, if there is one, gets a name that nobody looks for. */
static bool set_aside(stage_t *s, int i)
{
    const char *const name = s->file[i].name;
    const size_t size = strlen(name) + 40;
    char *const aside = malloc(size);
    struct stat is;

    if (!aside)
        return fault(name, "no memory", 0);
    for (int t = 0; t < TRIES; ++t) {
        snprintf(aside, size, "%s.%ld.%d.old", name, (long)getpid(), t);
        if (lstat(aside, &is) != 0)
            break;
    }
    if (rename(name, aside) == 0) {
        s->file[i].aside = aside;
        return true;
    }
    free(aside);
    return errno == ENOENT || fault(name, "cannot be replaced", errno);
}

static bool give_name(stage_t *s, int i)
{
    return !s->file[i].temporary ||
           rename(s->file[i].temporary, s->file[i].name) == 0 ||
           fault(s->file[i].name, "cannot be given its name", errno);
}

/* The first named files have their names. */
static void undo(stage_t *s, int named)
{
    if (s->out)
        fclose(s->out);
    for (int i = 0; i < s->count; ++i)
        if (s->file[i].temporary)
            unlink(i < named ? s->file[i].name : s->file[i].temporary);
    for (int i = 0; i < s->count; ++i)
        if (s->file[i].aside)
            rename(s->file[i].aside, s->file[i].name);
    if (s->directory)
        rmdir(s->directory);
}

bool stage_commit(stage_t *s)
{
    bool done = !arrived;
    int named = 0;

    for (int i = 0; done && i < s->count; ++i)
        done = set_aside(s, i);
    while (done && named < s->count) {
        done = give_name(s, named);
        named += done;
    }
    if (!done)
        undo(s, named);
    for (int i = 0; done && i < s->count; ++i)
        if (s->file[i].aside)
            unlink(s->file[i].aside);
    end(s);
    return done;
}

void stage_discard(stage_t *s)
{
    undo(s, 0);
    end(s);
}
