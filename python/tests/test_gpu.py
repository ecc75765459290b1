# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""On a GPU, by PyTorch and CuPy, and libgsvd.jax and libgsvd.torch: skipped where there is none."""
import ctypes
import pathlib
import threading

import numpy as np
import pytest
from conftest import adjoint, close, random, same

import libgsvd


class Torch:
    def __init__(self):
        import torch
        self.xp = torch
        if not torch.cuda.is_available():
            pytest.skip("PyTorch finds no GPU")
        self.new_stream = torch.cuda.Stream
        self.current = torch.cuda.stream
        self.synchronize = torch.cuda.synchronize

    def there(self, x):
        return self.xp.as_tensor(x).cuda()

    def back(self, x):
        return x.cpu().numpy()

    def address(self, x):
        return x.data_ptr()

    def number(self, stream):
        return stream.cuda_stream


class Cupy:
    def __init__(self):
        import cupy
        self.xp = cupy
        try:
            cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as e:
            pytest.skip(f"CuPy finds no GPU: {e}")
        self.new_stream = lambda: cupy.cuda.Stream(non_blocking=True)
        self.current = lambda stream: stream
        self.synchronize = cupy.cuda.Device().synchronize

    def there(self, x):
        return self.xp.asarray(x)

    def back(self, x):
        return x.get()

    def address(self, x):
        return x.data.ptr

    def number(self, stream):
        return stream.ptr


@pytest.fixture(params=[Torch, Cupy])
def gpu(request):
    name = request.param.__name__.lower()
    pytest.importorskip(name, reason=f"no {name} here")
    return request.param()


def test_results(dtype, gpu):
    there, back = gpu.there, gpu.back
    a, b = random(6, 70, 40, dtype=dtype), random(7, 50, 40, dtype=dtype)
    for x, y in ((a, b), (random(8, 5, 9, 6, dtype=dtype), random(9, 8, 6, dtype=dtype))):
        for form in ("x", "rq"):
            r = libgsvd.gsvd(there(x), there(y), form=form)
            assert all(type(z) is type(there(x)) for z in r)
            n = x.shape[-1]
            X = back(r.X) if form == "x" else \
                back(r.Q)[..., n - (n if x.ndim > 2 else r.rank):] @ adjoint(back(r.R))
            close(back(r.U) @ back(r.C) @ adjoint(X), x)
            close(back(r.V) @ back(r.S) @ adjoint(X),
                  np.broadcast_to(y, x.shape[:-2] + y.shape[-2:]))
        U, S, Vh = map(back, libgsvd.svd(there(x)))
        close(U * S[..., None, :] @ Vh, x)
        Q, R = map(back, libgsvd.qr(there(x)))
        close(Q @ R, x)
        Q, R, P = map(back, libgsvd.geqp(there(x)))
        close(Q @ R, np.take_along_axis(x, P[..., None, :], -1))
        U, R, Vh = map(back, libgsvd.urv(there(x)))
        close(U @ R @ Vh, x)
        H = adjoint(x) @ x
        w, Q = map(back, libgsvd.eigh(there(H)))
        close(Q * w[..., None, :] @ adjoint(Q), H)
    r = libgsvd.hsvd(there(a), n_plus=15)
    w = np.linalg.eigvalsh((a * back(r.signs)) @ adjoint(a))
    got = np.sort(np.r_[back(r.eigenvalues), np.zeros(30)])
    assert abs(got - w).max() <= 20 * 70 * abs(w).max() * np.finfo(dtype).eps
    host = libgsvd.gsvd(a, b, device=0)  # arrays in host memory, computed on the GPU
    assert host.stats.device == 0
    close(host.U @ host.C @ adjoint(host.X), a)


def by_c(gpu, stream, A, B):
    """dgsvd_gpu of matrices by columns on the device: alpha, beta and X"""
    library = ctypes.CDLL(next(pathlib.Path(libgsvd.__path__[0]).glob("lib/libgsvd.so.*")))
    library.gsvd_set_option.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_double]
    (m, n), p = A.shape, B.shape[0]
    # by rows what C has by columns
    a, b = (gpu.there(np.ascontiguousarray(x.T)) for x in (A, B))
    U, V, X, values = (gpu.there(np.empty(shape)) for shape in ((n, m), (n, p), (n, n), (2, n)))
    ranks = (ctypes.c_int64 * 2)()
    h, size, job = ctypes.c_void_p(), ctypes.c_int64, ctypes.c_char
    assert library.gsvd_create(ctypes.byref(h), 0) == 0
    assert library.gsvd_set_stream(h, ctypes.c_void_p(stream)) == 0
    assert library.gsvd_set_option(h, 1, 1) == 0

    def at(x, offset=0):
        return ctypes.c_void_p(gpu.address(x) + offset)

    gpu.synchronize()
    status = library.dgsvd_gpu(
        h, job(b"S"), job(b"S"), job(b"Q"), size(m), size(n), size(p), ctypes.byref(ranks),
        ctypes.byref(ranks, 8), at(a), size(m), at(b), size(p), at(values), at(values, 8 * n), at(U),
        size(m), at(V), size(p), at(X), size(n), None)
    gpu.synchronize()
    library.gsvd_destroy(h)
    assert status == 0
    return *gpu.back(values), gpu.back(X).T


