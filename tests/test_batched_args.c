/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_args.c -- each check of many problems: the member that the text of the error
 * names. */
#include <stdio.h>

#include "harness/batches.h"

enum { COUNT = 3, M = 6, N = 4, P = 5, ONE = 1 /* a problem of all sizes */ };

static const char *const all_jobs[KINDS] = {"UV", "UV", "UVQ"};

static const char *const name_of[MANY_ARRAYS] = {"A", "B",     "U",   "V",
                                                 "Q", "alpha", "beta"};

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

/* The member is the one of that name, and of an array's that part. */
static void ck_assert_refused(const gsvd_problem_t *p, const char *name,
                              const char *part)
{
    char text[40];
    const int length =
        snprintf(text, sizeof text, "problem.%s%s: ", name, part);
    const gsvd_status_t status = gsvd_run(handle, p);
    ck_assert_msg(status == GSVD_INVALID_ARGUMENT &&
                      strncmp(gsvd_last_error(handle), text, (size_t)length) ==
                          0,
                  "routine %d: %sis wrong, told: %s", (int)p->routine, text,
                  gsvd_last_error(handle));
}

static void ck_assert_taken(const gsvd_problem_t *p)
{
    const gsvd_status_t status = gsvd_run(handle, p);
    ck_assert_msg(status == GSVD_SUCCESS, "routine %d: %s", (int)p->routine,
                  gsvd_last_error(handle));
}

/* Array x of a strided call: its address, ld and stride */
static void strided_faults(const many_t *b, const gsvd_problem_t *p, int x)
{
    const char *const name = name_of[x];
    const int64_t rows = b->place[x].rows, cols = b->place[x].cols;
    gsvd_problem_t q = *p;
    gsvd_array_t *const a = member_of(&q, x);
    const gsvd_array_t right = *a;

    a->data = NULL;
    ck_assert_refused(&q, name, "");
    a->data = (char *)right.data + 1;
    ck_assert_refused(&q, name, "");
    a->data = right.data;
    a->stride = -right.stride;
    ck_assert_refused(&q, name, ".stride");
    a->stride = 0; /* one behind another, ld columns apart                   */
    ck_assert_taken(&q);
    if (is_vector(x)) {
        a->stride = rows - 1;
        ck_assert_refused(&q, name, ".stride");
        a->stride = rows;
        ck_assert_taken(&q);
        return;
    }
    a->stride = right.ld * (cols - 1) + rows; /* one behind another          */
    ck_assert_taken(&q);
    --a->stride;
    ck_assert_refused(&q, name, ".stride");
    a->stride = rows + 1; /* one above another                               */
    a->ld = (COUNT - 1) * (rows + 1) + rows;
    ck_assert_taken(&q);
    --a->ld;
    ck_assert_refused(&q, name, ".stride");
    a->stride = rows - 1; /* rows of one in those of the next                */
    a->ld = 100 * rows;
    ck_assert_refused(&q, name, ".stride");
}

/* ... of a call by addresses: the list, and the address of a problem */
static void address_faults(const sent_t *s, const gsvd_problem_t *p, int x)
{
    const char *const name = name_of[x];
    void **const list = s->each[x], *const address = list[ONE];
    gsvd_problem_t q = *p;
    gsvd_array_t *const a = member_of(&q, x);

    a->each = NULL;
    ck_assert_refused(&q, name, "");
    a->each = (void **)(void *)((char *)list + 1);
    ck_assert_refused(&q, name, "");
    list[ONE] = NULL;
    ck_assert_refused(p, name, "");
    list[ONE] = (char *)address + 1;
    ck_assert_refused(p, name, "");
    list[ONE] = address;
}

/* ... its leading dimension, one for all, or of one problem; where there is none, it is the rows */
static void ld_faults(const many_t *b, const sent_t *s, const gsvd_problem_t *p,
                      int x)
{
    const int64_t wrong[] = {b->place[x].rows - 1, -1, (int64_t)1 << 31};
    gsvd_problem_t q = *p;
    gsvd_array_t *const a = member_of(&q, x);
    int64_t *const list = s->ld[x];

    for (int i = 0; i < 3; ++i)
        if (b->form != SIZED) {
            a->ld = wrong[i];
            ck_assert_refused(&q, name_of[x], ".ld");
        } else {
            const int64_t ld = list[ONE];
            list[ONE] = wrong[i];
            ck_assert_refused(p, name_of[x], ".ld");
            list[ONE] = 0;
            ck_assert_refused(p, name_of[x], ".ld");
            list[ONE] = ld;
        }
    a->ld = 0;
    a->each_ld = NULL;
    ck_assert_taken(&q);
}

