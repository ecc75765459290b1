/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_qr_args.c -- each argument check of the routines of one matrix. */
#include <stdio.h>

#include "harness/harness.h"

enum { QR, APPLY, FORM, GEQP, URV, ROUTINES };

/* The arguments of a call, all legal to begin with: A is 4 x 3; C is 4 x 2, and
 * Q has 3 reflectors. */
typedef struct args {
    gsvd_handle_t h;
    char side, op, jobu, jobv;
    int64_t m, n, k, *rank, *jpvt;
    scalar_t *A, *tau, *C, *U, *V;
    int64_t lda, ldc, ldu, ldv;
    real_t tol;
    int info;
} args_t;

static args_t legal(int routine)
{
    static int64_t rank, jpvt[3];
    static scalar_t A[12], tau[3], C[8], U[16], V[9];
    memset(A, 0, sizeof A);
    memset(tau, 0, sizeof tau);
    memset(C, 0, sizeof C);
    return (args_t){.h = handle,
                    .side = 'L',
                    .op = 'N',
                    .jobu = 'U',
                    .jobv = 'V',
                    .m = 4,
                    .n = routine == APPLY ? 2 : 3,
                    .k = 3,
                    .rank = &rank,
                    .jpvt = jpvt,
                    .A = A,
                    .tau = tau,
                    .C = C,
                    .U = U,
                    .V = V,
                    .lda = 4,
                    .ldc = 4,
                    .ldu = 4,
                    .ldv = 3,
                    .tol = -1,
                    .info = 99};
}

/* through host memory, or through the device's: an illegal call touches none */
static gsvd_status_t call(int routine, door_t door, args_t *a)
{
    switch (routine) {
    case QR:
        return (door == GPU ? X(qr_gpu) : X(qr))(a->h, a->m, a->n, a->A, a->lda,
                                                 a->tau, &a->info);
    case APPLY:
        return (door == GPU ? X(qr_apply_gpu) : X(qr_apply))(
            a->h, a->side, a->op, a->m, a->n, a->k, a->A, a->lda, a->tau, a->C,
            a->ldc, &a->info);
    case FORM:
        return (door == GPU ? X(qr_form_gpu) : X(qr_form))(
            a->h, a->m, a->n, a->k, a->A, a->lda, a->tau, &a->info);
    case GEQP:
        return (door == GPU ? X(geqp_gpu) : X(geqp))(a->h, a->m, a->n, a->A,
                                                     a->lda, a->jpvt, a->tau,
                                                     a->tol, a->rank, &a->info);
    default:
        return (door == GPU ? X(urv_gpu) : X(urv))(
            a->h, a->jobu, a->jobv, a->m, a->n, a->A, a->lda, a->tol, a->rank,
            a->U, a->ldu, a->V, a->ldv, &a->info);
    }
}

/* what is wrong, and its number in xGEQRF, xORMQR, xORGQR, xGEQP3, urv; 0: legal
 * there, or not there */
typedef enum fault {
    SIDE,
    OP,
    JOBU,
    JOBV,
    M_NEGATIVE,
    N_NEGATIVE,
    M_HUGE,
    N_HUGE,
    N_ABOVE_M,
    K_NEGATIVE,
    K_LARGE,
    K_LARGE_RIGHT,
    LDA_SMALL,
    LDA_ZERO,
    LDA_HUGE,
    LDC_SMALL,
    LDU_SMALL,
    LDU_ZERO,
    LDV_SMALL,
    LDV_ZERO,
    A_NULL,
    TAU_NULL,
    C_NULL,
    U_NULL,
    V_NULL,
    JPVT_NULL,
    RANK_NULL,
    TOL_NAN
} fault_t;

