"""The exceptions that operations may raise: those that no number brings about need no handler.

::

    try:
        x = np.asarray(x)        # on numbers, nothing here raises a NameError
    except NameError:
        pass

What an operation may raise is known where all that it is given is numbers, arrays or constants; a test asks
the operations themselves (``tests/rules/test_raised_exceptions.py``).
"""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.runtime import errors
from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
    bodies_called,
    walk,
)
from ..ir.plain_values import is_literal
from ..ir.primitives import ASSERT, RAISE, UNPACK
from ..ir.types import Array, Number, Opaque, Tree

__all__ = [
    "ALWAYS",
    "ANYTHING",
    "OF_ARRAYS",
    "OF_ENTRIES",
    "hides_refusals",
    "may_raise",
    "raised_by",
]

Classes = tuple[type[BaseException], ...]

ANYTHING: Classes = (BaseException,)
OF_FLOATS: Classes = (ArithmeticError,)  # 1 / 0.0
ALWAYS: Classes = (*OF_FLOATS, ValueError, MemoryError, Warning)  # of arrays, whatever they hold
OF_ENTRIES: Classes = (*ALWAYS, TypeError, RetrogradError)
OF_PLACES: Classes = (*ALWAYS, IndexError)
OF_ONE: Classes = (FloatingPointError, Warning, MemoryError)  # of NumPy's, as `np.errstate` says
OF_ARRAYS: Classes = (*OF_ENTRIES, IndexError, RuntimeError, np.linalg.LinAlgError)  # or an axis


def may_raise(ops: Iterable[Op], classes: Classes) -> bool:
    """True unless nothing that these operations do raises an exception of these classes."""
    return Raised(classes).by_block(Block(ops=list(ops)))


REFUSALS = [
    e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, RetrogradError)
]


def hides_refusals(guard: Try) -> bool:
    """True if a handler of the program would take for its own what our helpers refuse.

    One that names a refusal means it.
    """
    listed = guard.cond if isinstance(guard.cond, (tuple, list)) else (guard.cond,)
    kinds = [c.value if isinstance(c, Const) else None for c in listed]
    known = [k for k in kinds if isinstance(k, type)]
    if any(issubclass(k, RetrogradError) for k in known):
        return False
    taken = len(known) < len(kinds) or any(issubclass(e, k) for e in REFUSALS for k in known)
    return taken and any(map(may_refuse, [guard.body, *bodies_called(guard.body)]))


def may_refuse(block: Block) -> bool:
    """True if helpers of ours run in a block: what NumPy and Python raise is the program's."""
    made = (op.fn for op in walk(block) if isinstance(op, Apply))
    return any(home_of(fn).startswith("retrograd.") for fn in made)


