/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_status.c [1] -- names, version, handles, options, tolerances, texts. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "harness/plain.h"

static const char *const name[] = {
    "GSVD_SUCCESS",          "GSVD_NOT_CONVERGED",       "GSVD_INVALID_HANDLE",
    "GSVD_INVALID_ARGUMENT", "GSVD_WORKSPACE_TOO_SMALL", "GSVD_OUT_OF_MEMORY",
    "GSVD_NOT_SUPPORTED",    "GSVD_DEVICE_FAILED",       "GSVD_INTERNAL_ERROR",
    "GSVD_OVERFLOW",
};
enum { NAMES = sizeof name / sizeof *name };

#define ck_assert_text(word)                                                   \
    ck_assert_msg(strstr(gsvd_last_error(handle), word) != NULL,               \
                  "no '%s' in '%s'", word, gsvd_last_error(handle))

START_TEST(status_has_a_name)
{
    ck_assert_str_eq(gsvd_status_name((gsvd_status_t)_i), name[_i]);
}
END_TEST

START_TEST(unknown_status_has_a_name)
{
    ck_assert_ptr_nonnull(gsvd_status_name((gsvd_status_t)1000));
    ck_assert_ptr_nonnull(gsvd_status_name((gsvd_status_t)NAMES));
}
END_TEST

START_TEST(version_is_the_header_s)
{
    ck_assert_int_eq(gsvd_version(), 10000 * GSVD_VERSION_MAJOR +
                                         100 * GSVD_VERSION_MINOR +
                                         GSVD_VERSION_PATCH);
}
END_TEST

static gsvd_problem_t tiny(gsvd_type_t type, gsvd_routine_t routine)
{
    return problem_of_type(type, routine, GSVD_PLACE_HOST, "NNN", 1, 1, 1);
}

START_TEST(null_handle)
{
    gsvd_stats_t stats = {.size = sizeof stats};
    int device;
    size_t d, h;

    ck_assert_status(gsvd_create(NULL, GSVD_HOST), GSVD_INVALID_HANDLE);
    ck_assert_ok(gsvd_destroy(NULL));
    ck_assert_status(gsvd_set_stream(NULL, NULL), GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_get_device(NULL, &device), GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_set_option(NULL, GSVD_FORM, 0), GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_set_option(NULL, GSVD_TOL_A, -1),
                     GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_set_workspace(NULL, NULL, 0, NULL, 0),
                     GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_set_progress(NULL, NULL, NULL), GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_get_stats(NULL, &stats), GSVD_INVALID_HANDLE);
    for (int routine = GSVD_ROUTINE_GSVD; routine <= GSVD_ROUTINE_URV;
         ++routine)
        ck_assert_status(
            workspace_of(NULL, tiny(GSVD_D, (gsvd_routine_t)routine), &d, &h),
            GSVD_INVALID_HANDLE);
    ck_assert_ptr_nonnull(strstr(gsvd_last_error(NULL), "NULL"));
}
END_TEST

START_TEST(device_of_a_handle)
{
    int device = -99;
    gsvd_handle_t h = NULL;

    ck_assert_ok(gsvd_get_device(handle, &device));
    ck_assert_int_eq(device, on_device ? 0 : GSVD_HOST);
    ck_assert_ok(gsvd_create(&h, GSVD_HOST));
    ck_assert_str_eq(gsvd_last_error(h), "");
    ck_assert_ok(gsvd_get_device(h, &device));
    ck_assert_int_eq(device, GSVD_HOST);
    ck_assert_status(gsvd_set_stream(h, NULL), GSVD_NOT_SUPPORTED);
    ck_assert_str_ne(gsvd_last_error(h), "");
    ck_assert_ok(gsvd_destroy(h));

    ck_assert_ok(gsvd_create(&h, GSVD_ANY));
    ck_assert_ok(gsvd_get_device(h, &device));
    ck_assert_int_eq(device, cuda_devices() > 0 ? 0 : GSVD_HOST);
    ck_assert_ok(gsvd_destroy(h));

    ck_assert_status(gsvd_get_device(handle, NULL), GSVD_INVALID_ARGUMENT);
    ck_assert_text("device");
}
END_TEST

