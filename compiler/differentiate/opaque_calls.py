"""Calls that cannot be compiled: run on the eager tape, each with a pullback of its own.

::

    y = fn(x, z)     becomes     y, y_pull = rt.taped(fn, x, z)
                                 ...
                                 x_bar, z_bar = y_pull(y_bar)

The pullback stands for the arguments of its call, which is why its own adjoint is a tuple of theirs;
``pulled(y_pull, y_bar)`` is again a call that can be taped.  So all orders follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import CompileError
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.tape import calls

from ..analyses.activity import Activity
from ..analyses.opaque_operations import OWN, is_opaque
from ..ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Operand,
    Value,
    values_in,
    walk,
)
from ..ir.primitives import UNPACK
from ..ir.types import STRANGER, Tree
from ..ir.value_names import spoken

__all__ = [
    "PULL",
    "active_arguments",
    "asked_of",
    "forget_strangers",
    "name_result",
    "split_calls",
    "taped_calls",
]

PULL = Tree("object", (), (), calls.Pull)


def active_arguments(
    op: Apply, active: Callable[[Any], bool]
) -> tuple[tuple[int | str, ...], list[Operand]]:
    """The positions and names of the arguments that carry a derivative, and these arguments."""
    places: list[tuple[int | str, Operand]] = [*enumerate(given_to(op)), *op.kwargs.items()]
    found = [(key, a) for key, a in places if any(active(v) for v in values_in(a))]
    return tuple(key for key, _ in found), [a for _, a in found]


def options(op: Apply, keys: tuple[int | str, ...]) -> dict[str, Operand]:
    """``wrt=``, where not just every positional argument is differentiated, and the call's keywords."""
    asked = {} if keys == tuple(range(len(given_to(op)))) else {"wrt": Const(keys)}
    return asked | ({"keywords": dict(op.kwargs)} if op.kwargs else {})


def asked_of(op: Apply) -> list[Operand]:
    """The arguments that a taped call differentiates, as `active_arguments` found them."""
    args, named = op.args[1:], op.kwargs.get("keywords", {})
    given = op.kwargs.get("wrt")
    keys = tuple(range(len(args))) if given is None else given.value
    return [args[k] if isinstance(k, int) else named[k] for k in keys]


def split_calls(function: Function, activity: Activity, derive: Any) -> bool:
    """Turn the opaque calls on active values into taped ones, in place; whether there were any."""
    if not derive.tape:
        refuse_calls(function, activity, derive.refused)
        return False
    found = [
        split_block(block, activity, derive.apart)
        for block in [function.body, *(b for op in walk(function.body) for b in op.blocks)]
    ]
    return any(found)


def forget_strangers(function: Function) -> None:
    """Takes values of unknown class for numbers: `linear.plain` asks where they are computed with."""
    for op in walk(function.body):
        for value in [*op.results, *(p for b in op.blocks for p in b.params)]:
            if value.type == STRANGER:
                value.type = None


def refuse_calls(function: Function, activity: Activity, refused: dict[Any, CompileError]) -> None:
    """Raises what kept a function from being compiled, where the user wants no tape."""
    for op in walk(function.body):
        if isinstance(op, Apply) and op.effect and activity(op.result) and known(op.fn, refused):
            raise refused[op.fn]


def known(fn: Any, refused: dict[Any, CompileError]) -> bool:
    try:
        return fn in refused
    except TypeError:
        return False


def split_block(block: Block, activity: Activity, apart: bool) -> bool:
    ops, changed = [], False
    for op in block.ops:
        if not (isinstance(op, Apply) and is_opaque(op) and activity(op.result)):
            ops.append(op)
            continue
        keys, _ = active_arguments(op, activity)
        name_result(op)
        called = taped_call(calls.taped, op, keys)
        if apart and op.fn not in OWN and op.fn is not calls.taped:
            called.kwargs["apart"] = Const(True)
        pull = Value(f"{name_of(op)}_pull", PULL, op.loc)
        pull.made = True
        ops += [called, Apply([op.result, pull], op.loc, UNPACK, (called.result,))]
        changed = True
    block.ops = ops
    return changed


def name_result(op: Apply) -> None:
    """An unnamed result gets the name that the call would have."""
    if op.result.hint is None:
        op.result.hint, op.result.soft = spoken(op, op.result), True


def taped_call(fn: Any, op: Apply, keys: Any, *first: Operand) -> Apply:
    """``rt.taped(f, x, z)`` or ``rt.pushed(f, dots, x, z)`` for the call ``f(x, z)``."""
    result = Value(
        None, Tree("tuple", (0, 1), (op.result.type, PULL if not first else None)), op.loc
    )
    result.made = True
    args = (function_of(op), *first, *given_to(op))
    return Apply([result], op.loc, fn, args, options(op, keys), op.effect)


def function_of(op: Apply) -> Operand:
    """What is called: a function, or what is one when it runs."""
    return op.args[0] if op.fn is linear.called else Const(op.fn, spelled(op))


def given_to(op: Apply) -> tuple[Operand, ...]:
    return op.args[1:] if op.fn is linear.called else op.args


def spelled(op: Apply) -> str | None:
    return None if op.fn in OWN else op.style or own_attribute(op.fn, "__name__")


def name_of(op: Apply) -> str:
    return str(op.result.hint or "call").strip("_<>") or "call"


def taped_calls(functions: list[Function]) -> list[tuple[Any, int]]:
    """The user's functions that run on the tape, with the lines that call them."""
    found: dict[tuple[int, int], tuple[Any, int]] = {}
    for function in functions:
        for op in walk(function.body):
            if not isinstance(op, Apply) or op.fn not in (calls.taped, calls.pushed):
                continue
            called = getattr(op.args[0], "value", op.args[0])
            if called not in OWN and called is not calls.taped:
                line = op.loc.line if op.loc is not None else 0
                found.setdefault((id(called), line), (called, line))
    return sorted(found.values(), key=lambda pair: pair[1])
