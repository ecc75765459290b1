# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Types, strides, and arrays of other packages."""
import types

import numpy as np
import pytest
from conftest import adjoint, close, random, same

import libgsvd


class Foreign:
    """An array of another package in host memory, known by DLPack alone."""

    def __init__(self, x):
        self.x = x

    ndim = property(lambda self: self.x.ndim)
    dtype = property(lambda self: self.x.dtype)

    def __dlpack__(self, **keywords):
        return self.x.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class Packaged(Foreign):
    def __array_namespace__(self, **keywords):
        return types.SimpleNamespace(from_dlpack=lambda x: Packaged(np.from_dlpack(x)))


class Elsewhere(Packaged):
    def __dlpack_device__(self):
        return (10, 0)  # ROCm


A, B = random(1, 6, 4), random(2, 5, 4)
WANT = libgsvd.gsvd(A, B)


def test_types():
    for t in (np.int8, np.uint16, np.int64, bool):
        a, b = np.eye(3, dtype=t), np.ones((2, 3), t)
        r = libgsvd.gsvd(a, b)
        assert r.alpha.dtype == np.float64
        same(r.alpha, libgsvd.gsvd(a.astype(float), b.astype(float)).alpha)
    assert libgsvd.gsvd(A.astype(np.float32), B.astype(np.float32)).X.dtype == np.float32
    assert libgsvd.gsvd(A.astype(np.complex64), B).X.dtype == np.complex128
    assert libgsvd.gsvd(A.astype(np.complex64), B).alpha.dtype == np.float64
    same(libgsvd.gsvd(A.astype(">f8"), B.astype(">f8")).alpha, WANT.alpha)
    same(libgsvd.gsvd(A.tolist(), B.tolist()).alpha, WANT.alpha)
    for t in (np.float16, np.longdouble, object, "M8[s]", "U3"):
        with pytest.raises(TypeError, match="computes in"):
            libgsvd.gsvd(np.zeros((3, 3), t), np.zeros((3, 3), t))
    with pytest.raises(TypeError, match="mask"):
        libgsvd.svd(np.ma.masked_array(A, A > 0))


@pytest.mark.parametrize("rows", [20, 300])
def test_strides(dtype, rows):
    big = random(3, 2 * rows, 60, dtype=dtype)
    views = [big[::2, ::3], big[::-2, ::-3], big[:rows, 40:60].T, big.T[5:25, ::4]]
    odd = np.zeros(rows * 20 * big.itemsize + 1, np.uint8)[1:].view(dtype).reshape(rows, 20)
    odd[...] = random(4, rows, 20, dtype=dtype)
    packed = np.zeros((rows, 20), [("x", "i1"), ("y", dtype)])["y"]
    packed[...] = odd
    real = np.zeros((), dtype).real.dtype  # aligned, and complex ones not in whole steps
    beside = np.zeros((rows, 20), [("x", real), ("y", dtype)])["y"]
    beside[...] = odd
    for a in [*views, odd, packed, beside, np.broadcast_to(big[0], (rows, 60))]:
        before = a.copy()
        a.flags.writeable = False
        for overwrite in (False, True):
            U, S, Vh = libgsvd.svd(a, overwrite_a=overwrite)
            close(U * S @ Vh, a)
        r = libgsvd.gsvd(a, a[:7], overwrite_a=True)
        close(r.U @ r.C @ adjoint(r.X), a)
        same(a, before)
    cube = random(5, 30, 8, 9, dtype=dtype)
    for a in (cube[::2, ::-1], cube.transpose(1, 2, 0), np.broadcast_to(cube[:1], (50, 8, 9))):
        U, S, Vh = libgsvd.svd(a)
        close(U * S[:, None, :] @ Vh, a)
        r = libgsvd.gsvd(a, a[:, :3])
        close(r.U @ r.C @ adjoint(r.X), a)


def test_matrix_is_an_array():
    with pytest.warns(PendingDeprecationWarning):
        a = np.matrix(A)
    assert type(libgsvd.svd(a).U) is np.ndarray


def test_dlpack():
    r = libgsvd.gsvd(Packaged(A), Packaged(B))
    assert all(isinstance(x, Packaged) for x in r)
    same(r.X.x, WANT.X)
    assert isinstance(libgsvd.svdvals(Packaged(A)), Packaged)
    r = libgsvd.gsvd(Foreign(A), Foreign(B))  # no package to give arrays of
    same(r.X, WANT.X)


def test_dlpack_does_not_copy():
    a = np.asfortranarray(A)
    s = libgsvd.svd(Packaged(a)).S
    assert s.x.base is not None  # a view of what the library wrote


def test_places():
    with pytest.raises(TypeError, match="not of one package"):
        libgsvd.gsvd(Packaged(A), B)
    with pytest.raises(TypeError, match="not in host memory"):
        libgsvd.svd(Elsewhere(A))
    with pytest.raises(ValueError, match="host memory"):
        libgsvd.svd(A, stream=1)


def test_jax():
    jnp = pytest.importorskip("jax.numpy")
    a, b = jnp.asarray(A, dtype="float32"), jnp.asarray(B, dtype="float32")
    r = libgsvd.gsvd(a, b)
    assert all(type(x) is type(a) for x in r)
    close(np.asarray(r.U @ r.C @ r.X.T), np.asarray(a))
    close(np.asarray(r.V @ r.S @ r.X.T), np.asarray(b))
    s = libgsvd.gsvd(jnp.stack([a, a]), b)
    assert s.k.shape == (2,) and abs(s.alpha - r.alpha).max() < 1e-6


def test_torch():
    torch = pytest.importorskip("torch")
    a, b = torch.tensor(A, requires_grad=True), torch.tensor(B)
    with pytest.raises(TypeError, match="detach"):
        libgsvd.gsvd(a, b)
    a = a.detach()
    r = libgsvd.gsvd(a, b)
    assert all(isinstance(x, torch.Tensor) for x in r)
    close((r.U @ r.C @ r.X.T).numpy(), A)
    close((r.V @ r.S @ r.X.T).numpy(), B)
    c = torch.complex(a, a).conj()
    close(libgsvd.qr(c).R.abs().numpy(), np.abs(libgsvd.qr(A - 1j * A).R))
