"""Statements of the emitted text: assignments, branches, loops, lists that grow, returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .elementwise import cast, elementwise
from .expressions import evaluate, truth
from .indexing import fancy_target, target_view
from .liveness import assigned, exposed
from .loop_ir import (
    Break,
    Buffer,
    Continue,
    For,
    If,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    integer,
    minus,
)
from .tapes import append, count_of
from .values import Constant, Either, Items, Iteration, Scalar, Tape, Unsupported, View, plain_view

if TYPE_CHECKING:
    from .reader import Reader

__all__ = ["ENDED", "inlined", "run"]

ENDED = object()  # a break or a continue: nothing after it runs
DONE = object()  # the end of a block without a return


def run(r: Reader, stmts: list[ast.stmt], after: set[str]) -> Any:
    """Read statements; what they return, ``DONE`` or ``ENDED``."""
    for k, stmt in enumerate(stmts):
        rest = stmts[k + 1 :]
        try:
            if isinstance(stmt, ast.If) and returns(stmt):
                return returning(r, stmt, rest, after)
            found = statement(r, stmt, exposed(rest, after))
        except Unsupported as error:
            if error.line is None:
                error.line = stmt.lineno
            raise
        if found is not DONE:
            return found
    return DONE


def returns(stmt: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(stmt))


def returning(r: Reader, stmt: ast.If, rest: list[ast.stmt], after: set[str]) -> Any:
    """An ``if`` with a return in it: what follows belongs to the side that goes on."""
    cond = truth(r, evaluate(r, stmt.test))
    if isinstance(cond, bool):
        return run(r, [*(stmt.body if cond else stmt.orelse), *rest], after)
    sides = []
    before = dict(r.env)
    for body in (stmt.body, stmt.orelse):
        r.env = dict(before)
        with r.into([]) as block:
            value = run(r, [*body, *rest], after)
        sides.append((block, value))
    values = [value for _, value in sides]
    if any(v is DONE or v is ENDED for v in values):
        raise Unsupported("a return on one side only")
    result = joined(r, [spec_of(v) for v in values], "result")
    for block, value in sides:
        with r.into(block):
            settle(r, [(result, value)])
    r.emit(If(cond, sides[0][0], sides[1][0]))
    return result


def statement(r: Reader, stmt: ast.stmt, live: set[str]) -> Any:
    """One statement; ``live``: names that are read after it."""
    if isinstance(stmt, ast.Return):
        return evaluate(r, stmt.value) if stmt.value is not None else Constant(None)
    if isinstance(stmt, ast.Break | ast.Continue):
        if not r.loops:
            raise Unsupported("a break outside of a loop")
        r.loops[-1].commit(r)
        r.emit(Break() if isinstance(stmt, ast.Break) else Continue())
        return ENDED
    if isinstance(stmt, ast.Assign):
        value = evaluate(r, stmt.value)
        for target in stmt.targets:
            assign(r, target, value)
    elif isinstance(stmt, ast.AugAssign):
        augmented(r, stmt)
    elif isinstance(stmt, ast.If):
        branch(r, stmt, live)
    elif isinstance(stmt, (ast.For, ast.While)):
        loop(r, stmt, live)
    elif isinstance(stmt, ast.Expr):
        effect(r, stmt.value)
    elif not isinstance(stmt, ast.Pass):
        raise Unsupported(f"the statement {type(stmt).__name__.lower()}")
    return DONE


def effect(r: Reader, node: ast.expr) -> None:
    """An expression for what it does."""
    if isinstance(node, ast.Constant):
        return
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
    ):
        tape = evaluate(r, node.func.value)
        if isinstance(tape, Tape) and len(node.args) == 1:
            append(r, tape, evaluate(r, node.args[0]))
            return
    evaluate(r, node)


# -- assignment -----------------------------------------------------------------------------


def assign(r: Reader, target: ast.expr, value: Any) -> None:
    if isinstance(target, ast.Name):
        r.env[target.id] = bound(r, value, target.id)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item, part in zip(target.elts, parts(r, value, len(target.elts)), strict=True):
            assign(r, item, part)
    elif isinstance(target, ast.Subscript):
        store(r, target, value)
    else:
        raise Unsupported(f"an assignment to {ast.unparse(target)}")


def parts(r: Reader, value: Any, n: int) -> list[Any]:
    """The parts of a container, or the rows of an array."""
    if isinstance(value, Items):
        if len(value.values) != n:
            raise Unsupported("another number of values")
        return list(value.values)
    if isinstance(value, View) and value.dims:
        from .indexing import row

        value = r.materialised(value)
        r.same(value.dims[0], integer(n))
        return [row(r, value, integer(k)) for k in range(n)]
    raise Unsupported("unpacking of what is no container")


def bound(r: Reader, value: Any, name: str) -> Any:
    """What a name is bound to: a number that has been computed, an array in memory."""
    hint = f"v_{name}"
    if isinstance(value, Scalar):
        return Scalar(r.named(value.expr, hint), value.weak)
    if isinstance(value, View):
        return r.materialised(value, hint)
    if isinstance(value, Items):
        return Items(tuple(bound(r, v, name) for v in value.values), value.keys, value.kind)
    return value


def store(r: Reader, target: ast.Subscript, value: Any) -> None:
    """``x[index] = value``."""
    owner = evaluate(r, target.value)
    if isinstance(owner, Items):
        raise Unsupported("an item of a container is replaced")
    scattered = fancy_target(r, owner, target.slice)
    value = r.array(value)
    if scattered is not None:
        check_written(r, owner)
        scattered(apart(r, value, owner.buffer, None), None)
        return
    place = target_view(r, owner, target.slice)
    check_written(r, place)
    r.fill(place, apart(r, value, place.buffer, place))


def augmented(r: Reader, stmt: ast.AugAssign) -> None:
    """``x += v``: in the array, if it is one."""
    from .elementwise import binary

    target = stmt.target
    if isinstance(target, ast.Name):
        old = evaluate(r, ast.Name(target.id, ast.Load()))
        value = evaluate(r, stmt.value)
        if not isinstance(old, View):
            r.env[target.id] = bound(r, binary(r, stmt.op, old, value), target.id)
            return
        place = old
    elif isinstance(target, ast.Subscript):
        owner = evaluate(r, target.value)
        if fancy_target(r, owner, target.slice) is not None:
            gathered = evaluate(r, ast.Subscript(target.value, target.slice, ast.Load()))
            value = binary(r, stmt.op, gathered, evaluate(r, stmt.value))
            store(r, target, r.copied(value) if isinstance(value, View) else value)
            return
        place = target_view(r, owner, target.slice)
        value = evaluate(r, stmt.value)
    else:
        raise Unsupported(f"an assignment to {ast.unparse(target)}")
    check_written(r, place)
    value = apart(r, r.array(value), place.buffer, place)
    if isinstance(stmt.op, (ast.Add, ast.Sub)) and place.dtype[0] == "f":
        import numpy as np

        if isinstance(stmt.op, ast.Sub):
            value = elementwise(r, np.negative, value)
        r.fill(place, value, "add")
    else:
        r.fill(place, binary(r, stmt.op, place, value))


def apart(r: Reader, value: Any, buffer: Buffer | None, place: View | None) -> Any:
    """A value that is not read from where it is written to, unless element by element."""
    from .elementwise import spread
    from .loop_ir import affine, loads

    if isinstance(value, Scalar):
        return Scalar(r.named(value.expr), value.weak)
    if place is not None and place.place is not None and len(value.dims) <= len(place.dims):
        index = tuple(affine(Var(f"probe_{k}")) for k in range(len(place.dims)))
        saved, where = r.block, place.place(index)
        with r.into([]) as trial:
            read = spread(r, value, place.dims)(index)
        r.block = saved
        same = all(g.buffer is not buffer or g.index == where for g in loads(read))
        if same and not trial:
            return value
    return r.copied(value) if id(buffer) in r.reads(value) else value


def check_written(r: Reader, place: Any) -> None:
    """Refuse a write that somebody else would see."""
    if not isinstance(place, View) or place.buffer is None or place.place is None:
        raise Unsupported("a write to what is no array of the function's own")
    if place.buffer.role == "argument":
        raise Unsupported("a write to an argument")
    if place.buffer.kept:
        raise Unsupported("a write to an array that is kept")
    place.buffer.writes.append(tuple(id(loop) for loop in r.loops))


# -- what several ways lead to -------------------------------------------------------------


def spec_of(value: Any) -> Any:
    """What must agree where two ways meet."""
    if isinstance(value, Scalar):
        return ("scalar", value.dtype, value.weak)
    if isinstance(value, View):
        return ("array", value.dims, value.dtype)
    if isinstance(value, Items):
        return ("items", tuple(spec_of(v) for v in value.values), value.keys, value.kind)
    if isinstance(value, Tape):
        return ("tape", value.arena)
    if isinstance(value, Either):
        return ("either", value.cond, spec_of(value.then), spec_of(value.orelse))
    return ("same", value)


def join(r: Reader, a: Any, b: Any) -> Any:
    """The specification of what may be either."""
    if a is None or b is None or a == b:
        return a or b
    if a[0] != b[0]:
        raise Unsupported("a name that is a number here and an array there")
    if a[0] == "scalar":
        weak = a[2] or b[2]
        dtypes = {a[1], b[1]}
        if dtypes in ({"i8", "f8"}, {"b1", "f8"}, {"i8", "b1"}) and a[2] and b[2]:
            return ("scalar", "f8" if "f8" in dtypes else "i8", weak)
        if len(dtypes) == 1:
            return ("scalar", a[1], weak)
    if a[0] == "array" and a[2] == b[2] and len(a[1]) == len(b[1]):
        if all(same_size(r, m, n) for m, n in zip(a[1], b[1], strict=True)):
            return a
    if a[0] == "items" and a[2:] == b[2:] and len(a[1]) == len(b[1]):
        inner = tuple(join(r, x, y) for x, y in zip(a[1], b[1], strict=True))
        return ("items", inner, *a[2:])
    raise Unsupported("a name of two kinds")


def same_size(r: Reader, m: Any, n: Any) -> bool:
    difference = minus(r.norm(m), r.norm(n))
    return not difference.terms and not difference.const


def joined(r: Reader, specs: list[Any], name: str) -> Any:
    """A place for what may come from any of several ways."""
    spec = None
    for s in specs:
        spec = join(r, spec, s)
    return place_for(r, spec, name)


def place_for(r: Reader, spec: Any, name: str) -> Any:
    if spec[0] == "scalar":
        var = r.fresh(f"v_{name}", spec[1])
        r.mutable.add(var.name)
        r.emit(Set(var, Lit({"f": 0.0, "i": 0, "b": False}[spec[1][0]], spec[1])))
        return Scalar(var, spec[2])
    if spec[0] == "array":
        return plain_view(r.buffer(spec[1], spec[2], f"v_{name}"))
    if spec[0] == "items":
        values = tuple(place_for(r, s, f"{name}_{k}") for k, s in enumerate(spec[1]))
        return Items(values, spec[2], spec[3])
    if spec[0] == "tape":
        start, count = (place_for(r, ("scalar", "i8", True), f"{name}_{w}") for w in ("from", "n"))
        return Tape(spec[1], start.expr, count.expr)
    if spec[0] == "either":
        return Either(spec[1], *(place_for(r, s, name) for s in spec[2:]))
    return spec[1]


def settle(r: Reader, pairs: list[tuple[Any, Any]]) -> None:
    """Give places their values, all at once."""
    leaves = [leaf for place, value in pairs for leaf in leaves_of(r, place, value)]
    overwritten = {id(p.buffer) for p, _ in leaves if isinstance(p, View)}
    changed = {p.expr.name for p, _ in leaves if isinstance(p, Scalar)}
    ready = []
    for place, value in leaves:
        if isinstance(place, View):
            value = r.array(value)
            if isinstance(value, View) and value.buffer is place.buffer and value.whole:
                continue
            ready.append((place, r.copied(value) if r.reads(value) & overwritten else value))
        elif place.expr != value.expr:
            expr = cast(value.expr, place.dtype)
            from .loop_ir import variables

            if len(leaves) > 1 and any(v.name in changed for v in variables(expr)):
                var = r.fresh("t", expr.dtype)
                r.emit(Let(var, expr))
                expr = var
            ready.append((place, expr))
    for place, value in ready:
        if isinstance(place, View):
            r.fill(place, value)
        else:
            r.emit(Set(place.expr, value))


def leaves_of(r: Reader, place: Any, value: Any) -> list[tuple[Any, Any]]:
    if value is None:  # not bound on this way
        return []
    if isinstance(place, Items):
        return [
            leaf
            for p, v in zip(place.values, value.values, strict=True)
            for leaf in leaves_of(r, p, v)
        ]
    if isinstance(place, Tape):
        inner = ((place.start, value.start), (place.count, count_of(r, value)))
        return [(Scalar(p), Scalar(affine(v))) for p, v in inner]
    if isinstance(place, Either):
        return [
            *leaves_of(r, place.then, value.then), *leaves_of(r, place.orelse, value.orelse),
        ]  # fmt: skip
    if isinstance(place, Scalar):
        return [(place, r.number(value))]
    return [(place, value)] if isinstance(place, View) else []


def branch(r: Reader, stmt: ast.If, live: set[str]) -> None:
    cond = truth(r, evaluate(r, stmt.test))
    if isinstance(cond, bool) or cond in r.assumed:
        taken = cond if isinstance(cond, bool) else r.assumed[cond]
        found = run(r, stmt.body if taken else stmt.orelse, live)
        if found is ENDED:
            raise Unsupported("a break that is always taken")
        return
    cond = r.named(cond, "cond")
    before = dict(r.env)
    sides = []
    for body, side in ((stmt.body, True), (stmt.orelse, False)):
        r.env = dict(before)
        with r.into([]) as block, assuming(r, cond, side):
            found = run(r, body, live)
        sides.append((block, r.env, found))
    going = [(block, env) for block, env, found in sides if found is DONE]
    r.env = dict(before)
    for name in sorted(assigned([stmt]) & live):
        merge(r, name, cond, going)
    for name in assigned([stmt]) - live:
        r.env.pop(name, None)
    r.emit(If(cond, sides[0][0], sides[1][0]))


@contextmanager
def assuming(r: Reader, cond: Any, side: bool) -> Iterator[None]:
    """A condition holds, or does not, for a while."""
    r.assumed[cond] = side
    try:
        yield
    finally:
        del r.assumed[cond]


def merge(r: Reader, name: str, cond: Any, going: list[tuple[list[Stmt], dict[str, Any]]]) -> None:
    """What a name stands for after a branch."""
    values = [env.get(name) for _, env in going]
    known = [v for v in values if v is not None]
    if not known:
        r.env.pop(name, None)
        return
    if all(v is known[0] for v in values):
        r.env[name] = known[0]
        return
    try:
        places: list[Any] = [joined(r, [spec_of(v) for v in known], name)] * len(values)
    except Unsupported:
        places = [place_for(r, spec_of(v), name) for v in values]
    r.env[name] = places[0] if all(p is places[0] for p in places) else Either(cond, *places)
    for (block, _), place, value in zip(going, places, values, strict=True):
        with r.into(block):
            settle(r, [(place, value)])


# -- loops ------------------------------------------------------------------------------


@dataclass(eq=False)
class Carrying:
    """A loop that is being read: where its carried names stand, and what was put there."""

    places: dict[str, Any]
    before: list[Stmt]
    known: frozenset[str]  # variables
    found: dict[str, list[Any]] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)  # names that held one array at some time
    var: Var | None = None
    lower: Any = None
    upper: Any = None  # of its index

    def commit(self, r: Reader) -> None:
        """The values of the names at the end of an iteration, or where it is left."""
        pairs = []
        held: dict[int, str] = {}
        for name, place in self.places.items():
            value = r.env.get(name)
            for leaf in views_in(value):
                if leaf.buffer is not None:
                    other = held.setdefault(id(leaf.buffer), name)
                    self.shared |= {name, other} if other != name else set()
            if value is not None:
                self.found.setdefault(name, []).append(spec_of(value))
                if place is not None and agree(r, place, value):
                    pairs.append((place, value))
        settle(r, pairs)


def agree(r: Reader, place: Any, value: Any) -> bool:
    """Whether a value fits its place, as it will in the last reading of the loop."""
    try:
        return bool(join(r, spec_of(place), spec_of(value)) == spec_of(place))
    except Unsupported:
        return False


def loop(r: Reader, stmt: ast.For | ast.While, live: set[str]) -> None:
    if stmt.orelse:
        raise Unsupported("the else of a loop")
    over = iteration(r, evaluate(r, stmt.iter)) if isinstance(stmt, ast.For) else None
    names = assigned(stmt.body) | (assigned([stmt]) if isinstance(stmt, ast.For) else set())
    test = [ast.Expr(stmt.test)] if isinstance(stmt, ast.While) else []
    carried = sorted(names & (exposed([*test, *stmt.body], set()) | live))
    if isinstance(stmt, ast.For):
        carried = [n for n in carried if n not in targets(stmt) or n in live]
    before = dict(r.env)
    specs: dict[str, Any] = {n: spec_of(before[n]) if n in before else None for n in carried}
    for _ in range(5):
        mutable = set(r.mutable)
        with r.into([]) as block:
            found = attempt(r, stmt, over, specs, before)
        if all(specs[n] == found[n] for n in carried):
            break
        specs, r.env = found, dict(before)
        r.mutable = mutable
    else:
        raise Unsupported("names whose kinds change from iteration to iteration")
    for made in block:
        r.emit(made)
    for name in names - set(carried):
        r.env.pop(name, None)


def targets(stmt: ast.For) -> set[str]:
    return {n.id for n in ast.walk(stmt.target) if isinstance(n, ast.Name)}


def attempt(
    r: Reader, stmt: ast.For | ast.While, over: Iteration | None, specs: Any, before: Any
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
    carrying = Carrying(places, [], frozenset(r.defined))
    r.loops.append(carrying)
    try:
        with r.into([]) as body:
            head = header(r, stmt, over, carrying)
            if run(r, stmt.body, set(places)) is DONE:
                carrying.commit(r)
    finally:
        r.loops.pop()
    for made in carrying.before:
        r.emit(made)
    r.emit(head(body))
    r.env = dict(before) | {n: p for n, p in places.items() if p is not None}
    found = {}
    for name, spec in specs.items():
        others = carrying.found.get(name, [])
        if spec is not None and spec[0] == "scalar" and widens(r, others, over, carrying):
            spec = others[0]
        for other in others:
            spec = join(r, spec, other)
        found[name] = spec
    check_shared(r, carrying, before)
    return found


def widens(r: Reader, others: list[Any], over: Iteration | None, carrying: Carrying) -> bool:
    """Whether a number becomes an array of known size in the first iteration, which there is."""
    if over is None or not others or any(s[0] != "array" for s in others):
        return False
    if not all(r.entered(n, carrying) for s in others for n in s[1]):
        return False
    r.bail(Op("less_equal", (affine(over.count), integer(0)), "b1"))
    return True


def views_in(value: Any) -> Iterator[View]:
    """The arrays in a value."""
    if isinstance(value, View):
        yield value
    elif isinstance(value, Items):
        for v in value.values:
            yield from views_in(v)


def check_shared(r: Reader, carrying: Carrying, before: dict[str, Any]) -> None:
    """Refuse writes into a carried array that another name holds, too."""
    for name, place in carrying.places.items():
        if not isinstance(place, View) or place.buffer is None or not place.buffer.writes:
            continue
        init = before.get(name)
        others = [v for n, v in before.items() if n != name and isinstance(v, View)]
        if isinstance(init, View) and (
            init.buffer is None
            or init.buffer.role == "argument"
            or init.buffer.kept
            or any(v.buffer is init.buffer for v in others)
            or name in carrying.shared
        ):
            raise Unsupported(f"`{name}` is written to, and may be held by another name")


def endless(stmt: ast.stmt) -> bool:
    return (
        isinstance(stmt, ast.While)
        and isinstance(stmt.test, ast.Constant)
        and bool(stmt.test.value)
    )


def header(r: Reader, stmt: Any, over: Iteration | None, carrying: Carrying) -> Any:
    """The loop around a body, and in the body the test or the element."""
    if over is None:
        cond = truth(r, evaluate(r, stmt.test))
        if cond is False:
            raise Unsupported("a loop that never runs")
        if cond is not True:
            r.emit(If(Op("logical_not", (cond,), "b1"), [Break()]))
        return lambda body: While(body)
    var = r.fresh("k")
    lo, hi = over.direct or (integer(0), over.count)
    carrying.var, carrying.lower, carrying.upper = var, lo, hi
    assign(r, stmt.target, over.element(var))
    return lambda body: For(var, lo, hi, body, backwards=over.backwards)


def iteration(r: Reader, value: Any) -> Iteration:
    """What a loop runs over."""
    if isinstance(value, Iteration):
        return value
    if isinstance(value, Tape):
        from .tapes import count_of, item_of

        count = r.named(count_of(r, value), "count")
        return Iteration(count, lambda k: item_of(r, value, k))
    if isinstance(value, View) and value.dims:
        from .indexing import row

        value = r.materialised(value)
        return Iteration(value.dims[0], lambda k: row(r, value, k))
    raise Unsupported("a loop over this")


# -- calls of other functions of the text ------------------------------------------------


def inlined(r: Reader, definition: ast.FunctionDef, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The body of a function in place of its call."""
    if definition.name in r.calls:
        raise Unsupported(f"`{definition.name}` calls itself")
    given = definition.args
    if given.vararg or given.kwarg or given.kwonlyargs:
        raise Unsupported(f"the parameters of `{definition.name}`")
    names = [a.arg for a in [*given.posonlyargs, *given.args]]
    env = dict(zip(names, args, strict=False)) | kwargs
    first = len(names) - len(given.defaults)
    outer, loops = r.env, r.loops
    for name, default in zip(names[first:], given.defaults, strict=True):
        if name not in env:
            env[name] = evaluate(r, default)
    if set(env) != set(names):
        raise Unsupported(f"the arguments of `{definition.name}`")
    r.env = {n: bound(r, v, n) for n, v in env.items()}
    r.calls.append(definition.name)
    try:
        value = run(r, definition.body, set())
    finally:
        r.env, r.loops = outer, loops
        r.calls.pop()
    return Constant(None) if value is DONE else value
