/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tikhonov.c -- gsvd tikhonov: regularized solutions, and the choice of lambda.
 *
 *     1  A, L, B out of their files
 *     2  the GSVD of (A, L), with X^-H
 *     3  coefficients, lambda of each column of B, solutions
 *     4  the files asked for, under temporary names; the report; their names
 */
#include "tikhonov.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"
#include "gsvd_filter.h"
#include "input.h"
#include "matrix_market.h"
#include "npy.h"
#include "options.h"
#include "stage.h"

enum { POINTS = 121, OPERANDS_ = 3 };

static const char *const help =
    "Usage: gsvd tikhonov [OPTION]... A L B\n"
    "\n"
    "Solves min ||A x - b||^2 + lambda^2 ||L x||^2 for each column b of the\n"
    "matrix in the file B, out of one GSVD of the matrices in the files A and\n"
    "L, and chooses lambda.  L may have fewer rows than columns, such as a\n"
    "derivative; A and L must have no null vector in common.\n"
    "\n"
    "  --lambda HOW        gcv (default)  generalized cross-validation\n"
    "                      lcurve         the corner of the L-curve\n"
    "                      quasi          quasi-optimality\n"
    "                      discrepancy=D  the largest with ||A x - b|| <= D\n"
    "                      NUMBER         this one\n"
    "  --filter WHICH      tikhonov (default); truncated: terms with\n"
    "                      alpha / beta < lambda are left out; damped\n"
    "  --device WHERE      as in gsvd\n"
    "  --header            the first line of a CSV file is a header\n"
    "  --json              print one JSON object\n"
    "  -o, --output DIR    write x, lambda, curve (lambda, ||A x - b||, ||L "
    "x||\n"
    "                      in 121 points, of the first b), picard (alpha, "
    "beta,\n"
    "                      |u^H b| of each b) and tikhonov.json into DIR\n"
    "  --format FORMAT     of these files: npy (default) or mtx\n"
    "  --plot              draw DIR/picard.svg and DIR/lcurve.svg, of the\n"
    "                      first b\n"
    "  -h, --help          print this\n"
    "\n"
    "Example:\n"
    "  gsvd tikhonov --lambda lcurve -o solution --plot A.npy L.npy b.npy\n";

typedef enum how { CHOSEN, GIVEN } how_t;

typedef struct job {
    const char *file[OPERANDS_];
    how_t how;
    gsvd_choice_t choice;
    gsvd_filter_t filter;
    double number; /* lambda, or delta                                       */
    int device;
    bool header, json, mtx, plot, help;
    const char *directory;
} job_t;

typedef struct work {
    matrix_t A, L, B; /* A and L are lost to the GSVD                        */
    int64_t m, n, p, r, k, l, rhs;
    int width;
    gsvd_handle_t h;
    matrix_t alpha, beta, U, Y, C, X;
    matrix_t lambda, residual, seminorm, rest; /* of each b                  */
    matrix_t curve;                            /* POINTS x 3                 */
    matrix_t picard;                           /* r x (2 + rhs)              */
} work_t;

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "gsvd: %s%s%s\n", what, *why ? ": " : "", why);
    return false;
}

/* -- the command line ------------------------------------------------------------- */

/* by gsvd_choice_t, and by gsvd_filter_t */
static const char *const choice_name[] = {"gcv", "lcurve", "discrepancy",
                                          "quasi"};
static const char *const filter_name[] = {"tikhonov", "truncated", "damped"};

static bool set_lambda(job_t *o, const char *word)
{
    static const char by[] = "discrepancy=";
    const char *number = word;
    char *end;

    o->how = CHOSEN;
    for (int i = 0; i <= GSVD_CHOICE_QUASI; ++i)
        if (i != GSVD_CHOICE_DISCREPANCY && strcmp(word, choice_name[i]) == 0) {
            o->choice = (gsvd_choice_t)i;
            return true;
        }
    if (strncmp(word, by, sizeof by - 1) == 0) {
        o->choice = GSVD_CHOICE_DISCREPANCY;
        number += sizeof by - 1;
    } else {
        o->how = GIVEN;
    }
    o->number = strtod(number, &end);
    return end != number && !*end && o->number >= 0;
}

