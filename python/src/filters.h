/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* filters.h -- gsvd_filter.h for Python: arrays of one type in host memory, matrices by columns. */
#ifndef GSVD_PYTHON_FILTERS_H
#define GSVD_PYTHON_FILTERS_H

#include <algorithm>
#include <complex>
#include <string>

#include "arrays.h"
#include "handles.h"
#include "unlocked.h"

#include <gsvd_filter.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

/* The routines of each type */
template <typename T> struct filter_routines;
template <> struct filter_routines<float> {
    using real = float;
    static constexpr auto picard = &sgsvd_picard;
    static constexpr auto filter = &sgsvd_filter;
    static constexpr auto range = &sgsvd_lambda_range;
    static constexpr auto choose = &sgsvd_choose;
};
template <> struct filter_routines<double> {
    using real = double;
    static constexpr auto picard = &dgsvd_picard;
    static constexpr auto filter = &dgsvd_filter;
    static constexpr auto range = &dgsvd_lambda_range;
    static constexpr auto choose = &dgsvd_choose;
};
template <> struct filter_routines<std::complex<float>> {
    using real = float;
    static constexpr auto picard = &cgsvd_picard;
    static constexpr auto filter = &cgsvd_filter;
    static constexpr auto range = &cgsvd_lambda_range;
    static constexpr auto choose = &cgsvd_choose;
};
template <> struct filter_routines<std::complex<double>> {
    using real = double;
    static constexpr auto picard = &zgsvd_picard;
    static constexpr auto filter = &zgsvd_filter;
    static constexpr auto range = &zgsvd_lambda_range;
    static constexpr auto choose = &zgsvd_choose;
};

/* (status, text) of call(h, T()) of this letter's T, with the thread's handle of the host */
template <typename F>
nanobind::tuple filter_call(const char *type, const F &call)
{
    gsvd_status_t status;
    std::string text;
    kept_handle *const kept = handle_of(GSVD_HOST, 0, &status);

    if (!kept)
        return nanobind::make_tuple(static_cast<int>(status),
                                    gsvd_last_error(nullptr));
    const gsvd_handle_t h = kept->h.get();
    {
        const unlocked others_run;
        switch (type[0]) {
        case 's': status = call(h, float()); break;
        case 'd': status = call(h, double()); break;
        case 'c': status = call(h, std::complex<float>()); break;
        default: status = call(h, std::complex<double>());
        }
        if (status != GSVD_SUCCESS)
            text = gsvd_last_error(h);
    }
    return nanobind::make_tuple(static_cast<int>(status), text);
}

inline int64_t length(const array &a)
{
    return static_cast<int64_t>(a->shape(0));
}

/* B (m, nrhs) is lost; C (r, nrhs) and rest (nrhs) are results */
inline nanobind::tuple picard(const char *type, const array &U, const array &B,
                              const array &C, const array &rest)
{
    const int64_t m = length(B), r = length(C), nrhs = length(rest);

    return filter_call(type, [&](gsvd_handle_t h, auto of) {
        using T = decltype(of);
        using calls = filter_routines<T>;
        return calls::picard(
            h, m, r, nrhs, address<T>(U), std::max<int64_t>(m, 1),
            address<T>(B), std::max<int64_t>(m, 1), address<T>(C),
            std::max<int64_t>(r, 1), address<typename calls::real>(rest));
    });
}

/* Of one right-hand side, for each lambda; X (n, count) is a result unless Y is None */
inline nanobind::tuple filtered(const char *type, int filter,
                                const array &alpha, const array &beta,
                                const array &C, const array &rest,
                                const array &lambda, const array &residual,
                                const array &seminorm, const array &Y,
                                const array &X)
{
    const int64_t n = Y ? length(Y) : 0, r = length(alpha);

    return filter_call(type, [&](gsvd_handle_t h, auto of) {
        using T = decltype(of);
        using calls = filter_routines<T>;
        using R = typename calls::real;
        const int64_t ldy = std::max<int64_t>(n, 1);
        return calls::filter(
            h, static_cast<gsvd_filter_t>(filter), n, r, 1, length(lambda),
            address<R>(alpha), address<R>(beta), address<T>(C),
            std::max<int64_t>(r, 1), address<R>(rest), address<R>(lambda),
            address<R>(residual), address<R>(seminorm), address<T>(Y), ldy,
            address<T>(X), ldy);
    });
}

/* range (2): the least and the largest lambda */
inline nanobind::tuple lambda_range(const char *type, const array &alpha,
                                    const array &beta, const array &range)
{
    return filter_call(type, [&](gsvd_handle_t h, auto of) {
        using calls = filter_routines<decltype(of)>;
        using R = typename calls::real;
        return calls::range(h, length(alpha), address<R>(alpha),
                            address<R>(beta), address<R>(range),
                            address<R>(range) + 1);
    });
}

/* lambda (1) of one right-hand side */
inline nanobind::tuple choose(const char *type, int choice, int filter,
                              int64_t m, const array &alpha, const array &beta,
                              const array &C, const array &rest, double delta,
                              const array &lambda)
{
    return filter_call(type, [&](gsvd_handle_t h, auto of) {
        using T = decltype(of);
        using calls = filter_routines<T>;
        using R = typename calls::real;
        return calls::choose(h, static_cast<gsvd_choice_t>(choice),
                             static_cast<gsvd_filter_t>(filter), m,
                             length(alpha), address<R>(alpha), address<R>(beta),
                             address<T>(C), *address<R>(rest),
                             static_cast<R>(delta), address<R>(lambda));
    });
}

inline void define_filters(nanobind::module_ &m)
{
    const auto none = nanobind::arg().none();
    const nanobind::arg needed;

    m.def("picard", &picard);
    m.def("filtered", &filtered, needed, needed, needed, needed, needed, needed,
          needed, needed, needed, none, none);
    m.def("lambda_range", &lambda_range);
    m.def("choose", &choose);
}

#endif /* GSVD_PYTHON_FILTERS_H */
