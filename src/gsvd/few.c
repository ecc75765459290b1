/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* few.c -- assemble.c on the host, of a few columns: Q~ is formed, and what it
 * meets is multiplied row by row.  The steps have assemble.c's numbers. */
#include "qr/few.h"
#include "gsvd/pipeline.h"

/* What the steps work on; of solve_work_t's stacks and Z what there is room for. */
typedef struct parts {
    mat_t A23, B13;
    mat_t U, V, H, E, Qt;
} parts_t;

/* -- two columns -------------------------------------------------------------- */

/* x_i^H y_j, columns of two */
static inline scalar_t inner(mat_t X_, int64_t i, mat_t Y, int64_t j)
{
    return add(mul(conj_of(AT(X_, 0, i)), AT(Y, 0, j)),
               mul(conj_of(AT(X_, 1, i)), AT(Y, 1, j)));
}

/* A := A Q */
static inline void times_two(mat_t A, mat_t Q)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        const scalar_t x = AT(A, i, 0), y = AT(A, i, 1);
        AT(A, i, 0) = add(mul(x, AT(Q, 0, 0)), mul(y, AT(Q, 1, 0)));
        AT(A, i, 1) = add(mul(x, AT(Q, 0, 1)), mul(y, AT(Q, 1, 1)));
    }
}

/* 1 to 3 of a pair of order 2: one rotation is the RQ.  0 if H's last row is
 * nothing to rotate. */
static int turn_two(const parts_t *f, const assemble_work_t *w)
{
    const mat_t H = f->H, Qt = f->Qt;

    for (int64_t i = 0; i < 2; ++i) /* 1 */
        for (int64_t j = 0; j < 2; ++j)
            AT(H, i, j) = add(scale(w->c[i], inner(f->U, i, f->A23, j)),
                              scale(w->s[i], inner(f->V, i, f->B13, j)));
    const scalar_t x = AT(H, 1, 0), y = AT(H, 1, 1);
    const real_t length = hypot_r(abs_of(x), abs_of(y));
    if (!(length > GSVD_SAFMIN / GSVD_ULP))
        return 0;
    const scalar_t s = scale(1 / length, x), c = scale(1 / length, y);
    AT(Qt, 0, 0) = c; /* 2, 3 */
    AT(Qt, 1, 0) = make(-re(s), -im(s));
    AT(Qt, 0, 1) = conj_of(s);
    AT(Qt, 1, 1) = conj_of(c);
    times_two(few_part(H, 0, 0, 1, 2), Qt);
    AT(H, 1, 1) = make(length, 0);
    return 1;
}

/* -- up to FEW ---------------------------------------------------------------- */

/* 1 to 3 but for the products with Q~ */
static void turn_few(const parts_t *f, const assemble_work_t *w, scalar_t *tau)
{
    const mat_t H = f->H, E = f->E, Qt = f->Qt;
    const int64_t l = f->B13.cols, m1 = f->A23.rows;

    for (int64_t j = 0; j < l; ++j) /* 1; E: H^H, both orders reversed        */
        for (int64_t i = 0; i < l; ++i) {
            const scalar_t b = dot_of(l, &AT(f->V, 0, i), &AT(f->B13, 0, j));
            scalar_t sum = scale(w->s[i], b);
            if (i < m1)
                sum = add(scale(w->c[i],
                                dot_of(m1, &AT(f->U, 0, i), &AT(f->A23, 0, j))),
                          sum);
            AT(E, l - 1 - j, l - 1 - i) = conj_of(sum);
        }
    few_qr(E, tau); /* 2 */
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i <= j; ++i)
            AT(H, l - 1 - j, l - 1 - i) = conj_of(AT(E, i, j));
    few_form(E, l, tau); /* 3 */
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i)
            AT(Qt, i, j) = AT(E, l - 1 - i, l - 1 - j);
}

/* the columns of A from j on, as many as Q has, times Q */
static inline void times(mat_t A, int64_t j, mat_t Q)
{
    if (!A.data)
        return;
    const mat_t part = few_part(A, 0, j, A.rows, Q.rows);
    if (Q.rows == 2)
        times_two(part, Q);
    else
        few_times(part, Q);
}

/* H into A23, and what has no room there into B13 */
static void put_r(const parts_t *f)
{
    const int64_t l = f->B13.cols, m1 = f->A23.rows;
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i) {
            const scalar_t r = i <= j ? AT(f->H, i, j) : make(0, 0);
            AT(f->B13, i, j) = i < m1 ? make(0, 0) : r;
            if (i < m1)
                AT(f->A23, i, j) = r;
        }
}

void X(assemble_few)(pair_t *P, solve_work_t *s, const assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, n = P->n, m1 = pair_m1(P);
    scalar_t reflectors[FEW * FEW];
    if (l <= 0)
        return;
    const mat_t A1 = mat_view(P->A.data, k, n, P->A.ld);
    const parts_t f = {.A23 = m1 > 0 ? few_part(P->A, k, n - l, m1, l)
                                     : mat_view(NULL, 0, l, 1),
                       .B13 = few_part(P->B, 0, n - l, l, l),
                       .U = few_part(s->GF, l, 0, m1, m1),
                       .V = few_part(s->GF, 0, 0, l, l),
                       .H = few_part(s->W, 0, 0, l, l),
                       .E = mat_view(reflectors, l, l, FEW),
                       .Qt = few_part(s->Z, 0, 0, l, l)};

    if (l != 2 || m1 != 2 || !turn_two(&f, w))
        turn_few(&f, w, s->tau);
    times(A1, n - l, f.Qt);
    times(P->Q, P->Q.cols - l, f.Qt);
    times(P->U, k, f.U); /* 4 */
    times(P->V, 0, f.V);
    put_r(&f);
}
