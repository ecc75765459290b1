/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_filter_typed.h -- the routines of gsvd_filter.h in s, c and z.
 * scripts/typed-header.sh writes this file from gsvd_filter.h, which documents the routines. */
#ifndef GSVD_FILTER_TYPED_H
#define GSVD_FILTER_TYPED_H

#include "gsvd_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* float */
GSVD_API gsvd_status_t sgsvd_picard(
    gsvd_handle_t h, int64_t m, int64_t r, int64_t nrhs,
    const float *U, int64_t ldu, float *B, int64_t ldb,
    float *C, int64_t ldc, float *rest);
GSVD_API gsvd_status_t sgsvd_filter(
    gsvd_handle_t h, gsvd_filter_t filter,
    int64_t n, int64_t r, int64_t nrhs, int64_t count,
    const float *alpha, const float *beta,
    const float *C, int64_t ldc, const float *rest, const float *lambda,
    float *residual, float *seminorm,
    const float *Y, int64_t ldy, float *X, int64_t ldx);
GSVD_API gsvd_status_t sgsvd_lambda_range(
    gsvd_handle_t h, int64_t r, const float *alpha, const float *beta,
    float *least, float *most);
GSVD_API gsvd_status_t sgsvd_choose(
    gsvd_handle_t h, gsvd_choice_t choice, gsvd_filter_t filter, int64_t m, int64_t r,
    const float *alpha, const float *beta,
    const float *C, float rest, float delta, float *lambda);
GSVD_API gsvd_status_t sgsvd_error_bounds(
    gsvd_handle_t h, int64_t n, int64_t r, const float *alpha, const float *beta,
    const float *a, const float *b, const float *Y, int64_t ldy, float error,
    float *bound, float *cond, float *work);

/* complex float */
GSVD_API gsvd_status_t cgsvd_picard(
    gsvd_handle_t h, int64_t m, int64_t r, int64_t nrhs,
    const gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *B, int64_t ldb,
    gsvd_complex_float *C, int64_t ldc, float *rest);
GSVD_API gsvd_status_t cgsvd_filter(
    gsvd_handle_t h, gsvd_filter_t filter,
    int64_t n, int64_t r, int64_t nrhs, int64_t count,
    const float *alpha, const float *beta,
    const gsvd_complex_float *C, int64_t ldc, const float *rest, const float *lambda,
    float *residual, float *seminorm,
    const gsvd_complex_float *Y, int64_t ldy, gsvd_complex_float *X, int64_t ldx);
GSVD_API gsvd_status_t cgsvd_lambda_range(
    gsvd_handle_t h, int64_t r, const float *alpha, const float *beta,
    float *least, float *most);
GSVD_API gsvd_status_t cgsvd_choose(
    gsvd_handle_t h, gsvd_choice_t choice, gsvd_filter_t filter, int64_t m, int64_t r,
    const float *alpha, const float *beta,
    const gsvd_complex_float *C, float rest, float delta, float *lambda);
GSVD_API gsvd_status_t cgsvd_error_bounds(
    gsvd_handle_t h, int64_t n, int64_t r, const float *alpha, const float *beta,
    const float *a, const float *b, const gsvd_complex_float *Y, int64_t ldy, float error,
    float *bound, float *cond, float *work);

/* complex double */
GSVD_API gsvd_status_t zgsvd_picard(
    gsvd_handle_t h, int64_t m, int64_t r, int64_t nrhs,
    const gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *B, int64_t ldb,
    gsvd_complex_double *C, int64_t ldc, double *rest);
GSVD_API gsvd_status_t zgsvd_filter(
    gsvd_handle_t h, gsvd_filter_t filter,
    int64_t n, int64_t r, int64_t nrhs, int64_t count,
    const double *alpha, const double *beta,
    const gsvd_complex_double *C, int64_t ldc, const double *rest, const double *lambda,
    double *residual, double *seminorm,
    const gsvd_complex_double *Y, int64_t ldy, gsvd_complex_double *X, int64_t ldx);
GSVD_API gsvd_status_t zgsvd_lambda_range(
    gsvd_handle_t h, int64_t r, const double *alpha, const double *beta,
    double *least, double *most);
GSVD_API gsvd_status_t zgsvd_choose(
    gsvd_handle_t h, gsvd_choice_t choice, gsvd_filter_t filter, int64_t m, int64_t r,
    const double *alpha, const double *beta,
    const gsvd_complex_double *C, double rest, double delta, double *lambda);
GSVD_API gsvd_status_t zgsvd_error_bounds(
    gsvd_handle_t h, int64_t n, int64_t r, const double *alpha, const double *beta,
    const double *a, const double *b, const gsvd_complex_double *Y, int64_t ldy, double error,
    double *bound, double *cond, double *work);

#ifdef __cplusplus
}
#endif

/* The names that this build lacks.  Without these lines only the linker would refuse a
 * program that uses one of them. */
#if defined __GNUC__ && !defined GSVD_BUILDING
#if !GSVD_HAVE_S
#pragma GCC poison sgsvd_picard
#pragma GCC poison sgsvd_filter
#pragma GCC poison sgsvd_lambda_range
#pragma GCC poison sgsvd_choose
#pragma GCC poison sgsvd_error_bounds
#endif
#if !GSVD_HAVE_D
#pragma GCC poison dgsvd_picard
#pragma GCC poison dgsvd_filter
#pragma GCC poison dgsvd_lambda_range
#pragma GCC poison dgsvd_choose
#pragma GCC poison dgsvd_error_bounds
#endif
#if !GSVD_HAVE_C
#pragma GCC poison cgsvd_picard
#pragma GCC poison cgsvd_filter
#pragma GCC poison cgsvd_lambda_range
#pragma GCC poison cgsvd_choose
#pragma GCC poison cgsvd_error_bounds
#endif
#if !GSVD_HAVE_Z
#pragma GCC poison zgsvd_picard
#pragma GCC poison zgsvd_filter
#pragma GCC poison zgsvd_lambda_range
#pragma GCC poison zgsvd_choose
#pragma GCC poison zgsvd_error_bounds
#endif
#endif

#endif /* GSVD_FILTER_TYPED_H */
