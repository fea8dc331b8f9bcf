"""What crosses from the forward half of a derivative to the backward one: its reason, its size, the total."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from retrograd.compiler.ir.primitives import BUNDLE, UNPACK, Primitive, Structure
from retrograd.compiler.ir.types import Array, Number, Stack, Tree

__all__ = [
    "Kept",
    "evaluated",
    "in_bytes",
    "kept_values",
    "largest_first",
    "recomputed_values",
    "shown",
    "totals",
]


@dataclasses.dataclass(frozen=True)
class Kept:
    """A value that the backward sweep reads: kept, or computed again.

    ``terms`` is its size as a sum, bytes and the sizes that they are multiplied by, None where that is not
    known; ``times``: how often a loop keeps one, as the program writes it.
    """

    name: str
    line: int
    type: str
    size: str
    why: str
    recomputed: bool = False
    terms: tuple[tuple[int, tuple[str, ...]], ...] | None = ()
    times: str = ""


def kept_values(pair: Any) -> Iterator[Kept]:
    """The values that cross from the forward half to the backward one."""
    from retrograd.compiler.ir.operations import walk

    forward, backward = pair.forward.body, pair.backward.body
    first = backward.ops[0] if pair.saved else None
    copies = first.results if first is not None else []
    made = {r: op for op in walk(forward) for r in op.results}
    for value, copy in zip(pair.saved, copies, strict=True):
        lines = readers(backward, copy)
        why = f"read backwards for line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
        why = why if lines else "read backwards"
        if value in forward.params:
            said = f"{why}; an argument, not copied"
            yield Kept(str(value.hint), line_of(value), shown(value.type), "0 bytes", said)
            continue
        op = made.get(value)
        for part in collected(value, op):
            called = part.hint or expression(part, made)
            yield Kept(
                called, line_of(part, op), shown(part.type), sized(value, part), why,
                terms=terms_of(part.type), times=iterations(op, made) if repeats(value, part) else "",
            )  # fmt: skip


def expression(value: Any, made: dict[Any, Any]) -> str:
    """An unnamed value, as the user wrote it: ``1 - p``."""
    from retrograd.compiler.ir.dump import Writer
    from retrograd.compiler.ir.operations import Apply, Value

    class Inline(Writer):
        """Writes unnamed values as the operations that make them."""

        def operand(self, x: Any) -> str:
            op = made.get(x) if isinstance(x, Value) and x.hint is None else None
            if not isinstance(op, Apply) or isinstance(op.fn, Primitive):
                return super().operand(x)
            text = self.applied(op)
            return f"({text})" if " " in text and not text.endswith(")") else text

    text = Inline().operand(value)
    text = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."


WIDEST = 32


def collected(value: Any, op: Any) -> list[Any]:
    """The values that a stack holds one of per iteration; of anything else, itself."""
    from retrograd.compiler.ir.operations import Apply, Loop, Value

    if not isinstance(op, Loop) or value not in op.stacks:
        return [value]
    item = op.collected()[op.stacks.index(value)]
    bundle = next((o for o in op.body.ops if item in o.results), None)
    if isinstance(bundle, Apply) and bundle.fn is BUNDLE and isinstance(bundle.args[0], tuple):
        return [v for v in bundle.args[0] if isinstance(v, Value)]
    return [item] if isinstance(item, Value) else []


def readers(body: Any, value: Any) -> list[int]:
    """The lines whose adjoints read a value, through the stacks and tuples it is kept in."""
    from retrograd.compiler.ir.operations import Apply, Loop, operands_of, values_in, walk

    found: set[int] = set()
    for op in walk(body):
        if not any(v is value for o in operands_of(op) for v in values_in(o)):
            continue
        if isinstance(op, Loop):
            for (stack, _), element in zip(op.feeds, op.elements, strict=True):
                if stack is value:
                    found.update(readers(op.body, element))
        if isinstance(op, Apply) and op.fn is UNPACK:
            for part in op.results:
                found.update(readers(body, part))
        if op.loc is not None:
            found.add(op.loc.line)
    return sorted(found)


def recomputed_values(pair: Any) -> Iterator[Kept]:
    """The user's own operations that the backward half does again."""
    from retrograd.compiler.ir.operations import Apply, walk

    for op in walk(pair.backward.body):
        if not isinstance(op, Apply) or isinstance(op.fn, Structure) or op.loc is not None:
            continue
        value = op.result
        if value.made or value.hint is None:
            continue
        yield Kept(
            str(value.hint), line_of(value), shown(value.type), "0 bytes",
            "cheaper to compute again from the index than to keep", recomputed=True,
        )  # fmt: skip


def line_of(value: Any, op: Any = None) -> int:
    loc = value.loc or (op.loc if op is not None else None)
    return int(loc.line) if loc is not None else 0


def repeats(value: Any, part: Any) -> bool:
    """True if a loop keeps one in each iteration."""
    return value is not part or isinstance(value.type, Stack)


def iterations(op: Any, made: dict[Any, Any]) -> str:
    """How often a loop runs, as the program writes it: ``steps``, ``len(xs) - 1``."""
    from retrograd.compiler.ir.operations import Const, Loop

    if not isinstance(op, Loop) or op.bounds is None:
        return EACH
    low, high, step = op.bounds
    ends = [b.value if isinstance(b, Const) else None for b in (low, high, step)]
    known = [end for end in ends if type(end) is int]
    if len(known) == len(ends):
        return str(len(range(*known)))
    text = expression(high, made)
    if type(ends[0]) is int and ends[0] > 0:
        text = f"({text} - {ends[0]})"
    if (
        type(ends[0]) is not int
        or ends[2] != 1
        or len(text) >= WIDEST
        or "$" in text
        or "%" in text
    ):
        return EACH
    return text


