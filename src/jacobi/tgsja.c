/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tgsja.c -- LAPACK's xTGSJA on a triangular pair; CPU twin of tgsja.cu.
 *
 * xTGSJA stops when the rows a_i of U^H A and b_i of V^H B are parallel up to an absolute
 * tolerance, but takes alpha : beta from their diagonal entries.  Where these entries are tiny
 * against the rows, the ratio is noise and the residual is large (INFO = 0 nevertheless); then the
 * ratio of the rows' lengths is right.
 *
 * Its complex versions read only the real parts of the diagonals, since xGGSVP3 leaves diagonals
 * real; here rows are multiplied by a phase that makes them real.  They also divide by the
 * absolute value of a denormal number to get a phase, whose length is arbitrary then.  If a column
 * of U or V does not have length 1, xTGSJA counts as not converged.
 *
 * Next to denormal entries its rotations have few digits, and it clears the entries that they
 * should have annihilated.  Then INFO = 0, although the rows of the pair itself are not parallel.
 * So these rows are tested, and if the residual is not rounding, xTGSJA counts as not converged.
 */
#include "core/blas.h"
#include "core/elementwise.h"
#include "core/sumsq.h"
#include "core/value_pair.h"
#include "jacobi/jacobi.h"
#include "qr/qr.h"

size_t X(tgsja_host_bytes)(int64_t l)
{
    return (size_t)(4 * l * l + 4 * l) * sizeof(scalar_t);
}

gsvd_status_t X(staging_bytes_cpu)(const exec_t *ex, int64_t l, size_t *bytes)
{
    *bytes =
        ex->policy.solver == GSVD_SOLVER_TGSJA ? X(tgsja_host_bytes)(l) : 0;
    return GSVD_SUCCESS;
}

/* |beta a_i - alpha b_i|, the residual of row i */
static real_t left_over(mat_t A, mat_t B, int64_t i, real_t alpha, real_t beta)
{
    sumsq_t sum = {0};
    for (int64_t j = 0; j < A.cols; ++j)
        sumsq_add(&sum,
                  sub(scale(beta, AT(A, i, j)), scale(alpha, AT(B, i, j))));
    return sumsq_norm(sum);
}

/* A - C H and B - S H, H = C A + S B, are S (S A - C B) and -C (S A - C B).  Are both small in
 * norm, against the tolerances or the rounding of A and B?  NaN is not. */
enum {
    LOOSE = 4
}; /* xTGSJA's own residuals are up to 1.04 times these limits. */

static int are_parallel(mat_t A, mat_t B, const real_t *c, const real_t *s,
                        real_t tola, real_t tolb)
{
    real_t norm_a = 0, norm_b = 0, most_a = 0, most_b = 0;

    for (int64_t j = 0; j < B.cols; ++j) {
        real_t a = 0, b = 0, left_a = 0, left_b = 0;
        for (int64_t i = 0; i < B.rows; ++i) {
            const scalar_t y = AT(B, i, j);
            const scalar_t x = i < A.rows ? AT(A, i, j) : make(0, 0);
            const real_t left =
                i < A.rows ? abs_of(sub(scale(s[i], x), scale(c[i], y))) : 0;
            a += abs_of(x);
            b += abs_of(y);
            left_a += i < A.rows ? s[i] * left : 0;
            left_b += i < A.rows ? c[i] * left : 0;
        }
        if (!(left_a >= 0) || !(left_b >= 0))
            return 0;
        norm_a = fmax_r(norm_a, a);
        norm_b = fmax_r(norm_b, b);
        most_a = fmax_r(most_a, left_a);
        most_b = fmax_r(most_b, left_b);
    }
    const real_t n = (real_t)B.cols * GSVD_ULP;
    return most_a <= LOOSE * fmax_r(tola, n * norm_a) &&
           most_b <= LOOSE * fmax_r(tolb, n * norm_b);
}

/* b_i^H a_i, both rows scaled to lengths next to 1, so that nothing underflows; x and y
 * are the lengths of a_i and b_i. */
static scalar_t inner(mat_t A, mat_t B, int64_t i, real_t x, real_t y)
{
    scalar_t sum = make(0, 0);
    if (!(x > 0) || !(y > 0))
        return sum;
    const int ea = -exponent_r(x), eb = -exponent_r(y);
    for (int64_t j = 0; j < A.cols; ++j) {
        const scalar_t a = AT(A, i, j), b = AT(B, i, j);
        sum = mul_add(make(ldexp_r(re(b), eb), -ldexp_r(im(b), eb)),
                      make(ldexp_r(re(a), ea), ldexp_r(im(a), ea)), sum);
    }
    return sum;
}