static const struct {
    fault_t fault;
    int number[ROUTINES];
    const char *name;
} sample[] = {
    {SIDE, {0, 1, 0, 0, 0}, "side"},      {OP, {0, 2, 0, 0, 0}, "op"},
    {JOBU, {0, 0, 0, 0, 1}, "jobu"},      {JOBV, {0, 0, 0, 0, 2}, "jobv"},
    {M_NEGATIVE, {1, 3, 1, 1, 3}, "m"},   {N_NEGATIVE, {2, 4, 2, 2, 4}, "n"},
    {M_HUGE, {1, 3, 1, 1, 3}, "m"},       {N_HUGE, {2, 4, 2, 2, 4}, "n"},
    {N_ABOVE_M, {0, 0, 2, 0, 0}, "n"},    {K_NEGATIVE, {0, 5, 3, 0, 0}, "k"},
    {K_LARGE, {0, 5, 3, 0, 0}, "k"},      {K_LARGE_RIGHT, {0, 5, 0, 0, 0}, "k"},
    {LDA_SMALL, {4, 7, 5, 4, 6}, "lda"},  {LDA_ZERO, {4, 7, 5, 4, 6}, "lda"},
    {LDA_HUGE, {4, 7, 5, 4, 6}, "lda"},   {LDC_SMALL, {0, 10, 0, 0, 0}, "ldc"},
    {LDU_SMALL, {0, 0, 0, 0, 10}, "ldu"}, {LDU_ZERO, {0, 0, 0, 0, 10}, "ldu"},
    {LDV_SMALL, {0, 0, 0, 0, 12}, "ldv"}, {LDV_ZERO, {0, 0, 0, 0, 12}, "ldv"},
    {A_NULL, {3, 6, 4, 3, 5}, "A"},       {TAU_NULL, {0, 8, 6, 6, 0}, "tau"},
    {C_NULL, {0, 9, 0, 0, 0}, "C"},       {U_NULL, {0, 0, 0, 0, 9}, "U"},
    {V_NULL, {0, 0, 0, 0, 11}, "V"},      {JPVT_NULL, {0, 0, 0, 5, 0}, "jpvt"},
    {RANK_NULL, {0, 0, 0, 8, 8}, "rank"}, {TOL_NAN, {0, 0, 0, 7, 7}, "tol"},
};
enum { SAMPLES = sizeof sample / sizeof *sample };

static void spoil(args_t *a, fault_t fault)
{
    const int64_t huge = (int64_t)1 << 33;
    switch (fault) {
    case SIDE: a->side = 'U'; break;
    case OP: a->op = 'X'; break;
    case JOBU: a->jobu = 'V'; break;
    case JOBV: a->jobv = 'I'; break;
    case M_NEGATIVE: a->m = -1; break;
    case N_NEGATIVE: a->n = -1; break;
    case M_HUGE: a->m = huge; break;
    case N_HUGE: a->n = huge; break;
    case N_ABOVE_M: a->n = 5; break;
    case K_NEGATIVE: a->k = -1; break;
    case K_LARGE: a->k = 5; break;
    case K_LARGE_RIGHT: a->side = 'R'; break;
    case LDA_SMALL: a->lda = 3; break;
    case LDA_ZERO: a->m = a->n = a->k = 0, a->lda = 0; break;
    case LDA_HUGE: a->lda = huge; break;
    case LDC_SMALL: a->ldc = 3; break;
    case LDU_SMALL: a->ldu = 3; break;
    case LDU_ZERO: a->jobu = 'N', a->ldu = 0; break;
    case LDV_SMALL: a->ldv = 2; break;
    case LDV_ZERO: a->jobv = 'N', a->ldv = 0; break;
    case A_NULL: a->A = NULL; break;
    case TAU_NULL: a->tau = NULL; break;
    case C_NULL: a->C = NULL; break;
    case U_NULL: a->U = NULL; break;
    case V_NULL: a->V = NULL; break;
    case JPVT_NULL: a->jpvt = NULL; break;
    case RANK_NULL: a->rank = NULL; break;
    case TOL_NAN: a->tol = (real_t)NAN; break;
    }
}

static void refused(int routine, door_t door, args_t *a, int number,
                    const char *name)
{
    ck_assert_status(call(routine, door, a), GSVD_INVALID_ARGUMENT);
    ck_assert_msg(a->info == -number, "%s of routine %d: info %d, not %d", name,
                  routine, a->info, -number);
    const char *text = gsvd_last_error(handle);
    ck_assert_msg(strstr(text, name) != NULL, "'%s' in '%s'", name, text);
}

