/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_input.c -- the command's other readers: NumPy and CSV files, every kind
 * and every fault; and which reader a file gets. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "npy.h"

static const demand_t any = {0};

/* Reads bytes out of a file with this extension. */
static bool read_bytes(const char *extension, const void *bytes, size_t size,
                       demand_t demand, matrix_t *A, int64_t *size_line,
                       read_error_t *error)
{
    char path[64];

    snprintf(path, sizeof path, "test_input.%ld%s", (long)getpid(), extension);
    FILE *const out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
    ck_assert_int_eq(fclose(out), 0);
    const bool done = input_read(path, demand, A, size_line, error);
    remove(path);
    return done;
}

static void check_entries(const matrix_t *A, int64_t rows, int64_t cols,
                          int width, const double *at, const char *what)
{
    ck_assert_msg(A->rows == rows && A->cols == cols && A->width == width,
                  "%" PRId64 " by %" PRId64 ", width %d: %s", A->rows, A->cols,
                  A->width, what);
    for (int64_t i = 0; i < rows * cols * width; ++i)
        ck_assert_msg(A->at[i] == at[i], "number %" PRId64 " is %g: %s", i,
                      A->at[i], what);
}

/* -- CSV ---------------------------------------------------------------------- */

/* by columns */
static const struct {
    const char *text;
    int64_t rows, cols, size_line;
    double at[9];
} csv[] = {
    {"1,2,3\n4,5,6\n", 2, 3, 1, {1, 4, 2, 5, 3, 6}},
    {"1;2\n3;4\n", 2, 2, 1, {1, 3, 2, 4}},
    {"1\t2\n3\t4\n", 2, 2, 1, {1, 3, 2, 4}},
    {"1 2\n3 4\n", 2, 2, 1, {1, 3, 2, 4}},
    {"  1   2.5e0 \n\t-3\t+.4\t\r\n", 2, 2, 1, {1, -3, 2.5, .4}},
    {" 1 , 2\r\n 3 ,4\r\n", 2, 2, 1, {1, 3, 2, 4}},
    {"1\n2\n3", 3, 1, 1, {1, 2, 3}},
    {"\t1\n\t2\n", 2, 1, 1, {1, 2}},
    {"1e-400,5", 1, 2, 1, {0, 5}},
    {"\"1\",\"2\"\n", 1, 2, 1, {1, 2}},
    /* headers, comments, blank lines, the mark of UTF-8 */
    {"x,y\n1,2\n", 1, 2, 1, {1, 2}},
    {"\"x, y\",\"z\"\n1,2\n3,4\n", 2, 2, 1, {1, 3, 2, 4}},
    {"info nan_count\n1 2\n", 1, 2, 1, {1, 2}},
    {"\n# by hand\n% too\n\nx;y\n\n1;2\n# more\n3;4\n\n",
     2,
     2,
     5,
     {1, 3, 2, 4}},
    {"\xEF\xBB\xBF"
     "1,2\n",
     1,
     2,
     1,
     {1, 2}},
    /* labels: under a name, under an empty one and under none */
    {"name,x,y\nann,1,2\nbob,3,4\n", 2, 2, 1, {1, 3, 2, 4}},
    {",x,y\nann,1,2\nbob,3,4\n", 2, 2, 1, {1, 3, 2, 4}},
    {"x y\nann 1 2\nbob 3 4\n", 2, 2, 2, {1, 3, 2, 4}},
    {"who,x\n\"Ann, B.\",1\n\"Bob, C.\",2\n", 2, 1, 1, {1, 2}},
    {"day,x\n2024-05-01,1\n2024-05-02,2\n", 2, 1, 1, {1, 2}},
    {"at,x\n12:30,1\n12:45,2\n,3\n", 3, 1, 1, {1, 2, 3}},
};
enum { CSV = sizeof csv / sizeof *csv };

