/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* shapes.c -- the tables: shapes, and pairs with known properties. */
#include "harness/harness.h"

/* edges of a warp, of a block of 32 and of 64; all orders of m, n, p; tall,
 * wide, m + p < n; empty */
const shape_t shape[] = {
    {0, 0, 0},       {0, 0, 3},      {0, 3, 0},      {3, 0, 0},
    {3, 0, 4},       {0, 4, 4},      {4, 4, 0},      {0, 2, 5},
    {5, 2, 0},       {0, 5, 2},      {2, 5, 0},      {1, 1, 1},
    {1, 1, 2},       {1, 2, 1},      {2, 1, 1},      {1, 2, 2},
    {2, 1, 2},       {2, 2, 1},      {1, 2, 3},      {1, 3, 2},
    {2, 1, 3},       {2, 3, 1},      {3, 1, 2},      {3, 2, 1},
    {2, 2, 2},       {1, 5, 1},      {1, 5, 2},      {5, 1, 7},
    {5, 8, 13},      {5, 13, 8},     {8, 5, 13},     {8, 13, 5},
    {13, 5, 8},      {13, 8, 5},     {10, 10, 10},   {7, 30, 9},
    {31, 31, 31},    {32, 32, 32},   {33, 33, 33},   {31, 32, 33},
    {31, 33, 32},    {32, 31, 33},   {32, 33, 31},   {33, 31, 32},
    {33, 32, 31},    {1, 32, 64},    {64, 32, 1},    {65, 1, 33},
    {20, 41, 63},    {20, 63, 41},   {41, 20, 63},   {41, 63, 20},
    {63, 20, 41},    {63, 41, 20},   {63, 63, 63},   {64, 64, 64},
    {65, 65, 65},    {63, 64, 65},   {65, 64, 63},   {64, 65, 63},
    {20, 70, 25},    {70, 7, 70},    {127, 65, 33},  {33, 65, 127},
    {65, 127, 33},   {128, 128, 64}, {129, 96, 129}, {64, 128, 128},
    {200, 40, 3},    {3, 40, 200},   {300, 17, 150}, {25, 150, 60},
    {500, 20, 12},   {12, 20, 500},  {10, 256, 20},  {255, 257, 0},
    {120, 190, 150},
};
const int shapes = sizeof shape / sizeof *shape;

