/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* routines.h -- the public routines by number: legal calls on arrays of their own,
 * whose arguments a test may spoil. */
#ifndef GSVD_TESTS_ROUTINES_H
#define GSVD_TESTS_ROUTINES_H

#include "harness/harness.h"

enum {
    TASK_GSVD,
    TASK_PREPROCESS,
    TASK_SOLVE,
    TASK_QR,
    TASK_R_ALONE, /* qr without tau, of at most 32 columns                   */
    TASK_QR_APPLY,
    TASK_QR_FORM,
    TASK_GEQP,
    TASK_URV,
    TASK_SVD,
    TASK_HSVD,
    TASK_EIGH, /* of the lower triangle of the first rows                    */
    TASK_LDL,  /* of the same                                                */
    TASKS
};

extern const char *const task_name[TASKS];

/* The sizes of calls, if a test has no others; one leading dimension, odd, serves all matrices. */
enum { TASK_M = 40, TASK_N = 30, TASK_P = 35, TASK_LD = 41 };

typedef struct task {
    int routine;
    door_t door;
    int64_t m, n, p, ld;
    int64_t solve_k, solve_l; /* the ranks that solve is given               */
    scalar_t *A, *B, *C, *U, *V, *Q, *tau; /* on the device where door is GPU */
    real_t *alpha, *beta;
    int64_t *jpvt;
    int64_t *J; /* the signs of n columns, n / 2 of them 1                   */
    int64_t *k, *l; /* k: the rank of one matrix                             */
    void *dwork, *hwork;
    size_t dwork_bytes, hwork_bytes;
    int info;
} task_t;

/* A legal call whose matrices begin skip bytes behind an aligned address, and if
 * that is not 0 the arrays of reals and integers one element behind it.  Workspace
 * is NULL, results are NaN.  Lives until the end of the test. */
task_t new_task(int routine, door_t door, size_t skip);
/* ... of order n */
task_t new_square_task(int routine, int64_t n);

/* With the workspace that h has; with the task's */
gsvd_status_t call_task(gsvd_handle_t h, task_t *t);
gsvd_status_t run_task(gsvd_handle_t h, task_t *t);

/* The name of the first array, or of k, l or info, that is another one in b, the same call as a;
 * NULL: all of them are the same, bit for bit. */
const char *other_result(const task_t *a, const task_t *b);

/* The call as a struct, of the task's arrays, whose info is NULL */
gsvd_problem_t problem_of_task(gsvd_type_t type, const task_t *t);

#endif /* GSVD_TESTS_ROUTINES_H */