static const struct {
    const char *text;
    int64_t line;
    const char *reason; /* a part of it */
} bad_csv[] = {
    {"", 0, "holds no numbers"},
    {"\n# nothing\n", 0, "holds no numbers"},
    {"x,y\n", 1, "no numbers: none of Matrix Market, NumPy and CSV"},
    {"not a matrix\n", 1, "no numbers"},
    {"1,2\n3\n", 2, "1 field, but line 1 has 2"},
    {"1,2\n3,4,5\n", 2, "3 fields, but line 1 has 2"},
    {"x,y\n1,2,3\n", 2, "3 fields, but line 1 has 2"},
    {"1 2\n3 4\n\n5 6 7\n", 4, "3 fields, but line 1 has 2"},
    {"1,2\n3,x\n", 2, "'x' is not a number"},
    {"x,y\nz,w\n", 2, "'z' is not a number"},
    {"1,y\n1,2\n", 1, "'y' is not a number"},
    {"1,2\n3,\n", 2, "field 2 is empty"},
    {"1,,2\n", 1, "field 2 is empty"},
    {"1,2,\n", 1, "field 3 is empty"},
    {"1,2\n3;4\n", 2, "'3;4' is not a number"},
    {"1,5;2,5\n1;2\n", 1,
     "'1,5' has a decimal comma; numbers are read with a decimal point"},
    {"(1+2j) (3-4j)\n5 6\n", 1, "'(1+2j)' is not a number"},
    {"2nd,3rd\n1,2\n", 1, "field 1 is not a number"},
    {",x,y\n0,1,2\n", 1, "field 1 is empty"},
    {"1+2i,3\n", 1, "'1+2i' is not a number"},
    {"1,nan\n", 1, "'nan' is not finite"},
    {"1,2\n3,-inf\n", 2, "'-inf' is not finite"},
    {"1,1e400\n", 1, "'1e400' is not finite"},
    {"\"1,2\n", 1, "'\"1' is not a number"},
    /* labels in some of the rows, and no numbers behind them */
    {"w,x\nann,1\n2,3\n", 3, "'2' is a number, but the first row has a label"},
    {"w,x\n1,2\nann,3\n", 3, "'ann' is not a number"},
    {"w,x\nann,1\nbob,x\n", 3, "'x' is not a number"},
    {"w,x\nann,1\nbob\n", 3, "1 field, but line 1 has 2"},
    /* a label and no header, or years in a header? */
    {"ann,1,2\nbob,3,4\n", 1, "if it is a label, say --skip-columns 1"},
    {"name,1990,1991\nann,1,2\n", 1, "if the line is a header, --header"},
    {",x,y\n0,1,2\n", 1, "--skip-columns 1 leaves it out"},
    {"x y\nann 1 2 3\n", 2, "4 fields, but line 1 has 2"},
    {",,\nann,1,2\n", 1, "field 1 is empty"},
    {"PK\003\004 and so on", 0, "the file ends within the archive"},
    {"MATLAB 5.0 MAT-file, and so on", 0, "the file ends within a variable"},
    {"MATLAB 7.3 MAT-file, and so on", 0, "MATLAB's format 7.3, which is not"},
};
enum { BAD_CSV = sizeof bad_csv / sizeof *bad_csv };

START_TEST(reads_csv)
{
    const char *const text = csv[_i].text;
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    if (!read_bytes(".csv", text, strlen(text), any, &A, &size_line, &error))
        ck_abort_msg("line %" PRId64 ": %s\n%s", error.line, error.reason,
                     text);
    check_entries(&A, csv[_i].rows, csv[_i].cols, 1, csv[_i].at, text);
    ck_assert_int_eq(size_line, csv[_i].size_line);
    matrix_free(&A);
}
END_TEST

/* with --header and --skip-columns */
static const struct {
    const char *text;
    demand_t demand;
    int64_t rows, cols;
    double at[4];
} told_csv[] = {
    {"name,1990\nann,1\n", {.header = true}, 1, 1, {1}},
    {"1,2\n3,4\n", {.header = true}, 1, 2, {3, 4}},
    {",x\nann,1\n", {.header = true}, 1, 1, {1}},
    {"ann,1\nbob,2\n", {.skip_given = true, .skip_columns = 1}, 2, 1, {1, 2}},
    {"7,1\n8,2\n", {.skip_given = true, .skip_columns = 1}, 2, 1, {1, 2}},
    {",x\n0,1\n", {.skip_given = true, .skip_columns = 1}, 1, 1, {1}},
    {"3,x\n0,1\n", {.skip_given = true, .skip_columns = 1}, 1, 1, {1}},
    {"ann,,1\n,b,2\n", {.skip_given = true, .skip_columns = 2}, 2, 1, {1, 2}},
    {"1,2\n3,4\n", {.skip_given = true}, 2, 2, {1, 3, 2, 4}},
};
enum { TOLD_CSV = sizeof told_csv / sizeof *told_csv };

