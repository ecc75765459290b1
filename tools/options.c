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

/* ISO C promises strings of 4095 characters. */
static const char *const help[] = {
    "Usage: gsvd [OPTION]... A B\n"
    "       gsvd svd [OPTION]... A\n"
    "       gsvd hsvd [OPTION]... G J\n"
    "       gsvd eigh [OPTION]... A\n"
    "       gsvd tikhonov [OPTION]... A L B, which its own help describes\n"
    "\n"
    "Generalized singular value decomposition of the matrices in the files A\n"
    "and B, which have the same number of columns:\n"
    "\n"
    "    A = U D1 (0 R) Q^H,  B = V D2 (0 R) Q^H,  D1^H D1 + D2^H D2 = I\n"
    "\n"
    "svd: singular value decomposition of the matrix in the file A:\n"
    "\n"
    "    A = U Sigma V^H\n"
    "\n"
    "hsvd: hyperbolic singular value decomposition of the matrix in the\n"
    "file G, whose independent columns have the signs in the file J, 1 or -1:\n"
    "\n"
    "    G = U Sigma V^H,  V^H J V = J',  G J G^H = U Sigma^2 J' U^H\n"
    "\n"
    "eigh: eigenvalues and eigenvectors of the symmetric or hermitian matrix\n"
    "in the file A:\n"
    "\n"
    "    A = Q W Q^H\n"
    "\n"
    "Prints the values, (alpha, beta), sigma or w, and how exact the\n"
    "decomposition is.  A file called svd, hsvd, eigh or tikhonov is ./svd "
    "and\n"
    "so on.\n"
    "\n"
    "Files are told apart by what they begin with, then by their names:\n"
    "  Matrix Market   array or coordinate; real, integer, complex, pattern;\n"
    "                  of symmetric, skew-symmetric and hermitian ones, which\n"
    "                  hold a triangle, the other triangle is filled in\n"
    "  NumPy .npy, .npz   and MATLAB .mat, of the only matrix in it, or of "
    "the\n"
    "                  one called NAME in FILE.npz:NAME; stored without\n"
    "                  compression, as by numpy.savez and save -v6\n"
    "  NumPy .npy      real, complex, integer, bool; a vector is a column\n"
    "  CSV             rows of real numbers parted by ; or , or tab or "
    "blanks;\n"
    "                  a first line without any number is a header, and under\n"
    "                  it a first column without any number holds labels\n"
    "One of the files may be -, standard input.\n"
    "  --header            the first line of a CSV file is a header\n"
    "  --skip-columns N    leave out the first N columns of a CSV file\n"
    "Both are said of A, B and G; of J labels and a header are seen.\n"
    "\n"
    "What is computed:\n"
    "  --values            the values alone: no factors, no residuals\n"
    "  --bounds            a bound of each value's error, and cond(R); --form "
    "xinv\n"
    "                      (of a pair)\n"
    "  --economy           of U, V, Q only the columns that R or Sigma can "
    "meet\n"
    "  --form FORM         lapack (default), as above; or\n"
    "                      x: A = U D1 X^H, B = V D2 X^H, X in place of Q, R;\n"
    "                      xinv: A Y = U D1, B Y = V D2, Y in place of Q, R\n"
    "                      (of a pair)\n"
    "  --keep K            of U, V, X the columns of the K first pairs alone, "
    "of the\n"
    "                      largest alpha / beta, or of the -K last; --form x "
    "or xinv\n"
    "                      (of a pair)\n"
    "  --precision WHICH   double (default) or single\n"
    "  --real              refuse a complex matrix\n"
    "  --tol-a X, --tol-b X\n"
    "                      what counts for the ranks of A and B; default\n"
    "                      LAPACK's, max(rows, columns) ||.||_1 ulp\n"
    "                      (of a pair)\n"
    "  --rank WHICH        norm (default): it is measured against the matrix;\n"
    "                      rows: against each row, where rows differ in size,\n"
    "                      so that small ones count (of a pair)\n"
    "  --equilibrate WHICH auto (default), on, off: whether columns that "
    "differ\n"
    "                      in size, by their units say, are made alike; on:\n"
    "                      columns at the level of rounding count, too\n"
    "                      (of a pair)\n",
    "How:\n"
    "  --solver NAME       auto (default), tangent, csd, or tgsja, which is "
    "LAPACK's\n"
    "                      (of a pair)\n"
    "  --sweeps            Jacobi by sweeps over all pairs of columns alone, "
    "in\n"
    "                      place of large steps where columns are many\n"
    "  --bidiagonal        bidiagonal form: small singular values are lost in\n"
    "                      rounding of the largest one (of svd)\n"
    "  --fast              tridiagonal form: sooner, and small eigenvalues "
    "are\n"
    "                      lost in rounding of the largest one (of eigh)\n"
    "  --factor            A = G J G^H and hsvd of G: small eigenvalues of "
    "other\n"
    "                      matrices are accurate (of eigh)\n"
    "  --device WHERE      host: the CPU; N: CUDA device N; any (default):\n"
    "                      the first CUDA device, the CPU where there is none\n"
    "  --grid PxQ          on a grid of P by Q processes, which mpirun starts, "
    "of a\n"
    "                      pair, in X form, or of one matrix; each reads its "
    "part\n"
    "                      of a Matrix Market or NumPy file:\n"
    "                      mpirun -n 4 gsvd --grid 2x2 A B\n"
    "  --progress          show on stderr what is being done, and the sweeps\n"
    "What is written:\n"
    "  --json              print one JSON object, with all values\n"
    "  -o, --output DIR    write alpha, beta, U, V, Q, R (or X) and gsvd.json\n"
    "                      into DIR, which is made if it is not there; what\n"
    "                      an earlier run wrote there is replaced or removed;\n"
    "                      of svd: sigma, U, V; of hsvd: signs, those of J', "
    "too;\n"
    "                      of eigh: w, Q\n"
    "  -o FILE.npz, -o FILE.mat\n"
    "                      write them all into this file; read by NumPy, "
    "MATLAB\n"
    "  --format FORMAT     of these files: npy (default), mtx or csv; or npz "
    "or mat\n"
    "  --plot FILE.svg     draw the values alpha / beta, sigma, or |w|\n"
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
    "  gsvd svd --economy -o factors A.npy  singular values and vectors\n"
    "  gsvd svd --values --json A.csv | jq .sigma\n"
    "                                       the singular values alone\n"
    "  gsvd hsvd G.mtx J.csv                the eigenvalues of G J G^H\n"
    "  gsvd eigh A.mtx                      the eigenvalues of A\n"
    "\n"
    "Files are written whole or not at all.\n"
    "Exit status: 0 done, 1 no result, 2 wrong usage, 3 printed and written,\n"
    "but the solver did not converge.\n"};

