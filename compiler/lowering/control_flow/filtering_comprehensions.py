"""Comprehensions that choose: filters, and generators that are left as soon as one item decides.

A filter is a loop of its own, which finds the places of the items that pass, if nothing tells the
difference; else one loop tests an item, takes it, and goes on to the next, as Python does.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear

from ...analyses.random_numbers import is_draw
from ...frontend.exit_queries import assigned
from ...ir.containers import Pack
from ...ir.operations import UNDEFINED, Apply, Block, Call, Const, Op, Value, walk
from ...ir.types import Array, Number, Stack
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Filtered, Iteration
from ..memory.places import hidden as is_version
from ..memory.places import is_cell
from ..nodes import Environment, Node, Ref

__all__ = ["QUICK", "Filters", "read_names"]

QUICK = {builtins.any: True, builtins.all: False}


class Filters:
    """Lowers the filters of comprehensions, and ``any``, ``all`` and ``next`` of a generator."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- filters ---------------------------------------------------------------------

    def collected(self, node: gast.AST, iterable: Iteration) -> Value:
        """The loop over one iteration, and the list it makes."""
        target: Any = node.generators[0].target
        if len(node.generators) > 1:
            target = gast.Tuple([g.target for g in node.generators], gast.Store())
        tests = node.generators[0].ifs
        if not tests:
            return self.lowerer.comprehensions.collect(target, iterable, node.elt, node)
        if iterable.bounds is None:
            iterable.measure(self.lowerer)
        if not binds_between(tests, node.elt):
            back, before, at = (
                self.lowerer.loops.checkpoint(),
                dict(self.scope.env),
                len(self.scope.block.ops),
            )
            made = self.filtered_first(target, iterable, tests, node)
            if not self.tells(before, self.scope.block.ops[at:]):
                return made
            back()
            self.scope.use(before)
        return self.one_by_one(target, iterable, tests, node)

    def filtered_first(
        self, target: gast.AST, iterable: Iteration, tests: Any, node: gast.AST
    ) -> Value:
        """All the tests, then the elements of the items that pass."""
        flags: Value = self.lowerer.comprehensions.collect(target, iterable, all_of(tests), node)
        numbers = isinstance(flags.type, Stack) and isinstance(flags.type.item, (Array, Number))
        found = np.flatnonzero if numbers else linear.places_of_true
        kept = self.lowerer.operations.apply(found, (flags,), {})
        passed = Filtered(value=kept, inner=iterable, hint="k")
        passed.bounds = None
        return self.lowerer.comprehensions.collect(target, passed, node.elt, node)

    def tells(self, before: Environment, ops: list[Op]) -> bool:
        """True if it can be told that the tests were made before the elements: something was changed, or said."""
        for name, held in self.scope.env.items():
            first = None
            if is_version(name) and self.lowerer.versions.outlives(
                self.lowerer.versions.cells[name]
            ):
                first = self.lowerer.versions.cells[name].first
            elif not (is_cell(name) and name in before):
                continue
            if held is not before.get(name, first):
                return True
        return any(map(has_effect, ops))

    def one_by_one(
        self, target: gast.AST, iterable: Iteration, tests: Any, node: gast.AST
    ) -> Value:
        """``for target in iterable: if tests: items.append(elt)``"""
        name = f"items.{self.lowerer.comprehensions.number()}"
        self.scope.env[name] = self.lowerer.cells.new_cell(Pack(list, [], []))
        taken = appending(node.elt)(name)
        head = gast.For(target, None, [gast.If(all_of(tests), [taken], [])], [], None)
        self.lowerer.loops.loop(placed(head, node), iterable)
        made: Value = self.lowerer.cells.as_one(
            self.lowerer.cells.seen(self.scope.env.pop(name))
        ).items[0]
        return made

    def in_loops(self, node: gast.AST, empty: Pack, put: Callable[[str], gast.AST]) -> Node:
        """Loops in one another, the innermost of which puts an item into what was empty before."""
        name = f"items.{self.lowerer.comprehensions.number()}"
        self.scope.env[name] = self.lowerer.cells.new_cell(empty)
        loops = until(node, [put(name)], None)
        self.lowerer.statements([loops])
        return self.lowerer.cells.seen(self.scope.env.pop(name))

    # -- generators that stop as soon as they know -----------------------------------

    def quick(self, fn: Any, node: gast.AST) -> Node:
        """``any`` and ``all``: a loop that leaves at the first item that decides."""
        wanted = QUICK[fn]
        flag = f"${fn.__name__}_.{self.lowerer.comprehensions.number()}"
        self.scope.env[flag] = Const(not wanted)
        test = node.elt if wanted else gast.UnaryOp(gast.Not(), node.elt)
        body = [gast.If(test, [assigning(flag, constant(wanted)), gast.Break()], [])]
        self.lowerer.statements([until(node, body, test_of(flag, wanted))])
        return self.scope.env[flag]

    def next_of(self, node: gast.AST, default: Node) -> Node:
        """``next``: a loop that leaves at its first item."""
        number = self.lowerer.comprehensions.number()
        name, found = (f"${word}.{number}" for word in ("next_", "found"))
        nested = len(node.generators) > 1
        self.scope.env.update({found: Const(False)} if nested else {})
        self.scope.env.update({} if default is None else {name: self.lowerer.cells.stored(default)})
        body = [assigning(name, node.elt), gast.Break()]
        if nested:
            body.insert(0, assigning(found, constant(True)))
        self.lowerer.statements([until(node, body, named(found))])
        made = self.scope.env.get(name, UNDEFINED)
        if made is UNDEFINED or not isinstance(made, (Value, Const, Ref, Pack)):
            reason, fix = "that may give nothing", "say what it is then: next(..., 0.0)"
            if default is not None:
                reason, fix = (
                    "whose items and default differ in kind",
                    "give a default like the items",
                )
            raise UnsupportedSyntax(
                f"`next` of a generator expression {reason} is not supported",
                place=self.scope.place(node), fix=fix,
            )  # fmt: skip
        return made


