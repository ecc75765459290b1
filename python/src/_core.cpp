/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* _core.cpp -- gsvd_run for Python.
 *
 * run() makes a gsvd_problem_t of arrays that Python has allocated, by columns, on the host or on
 * a GPU, and calls the library without the interpreter's lock.  pair() is a short way to it for the
 * GSVD of two matrices of NumPy's.  load() copies an array of any strides by columns.  All else is
 * Python's (_decompose.py).
 */
#include <algorithm>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "copies.h"
#include "filters.h"
#include "handles.h"
#include "pair.h"
#include "solve.h"
#include "unlocked.h"

#include <gsvd_filter.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace
{

/* -- run ------------------------------------------------------------------------------ */

/* (status, info, k, l, text, statistics).  Ranks of a batch are written to k_out and l_out, and
 * what became of each problem to each_info. */
nb::tuple run(int device, int64_t stream, bool on_device, int routine,
              const char *type, const char *jobs, int64_t m, int64_t n,
              int64_t p, int64_t k, int64_t keep, double tol,
              const pairs &options, int64_t batch, const array &A,
              const array &B, const array &U, const array &V, const array &Q,
              const array &alpha, const array &beta, const array &tau,
              const array &jpvt, const array &signs, const array &k_out,
              const array &l_out, const array &each_info)
{
    const bool many = batch > 0;
    gsvd_problem_t x = {};
    answer found;
    kept_handle *const kept = handle_of(device, stream, &found.status);

    if (!kept)
        return nb::make_tuple(static_cast<int>(found.status), 0, 0, 0,
                              gsvd_last_error(nullptr), nb::none());
    x.size = sizeof x;
    x.routine = static_cast<gsvd_routine_t>(routine);
    x.type = static_cast<gsvd_type_t>(type[0]);
    x.place = on_device ? GSVD_PLACE_DEVICE : GSVD_PLACE_HOST;
    for (int i = 0; i < 3 && jobs[i]; ++i)
        x.job[i] = jobs[i];
    x.m = m, x.n = n, x.p = p, x.k = k, x.n_plus = k;
    x.batch = batch;
    x.keep = keep;
    x.tol[0] = tol;
    x.A = matrices(A, many);
    x.B = matrices(B, many);
    x.U = matrices(U, many);
    x.V = matrices(V, many);
    x.Q = matrices(Q, many);
    x.alpha = vectors(alpha, many);
    x.beta = vectors(beta, many);
    x.tau = vectors(tau, many);
    x.jpvt = vectors(jpvt, many);
    x.signs = vectors(signs, many);
    x.k_out = address<int64_t>(k_out);
    x.l_out = address<int64_t>(l_out);
    x.info = address<int>(each_info);
    solve(*kept, options, x, found, [] {});
    return nb::make_tuple(static_cast<int>(found.status), found.info,
                          found.ranks[0], found.ranks[1], found.text,
                          many ? nb::none() : stats_of(kept->h.get()));
}

/* -- load ----------------------------------------------------------------------------- */

/* out := a, both (rows, columns) or (batch, rows, columns), out by columns */
void load_all(const nb::ndarray<nb::ro, nb::device::cpu> &a, const array &out)
{
    const size_t d = a.ndim();
    const bool many = d > 2;
    const gsvd_array_t x = matrices(out, many);
    const int64_t batch = many ? static_cast<int64_t>(a.shape(0)) : 1;
    const int64_t bytes = static_cast<int64_t>(a.itemsize());
    const auto *const from = static_cast<const char *>(a.data());
    auto *const to = static_cast<char *>(x.data);

    for (int64_t i = 0; i < batch; ++i)
        copy_by_columns(bytes,
                        {from + (many ? i * a.stride(0) * bytes : 0),
                         static_cast<int64_t>(a.shape(d - 2)),
                         static_cast<int64_t>(a.shape(d - 1)), a.stride(d - 2),
                         a.stride(d - 1)},
                        to + i * x.stride * bytes, x.ld);
}

void load(const nb::ndarray<nb::ro, nb::device::cpu> &a,
          const nb::ndarray<> &out)
{
    bool same = a.dtype() == out.dtype() && a.ndim() == out.ndim() &&
                a.size() > 0 && (a.ndim() == 2 || a.ndim() == 3);

    for (size_t i = 0; same && i < a.ndim(); ++i)
        same = a.shape(i) == out.shape(i);
    if (!same)
        throw nb::value_error("load: the arrays differ in type or shape");
    const unlocked others_run;
    load_all(a, view(out));
}

/* -- error bounds --------------------------------------------------------------------- */

template <typename T, typename R>
using bounds_t = gsvd_status_t (*)(gsvd_handle_t, int64_t, int64_t, const R *,
                                   const R *, const R *, const R *, const T *,
                                   int64_t, R, R *, R *, R *);

/* Of each pair; arrays of a vector or matrix for each lie one behind another, those of Y by columns. */
template <typename T, typename R>
gsvd_status_t bounds_of_all(gsvd_handle_t h, bounds_t<T, R> bounds_of,
                            const array &alpha, const array &beta,
                            const array &a, const array &b, const array &Y,
                            const array &ranks, double error,
                            const array &bounds, const array &cond)
{
    const int64_t values = static_cast<int64_t>(alpha->shape(1));
    const int64_t n = static_cast<int64_t>(a->shape(1));
    const int64_t columns = static_cast<int64_t>(Y->shape(1));
    std::vector<R> work(static_cast<size_t>(2 * values));
    gsvd_status_t status = GSVD_SUCCESS;

    for (int64_t i = 0;
         i < static_cast<int64_t>(ranks->shape(0)) && status == GSVD_SUCCESS;
         ++i)
        status = bounds_of(
            h, n, address<int64_t>(ranks)[i], address<R>(alpha) + i * values,
            address<R>(beta) + i * values, address<R>(a) + i * n,
            address<R>(b) + i * n, address<T>(Y) + i * columns * n,
            std::max<int64_t>(n, 1), static_cast<R>(error),
            address<R>(bounds) + i * values, address<R>(cond) + i, work.data());
    return status;
}

/* (status, text) */
nb::tuple error_bounds(int device, const char *type, const array &alpha,
                       const array &beta, const array &a, const array &b,
                       const array &Y, const array &ranks, double error,
                       const array &bounds, const array &cond)
{
    gsvd_status_t status;
    std::string text;
    kept_handle *const kept = handle_of(device, 0, &status);

    if (!kept)
        return nb::make_tuple(static_cast<int>(status),
                              gsvd_last_error(nullptr));
    const gsvd_handle_t h = kept->h.get();
    {
        const unlocked others_run;
        const auto of_all = [&](auto bounds_of) {
            return bounds_of_all(h, bounds_of, alpha, beta, a, b, Y, ranks,
                                 error, bounds, cond);
        };
        switch (type[0]) {
        case 's': status = of_all(&sgsvd_error_bounds); break;
        case 'd': status = of_all(&dgsvd_error_bounds); break;
        case 'c': status = of_all(&cgsvd_error_bounds); break;
        default: status = of_all(&zgsvd_error_bounds);
        }
        if (status != GSVD_SUCCESS)
            text = gsvd_last_error(h);
    }
    return nb::make_tuple(static_cast<int>(status), text);
}

/* -- what there is -------------------------------------------------------------------- */

/* Why this device cannot be used; empty if it can */
std::string why_not(int device)
{
    gsvd_status_t status;

    return handle_of(device, 0, &status) ? "" : gsvd_last_error(nullptr);
}

} // namespace

NB_MODULE(_core, m)
{
    const auto none = nb::arg().none();

    if (PyArray_ImportNumPyAPI() < 0)
        throw nb::python_error();
    m.def("run", &run, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg(), nb::arg(), none, none, none, none, none, none,
          none, none, none, none, none, none, none);
    m.def("pair_options", &make_pair_options);
    m.def("pair", &pair);
    m.def("load", &load, nb::arg().noconvert(), nb::arg().noconvert());
    m.def("error_bounds", &error_bounds);
    define_filters(m);
    m.def("version", &gsvd_version);
    m.def("status_name", [](int status) {
        return gsvd_status_name(static_cast<gsvd_status_t>(status));
    });
    m.def("why_not", &why_not);
    m.def("end_calls", &end_calls);
    nb::module_::import_("atexit").attr("register")(m.attr("end_calls"));
}
