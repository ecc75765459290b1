/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* routines.h -- LAPACK's routines of some library, as a Fortran compiler calls
 * them: everything by address, at the end the lengths of the three CHARACTER
 * arguments. */
#ifndef GSVD_BENCH_ROUTINES_H
#define GSVD_BENCH_ROUTINES_H

#include "core/scalar.h"
#include "core/status.h"
#include "lapacks.h"

/* The complex routines have a real workspace, but for xTGSJA. */
#define RWORK_s(x)
#define RWORK_d(x)
#define RWORK_c(x) x,
#define RWORK_z(x) x,
#define RWORK(x) GSVD_PASTE(RWORK_, GSVD_LETTER)(x)

typedef int32_t integer_t;
#define JOBS const char *, const char *, const char *
#define SIZE const integer_t *
#define MATRIX scalar_t *, const integer_t *
#define FACTORS MATRIX, MATRIX, MATRIX
#define LENGTHS size_t, size_t, size_t

#define ggsvp3_t X(ggsvp3_t)
typedef void ggsvp3_t(JOBS, SIZE, SIZE, SIZE, MATRIX, MATRIX, const real_t *,
                      const real_t *, integer_t *, integer_t *, FACTORS,
                      integer_t *, RWORK(real_t *) scalar_t *, scalar_t *, SIZE,
                      integer_t *, LENGTHS);
#define ggsvd3_t X(ggsvd3_t)
typedef void ggsvd3_t(JOBS, SIZE, SIZE, SIZE, integer_t *, integer_t *, MATRIX,
                      MATRIX, real_t *, real_t *, FACTORS, scalar_t *, SIZE,
                      RWORK(real_t *) integer_t *, integer_t *, LENGTHS);
#define tgsja_t X(tgsja_t)
typedef void tgsja_t(JOBS, SIZE, SIZE, SIZE, SIZE, SIZE, MATRIX, MATRIX,
                     const real_t *, const real_t *, real_t *, real_t *,
                     FACTORS, scalar_t *, integer_t *, integer_t *, LENGTHS);

#define SYMBOL_(letter, name) #letter name
#define SYMBOL__(letter, name) SYMBOL_(letter, name)
#define SYMBOL(name) SYMBOL__(GSVD_LETTER, name)

/* One LAPACK, and what its routines want beside the problem. */
#define routines_t X(routines_t)
typedef struct routines_t {
    ggsvp3_t *ggsvp3;
    ggsvd3_t *ggsvd3;
    tgsja_t *tgsja;
    integer_t *iwork, lwork;
    real_t *rwork;
    scalar_t *work;
} routines_t;

static inline gsvd_status_t open_routines(routines_t *r, const lapack_t *from)
{
    *(void **)&r->ggsvp3 = bench_lapack_symbol(from, SYMBOL("ggsvp3_"));
    *(void **)&r->ggsvd3 = bench_lapack_symbol(from, SYMBOL("ggsvd3_"));
    *(void **)&r->tgsja = bench_lapack_symbol(from, SYMBOL("tgsja_"));
    return r->ggsvp3 && r->ggsvd3 && r->tgsja ? GSVD_SUCCESS
                                              : GSVD_NOT_SUPPORTED;
}

#endif /* GSVD_BENCH_ROUTINES_H */
