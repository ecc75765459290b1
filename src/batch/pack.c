/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack.c -- what a pack gets and gives, lane by lane, and the order of its columns. */
#include "batch/pack.h"

#include "core/arena.h"
#include "core/vector.h"

static pack_t *take(arena_t *a, int64_t M, int64_t N)
{
    pack_t *const w = gsvd_arena_take(a, 1, sizeof *w);
    real_t *array[3];
    for (int k = 0; k < 3; ++k)
        array[k] = gsvd_arena_take(a, M * N * ENTRY, sizeof(real_t));
    if (!w)
        return NULL;
    w->T = array[0];
    w->X = array[1];
    w->Z = array[2];
    return w;
}

size_t X(pack_bytes)(int64_t M, int64_t N)
{
    arena_t count = {0};
    (void)take(&count, M, N);
    return gsvd_arena_bytes(&count);
}

pack_t *X(pack_over)(void *memory, int64_t M, int64_t N)
{
    arena_t a = gsvd_arena_over(memory, X(pack_bytes)(M, N));
    return take(&a, M, N);
}

void X(pack_load)(pack_t *w, int l, mat_t A)
{
    const int by_rows = A.data && A.rows != w->M;
    const int64_t to_row = by_rows ? A.ld : 1, to_col = by_rows ? 1 : A.ld;

    for (int64_t j = 0; j < w->N; ++j) {
        real_t *const x = w->X + j * w->next + l;
        const scalar_t *const a = A.data ? A.data + j * to_col : NULL;
        for (int64_t i = 0; i < w->M; ++i) {
            const scalar_t y = a ? a[i * to_row] : make(0, 0);
            x[i * ENTRY] = re(y);
            if (LAST)
                x[i * ENTRY + IMAG] = by_rows ? -im(y) : im(y);
        }
    }
}

void X(pack_load_triangle)(pack_t *w, int l, mat_t A, int by_rows)
{
    for (int64_t j = 0; j < w->N; ++j)
        for (int64_t i = 0; i < w->M; ++i) {
            const scalar_t y = i > j     ? make(0, 0)
                               : by_rows ? conj_of(AT(A, j, i))
                                         : AT(A, i, j);
            real_t *const x = w->X + j * w->next + i * ENTRY + l;
            x[0] = re(y);
            if (LAST)
                x[IMAG] = im(y);
        }
}

void X(pack_store)(pack_t *w, int l, const real_t *from,
                   lane_int_t to_row[][LANES], mat_t C)
{
    int64_t row[PACK_COLS];
    for (int64_t i = 0; i < w->N; ++i)
        row[i] = to_row ? to_row[i][l] : i;
    for (int64_t j = 0; j < C.cols; ++j) {
        const real_t *const x = from + w->order[j][l] * w->next + l;
        scalar_t *const c = &AT(C, 0, j);
        for (int64_t i = 0; i < w->N; ++i)
            c[row[i]] = make(x[i * ENTRY] + 0, x[i * ENTRY + IMAG] + 0);
        for (int64_t i = w->N; i < C.rows; ++i)
            c[i] = make(x[i * ENTRY] + 0, x[i * ENTRY + IMAG] + 0);
    }
}

/* c := c - x (x^H c) in lane l, for the columns x of W that there are */
static void remove_columns(const pack_t *w, int l, const int *there,
                           scalar_t *c)
{
    for (int64_t j = 0; j < w->N; ++j) {
        const real_t *const x = w->X + j * w->next + l;
        scalar_t h = make(0, 0);
        for (int64_t i = 0; i < w->N && there[j]; ++i)
            h = add(h, mul(make(x[i * ENTRY], -x[i * ENTRY + IMAG]), c[i]));
        for (int64_t i = 0; i < w->N && there[j]; ++i)
            c[i] = sub(c[i], mul(make(x[i * ENTRY], x[i * ENTRY + IMAG]), h));
    }
}

/* The unit vector that is least in the span of the columns that there are: at least
 * 1/sqrt(N) of it is not. */
static int64_t farthest(const pack_t *w, int l, const int *there)
{
    int64_t chosen = 0;
    real_t least = 2;
    for (int64_t i = 0; i < w->N; ++i) {
        real_t square = 0;
        for (int64_t j = 0; j < w->N; ++j) {
            const real_t *const x = w->X + j * w->next + i * ENTRY + l;
            square += there[j] ? abs2(make(x[0], x[IMAG])) : 0;
        }
        chosen = square < least ? i : chosen;
        least = square < least ? square : least;
    }
    return chosen;
}

void X(pack_complete)(pack_t *w, int l)
{
    int there[PACK_COLS];
    for (int64_t j = 0; j < w->N; ++j)
        there[j] = w->square[j][l] > 0;
    for (int64_t j = 0; j < w->N; ++j) {
        scalar_t c[PACK_COLS];
        if (there[j])
            continue;
        for (int64_t i = 0; i < w->N; ++i)
            c[i] = make(0, 0);
        c[farthest(w, l, there)] = make(1, 0);
        remove_columns(w, l, there, c);
        remove_columns(w, l, there,
                       c); /* what the first time left by rounding */
        const real_t over = 1 / norm_of(w->N, c);
        for (int64_t i = 0; i < w->N; ++i) {
            w->X[j * w->next + i * ENTRY + l] = over * re(c[i]);
            if (LAST)
                w->X[j * w->next + i * ENTRY + IMAG + l] = over * im(c[i]);
        }
        there[j] = 1;
    }
}
