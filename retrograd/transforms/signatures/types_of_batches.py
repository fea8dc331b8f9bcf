"""The types of a batch from those of one example: what a function's own calls and annotations say, with one more axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.compiler.ir.batch_axes import Found, Perhaps, of_one_example, spelled
from retrograd.compiler.ir.types import WIDEST, Array, Dim, Given, Number, Stack, Tree
from retrograd.runtime.records import replace

__all__ = ["batches_in", "of_batches", "of_examples"]


def batches_in(steps: Sequence[Any]) -> list[Any]:
    """Those of the steps that make a batch, the innermost first."""
    return [step for step in steps if step.kind == "vmap"]


def of_examples(types: dict[str, Any], steps: Sequence[Any]) -> tuple[dict[str, Any], list[Found]]:
    """The types of one example, and what is known of the sizes of the batches."""
    known = {name: kind for name, kind in types.items() if kind is not None}
    return of_one_example(known, steps)


def of_batches(
    types: dict[str, Any], steps: Sequence[Any], known: Sequence[Found], taken: set[str]
) -> dict[str, Any]:
    """The types of batches of such examples; sizes that nobody knows have names that are not ``taken``."""
    for step, found in zip(batches_in(steps), known, strict=True):
        sizes = {path: size for path, _, size in found.sizes}
        usual = next(iter(sizes.values()), None) or new_size(taken)
        types = {
            name: with_axis(kind, step.batch.of(name), name, sizes, usual)
            for name, kind in types.items()
        }
    return types


def new_size(taken: set[str]) -> Dim:
    """How many examples there are, by a letter that people use."""
    name = next(
        name for name in ("n", "m", "b", *map("n{}".format, range(99))) if name not in taken
    )
    taken.add(name)
    return Dim(name)


def with_axis(kind: Any, axis: Any, path: str, sizes: dict[str, Any], usual: Any) -> Any:
    """A type with the axis of the examples; numbers are those of an array then."""
    if axis is None:
        return kind
    if isinstance(kind, Given):
        return with_axis(kind.type, axis, path, sizes, usual)
    if isinstance(kind, Tree):
        given = axis if isinstance(axis, dict) else dict.fromkeys(kind.keys, axis)
        if isinstance(axis, (tuple, list)):
            given = dict(zip(kind.keys, axis, strict=True))
        items = [
            with_axis(item, given[key], spelled(path, kind, key), sizes, usual)
            for key, item in zip(kind.keys, kind.items, strict=True)
        ]
        return replace(kind, items=tuple(items))
    if isinstance(kind, Stack):
        return replace(kind, item=with_axis(kind.item, axis, f"{path}[0]", sizes, usual))
    if isinstance(axis, Perhaps) and path not in sizes:
        return kind
    if isinstance(kind, Number):
        kind = Array(WIDEST[kind.kind], (), kind.kind)
    if not isinstance(kind, Array) or kind.dims is None:
        return kind
    at = axis % (len(kind.dims) + 1)
    return kind.with_dims((*kind.dims[:at], sizes.get(path, usual), *kind.dims[at:]))
