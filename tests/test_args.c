/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_args.c -- each argument check by itself, with LAPACK's numbers. */
#include <stdio.h>

#include "harness/harness.h"

/* The arguments of a call, all legal to begin with: 4 x 3 and 5 x 3. */
typedef struct args {
    gsvd_handle_t h;
    char jobu, jobv, jobq;
    int64_t m, n, p, k, l, *pk, *pl;
    scalar_t *A, *B, *U, *V, *Q;
    real_t *alpha, *beta;
    int64_t lda, ldb, ldu, ldv, ldq;
    int info;
} args_t;

static args_t legal(void)
{
    static int64_t k, l;
    static scalar_t A[12], B[15], U[16], V[25], Q[9];
    static real_t alpha[3], beta[3];
    const args_t a = {handle, 'U', 'V', 'Q', 4,     3,    5, 1, 2, &k, &l, A,
                      B,      U,   V,   Q,   alpha, beta, 4, 5, 4, 5,  3,  99};
    memset(A, 0, sizeof A);
    memset(B, 0, sizeof B);
    return a;
}

typedef enum routine { WHOLE, FIRST_HALF, SECOND_HALF } routine_t;

/* through host memory, or through the device's: an illegal call touches none */
static gsvd_status_t call(routine_t routine, door_t door, args_t *a)
{
    switch (routine) {
    case WHOLE:
        return (door == GPU ? X(gpu) : GSVD_ENTRY)(
            a->h, a->jobu, a->jobv, a->jobq, a->m, a->n, a->p, a->pk, a->pl,
            a->A, a->lda, a->B, a->ldb, a->alpha, a->beta, a->U, a->ldu, a->V,
            a->ldv, a->Q, a->ldq, &a->info);
    case FIRST_HALF:
        return (door == GPU ? X(preprocess_gpu) : X(preprocess))(
            a->h, a->jobu, a->jobv, a->jobq, a->m, a->p, a->n, a->A, a->lda,
            a->B, a->ldb, -1, -1, a->pk, a->pl, a->U, a->ldu, a->V, a->ldv,
            a->Q, a->ldq, &a->info);
    default:
        return (door == GPU ? X(solve_gpu) : X(solve))(
            a->h, a->jobu, a->jobv, a->jobq, a->m, a->p, a->n, a->k, a->l, a->A,
            a->lda, a->B, a->ldb, -1, -1, a->alpha, a->beta, a->U, a->ldu, a->V,
            a->ldv, a->Q, a->ldq, &a->info);
    }
}

/* what is wrong, and its number in xGGSVD3, xGGSVP3, xTGSJA; 0: legal there */
typedef enum fault {
    JOBU,
    JOBV,
    JOBQ,
    M_NEGATIVE,
    N_NEGATIVE,
    P_NEGATIVE,
    M_HUGE,
    N_HUGE,
    P_HUGE,
    LDA_SMALL,
    LDB_SMALL,
    LDU_SMALL,
    LDV_SMALL,
    LDQ_SMALL,
    LDA_ZERO,
    LDB_ZERO,
    LDU_ZERO,
    LDV_ZERO,
    LDQ_ZERO,
    A_NULL,
    B_NULL,
    U_NULL,
    V_NULL,
    Q_NULL,
    ALPHA_NULL,
    BETA_NULL,
    K_NULL,
    L_NULL,
    K_NEGATIVE,
    K_LARGE,
    L_NEGATIVE,
    L_LARGE,
    JOBU_OTHER,
    JOBV_OTHER,
    JOBQ_OTHER
} fault_t;

