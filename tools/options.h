/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* options.h -- the command line. */
#ifndef GSVD_TOOLS_OPTIONS_H
#define GSVD_TOOLS_OPTIONS_H

#include "decompose.h"
#include "output.h"
#include "source.h"

typedef struct options {
    const char *file[2]; /* A, B; A, NULL; G, J                              */
    demand_t demand;
    task_t task;
    bool json, progress;
    const char *directory; /* of the factors, or their file, or NULL         */
    enum format format, format_of_output;
    bool format_given;
    const char *plot; /* or NULL                                             */
    place_t grid;     /* p x q processes; p: 0 without --grid                */
    bool help, version;
} options_t;

/* False, with a line on stderr, if the command line is not in order. */
bool options_parse(int argc, char **argv, options_t *o);

/* A word of --device: host, any, or the number of a device */
bool options_device(const char *word, int *device);

void options_help(FILE *out);

#endif /* GSVD_TOOLS_OPTIONS_H */