static const struct {
    const char *text;
    demand_t demand;
    int64_t line;
    const char *reason;
} bad_told_csv[] = {
    {"1,2\n", {.header = true}, 1, "no numbers"},
    {"1,2\n3\n", {.header = true}, 2, "1 field, but line 1 has 2"},
    {"ann,1\n", {.skip_given = true}, 1, "'ann' is not a number"},
    {"ann,b,1\n",
     {.skip_given = true, .skip_columns = 1},
     1,
     "'b' is not a number"},
    {"1,2\n",
     {.skip_given = true, .skip_columns = 2},
     1,
     "2 fields, and --skip-columns leaves out 2"},
};
enum { BAD_TOLD_CSV = sizeof bad_told_csv / sizeof *bad_told_csv };

START_TEST(reads_told_csv)
{
    const char *const text = told_csv[_i].text;
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    if (!read_bytes(".csv", text, strlen(text), told_csv[_i].demand, &A,
                    &size_line, &error))
        ck_abort_msg("line %" PRId64 ": %s\n%s", error.line, error.reason,
                     text);
    check_entries(&A, told_csv[_i].rows, told_csv[_i].cols, 1, told_csv[_i].at,
                  text);
    matrix_free(&A);
}
END_TEST

START_TEST(refuses_told_csv)
{
    const char *const text = bad_told_csv[_i].text;
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert_msg(!read_bytes(".csv", text, strlen(text),
                              bad_told_csv[_i].demand, &A, &size_line, &error),
                  "accepted:\n%s", text);
    ck_assert_ptr_null(A.at);
    ck_assert_msg(strstr(error.reason, bad_told_csv[_i].reason) != NULL,
                  "'%s', not '%s':\n%s", error.reason, bad_told_csv[_i].reason,
                  text);
    ck_assert_int_eq(error.line, bad_told_csv[_i].line);
}
END_TEST

START_TEST(refuses_csv)
{
    const char *const text = bad_csv[_i].text;
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert_msg(
        !read_bytes(".csv", text, strlen(text), any, &A, &size_line, &error),
        "accepted:\n%s", text);
    ck_assert_ptr_null(A.at);
    ck_assert_msg(strstr(error.reason, bad_csv[_i].reason) != NULL,
                  "'%s', expected '%s'", error.reason, bad_csv[_i].reason);
    ck_assert_msg(error.line == bad_csv[_i].line,
                  "line %" PRId64 ", expected %" PRId64 ": %s", error.line,
                  bad_csv[_i].line, error.reason);
}
END_TEST

START_TEST(reads_a_large_csv)
{
    enum { ROWS = 1000, COLS = 7 };
    static char text[ROWS * COLS * 8];
    size_t used = 0;
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLS; ++j)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d%c",
                                     i * COLS + j, j + 1 < COLS ? ',' : '\n');
    ck_assert(read_bytes("", text, used, any, &A, &size_line, &error));
    ck_assert_int_eq(A.rows, ROWS);
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLS; ++j)
            ck_assert(A.at[i + j * ROWS] == i * COLS + j);
    matrix_free(&A);
}
END_TEST

/* -- NumPy -------------------------------------------------------------------- */

/* A file of this version; the header is not padded, which is legal. */
static size_t make_npy(unsigned char *file, int version, const char *header,
                       const void *entries, size_t size)
{
    const size_t length = strlen(header), start = version == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY\0\0\0\0\0\0", 12);
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)(length & 255);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + start, header, length);
    memcpy(file + start + length, entries, size);
    return start + length + size;
}

#define HEADER(descr, order, shape)                                            \
    "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", "  \
    "}\n"

