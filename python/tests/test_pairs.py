# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""gsvd and gsvdvals: residuals, ranks, stacks; against NumPy and SciPy's cossin."""
import numpy as np
import pytest
import scipy.linalg
from conftest import THRESHOLD, adjoint, close, norm, orthonormal, random, same
from hypothesis import given, settings
from hypothesis import strategies as st

import libgsvd

SHAPES = [(5, 4, 6), (3, 7, 2), (2, 5, 9), (9, 5, 2), (4, 7, 5), (1, 1, 1), (60, 40, 50)]


def check(A, B, r, m, n, p):
    """That r decomposes (A, B): the residuals, unitary factors, alpha^2 + beta^2 = 1, the order."""
    close(r.U @ r.C @ adjoint(r.X), A)
    close(r.V @ r.S @ adjoint(r.X), B)
    orthonormal(r.U)
    orthonormal(r.V)
    eps = np.finfo(r.alpha.dtype).eps
    assert r.alpha.dtype == r.beta.dtype == np.asarray(A).real.dtype
    one = r.alpha.astype(float)**2 + r.beta.astype(float)**2
    ranks = np.asarray(r.rank)[..., None]
    inside = np.arange(one.shape[-1]) < ranks
    assert (abs(one - 1)[inside] <= 10 * eps).all()
    assert (one[~inside] == 0).all()
    first = np.arange(one.shape[-1]) < np.asarray(r.k)[..., None]
    assert (r.beta[first] == 0).all() and (r.alpha[first] == 1).all()
    falls = np.diff(r.alpha, axis=-1) <= 0
    assert falls.all()


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("m, n, p", SHAPES)
def test_factors(dtype, m, n, p, order, full):
    A = np.array(random(1, m, n, dtype=dtype), order=order)
    B = np.array(random(2, p, n, dtype=dtype), order=order)
    before = A.copy(), B.copy()
    r = libgsvd.gsvd(A, B, full_matrices=full)
    same(A, before[0])
    same(B, before[1])
    check(A, B, r, m, n, p)
    assert r.rank == min(n, m + p) and r.l == min(p, n)
    assert r.U.shape == (m, m if full else min(m, n))
    assert r.V.shape == (p, p if full else min(p, n))
    q = libgsvd.gsvd(A, B, full_matrices=full, form="rq")
    orthonormal(q.Q)
    assert (np.tril(q.R, -1) == 0).all() and q.R.shape == (q.rank, q.rank)
    X = q.Q[:, n - q.rank:] @ adjoint(q.R)
    close(q.U @ q.C @ adjoint(X), A)
    close(q.V @ q.S @ adjoint(X), B)
    alpha, beta = libgsvd.gsvdvals(A, B)
    eps = np.finfo(dtype).eps
    assert abs(alpha - r.alpha).max() <= THRESHOLD * max(m, n, p) * eps
    assert abs(beta - r.beta).max() <= THRESHOLD * max(m, n, p) * eps


@pytest.mark.parametrize("lead", [(), (2, 3)])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("m, n, p", [*SHAPES, (4, 6, 0), (0, 3, 2), (0, 3, 0), (0, 0, 0)])
def test_xinv(dtype, m, n, p, full, lead):
    """|A y - alpha u| and |B y - beta v| <= 20 max(m, n, p) ulp sum_i |(a_i; b_i)| |y_i|"""
    A, B = random(20, *lead, m, n, dtype=dtype), random(21, p, n, dtype=dtype)
    if lead and m > 2 and n > 2:
        A[1, 1, 1:] = A[1, 1, :1]  # of less rank
    U, V, Y, alpha, beta = r = libgsvd.gsvd(A, B, full_matrices=full, form="xinv")
    assert Y is r.Y and Y.shape == (*lead, n, n if lead else r.rank)
    orthonormal(U)
    orthonormal(V)
    pair = np.concatenate([A, np.broadcast_to(B, (*lead, p, n))], -2)
    bound = THRESHOLD * max(m, n, p) * np.finfo(dtype).eps * \
        (np.linalg.norm(pair, axis=-2)[..., None, :] @ abs(Y))[..., 0, :]
    assert (np.linalg.norm(A @ Y - U @ r.C, axis=-2) <= bound).all()
    assert (np.linalg.norm(B @ Y - V @ r.S, axis=-2) <= bound).all()
    if Y.size:  # NumPy 2.2, the last for Python 3.10, has no rank of others
        assert (np.linalg.matrix_rank(Y) == Y.shape[-1]).all()
    want = libgsvd.gsvd(A, B)
    same(r.k, want.k)
    same(r.l, want.l)
    e = abs(alpha - want.alpha), abs(beta - want.beta)
    assert np.max(e, initial=0) <= THRESHOLD * max(m, n, p) * np.finfo(dtype).eps


