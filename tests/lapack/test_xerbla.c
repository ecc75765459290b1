/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_xerbla.c -- a program with an XERBLA of its own, linked to a library of ours and
 * to no LAPACK: it is called, though nothing but ours asks for the symbol. */
#include <stdio.h>
#include <string.h>

#include "core/matrix.h"
#include "lapack/abi.h"

static int called, number;
static char name[8];

GSVD_API void xerbla_(const char *routine, const integer_t *argument,
                      size_t length);

void xerbla_(const char *routine, const integer_t *argument, size_t length)
{
    ++called;
    number = (int)*argument;
    memcpy(name, routine, length < sizeof name ? length : sizeof name - 1);
}

/* the argument that only the complex routines have */
#define RWORK_ARGUMENT_s
#define RWORK_ARGUMENT_d
#define RWORK_ARGUMENT_c rwork,
#define RWORK_ARGUMENT_z rwork,
#define RWORK_ARGUMENT GSVD_PASTE(RWORK_ARGUMENT_, GSVD_LETTER)

int main(void)
{
    const integer_t one = 1;
    scalar_t A[1] = {1}, B[1] = {1}, U[1], V[1], Q[1], work[8];
    real_t alpha[1], beta[1];
    real_t rwork[2] UNUSED;
    integer_t k = 0, l = 0, iwork[1], info = 0;
    LAPACK(ggsvd3)
    ("X", "V", "Q", &one, &one, &one, &k, &l, A, &one, B, &one, alpha, beta, U,
     &one, V, &one, Q, &one, work, &one, RWORK_ARGUMENT iwork, &info, 1, 1, 1);
    if (info == -1 && called == 1 && number == 1 &&
        strcmp(name, LAPACK_NAME("GGSVD3")) == 0)
        return 0;
    fprintf(stderr, "INFO = %d, XERBLA was called %d times, \"%s\", %d\n",
            (int)info, called, name, number);
    return 1;
}
