# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""The decompositions: arrays in, results out."""
from __future__ import annotations

import functools
import math
import warnings
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._arrays import HOST, LETTERS, NUMPY, TYPES, Place, common_type, take, whole
from ._results import (ConvergenceWarning, EighResult, GeqpResult, GSVDResult, HSVDResult,
                       LinAlgError, QRResult, Stats, SVDResult, URVResult)

# numbers of gsvd.h
GSVD, QR, QR_FORM, GEQP, SVD, HSVD, URV, EIGH = 1, 4, 6, 7, 8, 9, 10, 11
BATCHED = (GSVD, SVD, HSVD, EIGH)
OPTION_SOLVER, OPTION_FORM, OPTION_MAX_SWEEPS, OPTION_SVD, OPTION_RANK = 0, 1, 2, 5, 7
OPTION_TOL_A, OPTION_TOL_B, OPTION_EIGH = 8, 9, 11
NOT_CONVERGED, INVALID_ARGUMENT, OUT_OF_MEMORY, OVERFLOW = 1, 3, 5, 9
SOLVERS = {"auto": 0, "tgsja": 1, "tangent": 2, "csd": 3}
SOLVER_NAMES = list(SOLVERS)
FORMS = {"rq": 0, "x": 1, "xinv": 2}
RANKS = {"norm": 0, "rows": 1}
SVD_METHODS = {"auto": 0, "jacobi": 1, "bidiagonal": 2}
SVD_NAMES = list(SVD_METHODS)
EIGH_METHODS = {"auto": 0, "fast": 1, "factor": 2}
EIGH_NAMES = list(EIGH_METHODS)

# What no tolerance is in gsvd_problem_t is a default; the smallest number leaves out nothing.
NO_TOLERANCE = 5e-324


def _choice(name: str, value: str, choices: dict[str, int]) -> int:
    try:
        return choices[value]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: {value!r} is none of {', '.join(choices)}") from None


def _options(*choices: tuple[int, str, str, dict[str, int]]) -> list[tuple[int, float]]:
    """What the library is told: choices other than 0, which is its default."""
    found: list[tuple[int, float]] = []
    for option, name, value, of in choices:
        number = _choice(name, value, of)
        if number:
            found.append((option, number))
    return found


# ---- the call -------------------------------------------------------------------------


class _Call:
    """One problem, or a stack of them, of `lead` dimensions, in one place."""

    def __init__(self, place: Place, lead: tuple[int, ...], dtype: np.dtype, device: int | None,
                 stream: int | None):
        self.place, self.lead, self.dtype = place, lead, dtype
        self.device, self.stream = place.number(device), place.stream(stream)
        self.count = math.prod(lead) if lead else 0
        self.many = (self.count,) if lead else ()
        self.empty = bool(lead) and self.count == 0

    def work(self, a: Any, overwrite: bool = False) -> Any:
        """A by columns, to be computed in: a copy, or A itself, which may be destroyed."""
        if overwrite and not self.lead and self.place.may_overwrite(a, self.dtype):
            return a
        return self.place.copy(a, self.lead, self.dtype)

    def matrices(self, rows: int, columns: int) -> Any:
        return self.place.matrices((*self.many, rows, columns), self.dtype)

    def vectors(self, length: int, dtype: Any = None) -> Any:
        return self.place.empty((*self.many, length), dtype or self.dtype)

    def values(self, length: int) -> Any:
        return self.place.empty((*self.many, length), TYPES[self.dtype])

    def conjugate(self, x: Any) -> Any:
        return x.conj() if self.dtype.kind == "c" else x

    def give_all(self, *results: Any) -> Any:
        """Results for the caller: of its package, and of all leading dimensions."""
        if len(self.lead) < 2 and self.place.back is None:
            return results
        return tuple(self.place.give(x, self.lead) for x in results)

    def rank(self, rank: Any) -> Any:
        return self.give_all(rank)[0] if self.lead else rank

    def run(self, routine: int, jobs: str, m: int, n: int, A: Any, *, B: Any = None, p: int = 0,
            k: int = 0, keep: int = 0, tol: float = -1.0, options: Any = (), U: Any = None,
            V: Any = None, Q: Any = None, alpha: Any = None, beta: Any = None, tau: Any = None,
            jpvt: Any = None, signs: Any = None, names: str = "A", depth: int = 3) -> tuple[Any, Any, Stats | None]:
        """k and l, of one problem int, else arrays; and the statistics."""
        place = self.place
        ks: Any = None
        ls: Any = None
        info: Any = None
        # one problem's ranks are in host memory; a batch's lie where its arrays do
        there = place.on_device and routine in BATCHED
        if self.lead:
            empty = place.empty if there else np.empty
            ks, ls = (empty(self.many, np.dtype(np.int64)) for _ in "kl")
            info = empty(self.many, np.dtype(np.int32))
        arrays = (A, B, U, V, Q, alpha, beta, tau, jpvt, signs)
        ranks = (ks, ls, info)
        if place.on_device:
            arrays = tuple(map(place.raw, arrays))
        if there:
            ranks = tuple(map(place.raw, ranks))
        if self.empty:
            return self._ranks(ks, ls, there)
        status, number, k, l, text, stats = _core.run(
            self.device, self.stream, place.on_device, routine, LETTERS[self.dtype], jobs, m, n, p,
            k, keep, tol, options, self.count, *arrays, *ranks)
        if status != 0:
            _report(status, number, text, names, depth + 1)
        if self.lead:
            _report_problems(place.numpy(info) if there else info, self.lead, names, depth + 1)
            return self._ranks(ks, ls, there)
        return k, l, _stats(stats)

    def _ranks(self, ks: Any, ls: Any, there: bool) -> tuple[Any, Any, None]:
        """A stack's, in the arrays' place."""
        if self.place.on_device and not there:
            ks, ls = self.place.integers(ks), self.place.integers(ls)
        return ks, ls, None


