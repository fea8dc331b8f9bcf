"""Functions that take functions: ``map``, ``filter``, ``reduce``, ``np.vectorize``, ``sorted`` with a key.

Over containers of known length they are taken apart; else they are lowered as the loop they stand for.
"""

from __future__ import annotations

import bisect
import builtins
import copy
import functools
import itertools
import math
import operator
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import UnsupportedOperation, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...analyses.third_party import CACHE
from ...analyses.visible_effects import acts
from ...dependencies.object_reads import static
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Value
from ...ir.plain_values import is_literal, is_writable
from ...ir.types import Array, Number, Stack, Tree
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Iteration
from ..known_items import is_written_out, items_of, listed
from ..module_containers import as_name
from ..names import refuse_tensors
from ..nodes import Code, Listed, Method, Node

__all__ = ["HigherOrder"]

OPAQUE = {itertools.groupby, itertools.tee}
LATE = (itertools.groupby,)  # of what is not differentiated: made when it runs
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)

MAP = "made = []\nfor value in items:\n    made.append(f(value))\n"
STARMAP = "made = []\nfor row in items:\n    made.append(f(*row))\n"
FILTER = "made = []\nfor value in items:\n    if f(value):\n        made.append(value)\n"
KEEP = "made = []\nfor value in items:\n    made.append(value)\n"
TRUE = "made = []\nfor value in items:\n    if value:\n        made.append(value)\n"
REDUCE = "made = total\nfor value in items:\n    made = f(made, value)\n"
EMPTY = gast.arguments([], [], None, [], [], None, [])