START_TEST(no_such_device)
{
    static const int wrong[] = {-3, 1000, -100};
    gsvd_handle_t h = NULL;
    const gsvd_status_t expected =
        GSVD_HAVE_CUDA ? GSVD_DEVICE_FAILED : GSVD_NOT_SUPPORTED;
    const gsvd_status_t got = gsvd_create(&h, wrong[_i]);
    ck_assert_ptr_null(h);
    if (wrong[_i] > 0)
        ck_assert_int_eq(got, expected);
    else
        ck_assert_int_eq(got, GSVD_INVALID_ARGUMENT);
    ck_assert_str_ne(gsvd_last_error(NULL), "");
    if (got == GSVD_NOT_SUPPORTED)
        ck_assert_ptr_nonnull(strstr(gsvd_last_error(NULL), "without CUDA"));
    ck_assert_ok(gsvd_create(&h, GSVD_HOST));
    ck_assert_str_eq(gsvd_last_error(NULL), "");
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* -- a stub of CUDA's space, each of whose devices works or refuses ------------- */

static gsvd_status_t stub_status[3];

static gsvd_status_t stub_open(gsvd_handle_t h, int device)
{
    return stub_status[device] == GSVD_SUCCESS
               ? GSVD_SUCCESS
               : gsvd_fail(h, stub_status[device], "device %d says no", device);
}

static space_t stub_space(void)
{
    space_t stub = gsvd_space_host;
    stub.open = stub_open;
    return stub;
}

/* what each of so many devices says, and which of them GSVD_ANY takes */
static const struct {
    int devices;
    gsvd_status_t status[3];
    int taken;
    const char *text;
} choice[] = {
    {0, {0}, GSVD_HOST, ""},
    {1, {GSVD_SUCCESS}, 0, ""},
    {1, {GSVD_NOT_SUPPORTED}, GSVD_HOST, "device 0 says no"},
    {2, {GSVD_NOT_SUPPORTED, GSVD_SUCCESS}, 1, "device 0 says no"},
    {3, {GSVD_DEVICE_FAILED, GSVD_OUT_OF_MEMORY}, 2, "device 1 says no"},
    {2, {GSVD_SUCCESS, GSVD_DEVICE_FAILED}, 0, ""},
    {3,
     {GSVD_NOT_SUPPORTED, GSVD_OUT_OF_MEMORY, GSVD_DEVICE_FAILED},
     GSVD_HOST,
     "device 2 says no"},
};
enum { SETTINGS = sizeof choice / sizeof *choice };

START_TEST(any_device_that_works)
{
    const space_t stub = stub_space();
    gsvd_handle_t h = NULL;
    int device;
    memcpy(stub_status, choice[_i].status, sizeof stub_status);
    (void)gsvd_create_failed(GSVD_SUCCESS, "");
    ck_assert_ok(gsvd_create_among(&h, GSVD_ANY, &stub, choice[_i].devices));
    ck_assert_ok(gsvd_get_device(h, &device));
    ck_assert_int_eq(device, choice[_i].taken);
    ck_assert_str_eq(gsvd_last_error(NULL), choice[_i].text);
    ck_assert_str_eq(gsvd_last_error(h), "");
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* a device that is asked for by its number is not replaced by another */
START_TEST(one_device_that_refuses)
{
    const space_t stub = stub_space();
    gsvd_handle_t h = NULL;
    memcpy(stub_status, choice[_i].status, sizeof stub_status);
    for (int device = 0; device < choice[_i].devices; ++device) {
        const gsvd_status_t expected = choice[_i].status[device];
        char text[32];
        (void)gsvd_create_failed(GSVD_SUCCESS, "");
        ck_assert_status(
            gsvd_create_among(&h, device, &stub, choice[_i].devices), expected);
        snprintf(text, sizeof text, "device %d says no", device);
        ck_assert_str_eq(gsvd_last_error(NULL),
                         expected == GSVD_SUCCESS ? "" : text);
        ck_assert_int_eq(h == NULL, expected != GSVD_SUCCESS);
        ck_assert_ok(gsvd_destroy(h));
        h = NULL;
    }
}
END_TEST

/* the text of a failed gsvd_create is its thread's */
static void *other_thread(void *text)
{
    gsvd_handle_t h = NULL;
    const int empty = strcmp(gsvd_last_error(NULL), "") == 0;
    (void)gsvd_create(&h, -100);
    snprintf(text, 256, "%s", gsvd_last_error(NULL));
    return empty ? text : NULL;
}

START_TEST(each_thread_has_its_text)
{
    char text[256], *returned = NULL;
    gsvd_handle_t h = NULL;
    pthread_t thread;
    ck_assert_status(gsvd_create(&h, 1000),
                     GSVD_HAVE_CUDA ? GSVD_DEVICE_FAILED : GSVD_NOT_SUPPORTED);
    const char *const mine = gsvd_last_error(NULL);
    ck_assert_str_ne(mine, "");
    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, text), 0);
    ck_assert_int_eq(pthread_join(thread, (void **)&returned), 0);
    ck_assert_ptr_eq(returned, text);
    ck_assert_str_ne(text, "");
    ck_assert_str_ne(text, mine);
}
END_TEST

