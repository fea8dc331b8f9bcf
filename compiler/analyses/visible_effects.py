"""Reasons not to run a function again, and derivatives that differ from finite differences by design.

Of a program that was lowered, `reservations`; of a function that runs on the tape, `of_function`.
Each is a pair, of what and why: "run" (do not run it again), "say" and "call" (nor this: it would say it again, or
call what nobody has read), "write" (not with the same arguments: it writes to them), "derivative" (differences say something else), "triangle" (right along symmetric directions only),
"value" (the function's to a tolerance of its own), "search" (a solution: as exact as its tolerance), "rounding"
(what is as small as the rounding of the arguments may be nothing else).
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.traits.conventions import notes_of
from retrograd.runtime.traits.lookup import traits_of
from retrograd.runtime.user.custom_rules import custom_of

from ..ir.operations import Apply, Const, Function, Op, reachable, walk
from ..ir.primitives import WRITTEN, Primitive
from ..ir.types import kind_of
from .aliasing.read_write_order import is_store
from .conventions import conventions_in
from .effects import is_late
from .instructions import CHANGES, instructions
from .lazy_initialisation import only_completes
from .shapes.infer import type_of

__all__ = [
    "ACTS",
    "LASTING",
    "SEEN",
    "Reservation",
    "acts",
    "begin_anew",
    "changeable_by",
    "is_changeable",
    "may_write",
    "name_of_late",
    "named_by",
    "of_function",
    "refuse_turns",
    "reservations",
]

Reservation = tuple[str, str]
ACTS = frozenset({"run", "say", "call"})  # the kinds of what is not run again
LASTING = ACTS | {"write"}  # of what a second run finds changed
ACTING: dict[int, tuple[Any, bool]] = {}  # what `acts` said, with the function, which has to live

SEEN = {"print", "input", "open", "exec", "eval", "breakpoint", "setattr", "delattr", "__import__"}
FILES = {"save", "savez", "savez_compressed", "savetxt", "tofile", "dump", "memmap", "seterr", "setbufsize"}  # fmt: skip
QUIET = (*ROOTS, "math", "cmath", "builtins", "_operator", "operator", "itertools", "functools",
         "collections", "dataclasses", "enum", "typing", "warnings", "copy", "abc", "numbers", "fractions",
         "decimal", "statistics", "types", "_functools", "_collections", "random", "string", "re", "contextlib")  # fmt: skip
VALUES = (types.ModuleType, type, np.generic, np.dtype, np.ufunc, str, bytes, int, float, complex,
          tuple, frozenset, type(None), range, slice, types.BuiltinFunctionType)  # fmt: skip


# -- programs ----------------------------------------------------------------------------------------


def reservations(program: Any, function: Function) -> list[Reservation]:
    """Of a program and everything it calls."""
    found: dict[Reservation, None] = {}
    seen: dict[int, Any] = {}
    if program.states:
        found["run", "it writes to objects of the module"] = None
    for part in {f: None for f in (function, *program.callees.values()) for f in reachable(f)}:
        custom = part.facts.custom
        if own_attribute(custom, "derived", False):
            found["search", f"`{part.name}` is as exact as its tolerance"] = None
        elif custom is not None:
            found["derivative", f"`{part.name}` has a derivative of its own"] = None
        for op in walk(part.body):
            if is_store(op) or is_noted_write(op):
                found["write", "it writes to its arguments"] = None
            if isinstance(op, Apply):
                found |= dict.fromkeys(of_call(op, seen))
                found |= dict.fromkeys(of_constants(op))
                found |= dict.fromkeys(of_part(op))
    for noted in conventions_in([function]):
        if noted.note.kind in OF_NOTES:
            kind, why = OF_NOTES[noted.note.kind]
            found[kind, f"`{noted.name}` {why}"] = None
    return list(found)


def refuse_turns(program: Any, function: Function) -> None:
    """Refuse, for a batch, what changes something that the next example would see."""
    parts = {f: None for f in (function, *program.callees.values()) for f in reachable(f)}
    ops = [op for part in parts for op in walk(part.body) if isinstance(op, Apply)]
    changes = ["it writes to objects of the module"] if program.states else []
    for op in ops:
        if not is_log(op, ops):
            found = (*of_call(op, {}), *of_constants(op))
            changes += [why for kind, why in found if kind == "run"]
    if changes:
        raise UnsupportedOperation(
            f"a batch would run `{function.name}` once, and {changes[0]}: each example would see what those before it did",
            fix="return what changes, or give each example its own",
        )


def is_log(op: Apply, ops: list[Apply]) -> bool:
    """True if a list is appended to, and nothing in a program reads it."""
    log = own_attribute(op.fn, "__self__")
    if type(log) is not list or own_attribute(op.fn, "__name__") not in ("append", "extend"):
        return False
    others = [o for o in ops if own_attribute(o.fn, "__self__") is not log or o.fn != op.fn]
    return not any(reads(o, log) for o in others)


def reads(op: Apply, value: Any) -> bool:
    """True if an operation may read an object of the module: a user's function reads what it likes."""
    if own_attribute(op.fn, "__self__") is value or (op.effect and not is_library(op.fn)):
        return True
    return any(isinstance(a, Const) and a.value is value for a in (*op.args, *op.kwargs.values()))


