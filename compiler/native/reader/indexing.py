"""Subscripts: views by index maps, gathers, and where writes go.  Bounds are tested, or known."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..loop_ir.ir import Affine, Bail, Get, Op, Store, affine, integer, minus, plus, times
from .numpy.elementwise import cast, literal
from .values import Constant, Items, Rows, Scalar, Tape, Unsupported, View, scalar

if TYPE_CHECKING:
    from .reader import Reader

__all__ = ["add_at", "fancy_target", "row", "subscript", "target_view"]


@dataclass(frozen=True)
class Step:
    """One axis of a subscript: ``at`` gives the index in the source from those of the result."""

    kind: str  # "int", "slice", "new", "array"
    value: Any = None
    count: Any = None
    step: int = 1


def subscript(r: Reader, owner: Any, node: ast.expr) -> Any:
    """``owner[node]``."""
    from .expressions import evaluate
    from .growing_lists import count_of, item_of

    if isinstance(owner, Items):
        return item(r, owner, node)
    if isinstance(owner, (Tape, Rows)):
        k = r.integer(evaluate(r, node))
        count = count_of(r, owner)
        if literal(k) is not None and literal(k) < 0:
            k = plus(count, k)
        r.bail(Op("logical_or", (less(k, 0), less_equal(count, k)), "b1"))
        return item_of(r, owner, k)
    owner = r.array(owner)
    if not isinstance(owner, View):
        if isinstance(node, ast.Tuple) and not node.elts:
            return owner
        raise Unsupported("a subscript of a number")
    steps = parse(r, owner, node)
    if any(s.kind == "array" for s in steps):
        return gathered(r, owner, steps)
    return sliced(r, owner, steps)


def item(r: Reader, owner: Items, node: ast.expr) -> Any:
    from .expressions import evaluate

    if isinstance(node, ast.Slice):
        parts = [
            None if p is None else r.literal(evaluate(r, p))
            for p in (node.lower, node.upper, node.step)
        ]
        return Items(owner.values[slice(*parts)], kind=owner.kind)
    at = evaluate(r, node)
    if isinstance(at, Scalar) and at.literal is None and owner.keys is None:
        numbers = r.numbers(owner.values)
        if numbers is not None:
            found = row(r, numbers, position(r, r.integer(at), numbers.dims[0]))
            return Scalar(found.expr, owner.values[0].weak)
    key = r.literal(at)
    keys = owner.keys if owner.keys is not None else None
    try:
        return owner.values[key if keys is None else keys.index(key)]
    except (IndexError, ValueError):
        raise Unsupported("an item that is not there") from None


# -- what an index means --------------------------------------------------------------------


def parse(r: Reader, owner: View, node: ast.expr) -> list[Step]:
    """The axes of a subscript, the ellipsis and the missing ones written out."""
    parts = list(node.elts) if isinstance(node, ast.Tuple) else [node]
    values = [part_of(r, p) for p in parts]
    values = [v for part in values for v in (part.values if is_index_tuple(part) else [part])]
    taken = sum(not (is_none(v) or is_ellipsis(v)) for v in values)
    if taken > len(owner.dims):
        raise Unsupported("too many indices")
    if not any(is_ellipsis(v) for v in values):
        values.append(Constant(...))
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
            steps.append(step_of(r, value, owner.dims[axis]))
            axis += 1
    return steps


def part_of(r: Reader, node: ast.expr) -> Any:
    from .expressions import evaluate

    if isinstance(node, ast.Slice):
        bounds = [
            None if p is None else evaluate(r, p) for p in (node.lower, node.upper, node.step)
        ]
        return tuple(None if isinstance(b, Constant) and b.value is None else b for b in bounds)
    return evaluate(r, node)


def is_index_tuple(value: Any) -> bool:
    return isinstance(value, Items) and value.kind == "tuple"


def is_none(value: Any) -> bool:
    return isinstance(value, Constant) and value.value is None


def is_ellipsis(value: Any) -> bool:
    return isinstance(value, Constant) and value.value is Ellipsis


def step_of(r: Reader, value: Any, n: Any) -> Step:
    """One index of an axis of size ``n``."""
    from .numpy.shaping import stacked_rows

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
    r.bail(Op("logical_or", (less(e, times(-1, n)), less_equal(n, e)), "b1"))
    return affine(Op("wrap", (e, affine(n)), "i8"))


def inside_loop(r: Reader, e: Affine, n: Any) -> bool:
    """Whether an index that moves with a loop is between 0 and ``n``; what is not known is tested before it."""
    if len(e.terms) != 1 or e.terms[0][1] != 1:
        return False
    for loop in r.loops:
        if loop.var != e.terms[0][0]:
            continue
        lowest = literal(plus(loop.lower, e.const))
        room = minus(r.norm(n), r.norm(plus(loop.upper, e.const)))
        if lowest is None or lowest < 0 or not (r.stable(room) and r.entered(room, loop)):
            return False
        if room.terms or room.const < 0:
            loop.before.append(Bail(less(room, 0)))
        return True
    return False


def need(r: Reader, failing: Any, room: Any) -> None:
    """Bail if ``failing``, which it is where ``room`` is negative, unless that is known."""
    room = r.norm(room)
    if room.terms or room.const < 0:
        r.bail(failing)


def less(a: Any, b: Any) -> Op:
    return Op("less", (affine(a), affine(b)), "b1")


def less_equal(a: Any, b: Any) -> Op:
    return Op("less_equal", (affine(a), affine(b)), "b1")


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
        count = affine(r.named(Op("floor_divide", (plus(count, k - 1), affine(k)), "i8"), "count"))
    return Step("slice", lo, r.norm(count), k)


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


# -- views ------------------------------------------------------------------------------


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
        return Scalar(r.named(owner.at(source(()))), weak=False)
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
    from .numpy.elementwise import spread

    where = [k for k, s in enumerate(steps) if s.kind == "array"]
    advanced = [k for k, s in enumerate(steps) if s.kind in ("array", "int")]
    if advanced != list(range(advanced[0], advanced[-1] + 1)):
        raise Unsupported("arrays as indices that are not beside each other")
    common = r.broadcast([steps[k].value.dims for k in where])
    reads = {k: spread(r, steps[k].value, common) for k in where}
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
                found.append(
                    affine(Op("wrap", (cast(reads[k](inner), "i8"), affine(s.count)), "i8"))
                )
            else:
                at = next(outer)
                if s.kind == "slice":
                    found.append(plus(s.value, times(s.step, at)))
        return tuple(found)

    return dims, source


# -- writes -----------------------------------------------------------------------------


def target_view(r: Reader, owner: Any, node: ast.expr) -> View:
    """Where ``owner[node] = ...`` writes, for a basic subscript."""
    if not isinstance(owner, View) or owner.place is None:
        raise Unsupported("a write to what is no array in memory")
    steps = parse(r, owner, node)
    if all(s.kind == "int" for s in steps):
        index = tuple(s.value for s in steps)
        place, buffer = owner.place, owner.buffer
        assert buffer is not None
        return View(
            (), owner.dtype, lambda _: Get(buffer, place(index)), buffer, lambda _: place(index)
        )
    found = sliced(r, owner, steps)
    assert isinstance(found, View)
    return found


Scatter = Callable[[Any, str | None], None]


def fancy_target(r: Reader, owner: Any, node: ast.expr) -> Scatter | None:
    """How ``owner[node] = value`` writes with arrays of integers or a mask; None for a basic subscript."""
    from .expressions import evaluate

    if not isinstance(owner, View):
        return None
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    if all(isinstance(p, (ast.Slice, ast.Constant, ast.UnaryOp)) for p in parts):
        return None
    with r.into([]):
        values = [evaluate(r, p) for p in parts if not isinstance(p, ast.Slice)]
    values = [w for v in values for w in (v.values if is_index_tuple(v) else [v])]
    arrays = [v for v in values if isinstance(v, View)]
    if not arrays and not any(isinstance(v, Items) for v in values):
        return None
    if any(v.dtype == "b1" for v in arrays):
        return masked(r, owner, node)
    return lambda value, op: scatter(r, owner, parse(r, owner, node), value, op)


def masked(r: Reader, owner: View, node: ast.expr) -> Scatter:
    """``owner[mask] = number``."""
    from .expressions import evaluate

    def write(value: Any, op: str | None) -> None:
        mask = evaluate(r, node)
        if not isinstance(value, Scalar) or not isinstance(mask, View):
            raise Unsupported("an array written through a mask")
        if len(mask.dims) != len(owner.dims):
            raise Unsupported("a mask of fewer axes")
        for m, n in zip(mask.dims, owner.dims, strict=True):
            r.same(m, n)
        from ..loop_ir.ir import If

        mask = r.materialised(mask)
        place, buffer = owner.place, owner.buffer
        assert place is not None and buffer is not None
        r.nest(
            owner.dims,
            lambda index: [
                If(
                    mask.at(index),
                    [Store(buffer, place(index), cast(value.expr, buffer.dtype), op)],
                )
            ],
        )

    return write


def scatter(r: Reader, owner: View, steps: list[Step], value: Any, op: str | None) -> None:
    """Writes one after the other: the last one of an index stays."""
    from .numpy.elementwise import spread

    dims, source = gather_map(r, steps)
    read = spread(r, value, dims)
    place, buffer = owner.place, owner.buffer
    if place is None or buffer is None:
        raise Unsupported("a write to what is no array in memory")
    r.nest(
        dims,
        lambda index: [Store(buffer, place(source(index)), cast(read(index), buffer.dtype), op)],
        free=False,
    )


def add_at(r: Reader, owner: Any, index: Any, value: Any) -> None:
    """``np.add.at(owner, index, value)``."""
    from .assignments import check_written

    check_written(r, owner)
    parts = index.values if is_index_tuple(index) else (index,)
    values = list(parts)
    while len(values) < len(owner.dims):
        values.append((None, None, None))
    steps = [
        Step("new") if is_none(v) else step_of(r, v, n)
        for v, n in zip(values, owner.dims, strict=True)
    ]
    value = r.array(value)
    value = r.copied(value) if id(owner.buffer) in r.reads(value) else value
    if any(s.kind == "array" for s in steps):
        scatter(r, owner, steps, value, "add")
        return
    found = sliced(r, owner, steps)
    if isinstance(found, Scalar):
        at = tuple(s.value for s in steps)
        r.emit(Store(owner.buffer, owner.place(at), cast(r.number(value).expr, owner.dtype), "add"))
    else:
        r.fill(found, value, "add")
