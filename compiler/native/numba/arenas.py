"""Arenas of a numba kernel: one memory for each group of those that grow together."""

from __future__ import annotations

from collections.abc import Iterator

from ..loop_ir.operation_names import FEW
from ..passes.memory.grouped_appends import Growth
from .expressions import KINDS, count_of, expression

__all__ = ["first_room", "growth"]

FIRST = 1000  # numbers of an arena, at first
BYTES = {"f8": 8, "i8": 8, "f4": 4, "b1": 1}


def places_in(group: Growth) -> tuple[list[str], str]:
    """Where each buffer of a group begins, and the bytes of all, for one item."""
    parts = [
        count_of([str(BYTES[b.dtype]), *(expression(n) for n in b.dims[1:])]) for b in group.buffers
    ]
    starts = [" + ".join(parts[:k]) or "0" for k in range(len(parts))]
    return starts, " + ".join(parts)


def few(group: Growth) -> int:
    """The items that there is room for at first: of numbers, as many as cost nothing."""
    return FIRST if all(len(b.dims) == 1 for b in group.buffers) else 0


def first_room(group: Growth) -> Iterator[str]:
    """Memory in a list: a variable for it would be counted in each iteration of a loop that grows it."""
    name, count = group.name, few(group)
    starts, total = places_in(group) if count else (["0"] * len(group.buffers), "0")
    yield f"{name}_room = {count}"
    yield f"{name}_memory = [np.empty({count} * ({total}), np.uint8)]"
    for buffer, start in zip(group.buffers, starts, strict=True):
        place = f"{name}_memory[0], {count} * ({start})"
        yield f"{buffer.name} = rg_part({place}, {KINDS[buffer.dtype]})"


def growth(group: Growth) -> Iterator[str]:
    """Room for twice as many items, and some."""
    name, count = group.name, expression(group.count)
    starts, total = places_in(group)
    yield f"if {count} > {name}_room:"
    yield f"    {name}_items = {name}_room"
    yield f"    {name}_room = 2 * {count} + {few(group) or FEW}"
    yield f"    {name}_larger = np.empty({name}_room * ({total}), np.uint8)"
    for buffer, start in zip(group.buffers, starts, strict=True):
        items = count_of([f"{name}_items", *(expression(n) for n in buffer.dims[1:])])
        place = f"{name}_larger, {name}_room * ({start})"
        yield f"    {buffer.name} = rg_moved({buffer.name}, {items}, {place})"
    yield f"    {name}_memory[0] = {name}_larger"
