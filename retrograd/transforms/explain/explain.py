"""Explanations of the compiler's decisions about a function: active values, residuals, and the reasons."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.compiler.differentiate.part_of_argument import focused
from retrograd.compiler.driver.recursion_depth import deeply
from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.ir.operations import values_read
from retrograd.compiler.ir.primitives import BUNDLE, UNPACK, Primitive, Structure
from retrograd.compiler.ir.types import Array, Number, Stack, Tree
from retrograd.runtime.errors import CompileError
from retrograd.runtime.objects.own_attributes import own_attribute

from ..api import unwrap
from ..jacobian.batched_products import one_by_one
from ..specialise.internal_errors import built
from ..wrt import resolved
from .native import Compiled, span

__all__ = ["Callee", "Compiled", "Convention", "Explanation", "Kept", "Named", "explain"]


@dataclasses.dataclass(frozen=True)
class Named:
    """A value of the program: whether it carries a derivative, and why or why not."""

    name: str
    line: int
    type: str
    active: bool
    why: str


@dataclasses.dataclass(frozen=True)
class Kept:
    """A value that the backward sweep reads: kept, or computed again."""

    name: str
    line: int
    type: str
    size: str
    why: str
    recomputed: bool = False


@dataclasses.dataclass(frozen=True)
class Callee:
    """A function that is called: compiled, on the tape, or called as it is."""

    name: str
    line: int
    how: str
    why: str = ""


@dataclasses.dataclass(frozen=True)
class Convention:
    """A convention of the derivative, or of the value, of something that is called."""

    name: str
    line: int
    kind: str
    text: str


@dataclasses.dataclass(frozen=True)
class Explanation:
    """All of it; its text is for people, ``as_dict`` for programs."""

    function: str
    file: str
    line: int
    wrt: tuple[str, ...]
    values: list[Named]
    kept: list[Kept]
    aliases: list[dict[str, Any]]
    callees: list[Callee]
    refused: str = ""
    one_by_one: str = ""  # why directions of a Jacobian are not swept together
    native: list[Compiled] = dataclasses.field(default_factory=list)
    notes: list[Convention] = dataclasses.field(default_factory=list)
    unchecked: list[str] = dataclasses.field(default_factory=list)  # by the first check, and why

    def as_dict(self) -> dict[str, Any]:
        """Nested dicts and lists of texts and numbers."""
        return dataclasses.asdict(self)

    def __str__(self) -> str:
        return "\n".join(lines_of(self)) + "\n"

    __repr__ = __str__


@built
@deeply
def explain(chain: Any, wrt: tuple[Place, ...], types: dict[str, Any]) -> Explanation:
    """The explanation of the gradient of a chain's function for arguments of these types."""
    from retrograd.compiler import pipeline
    from retrograd.compiler.analyses.visible_effects import reservations
    from retrograd.compiler.frontend.source import source_of

    names = tuple(place.text(chain.parameters) for place in wrt)
    given = wrt
    wrt = resolved(chain.then("vjp", wrt), types)[-1].wrt
    source = source_of(chain.fn)
    place = (chain.fn.__qualname__, Path(source.file).name, source.line, names)
    try:
        program, function = pipeline.lower(
            chain.fn, types, unwrap, chain.fallback is not None, [p for p in wrt if p.keys]
        )
    except CompileError as error:
        return Explanation(*place, [], [], [], [], whole(chain, error))
    try:
        focus = focused(function, wrt)
    except CompileError as error:
        return Explanation(*place, [], [], [], [], whole(chain, error))
    asked, function = focus.wrt, focus.function
    values = list(described_values(function, asked, names))
    try:
        pair = derived(program, function, asked, chain.fallback is not None)
    except CompileError as error:
        return Explanation(*place, values, [], aliases(function), [], whole(chain, error))
    kept = [*kept_values(pair), *recomputed_values(pair)]
    calls = list(callees(pipeline, program, pair))
    why = one_by_one(chain, given, types)
    notes = list(conventions(function))
    unchecked = [f"{LEFT_OUT[kind]}: {why}" for kind, why in reservations(program, function)]
    return Explanation(
        *place, values, kept, aliases(function), calls, "", why, notes=notes, unchecked=unchecked
    )


