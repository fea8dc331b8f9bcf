"""A batch computed one example after the other: by a function that is not compiled, and to compare with."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.ir.batch_axes import Perhaps
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import children, with_items
from retrograd.runtime.objects.unlike_results import refuse_unlike

__all__ = ["Call", "example_of", "found_in", "in_loops", "looped", "part_of", "put_together"]

Call = Callable[..., Any]


def plainly(op: Any, *args: Any, **kwargs: Any) -> Any:
    return op(*args, **kwargs)


def looped(
    f: Call, step: Any, names: Sequence[str], call: Call = plainly, only: Any = None
) -> Call:
    """``f``, which takes one argument for each parameter, of every example of a batch; or of ``only`` some."""
    axes = [step.batch.of(name) for name in names]

    def run(*args: Any) -> Any:
        count = found_in(args, axes, names)
        numbers = range(count) if only is None else only(count)
        pairs = list(zip(args, axes, strict=False))
        made = [f(*(example_of(x, axis, i, call) for x, axis in pairs)) for i in numbers]
        return put_together(made, step.batch.out, call)

    return run


def in_loops(f: Call, steps: Sequence[Any], names: Sequence[str]) -> Call:
    """``f`` of batches as a chain of transformations takes them, and of what it returns no derivative."""
    for step in steps:
        if step.kind == "vmap":
            f = looped(f, step, names)
    return f


def found_in(args: Sequence[Any], axes: Sequence[Any], names: Sequence[str]) -> int:
    """How many examples there are in some arguments; refuse those that differ."""
    sizes: list[tuple[str, int]] = []
    for k, (x, axis) in enumerate(zip(args, axes, strict=True)):
        name = names[k] if k < len(names) else f"argument {k}"
        measure(x, axis, name, sizes)
    if not sizes:
        raise SignatureMismatch("no argument of vmap has an axis of examples")
    for name, size in sizes[1:]:
        if size != sizes[0][1]:
            raise SignatureMismatch(
                f"`{sizes[0][0]}` has {sizes[0][1]} examples, and `{name}` has {size}"
            )
    return sizes[0][1]


def measure(x: Any, axis: Any, path: str, sizes: list[tuple[str, int]]) -> None:
    inner = children(x)
    if axis is None or (isinstance(axis, Perhaps) and inner is None and np.ndim(x) <= axis.rank):
        return
    if inner is not None:
        for k, (key, item) in enumerate(inner):
            measure(item, part_of(axis, key, k), f"{path}[{key!r}]", sizes)
        return
    if isinstance(x, (str, bytes, type(None))):
        return
    shape = np.shape(x)
    at = int(axis)
    if not -len(shape) <= at < len(shape):
        raise SignatureMismatch(
            f"in_axes is {at} for `{path}`, which has {len(shape)} axes; give None for what all examples share"
        )
    sizes.append((path, shape[at]))


def part_of(axis: Any, key: Any, k: int) -> Any:
    if isinstance(axis, dict):
        return axis[key]
    return axis[k] if isinstance(axis, (tuple, list)) else axis


def example_of(x: Any, axis: Any, i: int, call: Any) -> Any:
    """One example of an argument; ``call`` calls an operation on what may be boxes."""
    inner = children(x)
    if axis is None or isinstance(x, (str, bytes, type(None))):
        return x
    if inner is not None:
        return with_items(
            x,
            [
                example_of(item, part_of(axis, key, k), i, call)
                for k, (key, item) in enumerate(inner)
            ],
        )
    if isinstance(axis, Perhaps):
        return x if np.ndim(x) <= axis.rank else example_of(x, int(axis), i, call)
    return call(operator.getitem, x, (*(slice(None),) * (axis % np.ndim(x)), i))


def put_together(made: list[Any], axis: Any, call: Any) -> Any:
    """The results of all examples along an axis of each."""
    if not made:
        raise SignatureMismatch(
            "a batch of no examples of a function that is not compiled: nothing tells the shape of its results"
        )
    refuse_unlike(made)
    first, inner = made[0], children(made[0])
    if inner is not None:
        columns = zip(*([item for _, item in children(one) or ()] for one in made), strict=True)
        pairs = zip(inner, columns, strict=True)
        return with_items(
            first,
            [
                put_together(list(c), part_of(axis, key, k), call)
                for k, ((key, _), c) in enumerate(pairs)
            ],
        )
    return first if axis is None or first is None else call(np.stack, made, axis=axis)
