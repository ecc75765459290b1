/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_grid.c [1] -- SVDs and GSVDs on a grid of all processes of mpirun, in double: seconds, and what
 * the busiest process tells others.
 *
 *     mpirun -n 4 bench_grid [--device host|any|0...] 2 2 svd:800 svd_columns:800:3 pair:400 tall:200
 *
 * Bands are solved on that GPU, if one pays; any, the default: on those of the computer in turn.
 *
 * NAME:N[:DRAW].  tall is a pair of 20 P n rows.  svd, svd_columns and svd_bands are of normal numbers: as they are,
 * columns times random powers of two up to 10^+-100, or in 64 bands of columns of like length; of svd_few, in 8.
 * pdgesvd and pdgesvd_columns: ScaLAPACK's, of the same matrices in blocks of 64 x 64.
 *
 * A JSON object a line: seconds (CPU's, of the busiest process; waiting counts, since a process that waits polls);
 * calls of MPI that have one partner (point), all (collective, all_to_all); megabytes that a process sends and gets;
 * gemm, 10^9 operations a second of a process in a product of order 600; wall, the seconds of the clock; on_gpu, the
 * bands that GPUs solved, of all processes.  A call whose status is 0 has passed the module's test of its residual.
 * grid_model.py makes the model of docs/users/clusters.md out of them. */
#define _GNU_SOURCE /* drand48, M_PI */
#include <grid/module.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random_bits.h"

void dgemm_(const char *opa, const char *opb, const int *m, const int *n,
            const int *k, const double *alpha, const double *A, const int *lda,
            const double *B, const int *ldb, const double *beta, double *C,
            const int *ldc, size_t, size_t);

void pdgesvd_(const char *jobu, const char *jobv, const int *m, const int *n,
              double *A, const int *ia, const int *ja, const int *desca,
              double *sigma, double *U, const int *iu, const int *ju,
              const int *descu, double *VT, const int *iv, const int *jv,
              const int *descv, double *work, const int *lwork, int *info,
              size_t, size_t);
int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridinit(int *context, const char *order, int p, int q);
void Cblacs_gridexit(int context);

/* -- what is told ---------------------------------------------------------------- */

static struct {
    double point, collective, all_to_all, bytes;
} told;

static void count(double *calls, MPI_Comm c, int n, MPI_Datatype t)
{
    int processes, size;

    PMPI_Comm_size(c, &processes);
    PMPI_Type_size(t, &size);
    if (processes > 1) {
        ++*calls;
        told.bytes += (double)n * size;
    }
}

#define COUNTED(name, kind, parameters, arguments)                             \
    int MPI_##name parameters                                                  \
    {                                                                          \
        count(&told.kind, c, n, t);                                            \
        return PMPI_##name arguments;                                          \
    }
COUNTED(Send, point,
        (const void *x, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
        (x, n, t, to, tag, c))
COUNTED(Isend, point,
        (const void *x, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,
         MPI_Request *r),
        (x, n, t, to, tag, c, r))
COUNTED(Recv, point,
        (void *x, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
         MPI_Status *s),
        (x, n, t, from, tag, c, s))
COUNTED(Irecv, point,
        (void *x, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
         MPI_Request *r),
        (x, n, t, from, tag, c, r))
COUNTED(Bcast, collective,
        (void *x, int n, MPI_Datatype t, int from, MPI_Comm c),
        (x, n, t, from, c))
COUNTED(Reduce, collective,
        (const void *x, void *y, int n, MPI_Datatype t, MPI_Op op, int to,
         MPI_Comm c),
        (x, y, n, t, op, to, c))
COUNTED(Allreduce, collective,
        (const void *x, void *y, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
        (x, y, n, t, op, c))

int MPI_Allgather(const void *x, int sent, MPI_Datatype t, void *y, int got,
                  MPI_Datatype u, MPI_Comm c)
{
    int processes;

    PMPI_Comm_size(c, &processes);
    count(&told.collective, c, processes * got, u);
    return PMPI_Allgather(x, sent, t, y, got, u, c);
}

int MPI_Allgatherv(const void *x, int sent, MPI_Datatype t, void *y,
                   const int got[], const int to[], MPI_Datatype u, MPI_Comm c)
{
    int processes, n = 0;

    PMPI_Comm_size(c, &processes);
    for (int k = 0; k < processes; ++k)
        n += got[k];
    count(&told.collective, c, n, u);
    return PMPI_Allgatherv(x, sent, t, y, got, to, u, c);
}

int MPI_Alltoallv(const void *x, const int sent[], const int at[],
                  MPI_Datatype t, void *y, const int got[], const int to[],
                  MPI_Datatype u, MPI_Comm c)
{
    int processes, rank, n = 0;

    PMPI_Comm_size(c, &processes);
    PMPI_Comm_rank(c, &rank);
    for (int k = 0; k < processes; ++k)
        n += k == rank ? 0 : sent[k] + got[k];
    count(&told.all_to_all, c, n, t);
    return PMPI_Alltoallv(x, sent, at, t, y, got, to, u, c);
}

static double cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -- matrices --------------------------------------------------------------------- */

static int p, q, row, column;

typedef struct spread {
    gsvd_grid_desc_t d;
    double *data;
} spread_t;

/* In (0, 1) */
static double number(int64_t i, int64_t j, int64_t seed)
{
    return (random_bits((uint64_t)i, (uint64_t)j, (uint64_t)seed) + 0.5) *
           0x1p-53;
}

/* Normal numbers; if they are scaled, columns times 2^e, where e is random up to 332 (10^100) or falls from 480 to
 * -480 by bands, if there are some */
typedef struct kind {
    int64_t seed;
    int scaled, bands;
} kind_t;

static double entry(int64_t i, int64_t j, const kind_t *k)
{
    return sqrt(-2 * log(number(i, j, 2 * k->seed))) *
           cos(2 * M_PI * number(i, j, 2 * k->seed + 1));
}

static double scale_of(int64_t j, int64_t n, const kind_t *k)
{
    if (!k->scaled)
        return 1;
    if (k->bands == 0)
        return exp2(floor(664 * number(j, n, -1 - k->seed) - 332));
    const int64_t band = j * k->bands / n;
    return exp2(floor(480 - 960.0 / k->bands * (double)band));
}

/* m x n, one block for each process; zeros of no kind */
static spread_t make(int64_t m, int64_t n, const kind_t *k)
{
    const int64_t mb = m / p + 1, nb = n / q + 1, j0 = nb * column;
    spread_t x = {.d = {.m = m, .n = n, .mb = mb, .nb = nb, .lld = mb}};

    x.data = calloc((size_t)(mb * nb), sizeof *x.data);
    if (!x.data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return x;
    }
    for (int64_t j = 0; k && j < nb && j0 + j < n; ++j)
        for (int64_t i = 0; i < mb; ++i)
            x.data[i + j * mb] =
                scale_of(j0 + j, n, k) * entry(mb * row + i, j0 + j, k);
    return x;
}

/* ScaLAPACK's, of an n x n matrix of that kind */
static int by_scalapack(int64_t n, const kind_t *k, double *seconds)
{
    enum { NB = 64 };
    const int order = (int)n, one = 1, ask = -1;
    const int turns = (order + NB - 1) / NB;
    const int64_t rows = (int64_t)((turns + p - 1) / p) * NB,
                  cols = (int64_t)((turns + q - 1) / q) * NB;
    int context = Csys2blacs_handle(MPI_COMM_WORLD), info = 0;
    double query[2] = {0, 0};

    Cblacs_gridinit(&context, "Row", p, q);
    const int desc[] = {1, context, order, order, NB, NB, 0, 0, (int)rows};
    double *const A = calloc((size_t)(3 * rows * cols + order), sizeof *A),
                  *const U = A + rows * cols, *const V = U + rows * cols,
                  *const sigma = V + rows * cols;
    for (int64_t j = 0; j < cols; ++j) {
        const int64_t at = (j / NB * q + column) * NB + j % NB;
        for (int64_t i = 0; i < rows; ++i)
            A[i + j * rows] = scale_of(at, n, k) *
                              entry((i / NB * p + row) * NB + i % NB, at, k);
    }
    pdgesvd_("V", "V", &order, &order, A, &one, &one, desc, sigma, U, &one,
             &one, desc, V, &one, &one, desc, query, &ask, &info, 1, 1);
    const int lwork = (int)query[0] + 8 * order + 8192;
    double *const work = calloc((size_t)lwork, sizeof *work);
    const double start = cpu();
    pdgesvd_("V", "V", &order, &order, A, &one, &one, desc, sigma, U, &one,
             &one, desc, V, &one, &one, desc, work, &lwork, &info, 1, 1);
    *seconds = cpu() - start;
    Cblacs_gridexit(context);
    free(work);
    free(A);
    return info;
}

static double gemm_rate(void)
{
    enum { n = 600, TIMES = 4 };
    const int order = n;
    const double one = 1, zero = 0;
    double *const x = calloc(3 * n * n, sizeof *x);
    double start = 0;

    if (!x)
        return 0;
    for (int i = 0; i < 2 * n * n; ++i)
        x[i] = drand48();
    for (int k = 0; k <= TIMES; ++k) {
        dgemm_("N", "N", &order, &order, &order, &one, x, &order, x + n * n,
               &order, &zero, x + 2 * n * n, &order, 1, 1);
        if (k == 0) /* which starts the library                              */
            start = cpu();
    }
    const double seconds = cpu() - start;
    free(x);
    return 2e-9 * TIMES * n * n * n / seconds;
}

/* -- runs ------------------------------------------------------------------------- */

static gsvd_status_t run(gsvd_grid_t g, const char *what, int64_t n,
                         const kind_t *kind, double *seconds)
{
    const int is_svd = strncmp(what, "svd", 3) == 0;
    const int64_t m = strcmp(what, "tall") == 0 ? 20 * p * q * n : n;
    const kind_t other = {.seed = -kind->seed - 1};
    spread_t A = make(m, n, kind), B = make(is_svd ? 0 : m, n, &other),
             U = make(m, n, NULL), V = make(m, n, NULL), X = make(n, n, NULL);
    double *const values = calloc((size_t)(2 * n + 1), sizeof *values);
    gsvd_status_t status;

    const double start = cpu();
    if (is_svd)
        status = dgsvd_grid_svd(g, 'S', 'S', m, n, A.data, &A.d, values, U.data,
                                &U.d, V.data, &V.d, NULL);
    else
        status = dgsvd_grid(g, 'S', 'S', 'X', m, n, m, NULL, NULL, A.data, &A.d,
                            B.data, &B.d, values, values + n, U.data, &U.d,
                            V.data, &V.d, X.data, &X.d, NULL);
    *seconds = cpu() - start;
    free(values);
    free(A.data);
    free(B.data);
    free(U.data);
    free(V.data);
    free(X.data);
    return status;
}

static kind_t kind_of(const char *what, int64_t draw)
{
    const char *const scales = strchr(what, '_');
    return (kind_t){.seed = draw,
                    .scaled = scales != NULL,
                    .bands = !scales                         ? 0
                             : strcmp(scales, "_few") == 0   ? 8
                             : strcmp(scales, "_bands") == 0 ? 64
                                                             : 0};
}

static void time_one(gsvd_grid_t g, const char *what, int64_t n, int64_t draw,
                     double gemm)
{
    const kind_t kind = kind_of(what, draw);
    double most[7], seconds, bands;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(&told, 0, sizeof told);
    const double before = (double)g->on_gpu, start = MPI_Wtime();
    const int status = strncmp(what, "pdgesvd", 7) == 0
                           ? by_scalapack(n, &kind, &seconds)
                           : (int)run(g, what, n, &kind, &seconds);
    const double here[] = {
        seconds,    told.point,     told.collective,    told.all_to_all,
        told.bytes, (double)status, MPI_Wtime() - start};
    const double on_gpu = (double)g->on_gpu - before;
    PMPI_Reduce(here, most, 7, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Reduce(&on_gpu, &bands, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"what\": \"%s\", \"n\": %lld, \"draw\": %lld, \"p\": %d, "
               "\"q\": %d, "
               "\"seconds\": %.4f, \"point\": %.0f, \"collective\": %.0f, "
               "\"all_to_all\": %.0f, \"megabytes\": %.4f, \"gemm\": %.2f, "
               "\"wall\": %.4f, \"on_gpu\": %.0f, \"status\": %.0f}\n",
               what, (long long)n, (long long)draw, p, q, most[0], most[1],
               most[2], most[3], most[4] / 1e6, gemm, most[6], bands, most[5]);
}

/* --device WHERE, which goes from the arguments */
static int device_of(int *argc, char ***argv)
{
    if (*argc < 3 || strcmp((*argv)[1], "--device") != 0)
        return GSVD_ANY;
    const char *const where = (*argv)[2];
    *argc -= 2;
    *argv += 2;
    return strcmp(where, "any") == 0    ? GSVD_ANY
           : strcmp(where, "host") == 0 ? GSVD_HOST
                                        : atoi(where);
}

int main(int argc, char **argv)
{
    gsvd_grid_t g;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int device = device_of(&argc, &argv);
    p = argc > 2 ? atoi(argv[1]) : 1;
    q = argc > 2 ? atoi(argv[2]) : 1;
    if (gsvd_grid_from_mpi(&g, MPI_Comm_c2f(MPI_COMM_WORLD), p, q, 'R') !=
        GSVD_SUCCESS) {
        fprintf(stderr, "%s\n", gsvd_grid_last_error(NULL));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    gsvd_grid_set_device(g, device);
    row = rank / q;
    column = rank % q;
    const double gemm = gemm_rate();
    for (int i = 3; i < argc; ++i) {
        char *const colon = strchr(argv[i], ':');
        if (!colon)
            continue;
        *colon = '\0';
        const char *const draw = strchr(colon + 1, ':');
        time_one(g, argv[i], atoll(colon + 1), draw ? atoll(draw + 1) : 0,
                 gemm);
    }
    gsvd_grid_destroy(g);
    MPI_Finalize();
    return 0;
}