def appending(elt: gast.AST) -> Callable[[str], gast.AST]:
    """The statement ``items.append(elt)``."""
    return lambda name: gast.Expr(
        gast.Call(gast.Attribute(named(name), "append", gast.Load()), [elt], [])
    )


def entering(key: gast.AST, value: gast.AST) -> Callable[[str], gast.AST]:
    """The statement ``items[key] = value``."""
    return lambda name: gast.Assign(
        targets=[gast.Subscript(named(name), key, gast.Store())], value=value, type_comment=None
    )


def until(node: gast.AST, body: list[gast.AST], known: gast.AST | None) -> gast.AST:
    """The loops of a generator expression around ``body``, the outer ones left when it is ``known``."""
    for k, generator in enumerate(reversed(node.generators)):
        if k and known is not None:
            body.append(gast.If(known, [gast.Break()], []))
        for check in reversed(generator.ifs):
            body = [gast.If(check, body, [])]
        body = [gast.For(generator.target, generator.iter, body, [], None)]
    return placed(body[0], node)


def placed(statement: gast.AST, node: gast.AST) -> gast.AST:
    """A made statement, each part of which stands where the user's does, or else where ``node`` does."""
    for inner in gast.walk(statement):
        if isinstance(inner, (gast.stmt, gast.expr)) and not hasattr(inner, "lineno"):
            gast.copy_location(inner, node)
    return statement


def has_effect(op: Op) -> bool:
    """True if an operation, or one within it, says something or draws a random number."""
    todo, seen = [op], set()
    while todo:
        for part in walk(Block([], [todo.pop()])):
            if isinstance(part, Call) and id(part.callee) not in seen:
                seen.add(id(part.callee))
                todo += part.callee.body.ops
            elif isinstance(part, Apply) and (part.effect or is_draw(part.fn)):
                return True
    return False


def binds_between(tests: list[gast.AST], elt: gast.AST) -> bool:
    """True if a test binds a name, or reads one that the element binds."""
    bound = {n for test in tests for n in assigned(test)}
    return bool(bound) or any(set(assigned(elt)) & read_names(test) for test in tests)


def all_of(tests: list[gast.AST]) -> gast.AST:
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)


def named(name: str, ctx: Any = None) -> gast.AST:
    return gast.Name(name, ctx or gast.Load(), None, None)


def constant(value: Any) -> gast.AST:
    return gast.Constant(value=value, kind=None)


def assigning(name: str, value: Any) -> gast.AST:
    return gast.Assign(targets=[named(name, gast.Store())], value=value, type_comment=None)


def test_of(flag: str, wanted: bool) -> gast.AST:
    return named(flag) if wanted else gast.UnaryOp(gast.Not(), named(flag))


def read_names(node: gast.AST) -> set[str]:
    return {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}
