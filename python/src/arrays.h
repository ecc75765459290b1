/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* arrays.h -- arrays of Python, as the library takes them. */
#ifndef GSVD_PYTHON_ARRAYS_H
#define GSVD_PYTHON_ARRAYS_H

#include <cstdint>
#include <optional>
#include <utility>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <gsvd.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <numpy/arrayobject.h>

static_assert(sizeof(npy_intp) == sizeof(int64_t), "64-bit systems");

/* An array of any type and place, to be written to.  NumPy's are read where Python has them, since
 * a capsule of DLPack takes several times as long as reading five members. */
class view
{
  public:
    view() = default;
    explicit view(PyArrayObject *a)
        : address(PyArray_DATA(a)), dimensions(PyArray_NDIM(a)),
          sizes(PyArray_DIMS(a)), strides(PyArray_STRIDES(a)),
          unit(PyArray_ITEMSIZE(a))
    {
    }
    explicit view(nanobind::ndarray<> a)
        : address(a.data()), dimensions(static_cast<int>(a.ndim())),
          sizes(a.shape_ptr()), strides(a.stride_ptr()), capsule(std::move(a))
    {
    }
    void *data() const { return address; }
    int ndim() const { return dimensions; }
    int64_t shape(int i) const { return sizes[i]; }
    int64_t stride(int i) const { return strides[i] / unit; } // in elements
    int64_t size() const
    {
        int64_t count = 1;
        for (int i = 0; i < dimensions; ++i)
            count *= sizes[i];
        return count;
    }

  private:
    void *address = nullptr;
    int dimensions = 0;
    const int64_t *sizes = nullptr, *strides = nullptr;
    int64_t unit = 1; // bytes of a stride of 1
    nanobind::ndarray<> capsule;
};

namespace nanobind::detail
{

template <> struct type_caster<view> {
    NB_TYPE_CASTER(view, const_name("ndarray"))

    bool from_python(handle x, uint32_t flags, cleanup_list *cleanup) noexcept
    {
        if (PyArray_Check(x.ptr())) {
            auto *const a = reinterpret_cast<PyArrayObject *>(x.ptr());
            value = view(a);
            return PyArray_ISBEHAVED(a);
        }
        make_caster<ndarray<>> other;
        if (!other.from_python(x, flags, cleanup))
            return false;
        value = view(std::move(other.value));
        return true;
    }
};

} // namespace nanobind::detail

using array = std::optional<view>;

/* Matrices (rows, columns), or many of them (batch, rows, columns), by columns */
inline gsvd_array_t matrices(const array &a, bool many)
{
    gsvd_array_t x = {};

    if (!a || a->size() == 0)
        return x;
    const int d = a->ndim();
    if (d != (many ? 3 : 2))
        throw nanobind::value_error("an array does not lie by columns");
    const int64_t rows = a->shape(d - 2);
    const bool wide = a->shape(d - 1) > 1;
    if ((rows > 1 && a->stride(d - 2) != 1) ||
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
    const int d = a->ndim();
    if (d > (many ? 2 : 1) || (a->shape(d - 1) > 1 && a->stride(d - 1) != 1))
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