def test_bits_of_c(gpu):
    A, B = random(1, 300, 200), random(2, 250, 200)
    r = libgsvd.gsvd(gpu.there(A), gpu.there(B))
    for x, y in zip((r.alpha, r.beta, r.X), by_c(gpu, 0, A, B), strict=True):
        same(gpu.back(x), y)


def test_busy_stream(gpu):
    """A call works behind what its package has queued, and its results are for what follows there."""
    A, B = random(1, 300, 200), random(2, 250, 200)
    want = libgsvd.gsvd(gpu.there(A), gpu.there(B))
    gpu.synchronize()
    for _ in range(5):
        stream = gpu.new_stream()
        big, a, b = gpu.there(random(3, 4000, 4000)), gpu.there(0 * A), gpu.there(B)
        gpu.synchronize()
        with gpu.current(stream):
            for _ in range(20):
                big = big @ big * 1e-3  # keeps the stream busy
            a += gpu.there(A) + 0 * big[0, 0].clip(-1, 1)
            r = libgsvd.gsvd(a, b, stream=gpu.number(stream))
            twice = 2 * r.X
        gpu.synchronize()
        same(gpu.back(r.alpha), gpu.back(want.alpha))
        same(gpu.back(twice), 2 * gpu.back(want.X))


def test_threads(gpu):
    """Each on a stream of its own"""
    pairs = [(random(i, 120, 80), random(10 + i, 90, 80)) for i in range(4)]
    want = [gpu.back(libgsvd.gsvd(*map(gpu.there, pair)).X) for pair in pairs]
    wrong = []

    def work(first):
        with gpu.current(gpu.new_stream()):
            for i in [first, first + 1] * 10:
                r = libgsvd.gsvd(*map(gpu.there, pairs[i]))
                if not (gpu.back(r.X) == want[i]).all():
                    wrong.append(i)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_streams_that_are_gone(gpu):
    """A thread that has a new stream for each call, more than it keeps handles of"""
    A, B = map(gpu.there, (random(1, 60, 40), random(2, 50, 40)))
    want = gpu.back(libgsvd.gsvd(A, B).X)
    got = []

    def work():
        some = []
        for _ in range(12):
            some.append(gpu.new_stream())
            with gpu.current(some[-1]):
                got.append(libgsvd.gsvd(A, B).X)
        gpu.synchronize()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    for x in got:
        same(gpu.back(x), want)


def test_jax():
    jax = pytest.importorskip("jax", reason="no JAX here")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX finds no GPU")
    import libgsvd.jax as lj
    A, B = random(1, 3, 60, 40, dtype=np.float32), random(2, 50, 40, dtype=np.float32)
    r = jax.jit(lj.gsvd)(A, B)
    U, V, C, S, X = map(np.asarray, (r.U, r.V, r.C, r.S, r.X))  # JAX's own products are by TF32
    close(U @ C @ adjoint(X), A)
    close(V @ S @ adjoint(X), np.broadcast_to(B, (3, 50, 40)))
    assert r.k.tolist() == [0, 0, 0] and r.l.tolist() == [40, 40, 40]
    bad = A.copy()
    bad[1, 0, 0] = np.nan
    S = np.asarray(jax.jit(lj.svdvals)(bad))
    assert np.isnan(S[1]).all() and not np.isnan(S[[0, 2]]).any()
    g = np.asarray(jax.jit(jax.grad(lambda A: lj.svdvals(A).sum()))(A))
    U, _, Vh = np.linalg.svd(A, full_matrices=False)
    close(g, U @ Vh)
    with pytest.raises(Exception, match="on the CPU alone"):
        jax.block_until_ready(lj.qr(A))


def test_gradients_by_torch():
    pytest.importorskip("torch", reason="no PyTorch here")
    gpu = Torch()
    import libgsvd.torch as lt
    a = gpu.there(random(1, 60, 40)).requires_grad_()
    lt.svdvals(a).sum().backward()
    U, _, Vh = np.linalg.svd(gpu.back(a.detach()), full_matrices=False)
    close(gpu.back(a.grad), U @ Vh)