static bool set_filter(job_t *o, const char *word)
{
    for (int i = 0; i <= GSVD_FILTER_DAMPED; ++i)
        if (strcmp(word, filter_name[i]) == 0) {
            o->filter = (gsvd_filter_t)i;
            return true;
        }
    return false;
}

static bool set(job_t *o, int key, const char *word)
{
    switch (key) {
    case 'l': return set_lambda(o, word);
    case 'f': return set_filter(o, word);
    case 'd': return options_device(word, &o->device);
    case 'H': return o->header = true;
    case 'j': return o->json = true;
    case 'p': return o->plot = true;
    case 'h': return o->help = true;
    case 'o': o->directory = word; return *word;
    default:
        o->mtx = strcmp(word, "mtx") == 0;
        return o->mtx || strcmp(word, "npy") == 0;
    }
}

static bool parse(int argc, char **argv, job_t *o)
{
    static const struct option list[] = {
        {"lambda", 1, NULL, 'l'}, {"filter", 1, NULL, 'f'},
        {"device", 1, NULL, 'd'}, {"header", 0, NULL, 'H'},
        {"json", 0, NULL, 'j'},   {"plot", 0, NULL, 'p'},
        {"help", 0, NULL, 'h'},   {"output", 1, NULL, 'o'},
        {"format", 1, NULL, 'F'}, {NULL, 0, NULL, 0}};
    static const char see[] = "see gsvd tikhonov --help";
    int key, at = 0;

    *o = (job_t){.device = GSVD_ANY};
    opterr = 0;
    while ((key = getopt_long(argc, argv, ":ho:", list, &at)) != -1) {
        if (key == '?' || key == ':') {
            fprintf(stderr, "gsvd: %s: %s; %s\n", argv[optind - 1],
                    key == ':' ? "a value is missing" : "not an option", see);
            return false;
        }
        if (!set(o, key, optarg)) {
            fprintf(stderr,
                    "gsvd: tikhonov: --%s %s: not one of its values; %s\n",
                    key == 'o' ? "output" : list[at].name, optarg, see);
            return false;
        }
    }
    if (o->help)
        return true;
    if (argc - optind != OPERANDS_)
        return complain("tikhonov: expected 3 files, A, L and B", see);
    for (int i = 0, standard = 0; i < OPERANDS_; ++i) {
        o->file[i] = argv[optind + i];
        standard += input_is_standard(o->file[i]);
        if (standard > 1)
            return complain("standard input is read once", "");
    }
    if (o->plot && !o->directory)
        return complain("--plot", "there is no --output");
    return true;
}

/* -- the matrices -------------------------------------------------------------------- */

static bool read_all(const job_t *o, work_t *w)
{
    matrix_t *const to[] = {&w->A, &w->L, &w->B};

    for (int i = 0; i < OPERANDS_; ++i) {
        const char *const name = input_name(o->file[i]);
        read_error_t error;
        int64_t size_line;
        if (!input_read(o->file[i], (demand_t){.header = o->header}, to[i],
                        &size_line, &error)) {
            fprintf(stderr, "gsvd: %s:", name);
            if (error.line > 0)
                fprintf(stderr, "%" PRId64 ":", error.line);
            fprintf(stderr, " %s\n", error.reason);
            return false;
        }
    }
    if (w->L.cols != w->A.cols) {
        fprintf(stderr,
                "gsvd: %s: %" PRId64 " columns, but %s has %" PRId64 "\n",
                input_name(o->file[1]), w->L.cols, input_name(o->file[0]),
                w->A.cols);
        return false;
    }
    if (w->B.rows == 1 && w->B.cols == w->A.rows) { /* a row is a column      */
        w->B.rows = w->B.cols;
        w->B.cols = 1;
    }
    if (w->B.rows != w->A.rows) {
        fprintf(stderr, "gsvd: %s: %" PRId64 " rows, but %s has %" PRId64 "\n",
                input_name(o->file[2]), w->B.rows, input_name(o->file[0]),
                w->A.rows);
        return false;
    }
    return true;
}

