# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions for JAX: jax.jit, jax.vmap and derivatives, on a CPU, and on a GPU with libgsvd-cuda13.

`gsvd`, `gsvdvals`, `svd`, `svdvals`, `hsvd`, `eigh` and, on a CPU alone, `qr`, `geqp` and `urv`.  Factors are
of economy size, and those of one problem have the shapes of a stack's: X has n columns, k and l are
arrays.

A gradient that does not exist is a LinAlgError or, in jax.jit, NaN: of factors where values are equal,
unless the function does not depend on the choice among their vectors; where the ranks change with A
and B.  What does not exist of a forward derivative is NaN.
"""
from __future__ import annotations

import ctypes
import functools
import pathlib
from typing import Any, Literal, TypeAlias

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np
from jax.interpreters import ad, batching, mlir

from . import _decompose as d
from . import _derivatives
from ._results import (EighResult, GeqpResult, GSVDResult, HSVDResult, LinAlgError, QRResult,
                       SVDResult, URVResult)

__all__ = ["gsvd", "gsvdvals", "svd", "svdvals", "hsvd", "eigh", "qr", "geqp", "urv"]

Array: TypeAlias = jax.Array

_found = next(pathlib.Path(__file__).parent.glob("_xla*.so"), None)
if _found is None:
    raise ImportError("libgsvd.jax: this libgsvd was built without jaxlib")
_library = ctypes.CDLL(str(_found))
for _platform, _name in (("cpu", "gsvd_xla_host"), ("CUDA", "gsvd_xla_cuda")):
    jax.ffi.register_ffi_target("libgsvd_run", jax.ffi.pycapsule(getattr(_library, _name)),
                                platform=_platform)
jax.tree_util.register_dataclass(
    GSVDResult, ["U", "V", "X", "Y", "R", "Q", "alpha", "beta", "k", "l"],
    ["shape", "full_matrices", "stats", "keep", "scaled"])
jax.tree_util.register_dataclass(SVDResult, ["U", "S", "Vh"], ["stats"])
jax.tree_util.register_dataclass(EighResult, ["eigenvalues", "eigenvectors"], ["stats"])
jax.tree_util.register_dataclass(HSVDResult, ["U", "S", "V", "signs"], ["stats"])
jax.tree_util.register_dataclass(QRResult, ["Q", "R"], [])
jax.tree_util.register_dataclass(GeqpResult, ["Q", "R", "P", "rank"], [])
jax.tree_util.register_dataclass(URVResult, ["U", "R", "Vh", "rank"], [])


def _run(routine: int, jobs: str, arrays: tuple[Array, ...], options: list[tuple[int, float]],
         results: dict[str, tuple[int, ...]], inputs: str = "AB", k: int = 0,
         tol: float = -1.0) -> dict[str, Array]:
    """Results of these shapes by the letters of _xla.cpp, less the leading dimensions, and inputs"""
    a = arrays[0]
    lead = a.shape[:-2]
    n = len(lead)
    real = jnp.finfo(a.dtype).dtype
    results = {inputs[i]: x.shape[n:] for i, x in enumerate(arrays)} | results | {"i": ()}
    types = {"a": real, "b": real} | dict.fromkeys("klPi", np.dtype(np.int32))
    shapes = [jax.ShapeDtypeStruct(lead + shape, types.get(name, a.dtype))
              for name, shape in results.items()]

    def layout(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
        """From the outermost dimension to the innermost: a matrix lies by columns."""
        if name in "ABUVQ" and 0 not in lead + shape:  # XLA divides by 0 to turn an empty one
            return (*range(n), n + 1, n)
        return tuple(range(n + len(shape)))

    layouts = [layout(name, shape) for name, shape in results.items()]
    call = jax.ffi.ffi_call(
        "libgsvd_run", shapes, vmap_method="broadcast_all", input_layouts=layouts[:len(arrays)],
        output_layouts=layouts, input_output_aliases={i: i for i, x in enumerate(arrays) if x.size})
    keys, values = [[0], [0.0]] if not options else zip(*options)
    out = call(*arrays, routine=np.int64(routine), jobs=jobs, results="".join(results),
               m=np.int64(a.shape[-2]), n=np.int64(a.shape[-1]),
               p=np.int64(arrays[1].shape[-2] if len(arrays) > 1 and inputs == "AB" else 0),
               k=np.int64(k), tol=np.float64(tol), keys=np.array(keys, np.int64),
               values=np.array(values, np.float64))
    by_name = dict(zip(results, out))
    info = by_name.pop("i")
    failed = (info < 0) | (info > 1)  # on a GPU nobody has told yet
    return {name: jnp.where(failed.reshape(lead + (1,) * len(results[name])), jnp.nan, x)
            if x.dtype != np.int32 else x[..., 0]  # the lower half of an int64
            for name, x in by_name.items()}


def _typed(*arrays: Any) -> tuple[Array, ...]:
    """Of one type, and of the same stack"""
    seen = [jnp.asarray(x) for x in arrays]
    t = jnp.result_type(*seen)
    if t.kind in "biu":
        t = jnp.result_type(float)
    if t.name not in ("float32", "float64", "complex64", "complex128"):
        raise TypeError(f"arrays of {t}: libgsvd computes in float32, float64, complex64 and "
                        "complex128")
    for name, x in zip("AB", seen):
        if x.ndim < 2:
            raise ValueError(f"{name}: {x.ndim} dimensions, not a matrix or a stack of matrices")
    lead = jnp.broadcast_shapes(*(x.shape[:-2] for x in seen))
    return tuple(jnp.broadcast_to(x.astype(t), lead + x.shape[-2:]) for x in seen)


# ---- derivatives ------------------------------------------------------------------------


_refuse_p = jax.extend.core.Primitive("libgsvd_refuse")  # xs and masks, as _derivatives.py has them
_refuse_p.multiple_results = True
_linear_p = jax.extend.core.Primitive("libgsvd_refuse_adjoint")
_linear_p.multiple_results = True


def _masked(xs: tuple[Array, ...], masks: tuple[Array, ...]) -> list[Array]:
    return [jnp.where(mask, jnp.nan, x) for x, mask in zip(xs, masks)]


def _halves(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    n = len(arguments) // 2
    return arguments[:n], arguments[n:]


def _check(*arguments: Array, text: str, mark: bool) -> list[Array]:
    """In jax.jit: NaN, since there is no error then"""
    xs, masks = _halves(arguments)
    bad = _derivatives.depends(xs, masks)
    return _masked(xs, (bad,) * len(xs))


def _check_now(*arguments: Array, text: str, mark: bool) -> Any:
    if _derivatives.depends(*_halves(arguments)).any():
        raise LinAlgError(text)
    return _halves(arguments)[0]


def _adjoint(*arguments: Array, text: str, mark: bool) -> list[Array]:
    xs, masks = _halves(arguments)
    return _masked(xs, masks) if mark else list(xs)


def _make_linear(primitive: Any, adjoint: Any, run: Any, run_now: Any) -> None:
    """To XLA and JAX's transformations: linear in xs"""
    def batch(arguments: Any, dims: Any, **keywords: Any) -> Any:
        n = next(x.shape[d] for x, d in zip(arguments, dims) if d is not None)
        moved = [jnp.broadcast_to(x, (n, *x.shape)) if d is None else jnp.moveaxis(x, d, 0)
                 for x, d in zip(arguments, dims)]
        return primitive.bind(*moved, **keywords), [0] * (len(moved) // 2)

    def forward(arguments: Any, tangents: Any, **keywords: Any) -> Any:
        xs, masks = _halves(arguments)
        d = [ad.instantiate_zeros(t) for t in tangents[:len(xs)]]
        return primitive.bind(*arguments, **keywords), primitive.bind(*d, *masks, **keywords)

    def transpose(cotangents: Any, *arguments: Any, **keywords: Any) -> Any:
        xs, masks = _halves(arguments)
        g = adjoint.bind(*map(ad.instantiate_zeros, cotangents), *masks, **keywords)
        return [y if ad.is_undefined_primal(x) else None for x, y in zip(xs, g)] + [None] * len(xs)

    primitive.def_impl(run_now)
    primitive.def_abstract_eval(lambda *arguments, **_: list(_halves(arguments)[0]))
    batching.primitive_batchers[primitive] = batch
    ad.primitive_jvps[primitive] = forward
    ad.primitive_transposes[primitive] = transpose
    mlir.register_lowering(primitive, mlir.lower_fun(run, multiple_results=True))


_make_linear(_refuse_p, _linear_p, _check, _check_now)
_make_linear(_linear_p, _refuse_p, _adjoint, _adjoint)


def _refuse(xs: tuple[Array, ...], masks: tuple[Any, ...], text: str,
            mark: bool = True) -> tuple[Array, ...]:
    all_masks = [jnp.broadcast_to(False if mask is None else mask, x.shape)
                 for x, mask in zip(xs, masks)]
    return tuple(_refuse_p.bind(*xs, *all_masks, text=text, mark=mark))


def _tangents(derivative: Any, saved: tuple[Array, ...], results: tuple[Array, ...],
              tangents: Any) -> Any:
    """Those of results by the adjoint of a gradient; JAX's cotangents are conjugates of gradients.
    Products in the arrays' precision: on a GPU JAX's own are in TF32."""
    def gradient(*cotangents: Array) -> Any:
        g = derivative(_refuse, *saved, *(x.conj() for x in cotangents))
        return tuple(x.conj() for x in (g if isinstance(g, tuple) else (g,)))
    with jax.default_matmul_precision("highest"):
        return jax.linear_transpose(gradient, *results)(tangents)


def _none(x: Array) -> Any:
    """The tangent of integers"""
    return np.zeros(x.shape, jax.dtypes.float0)


# ---- gsvd -------------------------------------------------------------------------------


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3))
def _gsvd(A: Array, B: Array, rank: str, solver: str) -> tuple[Array, ...]:
    (m, n), p = A.shape[-2:], B.shape[-2]
    r = _run(d.GSVD, "SSQ", (A, B), _options(rank, solver, "x"),
             {"U": (m, min(m, n)), "V": (p, min(p, n)), "Q": (n, n), "a": (n,), "b": (n,),
              "k": (2,), "l": (2,)})
    return tuple(r[name] for name in "UVQabkl")


