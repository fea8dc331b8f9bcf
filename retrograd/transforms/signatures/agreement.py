"""What two sources say of one argument, taken together; that they contradict each other is an error.

A type may be known in part: an array without its dtype or its dimensions (`Array`), a list of which only the items are
known (`Several`), one of a few types (`OneOf`), a size that was seen in calls (`Seen`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.compiler.ir.types import ORDER, Array, Given, Number, Tree, Type
from retrograd.runtime.records import dataclass, replace

__all__ = ["Contradiction", "OneOf", "Seen", "Several", "join", "meet"]


class Contradiction(Exception):
    """Nothing is of both types; ``path`` leads to the part where they differ."""

    def __init__(self, one: Any, other: Any, path: str = "") -> None:
        super().__init__(path)
        self.one, self.other, self.path = one, other, path


@dataclass(frozen=True)
class Several:
    """A list, tuple or dict of any length, with items of one type."""

    container: str
    item: Any


@dataclass(frozen=True)
class OneOf:
    """One of these types; `None` among them is one of which nothing is known."""

    kinds: tuple[Any, ...]


@dataclass(frozen=True)
class Seen:
    """A dimension's sizes in the calls that were seen."""

    sizes: frozenset[int]

    @classmethod
    def of(cls, size: int) -> Seen:
        return cls(frozenset((size,)))


def meet(a: Any, b: Any, path: str = "") -> Any:
    """The type of what is of both types; where both are declared, the first one's words are kept.

    >>> meet(Array("float64", None, "f"), Array(None, (3, None), None))
    Array(dtype='float64', dims=(3, None), kind='f', least=None)
    >>> meet(Number("f"), Number("i"))
    Number(kind='f', dims=(), dtype=None, rank=0, size=None, least=None)
    """
    if a is None or b is None or a == b:
        return b if a is None else a
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return one_of_both(a, b, path)
    for mine, other in ((a, b), (b, a)):
        if isinstance(mine, Given):
            return replace(mine, type=meet(mine.type, other, path))
    for cls, both in MEETS.items():
        if isinstance(a, cls) and isinstance(b, cls):
            return both(a, b, path)
    raise Contradiction(a, b, path)


def one_of_both(a: Any, b: Any, path: str) -> Any:
    mine, others = (k.kinds if isinstance(k, OneOf) else (k,) for k in (a, b))
    found: list[Any] = []
    for one in mine:
        for other in others:
            try:
                made = meet(one, other, path)
            except Contradiction:
                continue
            found += [made] if made not in found else []
    if not found:
        raise Contradiction(a, b, path)
    return found[0] if len(found) == 1 else OneOf(tuple(found))


def numbers(a: Number, b: Number, path: str) -> Number:
    """A declared float may be given as an int."""
    if ORDER.index(a.kind) < ORDER.index(b.kind):
        raise Contradiction(a, b, path)
    return a


def scalars(a: Any, b: Any, path: str) -> Any:
    """A number and an array: one without dimensions may stand for a number."""
    number, array = (a, b) if isinstance(a, Number) else (b, a)
    if array.dims != () or array.dtype not in (None, *DTYPES[number.kind]):
        raise Contradiction(a, b, path)
    return a


DTYPES = {
    "b": ("bool",),
    "i": ("int64", "int32"),
    "f": ("float64", "int64", "int32"),
    "c": ("complex128", "float64", "int64", "int32"),
}


def arrays(a: Array, b: Array, path: str) -> Array:
    for mine, other in ((a.dtype, b.dtype), (a.kind, b.kind), (a.rank, b.rank)):
        if mine is not None and other is not None and mine != other:
            raise Contradiction(a, b, path)
    dims = a.dims if b.dims is None else b.dims
    if a.dims is not None and b.dims is not None:
        if not all(map(may_be_one, a.dims, b.dims)):
            raise Contradiction(a, b, path)
        dims = tuple(y if x is None else x for x, y in zip(a.dims, b.dims, strict=True))
    return replace(a, dtype=a.dtype or b.dtype, kind=a.kind or b.kind, dims=dims)


