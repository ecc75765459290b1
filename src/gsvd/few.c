/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* few.c -- steps 1 to 4 of assemble.c on the host, of a few columns: Q~ is
 * formed, and what it meets is multiplied row by row. */
#include "qr/few.h"
#include "gsvd/pipeline.h"

void X(assemble_few)(const few_t *f, pair_t *P, const assemble_work_t *w)
{
    const mat_t H = f->H, E = f->E;
    const int64_t l = P->l, m1 = f->A23.rows;
    const mat_t Qt = mat_view(f->Qt.data, l, l, f->Qt.ld);

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
    few_qr(E, f->tau); /* 2 */
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i)
            AT(H, l - 1 - j, l - 1 - i) =
                i <= j ? conj_of(AT(E, i, j)) : make(0, 0);
    few_form(E, l, f->tau); /* 3 */
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i)
            AT(Qt, i, j) = AT(E, l - 1 - i, l - 1 - j);
    few_times(f->A13, Qt);
    if (P->Q.data)
        few_times(mat_cols(P->Q, P->Q.cols - l, l), Qt);
    if (P->U.data) /* 4 */
        few_times(mat_cols(P->U, P->k, m1), f->U);
    if (P->V.data)
        few_times(mat_cols(P->V, 0, l), f->V);
}
