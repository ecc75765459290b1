/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* door.h [1] -- a routine, described once, as data.
 *
 * The description says what the public function takes, argument by argument; the check
 * of the arguments, the workspace, the copies to and from a device and the numbers of
 * *info follow from it (check.c, call.c), and what the routine computes is its
 * program (gsvd/pipeline.h).  Each routine has a file here, with its description and
 * its public functions.
 */
#ifndef GSVD_DOOR_DOOR_H
#define GSVD_DOOR_DOOR_H

#include "core/handle.h"
#include "gsvd/batched.h"

/* A letter.  Its number in the list of arguments is its place here, from 1. */
typedef struct job {
    const char *name;
    const char *letters; /* that are legal                                   */
    const char *reason;  /* why another is not                               */
} job_t;

/* A size, at most 2147483647, or at most what another one allows */
typedef struct size {
    const char *name;
    int number;
    size_t at;                       /* in args_t                            */
    int64_t (*most)(const args_t *); /* NULL: no bound                       */
    const char *reason;              /* why more is not legal                */
} size_desc_t;

/* A number of type int64_t that the call gives back */
typedef struct result {
    const char *name;
    int number;
    size_t at; /* of its address, in args_t                                  */
} result_t;

typedef enum element {
    ELEMENT_SCALAR,
    ELEMENT_REAL,
    ELEMENT_INTEGER
} element_t;

typedef enum flow { FLOW_IN = 1, FLOW_OUT = 2, FLOW_BOTH = 3 } flow_t;

/* An array of rows x cols elements; ld_number 0: one column without a leading
 * dimension. */
typedef struct array {
    const char *name;
    operand_t operand;
    int number, ld_number;
    element_t element;
    int optional; /* NULL is legal and means that it is not wanted           */
    int64_t (*rows)(const args_t *), (*cols)(const args_t *);
    flow_t (*flow)(const args_t *);
    int64_t (*rows_out)(const args_t *); /* the first rows that are results;
                                            NULL: all                        */
} array_t;

struct program; /* of one type, which only typed files know: gsvd/pipeline.h */

enum { JOBS = 3, SIZES = 5, RESULTS = 2, ARRAYS = 7 };

typedef struct routine {
    /* Each list ends with its first name that is NULL. */
    job_t job[JOBS];
    size_desc_t size[SIZES];
    result_t result[RESULTS];
    array_t array[ARRAYS];
    int tol_number;    /* of an argument that must not be a NaN, or 0        */
    int decomposition; /* gsvd_get_stats tells of it                         */
    /* of s, d, c, z, or NULL where this build lacks the type; NULL: of no type */
    const struct program *program[5];
} routine_t;

/* The descriptions */
extern const routine_t *const gsvd_gsvd_routine,
    *const gsvd_preprocess_routine,
        *const gsvd_solve_routine,
            *const gsvd_qr_routine, *const gsvd_qr_apply_routine,
                                        *const gsvd_qr_form_routine,
                                            *const gsvd_geqp_routine,
                                                *const gsvd_svd_routine,
                                                    *const gsvd_hsvd_routine,
                                                        *const gsvd_urv_routine;

/* Where the caller's arrays are */
typedef enum door { DOOR_HOST, DOOR_GPU } door_t;

/* The public functions: checks, computes, delivers, reports.  Jobs are turned to upper
 * case. */
gsvd_status_t gsvd_call(gsvd_handle_t h, gsvd_type_t type, const routine_t *r,
                        door_t door, args_t *a);
gsvd_status_t gsvd_call_bytes(gsvd_handle_t h, gsvd_type_t type,
                              const routine_t *r, door_t door, args_t *a,
                              size_t *dwork_bytes, size_t *hwork_bytes);

/* How the problems of a batch are given */
typedef enum batch_form {
    BATCH_POINTERS, /* arrays of addresses                                   */
    BATCH_STRIDED,  /* behind each leading dimension or vector its stride    */
    BATCH_SIZES,    /* as pointers, and arrays of sizes behind the sizes     */
    BATCH_PROBLEM   /* as gsvd_problem_t has them                            */
} batch_form_t;

/* The memory of a call of many, beside the shares where the handle computes and on the host */
typedef struct batch_memory {
    batch_need_t need;
    size_t compute, host;
} batch_memory_t;

/* *x := the memory of such a call, as the handle keeps it for others like it */
gsvd_status_t gsvd_measure_call(gsvd_handle_t h, gsvd_type_t type,
                                const routine_t *r, door_t door, args_t *a,
                                call_memory_t *x);

/* The same for many problems: batched.c.  made: what gsvd_measure_batched told of such a call, or
 * NULL */
gsvd_status_t gsvd_call_batched(gsvd_handle_t h, gsvd_type_t type,
                                const routine_t *r, door_t door,
                                batch_form_t form, batch_args_t *b,
                                const batch_memory_t *made);
gsvd_status_t gsvd_measure_batched(gsvd_handle_t h, gsvd_type_t type,
                                   const routine_t *r, door_t door,
                                   batch_args_t *b, batch_memory_t *x);
