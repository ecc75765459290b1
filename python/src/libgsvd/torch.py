# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Operators of PyTorch, with derivatives; torch.compile, torch.export and torch.func know them.

`gsvd`, `gsvdvals`, `svd`, `svdvals`, `hsvd`, `eigh`, `qr`, `geqp` and `urv` take tensors on a CPU or a GPU.
Factors are of economy size, and those of one problem have the shapes of a stack's: X has n columns, k
and l are tensors.  `torch.ops.libgsvd`, on which these functions stand, has no forward derivatives.

A gradient that does not exist is a LinAlgError: of factors where values are equal, unless the function
does not depend on the choice among their vectors; where the ranks change with A and B.  What does not
exist of a forward derivative is NaN.
"""
from __future__ import annotations

import functools
import warnings
from typing import Any, Literal, TypeAlias

import torch
from torch._functorch import pyfunctorch
from torch._library.autograd import make_autograd_impl

from . import _decompose, _derivatives
from ._results import (EighResult, GeqpResult, GSVDResult, HSVDResult, LinAlgError, QRResult,
                       SVDResult, URVResult)

Tensor: TypeAlias = torch.Tensor

__all__ = ["gsvd", "gsvdvals", "svd", "svdvals", "hsvd", "eigh", "qr", "geqp", "urv"]

for _result in (GSVDResult, SVDResult, HSVDResult, EighResult, QRResult, GeqpResult, URVResult):
    torch.export.register_dataclass(_result)


def _many(call: Any) -> Any:
    """vmap: what is mapped over is the first dimension of a stack."""
    def stacked(info: Any, dims: Any, *arguments: Any) -> Any:
        tensors = [x.movedim(d, 0) if d is not None else x.expand(info.batch_size, *x.shape)
                   if isinstance(x, torch.Tensor) else x for x, d in zip(arguments, dims)]
        result = call(*tensors)
        return result, 0 if isinstance(result, torch.Tensor) else (0,) * len(result)
    return stacked


def _operator(name: str, schema: str, run: Any, fake: Any) -> Any:
    op = torch.library.custom_op(f"libgsvd::{name}", run, mutates_args=(), schema=schema)
    op.register_fake(fake)
    op.register_vmap(_many(op))
    reverse = make_autograd_impl(op._opoverload, op)

    def autograd(keys: Any, *arguments: Any) -> Any:
        """PyTorch's, which says 0 of a forward derivative"""
        if torch.autograd.forward_ad._current_level >= 0 and any(
                torch.autograd.forward_ad.unpack_dual(x).tangent is not None
                for x in arguments if isinstance(x, torch.Tensor)):
            raise NotImplementedError(f"torch.ops.libgsvd.{name} has no forward derivative; the "
                                      "functions of libgsvd.torch have")
        return reverse(keys, *arguments)

    with warnings.catch_warnings():  # PyTorch 2.11 warns of what it is asked for.
        warnings.simplefilter("ignore", UserWarning)
        op._lib.impl(name, autograd, "Autograd", with_keyset=True, allow_override=True)
    return op


def _nested() -> bool:
    """Is this a torch.func.jvp in another one?"""
    levels = pyfunctorch.retrieve_all_functorch_interpreters()
    return sum(isinstance(x, pyfunctorch.JvpInterpreter) for x in levels) > 1


