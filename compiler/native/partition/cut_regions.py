"""A function of an emitted module, cut in regions: what a kernel may take, and what stays NumPy.

A region is a run of statements that the loop IR may take.  It becomes a function of its own, from
the names that it reads to those that are read after it, and a call takes its place.  A compound
statement of which something cannot be taken stays, and its body is cut likewise.

A region is worth a call (about 0.5 us, as much as an operation of NumPy) if it has ``LEAST``
operations: a call of a function counts two, an operator one, a loop ten times its body.
"""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field

from ..text.name_aliasing import Memory, is_view, names_of, visible_in
from ..text.name_liveness import assigned, exposed, lives
from ..text.operation_counts import jumps, operations, returns
from .kind_questions import asked_for_kind
from .lowerable import Grammar

__all__ = ["Cut", "Region", "cut", "writes_loops"]

LEAST = 5
WIDTH = 92


@dataclass(frozen=True, eq=False)
class Region:
    """Statements that are a function of their own."""

    name: str
    first: int  # its lines in the text
    last: int
    stmts: list[ast.stmt]
    params: tuple[str, ...]
    results: tuple[str, ...]
    lines: tuple[tuple[str, int], ...]  # of its body, with their numbers in the text

    def definition(self) -> list[tuple[str, int]]:
        """Its text."""
        head = call_of(f"def {self.name}", self.params, "", ":")
        end = [] if returns(self.stmts[-1]) else [f"    return {', '.join(self.results)}"]
        made = [(line, 0) for line in head]
        return [*made, *self.lines, *((line, 0) for line in [*end, "", ""])]

    def reading(self, name: str) -> list[int]:
        """The lines of the statements that read a name."""
        return [s.lineno for s in statements(self.stmts) if name in set(own_names(s))]

    def making(self, name: str) -> list[int]:
        """The lines of the statements that bind a name."""
        return [s.lineno for s in self.stmts if name in stored(s)]

    def all_lines(self) -> list[int]:
        return [s.lineno for s in statements(self.stmts)]


@dataclass(frozen=True, eq=False)
class Cut:
    """The module with its regions apart; ``stays``: why lines of the text do."""

    text: str
    regions: list[Region]
    origin: list[int]  # the line of the text that a line was
    stays: dict[int, str]


class Again(Exception):
    """Something more stays: cut anew."""


def cut(text: str, name: str, scope: dict[str, Any], stays: dict[int, str], names: Any) -> Cut:
    """Cut the function ``name``; ``stays``: lines that are known to stay, and why.

    ``names(key)`` is the name of the function for a region of that text.
    """
    cutter = Cutter(text, name, scope, dict(stays), names)
    while True:
        try:
            return cutter.whole()
        except Again:
            continue


