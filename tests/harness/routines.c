/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* routines.c -- see routines.h. */
#include "harness/routines.h"

const char *const task_name[TASKS] = {
    "gsvd", "preprocess", "solve", "qr",   "R alone", "qr_apply", "qr_form",
    "geqp", "urv",        "svd",   "hsvd", "eigh",    "ldl"};

/* bytes, NaN or from there, skip bytes behind an aligned address, where the door leads to */
static void *array(door_t door, const void *from, size_t bytes, size_t skip)
{
    char *const p = (char *)(door == GPU ? grab_results(bytes + skip)
                                         : grab(bytes + skip)) +
                    skip;
    if (from && door == GPU)
        put(p, from, bytes);
    else if (from)
        memcpy(p, from, bytes);
    return p;
}

/* ld columns; upper triangular with a diagonal that keeps it well-conditioned for
 * solve, a matrix without pattern for the others */
static scalar_t *matrix(const task_t *t, uint64_t *seed, size_t skip)
{
    const int solve = t->routine == TASK_SOLVE;
    const int64_t ld = t->ld;
    scalar_t *const x = grab((size_t)(ld * ld) * sizeof *x);
    for (int64_t e = 0; e < ld * ld; ++e) {
        const scalar_t any = random_uniform_scalar(seed);
        x[e] = solve ? make(e % (ld + 1) == 0, 0) : any;
    }
    for (int64_t j = 1; solve && j < t->n; ++j)
        x[ld * j] = random_uniform_scalar(seed);
    return array(t->door, x, (size_t)(ld * ld) * sizeof *x, skip);
}

static task_t new_task_of(int routine, door_t door, size_t skip, shape_t s,
                          int64_t ld)
{
    const size_t real = skip ? sizeof(real_t) : 0;
    const size_t integer = skip ? sizeof(int64_t) : 0;
    const size_t n = (size_t)s.n, bytes = (size_t)(ld * ld) * sizeof(scalar_t);
    const mat_t zeros = zero_mat(ld, 1);
    int64_t *const signs = grab(n * sizeof *signs);
    uint64_t seed = 17;
    task_t t = {.routine = routine,
                .door = door,
                .m = s.m,
                .n = s.n,
                .p = s.p,
                .ld = ld,
                .solve_l = s.n,
                .info = 99};

    for (int j = 0; j < s.n; ++j)
        signs[j] = j % 2 ? 1 : -1;
    t.A = matrix(&t, &seed, skip);
    t.B = matrix(&t, &seed, skip);
    t.C = matrix(&t, &seed, skip);
    t.U = array(door, NULL, bytes, skip);
    t.V = array(door, NULL, bytes, skip);
    t.Q = array(door, NULL, bytes, skip);
    t.tau =
        array(door, zeros.data, (size_t)ld * sizeof *t.tau, skip); /* Q = I */
    t.alpha = array(door, NULL, n * sizeof(real_t), real);
    t.beta = array(door, NULL, n * sizeof(real_t), real);
    t.jpvt = array(door, NULL, n * sizeof(int64_t), integer);
    t.J = array(door, signs, n * sizeof *signs, integer);
    t.k = array(HOST, NULL, sizeof(int64_t), integer);
    t.l = array(HOST, NULL, sizeof(int64_t), integer);
    return t;
}

task_t new_task(int routine, door_t door, size_t skip)
{
    const shape_t s = {TASK_M, TASK_N, TASK_P};
    return new_task_of(routine, door, skip, s, TASK_LD);
}

task_t new_square_task(int routine, int64_t n)
{
    const shape_t s = {(int)n, (int)n, (int)n};
    return new_task_of(routine, HOST, 0, s, n + 1);
}

static int same(door_t door, const void *x, const void *y, size_t bytes)
{
    if (door == HOST)
        return memcmp(x, y, bytes) == 0;
    char *const a = grab(bytes), *const b = grab(bytes);
    get(a, x, bytes);
    get(b, y, bytes);
    return memcmp(a, b, bytes) == 0;
}

const char *other_result(const task_t *a, const task_t *b)
{
    const size_t matrix = (size_t)(a->ld * a->ld) * sizeof(scalar_t);
    const size_t reals = (size_t)a->n * sizeof(real_t);
    const struct {
        const char *name;
        const void *x, *y;
        size_t bytes;
    } array[] = {{"A", a->A, b->A, matrix},
                 {"B", a->B, b->B, matrix},
                 {"C", a->C, b->C, matrix},
                 {"U", a->U, b->U, matrix},
                 {"V", a->V, b->V, matrix},
                 {"Q", a->Q, b->Q, matrix},
                 {"tau", a->tau, b->tau, (size_t)a->ld * sizeof(scalar_t)},
                 {"alpha", a->alpha, b->alpha, reals},
                 {"beta", a->beta, b->beta, reals},
                 {"jpvt", a->jpvt, b->jpvt, (size_t)a->n * sizeof(int64_t)}};
    for (size_t i = 0; i < sizeof array / sizeof *array; ++i)
        if (!same(a->door, array[i].x, array[i].y, array[i].bytes))
            return array[i].name;
    return *a->k != *b->k || *a->l != *b->l ? "k or l"
           : a->info != b->info             ? "info"
                                            : NULL;
}

#define FACTORS t->U, LD, t->V, LD, t->Q, LD
#define DOOR(name) (t->door == GPU ? X(name##_gpu) : X(name))

