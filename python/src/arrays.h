/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* arrays.h -- arrays that Python has allocated, as the library takes them. */
#ifndef GSVD_PYTHON_ARRAYS_H
#define GSVD_PYTHON_ARRAYS_H

#include <cstdint>
#include <optional>

#include <gsvd.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

using array = std::optional<
    nanobind::ndarray<>>; // of any type and place, to be written to

/* Matrices (rows, columns), or many of them (batch, rows, columns), by columns */
inline gsvd_array_t matrices(const array &a, bool many)
{
    gsvd_array_t x = {};

    if (!a || a->size() == 0)
        return x;
    const size_t d = a->ndim();
    const int64_t rows = static_cast<int64_t>(a->shape(d - 2));
    const bool wide = a->shape(d - 1) > 1;
    if (d != (many ? 3u : 2u) || (rows > 1 && a->stride(d - 2) != 1) ||
        (wide && a->stride(d - 1) < rows))
        throw nanobind::value_error("an array does not lie by columns");
    x.data = a->data();
    x.ld = wide ? a->stride(d - 1) : rows;
    x.stride = many && a->shape(0) > 1 ? a->stride(0) : 0;
    return x;
}

/* Vectors (length), or many of them (batch, length), one behind another.  A vector of signs may
 * serve all problems. */
inline gsvd_array_t vectors(const array &a, bool many)
{
    gsvd_array_t x = {};

    if (!a || a->size() == 0)
        return x;
    const size_t d = a->ndim();
    if (d > (many ? 2u : 1u) || (a->shape(d - 1) > 1 && a->stride(d - 1) != 1))
        throw nanobind::value_error("a vector does not lie in one piece");
    x.data = a->data();
    x.stride = d > 1 && a->shape(0) > 1 ? a->stride(0) : 0;
    return x;
}

template <typename T> T *address(const array &a)
{
    return a ? static_cast<T *>(a->data()) : nullptr;
}

#endif /* GSVD_PYTHON_ARRAYS_H */
