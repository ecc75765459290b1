/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_grid.c [1] -- SVDs and GSVDs on a grid of all processes of mpirun, in double: seconds, and what
 * the busiest process tells others.
 *
 *     mpirun -n 4 bench_grid 2 2 svd:800 pair:400 tall:200
 *
 * tall is a pair of 20 P n rows.  A JSON object a line: seconds (CPU's, of the busiest process; waiting counts,
 * since a process that waits polls), calls of MPI that have one partner (point), all (collective,
 * all_to_all), megabytes that a process sends and gets; and gemm, 10^9 operations a second of a process
 * in a product of order 600.  grid_model.py makes the model of docs/users/clusters.md out of them. */
#define _GNU_SOURCE /* drand48, M_PI */
#include <gsvd_grid.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void dgemm_(const char *opa, const char *opb, const int *m, const int *n,
            const int *k, const double *alpha, const double *A, const int *lda,
            const double *B, const int *ldb, const double *beta, double *C,
            const int *ldc, size_t, size_t);

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

/* -- matrices --------------------------------------------------------------------- */

static int p, q, row, column;

typedef struct spread {
    gsvd_grid_desc_t d;
    double *data;
} spread_t;

/* m x n, one block for each process; normal numbers of a seed */
static spread_t make(int64_t m, int64_t n, int64_t seed)
{
    const int64_t mb = m / p + 1, nb = n / q + 1;
    const int64_t cols = n - nb * column < nb ? n - nb * column : nb;
    spread_t x = {.d = {.m = m, .n = n, .mb = mb, .nb = nb, .lld = mb}};

    x.data = calloc((size_t)(mb * nb), sizeof *x.data);
    if (!x.data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return x;
    }
    srand48(seed * 1000 + row * q + column);
    for (int64_t i = 0; seed > 0 && i < mb * (cols > 0 ? cols : 0); ++i)
        x.data[i] = sqrt(-2 * log(1 - drand48())) * cos(2 * M_PI * drand48());
    return x;
}

static double cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

static gsvd_status_t run(gsvd_grid_t g, const char *what, int64_t n)
{
    const int is_svd = strcmp(what, "svd") == 0;
    const int64_t m = strcmp(what, "tall") == 0 ? 20 * p * q * n : n;
    spread_t A = make(m, n, 1), B = make(is_svd ? 0 : m, n, 2),
             U = make(m, n, 0), V = make(m, n, 0), X = make(n, n, 0);
    double *const values = calloc((size_t)(2 * n + 1), sizeof *values);
    gsvd_status_t status;

    if (is_svd)
        status = dgsvd_grid_svd(g, 'S', 'S', m, n, A.data, &A.d, values, U.data,
                                &U.d, V.data, &V.d, NULL);
    else
        status = dgsvd_grid(g, 'S', 'S', 'X', m, n, m, NULL, NULL, A.data, &A.d,
                            B.data, &B.d, values, values + n, U.data, &U.d,
                            V.data, &V.d, X.data, &X.d, NULL);
    free(values);
    free(A.data);
    free(B.data);
    free(U.data);
    free(V.data);
    free(X.data);
    return status;
}

static void time_one(gsvd_grid_t g, const char *what, int64_t n, double gemm)
{
    double most[6];
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(&told, 0, sizeof told);
    const double start = cpu();
    const gsvd_status_t status = run(g, what, n);
    const double here[] = {cpu() - start,   told.point, told.collective,
                           told.all_to_all, told.bytes, (double)status};
    PMPI_Reduce(here, most, 6, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"what\": \"%s\", \"n\": %lld, \"p\": %d, \"q\": %d, "
               "\"seconds\": %.4f, \"point\": %.0f, \"collective\": %.0f, "
               "\"all_to_all\": %.0f, \"megabytes\": %.4f, \"gemm\": %.2f, "
               "\"status\": %.0f}\n",
               what, (long long)n, p, q, most[0], most[1], most[2], most[3],
               most[4] / 1e6, gemm, most[5]);
}

int main(int argc, char **argv)
{
    gsvd_grid_t g;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    p = argc > 2 ? atoi(argv[1]) : 1;
    q = argc > 2 ? atoi(argv[2]) : 1;
    if (gsvd_grid_from_mpi(&g, MPI_Comm_c2f(MPI_COMM_WORLD), p, q, 'R') !=
        GSVD_SUCCESS) {
        fprintf(stderr, "%s\n", gsvd_grid_last_error(NULL));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    row = rank / q;
    column = rank % q;
    const double gemm = gemm_rate();
    for (int i = 3; i < argc; ++i) {
        char *const colon = strchr(argv[i], ':');
        if (!colon)
            continue;
        *colon = '\0';
        time_one(g, argv[i], atoll(colon + 1), gemm);
    }
    gsvd_grid_destroy(g);
    MPI_Finalize();
    return 0;
}
