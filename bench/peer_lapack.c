/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* peer_lapack.c -- the same work by LAPACK, through LAPACKE. */
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "lapacke.h"
#include "problem.h"

#define LAPACK(name) GSVD_PASTE(LAPACKE_, GSVD_PASTE(GSVD_LETTER, name))
#define INT(x) ((lapack_int)(x))
#define ARRAY(A) (A).data, INT((A).ld)

/* info > 0: it ran, and did not reach its aim */
static gsvd_status_t answered(const char *name, lapack_int info)
{
    if (info == 0)
        return GSVD_SUCCESS;
    fprintf(stderr, "LAPACK's %s: info = %d\n", name, (int)info);
    return info > 0 ? GSVD_NOT_CONVERGED : GSVD_INTERNAL_ERROR;
}

gsvd_status_t X(bench_lapack_qr)(void *data)
{
    problem_t *P = data;
    const mat_t Q = P->now.Q;
    GSVD_TRY(
        answered("geqrf", LAPACK(geqrf)(LAPACK_COL_MAJOR, INT(P->m), INT(P->n),
                                        ARRAY(P->now.A), P->tau)));
    if (!Q.data)
        return GSVD_SUCCESS;
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_cols(P->now.A, 0, Q.cols), Q));
    return answered("orgqr",
                    LAPACK(ORGQR)(LAPACK_COL_MAJOR, INT(Q.rows), INT(Q.cols),
                                  INT(Q.cols), ARRAY(Q), P->tau));
}

gsvd_status_t X(bench_lapack_geqp)(void *data)
{
    problem_t *P = data;
    memset(P->perm, 0, (size_t)P->n * sizeof *P->perm);
    return answered("geqp3",
                    LAPACK(geqp3)(LAPACK_COL_MAJOR, INT(P->m), INT(P->n),
                                  ARRAY(P->now.A), P->perm, P->tau));
}

gsvd_status_t X(bench_lapack_sytrf)(void *data)
{
    problem_t *P = data;
    return answered("sytrf", LAPACK(SYTRF)(LAPACK_COL_MAJOR, 'L', INT(P->n),
                                           ARRAY(P->now.A), P->perm));
}

/* of a factor that may be absent */
#define FACTOR(A) (A).data, INT(max_i((A).ld, 1))

/* V gets V^H, without gaps. */
gsvd_status_t X(bench_lapack_gesdd)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    return answered("gesdd",
                    LAPACK(gesdd)(LAPACK_COL_MAJOR, F->U.data ? 'S' : 'N',
                                  INT(P->m), INT(P->n), ARRAY(F->A), P->alpha,
                                  FACTOR(F->U), F->V.data,
                                  INT(max_i(F->V.cols, 1))));
}

/* A gets Q. */
gsvd_status_t X(bench_lapack_syevd)(void *data)
{
    problem_t *P = data;
    return answered("syevd",
                    LAPACK(SYEVD)(LAPACK_COL_MAJOR, P->now.Q.data ? 'V' : 'N',
                                  'L', INT(P->n), ARRAY(P->now.A), P->alpha));
}

/* sigma := x times the scale that keeps it from over- and underflow */
static void set_values(problem_t *P, const real_t *x, real_t scale_of_x)
{
    for (int64_t i = 0; i < P->n; ++i)
        P->alpha[i] = x[i] * scale_of_x;
}

/* A gets U. */
gsvd_status_t X(bench_lapack_gesvj)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    real_t stat[8] = {0};
    GSVD_TRY(answered(
        "gesvj", LAPACK(gesvj)(LAPACK_COL_MAJOR, 'G', F->U.data ? 'U' : 'N',
                               F->V.data ? 'V' : 'N', INT(P->m), INT(P->n),
                               ARRAY(F->A), P->beta, 0, FACTOR(F->V), stat)));
    set_values(P, P->beta, stat[0]);
    return GSVD_SUCCESS;
}

/* 'F': rows and columns may be of any size. */
gsvd_status_t X(bench_lapack_gejsv)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    real_t stat[8] = {0};
    lapack_int istat[8] = {0};
    GSVD_TRY(answered(
        "gejsv", LAPACK(gejsv)(LAPACK_COL_MAJOR, 'F', F->U.data ? 'U' : 'N',
                               F->V.data ? 'V' : 'N', 'R', 'N', 'N', INT(P->m),
                               INT(P->n), ARRAY(F->A), P->beta, FACTOR(F->U),
                               FACTOR(F->V), stat, istat)));
    set_values(P, P->beta, stat[0] / stat[1]);
    return GSVD_SUCCESS;
}

/* xGESVDQ's work.  LAPACKE 3.11 would take it, but asks for its sizes in single numbers,
 * where xGESVDQ writes two: that of complex matrices overwrites the stack. */
#define gesvdq_work_t X(bench_gesvdq_work_t)
typedef struct gesvdq_work_t {
    lapack_int *iwork, liwork, lwork, lrwork;
    scalar_t *work;
    real_t *rwork;
} gesvdq_work_t;

/* 'H', 'P': columnwise small errors, rows sorted.  V gets V^H. */
static lapack_int gesvdq(const problem_t *P, const gesvdq_work_t *w)
{
    const factors_t *F = &P->now;
    lapack_int rank;
    return LAPACK(gesvdq_work)(
        LAPACK_COL_MAJOR, 'H', 'P', 'N', F->U.data ? 'S' : 'N',
        F->V.data ? 'V' : 'N', INT(P->m), INT(P->n), ARRAY(F->A), P->alpha,
        FACTOR(F->U), FACTOR(F->V), &rank, w->iwork, w->liwork, w->work,
        w->lwork, w->rwork, w->lrwork);
}

