"""Effects of a function on its callers: versions of the arguments it writes to, and what is refused."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ...analyses.aliasing.views_and_copies import is_memory
from ...frontend.source import Source
from ...ir.containers import Pack
from ...ir.facts import Facts
from ...ir.operand_constants import constants_in
from ...ir.operations import Apply, Const, Function, Operand, Value, operands_of, reachable, walk
from ...ir.plain_values import is_key
from ...ir.primitives import WRITTEN
from ...ir.types import Numeric
from ..nodes import Applied, Code, Derived, Method

__all__ = ["keep_writes", "on_calls", "refuse_results", "refuse_unclear", "return_versions"]


def on_calls(facts: Facts) -> Any:
    """The facts that a caller must know of a function, comparable."""
    writes = [k for k, _ in facts.writes]
    left = list(facts.updates), set(facts.lost), facts.of_module
    return writes, list(facts.unclear), facts.gives, facts.shows, facts.twins, left


def return_versions(function: Function) -> None:
    """A callee returns what the arrays it writes to hold at its end: (parameter, which result)."""
    first, writes = len(function.body.yields), function.facts.writes
    function.body.yields += [held for _, held in writes]
    function.facts.writes = [(k, first + j) for j, (k, _) in enumerate(writes)]


def refuse_results(function: Function, source: Source) -> None:
    """Refuses results that no parts make again: functions, and dicts with keys that have no literal."""
    todo = [function.tree]
    while todo:
        part = todo.pop()
        if isinstance(part, Pack) and isinstance(part.kind, (Applied, Code, Derived, Method)):
            raise UnsupportedSyntax(
                f"returning a function that was made in it (`{part.kind.__name__}`) is not supported",
                place=source.place(source.node), fix="return the values that are to be differentiated",
            )  # fmt: skip
        if isinstance(part, Pack) and part.kind is dict and not all(map(is_key, part.keys)):
            raise UnsupportedSyntax(
                "returning a dict with a key that has no literal (an Enum has none) is not supported",
                place=source.place(source.node), fix="take texts or whole numbers for keys",
            )  # fmt: skip
        todo += part.items if isinstance(part, Pack) else []


def refuse_unclear(function: Function) -> None:
    """A derivative writes to its arguments what the function writes: that must be certain.

    Numbers cannot be written to: where the argument may be one, it is looked at when it is there.
    """
    for k, lost in function.facts.unclear.items():
        x = function.body.params[k]
        if (
            x.type is None or isinstance(x.type, Numeric) or getattr(x.type, "dims", None) == ()
        ):  # `x += 1`: nothing is written to if it is a number
            checked = Apply([Value(None)], None, linear.check_number, (x,), effect=True)
            function.body.ops.insert(0, checked)
            continue
        raise MutationError(
            f"this may write to the memory of the argument `{x.hint}`, or may not",
            place=lost.place, fix="write to a copy (`.copy()`), or pass the array itself as an argument",
        )  # fmt: skip


def keep_writes(function: Function) -> None:
    """Has the derivatives do to their arguments what the differentiated function does."""
    writes = function.facts.writes
    for k, held in writes:
        done = Apply([Value(None)], None, WRITTEN, (function.body.params[k], held), effect=True)
        function.body.ops.append(done)
    function.facts.writes = [(k, None) for k, _ in writes]
    arrays: list[Operand] = [p for p in function.body.params if is_memory(p)]
    arrays += arrays_of_the_module(function) if writes else []
    for k, _ in writes:
        others = tuple(p for p in arrays if p is not function.body.params[k])
        if others or getattr(function.body.params[k].type, "dims", None) != ():
            args = (function.body.params[k], *others)
            checked = Apply([Value(None)], None, linear.check_distinct, args, effect=True)
            function.body.ops.insert(0, checked)


def arrays_of_the_module(function: Function) -> list[Const]:
    """The arrays from outside that a function and what it calls read: an argument may be one of them."""
    found: dict[int, Const] = {}
    for part in reachable(function):
        for op in walk(part.body):
            for operand in constants_in(list(operands_of(op))):
                if is_ndarray(operand.value) and operand.text:
                    found[id(operand.value)] = operand
    return list(found.values())
