# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""svd, hsvd, eigh, qr, geqp and urv, against NumPy and by residuals."""
import numpy as np
import pytest
from conftest import THRESHOLD, adjoint, close, orthonormal, random, same
from hypothesis import given, settings
from hypothesis import strategies as st

import libgsvd

SHAPES = [(6, 4), (4, 6), (1, 5), (5, 5), (3, 5, 5), (2, 2, 7, 3), (3, 4, 9), (70, 60), (0, 3),
          (3, 0), (2, 0, 3), (0, 4, 3), (2, 0, 4, 3)]


def stack(seed, shape, dtype, order):
    a = random(seed, *shape, dtype=dtype)
    return a if order == "C" else a.swapaxes(-1, -2).copy().swapaxes(-1, -2)


def near(x, y, size, scale):
    """Values to 20 size scale ulp"""
    eps = np.finfo(x.dtype).eps
    assert x.shape == y.shape
    assert abs(x.astype(float) - y).max(initial=0) <= THRESHOLD * size * scale * eps


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("shape", SHAPES)
def test_svd(dtype, shape, order):
    A = stack(1, shape, dtype, order)
    m, n = shape[-2:]
    q = min(m, n)
    before = A.copy()
    for method in ("auto", "jacobi", "bidiagonal"):
        U, S, Vh = r = libgsvd.svd(A, method=method)
        # of few columns xBDSQR's vectors fail the library's test now and then
        assert r.stats is None or r.stats.svd in (method, "auto")
        assert U.shape == (*shape[:-2], m, q) and Vh.shape == (*shape[:-2], q, n)
        close(U * S[..., None, :] @ Vh, A)
        orthonormal(U)
        orthonormal(adjoint(Vh))
        if A.size:
            want = np.linalg.svd(A, compute_uv=False)
            near(S, want, max(m, n), want.max())
            near(libgsvd.svdvals(A, method=method), want, max(m, n), want.max())
        assert (np.diff(S) <= 0).all()
    U, S, Vh = libgsvd.svd(A, full_matrices=True)
    assert U.shape == (*shape[:-2], m, m) and Vh.shape == (*shape[:-2], n, n)
    close(U[..., :q] * S[..., None, :] @ Vh[..., :q, :], A)
    orthonormal(U)
    orthonormal(adjoint(Vh))
    same(A, before)
    (only,) = libgsvd.svd(A, compute_uv=False)
    same(only, libgsvd.svdvals(A))


def test_svd_small_values():
    d = 10.0 ** -np.arange(0, 160, 20)
    B = np.eye(8) + 0.01 * random(2, 8, 8)
    for A in (B * d, d[:, None] * B):
        S = libgsvd.svd(A).S
        _, R = np.linalg.qr(B)
        assert (S / d < 1.2).all() and (S / d > 0.8).all()
    same(libgsvd.svd(np.diag(d)).S, d)


def test_svd_overwrites(dtype):
    for order, m, n in (("F", 40, 30), ("C", 30, 40)):  # tall, as it lies
        A = np.array(random(3, m, n, dtype=dtype), order=order)
        before, want = A.copy(), libgsvd.svd(A).S
        same(libgsvd.svd(A, overwrite_a=True).S, want)
        assert (A != before).any()


