"""Tangents and cotangents that the user gives: held against arguments or results, and brought to their precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Field, Place
from retrograd.runtime.arrays.libraries import is_cupy
from retrograd.runtime.arrays.transfers import dtype_of, is_ndarray
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.container_classes import has_fields
from retrograd.runtime.objects.pytree import (
    children,
    flatten,
    floats,
    in_order_of,
    leaves,
    map_leaves,
    taken,
)

from .check.argument_copies import owner_of
from .specialise.argument_types import refuse_tensor
from .specialise.eager_fallback import is_taped

__all__ = ["alike", "apart_from", "cotangent_like", "cotangents", "differentiated", "directions"]

DOUBLE = (float, np.float64)


def directions(place: Place, x: Any, dot: Any) -> Iterator[tuple[Place, Any]]:
    """The parts of an argument that have a tangent: all of it, if none is None."""
    if dot is None:
        return
    mine = children(x)
    theirs = None if mine is None else children(dot)
    if mine is None or theirs is None or not has_gaps(x, dot):
        yield place, dot
        return
    for (key, item), (_, inner) in zip(mine, in_keys(mine, theirs), strict=True):
        named = Field(key) if has_fields(type(x)) and isinstance(key, str) else key
        yield from directions(place._replace(keys=(*place.keys, named)), item, inner)


def has_gaps(x: Any, dot: Any) -> bool:
    """True if a part of ``x`` has no tangent."""
    if dot is None:
        return bool(floats(x))
    mine = children(x)
    if not mine:
        return False
    theirs = dict(children(dot) or ())
    return any(key in theirs and has_gaps(item, theirs[key]) for key, item in mine)


def in_keys(mine: list[tuple[Any, Any]], theirs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    found = dict(theirs)
    if len(mine) != len(theirs) or any(key not in found for key, _ in mine):
        raise SignatureMismatch("a tangent has another structure than its argument")
    return [(key, found[key]) for key, _ in mine]


def alike(name: str, x: Any, dot: Any) -> Any:
    """A tangent, which must have the structure and shape of its argument, in its precision."""
    if type(x) is type(dot) is np.ndarray and x.shape == dot.shape and x.dtype == dot.dtype:
        return dot
    dot = in_order_of(x, dot)
    pairs = shaped_pairs(x, dot)
    if pairs is None:
        raise SignatureMismatch(
            f"the tangent of `{name}` has another structure or shape than `{name}`"
        )
    return in_kind_of(x, dot, pairs, f"the tangent of `{name}`", f"`{name}`")


def apart_from(dots: list[Any], given: list[Any]) -> list[Any]:
    """The tangents; those that share memory with an argument, which may be written to, as copies."""
    owners = {id(owner_of(x)) for x in arrays_in(given)}
    if not owners or all(id(owner_of(dot)) not in owners for dot in arrays_in(dots)):
        return dots
    return [map_leaves(lambda x: x.copy(order="K") if is_ndarray(x) else x, dot) for dot in dots]


def arrays_in(trees: list[Any]) -> Iterator[np.ndarray]:
    for tree in trees:
        if is_ndarray(tree):
            yield tree
        elif type(tree) not in DOUBLE:
            yield from (x for x in leaves(tree) if is_ndarray(x))


def cotangents(shape: Any, cotangent: Any, values: list[Any]) -> list[Any]:
    """The cotangents of some results, which stand in containers of this ``shape``."""
    flat = taken(shape, cotangent)
    return [cotangent_like(value, c) for value, c in zip(values, flat, strict=True)]


def cotangent_like(value: Any, c: Any) -> Any:
    """A cotangent, which must have the structure and shapes of the result, in its precision."""
    if type(value) is type(c) is np.ndarray and value.shape == c.shape and value.dtype == c.dtype:
        return c
    if type(value) in DOUBLE and type(c) in DOUBLE:
        return type(value)(c)
    c = in_order_of(value, c)
    pairs = shaped_pairs(value, c)
    if pairs is None or lacks_parts(pairs):
        raise SignatureMismatch(f"a cotangent of {describe(c)} for a result of {describe(value)}")
    return c if is_taped([value, c]) else in_kind_of(value, c, pairs, "a cotangent", "the result")


def shaped_pairs(value: Any, c: Any) -> list[tuple[Any, Any]] | None:
    """The leaves of two trees side by side; None unless structures and shapes are the same."""
    (flat_value, tree_value), (flat_c, tree_c) = flatten(value), flatten(c)
    if tree_value != tree_c:
        return None
    pairs = list(zip(flat_value, flat_c, strict=True))
    return pairs if all(y is None or np.shape(x) == np.shape(y) for x, y in pairs) else None


def lacks_parts(pairs: list[tuple[Any, Any]]) -> bool:
    """True if a float has None for its cotangent."""
    return any(y is None and dtype_of(x).kind in "fc" for x, y in pairs)


def describe(value: Any) -> str:
    named = value is None or children(value) is not None
    return f"kind {type(value).__name__}" if named else f"shape {np.shape(value)}"


def in_kind_of(x: Any, dot: Any, pairs: list[tuple[Any, Any]], what: str, whose: str) -> Any:
    """``dot`` with the types of ``x``, ``pairs`` being their leaves; ``what`` and ``whose`` say what they are."""
    other = [(a, b) for a, b in pairs if not is_of_kind(a, b)]
    for a, b in other:
        check_kind(a, b, what, whose)
    if not other:
        return dot
    from retrograd.runtime.helpers.core import (
        map_tree,  # not before somebody has a use for it
    )

    return map_tree(number_or_array, x, dot)


def number_or_array(x: Any, dot: Any) -> Any:
    """A Python number is weak beside arrays in single precision; one of NumPy's is not."""
    from retrograd.runtime.device.runtime_of import runtime_of

    rt = runtime_of([x, dot])
    if dot is None:
        return rt.zeros_like(x)
    strong = isinstance(x, (np.float64, np.complex128))
    return type(x)(rt.match(dot, x)) if strong else rt.match(dot, x)


def place_of(x: Any) -> str:
    return "CuPy, on the device" if is_cupy(x) else "NumPy, on the host"


def is_of_kind(x: Any, dot: Any) -> bool:
    return type(x) is type(dot) and getattr(x, "dtype", None) == getattr(dot, "dtype", None)


def check_kind(x: Any, dot: Any, what: str, whose: str) -> None:
    """Refuse what would be lost: an imaginary part, or what is no number."""
    refuse_tensor(x, whose.strip("`"))
    refuse_tensor(dot, whose.strip("`"))
    if is_cupy(x) is not is_cupy(dot) and is_ndarray(dot) and is_ndarray(x):
        raise SignatureMismatch(
            f"{what} is an array of {place_of(dot)}, and {whose} is one of {place_of(x)}: "
            "hand it over from there, by cupy.asarray(c) or c.get()"
        )
    kind = dtype_of(dot).kind
    if dot is not None and kind not in "biufc":
        raise SignatureMismatch(f"{what} is no number: {dot!r}")
    if kind == "c" and not np.iscomplexobj(x) and np.any(np.imag(dot)):
        raise SignatureMismatch(f"{what} is complex, and {whose} is real")


def differentiated(tree: Any, flat: list[Any]) -> tuple[Any, list[Any]]:
    """Of a pair of results, the shape and the parts of the first."""
    if tree is None:  # it ran on the tape
        return None, [flat[0][0]]
    first = tree[2][0]
    return first, flat[: count(first)]


def count(shape: Any) -> int:
    return 1 if shape is None else sum(map(count, shape[2]))
