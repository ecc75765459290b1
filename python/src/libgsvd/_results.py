# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the decompositions return."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ._arrays import diagonal, namespace


class LinAlgError(np.linalg.LinAlgError):
    """A call that failed.

    Attributes
    ----------
    status : str
        The name of the library's status, for example ``'GSVD_INVALID_ARGUMENT'``.
    info : int
        LAPACK's number: -i for argument i.  Of the first problem that failed, in a stack.
    """

    def __init__(self, text: str, status: str = "", info: int = 0):
        super().__init__(text)
        self.status, self.info = status, info

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.status, self.info)


class ConvergenceWarning(UserWarning):
    """The limit of sweeps was reached, or small values were lost: results are finite."""


class Stats(NamedTuple):
    """How one problem was solved."""

    device: int
    """Ordinal of the CUDA device; -1: the host."""
    solver: str
    """Of the triangular pair, in `gsvd`."""
    sweeps: int
    converged: bool
    seconds_preprocess: float
    seconds_solve: float
    seconds: float
    eigh: str
    """The method whose result `eigh` has."""
    svd: str
    """Likewise of `svd`."""


def _sizes(x: Any) -> str:
    return "x".join(map(str, x))


def _stack(x: Any) -> str:
    return f"{_sizes(x)} of " if len(x) else ""


def _type(x: Any) -> str:
    return str(x.dtype).removeprefix("torch.")


class _Fields:
    """Unpacks the fields that are not None, in their order, up to the last array."""

    _unpacks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        found = [getattr(self, name) for name in self._unpacks]
        return iter([x for x in found if x is not None])


