"""Rules of operations on a batch: the examples along the first axis.

A rule takes the walker of `examples` and an operation, and gives the batch of the result, or None where it does not
know enough: then the operation runs for one example after the other.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.library_names import name_of
from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand, map_operand
from ...ir.types import Array, Number, Numeric, Stack, Tree
from ...simplify.builder import is_helper

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = [
    "FORMS",
    "ITEM",
    "NONE",
    "WHOLE",
    "asked",
    "asks_of_one",
    "beside",
    "elementwise",
    "form",
    "is_elementwise",
    "level",
    "levelled",
    "name_for_people",
]  # fmt: skip

Given = dict[str, Operand]
Form = Callable[["ExampleWalker", Apply, Given], Operand | None]
FORMS: dict[Any, Form] = {}
ITEM = operator.getitem
NONE = Const(None)
WHOLE = slice(NONE, NONE, NONE)


def form(*operations: Any) -> Callable[[Form], Form]:
    def register(made: Form) -> Form:
        FORMS.update(dict.fromkeys(operations, made))
        return made

    return register


def name_for_people(fn: Any) -> str:
    return name_of(fn) or str(own_attribute(fn, "__name__", "a function"))


# -- what is asked of one example ------------------------------------------------------------


def asks_of_one(op: Apply, has: Callable[[Operand], bool]) -> bool:
    """True if all examples give the same: their shape is asked for, or their kind."""
    known = traits_of(op.fn)
    if known.reads in ("shape", "length") or known.folds == "kinds" or known.batch == "kind":
        return True
    return not any(map(has, but_like(op)))


def but_like(op: Apply) -> list[Operand]:
    """The arguments but those that are read for their structure, shape and dtype alone."""
    at = likes(op.fn)
    given = [a for k, a in enumerate(op.args) if k not in at]
    return given + [a for name, a in op.kwargs.items() if name not in at]


@functools.cache
def likes(fn: Any) -> frozenset[Any]:
    """Where a helper takes what it only looks at: the position, and the name."""
    if not is_helper(fn):
        return frozenset()
    names = list(inspect.signature(fn).parameters)
    return frozenset({"like", names.index("like")}) if "like" in names else frozenset()


def asked(m: ExampleWalker, op: Apply) -> None:
    """The same, of the batch or of its first example."""
    x = op.args[0] if op.args else None
    if op.fn in (np.shape, np.ndarray.shape) and isinstance(type_of(x), (Array, Number)):
        m.shape_of_one(x)
        return
    if op.fn is builtins.len and isinstance(type_of(x), Array):
        m.b.emit(ITEM, m.b.emit(np.ndarray.shape, m.read(x)), Const(1))
        return
    if op.fn in (np.size, np.ndarray.size) and len(op.args) == 1 and isinstance(type_of(x), Array):
        if m.rank(x) == 1:
            m.b.emit(ITEM, m.b.emit(np.ndarray.shape, m.read(x)), Const(1))
        else:
            m.b.emit(math.prod, m.shape_of_one(x))
        return
    if op.fn is np.ndarray.dtype:
        m.b.emit(op.fn, m.read(x))
        return

    def one(x: Operand) -> Operand:
        return map_operand(
            x, lambda v: m.b.emit(runtime.first_example, m.read(v)) if m.has(v) else v
        )

    if op.fn in (builtins.len,) and isinstance(type_of(x), (Stack, Tree)):
        m.b.emit(op.fn, *map(m.read, op.args))
        return
    m.b.emit(op.fn, *map(one, op.args), **{k: one(a) for k, a in op.kwargs.items()})


# -- element by element ----------------------------------------------------------------------

OF_ARRAYS = {
    builtins.abs: np.abs, operator.not_: np.logical_not, operator.truth: np.bool_,
    math.sin: np.sin, math.cos: np.cos, math.tan: np.tan, math.exp: np.exp, math.sqrt: np.sqrt, math.tanh: np.tanh,
    math.sinh: np.sinh, math.cosh: np.cosh, math.asin: np.arcsin, math.acos: np.arccos, math.atan: np.arctan,
    math.atan2: np.arctan2, math.expm1: np.expm1, math.log1p: np.log1p, math.log2: np.log2, math.log10: np.log10,
    math.fabs: np.fabs, math.pow: np.power, math.hypot: np.hypot, math.copysign: np.copysign, math.fmod: np.fmod,
    math.asinh: np.arcsinh, math.acosh: np.arccosh, math.atanh: np.arctanh, math.degrees: np.degrees,
    math.radians: np.radians, math.isnan: np.isnan, math.isinf: np.isinf, math.isfinite: np.isfinite,
    math.exp2: np.exp2, math.cbrt: np.cbrt,
}  # fmt: skip


def is_elementwise(fn: Any) -> bool:
    known = traits_of(fn)
    if known.batch is not None:
        return known.batch == "entries"
    return bool(known.elementwise) or fn in OF_ARRAYS


@form(np.nan_to_num, np.around, np.round, np.isclose)
def of_first(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Element by element, if the other arguments are the same for all examples."""
    return None if m.has([*op.args[1:], *op.kwargs.values()]) else elementwise(m, op)


def elementwise(m: ExampleWalker, op: Apply) -> Operand | None:
    fn = traits_of(op.fn).augments or op.fn
    fn = OF_ARRAYS.get(fn, fn)
    given = [*op.args, *op.kwargs.values()]
    if not all(map(is_number_or_none, flat(given))):
        return None
    args, kwargs = level(m, op.args, op.kwargs, op.result.type)
    return m.b.emit(fn, *args, **kwargs)