/* entries as bytes, so that the byte order is the file's */
static const struct {
    int version;
    const char *header;
    const char *bytes;
    size_t size;
    int64_t rows, cols;
    int width;
    double at[6];
} npy[] = {
    {1,
     HEADER("|u1", "False", "(2, 3)"),
     "\1\2\3\4\5\6",
     6,
     2,
     3,
     1,
     {1, 4, 2, 5, 3, 6}},
    {2,
     HEADER("|u1", "True", "(2, 3)"),
     "\1\2\3\4\5\6",
     6,
     2,
     3,
     1,
     {1, 2, 3, 4, 5, 6}},
    {3, HEADER("|i1", "False", "(2,)"), "\1\xFF", 2, 2, 1, 1, {1, -1}},
    {1, HEADER("|b1", "False", "(3,)"), "\0\1\1", 3, 3, 1, 1, {0, 1, 1}},
    {1, HEADER("<i2", "False", "(2,)"), "\xFE\xFF\0\1", 4, 2, 1, 1, {-2, 256}},
    {1, HEADER(">i2", "False", "(2,)"), "\xFF\xFE\1\0", 4, 2, 1, 1, {-2, 256}},
    {1, HEADER("<u2", "False", "(1,)"), "\xFE\xFF", 2, 1, 1, 1, {65534}},
    {1, HEADER(">i4", "False", "(1,)"), "\xFF\xFF\xFF\xFE", 4, 1, 1, 1, {-2}},
    {1,
     HEADER("<u4", "False", "(1,)"),
     "\xFE\xFF\xFF\xFF",
     4,
     1,
     1,
     1,
     {4294967294}},
    {1,
     HEADER("<i8", "False", "(1,)"),
     "\xFD\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
     8,
     1,
     1,
     1,
     {-3}},
    {1, HEADER(">u8", "False", "(1,)"), "\0\0\0\0\0\0\1\2", 8, 1, 1, 1, {258}},
    {1,
     HEADER("<f4", "False", "(2, 1)"),
     "\0\0\x80\x3F\0\0\0\xC0",
     8,
     2,
     1,
     1,
     {1, -2}},
    {1,
     HEADER(">f4", "False", "(1, 2)"),
     "\x3F\x80\0\0\xC0\0\0\0",
     8,
     1,
     2,
     1,
     {1, -2}},
    {1,
     HEADER("<f8", "False", "(1, 1)"),
     "\0\0\0\0\0\0\xF8\x3F",
     8,
     1,
     1,
     1,
     {1.5}},
    {1,
     HEADER(">f8", "False", "(1, 1)"),
     "\x3F\xF8\0\0\0\0\0\0",
     8,
     1,
     1,
     1,
     {1.5}},
    {1,
     HEADER("<c8", "False", "(1, 1)"),
     "\0\0\x80\x3F\0\0\0\xC0",
     8,
     1,
     1,
     2,
     {1, -2}},
    {1,
     HEADER(">c16", "True", "(1, 1)"),
     "\x3F\xF8\0\0\0\0\0\0\xC0\0\0\0\0\0\0\0",
     16,
     1,
     1,
     2,
     {1.5, -2}},
    {1, HEADER("|u1", "False", "(0, 4)"), "", 0, 0, 4, 1, {0}},
    {1, HEADER("|u1", "False", "(3, 0)"), "", 0, 3, 0, 1, {0}},
    /* other spellings of the header */
    {1,
     "{\"shape\":(2L,1L),'fortran_order':False,'descr':\"|u1\"}",
     "\7\10",
     2,
     2,
     1,
     1,
     {7, 8}},
};
enum { NPY = sizeof npy / sizeof *npy };

