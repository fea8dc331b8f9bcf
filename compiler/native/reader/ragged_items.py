"""Arrays of many sizes in one list: their elements one after the other, and where each begins.

::

    for i in range(n):
        tape.append(x[:i].copy())
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..loop_ir.ir import (
    Buffer,
    Get,
    Let,
    Op,
    Reserve,
    Set,
    Store,
    Var,
    affine,
    integer,
    plus,
    times,
)
from ..loop_ir.values import View
from .reader import Reader
from .values import Arena
from .views import size_of

__all__ = ["Heap", "alike", "array_spec", "heap_of", "put", "taken"]


@dataclass(frozen=True)
class Heap:
    """The elements of all arrays; for each of them the start, and the sizes that change.

    Leaves that have the same sizes in each item share all but the elements.
    """

    data: Buffer
    used: Var
    starts: Buffer
    sizes: tuple[Buffer, ...]


def array_spec(r: Reader, value: View, loop: Any) -> Any:
    """The spec of an array that is kept in a loop: a size that changes meanwhile is None.

    At last stands the number of an earlier leaf of the same sizes, see ``alike``.
    """
    dims = tuple(r.norm(n) for n in value.dims)
    if loop is None or all(r.entered(n, loop) for n in dims):
        return ("array", dims, value.dtype)
    return ("ragged", tuple(n if r.entered(n, loop) else None for n in dims), value.dtype, None)


def alike(r: Reader, specs: list[Any], leaves: list[Any]) -> dict[int, int]:
    """For leaves of an item the first one of the same sizes."""
    first: dict[Any, int] = {}
    found = {}
    for k, (spec, leaf) in enumerate(zip(specs, leaves, strict=True)):
        if spec[0] == "ragged":
            j = first.setdefault(tuple(r.norm(n) for n in leaf.dims), k)
            if j != k:
                found[k] = j
    return found


def heap_of(r: Reader, arena: Arena, k: int, spec: Any) -> Heap:
    """New memory for a leaf of the items of ``arena``."""
    name = f"{arena.name}_{k}"
    if spec[3] is not None:
        first: Heap = arena.leaves[spec[3]]
        data = Buffer(f"{name}_data", spec[2], (first.used,), role="arena")
        r.arena_buffers.append(data)
        return replace(first, data=data)
    used = r.fresh("used")
    r.mutable.add(used.name)
    r.entry_sets.append(Set(used, integer(0)))
    data = Buffer(f"{name}_data", spec[2], (used,), role="arena")
    sizes = [
        Buffer(f"{name}_size_{axis}", "i8", (arena.used,), role="arena")
        for axis, n in enumerate(spec[1])
        if n is None
    ]
    starts = Buffer(f"{name}_start", "i8", (arena.used,), role="arena")
    r.arena_buffers += [data, starts, *sizes]
    return Heap(data, used, starts, tuple(sizes))


def put(r: Reader, heap: Heap, at: Any, value: View, spec: Any, ends: dict[Var, Var]) -> None:
    """Item number ``at`` is a copy of an array; ``ends``: where the next one will begin."""
    if heap.used not in ends:
        changing = [n for n, known in zip(value.dims, spec[1], strict=True) if known is None]
        for buffer, number in ((heap.starts, heap.used), *zip(heap.sizes, changing, strict=True)):
            r.emit(Reserve(buffer, plus(at, 1)))
            r.emit(Store(buffer, (at,), affine(number)))
        ends[heap.used] = r.fresh("end")
        r.emit(Let(ends[heap.used], plus(heap.used, size_of(value.dims))))
    r.emit(Reserve(heap.data, ends[heap.used]))
    r.nest(
        value.dims,
        lambda index: [Store(heap.data, (place(heap.used, value.dims, index),), value.at(index))],
    )


def taken(heap: Heap, spec: Any, at: Any, number: Callable[[Any], Var]) -> View:
    """Item number ``at``; ``number`` names an element of memory."""
    start = number(Get(heap.starts, (at,)))
    sizes = iter(heap.sizes)
    dims = tuple(affine(number(Get(next(sizes), (at,)))) if n is None else n for n in spec[1])

    def where(index: tuple[Any, ...]) -> tuple[Any, ...]:
        return (place(start, dims, index),)

    return View(
        dims, spec[2], lambda index: Get(heap.data, where(index)), heap.data, where, cheap=True
    )


def place(start: Any, dims: tuple[Any, ...], index: tuple[Any, ...]) -> Any:
    """Where an element stands: in C order from ``start`` on."""
    at: Any = integer(0)
    for n, i in zip(dims, index, strict=True):
        at = plus(within(at, n), i)
    return plus(start, at)


def within(at: Any, n: Any) -> Any:
    """A product that fits, since so much memory is there."""
    at, n = affine(at), affine(n)
    if not at.terms or not n.terms:
        return times(at, n)
    return affine(Op("multiply", (at, n), "i8"))
