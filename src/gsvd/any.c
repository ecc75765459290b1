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

static gsvd_status_t one_pair(gsvd_handle_t h, gsvd_type_t type,
                              const call_t *c)
{
    const entry_points_t *const entry = of_type(type);
    if (h && entry)
        return entry->call(h, c);
    if (c->info)
        *c->info = 0;
    return gsvd_report(h ? no_type(h, type) : GSVD_INVALID_HANDLE, c->info);
}

gsvd_status_t gsvd(gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv,
                   char jobq, int64_t m, int64_t n, int64_t p, int64_t *k,
                   int64_t *l, void *A, int64_t lda, void *B, int64_t ldb,
                   void *alpha, void *beta, void *U, int64_t ldu, void *V,
                   int64_t ldv, void *Q, int64_t ldq, int *info)
{
    return one_pair(h, type,
                    &(call_t){.routine = ROUTINE_GSVD,
                              .jobu = jobu,
                              .jobv = jobv,
                              .jobq = jobq,
                              .m = m,
                              .n = n,
                              .p = p,
                              .k = k,
                              .l = l,
                              .A = A,
                              .lda = lda,
                              .B = B,
                              .ldb = ldb,
                              .alpha = alpha,
                              .beta = beta,
                              .U = U,
                              .ldu = ldu,
                              .V = V,
                              .ldv = ldv,
                              .Q = Q,
                              .ldq = ldq,
                              .info = info});
}

gsvd_status_t gsvd_gpu(gsvd_handle_t h, gsvd_type_t type, char jobu, char jobv,
                       char jobq, int64_t m, int64_t n, int64_t p, int64_t *k,
                       int64_t *l, void *A, int64_t lda, void *B, int64_t ldb,
                       void *alpha, void *beta, void *U, int64_t ldu, void *V,
                       int64_t ldv, void *Q, int64_t ldq, int *info)
{
    return one_pair(h, type,
                    &(call_t){.routine = ROUTINE_GSVD,
                              .device_arrays = 1,
                              .jobu = jobu,
                              .jobv = jobv,
                              .jobq = jobq,
                              .m = m,
                              .n = n,
                              .p = p,
                              .k = k,
                              .l = l,
                              .A = A,
                              .lda = lda,
                              .B = B,
                              .ldb = ldb,
                              .alpha = alpha,
                              .beta = beta,
                              .U = U,
                              .ldu = ldu,
                              .V = V,
                              .ldv = ldv,
                              .Q = Q,
                              .ldq = ldq,
                              .info = info});
}

/* -- workspace ---------------------------------------------------------------- */

static gsvd_status_t buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                 const call_t *c, size_t *dwork_bytes,
                                 size_t *hwork_bytes)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    if (!dwork_bytes || !hwork_bytes)
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "%s: NULL",
                         dwork_bytes ? "hwork_bytes" : "dwork_bytes");
    const entry_points_t *const entry = of_type(type);
    return entry ? entry->buffer_size(h, c, dwork_bytes, hwork_bytes)
                 : no_type(h, type);
}

#define SIZES .jobu = jobu, .jobv = jobv, .jobq = jobq, .m = m, .n = n, .p = p

gsvd_status_t gsvd_buffer_size(gsvd_handle_t h, gsvd_type_t type, char jobu,
                               char jobv, char jobq, int64_t m, int64_t n,
                               int64_t p, size_t *dwork_bytes,
                               size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_GSVD, SIZES};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type, char jobu,
                                   char jobv, char jobq, int64_t m, int64_t n,
                                   int64_t p, size_t *dwork_bytes,
                                   size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_GSVD, .device_arrays = 1, SIZES};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_preprocess_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                          char jobu, char jobv, char jobq,
                                          int64_t m, int64_t p, int64_t n,
                                          size_t *dwork_bytes,
                                          size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_PREPROCESS, SIZES};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_preprocess_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                              char jobu, char jobv, char jobq,
                                              int64_t m, int64_t p, int64_t n,
                                              size_t *dwork_bytes,
                                              size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_PREPROCESS, .device_arrays = 1, SIZES};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_solve_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                     char jobu, char jobv, char jobq, int64_t m,
                                     int64_t p, int64_t n, int64_t k, int64_t l,
                                     size_t *dwork_bytes, size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_SOLVE, .k_in = k, .l_in = l, SIZES};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_solve_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                         char jobu, char jobv, char jobq,
                                         int64_t m, int64_t p, int64_t n,
                                         int64_t k, int64_t l,
                                         size_t *dwork_bytes,
                                         size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_SOLVE,
                      .device_arrays = 1,
                      .k_in = k,
                      .l_in = l,
                      SIZES};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

/* -- workspace of one matrix's routines ------------------------------------------ */

gsvd_status_t gsvd_qr_buffer_size(gsvd_handle_t h, gsvd_type_t type, int64_t m,
                                  int64_t n, size_t *dwork_bytes,
                                  size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_QR, .m = m, .n = n};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_qr_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                      int64_t m, int64_t n, size_t *dwork_bytes,
                                      size_t *hwork_bytes)
{
    const call_t c = {
        .routine = ROUTINE_QR, .device_arrays = 1, .m = m, .n = n};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_qr_apply_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                        char side, int64_t m, int64_t n,
                                        int64_t k, size_t *dwork_bytes,
                                        size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_QR_APPLY,
                      .side = side,
                      .op = 'N',
                      .m = m,
                      .n = n,
                      .k_in = k};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_qr_apply_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                            char side, int64_t m, int64_t n,
                                            int64_t k, size_t *dwork_bytes,
                                            size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_QR_APPLY,
                      .device_arrays = 1,
                      .side = side,
                      .op = 'N',
                      .m = m,
                      .n = n,
                      .k_in = k};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_qr_form_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                       int64_t m, int64_t n, int64_t k,
                                       size_t *dwork_bytes, size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_QR_FORM, .m = m, .n = n, .k_in = k};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_qr_form_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                           int64_t m, int64_t n, int64_t k,
                                           size_t *dwork_bytes,
                                           size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_QR_FORM,
                      .device_arrays = 1,
                      .m = m,
                      .n = n,
                      .k_in = k};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_geqp_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                    int64_t m, int64_t n, size_t *dwork_bytes,
                                    size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_GEQP, .m = m, .n = n};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_geqp_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                        int64_t m, int64_t n,
                                        size_t *dwork_bytes,
                                        size_t *hwork_bytes)
{
    const call_t c = {
        .routine = ROUTINE_GEQP, .device_arrays = 1, .m = m, .n = n};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_urv_buffer_size(gsvd_handle_t h, gsvd_type_t type, char jobu,
                                   char jobv, int64_t m, int64_t n,
                                   size_t *dwork_bytes, size_t *hwork_bytes)
{
    const call_t c = {
        .routine = ROUTINE_URV, .jobu = jobu, .jobv = jobv, .m = m, .n = n};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}

gsvd_status_t gsvd_urv_gpu_buffer_size(gsvd_handle_t h, gsvd_type_t type,
                                       char jobu, char jobv, int64_t m,
                                       int64_t n, size_t *dwork_bytes,
                                       size_t *hwork_bytes)
{
    const call_t c = {.routine = ROUTINE_URV,
                      .device_arrays = 1,
                      .jobu = jobu,
                      .jobv = jobv,
                      .m = m,
                      .n = n};
    return buffer_size(h, type, &c, dwork_bytes, hwork_bytes);
}