EACH = "iterations"


def sized(value: Any, part: Any) -> str:
    """The memory a kept value takes, as a formula in the names of its dimensions."""
    once = size_of(part.type)
    return f"{once}, once for each iteration" if repeats(value, part) else once


def size_of(kind: Any) -> str:
    if isinstance(kind, Number):
        return "8 bytes"
    if isinstance(kind, Tree) and kind.items:
        parts = [size_of(item) for item in kind.items]
        return UNKNOWN if UNKNOWN in parts else " + ".join(parts)
    if not isinstance(kind, Array) or kind.dims is None or None in kind.dims:
        return UNKNOWN
    width = np.dtype(kind.dtype).itemsize if kind.dtype else 8
    known = math.prod(n for n in kind.dims if isinstance(n, int))
    symbols = [str(n) for n in kind.dims if not isinstance(n, int)]
    return " * ".join([str(width * known), *symbols]) + " bytes"


UNKNOWN = "size unknown"
Terms = tuple[tuple[int, tuple[str, ...]], ...]


def terms_of(kind: Any) -> Terms | None:
    """The same as a sum of products: bytes, and the names of sizes.

    >>> from retrograd.compiler.ir.types import Dim
    >>> terms_of(Array("float64", (Dim("n"), 3)))
    ((24, ('n',)),)
    """
    if isinstance(kind, Number):
        return ((8, ()),)
    if isinstance(kind, Tree) and kind.items:
        parts = [terms_of(item) for item in kind.items]
        return None if None in parts else tuple(term for part in parts for term in part or ())
    if not isinstance(kind, Array) or kind.dims is None or None in kind.dims:
        return None
    width = np.dtype(kind.dtype).itemsize if kind.dtype else 8
    known = math.prod(n for n in kind.dims if isinstance(n, int))
    return ((width * known, tuple(sorted(str(n) for n in kind.dims if not isinstance(n, int)))),)


def largest_first(kept: Iterable[Kept], sizes: Mapping[str, int]) -> list[Kept]:
    """In the order of their sizes, as far as they are known: what a loop keeps, what is unknown, more sizes, bytes."""

    def weight(one: Kept) -> tuple[Any, ...]:
        if one.terms is None:
            return (bool(one.times), True, 0, 0)
        number, symbols = (evaluated(one.terms, sizes), [len(s) for _, s in one.terms])
        return (
            bool(one.times),
            False,
            0 if number is not None else max(symbols, default=0),
            number or sum(b for b, _ in one.terms),
        )

    return sorted(kept, key=weight, reverse=True)


def evaluated(terms: Terms, sizes: Mapping[str, int]) -> int | None:
    """The bytes of a sum, if all sizes in it are known."""
    if any(name not in sizes for _, names in terms for name in names):
        return None
    return sum(count * math.prod(sizes[name] for name in names) for count, names in terms)


def totals(kept: Iterable[Kept], sizes: Mapping[str, int]) -> str:
    """The sum of all that is kept: once, and for each loop times its iterations.

    >>> once = Kept("p", 3, "f8[n]", "", "", terms=((8, ("n",)),))
    >>> each = Kept("h", 5, "float", "", "", terms=((8, ()),), times="steps")
    >>> totals([once, each, each], {})
    '8 * n bytes + 16 bytes * steps'
    >>> totals([once, each], {"n": 4, "steps": 10})
    '112 bytes'
    """
    groups: dict[str, Counter[tuple[str, ...]]] = {}
    unknown = 0
    for one in kept:
        if one.terms is None:
            unknown += 1
        for count, names in one.terms or ():
            groups.setdefault(one.times, Counter())[names] += count
    parts, whole = [], 0
    for times in sorted(groups):
        number = evaluated(tuple((count, names) for names, count in groups[times].items()), sizes)
        factor = int(times) if times.isdigit() else sizes.get(times, 1 if not times else None)
        if number is not None and factor is not None:
            whole += number * factor
            continue
        text = added(groups[times], number)
        text = f"({text})" if times and " + " in text else text
        parts.append(f"{text} * {times}" if times else text)
    if whole or not (parts or unknown):
        parts.insert(0, in_bytes(whole))
    if unknown:
        parts.append(f"{unknown} of unknown size")
    return " + ".join(parts)


def added(group: Mapping[tuple[str, ...], int], number: int | None) -> str:
    if number is not None:
        return in_bytes(number)
    in_order = sorted(group.items(), key=lambda item: (-len(item[0]), item[0]))
    return (
        " + ".join(" * ".join([str(count), *names]) for names, count in in_order if count)
        + " bytes"
    )


def in_bytes(count: int) -> str:
    """
    >>> in_bytes(800), in_bytes(8_000_000)
    ('800 bytes', '8.0 MB')
    """
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**4)):
        if count >= size:
            return f"{count / min(size, 10**3 if unit == 'kB' else size):.1f} {unit}"
    return f"{count} bytes"


def shown(kind: Any) -> str:
    from retrograd.compiler.ir.dump import show_type

    text = show_type(kind)
    return text if len(text) <= WIDEST or not isinstance(kind, Tree) else f"a {kind.container}"
