# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of NumPy, PyTorch, CuPy, JAX and others: where they are, and copies by columns."""
from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core

HOST = -1
TYPES = {np.dtype(t): np.dtype(r) for t, r in (
    (np.float32, np.float32), (np.float64, np.float64),
    (np.complex64, np.float32), (np.complex128, np.float64))}  # of values, by type
LETTERS = dict(zip(TYPES, "sdcz"))


def common_type(*types: np.dtype) -> np.dtype:
    """The type that arrays of these types are computed in."""
    t = types[0]
    if t not in TYPES or types.count(t) < len(types):
        t = np.result_type(*types).newbyteorder("=")
    if t.kind in "biu":
        t = np.dtype(np.float64)
    if t not in TYPES:
        raise TypeError(f"arrays of {t}: libgsvd computes in float32, float64, complex64 "
                        "and complex128")
    return t


def whole(a: np.ndarray) -> np.ndarray:
    """A, or a copy, whose elements the extension module can read: in steps of whole elements."""
    if a.flags.aligned and not any(s % a.itemsize for s in a.strides):
        return a
    return a.copy()


class Place:
    """Host memory: arrays of NumPy, and of other packages, which NumPy sees where they are.

    `back` makes an array of the package that A came from of NumPy's, without a copy.
    """

    on_device = False
    index = HOST
    xp: Any = np

    def __init__(self, back: Callable[[np.ndarray], Any] | None = None):
        self.back = back

    def number(self, device: int | None) -> int:
        """The library's number of the device that computes."""
        return HOST if device is None else int(device)

    def stream(self, stream: int | None) -> int:
        if stream is not None:
            raise ValueError("stream: the arrays are in host memory")
        return 0

    def dtype(self, a: Any) -> np.dtype:
        return a.dtype

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        return np.empty(shape, dtype)

    def matrices(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        """(..., m, n), not set, by columns."""
        if len(shape) == 2:
            return np.empty(shape, dtype, "F")
        return np.empty(shape[:-2] + (shape[-1], shape[-2]), dtype).swapaxes(-1, -2)

    def copy(self, a: Any, lead: tuple[int, ...], dtype: np.dtype) -> Any:
        """A by columns: (m, n) if lead is (), else one matrix behind another, (N, m, n)."""
        if not lead and a.size < 2048:
            return np.array(a, dtype, order="F")
        m, n = a.shape[-2:]
        w = np.empty((*lead, n, m), dtype)
        if a.size < 2048 or a.ndim > 3 or a.dtype != dtype or len(lead) > 1:
            w.swapaxes(-1, -2)[...] = a  # broadcasts
        else:
            b = np.broadcast_to(a, (*lead, m, n))
            _core.load(whole(b), w.swapaxes(-1, -2))
        if len(lead) > 1:
            w = w.reshape(math.prod(lead), n, m)
        return w.swapaxes(-1, -2)

    def may_overwrite(self, a: Any, dtype: np.dtype) -> bool:
        """Whether A can be computed in: a matrix of NumPy's by columns, of this type."""
        return (self is NUMPY and a.ndim == 2 and a.dtype == dtype and a.size > 0
                and a.flags.writeable and a.flags.aligned
                and (a.shape[0] == 1 or a.strides[0] == a.itemsize)
                and (a.shape[1] == 1 or (a.strides[1] >= a.shape[0] * a.itemsize
                                         and a.strides[1] % a.itemsize == 0)))

    def by_rows(self, a: Any) -> bool:
        """Whether A's rows lie in one piece each."""
        return a.shape[-1] > 1 and a.strides[-1] == a.itemsize

    def raw(self, a: Any) -> Any:
        """What the extension module takes."""
        return a

    def integers(self, x: Any) -> Any:
        """int64, in this place, in one piece."""
        return np.array(x, np.int64, order="C")

    def numpy(self, x: Any) -> np.ndarray:
        return x

    def give(self, x: Any, lead: tuple[int, ...] = ()) -> Any:
        """A result for the caller."""
        if x is None:
            return None
        if len(lead) > 1:
            x = x.reshape(lead + x.shape[1:])
        return x if self.back is None else self.back(x)


class OnDevice(Place):
    """Memory of a GPU: CuPy's arrays, which NumPy's functions in CuPy know."""

    on_device = True

    def __init__(self, index: int, xp: Any):
        super().__init__()
        self.index, self.xp = index, xp

    def number(self, device: int | None) -> int:
        if device is not None and int(device) != self.index:
            raise ValueError(f"device: {device}, and the arrays are on device {self.index}")
        return self.index

    def stream(self, stream: int | None) -> int:
        current = self.xp.cuda.get_current_stream(self.index).ptr
        if stream is not None and int(stream) != current:
            raise ValueError("stream: not the current one of the arrays' package, which "
                             "allocates the results there")
        return current

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        with self.xp.cuda.Device(self.index):
            return self.xp.empty(shape, dtype)

    def matrices(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        return self.empty(shape[:-2] + (shape[-1], shape[-2]), dtype).swapaxes(-1, -2)

    def copy(self, a: Any, lead: tuple[int, ...], dtype: np.dtype) -> Any:
        m, n = a.shape[-2:]
        w = self.empty((*lead, n, m), dtype)
        w.swapaxes(-1, -2)[...] = a
        if len(lead) > 1:
            w = w.reshape(math.prod(lead), n, m)
        return w.swapaxes(-1, -2)

    def may_overwrite(self, a: Any, dtype: np.dtype) -> bool:
        return False

    def by_rows(self, a: Any) -> bool:
        return False

    def raw(self, a: Any) -> Any:
        # its memory was allocated on the current stream, on which the library works
        return None if a is None or math.prod(a.shape) == 0 else a.__dlpack__(stream=-1)

    def integers(self, x: Any) -> Any:
        with self.xp.cuda.Device(self.index):
            return self.xp.ascontiguousarray(self.xp.asarray(x), np.int64)

    def numpy(self, x: Any) -> np.ndarray:
        return x.get()


class TorchOnDevice(OnDevice):
    """The same of PyTorch's tensors."""

    def stream(self, stream: int | None) -> int:
        current = self.xp.cuda.current_stream(self.index).cuda_stream
        if stream is not None and int(stream) != current:
            raise ValueError("stream: not PyTorch's current one, where it allocates the results")
        return current

    def dtype(self, a: Any) -> np.dtype:
        return np.dtype(str(a.dtype).removeprefix("torch."))

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        return self.xp.empty(shape, dtype=getattr(self.xp, dtype.name),
                             device=f"cuda:{self.index}")

    def integers(self, x: Any) -> Any:
        return self.xp.as_tensor(x, dtype=self.xp.int64,
                                 device=f"cuda:{self.index}").contiguous()

    def numpy(self, x: Any) -> np.ndarray:
        return x.cpu().numpy()


NUMPY = Place()
_HERE = ("numpy", HOST)


def _see(x: Any) -> tuple[Place, Any, str]:
    """The place of an array, the array as that place sees it, and its package."""
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("libgsvd takes no masked arrays: a mask would be forgotten")
    if isinstance(x, np.ndarray) or not hasattr(x, "__dlpack__"):
        return NUMPY, np.asarray(x), "numpy"
    torch: Any = sys.modules.get("torch")
    name = type(x).__module__.partition(".")[0]
    if torch is not None and isinstance(x, torch.Tensor):
        name = "torch"
        if x.requires_grad:
            raise TypeError("derivatives: libgsvd.torch has them; or call "
                            "detach() on the tensor")
        x = x.resolve_conj().resolve_neg()
    kind, index = map(int, x.__dlpack_device__())
    if kind == 1:
        back = None
        if name == "torch":
            back = torch.from_dlpack
        elif hasattr(x, "__array_namespace__"):
            back = x.__array_namespace__().from_dlpack
        return Place(back), np.from_dlpack(x), name
    if kind in (2, 13) and name == "torch":
        return TorchOnDevice(index, torch), x, name
    if kind in (2, 13) and name == "cupy":
        return OnDevice(index, sys.modules["cupy"]), x, name
    raise TypeError(f"an array of {name} that is not in host memory: on a GPU libgsvd takes "
                    "those of PyTorch and CuPy")


def take(**arrays: Any) -> tuple[Place, list[Any]]:
    """The place of matrices, or of stacks of them, and what they are there."""
    place, seen, before = NUMPY, [], None
    for name, x in arrays.items():
        if type(x) is np.ndarray:
            place, now = NUMPY, _HERE
        else:
            place, x, package = _see(x)
            now = (package, place.index)
        if x.ndim < 2:
            raise ValueError(f"{name}: {x.ndim} dimensions, not a matrix or a stack of matrices")
        if before is not None and before != now:
            raise TypeError(f"{' and '.join(arrays)}: not of one package in one place")
        before = now
        seen.append(x)
    return place, seen


def namespace(x: Any) -> tuple[Any, dict[str, Any]]:
    """The functions of an array's package, and what new arrays need to be where x is."""
    if isinstance(x, np.ndarray):
        return np, {}
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return torch, {"device": x.device}
    if type(x).__module__.partition(".")[0] == "cupy":
        return sys.modules["cupy"], {}
    return x.__array_namespace__(), {}


def diagonal(values: Any, rows: int, first: Any = 0) -> Any:
    """(..., rows, r) with values[..., first + i] in row i, column first + i."""
    xp, here = namespace(values)
    i, j = xp.arange(rows, **here)[:, None], xp.arange(values.shape[-1], **here)
    if not isinstance(first, int):
        first = first[..., None, None]
    return xp.where(j == i + first, values[..., None, :], xp.zeros_like(values[..., None, :]))
