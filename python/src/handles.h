/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* handles.h -- a handle for each thread, device and stream. */
#ifndef GSVD_PYTHON_HANDLES_H
#define GSVD_PYTHON_HANDLES_H

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <gsvd.h>
#include <unistd.h>

using pairs = std::vector<std::pair<int, double>>;

/* A child of fork leaves the handles of GPUs that its parent had: CUDA does not survive there. */
struct handle_deleter {
    pid_t maker = getpid();
    void operator()(gsvd_handle_t h) const
    {
        int device = GSVD_HOST;
        if (gsvd_get_device(h, &device) == GSVD_SUCCESS &&
            (device == GSVD_HOST || maker == getpid()))
            gsvd_destroy(h);
    }
};

struct kept_handle {
    std::unique_ptr<gsvd_context, handle_deleter> h;
    pairs options; // those that are set
};

/* The calling thread's handle of this device and stream, which keeps its workspace between calls:
 * work on another stream may still use that of another handle.  NULL: there is none, and
 * gsvd_last_error(NULL) says why. */
inline kept_handle *handle_of(int device, int64_t stream, gsvd_status_t *status)
{
    thread_local std::map<std::pair<int, int64_t>, kept_handle> handles;
    const auto at = handles.find({device, stream});
    gsvd_handle_t made = nullptr;
    kept_handle kept;

    *status = GSVD_SUCCESS;
    if (at != handles.end())
        return &at->second;
    *status = gsvd_create(&made, device);
    kept.h.reset(made);
    if (*status == GSVD_SUCCESS && stream != 0)
        *status =
            gsvd_set_stream(made, reinterpret_cast<gsvd_stream_t>(stream));
    if (*status != GSVD_SUCCESS)
        return nullptr;
    return &(handles[{device, stream}] = std::move(kept));
}

/* Each call says all of its options; those of the last call are kept where they are the same, since
 * a handle that is reset forgets what it knows of shapes. */
inline gsvd_status_t set_options(kept_handle &kept, const pairs &options)
{
    gsvd_status_t status = GSVD_SUCCESS;

    if (options == kept.options)
        return status;
    kept.options.clear();
    gsvd_reset(kept.h.get());
    for (const auto &[key, value] : options) {
        status = gsvd_set_option(kept.h.get(), static_cast<gsvd_option_t>(key),
                                 value);
        if (status != GSVD_SUCCESS)
            return status;
        kept.options.emplace_back(key, value);
    }
    return status;
}

#endif /* GSVD_PYTHON_HANDLES_H */