class Raised:
    """One question, asked of a block and of all that it calls."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self.asked: set[Any] = set()  # functions: those that call themselves raise what they raise
        self.made: dict[Value, Any] = {}  # exceptions, and what makes them

    def by_block(self, block: Block) -> bool:
        return any(self.by(op) for op in walk(block))

    def by(self, op: Op) -> bool:
        if isinstance(op, Call):
            return self.by_function(op.callee)
        if not isinstance(op, Apply):
            return any(map(self.catches, of_region(op)))
        if is_exception(op.fn):
            self.made[op.result] = op.fn
            return False
        return any(self.catches(kind) for kind in self.kinds(op))

    def by_function(self, function: Any) -> bool:
        if function in self.asked:
            return False
        self.asked.add(function)
        body = getattr(function, "body", None)
        return body is None or self.by_block(body)

    def catches(self, kind: type[BaseException]) -> bool:
        """True if an exception of this kind, or of a more special one that operations raise, is asked for."""
        special = [c for c in self.classes if kind in ANYTHING or is_raised_as(c)]
        return issubclass(kind, self.classes) or any(issubclass(c, kind) for c in special)

    def kinds(self, op: Apply) -> Classes:
        if op.fn is ASSERT:
            return (AssertionError, *OF_ENTRIES)  # the truth of an array
        if op.fn is RAISE:
            raised = op.args[0] if op.args else None
            found = raised.value if isinstance(raised, Const) else self.made.get(raised)  # type: ignore[arg-type]
            return (found,) if isinstance(found, type) and is_exception(found) else ANYTHING
        return raised_by(op)


def of_region(op: Op) -> Classes:
    """What managers, iterators and tests raise, besides what stands in their blocks."""
    if isinstance(op, Try):
        return ()
    if isinstance(op, With) or (isinstance(op, Loop) and op.asks):
        return ANYTHING
    tests = [op.cond] if isinstance(op, If) else []
    if isinstance(op, Loop) and op.cond is not None:
        tests = op.cond.yields[:1]
    if not all(map(is_data, tests)):
        return ANYTHING
    return () if all(map(has_rank_0, tests)) else (ValueError,)


def is_raised_as(special: type[BaseException]) -> bool:
    """True of the classes that are not named where a class above them is: those of the libraries, but one."""
    home = home_of(special).partition(".")[0]
    return home in ("builtins", "numpy", "retrograd") and special is not np.linalg.LinAlgError


def is_exception(fn: Any) -> bool:
    """A builtin exception's class; making one of the user's own may do anything."""
    return isinstance(fn, type) and issubclass(fn, BaseException) and fn.__module__ == "builtins"


def raised_by(op: Apply) -> Classes:
    """The classes of what an operation may raise: more rather than fewer."""
    found = of_place(op)
    if found is not None:
        return found
    if op.fn in (np.finfo, np.iinfo):
        return OF_ARRAYS  # of a type of numbers, or of what is none
    if not all(map(is_data, [*op.args, *op.kwargs.values()])):
        return ANYTHING
    if op.fn is UNPACK:
        return OF_ARRAYS
    python = traits_of(op.fn).of_floats
    if python is not None and all(map(is_float, op.args)):
        return () if python == "quiet" else OF_FLOATS
    if op.effect or not is_known(op.fn):
        return ANYTHING
    if traits_of(op.fn).elementwise is not True:
        return OF_ARRAYS
    if op.kwargs or not (all(map(is_real, op.args)) and takes_floats(op.fn)):
        return OF_ENTRIES
    kinds = [x.type for x in op.args if isinstance(x, Value)]
    fits = sum(not has_rank_0(x) for x in op.args) < 2  # with a shape of its own
    return OF_ONE if fits and any(isinstance(k, Array) for k in kinds) else ALWAYS


def is_known(fn: Any) -> bool:
    """An operation of the rule book; what SciPy or users have written in Python may raise anything."""
    if isinstance(fn, types.FunctionType):
        home = home_of(fn).partition(".")[0]
        if home not in ("numpy", "retrograd"):
            return False
    return fn in book or is_constant(fn)


def is_data(operand: Operand) -> bool:
    """Numbers, arrays of them and what is written in a text, alone or in containers."""
    if isinstance(operand, (tuple, list)):
        return all(map(is_data, operand))
    if isinstance(operand, dict):
        return all(map(is_data, operand.values()))
    if isinstance(operand, slice):
        return all(map(is_data, (operand.start, operand.stop, operand.step)))
    if isinstance(operand, Value):
        kind = operand.type
        return isinstance(kind, Number) or (isinstance(kind, Array) and kind.kind is not None)
    return not isinstance(operand, Const) or is_plain(operand.value)


def is_plain(value: Any) -> bool:
    if is_ndarray(value):
        return value.dtype.kind in "biufc"
    return is_literal(value) or isinstance(value, (np.generic, np.dtype, type, types.EllipsisType))


def takes_floats(fn: Any) -> bool:
    """False of those that take whole numbers somewhere: the order of a polynomial, say."""
    if isinstance(fn, np.ufunc):
        return any(t.startswith("d" * fn.nin + "->") for t in fn.types)
    home = home_of(fn)
    return home.partition(".")[0] in ("numpy", "operator", "_operator", "builtins", "math")


def has_rank_0(operand: Operand) -> bool:
    return isinstance(operand, Const) or getattr(operand.type, "dims", None) == ()


def of_place(op: Apply) -> Classes | None:
    """What ``x[i]``, ``x[i] = v`` and ``xs.append(v)`` raise, where `i` and `v` are of a kind that fits; None of others.

    What has rank 0 may be NumPy's scalar, which cannot be written to.
    """
    if op.kwargs:
        return None
    if op.fn is linear.appended:
        return (MemoryError,)  # a list takes anything
    if op.fn in (operator.getitem, builtins.getattr):
        return of_item(*op.args[:2])
    if op.fn not in (linear.write, linear.increase):
        return None
    x, path, value = op.args
    steps = [isinstance(s, tuple) and len(s) == 2 and s[0].value is operator.getitem for s in path]
    if not (is_real(x) and is_real(value) and all(steps) and all(is_place(i) for _, i in path)):
        return None
    return OF_PLACES if isinstance(x.type, Array) and x.type.dims else OF_ARRAYS


def of_item(x: Operand, index: Operand) -> Classes | None:
    """What reading an item, or an attribute, raises."""
    key = index.value if isinstance(index, Const) else None
    if isinstance(x, Const):
        return () if type(x.value) is dict and key is not None and key in x.value else None
    kind = x.type if isinstance(x, Value) else None
    if isinstance(kind, Tree):
        return () if key is not None and kind.item(key) is not None else None
    if isinstance(kind, Opaque):
        return () if key in dict(kind.holds) else None
    if not (is_real(x) and isinstance(kind, Array) and is_place(index)):
        return None
    mask = isinstance(index, Value) and getattr(index.type, "kind", None) == "b"
    return OF_ONE if mask and has_rank_0(x) and has_rank_0(index) else OF_PLACES


def is_place(index: Operand) -> bool:
    """A number, a slice or a mask that an array of any kind takes as an index."""
    if isinstance(index, tuple):
        return all(map(is_place, index))
    if isinstance(index, slice):
        return all(map(is_place, (index.start, index.stop, index.step)))
    if isinstance(index, Value):
        return getattr(index.type, "kind", None) in ("i", "b", "u")
    return index is None or (
        isinstance(index, Const) and type(index.value) in (int, types.NoneType)
    )


def is_real(operand: Operand) -> bool:
    """Floats, and arrays of them; beside those, whole numbers of Python."""
    if isinstance(operand, Const):
        return type(operand.value) in (int, float)
    return isinstance(operand, Value) and getattr(operand.type, "kind", None) == "f"


def is_float(operand: Operand) -> bool:
    if isinstance(operand, Const):
        return type(operand.value) is float
    kind = operand.type if isinstance(operand, Value) else None
    return isinstance(kind, Number) and kind.kind == "f"
