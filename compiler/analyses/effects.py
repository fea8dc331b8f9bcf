"""Calls of unknown functions: refused where they could modify a differentiated value."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import Apply, Block, Const, Operand, Value, values_in, walk
from ..ir.plain_values import is_data
from ..ir.primitives import Primitive
from ..ir.types import Opaque, Tree
from .instructions import instructions

__all__ = [
    "OUTPUTS",
    "asks_identity",
    "container_writers",
    "is_harmless_owner",
    "is_late",
    "only_looks",
    "owner_of",
    "unknown_writers",
]

HARMLESS_MODULES = ("logging", "warnings")
OUTPUTS = (
    "out",
    "output",
)  # the parameters of NumPy's and SciPy's functions for what they write to


def unknown_writers(block: Block, active: Callable[[Operand], bool]) -> list[Apply]:
    """The calls without a rule that are given an active value: they might write into it."""
    return [
        op
        for op in walk(block)
        if isinstance(op, Apply) and op.effect and not only_looks(op)
        if any(active(v) for v in values_in([*op.args, *op.kwargs.values()]))
    ]


def container_writers(block: Block, taped: Callable[[Operand], bool]) -> list[Apply]:
    """The calls of functions that were not compiled, nor taped, and get a list or a dict: a copy."""
    return [
        op
        for op in walk(block)
        if isinstance(op, Apply) and op.effect and isinstance(op.fn, types.FunctionType)
        if not is_harmless(op.fn) and not is_library(op.fn) and not taped(op.results[0])
        if not isinstance(
            op.results[0].type, Opaque
        )  # they have no name: seen to where it was lowered
        if any(map(is_changeable, [*op.args, *op.kwargs.values()]))
    ]


def asks_identity(fn: Any) -> bool:
    """True of ``is`` and ``is not``: they run nobody's code, and what they answer has no derivative."""
    return fn is operator.is_ or fn is operator.is_not


def owner_of(fn: Any) -> Any:
    """The object whose method of C this is; None of what is no such method."""
    owner = fn.__self__ if isinstance(fn, types.BuiltinMethodType) else None
    return None if isinstance(owner, types.ModuleType) else owner


def is_library(fn: Any) -> bool:
    return home_of(fn).partition(".")[0] in ("builtins", "numpy", "math", "scipy")


def is_changeable(operand: Operand) -> bool:
    """True if an operand is a list or a dict, or holds one."""
    if isinstance(operand, tuple):
        return any(map(is_changeable, operand))
    kind = operand.type if isinstance(operand, Value) else None
    return isinstance(operand, (list, dict)) or (
        isinstance(kind, Tree) and kind.container in ("list", "dict")
    )


def is_late(fn: Any) -> bool:
    """True of a call of what is known when it runs alone."""
    return fn is linear.called or fn is linear.method_called


def only_looks(op: Apply) -> bool:
    """True if a call only looks at its arguments."""
    if traits_of(op.fn).effect == "looks" or is_public_reader(op.fn):
        return all(map(is_plain, [*op.args, *op.kwargs.values()]))
    if not is_late(op.fn):
        return is_harmless(op.fn)
    return isinstance(op.args[0], Const) and is_harmless_owner(op.args[0].value)


def is_public_reader(fn: Any) -> bool:
    """True of SciPy's public functions that have no parameter for what they write to (`test_public_readers`)."""
    home = home_of(fn)
    if not isinstance(fn, types.FunctionType) or not home.startswith("scipy."):
        return False
    return not fn.__name__.startswith("_") and not writes_to_parameters(fn)


@functools.cache
def writes_to_parameters(fn: types.FunctionType) -> bool:
    """True if a function has a parameter for what it writes to, or augments one (``phi *= np.pi / 180``)."""
    names = inspect.signature(fn).parameters
    outputs = any(name.startswith((*OUTPUTS, "overwrite")) for name in names)
    return outputs or not names.keys().isdisjoint(instructions(fn.__code__).augmented)


def is_plain(operand: Operand) -> bool:
    """True of arrays, numbers and text, and of sequences of them: none runs code of the program when it is asked."""
    if isinstance(operand, (tuple, list)):
        return all(map(is_plain, operand))
    if isinstance(operand, Const):
        return is_data(operand.value)
    return isinstance(operand, Value) and not isinstance(operand.type, (Opaque, Tree))


def is_harmless_owner(value: Any) -> bool:
    """True if an object is of a module whose functions only look at their arguments, or is that module."""
    home = value if isinstance(value, types.ModuleType) else type(value)
    name = own_attribute(home, "__name__" if home is value else "__module__") or ""
    return str(name).partition(".")[0] in HARMLESS_MODULES


def is_harmless(fn: Any) -> bool:
    """Statements, exceptions, printing and logging only look at their arguments."""
    if isinstance(fn, Primitive) or (isinstance(fn, type) and issubclass(fn, BaseException)):
        return True
    module = home_of(fn)
    owner = type(own_attribute(fn, "__self__")).__module__
    if is_late(fn) or traits_of(fn).writes == "argument":
        return False
    if module.startswith("retrograd.") or module.partition(".")[0] in HARMLESS_MODULES:
        return True
    return traits_of(fn).effect in ("none", "speaks") or owner.partition(".")[0] in HARMLESS_MODULES
