/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cost.h -- about how long a step takes, for gsvd_plan_describe; nothing is decided by it.
 *
 *     seconds = links link_seconds + operations / rate
 *
 * A link is work that waits for the work before it, whatever its size: a column of a QR
 * factorization is one.  Operations are additions and multiplications of real numbers.  Both
 * numbers of a machine stand in its tuning.  Each step counts its links and operations beside the
 * function that runs it; the counts of QR are those of Golub and Van Loan 2013, section 5.2, and
 * the others were fitted to the records in bench/results, whose matrices are random.  Graded rows and
 * integral equations took up to 2.5 times as long there. */
#ifndef GSVD_CORE_COST_H
#define GSVD_CORE_COST_H

#include "core/exec.h"
#include "core/threads.h"
#include "tuning.h"

/* The cores that share a step */
GSVD_FN int64_t cores_of(const exec_t *ex)
{
    return ex->h->space->on_device ? 1
                                   : max_i(gsvd_threads(), gsvd_blas_threads());
}

/* operations: of a matrix of real numbers */
GSVD_FN double seconds_of(const exec_t *ex, double links, double operations)
{
    const double each = GSVD_COMPLEX ? 4 : 1;
    return links * ex->tune->link_seconds +
           each * operations / (ex->tune->rate * (double)cores_of(ex));
}

#endif /* GSVD_CORE_COST_H */
