/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* grid.c -- see grid.h. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include "harness/grid.h"

#include <dlfcn.h>
#include <stdio.h>

#include "core/lapack.h"
#include "core/scalapack.h"
#include "grid/module.h"

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

void Cblacs_gridinfo(int context, int *p, int *q, int *r, int *c);

int ranks, me;

void begin_mpi(void)
{
    MPI_Init(NULL, NULL);
    atexit((void (*)(void))MPI_Finalize);
    setvbuf(stdout, NULL, _IOLBF, 0);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
}

const layout_t all_simple[5] = {{8, 8, 0, 0, 0, 0},
                                {8, 8, 0, 0, 0, 0},
                                {8, 8, 0, 0, 0, 0},
                                {8, 8, 0, 0, 0, 0},
                                {8, 8, 0, 0, 0, 0}};

/* By the stand-in for NCCL a communicator is this. */
static gsvd_status_t make_grid(gsvd_grid_t *g, int p, int q, char order)
{
    static struct {
        MPI_Comm comm;
    } world;
    world.comm = MPI_COMM_WORLD;
    return IS_NCCL ? gsvd_grid_from_nccl(g, &world, p, q, order)
                   : gsvd_grid_from_mpi(g, MPI_Comm_c2f(MPI_COMM_WORLD), p, q,
                                        order);
}

int open_grid(int k, char order, grid_of_t *to)
{
    for (int p = 1; p <= ranks; ++p)
        if (ranks % p == 0 && k-- == 0) {
            const int q = ranks / p;
            *to = (grid_of_t){NULL, p, q, order == 'R' ? me / q : me % p,
                              order == 'R' ? me % q : me / p};
            const gsvd_status_t status = make_grid(&to->g, p, q, order);
            ck_assert_msg(status == GSVD_SUCCESS, "%s",
                          gsvd_grid_last_error(NULL));
            return 1;
        }
    return 0;
}

int open_some(int k, int i, grid_of_t *to)
{
    int grids = 0;
    for (int p = 1; p <= ranks; ++p)
        grids += ranks % p == 0;
    return ranks < 3 ? open_grid(k, 'R', to)
                     : k == 0 && open_grid(i % grids, 'R', to);
}

static int64_t part(int64_t n, int64_t block, int rank, int source, int count)
{
    int64_t here = 0;
    for (int64_t i = 0; i < n; ++i)
        here += (i / block + source) % count == rank;
    return here;
}

spread_t new_spread(const grid_of_t *g, int64_t m, int64_t n, const layout_t *l)
{
    spread_t x = {.d = {.m = m + l->i,
                        .n = n + l->j,
                        .mb = l->mb,
                        .nb = l->nb,
                        .rsrc = l->rsrc % g->p,
                        .csrc = l->csrc % g->q,
                        .i = l->i,
                        .j = l->j}};
    x.rows = part(x.d.m, l->mb, g->r, (int)x.d.rsrc, g->p);
    x.cols = part(x.d.n, l->nb, g->c, (int)x.d.csrc, g->q);
    x.d.lld = x.rows + 1 + me % 2;
    x.data = grab((size_t)(x.d.lld * (x.cols + 1)) * sizeof(scalar_t));
    return x;
}

scalar_t *entry(const grid_of_t *g, const spread_t *x, int64_t i, int64_t j)
{
    const int64_t row = i + x->d.i, col = j + x->d.j, bi = row / x->d.mb,
                  bj = col / x->d.nb;
    if ((bi + x->d.rsrc) % g->p != g->r || (bj + x->d.csrc) % g->q != g->c)
        return NULL;
    return &x->data[bi / g->p * x->d.mb + row % x->d.mb +
                    (bj / g->q * x->d.nb + col % x->d.nb) * x->d.lld];
}

spread_t spread(const grid_of_t *g, mat_t A, const layout_t *l)
{
    const spread_t x = new_spread(g, A.rows, A.cols, l);
    EACH_ENTRY (A, i, j) {
        scalar_t *const a = entry(g, &x, i, j);
        if (a)
            *a = AT(A, i, j);
    }
    return x;
}