@form(math.log)
def logarithm(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, *base = op.args
    made = m.b.emit(np.log, m.read(x)) if m.has(x) else m.b.emit(np.log, x)
    if not base:
        return made
    below = m.b.emit(np.log, m.read(base[0]))
    return m.b.emit(operator.truediv, made, below)


def flat(operands: Any) -> list[Operand]:
    if isinstance(operands, (tuple, list)):
        return [x for item in operands for x in flat(item)]
    return [operands]


def is_number_or_none(x: Operand) -> bool:
    """True of what has a number of axes, known or not."""
    if isinstance(x, Const):
        return not callable(x.value) or isinstance(x.value, type)
    return x is None or isinstance(type_of(x), (Array, Number, Numeric)) or type_of(x) is None


def level(
    m: ExampleWalker, args: Any, kwargs: dict[str, Operand], result: Any = None
) -> tuple[Any, dict[str, Operand]]:
    """Operands of one elementwise operation, with as many axes for each example."""
    given = flat([list(args), list(kwargs.values())])
    moving = [x for x in given if m.has(x)]
    ranks = [m.rank(x) for x in given if is_array_or_moving(m, x)]
    known = [r for r in ranks if r is not None]
    if len(known) == len(ranks):
        rank: Any = max(known, default=0)
    elif len(moving) == len([x for x in given if is_array_or_moving(m, x)]) == 1:
        rank = None
    else:
        others = [x for x in given if not m.has(x) and not isinstance(x, Const)]
        rank = m.b.emit(runtime.rank_of_examples, tuple(map(m.read, moving)), tuple(others))

    def change(x: Operand) -> Operand:
        if isinstance(x, (tuple, list)):
            return type(x)([change(item) for item in x])
        return as_weak(m, x, beside(m, x, rank), result)

    return tuple(map(change, args)), {k: change(x) for k, x in kwargs.items()}


def is_array_or_moving(m: ExampleWalker, x: Operand) -> bool:
    if m.has(x):
        return True
    kind = type_of(x)
    return not (isinstance(x, Const) and not isinstance(kind, Array)) and not isinstance(
        kind, Number
    )


def beside(m: ExampleWalker, x: Operand, rank: Any) -> Operand:
    """An operand beside others whose examples have so many axes."""
    if not m.has(x) or rank is None:
        return m.read(x)
    if isinstance(rank, int):
        own = m.rank(x)
        assert own is not None
        return levelled(m, m.read(x), own, rank)
    return m.b.emit(runtime.aligned, m.read(x), rank)


def levelled(m: ExampleWalker, x: Operand, own: int, rank: int) -> Operand:
    """A batch of examples with ``own`` axes, as one with ``rank``."""
    if own >= rank:
        return x
    return m.b.emit(ITEM, x, (WHOLE, *(NONE,) * (rank - own)))


def as_weak(m: ExampleWalker, x: Operand, made: Operand, result: Any) -> Operand:
    """A number of Python's gives way to the dtype of an array; the batch of such numbers is made to."""
    kind = type_of(x)
    if not m.has(x) or not isinstance(kind, Number) or not isinstance(result, Array):
        return made
    if result.dtype in (None, "float64", "complex128", "int64", "bool") or result.kind == "b":
        return made
    if kind.kind in ("f", "c") and result.kind in ("f", "c"):
        real = {"complex64": "float32"}.get(str(result.dtype), str(result.dtype))
        return m.b.emit(np.ndarray.astype, made, Const(np.dtype(real).type))
    return made


@form(builtins.float, np.float64, np.double)
def to_float(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = m.read(op.args[0])
    kind = type_of(x)
    if len(op.args) != 1 or not isinstance(kind, Array) or kind.rank != 1 or kind.kind == "c":
        return None
    return x if kind.dtype == "float64" else m.b.emit(np.ndarray.astype, x, Const(float))


@form(builtins.int, math.floor, math.ceil, math.trunc)
def to_int(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = m.read(op.args[0])
    kind = type_of(x)
    if (
        len(op.args) != 1
        or not isinstance(kind, Array)
        or kind.rank != 1
        or kind.kind not in ("f", "i", "b")
    ):
        return None
    turn = {math.floor: np.floor, math.ceil: np.ceil}.get(op.fn)
    x = m.b.emit(turn, x) if turn is not None and kind.kind == "f" else x
    return m.b.emit(np.ndarray.astype, x, Const(int))


@form(builtins.bool, np.bool_)
def to_bool(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = m.read(op.args[0])
    kind = type_of(x)
    if len(op.args) != 1 or not isinstance(kind, Array) or kind.rank != 1:
        return None
    return x if kind.kind == "b" else m.b.emit(operator.ne, x, Const(0))


@form(builtins.min, builtins.max)
def extreme_of_two(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Python's own: the first of equals."""
    if len(op.args) != 2 or op.kwargs or any(m.rank(a) != 0 for a in op.args):
        return None
    a, b = (m.read(x) for x in op.args)
    test = m.b.emit(operator.lt if op.fn is builtins.min else operator.gt, b, a)
    return m.b.emit(np.where, test, b, a)


@form(builtins.sum)
def total_of_list(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """The sum of a list of batches, if their examples have as many axes."""
    items = op.args[0]
    if len(op.args) != 1 or op.kwargs:
        return None
    kind = type_of(items)
    ranks = (
        {m.rank(x) for x in items}
        if isinstance(items, (tuple, list))
        else {getattr(kind.item, "rank", None)}
        if isinstance(kind, Stack)
        else {None}
    )
    if len(ranks) != 1 or None in ranks:
        return None
    return m.b.emit(builtins.sum, m.wide(items))


@form(np.ndarray.item)
def item(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x = op.args[0]
    if len(op.args) != 1 or m.rank(x) is None:
        return None
    return m.read(x) if m.rank(x) == 0 else m.b.emit(np.reshape, m.read(x), m.k())
