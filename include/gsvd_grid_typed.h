/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_grid_typed.h -- the routines of gsvd_grid.h in s, c and z.
 * scripts/typed-header.sh writes this file from gsvd_grid.h, which documents the routines. */
#ifndef GSVD_GRID_TYPED_H
#define GSVD_GRID_TYPED_H

#include "gsvd_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* float */
GSVD_API gsvd_status_t sgsvd_grid_svd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n,
    const float *A, const gsvd_grid_desc_t *descA, float *sigma,
    float *U, const gsvd_grid_desc_t *descU,
    float *V, const gsvd_grid_desc_t *descV, int *info);
GSVD_API gsvd_status_t sgsvd_grid(
    gsvd_grid_t g, char jobu, char jobv, char jobx, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, const float *A, const gsvd_grid_desc_t *descA,
    const float *B, const gsvd_grid_desc_t *descB, float *alpha, float *beta,
    float *U, const gsvd_grid_desc_t *descU,
    float *V, const gsvd_grid_desc_t *descV,
    float *X, const gsvd_grid_desc_t *descX, int *info);
GSVD_API gsvd_status_t sgsvd_grid_qr(
    gsvd_grid_t g, int64_t m, int64_t n,
    float *A, const gsvd_grid_desc_t *descA, float *tau, int *info);
GSVD_API gsvd_status_t sgsvd_grid_geqp(
    gsvd_grid_t g, int64_t m, int64_t n,
    float *A, const gsvd_grid_desc_t *descA, int64_t *jpvt, float *tau,
    float tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t sgsvd_grid_hsvd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    const float *A, const gsvd_grid_desc_t *descA, const int64_t *J, float *sigma,
    float *U, const gsvd_grid_desc_t *descU,
    float *V, const gsvd_grid_desc_t *descV, int *info);
GSVD_API gsvd_status_t sgsvd_grid_eigh(
    gsvd_grid_t g, char jobz, char uplo, int64_t n,
    const float *A, const gsvd_grid_desc_t *descA, float *w,
    float *Q, const gsvd_grid_desc_t *descQ, int *info);

/* complex float */
GSVD_API gsvd_status_t cgsvd_grid_svd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n,
    const gsvd_complex_float *A, const gsvd_grid_desc_t *descA, float *sigma,
    gsvd_complex_float *U, const gsvd_grid_desc_t *descU,
    gsvd_complex_float *V, const gsvd_grid_desc_t *descV, int *info);
GSVD_API gsvd_status_t cgsvd_grid(
    gsvd_grid_t g, char jobu, char jobv, char jobx, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, const gsvd_complex_float *A, const gsvd_grid_desc_t *descA,
    const gsvd_complex_float *B, const gsvd_grid_desc_t *descB, float *alpha, float *beta,
    gsvd_complex_float *U, const gsvd_grid_desc_t *descU,
    gsvd_complex_float *V, const gsvd_grid_desc_t *descV,
    gsvd_complex_float *X, const gsvd_grid_desc_t *descX, int *info);
GSVD_API gsvd_status_t cgsvd_grid_qr(
    gsvd_grid_t g, int64_t m, int64_t n,
    gsvd_complex_float *A, const gsvd_grid_desc_t *descA, gsvd_complex_float *tau, int *info);
GSVD_API gsvd_status_t cgsvd_grid_geqp(
    gsvd_grid_t g, int64_t m, int64_t n,
    gsvd_complex_float *A, const gsvd_grid_desc_t *descA, int64_t *jpvt, gsvd_complex_float *tau,
    float tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t cgsvd_grid_hsvd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    const gsvd_complex_float *A, const gsvd_grid_desc_t *descA, const int64_t *J, float *sigma,
    gsvd_complex_float *U, const gsvd_grid_desc_t *descU,
    gsvd_complex_float *V, const gsvd_grid_desc_t *descV, int *info);
GSVD_API gsvd_status_t cgsvd_grid_eigh(
    gsvd_grid_t g, char jobz, char uplo, int64_t n,
    const gsvd_complex_float *A, const gsvd_grid_desc_t *descA, float *w,
    gsvd_complex_float *Q, const gsvd_grid_desc_t *descQ, int *info);

