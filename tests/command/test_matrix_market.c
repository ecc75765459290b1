/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_matrix_market.c -- the command's reader: every kind of file, and every
 * fault with its line. */
#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_market.h"

#define MM "%%MatrixMarket matrix "

/* by columns; complex entries as pairs */
static const struct {
    const char *text;
    int64_t rows, cols;
    int width;
    int64_t size_line;
    double at[18];
} good[] = {
    /* layouts and fields */
    {MM "array real general\n2 3\n1\n2.5\n-3e0\n4\n+5\n.5\n",
     2,
     3,
     1,
     2,
     {1, 2.5, -3, 4, 5, .5}},
    {MM "array integer general\n1 2\n7\n-8\n", 1, 2, 1, 2, {7, -8}},
    {MM "array complex general\n2 1\n1 2\n3 -4\n", 2, 1, 2, 2, {1, 2, 3, -4}},
    {MM "coordinate real general\n2 2 3\n1 1 1\n2 1 2\n2 2 4\n",
     2,
     2,
     1,
     2,
     {1, 2, 0, 4}},
    {MM "coordinate integer general\n2 2 1\n1 2 5\n", 2, 2, 1, 2, {0, 0, 5, 0}},
    {MM "coordinate complex general\n2 1 1\n2 1 5 -6\n",
     2,
     1,
     2,
     2,
     {0, 0, 5, -6}},
    {MM "coordinate pattern general\n2 2 2\n1 2\n2 1\n",
     2,
     2,
     1,
     2,
     {0, 1, 1, 0}},

    /* symmetries: the array holds the lower triangle by columns */
    {MM "array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
     3,
     3,
     1,
     2,
     {1, 2, 3, 2, 4, 5, 3, 5, 6}},
    {MM "array integer skew-symmetric\n3 3\n1\n2\n3\n",
     3,
     3,
     1,
     2,
     {0, 1, 2, -1, 0, 3, -2, -3, 0}},
    {MM "array complex symmetric\n2 2\n1 2\n3 4\n5 6\n",
     2,
     2,
     2,
     2,
     {1, 2, 3, 4, 3, 4, 5, 6}},
    {MM "array complex skew-symmetric\n2 2\n3 4\n",
     2,
     2,
     2,
     2,
     {0, 0, 3, 4, -3, -4, 0, 0}},
    {MM "array complex hermitian\n2 2\n1 0\n3 4\n5 0\n",
     2,
     2,
     2,
     2,
     {1, 0, 3, 4, 3, -4, 5, 0}},
    {MM "coordinate real symmetric\n2 2 2\n2 1 3\n2 2 4\n",
     2,
     2,
     1,
     2,
     {0, 3, 3, 4}},
    {MM "coordinate real skew-symmetric\n2 2 2\n2 1 3\n2 2 0\n",
     2,
     2,
     1,
     2,
     {0, 3, -3, 0}},
    {MM "coordinate complex hermitian\n2 2 2\n2 1 3 1\n1 1 7 0\n",
     2,
     2,
     2,
     2,
     {7, 0, 3, 1, 3, -1, 0, 0}},
    {MM "coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n",
     2,
     2,
     1,
     2,
     {0, 1, 1, 1}},

    /* duplicates are summed, on both sides of the diagonal */
    {MM "coordinate real general\n1 2 3\n1 2 1\n1 1 5\n1 2 2\n",
     1,
     2,
     1,
     2,
     {5, 3}},
    {MM "coordinate complex hermitian\n2 2 2\n2 1 1 1\n2 1 1 2\n",
     2,
     2,
     2,
     2,
     {0, 0, 2, 3, 2, -3, 0, 0}},
    {MM "coordinate pattern general\n1 1 2\n1 1\n1 1\n", 1, 1, 1, 2, {2}},

    /* case, comments, blank lines, CR LF, tabs, no newline at the end */
    {"%%matrixmarket MATRIX Array REAL General\n1 1\n3\n", 1, 1, 1, 2, {3}},
    {MM "array real general\n% one\n\n%two\n  \t\n 2\t1 \n1\n\n% three\n2\n\n",
     2,
     1,
     1,
     6,
     {1, 2}},
    {MM "array real general\r\n%\r\n2 1\r\n1\r\n2\r\n", 2, 1, 1, 3, {1, 2}},
    {MM "array real general\n1 1\n4", 1, 1, 1, 2, {4}},
    {MM "array real general\n1 1\n1e-400\n", 1, 1, 1, 2, {0}},

    /* empty matrices */
    {MM "array real general\n0 3\n", 0, 3, 1, 2, {0}},
    {MM "array complex general\n3 0\n", 3, 0, 2, 2, {0}},
    {MM "array real symmetric\n0 0\n", 0, 0, 1, 2, {0}},
    {MM "array real skew-symmetric\n1 1\n", 1, 1, 1, 2, {0}},
    {MM "coordinate real general\n0 0 0\n", 0, 0, 1, 2, {0}},
    {MM "coordinate real general\n2 1 0\n", 2, 1, 1, 2, {0, 0}},
};
enum { GOOD = sizeof good / sizeof *good };