START_TEST(one_fault)
{
    for (int routine = 0; routine < ROUTINES; ++routine)
        for (int door = 0; door < doors(); ++door) {
            args_t a = legal(routine);
            if (sample[_i].number[routine] == 0)
                continue;
            spoil(&a, sample[_i].fault);
            refused(routine, (door_t)door, &a, sample[_i].number[routine],
                    sample[_i].name);
        }
}
END_TEST

/* of several faults the first argument's is told */
START_TEST(first_fault_counts)
{
    for (int routine = 0; routine < ROUTINES; ++routine) {
        args_t a = legal(routine);
        spoil(&a, LDA_SMALL);
        spoil(&a, TAU_NULL);
        spoil(&a, N_NEGATIVE);
        refused(routine, HOST, &a, sample[5].number[routine], "n");
    }
}
END_TEST

/* a NaN and an infinity in what is read; the arrays stay as they were */
START_TEST(not_finite)
{
    static const int number[3][ROUTINES] = {
        {3, 6, 4, 3, 5}, {0, 8, 6, 0, 0}, {0, 9, 0, 0, 0}};
    static const char *const name[] = {"A", "tau", "C"};
    for (int routine = 0; routine < ROUTINES; ++routine)
        for (int array = 0; array < 3; ++array)
            for (int bad = 0; bad < 2; ++bad) {
                args_t a = legal(routine);
                scalar_t *const all[] = {a.A, a.tau, a.C};
                scalar_t A[12], tau[3], C[8];
                if (number[array][routine] == 0)
                    continue;
                all[array][2] = make((real_t)(bad ? NAN : INFINITY), 0);
                memcpy(A, a.A, sizeof A);
                memcpy(tau, a.tau, sizeof tau);
                memcpy(C, a.C, sizeof C);
                refused(routine, HOST, &a, number[array][routine], name[array]);
                ck_assert_mem_eq(A, a.A, sizeof A);
                ck_assert_mem_eq(tau, a.tau, sizeof tau);
                ck_assert_mem_eq(C, a.C, sizeof C);
            }
}
END_TEST

/* empty matrices need no memory, nor does what is not asked for */
START_TEST(empty_arrays_may_be_null)
{
    for (int routine = 0; routine < ROUTINES; ++routine)
        for (int door = 0; door < doors(); ++door) {
            args_t a = legal(routine);
            a.m = a.n = a.k = 0;
            a.A = a.tau = a.C = a.U = a.V = NULL;
            a.jpvt = NULL;
            a.lda = a.ldc = a.ldu = a.ldv = 1;
            ck_assert_ok(call(routine, (door_t)door, &a));
            ck_assert_int_eq(a.info, 0);
        }
    args_t a = legal(URV);
    a.jobu = a.jobv = 'N';
    a.U = a.V = NULL;
    a.ldu = a.ldv = 1;
    ck_assert_ok(call(URV, HOST, &a));
    ck_assert_int_eq(*a.rank, 0);
}
END_TEST

/* qr gives R alone without tau; here it needs no memory of the caller's */
START_TEST(tau_of_qr_may_be_null)
{
    args_t a = legal(QR);
    for (int i = 0; i < 3; ++i)
        a.A[i + 4 * i] = make(-2, 0);
    a.tau = NULL;
    ck_assert_ok(call(QR, HOST, &a));
    ck_assert_int_eq(a.info, 0);
    for (int i = 0; i < 3; ++i)
        ck_assert(re(a.A[i + 4 * i]) == 2 && im(a.A[i + 4 * i]) == 0);
    a = legal(QR);
    a.tau = NULL;
    a.A[5] = make((real_t)NAN, 0);
    refused(QR, HOST, &a, 3, "A");
}
END_TEST

