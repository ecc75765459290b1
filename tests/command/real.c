/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* real.c -- for tests of the command on real matrices: it runs, and its JSON is read. */
#include "real.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "gsvd.h"

int failures;

void failed(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    printf("FAILED: ");
    vprintf(format, list);
    printf("\n");
    va_end(list);
    ++failures;
}

void *allocate(int64_t count, size_t size)
{
    void *x = calloc(count > 0 ? (size_t)count : 1, size);

    if (!x) {
        fprintf(stderr, "no memory\n");
        exit(EXIT_FAILURE);
    }
    return x;
}

matrix_t matrix_of(const char *file)
{
    matrix_t A;
    int64_t line;
    read_error_t error;

    if (input_read(file, (demand_t){0}, &A, &line, &error))
        return A;
    fprintf(stderr, "%s: %s\n", file, error.reason);
    exit(EXIT_FAILURE);
}

const char *device_of(const char *backend)
{
    const char *const required = getenv("GSVD_TEST_REQUIRE_GPU");
    gsvd_handle_t h;

    if (strcmp(backend, "cuda") != 0)
        return "host";
    if (gsvd_create(&h, 0) == GSVD_SUCCESS) {
        gsvd_destroy(h);
        return "0";
    }
    printf("no CUDA device\n");
    if (required && *required && strcmp(required, "0") != 0)
        exit(EXIT_FAILURE);
    return NULL;
}

char *output_of(const char *command)
{
    size_t size = 0, used = 0;
    char *text = NULL;
    FILE *in = popen(command, "r");

    if (!in)
        return NULL;
    do {
        size = 2 * size + 4096;
        char *larger = realloc(text, size);
        if (!larger)
            exit(EXIT_FAILURE);
        text = larger;
        used += fread(text + used, 1, size - used - 1, in);
    } while (used == size - 1);
    text[used] = '\0';

    const int status = pclose(in);
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return text;
    failed("%s: status %d", command, status);
    free(text);
    return NULL;
}

const char *member(const char *json, const char *key)
{
    char quoted[40];

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);
    if (at)
        return at + strlen(quoted);
    failed("no %s in the output", quoted);
    return "nan";
}

double number(const char *json, const char *key)
{
    return strtod(member(json, key), NULL);
}

double *numbers(const char *json, const char *key, int64_t count)
{
    double *x = allocate(count, sizeof *x);
    const char *s = member(json, key);

    for (int64_t i = 0; i < count; ++i) {
        char *end;
        x[i] = strtod(s + 1, &end); /* past '[' or ',' */
        if (end == s + 1 || (*end != ',' && *end != ']'))
            failed("%s: number %" PRId64, key, i);
        s = *end ? end : end - 1;
    }
    return x;
}