static bool to_width(matrix_t *A, int width)
{
    matrix_t T = {0};

    if (A->width == width)
        return true;
    if (!matrix_copy(&T, A, width))
        return false;
    matrix_free(A);
    *A = T;
    return true;
}

/* Memory of everything; what needs the ranks is cut to them later. */
static bool allocate(work_t *w)
{
    w->m = w->A.rows;
    w->n = w->A.cols;
    w->p = w->L.rows;
    w->rhs = w->B.cols;
    w->width = w->A.width == 2 || w->L.width == 2 || w->B.width == 2 ? 2 : 1;
    const int64_t u = w->m < w->n ? w->m : w->n;
    const int64_t q = w->n < w->m + w->p ? w->n : w->m + w->p;

    return to_width(&w->A, w->width) && to_width(&w->L, w->width) &&
           to_width(&w->B, w->width) && matrix_create(&w->alpha, w->n, 1, 1) &&
           matrix_create(&w->beta, w->n, 1, 1) &&
           matrix_create(&w->U, w->m, u, w->width) &&
           matrix_create(&w->Y, w->n, q, w->width) &&
           matrix_create(&w->C, w->n, w->rhs, w->width) &&
           matrix_create(&w->X, w->n, w->rhs, w->width) &&
           matrix_create(&w->lambda, w->rhs, 1, 1) &&
           matrix_create(&w->residual, w->rhs, 1, 1) &&
           matrix_create(&w->seminorm, w->rhs, 1, 1) &&
           matrix_create(&w->rest, w->rhs, 1, 1) &&
           matrix_create(&w->curve, POINTS, 3, 1);
}

static void release(work_t *w)
{
    matrix_t *const all[] = {&w->A,    &w->L,      &w->B,        &w->alpha,
                             &w->beta, &w->U,      &w->Y,        &w->C,
                             &w->X,    &w->lambda, &w->residual, &w->seminorm,
                             &w->rest, &w->curve,  &w->picard};

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        matrix_free(all[i]);
    gsvd_destroy(w->h);
}

/* -- the library: double precision, real or complex ------------------------------------ */

#if !GSVD_HAVE_D || !GSVD_HAVE_Z
static gsvd_status_t not_built(gsvd_handle_t h, ...)
{
    (void)h;
    return GSVD_NOT_SUPPORTED;
}
#endif

/* Returns what dgsvd_NAME or zgsvd_NAME does, if w is of that type. */
#if GSVD_HAVE_D
#define REAL(w, name, ...)                                                     \
    if ((w)->width == 1)                                                       \
        return dgsvd_##name((w)->h, __VA_ARGS__);
#else
#define REAL(w, name, ...)                                                     \
    if ((w)->width == 1)                                                       \
        return not_built((w)->h, __VA_ARGS__);
#endif
#if GSVD_HAVE_Z
#define COMPLEX(w, name, ...)                                                  \
    if ((w)->width == 2)                                                       \
        return zgsvd_##name((w)->h, __VA_ARGS__);
#else
#define COMPLEX(w, name, ...)                                                  \
    if ((w)->width == 2)                                                       \
        return not_built((w)->h, __VA_ARGS__);
#endif

static gsvd_status_t expand(const work_t *w)
{
    REAL(w, picard, w->m, w->r, w->rhs, w->U.at, w->m > 0 ? w->m : 1, w->B.at,
         w->m > 0 ? w->m : 1, w->C.at, w->r > 0 ? w->r : 1, w->rest.at)
    COMPLEX(w, picard, w->m, w->r, w->rhs, (const gsvd_complex_double *)w->U.at,
            w->m > 0 ? w->m : 1, (gsvd_complex_double *)w->B.at,
            w->m > 0 ? w->m : 1, (gsvd_complex_double *)w->C.at,
            w->r > 0 ? w->r : 1, w->rest.at)
    return GSVD_NOT_SUPPORTED;
}

static gsvd_status_t range_of(const work_t *w, double *low, double *high)
{
    REAL(w, lambda_range, w->r, w->alpha.at, w->beta.at, low, high)
    COMPLEX(w, lambda_range, w->r, w->alpha.at, w->beta.at, low, high)
    return GSVD_NOT_SUPPORTED;
}

