"""SSA back to Python: statements, branches, loops, and the tapes between them.

Values that are joined share a variable (see ``names``), so most yields print nothing; an ``if``
at the end of a loop body that stops the loop prints as the user's own ``break``.
"""

from __future__ import annotations

import ast
import operator
from typing import Any

from retrograd.runtime import linear

from .analyses.liveness import Interference
from .ir import (
    UNDEFINED,
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
)
from .names import Names
from .nesting import Nesting
from .rebuild_expressions import ExpressionWriter, load, names_passed_on, names_read
from .structure import Pack
from .structure import rebuild as repack
from .types import Stack

__all__ = ["Rebuilt", "rebuild"]

Statements = list[ast.stmt]


class Rebuilt:
    """A function definition, the names it needs from outside, and the functions it calls."""

    def __init__(self, definition: ast.FunctionDef, roots: dict[str, Any]) -> None:
        self.definition, self.roots = definition, roots


def rebuild(function: Function, name: str, callees: dict[Function, str], taken: set[str], flat: bool = False) -> Rebuilt:
    """The Python text of ``function``, as a syntax tree."""
    nesting = Nesting(function)
    interference = Interference(function, nesting.expand, nesting.groups)
    names = Names(function, interference, nesting.nested, taken | set(callees.values()))
    writer = Rebuilder(names, nesting, callees, function)
    return Rebuilt(writer.definition(name, flat), writer.roots)


