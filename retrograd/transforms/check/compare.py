"""Results and arguments held against each other, number by number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy
from retrograd.runtime.arrays.transfers import beside, is_ndarray, on_host
from retrograd.runtime.objects.pytree import children
from retrograd.runtime.user.known_objects import can_be_known

__all__ = ["CLOSE", "DOUBLE", "contents", "put_back", "room_of", "unequal"]

NEAR = {np.dtype(np.float32): 1e-3, np.dtype(np.complex64): 1e-3, np.dtype(np.float16): 3e-2}
DOUBLE, CLOSE = 1e-8, 1e-4  # relative; of what is the function's only to a tolerance


def contents(tree: Any) -> list[Any]:
    """The numbers and arrays in arguments: through containers and the attributes of objects."""
    return list(walked(tree, {}))


def walked(tree: Any, seen: dict[int, Any]) -> Iterator[Any]:
    if is_number(tree):
        yield tree
        return
    inner = inside(tree)
    if not inner or id(tree) in seen:
        return
    seen[id(tree)] = tree
    for item in inner:
        yield from walked(item, seen)


def is_number(x: Any) -> bool:
    return is_ndarray(x) or isinstance(x, (np.generic, int, float, complex))


def inside(tree: Any) -> list[Any]:
    """The items of a container or an object."""
    inner = children(tree)
    if inner is None and is_object(tree):
        inner = list(vars(tree).items())
    return [item for _, item in inner or []]


def is_object(x: Any) -> bool:
    return isinstance(getattr(x, "__dict__", None), dict) and not can_be_known(x)


def unequal(got: Any, want: Any, room: float = DOUBLE) -> tuple[str, str] | None:
    """Where two trees differ by more than rounding, as texts of what stands there; None if nowhere.

    What one tree holds twice, the other may hold as two equal objects.
    """
    return trees_differ(got, want, room, {})


def room_of(tree: Any) -> float:
    """What a value may differ by that is computed with these numbers, of which the coarsest counts.

    >>> room_of([np.float32(1.0), 2.0]), room_of([1.0, np.ones(2)])
    (0.001, 0.0)
    """
    found = (NEAR.get(getattr(x, "dtype", None), 0.0) for x in contents(tree))
    return max(found, default=0.0)


def trees_differ(
    a: Any, b: Any, room: float, seen: dict[tuple[int, int], Any]
) -> tuple[str, str] | None:
    if is_number(a) and is_number(b):
        return numbers_differ(a, b, room)
    if is_number(a) or is_number(b):
        return f"a {type(a).__name__}", f"a {type(b).__name__}"
    mine, theirs = inside(a), inside(b)
    if len(mine) != len(theirs):
        return f"{len(mine)} items", f"{len(theirs)}"
    if not mine or (id(a), id(b)) in seen:
        return None
    seen[id(a), id(b)] = a, b
    found = (trees_differ(x, y, room, seen) for x, y in zip(mine, theirs, strict=True))
    return next((where for where in found if where is not None), None)


def numbers_differ(a: Any, b: Any, room: float) -> tuple[str, str] | None:
    if np.shape(a) != np.shape(b):
        return f"of shape {np.shape(a)}", f"of shape {np.shape(b)}"
    if np.iscomplexobj(a) is not np.iscomplexobj(b):
        return ("complex", "real") if np.iscomplexobj(a) else ("real", "complex")
    return differs(np.asarray(on_host(a)), np.asarray(on_host(b)), room)


def differs(a: Any, b: Any, least: float) -> tuple[str, str] | None:
    if a.dtype.kind not in "biufc" or b.dtype.kind not in "biufc":
        return None
    with np.errstate(all="ignore"):
        equal = (a == b) | ((a != a) & (b != b))
        if np.all(equal):
            return None
        room = max(least, NEAR.get(a.dtype, 0.0), NEAR.get(b.dtype, 0.0))
        size = np.abs(b[np.isfinite(b)])
        error = np.abs(np.subtract(a, b, dtype=np.result_type(a.dtype, b.dtype, np.float64)))
        equal = equal | (error <= room * (np.abs(b) + np.max(size, initial=0.0)))
    if np.all(equal):
        return None
    k = np.unravel_index(int(np.argmax(~equal)), equal.shape)
    where = f" at {tuple(int(i) for i in k)}" if k else ""
    return f"{a[k]:.10g}{where}" if a.dtype.kind != "b" else f"{a[k]}{where}", f"{b[k]}"


def put_back(args: list[Any], before: list[Any]) -> None:
    """Undoes what a wrong derivative wrote into arrays."""
    for x, was in zip(contents(args), contents(before), strict=False):
        if is_ndarray(x) and is_writeable(x) and x.shape == np.shape(was):
            x[...] = beside(x, was)


def is_writeable(x: Any) -> bool:
    return is_cupy(x) or x.flags.writeable
