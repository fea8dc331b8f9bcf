"""Helpers on containers: a container like another one, and the tape of a loop read backwards."""

from __future__ import annotations

import copy as copying
from typing import Any, TypeVar

import numpy as np

from ..errors import MutationError, SignatureMismatch
from ..objects.pytree import children, instance, is_float, with_items
from .core import FLOATS, SEQUENCES, add, cast, map_tree, number_of_all, unbroadcast, zeros_like

__all__ = [
    "as_tangent", "check_scalar", "check_separate", "fill_like", "flipped", "hooked", "instance", "match",
    "picked", "stop_gradient", "unmatch",
]  # fmt: skip

Same = TypeVar("Same")


def fill_like(like: Any, items: dict[Any, Any], attributes: bool = False) -> Any:
    """A container of zeros like ``like``, with ``items`` in their places.

    >>> fill_like({"w": 1.0, "b": 2.0}, {"b": 5.0})
    {'w': 0.0, 'b': 5.0}
    """
    if hasattr(like, "_fields") or (isinstance(like, (list, tuple)) and any(k < 0 for k in items)):
        items = by_position(like, items)
    inner = children(like)
    if inner is None:
        made = copying.copy(like)
        for name, item in items.items():
            object.__setattr__(made, name, item)
        return made
    if unknown := items.keys() - {key for key, _ in inner}:
        raise SignatureMismatch(
            f"a {type(like).__name__} is differentiated, and {sorted(map(repr, unknown))} is not among what it "
            "holds as a container"
        )
    return with_items(like, [items[k] if k in items else zeros_like(x) for k, x in inner])


def by_position(like: Any, items: dict[Any, Any]) -> dict[int, Any]:
    """The items of a sequence by positions from 0; two ways to write one place add up.

    >>> by_position([1.0, 2.0], {-1: 3.0, 1: 4.0})
    {1: 7.0}
    """
    fields: list[str] = list(getattr(like, "_fields", ()))
    found: dict[int, Any] = {}
    for key, item in items.items():
        at = fields.index(key) if isinstance(key, str) else range(len(like))[key]
        found[at] = add(found[at], item) if at in found else item
    return found


def flipped(stack: list[Any]) -> list[Any]:
    """The values of a loop in the opposite order.

    >>> flipped([1, 2, 3])
    [3, 2, 1]
    """
    return stack[::-1]


def picked(c: Any, items: dict[Any, Any], attributes: bool = False) -> dict[Any, Any]:
    """The entries of a container that ``fill_like`` put there: its transpose.

    >>> picked({"w": 1.0, "b": 2.0}, {"b": 0.0})
    {'b': 2.0}
    """
    return {k: getattr(c, k) if attributes else c[k] for k in items}


def match(c: Any, like: Any) -> Any:
    """An owned gradient of the shape, dtype and container of ``like``.

    >>> match(2.0, np.zeros(2, np.float32))
    array([2., 2.], dtype=float32)
    >>> match(np.float64(3.0), 1.0)
    3.0
    >>> match(np.eye(2), [[5.0, 6.0], [7.0, 8.0]])
    [[1.0, 0.0], [0.0, 1.0]]

    What has no derivative has no gradient in its container.

    >>> match({"w": 1.0, "act": 0.0}, {"w": 2.0, "act": np.tanh})
    {'w': 1.0, 'act': None}
    """
    kind = like.__class__
    if kind in FLOATS and c.__class__ in FLOATS:
        return float(c)
    alike = kind in SEQUENCES and c.__class__ is kind and len(c) == len(like)
    if alike and number_of_all(like) is not None and FLOATS.issuperset(map(type, c)):
        return kind(map(float, c))
    if children(like) is not None:
        return map_tree(matched_leaf, like, c)
    if isinstance(like, float):
        return float(np.real(c))
    if isinstance(like, complex):
        return complex(c)
    if not isinstance(like, (np.ndarray, np.generic)):
        return zeros_like(like)
    made = np.array(np.broadcast_to(cast(c, like), like.shape), dtype=like.dtype)
    return made if isinstance(like, np.ndarray) else made[()]


def as_tangent(dot: Any, x: Any) -> Any:
    """A tangent that was given for ``x``, in its precision; raise unless it has the shape of ``x``.

    >>> as_tangent([1, 2], np.zeros(2))
    array([1., 2.])
    """
    if children(x) is not None:
        return match(dot, x)
    if np.shape(dot) != np.shape(x):
        raise SignatureMismatch(
            f"a tangent of shape {np.shape(dot)} for a value of shape {np.shape(x)}"
        )
    return match(np.asarray(dot) if isinstance(dot, (list, tuple)) else dot, x)