def _differentiable(op: Any, derivative: Any, results: int, options: int) -> Any:
    """A function of tensors and `options`, the operator with derivatives of its first results.

    torch.compile and torch.export trace the operator.  Otherwise a Function of autograd calls it: an
    operator has no forward derivative, and torch.func does not know its backward one.
    """
    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*output)
        ctx.save_for_forward(*output)

    def gradient_by(refuse: Any) -> Any:
        def gradients(ctx: Any, *g: Any) -> Any:
            found = derivative(refuse, *ctx.saved_tensors, *g[:results])
            return *(found if isinstance(found, tuple) else (found,)), *(None,) * options
        return gradients

    class Differentiated(torch.autograd.Function):
        forward = staticmethod(lambda *arguments: op(*arguments))
        backward = staticmethod(gradient_by(_refuse))

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            keep(ctx, inputs, output)
            ctx.mark_non_differentiable(*output[results:])

        @staticmethod
        def jvp(ctx: Any, *tangents: Any) -> Any:
            """By the adjoint of the gradient"""
            saved = ctx.saved_tensors
            gradients, adjoint = torch.func.vjp(lambda *g: derivative(_mark, *saved, *g),
                                                *map(torch.zeros_like, saved[:results]))
            one = isinstance(gradients, torch.Tensor)
            all_of = [torch.zeros_like(g) if d is None else d
                      for g, d in zip((gradients,) if one else gradients, tangents)]
            return *adjoint(all_of[0] if one else tuple(all_of)), *(None,) * len(saved[results:])

        @staticmethod
        def vmap(info: Any, dims: Any, *arguments: Any) -> Any:
            return _many(Differentiated.apply)(info, dims, *arguments)

    def call(*arguments: Any) -> Any:
        if not torch.compiler.is_compiling():
            if _nested():
                raise NotImplementedError("libgsvd.torch: PyTorch has no forward derivatives of "
                                          "forward ones of a Function, and would say 0")
            return Differentiated.apply(*arguments)
        if torch.autograd.forward_ad._current_level >= 0:
            raise NotImplementedError("libgsvd.torch: no forward derivatives in torch.compile")
        return op(*arguments)

    op.register_autograd(gradient_by(_refuse_compiled), setup_context=keep)
    return call


def _by_columns(like: Tensor, *shape: int, dtype: Any = None) -> Tensor:
    *lead, m, n = shape
    return like.new_empty(*lead, n, m, dtype=dtype).swapaxes(-1, -2)


def _solve(routine: Any, *arrays: Tensor, **keywords: Any) -> Any:
    """The result of a stack, for one problem, too."""
    arrays = tuple(x.detach().contiguous() for x in arrays)
    if arrays[0].ndim > 2:
        return routine(*arrays, **keywords)
    return _One(routine(*(x[None] for x in arrays), **keywords))


class _One:
    def __init__(self, stack: Any):
        self.stack = stack

    def __getattr__(self, name: str) -> Any:
        x = getattr(self.stack, name)
        return None if x is None else x[0]


def _laid(x: Tensor, like: Tensor) -> Tensor:
    """x as the fake tensor lies, and no view, whose tangent would have to lie like it"""
    x = x.resolve_conj()
    return (x if x.stride() == like.stride() else like.copy_(x)).data


def _real(a: Tensor) -> Any:
    return a.dtype.to_real()


# ---- where there is no derivative -------------------------------------------------------


def _run_refuse(x: Tensor, bad: Tensor, text: str) -> Tensor:
    if bool(bad.any()):
        raise LinAlgError(text)
    return x.clone()


_refuse_op = _operator("refuse", "(Tensor x, Tensor bad, str text) -> Tensor", _run_refuse,
                       lambda x, bad, text: torch.empty_like(x))
_refuse_op.register_autograd(lambda ctx, g: (g, None, None),
                             setup_context=lambda ctx, inputs, output: None)


class _Refused(torch.autograd.Function):
    forward = staticmethod(_run_refuse)
    setup_context = staticmethod(lambda ctx, inputs, output: None)
    backward = staticmethod(lambda ctx, g: (g, None, None))
    jvp = staticmethod(lambda ctx, d, *_: d.clone())

    @staticmethod
    def vmap(info: Any, dims: Any, x: Tensor, bad: Tensor, text: str) -> Any:
        return _Refused.apply(x, bad, text), dims[0]


def _refuse(xs: Any, masks: Any, text: str, mark: bool = True, by: Any = _Refused.apply) -> Any:
    return by(xs[0], _derivatives.depends(xs, masks), text), *xs[1:]


_refuse_compiled = functools.partial(_refuse, by=_refuse_op)


def _mark(xs: Any, masks: Any, text: str, mark: bool = True) -> Any:
    """The adjoint is NaN where masks say."""
    return tuple(x if mask is None or not mark else x * torch.where(mask, torch.nan, 1.0)
                 for x, mask in zip(xs, masks))


# ---- gsvd -------------------------------------------------------------------------------


def _fake_gsvd(A: Tensor, B: Tensor, rank: str, solver: str) -> tuple[Tensor, ...]:
    *lead, m, n = A.shape
    p = B.shape[-2]
    values = [A.new_empty(*lead, n, dtype=_real(A)) for _ in "ab"]
    ranks = [A.new_empty(lead, dtype=torch.int64) for _ in "kl"]
    return (_by_columns(A, *lead, m, min(m, n)), _by_columns(A, *lead, p, min(p, n)),
            _by_columns(A, *lead, n, n), *values, *ranks)


