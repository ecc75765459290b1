/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* decompose.c -- one pair through the library, all factors kept. */
#include "decompose.h"

#include <stdio.h>

static int64_t leading(int64_t rows) { return rows > 1 ? rows : 1; }

static bool no_memory(void)
{
    fprintf(stderr, "gsvd: no memory\n");
    return false;
}

static bool allocate(const matrix_t *A, const matrix_t *B, decomposition_t *d)
{
    const int width = d->type == GSVD_Z ? 2 : 1;

    return matrix_copy(&d->A, A, width) && matrix_copy(&d->B, B, width) &&
           matrix_create(&d->alpha, d->n, 1, 1) &&
           matrix_create(&d->beta, d->n, 1, 1) &&
           matrix_create(&d->U, d->m, d->m, width) &&
           matrix_create(&d->V, d->p, d->p, width) &&
           matrix_create(&d->Q, d->n, d->n, width);
}

static bool created(gsvd_handle_t *h, int device)
{
    const gsvd_status_t status = gsvd_create(h, device);

    if (status == GSVD_SUCCESS)
        return true;
    if (status == GSVD_OUT_OF_MEMORY)
        return no_memory();
    if (status == GSVD_NOT_SUPPORTED)
        fprintf(stderr, "gsvd: device %d: built without CUDA\n", device);
    else if (device >= 0)
        fprintf(stderr, "gsvd: device %d cannot be used: %s\n", device,
                gsvd_status_name(status));
    else
        fprintf(stderr, "gsvd: %s\n", gsvd_status_name(status));
    return false;
}

static bool failed(gsvd_handle_t h, gsvd_status_t status)
{
    const char *why = gsvd_last_error(h);

    fprintf(stderr, "gsvd: the decomposition failed: %s%s%s\n",
            gsvd_status_name(status), *why ? ": " : "", why);
    return false;
}

static bool compute(gsvd_handle_t h, gsvd_solver_t solver, decomposition_t *d)
{
    int info;
    gsvd_status_t status = gsvd_set_option(h, GSVD_SOLVER, (int)solver);

    if (status == GSVD_SUCCESS)
        status =
            gsvd(h, d->type, 'U', 'V', 'Q', d->m, d->n, d->p, &d->k, &d->l,
                 d->A.at, leading(d->m), d->B.at, leading(d->p), d->alpha.at,
                 d->beta.at, d->U.at, leading(d->m), d->V.at, leading(d->p),
                 d->Q.at, leading(d->n), NULL, 0, NULL, 0, &info);
    if (status == GSVD_SUCCESS || status == GSVD_NOT_CONVERGED)
        status = gsvd_get_stats(h, &d->stats);
    return status == GSVD_SUCCESS || failed(h, status);
}

bool decompose(const matrix_t *A, const matrix_t *B, gsvd_solver_t solver,
               int device, decomposition_t *d)
{
    const bool complex = A->width == 2 || B->width == 2;
    gsvd_handle_t h;

    *d = (decomposition_t){.type = complex ? GSVD_Z : GSVD_D,
                           .m = A->rows,
                           .n = A->cols,
                           .p = B->rows};
    if (complex ? !GSVD_HAVE_Z : !GSVD_HAVE_D) {
        fprintf(stderr, "gsvd: built without %s double precision\n",
                complex ? "complex" : "real");
        return false;
    }
    if (!allocate(A, B, d))
        return no_memory();
    if (!created(&h, device))
        return false;
    const bool done = compute(h, solver, d);
    gsvd_destroy(h);
    return done;
}

void decomposition_free(decomposition_t *d)
{
    matrix_t *const all[] = {&d->A, &d->B, &d->alpha, &d->beta,
                             &d->U, &d->V, &d->Q};

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        matrix_free(all[i]);
}