static const struct {
    fault_t fault;
    int number[3];
    const char *name;
} sample[] = {
    {JOBU, {1, 1, 1}, "jobu"},          {JOBV, {2, 2, 2}, "jobv"},
    {JOBQ, {3, 3, 3}, "jobq"},          {M_NEGATIVE, {4, 4, 4}, "m"},
    {N_NEGATIVE, {5, 6, 6}, "n"},       {P_NEGATIVE, {6, 5, 5}, "p"},
    {M_HUGE, {4, 4, 4}, "m"},           {N_HUGE, {5, 6, 6}, "n"},
    {P_HUGE, {6, 5, 5}, "p"},           {LDA_SMALL, {10, 8, 10}, "lda"},
    {LDB_SMALL, {12, 10, 12}, "ldb"},   {LDU_SMALL, {16, 16, 18}, "ldu"},
    {LDV_SMALL, {18, 18, 20}, "ldv"},   {LDQ_SMALL, {20, 20, 22}, "ldq"},
    {LDA_ZERO, {10, 8, 10}, "lda"},     {LDB_ZERO, {12, 10, 12}, "ldb"},
    {LDU_ZERO, {16, 16, 18}, "ldu"},    {LDV_ZERO, {18, 18, 20}, "ldv"},
    {LDQ_ZERO, {20, 20, 22}, "ldq"},    {A_NULL, {9, 7, 9}, "A"},
    {B_NULL, {11, 9, 11}, "B"},         {U_NULL, {15, 15, 17}, "U"},
    {V_NULL, {17, 17, 19}, "V"},        {Q_NULL, {19, 19, 21}, "Q"},
    {ALPHA_NULL, {13, 0, 15}, "alpha"}, {BETA_NULL, {14, 0, 16}, "beta"},
    {K_NULL, {7, 13, 0}, "k"},          {L_NULL, {8, 14, 0}, "l"},
    {K_NEGATIVE, {0, 0, 7}, "k"},       {K_LARGE, {0, 0, 7}, "k"},
    {L_NEGATIVE, {0, 0, 8}, "l"},       {L_LARGE, {0, 0, 8}, "l"},
    {JOBU_OTHER, {1, 1, 1}, "jobu"},    {JOBV_OTHER, {2, 2, 2}, "jobv"},
    {JOBQ_OTHER, {3, 3, 3}, "jobq"},
};
enum { SAMPLES = sizeof sample / sizeof *sample };

static void spoil(args_t *a, fault_t fault, routine_t routine)
{
    const char other = routine == SECOND_HALF ? 'S' : 'I';
    const int64_t huge = (int64_t)1 << 33;
    switch (fault) {
    case JOBU: a->jobu = 'V'; break;
    case JOBV: a->jobv = 'U'; break;
    case JOBQ: a->jobq = '\0'; break;
    case JOBU_OTHER: a->jobu = other; break;
    case JOBV_OTHER: a->jobv = other; break;
    case JOBQ_OTHER: a->jobq = other; break;
    case M_NEGATIVE: a->m = -1; break;
    case N_NEGATIVE: a->n = -1; break;
    case P_NEGATIVE: a->p = -1; break;
    case M_HUGE: a->m = huge; break;
    case N_HUGE: a->n = huge; break;
    case P_HUGE: a->p = huge; break;
    case LDA_SMALL: a->lda = 3; break;
    case LDB_SMALL: a->ldb = 4; break;
    case LDU_SMALL: a->ldu = 3; break;
    case LDV_SMALL: a->ldv = 4; break;
    case LDQ_SMALL: a->ldq = 2; break;
    case LDA_ZERO: a->m = 0, a->lda = 0, a->ldu = 1, a->k = 0; break;
    case LDB_ZERO: a->p = 0, a->ldb = 0, a->ldv = 1, a->l = 0; break;
    case LDU_ZERO: a->jobu = 'N', a->ldu = 0; break;
    case LDV_ZERO: a->jobv = 'N', a->ldv = 0; break;
    case LDQ_ZERO: a->jobq = 'N', a->ldq = 0; break;
    case A_NULL: a->A = NULL; break;
    case B_NULL: a->B = NULL; break;
    case U_NULL: a->U = NULL; break;
    case V_NULL: a->V = NULL; break;
    case Q_NULL: a->Q = NULL; break;
    case ALPHA_NULL: a->alpha = NULL; break;
    case BETA_NULL: a->beta = NULL; break;
    case K_NULL: a->pk = NULL; break;
    case L_NULL: a->pl = NULL; break;
    case K_NEGATIVE: a->k = -1; break;
    case K_LARGE: a->k = 4; break;
    case L_NEGATIVE: a->l = -1; break;
    case L_LARGE: a->l = 3; break;
    }
}