LEFT_OUT = {
    "run": "everything", "say": "everything", "call": "everything", "derivative": "the derivative", "triangle": "directions that are not symmetric",
    "value": "the last digits", "search": "small errors of the derivative", "rounding": "numbers that are as small as rounding",
}  # fmt: skip


def whole(chain: Any, error: CompileError) -> str:
    how = "runs on the tape as a whole" if chain.fallback == "tape" else "refused"
    return f"{how}: {error}"


def derived(program: Any, function: Any, wrt: list[Any], tape: bool) -> Any:
    """The two halves of the derivative: what crosses from the first to the second is kept."""
    from retrograd.compiler.differentiate.callee_derivatives import Derivatives

    derive = Derivatives(tape=tape, refused=program.refused)
    active = tuple(p in wrt for p in function.body.params)
    return derive.pair(function, active, (True,) * len(function.body.yields), own=True)


# -- active or not --------------------------------------------------------------------------


def described_values(function: Any, asked: list[Any], wrt: tuple[str, ...]) -> Iterator[Named]:
    """Every value with a name, in the order of the text."""
    from retrograd.compiler.analyses.activity import Activity
    from retrograd.compiler.ir.dump import names_in
    from retrograd.compiler.ir.operations import walk

    activity = Activity(function, asked)
    made = {r: op for op in walk(function.body) for r in op.results}
    listed = " and ".join(f"`{name}`" for name in wrt)
    for value, name in names_in(function).items():
        if value.hint is None or value.hint.startswith("$"):
            continue
        line = value.loc.line if value.loc is not None else function.source.line
        why = reason(value, activity, asked, function, made.get(value), listed)
        yield Named(name, line, shown(value.type), activity(value), why)


def reason(value: Any, activity: Any, asked: Any, function: Any, op: Any, wrt: str) -> str:
    from retrograd.compiler.analyses.activity import is_differentiable, may_carry
    from retrograd.compiler.ir.operations import Apply

    if value in activity.active:
        return "asked for" if value in asked else f"depends on {wrt}, and the result depends on it"
    if value in asked or value in activity.varied:
        return "the result does not depend on it"
    if not may_carry(value.type):
        return f"{WORDS.get(getattr(value.type, 'kind', ''), 'it')} has no derivative"
    if value in function.body.params:
        return "not asked for"
    reads = values_read(op) if op is not None else ()
    if (
        isinstance(op, Apply)
        and not is_differentiable(op)
        and any(v in activity.varied for v in reads)
    ):
        return f"the result of `{own_attribute(op.fn, '__name__', op.fn)}` has no derivative"
    return f"does not depend on {wrt}"


WORDS = {"b": "a boolean", "i": "an integer", "u": "an integer", "O": "an object", "U": "a text"}


# -- kept or computed again -----------------------------------------------------------------


def kept_values(pair: Any) -> Iterator[Kept]:
    """The values that cross from the forward half to the backward one."""
    from retrograd.compiler.ir.operations import walk

    forward, backward = pair.forward.body, pair.backward.body
    first = backward.ops[0] if pair.saved else None
    copies = first.results if first is not None else []
    made = {r: op for op in walk(forward) for r in op.results}
    for value, copy in zip(pair.saved, copies, strict=True):
        lines = readers(backward, copy)
        why = f"read backwards for line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
        why = why if lines else "read backwards"
        if value in forward.params:
            yield Kept(
                str(value.hint),
                line_of(value),
                shown(value.type),
                "0 bytes",
                f"{why}; an argument, not copied",
            )
            continue
        for part in collected(value, made.get(value)):
            called = part.hint or expression(part, made)
            yield Kept(
                called, line_of(part, made.get(value)), shown(part.type), sized(value, part), why
            )


