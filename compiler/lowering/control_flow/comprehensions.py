"""Comprehensions and generator expressions: taken apart at known length, else loops that collect.

::

    np.array([f(v) for v in x])     ->      items = []
                                            for v in x:
                                                items.append(f(v))
                                            np.array(items)
"""

from __future__ import annotations

import builtins
import copy
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.array_likes import places_of_several
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...frontend.exit_queries import assigned
from ...ir.containers import Pack
from ...ir.operations import Const, Operand, Value
from ...ir.types import Array, Stack
from ..iteration.iterables import Iteration, Product, Range
from ..memory.array_versions import hidden as is_version
from ..memory.container_identity import Listed, Ref, cell_name, is_cell
from .filtering_comprehensions import QUICK, Selecting, read_names

__all__ = ["Comprehensions", "Lazy"]

Node = Any
SHORT = 4  # a range of constant bounds that is not longer is written out


class Lazy:
    """A generator expression, evaluated by the call it is an argument of."""

    def __init__(self, node: Any) -> None:
        self.node = node


class Collected(gast.AST):  # type: ignore[misc]
    """The end of an iteration: the list ``cell`` gets the value of ``elt``."""

    _fields = ("elt",)


class Comprehensions(Selecting):
    """Lowers comprehensions; the class below this one lowers loops."""

    if TYPE_CHECKING:
        assign: Any
        beside: Any
        each_item: Any
        born: dict[Value, Any]
        may_be_array: Any
        new_cell: Any
        put_in: Any
        projections: dict[Any, Any]
        views: dict[Any, Any]
        either: Any
        env: dict[str, Node]
        expression: Any
        iterable: Any
        truth_of: Any
        seen: Any
        steady: Any
        loop: Any
        block: Any
        operand: Any
        place: Any
        present: Any
        statements: Any
        node: Any

    comprehended = 0  # numbers the names of targets: they are local to their comprehension

    # -- expressions -----------------------------------------------------------------

    def on_ListComp(self, node: Any) -> Node:
        return self.within_scope(node, self.listed)

    def on_GeneratorExp(self, node: Any) -> Node:
        return Lazy(node)

    def on_DictComp(self, node: Any) -> Node:
        return self.within_scope(node, self.mapped)

    def call(self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        lazy = [a for a in args if isinstance(a, Lazy)]
        called = fn.value if isinstance(fn, Const) else None
        if lazy and called in QUICK and len(args) == 1:
            return self.within_scope(lazy[0].node, lambda n: self.quick(called, n))
        if called is builtins.next and isinstance(args[0], Lazy) and len(args) < 3:
            default = args[1] if len(args) == 2 else None
            made = self.within_scope(args[0].node, lambda n: self.next_of(n, default))
            return self.seen(made)
        if called is np.fromiter and args:
            kwargs = {k: v for k, v in kwargs.items() if k != "count"}
            args, fn = args[:2], Const(np.array, "np.array")
        elif lazy and is_numpy(called):
            raise UnsupportedSyntax(
                f"{own_attribute(called, '__name__', called)} of a generator expression is no array",
                place=self.place(node), fix="write a list: [...] instead of (...)",
            )  # fmt: skip
        args = [self.gone_over(a) if isinstance(a, Lazy) else a for a in args]
        return super().call(fn, args, kwargs, node)  # type: ignore[misc]

    def gone_over(self, lazy: Lazy) -> Node:
        """A generator expression as the list of what it gives."""
        read = [self.env[name] for name in read_names(lazy.node) if name in self.env]
        sources = [self.seen(node) for node in read if isinstance(node, (Value, Pack, Ref))]
        return self.steady(self.on_ListComp(lazy.node), sources, lazy.node)

    def unpack(self, node: Node, n: int | None, at: Any) -> list[Node]:
        if isinstance(node, Lazy):
            node = self.on_ListComp(node.node)
        return super().unpack(node, n, at)  # type: ignore[misc,no-any-return]

    def operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        """NumPy makes an array of a list by itself; the rules of most operations want to see it."""
        if is_numpy(fn):
            several = places_of_several(fn, len(args))
            args = [a if k in several else self.arrayed(a) for k, a in enumerate(args)]
        return super().operation(fn, args, kwargs)  # type: ignore[misc]

    def arrayed(self, node: Node) -> Node:
        return self.apply(np.array, (self.operand(node),), {}) if is_list(node) else node

    def apply(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value:
        if any(is_list(a) for a in args) and is_arithmetic(fn):
            if not any(isinstance(type_of(a), Array) for a in args):
                raise UnsupportedSyntax(
                    "this operation on a list of unknown length is not supported",
                    place=self.place(self.node), fix="make an array of it first: np.array(...)",
                )  # fmt: skip
            args = tuple(self.arrayed(a) for a in args)
        return super().apply(fn, args, kwargs)  # type: ignore[misc,no-any-return]

    # -- scope -----------------------------------------------------------------------

    def within_scope(self, node: Any, lower: Any) -> Node:
        """Lower a comprehension whose targets are names of its own."""
        before = dict(self.env)
        result = lower(self.renamed(node))
        walrus = {n for part in ast_parts(node) for n in assigned(part)} - targets_of(node)
        kept = {n: v for n, v in self.env.items() if n in walrus or is_version(n) or is_cell(n)}
        self.env = before | kept
        return result

    def renamed(self, node: Any) -> Any:
        self.comprehended += 1
        node = copy.deepcopy(node)
        rename = Rename({n: f"{n.partition('.')[0]}.{self.comprehended}" for n in targets_of(node)})
        first, *later = node.generators
        first.target = rename.visit(first.target)
        first.ifs = [rename.visit(test) for test in first.ifs]
        for generator in later:
            rename.visit(generator)
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, rename.visit(getattr(node, name)))
        return node

    # -- lists -----------------------------------------------------------------------

    def listed(self, node: Any) -> Node:
        """A list: of known items, or one that a loop collects."""
        items: list[Node] = []
        rest = self.each(node.generators, lambda: items.append(self.expression(node.elt)), node)
        if rest is None:
            return Pack(list, list(range(len(items))), list(map(self.present, items)))
        return Pack(Listed, [0], [self.collected(node, rest)])

    def mapped(self, node: Any) -> Node:
        made: dict[Any, Node] = {}

        def enter() -> None:
            key = self.expression(node.key)
            if not isinstance(key, Const):
                raise self.refused("a computed dict key", node)
            made[key.value] = self.expression(node.value)

        if self.each(node.generators, enter, node) is not None:
            raise self.refused("a dict of unknown size", node)
        return Pack(dict, list(made), list(map(self.present, made.values())))

    def each(self, generators: list[Any], visit: Any, node: Any) -> Iteration | None:
        """Visit every item in turn; where the first length is not known, what to iterate over."""
        if not generators:
            visit()
            return None
        head, *later = generators
        iterable = written_out(self.iterable(head.iter))
        if isinstance(iterable, Iteration):
            return self.unlisted(iterable, generators, node)
        items = [Const(k) for k in iterable.keys] if iterable.kind is dict else iterable.items
        before, env = self.mark(), dict(self.env)
        for item in self.each_item(iterable, node):
            self.assign(head.target, item)
            passed = self.passes(head.ifs)
            if passed is None:
                self.rewind(before)
                self.env = env
                whole = iterable if iterable.kind is not dict else Pack(list, iterable.keys, items)
                return self.unlisted(self.iteration(whole, node), generators, node)
            if passed and self.each(later, visit, node) is not None:
                raise self.refused("a list of unknown length inside one of known length", node)
        return None

    def mark(self) -> Any:
        return self.block, len(self.block.ops)

    def rewind(self, mark: Any) -> None:
        block, at = mark
        gone = {r for op in block.ops[at:] for r in op.results}
        del block.ops[at:]
        self.projections = {k: v for k, v in self.projections.items() if v[1] not in gone}
        self.views = {k: v for k, v in self.views.items() if v[0] not in gone}

    def passes(self, tests: list[Any]) -> bool | None:
        """Whether an item passes the filters, or None where that is not known."""
        for test in tests:
            found = self.truth_of(self.expression(test), test)
            if not isinstance(found, Const) or found.text is not None:
                return None
            if not found.value:
                return False
        return True

    def unlisted(self, iterable: Iteration, generators: list[Any], node: Any) -> Iteration:
        """All the generators of a list of unknown length as one iteration."""
        later = generators[1:]
        if not later:
            return iterable
        if any(g.ifs for g in generators):
            raise self.refused("a filter in a comprehension over several sequences", node)
        own = {n for g in generators for n in targets_of_target(g.target)}
        if any(own & read_names(g.iter) for g in later):
            raise self.refused("a list whose inner length depends on the outer item", node)
        parts = [iterable, *[self.iteration_of(g.iter, node) for g in later]]
        return Product(parts=parts)

    def iteration_of(self, iterable: Any, node: Any) -> Iteration:
        return self.iteration(self.iterable(iterable), node)

    def iteration(self, node: Node, at: Any) -> Iteration:
        if isinstance(node, Iteration):
            return node
        return super().iteration(node, at)  # type: ignore[misc,no-any-return]

    def collect(self, target: Any, iterable: Iteration, elt: Any, node: Any) -> Value:
        """``[elt for target in iterable]``"""
        last = gast.copy_location(Collected(elt=elt), node)
        head = gast.For(target=target, iter=None, body=[last], orelse=[], type_comment=None)
        head = gast.copy_location(head, node)
        if iterable.bounds is None:
            iterable.measure(self)
        last.cell = self.new_cell(Pack(list, [], [])).cell
        self.loop(head, iterable)
        content = self.env.pop(cell_name(last.cell))
        made: Value = content.items[0]
        return made

    def do_Collected(self, node: Any) -> None:
        self.put_in(node.cell, self.expression(node.elt))

    def known_to_collect(self, node: Any) -> set[int]:
        """The list that the loop of a comprehension makes."""
        return {s.cell for s in node.body if isinstance(s, Collected)}

    def refused(self, what: str, node: Any) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"{what} is not supported in a comprehension", place=self.place(node),
            fix="write the loop, or use an array expression",
        )  # fmt: skip


