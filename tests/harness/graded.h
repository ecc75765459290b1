/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* graded.h -- matrices with rows or columns of different size, and with given values. */
#ifndef GSVD_TESTS_HARNESS_GRADED_H
#define GSVD_TESTS_HARNESS_GRADED_H

#include "harness/harness.h"

/* 2^e with e in [-far, far], at random */
real_t random_power(int far, uint64_t *seed);

/* Each column, or row, times a power of its own */
void scale_columns(mat_t A, int far, uint64_t *seed);
void scale_rows(mat_t A, int far, uint64_t *seed);

/* 1 - 0.9 x: the rule of matrices of condition 10 */
double to_tenth(double x);

/* Q1 diag(d) Q2 for unitary Q1 and Q2, m x n, with d_j = rule(j / (n - 1)) */
mat_t with_values(int64_t m, int64_t n, double (*rule)(double x),
                  uint64_t *seed);

/* Kahan's triangle of cosine c, m x n, columns falling by a hair, so that norm pivoting keeps its
 * order: R's last entry is far above the smallest singular value. */
mat_t kahan(int64_t m, int64_t n, double c);

/* Numbers many of which are equal, m x n: Kahan's matrix of sine s; s = 0: ones; 1: values 1 but for
 * a few; -1: the lesser one of row and column */
mat_t of_equal_numbers(double s, int64_t m, int64_t n, uint64_t *seed);

#endif /* GSVD_TESTS_HARNESS_GRADED_H */
