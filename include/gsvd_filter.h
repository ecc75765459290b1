/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_filter.h -- regularization out of one GSVD of (A, L), for any number of lambda; and error
 * bounds of the values of any pair, at the end.
 *
 *     min_x  ||A x - b||^2 + lambda^2 ||L x||^2
 *
 * With GSVD_FORM_XINV the GSVD of (A, L) is A Y = U D1, L Y = V D2.  The solution is
 *
 *     x = sum_i f_i (u_i^H b / alpha_i) y_i,    f_i = gamma_i^2 / (gamma_i^2 + lambda^2)
 *
 * with gamma_i = alpha_i / beta_i.  Other filters have other f_i (gsvd_filter_t).  Columns with
 * beta_i = 0, on which L is 0, are not filtered: f_i = 1.  Columns with alpha_i = 0 have f_i = 0.
 *
 *     dgsvd            with GSVD_FORM_XINV, jobu 'S', jobv 'N', jobq 'S': alpha, beta, U, Y
 *     dgsvd_picard     C := U^H B, and the part of B that no x meets
 *     dgsvd_choose     chooses lambda by GCV, L-curve, discrepancy or quasi-optimality
 *     dgsvd_filter     solutions, norms of A x - b and of L x, for many lambda at once
 *
 * regularization.md, in docs/users of the sources, has an example.
 *
 * With L = I the SVD of A does: alpha = sigma, beta = 1, Y = V, r = min(m,n).
 *
 * All arrays are in host memory, and the work is done on the host, wherever the handle computes.
 * The handle keeps the text of an error (gsvd_last_error).  Nothing is allocated.  This header
 * declares the routines in double precision, and gsvd_filter_typed.h, which it includes, the
 * others: a matrix (a capital letter) has the routine's type, all else is real.  Entries of input
 * arrays must be finite, and alpha and beta not negative.
 *
 * Source: P. C. Hansen, Rank-Deficient and Discrete Ill-Posed Problems, SIAM 1998, sections 2.1.2,
 * 4.2 to 4.5 and chapter 7. */
#ifndef GSVD_FILTER_H
#define GSVD_FILTER_H

#include "gsvd.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gsvd_filter {
    GSVD_FILTER_TIKHONOV = 0,  /* gamma^2 / (gamma^2 + lambda^2)             */
    GSVD_FILTER_TRUNCATED = 1, /* 1 if gamma >= lambda, else 0               */
    GSVD_FILTER_DAMPED = 2     /* gamma / (gamma + lambda)                   */
} gsvd_filter_t;

typedef enum gsvd_choice {
    GSVD_CHOICE_GCV = 0,         /* generalized cross-validation: the least
                                  * ||A x - b||^2 / (m - sum f_i)^2 (Golub, Heath, Wahba 1979) */
    GSVD_CHOICE_LCURVE = 1,      /* where (log ||A x - b||, log ||L x||) has its largest
                                  * curvature (Hansen, O'Leary 1993)         */
    GSVD_CHOICE_DISCREPANCY = 2, /* the largest lambda with ||A x - b|| <= delta
                                  * (Morozov 1966)                           */
    GSVD_CHOICE_QUASI = 3        /* quasi-optimality: the least local minimum of
                                  * ||L dx / d log lambda|| (Tikhonov, Glasko 1964); of
                                  * TRUNCATED the least step of L x from one term to the next */
} gsvd_choice_t;

/* Coefficients of right-hand sides, which a Picard plot shows beside gamma.
 *
 * m r nrhs in   rows of A; r = k + l; columns of B.
 * U        in   its first min(m,r) columns, ldu >= max(1,m).
 * B        i/o  m-by-nrhs, ldb >= max(1,m).  On exit (I - U U^H) B.
 * C        out  r-by-nrhs, ldc >= max(1,r): U^H B; rows beyond m are 0.
 * rest     out  nrhs values, the norms of B's columns on exit: no x makes ||A x - b|| less.
 *
 * Returns GSVD_OVERFLOW if an entry or a norm exceeds the largest number. */
GSVD_API gsvd_status_t dgsvd_picard(
    gsvd_handle_t h, int64_t m, int64_t r, int64_t nrhs,
    const double *U, int64_t ldu, double *B, int64_t ldb,
    double *C, int64_t ldc, double *rest);

