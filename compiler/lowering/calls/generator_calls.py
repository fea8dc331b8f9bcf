"""Calls of generator functions: lists of what they yield, made where they are gone over."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import gast

from retrograd.runtime.errors import CompileError, UnsupportedSyntax

from ...frontend.desugar import desugared
from ...frontend.function_names import free_names
from ...frontend.generators import ITEMS, as_list_maker, is_generator
from ...frontend.source import source_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Call, Op, Value, walk
from ..interface.lowerer import Lowerer
from ..memory.places import hidden, is_cell
from ..nodes import Code, Environment, Lazy, LocalFunction, Node, Ref

__all__ = ["GeneratorCalls"]


class Yielding:
    """A call that is to be made: the text that makes a list, the names around it, the arguments."""

    def __init__(self, code: Any, env: Environment, params: dict[str, Node]) -> None:
        self.code, self.env, self.params = code, env, params


class GeneratorCalls:
    """Lowers calls of generator functions when somebody goes over what they yield."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def called(self, fn: Any, params: dict[str, Node], node: gast.AST) -> Lazy | None:
        """A call of a function of a module; None of one that yields nothing, or stays a call."""
        if not inspect.isgeneratorfunction(fn):
            return None
        if all(map(self.lowerer.inactive.is_inert, params.values())):
            return None
        source = source_of(fn)
        return self.lazy(Code(desugared(source), source, fn), {}, params, node)

    def lazy(self, code: Any, env: Environment, params: dict[str, Node], node: gast.AST) -> Lazy:
        """What a call of this code yields, not computed yet."""
        made = as_list_maker(code.node)
        if made is None:
            raise UnsupportedSyntax(
                "a generator that is sent values, or has no end (`while True`), is not supported",
                place=self.scope.place(node), fix="return a list, or give the loop its condition",
            )  # fmt: skip
        siblings = getattr(code, "siblings", ())
        text = Code(made, code.source, code.python, siblings, frozenset(code.names))
        return Lazy(node, Yielding(text, env, params))

    def gone_over(self, lazy: Lazy) -> Node:
        """The list, made now."""
        call = lazy.call
        sources = [self.lowerer.cells.seen(v) for v in read_by(call)]
        params = {n: self.lowerer.construction.taken_apart(p) for n, p in call.params.items()}
        made = self.lowerer.closures.in_module(call.code, call.env, params, ITEMS)
        return self.lowerer.iterators.steady(made, sources, lazy.node)

    def yields_nothing(self, lazy: Lazy) -> bool:
        """True if it is over before its first step, for certain; what it does until then is done."""
        before, back = dict(self.scope.env), self.lowerer.loops.checkpoint()
        made = None
        with contextlib.suppress(CompileError):
            made = self.lowerer.cells.present(self.gone_over(lazy))
        if isinstance(made, Pack) and made.kind is list and not made.items:
            return True
        back()
        self.scope.use(before)
        return False

    def step_by_step(self, lazy: Lazy) -> Node:
        """The same for a loop: nothing may happen between two steps that the order would show."""
        if self.lowerer.loops.leaves_early:
            raise self.refused(lazy, "a loop over a generator that may be left before its end")
        before, ops = dict(self.scope.env), self.scope.block.ops
        start = len(ops)
        made = self.lowerer.comprehensions.gone_over(lazy)
        done = walk_all(ops[start:])
        if self.writes(before, {r for op in done for r in op.results}) or any(map(is_seen, done)):
            raise self.refused(lazy, "a loop over a generator that changes something on the way")
        return made

    def writes(self, before: Environment, own: set[Value]) -> bool:
        """True if a memory or a container of before is another one now."""
        versions = self.lowerer.versions.cells
        changed = [n for n, v in self.scope.env.items() if before.get(n) is not v]
        return any(
            (is_cell(n) and n in before) or (hidden(n) and versions[n].first not in own)
            for n in changed
        )

    def refused(self, lazy: Lazy, what: str) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"{what} is not supported", place=self.scope.place(lazy.node),
            fix="make a list of it first: list(...)",
        )  # fmt: skip


def read_by(call: Yielding) -> list[Node]:
    """What a generator may read: its arguments, and what is around it of the names in its text."""
    names = set(free_names(call.code.node))
    around = [v for n, v in call.env.items() if n in names]
    if any(is_function(v) for v in around):  # which reads what it reads
        around = list(call.env.values())
    return [v for v in [*call.params.values(), *around] if isinstance(v, (Value, Pack, Ref))]


def is_function(node: Node) -> bool:
    closure = isinstance(node, Pack) and isinstance(node.kind, Code)
    return closure or isinstance(node, LocalFunction)


def is_seen(op: Op) -> bool:
    """True if it matters when an operation is done."""
    return isinstance(op, Apply) and op.effect


def walk_all(ops: list[Op]) -> list[Op]:
    """Operations, and those of the functions that they call."""
    found, asked = [], set()
    todo = list(ops)
    while todo:
        op = todo.pop()
        found.append(op)
        todo += [inner for block in op.blocks for inner in walk(block)]
        if isinstance(op, Call) and id(op.callee) not in asked:
            asked.add(id(op.callee))
            todo += list(walk(op.callee.body))
    return found


def of_code(node: Any) -> bool:
    """True if the text of an inner function yields."""
    return isinstance(node, gast.FunctionDef) and is_generator(node)