def _stats(numbers: tuple[Any, ...] | None) -> Stats | None:
    """Of one problem, of the extension module's numbers."""
    if numbers is None:
        return None
    where, solver, sweeps, converged, before, inner, total, method, svd = numbers
    return Stats(where, SOLVER_NAMES[solver], sweeps, converged, before, inner, total,
                 EIGH_NAMES[method], SVD_NAMES[svd])


def _report(status: int, info: int, text: str, names: str, depth: int) -> None:
    text = text.replace("problem.", "")
    if text.startswith("A:"):
        text = names[0] + text[1:]
    if status == NOT_CONVERGED:
        warnings.warn(text, ConvergenceWarning, stacklevel=depth)
    elif status == OUT_OF_MEMORY:
        raise MemoryError(text)
    elif status == OVERFLOW:
        raise OverflowError(text)
    elif status == INVALID_ARGUMENT and info == 0:  # an option
        raise ValueError(text.removeprefix("value: "))
    else:
        raise LinAlgError(text, _core.status_name(status), info)


def _report_problems(info: np.ndarray, lead: tuple[int, ...], names: str, depth: int) -> None:
    """What became of the problems of a stack; names are those of its arrays."""
    if not info.any():
        return

    def first(found: np.ndarray) -> tuple[int, str]:
        i = int(found.argmax())
        at = ", ".join(str(int(x)) for x in np.unravel_index(i, lead))
        return int(info[i]), f"problem [{at}]: "

    wrong = (info < 0) | (info > 2)
    if wrong.any():
        number, which = first(wrong)
        if number > 2:
            text = f"{names}: column {number - 2} depends on the columns before it"
        else:
            text = f"{names[-1] if number == -11 else names[0]} has a NaN or an infinity"
        raise LinAlgError(which + text, "GSVD_INVALID_ARGUMENT", number)
    if (info == 2).any():
        raise OverflowError(first(info == 2)[1] +
                            "the result has entries beyond the largest number")
    warnings.warn(f"{int((info == 1).sum())} of {len(info)} problems did not converge, "
                  f"or lost small values", ConvergenceWarning, stacklevel=depth)


# ---- pairs ----------------------------------------------------------------------------


def _triangle(place: Place, A: Any, B: Any, k: Any, l: Any, m: int, n: int, p: int) -> Any:
    """(N, n, n) with (0 R) in the first rows, out of what gsvd leaves in A and B."""
    xp = place.xp
    here = {"device": A.device} if place.on_device and hasattr(A, "is_cuda") else {}
    ranks = (k + l)[:, None, None]
    rows = A[:, :min(m, n)]
    if m < n:
        i = xp.arange(m, n, **here) - k[:, None]  # R's row is B's row i
        i = xp.where((i >= 0) & (i < p), i, 0)
        each = xp.arange(len(k), **here)[:, None]
        rest = B[each, i] if p else place.matrices((len(k), n - m, n), place.dtype(A))
        rows = xp.concatenate([rows, rest], 1)
    i, j = xp.arange(n, **here)[:, None], xp.arange(n, **here)
    return xp.where((i < ranks) & (j >= n - ranks + i), rows, xp.zeros_like(rows))


class _PairWay(NamedTuple):
    """What a call says beside its arrays: the same for all calls with the same arguments."""

    jobs: str
    options: tuple[tuple[int, float], ...]
    prepared: Any  # jobs and options, as _core.pair takes them
    full: bool
    factors: bool
    form: str
    scaled: bool


