/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr.h -- QR of a tall panel by Givens rotations over a tree of leaves.
 *
 *     A = ( A_0 )    leaves of 32 rows, A_k = Q_k R_k by rotations in Modi and
 *         ( A_1 )    Clarke's order; then pairs of triangles by peeling,
 *         (  :  )    R_k := (R_k; R_k') for k' = k + 1, 2, 4, ... : a binary
 *                    tree of which leaf 0 is the root.
 *
 * Every leaf except the first is peeled once, as the second of a pair.  So a leaf owns two
 * triangles of rotations, which share a square.  Place (i, j) holds the rotation that annihilated
 * entry (i, j) of the leaf if i > j, else that of its triangle.  Only two numbers at a time are
 * squared or divided: rows and columns of any scale, zeros and dependent columns need no special
 * case.
 *
 * Q, explicit, is the tree downwards from I, the rotations in reverse.  Then Householder vectors
 * (Ballard, Demmel et al. 2014) by LU without pivoting,
 *
 *     Q - (S; 0) = V U,  S = diag(+-1),  S_jj = -sign re(q_jj) when column j
 *     is due:  every pivot is at least 1 in absolute value,
 *     T = -U S V_1^-H,   tau_j = T_jj = -U_jj S_jj,
 *     A = Q R = (I - V T V^H) (S R; 0).
 *
 * All rotations and triangles take three times the memory of the leaves.  A panel of more than
 * TSQR_KEPT leaves keeps only those of the tree above groups of leaves, which are fewer than its
 * own entries.  Those inside a group are computed again on the way down, the same to the last bit;
 * until then the group's rows are in the panel.
 */
#ifndef GSVD_QR_TSQR_H
#define GSVD_QR_TSQR_H

#include "core/exec.h"
#include "qr/modi_clarke.h"

enum {
    TSQR_WIDTH = 32, /* most columns of a panel, and rows of a leaf          */
    TSQR_SQUARE = TSQR_WIDTH * TSQR_WIDTH,
    TSQR_GROUPS = TSQR_WIDTH / 2,
    TSQR_STEPS = 2 * TSQR_WIDTH, /* the table of a leaf has fewer            */
    TSQR_KEPT = 512 /* the most leaves whose rotations are all kept          */
};

typedef struct tsqr_table {
    int steps;
    turn_t turn[TSQR_STEPS][TSQR_GROUPS];
} tsqr_table_t;

/* Places for b columns: a triangle, b x b, and the rotations c and s of the 32 x b
 * entries of a leaf, by rows each. */
#define tsqr_places_t X(tsqr_places_t)
typedef struct tsqr_places_t {
    scalar_t *triangle; /* R_k on the way up, then the rows of Q that the tree
                           has handed down                                   */
    scalar_t *s;
    real_t *c;
} tsqr_places_t;

/* The workspace of a panel of b columns.  A group of one leaf has its rotations in
 * its place, and nothing is computed again. */
#define tsqr_work_t X(tsqr_work_t)
typedef struct tsqr_work_t {
    int64_t leaves, group; /* leaves that share a place, a power of two       */
    int b;
    tsqr_places_t kept; /* of each group                                     */
    tsqr_places_t
        again;      /* of the leaves of a group, for each thread block    */
    scalar_t *root; /* R with a nonnegative diagonal, 32 x 32             */
    scalar_t *U;    /* with the inverse of its diagonal                   */
} tsqr_work_t;

GSVD_FN int64_t tsqr_leaves(int64_t m)
{
    return (m + TSQR_WIDTH - 1) / TSQR_WIDTH;
}

/* The most thread blocks that compute, of a device with so many multiprocessors: with 4
 * leaves each they have TSQR_KEPT places. */
GSVD_FN int64_t tsqr_blocks(int64_t processors)
{
    return min_i(processors, TSQR_KEPT / 4);
}

/* The number of leaves of a group.  It is at least 4, so that places take at most three quarters
 * of the panel.  It is larger if few blocks compute, so that also few groups are kept. */
GSVD_FN int64_t tsqr_group(int64_t m, int64_t processors)
{
    const int64_t leaves = tsqr_leaves(m), blocks = tsqr_blocks(processors);
    int64_t group = 4;
    if (leaves <= TSQR_KEPT)
        return 1;
    while (2 * group * blocks <= TSQR_KEPT && group * group * blocks < leaves)
        group *= 2;
    return group;
}

/* Places that are not of groups: of the leaves that blocks compute again, or of all
 * leaves. */
GSVD_FN int64_t tsqr_again(int64_t m, int64_t processors)
{
    const int64_t group = tsqr_group(m, processors);
    return group > 1 ? tsqr_blocks(processors) * group : tsqr_leaves(m);
}

GSVD_FN size_t tsqr_places_bytes(int64_t places, int64_t b)
{
    const size_t entries = (size_t)(TSQR_WIDTH * b);
    return (size_t)places * ((size_t)(b * b) * sizeof(scalar_t) +
                             entries * (sizeof(scalar_t) + sizeof(real_t)));
}

GSVD_FN tsqr_places_t tsqr_places(int64_t places, int64_t b, void *memory)
{
    tsqr_places_t p;
    p.triangle = (scalar_t *)memory;
    p.s = p.triangle + places * b * b;
    p.c = (real_t *)(p.s + places * TSQR_WIDTH * b);
    return p;
}

/* the places from number k on */
GSVD_FN tsqr_places_t tsqr_place(tsqr_places_t p, int64_t k, int64_t b)
{
    p.triangle += k * b * b;
    p.s += k * TSQR_WIDTH * b;
    p.c += k * TSQR_WIDTH * b;
    return p;
}

/* Bytes for the groups of a panel that has more than TSQR_KEPT leaves, at most
 * those of its own entries; else 0. */
GSVD_FN size_t tsqr_groups_bytes(int64_t m, int64_t b, int64_t processors)
{
    const int64_t group = tsqr_group(m, processors);
    const int64_t groups = (tsqr_leaves(m) + group - 1) / group;
    return group > 1 ? tsqr_places_bytes(groups, b) : 0;
}

/* ... and for all else */
GSVD_FN size_t tsqr_own_bytes(int64_t m, int64_t b, int64_t processors)
{
    return tsqr_places_bytes(tsqr_again(m, processors), b) +
           2 * TSQR_SQUARE * sizeof(scalar_t);
}

/* own and groups: memory of these sizes, aligned to an element */
GSVD_FN tsqr_work_t tsqr_carve(int64_t m, int64_t b, int64_t processors,
                               void *own, void *groups)
{
    tsqr_work_t w;
    w.leaves = tsqr_leaves(m);
    w.group = tsqr_group(m, processors);
    w.b = (int)b;
    w.root = (scalar_t *)own;
    w.U = w.root + TSQR_SQUARE;
    w.again = tsqr_places(tsqr_again(m, processors), b, w.U + TSQR_SQUARE);
    w.kept = w.group > 1
                 ? tsqr_places((w.leaves + w.group - 1) / w.group, b, groups)
                 : w.again;
    return w;
}

#if defined __cplusplus
extern "C" {
#endif

/* A is m x b, m >= b, b <= TSQR_WIDTH.  A and all other typed arrays lie where the handle
 * computes.  own and groups are as above; the CPU counts as one processor, and a GPU as its number
 * of multiprocessors.  Nothing waits. */

/* bytes of work for R alone, for both twins */
size_t X(tsqr_r_bytes)(int64_t m, int64_t b);

/* A = (I - V T V^H) (R; 0), LAPACK's form: R on and above the diagonal, real
 * there, V below, tau the diagonal of T. */
gsvd_status_t X(tsqr_panel_cpu)(const exec_t *ex, mat_t A, scalar_t *tau,
                                void *own, void *groups);
/* Also computes T, b x b, unless T.data is NULL.  verdict is on the device, or NULL.  If *verdict
 * == 0, another road has factored the panel, and A, tau and groups are not changed. */
gsvd_status_t X(tsqr_panel_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                 mat_t T, void *own, void *groups,
                                 const int *verdict);

/* R, b x b, of A = Q R: upper triangular, zeros below, a nonnegative diagonal.
 * A is not changed. */
gsvd_status_t X(tsqr_r_cpu)(const exec_t *ex, mat_t A, mat_t R, void *work);
gsvd_status_t X(tsqr_r_cuda)(const exec_t *ex, mat_t A, mat_t R, void *work,
                             const int *verdict);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_TSQR_H */
