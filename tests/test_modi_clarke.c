/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_modi_clarke.c [1] -- annihilation tables: the two that Flegar 2016
 * prints in section 2.2, and what makes any of them right. */
#include "harness/plain.h"
#include "qr/modi_clarke.h"

enum { MOST = 127, GOOD = 1, BAD = 0 };

static turn_t table[2 * MOST * (MOST / 2)];
static int when[MOST][MOST]; /* the step, from 1, that annihilates (i, j)     */
static int with[MOST][MOST]; /* the row that it uses                         */

/* Reads the table; every turn is of rows of its own step. */
static void read_turns(int steps, int groups)
{
    memset(when, 0, sizeof when);
    for (int step = 0; step < steps; ++step) {
        int busy[MOST] = {0};
        for (int g = 0; g < groups; ++g) {
            const turn_t t = table[step * groups + g];
            if (t.top == GIVENS_WAIT || t.column == GIVENS_WAIT) {
                ck_assert_int_eq(t.top, GIVENS_WAIT);
                ck_assert_int_eq(t.bottom, GIVENS_WAIT);
                ck_assert_int_eq(t.column, GIVENS_WAIT);
                continue;
            }
            ck_assert_int_eq(busy[t.top]++, 0);
            ck_assert_int_eq(busy[t.bottom]++, 0);
            ck_assert_int_eq(when[t.bottom][t.column], 0);
            when[t.bottom][t.column] = step + 1;
            with[t.bottom][t.column] = t.top;
        }
    }
}

/* Row i of the second triangle meets a row of the first one in each step of the peeling. */
static void read_peeling(int b)
{
    memset(when, 0, sizeof when);
    for (int step = 0; step < b; ++step)
        for (int i = 0; peel_column(step, i) < b; ++i) {
            int *const entry = &when[i][peel_column(step, i)];
            ck_assert_int_eq(*entry, 0);
            *entry = step + 1;
        }
}

static void ck_assert_steps(int printed[8][8])
{
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            ck_assert_msg(when[i][j] == printed[i][j],
                          "(%d,%d): step %d instead of %d", i, j, when[i][j],
                          printed[i][j]);
}

START_TEST(printed_greedy)
{
    static int printed[8][8] = {
        {0},
        {3},
        {2, 5},
        {2, 4, 7},
        {1, 3, 6, 8},
        {1, 3, 5, 7, 9},
        {1, 2, 4, 6, 8, 10},
        {1, 2, 3, 5, 7, 9, 11},
    };
    ck_assert_int_eq(gsvd_modi_clarke(8, 8, table), 11);
    read_turns(11, 4);
    ck_assert_steps(printed);
}
END_TEST

START_TEST(printed_peeling)
{
    static int printed[8][8] = {
        {1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 2, 3, 4, 5, 6, 7},
        {0, 0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 2, 3, 4, 5},
        {0, 0, 0, 0, 1, 2, 3, 4}, {0, 0, 0, 0, 0, 1, 2, 3},
        {0, 0, 0, 0, 0, 0, 1, 2}, {0, 0, 0, 0, 0, 0, 0, 1},
    };
    read_peeling(8);
    ck_assert_steps(printed);
}
END_TEST

/* Each entry of the lower trapezoid goes once, when both rows have lost what
 * is left of it and the upper one still has its entry. */
static int greedy_is_right(int rows, int cols)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) {
            if ((when[i][j] > 0) != (i > j))
                return BAD;
            if (i <= j)
                continue;
            const int top = with[i][j];
            if (top >= i || top < j)
                return BAD;
            if (j > 0 &&
                !(when[i][j - 1] < when[i][j] && when[top][j - 1] < when[i][j]))
                return BAD;
            if (top > j && when[top][j] <= when[i][j])
                return BAD;
        }
    return GOOD;
}

/* In each step, in each column, the bottom half of those available. */
static int greedy_is_greedy(int rows, int cols, int steps)
{
    for (int step = 1; step <= steps; ++step)
        for (int j = 0; j < cols; ++j) {
            int available = 0, gone = 0, below = 0;
            for (int i = rows - 1; i >= j; --i) {
                if (j > 0 && when[i][j - 1] >= step)
                    continue;
                if (i > j && when[i][j] < step)
                    continue;
                ++available;
                gone += when[i][j] == step;
                below += when[i][j] == step && gone < available;
            }
            if (gone != available / 2 || below > 0)
                return BAD;
        }
    return GOOD;
}

START_TEST(greedy)
{
    const int b = _i;
    for (int rows = b; rows <= MOST && rows <= 2 * b; rows += b / 3 + 1) {
        const int steps = gsvd_modi_clarke(rows, b, NULL);
        ck_assert_int_le(steps, rows + b);
        memset(table, 0x55, sizeof table);
        ck_assert_int_eq(gsvd_modi_clarke(rows, b, table), steps);
        /* nothing behind the last line */
        ck_assert_int_eq(table[steps * (rows / 2)].top, 0x55);
        read_turns(steps, rows / 2);
        ck_assert_int_eq(greedy_is_right(rows, b), GOOD);
        ck_assert_int_eq(greedy_is_greedy(rows, b, steps), GOOD);
    }
    /* wider than high */
    const int steps = gsvd_modi_clarke(b, b + 60, table);
    read_turns(steps, b / 2);
    ck_assert_int_eq(greedy_is_right(b, b + 60), GOOD);
}
END_TEST

/* Each entry of the second triangle goes once, from the left to the right. */
START_TEST(peeling)
{
    const int b = _i;
    read_peeling(b);
    for (int i = 0; i < b; ++i)
        for (int j = 0; j < b; ++j)
            ck_assert_int_eq(when[i][j], j >= i ? j - i + 1 : 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("modi_clarke");
    TCase *t = add_tcase(s, "tables");
    tcase_add_test(t, printed_greedy);
    tcase_add_test(t, printed_peeling);
    tcase_add_loop_test(t, greedy, 1, 65);
    tcase_add_loop_test(t, peeling, 1, 65);
    return s;
}
