/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_arena.c [1] -- one list of arrays measures and allots. */
#include "core/arena.h"
#include "harness/plain.h"

/* three arrays of different types, one of them empty */
static void carve(arena_t *a, double **x, int **y, char **z, float **none)
{
    *x = gsvd_arena_take(a, 100, sizeof **x);
    *none = gsvd_arena_take(a, 0, sizeof **none);
    *y = gsvd_arena_take(a, 7, sizeof **y);
    *z = gsvd_arena_take(a, 1, sizeof **z);
}

static size_t measured(void)
{
    arena_t a = {0};
    double *x;
    float *none;
    int *y;
    char *z;
    carve(&a, &x, &y, &z, &none);
    ck_assert_int_eq(a.full, 0);
    ck_assert_ptr_null(x);
    ck_assert_ptr_null(y);
    return gsvd_arena_bytes(&a);
}

START_TEST(empty_arena_needs_nothing)
{
    const arena_t a = {0};
    ck_assert_uint_eq(gsvd_arena_bytes(&a), 0);
}
END_TEST

/* the measured bytes suffice at any alignment, and arrays stay inside */
START_TEST(measured_bytes_suffice)
{
    const size_t bytes = measured(), skip = (size_t)_i;
    char *memory = grab(bytes + skip);
    arena_t a = gsvd_arena_over(memory + skip, bytes);
    double *x;
    float *none;
    int *y;
    char *z;

    carve(&a, &x, &y, &z, &none);
    ck_assert_int_eq(a.full, 0);
    ck_assert_uint_eq((uintptr_t)x % 256, 0);
    ck_assert_uint_eq((uintptr_t)y % 256, 0);
    ck_assert_uint_eq((uintptr_t)z % 256, 0);
    ck_assert((char *)x >= memory + skip);
    ck_assert((char *)(x + 100) <= (char *)y);
    ck_assert((char *)(y + 7) <= z);
    ck_assert(z + 1 <= memory + skip + bytes);
}
END_TEST

START_TEST(too_small_is_noticed)
{
    const size_t bytes = measured();
    char *memory = grab(bytes);
    double *x;
    float *none;
    int *y;
    char *z;

    for (size_t less = 0; less < bytes; less += 64) {
        arena_t a = gsvd_arena_over(memory, less);
        carve(&a, &x, &y, &z, &none);
        if (less + 512 <= bytes) /* more than the alignment is missing       */
            ck_assert_int_eq(a.full, 1);
        if (z)
            ck_assert(z + 1 <= memory + less);
    }
}
END_TEST

START_TEST(overflow_is_noticed)
{
    arena_t a = {0};
    ck_assert_ptr_null(gsvd_arena_take(&a, INT64_MAX, 16));
    ck_assert_int_eq(a.full, 1);
    arena_t b = {0};
    ck_assert_ptr_null(gsvd_arena_take(&b, -1, 1));
    ck_assert_int_eq(b.full, 1);
    arena_t c = {0};
    for (int i = 0; i < 4; ++i)
        gsvd_arena_take(&c, INT64_MAX / 2, 1);
    ck_assert_int_eq(c.full, 1);
}
END_TEST

/* Counts and sizes next to powers of two: an arena that is not full has told all bytes, and twice
 * as many are a number, so that what drivers take can be added. */
START_TEST(no_sum_wraps)
{
    for (int bits = 20; bits < 64; ++bits)
        for (int less = 0; less < 2; ++less)
            for (size_t element = 1; element <= 16; element += element) {
                const int64_t count =
                    bits == 63 ? INT64_MAX : (INT64_C(1) << bits) - less;
                long double all = 0;
                arena_t a = {0};
                for (int i = 0; i < 5 && !a.full; ++i) {
                    gsvd_arena_take(&a, count, element);
                    all += (long double)count * (long double)element;
                    ck_assert(a.full ||
                              (long double)gsvd_arena_bytes(&a) >= all);
                    ck_assert(a.full ||
                              gsvd_arena_bytes(&a) - 1 <= SIZE_MAX / 2);
                }
            }
}
END_TEST

START_TEST(no_memory_only_counts)
{
    arena_t a = gsvd_arena_over(NULL, 1000);
    ck_assert_ptr_null(gsvd_arena_take(&a, 3, 8));
    ck_assert_int_eq(a.full, 0);
    ck_assert_uint_ge(gsvd_arena_bytes(&a), 24);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("arena");
    TCase *t = add_tcase(s, "arena");
    tcase_add_test(t, empty_arena_needs_nothing);
    tcase_add_loop_test(t, measured_bytes_suffice, 0, 257);
    tcase_add_test(t, too_small_is_noticed);
    tcase_add_test(t, overflow_is_noticed);
    tcase_add_test(t, no_sum_wraps);
    tcase_add_test(t, no_memory_only_counts);
    return s;
}
