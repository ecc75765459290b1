/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_small.c [1] -- libgsvd_lapack against another LAPACK, small orders; see
 * bench/README.md. */
#include <dlfcn.h>

#include "command.h"
#include "small.h"

/* the letters that this program has code for */
static const char built[] = {
#if GSVD_HAVE_S
    's',
#endif
#if GSVD_HAVE_D
    'd',
#endif
#if GSVD_HAVE_C
    'c',
#endif
#if GSVD_HAVE_Z
    'z',
#endif
    '\0'};

static int open_library(lapack_t *one, const char *path)
{
    one->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!one->library)
        fprintf(stderr, "%s\n", dlerror());
    return one->library != NULL;
}

static void run_cases(bench_t *b, contest_t *c, const char *letters,
                      const bench_list_t *sizes)
{
    bench_describe(b);
    printf("# %s\n# %s; microseconds, minima\n", b->device, b->versions);
    printf("%-8s %c %4s %12s %12s %8s %8s %8s\n", "step", 't', "n", "ours",
           "LAPACK", "times", "turns", "ratio");
    for (const char *letter = letters; *letter; ++letter)
        for (int i = 0; i < sizes->count; ++i)
            BENCH_CALL(b, *letter, small, b, c, sizes->x[i]);
    printf("# %d lines, %d slower by more than 3 %%\n", b->rows, c->slower);
}

int main(int argc, char **argv)
{
    static bench_t b;
    static contest_t c = {.limit = 0.3,
                          .steps = "ggsvd3,ggsvd3_n,ggsvp3,tgsja"};
    static bench_list_t sizes = {
        {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100}, 18};
    const char *letters = built, *theirs = "liblapack.so.3";
    const bench_option_t options[] = {
        {"lapack", "FILE", "the peer (liblapack.so.3)", bench_read_text,
         &theirs},
        {"letter", "LETTERS", "of s, d, c, z (those that are built)",
         bench_read_text, &letters},
        {"step", "LIST", "of ggsvd3, ggsvd3_n, ggsvp3, tgsja (all)",
         bench_read_text, &c.steps},
        {"sizes", "LIST",
         "orders (1,2,3,4,5,6,8,10,12,16,20,24,32,40,50,64,80,100)",
         bench_read_list, &sizes},
        {"limit", "SECONDS", "for a line of the table (0.3)", bench_read_real,
         &c.limit},
        BENCH_OUTPUT(&b)};
    int first;

    if (!bench_options(argc, argv, options,
                       "bench_small [options] OURS, libgsvd_lapack", 1, &first))
        return BENCH_USAGE;
    /* theirs first: what was loaded before ours does not call it            */
    if (!open_library(&c.theirs, theirs) || !open_library(&c.ours, argv[first]))
        return BENCH_USAGE;
    const gsvd_status_t status = bench_open(&b);
    if (status == GSVD_SUCCESS)
        run_cases(&b, &c, letters, &sizes);
    return bench_close(&b, status, "bench_small");
}
