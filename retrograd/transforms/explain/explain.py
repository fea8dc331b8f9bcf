"""Explanations of the compiler's decisions about a function: active values, residuals, and the reasons."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from retrograd.compiler.differentiate.part_of_argument import focused
from retrograd.compiler.driver.progress import progress
from retrograd.compiler.driver.recursion_depth import deeply
from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.ir.batch_axes import known_of_example
from retrograd.compiler.ir.operations import values_read
from retrograd.runtime.cell_names import name_for_people
from retrograd.runtime.errors import CompileError
from retrograd.runtime.objects.own_attributes import own_attribute

from ..api import unwrap
from ..jacobian.batched_products import one_by_one
from ..signatures.types_of_batches import batches_in, of_examples
from ..specialise.internal_errors import built
from ..wrt import resolved
from .kept import Kept, kept_values, largest_first, recomputed_values, shown, totals
from .native import Compiled, share, span

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
class Asked:
    """What an explanation is of: a chain, the places asked for, the types; the example's arguments; the error."""

    chain: Any
    wrt: tuple[Place, ...]
    single: bool
    types: dict[str, Any]
    args: Sequence[Any] | None = None
    error: CompileError | None = None

    def derivative(self, kind: str) -> Any:
        """The chain of its derivative; of a batch, that of each example, unless one is in the chain already."""
        chain, single = self.chain, self.single and kind != "vjp"
        if not batches_in(chain.steps):
            return chain.then(kind, self.wrt, single)
        if any(step.kind != "vmap" for step in chain.steps):
            return chain
        return chain.changed(
            steps=(*chain.changed(steps=()).then(kind, self.wrt, single).steps, *chain.steps)
        )

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that the example's arguments have, and their integers, by name."""
        if self.args is None:
            return {}
        return dict(sizes_of(self.types, dict(zip(self.chain.parameters, self.args, strict=False))))


def sizes_of(types: dict[str, Any], values: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for name, value in values.items():
        if type(value) is int:
            yield name, value
        dims = getattr(types.get(name), "dims", None) or ()
        shape = getattr(value, "shape", ())
        if len(dims) == len(shape):
            yield from (
                (str(d), n) for d, n in zip(dims, shape, strict=True) if not isinstance(d, int)
            )


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
    batch: tuple[
        str, ...
    ] = ()  # the arguments that have an axis of examples; types are those of one
    one_by_one: str = ""  # why directions of a Jacobian are not swept together
    native: list[Compiled] = dataclasses.field(default_factory=list)
    notes: list[Convention] = dataclasses.field(default_factory=list)
    unchecked: list[str] = dataclasses.field(default_factory=list)  # by the first check, and why
    total: str = ""  # of what is kept
    asked: Asked | None = dataclasses.field(default=None, repr=False, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Nested dicts and lists of texts and numbers."""
        found = dataclasses.asdict(dataclasses.replace(self, asked=None))
        del found["asked"]
        return found

    def html(self, kind: str = "grad", time: bool = False) -> str:
        """One page that stands by itself: the program and its derivative side by side.

        ``kind``: of the derivative, "grad", "value_and_grad", "jvp" or "vjp"; ``time``: with the times of a run
        for the example arguments.
        """
        from .page import page  # few ask for it

        return page(self, kind, time)

    def _repr_html_(self) -> str:
        from .notebook import framed  # few ask for it

        return framed(self.html())

    def __str__(self) -> str:
        return "\n".join(lines_of(self)) + "\n"

    __repr__ = __str__


@built
@deeply
def explain(
    chain: Any,
    wrt: tuple[Place, ...],
    types: dict[str, Any],
    single: bool = True,
    args: Sequence[Any] | None = None,
) -> Explanation:
    """The explanation of the gradient of a chain's function for arguments of these types.

    ``args``: of an example, for the sizes.
    """
    asked = Asked(chain, wrt, single, types, args)
    with progress(f"explaining {chain.name}"):
        found = explained(chain, wrt, types, asked)
    kept = [k for k in found.kept if not k.recomputed]
    again = [k for k in found.kept if k.recomputed]
    total = totals(kept, asked.sizes) if found.values and not found.refused else ""
    return dataclasses.replace(
        found,
        batch=batched_names(chain),
        kept=[*largest_first(kept, asked.sizes), *again],
        total=total,
        asked=found.asked or asked,
    )


def explained(
    chain: Any, wrt: tuple[Place, ...], types: dict[str, Any], about: Asked
) -> Explanation:
    from retrograd.compiler import pipeline
    from retrograd.compiler.analyses.visible_effects import reservations
    from retrograd.compiler.frontend.source import source_of

    one, whole, own = without_batches(chain), types, types
    if one is not chain:
        types, _ = of_examples(whole, chain.steps)
        known = {name: kind for name, kind in whole.items() if kind is not None}
        own, _ = known_of_example(known, chain.steps)
    names = tuple(place.text(chain.parameters) for place in wrt)
    given = wrt
    wrt = resolved(one.then("vjp", wrt), types)[-1].wrt
    source = source_of(chain.fn)
    place = (chain.fn.__qualname__, name_for_people(source.file), source.line, names)
    try:
        program, function = pipeline.lower(
            chain.fn, own, unwrap, chain.fallback is not None, [p for p in wrt if p.keys]
        )
    except CompileError as error:
        return Explanation(*place, [], [], [], [], **refusal(chain, error, about))
    try:
        focus = focused(function, wrt)
    except CompileError as error:
        return Explanation(*place, [], [], [], [], **refusal(chain, error, about))
    asked, function = focus.wrt, focus.function
    values = list(described_values(function, asked, names))
    try:
        pair = derived(program, function, asked, chain.fallback is not None)
    except CompileError as error:
        return Explanation(
            *place, values, [], aliases(function), [], **refusal(chain, error, about)
        )
    kept = [*kept_values(pair), *recomputed_values(pair)]
    calls = list(callees(pipeline, program, pair))
    why = one_by_one(chain, given, whole)
    notes = list(conventions(function))
    unchecked = [
        f"{LEFT_OUT[kind]}: {why}"
        for kind, why in reservations(program, function)
        if kind != "write"  # each run of the check has arguments of its own
    ]
    return Explanation(
        *place,
        values,
        kept,
        aliases(function),
        calls,
        one_by_one=why,
        notes=notes,
        unchecked=unchecked,
    )


def without_batches(chain: Any) -> Any:
    """The chain of one example."""
    if not batches_in(chain.steps):
        return chain
    return chain.changed(steps=tuple(step for step in chain.steps if step.kind != "vmap"))


def batched_names(chain: Any) -> tuple[str, ...]:
    """The arguments with an axis of examples."""
    found = [step.batch for step in batches_in(chain.steps)]
    return tuple(n for n in chain.full.parameters if any(axes.of(n) is not None for axes in found))


LEFT_OUT = {
    "run": "everything", "say": "everything", "call": "everything", "derivative": "the derivative", "triangle": "directions that are not symmetric",
    "value": "the last digits", "search": "small errors of the derivative", "rounding": "numbers that are as small as rounding",
}  # fmt: skip


def refusal(chain: Any, error: CompileError, asked: Asked) -> dict[str, Any]:
    how = "runs on the tape as a whole" if chain.fallback == "tape" else "refused"
    return {"refused": f"{how}: {error}", "asked": dataclasses.replace(asked, error=error)}


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
    if e.batch:
        yield f"for a batch of examples ({', '.join(e.batch)}); what follows is of one of them"
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
        yield from [f"    in all {e.total}"] if kept else []
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
        yield from filter(None, [share(e.native)])
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
