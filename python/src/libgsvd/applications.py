# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Regularization out of one GSVD: `Tikhonov`."""
from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any, Literal

import numpy as np

from . import _core
from ._arrays import LETTERS, TYPES, Place, _see, common_type, take
from ._decompose import NOT_CONVERGED, OVERFLOW, _choice, gsvd, svd
from ._results import ConvergenceWarning, LinAlgError, _type

__all__ = ["Tikhonov"]

# numbers of gsvd_filter.h
FILTERS = {"tikhonov": 0, "truncated": 1, "damped": 2}
RULES = {"gcv": 0, "lcurve": 1, "discrepancy": 2, "quasi": 3}


def _report(status: int, text: str) -> None:
    if status == NOT_CONVERGED:
        warnings.warn(text, ConvergenceWarning, stacklevel=3)
    elif status == OVERFLOW:
        raise OverflowError(text)
    elif status:
        raise ValueError(text)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Tikhonov:
    """min ||A x - b||^2 + lambda^2 ||L x||^2 for any number of lambda, out of one GSVD of (A, L).

    `Tikhonov.of` makes it.  A lambda may be an array, which broadcasts with the columns of b: of
    q columns, q numbers are one for each, and an array (c, 1) has c for all of them.

    Attributes
    ----------
    alpha, beta : array (r,)
        Of the GSVD of (A, L); without L singular values and 1.
    Y : array (n, r)
        A Y = U C and L Y = V S.
    coefficients : array (r,) or (r, q)
        U^H b; a Picard plot shows their sizes beside alpha.
    rest : float or array (q,)
        The part of b that no A x meets: the least residual.
    filter : str
    """

    alpha: Any
    beta: Any
    Y: Any
    coefficients: Any
    rest: Any
    shape: tuple[int, int, int]
    """m, n, and the rows of L, or n without L."""
    filter: Literal["tikhonov", "truncated", "damped"]

    @staticmethod
    def of(A: Any, b: Any, L: Any = None, *,
           filter: Literal["tikhonov", "truncated", "damped"] = "tikhonov",
           device: int | None = None) -> Tikhonov:
        """The problem of A, b and L.

        Parameters
        ----------
        A : array (m, n)
            In host memory.
        b : array (m,) or (m, q)
        L : array (p, n), optional
            What is to be small, a derivative for example.  The default is the identity, for
            which the SVD of A is enough.
        filter : {'tikhonov', 'truncated', 'damped'}
            What remains of each term of the least squares solution: gamma^2 / (gamma^2 + lambda^2),
            gamma = alpha / beta; 1 where gamma >= lambda and else 0; gamma / (gamma + lambda).
            What L does not see (gamma infinite) remains whole.
        device : int, optional
            The CUDA device that computes the GSVD.  The default is the host.

        Returns
        -------
        Tikhonov

        Raises
        ------
        LinAlgError
            A NaN or an infinity in A, b or L.

        Notes
        -----
        If A and L have null vectors in common, x is not the only one; it has no part in them.

        Examples
        --------
        >>> import numpy as np
        >>> from libgsvd.applications import Tikhonov
        >>> t = np.linspace(0, 1, 50)
        >>> A = np.exp(-100 * (t[:, None] - t) ** 2) / 50
        >>> b = A @ np.sin(3 * t) + 1e-3 * np.random.default_rng(0).standard_normal(50)
        >>> L = np.diff(np.eye(50), 2, axis=0)
        >>> problem = Tikhonov.of(A, b, L)
        >>> problem
        Tikhonov(A 50x50, L 48x50, float64, tikhonov)
        >>> x = problem.solution(problem.choose("gcv"))
        >>> bool(abs(x - np.sin(3 * t)).max() < 0.05)
        True
        """
        _choice("filter", filter, FILTERS)
        vector = len(b.shape if hasattr(b, "shape") else np.shape(b)) == 1
        if vector:
            b = (b if hasattr(b, "shape") else np.asarray(b))[:, None]
        arrays = {"A": A, "b": b} if L is None else {"A": A, "b": b, "L": L}
        place, seen = take(**arrays)
        if place.on_device:
            raise TypeError("Tikhonov: arrays in host memory")
        for name, x in zip(arrays, seen):
            if x.ndim != 2:
                raise ValueError(f"{name}: {x.ndim} dimensions")
        (m, n), q = seen[0].shape, seen[1].shape[1]
        if seen[1].shape[0] != m:
            raise ValueError(f"A has {m} rows, b has {seen[1].shape[0]}")
        dtype = common_type(*(x.dtype for x in seen))
        seen = [x.astype(dtype, copy=False) for x in seen]
        if not np.isfinite(seen[1]).all():
            raise LinAlgError("b: has a NaN or an infinity", "GSVD_INVALID_ARGUMENT")
        if L is None:
            s = svd(seen[0], device=device)
            U, alpha, beta, Y = s.U, s.S, np.ones_like(s.S), s.Vh.swapaxes(0, 1).conj()
        else:
            g = gsvd(seen[0], seen[2], form="xinv", device=device)
            U, alpha, beta, Y = g.U, g.alpha, g.beta, g.Y
        r = len(alpha)
        U, Y = np.asfortranarray(U[:, :min(m, r)]), np.asfortranarray(Y[:, :r])
        C, rest = np.zeros((r, q), dtype, "F"), np.zeros(q, TYPES[dtype])
        _report(*_core.picard(LETTERS[dtype], U, np.array(seen[1], order="F"), C, rest))
        p = n if L is None else seen[2].shape[0]
        alpha, beta, Y, C, rest = map(place.give, (alpha, beta, Y, C, rest))
        if vector:
            return Tikhonov(alpha, beta, Y, C[:, 0], float(rest[0]), (m, n, p), filter)
        return Tikhonov(alpha, beta, Y, C, rest, (m, n, p), filter)

    @property
    def gamma(self) -> Any:
        """alpha / beta, descending; inf where L is 0."""
        place, alpha, beta = self._values()
        with np.errstate(divide="ignore"):
            return place.give(alpha / beta)

    @property
    def lambda_range(self) -> tuple[float, float]:
        """The least and the largest lambda that `choose` looks at; (0, 0): none changes x."""
        _, alpha, beta = self._values()
        found = np.zeros(2, alpha.dtype)
        _report(*_core.lambda_range(LETTERS[alpha.dtype], alpha, beta, found))
        return float(found[0]), float(found[1])

    def filters(self, lam: Any) -> Any:
        """What remains of each term, from 0 to 1 up to rounding.

        Parameters
        ----------
        lam : float or array

        Returns
        -------
        array (..., r)
            In the order of alpha.
        """
        place, alpha, beta = self._values()
        x = _numbers(lam, alpha.dtype)[..., None]
        # solutions of c = alpha and Y = I
        f = _filtered(self.filter, alpha, beta, alpha[:, None], np.zeros(1, alpha.dtype), x,
                      np.eye(len(alpha), dtype=alpha.dtype, order="F"))[2]
        return place.give(f[..., 0])

    def solution(self, lam: Any) -> Any:
        """x for each lambda.

        Parameters
        ----------
        lam : float or array
            From 0, least squares, to inf, what L does not see.

        Returns
        -------
        array (..., n), or (..., n, q) of q columns of b

        Raises
        ------
        OverflowError
            An entry exceeds the largest number.
        """
        place, _, _, x = self._solve(lam, True)
        return place.give(x)

    def norms(self, lam: Any) -> tuple[Any, Any]:
        """||A x - b|| and ||L x|| for each lambda; no x is made.

        Parameters
        ----------
        lam : float or array

        Returns
        -------
        residual, seminorm : array (...), or (..., q)
        """
        place, residual, seminorm, _ = self._solve(lam, False)
        return place.give(residual), place.give(seminorm)

    def choose(self, rule: Literal["gcv", "lcurve", "discrepancy", "quasi"] = "gcv", *,
               delta: float | None = None) -> Any:
        """A lambda, for each column of b.

        Parameters
        ----------
        rule : {'gcv', 'lcurve', 'discrepancy', 'quasi'}
            Generalized cross-validation; the corner of the L-curve, not of the filter
            'truncated'; the largest lambda with ||A x - b|| <= delta; quasi-optimality.
        delta : float, optional
            The norm of the noise, of 'discrepancy'.

        Returns
        -------
        float, or array (q,)
            inf: each lambda has a residual of at most delta.

        Raises
        ------
        ValueError
            delta is less than the residual of every lambda.

        Warns
        -----
        ConvergenceWarning
            The L-curve has no corner, or quasi-optimality's function no minimum.

        Examples
        --------
        >>> import numpy as np
        >>> from libgsvd.applications import Tikhonov
        >>> problem = Tikhonov.of(np.diag([4.0, 2, 1]), np.array([1.0, 1, 1]))
        >>> lam = problem.choose("discrepancy", delta=0.5)
        >>> round(float(problem.norms(lam)[0]), 12)
        0.5
        """
        number = _choice("rule", rule, RULES)
        if (delta is None) != (rule != "discrepancy"):
            raise ValueError("delta: of the rule 'discrepancy', which needs it")
        place, alpha, beta = self._values()
        c, rest = self._columns()
        found = np.zeros(len(rest), alpha.dtype)
        for j in range(len(rest)):
            _report(*_core.choose(LETTERS[c.dtype], number, FILTERS[self.filter], self.shape[0],
                                  alpha, beta, c[:, j].copy(), rest[j:j + 1], float(delta or 0),
                                  found[j:j + 1]))
        return place.give(found) if self._many() else float(found[0])

    def _values(self) -> tuple[Place, np.ndarray, np.ndarray]:
        place, alpha, _ = _see(self.alpha)
        return place, np.array(alpha), np.array(_see(self.beta)[1])

    def _many(self) -> bool:
        return len(self.coefficients.shape) > 1

    def _columns(self) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients (r, q), and what no x meets (q,)."""
        c = _see(self.coefficients)[1]
        if self._many():
            return c, np.array(_see(self.rest)[1])
        return c[:, None], np.array([self.rest], TYPES[c.dtype])

    def _solve(self, lam: Any, wanted: bool) -> tuple[Place, Any, Any, Any]:
        place, alpha, beta = self._values()
        c, rest = self._columns()
        x = _numbers(lam, alpha.dtype)
        if not self._many():
            x = x[..., None]
        Y = np.require(_see(self.Y)[1], requirements=["F", "W"]) if wanted else None
        residual, seminorm, X = _filtered(self.filter, alpha, beta, c, rest, x, Y)
        if self._many():
            return place, residual, seminorm, X
        return place, residual[..., 0], seminorm[..., 0], X[..., 0]

    def __repr__(self) -> str:
        m, n, p = self.shape
        columns = f", {self.coefficients.shape[1]} columns of b" if self._many() else ""
        return (f"Tikhonov(A {m}x{n}, L {p}x{n}{columns}, {_type(self.coefficients)}, "
                f"{self.filter})")


def _numbers(lam: Any, dtype: np.dtype) -> np.ndarray:
    with np.errstate(over="ignore"):  # beyond the largest number is infinite
        return np.asarray(lam).astype(dtype)


def _filtered(filter: str, alpha: np.ndarray, beta: np.ndarray, c: np.ndarray, rest: np.ndarray,
              lam: np.ndarray, Y: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both norms (..., q) and solutions (..., n, q); lam broadcasts with the q columns of c."""
    q = c.shape[1]
    lam = np.broadcast_to(lam, np.broadcast_shapes(lam.shape, (q,)))
    *lead, _ = lam.shape
    count, n = math.prod(lead), 0 if Y is None else len(Y)
    norms, X = np.zeros((2, q, count), alpha.dtype), np.zeros((q, count, n), c.dtype)
    for j in range(q):
        _report(*_core.filtered(LETTERS[c.dtype], FILTERS[filter], alpha, beta, c[:, j].copy(),
                                rest[j:j + 1], np.array(lam[..., j]).ravel(), norms[0, j],
                                norms[1, j], Y, None if Y is None else X[j].T))
    residual, seminorm = (y.T.reshape(*lead, q) for y in norms)
    return residual, seminorm, X.transpose(1, 2, 0).reshape(*lead, n, q)