def test_values_against_svd(dtype):
    """With B = I the values are the singular values of A."""
    A = random(3, 30, 20, dtype=dtype)
    r = libgsvd.gsvd(A, np.eye(20, dtype=dtype))
    s = np.linalg.svd(A, compute_uv=False)
    assert abs(r.values - s).max() <= THRESHOLD * 30 * s[0] * np.finfo(dtype).eps


@pytest.mark.parametrize("m, n, p", [(12, 8, 10), (20, 20, 20)])
def test_cosines_against_cossin(m, n, p):
    """Of orthonormal columns alpha and beta are SciPy's cosines and sines."""
    Q = np.linalg.qr(random(4, m + p, m + p))[0]
    theta = scipy.linalg.cossin(Q, p=m, q=n, separate=True)[1]
    alpha, beta = libgsvd.gsvdvals(Q[:m, :n], Q[m:, :n])
    want = np.sort(np.cos(theta))[::-1]
    assert abs(alpha[:len(want)] - want).max() <= THRESHOLD * (m + p) * np.finfo(float).eps
    assert abs(beta[:len(want)] - np.sort(np.sin(theta))).max() <= 1e-13


@pytest.mark.parametrize("m, n, p", SHAPES)
def test_against_gsvd4py(m, n, p):
    """LAPACK's xGGSVD3, in MATLAB's form"""
    gsvd4py = pytest.importorskip("gsvd4py", reason="no gsvd4py here")
    A, B = random(22, m, n), random(23, p, n)
    r = libgsvd.gsvd(A, B)
    _, _, C, S, X = gsvd4py.gsvd(A, B, mode="full")
    assert X.shape[1] == r.rank
    for ours, theirs in ((r.C, C), (r.S, S)):
        e = np.sqrt((theirs**2).sum(0)) - np.sqrt((ours**2).sum(0))
        assert abs(e).max() <= THRESHOLD * (m + p) * np.finfo(float).eps


def test_small_values_are_relative():
    """Values 1 ... 1e-14 of A = D B, each to its own digits; through a QR and an SVD none is."""
    d = 10.0 ** -np.arange(0, 16, 2)
    B = np.eye(8) @ np.triu(1 + 0.1 * random(5, 8, 8))
    A = d[:, None] * B
    values = libgsvd.gsvd(A, B).values
    assert (abs(values - d) <= 1e-13 * d * np.linalg.cond(B)).all()


def test_ranks():
    A, B = random(6, 7, 5), np.zeros((4, 5))
    r = libgsvd.gsvd(A, B)
    assert (r.k, r.l, r.rank) == (5, 0, 5) and np.isinf(r.values).all()
    r = libgsvd.gsvd(np.zeros((7, 5)), random(7, 4, 5))
    assert (r.k, r.l) == (0, 4) and (r.values == 0).all()
    C = random(8, 6, 2) @ random(9, 2, 5)
    r = libgsvd.gsvd(C, C, full_matrices=True)
    assert r.rank == 2 and r.X.shape == (5, 2)
    check(C, C, r, 6, 5, 6)
    D = np.diag([1.0, 1e-20])
    assert libgsvd.gsvd(D, 0 * D).rank == 1
    assert libgsvd.gsvd(D, 0 * D, rank="rows").rank == 2
    assert libgsvd.gsvd(np.diag([1.0, 0.01]), 0 * D, tol=0.1).rank == 1
    assert libgsvd.gsvd(np.diag([1.0, 0.01]), 0 * D, tol=(0.001, 0.1)).rank == 2


