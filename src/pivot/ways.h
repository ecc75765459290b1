/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ways.h [1] -- the ways of this folder's kernels: see core/ways.h. */
#ifndef GSVD_PIVOT_WAYS_H
#define GSVD_PIVOT_WAYS_H

#include "qr/ways.h"

enum {
    /* project or update_sketch in one pass in place of cuBLAS's products, update_sketch.cu */
    WAY_PASS = QR_WAYS,
    PIVOT_WAYS
};

#endif /* GSVD_PIVOT_WAYS_H */
