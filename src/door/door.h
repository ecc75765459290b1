/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* door.h [1] -- the description of a routine as data, and what reads it.
 *
 * A description (routine_t) says what the public function takes, argument by argument.  Four
 * things follow from it: the check of the arguments, the workspace, the copies to and from a
 * device, and the numbers of *info (check.c, call.c).  What the routine computes is its program
 * (gsvd/pipeline.h).  Each routine has a file in this folder, with its description and its public
 * functions.
 */
#ifndef GSVD_DOOR_DOOR_H
#define GSVD_DOOR_DOOR_H

#include "core/handle.h"
#include "gsvd/batched.h"

/* An argument that is a letter.  Its number among the arguments is its place in routine_t.job,
 * counted from 1. */
typedef struct job {
    const char *name;
    const char *letters; /* the legal ones                                   */
    const char *reason;  /* why another one is illegal                       */
    char left_out;       /* what 0 in a gsvd_problem_t stands for; 0: 'N'    */
} job_t;

/* An argument that is a size: at most 2147483647, or what `most` returns */
typedef struct size {
    const char *name;
    int number;
    size_t at;                       /* in args_t                            */
    int64_t (*most)(const args_t *); /* NULL: no bound                       */
    const char *reason;              /* why more is illegal                  */
} size_desc_t;

/* A result that is a number of type int64_t */
typedef struct result {
    const char *name;
    int number;
    size_t at;    /* where args_t has its address                            */
    int optional; /* NULL is legal                                           */
} result_t;

typedef enum element {
    ELEMENT_SCALAR,
    ELEMENT_REAL,
    ELEMENT_INTEGER
} element_t;

typedef enum flow { FLOW_IN = 1, FLOW_OUT = 2, FLOW_BOTH = 3 } flow_t;

/* An argument that is an array of rows x cols elements.  ld_number = 0: it is one column and has no
 * leading dimension. */
typedef struct array {
    const char *name;
    operand_t operand;
    int number, ld_number;
    element_t element;
    int optional; /* NULL is legal: the array is not wanted                  */
    int64_t (*rows)(const args_t *), (*cols)(const args_t *);
    flow_t (*flow)(const args_t *);
    int64_t (*rows_out)(const args_t *); /* the number of leading rows that are
                                            results; NULL: all               */
} array_t;

struct program; /* of one type; only typed files see it: gsvd/pipeline.h     */

enum { JOBS = 3, SIZES = 5, RESULTS = 2, ARRAYS = 7 };

typedef struct routine {
    /* A list ends at the first name that is NULL. */
    job_t job[JOBS];
    size_desc_t size[SIZES];
    result_t result[RESULTS];
    array_t array[ARRAYS];
    int tol_number;    /* of an argument that must not be NaN, or 0          */
    int range_job;     /* With 'V', vl must be less than vu; 0: no such job  */
    int decomposition; /* gsvd_get_stats reports it                          */
    /* for s, d, c, z, each NULL if this build lacks the type; the last one is NULL: no type */
    const struct program *program[5];
} routine_t;

/* The descriptions */
extern const routine_t *const gsvd_gsvd_routine;
extern const routine_t *const gsvd_preprocess_routine;
extern const routine_t *const gsvd_solve_routine;
extern const routine_t *const gsvd_qr_routine;
extern const routine_t *const gsvd_qr_apply_routine;
extern const routine_t *const gsvd_qr_form_routine;
extern const routine_t *const gsvd_geqp_routine;
extern const routine_t *const gsvd_svd_routine;
extern const routine_t *const gsvd_hsvd_routine;
extern const routine_t *const gsvd_urv_routine;
extern const routine_t *const gsvd_eigh_routine;
extern const routine_t *const gsvd_ldl_routine;

/* where the caller's arrays are */
typedef enum door { DOOR_HOST, DOOR_GPU } door_t;

/* A call of one problem, on behalf of a public function: checks the arguments, computes, delivers
 * the results, reports errors.  Turns the jobs to upper case.  made: what gsvd_measure_call told of
 * such a call, or NULL */
gsvd_status_t gsvd_call(gsvd_handle_t h, gsvd_type_t type, const routine_t *r,
                        door_t door, args_t *a, const call_memory_t *made);

/* *x := the memory of such a call of one problem */
gsvd_status_t gsvd_measure_call(gsvd_handle_t h, gsvd_type_t type,
                                const routine_t *r, door_t door, args_t *a,
                                call_memory_t *x);