static void size_faults(const sent_t *s, const gsvd_problem_t *p)
{
    static const char *const list[] = {"each_m", "each_n", "each_p"};
    static const char *const one[] = {"m", "n", "p"};
    const int64_t most[] = {M, N, P};
    const int sizes = p->routine == GSVD_ROUTINE_GSVD ? 3 : 2;
    gsvd_problem_t q = *p;

    for (int i = 0; i < sizes; ++i) {
        const int64_t size = s->size[i][ONE];
        q = *p;
        *(i == 0 ? &q.each_m : i == 1 ? &q.each_n : &q.each_p) = NULL;
        ck_assert_refused(&q, list[i], "");
        s->size[i][ONE] = -1;
        ck_assert_refused(p, one[i], "");
        s->size[i][ONE] = most[i] + 1;
        ck_assert_refused(p, one[i], "");
        s->size[i][ONE] = size;
    }
    q = *p; /* A list that the routine does not have is not looked at.       */
    q.each_m = q.each_n = NULL;
    if (sizes == 2)
        ck_assert_taken(&q);
    q.each_p = NULL;
    ck_assert_taken(&q);
}

/* k, l, info, and how many problems there are */
static void other_faults(const gsvd_problem_t *p)
{
    gsvd_problem_t q = *p;

    q.k_out = q.l_out = NULL;
    ck_assert_taken(&q);
    for (int i = 0; i < 2 && p->routine == GSVD_ROUTINE_GSVD; ++i) {
        q = *p;
        *(i ? &q.l_out : &q.k_out) = (int64_t *)(void *)((char *)p->k_out + 1);
        ck_assert_refused(&q, i ? "l_out" : "k_out", "");
    }
    q = *p;
    q.info = NULL;
    ck_assert_refused(&q, "info", "");
    q.info = (int *)(void *)((char *)p->info + 1);
    ck_assert_refused(&q, "info", "");
    q = *p;
    q.batch = -1;
    ck_assert_refused(&q, "batch", "");
    q.batch = 0; /* one problem, which has no lists and strides              */
    ck_assert_refused(&q, "batch", "");
}

/* ---- tests -------------------------------------------------------------------- */

START_TEST(one_fault)
{
    const int what = _i / FORMS, form = _i % FORMS;
    if ((what == MANY_HSVD && form == SIZED) || form == STACKED)
        return;
    const many_t b = legal(what, form);
    const sent_t s = send_many(HOST, &b);
    const gsvd_problem_t p = problem_of_many(HOST, &b, &s);

    ck_assert_taken(&p);
    for (int x = 0; x < MANY_ARRAYS; ++x) {
        if (b.place[x].rows == 0)
            continue;
        if (form == STRIDED)
            strided_faults(&b, &p, x);
        else
            address_faults(&s, &p, x);
        if (!is_vector(x))
            ld_faults(&b, &s, &p, x);
    }
    if (form == SIZED)
        size_faults(&s, &p);
    other_faults(&p);
    ck_assert_taken(&p);
}
END_TEST

/* Matrices of hsvd have one size; p it does not have. */
START_TEST(sizes_of_hsvd)
{
    const many_t b = legal(MANY_HSVD, POINTERS);
    const sent_t s = send_many(HOST, &b);
    gsvd_problem_t p = problem_of_many(HOST, &b, &s);
    gsvd_plan_t plan;

    p.each_p = s.size[2];
    ck_assert_taken(&p);
    for (int i = 0; i < 2; ++i) {
        p.each_m = i ? NULL : s.size[0];
        p.each_n = s.size[1];
        ck_assert_refused(&p, i ? "each_n" : "each_m", "");
        ck_assert_int_eq(gsvd_plan_create(handle, &p, &plan),
                         GSVD_INVALID_ARGUMENT);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("batched_args");
    TCase *const t = add_tcase(s, "arguments");
    tcase_add_loop_test(t, one_fault, 0, KINDS * FORMS);
    tcase_add_test(t, sizes_of_hsvd);
    return s;
}
