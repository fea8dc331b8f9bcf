"""Matrix products and linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np

from .funnel import elementwise, plain
from .registry import function, method
from .tensor import Tensor

__all__: list[str] = []


def together(*tensors: Tensor) -> list[Tensor]:
    kinds = {x._array.dtype for x in tensors}
    if len(kinds) == 1:
        return list(tensors)
    a, b = (x.dtype.letter for x in tensors[:2])
    raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {a} != {b}")


@method
def matmul(self: Tensor, other: Tensor) -> Tensor:
    if not self._array.ndim or not other._array.ndim:
        raise RuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{self._array.ndim}D and {other._array.ndim}D"
        )
    a, b = together(self, other)
    ranks = (a._array.ndim, b._array.ndim)
    name = {(1, 1): "DotBackward0", (2, 1): "MvBackward0", (2, 2): "MmBackward0"}.get(
        ranks, "UnsafeViewBackward0"
    )
    try:
        return elementwise(np.matmul, a, b, name=name)
    except ValueError:
        if ranks == (2, 1):
            n, m = a._array.shape
            size = b._array.shape[0]
            raise RuntimeError(
                f"size mismatch, got input ({n}), mat ({n}x{m}), vec ({size})"
            ) from None
        if ranks == (1, 2):
            a = a.unsqueeze(0)
        shapes = f"{'x'.join(map(str, a._array.shape))} and {'x'.join(map(str, b._array.shape))}"
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({shapes})") from None


@method
def mm(self: Tensor, mat2: Tensor) -> Tensor:
    for name, one in (("self", self), ("mat2", mat2)):
        if one._array.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    return matmul(self, mat2)


@method
def bmm(self: Tensor, mat2: Tensor) -> Tensor:
    return plain(np.matmul, *together(self, mat2), name="BmmBackward0")


@method
def mv(self: Tensor, vec: Tensor) -> Tensor:
    return matmul(self, vec)


@method
def dot(self: Tensor, tensor: Tensor) -> Tensor:
    if self._array.ndim != 1 or tensor._array.ndim != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {self._array.ndim}D and {tensor._array.ndim}D tensors"
        )
    if self._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{self.numel()}] and src [{tensor.numel()}] to have the same "
            f"number of elements, but got {self.numel()} and {tensor.numel()} elements respectively"
        )
    return matmul(self, tensor)


@method
def vdot(self: Tensor, other: Tensor) -> Tensor:
    return plain(np.vdot, *together(self, other), name="VdotBackward0")


@method
def outer(self: Tensor, vec2: Tensor) -> Tensor:
    for name, one in (("self", self), ("vec2", vec2)):
        if one._array.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {one._array.ndim}-D")
    return self.unsqueeze(1) * vec2


@method(write=True)
def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return self * beta + matmul(mat1, mat2) * alpha


@function
def einsum(equation: str, *operands: Any) -> Tensor:
    given = (
        list(operands[0])
        if len(operands) == 1 and isinstance(operands[0], (list, tuple))
        else list(operands)
    )
    return plain(np.einsum, equation, *given)


@function
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    return plain(np.tensordot, a, b, dims)


@method
def trace(self: Tensor) -> Tensor:
    return plain(np.trace, self, name="TraceBackward0")


@method
def inverse(self: Tensor) -> Tensor:
    return plain(np.linalg.inv, self, name="LinalgInvExBackward0")


@method
def det(self: Tensor) -> Tensor:
    return plain(np.linalg.det, self, name="LinalgDetBackward0")


@method
def kron(self: Tensor, other: Tensor) -> Tensor:
    return plain(np.kron, self, other)


def infix_matmul(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


Tensor.__matmul__ = infix_matmul
