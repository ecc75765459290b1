/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* handles.h -- a handle for each thread, device and stream. */
#ifndef GSVD_PYTHON_HANDLES_H
#define GSVD_PYTHON_HANDLES_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <gsvd.h>
#include <unistd.h>

using pairs = std::vector<std::pair<int, double>>;

/* A child of fork leaves the handles of GPUs that its parent had: CUDA does not survive there.  The
 * stream may be gone, which gsvd_destroy would wait for; to free the workspace waits for it, too. */
struct handle_deleter {
    pid_t maker = getpid();
    void operator()(gsvd_handle_t h) const
    {
        int device = GSVD_HOST;
        if (gsvd_get_device(h, &device) != GSVD_SUCCESS ||
            (device != GSVD_HOST && maker != getpid()))
            return;
        if (device != GSVD_HOST)
            gsvd_set_stream(h, nullptr);
        gsvd_destroy(h);
    }
};

struct kept_handle {
    std::unique_ptr<gsvd_context, handle_deleter> h;
    pairs options;        // those that are set
    int64_t last_use = 0; // the number of the thread's call
};

using place = std::pair<int, int64_t>; // device and stream
enum { MOST_KEPT = 8 }; // of a thread, which may make a stream for each call

/* Destroys the one that was not used for longest. */
inline void drop_one(std::map<place, kept_handle> &handles)
{
    handles.erase(std::min_element(
        handles.begin(), handles.end(), [](const auto &a, const auto &b) {
            return a.second.last_use < b.second.last_use;
        }));
}

/* The calling thread's handle of this device and stream, which keeps its workspace between calls:
 * work on another stream may still use that of another handle.  NULL: there is none, and
 * gsvd_last_error(NULL) says why. */
inline kept_handle *handle_of(int device, int64_t stream, gsvd_status_t *status)
{
    thread_local std::map<place, kept_handle> handles;
    thread_local int64_t calls = 0;
    const auto at = handles.find({device, stream});

    *status = GSVD_SUCCESS;
    if (at != handles.end()) {
        at->second.last_use = ++calls;
        return &at->second;
    }
    if (handles.size() == MOST_KEPT)
        drop_one(handles);
    gsvd_handle_t made = nullptr;
    kept_handle kept;
    kept.last_use = ++calls;
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
