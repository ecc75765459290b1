/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_small.c [1] -- libgsvd_lapack against another LAPACK, small orders; see
 * bench/README.md. */
#include <dlfcn.h>
#include <getopt.h>
#include <stdlib.h>

#include "core/handle.h"
#include "small.h"

enum { MOST_SIZES = 128, USAGE = 2 };

static const char usage[] =
    "usage: bench_small [options] OURS\n"
    "  OURS             libgsvd_lapack\n"
    "  --lapack FILE    the peer (liblapack.so.3)\n"
    "  --letter LETTERS of s, d, c, z (those that are built)\n"
    "  --step LIST      of ggsvd3, ggsvd3_n, ggsvp3, tgsja (all)\n"
    "  --sizes LIST     orders "
    "(1,2,3,4,5,6,8,10,12,16,20,24,32,40,50,64,80,100)\n"
    "  --limit SECONDS  for a line of the table (0.3)\n"
    "  --json FILE      append a line for each case\n"
    "  --source HASH    of the sources, for these lines\n";

static const struct option options[] = {
    {"lapack", required_argument, NULL, 'p'},
    {"letter", required_argument, NULL, 'l'},
    {"step", required_argument, NULL, 's'},
    {"sizes", required_argument, NULL, 'n'},
    {"limit", required_argument, NULL, 't'},
    {"json", required_argument, NULL, 'j'},
    {"source", required_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

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

typedef struct cases {
    const char *letters, *ours, *theirs;
    int64_t size[MOST_SIZES];
    int sizes;
} cases_t;

static int read_options(int argc, char **argv, bench_t *b, contest_t *c,
                        cases_t *cases)
{
    const char *sizes = "1,2,3,4,5,6,8,10,12,16,20,24,32,40,50,64,80,100";
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'p': cases->theirs = optarg; break;
        case 'l': cases->letters = optarg; break;
        case 's': c->steps = optarg; break;
        case 'n': sizes = optarg; break;
        case 't': c->limit = atof(optarg); break;
        case 'j':
            b->json = fopen(optarg, "a");
            if (!b->json) {
                perror(optarg);
                return 0;
            }
            break;
        case 'h': b->source = optarg; break;
        default: return 0;
        }
    cases->sizes = bench_numbers(sizes, cases->size, MOST_SIZES);
    if (cases->sizes < 1 || optind + 1 != argc)
        return 0;
    cases->ours = argv[optind];
    return 1;
}

static int open_library(lapack_t *one, const char *path)
{
    one->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!one->library)
        fprintf(stderr, "%s\n", dlerror());
    return one->library != NULL;
}

static void run(bench_t *b, contest_t *c, char letter, int64_t n)
{
    switch (letter) {
#if GSVD_HAVE_S
    case 's': sgsvd_small(b, c, n); return;
#endif
#if GSVD_HAVE_D
    case 'd': dgsvd_small(b, c, n); return;
#endif
#if GSVD_HAVE_C
    case 'c': cgsvd_small(b, c, n); return;
#endif
#if GSVD_HAVE_Z
    case 'z': zgsvd_small(b, c, n); return;
#endif
    default: break;
    }
    fprintf(stderr, "letter %c is not built\n", letter);
    ++b->failures;
}

static void run_cases(bench_t *b, contest_t *c, const cases_t *cases)
{
    bench_describe(b);
    printf("# %s\n# %s; microseconds, minima\n", b->device, b->versions);
    printf("%-8s %c %4s %12s %12s %8s %8s %8s\n", "step", 't', "n", "ours",
           "LAPACK", "times", "turns", "ratio");
    for (const char *letter = cases->letters; *letter; ++letter)
        for (int i = 0; i < cases->sizes; ++i)
            run(b, c, *letter, cases->size[i]);
    printf("# %d lines, %d slower by more than 3 %%\n", b->rows, c->slower);
}

int main(int argc, char **argv)
{
    static bench_t b;
    static contest_t c = {.limit = 0.3,
                          .steps = "ggsvd3,ggsvd3_n,ggsvp3,tgsja"};
    static cases_t cases = {.letters = built, .theirs = "liblapack.so.3"};
    int code = USAGE;

    if (!read_options(argc, argv, &b, &c, &cases)) {
        fputs(usage, stderr);
        return code;
    }
    /* theirs first: what was loaded before ours does not call it            */
    if (open_library(&c.theirs, cases.theirs) &&
        open_library(&c.ours, cases.ours) &&
        gsvd_create(&b.h, GSVD_HOST) == GSVD_SUCCESS) {
        run_cases(&b, &c, &cases);
        code = b.failures > 0 || b.rows == 0; /* a step of no such name      */
    }
    if (b.json)
        fclose(b.json);
    gsvd_destroy(b.h);
    return code;
}