@functools.lru_cache
def _pair_way(full: bool, factors: bool, form: str, rank: str, tol: tuple[float, float] | None,
              solver: str, max_sweeps: int | None) -> _PairWay:
    _choice("form", form, FORMS)
    options = _options((OPTION_FORM, "form", form if factors else "rq", FORMS),
                       (OPTION_RANK, "rank", rank, RANKS),
                       (OPTION_SOLVER, "solver", solver, SOLVERS))
    if max_sweeps is not None:
        options.append((OPTION_MAX_SWEEPS, max_sweeps))
    if tol is not None:
        options += (OPTION_TOL_A, tol[0]), (OPTION_TOL_B, tol[1])
    jobs = ("UVQ" if full else "SSQ") if factors else "NNN"
    return _PairWay(jobs, tuple(options), _core.pair_options(jobs, options), bool(full),
                    bool(factors), form, tol is None)


def _gsvd(A: Any, B: Any, full: bool, factors: bool, form: str, rank: str, tol: Any, solver: str,
          max_sweeps: int | None, overwrite_a: bool, overwrite_b: bool, device: int | None,
          stream: int | None, keep: int = 0) -> GSVDResult:
    if tol is not None:
        tol = _pair_tolerances(tol)
    way = _pair_way(full, factors, form, rank, tol, solver, max_sweeps)
    # the short way of two matrices of NumPy's, which nothing else slows down
    if device is None and stream is None and not (keep or overwrite_a or overwrite_b):
        found = _core.pair(HOST, A, B, way.prepared, 0, False, False)
        if found is not None:
            return _host_pair(NUMPY, found, way, 0, 5)
    return _any_pairs(A, B, way, overwrite_a, overwrite_b, device, stream, keep)


def _any_pairs(A: Any, B: Any, way: _PairWay, overwrite_a: bool, overwrite_b: bool,
               device: int | None, stream: int | None, keep: int) -> GSVDResult:
    """Of arrays of any package, type and place, and of stacks."""
    place, (a, b) = take(A=A, B=B)
    n = a.shape[-1]
    if b.shape[-1] != n:
        raise ValueError(f"A has {n} columns, B has {b.shape[-1]}")
    lead: tuple[int, ...] = ()
    if a.ndim > 2 or b.ndim > 2:
        lead = np.broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2]))
    call = _Call(place, lead, common_type(place.dtype(a), place.dtype(b)), device, stream)
    keep = _keep(keep, lead, way.form, n) if way.factors else 0
    if lead or place.on_device:
        return _pairs_of_call(call, a, b, way, keep)
    theirs = place is NUMPY  # other packages' arrays are not destroyed
    overwrite_a = overwrite_a and theirs
    overwrite_b = overwrite_b and theirs and not (overwrite_a and np.may_share_memory(a, b))
    a, b = (whole(np.asarray(x, call.dtype)) for x in (a, b))
    found = _core.pair(call.device, a, b, way.prepared, keep, overwrite_a, overwrite_b)
    return _host_pair(place, found, way, keep, 6)


def _host_pair(place: Place, found: tuple[Any, ...], way: _PairWay, keep: int,
               depth: int) -> GSVDResult:
    """The result, or the error, out of what the extension module gives."""
    status, info, text, stats, shape, parts = found
    if status != 0:
        _report(status, info, text, "AB", depth)
    return _one_pair(place, parts, way, keep, shape, _stats(stats))


def _one_pair(place: Place, parts: tuple[Any, ...], way: _PairWay, keep: int,
              shape: tuple[int, int, int], stats: Stats | None) -> GSVDResult:
    """Arrays of the rank's size."""
    k, l, U, V, Q, alpha, beta, a, b = parts
    n, r = shape[1], k + l
    R = None
    if r < n:
        alpha, beta = alpha[:r], beta[:r]
    if way.factors and way.form == "rq":
        k1, l1 = (place.integers([x]) for x in (k, l))
        R = _triangle(place, a[None], b[None], k1, l1, *shape)[0, :r, n - r:]
    elif keep:
        U, V, Q = (x[:, :r] for x in (U, V, Q))
    elif way.factors and r < n:
        Q = Q[:, :r]
    if place.back is not None:
        U, V, R, Q, alpha, beta = map(place.give, (U, V, R, Q, alpha, beta))
    return _pair_result(U, V, R, Q, alpha, beta, k, l, way, keep, shape, stats)