class Rebuilder(ExpressionWriter):
    """Writes statements."""

    def __init__(self, names: Names, nesting: Nesting, callees: dict[Function, str], function: Function) -> None:
        super().__init__(names, nesting)
        self.callees, self.subject = callees, function
        self.line: int | None = None
        self.tapes: dict[Value, list[Value]] = {}
        self.explained: set[int] = set()
        self.turning: int | None = None
        self.bound: set[Op] = set()  # unpackings that the head of a loop does

    def callee(self, function: Any) -> str:
        return self.callees[function]

    def definition(self, name: str, flat: bool) -> ast.FunctionDef:
        function = self.subject
        args = [ast.arg(self.names[p]) for p in function.body.params]
        defaults = [self.constant(Const(function.defaults[n])) for n in function.names if n in function.defaults]
        body = self.block(function.body, lambda finals: [self.returned(finals, flat)])
        signature = ast.arguments([], args, None, [], [], None, defaults[len(defaults) - len(args) if len(defaults) > len(args) else 0 :])
        made = ast.FunctionDef(name, signature, body or [ast.Pass()], [], None)
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]
        return made

    def returned(self, finals: list[Operand], flat: bool) -> ast.stmt:
        """``return``, the results packed into the containers the user returned."""
        if flat or self.subject.tree is None:
            values = [self.operand(y) for y in finals]
            return ast.Return(values[0] if len(values) == 1 else ast.Tuple(values, ast.Load()))
        remaining = iter(finals)
        return ast.Return(self.packed(repack(self.subject.tree, lambda _: next(remaining))))

    def packed(self, node: Any) -> ast.expr:
        if not isinstance(node, Pack):
            return self.operand(node)
        if node.kind in (tuple, list, dict):
            items = [self.packed(i) for i in node.items]
            if node.kind is dict:
                return ast.Dict([ast.Constant(k) for k in node.keys], items)
            return (ast.Tuple if node.kind is tuple else ast.List)(items, ast.Load())
        keywords = [ast.keyword(k, self.packed(i)) for k, i in zip(node.keys, node.items, strict=True)]
        return ast.Call(self.global_name(node.kind.__name__, node.kind), [], keywords)

    # -- blocks ----------------------------------------------------------------------

    def block(self, block: Block, end: Any) -> Statements:
        """The statements of a region; ``end(finals)`` writes what happens with its yields."""
        out: Statements = []
        early = getattr(end, "early", {})
        turn = self.turn(block)
        for at, op in enumerate(block.ops):
            out += early.get(at, list)()
            if at in turn and out:
                self.mark(out[0], "forward")
                self.turning = len(out)
            if at == len(block.ops) - 1 and isinstance(op, If) and self.ends(op, block, end):
                return out + self.tail(op, block, end)
            out += self.statement(op)
        out += early.get(len(block.ops), list)()
        out += end(list(block.yields))
        if turn and self.turning is not None and len(out) > self.turning:
            self.mark(out[self.turning], "backward")
        return out

    def turn(self, block: Block) -> list[int]:
        """Where the backward sweep begins: after it, everything was made for the derivative."""
        if block is not self.subject.body:
            return []
        made = [is_made(op) for op in block.ops]
        first = len(made)
        while first and made[first - 1]:
            first -= 1
        return [first] if 0 < first < len(made) else []

    def mark(self, statement: ast.stmt, sweep: str) -> None:
        statement.comments = [sweep, *getattr(statement, "comments", [])]  # type: ignore[attr-defined]

    def ends(self, op: If, block: Block, end: Any) -> bool:
        """Whether an ``if`` is the end of this region, so that its sides may leave it."""
        if op.results and op.results[0] in self.nesting.nested:
            return False
        leaves = getattr(end, "stop", None)
        if leaves is None:
            return end_is_return(end) and len(block.yields) > 0 and all(
                y in op.results for y in block.yields if isinstance(y, Value)
            ) and not is_plain_choice(op)
        stop = leaves(block.yields)
        return isinstance(stop, Value) and stop in op.results

    def tail(self, op: If, block: Block, end: Any) -> Statements:
        sides = []
        for side in (op.then, op.orelse):
            table = dict(zip(op.results, side.yields, strict=True))
            finals = [table.get(y, y) if isinstance(y, Value) else y for y in block.yields]
            inner = Block([], side.ops, finals)
            line = self.line
            sides.append(self.block(inner, end))
            self.line = line
        then, orelse = sides
        test = self.operand(op.cond)
        first = common_start(then, orelse, names_read(test))
        then, orelse = then[len(first) :], orelse[len(first) :]
        if leaves_region(then):
            return [*first, self.commented(ast.If(test, then, []), op), *orelse]
        if leaves_region(orelse):
            return [*first, self.commented(ast.If(negated(test), orelse, []), op), *then]
        return [*first, self.commented(ast.If(test, then or [ast.Pass()], orelse), op)]

    # -- statements ------------------------------------------------------------------

    def statement(self, op: Op) -> Statements:
        if isinstance(op, Loop):
            return self.loop(op)
        if op in self.bound:
            return []
        if len(op.results) == 1 and op.results[0] in self.nesting.nested:
            return []
        if isinstance(op, If):
            return self.branch(op)
        if isinstance(op, Call):
            return [self.commented(assign([self.target(r) for r in op.results], self.expression(op)), op)]
        assert isinstance(op, Apply)
        return [self.commented(self.applied(op), op)]

    def target(self, value: Value) -> str:
        return self.names[value] if self.nesting.uses[value] else "_"

    def applied(self, op: Apply) -> ast.stmt:
        if op.fn == "raise":
            parts = [self.operand(a) for a in op.args]
            return ast.Raise(parts[0] if parts else None, parts[1] if len(parts) > 1 else None)
        if op.fn == "assert":
            parts = [self.operand(a) for a in op.args]
            return ast.Assert(parts[0], parts[1] if len(parts) > 1 else None)
        if op.fn in (linear.index_add, operator.iadd) and self.in_place(op):
            return self.added(op)
        if op.fn == "unpack":
            return unpacking([self.target(r) for r in op.results], self.operand(op.args[0]))
        if op.effect and not self.nesting.uses[op.result]:
            return ast.Expr(self.expression(op))
        return assign([self.names[op.result]], self.expression(op))

    def in_place(self, op: Apply) -> bool:
        buffer = op.args[0]
        same = isinstance(buffer, Value) and self.names[buffer] == self.names[op.result]
        if op.fn is operator.iadd:
            return same
        return same and simple_index(op.args[1]) and (is_array(buffer) or has_slice(op.args[1]))

    def added(self, op: Apply) -> ast.stmt:
        target: Any = ast.Name(self.names[op.result], ast.Store())
        if op.fn is linear.index_add:
            target = ast.Subscript(target, self.operand(op.args[1]), ast.Store())
        value = op.args[-1]
        kind: ast.operator = ast.Add()
        if isinstance(value, Value) and value in self.nesting.nested:
            inner = self.nesting.ops[value]
            if isinstance(inner, Apply) and inner.fn is operator.neg:
                kind, value = ast.Sub(), inner.args[0]
        return ast.AugAssign(target, kind, self.operand(value))

    def commented(self, statement: ast.stmt, op: Op) -> ast.stmt:
        """Where the statement comes from, when that is another line than the last one's."""
        if op.loc is not None and op.loc.line != self.line:
            self.line = op.loc.line
            statement.trailing = f"line {op.loc.line}"  # type: ignore[attr-defined]
            self.keep_comments(statement, op)
        return statement

    def keep_comments(self, statement: ast.stmt, op: Op) -> None:
        """The user's own comments stay with the statement of theirs that is kept."""
        source = self.subject.source
        line = op.loc.line if op.loc is not None else 0
        if source is None or line in self.explained or any(r.made for r in op.results):
            return
        self.explained.add(line)
        kept = source.comment_lines_above(line)
        if line in source.comments:
            kept = [*kept, source.comments[line]]
        if kept:
            statement.comments = kept  # type: ignore[attr-defined]

    # -- branches --------------------------------------------------------------------

    def branch(self, op: If) -> Statements:
        sides = []
        for side in (op.then, op.orelse):
            line = self.line
            sides.append(self.block(side, lambda finals: self.copies(op.results, finals)))
            self.line = line
        then, orelse = sides
        if op.expression and len(op.results) == 1 and self.nesting.only_nested(op):
            return [self.commented(assign([self.names[op.results[0]]], self.choice(op)), op)]
        if not then and not orelse:
            return []
        test = self.operand(op.cond)
        made = ast.If(test, then, orelse) if then else ast.If(negated(test), orelse, [])
        return [self.commented(made, op)]

    def copies(self, targets: list[Value], sources: list[Operand]) -> Statements:
        """``targets = sources`` all at once, leaving out what is there already."""
        pairs = []
        for target, source in zip(targets, sources, strict=True):
            if source is UNDEFINED or not self.nesting.uses_of(target):
                continue
            if isinstance(source, Value) and source not in self.nesting.nested and self.names[source] == self.names[target]:
                continue
            pairs.append((self.names[target], self.operand(source)))
        return in_order(pairs)

    # -- loops -----------------------------------------------------------------------

    def loop(self, op: Loop) -> Statements:
        out = self.copies(op.carried, op.inits)
        groups = self.tape_names(op)
        out += [assign([name], ast.List([], ast.Load())) for name in groups]
        count = self.names[op.count] if op.count is not None else None
        if count:
            out.append(assign([count], ast.Constant(0)))
        head = self.head(op)
        body: Statements = []
        if count:
            body.append(ast.AugAssign(ast.Name(count, ast.Store()), ast.Add(), ast.Constant(1)))
        end = LoopEnd(self, op, groups)
        body += self.block(op.body, end)
        out = self.unbound(op, body) + out
        if isinstance(head, ast.While):
            body = self.condition(op) + body
        head.body = body or [ast.Pass()]
        self.line = op.loc.line if op.loc and not out else self.line
        if op.loc is not None and not op.backwards:
            head.trailing = f"line {op.loc.line}"  # type: ignore[attr-defined]
        return [*out, head]

    def unbound(self, op: Loop, body: Statements) -> Statements:
        """None for what a loop binds late, but copies or puts on a tape in every iteration."""
        passed = {n for statement in body for n in names_passed_on(statement)}
        late = [self.names[p] for p, init in zip(op.carried, op.inits, strict=True) if init is UNDEFINED]
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
            return ast.While(self.operand(op.cond.yields[0]) if plain else ast.Constant(True), [], [])
        targets, iterables = self.sources(op)
        if len(targets) == 1:
            return ast.For(targets[0], iterables[0], [], [])
        both = ast.Tuple(targets, ast.Store())
        if len(targets) == 2 and self.counts_up(op):
            return ast.For(both, ast.Call(load("enumerate"), iterables[1:], []), [], [])
        return ast.For(both, ast.Call(load("zip"), iterables, []), [], [])

    def counts_up(self, op: Loop) -> bool:
        """Whether the index is the number of the element: what ``enumerate`` gives."""
        if op.bounds is None or op.backwards or any(flip for _, flip in op.feeds):
            return False
        if op.index is None or not self.nesting.uses[op.index]:
            return False
        lo, _, step = op.bounds
        return isinstance(lo, Const) and lo.value == 0 and isinstance(step, Const) and step.value == 1

    def sources(self, op: Loop) -> tuple[list[ast.expr], list[ast.expr]]:
        """What the ``for`` binds, and what it iterates over."""
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
            return ast.Tuple([ast.Name(self.target(r), ast.Store()) for r in taken.results], ast.Store())
        names = [ast.Name(self.names[read[s]] if s in read else "_", ast.Store()) for s in group]
        return names[0] if len(names) == 1 else ast.Tuple(list(names), ast.Store())

    def taken_apart(self, op: Loop, element: Value | None) -> Apply | None:
        """The unpacking that is all a loop does with an element: its head can do it."""
        for inner in op.body.ops:
            if not (isinstance(inner, Apply) and inner.fn == "unpack"):
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

    def __init__(self, writer: Rebuilder, op: Loop, groups: dict[str, list[int]]) -> None:
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