@dataclass(eq=False)
class Cutter:
    text: str
    name: str
    scope: dict[str, Any]
    stays: dict[int, str]
    names: Any
    regions: list[Region] = field(default_factory=list)
    out: list[tuple[str, int]] = field(default_factory=list)
    at: int = 0  # the last line that has been written
    left: set[str] = field(default_factory=set)  # read where a `break` of the loop around leads

    def __post_init__(self) -> None:
        self.source = self.text.splitlines()
        functions = {
            node.name: node
            for node in ast.parse(self.text).body
            if isinstance(node, ast.FunctionDef)
        }
        self.main = functions[self.name]
        self.visible = visible_in(self.main, self.scope)
        self.memory = Memory(self.main, self.visible, self.scope, functions)
        grammar = Grammar(functions, self.scope)
        for stmt in statements(self.main.body):
            reason = grammar.refusal(stmt, self.visible)
            if reason is not None:
                self.stays.setdefault(stmt.lineno, reason)
        for stmt in asked_for_kind(list(statements(self.main.body)), self.visible):
            self.stays.setdefault(stmt.lineno, "it is asked for the kind of what it gives")

    def whole(self) -> Cut:
        """All of the module; ``Again`` if it must be tried once more."""
        self.regions, self.out = [], []
        self.at = self.main.lineno - 1
        args = self.main.args
        bound = {a.arg for a in ast.walk(args) if isinstance(a, ast.arg)}
        self.upto(self.main.body[0].lineno - 1)
        self.block(self.main.body, set(), bound, True)
        self.upto(self.main.end_lineno or 0)
        first, last = self.main.lineno, self.main.end_lineno or 0
        apart = [line for region in self.regions for line in region.definition()]
        ahead = [(line, k + 1) for k, line in enumerate(self.source[: first - 1])]
        rest = [(line, k + 1 + last) for k, line in enumerate(self.source[last:])]
        lines = [*ahead, *apart, *self.out, *rest]
        text = "\n".join(line for line, _ in lines) + "\n"
        return Cut(text, self.regions, [k for _, k in lines], self.stays)

    def upto(self, last: int) -> None:
        """The lines of the text as they are."""
        self.out += [(self.source[k], k + 1) for k in range(self.at, last)]
        self.at = max(self.at, last)

    def block(self, stmts: list[ast.stmt], live: set[str], bound: set[str], tail: bool) -> None:
        """The statements of a block; ``live``: names read after it, ``bound``: surely bound before."""
        k, looks = 0, dict[str, ast.Assign]()
        later = lives(stmts, live, self.left)
        while k < len(stmts):
            run = trimmed(self.run(stmts, k, tail))
            inside: set[str] = set()
            if run and run[0] is stmts[k]:
                inside = self.region(run, later[k + len(run)], bound, looks)
            else:
                run = [stmts[k]]
                self.stay(run[0], later[k + 1], bound)
            bound = bind(run, bound)
            looks = looked(run, looks, inside)
            k += len(run)

    def run(self, stmts: list[ast.stmt], k: int, tail: bool) -> list[ast.stmt]:
        """The run of statements from number ``k`` on that may be a region."""
        n = k
        while n < len(stmts) and self.taken(stmts[n]):
            n += 1
        run = stmts[k:n]
        ends = [i for i, s in enumerate(run) if returns(s)]
        if ends and not (tail and n == len(stmts) and isinstance(run[-1], ast.Return)):
            run = run[: ends[0]]
        return run

    def taken(self, stmt: ast.stmt) -> bool:
        return not jumps(stmt) and not any(s.lineno in self.stays for s in statements([stmt]))

    def stay(self, stmt: ast.stmt, after: set[str], bound: set[str]) -> None:
        """A statement as it is, but for regions in its body."""
        whole = self.taken(stmt) or not isinstance(stmt, (ast.For, ast.While, ast.If))
        if whole or stmt.body[0].lineno == stmt.lineno:  # type: ignore[attr-defined]
            self.upto(stmt.end_lineno or 0)
            return
        assert isinstance(stmt, (ast.For, ast.While, ast.If))
        outer = self.left
        if not isinstance(stmt, ast.If):
            after = self.left = exposed([stmt], after)
            if isinstance(stmt, ast.For):
                bound = bound | set(names_of(stmt.target))
        self.upto(stmt.body[0].lineno - 1)
        self.block(stmt.body, after, bound, False)
        self.left = outer
        if stmt.orelse:
            self.upto(stmt.orelse[0].lineno - 1)
            if self.source[self.at].lstrip().startswith("elif"):
                self.stay(stmt.orelse[0], after, bound)
            else:
                self.block(stmt.orelse, after, bound, False)

    # -- one region

    def region(
        self, run: list[ast.stmt], after: set[str], bound: set[str], looks: dict[str, ast.Assign]
    ) -> set[str]:
        """Make a region of a run; what it binds and nobody outside sees."""
        first, last = run[0].lineno, run[-1].end_lineno or 0
        made = assigned(run)
        results = made & after
        again = [s for s in run if self.is_again(s, run, results)]
        seen = {n for s in again for n in stored(s)}
        results |= {n for s in again for n in names_of(s) if n in made}
        results -= seen
        reads = exposed(run, results)
        params = {n for n in reads if n not in self.visible}
        ahead: list[ast.Assign] = []  # views of arrays, made in the region: it gets the arrays
        while looked_at := sorted(params & set(looks)):
            ahead.insert(0, looks[looked_at[0]])
            held = set(names_of(ahead[0].value)) - set(self.visible)
            params = (params - {looked_at[0]}) | held
        self.check(run, params, results, bound)
        if not results and not returns(run[-1]) and not writes_loops(run):
            self.upto(last)
            return set()
        self.upto(first - 1)
        listed = tuple(in_order([*ahead, *run], params)), tuple(in_order(run, results))
        indent = " " * run[0].col_offset
        body = tuple(
            ("    " + line.removeprefix(indent) if line.strip() else "", first + k)
            for k, line in enumerate(self.source[first - 1 : last])
        )
        views = tuple(("    " + self.source[s.lineno - 1].strip(), s.lineno) for s in ahead)
        body = (*views, *body)
        name = self.names((listed, tuple(line for line, _ in body)))
        found = Region(name, first, last, run, *listed, body)
        self.regions.append(found)
        left = "return " if returns(run[-1]) else f"{', '.join(found.results)} = "
        left = left if found.results or returns(run[-1]) else ""
        self.out += [(indent + t, first) for t in call_of(left + name, found.params, indent)]
        for stmt in again:
            self.out.append((self.source[stmt.lineno - 1], stmt.lineno))
        self.at = last
        return made - results - seen

    def is_again(self, stmt: ast.stmt, run: list[ast.stmt], results: set[str]) -> bool:
        """True if a result is only another look at an array: to be made once more after the call."""
        if not (
            isinstance(stmt, ast.Assign)
            and len(stmt.targets) == 1
            and isinstance(stmt.targets[0], ast.Name)
            and stmt.targets[0].id in results
            and is_view(stmt.value)
            and stmt.lineno == stmt.end_lineno
        ):
            return False
        name, at = stmt.targets[0].id, run.index(stmt)
        count = Counter(n for s in run for n in stored(s))
        before = {n for s in run[:at] if isinstance(s, ast.Assign) for n in stored(s)}
        return count[name] == 1 and all(
            not count[n] or (count[n] == 1 and n in before) for n in names_of(stmt.value)
        )

    def check(
        self, run: list[ast.stmt], params: set[str], results: set[str], bound: set[str]
    ) -> None:
        """Put out of the run what would not mean the same there."""
        first, last = run[0].lineno, run[-1].end_lineno or 0
        for name in sorted(params | results):
            if name in self.memory.lists:
                self.leave(run, name, f"`{name}`, a list, is seen by other statements")
        if not writes_loops(run):
            for stmt in run:
                for name in sorted(set(written_in(stmt)) & params):
                    self.stays[stmt.lineno] = (
                        f"`{name}`, an array from before, is written to outside of a loop"
                    )
                    raise Again
        for name in sorted(params - bound):
            self.leave(run, name, f"`{name}` may not be bound")
        for name in sorted(results):
            shared = name in params or not self.memory.alone(name)
            if shared and self.memory.written(name, first, last):
                self.leave(run, name, f"`{name}` is written to, and may be held by another name")

    def leave(self, run: list[ast.stmt], name: str, reason: str) -> None:
        """The statements of a run that have to do with a name stay; all of them, if none names it."""
        own = [s for s in run if name in set(names_of(s)) and s.lineno not in self.stays]
        for stmt in own or run:
            self.stays[stmt.lineno] = reason
        raise Again