static const struct {
    int version;
    const char *header;
    const char *bytes;
    size_t size;
    const char *reason;
} bad_npy[] = {
    {4, HEADER("|u1", "False", "(1, 1)"), "\1", 1, "NumPy format 4.0"},
    {1, HEADER("<f2", "False", "(1, 1)"), "\1\1", 2, "type '<f2' are not read"},
    {1, HEADER("<f16", "False", "(1, 1)"), "", 0, "type '<f16' are not"},
    {1, HEADER("|O", "False", "(1, 1)"), "", 0, "type '|O' are not"},
    {1, HEADER("<U12", "False", "(1, 1)"), "", 0, "type '<U12' are not"},
    {1, "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}", "",
     0, "entries of type [('x'"},
    {1, HEADER("|u1", "Maybe", "(1, 1)"), "\1", 1, "neither True nor False"},
    {1, HEADER("|u1", "False", "()"), "\1", 1, "array of 0 dimensions"},
    {1, HEADER("|u1", "False", "(1, 1, 1)"), "\1", 1, "of 3 dimensions"},
    {1, HEADER("|u1", "False", "(1, -1)"), "\1", 1, "no tuple of sizes"},
    {1, HEADER("|u1", "False", "(1 1)"), "\1", 1, "no tuple of sizes"},
    {1, HEADER("|u1", "False", "(1,"), "\1", 1, "no tuple of sizes"},
    {1, HEADER("|u1", "False", "7"), "\1", 1, "no tuple of sizes"},
    {1, HEADER("|u1", "False", "(99999999999999999999, 1)"), "\1", 1,
     "size in its shape is too large"},
    {1, HEADER("|u1", "False", "(4294967296, 4294967296)"), "\1", 1,
     "4294967296 by 4294967296 entries: too large"},
    {1, HEADER("|u1", "False", "(16777216, 16777216)"), "\1", 1,
     "no memory for 16777216 by 16777216 entries"},
    {1, "{'descr': '|u1', 'fortran_order': False}", "\1", 1,
     "not one of NumPy's"},
    {1, "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False}", "\1", 1,
     "not one of NumPy's"},
    {1, "{'shape': (1,), 'colour': 1}", "\1", 1, "not one of NumPy's"},
    {1, "{'shape': (1,) 'descr': '|u1'}", "\1", 1, "not one of NumPy's"},
    {1, "", "", 0, "not one of NumPy's"},
    {1, "{", "", 0, "not one of NumPy's"},
    {1, HEADER("|u1", "False", "(2, 3)"), "\1\2\3\4\5", 5,
     "the file ends after 5 of 6 entries"},
    {1, HEADER("<i4", "False", "(1,)"), "\1\2", 2, "after 0 of 1 entries"},
    {1, HEADER("|u1", "False", "(2,)"), "\1\2\3", 3, "more than the 2 entries"},
    {1, HEADER("<f4", "False", "(1, 2)"), "\0\0\0\0\0\0\xC0\x7F", 8,
     "entry (1, 2) is not finite"},
    {1, HEADER(">f8", "False", "(2, 1)"),
     "\0\0\0\0\0\0\0\0\x7F\xF0\0\0\0\0\0\0", 16, "entry (2, 1) is not finite"},
};
enum { BAD_NPY = sizeof bad_npy / sizeof *bad_npy };

START_TEST(reads_npy)
{
    unsigned char file[512];
    const size_t size = make_npy(file, npy[_i].version, npy[_i].header,
                                 npy[_i].bytes, npy[_i].size);
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    if (!read_bytes(".dat", file, size, any, &A, &size_line, &error))
        ck_abort_msg("%s: %s", error.reason, npy[_i].header);
    check_entries(&A, npy[_i].rows, npy[_i].cols, npy[_i].width, npy[_i].at,
                  npy[_i].header);
    ck_assert_int_eq(size_line, 0);
    matrix_free(&A);
}
END_TEST

START_TEST(refuses_npy)
{
    unsigned char file[512];
    const size_t size = make_npy(file, bad_npy[_i].version, bad_npy[_i].header,
                                 bad_npy[_i].bytes, bad_npy[_i].size);
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert_msg(!read_bytes(".npy", file, size, any, &A, &size_line, &error),
                  "accepted: %s", bad_npy[_i].header);
    ck_assert_ptr_null(A.at);
    ck_assert_int_eq(error.line, 0);
    ck_assert_msg(strstr(error.reason, bad_npy[_i].reason) != NULL,
                  "'%s', expected '%s'", error.reason, bad_npy[_i].reason);
}
END_TEST