def may_be_one(a: Any, b: Any) -> bool:
    """Whether two sizes may be the same."""
    sizes = [s if isinstance(s, Seen) else Seen.of(s) for s in (a, b) if isinstance(s, (int, Seen))]
    return len(sizes) < 2 or sizes[0] == sizes[1]


def trees(a: Tree, b: Tree, path: str) -> Tree:
    if a.container != b.container or (a.cls is not b.cls and a.container == "object"):
        raise Contradiction(a, b, path)
    if a.container == "object":
        if a.known != b.known and a.known is not None and b.known is not None:
            raise Contradiction(a, b, path)
        keys = [*a.keys, *(k for k in b.keys if k not in a.keys)]
    elif set(a.keys) != set(b.keys):
        raise Contradiction(a, b, path)
    else:
        keys = list(a.keys)
    items = tuple(meet(part(a, k), part(b, k), longer(path, a.container, k)) for k in keys)
    return replace(a, keys=tuple(keys), items=items, known=a.known or b.known)


def part(kind: Tree, key: Any) -> Any:
    return kind.items[kind.keys.index(key)] if key in kind.keys else None


def longer(path: str, container: str, key: Any) -> str:
    return f"{path}.{key}" if container == "object" else f"{path}[{key!r}]"


def spread(a: Any, b: Any, path: str) -> Any:
    """Of a container of any length, and one whose items are all known."""
    several, tree = (a, b) if isinstance(a, Several) else (b, a)
    if several.container != tree.container:
        raise Contradiction(a, b, path)
    pairs = zip(tree.keys, tree.items, strict=True)
    items = [meet(several.item, i, longer(path, tree.container, k)) for k, i in pairs]
    return replace(tree, items=tuple(items))


def both_several(a: Several, b: Several, path: str) -> Several:
    if a.container != b.container:
        raise Contradiction(a, b, path)
    return Several(a.container, meet(a.item, b.item, path))


MEETS: dict[Any, Callable[[Any, Any, str], Any]] = {
    Number: numbers,
    Array: arrays,
    Tree: trees,
    Several: both_several,
    (Number, Array): scalars,
    (Several, Tree): spread,
}


# -- of several calls -----------------------------------------------------------------------


def join(a: Type, b: Type) -> Any:
    """The type of arguments of either type; `None` where nothing holds for both.

    >>> join(Array("float64", (Seen.of(3),), "f"), Array("float64", (Seen.of(4),), "f")).dims
    (Seen(sizes=frozenset({3, 4})),)
    >>> join(Number("i"), Number("f")).kind
    'f'
    """
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(max(a.kind, b.kind, key=ORDER.index))
    if isinstance(a, Array) and isinstance(b, Array):
        return joined_arrays(a, b)
    for number, array in ((a, b), (b, a)):
        if isinstance(number, Number) and isinstance(array, Array):
            fits = array.dims == () and array.dtype in DTYPES[number.kind]
            return number if fits else None
    if isinstance(a, Tree) and isinstance(b, Tree):
        return joined_trees(a, b)
    return None


def joined_arrays(a: Array, b: Array) -> Array | None:
    if a.dtype != b.dtype:
        return None
    if a.dims is None or b.dims is None or len(a.dims) != len(b.dims):
        return a.with_dims(None)
    return a.with_dims(tuple(map(joined_sizes, a.dims, b.dims)))


def joined_sizes(a: Any, b: Any) -> Any:
    return Seen(a.sizes | b.sizes) if isinstance(a, Seen) and isinstance(b, Seen) else None


def joined_trees(a: Tree, b: Tree) -> Tree | None:
    same = (a.container, set(a.keys), a.cls) == (b.container, set(b.keys), b.cls)
    if not same or a.known != b.known:
        return None
    return replace(a, items=tuple(join(part(a, k), part(b, k)) for k in a.keys))