gsvd_status_t gsvd_call_batched_bytes(gsvd_handle_t h, gsvd_type_t type,
                                      const routine_t *r, door_t door,
                                      batch_args_t *b, size_t *dwork_bytes,
                                      size_t *hwork_bytes);
/* The workspace of both kinds that it tells */
void gsvd_batch_bytes(gsvd_handle_t h, const batch_memory_t *x, size_t *dwork,
                      size_t *hwork);
/* Of measure_batched: sizes differ, and are not known. */
extern const int64_t gsvd_any_size[1];

/* -- call.c --------------------------------------------------------------------- */

struct letter;

typedef struct call {
    gsvd_handle_t h;
    const routine_t *r;
    const struct program *program;
    const struct letter *letter;
    door_t door;
} call_t;

/* The jobs := in upper case */
void gsvd_upper_case(args_t *a);

/* The call that the arguments are of, with jobs in upper case. */
gsvd_status_t gsvd_open_call(gsvd_handle_t h, gsvd_type_t type,
                             const routine_t *r, door_t door, args_t *a,
                             call_t *c);

/* *memory := the caller's memory, or the handle's own, of at least so many bytes */
gsvd_status_t gsvd_acquire(gsvd_handle_t h, const space_t *space, buffer_t *own,
                           buffer_t given, size_t need, const char *name,
                           buffer_t *memory);

/* GSVD_NOT_SUPPORTED for what is no part of a graph, `what`, unless nothing is captured.  Before
 * anything is queued in the stream, so that the capture goes on. */
gsvd_status_t gsvd_check_capture(gsvd_handle_t h, capture_t capture,
                                 const char *what);

/* Are the caller's arrays elsewhere than the handle's memory? */
static inline int is_copied(const call_t *c)
{
    return c->h->space->on_device && c->door == DOOR_HOST;
}

/* -- check.c -------------------------------------------------------------------- */

/* Is the call legal?  Jobs and sizes, leading dimensions, addresses of results and arrays;
 * or all arguments, in LAPACK's order.  Sets *info. */
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

/* GSVD_INVALID_ARGUMENT, in words: the argument's number and name, or the member of the problem; *info */
gsvd_status_t gsvd_illegal_argument(gsvd_handle_t h, const args_t *a,
                                    int number, const char *name,
                                    const char *reason);
/* "sigma", or of a problem "alpha"; "lda", or "A.ld" */
const char *gsvd_array_name(const array_t *x, const args_t *a);
enum { LD_NAME = 12 };
void gsvd_ld_name(const array_t *x, const args_t *a, char name[LD_NAME]);

/* -- check_batched.c -------------------------------------------------------------- */

/* *of := the routine with the numbers that arguments have in a form. */
void gsvd_renumber(const routine_t *r, batch_form_t form, routine_t *of);
/* Is the call legal?  b->one.array are the arguments as they are, whatever the form; of is
 * renumbered. */
gsvd_status_t gsvd_check_batched(const call_t *c, const routine_t *of,
                                 batch_form_t form, const batch_args_t *b);
/* Are sizes, leading dimensions and addresses of each problem legal?  Lists of b, in their own
 * members, are on the host; where matrices are on a device, alignment is that of there. */
gsvd_status_t gsvd_check_each(const call_t *c, const routine_t *of,
                              const batch_args_t *b);

/* -- typed.c ---------------------------------------------------------------------- */

