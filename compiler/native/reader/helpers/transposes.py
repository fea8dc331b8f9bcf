"""Helpers of the runtime that put elements back where they were taken from."""

from __future__ import annotations

import ast
from functools import partial
from string import ascii_lowercase
from typing import Any

import numpy as np

from ...loop_ir.ir import Get, Lit, Op, Store, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import cast, is_one
from ...loop_ir.values import Constant, Items, Scalar, View, dtype_of, plain_view, scalar
from ...refusal import Unsupported
from ..handlers import reads_helper
from ..numpy.creation import zeros_like
from ..numpy.diagonals import diagonal
from ..numpy.einsum import contracted, letters
from ..numpy.elementwise import elementwise
from ..numpy.joining import split
from ..numpy.scatter import add_at, steps_at
from ..numpy.scatter import scatter as written_at
from ..numpy.shaping import permuted, reshape
from ..options import none
from ..python.operators import binary
from ..reader import Reader
from ..views import gathered, in_memory, indexed, is_mask, view_of
from .arithmetic import cast_like
from .containers import index_add, zero_of


@reads_helper("undiff")
def undiff(r: Reader, c: Any, like: Any, n: Any = None, axis: Any = None) -> Any:
    """``rt.undiff``: of differences as often as they were taken."""
    c, like = r.array(c), r.array(like)
    times, rank = 1 if n is None else r.literal(n), len(like.dims)
    if not rank or len(c.dims) != rank or not 1 <= times <= 4 or c.dtype != like.dtype:
        raise Unsupported("rt.undiff of this")
    k = (-1 if axis is None else r.literal(axis)) % rank
    for j, (m, n) in enumerate(zip(c.dims, like.dims, strict=True)):
        r.same(plus(m, times) if j == k else m, n)
    for less in range(times - 1, -1, -1):
        c = undifferenced(r, c, k, minus(like.dims[k], less))
    return c


def undifferenced(r: Reader, c: Any, k: int, size: Any) -> View:
    """Each difference to the later of its two numbers, and off the earlier one."""
    c = r.materialised(c)
    dims = (*c.dims[:k], r.norm(size), *c.dims[k + 1 :])
    made = r.buffer(dims, c.dtype, "v", zero=True)
    for shift, sign in ((1, "positive"), (0, "negative")):
        r.nest(c.dims, partial(one_difference, made, c, k, shift, sign))
    return plain_view(made)


def one_difference(
    made: Any, c: View, k: int, shift: int, sign: str, index: tuple[Any, ...]
) -> list[Any]:
    value = c.at(index) if sign == "positive" else Op("negative", (c.at(index),), c.dtype)
    at = (*index[:k], plus(index[k], shift), *index[k + 1 :])
    return [Store(made, at, value, "add")]


@reads_helper("untake")
def untake(r: Reader, c: Any, like: Any, indices: Any, axis: Any = None) -> Any:
    """``np.take``, transposed."""
    c, like = r.array(c), r.array(like)
    k = None if none(axis) is None else r.literal(axis)
    if isinstance(like, Scalar) or c.dtype != like.dtype:
        raise Unsupported("rt.untake of this")
    made = zeros_like(r, like)
    if k is None and len(like.dims) != 1:
        add_at(r, reshape(r, made, scalar(-1)), indices, c)
        return made
    k = 0 if k is None else k % len(like.dims)
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
    """``rt.untrace``: along a diagonal, or the diagonals of a stack."""
    like, c = r.array(like), r.array(c)
    if isinstance(c, View) and c.dims:
        c = view_of(in_memory(r, c), (*c.dims, integer(1)), lambda index: index[:-1])
    else:
        c = Scalar(cast(r.number(c).expr, like.dtype), False)
    return undiagonal(r, c, like, offset, axis1, axis2)


@reads_helper("undiagonal")
def undiagonal(
    r: Reader, c: Any, like: Any, offset: Any = None, axis1: Any = None, axis2: Any = None
) -> View:
    """``rt.undiagonal``: zeros with a diagonal."""
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar) or c.dtype != like.dtype:
        raise Unsupported("rt.undiagonal of this")
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


@reads_helper("tensordot_pull_left")
def tensordot_pull_left(r: Reader, c: Any, y: Any, like: Any, axes: Any = None) -> Any:
    """``rt.tensordot_pull_left``: the ``einsum`` that it is."""
    ours, theirs, summed = tensordot_letters(r, like, y, axes)
    kept = [a for a in ours if a not in summed]
    free = [a for a in theirs if a not in summed]
    return pulled(r, (c, [*kept, *free]), (y, theirs), ours, like)


