/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pipeline.h -- the pipeline's own steps and its workspace. */
#ifndef GSVD_GSVD_PIPELINE_H
#define GSVD_GSVD_PIPELINE_H

#include "gsvd/call.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"
#include "urv/urv.h"

#define assemble_work_t X(assemble_work_t)
typedef struct assemble_work_t {
    mat_t spare; /* for the products with U, V and Q                         */
    real_t *c, *s, *g;
    int *e;
} assemble_work_t;

#define work_t X(work_t)
typedef struct work_t {
    mat_t A, B, U, V, Q;  /* copies of the caller's arrays, if they are       */
    real_t *alpha, *beta; /* not where the backend computes                  */
    preprocess_work_t pre;
    solve_work_t solve;
    assemble_work_t out;
    mat_t C; /* and of one matrix: copies, as above                    */
    scalar_t *tau;
    int64_t *jpvt;
    int *perm;
    urv_work_t urv;
    buffer_t scratch, desk, side_desk, room, side_room, staging;
} work_t;

/* scale.c: A := 2^-ea A, B := 2^-eb B with entries at most 1; a NaN or an
 * infinity is an illegal argument, and A and B stay as they were.  If w is not
 * NULL: the sizes of rows, and whether to sort them.  Waits. */
gsvd_status_t X(scale_pair)(gsvd_handle_t h, const backend_t *be,
                            const call_t *c, pair_t *P, preprocess_work_t *w);
/* ... and back, of a triangular pair */
gsvd_status_t X(unscale_pair)(gsvd_handle_t h, const backend_t *be, pair_t *P);
/* X_ comes by unitary transformations from 2^e times an m x n matrix whose entries
 * are at most 1.  Where that may be too large for the type: is it?  Waits then. */
gsvd_status_t X(look_for_overflow)(gsvd_handle_t h, const backend_t *be,
                                   mat_t X_, int64_t m, int64_t n, int e);
/* ... of R and X */
gsvd_status_t X(look_for_overflow_of_pair)(gsvd_handle_t h, const backend_t *be,
                                           const pair_t *P);

/* sort.c: alpha and beta in their order and of the caller's pair; the columns
 * of the solver's U and V with them */
gsvd_status_t X(sort_values)(gsvd_handle_t h, const backend_t *be, pair_t *P,
                             solve_work_t *s, assemble_work_t *w);

/* assemble.c: R, U, V, Q of the caller's pair from the solver's U, V, c, s */
void X(assemble_carve)(arena_t *a, int64_t m, int64_t n, int64_t p, int64_t l,
                       assemble_work_t *w);
gsvd_status_t X(assemble)(gsvd_handle_t h, const backend_t *be, pair_t *P,
                          solve_work_t *s, assemble_work_t *w);
/* Bytes of the desk for it and for solve_pair */
size_t X(solve_desk_bytes)(const backend_t *be, int64_t m, int64_t n,
                           int64_t l);

/* run.c: the pipelines */
gsvd_status_t X(run_gsvd)(gsvd_handle_t h, const backend_t *be, const call_t *c,
                          pair_t *P, work_t *w);
gsvd_status_t X(run_preprocess)(gsvd_handle_t h, const backend_t *be,
                                const call_t *c, pair_t *P, work_t *w);
gsvd_status_t X(run_solve)(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, pair_t *P, work_t *w);

/* call_one.c: the routines of one matrix, their arrays and what they do */
gsvd_status_t X(one_carve)(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, arena_t *a, work_t *w);
gsvd_status_t X(run_one)(gsvd_handle_t h, const backend_t *be, const call_t *c,
                         work_t *w);

/* move.c: the caller's arrays on the host to where a handle of a device
 * computes, and back: n values of the given size, or a matrix */
mat_t X(take_matrix)(arena_t *a, int64_t rows, int64_t cols);
gsvd_status_t X(move_in)(gsvd_handle_t h, const void *from, int64_t ld,
                         mat_t to);
gsvd_status_t X(move_out)(gsvd_handle_t h, mat_t from, void *to, int64_t ld);
gsvd_status_t X(move_values)(gsvd_handle_t h, const void *from, void *to,
                             int64_t n, size_t each);

/* call.c: a public call from checks to results; its workspace */
gsvd_status_t X(call)(gsvd_handle_t h, const call_t *c);
gsvd_status_t X(call_buffer_size)(gsvd_handle_t h, const call_t *c,
                                  size_t *dwork_bytes, size_t *hwork_bytes);
/* ... some bytes of it */
void X(take_bytes)(arena_t *a, size_t bytes, buffer_t *b);
/* ... and the most room for products, beside a matrix of rows x cols and this many */
size_t X(most_room)(int64_t rows, int64_t cols);

extern const entry_points_t X(entry_points);

#endif /* GSVD_GSVD_PIPELINE_H */
