# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of decompositions, for PyTorch and JAX.

g_x is the gradient by x of a real function f: df = Re sum(conj(g_x) dx).  Factors are of economy size,
of one problem or of a stack.  P = U^H dU and R = V^H dV are skew-Hermitian, so that only K - K^H counts
of what multiplies P.

Each function is linear in the gradients, and its adjoint is the forward derivative.

`refuse(xs, masks, text, mark)` is xs, matrices which depend on the gradients.  Where a mask is true f
has no derivative unless xs is 0 there, up to rounding; text says why.  None is no mask.  In the adjoint a
mask says which changes of results do not exist, and are NaN; without `mark` they are a choice, which no f
that passes in the gradient sees.  Of what it returns the first is used.
"""
from __future__ import annotations

from typing import Any, Protocol

from ._arrays import namespace


class Refuse(Protocol):
    def __call__(self, xs: tuple[Any, ...], masks: tuple[Any, ...], text: str,
                 mark: bool = True) -> tuple[Any, ...]: ...


NOT_DISTINCT = ("no derivative: the function depends on how vectors of equal values are chosen; "
                "factors have derivatives where values are distinct")
PHASE = "no derivative: the function depends on the phases of vectors, which are arbitrary"
ZERO = "no derivative: a value is 0"
RANK = ("no derivative: the ranks are not the largest for these shapes, and change with A and B; or "
        "(A; B) has fewer rows than columns")
RANK_OF_ONE = ("no derivative: the rank is less than the numbers of rows and columns, and changes with "
               "A; or a leading column depends on those before it")


def depends(xs: tuple[Any, ...], masks: tuple[Any, ...]) -> Any:
    """Whether some x is more than rounding where its mask is true: (..., 1, 1)"""
    xp, _ = namespace(xs[0])
    size = sum((abs(x) ** 2).sum(-1).sum(-1)[..., None, None] for x in xs) ** 0.5
    loose = xp.finfo(size.dtype).eps ** 0.5 * size
    return sum(_any(mask & (abs(x) > loose)) for x, mask in zip(xs, masks)
               if mask is not None) > 0


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


def _over(x: Any, d: Any, none: Any) -> Any:
    """x / d; 0, but of a NaN, where none is true"""
    xp, _ = namespace(d)
    return xp.where(none, 0 * x, x / xp.where(none, xp.ones_like(d), d))


def _ratio(refuse: Refuse, x: Any, d: Any, *sizes: Any) -> Any:
    """x / d; 0 where d is 0, which asks for no x beside these sizes."""
    none = d == 0
    x, *_ = refuse((x, *sizes), (none, *(None for _ in sizes)), ZERO)
    return _over(x, d, none)


def _equal(a: Any, b: Any) -> Any:
    """Which vectors i and j are arbitrary: a - b has no digit"""
    xp, here = namespace(a)
    n = a.shape[-1]
    off = xp.eye(n, **here) == 0
    return off & (abs(a - b) <= n * xp.finfo(a.dtype).eps * (abs(a) + abs(b)))


def _distinct(refuse: Refuse, equal: Any, *gradients: Any) -> Any:
    """Gradients of vectors, none of which is one of equal values."""
    some = equal.any(-2)[..., None, :]
    return refuse(gradients, tuple(some for _ in gradients), NOT_DISTINCT)


def _phases(refuse: Refuse, x: Any, turns: Any, *sizes: Any) -> Any:
    """x, of an f that does not change where vectors turn by phases: with diagonal(turns)."""
    d = _diagonal(turns)[..., None, :]
    return refuse((x, d, *sizes), (None, True, *(None for _ in sizes)), PHASE, False)[0]


def _rotations(refuse: Refuse, a: Any, b: Any, equal: Any, K: Any, L: Any, *sizes: Any,
               sign: Any = None) -> Any:
    """The gradient by G of Re sum(conj(K) P + conj(L) R), where with b = a^T and signs, or 1,

    P = (a G + sign b G^H) / (a^2 - sign b^2) and R = (b G + a G^H) / (a^2 - sign b^2).

    Where a and b are 0 that is so at all matrices of these shapes.  f may then depend on vectors i and j,
    by what no rotation of them changes.
    """
    xp, _ = namespace(a)
    sign = xp.ones_like(a + b) if sign is None else sign
    skew_k, skew_l = K - _adjoint(K), L - sign * _adjoint(L)
    none = a + b == 0
    skew_k, skew_l, *_ = refuse((skew_k, skew_l, *sizes),
                                (none & equal, none & equal, *(None for _ in sizes)),
                                NOT_DISTINCT, False)
    skew_k = _phases(refuse, skew_k, skew_k + skew_l, *sizes)
    h = xp.hypot(a, b)
    plus, minus = xp.where(sign > 0, a + b, h), xp.where(sign > 0, a - b, h)
    return _over(_over(a * skew_k + b * skew_l, plus, none), minus, equal | (minus == 0))


def svdvals(refuse: Refuse, U: Any, S: Any, Vh: Any, gS: Any) -> Any:
    gS, = refuse((gS[..., None, :],), (S[..., None, :] == 0,), ZERO)
    return (U * gS) @ Vh


def _hsvd(refuse: Refuse, U: Any, S: Any, V: Any, sign: Any, gU: Any, gV: Any,
          inverse: Any) -> Any:
    """The gradient by G of vectors, V^H J V = diag(signs) and sign_ij = signs_i signs_j:

    U^H dG V^-H = P S + dS - S sign R
    """
    rows, columns = S[..., None], S[..., None, :]
    equal = _equal(columns, rows) & (sign > 0)
    gU, gV = _distinct(refuse, equal & (rows + columns > 0), gU, gV)
    K, L = _adjoint(U) @ gU, _adjoint(V) @ gV
    E = _rotations(refuse, columns, rows, equal, K, L, gU, gV, sign=sign)
    phases = _ratio(refuse, _imaginary(_diagonal(K))[..., None, :], columns, gU, gV)
    gG = U @ _with_diagonal(E, phases[..., 0, :]) @ inverse
    if U.shape[-2] > U.shape[-1]:
        gG = gG + _ratio(refuse, gU - U @ K, columns, gU, gV) @ inverse
    return gG


def svd(refuse: Refuse, U: Any, S: Any, Vh: Any, gU: Any, gS: Any, gVh: Any) -> Any:
    xp, here = namespace(S)
    q, n = Vh.shape[-2:]
    V, gV = _adjoint(Vh), _adjoint(gVh)
    gA = _hsvd(refuse, U, S, V, xp.ones((q, q), dtype=S.dtype, **here), gU, gV, Vh)
    if n > q:
        rest = gV - V @ (Vh @ gV)
        gA = gA + U @ _adjoint(_ratio(refuse, rest, S[..., None, :], gU, gV))
    return gA + svdvals(refuse, U, S, Vh, gS)


def hsvd(refuse: Refuse, U: Any, S: Any, V: Any, signs: Any, gU: Any, gS: Any, gV: Any) -> Any:
    """Of J = diag(signs), the first n_plus of which are 1"""
    inverse = _adjoint(signs[..., None] * V * signs[..., None, :])
    gG = (U * gS[..., None, :]) @ inverse
    return gG + _hsvd(refuse, U, S, V, signs[..., None] * signs[..., None, :], gU, gV, inverse)


def eigh(refuse: Refuse, w: Any, Q: Any, gw: Any, gQ: Any) -> Any:
    """(Q^H dA Q)_ij = dw + (w_j - w_i) P_ij.  The gradient is Hermitian, as dA is."""
    gA = (Q * gw[..., None, :]) @ _adjoint(Q)
    rows, columns = w[..., None], w[..., None, :]
    equal = _equal(columns, rows)
    gQ, = _distinct(refuse, equal, gQ)
    K = _adjoint(Q) @ gQ
    skew = _phases(refuse, K - _adjoint(K), K - _adjoint(K), gQ)
    d = columns - rows
    return gA + Q @ _over(skew / 2, d, equal | (d == 0)) @ _adjoint(Q)


def qr(refuse: Refuse, Q: Any, R: Any, gQ: Any, gR: Any, bad: Any = False) -> Any:
    """Of the leading columns A_1 = Q R_1 and Z = Q^H dA_1 R_1^-1, whose strictly lower part is that of P:

    Z = P + dR_1 R_1^-1, where R_1 and dR_1 have real diagonals; R_2 = Q^H A_2.
    """
    xp, here = namespace(R)
    n = Q.shape[-1]
    bad = bad | (_diagonal(R) == 0).any(-1)[..., None, None]
    gQ, gR = refuse((gQ, gR), (bad, bad), RANK_OF_ONE)
    one = xp.eye(n, dtype=R.dtype, **here)
    R_1, R_2 = xp.where(bad, one, R[..., :n]), R[..., n:]
    gR_1, gR_2 = xp.triu(gR[..., :n]), gR[..., n:]
    gQ = gQ + Q @ (R_2 @ _adjoint(gR_2))
    K, M = _adjoint(Q) @ gQ, gR_1 @ _adjoint(R_1)
    skew = K - M - _adjoint(K - M)
    Z = M + xp.tril(skew) - one * skew / 2
    g = xp.linalg.solve(R_1, _adjoint(gQ + Q @ (Z - K)))
    return xp.concatenate([_adjoint(g), Q @ gR_2], -1)


def geqp(refuse: Refuse, Q: Any, R: Any, P: Any, rank: Any, gQ: Any, gR: Any) -> Any:
    """Of A[:, P], where P does not change"""
    xp, here = namespace(R)
    bad = (rank < Q.shape[-1])[..., None, None]
    g = qr(refuse, Q, R, gQ, gR, bad)
    place = xp.where(P[..., None] == xp.arange(R.shape[-1], **here), 1, 0)
    return g @ xp.asarray(place, dtype=R.dtype, **here)


def urv(refuse: Refuse, U: Any, R: Any, Vh: Any, P: Any, rank: Any, gU: Any, gR: Any,
        gVh: Any) -> Any:
    """With S = R Vh: A[:, P] = U S[:, P] is geqp's, and QR, rows and columns in reverse, is S^H = Vh^H R^H.

    If A has as many columns as R, Vh is that order of columns, and does not change.
    """
    xp, here = namespace(R)
    q, n = Vh.shape[-2:]
    bad = (rank < q)[..., None, None]
    gU, gR, gVh = refuse((gU, gR, gVh), (bad, bad, bad), RANK_OF_ONE)
    if q == n:  # and of Vh the adjoint is 0, or NaN
        return geqp(refuse, U, R, P, rank, gU + U @ (0 * gVh), gR)

    def reverse(x: Any) -> Any:
        return xp.flip(_adjoint(x), (-2, -1))

    gS = reverse(qr(refuse, reverse(Vh), reverse(R), reverse(gVh), reverse(xp.triu(gR)), bad))
    place = xp.asarray(xp.where(P[..., None, :] == xp.arange(n, **here)[:, None], 1, 0),
                       dtype=R.dtype, **here)
    return geqp(refuse, U, R @ Vh @ place, P, rank, gU, gS @ place)


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
    bad = bad[..., None, None]
    factors = [] if gU is None else [gU, gV, gX]
    g_alpha, g_beta, *factors = refuse(
        (g_alpha[..., None, :], g_beta[..., None, :], *factors), (bad,) * (2 + len(factors)), RANK)
    one = xp.eye(n, dtype=X.dtype, **here)
    inverse = xp.linalg.inv(xp.where(bad, one, X))
    U_n, V_n = U @ one[:q], V @ one[n - r:]
    c, s, c_i, s_i = alpha[..., None, :], beta[..., None, :], alpha[..., None], beta[..., None]
    angles = c * g_beta - s * g_alpha
    if gU is None:
        return (U_n * (-s * angles)) @ inverse, (V_n * (c * angles)) @ inverse

    gU, gV, gX = factors
    a, b = s_i * c, c_i * s
    equal = _equal(a, b)
    some = equal & (a + b > 0)
    gU_n, gV_n, gX = _distinct(refuse, some, gU @ one[:q], gV @ one[n - r:], gX)
    gU, gV = gU_n[..., :q], gV_n[..., n - r:]
    M_U, M_V, N = _adjoint(U_n) @ gU_n, _adjoint(V_n) @ gV_n, _adjoint(gX) @ X
    gG = _rotations(refuse, a, b, equal, M_U - c_i * N * c, M_V - s_i * N * s, gU, gV, N)
    gE, gF = s_i * gG + c_i * N, s_i * N - c_i * gG
    stretch = (_diagonal(N) - _imaginary(_diagonal(N)))[..., None, :]

    def phase(M: Any, d: Any) -> Any:
        return _over(_imaginary(_diagonal(M))[..., None, :], d, d == 0)

    gE = _with_diagonal(gE, (c * stretch + phase(M_U, c) - s * angles)[..., 0, :])
    gF = _with_diagonal(gF, (s * stretch + phase(M_V, s) + c * angles)[..., 0, :])
    gA, gB = U_n @ gE @ inverse, V_n @ gF @ inverse
    if m > n:
        gA = gA + _over(gU - U @ M_U, c, c == 0) @ inverse
    if p > n:
        gB = gB + _over(gV - V @ M_V, s, s == 0) @ inverse
    return gA, gB
