/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.h [1] -- the meetings of a sweep, by threads that end with it.
 *
 * They are no parallel region of OpenMP: the threads of one stay for the next,
 * spin meanwhile on cores that BLAS and others could use, and a forked child
 * waits for ever for threads that it does not have.
 */
#ifndef GSVD_JACOBI_TEAM_H
#define GSVD_JACOBI_TEAM_H

#include <stdint.h>

/* What P <= Q have to do with each other, touching nobody else. */
typedef int64_t (*meeting_t)(const void *data, int64_t P, int64_t Q);

/* How many threads the caller may use: as many as a parallel region of OpenMP
 * would have (OMP_NUM_THREADS, omp_set_num_threads, the cores that the process
 * may use); 1 inside of such a region, and in a build without OpenMP. */
int gsvd_threads(void);

/* All meetings of n, in the order of ordering.h, with at most so many threads, the
 * caller's among them; returns the sum of what they returned.  What happens to
 * each is the same whatever the number of threads. */
int64_t gsvd_meetings(int64_t n, meeting_t meet, const void *data, int threads);

#endif /* GSVD_JACOBI_TEAM_H */