/* Cut anywhere, a file is refused. */
START_TEST(refuses_a_part_of_an_npy)
{
    unsigned char file[512];
    const size_t whole =
        make_npy(file, 2, HEADER("|u1", "False", "(2, 3)"), "\1\2\3\4\5\6", 6);
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    for (size_t size = 0; size < whole; ++size)
        ck_assert(!read_bytes(".npy", file, size, any, &A, &size_line, &error));
    file[9] = 0x7F; /* a header longer than the file; than all headers */
    ck_assert(!read_bytes(".npy", file, whole, any, &A, &size_line, &error));
    ck_assert_str_eq(error.reason, "the file ends within its header");
    file[11] = 0x7F;
    ck_assert(!read_bytes(".npy", file, whole, any, &A, &size_line, &error));
    ck_assert_ptr_nonnull(strstr(error.reason, "too long"));
}
END_TEST

START_TEST(writes_what_it_reads)
{
    double entries[] = {1.5, -2, 0, 3, 0x1p-20, 7};
    const matrix_t written[] = {{3, 2, 1, entries, {0}},
                                {3, 1, 2, entries, {0}},
                                {6, 1, 1, entries, {0}},
                                {0, 5, 1, entries, {0}}};

    for (int i = 0; i < 8; ++i) {
        const matrix_t *const W = &written[i / 2];
        unsigned char bytes[512];
        matrix_t A;
        int64_t line;
        read_error_t error;
        FILE *const out = tmpfile();
        ck_assert(npy_write(out, W, i % 2 == 1, W->rows == 6));
        rewind(out);
        const size_t size = fread(bytes, 1, sizeof bytes, out);
        fclose(out);
        ck_assert_uint_eq(size, 128 + (size_t)(W->rows * W->cols * W->width *
                                               (i % 2 == 1 ? 4 : 8)));
        ck_assert(bytes[127] == '\n');
        ck_assert(read_bytes(".npy", bytes, size, any, &A, &line, &error));
        check_entries(&A, W->rows, W->cols, W->width, entries, "written");
        matrix_free(&A);
    }
}
END_TEST

/* -- parts ---------------------------------------------------------------------- */

static const char *const mtx[] = {
    "array real general\n3 4\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
    "coordinate real general\n5 3 4\n1 1 2\n5 3 4\n2 3 -1\n5 3 .5\n",
    "coordinate complex hermitian\n4 4 5\n1 1 2 0\n3 1 1 5\n4 2 1 2\n4 4 3 "
    "0\n3 1 2 -1\n",
    "array real skew-symmetric\n3 3\n1\n2\n3\n",
    "coordinate pattern symmetric\n3 3 3\n1 1\n3 1\n3 2\n",
    "array real general\n0 3\n",
};
enum { MTX = sizeof mtx / sizeof *mtx };

/* Each process of each grid reads its part of the file, and all of them write the same file as one
 * process that has the matrix. */
static void check_parts(const char *extension, const void *bytes, size_t size)
{
    static const int grid[][2] = {{1, 1}, {2, 1}, {1, 3}, {2, 2}, {3, 5}};
    matrix_t whole, part;
    int64_t line;
    read_error_t error;

    ck_assert(read_bytes(extension, bytes, size, any, &whole, &line, &error));
    const int64_t numbers = whole.rows * whole.cols * whole.width;
    for (size_t g = 0; g < sizeof grid / sizeof *grid; ++g) {
        char written[2][1024];
        size_t length[2];
        int64_t met = 0;
        FILE *out = tmpfile();
        for (int k = 0; k < grid[g][0] * grid[g][1]; ++k) {
            const place_t place = {grid[g][0], grid[g][1], k / grid[g][1],
                                   k % grid[g][1]};
            const demand_t mine = {.place = &place};
            ck_assert_msg(
                read_bytes(extension, bytes, size, mine, &part, &line, &error),
                "%s", error.reason);
            ck_assert(part.in.rows == whole.rows && part.in.cols == whole.cols);
            for (int64_t j = 0; j < whole.cols; ++j)
                for (int64_t i = 0; i < whole.rows; ++i) {
                    const double *const x = matrix_entry(&part, i, j);
                    for (int c = 0; x && c < whole.width; ++c, ++met)
                        ck_assert(x[c] == matrix_entry(&whole, i, j)[c]);
                }
            ck_assert(npy_write(out, &part, g == 2, false));
            matrix_free(&part);
        }
        ck_assert_int_eq(met, numbers);
        for (int k = 0; k < 2; ++k) {
            rewind(out);
            length[k] = fread(written[k], 1, sizeof written[k], out);
            fclose(out);
            out = tmpfile();
            ck_assert(npy_write(out, &whole, g == 2, false));
        }
        fclose(out);
        ck_assert_uint_eq(length[0], length[1]);
        ck_assert_mem_eq(written[0], written[1], length[0]);
    }
    matrix_free(&whole);
}

