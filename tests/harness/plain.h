/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* plain.h [1] -- what every test program has: a handle on the backend that was
 * asked for, memory that is released after each test, assertions. */
#ifndef GSVD_TESTS_PLAIN_H
#define GSVD_TESTS_PLAIN_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "batch/ways.h"
#include "core/handle.h"

/* Check notes the place of each assertion that holds, for a parent process to tell where a child
 * died.  Tests run without fork (main.c), so nobody reads the note, which takes 2 us to write. */
#define _mark_point(file, line) ((void)0)

extern gsvd_handle_t handle; /* on the backend of argv[1]                    */
extern int on_device;        /* 1: that is CUDA                              */
extern int quick;  /* GSVD_TEST_QUICK: small sizes only; 0: not set          */
extern int stride; /* GSVD_TEST_ONE_IN: a loop takes one case in so many   */
extern int arguments; /* main's argc and argv without the name of the step   */
extern char **argument;

/* Each test_<step>.c defines it; the build calls it suite_of_<step>. */
Suite *make_suite(void);

/* What is in a program, by name; the last name is NULL.  Written by CMakeLists.txt */
typedef struct suite {
    const char *name;
    Suite *(*make)(void);
} suite_t;
extern const suite_t suites[];

/* A test case whose fixture resets the handle's options and releases pool
 * memory; its time limit is CTest's. */
TCase *add_tcase(Suite *s, const char *name);

/* Check's loop over cases first, ..., end - 1, `stride` apart. */
static inline void add_loop_test(TCase *t, const TTest *test, int first,
                                 int end)
{
    for (int i = first; i < end; i += stride)
        tcase_add_loop_test_raise_signal(t, test, 0, i, i + 1);
}
#undef tcase_add_loop_test
#define tcase_add_loop_test(t, test, first, end)                               \
    add_loop_test((t), (test), (first), (end))

/* Of cases that are many and much the same in all letters, one in `one_in` is this letter's, on the
 * host: letters take turns, and GSVD_TEST_TURN moves them on.  All are with GSVD_TEST_ALL=1, and on a
 * device. */
int is_shared_case(int i, int one_in);
static inline void add_shared_loop_test(TCase *t, const TTest *test, int first,
                                        int end, int one_in)
{
    for (int i = first; i < end; i += stride)
        if (is_shared_case(i, one_in))
            tcase_add_loop_test_raise_signal(t, test, 0, i, i + 1);
}

/* Back to default options, tolerances, workspace, progress. */
void reset_options(void);

/* Host memory until the end of the test, every byte 0xff: any number in it is
 * a NaN. */
void *grab(size_t bytes);

/* Backend memory until the end of the test. */
void *grab_backend(size_t bytes);
/* The same, all NaN: results of which not every one is written are read back whole. */
void *grab_results(size_t bytes);

/* Copies between the two; get() waits. */
void put(void *backend_memory, const void *host, size_t bytes);
void get(void *host, const void *backend_memory, size_t bytes);

/* Gives execs of the handle memory for products, as a call does, until the pool's
 * memory ends. */
void give_room(size_t bytes);
extern buffer_t room_for_products;

/* Ends the pool's memory early, between the steps of a long test. */
void release_pool(void);

/* How many CUDA devices there are */
static inline int cuda_devices(void)
{
    const char *why;
    const space_t *const cuda = gsvd_space_cuda(&why);
    return cuda ? cuda->count() : 0;
}

/* stream_cuda.c, stream_none.c: a non-default stream, NULL without CUDA */
gsvd_stream_t stream_create(void);
void stream_destroy(gsvd_stream_t stream);
/* ... has the handle split factors of products in single precision since it was asked
 * last? */
int has_split(gsvd_handle_t h);
/* count[r] := how often the handle has taken way r; 0 on the host */
void count_ways(gsvd_handle_t h, unsigned (*count)[WAYS]);
/* ... as many as there are in a GPU, or 1 */
int multiprocessors(gsvd_handle_t h);
/* ... a handle of a GPU of compute capability 9 that is not there, to ask for sizes; NULL without
 * CUDA.  tear ends it. */
gsvd_handle_t paper_device(int processors);
void tear(gsvd_handle_t h);
/* ... the handle's device becomes one that has no more than so many bytes of shared
 * memory for a block and no numbers of its own, or itself again, bytes 0. */
void pretend_shared(gsvd_handle_t h, int bytes);

#define ck_assert_status(call, expected)                                       \
    do {                                                                       \
        const gsvd_status_t got_ = (call);                                     \
        ck_assert_msg(got_ == (expected), "%s: %s, expected %s; %s", #call,    \
                      gsvd_status_name(got_), gsvd_status_name(expected),      \
                      gsvd_last_error(handle));                                \
    } while (0)

#define ck_assert_ok(call) ck_assert_status(call, GSVD_SUCCESS)

/* A problem of these sizes, without arrays; jobs "": none are looked at */
static inline gsvd_problem_t
problem_of_type(gsvd_type_t type, gsvd_routine_t routine, gsvd_place_t place,
                const char *jobs, int64_t m, int64_t n, int64_t p)
{
    gsvd_problem_t x = {.size = sizeof x,
                        .routine = routine,
                        .type = type,
                        .place = place,
                        .m = m,
                        .n = n,
                        .p = p};
    memcpy(x.job, jobs, strlen(jobs));
    return x;
}

/* The bytes of a plan of the problem, which is made and released, or why there is none */
static inline gsvd_status_t workspace_of(gsvd_handle_t h, gsvd_problem_t p,
                                         size_t *d, size_t *w)
{
    gsvd_plan_t plan = NULL;
    const gsvd_status_t status = gsvd_plan_create(h, &p, &plan);
    if (status != GSVD_SUCCESS)
        return status;
    ck_assert_ok(gsvd_plan_bytes(plan, d, w));
    return gsvd_plan_destroy(plan);
}

/* Of the handle's last call */
static inline gsvd_stats_t stats_of_call(void)
{
    gsvd_stats_t stats = {.size = sizeof stats};
    ck_assert_ok(gsvd_get_stats(handle, &stats));
    return stats;
}

/* The solvers of a pair, AUTO first */
enum { SOLVERS = GSVD_SOLVER_CSD + 1 };
static inline const char *solver_name(int solver)
{
    static const char *const name[SOLVERS] = {"AUTO", "TGSJA", "TANGENT",
                                              "CSD"};
    return name[solver];
}

#endif /* GSVD_TESTS_PLAIN_H */
