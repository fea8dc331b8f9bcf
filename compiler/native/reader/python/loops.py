"""Loops: read again until the kinds of what they carry stay."""

from __future__ import annotations

import ast
from typing import Any

from ...loop_ir.ir import Break, For, If, Lit, Op, Set, While, affine, integer
from ...loop_ir.scalar_operations import literal
from ...loop_ir.values import Scalar
from ...refusal import NothingAppended, SeveralKinds, Unsupported
from ...text.name_liveness import assigned, exposed
from ...text.operation_counts import jumps, operations
from ..handlers import reads_statement
from ..iterations import iteration, steps_of
from ..join_values import join, place_for, settle, spec_of
from ..loop_carried import Carrying
from ..reader import Reader
from ..standing_arrays import HeldTwice, check_shared, is_whole, stands
from ..values import Iteration, Rows, Tape
from .assignments import assign
from .expressions import evaluate
from .statements import run

__all__ = ["loop"]


MOST = 1500  # operations of a loop that is written out


SEVERAL = 16  # iterations of one that could be read as a loop no other way


@reads_statement(ast.For, ast.While)
def loop(r: Reader, stmt: ast.For | ast.While, live: set[str]) -> None:
    if stmt.orelse:
        raise Unsupported("the else of a loop")
    if isinstance(stmt, ast.While):
        repeated(r, stmt, None, live)
        return
    over = iteration(r, evaluate(r, stmt.iter))
    if over.static:
        unrolled(r, stmt, over, live)
        return
    before, length = r.snapshot(), len(r.block)
    try:
        repeated(r, stmt, over, live)
    except Unsupported as error:
        del r.block[length:]
        r.restore(before)
        if isinstance(error, SeveralKinds) and error.key not in r.uncounted:
            raise  # it may be read as a loop if that list is kept in another way
        try:
            count = literal(over.count)
            if count is None or count > SEVERAL:
                raise
            unrolled(r, stmt, over, live)
        except SeveralKinds:
            raise
        except Unsupported:
            raise error from None


def unrolled(r: Reader, stmt: ast.For, over: Iteration, live: set[str]) -> None:
    """A loop whose iterations are read one by one."""
    count = literal(over.count)
    if count is None or any(map(jumps, stmt.body)):
        raise Unsupported("a loop over this that is left early")
    if count * operations(stmt.body) > MOST:
        raise Unsupported("a long loop over this")
    after = exposed([stmt], live) | live
    for k, element in enumerate(steps_of(over)):
        assign(r, stmt.target, element)
        with r.below(k):
            found = run(r, stmt.body, after)
        if found is not None:
            raise Unsupported("a loop over this that is left early")


def repeated(r: Reader, stmt: ast.For | ast.While, over: Iteration | None, live: set[str]) -> None:
    """A loop of the kernel."""
    names = assigned(stmt.body) | (assigned([stmt]) if isinstance(stmt, ast.For) else set())
    test = [ast.Expr(stmt.test)] if isinstance(stmt, ast.While) else []
    carried = sorted(names & (exposed([*test, *stmt.body], set()) | live))
    if isinstance(stmt, ast.For):
        carried = [n for n in carried if n not in targets(stmt) or n in live]
    before = dict(r.env)
    specs: dict[str, Any] = {n: spec_of(before[n]) if n in before else None for n in carried}
    if r.device is None and r.source is None:
        specs |= {n: ("pinned", before[n]) for n in carried if stands(stmt, n, before.get(n))}
    grown = set() if over is None else by_rows(r, stmt)
    for _ in range(5 + len(carried)):
        mutable = set(r.mutable)
        items = {a: (a.item, a.leaves) for a in r.arenas.values()}
        try:
            with r.into([]) as block:
                found = attempt(r, stmt, over, specs, before, grown)
        except HeldTwice as error:  # unless it is one array all the time
            value = before.get(error.held)
            if r.device is not None or r.source is not None or not is_whole(value):
                raise
            if specs[error.held] == ("pinned", value):
                raise
            found = specs | {error.held: ("pinned", value)}
        learned = {a: (a.item, a.leaves) for a in r.unread if a.item is not None}
        if all(specs[n] == found[n] for n in carried) and not learned:
            break
        specs, r.env = found, dict(before)
        r.mutable = mutable
        for arena in r.arenas.values():
            arena.item, arena.leaves = items.get(arena, (None, []))
        for arena, (arena.item, arena.leaves) in learned.items():
            r.unread.discard(arena)
    else:
        raise Unsupported("names whose kinds change from iteration to iteration")
    if r.unread and not r.loops:
        raise NothingAppended(next(iter(r.unread)))
    for made in block:
        r.emit(made)
    for name in names - set(carried):
        r.env.pop(name, None)


def targets(stmt: ast.For) -> set[str]:
    return {n.id for n in ast.walk(stmt.target) if isinstance(n, ast.Name)}


