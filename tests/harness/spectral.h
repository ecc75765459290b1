/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* spectral.h -- errors of large factors in the spectral norm, measured where the handle
 * computes. */
#ifndef GSVD_TESTS_HARNESS_SPECTRAL_H
#define GSVD_TESTS_HARNESS_SPECTRAL_H

#include "harness/harness.h"

/* n x n, in the backend's memory */
mat_t square(int64_t n);

/* |E|_2, nearly: by the power method, which E's random errors suit */
double spectral_norm(const exec_t *ex, mat_t E);

/* |U^H U - I|_2; E is as large as U */
double departure(const exec_t *ex, mat_t U, mat_t E);

#endif /* GSVD_TESTS_HARNESS_SPECTRAL_H */
