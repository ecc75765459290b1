/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* primitive.h -- a primitive as a row of a table: its shapes, its operands, a plain
 * reference, and how far results may be off that.  The loop fills the operands, calls the
 * primitive of the backend under test, and compares every byte of the operands with what the
 * reference makes of the same input; on a device also with what the CPU twin makes of it.
 * So input, and what stands around views and vectors, must be as it was. */
#ifndef GSVD_TESTS_PRIMITIVE_H
#define GSVD_TESTS_PRIMITIVE_H

#include "harness/harness.h"

/* The primitive of the backend under test, and its CPU twin on a handle of its own */
#define CALL(name, ...) ck_assert_ok(table()->name(on(handle), __VA_ARGS__))
#define CALL_TWIN(name, ...)                                                   \
    ck_assert_ok(X(backend_cpu).name(on(twin()), __VA_ARGS__))
gsvd_handle_t twin(void);

/* Descending real_t's, for qsort */
int descending(const void *a, const void *b);
/* The first `plus` columns of G and of H have the same lengths, up to random_walk(rows) ulp of
 * the largest and but for their order; so have the others. */
void ck_assert_lengths(mat_t G, mat_t H, int64_t plus);

/* What primitives are called with.  Each reads and writes some of these. */
typedef struct operands {
    int64_t m, n, p; /* the shape                                             */
    int which;       /* the variant of the row: 0, 1, ...                     */
    int by;          /* what the row says for its functions                   */
    uint64_t seed;   /* of random numbers for `prepare`                       */
    mat_t A, B, C;   /* filled uniformly in (-1, 1)                           */
    real_t *a, *b, *c, *d, *g; /* ... in (0, 1)                               */
    int *i, *j;                /* ... by permutations                         */
    int64_t *J;                /* ... by 1 and -1                             */
    real_t number;             /* results in the host's memory                */
    int64_t count;
    norms_t norms;
} operands_t;

/* Of an operand, 'A', 'a', ..., of number, 'x', or of norms.norm1, '1': how far it may be off,
 * (ulps + root sqrt(m) + rows m) ulp, times `size` of the input if that is not NULL */
typedef struct tolerance {
    char name;
    enum { ABSOLUTE = 1, RELATIVE } to;
    double ulps, root, rows;
    double (*size)(const operands_t *in);
} tolerance_t;

typedef struct primitive {
    const char *name;
    gsvd_status_t (*call)(const backend_t *op, const exec_t *ex, operands_t *x);
    void (*expect)(operands_t *x); /* the reference; NULL: there is none      */
    /* tests of the operands named by `open` what a reference cannot say, or NULL */
    void (*check)(const operands_t *in, const operands_t *x);
    const char *open;
    const shape_t *shape;
    int shapes;
    /* "Amn ar > Bnm": an m x n matrix A and a vector a of r numbers are filled, B is NaN.
     * Sizes are m, n, p, r = min(m, n) and h = m / 2. */
    const char *operands;
    int variants, by;               /* variants: 0 is 1                       */
    void (*prepare)(operands_t *x); /* changes the input                      */
    int limited; /* Shapes that are too_large are left out.                   */
    tolerance_t near[2]; /* to the reference; operands not named are the same */
    tolerance_t twin[4]; /* to the CPU twin; `near` holds for others          */
} primitive_t;

/* REFERENCE(name, arguments) {text} defines the call and the reference of a primitive, of which
 * ROW makes a row; PROPERTY, ROW_OF_PROPERTY likewise with a check.  ENTRYWISE and ELEMENTWISE
 * are references of one statement, for all i, j of A or for k = 0, ..., n - 1. */
#define PRIMITIVE_CALL(name, ...)                                              \
    static gsvd_status_t call_##name(const backend_t *op, const exec_t *ex,    \
                                     operands_t *x)                            \
    {                                                                          \
        return op->name(ex, __VA_ARGS__);                                      \
    }
#define REFERENCE(name, ...)                                                   \
    PRIMITIVE_CALL(name, __VA_ARGS__)                                          \
    static void expect_##name(operands_t *x)
#define PROPERTY(name, ...)                                                    \
    PRIMITIVE_CALL(name, __VA_ARGS__)                                          \
    static void check_##name(const operands_t *in, const operands_t *x)
#define ARGUMENTS(...) __VA_ARGS__
#define ENTRYWISE(name, arguments, A, ...)                                     \
    REFERENCE(name, ARGUMENTS arguments)                                       \
    {                                                                          \
        EACH_ENTRY (A, i, j)                                                   \
            __VA_ARGS__;                                                       \
    }
#define ELEMENTWISE(name, arguments, ...)                                      \
    REFERENCE(name, ARGUMENTS arguments)                                       \
    {                                                                          \
        for (int64_t k = 0; k < x->n; ++k)                                     \
            __VA_ARGS__;                                                       \
    }

#define ROW_OF_CALL(primitive, shapes_, text)                                  \
    .name = #primitive, .call = call_##primitive, .shape = shapes_,            \
    .shapes = (int)(sizeof(shapes_) / sizeof *(shapes_)), .operands = text
#define ROW(primitive, shapes_, text)                                          \
    ROW_OF_CALL(primitive, shapes_, text), .expect = expect_##primitive
#define ROW_OF_PROPERTY(primitive, shapes_, text, operands_)                   \
    ROW_OF_CALL(primitive, shapes_, text), .check = check_##primitive,         \
                                           .open = operands_

/* A test of Check for each shape of each row */
void add_rows(TCase *t, const primitive_t *row, int rows);
#define ADD_ROWS(t, table) add_rows(t, table, sizeof table / sizeof *table)

#endif /* GSVD_TESTS_PRIMITIVE_H */
