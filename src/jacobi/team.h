/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.h [1] -- the meetings of a sweep, by threads that end with the sweep.
 *
 * A parallel region of OpenMP would not do: its threads stay for the next region and
 * spin meanwhile on cores that the BLAS could use, and a forked child waits for ever
 * for threads that it does not have.
 */
#ifndef GSVD_JACOBI_TEAM_H
#define GSVD_JACOBI_TEAM_H

#include <stdint.h>

/* The work of the meeting of P <= Q, which touches the data of P and Q alone */
typedef int64_t (*meeting_t)(const void *data, int64_t P, int64_t Q);

/* How many threads the caller may use: as many as a parallel region of OpenMP
 * would have (OMP_NUM_THREADS, omp_set_num_threads, the cores that the process
 * may use); 1 inside of such a region, and in a build without OpenMP. */
int gsvd_threads(void);

/* Holds all meetings of n, in the order of ordering.h, with at most so many threads,
 * the caller's among them; returns the sum of the numbers that the meetings returned.
 * The results do not depend on the number of threads. */
int64_t gsvd_meetings(int64_t n, meeting_t meet, const void *data, int threads);

#endif /* GSVD_JACOBI_TEAM_H */