def expression(value: Any, made: dict[Any, Any]) -> str:
    """An unnamed value, as the user wrote it: ``1 - p``."""
    from retrograd.compiler.ir.dump import Writer
    from retrograd.compiler.ir.operations import Apply, Value

    class Inline(Writer):
        """Writes unnamed values as the operations that make them."""

        def operand(self, x: Any) -> str:
            op = made.get(x) if isinstance(x, Value) and x.hint is None else None
            if not isinstance(op, Apply) or isinstance(op.fn, Primitive):
                return super().operand(x)
            text = self.applied(op)
            return f"({text})" if " " in text and not text.endswith(")") else text

    text = Inline().operand(value)
    text = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."


WIDEST = 32


def collected(value: Any, op: Any) -> list[Any]:
    """The values that a stack holds one of per iteration; of anything else, itself."""
    from retrograd.compiler.ir.operations import Apply, Loop, Value

    if not isinstance(op, Loop) or value not in op.stacks:
        return [value]
    item = op.collected()[op.stacks.index(value)]
    bundle = next((o for o in op.body.ops if item in o.results), None)
    if isinstance(bundle, Apply) and bundle.fn is BUNDLE and isinstance(bundle.args[0], tuple):
        return [v for v in bundle.args[0] if isinstance(v, Value)]
    return [item] if isinstance(item, Value) else []


def readers(body: Any, value: Any) -> list[int]:
    """The lines whose adjoints read a value, through the stacks and tuples it is kept in."""
    from retrograd.compiler.ir.operations import Apply, Loop, operands_of, values_in, walk

    found: set[int] = set()
    for op in walk(body):
        if not any(v is value for o in operands_of(op) for v in values_in(o)):
            continue
        if isinstance(op, Loop):
            for (stack, _), element in zip(op.feeds, op.elements, strict=True):
                if stack is value:
                    found.update(readers(op.body, element))
        if isinstance(op, Apply) and op.fn is UNPACK:
            for part in op.results:
                found.update(readers(body, part))
        if op.loc is not None:
            found.add(op.loc.line)
    return sorted(found)


def recomputed_values(pair: Any) -> Iterator[Kept]:
    """The user's own operations that the backward half does again."""
    from retrograd.compiler.ir.operations import Apply, walk

    for op in walk(pair.backward.body):
        if not isinstance(op, Apply) or isinstance(op.fn, Structure) or op.loc is not None:
            continue
        value = op.result
        if value.made or value.hint is None:
            continue
        yield Kept(
            str(value.hint), line_of(value), shown(value.type), "0 bytes",
            "cheaper to compute again from the index than to keep", recomputed=True,
        )  # fmt: skip


def line_of(value: Any, op: Any = None) -> int:
    loc = value.loc or (op.loc if op is not None else None)
    return int(loc.line) if loc is not None else 0


def sized(value: Any, part: Any) -> str:
    """The memory a kept value takes, as a formula in the names of its dimensions."""
    once = size_of(part.type)
    times = value is not part or isinstance(value.type, Stack)
    return f"{once}, once for each iteration" if times else once


def size_of(kind: Any) -> str:
    if isinstance(kind, Number):
        return "8 bytes"
    if isinstance(kind, Tree) and kind.items:
        parts = [size_of(item) for item in kind.items]
        return UNKNOWN if UNKNOWN in parts else " + ".join(parts)
    if not isinstance(kind, Array) or kind.dims is None or None in kind.dims:
        return UNKNOWN
    width = np.dtype(kind.dtype).itemsize if kind.dtype else 8
    known = math.prod(n for n in kind.dims if isinstance(n, int))
    symbols = [str(n) for n in kind.dims if not isinstance(n, int)]
    return " * ".join([str(width * known), *symbols]) + " bytes"


UNKNOWN = "size unknown"


def shown(kind: Any) -> str:
    from retrograd.compiler.ir.dump import show_type

    text = show_type(kind)
    return text if len(text) <= WIDEST or not isinstance(kind, Tree) else f"a {kind.container}"


# -- aliases and calls ----------------------------------------------------------------------


