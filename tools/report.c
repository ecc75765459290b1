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
                        const matrix_t *A, bool complex)
{
    fprintf(out, "%s  %" PRId64 " by %" PRId64 ", %s: %s\n", letter, A->rows,
            A->cols, complex ? "complex" : "real", name);
}

static void text_values(FILE *out, const decomposition_t *d)
{
    const int64_t r = d->k + d->l;

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
        fprintf(out, "%8" PRId64 "  %-22.16g  %-22.16g  %.9g\n", i + 1, alpha,
                beta, beta == 0 ? HUGE_VAL : alpha / beta);
    }
}

void report_text(FILE *out, const report_t *r)
{
    const decomposition_t *d = r->d;
    const quality_t *q = r->quality;

    text_matrix(out, "A", r->name_a, &d->A, r->complex_a);
    text_matrix(out, "B", r->name_b, &d->B, r->complex_b);
    fprintf(out, "k = %" PRId64 ", l = %" PRId64 "\n", d->k, d->l);
    text_values(out, d);

    fprintf(out, "\n||A - U D1 (0 R) Q^H|| / ||A||  %9.2e\n", q->residual_a);
    fprintf(out, "||B - V D2 (0 R) Q^H|| / ||B||  %9.2e\n", q->residual_b);
    fprintf(out, "||U^H U - I||                   %9.2e\n", q->orth_u);
    fprintf(out, "||V^H V - I||                   %9.2e\n", q->orth_v);
    fprintf(out, "||Q^H Q - I||                   %9.2e\n", q->orth_q);
    fprintf(out, "LAPACK's ratios, the worst      %9.3g\n", q->ratio_max);

    fprintf(out, "\n%s on ", solver_name(d));
    print_device(out, d);
    fprintf(out, ", %d sweep%s, %.3f s%s\n", d->stats.sweeps,
            d->stats.sweeps == 1 ? "" : "s", d->stats.seconds_total,
            d->stats.converged ? "" : ", not converged");
}

static void json_number(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, "%.17g", x);
    else
        fputs("null", out);
}

static void json_named(FILE *out, const char *name, double x)
{
    fprintf(out, ", \"%s\": ", name);
    json_number(out, x);
}

static void json_array(FILE *out, const char *name, const double *x, int64_t n)
{
    fprintf(out, ", \"%s\": [", name);
    for (int64_t i = 0; i < n; ++i) {
        if (i > 0)
            fputs(", ", out);
        json_number(out, x[i]);
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
    json_array(out, "alpha", d->alpha.at, d->k + d->l);
    json_array(out, "beta", d->beta.at, d->k + d->l);
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
    fputs("}\n", out);
}
