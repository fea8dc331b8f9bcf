"""Local algebra of shapes and matrices: broadcasting undone, reductions undone, transposes.

Importing it enters its rules in the table of `rules`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.ranks.rank_sets import unknown_rank
from ..analyses.shapes.infer import type_of
from ..ir.operations import Const, Operand, Value
from ..ir.primitives import BUNDLE
from ..ir.size_names import has_known_shape
from ..ir.types import Array, Dim, Number, Stack, is_certain, kind_of, may_turn_complex, same_shape
from .choices import filled
from .operands import is_real, made_by, number, rank
from .rules import simplifies
from .unknown_shapes import undone

__all__: list[str] = []


@simplifies(linear.unbroadcast)
def unbroadcast(b: Any, c: Operand, like: Operand) -> Operand | None:
    tc, tl = type_of(c), type_of(like)
    if unknown_rank(tc) or unknown_rank(tl):
        return undone(b, c, like)
    if not isinstance(tc, (Array, Number)) or not isinstance(tl, (Array, Number)):
        return None
    if tc.dims is None or tl.dims is None or len(tc.dims) < len(tl.dims) or changes_kind(b, tc, tl):
        return None
    if op := made_by(b, c, operator.neg):  # a sign is cheaper after the sum
        return b.apply(operator.neg, b.apply(linear.unbroadcast, op.args[0], like))
    lead = len(tc.dims) - len(tl.dims)
    stretched = stretched_axes(tc.dims[lead:], tl.dims)
    if stretched is None:
        return None
    if lead and not stretched and (factored := out_of_sum(b, c, like, len(tc.dims))):
        return factored
    if lead:
        axes = tuple(range(lead))
        if not tl.dims:
            return (
                b.apply(np.add.reduce, c, axis=Const(None))
                if lead > 1
                else b.apply(np.add.reduce, c)
            )
        c = (
            b.apply(np.add.reduce, c, axis=axis_operand(axes))
            if axes != (0,)
            else b.apply(np.add.reduce, c)
        )
    if stretched:
        c = b.apply(np.add.reduce, c, axis=axis_operand(stretched), keepdims=Const(True))
    return c


@simplifies(linear.cleared)
def cleared(b: Any, c: Operand, index: Operand, like: Operand = None) -> Operand | None:
    """Where all items of a list have one shape, what stood there before needs not be kept."""
    held = type_of(like)
    alike = isinstance(held, Stack) and has_known_shape(held.item)
    return b.apply(linear.cleared, c, index) if alike else None


def out_of_sum(b: Any, c: Operand, like: Operand, n: int) -> Operand | None:
    """A factor without the summed axes is taken out of the sum: ``sum(p * y) = sum(p) * y``."""
    op = made_by(b, c, operator.mul)
    if op is None:
        return None
    p, q = op.args
    for part, factor, left in ((p, q, False), (q, p, True)):
        small = rank(factor)
        if rank(part) == n and small is not None and small <= (rank(like) or 0):
            total = b.apply(linear.unbroadcast, part, like)
            return (
                b.apply(operator.mul, factor, total)
                if left
                else b.apply(operator.mul, total, factor)
            )
    return None


def axis_operand(axes: tuple[int, ...]) -> Operand:
    return Const(axes[0]) if len(axes) == 1 else tuple(Const(a) for a in axes)


def changes_kind(b: Any, c: Any, like: Any) -> bool:
    """True if the cotangent has another kind or precision than its argument."""
    if kind_of(c) == "c" and (kind_of(like) != "c" or not is_certain(like)):
        return True
    if kind_of(like) is None or kind_of(c) is None:
        return bool(b.may_be_complex)
    if not (isinstance(c, Array) and isinstance(like, Array)):
        return False
    return bool(like.dims) and c.dtype != like.dtype


def stretched_axes(c: tuple[Any, ...], like: tuple[Any, ...]) -> tuple[int, ...] | None:
    """The axes ``like`` was stretched along; None if one of them is not known.

    To sum over an axis of length one is to leave it alone: an axis of length one in ``like`` is one of them.
    """
    axes = []
    for axis, (cd, ld) in enumerate(zip(c, like, strict=True)):
        if ld is not None and (cd == ld or (isinstance(ld, Dim) and ld.above_one)):
            continue
        if isinstance(ld, int) and ld != 1:
            continue
        if ld != 1:
            return None
        axes.append(axis)
    return tuple(axes)


@simplifies(linear.undiag)
def undiag(b: Any, c: Operand, like: Operand, k: Operand = None) -> Operand | None:
    if rank(like) != 2:
        return None
    return b.emit(linear.undiagonal, c, like, *([] if k is None else [k]))  # type: ignore[no-any-return]


@simplifies(linear.if_float)
def if_float(b: Any, c: Operand, like: Operand) -> Operand | None:
    return c if kind_of(type_of(like)) in ("f", "c") else None


@simplifies(linear.unpack)
def unpack(b: Any, c: Operand, like: Operand) -> Operand | None:
    """``[c[0], c[1]]`` where every entry is known to be a number of the kind of ``c``."""
    kind, whole = type_of(like), type_of(c)
    if not isinstance(whole, Array) or whole.dims is None or whole.kind != "f":
        return None
    if isinstance(kind, Array):
        same = kind.dtype == whole.dtype is not None and bool(kind.dims) and kind.rank == whole.rank
        return c if same else None
    shape = nested_shape(like)
    return parts_of(b, c, shape, ()) if shape and len(shape) == whole.rank else None


def nested_shape(like: Operand) -> tuple[int, ...] | None:
    """The shape of nested lists of float numbers."""
    if isinstance(like, (list, tuple)):
        shapes = {nested_shape(entry) for entry in like}
        inner = shapes.pop() if len(shapes) == 1 else None
        return None if inner is None else (len(like), *inner)
    kind = type_of(like)
    number = isinstance(kind, Number) and kind.kind in "if"
    scalar = isinstance(kind, Array) and kind.dims == () and kind.kind == "f"
    return () if number or scalar else None


@simplifies(linear.pack)
def pack(b: Any, c: Operand, like: Operand, copy: Operand = None) -> Operand | None:
    """``np.array([a, b])`` where every entry is known to be a float, and their number that of ``like``."""
    whole = type_of(like)
    if not isinstance(c, (list, tuple)) or not isinstance(whole, Array):
        return None
    entries = floats_in(c)
    fits = entries is not None and whole.dtype == "float64" and nested_shape(entries) == whole.dims
    return b.apply(np.array, entries) if fits else None


def floats_in(c: Operand) -> Operand | None:
    """Nested lists of floats, with zeros where there is nothing; None where something else may be in them."""
    if isinstance(c, (list, tuple)):
        entries = [floats_in(entry) for entry in c]
        return None if any(entry is None for entry in entries) else entries
    if isinstance(c, Const) and (c.value is None or type(c.value) is float):
        return Const(c.value or 0.0)
    kind = type_of(c)
    scalar = isinstance(kind, Array) and kind.dims == () and kind.dtype == "float64"
    return c if scalar or kind == Number("f") else None


def parts_of(b: Any, c: Operand, shape: tuple[int, ...], at: tuple[int, ...]) -> Operand:
    """Nested lists of the entries of ``c``."""
    if not shape:
        index = tuple(map(Const, at))
        return b.getitem(c, at[0]) if len(at) == 1 else b.apply(operator.getitem, c, index)
    return [parts_of(b, c, shape[1:], (*at, k)) for k in range(shape[0])]


@simplifies(linear.unstack_like)
def unstack_like(b: Any, c: Operand, like: Operand = None, axis: Operand = None) -> Operand | None:
    """Rows, where as many arrays of one dtype were stacked."""
    whole, n = type_of(c), 0 if axis is None else number(axis)
    if not isinstance(like, (list, tuple)) or not isinstance(whole, Array) or n != 0:
        return None
    kinds = [type_of(x) for x in like]
    if whole.dtype is None or any(
        not isinstance(k, Array) or k.dtype != whole.dtype for k in kinds
    ):
        return None
    return [b.getitem(c, k) for k in range(len(like))]


@simplifies(linear.stretch)
def stretch(b: Any, c: Operand, like: Operand) -> Operand | None:
    if same_shape(type_of(c), type_of(like)):
        return c
    shown = b.representative(like)
    return b.emit(linear.stretch, c, shown) if shown is not like else None


@simplifies(linear.unreduce)
def unreduce(
    b: Any, c: Operand, like: Operand, axis: Operand = None, keepdims: Operand = None
) -> Operand | None:
    n = rank(like)
    if n is None:
        whole = axis is None and keepdims is None and rank(c) == 0
        return b.apply(linear.stretch, c, like) if whole else None
    where = axis.value if isinstance(axis, Const) else axis
    kept = isinstance(keepdims, Const) and bool(keepdims.value)
    if keepdims is not None and not isinstance(keepdims, Const):
        return None
    if where is None or (rank(c) == 0 and n == summed(where)):
        if kept or rank(c) == 0:
            return b.apply(linear.stretch, c, like)
        return None
    if not isinstance(where, int):
        return b.apply(linear.stretch, c, like) if kept else None
    if n == 0:
        return None  # of one number: the function may take it for an array
    where %= n
    if kept or where == 0:
        return b.apply(linear.stretch, c, like)
    index = (*[slice(Const(None), Const(None), Const(None))] * where, Const(None))
    return b.apply(linear.stretch, b.emit(operator.getitem, c, index), like)


def summed(axes: Any) -> int | None:
    """How many axes a sum is over, where that is written in the text."""
    known = [getattr(axis, "value", axis) for axis in axes] if isinstance(axes, tuple) else [None]
    return len(known) if all(type(axis) is int for axis in known) else None


@simplifies(linear.count)
def count(
    b: Any,
    like: Operand,
    axis: Operand = None,
    ddof: Operand = None,
    chosen: Operand = None,
    kept: Operand = None,
) -> Operand | None:
    if chosen is not None and not is_true(chosen):
        return None
    if kept is not None:
        return b.apply(linear.count, like, Const(None) if axis is None else axis, ddof or Const(0))  # type: ignore[no-any-return]
    if ddof is not None and number(ddof) != 0:
        return None
    kind = type_of(like)
    if not isinstance(kind, Array) or kind.dims is None:
        return None
    where = axis.value if isinstance(axis, Const) else axis
    if where is None:
        return b.size(like)
    if isinstance(where, int) and -len(kind.dims) <= where < len(kind.dims):
        return b.size_along(like, where)
    return None


def is_true(operand: Operand) -> bool:
    return isinstance(operand, Const) and operand.value is True


@simplifies(np.where)
def where(b: Any, condition: Operand, x: Operand = None, y: Operand = None) -> Operand | None:
    """Where nothing is left out: the keyword ``where`` of a reduction that was not given."""
    if is_true(condition) and x is not None:
        return x
    if x is None or y is None:
        return None
    if x is y and same_shape(type_of(condition), type_of(x)):
        return x
    fills = [filled(b, v) if is_double_of(condition, v) else None for v in (x, y)]
    if fills == [None, None]:
        return None
    return b.apply(
        np.where, condition, *(v if f is None else f for v, f in zip((x, y), fills, strict=True))
    )  # type: ignore[no-any-return]


def is_double_of(condition: Operand, x: Operand) -> bool:
    """True if a number may stand for an array: it would make the result one of double precision."""
    double = getattr(type_of(x), "dtype", None) == "float64"
    return double and same_shape(type_of(condition), type_of(x))


@simplifies(linear.plain_order)
def plain_order(b: Any, order: Operand) -> Operand | None:
    return order if isinstance(order, Const) and order.value in ("C", "F") else None


@simplifies(np.logical_and)
def logical_and(b: Any, x: Operand, y: Operand) -> Operand | None:
    return y if is_true(x) else None


@simplifies(linear.chosen_part)
def chosen_part(b: Any, like: Operand, where: Operand, *form: Operand) -> Operand | None:
    return Const(1.0) if is_true(where) else None


@simplifies(linear.zeros_like)
def zeros_like(b: Any, x: Operand) -> Operand | None:
    if isinstance(x, (tuple, list)) and all(map(has_real_zero, x)):
        return type(x)([Const(0.0)] * len(x))
    if b.is_empty_list(x):
        return b.emit(BUNDLE, [])
    kind = type_of(x)
    if isinstance(kind, (Array, Number)) and kind.dims == () and kind_of(kind) == "f":
        return Const(0.0)
    if isinstance(kind, Number) and kind.kind == "c":
        return Const(0j if kind.lowest == "c" else 0.0)
    if isinstance(kind, Array) and kind.dims and kind.dtype == "float64":
        zeros = b.emit(np.zeros, b.emit(np.ndarray.shape, b.representative(x)))
        zeros.type = Array("float64", kind.dims, "f")
        return zeros
    if isinstance(kind, Array) and kind.dims and kind.dtype is not None and kind.kind in ("f", "c"):
        return b.emit(np.zeros_like, b.representative(x))
    return None


def has_real_zero(x: Operand) -> bool:
    """True if a number is known to have a real zero."""
    return isinstance(x, Const) and type(x.value) in (bool, int, float)


@simplifies(linear.put_item)
def put_item(b: Any, c: Operand, like: Operand, *index: Operand) -> Operand | None:
    """``x.item()`` and ``float(x)`` of something without dimensions."""
    if index or rank(like) != 0 or rank(c) != 0 or changes_kind(b, type_of(c), type_of(like)):
        return None
    return c


@simplifies(linear.herm)
def herm(b: Any, x: Operand, when: Operand = None) -> Operand | None:
    """The transpose, where the matrix is real."""
    if isinstance(when, Const) and when.value is False:
        return x
    plain = when is None or (isinstance(when, Const) and when.value is True)
    return transposed(b, x) if plain and rank(x) == 2 and is_real(b, x) else None


@simplifies(linear.solve_for)
def solve_for(b: Any, a: Operand, c: Operand, like: Operand) -> Operand | None:
    """``np.linalg.solve`` tells vectors from matrices itself, unless batches of vectors come."""
    if rank(a) == 2 and rank(c) == rank(like) and rank(c) in (1, 2):
        return b.emit(np.linalg.solve, a, c)
    return None


@simplifies(linear.apply)
def apply(b: Any, a: Operand, x: Operand, like: Operand) -> Operand | None:
    if rank(a) == 2 and rank(x) == rank(like) and rank(x) in (1, 2):
        return b.apply(operator.matmul, a, x)
    return None


@simplifies(linear.column, linear.uncolumn)
def column(b: Any, x: Operand, like: Operand) -> Operand | None:
    known = rank(like)
    return x if known is not None and known != 1 else None


@simplifies(linear.points, linear.covariance)
def full(b: Any, x: Operand, d: Operand) -> Operand | None:
    """Rows are rows already, a matrix a covariance."""
    return x if rank(x) == 2 else None


@simplifies(linear.uncovariance)
def uncovariance(b: Any, c: Operand, like: Operand) -> Operand | None:
    return c if rank(like) == 2 else None


@simplifies(linear.center)
def center(b: Any, mean: Operand, d: Operand) -> Operand | None:
    return mean if rank(mean) == 1 else None


@simplifies(linear.mT)
def mT(b: Any, x: Operand) -> Operand | None:
    return transposed(b, x) if rank(x) == 2 else None


def transposed(b: Any, x: Operand) -> Operand:
    op = b.defs.get(x) if isinstance(x, Value) else None
    if op is not None and op.fn is np.ndarray.T:
        return op.args[0]
    return b.emit(np.ndarray.T, x)


@simplifies(linear.matmul_pull_left)
def matmul_pull_left(b: Any, c: Operand, y: Operand, like: Operand) -> Operand | None:
    if b.may_be_complex and may_turn_complex(type_of(like)):
        return None
    match rank(like), rank(y):
        case (1, 1):
            return b.apply(operator.mul, c, y)
        case (1, 2):
            return b.apply(operator.matmul, y, c)
        case (2, 1):
            return b.apply(np.outer, c, y)
        case (2, 2):
            return b.apply(operator.matmul, c, transposed(b, y))
    return None


@simplifies(linear.matmul_pull_right)
def matmul_pull_right(b: Any, c: Operand, x: Operand, like: Operand) -> Operand | None:
    if b.may_be_complex and may_turn_complex(type_of(like)):
        return None
    match rank(x), rank(like):
        case (1, 1):
            return b.apply(operator.mul, x, c)
        case (1, 2):
            return b.apply(np.outer, x, c)
        case (2, 1 | 2):
            return b.apply(operator.matmul, transposed(b, x), c)
    return None


@simplifies(operator.matmul)
def matmul(b: Any, x: Operand, y: Operand) -> Operand | None:
    left, right = made_by(b, x, linear.column), made_by(b, y, np.ndarray.T)
    other = made_by(b, right.args[0], linear.column) if right else None
    if left and other and rank(left.args[0]) == rank(other.args[0]) == 1:
        return b.apply(np.outer, left.args[0], other.args[0])
    for one, other in ((x, y), (y, x)):
        if op := made_by(b, one, operator.neg):
            args = (op.args[0], other) if one is x else (other, op.args[0])
            return b.apply(operator.neg, b.apply(operator.matmul, *args))
    return None