@pytest.mark.parametrize("solver", ["tgsja", "tangent", "csd"])
def test_solver(solver):
    A, B = random(10, 40, 35), random(11, 37, 35)
    r = libgsvd.gsvd(A, B, solver=solver)
    check(A, B, r, 40, 35, 37)
    assert r.stats.solver == solver and r.stats.converged and r.stats.device == -1
    assert libgsvd.gsvd(A, B).stats.solver == "tangent"  # the option is forgotten


@pytest.mark.parametrize("form", ["x", "rq"])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("m, n, p", [(5, 4, 6), (3, 5, 4), (4, 6, 0), (0, 3, 2), (2, 6, 3),
                                     (40, 36, 38)])
def test_stacks(dtype, m, n, p, full, form):
    A, B = random(12, 2, 3, m, n, dtype=dtype), random(13, 3, p, n, dtype=dtype)
    if m > 2 and n > 2:
        A[1, 1, 1:] = A[1, 1, :1]  # of less rank
        B[1] = 0
    r = libgsvd.gsvd(A, B, full_matrices=full, form=form)
    assert r.k.shape == r.l.shape == (2, 3) and r.alpha.shape == (2, 3, n)
    assert r.U.shape == (2, 3, m, m if full else min(m, n))
    assert r.V.shape == (2, 3, p, p if full else min(p, n))
    X = r.X if form == "x" else r.Q @ adjoint(r.R)
    close(r.U @ r.C @ adjoint(X), A)
    close(r.V @ r.S @ adjoint(X), np.broadcast_to(B, (2, 3, p, n)))
    if form == "rq":
        orthonormal(r.Q)
        assert (np.tril(r.R, -1) == 0).all()
    eps = np.finfo(dtype).eps
    for i in np.ndindex(2, 3):
        one = libgsvd.gsvd(A[i], B[i[1]], full_matrices=full, form=form)
        assert (one.k, one.l) == (r.k[i], r.l[i])
        assert abs(one.alpha - r.alpha[i][:one.rank]).max(initial=0) <= 20 * max(m, n, p) * eps


def test_stacks_broadcast():
    A, B = random(14, 4, 1, 6, 5), random(15, 3, 7, 5)
    r = libgsvd.gsvd(A, B)
    assert r.alpha.shape == (4, 3, 5)
    same(r.alpha[2, 1], libgsvd.gsvd(A[2], B[1][None]).alpha[0])
    one = libgsvd.gsvd(A[2, 0], B)
    same(one.alpha, r.alpha[2])
    with pytest.raises(ValueError, match="broadcast"):
        libgsvd.gsvd(random(14, 4, 6, 5), B)


@pytest.mark.parametrize("m, n, p", [(0, 0, 0), (0, 3, 0), (3, 0, 2), (0, 3, 2), (3, 2, 0)])
def test_empty(dtype, m, n, p):
    A, B = np.ones((m, n), dtype), np.ones((p, n), dtype)
    for form in ("x", "rq"):
        r = libgsvd.gsvd(A, B, full_matrices=True, form=form)
        X = r.X if form == "x" else r.Q[:, n - r.rank:] @ adjoint(r.R)
        close(r.U @ r.C @ adjoint(X), A)
        close(r.V @ r.S @ adjoint(X), B)
        orthonormal(r.U)
        orthonormal(r.V)
    r = libgsvd.gsvd(np.ones((0, 2, m, n), dtype), np.ones((2, p, n), dtype))
    assert r.U.shape == (0, 2, m, min(m, n)) and r.k.shape == (0, 2)
    assert r.C.shape == (0, 2, min(m, n), n) and r.S.shape == (0, 2, min(p, n), n)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9),
       st.lists(st.integers(0, 3), max_size=2), st.integers(0, 2**32 - 1), st.sampled_from("fdFD"),
       st.booleans(), st.sampled_from(["x", "rq"]))
def test_any_shape(m, n, p, rank, lead, seed, char, full, form):
    """Pairs of any shape and rank, alone and in stacks."""
    C = random(seed, *lead, m + p, rank, dtype=char) @ random(seed + 1, rank, n, dtype=char)
    A, B = C[..., :m, :], C[..., m:, :]
    r = libgsvd.gsvd(A, B, full_matrices=full, form=form)
    if form == "x":
        X = r.X
    else:
        X = (r.Q if lead else r.Q[:, n - r.rank:]) @ adjoint(r.R)
    close(r.U @ r.C @ adjoint(X), A)
    close(r.V @ r.S @ adjoint(X), B)
    orthonormal(r.U)
    orthonormal(r.V)
    assert (np.asarray(r.l) <= min(p, n)).all() and (np.asarray(r.rank) <= min(m + p, n)).all()