def _pairs_of_call(call: _Call, a: Any, b: Any, way: _PairWay, keep: int) -> GSVDResult:
    """Of a stack, or of one pair on a GPU."""
    place = call.place
    m, n = a.shape[-2:]
    p = b.shape[-2]
    wa, wb = call.work(a), call.work(b)
    alpha, beta = call.values(n), call.values(n)
    U: Any = None
    V: Any = None
    Q: Any = None
    R: Any = None
    if way.factors:
        U = call.matrices(m, abs(keep) or (m if way.full else min(m, n)))
        V = call.matrices(p, abs(keep) or (p if way.full else min(p, n)))
        Q = call.matrices(n, abs(keep) or n)
    k, l, stats = call.run(GSVD, way.jobs, m, n, wa, B=wb, p=p, keep=keep, options=way.options, U=U,
                           V=V, Q=Q, alpha=alpha, beta=beta, names="AB", depth=6)
    if not call.lead:
        return _one_pair(place, (k, l, U, V, Q, alpha, beta, wa, wb), way, keep, (m, n, p), stats)
    if way.factors and way.form == "rq":
        R = _triangle(place, wa, wb, k, l, m, n, p)
    U, V, R, Q, alpha, beta, k, l = call.give_all(U, V, R, Q, alpha, beta, k, l)
    return _pair_result(U, V, R, Q, alpha, beta, k, l, way, keep, (m, n, p), None)


def _pair_result(U: Any, V: Any, R: Any, Q: Any, alpha: Any, beta: Any, k: Any, l: Any,
                 way: _PairWay, keep: int, shape: tuple[int, int, int],
                 stats: Stats | None) -> GSVDResult:
    form = way.form
    return GSVDResult(U, V, Q if form == "x" else None, Q if form == "xinv" else None, R,
                      Q if form == "rq" else None, alpha, beta, k, l, shape, way.full, stats,
                      keep, way.scaled)


def _pair_tolerances(tol: Any) -> tuple[float, float]:
    tol_a, tol_b = map(float, tol if isinstance(tol, (tuple, list)) else (tol, tol))
    if tol_a < 0 or tol_b < 0:  # the library would take its default
        raise ValueError(f"tol: {tol}")
    return tol_a, tol_b


def _keep(keep: int, lead: tuple[int, ...], form: str, n: int) -> int:
    keep = int(keep)
    if not keep:
        return 0
    if lead:
        raise ValueError("keep: of one problem, not of a stack")
    if form == "rq":
        raise ValueError("keep: of form 'x' or 'xinv'")
    return max(min(keep, n), -n)


def gsvd(A: Any, B: Any, *, full_matrices: bool = False, compute_uv: bool = True,
         form: Literal["x", "xinv", "rq"] = "x", rank: Literal["norm", "rows"] = "norm",
         tol: float | tuple[float, float] | None = None,
         solver: Literal["auto", "tgsja", "tangent", "csd"] = "auto",
         max_sweeps: int | None = None, keep: int = 0, overwrite_a: bool = False,
         overwrite_b: bool = False, device: int | None = None,
         stream: int | None = None) -> GSVDResult:
    """Generalized singular value decomposition of (A, B).

    A = U C X^H and B = V S X^H, where U and V are unitary, and C and S hold the cosines alpha
    and the sines beta on diagonals.

    Parameters
    ----------
    A : array (..., m, n)
    B : array (..., p, n)
        Real or complex, of any strides.  Leading dimensions are stacks, and broadcast.
    full_matrices : bool
        Whether U is (m, m) and V is (p, p), or their leading min(m, n) and min(p, n) columns.
    compute_uv : bool
        False: alpha and beta alone, without any factor.
    form : {'x', 'xinv', 'rq'}
        X; Y with X^H Y = I, the generalized eigenvectors, A Y = U C and B Y = V S; or R and Q of
        LAPACK's form, X^H = (0 R) Q^H.
    rank : {'norm', 'rows'}
        Whether ranks are relative to the norms of A and B, or to the size of each row.
    tol : float or (float, float), optional
        Absolute tolerances of the ranks of A and of B.  The default is LAPACK's.
    solver : {'auto', 'tgsja', 'tangent', 'csd'}
        How the triangular pair is solved.
    max_sweeps : int, optional
        Limit of Jacobi's sweeps, 1 to 1000.
    keep : int
        The factors of the first `keep` pairs alone, those of the largest values, or of the last
        ``-keep``; all values are computed.  Of one problem, whose form is not 'rq'.  Tall factors
        take memory and time for their wanted columns alone.
    overwrite_a, overwrite_b : bool
        Whether A and B may be destroyed.  Saves a copy of a matrix in Fortran order.
    device : int, optional
        The CUDA device that computes.  By default the host for arrays in host memory, and the
        arrays' own device otherwise.
    stream : int, optional
        Of arrays on a GPU: their package's current stream, which is also the default.

    Returns
    -------
    GSVDResult

    Raises
    ------
    LinAlgError
        A NaN or an infinity in A or B; the device does not work.
    OverflowError
        The result has entries beyond the largest number of its type.

    Warns
    -----
    ConvergenceWarning
        The limit of sweeps was reached, or values are too small for the type.

    See Also
    --------
    gsvdvals : alpha and beta alone.
    error_bounds : How far alpha and beta may be off.

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> A = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]])
    >>> B = np.array([[1.0, 2, 1], [0, 1, 2]])
    >>> r = libgsvd.gsvd(A, B)
    >>> r
    GSVDResult(A 3x3, B 2x3, float64, rank 3 = k 1 + l 2)
    >>> r.values.round(4)
    array([   inf, 0.8101, 0.2163])
    >>> np.allclose(r.U @ r.C @ r.X.T, A), np.allclose(r.V @ r.S @ r.X.T, B)
    (True, True)
    >>> U, V, X, alpha, beta = r
    """
    return _gsvd(A, B, full_matrices, compute_uv, form, rank, tol, solver, max_sweeps, overwrite_a,
                 overwrite_b, device, stream, keep)


