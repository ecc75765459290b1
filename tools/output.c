/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* output.c -- writes a decomposition into a directory. */
#include "output.h"

#include "matrix_market.h"
#include "npy.h"

static bool write_matrix(stage_t *s, const char *directory, enum format format,
                         const char *letter, const matrix_t *A, bool single,
                         bool vector)
{
    char name[16];

    snprintf(name, sizeof name, "%s.%s", letter,
             format == FORMAT_NPY ? "npy" : "mtx");
    FILE *const out = stage_open(s, directory, name);
    if (!out)
        return false;
    return stage_close(s, format == FORMAT_NPY
                              ? npy_write(out, A, single, vector)
                              : matrix_market_write(out, A, single));
}

bool output_write(stage_t *s, const char *directory, enum format format,
                  const report_t *r)
{
    const decomposition_t *const d = r->d;
    const bool factors = !d->task->values;
    const bool x_form = d->task->form == GSVD_FORM_X;
    const struct {
        const char *name;
        const matrix_t *matrix;
        bool wanted, vector;
    } file[] = {{"alpha", &d->alpha, true, true},
                {"beta", &d->beta, true, true},
                {"U", &d->U, factors, false},
                {"V", &d->V, factors, false},
                {x_form ? "X" : "Q", &d->Q, factors, false},
                {"R", &d->R, factors && !x_form, false}};

    if (!stage_directory(s, directory))
        return false;
    for (size_t i = 0; i < sizeof file / sizeof *file; ++i)
        if (file[i].wanted &&
            !write_matrix(s, directory, format, file[i].name, file[i].matrix,
                          d->task->single, file[i].vector))
            return false;
    FILE *const out = stage_open(s, directory, "gsvd.json");
    if (!out)
        return false;
    report_json(out, r);
    return stage_close(s, true);
}
