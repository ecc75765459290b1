/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* progress.c -- tells on stderr how the sweeps go. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 32 };

progress_t progress_begin(void)
{
    return (progress_t){.terminal = isatty(STDERR_FILENO) == 1};
}

int progress_show(void *user, int sweep, int64_t rotations)
{
    progress_t *const p = user;
    char bar[BAR + 1];

    if (!p->terminal) {
        fprintf(stderr, "gsvd: sweep %d: %" PRId64 " rotations\n", sweep,
                rotations);
        return 0;
    }
    if (rotations > p->most)
        p->most = rotations;
    const double left = p->most > 0 ? (double)rotations / (double)p->most : 0.0;
    const int filled = (int)((1 - left) * BAR);
    memset(bar, '-', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = '\0';

    char text[128];
    const int width = snprintf(text, sizeof text,
                               "gsvd: sweep %3d  [%s]  %" PRId64 " rotations",
                               sweep, bar, rotations);
    fprintf(stderr, "\r%-*s", p->width, text); /* over the longer one before */
    fflush(stderr);
    p->width = width;
    return 0;
}

void progress_end(progress_t *p)
{
    if (p->width > 0)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}
