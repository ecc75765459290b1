/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_lapack_eig.h -- what libgsvd_lapack_eig and libgsvd_lapack_eig64 take over from LAPACK.
 *
 * They have LAPACK's symbols xSYEVD, xSYEVR, xHEEVD, xHEEVR, xGESDD and xGESVD.  A program that is
 * linked to one of them, or preloads it, need not call anything else. */
#ifndef GSVD_LAPACK_EIG_H
#define GSVD_LAPACK_EIG_H

#include "gsvd.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets, for all threads' calls that begin later, what libgsvd computes.  The order of a matrix is
 * its smaller dimension.  All other calls are LAPACK's.
 *
 * method        how eigenvalues are found.  GSVD_EIGH_FAST, the default, has LAPACK's errors;
 *               GSVD_EIGH_AUTO and GSVD_EIGH_FACTOR have relatively accurate small values
 * device_order  the least order for which a device computes, if there is one; default 512;
 *               negative: never
 * host_order    the least order for which libgsvd computes on the host what no device does;
 *               negative, the default: never
 *
 * Returns GSVD_INVALID_ARGUMENT, and sets nothing, for a method that there is not. */
GSVD_API gsvd_status_t gsvd_lapack_eig_set(gsvd_eigh_option_t method, int64_t device_order,
                                           int64_t host_order);

#ifdef __cplusplus
}
#endif

#endif /* GSVD_LAPACK_EIG_H */