START_TEST(reads_parts_of_a_matrix_market_file)
{
    char text[200];
    const int size =
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix %s", mtx[_i]);
    check_parts(".mtx", text, (size_t)size);
}
END_TEST

START_TEST(reads_parts_of_an_npy)
{
    unsigned char file[512];
    static const char entries[48] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
    static const char *const header[] = {
        HEADER("|u1", "False", "(3, 7)"), HEADER("|u1", "True", "(3, 7)"),
        HEADER(">i2", "False", "(8, 3)"), HEADER("<c8", "True", "(2, 3)"),
        HEADER("<f4", "False", "(5,)")};
    static const size_t bytes[] = {21, 21, 48, 48, 20};
    const place_t last = {2, 2, 1, 1};
    const demand_t mine = {.place = &last};
    matrix_t A;
    int64_t line;
    read_error_t error;
    const size_t size = make_npy(file, 1, header[_i], entries, bytes[_i]);

    check_parts(".npy", file, size);
    ck_assert(!read_bytes(".npy", file, size - 1, mine, &A, &line, &error));
    file[size] = 0;
    ck_assert(!read_bytes(".npy", file, size + 1, mine, &A, &line, &error));
    ck_assert_ptr_nonnull(strstr(error.reason, "more than the"));
    ck_assert(!read_bytes(".csv", "1,2\n", 4, mine, &A, &line, &error));
    ck_assert_ptr_nonnull(strstr(error.reason, "CSV; --grid reads"));
}
END_TEST

/* -- which reader; what is asked ---------------------------------------------- */

static const struct {
    const char *extension, *text;
    demand_t demand;
    int64_t line;
    const char *reason; /* NULL: it is read */
} asked[] = {
    /* content before name */
    {".csv",
     "%%MatrixMarket matrix array real general\n1 1\n7\n",
     {0},
     0,
     NULL},
    {"", "%%matrixmarket matrix array real general\n1 1\n7\n", {0}, 0, NULL},
    {".npy", "7\n", {0}, 0, "first bytes"},
    {".npy", "7,8,9,10\n", {0}, 0, "does not begin with \\x93NUMPY"},
    {".mtx", "7\n", {0}, 1, "does not begin with %%MatrixMarket"},
    {".MTX", "7\n", {0}, 1, "does not begin with %%MatrixMarket"},
    {".mtx", "", {0}, 0, "it is empty"},
    {".txt", "7\n", {0}, 0, NULL},
    /* real, single */
    {".mtx",
     "%%MatrixMarket matrix array complex general\n1 1\n7 0\n",
     {0},
     0,
     NULL},
    {".mtx",
     "%%MatrixMarket matrix array complex general\n1 1\n7 0\n",
     {.real = true},
     1,
     "complex, but --real asks for real matrices"},
    {".csv", "7\n", {.real = true, .single = true}, 0, NULL},
    {".csv",
     "1\n1e39\n",
     {.single = true},
     2,
     "too large for single precision"},
    {".mtx",
     "%%MatrixMarket matrix array real general\n1 1\n-1e39\n",
     {.single = true},
     3,
     "'-1e39' is too large for single precision"},
    {".mtx",
     "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 3e38\n"
     "1 1 3e38\n",
     {.single = true},
     4,
     "add up to infinity"},
};
enum { ASKED = sizeof asked / sizeof *asked };

START_TEST(takes_what_is_asked)
{
    const char *const text = asked[_i].text, *const reason = asked[_i].reason;
    matrix_t A;
    int64_t size_line;
    read_error_t error = {0};

    if (read_bytes(asked[_i].extension, text, strlen(text), asked[_i].demand,
                   &A, &size_line, &error)) {
        ck_assert_msg(!reason, "accepted: %s", text);
        ck_assert(A.at[0] == 7);
        matrix_free(&A);
        return;
    }
    ck_assert_msg(reason && strstr(error.reason, reason), "'%s': %s",
                  error.reason, text);
    ck_assert_int_eq(error.line, asked[_i].line);
}
END_TEST