@pytest.mark.parametrize("m, n, plus", [(8, 5, 3), (5, 5, 0), (6, 4, 4), (40, 36, 20), (3, 0, 0)])
def test_hsvd(dtype, m, n, plus):
    G = random(4, m, n, dtype=dtype)
    J = np.ones(n)
    J[np.random.default_rng(5).permutation(n)[plus:]] = -1
    r = libgsvd.hsvd(G, J)
    U, S, V, signs = r
    orthonormal(U)
    same(signs, np.repeat([1, -1], [plus, n - plus]))
    assert (S > 0).all() and (np.diff(S[:plus]) <= 0).all() and (np.diff(S[plus:]) <= 0).all()
    eps, size = np.finfo(dtype).eps, max(m, n, 1)
    v = np.linalg.norm(V, 2) if n else 1.0
    e = np.linalg.norm(U * S @ adjoint(V) - G)
    assert e <= THRESHOLD * size * eps * np.linalg.norm(G) * v**2
    e = np.linalg.norm(adjoint(V) * J @ V - np.diag(signs))
    assert e <= THRESHOLD * size * eps * v**2
    H = (G * J) @ adjoint(G)
    w = np.linalg.eigvalsh(H.astype(np.result_type(dtype, np.float64)))
    got = np.sort(np.r_[r.eigenvalues, np.zeros(m - n)])
    near(got.astype(S.dtype), w, size, np.linalg.norm(G)**2)
    only, _ = libgsvd.hsvd(G, J, compute_uv=False)
    near(only, S, size, S.max(initial=0) * v**2)
    full = libgsvd.hsvd(G, J, full_matrices=True)
    assert full.U.shape == (m, m)
    orthonormal(full.U)


def test_hsvd_stacks(dtype):
    G = random(6, 2, 3, 9, 5, dtype=dtype)
    for J in (np.array([1, -1, 1, 1, -1]), np.broadcast_to([1, -1, -1, 1, 1], (2, 3, 5))):
        r = libgsvd.hsvd(G, J)
        for i in np.ndindex(2, 3):
            one = libgsvd.hsvd(G[i], J if J.ndim == 1 else J[i])
            near(r.S[i], one.S, 9, 10 * one.S.max())
    a, b = libgsvd.hsvd(G, n_plus=2), libgsvd.hsvd(G, [1, 1, -1, -1, -1])
    same(a.S, b.S)
    each = np.array([[1, -1, 1], [-1, 1, 1]])  # signs differ, in two dimensions
    G = random(7, 2, 4, 3, dtype=dtype)
    r = libgsvd.hsvd(G, each)
    for i in range(2):
        near(r.S[i], libgsvd.hsvd(G[i], each[i]).S, 4, 10 * r.S[i].max())


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("shape", [(5, 5), (1, 1), (60, 60), (3, 4, 4), (2, 2, 6, 6), (0, 0),
                                   (0, 3, 3)])
def test_eigh(dtype, shape, uplo, order):
    A = stack(8, shape, dtype, "C")
    H = A + adjoint(A)
    H = H if order == "C" else H.swapaxes(-1, -2).copy().swapaxes(-1, -2)
    read = np.where(np.tri(shape[-1], dtype=bool), H, 7) if uplo == "L" else \
        np.where(np.tri(shape[-1], dtype=bool).T, H, 7)
    read = read.astype(dtype, order="K") if order == "C" else \
        read.astype(dtype).swapaxes(-1, -2).copy().swapaxes(-1, -2)
    for method in ("fast", "factor", "auto"):
        r = libgsvd.eigh(read, uplo=uplo, method=method)
        w, Q = r
        orthonormal(Q)
        close(Q * w[..., None, :] @ adjoint(Q), H)
        assert (np.diff(w) >= 0).all()
        if H.size:
            want = np.linalg.eigvalsh(H)
            near(w, want, shape[-1], abs(want).max())
        (only,) = libgsvd.eigh(read, uplo=uplo, method=method, compute_v=False)
        near(only, w, max(shape[-1], 1), abs(w).max(initial=0))


def test_eigh_methods():
    """Values 1 ... 1e-140 of D H D: each has digits by the SVD and by a factor alone."""
    d = 10.0 ** -np.arange(0, 80, 10)
    H = random(15, 8, 8)
    A = d[:, None] * (np.eye(8) + 0.01 * (H + H.T)) * d
    for method in ("fast", "factor", "auto"):
        r = libgsvd.eigh(A, method=method)
        ratio = r.eigenvalues[::-1] / d**2
        assert ((ratio > 0.8) & (ratio < 1.2)).all() == (method != "fast")
        assert r.stats.eigh == method
    assert libgsvd.eigh(A).stats.eigh == "auto"
    with pytest.raises(ValueError, match="method: 'jacobi' is none of auto, fast, factor"):
        libgsvd.eigh(A, method="jacobi")