def _run_gsvd(A: Tensor, B: Tensor, rank: Any, solver: Any) -> tuple[Tensor, ...]:
    r = _solve(_decompose.gsvd, A, B, rank=rank, solver=solver)
    return tuple(map(_laid, (r.U, r.V, r.X, r.alpha, r.beta, r.k, r.l),
                     _fake_gsvd(A, B, rank, solver)))


_gsvd = _differentiable(
    _operator("gsvd", "(Tensor A, Tensor B, str rank, str solver) -> "
              "(Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)", _run_gsvd, _fake_gsvd),
    _derivatives.gsvd, results=5, options=2)


def _fake_gsvdvals(A: Tensor, B: Tensor, rank: str, solver: str) -> tuple[Tensor, Tensor]:
    return _fake_gsvd(A, B, rank, solver)[3:5]  # type: ignore[return-value]


def _run_gsvdvals(A: Tensor, B: Tensor, rank: Any, solver: Any) -> tuple[Tensor, ...]:
    r = _solve(_decompose.gsvd, A, B, compute_uv=False, rank=rank, solver=solver)
    return tuple(map(_laid, (r.alpha, r.beta), _fake_gsvdvals(A, B, rank, solver)))


_gsvdvals = _operator("gsvdvals", "(Tensor A, Tensor B, str rank, str solver) -> (Tensor, Tensor)",
                      _run_gsvdvals, _fake_gsvdvals)


def _pair(A: Tensor, B: Tensor) -> tuple[Tensor, Tensor]:
    """Of one type, and of the same stack"""
    A, B = torch.as_tensor(A), torch.as_tensor(B)
    if A.ndim < 2 or B.ndim < 2 or A.shape[-1] != B.shape[-1]:
        raise ValueError(f"A {tuple(A.shape)}, B {tuple(B.shape)}: not of the same columns")
    lead = torch.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    t = torch.promote_types(A.dtype, B.dtype)
    A, B = (_typed(x.to(t)).expand(*lead, *x.shape[-2:]) for x in (A, B))
    return A, B


def _typed(A: Tensor) -> Tensor:
    A = torch.as_tensor(A)
    if A.ndim < 2:
        raise ValueError(f"A: {A.ndim} dimensions, not a matrix or a stack of matrices")
    if not (A.is_floating_point() or A.is_complex()):
        A = A.to(torch.float64)
    if A.dtype not in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        raise TypeError(f"tensors of {A.dtype}: libgsvd computes in float32, float64, complex64 "
                        "and complex128")
    return A


def _differentiated(*tensors: Tensor) -> bool:
    return (torch.is_grad_enabled() and any(x.requires_grad for x in tensors)
            or torch.autograd.forward_ad._current_level >= 0)


def gsvd(A: Tensor, B: Tensor, *, rank: Literal["norm", "rows"] = "norm",
         solver: Literal["auto", "tgsja", "tangent", "csd"] = "auto") -> GSVDResult:
    """`libgsvd.gsvd`, with derivatives of U, V, X, alpha and beta.

    Examples
    --------
    >>> import torch, libgsvd.torch
    >>> A = torch.tensor([[3.0, 0], [0, 1]], requires_grad=True)
    >>> r = libgsvd.torch.gsvd(A, torch.eye(2))
    >>> r.values.sum().backward()
    >>> A.grad.round(decimals=6).abs()
    tensor([[1., 0.],
            [0., 1.]])
    """
    A, B = _pair(A, B)
    U, V, X, alpha, beta, k, l = _gsvd(A, B, rank, solver)
    m, n = A.shape[-2:]
    return GSVDResult(U, V, X, None, None, None, alpha, beta, k, l, (m, n, B.shape[-2]))


def gsvdvals(A: Tensor, B: Tensor, *, rank: Literal["norm", "rows"] = "norm",
             solver: Literal["auto", "tgsja", "tangent", "csd"] = "auto") -> tuple[Tensor, Tensor]:
    """`libgsvd.gsvdvals`, with derivatives, for which the factors are computed."""
    A, B = _pair(A, B)
    if _differentiated(A, B):
        alpha, beta = _gsvd(A, B, rank, solver)[3:5]
    else:
        alpha, beta = _gsvdvals(A, B, rank, solver)
    return alpha, beta


