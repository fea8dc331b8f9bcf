"""Which axes of an array are joined or split by a reshape: the others keep their indices, and nothing is divided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...loop_ir.ir import Op, affine, integer, plus, times
from ..views import size_of

__all__ = ["groups", "linear", "source_of", "without"]


class Group(NamedTuple):
    """Axes of the array, and those of the result that number the same elements."""

    own: range
    new: range


def groups(own: Sequence[Any], new: Sequence[Any]) -> list[Group]:
    """The smallest groups that the sizes show: from the left, then from the right, and what is left between."""
    left, (i, j) = grown(own, new)
    right, (back, over) = grown(own[i:][::-1], new[j:][::-1])
    end, last = len(own), len(new)
    turned = [
        Group(
            range(end - g.own.stop, end - g.own.start), range(last - g.new.stop, last - g.new.start)
        )
        for g in reversed(right)
    ]
    middle = Group(range(i, end - back), range(j, last - over))
    return [*left, *([middle] if middle.own or middle.new else []), *turned]


def grown(own: Sequence[Any], new: Sequence[Any]) -> tuple[list[Group], tuple[int, int]]:
    """Groups one after the other, and how far they come."""
    found, at = [], (0, 0)
    while (taken := smallest(own[at[0] :], new[at[1] :])) is not None:
        i, j = at[0] + taken[0], at[1] + taken[1]
        found.append(Group(range(at[0], i), range(at[1], j)))
        at = i, j
    return found, at


def smallest(own: Sequence[Any], new: Sequence[Any]) -> tuple[int, int] | None:
    """How many axes of each have as many elements."""
    pairs = ((i, j) for i in range(1, len(own) + 1) for j in range(1, len(new) + 1))
    for i, j in sorted(pairs, key=sum):
        if affine(size_of(tuple(own[:i]))) == affine(size_of(tuple(new[:j]))):
            return i, j
    return None


def without(own: Sequence[Any], others: Sequence[Any]) -> Any:
    """The number of elements of ``own``, divided by that of ``others``; None if that is not seen."""
    rest = [affine(n) for n in own]
    for n in others:
        if affine(n) not in rest:
            return None
        rest.remove(affine(n))
    return size_of(tuple(rest))


def source_of(
    index: tuple[Any, ...], own: Sequence[Any], new: Sequence[Any], found: list[Group]
) -> tuple[Any, ...]:
    """Where an element of the result stands in the array."""

    def parts() -> Iterator[Any]:
        for group in found:
            given = [index[k] for k in group.new]
            if len(group.own) == len(group.new) == 1:
                yield given[0]
                continue
            at = linear(given, [new[k] for k in group.new])
            yield from unravelled(at, [own[k] for k in group.own])

    return tuple(parts())


def linear(index: Sequence[Any], dims: Sequence[Any]) -> Any:
    at = integer(0)
    for i, n in zip(index, dims, strict=True):
        at = plus(times(at, n), i)
    return at


def unravelled(at: Any, dims: Sequence[Any]) -> list[Any]:
    """The index of an element by its number."""
    if not dims:
        return []
    found = []
    for n in reversed(dims[1:]):
        found.append(affine(Op("remainder", (affine(at), affine(n)), "i8")))
        at = affine(Op("floor_divide", (affine(at), affine(n)), "i8"))
    return [at, *reversed(found)]
