"""Arguments that a call spreads: ``f(a, *xs)`` with a list whose length only the run knows.

The rest goes to ``*args`` as one tuple; a function without such a parameter takes as many as it needs.
"""

from __future__ import annotations

import builtins
import inspect
import types
from typing import Any, NamedTuple

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.rules.book import is_constant

from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import static
from ...ir.containers import Pack
from ...ir.operations import Const
from ...ir.types import Array, Stack
from ..interface.lowerer import Lowerer
from ..nodes import Applied, BoundUser, Code, LocalFunction, Node, Rest
from .callee_facts import is_library

__all__ = ["call_of_any_number", "is_spread", "positional", "takes_any_number"]

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Places(NamedTuple):
    """How many arguments a function takes, and whether it takes more: ``*args``."""

    taken: int | None  # by position; unknown where some have a default
    more: bool


UNKNOWN_PLACES = Places(None, more=False)
ANY_NUMBER = Places(None, more=True)  # of the library's: ``np.result_type(*xs)``


def positional(lowerer: Lowerer, fn: Node, nodes: list[gast.AST]) -> list[Node]:
    """The arguments that a call gives by position."""
    args: list[Node] = []
    for k, node in enumerate(nodes):
        if not isinstance(node, gast.Starred):
            args.append(lowerer.expression(node))
            continue
        whole = lowerer.expression(node.value)
        if lowerer.subscripts.is_of_unknown_length(whole):
            return spread(lowerer, places_of(lowerer, fn), args, whole, nodes[k + 1 :], node)
        args += lowerer.subscripts.unpack(whole, None, node)
    return args


def spread(
    lowerer: Lowerer, places: Places, args: list[Node], whole: Node, later: list[gast.AST], node: gast.AST
) -> list[Node]:  # fmt: skip
    """The arguments with those that are spread: as many as are wanted, or all of them in a `Rest`."""
    count = places.taken
    if places is ANY_NUMBER:
        return [*args, Rest(lowerer.lists.display([], whole, later, node) if later else whole)]
    if count is not None and places.more and not later and len(args) < count:
        args, whole = taken_from(lowerer, whole, count - len(args), args, node)
    if count is not None and places.more and len(args) >= count:
        more = args[count:]
        listed = lowerer.lists.display(more, whole, later, node) if more or later else whole
        return [*args[:count], Rest(lowerer.calls.call(Const(tuple, "tuple"), [listed], {}, node))]
    if count is not None and not places.more and not later and len(args) <= count:
        return args + lowerer.subscripts.unpack(whole, count - len(args), node)
    raise unknown_length(lowerer, node)


def unknown_length(lowerer: Lowerer, node: gast.AST) -> UnsupportedSyntax:
    return UnsupportedSyntax(
        "unpacking something of unknown length", place=lowerer.scope.place(node),
        fix="unpack it first: a, b = xs; or let the function take the list itself",
    )  # fmt: skip


def call_of_any_number(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node:
    """A call of a function of the library that takes any number of arguments."""
    *items, rest = args
    if is_constant(fn) and not kwargs:
        given = lowerer.container_writes.sequence(rest.whole, node), *lowerer.lists.operands(items)
        return lowerer.operations.apply(linear.starred, (Const(fn), *given), {})
    whole = lowerer.lists.display(items, rest.whole, [], node) if items else rest.whole
    if kwargs or not numbers(whole):
        raise unknown_length(lowerer, node)
    return lowerer.calls.call(Const(fn), [whole], {}, node)


def taken_from(
    lowerer: Lowerer, whole: Node, count: int, args: list[Node], node: gast.AST
) -> tuple[list[Node], Node]:
    """The arguments with the first items of a list behind them, and the rest of it."""
    first = "".join(f"items[{k}], " for k in range(count))
    parts = lowerer.higher_order.run(f"made = ({first}items[{count}:])", {"items": whole}, node)
    return [*args, *parts.items[:count]], parts.items[count]


def is_spread(args: list[Node]) -> bool:
    return bool(args) and isinstance(args[-1], Rest)


def places_of(lowerer: Lowerer, fn: Node) -> Places:
    if isinstance(fn, BoundUser):
        return of_signature(fn.function, bound=1)
    if isinstance(fn, LocalFunction):
        return of_text(fn.node)
    if isinstance(fn, Pack):
        return of_container(lowerer, fn)
    value = lowerer.scope.program.unwrap(fn.value) if isinstance(fn, Const) else None
    if value is not None and takes_any_number(value):
        return ANY_NUMBER
    if isinstance(value, np.ufunc):
        return Places(value.nin, more=False)
    if isinstance(value, type) and not is_library(value):
        return of_class(value)
    if inspect.ismethod(value) and not is_library(value.__func__):
        return of_signature(value.__func__, bound=1)
    if isinstance(value, types.FunctionType) and not is_library(value):
        return of_signature(value)
    return UNKNOWN_PLACES


def of_container(lowerer: Lowerer, fn: Pack) -> Places:
    """What a closure, a partial application or an object with ``__call__`` takes."""
    if isinstance(fn.kind, Code):
        return of_text(fn.kind.node)
    if isinstance(fn.kind, Applied):
        count, more = places_of(lowerer, fn.items[0])
        unclear = count is None or (fn.kind.names and not more)
        return UNKNOWN_PLACES if unclear or count is None else Places(count - fn.kind.count, more)
    method = static(fn.kind, "__call__") if isinstance(fn.kind, type) else None
    return (
        of_signature(method, bound=1) if isinstance(method, types.FunctionType) else UNKNOWN_PLACES
    )


def of_class(cls: type) -> Places:
    """What a constructor takes by position, if that is all."""
    try:
        found = of_signature(cls)
    except (TypeError, ValueError):  # it is written in C
        return UNKNOWN_PLACES
    return UNKNOWN_PLACES if found.more else found


def of_signature(fn: Any, bound: int = 0) -> Places:
    """What a Python function takes beyond the arguments that are bound to it."""
    parameters = own_signature(fn).parameters.values()
    own = [p for p in parameters if p.kind in POSITIONAL]
    more = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    optional = not more and any(p.default is not p.empty for p in own)
    return Places(None if optional else len(own) - bound, more)


def of_text(node: gast.AST) -> Places:
    """What an inner function takes."""
    spec = node.args
    more = spec.vararg is not None
    optional = not more and bool(spec.defaults)
    return Places(None if optional else len(spec.posonlyargs) + len(spec.args), more)


def takes_any_number(fn: Any) -> bool:
    """True of ``np.result_type(*xs)`` and its like, which give no derivative, and of ``max(*xs)``."""
    if fn is builtins.max or fn is builtins.min:
        return True
    try:
        first = next(iter(inspect.signature(fn).parameters.values()), None)
    except (TypeError, ValueError):
        return False
    return is_constant(fn) and first is not None and first.kind is first.VAR_POSITIONAL


def numbers(whole: Node) -> bool:
    """True of a list of numbers, and of no other items that ``max`` would go over if there is one alone."""
    kind = type_of(whole.items[0] if isinstance(whole, Pack) else whole)
    item = kind.item if isinstance(kind, Stack) and not kind.keyed else None
    return getattr(item, "dims", None) == () or (isinstance(kind, Array) and kind.rank == 1)
