"""Names for the sizes that nobody has named: what the program takes for equal has one name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain as chained
from itertools import count
from typing import Any

from retrograd.compiler.ir.types import Array, Dim, Given, Tree, Type

from ..specialise.equal_sizes import changed
from .agreement import Seen

__all__ = ["fixed", "has_unnamed", "named_apart", "names_in", "renamed", "with_own_names"]

MARK = "size_"  # of names that stand until there are better ones
FIRST, LAST, BETWEEN = "nmpqr", "dkhcu", "tlsvw"  # rows, columns, and what is neither


def named_apart(types: dict[str, Type]) -> dict[str, Type]:
    """Every unnamed size under a name of its own; one that was 1 in all calls is 1.

    >>> named_apart({"x": Array("float64", (Seen.of(1), Seen.of(4), None), "f")})["x"].dims
    (1, Dim(name='size_0', above_one=True), Dim(name='size_1', above_one=True))
    """
    numbers = count()

    def name(size: Any) -> Any:
        if isinstance(size, Seen) and size.sizes == {1}:
            return 1
        if isinstance(size, Seen) or size is None:
            return Dim(f"{MARK}{next(numbers)}", above_one=True)
        return replace(size, above_one=True) if isinstance(size, Dim) else size

    return {n: changed(kind, name) for n, kind in types.items()}


def fixed(types: dict[str, Type]) -> dict[str, Type]:
    """Sizes that were the same in all calls as numbers, for programs that depend on them."""

    def number(size: Any) -> Any:
        one = isinstance(size, Seen) and len(size.sizes) == 1
        return next(iter(size.sizes)) if one else size

    return {n: changed(kind, number) for n, kind in types.items()}


def has_unnamed(types: dict[str, Type]) -> bool:
    return any(not isinstance(d, (int, Dim)) for kind in types.values() for d in sizes_of(kind))


def names_in(types: dict[str, Type]) -> set[str]:
    """The names of sizes."""
    return {
        size.name for kind in types.values() for size in sizes_of(kind) if isinstance(size, Dim)
    }


def sizes_of(kind: Any) -> Iterator[Any]:
    return (size for dims in shapes_of(kind) for size in dims)


def shapes_of(kind: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(kind, Given):
        yield from shapes_of(kind.type)
    elif isinstance(kind, Array):
        yield kind.dims or ()
    elif isinstance(kind, Tree):
        yield from chained.from_iterable(map(shapes_of, kind.items))


def with_own_names(before: dict[str, Type], after: dict[str, Type]) -> dict[str, Type]:
    """Equal sizes under the name that the user has given one of them."""
    table: dict[str, str] = {}
    for name, kind in before.items():
        for old, new in zip(sizes_of(kind), sizes_of(after[name]), strict=True):
            if isinstance(old, Dim) and isinstance(new, Dim) and not old.name.startswith(MARK):
                table.setdefault(new.name, old.name)

    def rename(size: Any) -> Any:
        return (
            replace(size, name=table.get(size.name, size.name)) if isinstance(size, Dim) else size
        )

    return {name: changed(kind, rename) for name, kind in after.items()}


def renamed(types: dict[str, Type], taken: set[str]) -> dict[str, Type]:
    """Sizes without a name by letters that people use: ``x: f8[n, d]``.

    >>> two = Dim("size_0"), Dim("size_1")
    >>> renamed({"w": Array("float64", two[1:], "f"), "x": Array("float64", two, "f")}, set())["w"].dims
    (Dim(name='d', above_one=False),)
    """
    shapes = [dims for kind in types.values() for dims in shapes_of(kind)]
    names = [s.name for dims in shapes for s in dims if isinstance(s, Dim)]
    used = taken | {name for name in names if not name.startswith(MARK)}
    table: dict[str, str] = {}
    for name in dict.fromkeys(name for name in names if name.startswith(MARK)):
        letters = letters_for(name, shapes)
        free = chained(letters, (f"{letters[0]}{k}" for k in count(2)))
        table[name] = next(letter for letter in free if letter not in used)
        used.add(table[name])

    def rename(size: Any) -> Any:
        return Dim(table.get(size.name, size.name)) if isinstance(size, Dim) else size

    return {n: changed(kind, rename) for n, kind in types.items()}


def letters_for(name: str, shapes: list[tuple[Any, ...]]) -> str:
    """By where a size stands in the arrays with more dimensions than one."""
    wide = [[getattr(s, "name", "") for s in dims] for dims in shapes if len(dims) > 1]
    if any(dims[0] == name for dims in wide) or not any(name in dims for dims in wide):
        return FIRST
    return LAST if any(dims[-1] == name for dims in wide) else BETWEEN