/* What the door needs of one type. */
typedef struct letter {
    size_t bytes[3], alignment[3]; /* of the elements, by element_t          */
    gsvd_status_t (*measure)(gsvd_handle_t h, const struct program *p,
                             const args_t *a, need_t *need);
    /* memory: for drivers and primitives, for products, on the host         */
    gsvd_status_t (*run)(gsvd_handle_t h, const struct program *p,
                         const buffer_t memory[3], const args_t *a,
                         outcome_t *out);
    gsvd_status_t (*measure_batched)(gsvd_handle_t h, const struct program *p,
                                     const batch_args_t *b, batch_need_t *need);
    /* memory: shares where the handle computes, and one on the host         */
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

/* The public functions of a routine, in a file that has its description as `routine`:
 * gsvd SUFFIX and gsvd SUFFIX_gpu by type, and [sdcz]gsvd SUFFIX[_gpu], each a call of
 * those.  PARAMETERS(T, R, r) is the list of parameters behind the handle, of elements
 * T, arrays of reals R and real numbers r; NAMES is the list of their names in
 * parentheses, ARGS their args_t. */
#define DOOR_PUBLIC(suffix, PARAMETERS, NAMES, ARGS)                           \
    DOOR_BY_TYPE(gsvd##suffix, DOOR_HOST, PARAMETERS, ARGS)                    \
    DOOR_BY_TYPE(gsvd##suffix##_gpu, DOOR_GPU, PARAMETERS, ARGS)               \
    DOOR_FOUR(suffix, PARAMETERS, NAMES)                                       \
    DOOR_FOUR(suffix##_gpu, PARAMETERS, NAMES)

/* gsvd SUFFIX_buffer_size and gsvd SUFFIX_gpu_buffer_size, of PARAMETERS() */
#define DOOR_SIZES(suffix, PARAMETERS, ARGS)                                   \
    DOOR_BYTES(gsvd##suffix##_buffer_size, DOOR_HOST, PARAMETERS, ARGS)        \
    DOOR_BYTES(gsvd##suffix##_gpu_buffer_size, DOOR_GPU, PARAMETERS, ARGS)

/* The same of many problems, in a form whose name is ENDING: gsvd SUFFIX ENDING, gsvd
 * SUFFIX_gpu ENDING, and [sdcz]... of each; ARGS is their batch_args_t.  And their sizes of
 * memory. */
#define DOOR_MANY(suffix, ending, form, PARAMETERS, NAMES, ARGS)               \
    DOOR_MANY_BY_TYPE(gsvd##suffix##ending, DOOR_HOST, form, PARAMETERS, ARGS) \
    DOOR_MANY_BY_TYPE(gsvd##suffix##_gpu##ending, DOOR_GPU, form, PARAMETERS,  \
                      ARGS)                                                    \
    DOOR_FOUR(suffix##ending, PARAMETERS, NAMES)                               \
    DOOR_FOUR(suffix##_gpu##ending, PARAMETERS, NAMES)
#define DOOR_MANY_SIZES(suffix, ending, form, PARAMETERS, ARGS)                \
    DOOR_MANY_BYTES(gsvd##suffix##ending##_buffer_size, DOOR_HOST, form,       \
                    PARAMETERS, ARGS)                                          \
    DOOR_MANY_BYTES(gsvd##suffix##_gpu##ending##_buffer_size, DOOR_GPU, form,  \
                    PARAMETERS, ARGS)

/* In the list of names: addresses of arrays of any type */
#define EACH(arrays) ((void *const *)(arrays))
#define DOOR_LIST(...) __VA_ARGS__
#define DOOR_MANY_BY_TYPE(name, door, form, PARAMETERS, ARGS)                  \
    gsvd_status_t name(gsvd_handle_t h, gsvd_type_t type,                      \
                       PARAMETERS(void, void, double))                         \
    {                                                                          \
        batch_args_t args = ARGS;                                              \
        return gsvd_call_batched(h, type, &routine, door, form, &args, NULL);  \
    }
#define DOOR_MANY_BYTES(name, door, form, PARAMETERS, ARGS)                    \
    gsvd_status_t name(gsvd_handle_t h, gsvd_type_t type, PARAMETERS(),        \
                       int64_t batch, size_t *dwork_bytes,                     \
                       size_t *hwork_bytes)                                    \
    {                                                                          \
        batch_args_t args = {.one = ARGS, .count = batch};                     \
        if ((form) == BATCH_SIZES)                                             \
            args.size[0] = gsvd_any_size;                                      \
        return gsvd_call_batched_bytes(h, type, &routine, door, &args,         \
                                       dwork_bytes, hwork_bytes);              \
    }
#define DOOR_BY_TYPE(name, door, PARAMETERS, ARGS)                             \
    gsvd_status_t name(gsvd_handle_t h, gsvd_type_t type,                      \
                       PARAMETERS(void, void, double))                         \
    {                                                                          \
        args_t args = ARGS;                                                    \
        return gsvd_call(h, type, &routine, door, &args);                      \
    }
#define DOOR_BYTES(name, door, PARAMETERS, ARGS)                               \
    gsvd_status_t name(gsvd_handle_t h, gsvd_type_t type, PARAMETERS(),        \
                       size_t *dwork_bytes, size_t *hwork_bytes)               \
    {                                                                          \
        args_t args = ARGS;                                                    \
        return gsvd_call_bytes(h, type, &routine, door, &args, dwork_bytes,    \
                               hwork_bytes);                                   \
    }
#define DOOR_TYPED(name, by_type, type, T, R, PARAMETERS, NAMES)               \
    gsvd_status_t name(gsvd_handle_t h, PARAMETERS(T, R, R))                   \
    {                                                                          \
        return by_type(h, type, NAMES);                                        \
    }
#define DOOR_FOUR(suffix, P, N)                                                \
    DOOR_IF_S(DOOR_TYPED(sgsvd##suffix, gsvd##suffix, GSVD_S, float, float, P, \
                         DOOR_LIST N))                                         \
    DOOR_IF_D(DOOR_TYPED(dgsvd##suffix, gsvd##suffix, GSVD_D, double, double,  \
                         P, DOOR_LIST N))                                      \
    DOOR_IF_C(DOOR_TYPED(cgsvd##suffix, gsvd##suffix, GSVD_C,                  \
                         gsvd_complex_float, float, P, DOOR_LIST N))           \
    DOOR_IF_Z(DOOR_TYPED(zgsvd##suffix, gsvd##suffix, GSVD_Z,                  \
                         gsvd_complex_double, double, P, DOOR_LIST N))

#endif /* GSVD_DOOR_DOOR_H */
