/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* _xla.cpp -- gsvd_run for XLA, which libgsvd.jax calls (jax.ffi).
 *
 * Matrices lie by columns, as layouts of XLA say; leading dimensions are a batch.  `results` has one
 * letter for each result: A and B, in which is computed and which have the inputs' memory where XLA
 * has no other use for it; U, V, Q; a and b, alpha and beta; t, tau, which may be an input, too; k, l and
 * P, jpvt, each of int64 in two of XLA's int32, since JAX has no int64 by default; i, info.
 */
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "batches.h"
#include "handles.h"
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

namespace
{

gsvd_array_t array_of(const ffi::AnyBuffer &x, bool is_matrix)
{
    gsvd_array_t a = {};
    const auto d = x.dimensions();

    if (x.element_count() == 0)
        return a;
    a.data = x.untyped_data();
    a.stride = d.back();
    if (is_matrix) {
        a.ld = d[d.size() - 2];
        a.stride *= a.ld;
    }
    return a;
}

/* What became of the problems of a batch in host memory */
ffi::Error told(const int *info, int64_t batch)
{
    for (int64_t i = 0; i < batch; ++i) {
        const std::string which = "problem " + std::to_string(i) + ": ";
        if (info[i] == 2)
            return ffi::Error(
                ffi::ErrorCode::kOutOfRange,
                which + "the result has entries beyond the largest number");
        if (info[i] > 2)
            return ffi::Error::InvalidArgument(
                which + "column " + std::to_string(info[i] - 2) +
                " depends on the columns before it");
        if (info[i] < 0)
            return ffi::Error::InvalidArgument(
                which + "a matrix has a NaN or an infinity");
    }
    return ffi::Error::Success();
}

ffi::Error run(int device, void *stream, ffi::RemainingArgs arguments,
               ffi::RemainingRets returned, int64_t routine,
               std::string_view jobs, std::string_view results, int64_t m,
               int64_t n, int64_t p, int64_t k, double tol,
               ffi::Span<const int64_t> keys, ffi::Span<const double> values)
{
    const bool on_device = device != GSVD_HOST;
    gsvd_problem_t x = {};
    gsvd_status_t status;
    pairs options;

    x.size = sizeof x;
    x.routine = static_cast<gsvd_routine_t>(routine);
    x.place = on_device ? GSVD_PLACE_DEVICE : GSVD_PLACE_HOST;
    std::copy(jobs.begin(), jobs.end(), x.job);
    x.m = m, x.n = n, x.p = p, x.k = k, x.n_plus = k;
    x.tol[0] = tol;
    if (on_device && !has_batches(x))
        return ffi::Error(ffi::ErrorCode::kUnimplemented,
                          "libgsvd.jax: qr, geqp and urv are on the CPU alone");
    for (size_t i = 0; i < results.size(); ++i) {
        auto found = returned.get<ffi::AnyBuffer>(i);
        if (found.has_error())
            return found.error();
        const ffi::AnyBuffer r = **found;
        void *const data = r.untyped_data();
        switch (results[i]) {
        case 'A': {
            const auto d = r.dimensions();
            x.batch = std::accumulate(d.begin(), d.end() - 2, int64_t(1),
                                      std::multiplies<int64_t>());
            x.A = array_of(r, true);
            switch (r.element_type()) {
            case ffi::F32: x.type = GSVD_S; break;
            case ffi::F64: x.type = GSVD_D; break;
            case ffi::C64: x.type = GSVD_C; break;
            case ffi::C128: x.type = GSVD_Z; break;
            default: return ffi::Error::InvalidArgument("type of a matrix");
            }
            break;
        }
        case 'B': x.B = array_of(r, true); break;
        case 'U': x.U = array_of(r, true); break;
        case 'V': x.V = array_of(r, true); break;
        case 'Q': x.Q = array_of(r, true); break;
        case 'a': x.alpha = array_of(r, false); break;
        case 'b': x.beta = array_of(r, false); break;
        case 't': x.tau = array_of(r, false); break;
        case 'P':
            x.jpvt.data = data;
            x.jpvt.stride = r.element_count() / 2 / x.batch;
            break;
        case 'k': x.k_out = static_cast<int64_t *>(data); break;
        case 'l': x.l_out = static_cast<int64_t *>(data); break;
        case 'i': x.info = static_cast<int *>(data); break;
        }
        if (i < arguments.size()) {
            const auto a = arguments.get<ffi::AnyBuffer>(i);
            if (a.has_error())
                return a.error();
            if (a->element_count() && a->untyped_data() != data)
                return ffi::Error::Internal(
                    "an input is not where its result is");
        }
    }
    if (x.batch == 0)
        return ffi::Error::Success();

    kept_handle *const kept =
        handle_of(device, reinterpret_cast<int64_t>(stream), &status);
    if (!kept)
        return ffi::Error::Internal(gsvd_last_error(nullptr));
    for (size_t i = 0; i < keys.size(); ++i)
        options.emplace_back(static_cast<int>(keys.begin()[i]),
                             values.begin()[i]);
    status = set_options(*kept, options);
    if (status == GSVD_SUCCESS)
        status = run_batch(kept->h.get(), x);
    if (status != GSVD_SUCCESS && status != GSVD_NOT_CONVERGED)
        return ffi::Error::InvalidArgument(gsvd_last_error(kept->h.get()));
    return on_device ? ffi::Error::Success() : told(x.info, x.batch);
}

ffi::Error run_on_host(ffi::RemainingArgs a, ffi::RemainingRets r,
                       int64_t routine, std::string_view jobs,
                       std::string_view results, int64_t m, int64_t n,
                       int64_t p, int64_t k, double tol,
                       ffi::Span<const int64_t> keys,
                       ffi::Span<const double> values)
{
    return run(GSVD_HOST, nullptr, a, r, routine, jobs, results, m, n, p, k,
               tol, keys, values);
}

} // namespace

#define REST                                                                   \
    RemainingArgs()                                                            \
        .RemainingRets()                                                       \
        .Attr<int64_t>("routine")                                              \
        .Attr<std::string_view>("jobs")                                        \
        .Attr<std::string_view>("results")                                     \
        .Attr<int64_t>("m")                                                    \
        .Attr<int64_t>("n")                                                    \
        .Attr<int64_t>("p")                                                    \
        .Attr<int64_t>("k")                                                    \
        .Attr<double>("tol")                                                   \
        .Attr<ffi::Span<const int64_t>>("keys")                                \
        .Attr<ffi::Span<const double>>("values")

#pragma GCC visibility push(default)
XLA_FFI_DEFINE_HANDLER_SYMBOL(gsvd_xla_host, run_on_host,
                              ffi::Ffi::Bind().REST);
XLA_FFI_DEFINE_HANDLER_SYMBOL(gsvd_xla_cuda, run,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Ctx<ffi::PlatformStream<void *>>()
                                  .REST);
#pragma GCC visibility pop
