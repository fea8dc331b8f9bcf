"""Helpers of the runtime that put elements back where they were taken from."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...loop_ir.ir import Op, Store, plus
from ...loop_ir.scalar_operations import cast, is_one
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import reads_helper
from ..numpy.creation import zeros_like
from ..numpy.diagonals import diagonal
from ..numpy.einsum import contracted, letters
from ..numpy.joining import split
from ..numpy.scatter import add_at
from ..reader import Reader
from .containers import index_add, zero_of


@reads_helper("undiff")
def undiff(r: Reader, c: Any, like: Any, n: Any = None, axis: Any = None) -> View:
    """``rt.undiff`` of vectors, for first differences."""
    c, like = r.array(c), r.array(like)
    once = n is None or r.literal(n) == 1
    if len(like.dims) != 1 or len(c.dims) != 1 or not once or c.dtype != like.dtype:
        raise Unsupported("rt.undiff of this")
    c = r.materialised(c)
    r.same(plus(c.dims[0], 1), like.dims[0])
    made = zeros_like(r, like)
    for shift, sign in ((1, "positive"), (0, "negative")):
        r.nest(c.dims, partial(one_difference, made.buffer, c, shift, sign))
    return plain_view(made.buffer)


def one_difference(made: Any, c: View, shift: int, sign: str, index: tuple[Any, ...]) -> list[Any]:
    value = c.at(index) if sign == "positive" else Op("negative", (c.at(index),), c.dtype)
    return [Store(made, (plus(index[0], shift),), value, "add")]


@reads_helper("untake")
def untake(r: Reader, c: Any, like: Any, indices: Any, axis: Any = None) -> Any:
    """``np.take``, transposed."""
    c, like = r.array(c), r.array(like)
    k = None if axis is None else r.literal(axis)
    if isinstance(like, Scalar) or c.dtype != like.dtype or (k is None and len(like.dims) != 1):
        raise Unsupported("rt.untake of this")
    k = 0 if k is None else k % len(like.dims)
    made = zeros_like(r, like)
    add_at(r, made, Items((*[Constant(slice(None))] * k, indices)), c)
    return made


@reads_helper("scatter")
def scatter(r: Reader, c: Any, like: Any, index: Any) -> Any:
    """Zeros with ``c`` added at ``index``."""
    if isinstance(like, Items):
        zeros = zero_of(r, like)
        where = index.value if isinstance(index, Constant) else None
        if isinstance(where, slice) and like.keys is None and isinstance(c, Items):
            values = list(zeros.values)
            values[where] = c.values
            return Items(tuple(values), kind=like.kind)
        return index_add(r, zeros, index, c)
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar) or c.dtype != like.dtype:
        raise Unsupported("rt.scatter of this")
    made = zeros_like(r, like)
    add_at(r, made, index, c)
    return made


@reads_helper("unsplit")
def unsplit(r: Reader, c: Any, like: Any, pieces: Any, axis: Any = None) -> View:
    """``rt.unsplit``: pieces back where they were."""
    like = r.array(like)
    if not isinstance(c, Items) or isinstance(like, Scalar):
        raise Unsupported("rt.unsplit of this")
    made: View = zeros_like(r, like)
    for place, part in zip(split(r, made, pieces, axis).values, c.values, strict=True):
        r.fill(place, part)
    return made


@reads_helper("untrace")
def untrace(
    r: Reader, c: Any, like: Any, offset: Any = None, axis1: Any = None, axis2: Any = None
) -> View:
    """``rt.untrace`` for a matrix."""
    like = r.array(like)
    c = r.number(c)
    return undiagonal(r, Scalar(cast(c.expr, like.dtype), False), like, offset, axis1, axis2)


@reads_helper("undiagonal")
def undiagonal(
    r: Reader, c: Any, like: Any, offset: Any = None, axis1: Any = None, axis2: Any = None
) -> View:
    """``rt.undiagonal`` for a matrix: zeros with a diagonal."""
    c, like = r.array(c), r.array(like)
    axes = [default if a is None else r.literal(a) for a, default in ((axis1, 0), (axis2, 1))]
    if len(like.dims) != 2 or axes not in ([0, 1], [-2, -1]) or c.dtype != like.dtype:
        raise Unsupported("rt.undiagonal of a stack")
    made: View = zeros_like(r, like)
    place = diagonal(r, made, offset, axis1, axis2)
    r.fill(place, c)
    return made


@reads_helper("einsum_pull")
def einsum_pull(r: Reader, c: Any, subscripts: Any, like: Any, *others: Any) -> Any:
    """``rt.einsum_pull``: the operand ``like``, which comes first, by the cotangent and the others."""
    present = [x for x in others if not (isinstance(x, Constant) and x.value is None)]
    text = r.literal(subscripts)
    inputs, output = letters(text, text.count(",") + 1)
    if len(present) >= len(inputs):
        return scalar(0.0)
    like = r.array(like)
    ours, theirs = inputs[0], [output, *inputs[1:]]
    sizes = [n for x in (like, *map(r.array, present)) for n in x.dims]
    if len(set(ours)) != len(ours) or any(map(is_one, sizes)):  # one is repeated for the other
        raise Unsupported("rt.einsum_pull of this")
    known = "".join(x for x in ours if any(x in t for t in theirs))
    found = contracted(r, Constant(",".join(theirs) + "->" + known), c, *present)
    if known == ours:
        return found
    found = found if isinstance(found, Scalar) else r.materialised(found)
    kept = [k for k, x in enumerate(ours) if x in known]

    def at(index: tuple[Any, ...]) -> Any:
        return found.expr if isinstance(found, Scalar) else found.at(tuple(index[k] for k in kept))

    return View(like.dims, like.dtype, at, cheap=True)
