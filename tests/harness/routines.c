/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* routines.c -- see routines.h. */
#include "harness/routines.h"

const char *const task_name[TASKS] = {
    "gsvd", "preprocess", "solve", "qr",   "R alone", "qr_apply", "qr_form",
    "geqp", "urv",        "svd",   "hsvd", "eigh",    "ldl"};

enum { M = TASK_M, N = TASK_N, P = TASK_P, LD = TASK_LD };

/* count elements, skip bytes behind an aligned address, where the door leads to */
static void *array(door_t door, const void *from, size_t bytes, size_t skip)
{
    char *const p = (char *)(door == GPU ? grab_backend(bytes + skip)
                                         : grab(bytes + skip)) +
                    skip;
    if (from && door == GPU)
        put(p, from, bytes);
    else if (from)
        memcpy(p, from, bytes);
    return p;
}

/* LD columns; upper triangular with a diagonal that keeps it well-conditioned for
 * solve, a matrix without pattern for the others */
static scalar_t *matrix(door_t door, int routine, uint64_t *seed, size_t skip)
{
    static scalar_t x[LD * LD];
    for (int j = 0; j < LD; ++j)
        for (int i = 0; i < LD; ++i) {
            x[i + LD * j] = random_uniform_scalar(seed);
            if (routine == TASK_SOLVE)
                x[i + LD * j] = make(i == j ? 1 : 0, 0);
        }
    if (routine == TASK_SOLVE)
        for (int j = 1; j < N; ++j)
            x[LD * j] = random_uniform_scalar(seed);
    return array(door, x, sizeof x, skip);
}

task_t new_task(int routine, door_t door, size_t skip)
{
    static const scalar_t zeros[LD];
    const size_t real = skip ? sizeof(real_t) : 0;
    const size_t integer = skip ? sizeof(int64_t) : 0;
    int64_t signs[N];
    uint64_t seed = 17;
    task_t t = {.routine = routine, .door = door, .info = 99};

    for (int j = 0; j < N; ++j)
        signs[j] = j % 2 ? 1 : -1;
    t.A = matrix(door, routine, &seed, skip);
    t.B = matrix(door, routine, &seed, skip);
    t.C = matrix(door, routine, &seed, skip);
    t.U = array(door, NULL, LD * LD * sizeof(scalar_t), skip);
    t.V = array(door, NULL, LD * LD * sizeof(scalar_t), skip);
    t.Q = array(door, NULL, LD * LD * sizeof(scalar_t), skip);
    t.tau = array(door, zeros, sizeof zeros, skip); /* H_j = I               */
    t.alpha = array(door, NULL, N * sizeof(real_t), real);
    t.beta = array(door, NULL, N * sizeof(real_t), real);
    t.jpvt = array(door, NULL, N * sizeof(int64_t), integer);
    t.J = array(door, signs, sizeof signs, integer);
    t.k = array(HOST, NULL, sizeof(int64_t), integer);
    t.l = array(HOST, NULL, sizeof(int64_t), integer);
    return t;
}

#define FACTORS t->U, LD, t->V, LD, t->Q, LD
#define DOOR(name) (t->door == GPU ? X(name##_gpu) : X(name))

static gsvd_status_t call(gsvd_handle_t h, task_t *t)
{
    switch (t->routine) {
    case TASK_GSVD:
        return (t->door == GPU ? X(gpu) : GSVD_ENTRY)(
            h, 'U', 'V', 'Q', M, N, P, t->k, t->l, t->A, LD, t->B, LD, t->alpha,
            t->beta, FACTORS, &t->info);
    case TASK_PREPROCESS:
        return DOOR(preprocess)(h, 'U', 'V', 'Q', M, P, N, t->A, LD, t->B, LD,
                                -1, -1, t->k, t->l, FACTORS, &t->info);
    case TASK_SOLVE:
        return DOOR(solve)(h, 'I', 'I', 'I', M, P, N, 0, N, t->A, LD, t->B, LD,
                           -1, -1, t->alpha, t->beta, FACTORS, &t->info);
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
        .m = M,
        .n = applies ? P : N,
        .p = P,
        .k = t->routine == TASK_SOLVE ? 0 : N,
        .l = N,
        .n_plus = N / 2,
        .A = {.data = t->A, .ld = LD},
        .B = {.data = t->B, .ld = LD},
        .U = {.data = t->U, .ld = LD},
        .V = {.data = t->V, .ld = LD},
        .Q = {.data = t->Q, .ld = LD},
        .C = {.data = t->C, .ld = LD},
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
        return call(h, t);
    ck_assert_ok(gsvd_set_workspace(h, t->dwork, t->dwork_bytes, t->hwork,
                                    t->hwork_bytes));
    const gsvd_status_t status = call(h, t);
    ck_assert_ok(gsvd_set_workspace(h, NULL, 0, NULL, 0));
    return status;
}
