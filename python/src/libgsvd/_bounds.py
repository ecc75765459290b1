# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""How far the values of a pair may be off."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import HOST, LETTERS, _see, take
from ._results import GSVDResult, LinAlgError


class ErrorBounds(NamedTuple):
    """What `error_bounds` returns."""

    bounds: Any
    """(..., r), at most 1, in the order of the values; in a stack 0 beyond a problem's rank."""
    cond: Any
    """The condition of R: ||(A; B)|| ||Y||, in Frobenius norms; float, or array (...)."""


def _lengths(a: np.ndarray, real: np.dtype, scaled: bool) -> np.ndarray:
    """Of the columns; where they were not scaled, the largest for each of them."""
    size = np.abs(a).astype(np.float64)
    most = size.max(-2, initial=0, keepdims=True)
    divisor = np.where(most > 0, most, 1)
    x = (divisor * np.sqrt(np.square(size / divisor).sum(-2, keepdims=True)))[..., 0, :]
    if not scaled:
        x = np.broadcast_to(x.max(-1, initial=0, keepdims=True), x.shape)
    return np.minimum(x, np.finfo(real).max).astype(real)


def error_bounds(A: Any, B: Any, result: GSVDResult, *, error: float = 0.0) -> ErrorBounds:
    """Bounds of the errors of generalized values.

    If the ranks are right, each pair is off by no more than
    ``|alpha * beta_true - beta * alpha_true| <= bound``; alpha / beta then has a relative error of
    about ``bound / (alpha * beta)``.

    Parameters
    ----------
    A, B : array (..., m, n) and (..., p, n)
        In host memory; what `result` was computed of.
    result : GSVDResult
        Of ``gsvd(A, B, form='xinv')``.
    error : float
        Relative error of each column of A and of B, as of data.  0: the rounding errors of `gsvd`,
        of the solver 'tangent' and mostly of 'csd'.

    Returns
    -------
    ErrorBounds

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> A, B = np.array([[1.0, 2], [3, 4], [5, 6]]), np.array([[1.0, 1], [0, 1]])
    >>> r = libgsvd.gsvd(A, B, form='xinv')
    >>> bool((libgsvd.error_bounds(A, B, r).bounds < 1e-13).all())
    True
    >>> bounds, cond = libgsvd.error_bounds(A, B, r, error=1e-3)
    >>> bounds.round(5), round(cond, 2)
    (array([0.00034, 0.0103 ]), 11.84)
    """
    place, (a, b) = take(A=A, B=B)
    if place.on_device:
        raise TypeError("error_bounds: arrays in host memory")
    if result.Y is None:
        raise ValueError("result: not of form='xinv'")
    if result.keep:
        raise ValueError("result: of some pairs alone")
    m, n, p = result.shape
    if a.shape[-2:] != (m, n) or b.shape[-2:] != (p, n):
        raise ValueError("result: not of A and B")
    alpha, beta, Y = (_see(x)[1] for x in (result.alpha, result.beta, result.Y))
    lead, real = alpha.shape[:-1], alpha.dtype
    count = int(np.prod(lead))
    lengths = [np.array(np.broadcast_to(_lengths(x, real, result.scaled), (*lead, n)))
               .reshape(count, n) for x in (a, b)]
    ranks = np.array(result.rank, np.int64).reshape(count)
    bounds, cond = np.zeros((count, alpha.shape[-1]), real), np.zeros(count, real)
    pairs = [np.array(x, order="C").reshape(bounds.shape) for x in (alpha, beta)]
    by_columns = np.array(Y.swapaxes(-1, -2), order="C").reshape(count, Y.shape[-1], n)
    status, text = _core.error_bounds(HOST, LETTERS[Y.dtype], pairs[0], pairs[1], lengths[0],
                                      lengths[1], by_columns, ranks, float(error), bounds, cond)
    if status != 0:
        raise ValueError(text) if text.startswith("error") else LinAlgError(
            text, _core.status_name(status))
    if not lead:
        return ErrorBounds(place.give(bounds[0]), float(cond[0]))
    return ErrorBounds(place.give(bounds.reshape(alpha.shape)), place.give(cond.reshape(lead)))
