/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* threads.h [1] -- work that threads share; the threads end with the work.
 *
 * A parallel region of OpenMP does not serve.  Its threads stay for the next region and spin
 * meanwhile, on cores that the BLAS could use.  And a forked child would wait for ever for threads
 * that it does not have.
 */
#ifndef GSVD_CORE_THREADS_H
#define GSVD_CORE_THREADS_H

/* The number of threads that the caller may use.  It is that of a parallel region of OpenMP
 * (OMP_NUM_THREADS, omp_set_num_threads, the cores that the process may use).  It is 1 inside of
 * such a region, in work that is shared, and in a build without OpenMP. */
int gsvd_threads(void);

/* How many threads the BLAS takes, as far as it says: else as many as we may */
int gsvd_blas_threads(void);

/* From now on gsvd_threads() is 1 in this thread, if alone is not 0.  Returns what was said
 * before. */
int gsvd_set_alone(int alone);
int gsvd_is_alone(void);

/* Calls work(data, i) once in each of at most so many threads, in the caller's too, which has
 * i = 0; no i is above threads - 1.  Fewer may come, so that the work is for all who come. */
void gsvd_share(int threads, void (*work)(void *data, int i), void *data);

#endif /* GSVD_CORE_THREADS_H */
