/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_align.c -- where arrays may begin: at any element, nowhere between two. */
#include <stddef.h>

#include "harness/routines.h"

typedef enum element { SCALARS, REALS, INTEGERS } element_t;

/* A pointer of the calls, and its number in each routine's arguments; 0: the
 * routine has none such. */
static const struct {
    const char *name;
    size_t field;
    element_t element;
    int number[TASKS];
} pointer[] = {
    {"A",
     offsetof(task_t, A),
     SCALARS,
     {9, 7, 9, 3, 3, 6, 4, 3, 5, 5, 6, 4, 4}},
    {"B", offsetof(task_t, B), SCALARS, {11, 9, 11}},
    {"C", offsetof(task_t, C), SCALARS, {[TASK_QR_APPLY] = 9}},
    {"U",
     offsetof(task_t, U),
     SCALARS,
     {15, 15, 17, [TASK_URV] = 9, [TASK_SVD] = 8, [TASK_HSVD] = 10}},
    {"V",
     offsetof(task_t, V),
     SCALARS,
     {17, 17, 19, [TASK_URV] = 11, [TASK_SVD] = 10, [TASK_HSVD] = 12}},
    {"G", offsetof(task_t, U), SCALARS, {[TASK_LDL] = 9}},
    {"D", offsetof(task_t, V), SCALARS, {[TASK_LDL] = 11}},
    {"Q", offsetof(task_t, Q), SCALARS, {19, 19, 21, [TASK_EIGH] = 7}},
    {"tau",
     offsetof(task_t, tau),
     SCALARS,
     {[TASK_QR] = 5, [TASK_QR_APPLY] = 8, [TASK_QR_FORM] = 6, [TASK_GEQP] = 6}},
    {"alpha", offsetof(task_t, alpha), REALS, {13, 0, 15}},
    {"sigma",
     offsetof(task_t, alpha),
     REALS,
     {[TASK_SVD] = 7, [TASK_HSVD] = 9}},
    {"w", offsetof(task_t, alpha), REALS, {[TASK_EIGH] = 6}},
    {"beta", offsetof(task_t, beta), REALS, {14, 0, 16}},
    {"jpvt",
     offsetof(task_t, jpvt),
     INTEGERS,
     {[TASK_GEQP] = 5, [TASK_LDL] = 14}},
    {"J", offsetof(task_t, J), INTEGERS, {[TASK_HSVD] = 8}},
    {"k", offsetof(task_t, k), INTEGERS, {7, 13}},
    {"l", offsetof(task_t, l), INTEGERS, {8, 14}},
    {"rank",
     offsetof(task_t, k),
     INTEGERS,
     {[TASK_GEQP] = 8, [TASK_URV] = 8, [TASK_LDL] = 7}},
    {"n_plus", offsetof(task_t, l), INTEGERS, {[TASK_LDL] = 8}},
};
enum { POINTERS = sizeof pointer / sizeof *pointer };

/* bytes between legal beginnings: on a device elements are loaded whole */
static size_t step(int i, door_t door)
{
    switch (pointer[i].element) {
    case SCALARS: return door == GPU ? sizeof(scalar_t) : sizeof(real_t);
    case REALS: return sizeof(real_t);
    default: return sizeof(int64_t);
    }
}

static void move_pointer(task_t *t, int i, size_t bytes)
{
    char *p;
    memcpy(&p, (char *)t + pointer[i].field, sizeof p);
    p += bytes;
    memcpy((char *)t + pointer[i].field, &p, sizeof p);
}

/* each pointer alone, at each place between two elements */
START_TEST(between_two_elements)
{
    for (int routine = 0; routine < TASKS; ++routine)
        for (int door = 0; door < doors(); ++door) {
            const int number = pointer[_i].number[routine];
            if (number == 0)
                continue;
            const task_t legal = new_task(routine, (door_t)door, 0);
            for (size_t by = 1; by < step(_i, (door_t)door); ++by) {
                task_t t = legal;
                move_pointer(&t, _i, by);
                ck_assert_status(run_task(handle, &t), GSVD_INVALID_ARGUMENT);
                ck_assert_msg(t.info == -number,
                              "%s of %s, %zu bytes on: info %d, not %d",
                              pointer[_i].name, task_name[routine], by, t.info,
                              -number);
                const char *const text = gsvd_last_error(handle);
                ck_assert_msg(strstr(text, pointer[_i].name) &&
                                  strstr(text, "aligned"),
                              "%s: '%s'", pointer[_i].name, text);
            }
            release_pool();
        }
}
END_TEST

/* all arrays at once, one element on; on the host complex ones half an element too,
 * as a Fortran program may have them */
START_TEST(at_any_element)
{
    for (int door = 0; door < doors(); ++door)
        for (int halves = 1; halves <= 2; ++halves) {
            const size_t skip = sizeof(scalar_t) * (size_t)halves / 2;
            if (halves == 1 && (door == GPU || skip < sizeof(real_t)))
                continue;
            task_t t = new_task(_i, (door_t)door, skip);
            ck_assert_ok(run_task(handle, &t));
            ck_assert_int_eq(t.info, 0);
            release_pool();
        }
}
END_TEST

/* workspace may begin anywhere */
START_TEST(workspace_anywhere)
{
    const size_t bytes = (size_t)64 << 20;
    for (int door = 0; door < doors(); ++door) {
        task_t t = new_task(_i, (door_t)door, 0);
        t.hwork = (char *)grab(bytes) + 3;
        t.hwork_bytes = bytes - 3;
        if (on_device) {
            t.dwork = (char *)grab_backend(bytes) + 5;
            t.dwork_bytes = bytes - 5;
        }
        ck_assert_ok(run_task(handle, &t));
        ck_assert_int_eq(t.info, 0);
        release_pool();
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("align");
    TCase *t = add_tcase(s, "alignment");
    tcase_add_loop_test(t, between_two_elements, 0, POINTERS);
    tcase_add_loop_test(t, at_any_element, 0, TASKS);
    tcase_add_loop_test(t, workspace_anywhere, 0, TASKS);
    return s;
}
