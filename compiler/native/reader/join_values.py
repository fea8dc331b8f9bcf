"""Join points: one variable for the values of all paths."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import Let, Lit, Set, affine, minus, variables
from ..loop_ir.scalar_operations import cast
from ..loop_ir.values import Items, Scalar, View, plain_view
from ..refusal import SeveralKinds, Unsupported
from .growing_lists import count_of
from .reader import Reader
from .values import MIXED, Either, Handle, Rows, Tape

__all__ = ["join", "joined", "place_for", "settle", "spec_of"]


def spec_of(value: Any) -> Any:
    """The spec of a value, to agree where two ways meet."""
    if isinstance(value, Scalar):
        return ("scalar", value.dtype, MIXED if value.mixed else value.weak)
    if isinstance(value, View):
        return ("array", value.dims, value.dtype)
    if isinstance(value, Items):
        return ("items", tuple(spec_of(v) for v in value.values), value.keys, value.kind)
    if isinstance(value, Tape):
        return ("tape", value.arena)
    if isinstance(value, Rows):
        return ("rows", value, value.key)
    if isinstance(value, Handle):
        return ("record", value.record)
    if isinstance(value, Either):
        return ("either", value.cond, spec_of(value.then), spec_of(value.orelse))
    return ("same", value)


def join(r: Reader, a: Any, b: Any) -> Any:
    """The specification of what may be either."""
    if a is None or b is None or a == b:
        return a or b
    for spec in (a, b):
        if spec[0] == "rows":
            raise SeveralKinds("a list that is another one on another way", spec[2])
    if a[0] != b[0]:
        raise Unsupported("a name that is a number here and an array there")
    if a[0] == "scalar":
        weak = a[2] if a[2] == b[2] else MIXED
        dtypes = {a[1], b[1]}
        if dtypes in ({"i8", "f8"}, {"b1", "f8"}, {"i8", "b1"}) and a[2] and b[2]:
            return ("scalar", "f8" if "f8" in dtypes else "i8", weak)
        if len(dtypes) == 1:
            return ("scalar", a[1], weak)
    if (
        a[0] == "array"
        and a[2] == b[2]
        and len(a[1]) == len(b[1])
        and all(same_size(r, m, n) for m, n in zip(a[1], b[1], strict=True))
    ):
        return a
    if a[0] == "items" and a[2:] == b[2:] and len(a[1]) == len(b[1]):
        inner = tuple(join(r, x, y) for x, y in zip(a[1], b[1], strict=True))
        return ("items", inner, *a[2:])
    raise Unsupported("a name of two kinds")


def same_size(r: Reader, m: Any, n: Any) -> bool:
    """True if two sizes are equal: known, or tested when the kernel begins."""
    difference = minus(r.norm(m), r.norm(n))
    if difference.terms and r.of_sizes(difference):
        r.same(m, n)
        return True
    return not difference.terms and not difference.const


def joined(r: Reader, specs: list[Any], name: str) -> Any:
    """A place for what may come from any of several ways."""
    spec = None
    for s in specs:
        spec = join(r, spec, s)
    return place_for(r, spec, name)


def place_for(r: Reader, spec: Any, name: str) -> Any:
    if spec[0] == "pinned":
        return spec[1]
    if spec[0] == "rows":  # its memory is that of one way
        raise SeveralKinds("a list that is another one on another way", spec[2])
    if spec[0] == "scalar":
        var = r.fresh(f"v_{name}", spec[1])
        r.mutable.add(var.name)
        r.emit(Set(var, Lit({"f": 0.0, "i": 0, "b": False, "c": 0j}[spec[1][0]], spec[1])))
        if spec[2] == MIXED:
            return Scalar(var, place_for(r, ("scalar", "b1", True), f"{name}_soft").expr)
        return Scalar(var, spec[2])
    if spec[0] == "array":
        if not all(map(r.known_here, spec[1])):
            raise Unsupported("an array of a size that is known on one way only")
        return plain_view(r.buffer(spec[1], spec[2], f"v_{name}"))
    if spec[0] == "items":
        values = tuple(place_for(r, s, f"{name}_{k}") for k, s in enumerate(spec[1]))
        return Items(values, spec[2], spec[3])
    if spec[0] == "tape":
        start, count = (place_for(r, ("scalar", "i8", True), f"{name}_{w}") for w in ("from", "n"))
        return Tape(spec[1], start.expr, count.expr)
    if spec[0] == "record":
        address = place_for(r, ("scalar", "i8", True), name).expr
        r.addresses.add(address)
        return Handle(spec[1], address)
    if spec[0] == "either":
        cond = place_for(r, ("scalar", "b1", True), f"{name}_which")
        return Either(cond.expr, *(place_for(r, s, name) for s in spec[2:]))
    return spec[1]


def settle(r: Reader, pairs: list[tuple[Any, Any]]) -> None:
    """Give places their values, all at once."""
    leaves = [leaf for place, value in pairs for leaf in leaves_of(r, place, value)]
    if r.device is not None:
        r.device.handed_on([value for _, value in leaves])
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
            if place.dtype == "i8" and place.expr not in r.addresses:
                r.check_small(place.expr)


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
    if isinstance(place, Handle):
        return [(Scalar(place.expr), Scalar(value.expr))]
    if isinstance(place, Either):
        return [
            (Scalar(place.cond), Scalar(value.cond)),
            *leaves_of(r, place.then, value.then), *leaves_of(r, place.orelse, value.orelse),
        ]  # fmt: skip
    if isinstance(place, Scalar):
        number = r.number(value)
        soft = [(Scalar(place.weak), Scalar(number.softness))] if place.mixed else []
        return [(place, number), *soft]
    return [(place, value)] if isinstance(place, View) else []
