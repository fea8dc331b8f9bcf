"""The statements of a C function, with a name for everything where it is declared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Bail,
    Break,
    Comment,
    Continue,
    For,
    If,
    Let,
    Lit,
    Op,
    Reserve,
    Routine,
    Set,
    Stmt,
    Store,
    Var,
    While,
    affine,
    plus,
)
from ..loop_ir.storage import elements
from ..refusal import Unsupported
from .expressions import Expressions, negated
from .known_loops import Given
from .layout import ROOM, Layout
from .names import INDICES, plain
from .short_forms import Room
from .versions import Begin
from .wrapping import wrapped
from .zeros import zeros

__all__ = ["Printer"]

STORED = {"f8": "double", "f4": "float", "b1": "unsigned char"}


class Printer:
    """``hints``: what variables are named after; ``taken``: the names that are seen everywhere."""

    def __init__(
        self, prefix: str, integer: str, layout: Layout, hints: dict[str, str], taken: set[str]
    ) -> None:
        self.prefix, self.layout, self.hints = prefix, layout, hints
        self.names: dict[str, str] = {}
        self.scopes: list[set[str]] = [taken]
        self.say = Expressions(self.name_of, integer)
        self.stored = {**STORED, "i8": integer}
        self.routines: set[tuple[str, str]] = set()
        self.fails = False

    # -- names

    def name_of(self, name: str) -> str:
        if name not in self.names:
            raise Unsupported(f"`{self.hints.get(name, name)}` before it has a value")
        return self.names[name]

    def enter(self, name: str, wanted: str) -> str:
        """A name of this block, and what it is called."""
        seen = set().union(*self.scopes)
        found, k = wanted, 1
        while found in seen:
            k += 1
            found = f"{wanted}_{k}"
        self.scopes[-1].add(found)
        self.names[name] = found
        return found

    def named(self, name: str) -> str:
        return self.enter(name, plain(self.hints.get(name, name).removeprefix("v_")))

    def index(self, name: str) -> str:
        seen = set().union(*self.scopes)
        hint = self.hints.get(name, "")
        if hint.startswith("v_"):
            return self.enter(name, plain(hint.removeprefix("v_")))
        own = ("k", *INDICES) if hint == "k" else INDICES
        return self.enter(name, next((i for i in own if i not in seen), "i"))

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append(set())
        yield
        self.scopes.pop()

    # -- statements

    def block(self, stmts: list[Stmt], indent: str = "    ") -> Iterator[str]:
        for k, stmt in enumerate(stmts):
            if isinstance(stmt, Comment):
                if k and not isinstance(stmts[k - 1], Comment):
                    yield ""
                yield from (f"{indent}// {line}" for line in quoted(stmt))
            else:
                for line in self.statement(stmt):
                    yield from wrapped(indent + line if line else "")

    def inner(self, stmts: list[Stmt]) -> list[str]:
        with self.scope():
            return list(self.block(stmts))

    def statement(self, stmt: Stmt) -> Iterator[str]:
        say = self.say.expression
        if isinstance(stmt, (Let, Begin)):
            value, const = say(stmt.value), "const " * isinstance(stmt, Let)
            yield f"{const}{self.say.types[stmt.var.dtype]} {self.named(stmt.var.name)} = {value};"
        elif isinstance(stmt, Set):
            yield self.assignment(stmt)
        elif isinstance(stmt, Accumulate):
            yield self.accumulated(self.name_of(stmt.var.name), stmt)
        elif isinstance(stmt, Store):
            yield self.store(stmt)
        elif isinstance(stmt, For):
            yield from self.loop(stmt)
        elif isinstance(stmt, While):
            yield from self.endless(stmt)
        elif isinstance(stmt, If):
            yield from self.choice(stmt)
        elif isinstance(stmt, (Break, Continue)):
            yield f"{type(stmt).__name__.lower()};"
        else:
            yield from self.other(stmt)

    def assignment(self, stmt: Set) -> str:
        """``x += y`` for ``x = x + y``."""
        name, e = self.name_of(stmt.var.name), stmt.value
        if isinstance(e, Op) and is_update(e, stmt.var):
            return self.updated(name, e.name, e.args[1])
        if stmt.var.dtype == "i8" and (e := affine(e)).terms and (stmt.var, 1) in e.terms:
            rest = affine(e.const) if len(e.terms) == 1 else None
            if rest == affine(1):
                return f"{name}++;"
        return f"{name} = {self.say.expression(stmt.value)};"

    def updated(self, place: str, op: str, value: object) -> str:
        sign = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}[op]
        if sign in "+-" and (less := negated(value)) is not None:
            sign, value = "-" if sign == "+" else "+", less
        return f"{place} {sign}= {self.say.expression(value)};"

    def accumulated(self, place: str, stmt: Accumulate) -> str:
        dtype = stmt.var.dtype
        if stmt.op in ("add", "multiply") and dtype != "b1":
            return self.updated(place, stmt.op, stmt.value)
        return f"{place} = {self.say.expression(Op(stmt.op, (stmt.var, stmt.value), dtype))};"

    def store(self, stmt: Store) -> str:
        place = self.say.element(stmt.buffer, stmt.index)
        if stmt.op == "add":
            return self.updated(place, "add", stmt.value)
        if stmt.op is not None:
            raise Unsupported(f"the update {stmt.op}")
        value = self.say.expression(stmt.value)
        if stmt.buffer.dtype == "b1" and not isinstance(stmt.value, Lit):
            value = f"(unsigned char){self.say.expression(stmt.value, 11)}"
        return f"{place} = {value};"

    def loop(self, stmt: For) -> Iterator[str]:
        lo, hi, kind = self.say.expression(stmt.lo), stmt.hi, self.say.types["i8"]
        with self.scope():
            last = self.say.expression(affine(hi) if not stmt.backwards else plus(hi, -1))
            i = self.index(stmt.var.name)
            if stmt.backwards:
                head = f"for ({kind} {i} = {last}; {i} >= {lo}; {i}--) {{"
            else:
                head = f"for ({kind} {i} = {lo}; {i} < {last}; {i}++) {{"
            yield head
            yield from self.inner(stmt.body)
            yield "}"

    def endless(self, stmt: While) -> Iterator[str]:
        first = stmt.body[0] if stmt.body else None
        if isinstance(first, If) and not first.orelse and [type(s) for s in first.then] == [Break]:
            yield f"while ({self.say.otherwise(first.cond)}) {{"
            yield from self.inner(stmt.body[1:])
        else:
            yield "for (;;) {"
            yield from self.inner(stmt.body)
        yield "}"

    def choice(self, stmt: If) -> Iterator[str]:
        then, orelse = stmt.then, stmt.orelse
        if not any(not isinstance(s, Comment) for s in then):
            yield f"if ({self.say.otherwise(stmt.cond)}) {{"
            yield from self.inner(orelse)
            yield "}"
            return
        yield f"if ({self.say.expression(stmt.cond)}) {{"
        yield from self.inner(then)
        if len(orelse) == 1 and isinstance(orelse[0], If):
            first, *rest = self.choice(orelse[0])
            yield f"}} else {first}"
            yield from rest
            return
        if any(not isinstance(s, Comment) for s in orelse):
            yield "} else {"
            yield from self.inner(orelse)
        yield "}"

    def other(self, stmt: Stmt) -> Iterator[str]:
        if isinstance(stmt, Bail):
            self.fails = True
            always = isinstance(stmt.cond, Lit) and stmt.cond.value
            test = "" if always else f"if ({self.say.expression(stmt.cond)}) "
            yield f"{test}return {self.prefix}_REFUSED;"
        elif isinstance(stmt, Room):
            return
        elif isinstance(stmt, Reserve):
            self.fails = True
            used = self.say.expression(plus(stmt.count, -1))
            yield f"if ({used} >= {self.name_of(ROOM.name)}) return {self.prefix}_FULL;"
        elif isinstance(stmt, Alloc):
            yield from self.memory(stmt)
        elif isinstance(stmt, Routine):
            yield self.routine(stmt)
        else:
            raise Unsupported(f"a {type(stmt).__name__.lower()}")

    def memory(self, stmt: Alloc) -> Iterator[str]:
        buffer = stmt.buffer
        if isinstance(stmt, Given):
            name, numbers = (
                self.named(buffer.name),
                ", ".join(map(self.say.expression, stmt.numbers)),
            )
            numbers = "0" if not any(x.value for x in stmt.numbers) else numbers
            yield f"static const {self.stored[buffer.dtype]} {name}[{elements(buffer)}] = {{{numbers}}};"
            return
        if id(buffer) in self.layout.stack:
            name = self.named(buffer.name)
            zero = " = {0}" * stmt.zero
            yield f"{self.stored[buffer.dtype]} {name}[{elements(buffer) or 1}]{zero};"
        elif stmt.zero:
            for made in zeros(buffer):
                yield from self.statement(made)

    def routine(self, stmt: Routine) -> str:
        dtype = stmt.written.dtype
        self.routines.add((stmt.name, dtype))
        parts = [self.say.expression(n) for n in stmt.sizes]
        parts += [self.say.place(start) for start in stmt.operands]
        call = f"{stmt.name}{'f' if dtype == 'f4' else ''}({', '.join(parts)})"
        if not stmt.fails:
            return f"{call};"
        self.fails = True
        return f"if ({call}) return {self.prefix}_REFUSED;"


def quoted(comment: Comment) -> Iterator[str]:
    """The lines of the text; what C would read in them is set apart."""
    for line in comment.lines:
        said = line.removeprefix("# ") if line.startswith("# ") else line
        yield f"{said.rstrip(chr(92))}".rstrip()


def is_update(e: Op, var: Var) -> bool:
    """True of a sum, difference, product or quotient that begins with the variable itself."""
    if e.name not in ("add", "subtract", "multiply", "divide") or e.args[0] != var:
        return False
    return bool(e.dtype == e.args[1].dtype == var.dtype != "b1")