static const struct {
    const char *text;
    int64_t line;
    const char *reason; /* a part of it */
} bad[] = {
    /* the header */
    {"", 0, "not a Matrix Market file: it is empty"},
    {"\n" MM "array real general\n1 1\n1\n", 1, "begin with %%MatrixMarket"},
    {"1 2 3\n", 1, "not a Matrix Market file"},
    {"%MatrixMarket matrix array real general\n", 1, "not a Matrix Market"},
    {"%%MatrixMarket\n", 1, "expected %%MatrixMarket matrix"},
    {MM "array real\n1 1\n1\n", 1, "expected %%MatrixMarket matrix"},
    {MM "array real general 7\n1 1\n1\n", 1, "expected %%MatrixMarket matrix"},
    {"%%MatrixMarket vector array real general\n", 1, "'vector' is not read"},
    {MM "list real general\n", 1, "'list' is neither array nor coordinate"},
    {MM "array quaternion general\n", 1, "'quaternion' is none of"},
    {MM "array real diagonal\n", 1, "'diagonal' is none of"},
    {MM "array pattern general\n1 1\n", 1, "cannot be a pattern"},
    {MM "coordinate pattern skew-symmetric\n", 1, "cannot be skew-symmetric"},
    {MM "array real hermitian\n1 1\n1\n", 1, "only a complex matrix"},
    {MM "array \033[2J general\n", 1, "'?[2J' is none of"},

    /* the sizes */
    {MM "array real general\n", 1, "ends before its sizes"},
    {MM "array real general\n% only\n\n", 3, "ends before its sizes"},
    {MM "array real general\n2\n", 2, "expected 2 sizes"},
    {MM "array real general\n2 2 2\n", 2, "expected 2 sizes"},
    {MM "coordinate real general\n%\n2 2\n", 3, "expected 3 sizes"},
    {MM "array real general\n2 x\n", 2, "'x' is not a whole number"},
    {MM "array real general\n2.0 1\n", 2, "'2.0' is not a whole number"},
    {MM "array real general\n-1 1\n", 2, "size -1 is negative"},
    {MM "coordinate real general\n1 1 -1\n", 2, "size -1 is negative"},
    {MM "array real general\n99999999999999999999 1\n", 2, "is too large"},
    {MM "array real general\n4000000000 4000000000\n", 2, "too large"},
    {MM "array complex general\n1000000000 1000000000\n", 2, "too large"},
    {MM "array real general\n500000000 1000000000\n", 2, "no memory"},
    {MM "array real symmetric\n2 3\n", 2, "symmetric, but 2 by 3"},
    {MM "coordinate real skew-symmetric\n3 2 0\n", 2, "but 3 by 2"},

    /* the entries */
    {MM "array real general\n2 1\n1\n", 3, "ends after 1 of 2 entries"},
    {MM "array real general\n1 1\n", 2, "ends after 0 of 1 entries"},
    {MM "array real general\n1 1\n1\n\n2\n", 5, "more than the 1 entries"},
    {MM "array real general\n0 0\n1\n", 3, "more than the 0 entries"},
    {MM "array real skew-symmetric\n2 2\n1\n2\n", 4, "more than the 1"},
    {MM "array real general\n2 1\n1 2\n", 3, "expected 1 number on"},
    {MM "array complex general\n1 1\n1\n", 3, "expected 2 numbers on"},
    {MM "coordinate real general\n1 1 1\n1 1\n", 3, "expected 3 numbers on"},
    {MM "coordinate real general\n1 1 2\n1 1 1\n", 3, "after 1 of 2 entries"},
    {MM "coordinate real general\n1 1 0\n1 1 1\n", 3, "more than the 0"},
    {MM "coordinate pattern general\n1 1 1\n1 1 1\n", 3, "expected 2 numbers"},
    {MM "coordinate complex general\n1 1 1\n1 1 1\n", 3, "expected 4 numbers"},
    {MM "coordinate real general\n2 2 1\n0 1 1\n", 3, "row 0 is not in 1..2"},
    {MM "coordinate real general\n2 2 1\n3 1 1\n", 3, "row 3 is not in 1..2"},
    {MM "coordinate real general\n2 2 1\n1 -1 1\n", 3, "column -1 is not in"},
    {MM "coordinate real general\n2 2 1\n\n1 3 1\n", 4, "column 3 is not in"},
    {MM "coordinate real general\n2 2 1\n1.5 1 1\n", 3, "not a whole number"},
    {MM "coordinate real symmetric\n2 2 1\n1 2 1\n", 3, "(1, 2) is above"},
    {MM "coordinate real skew-symmetric\n2 2 1\n1 1 1\n", 3, "is zero"},
    {MM "array complex hermitian\n1 1\n1 1\n", 3, "is real"},
    {MM "array real general\n1 1\nabc\n", 3, "'abc' is not a number"},
    {MM "array real general\n1 1\n1.0x\n", 3, "'1.0x' is not a number"},
    {MM "array real general\n1 1\n1,5\n", 3, "'1,5' is not a number"},
    {MM "array integer general\n1 1\n1.5\n", 3, "'1.5' is not an integer"},
    {MM "array real general\n2 1\n1\nnan\n", 4, "'nan' is not finite"},
    {MM "array real general\n1 1\n-Inf\n", 3, "'-Inf' is not finite"},
    {MM "array real general\n1 1\n1e400\n", 3, "'1e400' is not finite"},
    {MM "array complex general\n1 1\n1 inf\n", 3, "'inf' is not finite"},
    {MM "coordinate real general\n1 1 2\n1 1 1e308\n1 1 1e308\n", 4,
     "(1, 1) add up to infinity"},
};
enum { BAD = sizeof bad / sizeof *bad };