def is_list(node: Node) -> bool:
    """Whether a value is a list that a loop collected."""
    if isinstance(node, Pack) and node.kind is Listed:
        return True
    return isinstance(node, Value) and isinstance(node.type, Stack)


def is_numpy(fn: Any) -> bool:
    from ..memory.writing_calls import is_numpy as numpys

    return fn is not None and callable(fn) and numpys(fn)


def is_arithmetic(fn: Any) -> bool:
    """Whether it is arithmetic, or a comparison, of numbers and arrays."""
    signs = ("+", "-", "*", "/", "**", "@", "-x", "<", "<=", ">", ">=", "==", "!=")
    return traits_of(fn).sign in signs


def written_out(iterable: Iteration | Pack) -> Iteration | Pack:
    """A short range of constant bounds as its numbers."""
    if not isinstance(iterable, Range) or iterable.bounds is None:
        return iterable
    if not all(isinstance(b, Const) and b.text is None for b in iterable.bounds):
        return iterable
    numbers = range(*[b.value for b in iterable.bounds])
    if len(numbers) > SHORT:
        return iterable
    return Pack(list, list(range(len(numbers))), [Const(n) for n in numbers])


def targets_of_target(target: Any) -> set[str]:
    return {n.id for n in gast.walk(target) if isinstance(n, gast.Name)}


def targets_of(node: Any) -> set[str]:
    """The names a comprehension binds for itself."""
    return {n for g in node.generators for n in targets_of_target(g.target)}


def ast_parts(node: Any) -> list[Any]:
    """The expressions of a comprehension that may bind names of the function (``:=``)."""
    parts = [getattr(node, name) for name in ("elt", "key", "value") if hasattr(node, name)]
    return [*parts, *[test for g in node.generators for test in g.ifs]]


class Rename(gast.NodeTransformer):  # type: ignore[misc]
    """Gives names others."""

    def __init__(self, table: dict[str, str]) -> None:
        self.table = table

    def visit_Name(self, node: Any) -> Any:
        node.id = self.table.get(node.id, node.id)
        return node
