# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: random matrices, and LAPACK's ratios with its bound."""
import os

import numpy as np
import pytest

os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 "
                      "--xla_llvm_disable_expensive_passes=true")  # compiles in half the time

TYPES = [np.float32, np.float64, np.complex64, np.complex128]
THRESHOLD = 20.0  # LAPACK's, in gsv.in and svd.in


def random(seed, *shape, dtype=np.float64):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def adjoint(x):
    return np.swapaxes(x, -1, -2).conj()


def norm(x):
    """The 1-norm, the largest in a stack; in double, so that the ratio rounds nothing."""
    return np.abs(np.asarray(x, np.result_type(x, np.float64))).sum(-2).max(initial=0.0)


def close(x, y):
    """|x - y| <= 20 max(rows, columns) |y| ulp"""
    x, y = np.asarray(x), np.asarray(y)
    assert x.shape == y.shape
    if x.size:
        bound = max(x.shape[-2:]) * norm(y) * np.finfo(x.dtype).eps
        assert norm(x.astype(np.result_type(x, np.float64)) - y) <= THRESHOLD * bound


def orthonormal(q):
    """|Q^H Q - I| <= 20 rows ulp"""
    q = np.asarray(q)
    if q.size:
        e = norm(adjoint(q) @ q - np.eye(q.shape[-1]))
        assert e <= THRESHOLD * max(q.shape[-2:]) * np.finfo(q.dtype).eps


def same(x, y):
    """The same bits"""
    np.testing.assert_array_equal(np.asarray(x), np.asarray(y))


@pytest.fixture(params=TYPES, ids=lambda t: np.dtype(t).char)
def dtype(request):
    return request.param
