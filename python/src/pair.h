/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.h -- the GSVD of one pair of NumPy's matrices, with copies and results, in one call.
 *
 * What Python does for a small pair, copy by copy and result by result, takes longer than the
 * library. */
#ifndef GSVD_PYTHON_PAIR_H
#define GSVD_PYTHON_PAIR_H

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "arrays.h"
#include "copies.h"
#include "solve.h"

/* What a call says beside its arrays */
struct pair_options {
    char job[3];
    pairs options;
};

/* A capsule, which Python keeps for each combination of a call's arguments */
inline nanobind::capsule make_pair_options(const char *jobs,
                                           const pairs &options)
{
    auto *const made = new pair_options{{jobs[0], jobs[1], jobs[2]}, options};
    return nanobind::capsule(made, "pair_options", [](void *x) noexcept {
        delete static_cast<pair_options *>(x);
    });
}

/* The types that the library computes in */
struct letter {
    gsvd_type_t type;
    int scalar, real; // NumPy's numbers
};

inline const letter *letter_of(int type)
{
    static const letter letters[] = {{GSVD_S, NPY_FLOAT, NPY_FLOAT},
                                     {GSVD_D, NPY_DOUBLE, NPY_DOUBLE},
                                     {GSVD_C, NPY_CFLOAT, NPY_FLOAT},
                                     {GSVD_Z, NPY_CDOUBLE, NPY_DOUBLE}};
    for (const letter &x : letters)
        if (x.scalar == type)
            return &x;
    return nullptr;
}

/* A matrix of NumPy's, of such a type and in steps of whole elements; else NULL */
inline PyArrayObject *plain_matrix(nanobind::handle x)
{
    if (!PyArray_CheckExact(x.ptr()))
        return nullptr;
    auto *const a = reinterpret_cast<PyArrayObject *>(x.ptr());
    if (PyArray_NDIM(a) != 2 || !letter_of(PyArray_TYPE(a)))
        return nullptr;
    const npy_intp unit = PyArray_ITEMSIZE(a);
    const bool plain = PyArray_ISALIGNED(a) && PyArray_ISNOTSWAPPED(a) &&
                       PyArray_STRIDE(a, 0) % unit == 0 &&
                       PyArray_STRIDE(a, 1) % unit == 0;
    return plain ? a : nullptr;
}

/* A new array, by columns and not set; or none */
struct new_array {
    nanobind::object made;
    gsvd_array_t lies = {};

    new_array() : made(nanobind::none()) {}
    new_array(int ndim, int64_t rows, int64_t columns, int type)
    {
        npy_intp size[2] = {rows, columns};
        made = nanobind::steal(PyArray_EMPTY(ndim, size, type, 1));
        if (!made.is_valid())
            throw nanobind::python_error();
        const view its(reinterpret_cast<PyArrayObject *>(made.ptr()));
        lies = ndim == 2 ? matrices(its, false) : vectors(its, false);
    }
};

/* The caller's matrix, if it lies by columns and may be lost, or a copy of it */
class work_matrix
{
  public:
    work_matrix(PyArrayObject *a, bool overwrite)
        : from(a), bytes(PyArray_ITEMSIZE(a))
    {
        copied = !(overwrite && PyArray_ISWRITEABLE(a) && is_by_columns());
        if (copied) {
            work = new_array(2, from.shape(0), from.shape(1), PyArray_TYPE(a));
        } else {
            work.made = nanobind::borrow(reinterpret_cast<PyObject *>(a));
            work.lies = matrices(from, false);
        }
    }
    /* without the interpreter's lock */
    void load() const
    {
        if (copied && work.lies.data)
            copy_by_columns(bytes,
                            {from.data(), from.shape(0), from.shape(1),
                             from.stride(0), from.stride(1)},
                            work.lies.data, work.lies.ld);
    }
    const new_array &array() const { return work; }

  private:
    bool is_by_columns() const
    {
        return (from.shape(0) < 2 || from.stride(0) == 1) &&
               (from.shape(1) < 2 || from.stride(1) >= from.shape(0));
    }

    view from;
    int64_t bytes; // of an element
    bool copied;
    new_array work;
};

/* A pair, and the results of its size */
struct pair_arrays {
    const letter *of;
    int64_t m, n, p;
    work_matrix A, B;
    new_array U, V, Q, alpha, beta;

    pair_arrays(PyArrayObject *a, bool overwrite_a, PyArrayObject *b,
                bool overwrite_b)
        : of(letter_of(PyArray_TYPE(a))), m(PyArray_DIM(a, 0)),
          n(PyArray_DIM(a, 1)), p(PyArray_DIM(b, 0)), A(a, overwrite_a),
          B(b, overwrite_b), alpha(1, n, 1, of->real), beta(1, n, 1, of->real)
    {
    }
    /* U, V and Q, of all columns, of those that 'S' has, or of the kept pairs alone */
    void make_factors(const char job[3], int64_t keep)
    {
        const int64_t rows[3] = {m, p, n};
        new_array *const factor[3] = {&U, &V, &Q};

        for (int i = 0; i < 3 && job[i] != 'N'; ++i) {
            const int64_t all = job[i] == 'S' ? std::min(rows[i], n) : rows[i];
            *factor[i] =
                new_array(2, rows[i], keep ? std::abs(keep) : all, of->scalar);
        }
    }
    gsvd_problem_t problem() const
    {
        gsvd_problem_t x = {};

        x.size = sizeof x;
        x.routine = GSVD_ROUTINE_GSVD;
        x.type = of->type;
        x.place = GSVD_PLACE_HOST;
        x.m = m, x.n = n, x.p = p;
        x.A = A.array().lies;
        x.B = B.array().lies;
        x.U = U.lies;
        x.V = V.lies;
        x.Q = Q.lies;
        x.alpha = alpha.lies;
        x.beta = beta.lies;
        return x;
    }
};

/* None, if A and B are not plain matrices of one type and as many columns; else
 * (status, info, text, statistics, (m, n, p), (k, l, U, V, Q, alpha, beta, A, B)) with A and B as
 * the library leaves them */
inline nanobind::object pair(int device, nanobind::handle A, nanobind::handle B,
                             const nanobind::capsule &prepared, int64_t keep,
                             bool overwrite_a, bool overwrite_b)
{
    PyArrayObject *const a = plain_matrix(A), *const b = plain_matrix(B);
    if (!a || !b || PyArray_TYPE(a) != PyArray_TYPE(b) ||
        PyArray_DIM(a, 1) != PyArray_DIM(b, 1))
        return nanobind::none();

    const auto &how =
        *static_cast<pair_options *>(prepared.data("pair_options"));
    pair_arrays all(a, overwrite_a, b, overwrite_b);
    all.make_factors(how.job, keep);

    answer found;
    nanobind::object stats = nanobind::none();
    if (kept_handle *const kept = handle_of(device, 0, &found.status)) {
        gsvd_problem_t x = all.problem();
        std::copy_n(how.job, 3, x.job);
        x.keep = keep;
        solve(*kept, how.options, x, found,
              [&] { all.A.load(), all.B.load(); });
        stats = stats_of(kept->h.get());
    } else {
        found.text = gsvd_last_error(nullptr);
    }
    return nanobind::make_tuple(
        static_cast<int>(found.status), found.info, found.text, stats,
        nanobind::make_tuple(all.m, all.n, all.p),
        nanobind::make_tuple(found.ranks[0], found.ranks[1], all.U.made,
                             all.V.made, all.Q.made, all.alpha.made,
                             all.beta.made, all.A.array().made,
                             all.B.array().made));
}

#endif /* GSVD_PYTHON_PAIR_H */
