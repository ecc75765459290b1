/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* roads.h -- tables of the roads that lead to one result.
 *
 * A table stands beside its choice, a road a row.  A road is wanted or not, by the
 * policy of the call and the tuning of the machine alone; it fits a task or not, by the
 * task's shape and place.  The first row that is wanted and fits is taken, and some row
 * that is wanted fits every task.  A test forces a row (policy.forced): that row is
 * taken wherever it fits, wanted or not.
 */
#ifndef GSVD_QR_ROADS_H
#define GSVD_QR_ROADS_H

#include <stdio.h>
#include <string.h>

#include "core/notes.h"
#include "primitives.h"

/* NULL stands for: always wanted, fits every task, takes no bytes. */
#define road_t X(road_t)
typedef struct road_t {
    const char *name;
    int (*wanted)(const exec_t *ex);
    /* A: what is factored or holds the reflectors; C: what comes of it; k: reflectors,
     * or terms of each sum.  The table says so where it differs. */
    int (*fits)(const exec_t *ex, mat_t A, mat_t C, int64_t k);
    /* The work that the road takes for tasks of at most this size. */
    size_t (*bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t k);
} road_t;

/* A row is a struct whose first member is road_t, `is`, and whose second is the
 * function that is run, of the type that its table has. */
struct roads_t {
    const char *name;
    choice_t choice;
    const road_t *first;
    size_t row; /* bytes from one row to the next                            */
    int rows;
};

#define GSVD_ROADS(name, choice, table)                                        \
    {                                                                          \
        name, choice, &(table)[0].is, sizeof(table)[0],                        \
            sizeof(table) / sizeof(table)[0]                                   \
    }

#define panel_road_t X(panel_road_t)
typedef struct panel_road_t {
    road_t is;
    panel_op *run;
} panel_road_t;

#define r_only_road_t X(r_only_road_t)
typedef struct r_only_road_t {
    road_t is;
    r_only_op *run;
} r_only_road_t;

#if defined __cplusplus
extern "C" {
#endif

/* panel/panel.c, panel/panel.cu: A and T; bytes of kernel's work for panels of an m x n
 * matrix that are given V.  panel/r_only.c, panel/r_only.cu: A and R. */
extern const roads_t X(panel_roads_cpu), X(panel_roads_cuda);
extern const roads_t X(r_only_roads_cpu), X(r_only_roads_cuda);
/* gemm.cu: op(A) and C; bytes of memory for products, if all that helps may be had. */
extern const roads_t X(gemm_roads_cuda);
/* geqrf.c, over any backend; bytes of driver's work.  Factored: A, m x n; Q of A's first
 * k reflectors applied to C, or formed in A, m x n: no more than n columns or rows. */
extern const roads_t X(factor_roads), X(apply_roads), X(form_roads);

#if defined __cplusplus
}
#endif

static inline const road_t *road_of(const roads_t *roads, int row)
{
    const void *const at =
        (const char *)roads->first + (size_t)row * roads->row;
    return (const road_t *)at;
}

static inline int road_fits(const road_t *road, const exec_t *ex, mat_t A,
                            mat_t C, int64_t k)
{
    return !road->fits || road->fits(ex, A, C, k);
}

/* The row that is taken. */
static inline const void *choose_road(const roads_t *roads, const exec_t *ex,
                                      mat_t A, mat_t C, int64_t k)
{
    const int forced = ex->policy.forced[roads->choice];
    if (forced > 0 && road_fits(road_of(roads, forced - 1), ex, A, C, k))
        return road_of(roads, forced - 1);
    int row = 0;
    for (; row < roads->rows - 1; ++row) {
        const road_t *const road = road_of(roads, row);
        if ((!road->wanted || road->wanted(ex)) && road_fits(road, ex, A, C, k))
            break;
    }
    return road_of(roads, row);
}

/* Notes the roads that may be chosen, the first one first. */
static inline void note_roads(const roads_t *roads, const exec_t *ex, int64_t m,
                              int64_t n, int64_t k, size_t bytes)
{
    const mat_t A = mat_view(NULL, m, n, m), C = mat_view(NULL, k, n, k);
    const int forced = ex->policy.forced[roads->choice];
    char text[64] = "";

    if (!ex->h->notes)
        return;
    for (int row = 0; row < roads->rows; ++row) {
        const road_t *const road = road_of(roads, row);
        const int open = !road->wanted || road->wanted(ex) || forced == row + 1;
        const size_t used = strlen(text);
        if (open && road_fits(road, ex, A, C, k))
            snprintf(text + used, sizeof text - used, "%s%s",
                     used > 0 ? ", or " : "", road->name);
    }
    gsvd_note(ex->h, bytes, "%s %lld x %lld by %s", roads->name, (long long)m,
              (long long)n, text);
}

/* The most bytes that a road takes that may be chosen. */
static inline size_t road_bytes(const roads_t *roads, const exec_t *ex,
                                int64_t m, int64_t n, int64_t k)
{
    const int forced = ex->policy.forced[roads->choice];
    size_t most = 0;
    for (int row = 0; row < roads->rows; ++row) {
        const road_t *const road = road_of(roads, row);
        const int open = !road->wanted || road->wanted(ex) || forced == row + 1;
        const size_t bytes = open && road->bytes ? road->bytes(ex, m, n, k) : 0;
        most = bytes > most ? bytes : most;
    }
    note_roads(roads, ex, m, n, k, most);
    return most;
}

#endif /* GSVD_QR_ROADS_H */