const recipe_t kind[] = {
    /* ranks in full, known values */
    {30, 20, 25, RANKS, 0, 20, 0, 0},
    {70, 50, 60, RANKS, 0, 50, 0, 0},
    {50, 70, 60, RANKS, 10, 60, 0, 0},
    {30, 50, 25, RANKS, 25, 25, 0, 0},
    {20, 60, 30, RANKS, 20, 30, 0, 0}, /* m + p < n: k + l = 50               */
    {64, 64, 64, RANKS, 0, 64, 0, 0},
    {10, 12, 40, RANKS, 0, 12, 0, 0}, /* m < k + l                           */
    /* deficient in A, k + l of the pair full */
    {40, 40, 40, RANKS, 5, 35, 0, 0},
    {33, 65, 64, RANKS, 1, 64, 0, 0},
    {60, 40, 50, RANKS, 40, 0, 0, 0}, /* B = 0                               */
    {60, 40, 50, RANKS, 0, 40, 0, 0},
    /* deficient in B and in both */
    {60, 40, 50, RANKS, 20, 10, 0, 0},
    {50, 40, 30, RANKS, 12, 9, 0, 0},
    {40, 50, 45, RANKS, 3, 17, 0, 0},
    {15, 50, 45, RANKS, 10, 25, 0, 0}, /* m < k + l < n                      */
    {65, 33, 129, RANKS, 1, 1, 0, 0},
    {20, 20, 20, RANKS, 0, 1, 0, 0},
    {20, 20, 20, RANKS, 1, 0, 0, 0},
    {20, 20, 20, RANKS, 0, 0, 0, 0},
    {100, 120, 90, RANKS, 30, 50, 0, 0},
    /* values that repeat, values at and next to 0 and 1 */
    {40, 30, 35, REPEATED, 0, 30, 0, 0},
    {40, 30, 35, REPEATED, 7, 15, 0, 0},
    {66, 64, 66, REPEATED, 0, 64, 0, 0},
    {40, 30, 35, EXTREME, 0, 30, 0, 0},
    {35, 30, 40, EXTREME, 4, 21, 0, 0},
    {64, 64, 64, EXTREME, 0, 64, 0, 0},
    /* the thesis */
    {50, 20, 40, THESIS, 8, 12, 0, 0},
    {50, 40, 30, THESIS, 10, 15, 0, 0},
    {20, 40, 30, THESIS, 10, 15, 0, 0},
    {64, 96, 48, THESIS, 16, 32, 0, 0},
    {120, 120, 120, THESIS, 30, 60, 0, 0},
    /* exact zeros, equal columns, small integers */
    {10, 8, 9, INTEGER, -1, -1, 0, 0},
    {4, 5, 6, INTEGER, -1, -1, 0, 0},
    {30, 40, 35, INTEGER, -1, -1, 0, 0},
    {70, 33, 40, INTEGER, -1, -1, 0, 0},
    {12, 9, 10, SAME_COLUMNS, -1, -1, 0, 0},
    {1, 40, 1, SAME_COLUMNS, -1, -1, 0, 0},
    {65, 65, 65, SAME_COLUMNS, -1, -1, 0, 0},
    {20, 15, 18, SPARSE, -1, -1, 0, 0},
    {40, 70, 50, SPARSE, -1, -1, 0, 0},
    {20, 15, 18, TRIANGULAR, -1, -1, 0, 0},
    {64, 64, 64, TRIANGULAR, -1, -1, 0, 0},
    {9, 6, 7, ZERO_A, 0, 6, 0, 0},
    {30, 40, 20, ZERO_A, 0, 20, 0, 0},
    {1, 1, 1, ZERO_A, 0, 1, 0, 0},
    {9, 6, 7, ZERO_B, 6, 0, 0, 0},
    {30, 40, 20, ZERO_B, 30, 0, 0, 0},
    {1, 1, 1, ZERO_B, 1, 0, 0, 0},
    {9, 6, 7, ZERO_BOTH, 0, 0, 0, 0},
    {65, 33, 40, ZERO_BOTH, 0, 0, 0, 0},
    {6, 6, 6, IDENTITY_B, 0, 6, 0, 0},
    {40, 33, 33, IDENTITY_B, 0, 33, 0, 0},
    {20, 64, 64, IDENTITY_B, 0, 64, 0, 0},
    /* conditioning and grading */
    {30, 30, 30, ILL_B, -1, -1, 0, 0},
    {65, 64, 65, ILL_B, -1, -1, 0, 0},
    {40, 60, 80, ILL_B, -1, -1, 0, 0},
    {64, 64, 64, ILL_BOTH, -1, -1, 0, 0},
    {90, 70, 80, ILL_BOTH, -1, -1, 0, 0},
    {40, 30, 35, GRADED_ROWS, -1, -1, 0, 0},
    {65, 100, 64, GRADED_ROWS, -1, -1, 0, 0},
    {40, 30, 35, GRADED_COLUMNS, -1, -1, 0, 0},
    {64, 65, 63, GRADED_COLUMNS, -1, -1, 0, 0},
    {20, 65, 30, GRADED_COLUMNS, -1, -1, 0, 0},
    /* scales of A against B and of both */
    {30, 20, 25, RANKS, 0, 20, 8, 0},
    {30, 20, 25, RANKS, 0, 20, 0, 8},
    {30, 20, 25, RANKS, 5, 10, 75, -75},
    {30, 20, 25, RANKS, 5, 10, -75, 75},
    {30, 20, 25, RANKS, 5, 10, 150, -150},
    {30, 20, 25, RANKS, 5, 10, -150, 150},
    {30, 20, 25, RANKS, 5, 10, 150, 150},
    {30, 20, 25, RANKS, 5, 10, -150, -150},
    {30, 20, 25, RANKS, 5, 10, 150, 0},
    {30, 20, 25, RANKS, 5, 10, -150, 0},
    {30, 20, 25, RANKS, 5, 10, 0, 150},
    {30, 20, 25, RANKS, 5, 10, 0, -150},
    {20, 50, 64, NORMAL, -1, -1, 150, -150},
    {20, 50, 64, NORMAL, -1, -1, -150, 150},
    {64, 50, 20, NORMAL, -1, -1, 150, -150},
    {64, 50, 20, NORMAL, -1, -1, -150, 150},
    {65, 65, 65, UNIFORM, -1, -1, 100, -50},
    {65, 65, 65, UNIFORM, -1, -1, -50, 100},
    {40, 30, 35, EXTREME, 0, 30, 150, -150},
    {40, 30, 35, EXTREME, 0, 30, -150, 150},
    {50, 40, 30, THESIS, 10, 15, 150, -150},
    {50, 40, 30, THESIS, 10, 15, -150, 150},
    {40, 30, 35, ILL_B, -1, -1, 100, -100},
    {40, 30, 35, ILL_BOTH, -1, -1, -100, 100},
    /* next to overflow and underflow */
    {30, 20, 25, UNIFORM, -1, -1, 300, 300},
    {30, 20, 25, UNIFORM, -1, -1, -300, -300},
    {30, 20, 25, UNIFORM, -1, -1, 300, 0},
    {30, 20, 25, UNIFORM, -1, -1, 0, -300},
    {20, 30, 25, UNIFORM, -1, -1, -300, 0},
};
const int kinds = sizeof kind / sizeof *kind;

int too_large(int64_t m, int64_t n, int64_t p)
{
    return quick && max_i(m, max_i(n, p)) > (quick > 1 ? quick : 70);
}

/* Of each `one_in` cases in a row one, by the sum of i's digits: with any other parameter that goes
 * through its values with i each of them.  d and c have different cases, and so have s and z, since a step is
 * run each time in these two or in those (gsvd_take_turns in CMakeLists.txt). */
int is_shared_case(int i, int one_in)
{
    const char *const letters = "dcsz";
    const char *const all = getenv("GSVD_TEST_ALL");
    const char *const turn = getenv("GSVD_TEST_TURN");
    long sum = strchr(letters, letter()) - letters + (turn ? atol(turn) : 0);
    if (on_device || one_in == 1 || (all && strcmp(all, "0") != 0))
        return 1;
    for (; i > 0; i /= one_in)
        sum += i;
    return sum % one_in == 0;
}