def gsvdvals(A: Any, B: Any, *, rank: Literal["norm", "rows"] = "norm",
             tol: float | tuple[float, float] | None = None,
             solver: Literal["auto", "tgsja", "tangent", "csd"] = "auto",
             max_sweeps: int | None = None, overwrite_a: bool = False, overwrite_b: bool = False,
             device: int | None = None, stream: int | None = None) -> tuple[Any, Any]:
    """Generalized singular value pairs of (A, B).

    Parameters
    ----------
    A : array (..., m, n)
    B : array (..., p, n)
    rank, tol, solver, max_sweeps, overwrite_a, overwrite_b, device, stream
        As in `gsvd`.

    Returns
    -------
    alpha, beta : array (..., r)
        r is the rank of (A; B) or, in a stack, n.

    See Also
    --------
    gsvd : The factors, too.

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> alpha, beta = libgsvd.gsvdvals(np.diag([3.0, 1]), np.eye(2))
    >>> (alpha / beta).round(12)
    array([3., 1.])
    """
    r = _gsvd(A, B, False, False, "x", rank, tol, solver, max_sweeps, overwrite_a, overwrite_b,
              device, stream)
    return r.alpha, r.beta


# ---- one matrix -----------------------------------------------------------------------


def _one(A: Any, device: int | None, stream: int | None, name: str = "A") -> tuple[Any, _Call]:
    place, (a,) = take(**{name: A})
    return a, _Call(place, tuple(a.shape[:-2]), common_type(place.dtype(a)), device, stream)


def _adjoint(call: _Call, x: Any) -> Any:
    return call.conjugate(x.swapaxes(-1, -2))


def _svd(A: Any, *, full: bool, factors: bool, method: str, overwrite_a: bool,
         device: int | None, stream: int | None) -> SVDResult:
    a, call = _one(A, device, stream)
    m, n = a.shape[-2:]
    q = min(m, n)
    # Rows of A are columns of A^T = conj(V) S U^T: no element moves to be transposed.
    turned = call.place.by_rows(a)
    w = call.work(a.swapaxes(-1, -2) if turned else a, overwrite_a)
    rows, columns = (n, m) if turned else (m, n)
    options = _options((OPTION_SVD, "method", method, SVD_METHODS))
    S = call.values(q)
    U: Any = None
    V: Any = None
    Vh: Any = None
    jobs = "NN"
    if factors:
        jobs = "UV" if full else "SS"
        U = call.matrices(rows, rows if full else q)
        V = call.matrices(columns, columns if full else q)
    stats = call.run(SVD, jobs, rows, columns, w, options=options, U=U, V=V, alpha=S, depth=4)[2]
    if factors:
        if turned:
            U, Vh = call.conjugate(V), U.swapaxes(-1, -2)
        else:
            Vh = _adjoint(call, V)
    U, S, Vh = call.give_all(U, S, Vh)
    return SVDResult(U, S, Vh, stats)


def svd(A: Any, *, full_matrices: bool = False, compute_uv: bool = True,
        method: Literal["auto", "jacobi", "bidiagonal"] = "auto", overwrite_a: bool = False,
        device: int | None = None, stream: int | None = None) -> SVDResult:
    """Singular value decomposition A = U diag(S) Vh.

    If A = D B or A = B D with D diagonal, the relative error of each value is of the order of
    eps times the condition of B.  Values alone of a square matrix whose rows and columns are of
    similar size are accurate relative to the largest one.

    Parameters
    ----------
    A : array (..., m, n)
        Real or complex, of any strides.  Leading dimensions are stacks.
    full_matrices : bool
        Whether U and Vh are square.
    compute_uv : bool
        False: S alone.
    method : {'auto', 'jacobi', 'bidiagonal'}
        'jacobi': sweeps over all pairs of columns, at any size.  'bidiagonal': bidiagonal form,
        with errors relative to the largest value.  If it fails a test, 'auto' takes over, and
        ``stats.svd`` says so.
    overwrite_a : bool
        Whether A may be destroyed.
    device, stream
        As in `gsvd`.

    Returns
    -------
    SVDResult

    See Also
    --------
    svdvals : The values alone.

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> A = np.array([[1.0, 2], [3, 4], [5, 6]])
    >>> U, S, Vh = libgsvd.svd(A)
    >>> S.round(4)
    array([9.5255, 0.5143])
    >>> np.allclose(U * S @ Vh, A)
    True
    """
    return _svd(A, full=full_matrices, factors=compute_uv, method=method,
                overwrite_a=overwrite_a, device=device, stream=stream)


