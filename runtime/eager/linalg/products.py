"""Matrix products and linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functions.pointwise import scaled
from ..graph.record_call import cast, elementwise, plain
from ..tensor.dtypes import c_name, result_type
from ..tensor.overrides import operator_asked
from ..tensor.registry import function, method
from ..tensor.shape_errors import expanded_text
from ..tensor.tensor import Tensor, type_text

__all__: list[str] = []


def together(*tensors: Tensor) -> list[Tensor]:
    """Tensors of one type."""
    a, b = (x.dtype for x in tensors[:2])
    if a is b:
        return list(tensors)
    if tensors[0]._array.ndim == tensors[1]._array.ndim == 1:
        text = (
            f"dot : expected both vectors to have same dtype, but found {a.letter} and {b.letter}"
        )
    elif tensors[1]._array.ndim == 1:
        text = f"addmv input tensors must have the same dtype, but got {b.letter}, {a.letter}, and {b.letter}"
    else:
        text = f"expected m1 and m2 to have the same dtype, but got: {c_name(a)} != {c_name(b)}"
    raise RuntimeError(text)


@method
def matmul(self: Tensor, other: Tensor) -> Tensor:
    a, b = self._array.shape, other._array.shape
    if not a or not b:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {len(a)}D and {len(b)}D"
        )
    ranks = (len(a), len(b))
    if a[-1] != b[-2 if len(b) > 1 else -1]:
        raise RuntimeError(mismatch(a, b))
    self, other = together(self, other)
    name = {(1, 1): "DotBackward0", (2, 1): "MvBackward0", (2, 2): "MmBackward0"}.get(
        ranks, "UnsafeViewBackward0"
    )
    made = elementwise(np.matmul, self, other, name=name)
    if ranks == (1, 2):  # torch makes it of a matrix, in place
        made._counter[0] += 1
    return made


def mismatch(a: tuple[int, ...], b: tuple[int, ...]) -> str:
    """The message on sizes that do not fit."""
    if len(b) == 1 and len(a) == 1:
        return (
            f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have the same number of elements, "
            f"but got {a[0]} and {b[0]} elements respectively"
        )
    if len(b) == 1:
        rows = int(np.prod(a[:-1]))
        return f"size mismatch, got input ({rows}), mat ({rows}x{a[-1]}), vec ({b[0]})"
    a = (1, *a) if len(a) == 1 else a
    shapes = f"{'x'.join(map(str, a))} and {'x'.join(map(str, b))}"
    return f"mat1 and mat2 shapes cannot be multiplied ({shapes})"


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
    ranks = self._array.ndim, vec._array.ndim
    if ranks != (2, 1):
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {ranks[0]}, {ranks[1]}")
    return matmul(self, vec)


@method
def dot(self: Tensor, tensor: Tensor) -> Tensor:
    if self._array.ndim != 1 or tensor._array.ndim != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {self._array.ndim}D and {tensor._array.ndim}D tensors"
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
    for k, x in enumerate((mat1, mat2), 1):
        if x._array.ndim != 2:
            raise RuntimeError(f"mat{k} must be a matrix, got {x._array.ndim}-D tensor")
    return added(self, matmul(mat1, mat2), beta, alpha)


def added(self: Tensor, product: Tensor, beta: Any, alpha: Any) -> Any:
    """A multiple of a product, to a multiple of what may be stretched to it."""
    own, wanted = self._array.shape, product._array.shape
    refused = expanded_text(own, wanted, type_text(self))
    if refused is not None:
        raise RuntimeError(refused)
    return scaled(self, beta, product) + scaled(product, alpha, self)


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
    kind = result_type([self._array, other._array])
    return plain(np.kron, cast(self, kind), cast(other, kind))


def infix_matmul(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else operator_asked(matmul, self, other)


def reflected_matmul(self: Tensor, other: Any) -> Any:
    return operator_asked(Tensor.__rmatmul__, self, other)


Tensor.__matmul__ = infix_matmul
Tensor.__rmatmul__ = reflected_matmul
reflected_matmul.__name__ = "__rmatmul__"