mat_t gathered(const grid_of_t *g, const spread_t *x, int64_t m, int64_t n)
{
    const mat_t A = new_mat(m, n);
    scalar_t *const sum = grab((size_t)(m * n + 1) * sizeof *sum);
    EACH_ENTRY (A, i, j) {
        const scalar_t *const a = entry(g, x, i, j);
        sum[i + j * m] = a ? *a : make(0, 0);
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, (int)(m * n) * REALS_PER_SCALAR,
                  GSVD_SINGLE ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = sum[i + j * m];
    return A;
}

void ck_assert_unchanged(const grid_of_t *g, const spread_t *x, mat_t A)
{
    EACH_ENTRY (A, i, j) {
        const scalar_t *const a = entry(g, x, i, j);
        ck_assert(!a || memcmp(a, &AT(A, i, j), sizeof *a) == 0);
    }
}

void ck_assert_agreed(const grid_of_t *g, gsvd_status_t status, int info,
                      gsvd_status_t expected, int number)
{
    int all[4] = {(int)status, -(int)status, info, -info};
    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    ck_assert_int_eq(all[0], -all[1]);
    ck_assert_int_eq(all[2], -all[3]);
    ck_assert_msg(status == expected && info == number, "%s (%d): %s",
                  gsvd_status_name(status), info, gsvd_grid_last_error(g->g));
    ck_assert(gsvd_grid_last_error(g->g)[0] != 0);
}

void add_some(TCase *t, const TTest *test, int end)
{
    const int one_in = ranks == 1 ? 1 : ranks == 2 ? 3 : 5;
    for (int i = 0; i < end; ++i)
        if ((i + ranks) % one_in == 0)
            tcase_add_loop_test_raise_signal(t, test, 0, i, i + 1);
}

/* -- a GPU ------------------------------------------------------------------------- */

struct fake_gpu fake_gpu;

static gsvd_status_t create_fake(gsvd_handle_t *h, int device, int turn)
{
    fake_gpu.device = device;
    fake_gpu.turn = turn;
    ++fake_gpu.created;
    return fake_gpu.is_missing ? GSVD_NOT_SUPPORTED : gsvd_create(h, GSVD_HOST);
}

static gsvd_status_t solve_fake(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                                int64_t n, int64_t p, void *L, void *F)
{
    ++fake_gpu.asked;
    if (fake_gpu.fails == GSVD_SUCCESS)
        return gsvd_grid_gpu.solve(h, type, m, n, p, L, F);
    *(scalar_t *)L = make((real_t)NAN, 0);
    if (p > 0)
        *(scalar_t *)F = make((real_t)NAN, 0);
    return fake_gpu.fails;
}

static gsvd_status_t destroy_fake(gsvd_handle_t h)
{
    ++fake_gpu.destroyed;
    return gsvd_destroy(h);
}

void use_fake_gpu(const grid_of_t *g, int device, int64_t least)
{
    static grid_gpu_t gpu = {
        .create = create_fake, .solve = solve_fake, .destroy = destroy_fake};
    void *library = dlopen("libgsvd-openmpi.so." TEXT(GSVD_VERSION_MAJOR),
                           RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        library = dlopen("libgsvd-mpich.so." TEXT(GSVD_VERSION_MAJOR),
                         RTLD_NOW | RTLD_NOLOAD);
    ck_assert_ptr_nonnull(library);
    const grid_module_t *const module = dlsym(library, "gsvd_grid_module");
    gpu.least = least;
    module->set_device(g->g, device, &gpu);
    dlclose(library);
}

int bands_on_gpu(const grid_of_t *g)
{
    int all = (int)g->g->on_gpu;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* -- faults ------------------------------------------------------------------------- */

int countdown;
static _Thread_local int inside;

void *__libc_malloc(size_t bytes);
__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    Dl_info of;
    if (countdown > 0 && !inside) {
        inside = 1;
        const int ours = dladdr(__builtin_return_address(0), &of) &&
                         of.dli_fname && strstr(of.dli_fname, "/libgsvd-");
        inside = 0;
        if (ours && --countdown == 0)
            return NULL;
    }
    return __libc_malloc(bytes);
}

enum fault fault;
int culprit, eigenproblems;

__attribute__((visibility("default"))) void
SCALAPACK_(PSYEVD)(const char *job, const char *uplo, const int *n, scalar_t *a,
                   const int *ia, const int *ja, const int *desca, real_t *w,
                   scalar_t *z, const int *iz, const int *jz, const int *descz,
                   scalar_t *work, const int *lwork, PRWORK int *iwork,
                   const int *liwork, int *info, size_t of_job, size_t of_uplo)
{
    void (*real)(const char *, const char *, const int *, PMATRIX(), real_t *,
                 PMATRIX(), scalar_t *, const int *, PRWORK int *, const int *,
                 int *, size_t, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(PSYEVD)));
    real(job, uplo, n, a, ia, ja, desca, w, z, iz, jz, descz, work, lwork,
         PRWORK_OF(rwork, lrwork) iwork, liwork, info, of_job, of_uplo);
    if (*lwork == -1)
        return;
    ++eigenproblems;
    if (me != culprit)
        return;
    if (fault == ZERO_ENTRY || fault == NOT_A_NUMBER)
        z[0] = z[descz[8] > 1] = make(fault == ZERO_ENTRY ? 0 : (real_t)NAN, 0);
    for (int j = 0; j < *n; ++j)
        w[j] = fault == OTHER_VALUES ? w[j] + (real_t)0.01
               : fault == NO_VALUES  ? (real_t)NAN
                                     : w[j];
    if (fault == REFUSES)
        *info = -14;
}

enum fault small_fault;

__attribute__((visibility("default"))) void
BLAS_(SYEVD)(const char *job, const char *uplo, const int *n, scalar_t *a,
             const int *lda, real_t *w, scalar_t *work, const int *lwork,
             PRWORK int *iwork, const int *liwork, int *info, size_t of_job,
             size_t of_uplo)
{
    void (*real)(const char *, const char *, const int *, scalar_t *,
                 const int *, real_t *, scalar_t *, const int *, PRWORK int *,
                 const int *, int *, size_t, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(BLAS_(SYEVD)));
    real(job, uplo, n, a, lda, w, work, lwork, PRWORK_OF(rwork, lrwork) iwork,
         liwork, info, of_job, of_uplo);
    if (me != culprit || small_fault == HONEST)
        return;
    if (small_fault == NOT_A_NUMBER)
        a[0] = make((real_t)NAN, 0);
    if (small_fault == OTHER_VALUES)
        w[0] += (real_t)0.01 + w[*n - 1];
    if (small_fault == REFUSES)
        *info = 1;
}

int wrong_cosines, all_cosines;

__attribute__((visibility("default"))) void
SCALAPACK_(PHERK)(const char *uplo, const char *op, const int *n, const int *k,
                  const real_t *alpha, const scalar_t *a, const int *ia,
                  const int *ja, const int *desca, const real_t *beta,
                  scalar_t *c, const int *ic, const int *jc, const int *descc)
{
    void (*real)(const char *, const char *, const int *, const int *,
                 const real_t *, PMATRIX(const), const real_t *, PMATRIX());
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(PHERK)));
    real(uplo, op, n, k, alpha, a, ia, ja, desca, beta, c, ic, jc, descc);
    ++all_cosines;
    if (wrong_cosines > 0 && wrong_cosines-- && me == 0)
        c[1] = add(c[1], make((real_t)(all_cosines % 2 ? 0.01 : -0.01), 0));
}

