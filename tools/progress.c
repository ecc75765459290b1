/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* progress.c -- tells on stderr what is being done. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* of the bar: all of it; where the solver's part begins, and the check's, if there is one */
enum { BAR = 32, JACOBI = 8, CHECKING = 24 };

progress_t progress_begin(bool wanted, int parts, int checks)
{
    return (progress_t){.wanted = wanted,
                        .parts = parts,
                        .checks = checks,
                        .terminal = isatty(STDERR_FILENO) == 1};
}

/* On a terminal over the text before, which may be longer. */
static void put(progress_t *p, const char *text)
{
    if (!p->terminal) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    fprintf(stderr, "\r%-*s", p->width, text);
    fflush(stderr);
    p->width = (int)strlen(text);
}

void progress_stage(progress_t *p, const char *name, const char *object)
{
    char text[256];

    if (!p->wanted)
        return;
    snprintf(text, sizeof text, "gsvd: %s%s%s", name, *object ? " " : "",
             object);
    put(p, text);
}

/* The bar, to be followed by more, or nothing where there is no terminal */
static void draw(const progress_t *p, char bar[BAR + 4])
{
    bar[0] = '\0';
    if (!p->terminal)
        return;
    memset(bar, '-', BAR + 2);
    memset(bar + 1, '#', (size_t)p->filled);
    bar[0] = '[';
    bar[BAR + 1] = ']';
    bar[BAR + 2] = ' ';
    bar[BAR + 3] = '\0';
}

static void put_stage(progress_t *p, const char *name, const char *object)
{
    char bar[BAR + 4], text[128];

    draw(p, bar);
    snprintf(text, sizeof text, "gsvd: %s%s%s%s%s", name, *object ? " " : "",
             object, *bar ? ": " : "", bar);
    put(p, text);
}

void progress_preprocess(progress_t *p, const char *object)
{
    if (p->wanted)
        put_stage(p, "preprocessing", object);
}

void progress_check(progress_t *p)
{
    p->filled = CHECKING;
    if (p->wanted)
        put_stage(p, "checking", "");
}

void progress_checked(void *user)
{
    progress_t *const p = user;

    ++p->checked;
    p->filled = CHECKING + (BAR - CHECKING) * p->checked / p->checks;
    if (p->terminal)
        put_stage(p, "checking", "");
}

/* The bar after a sweep with so many rotations. */
static void fill(progress_t *p, int64_t rotations)
{
    if (rotations > p->most)
        p->most = rotations;
    const double left = p->most > 0 ? (double)rotations / (double)p->most : 0.0;
    const int part = ((p->checks > 0 ? CHECKING : BAR) - JACOBI) / p->parts;
    const int filled =
        JACOBI + (int)((1 - left) * part) + (p->second ? part : 0);
    if (filled > p->filled)
        p->filled = filled;
}

int progress_show(void *user, int sweep, int64_t rotations)
{
    progress_t *const p = user;
    char bar[BAR + 4], text[128];

    if (p->done && p->parts == 2 && !p->second) {
        p->second = true;
        p->most = 0;
    }
    p->done = rotations == 0;
    fill(p, rotations);
    draw(p, bar);
    snprintf(text, sizeof text,
             "gsvd: Jacobi%s, sweep %d: %s%" PRId64 " rotations",
             p->parts == 1 ? ""
             : p->second   ? " on B"
                           : " on A",
             sweep, bar, rotations);
    put(p, text);
    return 0;
}

void progress_end(progress_t *p)
{
    if (p->width > 0)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}