/* complex double */
GSVD_API gsvd_status_t zgsvd_grid_svd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n,
    const gsvd_complex_double *A, const gsvd_grid_desc_t *descA, double *sigma,
    gsvd_complex_double *U, const gsvd_grid_desc_t *descU,
    gsvd_complex_double *V, const gsvd_grid_desc_t *descV, int *info);
GSVD_API gsvd_status_t zgsvd_grid(
    gsvd_grid_t g, char jobu, char jobv, char jobx, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, const gsvd_complex_double *A, const gsvd_grid_desc_t *descA,
    const gsvd_complex_double *B, const gsvd_grid_desc_t *descB, double *alpha, double *beta,
    gsvd_complex_double *U, const gsvd_grid_desc_t *descU,
    gsvd_complex_double *V, const gsvd_grid_desc_t *descV,
    gsvd_complex_double *X, const gsvd_grid_desc_t *descX, int *info);
GSVD_API gsvd_status_t zgsvd_grid_qr(
    gsvd_grid_t g, int64_t m, int64_t n,
    gsvd_complex_double *A, const gsvd_grid_desc_t *descA, gsvd_complex_double *tau, int *info);
GSVD_API gsvd_status_t zgsvd_grid_geqp(
    gsvd_grid_t g, int64_t m, int64_t n,
    gsvd_complex_double *A, const gsvd_grid_desc_t *descA, int64_t *jpvt, gsvd_complex_double *tau,
    double tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t zgsvd_grid_hsvd(
    gsvd_grid_t g, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    const gsvd_complex_double *A, const gsvd_grid_desc_t *descA, const int64_t *J, double *sigma,
    gsvd_complex_double *U, const gsvd_grid_desc_t *descU,
    gsvd_complex_double *V, const gsvd_grid_desc_t *descV, int *info);
GSVD_API gsvd_status_t zgsvd_grid_eigh(
    gsvd_grid_t g, char jobz, char uplo, int64_t n,
    const gsvd_complex_double *A, const gsvd_grid_desc_t *descA, double *w,
    gsvd_complex_double *Q, const gsvd_grid_desc_t *descQ, int *info);

#ifdef __cplusplus
}
#endif

/* The names that this build lacks.  Without these lines only the linker would refuse a
 * program that uses one of them. */
#if defined __GNUC__ && !defined GSVD_BUILDING
#if !GSVD_HAVE_S
#pragma GCC poison sgsvd_grid_svd
#pragma GCC poison sgsvd_grid
#pragma GCC poison sgsvd_grid_qr
#pragma GCC poison sgsvd_grid_geqp
#pragma GCC poison sgsvd_grid_hsvd
#pragma GCC poison sgsvd_grid_eigh
#endif
#if !GSVD_HAVE_D
#pragma GCC poison dgsvd_grid_svd
#pragma GCC poison dgsvd_grid
#pragma GCC poison dgsvd_grid_qr
#pragma GCC poison dgsvd_grid_geqp
#pragma GCC poison dgsvd_grid_hsvd
#pragma GCC poison dgsvd_grid_eigh
#endif
#if !GSVD_HAVE_C
#pragma GCC poison cgsvd_grid_svd
#pragma GCC poison cgsvd_grid
#pragma GCC poison cgsvd_grid_qr
#pragma GCC poison cgsvd_grid_geqp
#pragma GCC poison cgsvd_grid_hsvd
#pragma GCC poison cgsvd_grid_eigh
#endif
#if !GSVD_HAVE_Z
#pragma GCC poison zgsvd_grid_svd
#pragma GCC poison zgsvd_grid
#pragma GCC poison zgsvd_grid_qr
#pragma GCC poison zgsvd_grid_geqp
#pragma GCC poison zgsvd_grid_hsvd
#pragma GCC poison zgsvd_grid_eigh
#endif
#endif

#endif /* GSVD_GRID_TYPED_H */