def of_constants(op: Apply) -> Iterator[Reservation]:
    """Of what the module has, and a call may write to."""
    given = [a for a in (*op.args, *op.kwargs.values()) if isinstance(a, Const)]
    if not any(is_changeable(a.value) for a in given):
        return
    if any(kind == "write" for kind, _ in of_call(op, {})):
        name = own_attribute(op.fn, "__name__", "a call")
        yield "run", f"`{name}` may write to an object of the module"


OF_NOTES = {
    "triangle": ("triangle", "reads one triangle of its matrix"),
    "phase": ("derivative", "holds fixed what NumPy chooses freely"),
    "steps": ("derivative", "holds fixed the steps that SciPy chose"),
    "close_value": ("value", "is close, not bitwise equal"),
}


def is_noted_write(op: Op) -> bool:
    return isinstance(op, Apply) and op.fn is WRITTEN


def of_call(op: Apply, seen: dict[int, Any]) -> Iterator[Reservation]:
    name = own_attribute(op.fn, "__name__", str(op.fn))
    if name == "stop_gradient":
        yield "derivative", "`stop_gradient` takes a part for a constant"
    if not op.effect or isinstance(op.fn, Primitive):
        return
    if isinstance(op.fn, type) and issubclass(op.fn, BaseException):
        return
    if is_late(op.fn):
        yield "call", f"it calls `{name_of_late(op)}`, which stays a call"
        return
    yield from of_callable(op.fn, seen)


def name_of_late(op: Apply) -> str:
    """How a message calls what is called when it runs."""
    called = op.args[1] if op.fn is linear.method_called else op.args[0]
    return str(called.value if isinstance(called, Const) else called.hint or "a function")


def of_part(op: Apply) -> Iterator[Reservation]:
    """Of a part of a complex number, which is as exact as the whole is large: `((-x) ** 0.5).real` is 1e-17."""
    if traits_of(op.fn).complex_part and kind_of(type_of(op.args[0])) in (
        "c",
        None,
    ):
        name = own_attribute(op.fn, "__name__")
        yield "rounding", f"`{name}` of a complex number may be its rounding"


# -- functions as they are -------------------------------------------------------------------------------


def of_function(fn: Callable[..., Any]) -> list[Reservation]:
    """Of a Python function and everything that it names."""
    return list(dict.fromkeys(of_callable(fn, {})))


def acts(fn: Callable[..., Any]) -> bool:
    """True if a Python function does what is not done again: the first such thing ends the search.

    The answer is that of one compilation, in which nobody binds the names that the function reads anew.
    """
    found = ACTING.get(id(fn))
    if found is None:
        found = ACTING[id(fn)] = fn, any(kind in ACTS for kind, _ in of_callable(fn, {}))
    return found[1]


def begin_anew() -> None:
    """Another compilation begins."""
    ACTING.clear()


def of_callable(fn: Any, seen: dict[int, Any]) -> Iterator[Reservation]:
    """Of something that is called: what is not known may be seen by everybody."""
    if id(fn) in seen:
        return
    seen[id(fn)] = fn
    fn = own_attribute(fn, "__wrapped__", fn)
    name = own_attribute(fn, "__name__", type(fn).__name__)
    if custom_of(fn) is not None:
        yield "derivative", f"`{name}` has a derivative of its own"
    if own_attribute(fn, "__word__", "") == "on_gradient":
        yield "derivative", "`on_gradient` may change a cotangent"
    if name == "stop_gradient":
        yield "derivative", "`stop_gradient` takes a part for a constant"
    for note in notes_of(fn):
        if note.kind in OF_NOTES:
            kind, why = OF_NOTES[note.kind]
            yield kind, f"`{name}` {why}"
    if isinstance(fn, types.MethodType):
        yield from of_callable(fn.__func__, seen)
        yield from of_value(name, fn.__self__, True, seen)
    elif isinstance(fn, types.FunctionType) and not is_quiet(fn):
        yield from of_code(fn, seen)
    elif isinstance(fn, type):
        yield from of_class(fn, seen)
    elif isinstance(fn, types.FunctionType) or is_library(fn):
        if name in SEEN or name in FILES:
            yield "say" if fn is print else "run", f"it calls `{name}`"
        owner = own_attribute(fn, "__self__")
        if name in CHANGES and isinstance(owner, (list, dict, set, bytearray)):
            yield "run", "it changes an object that is not its own"
    else:
        yield "call", f"it calls `{name}`, which stays a call"


