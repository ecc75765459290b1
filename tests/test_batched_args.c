/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_args.c -- each argument check of calls of many problems: its number in the list
 * of its form, in the text of the error. */
#include <stdio.h>

#include "harness/batches.h"

enum { COUNT = 3, M = 6, N = 4, P = 5, ONE = 1 /* a problem of all sizes */ };

static const char *const all_jobs[KINDS] = {"UV", "UV", "UVQ"};

/* Numbers of arguments; 0: there is none.  ld is behind its matrix, a stride behind ld, or behind
 * its vector. */
typedef struct numbers {
    int sizes, k, array[MANY_ARRAYS], info;
} numbers_t;

static const numbers_t strided[KINDS] = {
    [MANY_SVD] = {0, 0, {5, 0, 10, 13, 0, 8, 0}, 16},
    [MANY_HSVD] = {0, 0, {6, 0, 13, 16, 0, 11, 0}, 19},
    [MANY_GSVD] = {0, 7, {9, 12, 19, 22, 25, 15, 17}, 28}};
static const numbers_t pointers[KINDS] = {
    [MANY_SVD] = {0, 0, {5, 0, 8, 10, 0, 7, 0}, 12},
    [MANY_HSVD] = {0, 0, {6, 0, 10, 12, 0, 9, 0}, 14},
    [MANY_GSVD] = {0, 7, {9, 11, 15, 17, 19, 13, 14}, 21}};
static const numbers_t sized[KINDS] = {
    [MANY_SVD] = {5, 0, {7, 0, 10, 12, 0, 9, 0}, 14},
    [MANY_GSVD] = {7, 10, {12, 14, 18, 20, 22, 16, 17}, 24}};

static const numbers_t *numbers_of(const many_t *b)
{
    return b->form == SIZED      ? &sized[b->kind]
           : b->form == POINTERS ? &pointers[b->kind]
                                 : &strided[b->kind];
}

static int is_vector(int x) { return x == MANY_ALPHA || x == MANY_BETA; }

/* A batch whose problem ONE has the largest sizes */
static many_t legal(int what, int form)
{
    many_t b = new_many((many_kind_t)what, (form_t)form, all_jobs[what], COUNT,
                        M, N, P, 3);
    if (form == SIZED) {
        b.each[0][ONE] = M;
        b.each[1][ONE] = N;
        b.each[2][ONE] = P;
    }
    return b;
}

/* ---- faults ------------------------------------------------------------------ */

static void ck_assert_refused(const many_t *b, const sent_t *s, int number)
{
    const gsvd_status_t status = call_sent(HOST, handle, b, s);
    int told = 0;
    (void)sscanf(gsvd_last_error(handle), "argument %d,", &told);
    ck_assert_msg(status == GSVD_INVALID_ARGUMENT && told == number,
                  "%s, %s: argument %d is wrong, told: %s", kind_name[b->kind],
                  form_name[b->form], number, gsvd_last_error(handle));
}

static void ck_assert_taken(const many_t *b, const sent_t *s)
{
    const gsvd_status_t status = call_sent(HOST, handle, b, s);
    ck_assert_msg(status == GSVD_SUCCESS, "%s, %s: %s", kind_name[b->kind],
                  form_name[b->form], gsvd_last_error(handle));
}

/* Array x of a strided call: its address, ld and stride */
static void strided_faults(const many_t *b, const sent_t *s, int x, int number)
{
    const int behind = is_vector(x) ? number + 1 : number + 2;
    const spread_t *const a = &b->place[x];
    many_t c = *b;
    sent_t t = *s;

    t.at[x] = NULL;
    ck_assert_refused(b, &t, number);
    t.at[x] = s->at[x] + 1;
    ck_assert_refused(b, &t, number);

    c.place[x].stride = -a->stride;
    ck_assert_refused(&c, s, behind);
    if (is_vector(x)) {
        c.place[x].stride = a->rows - 1;
        ck_assert_refused(&c, s, behind);
        c.place[x].stride = a->rows;
        ck_assert_taken(&c, s);
        return;
    }
    c.place[x].stride =
        a->ld * (a->cols - 1) + a->rows; /* one behind another */
    ck_assert_taken(&c, s);
    --c.place[x].stride;
    ck_assert_refused(&c, s, behind);
    c.place[x].stride = a->rows + 1; /* one above another                    */
    c.place[x].ld = (COUNT - 1) * (a->rows + 1) + a->rows;
    ck_assert_taken(&c, s);
    --c.place[x].ld;
    ck_assert_refused(&c, s, behind);
    c.place[x].stride = a->rows - 1; /* rows of one in those of the next     */
    c.place[x].ld = 100 * a->rows;
    ck_assert_refused(&c, s, behind);
}