static bool parse(const char *text, size_t length, matrix_t *A,
                  int64_t *size_line, read_error_t *error)
{
    source_t s = {.in = tmpfile(), .error = error};

    ck_assert_ptr_nonnull(s.in);
    ck_assert_uint_eq(fwrite(text, 1, length, s.in), length);
    rewind(s.in);
    const bool done = matrix_market_parse(&s, A);
    *size_line = s.size_line;
    free(s.text);
    fclose(s.in);
    return done;
}

START_TEST(reads)
{
    matrix_t A;
    int64_t size_line;
    read_error_t error = {0};

    if (!parse(good[_i].text, strlen(good[_i].text), &A, &size_line, &error))
        ck_abort_msg("line %" PRId64 ": %s\n%s", error.line, error.reason,
                     good[_i].text);
    ck_assert_int_eq(A.rows, good[_i].rows);
    ck_assert_int_eq(A.cols, good[_i].cols);
    ck_assert_int_eq(A.width, good[_i].width);
    ck_assert_int_eq(size_line, good[_i].size_line);
    for (int64_t i = 0; i < A.rows * A.cols * A.width; ++i)
        ck_assert_msg(A.at[i] == good[_i].at[i], "number %" PRId64 " of\n%s", i,
                      good[_i].text);
    matrix_free(&A);
}
END_TEST

START_TEST(refuses)
{
    matrix_t A;
    int64_t size_line;
    read_error_t error = {0};

    ck_assert_msg(
        !parse(bad[_i].text, strlen(bad[_i].text), &A, &size_line, &error),
        "accepted:\n%s", bad[_i].text);
    ck_assert_ptr_null(A.at);
    ck_assert_msg(strstr(error.reason, bad[_i].reason) != NULL,
                  "'%s', expected '%s'", error.reason, bad[_i].reason);
    ck_assert_msg(error.line == bad[_i].line,
                  "line %" PRId64 ", expected %" PRId64 ": %s", error.line,
                  bad[_i].line, error.reason);
}
END_TEST

START_TEST(refuses_a_zero_byte)
{
    static const char text[] = MM "array real general\n1 1\n1\0\n";
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert(!parse(text, sizeof text - 1, &A, &size_line, &error));
    ck_assert_int_eq(error.line, 3);
    ck_assert_ptr_nonnull(strstr(error.reason, "zero byte"));
}
END_TEST

/* A long line and a long word are read whole; the word is quoted in part. */
START_TEST(takes_long_lines)
{
    enum { LENGTH = 100000 };
    static char text[LENGTH + 200], filler[LENGTH + 1];
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    memset(filler, '9', LENGTH);

    snprintf(text, sizeof text, "%sarray real general\n%%%s\n1 1\n5\n", MM,
             filler);
    ck_assert(parse(text, strlen(text), &A, &size_line, &error));
    ck_assert(A.at[0] == 5);
    matrix_free(&A);

    snprintf(text, sizeof text, "%sarray real general\n1 %s\n5\n", MM, filler);
    ck_assert(!parse(text, strlen(text), &A, &size_line, &error));
    ck_assert_int_eq(error.line, 2);
    ck_assert_ptr_nonnull(strstr(error.reason, "9' is too large"));
}
END_TEST

/* What is written is read again, to the last bit. */
START_TEST(writes_what_it_reads)
{
    double entries[] = {1.0 / 3, -0.1, 5e-324, 1.7976931348623157e308, 0, -7};
    const matrix_t written[] = {
        {.rows = 2, .cols = 3, .width = 1, .at = entries},
        {.rows = 3, .cols = 1, .width = 2, .at = entries}};

    for (int i = 0; i < 2; ++i) {
        read_error_t error;
        source_t s = {.in = tmpfile(), .error = &error};
        matrix_t A;
        ck_assert(matrix_market_write(s.in, &written[i], false));
        rewind(s.in);
        ck_assert(matrix_market_parse(&s, &A));
        ck_assert_int_eq(A.rows, written[i].rows);
        ck_assert_int_eq(A.width, written[i].width);
        ck_assert_mem_eq(A.at, entries, sizeof entries);
        matrix_free(&A);
        free(s.text);
        fclose(s.in);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("matrix_market");
    TCase *t = tcase_create("reader");

    tcase_add_loop_test(t, reads, 0, GOOD);
    tcase_add_loop_test(t, refuses, 0, BAD);
    tcase_add_test(t, refuses_a_zero_byte);
    tcase_add_test(t, takes_long_lines);
    tcase_add_test(t, writes_what_it_reads);
    suite_add_tcase(s, t);

    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