START_TEST(one_fault)
{
    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine)
        for (int door = 0; door < doors(); ++door) {
            const int number = sample[_i].number[routine];
            args_t a = legal();
            if (number == 0)
                continue;
            spoil(&a, sample[_i].fault, (routine_t)routine);
            ck_assert_status(call((routine_t)routine, (door_t)door, &a),
                             GSVD_INVALID_ARGUMENT);
            ck_assert_msg(a.info == -number,
                          "%s of routine %d: info %d, not %d", sample[_i].name,
                          routine, a.info, -number);
            const char *text = gsvd_last_error(handle);
            ck_assert_msg(strstr(text, sample[_i].name) != NULL, "'%s' in '%s'",
                          sample[_i].name, text);
        }
}
END_TEST

/* of several faults the first argument's is told */
START_TEST(first_fault_counts)
{
    args_t a = legal();
    spoil(&a, LDQ_SMALL, WHOLE);
    spoil(&a, LDA_SMALL, WHOLE);
    spoil(&a, N_NEGATIVE, WHOLE);
    ck_assert_status(call(WHOLE, HOST, &a), GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(a.info, -5);
    a = legal();
    spoil(&a, LDQ_SMALL, WHOLE);
    spoil(&a, LDA_SMALL, WHOLE);
    ck_assert_status(call(WHOLE, HOST, &a), GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(a.info, -10);
}
END_TEST

/* info may be NULL, in legal and illegal calls */
START_TEST(info_may_be_null)
{
    args_t a = legal();
    ck_assert_ok(GSVD_ENTRY(a.h, 'U', 'V', 'Q', 4, 3, 5, a.pk, a.pl, a.A, 4,
                            a.B, 5, a.alpha, a.beta, a.U, 4, a.V, 5, a.Q, 3,
                            NULL));
    ck_assert_status(GSVD_ENTRY(a.h, 'X', 'V', 'Q', 4, 3, 5, a.pk, a.pl, a.A, 4,
                                a.B, 5, a.alpha, a.beta, a.U, 4, a.V, 5, a.Q, 3,
                                NULL),
                     GSVD_INVALID_ARGUMENT);
}
END_TEST

/* what is not referenced need not be there */
START_TEST(unreferenced_arguments)
{
    args_t a = legal();
    a.jobu = a.jobv = a.jobq = 'N';
    a.U = a.V = a.Q = NULL;
    a.ldu = a.ldv = a.ldq = 1;
    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine) {
        args_t b = a;
        b.k = b.l = 0;
        ck_assert_ok(call((routine_t)routine, HOST, &b));
        ck_assert_int_eq(b.info, 0);
    }
}
END_TEST

/* empty matrices need no memory */
START_TEST(empty_arrays_may_be_null)
{
    args_t a = legal();
    a.m = a.n = a.p = a.k = a.l = 0;
    a.A = a.B = a.U = a.V = a.Q = NULL;
    a.alpha = a.beta = NULL;
    a.lda = a.ldb = a.ldu = a.ldv = a.ldq = 1;
    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine)
        for (int door = 0; door < doors(); ++door) {
            ck_assert_ok(call((routine_t)routine, (door_t)door, &a));
            ck_assert_int_eq(a.info, 0);
        }
}
END_TEST

START_TEST(null_handle)
{
    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine)
        for (int door = HOST; door <= GPU; ++door) {
            args_t a = legal();
            a.h = NULL;
            ck_assert_status(call((routine_t)routine, (door_t)door, &a),
                             GSVD_INVALID_HANDLE);
        }
}
END_TEST

/* The legal call, as a problem without arrays */
static gsvd_problem_t shape_of(routine_t routine, door_t door)
{
    static const gsvd_routine_t of[] = {
        GSVD_ROUTINE_GSVD, GSVD_ROUTINE_PREPROCESS, GSVD_ROUTINE_SOLVE};
    gsvd_problem_t p = new_problem(of[routine], door, "UVQ", 4, 3, 5);
    p.k = 1;
    p.l = 2;
    return p;
}