def is_made(op: Op) -> bool:
    return bool(op.results) and all(r.made for r in op.results)


def none_if_undefined(operand: Operand) -> Operand:
    return Const(None) if operand is UNDEFINED else operand


def end_is_return(end: Any) -> bool:
    return getattr(end, "__name__", "") == "<lambda>" and "flat" in getattr(end, "__code__", end).co_freevars


def is_plain_choice(op: If) -> bool:
    """A choice without statements reads better as one."""
    return op.expression


def leaves_region(body: Statements) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Break, ast.Return, ast.Raise))


def assign(names: list[str], value: ast.expr) -> ast.stmt:
    targets: list[ast.expr] = [ast.Name(n, ast.Store()) for n in names]
    target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
    if not names:
        return ast.Expr(value)
    return ast.Assign([target], value)


def unpacking(names: list[str], value: ast.expr) -> ast.stmt:
    targets: list[ast.expr] = [ast.Name(n, ast.Store()) for n in names]
    return ast.Assign([ast.Tuple(targets, ast.Store())], value)


def common_start(then: Statements, orelse: Statements, read: set[str]) -> Statements:
    """What both sides begin with, as long as the test does not read what it binds."""
    first: Statements = []
    for a, b in zip(then, orelse, strict=False):
        simple = isinstance(a, (ast.Assign, ast.Expr)) and ast.dump(a) == ast.dump(b)
        if not simple or read & names_bound(a):
            break
        first.append(a)
    return first