static gsvd_status_t choose(const work_t *w, const job_t *o, int64_t j)
{
    const double *const c = w->C.at + j * w->r * w->width;
    double *const lambda = &w->lambda.at[j];

    REAL(w, choose, o->choice, o->filter, w->m, w->r, w->alpha.at, w->beta.at,
         c, w->rest.at[j], o->number, lambda)
    COMPLEX(w, choose, o->choice, o->filter, w->m, w->r, w->alpha.at,
            w->beta.at, (const gsvd_complex_double *)c, w->rest.at[j],
            o->number, lambda)
    return GSVD_NOT_SUPPORTED;
}

/* Right-hand side j by some lambda; solutions to x, or none if x is NULL */
static gsvd_status_t solve(const work_t *w, const job_t *o, int64_t j,
                           int64_t count, const double *lambda,
                           double *residual, double *seminorm, double *x)
{
    const double *const c = w->C.at + j * w->r * w->width;
    const double *const y = x ? w->Y.at : NULL;
    const int64_t ldc = w->r > 0 ? w->r : 1, ld = w->n > 0 ? w->n : 1;

    REAL(w, filter, o->filter, w->n, w->r, 1, count, w->alpha.at, w->beta.at, c,
         ldc, &w->rest.at[j], lambda, residual, seminorm, y, ld, x, ld)
    COMPLEX(w, filter, o->filter, w->n, w->r, 1, count, w->alpha.at, w->beta.at,
            (const gsvd_complex_double *)c, ldc, &w->rest.at[j], lambda,
            residual, seminorm, (const gsvd_complex_double *)y, ld,
            (gsvd_complex_double *)x, ld)
    return GSVD_NOT_SUPPORTED;
}

/* Says why, and returns false, unless the status is SUCCESS. */
static bool good(const work_t *w, gsvd_status_t status)
{
    const char *const why = gsvd_last_error(w->h);

    return status == GSVD_SUCCESS ||
           complain("tikhonov", *why ? why : gsvd_status_name(status));
}

static bool decompose_pair(const job_t *o, work_t *w)
{
    int info;
    const gsvd_problem_t call = {.size = sizeof call,
                                 .routine = GSVD_ROUTINE_GSVD,
                                 .type = w->width == 2 ? GSVD_Z : GSVD_D,
                                 .job = {'S', 'N', 'S'},
                                 .m = w->m,
                                 .n = w->n,
                                 .p = w->p,
                                 .A = {.data = w->A.at},
                                 .B = {.data = w->L.at},
                                 .U = {.data = w->U.at},
                                 .Q = {.data = w->Y.at},
                                 .alpha = {.data = w->alpha.at},
                                 .beta = {.data = w->beta.at},
                                 .k_out = &w->k,
                                 .l_out = &w->l,
                                 .info = &info};
    const gsvd_status_t status = gsvd_create(&w->h, o->device);

    if (status != GSVD_SUCCESS) {
        const char *const why = gsvd_last_error(NULL);
        return complain("tikhonov", *why ? why : gsvd_status_name(status));
    }
    if (!good(w, gsvd_set_option(w->h, GSVD_FORM, GSVD_FORM_XINV)) ||
        !good(w, gsvd_run(w->h, &call)))
        return false;
    w->r = w->k + w->l;
    if (w->r < w->n) {
        fprintf(stderr,
                "gsvd: tikhonov: A and L have %" PRId64
                " null vectors in common: no solution is the only one\n",
                w->n - w->r);
        return false;
    }
    w->C.rows = w->r;
    return true;
}

static bool solve_all(const job_t *o, work_t *w)
{
    for (int64_t j = 0; j < w->rhs; ++j) {
        w->lambda.at[j] = o->number;
        if (o->how == CHOSEN && !good(w, choose(w, o, j)))
            return false;
        if (!good(w, solve(w, o, j, 1, &w->lambda.at[j], &w->residual.at[j],
                           &w->seminorm.at[j], w->X.at + j * w->n * w->width)))
            return false;
    }
    return true;
}

