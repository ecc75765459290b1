/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tall.c -- R alone of a tall matrix of at most 32 columns; CPU twin of tall.cu.
 */
#include "qr/qr.h"
#include "qr/tsqr.h"

gsvd_status_t X(tall_r_cpu)(gsvd_handle_t h, mat_t A, mat_t R)
{
    void *work;
    GSVD_TRY(gsvd_scratch(h, X(tsqr_r_bytes)(A.rows), &work));
    return X(tsqr_r_cpu)(h, A, R, work);
}
