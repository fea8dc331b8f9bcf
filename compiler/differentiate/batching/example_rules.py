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

from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.library_names import name_of
from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand, map_operand
from ...ir.primitives import BUNDLE
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
    math.exp2: np.exp2, math.cbrt: np.cbrt, linear.sign: np.sign,
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


def extent(m: ExampleWalker, x: Operand, axis: int) -> Operand:
    """How long one example is along an axis."""
    kind = type_of(x)
    known = kind.dims[axis] if isinstance(kind, Array) and kind.dims else None
    if isinstance(known, int):
        return Const(known)
    if m.has(x):
        return m.b.emit(ITEM, m.b.emit(np.ndarray.shape, m.read(x)), Const(axis + 1))
    return m.b.emit(ITEM, m.b.emit(np.shape, m.read(x)), Const(axis))


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
def extreme(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Python's own: the first of equals."""
    if len(op.args) == 1 and not op.kwargs and is_row(m, op.args[0]):
        return extreme_of_row(m, op)
    xs = op.args[0] if len(op.args) == 1 else op.args
    listed = isinstance(xs, (tuple, list)) and len(xs) > 1
    if not listed or op.kwargs or any(m.rank(x) != 0 for x in xs):
        return None
    found, *others = map(m.read, xs)
    for x in others:
        test = m.b.emit(operator.lt if op.fn is builtins.min else operator.gt, x, found)
        found = m.b.emit(np.where, test, x, found)
    return found


def is_row(m: ExampleWalker, x: Operand) -> bool:
    kind = type_of(x)
    return isinstance(kind, Array) and kind.kind == "f" and m.rank(x) == 1


def extreme_of_row(m: ExampleWalker, op: Apply) -> Operand:
    """Of an array: NaN is passed over, unless it comes first."""
    x = m.read(op.args[0])
    reduce = np.fmin.reduce if op.fn is builtins.min else np.fmax.reduce
    first = m.b.emit(ITEM, x, (WHOLE, Const(0)))
    found = m.b.emit(reduce, x, axis=Const(1))
    return m.b.emit(np.where, m.b.emit(np.isnan, first), first, found)


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
    """Numbers of Python's, which are of 64 bits."""
    x = op.args[0]
    kind = type_of(x)
    if len(op.args) != 1 or not isinstance(kind, Array) or kind.rank is None:
        return None
    one = m.read(x) if kind.rank == 0 else m.b.emit(np.reshape, m.read(x), m.k())
    if kind.dtype in ("float64", "int64", "complex128", "bool"):
        return one
    turn = {"f": float, "i": int, "c": complex}.get(kind.kind or "")
    return None if turn is None else m.b.emit(np.ndarray.astype, one, Const(turn))


# -- which of several numbers is the least, or the greatest ---------------------------------------


@form(linear.unpick)
def unpick(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """Each number gets its share where it is the extreme one."""
    row = hits_in_row(m, given)
    if row is not None and m.rank(given["c"]) == 0:
        share = levelled(m, m.b.emit(operator.truediv, m.read(given["c"]), row[1]), 0, 1)
        return m.b.emit(BUNDLE, [m.b.emit(np.where, row[0], share, Const(0.0))])
    found = hits_of(m, given)
    if found is None:
        return None
    hits, count = found
    share = m.b.emit(operator.truediv, m.read(given["c"]), count)
    return m.b.emit(BUNDLE, [m.b.emit(np.where, hit, share, Const(0.0)) for hit in hits])


@form(linear.pick)
def pick(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """The mean of what belongs to the numbers that are extreme."""
    row = hits_in_row(m, given)
    if row is not None and isinstance(given["cs"], tuple) and m.rank(given["cs"][0]) == 1:
        held = m.b.emit(np.where, row[0], m.read(given["cs"][0]), Const(0.0))
        return m.b.emit(operator.truediv, m.b.emit(np.sum, held, axis=Const(1)), row[1])
    cs, found = given["cs"], hits_of(m, given)
    if found is None or not isinstance(cs, tuple) or any(m.rank(c) not in (0, None) for c in cs):
        return None
    hits, count = found
    known = [(hit, c) for hit, c in zip(hits, cs, strict=True) if not is_nothing(c)]
    if not known or any(m.rank(c) is None for _, c in known):
        return None
    parts = [m.b.emit(np.where, hit, m.read(c), Const(0.0)) for hit, c in known]
    return m.b.emit(
        operator.truediv, functools.reduce(functools.partial(m.b.emit, operator.add), parts), count
    )


def is_nothing(x: Operand) -> bool:
    return isinstance(x, Const) and x.value is None


def hits_in_row(m: ExampleWalker, given: Given) -> tuple[Operand, Operand] | None:
    """Which entries of one array are the extreme one, and how many are."""
    xs = given["xs"]
    if (
        not (isinstance(xs, tuple) and len(xs) == 1 and is_row(m, xs[0]))
        or m.rank(given["extreme"]) != 0
    ):
        return None
    extreme = (
        levelled(m, m.read(given["extreme"]), 0, 1) if m.has(given["extreme"]) else given["extreme"]
    )
    hits = m.b.emit(operator.eq, m.read(xs[0]), extreme)
    count = m.b.emit(np.maximum, m.b.emit(np.sum, hits, axis=Const(-1)), Const(1))
    return hits, count


def hits_of(m: ExampleWalker, given: Given) -> tuple[list[Operand], Operand] | None:
    """Which of at least two numbers are the extreme one, and how many are."""
    xs = given["xs"]
    if (
        not isinstance(xs, tuple)
        or len(xs) < 2
        or any(m.rank(x) != 0 for x in [*xs, given["extreme"]])
    ):
        return None
    extreme = m.read(given["extreme"])
    hits = [m.b.emit(operator.eq, m.read(x), extreme) for x in xs]
    if len(hits) == 2:
        both = m.b.emit(np.logical_and, *hits)
        return hits, m.b.emit(np.where, both, Const(2.0), Const(1.0))
    count = functools.reduce(
        functools.partial(m.b.emit, operator.add),
        [m.b.emit(operator.mul, Const(1.0), h) for h in hits],
    )
    return hits, m.b.emit(np.maximum, count, Const(1.0))
