"""Rules of products and of linear algebra."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .batch import Batch, rule, rule_of_first
from .reductions import shifted

__all__: list[str] = []


@rule((np.matmul, "__call__"))
def matmul(batch: Batch, x1: Any, x2: Any, **kwargs: Any) -> Any:
    if kwargs:
        return NotImplemented
    ranks = np.ndim(x1), np.ndim(x2)
    if ranks[1] <= 2 and not batch.has(x2):
        return stacked(batch, x1, x2, ranks[0])
    rank = max(*ranks, 2)
    a, b = batch.own(x1), batch.own(x2)
    a = a if ranks[0] > 1 else a[..., None, :]
    b = b if ranks[1] > 1 else b[..., None]
    a, b = (raised(v, batch.has(x), rank) for v, x in ((a, x1), (b, x2)))
    made = a @ b
    made = made[..., 0] if ranks[1] == 1 else made
    if ranks[0] == 1:
        made = made[..., 0, :] if ranks[1] > 1 else made[..., 0]
    return made


def raised(value: Any, is_batch: bool, rank: int) -> Any:
    """A stack of matrices with the axis of the examples in front of all others."""
    missing = rank + is_batch - np.ndim(value)
    if not is_batch or missing <= 0:
        return value
    return value.reshape(value.shape[0], *(1,) * missing, *value.shape[1:])


def stacked(batch: Batch, x1: Any, x2: Any, rank: int) -> Any:
    """The product with one matrix for all examples, as the product of one large matrix."""
    value = x1.value
    if value.ndim <= 2:
        return value @ x2
    rows = value.reshape(math.prod(value.shape[:-1]), value.shape[-1])
    return (rows @ x2).reshape(*value.shape[:-1], *np.shape(x2)[1:])


@rule(("gufunc", "__call__"))
def gufunc(batch: Batch, ufunc: Any, *inputs: Any, **kwargs: Any) -> Any:
    """Axes in front of those of the signature are those of a stack."""
    if kwargs:
        return NotImplemented
    cores = [len(core.split(",")) if core else 0 for core in signature(ufunc)]
    rank = max(np.ndim(x) - core for x, core in zip(inputs, cores, strict=True))
    if rank < 0:
        return NotImplemented
    return ufunc(*(batch.aligned(x, rank + core) for x, core in zip(inputs, cores, strict=True)))


def signature(ufunc: Any) -> list[str]:
    """The axes of each operand in a signature like ``(m,n),(n)->(m)``."""
    given = ufunc.signature.replace(" ", "").replace("?", "").partition("->")[0]
    return [core.strip("()") for core in given.split("),(")]


@rule(np.tensordot)
def tensordot(batch: Batch, a: Any, b: Any, axes: Any = 2) -> Any:
    ranks = np.ndim(a), np.ndim(b)
    pairs: Any
    if isinstance(axes, (int, np.integer)):
        pairs = list(range(ranks[0] - axes, ranks[0])), list(range(axes))
    else:
        pairs = tuple(
            [k % r for k in (own if np.iterable(own) else (own,))]
            for own, r in zip(axes, ranks, strict=True)
        )
    free = tuple([k for k in range(r) if k not in own] for own, r in zip(pairs, ranks, strict=True))
    shapes = [np.shape(x)[k] for x, own in ((a, free[0]), (b, free[1])) for k in own]
    summed = int(np.prod([np.shape(a)[k] for k in pairs[0]], dtype=int))
    left = arranged(batch, a, free[0] + pairs[0], (-1, summed))
    right = arranged(batch, b, pairs[1] + free[1], (summed, -1))
    made = matmul(batch, left, right)
    return made.reshape(batch.count, *shapes)


def arranged(batch: Batch, x: Any, order: list[int], shape: tuple[int, int]) -> Any:
    if 0 in np.shape(x):
        shape = tuple(0 if n < 0 else n for n in shape)  # type: ignore[assignment]
    return np.reshape(np.transpose(x, order), shape)


@rule(np.dot)
def dot(batch: Batch, a: Any, b: Any, out: Any = None) -> Any:
    if out is not None:
        return NotImplemented
    ranks = np.ndim(a), np.ndim(b)
    if 0 in ranks:
        return batch.aligned(a, max(ranks)) * batch.aligned(b, max(ranks))
    if max(ranks) <= 2 or ranks[1] == 1:
        return matmul(batch, a, b)
    return tensordot(batch, a, b, (ranks[0] - 1, ranks[1] - 2))


@rule(np.inner)
def inner(batch: Batch, a: Any, b: Any) -> Any:
    ranks = np.ndim(a), np.ndim(b)
    if 0 in ranks:
        return batch.aligned(a, max(ranks)) * batch.aligned(b, max(ranks))
    return tensordot(batch, a, b, (ranks[0] - 1, ranks[1] - 1))


@rule(np.vdot)
def vdot(batch: Batch, a: Any, b: Any) -> Any:
    return matmul(batch, np.ravel(np.conj(a)), np.ravel(b))


@rule(np.outer)
def outer(batch: Batch, a: Any, b: Any, out: Any = None) -> Any:
    if out is not None:
        return NotImplemented
    return batch.own(np.ravel(a)[:, None]) * batch.aligned(np.ravel(b), 2)


@rule(np.kron)
def kron(batch: Batch, a: Any, b: Any) -> Any:
    rank = max(np.ndim(a), np.ndim(b))
    shapes = [(1,) * (rank - np.ndim(x)) + np.shape(x) for x in (a, b)]
    apart = [
        [n for k in s for n in ((k, 1) if which == 0 else (1, k))] for which, s in enumerate(shapes)
    ]
    left, right = (np.reshape(x, s) if s else x for x, s in zip((a, b), apart, strict=True))
    made = batch.own(left) * batch.own(right)
    return made.reshape(batch.count, *(p * q for p, q in zip(*shapes, strict=True)))


@rule(np.cross)
def cross(
    batch: Batch,
    a: Any,
    b: Any,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: Any = None,
) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    if np.shape(a)[-1] != 3 or np.shape(b)[-1] != 3:
        return NotImplemented
    rank = max(np.ndim(a), np.ndim(b))
    made = np.cross(batch.aligned(a, rank), batch.aligned(b, rank))
    return np.moveaxis(made, -1, shifted(axisc, made.ndim - 1))


@rule(np.einsum)
def einsum(batch: Batch, *operands: Any, out: Any = None, **kwargs: Any) -> Any:
    subscripts, *arrays = operands
    if out is not None or type(subscripts) is not str:
        return NotImplemented
    given, arrow, result = subscripts.replace(" ", "").partition("->")
    letters = [c for c in dict.fromkeys(given) if c.isalpha()]
    if not arrow:
        once = "".join(sorted(c for c in letters if given.count(c) == 1))
        result = ("..." if "..." in given else "") + once
    own = next(
        c for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in letters
    )
    terms = [
        f"{own}{t}" if batch.has(x) else t for t, x in zip(given.split(","), arrays, strict=True)
    ]
    return np.einsum(f"{','.join(terms)}->{own}{result}", *(batch.own(x) for x in arrays), **kwargs)


# -- linear algebra -----------------------------------------------------------------------------


def of_stacks(function: Callable[..., Any]) -> None:
    """A function of matrices that takes stacks of them: the examples are one more axis of the stack."""

    def apply(batch: Batch, a: Any, *args: Any, **kwargs: Any) -> Any:
        if not batch.has(a) or a.ndim < 2 or any(batch.has(x) for x in (*args, *kwargs.values())):
            return NotImplemented
        return function(a.value, *args, **kwargs)

    rule(function)(apply)


for _function in (
    np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky, np.linalg.eigh, np.linalg.eigvalsh,
    np.linalg.eig, np.linalg.eigvals, np.linalg.svd, np.linalg.svdvals, np.linalg.pinv, np.linalg.matrix_power,
    np.linalg.qr, np.linalg.matrix_transpose, np.linalg.matrix_norm,
):  # fmt: skip
    of_stacks(_function)


@rule(np.linalg.solve)
def solve(batch: Batch, a: Any, b: Any) -> Any:
    if np.ndim(b) == 1:
        rank = np.ndim(a)
        column = batch.aligned(b[..., None], rank)
        return np.linalg.solve(batch.aligned(a, rank), column)[..., 0]
    rank = max(np.ndim(a), np.ndim(b))
    return np.linalg.solve(batch.aligned(a, rank), batch.aligned(b, rank))


@rule_of_first(np.linalg.norm)
def norm(batch: Batch, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and (ord is None or x.ndim == 1):
        made = np.linalg.norm(x.value.reshape(batch.count, -1), ord, 1)
        return made.reshape(batch.count, *(1,) * x.ndim) if keepdims else made
    own = tuple(range(x.ndim)) if axis is None else axis
    if type(own) is tuple and len(own) > 2:
        return NotImplemented
    return np.linalg.norm(x.value, ord, shifted(own, x.ndim), keepdims)
