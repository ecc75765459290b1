/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* report.c -- prints a decomposition for people or for programs. */
#include "report.h"

#include <inttypes.h>
#include <math.h>

enum { EDGE = 8 }; /* values shown at the head and at the tail */

static const char *solver_name(const decomposition_t *d)
{
    return d->stats.solver == GSVD_SOLVER_TGSJA ? "tgsja" : "jacobi";
}

static void print_device(FILE *out, const decomposition_t *d)
{
    if (d->stats.device < 0)
        fputs("cpu", out);
    else
        fprintf(out, "cuda:%d", d->stats.device);
}

static void text_matrix(FILE *out, const char *letter, const char *name,
                        int64_t rows, int64_t cols, bool complex)
{
    fprintf(out, "%s  %" PRId64 " by %" PRId64 ", %s: %s\n", letter, rows, cols,
            complex ? "complex" : "real", name);
}

static void text_values(FILE *out, const decomposition_t *d)
{
    const int64_t r = d->k + d->l;
    const int digits = d->task->single ? 8 : 16;

    if (r == 0)
        return;
    fprintf(out, "\n%8s  %-22s  %-22s  %s\n", "", "alpha", "beta",
            "alpha / beta");
    for (int64_t i = 0; i < r; ++i) {
        if (i == EDGE && r > 2 * EDGE + 1) {
            fprintf(out, "%8s  %" PRId64 " more\n", "...", r - 2 * EDGE);
            i = r - EDGE;
        }
        const double alpha = d->alpha.at[i], beta = d->beta.at[i];
        fprintf(out, "%8" PRId64 "  %-22.*g  %-22.*g  %.*g\n", i + 1, digits,
                alpha, digits, beta, d->task->single ? 7 : 9,
                beta == 0 ? HUGE_VAL : alpha / beta);
    }
}

static void text_quality(FILE *out, const report_t *r)
{
    const bool x_form = r->d->task->form == GSVD_FORM_X;
    const quality_t *q = r->quality;
    const struct {
        const char *name;
        double value;
    } line[] = {
        {x_form ? "||A - U D1 X^H|| / ||A||" : "||A - U D1 (0 R) Q^H|| / ||A||",
         q->residual_a},
        {x_form ? "||B - V D2 X^H|| / ||B||" : "||B - V D2 (0 R) Q^H|| / ||B||",
         q->residual_b},
        {"||U^H U - I||", q->orth_u},
        {"||V^H V - I||", q->orth_v},
        {"||Q^H Q - I||", q->orth_q}};

    fputc('\n', out);
    for (int i = 0; i < (x_form ? 4 : 5); ++i)
        fprintf(out, "%-30s  %9.2e\n", line[i].name, line[i].value);
    fprintf(out, "%-30s  %9.3g\n", "LAPACK's ratios, the worst", q->ratio_max);
}

void report_text(FILE *out, const report_t *r)
{
    const decomposition_t *d = r->d;

    text_matrix(out, "A", r->name_a, d->m, d->n, r->complex_a);
    text_matrix(out, "B", r->name_b, d->p, d->n, r->complex_b);
    fprintf(out, "k = %" PRId64 ", l = %" PRId64 "\n", d->k, d->l);
    text_values(out, d);
    if (!d->task->values)
        text_quality(out, r);

    fprintf(out, "\n%s on ", solver_name(d));
    print_device(out, d);
    fprintf(out, ", %s precision, %d sweep%s, %.3f s%s\n",
            d->task->single ? "single" : "double", d->stats.sweeps,
            d->stats.sweeps == 1 ? "" : "s", d->stats.seconds_total,
            d->stats.converged ? "" : ", not converged");
}

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

void report_json(FILE *out, const report_t *r)
{
    const decomposition_t *d = r->d;
    const quality_t *q = r->quality;

    fprintf(out,
            "{\"m\": %" PRId64 ", \"n\": %" PRId64 ", \"p\": %" PRId64
            ", \"k\": %" PRId64 ", \"l\": %" PRId64,
            d->m, d->n, d->p, d->k, d->l);
    json_array(out, "alpha", &d->alpha, d->task->single);
    json_array(out, "beta", &d->beta, d->task->single);
    json_named(out, "residual_a", q->residual_a);
    json_named(out, "residual_b", q->residual_b);
    json_named(out, "orth_u", q->orth_u);
    json_named(out, "orth_v", q->orth_v);
    json_named(out, "orth_q", q->orth_q);
    json_named(out, "ratio_max", q->ratio_max);
    fprintf(out, ", \"sweeps\": %d, \"converged\": %s, \"device\": \"",
            d->stats.sweeps, d->stats.converged ? "true" : "false");
    print_device(out, d);
    fprintf(out, "\", \"solver\": \"%s\"", solver_name(d));
    json_named(out, "seconds", d->stats.seconds_total);
    for (int i = 0; r->files && i < r->files->count; ++i)
        fprintf(out, "%s\"%s\"", i == 0 ? ", \"files\": [" : ", ",
                r->files->name[i]);
    fputs(r->files ? "]}\n" : "}\n", out);
}
