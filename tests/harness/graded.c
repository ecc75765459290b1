/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* graded.c -- matrices with rows or columns of different size, and with given values. */
#include "harness/graded.h"

#include "harness/random.h"

real_t random_power(int far, uint64_t *seed)
{
    return ldexp_r(1, (int)((2 * random_unit(seed) - 1) * far));
}

void scale_columns(mat_t A, int far, uint64_t *seed)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        const real_t d = random_power(far, seed);
        scale_column(A, j, d);
    }
}

void scale_rows(mat_t A, int far, uint64_t *seed)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        const real_t d = random_power(far, seed);
        scale_row(A, i, d);
    }
}

double to_tenth(double x) { return 1 - 0.9 * x; }

mat_t with_values(int64_t m, int64_t n, double (*rule)(double x),
                  uint64_t *seed)
{
    const mat_t Q = copy_mat(mat_cols(random_unitary(m, seed), 0, n));
    for (int64_t j = 0; j < n; ++j)
        scale_column(Q, j, rule((double)j / (double)max_i(n - 1, 1)));
    return product('N', 'N', Q, random_unitary(n, seed));
}

static double but_a_few(double x) { return x < 0.01 ? 2 : 1; }

mat_t of_equal_numbers(double s, int64_t m, int64_t n, uint64_t *seed)
{
    const double c = sqrt(1 - s * s);
    const mat_t A = new_mat(m, n);
    if (s == 1) {
        const mat_t B = with_values(max_i(m, n), min_i(m, n), but_a_few, seed);
        return m < n ? product('C', 'N', B, identity_mat(n, n)) : B;
    }
    EACH_ENTRY (A, i, j) {
        const double k = i > j ? 0 : pow(s, (double)i) * (i == j ? 1 : -c);
        const double x = s == 0 ? 1 : s == -1 ? (double)min_i(i, j) + 1 : k;
        AT(A, i, j) = make((real_t)x, 0);
    }
    return A;
}

mat_t kahan(int64_t m, int64_t n, double c)
{
    const double s = sqrt(1 - c * c);
    mat_t A = new_mat(m, n);
    EACH_ENTRY (A, i, j) {
        const double x = i < j ? -c : i == j;
        AT(A, i, j) = make(
            (real_t)(x * pow(s, (double)i) * (1 - 50 * GSVD_ULP * (double)j)),
            0);
    }
    return A;
}
