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
from retrograd.runtime.objects.library_functions import is_library
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.rules.book import book, is_constant

from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import static
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.types import Array, Stack, Tree
from ..interface.lowerer import Lowerer
from ..nodes import (
    Applied,
    BoundConstant,
    BoundMethod,
    BoundUser,
    Code,
    Lazy,
    Listed,
    LocalFunction,
    Node,
    Rest,
)
from .constructors import is_plain_class

__all__ = ["by_name", "call_of_any_number", "is_spread", "positional", "takes_any_number"]

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Places(NamedTuple):
    """The parameters that a function fills by position, those of them with defaults, and whether it has ``*args``."""

    names: tuple[str, ...]
    optional: frozenset[str] = frozenset()
    more: bool = False

    def after(self, count: int, named: set[str | None]) -> Places:
        """Those that are left when so many are filled, and these are given by name."""
        left = tuple(name for name in self.names[count:] if name not in named)
        return self._replace(names=left, optional=self.optional & set(left))


OF_ARRAY = "made = []\nfor column in rows.T:\n    made.append(tuple(column))\n"
OF_LIST = """
made = []
size = len(rows[0]) if len(rows) > 0 else 0
for row in rows:
    size = min(size, len(row))
for k in range(size):
    column = []
    for row in rows:
        column.append(row[k])
    made.append(tuple(column))
"""
ANY_NUMBER = Places((), more=True)  # of the library's: ``np.result_type(*xs)``


def positional(lowerer: Lowerer, fn: Node, call: gast.Call) -> list[Node]:
    """The arguments that a call gives by position."""
    args: list[Node] = []
    for k, node in enumerate(call.args):
        if not isinstance(node, gast.Starred):
            args.append(lowerer.expression(node))
            continue
        whole = lowerer.expression(node.value)
        if isinstance(whole, Lazy):
            whole = lowerer.calls.call(Const(list, "list"), [whole], {}, node)
        if is_as_long_as_the_run_tells(lowerer, whole):
            later = call.args[k + 1 :]
            if takes_one_tuple(fn) and (numbers(whole) or is_unknown(whole)):
                return [as_one_tuple(lowerer, args, whole, later, node)]
            places = places_of(lowerer, fn)
            named = {keyword.arg for keyword in call.keywords}
            return spread(lowerer, places, args, whole, later, named, node)
        args += lowerer.subscripts.unpack(whole, None, node)
    return args


def by_name(lowerer: Lowerer, call: gast.Call) -> dict[str, Node]:
    """The arguments that a call gives by name, or spreads from a dict."""
    found: dict[str, Node] = {}
    for keyword in call.keywords:
        if keyword.arg is not None:
            found[keyword.arg] = lowerer.expression(keyword.value)
            continue
        value = spread_dict(lowerer, keyword.value)
        if not (isinstance(value, Pack) and value.kind is dict):
            raise UnsupportedSyntax(
                "`**` needs a dict whose keys are known at compile time",
                place=lowerer.scope.place(keyword.value),
            )
        found.update(zip(value.keys, value.items, strict=True))
    return {k: lowerer.cells.present(v) for k, v in found.items()}


def spread_dict(lowerer: Lowerer, node: gast.AST) -> Node:
    """What stands behind ``**``; a call that would stay one is followed, for the sake of the keys."""
    before, back = dict(lowerer.scope.env), lowerer.loops.checkpoint()
    value = lowerer.construction.as_keywords(lowerer.expression(node))
    named = isinstance(node, gast.Call) and isinstance(node.func, (gast.Name, gast.Attribute))
    fn = lowerer.expression(node.func) if named else None
    called = fn.value if isinstance(fn, Const) else None
    if isinstance(value, Pack) or not isinstance(called, types.FunctionType) or is_library(called):
        return value
    back()
    lowerer.scope.use(before)
    args = positional(lowerer, fn, node)
    made = lowerer.construction.inlined(called, args, by_name(lowerer, node), node)
    return lowerer.construction.as_keywords(lowerer.cells.seen(made))


def spread(
    lowerer: Lowerer, places: Places | None, args: list[Node], whole: Node, later: list[gast.AST],
    named: set[str | None], node: gast.AST,
) -> list[Node]:  # fmt: skip
    """The arguments with those that are spread: as many as are wanted, or all of them in a `Rest`."""
    if places is ANY_NUMBER:
        return [*args, Rest(lowerer.lists.display([], whole, later, node) if later else whole)]
    left = None if places is None else places.after(len(args), named)
    if places is None or left is None or left.optional or (None in named and not left.more):
        raise unknown_length(lowerer, node)
    if not left.more and not later:
        items = lowerer.subscripts.unpack(whole, len(left.names), node)
        call_by_name(items, left.names)
        return args + items
    if (left.names and later) or not left.more:
        raise unknown_length(lowerer, node)
    if left.names:
        args, whole = taken_from(lowerer, whole, left.names, args, node)
    more = args[len(places.names) :]
    listed = lowerer.lists.display(more, whole, later, node) if more or later else whole
    rest = lowerer.calls.call(Const(tuple, "tuple"), [listed], {}, node)
    return [*args[: len(places.names)], Rest(rest)]


def is_as_long_as_the_run_tells(lowerer: Lowerer, whole: Node) -> bool:
    """True of a list, and of what no derivative goes through and nothing is known of: ``tuple(shape)``."""
    if lowerer.subscripts.is_of_unknown_length(whole):
        return True
    return is_unknown(whole) and lowerer.inactive.are_inert([whole])


def is_unknown(whole: Node) -> bool:
    return isinstance(whole, Value) and whole.type is None


