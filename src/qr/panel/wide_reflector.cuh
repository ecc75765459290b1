/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide_reflector.cuh -- a reflector in double precision, for panels of any letter: the text of
 * householder_of (qr/reflect.h) over wide.cuh. */
#ifndef GSVD_QR_PANEL_WIDE_REFLECTOR_CUH
#define GSVD_QR_PANEL_WIDE_REFLECTOR_CUH

#include "core/wide.cuh"

/* H = I - tau v v^H with H^H (alpha; x) = (beta; 0), v = (1; over x) */
typedef struct wide_reflector {
    wide_t tau, over, beta;
} wide_reflector_t;

/* below = |x|^2; none: x is 0, and alpha real */
WIDE_FN wide_reflector_t wide_reflector_of(wide_t alpha, double below, int none)
{
    const double size = sqrt(below + wide_abs2(alpha));
    const double beta = wide_re(alpha) > 0 ? -size : size;
    const wide_t d = wide(wide_re(alpha) - beta, wide_im(alpha));
    const double square = wide_abs2(d);
    wide_reflector_t h;

    h.tau = none ? wide(0, 0) : wide(-wide_re(d) / beta, -wide_im(d) / beta);
    h.over =
        none ? wide(0, 0) : wide(wide_re(d) / square, -wide_im(d) / square);
    h.beta = none ? alpha : wide(beta, 0);
    return h;
}

#endif /* GSVD_QR_PANEL_WIDE_REFLECTOR_CUH */