def attempt(
    r: Reader,
    stmt: ast.For | ast.While,
    over: Iteration | None,
    specs: Any,
    before: Any,
    grown: set[str],
) -> dict[str, Any]:
    """Read a loop with names of these kinds; the kinds they turn out to have."""
    places = {n: None if s is None else place_for(r, s, n) for n, s in specs.items()}
    settle(r, [(p, before[n]) for n, p in places.items() if p is not None and n in before])
    unbound = [n for n in places if n not in before]
    if unbound and over is None and not endless(stmt):
        raise Unsupported(f"`{unbound[0]}` is not bound before the loop")
    if unbound and over is not None:
        r.bail(Op("less_equal", (over.count, integer(0)), "b1"))
    r.env = dict(before) | {n: p for n, p in places.items() if p is not None and n in before}
    carrying = Carrying(
        places, [], frozenset(r.defined), late=frozenset(unbound), calls=len(r.calls),
        pinned={n: s[1] for n, s in specs.items() if s is not None and s[0] == "pinned"},
    )  # fmt: skip
    if unbound and over is None:
        carrying.begun = r.fresh("begun", "b1")
        r.mutable.add(carrying.begun.name)
        r.emit(Set(carrying.begun, Lit(False, "b1")))
    if r.device is not None:
        r.device.before_loop(r, stmt)
    lists = {n: rows_for(before[n], over, carrying) for n in sorted(grown)}
    r.loops.append(carrying)
    try:
        with r.into([]) as body:
            head = header(r, stmt, over, carrying)
            for rows in lists.values():
                rows.block, rows.at = body, carrying.turn()
            r.env |= lists
            if run(r, stmt.body, set(places)) is None:
                carrying.commit(r)
    finally:
        r.loops.pop()
    for made in carrying.before:
        r.emit(made)
    r.emit(head(body))
    r.env = dict(before) | {
        n: afterwards(r, p, carrying.found.get(n, []), over, before.get(n))
        for n, p in places.items()
        if p is not None
    }
    if r.device is not None:
        r.device.after_loop(r, stmt, before, id(carrying))
    for name, rows in lists.items():
        rows.at = None
        r.env[name] = rows if rows.item is not None else before[name]
    found = kinds_found(r, specs, before, over, carrying)
    check_shared(r, carrying, before)
    return found


def kinds_found(
    r: Reader, specs: Any, before: Any, over: Iteration | None, carrying: Carrying
) -> dict[str, Any]:
    """The kinds that the carried names turn out to have, those of all values they were given."""
    found = {}
    for name, spec in specs.items():
        others = carrying.found.get(name, [])
        if name in carrying.pinned:
            if name not in carrying.moved:
                found[name] = spec
                continue
            spec = spec_of(before[name])
        if spec is not None and spec[0] == "scalar" and widens(r, others, over, carrying):
            spec = others[0]
        for other in others:
            spec = join(r, spec, other)
        found[name] = spec
    return found


def rows_for(tape: Tape, over: Any, carrying: Carrying) -> Rows:
    return Rows(tape.arena.key, over.count, [], None, carrying.before)


def by_rows(r: Reader, stmt: ast.For | ast.While) -> set[str]:
    """The lists that get one item in each iteration, made before the loop and empty till then."""
    inside = list(ast.walk(stmt))
    if any(isinstance(n, (ast.Break, ast.Continue, ast.Return)) for n in inside):
        return set()
    names = [n.id for n in inside if isinstance(n, ast.Name)]
    found = set()
    for name in filter(None, map(appended_to, stmt.body)):
        tape = r.env.get(name)
        made, block = r.empty.get(id(tape), (None, None))
        alone = names.count(name) == 1 and sum(v is tape for v in r.env.values()) == 1
        fresh = isinstance(tape, Tape) and made is tape and block is r.block
        if fresh and alone and tape.arena.key not in r.uncounted:  # type: ignore[union-attr]
            found.add(name)
    return found


def appended_to(stmt: ast.stmt) -> str | None:
    """The list that a statement appends to."""
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    owner = call.func.value
    return owner.id if call.func.attr == "append" and isinstance(owner, ast.Name) else None


def afterwards(r: Reader, place: Any, others: list[Any], over: Iteration | None, init: Any) -> Any:
    """The value of a name after a loop: NumPy's number, if every iteration leaves one and there is one.

    An inner loop may have none, again and again: it says so.
    """
    if not (isinstance(place, Scalar) and place.mixed and over is not None):
        return place
    if not others or any(s[0] != "scalar" or s[2] is not False for s in others):
        return place
    none = Op("less_equal", (affine(over.count), integer(0)), "b1")
    if not r.loops:
        if r.source is not None:  # the number is the same
            return place
        r.bail(none)
        return Scalar(place.expr, weak=False)
    if not isinstance(init, Scalar) or init.weak is False:
        return place
    weak = none if init.weak is True else Op("logical_and", (init.weak, none), "b1")
    return Scalar(place.expr, weak=r.named(weak, "soft"))


def widens(r: Reader, others: list[Any], over: Iteration | None, carrying: Carrying) -> bool:
    """True if a number becomes an array of known size in the first iteration, which there is."""
    if over is None or not others or any(s[0] != "array" for s in others):
        return False
    if not all(r.entered(n, carrying) for s in others for n in s[1]):
        return False
    r.bail(Op("less_equal", (affine(over.count), integer(0)), "b1"))
    return True


def endless(stmt: ast.stmt) -> bool:
    return (
        isinstance(stmt, ast.While)
        and isinstance(stmt.test, ast.Constant)
        and bool(stmt.test.value)
    )


def header(r: Reader, stmt: Any, over: Iteration | None, carrying: Carrying) -> Any:
    """The loop around a body, and in the body the test or the element."""
    if over is None:
        cond = r.truth(evaluate(r, stmt.test))
        if cond is False:
            raise Unsupported("a loop that never runs")
        if cond is not True:
            r.emit(If(Op("logical_not", (cond,), "b1"), [Break()]))
        return lambda body: While(body)
    var = r.fresh("k")
    if r.source is not None and over.direct and isinstance(stmt.target, ast.Name):
        r.source.index_of(r, var, stmt.target.id)
    lo, hi = over.direct or (integer(0), over.count)
    carrying.var, carrying.lower, carrying.upper = var, lo, hi
    carrying.backwards = over.backwards
    assign(r, stmt.target, over.element(var))
    return lambda body: For(var, lo, hi, body, backwards=over.backwards)
