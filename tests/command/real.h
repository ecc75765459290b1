/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* real.h -- for tests of the command on real matrices: it runs, and its JSON is read. */
#ifndef GSVD_TESTS_COMMAND_REAL_H
#define GSVD_TESTS_COMMAND_REAL_H

#include <inttypes.h>

#include "input.h"

enum { SKIP = 77 };

extern int failures;

/* Tells, and counts in failures. */
void failed(const char *format, ...)
#if defined __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Zeros; ends the program without memory. */
void *allocate(int64_t count, size_t size);

/* What a file holds; ends the program if that cannot be read. */
matrix_t matrix_of(const char *file);

/* The command's --device for cpu or cuda; NULL: to be skipped.  Ends the program where
 * GSVD_TEST_REQUIRE_GPU asks for a GPU and there is none. */
const char *device_of(const char *backend);

/* All that the command prints, or NULL if its exit status is not 0. */
char *output_of(const char *command);

/* What follows "key": in the command's JSON, which has no nested objects. */
const char *member(const char *json, const char *key);
double number(const char *json, const char *key);

/* To be freed */
double *numbers(const char *json, const char *key, int64_t count);

#endif /* GSVD_TESTS_COMMAND_REAL_H */