@reads_helper("tensordot_pull_right")
def tensordot_pull_right(r: Reader, c: Any, x: Any, like: Any, axes: Any = None) -> Any:
    """``rt.tensordot_pull_right``: the same for the other operand."""
    theirs, ours, summed = tensordot_letters(r, x, like, axes)
    free = [a for a in theirs if a not in summed]
    kept = [a for a in ours if a not in summed]
    return pulled(r, (x, theirs), (c, [*free, *kept]), ours, like)


def tensordot_letters(
    r: Reader, x: Any, y: Any, axes: Any
) -> tuple[list[str], list[str], set[str]]:
    """A letter for each axis of both operands, and those that are summed over."""
    left, right = (len(r.array(v).dims) for v in (x, y))
    if left + right > len(ascii_lowercase):
        raise Unsupported("a product of so many axes")
    asked = 2 if axes is None else r.literal(axes)
    if isinstance(asked, int):
        asked = range(left - asked, left), range(asked)
    first, second = ([a] if isinstance(a, int) else list(a) for a in asked)
    ours, theirs = list(ascii_lowercase[:left]), list(ascii_lowercase[left : left + right])
    for i, j in zip(first, second, strict=True):
        theirs[j] = ours[i]
    return ours, theirs, {ours[i] for i in first}


def pulled(
    r: Reader, a: tuple[Any, list[str]], b: tuple[Any, list[str]], output: list[str], like: Any
) -> Any:
    """A product of two operands with these letters, in the precision of ``like``."""
    (x, left), (y, right) = a, b
    if isinstance(r.array(x), Scalar) or isinstance(r.array(y), Scalar):
        if output not in (left, right):
            raise Unsupported("a product of a number with axes in another order")
        return cast_like(r, binary(r, ast.Mult(), x, y), like)
    text = f"{''.join(left)},{''.join(right)}->{''.join(output)}"
    return cast_like(r, contracted(r, Constant(text), x, y), like)


@reads_helper("last_written")
def last_written(r: Reader, c: Any, index: Any) -> Any:
    """``rt.last_written``: what is read at an index, 0 where a later entry names the same place."""
    c = in_memory(r, c)
    if is_mask(r, index):
        return indexed(r, c, index)
    steps = steps_at(r, c, index)
    arrays = [s for s in steps if s.kind == "array"]
    if r.device is not None or not arrays or any(s.kind == "new" for s in steps):
        raise Unsupported("rt.last_written of such an index")
    common = r.broadcast([s.value.dims for s in arrays])
    read = [r.spread(s.value, common) for s in arrays]
    winner = r.buffer(tuple(s.count for s in arrays), "i8", "winner")

    def at(index: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            affine(Op("wrap", (cast(one(index), "i8"), affine(s.count)), "i8"))
            for one, s in zip(read, arrays, strict=True)
        )

    def order(index: tuple[Any, ...]) -> Any:
        found: Any = integer(0)
        for i, n in zip(index, common, strict=True):
            found = plus(times(found, n), i)
        return found

    r.nest(common, lambda index: [Store(winner, at(index), order(index))], free=False)
    part = gathered(r, c, steps)
    skip = next(k for k, s in enumerate(steps) if s.kind in ("array", "int"))

    def entry(index: tuple[Any, ...]) -> Any:
        inner = index[skip : skip + len(common)]
        last = Op("equal", (affine(Get(winner, at(inner))), affine(order(inner))), "b1")
        return Op("where", (last, part.at(index), Lit(0.0, c.dtype)), c.dtype)

    return View(part.dims, c.dtype, entry)


@reads_helper("scatter_last")
def scatter_last(r: Reader, c: Any, like: Any, index: Any) -> Any:
    """``rt.scatter_last``: zeros with ``c`` written at an index, the last entry of a place at last."""
    c, like = r.array(c), r.array(like)
    if isinstance(like, Scalar) or r.device is not None:
        raise Unsupported("rt.scatter_last of this")
    made = zeros_like(r, like, Constant(dtype_of(c.dtype)))
    steps = steps_at(r, made, index)
    if not any(s.kind == "array" for s in steps):
        raise Unsupported("rt.scatter_last of such an index")
    written_at(r, made, steps, c, None)
    return made


@reads_helper("hermitian")
def hermitian(r: Reader, x: Any, when: Any = None) -> Any:
    """``rt.hermitian``: the symmetric part, or the matrix itself."""
    x = r.array(x)
    if when is not None and not r.literal(when):
        return x
    rank = len(x.dims)
    turned = permuted(r, x, (*range(rank - 2), rank - 1, rank - 2))
    both = elementwise(r, np.add, x, turned)
    return elementwise(r, np.divide, both, scalar(2.0))
