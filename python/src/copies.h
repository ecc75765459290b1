/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* copies.h -- copies by columns of matrices of any strides. */
#ifndef GSVD_PYTHON_COPIES_H
#define GSVD_PYTHON_COPIES_H

#include <algorithm>
#include <complex>
#include <cstdint>

/* Where a matrix lies: element (i, j) is i row + j column elements behind the first */
struct strided {
    const void *data;
    int64_t rows, columns, row, column;
};

template <typename T> void copy_by_columns(const strided &a, T *out, int64_t ld)
{
    const int64_t side = 32; // of squares that a cache holds
    const T *const from = static_cast<const T *>(a.data);

    for (int64_t j0 = 0; j0 < a.columns; j0 += side)
        for (int64_t i0 = 0; i0 < a.rows; i0 += side)
            for (int64_t j = j0; j < std::min(a.columns, j0 + side); ++j)
                for (int64_t i = i0; i < std::min(a.rows, i0 + side); ++i)
                    out[i + j * ld] = from[i * a.row + j * a.column];
}

/* out := a, by columns, of elements of 4, 8 or 16 bytes */
inline void copy_by_columns(int64_t bytes, const strided &a, void *out,
                            int64_t ld)
{
    switch (bytes) {
    case 4: return copy_by_columns(a, static_cast<float *>(out), ld);
    case 8: return copy_by_columns(a, static_cast<double *>(out), ld);
    case 16:
        return copy_by_columns(a, static_cast<std::complex<double> *>(out), ld);
    }
}

#endif /* GSVD_PYTHON_COPIES_H */
