/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* routine.h -- the library's routines as decompose.c calls them, one for each problem. */
#ifndef GSVD_TOOLS_ROUTINE_H
#define GSVD_TOOLS_ROUTINE_H

#include "decompose.h"

/* A and B are copies, in the precision of the task; HSVD's B is J as it was read. */
typedef struct routine {
    /* The factors and values, with room for the largest ranks.  False, told. */
    bool (*allocate)(decomposition_t *d, int width);
    /* The routine, its jobs and arrays, in a call that has type, sizes, ranks and info. */
    gsvd_status_t (*call)(decomposition_t *d, const matrix_t *A,
                          const matrix_t *B, gsvd_problem_t *call);
    /* What is not where decomposition_t wants it.  False, told. */
    bool (*gather)(decomposition_t *d, const matrix_t *A, const matrix_t *B);
} routine_t;

extern const routine_t routine_pair, routine_svd, routine_hsvd, routine_eigh;

/* Always false, with d->why. */
bool decompose_fault(decomposition_t *d, const char *format, ...)
#if defined __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* *A := 0, a factor of this name.  False, told, without memory. */
bool decompose_room(decomposition_t *d, matrix_t *A, const char *name,
                    int64_t rows, int64_t cols, int width);

/* Bounds and cond of d, of a pair with its Y in the precision of the task; A and B as they were read */
gsvd_status_t decompose_bounds(gsvd_handle_t h, decomposition_t *d,
                               const matrix_t *A, const matrix_t *B);

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* The job of a factor whose letter for all of it is full. */
static inline char job_of(const task_t *t, char full)
{
    return t->values ? 'N' : t->economy ? 'S' : full;
}

#endif /* GSVD_TOOLS_ROUTINE_H */
