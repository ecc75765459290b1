/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* grid.c -- the singular values of svd.c's kind of matrix, on a grid of MPI processes:
 *
 *     mpicc grid.c $(pkg-config --cflags --libs gsvd) -lm -o grid
 *     mpirun -n 4 ./grid 2 2
 *
 * A = (H / 32) B: H is Hadamard's matrix of order 1024, so that its columns over 32 are
 * orthonormal; B has blocks 2^-k (1 1; 0 1), k = 0, 1, ...  The singular values of a block
 * are 2^-k times the golden ratio and its inverse.  Each process makes its own blocks of
 * A, and no process ever has the whole matrix. */
#include <gsvd_grid.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { m = 1024, n = 200, block = 32 };

static double hadamard(int i, int j)
{
    int odd = 0;

    for (int both = i & j; both; both >>= 1)
        odd ^= both & 1;
    return odd ? -1 : 1;
}

static double entry(int i, int j)
{
    const double x = hadamard(i, j) + (j % 2 ? hadamard(i, j - 1) : 0);
    return ldexp(x / 32, -(j / 2));
}

/* Rows, or columns, that process `me` of `count` has of `all` */
static int here(int all, int me, int count)
{
    int some = 0;

    for (int i = 0; i < all; ++i)
        some += i / block % count == me;
    return some;
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The largest relative error */
static double error_of(const double *sigma)
{
    const double golden = (1 + sqrt(5)) / 2;
    double exact[n], worst = 0;

    for (int j = 0; j < n; ++j)
        exact[j] = ldexp(j % 2 ? 1 / golden : golden, -(j / 2));
    qsort(exact, n, sizeof *exact, descending);
    for (int j = 0; j < n; ++j)
        worst = fmax(worst, fabs(sigma[j] - exact[j]) / exact[j]);
    return worst;
}

int main(int argc, char **argv)
{
    int rank;
    gsvd_grid_t g;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int p = argc > 2 ? atoi(argv[1]) : 1,
              q = argc > 2 ? atoi(argv[2]) : 1;
    if (gsvd_grid_from_mpi(&g, MPI_Comm_c2f(MPI_COMM_WORLD), p, q, 'R') !=
        GSVD_SUCCESS) {
        if (rank == 0)
            fprintf(stderr, "%s\n", gsvd_grid_last_error(NULL));
        MPI_Finalize();
        return 1;
    }

    /* this process's part of A: rows and columns whose blocks are dealt to it */
    const int r = rank / q, c = rank % q;
    const int rows = here(m, r, p), cols = here(n, c, q);
    double *const A = malloc(sizeof *A * (size_t)(rows * cols + 1)), sigma[n];
    for (int j = 0; j < cols; ++j)
        for (int i = 0; i < rows; ++i)
            A[i + j * rows] = entry((i / block * p + r) * block + i % block,
                                    (j / block * q + c) * block + j % block);
    const gsvd_grid_desc_t d = {
        .m = m, .n = n, .mb = block, .nb = block, .lld = rows > 1 ? rows : 1};

    const gsvd_status_t status = dgsvd_grid_svd(g, 'N', 'N', m, n, A, &d, sigma,
                                                NULL, NULL, NULL, NULL, NULL);
    if (rank == 0 && status != GSVD_SUCCESS)
        fprintf(stderr, "svd: %s\n", gsvd_grid_last_error(g));
    if (rank == 0 && status == GSVD_SUCCESS) {
        printf("%d x %d processes: sigma %.15g to %.15g, relative error %.1e\n",
               p, q, sigma[0], sigma[n - 1], error_of(sigma));
        printf("all %s 1e-14\n", error_of(sigma) < 1e-14 ? "<" : ">=");
    }
    free(A);
    gsvd_grid_destroy(g);
    MPI_Finalize();
    return status != GSVD_SUCCESS;
}
