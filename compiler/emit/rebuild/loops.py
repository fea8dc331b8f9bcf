"""Loops as statements: their iterables, the tapes they fill, their exits."""

from __future__ import annotations

import ast
from typing import Any

from ...ir.operations import UNDEFINED, Apply, Block, Const, Loop, Op, Operand, Value
from ...ir.primitives import RENAMED, UNPACK
from ...ir.types import Stack
from .expressions import ExpressionWriter, load
from .nested_targets import target_of
from .statement_nodes import Statements, assign, names_passed_on, negated

__all__ = ["LoopWriter"]


class LoopWriter(ExpressionWriter):
    """Writes ``Loop``; the class above writes everything else."""

    quoted: str
    tapes: dict[Value, list[Value]]
    bound: set[Op]
    inside: dict[Value, Apply]

    def block(self, block: Block, end: Any) -> Statements:
        raise NotImplementedError

    def statement(self, op: Op) -> Statements:
        raise NotImplementedError

    def target(self, value: Value) -> str:
        raise NotImplementedError

    def copies(self, targets: list[Value], sources: list[Operand]) -> Statements:
        raise NotImplementedError

    def loop(self, op: Loop) -> Statements:
        groups = self.tape_names(op)
        started = [op.starts.get(op.stacks[which[0]], []) for which in groups.values()]
        lists = [
            assign([name], ast.List([self.operand(x) for x in items], ast.Load()))
            for name, items in zip(groups, started, strict=True)
        ]
        out = self.copies(op.carried, op.inits)
        out = [*lists, *out] if op.starts else [*out, *lists]
        count = self.names[op.count] if op.count is not None else None
        if count:
            out.append(assign([count], ast.Constant(0)))
        head = self.head(op)
        if isinstance(head, ast.For) and self.is_list(op):
            return [self.commented(assign(list(groups), self.comprehension(op, head)), op)]
        body: Statements = []
        if count:
            body.append(ast.AugAssign(ast.Name(count, ast.Store()), ast.Add(), ast.Constant(1)))
        end = LoopEnd(self, op, groups)
        body += self.block(op.body, end)
        out = self.unbound(op, body) + out
        if isinstance(head, ast.While):
            body = self.condition(op) + body
        head.body = body or [ast.Pass()]
        self.quoted = ""
        if op.header == "recomputed":
            head.trailing = op.header  # type: ignore[attr-defined]
        return [*out, head]

    def is_list(self, op: Loop) -> bool:
        """True if a loop does nothing but collect the values of one expression."""
        kind = op.stacks[0].type if len(op.results) == op.collects == 1 else None
        if not (isinstance(kind, Stack) and kind.user) or op.stops or op.starts:
            return False
        inside = [o for o in op.body.ops if o not in self.bound]
        return all(len(o.results) == 1 and o.results[0] in self.nesting.nested for o in inside)

    def comprehension(self, op: Loop, head: ast.For) -> ast.expr:
        item = self.operand(none_if_undefined(op.collected()[0]))
        return ast.ListComp(item, [ast.comprehension(head.target, head.iter, [], 0)])

    def commented(self, statement: ast.stmt, op: Op) -> ast.stmt:
        raise NotImplementedError

    def unbound(self, op: Loop, body: Statements) -> Statements:
        """None for what a loop binds late, but copies or puts on a tape in every iteration."""
        passed = {n for statement in body for n in names_passed_on(statement)}
        late = [
            self.names[p] for p, init in zip(op.carried, op.inits, strict=True) if init is UNDEFINED
        ]
        return [assign([name], ast.Constant(None)) for name in late if name in passed]

    def tape_names(self, op: Loop) -> dict[str, list[int]]:
        """The lists that the loop appends to, and which collected values go into each."""
        if self.nesting.groups(op):
            lead, group = op.stacks[0], list(op.stacks)
            for stack in group:
                self.tapes[stack] = group
            return {self.names[lead]: list(range(op.collects))}
        return {self.names[s]: [k] for k, s in enumerate(op.stacks)}

    def condition(self, op: Loop) -> Statements:
        """``while True: if not c: break`` where the test needs statements of its own."""
        assert op.cond is not None
        inside: Statements = []
        for inner in op.cond.ops:
            inside += self.statement(inner)
        if not inside:
            return []
        return [*inside, ast.If(negated(self.operand(op.cond.yields[0])), [ast.Break()], [])]

    def head(self, op: Loop) -> Any:
        if op.bounds is None and not op.feeds:
            assert op.cond is not None
            plain = all(r in self.nesting.nested for o in op.cond.ops for r in o.results)
            return ast.While(
                self.operand(op.cond.yields[0]) if plain else ast.Constant(True), [], []
            )
        targets, iterables = self.sources(op)
        if len(targets) == 1:
            return ast.For(targets[0], iterables[0], [], [])
        both = ast.Tuple(targets, ast.Store())
        if len(targets) == 2 and self.counts_up(op):
            return ast.For(both, ast.Call(load("enumerate"), iterables[1:], []), [], [])
        return ast.For(both, ast.Call(load("zip"), iterables, []), [], [])

    def counts_up(self, op: Loop) -> bool:
        """True if the index is the number of the element: what ``enumerate`` gives."""
        if op.bounds is None or op.backwards or any(flip for _, flip in op.feeds):
            return False
        if op.index is None or not self.nesting.uses[op.index]:
            return False
        lo, _, step = op.bounds
        return (
            isinstance(lo, Const) and lo.value == 0 and isinstance(step, Const) and step.value == 1
        )

    def sources(self, op: Loop) -> tuple[list[ast.expr], list[ast.expr]]:
        """The target and the iterable of the ``for``."""
        targets: list[ast.expr] = []
        iterables: list[ast.expr] = []
        if op.index is not None and (self.nesting.uses[op.index] or not op.feeds):
            name = self.names[op.index] if self.nesting.uses[op.index] else "_"
            targets.append(ast.Name(name, ast.Store()))
            iterables.append(self.range(op))
        done: list[Any] = []
        for (stack, flip), _ in zip(op.feeds, op.elements, strict=True):
            group = self.tapes.get(stack, [stack])
            if (group[0], flip) in done:
                continue
            done.append((group[0], flip))
            targets.append(self.element_target(op, group, flip))
            tape = self.operand(group[0])
            iterables.append(ast.Call(load("reversed"), [tape], []) if flip else tape)
        return targets, iterables

    def element_target(self, op: Loop, group: list[Value], flip: bool) -> ast.expr:
        read = {stack: e for (stack, f), e in zip(op.feeds, op.elements, strict=True) if f == flip}
        taken = self.taken_apart(op, read.get(group[0])) if len(group) == 1 else None
        if taken is not None:
            self.bound.add(taken)
            return target_of(taken, self.inside, self.target)
        names = [ast.Name(self.names[read[s]] if s in read else "_", ast.Store()) for s in group]
        return names[0] if len(names) == 1 else ast.Tuple(list(names), ast.Store())

    def taken_apart(self, op: Loop, element: Value | None) -> Apply | None:
        """The unpacking that is all a loop does with an element: its head can do it."""
        for inner in op.body.ops:
            if isinstance(inner, Apply) and inner.fn is RENAMED:
                continue
            if not (isinstance(inner, Apply) and inner.fn is UNPACK):
                return None
            if inner.args[0] is element and element is not None and self.nesting.uses[element] == 1:
                return inner
        return None

    def range(self, op: Loop) -> ast.expr:
        assert op.bounds is not None
        lo, hi, step = op.bounds
        args = [lo, hi, step]
        if isinstance(step, Const) and step.value == 1:
            args = [hi] if isinstance(lo, Const) and lo.value == 0 else [lo, hi]
        made = ast.Call(load("range"), [self.operand(a) for a in args], [])
        return ast.Call(load("reversed"), [made], []) if op.backwards else made


