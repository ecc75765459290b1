/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* header.cpp -- gsvd_filter.h, and gsvd.h in it, as C++17, with nothing before it; and those without letters. */
#include "gsvd_filter.h"
#include "gsvd_grid.h"
#include "gsvd_lapack_eig.h"

#if GSVD_HAVE_Z
gsvd_status_t header_check(gsvd_handle_t h, std::complex<double> *A);

gsvd_status_t header_check(gsvd_handle_t h, std::complex<double> *A)
{
    std::int64_t k = 0, l = 0;
    int info = 0;
    double alpha = 0, beta = 0;
    return zgsvd(h, 'N', 'N', 'N', 1, 1, 1, &k, &l, A, 1, A, 1, &alpha, &beta,
                 nullptr, 1, nullptr, 1, nullptr, 1, &info);
}
#endif

static_assert(sizeof(gsvd_complex_float) == 2 * sizeof(float), "layout");
static_assert(sizeof(gsvd_complex_double) == 2 * sizeof(double), "layout");