# ---- svd --------------------------------------------------------------------------------


def _fake_svd(A: Tensor, method: str) -> tuple[Tensor, ...]:
    *lead, m, n = A.shape
    q = min(m, n)
    return (_by_columns(A, *lead, m, q), A.new_empty(*lead, q, dtype=_real(A)),
            A.new_empty(*lead, q, n))


def _run_svd(A: Tensor, method: Any) -> tuple[Tensor, ...]:
    r = _solve(_decompose.svd, A, method=method)
    return tuple(map(_laid, (r.U, r.S, r.Vh), _fake_svd(A, method)))


_svd = _differentiable(
    _operator("svd", "(Tensor A, str method) -> (Tensor, Tensor, Tensor)", _run_svd, _fake_svd),
    _derivatives.svd, results=3, options=1)


def _fake_svdvals(A: Tensor, method: str) -> Tensor:
    return _fake_svd(A, method)[1]


def _run_svdvals(A: Tensor, method: Any) -> Tensor:
    return _laid(_solve(_decompose.svd, A, compute_uv=False, method=method).S,
                 _fake_svdvals(A, method))


_svdvals = _operator("svdvals", "(Tensor A, str method) -> Tensor", _run_svdvals, _fake_svdvals)


def svd(A: Tensor, *, method: Literal["auto", "jacobi", "bidiagonal"] = "auto") -> SVDResult:
    """`libgsvd.svd`, with derivatives of U, S and Vh."""
    return SVDResult(*_svd(_typed(A), method))


def svdvals(A: Tensor, *, method: Literal["auto", "jacobi", "bidiagonal"] = "auto") -> Tensor:
    """`libgsvd.svdvals`, with derivatives, for which the factors are computed."""
    A = _typed(A)
    S: Tensor = _svd(A, method)[1] if _differentiated(A) else _svdvals(A, method)
    return S


# ---- eigh -------------------------------------------------------------------------------


def _fake_eigh(A: Tensor, uplo: str, method: str) -> tuple[Tensor, Tensor]:
    return A.new_empty(A.shape[:-1], dtype=_real(A)), _by_columns(A, *A.shape)


def _run_eigh(A: Tensor, uplo: Any, method: Any) -> tuple[Tensor, ...]:
    r = _solve(_decompose.eigh, A, uplo=uplo, method=method)
    return tuple(map(_laid, (r.eigenvalues, r.eigenvectors), _fake_eigh(A, uplo, method)))


_eigh = _differentiable(
    _operator("eigh", "(Tensor A, str uplo, str method) -> (Tensor, Tensor)", _run_eigh, _fake_eigh),
    _derivatives.eigh, results=2, options=2)


def eigh(A: Tensor, *, uplo: Literal["L", "U"] = "L",
         method: Literal["auto", "fast", "factor"] = "auto") -> EighResult:
    """`libgsvd.eigh`, with derivatives of eigenvalues and eigenvectors.

    The gradient is Hermitian: A is taken to be so, whichever triangle is read.
    """
    A = _typed(A)
    if A.shape[-1] != A.shape[-2]:
        raise ValueError(f"A: {A.shape[-2]}x{A.shape[-1]}, not square")
    return EighResult(*_eigh(A, uplo, method))


# ---- hsvd -------------------------------------------------------------------------------


def _fake_hsvd(G: Tensor, n_plus: int) -> tuple[Tensor, ...]:
    n = G.shape[-1]
    S = G.new_empty(G.shape[:-2] + (n,), dtype=_real(G))
    return (_by_columns(G, *G.shape), S, _by_columns(G, *G.shape[:-2], n, n),
            torch.empty_like(S, dtype=torch.int64))


def _run_hsvd(G: Tensor, n_plus: int) -> tuple[Tensor, ...]:
    r = _solve(_decompose.hsvd, G, n_plus=n_plus)
    U, S, V, signs = _fake_hsvd(G, n_plus)
    signs[..., :n_plus], signs[..., n_plus:] = 1, -1
    return *map(_laid, (r.U, r.S, r.V), (U, S, V)), signs


