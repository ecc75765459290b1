/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* factors.c -- what the engines' QR and products have in common. */
#include "grid/backend.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

/* Its diagonal may have either sign. */
gsvd_status_t X(geqr)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    return X(geqrf)(ex, A, tau);
}

/* -- their work is ROOM_ENGINE's ---------------------------------------------------- */

size_t X(geqrf_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}
size_t X(ungqr_work_bytes)(const exec_t *ex, int64_t m, int64_t c, int64_t k)
{
    (void)ex, (void)m, (void)c, (void)k;
    return 0;
}
size_t X(unmqr_work_bytes)(const exec_t *ex, int64_t m, int64_t k,
                           int64_t across)
{
    (void)ex, (void)m, (void)k, (void)across;
    return 0;
}
size_t X(geqp_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}

/* No time is predicted. */
double X(geqrf_seconds)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}
double X(unmqr_seconds)(const exec_t *ex, int64_t m, int64_t k, int64_t across)
{
    (void)ex, (void)m, (void)k, (void)across;
    return 0;
}
double X(ungqr_seconds)(const exec_t *ex, int64_t m, int64_t c, int64_t k)
{
    (void)ex, (void)m, (void)c, (void)k;
    return 0;
}
double X(geqp_seconds)(const exec_t *ex, int64_t m, int64_t n)
{
    (void)ex, (void)m, (void)n;
    return 0;
}
int X(form_pays)(int64_t m, int64_t c, int64_t b, int64_t k)
{
    (void)m, (void)c, (void)b, (void)k;
    return 0;
}

size_t X(products_bytes_grid)(const exec_t *ex, int64_t m, int64_t n, int64_t k,
                              size_t most)
{
    (void)ex, (void)m, (void)n, (void)k, (void)most;
    return 0;
}
