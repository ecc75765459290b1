/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* source.h -- an open file that a matrix is read from, and what is wrong with
 * it: lines, numbers and room for a matrix, for the reader of each format. */
#ifndef GSVD_TOOLS_SOURCE_H
#define GSVD_TOOLS_SOURCE_H

#include <stdio.h>

#include "matrix.h"

typedef struct read_error {
    int64_t line;     /* from 1; 0 if no line is at fault                    */
    char reason[160]; /* one line of text                                    */
} read_error_t;

/* What is asked of a matrix. */
typedef struct demand {
    bool real;            /* a complex one is refused                        */
    bool single;          /* entries that a float cannot hold are refused    */
    bool header;          /* the first line of a CSV file is one             */
    bool skip_given;      /* else labels are told by their look              */
    int64_t skip_columns; /* of a CSV file, at the left                      */
    const place_t *place; /* whose part is wanted; NULL: all of it            */
} demand_t;

typedef struct source {
    FILE *in;
    demand_t demand;
    int64_t rows, cols; /* of the whole matrix, once it is created           */
    read_error_t *error;
    int64_t line;      /* the present line; 0 before the first               */
    int64_t size_line; /* where the sizes show; 0: in no line                */
    char *text;        /* the present line                                   */
    size_t capacity;
    bool is_part; /* The matrix is a part of the file.                       */
    bool again; /* source_line is to give the present line once more         */
} source_t;

enum line { LINE, END, FAULT };

/* The next line, as it is.  FAULT, told, if it cannot be read. */
enum line source_line(source_t *s);

/* Tells what is wrong in the present line; always false. */
bool source_fault(source_t *s, const char *format, ...)
#if defined __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* `count` bytes that are there.  False, told: a file that ends there ends within `what`. */
bool source_bytes(source_t *s, void *bytes, size_t count, const char *what);

/* A number that is finite, in the precision asked for.  False, told. */
bool source_number(source_t *s, const char *word, double *value);

/* A number of another origin: is it so? */
bool source_in_range(const source_t *s, double value);

/* A = 0, of this size, or this process's part of it.  False, told. */
bool source_create(source_t *s, matrix_t *A, int64_t rows, int64_t cols,
                   int width);

/* False, told, if complex entries are not wanted. */
bool source_takes_complex(source_t *s);

#endif /* GSVD_TOOLS_SOURCE_H */