static const struct {
    int key;
    double value;
    gsvd_status_t status;
} option[] = {
    {GSVD_SOLVER, GSVD_SOLVER_AUTO, GSVD_SUCCESS},
    {GSVD_SOLVER, GSVD_SOLVER_TANGENT, GSVD_SUCCESS},
    {GSVD_SOLVER, GSVD_SOLVER_CSD, GSVD_SUCCESS},
    {GSVD_SOLVER, GSVD_SOLVER_TGSJA, GSVD_SUCCESS},
    {GSVD_SOLVER, -1, GSVD_INVALID_ARGUMENT},
    {GSVD_SOLVER, 4, GSVD_INVALID_ARGUMENT},
    {GSVD_FORM, GSVD_FORM_LAPACK, GSVD_SUCCESS},
    {GSVD_FORM, GSVD_FORM_X, GSVD_SUCCESS},
    {GSVD_FORM, GSVD_FORM_XINV, GSVD_SUCCESS},
    {GSVD_FORM, -1, GSVD_INVALID_ARGUMENT},
    {GSVD_FORM, 3, GSVD_INVALID_ARGUMENT},
    {GSVD_PIVOT, GSVD_PIVOT_TOURNAMENT, GSVD_SUCCESS},
    {GSVD_PIVOT, GSVD_PIVOT_NORM, GSVD_SUCCESS},
    {GSVD_PIVOT, -1, GSVD_INVALID_ARGUMENT},
    {GSVD_PIVOT, 1, GSVD_INVALID_ARGUMENT},
    {GSVD_PIVOT, 3, GSVD_INVALID_ARGUMENT},
    {GSVD_PANEL, GSVD_PANEL_TSQR, GSVD_SUCCESS},
    {GSVD_PANEL, 2, GSVD_INVALID_ARGUMENT},
    {GSVD_MAX_SWEEPS, 1, GSVD_SUCCESS},
    {GSVD_MAX_SWEEPS, 100, GSVD_SUCCESS},
    {GSVD_MAX_SWEEPS, 0, GSVD_INVALID_ARGUMENT},
    {GSVD_MAX_SWEEPS, -5, GSVD_INVALID_ARGUMENT},
    {-1, 0, GSVD_INVALID_ARGUMENT},
    {GSVD_SVD, GSVD_SVD_JACOBI, GSVD_SUCCESS},
    {GSVD_SVD, GSVD_SVD_BIDIAGONAL, GSVD_SUCCESS},
    {GSVD_SVD, 3, GSVD_INVALID_ARGUMENT},
    {GSVD_EQUILIBRATE, -1, GSVD_INVALID_ARGUMENT},
    {GSVD_EQUILIBRATE, 2, GSVD_SUCCESS},
    {GSVD_EQUILIBRATE, 3, GSVD_INVALID_ARGUMENT},
    {GSVD_RANK, -1, GSVD_INVALID_ARGUMENT},
    {GSVD_RANK, GSVD_RANK_ROWS, GSVD_SUCCESS},
    {GSVD_RANK, 2, GSVD_INVALID_ARGUMENT},
    {GSVD_RANK, 0.5, GSVD_INVALID_ARGUMENT},
    {GSVD_EIGH, -1, GSVD_INVALID_ARGUMENT},
    {GSVD_EIGH, GSVD_EIGH_FACTOR, GSVD_SUCCESS},
    {GSVD_EIGH, 3, GSVD_INVALID_ARGUMENT},
    {GSVD_EIGH + 1, 1, GSVD_INVALID_ARGUMENT},
    {-1, 1, GSVD_INVALID_ARGUMENT},
    {1000, 1, GSVD_INVALID_ARGUMENT},
    {GSVD_MAX_SWEEPS, NAN, GSVD_INVALID_ARGUMENT},
    {GSVD_SOLVER, INFINITY, GSVD_INVALID_ARGUMENT},
};
enum { OPTION_CASES = sizeof option / sizeof *option };