@pytest.mark.parametrize("shape", SHAPES)
def test_qr(dtype, shape):
    A = random(9, *shape, dtype=dtype)
    for mode in ("reduced", "complete"):
        Q, R = libgsvd.qr(A, mode)
        want = np.linalg.qr(np.ones(shape), mode) if A.size else None
        if want is not None:
            assert Q.shape == want.Q.shape and R.shape == want.R.shape
        close(Q @ R, A)
        orthonormal(Q)
        assert (np.tril(R, -1) == 0).all()
    (only,) = libgsvd.qr(A, "r")
    close(abs(only), abs(R[..., :only.shape[-2], :]))


@pytest.mark.parametrize("shape", SHAPES)
def test_geqp(dtype, shape):
    A = random(10, *shape, dtype=dtype)
    for mode in ("reduced", "complete"):
        Q, R, P = r = libgsvd.geqp(A, mode)
        close(Q @ R, np.take_along_axis(A, P[..., None, :], -1))
        orthonormal(Q)
        same(np.sort(P, -1), np.broadcast_to(np.arange(shape[-1]), P.shape))
        assert (np.asarray(r.rank) == min(shape[-2:])).all()
    R, P = libgsvd.geqp(A, "r")
    same(R, r.R[..., :R.shape[-2], :])


def test_geqp_ranks():
    A = np.stack([random(11, 7, 2) @ random(12, 2, 5), random(13, 7, 5)])
    r = libgsvd.geqp(A)
    same(r.rank, [2, 5])
    assert (r.R[0, 2:] == 0).all()
    close(r.Q @ r.R, np.take_along_axis(A, r.P[:, None, :], -1))
    D = np.diag([1.0, 1e-3, 1e-30])
    assert [libgsvd.geqp(D, tol=t).rank for t in (None, 0, 1e-2, 2)] == [2, 3, 1, 0]
    assert libgsvd.geqp(np.float32(D), tol=0).rank == 3
    same(libgsvd.urv(D[None], tol=1e-2).rank, [1])


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_urv(dtype, shape, full):
    A = random(14, *shape, dtype=dtype)
    if shape[-1] > 2 and A.size:
        A[..., 1] = A[..., 0]
    U, R, Vh = r = libgsvd.urv(A, full_matrices=full)
    close(U @ R @ Vh, A)
    orthonormal(U)
    orthonormal(adjoint(Vh))
    if A.size:
        same(np.asarray(r.rank), np.linalg.matrix_rank(A))
    k = int(np.asarray(r.rank).flat[0]) if A.size else 0
    assert (R[..., k:, :] == 0).all() and (np.tril(R[..., :k, R.shape[-1] - k:], -1) == 0).all()
    (only,) = libgsvd.urv(A, full_matrices=full, compute_uv=False)
    close(only, R)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 9), st.integers(0, 9), st.lists(st.integers(0, 3), max_size=2),
       st.integers(0, 2**32 - 1), st.sampled_from("fdFD"), st.integers(-6, 6), st.booleans())
def test_any_shape(m, n, lead, seed, char, power, turned):
    A = random(seed, *lead, m, n, dtype=char) * np.array(10.0**power, char)
    if turned:
        A = A.swapaxes(-1, -2)
    U, S, Vh = libgsvd.svd(A)
    close(U * S[..., None, :] @ Vh, A)
    Q, R = libgsvd.qr(A)
    close(Q @ R, A)
    Q, R, P = libgsvd.geqp(A)
    close(Q @ R, np.take_along_axis(A, P[..., None, :], -1))
    U, R, Vh = libgsvd.urv(A)
    close(U @ R @ Vh, A)