def _options(rank: str, solver: str, form: str) -> list[tuple[int, float]]:
    return d._options((d.OPTION_FORM, "form", form, d.FORMS), (d.OPTION_RANK, "rank", rank, d.RANKS),
                      (d.OPTION_SOLVER, "solver", solver, d.SOLVERS))


@_gsvd.defjvp
def _gsvd_jvp(rank: str, solver: str, primals: Any, tangents: Any) -> Any:
    r = _gsvd(*primals, rank, solver)
    return r, (*_tangents(_derivatives.gsvd, r, r[:5], tangents), *map(_none, r[5:]))


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3))
def _gsvdvals(A: Array, B: Array, rank: str, solver: str) -> tuple[Array, Array]:
    n = A.shape[-1]
    r = _run(d.GSVD, "NNN", (A, B), _options(rank, solver, "rq"),
             {"a": (n,), "b": (n,), "k": (2,), "l": (2,)})
    return r["a"], r["b"]


@_gsvdvals.defjvp
def _gsvdvals_jvp(rank: str, solver: str, primals: Any, tangents: Any) -> Any:
    r = _gsvd(*primals, rank, solver)
    return r[3:5], _tangents(_gradient_of_values, r, r[3:5], tangents)


def _gradient_of_values(refuse: Any, U: Any, V: Any, X: Any, alpha: Any, beta: Any, k: Any, l: Any,
                        *gradients: Any) -> Any:
    return _derivatives.gsvd(refuse, U, V, X, alpha, beta, k, l, None, None, None, *gradients)