START_TEST(options_have_ranges)
{
    double before[OPTIONS], value;
    memcpy(before, handle->option, sizeof before);
    ck_assert_status(gsvd_set_option(handle, (gsvd_option_t)option[_i].key,
                                     option[_i].value),
                     option[_i].status);
    if (option[_i].status == GSVD_SUCCESS) {
        ck_assert_ok(
            gsvd_get_option(handle, (gsvd_option_t)option[_i].key, &value));
        ck_assert(value == option[_i].value);
    } else {
        ck_assert_mem_eq(before, handle->option, sizeof before);
    }
}
END_TEST

START_TEST(texts_name_the_argument)
{
    gsvd_set_option(handle, (gsvd_option_t)77, 1);
    ck_assert_text("key");
    ck_assert_text("77");
    gsvd_set_option(handle, GSVD_MAX_SWEEPS, -8);
    ck_assert_text("value");
    ck_assert_text("-8");
    gsvd_set_option(handle, (gsvd_option_t)78, 1);
    ck_assert_text("key");
    ck_assert_text("78");
    gsvd_set_option(handle, GSVD_TOL_A, NAN);
    ck_assert_text("value");
    ck_assert_text("GSVD_TOL_A");
    gsvd_get_option(handle, GSVD_TOL_A, NULL);
    ck_assert_text("value");
    gsvd_get_stats(handle, NULL);
    ck_assert_text("stats");
    gsvd_stats_t none = {0};
    ck_assert_status(gsvd_get_stats(handle, &none), GSVD_INVALID_ARGUMENT);
    ck_assert_text("stats.size");
}
END_TEST

START_TEST(tolerances_have_ranges)
{
    static const double good[] = {-1, 0, 1e-3, 1e10};
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int key = GSVD_TOL_A; key <= GSVD_TOL_JACOBI; ++key) {
        for (int i = 0; i < 4; ++i) {
            ck_assert_ok(gsvd_set_option(handle, (gsvd_option_t)key, good[i]));
            ck_assert(handle->option[key] == good[i]);
        }
        for (int i = 0; i < 3; ++i)
            ck_assert_status(
                gsvd_set_option(handle, (gsvd_option_t)key, bad[i]),
                GSVD_INVALID_ARGUMENT);
        ck_assert(handle->option[key] == good[3]);
    }
}
END_TEST

static double option_of(gsvd_handle_t h, int key)
{
    double value = NAN;
    ck_assert_ok(gsvd_get_option(h, (gsvd_option_t)key, &value));
    return value;
}

static void check_defaults(gsvd_handle_t h)
{
    ck_assert(option_of(h, GSVD_SOLVER) == GSVD_SOLVER_AUTO);
    ck_assert(option_of(h, GSVD_FORM) == GSVD_FORM_LAPACK);
    ck_assert(option_of(h, GSVD_MAX_SWEEPS) == 30);
    ck_assert(option_of(h, GSVD_PIVOT) == GSVD_PIVOT_TOURNAMENT);
    ck_assert(option_of(h, GSVD_PANEL) == GSVD_PANEL_AUTO);
    ck_assert(option_of(h, GSVD_SVD) == GSVD_SVD_AUTO);
    ck_assert(option_of(h, GSVD_EQUILIBRATE) == GSVD_EQUILIBRATE_AUTO);
    ck_assert(option_of(h, GSVD_RANK) == GSVD_RANK_NORM);
    ck_assert(option_of(h, GSVD_EIGH) == GSVD_EIGH_AUTO);
    for (int key = GSVD_TOL_A; key <= GSVD_TOL_JACOBI; ++key)
        ck_assert(option_of(h, key) < 0);
    ck_assert(h->progress == NULL && !h->dwork && !h->hwork);
}

static int go_on(void *user, int sweep, int64_t rotations)
{
    (void)user, (void)sweep, (void)rotations;
    return 0;
}

