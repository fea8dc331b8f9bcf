"""Rules of changes of shape, copies, and what the helpers of derivatives do, on a batch."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.traits.lookup import traits_of
from retrograd.runtime.user import jacobian_blocks

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Block, Const, If, Operand, Value
from ...ir.types import Array, Number, Stack
from .either_end import enter
from .example_axes import is_none, shape_of, shifted
from .example_rules import Given, beside, form, levelled
from .example_subscripts import place_in

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__: list[str] = []


def first_of(given: Given) -> Operand:
    return next(iter(given.values()))


# -- shapes ----------------------------------------------------------------------------------


@form(np.reshape, np.ndarray.reshape)
def reshape(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, shape = first_of(given), given["shape"]
    if (
        not m.has(x)
        or m.has(shape)
        or {*op.kwargs} - {"shape"}
        or given.get("order", Const("C")).value != "C"
    ):
        return None
    if isinstance(shape, tuple) and len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    if isinstance(shape, Const) and isinstance(shape.value, tuple):
        shape = tuple(map(Const, shape.value))
    if isinstance(shape, Const) and type(shape.value) is int:
        shape = (shape,)
    if isinstance(shape, tuple) and all(isinstance(type_of(n), Number) for n in shape):
        return m.b.emit(np.reshape, m.read(x), (m.k(), *sized(m, x, shape)))
    known = shape[0] if isinstance(shape, tuple) and len(shape) == 1 else shape
    made = m.b.defs.get(known) if isinstance(known, Value) else None
    if made is not None and traits_of(made.fn).reads == "shape":
        return m.b.emit(np.reshape, m.read(x), m.b.emit(operator.add, (m.k(),), known))
    return None


def sized(m: ExampleWalker, x: Operand, shape: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """``-1`` of a batch that may be empty: NumPy cannot tell it there."""
    kind = type_of(x)
    unknown = [k for k, n in enumerate(shape) if isinstance(n, Const) and n.value == -1]
    if len(shape) == 1 and unknown and isinstance(kind, Array) and kind.rank == 1:
        return (m.b.size_along(x, 0),) if not m.has(x) else shape
    return shape


@form(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def ravel(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = first_of(given)
    if len(op.args) > 1 or op.kwargs:
        return None
    if m.rank(x) == 1 and op.fn is not np.ndarray.flatten:
        return m.read(x)
    return m.b.emit(runtime.flat_examples, m.read(x))


@form(linear.reshape_like)
def reshape_like(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    a, b = type_of(given["c"]), type_of(given["like"])
    if not (isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype is not None):
        return None
    return m.b.emit(np.reshape, m.read(given["c"]), shape_of(m, given["like"]))


@form(
    np.ndarray.T, np.transpose, np.ndarray.transpose, np.matrix_transpose, linear.mT, np.ndarray.mT
)
def transpose(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = op.args[0] if op.args else None
    rank = None if x is None else m.rank(x)
    if x is None or rank is None:
        return None
    if (
        rank < 2
        and op.fn in (np.ndarray.T, np.transpose, np.ndarray.transpose)
        and len(op.args) == 1
    ):
        return m.read(x)
    axes = list(range(rank))[::-1]
    if op.fn in (np.matrix_transpose, linear.mT, np.ndarray.mT):
        axes = [*range(rank - 2), rank - 1, rank - 2]
    elif len(op.args) > 1 or op.kwargs:
        asked = given.get("axes", Const(None))
        if isinstance(asked, tuple) and len(asked) == 1 and isinstance(asked[0], (tuple, Const)):
            asked = (
                asked[0]
                if isinstance(asked[0], tuple) or isinstance(asked[0].value, tuple)
                else asked
            )
        if isinstance(asked, Const) and isinstance(asked.value, tuple):
            asked = tuple(map(Const, asked.value))
        if not is_none(asked):
            if not isinstance(asked, tuple) or not all(
                isinstance(a, Const) and type(a.value) is int for a in asked
            ):
                return None
            axes = [a.value % rank for a in asked]
    if axes == [*range(rank - 2), rank - 1, rank - 2]:
        return m.b.emit(np.swapaxes, m.read(x), Const(rank - 1), Const(rank))
    return m.b.emit(np.transpose, m.read(x), (Const(0), *(Const(a + 1) for a in axes)))


enter(form, shifted, 1)


@form(np.array, np.asarray)
def array(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """An array of numbers and arrays that are written down; of an array, a copy or itself."""
    x = op.args[0]
    if op.kwargs or len(op.args) > 1:
        return None
    if isinstance(type_of(x), Array):
        return m.b.emit(op.fn, m.read(x))
    return of_list(m, op, x) if isinstance(type_of(x), Stack) else rows(m, x)


def of_list(m: ExampleWalker, op: Apply, x: Value) -> Operand | None:
    """A list that is as long in each example; of nothing, an array of nothing."""
    stack, kind = type_of(x), op.result.type
    item = stack.item if isinstance(stack, Stack) else None
    numbers = (
        isinstance(item, (Array, Number)) and item.rank is not None and item.kind in ("f", "c")
    )
    if not numbers or m.size == 0 or not isinstance(kind, Array):
        return None
    whole, some, none = m.read(x), Block(), Block()
    some.yields = [m.b.within(some).emit(np.stack, whole, axis=Const(1))]
    if x in m.flow.nonempty:
        m.b.block.ops += some.ops
        return some.yields[0]
    none.yields = [m.b.within(none).emit(np.zeros, (m.k(), Const(0)))]
    result = Value(None, m.wider(kind), op.loc)
    result.made = True
    test = m.b.emit(operator.gt, m.b.emit(len, whole), Const(0))
    m.b.append(If([result], op.loc, test, some, none, expression=True))
    return result


def rows(m: ExampleWalker, x: Operand) -> Operand | None:
    if not isinstance(x, (tuple, list)) or not x:
        return None
    if all(isinstance(item, (tuple, list)) for item in x):
        inner = [rows(m, item) for item in x]
        return None if None in inner else m.b.emit(np.stack, inner, axis=Const(1))
    ranks = {m.rank(item) for item in x}
    if len(ranks) != 1 or None in ranks or any(isinstance(item, (tuple, list)) for item in x):
        return None
    whole = [item for item in x if isinstance(type_of(item), (Array, Number))]
    kinds = {type_of(item).kind for item in whole}  # type: ignore[union-attr]
    if len(whole) != len(x) or len(kinds & {"b", "i", "f", "c"}) != len(kinds):
        return None
    return m.b.emit(np.stack, m.wide(list(x)), axis=Const(1))


@form(np.broadcast_to)
def broadcast_to(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, shape = first_of(given), given["shape"]
    rank = m.rank(x)
    if m.has(shape) or rank is None or op.kwargs:
        return None
    if isinstance(shape, Const) and isinstance(shape.value, tuple):
        shape = tuple(map(Const, shape.value))
    if isinstance(shape, Const) and type(shape.value) is int:
        shape = (shape,)
    if isinstance(shape, tuple) and all(isinstance(type_of(n), Number) for n in shape):
        return m.b.emit(np.broadcast_to, levelled(m, m.read(x), rank, len(shape)), (m.k(), *shape))
    kind = op.result.type
    if isinstance(shape, Value) and isinstance(kind, Array) and kind.rank is not None:
        whole = m.b.emit(operator.add, (m.k(),), shape)
        return m.b.emit(np.broadcast_to, levelled(m, m.read(x), rank, kind.rank), whole)
    return None


@form(np.triu, np.tril)
def triangle(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = first_of(given)
    if not m.has(x) or (m.rank(x) or 0) < 2 or m.has(list(given.values())[1:]):
        return None
    return m.b.emit(op.fn, m.read(x), *op.args[1:], **op.kwargs)


@form(np.diag)
def diag(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = first_of(given)
    if len(op.args) > 1 or op.kwargs:
        return None
    if m.rank(x) == 2:
        return m.b.emit(np.diagonal, m.read(x), axis1=Const(1), axis2=Const(2))
    if m.rank(x) == 1:
        size = m.b.emit(operator.getitem, m.b.emit(np.ndarray.shape, m.read(x)), Const(1))
        on = m.b.emit(np.eye, size, dtype=Const(bool))  # zeros beside it, whatever stands on it
        return m.b.emit(np.where, on, levelled(m, m.read(x), 1, 2), Const(0))
    return None


# -- copies, and arrays like others ------------------------------------------------------------


@form(np.copy, np.ndarray.copy, linear.copy, np.zeros_like, np.ones_like, np.empty_like, linear.zeros_like,
      np.ascontiguousarray, linear.contiguous)  # fmt: skip
def like_it(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = op.args[0]
    if (
        not isinstance(type_of(x), (Array, Number))
        or m.has(list(op.kwargs.values()))
        or m.has(list(op.args[1:]))
    ):
        return None
    if set(op.kwargs) - {"dtype"}:
        return None
    return m.b.emit(op.fn, m.read(x), *op.args[1:], **op.kwargs)


@form(np.ndarray.astype, np.astype)
def astype(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, *rest = op.args
    if m.has(rest) or m.has(list(op.kwargs.values())) or not isinstance(type_of(x), Array):
        return None
    return m.b.emit(op.fn, m.read(x), *rest, **op.kwargs)


@form(np.full_like)
def full_like(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, value = op.args[:2] if len(op.args) == 2 else (None, None)
    if x is None or op.kwargs or not m.has(x) or m.has(value) or m.rank(value) != 0:
        return None
    return m.b.emit(np.full_like, m.read(x), value)


@form(np.full)
def full(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    if len(op.args) != 2 or op.kwargs or m.has(op.args[0]) or m.rank(op.args[1]) != 0:
        return None
    shape, value = op.args
    kind = op.result.type
    if not isinstance(kind, Array) or not kind.rank:
        return None
    made = levelled(m, m.read(value), 0, kind.rank)
    parts = shape if isinstance(shape, tuple) else (shape,)
    if not all(isinstance(type_of(n), Number) for n in parts):
        whole = m.b.emit(operator.add, (m.k(),), shape) if isinstance(shape, Value) else None
        return None if whole is None else m.b.emit(np.full, whole, made)
    if len(parts) == 1:
        return m.b.emit(np.repeat, made, parts[0], axis=Const(1))
    return m.b.emit(linear.copy, m.b.emit(np.broadcast_to, made, (m.k(), *parts)))


@form(jacobian_blocks.jacobian_block)
def jacobian_block(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Columns in the shape of what is differentiated by."""
    columns, *inputs = op.args
    kind = type_of(columns)
    whole = [type_of(x) for x in inputs]
    if (
        len(inputs) != 1
        or not m.has(columns)
        or not isinstance(kind, Array)
        or kind.dtype != "float64"
    ):
        return None
    if not isinstance(whole[0], Array) or whole[0].dtype != "float64":
        return None
    shape = m.b.emit(np.ndarray.shape, m.read(columns))
    front = m.b.emit(operator.getitem, shape, slice(Const(None), Const(-1), Const(None)))
    return m.b.emit(
        np.reshape, m.read(columns), m.b.emit(operator.add, front, m.shape_of_one(inputs[0]))
    )


