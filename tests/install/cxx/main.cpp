/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.cpp -- a program in C++ against the installed library: the generalized
 * values of (diag(3, 4), diag(4, 3)), complex where that was built. */
#include <gsvd.h>

#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

#if GSVD_HAVE_Z
using scalar = std::complex<double>;
constexpr gsvd_type_t type = GSVD_Z;
#else
using scalar = double;
constexpr gsvd_type_t type = GSVD_D;
#endif

int main()
{
    std::vector<scalar> A{3, 0, 0, 4}, B{4, 0, 0, 3}, U(4), V(4), Q(4);
    std::vector<double> alpha(2), beta(2);
    std::int64_t k, l;
    int info;
    gsvd_handle_t h;

    if (gsvd_create(&h, GSVD_HOST) != GSVD_SUCCESS)
        return 1;
    gsvd_problem_t p{};
    p.size = sizeof p;
    p.routine = GSVD_ROUTINE_GSVD;
    p.type = type;
    p.job[0] = 'U';
    p.job[1] = 'V';
    p.job[2] = 'Q';
    p.m = p.n = p.p = 2;
    p.A.data = A.data();
    p.B.data = B.data();
    p.alpha.data = alpha.data();
    p.beta.data = beta.data();
    p.U.data = U.data();
    p.V.data = V.data();
    p.Q.data = Q.data();
    p.k_out = &k;
    p.l_out = &l;
    p.info = &info;
    const gsvd_status_t status = gsvd_run(h, &p);
    if (status != GSVD_SUCCESS)
        std::cerr << gsvd_last_error(h) << '\n';
    gsvd_destroy(h);
    return status != GSVD_SUCCESS || k != 0 || l != 2 ||
           std::abs(alpha[0] - 0.8) > 1e-14 || std::abs(beta[0] - 0.6) > 1e-14;
}