/* A handle that was reset has what a new one has. */
START_TEST(defaults_and_reset)
{
    gsvd_handle_t h = NULL;
    gsvd_stats_t stats = {.size = sizeof stats};
    char memory[64];
    ck_assert_ok(gsvd_create(&h, on_device ? 0 : GSVD_HOST));
    check_defaults(h);
    for (int key = 0; key < OPTIONS; ++key)
        ck_assert_ok(gsvd_set_option(h, (gsvd_option_t)key,
                                     key == GSVD_PIVOT ? GSVD_PIVOT_NORM : 1));
    ck_assert_ok(gsvd_set_progress(h, go_on, memory));
    ck_assert_ok(gsvd_set_workspace(h, NULL, 0, memory, sizeof memory));
    ck_assert_ok(gsvd_reset(h));
    check_defaults(h);
    ck_assert_ok(gsvd_get_stats(h, &stats));
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_status(gsvd_reset(NULL), GSVD_INVALID_HANDLE);
    ck_assert_status(gsvd_get_option(NULL, GSVD_FORM, &(double){0}),
                     GSVD_INVALID_HANDLE);
}
END_TEST

/* A program with another header has a struct of another size. */
START_TEST(stats_of_other_sizes)
{
    struct {
        gsvd_stats_t stats;
        char more[16];
    } newer = {.stats.size = sizeof newer, .more = "written by none"};
    struct {
        char stats[offsetof(gsvd_stats_t, device)], behind;
    } older = {.behind = 'x'};
    const size_t size = sizeof older.stats;
    int64_t k = -1;

    ck_assert_ok(gsvd_get_stats(handle, &newer.stats));
    ck_assert_uint_eq(newer.stats.size, sizeof newer);
    for (size_t i = 0; i < sizeof newer.more; ++i)
        ck_assert_int_eq(newer.more[i], 0);
    memset(older.stats, 1, size);
    memcpy(older.stats, &size, sizeof size);
    ck_assert_ok(gsvd_get_stats(handle, (gsvd_stats_t *)(void *)&older));
    memcpy(&k, older.stats + offsetof(gsvd_stats_t, k), sizeof k);
    ck_assert_int_eq(k, newer.stats.k);
    ck_assert_int_eq(older.behind, 'x');
}
END_TEST

/* A letter that is none is refused. */
START_TEST(unknown_type)
{
    size_t d, h;
    ck_assert_status(
        workspace_of(handle, tiny((gsvd_type_t)'x', GSVD_ROUTINE_GSVD), &d, &h),
        GSVD_NOT_SUPPORTED);
    ck_assert_text("type");
}
END_TEST

/* [sdcz] in this order: a letter that was not built is not supported */
START_TEST(types_that_are_built)
{
    static const struct {
        gsvd_type_t type;
        int built;
    } all[] = {
        {GSVD_S, GSVD_HAVE_S},
        {GSVD_D, GSVD_HAVE_D},
        {GSVD_C, GSVD_HAVE_C},
        {GSVD_Z, GSVD_HAVE_Z},
    };
    size_t d, h;
    ck_assert_status(
        workspace_of(handle, tiny(all[_i].type, GSVD_ROUTINE_GSVD), &d, &h),
        all[_i].built ? GSVD_SUCCESS : GSVD_NOT_SUPPORTED);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("status");
    TCase *t = add_tcase(s, "status");
    tcase_add_loop_test(t, status_has_a_name, 0, NAMES);
    tcase_add_test(t, unknown_status_has_a_name);
    tcase_add_test(t, version_is_the_header_s);
    tcase_add_test(t, null_handle);
    tcase_add_test(t, device_of_a_handle);
    tcase_add_loop_test(t, no_such_device, 0, 3);
    tcase_add_loop_test(t, any_device_that_works, 0, SETTINGS);
    tcase_add_loop_test(t, one_device_that_refuses, 0, SETTINGS);
    tcase_add_test(t, each_thread_has_its_text);
    tcase_add_loop_test(t, options_have_ranges, 0, OPTION_CASES);
    tcase_add_test(t, texts_name_the_argument);
    tcase_add_test(t, tolerances_have_ranges);
    tcase_add_test(t, defaults_and_reset);
    tcase_add_test(t, stats_of_other_sizes);
    tcase_add_test(t, unknown_type);
    tcase_add_loop_test(t, types_that_are_built, 0, 4);
    return s;
}
