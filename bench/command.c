/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* command.c [1] -- options, handles, and the exit status of benchmarks. */
#include "command.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "core/handle.h"

int bench_read_flag(const char *text, void *to)
{
    (void)text;
    *(int *)to = 1;
    return 1;
}

int bench_read_text(const char *text, void *to)
{
    *(const char **)to = text;
    return 1;
}

int bench_read_real(const char *text, void *to)
{
    *(double *)to = atof(text);
    return 1;
}

int bench_read_number(const char *text, void *to)
{
    return bench_numbers(text, to, 1) == 1;
}

int bench_read_count(const char *text, void *to)
{
    int64_t x = 0;
    const int ok = bench_read_number(text, &x) && x > 0;
    *(int *)to = (int)x;
    return ok;
}

int bench_read_list(const char *text, void *to)
{
    bench_list_t *const list = to;
    list->count = bench_numbers(text, list->x, BENCH_LIST);
    return list->count > 0;
}

int bench_read_sizes(const char *text, void *to)
{
    const bench_list_t *const list = to;
    int ok = bench_read_list(text, to);
    for (int i = 0; i < list->count; ++i)
        ok = ok && list->x[i] > 0 && list->x[i] <= 1 << 20;
    return ok;
}

int bench_read_backend(const char *text, void *to)
{
    *(int *)to = strcmp(text, "cuda") == 0;
    return *(int *)to || strcmp(text, "cpu") == 0;
}

int bench_read_json(const char *text, void *to)
{
    FILE *const file = *(FILE **)to = fopen(text, "a");
    if (!file)
        perror(text);
    return file != NULL;
}

int bench_read_peers(const char *text, void *to)
{
    bench_t *const b = to;
    b->peer = 1;
    b->peers = text;
    return 1;
}

static void print_usage(const bench_option_t *option, const char *program)
{
    fprintf(stderr, "usage: %s\n", program);
    for (const bench_option_t *o = option; o->name; ++o) {
        char word[64];
        snprintf(word, sizeof word, "--%s %s", o->name,
                 o->takes ? o->takes : "");
        fprintf(stderr, "  %-22s  ", word);
        for (const char *c = o->help; *c; ++c)
            *c == '\n' ? fprintf(stderr, "\n%26s", "") : fputc(*c, stderr);
        fputc('\n', stderr);
    }
}

int bench_options(int argc, char **argv, const bench_option_t *option,
                  const char *program, int arguments, int *first)
{
    enum { MOST = 32 };
    struct option list[MOST] = {{0}};
    int at = 0, result = 0, ok = 1;
    for (int i = 0; option[i].name && i < MOST - 1; ++i) {
        list[i].name = option[i].name;
        list[i].has_arg = option[i].takes ? required_argument : no_argument;
    }
    while (ok && (result = getopt_long(argc, argv, "", list, &at)) == 0)
        ok = option[at].read(optarg, option[at].to);
    ok = ok && result == -1 && optind + arguments == argc;
    if (first)
        *first = optind;
    if (!ok)
        print_usage(option, program);
    return ok;
}

int bench_index(char letter)
{
    return letter == 's'   ? 0
           : letter == 'd' ? 1
           : letter == 'c' ? 2
           : letter == 'z' ? 3
                           : 4;
}

void bench_not_built(bench_t *b, char letter)
{
    fprintf(stderr, "letter %c is not built\n", letter);
    ++b->failures;
}

gsvd_status_t bench_open_handles(bench_t *b)
{
    GSVD_TRY(gsvd_create(&b->host, GSVD_HOST));
    const double start = bench_seconds();
    GSVD_TRY(gsvd_create(&b->h, b->cuda ? 0 : GSVD_HOST));
    b->start_ms = 1e3 * (bench_seconds() - start);
    return GSVD_SUCCESS;
}

gsvd_status_t bench_open(bench_t *b)
{
    GSVD_TRY(bench_open_handles(b));
    return b->cuda ? bench_device_open(b) : GSVD_SUCCESS;
}

void bench_title(bench_t *b)
{
    bench_describe(b);
    printf("# %s\n# %s\n", b->device, b->versions);
}

int bench_close(bench_t *b, gsvd_status_t status, const char *program)
{
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "%s: %s\n", program, gsvd_status_name(status));
    if (b->json)
        fclose(b->json);
    gsvd_destroy(b->h); /* uses the stream, hence before it closes           */
    bench_device_close();
    gsvd_destroy(b->host);
    return status != GSVD_SUCCESS ? BENCH_NO_DEVICE
                                  : b->failures > 0 || b->rows == 0;
}
