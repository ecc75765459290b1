/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tournament.c -- b columns that span a wide matrix of few rows; CPU twin of
 * tournament.cu.
 *
 * A round divides the entrants into groups.  In each group, b times, the longest
 * remaining column q wins, and the remaining columns a lose their part along q,
 *
 *     a := a - q (q^H a) / (q^H q)
 *
 * (modified Gram-Schmidt), and their lengths are computed anew.  The winners enter the
 * next round, until one group is left.  S is not changed; lengths are relative to the
 * group's largest entry.
 */
#include "core/vector.h"
#include "pivot/pivot.h"

enum { GROUP = 256 };

/* A group's columns, their squared lengths and their numbers in S */
#define group_t X(group_t)
typedef struct group_t {
    scalar_t column[GROUP][SKETCH_ROWS];
    real_t norm2[GROUP];
    int number[GROUP];
} group_t;

/* Scales the group by a power of two, so that no square over- or underflows. */
static void rescale(int count, group_t *g)
{
    real_t largest = 0;
    for (int j = 0; j < count; ++j)
        for (int i = 0; i < SKETCH_ROWS; ++i)
            largest = fmax_r(largest, abs_max(g->column[j][i]));
    if (!(largest >= GSVD_SAFMIN) || !(largest <= GSVD_REAL_MAX))
        return;
    const real_t up = ldexp_r(1, -exponent_r(largest));
    for (int j = 0; j < count; ++j) {
        for (int i = 0; i < SKETCH_ROWS; ++i)
            g->column[j][i] = scale(up, g->column[j][i]);
        g->norm2[j] = X(vector_square)(SKETCH_ROWS, g->column[j]);
    }
}

/* *g := columns entrants[first:first+count) of S, or first, first + 1, ... if entrants is
 * NULL */
static void gather(mat_t S, const int *entrants, int first, int count,
                   group_t *g)
{
    real_t most = 0;
    for (int j = 0; j < count; ++j) {
        scalar_t *const a = g->column[j];
        g->number[j] = entrants ? entrants[first + j] : first + j;
        for (int i = 0; i < S.rows; ++i)
            a[i] = AT(S, i, g->number[j]);
        for (int64_t i = S.rows; i < SKETCH_ROWS; ++i)
            a[i] = make(0, 0);
        g->norm2[j] = X(vector_square)(SKETCH_ROWS, a);
        if (!(g->norm2[j] <= most))
            most = g->norm2[j];
    }
    if (!(most >= GSVD_ULP) || !(most <= 1 / GSVD_ULP))
        rescale(count, g);
}

/* Brings the winner j to place i. */
static void exchange(group_t *g, int i, int j)
{
    if (i == j)
        return;
    for (int k = 0; k < SKETCH_ROWS; ++k) {
        const scalar_t a = g->column[i][k];
        g->column[i][k] = g->column[j][k];
        g->column[j][k] = a;
    }
    const int number = g->number[i];
    g->number[i] = g->number[j];
    g->number[j] = number;
    g->norm2[j] = g->norm2[i];
}

static void play(group_t *g, int count, int b, int *winners)
{
    for (int k = 0; k < b; ++k) {
        int best = k;
        for (int j = k + 1; j < count; ++j)
            if (g->norm2[j] > g->norm2[best])
                best = j;
        const real_t length2 = g->norm2[best];
        scalar_t work[SKETCH_ROWS];
        exchange(g, k, best);
        winners[k] = g->number[k];
        if (!(length2 >= GSVD_SAFMIN))
            continue;
        X(vector_reflect)
        (SKETCH_ROWS, make(1 / length2, 0), g->column[k], work, count - k - 1,
         g->column[k + 1], SKETCH_ROWS);
        for (int j = k + 1; j < count; ++j)
            g->norm2[j] = X(vector_square)(SKETCH_ROWS, g->column[j]);
    }
}

size_t X(tournament_bytes)(int64_t n)
{
    return sizeof(group_t) + (size_t)(n + GROUP) * sizeof(int);
}

gsvd_status_t X(tournament_cpu)(const exec_t *ex, mat_t S, int64_t b,
                                int *winners)
{
    const int *entrants = NULL;
    int count = (int)S.cols, groups;
    void *work;

    if (b <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, X(tournament_bytes)(S.cols), &work));
    group_t *const g = work;
    int *const list = (int *)(g + 1);
    do {
        groups = (count + GROUP - 1) / GROUP;
        for (int k = 0; k < groups;
             ++k) { /* Winners never overtake entrants in the list. */
            const int first = (int)((int64_t)count * k / groups);
            const int end = (int)((int64_t)count * (k + 1) / groups);
            gather(S, entrants, first, end - first, g);
            play(g, end - first, (int)b, groups > 1 ? list + k * b : winners);
        }
        entrants = list;
        count = groups * (int)b;
    } while (groups > 1);
    return GSVD_SUCCESS;
}