def test_overwrite():
    A, B = np.asfortranarray(random(16, 40, 30)), np.asfortranarray(random(17, 50, 30))
    want, before = libgsvd.gsvd(A, B), A.copy()
    r = libgsvd.gsvd(A, B, overwrite_a=True, overwrite_b=True)
    same(r.alpha, want.alpha)
    same(r.X, want.X)
    assert (A != before).any()
    A[...] = before  # both in the same memory: one is copied
    r = libgsvd.gsvd(A[:30], A[10:], overwrite_a=True, overwrite_b=True)
    same(r.alpha, libgsvd.gsvd(before[:30], before[10:]).alpha)
    C = np.ascontiguousarray(before)  # by rows: a copy is needed, and C stays
    libgsvd.gsvd(C, random(17, 50, 30), overwrite_a=True)
    same(C, before)


def test_unpacks_in_two_shapes():
    A, B = random(18, 4, 3), random(19, 5, 3)
    r = libgsvd.gsvd(A, B)
    for got, want in zip(r, (r.U, r.V, r.X, r.alpha, r.beta), strict=True):
        assert got is want
    q = libgsvd.gsvd(A, B, form="rq")
    for got, want in zip(q, (q.U, q.V, q.R, q.Q, q.alpha, q.beta), strict=True):
        assert got is want
    for form in ("x", "xinv", "rq"):
        alpha, beta = libgsvd.gsvd(A, B, compute_uv=False, form=form)
        same(alpha, libgsvd.gsvdvals(A, B)[0])
        same(beta, libgsvd.gsvdvals(A, B)[1])
    assert abs(r.angular_distance() - (np.arctan(r.values) - np.pi / 4)).max() < 1e-15


@pytest.mark.parametrize("lead", [(), (2, 3)])
def test_error_bounds(dtype, lead):
    """Bounds hold for errors of columns, are near for the worst ones, and forget units."""
    A, B = random(24, *lead, 9, 6, dtype=dtype), random(25, *lead, 7, 6, dtype=dtype)
    if lead:
        A[1, 1, :, 5] = B[1, 1, :, 5] = 0  # ranks differ
    r = libgsvd.gsvd(A, B, form="xinv")
    rounding, cond = libgsvd.error_bounds(A, B, r)
    inside = np.arange(r.alpha.shape[-1]) < np.asarray(r.rank)[..., None]
    eps = np.finfo(dtype).eps
    assert rounding.dtype == r.alpha.dtype
    assert ((rounding >= eps)[inside] & (rounding < 1e5 * eps)[inside]).all()
    assert (rounding[~inside] == 0).all()
    if lead:
        for i in np.ndindex(lead):
            one = libgsvd.error_bounds(A[i], B[i], libgsvd.gsvd(A[i], B[i], form="xinv"))
            got = rounding[i][inside[i]]
            assert (abs(got - one.bounds) <= 0.01 * one.bounds).all()
            assert abs(cond[i] - one.cond) <= 1e3 * eps * one.cond
        return
    pair = np.concatenate([A, B])
    assert abs(cond - np.linalg.norm(pair) * np.linalg.norm(r.Y)) <= 1e-4 * cond
    error, worst = 1e-3, 0.0
    bounds = libgsvd.error_bounds(A, B, r, error=error).bounds
    for seed in range(20):
        moved = []
        for i, x in enumerate((A, B)):
            e = random(100 + 2 * seed + i, *x.shape, dtype=dtype)
            moved.append(x + error * e / np.linalg.norm(e, axis=0) * np.linalg.norm(x, axis=0))
        alpha, beta = libgsvd.gsvdvals(*moved)
        distance = abs(r.alpha * beta - r.beta * alpha)
        assert (distance <= bounds).all()
        worst = max(worst, (distance / bounds).max())
    assert worst > 0.05
    units = (2.0 ** np.array([-8, 6, 0, 3, -7, 5])).astype(r.alpha.dtype)
    scaled = libgsvd.gsvd(A * units, B * units, form="xinv")
    again = libgsvd.error_bounds(A * units, B * units, scaled, error=error).bounds
    assert (abs(again - bounds) <= 0.01 * bounds).all()