/* alpha : beta := the ratio of the rows' lengths; V takes the phase between the rows. */
static void from_lengths(mat_t A, mat_t B, int64_t i, mat_t V, real_t *alpha,
                         real_t *beta)
{
    sumsq_t a = {0}, b = {0};
    for (int64_t j = 0; j < A.cols; ++j) {
        sumsq_add(&a, AT(A, i, j));
        sumsq_add(&b, AT(B, i, j));
    }
    const real_t x = sumsq_norm(a), y = sumsq_norm(b);
    real_t length;
    if (!(x > 0) && !(y > 0))
        return;
    value_pair_normalize(x, y, &length, alpha, beta);
    const scalar_t phase = conj_of(direction(inner(A, B, i, x, y)));
    for (int64_t r = 0; r < V.rows; ++r)
        AT(V, r, i) = mul(AT(V, r, i), phase);
    for (int64_t j = 0; j < B.cols; ++j)
        AT(B, i, j) = mul(AT(B, i, j), conj_of(phase));
}

/* Makes the diagonal of A real: row i := conj(phase[i]) row i. */
static void turn_rows(mat_t A, scalar_t *phase)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        const scalar_t a = AT(A, i, i);
        phase[i] = make(1, 0);
        if (im(a) == 0)
            continue;
        phase[i] = direction(a);
        for (int64_t j = i; j < A.cols; ++j)
            AT(A, i, j) = mul(AT(A, i, j), conj_of(phase[i]));
        AT(A, i, i) = make(abs_of(a), 0);
    }
}

/* U := diag(phase) U, which undoes turn_rows in the unitary factor. */
static void turn_back(mat_t U, const scalar_t *phase)
{
    for (int64_t j = 0; j < U.cols; ++j)
        for (int64_t i = 0; i < U.rows; ++i)
            AT(U, i, j) = mul(phase[i], AT(U, i, j));
}

/* Are all columns of length 1 up to the rounding of so many rotations of each? */
static int has_length(mat_t U, int64_t rotations)
{
    const real_t most = 4 * (real_t)rotations * GSVD_ULP;
    for (int64_t j = 0; j < U.cols; ++j) {
        sumsq_t sum = {0};
        for (int64_t i = 0; i < U.rows; ++i)
            sumsq_add(&sum, AT(U, i, j));
        if (!(fabs_r(sumsq_norm(sum) - 1) <= most))
            return 0;
    }
    return 1;
}

gsvd_status_t X(tgsja_host)(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                            real_t tolb, mat_t U, mat_t V, real_t *c, real_t *s,
                            int *cycles, int *converged, void *work)
{
    const int64_t m1 = A.rows, l = B.cols;
    scalar_t *const array = work;
    const mat_t A1 = mat_view(array, m1, l, max_i(m1, 1));
    const mat_t B1 = mat_view(array + l * l, l, l, l);
    const mat_t A2 = mat_view(array + 2 * l * l, m1, l, max_i(m1, 1));
    const mat_t B2 = mat_view(array + 3 * l * l, l, l, l);
    scalar_t *const phase_a = array + 4 * l * l, *const phase_b = phase_a + l;
    int count = 0;

    GSVD_TRY(X(copy_cpu)(ex, A, A1));
    GSVD_TRY(X(copy_cpu)(ex, B, B1));
    turn_rows(A1, phase_a);
    turn_rows(B1, phase_b);
    U.ld = max_i(U.ld, 1);
    const int info =
        X(lapack_tgsja)(A1, B1, tola, tolb, c, s, U, V, phase_b + l, &count);
    *cycles = count;
    *converged = info == 0 && has_length(U, l * max_i(count, 1)) &&
                 has_length(V, l * max_i(count, 1));
    if (info < 0)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR, "xTGSJA: info %d",
                         (int)info);
    if (!*converged)
        return GSVD_SUCCESS;
    turn_back(U, phase_a);
    turn_back(V, phase_b);

    GSVD_TRY(X(gemm_cpu)(ex, 'C', 'N', U, A, A2));
    GSVD_TRY(X(gemm_cpu)(ex, 'C', 'N', V, B, B2));
    for (int64_t i = 0; i < m1; ++i)
        if (!(left_over(A2, B2, i, c[i], s[i]) <= (tola < tolb ? tola : tolb)))
            from_lengths(A2, B2, i, V, &c[i], &s[i]);
    *converged = are_parallel(A2, B2, c, s, tola, tolb);
    return GSVD_SUCCESS;
}

gsvd_status_t X(tgsja_cpu)(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                           real_t tolb, mat_t U, mat_t V, real_t *c, real_t *s,
                           int *cycles, int *converged)
{
    if (ex->staging.bytes < X(tgsja_host_bytes)(B.cols))
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "xTGSJA: no staging memory");
    return X(tgsja_host)(ex, A, B, tola, tolb, U, V, c, s, cycles, converged,
                         ex->staging.data);
}