def svdvals(A: Any, *, method: Literal["auto", "jacobi", "bidiagonal"] = "auto", overwrite_a: bool = False,
            device: int | None = None, stream: int | None = None) -> Any:
    """Singular values of A.

    Parameters
    ----------
    A : array (..., m, n)
    method, overwrite_a, device, stream
        As in `svd`.

    Returns
    -------
    array (..., min(m, n))
        Descending.

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> libgsvd.svdvals(np.array([[3.0, 0], [0, 4]])).round(12)
    array([4., 3.])
    """
    return _svd(A, full=False, factors=False, method=method, overwrite_a=overwrite_a,
                device=device, stream=stream).S


def _signs_of(J: Any, n_plus: int | None, shape: Any,
              lead: tuple[int, ...]) -> tuple[np.ndarray | None, int]:
    """The signs, (n,) or (N, n), and the number of 1, which alone counts if there are none."""
    m, n = shape[-2:]
    if m < n:
        raise ValueError(f"G: {n} columns of length {m} are not independent")
    if J is None:
        n_plus = n if n_plus is None else int(n_plus)
        if not 0 <= n_plus <= n:
            raise ValueError(f"n_plus: {n_plus}, of {n} columns")
        return None, n_plus
    j = np.asarray(J)
    if j.shape[-1:] != (n,) or j.ndim > 1 and not lead or not np.isin(j, (1, -1)).all():
        raise ValueError(f"J: not {n} numbers 1 or -1 for each problem")
    counts = (j > 0).sum(-1)
    if counts.size and (counts != counts.flat[0]).any():
        raise ValueError("J: the problems of a stack differ in the number of 1")
    if n_plus is not None and counts.size and n_plus != counts.flat[0]:
        raise ValueError(f"n_plus: {n_plus}, and J has {counts.flat[0]} numbers 1")
    if j.ndim > 1:
        j = np.broadcast_to(j, (*lead, n)).reshape(-1, n)
    return j, int(counts.flat[0]) if counts.size else 0


def _order_of(J: Any, n_plus: int | None, shape: Any) -> tuple[np.ndarray | None, int]:
    """Columns in an order, if not as they are, in which the first n_plus have sign 1."""
    j, n_plus = _signs_of(J, n_plus, shape, ())
    return None if j is None else np.argsort(-j, kind="stable"), n_plus


def hsvd(G: Any, J: Any = None, *, n_plus: int | None = None, full_matrices: bool = False,
         compute_uv: bool = True, device: int | None = None,
         stream: int | None = None) -> HSVDResult:
    """Hyperbolic singular value decomposition of G with the signs J of its columns.

    G = U diag(S) V^H with V^H J V = diag(signs), so that the indefinite matrix G J G^H has the
    eigenvalues ``signs * S**2``.  That matrix is not formed.

    Parameters
    ----------
    G : array (..., m, n)
        Of independent columns, hence m >= n.  Leading dimensions are stacks.
    J : array of 1 and -1, (n,) or (..., n), optional
        Each with the same number of 1.
    n_plus : int, optional
        Instead of J: the first n_plus columns have sign 1, the others -1.
    full_matrices : bool
        Whether U is (m, m), not (m, n).
    compute_uv : bool
        False: S and signs alone.
    device, stream
        As in `gsvd`.

    Returns
    -------
    HSVDResult

    Raises
    ------
    LinAlgError
        A column depends on those before it; a NaN or an infinity in G.

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> G, J = np.array([[2.0, 1], [0, 1], [1, 1]]), np.array([1, -1])
    >>> r = libgsvd.hsvd(G, J)
    >>> w = np.linalg.eigvalsh(G @ np.diag(J) @ G.T)
    >>> np.allclose(np.sort(r.eigenvalues), w[abs(w) > 1e-12])
    True
    """
    g, call = _one(G, device, stream, "G")
    place = call.place
    m, n = g.shape[-2:]
    j, n_plus = _signs_of(J, n_plus, g.shape, call.lead)
    signs = None if j is None else place.integers(j)
    w = call.work(g)
    S = call.values(n)
    U = V = None
    jobs = "NN"
    if compute_uv:
        jobs = "UV" if full_matrices else "SV"
        U, V = call.matrices(m, m if full_matrices else n), call.matrices(n, n)
    stats = call.run(HSVD, jobs, m, n, w, k=n_plus, U=U, V=V, alpha=S, signs=signs, names="G")[2]
    result_signs = place.integers([1] * n_plus + [-1] * (n - n_plus))
    U, S, V = call.give_all(U, S, V)
    return HSVDResult(U, S, V, place.give(result_signs), stats)