def test_error_bounds_are_refused():
    A, B = random(26, 5, 4), random(27, 6, 4)
    r = libgsvd.gsvd(A, B, form="xinv")
    with pytest.raises(ValueError, match="form='xinv'"):
        libgsvd.error_bounds(A, B, libgsvd.gsvd(A, B))
    with pytest.raises(ValueError, match="not of A and B"):
        libgsvd.error_bounds(B, A, r)
    with pytest.raises(ValueError, match="error: not a finite number from 0 up"):
        libgsvd.error_bounds(A, B, r, error=-1.0)
    with pytest.raises(libgsvd.LinAlgError, match="a: NULL, or not finite"):
        libgsvd.error_bounds(A * np.nan, B, r)
    # with a tolerance columns are not scaled: short ones have errors of the longest
    A[:, 0] *= 1e-9
    B[:, 0] *= 1e-9
    with_tol = libgsvd.gsvd(A, B, form="xinv", tol=1e-14)
    free = libgsvd.gsvd(A, B, form="xinv")
    ratio = libgsvd.error_bounds(A, B, with_tol).bounds.max() \
        / libgsvd.error_bounds(A, B, free).bounds.max()
    assert ratio > 1e5


@pytest.mark.parametrize("form", ["x", "xinv"])
@pytest.mark.parametrize("m, n, p", [(40, 12, 30), (9, 12, 8), (30, 8, 5), (3, 10, 4)])
def test_keep(dtype, m, n, p, form):
    """Factors of some pairs are those columns of all."""
    A, B = random(28, m, n, dtype=dtype), random(29, p, n, dtype=dtype)
    r = libgsvd.gsvd(A, B, form=form)
    size = np.finfo(dtype).eps * THRESHOLD * max(m, n, p)
    for keep in (1, 4, -1, -4, n + 1):
        U, V, X, alpha, beta = some = libgsvd.gsvd(A, B, form=form, keep=keep)
        at = np.arange(r.rank)[some.kept]
        assert len(at) == min(abs(keep), r.rank)
        assert some.k == r.k and some.l == r.l
        assert np.max(abs(alpha - r.alpha)) <= size and np.max(abs(beta - r.beta)) <= size
        assert U.shape == (m, len(at)) and V.shape == (p, len(at)) and X.shape == (n, len(at))
        whole = r.X if form == "x" else r.Y
        assert norm(X - whole[:, at]) <= size * norm(whole)
        for i, j in enumerate(at):
            u = r.U[:, j] if j < m else np.zeros(m)
            v = r.V[:, j - r.k] if j >= r.k else np.zeros(p)
            assert norm((U[:, i] - u)[:, None]) <= size and norm((V[:, i] - v)[:, None]) <= size
        if form == "x":
            part = r.U[:, :min(m, r.rank)] @ np.diag([j in at for j in range(min(m, r.rank))])
            close(U @ some.C @ adjoint(X), part @ r.C[:part.shape[1]] @ adjoint(r.X))
            assert some.S.shape == (len(at), len(at))
        else:
            assert norm(A @ X - U @ some.C) <= 2 * size * norm(A) * norm(whole)
            assert norm(B @ X - V @ some.S) <= 2 * size * norm(B) * norm(whole)


def test_keep_is_refused():
    A, B = random(30, 2, 5, 4), random(31, 6, 4)
    with pytest.raises(ValueError, match="keep: of one problem"):
        libgsvd.gsvd(A, B, keep=2)
    with pytest.raises(ValueError, match="keep: of form 'x' or 'xinv'"):
        libgsvd.gsvd(A[0], B, keep=2, form="rq")
    r = libgsvd.gsvd(A[0], B, keep=2, form="xinv")
    with pytest.raises(ValueError, match="result: of some pairs alone"):
        libgsvd.error_bounds(A[0], B, r)
    assert libgsvd.gsvd(A[0], B, keep=2, compute_uv=False).U is None