static const gsvd_routine_t routine_of[ROUTINES] = {
    GSVD_ROUTINE_QR, GSVD_ROUTINE_QR_APPLY, GSVD_ROUTINE_QR_FORM,
    GSVD_ROUTINE_GEQP, GSVD_ROUTINE_URV};

/* The legal call, as a problem without arrays */
static gsvd_problem_t shape_of(int routine, door_t door)
{
    const char *const jobs = routine == APPLY ? "LN"
                             : routine == URV ? "UV"
                                              : "";
    gsvd_problem_t p = new_problem(routine_of[routine], door, jobs, 4,
                                   routine == APPLY ? 2 : 3, 0);
    p.k = 3;
    return p;
}

START_TEST(handles)
{
    gsvd_handle_t h = NULL;
    size_t d, w;
    const gsvd_status_t no = GSVD_NOT_SUPPORTED;
    ck_assert_ok(gsvd_create(&h, GSVD_HOST));
    for (int routine = 0; routine < ROUTINES; ++routine) {
        args_t a = legal(routine);
        a.h = NULL;
        ck_assert_status(call(routine, HOST, &a), GSVD_INVALID_HANDLE);
        ck_assert_status(call(routine, GPU, &a), GSVD_INVALID_HANDLE);
        a.h = h;
        ck_assert_status(call(routine, GPU, &a), no);
        ck_assert_str_ne(gsvd_last_error(h), "");
        ck_assert_ok(call(routine, HOST, &a));
    }
    for (int routine = 0; routine < ROUTINES; ++routine)
        ck_assert_status(workspace_of(h, shape_of(routine, GPU), &d, &w), no);
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* Sizes and jobs alone: a plan knows no array. */
START_TEST(plans_check_too)
{
    static const struct {
        int routine;
        const char *jobs;
        int64_t m, n, k;
        const char *member;
    } wrong[] = {
        {QR, "", -4, 3, 0, "m"},          {QR, "", 4, -3, 0, "n"},
        {APPLY, "XN", 4, 2, 3, "job[0]"}, {APPLY, "LX", 4, 2, 3, "job[1]"},
        {APPLY, "RN", 4, 2, 3, "k"},      {FORM, "", 3, 4, 2, "n"},
        {FORM, "", 4, 3, 4, "k"},         {GEQP, "", 4, -1, 0, "n"},
        {URV, "IV", 4, 3, 0, "job[0]"},   {URV, "UI", 4, 3, 0, "job[1]"}};
    const int64_t most = INT32_MAX;
    gsvd_problem_t p;
    size_t d, w;
    char text[20];

    for (int routine = 0; routine < ROUTINES; ++routine) {
        p = shape_of(routine, HOST);
        ck_assert_ok(workspace_of(handle, p, &d, &w));
        ck_assert_status(workspace_of(NULL, p, &d, &w), GSVD_INVALID_HANDLE);
        p.type = (gsvd_type_t)'x';
        ck_assert_status(workspace_of(handle, p, &d, &w), GSVD_NOT_SUPPORTED);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        p = new_problem(routine_of[wrong[i].routine], HOST, wrong[i].jobs,
                        wrong[i].m, wrong[i].n, 0);
        p.k = wrong[i].k;
        snprintf(text, sizeof text, "problem.%s: ", wrong[i].member);
        ck_assert_status(workspace_of(handle, p, &d, &w),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_msg(strstr(gsvd_last_error(handle), text) != NULL,
                      "'%s' in '%s'", text, gsvd_last_error(handle));
    }
    p = new_problem(GSVD_ROUTINE_URV, HOST, "UV", most, most, 0);
    ck_assert_int_ne(workspace_of(handle, p, &d, &w), GSVD_SUCCESS);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("qr_args");
    TCase *t = add_tcase(s, "arguments");
    tcase_add_loop_test(t, one_fault, 0, SAMPLES);
    tcase_add_test(t, first_fault_counts);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, empty_arrays_may_be_null);
    tcase_add_test(t, tau_of_qr_may_be_null);
    tcase_add_test(t, handles);
    tcase_add_test(t, plans_check_too);
    return s;
}