/* device memory and a handle of the host do not go together */
START_TEST(gpu_call_on_a_host_handle)
{
    gsvd_handle_t h = NULL;
    size_t d, w;
    ck_assert_ok(gsvd_create(&h, GSVD_HOST));
    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine) {
        args_t a = legal();
        a.h = h;
        ck_assert_status(call((routine_t)routine, GPU, &a), GSVD_NOT_SUPPORTED);
        ck_assert_str_ne(gsvd_last_error(h), "");
    }
    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine)
        ck_assert_status(
            workspace_of(h, shape_of((routine_t)routine, GPU), &d, &w),
            GSVD_NOT_SUPPORTED);
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* Sizes and jobs alone: a plan knows no array. */
START_TEST(plans_check_too)
{
    static const struct {
        fault_t fault;
        const char *member;
    } wrong[] = {
        {JOBU, "job[0]"},       {JOBV, "job[1]"},       {JOBQ_OTHER, "job[2]"},
        {JOBU_OTHER, "job[0]"}, {JOBV_OTHER, "job[1]"}, {M_NEGATIVE, "m"},
        {N_NEGATIVE, "n"},      {P_NEGATIVE, "p"},      {M_HUGE, "m"},
        {N_HUGE, "n"},          {P_HUGE, "p"},          {K_NEGATIVE, "k"},
        {K_LARGE, "k"},         {L_NEGATIVE, "l"},      {L_LARGE, "l"}};
    enum { WRONG = sizeof wrong / sizeof *wrong };
    const int64_t most = INT32_MAX;
    size_t d, w;
    char text[20];

    for (int routine = WHOLE; routine <= SECOND_HALF; ++routine) {
        ck_assert_ok(
            workspace_of(handle, shape_of((routine_t)routine, HOST), &d, &w));
        for (int i = 0; i < WRONG; ++i) {
            gsvd_problem_t p = shape_of((routine_t)routine, HOST);
            args_t a = legal();
            if (wrong[i].fault >= K_NEGATIVE && wrong[i].fault <= L_LARGE &&
                routine != SECOND_HALF)
                continue;
            spoil(&a, wrong[i].fault, (routine_t)routine);
            p.job[0] = a.jobu;
            p.job[1] = a.jobv;
            p.job[2] = a.jobq;
            p.m = a.m;
            p.n = a.n;
            p.p = a.p;
            p.k = a.k;
            p.l = a.l;
            snprintf(text, sizeof text, "problem.%s: ", wrong[i].member);
            ck_assert_status(workspace_of(handle, p, &d, &w),
                             GSVD_INVALID_ARGUMENT);
            ck_assert_msg(strstr(gsvd_last_error(handle), text) != NULL,
                          "'%s' in '%s'", text, gsvd_last_error(handle));
        }
    }
    /* sizes whose workspace no memory holds are refused, not wrapped around */
    ck_assert_int_ne(workspace_of(handle,
                                  new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ",
                                              most, most, most),
                                  &d, &w),
                     GSVD_SUCCESS);
}
END_TEST

/* an illegal call leaves A and B as they were */
START_TEST(illegal_call_touches_nothing)
{
    uint64_t seed = 3;
    args_t a = legal();
    for (int i = 0; i < 12; ++i)
        a.A[i] = random_uniform_scalar(&seed);
    scalar_t before[12];
    memcpy(before, a.A, sizeof before);
    spoil(&a, Q_NULL, WHOLE);
    ck_assert_status(call(WHOLE, HOST, &a), GSVD_INVALID_ARGUMENT);
    ck_assert_mem_eq(before, a.A, sizeof before);
}
END_TEST

/* the text of a failure is gone after a call that succeeds */
START_TEST(last_error_is_of_the_last_call)
{
    args_t a = legal();
    spoil(&a, JOBU, WHOLE);
    ck_assert_status(call(WHOLE, HOST, &a), GSVD_INVALID_ARGUMENT);
    ck_assert_str_ne(gsvd_last_error(handle), "");
    a = legal();
    ck_assert_ok(call(WHOLE, HOST, &a));
    ck_assert_int_eq(a.info, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("args");
    TCase *t = add_tcase(s, "arguments");
    tcase_add_loop_test(t, one_fault, 0, SAMPLES);
    tcase_add_test(t, first_fault_counts);
    tcase_add_test(t, info_may_be_null);
    tcase_add_test(t, unreferenced_arguments);
    tcase_add_test(t, empty_arrays_may_be_null);
    tcase_add_test(t, null_handle);
    tcase_add_test(t, gpu_call_on_a_host_handle);
    tcase_add_test(t, plans_check_too);
    tcase_add_test(t, illegal_call_touches_nothing);
    tcase_add_test(t, last_error_is_of_the_last_call);
    return s;
}
