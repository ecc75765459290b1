/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality.h -- how exact is a decomposition?
 *
 * What the user sees, in Frobenius norms:
 *     residual_a = ||A - U D1 (0 R) Q^H|| / ||A||, not divided if A is zero;
 *                  residual_b alike with B, V, D2
 *     orth_u     = ||U^H U - I||;  orth_v, orth_q alike
 *
 * What LAPACK asks of xGGSVD3, in 1-norms, with ulp = 2^-52, in single
 * precision 2^-23; ratio_max is the worst of
 *     ||U^H A Q - D1 (0 R)|| / (max(m,n) ||A|| ulp),
 *     ||V^H B Q - D2 (0 R)|| / (max(p,n) ||B|| ulp),
 *     ||I - U^H U|| / (m ulp),  V and p, Q and n alike,
 *     0 if the nontrivial alpha descend, else 1 / ulp.
 *
 * In economy size U, V, Q are the columns that there are.  In X form X^H stands
 * for (0 R) and for (0 R) Q^H, and nothing is asked of Q.  Of some pairs in X form
 * residual_a = ||U^H A - D1 X^H|| / ||A||.  In xinv form residual_a is the worst
 * |A y_j - alpha_j u_j| over sum_i a_i |y_ij|, a_i the longer one of the columns i of A and B with
 * their longest made alike, and the ratio is that over max(m,n) ulp.  All are computed in
 * double precision.
 *
 * Of one matrix, in Frobenius norms:
 *     residual_a = ||A - U Sigma V^H|| / ||A||, not divided if A is zero
 *     orth_u     = ||U^H U - I||
 *     orth_v     = ||V^H V - I||;  of hsvd ||V^H J V - J'||
 *     norm_v     = ||V||, of hsvd
 *     orth_q     = ||Q^H Q - I||, of eigh, which has Q in place of U and V and W of Sigma
 * and ratio_max is the worst of those that LAPACK asks of xGESVD,
 *     ||A - U Sigma V^H|| / (max(m,n) ||A|| ulp),
 *     ||I - U^H U|| / (m ulp),  V and n alike,
 *     0 if sigma descends and is not negative, else 1 / ulp;
 * for hsvd, of which LAPACK knows nothing, the first is over max(1, ||V||) besides, in
 * that of V each entry of V^H J V - J' is over the lengths of its two columns of V, and
 * sigma descends for each sign.  w of eigh ascends.
 * Source: LAPACK, TESTING/EIG/dgsvts3.f, ddrvbd.f.
 */
#ifndef GSVD_TOOLS_QUALITY_H
#define GSVD_TOOLS_QUALITY_H

#include "decompose.h"

typedef struct quality {
    double residual_a, residual_b;
    double orth_u, orth_v, orth_q;
    double norm_v;
    double ratio_max;
} quality_t;

/* How good is d, a decomposition of A, B, real (d) or complex (z)?  Of one matrix B
 * is NULL, or the signs J in a column.  False if there is no memory.  A factor that is not finite
 * shows as a number that is not, and so does all that is not there to be measured. */
bool dgsvd_quality(const matrix_t *A, const matrix_t *B,
                   const decomposition_t *d, quality_t *q);
bool zgsvd_quality(const matrix_t *A, const matrix_t *B,
                   const decomposition_t *d, quality_t *q);

#endif /* GSVD_TOOLS_QUALITY_H */