gsvd_status_t call_task(gsvd_handle_t h, task_t *t)
{
    const int64_t M = t->m, N = t->n, P = t->p, LD = t->ld;
    switch (t->routine) {
    case TASK_GSVD:
        return (t->door == GPU ? X(gpu) : GSVD_ENTRY)(
            h, 'U', 'V', 'Q', M, N, P, t->k, t->l, t->A, LD, t->B, LD, t->alpha,
            t->beta, FACTORS, &t->info);
    case TASK_PREPROCESS:
        return DOOR(preprocess)(h, 'U', 'V', 'Q', M, P, N, t->A, LD, t->B, LD,
                                -1, -1, t->k, t->l, FACTORS, &t->info);
    case TASK_SOLVE:
        return DOOR(solve)(h, 'I', 'I', 'I', M, P, N, t->solve_k, t->solve_l,
                           t->A, LD, t->B, LD, -1, -1, t->alpha, t->beta,
                           FACTORS, &t->info);
    case TASK_QR: return DOOR(qr)(h, M, N, t->A, LD, t->tau, &t->info);
    case TASK_R_ALONE: return DOOR(qr)(h, M, N, t->A, LD, NULL, &t->info);
    case TASK_QR_APPLY:
        return DOOR(qr_apply)(h, 'L', 'C', M, P, N, t->A, LD, t->tau, t->C, LD,
                              &t->info);
    case TASK_QR_FORM:
        return DOOR(qr_form)(h, M, N, N, t->A, LD, t->tau, &t->info);
    case TASK_GEQP:
        return DOOR(geqp)(h, M, N, t->A, LD, t->jpvt, t->tau, -1, t->k,
                          &t->info);
    case TASK_SVD:
        return DOOR(svd)(h, 'U', 'V', M, N, t->A, LD, t->alpha, t->U, LD, t->V,
                         LD, &t->info);
    case TASK_HSVD:
        return DOOR(hsvd)(h, 'U', 'V', M, N, N / 2, t->A, LD, t->J, t->alpha,
                          t->U, LD, t->V, LD, &t->info);
    case TASK_EIGH:
        return DOOR(eigh)(h, 'V', 'L', N, t->A, LD, t->alpha, t->Q, LD,
                          &t->info);
    case TASK_LDL:
        return DOOR(ldl)(h, 'L', 'L', N, t->A, LD, -1, t->k, t->l, t->U, LD,
                         t->V, LD, NULL, t->jpvt, &t->info);
    default:
        return DOOR(urv)(h, 'U', 'V', M, N, t->A, LD, -1, t->k, t->U, LD, t->V,
                         LD, &t->info);
    }
}

gsvd_problem_t problem_of_task(gsvd_type_t type, const task_t *t)
{
    static const gsvd_routine_t routine[TASKS] = {
        [TASK_GSVD] = GSVD_ROUTINE_GSVD,
        [TASK_PREPROCESS] = GSVD_ROUTINE_PREPROCESS,
        [TASK_SOLVE] = GSVD_ROUTINE_SOLVE,
        [TASK_QR] = GSVD_ROUTINE_QR,
        [TASK_R_ALONE] = GSVD_ROUTINE_QR,
        [TASK_QR_APPLY] = GSVD_ROUTINE_QR_APPLY,
        [TASK_QR_FORM] = GSVD_ROUTINE_QR_FORM,
        [TASK_GEQP] = GSVD_ROUTINE_GEQP,
        [TASK_URV] = GSVD_ROUTINE_URV,
        [TASK_SVD] = GSVD_ROUTINE_SVD,
        [TASK_HSVD] = GSVD_ROUTINE_HSVD,
        [TASK_EIGH] = GSVD_ROUTINE_EIGH,
        [TASK_LDL] = GSVD_ROUTINE_LDL};
    static const char *const jobs[TASKS] = {
        [TASK_GSVD] = "UVQ", [TASK_PREPROCESS] = "UVQ", [TASK_SOLVE] = "III",
        [TASK_QR] = "",      [TASK_R_ALONE] = "",       [TASK_QR_APPLY] = "LC",
        [TASK_QR_FORM] = "", [TASK_GEQP] = "",          [TASK_URV] = "UV",
        [TASK_SVD] = "UV",   [TASK_HSVD] = "UV",        [TASK_EIGH] = "VL",
        [TASK_LDL] = "LL"};
    const int applies = t->routine == TASK_QR_APPLY;
    gsvd_problem_t p = {
        .size = sizeof p,
        .routine = routine[t->routine],
        .type = type,
        .place = place_of(t->door),
        .m = t->m,
        .n = applies ? t->p : t->n,
        .p = t->p,
        .k = t->routine == TASK_SOLVE ? t->solve_k : t->n,
        .l = t->solve_l,
        .n_plus = t->n / 2,
        .A = {.data = t->A, .ld = t->ld},
        .B = {.data = t->B, .ld = t->ld},
        .U = {.data = t->U, .ld = t->ld},
        .V = {.data = t->V, .ld = t->ld},
        .Q = {.data = t->Q, .ld = t->ld},
        .C = {.data = t->C, .ld = t->ld},
        .tau = {.data = t->routine == TASK_R_ALONE ? NULL : t->tau},
        .alpha = {.data = t->alpha},
        .beta = {.data = t->beta},
        .jpvt = {.data = t->jpvt},
        .signs = {.data = t->J},
        .k_out = t->k,
        .l_out = t->l};
    memcpy(p.job, jobs[t->routine], strlen(jobs[t->routine]));
    return p;
}

/* The workspace is the handle's own again afterwards: the task's may go. */
gsvd_status_t run_task(gsvd_handle_t h, task_t *t)
{
    if (!h)
        return call_task(h, t);
    ck_assert_ok(gsvd_set_workspace(h, t->dwork, t->dwork_bytes, t->hwork,
                                    t->hwork_bytes));
    const gsvd_status_t status = call_task(h, t);
    ck_assert_ok(gsvd_set_workspace(h, NULL, 0, NULL, 0));
    return status;
}
