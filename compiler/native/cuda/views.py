"""How an array is handed to a kernel: as a view whose axes are the kernel's loops.

``x[i + 1, j]`` in loops over ``i`` and ``j`` is ``x[1:n + 1]``, and a kernel that reads it needs no index.
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass

from ..loop_ir.ir import Affine, Var, affine, integer, loads, minus, plus, times, variables
from .host_text import HostText

__all__ = ["Dim", "covers", "view"]


@dataclass(frozen=True)
class Dim:
    """A loop of a kernel: its variable runs from 0 to ``size``."""

    var: Var
    size: Affine


def view(
    sizes: tuple[Any, ...],
    index: tuple[Any, ...],
    dims: list[Dim],
    known: set[str],
    host: HostText,
    name: str,
) -> str | None:
    """Python for the view, or None if no view has these elements; ``known``: what the host knows."""
    places = {dim.var: k for k, dim in enumerate(dims)}
    parts: list[str] = []
    order: list[int] = []
    for position, i in enumerate(index):
        found = axis(affine(i), places, known)
        if found is None:
            return None
        start, step, at = found
        if at is None:
            parts.append(host.expression(start))
            continue
        if at in order:
            return None
        order.append(at)
        part = slice_text(start, step, dims[at].size, sizes[position], host)
        if part is None:
            return None
        parts.append(part)
    return spread(name, parts, order, len(dims))


def axis(
    e: Affine, places: dict[Var, int], known: set[str]
) -> tuple[Affine, int, int | None] | None:
    """Where an index starts, its step, and the loop that it moves with (None: it stands still)."""
    moving = [(atom, k) for atom, k in e.terms if any(v in places for v in variables(atom))]
    start = Affine(tuple(t for t in e.terms if t not in moving), e.const)
    if not all(v.name in known for v in variables(start)) or any(loads(start)):
        return None
    if not moving:
        return start, 0, None
    atom, step = moving[0]
    if len(moving) > 1 or not isinstance(atom, Var):
        return None
    return start, step, places[atom]


def slice_text(start: Affine, step: int, size: Any, room: Any, host: HostText) -> str | None:
    size, room = affine(size), affine(room)
    if step == 1:
        if start == integer(0) and size == room:
            return ":"
        end = plus(start, size)
        first = "" if start == integer(0) else bare(host.expression(start))
        return f"{first}:" if end == room else f"{first}:{bare(host.expression(end))}"
    if step > 1:
        end = plus(start, times(step, size))
        return f"{bare(host.expression(start))}:{bare(host.expression(end))}:{step}"
    if step == -1 and start == minus(room, 1) and size == room:
        return "::-1"
    return None


def bare(text: str) -> str:
    """Without the parentheses around all of it.

    >>> bare("(n - 1)"), bare("(a + 1)*(b + 1)")
    ('n - 1', '(a + 1)*(b + 1)')
    """
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and k < len(text) - 1:
            return text
    return text[1:-1]


def spread(name: str, parts: list[str], order: list[int], rank: int) -> str:
    """The view with its axes in the order of the loops, and one of size 1 where it has none."""
    straight = sorted(order) == order
    text, moving = name, iter(order)
    if straight:
        filled: list[str] = []
        last = None
        for part in parts:
            if ":" in part:
                at = next(moving)
                if last is not None:
                    filled += ["None"] * (at - last - 1)
                last = at
            filled.append(part)
        if last is not None:
            filled += ["None"] * (rank - 1 - last)
        return subscripted(name, filled)
    text = subscripted(name, parts)
    ranks = sorted(order)
    text = f"{text}.transpose({', '.join(str(order.index(r)) for r in ranks)})"
    outer = []
    for a, b in zip(ranks, [*ranks[1:], rank], strict=True):
        outer += [":", *["None"] * (b - a - 1)]
    return subscripted(text, outer)


def subscripted(name: str, parts: list[str]) -> str:
    while parts and parts[-1] == ":":
        parts = parts[:-1]
    return f"{name}[{', '.join(parts)}]" if parts else name


def covers(index: tuple[Any, ...], dims: list[Dim]) -> bool:
    """True if an index moves with all of the loops."""
    moving = {v for i in index for v in variables(affine(i))}
    return all(dim.var in moving for dim in dims)
