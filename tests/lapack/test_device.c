/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_device.c -- xGGSVD3 of libgsvd_lapack where a device pays, if there is
 * one: m, n, p above the threshold of src/lapack/run.c.
 *
 *     GSVD_DEVICE=host|any|0.. test_device_<letter> OURS
 *
 * The factors are checked by what they do to a vector.
 */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/random.h"
#include "lapack/calls.h"

static routines_t ours;

enum { M = 520, N = 513, P = 517, LIMIT = 20 };

static mat_t random_matrix(int64_t rows, int64_t cols, uint64_t *seed)
{
    const mat_t X_ = mat_view(malloc((size_t)(rows * cols) * sizeof(scalar_t)),
                              rows, cols, rows);
    ck_assert_ptr_nonnull(X_.data);
    for (int64_t i = 0; i < rows * cols; ++i)
        X_.data[i] = random_normal_scalar(seed);
    return X_;
}

static mat_t copy_of(mat_t A)
{
    const size_t bytes = (size_t)(A.rows * A.cols) * sizeof(scalar_t);
    const mat_t B = mat_view(malloc(bytes), A.rows, A.cols, A.ld);
    ck_assert_ptr_nonnull(B.data);
    memcpy(B.data, A.data, bytes);
    return B;
}

/* y := A x */
static void times(mat_t A, const scalar_t *x, scalar_t *y)
{
    for (int64_t i = 0; i < A.rows; ++i)
        y[i] = make(0, 0);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            y[i] = mul_add(AT(A, i, j), x[j], y[i]);
}

/* y := A^H x */
static void ctimes(mat_t A, const scalar_t *x, scalar_t *y)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        y[j] = make(0, 0);
        for (int64_t i = 0; i < A.rows; ++i)
            y[j] = mul_add(conj_of(AT(A, i, j)), x[i], y[j]);
    }
}

/* |x - y| / (|y| n ulp) */
static double far(const scalar_t *x, const scalar_t *y, int64_t n)
{
    double of_error = 0, of_y = 0;
    for (int64_t i = 0; i < n; ++i) {
        of_error += abs2(sub(x[i], y[i]));
        of_y += abs2(y[i]);
    }
    return sqrt(of_error / of_y) / ((double)n * GSVD_ULP);
}

static void check_unitary(mat_t Q, const scalar_t *x)
{
    static scalar_t y[M], z[M];
    times(Q, x, y);
    ctimes(Q, y, z);
    ck_assert_double_lt(far(z, x, Q.rows), LIMIT);
}

START_TEST(ggsvd3_on_a_device)
{
    static real_t alpha[N], beta[N], rwork[2 * N];
    static scalar_t x[M], y[M], z[M], w[M], work[100 * M];
    static integer_t iwork[N];
    uint64_t seed = 1;

    for (int i = 0; i < M; ++i)
        x[i] = random_normal_scalar(&seed);
    const mat_t A = random_matrix(M, N, &seed), B = random_matrix(P, N, &seed);
    const mat_t R = copy_of(A), S = copy_of(B);
    const mat_t U = random_matrix(M, M, &seed), V = random_matrix(P, P, &seed);
    const mat_t Q = random_matrix(N, N, &seed);
    call_t c = new_call("UVQ", M, N, P, 0);
    c.A = R.data, c.B = S.data, c.U = U.data, c.V = V.data, c.Q = Q.data;
    c.alpha = alpha, c.beta = beta, c.rwork = rwork, c.iwork = iwork;
    c.work = work, c.lwork = 100 * M;
    call_routine(&ours, GGSVD3, &c);
    ck_assert_int_eq(c.info, 0);
    ck_assert_int_eq(c.k, 0);
    ck_assert_int_eq(c.l, N);

    check_unitary(U, x);
    check_unitary(V, x);
    check_unitary(Q, x);
    ctimes(Q, x, w); /* U (D1 (R (Q^H x))) against A x                       */
    for (int64_t i = 0; i < N; ++i) {
        y[i] = make(0, 0);
        for (int64_t j = i; j < N; ++j)
            y[i] = mul_add(AT(R, i, j), w[j], y[i]);
        z[i] = scale(beta[i], y[i]);
        y[i] = scale(alpha[i], y[i]);
    }
    times(mat_cols(U, 0, N), y, w);
    times(A, x, y);
    ck_assert_double_lt(far(w, y, M), LIMIT);
    times(mat_cols(V, 0, N), z, w);
    times(B, x, y);
    ck_assert_double_lt(far(w, y, P), LIMIT);

    free(A.data), free(B.data), free(R.data), free(S.data);
    free(U.data), free(V.data), free(Q.data);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {ggsvd3_on_a_device};
    if (argc != 2 || !open_routines(argv[1], RTLD_LOCAL, &ours)) {
        fprintf(stderr, "usage: %s OURS\n", argv[0]);
        return 1;
    }
    if (is_quick())
        return 77; /* It is slow on the host.                                */
    return RUN_TESTS("device", tests);
}