real_t slope;

/* The first block of reflectors comes last in Q C. */
__attribute__((visibility("default"))) void SCALAPACK_(larfb)(
    const char *side, const char *op, const char *direct, const char *stored,
    const int *m, const int *n, const int *k, const scalar_t *v, const int *iv,
    const int *jv, const int *descv, const scalar_t *T, scalar_t *c,
    const int *ic, const int *jc, const int *descc, scalar_t *work,
    size_t of_side, size_t of_op, size_t of_direct, size_t of_stored)
{
    void (*real)(const char *, const char *, const char *, const char *,
                 const int *, const int *, const int *, PMATRIX(const),
                 const scalar_t *, PMATRIX(), scalar_t *, size_t, size_t,
                 size_t, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(larfb)));
    real(side, op, direct, stored, m, n, k, v, iv, jv, descv, T, c, ic, jc,
         descc, work, of_side, of_op, of_direct, of_stored);
    for (int i = 0; slope != 0 && *jv == 1 && *m > *n && i < descc[8]; ++i)
        c[i + descc[8]] = add(c[i + descc[8]], scale(slope, c[i]));
}

real_t wrong_quotient;

__attribute__((visibility("default"))) void
SCALAPACK_(trsm)(const char *side, const char *uplo, const char *op,
                 const char *diag, const int *m, const int *n,
                 const scalar_t *alpha, const scalar_t *a, const int *ia,
                 const int *ja, const int *desca, scalar_t *b, const int *ib,
                 const int *jb, const int *descb)
{
    void (*real)(const char *, const char *, const char *, const char *,
                 const int *, const int *, const scalar_t *, PMATRIX(const),
                 PMATRIX());
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(trsm)));
    real(side, uplo, op, diag, m, n, alpha, a, ia, ja, desca, b, ib, jb, descb);
    b[descb[8] + 1] = add(b[descb[8] + 1], make(wrong_quotient, 0));
}

