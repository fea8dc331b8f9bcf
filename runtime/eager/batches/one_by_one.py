"""A function of the API, or a method, that asks for one example: called for one after the other."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from ...batching.batched_array import CONTROL, NotBatched, levels_of
from ...batching.loop import RAGGED, SLOW
from ...objects.pytree import at, leaves, map_operands, map_paths
from ..functions import pointwise
from ..graph.grad_mode import modes
from ..tensor.overrides import ONE_BY_ONE
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor
from .borders import all_examples, is_of_examples, one_example
from .frames import Frame

__all__ = ["guard_methods", "one_by_one"]


def one_by_one(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], why: NotBatched
) -> Any:
    """What a function gives for each example, put together; ``why``: what it gives for all at once."""
    given = leaves((args, kwargs))
    found = set().union(*(levels_of(x._array) for x in given if isinstance(x, Tensor)))
    frame = next((f for f in reversed(modes.frames) if f.level in found), None)
    if frame is None or any(callable(x) and not isinstance(x, Tensor) for x in given):
        raise why  # a function of the user's has refused
    if writes(function.__name__) or kwargs.get("out") is not None:
        raise why  # each example would be written to a copy
    frames = modes.frames
    own, named = (map_operands(lambda x: opened(x, frame), tree) for tree in (args, kwargs))
    modes.frames = frames[: frames.index(frame)]
    try:
        results = [
            function(*map_operands(partial(part, k), own), **map_operands(partial(part, k), named))
            for k in range(frame.count)
        ]
        made = map_paths(
            lambda one, path: together(function, one, path, results, frame), results[0]
        )
    finally:
        modes.frames = frames
    warnings.warn(SLOW.format(function.__name__), UserWarning, stacklevel=3)
    return made


class Examples:
    """The examples of one tensor."""

    def __init__(self, tensors: Any) -> None:
        self.tensors = tensors


def opened(x: Any, frame: Frame) -> Any:
    if not is_of_examples(x, frame):
        return x
    return Examples(FUNCTIONS["unbind"](all_examples(x, 0, frame), 0))


def part(k: int, x: Any) -> Any:
    return x.tensors[k] if isinstance(x, Examples) else x


def together(function: Any, one: Any, path: Any, results: list[Any], frame: Frame) -> Any:
    """A part of the results, of all examples."""
    parts = [at(result, path) for result in results]
    if not isinstance(one, Tensor):
        if any(other != one for other in parts):
            raise NotBatched(CONTROL)
        return one
    if any(other.shape != one.shape for other in parts):
        raise NotBatched(RAGGED.format(function.__name__))
    return one_example(FUNCTIONS["stack"](parts), 0, frame)


def writes(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


def as_the_function(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that goes the way of the function of its name where it asks for one example."""

    @functools.wraps(method)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except NotBatched as why:
            if not modes.frames:
                raise
            return one_by_one(method, args, kwargs, why)

    return called


def has_a_rule(name: str, method: Any) -> bool:
    """True of what is computed element by element, which may be written in place."""
    return method.__module__ == pointwise.__name__ and hasattr(Tensor, f"{name}_")


def guard_methods() -> None:
    """All methods that are functions, too, and might want for a rule."""
    for name, found in list(vars(Tensor).items()):
        is_function = name in FUNCTIONS and isinstance(found, FunctionType)
        if is_function and not writes(name) and not has_a_rule(name, found):
            setattr(Tensor, name, as_the_function(found))


ONE_BY_ONE.append(one_by_one)
