/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* any.c [1] -- the public functions that take the type as a value. */
#include "gsvd/call.h"

extern const entry_points_t sgsvd_entry_points, dgsvd_entry_points,
    cgsvd_entry_points, zgsvd_entry_points;

static const entry_points_t *of_type(gsvd_type_t type)
{
    switch (type) {
#if GSVD_HAVE_S
    case GSVD_S: return &sgsvd_entry_points;
#endif
#if GSVD_HAVE_D
    case GSVD_D: return &dgsvd_entry_points;
#endif
#if GSVD_HAVE_C
    case GSVD_C: return &cgsvd_entry_points;
#endif
#if GSVD_HAVE_Z
    case GSVD_Z: return &zgsvd_entry_points;
#endif
    default: return NULL;
    }
}

static gsvd_status_t no_type(gsvd_handle_t h, gsvd_type_t type)
{
    return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                     "type: '%c' is not one that the library was built with",
                     (int)type > 31 && (int)type < 127 ? (int)type : '?');
}

static gsvd_status_t call(gsvd_handle_t h, gsvd_type_t type, call_t c)
{
    const entry_points_t *const entry = of_type(type);
    if (h && entry)
        return entry->call(h, &c);
    if (c.info)
        *c.info = 0;
    return gsvd_report(h ? no_type(h, type) : GSVD_INVALID_HANDLE, c.info);
}

static gsvd_status_t buffer_size(gsvd_handle_t h, gsvd_type_t type, call_t c,
                                 size_t *dwork_bytes, size_t *hwork_bytes)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    if (!dwork_bytes || !hwork_bytes)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "%s: NULL",
                         dwork_bytes ? "hwork_bytes" : "dwork_bytes");
    const entry_points_t *const entry = of_type(type);
    return entry ? entry->buffer_size(h, &c, dwork_bytes, hwork_bytes)
                 : no_type(h, type);
}

/* The function of this name for arrays in host memory, and its _gpu form. */
#define ROUTINE(name, PARAMETERS, ...)                                         \
    gsvd_status_t name PARAMETERS                                              \
    {                                                                          \
        return call(h, type, (call_t){__VA_ARGS__, .info = info});             \
    }                                                                          \
    gsvd_status_t name##_gpu PARAMETERS                                        \
    {                                                                          \
        return call(h, type,                                                   \
                    (call_t){__VA_ARGS__, .info = info, .device_arrays = 1});  \
    }

#define BYTES(name, PARAMETERS, ...)                                           \
    gsvd_status_t name##_buffer_size PARAMETERS                                \
    {                                                                          \
        return buffer_size(h, type, (call_t){__VA_ARGS__}, dwork_bytes,        \
                           hwork_bytes);                                       \
    }                                                                          \
    gsvd_status_t name##_gpu_buffer_size PARAMETERS                            \
    {                                                                          \
        return buffer_size(h, type, (call_t){__VA_ARGS__, .device_arrays = 1}, \
                           dwork_bytes, hwork_bytes);                          \
    }

/* -- a pair -------------------------------------------------------------------- */

#define JOBS .jobu = jobu, .jobv = jobv, .jobq = jobq, .m = m, .n = n, .p = p
#define PAIR                                                                   \
    JOBS, .A = A, .lda = lda, .B = B, .ldb = ldb, .U = U, .ldu = ldu, .V = V,  \
          .ldv = ldv, .Q = Q, .ldq = ldq

ROUTINE(gsvd,
        (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
         int64_t m, int64_t n, int64_t p, int64_t *k, int64_t *l, void *A,
         int64_t lda, void *B, int64_t ldb, void *alpha, void *beta, void *U,
         int64_t ldu, void *V, int64_t ldv, void *Q, int64_t ldq, int *info),
        .routine = ROUTINE_GSVD, PAIR, .k = k, .l = l, .alpha = alpha,
        .beta = beta)

ROUTINE(gsvd_preprocess,
        (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
         int64_t m, int64_t p, int64_t n, void *A, int64_t lda, void *B,
         int64_t ldb, double tola, double tolb, int64_t *k, int64_t *l, void *U,
         int64_t ldu, void *V, int64_t ldv, void *Q, int64_t ldq, int *info),
        .routine = ROUTINE_PREPROCESS, PAIR, .k = k, .l = l, .tola = tola,
        .tolb = tolb)

