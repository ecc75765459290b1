/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* grid.h -- tests on grids of processes: distributed arrays, and libraries that fail.
 *
 * Every process makes the whole matrix and takes its part; the factors are put together again.  Then
 * all processes test the same numbers.  A test that would wait for ever is ended by run_grid.sh.
 */
#ifndef GSVD_TESTS_HARNESS_GRID_H
#define GSVD_TESTS_HARNESS_GRID_H

#include <mpi.h>

#include "gsvd_grid.h"
#include "harness/harness.h"

/* Are the grids those of libgsvd-nccl, over tests/standin? */
#if defined GSVD_TEST_NCCL
enum { IS_NCCL = 1 };
#else
enum { IS_NCCL = 0 };
#endif

extern int ranks, me;

/* MPI_Init, and MPI_Finalize at the end */
void begin_mpi(void);

/* -- distributed arrays --------------------------------------------------------- */

typedef struct layout {
    int64_t mb, nb;
    int rsrc, csrc;
    int64_t i, j; /* rows above the matrix and columns before it             */
} layout_t;

typedef struct grid_of {
    gsvd_grid_t g;
    int p, q, r, c;
} grid_of_t;

/* Blocks of 8 x 8, for up to five arrays */
extern const layout_t all_simple[5];

/* Grid number k of those with p q = ranks, in one of both orders; 0: there is none. */
int open_grid(int k, char order, grid_of_t *to);
/* All of them of one or two processes; of more that of number `i` alone, since messages take long where
 * processes share cores. */
int open_some(int k, int i, grid_of_t *to);

typedef struct spread {
    gsvd_grid_desc_t d;
    scalar_t *data;
    int64_t rows, cols; /* of the part here                                  */
} spread_t;

/* An array that holds an m x n matrix, with NaN in it, and its last columns of padding */
spread_t new_spread(const grid_of_t *g, int64_t m, int64_t n,
                    const layout_t *l);
/* The entry (i, j) of the matrix in the part here, or NULL */
scalar_t *entry(const grid_of_t *g, const spread_t *x, int64_t i, int64_t j);
spread_t spread(const grid_of_t *g, mat_t A, const layout_t *l);
mat_t gathered(const grid_of_t *g, const spread_t *x, int64_t m, int64_t n);
/* The array of A is as it was. */
void ck_assert_unchanged(const grid_of_t *g, const spread_t *x, mat_t A);

/* -- results ------------------------------------------------------------------------ */

#define ck_assert_done(g, s)                                                   \
    ck_assert_msg((s).status == GSVD_SUCCESS && (s).info == 0, "%s (%d): %s",  \
                  gsvd_status_name((s).status), (s).info,                      \
                  gsvd_grid_last_error((g).g))

/* All have the same status and *info, and a text. */
void ck_assert_agreed(const grid_of_t *g, gsvd_status_t status, int info,
                      gsvd_status_t expected, int number);

/* Of cases that are alike one process takes all, two a third, more a fifth: where processes share cores,
 * messages take long. */
void add_some(TCase *t, const TTest *test, int end);

/* -- a GPU ------------------------------------------------------------------------- */

/* In the place of this process's GPU: a handle of libgsvd on the host, for bands of at least two columns.  It
 * may be missing; or fail, with a NaN in both matrices. */
extern struct fake_gpu {
    int is_missing;
    gsvd_status_t fails; /* GSVD_SUCCESS: it does not                        */
    int device, turn;    /* with which it was asked for                      */
    int created, destroyed, asked;
} fake_gpu;
/* The grid's bands are solved there, if they have `least` columns. */
void use_fake_gpu(const grid_of_t *g, int device, int64_t least);
/* Bands that it has solved, on all processes */
int bands_on_gpu(const grid_of_t *g);

/* -- faults ------------------------------------------------------------------------- */

/* malloc of the module alone fails, at a call of its number. */
extern int countdown;

/* In the place of ScaLAPACK's eigensolver, for the module, too: that one, and then a wrong result on
 * process `culprit` */
extern enum fault {
    HONEST,
    ZERO_ENTRY,
    NOT_A_NUMBER,
    OTHER_VALUES,
    NO_VALUES,
    REFUSES
} fault;
extern int culprit, eigenproblems;
/* The same of LAPACK's, which small bands go to */
extern enum fault small_fault;

/* In the place of PBLAS's product: one cosine of the next Gram matrices is far from right, now too large,
 * now too small.  (Nobody would see the same error in all of them.) */
extern int wrong_cosines, all_cosines;

/* In the place of ScaLAPACK's product with Q: each process's second column of a tall factor has
 * `slope` times the first in it. */
extern real_t slope;

/* In the place of PBLAS's product of two matrices: the first entry of process 0's part is wrong in the
 * call of that number; 0: in none. */
extern int wrong_product;

/* In the place of PBLAS's solver: an entry of each process's part is wrong. */
extern real_t wrong_quotient;

/* In the place of ScaLAPACK's QR: the first entry of each process's part is wrong. */
extern real_t wrong_reflector;

/* In the place of its pivoted QR, so many times: columns keep their order. */
extern int unpivoted;

#endif /* GSVD_TESTS_HARNESS_GRID_H */