def eigh(A: Any, *, uplo: Literal["L", "U"] = "L", compute_v: bool = True,
         method: Literal["auto", "fast", "factor"] = "auto", overwrite_a: bool = False,
         device: int | None = None, stream: int | None = None) -> EighResult:
    """Eigenvalues and eigenvectors of a Hermitian matrix, A = Q diag(w) Q^H.

    By the default method small eigenvalues are as accurate, relative to each, as the singular
    values that `svd` computes of A.  Of one matrix, those that its condition leaves in doubt are
    computed again in twice the precision; of a stack they are not.

    Parameters
    ----------
    A : array (..., n, n)
        Real symmetric or complex Hermitian.  Leading dimensions are stacks.
    uplo : {'L', 'U'}
        The triangle of A that is read.
    compute_v : bool
        False: eigenvalues alone.
    method : {'auto', 'fast', 'factor'}
        'auto': the SVD of A, and signs.  'fast': tridiagonal form, whose errors are rounding of the
        largest eigenvalue.  'factor': A = G J G^H and `hsvd` of G, and all eigenvalues again in
        twice the precision, mostly right to the last bit; it takes 3 times as long as 'auto', or
        more.  If the result of 'auto' or 'factor' fails a test, 'fast' takes over, and
        ``stats.eigh`` says so.
    overwrite_a : bool
        Whether A may be destroyed.
    device, stream
        As in `gsvd`.

    Returns
    -------
    EighResult

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> w, Q = libgsvd.eigh(np.array([[2.0, 1], [1, 2]]))
    >>> w.round(12)
    array([1., 3.])
    """
    a, call = _one(A, device, stream)
    n = a.shape[-1]
    if a.shape[-2] != n:
        raise ValueError(f"A: {a.shape[-2]}x{n}, not square")
    upper = _choice("uplo", uplo, {"L": 0, "U": 1})
    options = _options((OPTION_EIGH, "method", method, EIGH_METHODS))
    turned = call.place.by_rows(a)  # A^T = conj(A), and its triangles change places
    t = call.work(a.swapaxes(-1, -2) if turned else a, overwrite_a)
    w = call.values(n)
    Q = call.matrices(n, n) if compute_v else None
    jobs = ("V" if compute_v else "N") + ("U" if upper != turned else "L")
    stats = call.run(EIGH, jobs, n, n, t, options=options, Q=Q, alpha=w)[2]
    if turned and Q is not None:
        Q = call.conjugate(Q)
    w, Q = call.give_all(w, Q)
    return EighResult(w, Q, stats)


def _q_of(call: _Call, w: Any, tau: Any, m: int, columns: int, q: int) -> Any:
    """The leading columns of Q out of the reflectors in w."""
    Q = call.matrices(m, columns)
    Q[..., :q] = w[..., :q]
    call.run(QR_FORM, "", m, columns, Q, k=q, tau=tau)
    return Q


def qr(A: Any, mode: Literal["reduced", "complete", "r"] = "reduced", *,
       device: int | None = None, stream: int | None = None) -> QRResult:
    """QR factorization A = Q R.

    Parameters
    ----------
    A : array (..., m, n)
        Real or complex, of any strides.  Leading dimensions are stacks.
    mode : {'reduced', 'complete', 'r'}
        Q with min(m, n) columns, with m columns, or R alone.
    device, stream
        As in `gsvd`.

    Returns
    -------
    QRResult

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> A = np.array([[1.0, 2], [3, 4], [5, 6]])
    >>> Q, R = libgsvd.qr(A)
    >>> np.allclose(Q @ R, A), np.allclose(Q.T @ Q, np.eye(2))
    (True, True)
    """
    _choice("mode", mode, {"reduced": 0, "complete": 1, "r": 2})
    a, call = _one(A, device, stream)
    m, n = a.shape[-2:]
    q = min(m, n)
    w = call.work(a)
    tau = call.vectors(q) if mode != "r" else None
    call.run(QR, "", m, n, w, tau=tau)
    rows = m if mode == "complete" else q
    Q = None if mode == "r" else _q_of(call, w, tau, m, rows, q)
    Q, R = call.give_all(Q, call.place.xp.triu(w[..., :rows, :]))
    return QRResult(Q, R)


