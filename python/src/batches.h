/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batches.h -- gsvd_run, of batches of any routine. */
#ifndef GSVD_PYTHON_BATCHES_H
#define GSVD_PYTHON_BATCHES_H

#include <utility>

#include <gsvd.h>

inline bool has_batches(const gsvd_problem_t &p)
{
    return p.routine == GSVD_ROUTINE_GSVD || p.routine == GSVD_ROUTINE_SVD ||
           p.routine == GSVD_ROUTINE_HSVD || p.routine == GSVD_ROUTINE_EIGH;
}

/* Problem i of a batch, alone.  Arrays of more than one have strides. */
inline gsvd_problem_t alone(const gsvd_problem_t &p, int64_t i)
{
    gsvd_problem_t one = p;
    const bool complex = p.type == GSVD_C || p.type == GSVD_Z;
    const size_t real =
        p.type == GSVD_S || p.type == GSVD_C ? sizeof(float) : sizeof(double);
    const size_t scalar = complex ? 2 * real : real;
    const std::pair<gsvd_array_t *, size_t> all[] = {
        {&one.A, scalar},
        {&one.B, scalar},
        {&one.U, scalar},
        {&one.V, scalar},
        {&one.Q, scalar},
        {&one.C, scalar},
        {&one.tau, scalar},
        {&one.alpha, real},
        {&one.beta, real},
        {&one.jpvt, sizeof(int64_t)},
        {&one.signs, sizeof(int64_t)}};

    one.batch = 0;
    for (const auto &[x, bytes] : all) {
        if (x->data)
            x->data = static_cast<char *>(x->data) +
                      i * x->stride * static_cast<int64_t>(bytes);
        x->stride = 0;
    }
    if (p.k_out)
        one.k_out = p.k_out + i;
    if (p.l_out)
        one.l_out = p.l_out + i;
    one.info = p.info + i;
    return one;
}

/* Solves the problems of a routine that has no batches, one after another.  What concerns one
 * problem is in its info; any other failure ends the call. */
inline gsvd_status_t one_by_one(gsvd_handle_t h, const gsvd_problem_t &p)
{
    for (int64_t i = 0; i < p.batch; ++i) {
        const gsvd_problem_t one = alone(p, i);
        const gsvd_status_t status = gsvd_run(h, &one);
        const bool of_problem =
            status == GSVD_NOT_CONVERGED || status == GSVD_OVERFLOW ||
            (status == GSVD_INVALID_ARGUMENT && *one.info > -1000);
        if (status != GSVD_SUCCESS && !of_problem)
            return status;
    }
    return GSVD_SUCCESS;
}

inline gsvd_status_t run_batch(gsvd_handle_t h, const gsvd_problem_t &p)
{
    return p.batch > 0 && !has_batches(p) ? one_by_one(h, p) : gsvd_run(h, &p);
}

#endif /* GSVD_PYTHON_BATCHES_H */
