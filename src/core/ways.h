/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ways.h [1] -- the ways that kernels choose.
 *
 * Drivers and primitives choose a solver from a list (solver.h).  On a device a kernel chooses, too,
 * by numbers that the host never sees, and a right result does not tell which way it came.  So each
 * choice of a kernel is counted where it is made, by one thread: cuda_state.h has the counts, tests
 * read them (gsvd_count_ways), and nothing else does.
 *
 * A floor that counts has its ways in FLOOR/ways.h; they begin where those of the floor below end. */
#ifndef GSVD_CORE_WAYS_H
#define GSVD_CORE_WAYS_H

enum { WAYS = 16 }; /* that there is room for                                */

#endif /* GSVD_CORE_WAYS_H */