/* The L-curve of the first b over lambda_range, and a decade at each end */
static bool draw_curve(const job_t *o, work_t *w)
{
    double *const at = w->curve.at, low, high;

    if (!good(w, range_of(w, &low, &high)))
        return false;
    for (int i = 0; i < POINTS; ++i)
        at[i] =
            low > 0 ? low / 10 * pow(high / low * 100, i / (POINTS - 1.0)) : i;
    return w->rhs == 0 || good(w, solve(w, o, 0, POINTS, at, at + POINTS,
                                        at + 2 * POINTS, NULL));
}

static bool fill_picard(work_t *w)
{
    if (!matrix_create(&w->picard, w->r, 2 + w->rhs, 1))
        return complain("no memory", "");
    for (int64_t i = 0; i < w->r; ++i) {
        w->picard.at[i] = w->alpha.at[i];
        w->picard.at[i + w->r] = w->beta.at[i];
        for (int64_t j = 0; j < w->rhs; ++j) {
            const double *const c = w->C.at + (i + j * w->r) * w->width;
            w->picard.at[i + (2 + j) * w->r] =
                w->width == 2 ? hypot(c[0], c[1]) : fabs(c[0]);
        }
    }
    return true;
}

/* -- pictures ------------------------------------------------------------------------- */

static const char *name_of_choice(const job_t *o)
{
    return o->how == GIVEN ? "given" : choice_name[o->choice];
}

static bool plot_picard(stage_t *s, const job_t *o, const work_t *w)
{
    FILE *const out = stage_open(s, o->directory, "picard.svg");
    const size_t bytes = (size_t)(w->r > 0 ? w->r : 1) * sizeof(double);
    double *const gamma = malloc(bytes), *const quotient = malloc(bytes);
    const bool done = out && gamma && quotient;

    if (done) {
        const double *const d = w->picard.at + 2 * w->r;
        for (int64_t i = 0; i < w->r; ++i) {
            gamma[i] = w->alpha.at[i] / w->beta.at[i];
            quotient[i] = w->rhs > 0 ? d[i] / gamma[i] : 0;
        }
        const series_t series[] = {
            {"&#947; = &#945; / &#946;", "#1f5fa8", true, w->r, NULL, gamma},
            {"|u&#7476; b|", "#c2410c", false, w->rhs > 0 ? w->r : 0, NULL, d},
            {"|u&#7476; b| / &#947;", "#15803d", false, w->rhs > 0 ? w->r : 0,
             NULL, quotient}};
        curves_write(out,
                     &(curves_t){.title = "Picard plot",
                                 .subtitle = "where |u&#7476; b| stops falling "
                                             "faster than &#947;, noise begins",
                                 .x = "number of the value",
                                 .y = "logarithmic",
                                 .count = 3,
                                 .series = series});
    }
    free(gamma);
    free(quotient);
    return (done || complain("no memory", "")) && stage_close(s, true);
}

static bool plot_lcurve(stage_t *s, const job_t *o, const work_t *w)
{
    FILE *const out = stage_open(s, o->directory, "lcurve.svg");
    const double *const at = w->curve.at;
    const series_t series[] = {{"L-curve", "#1f5fa8", true,
                                w->rhs > 0 ? POINTS : 0, at + POINTS,
                                at + 2 * POINTS}};
    char words[64] = "";

    if (!out)
        return false;
    if (w->rhs > 0)
        snprintf(words, sizeof words, "&#955; = %.3g (%s)", w->lambda.at[0],
                 name_of_choice(o));
    curves_write(out,
                 &(curves_t){.title = "L-curve",
                             .subtitle = "&#955; grows from left to right",
                             .x = "&#8214;A x &#8722; b&#8214;",
                             .y = "&#8214;L x&#8214;",
                             .log_x = true,
                             .count = 1,
                             .series = series,
                             .mark = w->rhs > 0 ? words : NULL,
                             .mark_x = w->rhs > 0 ? w->residual.at[0] : 0,
                             .mark_y = w->rhs > 0 ? w->seminorm.at[0] : 0});
    return stage_close(s, true);
}

/* -- what is told and written ------------------------------------------------------------ */

static void put_number(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, "%.17g", x);
    else
        fputs("null", out);
}