/* Its answers to a query are at least what its comments ask for. */
static gsvd_status_t plan_gesvdq(problem_t *P, gesvdq_work_t **plan)
{
    lapack_int iwork[2] = {0};
    scalar_t work[2];
    real_t rwork[2] = {0};
    const gesvdq_work_t query = {iwork, -1, -1, -1, work, rwork};
    const int64_t m = P->m, n = P->n;
    gesvdq_work_t *w;

    memset(work, 0, sizeof work);
    GSVD_TRY(answered("gesvdq", gesvdq(P, &query)));
    GSVD_TRY(bench_array(P->bench, P->h, 1, sizeof *w, &w));
    w->liwork = INT(max_i(iwork[0], m + n));
    w->lwork = INT(max_i((int64_t)re(work[0]), 1));
    w->lrwork = INT(max_i((int64_t)rwork[0], max_i(m, 5 * n) + 2));
    GSVD_TRY(bench_array(P->bench, P->h, w->liwork, sizeof *iwork, &w->iwork));
    GSVD_TRY(bench_array(P->bench, P->h, w->lwork, sizeof *work, &w->work));
    GSVD_TRY(bench_array(P->bench, P->h, w->lrwork, sizeof *rwork, &w->rwork));
    P->peer = *plan = w;
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_lapack_gesvdq)(void *data)
{
    problem_t *P = data;
    gesvdq_work_t *w = P->peer;
    if (!w)
        GSVD_TRY(plan_gesvdq(P, &w));
    return answered("gesvdq", gesvdq(P, w));
}

gsvd_status_t X(bench_lapack_preprocess)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    lapack_int k, l;
    return answered("ggsvp3",
                    LAPACK(ggsvp3)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', INT(P->m),
                                   INT(P->p), INT(P->n), ARRAY(F->A),
                                   ARRAY(F->B), P->tola, P->tolb, &k, &l,
                                   ARRAY(F->U), ARRAY(F->V), ARRAY(F->Q)));
}

gsvd_status_t X(bench_lapack_solve)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    lapack_int cycles;
    return answered("tgsja",
                    LAPACK(tgsja)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', INT(P->m),
                                  INT(P->p), INT(P->n), INT(P->k), INT(P->l),
                                  ARRAY(F->A), ARRAY(F->B), P->tola, P->tolb,
                                  P->alpha, P->beta, ARRAY(F->U), ARRAY(F->V),
                                  ARRAY(F->Q), &cycles));
}

gsvd_status_t X(bench_lapack_gsvd)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    const char *const job = P->bench->values ? "NNN" : "UVQ";
    lapack_int k, l;
    return answered("ggsvd3",
                    LAPACK(ggsvd3)(LAPACK_COL_MAJOR, job[0], job[1], job[2],
                                   INT(P->m), INT(P->n), INT(P->p), &k, &l,
                                   ARRAY(F->A), ARRAY(F->B), P->alpha, P->beta,
                                   ARRAY(F->U), ARRAY(F->V), ARRAY(F->Q),
                                   P->perm));
}

int X(bench_fits_qr_csd)(const problem_t *P)
{
    return P->n > 0 && P->m + P->p >= P->n;
}

/* (A; B) = (Q1; Q2) R, then the CS decomposition Q1 = U C W^H, Q2 = V S W^H.  F->Q gets
 * W^H R, which is X^-1 of A = U C X^-1, B = V S X^-1; no ranks. */
gsvd_status_t X(bench_lapack_qr_csd)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    const int64_t m = P->m, n = P->n, rows = P->m + P->p;
    const char job = P->bench->values ? 'N' : 'Y';
    void *room = P->peer;

    if (!room)
        GSVD_TRY(bench_take(P->bench, P->h,
                            (size_t)(rows * n + 2 * n * n) * sizeof(scalar_t),
                            &room));
    P->peer = room;
    const mat_t S = mat_view(room, rows, n, rows);
    const mat_t R = mat_view(S.data + rows * n, n, n, n);
    const mat_t W = mat_view(R.data + n * n, n, n, n);
    GSVD_TRY(P->ex.op->copy(&P->ex, F->A, mat_rows(S, 0, m)));
    GSVD_TRY(P->ex.op->copy(&P->ex, F->B, mat_rows(S, m, rows)));
    GSVD_TRY(answered("geqrf", LAPACK(geqrf)(LAPACK_COL_MAJOR, INT(rows),
                                             INT(n), ARRAY(S), P->tau)));
    memset(R.data, 0, (size_t)(n * n) * sizeof(scalar_t));
    for (int64_t j = 0; j < n; ++j)
        memcpy(&AT(R, 0, j), &AT(S, 0, j), (size_t)(j + 1) * sizeof(scalar_t));
    GSVD_TRY(
        answered("orgqr", LAPACK(ORGQR)(LAPACK_COL_MAJOR, INT(rows), INT(n),
                                        INT(n), ARRAY(S), P->tau)));
    GSVD_TRY(answered("orcsd2by1",
                      LAPACK(ORCSD2BY1)(LAPACK_COL_MAJOR, job, job, job,
                                        INT(rows), INT(m), INT(n), ARRAY(S),
                                        &AT(S, m, 0), INT(S.ld), P->alpha,
                                        FACTOR(F->U), FACTOR(F->V), ARRAY(W))));
    for (int64_t i = 0; i < min_i(min_i(m, P->p), n); ++i) {
        P->beta[i] = (real_t)sin((double)P->alpha[i]);
        P->alpha[i] = (real_t)cos((double)P->alpha[i]);
    }
    return job == 'N' ? GSVD_SUCCESS
                      : P->ex.op->gemm(&P->ex, 'N', 'N', W, R, F->Q);
}