def takes_one_tuple(fn: Node) -> bool:
    """True of ``x.reshape(*shape)``, which is ``x.reshape(shape)``, as for each method of an array with ``*args``."""
    if not isinstance(fn, (BoundMethod, BoundConstant)):
        return False
    rule = book.rules.get(fn.descriptor)
    if rule is None or static(np.ndarray, fn.descriptor.__name__) is not fn.descriptor:
        return False
    parameters = inspect.signature(rule.differential).parameters.values()
    return any(p.kind is p.VAR_POSITIONAL for p in parameters)


def as_one_tuple(
    lowerer: Lowerer, args: list[Node], whole: Node, later: list[gast.AST], node: gast.AST
) -> Node:
    """All the arguments of a call in one tuple."""
    listed = lowerer.lists.display(args, whole, later, node) if args or later else whole
    return lowerer.calls.call(Const(tuple, "tuple"), [listed], {}, node)


def call_by_name(items: list[Node], names: tuple[str, ...]) -> None:
    """Items are called as the parameters that they become."""
    for item, name in zip(items, names, strict=True):
        if isinstance(item, Value):
            item.hint = name


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
    if fn is builtins.zip:
        text = columns_of(rest.whole)
        if items or kwargs or text is None:
            raise unknown_length(lowerer, node)
        return lowerer.higher_order.run(text, {"rows": rest.whole}, node)
    if is_constant(fn) and not kwargs:
        given = lowerer.container_writes.sequence(rest.whole, node), *lowerer.lists.operands(items)
        return lowerer.operations.apply(linear.starred, (Const(fn), *given), {})
    whole = lowerer.lists.display(items, rest.whole, [], node) if items else rest.whole
    if kwargs or not numbers(whole):
        raise unknown_length(lowerer, node)
    return lowerer.calls.call(Const(fn), [whole], {}, node)


def columns_of(whole: Node) -> str | None:
    """What gives the columns that ``zip(*rows)`` goes over: of an array of two axes, and of a list of rows."""
    node = whole.items[0] if isinstance(whole, Pack) and whole.kind is Listed else whole
    kind = type_of(node) if isinstance(node, Value) else None
    if isinstance(kind, Array):
        return OF_ARRAY if kind.dims is not None and len(kind.dims) == 2 else None
    row = kind.item if isinstance(kind, Stack) and not kind.keyed else None
    one_axis = isinstance(row, Array) and row.dims is not None and len(row.dims) == 1
    written = isinstance(row, Tree) and row.container in ("list", "tuple") and row.cls is None
    return OF_LIST if isinstance(row, Stack) or one_axis or written else None


def taken_from(
    lowerer: Lowerer, whole: Node, names: tuple[str, ...], args: list[Node], node: gast.AST
) -> tuple[list[Node], Node]:
    """The arguments with the first items of a list behind them, and the rest of it."""
    count = len(names)
    first = "".join(f"items[{k}], " for k in range(count))
    parts = lowerer.higher_order.run(f"made = ({first}items[{count}:])", {"items": whole}, node)
    call_by_name(parts.items[:count], names)
    return [*args, *parts.items[:count]], parts.items[count]


def is_spread(args: list[Node]) -> bool:
    return bool(args) and isinstance(args[-1], Rest)


def places_of(lowerer: Lowerer, fn: Node) -> Places | None:
    """What a function takes by position; None where that is not known."""
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
        return Places(tuple(f"x{k + 1}" for k in range(value.nin)))
    if isinstance(value, type) and not is_library(value):
        return of_class(value)
    if inspect.ismethod(value) and not is_library(value.__func__):
        return of_signature(value.__func__, bound=1)
    if isinstance(value, types.FunctionType) and not is_library(value):
        return of_signature(value)
    return None


def of_container(lowerer: Lowerer, fn: Pack) -> Places | None:
    """What a closure, a partial application or an object with ``__call__`` takes."""
    if isinstance(fn.kind, Code):
        return of_text(fn.kind.node)
    if isinstance(fn.kind, Applied):
        found = places_of(lowerer, fn.items[0])
        return None if found is None else found.after(fn.kind.count, set(fn.kind.names))
    method = static(fn.kind, "__call__") if isinstance(fn.kind, type) else None
    return of_signature(method, bound=1) if isinstance(method, types.FunctionType) else None


def of_class(cls: type) -> Places | None:
    """What a constructor takes by position; with ``*args`` only if it is one that is lowered here."""
    init = static(cls, "__init__")
    if isinstance(init, types.FunctionType) and is_plain_class(cls):
        return of_signature(init, bound=1)
    try:
        found = of_signature(cls)
    except (TypeError, ValueError):  # it is written in C
        return None
    return None if found.more else found


def of_signature(fn: Any, bound: int = 0) -> Places:
    """What a Python function takes beyond the arguments that are bound to it."""
    parameters = own_signature(fn).parameters.values()
    own = [p for p in parameters if p.kind in POSITIONAL][bound:]
    optional = frozenset(p.name for p in own if p.default is not p.empty)
    more = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return Places(tuple(p.name for p in own), optional, more)


def of_text(node: gast.AST) -> Places:
    """What an inner function takes."""
    spec = node.args
    names = tuple(a.id for a in [*spec.posonlyargs, *spec.args])
    optional = frozenset(names[len(names) - len(spec.defaults) :])
    return Places(names, optional, spec.vararg is not None)


def takes_any_number(fn: Any) -> bool:
    """True of ``np.result_type(*xs)`` and its like, which give no derivative, of ``max(*xs)`` and ``zip(*rows)``."""
    if fn is builtins.max or fn is builtins.min or fn is builtins.zip:
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
