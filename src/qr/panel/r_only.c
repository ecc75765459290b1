/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* r_only.c -- R alone of a tall matrix of at most 32 columns; CPU twin of r_only.cu.
 *
 *     A = (A_0; A_1; ...)    as many rows each as stay in a cache
 *     R := R of A_0,  R := R of (R; A_k),  k = 1, 2, ...
 *
 * by panels, or by the rotations of tsqr.c where the option says so.
 */
#include "core/elementwise.h"
#include "qr/qr.h"
#include "qr/tsqr.h"

enum { ROWS = 512 }; /* of (R; A_k) */

/* S = (R; A_k) in the panel's form: R, zeros below it */
static gsvd_status_t fold(const exec_t *ex, mat_t S, scalar_t *tau)
{
    const mat_t none = mat_view(NULL, 0, 0, 1);
    GSVD_TRY(X(panel_cpu)(ex, S, tau, none, none));
    return X(zero_lower_cpu)(ex, mat_rows(S, 0, S.cols));
}

/* R := S with a nonnegative diagonal; S's is real */
static void store(mat_t S, mat_t R)
{
    for (int64_t j = 0; j < R.cols; ++j)
        for (int64_t i = 0; i < R.rows; ++i) {
            const scalar_t s = AT(S, i, j);
            AT(R, i, j) = re(AT(S, i, i)) < 0 ? make(-re(s), -im(s)) : s;
        }
}

/* the panel's scratch comes first */
static int64_t panel_entries(int64_t rows, int64_t b)
{
    return rows * b + 3 * b * b;
}

size_t X(r_only_bytes_cpu)(int64_t b)
{
    return (size_t)(panel_entries(ROWS, b) + ROWS * b + b) * sizeof(scalar_t);
}

gsvd_status_t X(r_only_cpu)(const exec_t *ex, mat_t A, mat_t R)
{
    const int tsqr = ex->policy.panel == GSVD_PANEL_TSQR;
    const int64_t b = A.cols, rows = min_i(A.rows, ROWS);
    const int64_t panel = panel_entries(rows, b);
    const int64_t all = panel + rows * b + b;
    void *scratch;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (tsqr)
        return X(tsqr_r_cpu)(ex, A, R, NULL);
    GSVD_TRY(X(kernel_work)(ex, (size_t)all * sizeof(scalar_t), &scratch));
    scalar_t *const tau = (scalar_t *)scratch + panel;
    const mat_t S = mat_view(tau + b, rows, b, rows);
    GSVD_TRY(X(copy_cpu)(ex, mat_rows(A, 0, rows), S));
    GSVD_TRY(fold(ex, S, tau));
    for (int64_t i = rows, next; i < A.rows; i += next) {
        next = min_i(A.rows - i, rows - b);
        GSVD_TRY(X(copy_cpu)(ex, mat_rows(A, i, next), mat_rows(S, b, next)));
        GSVD_TRY(fold(ex, mat_rows(S, 0, b + next), tau));
    }
    store(S, R);
    return GSVD_SUCCESS;
}
