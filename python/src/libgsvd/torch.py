# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Operators of PyTorch, with derivatives; torch.compile, torch.export and torch.vmap trace them.

`gsvd`, `gsvdvals`, `svd`, `svdvals` and `eigh` take tensors on a CPU or a GPU.  Factors are of economy
size, and those of one problem have the shapes of a stack's: X has n columns, k and l are tensors.

A gradient that does not exist is a LinAlgError: of factors where values are equal, unless the function
does not depend on the choice among their vectors; where the ranks change with A and B.
"""
from __future__ import annotations

from typing import Any, Literal, TypeAlias

import torch

from . import _decompose, _derivatives
from ._results import EighResult, GSVDResult, LinAlgError, SVDResult

Tensor: TypeAlias = torch.Tensor

__all__ = ["gsvd", "gsvdvals", "svd", "svdvals", "eigh"]

torch.export.register_dataclass(GSVDResult)
torch.export.register_dataclass(SVDResult)
torch.export.register_dataclass(EighResult)


def _operator(name: str, schema: str, run: Any, fake: Any, backward: Any = None,
              setup: Any = None) -> Any:
    op = torch.library.custom_op(f"libgsvd::{name}", run, mutates_args=(), schema=schema)
    op.register_fake(fake)
    if backward is not None:
        op.register_autograd(backward, setup_context=setup)

    def many(info: Any, dims: Any, *arguments: Any) -> Any:
        """vmap: what is mapped over is the first dimension of a stack."""
        tensors = [x.movedim(d, 0) if d is not None else x.expand(info.batch_size, *x.shape)
                   if isinstance(x, torch.Tensor) else x for x, d in zip(arguments, dims)]
        result = op(*tensors)
        return result, 0 if isinstance(result, torch.Tensor) else (0,) * len(result)

    op.register_vmap(many)
    return op


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
    """x as the fake tensor lies"""
    x = x.resolve_conj()
    return x if x.stride() == like.stride() else like.copy_(x)


def _real(a: Tensor) -> Any:
    return a.dtype.to_real()


# ---- where there is no derivative -------------------------------------------------------


def _run_refuse(x: Tensor, bad: Tensor, text: str) -> Tensor:
    if bool(bad.any()):
        raise LinAlgError(text)
    return x.clone()


_refuse = _operator("refuse", "(Tensor x, Tensor bad, str text) -> Tensor", _run_refuse,
                    lambda x, bad, text: torch.empty_like(x),
                    lambda ctx, g: (g, None, None), lambda ctx, inputs, output: None)


def _gradient(derivative: Any, ctx: Any, *gradients: Any) -> Any:
    return derivative(_refuse, *ctx.saved_tensors, *gradients)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*(output if isinstance(output, tuple) else (output,)))


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


def _back_gsvd(ctx: Any, gU: Any, gV: Any, gX: Any, ga: Any, gb: Any, *_: Any) -> Any:
    return (*_gradient(_derivatives.gsvd, ctx, gU, gV, gX, ga, gb), None, None)


_gsvd = _operator("gsvd", "(Tensor A, Tensor B, str rank, str solver) -> "
                  "(Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)",
                  _run_gsvd, _fake_gsvd, _back_gsvd, _keep)


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
    return torch.is_grad_enabled() and any(x.requires_grad for x in tensors)


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


def _back_svd(ctx: Any, gU: Any, gS: Any, gVh: Any) -> Any:
    return _gradient(_derivatives.svd, ctx, gU, gS, gVh), None


_svd = _operator("svd", "(Tensor A, str method) -> (Tensor, Tensor, Tensor)",
                 _run_svd, _fake_svd, _back_svd, _keep)


def _fake_svdvals(A: Tensor, method: str) -> Tensor:
    return _fake_svd(A, method)[1]


def _run_svdvals(A: Tensor, method: Any) -> Tensor:
    return _laid(_solve(_decompose.svd, A, compute_uv=False, method=method).S,
                 _fake_svdvals(A, method))


_svdvals = _operator("svdvals", "(Tensor A, str method) -> Tensor", _run_svdvals, _fake_svdvals)


def svd(A: Tensor, *, method: Literal["auto", "jacobi"] = "auto") -> SVDResult:
    """`libgsvd.svd`, with derivatives of U, S and Vh."""
    return SVDResult(*_svd(_typed(A), method))


def svdvals(A: Tensor, *, method: Literal["auto", "jacobi"] = "auto") -> Tensor:
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


def _back_eigh(ctx: Any, gw: Any, gQ: Any) -> Any:
    return _gradient(_derivatives.eigh, ctx, gw, gQ), None, None


_eigh = _operator("eigh", "(Tensor A, str uplo, str method) -> (Tensor, Tensor)",
                  _run_eigh, _fake_eigh, _back_eigh, _keep)


def eigh(A: Tensor, *, uplo: Literal["L", "U"] = "L",
         method: Literal["auto", "fast", "factor"] = "auto") -> EighResult:
    """`libgsvd.eigh`, with derivatives of eigenvalues and eigenvectors.

    The gradient is Hermitian: A is taken to be so, whichever triangle is read.
    """
    A = _typed(A)
    if A.shape[-1] != A.shape[-2]:
        raise ValueError(f"A: {A.shape[-2]}x{A.shape[-1]}, not square")
    return EighResult(*_eigh(A, uplo, method))