def names_bound(statement: ast.stmt) -> set[str]:
    stored = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return {n.id for n in stored}


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def in_order(pairs: list[tuple[str, ast.expr]]) -> Statements:
    """Parallel assignments one after another, or as one tuple where they cross."""
    out: Statements = []
    remaining = list(pairs)
    while remaining:
        for at, (name, _) in enumerate(remaining):
            others = remaining[:at] + remaining[at + 1 :]
            if not any(name in names_read(value) for _, value in others):
                out.append(assign([name], remaining.pop(at)[1]))
                break
        else:
            names = [name for name, _ in remaining]
            values = [value for _, value in remaining]
            return [*out, assign(names, ast.Tuple(values, ast.Load()))]
    return out


def simple_index(index: Operand) -> bool:
    """Integers, slices and None: ``x[i] += c`` adds each element once."""
    if isinstance(index, tuple):
        return all(simple_index(i) for i in index)
    if isinstance(index, slice):
        return True
    if isinstance(index, Const):
        return index.value is None or index.value is Ellipsis or type(index.value) is int
    kind = getattr(index, "type", None)
    return getattr(kind, "kind", None) == "i" and getattr(kind, "dims", None) == ()


def has_slice(index: Operand) -> bool:
    """A subscript that only arrays take: a bare slice of a list would append."""
    return isinstance(index, tuple) and any(isinstance(i, slice) for i in index)


def is_array(value: Operand) -> bool:
    kind = getattr(value, "type", None)
    return bool(getattr(kind, "dims", None)) and not isinstance(kind, Stack)
