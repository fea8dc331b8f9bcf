"""A text that notes which of its expressions give NaN or infinity, so that the one which made it can be found.

Every expression with a value of its own is handed to ``see__`` with its number; what is finite is forgotten
at once.  An event links to those of its operands, so from a result that is not finite the way leads back,
against the flow of the program: an infinity that was masked or cut off on another way is never met.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.nonfinite import badness, described, first_place

__all__ = ["Event", "Recorder", "Spot", "watched_text"]

GARBAGE = ("empty", "empty_like")  # whose entries are whatever lay there
LARGEST = 8  # parts of a tuple that are looked at


@dataclasses.dataclass(frozen=True)
class Spot:
    """An expression of a text: what it says, the line of its statement, the spots of its operands."""

    text: str
    line: int
    operands: tuple[int, ...]
    name: bool = False  # a name: its value was made elsewhere


@dataclasses.dataclass(eq=False)
class Event:
    """A value that is not finite: "nan" or "inf", where, what its operands were then."""

    spot: Spot
    value: Any
    kind: str
    place: tuple[int, ...] | None
    operands: list[tuple[str, str]]
    before: list[Event]
    number: int  # in the order of time


class Recorder:
    """What ``see__`` has seen; ``events`` in the order of time."""

    def __init__(self) -> None:
        self.spots: list[Spot] = []
        self.last: dict[int, tuple[Any, Event | None]] = {}
        self.events: list[Event] = []

    def see(self, number: int, value: Any) -> Any:
        spot = self.spots[number]
        operands = [(k, self.last.pop(k)) for k in spot.operands if k in self.last]
        part = first_bad(value)
        event = None
        if part is not None:
            event = self.noted(spot, part, operands)
        self.last[number] = value, event
        return value

    def into(self, number: int, base: Any, part: Any) -> None:
        """A part of ``base`` was written; what else is in it may be whatever lay there."""
        spot = self.spots[number]
        operands = [(k, self.last.pop(k)) for k in spot.operands if k in self.last]
        bad = first_bad(part)
        if bad is not None:
            self.noted(spot, bad, operands).value = base

    def noted(self, spot: Spot, part: Any, operands: Any) -> Event:
        kind = badness(part)
        place = first_place(part, kind)
        told = [(self.spots[k].text, described(value, place)) for k, (value, _) in operands]
        before = [event for _, (_, event) in operands if event is not None]
        made = Event(spot, part, kind, place, told, before, len(self.events))
        self.events.append(made)
        return made

    # -- the way back ---------------------------------------------------------------------------

    def origin(self, value: Any) -> tuple[Event | None, Event | None]:
        """The event that made what is not finite in a result, and that which made the infinity it came from."""
        start = self.maker(value, len(self.events))
        made = self.back(start) if start is not None else None
        earlier = None
        if made is not None and made.kind == "nan" and made.before:
            earlier = self.back(made.before[0])
        return made, earlier

    def back(self, event: Event) -> Event:
        """Against the flow, as long as an operand is the same kind of bad; "inf" may have become NaN here."""
        seen: set[int] = set()
        while id(event) not in seen:
            seen.add(id(event))
            further = self.step(event)
            if further is None:
                return event
            event = further
        return event

    def step(self, event: Event) -> Event | None:
        same = [e for e in event.before if e.kind == event.kind]
        if same:
            return same[0]
        if event.before:  # NaN from infinities: it was made here
            return None
        return self.maker(event.value, event.number)

    def maker(self, value: Any, until: int) -> Event | None:
        """The last event before one that gave this very object, or wrote to its memory."""
        for event in reversed(self.events[:until]):
            if not event.spot.name and is_one(event.value, value):
                return event
        return None


def is_one(a: Any, b: Any) -> bool:
    if a is b:
        return True
    both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    return both and np.may_share_memory(a, b)


def first_bad(value: Any) -> Any:
    """The first part of a value that is not finite; None if there is none."""
    if type(value) is tuple and len(value) <= LARGEST:
        return next((found for part in value if (found := first_bad(part)) is not None), None)
    return value if badness(value) else None


# -- the text ---------------------------------------------------------------------------------


def watched_text(tree: ast.Module, recorder: Recorder) -> ast.Module:
    """The module with ``see__`` around what its functions compute.

    >>> r = Recorder()
    >>> print(ast.unparse(watched_text(ast.parse("def f(x):\\n    y = x * 2.0\\n    return y"), r)))
    def f(x):
        y = see__(1, see__(0, x) * 2.0)
        return see__(2, y)
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            Watching(recorder, node).visit(node)
    return ast.fix_missing_locations(tree)


