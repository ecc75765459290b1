/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_typed.h -- the routines of gsvd.h in s, c and z, and in all four letters for
 * arrays in the memory of a GPU (_gpu).
 * scripts/typed-header.sh writes this file from gsvd.h, which documents the routines. */
#ifndef GSVD_TYPED_H
#define GSVD_TYPED_H

#include "gsvd.h"

#ifdef __cplusplus
extern "C" {
#endif

/* float */
GSVD_API gsvd_status_t sgsvd(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, float *A, int64_t lda, float *B, int64_t ldb,
    float *alpha, float *beta, float *U, int64_t ldu, float *V, int64_t ldv,
    float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    float *A, int64_t lda, float *B, int64_t ldb, float tola, float tolb,
    int64_t *k, int64_t *l, float *U, int64_t ldu, float *V, int64_t ldv,
    float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, float *A, int64_t lda, float *B, int64_t ldb,
    float tola, float tolb, float *alpha, float *beta,
    float *U, int64_t ldu, float *V, int64_t ldv, float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n, float *A, int64_t lda, float *tau, int *info);
GSVD_API gsvd_status_t sgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const float *A, int64_t lda, const float *tau, float *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t sgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, float *A, int64_t lda,
    const float *tau, int *info);
GSVD_API gsvd_status_t sgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, float *A, int64_t lda,
    int64_t *jpvt, float *tau, float tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t sgsvd_svd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, float *A, int64_t lda,
    float *sigma, float *U, int64_t ldu, float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t sgsvd_hsvd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    float *A, int64_t lda, const int64_t *J, float *sigma,
    float *U, int64_t ldu, float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t sgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, float *A, int64_t lda,
    float tol, int64_t *rank, float *U, int64_t ldu, float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t sgsvd_eigh(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, float *A, int64_t lda, float *w,
    float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_ldl(
    gsvd_handle_t h, char job, char uplo, int64_t n, float *A, int64_t lda, float tol,
    int64_t *rank, int64_t *n_plus, float *G, int64_t ldg, float *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* complex float */
GSVD_API gsvd_status_t cgsvd(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B, int64_t ldb,
    float *alpha, float *beta, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B, int64_t ldb, float tola, float tolb,
    int64_t *k, int64_t *l, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B, int64_t ldb,
    float tola, float tolb, float *alpha, float *beta,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *tau, int *info);
GSVD_API gsvd_status_t cgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_float *A, int64_t lda, const gsvd_complex_float *tau, gsvd_complex_float *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t cgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_float *A, int64_t lda,
    const gsvd_complex_float *tau, int *info);
GSVD_API gsvd_status_t cgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_float *tau, float tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t cgsvd_svd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    float *sigma, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t cgsvd_hsvd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    gsvd_complex_float *A, int64_t lda, const int64_t *J, float *sigma,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t cgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    float tol, int64_t *rank, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t cgsvd_eigh(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, gsvd_complex_float *A, int64_t lda, float *w,
    gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_ldl(
    gsvd_handle_t h, char job, char uplo, int64_t n, gsvd_complex_float *A, int64_t lda, float tol,
    int64_t *rank, int64_t *n_plus, gsvd_complex_float *G, int64_t ldg, gsvd_complex_float *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* complex double */
GSVD_API gsvd_status_t zgsvd(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B, int64_t ldb,
    double *alpha, double *beta, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_preprocess(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B, int64_t ldb, double tola, double tolb,
    int64_t *k, int64_t *l, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_solve(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B, int64_t ldb,
    double tola, double tolb, double *alpha, double *beta,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_qr(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *tau, int *info);
GSVD_API gsvd_status_t zgsvd_qr_apply(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_double *A, int64_t lda, const gsvd_complex_double *tau, gsvd_complex_double *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t zgsvd_qr_form(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_double *A, int64_t lda,
    const gsvd_complex_double *tau, int *info);
GSVD_API gsvd_status_t zgsvd_geqp(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_double *tau, double tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t zgsvd_svd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    double *sigma, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t zgsvd_hsvd(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    gsvd_complex_double *A, int64_t lda, const int64_t *J, double *sigma,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t zgsvd_urv(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    double tol, int64_t *rank, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t zgsvd_eigh(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, gsvd_complex_double *A, int64_t lda, double *w,
    gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_ldl(
    gsvd_handle_t h, char job, char uplo, int64_t n, gsvd_complex_double *A, int64_t lda, double tol,
    int64_t *rank, int64_t *n_plus, gsvd_complex_double *G, int64_t ldg, gsvd_complex_double *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* float, on a GPU */
GSVD_API gsvd_status_t sgsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, float *A, int64_t lda, float *B, int64_t ldb,
    float *alpha, float *beta, float *U, int64_t ldu, float *V, int64_t ldv,
    float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    float *A, int64_t lda, float *B, int64_t ldb, float tola, float tolb,
    int64_t *k, int64_t *l, float *U, int64_t ldu, float *V, int64_t ldv,
    float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, float *A, int64_t lda, float *B, int64_t ldb,
    float tola, float tolb, float *alpha, float *beta,
    float *U, int64_t ldu, float *V, int64_t ldv, float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_qr_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, float *A, int64_t lda, float *tau, int *info);
GSVD_API gsvd_status_t sgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const float *A, int64_t lda, const float *tau, float *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t sgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, float *A, int64_t lda,
    const float *tau, int *info);
GSVD_API gsvd_status_t sgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, float *A, int64_t lda,
    int64_t *jpvt, float *tau, float tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t sgsvd_svd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, float *A, int64_t lda,
    float *sigma, float *U, int64_t ldu, float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t sgsvd_hsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    float *A, int64_t lda, const int64_t *J, float *sigma,
    float *U, int64_t ldu, float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t sgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, float *A, int64_t lda,
    float tol, int64_t *rank, float *U, int64_t ldu, float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t sgsvd_eigh_gpu(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, float *A, int64_t lda, float *w,
    float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t sgsvd_ldl_gpu(
    gsvd_handle_t h, char job, char uplo, int64_t n, float *A, int64_t lda, float tol,
    int64_t *rank, int64_t *n_plus, float *G, int64_t ldg, float *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* double, on a GPU */
GSVD_API gsvd_status_t dgsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, double *A, int64_t lda, double *B, int64_t ldb,
    double *alpha, double *beta, double *U, int64_t ldu, double *V, int64_t ldv,
    double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t dgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    double *A, int64_t lda, double *B, int64_t ldb, double tola, double tolb,
    int64_t *k, int64_t *l, double *U, int64_t ldu, double *V, int64_t ldv,
    double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t dgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, double *A, int64_t lda, double *B, int64_t ldb,
    double tola, double tolb, double *alpha, double *beta,
    double *U, int64_t ldu, double *V, int64_t ldv, double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t dgsvd_qr_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda, double *tau, int *info);
GSVD_API gsvd_status_t dgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const double *A, int64_t lda, const double *tau, double *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t dgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, double *A, int64_t lda,
    const double *tau, int *info);
GSVD_API gsvd_status_t dgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, double *A, int64_t lda,
    int64_t *jpvt, double *tau, double tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t dgsvd_svd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, double *A, int64_t lda,
    double *sigma, double *U, int64_t ldu, double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t dgsvd_hsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    double *A, int64_t lda, const int64_t *J, double *sigma,
    double *U, int64_t ldu, double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t dgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, double *A, int64_t lda,
    double tol, int64_t *rank, double *U, int64_t ldu, double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t dgsvd_eigh_gpu(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, double *A, int64_t lda, double *w,
    double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t dgsvd_ldl_gpu(
    gsvd_handle_t h, char job, char uplo, int64_t n, double *A, int64_t lda, double tol,
    int64_t *rank, int64_t *n_plus, double *G, int64_t ldg, double *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* complex float, on a GPU */
GSVD_API gsvd_status_t cgsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B, int64_t ldb,
    float *alpha, float *beta, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B, int64_t ldb, float tola, float tolb,
    int64_t *k, int64_t *l, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv,
    gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *B, int64_t ldb,
    float tola, float tolb, float *alpha, float *beta,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_qr_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda, gsvd_complex_float *tau, int *info);
GSVD_API gsvd_status_t cgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_float *A, int64_t lda, const gsvd_complex_float *tau, gsvd_complex_float *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t cgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_float *A, int64_t lda,
    const gsvd_complex_float *tau, int *info);
GSVD_API gsvd_status_t cgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_float *tau, float tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t cgsvd_svd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    float *sigma, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t cgsvd_hsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    gsvd_complex_float *A, int64_t lda, const int64_t *J, float *sigma,
    gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t cgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_float *A, int64_t lda,
    float tol, int64_t *rank, gsvd_complex_float *U, int64_t ldu, gsvd_complex_float *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t cgsvd_eigh_gpu(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, gsvd_complex_float *A, int64_t lda, float *w,
    gsvd_complex_float *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t cgsvd_ldl_gpu(
    gsvd_handle_t h, char job, char uplo, int64_t n, gsvd_complex_float *A, int64_t lda, float tol,
    int64_t *rank, int64_t *n_plus, gsvd_complex_float *G, int64_t ldg, gsvd_complex_float *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

/* complex double, on a GPU */
GSVD_API gsvd_status_t zgsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t n, int64_t p,
    int64_t *k, int64_t *l, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B, int64_t ldb,
    double *alpha, double *beta, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_preprocess_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B, int64_t ldb, double tola, double tolb,
    int64_t *k, int64_t *l, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv,
    gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_solve_gpu(
    gsvd_handle_t h, char jobu, char jobv, char jobq, int64_t m, int64_t p, int64_t n,
    int64_t k, int64_t l, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *B, int64_t ldb,
    double tola, double tolb, double *alpha, double *beta,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_qr_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda, gsvd_complex_double *tau, int *info);
GSVD_API gsvd_status_t zgsvd_qr_apply_gpu(
    gsvd_handle_t h, char side, char op, int64_t m, int64_t n, int64_t k,
    const gsvd_complex_double *A, int64_t lda, const gsvd_complex_double *tau, gsvd_complex_double *C, int64_t ldc, int *info);
GSVD_API gsvd_status_t zgsvd_qr_form_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, int64_t k, gsvd_complex_double *A, int64_t lda,
    const gsvd_complex_double *tau, int *info);
GSVD_API gsvd_status_t zgsvd_geqp_gpu(
    gsvd_handle_t h, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    int64_t *jpvt, gsvd_complex_double *tau, double tol, int64_t *rank, int *info);
GSVD_API gsvd_status_t zgsvd_svd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    double *sigma, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t zgsvd_hsvd_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, int64_t n_plus,
    gsvd_complex_double *A, int64_t lda, const int64_t *J, double *sigma,
    gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t zgsvd_urv_gpu(
    gsvd_handle_t h, char jobu, char jobv, int64_t m, int64_t n, gsvd_complex_double *A, int64_t lda,
    double tol, int64_t *rank, gsvd_complex_double *U, int64_t ldu, gsvd_complex_double *V, int64_t ldv, int *info);
GSVD_API gsvd_status_t zgsvd_eigh_gpu(
    gsvd_handle_t h, char jobz, char uplo, int64_t n, gsvd_complex_double *A, int64_t lda, double *w,
    gsvd_complex_double *Q, int64_t ldq, int *info);
GSVD_API gsvd_status_t zgsvd_ldl_gpu(
    gsvd_handle_t h, char job, char uplo, int64_t n, gsvd_complex_double *A, int64_t lda, double tol,
    int64_t *rank, int64_t *n_plus, gsvd_complex_double *G, int64_t ldg, gsvd_complex_double *D, int64_t ldd,
    int64_t *J, int64_t *jpvt, int *info);

#ifdef __cplusplus
}
#endif

/* The names that this build lacks.  Without these lines only the linker would refuse a
 * program that uses one of them. */
#if defined __GNUC__ && !defined GSVD_BUILDING
#if !GSVD_HAVE_S
#pragma GCC poison sgsvd
#pragma GCC poison sgsvd_preprocess
#pragma GCC poison sgsvd_solve
#pragma GCC poison sgsvd_qr
#pragma GCC poison sgsvd_qr_apply
#pragma GCC poison sgsvd_qr_form
#pragma GCC poison sgsvd_geqp
#pragma GCC poison sgsvd_svd
#pragma GCC poison sgsvd_hsvd
#pragma GCC poison sgsvd_urv
#pragma GCC poison sgsvd_eigh
#pragma GCC poison sgsvd_ldl
#pragma GCC poison sgsvd_gpu
#pragma GCC poison sgsvd_preprocess_gpu
#pragma GCC poison sgsvd_solve_gpu
#pragma GCC poison sgsvd_qr_gpu
#pragma GCC poison sgsvd_qr_apply_gpu
#pragma GCC poison sgsvd_qr_form_gpu
#pragma GCC poison sgsvd_geqp_gpu
#pragma GCC poison sgsvd_svd_gpu
#pragma GCC poison sgsvd_hsvd_gpu
#pragma GCC poison sgsvd_urv_gpu
#pragma GCC poison sgsvd_eigh_gpu
#pragma GCC poison sgsvd_ldl_gpu
#endif
#if !GSVD_HAVE_D
#pragma GCC poison dgsvd
#pragma GCC poison dgsvd_preprocess
#pragma GCC poison dgsvd_solve
#pragma GCC poison dgsvd_qr
#pragma GCC poison dgsvd_qr_apply
#pragma GCC poison dgsvd_qr_form
#pragma GCC poison dgsvd_geqp
#pragma GCC poison dgsvd_svd
#pragma GCC poison dgsvd_hsvd
#pragma GCC poison dgsvd_urv
#pragma GCC poison dgsvd_eigh
#pragma GCC poison dgsvd_ldl
#pragma GCC poison dgsvd_gpu
#pragma GCC poison dgsvd_preprocess_gpu
#pragma GCC poison dgsvd_solve_gpu
#pragma GCC poison dgsvd_qr_gpu
#pragma GCC poison dgsvd_qr_apply_gpu
#pragma GCC poison dgsvd_qr_form_gpu
#pragma GCC poison dgsvd_geqp_gpu
#pragma GCC poison dgsvd_svd_gpu
#pragma GCC poison dgsvd_hsvd_gpu
#pragma GCC poison dgsvd_urv_gpu
#pragma GCC poison dgsvd_eigh_gpu
#pragma GCC poison dgsvd_ldl_gpu
#endif
#if !GSVD_HAVE_C
#pragma GCC poison cgsvd
#pragma GCC poison cgsvd_preprocess
#pragma GCC poison cgsvd_solve
#pragma GCC poison cgsvd_qr
#pragma GCC poison cgsvd_qr_apply
#pragma GCC poison cgsvd_qr_form
#pragma GCC poison cgsvd_geqp
#pragma GCC poison cgsvd_svd
#pragma GCC poison cgsvd_hsvd
#pragma GCC poison cgsvd_urv
#pragma GCC poison cgsvd_eigh
#pragma GCC poison cgsvd_ldl
#pragma GCC poison cgsvd_gpu
#pragma GCC poison cgsvd_preprocess_gpu
#pragma GCC poison cgsvd_solve_gpu
#pragma GCC poison cgsvd_qr_gpu
#pragma GCC poison cgsvd_qr_apply_gpu
#pragma GCC poison cgsvd_qr_form_gpu
#pragma GCC poison cgsvd_geqp_gpu
#pragma GCC poison cgsvd_svd_gpu
#pragma GCC poison cgsvd_hsvd_gpu
#pragma GCC poison cgsvd_urv_gpu
#pragma GCC poison cgsvd_eigh_gpu
#pragma GCC poison cgsvd_ldl_gpu
#endif
#if !GSVD_HAVE_Z
#pragma GCC poison zgsvd
#pragma GCC poison zgsvd_preprocess
#pragma GCC poison zgsvd_solve
#pragma GCC poison zgsvd_qr
#pragma GCC poison zgsvd_qr_apply
#pragma GCC poison zgsvd_qr_form
#pragma GCC poison zgsvd_geqp
#pragma GCC poison zgsvd_svd
#pragma GCC poison zgsvd_hsvd
#pragma GCC poison zgsvd_urv
#pragma GCC poison zgsvd_eigh
#pragma GCC poison zgsvd_ldl
#pragma GCC poison zgsvd_gpu
#pragma GCC poison zgsvd_preprocess_gpu
#pragma GCC poison zgsvd_solve_gpu
#pragma GCC poison zgsvd_qr_gpu
#pragma GCC poison zgsvd_qr_apply_gpu
#pragma GCC poison zgsvd_qr_form_gpu
#pragma GCC poison zgsvd_geqp_gpu
#pragma GCC poison zgsvd_svd_gpu
#pragma GCC poison zgsvd_hsvd_gpu
#pragma GCC poison zgsvd_urv_gpu
#pragma GCC poison zgsvd_eigh_gpu
#pragma GCC poison zgsvd_ldl_gpu
#endif
#endif

#endif /* GSVD_TYPED_H */