def looked(
    run: list[ast.stmt], looks: dict[str, ast.Assign], inside: set[str]
) -> dict[str, ast.Assign]:
    """The names that are views of arrays after a run: of what, if that is still the same array, and not ``inside`` it."""
    looks = dict(looks)
    for stmt in run:
        bound = set(stored(stmt))
        looks = {
            n: s for n, s in looks.items() if n not in bound and not bound & set(names_of(s.value))
        }
        if (
            isinstance(stmt, ast.Assign)
            and isinstance(stmt.targets[0], ast.Name)
            and len(stmt.targets) == 1
            and isinstance(stmt.value, (ast.Attribute, ast.Subscript))
            and is_view(stmt.value)
            and not bound & set(names_of(stmt.value))
            and stmt.lineno == stmt.end_lineno
        ):
            looks[stmt.targets[0].id] = stmt
    return {n: s for n, s in looks.items() if not inside & set(names_of(s.value))}


def writes_loops(run: list[ast.stmt]) -> bool:
    """True if statements write to arrays in loops: worth a copy of an array that is there already."""
    loops: list[ast.stmt] = [s for s in run if isinstance(s, (ast.For, ast.While))]
    return any(True for s in statements(loops) for _ in written_in(s))


def written_in(stmt: ast.stmt) -> Iterator[str]:
    """The names of arrays that a statement itself writes to, as far as its text says."""
    if isinstance(stmt, (ast.Assign, ast.AugAssign)):
        targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]
        for target in targets:
            while isinstance(target, ast.Subscript):
                target = target.value
                if isinstance(target, ast.Name):
                    yield target.id
    elif isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
        call = stmt.value
        at = isinstance(call.func, ast.Attribute) and call.func.attr == "at"
        if at and call.args and isinstance(call.args[0], ast.Name):
            yield call.args[0].id