# -- the helpers of derivatives ------------------------------------------------------------------


@form(linear.unbroadcast)
def unbroadcast(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, like = given["c"], given["like"]
    own, rank = m.rank(c), m.rank(like)
    if not isinstance(type_of(like), (Array, Number)):
        return None
    if not m.has(c):
        return None
    a, b = type_of(c), type_of(like)
    plain = (
        isinstance(a, Array) and a.kind == "f" and isinstance(b, (Array, Number)) and b.kind == "f"
    )
    alike = plain and (isinstance(b, Number) or a.dtype == b.dtype)  # type: ignore[union-attr]
    if own is not None and rank is not None and own > rank == 0 and alike:
        axes = tuple(Const(i + 1) for i in range(own))
        return m.b.emit(np.add.reduce, m.read(c), axis=axes if own > 1 else axes[0])
    if own == rank == 0 and alike:
        return m.read(c)
    return m.b.emit(runtime.unbroadcast_examples, m.read(c), m.read(like), Const(m.has(like)))


@form(linear.stretch)
def stretch(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, like = given["c"], given["like"]
    a, b = type_of(c), type_of(like)
    if not isinstance(b, Array) or b.rank is None or m.rank(c) is None:
        return None
    if dtype(a) == b.dtype is not None:
        return m.b.emit(np.broadcast_to, beside(m, c, b.rank), shape_of(m, like))
    return m.b.emit(op.fn, stretched(m, c, b.rank), m.wide(like))


def stretched(m: ExampleWalker, c: Operand, rank: int) -> Operand:
    """A batch beside others; what does not vary is stretched over it."""
    return beside(m, c, rank) if m.has(c) else c


@form(linear.full)
def filled(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, like = given["c"], given["like"]
    rank = m.rank(like)
    return (
        None
        if rank is None or m.rank(c) is None
        else m.b.emit(op.fn, stretched(m, c, rank), m.wide(like))
    )


def dtype(kind: object) -> str | None:
    if isinstance(kind, Number):
        return "float64" if kind.kind == "f" else None
    return kind.dtype if isinstance(kind, Array) else None


@form(linear.match)
def match(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, like = given["c"], given["like"]
    a, b = type_of(c), type_of(like)
    if isinstance(c, Const) or not m.has(c):
        return None
    if (
        isinstance(b, Number)
        and b.kind == "f"
        and isinstance(a, (Array, Number))
        and a.rank == 0
        and a.kind == "f"
    ):
        return m.read(c)
    if not isinstance(b, Array) or not isinstance(a, (Array, Number)):
        return None
    if dtype(a) == b.dtype is not None and a.rank == b.rank is not None:
        return m.read(c)
    if a.rank is None or b.rank is None or a.rank > b.rank:
        return None
    return m.b.emit(op.fn, beside(m, c, b.rank), m.wide(like))


@form(linear.scatter)
def scatter(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    c, like, index = given["c"], given["like"], given["index"]
    kind = type_of(like)
    if not isinstance(kind, Array) or len(op.args) + len(op.kwargs) > 3:
        return None
    if dtype(type_of(c)) != kind.dtype:  # what is written would be cut off
        return None
    found = place_in(m, kind, index, c)
    if found is None:
        return None
    zeros = (
        m.b.emit(linear.zeros_like, m.read(like))
        if m.has(like)
        else m.wide(m.b.emit(linear.zeros_like, like))
    )
    return m.b.emit(linear.index_add, zeros, *found)
