"""NumPy's functions and ufuncs of tensors: they are recorded, and what shows memory is a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import is_ndarray
from ...objects.pytree import at, map_paths
from ...rules.book import book, is_constant
from ..fast_path.argument_calls import call
from ..functions.operators import taken
from ..graph.record_call import elementwise, is_writable
from ..graph.saving import frozen
from ..graph.tangents import levels
from .tensor import Tensor, fresh, unwrapped
from .views import DEFAULT, MULTI_OUTPUT, viewed, writable

__all__: list[str] = []

IN_PLACE = "np.{} writes into a tensor, which the tensor would not see: use the tensor's own methods, or write into an array"


def array_ufunc(self: Tensor, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
    fn = ufunc if method == "__call__" else getattr(ufunc, method)
    if kwargs.get("out") is not None:
        raise RuntimeError(f"np.{ufunc.__name__} of a tensor has no out=")
    if method == "at":
        raise RuntimeError(IN_PLACE.format(f"{ufunc.__name__}.at"))
    if method == "__call__" and not kwargs:
        return elementwise(fn, *[taken(a, *args) if is_ndarray(a) else a for a in args])
    return call(fn, args, kwargs)


def array_function(self: Tensor, fn: Any, types: Any, args: Any, kwargs: Any) -> Any:
    if kwargs.get("out") is not None:
        raise RuntimeError(f"np.{fn.__name__} of a tensor has no out=")
    return recorded(fn, args, kwargs)


Tensor.__array_ufunc__ = array_ufunc
Tensor.__array_function__ = array_function


def recorded(fn: Any, args: Any, kwargs: Any) -> Any:
    """A recorded call, whose results are views where they show the memory of a tensor."""
    made = computed(fn, args, kwargs)
    shown = [t for t in tensors_in((args, kwargs)) if t._array.size]
    if not any(shows(part._array, t) for part in tensors_in(made) for t in shown):
        return made
    args, kwargs = frozen((args, kwargs))
    several = len(tensors_in(made)) > len(shown)  # torch allows no write to one of several

    def follow(part: Any, path: tuple[Any, ...]) -> Any:
        if not isinstance(part, Tensor) or any(part is t for t in shown):
            return part
        near = [t for t in shown if shows(part._array, t)]
        replays = [replay_of(fn, args, kwargs, t, path) for t in near]
        for t, replay in zip(near, replays, strict=True):
            if follows(replay, t, part):
                if is_writable(t._array):
                    writable(part._array)
                return viewed(part, t, replay, MULTI_OUTPUT if several else DEFAULT)
        if near:
            part._array = part._array.copy()
        return part

    return map_paths(follow, made)


def computed(fn: Any, args: Any, kwargs: Any) -> Any:
    """A recorded call.  A function that may write to its arguments is given them read-only."""
    known = fn in book.rules or is_constant(fn)
    if known and kwargs.get("copy") is not False:
        return call(fn, args, kwargs)
    needs = levels.current >= 0 or any(t.requires_grad for t in tensors_in((args, kwargs)))
    try:
        given = mapped(read_only, (args, kwargs))
        if known or needs:
            fn(*mapped(unwrapped, given[0]), **mapped(unwrapped, given[1]))
        else:
            args, kwargs = given
        return call(fn, args, kwargs)
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        raise RuntimeError(IN_PLACE.format(fn.__name__)) from None


def mapped(change: Any, tree: Any) -> Any:
    """The arguments with their tensors changed."""
    kind = type(tree)
    if kind is tuple or kind is list:
        return kind([mapped(change, item) for item in tree])
    if kind is dict:
        return {key: mapped(change, item) for key, item in tree.items()}
    return change(tree)


def read_only(leaf: Any) -> Any:
    if not isinstance(leaf, Tensor):
        return leaf
    array = leaf._array.view()
    array.setflags(write=False)
    return fresh(array)


def tensors_in(tree: Any) -> list[Tensor]:
    """The tensors in nested tuples, lists and dicts."""
    found: list[Tensor] = []
    left = [tree]
    while left:
        one = left.pop()
        if isinstance(one, Tensor):
            found.append(one)
        elif isinstance(one, (tuple, list)):
            left += reversed(one)
        elif isinstance(one, dict):
            left += reversed(one.values())
    return found


def shows(array: Any, tensor: Tensor) -> bool:
    """True if an array shows some of the memory of a tensor."""
    if array is tensor._array:
        return True
    return array.base is not None and bool(np.shares_memory(array, tensor._array))


def replay_of(fn: Any, args: Any, kwargs: Any, tensor: Tensor, path: tuple[Any, ...]) -> Any:
    """How a part of the result is made of another tensor, or array, in the place of this one."""

    def replay(base: Any) -> Any:
        own = mapped(lambda leaf: base if leaf is tensor else leaf, (args, kwargs))
        if isinstance(base, Tensor):
            return at(recorded(fn, *own), path)
        own = mapped(unwrapped, own)
        return at(fn(*own[0], **own[1]), path)

    return replay


def follows(replay: Any, tensor: Tensor, part: Tensor) -> bool:
    """True if the same part of another array is shown, whatever its values are."""
    other = np.zeros_like(tensor._array)
    again = replay(other)
    return again.shape == part._array.shape and bool(np.may_share_memory(again, other))
