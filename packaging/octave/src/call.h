/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.h -- one call of libgsvd, for __gsvd__.cc, which cannot see gsvd.h. */
#ifndef CALL_H
#define CALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The GSVD in X form of a pair of this type, 's', 'd', 'c' or 'z'; size: m, n, p; job: 'U' all
 * of U and V, 'S' economy, 'N' values alone; array: A, B, alpha, beta, U, V, X; rank: k, l.  The
 * status, 0 for success, and its text. */
int call_gsvd(char type, const int64_t size[3], char job, void *const array[7],
              int64_t rank[2], const char **text);

/* Are there factors, be it with a warning? */
int call_found_factors(int status);

#ifdef __cplusplus
}
#endif

#endif /* CALL_H */
