/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* report.c -- prints a decomposition for people or for programs. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

enum { EDGE = 8 };       /* values shown at the head and at the tail */
enum { THRESHOLD = 20 }; /* of LAPACK's test programs */

static void print_device(FILE *out, const decomposition_t *d)
{
    if (d->place)
        fprintf(out, "grid:%dx%d", d->place->p, d->place->q);
    else if (d->stats.device < 0)
        fputs("host", out);
    else
        fprintf(out, "cuda:%d", d->stats.device);
}

static void text_matrix(FILE *out, const char *letter, const char *name,
                        int64_t rows, int64_t cols, bool complex)
{
    fprintf(out, "%s  %" PRId64 " by %" PRId64 ", %s: %s\n", letter, rows, cols,
            complex ? "complex" : "real", name);
}

/* -- values ------------------------------------------------------------------- */

/* alpha, beta, alpha / beta */
static void text_pair(FILE *out, const decomposition_t *d, int64_t i)
{
    const int digits = d->task->single ? 8 : 16;
    const double alpha = d->alpha.at[i], beta = d->beta.at[i];

    fprintf(out, "%-22.*g  %-22.*g  %-*.*g", digits, alpha, digits, beta,
            d->task->bounds ? 16 : 0, d->task->single ? 7 : 9,
            beta == 0 ? HUGE_VAL : alpha / beta);
    if (d->task->bounds)
        fprintf(out, "  %.1e", d->bounds.at[i]);
    fputc('\n', out);
}

static void text_sigma(FILE *out, const decomposition_t *d, int64_t i)
{
    fprintf(out, "%.*g\n", d->task->single ? 8 : 16, d->sigma.at[i]);
}

/* sigma, its sign, the eigenvalue */
static void text_signed(FILE *out, const decomposition_t *d, int64_t i)
{
    const int digits = d->task->single ? 8 : 16;
    const double sigma = d->sigma.at[i], sign = d->signs.at[i];

    fprintf(out, "%-22.*g  %+4d  %+.*g\n", digits, sigma, (int)sign, digits,
            sign * sigma * sigma);
}

static const struct {
    const char *heading;
    void (*row)(FILE *out, const decomposition_t *d, int64_t i);
} values[PROBLEMS] = {
    [PAIR] = {"alpha                   beta                    alpha / beta",
              text_pair},
    [SVD] = {"sigma", text_sigma},
    [HSVD] = {"sigma                   sign  eigenvalue of G J G^H",
              text_signed},
    [EIGH] = {"eigenvalue", text_sigma},
};

static void text_values(FILE *out, const decomposition_t *d)
{
    const int64_t r = value_count(d);

    if (r == 0)
        return;
    fprintf(out, "\n%8s  %s%s\n", "", values[d->task->problem].heading,
            d->task->bounds ? "      error bound" : "");
    for (int64_t i = 0; i < r; ++i) {
        if (i == EDGE && r > 2 * EDGE + 1) {
            fprintf(out, "%8s  %" PRId64 " more; --json prints all\n", "...",
                    r - 2 * EDGE);
            i = r - EDGE;
        }
        fprintf(out, "%8" PRId64 "  ", i + 1);
        values[d->task->problem].row(out, d, i);
    }
}

/* -- quality ------------------------------------------------------------------ */

enum { LAPACK_FORM, X_FORM, OF_SVD, OF_HSVD, OF_EIGH, Y_FORM, SOME, KINDS };

static int kind_of(const task_t *t)
{
    return t->problem == SVD           ? OF_SVD
           : t->problem == HSVD        ? OF_HSVD
           : t->problem == EIGH        ? OF_EIGH
           : t->form == GSVD_FORM_X    ? t->keep ? SOME : X_FORM
           : t->form == GSVD_FORM_XINV ? Y_FORM
                                       : LAPACK_FORM;
}

#define AT(member) offsetof(quality_t, member)

/* What is measured and how it is called; NULL: it is not. */
static const struct {
    size_t at;
    const char *text[KINDS], *json[PROBLEMS];
} measured[] = {
    {AT(residual_a),
     {"||A - U D1 (0 R) Q^H|| / ||A||", "||A - U D1 X^H|| / ||A||",
      "||A - U Sigma V^H|| / ||A||", "||G - U Sigma V^H|| / ||G||",
      "||A - Q W Q^H|| / ||A||", "A Y - U D1 by columns, worst",
      "||U^H A - D1 X^H|| / ||A||"},
     {"residual_a", "residual", "residual", "residual"}},
    {AT(residual_b),
     {"||B - V D2 (0 R) Q^H|| / ||B||",
      "||B - V D2 X^H|| / ||B||", [Y_FORM] = "B Y - V D2 by columns, worst",
      [SOME] = "||V^H B - D2 X^H|| / ||B||"},
     {"residual_b"}},
    {AT(orth_u),
     {"||U^H U - I||", "||U^H U - I||", "||U^H U - I||",
      "||U^H U - I||", [Y_FORM] = "||U^H U - I||", [SOME] = "||U^H U - I||"},
     {"orth_u", "orth_u", "orth_u"}},
    {AT(orth_v),
     {"||V^H V - I||", "||V^H V - I||", "||V^H V - I||",
      "||V^H J V - J'||", [Y_FORM] = "||V^H V - I||", [SOME] = "||V^H V - I||"},
     {"orth_v", "orth_v", "orth_v"}},
    {AT(orth_q),
     {[LAPACK_FORM] = "||Q^H Q - I||", [OF_EIGH] = "||Q^H Q - I||"},
     {[PAIR] = "orth_q", [EIGH] = "orth_q"}},
    {AT(norm_v), {[OF_HSVD] = "||V||"}, {[HSVD] = "norm_v"}},
};
enum { MEASURED = sizeof measured / sizeof *measured };