class HigherOrder:
    """Calls of functions that take functions, and of what they make."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def functional(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """A call of a function that takes functions, or of what one gave; None for anything else."""
        if fn is functools.partial:
            return self.lowerer.closures.applied(args[0], args[1:], kwargs)
        if isinstance(fn, functools.partial):
            return self.call_partial(fn, args, kwargs, node)
        if fn is functools.reduce and not kwargs and len(args) in (2, 3):
            return self.reduced(args, node)
        if fn is map and len(args) >= 2 and not kwargs:
            return self.map_over(args[0], args[1:], node)
        if fn is filter and len(args) == 2:
            return self.filtered(args[0], args[1], node)
        if fn is builtins.sorted and len(args) == 1:
            return self.lowerer.sorting.sorted_items(args[0], kwargs, node)
        if fn in (builtins.min, builtins.max) and kwargs:
            return self.lowerer.sorting.best(fn, args, kwargs, node)
        if fn is np.vectorize and args:
            return self.lowerer.vectorizing.vectorized(args, kwargs, node)
        if isinstance(fn, np.vectorize):
            return self.lowerer.vectorizing.call_vectorize_object(fn, args, kwargs, node)
        if fn in GETTERS and args:
            return Pack(fn, list(range(len(args))), list(args))
        if isinstance(fn, GETTERS):
            made = [Const(a) for a in fn.__reduce__()[1]]
            return self.call_getter(Pack(type(fn), list(range(len(made))), made), args, node)
        return None

    def on_values(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """A call of a function of Python that is written with other operations; None for anything else."""
        if fn is builtins.pow and kwargs:  # by name
            named = [kwargs[k] for k in ("base", "exp", "mod") if k in kwargs]
            return self.lowerer.calls.call(Const(pow, "pow"), [*args, *named], {}, node)
        if fn in (bisect.bisect_left, bisect.bisect_right) and args and "key" in kwargs:
            others = {k: v for k, v in kwargs.items() if k != "key"}
            keys = self.map_over(kwargs["key"], args[:1], node)
            return self.lowerer.calls.call(Const(fn, fn.__name__), [keys, *args[1:]], others, node)
        if fn in (copy.copy, copy.deepcopy) and len(args) == 1:
            return self.copied(args[0], fn is copy.deepcopy, {}, node)
        if fn is math.prod and args and not is_integral(args[0]):
            start = [*args[1:], *kwargs.values(), None][0]
            return self.product_of(args[0], start, node)
        if fn is math.dist and len(args) == 2:
            return self.distance(args[0], args[1], node)
        if fn is math.hypot and len(args) != 2 and not kwargs:
            return self.norm_of([self.lowerer.operations.operand(a) for a in args])
        if fn is builtins.setattr and len(args) == 3 and isinstance(args[1], Const):
            target = gast.Attribute(value=node, attr=args[1].value, ctx=gast.Store())
            self.lowerer.container_writes.write_attribute(
                args[0], gast.copy_location(target, node), args[2]
            )
            return Const(None)
        return None

    def refuse_opaque(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """Containers and caches that keep what nobody sees; a cache of what leaves no trace does not matter."""
        if self.lowerer.inactive.stays(fn, args, kwargs) and (isinstance(fn, CACHE) or fn in LATE):
            return None
        if is_hashable(fn) and fn in OPAQUE:
            raise UnsupportedSyntax(
                f"a {fn.__name__} is not supported", place=self.scope.place(node),
                fix="use a list, a tuple or a dict",
            )  # fmt: skip
        of_frame = traits_of(fn).effect == "frame"
        if of_frame or (not args and (fn is builtins.vars or fn is builtins.dir)):
            raise UnsupportedSyntax(
                f"`{fn.__name__}` reads the names of the function that calls it, and is not supported",
                place=self.scope.place(node), fix="write the names themselves",
            )  # fmt: skip
        if isinstance(fn, CACHE) and not acts(fn):
            return self.lowerer.calls.call_user(fn.__wrapped__, args, kwargs, node)
        if isinstance(fn, CACHE):
            raise UnsupportedOperation(
                f"{fn.__name__} keeps its results in a cache", place=self.scope.place(node),
                fix=f"call `{fn.__name__}.__wrapped__`, or leave the cache out",
            )  # fmt: skip
        return None

    def call_partial(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A partial application of the module."""
        program = self.scope.program
        inner, first, keywords = (
            program.attribute(fn, name) for name in ("func", "args", "keywords")
        )
        program.capture_entries(keywords)
        given = [self.given_before(fn, first, k, node) for k in range(len(first))]
        named = {k: self.given_before(fn, keywords, k, node) for k in keywords}
        called = Const(inner, program.name_of(inner))
        return self.lowerer.calls.call(called, [*given, *args], named | kwargs, node)

    def given_before(self, fn: Any, held: Any, key: int | str, node: gast.AST) -> Node:
        """What a partial application holds: as it is written, or by a name."""
        program, value = self.scope.program, held[key]
        program.capture_entry(held, key, value)
        if is_writable(value):
            return Const(value)
        is_function = isinstance(value, (type, types.FunctionType, np.ufunc))
        name = as_name(f"{program.name_of(fn)}_{key}")
        refuse_tensors(self.lowerer, name, value, node)
        text = program.name_of(value) if is_function else program.text_for(name, value)
        return self.lowerer.states.state_of(Const(value, text))

    # -- map, filter, reduce ----------------------------------------------------------

    def reduced(self, args: list[Node], node: gast.AST) -> Node:
        fn, items, *start = args
        if is_written_out(items):
            found = [*start, *items_of(items)]
            if not found:
                raise UnsupportedSyntax("reduce() of nothing", place=self.scope.place(node))
            return functools.reduce(
                lambda a, b: self.lowerer.calls.call(fn, [a, b], {}, node), found
            )
        if not start:
            items = self.listing(items, node) if isinstance(items, Iteration) else items
            start, items = [self.first(items)], self.rest(items)
        return self.run(REDUCE, {"f": fn, "items": items, "total": start[0]}, node)

    def first(self, items: Node) -> Node:
        held = items.items[0] if isinstance(items, Pack) else items
        return self.lowerer.subscripts.getitem(held, Const(0))

    def rest(self, items: Node) -> Node:
        """All but the first item of a list or an array."""
        later = slice(Const(1), Const(None), Const(None))
        if isinstance(items, Pack):
            return self.lowerer.subscripts.item(items, later, None)
        return self.lowerer.subscripts.getitem(items, later)

    def map_over(self, fn: Node, lists: list[Node], node: gast.AST) -> Node:
        """``map``: a list of the results."""
        if len(lists) > 1:
            rows = self.lowerer.calls.call(Const(zip, "zip"), lists, {}, node)
            if isinstance(rows, Pack) and rows.kind is list:
                made: Node = listed(
                    [self.lowerer.calls.call(fn, row.items, {}, node) for row in rows.items]
                )
            else:
                made = self.run(STARMAP, {"f": fn, "items": rows}, node)
        elif is_written_out(lists[0]):
            made = listed([self.lowerer.calls.call(fn, [i], {}, node) for i in items_of(lists[0])])
        else:
            made = self.run(MAP, {"f": fn, "items": lists[0]}, node)
        return self.lowerer.iterators.steady(made, lists, node)

    def filtered(self, fn: Node, items: Node, node: gast.AST) -> Node:
        """``filter``: a list of the items that pass."""
        plain = isinstance(fn, Const) and fn.value in (None, bool)
        if is_written_out(items) and plain and all(isinstance(i, Const) for i in items_of(items)):
            made: Node = listed([i for i in items_of(items) if i.value])
        else:
            made = self.run(TRUE if plain else FILTER, {"f": fn, "items": items}, node)
        return self.lowerer.iterators.steady(made, [items], node)

    def listing(self, items: Node, node: gast.AST) -> Pack:
        """Anything that can be iterated over, as a list."""
        made = self.run(KEEP, {"items": items}, node)
        if not isinstance(made, Pack):
            raise UnsupportedSyntax("a list of this is not supported", place=self.scope.place(node))
        return made

    # -- copies -----------------------------------------------------------------------

    def copied(self, x: Node, deep: bool, known: dict[Any, Node], node: gast.AST) -> Node:
        """``copy.copy`` and ``copy.deepcopy``: what stands there twice is copied once."""
        x = self.lowerer.constants.own(self.lowerer.construction.taken_apart(x))
        key = (x.cell if isinstance(x, Pack) else None) or id(x)
        if key not in known:
            known[key] = self.fresh_copy(x, deep, known, node)
        return known[key]

    def fresh_copy(self, x: Node, deep: bool, known: dict[Any, Node], node: gast.AST) -> Node:
        if isinstance(x, Value):
            return self.copied_value(x, node)
        if isinstance(x, Const) and (is_literal(x.value) or x.text is not None):
            return self.lowerer.operations.apply(np.copy, (x,), {}) if is_ndarray(x.value) else x
        own = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__")
        if not isinstance(x, Pack) or any(inherits(x.kind, name) for name in own):
            raise UnsupportedSyntax("a copy of this is not supported", place=self.scope.place(node))
        if x.kind is Listed and deep:
            text = "made = []\nfor value in items:\n    made.append(f(value))\n"
            return self.run(text, {"f": Const(copy.deepcopy, "deepcopy"), "items": x}, node)
        if isinstance(x.kind, (Code, Method)) or (x.kind is tuple and not deep):
            return x  # functions, too, are what they are
        items = [self.copied(i, deep, known, node) for i in x.items] if deep else list(x.items)
        return self.lowerer.cells.anchored(Pack(x.kind, list(x.keys), items))

    def copied_value(self, x: Value, node: gast.AST) -> Node:
        """An array has a copy; numbers and NumPy scalars are what they are; the rest is known when it runs."""
        kind = type_of(x)
        if isinstance(kind, Number) or (isinstance(kind, Tree) and not kind.keys):
            return x
        if isinstance(kind, Array) and (kind.dims or x in self.lowerer.versions.rank0):
            return self.lowerer.operations.apply(np.copy, (x,), {})
        if isinstance(kind, Array) and kind.dims == ():
            return x
        if not isinstance(kind, Array):
            loc, given = self.scope.location(node), self.lowerer.operations.operand(x)
            check = Apply([Value(None)], loc, linear.check_leaf, (given,), effect=True)
            self.lowerer.operations.emit(check)
        return self.lowerer.operations.apply(linear.copy, (x,), {})

    # -- sums and products of a list ----------------------------------------------------

    def product_of(self, items: Node, start: Node | None, node: gast.AST) -> Node:
        """``math.prod``: one factor after the other."""
        times = Const(operator.mul, "mul")
        if is_written_out(items) and items_of(items):
            found = [*([] if start is None else [start]), *items_of(items)]
            return functools.reduce(
                lambda a, b: self.lowerer.operations.apply(
                    operator.mul,
                    (self.lowerer.operations.operand(a), self.lowerer.operations.operand(b)),
                    {},
                ),
                found,
            )
        return self.reduced([times, items, Const(1.0) if start is None else start], node)

    def norm_of(self, parts: list[Any]) -> Value:
        whole = self.lowerer.operations.apply(np.array, (parts,), {})
        made: Value = self.lowerer.operations.apply(linear.norm_of, (whole,), {})
        return made

    def distance(self, p: Node, q: Node, node: gast.AST) -> Node:
        """``math.dist``: as exact as ``math.hypot`` of the differences."""
        if is_written_out(p) and is_written_out(q) and len(p.items) == len(q.items):
            pairs = zip(items_of(p), items_of(q), strict=True)
            parts = [
                self.lowerer.operations.apply(
                    operator.sub,
                    (self.lowerer.operations.operand(a), self.lowerer.operations.operand(b)),
                    {},
                )
                for a, b in pairs
            ]
            return self.norm_of(parts)
        arrays = [
            self.lowerer.operations.apply(np.array, (self.lowerer.operations.operand(x),), {})
            if isinstance(x, Pack)
            else self.lowerer.operations.operand(x)
            for x in (p, q)
        ]
        return self.lowerer.operations.apply(
            linear.norm_of, (self.lowerer.operations.apply(operator.sub, tuple(arrays), {}),), {}
        )

    # -- operator.itemgetter and its like ----------------------------------------------

    def call_getter(self, pack: Pack, args: list[Node], node: gast.AST) -> Node:
        """``operator.itemgetter(0, 2)(x)``, ``attrgetter("a.b")(p)``, ``methodcaller("sum")(x)``."""
        (x,), given = args, pack.items
        if pack.kind is operator.methodcaller:
            method = self.lowerer.attributes.attribute(x, given[0].value, node)
            return self.lowerer.calls.call(method, list(given[1:]), {}, node)
        if pack.kind is operator.attrgetter:
            found = [self.along(x, path.value, node) for path in given]
        else:
            found = [self.subscript(x, key, node) for key in given]
        return found[0] if len(found) == 1 else Pack(tuple, list(range(len(found))), found)

    def along(self, x: Node, path: str, node: gast.AST) -> Node:
        for name in path.split("."):
            x = self.lowerer.attributes.attribute(x, name, node)
        return x

    def subscript(self, x: Node, key: Node, node: gast.AST) -> Node:
        x = self.lowerer.construction.taken_apart(x)
        return (
            self.lowerer.subscripts.item(x, key, node)
            if isinstance(x, Pack)
            else self.lowerer.subscripts.getitem(x, key)
        )

    # -- statements of ours ------------------------------------------------------------

    def run(self, text: str, names: dict[str, Node], node: gast.AST, result: str = "made") -> Node:
        """Lower statements of ours as if they stood here."""
        tree = gast.parse(text)
        for inner in gast.walk(tree):
            if hasattr(inner, "lineno"):
                gast.copy_location(inner, node)
        wrapper = gast.FunctionDef(
            name="here", args=EMPTY, body=[*tree.body, gast.Return(value=name_of(result, node))],
            decorator_list=[], returns=None, type_comment=None, type_params=[],
        )  # fmt: skip
        return self.lowerer.closures.in_place(gast.copy_location(wrapper, node), {}, names)


def is_hashable(fn: Any) -> bool:
    try:
        hash(fn)
    except TypeError:
        return False
    return True


def inherits(kind: Any, name: str) -> bool:
    """True if a class of the user's has a special method of its own."""
    found = static(kind, name)
    return isinstance(found, types.FunctionType)


def is_integral(items: Node) -> bool:
    """True if all that is multiplied is known to be whole."""
    if is_written_out(items):
        return all(kind_of(i) in ("i", "b") for i in items_of(items))
    return kind_of(items) in ("i", "b")


def kind_of(node: Node) -> Any:
    if isinstance(node, Const):
        return "i" if isinstance(node.value, int) else None
    kind = type_of(node) if isinstance(node, Value) else None
    return getattr(kind.item if isinstance(kind, Stack) else kind, "kind", None)


def name_of(name: str, node: gast.AST) -> gast.AST:
    made = gast.Name(id=name, ctx=gast.Load(), annotation=None, type_comment=None)
    return gast.copy_location(made, node)
