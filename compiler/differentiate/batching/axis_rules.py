"""Batching rules of operations along axes, changes of shape, and products."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of
from retrograd.runtime.user import batched as runtime

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.types import Array, Number
from .either_end import enter
from .operation_rules import Given, form

if TYPE_CHECKING:
    from .batch import Walker

__all__ = ["along", "shifted"]


# -- axes ------------------------------------------------------------------------------------


def shifted(axis: Operand) -> Operand | None:
    """Axes counted from the front; None where that cannot be said."""
    if not isinstance(axis, (Const, tuple)):
        return None
    values = [axis] if isinstance(axis, Const) else list(axis)
    if not all(isinstance(a, Const) for a in values):
        return None
    plain = [n for a in values for n in (a.value if isinstance(a.value, tuple) else (a.value,))]
    if not all(type(n) is int for n in plain):
        return None
    moved = [n if n >= 0 else n - 1 for n in plain]
    single = isinstance(axis, Const) and not isinstance(axis.value, tuple)
    return Const(moved[0]) if single else tuple(map(Const, moved))


def is_none(x: Operand) -> bool:
    return isinstance(x, Const) and x.value is None


def first_of(op: Apply, given: Given) -> Operand:
    return op.args[0] if op.args else next(iter(given.values()))


def is_plain(given: Given, *known: str) -> bool:
    """True if nothing but these arguments is given."""
    usual = {
        "keepdims": False,
        "dtype": None,
        "initial": 0,
        "where": True,
        "mode": "raise",
        "order": "C",
        "copy": None,
        "n": 1,
    }
    return all(
        name in known or (isinstance(v, Const) and name in usual and v.value is usual[name])
        or (isinstance(v, Const) and name in usual and v.value == usual[name] and type(v.value) is type(usual[name]))
        for name, v in given.items()
    )  # fmt: skip


def along(m: Walker, op: Apply, given: Given, axis: str, flat: bool = False) -> Operand | None:
    """An operation along one axis of its first argument; ``flat``: None reads it as one row."""
    names = list(given)
    x = given[names[0]]
    if any(m.has(v) for n, v in given.items() if n != names[0]) or not m.has(x):
        return None
    where = given[axis]
    if is_none(where) and flat:
        if m.rank(x) != 1:
            return None
        where = Const(0)
    moved = shifted(where)
    if moved is None:
        return None
    at = names.index(axis)
    if axis in op.kwargs or len(op.args) <= at:
        return m.b.emit(op.fn, m.read(x), *op.args[1:], **{**op.kwargs, axis: moved})
    args = [m.read(x), *op.args[1:]]
    args[at] = moved
    return m.b.emit(op.fn, *args, **op.kwargs)


@form(np.cumsum, np.ndarray.cumsum, np.repeat, np.ndarray.repeat)
def running(m: Walker, op: Apply, given: Given) -> Operand | None:
    return along(m, op, given, "axis", flat=True)


@form(np.diff, np.flip)
def in_axis(m: Walker, op: Apply, given: Given) -> Operand | None:
    if any(not is_none(given.get(n, Const(None))) for n in ("prepend", "append")):
        return None
    return along(m, op, given, "axis", flat=True)


@form(np.roll)
def roll(m: Walker, op: Apply, given: Given) -> Operand | None:
    return along(m, op, given, "axis", flat=True)


@form(np.sum, np.ndarray.sum, np.add.reduce, np.mean, np.ndarray.mean)
def total(m: Walker, op: Apply, given: Given) -> Operand | None:
    names = list(given)
    x = given[names[0]]
    if not m.has(x) or not is_plain(given, names[0], "axis", "keepdims"):
        return None
    keep, rank = given.get("keepdims", Const(False)), m.rank(x)
    if not isinstance(keep, Const):
        return None
    kwargs: dict[str, Operand] = {"keepdims": Const(True)} if keep.value else {}
    axis = given["axis"]
    if is_none(axis):
        if rank is None:
            return (
                m.b.emit(runtime.sum_each, m.read(x))
                if not kwargs and traits_of(op.fn).reduces == "sum"
                else None
            )
        axis = Const(0) if rank == 1 else tuple(Const(i) for i in range(rank))
        if rank == 0:
            return m.read(x)
    moved = shifted(axis)
    if moved is None:
        return None
    fn = np.sum if traits_of(op.fn).reduces == "sum" else np.mean
    return m.b.emit(fn, m.read(x), **(kwargs | {"axis": moved}))


# -- shapes ----------------------------------------------------------------------------------


@form(np.reshape, np.ndarray.reshape)
def reshape(m: Walker, op: Apply, given: Given) -> Operand | None:
    x, *_ = given.values()
    shape = given["shape"]
    if not m.has(x) or not is_plain(given, *list(given)[:1], "shape"):
        return None
    if isinstance(shape, tuple) and len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    if isinstance(shape, Const) and type(shape.value) is int:
        shape = (shape,)
    if isinstance(shape, tuple) and all(type(type_of(n)) is Number for n in shape):
        return m.b.emit(np.reshape, m.read(x), (*shape, m.k()))
    known = shape[0] if isinstance(shape, tuple) and len(shape) == 1 else shape
    made = m.b.defs.get(known) if isinstance(known, Value) else None
    if made is not None and traits_of(made.fn).reads == "shape":
        return m.b.emit(np.reshape, m.read(x), m.b.emit(operator.add, known, (m.k(),)))
    return None


@form(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def ravel(m: Walker, op: Apply, given: Given) -> Operand | None:
    x, *_ = given.values()
    if not is_plain(given, *list(given)[:1]):
        return None
    return m.b.emit(np.reshape, m.read(x), (Const(-1), m.k()))


@form(linear.reshape_like)
def reshape_like(m: Walker, op: Apply, given: Given) -> Operand | None:
    like = given["like"]
    if m.has(like) or not is_plain(given, "c", "like"):
        return None
    shape = m.b.emit(np.shape, like)
    made = m.b.emit(np.reshape, m.read(given["c"]), m.b.emit(operator.add, shape, (m.k(),)))
    a, b = type_of(given["c"]), type_of(like)
    same = isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype != None  # noqa: E711
    return made if same else None


@form(np.ndarray.T, np.transpose, np.ndarray.transpose, np.matrix_transpose, linear.mT)
def transpose(m: Walker, op: Apply, given: Given) -> Operand | None:
    x, rank = op.args[0] if op.args else None, None
    if x is None or (rank := m.rank(x)) is None:
        return None
    axes = list(range(rank))[::-1]
    if op.fn in (np.matrix_transpose, linear.mT):
        axes = [*range(rank - 2), rank - 1, rank - 2]
    elif len(op.args) > 1 or op.kwargs:
        asked = shifted(given["axes"])
        if not isinstance(asked, tuple):
            return None
        axes = [a.value % (rank + 1) if a.value < 0 else a.value for a in asked]
    if axes == list(range(rank)):
        return m.read(x)
    return m.b.emit(np.transpose, m.read(x), tuple(map(Const, [*axes, rank])))


@form(np.expand_dims, np.squeeze, np.ndarray.squeeze)
def expand_dims(m: Walker, op: Apply, given: Given) -> Operand | None:
    return along(m, op, given, "axis")


enter(form, shifted, 0)


@form(np.take, np.ndarray.take)
def take(m: Walker, op: Apply, given: Given) -> Operand | None:
    return along(m, op, given, "axis", flat=True)


# -- products ----------------------------------------------------------------------------------


@form(operator.matmul, np.matmul, np.dot, np.ndarray.dot)
def matmul(m: Walker, op: Apply, given: Given) -> Operand | None:
    """One product of matrices for all directions, where no operand has more than two axes; else a stack of them."""
    if len(op.args) != 2 or op.kwargs:
        return None
    a, b = op.args
    ranks = m.rank(a), m.rank(b)
    if 0 in ranks or (m.has(a) and m.has(b)):
        return None
    if not {*ranks} <= {1, 2}:
        if op.fn not in (operator.matmul, np.matmul):
            return None
        return m.b.emit(runtime.matmul_each, m.read(a), m.read(b), Const(int(m.has(b))))
    if m.has(b):
        if ranks[1] == 1:
            return m.b.emit(operator.matmul, a, m.read(b))
        return m.b.emit(np.tensordot, a, m.read(b), Const(1))
    if ranks[0] == 1:
        turned = b if ranks[1] == 1 else m.b.apply(np.ndarray.T, b)
        return m.b.emit(operator.matmul, turned, m.read(a))
    made = m.b.emit(np.tensordot, m.read(a), b, (Const(1), Const(0)))
    return made if ranks[1] == 1 else m.b.emit(np.swapaxes, made, Const(1), Const(2))


@form(linear.matmul_pull_left, linear.matmul_pull_right)
def matmul_pull(m: Walker, op: Apply, given: Given) -> Operand | None:
    c, other, like = given.values()
    if m.has(other) or m.has(like):
        return None
    return m.b.emit(runtime.product_pull_each, Const(op.fn), m.read(c), other, like)


@form(np.outer)
def outer(m: Walker, op: Apply, given: Given) -> Operand | None:
    a, b = op.args
    if m.rank(a) != 1 or m.rank(b) != 1 or op.kwargs:
        return None
    column, row = (slice(None, None, None), Const(None)), (Const(None), slice(None, None, None))
    left = m.b.apply(operator.getitem, m.beside(a), column)
    return m.b.apply(operator.mul, left, m.b.apply(operator.getitem, m.beside(b), row))


@form(linear.cross)
def cross(m: Walker, op: Apply, given: Given) -> Operand | None:
    a, b = given["a"], given["b"]
    axes = [shifted(given[name]) for name in ("axisa", "axisb", "axisc")]
    if None in axes or (m.has(a) and m.has(b)):
        return None
    return m.b.emit(linear.cross, m.beside(a), m.beside(b), *axes)
