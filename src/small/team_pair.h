/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team_pair.h -- a small pair, where its team computes. */
#ifndef GSVD_SMALL_TEAM_PAIR_H
#define GSVD_SMALL_TEAM_PAIR_H

#include "core/column_scale.h"
#include "core/pair.h"
#include "core/range.h"
#include "core/value_pair.h"
#include "pivot/pivot.h"
#include "small/numbers.h"
#include "small/team_qr.h"

/* Arrays of `order` numbers each */
typedef enum real_array {
    NORM,   /* of the pivoted QR; sizes of rows and columns                  */
    SCALE,  /* powers of two of columns; phases of a QR                      */
    COSINE, /* c and s of A23 and B13                                        */
    SINE,
    ALPHA,
    BETA,
    GAIN, /* of a row of R: value_pair_of_caller's g                         */
    REAL_ARRAYS
} real_array_t;

typedef enum tau_array {
    TAU_V,
    TAU_B,
    TAU_U,
    TAU_A,
    TAU,
    TAU_SPARE,
    TAU_W,
    TAU_ARRAYS
} tau_array_t;

typedef enum int_array {
    ROW_A, /* Row i of the caller's A is ROW_A[i] of ours, if they are sorted. */
    ROW_B,  /* likewise of B                                               */
    PERM_B, /* Column j of B P1 is PERM_B[j] of B; after step 2 those of the rank
               * are the last ones.                                          */
    PERM_A,   /* column j of A(:,0:n-l) P2 likewise, after step 8            */
    COLUMN_A, /* Column j of A23 is COLUMN_A[j] of our A's last l, ...       */
    ROWS_A,   /* ... and has so many rows that are not 0.                    */
    PERM_G,   /* rows of U after Jacobi                                      */
    ROW_F,    /* rows of V: row i was ROW_F[i] of them                       */
    PERM_W,   /* columns of B1 P                                             */
    ROW_W,    /* rows of B1, sorted                                          */
    TO,       /* where columns go                                            */
    PERM_H,   /* columns of H, the shortest first                            */
    EXPONENT, /* of a row of R: value_pair_of_caller's e                     */
    INT_ARRAYS
} int_array_t;

/* Each thread has its own, and all have the same numbers in it. */
#define team_pair_t X(team_pair_t)
typedef struct team_pair_t {
    int m, n, p, k, l, m1;
    int order;               /* the largest m, n or p of the batch         */
    tile_t A, B, U, V, W, E; /* order x order each, U behind V             */
    real_t *reals;
    scalar_t *taus;
    int *ints;
    int ea, eb;         /* The caller's pair is (2^ea A, 2^eb B).     */
    int ea23;           /* ... but for A23, whose ea this is          */
    int top;            /* Entries of A and B are at most 2^top.      */
    int lost;           /* The range has no room for some values.     */
    int sort_a, sort_b; /* Rows are sorted.                           */
    int apart; /* Bits that rows and columns of A and of B are, all together. */
    int factored;       /* B13 D is factored in W.                    */
    int sort_f, sort_h; /* sorts_f, sorts_h                                  */
    int values_only;
    int reveal; /* Values that R hides are looked for.                       */
    gsvd_equilibrate_t equilibrate;
    int equilibrated; /* A D and B D in place of A and B; D = diag(d) ...    */
    real_t *d;        /* ... where the caller's beta will be                 */
    int max_sweeps, converged;
    real_t tola, tolb, tol_jacobi;
} team_pair_t;

/* Are columns of F, of H, of sizes that differ, so that they are sorted?  A team of many does it in
 * any case. */
TEAM_FN int sorts_f(const team_pair_t *P) { return !TEAM_OF_ONE || P->sort_f; }
TEAM_FN int sorts_h(const team_pair_t *P) { return !TEAM_OF_ONE || P->sort_h; }

enum { TEAM_TILES = 6 };

TEAM_FN void lay_out_tiles(team_pair_t *P, int order, int ld, scalar_t *data)
{
    tile_t *const tile[] = {&P->A, &P->B, &P->V, &P->U, &P->W, &P->E};
    for (int i = 0; i < TEAM_TILES; ++i)
        *tile[i] = tile_view(data + i * order * ld, order, order, ld);
    P->order = order;
}

TEAM_FN real_t *reals_of(const team_pair_t *P, real_array_t which)
{
    return P->reals + (int)which * P->order;
}
TEAM_FN scalar_t *tau_of(const team_pair_t *P, tau_array_t which)
{
    return P->taus + (int)which * P->order;
}
TEAM_FN int *ints_of(const team_pair_t *P, int_array_t which)
{
    return P->ints + (int)which * P->order;
}

/* The columns of B13, upper triangular */
TEAM_FN tile_t b13_of(const team_pair_t *P)
{
    return tile_part(P->B, 0, P->n - P->l, P->l, P->l);
}

/* Column j of A23, which has ROWS_A[j] rows */
TEAM_FN scalar_t *column_of_a23(const team_pair_t *P, int j)
{
    return &AT(P->A, P->k, P->n - P->l + ints_of(P, COLUMN_A)[j]);
}

/* U~, m1 x m1, where U has it */
TEAM_FN tile_t u_of(const team_pair_t *P)
{
    return tile_part(P->U, P->k, P->k, P->m1, P->m1);
}

/* The reflectors of Q2: behind Q1 */
TEAM_FN tile_t q2_of(const team_pair_t *P)
{
    const int rows = P->n - P->l;
    return tile_part(P->E, 0, P->l, rows, P->k);
}

/* Is A(0:k,0:n-l) wider than its triangle? */
TEAM_FN int has_q2(const team_pair_t *P)
{
    return P->k > 0 && P->k < P->n - P->l;
}

/* to[i] := the place of row i if rows of these sizes are sorted, up to a factor of 2; each
 * thread tells of its rows. */
TEAM_FN void place_rows(team_t t, int rows, const real_t *size, int *to)
{
    for (int i = team_rank(t); i < rows; i += team_size(t)) {
        const int c = row_class(size[i]);
        int place = 0;
        for (int r = 0; r < rows; ++r) {
            const int other = row_class(size[r]);
            place += other < c || (other == c && r < i);
        }
        to[i] = place;
    }
}

/* The largest number, the least that is not 0, and whether all are finite */
TEAM_FN int extremes_of(int count, const real_t *size, real_t *most,
                        real_t *least)
{
    real_t zero = 0;
    *most = 0;
    *least = GSVD_REAL_MAX;
    for (int i = 0; i < count; ++i) {
        const real_t x = size[i];
        zero += 0 * x;
        *most = x > *most ? x : *most;
        *least = x > 0 && x < *least ? x : *least;
    }
    return zero == 0;
}

/* How many are not 0? */
TEAM_FN int nonzero_of(int count, const real_t *size)
{
    int nonzero = 0;
    for (int i = 0; i < count; ++i)
        nonzero += size[i] > 0;
    return nonzero;
}

/* size[i] := the largest |re|, |im| in row i of A, NaN if an entry is not finite; no barrier at
 * the end */
TEAM_FN void sizes_of_rows(team_t t, tile_t A, real_t *size)
{
    for (int i = team_rank(t); i < A.rows; i += team_size(t)) {
        real_t most = 0, zero = 0;
        for (int j = 0; j < A.cols; ++j) {
            const real_t x = abs_max(AT(A, i, j));
            zero += 0 * re(AT(A, i, j)) + 0 * im(AT(A, i, j));
            most = x > most ? x : most;
        }
        size[i] = most + zero;
    }
}

#endif /* GSVD_SMALL_TEAM_PAIR_H */
