"""Calls of functions that call themselves, and their bodies: what follows a branch is read on each of its sides."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from ...loop_ir.calls import Call, Ends, Keep
from ...loop_ir.ir import (
    Bail,
    Buffer,
    Get,
    If,
    Lit,
    Op,
    Point,
    Stmt,
    affine,
    integer,
    plus,
    times,
    variables,
)
from ...loop_ir.values import Constant, Items, View, plain_view, scalar
from ...refusal import Unsupported
from ..aliasing import keep
from ..reader import Reader
from ..values import Handle, Record
from .packing import Parts, Source, fitted, joined_specs, put_together, taken_apart
from .program import Endless, Program, Routine, parameters

__all__ = ["DONE", "Split", "apart", "begun", "by_kind", "called", "opened", "splits", "whole_body"]

DONE = object()  # the function has returned on all ways
LONGEST = 2**20  # words of a record
MOST = 24  # places where one function returns


class Split(Unsupported):
    """A record may be of several kinds: what follows is read for each."""

    def __init__(self, handle: Handle) -> None:
        super().__init__("what a function keeps is of several kinds")
        self.handle = handle


Run = Callable[[Reader, list[ast.stmt], set[str]], Any]


# -- calls ------------------------------------------------------------------------------------


def called(r: Reader, definition: ast.FunctionDef, bound: dict[str, Any]) -> Any:
    """A call of a function that calls itself."""
    program: Program = r.program
    parts = Parts()
    names = [a.arg for a in definition.args.args]
    specs = tuple(taken_apart(r, bound[name], parts) for name in names)
    routine = program.routine(definition, names, specs)
    assert routine.results is not None
    arrays = [contiguous(r, view) for view in parts.arrays]
    for view in arrays:
        keep(r, view)
    function = routine.function
    out, floats = room(r, function.numbers, "i8"), room(r, function.floats, "f8")
    sizes = [n for view in arrays for n in view.dims]
    values = (*in_order(parts, routine), *sizes)
    memory = (out, floats, *(buffer_of(view) for view in arrays))
    r.emit(Call(values, memory, function))
    source = results_of(r, out, floats)
    found = []
    for spec, fresh in zip(routine.results, routine.fresh, strict=True):
        value = put_together(r, spec, source)
        if isinstance(value, View) and not fresh and value.buffer is not None:
            value.buffer.kept = True
        found.append(value)
    return found[0] if routine.single else Items(tuple(found))


def in_order(parts: Parts, routine: Routine) -> list[Any]:
    """The numbers of a call, in the order of the parameters."""
    numbers, floats = iter(parts.numbers), iter(parts.floats)
    given = routine.function.params[0].values
    return [next(floats if number.dtype == "f8" else numbers) for number in given]


def room(r: Reader, count: int, dtype: str) -> Buffer:
    made = r.buffer((integer(max(count, 1)),), dtype, "out")
    made.role = "shared"
    return made


def contiguous(r: Reader, view: View) -> View:
    """An array that is all of its memory, which functions may look at."""
    view = r.materialised(view)
    if not (view.whole and view.buffer is not None and view.buffer.dims == view.dims):
        view = r.copied(view)
    assert view.buffer is not None
    if view.buffer.role == "local":
        view.buffer.role = "shared"
    return view


def buffer_of(view: View) -> Buffer:
    assert view.buffer is not None
    return view.buffer


def results_of(r: Reader, out: Buffer, floats: Buffer) -> Source:
    """What a call has given: numbers, and arrays that belong to the caller from now on."""
    at = {"i": 0, "f": 0}

    def number() -> Any:
        at["i"] += 1
        return Get(out, (integer(at["i"] - 1),))

    def real() -> Any:
        at["f"] += 1
        return Get(floats, (integer(at["f"] - 1),))

    def array(rank: int, dtype: str) -> View:
        address, size = number(), number()
        dims = tuple(affine(r.named(number(), "m")) for _ in range(rank))
        made = Buffer(r.fresh("given").name, dtype, dims, "handed")
        made.home = tuple(id(loop) for loop in r.loops)
        r.emit(Point(made, False, address, size))
        return plain_view(made)

    return Source(number, real, array)


# -- records ----------------------------------------------------------------------------------


def opened(r: Reader, handle: Handle) -> Any:
    """What a record holds."""
    kinds = list(handle.record.kinds.values())
    if not kinds:
        raise Endless
    which = r.opened.get(handle.expr)
    if which is None and len(kinds) > 1:
        raise Split(handle)
    spec, numbers = kinds[which or 0]
    words = pointed(r, "record", "i8", (integer(LONGEST),), affine(handle.expr))
    floats = pointed(r, "record", "f8", (integer(LONGEST),), plus(handle.expr, 8 * numbers))
    at = {"i": 1, "f": 0}

    def number() -> Any:
        at["i"] += 1
        return Get(words, (integer(at["i"] - 1),))

    def real() -> Any:
        at["f"] += 1
        return Get(floats, (integer(at["f"] - 1),))

    def array(rank: int, dtype: str) -> View:
        address = number()
        dims = tuple(affine(r.named(number(), "m")) for _ in range(rank))
        return plain_view(pointed(r, "kept", dtype, dims, address))

    return put_together(r, spec, Source(number, real, array))


def pointed(r: Reader, hint: str, dtype: str, dims: tuple[Any, ...], address: Any) -> Buffer:
    """Memory of a record, which stays what it is."""
    made = Buffer(r.fresh(hint).name, dtype, dims, "pointed", kept=True)
    r.emit(Point(made, False, address))
    return made


def recorded(r: Reader, routine: Routine, k: int, value: Any) -> Any:
    """The address of a record of a value, the result number ``k``."""
    parts = Parts()
    record = routine.records.setdefault(k, Record(f"{routine.function.name}_{k}"))
    spec = taken_apart(r, value, parts, known=True)
    room_of = lambda w: 1 + len(w.dims) if isinstance(w, View) else 1  # noqa: E731
    known = spec, 1 + sum(map(room_of, parts.words))
    if record.kinds.get(r.path) != known:
        record.kinds[r.path] = known
        r.program.changed = True
    which = list(record.kinds).index(r.path)
    values: list[Any] = [integer(which)]
    words: list[tuple[int, bool] | None] = [None]
    memory = [room(r, 1, "i8")]
    for word in parts.words:
        if not isinstance(word, View):
            values.append(word)
            words.append(None)
            continue
        view = word if is_recorded(r, word) else contiguous(r, word)
        keep(r, view)
        buffer = buffer_of(view)
        start = tuple(integer(0) for _ in view.dims)
        values += [Get(buffer, start), elements(view), *view.dims]
        words.append((len(view.dims), not is_recorded(r, word)))
        memory.append(buffer)
    r.emit(Keep((*values, *parts.floats), tuple(memory), tuple(words)))
    return Handle(record, r.named(Get(memory[0], (integer(0),)), "kept"))


def elements(view: View) -> Any:
    size = integer(1)
    for n in view.dims:
        size = times(size, n)
    return size


def is_recorded(r: Reader, view: View) -> bool:
    return view.buffer is not None and view.buffer.role == "pointed" and view.whole


# -- bodies -----------------------------------------------------------------------------------


def whole_body(r: Reader, routine: Routine, run: Run) -> list[Stmt]:
    """The statements of a function."""
    names = [a.arg for a in routine.definition.args.args]
    parameters(r, routine, names)
    r.calls.append(routine.definition)
    r.routine = routine
    routine.function.captured = []
    value = run(r, routine.definition.body, set())
    if value is not DONE:
        ends(r, routine, Constant(None) if value is None else value)
    return [*r.entry, *r.entry_sets, *r.body]


def ends(r: Reader, routine: Routine, value: Any) -> None:
    """``return value``."""
    several = isinstance(value, Items) and value.kind == "tuple"
    given = list(value.values) if several else [value]
    given = [recorded(r, routine, k, v) if isinstance(v, Items) else v for k, v in enumerate(given)]
    parts = Parts()
    specs = [taken_apart(r, v, parts) for v in given]
    learn(r, routine, specs, not several)
    assert routine.results is not None
    numbers: list[Any] = []
    floats: list[Any] = []
    places: list[int] = []
    handed: list[tuple[int, Buffer]] = []
    at = 0
    for k, (spec, v) in enumerate(zip(routine.results, given, strict=True)):
        own = Parts()
        taken_apart(r, fitted(r, spec, v), own)
        floats += own.floats
        for word in own.words:
            if not isinstance(word, View):
                places.append(at)
                numbers.append(word)
                at += 1
                continue
            buffer, fresh = handed_over(r, word, [b for _, b in handed])
            if not fresh and routine.fresh[k]:
                routine.fresh[k] = False
                r.program.changed = True
            handed.append((at, buffer))
            places += range(at + 2, at + 2 + len(buffer.dims))
            numbers += buffer.dims
            at += 2 + len(buffer.dims)
    function = routine.function
    if (function.numbers, function.floats) != (at, len(floats)):
        function.numbers, function.floats = at, len(floats)
        r.program.changed = True
    memory = tuple(b for _, b in handed)
    r.emit(Ends((*numbers, *floats), memory, tuple(places), tuple(handed)))


def learn(r: Reader, routine: Routine, specs: list[Any], single: bool) -> None:
    """What a function gives, as far as it is known."""
    if routine.results is None:
        routine.results, routine.single = specs, single
        routine.fresh = [True] * len(specs)
        r.program.changed = True
        return
    if len(specs) != len(routine.results) or routine.single != single:
        raise Unsupported("another number of results of a function that calls itself")
    both = [joined_specs(a, b) for a, b in zip(routine.results, specs, strict=True)]
    if both != routine.results:
        routine.results = both
        r.program.changed = True


def handed_over(r: Reader, view: View, others: list[Buffer]) -> tuple[Buffer, bool]:
    """Memory that the caller gets, and whether nobody else holds it."""
    view = r.materialised(view)
    buffer = buffer_of(view)
    fresh = buffer.role in ("local", "shared", "handed") and not buffer.kept
    if not (fresh and view.whole and buffer.dims == view.dims and buffer not in others):
        view = r.copied(view)
        buffer = buffer_of(view)
    buffer.role = "handed"
    return buffer, fresh


# -- ways through a body ----------------------------------------------------------------------


def begun(r: Reader) -> bool:
    """True in the body of a function that calls itself, outside of loops and of what it calls."""
    return r.routine is not None and len(r.calls) == 1 and not r.loops


def apart(
    r: Reader, stmt: ast.If, rest: list[ast.stmt], after: set[str], cond: Any, run: Run
) -> Any:
    """A branch, and what follows it, once for each side."""
    test = stmt.test
    sides = []
    cond = r.named(cond, "cond")
    for body, side in ((stmt.body, True), (stmt.orelse, False)):
        known = {}
        if isinstance(test, ast.Name):
            weak = getattr(r.env[test.id], "weak", True)
            known = {test.id: scalar(side if weak is True else np.bool_(side))}
        sides.append((lambda body=body: run(r, [*body, *rest], after), known, int(side)))
    blocks = [one_way(r, *side) for side in sides]
    if all(block is None for block in blocks):
        raise Endless
    dead: list[Stmt] = [Bail(Lit(True, "b1"))]
    r.emit(If(cond, *(dead if block is None else block for block in blocks)))
    return DONE


def by_kind(r: Reader, split: Split, once: Callable[[], Any]) -> Any:
    """What follows the opening of a record, for each of its kinds."""
    handle = split.handle
    count = len(handle.record.kinds)
    blocks: list[list[Stmt]] = []
    for k in range(count):
        r.opened[handle.expr] = k
        found = one_way(r, once, {}, 2 + k)
        del r.opened[handle.expr]
        blocks.append([Bail(Lit(True, "b1"))] if found is None else found)
    if count > MOST:
        raise Unsupported("a function that returns in many places")
    words = pointed(r, "record", "i8", (integer(LONGEST),), affine(handle.expr))
    tag = r.named(Get(words, (integer(0),)), "kind")
    stmts = blocks[-1]
    for k in reversed(range(count - 1)):
        stmts = [If(Op("equal", (affine(tag), integer(k)), "b1"), blocks[k], stmts)]
    for made in stmts:
        r.emit(made)
    return DONE


def one_way(
    r: Reader, once: Callable[[], Any], known: dict[str, Any], mark: int
) -> list[Stmt] | None:
    """One way to the end of a function; None if it leads into what is not known yet."""
    before = dict(r.env)
    r.env = {**before, **known}
    try:
        with r.into([]) as block, r.below(mark):
            value = once()
            if value is not DONE:
                ends(r, r.routine, Constant(None) if value is None else value)
    except Endless:
        r.program.changed = True
        return None
    finally:
        r.env = before
    return block


def splits(r: Reader, known: set[str], split: Split) -> bool:
    """True if a record was there before the statement that opened it."""
    return begun(r) and all(v.name in known for v in variables(split.handle.expr))
