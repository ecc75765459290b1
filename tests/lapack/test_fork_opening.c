/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_fork_opening.c -- fork() while another thread's first call of libgsvd_lapack64
 * opens libgsvd: the child's own first call has it whole.
 *
 *     test_lapack64_fork_opening_<letter> OURS
 */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "harness/fork_while.h"
#include "harness/random.h"
#include "lapack/calls.h"

enum { ORDER = 40, TRIALS = 40 };

static routines_t ours;
static scalar_t A0[ORDER * ORDER], B0[ORDER * ORDER];

/* INFO of values alone; l := that of the pair */
static integer_t decompose(const scalar_t *A_, const scalar_t *B_, integer_t *l)
{
    static scalar_t A[ORDER * ORDER], B[ORDER * ORDER];
    static real_t alpha[ORDER], beta[ORDER];
    memcpy(A, A_, sizeof A);
    memcpy(B, B_, sizeof B);
    const call_t c = call_for_values(&ours, ORDER, A, B, alpha, beta);
    *l = c.l;
    return c.info;
}

/* A pair that libgsvd refuses, the 11th argument: nothing calls the BLAS, where OpenBLAS has
 * a lock with which a child might be born. */
static int first_call(void)
{
    static scalar_t not_a_number[ORDER * ORDER];
    integer_t l;
    memset(not_a_number, 0xff, sizeof not_a_number);
    return decompose(A0, not_a_number, &l) == -11 ? 0 : 2;
}

static int child(void)
{
    integer_t l;
    if (first_call() != 0)
        return 3;
    return decompose(A0, B0, &l) == 0 && l == ORDER ? 0 : 4;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    if (argc != 2 || !open_routines(argv[1], RTLD_LOCAL, &ours)) {
        fprintf(stderr, "usage: %s OURS\n", argv[0]);
        return 1;
    }
    for (int i = 0; i < ORDER * ORDER; ++i) {
        A0[i] = random_normal_scalar(&seed);
        B0[i] = random_normal_scalar(&seed);
    }
    const int failed = fork_while(first_call, child, TRIALS);
    printf("%d of %d failed\n", failed, TRIALS + 1);
    return failed != 0;
}
