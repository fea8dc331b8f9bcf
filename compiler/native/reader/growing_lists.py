"""Lists that grow: their items stand in arenas, one for each place of the text that makes one, in each call of it.

An array that is appended is copied: it takes the memory that the list would hold on to.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

from ..loop_ir.ir import Buffer, Let, Lit, Reserve, Set, Store, affine, integer, minus, plus
from ..loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ..refusal import NothingAppended, SeveralKinds, Unsupported
from .aliasing import hold_in, keep, unwritten
from .ragged_items import Heap, alike, array_spec, heap_of, put
from .ragged_items import taken as ragged
from .reader import Reader
from .values import MIXED, Arena, Either, Growing, Handle, Maybe, Rows, Tape

__all__ = ["append", "count_of", "item_of", "merged", "new_tape"]


def new_tape(r: Reader, key: int) -> Tape:
    """An empty list, made at the place ``key`` of the text."""
    hold_in(r, key)
    arena = r.arenas.get((key, r.path))
    if arena is None:
        used = r.fresh("used")
        r.mutable.add(used.name)
        arena = r.arenas[key, r.path] = Arena(f"tape_{len(r.arenas)}", used, key)
        r.entry_sets.append(Set(used, integer(0)))
    start = r.fresh("start")
    r.emit(Let(start, arena.used))
    made = Tape(arena, start)
    r.empty[id(made)] = (made, r.block)
    return made


def count_of(r: Reader, tape: Tape | Rows) -> Any:
    if isinstance(tape, Rows):
        return tape.count
    return minus(tape.arena.used, tape.start) if tape.count is None else tape.count


def append(r: Reader, tape: Tape | Rows | Growing, value: Any) -> None:
    """``tape.append(value)``."""
    if r.device is not None:
        r.device.kept(r, value)
    if isinstance(tape, Growing):
        grow(r, tape, value)
        return
    if isinstance(tape, Rows):
        put_row(r, tape, value)
        return
    r.empty.pop(id(tape), None)
    arena = tape.arena
    if r.device is not None and not r.loops:  # its items are arrays that are there
        raise SeveralKinds("a list that grows outside of loops", arena.key)
    if tape.count is not None:
        raise Unsupported("a list that is appended to after it was kept")
    if r.loops:
        check_rows(r, value, r.loops[0])
    loop = r.loops[0] if r.loops else None
    parts, shape = item_of_list(r, value, arena, loop)
    if loop is not None:
        check_sizes(r, shape, loop)
    if (r.source is not None or r.device is not None) and any(
        s[0] == "ragged" for s in flat(shape)
    ):
        raise SeveralKinds("a list of arrays whose sizes change", arena.key)
    if arena.item is None:
        arena.item = shape
        arena.leaves = []
        for k, leaf in enumerate(flat(shape)):
            arena.leaves.append(memory_of(r, arena, k, leaf))
    elif arena.item != shape:
        found = (without_likes(arena.item), without_likes(shape))
        raise SeveralKinds("a list of items of different kinds", arena.key, found)
    store_item(r, arena, parts, shape)
    r.emit(Set(arena.used, plus(arena.used, 1)))


def item_of_list(r: Reader, value: Any, arena: Arena, loop: Any) -> tuple[list[Any], Any]:
    """The parts of an item, and its kind: that which the list is known to need, or its own."""
    known = arena.key not in r.plain
    wanted = r.optional.get(arena.key)
    if wanted is not None:
        parts = fitted(r, value, wanted, arena)
        shape = wanted
    else:
        parts = values_of(r, value, known)
        shape = numbered(item_spec(r, value, known, loop), parts)
        shape = with_likes(shape, alike(r, flat(shape), parts), itertools.count())
    return parts, shape


def store_item(r: Reader, arena: Arena, parts: list[Any], shape: Any) -> None:
    """The parts at the end of the memory of a list."""
    ends: dict[Any, Any] = {}
    for buffer, leaf, spec in zip(arena.leaves, parts, flat(shape), strict=True):
        if isinstance(buffer, Heap):
            put_ragged(r, buffer, arena, leaf, spec, ends)
            continue
        r.emit(Reserve(buffer, plus(arena.used, 1)))
        if leaf is None:
            continue
        if isinstance(leaf, View):
            keep(r, leaf, arena.key)
            at = leaf.at
            r.nest(
                leaf.dims,
                partial(kept, buffer, arena.used, at),
            )
        else:
            r.emit(Store(buffer, (arena.used,), leaf))
    for used, end in ends.items():
        r.emit(Set(used, end))


def with_likes(spec: Any, likes: dict[int, int], count: Any) -> Any:
    """The specification of an item whose leaves know earlier ones of the same sizes."""
    if spec[0] == "items":
        return ("items", tuple(with_likes(s, likes, count) for s in spec[1]), *spec[2:])
    if spec[0] == "either":
        next(count)
        return (*spec[:2], *(with_likes(s, likes, count) for s in spec[2:]))
    if spec[0] == "maybe":
        next(count)
        return ("maybe", with_likes(spec[1], likes, count))
    if spec[0] == "ragged":
        return (*spec[:3], likes.get(next(count)))
    for _ in flat(spec):
        next(count)
    return spec


def without_likes(spec: Any) -> Any:
    return with_likes(spec, {}, itertools.count())


def put_ragged(
    r: Reader, heap: Heap, arena: Arena, leaf: Any, spec: Any, ends: dict[Any, Any]
) -> None:
    """An array of its own size; where there is none, an empty one."""
    if leaf is None:
        dims = tuple(integer(0) if n is None else n for n in spec[1])
        leaf = View(dims, spec[2], lambda _: Lit(0, spec[2]))
    else:
        keep(r, leaf, arena.key)
    put(r, heap, arena.used, leaf, spec, ends)


def check_sizes(r: Reader, spec: Any, loop: Any) -> None:
    """Rows whose own items change in size must be a list that grows."""
    if spec[0] in ("items", "either", "maybe"):
        for inner in spec[1] if spec[0] == "items" else spec[1:]:
            if isinstance(inner, tuple):
                check_sizes(r, inner, loop)
    elif spec[0] == "rows":
        for leaf in flat(spec):
            if not all(r.entered(n, loop) for n in leaf[1]):
                raise SeveralKinds("a list of arrays whose sizes change", spec[3])


def fitted(r: Reader, value: Any, spec: Any, arena: Arena) -> list[Any]:
    """The leaves of an item of a list whose kind is known; None for those of what is missing."""
    if spec[0] == "maybe":
        inner = flat(spec[1])
        if isinstance(value, Constant) and value.value is None:
            return [Lit(False, "b1"), *[None] * len(inner)]
        return [Lit(True, "b1"), *fitted(r, value, spec[1], arena)]
    if spec[0] == "items" and isinstance(value, Items) and len(spec[1]) == len(value.values):
        pairs = zip(value.values, spec[1], strict=True)
        return [leaf for v, s in pairs for leaf in fitted(r, v, s, arena)]
    found = item_spec(r, value, arena.key not in r.plain, r.loops[0] if r.loops else None)
    if found != spec:
        raise SeveralKinds("a list of items of different kinds", arena.key, (spec, found))
    return values_of(r, value, arena.key not in r.plain)


def merged(a: Any, b: Any) -> Any:
    """The spec that fits items of two specs, if what one lacks is None there; or None."""
    if a == b:
        return a
    missing = ("constant", None)
    if a == missing or b == missing:
        other = b if a == missing else a
        return other if other[0] == "maybe" else ("maybe", other)
    if a[0] == "maybe" or b[0] == "maybe":
        inner = merged(*(s[1] if s[0] == "maybe" else s for s in (a, b)))
        return None if inner is None else ("maybe", inner)
    if a[0] == b[0] == "items" and a[2:] == b[2:] and len(a[1]) == len(b[1]):
        parts = tuple(merged(x, y) for x, y in zip(a[1], b[1], strict=True))
        return None if None in parts else ("items", parts, *a[2:])
    return None


def put_row(r: Reader, rows: Rows, value: Any) -> None:
    """The item of this iteration, in its row."""
    if r.block is not rows.block or rows.item is not None:
        raise SeveralKinds("a list that is appended to elsewhere", rows.key)
    carrying = r.loops[-1]
    check_rows(r, value, carrying)
    known = rows.key not in r.plain
    parts = values_of(r, value, known)
    shape = numbered(item_spec(r, value, known), parts)
    for leaf, spec in zip(parts, flat(shape), strict=True):
        dims = tuple(r.norm(n) for n in sizes(leaf))
        if not all(r.entered(n, carrying) for n in dims):
            raise SeveralKinds("a list of arrays whose sizes change", rows.key)
        dtype = spec[2] if spec[0] == "array" else spec[1]
        with r.into(rows.before):
            made = r.buffer((affine(rows.count), *dims), dtype, "rows")
        rows.leaves.append(plain_view(made))
        if isinstance(leaf, View):
            keep(r, leaf, rows.key)
            r.nest(leaf.dims, partial(kept, made, rows.at, leaf.at))
        else:
            r.emit(Store(made, (rows.at,), leaf))
    rows.item = shape


def check_rows(r: Reader, value: Any, loop: Any) -> None:
    """Rows that are kept in another list must be equally many each time."""
    if isinstance(value, Items):
        for v in value.values:
            check_rows(r, v, loop)
    elif isinstance(value, Rows) and not r.entered(r.norm(value.count), loop):
        raise SeveralKinds("a list of lists of several lengths", value.key)


def grow(r: Reader, found: Growing, value: Any) -> None:
    """One more item, which is held as it is."""
    if r.block is not found.block:
        raise SeveralKinds("a list that grows in a loop", found.key)
    for leaf in values_of(r, value):
        if isinstance(leaf, View):
            keep(r, leaf)
    found.items.append(value)


def sizes(leaf: Any) -> tuple[Any, ...]:
    return leaf.dims if isinstance(leaf, View) else ()


def kept(buffer: Buffer, at: Any, read: Any, index: tuple[Any, ...]) -> list[Any]:
    """One element of an array that is appended."""
    return [Store(buffer, (at, *index), read(index))]


def item_spec(r: Reader, value: Any, known: bool, loop: Any = None) -> Any:
    """The spec that all items of a list share; ``known``: an integer or a truth that is known stays so.

    ``loop``: that they are kept in, each of its own size.
    """
    if isinstance(value, Scalar):
        if (
            known
            and value.weak is True
            and value.dtype in ("i8", "b1")
            and value.literal is not None
        ):
            return ("known", value.literal)
        return ("scalar", value.dtype, MIXED if value.mixed else value.weak)
    if isinstance(value, View):
        return array_spec(r, value, loop)
    if isinstance(value, Items):
        inner = tuple(item_spec(r, v, known, loop) for v in value.values)
        return ("items", inner, value.keys, value.kind)
    if isinstance(value, Tape):
        return ("tape", value.arena)
    if isinstance(value, Rows):
        return ("rows", r.norm(value.count), value.item, value.key)
    if isinstance(value, Constant):
        return ("constant", value.value)
    if isinstance(value, Handle):
        return ("record", value.record)
    if isinstance(value, Either):
        sides = (item_spec(r, v, known, loop) for v in (value.then, value.orelse))
        return ("either", value.cond, *sides)
    raise Unsupported("such an item of a list")


def numbered(spec: Any, leaves: list[Any]) -> Any:
    """The specification of an item, conditions written as the number of the leaf they are."""
    if spec[0] == "items":
        return ("items", tuple(numbered(s, leaves) for s in spec[1]), *spec[2:])
    if spec[0] == "either":
        inner = (numbered(s, leaves) for s in spec[2:])
        return ("either", leaves.index(spec[1]), *inner)
    return spec


def flat(spec: Any) -> list[Any]:
    if spec[0] == "items":
        return [leaf for s in spec[1] for leaf in flat(s)]
    if spec[0] == "tape":
        return [("scalar", "i8", True)] * 2
    if spec[0] == "record":
        return [("scalar", "i8", True)]
    if spec[0] == "maybe":
        return [("scalar", "b1", True), *flat(spec[1])]
    if spec[0] == "rows":
        return [rows_leaf(spec[1], leaf) for leaf in flat(spec[2])]
    if spec[0] == "either":
        return [("scalar", "b1", True), *(leaf for s in spec[2:] for leaf in flat(s))]
    if spec[0] == "scalar" and spec[2] == MIXED:
        return [("scalar", spec[1], True), ("scalar", "b1", True)]
    return [] if spec[0] in ("constant", "known") else [spec]


def rows_leaf(count: Any, leaf: Any) -> Any:
    """All rows of a leaf, as one array."""
    dims = leaf[1] if leaf[0] == "array" else ()
    return ("array", (count, *dims), leaf[2] if leaf[0] == "array" else leaf[1])


def values_of(r: Reader, value: Any, known: bool = False) -> list[Any]:
    """The leaves of an item: views, and expressions of numbers."""
    if isinstance(value, Items):
        return [leaf for v in value.values for leaf in values_of(r, v, known)]
    if isinstance(value, Tape):
        return [value.start, count_of(r, value)]
    if isinstance(value, Rows):
        if value.item is None or value.at is not None:
            raise SeveralKinds("a list that is kept while it grows", value.key)
        return list(value.leaves)
    if isinstance(value, Either):
        sides = (leaf for v in (value.then, value.orelse) for leaf in values_of(r, v, known))
        return [value.cond, *sides]
    if isinstance(value, Constant):
        return []
    if isinstance(value, Handle):
        return [value.expr]
    if isinstance(value, Scalar):
        if item_spec(r, value, known)[0] == "known":
            return []
        return [value.expr, value.weak] if value.mixed else [value.expr]
    return [value]


def memory_of(r: Reader, arena: Arena, k: int, leaf: Any) -> Buffer | Heap:
    if leaf[0] == "ragged":
        return heap_of(r, arena, k, leaf)
    dims = leaf[1] if leaf[0] == "array" else ()
    dtype = leaf[2] if leaf[0] == "array" else leaf[1]
    made = Buffer(f"{arena.name}_{k}", dtype, (arena.used, *dims), role="arena")
    r.arena_buffers.append(made)
    return made


def item_of(r: Reader, tape: Tape | Rows, k: Any) -> Any:
    """Item number ``k`` of a list, by reference."""
    if isinstance(tape, Rows):
        if tape.item is None or tape.at is not None:
            raise SeveralKinds("a list that is read while it grows", tape.key)
        return item_from(r, tape.item, tape.leaves, affine(k), lambda view: view)
    if tape.arena.item is None:
        raise NothingAppended(tape.arena)
    leaves = [b if isinstance(b, Heap) else plain_view(b) for b in tape.arena.leaves]
    return item_from(r, tape.arena.item, leaves, plus(tape.start, k), unwritten)


def item_from(r: Reader, item: Any, views: list[Any], at: Any, taken: Any) -> Any:
    """The item whose leaves stand at one index of some views."""
    leaves = iter(views)
    read: dict[Any, Any] = {}

    def number(view: View) -> Any:
        if id(view) not in read:
            read[id(view)] = r.fresh("s", view.dtype)
            r.emit(Let(read[id(view)], view.at((at,))))
        return read[id(view)]

    def named(e: Any) -> Any:
        if e not in read:
            read[e] = r.fresh("s", e.dtype)
            r.emit(Let(read[e], e))
        return read[e]

    def array(dims: tuple[Any, ...]) -> View:
        return taken(row_of(next(leaves), at, dims))  # type: ignore[no-any-return]

    def build(spec: Any) -> Any:
        if spec[0] == "items":
            return Items(tuple(build(s) for s in spec[1]), spec[2], spec[3])
        if spec[0] == "ragged":
            return taken(ragged(next(leaves), spec, at, named))
        if spec[0] == "constant":
            return Constant(spec[1])
        if spec[0] == "known":
            return scalar(spec[1])
        if spec[0] == "record":
            return Handle(spec[1], number(next(leaves)))
        if spec[0] == "tape":
            start, count = next(leaves), next(leaves)
            return Tape(spec[1], number(start), number(count))
        if spec[0] == "rows":
            parts = [array(rows_leaf(spec[1], leaf)[1]) for leaf in flat(spec[2])]
            return Rows(spec[3], spec[1], [], None, [], spec[2], parts)
        if spec[0] == "maybe":
            there = number(next(leaves))
            return Maybe(there, build(spec[1]))
        if spec[0] == "either":
            next(leaves)  # the condition, which may stand somewhere else, too
            cond = number(views[spec[1]])
            then, orelse = (build(s) for s in spec[2:])
            return Either(cond, then, orelse)
        if spec[0] == "scalar":
            found = number(next(leaves))
            return Scalar(found, number(next(leaves)) if spec[2] == MIXED else spec[2])
        return array(spec[1])

    return build(item)


def row_of(view: View, at: Any, dims: tuple[Any, ...]) -> View:
    """One row of an array in memory."""
    place = view.place
    return View(
        dims, view.dtype, lambda index: view.at((at, *index)), view.buffer,
        None if place is None else lambda index: place((at, *index)), cheap=True,
    )  # fmt: skip