class LoopEnd:
    """The end of an iteration: append to the tapes, carry the values on, perhaps stop."""

    def __init__(self, writer: LoopWriter, op: Loop, groups: dict[str, list[int]]) -> None:
        self.writer, self.op, self.groups = writer, op, groups
        self.early = {} if op.stops else {op.tape_position(): lambda: self.appends(op.collected())}

    def stop(self, finals: list[Operand]) -> Operand:
        return finals[-1] if self.op.stops else Const(False)

    def __call__(self, finals: list[Operand]) -> Statements:
        op, writer = self.op, self.writer
        collected = finals[len(op.inits) : len(op.inits) + op.collects]
        out = self.appends(collected) if op.stops else []
        out += writer.copies(op.carried, finals[: len(op.inits)])
        stop = self.stop(finals)
        if isinstance(stop, Const):
            return [*out, ast.Break()] if stop.value else out
        return [*out, ast.If(writer.operand(stop), [ast.Break()], [])]

    def appends(self, collected: list[Operand]) -> Statements:
        out: Statements = []
        for name, which in self.groups.items():
            items = [self.writer.operand(none_if_undefined(collected[k])) for k in which]
            item = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
            call = ast.Call(ast.Attribute(load(name), "append", ast.Load()), [item], [])
            out.append(ast.Expr(call))
        return out


def none_if_undefined(operand: Operand) -> Operand:
    return Const(None) if operand is UNDEFINED else operand
