/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* precision.h -- one source, four precisions.
 *
 * Every typed file is compiled once per letter with -DGSVD_LETTER=d
 * -DGSVD_PREC_d (s, c, z alike).  Inside it a type is scalar_t, real_t or
 * mat_t, and a function with external linkage is X(name): dgsvd_name.
 */
#ifndef GSVD_CORE_PRECISION_H
#define GSVD_CORE_PRECISION_H

#include <float.h>

#include "core/fn.h"
#include "gsvd_version.h"

#define GSVD_PASTE_(a, b) a##b
#define GSVD_PASTE(a, b) GSVD_PASTE_(a, b)
#define X(name) GSVD_PASTE(GSVD_LETTER, GSVD_PASTE(gsvd_, name))
#define GSVD_ENTRY GSVD_PASTE(GSVD_LETTER, gsvd) /* the public dgsvd */

#if defined __CUDACC__
#include <cuComplex.h>
#else
#include <complex.h>
#endif

#if defined GSVD_PREC_s
typedef float real_t;
typedef float scalar_t;
#define GSVD_SINGLE 1
#elif defined GSVD_PREC_d
typedef double real_t;
typedef double scalar_t;
#elif defined GSVD_PREC_c
typedef float real_t;
#define GSVD_SINGLE 1
#define GSVD_COMPLEX 1
#if defined __CUDACC__
typedef cuFloatComplex scalar_t;
#else
typedef float _Complex scalar_t;
#endif
#elif defined GSVD_PREC_z
typedef double real_t;
#define GSVD_COMPLEX 1
#if defined __CUDACC__
typedef cuDoubleComplex scalar_t;
#else
typedef double _Complex scalar_t;
#endif
#else
#error "compile with -DGSVD_LETTER=x -DGSVD_PREC_x for x in s, d, c, z"
#endif

#ifndef GSVD_SINGLE
#define GSVD_SINGLE 0
#endif
#ifndef GSVD_COMPLEX
#define GSVD_COMPLEX 0
#endif

/* A number of single precision, real or complex as the letter */
#if !GSVD_COMPLEX
typedef float single_t;
#elif defined __CUDACC__
typedef cuFloatComplex single_t;
#else
typedef float _Complex single_t;
#endif

/* GSVD_OF_DOUBLE(name): &dgsvd_name in s, &zgsvd_name in c; NULL in double, and where that is
 * not built */
#if GSVD_SINGLE && !GSVD_COMPLEX && GSVD_HAVE_D
#define GSVD_OF_DOUBLE(name) (&dgsvd_##name)
#elif GSVD_SINGLE && GSVD_COMPLEX && GSVD_HAVE_Z
#define GSVD_OF_DOUBLE(name) (&zgsvd_##name)
#else
#define GSVD_OF_DOUBLE(name) NULL
#endif

#if GSVD_SINGLE
#define GSVD_ULP FLT_EPSILON /* distance from 1 to the next number        */
#define GSVD_SAFMIN FLT_MIN  /* least positive normal number              */
#define GSVD_REAL_MAX FLT_MAX
#else
#define GSVD_ULP DBL_EPSILON
#define GSVD_SAFMIN DBL_MIN
#define GSVD_REAL_MAX DBL_MAX
#endif
#define GSVD_EPS (GSVD_ULP / 2) /* unit roundoff                             */

#endif /* GSVD_CORE_PRECISION_H */
