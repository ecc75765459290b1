/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* two_sided.c -- H^H C H for a block reflector H and a Hermitian C on the CPU. */
#include "jacobi/two_sided.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(two_sided_cpu)(const exec_t *ex, mat_t VWV, mat_t VT,
                               mat_t work, mat_t C)
{
    return two_sided_by_products(ex, VWV, VT, mat_rows(work, 0, VT.cols), C);
}
