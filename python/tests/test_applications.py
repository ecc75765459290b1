# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""libgsvd.applications: solutions beside dense least squares, rules beside fine grids."""
import pickle

import numpy as np
import pytest
from conftest import THRESHOLD, random, same
from hypothesis import given, settings
from hypothesis import strategies as st

import libgsvd
from libgsvd.applications import Tikhonov

RULES = ["gcv", "lcurve", "discrepancy", "quasi"]


def blurred(noise=1e-2):
    """An integral equation of the first kind with noise, the second derivative, the noise's norm"""
    n = 60
    t = np.linspace(0, 1, n)
    A = np.exp(-100 * (t[:, None] - t) ** 2) / n
    b = A @ (np.exp(-60 * (t - 0.35) ** 2) + 0.6 * np.exp(-90 * (t - 0.7) ** 2))
    e = random(1, n)
    e *= noise * np.linalg.norm(b) / np.linalg.norm(e)
    return A, b + e, np.diff(np.eye(n), 2, axis=0), np.linalg.norm(e)


def dense(A, b, L, lam):
    """Least squares of (A; lam L), and the bound of its errors"""
    M = np.vstack([A, lam * L])
    x, _, _, s = np.linalg.lstsq(M, np.concatenate([b, np.zeros(len(L), b.dtype)]), rcond=None)
    cond, least = s[0] / s[-1], np.linalg.norm(M @ x - np.concatenate([b, np.zeros(len(L))]))
    eps = np.finfo(A.dtype).eps
    return x, THRESHOLD * len(x) * eps * (cond * np.linalg.norm(x) + cond**2 * least / s[0])


@settings(deadline=None, derandomize=True, max_examples=40)
@given(m=st.integers(1, 12), n=st.integers(1, 8), p=st.integers(0, 3), lam=st.floats(1e-2, 1e2),
       kind=st.sampled_from([np.float32, np.float64, np.complex64, np.complex128]),
       seed=st.integers(0, 99))
def test_solutions(m, n, p, lam, kind, seed):
    A, b = random(seed, m, n, dtype=kind), random(seed + 100, m, dtype=kind)
    L = random(seed + 200, n + p, n, dtype=kind)
    for of_l in (L, None):
        x, bound = dense(A, b, np.eye(n, dtype=kind) if of_l is None else of_l, lam)
        found = Tikhonov.of(A, b, of_l).solution(lam)
        assert found.dtype == np.dtype(kind) and found.shape == (n,)
        assert np.linalg.norm(found - x) <= bound


@pytest.mark.parametrize("filter", ["tikhonov", "truncated", "damped"])
def test_filters(filter):
    A, b, L, _ = blurred()
    t = Tikhonov.of(A, b, L, filter=filter)
    assert np.isinf(t.gamma[:2]).all() and t.alpha.shape == (60,)
    lam = np.array([0, 1e-3, 1, np.inf])
    f = t.filters(lam)
    assert f.shape == (4, 60)
    with np.errstate(invalid="ignore"):
        x = lam[1:3, None] / t.gamma
        want = {"tikhonov": 1 / (1 + x**2), "truncated": 1.0 * (x <= 1),
                "damped": 1 / (1 + x)}[filter]
    np.testing.assert_allclose(f[1:3], want, rtol=1e-14)
    np.testing.assert_allclose(f[0], 1, rtol=1e-14)
    np.testing.assert_allclose(f[3], [1, 1] + 58 * [0], rtol=1e-14)
    # norms are those of the solutions
    x = t.solution(lam[1:])
    assert x.shape == (3, 60)
    residual, seminorm = t.norms(lam[1:])
    np.testing.assert_allclose(residual, np.linalg.norm(A @ x.T - b[:, None], axis=0), rtol=1e-9)
    np.testing.assert_allclose(seminorm, np.linalg.norm(L @ x.T, axis=0), rtol=1e-9, atol=1e-13)


def test_choice():
    A, b, L, noise = blurred()
    t = Tikhonov.of(A, b, L)
    least, most = t.lambda_range
    grid = np.geomspace(least, most, 20001)
    residual, seminorm = t.norms(grid)
    free = (1 - t.filters(grid)).sum(-1)
    gcv = t.choose()
    here = t.norms(gcv)[0] ** 2 / (1 - t.filters(gcv)).sum() ** 2
    assert here <= (residual**2 / free**2).min() * (1 + 1e-9)
    lam = t.choose("discrepancy", delta=noise)
    assert t.norms(lam)[0] == pytest.approx(noise, rel=1e-12)
    assert t.choose("discrepancy", delta=2 * np.linalg.norm(b)) == np.inf
    u, v = np.log(residual), np.log(seminorm)
    du, dv = np.gradient(u), np.gradient(v)
    bend = (du * np.gradient(dv) - dv * np.gradient(du)) / (du**2 + dv**2) ** 1.5
    corner = grid[5:-5][bend[5:-5].argmax()]
    assert t.choose("lcurve") == pytest.approx(corner, rel=1e-2)
    f = t.filters(grid)
    change = np.linalg.norm(f * (1 - f) * t.coefficients / t.alpha * t.beta, axis=-1)
    inner = (change[1:-1] <= change[:-2]) & (change[1:-1] <= change[2:])
    quasi = grid[1:-1][inner][change[1:-1][inner].argmin()]
    assert t.choose("quasi") == pytest.approx(quasi, rel=1e-3)