/* The same two for many problems: batched.c */
gsvd_status_t gsvd_call_batched(gsvd_handle_t h, gsvd_type_t type,
                                const routine_t *r, door_t door,
                                batch_args_t *b, const call_memory_t *made);
gsvd_status_t gsvd_measure_batched(gsvd_handle_t h, gsvd_type_t type,
                                   const routine_t *r, door_t door,
                                   batch_args_t *b, call_memory_t *x);

/* -- call.c --------------------------------------------------------------------- */

struct letter;

typedef struct call {
    gsvd_handle_t h;
    const routine_t *r;
    const struct program *program;
    const struct letter *letter;
    door_t door;
} call_t;

/* Turns the jobs to upper case. */
void gsvd_upper_case(args_t *a);

/* *c := the call for these arguments.  Turns the jobs to upper case.  GSVD_NOT_SUPPORTED if this
 * build lacks the type, or if a host handle gets arrays on a device. */
gsvd_status_t gsvd_open_call(gsvd_handle_t h, gsvd_type_t type,
                             const routine_t *r, door_t door, args_t *a,
                             call_t *c);

/* The kept memory of a call of this shape, or NULL */
const call_memory_t *gsvd_kept_memory(const call_t *c, const args_t *a,
                                      batch_shape_t batch);
/* Keeps *made for calls of this shape; returns where. */
const call_memory_t *gsvd_keep_memory(const call_t *c, const args_t *a,
                                      batch_shape_t batch,
                                      const call_memory_t *made);

/* *memory := at least `need` bytes: the caller's memory, `given`, or the handle's `own` */
gsvd_status_t gsvd_acquire(gsvd_handle_t h, const space_t *space, buffer_t *own,
                           buffer_t given, size_t need, const char *name,
                           buffer_t *memory);

/* GSVD_NOT_SUPPORTED if a stream is captured; `what` says what cannot be part of a graph.  It is
 * called before anything is queued in the stream, so that the capture can go on. */
gsvd_status_t gsvd_check_capture(gsvd_handle_t h, capture_t capture,
                                 const char *what);

/* Do the caller's arrays lie elsewhere than the handle computes? */
static inline int is_copied(const call_t *c)
{
    return c->h->space->on_device && c->door == DOOR_HOST;
}

/* -- check.c -------------------------------------------------------------------- */

/* Checks of a call, which set *info.  gsvd_check_sizes checks jobs and sizes, gsvd_check_lds
 * leading dimensions, gsvd_check_arrays the addresses of results and arrays, gsvd_check_array one
 * array.  gsvd_check_args checks all arguments in LAPACK's order. */
gsvd_status_t gsvd_check_sizes(gsvd_handle_t h, const routine_t *r,
                               const args_t *a);
gsvd_status_t gsvd_check_lds(gsvd_handle_t h, const routine_t *r,
                             const args_t *a);
gsvd_status_t gsvd_check_array(gsvd_handle_t h, const array_t *x,
                               const args_t *a, const size_t alignment[3]);
gsvd_status_t gsvd_check_arrays(gsvd_handle_t h, const routine_t *r,
                                const args_t *a, const size_t alignment[3]);
gsvd_status_t gsvd_check_args(gsvd_handle_t h, const routine_t *r,
                              const args_t *a, const size_t alignment[3]);

/* Returns GSVD_INVALID_ARGUMENT and sets *info.  The text has the argument's number and name, or
 * the member of the problem. */
gsvd_status_t gsvd_illegal_argument(gsvd_handle_t h, const args_t *a,
                                    int number, const char *name,
                                    const char *reason);
/* The name of an array, "sigma", or for a gsvd_problem_t that of its member, "alpha"; and the name
 * of its leading dimension, "lda" or "A.ld" */
const char *gsvd_array_name(const array_t *x, const args_t *a);
enum { LD_NAME = 12 };
void gsvd_ld_name(const array_t *x, const args_t *a, char name[LD_NAME]);
/* What is wrong with a leading dimension, or NULL */
const char *gsvd_illegal_ld(int64_t ld, int64_t rows);

/* -- check_batched.c -------------------------------------------------------------- */

/* Checks the arguments of a call of many problems. */
gsvd_status_t gsvd_check_batched(const call_t *c, const batch_args_t *b);
/* Checks sizes, leading dimensions and addresses of each problem.  The lists of b must be on the
 * host.  If the matrices are on a device, the alignment is the device's. */
gsvd_status_t gsvd_check_each(const call_t *c, const batch_args_t *b);