/* ... of a call by addresses: the list, and the address of a problem */
static void address_faults(const many_t *b, const sent_t *s, int x, int number)
{
    void **const list = s->each[x], *const address = list[ONE];
    sent_t t = *s;

    t.each[x] = NULL;
    ck_assert_refused(b, &t, number);
    t.each[x] = (void **)(void *)((char *)list + 1);
    ck_assert_refused(b, &t, number);
    list[ONE] = NULL;
    ck_assert_refused(b, s, number);
    list[ONE] = (char *)address + 1;
    ck_assert_refused(b, s, number);
    list[ONE] = address;
}

/* ... its leading dimension, one for all, or of one problem */
static void ld_faults(const many_t *b, const sent_t *s, int x, int number)
{
    const int64_t wrong[] = {b->place[x].rows - 1, 0, (int64_t)1 << 31};
    many_t c = *b;
    sent_t t = *s;

    for (int i = 0; i < 3; ++i) {
        c.place[x].ld = wrong[i];
        if (b->form != SIZED) {
            ck_assert_refused(&c, s, number);
            continue;
        }
        const int64_t ld = s->ld[x][ONE];
        s->ld[x][ONE] = wrong[i];
        ck_assert_refused(b, s, number);
        s->ld[x][ONE] = ld;
    }
    if (b->form != SIZED)
        return;
    t.ld[x] = NULL;
    ck_assert_refused(b, &t, number);
}

static void size_faults(const many_t *b, const sent_t *s, int number)
{
    const int64_t most[] = {M, N, P};
    for (int i = 0; i < (b->kind == MANY_GSVD ? 3 : 2); ++i) {
        const int64_t size = s->size[i][ONE];
        sent_t t = *s;
        t.size[i] = NULL;
        ck_assert_refused(b, &t, number + i);
        s->size[i][ONE] = -1;
        ck_assert_refused(b, s, number + i);
        s->size[i][ONE] = most[i] + 1;
        ck_assert_refused(b, s, number + i);
        s->size[i][ONE] = size;
    }
}

/* k, l, info, and how many problems there are */
static void other_faults(const many_t *b, const sent_t *s, const numbers_t *n)
{
    many_t c = *b;
    sent_t t = *s;

    for (int i = 0; i < 2 && n->k > 0; ++i) {
        t = *s;
        *(i ? &t.l : &t.k) = NULL;
        ck_assert_refused(b, &t, n->k + i);
        *(i ? &t.l : &t.k) = (int64_t *)(void *)((char *)s->k + 1);
        ck_assert_refused(b, &t, n->k + i);
    }
    t = *s;
    t.info = NULL;
    ck_assert_refused(b, &t, n->info);
    t.info = (int *)(void *)((char *)s->info + 1);
    ck_assert_refused(b, &t, n->info);
    c.count = -1;
    ck_assert_refused(&c, s, n->info + 1);
    c.count = 0;
    ck_assert_taken(&c, s);
}

/* ---- tests -------------------------------------------------------------------- */

START_TEST(one_fault)
{
    const int what = _i / FORMS, form = _i % FORMS;
    if ((what == MANY_HSVD && form == SIZED) || form == STACKED)
        return;
    const many_t b = legal(what, form);
    const sent_t s = send_many(HOST, &b);
    const numbers_t *const n = numbers_of(&b);

    ck_assert_taken(&b, &s);
    for (int x = 0; x < MANY_ARRAYS; ++x) {
        if (n->array[x] == 0)
            continue;
        if (form == STRIDED)
            strided_faults(&b, &s, x, n->array[x]);
        else
            address_faults(&b, &s, x, n->array[x]);
        if (!is_vector(x))
            ld_faults(&b, &s, x, n->array[x] + 1);
    }
    if (n->sizes > 0)
        size_faults(&b, &s, n->sizes);
    other_faults(&b, &s, n);
    ck_assert_taken(&b, &s);
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("batched_args");
    tcase_add_loop_test(add_tcase(s, "arguments"), one_fault, 0, KINDS * FORMS);
    return s;
}
