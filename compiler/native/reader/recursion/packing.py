"""Values taken apart into numbers and arrays, for a call or a record, and put together again on the other side.

A spec says how: it holds what both sides know, and no sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field

from ...loop_ir.ir import affine, integer, plus
from ...loop_ir.scalar_operations import cast, operation
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ...refusal import SeveralKinds, Unsupported
from ..growing_lists import count_of
from ..reader import Reader
from ..values import MIXED, Handle, Rows, Tape

__all__ = ["Parts", "Source", "fitted", "joined_specs", "put_together", "taken_apart"]


@dataclass
class Parts:
    """What a value comes to: whole numbers and arrays in their order, and floats."""

    words: list[Any] = field(default_factory=list)
    floats: list[Any] = field(default_factory=list)

    def add(self, e: Any) -> None:
        if e.dtype[0] == "f":
            self.floats.append(cast(e, "f8"))
        else:
            self.words.append(cast(e, "i8"))

    @property
    def numbers(self) -> list[Any]:
        return [w for w in self.words if not isinstance(w, View)]

    @property
    def arrays(self) -> list[View]:
        return [w for w in self.words if isinstance(w, View)]


@dataclass
class Source:
    """Where they are read on the other side."""

    number: Callable[[], Any]
    float: Callable[[], Any]
    array: Callable[[int, str], View]

    def of_dtype(self, dtype: str) -> Any:
        if dtype[0] == "f":
            return cast(self.float(), dtype)
        found = self.number()
        return found if dtype == "i8" else operation("not_equal", [affine(found), integer(0)], "b1")


def taken_apart(r: Reader, value: Any, parts: Parts, known: bool = False) -> Any:
    """The spec of a value, whose parts are added to ``parts``; ``known``: a number that is known stays so."""
    if isinstance(value, Scalar):
        if known and value.weak is True and value.dtype != "f8" and value.literal is not None:
            return ("known", value.dtype, value.literal)
        parts.add(value.expr)
        if value.mixed:
            parts.add(value.weak)
        return ("scalar", value.dtype, MIXED if value.mixed else value.weak)
    if isinstance(value, View):
        parts.words.append(value)
        return ("array", len(value.dims), value.dtype, value.listed)
    if isinstance(value, Items):
        inner = tuple(taken_apart(r, v, parts, known) for v in value.values)
        return ("items", inner, value.keys, value.kind)
    if isinstance(value, Handle):
        parts.add(value.expr)
        return ("record", value.record)
    if isinstance(value, (Rows, Tape)):
        return list_apart(r, value, parts)
    if isinstance(value, Constant):
        try:
            hash(value.value)
        except TypeError:
            raise Unsupported("an object in a call of a function that calls itself") from None
        return ("constant", type(value.value), value.value)
    raise Unsupported("such a value in a call of a function that calls itself")


def list_apart(r: Reader, value: Rows | Tape, parts: Parts) -> Any:
    count = affine(r.named(count_of(r, value), "count"))
    parts.add(count)
    if isinstance(value, Rows):
        if value.item is None or value.at is not None:
            raise SeveralKinds("a list that is kept while it grows", value.key)
        spec, leaves = without_sizes(value.item), value.leaves
    else:
        if value.arena.item is None:
            raise Unsupported("a list that nothing was appended to")
        spec = without_sizes(value.arena.item)
        leaves = [stretch(plain_view(b), value.start, count) for b in value.arena.leaves]
    key = value.key if isinstance(value, Rows) else value.arena.key
    parts.words += leaves
    return ("list", spec, key, tuple((len(v.dims), v.dtype) for v in leaves))


def stretch(view: View, start: Any, count: Any) -> View:
    """Some rows of an arena."""

    def at(index: tuple[Any, ...]) -> tuple[Any, ...]:
        return (plus(start, index[0]), *index[1:])

    place = view.place
    assert place is not None
    return View(
        (count, *view.dims[1:]), view.dtype, lambda index: view.at(at(index)), view.buffer,
        lambda index: place(at(index)), cheap=True,
    )  # fmt: skip


def without_sizes(item: Any) -> Any:
    if item[0] == "items":
        return ("items", tuple(map(without_sizes, item[1])), *item[2:])
    if item[0] == "array":
        return ("array", len(item[1]), item[2])
    if item[0] in ("scalar", "known", "constant", "record"):
        return item
    raise Unsupported("a list of lists in a function that calls itself")


def put_together(r: Reader, spec: Any, source: Source) -> Any:
    """The value of a spec, from the parts of ``source``."""
    if spec[0] == "scalar":
        expr = r.named(source.of_dtype(spec[1]), "s")
        weak = r.named(source.of_dtype("b1"), "soft") if spec[2] == MIXED else spec[2]
        return Scalar(affine(expr) if spec[1] == "i8" else expr, weak)
    if spec[0] == "known":
        return scalar(bool(spec[2]) if spec[1] == "b1" else spec[2])
    if spec[0] == "array":
        found = source.array(spec[1], spec[2])
        return View(**{**vars(found), "listed": True}) if spec[3] else found
    if spec[0] == "items":
        return Items(tuple(put_together(r, s, source) for s in spec[1]), spec[2], spec[3])
    if spec[0] == "record":
        return Handle(spec[1], r.named(source.number(), "kept"))
    if spec[0] == "list":
        count = affine(r.named(source.number(), "count"))
        views = [source.array(rank, dtype) for rank, dtype in spec[3]]
        for view in views:
            r.same(view.dims[0], count)
        item = with_sizes(spec[1], iter(views))
        return Rows(spec[2], count, [], None, [], item, views)
    return Constant(spec[2])


def with_sizes(item: Any, views: Iterator[View]) -> Any:
    """The item of a list whose leaves stand in these arrays."""
    if item[0] == "items":
        return ("items", tuple(with_sizes(s, views) for s in item[1]), *item[2:])
    if item[0] == "array":
        return ("array", next(views).dims[1:], item[2])
    if item[0] in ("scalar", "record"):
        next(views)
        if item[0] == "scalar" and item[2] == MIXED:
            next(views)
    return item


def joined_specs(a: Any, b: Any) -> Any:
    """The spec of what comes from either of two places."""
    if a == b:
        return a
    if a[0] == b[0] == "scalar" and a[1] == b[1]:
        return ("scalar", a[1], MIXED)
    raise Unsupported("results of several kinds of a function that calls itself")


def fitted(r: Reader, spec: Any, value: Any) -> Any:
    """A number of a kind that only the run knows, where this is wanted."""
    if spec[0] == "scalar" and spec[2] == MIXED and isinstance(value, Scalar) and not value.mixed:
        return Scalar(value.expr, value.softness)
    return value