void options_help(FILE *out)
{
    for (size_t i = 0; i < sizeof help / sizeof *help; ++i)
        fputs(help[i], out);
}

/* -- values of options -------------------------------------------------------- */

/* Which of two words is it?  -1: neither. */
static int which(const char *word, const char *first, const char *second)
{
    return strcmp(word, first) == 0 ? 0 : strcmp(word, second) == 0 ? 1 : -1;
}

static bool set_solver(options_t *o, const char *word)
{
    static const struct {
        const char *name;
        gsvd_solver_t solver;
    } known[] = {{"auto", GSVD_SOLVER_AUTO},
                 {"tangent", GSVD_SOLVER_TANGENT},
                 {"csd", GSVD_SOLVER_CSD},
                 {"tgsja", GSVD_SOLVER_TGSJA}};

    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(word, known[i].name) == 0) {
            o->task.solver = known[i].solver;
            return true;
        }
    return false;
}

/* X and x are the same, as in text and options. */
static bool set_form(options_t *o, const char *word)
{
    const bool x = strcasecmp(word, "x") == 0;
    const bool inverse = strcasecmp(word, "xinv") == 0;

    o->task.form = inverse ? GSVD_FORM_XINV
                   : x     ? GSVD_FORM_X
                           : GSVD_FORM_LAPACK;
    return inverse || x || strcasecmp(word, "lapack") == 0;
}