def _pair(A: Any, B: Any) -> tuple[Array, ...]:
    a, b = _typed(A, B)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"A has {a.shape[-1]} columns, B has {b.shape[-1]}")
    return a, b


def gsvd(A: Any, B: Any, *, rank: Literal["norm", "rows"] = "norm",
         solver: Literal["auto", "tgsja", "tangent", "csd"] = "auto") -> GSVDResult:
    """`libgsvd.gsvd`, with derivatives of U, V, X, alpha and beta.

    Examples
    --------
    >>> import jax, jax.numpy as jnp, libgsvd.jax
    >>> A, B = jnp.array([[3.0, 0], [0, 1]]), jnp.eye(2)
    >>> jax.jit(libgsvd.jax.gsvd)(A, B).values.round(4)
    Array([3., 1.], dtype=float32)
    >>> g = jax.grad(lambda A: libgsvd.jax.gsvd(A, B).values.sum())(A)
    >>> abs(g).round(4)
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    a, b = _pair(A, B)
    U, V, X, alpha, beta, k, l = _gsvd(a, b, rank, solver)
    shape = (a.shape[-2], a.shape[-1], b.shape[-2])
    return GSVDResult(U, V, X, None, None, None, alpha, beta, k, l, shape)


def gsvdvals(A: Any, B: Any, *, rank: Literal["norm", "rows"] = "norm",
             solver: Literal["auto", "tgsja", "tangent", "csd"] = "auto") -> tuple[Array, Array]:
    """`libgsvd.gsvdvals`, with derivatives, for which the factors are computed."""
    result: tuple[Array, Array] = _gsvdvals(*_pair(A, B), rank, solver)
    return result


# ---- svd --------------------------------------------------------------------------------


def _svd_run(A: Array, method: str, jobs: str) -> dict[str, Array]:
    m, n = A.shape[-2:]
    q = min(m, n)
    factors = {"U": (m, q), "V": (n, q)} if jobs == "SS" else {}
    return _run(d.SVD, jobs, (A,), d._options((d.OPTION_SVD, "method", method, d.SVD_METHODS)),
                factors | {"a": (q,)})


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _svd(A: Array, method: str) -> tuple[Array, Array, Array]:
    r = _svd_run(A, method, "SS")
    return r["U"], r["a"], r["V"].swapaxes(-1, -2).conj()


@_svd.defjvp
def _svd_jvp(method: str, primals: Any, tangents: Any) -> Any:
    r = _svd(*primals, method)
    return r, _tangents(_derivatives.svd, r, r, tangents)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _svdvals(A: Array, method: str) -> Array:
    return _svd_run(A, method, "NN")["a"]


@_svdvals.defjvp
def _svdvals_jvp(method: str, primals: Any, tangents: Any) -> Any:
    r = _svd(*primals, method)
    return r[1], _tangents(_derivatives.svdvals, r, r[1:2], tangents)[0]


def svd(A: Any, *, method: Literal["auto", "jacobi", "bidiagonal"] = "auto") -> SVDResult:
    """`libgsvd.svd`, with derivatives of U, S and Vh."""
    return SVDResult(*_svd(*_typed(A), method))


def svdvals(A: Any, *, method: Literal["auto", "jacobi", "bidiagonal"] = "auto") -> Array:
    """`libgsvd.svdvals`, with derivatives, for which the factors are computed."""
    S: Array = _svdvals(*_typed(A), method)
    return S


# ---- eigh -------------------------------------------------------------------------------


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def _eigh(A: Array, uplo: str, method: str) -> tuple[Array, Array]:
    n = A.shape[-1]
    r = _run(d.EIGH, "V" + uplo, (A,),
             d._options((d.OPTION_EIGH, "method", method, d.EIGH_METHODS)),
             {"Q": (n, n), "a": (n,)})
    return r["a"], r["Q"]


@_eigh.defjvp
def _eigh_jvp(uplo: str, method: str, primals: Any, tangents: Any) -> Any:
    r = _eigh(*primals, uplo, method)
    return r, _tangents(_derivatives.eigh, r, r, tangents)


def eigh(A: Any, *, uplo: Literal["L", "U"] = "L",
         method: Literal["auto", "fast", "factor"] = "auto") -> EighResult:
    """`libgsvd.eigh`, with derivatives of eigenvalues and eigenvectors.

    The gradient is Hermitian: A is taken to be so, whichever triangle is read.
    """
    (a,) = _typed(A)
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(f"A: {a.shape[-2]}x{a.shape[-1]}, not square")
    d._choice("uplo", uplo, {"L": 0, "U": 1})
    return EighResult(*_eigh(a, uplo, method))


# ---- hsvd -------------------------------------------------------------------------------


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _hsvd(G: Array, n_plus: int) -> tuple[Array, Array, Array]:
    m, n = G.shape[-2:]
    r = _run(d.HSVD, "SV", (G,), [], {"U": (m, n), "V": (n, n), "a": (n,)}, k=n_plus)
    return r["U"], r["a"], r["V"]


@_hsvd.defjvp
def _hsvd_jvp(n_plus: int, primals: Any, tangents: Any) -> Any:
    r = _hsvd(*primals, n_plus)
    return r, _tangents(_derivatives.hsvd, (*r, _signs(r[1], n_plus)), r, tangents)


def _signs(like: Array, n_plus: int) -> Array:
    return jnp.where(jnp.arange(like.shape[-1]) < n_plus, 1, -1)


def hsvd(G: Any, J: Any = None, *, n_plus: int | None = None) -> HSVDResult:
    """`libgsvd.hsvd`, with derivatives of U, S and V.

    J is one vector of signs for all problems, of numbers that are known when JAX traces.
    """
    (g,) = _typed(G)
    order, n_plus = d._order_of(J, n_plus, g.shape)
    U, S, V = _hsvd(g if order is None else g[..., order], n_plus)
    if order is not None:
        V = V[..., np.argsort(order), :]
    return HSVDResult(U, S, V, _signs(S, n_plus))


# ---- qr, geqp ---------------------------------------------------------------------------


def _q_of(r: dict[str, Array], q: int) -> Array:
    return _run(d.QR_FORM, "", (r["A"][..., :q], r["t"]), [], {}, "At", k=q)["A"]


@jax.custom_jvp
def _qr(A: Array) -> tuple[Array, Array]:
    q = min(A.shape[-2:])
    r = _run(d.QR, "", (A,), [], {"t": (q,)})
    return _q_of(r, q), jnp.triu(r["A"][..., :q, :])


@_qr.defjvp
def _qr_jvp(primals: Any, tangents: Any) -> Any:
    r = _qr(*primals)
    return r, _tangents(_derivatives.qr, r, r, tangents)


def qr(A: Any) -> QRResult:
    """`libgsvd.qr`, with derivatives of Q and R, on a CPU."""
    return QRResult(*_qr(*_typed(A)))


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _geqp(A: Array, tol: float) -> tuple[Array, ...]:
    q, n = min(A.shape[-2:]), A.shape[-1]
    r = _run(d.GEQP, "", (A,), [], {"t": (q,), "P": (n, 2), "k": (2,)}, tol=tol)
    left = jnp.arange(q)[:, None] >= r["k"][..., None, None]  # of the columns, up to the tolerance
    R = jnp.triu(r["A"][..., :q, :])
    return _q_of(r, q), jnp.where(left, jnp.zeros_like(R), R), r["P"] - 1, r["k"]


@_geqp.defjvp
def _geqp_jvp(tol: float, primals: Any, tangents: Any) -> Any:
    r = _geqp(*primals, tol)
    return r, (*_tangents(_derivatives.geqp, r, r[:2], tangents), *map(_none, r[2:]))


def geqp(A: Any, *, tol: float | None = None) -> GeqpResult:
    """`libgsvd.geqp`, with derivatives of Q and R where the order of columns does not change, on a CPU."""
    return GeqpResult(*_geqp(*_typed(A), d._tolerance(tol)))


# ---- urv --------------------------------------------------------------------------------


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _urv(A: Array, tol: float) -> tuple[Array, ...]:
    m, n = A.shape[-2:]
    q = min(m, n)
    r = _run(d.URV, "SS", (A,), [], {"U": (m, q), "V": (n, q), "k": (2,)}, tol=tol)
    return r["U"], r["A"][..., :q, n - q:], r["V"].swapaxes(-1, -2).conj(), r["k"]


@_urv.defjvp
def _urv_jvp(tol: float, primals: Any, tangents: Any) -> Any:
    r = U, R, Vh, rank = _urv(*primals, tol)
    P = _geqp(*primals, tol)[2]
    return r, (*_tangents(_derivatives.urv, (U, R, Vh, P, rank), r[:3], tangents), _none(rank))


def urv(A: Any, *, tol: float | None = None) -> URVResult:
    """`libgsvd.urv`, with derivatives of U, R and Vh as `geqp` has them, on a CPU."""
    return URVResult(*_urv(*_typed(A), d._tolerance(tol)))
