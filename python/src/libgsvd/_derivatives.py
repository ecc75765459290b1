# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of decompositions, for PyTorch and JAX.

g_x is the gradient by x of a real function f: df = Re sum(conj(g_x) dx).  Factors are of economy size,
of one problem or of a stack.  P = U^H dU and R = V^H dV are skew-Hermitian, so that only K - K^H counts
of what multiplies P.

`refuse(x, bad, text)` is x; where `bad` is true there is no derivative, which text says.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._arrays import namespace

Refuse = Callable[[Any, Any, str], Any]

NOT_DISTINCT = ("no derivative: the function depends on how vectors of equal values are chosen; "
                "factors have derivatives where values are distinct")
PHASE = "no derivative: the function depends on the phases of vectors, which are arbitrary"
ZERO = "no derivative: a value is 0"
RANK = ("no derivative: the ranks are not the largest for these shapes, and change with A and B; or "
        "(A; B) has fewer rows than columns")


def _adjoint(x: Any) -> Any:
    return x.swapaxes(-1, -2).conj()


def _diagonal(x: Any) -> Any:
    return x.diagonal(0, -2, -1)


def _with_diagonal(x: Any, d: Any) -> Any:
    xp, here = namespace(x)
    return xp.where(xp.eye(x.shape[-1], **here) > 0, d[..., None, :], x)


def _any(x: Any) -> Any:
    return x.any(-1).any(-1)[..., None, None]


def _imaginary(x: Any) -> Any:
    return (x - x.conj()) / 2


def _loose(values: Any, *gradients: Any) -> Any:
    """What counts as 0 among products of gradients, which are sums that were rounded."""
    xp, _ = namespace(values)
    norms = [(abs(g) ** 2).sum(-1).sum(-1)[..., None, None] ** 0.5 for g in gradients]
    return xp.finfo(values.dtype).eps ** 0.5 * sum(norms)


def _ratio(refuse: Refuse, x: Any, d: Any, loose: Any) -> Any:
    """x / d; 0 where d is 0, which asks for |x| <= loose."""
    xp, _ = namespace(d)
    none = d == 0
    q = xp.where(none, xp.zeros_like(x), x / xp.where(none, xp.ones_like(d), d))
    return refuse(q, _any(none & (abs(x) > loose)), ZERO)


def _lengths(*gradients: Any) -> Any:
    """Of their columns i and j, (..., i, j)"""
    x = sum((abs(g) ** 2).sum(-2) ** 0.5 for g in gradients)
    return x[..., None] + x[..., None, :]


def _quotient(refuse: Refuse, x: Any, a: Any, b: Any, size: Any, loose: Any) -> Any:
    """x / (a - b).  If a - b has no digit, vectors i and j are arbitrary, and what depends on them
    by more than loose is refused.
    """
    xp, here = namespace(a)
    n = x.shape[-1]
    equal = abs(a - b) <= n * xp.finfo(a.dtype).eps * (abs(a) + abs(b))
    x = xp.where(equal, xp.zeros_like(x), x / xp.where(equal, xp.ones_like(a - b), a - b))
    off = xp.eye(n, **here) == 0
    return refuse(x, _any(equal & off & (size > loose)), NOT_DISTINCT)


def _rotations(refuse: Refuse, a: Any, b: Any, K: Any, L: Any, size: Any, loose: Any) -> Any:
    """The gradient by G of Re sum(conj(K) P + conj(L) R), where with b = a^T

    P = (a G + b G^H) / (a^2 - b^2) and R = (b G + a G^H) / (a^2 - b^2).

    Where a and b are 0 that is so at all matrices of these shapes.  The function may then depend on
    vectors i and j, by what no rotation of them changes.
    """
    xp, _ = namespace(a)
    skew_k, skew_l = K - _adjoint(K), L - _adjoint(L)
    none = a + b == 0
    x = (a * skew_k + b * skew_l) / xp.where(none, xp.ones_like(a + b), a + b)
    size = xp.where(none, abs(skew_k) + abs(skew_l), size)
    x = _quotient(refuse, x, a, b, size, loose)
    return refuse(x, _any(abs(_diagonal(skew_k + skew_l))[..., None, :] > loose), PHASE)


def svdvals(refuse: Refuse, U: Any, S: Any, Vh: Any, gS: Any) -> Any:
    S, gS = S[..., None, :], gS[..., None, :]
    return (U * refuse(gS, _any((S == 0) & (gS != 0)), ZERO)) @ Vh


