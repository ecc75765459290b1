/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* options.c -- the command line. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input.h"

static const char *const help =
    "Usage: gsvd [OPTION]... A B\n"
    "\n"
    "Generalized singular value decomposition of the matrices in the files A\n"
    "and B, which have the same number of columns:\n"
    "\n"
    "    A = U D1 (0 R) Q^H,  B = V D2 (0 R) Q^H,  D1^H D1 + D2^H D2 = I\n"
    "\n"
    "Prints the generalized singular values (alpha, beta) and how exact the\n"
    "decomposition is.\n"
    "\n"
    "Files are told apart by what they begin with, then by their names:\n"
    "  Matrix Market   array or coordinate; real, integer, complex, pattern;\n"
    "                  of symmetric, skew-symmetric and hermitian ones, which\n"
    "                  hold a triangle, the other triangle is filled in\n"
    "  NumPy .npy      real, complex, integer, bool; a vector is a column\n"
    "  CSV             rows of real numbers parted by ; or , or tab or "
    "blanks;\n"
    "                  a first line without any number is a header, and under\n"
    "                  it a first column without any number holds labels\n"
    "One of A and B may be -, standard input.\n"
    "  --header            the first line of a CSV file is a header\n"
    "  --skip-columns N    leave out the first N columns of a CSV file\n"
    "\n"
    "What is computed:\n"
    "  --values            the values alone: no factors, no residuals\n"
    "  --economy           of U, V, Q only the columns that R can meet\n"
    "  --form FORM         lapack (default), as above; or\n"
    "                      x: A = U D1 X^H, B = V D2 X^H, X in place of Q, R\n"
    "  --precision WHICH   double (default) or single\n"
    "  --real              refuse a complex matrix\n"
    "  --tol-a X, --tol-b X\n"
    "                      what counts for the ranks of A and B; default\n"
    "                      LAPACK's, max(rows, columns) ||.||_1 ulp\n"
    "How:\n"
    "  --solver NAME       jacobi (default) or tgsja, which is LAPACK's\n"
    "  --device WHERE      host: the CPU; N: CUDA device N; any (default):\n"
    "                      the first CUDA device, the CPU where there is none\n"
    "  --progress          show on stderr what is being done, and the sweeps\n"
    "What is written:\n"
    "  --json              print one JSON object, with all values\n"
    "  -o, --output DIR    write alpha, beta, U, V, Q, R (or X) and gsvd.json\n"
    "                      into DIR, which is made if it is not there; what\n"
    "                      an earlier run wrote there is replaced or removed\n"
    "  --format FORMAT     of these files: npy (default) or mtx\n"
    "  --plot FILE.svg     draw the values alpha / beta\n"
    "\n"
    "  -h, --help          print this\n"
    "  --version           print the version\n"
    "\n"
    "Examples:\n"
    "  gsvd A.mtx B.npy                     the values, and how exact they "
    "are\n"
    "  gsvd --economy -o factors A.csv B.csv\n"
    "                                       the factors too, as factors/U.npy "
    "...\n"
    "  zcat A.mtx.gz | gsvd - B.mtx         A from another program\n"
    "  gsvd --values --plot v.svg A.mtx B.mtx\n"
    "                                       a picture of the values\n"
    "  gsvd --json A.mtx B.mtx | jq .alpha  for a program\n"
    "\n"
    "Files are written whole or not at all.\n"
    "Exit status: 0 done, 1 no result, 2 wrong usage, 3 printed and written,\n"
    "but the solver did not converge.\n";

void options_help(FILE *out) { fputs(help, out); }

/* -- values of options -------------------------------------------------------- */

/* Which of two words is it?  -1: neither. */
static int which(const char *word, const char *first, const char *second)
{
    return strcmp(word, first) == 0 ? 0 : strcmp(word, second) == 0 ? 1 : -1;
}

static bool set_solver(options_t *o, const char *word)
{
    const int i = which(word, "jacobi", "tgsja");

    o->task.solver = i == 1 ? GSVD_SOLVER_TGSJA : GSVD_SOLVER_JACOBI;
    return i >= 0;
}

static bool set_form(options_t *o, const char *word)
{
    const int i = which(word, "lapack", "x");

    o->task.form = i == 1 ? GSVD_FORM_X : GSVD_FORM_LAPACK;
    return i >= 0;
}

static bool set_precision(options_t *o, const char *word)
{
    const int i = which(word, "double", "single");

    o->task.single = o->demand.single = i == 1;
    return i >= 0;
}

static bool set_format(options_t *o, const char *word)
{
    const int i = which(word, "npy", "mtx");

    o->format = i == 1 ? FORMAT_MTX : FORMAT_NPY;
    o->format_given = true;
    return i >= 0;
}

/* 0, 1, ... as far as an int goes. */
static bool natural(int64_t *number, const char *word)
{
    char *end;

    errno = 0;
    const long value = strtol(word, &end, 10);
    *number = value;
    return end != word && !*end && !errno && value >= 0 && value <= INT_MAX;
}

static bool set_device(options_t *o, const char *word)
{
    if (strcmp(word, "host") == 0) {
        o->task.device = GSVD_HOST;
    } else if (strcmp(word, "any") == 0) {
        o->task.device = GSVD_ANY;
    } else {
        int64_t number;
        if (!natural(&number, word))
            return false;
        o->task.device = (int)number;
    }
    return true;
}