def is_quiet(fn: Any) -> bool:
    return package_of(fn) in (*QUIET, "retrograd")


def is_library(fn: Any) -> bool:
    owner = type(own_attribute(fn, "__self__", fn))
    return is_quiet(fn) or is_quiet(owner)


def of_class(cls: type, seen: dict[int, Any]) -> Iterator[Reservation]:
    """Of all functions of a class."""
    if is_quiet(cls):
        if cls.__name__ in FILES:
            yield "run", f"it calls `{cls.__name__}`"
        return
    seen[id(cls)] = cls
    for base in cls.__mro__[:-1]:
        for value in vars(base).values():
            inner = own_attribute(value, "__func__") or getattr(value, "fget", None) or value
            if isinstance(inner, types.FunctionType):
                yield from of_callable(inner, seen)


def of_code(fn: types.FunctionType, seen: dict[int, Any]) -> Iterator[Reservation]:
    """Of the instructions of a function, and of the functions inside it."""
    own, cells = instructions(fn.__code__), fn.__code__.co_freevars
    for name in own.globals_bound:
        yield "run", f"it changes the global `{name}`"
    for name in own.cells_bound:
        if name in cells:
            yield "run", f"it changes `{name}` of the function around it"
    writes = may_write(fn)
    if writes or own.is_in_place:
        yield "write", f"`{fn.__name__}` may write to what it is given"
    for name, value in named_by(fn):
        asked = writes and not callable(value) and is_changeable(value)
        yield from of_value(name, value, asked and not only_completes(fn, name), seen)


def may_write(fn: types.FunctionType) -> bool:
    """True if a function, or one inside it, writes to anything, its own or not."""
    return instructions(fn.__code__).writes


def named_by(fn: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The objects from outside that a function names, and the functions inside it; none are modules."""
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    for name, *attributes in instructions(fn.__code__).names:
        found = value_of(name, fn, cells)
        for attribute in attributes:
            if not isinstance(found, types.ModuleType):
                break
            name, found = attribute, getattr(found, attribute, None)
        if found is not None and not isinstance(found, types.ModuleType):
            yield name, found


def value_of(name: str, fn: Any, cells: dict[str, Any]) -> Any:
    if name in cells:
        try:
            return cells[name].cell_contents
        except ValueError:
            return None
    return fn.__globals__.get(name, getattr(builtins, name, None))


def of_value(name: str, value: Any, writes: bool, seen: dict[int, Any]) -> Iterator[Reservation]:
    """Of an object that a function names."""
    if callable(value):
        yield from of_callable(value, seen)
        return
    if writes and is_changeable(value):
        yield "run", f"it may change `{name}`, which is not its own"


def is_changeable(value: Any) -> bool:
    """True if an object may be another one day, by more than its random state."""
    return not isinstance(value, VALUES) and not callable(value) and not is_generator(value)


def changeable_by(fn: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """The objects from outside that a call of a Python function may change, or what it calls of its package."""
    seen = set() if seen is None else seen
    if id(fn) in seen:
        return
    seen.add(id(fn))
    if isinstance(fn, types.MethodType):
        yield from filter(is_changeable, [fn.__self__])
        yield from changeable_by(fn.__func__, seen)
    fn = own_attribute(fn, "__wrapped__", fn)
    if not isinstance(fn, types.FunctionType) or is_quiet(fn):
        return
    defaults = [*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()]
    named = list(named_by(fn))
    if may_write(fn):
        yield from filter(is_changeable, defaults)
        yield from (v for name, v in named if is_changeable(v) and not only_completes(fn, name))
    home = package_of(fn)
    for value in [*defaults, *(v for _, v in named)]:
        if callable(value) and package_of(value) == home:
            yield from changeable_by(value, seen)


def package_of(fn: Any) -> str:
    return home_of(fn).partition(".")[0]


def is_generator(value: Any) -> bool:
    """True if this is a random generator, whose state is put back."""
    if "numpy.random" not in sys.modules:
        return False
    return isinstance(value, (np.random.Generator, np.random.RandomState))