def stored(stmt: ast.stmt) -> list[str]:
    """The names that a statement binds, as often as it does."""
    return [
        n.id for n in ast.walk(stmt) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    ]


def trimmed(run: list[ast.stmt]) -> list[ast.stmt]:
    """A run without what is no work at its end; nothing if it is not worth a call."""
    if not run or operations(run) < LEAST or isinstance(run[0], (ast.Pass, ast.Expr)):
        return []
    while not operations(run[-1:]):
        if isinstance(run[-1], ast.Return):
            known = set(names_of(run[-1])) <= assigned(run)
            if known or any(map(returns, run[:-1])):
                break
        run = run[:-1]
    return run


def statements(stmts: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements and those of their blocks."""
    for stmt in stmts:
        yield stmt
        if isinstance(stmt, (ast.For, ast.While, ast.If)):
            yield from statements([*stmt.body, *stmt.orelse])


def own_names(stmt: ast.stmt) -> Iterator[str]:
    """The names of a statement, or of the head of a compound one."""
    if isinstance(stmt, ast.For):
        yield from names_of(stmt.iter)
    elif isinstance(stmt, (ast.While, ast.If)):
        yield from names_of(stmt.test)
    else:
        yield from names_of(stmt)


def bind(stmts: list[ast.stmt], bound: set[str]) -> set[str]:
    """The names that are surely bound after some statements."""
    bound = set(bound)
    for stmt in stmts:
        if isinstance(stmt, (ast.Assign, ast.AugAssign)):
            bound |= assigned([stmt])
        elif isinstance(stmt, ast.FunctionDef):
            bound.add(stmt.name)
        elif isinstance(stmt, ast.Delete):
            bound -= set(names_of(stmt))
        elif isinstance(stmt, ast.If):
            sides = [bind(b, bound) for b in (stmt.body, stmt.orelse) if not leaves(b)]
            bound = set.intersection(*sides) if sides else bound
        elif isinstance(stmt, ast.While) and isinstance(stmt.test, ast.Constant):
            bound = bind(before_break(stmt.body), bound)
    return bound


def leaves(block: list[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], (ast.Return, ast.Break, ast.Continue, ast.Raise))


def before_break(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of an endless loop that run before it can be left."""
    for k, stmt in enumerate(body):
        if any(isinstance(n, (ast.Break, ast.Continue)) for n in ast.walk(stmt)):
            return body[:k]
    return body


def in_order(run: list[ast.stmt], names: set[str]) -> list[str]:
    """Names in the order in which a run has them."""
    found = [n for stmt in run for n in names_of(stmt) if n in names]
    return [*dict.fromkeys(found), *sorted(names - set(found))]


def call_of(head: str, args: tuple[str, ...], indent: str, end: str = "") -> list[str]:
    """A call or a head of a function, in lines that are not too long."""
    inner = ", ".join(args)
    if len(indent) + len(head) + len(inner) + 3 <= WIDTH:
        return [f"{head}({inner}){end}"]
    lines = textwrap.wrap(inner, WIDTH - len(indent) - 4, break_long_words=False)
    return [f"{head}(", *(f"    {line}" for line in lines), f"){end}"]