START_TEST(asks_npy_files_too)
{
    unsigned char file[256];
    size_t size = make_npy(file, 1, HEADER(">c8", "False", "(1, 1)"),
                           "\0\0\0\0\0\0\0\0", 8);
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert(!read_bytes("", file, size, (demand_t){.real = true}, &A,
                          &size_line, &error));
    ck_assert_ptr_nonnull(strstr(error.reason, "--real asks for real"));
    size = make_npy(file, 1, HEADER(">f8", "False", "(1, 1)"),
                    "\x7F\0\0\0\0\0\0\0", 8);
    ck_assert(!read_bytes("", file, size, (demand_t){.single = true}, &A,
                          &size_line, &error));
    ck_assert_ptr_nonnull(strstr(error.reason, "entry (1, 1)"));
    ck_assert_ptr_nonnull(strstr(error.reason, "large for single precision"));
}
END_TEST

START_TEST(rounds_to_single)
{
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert(read_bytes("", "0.1\n", 4, (demand_t){.single = true}, &A,
                         &size_line, &error));
    ck_assert(A.at[0] == (double)0.1F);
    matrix_free(&A);
}
END_TEST

START_TEST(narrows_and_widens)
{
    matrix_t A;

    ck_assert(matrix_create(&A, 5, 3, 2));
    for (int i = 0; i < 30; ++i)
        A.at[i] = i;
    matrix_narrow(&A);
    for (int i = 0; i < 30; ++i) {
        float x;
        memcpy(&x, (char *)A.at + (size_t)i * sizeof x, sizeof x);
        ck_assert(x == (float)i);
    }
    matrix_widen(&A);
    for (int i = 0; i < 30; ++i)
        ck_assert(A.at[i] == i);
    matrix_free(&A);
}
END_TEST

START_TEST(refuses_what_is_no_file)
{
    matrix_t A;
    int64_t size_line;
    read_error_t error;

    ck_assert(!input_read("/no/such/file", any, &A, &size_line, &error));
    ck_assert_int_eq(error.line, 0);
    ck_assert_ptr_nonnull(strstr(error.reason, "cannot be opened: No such"));

    ck_assert(!input_read("/", any, &A, &size_line, &error));
    ck_assert_int_eq(error.line, 0);
    ck_assert_ptr_nonnull(strstr(error.reason, "cannot be read"));
    ck_assert_ptr_null(A.at);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("input");
    TCase *t = tcase_create("csv");

    tcase_add_loop_test(t, reads_csv, 0, CSV);
    tcase_add_loop_test(t, refuses_csv, 0, BAD_CSV);
    tcase_add_loop_test(t, reads_told_csv, 0, TOLD_CSV);
    tcase_add_loop_test(t, refuses_told_csv, 0, BAD_TOLD_CSV);
    tcase_add_test(t, reads_a_large_csv);
    suite_add_tcase(s, t);

    t = tcase_create("npy");
    tcase_add_loop_test(t, reads_npy, 0, NPY);
    tcase_add_loop_test(t, refuses_npy, 0, BAD_NPY);
    tcase_add_test(t, refuses_a_part_of_an_npy);
    tcase_add_test(t, writes_what_it_reads);
    suite_add_tcase(s, t);

    t = tcase_create("parts");
    tcase_add_loop_test(t, reads_parts_of_a_matrix_market_file, 0, MTX);
    tcase_add_loop_test(t, reads_parts_of_an_npy, 0, 5);
    suite_add_tcase(s, t);

    t = tcase_create("all");
    tcase_add_loop_test(t, takes_what_is_asked, 0, ASKED);
    tcase_add_test(t, asks_npy_files_too);
    tcase_add_test(t, rounds_to_single);
    tcase_add_test(t, narrows_and_widens);
    tcase_add_test(t, refuses_what_is_no_file);
    suite_add_tcase(s, t);

    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
