"""The same memory by another index map, and gathers.  Bounds are tested, or known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import dataclass

from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Bail,
    If,
    Let,
    Op,
    Set,
    Store,
    Var,
    affine,
    integer,
    minus,
    plus,
    times,
)
from ..loop_ir.scalar_operations import cast, less, less_equal, literal
from ..loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ..refusal import Unsupported
from .containers import stacked_rows
from .python.index_limits import limits
from .reader import Reader

__all__ = [
    "Step",
    "gather_map",
    "gathered",
    "in_memory",
    "indexed",
    "is_ellipsis",
    "is_index_tuple",
    "is_mask",
    "is_none",
    "position",
    "row",
    "size_of",
    "sliced",
    "step_of",
    "steps_of_index",
    "view_of",
]


def view_of(x: View, dims: tuple[Any, ...], source: Any, whole: bool = False) -> View:
    """The same memory by another index map."""
    place = x.place
    return View(
        dims, x.dtype, lambda index: x.at(source(index)), x.buffer,
        None if place is None else lambda index: place(source(index)), whole=whole, cheap=True,
    )  # fmt: skip


def in_memory(r: Reader, x: Any) -> View:
    x = r.array(x)
    if isinstance(x, Scalar):
        raise Unsupported("a number where an array is needed")
    return x if x.cheap else r.materialised(x)  # type: ignore[no-any-return]


def size_of(dims: tuple[Any, ...]) -> Any:
    """The number of elements."""
    total = integer(1)
    for n in dims:
        total = times(total, n)
    return total


@dataclass(frozen=True)
class Step:
    """One axis of a subscript: ``at`` gives the index in the source from those of the result."""

    kind: str  # "int", "slice", "new", "array"
    value: Any = None
    count: Any = None
    step: int = 1


def steps_for(r: Reader, value: Any, dims: tuple[Any, ...]) -> list[Step]:
    """One index of the first of some axes; a mask is one of as many as it has."""
    if not is_mask(r, value):
        return [step_of(r, value, dims[0])]
    if len(value.dims) > len(dims):
        raise Unsupported("a mask of more axes")
    for m, n in zip(value.dims, dims, strict=False):
        r.same(m, n)
    return [Step("array", found, n) for found, n in zip(places_in(r, value), dims, strict=False)]


def is_mask(r: Reader, value: Any) -> bool:
    return isinstance(value, View) and value.dtype == "b1" and bool(value.dims)


def places_in(r: Reader, mask: View) -> list[View]:
    """Where a mask is true: an index of each axis, in memory of the size that the run finds."""
    if r.source is not None or r.device is not None:
        raise Unsupported("a mask as an index")
    mask = r.materialised(mask)
    assert mask.buffer is not None
    probe = mask.at(tuple(affine(Var(f"probe_{k}")) for k in range(len(mask.dims))))
    block, writes, found = r.true_places.get(probe, (None, 0, []))
    if block is r.block and writes == len(mask.buffer.writes):
        return list(found)
    count = r.fresh("true")
    r.mutable.add(count.name)
    r.emit(Set(count, integer(0)))
    r.nest(mask.dims, lambda at: [Accumulate(count, "add", cast(mask.at(at), "i8"))])
    size = r.fresh("count")
    r.emit(Let(size, count))
    made = [r.buffer((affine(size),), "i8", "place") for _ in mask.dims]
    r.emit(Set(count, integer(0)))

    def put(at: tuple[Any, ...]) -> list[Any]:
        stores: list[Any] = [Store(b, (affine(count),), i) for b, i in zip(made, at, strict=True)]
        return [If(mask.at(at), [*stores, Set(count, plus(count, 1))])]

    r.nest(mask.dims, put, free=False)
    views = [plain_view(b) for b in made]
    r.true_places[probe] = r.block, len(mask.buffer.writes), views
    return views


def steps_of_index(r: Reader, owner: View, values: list[Any]) -> list[Step]:
    """The axes of a subscript by values, the ellipsis and the missing ones written out."""
    taken = sum(axes_taken(r, v) for v in values)
    if taken > len(owner.dims):
        raise Unsupported("too many indices")
    if not any(is_ellipsis(v) for v in values):
        values = [*values, Constant(...)]
    steps: list[Step] = []
    axis = 0
    for value in values:
        if is_ellipsis(value):
            for _ in range(len(owner.dims) - taken):
                steps.append(Step("slice", integer(0), owner.dims[axis]))
                axis += 1
        elif is_none(value):
            steps.append(Step("new"))
        else:
            made = steps_for(r, value, owner.dims[axis:])
            steps += made
            axis += len(made)
    return steps


def axes_taken(r: Reader, value: Any) -> int:
    if is_none(value) or is_ellipsis(value):
        return 0
    return len(value.dims) if is_mask(r, value) else 1


def indexed(r: Reader, owner: View, index: Any) -> Any:
    """``owner[index]`` for an index that is a value."""
    steps = steps_of_index(r, owner, list(index.values) if is_index_tuple(index) else [index])
    return (gathered if any(s.kind == "array" for s in steps) else sliced)(r, owner, steps)


def step_of(r: Reader, value: Any, n: Any) -> Step:
    """One index of an axis of size ``n``."""
    if isinstance(value, Constant) and isinstance(value.value, slice):
        s = value.value
        value = tuple(None if b is None else scalar(b) for b in (s.start, s.stop, s.step))
    if isinstance(value, tuple):
        start, stop, step = value
        return slice_of(r, start, stop, step, n)
    if isinstance(value, Items) and value.kind == "list":
        value = stacked_rows(r, [r.array(v) for v in value.values])
    value = r.array(value)
    if isinstance(value, Scalar):
        if value.dtype != "i8":
            raise Unsupported("an index that is no integer")
        return Step("int", position(r, r.named(value.expr, "k"), n))
    if value.dtype != "i8":
        raise Unsupported("a mask as an index")
    index = r.materialised(value)
    if r.device is not None:  # it wraps, as CuPy's does, wherever it is
        r.bail(less_equal(n, 0))
        return Step("array", index, n)
    r.nest(
        index.dims,
        lambda at: [
            Bail(
                Op(
                    "logical_or",
                    (less(index.at(at), times(-1, n)), less_equal(n, index.at(at))),
                    "b1",
                )
            )
        ],
    )
    return Step("array", index, n)


def is_none(value: Any) -> bool:
    return isinstance(value, Constant) and value.value is None


def is_ellipsis(value: Any) -> bool:
    return isinstance(value, Constant) and value.value is Ellipsis


def is_index_tuple(value: Any) -> bool:
    return isinstance(value, Items) and value.kind == "tuple"


def position(r: Reader, e: Any, n: Any) -> Any:
    """An index that is inside: known, tested before the loops, or tested here; from the end if negative."""
    k = literal(e)
    if k is not None:
        need(r, less(n, -k) if k < 0 else less_equal(n, k), minus(n, -k if k < 0 else k + 1))
        return plus(n, k) if k < 0 else affine(k)
    known = inside_loop(r, affine(e), n)
    if known:
        return affine(e)
    e = r.named(e, "k")
    if r.device is not None and not r.device.of_host(e):  # it wraps, wherever it is
        r.bail(less_equal(n, 0))
        return affine(Op("remainder", (e, affine(n)), "i8"))
    r.bail(Op("logical_or", (less(e, times(-1, n)), less_equal(n, e)), "b1"))
    return affine(Op("wrap", (e, affine(n)), "i8"))


def inside_loop(r: Reader, e: Affine, n: Any) -> bool:
    """True if an index that moves with a loop is between 0 and ``n``; what is not known is tested before it."""
    if len(e.terms) != 1 or e.terms[0][1] != 1:
        return False
    for loop in r.loops:
        if loop.var != e.terms[0][0]:
            continue
        lower, uppers = limits(r, loop)
        lowest = literal(plus(lower, e.const))
        rooms = [minus(r.norm(n), r.norm(plus(upper, e.const))) for upper in uppers]
        room = rooms[0]
        if lowest is None or lowest < 0 or not (r.stable(room) and r.entered(room, loop)):
            return False
        if any(not found.terms and found.const >= 0 for found in rooms):
            return True
        said = lower != affine(loop.lower) or uppers[0] != affine(loop.upper)
        beside = (r.assumed or r.tests) and not said
        if not room.terms or beside:  # it is outside at the end, or may not be asked for
            return False
        loop.before.append(Bail(less(room, 0)))
        return True
    return False


def need(r: Reader, failing: Any, room: Any) -> None:
    """Bail if ``failing``, which it is where ``room`` is negative, unless that is known."""
    room = r.norm(room)
    if room.terms or room.const < 0:
        r.bail(failing)


def slice_of(r: Reader, start: Any, stop: Any, step: Any, n: Any) -> Step:
    """``start:stop:step`` of an axis; bounds outside of it are left to NumPy."""
    k = 1 if step is None else r.literal(step)
    if k == -1 and start is None and stop is None:
        return Step("slice", minus(n, 1), n, -1)
    if k < 1:
        raise Unsupported("a slice that goes backwards")
    lo = integer(0) if start is None else bound_of(r, start, n)
    hi = n if stop is None else bound_of(r, stop, n)
    if start is not None and stop is not None:
        need(r, less(hi, lo), minus(hi, lo))
    count = minus(hi, lo)
    if k > 1:
        count = steps_in(r, plus(count, k - 1), k)
    return Step("slice", lo, r.norm(count), k)


def steps_in(r: Reader, length: Any, k: int) -> Affine:
    """How often ``k`` goes into a length."""
    known = literal(length)
    if known is not None:
        return integer(known // k)  # type: ignore[return-value]
    return affine(r.named(Op("floor_divide", (affine(length), affine(k)), "i8"), "count"))


def bound_of(r: Reader, value: Any, n: Any) -> Any:
    e = r.integer(value)
    k = literal(e)
    if k is not None:
        need(r, less(n, abs(k)), minus(n, abs(k)))
        return plus(n, k) if k < 0 else affine(k)
    below = minus(r.norm(n), r.norm(e))
    if not below.terms and below.const >= 0:
        need(r, less(e, 0), e)
        return affine(e)
    r.bail(Op("logical_or", (less(e, 0), less(n, e)), "b1"))
    return affine(e)


def sliced(r: Reader, owner: View, steps: list[Step]) -> Any:
    """A basic subscript: the same memory by another map."""
    if not (owner.cheap or owner.buffer is not None):
        owner = r.materialised(owner)
    dims = tuple(
        integer(1) if s.kind == "new" else s.count for s in steps if s.kind in ("new", "slice")
    )

    def source(index: tuple[Any, ...]) -> tuple[Any, ...]:
        found, k = [], 0
        for s in steps:
            if s.kind == "int":
                found.append(s.value)
            else:
                if s.kind == "slice":
                    found.append(plus(s.value, times(s.step, index[k])))
                k += 1
        return tuple(found)

    if not dims:
        item = owner.buffer if r.device is not None else None
        return Scalar(r.named(owner.at(source(()))), weak=False, item=item)
    place = owner.place
    return View(
        dims,
        owner.dtype,
        lambda index: owner.at(source(index)),
        owner.buffer,
        None if place is None else lambda index: place(source(index)),
        whole=owner.whole and all(is_all(s, n) for s, n in zip(steps, owner.dims, strict=False))
        and len(dims) == len(owner.dims),
        cheap=True,
    )  # fmt: skip


def is_all(s: Step, n: Any) -> bool:
    return s.kind == "slice" and s.step == 1 and literal(s.value) == 0 and s.count == n


def row(r: Reader, owner: View, k: Any) -> Any:
    """``owner[k]`` for an index that is inside."""
    steps = [Step("int", affine(k)), *[Step("slice", integer(0), n) for n in owner.dims[1:]]]
    return sliced(r, owner, steps)


def gathered(r: Reader, owner: View, steps: list[Step]) -> View:
    """A subscript with arrays of integers."""
    dims, source = gather_map(r, steps)
    owner = r.materialised(owner)
    return View(dims, owner.dtype, lambda index: owner.at(source(index)))


def gather_map(
    r: Reader, steps: list[Step]
) -> tuple[tuple[Any, ...], Callable[[tuple[Any, ...]], tuple[Any, ...]]]:
    """The shape of a gather, and where each of its elements comes from."""
    where = [k for k, s in enumerate(steps) if s.kind == "array"]
    advanced = [k for k, s in enumerate(steps) if s.kind in ("array", "int")]
    if advanced != list(range(advanced[0], advanced[-1] + 1)):
        raise Unsupported("arrays as indices that are not beside each other")
    common = r.broadcast([steps[k].value.dims for k in where])
    reads = {k: r.spread(steps[k].value, common) for k in where}
    head = [s for s in steps[: advanced[0]]]
    tail = [s for s in steps[advanced[-1] + 1 :]]
    size = lambda s: integer(1) if s.kind == "new" else s.count  # noqa: E731
    dims = (*map(size, head), *common, *map(size, tail))

    def source(index: tuple[Any, ...]) -> tuple[Any, ...]:
        inner = index[len(head) : len(head) + len(common)]
        outer = iter([*index[: len(head)], *index[len(head) + len(common) :]])
        found = []
        for k, s in enumerate(steps):
            if s.kind == "int":
                found.append(s.value)
            elif s.kind == "array":
                wrapped = "wrap" if r.device is None else "remainder"
                found.append(
                    affine(Op(wrapped, (cast(reads[k](inner), "i8"), affine(s.count)), "i8"))
                )
            else:
                at = next(outer)
                if s.kind == "slice":
                    found.append(plus(s.value, times(s.step, at)))
        return tuple(found)

    return dims, source
