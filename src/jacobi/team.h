/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.h [1] -- the meetings of a sweep, by threads that end with it (core/threads.h). */
#ifndef GSVD_JACOBI_TEAM_H
#define GSVD_JACOBI_TEAM_H

#include <stdint.h>

#include "core/threads.h"

/* The work of the meeting of P <= Q, which touches the data of P and Q alone */
typedef int64_t (*meeting_t)(const void *data, int64_t P, int64_t Q);

/* Holds all meetings of n columns or blocks, in the order of ordering.h, with at most `threads`
 * threads, the caller's included.  Returns the sum of the numbers that the meetings return.  The
 * results do not depend on the number of threads. */
int64_t gsvd_meetings(int64_t n, meeting_t meet, const void *data, int threads);

#endif /* GSVD_JACOBI_TEAM_H */
