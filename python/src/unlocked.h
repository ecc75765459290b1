/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* unlocked.h -- a call without the interpreter's lock. */
#ifndef GSVD_PYTHON_UNLOCKED_H
#define GSVD_PYTHON_UNLOCKED_H

#include <atomic>
#include <thread>

#include <nanobind/nanobind.h>
#include <unistd.h>

/* At the interpreter's end, CPython before 3.14 ends a daemon thread that asks for the lock, by
 * unwinding its stack, which C++ answers with std::terminate.  Such a thread sleeps here instead.
 * end_calls() is the interpreter's last word to this module: it waits for the threads that are
 * about to have the lock. */
inline std::atomic<bool> ended{false};
inline std::atomic<int> about_to_lock{0};
inline std::thread::id last_thread;

class unlocked
{
  public:
    unlocked() : state(PyEval_SaveThread()) {}
    ~unlocked()
    {
        ++about_to_lock;
        if (ended && std::this_thread::get_id() != last_thread) {
            --about_to_lock;
            for (;;)
                pause();
        }
        PyEval_RestoreThread(state);
        --about_to_lock;
    }
    unlocked(const unlocked &) = delete;
    unlocked &operator=(const unlocked &) = delete;

  private:
    PyThreadState *state;
};

inline void end_calls()
{
    const nanobind::gil_scoped_release waiting;

    last_thread = std::this_thread::get_id();
    ended = true;
    while (about_to_lock != 0)
        std::this_thread::yield();
}

#endif /* GSVD_PYTHON_UNLOCKED_H */