def aliases(function: Any) -> list[dict[str, Any]]:
    """The classes of values that may share memory, and whether one of them is written to."""
    from retrograd.compiler.analyses.aliasing.may_alias import base_of, shares_of
    from retrograd.compiler.ir.dump import names_in
    from retrograd.compiler.ir.operations import Apply, walk

    cells = shares_of(function).memory.cells
    names = {v: name for v, name in names_in(function).items() if v.hint is not None and v in cells}
    bases = [base_of(op) for op in walk(function.body) if isinstance(op, Apply)]
    written = {cells[v] for v in bases if v in cells}
    classes: dict[Any, list[str]] = {}
    for v in names:
        root = reached(cells[v])
        classes.setdefault(root, []).append(names[v])
    return [
        {"values": found, "written": bool(root & written)}
        for root, found in classes.items()
        if len(found) > 1
    ]


def reached(cell: Any) -> frozenset[Any]:
    """The cells that may be one memory with this one, step by step."""
    found, new = {cell}, [cell]
    while new:
        near = new.pop().near - found
        found |= near
        new += near
    return frozenset(found)


def callees(pipeline: Any, program: Any, pair: Any) -> Iterator[Callee]:
    """The functions that are called, in the order they were met."""
    seen: set[str] = set()
    for function in program.callees.values():
        if function.name not in seen:
            seen.add(function.name)
            yield Callee(function.name, function.source.line, "compiled")
    taped = pipeline.calls_on_tape([pair.forward, pair.backward], program)
    for name, line, why in taped:
        yield Callee(name, line, "on the tape", why)
    known = {name for name, _, _ in taped}
    for fn, error in program.refused.items():
        if program.name_of(fn) not in known:
            yield Callee(
                program.name_of(fn), 0, "called as it is", f"no derivative ({error.reason})"
            )


def conventions(function: Any) -> Iterator[Convention]:
    """The notes of `retrograd.runtime.traits.conventions` on what the function calls."""
    from retrograd.compiler.analyses.conventions import conventions_in

    for name, line, note in conventions_in([function]):
        yield Convention(name, line, note.kind, note.text)


# -- the text -------------------------------------------------------------------------------


def lines_of(e: Explanation) -> Iterator[str]:
    yield f"{e.function} in {e.file}, line {e.line}: with respect to {', '.join(e.wrt)}"
    if e.refused:
        yield from ["", *e.refused.splitlines()]
    if e.values:
        yield from ["", "values"]
        yield from table(
            [
                (v.name, at(v.line), v.type, "active" if v.active else "inactive", v.why)
                for v in e.values
            ]
        )
    kept = [k for k in e.kept if not k.recomputed]
    again = [k for k in e.kept if k.recomputed]
    if e.values and not e.refused:
        yield from ["", "kept for the backward sweep"]
        yield from table([(k.name, at(k.line), k.type, k.size, k.why) for k in kept]) or [
            "    nothing"
        ]
        if again:
            yield from ["", "computed again"]
            yield from table([(k.name, at(k.line), k.type, k.why) for k in again])
    if e.aliases:
        yield from ["", "values that may share memory"]
        yield from table(
            [(", ".join(a["values"]), "written to" if a["written"] else "") for a in e.aliases]
        )
    if e.callees:
        yield from ["", "calls"]
        yield from table([(c.name, at(c.line), c.how, c.why) for c in e.callees])
    if e.notes:
        yield from ["", "conventions"]
        yield from table([(n.name, at(n.line), n.text) for n in e.notes])
    if e.one_by_one:
        yield from ["", f"a Jacobian takes a sweep for each direction: {e.one_by_one}"]
    if e.unchecked:
        yield from ["", "not checked when it is first computed"]
        yield from (f"    {line}" for line in e.unchecked)
    if e.native:
        yield from ["", "lines of the gradient's text, by the back end"]
        yield from table([(span(c), c.how, c.why, c.text) for c in e.native])


def at(line: int) -> str:
    return f"line {line}" if line else ""


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows with their columns under each other."""
    if not rows:
        return []
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    shown_columns = [k for k, width in enumerate(widths) if width]
    return [
        "    " + "  ".join(row[k].ljust(widths[k]) for k in shown_columns).rstrip() for row in rows
    ]