_hsvd = _differentiable(
    _operator("hsvd", "(Tensor G, int n_plus) -> (Tensor, Tensor, Tensor, Tensor)",
              _run_hsvd, _fake_hsvd),
    _derivatives.hsvd, results=3, options=1)


def hsvd(G: Tensor, J: Any = None, *, n_plus: int | None = None) -> HSVDResult:
    """`libgsvd.hsvd`, with derivatives of U, S and V.

    J is one vector of signs for all problems.
    """
    G = _typed(G)
    order, n_plus = _decompose._order_of(J, n_plus, G.shape)
    U, S, V, _ = _hsvd(G if order is None else G[..., order.tolist()], n_plus)
    if order is not None:
        V = V[..., order.argsort().tolist(), :]
    first = torch.arange(G.shape[-1], device=G.device) < n_plus
    return HSVDResult(U, S, V, torch.where(first, 1, -1))


# ---- qr, geqp ---------------------------------------------------------------------------


def _fake_qr(A: Tensor) -> tuple[Tensor, Tensor]:
    *lead, m, n = A.shape
    return _by_columns(A, *lead, m, min(m, n)), A.new_empty(*lead, min(m, n), n)


def _run_qr(A: Tensor) -> tuple[Tensor, ...]:
    r = _solve(_decompose.qr, A)
    return tuple(map(_laid, (r.Q, r.R), _fake_qr(A)))


_qr = _differentiable(
    _operator("qr", "(Tensor A) -> (Tensor, Tensor)", _run_qr, _fake_qr),
    _derivatives.qr, results=2, options=0)


def qr(A: Tensor) -> QRResult:
    """`libgsvd.qr`, with derivatives of Q and R."""
    return QRResult(*_qr(_typed(A)))


def _fake_geqp(A: Tensor, tol: float | None) -> tuple[Tensor, ...]:
    *lead, _, n = A.shape
    return (*_fake_qr(A), A.new_empty(*lead, n, dtype=torch.int64),
            A.new_empty(lead, dtype=torch.int64))


def _run_geqp(A: Tensor, tol: float | None) -> tuple[Tensor, ...]:
    r = _solve(_decompose.geqp, A, tol=tol)
    return tuple(map(_laid, (r.Q, r.R, r.P, r.rank), _fake_geqp(A, tol)))


_geqp = _differentiable(
    _operator("geqp", "(Tensor A, float? tol) -> (Tensor, Tensor, Tensor, Tensor)",
              _run_geqp, _fake_geqp),
    _derivatives.geqp, results=2, options=1)


def geqp(A: Tensor, *, tol: float | None = None) -> GeqpResult:
    """`libgsvd.geqp`, with derivatives of Q and R where the order of columns does not change."""
    return GeqpResult(*_geqp(_typed(A), tol))


# ---- urv --------------------------------------------------------------------------------


def _fake_urv(A: Tensor, tol: float | None, order: bool) -> tuple[Tensor, ...]:
    *lead, m, n = A.shape
    q = min(m, n)
    return (_by_columns(A, *lead, m, q), A.new_empty(*lead, q, q), A.new_empty(*lead, q, n),
            A.new_empty(*lead, n if order else 0, dtype=torch.int64),
            A.new_empty(lead, dtype=torch.int64))


def _run_urv(A: Tensor, tol: float | None, order: bool) -> tuple[Tensor, ...]:
    """And the order of columns that `geqp` finds, by which derivatives go"""
    r = _solve(_decompose.urv, A, tol=tol)
    U, R, Vh, P, rank = _fake_urv(A, tol, order)
    if order:
        P = _laid(_solve(_decompose.geqp, A, tol=tol).P, P)
    return *map(_laid, (r.U, r.R, r.Vh), (U, R, Vh)), P, _laid(r.rank, rank)


_urv = _differentiable(
    _operator("urv", "(Tensor A, float? tol, bool order) -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
              _run_urv, _fake_urv),
    _derivatives.urv, results=3, options=2)


def urv(A: Tensor, *, tol: float | None = None) -> URVResult:
    """`libgsvd.urv`, with derivatives of U, R and Vh as `geqp` has them, for which A's columns are
    ordered once more."""
    A = _typed(A)
    U, R, Vh, _, rank = _urv(A, tol, _differentiated(A))
    return URVResult(U, R, Vh, rank)
