/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batches.h -- many problems by one call: where their arrays lie, every form and door, and
 * the same problems by single calls. */
#ifndef GSVD_TESTS_BATCHES_H
#define GSVD_TESTS_BATCHES_H

#include "harness/harness.h"

typedef enum kind { MANY_SVD, MANY_HSVD, MANY_GSVD, KINDS } many_kind_t;

typedef enum form {
    STRIDED,  /* with gaps between columns and between problems              */
    STACKED,  /* the same, matrices one above another                        */
    POINTERS, /* addresses, problems in another order than in memory         */
    SIZED,    /* and sizes that differ, some of them 0                       */
    FORMS
} form_t;

extern const char *const kind_name[KINDS], *const form_name[FORMS];

/* An array of each problem */
typedef enum many_array {
    MANY_A,
    MANY_B,
    MANY_U,
    MANY_V,
    MANY_Q,
    MANY_ALPHA, /* or sigma                                                  */
    MANY_BETA,
    MANY_ARRAYS
} many_array_t;

typedef struct spread {
    int64_t rows, cols, ld, stride; /* of the largest problem; rows 0: absent */
    size_t element, bytes;
    char *host;
    int64_t *at; /* elements before problem i                                */
} spread_t;

typedef struct many {
    many_kind_t kind;
    form_t form;
    char job[3];
    int64_t count, m, n, p, plus; /* the largest sizes                       */
    int64_t *each[3];             /* m, n, p of each                         */
    int64_t *J;                   /* NULL, n signs, or count * n             */
    int J_for_each;
    spread_t place[MANY_ARRAYS];
    int64_t *k, *l;
    int *info;
    gsvd_status_t status;
} many_t;

/* Problems of normal random entries; jobs as the routine has them, or "USN".  They depend on
 * the seed, their number and their sizes, not on the form. */
many_t new_many(many_kind_t what, form_t form, const char *jobs, int64_t count,
                int64_t m, int64_t n, int64_t p, uint64_t seed);

/* Solves them by one call, or one after another, in place; both check what lies between the
 * arrays.  Single calls set info as the batch does, and NaN where there is no result. */
void call_many(door_t door, gsvd_handle_t h, many_t *b);
void call_each(door_t door, gsvd_handle_t h, many_t *b);

/* call_many in steps: the arrays where the door wants them, the call alone, and what came of
 * it */
typedef struct sent {
    char *at[MANY_ARRAYS];
    void **each[MANY_ARRAYS];
    int64_t *ld[MANY_ARRAYS], *size[3], *J, *k, *l;
    int *info;
} sent_t;
sent_t send_many(door_t door, const many_t *b);
gsvd_problem_t problem_of_many(door_t door, const many_t *b, const sent_t *s);
gsvd_status_t call_sent(door_t door, gsvd_handle_t h, const many_t *b,
                        const sent_t *s);
void receive_many(door_t door, const sent_t *s, many_t *b);

/* Array x of a problem */
gsvd_array_t *member_of(gsvd_problem_t *p, int x);

/* problem_of_many without arrays: what a plan looks at */
gsvd_problem_t shape_of_many(door_t door, const many_t *b);

/* Array x of problem i, as it is now; without data if absent */
mat_t matrix_of(const many_t *b, many_array_t x, int64_t i);
real_t *values_of(const many_t *b, many_array_t x, int64_t i);

/* Problem i of a and problem j of b have the same results, bit for bit; A and B count where
 * they are results. */
void ck_assert_same_results(const many_t *a, int64_t i, const many_t *b,
                            int64_t j);

/* A and B of problem i := 0 but for R, if they have it */
void keep_R(many_t *b, int64_t i);

/* LAPACK's ratios of problem i, whose matrices were A and B */
void ck_assert_problem(const many_t *b, int64_t i, mat_t A, mat_t B);

#endif /* GSVD_TESTS_BATCHES_H */
