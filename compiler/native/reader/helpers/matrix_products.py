"""The ways back through ``@`` of stacks and vectors: products again, summed over the axes that were stretched."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import integer
from ...loop_ir.values import Scalar, View
from ...refusal import Unsupported
from ..handlers import complex_too, reads_helper
from ..numpy.elementwise import elementwise
from ..numpy.products import matmul
from ..numpy.shaping import permuted
from ..reader import Reader
from .reductions import unbroadcast

__all__: list[str] = []


@reads_helper("matmul_pull_right")
@complex_too
def matmul_pull_right(r: Reader, c: Any, x: Any, like: Any) -> Any:
    """``x.T @ c``, shaped like the right operand."""
    c, x, like = factors(r, c, x, like)
    if len(x.dims) == len(like.dims) == 1:
        return elementwise(r, np.multiply, c, x)
    grown = lifted(c, len(x.dims), len(like.dims))
    matrix = with_one(x, -1) if len(x.dims) == 1 else turned(r, x)
    whole = matmul(r, matrix, grown)
    return summed(r, whole, like, -1)


@reads_helper("matmul_pull_left")
@complex_too
def matmul_pull_left(r: Reader, c: Any, y: Any, like: Any) -> Any:
    """``c @ y.T``, shaped like the left operand."""
    c, y, like = factors(r, c, y, like)
    if len(y.dims) == len(like.dims) == 1:
        return elementwise(r, np.multiply, c, y)
    grown = lifted(c, len(like.dims), len(y.dims))
    matrix = with_one(y, -2) if len(y.dims) == 1 else turned(r, y)
    whole = matmul(r, grown, matrix)
    return summed(r, whole, like, -2)


def factors(r: Reader, c: Any, other: Any, like: Any) -> tuple[Any, View, View]:
    c, other, like = r.array(c), r.array(other), r.array(like)
    if isinstance(other, Scalar) or isinstance(like, Scalar) or c.dtype != like.dtype:
        raise Unsupported("the way back through a product of several dtypes")
    return c, other, like


def lifted(c: Any, left: int, right: int) -> Any:
    """The cotangent with the axes that vectors lost put back as 1."""
    c = with_one(c, -1) if right == 1 else c
    return with_one(c, -2) if left == 1 else c


def with_one(x: View, at: int) -> View:
    """One more axis, of length 1."""
    k = len(x.dims) + 1 + at
    dims = (*x.dims[:k], integer(1), *x.dims[k:])
    return View(dims, x.dtype, lambda index: x.at((*index[:k], *index[k + 1 :])), cheap=x.cheap)


def turned(r: Reader, x: View) -> View:
    last = len(x.dims) - 1
    return permuted(r, x, (*range(last - 1), last, last - 1))


def summed(r: Reader, whole: View, like: View, lost: int) -> Any:
    """Over the axes along which ``like`` was stretched, without the axis that a vector lacks."""
    if len(like.dims) > 1:
        return unbroadcast(r, whole, like)
    found = unbroadcast(r, whole, with_one(like, lost))
    zero = integer(0)
    return View(
        like.dims, found.dtype,
        lambda index: found.at((*index, zero) if lost == -1 else (zero, *index)),
    )  # fmt: skip
