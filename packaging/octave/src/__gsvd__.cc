// SPDX-FileCopyrightText: the libgsvd authors
// SPDX-License-Identifier: BSD-3-Clause
// [alpha, beta, l, U, V, X] = __gsvd__ (A, B, job): the X form, as gsvd.m takes it.
#include <algorithm>
#include <octave/oct.h>

#include "call.h"

template <typename Matrix_, typename Values>
static octave_value_list run(char type, Matrix_ A, Matrix_ B, char job)
{
    const octave_idx_type m = A.rows(), n = A.columns(), p = B.rows();
    if (B.columns() != n)
        error("gsvd: A and B must have the same number of columns");
    const bool factors = job != 'N', all = job == 'U';
    Matrix_ U(factors ? m : 0, all ? m : std::min(m, n));
    Matrix_ V(factors ? p : 0, all ? p : std::min(p, n));
    Matrix_ X(factors ? n : 0, n);
    Values alpha(n), beta(n);
    const int64_t size[] = {m, n, p};
    void *const array[] = {A.fortran_vec(),     B.fortran_vec(),
                           alpha.fortran_vec(), beta.fortran_vec(),
                           U.fortran_vec(),     V.fortran_vec(),
                           X.fortran_vec()};
    int64_t rank[2] = {0, 0};
    const char *text = "";

    const int status = call_gsvd(type, size, job, array, rank, &text);
    if (!call_found_factors(status))
        error("gsvd: %s", text);
    if (status)
        warning("gsvd: %s", text);
    const octave_idx_type r = rank[0] + rank[1];
    if (factors)
        X.resize(n, r);
    alpha.resize(r);
    beta.resize(r);
    return ovl(alpha, beta, double(rank[1]), U, V, X);
}

DEFUN_DLD(__gsvd__, args, , "-*- texinfo -*-\nUsed by gsvd.\n")
{
    if (args.length() != 3)
        print_usage();
    const octave_value a = args(0), b = args(1);
    const char job = args(2).string_value()[0];
    for (const octave_value &x : {a, b})
        if (!x.isnumeric() && !x.islogical())
            error("gsvd: A and B must be numeric matrices");
    const bool single = a.is_single_type() || b.is_single_type();
    if (a.iscomplex() || b.iscomplex()) {
        if (single)
            return run<FloatComplexMatrix, FloatColumnVector>(
                'c', a.float_complex_matrix_value(),
                b.float_complex_matrix_value(), job);
        return run<ComplexMatrix, ColumnVector>('z', a.complex_matrix_value(),
                                                b.complex_matrix_value(), job);
    }
    if (single)
        return run<FloatMatrix, FloatColumnVector>('s', a.float_matrix_value(),
                                                   b.float_matrix_value(), job);
    return run<Matrix, ColumnVector>('d', a.matrix_value(), b.matrix_value(),
                                     job);
}