static bool set_keep(options_t *o, const char *word)
{
    char *end;

    errno = 0;
    o->task.keep = strtol(word, &end, 10);
    return end != word && !*end && !errno && o->task.keep != 0 &&
           o->task.keep >= -INT_MAX && o->task.keep <= INT_MAX;
}

static bool set_precision(options_t *o, const char *word)
{
    const int i = which(word, "double", "single");

    o->task.single = o->demand.single = i == 1;
    return i >= 0;
}

static const char *const format_name[] = {"npy", "mtx", "csv", "npz", "mat"};

static bool set_format(options_t *o, const char *word)
{
    int i = 0;

    while (i <= FORMAT_MAT && strcmp(word, format_name[i]) != 0)
        ++i;
    o->format = (enum format)i;
    o->format_given = true;
    return i <= FORMAT_MAT;
}

static bool set_rank(options_t *o, const char *word)
{
    const int i = which(word, "norm", "rows");

    o->task.rank = i == 1 ? GSVD_RANK_ROWS : GSVD_RANK_NORM;
    return i >= 0;
}

static bool set_equilibrate(options_t *o, const char *word)
{
    const int i = which(word, "on", "off");

    o->task.equilibrate = i == 0   ? GSVD_EQUILIBRATE_ON
                          : i == 1 ? GSVD_EQUILIBRATE_OFF
                                   : GSVD_EQUILIBRATE_AUTO;
    return i >= 0 || strcmp(word, "auto") == 0;
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

bool options_device(const char *word, int *device)
{
    int64_t number = strcmp(word, "host") == 0 ? GSVD_HOST : GSVD_ANY;
    const bool good = strcmp(word, "host") == 0 || strcmp(word, "any") == 0 ||
                      natural(&number, word);

    *device = (int)number;
    return good;
}

static bool set_device(options_t *o, const char *word)
{
    return options_device(word, &o->task.device);
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
    const size_t length = strlen(word);
    const char *const end = length > 4 ? word + length - 4 : "";

    o->directory = word;
    o->format_of_output = strcasecmp(end, ".npz") == 0   ? FORMAT_NPZ
                          : strcasecmp(end, ".mat") == 0 ? FORMAT_MAT
                                                         : FORMAT_NPY;
    return *word;
}

static bool set_plot(options_t *o, const char *word)
{
    const size_t length = strlen(word);

    o->plot = word;
    return length > 4 && strcasecmp(word + length - 4, ".svg") == 0;
}

static bool set_grid(options_t *o, const char *word)
{
    const char *const x = strchr(word, 'x');
    char rows[12];
    int64_t p = 0, q = 0;

    if (!x || x - word >= (int)sizeof rows)
        return false;
    memcpy(rows, word, (size_t)(x - word));
    rows[x - word] = '\0';
    const bool good = natural(&p, rows) && natural(&q, x + 1);
    o->grid = (place_t){.p = (int)p, .q = (int)q};
    return good && p > 0 && q > 0;
}

static bool set_sweeps(options_t *o, const char *word)
{
    (void)word;
    o->task.svd = GSVD_SVD_JACOBI;
    return true;
}

static bool set_bidiagonal(options_t *o, const char *word)
{
    (void)word;
    o->task.svd = GSVD_SVD_BIDIAGONAL;
    return true;
}

static bool set_fast(options_t *o, const char *word)
{
    (void)word;
    o->task.eigh = GSVD_EIGH_FAST;
    return true;
}

static bool set_factor(options_t *o, const char *word)
{
    (void)word;
    o->task.eigh = GSVD_EIGH_FACTOR;
    return true;
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

static bool set_bounds(options_t *o, const char *word)
{
    (void)word;
    return o->task.bounds = true;
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

enum {
    OF_PAIR = 1 << PAIR,
    OF_SVD = 1 << SVD,
    OF_EIGH = 1 << EIGH,
    OF_ALL = (1 << PROBLEMS) - 1,
    ON_GRID = 1 << PROBLEMS, /* and beside --grid                            */
    ANYWHERE = OF_ALL | ON_GRID
};

static const struct {
    const char *name;
    bool (*set)(options_t *, const char *);
    const char *fault; /* what a bad value is; NULL: the option takes none   */
    unsigned of;       /* the problems that have it                          */
} known[] = {
    {"values", set_values, NULL, ANYWHERE},
    {"bounds", set_bounds, NULL, OF_PAIR},
    {"economy", set_economy, NULL, ANYWHERE & ~OF_EIGH},
    {"form", set_form, "not lapack, x or xinv", OF_PAIR | ON_GRID},
    {"keep", set_keep, "not a number of pairs, or its negative", OF_PAIR},
    {"precision", set_precision, "neither double nor single", ANYWHERE},
    {"real", set_real, NULL, ANYWHERE},
    {"header", set_header, NULL, OF_ALL},
    {"skip-columns", set_skip_columns, "not a number of columns", OF_ALL},
    {"tol-a", set_tol_a, "not a number from 0 up", OF_PAIR},
    {"tol-b", set_tol_b, "not a number from 0 up", OF_PAIR},
    {"rank", set_rank, "neither norm nor rows", OF_PAIR},
    {"equilibrate", set_equilibrate, "not auto, on or off", OF_PAIR},
    {"solver", set_solver, "not auto, tangent, csd or tgsja", OF_PAIR},
    {"sweeps", set_sweeps, NULL, OF_ALL},
    {"bidiagonal", set_bidiagonal, NULL, OF_SVD},
    {"fast", set_fast, NULL, OF_EIGH},
    {"factor", set_factor, NULL, OF_EIGH},
    {"device", set_device, "none of host, any, a number", ANYWHERE},
    {"grid", set_grid, "not rows x columns of processes, as 2x2", ANYWHERE},
    {"progress", set_progress, NULL, ANYWHERE},
    {"json", set_json, NULL, ANYWHERE},
    {"output", set_output, "not the name of a directory", ANYWHERE},
    {"format", set_format, "not npy, mtx, csv, npz or mat", ANYWHERE},
    {"plot", set_plot, "an SVG picture is drawn; its name ends in .svg",
     ANYWHERE},
    {"help", set_help, NULL, ANYWHERE},
    {"version", set_version, NULL, ANYWHERE},
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

/* given[i]: option i of the table is there */
static bool parse_all(int argc, char **argv, options_t *o, bool *given)
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
        given[i] = true;
        if (o->help || o->version)
            return true;
    }
    return true;
}

/* -- problem and files -------------------------------------------------------- */

static const struct {
    const char *word; /* the first operand                                   */
    int files;
    const char *expected, *twice;
} problem[PROBLEMS] = {
    [PAIR] = {"", 2, "expected 2 files, A and B", "A or B"},
    [SVD] = {"svd", 1, "svd: expected 1 file, A", ""},
    [HSVD] = {"hsvd", 2, "hsvd: expected 2 files, G and J", "G or J"},
    [EIGH] = {"eigh", 1, "eigh: expected 1 file, A", ""},
};

static problem_t problem_of(const char *word)
{
    for (int i = PROBLEMS - 1; word && i > PAIR; --i)
        if (strcmp(word, problem[i].word) == 0)
            return (problem_t)i;
    return PAIR;
}

static bool set_operands(options_t *o, int count, char **operand)
{
    const problem_t is = o->task.problem =
        problem_of(count > 0 ? operand[0] : NULL);

    if (is != PAIR) {
        --count;
        ++operand;
    }
    if (count != problem[is].files) {
        fprintf(stderr, "gsvd: %s; see gsvd --help\n", problem[is].expected);
        return false;
    }
    for (int i = 0; i < count; ++i)
        o->file[i] = operand[i];
    if (count < 2 || !input_is_standard(o->file[0]) ||
        !input_is_standard(o->file[1]))
        return true;
    fprintf(stderr, "gsvd: standard input is read once: %s, not both\n",
            problem[is].twice);
    return false;
}

/* Options that say nothing, or that the problem does not have */
static bool in_order(const options_t *o, const bool *given)
{
    for (int i = 0; i < KNOWN; ++i)
        if (given[i] && !(known[i].of >> o->task.problem & 1)) {
            fprintf(stderr,
                    "gsvd: --%s: not an option of %s; see gsvd --help\n",
                    known[i].name,
                    o->task.problem == PAIR ? "a pair"
                                            : problem[o->task.problem].word);
            return false;
        }
    if (o->task.keep && o->task.form == GSVD_FORM_LAPACK) {
        fprintf(stderr, "gsvd: --keep: of --form x or xinv alone\n");
        return false;
    }
    if (o->task.keep && o->task.bounds) {
        fprintf(stderr, "gsvd: --keep: not with --bounds, for which all of Y "
                        "is needed\n");
        return false;
    }
    if (o->task.bounds && o->task.form != GSVD_FORM_XINV) {
        fprintf(stderr, "gsvd: --bounds: of --form xinv alone\n");
        return false;
    }
    if (o->format_given && !o->directory) {
        fprintf(stderr, "gsvd: --format: there is no --output\n");
        return false;
    }
    return true;
}

/* What a grid does not have; a pair's form on it is X. */
static bool beside_grid(options_t *o, const bool *given)
{
    const char *word = NULL;

    for (int i = 0; i < KNOWN; ++i)
        if (given[i] && !(known[i].of & ON_GRID))
            word = known[i].name;
    if (given[place_of("form")] && o->task.form != GSVD_FORM_X)
        word = o->task.form == GSVD_FORM_XINV ? "form xinv" : "form lapack";
    char format[16];
    if (o->format != FORMAT_NPY) {
        snprintf(format, sizeof format, "format %s", format_name[o->format]);
        word = format;
    }
    if (word)
        fprintf(stderr, "gsvd: --%s: not beside --grid; see gsvd --help\n",
                word);
    for (int i = 0; !word && i < 2; ++i)
        if (o->file[i] && input_is_standard(o->file[i])) {
            fputs("gsvd: standard input is not read beside --grid\n", stderr);
            return false;
        }
    o->task.form = GSVD_FORM_X;
    return !word;
}

bool options_parse(int argc, char **argv, options_t *o)
{
    bool given[KNOWN] = {false};

    *o = (options_t){.task = {.device = GSVD_ANY,
                              .solver = GSVD_SOLVER_AUTO,
                              .form = GSVD_FORM_LAPACK,
                              .rank = GSVD_RANK_NORM,
                              .equilibrate = GSVD_EQUILIBRATE_AUTO,
                              .tol_a = -1,
                              .tol_b = -1}};
    if (!parse_all(argc, argv, o, given))
        return false;
    if (!o->format_given)
        o->format = o->format_of_output;
    if (!given[place_of("form")])
        o->task.form = o->task.bounds ? GSVD_FORM_XINV
                       : o->task.keep ? GSVD_FORM_X
                                      : GSVD_FORM_LAPACK;
    return o->help || o->version ||
           (set_operands(o, argc - optind, argv + optind) &&
            in_order(o, given) && (o->grid.p == 0 || beside_grid(o, given)));
}