def geqp(A: Any, mode: Literal["reduced", "complete", "r"] = "reduced", *,
         tol: float | None = None, device: int | None = None,
         stream: int | None = None) -> GeqpResult:
    """Rank-revealing QR factorization with column pivoting, A[:, P] = Q R.

    Parameters
    ----------
    A : array (..., m, n)
        Real or complex, of any strides.  Leading dimensions are stacks.
    mode : {'reduced', 'complete', 'r'}
        Q with min(m, n) columns, with m columns, or R and P alone.
    tol : float, optional
        What is left of each column when all norms are at most `tol` is dropped.  0: nothing.
        The default is LAPACK's in xGGSVD3, max(m, n) max(||A||_1, safmin) ulp.
    device, stream
        As in `gsvd`.

    Returns
    -------
    GeqpResult

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> A = np.array([[1.0, 2, 3], [2, 4, 6], [0, 1, 0]])
    >>> r = libgsvd.geqp(A)
    >>> r
    GeqpResult(R 3x3, float64, rank 2)
    >>> np.allclose(r.Q @ r.R, A[:, r.P])
    True
    """
    _choice("mode", mode, {"reduced": 0, "complete": 1, "r": 2})
    a, call = _one(A, device, stream)
    place, (m, n) = call.place, a.shape[-2:]
    q = min(m, n)
    w = call.work(a)
    tau, P = call.vectors(q), call.vectors(n, np.dtype(np.int64))
    rank, _, _ = call.run(GEQP, "", m, n, w, tau=tau, jpvt=P, tol=_tolerance(tol))
    rows = m if mode == "complete" else q
    R = place.xp.triu(w[..., :rows, :])
    if call.lead:  # rows beyond the rank: what is left, up to the tolerance
        here = {"device": w.device} if place.on_device and hasattr(w, "is_cuda") else {}
        i = place.xp.arange(rows, **here)[:, None]
        R = place.xp.where(i < rank[:, None, None], R, place.xp.zeros_like(R))
    else:
        R[rank:] = 0
    Q = None if mode == "r" else _q_of(call, w, tau, m, rows, q)
    Q, R, P = call.give_all(Q, R, P - 1)
    return GeqpResult(Q, R, P, call.rank(rank))


def _tolerance(tol: float | None) -> float:
    if tol is None:
        return -1.0
    if not tol >= 0:
        raise ValueError(f"tol: {tol}")
    return float(tol) or NO_TOLERANCE


def urv(A: Any, *, tol: float | None = None, full_matrices: bool = False,
        compute_uv: bool = True, device: int | None = None,
        stream: int | None = None) -> URVResult:
    """Complete orthogonal decomposition A = U R Vh.

    Parameters
    ----------
    A : array (..., m, n)
        Real or complex, of any strides.  Leading dimensions are stacks.
    tol : float, optional
        As in `geqp`.
    full_matrices : bool
        Whether U and Vh are square.
    compute_uv : bool
        False: R alone.
    device, stream
        As in `gsvd`.

    Returns
    -------
    URVResult

    Examples
    --------
    >>> import numpy as np, libgsvd
    >>> A = np.array([[1.0, 2, 3], [2, 4, 6]])
    >>> U, R, Vh = libgsvd.urv(A)
    >>> np.allclose(U @ R @ Vh, A), libgsvd.urv(A).rank
    (True, 1)
    """
    a, call = _one(A, device, stream)
    m, n = a.shape[-2:]
    q = min(m, n)
    w = call.work(a)
    U = V = Vh = None
    jobs = "NN"
    if compute_uv:
        jobs = "UV" if full_matrices else "SS"
        U = call.matrices(m, m if full_matrices else q)
        V = call.matrices(n, n if full_matrices else q)
    rank, _, _ = call.run(URV, jobs, m, n, w, tol=_tolerance(tol), U=U, V=V)
    if compute_uv:
        Vh = _adjoint(call, V)
    R = w if full_matrices else w[..., :q, n - q:]
    U, R, Vh = call.give_all(U, R, Vh)
    return URVResult(U, R, Vh, call.rank(rank))


# ---- what there is --------------------------------------------------------------------


def version() -> str:
    """The library's version."""
    number = _core.version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def show_config() -> None:
    """Print the versions, and which devices compute.

    Examples
    --------
    >>> import libgsvd
    >>> libgsvd.show_config()  # doctest: +ELLIPSIS
    libgsvd ..., NumPy ...
    host: yes
    CUDA device 0: ...
    """
    print(f"libgsvd {version()}, NumPy {np.__version__}")
    print("host: yes")
    print(f"CUDA device 0: {_core.why_not(0) or 'yes'}")
