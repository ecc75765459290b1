/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.h -- what the solvers of run_svd.c share. */
#ifndef GSVD_GSVD_SVD_H
#define GSVD_GSVD_SVD_H

#include "gsvd/pipeline.h"

/* bidiagonal_svd.c: the results of run_svd.  *good = 0: they are not good, and A is as it was.  Waits. */
gsvd_status_t X(bidiagonal_svd)(const exec_t *ex, const args_t *a,
                                outcome_t *out, int *good);
/* Is there a way to bidiagonal form for this shape? */
int X(bidiagonal_svd_applies)(const exec_t *ex, const args_t *a);
/* Bytes of work, and of staging memory, that it takes */
size_t X(bidiagonal_svd_bytes)(const exec_t *ex, const args_t *a,
                               size_t *staging);
/* About how long it takes beside its QR */
double X(bidiagonal_svd_seconds)(const exec_t *ex, const args_t *a);

#endif /* GSVD_GSVD_SVD_H */