class Watching(ast.NodeTransformer):
    """Wraps the expressions of one function."""

    def __init__(self, recorder: Recorder, function: ast.FunctionDef) -> None:
        self.recorder, self.line = recorder, function.lineno
        self.own = set(bound(function))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = self.block(node.body)
        return node

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [made for node in body for made in self.statement(node)]

    def statement(self, node: Any) -> Iterator[ast.stmt]:
        self.line = node.lineno
        if isinstance(node, ast.AugAssign):
            yield from self.augmented(node)
            return
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            yield from self.stored(node)
            return
        if isinstance(node, (ast.Delete, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.ClassDef)):
            if isinstance(node, ast.FunctionDef):
                node.body = self.block(node.body)
            yield node
            return
        for field, value in ast.iter_fields(node):
            if field in ("body", "orelse", "finalbody"):
                setattr(node, field, self.block(value))
            elif field == "handlers":
                for handler in value:
                    handler.body = self.block(handler.body)
            elif isinstance(value, ast.expr) and field not in ("target", "annotation"):
                self.line = node.lineno
                setattr(node, field, self.visit(value))
        yield node

    def stored(self, node: Any) -> Iterator[ast.stmt]:
        """``x[i] = v``: afterwards ``x`` is what ``v`` made of it."""
        text, line = ast.unparse(node), node.lineno
        node.value = self.visit(node.value)
        numbers = self.numbers(node.value)
        yield node
        yield self.afterwards(node.targets[0], text, line, numbers)

    def augmented(self, node: Any) -> Iterator[ast.stmt]:
        text, line = ast.unparse(node), node.lineno
        target = node.target
        before = self.seen(ast.copy_location(again(target), node), ast.unparse(target), ())
        yield ast.copy_location(ast.Expr(before), node)
        node.value = self.visit(node.value)
        numbers = (*self.numbers(before), *self.numbers(node.value))
        yield node
        yield self.afterwards(target, text, line, numbers)

    def afterwards(self, target: Any, text: str, line: int, numbers: tuple[int, ...]) -> ast.stmt:
        read = again(target)
        if not isinstance(target, ast.Subscript):
            return ast.copy_location(ast.Expr(self.seen(read, text, numbers, line)), target)
        call = self.seen(read, text, numbers, line)
        assert isinstance(call, ast.Call)
        call.func = ast.Name("into__", ast.Load())
        call.args = [call.args[0], again(target.value), read]
        return ast.copy_location(ast.Expr(call), target)

    # -- expressions ----------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.id not in self.own:
            return node
        return self.seen(node, node.id, (), name=True)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.computed(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self.computed(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self.computed(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self.computed(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or root(node) not in self.own:
            return node
        return self.computed(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        text = ast.unparse(node)
        if isinstance(node.func, ast.Attribute) and root(node.func) in self.own:
            node.func.value = self.visit(node.func.value)
        node.args = [self.visit(arg) for arg in node.args]
        for keyword in node.keywords:
            keyword.value = keyword.value if keyword.arg == "out" else self.visit(keyword.value)
        if isinstance(node.func, ast.Attribute) and node.func.attr in GARBAGE:
            return node
        return self.seen(node, text, self.numbers(node))

    def computed(self, node: Any) -> ast.expr:
        text = ast.unparse(node)
        self.generic_visit(node)
        return self.seen(node, text, self.numbers(node))

    def numbers(self, node: ast.AST) -> tuple[int, ...]:
        """The spots right below a node."""
        found: list[int] = []
        stack = [node]
        while stack:
            one = stack.pop(0)
            if (
                isinstance(one, ast.Call)
                and isinstance(one.func, ast.Name)
                and one.func.id == "see__"
            ):
                found.append(one.args[0].value)  # type: ignore[attr-defined]
            else:
                stack = [*ast.iter_child_nodes(one), *stack]
        return tuple(found)

    def seen(
        self,
        node: ast.expr,
        text: str,
        operands: tuple[int, ...],
        line: int = 0,
        name: bool = False,
    ) -> ast.expr:
        self.recorder.spots.append(Spot(text, line or self.line, operands, name))
        number = ast.Constant(len(self.recorder.spots) - 1)
        made = ast.Call(ast.Name("see__", ast.Load()), [number, node], [])
        return ast.copy_location(made, node)


def again(target: ast.expr) -> ast.expr:
    """What is written to, read."""
    return ast.parse(ast.unparse(target), mode="eval").body


def root(node: Any) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def bound(function: ast.FunctionDef) -> Iterator[str]:
    """The names that a function binds itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