real_t wrong_reflector;

__attribute__((visibility("default"))) void
SCALAPACK_(geqrf)(const int *m, const int *n, scalar_t *a, const int *ia,
                  const int *ja, const int *desca, scalar_t *tau,
                  scalar_t *work, const int *lwork, int *info)
{
    void (*real)(const int *, const int *, PMATRIX(), scalar_t *, scalar_t *,
                 const int *, int *);
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(geqrf)));
    real(m, n, a, ia, ja, desca, tau, work, lwork, info);
    if (*lwork != -1)
        a[0] = add(a[0], make(wrong_reflector, 0));
}

int unpivoted;

__attribute__((visibility("default"))) void
SCALAPACK_(geqpf)(const int *m, const int *n, scalar_t *a, const int *ia,
                  const int *ja, const int *desca, int *ipiv, scalar_t *tau,
                  scalar_t *work, const int *lwork, PRWORK int *info)
{
    void (*real)(const int *, const int *, PMATRIX(), int *, scalar_t *,
                 scalar_t *, const int *, PRWORK int *);
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(geqpf)));
    if (*lwork == -1 || unpivoted == 0) {
        real(m, n, a, ia, ja, desca, ipiv, tau, work, lwork,
             PRWORK_OF(rwork, lrwork) info);
        return;
    }
    --unpivoted;
    const int mb = desca[5], most = *ja + *n - 1, rows = (*m + *ia) * mb;
    scalar_t *const room =
        grab((size_t)(rows + most * mb + mb * mb) * 8 * sizeof *room);
    const int size = (rows + most * mb + mb * mb) * 8;
    int p, q, r, c;
    Cblacs_gridinfo(desca[1], &p, &q, &r, &c);
    for (int j = 0; j < most; ++j)
        if (j / mb % q == c)
            ipiv[j / mb / q * mb + j % mb] = j + 1;
    SCALAPACK_(geqrf)(m, n, a, ia, ja, desca, tau, room, &size, info);
}

int wrong_product;

__attribute__((visibility("default"))) void
SCALAPACK_(gemm)(const char *opa, const char *opb, const int *m, const int *n,
                 const int *k, const scalar_t *alpha, const scalar_t *a,
                 const int *ia, const int *ja, const int *desca,
                 const scalar_t *b, const int *ib, const int *jb,
                 const int *descb, const scalar_t *beta, scalar_t *c,
                 const int *ic, const int *jc, const int *descc)
{
    void (*real)(const char *, const char *, const int *, const int *,
                 const int *, const scalar_t *, PMATRIX(const), PMATRIX(const),
                 const scalar_t *, PMATRIX());
    *(void **)&real = dlsym(RTLD_NEXT, TEXT(SCALAPACK_(gemm)));
    real(opa, opb, m, n, k, alpha, a, ia, ja, desca, b, ib, jb, descb, beta, c,
         ic, jc, descc);
    if (wrong_product > 0 && --wrong_product == 0 && me == 0)
        c[0] = add(scale(2, c[0]), make((real_t)0.01, 0));
}