class _Triangle(_Fields):
    """Has an R, and perhaps its rank."""

    R: Any

    def __repr__(self) -> str:
        rank = f", rank {self.rank}" if self.R.ndim == 2 and hasattr(self, "rank") else ""
        return (f"{type(self).__name__}({_stack(self.R.shape[:-2])}R {_sizes(self.R.shape[-2:])}, "
                f"{_type(self.R)}{rank})")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class GSVDResult(_Fields):
    """A = U C X^H, B = V S X^H.

    Unpacks to ``U, V, X, alpha, beta``; with ``form='xinv'`` to ``U, V, Y, alpha, beta``; with
    ``form='rq'`` to ``U, V, R, Q, alpha, beta``; without factors to ``alpha, beta``.  r is the
    rank of (A; B) or, in a stack, n.

    Attributes
    ----------
    U, V : array (..., m, m) and (..., p, p), or None
        Unitary.  Without `full_matrices` their leading min(m, n) and min(p, n) columns.  With `keep`
        U, V, and X or Y have a column for each pair of ``alpha[r.kept]``; it is 0 where the pair
        has no such vector, which has alpha = 0 in U and beta = 0 in V.
    X : array (..., n, r), or None
        In a stack, columns beyond a problem's rank are 0.
    Y : array (..., n, r), or None
        X^H Y = I, A Y = U C, B Y = V S.  In a stack, columns beyond a problem's rank are a basis
        of all z with A z = 0 and B z = 0.
    R, Q : array (..., r, r) and (..., n, n), or None
        X = Q[:, n - r:] @ R^H, Q unitary.  R is upper triangular; in a stack it is (0 R), in
        the first rows of (n, n), so that X = Q @ R^H.
    alpha, beta : array (..., r)
        Cosines, descending, and sines: alpha^2 + beta^2 = 1; in a stack both are 0 beyond a
        problem's rank.
    k, l : int, or array (...)
        l is the rank of B, and k + l that of (A; B).  The first k values are infinite.
    stats : Stats, or None
        Of one problem.
    """

    U: Any
    V: Any
    X: Any
    Y: Any
    R: Any
    Q: Any
    alpha: Any
    beta: Any
    k: Any
    l: Any
    shape: tuple[int, int, int]
    """m, n, p"""
    full_matrices: bool = False
    stats: Stats | None = None
    keep: int = 0
    """Of how many pairs there are factors: of the first, or, if negative, of the last; 0: of all."""
    scaled: bool = True
    """False: `tol` was given, with which columns of different size are not made alike."""

    _unpacks = ("U", "V", "X", "Y", "R", "Q", "alpha", "beta")

    def __init__(self, U: Any, V: Any, X: Any, Y: Any, R: Any, Q: Any, alpha: Any, beta: Any, k: Any,
                 l: Any, shape: tuple[int, int, int], full_matrices: bool = False,
                 stats: Stats | None = None, keep: int = 0, scaled: bool = True):
        # one by one: update() with these names takes three times as long
        fields = self.__dict__
        fields["U"], fields["V"] = U, V
        fields["X"], fields["Y"] = X, Y
        fields["R"], fields["Q"] = R, Q
        fields["alpha"], fields["beta"] = alpha, beta
        fields["k"], fields["l"] = k, l
        fields["shape"], fields["full_matrices"] = shape, full_matrices
        fields["stats"], fields["keep"], fields["scaled"] = stats, keep, scaled

    @property
    def rank(self) -> Any:
        """The rank of (A; B)."""
        return self.k + self.l

    @property
    def values(self) -> Any:
        """alpha / beta, descending: inf for the first k; NaN beyond a stack's ranks."""
        if isinstance(self.alpha, np.ndarray):
            with np.errstate(divide="ignore", invalid="ignore"):
                return self.alpha / self.beta
        return self.alpha / self.beta

    @property
    def kept(self) -> slice:
        """The values whose pairs have factors: ``alpha[r.kept]``, ``beta[r.kept]``."""
        size = self.alpha.shape[-1]
        return slice(max(size + self.keep, 0), size) if self.keep < 0 else slice(self.keep or size)

    @property
    def C(self) -> Any:
        """The matrix of cosines, with as many rows as U has columns."""
        if self.keep:
            return diagonal(self.alpha[self.kept], len(self.alpha[self.kept]))
        m, n, _ = self.shape
        return diagonal(self.alpha, m if self.full_matrices else min(m, n))

    @property
    def S(self) -> Any:
        """The matrix of sines, with as many rows as V has columns."""
        if self.keep:
            return diagonal(self.beta[self.kept], len(self.beta[self.kept]))
        _, n, p = self.shape
        return diagonal(self.beta, p if self.full_matrices else min(p, n), self.k)

    def angular_distance(self) -> Any:
        """atan(alpha / beta) - pi/4: pi/4 for what only A has, -pi/4 for what only B has."""
        xp, _ = namespace(self.alpha)
        return xp.arctan2(self.alpha, self.beta) - np.pi / 4

    def __repr__(self) -> str:
        m, n, p = self.shape
        pair = f"A {m}x{n}, B {p}x{n}, {_type(self.alpha)}"
        if self.alpha.ndim > 1:
            return f"GSVDResult({_sizes(self.alpha.shape[:-1])} pairs, {pair})"
        return f"GSVDResult({pair}, rank {self.rank} = k {self.k} + l {self.l})"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SVDResult(_Fields):
    """A = U diag(S) Vh.

    Unpacks to ``U, S, Vh``; without factors to ``S`` alone.

    Attributes
    ----------
    U, Vh : array (..., m, q) and (..., q, n), or None
        q is min(m, n); with `full_matrices` they are square.
    S : array (..., q)
        Descending.
    stats : Stats, or None
        Of one problem.
    """

    U: Any
    S: Any
    Vh: Any
    stats: Stats | None = None

    _unpacks = ("U", "S", "Vh")

    def __repr__(self) -> str:
        return f"SVDResult({_stack(self.S.shape[:-1])}{self.S.shape[-1]} values, {_type(self.S)})"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HSVDResult(_Fields):
    """G = U diag(S) V^H with V^H J V = diag(signs).

    Unpacks to ``U, S, V, signs``; without factors to ``S, signs``.  The eigenvalues of
    G J G^H are ``signs * S**2``, and U has its eigenvectors.

    Attributes
    ----------
    U, V : array (..., m, n) and (..., n, n), or None
        U has orthonormal columns; with `full_matrices` it is square.
    S : array (..., n)
        Those of sign 1, descending, then those of sign -1, descending.
    signs : array (n,)
        1 and -1.
    stats : Stats, or None
        Of one problem.
    """

    U: Any
    S: Any
    V: Any
    signs: Any
    stats: Stats | None = None

    _unpacks = ("U", "S", "V", "signs")

    @property
    def eigenvalues(self) -> Any:
        """Of G J G^H, those that are not 0."""
        return self.signs * self.S**2

    def __repr__(self) -> str:
        plus = int((self.signs > 0).sum())
        return (f"HSVDResult({_stack(self.S.shape[:-1])}{plus} values of sign 1 and "
                f"{self.S.shape[-1] - plus} of sign -1, {_type(self.S)})")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class EighResult(_Fields):
    """A = Q diag(w) Q^H.

    Unpacks to ``eigenvalues, eigenvectors``, or to ``eigenvalues`` alone.

    Attributes
    ----------
    eigenvalues : array (..., n)
        Ascending.
    eigenvectors : array (..., n, n), or None
        By columns.
    stats : Stats, or None
        Of one problem.
    """

    eigenvalues: Any
    eigenvectors: Any
    stats: Stats | None = None

    _unpacks = ("eigenvalues", "eigenvectors")

    def __repr__(self) -> str:
        w = self.eigenvalues
        return f"EighResult({_stack(w.shape[:-1])}{w.shape[-1]} eigenvalues, {_type(w)})"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QRResult(_Triangle):
    """A = Q R.

    Unpacks to ``Q, R``, or to ``R`` alone.

    Attributes
    ----------
    Q : array (..., m, q), or None
        Orthonormal columns; q is min(m, n) or, with ``mode='complete'``, m.
    R : array (..., q, n)
        Upper triangular or trapezoidal.
    """

    Q: Any
    R: Any

    _unpacks = ("Q", "R")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class GeqpResult(_Triangle):
    """A[:, P] = Q R, up to the tolerance.

    Unpacks to ``Q, R, P``, or to ``R, P``.

    Attributes
    ----------
    Q : array (..., m, q), or None
        Orthonormal columns; q is min(m, n) or, with ``mode='complete'``, m.
    R : array (..., q, n)
        Upper trapezoidal; rows beyond the rank are 0.
    P : array (..., n) of int64
        Column j of Q R is column P[j] of A.
    rank : int, or array (...)
    """

    Q: Any
    R: Any
    P: Any
    rank: Any

    _unpacks = ("Q", "R", "P")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class URVResult(_Triangle):
    """A = U R Vh, up to the tolerance.

    Unpacks to ``U, R, Vh``, or to ``R`` alone.

    Attributes
    ----------
    U, Vh : array (..., m, q) and (..., q, n), or None
        Orthonormal columns and rows; q is min(m, n).  With `full_matrices` they are square.
    R : array (..., q, q), or (..., m, n) with `full_matrices`
        0 but for an upper triangular matrix of order `rank` at its upper right.
    rank : int, or array (...)
    """

    U: Any
    R: Any
    Vh: Any
    rank: Any

    _unpacks = ("U", "R", "Vh")