static double measure(const report_t *r, int i)
{
    return *(const double *)((const char *)r->quality + measured[i].at);
}

static void text_quality(FILE *out, const report_t *r)
{
    const int kind = kind_of(r->d->task);

    fputc('\n', out);
    for (int i = 0; i < MEASURED; ++i)
        if (measured[i].text[kind])
            fprintf(out, "%-30s  %9.2e\n", measured[i].text[kind],
                    measure(r, i));
    fprintf(out, "%-30s  %9.3g  %s\n",
            kind == OF_HSVD ? "ratios like LAPACK's, worst"
                            : "LAPACK's ratios, the worst",
            r->quality->ratio_max,
            r->quality->ratio_max < THRESHOLD ? "good: below 20"
                                              : "BAD: not below 20");
}

/* -- text --------------------------------------------------------------------- */

static void text_head(FILE *out, const report_t *r)
{
    const decomposition_t *const d = r->d;

    text_matrix(out, d->task->problem == HSVD ? "G" : "A", r->name_a, d->m,
                d->n, r->complex_a);
    if (d->task->problem == PAIR) {
        text_matrix(out, "B", r->name_b, d->p, d->n, r->complex_b);
        fprintf(out, "k = %" PRId64 ", l = %" PRId64 "\n", d->k, d->l);
    }
    if (d->task->problem == HSVD)
        fprintf(out, "J  %" PRId64 " times 1, %" PRId64 " times -1: %s\n",
                d->plus, d->n - d->plus, r->name_b);
}

void report_text(FILE *out, const report_t *r)
{
    const decomposition_t *d = r->d;

    text_head(out, r);
    text_values(out, d);
    if (d->task->bounds)
        fprintf(out, "\n%-30s  %9.2e\n", "cond(R)", d->cond.at[0]);
    if (!d->task->values)
        text_quality(out, r);

    fprintf(out, "\n%s on ", solver_name(&d->stats));
    print_device(out, d);
    fprintf(out, ", %s precision, %d sweep%s, %.3f s%s%s\n",
            d->task->single ? "single" : "double", d->stats.sweeps,
            d->stats.sweeps == 1 ? "" : "s", d->stats.seconds_total,
            d->stats.rows_of_a || d->stats.rows_of_b ? ", ranks by rows" : "",
            d->stats.converged ? "" : ", not converged");
}

/* -- JSON --------------------------------------------------------------------- */

static void json_number(FILE *out, double x, int digits)
{
    if (isfinite(x))
        fprintf(out, "%.*g", digits, x);
    else
        fputs("null", out);
}

static void json_named(FILE *out, const char *name, double x)
{
    fprintf(out, ", \"%s\": ", name);
    json_number(out, x, 17);
}

static void json_array(FILE *out, const char *name, const matrix_t *x,
                       bool single)
{
    fprintf(out, ", \"%s\": [", name);
    for (int64_t i = 0; i < x->rows; ++i) {
        if (i > 0)
            fputs(", ", out);
        json_number(out, x->at[i], single ? 9 : 17);
    }
    fputc(']', out);
}

/* Sizes and values */
static void json_head(FILE *out, const decomposition_t *d)
{
    const bool single = d->task->single;

    if (d->task->problem == PAIR) {
        fprintf(out,
                "{\"m\": %" PRId64 ", \"n\": %" PRId64 ", \"p\": %" PRId64
                ", \"k\": %" PRId64 ", \"l\": %" PRId64,
                d->m, d->n, d->p, d->k, d->l);
        json_array(out, "alpha", &d->alpha, single);
        json_array(out, "beta", &d->beta, single);
        if (d->task->bounds) {
            json_array(out, "bounds", &d->bounds, single);
            json_named(out, "cond", d->cond.at[0]);
        }
        if (d->task->keep && !d->task->values)
            fprintf(out, ", \"kept\": [%" PRId64 ", %" PRId64 "]", d->first + 1,
                    d->first + d->Q.cols);
        return;
    }
    fprintf(out, "{\"m\": %" PRId64 ", \"n\": %" PRId64, d->m, d->n);
    json_array(out, d->task->problem == EIGH ? "w" : "sigma", &d->sigma,
               single);
    if (d->task->problem == HSVD)
        json_array(out, "signs", &d->signs, single);
}

void report_json(FILE *out, const report_t *r)
{
    const decomposition_t *d = r->d;

    json_head(out, d);
    for (int i = 0; i < MEASURED; ++i)
        if (measured[i].json[d->task->problem])
            json_named(out, measured[i].json[d->task->problem], measure(r, i));
    json_named(out, "ratio_max", r->quality->ratio_max);
    fprintf(out, ", \"sweeps\": %d, \"converged\": %s, \"device\": \"",
            d->stats.sweeps, d->stats.converged ? "true" : "false");
    print_device(out, d);
    fprintf(out, "\", \"solver\": \"%s\"", solver_name(&d->stats));
    json_named(out, "seconds", d->stats.seconds_total);
    for (int i = 0; r->files && i < r->files->count; ++i)
        fprintf(out, "%s\"%s\"", i == 0 ? ", \"files\": [" : ", ",
                r->files->name[i]);
    fputs(r->files ? "]}\n" : "}\n", out);
}