static bool tolerance(double *x, const char *word)
{
    char *end;

    *x = strtod(word, &end);
    return end != word && !*end && isfinite(*x) && *x >= 0;
}

static bool set_tol_a(options_t *o, const char *word)
{
    return tolerance(&o->task.tol_a, word);
}

static bool set_tol_b(options_t *o, const char *word)
{
    return tolerance(&o->task.tol_b, word);
}

static bool set_output(options_t *o, const char *word)
{
    o->directory = word;
    return *word;
}

static bool set_plot(options_t *o, const char *word)
{
    const size_t length = strlen(word);

    o->plot = word;
    return length > 4 && strcasecmp(word + length - 4, ".svg") == 0;
}

static bool set_skip_columns(options_t *o, const char *word)
{
    o->demand.skip_given = true;
    return natural(&o->demand.skip_columns, word);
}

static bool set_header(options_t *o, const char *word)
{
    (void)word;
    return o->demand.header = true;
}

static bool set_values(options_t *o, const char *word)
{
    (void)word;
    return o->task.values = true;
}

static bool set_economy(options_t *o, const char *word)
{
    (void)word;
    return o->task.economy = true;
}

static bool set_real(options_t *o, const char *word)
{
    (void)word;
    return o->demand.real = true;
}

static bool set_json(options_t *o, const char *word)
{
    (void)word;
    return o->json = true;
}

static bool set_progress(options_t *o, const char *word)
{
    (void)word;
    return o->progress = true;
}

static bool set_help(options_t *o, const char *word)
{
    (void)word;
    return o->help = true;
}

static bool set_version(options_t *o, const char *word)
{
    (void)word;
    return o->version = true;
}

/* -- the table ---------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*set)(options_t *, const char *);
    const char *fault; /* what a bad value is; NULL: the option takes none   */
} known[] = {
    {"values", set_values, NULL},
    {"economy", set_economy, NULL},
    {"form", set_form, "neither lapack nor x"},
    {"precision", set_precision, "neither double nor single"},
    {"real", set_real, NULL},
    {"header", set_header, NULL},
    {"skip-columns", set_skip_columns, "not a number of columns"},
    {"tol-a", set_tol_a, "not a number from 0 up"},
    {"tol-b", set_tol_b, "not a number from 0 up"},
    {"solver", set_solver, "neither jacobi nor tgsja"},
    {"device", set_device, "none of host, any, a number"},
    {"progress", set_progress, NULL},
    {"json", set_json, NULL},
    {"output", set_output, "not the name of a directory"},
    {"format", set_format, "neither npy nor mtx"},
    {"plot", set_plot, "an SVG picture is drawn; its name ends in .svg"},
    {"help", set_help, NULL},
    {"version", set_version, NULL},
};
enum { KNOWN = sizeof known / sizeof *known };

/* The place in the table; getopt_long gives it plus 1, so that 0 is none. */
static int place_of(const char *name)
{
    int i = 0;

    while (i < KNOWN && strcmp(known[i].name, name) != 0)
        ++i;
    return i;
}

/* getopt_long said key; word is what it stopped at, if that is a long option,
 * and optopt is the letter of a short one. */
static void report_unknown(int key, const char *word)
{
    if (key == ':')
        fprintf(stderr, "gsvd: %s: a value is missing; see gsvd --help\n",
                word);
    else if (isgraph(optopt))
        fprintf(stderr, "gsvd: -%c: not an option; see gsvd --help\n", optopt);
    else
        fprintf(stderr, "gsvd: %s: not an option; see gsvd --help\n", word);
}

static bool parse_all(int argc, char **argv, options_t *o)
{
    struct option list[KNOWN + 1] = {{NULL, 0, NULL, 0}};
    int key;

    for (int i = 0; i < KNOWN; ++i)
        list[i] =
            (struct option){known[i].name, known[i].fault != NULL, NULL, i + 1};
    opterr = 0;
    while ((key = getopt_long(argc, argv, ":ho:", list, NULL)) != -1) {
        if (key == '?' || key == ':') {
            report_unknown(key, argv[optind - 1]);
            return false;
        }
        const int i = key == 'h'   ? place_of("help")
                      : key == 'o' ? place_of("output")
                                   : key - 1;
        if (!known[i].set(o, optarg)) {
            fprintf(stderr, "gsvd: --%s %s: %s\n", known[i].name, optarg,
                    known[i].fault);
            return false;
        }
        if (o->help || o->version)
            return true;
    }
    return true;
}

bool options_parse(int argc, char **argv, options_t *o)
{
    *o = (options_t){.task = {.device = GSVD_ANY,
                              .solver = GSVD_SOLVER_JACOBI,
                              .form = GSVD_FORM_LAPACK,
                              .tol_a = -1,
                              .tol_b = -1}};
    if (!parse_all(argc, argv, o))
        return false;
    if (o->help || o->version)
        return true;
    if (argc - optind != 2) {
        fprintf(stderr, "gsvd: expected 2 files, A and B; see gsvd --help\n");
        return false;
    }
    if (o->format_given && !o->directory) {
        fprintf(stderr, "gsvd: --format: there is no --output\n");
        return false;
    }
    o->file[0] = argv[optind];
    o->file[1] = argv[optind + 1];
    if (!input_is_standard(o->file[0]) || !input_is_standard(o->file[1]))
        return true;
    fprintf(stderr, "gsvd: standard input is read once: A or B, not both\n");
    return false;
}