def svd(refuse: Refuse, U: Any, S: Any, Vh: Any, gU: Any, gS: Any, gVh: Any) -> Any:
    """U^H dA V = P S + dS - S R"""
    m, n = U.shape[-2], Vh.shape[-1]
    V, gV = _adjoint(Vh), _adjoint(gVh)
    K, L = _adjoint(U) @ gU, _adjoint(V) @ gV
    loose = _loose(S, gU, gV)
    rows, columns = S[..., None], S[..., None, :]
    E = _rotations(refuse, columns, rows, K, L, _lengths(gU, gV), loose)
    phases = _ratio(refuse, _imaginary(_diagonal(K))[..., None, :], columns, loose)
    gA = U @ _with_diagonal(E, phases[..., 0, :]) @ Vh
    if m > n:
        gA = gA + _ratio(refuse, gU - U @ K, columns, loose) @ Vh
    if n > m:
        gA = gA + U @ _adjoint(_ratio(refuse, gV - V @ L, columns, loose))
    return gA + svdvals(refuse, U, S, Vh, gS)


def eigh(refuse: Refuse, w: Any, Q: Any, gw: Any, gQ: Any) -> Any:
    """(Q^H dA Q)_ij = dw + (w_j - w_i) P_ij.  The gradient is Hermitian, as dA is."""
    gA = (Q * gw[..., None, :]) @ _adjoint(Q)
    if gQ is None:
        return gA
    K = _adjoint(Q) @ gQ
    skew, loose = K - _adjoint(K), _loose(w, gQ)
    E = _quotient(refuse, skew / 2, w[..., None, :], w[..., None], _lengths(gQ), loose)
    E = refuse(E, _any(abs(_diagonal(skew))[..., None, :] > loose), PHASE)
    return gA + Q @ E @ _adjoint(Q)


def gsvd(refuse: Refuse, U: Any, V: Any, X: Any, alpha: Any, beta: Any, k: Any, l: Any, gU: Any,
         gV: Any, gX: Any, g_alpha: Any, g_beta: Any) -> tuple[Any, Any]:
    """With E = U^H dA X^-H, F = V^H dB X^-H, W = dX^H X^-H:

    E = P c + dc + c W and F = R s + ds + s W.  So G = s E - c F is s_i c_j P - c_i s_j R, and as
    c^2 + s^2 = 1 W = c E + s F - c P c - s R s.  U has a column 0 where c is 0, and V where s is.
    Gradients of factors may be None.
    """
    xp, here = namespace(alpha)
    m, p, n = U.shape[-2], V.shape[-2], X.shape[-1]
    q, r = min(m, n), min(p, n)
    bad = (k + l != n) | (l != r) | (m + p < n)
    if q:
        bad = bad | (alpha[..., q - 1] == 0)
    alpha = refuse(alpha, bad[..., None], RANK)
    inverse = xp.linalg.inv(X)
    one = xp.eye(n, dtype=X.dtype, **here)
    U_n, V_n = U @ one[:q], V @ one[n - r:]
    c, s, c_i, s_i = alpha[..., None, :], beta[..., None, :], alpha[..., None], beta[..., None]
    angles = beta * -g_alpha + alpha * g_beta
    if gU is None:
        gE, gF = -beta * angles, alpha * angles
        return (U_n * gE[..., None, :]) @ inverse, (V_n * gF[..., None, :]) @ inverse

    loose = _loose(alpha, gU, gV, _adjoint(gX) @ X)
    gU_n, gV_n = gU @ one[:q], gV @ one[n - r:]
    M_U, M_V, N = _adjoint(U_n) @ gU_n, _adjoint(V_n) @ gV_n, _adjoint(gX) @ X
    gG = _rotations(refuse, s_i * c, c_i * s, M_U - c_i * N * c, M_V - s_i * N * s,
                    _lengths(gU_n, gV_n, gX), loose)
    gE, gF = s_i * gG + c_i * N, s_i * N - c_i * gG
    stretch = _diagonal(N) - _imaginary(_diagonal(N))

    def phase(M: Any, d: Any) -> Any:
        return _ratio(refuse, _imaginary(_diagonal(M))[..., None, :], d, loose)[..., 0, :]

    gE = _with_diagonal(gE, alpha * stretch + phase(M_U, c) - beta * angles)
    gF = _with_diagonal(gF, beta * stretch + phase(M_V, s) + alpha * angles)
    gA, gB = U_n @ gE @ inverse, V_n @ gF @ inverse
    if m > n:
        gA = gA + ((gU - U @ M_U) / c) @ inverse
    if p > n:
        gB = gB + ((gV - V @ M_V) / s) @ inverse
    return gA, gB
