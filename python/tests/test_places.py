# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is done to arrays on a GPU, with the host in the part of the GPU.

The tests that have a GPU are in test_arrays.py.  Here the classes for CuPy and PyTorch get
arrays in host memory, and results have the bits of NumPy's.
"""
import contextlib
import importlib.util
import types

import numpy as np
import pytest
from conftest import random, same

import libgsvd
from libgsvd import _arrays, _core


class Array(np.ndarray):
    """CuPy's array"""

    def __dlpack__(self, *, stream):
        assert stream == -1
        return np.asarray(self).__dlpack__()

    def get(self):
        return np.asarray(self)


class Cupy:
    """CuPy"""

    cuda = types.SimpleNamespace(
        get_current_stream=lambda device: types.SimpleNamespace(ptr=42),
        Device=contextlib.nullcontext)

    def __getattr__(self, name):
        return getattr(np, name)

    def empty(self, shape, dtype):
        return np.full(shape, 77, dtype).view(Array)

    def ascontiguousarray(self, x, dtype):
        return np.array(x, dtype, order="C").view(Array)


def cupy(monkeypatch):
    place = _arrays.OnDevice(3, Cupy())
    return place, lambda x: x.view(Array), np.asarray


def torch(monkeypatch):
    import torch
    real = torch.empty
    monkeypatch.setattr(torch, "empty", lambda *a, device, **k: real(*a, **k).fill_(77))
    as_tensor = torch.as_tensor
    monkeypatch.setattr(torch, "as_tensor", lambda x, dtype, device: as_tensor(x, dtype=dtype))
    monkeypatch.setattr(torch.cuda, "current_stream",
                        lambda device: types.SimpleNamespace(cuda_stream=42))
    return _arrays.TorchOnDevice(3, torch), torch.tensor, lambda x: x.numpy()


@pytest.fixture(params=[cupy] + [torch] * (importlib.util.find_spec("torch") is not None))
def gpu(request, monkeypatch):
    place, there, back = request.param(monkeypatch)
    real = _core.run

    def run(device, stream, on_device, *rest):
        assert (device, stream, on_device) in ((3, 42, True), (-1, 0, False))
        routine, lists = rest[0], rest[-3:]
        if on_device and lists[0] is not None:  # only a batch has them on the device
            assert all((type(x) is np.ndarray) == (routine not in (1, 8, 9, 11)) for x in lists)
        return real(-1, 0, False, *rest)

    monkeypatch.setattr(_arrays, "_see", lambda x: (place, x, "there"))
    monkeypatch.setattr(_core, "run", run)
    return there, back


@pytest.mark.parametrize("lead_a, lead_b", [((), ()), ((4,), (4,)), ((2, 3), (3,)), ((0, 2), ())])
@pytest.mark.parametrize("m, n, p", [(6, 4, 5), (3, 5, 4), (2, 6, 3), (4, 6, 0), (0, 3, 2)])
def test_pairs(gpu, dtype, m, n, p, lead_a, lead_b):
    there, back = gpu
    a, b = random(1, *lead_a, m, n, dtype=dtype), random(2, *lead_b, p, n, dtype=dtype)
    for keywords in ({}, {"form": "rq"}, {"form": "xinv"}, {"full_matrices": True},
                     {"compute_uv": False}):
        got = libgsvd.gsvd(there(a), there(b), **keywords)
        want = libgsvd.gsvd(a, b, **keywords)
        for x, y in zip(got, want, strict=True):
            same(back(x), y)
        for x, y in ((got.k, want.k), (got.l, want.l)):
            same(x if isinstance(x, int) else back(x), y)
        if isinstance(got.alpha, np.ndarray) or got.alpha.ndim:
            same(back(got.C), want.C)
            same(back(got.S), want.S)
            e = abs(back(got.angular_distance()) - want.angular_distance())
            assert e.max(initial=0) <= 4 * np.finfo(dtype).eps  # another atan
        assert repr(got) == repr(want)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (3, 5, 4), (2, 2, 4, 4), (0, 3, 3), (0, 4)])
def test_one_matrix(gpu, dtype, shape):
    there, back = gpu
    a = random(3, *shape, dtype=dtype).swapaxes(-1, -2).copy().swapaxes(-1, -2)  # by columns
    m, n = shape[-2:]
    calls = [(libgsvd.svd, {}), (libgsvd.svd, {"full_matrices": True}),
             (libgsvd.svd, {"compute_uv": False}), (libgsvd.qr, {}),
             (libgsvd.qr, {"mode": "complete"}), (libgsvd.qr, {"mode": "r"}), (libgsvd.geqp, {}),
             (libgsvd.geqp, {"tol": 1.0}), (libgsvd.urv, {}), (libgsvd.urv, {"tol": 1.0})]
    if m >= n:
        calls += [(libgsvd.hsvd, {}), (libgsvd.hsvd, {"n_plus": n // 2})]
        if n:
            calls.append((libgsvd.hsvd, {"J": np.r_[-1, np.ones(n - 1)]}))
    if m == n:
        calls.append((libgsvd.eigh, {}))
    for routine, keywords in calls:
        got, want = routine(there(a), **keywords), routine(a, **keywords)
        for x, y in zip(got, want, strict=True):
            same(back(x.resolve_conj()) if hasattr(x, "resolve_conj") else back(x), y)
        assert repr(got) == repr(want)


def test_errors(gpu):
    there, _ = gpu
    a = random(4, 3, 5, 5)
    a[2, 0, 0] = np.nan
    with pytest.raises(libgsvd.LinAlgError, match=r"problem \[2\]: A has"):
        libgsvd.svd(there(a))
    with pytest.raises(ValueError, match="device: 2"):
        libgsvd.svd(there(a), device=2)
    with pytest.raises(ValueError, match="current"):
        libgsvd.svd(there(a), stream=43)
    with pytest.raises(TypeError, match="computes in"):
        libgsvd.svd(there(a.astype(np.float16)))