ROUTINE(gsvd_solve,
        (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
         int64_t m, int64_t p, int64_t n, int64_t k, int64_t l, void *A,
         int64_t lda, void *B, int64_t ldb, double tola, double tolb,
         void *alpha, void *beta, void *U, int64_t ldu, void *V, int64_t ldv,
         void *Q, int64_t ldq, int *info),
        .routine = ROUTINE_SOLVE, PAIR, .k_in = k, .l_in = l, .tola = tola,
        .tolb = tolb, .alpha = alpha, .beta = beta)

BYTES(gsvd,
      (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
       int64_t m, int64_t n, int64_t p, size_t *dwork_bytes,
       size_t *hwork_bytes),
      .routine = ROUTINE_GSVD, JOBS)

BYTES(gsvd_preprocess,
      (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
       int64_t m, int64_t p, int64_t n, size_t *dwork_bytes,
       size_t *hwork_bytes),
      .routine = ROUTINE_PREPROCESS, JOBS)

BYTES(gsvd_solve,
      (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, char jobq,
       int64_t m, int64_t p, int64_t n, int64_t k, int64_t l,
       size_t *dwork_bytes, size_t *hwork_bytes),
      .routine = ROUTINE_SOLVE, JOBS, .k_in = k, .l_in = l)

/* -- one matrix ---------------------------------------------------------------- */

/* Of a real type 'T' means 'C'. */
static char op_of_type(gsvd_type_t type, char op)
{
    const int real = type == GSVD_S || type == GSVD_D;
    return real && gsvd_upper(op) == 'T' ? 'C' : op;
}

ROUTINE(gsvd_qr,
        (gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n, void *A,
         int64_t lda, void *tau, int *info),
        .routine = ROUTINE_QR, .m = m, .n = n, .A = A, .lda = lda, .tau = tau)

/* A and tau are only read here. */
ROUTINE(gsvd_qr_apply,
        (gsvd_handle_t h, gsvd_type_t type, char side, char op, int64_t m,
         int64_t n, int64_t k, const void *A, int64_t lda, const void *tau,
         void *C, int64_t ldc, int *info),
        .routine = ROUTINE_QR_APPLY, .side = side, .op = op_of_type(type, op),
        .m = m, .n = n, .k_in = k, .A = (void *)A, .lda = lda,
        .tau = (void *)tau, .C = C, .ldc = ldc)

ROUTINE(gsvd_qr_form,
        (gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n, int64_t k,
         void *A, int64_t lda, const void *tau, int *info),
        .routine = ROUTINE_QR_FORM, .m = m, .n = n, .k_in = k, .A = A,
        .lda = lda, .tau = (void *)tau)

ROUTINE(gsvd_geqp,
        (gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n, void *A,
         int64_t lda, int64_t *jpvt, void *tau, double tol, int64_t *rank,
         int *info),
        .routine = ROUTINE_GEQP, .m = m, .n = n, .A = A, .lda = lda,
        .jpvt = jpvt, .tau = tau, .tola = tol, .k = rank)

ROUTINE(gsvd_urv,
        (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, int64_t m,
         int64_t n, void *A, int64_t lda, double tol, int64_t *rank, void *U,
         int64_t ldu, void *V, int64_t ldv, int *info),
        .routine = ROUTINE_URV, .jobu = jobu, .jobv = jobv, .m = m, .n = n,
        .A = A, .lda = lda, .tola = tol, .k = rank, .U = U, .ldu = ldu, .V = V,
        .ldv = ldv)

BYTES(gsvd_qr,
      (gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n,
       size_t *dwork_bytes, size_t *hwork_bytes),
      .routine = ROUTINE_QR, .m = m, .n = n)

BYTES(gsvd_qr_apply,
      (gsvd_handle_t h, gsvd_type_t type, char side, int64_t m, int64_t n,
       int64_t k, size_t *dwork_bytes, size_t *hwork_bytes),
      .routine = ROUTINE_QR_APPLY, .side = side, .op = 'N', .m = m, .n = n,
      .k_in = k)

BYTES(gsvd_qr_form,
      (gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n, int64_t k,
       size_t *dwork_bytes, size_t *hwork_bytes),
      .routine = ROUTINE_QR_FORM, .m = m, .n = n, .k_in = k)

BYTES(gsvd_geqp,
      (gsvd_handle_t h, gsvd_type_t type, int64_t m, int64_t n,
       size_t *dwork_bytes, size_t *hwork_bytes),
      .routine = ROUTINE_GEQP, .m = m, .n = n)

BYTES(gsvd_urv,
      (gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv, int64_t m,
       int64_t n, size_t *dwork_bytes, size_t *hwork_bytes),
      .routine = ROUTINE_URV, .jobu = jobu, .jobv = jobv, .m = m, .n = n)