def matched_leaf(x: Any, g: Any) -> Any:
    """The gradient of a leaf of a container: None where there can be none."""
    if not is_float(x):
        return None
    return zeros_like(x) if g is None else match(g, x)


def unmatch(c: Any, like: Any) -> Any:
    """The transpose of `match`: sums over what was repeated, in every leaf of a container.

    >>> unmatch([np.ones(3), np.ones(2)], [1.0, np.zeros(2)])
    [3.0, array([1., 1.])]
    """
    return match(map_tree(lambda x, g: g if g is None else unbroadcast(g, x), like, c), like)


def check_scalar(x: Any, rank: int = 0) -> None:
    """Raise unless ``x`` is one real number, or the one element of an array of this rank: what a gradient is taken of.

    >>> check_scalar(np.float64(1.0))
    """
    if isinstance(x, complex) or (isinstance(x, np.ndarray) and np.iscomplexobj(x)):
        raise SignatureMismatch(
            "a gradient needs a function that returns a real scalar; this one returned a complex number; "
            "return its real part (np.real) or its modulus (np.abs), or use rg.vjp"
        )
    if children(x) is not None or not hasattr(type(x), "__float__"):
        raise SignatureMismatch(
            f"a gradient needs a function that returns a scalar; this one returned a {type(x).__name__}; "
            "return a scalar (np.sum, np.mean), or use rg.vjp or rg.jacobian"
        )
    if np.ndim(x) != rank or np.size(x) != 1:
        raise SignatureMismatch(
            f"a gradient needs a function that returns a scalar; this one returned an array of shape "
            f"{np.shape(x)}; return a scalar (np.sum, np.mean), or use rg.vjp or rg.jacobian"
        )


def stop_gradient(x: Same) -> Same:
    """``x``, as a constant: no derivative passes through.

    >>> stop_gradient(2.0)
    2.0
    """
    if type(x) is np.ndarray or type(x) is float:
        return x
    stop = getattr(type(x), "_stop_gradient", None)  # of a value on the tape
    if stop is not None:
        return stop(x)  # type: ignore[no-any-return]
    return x if class_on_tape(x) is None else map_tree(stop_gradient, x)  # type: ignore[no-any-return]


def class_on_tape(x: Any) -> Any:
    """The class of the values of the tape that a container holds; None if there are none."""
    if hasattr(type(x), "_stop_gradient"):
        return type(x)
    found = (class_on_tape(item) for _, item in children(x) or ())
    return next((kind for kind in found if kind is not None), None)


def hooked(c: Any, hook: Any) -> Any:
    """The result of a hook on a cotangent: ``c`` itself, if the hook returns None.

    It sees a copy, which it may keep, but not write to.

    >>> hooked(2.0, abs), hooked(2.0, [].append)
    (2.0, 2.0)
    """
    seen = map_tree(to_read, c)
    changed = hook(seen)
    return c if changed is None or changed is seen else changed


def to_read(x: Any) -> Any:
    """A copy of an array that cannot be written to."""
    if not isinstance(x, np.ndarray):
        return x
    made = x.copy()
    made.flags.writeable = False
    return made


def check_separate(written: tuple[Any, ...], arguments: tuple[Any, ...]) -> None:
    """Raise if a container that a function writes to stands at two places of its arguments.

    >>> p = {"w": 1.0}
    >>> check_separate((p,), (p, {"w": 2.0}))
    """
    places: dict[int, int] = {}
    count_containers(arguments, places)
    if any(places.get(id(container), 0) > 1 for container in written):
        raise MutationError(
            "a container that this function writes to was passed twice",
            fix="pass a copy of it at the other place",
        )


def count_containers(tree: Any, places: dict[int, int]) -> None:
    """How often each mutable container is met in ``tree``."""
    if isinstance(tree, (str, bytes, int, float, complex, np.ndarray, np.generic, type(None))):
        return
    if not isinstance(tree, tuple):
        places[id(tree)] = places.get(id(tree), 0) + 1
        if places[id(tree)] > 1:
            return
    if isinstance(tree, dict):
        tree = tuple(tree.values())
    inner = tree if isinstance(tree, (tuple, list)) else getattr(tree, "__dict__", {}).values()
    for item in inner:
        count_containers(item, places)
