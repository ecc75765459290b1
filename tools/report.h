/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* report.h -- prints a decomposition for people or for programs. */
#ifndef GSVD_TOOLS_REPORT_H
#define GSVD_TOOLS_REPORT_H

#include <stdio.h>

#include "quality.h"

typedef struct file_list {
    char name[8][12]; /* as alpha.npy                                        */
    int count;
    problem_t problem;
} file_list_t;

typedef struct report {
    const char *name_a, *name_b; /* the files of A, B; of G, J; of A         */
    bool complex_a, complex_b;
    const file_list_t *files; /* of the factors; or NULL                     */
    const decomposition_t *d;
    const quality_t *quality;
} report_t;

void report_text(FILE *out, const report_t *r);

/* One JSON object on one line; a number that is not finite becomes null,
 * and so does what was not measured. */
void report_json(FILE *out, const report_t *r);

#endif /* GSVD_TOOLS_REPORT_H */
