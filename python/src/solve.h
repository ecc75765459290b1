/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solve.h -- a gsvd_problem_t of Python's, and its call without the interpreter's lock. */
#ifndef GSVD_PYTHON_SOLVE_H
#define GSVD_PYTHON_SOLVE_H

#include <string>

#include "batches.h"
#include "handles.h"
#include "unlocked.h"

#include <gsvd.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

/* What the library says of a call */
struct answer {
    gsvd_status_t status = GSVD_SUCCESS;
    int info = 0;
    int64_t ranks[2] = {0, 0};
    std::string text;
};

/* Solves one problem or a batch, after prepare(), with the thread's handle. */
template <typename F>
void solve(kept_handle &kept, const pairs &options, gsvd_problem_t x,
           answer &found, const F &prepare)
{
    const unlocked others_run;

    if (x.batch == 0) {
        x.k_out = &found.ranks[0];
        x.l_out = &found.ranks[1];
        x.info = &found.info;
    }
    prepare();
    found.status = set_options(kept, options);
    if (found.status == GSVD_SUCCESS)
        found.status = run_batch(kept.h.get(), x);
    if (found.status != GSVD_SUCCESS)
        found.text = gsvd_last_error(kept.h.get());
}

/* How one problem was solved: the fields of Stats, with numbers in place of names */
inline nanobind::object stats_of(gsvd_handle_t h)
{
    gsvd_stats_t s = {};

    s.size = sizeof s;
    if (gsvd_get_stats(h, &s) != GSVD_SUCCESS)
        return nanobind::none();
    return nanobind::make_tuple(
        s.device, static_cast<int>(s.solver), s.sweeps, s.converged != 0,
        s.seconds_preprocess, s.seconds_solve, s.seconds_total,
        static_cast<int>(s.eigh), static_cast<int>(s.svd));
}

#endif /* GSVD_PYTHON_SOLVE_H */