/* Filtered solutions, and their norms, for each lambda and each right-hand side.
 *
 * filter    in   a gsvd_filter_t.
 * n r nrhs count  in   columns of A; r = k + l; right-hand sides; number of lambda.
 * alpha beta in   r values each.
 * C rest    in   as picard returns them.
 * lambda    in   count values from 0 to INFINITY.  0: the least squares solution.  INFINITY: of
 *                its terms those that L does not see.
 * residual  out  ||A x - b||, count-by-nrhs, by columns.
 * seminorm  out  ||L x||, likewise.
 * Y         in   n-by-r, ldy >= max(1,n), or NULL: no solutions.
 * X         out  n-by-(count nrhs), ldx >= max(1,n): of right-hand side j the columns
 *                count j, ..., count j + count - 1.  NULL with Y.
 *
 * Returns GSVD_OVERFLOW if a result exceeds the largest number.  It is infinite or NaN then. */
GSVD_API gsvd_status_t dgsvd_filter(
    gsvd_handle_t h, gsvd_filter_t filter,
    int64_t n, int64_t r, int64_t nrhs, int64_t count,
    const double *alpha, const double *beta,
    const double *C, int64_t ldc, const double *rest, const double *lambda,
    double *residual, double *seminorm,
    const double *Y, int64_t ldy, double *X, int64_t ldx);

/* The lambda between which the choice is made: *most is the largest gamma but for infinite ones,
 * *least the smallest one but for 0, or 16 ulp *most if that is more.  Both are 0 if there is no
 * such gamma: then no lambda changes the solution. */
GSVD_API gsvd_status_t dgsvd_lambda_range(
    gsvd_handle_t h, int64_t r, const double *alpha, const double *beta,
    double *least, double *most);

/* Chooses lambda for one right-hand side.
 *
 * choice filter in   L-curve: not of TRUNCATED, whose curve is points (GSVD_NOT_SUPPORTED).
 * m r       in   rows of A; r = k + l.
 * alpha beta in  r values each.
 * C rest    in   r values, a column of picard's, and its number.
 * delta     in   DISCREPANCY: the bound of the residual, the norm of the noise.
 * lambda    out  of TRUNCATED one of the gamma.  GCV, L-curve and quasi-optimality look for it in
 *                lambda_range, first at 32 points a decade.  DISCREPANCY: INFINITY if every lambda
 *                is allowed.
 *
 * GSVD_INVALID_ARGUMENT: delta is less than the residual of every lambda.
 * GSVD_NOT_CONVERGED: the L-curve bends nowhere to a corner; *lambda is of its least curvature
 * the other way.  Or quasi-optimality's function has no minimum within lambda_range; *lambda is
 * the end where it is less. */
GSVD_API gsvd_status_t dgsvd_choose(
    gsvd_handle_t h, gsvd_choice_t choice, gsvd_filter_t filter, int64_t m, int64_t r,
    const double *alpha, const double *beta,
    const double *C, double rest, double delta, double *lambda);

/* Error bounds of the generalized values of a pair (A, B): value j is off by no more than
 *
 *     |alpha(j) beta'(j) - beta(j) alpha'(j)| <= bound(j) <= 1
 *
 * the chordal distance from (alpha', beta'), if the ranks k and l are right.  alpha / beta then has
 * a relative error of about bound / (alpha beta).
 *
 * n r       in   columns of A and B; r = k + l.
 * alpha beta in  r values each, as gsvd returns them, in its order.
 * a b       in   n values each: the lengths of A's and of B's columns, as gsvd gets them.
 * Y         in   n-by-r, ldy >= max(1,n): X^-H, as by GSVD_FORM_XINV; its r leading columns.
 * error     in   > 0: relative error of each column of A and of B, as of data.  0: rounding errors
 *                of gsvd, max(n,10) ulp of each column, where the longer one of a(i) and b(i)
 *                counts once the longest columns of A and B are made alike.  Where gsvd does not
 *                scale columns (GSVD_EQUILIBRATE), pass the largest of a for each of them, and
 *                likewise of b.  Of TANGENT's results (gsvd_stats_t) with l = n each column counts
 *                for itself: max(n,10) ulp in place of 0 may give less.
 * bound     out  r values.
 * cond      out  |(A; B)| |Y| in Frobenius norms, which is that of R: |R| |R^-1|; or NULL.
 * work      out  2 r values.
 *
 * Each pair has a bound of its own, and the columns' scales do not count; LAPACK's users' guide has
 * eps cond(R) for all pairs.  Source: the minimax theorem for (A + E, B + F)
 * (src/filter/bounds.c). */
GSVD_API gsvd_status_t dgsvd_error_bounds(
    gsvd_handle_t h, int64_t n, int64_t r, const double *alpha, const double *beta,
    const double *a, const double *b, const double *Y, int64_t ldy, double error,
    double *bound, double *cond, double *work);

#ifdef __cplusplus
}
#endif

#include "gsvd_filter_typed.h" /* s, c and z */

#endif /* GSVD_FILTER_H */