static void put_list(FILE *out, const char *name, const matrix_t *x)
{
    fprintf(out, "  \"%s\": [", name);
    for (int64_t i = 0; i < x->rows; ++i) {
        fputs(i ? ", " : "", out);
        put_number(out, x->at[i]);
    }
    fputs("],\n", out);
}

static void print_json(FILE *out, const job_t *o, const work_t *w)
{
    fprintf(out,
            "{\n  \"m\": %" PRId64 ", \"n\": %" PRId64 ", \"p\": %" PRId64
            ", \"k\": %" PRId64 ", \"l\": %" PRId64 ",\n",
            w->m, w->n, w->p, w->k, w->l);
    put_list(out, "lambda", &w->lambda);
    put_list(out, "residual", &w->residual);
    put_list(out, "seminorm", &w->seminorm);
    fprintf(out, "  \"choice\": \"%s\",\n  \"filter\": \"%s\"\n}\n",
            name_of_choice(o), filter_name[o->filter]);
}

static void print_text(const job_t *o, const work_t *w)
{
    static const char *const letter = "ALB";
    const int64_t size[][2] = {{w->m, w->n}, {w->p, w->n}, {w->m, w->rhs}};

    for (int i = 0; i < OPERANDS_; ++i)
        printf("%c  %" PRId64 " by %" PRId64 ": %s\n", letter[i], size[i][0],
               size[i][1], input_name(o->file[i]));
    printf("k = %" PRId64 ", l = %" PRId64 "\n", w->k, w->l);
    printf("\n%8s  %-22s  %-22s  %s\n", "b", "lambda", "||A x - b||",
           "||L x||");
    for (int64_t j = 0; j < w->rhs; ++j)
        printf("%8" PRId64 "  %-22.16g  %-22.16g  %.16g\n", j + 1,
               w->lambda.at[j], w->residual.at[j], w->seminorm.at[j]);
    printf("\nlambda: %s\n", name_of_choice(o));
}

static bool write_matrix(stage_t *s, const job_t *o, const char *name,
                         const matrix_t *A, bool vector)
{
    char file[32];

    snprintf(file, sizeof file, "%s.%s", name, o->mtx ? "mtx" : "npy");
    FILE *const out = stage_open(s, o->directory, file);
    return out && stage_close(s, o->mtx ? matrix_market_write(out, A, false)
                                        : npy_write(out, A, false, vector));
}

static bool write_files(stage_t *s, const job_t *o, const work_t *w)
{
    if (!stage_directory(s, o->directory) ||
        !write_matrix(s, o, "x", &w->X, w->rhs == 1) ||
        !write_matrix(s, o, "lambda", &w->lambda, true) ||
        !write_matrix(s, o, "curve", &w->curve, false) ||
        !write_matrix(s, o, "picard", &w->picard, false))
        return false;
    if (o->plot && (!plot_picard(s, o, w) || !plot_lcurve(s, o, w)))
        return false;
    FILE *const out = stage_open(s, o->directory, "tikhonov.json");
    if (!out)
        return false;
    print_json(out, o, w);
    return stage_close(s, true);
}

static int print(const job_t *o, const work_t *w)
{
    if (o->json)
        print_json(stdout, o, w);
    else
        print_text(o, w);
    return output_flushed(DONE);
}

static int deliver(const job_t *o, const work_t *w)
{
    stage_t stage;

    if (!o->directory)
        return print(o, w);
    stage_begin(&stage);
    if (!write_files(&stage, o, w) || print(o, w) != DONE) {
        stage_discard(&stage);
        return FAILED;
    }
    return stage_commit(&stage) ? DONE : FAILED;
}

int tikhonov(int argc, char **argv)
{
    job_t o;
    work_t w = {0};
    int code = FAILED;

    if (!parse(argc, argv, &o))
        return USAGE;
    if (o.help) {
        fputs(help, stdout);
        return output_flushed(DONE);
    }
    if (read_all(&o, &w)) {
        if (!allocate(&w))
            complain("no memory for the factors", "");
        else if (decompose_pair(&o, &w) && good(&w, expand(&w)) &&
                 solve_all(&o, &w) && draw_curve(&o, &w) && fill_picard(&w))
            code = deliver(&o, &w);
    }
    release(&w);
    return code;
}
