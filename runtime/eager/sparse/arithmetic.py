"""What is computed with sparse tensors: multiples, sums, products with dense tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..functions.creation import tensor
from ..graph.record_call import guarded
from ..linalg.products import matmul
from ..tensor.overrides import ELSEWHERE
from ..tensor.registry import member
from ..tensor.tensor import Tensor
from .coo_array import MISSING, CooArray
from .making import at_places, coo, masked_like, to_dense
from .sparse_nodes import recorded_as
from .sparse_tensor import SparseTensor

__all__ = ["product", "total"]

NO_SUM = "add(sparse, dense) is not supported. Use add(dense, sparse) instead."


def computed(fn: Any, args: tuple[Any, ...]) -> Any:
    """An elementwise operation with a sparse tensor among its arguments."""
    x, y = args[0], args[1] if len(args) > 1 else None
    if fn in (np.negative, np.multiply, np.true_divide) and (y is None or is_number(y)):
        factor = -1 if y is None else y
        return scaled(x, 1 / factor if fn is np.true_divide else factor)
    if fn is np.multiply and is_number(x):
        return scaled(y, x)
    if fn in (np.add, np.subtract):
        return summed(x, y, fn)
    if fn is np.multiply and not (isinstance(x, SparseTensor) and isinstance(y, SparseTensor)):
        return times(x, y) if isinstance(x, SparseTensor) else times(y, x)
    raise NotImplementedError(MISSING.format(what=f"{getattr(fn, '__name__', fn)}()"))


ELSEWHERE[SparseTensor] = computed


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.generic))


def scaled(x: Any, factor: Any) -> Any:
    array = x._array.times(factor)
    return recorded_as("Mul", array, (x,), lambda bar: (bar * np.conj(factor).item(),))


def summed(x: Any, y: Any, fn: Any) -> Any:
    """A sum or difference of two; the result is dense where the first is."""
    name, sign = ("Add", 1) if fn is np.add else ("Sub", -1)
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        raise NotImplementedError(MISSING.format(what="the sum with a number"))
    if isinstance(x, SparseTensor) and not isinstance(y, SparseTensor):
        raise RuntimeError(NO_SUM)
    if x._array.shape != y._array.shape:
        raise RuntimeError(
            f"add: expected sizes of 'self' and 'other' to match, but {list(x.shape)} != {list(y.shape)}"
        )
    other = y._array if sign == 1 else -y._array
    return recorded_as(
        name, x._array + other, (x, y), lambda bar: (bar, bar if sign == 1 else -bar)
    )


def times(x: Any, y: Any) -> Any:
    """By the entries of a dense tensor; so the gradient of the dense one is sparse."""
    array = x._array
    if y._array.shape not in (array.shape, ()):
        raise NotImplementedError(MISSING.format(what="a product with a stretched tensor"))
    alone = y._array.ndim == 0

    def pull(bar: Any) -> tuple[Any, Any]:
        places = bar if isinstance(bar, SparseTensor) else masked_like(bar, array)
        by = to_dense(x) * (to_dense(bar) if isinstance(bar, SparseTensor) else bar)
        own = by.sum() if alone else masked_like(by, array)
        return places * y, own

    return guarded(recorded_as("Mul", array.times(y._array), (x, y), pull), y)


@member("sparse", "mm")
def product(mat1: Any, mat2: Any, *more: Any) -> Any:
    """A sparse matrix times a dense one, and the other way."""
    if more or not isinstance(mat1, SparseTensor):
        raise NotImplementedError(
            "sparse.mm: the first is a sparse matrix here, the second a dense one; .to_dense() the others"
        )
    if isinstance(mat2, SparseTensor):
        raise NotImplementedError(MISSING.format(what="the product of two sparse matrices"))
    array, other = mat1._array, mat2._array
    if array.axes != 2 or array.ndim != 2 or other.ndim not in (1, 2):
        raise NotImplementedError(MISSING.format(what="the product of such shapes"))
    if array.shape[1] != other.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({array.shape[0]}x{array.shape[1]} and "
            f"{'x'.join(map(str, other.shape))})"
        )
    rows, columns = array.indices
    made = np.zeros((array.shape[0], *other.shape[1:]), np.result_type(array.dtype, other.dtype))
    weights = array.values.reshape(-1, *(1,) * (other.ndim - 1))
    np.add.at(made, rows, weights * other[columns])

    def pull(bar: Any) -> tuple[Any, Any]:
        one = array.coalesced()
        i, j = one.indices
        entries = bar[i] * mat2[j].conj()
        values = entries if entries._array.ndim == 1 else entries.sum(-1)
        own = coo(one.indices, values, array.shape, True)
        return own, matmul(to_dense(mat1).t().conj(), bar)

    return guarded(recorded_as("SparseAddmm", made, (mat1, mat2), pull), mat2)


@member("sparse", "sum")
def total(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """The sum of all entries, or along axes of the coordinates: that is sparse again."""
    if dtype is not None:
        input = input.to(dtype)
    array = input._array
    dims = range(array.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    axes = sorted({d % array.ndim for d in dims})
    if len(axes) == array.ndim:
        return recorded_as(
            "Sum", np.asarray(array.values.sum()), (input,), lambda bar: (spread(bar, array),)
        )
    if any(k >= array.axes for k in axes) or len(axes) == array.axes:
        raise NotImplementedError(
            MISSING.format(what="a sum along axes that are dense, or all that are not")
        )
    kept = [k for k in range(array.axes) if k not in axes]
    shape = tuple(n for k, n in enumerate(array.shape) if k not in axes)
    made = CooArray(array.indices[kept], array.values, shape).coalesced()

    def pull(bar: Any) -> tuple[Any]:
        return (
            coo(
                array.indices, at_places(bar, array.indices[kept]), array.shape, array.is_coalesced
            ),
        )

    return recorded_as("SparseSum", made, (input,), pull) if array.is_coalesced else total(
        input.coalesce(), dim
    )  # fmt: skip


def spread(bar: Any, array: CooArray) -> Any:
    """A number at each coordinate."""
    one = array.coalesced()
    ones = tensor(np.ones_like(one.values))
    return coo(one.indices, ones * bar, array.shape, True)
