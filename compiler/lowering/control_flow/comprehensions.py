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
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ...frontend.exit_queries import assigned
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Iteration, Late, Product, Range
from ..library.sets import Scattered
from ..memory.places import cell_name, is_cell
from ..memory.places import hidden as is_version
from ..memory.writing_calls import is_numpy
from ..nodes import Lazy, Listed, Node, Ref
from .filtering_comprehensions import QUICK, appending, entering, read_names
from .scattered_loops import in_any_order

__all__ = ["Comprehensions"]

STEPS = (builtins.zip, builtins.enumerate, builtins.map, builtins.filter, builtins.iter)
SHORT = 4  # a range of constant bounds that is not longer is written out
MEMBERS = 32  # and so is one whose numbers make a set


class Irregular(Exception):
    """A comprehension is not one loop: how often an inner one runs is known when it does."""


class Collected(gast.AST):  # type: ignore[misc]
    """The end of an iteration: the list ``cell`` gets the value of ``elt``."""

    _fields = ("elt",)


class Comprehensions:
    """Lowers comprehensions; the class below this one lowers loops."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.comprehended = 0  # numbers the names of targets: they are local to their comprehension
        self.short = SHORT  # the ranges that are written out here
        self.any_order = False  # who asks for the next list does not ask for the order of its items
        self.scattered = False  # and a set was gone over that has none

    # -- expressions -----------------------------------------------------------------

    def on_ListComp(self, node: gast.AST) -> Node:
        return self.within_scope(node, self.listed)

    def on_GeneratorExp(self, node: gast.AST) -> Node:
        return Lazy(node)

    def on_SetComp(self, node: gast.AST) -> Node:
        members = gast.ListComp(elt=node.elt, generators=node.generators)
        outer, self.short = self.short, MEMBERS
        try:
            found = self.on_ListComp(gast.copy_location(members, node))
        finally:
            self.short = outer
        return self.lowerer.calls.call(Const(set, "set"), [found], {}, node)

    def on_DictComp(self, node: gast.AST) -> Node:
        return self.within_scope(node, self.mapped)

    def call_lazily(
        self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Any:
        """The result of a call with a generator expression, or else the call with lists in their place."""
        lazy = [a for a in args if isinstance(a, Lazy)]
        called = fn.value if isinstance(fn, Const) else None
        plain = [a for a in lazy if a.call is None]
        if plain and called in QUICK and len(args) == 1:
            return self.within_scope(
                lazy[0].node, lambda n: self.lowerer.filters.quick(called, n)
            ), None
        if called is builtins.next and plain and args[0] is plain[0] and len(args) < 3:
            default = args[1] if len(args) == 2 else None
            made = self.within_scope(
                args[0].node, lambda n: self.lowerer.filters.next_of(n, default)
            )
            return self.lowerer.cells.seen(made), None
        first = called is builtins.next and lazy and args[0] is lazy[0] and len(args) == 2
        if first and self.lowerer.generators.yields_nothing(lazy[0]):
            return args[1], None
        if called is np.fromiter and args:
            kwargs = {k: v for k, v in kwargs.items() if k != "count"}
            args, fn = args[:2], Const(np.array, "np.array")
        elif lazy and callable(called) and is_numpy(called) and called is not np.indices:
            raise UnsupportedSyntax(
                f"{own_attribute(called, '__name__', called)} of a generator expression is no array",
                place=self.scope.place(node), fix="write a list: [...] instead of (...)",
            )  # fmt: skip
        if called in STEPS and any(a.call is not None for a in lazy):
            steps = self.lowerer.generators.step_by_step
            args = [steps(a) if isinstance(a, Lazy) and a.call is not None else a for a in args]
        if traits_of(called).unordered and lazy and plain == args[:1] and not kwargs:
            args = [self.in_any_order(plain[0]), *args[1:]]
        args = [self.gone_over(a) if isinstance(a, Lazy) else a for a in args]
        return None, (fn, args, kwargs)

    def in_any_order(self, lazy: Lazy) -> Node:
        """A generator as a list, for a function that gives the same in any order."""
        self.any_order = True
        try:
            return in_any_order(self.lowerer, lambda: self.gone_over(lazy), lazy.node)
        finally:
            self.any_order = False

    def gone_over(self, lazy: Lazy) -> Node:
        """A generator as the list of what it gives."""
        if lazy.call is not None:
            return self.lowerer.generators.gone_over(lazy)
        read = [self.scope.env[name] for name in read_names(lazy.node) if name in self.scope.env]
        sources = [
            self.lowerer.cells.seen(node) for node in read if isinstance(node, (Value, Pack, Ref))
        ]
        return self.lowerer.iterators.steady(self.on_ListComp(lazy.node), sources, lazy.node)

    # -- scope -----------------------------------------------------------------------

    def within_scope(self, node: gast.AST, lower: Callable[[Any], Node]) -> Node:
        """Lower a comprehension whose targets are names of its own."""
        before = dict(self.scope.env)
        result = lower(self.renamed(node))
        walrus = {n for part in ast_parts(node) for n in assigned(part)} - targets_of(node)
        kept = {
            n: v for n, v in self.scope.env.items() if n in walrus or is_version(n) or is_cell(n)
        }
        self.scope.use(before | kept)
        return result

    def number(self) -> int:
        """Number a comprehension: what it binds are names of its own."""
        self.comprehended += 1
        return self.comprehended

    def renamed(self, node: gast.AST) -> gast.AST:
        number = self.number()
        node = copy.deepcopy(node)
        rename = Rename({n: f"{n.partition('.')[0]}.{number}" for n in targets_of(node)})
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

    def listed(self, node: gast.AST) -> Node:
        """A list: of known items, or one that a loop collects."""
        items: list[Node] = []
        back, env = self.lowerer.loops.checkpoint(), dict(self.scope.env)
        outer, self.scattered = self.scattered, False
        try:
            rest = self.each(
                node.generators, lambda: items.append(self.lowerer.expression(node.elt)), node
            )
        except Irregular:
            back()
            self.scope.use(env)
            return self.lowerer.filters.in_loops(node, Pack(list, [], []), appending(node.elt))
        finally:
            scattered, self.scattered = self.scattered, outer
        if rest is None:
            kind = Scattered if scattered else list
            return Pack(kind, list(range(len(items))), list(map(self.lowerer.cells.present, items)))
        return Pack(Listed, [0], [self.lowerer.filters.collected(node, rest)])

    def mapped(self, node: gast.AST) -> Node:
        made: dict[Any, Node] = {}
        back, env = self.lowerer.loops.checkpoint(), dict(self.scope.env)

        def enter() -> None:
            key = self.lowerer.expression(node.key)
            if not isinstance(key, Const):
                raise Irregular
            made[key.value] = self.lowerer.expression(node.value)

        try:
            rest = self.each(node.generators, enter, node)
        except Irregular:
            rest = Iteration()
        if rest is not None:
            back()
            self.scope.use(env)
            entry = entering(node.key, node.value)
            return self.lowerer.filters.in_loops(node, Pack(dict, [], []), entry)
        return Pack(dict, list(made), list(map(self.lowerer.cells.present, made.values())))

    def each(
        self, generators: list[gast.AST], visit: Callable[[], None], node: gast.AST
    ) -> Iteration | None:
        """Visit every item in turn; where the first length is not known, what to iterate over."""
        if not generators:
            visit()
            return None
        head, *later = generators
        any_order, self.any_order = self.any_order, False
        iterable = written_out(self.lowerer.containers.iterable(head.iter, any_order), self.short)
        if isinstance(iterable, Iteration):
            return self.unlisted(iterable, generators, node)
        self.scattered |= iterable.kind is Scattered
        items = [Const(k) for k in iterable.keys] if iterable.kind is dict else iterable.items
        before, env = self.lowerer.operations.mark(), dict(self.scope.env)
        for item in self.lowerer.iterators.each_item(iterable, node):
            self.lowerer.assignment.assign(head.target, item)
            passed = self.passes(head.ifs)
            if passed is None and iterable.kind is Scattered:
                raise self.lowerer.protocols.not_gone_over(set, node)
            if passed is None:
                self.lowerer.operations.rewind(before)
                self.scope.use(env)
                whole = iterable if iterable.kind is not dict else Pack(list, iterable.keys, items)
                return self.unlisted(
                    self.lowerer.containers.iteration(whole, node), generators, node
                )
            if passed and self.each(later, visit, node) is not None:
                raise Irregular
        return None

    def passes(self, tests: list[gast.AST]) -> bool | None:
        """True if an item passes the filters, or None where that is not known."""
        for test in tests:
            found = self.lowerer.protocols.truth_of(self.lowerer.expressions.condition(test), test)
            if not isinstance(found, Const) or found.text is not None:
                return None
            if not found.value:
                return False
        return True

    def unlisted(
        self, iterable: Iteration, generators: list[gast.AST], node: gast.AST
    ) -> Iteration:
        """All the generators of a list of unknown length as one iteration."""
        later = generators[1:]
        if not later:
            return iterable
        own = {n for g in generators for n in targets_of_target(g.target)}
        if any(g.ifs for g in generators) or any(own & read_names(g.iter) for g in later):
            raise Irregular
        parts = [iterable, *[self.iteration_of(g.iter, node) for g in later]]
        return Product(parts=parts)

    def iteration_of(self, iterable: gast.AST, node: gast.AST) -> Iteration:
        return self.lowerer.containers.iteration(self.lowerer.containers.iterable(iterable), node)

    def collect(
        self, target: gast.AST, iterable: Iteration, elt: gast.AST, node: gast.AST
    ) -> Value:
        """``[elt for target in iterable]``"""
        last = gast.copy_location(Collected(elt=elt), node)
        head = gast.For(target=target, iter=None, body=[last], orelse=[], type_comment=None)
        head = gast.copy_location(head, node)
        if iterable.bounds is None and not isinstance(iterable, Late):
            iterable.measure(self.lowerer)
        last.cell = self.lowerer.cells.new_cell(Pack(list, [], [])).cell
        self.lowerer.loops.loop(head, iterable)
        content = self.scope.env.pop(cell_name(last.cell))
        made: Value = content.items[0]
        return made

    def do_Collected(self, node: gast.AST) -> None:
        self.lowerer.container_writes.put_in(node.cell, self.lowerer.expression(node.elt))

    def known_to_collect(self, node: gast.AST) -> set[int]:
        """The list that the loop of a comprehension makes."""
        return {s.cell for s in node.body if isinstance(s, Collected)}


def written_out(iterable: Iteration | Pack, short: int) -> Iteration | Pack:
    """A short range of constant bounds as its numbers."""
    if not isinstance(iterable, Range) or iterable.bounds is None:
        return iterable
    if not all(isinstance(b, Const) and b.text is None for b in iterable.bounds):
        return iterable
    numbers = range(*[b.value for b in iterable.bounds])
    if len(numbers) > short:
        return iterable
    return Pack(list, list(range(len(numbers))), [Const(n) for n in numbers])


def targets_of_target(target: gast.AST) -> set[str]:
    return {n.id for n in gast.walk(target) if isinstance(n, gast.Name)}


def targets_of(node: gast.AST) -> set[str]:
    """The names a comprehension binds for itself."""
    return {n for g in node.generators for n in targets_of_target(g.target)}


def ast_parts(node: gast.AST) -> list[gast.AST]:
    """The expressions of a comprehension that may bind names of the function (``:=``)."""
    parts = [getattr(node, name) for name in ("elt", "key", "value") if hasattr(node, name)]
    return [*parts, *[test for g in node.generators for test in g.ifs]]


class Rename(gast.NodeTransformer):  # type: ignore[misc]
    """Gives names others."""

    def __init__(self, table: dict[str, str]) -> None:
        self.table = table

    def visit_Name(self, node: gast.AST) -> Any:
        node.id = self.table.get(node.id, node.id)
        return node
