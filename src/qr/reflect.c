/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reflect.c -- Householder reflectors, one by one; CPU twin of reflect.cu. */
#include "qr/reflect.h"

#include "core/elementwise.h"
#include "core/vector.h"
#include "qr/qr.h"

scalar_t X(reflector)(int64_t n, scalar_t *x) { return reflector_of(n, x); }

void X(reflect_column)(int64_t n, scalar_t t, const scalar_t *v, scalar_t *c)
{
    reflect_one(n, t, v, c);
}

void X(reflect_columns)(scalar_t t, const scalar_t *v, mat_t C, scalar_t *room)
{
    if (C.rows > VECTOR_FEW)
        X(vector_reflect)(C.rows, t, v, room, C.cols, C.data, C.ld);
    else
        for (int64_t j = 0; j < C.cols; ++j)
            X(reflect_column)(C.rows, t, v, &AT(C, 0, j));
}

/* C := C - t (C v) v^H; y: memory for a column of C */
static void reflect_row(scalar_t t, const scalar_t *v, mat_t C, scalar_t *y)
{
    for (int64_t i = 0; i < C.rows; ++i)
        y[i] = AT(C, i, 0);
    for (int64_t j = 1; j < C.cols; ++j)
        add_to(C.rows, v[j], &AT(C, 0, j), y);
    scale_by(C.rows, make(-re(t), -im(t)), y);
    add_to(C.rows, make(1, 0), y, C.data);
    for (int64_t j = 1; j < C.cols; ++j)
        add_to(C.rows, conj_of(v[j]), y, &AT(C, 0, j));
}

gsvd_status_t X(reflect_cpu)(const exec_t *ex, char side, char op, mat_t A,
                             int64_t k, const scalar_t *tau, mat_t C)
{
    const int left = side == 'L', forward = left == (op == 'C');
    void *work;

    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(
        X(kernel_work)(ex, (size_t)(2 * C.rows) * sizeof(scalar_t), &work));
    scalar_t *const y = work, *const dots = y + C.rows;
    for (int64_t i = 0; i < k; ++i) {
        const int64_t j = forward ? i : k - 1 - i;
        const scalar_t t = op == 'C' ? conj_of(tau[j]) : tau[j];
        const scalar_t *const v = &AT(A, j, j);

        if (!left)
            reflect_row(t, v, mat_view(&AT(C, 0, j), C.rows, C.cols - j, C.ld),
                        y);
        else {
            const mat_t Cj = mat_rows(C, j, C.rows - j);
            y[0] = make(1, 0);
            for (int64_t r = 1; r < Cj.rows; ++r)
                y[r] = v[r];
            X(reflect_columns)(t, y, Cj, dots);
        }
    }
    return GSVD_SUCCESS;
}

/* From the last reflector back: what stands left of column j and above row j is
 * still the identity. */
gsvd_status_t X(form_q_cpu)(const exec_t *ex, mat_t A, int64_t k,
                            const scalar_t *tau)
{
    void *work;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, (size_t)A.rows * sizeof(scalar_t), &work));
    scalar_t *const dots = work;

    (void)X(set_cpu)(ex, mat_sub(A, 0, k, k, A.cols - k), 0, 0);
    (void)X(set_cpu)(ex, mat_sub(A, k, k, A.rows - k, A.cols - k), 0, 1);
    for (int64_t j = k - 1; j >= 0; --j) {
        const int64_t m = A.rows - j;
        scalar_t *const v = &AT(A, j, j);
        const scalar_t minus = make(-re(tau[j]), -im(tau[j]));
        v[0] = make(1, 0);
        X(reflect_columns)
        (tau[j], v, mat_view(v + A.ld, m, A.cols - j - 1, A.ld), dots);
        v[0] = add(v[0], minus);
        X(vector_scale)(m - 1, minus, v + 1);
        for (int64_t i = 0; i < j; ++i)
            AT(A, i, j) = make(0, 0);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(unit_lower_cpu)(const exec_t *ex, mat_t A, mat_t V)
{
    (void)ex;
    for (int64_t j = 0; j < V.cols; ++j) {
        for (int64_t i = 0; i < min_i(j, V.rows); ++i)
            AT(V, i, j) = make(0, 0);
        if (j < V.rows)
            AT(V, j, j) = make(1, 0);
        for (int64_t i = j + 1; i < V.rows; ++i)
            AT(V, i, j) = AT(A, i, j);
    }
    return GSVD_SUCCESS;
}

/* Column by column: T(0:j,j) = -tau_j T(0:j,0:j) S(0:j,j). */
static void triangle(mat_t S, const scalar_t *tau, mat_t T)
{
    for (int64_t j = 0; j < T.cols; ++j) {
        scalar_t *const t = &AT(T, 0, j);
        for (int64_t i = 0; i < T.rows; ++i)
            t[i] = make(0, 0);
        for (int64_t k = 0; k < j; ++k)
            X(vector_add)
        (k + 1, mul(make(-re(tau[j]), -im(tau[j])), AT(S, k, j)), &AT(T, 0, k),
         t);
        t[j] = tau[j];
    }
}

gsvd_status_t X(triangle_cpu)(const exec_t *ex, mat_t S, const scalar_t *tau,
                              int64_t b, mat_t T)
{
    (void)ex;
    for (int64_t j = 0; j < T.cols; j += b) {
        const int64_t i = j % S.rows, c = min_i(b, T.cols - j);
        triangle(mat_sub(S, i, j, c, c), tau + j,
                 mat_view(&AT(T, i, j), c, c, T.ld));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(fix_phase_cpu)(const exec_t *ex, mat_t R, mat_t Q)
{
    (void)ex;
    for (int64_t j = 0; j < min_i(Q.cols, min_i(R.rows, R.cols)); ++j) {
        const scalar_t phase = direction(AT(R, j, j));
        for (int64_t i = 0; i < Q.rows; ++i)
            AT(Q, i, j) = mul(AT(Q, i, j), phase);
    }
    return GSVD_SUCCESS;
}