/* -- typed.c ---------------------------------------------------------------------- */

/* What the door needs to know of one type */
typedef struct letter {
    size_t bytes[3], alignment[3]; /* of the elements, by element_t          */
    gsvd_status_t (*measure)(gsvd_handle_t h, const struct program *p,
                             const args_t *a, need_t *need);
    /* memory: work of drivers and primitives; for products; staging         */
    gsvd_status_t (*run)(gsvd_handle_t h, const struct program *p,
                         const buffer_t memory[3], const args_t *a,
                         outcome_t *out);
    gsvd_status_t (*measure_batched)(gsvd_handle_t h, const struct program *p,
                                     const batch_args_t *b, batch_need_t *need);
    /* memory: the shares where the handle computes; one share on the host   */
    gsvd_status_t (*run_batched)(gsvd_handle_t h, const struct program *p,
                                 const batch_need_t *need,
                                 const buffer_t memory[2],
                                 const batch_args_t *b);
} letter_t;

/* -- words for the files of routines ----------------------------------------------- */

#define DOOR_SIZE(member, i)                                                   \
    {                                                                          \
        .name = #member, .number = (i), .at = offsetof(args_t, member)         \
    }

#define DOOR_BOUNDED(member, i, most_, reason_)                                \
    {                                                                          \
        .name = #member, .number = (i), .at = offsetof(args_t, member),        \
        .most = (most_), .reason = (reason_)                                   \
    }

/* The types of this build */
#if GSVD_HAVE_S
#define DOOR_IF_S(...) __VA_ARGS__
#else
#define DOOR_IF_S(...)
#endif
#if GSVD_HAVE_D
#define DOOR_IF_D(...) __VA_ARGS__
#else
#define DOOR_IF_D(...)
#endif
#if GSVD_HAVE_C
#define DOOR_IF_C(...) __VA_ARGS__
#else
#define DOOR_IF_C(...)
#endif
#if GSVD_HAVE_Z
#define DOOR_IF_Z(...) __VA_ARGS__
#else
#define DOOR_IF_Z(...)
#endif

#define DOOR_DECLARE(name)                                                     \
    extern const struct program sgsvd_##name##_program,                        \
        dgsvd_##name##_program, cgsvd_##name##_program, zgsvd_##name##_program
#define DOOR_PROGRAMS(name)                                                    \
    {                                                                          \
        DOOR_IF_S([0] = &sgsvd_##name##_program, )                             \
        DOOR_IF_D([1] = &dgsvd_##name##_program, )                             \
        DOOR_IF_C([2] = &cgsvd_##name##_program, )                             \
        DOOR_IF_Z([3] = &zgsvd_##name##_program)                               \
    }

/* Defines the public functions [sdcz]gsvd SUFFIX and [sdcz]gsvd SUFFIX_gpu of a routine, in a file
 * that has its description as `routine`.  PARAMETERS(T, R, r) is the list of parameters after the
 * handle, for elements of type T, arrays of reals of type R and real numbers of type r.  ARGS is
 * their args_t; it may use the variable `type`. */
#define DOOR_PUBLIC(suffix, PARAMETERS, ARGS)                                  \
    DOOR_FOUR(suffix, DOOR_HOST, PARAMETERS, ARGS)                             \
    DOOR_FOUR(suffix##_gpu, DOOR_GPU, PARAMETERS, ARGS)

#define DOOR_TYPED(name, letter, door, T, R, PARAMETERS, ARGS)                 \
    gsvd_status_t name(gsvd_handle_t h, PARAMETERS(T, R, R))                   \
    {                                                                          \
        const gsvd_type_t type = letter;                                       \
        args_t args = ARGS;                                                    \
        return gsvd_call(h, type, &routine, door, &args, NULL);                \
    }
#define DOOR_FOUR(suffix, door, P, ARGS)                                       \
    DOOR_IF_S(DOOR_TYPED(sgsvd##suffix, GSVD_S, door, float, float, P, ARGS))  \
    DOOR_IF_D(                                                                 \
        DOOR_TYPED(dgsvd##suffix, GSVD_D, door, double, double, P, ARGS))      \
    DOOR_IF_C(DOOR_TYPED(cgsvd##suffix, GSVD_C, door, gsvd_complex_float,      \
                         float, P, ARGS))                                      \
    DOOR_IF_Z(DOOR_TYPED(zgsvd##suffix, GSVD_Z, door, gsvd_complex_double,     \
                         double, P, ARGS))

#endif /* GSVD_DOOR_DOOR_H */
