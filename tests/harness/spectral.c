/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* spectral.c -- see spectral.h. */
#include "harness/spectral.h"

enum { POWERS = 12, VECTORS = 2 };

double spectral_norm(const exec_t *ex, mat_t E)
{
    const int64_t n = E.cols;
    const size_t bytes = (size_t)(VECTORS * n) * sizeof(scalar_t);
    const mat_t x = mat_view(grab_backend(bytes), n, VECTORS, n);
    const mat_t y = mat_view(grab_backend(bytes), E.rows, VECTORS, E.rows);
    real_t *const length = grab_backend(VECTORS * sizeof *length);

    ck_assert_ok(ex->op->gaussian(ex, x, 7));
    for (int step = 0; step < POWERS; ++step) {
        ck_assert_ok(ex->op->column_norms(ex, x, length));
        ck_assert_ok(ex->op->normalize_columns(ex, x, length, x));
        ck_assert_ok(ex->op->gemm(ex, 'N', 'N', E, x, y));
        ck_assert_ok(ex->op->gemm(ex, 'C', 'N', E, y, x));
    }
    ck_assert_ok(ex->op->column_norms(ex, y, length));
    const real_t *const found = from_backend_real(length, VECTORS);
    return fmax((double)found[0], (double)found[1]);
}

mat_t square(int64_t n)
{
    return mat_view(grab_backend((size_t)(n * n) * sizeof(scalar_t)), n, n, n);
}

double departure(const exec_t *ex, mat_t U, mat_t E)
{
    ck_assert_ok(ex->op->set(ex, E, 0, 1));
    ck_assert_ok(ex->op->gemm_sub(ex, 'C', 'N', U, U, E));
    return spectral_norm(ex, E);
}