@pytest.mark.parametrize("rule", RULES)
def test_columns(rule):
    A, b, L, noise = blurred()
    delta = noise if rule == "discrepancy" else None
    ones = [Tikhonov.of(A, x, L) for x in (b, b[::-1].copy())]
    both = Tikhonov.of(A, np.stack([b, b[::-1]], 1), L)
    lam = both.choose(rule, delta=delta)
    assert lam.shape == (2,)
    np.testing.assert_allclose(lam, [x.choose(rule, delta=delta) for x in ones], rtol=1e-6)
    assert both.solution(lam).shape == (60, 2)
    for j, one in enumerate(ones):
        # of each column its own, and each of two for both
        np.testing.assert_allclose(both.solution(lam)[:, j], one.solution(lam[j]), 1e-9, 1e-9)
        np.testing.assert_allclose(both.norms(lam[:, None])[0][:, j], one.norms(lam)[0], 1e-9)
    assert both.solution(lam[:, None]).shape == (2, 60, 2)
    assert both.filters(lam).shape == (2, 60)


def test_truncated_is_a_projection():
    A, b = np.diag([4.0, 2, 1]), np.ones(3)
    t = Tikhonov.of(A, b, filter="truncated")
    x = [[0.25, 0.5, 1], [0.25, 0.5, 0], [0.25, 0, 0], [0, 0, 0]]
    np.testing.assert_allclose(t.solution([0, 1.5, 3, 5]), x, atol=1e-15)
    assert t.choose("discrepancy", delta=1) == 2
    with pytest.raises(ValueError, match="curve"):
        t.choose("lcurve")


def test_what_no_x_meets():
    t = Tikhonov.of(np.eye(4, 2), np.array([1.0, 2, 3, 4]))
    assert t.rest == pytest.approx(5) and t.norms(0)[0] == pytest.approx(5)
    # A x = L x = 0 for x = (1, -1)
    null = Tikhonov.of(np.ones((3, 2)), np.ones(3), np.array([[1.0, 1]]))
    np.testing.assert_allclose(null.solution(0), [0.5, 0.5])


def test_empty():
    assert Tikhonov.of(np.zeros((0, 3)), np.zeros(0)).solution(1).tolist() == [0, 0, 0]
    assert Tikhonov.of(np.zeros((3, 0)), np.ones(3)).norms(1)[0] == pytest.approx(3**0.5)
    assert Tikhonov.of(np.eye(3), np.zeros((3, 0))).solution(np.ones((4, 1))).shape == (4, 3, 0)
    assert Tikhonov.of(np.eye(3), np.ones(3)).solution(np.ones(0)).shape == (0, 3)


def test_result():
    A, b, L, _ = blurred()
    t = Tikhonov.of(A, b, L)
    assert repr(t) == "Tikhonov(A 60x60, L 58x60, float64, tikhonov)"
    same(pickle.loads(pickle.dumps(t)).solution(0.1), t.solution(0.1))
    assert "3 columns of b" in repr(Tikhonov.of(A, np.ones((60, 3))))
    # integers, lists, any strides
    same(Tikhonov.of([[2, 0], [0, 1]], [2, 1]).solution(0), [1, 1])
    same(Tikhonov.of(A[::-1], b[::-1], L[::-1]).alpha,
         Tikhonov.of(A[::-1].copy(), b[::-1].copy(), L[::-1].copy()).alpha)


def test_errors():
    A, b, L, noise = blurred()
    t = Tikhonov.of(A, b, L)
    for arguments, text in (((A, b[1:], L), "rows"), ((A, b, L[:, 1:]), "columns"),
                            ((A[None], b, L), "dimensions")):
        with pytest.raises(ValueError, match=text):
            Tikhonov.of(*arguments)
    with pytest.raises(ValueError, match="filter"):
        Tikhonov.of(A, b, L, filter="none")
    for bad in (A, b, L):
        arrays = [x.copy() for x in (A, b, L)]
        arrays[[x is bad for x in (A, b, L)].index(True)].flat[3] = np.nan
        with pytest.raises(libgsvd.LinAlgError, match="NaN"):
            Tikhonov.of(*arrays)
    for lam in (-1, np.nan):
        for call in (t.solution, t.norms, t.filters):
            with pytest.raises(ValueError, match="lambda"):
                call(lam)
    for arguments, keywords in ((("best",), {}), (("discrepancy",), {}), (("gcv",), {"delta": 1.0}),
                                (("discrepancy",), {"delta": 0.0})):
        with pytest.raises(ValueError, match="rule|delta"):
            t.choose(*arguments, **keywords)
    with pytest.raises(OverflowError):
        Tikhonov.of(np.array([[1e-300]]), np.array([1e300])).solution(0)


def test_no_corner():
    with pytest.warns(libgsvd.ConvergenceWarning) as found:
        assert Tikhonov.of(np.eye(2), np.ones(2)).choose("quasi") >= 0
    assert found[0].filename == __file__


@pytest.mark.parametrize("package", ["jax.numpy", "torch"])
def test_packages(package):
    xp = pytest.importorskip(package)
    A, b, L, _ = (x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in blurred())
    t = Tikhonov.of(*map(xp.asarray, (A, b, L)))
    want = Tikhonov.of(A, b, L)
    lam = t.choose()
    assert lam == want.choose()
    for x, y in ((t.solution(lam), want.solution(lam)), (t.gamma, want.gamma),
                 (t.filters([lam]), want.filters([lam])),
                 (t.norms([1.0])[1], want.norms([1.0])[1])):
        assert type(x) is type(xp.asarray(b))
        same(x, y)
    with pytest.raises(TypeError):
        Tikhonov.of(xp.asarray(A), b)
